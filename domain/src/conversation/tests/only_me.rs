//! Only me, and nobody: what becomes of the others.

use expect_test::expect;

use super::world::{World, after};

#[test]
fn only_me_and_the_others_answer_themselves() {
    after(
        "anna: K7QF2M Holloway",
        "anna: [Only me]
         anna: what about them
         anna: [They answer themselves]
         anna: nut allergy
         anna: yes
         ben: B3NH4Z Holloway
         ben: [Only for me]
         ben: [No, I cannot come]
         ben: [Yes, save it]
         anna: status
         anna: change",
        expect![[r#"
            anna: [Only me]
                And Ben and Cleo: not coming, or will they answer themselves?
                [Not coming] [They answer themselves]
            anna: what about them
                Sorry, I did not understand that.
                And Ben and Cleo: not coming, or will they answer themselves?
                [Not coming] [They answer themselves]
            anna: [They answer themselves]
                Do you have any dietary needs or allergies? Write them, or pick "None".
                [None]
            anna: nut allergy
                Your answer:
                Anna: coming
                Ben: no answer yet
                Cleo: no answer yet
                Dietary needs, Anna: nut allergy
                1 person is coming so far.
                Is this right?
                [Yes, save it] [Change something]
            anna: yes
                Saved. Thank you!
                You can change it until Fri 20 Nov, end of day, London time: send "change".
                For your calendar.
                <supper.ics>
            ben: B3NH4Z Holloway
                Welcome, Ben!
                Harbour Supper
                When: Sat 28 Nov 2026, 18:00, London time
                Where: The Old Boathouse
                Dress code: nautical
                Please answer by Fri 20 Nov, end of day, London time.
                Anna: coming
                Ben: no answer yet
                Cleo: no answer yet
                3 people are expected.
                Anna already answered. Is your answer for you, or for everybody?
                [Only for me] [For everybody]
                (LoggedInElsewhere { guest: Ben, channel: Telegram } -> EveryAddressOf(Ben))
            ben: [Only for me]
                Are you coming?
                [Yes, I am coming] [No, I cannot come]
            ben: [No, I cannot come]
                Your answer:
                Anna: coming
                Ben: not coming
                Cleo: no answer yet
                Dietary needs, Anna: nut allergy
                1 person is coming so far.
                Is this right?
                [Yes, save it] [Change something]
            ben: [Yes, save it]
                Saved. Thank you!
                You can change it until Fri 20 Nov, end of day, London time: send "change".
            anna: status
                How it stands for Harbour Supper:
                Anna: coming
                Ben: not coming
                Cleo: no answer yet
                Dietary needs, Anna: nut allergy
                1 person is coming so far.
                To change it, send "change".
            anna: change
                Ben already answered. Is your answer for you, or for everybody?
                [Only for me] [For everybody]
        "#]],
    );
}

#[test]
fn only_me_and_the_others_do_not_come() {
    after(
        "anna@sms: K7QF2M Holloway",
        "anna@sms: ONLY ME
         anna@sms: 1
         anna@sms: no
         anna@sms: 1",
        expect![[r#"
            anna@sms: ONLY ME
                And Ben and Cleo: not coming, or will they answer themselves?
                1 Not coming
                2 They answer themselves
            anna@sms: 1
                Do you have dietary needs or allergies? Write them, or reply
                1 None
            anna@sms: no
                Your answer:
                Coming: Anna.
                Not coming: Ben and Cleo.
                1 person is coming.
                Is this right?
                1 Save it
                2 Change something
            anna@sms: 1
                Saved, thank you! To change it until Fri 20 Nov, end of day, London time, text CHANGE.
                (AnsweredFor { guests: [Ben, Cleo], by: Anna } -> Guests([Ben, Cleo]))
        "#]],
    );
}

#[test]
fn nobody_or_only_me_not() {
    after(
        "anna: K7QF2M Holloway",
        "anna: [None of us]
         anna: maybe
         anna: [Only I cannot come]
         anna: [Yes, save it]
         anna: change
         anna: [For everybody]
         anna: none
         anna: [Yes, save it]
         anna: change
         anna: nobody
         anna: everyone
         anna: no
         anna: decline",
        expect![[r#"
            anna: [None of us]
                Is nobody coming, or is it only you who cannot?
                [Nobody is coming] [Only I cannot come]
            anna: maybe
                Sorry, I did not understand that.
                Is nobody coming, or is it only you who cannot?
                [Nobody is coming] [Only I cannot come]
            anna: [Only I cannot come]
                Your answer:
                Anna: not coming
                Ben: no answer yet
                Cleo: no answer yet
                Nobody is coming so far.
                Is this right?
                [Yes, save it] [Change something]
            anna: [Yes, save it]
                Saved. Thank you!
                You can change it until Fri 20 Nov, end of day, London time: send "change".
            anna: change
                You have already answered. Is this for you, or for everybody?
                [Only for me] [For everybody]
            anna: [For everybody]
                How many of the 3 of you are coming?
                [All 3] [Some of us] [Only me] [None of us]
            anna: none
                Your answer:
                Anna: not coming
                Ben: not coming
                Cleo: not coming
                Nobody is coming.
                Is this right?
                [Yes, save it] [Change something]
            anna: [Yes, save it]
                Saved. Thank you!
                You can change it until Fri 20 Nov, end of day, London time: send "change".
                (AnsweredFor { guests: [Ben, Cleo], by: Anna } -> Guests([Ben, Cleo]))
            anna: change
                How many of the 3 of you are coming?
                [All 3] [Some of us] [Only me] [None of us]
            anna: nobody
                Is nobody coming, or is it only you who cannot?
                [Nobody is coming] [Only I cannot come]
            anna: everyone
                Your answer:
                Anna: not coming
                Ben: not coming
                Cleo: not coming
                Nobody is coming.
                Is this right?
                [Yes, save it] [Change something]
            anna: no
                How many of the 3 of you are coming?
                [All 3] [Some of us] [Only me] [None of us]
            anna: decline
                Is nobody coming, or is it only you who cannot?
                [Nobody is coming] [Only I cannot come]
        "#]],
    );
}

/// Whoever was said to come is not left coming by an "only me", nor taken off without being asked about.
#[test]
fn only_me_after_all_were_said_to_come() {
    let mut world = World::after("anna@sms: K7QF2M Holloway\nanna@sms: all\nanna@sms: none for all\nanna@sms: 1");
    let chat = world.play(
        "anna@sms: change
         anna@sms: ONLY ME
         anna@sms: 1
         anna@sms: none
         anna@sms: 1
         ben@sms: B3NH4Z Holloway
         ben@sms: change
         ben@sms: all
         ben@sms: yes
         ben@sms: none for all
         ben@sms: 1
         anna@sms: only me
         anna@sms: not coming
         anna@sms: leave it
         anna@sms: none
         anna@sms: 2
         anna@sms: just me
         anna@sms: they answer themselves
         anna@sms: none
         anna@sms: yes",
    );
    expect![[r#"
        anna@sms: change
            Harbour Supper: how many of the 3 of you are coming? Reply a number, ALL, ONLY ME or NONE.
        anna@sms: ONLY ME
            And Ben and Cleo: not coming, or will they answer themselves?
            1 Not coming
            2 They answer themselves
        anna@sms: 1
            Do you have dietary needs or allergies? Write them, or reply
            1 None
        anna@sms: none
            Your answer:
            Coming: Anna.
            Not coming: Ben and Cleo.
            1 person is coming.
            Is this right?
            1 Save it
            2 Change something
        anna@sms: 1
            Saved, thank you! To change it until Fri 20 Nov, end of day, London time, text CHANGE.
            (AnsweredFor { guests: [Ben, Cleo], by: Anna } -> Guests([Ben, Cleo]))
        ben@sms: B3NH4Z Holloway
            Welcome, Ben!
            Harbour Supper
            When: Sat 28 Nov 2026, 18:00, London time
            Where: The Old Boathouse
            Dress code: nautical
            Please answer by Fri 20 Nov, end of day, London time.
            Coming: Anna.
            Not coming: Ben and Cleo.
            3 people are expected.
            To change it, text CHANGE.
            (LoggedInElsewhere { guest: Ben, channel: Sms } -> EveryAddressOf(Ben))
        ben@sms: change
            Harbour Supper: how many of the 3 of you are coming? Reply a number, ALL, ONLY ME or NONE.
        ben@sms: all
            Anna had answered for Cleo: not coming. Change that?
            1 Yes, change it
            2 No, leave it
        ben@sms: yes
            Dietary needs or allergies for Anna? Write them, or reply
            1 None
            2 None for any of us
        ben@sms: none for all
            Your answer:
            Coming: Anna, Ben and Cleo.
            3 people are coming.
            Is this right?
            1 Save it
            2 Change something
        ben@sms: 1
            Saved, thank you! To change it until Fri 20 Nov, end of day, London time, text CHANGE.
            (AnsweredFor { guests: [Cleo], by: Ben } -> Guests([Cleo]))
        anna@sms: only me
            And Ben and Cleo: not coming, or will they answer themselves?
            1 Not coming
            2 They answer themselves
        anna@sms: not coming
            Ben had answered: coming.
            Ben had answered for Cleo: coming. Change that?
            1 Yes, change it
            2 No, leave it
        anna@sms: leave it
            Do you have dietary needs or allergies? Write them, or reply
            1 None
        anna@sms: none
            Your answer:
            Coming: Anna, Ben and Cleo.
            3 people are coming.
            Is this right?
            1 Save it
            2 Change something
        anna@sms: 2
            Harbour Supper: how many of the 3 of you are coming? Reply a number, ALL, ONLY ME or NONE.
        anna@sms: just me
            And Ben and Cleo: not coming, or will they answer themselves?
            1 Not coming
            2 They answer themselves
        anna@sms: they answer themselves
            Do you have dietary needs or allergies? Write them, or reply
            1 None
        anna@sms: none
            Your answer:
            Coming: Anna, Ben and Cleo.
            3 people are coming.
            Is this right?
            1 Save it
            2 Change something
        anna@sms: yes
            Saved, thank you! To change it until Fri 20 Nov, end of day, London time, text CHANGE.
    "#]]
    .assert_eq(&chat);
}

/// What Anna had said for them is no answer of their own.
#[test]
fn they_answer_themselves_after_i_had_answered_for_them() {
    let mut world = World::after("anna: K7QF2M Holloway\nanna: all\nanna: none for all\nanna: yes");
    let chat = world.play("anna: only me\nanna: [They answer themselves]\nanna: none\nanna: yes");
    expect![[r#"
        anna: only me
            And Ben and Cleo: not coming, or will they answer themselves?
            [Not coming] [They answer themselves]
        anna: [They answer themselves]
            Do you have any dietary needs or allergies? Write them, or pick "None".
            [None]
        anna: none
            Your answer:
            Anna: coming
            Ben: no answer yet
            Cleo: no answer yet
            1 person is coming so far.
            Is this right?
            [Yes, save it] [Change something]
        anna: yes
            Saved. Thank you!
            You can change it until Fri 20 Nov, end of day, London time: send "change".
            For your calendar.
            <supper.ics>
            (AnsweredFor { guests: [Ben, Cleo], by: Anna } -> Guests([Ben, Cleo]))
    "#]]
    .assert_eq(&chat);
}
