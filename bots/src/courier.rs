//! The courier: takes what was decided from the outbox to the people it is for.
//!
//! One lane for each channel, so that a provider that hangs holds up nobody else's messages. A lane claims what is
//! due under a lease (which records the attempt), sends up to [`SLOTS`] messages at once, and settles what has ended
//! together. What a crash leaves behind is a lease that runs out: another courier then finds the entry in doubt.

mod deliver;
mod lane;

use std::{future::Future, sync::Arc};

use app::App;
use chrono::TimeDelta;
use domain::address::Channel;
use tokio::{sync::watch, task::JoinSet};

use self::lane::Lane;
use crate::Provider;

/// Messages of one channel on their way at the same time. One that hangs keeps its slot until its request times out.
pub const SLOTS: u32 = 128;
/// How long a claim lasts, unless the host chose otherwise.
pub const DEFAULT_LEASE: TimeDelta = TimeDelta::seconds(30);

/// How a channel does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChannelHealth {
    pub channel: Channel,
    /// Why nothing goes until somebody changes something; `None` while all is well.
    pub stopped: Option<String>,
}

/// Delivers the outbox.
pub struct Courier {
    app: App,
    lanes: Vec<Arc<Lane>>,
}

impl Courier {
    /// A courier for these channels. `name` tells it from every other courier of the store, past ones included;
    /// `lease` is how long it may keep a message before another may take it over.
    #[must_use]
    pub fn new(app: App, providers: Vec<Arc<dyn Provider>>, name: &str, lease: TimeDelta) -> Self {
        let lane = |provider| Arc::new(Lane::new(app.clone(), provider, name.to_owned(), lease));
        Self { lanes: providers.into_iter().map(lane).collect(), app }
    }

    /// Delivers until `shutdown` ends, then waits for what is on its way. Looks whenever this process commits
    /// something, and every second, since other processes commit too.
    pub async fn run(&self, shutdown: impl Future<Output = ()> + Send) {
        let (stop, stopped) = watch::channel(false);
        let mut lanes = JoinSet::new();
        for lane in &self.lanes {
            lanes.spawn(Arc::clone(lane).run(stopped.clone()));
        }
        let mut shutdown = std::pin::pin!(shutdown);
        loop {
            tokio::select! {
                () = self.app.outbox_filled.notified() => self.lanes.iter().for_each(|lane| lane.wake()),
                () = &mut shutdown => break,
            }
        }
        // Nobody listens only when all lanes have ended.
        let _ = stop.send(true);
        lanes.join_all().await;
    }

    /// Sends everything that may go now, and returns how many attempts ended. For tests and the terminal, where time
    /// stands still in between.
    pub async fn pump(&self) -> u64 {
        let mut lanes = JoinSet::new();
        for lane in &self.lanes {
            lanes.spawn(Arc::clone(lane).drain());
        }
        lanes.join_all().await.into_iter().sum()
    }

    /// How the channels do.
    #[must_use]
    pub fn health(&self) -> Vec<ChannelHealth> {
        self.lanes.iter().map(|lane| lane.health()).collect()
    }
}

#[cfg(test)]
mod tests;
