//! What changes while a question is open: answers of others, the group itself, guests who are moved or deleted.

use expect_test::expect;

use super::world::{World, address};
use crate::model::GroupId;

#[test]
fn two_answer_at_the_same_time_and_neither_is_lost() {
    let mut world = World::after(
        "anna: K7QF2M Holloway\nanna: 2\nanna: Cleo\nanna: none for all
         ben: B3NH4Z Holloway\nben: only me\nben: they answer themselves\nben: vegan\nben: yes",
    );
    let chat = world.play(
        "anna: [Yes, save it]
         anna: [~Yes, save it]
         anna: [Yes, save it]
         ben: status",
    );
    expect![[r#"
        anna: [Yes, save it]
            Something has changed in the meantime. This is how it stands:
            Anna: no answer yet
            Ben: coming
            Cleo: no answer yet
            Your answer:
            Anna: coming
            Ben: coming
            Cleo: not coming
            2 people are coming.
            Is this right?
            [Yes, save it] [Change something]
        anna: [~Yes, save it]
            That belonged to an earlier question. Here is the present one:
            Your answer:
            Anna: coming
            Ben: coming
            Cleo: not coming
            2 people are coming.
            Is this right?
            [Yes, save it] [Change something]
        anna: [Yes, save it]
            Saved. Thank you!
            You can change it until Fri 20 Nov, end of day, London time: send "change".
            For your calendar.
            <supper.ics>
            (AnsweredFor { guests: [Ben, Cleo], by: Anna } -> Guests([Ben, Cleo]))
        ben: status
            How it stands for Harbour Supper:
            Anna: coming
            Ben: coming
            Cleo: not coming
            2 people are coming.
            To change it, send "change".
    "#]]
    .assert_eq(&chat);
}

#[test]
fn somebody_answers_differently_while_the_read_back_is_open() {
    let mut world = World::after(
        "anna: K7QF2M Holloway\nanna: all\nanna: none for all
         ben: B3NH4Z Holloway\nben: decline\nben: only me\nben: yes",
    );
    let chat = world.play(
        "anna: yes
         anna: [No, leave it]
         anna: yes",
    );
    expect![[r#"
        anna: yes
            Something has changed in the meantime. This is how it stands:
            Anna: no answer yet
            Ben: not coming
            Cleo: no answer yet
            Ben had answered: not coming. Change that?
            [Yes, change it] [No, leave it]
        anna: [No, leave it]
            Your answer:
            Anna: coming
            Ben: not coming
            Cleo: coming
            2 people are coming.
            Is this right?
            [Yes, save it] [Change something]
        anna: yes
            Saved. Thank you!
            You can change it until Fri 20 Nov, end of day, London time: send "change".
            For your calendar.
            <supper.ics>
            (AnsweredFor { guests: [Cleo], by: Anna } -> Guests([Cleo]))
    "#]]
    .assert_eq(&chat);
}

#[test]
fn whoever_answered_meanwhile_is_not_asked_about() {
    let mut world = World::after(
        "anna: K7QF2M Holloway\nanna: only me
         ben: B3NH4Z Holloway\nben: only me\nben: open\nben: none\nben: yes",
    );
    let chat = world.play("anna: not coming\nanna: not coming\nanna: none\nanna: yes");
    expect![[r#"
        anna: not coming
            Something has changed in the meantime. This is how it stands:
            Anna: no answer yet
            Ben: coming
            Cleo: no answer yet
            And Cleo: not coming, or will they answer themselves?
            [Not coming] [They answer themselves]
        anna: not coming
            Do you have any dietary needs or allergies? Write them, or pick "None".
            [None]
        anna: none
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
    "#]]
    .assert_eq(&chat);
}

#[test]
fn for_whom_is_asked_once_somebody_has_answered() {
    let mut world = World::after(
        "anna: K7QF2M Holloway
         ben: B3NH4Z Holloway\nben: only me\nben: open\nben: none\nben: yes",
    );
    let chat = world.play("anna: all\nanna: for me\nanna: yes\nanna: none\nanna: yes");
    expect![[r#"
        anna: all
            Something has changed in the meantime. This is how it stands:
            Anna: no answer yet
            Ben: coming
            Cleo: no answer yet
            Ben already answered. Is your answer for you, or for everybody?
            [Only for me] [For everybody]
        anna: for me
            Are you coming?
            [Yes, I am coming] [No, I cannot come]
        anna: yes
            Do you have any dietary needs or allergies? Write them, or pick "None".
            [None]
        anna: none
            Your answer:
            Anna: coming
            Ben: coming
            Cleo: no answer yet
            2 people are coming so far.
            Is this right?
            [Yes, save it] [Change something]
        anna: yes
            Saved. Thank you!
            You can change it until Fri 20 Nov, end of day, London time: send "change".
            For your calendar.
            <supper.ics>
    "#]]
    .assert_eq(&chat);
}

#[test]
fn a_member_more_begins_the_answer_again() {
    let mut world = World::after("anna: K7QF2M Holloway\nanna: all\nanna: none for all");
    world.add("Dora", "Holloway", "D4RAH8", Some("holloway"), 2);
    world.raise("Dora");
    let chat = world.play("anna: yes\nanna: 5");
    expect![[r#"
        anna: yes
            Something has changed in the meantime. This is how it stands:
            Anna: no answer yet
            Ben: no answer yet
            Cleo: no answer yet
            Dora and 1 companion: no answer yet
            How many of the 5 of you are coming?
            [All 5] [Some of us] [Only me] [None of us]
        anna: 5
            Do you have any dietary needs or allergies? Write them, or pick "None".
            [None] [None for any of us]
    "#]]
    .assert_eq(&chat);
}

#[test]
fn a_member_less_begins_the_answer_again() {
    let mut world = World::after("anna@sms: K7QF2M Holloway\nanna@sms: 2");
    world.guests.retain(|guest| guest.first_name != "Cleo");
    world.raise("Anna");
    let chat = world.play("anna@sms: 3\nanna@sms: 2");
    expect![[r#"
        anna@sms: 3
            Something changed meanwhile:
            No answer yet: Anna and Ben.
            Harbour Supper: how many of the 2 of you are coming? Reply a number, ALL, ONLY ME or NONE.
        anna@sms: 2
            Do you have dietary needs or allergies? Write them, or reply
            1 None
            2 None for any of us
    "#]]
    .assert_eq(&chat);
}

#[test]
fn other_numbers_begin_the_answer_again() {
    let mut world = World::after("anna: K7QF2M Holloway\nanna: 2");
    world.guest_mut("Ben").expected_guests = 2;
    world.raise("Ben");
    let chat = world.play("anna: [Ben]\nanna: 3");
    expect![[r#"
        anna: [Ben]
            Something has changed in the meantime. This is how it stands:
            Anna: no answer yet
            Ben and 1 companion: no answer yet
            Cleo: no answer yet
            How many of the 4 of you are coming?
            [All 4] [Some of us] [Only me] [None of us]
        anna: 3
            Expected 4 but you said 3. Who is not coming?
            [Anna] [Ben] [Ben's companion] [Cleo] [Somebody does not know yet] [Start again]
    "#]]
    .assert_eq(&chat);
}

#[test]
fn whoever_answers_is_moved_to_another_group() {
    let mut world = World::after("anna: K7QF2M Holloway\nanna: all\nanna: none for all");
    world.guest_mut("Anna").group_id = Some(GroupId::from("work"));
    world.raise("Anna");
    world.raise("Ben");
    let chat = world.play("anna: yes\nanna: yes\nanna: none\nanna: yes\nanna: status");
    expect![[r#"
        anna: yes
            Something has changed in the meantime. This is how it stands:
            Anna: no answer yet
            Are you coming?
            [Yes, I am coming] [No, I cannot come]
        anna: yes
            Do you have any dietary needs or allergies? Write them, or pick "None".
            [None]
        anna: none
            Your answer:
            Anna: coming
            1 person is coming.
            Is this right?
            [Yes, save it] [Change something]
        anna: yes
            Saved. Thank you!
            You can change it until Fri 20 Nov, end of day, London time: send "change".
            For your calendar.
            <supper.ics>
        anna: status
            How it stands for Harbour Supper:
            Anna: coming
            1 person is coming.
            To change it, send "change".
    "#]]
    .assert_eq(&chat);
    assert_eq!(world.guest("Ben").num_guests, 0);
}

#[test]
fn a_name_that_changes_keeps_the_answer() {
    let mut world = World::after("anna: K7QF2M Holloway\nanna: 2");
    world.guest_mut("Cleo").first_name = "Clea".to_owned();
    world.raise("Anna");
    let chat = world.play("anna: [Cleo]\nanna: Cleo\nanna: Clea");
    expect![[r#"
        anna: [Cleo]
            Something has changed in the meantime. This is how it stands:
            Anna: no answer yet
            Ben: no answer yet
            Clea: no answer yet
            Expected 3 but you said 2. Who is not coming?
            [Anna] [Ben] [Clea] [Somebody does not know yet] [Start again]
        anna: Cleo
            Sorry, I did not understand that.
            Who is not coming?
            [Anna] [Ben] [Clea] [Somebody does not know yet] [Start again]
        anna: Clea
            Do you have any dietary needs or allergies? Write them, or pick "None".
            [None] [None for any of us]
    "#]]
    .assert_eq(&chat);
}

#[test]
fn whoever_answers_is_deleted() {
    let mut world = World::after("anna: K7QF2M Holloway\nanna: all");
    world.guests.retain(|guest| guest.first_name != "Anna");
    let chat = world.play("anna: [None]\nanna: hi\nanna: B3NH4Z Holloway");
    expect![[r#"
        anna: [None]
            The invitation you were logged in to is no longer valid here. To continue, please send your code and last name.
        anna: hi
            Hello! I take the answers to your invitation. Please send your code and your last name in one message, like this: AB3DE7FG Miller. Type the last name as it stands on the invitation.
        anna: B3NH4Z Holloway
            Welcome, Ben!
            Harbour Supper
            When: Sat 28 Nov 2026, 18:00, London time
            Where: The Old Boathouse
            Dress code: nautical
            Please answer by Fri 20 Nov, end of day, London time.
            Ben: no answer yet
            Cleo: no answer yet
            2 people are expected.
            How many of the 2 of you are coming?
            [All 2] [Only me] [None of us]
            (LoggedInElsewhere { guest: Ben, channel: Telegram } -> EveryAddressOf(Ben))
    "#]].assert_eq(&chat);
}

#[test]
fn an_answer_about_a_deleted_guest_is_none_about_another() {
    for text in ["yes", "none", "0", "[Yes, I am coming]", "all", "<sticker>"] {
        let mut world = World::after(
            "anna@sms: K7QF2M Holloway\nanna@sms: H4TR8W Santos\nanna: K7QF2M Holloway\nanna: H4TR8W Santos",
        );
        world.guests.retain(|guest| guest.token != "H4TR8W");
        for who in ["anna", "anna@sms"] {
            let chat = world.play(&format!("{who}: {text}"));
            assert!(chat.contains("no longer valid here"), "{chat}");
            assert!(chat.contains("You now speak for Anna Holloway"), "{chat}");
            assert!(world.described(&address(who)).ends_with("HowMany"), "{text}: {}", world.described(&address(who)));
        }
    }
}

#[test]
fn a_list_of_invitations_that_has_changed_is_shown_again() {
    let mut world =
        World::after("anna@sms: H4TR8W Santos\nanna@sms: K7QF2M Holloway\nanna@sms: P9DX3C Santos\nanna@sms: switch");
    world.guests.retain(|guest| guest.token != "H4TR8W");
    let chat = world.play("anna@sms: 2\nanna@sms: switch");
    expect![[r#"
        anna@sms: 2
            One of the invitations you were logged in to is no longer valid here.
            You now speak for Maria Santos (Harbour Supper).
            Harbour Supper
            When: Sat 28 Nov 2026, 18:00, London time
            Where: The Old Boathouse
            Dress code: nautical
            Please answer by Fri 20 Nov, end of day, London time.
            No answer yet: Maria.
            1 person is expected.
            Harbour Supper: are you coming? Reply 1 if you are, 0 if not.
        anna@sms: switch
            For which invitation?
            1 Anna Holloway, Harbour Supper
            2 Maria Santos, Harbour Supper
    "#]]
    .assert_eq(&chat);
}
