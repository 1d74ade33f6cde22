//! A store, a clock that stands still, and a channel that does as it is told.

use std::{
    collections::{HashMap, VecDeque},
    path::Path,
    sync::{Arc, Mutex},
};

use app::{App, Clock};
use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
use chrono_tz::Tz;
use domain::{
    address::{Address, Channel},
    conversation::{Conversation, Policy},
    model::{Admission, Event, EventId, Guest, GuestId},
    notice::{Hours, Notice},
};
use fakes::faulty_store::FaultyStore;
use store::{
    Commit, Committed, Content, Entry, EntryStatus, EventChange, GuestChange, Initiated, NewEntry, Rendered, Store,
    sqlite::SqliteStore,
};
use tokio::sync::Notify;

use crate::{Courier, LookUp, Parcel, Provider, Repeats, SendOutcome, courier::DEFAULT_LEASE};

pub const EVENT: &str = "harbour-supper";

pub fn guest() -> GuestId {
    GuestId([7; 12])
}

/// Stands still until it is moved.
pub struct TestClock(Mutex<DateTime<Utc>>);

impl Clock for TestClock {
    fn now(&self) -> DateTime<Utc> {
        *self.0.lock().unwrap()
    }

    fn random(&self, bytes: &mut [u8]) {
        bytes.fill(7);
    }
}

pub struct Bench {
    pub app: App,
    pub store: Arc<FaultyStore>,
    pub clock: Arc<TestClock>,
    _dir: tempfile::TempDir,
}

impl Bench {
    /// An event with one guest, to whom notices refer; noon in London.
    pub async fn start() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let store = Arc::new(FaultyStore::new(open(dir.path())));
        let clock = Arc::new(TestClock(Mutex::new("2026-11-18T12:00:00Z".parse().unwrap())));
        let policy = Policy { provider_keywords: true, calendar_domain: "rsvp.example.org".to_owned() };
        let app = App::new(Arc::clone(&store) as Arc<dyn Store>, Arc::clone(&clock) as Arc<dyn Clock>, policy);
        let bench = Self { app, store, clock, _dir: dir };
        let event = EventChange::Insert(event());
        let anna = Guest {
            first_name: "Anna".to_owned(),
            ..Guest::new(guest(), EVENT.into(), "Holloway".to_owned(), "K7QF2M".to_owned(), bench.now())
        };
        bench.commit(Commit { event: Some(event), guests: vec![GuestChange::Insert(anna)], ..Commit::default() }).await;
        bench
    }

    pub fn now(&self) -> DateTime<Utc> {
        self.clock.now()
    }

    pub fn pass(&self, milliseconds: i64) {
        *self.clock.0.lock().unwrap() += TimeDelta::milliseconds(milliseconds);
    }

    async fn commit(&self, commit: Commit) {
        assert_eq!(self.store.commit(Commit { at: self.now(), ..commit }).await.unwrap(), Committed::Done);
    }

    /// The conversation at an address comes to be.
    pub async fn know(&self, address: &Address) {
        self.commit(Commit { conversations: vec![Conversation::new(address.clone())], ..Commit::default() }).await;
    }

    pub async fn conversation(&self, address: &Address) -> Conversation {
        self.store.conversation(address).await.unwrap().unwrap()
    }

    pub async fn opt_out(&self, address: &Address) {
        let mut conversation = self.conversation(address).await;
        conversation.opted_out = true;
        self.commit(Commit { conversations: vec![conversation], ..Commit::default() }).await;
    }

    /// A reply is decided; its version is its place among the replies to that address.
    pub async fn reply(&self, address: &Address, version: u64, text: &str) {
        let entry = NewEntry {
            id: format!("{address}/{version}"),
            address: address.clone(),
            content: Content::Reply { version, place: 0, text: rendered(text) },
            question: None,
            only_asks: false,
        };
        self.commit(Commit { outbox: vec![entry], ..Commit::default() }).await;
        self.app.outbox_filled.notify_one();
    }

    /// A notice is decided, of the kind that goes at any hour.
    pub async fn notice(&self, address: &Address, text: &str) {
        self.initiated(address, text, None, None).await;
    }

    pub async fn initiated(
        &self,
        address: &Address,
        text: &str,
        hours: Option<Hours>,
        not_after: Option<DateTime<Utc>>,
    ) {
        let initiated = Initiated {
            event: EVENT.into(),
            notice: Notice::MessageLeft { guest: guest(), text: text.to_owned() },
            obeys_mute: true,
            hours,
            not_after,
            decided_at: self.now(),
        };
        let entry = NewEntry {
            id: format!("{address}/{text}"),
            address: address.clone(),
            content: Content::Initiated(initiated),
            question: None,
            only_asks: false,
        };
        self.commit(Commit { outbox: vec![entry], ..Commit::default() }).await;
        self.app.outbox_filled.notify_one();
    }

    pub async fn entries(&self, address: &Address) -> Vec<Entry> {
        self.store.entries_to(address).await.unwrap()
    }

    /// Where the entries to an address stand, in order.
    pub async fn statuses(&self, address: &Address) -> Vec<EntryStatus> {
        self.entries(address).await.into_iter().map(|entry| entry.status).collect()
    }

    pub fn courier(&self, name: &str, providers: &[&Arc<Post>]) -> Courier {
        let providers = providers.iter().map(|post| Arc::clone(post) as Arc<dyn Provider>).collect();
        Courier::new(self.app.clone(), providers, name, DEFAULT_LEASE)
    }

    /// Pumps every `step` milliseconds until so much time has passed.
    pub async fn pump_for(&self, courier: &Courier, milliseconds: i64, step: i64) {
        for _ in 0..milliseconds / step {
            self.pass(step);
            courier.pump().await;
        }
    }
}

fn open(dir: &Path) -> Arc<dyn Store> {
    Arc::new(SqliteStore::open(&dir.join("convive.db")).unwrap())
}

fn event() -> Event {
    Event {
        id: EventId(EVENT.to_owned()),
        name: "Harbour Supper".to_owned(),
        starts_at: "2026-11-28T18:00:00Z".parse().unwrap(),
        ends_at: None,
        time_zone: Tz::Europe__London,
        rsvp_deadline: None,
        capacity: None,
        seats_taken: None,
        admission: Admission::Invitation,
        place: None,
        address: None,
        dress_code: None,
        schedule: None,
        host_contact: None,
        default_locale: "en".to_owned(),
        phone_region: None,
        reminders: domain::model::ReminderSettings::default(),
        digest: domain::model::DigestSettings::default(),
        cancelled_at: None,
        version: 0,
    }
}

pub fn rendered(text: &str) -> Rendered {
    Rendered { text: text.to_owned(), segments: 1, ..Rendered::default() }
}

/// How one attempt goes.
pub struct Goes {
    /// Whether the message reaches the person.
    arrives: bool,
    /// What the courier hears; nothing, for ever, when `None`.
    ends: Option<SendOutcome>,
}

pub fn refused(ends: SendOutcome) -> Goes {
    Goes { arrives: false, ends: Some(ends) }
}

pub fn not_sent() -> Goes {
    refused(SendOutcome::NotSent { reason: "no connection".to_owned() })
}

pub fn too_many(seconds: i64) -> Goes {
    refused(SendOutcome::TooMany { retry_after: TimeDelta::seconds(seconds) })
}

pub fn in_doubt(arrives: bool) -> Goes {
    Goes { arrives, ends: Some(SendOutcome::InDoubt { reason: "no answer".to_owned() }) }
}

pub fn hangs(arrives: bool) -> Goes {
    Goes { arrives, ends: None }
}

/// A channel that does as it is told; untold, it delivers.
pub struct Post {
    channel: Channel,
    repeats: Repeats,
    state: Mutex<PostState>,
    happened: Notify,
}

#[derive(Default)]
struct PostState {
    told: HashMap<String, VecDeque<Goes>>,
    words: VecDeque<LookUp>,
    attempts: u64,
    arrived: Vec<(DateTime<Utc>, String, String)>,
    now: Option<Arc<TestClock>>,
}

impl Post {
    pub fn new(bench: &Bench, channel: Channel, repeats: Repeats) -> Arc<Self> {
        let state = PostState { now: Some(Arc::clone(&bench.clock)), ..PostState::default() };
        Arc::new(Self { channel, repeats, state: Mutex::new(state), happened: Notify::new() })
    }

    pub fn telegram(bench: &Bench) -> Arc<Self> {
        Self::new(bench, Channel::Telegram, Repeats::Once)
    }

    /// How the next attempts to send to an address go.
    pub fn tell(&self, address: &Address, goes: impl IntoIterator<Item = Goes>) {
        self.state.lock().unwrap().told.entry(address.id.clone()).or_default().extend(goes);
    }

    /// What the next questions are answered.
    pub fn answer(&self, words: impl IntoIterator<Item = LookUp>) {
        self.state.lock().unwrap().words.extend(words);
    }

    pub fn attempts(&self) -> u64 {
        self.state.lock().unwrap().attempts
    }

    /// What arrived, in order.
    pub fn arrived(&self) -> Vec<String> {
        self.state.lock().unwrap().arrived.iter().map(|(_, _, text)| text.clone()).collect()
    }

    /// What arrived at one address.
    pub fn at(&self, address: &Address) -> Vec<String> {
        let state = self.state.lock().unwrap();
        state.arrived.iter().filter(|(_, id, _)| *id == address.id).map(|(_, _, text)| text.clone()).collect()
    }

    /// When everything arrived.
    pub fn times(&self) -> Vec<DateTime<Utc>> {
        self.state.lock().unwrap().arrived.iter().map(|(at, _, _)| *at).collect()
    }

    /// Waits until so many messages have arrived.
    pub async fn until_arrived(&self, count: usize) {
        loop {
            let happened = self.happened.notified();
            if self.state.lock().unwrap().arrived.len() >= count {
                return;
            }
            happened.await;
        }
    }

    /// Waits until so many attempts were made.
    pub async fn until_attempted(&self, count: u64) {
        loop {
            let happened = self.happened.notified();
            if self.attempts() >= count {
                return;
            }
            happened.await;
        }
    }
}

#[async_trait]
impl Provider for Post {
    fn channel(&self) -> Channel {
        self.channel
    }

    fn repeats(&self) -> Repeats {
        self.repeats
    }

    async fn send(&self, parcel: &Parcel<'_>) -> SendOutcome {
        let ends = {
            let mut state = self.state.lock().unwrap();
            state.attempts += 1;
            let id = parcel.address.id.clone();
            let goes = state.told.get_mut(&id).and_then(VecDeque::pop_front);
            let Goes { arrives, ends } = goes.unwrap_or_else(|| {
                let provider_id = Some(format!("id-{}", state.attempts));
                Goes { arrives: true, ends: Some(SendOutcome::Sent { provider_id }) }
            });
            if arrives {
                let at = state.now.as_ref().unwrap().now();
                state.arrived.push((at, id, parcel.text.text.clone()));
            }
            ends
        };
        self.happened.notify_waiters();
        match ends {
            Some(ends) => ends,
            None => std::future::pending().await,
        }
    }

    async fn look_up(&self, _: &Parcel<'_>) -> LookUp {
        self.state.lock().unwrap().words.pop_front().expect("nobody should have asked")
    }
}
