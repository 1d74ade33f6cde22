//! The doors over HTTP, in front of the intake and the embedded store.

use std::sync::{Arc, Mutex};

use app::{App, Clock};
use axum::{body::Body, http::Request};
use chrono::{DateTime, TimeDelta, Utc};
use domain::conversation::{Conversation, Policy};
use fakes::{
    faulty_store::FaultyStore,
    twilio::{FakeTwilio, Webhook},
};
use store::{Commit, Committed, DeliveryStatus, Entry, EntryStatus, NewEntry, Rendered, Store, sqlite::SqliteStore};
use tower::ServiceExt;

use super::*;

const PUBLIC: &str = "https://rsvp.example.org";
const US: &str = "+447700900999";
const THEM: &str = "+447700900123";
const SERVICE: &str = "MG00000000000000000000000000000001";

struct TestClock(Mutex<DateTime<Utc>>);

impl Clock for TestClock {
    fn now(&self) -> DateTime<Utc> {
        *self.0.lock().unwrap()
    }

    fn random(&self, bytes: &mut [u8]) {
        bytes.fill(7);
    }
}

struct Bench {
    router: Router,
    store: Arc<FaultyStore>,
    clock: Arc<TestClock>,
    fake: FakeTwilio,
    _dir: tempfile::TempDir,
}

impl Bench {
    async fn start() -> Self {
        Self::with_service(None).await
    }

    async fn with_service(messaging_service_sid: Option<&str>) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let store = Arc::new(SqliteStore::open(&dir.path().join("convive.db")).unwrap());
        let store = Arc::new(FaultyStore::new(store));
        let clock = Arc::new(TestClock(Mutex::new("2026-11-18T12:00:00Z".parse().unwrap())));
        let policy = Policy { provider_keywords: true, calendar_domain: "rsvp.example.org".to_owned() };
        let app = App::new(Arc::clone(&store) as Arc<dyn Store>, Arc::clone(&clock) as Arc<dyn Clock>, policy);
        let door = TwilioDoor::new(TwilioDoorSettings {
            account_sid: FakeTwilio::ACCOUNT_SID.to_owned(),
            auth_token: FakeTwilio::AUTH_TOKEN.into(),
            webhook_keys: BTreeMap::new(),
            public_url: PUBLIC.parse().unwrap(),
            messaging_service_sid: messaging_service_sid.map(str::to_owned),
            try_again_later: "Sorry, we can't save answers & such right now. Please send it again.".to_owned(),
        });
        let shown = Arc::clone(&clock);
        let fake = FakeTwilio::start(move || shown.now()).await.unwrap();
        Self { router: router(app, door.unwrap()), store, clock, fake, _dir: dir }
    }

    async fn post(&self, webhook: Webhook) -> (u16, String) {
        let mut request = Request::post(&webhook.target);
        for (name, value) in webhook.headers {
            request = request.header(name, value);
        }
        let response = self.router.clone().oneshot(request.body(Body::from(webhook.body)).unwrap()).await.unwrap();
        let status = response.status().as_u16();
        let body = axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap();
        (status, String::from_utf8(body.to_vec()).unwrap())
    }

    async fn text(&self, body: &str) -> (u16, String) {
        self.post(self.fake.inbound(PUBLIC, THEM, US, body)).await
    }

    async fn knows(&self, ours: &str) -> bool {
        self.store.conversation(&Address::sms(ours, THEM)).await.unwrap().is_some()
    }

    async fn replies(&self) -> Vec<Entry> {
        self.store.entries_to(&Address::sms(US, THEM)).await.unwrap()
    }

    /// A text that went out: its entry, and the same at Twilio.
    async fn sent(&self, ours: &str) -> String {
        let address = Address::sms(ours, THEM);
        let known = self.store.conversation(&address).await.unwrap();
        let entry = NewEntry {
            id: "entry".to_owned(),
            address: address.clone(),
            content: store::Content::Reply { version: 1, place: 0, text: Rendered::default() },
            question: None,
            only_asks: false,
        };
        let commit = Commit {
            at: self.clock.now(),
            conversations: Vec::from_iter(known.is_none().then(|| Conversation::new(address))),
            outbox: vec![entry],
            ..Commit::default()
        };
        assert_eq!(self.store.commit(commit).await.unwrap(), Committed::Done);
        let claim = store::Claim {
            now: self.clock.now(),
            by: "test".to_owned(),
            lease_until: self.clock.now() + TimeDelta::seconds(30),
            channels: vec![domain::address::Channel::Sms],
            replies: 1,
            initiated: 0,
        };
        self.store.claim(claim).await.unwrap();
        let sid = format!("SM{:032x}", 77);
        let outcome = store::Outcome::Sent { provider_id: Some(sid.clone()) };
        let settlement =
            store::Settlement { id: "entry".to_owned(), by: "test".to_owned(), at: self.clock.now(), outcome };
        self.store.settle(vec![settlement]).await.unwrap();
        sid
    }

    async fn report(&self, sid: &str, fields: &[(&str, &str)]) -> u16 {
        let mut all = vec![("MessageSid", sid), ("To", THEM), ("From", US), ("AccountSid", FakeTwilio::ACCOUNT_SID)];
        all.retain(|(name, _)| fields.iter().all(|(other, _)| other != name));
        all.extend_from_slice(fields);
        let (status, body) = self.post(Webhook::form(PUBLIC, STATUS_PATH, &all)).await;
        assert_eq!(body, "");
        status
    }
}

fn empty() -> (u16, String) {
    (200, "<Response/>".to_owned())
}

fn refused(status: u16) -> (u16, String) {
    (status, String::new())
}

/// The form of the signature tests, byte for byte as Twilio sends it.
fn raw() -> Webhook {
    let body = "AccountSid=AC00000000000000000000000000000001&MessageSid=SM00000000000000000000000000000001\
                &From=%2B447700900123&To=%2B447700900999&Body=K7QF2M+Holloway";
    Webhook {
        target: PATH.to_owned(),
        headers: vec![("X-Twilio-Signature".to_owned(), "as1dYGQ0RHbMjvtYAMrLqzQkPBg=".to_owned())],
        body: body.as_bytes().to_vec(),
    }
}

#[tokio::test]
async fn a_text_is_taken_in_and_answered_with_an_empty_response() {
    let bench = Bench::start().await;
    assert_eq!(bench.post(raw()).await, empty());
    assert!(bench.knows(US).await);
    assert_eq!(bench.replies().await.len(), 1, "the answer goes through the outbox");
}

#[tokio::test]
async fn the_answer_is_xml() {
    let bench = Bench::start().await;
    let webhook = bench.fake.inbound(PUBLIC, THEM, US, "hello");
    let mut request = Request::post(&webhook.target);
    for (name, value) in &webhook.headers {
        request = request.header(name, value);
    }
    let response = bench.router.clone().oneshot(request.body(Body::from(webhook.body)).unwrap()).await.unwrap();
    assert_eq!(response.headers()["content-type"], "text/xml");
}

#[tokio::test]
async fn the_same_text_again_changes_nothing_however_much_later() {
    let bench = Bench::start().await;
    let (first, second) = tokio::join!(bench.post(raw()), bench.post(raw()));
    assert_eq!((first, second), (empty(), empty()));
    *bench.clock.0.lock().unwrap() += TimeDelta::days(2);
    assert_eq!(bench.post(raw()).await, empty());
    assert_eq!(bench.replies().await.len(), 1);
}

#[tokio::test]
async fn what_is_not_twilios_is_refused_before_anything_happens() {
    let bench = Bench::start().await;
    // Nothing may even be looked up.
    bench.store.set_down(true);
    let unsigned = Webhook { headers: Vec::new(), ..raw() };
    assert_eq!(bench.post(unsigned).await, refused(403));
    let wrong = vec![("X-Twilio-Signature".to_owned(), "bs1dYGQ0RHbMjvtYAMrLqzQkPBg=".to_owned())];
    assert_eq!(bench.post(Webhook { headers: wrong, ..raw() }).await, refused(403));
    let mut changed = raw();
    changed.body.extend_from_slice(b"&Body=2");
    assert_eq!(bench.post(changed).await, refused(403));
    let query = Webhook { target: format!("{PATH}?x=1"), ..raw() };
    assert_eq!(bench.post(query).await, refused(403));
    let large = Webhook { body: vec![b'x'; crate::body::LIMIT + 1], ..raw() };
    assert_eq!(bench.post(large).await, refused(413));
    let invalid = Webhook { body: b"Body=%FF%FE&\xff=\xfe".to_vec(), ..raw() };
    assert_eq!(bench.post(invalid).await, refused(403));
    let unsigned_report = Webhook { target: STATUS_PATH.to_owned(), ..raw() };
    assert_eq!(bench.post(unsigned_report).await, refused(403));
}

#[tokio::test]
async fn a_forwarded_host_changes_nothing() {
    let bench = Bench::start().await;
    for (signature, expected) in
        [("as1dYGQ0RHbMjvtYAMrLqzQkPBg=", empty()), ("VQXz2FT6JmLeBpYnXVhnzFlBoGQ=", refused(403))]
    {
        let headers =
            [("X-Forwarded-Host", "evil.example"), ("Host", "evil.example"), ("X-Twilio-Signature", signature)];
        let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
        assert_eq!(bench.post(Webhook { headers, ..raw() }).await, expected);
    }
}

#[tokio::test]
async fn a_json_body_means_the_same() {
    let bench = Bench::start().await;
    let body = r#"{"AccountSid":"AC00000000000000000000000000000001","MessageSid":"SM00000000000000000000000000000001","From":"+447700900123","To":"+447700900999","Body":"K7QF2M Holloway"}"#;
    let digest = "86c8bea28bb1e1c04330bd29e749b4ec113694bf7297b6d63ccd00a4bd3ef80c";
    let json = |body: &str| Webhook {
        target: format!("{PATH}?bodySHA256={digest}"),
        headers: vec![
            ("Content-Type".to_owned(), "application/json".to_owned()),
            ("X-Twilio-Signature".to_owned(), "J1BW/Nm/90MZg1/82Zjw2jnmJF8=".to_owned()),
        ],
        body: body.as_bytes().to_vec(),
    };
    assert_eq!(bench.post(json(&body.replace("K7QF2M", "K7QF2N"))).await, refused(403));
    assert_eq!(bench.post(json(body)).await, empty());
    assert_eq!(bench.post(raw()).await, empty());
    assert_eq!(bench.replies().await.len(), 1, "the form was the same text");
    // Without a digest nothing vouches for the body.
    let undigested = Webhook { target: PATH.to_owned(), ..json(body) };
    assert_eq!(bench.post(undigested).await, refused(403));
}

#[tokio::test]
async fn what_is_twilios_but_cannot_be_read_is_said_to_be_so() {
    let bench = Bench::start().await;
    let form = |fields: &[(&str, &str)]| {
        let mut all = vec![("MessageSid", "SM1"), ("From", THEM), ("To", US), ("Body", "hello")];
        all.retain(|(name, _)| fields.iter().all(|(other, _)| other != name));
        all.extend_from_slice(fields);
        all.retain(|(_, value)| *value != "(absent)");
        Webhook::form(PUBLIC, PATH, &all)
    };
    for (fields, status) in [
        ([("MessageSid", "(absent)")], 400),
        ([("MessageSid", "")], 400),
        ([("MessageSid", "SM1/../x")], 400),
        ([("From", "(absent)")], 400),
        ([("From", "")], 400),
        ([("From", "+44770090012x")], 400),
        ([("From", "+4477009001234567890")], 400),
        ([("From", "whatsapp:+447700900123")], 400),
        ([("To", "(absent)")], 400),
        ([("To", "sms:+447700900999")], 400),
        ([("AccountSid", "AC00000000000000000000000000000002")], 403),
        // A name instead of a number cannot be answered.
        ([("From", "Vodafone")], 200),
        ([("From", "78901")], 200),
        ([("Body", "(absent)")], 200),
    ] {
        assert_eq!(bench.post(form(&fields)).await.0, status, "{fields:?}");
    }
    assert!(bench.store.conversation(&Address::sms(US, "Vodafone")).await.unwrap().is_none());
    assert!(bench.store.conversation(&Address::sms(US, "78901")).await.unwrap().is_some());
    let get = Request::get(PATH).body(Body::empty()).unwrap();
    assert_eq!(bench.router.clone().oneshot(get).await.unwrap().status(), StatusCode::METHOD_NOT_ALLOWED);
}

#[tokio::test]
async fn plus_and_percent_signs_are_read_as_forms_write_them() {
    let read = |form: &str, name: &str| {
        let mut verified = raw();
        verified.body = form.as_bytes().to_vec();
        let pairs: Vec<(String, String)> = form_urlencoded::parse(form.as_bytes()).into_owned().collect();
        let pairs: Vec<(&str, &str)> = pairs.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        verified.headers = Webhook::form(PUBLIC, PATH, &pairs).headers;
        let headers = HeaderMap::from_iter(
            verified.headers.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())),
        );
        let verifier = Verifier::new(&PUBLIC.parse().unwrap(), FakeTwilio::AUTH_TOKEN.into(), BTreeMap::new()).unwrap();
        let fields = request::read(&verifier, &PATH.parse().unwrap(), &headers, form.as_bytes()).unwrap();
        fields.get(name).map(str::to_owned)
    };
    assert_eq!(read("Body=1%2B1+is+2", "Body").as_deref(), Some("1+1 is 2"));
    assert_eq!(read("Body=+two++spaces+", "Body").as_deref(), Some(" two  spaces "), "nothing is trimmed");
    assert_eq!(read("Body=Zo%C3%AB%0Aand%0D%0ABen", "Body").as_deref(), Some("Zoë\nand\r\nBen"));
    assert_eq!(read("Body=first&Body=second&Body=first", "Body").as_deref(), Some("first"));
    assert_eq!(read("Body=a%26b%3Dc&&=&x", "Body").as_deref(), Some("a&b=c"));
    assert_eq!(read("Other=1", "Body"), None);
}

#[tokio::test]
async fn our_side_is_the_number_written_to_or_our_messaging_service() {
    const OTHER: &str = "MG00000000000000000000000000000002";
    for (configured, named, ours) in [
        (None, None, US),
        (None, Some(SERVICE), US),
        (Some(SERVICE), Some(SERVICE), SERVICE),
        (Some(SERVICE), None, SERVICE),
        (Some(SERVICE), Some(""), SERVICE),
        (Some(SERVICE), Some(OTHER), US),
    ] {
        let bench = Bench::with_service(configured).await;
        let more: Vec<(&str, &str)> = named.map(|named| ("MessagingServiceSid", named)).into_iter().collect();
        let webhook = bench.fake.inbound_with(PUBLIC, THEM, US, "hello", &more);
        assert_eq!(bench.post(webhook).await, empty());
        assert!(bench.knows(ours).await, "{configured:?} {named:?}");
    }
}

#[tokio::test]
async fn a_picture_without_words_is_not_an_answer() {
    for (words, media, expected) in
        [("", "1", "Unreadable"), (" ", "2", "Unreadable"), ("2", "1", "Text"), ("", "0", "Text"), ("", "many", "Text")]
    {
        let fields = [("MessageSid", "SM1"), ("From", THEM), ("To", US), ("Body", words), ("NumMedia", media)];
        let webhook = Webhook::form(PUBLIC, PATH, &fields);
        let headers = HeaderMap::from_iter(
            webhook.headers.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())),
        );
        let verifier = Verifier::new(&PUBLIC.parse().unwrap(), FakeTwilio::AUTH_TOKEN.into(), BTreeMap::new()).unwrap();
        let fields = request::read(&verifier, &PATH.parse().unwrap(), &headers, &webhook.body).unwrap();
        let text = read_text(&fields).unwrap().unwrap();
        assert_eq!(format!("{:?}", text.body), expected, "{words:?} {media}");
    }
}

#[tokio::test]
async fn while_the_store_is_down_the_sender_is_asked_to_try_again() {
    let bench = Bench::start().await;
    bench.store.set_down(true);
    let sorry = "<Response><Message>Sorry, we can&apos;t save answers &amp; such right now. Please send it again.\
                 </Message></Response>";
    assert_eq!(bench.text("all").await, (200, sorry.to_owned()));
    assert_eq!(bench.text("STOP").await, empty());
    let own = bench.fake.inbound(PUBLIC, US, US, "all");
    assert_eq!(bench.post(own).await, empty());
    bench.store.set_down(false);
    assert_eq!(bench.text("all").await, empty());
}

#[tokio::test]
async fn reports_are_kept_in_whatever_order_they_come() {
    let bench = Bench::start().await;
    let sid = bench.sent(US).await;
    for (word, status, expected) in [
        ("sent", 204, Some(DeliveryStatus::Sent)),
        ("queued", 204, Some(DeliveryStatus::Sent)),
        ("teleported", 204, Some(DeliveryStatus::Sent)),
        ("delivered", 204, Some(DeliveryStatus::Delivered)),
        ("sent", 204, Some(DeliveryStatus::Delivered)),
        ("failed", 204, Some(DeliveryStatus::Delivered)),
        ("read", 204, Some(DeliveryStatus::Read)),
    ] {
        assert_eq!(bench.report(&sid, &[("MessageStatus", word)]).await, status, "{word}");
        assert_eq!(bench.replies().await[0].delivery, expected, "{word}");
    }
    assert_eq!(bench.report("", &[("MessageStatus", "sent")]).await, 400);
    assert_eq!(bench.report(&sid, &[]).await, 400);
    assert_eq!(bench.report(&sid, &[("MessageStatus", "sent"), ("AccountSid", "AC2")]).await, 403);
    bench.store.set_down(true);
    assert_eq!(bench.report(&sid, &[("MessageStatus", "sent")]).await, 503);
}

#[tokio::test]
async fn every_word_of_twilios_has_its_place() {
    for (word, expected) in [
        ("accepted", Some(DeliveryStatus::Accepted)),
        ("scheduled", Some(DeliveryStatus::Accepted)),
        ("queued", Some(DeliveryStatus::Queued)),
        ("sending", Some(DeliveryStatus::Sending)),
        ("sent", Some(DeliveryStatus::Sent)),
        ("partially_delivered", Some(DeliveryStatus::Sent)),
        ("delivered", Some(DeliveryStatus::Delivered)),
        ("undelivered", Some(DeliveryStatus::Undelivered)),
        ("failed", Some(DeliveryStatus::Failed)),
        ("canceled", Some(DeliveryStatus::Failed)),
        ("read", Some(DeliveryStatus::Read)),
        ("receiving", None),
        ("received", None),
    ] {
        assert_eq!(delivery::read_status(word), expected, "{word}");
    }
}

#[tokio::test]
async fn an_opt_out_can_come_with_a_report() {
    for (configured, from, ours) in [(None, US, US), (Some(SERVICE), US, SERVICE)] {
        let bench = Bench::with_service(configured).await;
        let sid = bench.sent(ours).await;
        let fields = [("MessageStatus", "undelivered"), ("ErrorCode", "21610"), ("From", from)];
        assert_eq!(bench.report(&sid, &fields).await, 204);
        let conversation = bench.store.conversation(&Address::sms(ours, THEM)).await.unwrap().unwrap();
        assert!(conversation.opted_out);
        let entry = bench.store.entries_to(&Address::sms(ours, THEM)).await.unwrap().remove(0);
        assert_eq!((entry.status, entry.delivery), (EntryStatus::Failed, Some(DeliveryStatus::Undelivered)));
        assert_eq!(entry.reason.as_deref(), Some("21610"));
    }
}
