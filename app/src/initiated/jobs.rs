//! Names of recurring jobs, and where they stand when their plan changes.

use chrono::{DateTime, Utc};
use domain::{
    address::Channel,
    model::{Event, EventId},
    schedule::{self, Outreach},
};
use store::{Progress, StoreError};

use crate::App;

/// Names the job that makes digests for the people whom this process reaches: the terminal chat has a clock of its own.
#[must_use]
pub fn digest_job(event: &EventId, outreach: &Outreach) -> String {
    job("digest", event, outreach)
}

/// Names what was told in digests: up to when hosts know the news.
#[must_use]
pub fn digest_told_job(event: &EventId, outreach: &Outreach) -> String {
    format!("{}/told", digest_job(event, outreach))
}

/// How the ids of the digest begin that was due then.
#[must_use]
pub fn digest_key(event: &EventId, outreach: &Outreach, due: DateTime<Utc>) -> String {
    format!("{}/{}", digest_job(event, outreach), due.timestamp())
}

/// Names the job that reminds those who stay silent.
#[must_use]
pub fn reminders_job(event: &EventId, outreach: &Outreach) -> String {
    job("reminders", event, outreach)
}

fn job(kind: &str, event: &EventId, outreach: &Outreach) -> String {
    let scope = if outreach.channels.contains(&Channel::Console) { "/console" } else { "" };
    format!("{kind}/{event}{scope}")
}

impl App {
    /// Where a change of the event moves its reminders they are planned anew from now on: one that would have been due
    /// before, had it been so all the time, is not made up for.
    pub(crate) async fn reminders_anew(
        &self,
        before: &Event,
        after: &Event,
        now: DateTime<Utc>,
    ) -> Result<Vec<Progress>, StoreError> {
        if schedule::reminders(before) == schedule::reminders(after) {
            return Ok(Vec::new());
        }
        let job = reminders_job(&after.id, &self.outreach);
        let from = self.store.progress(&job).await?.filter(|from| *from < now);
        Ok(from.map(|from| Progress { job, from: Some(from), to: now }).into_iter().collect())
    }
}
