//! Logs: to standard error, a line each. Ids and channels only; never names, codes, texts or phone numbers.

use std::io::IsTerminal;

use tracing_subscriber::EnvFilter;

/// Starts logging at this level, or as `RUST_LOG` says. A second start changes nothing.
pub fn start(level: &str) {
    // Colours are for people: in a file or a journal they are noise.
    let is_terminal = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(level));
    // It was started before: that one stays.
    let _ = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(is_terminal)
        .with_writer(std::io::stderr)
        .try_init();
}
