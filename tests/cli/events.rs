use expect_test::expect;

use crate::home::Home;

#[test]
fn an_event_is_made_shown_changed_and_listed() {
    let home = Home::new();
    let said = home.run(&["event", "list"]).done();
    assert_eq!((said.out.as_str(), said.err.as_str()), ("", "there is no event yet\n"));
    assert_eq!(home.run(&["event", "list", "--json"]).done().out, "[]\n");
    let said = home.run(&["event", "show"]).refused();
    expect![[r#"
        there is no event yet. Create one first, for example: convive event set name="Harbour Supper" starts_at=2027-06-19T18:00 time_zone=Europe/London
    "#]].assert_eq(&said.err);

    let set = ["event", "set", "name=Harbour Supper", "starts_at=2026-11-28T18:00", "time_zone=america/chicago"];
    assert_eq!(home.run(&set).done().out, "created harbour-supper\n");
    assert_eq!(home.run(&set).done().out, "unchanged harbour-supper\n");
    let deadline = ["event", "set", "rsvp_deadline=2026-11-20", "schedule=18:00 drinks\n19:00 supper"];
    assert_eq!(home.run(&deadline).done().out, "updated harbour-supper\n");
    expect![[r#"
        name=Harbour Supper
        starts_at=2026-11-28T18:00:00-06:00
        ends_at=
        time_zone=America/Chicago
        rsvp_deadline=2026-11-20
        capacity=
        place=
        address=
        dress_code=
        schedule=18:00 drinks
            19:00 supper
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
    "#]]
    .assert_eq(&home.run(&["event", "show"]).done().out);
    let shown = home.run(&["event", "show", "--json"]).done().json();
    assert_eq!(shown["id"], "harbour-supper");
    assert_eq!(shown["schedule"], "18:00 drinks\n19:00 supper");
    expect![[r#"
        ID              STARTS                     TIME ZONE        NAME
        harbour-supper  2026-11-28T18:00:00-06:00  America/Chicago  Harbour Supper
    "#]]
    .assert_eq(&home.run(&["event", "list"]).done().out);
    expect![[r#"
        [{"id":"harbour-supper","name":"Harbour Supper","startsAt":"2026-11-28T18:00:00-06:00","timeZone":"America/Chicago"}]
    "#]].assert_eq(&home.run(&["event", "list", "--json"]).done().out);
}

#[test]
fn settings_that_cannot_be_used_are_all_told_and_none_is_set() {
    let home = Home::with_event();
    let said = home.run(&["event", "set", "capacity=none", "place=Boathouse", "rsvp_deadline=2026-12-24"]).refused();
    expect![[r#"
        capacity: "none" is not a number from 1 to 1000000; leave it empty for no limit; for example capacity=120
        rsvp_deadline: answers would close (2026-12-24) after the event starts (2026-11-28T18:00:00-06:00); set an rsvp_deadline at or before the start, or leave it empty to close at the start; for example rsvp_deadline=2027-06-05
    "#]]
    .assert_eq(&said.err);
    let said = home.run(&["event", "set", "rsvp_deadline=2026-12-24"]).refused();
    expect![[r#"
        rsvp_deadline: answers would close (2026-12-24) after the event starts (2026-11-28T18:00:00-06:00); set an rsvp_deadline at or before the start, or leave it empty to close at the start; for example rsvp_deadline=2027-06-05
    "#]].assert_eq(&said.err);
    assert!(home.run(&["event", "show"]).done().out.contains("place=\n"));
}

#[test]
fn several_events_must_be_told_apart() {
    let home = Home::with_event();
    let brunch = ["name=Brunch", "starts_at=2026-11-29", "time_zone=America/Chicago"];
    let said = home.run(&[&["event", "set", "--event", "brunch-26"][..], &brunch[..]].concat()).done();
    assert_eq!(said.out, "created brunch-26\n");
    for args in [&["event", "show"][..], &["event", "set", "capacity=5"], &["guests", "list"], &["guests", "export"]] {
        let said = home.run(args).wrong_usage();
        assert_eq!(said.err, "there are several events: brunch-26, harbour-supper; say which with --event ID\n");
    }
    assert!(home.run(&["--event", "brunch-26", "event", "show"]).done().out.starts_with("name=Brunch\n"));
    let said = home.run(&["guests", "list", "--event", "dinner"]).refused();
    expect![[r#"
        there is no event "dinner" (there is brunch-26, harbour-supper)
    "#]]
    .assert_eq(&said.err);
    let said =
        home.run(&["event", "set", "--event", "a/b", "name=x", "starts_at=2026-11-29", "time_zone=UTC"]).refused();
    expect![[r#"
        --event: an event's id has 1 to 64 letters A to Z, digits, hyphens, underscores and dots; for example --event summer-party
    "#]].assert_eq(&said.err);
}

#[test]
fn times_that_surprise_are_told_on_standard_error() {
    let home = Home::with_event();
    let said = home.run(&["event", "set", "starts_at=2021-01-01T18:00", "rsvp_deadline=2020-01-01"]).done();
    assert_eq!(said.out, "updated harbour-supper\n");
    assert_eq!(said.err, "rsvp_deadline: 2020-01-01 has passed, so answers are closed\n");
    let zone = "time_zone=Europe/London";
    let said = home.run(&["event", "set", zone, "starts_at=2090-03-26T01:30", "rsvp_deadline="]).done();
    expect![[r#"
        starts_at: there is no 2090-03-26T01:30 in Europe/London, where clocks are put forward then; 2090-03-26T02:00:00+01:00 was taken
    "#]].assert_eq(&said.err);
}
