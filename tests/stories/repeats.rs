//! Every message twice: one after the other, at the same time, and again two days later.

use chrono::TimeDelta;
use reminders::Housekeeping;

use crate::{
    chat::Chat,
    family::{anna_answers_for_all, anna_texts_for_two},
    fixtures::PHONE,
    world::{Arrives, Setup, World},
};

/// What a story left behind.
#[derive(Debug, PartialEq, Eq)]
struct Traces {
    chat: String,
    answers: String,
    activities: usize,
    /// Of the group: raised by every change of an answer.
    version: u64,
}

async fn traces(world: &World, chat: &Chat<'_>) -> Traces {
    let key = world.guest("K7QF2M").await.group_key();
    let event = world.event_id().await;
    Traces {
        chat: chat.skips_all().transcript(),
        answers: world.answers("K7QF2M").await,
        activities: world.store().activity(&event, chrono::DateTime::UNIX_EPOCH).await.unwrap().len(),
        version: world.store().groups(&[key]).await.unwrap()[0].version,
    }
}

#[tokio::test]
async fn every_update_twice() {
    let world = World::new().await;
    anna_answers_for_all(&world).await;
    let once = traces(&world, &world.telegram("anna")).await;
    world.finish().await;
    for arrives in [Arrives::Twice, Arrives::TwiceAtOnce] {
        let world = World::new().await;
        world.messages_arrive(arrives);
        anna_answers_for_all(&world).await;
        assert_eq!(traces(&world, &world.telegram("anna")).await, once, "{arrives:?}");
        two_days_later(&world, &world.telegram("anna"), &once).await;
        world.finish().await;
    }
}

#[tokio::test]
async fn every_text_twice() {
    let world = World::new().await;
    anna_texts_for_two(&world).await;
    let once = traces(&world, &world.phone(PHONE)).await;
    world.finish().await;
    for arrives in [Arrives::Twice, Arrives::TwiceAtOnce] {
        let world = World::new().await;
        world.messages_arrive(arrives);
        anna_texts_for_two(&world).await;
        assert_eq!(traces(&world, &world.phone(PHONE)).await, once, "{arrives:?}");
        two_days_later(&world, &world.phone(PHONE), &once).await;
        world.finish().await;
    }
}

/// A signature has no date: whoever kept a request may send it again.
async fn two_days_later(world: &World, chat: &Chat<'_>, before: &Traces) {
    world.pass(TimeDelta::days(2)).await;
    Housekeeping { retention_days: 90 }.tidy(world.store(), world.now()).await.unwrap();
    world.hear_everything_again().await;
    assert_eq!(traces(world, chat).await, *before, "two days later");
}

/// A poller that could not confirm its updates gets them again.
#[tokio::test]
async fn a_batch_that_is_fetched_twice() {
    let settings = &[("CONVIVE__TELEGRAM__MODE", "polling")];
    let mut world = World::with(Setup { settings, ..Default::default() }).await;
    world.courier_rests();
    for text in ["K7QF2M Holloway", "all", "none for any of us", "yes"] {
        world.telegram.queue(world.telegram.text(world.telegram("anna").id(), text));
    }
    assert_eq!(world.process.poll().await, 4);
    // It crashes before it asks for later ones.
    assert_eq!(world.telegram.unconfirmed(), 4);
    world.crash_and_restart().await;
    assert_eq!(world.process.poll().await, 4);
    world.courier_works().await;
    world.telegram("anna").sees("Welcome").sees("Is this right?").sees("Saved").sees("harbour-supper.ics");
    assert_eq!(world.answers("K7QF2M").await, "Anna coming, Ben coming, Cleo coming");
    world.finish_leaving("2 dropped").await;
}

/// Some gateways give one text two ids: nothing is stored twice, and nobody comes twice.
#[tokio::test]
async fn one_text_under_two_ids() {
    let world = World::new().await;
    let anna = world.phone(PHONE);
    for text in ["K7QF2M Holloway", "all", "2", "1"] {
        anna.texts(text).await;
        world.advance(TimeDelta::seconds(2));
        anna.skips_all();
        if text == "1" {
            // The confirmation once more: there is nothing left to confirm.
            anna.texts(text).await.sees("How it stands for Harbour Supper: Coming: Anna, Ben and Cleo.");
        }
    }
    assert_eq!(world.answers("K7QF2M").await, "Anna coming, Ben coming, Cleo coming");
    let event = world.event_id().await;
    let activity = world.store().activity(&event, chrono::DateTime::UNIX_EPOCH).await.unwrap();
    let answered = activity.iter().filter(|it| matches!(it.what, domain::activity::Happening::Answered { .. }));
    assert_eq!(answered.count(), 3, "once for each of them");
    world.finish().await;
}
