//! Several guests on one address, guests of one name, and whoever is somebody else.

use expect_test::expect;

use super::world::{World, after};

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
                You are not Anna Holloway? Then I remove this invitation from here and tell the host.
                [I am not Anna Holloway] [I am Anna Holloway]
            anna: all
                Sorry, I did not understand that.
                You are not Anna Holloway? Then I remove this invitation from here and tell the host.
                [I am not Anna Holloway] [I am Anna Holloway]
            anna: wrong number
                You are not Anna Holloway? Then I remove this invitation from here and tell the host.
                [I am not Anna Holloway] [I am Anna Holloway]
            anna: yes
                Sorry to have bothered you. The invitation is removed from here, and it is noted for the host.
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
                Sorry to have bothered you. The invitation is removed from here, and it is noted for the host.
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
            Dietary needs for you and your companion? Write whose and what, or reply
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
