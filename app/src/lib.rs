//! Use cases: load, decide, commit.

mod access;
mod clock;
mod host;
pub mod initiated;
mod intake;
mod outreach;

pub use access::AccessRecorder;
pub use clock::{Clock, SystemClock};
pub use host::{EventSet, HostError, command_line};
pub use intake::{App, SERVED_CHANNELS, TakeInError, Taken, typed_code};
pub use outreach::Gathered;
