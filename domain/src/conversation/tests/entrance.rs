//! Coming in: code and last name in any reasonable shape, deep links, wrong ones.

use expect_test::expect;

use super::world::{World, address, check, table};
use crate::model::Guest;

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

/// Kindness and what else is said is no part of the name; another name is.
#[test]
fn more_than_code_and_name() {
    for (text, comes_in) in [
        ("K7QF2M Holloway thanks", true),
        ("K7QF2M Holloway, I'm coming", true),
        ("K7QF2M Holloway\\nwe are 2", true),
        ("K7QF2M, Holloway, thank you very much", true),
        ("K7QF2M\\nHolloway\\nAll of us are coming!", true),
        ("K7QF2M Holloway! See you there", true),
        ("K7QF2M Holloways", false),
        ("K7QF2M Smith thanks, Holloway", false),
        ("K7QF2M Holloway Smith", false),
        ("K7QF2M Smith\\nHolloway", false),
        ("K7QF2M thanks", false),
    ] {
        let mut world = World::new();
        let chat = world.play(&format!("anna: {text}"));
        assert_eq!(chat.contains("Welcome, Anna!"), comes_in, "{chat}");
        assert!(world.conversations[&address("anna")].attempts.failures <= 1, "one message, one guess: {text}");
    }
    for (text, comes_in) in [("Holloway thanks", true), ("Holloway, please", true), ("Smith thanks", false)] {
        let chat = World::new().play(&format!("anna: /start K7QF2M\nanna: {text}"));
        assert_eq!(chat.contains("Welcome, Anna!"), comes_in, "{chat}");
    }
}
