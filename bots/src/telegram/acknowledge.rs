//! Telling Telegram that a button was understood: its spinner stops and its keyboard disappears.
//!
//! Best effort, off the message's path and after its commit: what a guest answered never depends on it. Telegram
//! forgets a press within seconds, so an acknowledgement that has to wait long is worth nothing.

use std::sync::Arc;

use serde::de::IgnoredAny;
use teloxide_core::{
    payloads::{AnswerCallbackQuery, EditMessageReplyMarkup, EditMessageReplyMarkupSetters},
    types::{CallbackQueryId, ChatId, InlineKeyboardMarkup, MessageId},
};
use tokio::{
    sync::{Semaphore, mpsc, oneshot},
    time::Instant,
};

use super::{answer::CallError, client::TelegramClient, updates::Press};

/// Presses that may wait. When Telegram is slow, later ones go unacknowledged.
const QUEUE: usize = 1024;
/// Acknowledgements on their way at the same time.
const AT_ONCE: u32 = 16;

/// Hands presses to a worker. Cheap to clone; the worker ends when the last clone is dropped.
#[derive(Debug, Clone)]
pub struct Acknowledger {
    queue: mpsc::Sender<Job>,
}

#[derive(Debug)]
enum Job {
    Press(Press),
    Flush(oneshot::Sender<()>),
}

impl Acknowledger {
    /// Starts the worker on the present runtime.
    #[must_use]
    pub fn start(client: TelegramClient) -> Self {
        let (queue, jobs) = mpsc::channel(QUEUE);
        tokio::spawn(work(client, jobs));
        Self { queue }
    }

    /// Acknowledges a press soon. Never waits; when too many are waiting it is dropped.
    pub fn press(&self, press: Press) {
        if self.queue.try_send(Job::Press(press)).is_err() {
            count("dropped");
        }
    }

    /// Waits until everything handed over before has been tried.
    pub async fn flush(&self) {
        let (done, wait) = oneshot::channel();
        if self.queue.send(Job::Flush(done)).await.is_ok() {
            let _ = wait.await;
        }
    }
}

async fn work(client: TelegramClient, mut jobs: mpsc::Receiver<Job>) {
    let places = Arc::new(Semaphore::new(AT_ONCE as usize));
    let held = Arc::new(Held::default());
    while let Some(job) = jobs.recv().await {
        match job {
            Job::Press(press) => {
                let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
                if held.now() {
                    count("dropped");
                    continue;
                }
                let (client, held) = (client.clone(), Arc::clone(&held));
                tokio::spawn(async move {
                    acknowledge(&client, press, &held).await;
                    drop(place);
                });
            }
            Job::Flush(done) => {
                // All places are free only when nothing is on its way.
                let all = places.acquire_many(AT_ONCE).await;
                let _ = done.send(());
                drop(all);
            }
        }
    }
}

/// Until when Telegram asked to be left alone.
#[derive(Default)]
struct Held(std::sync::Mutex<Option<Instant>>);

impl Held {
    fn now(&self) -> bool {
        self.0.lock().is_ok_and(|until| until.is_some_and(|until| Instant::now() < until))
    }

    fn hold(&self, wait: std::time::Duration) {
        if let Ok(mut until) = self.0.lock() {
            *until = Some(Instant::now() + wait);
        }
    }
}

async fn acknowledge(client: &TelegramClient, press: Press, held: &Held) {
    let answer = AnswerCallbackQuery::new(CallbackQueryId(press.callback_id));
    note(client.call::<_, IgnoredAny>(&answer).await, held);
    if let Some((chat, message)) = press.message {
        // An old keyboard would invite answers to a question that is no longer asked.
        let edit =
            EditMessageReplyMarkup::new(ChatId(chat), MessageId(message)).reply_markup(InlineKeyboardMarkup::default());
        note(client.call::<_, IgnoredAny>(&edit).await, held);
    }
}

/// Nothing is done about a failure: "query is too old" and "message is not modified" are everyday, and the guest has
/// their reply.
fn note(result: Result<IgnoredAny, CallError>, held: &Held) {
    match result {
        Ok(_) => count("done"),
        Err(error) => {
            if let Some(Ok(wait)) = error.wait().map(|wait| wait.to_std()) {
                held.hold(wait);
            }
            count("failed");
            tracing::debug!(%error, "a pressed button was not acknowledged");
        }
    }
}

fn count(outcome: &'static str) {
    metrics::counter!("convive_telegram_acknowledgements_total", "outcome" => outcome).increment(1);
}

#[cfg(test)]
mod tests;
