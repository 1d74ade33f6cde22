//! What a store must do. The rules live in `domain`; a store only keeps what they decide, once.

use std::collections::BTreeMap;

use crate::{
    Claim, Claimed, DeliveryReport, Entry, EntryStatus, FirstAttempt, GuestList, GuestQuery, NewEntry, OutboxCounts,
    Settlement, Statistics,
};
use async_trait::async_trait;
use chrono::{DateTime, Utc};
use domain::{
    activity::Activity,
    address::{Address, Channel},
    conversation::{Ask, Conversation},
    model::{Event, EventId, Group, GroupKey, Guest, GuestId, Version},
    schedule::Reach,
};

/// Why a store could not do what it was asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// Cannot be reached or opened at the moment; trying again may help.
    #[error("the store cannot be reached: {0}")]
    Unavailable(String),
    /// Another program held the store for longer than five seconds.
    #[error(
        "the store is busy: another program has been writing to it for more than 5 s. Try again; if it stays so, look for a second copy or a backup program holding the file"
    )]
    Busy,
    /// Cannot be used as it is configured: not writable, wrong place, from a newer version.
    #[error("{0}")]
    Unusable(String),
    /// One stored thing is damaged; only operations that touch it fail.
    #[error("damaged: {0}")]
    Damaged(String),
}

impl StoreError {
    /// Counts it for whoever keeps the program running; `during` says what could not be done.
    pub fn count(&self, during: &'static str) {
        let kind = match self {
            Self::Unavailable(_) => "unavailable",
            Self::Busy => "busy",
            Self::Unusable(_) => "unusable",
            Self::Damaged(_) => "damaged",
        };
        metrics::counter!("convive_store_errors_total", "kind" => kind, "during" => during).increment(1);
    }
}

/// `Result` of a store.
pub type Result<T> = std::result::Result<T, StoreError>;

/// A code as it was typed: as it stands, and as a key (upper case, no separators).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypedCode {
    pub exact: String,
    pub key: String,
}

/// What the intake needs to know before a step.
#[derive(Debug, Clone)]
pub struct LoadRequest {
    pub address: Address,
    /// Readings of the text as a code; looked up exactly first, then by key if that names one guest. The code that the
    /// conversation awaits a last name for is looked up too, as one more at the end, unless it is among them.
    pub codes: Vec<TypedCode>,
    /// Failures to log in (over all addresses) are counted from then on; only asked when there is a code to look up.
    pub failures_since: DateTime<Utc>,
}

impl TypedCode {
    /// A code as somebody typed it.
    #[must_use]
    pub fn new(code: &str) -> Self {
        Self { exact: code.to_owned(), key: domain::code::key(code) }
    }
}

impl LoadRequest {
    /// All codes to look up, where this is the conversation.
    #[must_use]
    pub fn codes_for(&self, conversation: &Conversation) -> Vec<TypedCode> {
        let mut codes = self.codes.clone();
        if let Some(Ask::LastName { code }) = &conversation.dialogue.open
            && codes.iter().all(|known| known.exact != *code)
        {
            codes.push(TypedCode::new(code));
        }
        codes
    }
}

/// A guest whom a typed code names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// Index into [`LoadRequest::codes_for`] the conversation.
    pub code: usize,
    pub guest: GuestId,
    pub group: Group,
}

/// One consistent look at everything a step may need.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// As stored, or new (version 0).
    pub conversation: Conversation,
    /// The guests of all its logins, in their order; deleted ones are absent.
    pub logins: Vec<Guest>,
    /// The active guest's group, unless the guest is gone.
    pub group: Option<Group>,
    /// The groups of the other logins, each once, by key.
    pub other_groups: Vec<Group>,
    pub candidates: Vec<Candidate>,
    /// The events of all guests above.
    pub events: BTreeMap<EventId, Event>,
    /// When an attempt to send the open question was first recorded.
    pub question_attempted_at: Option<DateTime<Utc>>,
    /// Failures over all addresses, counted up to [`domain::lockout::FAILURES_A_MINUTE_EVERYWHERE`].
    pub recent_failures: u32,
    /// The links of everybody in the groups above, and of the hosts below, where the store can bring them in the same
    /// look; `None` where [`Store::links`] is as good.
    pub links: Option<Vec<Link>>,
    /// The event whose hosts' links are among `links` too, and these hosts; `None` where
    /// [`Store::links_of_hosts`] is as good. Only looked for where the answer to the open question is for them.
    pub hosts: Option<(EventId, Vec<GuestId>)>,
}

/// A guest with the group and the event that their answer rests on.
#[derive(Debug, Clone, PartialEq)]
pub struct GuestParty {
    pub guest: GuestId,
    /// Holds the guest.
    pub group: Group,
    pub event: Event,
}

/// Everything that one decision changes, written together or not at all.
#[derive(Debug, Clone, Default)]
pub struct Commit {
    pub at: DateTime<Utc>,
    /// The provider's id of the message this answers; a second commit with it is a [`Committed::Duplicate`].
    pub key: Option<String>,
    /// What must happen once, beside that: where one of these keys is there already, the commit is a
    /// [`Committed::Duplicate`] too. They are remembered, and forgotten, like [`Commit::key`].
    pub once: Vec<String>,
    /// How far recurring jobs get with this commit; `Stale` where one is somewhere else by now.
    pub progress: Vec<Progress>,
    /// As they shall be stored; `version` is the one the decision rests on, the store raises it.
    pub conversations: Vec<Conversation>,
    /// The versions that the decision rests on.
    pub groups: Vec<GroupRests>,
    pub guests: Vec<GuestChange>,
    pub event: Option<EventChange>,
    pub activity: Vec<Activity>,
    pub outbox: Vec<NewEntry>,
    /// A login failed here: counts towards [`Loaded::recent_failures`].
    pub login_failed: bool,
}

/// A recurring job gets on: up to when its work is done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// Names the job, like `reminders/harbour-supper`.
    pub job: String,
    /// How far it was when the decision was made; `None` before it ever ran.
    pub from: Option<DateTime<Utc>>,
    pub to: DateTime<Utc>,
}

/// A group's version that a decision rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupRests {
    pub key: GroupKey,
    pub version: Version,
    /// Whether the commit changes something that counts (an answer, a name, a size, who belongs to it).
    pub raise: bool,
}

/// A change of a guest record. The group's version guards answers; the record's own guards the rest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GuestChange {
    /// `version` is ignored.
    Insert(Guest),
    /// `version` is the one the decision rests on, the store raises it. `last_login` and `last_access` are left alone.
    Update(Guest),
    /// Deletes the record and its logins; with it goes what [`Store::erase`] does not need to look for.
    Delete { id: GuestId, version: Version },
}

/// A change of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EventChange {
    Insert(Event),
    /// `version` is the one the decision rests on, the store raises it.
    Update(Event),
}

/// What became of a commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Committed {
    /// Written durably.
    Done,
    /// Something that the decision rests on has changed: load and decide again.
    Stale,
    /// The key was already there: the message was handled before. Nothing was written.
    Duplicate,
    /// A code, event id or outbox id that must be unique is taken. Nothing was written.
    Taken,
}

/// Where a guest can be written to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    pub guest: GuestId,
    pub address: Address,
    pub last_used: Option<DateTime<Utc>>,
    pub muted: bool,
    pub opted_out: bool,
    pub unreachable: bool,
    pub locale: Option<String>,
}

/// A use of the program by a guest, recorded off the message's path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Access {
    pub guest: GuestId,
    pub at: DateTime<Utc>,
    pub login: bool,
}

/// A page of a listing: everything after `after`, at most `limit`.
#[derive(Debug, Clone)]
pub struct Page<K> {
    pub after: Option<K>,
    pub limit: u32,
}

/// What a store keeps, and how it is asked.
///
/// Every acknowledged write is durable. All methods may be called by any number of processes at once.
#[async_trait]
pub trait Store: Send + Sync + 'static {
    // One message.

    /// One consistent look at what a step needs.
    async fn load(&self, request: &LoadRequest) -> Result<Loaded>;
    /// Writes a decision, if nothing that it rests on has changed. Where it opts a conversation out, what waits
    /// for that address is dropped, except what this commit adds (the confirmation of the opt-out itself); what is on
    /// its way is dropped too, once its attempt is over and has not succeeded.
    async fn commit(&self, commit: Commit) -> Result<Committed>;
    /// The addresses at which these guests are logged in, in no order. (Opted-out ones included.)
    async fn links(&self, guests: &[GuestId]) -> Result<Vec<Link>>;
    /// The links of an event's hosts, in no order.
    async fn links_of_hosts(&self, event: &EventId) -> Result<Vec<Link>>;
    /// How these addresses may be used; without those of which nothing is known, in no order.
    async fn reaches(&self, addresses: &[Address]) -> Result<Vec<Reach>>;
    /// The hosts of an event.
    async fn hosts(&self, event: &EventId) -> Result<Vec<Guest>>;
    /// Records uses of the program: `last_login` and `last_access` never move backwards.
    async fn record_accesses(&self, accesses: &[Access]) -> Result<()>;

    // Delivery.

    /// Leases due entries: of each address the first open reply, replies before initiated messages. An expired
    /// lease is due again, in doubt. Opted-out and (for initiated messages that obey it) muted addresses are
    /// the caller's business.
    async fn claim(&self, claim: Claim) -> Result<Vec<Claimed>>;
    /// Records an initiated message's first attempt. `Stale`: the lease is lost or the conversation changed.
    async fn begin_attempt(&self, attempt: FirstAttempt) -> Result<Committed>;
    /// Records how attempts ended. Returns those that others keep from being recorded at the moment: to be given again.
    async fn settle(&self, settlements: Vec<Settlement>) -> Result<Vec<Settlement>>;
    /// Records a provider's word on a message; kept for when its message is settled, if that is still to come. A
    /// message that was sent and did not arrive has failed from then on, and was due when that was reported.
    async fn report_delivery(&self, report: DeliveryReport) -> Result<()>;
    /// When the next entry of these channels is due (a lease's end included); `None` when none is open.
    async fn next_due(&self, channels: &[Channel]) -> Result<Option<DateTime<Utc>>>;
    /// Of these provider ids, those that some entry already has.
    async fn known_provider_ids(&self, ids: &[String]) -> Result<Vec<String>>;
    async fn outbox_counts(&self) -> Result<OutboxCounts>;
    /// The same of the entries whose ids begin so.
    async fn outbox_counts_of(&self, prefix: &str) -> Result<OutboxCounts>;
    /// At most `limit` of these, of this status, by id.
    async fn entries_of(&self, prefix: &str, status: EntryStatus, limit: u32) -> Result<Vec<Entry>>;
    /// Initiated messages about an event that are still to be delivered, or went out at or after `since`; in no order.
    async fn initiated_since(&self, event: &EventId, since: DateTime<Utc>) -> Result<Vec<Entry>>;
    /// All entries to an address, replies in their order, then initiated ones in theirs.
    async fn entries_to(&self, address: &Address) -> Result<Vec<Entry>>;
    /// Entries by status, oldest first, paged by id; none after an entry that is gone.
    async fn entries(&self, status: EntryStatus, page: Page<String>) -> Result<Vec<Entry>>;

    // Hosts.

    /// All events, by id.
    async fn events(&self) -> Result<Vec<Event>>;
    async fn event(&self, id: &EventId) -> Result<Option<Event>>;
    async fn conversation(&self, address: &Address) -> Result<Option<Conversation>>;
    async fn guest(&self, id: GuestId) -> Result<Option<Guest>>;
    /// The guest whom a code names: exactly, else by key if that names one guest.
    async fn guest_by_code(&self, code: &TypedCode) -> Result<Option<Guest>>;
    /// Guests of an event by creation, then id; a page starts after that guest. Where it has been deleted since, the
    /// page starts at the second in its id: it may show some again, and leaves none out.
    async fn guests(&self, event: &EventId, page: Page<GuestId>) -> Result<Vec<Guest>>;
    /// A page of the guest list as a host wants to see it. Reads no more than the event's guests.
    async fn find_guests(&self, query: &GuestQuery) -> Result<GuestList>;
    /// An event in numbers, counted now; zeros where there is none.
    async fn statistics(&self, event: &EventId) -> Result<Statistics>;
    /// The groups with these keys, members included; unknown keys give an empty group of version 0.
    async fn groups(&self, keys: &[GroupKey]) -> Result<Vec<Group>>;
    /// A guest with group and event, in one consistent look; `None` where guest or event are gone.
    async fn party(&self, guest: GuestId) -> Result<Option<GuestParty>>;
    /// Activity of an event, oldest first, from `since` on.
    async fn activity(&self, event: &EventId, since: DateTime<Utc>) -> Result<Vec<Activity>>;
    /// Removes a person everywhere: record, logins, conversations that served only them, messages to and about
    /// them, activity by and about them, and their name where others' records mention them. Raises the group's
    /// version. `false` when there is no such guest. Looks at everything, so it may take seconds in a large store.
    async fn erase(&self, guest: GuestId, at: DateTime<Utc>) -> Result<bool>;

    /// How far a recurring job is; `None` before it ever ran.
    async fn progress(&self, job: &str) -> Result<Option<DateTime<Utc>>>;
    /// Of these keys, those that a commit had as its key, or among what happens once.
    async fn known_keys(&self, keys: &[String]) -> Result<Vec<String>>;

    // Keeping house.

    /// Deletes what is only kept for a while: processed keys and finished entries older than `before`, and
    /// counts of failures. Returns how many records went.
    async fn expire(&self, before: DateTime<Utc>) -> Result<u64>;
    /// Deletes conversations (with their entries) that only serve guests of this event, and its activity. Of one that
    /// opted out, that alone stays: it holds for the next event too. Returns how many conversations it forgot.
    async fn forget_event(&self, event: &EventId) -> Result<u64>;
    /// Whether a commit would go through right now.
    async fn ready(&self) -> Result<()>;
}
