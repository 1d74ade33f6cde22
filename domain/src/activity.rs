//! Who changed what, from what to what, when, through which channel. Append only.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::{
    address::Channel,
    model::{EventId, Guest, GuestId, Status},
};

/// One entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Activity {
    pub event_id: EventId,
    /// Whom it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guest_id: Option<GuestId>,
    pub at: DateTime<Utc>,
    pub by: Actor,
    pub what: Happening,
}

/// Who did it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Actor {
    /// The guest who spoke; none when the host acted on the command line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guest_id: Option<GuestId>,
    pub channel: Channel,
    /// Acting as host rather than for themselves.
    #[serde(default)]
    pub as_host: bool,
}

/// A record's answer at one moment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AnswerFacts {
    pub status: Status,
    pub num_guests: u32,
    #[serde(default)]
    pub self_coming: bool,
    #[serde(default)]
    pub companions_coming: u32,
    #[serde(default)]
    pub extra_guests: u32,
    #[serde(default)]
    pub dietary: String,
}

impl From<&Guest> for AnswerFacts {
    fn from(guest: &Guest) -> Self {
        Self {
            status: guest.status,
            num_guests: guest.num_guests,
            self_coming: guest.self_coming,
            companions_coming: guest.companions_coming,
            extra_guests: guest.extra_guests,
            dietary: guest.dietary.clone(),
        }
    }
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Happening {
    /// A record's answer changed.
    Answered {
        before: AnswerFacts,
        after: AnswerFacts,
    },
    LoggedIn,
    LoggedOut,
    /// A message left for the host.
    LeftMessage {
        text: String,
    },
    /// "Wrong person": the address was unlinked.
    WrongPerson,
    OptedOut,
    OptedIn,
    Muted,
    Unmuted,
    Blocked,
    Unblocked,
    /// The record was made.
    Created,
    /// Fields of the record were changed by a host (names of the fields, never their values).
    Edited {
        fields: Vec<String>,
    },
    /// A new code; logins made with the old one ended.
    CodeChanged,
    /// The record was deleted.
    Deleted,
}
