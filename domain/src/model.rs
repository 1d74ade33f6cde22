//! The published data model: guests, groups and events, with the field names that other programs share.

use std::{fmt, str::FromStr};

use chrono::{DateTime, NaiveTime, Utc};
use chrono_tz::Tz;
use serde::{Deserialize, Serialize};

use crate::{address::Channel, notice::HostNews};

/// Counts changes of one stored thing. 0 means "not stored yet".
pub type Version = u64;

/// Identifies a guest record: the 12 bytes of a MongoDB ObjectId, written as 24 hex digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GuestId(pub [u8; 12]);

/// The text is not 24 hex digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a guest id: expected 24 hex digits")]
pub struct NotAGuestId;

impl GuestId {
    /// An id as MongoDB makes them: seconds since 1970 (big-endian) and eight random bytes.
    #[must_use]
    pub fn new(created: DateTime<Utc>, random: [u8; 8]) -> Self {
        let seconds = u32::try_from(created.timestamp().max(0)).unwrap_or(u32::MAX);
        let mut bytes = [0; 12];
        bytes[..4].copy_from_slice(&seconds.to_be_bytes());
        bytes[4..].copy_from_slice(&random);
        Self(bytes)
    }
}

impl fmt::Display for GuestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl fmt::Debug for GuestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for GuestId {
    type Err = NotAGuestId;

    fn from_str(text: &str) -> Result<Self, NotAGuestId> {
        let mut bytes = [0; 12];
        hex::decode_to_slice(text, &mut bytes).map_err(|_| NotAGuestId)?;
        Ok(Self(bytes))
    }
}

impl Serialize for GuestId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for GuestId {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

macro_rules! text_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub String);

        impl $name {
            /// The id as stored and shown.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.to_owned())
            }
        }
    };
}

text_id!(
    /// Identifies an event, readable by people: `summer-party`.
    EventId
);
text_id!(
    /// What the members of a group share, chosen by the host: `doe-family`. Unique within an event.
    GroupId
);
text_id!(
    /// Names the thing whose version an answer rests on: a group, or a guest without one.
    /// `summer-party/g/doe-family` or `summer-party/s/<guest id>`.
    GroupKey
);

/// A record's own answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// No answer yet, or left open ("doesn't know yet").
    Pending,
    /// Somebody of this record comes.
    Coming,
    /// Nobody of this record comes.
    Declined,
    /// Wants to come, but the event is full.
    Waitlisted,
}

impl Status {
    /// The word that is stored and exported.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Coming => "coming",
            Self::Declined => "declined",
            Self::Waitlisted => "waitlisted",
        }
    }

    /// The status that [`Status::as_str`] wrote.
    #[must_use]
    pub fn from_stored(text: &str) -> Option<Self> {
        [Self::Pending, Self::Coming, Self::Declined, Self::Waitlisted]
            .into_iter()
            .find(|status| status.as_str() == text)
    }
}

/// Who gave a record's present answer, and through which channel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AnsweredBy {
    pub guest_id: GuestId,
    pub channel: Channel,
}

/// One record with a personal code: a person, and the companions they stand for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Guest {
    #[serde(rename = "_id")]
    pub id: GuestId,
    pub event_id: EventId,
    pub first_name: String,
    pub last_name: String,
    /// The personal code, as stored and shown.
    pub token: String,
    pub status: Status,
    /// How many people of this record come: self + companions + extras.
    pub num_guests: u32,
    /// Dietary needs as the guest wrote them; empty for none.
    pub dietary: String,
    /// How many people this record stands for: 1 + companions. At least 1.
    pub expected_guests: u32,
    /// A host: sees the admin view, gets the digest. Counts as a guest like any other.
    pub is_admin: bool,
    pub group_id: Option<GroupId>,
    pub rsvp_date: Option<DateTime<Utc>>,
    pub last_login: Option<DateTime<Utc>>,
    pub last_access: Option<DateTime<Utc>>,
    pub created_at: DateTime<Utc>,
    /// Whether the person themselves comes (Bob may stay home while his child goes).
    #[serde(default)]
    pub self_coming: bool,
    #[serde(default)]
    pub companions_coming: u32,
    /// Confirmed beyond the party size, on the record that answered.
    #[serde(default)]
    pub extra_guests: u32,
    /// E.164. Never an identity: two guests may share one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phone: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locale: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notes: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answered_by: Option<AnsweredBy>,
    pub version: Version,
}

impl Guest {
    /// A new guest who has not answered.
    #[must_use]
    pub fn new(id: GuestId, event_id: EventId, last_name: String, token: String, created_at: DateTime<Utc>) -> Self {
        Self {
            id,
            event_id,
            first_name: String::new(),
            last_name,
            token,
            status: Status::Pending,
            num_guests: 0,
            dietary: String::new(),
            expected_guests: 1,
            is_admin: false,
            group_id: None,
            rsvp_date: None,
            last_login: None,
            last_access: None,
            created_at,
            self_coming: false,
            companions_coming: 0,
            extra_guests: 0,
            phone: None,
            locale: None,
            notes: None,
            answered_by: None,
            version: 0,
        }
    }

    /// How many people this guest brings who have no code of their own.
    #[must_use]
    pub fn companions(&self) -> u32 {
        self.expected_guests.saturating_sub(1)
    }

    /// What to cater for: needs of who does not come are kept, in case they do after all, but nobody must cook for them.
    #[must_use]
    pub fn dietary_to_cater(&self) -> &str {
        if matches!(self.status, Status::Coming | Status::Waitlisted) { &self.dietary } else { "" }
    }

    /// "John Doe", or the last name alone where no first name is known.
    #[must_use]
    pub fn full_name(&self) -> String {
        format!("{} {}", self.first_name, self.last_name).trim().to_owned()
    }

    /// What the group calls this person: the first name, or the last where no first name is known.
    #[must_use]
    pub fn short_name(&self) -> &str {
        if self.first_name.is_empty() { &self.last_name } else { &self.first_name }
    }

    /// The key whose version guards this guest's answer.
    #[must_use]
    pub fn group_key(&self) -> GroupKey {
        match &self.group_id {
            Some(group) => GroupKey(format!("{}/g/{group}", self.event_id)),
            None => GroupKey(format!("{}/s/{}", self.event_id, self.id)),
        }
    }
}

/// The guests who answer together, as read in one consistent look: the version first, then the members.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    pub key: GroupKey,
    /// Raised by a change of a member's answer, name or size, by joining, leaving and deletion.
    pub version: Version,
    /// By creation, then id. Never empty when it comes from a store.
    pub members: Vec<Guest>,
}

impl Group {
    /// How many people are expected: the sum of `expectedGuests`.
    #[must_use]
    pub fn party_size(&self) -> u32 {
        self.members.iter().map(|guest| guest.expected_guests).sum()
    }

    /// The member with this id.
    #[must_use]
    pub fn member(&self, id: GuestId) -> Option<&Guest> {
        self.members.iter().find(|guest| guest.id == id)
    }
}

/// Who may come: those invited, or anybody who registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Admission {
    #[default]
    Invitation,
    Open,
}

/// Hours of the day in which initiated messages may go, local time. Opens before it closes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Window {
    pub opens: NaiveTime,
    pub closes: NaiveTime,
}

/// When those who stay silent are reminded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReminderSettings {
    /// Days before the deadline, largest first.
    pub days: Vec<u32>,
    /// Local time of day.
    pub at: NaiveTime,
    pub window: Window,
    /// Whether those coming get place, time and dress code the day before.
    pub day_before: bool,
}

/// When hosts get their digest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DigestSettings {
    /// Five-field cron expression in the event's zone.
    pub cron: String,
    /// Whether a day without news gets a digest too.
    pub when_empty: bool,
    /// What hosts do not want to be told at once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_at_once: Vec<HostNews>,
}

impl Default for ReminderSettings {
    fn default() -> Self {
        let hour = |hour| NaiveTime::from_hms_opt(hour, 0, 0).unwrap_or(NaiveTime::MIN);
        Self {
            days: vec![14, 7, 3, 1],
            at: hour(10),
            window: Window { opens: hour(9), closes: hour(20) },
            day_before: true,
        }
    }
}

impl Default for DigestSettings {
    fn default() -> Self {
        Self { cron: "0 8 * * *".to_owned(), when_empty: false, not_at_once: Vec::new() }
    }
}

/// What people are invited to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Event {
    #[serde(rename = "_id")]
    pub id: EventId,
    pub name: String,
    pub starts_at: DateTime<Utc>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ends_at: Option<DateTime<Utc>>,
    pub time_zone: Tz,
    /// Exclusive: at this instant answers are closed. Without one they close at the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rsvp_deadline: Option<DateTime<Utc>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capacity: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seats_taken: Option<u32>,
    #[serde(default)]
    pub admission: Admission,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dress_code: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schedule: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host_contact: Option<String>,
    pub default_locale: String,
    /// ISO 3166 region for phone numbers written without a country code: `GB`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phone_region: Option<String>,
    #[serde(default)]
    pub reminders: ReminderSettings,
    #[serde(default)]
    pub digest: DigestSettings,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cancelled_at: Option<DateTime<Utc>>,
    /// Raised by every change; also the calendar file's SEQUENCE.
    pub version: Version,
}

impl Event {
    /// The first instant at which answers are closed.
    #[must_use]
    pub fn closes_at(&self) -> DateTime<Utc> {
        self.rsvp_deadline.unwrap_or(self.starts_at)
    }

    /// Whether coming and declining may still change.
    #[must_use]
    pub fn is_open(&self, now: DateTime<Utc>) -> bool {
        self.cancelled_at.is_none() && now < self.closes_at()
    }

    /// Whether dietary needs may still change: until the event starts.
    #[must_use]
    pub fn dietary_is_open(&self, now: DateTime<Utc>) -> bool {
        self.cancelled_at.is_none() && now < self.starts_at
    }
}
