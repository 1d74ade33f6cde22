//! Time and randomness come in from outside, so that every test can set them.

use chrono::{DateTime, Utc};

/// Where the time and random numbers come from.
pub trait Clock: Send + Sync + 'static {
    /// The present instant, in whole milliseconds (what the stores keep).
    fn now(&self) -> DateTime<Utc>;
    /// Random bytes: cryptographic in production, seeded in tests.
    fn random(&self, bytes: &mut [u8]);
}

/// The machine's clock and the system's generator.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "the one place where the machine's clock is read")]
    fn now(&self) -> DateTime<Utc> {
        let now = Utc::now();
        DateTime::from_timestamp_millis(now.timestamp_millis()).unwrap_or(now)
    }

    fn random(&self, bytes: &mut [u8]) {
        // The system's generator fails only where there is none; a code that could be guessed must not be made.
        if let Err(error) = getrandom::fill(bytes) {
            panic!("the system's random number generator failed: {error}");
        }
    }
}
