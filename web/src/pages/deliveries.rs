//! What did not arrive, or may not have, and why.

use std::collections::BTreeMap;

use askama::Template;
use axum::extract::State;
use domain::{model::Guest, show};
use store::{Entry, EntryStatus, Page};

use super::{
    Pages,
    respond::{Frame, PageResult, page},
    session::Host,
    words,
};

const MOST: u32 = 200;

#[derive(Template)]
#[template(path = "deliveries.html")]
struct Deliveries {
    frame: Frame,
    sent: u64,
    waiting: u64,
    rows: Vec<DeliveryRow>,
}

struct DeliveryRow {
    when: String,
    name: String,
    link: String,
    channel: &'static str,
    text: String,
    state: String,
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
pub async fn show(State(pages): State<Pages>, host: Host) -> PageResult {
    let store = &pages.web.app.store;
    let counts = store.outbox_counts().await?;
    let guests = pages.web.app.all_guests(&host.event.id).await?;
    let by_address = addresses(&pages, &guests).await?;
    let mut entries = Vec::new();
    for status in [EntryStatus::Failed, EntryStatus::Unknown] {
        entries.extend(store.entries(status, Page { after: None, limit: MOST }).await?);
    }
    entries.sort_by_key(|entry| std::cmp::Reverse(entry.created_at));
    // Other events' messages are none of this host's business.
    let rows = entries.iter().filter_map(|entry| {
        let guest = by_address.get(&entry.address.to_string())?;
        Some(DeliveryRow {
            when: words::moment(entry.created_at, host.event.time_zone),
            name: guest.full_name(),
            link: format!("/admin/guests/{}", guest.id),
            channel: words::channel(entry.address.shown_channel()),
            text: entry.text.as_ref().map_or_else(String::new, |text| show::plain(&text.text)),
            state: state(entry),
        })
    });
    page(&Deliveries {
        frame: host.frame("Deliveries", "deliveries"),
        sent: counts.sent,
        waiting: counts.pending + counts.leased,
        rows: rows.collect(),
    })
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
