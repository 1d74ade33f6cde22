//! The hosts' pages with a large guest list: how long they take at a steady rate, how large they are, and how long
//! lists take in and out.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use anyhow::{Context as _, ensure};
use base64::Engine as _;
use chrono::TimeDelta;
use reqwest::{Client, header::COOKIE, multipart};
use store::{Commit, Committed, GuestChange, Page, Store as _, sqlite::SqliteStore};
use tempfile::TempDir;
use tokio::task::JoinSet;
use web::tokens::{Issuer, Lifetimes, key_files};

use crate::{
    Plan, machine, population,
    report::{Progress, Report, line},
    server::{Server, Work},
};

/// Guests in the store, and rows in the file.
const GUESTS: usize = 10_000;
const REQUESTS_A_SECOND: u64 = 50;
const MOST_MILLIS: f64 = 50.0;
const MOST_BYTES: usize = 150 * 1024;
const MOST_IMPORT: f64 = 5.0;
const MOST_EXPORT: f64 = 2.0;
const EXPORTS: [(&str, &str); 2] = [("CSV", "/admin/export.csv"), ("XLSX", "/admin/export.xlsx")];
const FEW_TO_EXPORT: usize = 2_000;
/// In MiB: the store's own cache fills up to its bound.
const MOST_MORE_MEMORY: f64 = 8.0;
const MIB: f64 = 1024.0 * 1024.0;
const LISTS: [(&str, &str); 6] = [
    ("the first page", ""),
    ("no answer yet", "filter=pending"),
    ("coming, by name", "filter=coming&sort=name"),
    ("never logged in", "filter=never"),
    ("with dietary needs", "filter=dietary"),
    ("a search", "q=berg"),
];

/// A host's browser.
#[derive(Clone)]
struct Host {
    client: Client,
    base: String,
    cookie: String,
}

/// Measures the pages on a store of their own.
pub fn measure(plan: &Plan, report: &mut Report) -> anyhow::Result<()> {
    let folder = tempfile::Builder::new().prefix("pages-").tempdir_in(machine::scratch()?)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    runtime.block_on(async {
        let (path, token) = fill(&folder, GUESTS).await?;
        let (server, host) = Host::start(&path, &token)?;
        lists(plan, report, &host).await?;
        export(report, &host).await?;
        import(report, &host).await?;
        server.stop()?;
        export_memory(plan, report, &folder).await
    })
}

/// A store, and the token of a host in it.
async fn fill(folder: &TempDir, guests: usize) -> anyhow::Result<(PathBuf, String)> {
    let path = folder.path().join(format!("pages-{guests}.db"));
    let now = population::now();
    population::fill(&path, guests, &population::script(now)?, now).await?;
    let store = SqliteStore::open(&path)?;
    let event = store.events().await?.first().context("no event")?.id.clone();
    let mut host = store.guests(&event, Page { after: None, limit: 1 }).await?.pop().context("no guest")?;
    host.is_admin = true;
    let made = Commit { at: now, guests: vec![GuestChange::Update(host.clone())], ..Commit::default() };
    ensure!(store.commit(made).await? == Committed::Done, "there is no host");
    let keys = key_files::open(&Server::key_dir(&path))?;
    let lifetimes = Lifetimes { guest: TimeDelta::days(1), host: TimeDelta::days(1) };
    let token = Issuer::new("convive", lifetimes, keys).issue(&host, now)?;
    Ok((path, token))
}

impl Host {
    /// The server on this store, and a host who looks at it.
    fn start(store: &Path, token: &str) -> anyhow::Result<(Server, Self)> {
        let server = Server::start(Work::All, store, "http://127.0.0.1:9")?;
        let base = format!("http://{}", server.address);
        let client = bots::http_client(&base.parse()?)?;
        Ok((server, Self { client, base, cookie: format!("convive={token}") }))
    }

    /// How many bytes a file has; none of them are kept.
    async fn length(&self, path: &str) -> anyhow::Result<usize> {
        let request = self.client.get(format!("{}{path}", self.base)).header(COOKIE, &self.cookie);
        let mut answer = request.send().await?.error_for_status()?;
        let mut length = 0;
        while let Some(piece) = answer.chunk().await? {
            length += piece.len();
        }
        Ok(length)
    }

    async fn get(&self, path: &str) -> anyhow::Result<String> {
        let request = self.client.get(format!("{}{path}", self.base)).header(COOKIE, &self.cookie);
        let answer = request.send().await?;
        ensure!(answer.status() == 200, "{path}: {}", answer.status());
        Ok(answer.text().await?)
    }
}

async fn lists(plan: &Plan, report: &mut Report, host: &Host) -> anyhow::Result<()> {
    let count = (plan.messages / 40).max(REQUESTS_A_SECOND);
    let mut largest = 0;
    for (name, query) in LISTS {
        let path = format!("/admin/guests?{query}");
        largest = largest.max(host.get(&path).await?.len());
        let took = at_a_steady_rate(name, host, &path, count).await?;
        let shown = format!("{took:.1} ms (99th percentile)");
        report.target(
            &format!("guest list, {name}, {REQUESTS_A_SECOND}/s"),
            shown,
            "at most 50 ms",
            took <= MOST_MILLIS,
        );
    }
    let size = format!("{:.0} KiB", largest as f64 / 1024.0);
    report.target("  largest of these pages", size, "at most 150 KiB", largest <= MOST_BYTES);
    Ok(())
}

/// Requests begin when they are due, whether or not the ones before have ended. The 99th percentile in milliseconds.
async fn at_a_steady_rate(what: &str, host: &Host, path: &str, count: u64) -> anyhow::Result<f64> {
    let mut ticks = tokio::time::interval(Duration::from_micros(1_000_000 / REQUESTS_A_SECOND));
    let times = Arc::new(Mutex::new(Vec::new()));
    let mut progress = Progress::start(what, count);
    let mut running = JoinSet::new();
    for number in 0..count {
        ticks.tick().await;
        progress.at(number);
        let (host, path, times) = (host.clone(), path.to_owned(), Arc::clone(&times));
        let due = Instant::now();
        running.spawn(async move {
            host.get(&path).await?;
            times.lock().unwrap_or_else(PoisonError::into_inner).push(due.elapsed());
            anyhow::Ok(())
        });
    }
    while let Some(ended) = running.join_next().await {
        ended.context("a request was abandoned")??;
    }
    let mut times = times.lock().unwrap_or_else(PoisonError::into_inner).clone();
    times.sort();
    let at = (times.len() * 99).div_ceil(100).saturating_sub(1);
    Ok(times.get(at).context("nothing was measured")?.as_secs_f64() * 1e3)
}

/// The most memory that a program has that writes out a short list, and one that writes out a long one.
async fn export_memory(plan: &Plan, report: &mut Report, folder: &TempDir) -> anyhow::Result<()> {
    for (name, export) in EXPORTS {
        let mut peaks = Vec::new();
        for guests in [FEW_TO_EXPORT, plan.many / 2] {
            let (path, token) = fill(folder, guests).await?;
            let (server, host) = Host::start(&path, &token)?;
            let size = host.length(export).await?;
            let peak = server.most_resident()? as f64 / MIB;
            server.stop()?;
            line(&format!("  {name} of {guests} guests: {size} bytes, at most {peak:.1} MiB of memory"));
            peaks.push(peak);
            std::fs::remove_file(path)?;
        }
        let (few, many) = (peaks.first().context("no peak")?, peaks.last().context("no peak")?);
        report.target(
            &format!("memory of an export, {name}, {} guests beside {FEW_TO_EXPORT}", plan.many / 2),
            format!("{many:.1} MiB beside {few:.1} MiB"),
            "at most 8 MiB more",
            many - few <= MOST_MORE_MEMORY,
        );
    }
    Ok(())
}

async fn export(report: &mut Report, host: &Host) -> anyhow::Result<()> {
    for (name, path) in EXPORTS {
        let began = Instant::now();
        let size = host.length(path).await?;
        let took = began.elapsed().as_secs_f64();
        line(&format!("  {name}: {size} bytes"));
        report.target(
            &format!("export of {GUESTS} guests, {name}"),
            format!("{took:.2} s"),
            "at most 2 s",
            took <= MOST_EXPORT,
        );
    }
    Ok(())
}

async fn import(report: &mut Report, host: &Host) -> anyhow::Result<()> {
    let mut file = String::from("first_name,last_name,group,expected\n");
    for number in 0..GUESTS {
        file.push_str(&format!("Ada{number},Byron{number},import-{},2\n", number / 3));
    }
    let began = Instant::now();
    let page = host.get("/admin/import").await?;
    let part = multipart::Part::text(file).file_name("guests.csv");
    let form = multipart::Form::new().text("form", field(&page, "form")?.to_owned()).part("file", part);
    let preview = host.client.post(format!("{}/admin/import", host.base)).header(COOKIE, &host.cookie).multipart(form);
    let preview = preview.send().await?.error_for_status()?.text().await?;
    let looked = began.elapsed().as_secs_f64();
    let began = Instant::now();
    let fields: Vec<(&str, &str)> = ["form", "mark", "content"]
        .into_iter()
        .map(|name| Ok((name, field(&preview, name)?)))
        .collect::<anyhow::Result<_>>()?;
    ensure!(base64::engine::general_purpose::URL_SAFE_NO_PAD.decode(fields[2].1).is_ok(), "the preview lost the file");
    let confirm =
        host.client.post(format!("{}/admin/import/confirm", host.base)).header(COOKIE, &host.cookie).form(&fields);
    let done = confirm.send().await?.error_for_status()?.text().await?;
    ensure!(done.contains("10000 guests added"), "the import did something else");
    let took = began.elapsed().as_secs_f64();
    report.row(&format!("preview of {GUESTS} rows"), format!("{looked:.2} s"));
    report.target(&format!("import of {GUESTS} rows"), format!("{took:.2} s"), "at most 5 s", took <= MOST_IMPORT);
    Ok(())
}

/// The first hidden field of this name.
fn field<'a>(page: &'a str, name: &str) -> anyhow::Result<&'a str> {
    let mark = format!("name=\"{name}\" value=\"");
    let found = page.split_once(&mark).and_then(|(_, rest)| rest.split_once('"'));
    found.map(|(value, _)| value).with_context(|| format!("the page has no field {name}"))
}
