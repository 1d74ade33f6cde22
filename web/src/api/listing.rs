//! The whole guest list, or a page of it.

use axum::{
    Json,
    body::{Body, Bytes},
    extract::{RawQuery, State},
    http::header,
    response::{IntoResponse, Response},
};
use domain::model::{Event, Guest, GuestId, Status};
use futures_util::stream;
use serde::Serialize;
use store::{GuestQuery, GuestSort, Page, Statistics, Store, StoreError};
use utoipa::ToSchema;

use super::{ApiError, ErrorBody, documented::HostErrors, settings::SettingsView, shapes::GuestView};
use crate::{Web, access::HostAccess};

const USUAL_PAGE: u32 = 50;
const LARGEST_PAGE: u32 = 500;
const LONGEST_SEARCH: usize = 200;
/// Guests that are read and sent at once where all are asked for.
const AT_ONCE: u32 = 500;

/// Guests, with the event's settings and the whole list in numbers.
#[derive(Serialize, ToSchema)]
pub struct GuestList {
    guests: Vec<GuestView>,
    settings: SettingsView,
    stats: Stats,
    /// How many guests there are in all that the query fits.
    total: u64,
}

/// The whole guest list in numbers.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Stats {
    /// Records.
    total_invited: u64,
    /// Records of which somebody comes.
    total_coming: u64,
    /// People who come.
    total_guests: u64,
    /// People who are expected.
    total_expected: u64,
    /// Records that come with dietary needs.
    with_allergies: u64,
}

impl From<Statistics> for Stats {
    fn from(statistics: Statistics) -> Self {
        Self {
            total_invited: statistics.invited,
            total_coming: statistics.coming,
            total_guests: statistics.head_count,
            total_expected: statistics.expected,
            with_allergies: statistics.with_allergies,
        }
    }
}

/// List the guests
///
/// Without a parameter all of them, by creation; with any, a page.
#[utoipa::path(get, path = "/admin/guests", tag = "guests", params(
    ("status" = Option<String>, Query, description = "pending, coming, declined or waitlisted"),
    ("q" = Option<String>, Query, description = "words, each part of a name or a code, meant literally"),
    ("sort" = Option<String>, Query, description = "created, name, status, rsvpDate or lastLogin; downwards with a - \
        before it"),
    ("page" = Option<u32>, Query, minimum = 1, description = "from 1"),
    ("perPage" = Option<u32>, Query, minimum = 1, maximum = 500, description = "50 unless given"),
), responses(
    (status = 200, body = GuestList),
    (status = 422, body = ErrorBody, description = "a parameter cannot be used"),
    HostErrors,
))]
pub(super) async fn list(
    State(web): State<Web>,
    HostAccess { event, .. }: HostAccess,
    RawQuery(query): RawQuery,
) -> Result<Response, ApiError> {
    let query = read(query.as_deref().unwrap_or_default(), &event)?;
    let stats = Stats::from(web.app.store.statistics(&event.id).await?);
    let Some(query) = query else { return all(&web, event, stats) };
    let found = web.app.store.find_guests(&query).await?;
    let list = GuestList {
        guests: found.guests.into_iter().map(GuestView::from).collect(),
        settings: SettingsView::from(&event),
        stats,
        total: found.total,
    };
    Ok(Json(list).into_response())
}

/// `None` where nothing is asked for: everybody.
fn read(text: &str, event: &Event) -> Result<Option<GuestQuery>, ApiError> {
    let mut query = GuestQuery::all_of(event.id.clone(), USUAL_PAGE);
    let mut page = 1;
    let mut asks = false;
    for (name, value) in form_urlencoded::parse(text.as_bytes()) {
        match (&*name, &*value) {
            ("status" | "q" | "sort", "") => {}
            ("status", value) => query.status = Some(status(value)?),
            ("q", value) if value.chars().count() > LONGEST_SEARCH => {
                return Err(ApiError::field("q", format!("is longer than {LONGEST_SEARCH} characters")));
            }
            ("q", value) => value.clone_into(&mut query.search),
            ("sort", value) => (query.sort, query.descending) = sort(value)?,
            ("page", value) => page = number("page", value, u32::MAX)?,
            ("perPage", value) => query.limit = number("perPage", value, LARGEST_PAGE)?,
            _ => continue,
        }
        asks = true;
    }
    query.skip = u64::from(page - 1) * u64::from(query.limit);
    Ok(asks.then_some(query))
}

fn status(value: &str) -> Result<Status, ApiError> {
    Status::from_stored(value)
        .ok_or_else(|| ApiError::field("status", "must be pending, coming, declined or waitlisted"))
}

fn sort(value: &str) -> Result<(GuestSort, bool), ApiError> {
    let (word, descending) = value.strip_prefix('-').map_or((value, false), |word| (word, true));
    let sort = match word {
        "created" => GuestSort::Created,
        "name" => GuestSort::Name,
        "status" => GuestSort::Status,
        "rsvpDate" => GuestSort::Answered,
        "lastLogin" => GuestSort::LastLogin,
        _ => {
            let message = "must be created, name, status, rsvpDate or lastLogin, with a - before it for downwards";
            return Err(ApiError::field("sort", message));
        }
    };
    Ok((sort, descending))
}

fn number(field: &str, value: &str, most: u32) -> Result<u32, ApiError> {
    let number = value.parse().ok().filter(|number| (1..=most).contains(number));
    number.ok_or_else(|| ApiError::field(field, format!("must be a whole number from 1 to {most}")))
}

/// The same shape, written while the guests are read: however many there are, few are held at once.
fn all(web: &Web, event: Event, stats: Stats) -> Result<Response, ApiError> {
    let internal = |error: serde_json::Error| ApiError::internal(&error);
    let settings = serde_json::to_string(&SettingsView::from(&event)).map_err(internal)?;
    let head = format!(
        r#"{{"settings":{settings},"stats":{},"total":{},"guests":["#,
        serde_json::to_string(&stats).map_err(internal)?,
        stats.total_invited,
    );
    let begin = Listing { store: web.app.store.clone(), event, after: None, stage: Stage::Head(head) };
    let body = Body::from_stream(stream::try_unfold(begin, Listing::next));
    Ok(([(header::CONTENT_TYPE, "application/json")], body).into_response())
}

struct Listing {
    store: std::sync::Arc<dyn Store>,
    event: Event,
    after: Option<GuestId>,
    stage: Stage,
}

enum Stage {
    Head(String),
    Guests,
    End,
}

impl Listing {
    async fn next(mut self) -> Result<Option<(Bytes, Self)>, StoreError> {
        let chunk = match std::mem::replace(&mut self.stage, Stage::Guests) {
            Stage::Head(head) => head,
            Stage::Guests => self.guests().await?,
            Stage::End => return Ok(None),
        };
        Ok(Some((chunk.into(), self)))
    }

    /// The next guests, or the end.
    async fn guests(&mut self) -> Result<String, StoreError> {
        let page = self.store.guests(&self.event.id, Page { after: self.after, limit: AT_ONCE }).await?;
        if page.is_empty() {
            self.stage = Stage::End;
            return Ok("]}".to_owned());
        }
        let is_first = self.after.is_none();
        self.after = page.last().map(|guest| guest.id);
        let comma = if is_first { "" } else { "," };
        let guests: Vec<String> = page.into_iter().filter_map(json).collect();
        Ok(format!("{comma}{}", guests.join(",")))
    }
}

fn json(guest: Guest) -> Option<String> {
    serde_json::to_string(&GuestView::from(guest)).ok()
}
