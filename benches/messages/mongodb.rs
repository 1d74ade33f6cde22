//! Messages on MongoDB, from the intake to the acknowledgement: how many a second, and how much of the time is the
//! server's. Only on demand (`--only mongodb`): it needs a server, the same as the tests.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use ::mongodb::event::{EventHandler, command::CommandEvent};
use anyhow::{Context as _, ensure};
use app::{App, SystemClock};
use domain::conversation::{Conversation, Policy};
use store::{Commit, Committed, EventChange, GuestChange, Store as _, mongo::MongoStore};
use tokio::task::JoinSet;

use crate::{
    Plan, api, guests, population,
    report::{Report, line},
    script::Walk,
};

/// People who write at the same time.
const WRITERS: usize = 8;
/// Of the messages of the other measurements: a server takes longer than a file.
const SHARE: u64 = 20;

/// What the driver was told by the server.
#[derive(Default)]
struct Asked {
    commands: AtomicU64,
    micros: AtomicU64,
}

impl Asked {
    fn watcher(self: &Arc<Self>) -> EventHandler<CommandEvent> {
        let asked = Arc::clone(self);
        EventHandler::callback(move |event| {
            let took = match event {
                CommandEvent::Started(_) => return,
                CommandEvent::Succeeded(event) => event.duration,
                CommandEvent::Failed(event) => event.duration,
                _ => return,
            };
            asked.commands.fetch_add(1, Ordering::Relaxed);
            asked.micros.fetch_add(u64::try_from(took.as_micros()).unwrap_or(u64::MAX), Ordering::Relaxed);
        })
    }
}

pub fn measure(plan: &Plan, report: &mut Report) -> anyhow::Result<()> {
    let database = mongo_server::database();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let asked = Arc::new(Asked::default());
        let store = Arc::new(MongoStore::connect_watched(&database.url, Some(asked.watcher())).await?);
        let walks = fill(&store).await?;
        let policy = Policy { provider_keywords: true, calendar_domain: "rsvp.example.org".to_owned() };
        let app = App::new(store, Arc::new(SystemClock), policy);
        let each = plan.messages / SHARE / WRITERS as u64;
        let (commands, micros) = (asked.commands.load(Ordering::Relaxed), asked.micros.load(Ordering::Relaxed));
        let began = Instant::now();
        let mut writers = JoinSet::new();
        for walk in walks {
            writers.spawn(write(app.clone(), walk, each));
        }
        while let Some(written) = writers.join_next().await {
            written.context("a writer ended")??;
        }
        let took = began.elapsed();
        let messages = (each * WRITERS as u64) as f64;
        let commands = (asked.commands.load(Ordering::Relaxed) - commands) as f64 / messages;
        let server = Duration::from_micros(asked.micros.load(Ordering::Relaxed) - micros);
        // Time is spent by several writers at once.
        let share = server.as_secs_f64() / (took.as_secs_f64() * WRITERS as f64);
        report.row("MongoDB, durable, without delivery", format!("{:.0}/s", messages / took.as_secs_f64()));
        report.row("  questions to the server a message", format!("{commands:.1}"));
        report.row("  the server's share of the time", format!("{:.0} %", share * 100.0));
        line(&format!("  {} writers, {messages} messages in {:.1} s", WRITERS, took.as_secs_f64()));
        anyhow::Ok(())
    })?;
    api::job_on_mongodb(plan, report, &mongo_server::database().url)
}

/// One party for each writer.
async fn fill(store: &MongoStore) -> anyhow::Result<Vec<Walk>> {
    let now = population::now();
    let event = guests::event(now);
    let made = Commit { at: now, event: Some(EventChange::Insert(event.clone())), ..Commit::default() };
    ensure!(store.commit(made).await? == Committed::Done, "the event was not stored");
    let event = store.event(&event.id).await?.context("the event is gone")?;
    let parties: Vec<_> = guests::parties(Plan::FEW, now).collect();
    let mut walks = Vec::new();
    for (number, party) in parties.into_iter().enumerate() {
        let walk = Walk::begin(party, event.clone(), now)?;
        let commit = Commit {
            at: now,
            conversations: vec![Conversation { version: 0, ..walk.conversation.clone() }],
            guests: walk.party.guests.iter().cloned().map(GuestChange::Insert).collect(),
            ..Commit::default()
        };
        ensure!(store.commit(commit).await? == Committed::Done, "the guests were not stored");
        if number < WRITERS {
            walks.push(walk);
        }
    }
    Ok(walks)
}

async fn write(app: App, mut walk: Walk, messages: u64) -> anyhow::Result<()> {
    for number in 0..messages {
        let (_, mut inbound) = walk.next();
        inbound.key = format!("telegram:{}:{number}", walk.party.user);
        app.take_in(inbound).await?;
        walk.go_on();
    }
    Ok(())
}
