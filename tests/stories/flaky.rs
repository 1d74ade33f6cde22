//! The real store, until the story says that it fails.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
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
use tokio::{
    sync::{Barrier, Notify},
    time::timeout,
};

use crate::process::PATIENCE;

/// What happens to calls of one method.
#[derive(Clone)]
enum Fault {
    /// So many are refused; nothing is done.
    Fails(u32),
    /// So many are done, but the caller hears of a failure.
    FailsAfterwards(u32),
    /// The next ones wait until so many have come, and then go on together.
    Gathers { left: usize, barrier: Arc<Barrier> },
    /// Waits until all is well again, and then goes on.
    Hangs(Arc<Notify>),
}

#[derive(Default)]
struct Faults {
    is_down: bool,
    by_method: HashMap<&'static str, Fault>,
    /// Calls, failed ones included.
    calls: HashMap<&'static str, u32>,
}

/// Delegates to a real store. Faults can be set from outside while it is in use.
#[derive(Clone)]
pub struct FlakyStore {
    real: Arc<dyn Store>,
    faults: Arc<Mutex<Faults>>,
}

impl FlakyStore {
    pub fn over(real: Arc<dyn Store>) -> Self {
        Self { real, faults: Arc::default() }
    }

    fn faults(&self) -> MutexGuard<'_, Faults> {
        self.faults.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Every call fails until [`FlakyStore::mend`].
    pub fn go_down(&self) {
        self.faults().is_down = true;
    }

    /// All is well again.
    pub fn mend(&self) {
        let mut faults = self.faults();
        faults.is_down = false;
        for (_, fault) in faults.by_method.drain() {
            if let Fault::Hangs(mended) = fault {
                mended.notify_waiters();
            }
        }
    }

    /// The next `times` calls of this method fail and do nothing.
    pub fn fail(&self, method: &'static str, times: u32) {
        self.faults().by_method.insert(method, Fault::Fails(times));
    }

    /// The next `times` calls of this method do their work, and fail.
    pub fn fail_afterwards(&self, method: &'static str, times: u32) {
        self.faults().by_method.insert(method, Fault::FailsAfterwards(times));
    }

    /// The next `count` calls of this method wait for each other before they begin.
    pub fn gather(&self, method: &'static str, count: usize) {
        let barrier = Arc::new(Barrier::new(count));
        self.faults().by_method.insert(method, Fault::Gathers { left: count, barrier });
    }

    /// One call of this method in each of these stores; all begin together.
    pub fn gather_across(stores: &[&Self], method: &'static str) {
        let barrier = Arc::new(Barrier::new(stores.len()));
        for store in stores {
            let fault = Fault::Gathers { left: 1, barrier: Arc::clone(&barrier) };
            store.faults().by_method.insert(method, fault);
        }
    }

    /// Calls of this method do not begin before [`FlakyStore::mend`].
    pub fn hang(&self, method: &'static str) {
        self.faults().by_method.insert(method, Fault::Hangs(Arc::default()));
    }

    /// How often a method was called.
    pub fn calls(&self, method: &str) -> u32 {
        self.faults().calls.get(method).copied().unwrap_or_default()
    }

    /// The fault that meets this call, taken from those that are left.
    fn take(&self, method: &'static str) -> Option<Fault> {
        let mut faults = self.faults();
        *faults.calls.entry(method).or_default() += 1;
        if faults.is_down {
            return Some(Fault::Fails(1));
        }
        let fault = faults.by_method.get_mut(method)?;
        let meets = fault.clone();
        let is_used_up = match fault {
            Fault::Fails(left) | Fault::FailsAfterwards(left) => {
                *left -= 1;
                *left == 0
            }
            Fault::Gathers { left, .. } => {
                *left -= 1;
                *left == 0
            }
            Fault::Hangs(_) => false,
        };
        if is_used_up {
            faults.by_method.remove(method);
        }
        Some(meets)
    }

    async fn run<T: Send>(&self, method: &'static str, work: impl Future<Output = Result<T>> + Send) -> Result<T> {
        let failed = || StoreError::Unavailable("it is switched off".to_owned());
        match self.take(method) {
            None => work.await,
            Some(Fault::Fails(_)) => Err(failed()),
            Some(Fault::FailsAfterwards(_)) => {
                work.await?;
                Err(failed())
            }
            Some(Fault::Gathers { barrier, .. }) => {
                timeout(PATIENCE, barrier.wait()).await.expect("as many calls as were to be gathered");
                work.await
            }
            Some(Fault::Hangs(mended)) => {
                mended.notified().await;
                work.await
            }
        }
    }
}

macro_rules! delegate {
    ($(fn $method:ident($($name:ident: $kind:ty),*) -> $result:ty;)*) => {
        #[async_trait]
        impl Store for FlakyStore {
            $(async fn $method(&self, $($name: $kind),*) -> Result<$result> {
                self.run(stringify!($method), self.real.$method($($name),*)).await
            })*
        }
    };
}

delegate! {
    fn load(request: &LoadRequest) -> Loaded;
    fn commit(commit: Commit) -> Committed;
    fn links(guests: &[GuestId]) -> Vec<Link>;
    fn links_of_hosts(event: &EventId) -> Vec<Link>;
    fn reaches(addresses: &[Address]) -> Vec<Reach>;
    fn hosts(event: &EventId) -> Vec<Guest>;
    fn record_accesses(accesses: &[Access]) -> ();
    fn claim(claim: Claim) -> Vec<Claimed>;
    fn begin_attempt(attempt: FirstAttempt) -> Committed;
    fn settle(settlements: Vec<Settlement>) -> Vec<Settlement>;
    fn report_delivery(report: DeliveryReport) -> ();
    fn next_due(channels: &[Channel]) -> Option<DateTime<Utc>>;
    fn known_provider_ids(ids: &[String]) -> Vec<String>;
    fn outbox_counts() -> OutboxCounts;
    fn outbox_counts_of(prefix: &str) -> OutboxCounts;
    fn entries_of(prefix: &str, status: EntryStatus, limit: u32) -> Vec<Entry>;
    fn initiated_since(event: &EventId, since: DateTime<Utc>) -> Vec<Entry>;
    fn entries_to(address: &Address) -> Vec<Entry>;
    fn entries(status: EntryStatus, page: Page<String>) -> Vec<Entry>;
    fn events() -> Vec<Event>;
    fn event(id: &EventId) -> Option<Event>;
    fn conversation(address: &Address) -> Option<Conversation>;
    fn guest(id: GuestId) -> Option<Guest>;
    fn guest_by_code(code: &TypedCode) -> Option<Guest>;
    fn guests(event: &EventId, page: Page<GuestId>) -> Vec<Guest>;
    fn find_guests(query: &GuestQuery) -> GuestList;
    fn statistics(event: &EventId) -> Statistics;
    fn groups(keys: &[GroupKey]) -> Vec<Group>;
    fn party(guest: GuestId) -> Option<GuestParty>;
    fn activity(event: &EventId, since: DateTime<Utc>) -> Vec<Activity>;
    fn progress(job: &str) -> Option<DateTime<Utc>>;
    fn known_keys(keys: &[String]) -> Vec<String>;
    fn erase(guest: GuestId, at: DateTime<Utc>) -> bool;
    fn expire(before: DateTime<Utc>) -> u64;
    fn forget_event(event: &EventId) -> u64;
    fn ready() -> ();
}
