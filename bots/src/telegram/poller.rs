//! Long polling: asking Telegram for updates, for a host whose machine cannot be called from outside.
//!
//! An update is confirmed only by asking for a later one, so the offset moves past it only after its commit. What is
//! not confirmed comes again, and the intake recognises it.

use std::{collections::HashMap, pin::pin, time::Duration};

use app::TakeInError;
use domain::{address::Address, message::Inbound};
use serde::Serialize;
use serde_json::value::RawValue;
use store::StoreError;
use teloxide_core::types::AllowedUpdate;
use tokio::task::JoinSet;

use super::{
    answer::CallError,
    client::TelegramClient,
    receiver::{Received, Receiver},
    setup::{self, ALLOWED_UPDATES},
    updates::{self, Parsed, Press},
};

/// What Telegram allows at most.
pub const LONGEST_WAIT: Duration = Duration::from_secs(50);
const BATCH: u8 = 100;
const SHORTEST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// Polls for one bot. Only one poller of a bot may run, anywhere.
pub struct Poller {
    client: TelegramClient,
    receiver: Receiver,
    /// The first update that is not confirmed.
    offset: Option<i64>,
}

/// Why a poll did not end well. Nothing is lost: the next poll begins where this one stopped.
#[derive(Debug, thiserror::Error)]
pub enum PollError {
    #[error("updates cannot be fetched: {0}")]
    Fetch(CallError),
    #[error("an update could not be stored and will be fetched again: {0}")]
    TakeIn(#[from] TakeInError),
}

#[derive(Serialize)]
struct GetUpdates {
    #[serde(skip_serializing_if = "Option::is_none")]
    offset: Option<i64>,
    limit: u8,
    timeout: u64,
    allowed_updates: [AllowedUpdate; 4],
}

/// One update of a batch: its place there, and what it says.
struct Waiting {
    place: usize,
    inbound: Inbound,
    press: Option<Press>,
}

impl Poller {
    /// A poller that starts with the oldest update that was never confirmed.
    #[must_use]
    pub fn new(client: TelegramClient, receiver: Receiver) -> Self {
        Self { client, receiver, offset: None }
    }

    /// Polls until `shutdown` is done; a batch that has begun is finished first.
    ///
    /// Ends webhook mode at the start, since Telegram refuses to be polled in it.
    pub async fn run(mut self, shutdown: impl Future<Output = ()>) {
        let mut shutdown = pin!(shutdown);
        let mut pause = SHORTEST_PAUSE;
        let mut prepared = false;
        loop {
            let poll = async {
                if !prepared {
                    setup::remove_webhook(&self.client).await.map_err(PollError::Fetch)?;
                    prepared = true;
                }
                self.fetch(LONGEST_WAIT).await.map_err(PollError::Fetch)
            };
            // Nothing is decided while fetching, so it may be broken off.
            let fetched = tokio::select! {
                () = &mut shutdown => return,
                fetched = poll => fetched,
            };
            let polled = match fetched {
                Ok(batch) => self.take_in(batch).await,
                Err(error) => Err(error),
            };
            let Err(error) = polled else {
                pause = SHORTEST_PAUSE;
                continue;
            };
            let wait = error.asked_wait().unwrap_or(pause);
            error.log(wait);
            pause = (pause * 2).min(LONGEST_PAUSE);
            tokio::select! {
                () = &mut shutdown => return,
                () = tokio::time::sleep(wait) => {}
            }
        }
    }

    /// Fetches what is there, waiting up to `wait` (at most [`LONGEST_WAIT`]) for something, and takes it in. Returns
    /// how many updates were confirmed.
    ///
    /// # Errors
    /// When Telegram cannot be asked, or an update could not be committed; those before it in its chat, and those of
    /// other chats, have been.
    pub async fn poll_once(&mut self, wait: Duration) -> Result<usize, PollError> {
        let batch = self.fetch(wait).await.map_err(PollError::Fetch)?;
        self.take_in(batch).await
    }

    async fn fetch(&self, wait: Duration) -> Result<Vec<Box<RawValue>>, CallError> {
        let wait = wait.min(LONGEST_WAIT);
        let parameters =
            GetUpdates { offset: self.offset, limit: BATCH, timeout: wait.as_secs(), allowed_updates: ALLOWED_UPDATES };
        self.client.poll("GetUpdates", &parameters, wait).await
    }

    /// Takes a batch in: chats side by side, each chat in order. Moves the offset up to the first update that failed.
    async fn take_in(&mut self, batch: Vec<Box<RawValue>>) -> Result<usize, PollError> {
        let mut done = vec![true; batch.len()];
        let mut chats: HashMap<Address, Vec<Waiting>> = HashMap::new();
        for (place, update) in batch.iter().enumerate() {
            // What Telegram sends is JSON as a whole, so each part is.
            if let Ok(Parsed::Inbound { inbound, press }) = self.receiver.read(update.get().as_bytes()) {
                done[place] = false;
                chats.entry(inbound.from.clone()).or_default().push(Waiting { place, inbound, press });
            }
        }
        let mut running = JoinSet::new();
        for chat in chats.into_values() {
            running.spawn(take_in_chat(self.receiver.clone(), chat));
        }
        let mut failure = None;
        while let Some(chat) = running.join_next().await {
            // A chat's task never panics: its messages run in tasks of their own.
            let Ok((places, result)) = chat else { continue };
            places.into_iter().for_each(|place| done[place] = true);
            if let Err(error) = result {
                failure = Some(error);
            }
        }
        let confirmed = done.iter().take_while(|done| **done).count();
        if let Some(last) = last_id(&batch[..confirmed]) {
            self.offset = Some(last + 1);
        }
        match failure {
            Some(error) => Err(error.into()),
            None => Ok(confirmed),
        }
    }
}

fn last_id(updates: &[Box<RawValue>]) -> Option<i64> {
    updates.iter().rev().find_map(|update| updates::update_id(update.get().as_bytes()))
}

/// One chat's updates, in order, up to the first that must wait. Returns the places of those that are dealt with.
async fn take_in_chat(receiver: Receiver, chat: Vec<Waiting>) -> (Vec<usize>, Result<(), TakeInError>) {
    let mut places = Vec::with_capacity(chat.len());
    for Waiting { place, inbound, press } in chat {
        let receiver = receiver.clone();
        // A task of its own: a fault in one message must end neither the chat nor the poller.
        match tokio::spawn(async move { receiver.take_in(inbound, press).await }).await {
            Ok(Ok(Received::Done | Received::Repeat | Received::Ignored)) => {}
            // Would fail again for ever, and hold up everybody behind it.
            Ok(Err(TakeInError::Store(error @ StoreError::Damaged(_)))) => {
                tracing::error!(%error, "an update is skipped");
            }
            Err(fault) => tracing::error!(panicked = fault.is_panic(), "an update is skipped: it met a fault"),
            Ok(Err(error)) => return (places, Err(error)),
        }
        places.push(place);
    }
    (places, Ok(()))
}

impl PollError {
    fn asked_wait(&self) -> Option<Duration> {
        match self {
            Self::Fetch(error) => error.wait()?.to_std().ok(),
            Self::TakeIn(_) => None,
        }
    }

    fn log(&self, wait: Duration) {
        let seconds = wait.as_secs();
        match self {
            Self::Fetch(error @ CallError::Refused { code: 409, description, .. }) => {
                if description.contains("webhook") {
                    tracing::error!(
                        %error,
                        "a webhook was set while we poll: another program runs with this token and telegram.mode = \
                         \"webhook\". Stop it, or set the mode here too; polling goes on in {seconds} s"
                    );
                } else {
                    tracing::error!(
                        %error,
                        "another program polls with this token. Stop it, or set telegram.mode = \"webhook\" in all of \
                         them; polling goes on in {seconds} s"
                    );
                }
            }
            Self::Fetch(error) if error.is_about_account() => {
                tracing::error!(%error, "check telegram.token and telegram.api_url; polling goes on in {seconds} s");
            }
            Self::Fetch(error) => tracing::warn!(%error, "polling goes on in {seconds} s"),
            Self::TakeIn(error) => tracing::error!(%error, "updates wait at Telegram; polling goes on in {seconds} s"),
        }
    }
}

#[cfg(test)]
mod tests;
