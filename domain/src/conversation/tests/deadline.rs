//! What can still change when.

use expect_test::expect;

use super::world::{World, address, at};

const SAVED: &str = "anna: K7QF2M Holloway\nanna: all\nanna: none\nanna: vegan\nanna: none\nanna: yes";

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
            Thank you, it is noted for the host.
            If it is urgent: Mia, 07700 900555
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
            Dietary needs, Ben: vegan
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
            Dietary needs, Ben: vegan
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
            Dietary needs, Anna: no shellfish
            Dietary needs, Ben: vegan
            (LateChange { guest: Anna } -> Hosts(EventId("supper")))
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
            Dietary, Anna: no shellfish.
            Dietary, Ben: vegan.
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
            Dietary needs, Maria: hm?
            (LateChange { guest: Maria } -> Hosts(EventId("supper")))
        maria: yes
            Sorry, answers closed on Fri 20 Nov, end of day, London time. Nothing was changed.
            Please talk to the host: Mia, 07700 900555
        maria: no eggs
            Sorry, I did not understand that.
            Send "menu" to see what I understand.
        maria: status
            How it stands for Harbour Supper:
            Maria: coming
            Dietary needs, Maria: hm?
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
            Dietary needs, Anna: no nuts
            (LateChange { guest: Anna } -> Hosts(EventId("supper")))
    "#]]
    .assert_eq(&chat);
    assert_eq!(world.guest("Ben").dietary, "vegan");
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
