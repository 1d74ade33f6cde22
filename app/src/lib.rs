//! Use cases: load, decide, commit.

mod access;
mod clock;
mod host;
mod host_view;
pub mod initiated;
mod intake;
mod links;
mod login;
mod outreach;
mod rsvp;

pub use access::AccessRecorder;
pub use clock::{Clock, SystemClock};
pub use host::{Adopted, Bulk, EventSet, HostError, Round, RoundKind, SendAgainError, Undelivered, command_line};
pub use intake::{App, SERVED_CHANNELS, TakeInError, Taken, typed_code};
pub use links::{HostLink, LINK_MINUTES, LINK_PATH};
pub use login::LoginError;
pub use outreach::Gathered;
pub use rsvp::RsvpError;
