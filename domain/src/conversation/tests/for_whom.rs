//! Where somebody has answered already: for whom an answer is, and whose it changes.

use expect_test::expect;

use super::world::{World, after};

#[test]
fn for_you_or_for_everybody() {
    let mut world =
        World::after("ben: B3NH4Z Holloway\nben: only me\nben: they answer themselves\nben: none\nben: yes");
    let chat = world.play(
        "anna@sms: K7QF2M Holloway
         anna@sms: hm
         anna@sms: 1
         anna@sms: 1
         anna@sms: none
         anna@sms: 1
         cleo: C7E9HW Holloway
         cleo: [For everybody]
         cleo: 2
         cleo: Ben
         cleo: [No, leave it]
         cleo: [None for any of us]
         cleo: [Yes, save it]",
    );
    expect![[r#"
        anna@sms: K7QF2M Holloway
            Welcome, Anna!
            Harbour Supper
            When: Sat 28 Nov 2026, 18:00, London time
            Where: The Old Boathouse
            Dress code: nautical
            Please answer by Fri 20 Nov, end of day, London time.
            Coming: Ben.
            No answer yet: Anna and Cleo.
            3 people are expected.
            Ben already answered. Is your answer for you, or for everybody?
            1 Only for me
            2 For everybody
            (LoggedInElsewhere { guest: Anna, channel: Sms } -> EveryAddressOf(Anna))
        anna@sms: hm
            Sorry, I did not get that.
            Is it for you, or for everybody?
            1 Only for me
            2 For everybody
        anna@sms: 1
            Harbour Supper: are you coming? Reply 1 if you are, 0 if not.
        anna@sms: 1
            Do you have dietary needs or allergies? Write them, or reply
            1 None
        anna@sms: none
            Your answer:
            Coming: Anna and Ben.
            No answer yet: Cleo.
            2 people are coming so far.
            Is this right?
            1 Save it
            2 Change something
        anna@sms: 1
            Saved, thank you! To change it until Fri 20 Nov, end of day, London time, text CHANGE.
        cleo: C7E9HW Holloway
            Welcome, Cleo!
            Harbour Supper
            When: Sat 28 Nov 2026, 18:00, London time
            Where: The Old Boathouse
            Dress code: nautical
            Please answer by Fri 20 Nov, end of day, London time.
            Anna: coming
            Ben: coming
            Cleo: no answer yet
            3 people are expected.
            Anna and Ben already answered. Is your answer for you, or for everybody?
            [Only for me] [For everybody]
            (LoggedInElsewhere { guest: Cleo, channel: Telegram } -> EveryAddressOf(Cleo))
        cleo: [For everybody]
            How many of the 3 of you are coming?
            [All 3] [Some of us] [Only me] [None of us]
        cleo: 2
            Expected 3 but you said 2. Who is not coming?
            [Anna] [Ben] [Cleo] [Somebody does not know yet] [Start again]
        cleo: Ben
            Ben had answered: coming. Change that?
            [Yes, change it] [No, leave it]
        cleo: [No, leave it]
            Any dietary needs or allergies for Anna? Write them, or pick "None".
            [None] [None for any of us]
        cleo: [None for any of us]
            Your answer:
            Anna: coming
            Ben: coming
            Cleo: coming
            3 people are coming.
            Is this right?
            [Yes, save it] [Change something]
        cleo: [Yes, save it]
            Saved. Thank you!
            You can change it until Fri 20 Nov, end of day, London time: send "change".
            For your calendar.
            <supper.ics>
    "#]]
    .assert_eq(&chat);
}

#[test]
fn who_had_answered_differently_is_named_before_being_changed() {
    let setup = "ben: B3NH4Z Holloway\nben: only me\nben: open\nben: none\nben: yes
         cleo: C7E9HW Holloway\ncleo: for me\ncleo: no\ncleo: yes";
    after(
        setup,
        "anna: K7QF2M Holloway
         anna: we're all coming
         anna: [For everybody]
         anna: all
         anna: ok
         anna: none for all
         anna: yes
         anna: change
         anna: all but Cleo
         anna: none for any of us
         anna: yes
         ben: change
         ben: 2, without Anna
         ben: no
         ben: keep",
        expect![[r#"
            anna: K7QF2M Holloway
                Welcome, Anna!
                Harbour Supper
                When: Sat 28 Nov 2026, 18:00, London time
                Where: The Old Boathouse
                Dress code: nautical
                Please answer by Fri 20 Nov, end of day, London time.
                Anna: no answer yet
                Ben: coming
                Cleo: not coming
                3 people are expected.
                Ben and Cleo already answered. Is your answer for you, or for everybody?
                [Only for me] [For everybody]
                (LoggedInElsewhere { guest: Anna, channel: Telegram } -> EveryAddressOf(Anna))
            anna: we're all coming
                Cleo had answered: not coming. Change that?
                [Yes, change it] [No, leave it]
            anna: [For everybody]
                That belonged to an earlier question. Here is the present one:
                Cleo had answered: not coming. Change that?
                [Yes, change it] [No, leave it]
            anna: all
                Sorry, I did not understand that.
                Cleo had answered: not coming. Change that?
                [Yes, change it] [No, leave it]
            anna: ok
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
                (AnsweredFor { guests: [Cleo], by: Anna } -> Guests([Cleo]))
            anna: change
                How many of the 3 of you are coming?
                [All 3] [Some of us] [Only me] [None of us]
            anna: all but Cleo
                Do you have any dietary needs or allergies? Write them, or pick "None".
                [None] [None for any of us]
            anna: none for any of us
                Your answer:
                Anna: coming
                Ben: coming
                Cleo: not coming
                2 people are coming.
                Is this right?
                [Yes, save it] [Change something]
            anna: yes
                Saved. Thank you!
                You can change it until Fri 20 Nov, end of day, London time: send "change".
                For your calendar.
                <supper.ics>
                (AnsweredFor { guests: [Cleo], by: Anna } -> Guests([Cleo]))
            ben: change
                How many of the 3 of you are coming?
                [All 3] [Some of us] [Only me] [None of us]
            ben: 2, without Anna
                Anna had answered: coming.
                Anna had answered for Cleo: not coming. Change that?
                [Yes, change it] [No, leave it]
            ben: no
                Do you have any dietary needs or allergies? Write them, or pick "None".
                [None]
            ben: keep
                Which ones? Please write what the kitchen should know.
                Do you have any dietary needs or allergies? Write them, or pick "None".
                [None]
        "#]],
    );
}

#[test]
fn an_answer_that_stays_the_same_stays_whose_it_was() {
    let mut world = World::after(
        "ben: B3NH4Z Holloway\nben: only me\nben: open\nben: none\nben: yes
         anna: K7QF2M Holloway\nanna: everybody\nanna: all\nanna: none for all\nanna: yes",
    );
    let ben = world.guest("Ben").clone();
    assert_eq!(ben.answered_by.as_ref().unwrap().guest_id, ben.id);
    // So it is still Ben's to be asked about.
    let chat = world.play("anna: change\nanna: Ben can't come");
    expect![[r#"
        anna: change
            How many of the 3 of you are coming?
            [All 3] [Some of us] [Only me] [None of us]
        anna: Ben can't come
            Ben had answered: coming. Change that?
            [Yes, change it] [No, leave it]
    "#]]
    .assert_eq(&chat);
}
