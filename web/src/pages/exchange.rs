//! The guest list in and out: import with a preview of every change, export.

use std::sync::Arc;

use app::HostError;
use askama::Template;
use axum::{
    body::{Body, Bytes},
    extract::State,
    http::StatusCode,
    response::Response,
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use domain::{
    guest_file::{self, Plan, ReadDefaults},
    model::{Event, Guest, GuestId},
};
use futures_util::{StreamExt, future, stream};
use sha2::{Digest, Sha256};
use store::{Page, StoreError};

use super::{
    Pages,
    guests::host_error,
    respond::{Frame, PageError, PageResult, download, page, refused},
    session::{Host, HostForm, HostUpload},
    words,
};

const CSV: &str = "text/csv; charset=utf-8";
/// Guests written at a time: the whole list is never in memory.
const AT_ONCE: u32 = 500;
/// Lines of a preview that are shown; the rest is counted.
const MOST_LINES: usize = 500;

#[derive(Template)]
#[template(path = "import.html")]
struct ImportPage {
    frame: Frame,
    errors: Vec<String>,
    preview: Option<Preview>,
    done: Option<Done>,
}

/// What importing the file would do.
struct Preview {
    file: String,
    created: usize,
    updated: usize,
    unchanged: usize,
    changes: Vec<String>,
    more: usize,
    notices: Vec<String>,
    /// The file, to come back with the confirmation.
    content: String,
    /// What was shown: if the list has changed since, it is shown again.
    mark: String,
}

/// What importing the file did.
struct Done {
    summary: String,
    codes: Vec<(String, String)>,
}

impl ImportPage {
    fn new(host: &Host) -> Self {
        Self { frame: host.frame("Import", "import"), errors: Vec::new(), preview: None, done: None }
    }

    fn refused(host: &Host, errors: Vec<String>) -> PageResult {
        refused(StatusCode::UNPROCESSABLE_ENTITY, &Self { errors, ..Self::new(host) })
    }
}

/// Where a file is chosen.
pub async fn page_of_import(host: Host) -> PageResult {
    page(&ImportPage::new(&host))
}

/// What the file would change; nothing is changed yet.
pub async fn preview(State(pages): State<Pages>, form: HostUpload) -> PageResult {
    let HostUpload { host, upload } = form;
    if upload.content.is_empty() {
        return ImportPage::refused(&host, vec!["Choose a file first: CSV, or a workbook (XLSX).".to_owned()]);
    }
    let content = match super::workbook::as_csv(upload.content) {
        Ok(content) => content,
        Err(message) => return ImportPage::refused(&host, vec![message]),
    };
    show_preview(&pages, &host, upload.name, &content, None).await
}

async fn show_preview(pages: &Pages, host: &Host, file: String, content: &[u8], notice: Option<&str>) -> PageResult {
    let plan = match plan(pages, host, content).await? {
        Ok(plan) => plan,
        Err(errors) => return ImportPage::refused(host, errors),
    };
    let mut changes = plan.preview();
    let mark = mark(&plan);
    let more = changes.len().saturating_sub(MOST_LINES);
    changes.truncate(MOST_LINES);
    let preview = Preview {
        file,
        created: plan.created.len(),
        updated: plan.updated.len(),
        unchanged: plan.unchanged,
        changes,
        more,
        notices: plan.notices.iter().map(ToString::to_string).collect(),
        content: URL_SAFE_NO_PAD.encode(content),
        mark,
    };
    let mut shown = ImportPage { preview: Some(preview), ..ImportPage::new(host) };
    shown.frame.notice = notice.unwrap_or_default().to_owned();
    page(&shown)
}

async fn plan(pages: &Pages, host: &Host, content: &[u8]) -> Result<Result<Plan, Vec<String>>, PageError> {
    let lines = |errors: Vec<guest_file::LineError>| errors.iter().map(ToString::to_string).collect();
    let sheet = match guest_file::read(content, &defaults(&host.event)) {
        Ok(sheet) => sheet,
        Err(errors) => return Ok(Err(lines(errors))),
    };
    match pages.web.app.plan_import(&host.event.id, &sheet).await {
        Ok(plan) => Ok(Ok(plan)),
        Err(HostError::Rows(errors)) => Ok(Err(lines(errors))),
        Err(error) => Err(host_error(error)),
    }
}

fn defaults(event: &Event) -> ReadDefaults<'_> {
    ReadDefaults { region: event.phone_region.as_deref() }
}

/// Drawn codes differ each time and are not part of it.
fn mark(plan: &Plan) -> String {
    let mut digest = Sha256::new();
    for line in plan.preview() {
        digest.update(line);
        digest.update([0]);
    }
    hex::encode(&digest.finalize()[..8])
}

/// Imports what was previewed.
pub async fn confirm(State(pages): State<Pages>, form: HostForm) -> PageResult {
    let HostForm { host, fields } = form;
    let content = URL_SAFE_NO_PAD.decode(fields.text("content"));
    let Ok(content) = content else {
        return ImportPage::refused(&host, vec!["The file got lost on the way. Choose it again.".to_owned()]);
    };
    let planned = match plan(&pages, &host, &content).await? {
        Ok(plan) => plan,
        Err(errors) => return ImportPage::refused(&host, errors),
    };
    if mark(&planned) != fields.text("mark") {
        let notice = "The list has changed since you looked. This is what the file would do now.";
        return show_preview(&pages, &host, fields.text("file").to_owned(), &content, Some(notice)).await;
    }
    let sheet = guest_file::read(&content, &defaults(&host.event));
    let sheet =
        sheet.map_err(|_| PageError::BadRequest("The file cannot be read any more. Choose it again.".to_owned()))?;
    let plan = pages.web.app.import_guests(&host.event.id, &sheet, &host.actor()).await.map_err(host_error)?;
    let summary = format!(
        "{} added, {} changed, {} as before.",
        words::count(plan.created.len() as u64, "guest", "guests"),
        plan.updated.len(),
        plan.unchanged
    );
    let codes = plan.created.iter().map(|created| (created.guest.full_name(), created.guest.token.clone())).collect();
    page(&ImportPage { done: Some(Done { summary, codes }), ..ImportPage::new(&host) })
}

/// The list as a file that spreadsheets open and import reads back.
pub async fn export_csv(State(pages): State<Pages>, host: Host) -> Response {
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
pub async fn export_xlsx(State(pages): State<Pages>, host: Host) -> Result<Response, PageError> {
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
