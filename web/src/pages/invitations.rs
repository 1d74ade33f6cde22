//! Invitations to forward or to print: text, link and QR code for each guest.

use askama::Template;
use axum::extract::{RawQuery, State};
use domain::model::{Event, Guest, Status};
use qrcode::{EcLevel, QrCode, render::svg};
use store::GuestQuery;

use super::{
    Pages,
    form::Fields,
    guests::{find_page, host_error, last_page},
    respond::{Frame, PageResult, page},
    session::Host,
    words,
};

/// Invitations on one page, and on one sheet to print.
const PER_SHEET: u32 = 100;

#[derive(Template)]
#[template(path = "invitations.html")]
struct Invitations {
    frame: Frame,
    cards: Vec<Card>,
    only_pending: bool,
    event_lines: Vec<String>,
    deadline: String,
    page: u64,
    pages: u64,
    previous: Option<String>,
    next: Option<String>,
}

struct Card {
    name: String,
    code: String,
    link: String,
    text: String,
    /// The link for a phone's camera: an SVG image of ours.
    qr: String,
}

/// Where a guest answers: the bot with their code or, where there is none, the page.
#[must_use]
pub fn link(pages: &Pages, base: &str, guest: &Guest) -> String {
    let page = || {
        let code = form_urlencoded::Serializer::new(String::new()).append_pair("code", &guest.token).finish();
        format!("{}/?{code}", base)
    };
    (pages.bot_link)(&guest.token).unwrap_or_else(page)
}

/// What a host can send to a guest.
#[must_use]
pub fn text(pages: &Pages, base: &str, event: &Event, guest: &Guest) -> String {
    format!(
        "Dear {}, you are invited to {}: {}. Please answer by {}: {} (your code: {})",
        guest.short_name(),
        event.name,
        words::event_lines(event).join(", "),
        words::deadline(event.closes_at(), event.time_zone),
        link(pages, base, guest),
        guest.token
    )
}

/// A sheet with all invitations, to print or to copy from.
pub async fn show(State(pages): State<Pages>, host: Host, RawQuery(query): RawQuery) -> PageResult {
    let query = Fields::parse(query.unwrap_or_default().as_bytes());
    let only_pending = query.has("pending");
    let event = &host.event;
    let (guests, at, last) = if query.has("guest") {
        let ids = query.all("guest").filter_map(|id| id.parse().ok()).take(PER_SHEET as usize);
        let mut guests = Vec::new();
        for id in ids {
            guests.push(pages.web.app.guest_of(&event.id, id).await.map_err(host_error)?);
        }
        (guests, 1, 1)
    } else {
        let mut wanted = GuestQuery::all_of(event.id.clone(), PER_SHEET);
        wanted.status = only_pending.then_some(Status::Pending);
        let (found, at) = find_page(&pages, wanted, query.text("page").parse().unwrap_or(1)).await?;
        let last = last_page(found.total, PER_SHEET);
        (found.guests, at, last)
    };
    let sheet = |page: u64| format!("/admin/invitations?{}page={page}", if only_pending { "pending=yes&" } else { "" });
    let card = |guest: &Guest| Card {
        name: guest.full_name(),
        code: guest.token.clone(),
        link: link(&pages, &host.base, guest),
        text: text(&pages, &host.base, event, guest),
        qr: qr(&link(&pages, &host.base, guest)),
    };
    page(&Invitations {
        frame: host.frame("Invitations", "invitations"),
        cards: guests.iter().map(card).collect(),
        page: at,
        pages: last,
        previous: (at > 1).then(|| sheet(at - 1)),
        next: (at < last).then(|| sheet(at + 1)),
        only_pending,
        event_lines: words::event_lines(event),
        deadline: words::deadline(event.closes_at(), event.time_zone),
    })
}

/// An SVG element of dark squares; empty for a link that no code could hold.
fn qr(link: &str) -> String {
    let Ok(code) = QrCode::with_error_correction_level(link, EcLevel::M) else { return String::new() };
    let image = code.render::<svg::Color<'_>>().min_dimensions(160, 160).build();
    // Its place is inside a page: no XML declaration.
    image.find("<svg").map(|at| image[at..].to_owned()).unwrap_or_default()
}
