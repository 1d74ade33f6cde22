//! The conversation with a guest: [`step`] takes what is known and one message, and says what follows.
//!
//! Total: any message in any state yields an answer. The files, in the order in which a message meets them:
//! `turn` (what kind of message it is), `keywords` (STOP and its kin), `entrance` (code and last name), `anytime`
//! (menu, status, ...), `answers` (the open question: a choice, a number, words) and `draft_answers` (what that does
//! to the answer being given), `sentence` and `reading` (what sentences say), `walk` (what is asked next), `questions`
//! (how it is asked), `saving` (what a confirmed answer changes), `aside` (questions beside the walk), `summary`.
//! `opening` is how Convive begins to talk: reminders and invitations. `host` is what a host can do.

mod answers;
mod anytime;
mod aside;
mod draft_answers;
mod entrance;
pub(crate) mod host;
mod keywords;
mod opening;
mod questions;
mod reading;
mod saving;
mod sentence;
mod state;
pub mod summary;
mod turn;
mod walk;

#[cfg(test)]
pub(crate) mod tests;

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};

pub use self::{
    entrance::codes_to_look_up,
    host::{HostRequest, HostTask, HostView, Listed, MarkAs, OneTimeLink, Wanted, host_request, host_targets},
    opening::{Opening, invite, remind},
    state::*,
    summary::Party,
};
use crate::{
    activity::Activity,
    message::{Inbound, Outgoing},
    model::{Event, EventId, Group, GroupKey, Guest, GuestId, Version},
    notice::{Addressed, Decided},
};

/// How this installation behaves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    /// The SMS provider answers texts that are exactly one STOP, START or HELP word.
    pub provider_keywords: bool,
    /// Where event ids are unique, for the calendar file: `rsvp.example.org`.
    pub calendar_domain: String,
}

/// A guest whom a code in the message names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// The code as [`codes_to_look_up`] gave it.
    pub code: String,
    pub guest: GuestId,
    pub group: Group,
}

/// Everything a step may need to know.
#[derive(Debug, Clone)]
pub struct Context {
    pub conversation: Conversation,
    /// The guests of all logins that still exist, in their order.
    pub logins: Vec<Guest>,
    /// The active guest's group; also those of the other logins where the message may switch to them.
    pub groups: Vec<Group>,
    pub candidates: Vec<Candidate>,
    /// The events of all guests above.
    pub events: BTreeMap<EventId, Event>,
    /// When an attempt to send the open question was first recorded.
    pub question_attempted_at: Option<DateTime<Utc>>,
    /// Failed logins over all addresses in the last minute.
    pub recent_failures: u32,
    pub policy: Policy,
    /// Where a host commands (see [`host_request`]): what there is to know.
    pub host: Option<HostView>,
}

/// A group's version that a decision rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RestsOn {
    pub key: GroupKey,
    pub version: Version,
    /// Whether the decision changes something of it.
    pub raise: bool,
}

/// What follows from a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// As it shall be stored; `version` is the one this step rests on.
    pub conversation: Conversation,
    /// Replies, in their order.
    pub says: Vec<Outgoing>,
    /// The language to put them into.
    pub locale: String,
    /// Changed guest records.
    pub guests: Vec<Guest>,
    pub groups: Vec<RestsOn>,
    /// The event with what a host changed of it; `version` is the one this step rests on.
    pub event: Option<Event>,
    pub activity: Vec<Activity>,
    pub notices: Vec<Decided>,
    /// Messages that a host ordered.
    pub orders: Vec<Addressed>,
    /// Keys that are to be remembered with it.
    pub once: Vec<String>,
    /// Counts as a failed login.
    pub login_failed: bool,
    /// Who used the program, and whether by logging in.
    pub access: Option<(GuestId, bool)>,
}

/// Decides what follows from a message.
#[must_use]
pub fn step(context: &Context, inbound: &Inbound, now: DateTime<Utc>) -> Step {
    let mut turn = turn::Turn::new(context, inbound, now);
    turn.take();
    turn.finish()
}
