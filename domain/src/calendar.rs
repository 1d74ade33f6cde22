//! Local time, the times a host types, and the calendar file.

mod spoken;

use chrono::{
    DateTime, Days, LocalResult, NaiveDate, NaiveDateTime, NaiveTime, SubsecRound, TimeDelta, TimeZone, Timelike, Utc,
};
use chrono_tz::Tz;
use icalendar::{Calendar, Component, EventLike, EventStatus};

pub use self::spoken::{DateWords, read_spoken};

use crate::{message::Attachment, model::Event};

/// The instant of a local time. Of a repeated hour the first; in a skipped hour the first instant after the gap.
#[must_use]
pub fn local_instant(local: NaiveDateTime, zone: Tz) -> DateTime<Utc> {
    let mut local = local;
    // Gaps are at most a day long (Samoa skipped 30 December 2011).
    for _ in 0..=24 * 60 {
        if let Some(instant) = zone.from_local_datetime(&local).earliest() {
            return instant.with_timezone(&Utc);
        }
        // Gaps end at whole minutes.
        local =
            local.with_second(0).and_then(|local| local.with_nanosecond(0)).unwrap_or(local) + TimeDelta::minutes(1);
    }
    Utc.from_utc_datetime(&local)
}

/// The typed time cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WhenError {
    #[error("not a date or time: write it like 2026-11-20, 2026-11-20T18:30 or 2026-11-20T18:30:00+01:00")]
    Unreadable,
    #[error("there is no such date or time in the calendar: write it like 2026-11-20 or 2026-11-20T18:30")]
    NoSuchTime,
}

impl WhenError {
    /// The same, with what was typed.
    #[must_use]
    pub fn of(self, typed: &str) -> String {
        match self {
            Self::Unreadable => format!("\"{typed}\" is {self}"),
            Self::NoSuchTime => format!("\"{typed}\": {self}"),
        }
    }
}

/// Reads a time as hosts type it: a date, or a date and a time, which is local to `zone` when it has no offset.
///
/// A date alone means its first instant or, with `end_of_day`, its exclusive end: the first instant of the day after.
/// Precise to the millisecond, which is what the stores keep.
///
/// # Errors
/// When the text is neither, or names a day or time that does not exist. An example is in the message.
pub fn parse_when(text: &str, zone: Tz, end_of_day: bool) -> Result<DateTime<Utc>, WhenError> {
    let text = text.trim();
    let (date, time) = match text.split_once(['T', 't', ' ']) {
        Some((date, time)) => (date, Some(time.trim())),
        None => (text, None),
    };
    let date = parse_date(date)?;
    let Some(time) = time else {
        let date = if end_of_day { date.checked_add_days(Days::new(1)).ok_or(WhenError::NoSuchTime)? } else { date };
        return Ok(local_instant(date.and_time(NaiveTime::MIN), zone));
    };
    let (clock, offset) = split_offset(time);
    let local = date.and_time(parse_clock(clock)?);
    let instant = match offset {
        None => local_instant(local, zone),
        Some(offset) => {
            // Only the offset is left to chrono, which wants a whole date and time.
            let text = format!("{}{offset}", local.format("%Y-%m-%dT%H:%M:%S%.f"));
            DateTime::parse_from_rfc3339(&text).map_err(|_| WhenError::Unreadable)?.to_utc()
        }
    };
    Ok(instant.trunc_subsecs(3))
}

/// What a change of clocks makes of a local time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClockChange {
    /// It never comes: [`parse_when`] takes the first instant after the gap.
    Skipped,
    /// It comes twice: [`parse_when`] takes the first.
    Repeated,
}

/// Whether a time that [`parse_when`] read falls into a change of clocks; nothing for a time with an offset.
#[must_use]
pub fn clock_change(text: &str, zone: Tz) -> Option<ClockChange> {
    let (date, time) = text.trim().split_once(['T', 't', ' '])?;
    let (clock, offset) = split_offset(time.trim());
    if offset.is_some() {
        return None;
    }
    match zone.from_local_datetime(&parse_date(date).ok()?.and_time(parse_clock(clock).ok()?)) {
        LocalResult::None => Some(ClockChange::Skipped),
        LocalResult::Ambiguous(..) => Some(ClockChange::Repeated),
        LocalResult::Single(_) => None,
    }
}

fn parse_date(text: &str) -> Result<NaiveDate, WhenError> {
    let has_shape = text.len() == 10
        && text
            .bytes()
            .enumerate()
            .all(|(at, byte)| if matches!(at, 4 | 7) { byte == b'-' } else { byte.is_ascii_digit() });
    if !has_shape {
        return Err(WhenError::Unreadable);
    }
    NaiveDate::parse_from_str(text, "%Y-%m-%d").map_err(|_| WhenError::NoSuchTime)
}

/// `HH:MM`, `HH:MM:SS` or `HH:MM:SS.fraction`.
fn parse_clock(text: &str) -> Result<NaiveTime, WhenError> {
    let is_part = |part: &str| part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, fraction) = text.split_once('.').map_or((text, None), |(whole, fraction)| (whole, Some(fraction)));
    let parts = whole.split(':').filter(|part| is_part(part)).count();
    let fraction_is_number = fraction.is_none_or(|fraction| {
        parts == 3 && !fraction.is_empty() && fraction.bytes().all(|byte| byte.is_ascii_digit())
    });
    if whole.split(':').count() != parts || !matches!(parts, 2 | 3) || !fraction_is_number {
        return Err(WhenError::Unreadable);
    }
    let format = if parts == 2 { "%H:%M" } else { "%H:%M:%S%.f" };
    NaiveTime::parse_from_str(text, format).map_err(|_| WhenError::NoSuchTime)
}

/// `18:30+01:00` as `18:30` and `+01:00`; `18:30Z` as `18:30` and `Z`.
fn split_offset(time: &str) -> (&str, Option<&str>) {
    match time.find(['+', '-', 'Z', 'z']) {
        Some(at) => (time[..at].trim_end(), Some(&time[at..])),
        None => (time, None),
    }
}

/// The date whose exclusive end this instant is, if it is the first instant of a local day.
#[must_use]
pub fn is_end_of_day(at: DateTime<Utc>, zone: Tz) -> Option<NaiveDate> {
    let date = at.checked_sub_signed(TimeDelta::milliseconds(1))?.with_timezone(&zone).date_naive();
    let next = date.succ_opt()?.and_time(NaiveTime::MIN);
    (local_instant(next, zone) == at).then_some(date)
}

/// The event as a file for the guest's calendar (RFC 5545): published, not a request, since a mail program's own
/// accept and decline would bypass us. Cancelled events give the file that takes them off the calendar again.
///
/// `domain_name` makes the event's id unique in the world; it must stay the same for the calendar to recognise a
/// later file. Nothing in it is wording of ours, so that it is the same in every language.
#[must_use]
pub fn calendar_file(event: &Event, now: DateTime<Utc>, domain_name: &str) -> Attachment {
    let is_cancelled = event.cancelled_at.is_some();
    let mut entry = icalendar::Event::new();
    entry
        .uid(&one_line(&format!("event-{}@{domain_name}", event.id)))
        .timestamp(now)
        .sequence(u32::try_from(event.version).unwrap_or(u32::MAX))
        .summary(&one_line(&event.name))
        .starts(event.starts_at)
        .status(if is_cancelled { EventStatus::Cancelled } else { EventStatus::Confirmed });
    if let Some(ends_at) = event.ends_at {
        entry.ends(ends_at);
    }
    if let Some(location) = joined([&event.place, &event.address], ", ") {
        entry.location(&location);
    }
    if let Some(description) = joined([&event.dress_code, &event.schedule], "\n") {
        entry.description(&description);
    }
    let mut calendar = Calendar::empty();
    calendar
        .append_property(("VERSION", "2.0"))
        .append_property(("PRODID", "-//Convive//RSVP//EN"))
        .append_property(("CALSCALE", "GREGORIAN"))
        .append_property(("METHOD", if is_cancelled { "CANCEL" } else { "PUBLISH" }))
        .push(entry.done());
    Attachment {
        name: format!("{}.ics", file_stem(event.id.as_str())),
        media_type: "text/calendar; charset=utf-8".to_owned(),
        content: refolded(&calendar.to_string()),
    }
}

/// The same file with no line over 75 octets, the break's own space included. (The crate, as of 0.17, does not count
/// that space in the last piece of a line.)
fn refolded(file: &str) -> String {
    const LONGEST: usize = 75;
    let mut folded = String::with_capacity(file.len() + 16);
    for line in file.replace("\r\n ", "").split_terminator("\r\n") {
        let mut used = 0;
        for c in line.chars() {
            if used + c.len_utf8() > LONGEST {
                folded.push_str("\r\n ");
                used = 1;
            }
            folded.push(c);
            used += c.len_utf8();
        }
        folded.push_str("\r\n");
    }
    folded
}

fn joined(texts: [&Option<String>; 2], separator: &str) -> Option<String> {
    let present: Vec<String> =
        texts.into_iter().flatten().map(|text| plain_lines(text.trim())).filter(|text| !text.is_empty()).collect();
    (!present.is_empty()).then(|| present.join(separator))
}

/// Line breaks as `\n` and no other control characters, which RFC 5545 has no escape for.
fn plain_lines(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n").chars().filter(|c| *c == '\n' || !c.is_control()).collect()
}

fn one_line(text: &str) -> String {
    plain_lines(text).replace('\n', " ")
}

/// An id that a host chose, without what file systems take for something else.
fn file_stem(id: &str) -> String {
    id.chars().map(|c| if c.is_alphanumeric() || matches!(c, '-' | '_') { c } else { '-' }).collect()
}

#[cfg(test)]
mod tests;
