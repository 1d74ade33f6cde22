//! What did not arrive, or may not have, and why.

use std::collections::BTreeMap;

use app::{SendAgainError, Undelivered};
use askama::Template;
use axum::{
    extract::{RawQuery, State},
    http::StatusCode,
};
use domain::{address::Address, model::Guest, show};
use store::{Entry, EntryStatus};

use super::{
    Pages,
    form::Fields,
    respond::{Frame, PageError, PageResult, page, refused, see_other},
    session::{Host, HostForm},
    words,
};

const MOST: u32 = 200;

#[derive(Template)]
#[template(path = "deliveries.html")]
struct Deliveries {
    frame: Frame,
    counts: Option<String>,
    rows: Vec<DeliveryRow>,
    error: String,
}

struct DeliveryRow {
    when: String,
    name: String,
    link: String,
    channel: &'static str,
    text: String,
    state: String,
    id: String,
    address: String,
    sent_again: bool,
}

/// How a message did, in words.
#[must_use]
pub fn state(entry: &Entry) -> String {
    let why = entry.reason.as_deref().map(|why| format!(": {why}")).unwrap_or_default();
    match entry.status {
        EntryStatus::Pending | EntryStatus::Leased => format!("waiting{why}"),
        EntryStatus::Sent => entry.delivery.map_or("sent", |delivery| delivery.as_str()).to_owned(),
        EntryStatus::Failed => format!("not delivered{why}"),
        EntryStatus::Unknown => format!("nobody knows whether it arrived{why}"),
        EntryStatus::Dropped => format!("not sent{why}"),
    }
}

/// Failed and unknown messages to guests of the event.
pub async fn show(State(pages): State<Pages>, host: Host, RawQuery(query): RawQuery) -> PageResult {
    let done = Fields::parse(query.unwrap_or_default().as_bytes());
    let notice = if done.has("done") { "It is on its way once more." } else { "" };
    page(&Deliveries { frame: Frame { notice: notice.to_owned(), ..frame(&host) }, ..load(&pages, &host).await? })
}

fn frame(host: &Host) -> Frame {
    host.frame("Deliveries", "deliveries")
}

/// How many of the event's messages may not have arrived, and were not sent again.
///
/// # Errors
/// When the store cannot be read.
pub async fn not_arrived(pages: &Pages, host: &Host, guests: &[Guest]) -> Result<u64, store::StoreError> {
    let undelivered = pages.web.app.undelivered(MOST).await?;
    if undelivered.is_empty() {
        return Ok(0);
    }
    let by_address = addresses(pages, guests).await?;
    let is_open = |row: &&Undelivered| !row.sent_again && whom(&row.entry, host, guests, &by_address).is_some();
    Ok(undelivered.iter().filter(is_open).count() as u64)
}

async fn load(pages: &Pages, host: &Host) -> Result<Deliveries, PageError> {
    let app = &pages.web.app;
    // What is counted belongs to all events.
    let is_only = app.store.events().await?.len() == 1;
    let counts = if is_only { Some(app.store.outbox_counts().await?) } else { None };
    let guests = app.all_guests(&host.event.id).await?;
    let by_address = addresses(pages, &guests).await?;
    let undelivered = app.undelivered(MOST).await?;
    let rows = undelivered.iter().filter_map(|Undelivered { entry, sent_again }| {
        let guest = whom(entry, host, &guests, &by_address)?;
        Some(DeliveryRow {
            when: words::moment(entry.created_at, host.event.time_zone),
            name: guest.full_name(),
            link: format!("/admin/guests/{}", guest.id),
            channel: words::channel(entry.address.shown_channel()),
            text: entry.text.as_ref().map_or_else(String::new, |text| show::plain(&text.text)),
            state: state(entry),
            id: entry.id.clone(),
            address: entry.address.to_string(),
            sent_again: *sent_again,
        })
    });
    Ok(Deliveries {
        frame: frame(host),
        counts: counts.map(|counts| format!("{} sent, {} waiting.", counts.sent, counts.pending + counts.leased)),
        rows: rows.collect(),
        error: String::new(),
    })
}

/// The guest whom a message was for; other events' messages are none of this host's business.
fn whom<'a>(
    entry: &Entry,
    host: &Host,
    guests: &'a [Guest],
    by_address: &BTreeMap<String, &'a Guest>,
) -> Option<&'a Guest> {
    let about = match &entry.initiated {
        Some(initiated) if initiated.event != host.event.id => return None,
        // A phone that never wrote to us is nobody's address yet.
        Some(initiated) => initiated.notice.to_guests().and_then(|guests| guests.first()),
        None => None,
    };
    let about = about.and_then(|id| guests.iter().find(|guest| guest.id == *id));
    about.or_else(|| by_address.get(&entry.address.to_string()).copied())
}

/// Sends one of them once more.
pub async fn send_again(State(pages): State<Pages>, form: HostForm) -> PageResult {
    let HostForm { host, fields } = form;
    let address: Address = fields.text("address").parse().map_err(|_| PageError::NotFound)?;
    match pages.web.app.send_again(&host.event.id, &address, fields.text("id")).await {
        Ok(()) => Ok(see_other("/admin/deliveries?done=again")),
        Err(SendAgainError::Store(error)) => Err(error.into()),
        Err(error) => {
            let error = format!("Not sent: {error}.");
            refused(StatusCode::CONFLICT, &Deliveries { error, ..load(&pages, &host).await? })
        }
    }
}

async fn addresses<'a>(pages: &Pages, guests: &'a [Guest]) -> Result<BTreeMap<String, &'a Guest>, store::StoreError> {
    let mut by_address = BTreeMap::new();
    for some in guests.chunks(500) {
        let ids: Vec<_> = some.iter().map(|guest| guest.id).collect();
        for link in pages.web.app.store.links(&ids).await? {
            if let Some(guest) = some.iter().find(|guest| guest.id == link.guest) {
                by_address.insert(link.address.to_string(), guest);
            }
        }
    }
    Ok(by_address)
}
