//! One update, from its bytes to its commit: the same whether Telegram calls us or we call Telegram.

use app::{App, TakeInError, Taken};
use domain::message::Inbound;

use super::{
    acknowledge::Acknowledger,
    setup::BotIdentity,
    updates::{self, BrokenUpdate, Parsed, Press},
};

/// Takes updates in for one bot. Cheap to clone.
#[derive(Clone)]
pub struct Receiver {
    app: App,
    bot: BotIdentity,
    acknowledger: Acknowledger,
}

/// What became of an update.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Received {
    /// Its effect is committed.
    Done,
    /// It had been taken in before.
    Repeat,
    /// It is nothing for us.
    Ignored,
}

/// The update had no effect.
#[derive(Debug, thiserror::Error)]
pub enum ReceiveError {
    #[error(transparent)]
    Broken(#[from] BrokenUpdate),
    #[error(transparent)]
    TakeIn(#[from] TakeInError),
}

impl Receiver {
    /// Gives what this bot hears to `app`.
    #[must_use]
    pub fn new(app: App, bot: BotIdentity, acknowledger: Acknowledger) -> Self {
        Self { app, bot, acknowledger }
    }

    /// Reads an update.
    ///
    /// # Errors
    /// When it is not JSON.
    pub fn read(&self, update: &[u8]) -> Result<Parsed, BrokenUpdate> {
        let parsed = updates::to_inbound(update, self.app.clock.now(), &self.bot)?;
        if let Parsed::Ignored(kind) = parsed {
            count("ignored", kind);
        }
        Ok(parsed)
    }

    /// Gives a message to the intake. A press is acknowledged once that has committed, and only then.
    ///
    /// # Errors
    /// When it could not be committed.
    pub async fn take_in(&self, inbound: Inbound, press: Option<Press>) -> Result<Received, TakeInError> {
        let taken = self.app.take_in(inbound).await.inspect_err(|_| count("failed", ""))?;
        if let Some(press) = press {
            self.acknowledger.press(press);
        }
        Ok(match taken {
            Taken::Done => {
                count("done", "");
                Received::Done
            }
            Taken::Repeat => {
                count("repeat", "");
                Received::Repeat
            }
        })
    }

    /// Both: reads an update and takes it in.
    ///
    /// # Errors
    /// When it is not JSON, or could not be committed.
    pub async fn receive(&self, update: &[u8]) -> Result<Received, ReceiveError> {
        match self.read(update)? {
            Parsed::Inbound { inbound, press } => Ok(self.take_in(inbound, press).await?),
            Parsed::Ignored(_) => Ok(Received::Ignored),
        }
    }
}

#[cfg(test)]
impl Receiver {
    /// Waits until every press so far has been acknowledged, or not.
    pub(super) async fn flush(&self) {
        self.acknowledger.flush().await;
    }
}

fn count(outcome: &'static str, kind: &'static str) {
    metrics::counter!("convive_telegram_updates_total", "outcome" => outcome, "kind" => kind).increment(1);
}
