//! The keys.

use std::fmt;

/// One setting of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Key {
    Name,
    StartsAt,
    EndsAt,
    TimeZone,
    RsvpDeadline,
    Capacity,
    Place,
    Address,
    DressCode,
    Schedule,
    HostContact,
    DefaultLocale,
    PhoneRegion,
    Admission,
    ReminderDays,
    ReminderTime,
    ReminderWindow,
    DayBefore,
    DigestCron,
    DigestWhenEmpty,
    DigestAtOnce,
    Cancelled,
}

impl Key {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Self; 22] = [
        Self::Name,
        Self::StartsAt,
        Self::EndsAt,
        Self::TimeZone,
        Self::RsvpDeadline,
        Self::Capacity,
        Self::Place,
        Self::Address,
        Self::DressCode,
        Self::Schedule,
        Self::HostContact,
        Self::DefaultLocale,
        Self::PhoneRegion,
        Self::Admission,
        Self::ReminderDays,
        Self::ReminderTime,
        Self::ReminderWindow,
        Self::DayBefore,
        Self::DigestCron,
        Self::DigestWhenEmpty,
        Self::DigestAtOnce,
        Self::Cancelled,
    ];

    /// As it is written, and a value that it may have.
    const fn name_and_example(self) -> (&'static str, &'static str) {
        match self {
            Self::Name => ("name", "\"Harbour Supper\""),
            Self::StartsAt => ("starts_at", "2027-06-19T18:00"),
            Self::EndsAt => ("ends_at", "2027-06-19T23:30"),
            Self::TimeZone => ("time_zone", "Europe/London"),
            Self::RsvpDeadline => ("rsvp_deadline", "2027-06-05"),
            Self::Capacity => ("capacity", "120"),
            Self::Place => ("place", "\"The Old Boathouse\""),
            Self::Address => ("address", "\"1 Quay Street, Harbourtown\""),
            Self::DressCode => ("dress_code", "\"Come as you are\""),
            Self::Schedule => ("schedule", "\"18:00 drinks, 19:00 supper\""),
            Self::HostContact => ("host_contact", "\"Rosa, +44 7700 900555\""),
            Self::DefaultLocale => ("default_locale", "en"),
            Self::PhoneRegion => ("phone_region", "GB"),
            Self::Admission => ("admission", "invitation"),
            Self::ReminderDays => ("reminders.days", "14,7,3,1"),
            Self::ReminderTime => ("reminders.at", "10:00"),
            Self::ReminderWindow => ("reminders.window", "09:00-20:00"),
            Self::DayBefore => ("reminders.day_before", "true"),
            Self::DigestCron => ("digest.cron", "\"0 8 * * *\""),
            Self::DigestWhenEmpty => ("digest.when_empty", "false"),
            Self::DigestAtOnce => ("digest.at_once", "extras,late,full,messages,channels"),
            Self::Cancelled => ("cancelled", "true"),
        }
    }

    /// As it is written.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        self.name_and_example().0
    }

    /// A value that it may have, quoted for a shell where it must be.
    #[must_use]
    pub const fn example(self) -> &'static str {
        self.name_and_example().1
    }

    /// The key that a host wrote; case and hyphens for underscores make no difference.
    pub(super) fn read(name: &str) -> Result<Self, String> {
        let wanted = name.trim().to_lowercase().replace('-', "_");
        if let Some(key) = Self::ALL.into_iter().find(|key| key.as_str() == wanted) {
            return Ok(key);
        }
        let hint = nearest(&wanted).map(|key| format!(" Did you mean {key}?")).unwrap_or_default();
        let all = Self::ALL.map(Self::as_str).join(", ");
        Err(format!("there is no such setting.{hint} The settings are {all}"))
    }
}

/// The key that was perhaps meant: misspelt, or named by one of its words (`deadline`, `days`).
fn nearest(wanted: &str) -> Option<Key> {
    let whole = |key: &Key| strsim::osa_distance(wanted, key.as_str());
    let misspelt = Key::ALL.into_iter().min_by_key(whole).filter(|key| whole(key) <= wanted.len() / 4 + 1);
    let has_word = |key: &Key| key.as_str().split(['_', '.']).any(|word| word == wanted);
    misspelt.or_else(|| Key::ALL.into_iter().find(has_word))
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
