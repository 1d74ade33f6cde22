//! Telling hosts that their event has become full.

use chrono::{DateTime, Utc};
use domain::{
    activity::Happening,
    model::{Event, Status},
    notice::Notice,
};
use store::{Progress, StoreError};

use crate::Reminders;

impl Reminders {
    /// Counts once somebody has answered; tells once for each number of seats.
    pub(crate) async fn tell_when_full(&self, event: &Event, now: DateTime<Utc>) -> Result<(), StoreError> {
        let Some(seats) = event.capacity.filter(|_| now < event.starts_at) else { return Ok(()) };
        let job = self.job("full", &event.id);
        let Some(done) = self.progress(&job, now).await? else { return Ok(()) };
        let activity = self.app.store.activity(&event.id, done).await?;
        let mut answered = activity.iter().filter(|it| it.at < now && matches!(it.what, Happening::Answered { .. }));
        if answered.next().is_none() {
            return Ok(());
        }
        let guests = self.app.all_guests(&event.id).await?;
        let coming = guests.iter().filter(|guest| guest.status == Status::Coming).map(|guest| guest.num_guests).sum();
        if coming < seats {
            return self.get_on(&job, Some(done), now).await;
        }
        let key = format!("{job}/{seats}");
        let mut commit = self.app.tell_hosts(event, Notice::EventFull { coming }, &key).await?;
        commit.progress = vec![Progress { job: job.clone(), from: Some(done), to: now }];
        if self.commit(commit).await? == store::Committed::Duplicate {
            self.get_on(&job, Some(done), now).await?;
        }
        Ok(())
    }
}
