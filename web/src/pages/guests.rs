//! The guest list: search, filters, sort, pages, and what is done to many at once.

use app::{Bulk, HostError};
use askama::Template;
use axum::{
    extract::{RawQuery, State},
    response::Response,
};
use domain::model::{Event, Guest, GuestId, Status};
use store::{GuestList, GuestQuery, GuestSort, StoreError};

use super::{
    Pages, carried,
    confirm::{self, Question},
    form::Fields,
    groups,
    guest::sentence,
    respond::{Frame, PageError, PageResult, page, see_other},
    session::{Host, HostForm, own_path},
    words,
};

const PER_PAGE: u32 = 50;
const MOST_SEARCH: usize = 200;

#[derive(Template)]
#[template(path = "guests.html")]
struct GuestsPage {
    frame: Frame,
    rows: Vec<GuestRow>,
    total: u64,
    q: String,
    filter: &'static str,
    filters: Vec<Choice>,
    orders: Vec<Choice>,
    /// Why the list is empty, where that needs a word.
    nobody: &'static str,
    /// This page of the list, to come back to.
    here: String,
    page: u64,
    pages: u64,
    previous: Option<String>,
    next: Option<String>,
}

/// Something to choose from.
pub struct Choice {
    pub value: &'static str,
    pub label: &'static str,
    pub is_chosen: bool,
}

/// A guest as the list shows them.
pub struct GuestRow {
    pub id: String,
    pub name: String,
    pub code: String,
    pub group: String,
    pub status: &'static str,
    pub status_word: &'static str,
    pub people: String,
    pub dietary: String,
    pub is_host: bool,
    pub seen: String,
}

impl GuestRow {
    fn of(guest: &Guest, event: &Event) -> Self {
        Self {
            id: guest.id.to_string(),
            name: guest.full_name(),
            code: guest.token.clone(),
            group: guest.group_id.as_ref().map(ToString::to_string).unwrap_or_default(),
            status: guest.status.as_str(),
            status_word: words::status(guest.status),
            people: if guest.num_guests > 0 {
                format!("{} of {}", guest.num_guests, guest.expected_guests)
            } else {
                format!("{} expected", guest.expected_guests)
            },
            dietary: guest.dietary.clone(),
            is_host: guest.is_admin,
            seen: guest.last_access.max(guest.last_login).map_or_else(
                || "never".to_owned(),
                |at| at.with_timezone(&event.time_zone).format("%-d %b").to_string(),
            ),
        }
    }
}

/// What a host may want to see: the word in the address, its label, and what it asks the store for.
type Filter = (&'static str, &'static str, fn(&mut GuestQuery));

const FILTERS: [Filter; 8] = [
    ("", "Everybody", |_| {}),
    ("pending", "No answer yet", |query| query.status = Some(Status::Pending)),
    ("coming", "Coming", |query| query.status = Some(Status::Coming)),
    ("declined", "Not coming", |query| query.status = Some(Status::Declined)),
    ("waitlisted", "Waiting list", |query| query.status = Some(Status::Waitlisted)),
    ("never", "Never logged in", |query| query.never_logged_in = true),
    ("dietary", "With dietary needs", |query| query.with_dietary_needs = true),
    ("unreachable", "Cannot be reached", |query| query.unreachable = true),
];
const ORDERS: [(GuestSort, bool, &str, &str); 5] = [
    (GuestSort::Created, false, "", "As on the list"),
    (GuestSort::Name, false, "name", "By last name"),
    (GuestSort::Status, false, "status", "By answer"),
    (GuestSort::Answered, true, "answered", "Last answers first"),
    (GuestSort::LastLogin, true, "seen", "Last logins first"),
];

/// The list.
pub async fn show(State(pages): State<Pages>, host: Host, RawQuery(query): RawQuery) -> PageResult {
    // Who has just logged in is not told to have never done so.
    pages.web.app.accesses.flush(pages.web.app.store.as_ref()).await;
    let fields = Fields::parse(query.unwrap_or_default().as_bytes());
    let filter = FILTERS.iter().find(|(value, ..)| *value == fields.text("filter")).unwrap_or(&FILTERS[0]);
    let order = ORDERS.iter().find(|(_, _, value, _)| *value == fields.text("sort")).unwrap_or(&ORDERS[0]);
    let search: String = fields.text("q").chars().take(MOST_SEARCH).collect();
    let mut query = GuestQuery::all_of(host.event.id.clone(), PER_PAGE);
    filter.2(&mut query);
    (query.sort, query.descending) = (order.0, order.1);
    query.search.clone_from(&search);
    let (found, at) = find_page(&pages, query, fields.text("page").parse().unwrap_or(1)).await?;
    let link = |page: u64| {
        let mut link = form_urlencoded::Serializer::new(String::new());
        for (name, value) in [("q", search.as_str()), ("filter", filter.0), ("sort", order.2)] {
            if !value.is_empty() {
                link.append_pair(name, value);
            }
        }
        if page > 1 {
            link.append_pair("page", &page.to_string());
        }
        format!("/admin/guests?{}", link.finish())
    };
    let last = last_page(found.total, PER_PAGE);
    let mut frame = host.frame("Guests", "guests");
    frame.notice = notice(&fields);
    page(&GuestsPage {
        frame,
        rows: found.guests.iter().map(|guest| GuestRow::of(guest, &host.event)).collect(),
        total: found.total,
        filter: filter.0,
        filters: FILTERS.map(|(value, label, _)| Choice { value, label, is_chosen: value == filter.0 }).into(),
        orders: ORDERS.map(|(_, _, value, label)| Choice { value, label, is_chosen: value == order.2 }).into(),
        here: link(at),
        nobody: if search.is_empty() { nobody(filter.0) } else { "" },
        page: at,
        pages: last,
        previous: (at > 1).then(|| link(at - 1)),
        next: (at < last).then(|| link(at + 1)),
        q: search,
    })
}

/// What an empty list means, where that is not plain.
fn nobody(filter: &str) -> &'static str {
    match filter {
        "waitlisted" => {
            "Nobody is on the waiting list. Whoever is put on it, by another program that shares this guest list, \
             stands here with the number of seats they want."
        }
        "unreachable" => "Nobody: every guest who has logged in by chat can be written to.",
        "dietary" => "Nobody has named dietary needs.",
        "never" => "Nobody: every guest has logged in.",
        _ => "",
    }
}

/// How many pages there are, at least one.
#[must_use]
pub fn last_page(total: u64, per_page: u32) -> u64 {
    total.div_ceil(u64::from(per_page)).max(1)
}

/// A page of the list, from 1; one after the last is the last.
///
/// # Errors
/// When the store cannot be read.
pub async fn find_page(pages: &Pages, mut query: GuestQuery, wanted: u64) -> Result<(GuestList, u64), StoreError> {
    let store = &pages.web.app.store;
    let per_page = query.limit;
    let skip = |page: u64| (page - 1).saturating_mul(per_page.into());
    let wanted = wanted.max(1);
    query.skip = skip(wanted);
    let found = store.find_guests(&query).await?;
    let last = last_page(found.total, per_page);
    if wanted <= last {
        return Ok((found, wanted));
    }
    query.skip = skip(last);
    Ok((store.find_guests(&query).await?, last))
}

/// What was just done, for the page that the host comes back to.
pub fn notice(query: &Fields) -> String {
    let count: u64 = query.text("count").parse().unwrap_or_default();
    let guests = words::count(count, "guest", "guests");
    match query.text("done") {
        "" => String::new(),
        "group" => format!("{guests} put into the group."),
        "alone" => format!("{guests} taken out of their group."),
        "codes" => format!("{guests} got a new code. Their logins with the old one have ended."),
        "restored" => "The guest is back on the list. Their chats have to log in again.".to_owned(),
        "none" => "Nobody was ticked, so nothing was changed.".to_owned(),
        _ => "Done.".to_owned(),
    }
}

/// Where a host is asked before something is done.
const ASKED: &str = "/admin/guests/sure";

/// Something is done to all who are ticked, after a question where it needs one.
pub async fn bulk(State(pages): State<Pages>, form: HostForm) -> PageResult {
    let HostForm { host, fields } = form;
    let ids = ticked(&fields);
    let back = own_path(fields.text("here"), "/admin/guests");
    if ids.is_empty() {
        return Ok(done(&back, "none", 0));
    }
    let (bulk, what) = match fields.text("do") {
        "alone" => (Bulk::MoveTo(None), "alone"),
        "codes" => (Bulk::NewCodes, "codes"),
        _ => return ask(&pages, &host, &fields).await,
    };
    if !fields.has("sure") {
        return ask(&pages, &host, &fields).await;
    }
    let count = pages.web.app.change_many(&host.event.id, &ids, &bulk, &host.actor()).await.map_err(host_error)?;
    Ok(done(&back, what, count))
}

fn ticked(fields: &Fields) -> Vec<GuestId> {
    fields.all("guest").filter_map(|id| id.parse().ok()).collect()
}

/// Asks what these fields need to be asked about, at an address of its own.
///
/// # Errors
/// When the list cannot be read, or nothing is to be done.
pub async fn ask(pages: &Pages, host: &Host, fields: &Fields) -> PageResult {
    let question = question(pages, host, fields).await?;
    Ok(carried::at_address(pages, &host.csrf, ASKED, fields, question))
}

/// The question, for whoever comes back to it.
pub async fn asked(State(pages): State<Pages>, host: Host, RawQuery(query): RawQuery) -> PageResult {
    let query = Fields::parse(query.unwrap_or_default().as_bytes());
    match carried::fields(&host.csrf, ASKED, &query) {
        Some(fields) => question(&pages, &host, &fields).await,
        None => Ok(see_other("/admin/guests")),
    }
}

async fn question(pages: &Pages, host: &Host, fields: &Fields) -> PageResult {
    let ids = ticked(fields);
    let back = own_path(fields.text("here"), "/admin/guests");
    let question = match fields.text("do") {
        "move" => return groups::choose(pages, host, &ids, &back).await,
        "alone" => Question::Alone,
        "codes" => Question::NewCodes,
        _ => return Err(PageError::BadRequest("Choose what to do with those who are ticked.".to_owned())),
    };
    let everybody = pages.web.app.all_guests(&host.event.id).await?;
    let ticked: Vec<&Guest> = everybody.iter().filter(|guest| ids.contains(&guest.id)).collect();
    confirm::ask(host, question, &ticked, back)
}

/// Back to where the host was, which says what was done to how many.
pub fn done(back: &str, what: &str, count: usize) -> Response {
    let mark = if back.contains('?') { '&' } else { '?' };
    see_other(&format!("{back}{mark}done={what}&count={count}"))
}

/// What a host is told when a wish could not be carried out.
#[must_use]
pub fn host_error(error: HostError) -> PageError {
    match error {
        HostError::Store(error) => error.into(),
        HostError::NoSuchGuest => PageError::NotFound,
        HostError::Contention => PageError::Unavailable,
        error => PageError::BadRequest(sentence(error.to_string().trim_end_matches('.'))),
    }
}
