//! Import: a file is chosen, what it would change is shown, and then it is done, step by step before the host's eyes.

use app::HostError;
use askama::Template;
use axum::{
    body::{Body, Bytes},
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use domain::{
    guest_file::{self, LineError, Plan, ReadDefaults, Sheet},
    model::Event,
};
use futures_util::stream;
use sha2::{Digest, Sha256};
use tokio::{runtime::Handle, sync::mpsc, task::spawn_blocking};

use super::{
    Pages, carried,
    form::Fields,
    guests::host_error,
    respond::{Frame, PageError, PageResult, Problem, page, refused},
    session::{Host, HostForm, HostUpload},
    words,
    workbook::Read,
};

/// The largest guest list, as text too: some two hundred thousand guests.
pub const MOST_FILE_BYTES: usize = 16 * 1024 * 1024;
/// The largest form with such a file in it, whichever way it is written (base64 takes four bytes for three).
pub const MOST_FORM_BYTES: usize = MOST_FILE_BYTES / 3 * 4 + 1024 * 1024;
/// Lines of a list that are shown; the rest is counted.
const MOST_LINES: usize = 20_000;
/// Of a file with more faults than this the first are shown: their kind is clear.
const MOST_FAULTS: usize = 500;
/// Where the steps of an import go in the page around them.
const STEPS: &str = "<!-- steps -->";

#[derive(Template)]
#[template(path = "import.html")]
struct ImportPage {
    frame: Frame,
    errors: Vec<String>,
    preview: Option<Preview>,
    done: Option<Done>,
    notice: String,
    file_error: String,
}

/// The same without the page around it.
#[derive(Template)]
#[template(path = "import_result.html")]
struct ImportResult<'a> {
    frame: &'a Frame,
    errors: &'a [String],
    preview: &'a Option<Preview>,
    done: &'a Option<Done>,
    notice: &'a str,
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
        Self {
            frame: host.frame("Import", "import"),
            errors: Vec::new(),
            preview: None,
            done: None,
            notice: String::new(),
            file_error: String::new(),
        }
    }

    /// What is told, without the page around it.
    fn result(&self) -> Result<String, PageError> {
        let Self { frame, errors, preview, done, notice, .. } = self;
        Ok(ImportResult { frame, errors, preview, done, notice }.render()?)
    }

    fn blame_file(host: &Host, status: StatusCode, message: &str) -> PageResult {
        let mut shown = Self::new(host);
        shown.frame.problems.push(Problem::of("file", "Guest list", message));
        shown.file_error = message.to_owned();
        refused(status, &shown)
    }

    fn too_large(host: &Host) -> PageResult {
        let message = format!(
            "The file is larger than {} MB, which is the most that an import takes. Keep only the sheet and the \
             columns with your guests, or split the file in two: importing one after the other does the same.",
            MOST_FILE_BYTES / 1024 / 1024
        );
        Self::blame_file(host, StatusCode::PAYLOAD_TOO_LARGE, &message)
    }

    fn refused(host: &Host, errors: Vec<String>) -> PageResult {
        refused(StatusCode::UNPROCESSABLE_ENTITY, &Self { errors, ..Self::new(host) })
    }
}

/// Where a file is chosen.
pub async fn show(host: Host) -> PageResult {
    page(&ImportPage::new(&host))
}

/// What the file would change; nothing is changed yet.
pub async fn preview(State(pages): State<Pages>, form: HostUpload) -> PageResult {
    // A long list keeps a thread busy for seconds: none of those that serve everybody.
    let look = move || Handle::current().block_on(look(&pages, form));
    spawn_blocking(look).await.map_err(|_| PageError::Internal)?
}

async fn look(pages: &Pages, form: HostUpload) -> PageResult {
    let HostUpload { host, upload } = form;
    if upload.is_too_large || upload.content.len() > MOST_FILE_BYTES {
        return ImportPage::too_large(&host);
    }
    if upload.content.is_empty() {
        let choose = "Choose a file first: CSV, or a workbook (XLSX).";
        return ImportPage::blame_file(&host, StatusCode::UNPROCESSABLE_ENTITY, choose);
    }
    let Read { csv: content, faults } = match super::workbook::as_csv(upload.content, MOST_FILE_BYTES) {
        Ok(read) => read,
        Err(message) => return ImportPage::refused(&host, vec![message]),
    };
    if content.len() > MOST_FILE_BYTES {
        return ImportPage::too_large(&host);
    }
    let sheet = match guest_file::read(&content, &defaults(&host.event)) {
        Ok(sheet) => sheet,
        Err(errors) => return ImportPage::refused(&host, lines(&errors)),
    };
    match plan(pages, &host, &sheet).await? {
        Ok(plan) if faults.is_empty() => {
            let preview = Preview::of(&sheet, &plan, upload.name, &content);
            // The file is in the page, which is too long for an address.
            Ok(carried::for_back(page(&ImportPage { preview: Some(preview), ..ImportPage::new(&host) })?))
        }
        planned => ImportPage::refused(&host, [lines(&faults), planned.err().unwrap_or_default()].concat()),
    }
}

impl Preview {
    fn of(sheet: &Sheet, plan: &Plan, file: String, content: &[u8]) -> Self {
        let mut changes = plan.preview();
        let mark = mark(plan);
        let more = changes.len().saturating_sub(MOST_LINES);
        changes.truncate(MOST_LINES);
        Self {
            file,
            created: plan.created.len(),
            updated: plan.updated.len(),
            unchanged: plan.unchanged,
            changes,
            more,
            notices: listed(sheet.notices.iter().chain(&plan.notices)),
            content: URL_SAFE_NO_PAD.encode(content),
            mark,
        }
    }
}

fn lines(errors: &[LineError]) -> Vec<String> {
    listed(errors.iter())
}

/// The first of them; the rest is counted.
fn listed<T: ToString>(mut items: impl Iterator<Item = T>) -> Vec<String> {
    let mut list: Vec<String> = items.by_ref().take(MOST_FAULTS).map(|item| item.to_string()).collect();
    match items.count() {
        0 => {}
        more => list.push(format!("and {more} more")),
    }
    list
}

async fn plan(pages: &Pages, host: &Host, sheet: &Sheet) -> Result<Result<Plan, Vec<String>>, PageError> {
    match pages.web.app.plan_import(&host.event.id, sheet).await {
        Ok(plan) => Ok(Ok(plan)),
        Err(HostError::Rows(errors)) => Ok(Err(lines(&errors))),
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

/// The page around the steps of an import.
#[derive(Template)]
#[template(path = "importing.html")]
struct Importing {
    frame: Frame,
}

#[derive(Template)]
#[template(source = "<li>{{ text }}</li>\n", ext = "html")]
struct StepLine<'a> {
    text: &'a str,
}

/// Imports what was previewed. The answer is written while it is done, so that a host with a long list sees how far it
/// is, with or without script.
pub async fn confirm(State(pages): State<Pages>, form: HostForm) -> Result<Response, PageError> {
    let around = Importing { frame: form.host.frame("Importing", "import") }.render()?;
    let (before, after) = around.split_once(STEPS).ok_or(PageError::Internal)?;
    let (after, (sender, steps)) = (after.to_owned(), mpsc::channel(8));
    let first = Bytes::from(before.to_owned());
    let work = async move {
        let run = Run { pages, host: form.host, steps: sender };
        let ended = run
            .import(&form.fields)
            .await
            .or_else(|error| ImportPage { errors: vec![error.to_string()], ..ImportPage::new(&run.host) }.result());
        let ended = ended.unwrap_or_default();
        run.say(format!("</ol>\n</section>\n{ended}{after}")).await;
    };
    // Whoever leaves the page has not changed their mind; and a long list keeps a thread busy.
    spawn_blocking(move || Handle::current().block_on(work));
    let rest = stream::unfold(steps, |mut steps| async move { Some((steps.recv().await?, steps)) });
    let body = Body::from_stream(futures_util::StreamExt::chain(
        stream::once(std::future::ready(Ok::<Bytes, std::io::Error>(first))),
        futures_util::StreamExt::map(rest, Ok),
    ));
    Ok(carried::for_back(([(header::CONTENT_TYPE, "text/html; charset=utf-8")], body).into_response()))
}

/// An import that is being done.
struct Run {
    pages: Pages,
    host: Host,
    steps: mpsc::Sender<Bytes>,
}

impl Run {
    async fn say(&self, html: String) {
        // Nobody may be looking any more.
        let _ = self.steps.send(Bytes::from(html)).await;
    }

    async fn step(&self, text: &str) {
        self.say(StepLine { text }.render().unwrap_or_default()).await;
    }

    /// Does it, and says how it ended, as the rest of the page.
    async fn import(&self, fields: &Fields) -> Result<String, PageError> {
        let refused = |errors: Vec<String>| ImportPage { errors, ..ImportPage::new(&self.host) }.result();
        let Ok(content) = URL_SAFE_NO_PAD.decode(fields.text("content")) else {
            return refused(vec!["The file got lost on the way. Choose it again.".to_owned()]);
        };
        self.step("Reading the file").await;
        let sheet = match guest_file::read(&content, &defaults(&self.host.event)) {
            Ok(sheet) => sheet,
            Err(errors) => return refused(lines(&errors)),
        };
        let rows = words::count(sheet.rows.len() as u64, "row", "rows");
        self.step(&format!("Comparing {rows} with the guest list")).await;
        let planned = match plan(&self.pages, &self.host, &sheet).await? {
            Ok(plan) => plan,
            Err(errors) => return refused(errors),
        };
        if mark(&planned) != fields.text("mark") {
            let changed = "The list has changed since you looked. This is what the file would do now.".to_owned();
            let preview = Preview::of(&sheet, &planned, fields.text("file").to_owned(), &content);
            return ImportPage { notice: changed, preview: Some(preview), ..ImportPage::new(&self.host) }.result();
        }
        let changed = planned.created.len() + planned.updated.len();
        self.step(&format!("Saving {}", words::count(changed as u64, "change", "changes"))).await;
        let app = &self.pages.web.app;
        let plan = match app.import_guests(&self.host.event.id, &sheet, &self.host.actor()).await {
            Ok(plan) => plan,
            Err(HostError::Rows(errors)) => return refused(lines(&errors)),
            Err(error) => return Err(host_error(error)),
        };
        let summary = format!(
            "{} added, {} changed, {} as before.",
            words::count(plan.created.len() as u64, "guest", "guests"),
            plan.updated.len(),
            plan.unchanged
        );
        let code = |created: &guest_file::Created| (created.guest.full_name(), created.guest.token.clone());
        let codes = plan.created.iter().take(MOST_LINES).map(code).collect();
        ImportPage { done: Some(Done { summary, codes }), ..ImportPage::new(&self.host) }.result()
    }
}
