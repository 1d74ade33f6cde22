//! Telling hosts that their event has become full.

use chrono::{DateTime, Utc};
use domain::{activity::Happening, model::Event, notice::Notice};
use store::{Commit, Progress, StoreError};

use crate::Reminders;

impl Reminders {
    /// Counts once somebody has answered. Hosts are told once that every seat is taken, and once that more people come
    /// than there are seats; again only after it was not so any more.
    pub(crate) async fn tell_when_full(&self, event: &Event, now: DateTime<Utc>) -> Result<(), StoreError> {
        let Some(seats) = event.capacity.filter(|_| now < event.starts_at) else { return Ok(()) };
        let job = self.job("full", &event.id);
        let Some(done) = self.progress(&job, now).await? else { return Ok(()) };
        let activity = self.app.store.activity(&event.id, done).await?;
        let mut answered = activity.iter().filter(|it| it.at < now && matches!(it.what, Happening::Answered { .. }));
        if answered.next().is_none() {
            return Ok(());
        }
        let coming = u32::try_from(self.app.store.statistics(&event.id).await?.head_count).unwrap_or(u32::MAX);
        let mut progress = vec![Progress { job: job.clone(), from: Some(done), to: now }];
        let mut tells = false;
        for (level, from) in [("", seats), ("/over", seats.saturating_add(1))] {
            // When they were told of so many, and when it were not so many any more.
            let (told_job, free_job) = (format!("{job}/{seats}{level}/told"), format!("{job}/{seats}{level}/free"));
            let told = self.app.store.progress(&told_job).await?;
            let free = self.app.store.progress(&free_job).await?;
            let is_told = told.is_some_and(|told| free.is_none_or(|free| free < told));
            match (coming >= from, is_told) {
                (true, false) => {
                    tells = true;
                    progress.push(Progress { job: told_job, from: told, to: now });
                }
                (false, true) => progress.push(Progress { job: free_job, from: free, to: now }),
                (true, true) | (false, false) => {}
            }
        }
        let commit = if tells {
            let key = format!("{job}/{seats}/{}", now.timestamp_millis());
            self.app.tell_hosts(event, Notice::EventFull { coming }, &key).await?
        } else {
            Commit { at: now, ..Commit::default() }
        };
        let commit = Commit { progress, ..commit };
        // Where it is stale, another process has counted.
        self.commit(commit).await?;
        Ok(())
    }
}
