use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;

const SUPPER: &str = "name=Harbour Supper
starts_at=2026-11-28T18:00
time_zone=America/Chicago
rsvp_deadline=2026-11-20";

fn pairs(lines: &str) -> Vec<(String, String)> {
    lines.lines().filter_map(|line| line.split_once('=')).map(|(key, value)| (key.into(), value.into())).collect()
}

/// Settings are made then.
fn now() -> DateTime<Utc> {
    "2026-10-01T12:00:00Z".parse().unwrap()
}

fn apply(current: Option<Event>, pairs: &[(String, String)], id: Option<EventId>) -> Result<Event, Vec<SettingError>> {
    super::apply(current, pairs, id, now())
}

fn supper() -> Event {
    apply(None, &pairs(SUPPER), None).unwrap()
}

fn shown(event: &Event) -> String {
    show(event).into_iter().map(|(key, value)| format!("{key}={value}\n")).collect()
}

/// What the event becomes, or everything that is wrong.
fn check(current: Option<Event>, lines: &str, expected: Expect) {
    let text = match apply(current, &pairs(lines), None) {
        Ok(event) => format!("{}\n{}", event.id, shown(&event)),
        Err(errors) => errors.iter().map(|error| format!("{error}\n")).collect(),
    };
    expected.assert_eq(&text);
}

/// The one error that a single setting yields.
fn refused(line: &str, expected: Expect) {
    let errors = apply(Some(supper()), &pairs(line), None).unwrap_err();
    assert_eq!(errors.len(), 1, "{errors:?}");
    expected.assert_eq(&errors[0].to_string());
}

#[test]
fn a_new_event_needs_name_start_and_zone_and_gets_the_usual_rest() {
    check(
        None,
        SUPPER,
        expect![[r#"
            harbour-supper
            name=Harbour Supper
            starts_at=2026-11-28T18:00:00-06:00
            ends_at=
            time_zone=America/Chicago
            rsvp_deadline=2026-11-20
            capacity=
            place=
            address=
            dress_code=
            schedule=
            host_contact=
            default_locale=en
            phone_region=
            admission=invitation
            reminders.days=14,7,3,1
            reminders.at=10:00
            reminders.window=09:00-20:00
            reminders.day_before=true
            digest.cron=0 8 * * *
            digest.when_empty=false
            digest.at_once=extras,late,full,messages,channels
            cancelled=false
        "#]],
    );
    check(
        None,
        "place=The Boathouse",
        expect![[r#"
        name: missing, and needed to create an event; for example name="Harbour Supper"
        starts_at: missing, and needed to create an event; for example starts_at=2027-06-19T18:00
        time_zone: missing, and needed to create an event; for example time_zone=Europe/London
    "#]],
    );
}

#[test]
fn a_deadline_given_as_a_date_is_the_end_of_that_day_in_the_events_zone() {
    let event = supper();
    assert_eq!(event.rsvp_deadline.unwrap().to_rfc3339(), "2026-11-21T06:00:00+00:00");
    let closes = event.closes_at();
    assert!(event.is_open("2026-11-21T05:59:59Z".parse().unwrap()));
    assert!(!event.is_open(closes), "the instant itself is exclusive");
}

#[test]
fn every_setting_can_be_changed_and_cleared() {
    let full = "ends_at=2026-11-28T23:30
capacity=120
place=The  Old\u{a0}Boathouse
address=1 Quay Street
dress_code=Come as you are
schedule=18:00 drinks
host_contact=Rosa, +44 7700 900555
default_locale=EN
phone_region=gb
admission=open
reminders.days=1, 14,7,7
reminders.at=17:30
reminders.window=08:00-21:00
reminders.day_before=no
digest.cron=30  7 * * mon-fri
digest.when_empty=yes";
    let event = apply(Some(supper()), &pairs(full), None).unwrap();
    expect![[r#"
        name=Harbour Supper
        starts_at=2026-11-28T18:00:00-06:00
        ends_at=2026-11-28T23:30:00-06:00
        time_zone=America/Chicago
        rsvp_deadline=2026-11-20
        capacity=120
        place=The Old Boathouse
        address=1 Quay Street
        dress_code=Come as you are
        schedule=18:00 drinks
        host_contact=Rosa, +44 7700 900555
        default_locale=en
        phone_region=GB
        admission=open
        reminders.days=14,7,1
        reminders.at=17:30
        reminders.window=08:00-21:00
        reminders.day_before=false
        digest.cron=30 7 * * mon-fri
        digest.when_empty=true
        digest.at_once=extras,late,full,messages,channels
        cancelled=false
    "#]]
    .assert_eq(&shown(&event));
    let cleared: Vec<_> =
        pairs(full).into_iter().map(|(key, _)| (key, String::new())).chain(pairs("rsvp_deadline=")).collect();
    let event = apply(Some(event), &cleared, None).unwrap();
    expect![[r#"
        name=Harbour Supper
        starts_at=2026-11-28T18:00:00-06:00
        ends_at=
        time_zone=America/Chicago
        rsvp_deadline=
        capacity=
        place=
        address=
        dress_code=
        schedule=
        host_contact=
        default_locale=en
        phone_region=
        admission=invitation
        reminders.days=
        reminders.at=10:00
        reminders.window=09:00-20:00
        reminders.day_before=true
        digest.cron=0 8 * * *
        digest.when_empty=false
        digest.at_once=extras,late,full,messages,channels
        cancelled=false
    "#]]
    .assert_eq(&shown(&event));
}

#[test]
fn what_is_not_named_stays() {
    let before = supper();
    let after = apply(Some(before.clone()), &pairs("place=The Boathouse"), None).unwrap();
    assert_eq!(after, Event { place: Some("The Boathouse".into()), ..before });
}

#[test]
fn times_are_local_to_the_zone_given_with_them() {
    let lines = "time_zone=pacific/auckland\nstarts_at=2027-01-10T18:00\nrsvp_deadline=2027-01-05";
    let event = apply(Some(supper()), &pairs(lines), None).unwrap();
    assert_eq!(event.starts_at.to_rfc3339(), "2027-01-10T05:00:00+00:00");
    assert_eq!(event.rsvp_deadline.unwrap().to_rfc3339(), "2027-01-05T11:00:00+00:00");
}

#[test]
fn a_new_zone_alone_leaves_the_clock_times_as_guests_know_them() {
    let event = apply(Some(supper()), &pairs("time_zone=Europe/London"), None).unwrap();
    let text = shown(&event);
    assert!(text.contains("starts_at=2026-11-28T18:00:00+00:00\n"), "{text}");
    assert!(text.contains("rsvp_deadline=2026-11-20\n"), "{text}");
}

#[test]
fn errors_name_the_key_the_fault_and_an_example() {
    refused(
        "rsvp_deadlin=2026-11-20",
        expect![
            "rsvp_deadlin: there is no such setting. Did you mean rsvp_deadline? The settings are name, starts_at, ends_at, time_zone, rsvp_deadline, capacity, place, address, dress_code, schedule, host_contact, default_locale, phone_region, admission, reminders.days, reminders.at, reminders.window, reminders.day_before, digest.cron, digest.when_empty, digest.at_once, cancelled"
        ],
    );
    refused(
        "deadline=2026-11-20",
        expect![
            "deadline: there is no such setting. Did you mean rsvp_deadline? The settings are name, starts_at, ends_at, time_zone, rsvp_deadline, capacity, place, address, dress_code, schedule, host_contact, default_locale, phone_region, admission, reminders.days, reminders.at, reminders.window, reminders.day_before, digest.cron, digest.when_empty, digest.at_once, cancelled"
        ],
    );
    refused(
        "colour=blue",
        expect![
            "colour: there is no such setting. The settings are name, starts_at, ends_at, time_zone, rsvp_deadline, capacity, place, address, dress_code, schedule, host_contact, default_locale, phone_region, admission, reminders.days, reminders.at, reminders.window, reminders.day_before, digest.cron, digest.when_empty, digest.at_once, cancelled"
        ],
    );
    refused("name=  ", expect![[r#"name: cannot be empty; for example name="Harbour Supper""#]]);
    refused(
        "starts_at=tomorrow",
        expect![
            "starts_at: not a date or time: write it like 2026-11-20, 2026-11-20T18:30 or 2026-11-20T18:30:00+01:00; for example starts_at=2027-06-19T18:00"
        ],
    );
    refused(
        "starts_at=",
        expect![
            "starts_at: not a date or time: write it like 2026-11-20, 2026-11-20T18:30 or 2026-11-20T18:30:00+01:00; for example starts_at=2027-06-19T18:00"
        ],
    );
    refused(
        "time_zone=Europe/Londn",
        expect![[
            r#"time_zone: "Europe/Londn" is not a time zone; they are named after cities: perhaps Europe/London, Africa/Lome, Africa/Luanda; for example time_zone=Europe/London"#
        ]],
    );
    refused(
        "time_zone=chicago",
        expect![[
            r#"time_zone: "chicago" is not a time zone; they are named after cities: perhaps America/Chicago, Asia/Chita, Indian/Chagos; for example time_zone=Europe/London"#
        ]],
    );
    refused(
        "capacity=lots",
        expect![[
            r#"capacity: "lots" is not a number from 1 to 1000000; leave it empty for no limit; for example capacity=120"#
        ]],
    );
    refused(
        "capacity=0",
        expect![[
            r#"capacity: "0" is not a number from 1 to 1000000; leave it empty for no limit; for example capacity=120"#
        ]],
    );
    refused(
        "default_locale=tlh",
        expect![[r#"default_locale: there is no wording in "tlh" (known: en); for example default_locale=en"#]],
    );
    refused(
        "admission=friends",
        expect![[r#"admission: "friends" is neither invitation nor open; for example admission=invitation"#]],
    );
    refused(
        "reminders.days=14,seven",
        expect![[
            r#"reminders.days: "seven" is not a number of days before the deadline, from 0 to 365; for example reminders.days=14,7,3,1"#
        ]],
    );
    refused(
        "reminders.days=9999",
        expect![[
            r#"reminders.days: "9999" is not a number of days before the deadline, from 0 to 365; for example reminders.days=14,7,3,1"#
        ]],
    );
    refused(
        "reminders.at=10 o'clock",
        expect![[
            r#"reminders.at: "10 o'clock" is not a time of day from 00:00 to 23:59; for example reminders.at=10:00"#
        ]],
    );
    refused(
        "reminders.window=09:00",
        expect![[
            r#"reminders.window: "09:00" is not a window; write when it opens and closes with a hyphen between; for example reminders.window=09:00-20:00"#
        ]],
    );
    refused(
        "reminders.window=20:00-09:00",
        expect![[
            r#"reminders.window: the window "20:00-09:00" never opens; it must close later on the same day; for example reminders.window=09:00-20:00"#
        ]],
    );
    refused(
        "reminders.window=09:00-09:00",
        expect![[
            r#"reminders.window: the window "09:00-09:00" never opens; it must close later on the same day; for example reminders.window=09:00-20:00"#
        ]],
    );
    refused(
        "reminders.day_before=perhaps",
        expect![[
            r#"reminders.day_before: "perhaps" is neither true nor false; for example reminders.day_before=true"#
        ]],
    );
    refused(
        "digest.cron=0 8 * *",
        expect![[
            r#"digest.cron: "0 8 * *" has 4 fields; a schedule has five: minute, hour, day of the month, month, day of the week; for example digest.cron="0 8 * * *""#
        ]],
    );
    refused(
        "digest.cron=0 25 * * *",
        expect![[
            r#"digest.cron: the hour "25" cannot be read; it is 0 to 23, or * for every one; for example digest.cron="0 8 * * *""#
        ]],
    );
    refused(
        "digest.cron=0 8 30 2 *",
        expect![[r#"digest.cron: "0 8 30 2 *" never comes; for example digest.cron="0 8 * * *""#]],
    );
    refused(
        "digest.cron=0 0 8 * * *",
        expect![[
            r#"digest.cron: "0 0 8 * * *" has 6 fields; a schedule has five: minute, hour, day of the month, month, day of the week; for example digest.cron="0 8 * * *""#
        ]],
    );
    refused(
        "digest.when_empty=2",
        expect![[r#"digest.when_empty: "2" is neither true nor false; for example digest.when_empty=false"#]],
    );
}

#[test]
fn regions_that_do_not_exist() {
    refused(
        "phone_region=UK",
        expect![[r#"phone_region: "UK" is not a region; the United Kingdom is GB; for example phone_region=GB"#]],
    );
    refused(
        "phone_region=44",
        expect![[
            r#"phone_region: "44" is not a region; write the two letters of ISO 3166; for example phone_region=GB"#
        ]],
    );
}

#[test]
fn settings_that_cannot_hold_together_are_refused() {
    refused(
        "ends_at=2026-11-28T17:00",
        expect![
            "ends_at: the event would end (2026-11-28T17:00:00-06:00) before it starts (2026-11-28T18:00:00-06:00); for example ends_at=2027-06-19T23:30"
        ],
    );
    refused(
        "rsvp_deadline=2026-11-28",
        expect![
            "rsvp_deadline: answers would close (2026-11-28) after the event starts (2026-11-28T18:00:00-06:00); set an rsvp_deadline at or before the start, or leave it empty to close at the start; for example rsvp_deadline=2027-06-05"
        ],
    );
    refused(
        "starts_at=2026-11-01T18:00",
        expect![
            "starts_at: answers would close (2026-11-20) after the event starts (2026-11-01T18:00:00-06:00); set an rsvp_deadline at or before the start, or leave it empty to close at the start; for example starts_at=2027-06-19T18:00"
        ],
    );
    refused(
        "rsvp_deadline=2026-11-20T09:00\nreminders.days=3,0",
        expect![
            "reminders.days: a reminder 0 days before the deadline, at 10:00 inside the window 09:00-20:00, would come after answers close (2026-11-20T09:00:00-06:00); for example reminders.days=14,7,3,1"
        ],
    );
    // The deadline's own day is soon enough while it lasts to the end of the day.
    assert!(apply(Some(supper()), &pairs("reminders.days=3,0"), None).is_ok());
    // Answers may close exactly at the start.
    assert!(apply(Some(supper()), &pairs("rsvp_deadline=2026-11-28T18:00"), None).is_ok());
}

#[test]
fn every_fault_is_told_not_only_the_first() {
    check(
        Some(supper()),
        "capacity=-1\nname=\nwhat=ever\nplace=a\nplace=b",
        expect![[r#"
            what: there is no such setting. The settings are name, starts_at, ends_at, time_zone, rsvp_deadline, capacity, place, address, dress_code, schedule, host_contact, default_locale, phone_region, admission, reminders.days, reminders.at, reminders.window, reminders.day_before, digest.cron, digest.when_empty, digest.at_once, cancelled
            place: given twice; give it once; for example place="The Old Boathouse"
            name: cannot be empty; for example name="Harbour Supper"
            capacity: "-1" is not a number from 1 to 1000000; leave it empty for no limit; for example capacity=120
        "#]],
    );
}

#[test]
fn ids() {
    for (name, id) in [
        ("Harbour Supper", "harbour-supper"),
        ("  Große Feier -- 2027! ", "grosse-feier-2027"),
        ("Åsa & Søren’s Bröllop", "asa-sorens-brollop"),
        ("Ａｎｎａ", "anna"),
        ("宴会", "event"),
        ("🎉", "event"),
        (&"ab ".repeat(60), &"ab-".repeat(60)[..64]),
    ] {
        assert_eq!(id::from_name(name).as_str(), id.trim_end_matches('-'), "{name}");
    }
    let chosen = |id: &str| apply(None, &pairs(SUPPER), Some(EventId::from(id)));
    assert_eq!(chosen("summer_party.27").unwrap().id.as_str(), "summer_party.27");
    for id in ["", "a/b", "summer party", "fête", &"x".repeat(65)] {
        let errors = chosen(id).unwrap_err();
        assert_eq!(errors[0].key, "--event", "{id}");
    }
}

proptest! {
    #[test]
    fn what_is_shown_can_be_set_again(
        start in 0_i64..4_000_000, before in 0_i64..100_000, length in 1_i64..10_000, zone in 0..chrono_tz::TZ_VARIANTS.len(),
        text in "\\PC{0,40}", days in proptest::collection::vec(1_u32..365, 0..5),
    ) {
        let mut event = supper();
        let minute = |minutes: i64| DateTime::from_timestamp(1_700_000_000 + minutes * 60, 0).unwrap();
        event.time_zone = chrono_tz::TZ_VARIANTS[zone];
        event.starts_at = minute(start);
        event.ends_at = Some(minute(start + length));
        event.rsvp_deadline = Some(minute(start - before));
        event.place = values::text(&text).unwrap();
        event.schedule = values::lines(&format!("{text}\n\n{text}")).unwrap();
        event.reminders.days = values::days(&days.iter().map(u32::to_string).collect::<Vec<_>>().join(",")).unwrap();
        let again = apply(Some(event.clone()), &show(&event), None);
        prop_assert_eq!(again, Ok(event));
    }

    #[test]
    fn any_text_is_set_or_refused(key in 0..Key::ALL.len(), name in "\\PC{0,20}", value in "(?s).{0,40}") {
        let _ = apply(Some(supper()), &[(Key::ALL[key].as_str().to_owned(), value.clone())], None);
        let _ = apply(None, &[(name, value)], None);
    }
}

#[test]
fn times_that_surprise_are_told() {
    let told = |lines: &str, now: &str| {
        let pairs = pairs(lines);
        let event = apply(None, &pairs, None).unwrap();
        notices(&event, &pairs, now.parse().unwrap()).join("\n")
    };
    let supper = |lines: &str| format!("name=Supper\ntime_zone=Europe/London\n{lines}");
    let before = "2026-10-01T12:00:00Z";
    assert_eq!(told(&supper("starts_at=2030-03-31T02:30\nrsvp_deadline=2030-03-01"), before), "");
    expect!["starts_at: there is no 2030-03-31T01:30 in Europe/London, where clocks are put forward then; 2030-03-31T02:00:00+01:00 was taken"]
        .assert_eq(&told(&supper("starts_at=2030-03-31T01:30"), before));
    expect!["starts_at: 2030-10-27 01:30 comes twice in Europe/London, where clocks are put back then; the first (2030-10-27T01:30:00+01:00) was taken. For the other write its offset from UTC, too"]
        .assert_eq(&told(&supper("starts_at=2030-10-27 01:30"), before));
    assert_eq!(told(&supper("starts_at=2030-10-27T01:30:00+00:00"), before), "");
    expect!["rsvp_deadline: 2026-09-30 has passed, so answers are closed"]
        .assert_eq(&told(&supper("starts_at=2026-11-28T18:00\nrsvp_deadline=2026-09-30"), before));
    expect!["starts_at: 2026-09-30T18:00:00+01:00 has passed, so answers are closed"]
        .assert_eq(&told(&supper("starts_at=2026-09-30T18:00"), before));
    // What the host did not touch is not told again.
    let event = apply(None, &pairs(SUPPER), None).unwrap();
    assert_eq!(notices(&event, &pairs("place=Boathouse"), "2027-01-01T00:00:00Z".parse().unwrap()), [""; 0]);
}

#[test]
fn an_event_is_called_off_once_and_can_take_place_after_all() {
    let off = apply(Some(supper()), &pairs("cancelled=yes"), None).unwrap();
    assert_eq!(off.cancelled_at, Some(now()));
    let later = now() + chrono::TimeDelta::days(1);
    // It is off since it was called off, whatever else is set.
    let again = super::apply(Some(off.clone()), &pairs("cancelled=true\nplace=The pier"), None, later).unwrap();
    assert_eq!((again.cancelled_at, again.place.as_deref()), (Some(now()), Some("The pier")));
    for back in ["cancelled=false", "cancelled="] {
        assert_eq!(apply(Some(off.clone()), &pairs(back), None).unwrap().cancelled_at, None);
    }
    refused(
        "cancelled=maybe",
        expect![[r#"cancelled: "maybe" is neither true nor false; for example cancelled=true"#]],
    );
}
