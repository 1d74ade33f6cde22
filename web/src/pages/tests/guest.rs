//! The guests' page.

use domain::{address::Channel, model::Status};

use super::*;

fn own(field: &str, guest: &Guest) -> String {
    format!("{field}-{}", guest.id)
}

#[tokio::test]
async fn a_family_answers_in_three_steps() {
    let site = Site::new().await;
    let (anna, ben, bob) = (site.guest("K7QF2M").await, site.guest("B3NH4Z").await, site.guest("B8TAN7").await);
    let mut browser = site.logged_in("/", "k7qf2m", "holloway").await;
    let page = browser.page("/").await;
    page.shows("All 5 are coming").shows("The Old Boathouse").shows("Fri 20 Nov 2026, end of day, London time");
    let answers = [
        (own("comes", &anna), "yes"),
        (own("dietary", &anna), "no nuts"),
        (own("comes", &ben), "no"),
        (own("comes", &bob), "companions"),
        (own("companions", &bob), "2"),
    ];
    let mut fields: Vec<(&str, &str)> = answers.iter().map(|(name, value)| (name.as_str(), *value)).collect();
    fields.extend([("version", page.field("version")), ("extra", "1"), ("do", "look")]);
    let read_back = browser.send("/answer", &page, &fields).await;
    read_back.shows("Is this right?").shows("4 people come").shows("no nuts").shows("more than expected");
    assert_eq!(site.guest("K7QF2M").await, anna, "nothing is saved yet");
    fields.retain(|(name, _)| *name != "do");
    fields.push(("do", "save"));
    assert_eq!(browser.send("/answer", &read_back, &fields).await.location(), "/?done=saved");
    let facts = |guest: Guest| (guest.status, guest.self_coming, guest.companions_coming, guest.extra_guests);
    assert_eq!(facts(site.guest("K7QF2M").await), (Status::Coming, true, 0, 1));
    assert_eq!(facts(site.guest("B3NH4Z").await), (Status::Declined, false, 0, 0));
    assert_eq!(facts(site.guest("B8TAN7").await), (Status::Coming, false, 2, 0));
    assert_eq!(site.guest("K7QF2M").await.answered_by.unwrap().channel, Channel::Web);
    browser.page("/?done=saved").await.shows("Thank you").shows("coming, 2 people (1 extra)");
    // The form was opened before this answer: it does not overwrite it unseen.
    let late = browser.send("/answer", &page, &fields).await;
    assert_eq!(late.status, 409);
    late.shows("has answered since you opened this page");
}

#[tokio::test]
async fn what_another_had_answered_is_named_before_it_is_changed() {
    let site = Site::new().await;
    let ben = site.guest("B3NH4Z").await;
    let mut bens = site.logged_in("/", "B3NH4Z", "Holloway").await;
    let page = bens.page("/").await;
    let comes = own("comes", &ben);
    let answer = [("version", page.field("version")), (comes.as_str(), "yes"), ("do", "save")];
    assert_eq!(bens.send("/answer", &page, &answer).await.status, 303);
    let mut annas = site.logged_in("/", "K7QF2M", "Holloway").await;
    let page = annas.page("/").await;
    let read_back = annas.send("/answer", &page, &[("quick", "none"), ("version", page.field("version"))]).await;
    read_back.shows("Ben Holloway had answered: coming, 1 person");
}

#[tokio::test]
async fn bad_input_keeps_what_was_typed_and_says_what_to_do() {
    let site = Site::new().await;
    let maria = site.guest("P9DX3C").await;
    let mut browser = site.logged_in("/", "P9DX3C", "Santos").await;
    let page = browser.page("/").await;
    let (comes, companions, dietary) = (own("comes", &maria), own("companions", &maria), own("dietary", &maria));
    for (number, extra, said, field) in [
        ("two", "0", "write the number of companions as a number", companions.as_str()),
        ("9", "0", "maria brings at most 1 companion. put the others under “somebody more?”", &companions),
        ("1", "-3", "write a whole number", "extra"),
        ("1", "99999", "at most", "extra"),
    ] {
        let fields = [
            (comes.as_str(), "yes"),
            (companions.as_str(), number),
            (dietary.as_str(), "\"'><script>alert(1)</script>"),
            ("extra", extra),
            ("do", "look"),
        ];
        let refused = browser.send("/answer", &page, &fields).await;
        assert_eq!(refused.status, 422, "{number} {extra}: {}", refused.text);
        assert!(refused.text.to_lowercase().contains(said), "{said}: {}", refused.text);
        refused.shows(&format!("<a href=\"#{field}\">")).shows(&format!("id=\"about-{field}\""));
        assert!(refused.text.contains(&format!("value=\"{number}\"")) && !refused.text.contains("<script>alert"));
    }
}

#[tokio::test]
async fn after_the_deadline_only_dietary_needs_may_change() {
    let site = Site::new().await;
    let maria = site.guest("H4TR8W").await;
    let mut browser = site.logged_in("/", "H4TR8W", "Santos").await;
    site.world.set_now("2026-11-21T00:00:00Z");
    let page = browser.page("/").await;
    page.shows("Answers closed");
    assert!(!page.text.contains("I am coming"));
    let dietary = own("dietary", &maria);
    let fields = [(dietary.as_str(), "vegan"), ("version", page.field("version")), ("do", "look")];
    let read_back = browser.send("/answer", &page, &fields).await;
    read_back.shows("Dietary needs: vegan");
    assert!(!read_back.text.contains("name=\"comes-"), "what cannot change is not asked for");
    let nothing = browser.send("/answer", &page, &[(dietary.as_str(), ""), fields[1], ("do", "save")]).await;
    assert_eq!(nothing.status, 422);
    nothing.shows("nothing to save");
    let fields = [fields[0], fields[1], ("do", "save")];
    assert_eq!(browser.send("/answer", &read_back, &fields).await.status, 303);
    let saved = site.guest("H4TR8W").await;
    assert_eq!((saved.status, saved.dietary.as_str()), (Status::Pending, "vegan"));
    let thanks = browser.page("/?done=saved").await;
    thanks.shows("Thank you! Dietary needs may still change");
    assert!(!thanks.text.contains("until the deadline"));
}

#[tokio::test]
async fn an_answer_that_comes_too_late_is_said_to_be_lost_at_every_step() {
    let site = Site::new().await;
    let maria = site.guest("H4TR8W").await;
    let mut host = site.host().await;
    let settings = host.page("/admin/settings").await;
    let contact = [("version", settings.field("version")), ("host_contact", "Mia, 020 7946 0000"), ("do", "save")];
    assert_eq!(host.send("/admin/settings", &settings, &contact).await.status, 303);
    let mut browser = site.logged_in("/", "H4TR8W", "Santos").await;
    let page = browser.page("/").await;
    let (comes, dietary) = (own("comes", &maria), own("dietary", &maria));
    let answer = [(comes.as_str(), "yes"), (dietary.as_str(), "vegan"), ("version", page.field("version"))];
    let sent = |what| [&answer[..], &[("do", what)]].concat();
    let read_back = browser.send("/answer", &page, &sent("look")).await;
    read_back.shows("Is this right?");
    site.world.set_now("2026-11-21T00:00:00Z");
    let late = [&answer[..], &[("quick", "all")]].concat();
    for fields in [sent("save"), sent("look"), late] {
        let closed = browser.send("/answer", &read_back, &fields).await;
        assert_eq!(closed.status, 409, "{fields:?}: {}", closed.text);
        closed.shows("Answers are closed").shows("Ask Mia, 020 7946 0000").shows("So far: no answer yet");
        assert!(!closed.text.contains("name=\"comes-"));
    }
    assert_eq!(site.guest("H4TR8W").await, maria);
}

#[tokio::test]
async fn a_group_that_changed_meanwhile_is_shown_before_anything_is_saved() {
    let site = Site::new().await;
    let (anna, ben, maria) = (site.guest("K7QF2M").await, site.guest("B3NH4Z").await, site.guest("H4TR8W").await);
    let mut annas = site.logged_in("/", "K7QF2M", "Holloway").await;
    let opened = annas.page("/").await;
    let mut bens = site.logged_in("/", "B3NH4Z", "Holloway").await;
    let page = bens.page("/").await;
    let comes = own("comes", &ben);
    let answer = [("version", page.field("version")), (comes.as_str(), "yes"), ("do", "save")];
    assert_eq!(bens.send("/answer", &page, &answer).await.status, 303);
    let (comes, stranger) = (own("comes", &anna), own("comes", &maria));
    for (fields, why) in [
        (vec![("version", opened.field("version")), (comes.as_str(), "yes")], "an old page"),
        (vec![(comes.as_str(), "yes"), (stranger.as_str(), "yes")], "somebody who is no longer in the group"),
    ] {
        for what in ["look", "save", "change"] {
            let fields = [&fields[..], &[("do", what)]].concat();
            let changed = annas.send("/answer", &opened, &fields).await;
            assert_eq!(changed.status, 409, "{why}, {what}");
            changed.shows("has answered since you opened this page").shows("So far: coming, 1 person");
        }
    }
    assert_eq!(site.guest("K7QF2M").await.status, Status::Pending);
}

#[tokio::test]
async fn whoever_chooses_nobody_is_asked_who_comes() {
    let site = Site::new().await;
    let maria = site.guest("H4TR8W").await;
    let mut browser = site.logged_in("/", "H4TR8W", "Santos").await;
    let page = browser.page("/").await;
    let (comes, dietary) = (own("comes", &maria), own("dietary", &maria));
    for (needs, what) in [("", "look"), ("vegan", "look"), ("vegan", "save")] {
        let fields = [
            (comes.as_str(), "open"),
            (dietary.as_str(), needs),
            ("version", page.field("version")),
            ("extra", "0"),
            ("do", what),
        ];
        let asked = browser.send("/answer", &page, &fields).await;
        assert_eq!(asked.status, 422, "{needs} {what}");
        asked.shows("Nothing was saved").shows("Say whether Maria is coming").shows(&format!("value=\"{needs}\""));
    }
    assert_eq!(site.guest("H4TR8W").await, maria);
    // To take an answer back is to say something.
    let say =
        |version, word| [(comes.clone(), word), ("version".to_owned(), version), ("do".to_owned(), "save".to_owned())];
    for (word, status) in [("yes", Status::Coming), ("open", Status::Pending)] {
        let page = browser.page("/").await;
        let fields = say(page.field("version").to_owned(), word.to_owned());
        let fields: Vec<_> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        assert_eq!(browser.send("/answer", &page, &fields).await.status, 303, "{word}");
        assert_eq!(site.guest("H4TR8W").await.status, status);
    }
}

#[tokio::test]
async fn the_calendar_file_is_for_those_invited() {
    let site = Site::new().await;
    let mut browser = site.logged_in("/", "H4TR8W", "Santos").await;
    let file = browser.page("/calendar.ics").await;
    assert!(file.text.contains("BEGIN:VEVENT") && file.header("content-type").starts_with("text/calendar"));
    let away = site.browser().get("/calendar.ics").await;
    assert_eq!((away.status, away.location().as_str()), (303, "/?next=%2Fcalendar.ics"));
}

#[tokio::test]
async fn an_invitations_link_fills_in_the_code() {
    let site = Site::new().await;
    site.browser().page("/?code=K7QF2M").await.shows("value=\"K7QF2M\"");
}

#[tokio::test]
async fn every_field_that_is_wrong_says_so() {
    let site = Site::new().await;
    let maria = site.guest("P9DX3C").await;
    let mut browser = site.logged_in("/", "P9DX3C", "Santos").await;
    let page = browser.page("/").await;
    let (comes, companions, dietary) = (own("comes", &maria), own("companions", &maria), own("dietary", &maria));
    let long = "x".repeat(600);
    let fields = [
        (comes.as_str(), "yes"),
        (companions.as_str(), "abc"),
        (dietary.as_str(), long.as_str()),
        ("extra", "x"),
        ("do", "look"),
    ];
    let refused = browser.send("/answer", &page, &fields).await;
    assert_eq!(refused.status, 422);
    for field in [companions.as_str(), dietary.as_str(), "extra"] {
        refused.shows(&format!("<a href=\"#{field}\">")).shows(&format!("id=\"about-{field}\""));
    }
}

#[tokio::test]
async fn companions_alone_are_read_back_as_such() {
    let site = Site::new().await;
    let maria = site.guest("P9DX3C").await;
    let mut browser = site.logged_in("/", "P9DX3C", "Santos").await;
    let page = browser.page("/").await;
    let (comes, companions) = (own("comes", &maria), own("companions", &maria));
    let fields = [
        (comes.as_str(), "companions"),
        (companions.as_str(), "1"),
        ("extra", "0"),
        ("version", page.field("version")),
        ("do", "look"),
    ];
    let read_back = browser.send("/answer", &page, &fields).await;
    read_back.shows("not coming, but 1 companion is").shows("No dietary needs or allergies are noted");
}

#[tokio::test]
async fn the_link_of_another_invitation_opens_that_one() {
    let site = Site::new().await;
    let mut browser = site.logged_in("/", "P9DX3C", "Santos").await;
    let own = browser.page("/?code=p9dx-3c").await;
    own.shows("<span class=\"wide\"> Maria<");
    let other = browser.page("/?code=K7QF2M").await;
    other.shows("This link is for another invitation").shows("value=\"K7QF2M\"");
    let changed = browser.send("/", &other, &[("code", "K7QF2M"), ("last_name", "Holloway")]).await;
    assert_eq!(changed.status, 303, "{}", changed.text);
    browser.page("/").await.shows("<span class=\"wide\"> Anna<");
}
