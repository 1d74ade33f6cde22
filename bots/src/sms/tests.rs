//! The channel against the fake.

use std::sync::{Arc, Mutex};

use chrono::{DateTime, TimeDelta, Utc};
use fakes::twilio::{Answer, FakeTwilio};
use store::Rendered;

use super::*;

const US: &str = "+447700900999";
const THEM: &str = "+447700900123";
const SERVICE: &str = "MG00000000000000000000000000000001";

/// 28 November 2026, seconds before and after noon.
fn noon(seconds: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(1_795_867_200 + seconds, 0).unwrap()
}

struct Bench {
    fake: FakeTwilio,
    now: Arc<Mutex<DateTime<Utc>>>,
    channel: TwilioChannel,
}

impl Bench {
    async fn start() -> Self {
        let now = Arc::new(Mutex::new(noon(0)));
        let shown = Arc::clone(&now);
        let fake = FakeTwilio::start(move || *shown.lock().unwrap()).await.unwrap();
        let channel = TwilioChannel::new(settings(&fake.api_url())).unwrap();
        Self { fake, now, channel }
    }

    fn at(&self, seconds: i64) {
        *self.now.lock().unwrap() = noon(seconds);
    }

    async fn send(&self, own: &str, body: &str) -> SendOutcome {
        self.send_to(&Address::sms(own, THEM), body).await
    }

    async fn send_to(&self, address: &Address, body: &str) -> SendOutcome {
        self.channel.send(&parcel(address, &text(body), 0)).await
    }

    async fn look_up(&self, own: &str, body: &str, first_attempt: i64) -> LookUp {
        self.channel.look_up(&parcel(&Address::sms(own, THEM), &text(body), first_attempt)).await
    }
}

fn settings(api_url: &str) -> TwilioSettings {
    TwilioSettings {
        account_sid: FakeTwilio::ACCOUNT_SID.to_owned(),
        auth_token: FakeTwilio::AUTH_TOKEN.into(),
        from: Sender::Number(US.to_owned()),
        api_url: api_url.parse().unwrap(),
        status_callback: Some("https://rsvp.example.org/webhooks/sms/twilio/status".parse().unwrap()),
        request_timeout: Duration::from_secs(5),
    }
}

fn text(body: &str) -> Rendered {
    Rendered { text: body.to_owned(), ..Rendered::default() }
}

fn parcel<'a>(address: &'a Address, text: &'a Rendered, first_attempt: i64) -> Parcel<'a> {
    Parcel { id: "1", address, text, first_attempt_at: noon(first_attempt) }
}

fn sent(number: u32) -> SendOutcome {
    SendOutcome::Sent { provider_id: Some(format!("SM{number:032x}")) }
}

fn found(numbers: &[u32]) -> LookUp {
    LookUp::Found { provider_ids: numbers.iter().map(|number| format!("SM{number:032x}")).collect() }
}

#[tokio::test]
async fn a_text_leaves_from_the_number_or_the_service_written_to() {
    let bench = Bench::start().await;
    assert_eq!(bench.send(US, "Tom & Ana <3, 1+1=2\n€ – ’ 🎉").await, sent(1));
    assert_eq!(bench.send("+447700900998", "from our other number").await, sent(2));
    assert_eq!(bench.send(SERVICE, "through the service").await, sent(3));
    let texts = bench.fake.texts();
    assert_eq!(texts[0].body, "Tom & Ana <3, 1+1=2\n€ – ’ 🎉");
    assert_eq!(texts[0].status_callback.as_deref(), Some("https://rsvp.example.org/webhooks/sms/twilio/status"));
    let senders: Vec<_> =
        texts.iter().map(|text| (text.from.as_deref(), text.messaging_service_sid.as_deref())).collect();
    assert_eq!(senders, [(Some(US), None), (Some("+447700900998"), None), (None, Some(SERVICE))]);
    bench.fake.finish();
}

#[tokio::test]
async fn a_text_that_twilio_would_not_take_is_not_even_sent() {
    let bench = Bench::start().await;
    for body in ["", " \n", &"x".repeat(1601)] {
        assert!(matches!(bench.send(US, body).await, SendOutcome::Failed { .. }));
    }
    assert_eq!(bench.send(US, &"ö".repeat(1600)).await, sent(1));
    bench.fake.finish();
}

#[tokio::test]
async fn twilios_magic_numbers_mean_what_they_mean() {
    let bench = Bench::start().await;
    for (from, to, expected) in [
        ("+15005550006", "+15005550001", "Unreachable"),
        ("+15005550006", "+15005550002", "Unreachable"),
        ("+15005550006", "+15005550003", "Failed"),
        ("+15005550006", "+15005550004", "OptedOut"),
        ("+15005550006", "+15005550009", "Unreachable"),
        ("+15005550001", THEM, "AccountRefused"),
        ("+15005550007", THEM, "AccountRefused"),
        ("+15005550008", THEM, "TooMany"),
        ("+15005550006", THEM, "Sent"),
    ] {
        let outcome = format!("{:?}", bench.send_to(&Address::sms(from, to), "hello").await);
        assert!(outcome.starts_with(expected), "{from} {to}: {outcome}");
    }
    bench.fake.finish();
}

#[tokio::test]
async fn a_broken_connection_is_a_doubt_and_a_refused_one_is_not() {
    let bench = Bench::start().await;
    bench.fake.answer([
        Answer::CutAfterStoring,
        Answer::CutBeforeStoring,
        Answer::Page(502),
        Answer::TooMany(Some(7)),
        Answer::TooMany(None),
    ]);
    let broken = SendOutcome::InDoubt { reason: "the connection to Twilio broke".to_owned() };
    assert_eq!(bench.send(US, "1").await, broken);
    assert_eq!(bench.send(US, "2").await, broken);
    assert!(matches!(bench.send(US, "3").await, SendOutcome::NotSent { .. }));
    assert_eq!(bench.send(US, "4").await, SendOutcome::TooMany { retry_after: TimeDelta::seconds(7) });
    assert_eq!(bench.send(US, "5").await, SendOutcome::TooMany { retry_after: TimeDelta::seconds(5) });
    assert_eq!(bench.fake.phone(THEM), ["1"]);
    bench.fake.finish();

    // A port on which nobody listens.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let nobody = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let channel = TwilioChannel::new(settings(&nobody)).unwrap();
    let outcome = channel.send(&parcel(&Address::sms(US, THEM), &text("hello"), 0)).await;
    assert_eq!(outcome, SendOutcome::NotSent { reason: "Twilio cannot be reached".to_owned() });
}

#[tokio::test]
async fn silence_is_a_doubt() {
    let mut bench = Bench::start().await;
    bench.channel.request_timeout = Duration::from_millis(100);
    bench.fake.answer([Answer::Hang, Answer::HangAfterStoring]);
    let silent = SendOutcome::InDoubt { reason: "Twilio did not answer in time".to_owned() };
    assert_eq!(bench.send(US, "1").await, silent);
    assert_eq!(bench.send(US, "2").await, silent);
    bench.fake.finish();
}

#[tokio::test]
async fn a_text_in_doubt_is_found_by_its_words_its_people_and_its_time() {
    let bench = Bench::start().await;
    bench.at(-120);
    bench.send(US, "How many?").await; // 1: of an earlier question
    bench.at(0);
    bench.send(US, "How many?").await; // 2
    bench.send(US, "How many are coming?").await; // other words
    bench.send("+447700900998", "How many?").await; // from another number of ours
    bench.send_to(&Address::sms(US, "+447700900124"), "How many?").await; // to somebody else
    let _ = bench.fake.inbound("https://rsvp.example.org", US, THEM, "How many?"); // a text to us
    bench.at(5);
    bench.send(US, "How many?").await; // 7
    assert_eq!(bench.look_up(US, "How many?", 0).await, found(&[2, 7]), "oldest first");
    assert_eq!(bench.look_up(US, "How many?", 40).await, LookUp::Absent);
    assert_eq!(bench.look_up(US, "How many", 0).await, LookUp::Absent);
    bench.fake.finish();
}

#[tokio::test]
async fn a_text_through_a_service_is_found_whatever_number_the_service_chose() {
    let bench = Bench::start().await;
    bench.send(SERVICE, "hello").await;
    bench.send("MG00000000000000000000000000000002", "hello").await;
    assert_eq!(bench.look_up(SERVICE, "hello", 0).await, found(&[1]));
    bench.fake.finish();
}

#[tokio::test]
async fn a_list_of_many_pages_is_read_as_far_as_it_matters() {
    let bench = Bench::start().await;
    bench.send(US, "hello").await;
    for _ in 0..150 {
        bench.send(US, "something else").await;
    }
    assert_eq!(bench.look_up(US, "hello", 0).await, found(&[1]), "on the second page");
    for _ in 0..400 {
        bench.send(US, "something else").await;
    }
    assert!(matches!(bench.look_up(US, "hello", 0).await, LookUp::CannotTell { .. }), "not absent: not looked at");
    assert_eq!(bench.look_up(US, "hello", 3600).await, LookUp::Absent, "everything is older");
    bench.fake.finish();
}

#[tokio::test]
async fn when_twilio_cannot_be_asked_nothing_is_known() {
    let bench = Bench::start().await;
    bench.fake.answer_to_lists([Answer::Page(503), Answer::Status(200, serde_json::json!({"messages": 1}))]);
    for _ in 0..2 {
        assert!(matches!(bench.look_up(US, "hello", 0).await, LookUp::CannotTell { .. }));
    }
    assert_eq!(bench.look_up(US, "hello", 0).await, LookUp::Absent);
    bench.fake.finish();
}

#[tokio::test]
async fn a_wrong_token_is_told_without_it() {
    let bench = Bench::start().await;
    assert_eq!(bench.channel.check_account().await, Ok(()));
    let mut settings = settings(&bench.fake.api_url());
    settings.auth_token = "wrong-token".into();
    let channel = TwilioChannel::new(settings).unwrap();
    assert!(channel.check_account().await.unwrap_err().contains("twilio.auth_token"));
    let outcome = channel.send(&parcel(&Address::sms(US, THEM), &text("hello"), 0)).await;
    let SendOutcome::AccountRefused { reason } = outcome else { panic!("{outcome:?}") };
    assert_eq!(
        reason,
        "Twilio answered 401 (error 20003): the account is refused (twilio.account_sid and twilio.auth_token)"
    );
    assert_eq!(format!("{channel:?}"), r#"TwilioChannel { account_sid: "AC00000000000000000000000000000001", .. }"#);
    bench.fake.finish();
}

#[test]
fn settings_that_cannot_work_are_named() {
    let refused = |change: fn(&mut TwilioSettings)| {
        let mut settings = settings(TwilioSettings::DEFAULT_API_URL);
        change(&mut settings);
        TwilioChannel::new(settings).err()
    };
    assert_eq!(refused(|_| {}), None);
    assert_eq!(refused(|settings| settings.account_sid = "SK1".to_owned()), Some(TwilioSettingsError::AccountSid));
    assert_eq!(refused(|settings| settings.account_sid = "AC../x".to_owned()), Some(TwilioSettingsError::AccountSid));
    assert_eq!(refused(|settings| settings.auth_token = " ".into()), Some(TwilioSettingsError::AuthToken));
    assert_eq!(
        refused(|settings| settings.from = Sender::Number("Convive".to_owned())),
        Some(TwilioSettingsError::From)
    );
    assert_eq!(
        refused(|settings| settings.from = Sender::Service("+447700900999".to_owned())),
        Some(TwilioSettingsError::Service)
    );
    assert_eq!(
        refused(|settings| settings.api_url = "https://api.twilio.com/?x=1".parse().unwrap()),
        Some(TwilioSettingsError::ApiUrl)
    );
}
