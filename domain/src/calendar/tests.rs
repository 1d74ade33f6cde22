use chrono_tz::{America, Asia, Europe, Pacific};
use proptest::prelude::*;

use super::*;
use crate::model::{Admission, DigestSettings, EventId, ReminderSettings};

fn utc(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

fn date(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

#[test]
fn a_skipped_hour_means_the_first_instant_after_it_and_a_repeated_one_its_first() {
    for (local, zone, expected) in [
        ("2026-03-29T02:30:15", Europe::Stockholm, "2026-03-29T01:00:00Z"),
        ("2026-10-25T02:30:00", Europe::Stockholm, "2026-10-25T00:30:00Z"),
        ("2026-06-01T12:00:00", Europe::Stockholm, "2026-06-01T10:00:00Z"),
        ("2011-12-30T12:00:00", Pacific::Apia, "2011-12-30T10:00:00Z"),
    ] {
        assert_eq!(local_instant(local.parse().unwrap(), zone), utc(expected), "{local} {zone}");
    }
}

#[test]
fn a_deadline_given_as_a_date_lasts_until_the_end_of_that_day_where_the_event_is() {
    let zone = America::Chicago;
    let deadline = parse_when("2026-11-20", zone, true).unwrap();
    assert_eq!(deadline, utc("2026-11-21T06:00:00Z"));
    assert!(utc("2026-11-20T23:30:00-06:00") < deadline);
    assert!(utc("2026-11-21T05:59:59Z") < deadline);
    assert!(utc("2026-11-21T06:00:00Z") >= deadline, "exclusive");
    assert_eq!(is_end_of_day(deadline, zone), Some(date("2026-11-20")));
}

#[test]
fn times_as_hosts_type_them() {
    let zone = Europe::Stockholm;
    for (text, end_of_day, expected) in [
        ("2026-11-20", false, "2026-11-19T23:00:00Z"),
        ("2026-11-20", true, "2026-11-20T23:00:00Z"),
        (" 2026-11-20 ", true, "2026-11-20T23:00:00Z"),
        ("2026-12-31", true, "2026-12-31T23:00:00Z"),
        ("2026-11-20T18:30", false, "2026-11-20T17:30:00Z"),
        ("2026-11-20T18:30", true, "2026-11-20T17:30:00Z"),
        ("2026-11-20 18:30", false, "2026-11-20T17:30:00Z"),
        ("2026-11-20T18:30:15", false, "2026-11-20T17:30:15Z"),
        ("2026-06-20T18:30", false, "2026-06-20T16:30:00Z"),
        ("2026-11-20T18:30:00Z", false, "2026-11-20T18:30:00Z"),
        ("2026-11-20t18:30:00z", false, "2026-11-20T18:30:00Z"),
        ("2026-11-20T18:30Z", false, "2026-11-20T18:30:00Z"),
        ("2026-11-20T18:30:00-06:00", false, "2026-11-21T00:30:00Z"),
        ("2026-11-20 18:30+05:30", false, "2026-11-20T13:00:00Z"),
        ("2026-11-20T18:30:00.123456+00:00", false, "2026-11-20T18:30:00.123Z"),
        ("2026-03-29T02:30", false, "2026-03-29T01:00:00Z"),
        ("2028-02-29", false, "2028-02-28T23:00:00Z"),
    ] {
        assert_eq!(parse_when(text, zone, end_of_day), Ok(utc(expected)), "{text}");
    }
}

#[test]
fn what_is_no_time_is_refused_with_an_example() {
    use WhenError::{NoSuchTime, Unreadable};
    for (text, expected) in [
        ("", Unreadable),
        ("tomorrow", Unreadable),
        ("20.11.2026", Unreadable),
        ("20/11/2026", Unreadable),
        ("2026-11-2", Unreadable),
        ("26-11-20", Unreadable),
        ("+2026-11-20", Unreadable),
        ("2026-11-20T", Unreadable),
        ("2026-11-20T18", Unreadable),
        ("2026-11-20T6:30", Unreadable),
        ("2026-11-20 6:30 pm", Unreadable),
        ("2026-11-20T18:30:00+1", Unreadable),
        ("2026-11-20T18:30:00.", Unreadable),
        ("2026-11-20T18:30.5", Unreadable),
        ("2026-11-20T18:30:00 Europe/Stockholm", Unreadable),
        ("２０２６-11-20", Unreadable),
        ("2026-02-30", NoSuchTime),
        ("2026-13-01", NoSuchTime),
        ("2026-11-20T24:00", NoSuchTime),
        ("2026-11-20T18:60", NoSuchTime),
    ] {
        let error = parse_when(text, America::Chicago, true).unwrap_err();
        assert_eq!(error, expected, "{text}");
        assert!(error.to_string().contains("2026-11-20T18:30"), "{error}");
    }
}

#[test]
fn only_the_first_instant_of_a_day_ends_the_day_before() {
    for (at, zone, expected) in [
        ("2026-11-21T06:00:00Z", America::Chicago, Some("2026-11-20")),
        ("2026-11-21T06:00:01Z", America::Chicago, None),
        ("2026-11-21T05:59:59Z", America::Chicago, None),
        ("2026-11-21T00:00:00Z", America::Chicago, None),
        // A day that begins at one o'clock, since clocks went forward at midnight.
        ("2026-03-08T05:00:00Z", America::Havana, Some("2026-03-07")),
        // Clocks go back from one to midnight: the day begins with the first midnight, not with the second.
        ("2026-11-01T04:00:00Z", America::Havana, Some("2026-10-31")),
        ("2026-11-01T05:00:00Z", America::Havana, None),
        // A day that was skipped altogether.
        ("2011-12-30T10:00:00Z", Pacific::Apia, Some("2011-12-29")),
    ] {
        assert_eq!(is_end_of_day(utc(at), zone), expected.map(date), "{at} {zone}");
    }
}

fn supper() -> Event {
    Event {
        id: EventId::from("harbour-supper"),
        name: "Harbour Supper".to_owned(),
        starts_at: utc("2026-11-28T18:00:00Z"),
        ends_at: Some(utc("2026-11-28T23:00:00Z")),
        time_zone: Europe::London,
        rsvp_deadline: None,
        capacity: None,
        seats_taken: None,
        admission: Admission::Invitation,
        place: Some("The Boathouse".to_owned()),
        address: Some("1 Quay Lane; Whitby".to_owned()),
        dress_code: Some("Warm, waterproof".to_owned()),
        schedule: Some("18:00 Soup\r\n20:00 Songs".to_owned()),
        host_contact: None,
        default_locale: "en".to_owned(),
        phone_region: None,
        reminders: ReminderSettings::default(),
        digest: DigestSettings::default(),
        cancelled_at: None,
        version: 4,
    }
}

/// The file's lines with folding undone; checks the form of the file on the way.
fn content_lines(file: &str) -> Vec<String> {
    assert!(file.ends_with("\r\n"));
    assert!(file.split("\r\n").all(|line| line.len() <= 75 && !line.contains(['\r', '\n'])), "{file}");
    file.replace("\r\n ", "").split_terminator("\r\n").map(str::to_owned).collect()
}

#[test]
fn the_calendar_file() {
    let file = calendar_file(&supper(), utc("2026-11-01T12:00:00Z"), "rsvp.example.org");
    assert_eq!((file.name.as_str(), file.media_type.as_str()), ("harbour-supper.ics", "text/calendar; charset=utf-8"));
    assert_eq!(
        content_lines(&file.content),
        [
            "BEGIN:VCALENDAR",
            "VERSION:2.0",
            "PRODID:-//Convive//RSVP//EN",
            "CALSCALE:GREGORIAN",
            "METHOD:PUBLISH",
            "BEGIN:VEVENT",
            r"DESCRIPTION:Warm\, waterproof\n18:00 Soup\n20:00 Songs",
            "DTEND:20261128T230000Z",
            "DTSTAMP:20261101T120000Z",
            "DTSTART:20261128T180000Z",
            r"LOCATION:The Boathouse\, 1 Quay Lane\; Whitby",
            "SEQUENCE:4",
            "STATUS:CONFIRMED",
            "SUMMARY:Harbour Supper",
            "UID:event-harbour-supper@rsvp.example.org",
            "END:VEVENT",
            "END:VCALENDAR",
        ]
    );
}

#[test]
fn a_changed_or_cancelled_event_replaces_its_entry() {
    let before = calendar_file(&supper(), utc("2026-11-01T12:00:00Z"), "rsvp.example.org");
    let cancelled = Event { version: 5, cancelled_at: Some(utc("2026-11-02T12:00:00Z")), ..supper() };
    let after = calendar_file(&cancelled, utc("2026-11-02T12:00:00Z"), "rsvp.example.org");
    let uid = |file: &Attachment| content_lines(&file.content).into_iter().find(|line| line.starts_with("UID:"));
    assert_eq!(uid(&before), uid(&after));
    for line in ["METHOD:CANCEL", "STATUS:CANCELLED", "SEQUENCE:5", "DTSTAMP:20261102T120000Z"] {
        assert!(content_lines(&after.content).iter().any(|other| other == line), "{line}");
    }
}

#[test]
fn what_is_not_known_is_not_in_the_file() {
    let bare = Event {
        ends_at: None,
        place: None,
        address: None,
        dress_code: Some(" ".to_owned()),
        schedule: None,
        ..supper()
    };
    let file = calendar_file(&bare, utc("2026-11-01T12:00:00Z"), "rsvp.example.org");
    for absent in ["DTEND", "LOCATION", "DESCRIPTION"] {
        assert!(!file.content.contains(absent), "{absent}");
    }
}

#[test]
fn what_a_host_types_cannot_become_a_line_of_its_own() {
    let hostile = Event {
        id: EventId::from("../a b"),
        name: "Supper\r\nATTENDEE:mailto:mallory@example.org\u{7}".to_owned(),
        place: Some("Quay\rSTATUS:CANCELLED".to_owned()),
        ..supper()
    };
    let file = calendar_file(&hostile, utc("2026-11-01T12:00:00Z"), "rsvp.example.org");
    let lines = content_lines(&file.content);
    assert!(lines.contains(&"SUMMARY:Supper ATTENDEE:mailto:mallory@example.org".to_owned()), "{lines:?}");
    assert!(lines.contains(&"STATUS:CONFIRMED".to_owned()));
    assert_eq!(file.name, "---a-b.ics");
}

proptest! {
    #[test]
    fn any_wording_is_folded_and_escaped(name in "\\PC{0,120}", schedule in "[a-zå, ;\\\\\n🎉 \r\t]{0,300}") {
        let event = Event { name: name.clone(), schedule: Some(schedule), ..supper() };
        let lines = content_lines(&calendar_file(&event, utc("2026-11-01T12:00:00Z"), "rsvp.example.org").content);
        prop_assert_eq!(lines.len(), 17);
        let summary = format!("SUMMARY:{}", name.replace('\\', "\\\\").replace(',', "\\,").replace(';', "\\;"));
        prop_assert!(lines.contains(&summary));
    }

    #[test]
    fn every_day_ends_where_the_next_begins(days in 0_u64..40_000, zone in prop::sample::select(vec![
        America::Chicago, America::Havana, Asia::Beirut, Europe::Lisbon, Pacific::Auckland, Tz::UTC,
    ])) {
        let day = date("1990-01-01") + Days::new(days);
        let end = parse_when(&day.to_string(), zone, true).unwrap();
        prop_assert_eq!(parse_when(&day.succ_opt().unwrap().to_string(), zone, false), Ok(end));
        prop_assert_eq!(is_end_of_day(end, zone), Some(day));
    }

    #[test]
    fn no_text_upsets_the_reader(text: String, end_of_day: bool) {
        let _ = parse_when(&text, Europe::Stockholm, end_of_day);
    }
}
