//! Coming in: code and last name in any reasonable shape, deep links, wrong ones, cooling down, more than one login.

use expect_test::{Expect, expect};

use super::world::{World, address, at, table};
use crate::{lockout::FAILURES_A_MINUTE_EVERYWHERE, message::Body, model::Guest};

fn check(script: &str, expected: Expect) {
    expected.assert_eq(&World::new().play(script));
}

/// What became of a stranger's text.
fn outcome(world: &mut World, text: &str) -> String {
    let chat = world.play(&format!("anna: {text}"));
    let conversation = &world.conversations[&address("anna")];
    match conversation.active {
        Some(id) => {
            let Guest { first_name, token, .. } = world.guests.iter().find(|guest| guest.id == id).unwrap();
            format!("{first_name} {token}")
        }
        None => {
            let said = chat.lines().nth(1).unwrap_or_default().trim().chars().take(40).collect::<String>();
            format!("{said} ({} failed)", conversation.attempts.failures)
        }
    }
}

#[test]
fn shapes_of_code_and_last_name() {
    let texts = "
        K7QF2M Holloway | k7qf2m holloway | K7QF-2M Holloway | k7qf-2m, HOLLOWAY | K7QF2M, HOLLOWAY | K7QF2M\\nHolloway
        Code: K7QF2M Holloway | code K7QF2M name Holloway | my code is K7QF2M and my last name is Holloway
        Holloway K7QF2M | Anna Holloway K7QF2M | K7QF2M Anna Holloway | Hello, K7QF2M Holloway | K7QF 2M Holloway
        K7QF2M Holloway 🎉 | Ｋ７ＱＦ２Ｍ Holloway | H4TR8W Santos | P9DX3C Santos
        H4TR8W Maria Santos | K7QFZM Holloway | K7QF2M Wrong | ZZZZZZ Wrong | K7QF2M Ben Holloway | H4TR8W Holloway
        Santos | Maria Santos | K7QF2M | K7QF2M 🎉 | Holloway | party Holloway | hi there | help | Where is it? | status | 🎉";
    let texts = texts.lines().flat_map(|line| line.split(" | ")).map(str::trim).filter(|text| !text.is_empty());
    let rows = texts.map(|text| (text.to_owned(), outcome(&mut World::new(), text)));
    expect![[r#"
        K7QF2M Holloway                                -> Anna K7QF2M
        k7qf2m holloway                                -> Anna K7QF2M
        K7QF-2M Holloway                               -> Anna K7QF2M
        k7qf-2m, HOLLOWAY                              -> Anna K7QF2M
        K7QF2M, HOLLOWAY                               -> Anna K7QF2M
        K7QF2M\nHolloway                               -> Anna K7QF2M
        Code: K7QF2M Holloway                          -> Anna K7QF2M
        code K7QF2M name Holloway                      -> Anna K7QF2M
        my code is K7QF2M and my last name is Holloway -> Anna K7QF2M
        Holloway K7QF2M                                -> Anna K7QF2M
        Anna Holloway K7QF2M                           -> Anna K7QF2M
        K7QF2M Anna Holloway                           -> Anna K7QF2M
        Hello, K7QF2M Holloway                         -> Anna K7QF2M
        K7QF 2M Holloway                               -> Anna K7QF2M
        K7QF2M Holloway 🎉                              -> Anna K7QF2M
        Ｋ７ＱＦ２Ｍ Holloway                                -> Anna K7QF2M
        H4TR8W Santos                                  -> Maria H4TR8W
        P9DX3C Santos                                  -> Maria P9DX3C
        H4TR8W Maria Santos                            -> Maria H4TR8W
        K7QFZM Holloway                                -> I cannot find an invitation with that co (1 failed)
        K7QF2M Wrong                                   -> I cannot find an invitation with that co (1 failed)
        ZZZZZZ Wrong                                   -> I cannot find an invitation with that co (1 failed)
        K7QF2M Ben Holloway                            -> I cannot find an invitation with that co (1 failed)
        H4TR8W Holloway                                -> I cannot find an invitation with that co (1 failed)
        Santos                                         -> Hello! I take the answers to your invita (0 failed)
        Maria Santos                                   -> Hello! I take the answers to your invita (1 failed)
        K7QF2M                                         -> Thank you. And your last name, as it sta (0 failed)
        K7QF2M 🎉                                       -> Thank you. And your last name, as it sta (0 failed)
        Holloway                                       -> Hello! I take the answers to your invita (0 failed)
        party Holloway                                 -> Hello! I take the answers to your invita (1 failed)
        hi there                                       -> Hello! I take the answers to your invita (1 failed)
        help                                           -> Hello! I take the answers to your invita (0 failed)
        Where is it?                                   -> Hello! I take the answers to your invita (0 failed)
        status                                         -> Hello! I take the answers to your invita (0 failed)
        🎉                                              -> Hello! I take the answers to your invita (0 failed)
    "#]]
    .assert_eq(&table(rows));
}

#[test]
fn what_is_wrong_is_not_told() {
    check(
        "anna: K7QFZM Holloway
         anna: K7QF2M Smith
         anna: ZZZZZZ Smith
         anna@sms: K7QFZM Holloway
         anna@sms: K7QF2M Smith
         anna@sms: ZZZZZZ Smith",
        expect![[r#"
            anna: K7QFZM Holloway
                I cannot find an invitation with that code and last name. Please send both in one message, like this: AB3DE7FG Miller. Type the last name as it stands on the invitation, all parts of it.
            anna: K7QF2M Smith
                I cannot find an invitation with that code and last name. Please send both in one message, like this: AB3DE7FG Miller. Type the last name as it stands on the invitation, all parts of it.
            anna: ZZZZZZ Smith
                I cannot find an invitation with that code and last name. Please send both in one message, like this: AB3DE7FG Miller. Type the last name as it stands on the invitation, all parts of it.
            anna@sms: K7QFZM Holloway
                No invitation has that code and last name. Text both together, e.g. AB3DE7FG Miller. Type the whole last name as on the invitation.
            anna@sms: K7QF2M Smith
                No invitation has that code and last name. Text both together, e.g. AB3DE7FG Miller. Type the whole last name as on the invitation.
            anna@sms: ZZZZZZ Smith
                No invitation has that code and last name. Text both together, e.g. AB3DE7FG Miller. Type the whole last name as on the invitation.
        "#]],
    );
}

#[test]
fn a_deep_link_asks_for_the_last_name_only() {
    check(
        "anna: /start
         anna: /start K7QF2M
         anna: Smith
         anna: holloway
         anna: /start K7QF2M
         anna: /start",
        expect![[r#"
            anna: /start
                Hello! I take the answers to your invitation. Please send your code and your last name in one message, like this: AB3DE7FG Miller. Type the last name as it stands on the invitation.
            anna: /start K7QF2M
                Thank you. And your last name, as it stands on the invitation?
            anna: Smith
                I cannot find an invitation with that code and last name. Please send both in one message, like this: AB3DE7FG Miller. Type the last name as it stands on the invitation, all parts of it.
            anna: holloway
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
            anna: /start K7QF2M
                You are logged in as Anna Holloway for Harbour Supper.
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
            anna: /start
                You are logged in as Anna Holloway for Harbour Supper.
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
fn a_code_alone_asks_for_the_last_name_whether_or_not_there_is_such_a_code() {
    check(
        "anna@sms: K7QF2M
         anna@sms: Holloway
         ben@sms: ZZZZ22
         ben@sms: Holloway
         ben@sms: B3NH4Z Holloway",
        expect![[r#"
            anna@sms: K7QF2M
                Thank you. And your last name, as it stands on the invitation?
            anna@sms: Holloway
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
            ben@sms: ZZZZ22
                Thank you. And your last name, as it stands on the invitation?
            ben@sms: Holloway
                No invitation has that code and last name. Text both together, e.g. AB3DE7FG Miller. Type the whole last name as on the invitation.
            ben@sms: B3NH4Z Holloway
                Welcome, Ben!
                Harbour Supper
                When: Sat 28 Nov 2026, 18:00, London time
                Where: The Old Boathouse
                Dress code: nautical
                Please answer by Fri 20 Nov, end of day, London time.
                No answer yet: Anna, Ben and Cleo.
                3 people are expected.
                Harbour Supper: how many of the 3 of you are coming? Reply a number, ALL, ONLY ME or NONE.
                (LoggedInElsewhere { guest: Ben, channel: Sms } -> EveryAddressOf(Ben))
        "#]],
    );
}

#[test]
fn surnames_that_are_words_of_the_conversation() {
    let mut world = World::new();
    world.add("Ada", "Host", "AD4H8T", None, 1);
    world.add("Sam", "Alto", "S4MALT", None, 1);
    let chat = world.play(
        "ada: /start AD4H8T
         ada: Host
         sam@sms: S4MALT
         sam@sms: Alto
         sam@sms: alto",
    );
    expect![[r#"
        ada: /start AD4H8T
            Thank you. And your last name, as it stands on the invitation?
        ada: Host
            Welcome, Ada!
            Harbour Supper
            When: Sat 28 Nov 2026, 18:00, London time
            Where: The Old Boathouse
            Dress code: nautical
            Please answer by Fri 20 Nov, end of day, London time.
            Ada: no answer yet
            1 person is expected.
            Are you coming?
            [Yes, I am coming] [No, I cannot come]
            (LoggedInElsewhere { guest: Ada, channel: Telegram } -> EveryAddressOf(Ada))
        sam@sms: S4MALT
            Thank you. And your last name, as it stands on the invitation?
        sam@sms: Alto
            Welcome, Sam!
            Harbour Supper
            When: Sat 28 Nov 2026, 18:00, London time
            Where: The Old Boathouse
            Dress code: nautical
            Please answer by Fri 20 Nov, end of day, London time.
            No answer yet: Sam.
            1 person is expected.
            Harbour Supper: are you coming? Reply 1 if you are, 0 if not.
            (LoggedInElsewhere { guest: Sam, channel: Sms } -> EveryAddressOf(Sam))
        sam@sms: alto
            You will get no more texts from us. Text START to get them again.
    "#]]
    .assert_eq(&chat);
}

#[test]
fn five_failures_cool_the_address_down() {
    check(
        "anna: AAAAAA Holloway
         anna: aaaaab Holloway
         anna: smith Holloway
         anna: AAAAAD Holloway
         anna: AAAAAE Holloway
         anna: K7QF2M Holloway
         anna: /start K7QF2M
         anna: hello
         +61s
         anna: AAAAAA Holloway
         anna: AAAAAB Holloway
         anna: AAAAAC Holloway
         anna: AAAAAD Holloway
         anna: AAAAAE Holloway
         +90s
         anna: K7QF2M Holloway
         ben: B3NH4Z Holloway
         +31s
         anna: K7QF2M Holloway",
        expect![[r#"
            anna: AAAAAA Holloway
                I cannot find an invitation with that code and last name. Please send both in one message, like this: AB3DE7FG Miller. Type the last name as it stands on the invitation, all parts of it.
            anna: aaaaab Holloway
                Hello! I take the answers to your invitation. Please send your code and your last name in one message, like this: AB3DE7FG Miller. Type the last name as it stands on the invitation.
            anna: smith Holloway
                Hello! I take the answers to your invitation. Please send your code and your last name in one message, like this: AB3DE7FG Miller. Type the last name as it stands on the invitation.
            anna: AAAAAD Holloway
                I cannot find an invitation with that code and last name. Please send both in one message, like this: AB3DE7FG Miller. Type the last name as it stands on the invitation, all parts of it.
            anna: AAAAAE Holloway
                That did not work several times in a row. To keep invitations safe, please wait a minute and then try again.
            anna: K7QF2M Holloway
                That did not work several times in a row. To keep invitations safe, please wait a minute and then try again.
            anna: /start K7QF2M
                That did not work several times in a row. To keep invitations safe, please wait a minute and then try again.
            anna: hello
                Hello! I take the answers to your invitation. Please send your code and your last name in one message, like this: AB3DE7FG Miller. Type the last name as it stands on the invitation.
            +61s
            anna: AAAAAA Holloway
                I cannot find an invitation with that code and last name. Please send both in one message, like this: AB3DE7FG Miller. Type the last name as it stands on the invitation, all parts of it.
            anna: AAAAAB Holloway
                I cannot find an invitation with that code and last name. Please send both in one message, like this: AB3DE7FG Miller. Type the last name as it stands on the invitation, all parts of it.
            anna: AAAAAC Holloway
                I cannot find an invitation with that code and last name. Please send both in one message, like this: AB3DE7FG Miller. Type the last name as it stands on the invitation, all parts of it.
            anna: AAAAAD Holloway
                I cannot find an invitation with that code and last name. Please send both in one message, like this: AB3DE7FG Miller. Type the last name as it stands on the invitation, all parts of it.
            anna: AAAAAE Holloway
                That did not work several times in a row. To keep invitations safe, please wait 2 minutes and then try again.
            +90s
            anna: K7QF2M Holloway
                That did not work several times in a row. To keep invitations safe, please wait a minute and then try again.
            ben: B3NH4Z Holloway
                Welcome, Ben!
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
                (LoggedInElsewhere { guest: Ben, channel: Telegram } -> EveryAddressOf(Ben))
            +31s
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
        "#]],
    );
}

#[test]
fn tries_while_it_cools_down_do_not_prolong_it() {
    let mut world = World::new();
    for _ in 0..5 {
        world.play("anna: AAAAAA Holloway");
    }
    let until = world.conversations[&address("anna")].attempts.cooling_until;
    for _ in 0..20 {
        world.play("+1s\nanna: AAAAAA Holloway\nanna: K7QF2M Holloway");
    }
    let conversation = &world.conversations[&address("anna")];
    assert_eq!((conversation.attempts.cooling_until, conversation.active), (until, None));
    world.play("+60s\nanna: K7QF2M Holloway");
    assert!(world.conversations[&address("anna")].active.is_some());
}

#[test]
fn many_failures_everywhere_slow_unknown_addresses_only() {
    let mut world = World::new();
    world.play("anna: K7QF2M Holloway");
    world.recent_failures = FAILURES_A_MINUTE_EVERYWHERE;
    let chat = world.play(
        "ben: B3NH4Z Holloway
         ben: /start B3NH4Z
         anna: all
         anna: H4TR8W Santos",
    );
    expect![[r#"
        ben: B3NH4Z Holloway
            Too many wrong codes are coming in at the moment. Please try again in a minute.
        ben: /start B3NH4Z
            Too many wrong codes are coming in at the moment. Please try again in a minute.
        anna: all
            Do you have any dietary needs or allergies? Write them, or pick "None".
            [None] [None for any of us]
        anna: H4TR8W Santos
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
    "#]]
    .assert_eq(&chat);
}

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
                I cannot find an invitation with that code and last name. Please send both in one message, like this: AB3DE7FG Miller. Type the last name as it stands on the invitation, all parts of it.
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

/// Whoever is logged in cannot guess on: while the address cools down nothing tells whether a guess fits.
#[test]
fn guesses_of_somebody_who_is_logged_in_count_and_then_tell_nothing() {
    let answers = ["H4TR8W Santos", "H4TR8W Nobody", "H4TR88 Santos"].map(|guess| {
        let mut world = World::after(
            "anna: K7QF2M Holloway
             anna: AAAAAA Santos
             anna: smith Santos
             anna: Code AAAAAC Santos
             anna: all\nanna: AAAAAD Santos, no nuts\nanna: AAAAAE Santos, no nuts
             anna: change",
        );
        assert!(world.conversations[&address("anna")].attempts.remaining(world.now).is_some());
        let chat = world.play(&format!("anna: {guess}\nanna: Code {guess}\nanna: [All 3]\nanna: {guess}"));
        chat.replace(guess, "GUESS")
    });
    assert_eq!(answers[0], answers[1]);
    assert_eq!(answers[0], answers[2]);
    expect![[r#"
        anna: GUESS
            That did not work several times in a row. To keep invitations safe, please wait a minute and then try again.
            How many are coming?
            [All 3] [Some of us] [Only me] [None of us]
        anna: Code GUESS
            That did not work several times in a row. To keep invitations safe, please wait a minute and then try again.
        anna: [All 3]
            Noted so far: AAAAAD Santos, no nuts
            Do you have any dietary needs or allergies? Write them, or pick "None".
            [None] [Keep as it is]
        anna: GUESS
            Noted so far: AAAAAE Santos, no nuts
            Any dietary needs or allergies for Ben? Write them, or pick "None".
            [None] [Keep as it is]
    "#]]
    .assert_eq(&answers[0]);
}

#[test]
fn ordinary_answers_do_not_count_as_guesses() {
    let mut world = World::new();
    world.play("anna: K7QF2M Holloway");
    for _ in 0..3 {
        world.play(
            "anna: ALL THREE OF US
             anna: vegan please
             anna: gluten free
             anna: no nuts
             anna: yes
             anna: log out\nanna: K7QF2M Holloway\nanna: change",
        );
    }
    assert_eq!(world.conversations[&address("anna")].attempts.failures, 0);
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
