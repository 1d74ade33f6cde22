//! A clock that moves when the story says so.

use std::sync::{Mutex, PoisonError};

use app::Clock;
use chrono::{DateTime, TimeDelta, Utc};

/// Stands still until it is moved; draws the same numbers in every run.
pub struct TestClock {
    inner: Mutex<(DateTime<Utc>, u64)>,
}

impl TestClock {
    pub fn at(now: &str) -> Self {
        Self { inner: Mutex::new((now.parse().unwrap(), 1)) }
    }

    pub fn set(&self, now: DateTime<Utc>) {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner).0 = now;
    }

    pub fn advance(&self, by: TimeDelta) {
        let now = self.now();
        self.set(now + by);
    }
}

impl Clock for TestClock {
    fn now(&self) -> DateTime<Utc> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner).0
    }

    /// SplitMix64: each draw differs from every earlier one, across all programs that share the clock.
    fn random(&self, bytes: &mut [u8]) {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        for chunk in bytes.chunks_mut(8) {
            inner.1 = inner.1.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut mixed = inner.1;
            mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            mixed ^= mixed >> 31;
            chunk.copy_from_slice(&mixed.to_be_bytes()[..chunk.len()]);
        }
    }
}
