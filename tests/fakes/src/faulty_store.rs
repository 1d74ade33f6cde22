//! A store that fails when it is told to.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
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
use store::{
    Access, Claim, Claimed, Commit, Committed, DeliveryReport, Entry, EntryStatus, FirstAttempt, GuestList, GuestParty,
    GuestQuery, Link, LoadRequest, Loaded, OutboxCounts, Page, Result, Settlement, Statistics, Store, StoreError,
    TypedCode,
};

/// Passes everything on, unless it is down.
pub struct FaultyStore {
    store: Arc<dyn Store>,
    is_down: AtomicBool,
    /// Only what is on its way cannot be recorded.
    cannot_settle: AtomicBool,
}

impl FaultyStore {
    /// In front of a store that works.
    #[must_use]
    pub fn new(store: Arc<dyn Store>) -> Self {
        Self { store, is_down: AtomicBool::new(false), cannot_settle: AtomicBool::new(false) }
    }

    /// Whether everything fails.
    pub fn set_down(&self, is_down: bool) {
        self.is_down.store(is_down, Ordering::SeqCst);
    }

    /// Whether recording how attempts to send ended fails.
    pub fn set_cannot_settle(&self, cannot_settle: bool) {
        self.cannot_settle.store(cannot_settle, Ordering::SeqCst);
    }

    fn up(&self) -> Result<&dyn Store> {
        fail_if(&self.is_down)?;
        Ok(&*self.store)
    }
}

fn fail_if(told: &AtomicBool) -> Result<()> {
    if told.load(Ordering::SeqCst) { Err(StoreError::Unavailable("as it was told".to_owned())) } else { Ok(()) }
}

#[async_trait]
impl Store for FaultyStore {
    async fn load(&self, request: &LoadRequest) -> Result<Loaded> {
        self.up()?.load(request).await
    }

    async fn commit(&self, commit: Commit) -> Result<Committed> {
        self.up()?.commit(commit).await
    }

    async fn links(&self, guests: &[GuestId]) -> Result<Vec<Link>> {
        self.up()?.links(guests).await
    }

    async fn reaches(&self, addresses: &[Address]) -> Result<Vec<Reach>> {
        self.up()?.reaches(addresses).await
    }

    async fn links_of_hosts(&self, event: &EventId) -> Result<Vec<Link>> {
        self.up()?.links_of_hosts(event).await
    }

    async fn hosts(&self, event: &EventId) -> Result<Vec<Guest>> {
        self.up()?.hosts(event).await
    }

    async fn record_accesses(&self, accesses: &[Access]) -> Result<()> {
        self.up()?.record_accesses(accesses).await
    }

    async fn claim(&self, claim: Claim) -> Result<Vec<Claimed>> {
        self.up()?.claim(claim).await
    }

    async fn begin_attempt(&self, attempt: FirstAttempt) -> Result<Committed> {
        self.up()?.begin_attempt(attempt).await
    }

    async fn settle(&self, settlements: Vec<Settlement>) -> Result<Vec<Settlement>> {
        fail_if(&self.cannot_settle)?;
        self.up()?.settle(settlements).await
    }

    async fn report_delivery(&self, report: DeliveryReport) -> Result<()> {
        self.up()?.report_delivery(report).await
    }

    async fn next_due(&self, channels: &[Channel]) -> Result<Option<DateTime<Utc>>> {
        self.up()?.next_due(channels).await
    }

    async fn known_provider_ids(&self, ids: &[String]) -> Result<Vec<String>> {
        self.up()?.known_provider_ids(ids).await
    }

    async fn outbox_counts_of(&self, prefix: &str) -> Result<OutboxCounts> {
        self.up()?.outbox_counts_of(prefix).await
    }

    async fn outbox_counts(&self) -> Result<OutboxCounts> {
        self.up()?.outbox_counts().await
    }

    async fn entries_of(&self, prefix: &str, status: EntryStatus, limit: u32) -> Result<Vec<Entry>> {
        self.up()?.entries_of(prefix, status, limit).await
    }

    async fn initiated_since(&self, event: &EventId, since: DateTime<Utc>) -> Result<Vec<Entry>> {
        self.up()?.initiated_since(event, since).await
    }

    async fn entries_to(&self, address: &Address) -> Result<Vec<Entry>> {
        self.up()?.entries_to(address).await
    }

    async fn entries(&self, status: EntryStatus, page: Page<String>) -> Result<Vec<Entry>> {
        self.up()?.entries(status, page).await
    }

    async fn events(&self) -> Result<Vec<Event>> {
        self.up()?.events().await
    }

    async fn event(&self, id: &EventId) -> Result<Option<Event>> {
        self.up()?.event(id).await
    }

    async fn conversation(&self, address: &Address) -> Result<Option<Conversation>> {
        self.up()?.conversation(address).await
    }

    async fn guest(&self, id: GuestId) -> Result<Option<Guest>> {
        self.up()?.guest(id).await
    }

    async fn guest_by_code(&self, code: &TypedCode) -> Result<Option<Guest>> {
        self.up()?.guest_by_code(code).await
    }

    async fn guests(&self, event: &EventId, page: Page<GuestId>) -> Result<Vec<Guest>> {
        self.up()?.guests(event, page).await
    }

    async fn find_guests(&self, query: &GuestQuery) -> Result<GuestList> {
        self.up()?.find_guests(query).await
    }

    async fn statistics(&self, event: &EventId) -> Result<Statistics> {
        self.up()?.statistics(event).await
    }

    async fn groups(&self, keys: &[GroupKey]) -> Result<Vec<Group>> {
        self.up()?.groups(keys).await
    }

    async fn party(&self, guest: GuestId) -> Result<Option<GuestParty>> {
        self.up()?.party(guest).await
    }

    async fn activity(&self, event: &EventId, since: DateTime<Utc>) -> Result<Vec<Activity>> {
        self.up()?.activity(event, since).await
    }

    async fn progress(&self, job: &str) -> Result<Option<DateTime<Utc>>> {
        self.up()?.progress(job).await
    }

    async fn known_keys(&self, keys: &[String]) -> Result<Vec<String>> {
        self.up()?.known_keys(keys).await
    }

    async fn erase(&self, guest: GuestId, at: DateTime<Utc>) -> Result<bool> {
        self.up()?.erase(guest, at).await
    }

    async fn expire(&self, before: DateTime<Utc>) -> Result<u64> {
        self.up()?.expire(before).await
    }

    async fn forget_event(&self, event: &EventId) -> Result<u64> {
        self.up()?.forget_event(event).await
    }

    async fn ready(&self) -> Result<()> {
        self.up()?.ready().await
    }
}
