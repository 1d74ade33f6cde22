//! Messages that Convive starts: what each is about, when it may go, and to whom.
//!
//! They are stored as what they are, not as text, and put into words when they are first sent: from the
//! facts at that moment, or dropped if they would say nothing true any more.

use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use serde::{Deserialize, Serialize};

use crate::{
    address::Channel,
    model::{EventId, GuestId, Window},
};

/// What an initiated message says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Notice {
    /// Another member answered for these guests.
    AnsweredFor { guests: Vec<GuestId>, by: GuestId },
    /// Somebody logged in as this guest at another address.
    LoggedInElsewhere { guest: GuestId, channel: Channel },
    /// The guest's code changed: the login here has ended.
    CodeChanged { guest: GuestId },
    /// To a host: more people are coming than were expected.
    ExtraGuests { guest: GuestId, expected: u32, coming: u32 },
    /// To a host: a guest left a message.
    MessageLeft { guest: GuestId, text: String },
    /// To a host: whoever writes from there is not this guest.
    WrongPerson { guest: GuestId, channel: Channel },
}

impl Notice {
    /// Notices of an answer wait for the window and respect `mute`; the others do neither.
    #[must_use]
    pub fn obeys_window_and_mute(&self) -> bool {
        matches!(self, Self::AnsweredFor { .. })
    }
}

/// Whom a notice is for; addresses are found when it is committed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Audience {
    /// These guests, each at the address they used last.
    Guests(Vec<GuestId>),
    /// This guest, at every address they are logged in at.
    EveryAddressOf(GuestId),
    /// The hosts of the event, each at the address they used last.
    Hosts(EventId),
}

/// A notice as the rules decide it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decided {
    pub event: EventId,
    pub audience: Audience,
    pub notice: Notice,
}

/// In which hours an initiated message may go: local time of `zone`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Hours {
    #[serde(flatten)]
    pub window: Window,
    pub zone: Tz,
}

impl Hours {
    /// `now` if it lies in the window, else the window's next opening. A window that closes at or before
    /// its opening is always open. Around a clock change the opening is the first local time that exists.
    #[must_use]
    pub fn next_open(&self, now: DateTime<Utc>) -> DateTime<Utc> {
        let Window { opens, closes } = self.window;
        let local = now.with_timezone(&self.zone);
        if opens >= closes || (opens <= local.time() && local.time() < closes) {
            return now;
        }
        let today = local.date_naive();
        let day = if local.time() < opens { today } else { today.succ_opt().unwrap_or(today) };
        crate::calendar::local_instant(day.and_time(opens), self.zone).max(now)
    }
}
