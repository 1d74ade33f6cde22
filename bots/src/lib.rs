//! Chat channels: adapters that turn bytes into inbounds and outbox entries into bytes, and the courier.

pub mod console;
pub mod courier;
mod http;
mod outcome;
mod pace;
mod provider;
pub mod sms;
pub mod telegram;

pub use courier::Courier;
pub use http::client as http_client;
pub use provider::{LookUp, Parcel, Provider, Repeats, SendOutcome};
