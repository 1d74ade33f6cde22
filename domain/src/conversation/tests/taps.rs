//! Buttons: old, forged, tapped twice; and messages that are no text.

use expect_test::expect;

use super::world::{World, address, after};

#[test]
fn an_old_button_never_answers_a_newer_question() {
    after(
        "anna: K7QF2M Holloway\nanna: all\nanna: none for all\nanna: [Change something]\nanna: 1\nanna: only Anna\nanna: change\nanna: only Anna\nanna: none",
        "anna: [~Yes, save it]
         anna: [~All 3]
         anna: [Yes, save it]
         anna: [~Change something]",
        expect![[r#"
            anna: [~Yes, save it]
                That belonged to an earlier question. Here is the present one:
                Your answer:
                Anna: coming
                Ben: not coming
                Cleo: not coming
                1 person is coming.
                Is this right?
                [Yes, save it] [Change something]
            anna: [~All 3]
                That belonged to an earlier question. Here is the present one:
                Your answer:
                Anna: coming
                Ben: not coming
                Cleo: not coming
                1 person is coming.
                Is this right?
                [Yes, save it] [Change something]
            anna: [Yes, save it]
                Saved. Thank you!
                You can change it until Fri 20 Nov, end of day, London time: send "change".
                For your calendar.
                <supper.ics>
                (AnsweredFor { guests: [Ben, Cleo], by: Anna } -> Guests([Ben, Cleo]))
            anna: [~Change something]
                That belonged to an earlier question, which is closed. Send "status" to see your answer.
        "#]],
    );
}

#[test]
fn a_second_tap_is_the_same_tap() {
    let mut world = World::after("anna: K7QF2M Holloway");
    let chat = world.play(
        "anna: [All 3]
         anna: [All 3]
         anna: [None for any of us]
         anna: [Yes, save it]
         anna: [Yes, save it]
         +16s
         anna: [Yes, save it]",
    );
    expect![[r#"
        anna: [All 3]
            Do you have any dietary needs or allergies? Write them, or pick "None".
            [None] [None for any of us]
        anna: [All 3]
        anna: [None for any of us]
            Your answer:
            Anna: coming
            Ben: coming
            Cleo: coming
            3 people are coming.
            Is this right?
            [Yes, save it] [Change something]
        anna: [Yes, save it]
            Saved. Thank you!
            You can change it until Fri 20 Nov, end of day, London time: send "change".
            For your calendar.
            <supper.ics>
            (AnsweredFor { guests: [Ben, Cleo], by: Anna } -> Guests([Ben, Cleo]))
        anna: [Yes, save it]
        +16s
        anna: [Yes, save it]
            That belonged to an earlier question, which is closed. Send "status" to see your answer.
    "#]]
    .assert_eq(&chat);
    assert_eq!(world.versions.values().copied().collect::<Vec<_>>(), [1], "saved once");
}

#[test]
fn a_button_of_somebody_else_does_nothing() {
    let mut world = World::after("anna: K7QF2M Holloway\nanna: all\nanna: none for all");
    world.play("maria: H4TR8W Santos\nmaria: yes\nmaria: none");
    let anna = world.conversations[&address("anna")].dialogue.asked;
    let maria = world.conversations[&address("maria")].dialogue.asked;
    assert_eq!(anna, maria, "the numbers are the same, the answers are not");
    world.play(&format!("maria: [#{anna}.save]"));
    let coming: Vec<&str> =
        world.guests.iter().filter(|guest| guest.num_guests > 0).map(|guest| guest.token.as_str()).collect();
    assert_eq!(coming, ["H4TR8W"], "Maria saved her own answer");
    let chat = world.play(
        "stranger: [#1.all]
         stranger: [#]
         stranger: [#0.]",
    );
    expect![[r#"
        stranger: [#1.all]
            Hello! I take the answers to your invitation. Please send your code and your last name in one message, like this: AB3DE7FG Miller. Type the last name as it stands on the invitation.
        stranger: [#]
            Hello! I take the answers to your invitation. Please send your code and your last name in one message, like this: AB3DE7FG Miller. Type the last name as it stands on the invitation.
        stranger: [#0.]
            Hello! I take the answers to your invitation. Please send your code and your last name in one message, like this: AB3DE7FG Miller. Type the last name as it stands on the invitation.
    "#]].assert_eq(&chat);
}

#[test]
fn forged_buttons() {
    let mut world = World::after("anna: K7QF2M Holloway\nanna: 2");
    let asked = world.conversations[&address("anna")].dialogue.asked;
    let maria = world.guests.iter().find(|guest| guest.token == "H4TR8W").unwrap().id;
    let ben = world.guest("Ben").id;
    for forged in [
        format!("{asked}.p{maria}"),
        format!("{asked}.c{ben}"),
        format!("{asked}.x{ben}"),
        format!("{asked}.save"),
        format!("{asked}.host"),
        format!("0{asked}.p{ben}"),
        format!("{}.p{ben}", asked + 1),
        format!("{asked}.p"),
        format!("{asked}.é"),
        asked.to_string(),
        "x".repeat(10_000),
    ] {
        let before = world.described(&address("anna"));
        let chat = world.play(&format!("anna: [#{forged}]"));
        assert!(chat.contains("That belonged to an earlier question"), "{chat}");
        assert_eq!(world.described(&address("anna")), before, "{forged}");
    }
}

/// Who is switched to is one of the logins, even while the group behind the question has changed.
#[test]
fn a_forged_switch_makes_nobody_somebody_else() {
    let mut world = World::after("anna: H4TR8W Santos\nanna: K7QF2M Holloway\nanna: 2\nanna: switch");
    world.raise("Anna");
    let asked = world.conversations[&address("anna")].dialogue.asked;
    let ben = world.guest("Ben").id;
    let chat = world.play(&format!("anna: [#{asked}.{ben}]"));
    assert_eq!(world.conversations[&address("anna")].active, Some(world.guest("Anna").id), "{chat}");
}

#[test]
fn a_button_pressed_while_nothing_is_asked() {
    after(
        "anna: K7QF2M Holloway\nanna: all\nanna: none for all\nanna: yes",
        "anna: [All 3]
         +1m
         anna: [Yes, save it]
         anna: [#9.zzz]",
        expect![[r#"
            anna: [All 3]
                That belonged to an earlier question, which is closed. Send "status" to see your answer.
            +1m
            anna: [Yes, save it]
                That belonged to an earlier question, which is closed. Send "status" to see your answer.
            anna: [#9.zzz]
                That belonged to an earlier question, which is closed. Send "status" to see your answer.
        "#]],
    );
}

#[test]
fn stickers_edits_and_contacts() {
    after(
        "anna: K7QF2M Holloway\nanna: all\nanna: none for all\nanna: yes\nanna: change\nanna: 2",
        "anna: <sticker>
         anna: <edit>
         anna: <contact>
         anna: <contact>
         anna: <other contact>
         anna: <unblock>
         ben: <sticker>
         ben: <edit>
         ben: <contact>
         ben: <other contact>
         ben: <unblock>
         ben: <block>",
        expect![[r#"
            anna: <sticker>
                I can only read typed text here. Please type your answer.
                Expected 3 but you said 2. Who is not coming?
                [Anna] [Ben] [Cleo] [Somebody does not know yet] [Start again]
            anna: <edit>
                I do not read edits of earlier messages. Please send a new message instead.
                How it stands for Harbour Supper:
                Anna: coming
                Ben: coming
                Cleo: coming
                3 people are coming.
                Expected 3 but you said 2. Who is not coming?
                [Anna] [Ben] [Cleo] [Somebody does not know yet] [Start again]
            anna: <contact>
                Thank you, I have noted your phone number.
                Expected 3 but you said 2. Who is not coming?
                [Anna] [Ben] [Cleo] [Somebody does not know yet] [Start again]
            anna: <contact>
                Thank you, I have noted your phone number.
                Expected 3 but you said 2. Who is not coming?
                [Anna] [Ben] [Cleo] [Somebody does not know yet] [Start again]
            anna: <other contact>
                That is somebody else's card. I only take your own number.
                Expected 3 but you said 2. Who is not coming?
                [Anna] [Ben] [Cleo] [Somebody does not know yet] [Start again]
            anna: <unblock>
            ben: <sticker>
                I can only read typed text here. Please type your answer.
                Hello! I take the answers to your invitation. Please send your code and your last name in one message, like this: AB3DE7FG Miller. Type the last name as it stands on the invitation.
            ben: <edit>
                I do not read edits of earlier messages. Please send a new message instead.
                Hello! I take the answers to your invitation. Please send your code and your last name in one message, like this: AB3DE7FG Miller. Type the last name as it stands on the invitation.
            ben: <contact>
                Hello! I take the answers to your invitation. Please send your code and your last name in one message, like this: AB3DE7FG Miller. Type the last name as it stands on the invitation.
            ben: <other contact>
                That is somebody else's card. I only take your own number.
                Hello! I take the answers to your invitation. Please send your code and your last name in one message, like this: AB3DE7FG Miller. Type the last name as it stands on the invitation.
            ben: <unblock>
            ben: <block>
        "#]],
    );
}

#[test]
fn a_blocked_bot_says_nothing_and_the_mark_clears_with_the_next_message() {
    let mut world = World::after("anna: K7QF2M Holloway\nanna: 2");
    let before = world.described(&address("anna"));
    world.play("anna: <block>");
    assert!(world.conversations[&address("anna")].unreachable);
    world.play("anna: <unblock>");
    assert!(!world.conversations[&address("anna")].unreachable);
    assert_eq!(world.described(&address("anna")), before);
}
