//! Entries of the outbox: what is to be delivered, how attempts end, and where each stands.

use chrono::{DateTime, Utc};
use domain::{
    address::{Address, Channel},
    conversation::Conversation,
    message::Attachment,
    model::{EventId, Version},
    notice::{Hours, Notice},
};
use serde::{Deserialize, Serialize};

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
