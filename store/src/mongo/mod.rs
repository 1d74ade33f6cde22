//! The store for many processes: one MongoDB database, with the published document model.
//!
//! What must happen once is guarded by unique keys and by versions in the filters of writes, never by being the only
//! process. Decisions are written in one transaction, acknowledged by most members and journaled ([`transaction`]).

mod archive;
mod claim;
mod commit;
mod connect;
mod conversations;
mod erase;
mod error;
mod guest_list;
mod guests;
mod house;
mod leases;
mod load;
mod look;
mod outbox;
mod published;
mod schema;
mod settle;
mod shape;
mod transaction;

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use domain::{
    activity::Activity,
    address::{Address, Channel},
    conversation::Conversation,
    model::{Event, EventId, Group, GroupKey, Guest, GuestId},
    schedule::Reach,
};
use mongodb::{
    Client, Database,
    bson::{doc, oid::ObjectId},
    event::{EventHandler, command::CommandEvent},
};

pub use self::published::Published;
use self::transaction::{Divided, Undone, Work};
use crate::{
    Access, Claim, Claimed, Commit, Committed, DeliveryReport, Entry, EntryStatus, FirstAttempt, GuestList, GuestParty,
    GuestQuery, Link, LoadRequest, Loaded, OutboxCounts, Page, Result, Settlement, Statistics, Store, StoreError,
    TypedCode,
};

/// Records of one command; so that a command stays small.
const MOST_ACCESSES: usize = 500;

/// How long work for many is tried together while others change the same documents: they are done in milliseconds.
const TOGETHER: Duration = Duration::from_millis(250);

/// A store in a MongoDB database.
pub struct MongoStore {
    client: Client,
    database: Database,
    /// Names this process's pieces of work.
    name: String,
    works: AtomicU64,
}

impl MongoStore {
    /// Connects to a deployment, and makes what is missing in the database that the connection string names (`convive`
    /// where it names none).
    ///
    /// # Errors
    /// [`StoreError::Unusable`] when the connection string cannot be right, when the deployment has no transactions,
    /// and when the database is a newer program's or has indexes of ours with other options; with the remedy each.
    /// [`StoreError::Unavailable`] when no server answers within some seconds. Secrets in the connection string never
    /// show.
    pub async fn connect(url: &str) -> Result<Self> {
        Self::connect_watched(url, None).await
    }

    /// The same; `watcher` is told of every command that is sent.
    ///
    /// # Errors
    /// As [`MongoStore::connect`].
    pub async fn connect_watched(url: &str, watcher: Option<EventHandler<CommandEvent>>) -> Result<Self> {
        let (client, database) = connect::open(url, watcher).await?;
        Ok(Self { client, database, name: ObjectId::new().to_hex(), works: AtomicU64::new(0) })
    }

    async fn transact<W: Work>(&self, work: &W) -> Result<W::Done> {
        let token = self.token();
        transaction::run(&self.client, &self.database, token, work).await
    }

    /// Does work for many, together if that is possible. Where somebody keeps changing what belongs to one of them (a
    /// process that was killed within a transaction does so until the server notices, a minute later) the others are
    /// served without that one, which is left.
    async fn transact_apart<W: Divided>(&self, work: W) -> Result<(Vec<W::Done>, Vec<W>)> {
        let (mut done, mut left) = (Vec::new(), Vec::new());
        let mut parts = vec![work];
        let mut patience = TOGETHER;
        while let Some(part) = parts.pop() {
            let token = self.token();
            match transaction::run_within(patience, (&self.client, &self.database), token, &part).await {
                Ok(did) => {
                    parts.iter_mut().for_each(|part| part.after(&did));
                    done.push(did);
                }
                Err(Undone::Met) => match part.halves() {
                    Ok((first, second)) => parts.extend([second, first]),
                    Err(one) => left.push(one),
                },
                // What was done already is not undone by that.
                Err(Undone::Failed(error)) if done.is_empty() => return Err(error),
                Err(Undone::Failed(error)) => {
                    tracing::warn!(%error, "MongoDB failed midway; the rest is done next time");
                    left.push(part);
                }
            }
            patience = Duration::ZERO;
        }
        Ok((done, left))
    }

    fn token(&self) -> String {
        format!("{}/{}", self.name, self.works.fetch_add(1, Ordering::Relaxed))
    }
}

fn meta_is_gone() -> StoreError {
    StoreError::Unavailable(
        "the document that tells the version of the database is gone; restart the program, which makes it anew"
            .to_owned(),
    )
}

#[async_trait]
impl Store for MongoStore {
    async fn load(&self, request: &LoadRequest) -> Result<Loaded> {
        load::load(&self.database, request).await
    }

    async fn commit(&self, commit: Commit) -> Result<Committed> {
        self.transact(&commit).await
    }

    async fn links(&self, guests: &[GuestId]) -> Result<Vec<Link>> {
        conversations::links(&self.database, guests).await
    }

    async fn links_of_hosts(&self, event: &EventId) -> Result<Vec<Link>> {
        conversations::links_of_hosts(&self.database, event).await
    }

    async fn reaches(&self, addresses: &[Address]) -> Result<Vec<Reach>> {
        conversations::reaches(&self.database, addresses).await
    }

    async fn hosts(&self, event: &EventId) -> Result<Vec<Guest>> {
        guests::hosts(&self.database, event).await
    }

    async fn record_accesses(&self, accesses: &[Access]) -> Result<()> {
        // One write concern for all, no transaction: each is right by itself.
        for part in accesses.chunks(MOST_ACCESSES) {
            let updates: Vec<_> = part.iter().map(guests::record_access).collect();
            let command = doc! { "update": schema::GUESTS, "updates": updates, "ordered": false };
            self.database.run_command(command).await?;
        }
        Ok(())
    }

    async fn claim(&self, claim: Claim) -> Result<Vec<Claimed>> {
        let seen = look::claimable(&self.database, &claim).await?;
        let mut addresses = seen.fresh;
        addresses.extend(seen.due);
        addresses.sort();
        addresses.dedup();
        if addresses.is_empty() {
            return Ok(Vec::new());
        }
        let taking = claim::Taking { claim, addresses, holds: seen.holds };
        let (claimed, _) = self.transact_apart(taking).await?;
        Ok(claimed.into_iter().flatten().collect())
    }

    async fn begin_attempt(&self, attempt: FirstAttempt) -> Result<Committed> {
        self.transact(&attempt).await
    }

    async fn settle(&self, settlements: Vec<Settlement>) -> Result<Vec<Settlement>> {
        let (_, left) = self.transact_apart(settle::Settling { settlements }).await?;
        Ok(left.into_iter().flat_map(|left| left.settlements).collect())
    }

    async fn report_delivery(&self, report: DeliveryReport) -> Result<()> {
        self.transact(&report).await
    }

    async fn next_due(&self, channels: &[Channel]) -> Result<Option<DateTime<Utc>>> {
        loop {
            let seen = look::next(&self.database, channels).await?;
            if seen.fresh.is_empty() {
                return Ok(seen.next);
            }
            let (_, left) = self.transact_apart(claim::Planning { addresses: seen.fresh }).await?;
            if !left.is_empty() {
                return Ok(seen.next);
            }
        }
    }

    async fn known_provider_ids(&self, ids: &[String]) -> Result<Vec<String>> {
        outbox::known_provider_ids(&self.database, ids).await
    }

    async fn outbox_counts(&self) -> Result<OutboxCounts> {
        outbox::counts(&self.database).await
    }

    async fn outbox_counts_of(&self, prefix: &str) -> Result<OutboxCounts> {
        outbox::counts_of(&self.database, prefix).await
    }

    async fn entries_of(&self, prefix: &str, status: EntryStatus, limit: u32) -> Result<Vec<Entry>> {
        outbox::of(&self.database, prefix, status, limit).await
    }

    async fn initiated_since(&self, event: &EventId, since: DateTime<Utc>) -> Result<Vec<Entry>> {
        outbox::initiated_since(&self.database, event, since).await
    }

    async fn entries_to(&self, address: &Address) -> Result<Vec<Entry>> {
        outbox::to(&self.database, address).await
    }

    async fn entries(&self, status: EntryStatus, page: Page<String>) -> Result<Vec<Entry>> {
        outbox::page(&self.database, status, &page).await
    }

    async fn events(&self) -> Result<Vec<Event>> {
        guests::events(&self.database).await
    }

    async fn event(&self, id: &EventId) -> Result<Option<Event>> {
        guests::event(&self.database, id).await
    }

    async fn conversation(&self, address: &Address) -> Result<Option<Conversation>> {
        Ok(conversations::find(&self.database, address).await?.map(|found| found.conversation))
    }

    async fn guest(&self, id: GuestId) -> Result<Option<Guest>> {
        guests::by_id(&self.database, id).await
    }

    async fn guest_by_code(&self, code: &TypedCode) -> Result<Option<Guest>> {
        guests::by_code(&self.database, code).await
    }

    async fn guests(&self, event: &EventId, page: Page<GuestId>) -> Result<Vec<Guest>> {
        guests::page(&self.database, event, &page).await
    }

    async fn find_guests(&self, query: &GuestQuery) -> Result<GuestList> {
        guest_list::find(&self.database, query).await
    }

    async fn statistics(&self, event: &EventId) -> Result<Statistics> {
        guest_list::statistics(&self.database, event).await
    }

    async fn groups(&self, keys: &[GroupKey]) -> Result<Vec<Group>> {
        guests::groups(&self.database, keys).await
    }

    async fn party(&self, guest: GuestId) -> Result<Option<GuestParty>> {
        guests::party(&self.database, guest).await
    }

    async fn activity(&self, event: &EventId, since: DateTime<Utc>) -> Result<Vec<Activity>> {
        house::activity(&self.database, event, since).await
    }

    async fn progress(&self, job: &str) -> Result<Option<DateTime<Utc>>> {
        house::progress(&self.database, job).await
    }

    async fn known_keys(&self, keys: &[String]) -> Result<Vec<String>> {
        house::known_keys(&self.database, keys).await
    }

    async fn erase(&self, guest: GuestId, at: DateTime<Utc>) -> Result<bool> {
        self.transact(&erase::Erasing { guest, at }).await
    }

    async fn expire(&self, before: DateTime<Utc>) -> Result<u64> {
        guest_list::complete(&self.database).await?;
        house::expire(&self.database, before).await
    }

    async fn forget_event(&self, event: &EventId) -> Result<u64> {
        self.transact(&house::Forgetting { event: event.clone() }).await
    }

    async fn ready(&self) -> Result<()> {
        house::beat(&self.database).await
    }
}
