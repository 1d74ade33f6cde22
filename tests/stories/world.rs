//! The stage: one event, its guests, a store in a folder of its own, and everything around the program.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    fs,
    rc::Rc,
    sync::{Arc, OnceLock},
    time::Duration,
};

use app::{Clock, SERVED_CHANNELS, command_line};
use chrono::{DateTime, TimeDelta, Utc};
use convive::{
    program::{Program, Roles, Surroundings},
    settings::Settings,
    wiring,
};
use domain::{
    address::Address,
    guest_file::{self, ReadDefaults},
    model::{EventId, Guest, Status},
};
use fakes::{telegram::FakeTelegram, twilio::FakeTwilio};
use mongo_server::TestDatabase;
use secrecy::{ExposeSecret, SecretString};
use store::{Entry, EntryStatus, OutboxCounts, Page, Store};
use tempfile::TempDir;
use web::tokens::SigningKey;

use crate::{
    chat::{Chat, Who},
    clock::TestClock,
    fixtures::{EVENT, GUESTS, OURS, PUBLIC_URL, WEBHOOK_SECRET},
    gate::Gate,
    process::{Process, Reply, Request},
};

/// How a story begins, where it does not begin as usual.
pub struct Setup {
    pub now: &'static str,
    /// Rows of the guest file.
    pub guests: &'static str,
    /// Settings of the event, beside or instead of the usual ones; an empty one is left out.
    pub event: &'static [(&'static str, &'static str)],
    /// Settings of the program, beside or instead of the usual ones.
    pub settings: &'static [(&'static str, &'static str)],
    /// The Bot API refuses connections until [`World::telegram_appears`].
    pub telegram_is_unreachable: bool,
    /// The same for Twilio, until [`World::twilio_appears`].
    pub twilio_is_unreachable: bool,
    /// How long a provider may take to answer.
    pub request_timeout: Duration,
    /// Told on MongoDB, whatever the others are told on.
    pub on_mongodb: bool,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            now: "2026-11-02T10:00:00Z",
            guests: GUESTS,
            event: &[],
            settings: &[],
            telegram_is_unreachable: false,
            twilio_is_unreachable: false,
            // Long enough for a busy machine: only what hangs takes that long.
            request_timeout: Duration::from_secs(10),
            on_mongodb: false,
        }
    }
}

/// How often each message of a person arrives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arrives {
    Once,
    /// Again once the first one is answered.
    Twice,
    /// Twice at the same time.
    TwiceAtOnce,
}

pub struct World {
    pub clock: Arc<TestClock>,
    pub telegram: FakeTelegram,
    pub twilio: FakeTwilio,
    pub process: Process,
    /// Another program on the same store, which gets the second copy of what arrives twice at the same time.
    second: RefCell<Option<Rc<Process>>>,
    settings: Settings,
    request_timeout: Duration,
    telegram_gate: Option<Gate>,
    twilio_gate: Option<Gate>,
    polls: bool,
    arrives: Cell<Arrives>,
    /// Whether the courier goes after each message of a person.
    delivers: Cell<bool>,
    /// Everything that was handed over, to be handed over again.
    log: RefCell<Vec<Request>>,
    /// How many messages each person has looked at.
    pub(crate) seen: RefCell<BTreeMap<Who, usize>>,
    ended: Ended,
    _folder: TempDir,
    /// Where the stories are told on MongoDB.
    _database: Option<TestDatabase>,
}

/// With this in the environment the stories are told on MongoDB instead of the embedded store.
const ON_MONGODB: &str = "CONVIVE_STORIES_ON_MONGODB";

/// A story that does not say how it ends has not been checked.
struct Ended(Cell<bool>);

impl Drop for Ended {
    fn drop(&mut self) {
        assert!(self.0.get() || std::thread::panicking(), "the story must end with World::finish");
    }
}

impl World {
    pub async fn new() -> Self {
        Self::with(Setup::default()).await
    }

    pub async fn with(setup: Setup) -> Self {
        let clock = Arc::new(TestClock::at(setup.now));
        let telegram = FakeTelegram::start().await.unwrap();
        let now = Arc::clone(&clock);
        let twilio = FakeTwilio::start(move || now.now()).await.unwrap();
        let telegram_gate = setup.telegram_is_unreachable.then(Gate::closed);
        let twilio_gate = setup.twilio_is_unreachable.then(Gate::closed);
        let folder = TempDir::new().unwrap();
        let of_gate = |gate: &Option<Gate>| gate.as_ref().map(|gate| format!("http://{}", gate.address()));
        let telegram_url = of_gate(&telegram_gate).unwrap_or_else(|| telegram.api_url());
        let twilio_url = of_gate(&twilio_gate).unwrap_or_else(|| twilio.api_url());
        let on_mongodb = setup.on_mongodb || std::env::var_os(ON_MONGODB).is_some();
        let database = on_mongodb.then(mongo_server::database);
        let store = match &database {
            Some(database) => database.url.clone(),
            None => format!("sqlite:{}", folder.path().join("convive.db").display()),
        };
        let settings = settings(&folder, &store, &telegram_url, &twilio_url, setup.settings);
        let process = Process::start(&settings, Arc::clone(&clock), setup.request_timeout).await;
        let polls = setup.settings.contains(&("CONVIVE__TELEGRAM__MODE", "polling"));
        let world = Self {
            clock,
            telegram,
            twilio,
            process,
            second: RefCell::default(),
            settings,
            request_timeout: setup.request_timeout,
            telegram_gate,
            twilio_gate,
            polls,
            arrives: Cell::new(Arrives::Once),
            delivers: Cell::new(true),
            log: RefCell::default(),
            seen: RefCell::default(),
            ended: Ended(Cell::new(false)),
            _folder: folder,
            _database: database,
        };
        world.invite(setup.event, setup.guests).await;
        world
    }

    async fn invite(&self, event: &[(&str, &str)], guests: &str) {
        let changed = |key: &str| event.iter().any(|(other, _)| *other == key);
        let usual = EVENT.iter().filter(|(key, _)| !changed(key));
        let given = usual.chain(event).filter(|(_, value)| !value.is_empty());
        let given: Vec<(&str, &str)> = given.copied().collect();
        self.set_event(&given).await;
        self.import(guests).await;
    }

    /// Changes settings of the event, as the host does it.
    pub async fn set_event(&self, settings: &[(&str, &str)]) {
        let pairs: Vec<_> = settings.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        self.process.app.set_event(None, &pairs, &command_line()).await.unwrap();
    }

    /// Imports a guest file, as the host does it.
    pub async fn import(&self, file: &str) -> guest_file::Plan {
        let event = self.process.app.one_event(None).await.unwrap();
        let sheet = guest_file::read(file.as_bytes(), &ReadDefaults { region: event.phone_region.as_deref() }).unwrap();
        self.process.app.import_guests(&event.id, &sheet, &command_line()).await.unwrap()
    }

    // Who there is.

    pub fn telegram(&self, name: &str) -> Chat<'_> {
        Chat::new(self, Who::telegram(name))
    }

    pub fn phone(&self, number: &str) -> Chat<'_> {
        Chat::new(self, Who::Phone(number.to_owned()))
    }

    // Time, and what happens because it passes.

    pub fn now(&self) -> DateTime<Utc> {
        self.clock.now()
    }

    /// Moves the clock, and nothing else.
    pub fn advance(&self, by: TimeDelta) {
        self.clock.advance(by);
    }

    /// Lets time pass with the courier at work: it goes whenever something is due.
    pub async fn pass(&self, by: TimeDelta) {
        let until = self.now() + by;
        self.pump().await;
        while let Some(due) = self.process.app.store.next_due(&SERVED_CHANNELS).await.unwrap() {
            if due > until {
                break;
            }
            // What is due now and was not sent is looked at again a little later.
            self.clock.set(due.max(self.now() + TimeDelta::milliseconds(500)).min(until));
            self.pump().await;
            if self.now() >= until {
                break;
            }
        }
        self.clock.set(until);
        self.pump().await;
    }

    /// Lets time pass with everything at work: the program looks at the clock every `step`.
    pub async fn live(&self, by: TimeDelta, step: TimeDelta) {
        let until = self.now() + by;
        self.tick().await;
        while self.now() < until {
            self.pass(step.min(until - self.now())).await;
            self.tick().await;
        }
        self.pump().await;
    }

    /// The same up to a moment, an hour at a time.
    pub async fn live_until(&self, moment: &str) {
        let until: DateTime<Utc> = moment.parse().unwrap();
        self.live(until - self.now(), TimeDelta::hours(1)).await;
    }

    /// All programs look at the clock, at the same time.
    pub async fn tick(&self) {
        let second = self.second.borrow().clone();
        let (one, other) = tokio::join!(self.process.reminders.tick(), async {
            match &second {
                Some(second) => second.reminders.tick().await,
                None => Ok(()),
            }
        });
        one.unwrap();
        other.unwrap();
    }

    /// The couriers deliver what may go now.
    pub async fn pump(&self) {
        self.process.pump().await;
        let second = self.second.borrow().clone();
        if let Some(second) = second {
            second.pump().await;
        }
    }

    /// The courier rests until [`World::pump`].
    pub fn courier_rests(&self) {
        self.delivers.set(false);
    }

    /// The courier goes again after each message.
    pub async fn courier_works(&self) {
        self.delivers.set(true);
        self.pump().await;
    }

    pub fn messages_arrive(&self, arrives: Arrives) {
        self.arrives.set(arrives);
    }

    /// The program ends without a warning, and is started again on the same store.
    pub async fn crash_and_restart(&mut self) {
        let next = self.start_another().await;
        std::mem::replace(&mut self.process, next).crash();
    }

    /// A program on the same store that is not running yet.
    pub async fn build(&self) -> Program {
        let store = wiring::open_store(&self.settings.store).await.unwrap();
        let around = Surroundings { clock: self.clock.clone(), ..Surroundings::real(store, Arc::new(String::new)) };
        Program::build(&self.settings, Roles::ALL, around).await.unwrap()
    }

    /// One more program on the same store.
    pub async fn start_another(&self) -> Process {
        Process::start(&self.settings, Arc::clone(&self.clock), self.request_timeout).await
    }

    /// The same, and from now on what arrives twice at the same time comes to both.
    pub async fn start_a_second(&self) {
        let second = Rc::new(self.start_another().await);
        self.second.replace(Some(second));
    }

    pub fn telegram_appears(&mut self) {
        let address = self.telegram.api_url();
        open(self.telegram_gate.as_mut(), &address);
    }

    pub fn twilio_appears(&mut self) {
        let address = self.twilio.api_url();
        open(self.twilio_gate.as_mut(), &address);
    }

    // Messages on their way in.

    /// An update on its way to the door.
    pub fn update_request(&self, update: &serde_json::Value) -> Request {
        Request {
            path: "/webhooks/telegram".to_owned(),
            headers: vec![
                ("Content-Type".to_owned(), "application/json".to_owned()),
                ("X-Telegram-Bot-Api-Secret-Token".to_owned(), WEBHOOK_SECRET.to_owned()),
            ],
            body: update.to_string().into_bytes(),
        }
    }

    /// A text on its way to the door.
    pub fn text_request(&self, from: &str, to: &str, body: &str) -> Request {
        self.twilio.inbound(PUBLIC_URL, from, to, body).into()
    }

    /// Telegram reports an update, as often as messages arrive in this story.
    pub async fn hear(&self, update: serde_json::Value) {
        if !self.polls {
            return self.hand_over(self.update_request(&update), "").await;
        }
        if self.arrives.get() != Arrives::Once {
            self.telegram.queue(update.clone());
        }
        self.telegram.queue(update);
        self.process.poll().await;
        self.deliver().await;
    }

    /// A provider makes a request that must succeed with this body.
    pub async fn hand_over(&self, request: Request, expected: &str) {
        let check = |reply: Reply| assert_eq!((reply.status / 100, reply.body.as_str()), (2, expected));
        self.log.borrow_mut().push(request.clone());
        match self.arrives.get() {
            Arrives::Once => check(self.process.post(&request).await),
            Arrives::Twice => {
                check(self.process.post(&request).await);
                self.deliver().await;
                check(self.process.post(&request).await);
            }
            Arrives::TwiceAtOnce => {
                let second = self.second.borrow().clone();
                let second = second.as_deref().unwrap_or(&self.process);
                let (one, other) = tokio::join!(self.process.post(&request), second.post(&request));
                check(one);
                check(other);
            }
        }
        self.deliver().await;
    }

    async fn deliver(&self) {
        if self.delivers.get() {
            self.pump().await;
        }
    }

    /// Everything that was ever handed over is handed over once more, in its order.
    pub async fn hear_everything_again(&self) {
        let log = self.log.borrow().clone();
        for request in log {
            assert_eq!(self.process.post(&request).await.status / 100, 2);
            self.deliver().await;
        }
    }

    // What is stored.

    pub fn store(&self) -> &dyn Store {
        self.process.app.store.as_ref()
    }

    pub async fn event_id(&self) -> EventId {
        self.process.app.one_event(None).await.unwrap().id
    }

    pub async fn guests(&self) -> Vec<Guest> {
        self.process.app.all_guests(&self.event_id().await).await.unwrap()
    }

    /// The guest with this code.
    pub async fn guest(&self, code: &str) -> Guest {
        self.guests().await.into_iter().find(|guest| guest.token == code).unwrap()
    }

    /// How everybody in the group of this code's guest has answered, as it is stored.
    pub async fn answers(&self, code: &str) -> String {
        let key = self.guest(code).await.group_key();
        let groups = self.store().groups(&[key]).await.unwrap();
        groups.iter().flat_map(|group| &group.members).map(stored_answer).collect::<Vec<_>>().join(", ")
    }

    pub async fn entries(&self, status: EntryStatus) -> Vec<Entry> {
        self.store().entries(status, Page { after: None, limit: 100 }).await.unwrap()
    }

    pub async fn entries_to(&self, address: &Address) -> Vec<Entry> {
        self.store().entries_to(address).await.unwrap()
    }

    /// What of the outbox was not simply sent, like `2 pending, 1 unknown`.
    pub async fn left_over(&self) -> String {
        let OutboxCounts { pending, leased, sent: _, failed, unknown, dropped } =
            self.store().outbox_counts().await.unwrap();
        let counts =
            [(pending, "pending"), (leased, "leased"), (failed, "failed"), (unknown, "unknown"), (dropped, "dropped")];
        counts
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, word)| format!("{count} {word}"))
            .collect::<Vec<_>>()
            .join(", ")
    }

    /// The sum of `numGuests` over everybody who comes.
    pub async fn head_count(&self) -> u32 {
        self.guests().await.iter().filter(|guest| guest.status == Status::Coming).map(|guest| guest.num_guests).sum()
    }

    // The end.

    /// Everything was sent, everybody has read everything, and nobody was called wrongly.
    pub async fn finish(self) {
        self.finish_leaving("").await;
    }

    /// The same where it does not matter who has read what, and what became of the last messages.
    pub async fn ignore_the_rest(self) {
        for who in Who::everybody(&self.twilio) {
            Chat::new(&self, who).skips_all();
        }
        self.pump().await;
        for who in Who::everybody(&self.twilio) {
            Chat::new(&self, who).skips_all();
        }
        let left_over = self.left_over().await;
        self.finish_leaving(&left_over).await;
    }

    /// The same, but this much of the outbox was not simply sent.
    pub async fn finish_leaving(self, left_over: &str) {
        self.ended.0.set(true);
        self.pump().await;
        assert_eq!(self.left_over().await, left_over, "left over in the outbox");
        for who in Who::everybody(&self.twilio) {
            Chat::new(&self, who).sees_nothing_more();
        }
        if self.polls {
            self.process.poll().await;
        }
        assert_eq!(self.telegram.unconfirmed(), 0, "updates that were never taken");
        let Self { telegram, twilio, process, .. } = self;
        drop(process);
        telegram.finish();
        twilio.finish();
    }
}

fn open(gate: Option<&mut Gate>, api_url: &str) {
    gate.unwrap().open(api_url.trim_start_matches("http://").parse().unwrap());
}

/// Made once for all stories: it takes a while.
fn signing_key() -> &'static str {
    static KEY: OnceLock<SecretString> = OnceLock::new();
    KEY.get_or_init(|| SigningKey::make().unwrap()).expose_secret()
}

fn settings(folder: &TempDir, store: &str, telegram_url: &str, twilio_url: &str, more: &[(&str, &str)]) -> Settings {
    let file = folder.path().join("convive.toml");
    fs::write(&file, "").unwrap();
    let mut all = BTreeMap::from([
        ("CONVIVE__STORE__URL", store),
        ("CONVIVE__HTTP__PUBLIC_URL", PUBLIC_URL),
        ("CONVIVE__TELEGRAM__TOKEN", FakeTelegram::TOKEN),
        ("CONVIVE__TELEGRAM__MODE", "webhook"),
        ("CONVIVE__TELEGRAM__WEBHOOK_SECRET", WEBHOOK_SECRET),
        ("CONVIVE__TELEGRAM__API_URL", telegram_url),
        ("CONVIVE__TWILIO__ACCOUNT_SID", FakeTwilio::ACCOUNT_SID),
        ("CONVIVE__TWILIO__AUTH_TOKEN", FakeTwilio::AUTH_TOKEN),
        ("CONVIVE__TWILIO__FROM", OURS),
        ("CONVIVE__TWILIO__API_URL", twilio_url),
        ("CONVIVE__AUTH__PRIVATE_KEY", signing_key()),
    ]);
    all.extend(more.iter().copied());
    let variables = all.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned()));
    Settings::load(Some(&file), variables).unwrap()
}

/// `Anna coming 2 (+1) "vegan"`: status, companions and extras if any, dietary needs if any.
fn stored_answer(guest: &Guest) -> String {
    let mut text = format!("{} {}", guest.short_name(), guest.status.as_str());
    if guest.num_guests > 1 || (guest.num_guests == 1 && !guest.self_coming) {
        text.push_str(&format!(" {}", guest.num_guests));
    }
    if guest.extra_guests > 0 {
        text.push_str(&format!(" (+{})", guest.extra_guests));
    }
    if !guest.dietary.is_empty() {
        text.push_str(&format!(" {:?}", guest.dietary));
    }
    text
}
