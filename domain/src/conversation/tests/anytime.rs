//! What can be said at any time, and being misunderstood.

use expect_test::{Expect, expect};

use super::world::{World, address};

fn after(setup: &str, script: &str, expected: Expect) {
    expected.assert_eq(&World::after(setup).play(script));
}

#[test]
fn the_menu_and_what_it_offers() {
    after(
        "anna: K7QF2M Holloway\nanna: all\nanna: none for all\nanna: yes",
        "anna: menu
         anna: /status
         anna: details
         anna: switch
         anna: language
         anna: mute
         anna: unmute
         anna: message
         anna: [Never mind]
         anna: message
         anna: where?
         anna: thanks!
         anna: ok
         anna: logout
         anna: status",
        expect![[r#"
            anna: menu
                You can send: status (your answer), details, change, decline, switch (another invitation), message (for the host), mute, language, logout. Not you? Send wrong person.
            anna: /status
                How it stands for Harbour Supper:
                Anna: coming
                Ben: coming
                Cleo: coming
                3 people are coming.
                To change it, send "change".
            anna: details
                Harbour Supper
                When: Sat 28 Nov 2026, 18:00, London time
                Where: The Old Boathouse
                Dress code: nautical
                Please answer by Fri 20 Nov, end of day, London time.
                Host: Mia, 07700 900555
            anna: switch
                This is the only invitation here: Anna Holloway, Harbour Supper. To add another, send its code and last name.
            anna: language
                I only speak English so far.
            anna: mute
                All right, no more reminders. Your answers still count. Send "unmute" to get them again.
            anna: unmute
                You will get reminders again.
            anna: message
                What would you like to tell the host? Your next message goes to them as you write it.
                [Never mind]
            anna: [Never mind]
                All right.
            anna: message
                What would you like to tell the host? Your next message goes to them as you write it.
                [Never mind]
            anna: where?
                Thank you, the host will read it.
                (MessageLeft { guest: Anna, text: "where?" } -> Hosts(EventId("supper")))
            anna: thanks!
                You are welcome!
            anna: ok
                You are welcome!
            anna: logout
                You are logged out of Anna Holloway's invitation. To come back, send code and last name.
            anna: status
                Hello! I take the answers to your invitation. Please send your code and your last name in one message, like this: AB3DE7FG Miller. Type the last name as it stands on the invitation.
        "#]],
    );
}

#[test]
fn the_same_by_sms() {
    after(
        "anna@sms: K7QF2M Holloway\nanna@sms: 2\nanna@sms: 3",
        "anna@sms: MENU
         anna@sms: Mine
         anna@sms: details
         anna@sms: MESSAGE
         anna@sms: 1
         anna@sms: message
         anna@sms: Can we bring the dog?
         anna@sms: MUTE
         anna@sms: stop reminders
         anna@sms: LOGOUT",
        expect![[r#"
            anna@sms: MENU
                Text MINE (your answer), DETAILS, CHANGE, SWITCH, MESSAGE (for the host), MUTE, LANGUAGE, LOGOUT or WRONG PERSON.
                Do you have dietary needs or allergies? Write them, or reply
                1 None
                2 None for any of us
            anna@sms: Mine
                How it stands for Harbour Supper:
                No answer yet: Anna, Ben and Cleo.
                Do you have dietary needs or allergies? Write them, or reply
                1 None
                2 None for any of us
            anna@sms: details
                Harbour Supper
                When: Sat 28 Nov 2026, 18:00, London time
                Where: The Old Boathouse
                Dress code: nautical
                Please answer by Fri 20 Nov, end of day, London time.
                Host: Mia, 07700 900555
                Do you have dietary needs or allergies? Write them, or reply
                1 None
                2 None for any of us
            anna@sms: MESSAGE
                What would you like to tell the host? Your next message goes to them as you write it.
                1 Never mind
            anna@sms: 1
                All right.
                Do you have dietary needs or allergies? Write them, or reply
                1 None
                2 None for any of us
            anna@sms: message
                What would you like to tell the host? Your next message goes to them as you write it.
                1 Never mind
            anna@sms: Can we bring the dog?
                Thank you, the host will read it.
                Do you have dietary needs or allergies? Write them, or reply
                1 None
                2 None for any of us
                (MessageLeft { guest: Anna, text: "Can we bring the dog?" } -> Hosts(EventId("supper")))
            anna@sms: MUTE
                All right, no more reminders. Your answers still count. Text UNMUTE to get them again.
                Do you have dietary needs or allergies? Write them, or reply
                1 None
                2 None for any of us
            anna@sms: stop reminders
                All right, no more reminders. Your answers still count. Text UNMUTE to get them again.
                Do you have dietary needs or allergies? Write them, or reply
                1 None
                2 None for any of us
            anna@sms: LOGOUT
                You are logged out of Anna Holloway's invitation. To come back, send code and last name.
        "#]],
    );
}

#[test]
fn not_understood_twice_leads_to_the_host() {
    after(
        "anna: K7QF2M Holloway",
        "anna: what is this
         anna: I do not get it
         anna: [Leave a message for the host]
         anna: We come but later
         anna: 3
         anna: none for all
         anna: yes
         anna: blah blah
         anna: 🎉
         anna: Is there parking?
         anna: thanks",
        expect![[r#"
            anna: what is this
                Sorry, I did not understand that.
                How many are coming?
                [All 3] [Some of us] [Only me] [None of us]
            anna: I do not get it
                Sorry, I did not understand that.
                How many are coming?
                [All 3] [Some of us] [Only me] [None of us] [Leave a message for the host]
            anna: [Leave a message for the host]
                What would you like to tell the host? Your next message goes to them as you write it.
                [Never mind]
            anna: We come but later
                Thank you, the host will read it.
                How many of the 3 of you are coming?
                [All 3] [Some of us] [Only me] [None of us]
                (MessageLeft { guest: Anna, text: "We come but later" } -> Hosts(EventId("supper")))
            anna: 3
                Do you have any dietary needs or allergies? Write them, or pick "None".
                [None] [None for any of us]
            anna: none for all
                Your answer:
                Anna: coming
                Ben: coming
                Cleo: coming
                3 people are coming.
                Is this right?
                [Yes, save it] [Change something]
            anna: yes
                Saved. Thank you!
                You can change it until Fri 20 Nov, end of day, London time: send "change".
                For your calendar.
                <supper.ics>
                (AnsweredFor { guests: [Ben, Cleo], by: Anna } -> Guests([Ben, Cleo]))
            anna: blah blah
                Sorry, I did not understand that.
                Send "menu" to see what I understand.
            anna: 🎉
                Sorry, I did not understand that.
                What would you like to tell the host? Your next message goes to them as you write it.
                [Never mind]
            anna: Is there parking?
                Thank you, the host will read it.
                (MessageLeft { guest: Anna, text: "Is there parking?" } -> Hosts(EventId("supper")))
            anna: thanks
                You are welcome!
        "#]],
    );
}

#[test]
fn by_sms_the_way_to_the_host_is_said() {
    after(
        "anna@sms: K7QF2M Holloway",
        "anna@sms: pardon me
         anna@sms: pardon
         anna@sms: message
         anna@sms: never mind
         anna@sms: 2
         anna@sms: xyz
         anna@sms: xyz
         anna@sms: 6
         anna@sms: 1",
        expect![[r#"
            anna@sms: pardon me
                Sorry, I did not get that.
                How many are coming? Reply a number, ALL, ONLY ME or NONE.
            anna@sms: pardon
                Sorry, I did not get that.
                How many are coming? Reply a number, ALL, ONLY ME or NONE.
                Or text MESSAGE to write to the host.
            anna@sms: message
                What would you like to tell the host? Your next message goes to them as you write it.
                1 Never mind
            anna@sms: never mind
                All right.
                Harbour Supper: how many of the 3 of you are coming? Reply a number, ALL, ONLY ME or NONE.
            anna@sms: 2
                Expected 3 but you said 2. Who is not coming?
                1 Anna
                2 Ben
                3 Cleo
                4 Somebody is not sure
                5 Start again
            anna@sms: xyz
                Sorry, I did not get that.
                Who is not coming?
                1 Anna
                2 Ben
                3 Cleo
                4 Somebody is not sure
                5 Start again
            anna@sms: xyz
                Sorry, I did not get that.
                Who is not coming?
                1 Anna
                2 Ben
                3 Cleo
                4 Somebody is not sure
                5 Start again
                6 Message for the host
            anna@sms: 6
                What would you like to tell the host? Your next message goes to them as you write it.
                1 Never mind
            anna@sms: 1
                All right.
                Expected 3 but you said 2. Who is not coming?
                1 Anna
                2 Ben
                3 Cleo
                4 Somebody is not sure
                5 Start again
        "#]],
    );
}

#[test]
fn a_message_that_is_too_long_is_not_cut() {
    let mut world = World::after("anna: K7QF2M Holloway");
    let long = "x".repeat(2001);
    let chat = world.play(&format!("anna: message\nanna: {long}\nanna: {}", &long[1..]));
    expect![[r#"
        anna: message
            What would you like to tell the host? Your next message goes to them as you write it.
            [Never mind]
        anna: (2001 characters)
            That is too long (2001 characters, at most 2000). Please shorten it; nothing is stored yet.
            What would you like to tell the host? Your next message goes to them as you write it.
            [Never mind]
        anna: (2000 characters)
            Thank you, the host will read it.
            How many of the 3 of you are coming?
            [All 3] [Some of us] [Only me] [None of us]
            (MessageLeft { guest: Anna, text: "(2000 characters)" } -> Hosts(EventId("supper")))
    "#]]
    .assert_eq(&chat.replace(&long, "(2001 characters)").replace(&long[1..], "(2000 characters)"));
}

#[test]
fn wrong_person() {
    after(
        "anna: K7QF2M Holloway",
        "anna: not me
         anna: wrong person
         anna: hm
         anna: [I am Anna Holloway]
         anna: I am not this person
         anna: all
         anna: wrong number
         anna: yes
         anna: hello",
        expect![[r#"
            anna: not me
                Your answer:
                Anna: not coming
                Ben: no answer yet
                Cleo: no answer yet
                Nobody is coming so far.
                Is this right?
                [Yes, save it] [Change something]
            anna: wrong person
                You are not Anna Holloway? Then I remove this invitation from here and tell the host.
                [I am not Anna Holloway] [I am Anna Holloway]
            anna: hm
                Sorry, I did not understand that.
                You are not Anna Holloway? Then I remove this invitation from here and tell the host.
                [I am not Anna Holloway] [I am Anna Holloway]
            anna: [I am Anna Holloway]
                All right.
                Your answer:
                Anna: not coming
                Ben: no answer yet
                Cleo: no answer yet
                Nobody is coming so far.
                Is this right?
                [Yes, save it] [Change something]
            anna: I am not this person
                Sorry, I did not understand that.
                Is this right?
                [Yes, save it] [Change something]
            anna: all
                Sorry, I did not understand that.
                Is this right?
                [Yes, save it] [Change something] [Leave a message for the host]
            anna: wrong number
                You are not Anna Holloway? Then I remove this invitation from here and tell the host.
                [I am not Anna Holloway] [I am Anna Holloway]
            anna: yes
                Sorry to have bothered you. The invitation is removed from here, and the host knows.
                (WrongPerson { guest: Anna, channel: Telegram } -> Hosts(EventId("supper")))
            anna: hello
                Hello! I take the answers to your invitation. Please send your code and your last name in one message, like this: AB3DE7FG Miller. Type the last name as it stands on the invitation.
        "#]],
    );
}

#[test]
fn the_wrong_person_for_one_of_two() {
    after(
        "anna: H4TR8W Santos\nanna: K7QF2M Holloway",
        "anna: wrong person
         anna: [I am not Anna Holloway]
         anna: yes",
        expect![[r#"
            anna: wrong person
                You are not Anna Holloway? Then I remove this invitation from here and tell the host.
                [I am not Anna Holloway] [I am Anna Holloway]
            anna: [I am not Anna Holloway]
                Sorry to have bothered you. The invitation is removed from here, and the host knows.
                You now speak for Maria Santos (Harbour Supper).
                Harbour Supper
                When: Sat 28 Nov 2026, 18:00, London time
                Where: The Old Boathouse
                Dress code: nautical
                Please answer by Fri 20 Nov, end of day, London time.
                Maria: no answer yet
                1 person is expected.
                Are you coming?
                [Yes, I am coming] [No, I cannot come]
                (WrongPerson { guest: Anna, channel: Telegram } -> Hosts(EventId("supper")))
            anna: yes
                Do you have any dietary needs or allergies? Write them, or pick "None".
                [None]
        "#]],
    );
}

#[test]
fn two_guests_on_one_address() {
    let mut world = World::after("anna@sms: K7QF2M Holloway\nanna@sms: 2");
    let chat = world.play(
        "anna@sms: H4TR8W Santos
         anna@sms: 1
         anna@sms: SWITCH
         anna@sms: 3
         anna@sms: 1
         anna@sms: 3
         anna@sms: switch
         anna@sms: maria
         anna@sms: none
         anna@sms: 1
         anna@sms: logout
         anna@sms: logout",
    );
    expect![[r#"
        anna@sms: H4TR8W Santos
            Welcome, Maria!
            Harbour Supper
            When: Sat 28 Nov 2026, 18:00, London time
            Where: The Old Boathouse
            Dress code: nautical
            Please answer by Fri 20 Nov, end of day, London time.
            No answer yet: Maria.
            1 person is expected.
            Harbour Supper: are you coming? Reply 1 if you are, 0 if not.
            (LoggedInElsewhere { guest: Maria, channel: Sms } -> EveryAddressOf(Maria))
        anna@sms: 1
            Do you have dietary needs or allergies? Write them, or reply
            1 None
        anna@sms: SWITCH
            For which invitation?
            1 Anna Holloway, Harbour Supper
            2 Maria Santos, Harbour Supper
        anna@sms: 3
            Sorry, I did not get that.
            For which invitation?
            1 Anna Holloway, Harbour Supper
            2 Maria Santos, Harbour Supper
        anna@sms: 1
            You now speak for Anna Holloway (Harbour Supper).
            Harbour Supper
            When: Sat 28 Nov 2026, 18:00, London time
            Where: The Old Boathouse
            Dress code: nautical
            Please answer by Fri 20 Nov, end of day, London time.
            No answer yet: Anna, Ben and Cleo.
            3 people are expected.
            Harbour Supper: how many of the 3 of you are coming? Reply a number, ALL, ONLY ME or NONE.
        anna@sms: 3
            Do you have dietary needs or allergies? Write them, or reply
            1 None
            2 None for any of us
        anna@sms: switch
            For which invitation?
            1 Anna Holloway, Harbour Supper
            2 Maria Santos, Harbour Supper
        anna@sms: maria
            You now speak for Maria Santos (Harbour Supper).
            Harbour Supper
            When: Sat 28 Nov 2026, 18:00, London time
            Where: The Old Boathouse
            Dress code: nautical
            Please answer by Fri 20 Nov, end of day, London time.
            No answer yet: Maria.
            1 person is expected.
            Harbour Supper: are you coming? Reply 1 if you are, 0 if not.
        anna@sms: none
            Your answer:
            Not coming: Maria.
            Nobody is coming.
            Is this right?
            1 Save it
            2 Change something
        anna@sms: 1
            Saved, thank you! To change it until Fri 20 Nov, end of day, London time, text CHANGE.
        anna@sms: logout
            You are logged out of Maria Santos's invitation. To come back, send code and last name.
            You now speak for Anna Holloway (Harbour Supper).
            Harbour Supper
            When: Sat 28 Nov 2026, 18:00, London time
            Where: The Old Boathouse
            Dress code: nautical
            Please answer by Fri 20 Nov, end of day, London time.
            No answer yet: Anna, Ben and Cleo.
            3 people are expected.
            Harbour Supper: how many of the 3 of you are coming? Reply a number, ALL, ONLY ME or NONE.
        anna@sms: logout
            You are logged out of Anna Holloway's invitation. To come back, send code and last name.
    "#]]
    .assert_eq(&chat);
}

#[test]
fn two_guests_of_the_same_name() {
    after(
        "maria: H4TR8W Santos\nmaria: P9DX3C Santos",
        "maria: switch
         maria: Maria Santos
         maria: [Maria Santos (H4TR8W), Harbour Supper]
         maria: yes
         maria: none
         maria: yes
         maria: switch
         maria: P9DX3C",
        expect![[r#"
            maria: switch
                For which invitation?
                [Maria Santos (H4TR8W), Harbour Supper] [Maria Santos (P9DX3C), Harbour Supper]
            maria: Maria Santos
                Several fit that name. Please say which one you mean.
                For which invitation?
                [Maria Santos (H4TR8W), Harbour Supper] [Maria Santos (P9DX3C), Harbour Supper]
            maria: [Maria Santos (H4TR8W), Harbour Supper]
                You now speak for Maria Santos (Harbour Supper).
                Harbour Supper
                When: Sat 28 Nov 2026, 18:00, London time
                Where: The Old Boathouse
                Dress code: nautical
                Please answer by Fri 20 Nov, end of day, London time.
                Maria: no answer yet
                1 person is expected.
                Are you coming?
                [Yes, I am coming] [No, I cannot come]
            maria: yes
                Do you have any dietary needs or allergies? Write them, or pick "None".
                [None]
            maria: none
                Your answer:
                Maria: coming
                1 person is coming.
                Is this right?
                [Yes, save it] [Change something]
            maria: yes
                Saved. Thank you!
                You can change it until Fri 20 Nov, end of day, London time: send "change".
                For your calendar.
                <supper.ics>
            maria: switch
                For which invitation?
                [Maria Santos (H4TR8W), Harbour Supper] [Maria Santos (P9DX3C), Harbour Supper]
            maria: P9DX3C
                You now speak for Maria Santos (Harbour Supper).
                Harbour Supper
                When: Sat 28 Nov 2026, 18:00, London time
                Where: The Old Boathouse
                Dress code: nautical
                Please answer by Fri 20 Nov, end of day, London time.
                Maria: no answer yet
                1 person is expected.
                Are you coming?
                [Yes, I am coming] [No, I cannot come]
        "#]],
    );
}

#[test]
fn two_events() {
    let mut world = World::new();
    world.events.insert("brunch".into(), super::world::event("brunch", "Farewell Brunch"));
    world.add("Anna", "Holloway", "BRUNC8", None, 2);
    world.guests.last_mut().unwrap().event_id = "brunch".into();
    let chat = world.play(
        "anna@sms: K7QF2M Holloway
         anna@sms: BRUNC8 Holloway
         anna@sms: 2
         anna@sms: switch
         anna@sms: harbour supper
         anna@sms: 3",
    );
    expect![[r#"
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
        anna@sms: BRUNC8 Holloway
            Welcome, Anna!
            Farewell Brunch
            When: Sat 28 Nov 2026, 18:00, London time
            Where: The Old Boathouse
            Dress code: nautical
            Please answer by Fri 20 Nov, end of day, London time.
            No answer yet: Anna +1.
            2 people are expected.
            Farewell Brunch: how many are coming, you included? 2 are expected. Reply a number, ALL, ONLY ME or NONE.
            (LoggedInElsewhere { guest: Anna, channel: Sms } -> EveryAddressOf(Anna))
        anna@sms: 2
            Dietary needs for Anna and companion? Write whose and what, or reply
            1 None
        anna@sms: switch
            For which invitation?
            1 Anna Holloway, Harbour Supper
            2 Anna Holloway, Farewell Brunch
        anna@sms: harbour supper
            You now speak for Anna Holloway (Harbour Supper).
            Harbour Supper
            When: Sat 28 Nov 2026, 18:00, London time
            Where: The Old Boathouse
            Dress code: nautical
            Please answer by Fri 20 Nov, end of day, London time.
            No answer yet: Anna, Ben and Cleo.
            3 people are expected.
            Harbour Supper: how many of the 3 of you are coming? Reply a number, ALL, ONLY ME or NONE.
        anna@sms: 3
            Do you have dietary needs or allergies? Write them, or reply
            1 None
            2 None for any of us
    "#]]
    .assert_eq(&chat);
}

#[test]
fn people_of_one_name_in_a_group_are_told_apart() {
    let mut world = World::new();
    world.add("John", "Doe", "J4HND2", Some("does"), 1);
    world.add("John", "Doe", "J4HND3", Some("does"), 1);
    world.add("Jane", "Doe", "J4NED2", Some("does"), 1);
    world.add("Jane", "Roe", "J4NER2", Some("does"), 1);
    let chat = world.play(
        "jane: J4NED2 Doe
         jane: 3, John can't come
         jane: 3
         jane: John Doe
         jane: Jane
         jane: Jane Roe",
    );
    expect![[r#"
        jane: J4NED2 Doe
            Welcome, Jane!
            Harbour Supper
            When: Sat 28 Nov 2026, 18:00, London time
            Where: The Old Boathouse
            Dress code: nautical
            Please answer by Fri 20 Nov, end of day, London time.
            John Doe (1): no answer yet
            John Doe (2): no answer yet
            Jane Doe: no answer yet
            Jane Roe: no answer yet
            4 people are expected.
            How many of the 4 of you are coming?
            [All 4] [Some of us] [Only me] [None of us]
            (LoggedInElsewhere { guest: Jane, channel: Telegram } -> EveryAddressOf(Jane))
        jane: 3, John can't come
            Several fit that name. Please say which one you mean.
            How many are coming?
            [All 4] [Some of us] [Only me] [None of us]
        jane: 3
            Expected 4 but you said 3. Who is not coming?
            [John Doe (1)] [John Doe (2)] [Jane Doe] [Jane Roe] [Somebody does not know yet] [Start again]
        jane: John Doe
            Several fit that name. Please say which one you mean.
            Who is not coming?
            [John Doe (1)] [John Doe (2)] [Jane Doe] [Jane Roe] [Somebody does not know yet] [Start again]
        jane: Jane
            Several fit that name. Please say which one you mean.
            Who is not coming?
            [John Doe (1)] [John Doe (2)] [Jane Doe] [Jane Roe] [Somebody does not know yet] [Start again] [Leave a message for the host]
        jane: Jane Roe
            Any dietary needs or allergies for John Doe (1)? Write them, or pick "None".
            [None] [None for any of us]
    "#]].assert_eq(&chat);
}

#[test]
fn commands_leave_the_open_question_open() {
    for ask in ["", "2", "all", "all\nanna: none for all", "5", "none", "only me", "some"] {
        for command in
            ["status", "details", "menu", "mute", "unmute", "/help", "message\nanna: never mind", "switch", "language"]
        {
            let mut world = World::after("anna: K7QF2M Holloway");
            if !ask.is_empty() {
                world.play(&format!("anna: {ask}"));
            }
            let before = world.described(&address("anna"));
            world.play(&format!("anna: {command}"));
            assert_eq!(world.described(&address("anna")), before, "{command}");
        }
    }
}
