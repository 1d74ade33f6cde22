//! Dietary needs and the read-back.

use expect_test::expect;

use super::world::{World, after};

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
            Dietary needs, Maria: *vegan_ & no <nuts>
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
            Dietary needs, Maria: *vegan_ & no <nuts>
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
            Dietary needs, Maria: (500 characters)
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
            Dietary needs, Maria: (500 characters)
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
        "none, thanks!",
        "no, thank you",
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
                Dietary needs, Ben: vegan
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
                Dietary needs for your companions? Write whose and what, or reply
                1 None
            bob@sms: the little one: no milk
                Your answer:
                Coming: 2 companions of Bob.
                Not coming: Bob.
                Dietary, companions of Bob: the little one: no milk.
                2 people are coming.
                Is this right?
                1 Save it
                2 Change something
            bob@sms: no
                Harbour Supper: how many are coming, you included? 3 are expected. Reply a number, ALL, ONLY ME or NONE.
            bob@sms: 3
                Noted so far: the little one: no milk
                Dietary needs for you and your companions? Write whose and what, or reply
                1 None
                2 Keep as it is
            bob@sms: 2
                Your answer:
                Coming: Bob +2.
                Dietary, Bob and companions: the little one: no milk.
                3 people are coming.
                Is this right?
                1 Save it
                2 Change something
        "#]],
    );
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
