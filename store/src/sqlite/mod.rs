//! The embedded store: one SQLite file, for hosts with one machine and no database.
//!
//! Writes go through one thread that shares each durable commit among all who wait, and so does what a decision rests
//! on ([`writer`]); other looks go through connections of their own ([`readers`]). Several programs may use one file at
//! once.

mod archive;
mod claim;
mod commit;
mod conversations;
mod erase;
mod error;
mod file;
mod guest_list;
mod guests;
mod house;
mod lanes;
mod load;
mod log;
mod outbox;
mod readers;
mod settle;
mod values;
mod writer;

use std::path::Path;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use domain::{
    activity::Activity,
    address::{Address, Channel},
    conversation::Conversation,
    model::{Event, EventId, Group, GroupKey, Guest, GuestId},
    schedule::Reach,
};

use self::{readers::Readers, writer::Writer};
use crate::{
    Access, Claim, Claimed, Commit, Committed, DeliveryReport, Entry, EntryStatus, FirstAttempt, GuestList, GuestParty,
    GuestQuery, Link, LoadRequest, Loaded, OutboxCounts, Page, Result, Settlement, Statistics, Store, StoreError,
    TypedCode,
};

/// Short looks that are taken at the same time; each takes some ten microseconds of a processor.
const READERS: usize = 2;

/// A store in one file. Dropping it finishes what was asked for and closes the file.
pub struct SqliteStore {
    // Closed first: the last connection to close tidies the log away.
    readers: Readers,
    writer: Writer,
}

impl SqliteStore {
    /// Opens a store, or makes it when there is no such file.
    ///
    /// # Errors
    /// [`StoreError::Unusable`] when the file is not ours, from a newer version or not writable, with the remedy;
    /// [`StoreError::Busy`] when another program keeps it locked for more than five seconds.
    pub fn open(path: &Path) -> Result<Self> {
        Self::open_with(path, file::PATIENCE)
    }

    fn open_with(path: &Path, patience: i32) -> Result<Self> {
        // SQLite would read a name such as `file:x` or `:memory:` as something else.
        let path = std::path::absolute(path)
            .map_err(|error| StoreError::Unusable(format!("cannot use {} as the store: {error}", path.display())))?;
        let writer = Writer::start(file::open_writer(&path, patience)?, path.clone(), patience)?;
        let readers = (0..READERS).map(|_| file::open_reader(&path)).collect::<Result<_>>()?;
        Ok(Self { readers: Readers::start(file::open_list_reader(&path)?, readers)?, writer })
    }
}

fn stopped() -> StoreError {
    StoreError::Unavailable("it stopped on an internal error, see the log; restart the program".to_owned())
}

#[async_trait]
impl Store for SqliteStore {
    async fn load(&self, request: &LoadRequest) -> Result<Loaded> {
        let request = request.clone();
        self.writer.look(move |connection| load::load(connection, &request)).await
    }

    async fn commit(&self, commit: Commit) -> Result<Committed> {
        self.writer.run(move |connection| commit::commit(connection, &commit)).await
    }

    async fn links(&self, guests: &[GuestId]) -> Result<Vec<Link>> {
        self.readers.glance(|connection| conversations::links(connection, guests)).await
    }

    async fn links_of_hosts(&self, event: &EventId) -> Result<Vec<Link>> {
        let event = event.clone();
        let links = move |connection: &rusqlite::Connection| {
            let hosts = guests::hosts(connection, &event)?;
            conversations::links(connection, &hosts.iter().map(|host| host.id).collect::<Vec<_>>())
        };
        self.readers.run(links).await
    }

    async fn reaches(&self, addresses: &[Address]) -> Result<Vec<Reach>> {
        let addresses: Vec<String> = addresses.iter().map(Address::to_string).collect();
        self.readers.run(move |connection| conversations::reaches(connection, &addresses)).await
    }

    async fn hosts(&self, event: &EventId) -> Result<Vec<Guest>> {
        let event = event.clone();
        self.readers.run(move |connection| guests::hosts(connection, &event)).await
    }

    async fn record_accesses(&self, accesses: &[Access]) -> Result<()> {
        let accesses = accesses.to_vec();
        self.writer
            .run(move |connection| accesses.iter().try_for_each(|access| guests::record_access(connection, access)))
            .await
    }

    async fn claim(&self, claim: Claim) -> Result<Vec<Claimed>> {
        self.writer.run(move |connection| claim::claim(connection, &claim)).await
    }

    async fn begin_attempt(&self, attempt: FirstAttempt) -> Result<Committed> {
        self.writer.run(move |connection| claim::begin_attempt(connection, &attempt)).await
    }

    async fn settle(&self, settlements: Vec<Settlement>) -> Result<Vec<Settlement>> {
        self.writer.run(move |connection| settle::settle(connection, &settlements)).await?;
        Ok(Vec::new())
    }

    async fn report_delivery(&self, report: DeliveryReport) -> Result<()> {
        self.writer.run(move |connection| settle::report(connection, &report)).await
    }

    async fn next_due(&self, channels: &[Channel]) -> Result<Option<DateTime<Utc>>> {
        self.readers.glance(|connection| lanes::next_due(connection, channels)).await
    }

    async fn known_provider_ids(&self, ids: &[String]) -> Result<Vec<String>> {
        self.readers.glance(|connection| outbox::known_provider_ids(connection, ids)).await
    }

    async fn outbox_counts(&self) -> Result<OutboxCounts> {
        self.readers.run(outbox::counts).await
    }

    async fn outbox_counts_of(&self, prefix: &str) -> Result<OutboxCounts> {
        let prefix = prefix.to_owned();
        self.readers.run(move |connection| outbox::counts_of(connection, &prefix)).await
    }

    async fn entries_of(&self, prefix: &str, status: EntryStatus, limit: u32) -> Result<Vec<Entry>> {
        let prefix = prefix.to_owned();
        self.readers.run(move |connection| outbox::of(connection, &prefix, status, limit)).await
    }

    async fn initiated_since(&self, event: &EventId, since: DateTime<Utc>) -> Result<Vec<Entry>> {
        let event = event.clone();
        self.readers.run(move |connection| outbox::initiated_since(connection, &event, since)).await
    }

    async fn entries_to(&self, address: &Address) -> Result<Vec<Entry>> {
        let address = address.clone();
        self.readers.run(move |connection| outbox::to(connection, &address)).await
    }

    async fn entries(&self, status: EntryStatus, page: Page<String>) -> Result<Vec<Entry>> {
        self.readers.run(move |connection| outbox::page(connection, status, &page)).await
    }

    async fn events(&self) -> Result<Vec<Event>> {
        self.readers.run(guests::events).await
    }

    async fn event(&self, id: &EventId) -> Result<Option<Event>> {
        self.readers.glance(|connection| guests::event(connection, id)).await
    }

    async fn conversation(&self, address: &Address) -> Result<Option<Conversation>> {
        let address = address.to_string();
        self.readers
            .glance(|connection| Ok(conversations::find(connection, &address)?.map(|found| found.conversation)))
            .await
    }

    async fn guest(&self, id: GuestId) -> Result<Option<Guest>> {
        self.readers.glance(|connection| guests::by_id(connection, id)).await
    }

    async fn guest_by_code(&self, code: &TypedCode) -> Result<Option<Guest>> {
        self.readers.glance(|connection| guests::by_code(connection, code)).await
    }

    async fn guests(&self, event: &EventId, page: Page<GuestId>) -> Result<Vec<Guest>> {
        let event = event.clone();
        self.readers.run(move |connection| guests::page(connection, &event, &page)).await
    }

    async fn find_guests(&self, query: &GuestQuery) -> Result<GuestList> {
        let query = query.clone();
        self.readers.run(move |connection| guest_list::find(connection, &query)).await
    }

    async fn statistics(&self, event: &EventId) -> Result<Statistics> {
        let event = event.clone();
        self.readers.run(move |connection| guest_list::statistics(connection, &event)).await
    }

    async fn groups(&self, keys: &[GroupKey]) -> Result<Vec<Group>> {
        let keys = keys.to_vec();
        self.readers.run(move |connection| keys.iter().map(|key| guests::group(connection, key)).collect()).await
    }

    async fn party(&self, guest: GuestId) -> Result<Option<GuestParty>> {
        self.readers.glance(|connection| guests::party(connection, guest)).await
    }

    async fn activity(&self, event: &EventId, since: DateTime<Utc>) -> Result<Vec<Activity>> {
        let event = event.clone();
        self.readers.run(move |connection| house::activity(connection, &event, since)).await
    }

    async fn progress(&self, job: &str) -> Result<Option<DateTime<Utc>>> {
        let job = job.to_owned();
        self.readers.run(move |connection| house::progress(connection, &job)).await
    }

    async fn known_keys(&self, keys: &[String]) -> Result<Vec<String>> {
        let keys = keys.to_vec();
        self.readers.run(move |connection| commit::known_keys(connection, &keys)).await
    }

    async fn erase(&self, guest: GuestId, _at: DateTime<Utc>) -> Result<bool> {
        let erased = self.writer.run(move |connection| erase::erase(connection, guest)).await?;
        if erased {
            self.writer.tidy().await?;
        }
        Ok(erased)
    }

    async fn expire(&self, before: DateTime<Utc>) -> Result<u64> {
        let mut deleted = 0;
        // A page at a time: what waits to be written meanwhile is not held up by the search.
        let mut after = None;
        loop {
            let page = self.readers.run(move |connection| house::old_keys(connection, before, after)).await?;
            let Some(last) = page.last().cloned() else { break };
            after = Some(last);
            deleted += self.writer.run(move |connection| house::delete_keys(connection, &page)).await?;
        }
        let mut after = 0;
        loop {
            let page = self.readers.run(move |connection| house::old_entries(connection, before, after)).await?;
            let Some(last) = page.last() else { break };
            after = *last;
            deleted += self.writer.run(move |connection| house::delete_entries(connection, &page)).await?;
        }
        Ok(deleted + self.writer.run(move |connection| house::expire_counts(connection, before)).await?)
    }

    async fn forget_event(&self, event: &EventId) -> Result<u64> {
        let event = event.clone();
        self.writer.run(move |connection| house::forget_event(connection, &event)).await
    }

    async fn ready(&self) -> Result<()> {
        self.writer.run(house::beat).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_file_that_stays_locked_is_busy_and_free_again_later() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("convive.db");
        let store = SqliteStore::open_with(&path, 5).unwrap();
        let other = rusqlite::Connection::open(&path).unwrap();
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        assert_eq!(store.ready().await, Err(StoreError::Busy));
        assert_eq!(store.commit(Commit::default()).await, Err(StoreError::Busy));
        assert_eq!(store.events().await, Ok(Vec::new()), "looks go on");
        other.execute_batch("ROLLBACK").unwrap();
        assert_eq!(store.ready().await, Ok(()));
    }
}
