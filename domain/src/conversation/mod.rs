//! The conversation with a guest.

mod state;

pub use state::*;
