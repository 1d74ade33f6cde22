//! Schedules: what happens because time passes, not because somebody wrote.

mod housekeeping;

pub use housekeeping::Housekeeping;
