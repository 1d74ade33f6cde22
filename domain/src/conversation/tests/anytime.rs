//! What can be said at any time, and being misunderstood.

use expect_test::expect;

use super::world::{World, address, after};

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
                Thank you, it is noted for the host.
                If it is urgent: Mia, 07700 900555
                (MessageLeft { guest: Anna, text: "where?" } -> Hosts(EventId("supper")))
            anna: thanks!
                With pleasure!
            anna: ok
                With pleasure!
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
                Text MINE (your answer), DETAILS, CHANGE, DECLINE, SWITCH, MESSAGE (for the host), MUTE, LANGUAGE, LOGOUT or WRONG PERSON.
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
                Thank you, it is noted for the host.
                If it is urgent: Mia, 07700 900555
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
                Thank you, it is noted for the host.
                If it is urgent: Mia, 07700 900555
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
                Send "menu" to see what I understand.
                Or send "message" to write to the host.
            anna: Is there parking?
                Sorry, I did not understand that.
                Send "menu" to see what I understand.
                Or send "message" to write to the host.
            anna: thanks
                With pleasure!
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
            Thank you, it is noted for the host.
            If it is urgent: Mia, 07700 900555
            How many of the 3 of you are coming?
            [All 3] [Some of us] [Only me] [None of us]
            (MessageLeft { guest: Anna, text: "(2000 characters)" } -> Hosts(EventId("supper")))
    "#]]
    .assert_eq(&chat.replace(&long, "(2001 characters)").replace(&long[1..], "(2000 characters)"));
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

const ALL_COME: &str = "anna: K7QF2M Holloway\nanna: all\nanna: none for all\nanna: yes";

#[test]
fn a_change_of_mind_in_plain_words() {
    after(
        ALL_COME,
        "anna: we are all coming!
         anna: I can't come any more, sorry
         anna: yes
         anna: Change please
         anna: decline
         anna: nobody
         anna: yes
         anna: actually we are coming after all
         anna: none
         anna: none, thanks!
         anna: none
         anna: save
         anna: we cannot come anymore",
        expect![[r#"
            anna: we are all coming!
                How it stands for Harbour Supper:
                Anna: coming
                Ben: coming
                Cleo: coming
                3 people are coming.
                To change it, send "change".
            anna: I can't come any more, sorry
                Is nobody coming, or is it only you who cannot?
                [Nobody is coming] [Only I cannot come]
            anna: yes
                Sorry, I did not understand that.
                Is nobody coming, or is it only you who cannot?
                [Nobody is coming] [Only I cannot come]
            anna: Change please
                How many of the 3 of you are coming?
                [All 3] [Some of us] [Only me] [None of us]
            anna: decline
                Is nobody coming, or is it only you who cannot?
                [Nobody is coming] [Only I cannot come]
            anna: nobody
                Your answer:
                Anna: not coming
                Ben: not coming
                Cleo: not coming
                Nobody is coming.
                Is this right?
                [Yes, save it] [Change something]
            anna: yes
                Saved. Thank you!
                You can change it until Fri 20 Nov, end of day, London time: send "change".
                (AnsweredFor { guests: [Ben, Cleo], by: Anna } -> Guests([Ben, Cleo]))
            anna: actually we are coming after all
                Do you have any dietary needs or allergies? Write them, or pick "None".
                [None] [None for any of us]
            anna: none
                Any dietary needs or allergies for Ben? Write them, or pick "None".
                [None] [None for any of us]
            anna: none, thanks!
                Any dietary needs or allergies for Cleo? Write them, or pick "None".
                [None]
            anna: none
                Your answer:
                Anna: coming
                Ben: coming
                Cleo: coming
                3 people are coming.
                Is this right?
                [Yes, save it] [Change something]
            anna: save
                Saved. Thank you!
                You can change it until Fri 20 Nov, end of day, London time: send "change".
                For your calendar.
                <supper.ics>
                (AnsweredFor { guests: [Ben, Cleo], by: Anna } -> Guests([Ben, Cleo]))
            anna: we cannot come anymore
                Is nobody coming, or is it only you who cannot?
                [Nobody is coming] [Only I cannot come]
        "#]],
    );
}
