//! Where everything is kept: the contract, its conformance suite, and the stores that keep it.
//!
//! The contract is shaped by use cases, not by tables. Every store runs [`conformance`].

pub mod archive;
pub mod conformance;
mod contract;
mod guest_list;
mod mention;
pub mod mongo;
mod outbox;
pub mod sqlite;

pub use contract::*;
pub use guest_list::{GuestList, GuestQuery, GuestSort, Statistics};
pub use outbox::*;
