//! Fills a store with guests who are in the middle of their conversations.

use std::path::Path;

use anyhow::{Context as _, ensure};
use app::Clock as _;
use chrono::{DateTime, Utc};
use domain::conversation::Conversation;
use store::{Commit, Committed, EventChange, GuestChange, Store, sqlite::SqliteStore};

use crate::{
    guests::{self, Party, Random, SHAPES},
    report::Progress,
    script::{self, Script, Walk},
};

/// Parties written with one commit.
const BATCH: usize = 2_000;

pub fn now() -> DateTime<Utc> {
    app::SystemClock.now()
}

/// What the load has to know of a chat to go on with it.
#[derive(Debug, Clone)]
pub struct Chat {
    pub user: i64,
    /// Index into [`SHAPES`].
    pub shape: usize,
    /// Lines of the round said so far.
    pub said: usize,
    /// Questions asked so far.
    pub asked: u64,
    /// The first name of the second person, where there is one.
    pub second: String,
}

/// The script, tried out on the first parties.
pub fn script(now: DateTime<Utc>) -> anyhow::Result<Script> {
    let first: Vec<Party> = guests::parties(guests::RECORDS_A_ROUND, now).collect();
    Script::read(&first, &guests::event(now), now)
}

/// Makes a store of `records` guests, each party at a random place of its round.
pub async fn fill(path: &Path, records: usize, script: &Script, now: DateTime<Utc>) -> anyhow::Result<Vec<Chat>> {
    let store = SqliteStore::open(path)?;
    let event = guests::event(now);
    let made = Commit { at: now, event: Some(EventChange::Insert(event.clone())), ..Commit::default() };
    ensure!(store.commit(made).await? == Committed::Done, "the event was not stored");
    let event = store.event(&event.id).await?.context("the event is gone")?;
    let mut progress = Progress::start(&format!("storing {records} guests"), records as u64);
    let mut random = Random::new(0xC0FFEE);
    let mut chats = Vec::new();
    let mut commit = Commit { at: now, ..Commit::default() };
    let mut stored = 0;
    for (number, party) in guests::parties(records, now).enumerate() {
        let shape = number % SHAPES.len();
        let mut walk = Walk::begin(party, event.clone(), now)?;
        for _ in 0..random.below(script.round(shape).len()) {
            walk.go_on();
        }
        chats.push(chat(&walk, shape));
        stored += walk.party.guests.len() as u64;
        add(&mut commit, walk);
        if commit.conversations.len() == BATCH {
            write(&store, std::mem::replace(&mut commit, Commit { at: now, ..Commit::default() })).await?;
            progress.at(stored);
        }
    }
    write(&store, commit).await?;
    Ok(chats)
}

fn chat(walk: &Walk, shape: usize) -> Chat {
    Chat {
        user: walk.party.user,
        shape,
        said: walk.said(),
        asked: walk.conversation.dialogue.asked,
        second: script::second(&walk.party).to_owned(),
    }
}

fn add(commit: &mut Commit, walk: Walk) {
    commit.conversations.push(Conversation { version: 0, ..walk.conversation });
    commit.guests.extend(walk.party.guests.into_iter().map(GuestChange::Insert));
}

async fn write(store: &SqliteStore, commit: Commit) -> anyhow::Result<()> {
    ensure!(store.commit(commit).await? == Committed::Done, "the guests were not stored");
    Ok(())
}
