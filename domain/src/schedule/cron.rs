//! Cron expressions in a named time zone, right over both clock changes.

use chrono::{DateTime, TimeDelta, Utc};
use chrono_tz::Tz;
use croner::parser::{CronParser, Seconds, Year};

use crate::calendar::local_instant;

/// What the five are called, and what they may be.
const FIELDS: [(&str, &str); 5] = [
    ("minute", "0 to 59"),
    ("hour", "0 to 23"),
    ("day of the month", "1 to 31"),
    ("month", "1 to 12 or JAN to DEC"),
    ("day of the week", "0 to 7 or SUN to SAT"),
];
/// Clocks are set back by less (an hour nearly everywhere).
const SET_BACK: TimeDelta = TimeDelta::hours(3);

/// A schedule of five fields, read as local time: what falls into a skipped hour comes once, when the clock has
/// jumped; what falls into a repeated hour comes once, the first time.
#[derive(Debug, Clone)]
pub struct Cron {
    text: String,
    pattern: croner::Cron,
}

impl Cron {
    /// Reads a schedule.
    ///
    /// # Errors
    /// Which part cannot be read, or that no such time ever comes.
    pub fn read(text: &str) -> Result<Self, String> {
        let parser = CronParser::builder().seconds(Seconds::Disallowed).year(Year::Disallowed).build();
        let fields: Vec<_> = text.split_whitespace().collect();
        if fields.len() != FIELDS.len() {
            let names = FIELDS.map(|(name, _)| name).join(", ");
            return Err(format!("\"{text}\" has {} fields; a schedule has five: {names}", fields.len()));
        }
        for (place, field) in fields.iter().enumerate() {
            let mut alone = ["*"; FIELDS.len()];
            alone[place] = field;
            let (name, range) = FIELDS[place];
            parser
                .parse(&alone.join(" "))
                .map_err(|_| format!("the {name} \"{field}\" cannot be read; it is {range}, or * for every one"))?;
        }
        let schedule = fields.join(" ");
        let pattern = parser.parse(&schedule).map_err(|_| format!("\"{text}\" cannot be read"))?;
        match pattern.find_next_occurrence(&DateTime::UNIX_EPOCH, false) {
            Ok(_) => Ok(Self { text: schedule, pattern }),
            Err(_) => Err(format!("\"{text}\" never comes")),
        }
    }

    /// As it is stored.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The first time after `at`.
    #[must_use]
    pub fn next_after(&self, at: DateTime<Utc>, zone: Tz) -> Option<DateTime<Utc>> {
        let mut local = at.with_timezone(&zone).naive_local();
        loop {
            // Local times in their order give instants in their order; several may give the same one.
            local = self.pattern.find_next_occurrence(&local, false).ok()?;
            let instant = local_instant(local, zone);
            if instant > at {
                return Some(instant);
            }
        }
    }

    /// The last time at or before `at`.
    #[must_use]
    pub fn last_until(&self, at: DateTime<Utc>, zone: Tz) -> Option<DateTime<Utc>> {
        // The clock may have been set back just now: local times ahead of it have been already.
        let mut local = at.with_timezone(&zone).naive_local() + SET_BACK;
        loop {
            local = self.pattern.find_previous_occurrence(&local, false).ok()?;
            let instant = local_instant(local, zone);
            if instant <= at {
                return Some(instant);
            }
        }
    }
}
