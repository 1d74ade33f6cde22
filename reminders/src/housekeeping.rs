//! Deleting what is only kept for a while.

use chrono::{DateTime, TimeDelta, Utc};
use domain::model::Event;
use store::{Store, StoreError};

/// Processed messages are remembered for so long: a provider's signature has no date, so a captured request could
/// be played again much later.
const REMEMBER_MESSAGES_DAYS: i64 = 90;

/// How long people's words are kept.
#[derive(Debug, Clone, Copy)]
pub struct Housekeeping {
    /// Days after an event when its conversations and activity are deleted (`privacy.retention_days`).
    pub retention_days: u32,
}

impl Housekeeping {
    /// Deletes what is due. Safe to run anywhere, any number of times.
    ///
    /// # Errors
    /// When the store cannot be written; what was not deleted is deleted next time.
    pub async fn tidy(&self, store: &dyn Store, now: DateTime<Utc>) -> Result<(), StoreError> {
        let expired = store.expire(now - TimeDelta::days(REMEMBER_MESSAGES_DAYS)).await?;
        let mut forgotten = 0;
        for event in store.events().await?.iter().filter(|event| self.is_over(event, now)) {
            forgotten += store.forget_event(&event.id).await?;
        }
        if expired + forgotten > 0 {
            tracing::info!(expired, forgotten, "deleted what was kept long enough");
        }
        Ok(())
    }

    fn is_over(&self, event: &Event, now: DateTime<Utc>) -> bool {
        event.ends_at.unwrap_or(event.starts_at) + TimeDelta::days(i64::from(self.retention_days)) <= now
    }
}
