//! What a host does with a guest, and with the settings.

use domain::model::Status;

use super::*;

const NEW: [(&str, &str); 4] =
    [("first_name", "Zoë"), ("last_name", "Müller"), ("expected", "2"), ("new_group", "mueller")];

#[tokio::test]
async fn a_guest_is_added_changed_deleted_and_put_back() {
    let site = Site::new().await;
    let mut host = site.host().await;
    let form = host.page("/admin/guests/new").await;
    let added = host.send("/admin/guests/new", &form, &NEW).await;
    assert_eq!(added.status, 303, "{}", added.text);
    let path = added.location().split('?').next().unwrap().to_owned();
    host.page(&added.location()).await.shows("Zoë Müller is on the list").shows("mueller");
    let form = host.page(&format!("{path}/edit")).await;
    let edit = [
        ("version", form.field("version")),
        ("first_name", "Zoë"),
        ("last_name", "Mueller"),
        ("expected", "1"),
        ("phone", "07700 900123"),
        ("group", ""),
    ];
    assert!(host.send(&format!("{path}/edit"), &form, &edit).await.location().ends_with("done=saved"));
    let page = host.page(&path).await;
    page.shows("Zoë Mueller").shows("+447700900123").shows("changed: last name, group, expected, phone");
    let deleted = host.send(&format!("{path}/delete"), &page, &[("version", version_of(&page, "delete"))]).await;
    deleted.shows("Zoë Mueller is off the list");
    assert_eq!(host.get(&path).await.status, 404);
    let undo = [("record", deleted.field("record"))];
    assert_eq!(host.send("/admin/guests/restore", &deleted, &[("record", &undo[0].1[1..])]).await.status, 400);
    assert_eq!(host.send("/admin/guests/restore", &deleted, &undo).await.status, 303);
    host.page(&path)
        .await
        .shows("Zoë Mueller")
        .shows("+447700900123")
        .shows("was deleted")
        .shows("was put back on the list");
    host.page("/admin").await.shows("Zoë Mueller</a>: was put back on the list");
}

#[tokio::test]
async fn whoever_is_there_already_is_named_before_a_second_one_is_added() {
    let site = Site::new().await;
    let mut host = site.host().await;
    let form = host.page("/admin/guests/new").await;
    let anna = site.guest("K7QF2M").await.id;
    // As names are compared: case, accents and hyphens make no other person.
    let twin = [("first_name", "ANNA"), ("last_name", "Hollowáy"), ("expected", "1")];
    let asked = host.send("/admin/guests/new", &form, &twin).await;
    assert_eq!(asked.status, 409);
    asked
        .shows("There is already:")
        .shows(&format!("href=\"/admin/guests/{anna}\">Anna Holloway</a> (the same name, P7"));
    asked.shows("value=\"Hollowáy\"").shows("Add all the same");
    let count = async || site.world.app.all_guests(&site.guest("K7QF2M").await.event_id).await.unwrap().len();
    let before = count().await;
    // What was seen is no leave for somebody else of the same name.
    let sure = asked.text.split("name=\"sure\" value=\"").nth(1).unwrap().split('"').next().unwrap();
    let maria = [("first_name", "Maria"), ("last_name", "Santos"), ("expected", "1"), ("sure", sure)];
    let both = host.send("/admin/guests/new", &form, &maria).await;
    assert_eq!((both.status, both.text.matches("(the same name").count()), (409, 2));
    assert_eq!(count().await, before);
    let added = host.send("/admin/guests/new", &form, &[&twin[..], &[("sure", sure)]].concat()).await;
    assert_eq!((added.status, count().await), (303, before + 1), "{}", added.text);
    let phone = [("last_name", "Ek"), ("expected", "1"), ("phone", "+447700900123")];
    assert_eq!(host.send("/admin/guests/new", &form, &phone).await.status, 303);
    let same = [("last_name", "Berg"), ("expected", "1"), ("phone", "07700 900123")];
    host.send("/admin/guests/new", &form, &same).await.shows("(the same phone, no answer yet)");
}

/// The version in the form that is sent to `.../what`.
fn version_of<'a>(page: &'a Page, what: &str) -> &'a str {
    let form = page.text.split(&format!("/{what}\">")).nth(1).unwrap();
    form.split("name=\"version\" value=\"").nth(1).unwrap().split('"').next().unwrap()
}

#[tokio::test]
async fn each_field_gets_its_own_message_and_keeps_what_was_typed() {
    let site = Site::new().await;
    let mut host = site.host().await;
    let form = host.page("/admin/guests/new").await;
    let typed =
        [("first_name", "<b>Zoë"), ("last_name", ""), ("expected", "many"), ("phone", "12"), ("language", "klingon")];
    let refused = host.send("/admin/guests/new", &form, &typed).await;
    assert_eq!(refused.status, 422);
    for field in ["last_name", "expected", "phone", "language"] {
        let about = refused.text.split(&format!("id=\"about-{field}\"")).nth(1).unwrap();
        let about = about.split("</span>").next().unwrap();
        assert!(about.contains("class=\"error\""), "{field}: {about}");
    }
    refused.shows("value=\"many\"").shows("Zoë").shows("aria-invalid");
    let problems = refused.text.split("id=\"problems\"").nth(1).unwrap().split("</div>").next().unwrap();
    for (field, label) in
        [("last_name", "Last name"), ("expected", "People"), ("phone", "Phone"), ("language", "Language")]
    {
        assert!(problems.contains(&format!("<a href=\"#{field}\">{label}: ")), "{problems}");
        refused.shows(&format!(" id=\"{field}\""));
    }
    assert!(!problems.contains("phone_region"), "{problems}");
    assert!(!refused.text.contains("<b>Zoë"));
}

#[tokio::test]
async fn two_hosts_do_not_overwrite_each_other_unseen() {
    let site = Site::new().await;
    let anna = site.guest("K7QF2M").await;
    let path = format!("/admin/guests/{}/edit", anna.id);
    let (mut one, mut two) = (site.host().await, site.host().await);
    let (ones, twos) = (one.page(&path).await, two.page(&path).await);
    let typed = |version: &str, notes: &str| {
        [
            ("version", version),
            ("first_name", "Anna"),
            ("last_name", "Holloway"),
            ("expected", "1"),
            ("group", "P7"),
            ("notes", notes),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
    };
    let first = typed(ones.field("version"), "sits by the window");
    let first: Vec<_> = first.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    assert_eq!(one.send(&path, &ones, &first).await.status, 303);
    let second = typed(twos.field("version"), "sits by the door");
    let second: Vec<_> = second.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let conflict = two.send(&path, &twos, &second).await;
    assert_eq!(conflict.status, 409);
    conflict.shows("Saved meanwhile: sits by the window").shows("sits by the door");
    assert_eq!(site.guest("K7QF2M").await.notes.as_deref(), Some("sits by the window"));
    let again = typed(conflict.field("version"), "sits by the door");
    let again: Vec<_> = again.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    assert_eq!(two.send(&path, &conflict, &again).await.status, 303);
    assert_eq!(site.guest("K7QF2M").await.notes.as_deref(), Some("sits by the door"));
}

#[tokio::test]
async fn a_host_writes_down_an_answer_by_the_rules_of_the_chat() {
    let site = Site::new().await;
    let bob = site.guest("B8TAN7").await;
    let path = format!("/admin/guests/{}", bob.id);
    let mut host = site.host().await;
    let page = host.page(&path).await;
    let version = page.field("version").to_owned();
    let answer = |companions| {
        [("version", version.as_str()), ("comes", "yes"), ("companions", companions), ("dietary", "vegan")]
    };
    let refused = host.send(&format!("{path}/answer"), &page, &answer("7")).await;
    assert_eq!(refused.status, 409);
    refused.shows("Bob Tanner brings at most 2 companions.").shows("href=\"#companions\"").shows("value=\"7\"");
    assert!(!refused.text.contains("uest 6"), "a guest is called by name: {}", refused.text);
    assert_eq!(host.send(&format!("{path}/answer"), &page, &answer("1")).await.status, 303);
    let saved = site.guest("B8TAN7").await;
    assert_eq!((saved.status, saved.num_guests, saved.dietary.as_str()), (Status::Coming, 2, "vegan"));
    host.page(&path).await.shows("coming, 2 people (before: no answer yet)").shows("Mia, as host, web");
    // The same page once more: somebody (this host) has answered since.
    assert_eq!(host.send(&format!("{path}/answer"), &page, &answer("2")).await.status, 409);
    host.page("/admin/dietary").await.shows("<b>1</b> vegan").shows("Bob + 1 companion");
    host.page("/admin").await.shows("Bob Tanner");
}

#[tokio::test]
async fn deadlines_do_not_bind_a_host_and_the_activity_says_who_it_was() {
    let site = Site::new().await;
    let ben = site.guest("B3NH4Z").await;
    let path = format!("/admin/guests/{}", ben.id);
    site.world.set_now("2026-11-21T00:00:00Z");
    let mut host = site.host().await;
    let page = host.page(&path).await;
    let answer = [("version", page.field("version")), ("comes", "no")];
    assert_eq!(host.send(&format!("{path}/answer"), &page, &answer).await.status, 303);
    host.page(&path).await.shows("not coming (before: no answer yet)").shows("Mia, as host, web");
    assert_eq!(site.guest("B3NH4Z").await.answered_by.unwrap().guest_id, site.guest("M9STHE").await.id);
}

#[tokio::test]
async fn the_last_host_stays_one() {
    let site = Site::new().await;
    let mia = site.guest("M9STHE").await;
    let path = format!("/admin/guests/{}", mia.id);
    let mut host = site.host().await;
    let form = host.page(&format!("{path}/edit")).await;
    let edit = [("version", form.field("version")), ("first_name", "Mia"), ("last_name", "Hart"), ("expected", "1")];
    host.send(&format!("{path}/edit"), &form, &edit).await.shows("last host");
    let page = host.page(&path).await;
    host.send(&format!("{path}/delete"), &page, &[("version", version_of(&page, "delete"))]).await.shows("last host");
}

#[tokio::test]
async fn settings_show_their_effect_before_they_are_saved() {
    let site = Site::new().await;
    let mut host = site.host().await;
    let page = host.page("/admin/settings").await;
    let version = page.field("version").to_owned();
    let typed =
        |what| [("version", version.as_str()), ("rsvp_deadline", "2026-11-15"), ("capacity", "3"), ("do", what)];
    let effect = host.send("/admin/settings", &page, &typed("look")).await;
    effect.shows("If you save this").shows("Answers close Sun 15 Nov 2026, end of day, London time: in 13 days.");
    effect.shows("0 of 3 seats are taken").shows("Changed: Deadline, Seats.");
    host.page("/admin").await.shows("Fri 20 Nov 2026");
    assert_eq!(host.send("/admin/settings", &page, &typed("save")).await.location(), "/admin?done=settings");
    host.page("/admin").await.shows("Sun 15 Nov 2026").shows("3 of 3 seats free");
    let late = host.send("/admin/settings", &page, &typed("save")).await;
    assert_eq!(late.status, 409);
    let bad = [("version", "x"), ("capacity", "lots")];
    assert_eq!(host.send("/admin/settings", &page, &bad).await.status, 409);
    let page = host.page("/admin/settings").await;
    let bad = [("version", page.field("version")), ("capacity", "lots"), ("time_zone", "Mars/Olympus"), ("do", "save")];
    let refused = host.send("/admin/settings", &page, &bad).await;
    assert_eq!(refused.status, 422);
    refused.shows("value=\"lots\"").shows("value=\"Mars/Olympus\"");
    for field in ["capacity", "time_zone"] {
        let about = refused.text.split(&format!("id=\"about-{field}\"")).nth(1).unwrap();
        assert!(about.split("</span>").next().unwrap().contains("class=\"error\""), "{field}");
    }
}

#[tokio::test]
async fn what_calling_the_event_off_does_is_told_before_it_is_off() {
    let site = Site::new().await;
    let mut host = site.host().await;
    for (is_off, effect, offered) in [
        ("true", "The event is off. Every answer stays as it is", "Answers are closed at once"),
        ("false", "The event takes place after all.", "Guests can answer and change their answers again"),
    ] {
        let page = host.page("/admin/settings").await;
        let version = page.field("version").to_owned();
        let typed = |what| [("version", version.as_str()), ("cancelled", is_off), ("do", what)];
        host.send("/admin/settings", &page, &typed("look")).await.shows(effect).shows(offered);
        assert_eq!(host.send("/admin/settings", &page, &typed("save")).await.location(), "/admin?done=settings");
    }
}

#[tokio::test]
async fn dates_are_written_as_hosts_say_them_in_chat() {
    let site = Site::new().await;
    let mut host = site.host().await;
    let page = host.page("/admin/settings").await;
    let version = page.field("version").to_owned();
    for (key, typed, said) in [
        ("rsvp_deadline", "12 November", "Answers close Thu 12 Nov 2026, end of day, London time"),
        ("rsvp_deadline", "Nov 12th, 18:00", "Answers close Thu 12 Nov 2026, 18:00, London time"),
        ("starts_at", "5 December 19:30", "The event starts Sat 5 Dec 2026, 19:30"),
        ("starts_at", "5 December", "Not a date or time"),
        ("rsvp_deadline", "one day", "Not a date or time"),
    ] {
        let look = [("version", version.as_str()), (key, typed), ("do", "look")];
        host.send("/admin/settings", &page, &look).await.shows(said).shows(&format!("value=\"{typed}\""));
    }
    let save = [("version", version.as_str()), ("rsvp_deadline", "12 November"), ("do", "save")];
    assert_eq!(host.send("/admin/settings", &page, &save).await.status, 303);
    let page = host.page("/admin/settings").await;
    page.shows("name=\"rsvp_deadline\" value=\"2026-11-12\"").shows("name=\"digest.cron\" value=\"08:00\"");
    for (typed, shown) in [("18:30", "18:30"), ("30 8 * * 1", "30 8 * * 1"), ("0 7 * * *", "07:00")] {
        let page = host.page("/admin/settings").await;
        let save = [("version", page.field("version")), ("digest.cron", typed), ("do", "save")];
        assert_eq!(host.send("/admin/settings", &page, &save).await.status, 303, "{typed}");
        host.page("/admin/settings").await.shows(&format!("name=\"digest.cron\" value=\"{shown}\""));
    }
}

#[tokio::test]
async fn a_wrong_setting_is_named_at_the_top_in_the_words_of_the_page() {
    let site = Site::new().await;
    let mut host = site.host().await;
    let page = host.page("/admin/settings").await;
    let typed = [
        ("version", page.field("version")),
        ("starts_at", "soon"),
        ("reminders.days", "often"),
        ("digest.cron", "daily"),
        ("do", "look"),
    ];
    let refused = host.send("/admin/settings", &page, &typed).await;
    assert_eq!(refused.status, 422);
    let problems = refused.text.split("id=\"problems\"").nth(1).unwrap().split("</div>").next().unwrap();
    assert!(problems.contains("autofocus"));
    for (field, label) in
        [("starts_at", "Starts"), ("reminders.days", "Days before the deadline"), ("digest.cron", "Digest for hosts")]
    {
        assert!(problems.contains(&format!("<a href=\"#{field}\">{label}: ")), "{problems}");
        refused.shows(&format!(" id=\"{field}\""));
        assert!(!refused.text.contains(&format!("{field}=")), "{field}: {problems}");
    }
    let typed = [("version", page.field("version")), ("rsvp_deadline", "2026-11-15"), ("do", "save")];
    assert_eq!(host.send("/admin/settings", &page, &typed).await.status, 303);
    host.page("/admin").await.shows("changed: Deadline");
}

#[tokio::test]
async fn after_a_conflict_only_what_was_touched_overwrites() {
    let site = Site::new().await;
    let anna = site.guest("K7QF2M").await;
    let path = format!("/admin/guests/{}/edit", anna.id);
    let (mut one, mut two) = (site.host().await, site.host().await);
    let (ones, twos) = (one.page(&path).await, two.page(&path).await);
    let (mine, version) = (ones.form_fields(), ones.field("version"));
    let change = |fields: &[(String, String)], field: &str, value: &str| -> Vec<(String, String)> {
        let other = fields.iter().filter(|(name, _)| name != field).cloned();
        other.chain([(field.to_owned(), value.to_owned())]).collect()
    };
    assert_eq!(one.send_all(&path, &ones, &change(&mine, "phone", "+447700900123")).await.status, 303);
    let conflict = two.send_all(&path, &twos, &change(&mine, "notes", "by the door")).await;
    assert_eq!(conflict.status, 409);
    conflict.shows("value=\"+447700900123\"").shows("by the door").shows("Somebody has changed this guest");
    assert!(!conflict.text.contains("aved meanwhile"), "nobody else touched what is typed here");
    assert_ne!(conflict.field("version"), version);
    assert_eq!(
        two.send_all(&path, &conflict, &change(&conflict.form_fields(), "notes", "by the door")).await.status,
        303
    );
    let saved = site.guest("K7QF2M").await;
    assert_eq!((saved.phone.as_deref(), saved.notes.as_deref()), (Some("+447700900123"), Some("by the door")));
    assert_eq!(saved.group_id, anna.group_id);
}

#[tokio::test]
async fn after_a_conflict_settings_that_were_not_touched_stay_as_the_other_host_saved_them() {
    let site = Site::new().await;
    let (mut one, mut two) = (site.host().await, site.host().await);
    let (ones, twos) = (one.page("/admin/settings").await, two.page("/admin/settings").await);
    let with = |page: &Page, field: &str, value: &str| -> Vec<(String, String)> {
        let other = page.form_fields().into_iter().filter(|(name, _)| name != field);
        other.chain([(field.to_owned(), value.to_owned()), ("do".to_owned(), "save".to_owned())]).collect()
    };
    let saved = one.send_all("/admin/settings", &ones, &with(&ones, "place", "The Old Lighthouse")).await;
    assert_eq!(saved.status, 303, "{}", saved.text);
    let conflict = two.send_all("/admin/settings", &twos, &with(&twos, "dress_code", "Wellies")).await;
    assert_eq!(conflict.status, 409);
    conflict
        .shows("value=\"The Old Lighthouse\"")
        .shows("value=\"Wellies\"")
        .shows("Somebody has changed the settings");
    assert!(!conflict.text.contains("aved meanwhile"), "nobody else touched what is typed here");
    let again = two.send_all("/admin/settings", &conflict, &with(&conflict, "dress_code", "Wellies")).await;
    assert_eq!(again.status, 303, "{}", again.text);
    let page = two.page("/admin/settings").await;
    page.shows("value=\"The Old Lighthouse\"").shows("value=\"Wellies\"");
}

#[tokio::test]
async fn a_new_code_is_made_when_the_host_is_sure() {
    let site = Site::new().await;
    let mut host = site.host().await;
    let bob = site.guest("B8TAN7").await;
    let path = format!("/admin/guests/{}", bob.id);
    let page = host.page(&path).await;
    let asked = host.send(&format!("{path}/code"), &page, &[]).await;
    asked.shows("Make a new code for Bob Tanner?").shows(&format!("href=\"{path}\""));
    assert_eq!(site.guest("B8TAN7").await.id, bob.id);
    let meant = [("here", asked.field("here")), ("sure", asked.field("sure")), ("guest", asked.field("guest"))];
    let made = host.send("/admin/guests/bulk", &asked, &[&meant[..], &[("do", "codes")]].concat()).await;
    host.page(&made.location()).await.shows("The new code is ");
    assert!(site.world.app.guest_with_code(None, "B8TAN7").await.is_err());
}

#[tokio::test]
async fn whoever_comes_after_all_comes_with_all_companions() {
    let site = Site::new().await;
    let mut host = site.host().await;
    let bob = site.guest("B8TAN7").await;
    let path = format!("/admin/guests/{}", bob.id);
    let all = format!("name=\"companions\" value=\"{}\"", bob.companions());
    let page = host.page(&path).await;
    page.shows(&all);
    let version = page.field("version").to_owned();
    let declined = [("version", version.as_str()), ("comes", "no"), ("companions", "2")];
    assert_eq!(host.send(&format!("{path}/answer"), &page, &declined).await.status, 303);
    host.page(&path).await.shows(&all);
    let theirs = site.logged_in("/", "B8TAN7", "Tanner").await.page("/").await;
    theirs.shows(&format!("name=\"companions-{}\" value=\"{}\"", bob.id, bob.companions()));
}

#[tokio::test]
async fn more_people_than_seats_are_said_to_be_so() {
    let site = Site::new().await;
    let mut host = site.host().await;
    let bob = site.guest("B8TAN7").await;
    let page = host.page(&format!("/admin/guests/{}", bob.id)).await;
    let answer = [("version", page.field("version")), ("comes", "yes"), ("companions", "2")];
    assert_eq!(host.send(&format!("/admin/guests/{}/answer", bob.id), &page, &answer).await.status, 303);
    let page = host.page("/admin/settings").await;
    let seats = [("version", page.field("version")), ("capacity", "1"), ("do", "save")];
    assert_eq!(host.send("/admin/settings", &page, &seats).await.status, 303);
    for path in ["/admin", "/admin/settings"] {
        host.page(path).await.shows("2 more than the 1 seat");
    }
}

#[tokio::test]
async fn a_change_of_the_time_zone_names_the_zones() {
    let site = Site::new().await;
    let mut host = site.host().await;
    let page = host.page("/admin/settings").await;
    let zone = [("version", page.field("version")), ("time_zone", "Europe/Stockholm"), ("do", "look")];
    let effect = host.send("/admin/settings", &page, &zone).await;
    effect.shows("18:00 Europe/Stockholm (before: Sat 28 Nov 2026, 18:00 Europe/London)");
}

#[tokio::test]
async fn a_host_with_nobody_on_the_list_is_shown_where_to_begin() {
    let site = Site::new().await;
    let mut host = site.host().await;
    assert!(!host.page("/admin").await.text.contains("Nobody but you"));
    let event = site.guest("M9STHE").await.event_id;
    for guest in site.world.app.all_guests(&event).await.unwrap().iter().filter(|guest| !guest.is_admin) {
        site.world.app.delete_guest(&event, guest.id, None, &app::command_line()).await.unwrap();
    }
    let overview = host.page("/admin").await;
    overview.shows("Nobody but you is on the guest list").shows("of 1 invitation<");
    overview.shows("Somebody who is off the list: was deleted");
    // What there is nothing to say about has no heading.
    let own = host.page("/").await;
    assert!(!own.text.contains("Good to know"), "{}", own.text);
}

#[tokio::test]
async fn what_is_too_long_for_an_address_is_answered_at_once_and_can_be_put_back_as_well() {
    let site = Site::new().await;
    let mut host = site.host().await;
    let form = host.page("/admin/guests/new").await;
    let notes = "å".repeat(2_000);
    let added = host.send("/admin/guests/new", &form, &[&NEW[..], &[("notes", &notes)]].concat()).await;
    let path = added.location().split('?').next().unwrap().to_owned();
    let page = host.page(&path).await;
    let fields = [("form", page.proof()), ("version", version_of(&page, "delete"))];
    let deleted = host.post(&format!("{path}/delete"), &fields).await;
    assert_eq!((deleted.status, deleted.header("cache-control")), (200, "private, no-cache"));
    deleted.shows("Zoë Müller is off the list");
    let undone = host.send("/admin/guests/restore", &deleted, &[("record", deleted.field("record"))]).await;
    assert_eq!(undone.status, 303);
    host.page(&path).await.shows(&notes);
}
