//! Schedules: what happens because time passes, not because somebody wrote.
//!
//! Nothing is sent from here: what is due is committed to the outbox, once, however many processes look at the clock.
//! A job's progress says up to when its work is done; keys say of each guest that a message about them was decided.

mod digests;
mod full;
mod housekeeping;
mod preview;
mod runs;

use app::App;
use chrono::{DateTime, TimeDelta, Utc};
use domain::{
    address::Channel,
    model::{Event, EventId},
    notice::Notice,
};
use store::{Committed, StoreError};

pub use housekeeping::Housekeeping;
pub use preview::{Planned, preview};

/// Clocks of processes that share a store may differ by as much.
const CLOCKS_DIFFER: TimeDelta = TimeDelta::hours(1);

/// Looks at the clock, for the channels that its [`App`] reaches.
#[derive(Clone)]
pub struct Reminders {
    app: App,
    /// Jobs of different scopes know nothing of each other: the terminal chat has a clock of its own.
    scope: &'static str,
}

impl Reminders {
    /// For the people whom `serve` writes to.
    #[must_use]
    pub fn served(app: App) -> Self {
        Self { app, scope: "" }
    }

    /// For the people at the terminal.
    #[must_use]
    pub fn console(app: App) -> Self {
        Self { app, scope: "/console" }
    }

    /// Decides everything that has become due. May run anywhere, at any time, any number of times.
    ///
    /// # Errors
    /// When the store cannot be used; what was not decided is decided next time.
    pub async fn tick(&self) -> Result<(), StoreError> {
        let now = self.app.clock.now();
        let mut first = Ok(());
        for event in self.app.store.events().await? {
            // What one of them cannot read keeps the others from nothing.
            for done in [
                self.remind(&event, now).await,
                self.tell_the_day_before(&event, now).await,
                self.digest(&event, now).await,
                self.tell_when_full(&event, now).await,
            ] {
                first = first.and(done);
            }
        }
        first
    }

    /// Tells the hosts of all events, once a day, that a channel has stopped working.
    ///
    /// # Errors
    /// When the store cannot be used.
    pub async fn tell_of_stopped(&self, channel: Channel) -> Result<(), StoreError> {
        let now = self.app.clock.now();
        for event in self.app.store.events().await?.iter().filter(|event| now < event.starts_at) {
            let day = now.with_timezone(&event.time_zone).date_naive();
            let key = format!("stopped/{}/{channel}/{day}", event.id);
            let commit = self.app.tell_hosts(event, Notice::ChannelStopped { channel }, &key).await?;
            self.commit(commit).await?;
        }
        Ok(())
    }

    fn job(&self, kind: &str, event: &EventId) -> String {
        format!("{kind}/{event}{}", self.scope)
    }

    async fn commit(&self, commit: store::Commit) -> Result<Committed, StoreError> {
        let fills_outbox = !commit.outbox.is_empty();
        let committed = self.app.store.commit(commit).await?;
        if committed == Committed::Done && fills_outbox {
            self.app.outbox_filled.notify_one();
        }
        Ok(committed)
    }

    /// Up to when a job's work is done. A job that is seen for the first time begins now: nothing was missed.
    async fn progress(&self, job: &str, now: DateTime<Utc>) -> Result<Option<DateTime<Utc>>, StoreError> {
        let progress = self.app.store.progress(job).await?;
        match progress {
            None => self.get_on(job, None, now).await?,
            // The clock was set back (at the terminal, for example): it begins anew.
            Some(done) if now + CLOCKS_DIFFER < done => {
                self.get_on(job, progress, now).await?;
                return Ok(Some(now));
            }
            Some(_) => {}
        }
        Ok(progress)
    }

    async fn get_on(&self, job: &str, from: Option<DateTime<Utc>>, to: DateTime<Utc>) -> Result<(), StoreError> {
        let progress = vec![store::Progress { job: job.to_owned(), from, to }];
        // Where it is stale, another process got on.
        self.commit(store::Commit { at: to, progress, ..store::Commit::default() }).await?;
        Ok(())
    }
}

/// Whether an event is over for what reminders do.
fn is_over(event: &Event, now: DateTime<Utc>) -> bool {
    event.ends_at.unwrap_or(event.starts_at).max(event.starts_at) + domain::schedule::LATEST <= now
}
