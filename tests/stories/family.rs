//! A guest answers for the whole family.

use chrono::TimeDelta;
use expect_test::expect;

use crate::{
    fixtures::PHONE,
    world::{Setup, World},
};

/// From the first message to the calendar file.
pub async fn anna_answers_for_all(world: &World) {
    let anna = world.telegram("anna");
    anna.says("hello").await;
    anna.says("K7QF2M Holloway").await;
    anna.presses("All 3").await;
    anna.presses("None").await;
    anna.says("vegan, no nuts").await;
    anna.presses("None").await;
    anna.presses("Yes, save it").await;
    anna.says("status").await;
}

/// The same by SMS, where Cleo cannot come.
pub async fn anna_texts_for_two(world: &World) {
    let anna = world.phone(PHONE);
    anna.texts("Hello?").await;
    anna.texts("K7QF2M Holloway").await;
    anna.texts("2").await;
    anna.texts("3").await;
    anna.texts("vegan, no nuts").await;
    anna.texts("1").await;
    anna.texts("1").await;
    anna.texts("mine").await;
}

#[tokio::test]
async fn a_family_answers_in_telegram() {
    let world = World::new().await;
    anna_answers_for_all(&world).await;
    world.telegram("anna").shows(expect![[r#"
        > hello
        < Hello! I take the answers to your invitation. Please send your code and your last name in one message, like this: AB3DE7FG Miller. Type the last name as it stands on the invitation.
        > K7QF2M Holloway
        < Welcome, Anna!
          Harbour Supper
          When: Sat 28 Nov 2026, 18:00, London time
          Where: The Old Boathouse
          Dress code: nautical
          Please answer by Fri 20 Nov, end of day, London time.
          Anna: no answer yet
          Ben: no answer yet
          Cleo: no answer yet
          3 people are expected.
        < How many of the 3 of you are coming?
        > [All 3]
        < Do you have any dietary needs or allergies? Write them, or pick "None".
        > [None]
        < Any dietary needs or allergies for Ben? Write them, or pick "None".
          [None]
          [None for any of us]
        > vegan, no nuts
        < Any dietary needs or allergies for Cleo? Write them, or pick "None".
        > [None]
        < Your answer:
          Anna: coming
          Ben: coming
          Cleo: coming
          Dietary needs, Ben: vegan, no nuts
          3 people are coming.
          Is this right?
        > [Yes, save it]
        < Saved. Thank you!
          You can change it until Fri 20 Nov, end of day, London time: send "change".
        < For your calendar.
          (harbour-supper.ics, text/calendar; charset=utf-8)
        > status
        < How it stands for Harbour Supper:
          Anna: coming
          Ben: coming
          Cleo: coming
          Dietary needs, Ben: vegan, no nuts
          3 people are coming.
          To change it, send "change".
    "#]]);
    assert_eq!(world.answers("K7QF2M").await, "Anna coming, Ben coming \"vegan, no nuts\", Cleo coming");
    let messages = world.telegram.messages(world.telegram("anna").id());
    let calendar = messages.iter().find_map(|message| message.document.as_ref()).unwrap();
    assert_eq!(calendar.media_type, "text/calendar; charset=utf-8");
    assert!(calendar.content.contains("DTSTART:20261128T180000Z"), "{}", calendar.content);
    world.finish().await;
}

#[tokio::test]
async fn a_family_answers_by_sms() {
    let world = World::new().await;
    anna_texts_for_two(&world).await;
    world.phone(PHONE).shows(expect![[r#"
        > Hello?
        < Hello! To answer your invitation, text your code and last name together, e.g. AB3DE7FG Miller. Spell the name as on the invitation.
        > K7QF2M Holloway
        < Welcome, Anna!
          Harbour Supper
          When: Sat 28 Nov 2026, 18:00, London time
          Where: The Old Boathouse
          Dress code: nautical
          Please answer by Fri 20 Nov, end of day, London time.
          No answer yet: Anna, Ben and Cleo.
          3 people are expected.
        < Harbour Supper: how many of the 3 of you are coming? Reply a number, ALL, ONLY ME or NONE.
        > 2
        < Expected 3 but you said 2. Who is not coming?
          1 Anna
          2 Ben
          3 Cleo
          4 Somebody is not sure
          5 Start again
        > 3
        < Do you have dietary needs or allergies? Write them, or reply
          1 None
          2 None for any of us
        > vegan, no nuts
        < Dietary needs or allergies for Ben? Write them, or reply
          1 None
        > 1
        < Your answer:
          Coming: Anna and Ben.
          Not coming: Cleo.
          Dietary, Anna: vegan, no nuts.
          2 people are coming.
          Is this right?
          1 Save it
          2 Change something
        > 1
        < Saved, thank you! To change it until Fri 20 Nov, end of day, London time, text CHANGE.
        > mine
        < How it stands for Harbour Supper:
          Coming: Anna and Ben.
          Not coming: Cleo.
          Dietary, Anna: vegan, no nuts.
          2 people are coming.
          To change it, text CHANGE.
    "#]]);
    assert_eq!(world.answers("K7QF2M").await, "Anna coming \"vegan, no nuts\", Ben coming, Cleo declined");
    world.finish().await;
}

/// A machine that cannot be called from outside fetches its updates instead.
#[tokio::test]
async fn a_family_answers_a_bot_that_polls() {
    let settings = &[("CONVIVE__TELEGRAM__MODE", "polling")];
    let world = World::with(Setup { settings, ..Setup::default() }).await;
    anna_answers_for_all(&world).await;
    let polled = world.telegram("anna").skips_all().transcript();
    assert_eq!(world.answers("K7QF2M").await, "Anna coming, Ben coming \"vegan, no nuts\", Cleo coming");
    world.finish().await;

    let world = World::new().await;
    anna_answers_for_all(&world).await;
    assert_eq!(polled, world.telegram("anna").skips_all().transcript(), "both ways lead to the same chat");
    world.finish().await;
}

/// Anna answers in Telegram for herself, Ben by SMS for everybody; then each sees the truth.
#[tokio::test]
async fn half_in_telegram_and_half_by_sms() {
    let world = World::new().await;
    let (anna, ben) = (world.telegram("anna"), world.phone("+447700900124"));
    anna.comes_in("K7QF2M Holloway").await;
    ben.comes_in("B3NH4Z Holloway").await;

    anna.presses("Only me").await.sees("And Ben and Cleo: not coming, or will they answer themselves?");
    anna.presses("They answer themselves").await.sees("dietary needs");
    anna.presses("None").await.sees("Anna: coming Ben: no answer yet Cleo: no answer yet 1 person");
    anna.presses("Yes, save it").await.sees("Saved").sees("harbour-supper.ics");
    assert_eq!(world.answers("K7QF2M").await, "Anna coming, Ben pending, Cleo pending");

    // Ben was asked before Anna answered: he hears of it before anything is overwritten.
    ben.texts("all").await.sees("Something changed … Coming: Anna. No answer yet: Ben and Cleo.");
    ben.sees_nothing_more();
    ben.texts("2").await.sees("how many of the 3 of you are coming?");
    ben.texts("2, without Anna").await.sees("Anna had answered: coming … Change that?");
    ben.texts("1").await.sees("dietary needs");
    ben.texts("2").await.sees("Coming: Ben and Cleo. Not coming: Anna.");
    anna.sees_nothing_more();
    ben.texts("1").await.sees("Saved");

    // Anna hears of it at once, and both see the same from then on.
    anna.sees("Ben answered for you (Harbour Supper): Anna: not coming … send \"change\"");
    anna.says("status").await.sees("Anna: not coming Ben: coming Cleo: coming");
    ben.texts("mine").await.sees("Coming: Ben and Cleo. Not coming: Anna.");
    anna.says("change").await.sees("How many of the 3 of you are coming?");
    anna.presses("All 3").await.sees("dietary needs");
    anna.presses("None for any of us").await.sees("Anna: coming Ben: coming Cleo: coming");
    anna.presses("Yes, save it").await.sees("Saved").skips(1);
    ben.texts("mine").await.sees("Coming: Anna, Ben and Cleo.");
    assert_eq!(world.answers("K7QF2M").await, "Anna coming, Ben coming, Cleo coming");
    world.finish().await;
}

/// A link with the code on it asks only for the name.
#[tokio::test]
async fn a_link_with_the_code_asks_only_for_the_last_name() {
    let world = World::new().await;
    let bob = world.telegram("bob");
    bob.starts("").await.sees("Please send your code and your last name in one message");
    bob.starts("B8TAN7").await.sees("your last name");
    bob.says("Tanner").await.sees("Welcome, Bob!").sees("your 2 companions");
    bob.says("2").await.sees("Who is not coming? … [One of Bob's companions]");
    bob.presses("One of Bob's companions").await.sees("you and your companion");
    bob.presses("None").await.sees("coming, with 1 of 2 companions 2 people");
    bob.presses("Yes, save it").await.sees("Saved").skips(1);
    assert_eq!(world.answers("B8TAN7").await, "Bob coming 2");
    world.finish().await;
}

/// The host hears of people beyond those expected, and of a message; the guest is asked whether they are sure.
#[tokio::test]
async fn more_than_expected_is_confirmed_and_told_to_the_host() {
    let world = World::new().await;
    let (maria, mia) = (world.phone(PHONE), world.telegram("mia"));
    mia.comes_in("M9STHE Hart").await;
    maria.comes_in("H4TR8W Santos").await;
    maria.texts("we are 3").await.sees("Expected 1 but you said 3. Are you sure?");
    maria.texts("1").await.sees("dietary needs");
    maria.texts("1").await.sees("Coming: Maria. +2 extra. 3 people");
    maria.texts("1").await.sees("Saved");
    mia.sees("Maria Santos says that 3 are coming; 1 was expected");
    maria.texts("message").await.sees("What would you like to tell the host?");
    maria.texts("Is there parking, & is it <free>?").await.sees("it is noted for the host");
    world.pass(TimeDelta::seconds(2)).await;
    mia.sees("a message from Maria Santos: Is there parking, & is it <free>?");
    assert_eq!(world.answers("H4TR8W").await, "Maria coming 3 (+2)");
    assert_eq!(world.answers("P9DX3C").await, "Maria pending", "the other Maria has not answered");
    world.finish().await;
}
