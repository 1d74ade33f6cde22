//! The store cannot be reached, or does not answer; and then it does.

use chrono::TimeDelta;
use store::EntryStatus;

use crate::{
    fixtures::{OURS, PHONE},
    process::until,
    world::{Setup, World},
};

/// Telegram sends an update again until it is taken, and it is taken once.
#[tokio::test]
async fn telegram_is_asked_to_come_again() {
    let world = World::new().await;
    let anna = world.telegram("anna");
    anna.comes_in("K7QF2M Holloway").await;
    anna.presses("All 3").await.skips(1);
    anna.presses("None for any of us").await.skips(1);
    let acknowledged = world.telegram.calls("answerCallbackQuery");

    let confirms = world.update_request(&world.telegram.press(anna.id(), "Yes, save it"));
    world.process.store.go_down();
    for _ in 0..3 {
        assert_eq!(world.process.post(&confirms).await.status, 503);
    }
    world.pump().await;
    anna.sees_nothing_more();
    assert_eq!(world.telegram.calls("answerCallbackQuery"), acknowledged, "it has not been understood yet");
    world.process.store.mend();
    assert_eq!(world.answers("K7QF2M").await, "Anna pending, Ben pending, Cleo pending");
    for _ in 0..2 {
        assert_eq!(world.process.post(&confirms).await.status, 200);
        world.pump().await;
    }
    anna.sees("Saved").sees("harbour-supper.ics").sees_nothing_more();
    assert_eq!(world.answers("K7QF2M").await, "Anna coming, Ben coming, Cleo coming");
    world.finish().await;
}

/// The commit went through, but the word of it got lost.
#[tokio::test]
async fn a_commit_of_which_nobody_heard() {
    let world = World::new().await;
    let anna = world.telegram("anna");
    world.process.store.fail_afterwards("commit", 1);
    let says = world.update_request(&world.telegram.text(anna.id(), "K7QF2M Holloway"));
    assert_eq!(world.process.post(&says).await.status, 503);
    assert_eq!(world.process.post(&says).await.status, 200);
    world.pump().await;
    anna.sees("Welcome").sees("How many").sees_nothing_more();

    // By SMS the sender is asked to send it again, and what they then hear is the truth.
    let anna = world.phone(PHONE);
    anna.comes_in("K7QF2M Holloway").await;
    anna.texts("all").await.skips(1);
    anna.texts("2").await.skips(1);
    world.process.store.fail_afterwards("commit", 1);
    let reply = anna.tries_to_say("1").await;
    assert!(reply.body.contains("send it again"), "{}", reply.body);
    world.pump().await;
    anna.sees("Saved");
    anna.texts("1").await.sees("How it stands for Harbour Supper: Coming: Anna, Ben and Cleo.");
    world.telegram("anna").sees("invitation (Harbour Supper) was just opened from another phone too").skips_all();
    world.finish().await;
}

/// A provider of texts may never try again: the sender is asked to, in the answer itself.
#[tokio::test]
async fn a_text_is_answered_with_a_request_to_send_it_again() {
    let world = World::new().await;
    let anna = world.phone(PHONE);
    anna.comes_in("K7QF2M Holloway").await;
    anna.texts("all").await.skips(1);
    anna.texts("2").await.skips(1);
    world.process.store.go_down();
    let reply = anna.tries_to_say("1").await;
    assert_eq!((reply.status, reply.content_type.as_str()), (200, "text/xml"));
    assert_eq!(
        reply.body,
        "<Response><Message>Sorry, your text could not be saved just now. Please send it again in a few minutes.\
         </Message></Response>"
    );
    world.pump().await;
    world.process.store.mend();
    world.pump().await;
    anna.sees_nothing_more();
    assert_eq!(world.answers("K7QF2M").await, "Anna pending, Ben pending, Cleo pending");
    anna.texts("1").await.sees("Saved, thank you!");
    assert_eq!(world.answers("K7QF2M").await, "Anna coming, Ben coming, Cleo coming");
    world.finish().await;
}

/// Somebody who opted out is not written to, not even then; nor is a machine.
#[tokio::test]
async fn who_must_not_be_answered_is_not_asked_to_send_it_again() {
    let world = World::new().await;
    world.process.store.go_down();
    for (from, text) in [(PHONE, "STOP"), (OURS, "all"), ("60777", "all")] {
        let reply = world.phone(from).tries_to_say(text).await;
        assert_eq!((reply.status, reply.body.as_str()), (200, "<Response/>"), "{from} {text}");
    }
    world.process.store.mend();
    world.finish().await;
}

/// Telegram hangs up on a request that takes too long, and sends the update again.
#[tokio::test]
async fn a_store_that_does_not_answer() {
    let world = World::new().await;
    let anna = world.telegram("anna");
    world.process.store.hang("commit");
    let says = world.update_request(&world.telegram.text(anna.id(), "K7QF2M Holloway"));
    let before = world.process.store.calls("commit");
    {
        let comes_to_the_store = until("it comes to the store", || world.process.store.calls("commit") > before);
        tokio::select! {
            _ = world.process.post(&says) => panic!("an answer without a commit"),
            () = comes_to_the_store => {}
        }
    }
    world.process.store.mend();
    assert_eq!(world.process.post(&says).await.status, 200);
    world.pump().await;
    anna.sees("Welcome").sees("How many").sees_nothing_more();
    world.finish().await;
}

/// What was fetched and could not be stored stays at Telegram.
#[tokio::test]
async fn a_poller_waits_for_the_store() {
    let settings = &[("CONVIVE__TELEGRAM__MODE", "polling")];
    let world = World::with(Setup { settings, ..Setup::default() }).await;
    let anna = world.telegram("anna");
    world.process.store.go_down();
    world.telegram.queue(world.telegram.text(anna.id(), "K7QF2M Holloway"));
    for _ in 0..3 {
        let error = world.process.try_poll().await.unwrap_err();
        assert!(error.contains("could not be stored"), "{error}");
    }
    assert_eq!(world.telegram.unconfirmed(), 1);
    world.process.store.mend();
    assert_eq!(world.process.poll().await, 1);
    world.pump().await;
    anna.sees("Welcome").sees("How many").sees_nothing_more();
    world.finish().await;
}

/// The keeper of the machine sees it, and why.
#[tokio::test]
async fn the_program_is_not_ready_while_the_store_is_down() {
    let world = World::new().await;
    let ready = world.process.get("/readyz").await;
    assert_eq!((ready.status, ready.content_type.as_str()), (200, "application/json"));
    world.process.store.go_down();
    let ready = world.process.get("/readyz").await;
    assert_eq!(ready.status, 503);
    assert!(ready.body.contains("the store cannot be reached: it is switched off"), "{}", ready.body);
    assert!(ready.body.contains("telegram") && ready.body.contains("sms"), "{}", ready.body);
    assert_eq!(world.process.get("/healthz").await.status, 200, "the program itself is alive");
    world.process.store.mend();
    assert_eq!(world.process.get("/readyz").await.status, 200);
    world.finish().await;
}

/// The courier sends nothing that it cannot record, and goes on when it can.
#[tokio::test]
async fn the_outbox_waits_for_the_store() {
    let world = World::new().await;
    let anna = world.telegram("anna");
    world.courier_rests();
    anna.says("K7QF2M Holloway").await;
    // Both channels look for messages each time.
    world.process.store.fail("claim", 6);
    for _ in 0..3 {
        world.pump().await;
    }
    anna.sees_nothing_more();
    world.courier_works().await;
    anna.sees("Welcome").sees("How many");
    world.finish().await;
}

/// A message that Convive starts needs a look at the facts first.
#[tokio::test]
async fn a_notice_waits_for_the_facts() {
    for method in ["conversation", "event", "guest", "begin_attempt"] {
        let world = World::new().await;
        let (anna, ben) = (world.telegram("anna"), world.telegram("ben"));
        anna.comes_in("K7QF2M Holloway").await;
        ben.comes_in("B3NH4Z Holloway").await;
        anna.says("all").await.skips(1);
        anna.says("none for any of us").await.skips(1);
        world.courier_rests();
        anna.says("yes").await;
        world.process.store.fail(method, 1);
        world.courier_works().await;
        anna.sees("Saved").skips(1);
        ben.sees_nothing_more();
        assert_eq!(world.entries(EntryStatus::Pending).await.len(), 1, "{method}");
        world.pass(TimeDelta::seconds(5)).await;
        ben.sees("Anna answered for you").sees_nothing_more();
        world.finish().await;
    }
}

/// A delivery report is sent again by its provider.
#[tokio::test]
async fn a_delivery_report_waits_for_the_store() {
    let world = World::new().await;
    let anna = world.phone(PHONE);
    anna.texts("hello").await.skips(1);
    let sid = world.twilio.last_to(PHONE).unwrap().sid;
    let report = world.twilio.status_callback(&sid, "delivered", None).into();
    world.process.store.go_down();
    assert_eq!(world.process.post(&report).await.status, 503);
    world.process.store.mend();
    assert_eq!(world.process.post(&report).await.status, 204);
    let delivery = world.entries_to(&anna.address()).await[0].delivery;
    assert_eq!(delivery, Some(store::DeliveryStatus::Delivered));
    world.finish().await;
}
