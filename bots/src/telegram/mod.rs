//! Telegram: updates as inbounds, outbox entries as messages.
//!
//! One message's way: the webhook door or the [`poller`] gets an update, [`updates`] reads it, [`Receiver`] gives it to
//! the intake and, once that has committed, tells [`acknowledge`] of a pressed button. Replies leave through
//! [`TelegramChannel`]. [`setup`] introduces the bot at the start.

pub mod acknowledge;
mod answer;
mod channel;
mod client;
mod keyboard;
pub mod poller;
mod receiver;
pub mod setup;
pub mod updates;

pub use acknowledge::Acknowledger;
pub use answer::CallError;
pub use channel::{CAPTION_UNITS, TelegramChannel};
pub use client::{TelegramClient, TelegramSettings, TelegramSettingsError};
pub use poller::Poller;
pub use receiver::{ReceiveError, Received, Receiver};
pub use setup::BotIdentity;
