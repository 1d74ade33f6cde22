//! The door over HTTP, in front of the intake and the embedded store.

use std::sync::Arc;

use app::Clock;
use axum::{body::Body, http::Request};
use bots::telegram::{TelegramClient, TelegramSettings};
use chrono::{DateTime, Utc};
use domain::{address::Address, conversation::Policy};
use fakes::{faulty_store::FaultyStore, telegram::FakeTelegram};
use serde_json::{Value, json};
use store::{Store, sqlite::SqliteStore};
use tokio::task::JoinSet;
use tower::ServiceExt;

use super::*;

const SECRET: &str = "s3cret_for-tests";
const ANNA: i64 = 7_100_000_001;
const STRANGER: i64 = 7_100_000_002;

struct StoppedClock;

impl Clock for StoppedClock {
    fn now(&self) -> DateTime<Utc> {
        "2026-11-18T12:00:00Z".parse().unwrap()
    }

    fn random(&self, bytes: &mut [u8]) {
        bytes.fill(7);
    }
}

struct Scene {
    router: Router,
    store: Arc<FaultyStore>,
    fake: FakeTelegram,
    acknowledger: Acknowledger,
    _dir: tempfile::TempDir,
}

impl Scene {
    async fn new() -> Self {
        let fake = FakeTelegram::start().await.unwrap();
        let dir = tempfile::tempdir().unwrap();
        let store = Arc::new(SqliteStore::open(&dir.path().join("convive.db")).unwrap());
        let store = Arc::new(FaultyStore::new(store));
        let policy = Policy { provider_keywords: true, calendar_domain: "rsvp.example.org".to_owned() };
        let app = App::new(Arc::clone(&store) as Arc<dyn Store>, Arc::new(StoppedClock), policy);
        let settings = TelegramSettings {
            token: FakeTelegram::TOKEN.into(),
            api_url: fake.api_url().parse().unwrap(),
            request_timeout: TelegramSettings::DEFAULT_REQUEST_TIMEOUT,
        };
        let acknowledger = Acknowledger::start(TelegramClient::new(&settings).unwrap());
        let door = TelegramDoor::new(SECRET.into(), bot(), acknowledger.clone()).unwrap();
        Self { router: router(app, door), store, fake, acknowledger, _dir: dir }
    }

    async fn post(&self, secret: Option<&str>, body: impl Into<Body>) -> u16 {
        let mut request = Request::post("/webhooks/telegram").header("content-type", "application/json");
        if let Some(secret) = secret {
            request = request.header("X-Telegram-Bot-Api-Secret-Token", secret);
        }
        let response = self.router.clone().oneshot(request.body(body.into()).unwrap()).await.unwrap();
        let status = response.status().as_u16();
        assert_eq!(response.headers().contains_key(RETRY_AFTER), status == 503, "only then, and then soon");
        let body = axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap();
        assert!(body.is_empty(), "a door tells nothing: {body:?}");
        status
    }

    async fn hand_over(&self, update: &Value) -> u16 {
        self.post(Some(SECRET), update.to_string()).await
    }

    async fn replies_to(&self, user: i64) -> usize {
        self.store.entries_to(&Address::telegram(user)).await.unwrap().len()
    }
}

fn bot() -> BotIdentity {
    BotIdentity { id: FakeTelegram::BOT_ID, username: FakeTelegram::BOT_USERNAME.to_owned() }
}

#[tokio::test]
async fn an_update_is_confirmed_when_its_effect_is_stored_and_a_repeat_has_none() {
    let scene = Scene::new().await;
    let update = scene.fake.text(ANNA, "hello");
    for _ in 0..3 {
        assert_eq!(scene.hand_over(&update).await, 200);
        assert_eq!(scene.replies_to(ANNA).await, 1);
    }
    scene.fake.finish();
}

/// Whoever knows the address could otherwise speak as any guest.
#[tokio::test]
async fn nothing_is_done_without_the_secret() {
    let scene = Scene::new().await;
    let update = scene.fake.text(ANNA, "NO").to_string();
    // A store that is asked anything answers 503.
    scene.store.set_down(true);
    for wrong in [None, Some(""), Some("s3cret_for-testS"), Some("s3cret_for-tests "), Some("s3cret_for-test")] {
        assert_eq!(scene.post(wrong, update.clone()).await, 401, "{wrong:?}");
        assert_eq!(scene.post(wrong, "{").await, 401, "before it is read");
    }
    scene.fake.finish();
}

#[tokio::test]
async fn a_door_without_a_secret_cannot_be_made() {
    let fake = FakeTelegram::start().await.unwrap();
    let settings = TelegramSettings {
        token: FakeTelegram::TOKEN.into(),
        api_url: fake.api_url().parse().unwrap(),
        request_timeout: TelegramSettings::DEFAULT_REQUEST_TIMEOUT,
    };
    let acknowledger = Acknowledger::start(TelegramClient::new(&settings).unwrap());
    let door = |secret: &str| TelegramDoor::new(secret.into(), bot(), acknowledger.clone());
    for unusable in ["", " ", "with space", "semi;colon", &"x".repeat(257)] {
        let error = door(unusable).err().unwrap().to_string();
        assert!(error.contains("telegram.webhook_secret"), "{unusable:?}: {error}");
    }
    assert!(door(&"x".repeat(256)).is_ok());
}

#[tokio::test]
async fn what_is_too_large_or_broken_is_refused_and_what_is_unknown_is_confirmed() {
    let scene = Scene::new().await;
    let too_large = json!({"update_id": 1, "message": {"text": "x".repeat(64 * 1024)}}).to_string();
    assert_eq!(scene.post(Some(SECRET), too_large.clone()).await, 413);
    assert_eq!(scene.post(None, too_large).await, 413, "size is looked at first");
    for broken in ["", "{", "hello", "{\"update_id\":1"] {
        assert_eq!(scene.post(Some(SECRET), broken).await, 400, "{broken}");
    }
    for unknown in ["{}", "[]", r#"{"update_id":1}"#, r#"{"update_id":2,"message":{"text":7}}"#] {
        assert_eq!(scene.post(Some(SECRET), unknown).await, 200, "{unknown}");
    }
    assert_eq!(scene.hand_over(&scene.fake.update("something_new", json!({}))).await, 200);
    scene.fake.finish();
}

/// A 4xx would make Telegram send it again every minute for a day.
#[tokio::test]
async fn what_has_no_text_is_confirmed_and_answered() {
    let scene = Scene::new().await;
    let media = [
        json!({"sticker": {"file_id": "x"}}),
        json!({"voice": {"file_id": "x"}}),
        json!({"photo": [{"file_id": "x"}], "caption": "YES"}),
    ];
    for (count, fields) in (1..).zip(media) {
        let update = scene.fake.message(ANNA, fields);
        assert_eq!(scene.hand_over(&update).await, 200);
        assert_eq!(scene.replies_to(ANNA).await, count);
    }
    scene.fake.finish();
}

#[tokio::test]
async fn while_the_store_is_away_telegram_is_asked_to_come_again() {
    let scene = Scene::new().await;
    let text = scene.fake.text(ANNA, "hello");
    let press = scene.fake.press_data(ANNA, ANNA, 501, "7:yes");
    scene.store.set_down(true);
    assert_eq!(scene.hand_over(&text).await, 503);
    assert_eq!(scene.hand_over(&press).await, 503);
    scene.store.set_down(false);
    assert_eq!(scene.replies_to(ANNA).await, 0);
    assert_eq!(scene.hand_over(&text).await, 200);
    assert_eq!(scene.replies_to(ANNA).await, 1);
    scene.acknowledger.flush().await;
    assert_eq!(scene.fake.calls("answerCallbackQuery"), 0, "nothing is acknowledged that is not stored");
    assert_eq!(scene.hand_over(&press).await, 200);
    scene.acknowledger.flush().await;
    assert_eq!(scene.fake.calls("answerCallbackQuery"), 1);
    scene.fake.finish();
}

/// Two taps, thirty milliseconds apart or at once.
#[tokio::test(flavor = "multi_thread")]
async fn a_button_tapped_twice_is_confirmed_twice() {
    let scene = Arc::new(Scene::new().await);
    let mut taps = JoinSet::new();
    for _ in 0..2 {
        let (scene, press) = (Arc::clone(&scene), scene.fake.press_data(ANNA, ANNA, 501, "7:yes"));
        taps.spawn(async move { scene.hand_over(&press).await });
    }
    assert_eq!(taps.join_all().await, [200, 200]);
    scene.acknowledger.flush().await;
    assert_eq!(scene.fake.calls("answerCallbackQuery"), 2);
}

/// Somebody else's button, forwarded or made up, is pressed on one's own behalf.
#[tokio::test]
async fn a_press_speaks_for_whoever_pressed() {
    let scene = Scene::new().await;
    let press = scene.fake.press_data(STRANGER, ANNA, 501, "7:yes");
    assert_eq!(scene.hand_over(&press).await, 200);
    assert_eq!((scene.replies_to(ANNA).await, scene.replies_to(STRANGER).await), (0, 1));
    scene.fake.finish();
}

#[tokio::test(flavor = "multi_thread")]
async fn many_guests_at_once_are_all_heard() {
    let scene = Arc::new(Scene::new().await);
    let mut running = JoinSet::new();
    for guest in ANNA..ANNA + 100 {
        let (scene, update) = (Arc::clone(&scene), scene.fake.text(guest, "hello"));
        running.spawn(async move { scene.hand_over(&update).await });
    }
    assert!(running.join_all().await.into_iter().all(|status| status == 200));
    for guest in ANNA..ANNA + 100 {
        assert_eq!(scene.replies_to(guest).await, 1);
    }
}

#[tokio::test]
async fn only_posts_are_taken() {
    let scene = Scene::new().await;
    let get = Request::get("/webhooks/telegram").body(Body::empty()).unwrap();
    let response = scene.router.clone().oneshot(get).await.unwrap();
    assert_eq!(response.status(), StatusCode::METHOD_NOT_ALLOWED);
    scene.fake.finish();
}
