//! The courier and the SMS channel against the fake.

use fakes::twilio::{Answer, FakeTwilio};
use secrecy::SecretString;
use store::EntryStatus;

use super::bench::Bench;
use crate::{
    Courier, Provider,
    courier::DEFAULT_LEASE,
    sms::{Sender, TwilioChannel, TwilioSettings},
};
use domain::address::Address;
use std::{sync::Arc, time::Duration};

const US: &str = "+447700900999";
const THEM: &str = "+447700900123";

struct Line {
    bench: Bench,
    fake: FakeTwilio,
    courier: Courier,
    phone: Address,
}

impl Line {
    async fn start() -> Self {
        let bench = Bench::start().await;
        let clock = Arc::clone(&bench.clock);
        let fake = FakeTwilio::start(move || app::Clock::now(&*clock)).await.unwrap();
        let courier = courier(&bench, &fake, "a");
        let phone = Address::sms(US, THEM);
        bench.know(&phone).await;
        Self { bench, fake, courier, phone }
    }

    async fn pump_for(&self, seconds: i64) {
        self.courier.pump().await;
        self.bench.pump_for(&self.courier, seconds * 1000, 1000).await;
    }

    async fn provider_ids(&self) -> Vec<Option<String>> {
        self.bench.entries(&self.phone).await.into_iter().map(|entry| entry.provider_id).collect()
    }
}

fn courier(bench: &Bench, fake: &FakeTwilio, name: &str) -> Courier {
    let channel = TwilioChannel::new(TwilioSettings {
        account_sid: FakeTwilio::ACCOUNT_SID.to_owned(),
        auth_token: SecretString::from(FakeTwilio::AUTH_TOKEN),
        from: Sender::Number(US.to_owned()),
        api_url: fake.api_url().parse().unwrap(),
        status_callback: None,
        request_timeout: Duration::from_secs(5),
    });
    Courier::new(bench.app.clone(), vec![Arc::new(channel.unwrap()) as Arc<dyn Provider>], name, DEFAULT_LEASE)
}

fn sid(number: u32) -> Option<String> {
    Some(format!("SM{number:032x}"))
}

#[tokio::test]
async fn a_text_whose_connection_broke_arrives_once_whether_twilio_had_it_or_not() {
    for answer in [Answer::CutAfterStoring, Answer::CutBeforeStoring] {
        let line = Line::start().await;
        line.fake.answer([answer]);
        line.bench.reply(&line.phone, 1, "How many are coming?").await;
        line.bench.reply(&line.phone, 2, "Thank you.").await;
        line.pump_for(10).await;
        assert_eq!(line.fake.phone(THEM), ["How many are coming?", "Thank you."]);
        assert_eq!(line.provider_ids().await, [sid(1), sid(2)]);
        line.fake.finish();
    }
}

#[tokio::test]
async fn the_same_words_twice_are_two_texts() {
    let line = Line::start().await;
    line.bench.reply(&line.phone, 1, "How many are coming?").await;
    line.pump_for(1).await;
    line.fake.answer([Answer::CutBeforeStoring]);
    line.bench.reply(&line.phone, 2, "How many are coming?").await;
    line.pump_for(10).await;
    assert_eq!(line.fake.phone(THEM).len(), 2, "the first is not taken for the second");
    assert_eq!(line.provider_ids().await, [sid(1), sid(2)]);
    line.fake.finish();
}

#[tokio::test]
async fn a_text_is_not_sent_again_while_twilio_cannot_be_asked() {
    let line = Line::start().await;
    line.fake.answer([Answer::CutAfterStoring]);
    line.fake.answer_to_lists([Answer::Page(503), Answer::Page(503), Answer::TooMany(None)]);
    line.bench.reply(&line.phone, 1, "Saved.").await;
    line.pump_for(85).await;
    assert_eq!(line.bench.statuses(&line.phone).await, [EntryStatus::Pending]);
    line.pump_for(10).await;
    assert_eq!(line.fake.phone(THEM), ["Saved."]);
    assert_eq!(line.bench.statuses(&line.phone).await, [EntryStatus::Sent]);
    line.fake.finish();
}

#[tokio::test]
async fn a_courier_that_takes_over_asks_before_it_sends() {
    let line = Line::start().await;
    line.fake.answer([Answer::HangAfterStoring]);
    line.bench.reply(&line.phone, 1, "Saved.").await;
    let first = courier(&line.bench, &line.fake, "first");
    let lost = tokio::spawn(async move { first.pump().await });
    while line.fake.accepted() == 0 {
        tokio::task::yield_now().await;
    }
    lost.abort();
    let _ = lost.await;
    line.pump_for(31).await;
    assert_eq!(line.fake.phone(THEM), ["Saved."]);
    assert_eq!(line.provider_ids().await, [sid(1)]);
    line.fake.finish();
}

#[tokio::test]
async fn twilio_down_and_back() {
    let line = Line::start().await;
    line.fake.answer([Answer::Page(502), Answer::Page(503), Answer::TooMany(Some(3))]);
    line.bench.reply(&line.phone, 1, "Saved.").await;
    line.pump_for(5).await;
    assert!(line.fake.phone(THEM).is_empty());
    line.pump_for(5).await;
    assert_eq!(line.fake.phone(THEM), ["Saved."]);
    line.fake.finish();
}

#[tokio::test]
async fn who_opted_out_at_twilio_is_marked_once_and_left_alone() {
    let line = Line::start().await;
    line.fake.answer([Answer::Refuse(21610)]);
    line.bench.reply(&line.phone, 1, "one").await;
    line.bench.reply(&line.phone, 2, "two").await;
    line.pump_for(60).await;
    assert!(line.bench.conversation(&line.phone).await.opted_out);
    assert_eq!(line.bench.statuses(&line.phone).await, [EntryStatus::Failed, EntryStatus::Dropped]);
    assert_eq!(line.fake.accepted(), 0);
    // From another number of ours the same phone may be written to.
    let other = Address::sms("+447700900998", THEM);
    line.bench.reply(&other, 1, "three").await;
    line.pump_for(1).await;
    assert_eq!(line.fake.phone(THEM), ["three"]);
    line.fake.finish();
}

#[tokio::test]
async fn one_number_sends_notices_a_segment_a_second_and_replies_at_once() {
    let line = Line::start().await;
    for number in 0..5 {
        let phone = Address::sms(US, &format!("+44770090020{number}"));
        line.bench.know(&phone).await;
        line.bench.notice(&phone, "a notice").await;
        line.bench.reply(&Address::sms(US, &format!("+44770090030{number}")), 1, "a reply").await;
    }
    line.courier.pump().await;
    assert_eq!(line.fake.accepted(), 5 + 1);
    line.bench.pump_for(&line.courier, 900, 100).await;
    assert_eq!(line.fake.accepted(), 5 + 1);
    line.pump_for(20).await;
    assert_eq!(line.fake.accepted(), 5 + 5);
    line.fake.finish();
}
