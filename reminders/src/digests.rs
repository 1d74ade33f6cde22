//! The hosts' digest, when its time has come.

use app::initiated;
use chrono::{DateTime, Utc};
use domain::{model::Event, schedule::Cron};
use store::{Commit, Committed, Progress, StoreError};

use crate::Reminders;

impl Reminders {
    /// Decides the digest that has become due; of several that were missed, one for the whole time. What nobody could be
    /// told, since no host can be written to, is told with the next.
    pub(crate) async fn digest(&self, event: &Event, now: DateTime<Utc>) -> Result<(), StoreError> {
        if crate::is_over(event, now) {
            return Ok(());
        }
        let job = initiated::digest_job(&event.id, &self.app.outreach);
        let Some(done) = self.progress(&job, now).await? else { return Ok(()) };
        let cron = match Cron::read(&event.digest.cron) {
            Ok(cron) => cron,
            Err(error) => {
                tracing::warn!(event = %event.id, error, "there are no digests: digest.cron cannot be read");
                return Ok(());
            }
        };
        let Some(due) = cron.last_until(now, event.time_zone).filter(|due| *due > done) else { return Ok(()) };
        let told_job = initiated::digest_told_job(&event.id, &self.app.outreach);
        let told = self.app.store.progress(&told_job).await?;
        let since = self.app.digest_begins(&event.id, told.unwrap_or(done).min(done)).await?;
        let is_wanted = event.digest.when_empty || self.app.has_news(event, since, due).await?;
        let outbox = if is_wanted {
            let key = initiated::digest_key(&event.id, &self.app.outreach, due);
            self.app.digest_entries(event, (since, due), &key, now).await?
        } else {
            Vec::new()
        };
        let told_until = if is_wanted && outbox.is_empty() { since } else { due };
        let got_on = Progress { job, from: Some(done), to: due };
        let told = (told != Some(told_until)).then_some(Progress { job: told_job, from: told, to: told_until });
        let progress: Vec<Progress> = std::iter::once(got_on).chain(told).collect();
        // Where it is stale, another process was faster.
        let commit = Commit { at: now, progress: progress.clone(), outbox, ..Commit::default() };
        if self.commit(commit).await? == Committed::Taken {
            // It had been decided before the clock was set back.
            self.commit(Commit { at: now, progress, ..Commit::default() }).await?;
        }
        Ok(())
    }
}
