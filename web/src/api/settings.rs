//! The event's settings, for hosts.

use axum::{
    Json,
    extract::State,
    http::HeaderMap,
    response::{IntoResponse, Response},
};
use domain::{event_settings::Key, model::Event};
use serde::{Deserialize, Deserializer, Serialize, de::Error};
use serde_json::Value;
use utoipa::ToSchema;

use super::{
    ApiError, ErrorBody, JsonBody,
    documented::{BodyErrors, HostErrors},
    etag::{self, Tagged},
    guests::host,
    shapes::{date_of_deadline, time},
};
use crate::{Web, access::HostAccess};

/// The event's settings. Dates are `YYYY-MM-DD` in the event's zone, times RFC 3339 in UTC; "" where nothing is set.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SettingsView {
    /// The last day on which answers are taken.
    rsvp_deadline: String,
    event_name: String,
    event_date: String,
    event_id: String,
    starts_at: String,
    ends_at: String,
    /// The first moment at which answers are closed.
    closes_at: String,
    time_zone: String,
    capacity: Option<u32>,
    place: String,
    address: String,
    dress_code: String,
    schedule: String,
    host_contact: String,
    default_locale: String,
    phone_region: String,
    /// The event is off: answers are closed.
    cancelled: bool,
}

impl From<&Event> for SettingsView {
    fn from(event: &Event) -> Self {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        Self {
            rsvp_deadline: date_of_deadline(event),
            event_name: event.name.clone(),
            event_date: event.starts_at.with_timezone(&event.time_zone).date_naive().to_string(),
            event_id: event.id.to_string(),
            starts_at: time(event.starts_at),
            ends_at: event.ends_at.map(time).unwrap_or_default(),
            closes_at: time(event.closes_at()),
            time_zone: event.time_zone.name().to_owned(),
            capacity: event.capacity,
            place: text(&event.place),
            address: text(&event.address),
            dress_code: text(&event.dress_code),
            schedule: text(&event.schedule),
            host_contact: text(&event.host_contact),
            default_locale: event.default_locale.clone(),
            phone_region: text(&event.phone_region),
            cancelled: event.cancelled_at.is_some(),
        }
    }
}

/// Settings to change; absent ones stay, "" or null clears one. Times are dates or RFC 3339, local to the event when
/// without offset. A setting that there is not is an error.
#[derive(Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct SettingsChanges {
    /// A date means the end of that day in the event's zone.
    #[serde(deserialize_with = "text")]
    rsvp_deadline: Option<String>,
    #[serde(deserialize_with = "text")]
    event_name: Option<String>,
    /// A date alone keeps the time of day.
    #[serde(deserialize_with = "text")]
    event_date: Option<String>,
    #[serde(deserialize_with = "text")]
    starts_at: Option<String>,
    #[serde(deserialize_with = "text")]
    ends_at: Option<String>,
    #[serde(deserialize_with = "text")]
    time_zone: Option<String>,
    #[serde(deserialize_with = "seats")]
    #[schema(value_type = Option<u32>)]
    capacity: Option<String>,
    #[serde(deserialize_with = "text")]
    place: Option<String>,
    #[serde(deserialize_with = "text")]
    address: Option<String>,
    #[serde(deserialize_with = "text")]
    dress_code: Option<String>,
    #[serde(deserialize_with = "text")]
    schedule: Option<String>,
    #[serde(deserialize_with = "text")]
    host_contact: Option<String>,
    #[serde(deserialize_with = "text")]
    default_locale: Option<String>,
    #[serde(deserialize_with = "text")]
    phone_region: Option<String>,
    /// Calls the event off, or takes that back.
    cancelled: Option<bool>,
}

/// `null` clears, as an empty text does.
fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Option::deserialize(deserializer).map(|text| Some(text.unwrap_or_default()))
}

fn seats<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    match Value::deserialize(deserializer)? {
        Value::Null => Ok(Some(String::new())),
        Value::Number(seats) => Ok(Some(seats.to_string())),
        Value::String(text) if text.is_empty() => Ok(Some(text)),
        _ => Err(D::Error::custom("write the number of seats, or null where there is room for all")),
    }
}

/// Each setting's words: the event's own, and the API's.
const FIELDS: [(Key, &str); 14] = [
    (Key::RsvpDeadline, "rsvpDeadline"),
    (Key::Name, "eventName"),
    (Key::StartsAt, "startsAt"),
    (Key::EndsAt, "endsAt"),
    (Key::TimeZone, "timeZone"),
    (Key::Capacity, "capacity"),
    (Key::Place, "place"),
    (Key::Address, "address"),
    (Key::DressCode, "dressCode"),
    (Key::Schedule, "schedule"),
    (Key::HostContact, "hostContact"),
    (Key::DefaultLocale, "defaultLocale"),
    (Key::PhoneRegion, "phoneRegion"),
    (Key::Cancelled, "cancelled"),
];

/// The API's word for an event's setting.
pub(super) fn field_of(key: &str) -> String {
    let known = FIELDS.iter().find(|(known, _)| known.as_str() == key);
    known.map_or(key, |(_, field)| field).to_owned()
}

impl SettingsChanges {
    fn pairs(self, event: &Event) -> Result<Vec<(String, String)>, ApiError> {
        let starts_at = match (self.starts_at, self.event_date) {
            (Some(_), Some(_)) => return Err(ApiError::field("eventDate", "give eventDate or startsAt, not both")),
            (None, Some(date)) => Some(with_time_of_day(date, event)),
            (starts_at, None) => starts_at,
        };
        let given = [
            (Key::RsvpDeadline, self.rsvp_deadline),
            (Key::Name, self.event_name),
            (Key::StartsAt, starts_at),
            (Key::EndsAt, self.ends_at),
            (Key::TimeZone, self.time_zone),
            (Key::Capacity, self.capacity),
            (Key::Place, self.place),
            (Key::Address, self.address),
            (Key::DressCode, self.dress_code),
            (Key::Schedule, self.schedule),
            (Key::HostContact, self.host_contact),
            (Key::DefaultLocale, self.default_locale),
            (Key::PhoneRegion, self.phone_region),
            (Key::Cancelled, self.cancelled.map(|is_off| is_off.to_string())),
        ];
        Ok(given.into_iter().filter_map(|(key, value)| Some((key.as_str().to_owned(), value?))).collect())
    }
}

fn with_time_of_day(date: String, event: &Event) -> String {
    match date.trim().parse::<chrono::NaiveDate>() {
        Ok(day) => {
            let time = event.starts_at.with_timezone(&event.time_zone).time();
            day.and_time(time).format("%Y-%m-%dT%H:%M:%S").to_string()
        }
        Err(_) => date,
    }
}

/// Show the event's settings
#[utoipa::path(get, path = "/admin/settings", tag = "settings", responses(
    (status = 200, body = SettingsView, headers(("etag" = String, description = "the event's version"))),
    HostErrors,
))]
pub(super) async fn show(HostAccess { event, .. }: HostAccess) -> Response {
    Tagged(event.version, Json(SettingsView::from(&event))).into_response()
}

/// Change the event's settings
#[utoipa::path(put, path = "/admin/settings", tag = "settings", request_body = SettingsChanges,
    params(("If-Match" = Option<String>, Header, description = "the event's version as it was shown")),
    responses(
    (status = 200, body = SettingsView, headers(("etag" = String, description = "the event's version"))),
    (status = 412, body = ErrorBody, description = "changed since it was shown"),
    HostErrors, BodyErrors,
))]
pub(super) async fn change(
    State(web): State<Web>,
    HostAccess { me, event }: HostAccess,
    headers: HeaderMap,
    JsonBody(body): JsonBody<SettingsChanges>,
) -> Result<Response, ApiError> {
    let shown = etag::expected(&headers)?;
    let pairs = body.pairs(&event)?;
    let event = web.app.change_event(&event.id, &pairs, shown, &host(&me)).await?;
    Ok(Tagged(event.version, Json(SettingsView::from(&event))).into_response())
}
