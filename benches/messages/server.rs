//! The measured program, in a process of its own.
//!
//! It is this binary, started again. With work it is [`Program`] as `convive serve` runs it; without, the same server
//! reads every message, checks its secret and answers 200.

use std::{
    io::{BufRead as _, BufReader, Read as _},
    net::SocketAddr,
    path::{Path, PathBuf},
    process::{Child, ChildStdin, Command, Stdio},
    sync::Arc,
};

use anyhow::{Context as _, ensure};
use axum::{
    Router,
    extract::Request,
    http::{HeaderName, StatusCode, header},
    response::Response,
    routing::{get, post},
};
use convive::{
    program::{Program, Roles, Surroundings},
    settings::Settings,
    telemetry, wiring,
};
use metrics_exporter_prometheus::PrometheusBuilder;
use tokio::net::TcpListener;
use tower_http::catch_panic::CatchPanicLayer;
use webhooks::body;

use crate::{machine, report};

/// Says that this process is the measured program.
pub const ARGUMENT: &str = "--be-the-server";
/// `telegram.webhook_secret`
pub const SECRET: &str = "benchmark-secret_1";
const CONSTANT: &str = r#"{"guest":{"_id":"6a5b1c2d3e4f5a6b7c8d9e0f","firstName":"Oluwaseun","lastName":"van der Berg","status":"pending","numGuests":0,"dietary":"","rsvpDate":null,"expectedGuests":1,"groupId":null,"own":{"numGuests":0,"self":false,"companions":0,"extra":0}},"groupMembers":[{"_id":"6a5b1c2d3e4f5a6b7c8d9e0f","firstName":"Oluwaseun","lastName":"van der Berg","expectedGuests":1,"status":"pending","numGuests":0,"dietary":"","self":false,"companions":0,"extra":0}],"familySum":1,"rsvpDeadline":"2026-11-20","event":{"id":"harbour-supper","name":"Harbour Supper","startsAt":"2026-11-28T18:00:00Z","timeZone":"Europe/London","closesAt":"2026-11-21T00:00:00Z","open":true,"place":"The Old Boathouse","hostContact":"Mia, 07700 900555"}}"#;
const READY: &str = "listening on http://";

/// Whether the server does anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    All,
    None,
}

/// The measured process. Dropping it ends it.
pub struct Server {
    child: Child,
    /// The server ends when this is closed.
    _stdin: ChildStdin,
    pub address: SocketAddr,
}

impl Server {
    /// Starts it on a store in a file, delivering to a fake Telegram, and waits until it is ready.
    pub fn start(work: Work, store: &Path, api_url: &str) -> anyhow::Result<Self> {
        Self::start_on(work, &format!("sqlite:{}", store.display()), &Self::key_dir(store), api_url)
    }

    /// Starts it on any store.
    pub fn start_on(work: Work, store_url: &str, key_dir: &Path, api_url: &str) -> anyhow::Result<Self> {
        let mut child = Command::new(std::env::current_exe()?)
            .arg(ARGUMENT)
            .arg(if work == Work::All { "all" } else { "none" })
            .arg(store_url)
            .arg(key_dir)
            .arg(api_url)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("cannot start the server")?;
        let stdin = child.stdin.take().context("no input")?;
        let mut lines = BufReader::new(child.stdout.take().context("no output")?).lines();
        let address = loop {
            let line = lines.next().context("the server ended before it was ready")??;
            if let Some(address) = line.strip_prefix(READY) {
                break address.parse()?;
            }
        };
        Ok(Self { child, _stdin: stdin, address })
    }

    /// Where the server on this store keeps its signing keys.
    pub fn key_dir(store: &Path) -> PathBuf {
        store.with_extension("keys")
    }

    /// Resident memory in bytes.
    pub fn resident(&self) -> anyhow::Result<u64> {
        machine::resident(self.child.id())
    }

    /// The most memory it ever had, in bytes.
    pub fn most_resident(&self) -> anyhow::Result<u64> {
        machine::most_resident_of(self.child.id())
    }

    /// Processor time used so far, in seconds.
    pub fn processor_time(&self) -> anyhow::Result<f64> {
        machine::processor_time(self.child.id())
    }

    /// Lets it finish what it has begun.
    pub fn stop(self) -> anyhow::Result<()> {
        let Self { mut child, _stdin: stdin, .. } = self;
        drop(stdin);
        let status = child.wait()?;
        ensure!(status.success(), "the server ended with {status}");
        Ok(())
    }
}

/// The server's side.
pub fn run(args: &[String]) -> anyhow::Result<()> {
    let [work, store_url, key_dir, api_url] = args else { anyhow::bail!("expected WORK STORE_URL KEY_DIR API_URL") };
    let work = if work == "all" { Work::All } else { Work::None };
    telemetry::start("info");
    let handle = PrometheusBuilder::new().install_recorder()?;
    let settings = settings(store_url, key_dir, api_url)?;
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(async {
        let store = wiring::open_store(&settings.store).await?;
        let around = Surroundings::real(store, Arc::new(move || handle.render()));
        let mut program = Program::build(&settings, Roles::ALL, around).await?;
        if work == Work::None {
            let router = Router::new().route("/webhooks/telegram", post(answer)).route("/api/rsvp", get(constant));
            program.router = router.layer(CatchPanicLayer::new());
        }
        let listener = TcpListener::bind(settings.http.listen).await?;
        report::line(&format!("{READY}{}", listener.local_addr()?));
        program.run(Roles::ALL, listener, input_closed()).await
    })
}

/// What the door does before it looks at a message.
async fn answer(request: Request) -> Response {
    let (head, rest) = request.into_parts();
    if let Err(refusal) = body::read(rest).await {
        return refusal;
    }
    let given = head.headers.get("x-telegram-bot-api-secret-token").map(|value| value.as_bytes());
    let is_telegram = body::same_secret(given.unwrap_or_default(), SECRET.as_bytes());
    body::status(if is_telegram { StatusCode::OK } else { StatusCode::UNAUTHORIZED })
}

/// As long as what a guest without a group is shown.
async fn constant() -> ([(HeaderName, &'static str); 1], &'static str) {
    ([(header::CONTENT_TYPE, "application/json")], CONSTANT)
}

fn settings(store_url: &str, key_dir: &str, api_url: &str) -> anyhow::Result<Settings> {
    let variables = [
        ("STORE__URL", store_url.to_owned()),
        ("AUTH__KEY_DIR", key_dir.to_owned()),
        ("HTTP__LISTEN", "127.0.0.1:0".to_owned()),
        ("TELEGRAM__TOKEN", fakes::telegram::FakeTelegram::TOKEN.to_owned()),
        ("TELEGRAM__MODE", "webhook".to_owned()),
        ("TELEGRAM__WEBHOOK_SECRET", SECRET.to_owned()),
        ("TELEGRAM__API_URL", api_url.to_owned()),
        ("HTTP__PUBLIC_URL", "https://rsvp.example.org".to_owned()),
    ];
    let variables = variables.into_iter().map(|(name, value)| (format!("CONVIVE__{name}"), value));
    // An empty file: whatever lies in the folder from which this is started means nothing here.
    let file = tempfile::NamedTempFile::new()?;
    Ok(Settings::load(Some(file.path()), variables)?)
}

/// Ends when whoever started this process closes its input, or is gone.
async fn input_closed() {
    let waited = tokio::task::spawn_blocking(|| std::io::stdin().read(&mut [0])).await;
    // However the waiting ended, it is the end.
    drop(waited);
}
