//! Messages that Convive starts: what each is about, when it may go, and to whom.
//!
//! They are stored as what they are, not as text, and put into words when they are first sent: from the
//! facts at that moment, or dropped if they would say nothing true any more.

use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use serde::{Deserialize, Serialize};

use crate::{
    address::{Address, Channel},
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
    /// These guests have not answered: are they coming?
    Reminder { guests: Vec<GuestId> },
    /// These guests, never heard of so far, are invited.
    Invitation { guests: Vec<GuestId> },
    /// To those who come: when and where, the day before.
    DayBefore { guests: Vec<GuestId> },
    /// To those who come: the event's time or place has changed, or it is off.
    EventChanged { guests: Vec<GuestId> },
    /// What a host has to say to these guests.
    FromHost { guests: Vec<GuestId>, text: String },
    /// To a host: what has happened from one moment to another; one of several messages where it is long.
    Digest { from: DateTime<Utc>, until: DateTime<Utc>, part: u32, parts: u32 },
    /// To a host: time or place have changed, or the event is off; shall those who come be told?
    OfferToTell { coming: u32 },
    /// To a host: a guest changed their answer shortly before answers close, or after.
    LateChange { guest: GuestId },
    /// To a host: as many people come as there are seats.
    EventFull { coming: u32 },
    /// To a host: nothing goes out on a channel until somebody changes something.
    ChannelStopped { channel: Channel },
    /// To a host: how far a message to many is, if it is still under way then.
    BroadcastProgress { broadcast: String, messages: u32, then: DateTime<Utc> },
    /// To a host: what became of a message to many; `broadcast` begins the ids of its entries.
    BroadcastReport { broadcast: String, messages: u32, unreached: Vec<GuestId> },
}

/// What hosts are told at once, each as long as they want it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum HostNews {
    /// A group brings more people than expected.
    Extras,
    /// Somebody changes their answer within the last days.
    Late,
    /// The event has become full.
    Full,
    /// A guest left a message.
    Messages,
    /// A channel stopped working.
    Channels,
}

impl HostNews {
    /// All there are.
    pub const ALL: [Self; 5] = [Self::Extras, Self::Late, Self::Full, Self::Messages, Self::Channels];

    /// As a host writes it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Extras => "extras",
            Self::Late => "late",
            Self::Full => "full",
            Self::Messages => "messages",
            Self::Channels => "channels",
        }
    }
}

impl Notice {
    /// What guests need not know at once waits for the window and respects `mute`; notices of a login, and what a
    /// host asked for, do neither.
    #[must_use]
    pub fn obeys_window_and_mute(&self) -> bool {
        matches!(
            self,
            Self::AnsweredFor { .. }
                | Self::Reminder { .. }
                | Self::Invitation { .. }
                | Self::DayBefore { .. }
                | Self::EventChanged { .. }
                | Self::FromHost { .. }
        )
    }

    /// The guests whom it is about and who may never have written to us: it may be the first message to a phone.
    #[must_use]
    pub fn to_guests(&self) -> Option<&[GuestId]> {
        match self {
            Self::Reminder { guests }
            | Self::Invitation { guests }
            | Self::DayBefore { guests }
            | Self::EventChanged { guests }
            | Self::FromHost { guests, .. } => Some(guests),
            _ => None,
        }
    }

    /// The guests whom it asks for their answer.
    #[must_use]
    pub fn asks(&self) -> &[GuestId] {
        match self {
            Self::Reminder { guests } | Self::Invitation { guests } => guests,
            _ => &[],
        }
    }

    /// The same, about these guests.
    #[must_use]
    pub fn about(&self, about: &[GuestId]) -> Self {
        let mut notice = self.clone();
        match &mut notice {
            Self::Reminder { guests }
            | Self::Invitation { guests }
            | Self::DayBefore { guests }
            | Self::EventChanged { guests }
            | Self::FromHost { guests, .. }
            | Self::AnsweredFor { guests, .. } => *guests = about.to_vec(),
            _ => {}
        }
        notice
    }

    /// The kind of news for hosts that this is, if they can do without it.
    #[must_use]
    pub fn news(&self) -> Option<HostNews> {
        match self {
            Self::ExtraGuests { .. } => Some(HostNews::Extras),
            Self::LateChange { .. } => Some(HostNews::Late),
            Self::EventFull { .. } => Some(HostNews::Full),
            Self::MessageLeft { .. } => Some(HostNews::Messages),
            Self::ChannelStopped { .. } => Some(HostNews::Channels),
            _ => None,
        }
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

/// A message that the rules have an address for already.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Addressed {
    pub event: EventId,
    pub address: Address,
    pub notice: Notice,
    /// In which hours it goes; at any where there are none.
    pub hours: Option<Hours>,
    /// Not worth sending from then on.
    pub not_after: Option<DateTime<Utc>>,
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
