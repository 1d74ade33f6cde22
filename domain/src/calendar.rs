//! Local time and the calendar file.

use chrono::{DateTime, NaiveDateTime, TimeDelta, TimeZone, Utc};
use chrono_tz::Tz;

/// The instant of a local time. Of a repeated hour the first; in a skipped hour the first instant after the gap.
#[must_use]
pub fn local_instant(local: NaiveDateTime, zone: Tz) -> DateTime<Utc> {
    let mut local = local;
    // Gaps are at most a day long (Samoa skipped 30 December 2011).
    for _ in 0..=24 * 60 {
        if let Some(instant) = zone.from_local_datetime(&local).earliest() {
            return instant.with_timezone(&Utc);
        }
        local += TimeDelta::minutes(1);
    }
    Utc.from_utc_datetime(&local)
}
