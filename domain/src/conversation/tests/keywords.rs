//! STOP and its kin, and numbers that come before their question.

use expect_test::expect;

use super::world::{World, address};

/// Everything that a provider takes itself, in one column what happens there and in the other what happens where we
/// have to do it.
#[test]
fn carriers_words_with_and_without_a_provider_that_answers_them() {
    let words = [
        "STOP",
        " stop ",
        "Stopall",
        "UNSUBSCRIBE",
        "CANCEL",
        "END",
        "QUIT",
        "REVOKE",
        "OPTOUT",
        "stop.",
        "Stop please",
        "please stop!",
        "STOPP",
        "leave me alone",
        "START",
        "unstop",
        "start.",
        "START AGAIN",
        "HELP",
        "info",
        "help!",
        "YES",
        "no",
    ];
    let rows = words.map(|word| {
        let outcome = |by_provider| {
            let mut world = World::after("anna@sms: K7QF2M Holloway");
            world.policy.provider_keywords = by_provider;
            let before = world.described(&address("anna@sms"));
            let chat = world.play(&format!("anna@sms: {word}"));
            let said = chat.lines().nth(1).map_or("(silence)", str::trim).chars().take(40).collect::<String>();
            let conversation = &world.conversations[&address("anna@sms")];
            let out = if conversation.opted_out { "out, " } else { "" };
            let moved = if world.described(&address("anna@sms")) == before { "" } else { "answer, " };
            format!("{out}{moved}{said}")
        };
        (word.to_owned(), format!("{:<60} | {}", outcome(true), outcome(false)))
    });
    expect![[r#"
        STOP           -> out, (silence)                                               | out, You will get no more texts from us. Text
         stop          -> out, (silence)                                               | out, You will get no more texts from us. Text
        Stopall        -> out, (silence)                                               | out, You will get no more texts from us. Text
        UNSUBSCRIBE    -> out, (silence)                                               | out, You will get no more texts from us. Text
        CANCEL         -> out, (silence)                                               | out, You will get no more texts from us. Text
        END            -> out, (silence)                                               | out, You will get no more texts from us. Text
        QUIT           -> out, (silence)                                               | out, You will get no more texts from us. Text
        REVOKE         -> out, (silence)                                               | out, You will get no more texts from us. Text
        OPTOUT         -> out, (silence)                                               | out, You will get no more texts from us. Text
        stop.          -> out, You will get no more texts from us. Text                | out, You will get no more texts from us. Text
        Stop please    -> out, You will get no more texts from us. Text                | out, You will get no more texts from us. Text
        please stop!   -> out, You will get no more texts from us. Text                | out, You will get no more texts from us. Text
        STOPP          -> out, You will get no more texts from us. Text                | out, You will get no more texts from us. Text
        leave me alone -> out, You will get no more texts from us. Text                | out, You will get no more texts from us. Text
        START          -> (silence)                                                    | You are logged in as Anna Holloway for H
        unstop         -> (silence)                                                    | You are logged in as Anna Holloway for H
        start.         -> You will get reminders again.                                | You will get reminders again.
        START AGAIN    -> Harbour Supper: how many of the 3 of you                     | Harbour Supper: how many of the 3 of you
        HELP           -> (silence)                                                    | Text MINE (your answer), DETAILS, CHANGE
        info           -> (silence)                                                    | Text MINE (your answer), DETAILS, CHANGE
        help!          -> Text MINE (your answer), DETAILS, CHANGE                     | Text MINE (your answer), DETAILS, CHANGE
        YES            -> answer, Do you have dietary needs or allergies?              | answer, Do you have dietary needs or allergies? 
        no             -> answer, Is nobody coming, or is it only you who              | answer, Is nobody coming, or is it only you who 
    "#]].assert_eq(&super::world::table(rows));
}

#[test]
fn whoever_opted_out_is_sent_nothing_until_start() {
    for (by_provider, expected) in [
        (
            true,
            expect![[r#"
        anna@sms: stop please
            You will get no more texts from us. Text START to get them again.
        anna@sms: stop please
        anna@sms: STOP
        anna@sms: 3
        anna@sms: Cleo
        anna@sms: <sticker>
        anna@sms: HELP
        anna@sms: B3NH4Z Holloway
        anna@sms: START
        anna@sms: Cleo
            Do you have dietary needs or allergies? Write them, or reply
            1 None
            2 None for any of us
    "#]],
        ),
        (
            false,
            expect![[r#"
                anna@sms: stop please
                    You will get no more texts from us. Text START to get them again.
                anna@sms: stop please
                anna@sms: STOP
                anna@sms: 3
                anna@sms: Cleo
                anna@sms: <sticker>
                anna@sms: HELP
                anna@sms: B3NH4Z Holloway
                anna@sms: START
                    Our texts are on again.
                    Expected 3 but you said 2. Who is not coming?
                    1 Anna
                    2 Ben
                    3 Cleo
                    4 Somebody is not sure
                    5 Start again
                anna@sms: Cleo
                    Do you have dietary needs or allergies? Write them, or reply
                    1 None
                    2 None for any of us
            "#]],
        ),
    ] {
        let mut world = World::after("anna@sms: K7QF2M Holloway\nanna@sms: 2");
        world.policy.provider_keywords = by_provider;
        let chat = world.play(
            "anna@sms: stop please
             anna@sms: stop please
             anna@sms: STOP
             anna@sms: 3
             anna@sms: Cleo
             anna@sms: <sticker>
             anna@sms: HELP
             anna@sms: B3NH4Z Holloway
             anna@sms: START
             anna@sms: Cleo",
        );
        expected.assert_eq(&chat);
    }
}

#[test]
fn yes_from_somebody_who_opted_out_is_an_answer_too() {
    for (by_provider, expected) in [
        (
            true,
            expect![[r#"
        anna@sms: YES
            Saved, thank you! To change it until Fri 20 Nov, end of day, London time, text CHANGE.
            (AnsweredFor { guests: [Ben, Cleo], by: Anna } -> Guests([Ben, Cleo]))
        ben@sms: stop it
            You will get no more texts from us. Text START to get them again.
        ben@sms: yes
            Hello! To answer your invitation, text your code and last name together, e.g. AB3DE7FG Miller. Spell the name as on the invitation.
    "#]],
        ),
        (
            false,
            expect![[r#"
                anna@sms: YES
                    Our texts are on again.
                    Saved, thank you! To change it until Fri 20 Nov, end of day, London time, text CHANGE.
                    (AnsweredFor { guests: [Ben, Cleo], by: Anna } -> Guests([Ben, Cleo]))
                ben@sms: stop it
                    You will get no more texts from us. Text START to get them again.
                ben@sms: yes
                    Our texts are on again.
                    Hello! To answer your invitation, text your code and last name together, e.g. AB3DE7FG Miller. Spell the name as on the invitation.
            "#]],
        ),
    ] {
        let mut world =
            World::after("anna@sms: K7QF2M Holloway\nanna@sms: all\nanna@sms: none for all\nanna@sms: leave me alone");
        world.policy.provider_keywords = by_provider;
        expected.assert_eq(&world.play("anna@sms: YES\nben@sms: stop it\nben@sms: yes"));
        assert_eq!(world.guest("Cleo").num_guests, 1);
    }
}

#[test]
fn an_opted_out_number_counts_no_failures_and_logs_nobody_in() {
    let mut world = World::after("anna@sms: STOP\nanna@sms: AAAAAA Holloway\nanna@sms: K7QF2M Holloway");
    let conversation = &world.conversations[&address("anna@sms")];
    assert_eq!((conversation.attempts.failures, conversation.active), (0, None));
    let chat = world.play("anna@sms: start\nanna@sms: K7QF2M Holloway");
    assert!(chat.contains("Welcome, Anna!"), "{chat}");
}

#[test]
fn in_telegram_these_are_words_like_others() {
    let mut world = World::after("anna: K7QF2M Holloway");
    let chat = world.play("anna: STOP\nanna: cancel\nanna: start\nanna: help\nanna: quit");
    expect![[r#"
        anna: STOP
            All right, no more reminders. Your answers still count. Send "unmute" to get them again.
            How many of the 3 of you are coming?
            [All 3] [Some of us] [Only me] [None of us]
        anna: cancel
            How many of the 3 of you are coming?
            [All 3] [Some of us] [Only me] [None of us]
        anna: start
            You will get reminders again.
            How many of the 3 of you are coming?
            [All 3] [Some of us] [Only me] [None of us]
        anna: help
            You can send: status (your answer), details, change, decline, switch (another invitation), message (for the host), mute, language, logout. Not you? Send wrong person.
            How many of the 3 of you are coming?
            [All 3] [Some of us] [Only me] [None of us]
        anna: quit
            Sorry, I did not understand that.
            How many are coming?
            [All 3] [Some of us] [Only me] [None of us]
    "#]].assert_eq(&chat);
    assert!(!world.conversations[&address("anna")].opted_out);
}

#[test]
fn a_number_that_came_before_its_question_is_no_answer_to_it() {
    let mut world = World::after("anna@sms: K7QF2M Holloway");
    let address = address("anna@sms");
    // The question after this answer is still waiting to be sent when a second number comes.
    world.provider_is_slow = true;
    world.play("anna@sms: 2");
    world.attempted.remove(&address);
    let chat = world.play("anna@sms: 2\nanna@sms: 2, 3\nanna@sms: Cleo");
    world.attempted.remove(&address);
    let words = world.play("anna@sms: vegan");
    world.provider_is_slow = false;
    world.attempted.insert(address, world.now);
    let then = world.play("anna@sms: 1");
    expect![[r#"
        anna@sms: 2
            Our messages crossed: that number came before this question.
            Expected 3 but you said 2. Who is not coming?
            1 Anna
            2 Ben
            3 Cleo
            4 Somebody is not sure
            5 Start again
        anna@sms: 2, 3
            Our messages crossed: that number came before this question.
            Expected 3 but you said 2. Who is not coming?
            1 Anna
            2 Ben
            3 Cleo
            4 Somebody is not sure
            5 Start again
        anna@sms: Cleo
            Do you have dietary needs or allergies? Write them, or reply
            1 None
            2 None for any of us
        anna@sms: vegan
            Dietary needs or allergies for Ben? Write them, or reply
            1 None
        (sent)
        anna@sms: 1
            Your answer:
            Coming: Anna and Ben.
            Not coming: Cleo.
            Dietary, Anna: vegan.
            2 people are coming.
            Is this right?
            1 Save it
            2 Change something
    "#]]
    .assert_eq(&format!("{chat}{words}(sent)\n{then}"));
}

#[test]
fn a_number_out_of_the_blue_asks_first() {
    let mut world = World::after(
        "anna@sms: K7QF2M Holloway\nanna@sms: 2\nanna@sms: Anna doesn't know yet\nanna@sms: none for all\nanna@sms: yes",
    );
    world.attempted.clear();
    let chat = world.play("anna@sms: 3\nanna@sms: 2");
    expect![[r#"
        anna@sms: 3
            Ben and Cleo already answered. Is your answer for you, or for everybody?
            1 Only for me
            2 For everybody
        anna@sms: 2
            Harbour Supper: how many of the 3 of you are coming? Reply a number, ALL, ONLY ME or NONE.
    "#]]
    .assert_eq(&chat);
}
