//! Use cases: load, decide, commit.

mod clock;
mod intake;

pub use clock::{Clock, SystemClock};
pub use intake::{App, TakeInError, Taken};
