//! Convive begins: reminders and invitations, and how they are answered.

use expect_test::{Expect, expect};

use super::world::World;

fn check(script: &str, expected: Expect) {
    check_in(World::new(), script, expected);
}

fn check_in(mut world: World, script: &str, expected: Expect) {
    expected.assert_eq(&world.play(script));
}

/// Ben and Anna have answered; only Cleo is asked about, and what the others said stays.
fn without_cleo() -> World {
    World::after(
        "anna: K7QF2M Holloway
         anna: some of us
         anna: 1
         anna: [Somebody does not know yet]
         anna: [Cleo]
         anna: [Ben]
         anna: none
         anna: yes",
    )
}

#[test]
fn one_of_three_is_asked_about() {
    check_in(
        without_cleo(),
        "!anna: remind Cleo
         anna: [Cleo is coming]
         anna: vegan
         anna: yes
         anna: status",
        expect![[r#"
            !anna: remind Cleo
                Harbour Supper: no answer yet from Cleo. Please answer by Fri 20 Nov, end of day, London time.
                Is Cleo coming?
                [Cleo is coming] [Cleo is not coming]
            anna: [Cleo is coming]
                Any dietary needs or allergies for Cleo? Write them, or pick "None".
                [None]
            anna: vegan
                Your answer:
                Anna: coming
                Ben: not coming
                Cleo: coming
                Dietary needs, Cleo: vegan
                2 people are coming.
                Is this right?
                [Yes, save it] [Change something]
            anna: yes
                Saved. Thank you!
                You can change it until Fri 20 Nov, end of day, London time: send "change".
                For your calendar.
                <supper.ics>
                (AnsweredFor { guests: [Cleo], by: Anna } -> Guests([Cleo]))
            anna: status
                How it stands for Harbour Supper:
                Anna: coming
                Ben: not coming
                Cleo: coming
                Dietary needs, Cleo: vegan
                2 people are coming.
                To change it, send "change".
        "#]],
    );
}

#[test]
fn a_number_counts_among_those_named() {
    for (answer, expected) in [
        (
            "0",
            expect![[r#"
            !anna: remind Cleo
                Harbour Supper: no answer yet from Cleo. Please answer by Fri 20 Nov, end of day, London time.
                Is Cleo coming?
                [Cleo is coming] [Cleo is not coming]
            anna: 0
                Your answer:
                Anna: coming
                Ben: not coming
                Cleo: not coming
                1 person is coming.
                Is this right?
                [Yes, save it] [Change something]
        "#]],
        ),
        (
            "1",
            expect![[r#"
            !anna: remind Cleo
                Harbour Supper: no answer yet from Cleo. Please answer by Fri 20 Nov, end of day, London time.
                Is Cleo coming?
                [Cleo is coming] [Cleo is not coming]
            anna: 1
                Any dietary needs or allergies for Cleo? Write them, or pick "None".
                [None]
        "#]],
        ),
        (
            "2",
            expect![[r#"
            !anna: remind Cleo
                Harbour Supper: no answer yet from Cleo. Please answer by Fri 20 Nov, end of day, London time.
                Is Cleo coming?
                [Cleo is coming] [Cleo is not coming]
            anna: 2
                Expected 1 but you said 2. Are you sure?
                [Yes, 2 people] [No, let me correct that]
        "#]],
        ),
        (
            "only me",
            expect![[r#"
            !anna: remind Cleo
                Harbour Supper: no answer yet from Cleo. Please answer by Fri 20 Nov, end of day, London time.
                Is Cleo coming?
                [Cleo is coming] [Cleo is not coming]
            anna: only me
                Sorry, I did not understand that.
                Is Cleo coming?
                [Cleo is coming] [Cleo is not coming]
        "#]],
        ),
        (
            "yes",
            expect![[r#"
            !anna: remind Cleo
                Harbour Supper: no answer yet from Cleo. Please answer by Fri 20 Nov, end of day, London time.
                Is Cleo coming?
                [Cleo is coming] [Cleo is not coming]
            anna: yes
                Any dietary needs or allergies for Cleo? Write them, or pick "None".
                [None]
        "#]],
        ),
    ] {
        check_in(without_cleo(), &format!("!anna: remind Cleo\nanna: {answer}"), expected);
    }
}

#[test]
fn two_of_three_are_asked_about_by_sms() {
    check_in(
        World::after(
            "cleo@sms: C7E9HW Holloway
             cleo@sms: only me
             cleo@sms: they answer themselves
             cleo@sms: none
             cleo@sms: 1",
        ),
        "!cleo@sms: remind Anna, Ben
         cleo@sms: 1
         cleo@sms: 2
         cleo@sms: none
         cleo@sms: 1
         cleo@sms: mine",
        expect![[r#"
            !cleo@sms: remind Anna, Ben
                Harbour Supper: no answer yet from Anna and Ben (by Fri 20 Nov, end of day, London time).
                How many of the 2 are coming (Anna and Ben)? Reply a number, ALL or NONE.
            cleo@sms: 1
                Expected 2 but you said 1. Who is not coming?
                1 Anna
                2 Ben
                3 Somebody is not sure
                4 Start again
            cleo@sms: 2
                Dietary needs or allergies for Anna? Write them, or reply
                1 None
            cleo@sms: none
                Your answer:
                Coming: Anna and Cleo.
                Not coming: Ben.
                2 people are coming.
                Is this right?
                1 Save it
                2 Change something
            cleo@sms: 1
                Saved, thank you! To change it until Fri 20 Nov, end of day, London time, text CHANGE.
                (AnsweredFor { guests: [Anna, Ben], by: Cleo } -> Guests([Anna, Ben]))
            cleo@sms: mine
                How it stands for Harbour Supper:
                Coming: Anna and Cleo.
                Not coming: Ben.
                2 people are coming.
                To change it, text CHANGE.
        "#]],
    );
}

#[test]
fn everybody_is_asked_about_and_one_person_alone() {
    check(
        "anna: K7QF2M Holloway
         +1d
         !anna: remind Anna, Ben, Cleo
         anna: [All 3]
         +1d
         maria@sms: H4TR8W Santos
         +1d
         !maria@sms: remind Maria
         maria@sms: 0",
        expect![[r#"
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
            +1d
            !anna: remind Anna, Ben, Cleo
                Harbour Supper: no answer yet from Anna, Ben and Cleo. Please answer by Fri 20 Nov, end of day, London time.
                How many are coming?
                [All 3] [Some of us] [Only me] [None of us]
            anna: [All 3]
                Do you have any dietary needs or allergies? Write them, or pick "None".
                [None] [None for any of us]
            +1d
            maria@sms: H4TR8W Santos
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
            +1d
            !maria@sms: remind Maria
                Harbour Supper: no answer yet from Maria (by Fri 20 Nov, end of day, London time).
                Are you coming? Reply 1 if you are, 0 if not.
            maria@sms: 0
                Your answer:
                Not coming: Maria.
                Nobody is coming.
                Is this right?
                1 Save it
                2 Change something
        "#]],
    );
}

#[test]
fn for_oneself_where_others_are_asked_elsewhere() {
    check(
        "anna: K7QF2M Holloway
         +1d
         !anna: remind Anna
         anna: [Yes, I am coming]
         anna: none
         anna: yes",
        expect![[r#"
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
            +1d
            !anna: remind Anna
                Harbour Supper: no answer yet from Anna. Please answer by Fri 20 Nov, end of day, London time.
                Are you coming?
                [Yes, I am coming] [No, I cannot come]
            anna: [Yes, I am coming]
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
        "#]],
    );
}

#[test]
fn somebody_answers_while_the_reminder_is_open() {
    check(
        "anna: K7QF2M Holloway
         ben: B3NH4Z Holloway
         +1d
         !anna: remind Anna, Cleo
         ben: for everybody
         ben: all
         ben: none for any of us
         ben: yes
         anna: [All 2]
         !anna: remind Cleo",
        expect![[r#"
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
            +1d
            !anna: remind Anna, Cleo
                Harbour Supper: no answer yet from Anna and Cleo. Please answer by Fri 20 Nov, end of day, London time.
                How many of the 2 are coming (Anna and Cleo)?
                [All 2] [Only me] [None of us]
            ben: for everybody
                Any dietary needs or allergies for Anna? Write them, or pick "None".
                [None] [None for any of us]
            ben: all
                Which ones? Please write what the kitchen should know.
                Any dietary needs or allergies for Anna? Write them, or pick "None".
                [None] [None for any of us]
            ben: none for any of us
                Your answer:
                Anna: coming
                Ben: coming
                Cleo: coming
                3 people are coming.
                Is this right?
                [Yes, save it] [Change something]
            ben: yes
                Saved. Thank you!
                You can change it until Fri 20 Nov, end of day, London time: send "change".
                For your calendar.
                <supper.ics>
                (AnsweredFor { guests: [Anna, Cleo], by: Ben } -> Guests([Anna, Cleo]))
            anna: [All 2]
                Something has changed in the meantime. This is how it stands:
                Anna: coming
                Ben: coming
                Cleo: coming
                How many of the 3 of you are coming?
                [All 3] [Some of us] [Only me] [None of us]
            !anna: remind Cleo
                (nothing to say)
        "#]],
    );
}

#[test]
fn several_invitations_at_one_address() {
    check(
        "anna@sms: K7QF2M Holloway
         anna@sms: B8TAN7 Tanner
         +1d
         !anna@sms: remind Anna, Ben, Bob, Cleo
         anna@sms: 2
         anna@sms: 0",
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
            anna@sms: B8TAN7 Tanner
                Welcome, Bob!
                Harbour Supper
                When: Sat 28 Nov 2026, 18:00, London time
                Where: The Old Boathouse
                Dress code: nautical
                Please answer by Fri 20 Nov, end of day, London time.
                No answer yet: Bob +2.
                3 people are expected.
                Harbour Supper: how many are coming, you included? 3 are expected. Reply a number, ALL, ONLY ME or NONE.
                (LoggedInElsewhere { guest: Bob, channel: Sms } -> EveryAddressOf(Bob))
            +1d
            !anna@sms: remind Anna, Ben, Bob, Cleo
                Harbour Supper: no answer yet from Anna, Ben and Cleo (by Fri 20 Nov, end of day, London time).
                Harbour Supper: no answer yet from Bob (by Fri 20 Nov, end of day, London time).
                For whom would you like to answer first?
                1 Anna Holloway, Harbour Supper
                2 Bob Tanner, Harbour Supper
            anna@sms: 2
                You now speak for Bob Tanner (Harbour Supper).
                Harbour Supper: how many are coming, you included? 3 are expected. Reply a number, ALL, ONLY ME or NONE.
            anna@sms: 0
                Is nobody coming, or is it only you who cannot?
                1 Nobody is coming
                2 Only I cannot come
        "#]],
    );
}

#[test]
fn a_phone_that_was_never_heard_of() {
    check(
        "!bob@sms: remind Bob
         bob@sms: Yes we are coming!
         bob@sms: 1
         bob@sms: two of us
         bob@sms: Tannner
         bob@sms: tanner
         +1d
         !dora@sms: invite Maria
         dora@sms: H4TR8W Santos",
        expect![[r#"
            !bob@sms: remind Bob
                Harbour Supper: no answer yet from Bob. By Fri 20 Nov, end of day, London time, reply with Bob's last name (code B8TAN7). No more texts: STOP
            bob@sms: Yes we are coming!
                To answer, please reply first with the last name on the invitation.
            bob@sms: 1
                To answer, please reply first with the last name on the invitation.
            bob@sms: two of us
                To answer, please reply first with the last name on the invitation.
            bob@sms: Tannner
                No invitation has that code and last name. Text both together, e.g. AB3DE7FG Miller. Type the whole last name as on the invitation.
            bob@sms: tanner
                Welcome, Bob!
                Harbour Supper
                When: Sat 28 Nov 2026, 18:00, London time
                Where: The Old Boathouse
                Dress code: nautical
                Please answer by Fri 20 Nov, end of day, London time.
                No answer yet: Bob +2.
                3 people are expected.
                Harbour Supper: how many are coming, you included? 3 are expected. Reply a number, ALL, ONLY ME or NONE.
                (LoggedInElsewhere { guest: Bob, channel: Sms } -> EveryAddressOf(Bob))
            +1d
            !dora@sms: invite Maria
                Mia, 07700 900555 invites Maria to Harbour Supper, Sat 28 Nov 2026, 18:00, London time.
                Reply with Maria's last name (code H4TR8W). No more texts: STOP
            dora@sms: H4TR8W Santos
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
        "#]],
    );
}

/// With everyday names the first text is one segment, and says who writes, what to reply and how to end it.
#[test]
fn the_first_texts_are_one_segment() {
    let mut world = World::new();
    for guest in &mut world.guests {
        guest.token = format!("{}MW", guest.token);
    }
    for (said, names) in [
        ("!bob@sms: remind Bob", "Bob"),
        ("!kim@sms: invite Bob", "Bob"),
        ("!eve@sms: remind Anna, Ben", "Anna and Ben"),
    ] {
        let text = world.play(said);
        let text: Vec<&str> = text.lines().skip(1).map(str::trim).collect();
        let text = text.join("\n");
        assert_eq!(crate::sms_text::segments(&text).count, 1, "{text}");
        for part in ["Harbour Supper", names, "last name", "MW", "STOP"] {
            assert!(text.contains(part), "{text}");
        }
    }
}

#[test]
fn a_phone_of_two_invitations() {
    check(
        "!bob@sms: invite Bob, Anna
         bob@sms: tanner
         bob@sms: B8TAN7 tanner
         +1d
         !bob@sms: remind Bob, Anna",
        expect![[r#"
            !bob@sms: invite Bob, Anna
                Mia, 07700 900555 invites Bob and Anna to Harbour Supper, Sat 28 Nov 2026, 18:00, London time.
                Reply with code and last name: Bob Tanner: B8TAN7 and Anna Holloway: K7QF2M. No more texts: STOP
            bob@sms: tanner
                Hello! To answer your invitation, text your code and last name together, e.g. AB3DE7FG Miller. Spell the name as on the invitation.
            bob@sms: B8TAN7 tanner
                Welcome, Bob!
                Harbour Supper
                When: Sat 28 Nov 2026, 18:00, London time
                Where: The Old Boathouse
                Dress code: nautical
                Please answer by Fri 20 Nov, end of day, London time.
                No answer yet: Bob +2.
                3 people are expected.
                Harbour Supper: how many are coming, you included? 3 are expected. Reply a number, ALL, ONLY ME or NONE.
                (LoggedInElsewhere { guest: Bob, channel: Sms } -> EveryAddressOf(Bob))
            +1d
            !bob@sms: remind Bob, Anna
                Harbour Supper: no answer yet from Bob (by Fri 20 Nov, end of day, London time).
                For Anna Holloway, send code K7QF2M and the last name.
                How many are coming? Reply a number, ALL, ONLY ME or NONE.
        "#]],
    );
}

#[test]
fn too_late_there_is_nothing_to_say() {
    check(
        "anna: K7QF2M Holloway
         +20d
         !anna: remind Anna, Ben, Cleo",
        expect![[r#"
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
            +20d
            !anna: remind Anna, Ben, Cleo
                (nothing to say)
        "#]],
    );
}
