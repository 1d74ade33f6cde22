use chrono::{DateTime, TimeDelta, Utc};
use expect_test::{Expect, expect};

use super::*;
use crate::{
    activity::{Actor, AnswerFacts, Happening},
    address::Channel,
    conversation::tests::world::World,
    show, wording,
};

fn at(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

fn facts(world: &World, activity: Vec<Activity>) -> Facts {
    let mut event = world.events.values().next().unwrap().clone();
    event.time_zone = chrono_tz::America::Chicago;
    Facts {
        event,
        guests: world.guests.clone(),
        opened: world.guests.iter().take(2).map(|guest| guest.id).collect(),
        unreached: Vec::new(),
        lost: HashSet::new(),
        activity,
        failed: 0,
        since: Some(at("2026-11-18T14:00:00Z")),
        now: at("2026-11-19T14:00:00Z"),
    }
}

fn shown(facts: &Facts, style: Style) -> String {
    let host = facts.guests[0].id;
    let parts = show::show(&message(facts, style, Some(host)), wording::language("en"), style);
    let labels = |shown: &show::Shown| shown.choices.iter().map(|(_, label)| format!("[{label}]")).collect::<String>();
    parts.iter().map(|shown| format!("{}\n{}", show::plain(&shown.text), labels(shown))).collect()
}

fn check(facts: &Facts, expected: Expect) {
    expected.assert_eq(&shown(facts, Style::Buttons));
}

fn coming(count: u32) -> AnswerFacts {
    let mut facts = pending();
    (facts.status, facts.num_guests, facts.self_coming) = (Status::Coming, count, true);
    facts
}

fn pending() -> AnswerFacts {
    AnswerFacts {
        status: Status::Pending,
        num_guests: 0,
        self_coming: false,
        companions_coming: 0,
        extra_guests: 0,
        dietary: String::new(),
    }
}

fn happened(world: &World, when: &str, about: &str, by: &str, what: Happening) -> Activity {
    Activity {
        event_id: world.guest(about).event_id.clone(),
        guest_id: Some(world.guest(about).id),
        at: at(when),
        by: Actor { guest_id: Some(world.guest(by).id), channel: Channel::Sms, as_host: by == "Maria" },
        what,
    }
}

#[test]
fn what_happened_stands_under_its_day_in_the_hosts_zone() {
    let world = World::new();
    let answered = |before, after| Happening::Answered { before, after };
    let vegan = AnswerFacts { dietary: "vegan <3".to_owned(), ..coming(1) };
    let extra = AnswerFacts { extra_guests: 1, ..coming(4) };
    let declined = AnswerFacts { status: Status::Declined, ..pending() };
    let mut all = facts(
        &world,
        vec![
            happened(&world, "2026-11-19T05:50:00Z", "Anna", "Anna", answered(pending(), vegan)),
            happened(&world, "2026-11-19T05:50:00Z", "Ben", "Anna", answered(pending(), coming(1))),
            happened(&world, "2026-11-19T06:10:00Z", "Ben", "Ben", answered(coming(1), declined.clone())),
            happened(&world, "2026-11-19T06:20:00Z", "Bob", "Maria", answered(declined, extra)),
            happened(&world, "2026-11-19T06:30:00Z", "Bob", "Bob", Happening::LoggedIn),
            happened(&world, "2026-11-19T06:40:00Z", "Bob", "Bob", Happening::LeftMessage { text: "Parking?".into() }),
            happened(&world, "2026-11-19T06:50:00Z", "Cleo", "Cleo", Happening::Blocked),
            happened(&world, "2026-11-19T06:55:00Z", "Cleo", "Cleo", Happening::WrongPerson),
        ],
    );
    all.failed = 2;
    all.unreached = vec![(world.guest("Cleo").id, WhyNot::Blocked), (world.guest("Bob").id, WhyNot::NoAddress)];
    all.lost = [world.guest("Cleo").id].into();
    all.event.capacity = Some(40);
    check(
        &all,
        expect![[r#"
            Harbour Supper, since Wed 18 Nov 2026, 08:00, Chicago time:
            Wed 18 Nov
            Anna Holloway: coming, says Anna (SMS)
            Anna Holloway eats: vegan <3
            Ben Holloway: coming, says Anna (SMS)
            Thu 19 Nov
            Ben Holloway: not coming, says Ben (SMS) (before: coming)
            Bob Tanner: coming, 4 people, entered by the host (SMS) (before: not coming)
            Bob Tanner: 1 person more than expected
            Message from Bob Tanner: Parking?
            Cleo Holloway has blocked us (SMS)
            Somebody wrote that they are not Cleo Holloway (SMS)
            2 messages could not be delivered.
            Coming: 0, not coming: 0, no answer yet: 8 of 8 expected.
            Seats left: 40.
            Answers close in 1 day (Fri 20 Nov, 18:00, Chicago time).
            Still out: Anna Holloway, Ben Holloway, Cleo Holloway (never opened), Maria Santos (H4TR8W) (never opened), Maria Santos (P9DX3C) (never opened) and Bob Tanner (never opened).
            To call, since no message reaches them: Cleo Holloway (blocked) and Bob Tanner (no address).
            Opted out or blocked: Cleo Holloway.
            [Who is still out][Who is coming][Dietary needs]"#]],
    );
    expect![[r#"
        Harbour Supper: 0 coming, 0 not, 8 no answer (4 never opened), 40 seats left, 1 day to answer. 7 new.
    "#]]
    .assert_eq(&shown(&all, Style::Texts));
    // Two hosts: which of them entered it is said.
    for name in ["Maria", "Anna"] {
        all.guests.iter_mut().filter(|guest| guest.first_name == name).for_each(|guest| guest.is_admin = true);
    }
    assert!(shown(&all, Style::Buttons).contains("entered by Maria Santos as host (SMS)"));
    // More come than there are seats.
    (all.guests[0].status, all.guests[0].num_guests) = (Status::Coming, 43);
    assert!(shown(&all, Style::Buttons).contains("\nOverbooked: 3 more than seats.\n"));
    assert!(shown(&all, Style::Texts).contains(", 3 more than seats, 1 day to answer"));
    all.event.capacity = None;
    assert!(shown(&all, Style::Texts).contains("no limit, 1 day to answer"), "{}", shown(&all, Style::Texts));
}

#[test]
fn a_day_without_news_and_an_event_that_is_closed() {
    let world = World::new();
    let mut none = facts(&world, Vec::new());
    assert!(!has_news(&none.activity, 0) && has_news(&none.activity, 1));
    none.since = None;
    check(
        &none,
        expect![[r#"
            Harbour Supper:
            Nothing new.
            Coming: 0, not coming: 0, no answer yet: 8 of 8 expected.
            Answers close in 1 day (Fri 20 Nov, 18:00, Chicago time).
            Still out: Anna Holloway, Ben Holloway, Cleo Holloway (never opened), Maria Santos (H4TR8W) (never opened), Maria Santos (P9DX3C) (never opened) and Bob Tanner (never opened).
            [Who is still out][Who is coming][Dietary needs]"#]],
    );
    none.now = at("2026-11-22T14:00:00Z");
    none.guests.iter_mut().for_each(|guest| guest.status = Status::Declined);
    check(
        &none,
        expect![[r#"
        Harbour Supper:
        Nothing new.
        Coming: 0, not coming: 8, no answer yet: 0 of 8 expected.
        Answers closed on Fri 20 Nov, 18:00, Chicago time.
        [Who is still out][Who is coming][Dietary needs]"#]],
    );
}

/// Who is not named is counted, and a list says who it is.
#[test]
fn many_whom_no_message_reaches() {
    let mut world = World::new();
    for number in 0..15 {
        world.add(&format!("Guest{number}"), "Of the choir", "X", None, 1);
    }
    let mut facts = facts(&world, Vec::new());
    facts.unreached = facts.guests.iter().map(|guest| (guest.id, WhyNot::OptedOut)).collect();
    facts.lost = facts.guests.iter().map(|guest| guest.id).collect();
    let text = shown(&facts, Style::Buttons);
    let call =
        format!("no message reaches them: {} of those who have not answered; /pending says who.", facts.guests.len());
    assert!(text.contains(&call), "{text}");
    assert!(text.contains("Opted out or blocked: Anna Holloway, "), "{text}");
    assert!(text.contains(&format!(" and {} more.", facts.guests.len() - 12)), "{text}");
    let why = name_in_list(&facts.guests[0], &facts).unwrap();
    assert_eq!(
        show::plain(&wording::render(
            &Say::new("host-line-pending").with("name", why).with("count", 1_u32),
            wording::language("en"),
            Style::Buttons
        )),
        "Anna Holloway (opted out)"
    );
}

#[test]
fn a_long_digest_is_several_messages_between_lines() {
    let mut world = World::new();
    let mut activity = Vec::new();
    for number in 0..100 {
        let name = format!("Guest{number}");
        world.add(&name, "Of the very long and noble family name", "X", None, 1);
        let text = "We are so looking forward to it! ".repeat(3);
        activity.push((name, Happening::LeftMessage { text }));
    }
    let start = at("2026-11-18T15:00:00Z");
    let activity = activity.into_iter().zip(0..).map(|((name, what), minute)| Activity {
        at: start + TimeDelta::minutes(minute),
        ..happened(&world, "2026-11-18T15:00:00Z", &name, &name, what)
    });
    let facts = facts(&world, activity.collect());
    let parts = show::show(&message(&facts, Style::Buttons, None), wording::language("en"), Style::Buttons);
    assert!(parts.len() > 2);
    let all: String = parts.iter().map(|part| part.text.clone() + "\n").collect();
    for number in 0..100 {
        assert_eq!(all.matches(&format!("Message from Guest{number} Of")).count(), 1);
    }
    assert!(parts.iter().all(|part| show::plain(&part.text).encode_utf16().count() <= show::TELEGRAM_UNITS));
}
