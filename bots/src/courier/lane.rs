//! One channel's loop: claim, send, settle.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use app::App;
use chrono::TimeDelta;
use store::{Claim, Claimed, Settlement, StoreError};
use tokio::{
    sync::{Notify, watch},
    task::{self, JoinError, JoinSet},
    time::Instant,
};

use super::{ChannelHealth, SLOTS, deliver};
use crate::{Provider, pace::Pace};

/// Other processes commit to the outbox, too.
const LOOK_EVERY: Duration = Duration::from_secs(1);

pub(super) struct Lane {
    pub app: App,
    pub provider: Arc<dyn Provider>,
    pub by: String,
    lease: TimeDelta,
    pace: Mutex<Pace>,
    /// Why nothing goes.
    stopped: Mutex<Option<String>>,
    /// Attempts that ended and are not recorded yet: the store could not be reached, or has not been asked.
    unsettled: Mutex<Vec<Settlement>>,
    wake: Notify,
}

impl Lane {
    pub fn new(app: App, provider: Arc<dyn Provider>, by: String, lease: TimeDelta) -> Self {
        let pace = Mutex::new(Pace::of(provider.channel()));
        let (stopped, unsettled) = (Mutex::default(), Mutex::default());
        Self { app, provider, by, lease, pace, stopped, unsettled, wake: Notify::new() }
    }

    /// There may be something to send.
    pub fn wake(&self) {
        self.wake.notify_one();
    }

    pub fn health(&self) -> ChannelHealth {
        ChannelHealth { channel: self.provider.channel(), stopped: lock(&self.stopped).clone() }
    }

    pub fn pace(&self) -> MutexGuard<'_, Pace> {
        lock(&self.pace)
    }

    /// Notes that the account is refused, or that it works; each change is told once.
    pub fn note_account(&self, refused: Option<&str>) {
        let mut stopped = lock(&self.stopped);
        if stopped.as_deref() == refused {
            return;
        }
        let channel = self.provider.channel();
        match refused {
            Some(reason) => tracing::error!(%channel, reason, "the channel has stopped; its messages wait"),
            None => tracing::info!(%channel, "the channel works again"),
        }
        *stopped = refused.map(str::to_owned);
    }

    /// An attempt that lasts longer would lose its lease and could be made a second time meanwhile.
    pub fn time_limit(&self) -> Instant {
        Instant::now() + self.lease.to_std().unwrap_or_default().mul_f32(0.8)
    }

    /// Delivers until it is stopped, then waits for what is on its way.
    pub async fn run(self: Arc<Self>, mut stop: watch::Receiver<bool>) {
        let mut round = Round::new(self);
        while !*stop.borrow() {
            round.collect();
            if round.has_work() && round.turn().await {
                continue;
            }
            let lane = Arc::clone(&round.lane);
            tokio::select! {
                Some(ended) = round.sends.join_next_with_id() => round.ended(ended),
                () = lane.wake.notified() => round.look = true,
                () = tokio::time::sleep(lane.pause()) => round.look = true,
                // The other end is gone only when the courier is.
                _ = stop.changed() => {}
            }
        }
        round.look = false;
        round.finish().await;
    }

    /// Sends everything that may go now; returns how many attempts ended.
    pub async fn drain(self: Arc<Self>) -> u64 {
        let mut round = Round::new(self);
        loop {
            round.collect();
            if round.has_work() {
                if !round.turn().await {
                    break;
                }
            } else if let Some(ended) = round.sends.join_next_with_id().await {
                round.ended(ended);
            } else {
                break;
            }
        }
        round.finish().await;
        round.handled
    }

    /// Until the next look: a second, or less when the pace lets something go before.
    fn pause(&self) -> Duration {
        let now = self.app.clock.now();
        let slot = self.pace().next_slot().and_then(|slot| (slot - now).to_std().ok());
        slot.map_or(LOOK_EVERY, |slot| slot.min(LOOK_EVERY))
    }

    /// Returns what could not be recorded yet.
    async fn settle(&self, settlements: &[Settlement]) -> Result<Vec<Settlement>, StoreError> {
        if settlements.is_empty() { Ok(Vec::new()) } else { self.app.store.settle(settlements.to_vec()).await }
    }
}

/// Nothing that holds one of these locks can leave its value half changed.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What one task has in hand while it works a lane.
struct Round {
    lane: Arc<Lane>,
    sends: JoinSet<Settlement>,
    /// The entries on their way, by the task that carries them.
    carried: HashMap<task::Id, String>,
    /// Something may be due.
    look: bool,
    /// The store failed last time: nothing is claimed before it has recorded what has ended.
    store_failed: bool,
    /// Attempts that ended.
    handled: u64,
}

impl Round {
    fn new(lane: Arc<Lane>) -> Self {
        Self { lane, sends: JoinSet::new(), carried: HashMap::new(), look: true, store_failed: false, handled: 0 }
    }

    fn free(&self) -> u32 {
        SLOTS.saturating_sub(u32::try_from(self.sends.len()).unwrap_or(u32::MAX))
    }

    fn has_work(&self) -> bool {
        !lock(&self.lane.unsettled).is_empty() || (self.look && self.free() > 0)
    }

    /// Takes in what has ended meanwhile.
    fn collect(&mut self) {
        while let Some(ended) = self.sends.try_join_next_with_id() {
            self.ended(ended);
        }
    }

    fn ended(&mut self, ended: Result<(task::Id, Settlement), JoinError>) {
        self.handled += 1;
        match ended {
            Ok((id, settlement)) => {
                self.carried.remove(&id);
                lock(&self.lane.unsettled).push(settlement);
            }
            // Its lease runs out; then it is in doubt, which is what it is.
            Err(error) => {
                self.carried.remove(&error.id());
                tracing::error!(channel = %self.lane.provider.channel(), "an attempt to send was abandoned by a fault");
            }
        }
    }

    /// Records what has ended and claims what is due, at the same time, so that the store can write both at once.
    /// `false` when the store failed.
    async fn turn(&mut self) -> bool {
        let settlements = std::mem::take(&mut *lock(&self.lane.unsettled));
        let looks = self.look && (!self.store_failed || settlements.is_empty());
        let lane = Arc::clone(&self.lane);
        let (settled, claimed) = tokio::join!(lane.settle(&settlements), async {
            if looks { self.claim().await } else { Ok((Vec::new(), self.look)) }
        });
        // Another message of a chat may be due once the one before it is recorded.
        let settled_some = !settlements.is_empty();
        let mut failed = None;
        let left = settled.unwrap_or_else(|error| {
            failed = Some(error);
            settlements.clone()
        });
        lock(&self.lane.unsettled).splice(0..0, left);
        match claimed {
            Ok((claimed, more)) => {
                self.look = more || settled_some;
                for entry in claimed {
                    self.carry(entry, &settlements);
                }
            }
            Err(error) => failed = Some(error),
        }
        self.note_store(failed)
    }

    /// What is due, and whether there may be more.
    async fn claim(&self) -> Result<(Vec<Claimed>, bool), StoreError> {
        let lane = &self.lane;
        let (now, replies) = (lane.app.clock.now(), self.free());
        // Taken in hand before they are claimed, and let go of one by one.
        let initiated = {
            let mut pace = lane.pace();
            let initiated = pace.allowance(now).min(replies);
            pace.take(initiated);
            initiated
        };
        let claim = Claim {
            now,
            by: lane.by.clone(),
            lease_until: now + lane.lease,
            channels: vec![lane.provider.channel()],
            replies,
            initiated,
        };
        let claimed = lane.app.store.claim(claim).await;
        let started = claimed.as_ref().map_or(0, |claimed| count(claimed.iter().filter(|entry| is_initiated(entry))));
        for _ in started..initiated {
            lane.pace().let_go();
        }
        let claimed = claimed?;
        let more = (initiated > 0 && started >= initiated) || count(claimed.iter()) - started >= replies;
        Ok((claimed, more))
    }

    fn carry(&mut self, entry: Claimed, settling: &[Settlement]) {
        // Our own lease ran out while the entry was on its way or its end was being recorded. It is in good hands.
        let ours = entry.in_doubt
            && (self.carried.values().any(|id| *id == entry.id) || settling.iter().any(|ended| ended.id == entry.id));
        if ours {
            if is_initiated(&entry) {
                self.lane.pace().let_go();
            }
            return;
        }
        let id = entry.id.clone();
        let task = self.sends.spawn(deliver::deliver(Arc::clone(&self.lane), entry));
        self.carried.insert(task.id(), id);
    }

    fn note_store(&mut self, failed: Option<StoreError>) -> bool {
        let channel = self.lane.provider.channel();
        if let Some(error) = &failed {
            error.count("delivery");
        }
        match &failed {
            Some(error) if !self.store_failed => tracing::error!(%channel, %error, "the outbox cannot be delivered"),
            None if self.store_failed => tracing::info!(%channel, "the outbox is delivered again"),
            _ => {}
        }
        self.store_failed = failed.is_some();
        !self.store_failed
    }

    /// Waits for what is on its way and records how it ended. What cannot be recorded stays for the next time, or
    /// is in doubt once its lease has run out.
    async fn finish(&mut self) {
        while let Some(ended) = self.sends.join_next_with_id().await {
            self.ended(ended);
        }
        if !lock(&self.lane.unsettled).is_empty() {
            self.look = false;
            self.turn().await;
        }
    }
}

pub(super) fn is_initiated(entry: &Claimed) -> bool {
    !matches!(entry.work, store::Work::Send { initiated: None, .. })
}

fn count<T>(items: impl Iterator<Item = T>) -> u32 {
    u32::try_from(items.count()).unwrap_or(u32::MAX)
}
