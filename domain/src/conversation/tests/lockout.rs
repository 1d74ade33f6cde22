//! Wrong codes and names: cooling down, and what nobody may find out by guessing.

use expect_test::expect;

use super::world::{World, address, check};
use crate::lockout::FAILURES_A_MINUTE_EVERYWHERE;

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
