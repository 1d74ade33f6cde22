//! The program ends without a warning; another goes on where it stopped.

use std::sync::Arc;

use chrono::TimeDelta;
use fakes::{telegram::Answer as Telegram, twilio::Answer as Twilio};

use crate::{fixtures::PHONE, process::until, world::World};

/// Longer than a lease lasts.
const LEASE: TimeDelta = TimeDelta::seconds(31);

#[tokio::test]
async fn between_the_commit_and_the_first_attempt() {
    let mut world = World::new().await;
    world.courier_rests();
    world.telegram("anna").says("K7QF2M Holloway").await;
    world.phone(PHONE).says("B3NH4Z Holloway").await;
    world.crash_and_restart().await;
    world.courier_works().await;
    world.telegram("anna").sees("Welcome, Anna!").sees("How many");
    world.phone(PHONE).sees("Welcome, Ben!").sees("how many");
    // The new program knows what was asked.
    world.telegram("anna").presses("All 3").await.sees("dietary needs");
    world.phone(PHONE).texts("3").await.sees("Dietary needs");
    world.finish().await;
}

/// A crash after each message, before any of it is answered: the chat is the same as without.
#[tokio::test]
async fn after_every_message() {
    let texts = ["hello", "K7QF2M Holloway", "2", "cleo", "vegan, no nuts", "none", "yes", "mine"];
    let mut chats = Vec::new();
    for crashes in [false, true] {
        let mut world = World::new().await;
        for text in texts {
            world.courier_rests();
            world.phone(PHONE).texts(text).await;
            if crashes {
                world.crash_and_restart().await;
            }
            world.courier_works().await;
        }
        assert_eq!(world.answers("K7QF2M").await, "Anna coming \"vegan, no nuts\", Ben coming, Cleo declined");
        chats.push(world.phone(PHONE).skips_all().transcript());
        world.finish().await;
    }
    assert_eq!(chats[0], chats[1]);
}

/// What was on its way is in doubt. Nothing happens before its lease is over; then Telegram gets it once more and
/// Twilio is asked for it.
#[tokio::test]
async fn while_a_message_is_on_its_way() {
    let mut world = World::new().await;
    let (anna, ben) = (world.telegram("anna"), world.phone(PHONE));
    anna.says("hello").await.skips(1);
    world.courier_rests();
    anna.says("K7QF2M Holloway").await;
    ben.texts("B3NH4Z Holloway").await;
    world.telegram.answer_next("sendMessage", Telegram::HangAfterStoring);
    world.twilio.answer([Twilio::HangAfterStoring]);
    let courier = Arc::clone(&world.process.courier);
    let pump = tokio::spawn(async move { courier.pump().await });
    world.telegram.wait_for_messages(anna.id(), 2).await;
    until("the text is at Twilio", || world.twilio.last_to(PHONE).is_some()).await;
    pump.abort();
    let _ = pump.await;
    world.crash_and_restart().await;
    let (anna, ben) = (world.telegram("anna"), world.phone(PHONE));

    world.pass(TimeDelta::seconds(29)).await;
    anna.sees("Welcome, Anna!").sees_nothing_more();
    ben.sees("Welcome, Ben!").sees_nothing_more();
    assert_eq!(world.left_over().await, "2 pending, 2 leased");
    world.pass(TimeDelta::seconds(2)).await;
    anna.sees("Welcome, Anna!").sees("How many").sees_nothing_more();
    ben.sees("how many").sees_nothing_more();
    world.courier_works().await;
    world.finish().await;
}

/// Sent, and the store could not take note of it before the program ended: at most that one message is doubled.
#[tokio::test]
async fn between_the_sending_and_its_record() {
    let mut world = World::new().await;
    world.courier_rests();
    world.telegram("anna").says("K7QF2M Holloway").await;
    world.phone(PHONE).texts("B3NH4Z Holloway").await;
    world.process.store.fail("settle", u32::MAX);
    world.pump().await;
    world.pump().await;
    world.telegram("anna").sees("Welcome").sees_nothing_more();
    world.phone(PHONE).sees("Welcome").sees_nothing_more();
    world.crash_and_restart().await;
    world.courier_works().await;
    world.telegram("anna").sees_nothing_more();
    world.pass(LEASE).await;
    world.telegram("anna").sees("Welcome").sees("How many").sees_nothing_more();
    world.phone(PHONE).sees("how many").sees_nothing_more();
    world.finish().await;
}

/// The same without a crash: what was sent is recorded as soon as it can be, and not sent again.
#[tokio::test]
async fn a_record_that_comes_late() {
    let world = World::new().await;
    world.courier_rests();
    world.telegram("anna").says("K7QF2M Holloway").await;
    world.phone(PHONE).texts("B3NH4Z Holloway").await;
    world.process.store.fail("settle", 8);
    for _ in 0..3 {
        world.pump().await;
    }
    world.process.store.mend();
    world.courier_works().await;
    world.telegram("anna").sees("Welcome").sees("How many");
    world.phone(PHONE).sees("Welcome").sees("how many");
    world.finish().await;
}

/// A program that hangs loses its lease to another one; its own late word changes nothing.
#[tokio::test]
async fn another_program_takes_over_a_lost_lease() {
    let world = World::new().await;
    let other = world.start_another().await;
    let (anna, ben) = (world.telegram("anna"), world.phone(PHONE));
    world.courier_rests();
    anna.says("K7QF2M Holloway").await;
    ben.texts("B3NH4Z Holloway").await;
    // It was told that Anna has blocked the bot, it has sent Ben's text, and now it hangs.
    world.telegram.answer_next_to(anna.id(), "sendMessage", Telegram::Blocked);
    world.process.store.hang("settle");
    let courier = Arc::clone(&world.process.courier);
    let pump = tokio::spawn(async move { courier.pump().await });
    until("both attempts have ended", || world.process.store.calls("settle") == 2).await;
    ben.sees("Welcome");

    other.pump().await;
    world.advance(TimeDelta::seconds(29));
    other.pump().await;
    anna.sees_nothing_more();
    ben.sees_nothing_more();
    world.advance(TimeDelta::seconds(2));
    other.pump().await;
    anna.sees("Welcome").sees("How many").sees_nothing_more();
    ben.sees("how many").sees_nothing_more();

    world.process.store.mend();
    pump.await.unwrap();
    let conversation = world.store().conversation(&anna.address()).await.unwrap().unwrap();
    assert!(!conversation.unreachable, "that was no longer its to say");
    world.courier_works().await;
    world.pass(LEASE).await;
    anna.sees_nothing_more();
    world.finish().await;
}

/// Several couriers at work on one outbox: everything goes once, and in order.
#[tokio::test]
async fn two_couriers_share_the_work() {
    let world = World::new().await;
    let other = world.start_another().await;
    world.courier_rests();
    let phones: Vec<String> = (10..30).map(|number| format!("+4477009001{number}")).collect();
    for phone in &phones {
        world.phone(phone).texts("hello").await;
        world.phone(phone).texts("K7QF2M Nobody").await;
        world.phone(phone).texts("Code: K7QF2M").await;
    }
    tokio::join!(world.process.pump(), other.pump());
    for phone in &phones {
        let phone = world.phone(phone);
        phone.sees("Hello!").sees("No invitation has that code and last name").sees("your last name");
    }
    world.finish().await;
}
