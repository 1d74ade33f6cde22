//! Composition only: the command line, the settings, and the wiring of crates to each other.

pub mod chat;
pub mod cli;
pub mod demo;
pub mod keys;
pub mod metrics;
pub mod program;
pub mod settings;
pub mod telemetry;
pub mod try_out;
pub mod wiring;

/// Handling a message takes some hundred small allocations, many of them freed by another thread.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
