//! The hosts' digest, when its time has come.

use app::initiated;
use chrono::{DateTime, Utc};
use domain::{model::Event, schedule::Cron};
use store::{Commit, Committed, Progress, StoreError};

use crate::Reminders;

impl Reminders {
    /// Decides the digest that has become due; of several that were missed, one for the whole time.
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
        let outbox = if event.digest.when_empty || self.app.has_news(event, done, due).await? {
            let key = format!("{job}/{}", due.timestamp());
            self.app.digest_entries(event, (done, due), &key, now).await?
        } else {
            Vec::new()
        };
        let progress = vec![Progress { job: job.clone(), from: Some(done), to: due }];
        // Where it is stale, another process was faster.
        if self.commit(Commit { at: now, progress, outbox, ..Commit::default() }).await? == Committed::Taken {
            // It had been decided before the clock was set back.
            self.get_on(&job, Some(done), due).await?;
        }
        Ok(())
    }
}
