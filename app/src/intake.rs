//! The one intake: every message from every channel comes through here.

use std::{
    collections::{BTreeMap, hash_map::DefaultHasher},
    hash::{Hash, Hasher},
    sync::Arc,
};

use chrono::{DateTime, TimeDelta, Utc};
use domain::{
    address::{Address, Channel},
    conversation::{self, Candidate, Context, Policy, RestsOn, Step},
    message::Inbound,
    model::{Event, EventId, Group, GroupKey, Guest},
    schedule::Outreach,
    show, wording,
};
use store::{
    Commit, Committed, Content, EventChange, GroupRests, GuestChange, LoadRequest, Loaded, NewEntry, Rendered,
    RenderedChoice, Store, StoreError, TypedCode,
};
use tokio::sync::{Mutex, Notify};

use crate::{
    AccessRecorder, Clock,
    initiated::{self, KnownLinks, Occasion},
};

/// How often a message is decided anew because something it rests on had changed meanwhile.
const MOST_TRIES: u32 = 50;
/// Messages of one address are decided one after the other, in this process; others only collide by chance.
const LOCKS: usize = 1024;

/// The use cases, over one store and one clock.
#[derive(Clone)]
pub struct App {
    pub store: Arc<dyn Store>,
    pub clock: Arc<dyn Clock>,
    pub policy: Arc<Policy>,
    /// Which ways there are to write to people.
    pub outreach: Arc<Outreach>,
    /// Where the pages are, without a `/` at the end.
    pub site: Option<Arc<str>>,
    /// Told whenever entries were committed to the outbox, so that the courier looks at once.
    pub outbox_filled: Arc<Notify>,
    /// Who used the program, recorded off the message's path.
    pub accesses: AccessRecorder,
    locks: Arc<Vec<Mutex<()>>>,
}

/// What became of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Taken {
    /// Its effect is committed.
    Done,
    /// It had been taken in before; nothing happened now.
    Repeat,
}

/// The message could not be committed: it must be sent again.
#[derive(Debug, thiserror::Error)]
pub enum TakeInError {
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Others kept changing the same things.
    #[error("gave up after too many simultaneous changes of the same conversation or group")]
    Contention,
}

impl App {
    /// Use cases over a store.
    #[must_use]
    pub fn new(store: Arc<dyn Store>, clock: Arc<dyn Clock>, policy: Policy) -> Self {
        Self {
            accesses: AccessRecorder::default(),
            store,
            clock,
            policy: Arc::new(policy),
            outreach: Arc::new(Outreach { channels: SERVED_CHANNELS.to_vec(), texts_from: None, sms_fallback: true }),
            site: None,
            outbox_filled: Arc::new(Notify::new()),
            locks: Arc::new((0..LOCKS).map(|_| Mutex::new(())).collect()),
        }
    }

    /// The same with these ways to write to people.
    #[must_use]
    pub fn reaching(self, outreach: Outreach) -> Self {
        Self { outreach: Arc::new(outreach), ..self }
    }

    /// The same with pages there, at an address without a `/` at the end.
    #[must_use]
    pub fn with_pages_at(self, site: Option<Arc<str>>) -> Self {
        Self { site, ..self }
    }

    /// Takes a message in: loads what the rules need, lets them decide, commits. `Ok` means committed durably.
    ///
    /// # Errors
    /// When the store cannot commit; the message has had no effect then.
    pub async fn take_in(&self, inbound: Inbound) -> Result<Taken, TakeInError> {
        let channel = inbound.from.channel;
        let taken = self.take_in_uncounted(inbound).await;
        let outcome = match &taken {
            Ok(Taken::Done) => "done",
            Ok(Taken::Repeat) => "repeat",
            Err(TakeInError::Contention) => "contention",
            Err(TakeInError::Store(error)) => {
                error.count("taking in");
                "failed"
            }
        };
        metrics::counter!("convive_messages_taken_in_total", "channel" => channel.as_str(), "outcome" => outcome)
            .increment(1);
        taken
    }

    async fn take_in_uncounted(&self, inbound: Inbound) -> Result<Taken, TakeInError> {
        let _turn = self.lock_of(&inbound.from).lock().await;
        for _ in 0..MOST_TRIES {
            let now = self.clock.now();
            let (context, known) = self.context(&inbound, now).await?;
            let step = conversation::step(&context, &inbound, now);
            let access = step.access;
            let commit = self.commit_of(&inbound, step, &context.events, known, now).await?;
            let fills_outbox = !commit.outbox.is_empty();
            match self.store.commit(commit).await? {
                Committed::Done => {
                    if fills_outbox {
                        self.outbox_filled.notify_one();
                    }
                    if let Some((guest, login)) = access {
                        self.accesses.note(guest, now, login);
                    }
                    return Ok(Taken::Done);
                }
                Committed::Duplicate => return Ok(Taken::Repeat),
                Committed::Stale | Committed::Taken => {}
            }
        }
        Err(TakeInError::Contention)
    }

    /// The turn of whatever is decided one after the other.
    pub(crate) fn lock_of(&self, what: &impl Hash) -> &Mutex<()> {
        let mut hasher = DefaultHasher::new();
        what.hash(&mut hasher);
        let index = usize::try_from(hasher.finish() % (LOCKS as u64)).unwrap_or_default();
        &self.locks[index]
    }

    /// Everything the rules may need to know about this message.
    async fn context(&self, inbound: &Inbound, now: DateTime<Utc>) -> Result<(Context, KnownLinks), StoreError> {
        let codes = conversation::codes_to_look_up(inbound, None);
        let loaded = self.load(&inbound.from, &codes, now).await?;
        // The store has looked up the awaited code too.
        let codes = conversation::codes_to_look_up(inbound, Some(&loaded.conversation));
        let known = KnownLinks::of(&loaded);
        let host = self.host_view(inbound, &loaded, now).await?;
        // The message may switch to another login, or the active guest may be gone.
        let mut groups: Vec<Group> = loaded.group.into_iter().chain(loaded.other_groups).collect();
        if let Some(view) = &host {
            let targets = conversation::host_targets(view, inbound, &loaded.conversation);
            let mut keys: Vec<GroupKey> = view
                .facts
                .guests
                .iter()
                .filter(|guest| targets.contains(&guest.id))
                .map(Guest::group_key)
                .filter(|key| groups.iter().all(|group| group.key != *key))
                .collect();
            keys.sort();
            keys.dedup();
            groups.extend(self.store.groups(&keys).await?);
        }
        let candidates = loaded
            .candidates
            .into_iter()
            .filter_map(|candidate| {
                let code = codes.get(candidate.code)?.clone();
                Some(Candidate { code, guest: candidate.guest, group: candidate.group })
            })
            .collect();
        let context = Context {
            conversation: loaded.conversation,
            logins: loaded.logins,
            groups,
            candidates,
            events: loaded.events,
            question_attempted_at: loaded.question_attempted_at,
            recent_failures: loaded.recent_failures,
            host,
            policy: (*self.policy).clone(),
        };
        Ok((context, known))
    }

    async fn load(&self, address: &Address, codes: &[String], now: DateTime<Utc>) -> Result<Loaded, StoreError> {
        let codes = codes.iter().map(|code| typed_code(code)).collect();
        let request = LoadRequest { address: address.clone(), codes, failures_since: now - TimeDelta::minutes(1) };
        self.store.load(&request).await
    }

    async fn commit_of(
        &self,
        inbound: &Inbound,
        step: Step,
        events: &BTreeMap<EventId, Event>,
        known: KnownLinks,
        now: DateTime<Utc>,
    ) -> Result<Commit, StoreError> {
        let mut outbox = replies(inbound, &step);
        let occasion = Occasion { key: &inbound.key, speaker: Some(&inbound.from), at: now, known };
        for (index, decided) in step.notices.iter().enumerate() {
            if let Some(event) = events.get(&decided.event) {
                outbox.extend(initiated::entries(self, decided, index, event, &occasion).await?);
            }
        }
        if !step.orders.is_empty() {
            for event in self.store.events().await? {
                let orders = step.orders.iter().filter(|order| order.event == event.id);
                outbox.extend(orders.map(|order| initiated::ordered(order, &event, &occasion)));
            }
        }
        let progress = match &step.event {
            Some(after) => match events.get(&after.id) {
                Some(before) => self.reminders_anew(before, after, now).await?,
                None => Vec::new(),
            },
            None => Vec::new(),
        };
        Ok(Commit {
            at: now,
            key: Some(inbound.key.clone()),
            once: step.once,
            progress,
            conversations: vec![step.conversation],
            groups: step.groups.into_iter().map(group_rests).collect(),
            guests: step.guests.into_iter().map(GuestChange::Update).collect(),
            event: step.event.map(EventChange::Update),
            activity: step.activity,
            outbox,
            login_failed: step.login_failed,
        })
    }
}

/// A code as the store looks it up.
#[must_use]
pub fn typed_code(code: &str) -> TypedCode {
    TypedCode::new(code)
}

pub(crate) fn group_rests(rests: RestsOn) -> GroupRests {
    GroupRests { key: rests.key, version: rests.version, raise: rests.raise }
}

/// The step's replies in words, in their order.
fn replies(inbound: &Inbound, step: &Step) -> Vec<NewEntry> {
    let language = wording::language(&step.locale);
    let style = inbound.from.style();
    let version = step.conversation.version + 1;
    let parts = step.says.iter().flat_map(|message| {
        let shown = show::show(message, language, style);
        let last = shown.len().saturating_sub(1);
        shown.into_iter().enumerate().map(move |(index, shown)| (message, index == last, shown))
    });
    (0..)
        .zip(parts)
        .map(|(place, (message, is_last, shown))| NewEntry {
            id: format!("{}/{place}", inbound.key),
            address: inbound.from.clone(),
            question: message.question.as_ref().filter(|_| is_last).map(|question| question.number),
            only_asks: message.only_asks,
            content: Content::Reply { version, place, text: rendered(shown) },
        })
        .collect()
}

pub(crate) fn rendered(shown: show::Shown) -> Rendered {
    Rendered {
        text: shown.text,
        choices: shown.choices.into_iter().map(|(id, label)| RenderedChoice { id, label }).collect(),
        attachment: shown.attachment,
        segments: shown.segments,
    }
}

/// The channels whose entries `serve` delivers; console addresses belong to the terminal chat.
pub const SERVED_CHANNELS: [Channel; 2] = [Channel::Telegram, Channel::Sms];
