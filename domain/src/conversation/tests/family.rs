//! One answer for the whole family.

use expect_test::expect;

use super::world::check;

#[test]
fn everybody_comes() {
    check(
        "anna: hello
         anna: K7QF2M Holloway
         anna: [All 3]
         anna: [None]
         anna: vegan, no nuts
         anna: [None]
         anna: [Yes, save it]
         anna: status",
        expect![[r#"
            anna: hello
                Hello! I take the answers to your invitation. Please send your code and your last name in one message, like this: AB3DE7FG Miller. Type the last name as it stands on the invitation.
            anna: K7QF2M Holloway
                Welcome, Anna!
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
                (LoggedInElsewhere { guest: Anna, channel: Telegram } -> EveryAddressOf(Anna))
            anna: [All 3]
                Do you have any dietary needs or allergies? Write them, or pick "None".
                [None] [None for any of us]
            anna: [None]
                Any dietary needs or allergies for Ben? Write them, or pick "None".
                [None] [None for any of us]
            anna: vegan, no nuts
                Any dietary needs or allergies for Cleo? Write them, or pick "None".
                [None]
            anna: [None]
                Your answer:
                Anna: coming
                Ben: coming
                Cleo: coming
                Dietary needs, Ben: vegan, no nuts
                3 people are coming.
                Is this right?
                [Yes, save it] [Change something]
            anna: [Yes, save it]
                Saved. Thank you!
                You can change it until Fri 20 Nov, end of day, London time: send "change".
                For your calendar.
                <supper.ics>
                (AnsweredFor { guests: [Ben, Cleo], by: Anna } -> Guests([Ben, Cleo]))
            anna: status
                How it stands for Harbour Supper:
                Anna: coming
                Ben: coming
                Cleo: coming
                Dietary needs, Ben: vegan, no nuts
                3 people are coming.
                To change it, send "change".
        "#]],
    );
}

#[test]
fn we_are_two_cleo_cannot_make_it() {
    check(
        "anna: k7qf-2m, HOLLOWAY
         anna: we're 2, Cleo can't make it
         anna: [None for any of us]
         anna: yes",
        expect![[r#"
            anna: k7qf-2m, HOLLOWAY
                Welcome, Anna!
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
                (LoggedInElsewhere { guest: Anna, channel: Telegram } -> EveryAddressOf(Anna))
            anna: we're 2, Cleo can't make it
                Do you have any dietary needs or allergies? Write them, or pick "None".
                [None] [None for any of us]
            anna: [None for any of us]
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
                (AnsweredFor { guests: [Ben, Cleo], by: Anna } -> Guests([Ben, Cleo]))
        "#]],
    );
}

#[test]
fn by_sms() {
    check(
        "anna@sms: K7QF2M Holloway
         anna@sms: 2
         anna@sms: 3
         anna@sms: 1
         anna@sms: 1
         anna@sms: 1
         anna@sms: mine",
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
            anna@sms: 2
                Expected 3 but you said 2. Who is not coming?
                1 Anna
                2 Ben
                3 Cleo
                4 Somebody is not sure
                5 Start again
            anna@sms: 3
                Do you have dietary needs or allergies? Write them, or reply
                1 None
                2 None for any of us
            anna@sms: 1
                Dietary needs or allergies for Ben? Write them, or reply
                1 None
            anna@sms: 1
                Your answer:
                Coming: Anna and Ben.
                Not coming: Cleo.
                2 people are coming.
                Is this right?
                1 Save it
                2 Change something
            anna@sms: 1
                Saved, thank you! To change it until Fri 20 Nov, end of day, London time, text CHANGE.
                (AnsweredFor { guests: [Ben, Cleo], by: Anna } -> Guests([Ben, Cleo]))
            anna@sms: mine
                How it stands for Harbour Supper:
                Coming: Anna and Ben.
                Not coming: Cleo.
                2 people are coming.
                To change it, text CHANGE.
        "#]],
    );
}
