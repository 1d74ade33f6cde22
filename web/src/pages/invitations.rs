//! Invitations to forward or to print: text, link and QR code for each guest.

use askama::Template;
use axum::extract::{RawQuery, State};
use domain::model::{Event, Guest, Status};
use qrcode::{EcLevel, QrCode, render::svg};

use super::{
    Pages,
    form::Fields,
    respond::{Frame, PageResult, page},
    session::Host,
    words,
};

#[derive(Template)]
#[template(path = "invitations.html")]
struct Invitations {
    frame: Frame,
    cards: Vec<Card>,
    only_pending: bool,
    event_lines: Vec<String>,
    deadline: String,
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
    let guests = pages.web.app.all_guests(&event.id).await?;
    let wanted = guests.iter().filter(|guest| {
        let is_named = !query.has("guest") || query.all("guest").any(|id| id == guest.id.to_string());
        is_named && (!only_pending || guest.status == Status::Pending)
    });
    let card = |guest: &Guest| Card {
        name: guest.full_name(),
        code: guest.token.clone(),
        link: link(&pages, &host.base, guest),
        text: text(&pages, &host.base, event, guest),
        qr: qr(&link(&pages, &host.base, guest)),
    };
    page(&Invitations {
        frame: host.frame("Invitations", "invitations"),
        cards: wanted.map(card).collect(),
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
