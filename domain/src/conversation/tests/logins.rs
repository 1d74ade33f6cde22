//! More than one login, and coming in where something is special.

use expect_test::expect;

use super::world::{World, address, at, check};
use crate::message::Body;

#[test]
fn somebody_who_is_logged_in_adds_another_login() {
    check(
        "anna: K7QF2M Holloway
         anna: H4TR8W Smith
         anna: Code H4TR8W Smith
         anna: Code H4TR8W
         anna: status
         anna: never mind
         anna: Code H4TR8W
         anna: Santos
         anna: switch
         anna: [Anna Holloway, Harbour Supper]",
        expect![[r#"
            anna: K7QF2M Holloway
                Welcome, Anna!
                Harbour Supper
                When: Sat 28 Nov 2026, 18:00, London time
                Where: The Old Boathouse
                Dress code: nautical
                Please answer by Fri 20 Nov, end of day, London time.
                Anna: no answer yet
                Ben: no answer yet
                Cleo: no answer yet
                3 people are expected.
                How many of the 3 of you are coming?
                [All 3] [Some of us] [Only me] [None of us]
                (LoggedInElsewhere { guest: Anna, channel: Telegram } -> EveryAddressOf(Anna))
            anna: H4TR8W Smith
                Sorry, I did not understand that.
                How many are coming?
                [All 3] [Some of us] [Only me] [None of us]
            anna: Code H4TR8W Smith
                I cannot find another invitation with that code and last name.
                How many of the 3 of you are coming?
                [All 3] [Some of us] [Only me] [None of us]
            anna: Code H4TR8W
                Thank you. And your last name, as it stands on the invitation?
                [Never mind]
            anna: status
                How it stands for Harbour Supper:
                Anna: no answer yet
                Ben: no answer yet
                Cleo: no answer yet
                Thank you. And your last name, as it stands on the invitation?
                [Never mind]
            anna: never mind
                All right.
                How many of the 3 of you are coming?
                [All 3] [Some of us] [Only me] [None of us]
            anna: Code H4TR8W
                Thank you. And your last name, as it stands on the invitation?
                [Never mind]
            anna: Santos
                Welcome, Maria!
                Harbour Supper
                When: Sat 28 Nov 2026, 18:00, London time
                Where: The Old Boathouse
                Dress code: nautical
                Please answer by Fri 20 Nov, end of day, London time.
                Maria: no answer yet
                1 person is expected.
                Are you coming?
                [Yes, I am coming] [No, I cannot come]
                (LoggedInElsewhere { guest: Maria, channel: Telegram } -> EveryAddressOf(Maria))
            anna: switch
                For which invitation?
                [Anna Holloway, Harbour Supper] [Maria Santos, Harbour Supper]
            anna: [Anna Holloway, Harbour Supper]
                You now speak for Anna Holloway (Harbour Supper).
                Harbour Supper
                When: Sat 28 Nov 2026, 18:00, London time
                Where: The Old Boathouse
                Dress code: nautical
                Please answer by Fri 20 Nov, end of day, London time.
                Anna: no answer yet
                Ben: no answer yet
                Cleo: no answer yet
                3 people are expected.
                How many of the 3 of you are coming?
                [All 3] [Some of us] [Only me] [None of us]
        "#]],
    );
}

#[test]
fn a_second_address_logs_in_to_the_same_guest() {
    check(
        "anna: K7QF2M Holloway
         anna@sms: K7QF2M Holloway
         anna@sms: 3
         anna@sms: 2
         anna@sms: 1
         anna: [All 3]
         anna: status",
        expect![[r#"
            anna: K7QF2M Holloway
                Welcome, Anna!
                Harbour Supper
                When: Sat 28 Nov 2026, 18:00, London time
                Where: The Old Boathouse
                Dress code: nautical
                Please answer by Fri 20 Nov, end of day, London time.
                Anna: no answer yet
                Ben: no answer yet
                Cleo: no answer yet
                3 people are expected.
                How many of the 3 of you are coming?
                [All 3] [Some of us] [Only me] [None of us]
                (LoggedInElsewhere { guest: Anna, channel: Telegram } -> EveryAddressOf(Anna))
            anna@sms: K7QF2M Holloway
                Welcome, Anna!
                Harbour Supper
                When: Sat 28 Nov 2026, 18:00, London time
                Where: The Old Boathouse
                Dress code: nautical
                Please answer by Fri 20 Nov, end of day, London time.
                No answer yet: Anna, Ben and Cleo.
                3 people are expected.
                Harbour Supper: how many of the 3 of you are coming? Reply a number, ALL, ONLY ME or NONE.
                (LoggedInElsewhere { guest: Anna, channel: Sms } -> EveryAddressOf(Anna))
            anna@sms: 3
                Do you have dietary needs or allergies? Write them, or reply
                1 None
                2 None for any of us
            anna@sms: 2
                Your answer:
                Coming: Anna, Ben and Cleo.
                3 people are coming.
                Is this right?
                1 Save it
                2 Change something
            anna@sms: 1
                Saved, thank you! To change it until Fri 20 Nov, end of day, London time, text CHANGE.
                (AnsweredFor { guests: [Ben, Cleo], by: Anna } -> Guests([Ben, Cleo]))
            anna: [All 3]
                Something has changed in the meantime. This is how it stands:
                Anna: coming
                Ben: coming
                Cleo: coming
                How many of the 3 of you are coming?
                [All 3] [Some of us] [Only me] [None of us]
            anna: status
                How it stands for Harbour Supper:
                Anna: coming
                Ben: coming
                Cleo: coming
                3 people are coming.
                How many of the 3 of you are coming?
                [All 3] [Some of us] [Only me] [None of us]
        "#]],
    );
}

#[test]
fn group_chats_read_no_codes() {
    let mut world = World::new();
    let group = crate::address::Address::telegram(-100_123);
    let inbound = world.inbound(group.clone(), Body::InGroupChat);
    let step = world.take(&inbound);
    assert_eq!(step.says.len(), 1);
    assert_eq!(step.says[0].says[0].id, "in-group-chat");
    assert!(world.conversations[&group].logins.is_empty());
}

#[test]
fn coming_in_when_nothing_can_be_answered() {
    let mut world = World::new();
    world.now = at("2026-11-21T00:00:00Z");
    let closed = world.play("anna: K7QF2M Holloway\nanna: yes\nanna: change\nanna: details");
    world.now = at("2026-11-28T18:00:00Z");
    let started = world.play("ben: B3NH4Z Holloway\nben: change");
    world.events.get_mut(&"supper".into()).unwrap().cancelled_at = Some(world.now);
    let cancelled = world.play("cleo@sms: C7E9HW Holloway\ncleo@sms: change\ncleo@sms: 3");
    expect![[r#"
        anna: K7QF2M Holloway
            Welcome, Anna!
            Harbour Supper
            When: Sat 28 Nov 2026, 18:00, London time
            Where: The Old Boathouse
            Dress code: nautical
            Answers closed on Fri 20 Nov, end of day, London time.
            Anna: no answer yet
            Ben: no answer yet
            Cleo: no answer yet
            3 people are expected.
            Host: Mia, 07700 900555
            (LoggedInElsewhere { guest: Anna, channel: Telegram } -> EveryAddressOf(Anna))
        anna: yes
            Sorry, answers closed on Fri 20 Nov, end of day, London time. Nothing was changed.
            Please talk to the host: Mia, 07700 900555
        anna: change
            Sorry, answers closed on Fri 20 Nov, end of day, London time. Nothing was changed.
            Please talk to the host: Mia, 07700 900555
        anna: details
            Harbour Supper
            When: Sat 28 Nov 2026, 18:00, London time
            Where: The Old Boathouse
            Dress code: nautical
            Answers closed on Fri 20 Nov, end of day, London time.
            Host: Mia, 07700 900555
        ----
        ben: B3NH4Z Holloway
            Welcome, Ben!
            Harbour Supper
            When: Sat 28 Nov 2026, 18:00, London time
            Where: The Old Boathouse
            Dress code: nautical
            Answers closed on Fri 20 Nov, end of day, London time.
            Anna: no answer yet
            Ben: no answer yet
            Cleo: no answer yet
            3 people are expected.
            Host: Mia, 07700 900555
            (LoggedInElsewhere { guest: Ben, channel: Telegram } -> EveryAddressOf(Ben))
        ben: change
            Harbour Supper has begun; nothing can be changed any more.
            Please talk to the host: Mia, 07700 900555
        ----
        cleo@sms: C7E9HW Holloway
            Welcome, Cleo!
            Harbour Supper
            When: Sat 28 Nov 2026, 18:00, London time
            Where: The Old Boathouse
            Dress code: nautical
            Harbour Supper has been cancelled.
            No answer yet: Anna, Ben and Cleo.
            3 people are expected.
            Host: Mia, 07700 900555
            (LoggedInElsewhere { guest: Cleo, channel: Sms } -> EveryAddressOf(Cleo))
        cleo@sms: change
            Harbour Supper has been cancelled.
            Please talk to the host: Mia, 07700 900555
        cleo@sms: 3
            Harbour Supper has been cancelled.
            Please talk to the host: Mia, 07700 900555
    "#]]
    .assert_eq(&format!("{closed}----\n{started}----\n{cancelled}"));
}

#[test]
fn the_language_of_the_record_beats_the_apps() {
    let mut world = World::new();
    world.guest_mut("Anna").locale = Some("en-GB".to_owned());
    let mut inbound = world.inbound(address("anna"), Body::Text("K7QF2M Holloway".to_owned()));
    inbound.locale_hint = Some("en-us".to_owned());
    world.take(&inbound);
    assert_eq!(world.conversations[&address("anna")].locale.as_deref(), Some("en-GB"));
    inbound = world.inbound(address("ben"), Body::Text("B3NH4Z Holloway".to_owned()));
    inbound.locale_hint = Some("tlh".to_owned());
    world.take(&inbound);
    assert_eq!(world.conversations[&address("ben")].locale, None, "nobody here speaks Klingon");
}
