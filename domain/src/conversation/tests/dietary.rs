//! Dietary needs, the read-back, and what can still change when.

use expect_test::{Expect, expect};

use super::world::{World, address, at};

fn after(setup: &str, script: &str, expected: Expect) {
    expected.assert_eq(&World::after(setup).play(script));
}

const SAVED: &str = "anna: K7QF2M Holloway\nanna: all\nanna: none\nanna: vegan\nanna: none\nanna: yes";

#[test]
fn kept_as_written() {
    let mut world = World::after("maria: H4TR8W Santos\nmaria: yes");
    let chat = world.play(
        "maria: yes
         maria: maybe
         maria: 2
         maria: 🎉
         maria:   *vegan_ & no <nuts>\\nbut cheese  
         maria: [Change something]
         maria: yes
         maria: [Keep as it is]",
    );
    expect![[r#"
        maria: yes
            Which ones? Please write what the kitchen should know.
            Do you have any dietary needs or allergies? Write them, or pick "None".
            [None]
        maria: maybe
            Which ones? Please write what the kitchen should know.
            Do you have any dietary needs or allergies? Write them, or pick "None".
            [None]
        maria: 2
            Sorry, I did not understand that.
            Do you have any dietary needs or allergies? Write them, or pick "None".
            [None]
        maria: 🎉
            Sorry, I did not understand that.
            Do you have any dietary needs or allergies? Write them, or pick "None".
            [None] [Leave a message for the host]
        maria:   *vegan_ & no <nuts>\nbut cheese
            Your answer:
            Maria: coming
            Maria eats: *vegan_ & no <nuts>
            but cheese
            1 person is coming.
            Is this right?
            [Yes, save it] [Change something]
        maria: [Change something]
            Are you coming?
            [Yes, I am coming] [No, I cannot come]
        maria: yes
            Noted so far: *vegan_ & no <nuts>
            but cheese
            Do you have any dietary needs or allergies? Write them, or pick "None".
            [None] [Keep as it is]
        maria: [Keep as it is]
            Your answer:
            Maria: coming
            Maria eats: *vegan_ & no <nuts>
            but cheese
            1 person is coming.
            Is this right?
            [Yes, save it] [Change something]
    "#]]
    .assert_eq(&chat);
    let long = "é".repeat(501);
    let chat = world.play(&format!(
        "maria: change\nmaria: yes\nmaria: {long}\nmaria: {}\nmaria: yes\nmaria: status",
        &long[..1000]
    ));
    expect![[r#"
        maria: change
            Are you coming?
            [Yes, I am coming] [No, I cannot come]
        maria: yes
            Noted so far: *vegan_ & no <nuts>
            but cheese
            Do you have any dietary needs or allergies? Write them, or pick "None".
            [None] [Keep as it is]
        maria: (501 characters)
            That is too long (501 characters, at most 500). Please shorten it; nothing is stored yet.
            Noted so far: *vegan_ & no <nuts>
            but cheese
            Do you have any dietary needs or allergies? Write them, or pick "None".
            [None] [Keep as it is]
        maria: (500 characters)
            Your answer:
            Maria: coming
            Maria eats: (500 characters)
            1 person is coming.
            Is this right?
            [Yes, save it] [Change something]
        maria: yes
            Saved. Thank you!
            You can change it until Fri 20 Nov, end of day, London time: send "change".
            For your calendar.
            <supper.ics>
        maria: status
            How it stands for Harbour Supper:
            Maria: coming
            Maria eats: (500 characters)
            1 person is coming.
            To change it, send "change".
    "#]]
    .assert_eq(&chat.replace(&long, "(501 characters)").replace(&long[..1000], "(500 characters)"));
    assert_eq!(world.guest("Maria").dietary, long[..1000]);
}

#[test]
fn everyday_ways_to_have_none() {
    for text in [
        "none",
        "No",
        "nothing",
        "n/a",
        "-",
        "no allergies",
        "None!",
        "nope",
        "👎",
        "I eat everything",
        "/",
        "none for all",
    ] {
        let mut world = World::after("maria: H4TR8W Santos\nmaria: yes");
        world.play(&format!("maria: {text}\nmaria: yes"));
        assert_eq!((world.guest("Maria").dietary.as_str(), world.guest("Maria").num_guests), ("", 1), "{text}");
    }
    for text in [
        "no nuts",
        "none of the fish please",
        "status quo: vegan",
        "when in doubt, vegan",
        "host knows",
        "address the nuts",
    ] {
        let mut world = World::after("maria: H4TR8W Santos\nmaria: yes");
        world.play(&format!("maria: {text}\nmaria: yes"));
        assert_eq!(world.guest("Maria").dietary, text);
    }
}

#[test]
fn noted_needs_are_not_lost_by_none_for_all() {
    after(
        SAVED,
        "anna: change
         anna: all
         anna: none for all
         anna: keep
         anna: none
         anna: yes",
        expect![[r#"
            anna: change
                How many of the 3 of you are coming?
                [All 3] [Some of us] [Only me] [None of us]
            anna: all
                Do you have any dietary needs or allergies? Write them, or pick "None".
                [None]
            anna: none for all
                Noted so far: vegan
                Any dietary needs or allergies for Ben? Write them, or pick "None".
                [None] [Keep as it is]
            anna: keep
                Any dietary needs or allergies for Cleo? Write them, or pick "None".
                [None]
            anna: none
                Your answer:
                Anna: coming
                Ben: coming
                Cleo: coming
                Ben eats: vegan
                3 people are coming.
                Is this right?
                [Yes, save it] [Change something]
            anna: yes
                Saved. Thank you!
                You can change it until Fri 20 Nov, end of day, London time: send "change".
                For your calendar.
                <supper.ics>
        "#]],
    );
}

#[test]
fn dietary_words_that_are_also_commands() {
    after(
        "anna: K7QF2M Holloway\nanna: all",
        "anna: menu
         anna: status
         anna: other
         anna: /details
         anna: change",
        expect![[r#"
            anna: menu
                You can send: status (your answer), details, change, decline, switch (another invitation), message (for the host), mute, language, logout. Not you? Send wrong person.
                Do you have any dietary needs or allergies? Write them, or pick "None".
                [None] [None for any of us]
            anna: status
                How it stands for Harbour Supper:
                Anna: no answer yet
                Ben: no answer yet
                Cleo: no answer yet
                Do you have any dietary needs or allergies? Write them, or pick "None".
                [None] [None for any of us]
            anna: other
                Any dietary needs or allergies for Ben? Write them, or pick "None".
                [None] [None for any of us]
            anna: /details
                Harbour Supper
                When: Sat 28 Nov 2026, 18:00, London time
                Where: The Old Boathouse
                Dress code: nautical
                Please answer by Fri 20 Nov, end of day, London time.
                Host: Mia, 07700 900555
                Any dietary needs or allergies for Ben? Write them, or pick "None".
                [None] [None for any of us]
            anna: change
                How many of the 3 of you are coming?
                [All 3] [Some of us] [Only me] [None of us]
        "#]],
    );
}

#[test]
fn companions_are_named_in_words() {
    after(
        "bob@sms: B8TAN7 Tanner",
        "bob@sms: 2
         bob@sms: 1
         bob@sms: the little one: no milk
         bob@sms: no
         bob@sms: 3
         bob@sms: 2",
        expect![[r#"
            bob@sms: 2
                Expected 3 but you said 2. Who is not coming?
                1 Bob
                2 One of Bob's companions
                3 Start again
            bob@sms: 1
                Dietary needs for the companions of Bob? Write whose and what, or reply
                1 None
            bob@sms: the little one: no milk
                Your answer:
                Coming: 2 companions of Bob.
                Companions of Bob eat: the little one: no milk.
                2 people are coming.
                Is this right?
                1 Save it
                2 Change something
            bob@sms: no
                Harbour Supper: how many are coming, you included? 3 are expected. Reply a number, ALL, ONLY ME or NONE.
            bob@sms: 3
                Noted so far: the little one: no milk
                Dietary needs for Bob and companions? Write whose and what, or reply
                1 None
                2 Keep as it is
            bob@sms: 2
                Your answer:
                Coming: Bob +2.
                Bob and companions eat: the little one: no milk.
                3 people are coming.
                Is this right?
                1 Save it
                2 Change something
        "#]],
    );
}

#[test]
fn the_deadline_counts_when_the_answer_comes() {
    let mut world = World::after("anna: K7QF2M Holloway\nanna: all\nanna: none\nanna: vegan\nanna: none");
    world.now = at("2026-11-20T23:59:59Z");
    let chat = world.play(
        "ben: B3NH4Z Holloway
         ben: 3
         +1s
         anna: [Yes, save it]
         ben: none
         ben: No
         ben: change
         anna: hello?
         anna: message
         anna: We are three after all!
         anna: decline",
    );
    expect![[r#"
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
        ben: 3
            Any dietary needs or allergies for Anna? Write them, or pick "None".
            [None] [None for any of us]
        +1s
        anna: [Yes, save it]
            Sorry, answers closed on Fri 20 Nov, end of day, London time. Nothing was changed.
            Please talk to the host: Mia, 07700 900555
        ben: none
            Sorry, answers closed on Fri 20 Nov, end of day, London time. Nothing was changed.
            Please talk to the host: Mia, 07700 900555
        ben: No
            Sorry, answers closed on Fri 20 Nov, end of day, London time. Nothing was changed.
            Please talk to the host: Mia, 07700 900555
        ben: change
            Sorry, answers closed on Fri 20 Nov, end of day, London time. Nothing was changed.
            Please talk to the host: Mia, 07700 900555
        anna: hello?
            How it stands for Harbour Supper:
            Anna: no answer yet
            Ben: no answer yet
            Cleo: no answer yet
            Answers closed on Fri 20 Nov, end of day, London time.
            Host: Mia, 07700 900555
        anna: message
            What would you like to tell the host? Your next message goes to them as you write it.
            [Never mind]
        anna: We are three after all!
            Thank you, the host will read it.
            (MessageLeft { guest: Anna, text: "We are three after all!" } -> Hosts(EventId("supper")))
        anna: decline
            Sorry, answers closed on Fri 20 Nov, end of day, London time. Nothing was changed.
            Please talk to the host: Mia, 07700 900555
    "#]]
    .assert_eq(&chat);
    assert!(world.guests.iter().all(|guest| guest.num_guests == 0));
}

#[test]
fn one_second_before_the_deadline_is_in_time() {
    let mut world = World::after("anna: K7QF2M Holloway\nanna: all\nanna: none for all");
    world.now = at("2026-11-20T23:59:59Z");
    world.play("anna: yes");
    assert_eq!(world.guests.iter().map(|guest| guest.num_guests).sum::<u32>(), 3);
}

#[test]
fn dietary_needs_change_until_the_event_starts() {
    let mut world = World::after(SAVED);
    world.now = at("2026-11-21T00:00:00Z");
    let chat = world.play(
        "anna: status
         anna: change
         anna: [Ben]
         anna: [Keep as it is]
         anna: change
         anna: [Anna]
         anna: no shellfish
         anna@sms: K7QF2M Holloway
         anna@sms: change
         anna@sms: 3
         anna@sms: 1
         anna@sms: change
         anna@sms: Ben",
    );
    expect![[r#"
        anna: status
            How it stands for Harbour Supper:
            Anna: coming
            Ben: coming
            Cleo: coming
            Ben eats: vegan
            3 people are coming.
            Answers closed on Fri 20 Nov, end of day, London time.
            Dietary needs can still be changed: send "change".
            Host: Mia, 07700 900555
        anna: change
            Sorry, answers closed on Fri 20 Nov, end of day, London time. Nothing was changed.
            Please talk to the host: Mia, 07700 900555
            Dietary needs may still change. For whom?
            [Anna] [Ben] [Cleo]
        anna: [Ben]
            Noted so far: vegan
            Any dietary needs or allergies for Ben? Write them, or pick "None".
            [None] [Keep as it is]
        anna: [Keep as it is]
            Noted, thank you.
            Ben eats: vegan
        anna: change
            Sorry, answers closed on Fri 20 Nov, end of day, London time. Nothing was changed.
            Please talk to the host: Mia, 07700 900555
            Dietary needs may still change. For whom?
            [Anna] [Ben] [Cleo]
        anna: [Anna]
            Do you have any dietary needs or allergies? Write them, or pick "None".
            [None]
        anna: no shellfish
            Noted, thank you.
            Anna eats: no shellfish
            Ben eats: vegan
        anna@sms: K7QF2M Holloway
            Welcome, Anna!
            Harbour Supper
            When: Sat 28 Nov 2026, 18:00, London time
            Where: The Old Boathouse
            Dress code: nautical
            Answers closed on Fri 20 Nov, end of day, London time.
            Coming: Anna, Ben and Cleo.
            3 people are expected.
            Dietary needs can still be changed: text CHANGE.
            Host: Mia, 07700 900555
            (LoggedInElsewhere { guest: Anna, channel: Sms } -> EveryAddressOf(Anna))
        anna@sms: change
            Sorry, answers closed on Fri 20 Nov, end of day, London time. Nothing was changed.
            Please talk to the host: Mia, 07700 900555
            Dietary needs may still change. For whom?
            1 Anna
            2 Ben
            3 Cleo
        anna@sms: 3
            Dietary needs or allergies for Cleo? Write them, or reply
            1 None
        anna@sms: 1
            Noted, thank you.
            Anna eats: no shellfish.
            Ben eats: vegan.
        anna@sms: change
            Sorry, answers closed on Fri 20 Nov, end of day, London time. Nothing was changed.
            Please talk to the host: Mia, 07700 900555
            Dietary needs may still change. For whom?
            1 Anna
            2 Ben
            3 Cleo
        anna@sms: Ben
            Noted so far: vegan
            Dietary needs or allergies for Ben? Write them, or reply
            1 None
            2 Keep as it is
    "#]]
    .assert_eq(&chat);
    world.now = at("2026-11-28T18:00:00Z");
    let chat = world.play("anna@sms: no milk\nanna@sms: change\nanna: details");
    expect![[r#"
        anna@sms: no milk
            Harbour Supper has begun; nothing can be changed any more.
            Please talk to the host: Mia, 07700 900555
        anna@sms: change
            Harbour Supper has begun; nothing can be changed any more.
            Please talk to the host: Mia, 07700 900555
        anna: details
            Harbour Supper
            When: Sat 28 Nov 2026, 18:00, London time
            Where: The Old Boathouse
            Dress code: nautical
            Answers closed on Fri 20 Nov, end of day, London time.
            Host: Mia, 07700 900555
    "#]]
    .assert_eq(&chat);
    assert_eq!(world.guest("Ben").dietary, "vegan");
}

#[test]
fn the_only_one_who_comes_is_asked_at_once() {
    let mut world = World::after("maria: H4TR8W Santos\nmaria: yes\nmaria: none\nmaria: yes");
    world.now = at("2026-11-22T00:00:00Z");
    let chat = world.play("maria: change\nmaria: hm?\nmaria: yes\nmaria: no eggs\nmaria: status");
    expect![[r#"
        maria: change
            Sorry, answers closed on Fri 20 Nov, end of day, London time. Nothing was changed.
            Please talk to the host: Mia, 07700 900555
            Do you have any dietary needs or allergies? Write them, or pick "None".
            [None]
        maria: hm?
            Noted, thank you.
            Maria eats: hm?
        maria: yes
            Sorry, answers closed on Fri 20 Nov, end of day, London time. Nothing was changed.
            Please talk to the host: Mia, 07700 900555
        maria: no eggs
            Sorry, I did not understand that.
            Send "menu" to see what I understand.
        maria: status
            How it stands for Harbour Supper:
            Maria: coming
            Maria eats: hm?
            1 person is coming.
            Answers closed on Fri 20 Nov, end of day, London time.
            Dietary needs can still be changed: send "change".
            Host: Mia, 07700 900555
    "#]]
    .assert_eq(&chat);
}

#[test]
fn late_dietary_needs_of_a_group_that_changes() {
    let mut world = World::after(SAVED);
    world.now = at("2026-11-22T00:00:00Z");
    world.play("anna: change\nanna: [Ben]");
    let ben = world.guest_mut("Ben");
    ben.status = crate::model::Status::Declined;
    crate::answer::count(ben);
    world.raise("Ben");
    let chat = world.play("anna: no nuts\nanna: [Anna]\nanna: no nuts");
    expect![[r#"
        anna: no nuts
            Something has changed in the meantime. This is how it stands:
            Anna: coming
            Ben: not coming
            Cleo: coming
            Sorry, answers closed on Fri 20 Nov, end of day, London time. Nothing was changed.
            Please talk to the host: Mia, 07700 900555
            Dietary needs may still change. For whom?
            [Anna] [Cleo]
        anna: [Anna]
            Do you have any dietary needs or allergies? Write them, or pick "None".
            [None]
        anna: no nuts
            Noted, thank you.
            Anna eats: no nuts
    "#]]
    .assert_eq(&chat);
    assert_eq!(world.guest("Ben").dietary, "vegan");
}

#[test]
fn change_something_from_the_read_back_begins_again() {
    after(
        "anna: K7QF2M Holloway\nanna: all\nanna: none for all",
        "anna: hm
         anna: hm
         anna: [Change something]
         anna: [~Yes, save it]
         anna: 2
         anna: Ben
         anna: none for all
         anna: wrong
         anna: all
         anna: none of us
         anna: looks good",
        expect![[r#"
            anna: hm
                Sorry, I did not understand that.
                Is this right?
                [Yes, save it] [Change something]
            anna: hm
                Sorry, I did not understand that.
                Is this right?
                [Yes, save it] [Change something] [Leave a message for the host]
            anna: [Change something]
                How many of the 3 of you are coming?
                [All 3] [Some of us] [Only me] [None of us]
            anna: [~Yes, save it]
                That belonged to an earlier question. Here is the present one:
                How many of the 3 of you are coming?
                [All 3] [Some of us] [Only me] [None of us]
            anna: 2
                Expected 3 but you said 2. Who is not coming?
                [Anna] [Ben] [Cleo] [Somebody does not know yet] [Start again]
            anna: Ben
                Do you have any dietary needs or allergies? Write them, or pick "None".
                [None] [None for any of us]
            anna: none for all
                Your answer:
                Anna: coming
                Ben: not coming
                Cleo: coming
                2 people are coming.
                Is this right?
                [Yes, save it] [Change something]
            anna: wrong
                How many of the 3 of you are coming?
                [All 3] [Some of us] [Only me] [None of us]
            anna: all
                Do you have any dietary needs or allergies? Write them, or pick "None".
                [None] [None for any of us]
            anna: none of us
                Your answer:
                Anna: coming
                Ben: coming
                Cleo: coming
                3 people are coming.
                Is this right?
                [Yes, save it] [Change something]
            anna: looks good
                Saved. Thank you!
                You can change it until Fri 20 Nov, end of day, London time: send "change".
                For your calendar.
                <supper.ics>
                (AnsweredFor { guests: [Ben, Cleo], by: Anna } -> Guests([Ben, Cleo]))
        "#]],
    );
}

#[test]
fn a_cancelled_event_takes_no_answer() {
    let mut world = World::after("anna: K7QF2M Holloway\nanna: all\nanna: none for all");
    world.events.get_mut(&"supper".into()).unwrap().cancelled_at = Some(world.now);
    let chat = world.play("anna: yes\nanna: status\nanna: change\nanna: decline\nanna: hi\nanna: details");
    expect![[r#"
        anna: yes
            Harbour Supper has been cancelled.
            Please talk to the host: Mia, 07700 900555
        anna: status
            How it stands for Harbour Supper:
            Anna: no answer yet
            Ben: no answer yet
            Cleo: no answer yet
            Harbour Supper has been cancelled.
            Host: Mia, 07700 900555
        anna: change
            Harbour Supper has been cancelled.
            Please talk to the host: Mia, 07700 900555
        anna: decline
            Harbour Supper has been cancelled.
            Please talk to the host: Mia, 07700 900555
        anna: hi
            How it stands for Harbour Supper:
            Anna: no answer yet
            Ben: no answer yet
            Cleo: no answer yet
            Harbour Supper has been cancelled.
            Host: Mia, 07700 900555
        anna: details
            Harbour Supper
            When: Sat 28 Nov 2026, 18:00, London time
            Where: The Old Boathouse
            Dress code: nautical
            Harbour Supper has been cancelled.
            Host: Mia, 07700 900555
    "#]]
    .assert_eq(&chat);
    assert_eq!(world.conversations[&address("anna")].dialogue.draft, None);
}
