//! Where everything is kept: the contract, its conformance suite, and the stores that keep it.
//!
//! The contract is shaped by use cases, not by tables. Every store runs [`conformance`].

pub mod conformance;
mod contract;
pub mod sqlite;

pub use contract::*;
