//! What a store must do. The rules live in `domain`; a store only keeps what they decide, once.

use std::collections::BTreeMap;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use domain::{
    activity::Activity,
    address::{Address, Channel},
    conversation::{Ask, Conversation},
    message::Attachment,
    model::{Event, EventId, Group, GroupKey, Guest, GuestId, Version},
    notice::{Hours, Notice},
};
use serde::{Deserialize, Serialize};

use crate::{GuestList, GuestQuery, Statistics};

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

/// A message decided on.
#[derive(Debug, Clone, PartialEq)]
pub struct NewEntry {
    /// Deterministic, so that the same decision cannot be stored twice.
    pub id: String,
    pub address: Address,
    pub content: Content,
    /// Number of the question in it, if any.
    pub question: Option<u64>,
    /// May be dropped once a newer question to that address is committed.
    pub only_asks: bool,
}

/// A reply (rendered) or an initiated message (rendered when first claimed).
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    /// Answers an inbound. Replies of one address are sent by `(version, place)`: the conversation's version
    /// after the commit, and the place in the commit.
    Reply { version: Version, place: u32, text: Rendered },
    /// Sent by the time of the decision, then id.
    Initiated(Initiated),
}

/// A message in its channel's form.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Rendered {
    /// HTML (the subset of `domain::show`) for addresses with buttons, plain text for texts.
    pub text: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<RenderedChoice>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attachment: Option<Attachment>,
    /// SMS segments the text costs; 0 where that means nothing.
    #[serde(default)]
    pub segments: u32,
}

/// A choice in words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RenderedChoice {
    pub id: String,
    pub label: String,
}

/// A message that Convive starts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Initiated {
    pub event: EventId,
    pub notice: Notice,
    /// Whether it is held back where the address is muted.
    pub obeys_mute: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hours: Option<Hours>,
    /// Not worth sending from then on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_after: Option<DateTime<Utc>>,
    pub decided_at: DateTime<Utc>,
}

/// What a courier asks for.
#[derive(Debug, Clone)]
pub struct Claim {
    pub now: DateTime<Utc>,
    /// This courier. A lease is this name and its end.
    pub by: String,
    pub lease_until: DateTime<Utc>,
    /// Only addresses of these channels.
    pub channels: Vec<Channel>,
    /// At most this many replies. An attempt is recorded with the claim.
    pub replies: u32,
    /// At most this many initiated messages. Those never rendered are leased without an attempt.
    pub initiated: u32,
}

/// An entry that this courier may send now.
#[derive(Debug, Clone, PartialEq)]
pub struct Claimed {
    pub id: String,
    pub address: Address,
    pub work: Work,
    pub question: Option<u64>,
    /// Attempts recorded so far, this one included where it was.
    pub attempts: u32,
    /// Attempts of which nobody knows how they ended (lost leases included).
    pub ambiguous: u32,
    /// The last attempt ended in a timeout or a lost lease: the provider may have the message already.
    pub in_doubt: bool,
    /// When the first attempt was recorded.
    pub first_attempt_at: Option<DateTime<Utc>>,
    pub created_at: DateTime<Utc>,
}

/// What there is to do with a claimed entry.
#[derive(Debug, Clone, PartialEq)]
pub enum Work {
    /// Send it.
    Send { text: Rendered, initiated: Option<Initiated> },
    /// Put it into words first, then record the attempt with [`Store::begin_attempt`].
    Render(Initiated),
}

/// An initiated message's first attempt: its words, and what its question changes.
#[derive(Debug, Clone)]
pub struct FirstAttempt {
    pub id: String,
    pub by: String,
    pub at: DateTime<Utc>,
    pub text: Rendered,
    pub question: Option<u64>,
    /// The conversation whose open question this becomes; as in [`Commit::conversations`].
    pub conversation: Option<Conversation>,
}

/// How an attempt ended. Ignored where the lease is no longer `by`'s.
#[derive(Debug, Clone, PartialEq)]
pub struct Settlement {
    pub id: String,
    pub by: String,
    pub at: DateTime<Utc>,
    pub outcome: Outcome,
}

/// The outcomes of an attempt.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// The provider took it.
    Sent { provider_id: Option<String> },
    /// Certainly not sent; try again then. `hold` is set for a 429: nothing goes to that address until then,
    /// and where another address of the channel is held already, no initiated message of the channel either.
    Retry { at: DateTime<Utc>, reason: String, hold: bool },
    /// May have been sent; find out or try again then.
    InDoubt { at: DateTime<Utc>, reason: String },
    /// Back to waiting, unsent and without counting an attempt (window, pacing, an open question). A doubt stays.
    Postponed { until: DateTime<Utc> },
    /// Will never be sent.
    Failed { reason: String },
    /// Tried often enough, and nobody knows.
    Unknown { reason: String },
    /// Would say nothing true any more, or nobody may be written to there.
    Dropped { reason: String },
    /// The chat has a new address: the entry, what waits for the old one and its conversation move there. Where
    /// there is a conversation already, it gains the logins, and what was refused at the old address stays refused.
    Moved { to: Address },
    /// Nobody is there (blocked, deactivated): failed, and the conversation (a new one where there was none) is
    /// marked unreachable, which raises its version.
    Unreachable { reason: String },
    /// The person opted out at the provider: failed, the conversation is marked opted out, and what else waits
    /// for the address is dropped. (So it is for [`DeliveryReport::opted_out`].)
    OptedOut { reason: String },
}

/// A provider's later word on a message it took. May come in any order, and before [`Outcome::Sent`] is settled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveryReport {
    pub provider_id: String,
    pub at: DateTime<Utc>,
    pub status: DeliveryStatus,
    /// The provider's error code, if any.
    pub error: Option<String>,
    /// The provider says that the person at this address opted out. Only a report that changes something counts:
    /// a repeated one does not undo a START.
    pub opted_out: Option<Address>,
}

/// Ranked: a later word of lower rank changes nothing, and a final one is never replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DeliveryStatus {
    Accepted,
    Queued,
    Sending,
    Sent,
    Delivered,
    Undelivered,
    Failed,
    Read,
}

impl DeliveryStatus {
    const ALL: [Self; 8] = [
        Self::Accepted,
        Self::Queued,
        Self::Sending,
        Self::Sent,
        Self::Delivered,
        Self::Undelivered,
        Self::Failed,
        Self::Read,
    ];

    /// The word that is stored and shown.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Queued => "queued",
            Self::Sending => "sending",
            Self::Sent => "sent",
            Self::Delivered => "delivered",
            Self::Undelivered => "undelivered",
            Self::Failed => "failed",
            Self::Read => "read",
        }
    }

    /// The status that [`DeliveryStatus::as_str`] wrote.
    #[must_use]
    pub fn from_stored(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == text)
    }

    /// Nothing more will come (`Delivered` may still become `Read`).
    #[must_use]
    pub fn is_final(self) -> bool {
        self >= Self::Delivered
    }

    /// It did not arrive: a message that was sent has failed after all.
    #[must_use]
    pub fn is_failure(self) -> bool {
        matches!(self, Self::Undelivered | Self::Failed)
    }

    /// Whether a report of `new` changes a stored `self`.
    #[must_use]
    pub fn gives_way_to(self, new: Self) -> bool {
        if self.is_final() { self == Self::Delivered && new == Self::Read } else { new > self }
    }
}

/// Where an entry stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EntryStatus {
    Pending,
    Leased,
    Sent,
    Failed,
    Unknown,
    Dropped,
}

impl EntryStatus {
    /// All there are.
    pub const ALL: [Self; 6] = [Self::Pending, Self::Leased, Self::Sent, Self::Failed, Self::Unknown, Self::Dropped];

    /// The word that is stored and shown.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Leased => "leased",
            Self::Sent => "sent",
            Self::Failed => "failed",
            Self::Unknown => "unknown",
            Self::Dropped => "dropped",
        }
    }

    /// The status that [`EntryStatus::as_str`] wrote.
    #[must_use]
    pub fn from_stored(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == text)
    }
}

/// An entry as the host may see it.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    pub id: String,
    pub address: Address,
    pub status: EntryStatus,
    pub is_reply: bool,
    pub question: Option<u64>,
    pub only_asks: bool,
    pub text: Option<Rendered>,
    pub initiated: Option<Initiated>,
    pub attempts: u32,
    pub due_at: DateTime<Utc>,
    pub created_at: DateTime<Utc>,
    pub first_attempt_at: Option<DateTime<Utc>>,
    pub provider_id: Option<String>,
    pub delivery: Option<DeliveryStatus>,
    /// Why it failed, waits or was dropped; the provider's error code of a report.
    pub reason: Option<String>,
}

/// Counts by status, for the host, for metrics and for tests.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct OutboxCounts {
    pub pending: u64,
    pub leased: u64,
    pub sent: u64,
    pub failed: u64,
    pub unknown: u64,
    pub dropped: u64,
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
    /// Records how attempts ended.
    async fn settle(&self, settlements: Vec<Settlement>) -> Result<()>;
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
