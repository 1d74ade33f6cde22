//! Fewer than expected: who is not coming, and who does not know yet.

use expect_test::{Expect, expect};

use super::world::{World, after};

/// Ann with two small children, her husband Carl, and Dora.
fn mixed() -> World {
    let mut world = World::new();
    world.add("Ann", "Berg", "ANNB24", Some("berg"), 3);
    world.add("Carl", "Berg", "CARL24", Some("berg"), 1);
    world.add("Dora", "Berg", "D4RA24", Some("berg"), 1);
    world
}

fn mixed_after(setup: &str, script: &str, expected: Expect) {
    let mut world = mixed();
    world.play(setup);
    expected.assert_eq(&world.play(script));
}

#[test]
fn fewer_with_companions_one_by_one() {
    mixed_after(
        "carl: CARL24 Berg",
        "carl: 2
         carl: [One of Ann's companions]
         carl: Ann's companion
         carl: Dora
         carl: none of us
         carl: [Yes, save it]",
        expect![[r#"
            carl: 2
                Expected 5 but you said 2. Who is not coming?
                [Ann] [One of Ann's companions] [Carl] [Dora] [Somebody does not know yet] [Start again]
            carl: [One of Ann's companions]
                Not coming: 1 companion of Ann. 2 more: who else is not coming?
                [Ann] [Ann's companion] [Carl] [Dora] [Somebody does not know yet] [Start again]
            carl: Ann's companion
                Not coming: 2 companions of Ann. One more: who else is not coming?
                [Ann] [Carl] [Dora] [Somebody does not know yet] [Start again]
            carl: Dora
                Any dietary needs or allergies for Ann? Write them, or pick "None".
                [None] [None for any of us]
            carl: none of us
                Your answer:
                Ann: coming, without the 2 companions
                Carl: coming
                Dora: not coming
                2 people are coming.
                Is this right?
                [Yes, save it] [Change something]
            carl: [Yes, save it]
                Saved. Thank you!
                You can change it until Fri 20 Nov, end of day, London time: send "change".
                For your calendar.
                <supper.ics>
                (AnsweredFor { guests: [Ann, Dora], by: Carl } -> Guests([Ann, Dora]))
        "#]],
    );
}

#[test]
fn fewer_by_sms_with_several_numbers() {
    mixed_after(
        "carl@sms: CARL24 Berg",
        "carl@sms: 3
         carl@sms: 7
         carl@sms: 6 Start again
         carl@sms: 3
         carl@sms: 2, 4
         carl@sms: nothing
         carl@sms: 1",
        expect![[r#"
            carl@sms: 3
                Expected 5 but you said 3. Who is not coming?
                1 Ann
                2 One of Ann's companions
                3 Carl
                4 Dora
                5 Somebody is not sure
                6 Start again
            carl@sms: 7
                Sorry, I did not get that.
                Who is not coming?
                1 Ann
                2 One of Ann's companions
                3 Carl
                4 Dora
                5 Somebody is not sure
                6 Start again
            carl@sms: 6 Start again
                Harbour Supper: how many of the 5 of you are coming? Reply a number, ALL, ONLY ME or NONE.
            carl@sms: 3
                Expected 5 but you said 3. Who is not coming?
                1 Ann
                2 One of Ann's companions
                3 Carl
                4 Dora
                5 Somebody is not sure
                6 Start again
            carl@sms: 2, 4
                Dietary needs for Ann and companion? Write whose and what, or reply
                1 None
                2 None for any of us
            carl@sms: nothing
                Do you have dietary needs or allergies? Write them, or reply
                1 None
            carl@sms: 1
                Your answer:
                Coming: Ann +1 and Carl.
                Not coming: 1 companion of Ann and Dora.
                3 people are coming.
                Is this right?
                1 Save it
                2 Change something
        "#]],
    );
}

#[test]
fn names_that_do_not_add_up_are_not_taken() {
    mixed_after(
        "carl: CARL24 Berg",
        "carl: 4
         carl: Dora and Carl
         carl: Ann doesn't know yet
         carl: Lisa
         carl: Dora is coming
         carl: Dora
         carl: change
         carl: we are 4, Dora and Carl can't make it
         carl: Start again
         carl: we are 5 but Dora can't come",
        expect![[r#"
            carl: 4
                Expected 5 but you said 4. Who is not coming?
                [Ann] [One of Ann's companions] [Carl] [Dora] [Somebody does not know yet] [Start again]
            carl: Dora and Carl
                That does not add up: expected 5, you said 4, so there is 1 person to name.
                Expected 5 but you said 4. Who is not coming?
                [Ann] [One of Ann's companions] [Carl] [Dora] [Somebody does not know yet] [Start again]
            carl: Ann doesn't know yet
                That does not add up: expected 5, you said 4, so there is 1 person to name.
                Expected 5 but you said 4. Who is not coming?
                [Ann] [One of Ann's companions] [Carl] [Dora] [Somebody does not know yet] [Start again]
            carl: Lisa
                Sorry, I did not understand that.
                Who is not coming?
                [Ann] [One of Ann's companions] [Carl] [Dora] [Somebody does not know yet] [Start again]
            carl: Dora is coming
                Sorry, I did not understand that.
                Who is not coming?
                [Ann] [One of Ann's companions] [Carl] [Dora] [Somebody does not know yet] [Start again] [Leave a message for the host]
            carl: Dora
                Any dietary needs or allergies for Ann and companions? Write whose and what, or pick "None".
                [None] [None for any of us]
            carl: change
                How many of the 5 of you are coming?
                [All 5] [Some of us] [Only me] [None of us]
            carl: we are 4, Dora and Carl can't make it
                That does not add up: expected 5, you said 4, so there is 1 person to name.
                Expected 5 but you said 4. Who is not coming?
                [Ann] [One of Ann's companions] [Carl] [Dora] [Somebody does not know yet] [Start again]
            carl: Start again
                How many of the 5 of you are coming?
                [All 5] [Some of us] [Only me] [None of us]
            carl: we are 5 but Dora can't come
                That does not add up: expected 5, you said 5, so there is nobody to leave out.
                How many of the 5 of you are coming?
                [All 5] [Some of us] [Only me] [None of us]
        "#]],
    );
}

#[test]
fn somebody_does_not_know_yet() {
    after(
        "anna: K7QF2M Holloway",
        "anna: 2
         anna: [Somebody does not know yet]
         anna: [Back]
         anna: [Somebody does not know yet]
         anna: [Cleo]
         anna: [None for any of us]
         anna: [Yes, save it]
         anna: status",
        expect![[r#"
            anna: 2
                Expected 3 but you said 2. Who is not coming?
                [Anna] [Ben] [Cleo] [Somebody does not know yet] [Start again]
            anna: [Somebody does not know yet]
                Who does not know yet? They can answer later.
                [Anna] [Ben] [Cleo] [Back]
            anna: [Back]
                Expected 3 but you said 2. Who is not coming?
                [Anna] [Ben] [Cleo] [Somebody does not know yet] [Start again]
            anna: [Somebody does not know yet]
                Who does not know yet? They can answer later.
                [Anna] [Ben] [Cleo] [Back]
            anna: [Cleo]
                Do you have any dietary needs or allergies? Write them, or pick "None".
                [None] [None for any of us]
            anna: [None for any of us]
                Your answer:
                Anna: coming
                Ben: coming
                Cleo: no answer yet
                2 people are coming so far.
                Is this right?
                [Yes, save it] [Change something]
            anna: [Yes, save it]
                Saved. Thank you!
                You can change it until Fri 20 Nov, end of day, London time: send "change".
                For your calendar.
                <supper.ics>
                (AnsweredFor { guests: [Ben], by: Anna } -> Guests([Ben]))
            anna: status
                How it stands for Harbour Supper:
                Anna: coming
                Ben: coming
                Cleo: no answer yet
                2 people are coming so far.
                To change it, send "change".
        "#]],
    );
}

#[test]
fn a_record_that_is_too_large_to_be_left_open_is_not_offered() {
    mixed_after(
        "dora@sms: D4RA24 Berg",
        "dora@sms: 4
         dora@sms: somebody is unsure
         dora@sms: 5
         dora@sms: Ann
         dora@sms: back
         dora@sms: 6",
        expect![[r#"
            dora@sms: 4
                Expected 5 but you said 4. Who is not coming?
                1 Ann
                2 One of Ann's companions
                3 Carl
                4 Dora
                5 Somebody is not sure
                6 Start again
            dora@sms: somebody is unsure
                Sorry, I did not get that.
                Who is not coming?
                1 Ann
                2 One of Ann's companions
                3 Carl
                4 Dora
                5 Somebody is not sure
                6 Start again
            dora@sms: 5
                Who does not know yet? They can answer later.
                1 Carl
                2 Dora
                3 Back
            dora@sms: Ann
                That does not add up: 1 person is to be named.
                Expected 5 but you said 4. Who is not coming?
                1 Ann
                2 One of Ann's companions
                3 Carl
                4 Dora
                5 Somebody is not sure
                6 Start again
            dora@sms: back
                Who is not coming?
                1 Ann
                2 One of Ann's companions
                3 Carl
                4 Dora
                5 Somebody is not sure
                6 Start again
            dora@sms: 6
                Harbour Supper: how many of the 5 of you are coming? Reply a number, ALL, ONLY ME or NONE.
        "#]],
    );
}

#[test]
fn some_of_us() {
    after(
        "anna: K7QF2M Holloway",
        "anna: [Some of us]
         anna: [2]
         anna: [Ben]
         anna: change
         anna: some of us
         anna: all",
        expect![[r#"
            anna: [Some of us]
                How many are coming? Type a number, or pick one.
                [1] [2]
            anna: [2]
                Expected 3 but you said 2. Who is not coming?
                [Anna] [Ben] [Cleo] [Somebody does not know yet] [Start again]
            anna: [Ben]
                Do you have any dietary needs or allergies? Write them, or pick "None".
                [None] [None for any of us]
            anna: change
                How many of the 3 of you are coming?
                [All 3] [Some of us] [Only me] [None of us]
            anna: some of us
                How many are coming? Type a number, or pick one.
                [1] [2]
            anna: all
                Do you have any dietary needs or allergies? Write them, or pick "None".
                [None] [None for any of us]
        "#]],
    );
}

#[test]
fn companions_may_come_without_whom_they_belong_to() {
    after(
        "bob: B8TAN7 Tanner",
        "bob: [None of us]
         bob: [Only I cannot come]
         bob: no mushrooms
         bob: yes
         bob: details
         bob: I can't come anymore
         bob: yes
         bob: status",
        expect![[r#"
            bob: [None of us]
                Is nobody coming, or is it only you who cannot?
                [Nobody is coming] [Only I cannot come]
            bob: [Only I cannot come]
                Any dietary needs or allergies for your companions? Write whose and what, or pick "None".
                [None]
            bob: no mushrooms
                Your answer:
                Bob: not coming, but 2 companions are
                Dietary needs, companions of Bob: no mushrooms
                2 people are coming.
                Is this right?
                [Yes, save it] [Change something]
            bob: yes
                Saved. Thank you!
                You can change it until Fri 20 Nov, end of day, London time: send "change".
                For your calendar.
                <supper.ics>
            bob: details
                Harbour Supper
                When: Sat 28 Nov 2026, 18:00, London time
                Where: The Old Boathouse
                Dress code: nautical
                Please answer by Fri 20 Nov, end of day, London time.
                Host: Mia, 07700 900555
            bob: I can't come anymore
                Your answer:
                Bob and 2 companions: not coming
                Nobody is coming.
                Is this right?
                [Yes, save it] [Change something]
            bob: yes
                Saved. Thank you!
                You can change it until Fri 20 Nov, end of day, London time: send "change".
            bob: status
                How it stands for Harbour Supper:
                Bob and 2 companions: not coming
                Nobody is coming.
                To change it, send "change".
        "#]],
    );
    mixed_after(
        "ann@sms: ANNB24 Berg",
        "ann@sms: none
         ann@sms: 2
         ann@sms: 1",
        expect![[r#"
            ann@sms: none
                Is nobody coming, or is it only you and your companions who cannot?
                1 Nobody is coming
                2 Only I and my companions cannot
            ann@sms: 2
                Your answer:
                Not coming: Ann +2.
                No answer yet: Carl and Dora.
                Nobody is coming so far.
                Is this right?
                1 Save it
                2 Change something
            ann@sms: 1
                Saved, thank you! To change it until Fri 20 Nov, end of day, London time, text CHANGE.
        "#]],
    );
}
