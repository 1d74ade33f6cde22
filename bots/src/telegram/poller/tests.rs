use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use app::{App, Clock};
use chrono::{DateTime, Utc};
use domain::conversation::Policy;
use fakes::{
    faulty_store::FaultyStore,
    telegram::{Answer, FakeTelegram},
};
use serde_json::json;
use store::{Store, sqlite::SqliteStore};
use tokio::sync::oneshot;

use super::*;
use crate::telegram::{Acknowledger, BotIdentity, TelegramSettings};

const ANNA: i64 = 7_100_000_001;
const BEN: i64 = 7_100_000_002;

/// Stands still. Can break the intake, which alone runs in tasks here.
#[derive(Default)]
struct TestClock {
    breaks_tasks: AtomicBool,
}

impl Clock for TestClock {
    fn now(&self) -> DateTime<Utc> {
        assert!(!(self.breaks_tasks.load(Ordering::SeqCst) && tokio::task::try_id().is_some()), "as it was told");
        "2026-11-18T12:00:00Z".parse().unwrap()
    }

    fn random(&self, bytes: &mut [u8]) {
        bytes.fill(7);
    }
}

struct Scene {
    fake: FakeTelegram,
    store: Arc<FaultyStore>,
    clock: Arc<TestClock>,
    app: App,
    client: TelegramClient,
    _dir: tempfile::TempDir,
}

impl Scene {
    async fn new() -> Self {
        let fake = FakeTelegram::start().await.unwrap();
        let dir = tempfile::tempdir().unwrap();
        let store = Arc::new(SqliteStore::open(&dir.path().join("convive.db")).unwrap());
        let store = Arc::new(FaultyStore::new(store));
        let clock = Arc::new(TestClock::default());
        let policy = Policy { provider_keywords: true, calendar_domain: "rsvp.example.org".to_owned() };
        let app = App::new(Arc::clone(&store) as Arc<dyn Store>, Arc::clone(&clock) as Arc<dyn Clock>, policy);
        let settings = TelegramSettings {
            token: FakeTelegram::TOKEN.into(),
            api_url: fake.api_url().parse().unwrap(),
            request_timeout: TelegramSettings::DEFAULT_REQUEST_TIMEOUT,
        };
        let client = TelegramClient::new(&settings).unwrap();
        Self { fake, store, clock, app, client, _dir: dir }
    }

    /// As after a start: nothing is known of earlier polls.
    fn poller(&self) -> Poller {
        let bot = BotIdentity { id: FakeTelegram::BOT_ID, username: FakeTelegram::BOT_USERNAME.to_owned() };
        let acknowledger = Acknowledger::start(self.client.clone());
        Poller::new(self.client.clone(), Receiver::new(self.app.clone(), bot, acknowledger))
    }

    fn says(&self, user: i64, text: &str) {
        self.fake.queue(self.fake.text(user, text));
    }

    async fn replies_to(&self, user: i64) -> usize {
        self.store.entries_to(&Address::telegram(user)).await.unwrap().len()
    }
}

async fn poll(poller: &mut Poller) -> Result<usize, PollError> {
    poller.poll_once(Duration::ZERO).await
}

#[tokio::test]
async fn what_is_taken_in_is_confirmed_by_the_next_poll() {
    let scene = Scene::new().await;
    let mut poller = scene.poller();
    scene.says(ANNA, "hello");
    scene.says(BEN, "hello");
    scene.says(ANNA, "help");
    assert_eq!(poll(&mut poller).await.unwrap(), 3);
    assert_eq!((scene.replies_to(ANNA).await, scene.replies_to(BEN).await), (2, 1));
    assert_eq!(scene.fake.unconfirmed(), 3, "not before the commit");
    assert_eq!(poll(&mut poller).await.unwrap(), 0);
    assert_eq!(scene.fake.unconfirmed(), 0);
    scene.fake.finish();
}

#[tokio::test]
async fn one_chat_is_answered_in_the_order_in_which_it_spoke() {
    let scene = Scene::new().await;
    for _ in 0..10 {
        scene.says(ANNA, "hello");
        scene.says(BEN, "hello");
    }
    assert_eq!(poll(&mut scene.poller()).await.unwrap(), 20);
    // The version of the conversation that each reply belongs to, and the number of the update that it answers.
    let entries = scene.store.entries_to(&Address::telegram(ANNA)).await.unwrap();
    let answered: Vec<i64> =
        entries.iter().map(|it| it.id.split([':', '/']).nth(2).unwrap().parse().unwrap()).collect();
    assert!(answered.is_sorted() && answered.len() == 10, "{answered:?}");
    scene.fake.finish();
}

/// Updates wait at Telegram while the store is away; each has its effect once.
#[tokio::test]
async fn while_the_store_is_away_nothing_is_confirmed_and_nothing_is_skipped() {
    let scene = Scene::new().await;
    let mut poller = scene.poller();
    scene.says(ANNA, "hello");
    scene.store.set_down(true);
    assert!(matches!(poll(&mut poller).await, Err(PollError::TakeIn(_))));
    scene.says(BEN, "hello");
    assert!(matches!(poll(&mut poller).await, Err(PollError::TakeIn(_))));
    assert_eq!(scene.fake.unconfirmed(), 2);
    scene.store.set_down(false);
    assert_eq!(poll(&mut poller).await.unwrap(), 2);
    assert_eq!((scene.replies_to(ANNA).await, scene.replies_to(BEN).await), (1, 1));
    scene.fake.finish();
}

/// The program stopped between its commit and the next poll.
#[tokio::test]
async fn what_comes_again_after_a_restart_is_not_answered_again() {
    let scene = Scene::new().await;
    scene.says(ANNA, "hello");
    assert_eq!(poll(&mut scene.poller()).await.unwrap(), 1);
    let mut restarted = scene.poller();
    assert_eq!(poll(&mut restarted).await.unwrap(), 1);
    assert_eq!(scene.replies_to(ANNA).await, 1);
    assert_eq!(poll(&mut restarted).await.unwrap(), 0);
    scene.fake.finish();
}

#[tokio::test]
async fn what_is_not_understood_holds_nobody_up() {
    let scene = Scene::new().await;
    let mut poller = scene.poller();
    scene.fake.queue(scene.fake.update("something_new", json!({})));
    scene.fake.queue(scene.fake.update("message", json!({"chat": "odd"})));
    scene.fake.queue(json!({"no": "number"}));
    scene.says(ANNA, "hello");
    scene.fake.queue(scene.fake.message(BEN, json!({"sticker": {"file_id": "x"}})));
    scene.fake.queue(scene.fake.update("poll", json!({"id": "1"})));
    assert_eq!(poll(&mut poller).await.unwrap(), 6);
    assert_eq!((scene.replies_to(ANNA).await, scene.replies_to(BEN).await), (1, 1));
    assert_eq!(poll(&mut poller).await.unwrap(), 0);
    scene.fake.finish();
}

#[tokio::test]
async fn a_fault_in_one_message_ends_neither_the_poller_nor_the_chat() {
    let scene = Scene::new().await;
    let mut poller = scene.poller();
    scene.says(ANNA, "hello");
    scene.clock.breaks_tasks.store(true, Ordering::SeqCst);
    assert_eq!(poll(&mut poller).await.unwrap(), 1);
    scene.clock.breaks_tasks.store(false, Ordering::SeqCst);
    scene.says(ANNA, "hello again");
    assert_eq!(poll(&mut poller).await.unwrap(), 1);
    assert_eq!(scene.replies_to(ANNA).await, 1);
    scene.fake.finish();
}

#[tokio::test]
async fn a_press_is_acknowledged_after_its_commit_and_not_without() {
    let scene = Scene::new().await;
    let mut poller = scene.poller();
    scene.fake.queue(scene.fake.press_data(ANNA, ANNA, 501, "7:yes"));
    scene.store.set_down(true);
    assert!(poll(&mut poller).await.is_err());
    poller.receiver.flush().await;
    assert_eq!(scene.fake.calls("answerCallbackQuery"), 0);
    scene.store.set_down(false);
    assert_eq!(poll(&mut poller).await.unwrap(), 1);
    poller.receiver.flush().await;
    assert_eq!(scene.fake.calls("answerCallbackQuery"), 1);
    scene.fake.finish();
}

#[tokio::test]
async fn troubles_of_telegram_are_told_and_the_next_poll_goes_on() {
    let scene = Scene::new().await;
    let mut poller = scene.poller();
    scene.says(ANNA, "hello");
    let troubles = [
        Answer::Conflict,
        Answer::Html502,
        Answer::Status(401),
        Answer::CutConnection,
        Answer::TooMany(7),
        Answer::Raw(200, "{\"ok\":true,\"result\":7}".to_owned()),
        Answer::Raw(200, "not JSON".to_owned()),
    ];
    for trouble in troubles {
        scene.fake.answer_next("getUpdates", trouble.clone());
        let error = poll(&mut poller).await.unwrap_err();
        assert!(matches!(error, PollError::Fetch(_)), "{trouble:?}: {error}");
        let wait = matches!(trouble, Answer::TooMany(_)).then_some(Duration::from_secs(7));
        assert_eq!(error.asked_wait(), wait, "{trouble:?}");
    }
    assert_eq!(poll(&mut poller).await.unwrap(), 1);
    scene.fake.finish();
}

#[tokio::test]
async fn it_ends_webhook_mode_keeps_what_waits_and_stops_when_told() {
    let scene = Scene::new().await;
    let secret = "s3cret".into();
    setup::set_webhook(&scene.client, &"https://rsvp.example.org".parse().unwrap(), &secret, 40).await.unwrap();
    scene.says(ANNA, "hello");
    let (stop, stopped) = oneshot::channel::<()>();
    let running = tokio::spawn(scene.poller().run(async move { drop(stopped.await) }));
    // The second poll confirms the first, and waits for more to come.
    scene.fake.wait_for_calls("getUpdates", 2).await;
    assert_eq!(scene.replies_to(ANNA).await, 1);
    assert_eq!(scene.fake.webhook(), None);
    stop.send(()).unwrap();
    running.await.unwrap();
    scene.fake.finish();
}

#[tokio::test]
async fn a_second_poller_ends_the_first_ones_wait() {
    let scene = Scene::new().await;
    let mut first = scene.poller();
    let waiting = tokio::spawn(async move { first.poll_once(LONGEST_WAIT).await });
    scene.fake.wait_for_calls("getUpdates", 1).await;
    poll(&mut scene.poller()).await.unwrap();
    let error = waiting.await.unwrap().unwrap_err().to_string();
    assert!(error.contains("409"), "{error}");
    scene.fake.finish();
}
