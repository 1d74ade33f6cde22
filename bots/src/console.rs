//! The terminal: messages for console addresses, collected for whoever prints them.

use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use domain::address::{Address, Channel};
use store::Rendered;

use crate::{Parcel, Provider, Repeats, SendOutcome};

/// A message for a console address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConsoleMessage {
    pub to: Address,
    pub text: Rendered,
}

/// Collects what is delivered to console addresses. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct ConsoleChannel {
    delivered: Arc<Mutex<Vec<ConsoleMessage>>>,
}

impl ConsoleChannel {
    /// What was delivered since the last call, in its order.
    #[must_use]
    pub fn take(&self) -> Vec<ConsoleMessage> {
        self.take_for(|_| true)
    }

    /// The same for some addresses; what was delivered to others waits for whoever shows them.
    #[must_use]
    pub fn take_for(&self, is_wanted: impl Fn(&Address) -> bool) -> Vec<ConsoleMessage> {
        let mut delivered = self.delivered.lock().unwrap_or_else(PoisonError::into_inner);
        let (taken, left) = std::mem::take(&mut *delivered).into_iter().partition(|message| is_wanted(&message.to));
        *delivered = left;
        taken
    }
}

#[async_trait]
impl Provider for ConsoleChannel {
    fn channel(&self) -> Channel {
        Channel::Console
    }

    fn repeats(&self) -> Repeats {
        Repeats::Idempotent
    }

    async fn send(&self, parcel: &Parcel<'_>) -> SendOutcome {
        let message = ConsoleMessage { to: parcel.address.clone(), text: parcel.text.clone() };
        self.delivered.lock().unwrap_or_else(PoisonError::into_inner).push(message);
        SendOutcome::Sent { provider_id: None }
    }
}
