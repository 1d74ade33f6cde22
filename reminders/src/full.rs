//! Telling hosts that their event has become full.

use chrono::{DateTime, Utc};
use domain::{activity::Happening, model::Event, notice::Notice};
use store::{Progress, StoreError};

use crate::Reminders;

impl Reminders {
    /// Counts once somebody has answered. Hosts are told once, and again only after fewer were coming than there are
    /// seats.
    pub(crate) async fn tell_when_full(&self, event: &Event, now: DateTime<Utc>) -> Result<(), StoreError> {
        let Some(seats) = event.capacity.filter(|_| now < event.starts_at) else { return Ok(()) };
        let job = self.job("full", &event.id);
        let Some(done) = self.progress(&job, now).await? else { return Ok(()) };
        let activity = self.app.store.activity(&event.id, done).await?;
        let mut answered = activity.iter().filter(|it| it.at < now && matches!(it.what, Happening::Answered { .. }));
        if answered.next().is_none() {
            return Ok(());
        }
        // When they were told of these seats, and when these were not all taken any more.
        let (told_job, free_job) = (format!("{job}/{seats}/told"), format!("{job}/{seats}/free"));
        let told = self.app.store.progress(&told_job).await?;
        let free = self.app.store.progress(&free_job).await?;
        let is_told = told.is_some_and(|told| free.is_none_or(|free| free < told));
        let coming = u32::try_from(self.app.store.statistics(&event.id).await?.head_count).unwrap_or(u32::MAX);
        let counted = Progress { job: job.clone(), from: Some(done), to: now };
        let commit = match (coming >= seats, is_told) {
            (true, true) | (false, false) => return self.get_on(&job, Some(done), now).await,
            (true, false) => {
                let key = format!("{job}/{seats}/{}", now.timestamp_millis());
                let mut commit = self.app.tell_hosts(event, Notice::EventFull { coming }, &key).await?;
                commit.progress = vec![counted, Progress { job: told_job, from: told, to: now }];
                commit
            }
            (false, true) => store::Commit {
                at: now,
                progress: vec![counted, Progress { job: free_job, from: free, to: now }],
                ..store::Commit::default()
            },
        };
        // Where it is stale, another process has counted.
        self.commit(commit).await?;
        Ok(())
    }
}
