//! The guest list as a file to keep.

use std::sync::Arc;

use axum::{
    body::{Body, Bytes},
    extract::State,
    response::Response,
};
use domain::{
    guest_file,
    model::{Event, Guest, GuestId},
};
use futures_util::{StreamExt, future, stream};
use store::{Page, StoreError};

use super::{
    Pages,
    respond::{PageError, download},
    session::Host,
};

const CSV: &str = "text/csv; charset=utf-8";
/// Guests written at a time: the whole list is never in memory.
const AT_ONCE: u32 = 500;

/// The list as a file that spreadsheets open and import reads back.
pub async fn csv(State(pages): State<Pages>, host: Host) -> Response {
    let name = format!("{}-guests.csv", host.event.id);
    let event = Arc::new(host.event);
    let header = stream::once(future::ready(Ok(Bytes::from(guest_file::header()))));
    let lines = stream::try_unfold(None, move |after| lines_after(pages.clone(), Arc::clone(&event), after));
    download(&name, CSV, Body::from_stream(header.chain(lines)))
}

/// The next piece of the file. Where the store fails the download is broken off, so that nobody takes it for whole.
async fn lines_after(
    pages: Pages,
    event: Arc<Event>,
    after: Option<GuestId>,
) -> Result<Option<(Bytes, Option<GuestId>)>, StoreError> {
    let read = pages.web.app.store.guests(&event.id, Page { after, limit: AT_ONCE }).await;
    let guests = read.inspect_err(|error| tracing::warn!(%error, "an export ended early"))?;
    let Some(last) = guests.last().map(|guest| guest.id) else { return Ok(None) };
    let mut text = String::new();
    for guest in &guests {
        text.push_str(&guest_file::line(guest, &event, who_answered(&pages, guest, &guests).await?.as_ref()));
    }
    Ok(Some((Bytes::from(text), Some(last))))
}

async fn who_answered(pages: &Pages, guest: &Guest, near: &[Guest]) -> Result<Option<Guest>, StoreError> {
    let Some(by) = guest.answered_by.as_ref().map(|by| by.guest_id) else { return Ok(None) };
    match near.iter().find(|other| other.id == by) {
        Some(found) => Ok(Some(found.clone())),
        None => pages.web.app.store.guest(by).await,
    }
}

/// The list as a workbook.
pub async fn xlsx(State(pages): State<Pages>, host: Host) -> Result<Response, PageError> {
    let guests = pages.web.app.all_guests(&host.event.id).await?;
    let file = guest_file::write(&guests, &host.event);
    let workbook = tokio::task::spawn_blocking(move || super::workbook::from_csv(&file)).await;
    let workbook = workbook.map_err(|_| PageError::Internal)?.map_err(|error| {
        tracing::error!(%error, "a workbook could not be written");
        PageError::Internal
    })?;
    let name = format!("{}-guests.xlsx", host.event.id);
    Ok(download(&name, super::workbook::MEDIA_TYPE, workbook))
}
