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
use futures_util::{Stream, StreamExt, future, stream};
use store::{Page, StoreError};
use tokio::{io::AsyncReadExt, runtime::Handle, task::spawn_blocking};

use super::{
    Pages,
    respond::{PageError, download},
    session::Host,
};

const CSV: &str = "text/csv; charset=utf-8";
/// Guests written at a time: the whole list is never in memory.
const AT_ONCE: u32 = 500;
/// Bytes of a workbook that are sent at a time.
const PIECE: usize = 64 * 1024;

/// The list as a file that spreadsheets open and import reads back.
pub async fn csv(State(pages): State<Pages>, host: Host) -> Response {
    let name = format!("{}-guests.csv", host.event.id);
    let event = Arc::new(host.event);
    let header = stream::once(future::ready(Ok(Bytes::from(guest_file::header()))));
    let lines = stream::try_unfold(None, move |after| {
        let lines = lines_after(pages.clone(), Arc::clone(&event), after);
        async move { Ok::<_, StoreError>(lines.await?.map(|(lines, last)| (Bytes::from(lines), last))) }
    });
    download(&name, CSV, Body::from_stream(header.chain(lines)))
}

/// The next piece of the file. Where the store fails the download is broken off, so that nobody takes it for whole.
async fn lines_after(
    pages: Pages,
    event: Arc<Event>,
    after: Option<GuestId>,
) -> Result<Option<(String, Option<GuestId>)>, StoreError> {
    let read = pages.web.app.store.guests(&event.id, Page { after, limit: AT_ONCE }).await;
    let guests = read.inspect_err(|error| tracing::warn!(%error, "an export ended early"))?;
    let Some(last) = guests.last().map(|guest| guest.id) else { return Ok(None) };
    let mut text = String::new();
    for guest in &guests {
        text.push_str(&guest_file::line(guest, &event, who_answered(&pages, guest, &guests).await?.as_ref()));
    }
    Ok(Some((text, Some(last))))
}

async fn who_answered(pages: &Pages, guest: &Guest, near: &[Guest]) -> Result<Option<Guest>, StoreError> {
    let Some(by) = guest.answered_by.as_ref().map(|by| by.guest_id) else { return Ok(None) };
    match near.iter().find(|other| other.id == by) {
        Some(found) => Ok(Some(found.clone())),
        None => pages.web.app.store.guest(by).await,
    }
}

/// The list as a workbook: written to the end first, since its table of contents comes last, then sent.
pub async fn xlsx(State(pages): State<Pages>, host: Host) -> Result<Response, PageError> {
    let name = format!("{}-guests.xlsx", host.event.id);
    let write = move || Handle::current().block_on(workbook(&pages, host.event));
    let written = spawn_blocking(write).await.map_err(|_| PageError::Internal)?;
    let file = written.inspect_err(|error| tracing::error!(%error, "a workbook could not be written"))?;
    Ok(download(&name, super::workbook::MEDIA_TYPE, Body::from_stream(pieces(file))))
}

/// Why there is no workbook.
#[derive(Debug, thiserror::Error)]
enum WorkbookError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Written(#[from] rust_xlsxwriter::XlsxError),
}

impl From<WorkbookError> for PageError {
    fn from(error: WorkbookError) -> Self {
        match error {
            WorkbookError::Store(error) => error.into(),
            WorkbookError::Written(_) => Self::Internal,
        }
    }
}

async fn workbook(pages: &Pages, event: Event) -> Result<std::fs::File, WorkbookError> {
    let mut workbook = super::workbook::Writer::new()?;
    workbook.write(&guest_file::header())?;
    let event = Arc::new(event);
    let mut after = None;
    while let Some((lines, last)) = lines_after(pages.clone(), Arc::clone(&event), after).await? {
        workbook.write(&lines)?;
        after = last;
    }
    Ok(workbook.finish()?)
}

/// A file, piece by piece.
fn pieces(file: std::fs::File) -> impl Stream<Item = std::io::Result<Bytes>> {
    stream::try_unfold(tokio::fs::File::from_std(file), |mut file| async move {
        let mut piece = vec![0; PIECE];
        let length = file.read(&mut piece).await?;
        piece.truncate(length);
        Ok((length > 0).then(|| (Bytes::from(piece), file)))
    })
}
