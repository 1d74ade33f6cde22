//! The settings of an event, as the host writes them: `KEY=VALUE`.

mod id;
mod key;
#[cfg(test)]
mod tests;
mod values;

use std::{collections::BTreeMap, fmt};

use chrono::{DateTime, SecondsFormat, Utc};
use chrono_tz::Tz;

pub use key::Key;

use crate::{
    calendar::{ClockChange, clock_change, is_end_of_day, local_instant, parse_when},
    model::{Admission, DigestSettings, Event, EventId, ReminderSettings},
    schedule, wording,
};

/// Without these there is no event.
const NEEDED: [Key; 3] = [Key::Name, Key::StartsAt, Key::TimeZone];
/// Those that must come in order: while one of them cannot be read, nothing can be said about that.
const ORDERED: [Key; 6] =
    [Key::StartsAt, Key::EndsAt, Key::TimeZone, Key::RsvpDeadline, Key::ReminderDays, Key::ReminderTime];

/// What is wrong with a setting, and what to write instead.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct SettingError {
    /// As it was written, where it is not a known key.
    pub key: String,
    pub message: String,
}

impl fmt::Display for SettingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.key, self.message)
    }
}

impl SettingError {
    fn new(key: Key, message: impl fmt::Display) -> Self {
        Self { key: key.as_str().to_owned(), message: format!("{message}; for example {key}={}", key.example()) }
    }
}

/// The event with these settings changed, or a new one where there is none. An empty value clears a setting, or
/// brings back what it is when nobody sets it. A new event without `id` is named after its name.
///
/// A new time zone leaves the clock times of the event as they are ("18:00" stays "18:00"). An event that is
/// called off is so from `now` on.
///
/// # Errors
/// Every setting that cannot be used; then nothing changes.
pub fn apply(
    current: Option<Event>,
    pairs: &[(String, String)],
    id: Option<EventId>,
    now: DateTime<Utc>,
) -> Result<Event, Vec<SettingError>> {
    let mut errors = Vec::new();
    let given = known(pairs, &mut errors);
    let is_new = current.is_none();
    let mut event = current.unwrap_or_else(blank);
    if is_new {
        let missing = NEEDED.into_iter().filter(|key| !given.contains_key(key));
        errors.extend(missing.map(|key| SettingError::new(key, "missing, and needed to create an event")));
    }
    if let Some(text) = given.get(&Key::TimeZone) {
        match values::zone(text) {
            Ok(zone) => move_zone(&mut event, zone),
            Err(message) => errors.push(SettingError::new(Key::TimeZone, message)),
        }
    }
    for (key, value) in &given {
        if let Err(message) = set(&mut event, *key, value, now) {
            errors.push(SettingError::new(*key, message));
        }
    }
    if !errors.iter().any(|error| ORDERED.iter().any(|key| key.as_str() == error.key)) {
        errors.extend(contradictions(&event, &given));
    }
    if is_new {
        let id = id.map_or_else(|| Ok(id::from_name(&event.name)), id::check);
        match id {
            Ok(id) => event.id = id,
            Err(message) => errors.push(SettingError { key: "--event".to_owned(), message }),
        }
    }
    if errors.is_empty() { Ok(event) } else { Err(errors) }
}

fn blank() -> Event {
    Event {
        id: EventId(String::new()),
        name: String::new(),
        starts_at: DateTime::UNIX_EPOCH,
        ends_at: None,
        time_zone: Tz::UTC,
        rsvp_deadline: None,
        capacity: None,
        seats_taken: None,
        admission: Admission::default(),
        place: None,
        address: None,
        dress_code: None,
        schedule: None,
        host_contact: None,
        default_locale: wording::FALLBACK.to_owned(),
        phone_region: None,
        reminders: ReminderSettings::default(),
        digest: DigestSettings::default(),
        cancelled_at: None,
        version: 0,
    }
}

fn known<'a>(pairs: &'a [(String, String)], errors: &mut Vec<SettingError>) -> BTreeMap<Key, &'a str> {
    let mut given = BTreeMap::new();
    for (name, value) in pairs {
        match Key::read(name) {
            Ok(key) => {
                if given.insert(key, value.trim()).is_some() {
                    errors.push(SettingError::new(key, "given twice; give it once"));
                }
            }
            Err(message) => errors.push(SettingError { key: name.clone(), message }),
        }
    }
    given
}

/// Guests know the event by its clock times: those stay, in the new zone.
fn move_zone(event: &mut Event, zone: Tz) {
    let old = event.time_zone;
    let moved = |at: DateTime<Utc>| local_instant(at.with_timezone(&old).naive_local(), zone);
    event.ends_at = event.ends_at.map(moved);
    event.rsvp_deadline = event.rsvp_deadline.map(moved);
    event.starts_at = moved(event.starts_at);
    event.time_zone = zone;
}

fn set(event: &mut Event, key: Key, value: &str, now: DateTime<Utc>) -> Result<(), String> {
    let zone = event.time_zone;
    let when = |end_of_day| parse_when(value, zone, end_of_day).map_err(|error| error.to_string());
    let is_empty = value.is_empty();
    match key {
        Key::Name => event.name = values::text(value)?.ok_or("cannot be empty")?,
        Key::StartsAt => event.starts_at = when(false)?,
        Key::EndsAt => event.ends_at = if is_empty { None } else { Some(when(true)?) },
        // Read before everything else: times are local to it.
        Key::TimeZone => {}
        Key::RsvpDeadline => event.rsvp_deadline = if is_empty { None } else { Some(when(true)?) },
        Key::Capacity => event.capacity = if is_empty { None } else { Some(values::capacity(value)?) },
        Key::Place => event.place = values::text(value)?,
        Key::Address => event.address = values::lines(value)?,
        Key::DressCode => event.dress_code = values::text(value)?,
        Key::Schedule => event.schedule = values::lines(value)?,
        Key::HostContact => event.host_contact = values::text(value)?,
        Key::DefaultLocale => event.default_locale = values::locale(value)?,
        Key::PhoneRegion => event.phone_region = if is_empty { None } else { Some(values::region(value)?) },
        Key::Admission => event.admission = values::admission(value)?,
        Key::ReminderDays => event.reminders.days = values::days(value)?,
        Key::ReminderTime => event.reminders.at = values::time_or(value, ReminderSettings::default().at)?,
        Key::ReminderWindow => event.reminders.window = values::window(value)?,
        Key::DayBefore => event.reminders.day_before = values::yes_or(value, ReminderSettings::default().day_before)?,
        Key::DigestCron => event.digest.cron = values::cron(value)?,
        Key::DigestAtOnce => event.digest.not_at_once = values::not_at_once(value)?,
        Key::DigestWhenEmpty => event.digest.when_empty = values::yes_or(value, DigestSettings::default().when_empty)?,
        Key::Cancelled => event.cancelled_at = values::yes_or(value, false)?.then(|| event.cancelled_at.unwrap_or(now)),
    }
    Ok(())
}

/// Settings that cannot hold together. Each is told of the key that was given, so that the host sees what to change.
fn contradictions(event: &Event, given: &BTreeMap<Key, &str>) -> Vec<SettingError> {
    let mut errors = Vec::new();
    let blame = |key: Key| if given.contains_key(&key) { key } else { Key::StartsAt };
    let shown = |at: DateTime<Utc>| show_when(at, event.time_zone, false);
    // As the host wrote it: a day, where its end is meant.
    let shown_end = |at: DateTime<Utc>| show_when(at, event.time_zone, true);
    if let Some(ends) = event.ends_at.filter(|ends| *ends <= event.starts_at) {
        let message =
            format!("the event would end ({}) before it starts ({})", shown_end(ends), shown(event.starts_at));
        errors.push(SettingError::new(blame(Key::EndsAt), message));
    }
    if let Some(deadline) = event.rsvp_deadline.filter(|deadline| *deadline > event.starts_at) {
        let message = format!(
            "answers would close ({}) after the event starts ({}); set an rsvp_deadline at or before the start, or \
             leave it empty to close at the start",
            shown_end(deadline),
            shown(event.starts_at)
        );
        errors.push(SettingError::new(blame(Key::RsvpDeadline), message));
    }
    let is_late = |days: &&u32| schedule::due(event, **days).is_some_and(|at| at >= event.closes_at());
    if let Some(days) = event.reminders.days.iter().find(is_late) {
        let message = format!(
            "a reminder {days} days before the deadline, at {} inside the window {}, would come after answers close ({})",
            event.reminders.at.format("%H:%M"),
            values::show_window(event.reminders.window),
            shown(event.closes_at())
        );
        errors.push(SettingError::new(Key::ReminderDays, message));
    }
    errors
}

/// What the host should know of settings that were just taken: times that have passed, and local times that a change
/// of clocks makes another or doubles.
#[must_use]
pub fn notices(event: &Event, pairs: &[(String, String)], now: DateTime<Utc>) -> Vec<String> {
    let given = known(pairs, &mut Vec::new());
    let times = [
        (Key::StartsAt, Some(event.starts_at)),
        (Key::EndsAt, event.ends_at),
        (Key::RsvpDeadline, event.rsvp_deadline),
    ];
    let mut notices = Vec::new();
    for (key, at) in times {
        let (Some(typed), Some(at)) = (given.get(&key), at) else { continue };
        let (zone, taken) = (event.time_zone, show_when(at, event.time_zone, false));
        notices.extend(clock_change(typed, zone).map(|change| match change {
            ClockChange::Skipped => {
                format!("{key}: there is no {typed} in {zone}, where clocks are put forward then; {taken} was taken")
            }
            ClockChange::Repeated => format!(
                "{key}: {typed} comes twice in {zone}, where clocks are put back then; the first ({taken}) was taken. \
                 For the other write its offset from UTC, too"
            ),
        }));
    }
    let of_time = [Key::StartsAt, Key::RsvpDeadline, Key::TimeZone];
    if given.contains_key(&Key::Cancelled) {
        notices.push(match event.cancelled_at {
            Some(_) => format!(
                "{}: the event is off: answers are closed, and nobody is reminded. Hosts are asked in the chat whether \
                 to tell those who were coming (/tell); cancelled=false takes it back",
                Key::Cancelled
            ),
            None => format!(
                "{}: the event takes place; whoever was told that it is off can be told with /tell",
                Key::Cancelled
            ),
        });
    }
    if event.cancelled_at.is_none() && event.closes_at() <= now && of_time.iter().any(|key| given.contains_key(key)) {
        let (key, at) = match event.rsvp_deadline {
            Some(deadline) => (Key::RsvpDeadline, show_when(deadline, event.time_zone, true)),
            None => (Key::StartsAt, show_when(event.starts_at, event.time_zone, false)),
        };
        notices.push(format!("{key}: {at} has passed, so answers are closed"));
    }
    notices
}

/// Every setting as it would be written to [`apply`]; what is not set is empty.
#[must_use]
pub fn show(event: &Event) -> Vec<(String, String)> {
    Key::ALL.into_iter().map(|key| (key.as_str().to_owned(), value(event, key))).collect()
}

fn value(event: &Event, key: Key) -> String {
    let zone = event.time_zone;
    let text = |value: &Option<String>| value.clone().unwrap_or_default();
    match key {
        Key::Name => event.name.clone(),
        Key::StartsAt => show_when(event.starts_at, zone, false),
        Key::EndsAt => event.ends_at.map(|at| show_when(at, zone, true)).unwrap_or_default(),
        Key::TimeZone => zone.name().to_owned(),
        Key::RsvpDeadline => event.rsvp_deadline.map(|at| show_when(at, zone, true)).unwrap_or_default(),
        Key::Capacity => event.capacity.map(|seats| seats.to_string()).unwrap_or_default(),
        Key::Place => text(&event.place),
        Key::Address => text(&event.address),
        Key::DressCode => text(&event.dress_code),
        Key::Schedule => text(&event.schedule),
        Key::HostContact => text(&event.host_contact),
        Key::DefaultLocale => event.default_locale.clone(),
        Key::PhoneRegion => text(&event.phone_region),
        Key::Admission => values::show_admission(event.admission).to_owned(),
        Key::ReminderDays => event.reminders.days.iter().map(u32::to_string).collect::<Vec<_>>().join(","),
        Key::ReminderTime => event.reminders.at.format("%H:%M").to_string(),
        Key::ReminderWindow => values::show_window(event.reminders.window),
        Key::DayBefore => event.reminders.day_before.to_string(),
        Key::DigestCron => event.digest.cron.clone(),
        Key::DigestWhenEmpty => event.digest.when_empty.to_string(),
        Key::DigestAtOnce => values::show_at_once(&event.digest.not_at_once),
        Key::Cancelled => event.cancelled_at.is_some().to_string(),
    }
}

/// The instant in the event's zone; the end of a day as that day's date, where [`parse_when`] would read it so.
fn show_when(at: DateTime<Utc>, zone: Tz, end_of_day: bool) -> String {
    match is_end_of_day(at, zone) {
        Some(day) if end_of_day => day.to_string(),
        _ => at.with_timezone(&zone).to_rfc3339_opts(SecondsFormat::AutoSi, false),
    }
}
