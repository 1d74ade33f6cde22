//! Strict fakes: a call they do not know is a failure, and nothing may be left over at the end.

pub mod faulty_store;
pub mod line;
pub mod telegram;
pub mod twilio;
