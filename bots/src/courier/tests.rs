//! The courier on the embedded store, with time that stands still between pumps.

mod bench;
mod twilio;

use chrono::{NaiveTime, TimeDelta};
use chrono_tz::Tz;
use domain::{address::Address, model::Window, notice::Hours};
use store::{EntryStatus, Store};
use tokio::sync::oneshot;

use self::bench::{Bench, Post, hangs, in_doubt, not_sent, refused, too_many};
use super::*;
use crate::{LookUp, Repeats, SendOutcome};

fn chat(number: i64) -> Address {
    Address::telegram(7_100_000_000 + number)
}

#[tokio::test]
async fn replies_go_in_the_order_in_which_they_were_decided_and_before_notices() {
    let bench = Bench::start().await;
    let post = Post::telegram(&bench);
    let courier = bench.courier("a", &[&post]);
    bench.know(&chat(1)).await;
    bench.notice(&chat(1), "somebody answered for you").await;
    for version in [3, 1, 2] {
        bench.reply(&chat(1), version, &format!("reply {version}")).await;
    }
    bench.reply(&chat(2), 1, "to another").await;
    assert_eq!(courier.pump().await, 5);
    let at_the_first = post.at(&chat(1));
    assert_eq!(at_the_first[..3], ["reply 1", "reply 2", "reply 3"]);
    assert!(at_the_first[3].contains("somebody answered for you"));
    assert_eq!(post.at(&chat(2)), ["to another"]);
    assert_eq!(courier.pump().await, 0);
}

#[tokio::test]
async fn a_reply_that_is_being_retried_holds_back_its_own_chat_alone() {
    let bench = Bench::start().await;
    let post = Post::telegram(&bench);
    let courier = bench.courier("a", &[&post]);
    post.tell(&chat(1), [not_sent(), not_sent(), not_sent()]);
    bench.reply(&chat(1), 1, "first").await;
    bench.reply(&chat(1), 2, "second").await;
    bench.reply(&chat(2), 1, "other").await;
    courier.pump().await;
    assert_eq!(post.arrived(), ["other"]);
    bench.pump_for(&courier, 6500, 500).await;
    assert_eq!(post.arrived(), ["other"], "1 s, 2 s and 4 s of waiting are not over");
    bench.pump_for(&courier, 500, 500).await;
    assert_eq!(post.arrived(), ["other", "first", "second"]);
}

#[tokio::test]
async fn a_provider_that_is_down_for_hours_loses_nothing() {
    let bench = Bench::start().await;
    let post = Post::telegram(&bench);
    let courier = bench.courier("a", &[&post]);
    post.tell(&chat(1), (0..200).map(|_| not_sent()));
    bench.reply(&chat(1), 1, "saved").await;
    courier.pump().await;
    bench.pump_for(&courier, 4 * 3_600_000, 60_000).await;
    assert_eq!(post.arrived(), ["saved"]);
}

#[tokio::test]
async fn a_429_loses_nothing_and_replies_go_meanwhile() {
    let bench = Bench::start().await;
    let post = Post::telegram(&bench);
    let courier = bench.courier("a", &[&post]);
    for number in 1..=100 {
        bench.know(&chat(number)).await;
        bench.notice(&chat(number), &format!("reminder {number}")).await;
    }
    post.tell(&chat(31), [too_many(7)]);
    let started = bench.now();
    courier.pump().await;
    bench.pump_for(&courier, 2000, 50).await;
    bench.reply(&chat(200), 1, "a reply").await;
    bench.pump_for(&courier, 1000, 20).await;
    assert!(post.arrived().contains(&"a reply".to_owned()), "before everything else that waits");
    assert_eq!(post.at(&chat(31)).len(), 0);
    bench.pump_for(&courier, 7000, 50).await;

    for number in 1..=100 {
        assert_eq!(post.at(&chat(number)).len(), 1, "reminder {number}");
        assert_eq!(bench.statuses(&chat(number)).await, [EntryStatus::Sent]);
    }
    let times = post.times();
    let waited = *times.last().unwrap() - started;
    assert!(waited >= TimeDelta::seconds(8) && waited < TimeDelta::seconds(10), "the 31st went last: {waited}");
    for from in &times {
        let within = times.iter().filter(|at| *from <= **at && **at < *from + TimeDelta::seconds(1)).count();
        assert!(within <= 30, "{within} in a second");
    }
}

#[tokio::test]
async fn two_chats_that_are_held_hold_all_notices_but_no_reply() {
    let bench = Bench::start().await;
    let post = Post::telegram(&bench);
    let courier = bench.courier("a", &[&post]);
    post.tell(&chat(1), [too_many(10)]);
    post.tell(&chat(2), [too_many(10)]);
    bench.reply(&chat(1), 1, "one").await;
    courier.pump().await;
    bench.reply(&chat(2), 1, "two").await;
    courier.pump().await;
    bench.know(&chat(3)).await;
    bench.notice(&chat(3), "a notice").await;
    bench.reply(&chat(4), 1, "four").await;
    courier.pump().await;
    assert_eq!(post.arrived(), ["four"]);
    bench.pump_for(&courier, 10_000, 1000).await;
    assert_eq!(post.arrived().len(), 4);
}

#[tokio::test]
async fn somebody_who_blocked_the_bot_does_not_stop_the_run() {
    let bench = Bench::start().await;
    let post = Post::telegram(&bench);
    let courier = bench.courier("a", &[&post]);
    for number in 1..=3 {
        bench.know(&chat(number)).await;
        bench.notice(&chat(number), "a reminder").await;
    }
    post.tell(&chat(2), [refused(SendOutcome::Unreachable { reason: "blocked".to_owned() })]);
    courier.pump().await;
    bench.pump_for(&courier, 120_000, 10_000).await;
    assert_eq!((post.at(&chat(1)).len(), post.at(&chat(2)).len(), post.at(&chat(3)).len()), (1, 0, 1));
    assert_eq!(post.attempts(), 3, "nobody is tried again");
    assert!(bench.conversation(&chat(2)).await.unreachable);
    assert!(!bench.conversation(&chat(1)).await.unreachable);
}

#[tokio::test]
async fn who_opted_out_at_the_provider_gets_nothing_more() {
    let bench = Bench::start().await;
    let post = Post::telegram(&bench);
    let courier = bench.courier("a", &[&post]);
    bench.know(&chat(1)).await;
    post.tell(&chat(1), [refused(SendOutcome::OptedOut { reason: "21610".to_owned() })]);
    bench.reply(&chat(1), 1, "one").await;
    bench.reply(&chat(1), 2, "two").await;
    bench.notice(&chat(1), "three").await;
    courier.pump().await;
    bench.notice(&chat(1), "four").await;
    bench.pump_for(&courier, 60_000, 10_000).await;
    assert_eq!((post.attempts(), post.arrived().len()), (1, 0));
    assert!(bench.conversation(&chat(1)).await.opted_out);
    let (failed, dropped) = (EntryStatus::Failed, EntryStatus::Dropped);
    assert_eq!(bench.statuses(&chat(1)).await, [failed, dropped, dropped, dropped]);
}

#[tokio::test]
async fn a_notice_that_is_being_retried_does_not_outlast_an_opt_out_or_its_time() {
    let bench = Bench::start().await;
    let post = Post::telegram(&bench);
    let courier = bench.courier("a", &[&post]);
    let in_a_minute = bench.now() + TimeDelta::minutes(1);
    for number in 1..=3 {
        bench.know(&chat(number)).await;
        bench.initiated(&chat(number), "a reminder", None, Some(in_a_minute)).await;
        post.tell(&chat(number), (0..10).map(|_| not_sent()));
    }
    courier.pump().await;
    bench.opt_out(&chat(1)).await;
    let mut muted = bench.conversation(&chat(2)).await;
    muted.muted = true;
    let commit = store::Commit { at: bench.now(), conversations: vec![muted], ..store::Commit::default() };
    bench.store.commit(commit).await.unwrap();
    bench.pump_for(&courier, 120_000, 1000).await;
    for number in 1..=3 {
        assert_eq!(bench.statuses(&chat(number)).await, [EntryStatus::Dropped], "{number}");
    }
    assert_eq!(post.attempts(), 3 + 5, "two were dropped before their second attempt, one is tried for a minute");
}

#[tokio::test]
async fn a_notice_waits_for_its_hours_also_when_it_is_tried_again() {
    let bench = Bench::start().await;
    let post = Post::telegram(&bench);
    let courier = bench.courier("a", &[&post]);
    let hour = |hour, minute| NaiveTime::from_hms_opt(hour, minute, 0).unwrap();
    let until = |closes| Hours { window: Window { opens: hour(9, 0), closes }, zone: Tz::Europe__London };
    bench.know(&chat(1)).await;
    bench.know(&chat(2)).await;
    bench.initiated(&chat(1), "closed already", Some(until(hour(11, 0))), None).await;
    bench.initiated(&chat(2), "closing", Some(until(hour(12, 1))), None).await;
    post.tell(&chat(2), (0..4).map(|_| not_sent()));
    courier.pump().await;
    bench.pump_for(&courier, 120_000, 15_000).await;
    assert_eq!(post.attempts(), 4, "at 12:00:00, :15, :30 and :45");
    bench.pass(21 * 3_600_000 - 180_000);
    courier.pump().await;
    assert_eq!((bench.now().to_string(), post.attempts()), ("2026-11-19 08:59:00 UTC".to_owned(), 4));
    bench.pump_for(&courier, 60_000, 60_000).await;
    assert_eq!(post.arrived().len(), 2);
}

#[tokio::test]
async fn a_message_hit_twice_is_unknown_and_does_not_block_those_after_it() {
    let bench = Bench::start().await;
    let post = Post::telegram(&bench);
    let courier = bench.courier("a", &[&post]);
    post.tell(&chat(1), [in_doubt(true), in_doubt(false)]);
    post.tell(&chat(2), [in_doubt(false)]);
    for number in 1..=2 {
        bench.reply(&chat(number), 1, "first").await;
        bench.reply(&chat(number), 2, "second").await;
    }
    courier.pump().await;
    bench.pump_for(&courier, 10_000, 1000).await;
    assert_eq!(bench.statuses(&chat(1)).await, [EntryStatus::Unknown, EntryStatus::Sent]);
    assert_eq!(bench.statuses(&chat(2)).await, [EntryStatus::Sent, EntryStatus::Sent]);
    assert_eq!(post.at(&chat(1)), ["first", "second"]);
    assert_eq!(post.at(&chat(2)), ["first", "second"]);
}

#[tokio::test]
async fn a_chat_that_moved_is_followed() {
    let bench = Bench::start().await;
    let post = Post::telegram(&bench);
    let courier = bench.courier("a", &[&post]);
    let (old, new) = (Address::telegram(-5), Address::telegram(-1_000_000_000_005));
    bench.know(&old).await;
    post.tell(&old, [refused(SendOutcome::Moved { to: new.clone() })]);
    bench.reply(&old, 1, "one").await;
    bench.reply(&old, 2, "two").await;
    courier.pump().await;
    bench.pump_for(&courier, 2000, 1000).await;
    assert_eq!(post.at(&new), ["one", "two"]);
    assert!(post.at(&old).is_empty());
}

#[tokio::test]
async fn a_refused_account_keeps_its_messages_until_it_works() {
    let bench = Bench::start().await;
    let post = Post::telegram(&bench);
    let courier = bench.courier("a", &[&post]);
    let revoked = || refused(SendOutcome::AccountRefused { reason: "the token is refused".to_owned() });
    post.tell(&chat(1), [revoked(), revoked()]);
    bench.reply(&chat(1), 1, "patience").await;
    courier.pump().await;
    let stopped =
        |why: Option<&str>| vec![ChannelHealth { channel: Channel::Telegram, stopped: why.map(str::to_owned) }];
    assert_eq!(courier.health(), stopped(Some("the token is refused")));
    bench.pump_for(&courier, 119_000, 1000).await;
    assert_eq!((post.attempts(), post.arrived().len()), (2, 0), "once a minute");
    bench.pump_for(&courier, 1000, 1000).await;
    assert_eq!(post.arrived(), ["patience"]);
    assert_eq!(courier.health(), stopped(None));
}

#[tokio::test]
async fn another_courier_takes_over_a_lost_lease() {
    let bench = Bench::start().await;
    let post = Post::telegram(&bench);
    let (first, second) = (bench.courier("first", &[&post]), bench.courier("second", &[&post]));
    bench.reply(&chat(2), 1, "other").await;
    first.pump().await;
    bench.reply(&chat(1), 1, "one").await;
    bench.reply(&chat(1), 2, "two").await;
    // The first courier is gone between sending and recording it.
    post.tell(&chat(1), [hangs(true)]);
    let lost = tokio::spawn(async move { first.pump().await });
    post.until_attempted(2).await;
    lost.abort();
    let _ = lost.await;
    second.pump().await;
    assert_eq!(post.at(&chat(1)), ["one"], "its lease has not ended");
    bench.pass(30_000);
    second.pump().await;
    assert_eq!(post.at(&chat(1)), ["one", "one", "two"], "the one message in flight is doubled, no other");
    assert_eq!(post.at(&chat(2)), ["other"]);
    assert_eq!(bench.statuses(&chat(1)).await, [EntryStatus::Sent, EntryStatus::Sent]);
}

#[tokio::test]
async fn a_message_in_flight_when_two_couriers_were_lost_is_unknown() {
    let bench = Bench::start().await;
    let post = Post::telegram(&bench);
    bench.reply(&chat(1), 1, "one").await;
    bench.reply(&chat(1), 2, "two").await;
    post.tell(&chat(1), [hangs(true), hangs(true)]);
    for (name, attempts) in [("first", 1), ("second", 2)] {
        let courier = bench.courier(name, &[&post]);
        let lost = tokio::spawn(async move { courier.pump().await });
        post.until_attempted(attempts).await;
        lost.abort();
        let _ = lost.await;
        bench.pass(30_000);
    }
    bench.courier("third", &[&post]).pump().await;
    assert_eq!(post.at(&chat(1)), ["one", "one", "two"]);
    assert_eq!(bench.statuses(&chat(1)).await, [EntryStatus::Unknown, EntryStatus::Sent]);
}

#[tokio::test]
async fn what_was_sent_but_could_not_be_recorded_is_recorded_later_and_not_sent_again() {
    let bench = Bench::start().await;
    let post = Post::telegram(&bench);
    let courier = bench.courier("a", &[&post]);
    for number in 1..=3 {
        bench.reply(&chat(number), 1, "one").await;
        bench.reply(&chat(number), 2, "two").await;
    }
    bench.store.set_cannot_settle(true);
    courier.pump().await;
    courier.pump().await;
    assert_eq!(post.arrived(), ["one", "one", "one"]);
    // Longer than the lease: it is this courier's own.
    bench.pass(300_000);
    courier.pump().await;
    bench.store.set_cannot_settle(false);
    courier.pump().await;
    for number in 1..=3 {
        assert_eq!(post.at(&chat(number)), ["one", "two"]);
        assert_eq!(bench.statuses(&chat(number)).await, [EntryStatus::Sent, EntryStatus::Sent]);
    }
}

#[tokio::test]
async fn a_send_that_hangs_keeps_one_slot_and_no_other_channel() {
    let bench = Bench::start().await;
    let telegram = Post::telegram(&bench);
    let sms = Post::new(&bench, Channel::Sms, Repeats::AskFirst);
    let courier = Arc::new(bench.courier("a", &[&telegram, &sms]));
    for number in 1..=2 * i64::from(SLOTS) {
        bench.reply(&chat(number), 1, "hello").await;
    }
    let phone = |number| Address::sms("+447700900999", &format!("+4477009{number:05}"));
    for number in 1..=i64::from(SLOTS) {
        sms.tell(&phone(number), [hangs(false)]);
        bench.reply(&phone(number), 1, "hello").await;
    }
    sms.tell(&phone(1), []);
    let running = tokio::spawn({
        let courier = Arc::clone(&courier);
        async move { courier.run(std::future::pending()).await }
    });
    sms.until_attempted(u64::from(SLOTS)).await;
    telegram.until_arrived(2 * SLOTS as usize).await;
    // Later ones, too, as soon as they are decided.
    bench.reply(&chat(1), 2, "again").await;
    telegram.until_arrived(2 * SLOTS as usize + 1).await;
    running.abort();
}

#[tokio::test]
async fn a_send_that_outlasts_its_lease_is_not_made_a_second_time_beside_itself() {
    let bench = Bench::start().await;
    let post = Post::telegram(&bench);
    let courier = Arc::new(bench.courier("a", &[&post]));
    post.tell(&chat(1), [hangs(false)]);
    bench.reply(&chat(1), 1, "slow").await;
    let running = tokio::spawn({
        let courier = Arc::clone(&courier);
        async move { courier.run(std::future::pending()).await }
    });
    post.until_attempted(1).await;
    bench.pass(31_000);
    bench.reply(&chat(2), 1, "other").await;
    post.until_arrived(1).await;
    assert_eq!(post.attempts(), 2);
    running.abort();
}

#[tokio::test]
async fn a_courier_that_is_told_to_stop_records_what_it_sent() {
    let bench = Bench::start().await;
    let post = Post::telegram(&bench);
    let courier = bench.courier("a", &[&post]);
    let (stop, stopped) = oneshot::channel::<()>();
    let running = tokio::spawn(async move { courier.run(async move { drop(stopped.await) }).await });
    for number in 1..=500 {
        bench.reply(&chat(number), 1, "hello").await;
    }
    post.until_arrived(1).await;
    stop.send(()).unwrap();
    running.await.unwrap();
    let counts = bench.store.outbox_counts().await.unwrap();
    assert_eq!(counts.leased, 0);
    assert_eq!(counts.sent, post.arrived().len() as u64);
    assert_eq!(counts.sent + counts.pending, 500);
}

#[tokio::test]
async fn where_ids_are_recognised_a_doubt_is_simply_sent_again() {
    let bench = Bench::start().await;
    let post = Post::new(&bench, Channel::Sms, Repeats::Idempotent);
    let courier = bench.courier("a", &[&post]);
    let phone = Address::sms("+447700900999", "+447700900123");
    post.tell(&phone, (0..5).map(|_| in_doubt(false)));
    bench.reply(&phone, 1, "hello").await;
    courier.pump().await;
    bench.pump_for(&courier, 60_000, 1000).await;
    assert_eq!(post.arrived(), ["hello"]);
}

#[tokio::test]
async fn where_one_can_ask_a_doubt_is_asked_about_until_there_is_an_answer() {
    let bench = Bench::start().await;
    let post = Post::new(&bench, Channel::Sms, Repeats::AskFirst);
    let courier = bench.courier("a", &[&post]);
    let phone = Address::sms("+447700900999", "+447700900123");
    let cannot_tell = || LookUp::CannotTell { reason: "down".to_owned() };
    post.tell(&phone, [in_doubt(false), in_doubt(false), in_doubt(false)]);
    post.answer((0..10).map(|_| cannot_tell()));
    post.answer([LookUp::Absent, LookUp::Absent, LookUp::Absent]);
    bench.reply(&phone, 1, "hello").await;
    courier.pump().await;
    bench.pump_for(&courier, 290_000, 1000).await;
    assert_eq!(post.attempts(), 1, "not sent again while nobody can say");
    bench.pump_for(&courier, 60_000, 1000).await;
    assert_eq!((post.attempts(), post.arrived().len()), (3, 0));
    assert_eq!(bench.statuses(&phone).await, [EntryStatus::Unknown], "never found, sent three times");
}
