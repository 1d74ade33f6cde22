//! What the courier needs of a channel.

use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
use domain::address::{Address, Channel};
use store::Rendered;

/// One message on its way.
#[derive(Debug, Clone)]
pub struct Parcel<'a> {
    /// The outbox entry's id, for providers with idempotency keys.
    pub id: &'a str,
    pub address: &'a Address,
    pub text: &'a Rendered,
    /// When the first attempt to send it was recorded.
    pub first_attempt_at: DateTime<Utc>,
}

/// What may be done when nobody knows whether a message was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repeats {
    /// Send it again with the same id: the provider recognises it.
    Idempotent,
    /// Ask whether it exists, then send it again if not (Twilio).
    AskFirst,
    /// One more attempt; then it is unknown (Telegram).
    Once,
}

/// How one attempt ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SendOutcome {
    /// The provider took it.
    Sent { provider_id: Option<String> },
    /// 429: certainly not sent, and nothing may be sent to that address for so long.
    TooMany { retry_after: TimeDelta },
    /// Certainly not sent; worth trying again (connection refused, 5xx).
    NotSent { reason: String },
    /// Perhaps sent (a timeout, a connection that broke after the request).
    InDoubt { reason: String },
    /// Refused for good, this message alone.
    Failed { reason: String },
    /// Nobody is there: blocked, deactivated, chat not found, number out of use.
    Unreachable { reason: String },
    /// The person opted out at the provider (21610).
    OptedOut { reason: String },
    /// The chat has a new address.
    Moved { to: Address },
    /// Our account is refused (wrong token, wrong sender): nothing on this channel will go until the host
    /// changes something. The message is not at fault and waits.
    AccountRefused { reason: String },
}

/// What the provider says of a message in doubt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LookUp {
    /// These messages could be it (same text, same person, sent since the first attempt), oldest first.
    Found {
        provider_ids: Vec<String>,
    },
    Absent,
    /// The question could not be answered now.
    CannotTell {
        reason: String,
    },
}

/// A channel as the courier sees it.
#[async_trait]
pub trait Provider: Send + Sync + 'static {
    /// Whose addresses it serves.
    fn channel(&self) -> Channel;
    /// What to do in doubt.
    fn repeats(&self) -> Repeats;
    /// Tries once. Never waits for longer than its request timeout, never retries by itself (except a
    /// refused markup once as plain text).
    async fn send(&self, parcel: &Parcel<'_>) -> SendOutcome;
    /// Whether a message in doubt exists; only asked where [`Repeats::AskFirst`].
    async fn look_up(&self, parcel: &Parcel<'_>) -> LookUp {
        let _ = parcel;
        LookUp::CannotTell { reason: "this channel cannot be asked".to_owned() }
    }
}
