//! People beyond the party size.

use expect_test::expect;

use super::world::after;

#[test]
fn more_than_expected_is_confirmed_and_flagged() {
    after(
        "maria: H4TR8W Santos",
        "maria: 2
         maria: [No, let me correct that]
         maria: 3
         maria: 3
         maria: none
         maria: yes
         maria: status
         maria: change
         maria: 2
         maria: we are 3
         maria: sure
         maria: none
         maria: yes
         maria: 50
         maria: change
         maria: 50",
        expect![[r#"
            maria: 2
                Expected 1 but you said 2. Are you sure?
                [Yes, 2 people] [No, let me correct that]
            maria: [No, let me correct that]
                Are you coming?
                [Yes, I am coming] [No, I cannot come]
            maria: 3
                Expected 1 but you said 3. Are you sure?
                [Yes, 3 people] [No, let me correct that]
            maria: 3
                Do you have any dietary needs or allergies? Write them, or pick "None".
                [None]
            maria: none
                Your answer:
                Maria: coming
                And 2 more people than expected.
                3 people are coming.
                Is this right?
                [Yes, save it] [Change something]
            maria: yes
                Saved. Thank you!
                You can change it until Fri 20 Nov, end of day, London time: send "change".
                For your calendar.
                <supper.ics>
                (ExtraGuests { guest: Maria, expected: 1, coming: 3 } -> Hosts(EventId("supper")))
            maria: status
                How it stands for Harbour Supper:
                Maria: coming
                And 2 more people than expected.
                3 people are coming.
                To change it, send "change".
            maria: change
                Are you coming?
                [Yes, I am coming] [No, I cannot come]
            maria: 2
                Expected 1 but you said 2. Are you sure?
                [Yes, 2 people] [No, let me correct that]
            maria: we are 3
                Expected 1 but you said 3. Are you sure?
                [Yes, 3 people] [No, let me correct that]
            maria: sure
                Do you have any dietary needs or allergies? Write them, or pick "None".
                [None]
            maria: none
                Your answer:
                Maria: coming
                And 2 more people than expected.
                3 people are coming.
                Is this right?
                [Yes, save it] [Change something]
            maria: yes
                Saved. Thank you!
                You can change it until Fri 20 Nov, end of day, London time: send "change".
                For your calendar.
                <supper.ics>
            maria: 50
                How it stands for Harbour Supper:
                Maria: coming
                And 2 more people than expected.
                3 people are coming.
                To change it, send "change".
            maria: change
                Are you coming?
                [Yes, I am coming] [No, I cannot come]
            maria: 50
                That is more than I can take in: 1 expected. For a larger party, please talk to the host.
                Are you coming?
                [Yes, I am coming] [No, I cannot come]
        "#]],
    );
}

#[test]
fn by_sms_a_number_is_the_choice_once_choices_are_numbered() {
    after(
        "maria@sms: H4TR8W Santos",
        "maria@sms: 4
         maria@sms: 2
         maria@sms: 4
         maria@sms: 4
         maria@sms: 1
         maria@sms: nothing
         maria@sms: 1",
        expect![[r#"
            maria@sms: 4
                Expected 1 but you said 4. Are you sure?
                1 We are 4
                2 No, let me correct that
            maria@sms: 2
                Harbour Supper: are you coming? Reply 1 if you are, 0 if not.
            maria@sms: 4
                Expected 1 but you said 4. Are you sure?
                1 We are 4
                2 No, let me correct that
            maria@sms: 4
                Sorry, I did not get that.
                Are you sure that you are 4?
                1 We are 4
                2 No, let me correct that
            maria@sms: 1
                Do you have dietary needs or allergies? Write them, or reply
                1 None
            maria@sms: nothing
                Your answer:
                Coming: Maria.
                +3 extra.
                4 people are coming.
                Is this right?
                1 Save it
                2 Change something
            maria@sms: 1
                Saved, thank you! To change it until Fri 20 Nov, end of day, London time, text CHANGE.
                (ExtraGuests { guest: Maria, expected: 1, coming: 4 } -> Hosts(EventId("supper")))
        "#]],
    );
}

const FIVE: &str = "anna: K7QF2M Holloway\nanna: 5\nanna: yes\nanna: none for all\nanna: yes";

#[test]
fn extras_move_when_who_holds_them_stops_coming_and_go_with_the_last() {
    after(
        FIVE,
        "anna: I can't come anymore
         anna: [Only I cannot come]
         anna: yes
         ben: B3NH4Z Holloway
         ben: change
         ben: I can't come
         ben: yes
         cleo: C7E9HW Holloway
         cleo: change
         cleo: I can't come
         cleo: yes",
        expect![[r#"
            anna: I can't come anymore
                Is nobody coming, or is it only you who cannot?
                [Nobody is coming] [Only I cannot come]
            anna: [Only I cannot come]
                Your answer:
                Anna: not coming
                Ben: coming
                Cleo: coming
                And 2 more people than expected.
                The extra guests now count with Ben.
                4 people are coming.
                Is this right?
                [Yes, save it] [Change something]
            anna: yes
                Saved. Thank you!
                You can change it until Fri 20 Nov, end of day, London time: send "change".
            ben: B3NH4Z Holloway
                Welcome, Ben!
                Harbour Supper
                When: Sat 28 Nov 2026, 18:00, London time
                Where: The Old Boathouse
                Dress code: nautical
                Please answer by Fri 20 Nov, end of day, London time.
                Anna: not coming
                Ben: coming
                Cleo: coming
                And 2 more people than expected.
                3 people are expected.
                To change it, send "change".
                (LoggedInElsewhere { guest: Ben, channel: Telegram } -> EveryAddressOf(Ben))
            ben: change
                How many of the 3 of you are coming?
                [All 3] [Some of us] [Only me] [None of us]
            ben: I can't come
                Your answer:
                Anna: not coming
                Ben: not coming
                Cleo: coming
                And 2 more people than expected.
                The extra guests now count with Cleo.
                3 people are coming.
                Is this right?
                [Yes, save it] [Change something]
            ben: yes
                Saved. Thank you!
                You can change it until Fri 20 Nov, end of day, London time: send "change".
            cleo: C7E9HW Holloway
                Welcome, Cleo!
                Harbour Supper
                When: Sat 28 Nov 2026, 18:00, London time
                Where: The Old Boathouse
                Dress code: nautical
                Please answer by Fri 20 Nov, end of day, London time.
                Anna: not coming
                Ben: not coming
                Cleo: coming
                And 2 more people than expected.
                3 people are expected.
                To change it, send "change".
                (LoggedInElsewhere { guest: Cleo, channel: Telegram } -> EveryAddressOf(Cleo))
            cleo: change
                How many of the 3 of you are coming?
                [All 3] [Some of us] [Only me] [None of us]
            cleo: I can't come
                Your answer:
                Anna: not coming
                Ben: not coming
                Cleo: not coming
                The 2 extra guests are taken off too.
                Nobody is coming.
                Is this right?
                [Yes, save it] [Change something]
            cleo: yes
                Saved. Thank you!
                You can change it until Fri 20 Nov, end of day, London time: send "change".
        "#]],
    );
}

#[test]
fn a_new_answer_for_the_group_replaces_earlier_extras() {
    after(
        FIVE,
        "ben: B3NH4Z Holloway
         ben: change
         ben: 4
         ben: yes
         ben: none for all
         ben: yes
         anna: change
         anna: all
         anna: none for all
         anna: yes",
        expect![[r#"
            ben: B3NH4Z Holloway
                Welcome, Ben!
                Harbour Supper
                When: Sat 28 Nov 2026, 18:00, London time
                Where: The Old Boathouse
                Dress code: nautical
                Please answer by Fri 20 Nov, end of day, London time.
                Anna: coming
                Ben: coming
                Cleo: coming
                And 2 more people than expected.
                3 people are expected.
                To change it, send "change".
                (LoggedInElsewhere { guest: Ben, channel: Telegram } -> EveryAddressOf(Ben))
            ben: change
                How many of the 3 of you are coming?
                [All 3] [Some of us] [Only me] [None of us]
            ben: 4
                Expected 3 but you said 4. Are you sure?
                [Yes, 4 people] [No, let me correct that]
            ben: yes
                Any dietary needs or allergies for Anna? Write them, or pick "None".
                [None] [None for any of us]
            ben: none for all
                Your answer:
                Anna: coming
                Ben: coming
                Cleo: coming
                And 1 more person than expected.
                4 people are coming.
                Is this right?
                [Yes, save it] [Change something]
            ben: yes
                Saved. Thank you!
                You can change it until Fri 20 Nov, end of day, London time: send "change".
                For your calendar.
                <supper.ics>
                (AnsweredFor { guests: [Anna], by: Ben } -> Guests([Anna]))
                (ExtraGuests { guest: Ben, expected: 3, coming: 4 } -> Hosts(EventId("supper")))
            anna: change
                How many of the 3 of you are coming?
                [All 3] [Some of us] [Only me] [None of us]
            anna: all
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
                (AnsweredFor { guests: [Ben], by: Anna } -> Guests([Ben]))
        "#]],
    );
}

#[test]
fn an_answer_for_one_leaves_the_extras_of_others() {
    after(
        "anna: K7QF2M Holloway\nanna: only me\nanna: open\nanna: none\nanna: yes
         ben: B3NH4Z Holloway\nben: for me\nben: 2\nben: yes\nben: none\nben: yes",
        "anna: change
         anna: for me
         anna: 2
         anna: yes
         anna: none
         anna: yes
         ben: change
         ben: only for me
         ben: 1
         ben: none
         ben: yes",
        expect![[r#"
            anna: change
                Ben already answered. Is your answer for you, or for everybody?
                [Only for me] [For everybody]
            anna: for me
                Are you coming?
                [Yes, I am coming] [No, I cannot come]
            anna: 2
                Expected 1 but you said 2. Are you sure?
                [Yes, 2 people] [No, let me correct that]
            anna: yes
                Do you have any dietary needs or allergies? Write them, or pick "None".
                [None]
            anna: none
                Your answer:
                Anna: coming
                Ben: coming
                Cleo: no answer yet
                And 2 more people than expected.
                4 people are coming so far.
                Is this right?
                [Yes, save it] [Change something]
            anna: yes
                Saved. Thank you!
                You can change it until Fri 20 Nov, end of day, London time: send "change".
                For your calendar.
                <supper.ics>
                (ExtraGuests { guest: Anna, expected: 2, coming: 4 } -> Hosts(EventId("supper")))
            ben: change
                Anna already answered. Is your answer for you, or for everybody?
                [Only for me] [For everybody]
            ben: only for me
                Are you coming?
                [Yes, I am coming] [No, I cannot come]
            ben: 1
                Do you have any dietary needs or allergies? Write them, or pick "None".
                [None]
            ben: none
                Your answer:
                Anna: coming
                Ben: coming
                Cleo: no answer yet
                And 1 more person than expected.
                3 people are coming so far.
                Is this right?
                [Yes, save it] [Change something]
            ben: yes
                Saved. Thank you!
                You can change it until Fri 20 Nov, end of day, London time: send "change".
                For your calendar.
                <supper.ics>
                (ExtraGuests { guest: Ben, expected: 2, coming: 3 } -> Hosts(EventId("supper")))
        "#]],
    );
}
