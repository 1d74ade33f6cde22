//! Chat channels: adapters that turn bytes into inbounds and outbox entries into bytes, and the courier.

mod provider;
pub mod sms;
pub mod telegram;

pub use provider::{LookUp, Parcel, Provider, Repeats, SendOutcome};
