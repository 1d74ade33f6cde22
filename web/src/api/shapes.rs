//! What several routes show alike.

use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};
use domain::model::{Event, Guest};
use serde::Serialize;
use utoipa::ToSchema;

/// A record's own answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum StatusWord {
    Pending,
    Coming,
    Declined,
    Waitlisted,
}

/// A guest as hosts see them. Times are RFC 3339 in UTC.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GuestView {
    #[serde(rename = "_id")]
    id: String,
    event_id: String,
    first_name: String,
    last_name: String,
    /// The personal code.
    token: String,
    status: StatusWord,
    /// How many people of this record come: self, companions and extras.
    num_guests: u32,
    dietary: String,
    /// How many people this record stands for.
    expected_guests: u32,
    is_admin: bool,
    group_id: Option<String>,
    rsvp_date: Option<String>,
    last_login: Option<String>,
    last_access: Option<String>,
    created_at: String,
    #[serde(rename = "self")]
    self_coming: bool,
    companions: u32,
    extra: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    phone: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    locale: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    notes: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    answered_by: Option<AnsweredByView>,
    version: u64,
}

/// Who gave the present answer, and through which channel.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AnsweredByView {
    guest_id: String,
    channel: &'static str,
}

impl From<Guest> for GuestView {
    fn from(guest: Guest) -> Self {
        Self {
            id: guest.id.to_string(),
            event_id: guest.event_id.0,
            first_name: guest.first_name,
            last_name: guest.last_name,
            token: guest.token,
            status: guest.status.into(),
            num_guests: guest.num_guests,
            dietary: guest.dietary,
            expected_guests: guest.expected_guests,
            is_admin: guest.is_admin,
            group_id: guest.group_id.map(|group| group.0),
            rsvp_date: guest.rsvp_date.map(time),
            last_login: guest.last_login.map(time),
            last_access: guest.last_access.map(time),
            created_at: time(guest.created_at),
            self_coming: guest.self_coming,
            companions: guest.companions_coming,
            extra: guest.extra_guests,
            phone: guest.phone,
            locale: guest.locale,
            notes: guest.notes,
            answered_by: guest
                .answered_by
                .map(|by| AnsweredByView { guest_id: by.guest_id.to_string(), channel: by.channel.as_str() }),
            version: guest.version,
        }
    }
}

/// RFC 3339 in UTC.
pub(super) fn time(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::AutoSi, true)
}

/// The last day on which answers are taken, in the event's zone; "" where no deadline is set.
pub(super) fn date_of_deadline(event: &Event) -> String {
    // The stored instant is the first at which they are closed.
    let last = event.rsvp_deadline.map(|at| at - TimeDelta::milliseconds(1));
    last.map(|at| at.with_timezone(&event.time_zone).date_naive().to_string()).unwrap_or_default()
}
