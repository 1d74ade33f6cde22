//! Guessing codes: how failures cool an address down.

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

/// Failures after which an address cools down.
pub const FAILURES_BEFORE_COOLING: u32 = 5;
/// Failures in a minute, over all addresses, after which unknown addresses have to wait.
pub const FAILURES_A_MINUTE_EVERYWHERE: u32 = 100;
const LONGEST_COOLING_MINUTES: i64 = 60;
const FORGET_FAILURES_AFTER_HOURS: i64 = 1;
const FORGET_COOLINGS_AFTER_HOURS: i64 = 24;

/// Failed attempts to log in from one address.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Attempts {
    /// Failures since the last cooling.
    #[serde(default)]
    pub failures: u32,
    /// How often the address has cooled down lately; each time doubles the next.
    #[serde(default)]
    pub coolings: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_failure: Option<DateTime<Utc>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cooling_until: Option<DateTime<Utc>>,
}

impl Attempts {
    /// How long the address still has to wait; `None` when it may try.
    #[must_use]
    pub fn remaining(&self, now: DateTime<Utc>) -> Option<TimeDelta> {
        self.cooling_until.map(|until| until - now).filter(|left| *left > TimeDelta::zero())
    }

    /// Counts a failure; after the fifth the address cools down for a minute, then two, four ... an hour.
    /// Tries while it cools down must not be counted.
    ///
    /// Only time forgets failures: a login does not, or whoever has one code could guess others for ever.
    pub fn fail(&mut self, now: DateTime<Utc>) {
        let quiet = self.last_failure.map_or(TimeDelta::zero(), |last| now - last);
        if quiet >= TimeDelta::hours(FORGET_FAILURES_AFTER_HOURS) {
            self.failures = 0;
        }
        if quiet >= TimeDelta::hours(FORGET_COOLINGS_AFTER_HOURS) {
            self.coolings = 0;
        }
        self.last_failure = Some(now);
        self.failures += 1;
        if self.failures >= FAILURES_BEFORE_COOLING {
            let minutes =
                1_i64.checked_shl(self.coolings).unwrap_or(LONGEST_COOLING_MINUTES).clamp(1, LONGEST_COOLING_MINUTES);
            self.failures = 0;
            self.coolings = self.coolings.saturating_add(1).min(16);
            self.cooling_until = Some(now + TimeDelta::minutes(minutes));
        }
    }
}

/// How long an address has to wait before it may try to log in; `None` when it may. `recent_failures` are those of
/// the last minute over all addresses: they slow only those that nobody is logged in at.
#[must_use]
pub fn wait(attempts: &Attempts, is_logged_in: bool, recent_failures: u32, now: DateTime<Utc>) -> Option<TimeDelta> {
    let is_busy = !is_logged_in && recent_failures >= FAILURES_A_MINUTE_EVERYWHERE;
    attempts.remaining(now).or_else(|| is_busy.then(|| TimeDelta::minutes(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fifth_failure_cools_down_and_each_time_doubles_up_to_an_hour() {
        let mut now = DateTime::UNIX_EPOCH;
        let mut attempts = Attempts::default();
        let mut waits = Vec::new();
        for _ in 0..8 {
            for _ in 0..4 {
                attempts.fail(now);
                assert_eq!(attempts.remaining(now), None);
            }
            attempts.fail(now);
            let wait = attempts.remaining(now).unwrap();
            waits.push(wait.num_minutes());
            now += wait;
            assert_eq!(attempts.remaining(now), None, "the last moment of waiting is exclusive");
        }
        assert_eq!(waits, [1, 2, 4, 8, 16, 32, 60, 60]);
    }

    #[test]
    fn an_hour_forgets_failures_and_a_day_forgets_coolings() {
        let mut now = DateTime::UNIX_EPOCH;
        let mut attempts = Attempts::default();
        (0..4).for_each(|_| attempts.fail(now));
        now += TimeDelta::hours(1);
        attempts.fail(now);
        assert_eq!((attempts.failures, attempts.cooling_until), (1, None));
        (0..4).for_each(|_| attempts.fail(now));
        assert_eq!(attempts.coolings, 1);
        now += TimeDelta::hours(24);
        attempts.fail(now);
        assert_eq!(attempts.coolings, 0);
    }
}
