//! What happens because time passes: when, to whom, where, and why not. Pure: the same facts give the same plan,
//! whether it is carried out or only shown.

mod cron;
mod plan;
mod times;

#[cfg(test)]
mod tests;

pub use cron::Cron;
pub use plan::{
    AddressBook, Member, Message, Outreach, Plan, Reach, WhyNot, last_used_first, to_address_book, whom_to_tell,
    whom_to_write, without_those_too_late,
};
pub use times::{LATEST, Missed, Reminder, day_before, due, missed, next_worth, reminders};
