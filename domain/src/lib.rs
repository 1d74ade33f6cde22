//! The rules of Convive, and nothing else: no I/O, no clock, no randomness, no async.
//!
//! Everything here is a function of its arguments. [`conversation::step`] is total: any input in any
//! state yields an answer. The other crates load what the rules need, call them, and commit what they decide.

pub mod activity;
pub mod address;
pub mod adopt;
pub mod answer;
pub mod calendar;
pub mod code;
pub mod conversation;
pub mod digest;
pub mod event_settings;
pub mod guest_change;
pub mod guest_file;
pub mod lexicon;
pub mod lockout;
pub mod login;
pub mod message;
pub mod model;
pub mod name;
pub mod notice;
pub mod phone;
pub mod rsvp;
pub mod saved;
pub mod schedule;
pub mod show;
pub mod sms_text;
pub mod wording;
