//! Who used the program when: coalesced, written in batches, best effort.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use chrono::{DateTime, Utc};
use domain::model::GuestId;
use store::{Access, Store};

/// Distinct guests that wait to be recorded; more are dropped, since recording is best effort.
const MOST_WAITING: usize = 10_000;
/// Written at once, so that nobody's message waits for all of them.
const AT_ONCE: usize = 100;

/// The last use of each guest, logins apart.
type LastUses = HashMap<(GuestId, bool), DateTime<Utc>>;

/// Collects uses of the program until they are written.
#[derive(Debug, Clone, Default)]
pub struct AccessRecorder {
    waiting: Arc<Mutex<LastUses>>,
}

impl AccessRecorder {
    /// Notes a use; of several the last counts.
    pub fn note(&self, guest: GuestId, at: DateTime<Utc>, login: bool) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.len() < MOST_WAITING || waiting.contains_key(&(guest, login)) {
            let noted = waiting.entry((guest, login)).or_insert(at);
            *noted = (*noted).max(at);
        }
    }

    /// Writes what was noted. A failure is logged, and what could not be written is gone: nobody waits for it.
    pub async fn flush(&self, store: &dyn Store) {
        let waiting = std::mem::take(&mut *self.waiting.lock().unwrap_or_else(PoisonError::into_inner));
        if waiting.is_empty() {
            return;
        }
        let accesses: Vec<Access> =
            waiting.into_iter().map(|((guest, login), at)| Access { guest, at, login }).collect();
        for some in accesses.chunks(AT_ONCE) {
            if let Err(error) = store.record_accesses(some).await {
                tracing::warn!(%error, count = accesses.len(), "last logins could not be recorded");
                return;
            }
        }
    }
}
