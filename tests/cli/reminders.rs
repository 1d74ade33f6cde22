use serde_json::{Value, json};

use crate::home::Home;

const TWILIO: [(&str, &str); 4] = [
    ("CONVIVE__HTTP__PUBLIC_URL", "https://rsvp.example.org"),
    ("CONVIVE__TWILIO__ACCOUNT_SID", "AC00000000000000000000000000000001"),
    ("CONVIVE__TWILIO__AUTH_TOKEN", "test-auth-token-0001"),
    ("CONVIVE__TWILIO__FROM", "+447700900999"),
];

fn home() -> Home {
    let home = Home::new();
    home.run(&[
        "event",
        "set",
        "name=Harbour Supper",
        "starts_at=2030-11-28T18:00",
        "time_zone=America/Chicago",
        "rsvp_deadline=2030-11-20",
        "reminders.days=7,1",
    ])
    .done();
    home.write(
        "guests.csv",
        "code,first_name,last_name,group,phone\nK7QF2M,Anna,Holloway,P7,+447700900123\nB3NH4Z,Ben,Holloway,P7,\n\
         H4TR8W,Maria,Santos,,\nP9DX3C,Maria,Santos,,\n",
    );
    home.run(&["guests", "import", "guests.csv"]).done();
    home
}

#[test]
fn a_preview_shows_when_and_to_whom_and_what_it_costs() {
    let home = home();
    let said = home.run_with(&["reminders", "preview"], &TWILIO, "").done();
    let rows: Vec<&str> = said.out.lines().collect();
    let is_row = |row: &str, parts: &[&str]| parts.iter().all(|part| row.contains(part));
    assert_eq!(rows.len(), 7, "{said:?}");
    let week = "2030-11-13T10:00:00-06:00  reminder, 7 days before";
    assert!(is_row(rows[0], &[week, "sms", "Anna Holloway, Ben Holloway", "1 segment"]), "{said:?}");
    assert!(is_row(rows[1], &[week, "nowhere", "Maria Santos", "no address"]), "{said:?}");
    let day = "2030-11-19T10:00:00-06:00  reminder, 1 day before";
    assert!(is_row(rows[3], &[day, "sms", "Anna Holloway, Ben Holloway", "1 segment"]), "{said:?}");
    assert!(is_row(rows[6], &["2 messages, 2 of them texts with 2 segments"]), "{said:?}");
    let until = ["reminders", "preview", "--until", "2030-11-14", "--json"];
    let shown = home.run_with(&until, &TWILIO, "").done().json();
    assert_eq!((&shown["total"], &shown["texts"]), (&Value::from(1), &Value::from(1)));
    let first = &shown["messages"][0];
    assert_eq!((&first["at"], &first["kind"]), (&Value::from("2030-11-13T10:00:00-06:00"), &Value::from("reminder")));
    assert_eq!((&first["channel"], &first["daysBefore"]), (&Value::from("sms"), &Value::from(7)));
    assert_eq!(first["guests"], json!(["Anna Holloway", "Ben Holloway"]));
    assert_eq!(first["segments"], shown["segments"]);
    // Without an account there is no way to write to a phone.
    let said = home.run(&["reminders", "preview"]).done();
    assert!(said.out.ends_with("0 messages, 0 of them texts with 0 segments\n"), "{said:?}");
    let said = home.run(&["reminders", "preview", "--until", "soon"]).wrong_usage();
    assert!(said.err.contains("--until: \"soon\" is not a date or time: write it like"), "{said:?}");
    let said = home.run(&["reminders", "preview", "--until", "2027-13-01"]).wrong_usage();
    assert!(said.err.contains("--until: \"2027-13-01\": there is no such date or time"), "{said:?}");
    // In London it is evening then: whoever could only be written to once answers are closed is not left out.
    let late = ["rsvp_deadline=2030-11-20T10:30", "reminders.days=0", "reminders.window=09:00-12:00"];
    home.run(&[&["event", "set"], late.as_slice()].concat()).done();
    let said = home.run_with(&["reminders", "preview"], &TWILIO, "").done();
    let rows: Vec<&str> = said.out.lines().collect();
    for row in &rows[..2] {
        assert!(
            is_row(row, &["reminder, 0 days before", "nowhere", "Holloway", "too late in their hours"]),
            "{said:?}"
        );
    }
}

/// The terminal has reminders and digests on its own clock.
#[test]
fn the_terminal_is_reminded_too() {
    let home = home();
    let input = r#"{"text": "K7QF2M Holloway"}
{"now": "2030-11-13T15:59:59Z"}
{"now": "2030-11-13T16:00:00Z"}
{"text": "2"}
{"now": "2030-11-19T16:00:00Z"}
"#;
    let said = home.run_with(&["chat", "--json", "--now", "2030-11-01T12:00:00Z"], &[], input).done();
    let parts: Vec<&str> = said.out.split("{\"end\":true}\n").collect();
    assert_eq!(parts.len(), 6, "{said:?}");
    assert_eq!(parts[1], "");
    assert!(parts[2].contains("no answer yet from Anna and Ben") && parts[2].contains("console:telegram:me"));
    assert!(parts[3].contains("dietary needs"), "{}", parts[3]);
    assert!(parts[4].contains("no answer yet from Anna and Ben"), "{}", parts[4]);
    let preview = home.run(&["reminders", "preview"]).done();
    assert!(preview.out.contains("console"), "{preview:?}");
}

#[test]
fn settings_that_could_not_work_are_refused_with_an_example() {
    let home = home();
    for setting in [
        "digest.cron=0 25 * * *",
        "digest.cron=0 8 30 2 *",
        "time_zone=Europe/Londn",
        "reminders.window=20:00-09:00",
        "reminders.at=25:00",
        "reminders.days=soon",
        "digest.at_once=everything",
    ] {
        let said = home.run(&["event", "set", setting]).refused();
        let (key, value) = setting.split_once('=').unwrap();
        assert!(said.err.contains(key) && said.err.contains("for example"), "{said:?}");
        assert!(said.err.contains(value.split(' ').nth(1).unwrap_or(value).trim_start_matches("0 ")), "{said:?}");
    }
    let late = ["event", "set", "rsvp_deadline=2030-11-20T10:30", "reminders.at=21:00", "reminders.days=0"];
    let said = home.run(&late).refused();
    assert!(said.err.contains("would come after answers close"), "{said:?}");
}
