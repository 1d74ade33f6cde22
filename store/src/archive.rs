//! Everything that a store keeps, as records: to move it from one store to another.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use domain::{
    activity::Activity,
    address::Address,
    conversation::Conversation,
    model::{Event, GroupKey, Guest, Version},
};

use crate::{DeliveryStatus, EntryStatus, Initiated, Page, Rendered, Result, StoreError};

/// Records moved at a time.
const PAGE: u32 = 500;

/// What a store is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordKind {
    Events,
    Guests,
    Groups,
    Conversations,
    Activity,
    Inbox,
    Outbox,
    Holds,
    Reports,
    Jobs,
}

impl RecordKind {
    /// All there are. (Counts of failed logins are over within a minute and not moved.)
    pub const ALL: [Self; 10] = [
        Self::Events,
        Self::Guests,
        Self::Groups,
        Self::Conversations,
        Self::Activity,
        Self::Inbox,
        Self::Outbox,
        Self::Holds,
        Self::Reports,
        Self::Jobs,
    ];

    /// What people call them.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Events => "events",
            Self::Guests => "guests",
            Self::Groups => "groups",
            Self::Conversations => "conversations",
            Self::Activity => "activity",
            Self::Inbox => "keys of handled messages",
            Self::Outbox => "messages to send and sent",
            Self::Holds => "holds",
            Self::Reports => "early delivery reports",
            Self::Jobs => "recurring jobs",
        }
    }
}

/// One record, wholly as it is kept.
#[derive(Debug, Clone, PartialEq)]
pub enum Record {
    Event(Box<Event>),
    Guest(Box<Guest>),
    Group {
        key: GroupKey,
        version: Version,
    },
    Conversation {
        conversation: Box<Conversation>,
        /// The newest question that was tried to be sent there, and when first.
        attempted: Option<(u64, DateTime<Utc>)>,
    },
    Activity(Box<Activity>),
    /// The key of a message that was handled.
    Key {
        key: String,
        at: DateTime<Utc>,
    },
    Entry(Box<EntryRecord>),
    /// Until when nothing may be sent to an address, or no initiated message of a channel.
    Hold {
        lane: String,
        until: DateTime<Utc>,
    },
    /// A delivery report whose message is not known yet.
    Report {
        provider_id: String,
        at: DateTime<Utc>,
        status: DeliveryStatus,
        error: Option<String>,
    },
    /// How far a recurring job is.
    Job {
        job: String,
        reached: DateTime<Utc>,
    },
}

/// An entry of the outbox, wholly as it is kept.
#[derive(Debug, Clone, PartialEq)]
pub struct EntryRecord {
    pub id: String,
    pub address: Address,
    pub is_reply: bool,
    /// Order within the address: version and place of a reply, time of decision (in milliseconds) of an initiated
    /// message.
    pub order: (i64, i64),
    pub question: Option<u64>,
    pub only_asks: bool,
    pub text: Option<Rendered>,
    pub initiated: Option<Initiated>,
    pub status: EntryStatus,
    pub due_at: DateTime<Utc>,
    pub leased_by: Option<String>,
    pub attempts: u32,
    pub ambiguous: u32,
    pub in_doubt: bool,
    /// Was on its way when the person opted out: not tried again.
    pub withdrawn: bool,
    pub created_at: DateTime<Utc>,
    pub first_attempt_at: Option<DateTime<Utc>>,
    pub finished_at: Option<DateTime<Utc>>,
    pub provider_id: Option<String>,
    pub delivery: Option<DeliveryStatus>,
    pub reason: Option<String>,
}

/// A store that can be read and written whole. Nobody else may write to it meanwhile.
#[async_trait]
pub trait Archive: Send + Sync {
    /// Whether nothing at all is kept.
    async fn is_empty(&self) -> Result<bool>;
    async fn count(&self, kind: RecordKind) -> Result<u64>;
    /// Records of a kind, each with what a next page starts after. In an order that is the same in every store: by
    /// id, key or address; activity by event, then time, then as it was recorded.
    async fn dump(&self, kind: RecordKind, page: Page<String>) -> Result<Vec<(String, Record)>>;
    /// Keeps records as they are, in a store that has none with their ids yet.
    async fn restore(&self, records: Vec<Record>) -> Result<()>;
}

/// How far copying has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    Copied { kind: RecordKind, done: u64, of: u64 },
    Compared { kind: RecordKind, count: u64 },
}

/// Why a copy was not made, or is not to be relied on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CopyError {
    #[error(transparent)]
    Store(#[from] StoreError),
    /// It was left as it is.
    #[error("the store to copy to is not empty; name an empty one, or empty it where a copy was broken off")]
    NotEmpty,
    #[error(
        "the copy differs from the original in its {}. Was something else writing to one of them? Stop every Convive, empty the copy and copy again", .0.as_str()
    )]
    Differs(RecordKind),
}

/// Copies everything to an empty store and compares the two at the end.
///
/// # Errors
/// When the target is not empty, when one of them fails, and when the copy differs in the end.
pub async fn copy(
    from: &dyn Archive,
    to: &dyn Archive,
    tell: &mut (dyn FnMut(Progress) + Send),
) -> std::result::Result<(), CopyError> {
    if !to.is_empty().await? {
        return Err(CopyError::NotEmpty);
    }
    for kind in RecordKind::ALL {
        let of = from.count(kind).await?;
        let (mut done, mut after) = (0, None);
        loop {
            let page = from.dump(kind, Page { after: after.take(), limit: PAGE }).await?;
            let Some((last, _)) = page.last() else { break };
            after = Some(last.clone());
            done += page.len() as u64;
            to.restore(page.into_iter().map(|(_, record)| record).collect()).await?;
            tell(Progress::Copied { kind, done, of });
        }
    }
    for kind in RecordKind::ALL {
        let count = compare(from, to, kind).await?;
        tell(Progress::Compared { kind, count });
    }
    Ok(())
}

/// How many there are, all alike.
async fn compare(from: &dyn Archive, to: &dyn Archive, kind: RecordKind) -> std::result::Result<u64, CopyError> {
    if from.count(kind).await? != to.count(kind).await? {
        return Err(CopyError::Differs(kind));
    }
    let (mut count, mut after) = (0, (None, None));
    loop {
        let ours = from.dump(kind, Page { after: after.0.take(), limit: PAGE }).await?;
        let theirs = to.dump(kind, Page { after: after.1.take(), limit: PAGE }).await?;
        let alike = ours.len() == theirs.len() && ours.iter().zip(&theirs).all(|(ours, theirs)| ours.1 == theirs.1);
        if !alike {
            return Err(CopyError::Differs(kind));
        }
        let (Some((ours_last, _)), Some((theirs_last, _))) = (ours.last(), theirs.last()) else { return Ok(count) };
        count += ours.len() as u64;
        after = (Some(ours_last.clone()), Some(theirs_last.clone()));
    }
}
