//! What happens because time passes: planning a run for very many guests, and a message to very many chats, in virtual
//! time, against limits like Telegram's.

use std::{
    collections::{HashMap, VecDeque},
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::{Arc, Mutex, PoisonError},
    time::Instant,
};

use anyhow::{Context as _, bail, ensure};
use app::{App, Clock};
use async_trait::async_trait;
use bots::{Courier, Parcel, Provider, Repeats, SendOutcome};
use chrono::{DateTime, TimeDelta, Utc};
use domain::{
    address::{Address, Channel},
    conversation::{Conversation, Policy},
    message::{Body, Inbound},
    model::{EventId, Guest, GuestId, Status},
    notice::Notice,
    schedule,
};
use store::{Commit, Committed, Content, EventChange, GuestChange, Initiated, NewEntry, Store, sqlite::SqliteStore};

use crate::{Plan, guests, machine, population, report::Report};

/// Starts this program again to plan, so that only planning counts.
pub const ARGUMENT: &str = "plan-the-next-run";

const MIB: f64 = 1024.0 * 1024.0;
const MOST_SECONDS: f64 = 2.0;
const MOST_MIB: f64 = 128.0;
/// Guests who write while a message to many goes out.
const WRITERS: usize = 5;
/// How far virtual time goes between two looks.
const STEP: TimeDelta = TimeDelta::milliseconds(20);

pub fn measure(plan: &Plan, report: &mut Report) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let folder = machine::scratch()?;
    runtime.block_on(planning(plan, &folder, report))?;
    runtime.block_on(to_many(plan.many / 10, &folder, report))
}

fn fresh(folder: &Path, name: &str) -> anyhow::Result<PathBuf> {
    for suffix in ["", "-wal", "-shm"] {
        let path = folder.join(format!("{name}{suffix}"));
        if path.exists() {
            fs::remove_file(path)?;
        }
    }
    Ok(folder.join(name))
}

async fn planning(plan: &Plan, folder: &Path, report: &mut Report) -> anyhow::Result<()> {
    let path = fresh(folder, "calendar.db")?;
    let now = population::now();
    population::fill(&path, plan.many, &population::script(now)?, now).await?;
    let output = Command::new(std::env::current_exe()?).arg(ARGUMENT).arg(&path).output()?;
    let text = String::from_utf8(output.stdout)?;
    let figures: Vec<f64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let &[seconds, messages, memory] = figures.as_slice() else {
        bail!("planning failed: {text}{}", String::from_utf8_lossy(&output.stderr))
    };
    let what = format!("planning the next run for {} guests", plan.many);
    report.row(&what, format!("{messages} messages"));
    let shown = format!("{seconds:.2} s");
    report.target(&what, shown, &format!("at most {MOST_SECONDS} s"), seconds <= MOST_SECONDS);
    let shown = format!("{memory:.0} MiB at most");
    report.target("  memory of the process that plans", shown, &format!("{MOST_MIB} MiB"), memory <= MOST_MIB);
    Ok(())
}

/// The other process: plans once and prints seconds, messages and the most memory it had, in MiB.
pub fn plan(args: &[String]) -> anyhow::Result<()> {
    let path = args.first().context("the store's path is missing")?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let (seconds, messages) = runtime.block_on(async {
        let app = app(Arc::new(SqliteStore::open(Path::new(path))?), Arc::new(app::SystemClock));
        let event = app.store.events().await?.pop().context("there is no event")?;
        let began = Instant::now();
        let gathered = app.gather(&event.id).await?;
        let plan = schedule::whom_to_write(&gathered.members, &gathered.book, &app.outreach, |member| {
            member.status == Status::Pending
        });
        anyhow::Ok((began.elapsed().as_secs_f64(), plan.messages.len()))
    })?;
    let memory = machine::most_resident()? as f64 / MIB;
    crate::report::line(&format!("{seconds} {messages} {memory}"));
    Ok(())
}

fn app(store: Arc<dyn Store>, clock: Arc<dyn Clock>) -> App {
    App::new(store, clock, Policy { provider_keywords: true, calendar_domain: "bench.example.org".to_owned() })
}

/// Moves when it is told to.
struct Virtual(Mutex<DateTime<Utc>>);

impl Virtual {
    fn pass(&self, time: TimeDelta) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) += time;
    }
}

impl Clock for Virtual {
    fn now(&self) -> DateTime<Utc> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn random(&self, bytes: &mut [u8]) {
        bytes.fill(7);
    }
}

/// Takes thirty messages in any sliding second, and one a second in a chat; refuses the rest.
struct Counting {
    clock: Arc<Virtual>,
    counts: Mutex<Counts>,
}

#[derive(Default)]
struct Counts {
    recent: VecDeque<DateTime<Utc>>,
    chats: HashMap<String, DateTime<Utc>>,
    /// When each message arrived, and where.
    arrived: Vec<(DateTime<Utc>, String)>,
    refused: u64,
}

impl Counting {
    fn arrived(&self) -> Vec<(DateTime<Utc>, String)> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner).arrived.clone()
    }

    fn count(&self) -> usize {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner).arrived.len()
    }

    fn refused(&self) -> u64 {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner).refused
    }
}

#[async_trait]
impl Provider for Counting {
    fn channel(&self) -> Channel {
        Channel::Telegram
    }

    fn repeats(&self) -> Repeats {
        Repeats::Once
    }

    async fn send(&self, parcel: &Parcel<'_>) -> SendOutcome {
        let now = self.clock.now();
        let second = TimeDelta::seconds(1);
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        while counts.recent.front().is_some_and(|at| *at + second <= now) {
            counts.recent.pop_front();
        }
        let chat = parcel.address.id.clone();
        let is_early = counts.chats.get(&chat).is_some_and(|at| now < *at + second);
        if counts.recent.len() >= 30 || is_early {
            counts.refused += 1;
            return SendOutcome::TooMany { retry_after: second };
        }
        counts.recent.push_back(now);
        counts.chats.insert(chat.clone(), now);
        counts.arrived.push((now, chat));
        SendOutcome::Sent { provider_id: Some(counts.arrived.len().to_string()) }
    }
}

fn id(number: usize) -> GuestId {
    let mut id = [0; 12];
    id[4..].copy_from_slice(&(number as u64).to_be_bytes());
    GuestId(id)
}

fn chat(number: usize) -> Address {
    Address::telegram(7_100_000_000 + number as i64)
}

async fn commit(app: &App, commit: Commit) -> anyhow::Result<()> {
    let done = app.store.commit(Commit { at: app.clock.now(), ..commit }).await?;
    ensure!(done == Committed::Done, "the store refused: {done:?}");
    Ok(())
}

/// So many guests, each with a chat.
async fn invite(app: &App, count: usize) -> anyhow::Result<EventId> {
    let now = app.clock.now();
    let event = guests::event(now);
    let id_of_event = event.id.clone();
    commit(app, Commit { event: Some(EventChange::Insert(event)), ..Commit::default() }).await?;
    for numbers in (0..count).collect::<Vec<_>>().chunks(1_000) {
        let guest = |number: &usize| {
            let token = format!("BENCH{number:06}");
            GuestChange::Insert(Guest::new(id(*number), id_of_event.clone(), "Holloway".to_owned(), token, now))
        };
        let conversation = |number: &usize| Conversation {
            logins: vec![id(*number)],
            active: Some(id(*number)),
            ..Conversation::new(chat(*number))
        };
        let guests = numbers.iter().map(guest).collect();
        let conversations = numbers.iter().map(conversation).collect();
        commit(app, Commit { guests, conversations, ..Commit::default() }).await?;
    }
    Ok(id_of_event)
}

async fn decide(app: &App, event: &EventId, count: usize) -> anyhow::Result<()> {
    let now = app.clock.now();
    let entry = |number: usize| NewEntry {
        id: format!("bench/to/{}", chat(number)),
        address: chat(number),
        content: Content::Initiated(Initiated {
            event: event.clone(),
            notice: Notice::FromHost { guests: vec![id(number)], text: "The bus leaves at 17:00.".to_owned() },
            obeys_mute: true,
            hours: None,
            not_after: None,
            decided_at: now,
        }),
        question: None,
        only_asks: false,
    };
    commit(app, Commit { outbox: (0..count).map(entry).collect(), ..Commit::default() }).await
}

async fn to_many(count: usize, folder: &Path, report: &mut Report) -> anyhow::Result<()> {
    let clock = Arc::new(Virtual(Mutex::new(population::now())));
    let store = Arc::new(SqliteStore::open(&fresh(folder, "many.db")?)?);
    let app = app(store, Arc::clone(&clock) as Arc<dyn Clock>);
    let event = invite(&app, count).await?;
    let provider = Arc::new(Counting { clock: Arc::clone(&clock), counts: Mutex::default() });
    let lease = bots::courier::DEFAULT_LEASE;
    let courier = Courier::new(app.clone(), vec![Arc::clone(&provider) as Arc<dyn Provider>], "bench", lease);
    let began = Instant::now();
    decide(&app, &event, count).await?;
    let start = clock.now();
    let mut written: Vec<(DateTime<Utc>, String)> = Vec::new();
    while provider.count() < count + written.len() {
        ensure!(clock.now() < start + TimeDelta::hours(3), "the messages do not arrive");
        courier.pump().await;
        clock.pass(STEP);
        // Somebody writes in the middle, who has had the message already.
        if written.len() < WRITERS && provider.count() >= (written.len() + 1) * count / (WRITERS + 1) {
            let from = chat(written.len());
            written.push((clock.now(), from.id.clone()));
            let inbound = Inbound {
                key: format!("bench/{}", written.len()),
                from,
                body: Body::Text("details".to_owned()),
                received_at: clock.now(),
                locale_hint: None,
            };
            app.take_in(inbound).await?;
        }
    }
    let arrived = provider.arrived();
    let last = arrived.iter().map(|(at, _)| *at).max().unwrap_or(start);
    let seconds = (last - start).as_seconds_f64();
    let least = (arrived.len().div_ceil(30) - 1) as f64;
    let ratio = if least > 0.0 { seconds / least } else { 1.0 };
    let answered = |(at, chat): &(DateTime<Utc>, String)| {
        let reply = arrived.iter().rev().find(|(_, to)| to == chat).map(|(arrived, _)| *arrived);
        reply.map_or(f64::INFINITY, |reply| (reply - *at).as_seconds_f64())
    };
    let slowest = written.iter().map(answered).fold(0.0, f64::max);
    let what = format!("a message to {count} chats");
    report.row(&what, format!("{seconds:.0} s of virtual time in {:.1} s", began.elapsed().as_secs_f64()));
    let is_met = ratio <= 1.05;
    report.target("  beside the least that the limits allow", format!("{ratio:.3} times"), "at most 1.05", is_met);
    let refused = provider.refused();
    report.target("  refused by the provider (429)", refused.to_string(), "none", refused == 0);
    let shown = format!("{slowest:.2} s");
    report.target("  a guest who writes meanwhile waits", shown, "at most 1 s", slowest <= 1.0);
    Ok(())
}
