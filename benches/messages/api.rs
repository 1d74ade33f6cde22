//! The JSON API: what a look at one's own answer costs beside a server that shows the same text to everybody, what a
//! login costs beside its signature, and how many of the published client's exchanges the server takes.

use std::{
    cell::{Cell, RefCell},
    net::SocketAddr,
    path::{Path, PathBuf},
    rc::Rc,
    time::{Duration, Instant},
};

use anyhow::{Context as _, ensure};
use chrono::TimeDelta;
use domain::model::{EventId, Guest};
use store::{Commit, Committed, EventChange, GuestChange, Page, Store as _, mongo::MongoStore, sqlite::SqliteStore};
use tempfile::TempDir;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    task::{JoinSet, LocalSet},
};
use web::tokens::{Issuer, Lifetimes, key_files};

use crate::{
    Plan, machine, population,
    report::{Progress, Report, line, median},
    server::{Server, Work},
};

/// Guests in the store.
const GUESTS: usize = 10_000;
const CONNECTIONS: usize = 32;
/// Guests whose requests are sent: a token takes half a millisecond to sign.
const CLIENTS: usize = 500;
/// Nothing is delivered here.
const NOWHERE: &str = "http://127.0.0.1:9";
const LIFETIMES: Lifetimes = Lifetimes { guest: TimeDelta::days(1), host: TimeDelta::days(1) };
const LEAST_RATIO: f64 = 0.25;
const MOST_LOGIN: f64 = 1.5;

/// One guest's requests, ready to be sent.
struct Client {
    login: Vec<u8>,
    get: Vec<u8>,
    put: Vec<u8>,
}

/// Measures the API on a store of its own.
pub fn measure(plan: &Plan, report: &mut Report) -> anyhow::Result<()> {
    let folder = tempfile::Builder::new().prefix("api-").tempdir_in(machine::scratch()?)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let (path, guests) = runtime.block_on(fill(&folder))?;
    let keys = key_files::open(&Server::key_dir(&path))?;
    let issuer = Issuer::new("convive", LIFETIMES, keys);
    let clients = clients(&guests, &issuer)?;
    look(plan, report, &path, &clients)?;
    login(plan, report, &path, &clients, signature_seconds(&issuer, &guests[0])?)?;
    job(plan, report, &path, &clients)
}

async fn fill(folder: &TempDir) -> anyhow::Result<(PathBuf, Vec<Guest>)> {
    let path = folder.path().join("api.db");
    let now = population::now();
    population::fill(&path, GUESTS, &population::script(now)?, now).await?;
    let store = SqliteStore::open(&path)?;
    let event: EventId = store.events().await?.first().context("no event")?.id.clone();
    let mut guests = store.guests(&event, Page { after: None, limit: 5_000 }).await?;
    // Whoever answers for themselves alone needs to say no more than a number.
    guests.retain(|guest| guest.group_id.is_none());
    guests.truncate(CLIENTS);
    ensure!(guests.len() == CLIENTS, "too few guests without a group");
    Ok((path, guests))
}

fn clients(guests: &[Guest], issuer: &Issuer) -> anyhow::Result<Vec<Client>> {
    let client = |guest: &Guest| {
        let token = issuer.issue(guest, population::now())?;
        let bearer = format!("Authorization: Bearer {token}\r\n");
        let login = format!(r#"{{"token":"{}","lastName":"{}"}}"#, guest.token, guest.last_name);
        Ok(Client {
            login: request("POST", "/api/auth/login", "", &login),
            get: request("GET", "/api/rsvp", &bearer, ""),
            put: request("PUT", "/api/rsvp", &bearer, r#"{"numGuests":1,"dietary":"no nuts"}"#),
        })
    };
    guests.iter().map(client).collect()
}

fn request(method: &str, path: &str, headers: &str, body: &str) -> Vec<u8> {
    format!(
        "{method} {path} HTTP/1.1\r\nHost: rsvp.example.org\r\n{headers}Content-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

fn look(plan: &Plan, report: &mut Report, path: &Path, clients: &[Client]) -> anyhow::Result<()> {
    let gets: Vec<&[u8]> = clients.iter().map(|client| client.get.as_slice()).collect();
    let (mut ratios, mut rates, mut constants) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..plan.ratio_pairs {
        let constant =
            with_server(Work::None, path, |server| rate("looks without work", server, &gets, plan.empty_messages))?;
        let real = with_server(Work::All, path, |server| rate("looks", server, &gets, plan.messages))?;
        line(&format!("  looks: {real:.0}/s, {constant:.0}/s without work"));
        ratios.push(real / constant);
        rates.push(real);
        constants.push(constant);
    }
    let ratio = median(ratios);
    report.row("GET /api/rsvp, a constant", format!("{:.0}/s", median(constants)));
    report.row(&format!("GET /api/rsvp, {GUESTS} guests stored"), format!("{:.0}/s", median(rates)));
    report.target("  ratio of the two", format!("{ratio:.2}"), "at least 0.25", ratio >= LEAST_RATIO);
    Ok(())
}

/// Processor time is compared: the signature is all computing, and so is nearly all of a login.
fn login(plan: &Plan, report: &mut Report, path: &Path, clients: &[Client], signature: f64) -> anyhow::Result<()> {
    let logins: Vec<&[u8]> = clients.iter().map(|client| client.login.as_slice()).collect();
    let count = plan.messages / 4;
    let cost = with_server(Work::All, path, |server| {
        rate("warming up", server, &logins, plan.warm_up / 4)?;
        let before = server.processor_time()?;
        rate("logins", server, &logins, count)?;
        Ok((server.processor_time()? - before) / count as f64)
    })?;
    let times = cost / signature;
    report.row("a signature", format!("{:.0} µs of processor", signature * 1e6));
    report.target("POST /api/auth/login", format!("{times:.2} times that"), "at most 1.5", times <= MOST_LOGIN);
    Ok(())
}

/// The published client's exchanges: log in, look, answer.
fn job(plan: &Plan, report: &mut Report, path: &Path, clients: &[Client]) -> anyhow::Result<()> {
    let jobs = with_server(Work::All, path, |server| jobs_a_second(server, clients, plan.messages / 10))?;
    report.row("login, GET and PUT of a guest, SQLite", format!("{jobs:.0}/s"));
    Ok(())
}

/// The same on MongoDB, with the same guests.
pub fn job_on_mongodb(plan: &Plan, report: &mut Report, database_url: &str) -> anyhow::Result<()> {
    let folder = tempfile::Builder::new().prefix("api-").tempdir_in(machine::scratch()?)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let (path, guests) = runtime.block_on(fill(&folder))?;
    runtime.block_on(bring_over(&path, &guests, database_url))?;
    let keys = Server::key_dir(&path);
    let clients = clients(&guests, &Issuer::new("convive", LIFETIMES, key_files::open(&keys)?))?;
    let server = Server::start_on(Work::All, database_url, &keys, NOWHERE)?;
    let jobs = jobs_a_second(&server, &clients, plan.messages / 100)?;
    server.stop()?;
    report.row("login, GET and PUT of a guest, MongoDB", format!("{jobs:.0}/s"));
    Ok(())
}

/// Stores the event and these guests of a file in a database, too.
async fn bring_over(path: &Path, guests: &[Guest], database_url: &str) -> anyhow::Result<()> {
    let event = SqliteStore::open(path)?.events().await?.pop().context("no event")?;
    let database = MongoStore::connect(database_url).await?;
    let made = Commit { at: population::now(), event: Some(EventChange::Insert(event)), ..Commit::default() };
    ensure!(database.commit(made).await? == Committed::Done, "the event was not stored");
    for some in guests.chunks(100) {
        let guests = some.iter().cloned().map(GuestChange::Insert).collect();
        let commit = Commit { at: population::now(), guests, ..Commit::default() };
        ensure!(database.commit(commit).await? == Committed::Done, "the guests were not stored");
    }
    Ok(())
}

fn jobs_a_second(server: &Server, clients: &[Client], jobs: u64) -> anyhow::Result<f64> {
    let requests: Vec<&[u8]> = clients
        .iter()
        .flat_map(|client| [client.login.as_slice(), client.get.as_slice(), client.put.as_slice()])
        .collect();
    Ok(rate("jobs", server, &requests, jobs * 3)? / 3.0)
}

fn with_server<T>(work: Work, path: &Path, run: impl FnOnce(&Server) -> anyhow::Result<T>) -> anyhow::Result<T> {
    let server = Server::start(work, path, NOWHERE)?;
    let done = run(&server)?;
    server.stop()?;
    Ok(done)
}

/// Seconds of processor time that one signature takes.
fn signature_seconds(issuer: &Issuer, guest: &Guest) -> anyhow::Result<f64> {
    const ROUNDS: u32 = 400;
    let (now, began) = (population::now(), Instant::now());
    let before = machine::own_processor_time(began);
    for _ in 0..ROUNDS {
        issuer.issue(guest, now)?;
    }
    Ok((machine::own_processor_time(began) - before).as_secs_f64() / f64::from(ROUNDS))
}

/// Requests that are answered with 200, a second.
fn rate(what: &str, server: &Server, requests: &[&[u8]], count: u64) -> anyhow::Result<f64> {
    let load = Rc::new(Load {
        requests: requests.iter().map(|request| request.to_vec()).collect(),
        next: Cell::new(0),
        count,
        progress: RefCell::new(Progress::start(what, count)),
    });
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let began = Instant::now();
    LocalSet::new().block_on(&runtime, async {
        let mut connections = JoinSet::new();
        for _ in 0..CONNECTIONS {
            connections.spawn_local(Rc::clone(&load).send(server.address));
        }
        while let Some(ended) = connections.join_next().await {
            ended.context("a connection was abandoned")??;
        }
        anyhow::Ok(())
    })?;
    Ok(count as f64 / began.elapsed().max(Duration::from_micros(1)).as_secs_f64())
}

struct Load {
    requests: Vec<Vec<u8>>,
    next: Cell<u64>,
    count: u64,
    progress: RefCell<Progress>,
}

impl Load {
    async fn send(self: Rc<Self>, to: SocketAddr) -> anyhow::Result<()> {
        let mut stream = TcpStream::connect(to).await?;
        stream.set_nodelay(true)?;
        let mut answer = Vec::with_capacity(8 * 1024);
        while self.next.get() < self.count {
            let number = self.next.replace(self.next.get() + 1);
            if number.is_multiple_of(256) {
                self.progress.borrow_mut().at(number);
            }
            let place = usize::try_from(number)? % self.requests.len();
            stream.write_all(&self.requests[place]).await?;
            read_answer(&mut stream, &mut answer).await?;
        }
        Ok(())
    }
}

/// Reads one whole answer, which must be 200.
async fn read_answer(stream: &mut TcpStream, answer: &mut Vec<u8>) -> anyhow::Result<()> {
    answer.clear();
    loop {
        ensure!(stream.read_buf(answer).await? > 0, "the server closed a connection");
        let Some(end) = answer.windows(4).position(|window| window == b"\r\n\r\n") else { continue };
        let head = std::str::from_utf8(&answer[..end])?.to_ascii_lowercase();
        ensure!(head.starts_with("http/1.1 200 "), "a request was answered with {:?}", String::from_utf8_lossy(answer));
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).context("no length")?;
        if answer.len() >= end + 4 + length.parse::<usize>()? {
            return Ok(());
        }
    }
}
