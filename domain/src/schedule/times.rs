//! When the messages of an event are due.

use chrono::{DateTime, Days, NaiveDate, TimeDelta, Utc};

use crate::{
    address::{Address, Channel},
    calendar::local_instant,
    model::{Event, Window},
    notice::Hours,
    phone,
};

/// What is found out to be due later than this after its time is missed for good: it is no news any more. Shorter than
/// what happened once is remembered.
pub const LATEST: TimeDelta = TimeDelta::days(30);

/// How long an event is taken to last whose end is not known.
const LASTS: TimeDelta = TimeDelta::hours(12);

/// A reminder to those who stay silent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reminder {
    /// Days before the last day of answering.
    pub days: u32,
    /// When it goes, inside the window. Before answers close.
    pub due: DateTime<Utc>,
    /// Not worth sending from then on: the next one is due, or answers close.
    pub until: DateTime<Utc>,
}

impl Event {
    /// In which hours messages go that Convive starts.
    #[must_use]
    pub fn hours(&self) -> Hours {
        Hours { window: self.reminders.window, zone: self.time_zone }
    }

    /// The same at an address: in the zone of the phone that is written to or, elsewhere, of the phones of those it is
    /// about; where that is not known or not one, in the event's.
    #[must_use]
    pub fn hours_at<'p>(&self, address: &Address, phones: impl IntoIterator<Item = &'p str>) -> Hours {
        let zone = if address.shown_channel() == Channel::Sms {
            phone::zone(&address.id)
        } else {
            let mut zones = phones.into_iter().map(phone::zone);
            zones.next().flatten().filter(|first| zones.all(|zone| zone == Some(*first)))
        };
        Hours { zone: zone.unwrap_or(self.time_zone), ..self.hours() }
    }

    /// In which hours something goes that a host wants guests to know now; `None` (at once) on the day of the event, and
    /// where it would have to wait until the event has begun: it is about that.
    #[must_use]
    pub fn hours_on_the_spot(&self, address: &Address, now: DateTime<Utc>) -> Option<Hours> {
        let hours = self.hours_at(address, []);
        let opens = hours.next_open(now);
        let ends_at = self.ends_at.unwrap_or(self.starts_at + LASTS).min(self.starts_at + TimeDelta::days(1));
        let day = |at: DateTime<Utc>| at.with_timezone(&self.time_zone).date_naive();
        let is_its_day = opens == now && day(now) == day(self.starts_at);
        let is_pressing = now < ends_at && (self.starts_at <= opens || is_its_day);
        (!is_pressing).then_some(hours)
    }
}

/// The reminders of an event, by their time; none for an event that is cancelled. Those that could only go once answers
/// are closed are left out.
#[must_use]
pub fn reminders(event: &Event) -> Vec<Reminder> {
    let closes_at = event.closes_at();
    if event.cancelled_at.is_some() {
        return Vec::new();
    }
    let mut due: Vec<(DateTime<Utc>, u32)> =
        event.reminders.days.iter().filter_map(|days| Some((due(event, *days)?, *days))).collect();
    due.retain(|(due, _)| *due < closes_at);
    due.sort_unstable();
    // Two days that come to the same moment are one reminder, the later day's.
    due.dedup_by_key(|(due, _)| *due);
    let until = due.iter().skip(1).map(|(due, _)| *due).chain([closes_at]);
    due.iter().zip(until).map(|((due, days), until)| Reminder { days: *days, due: *due, until }).collect()
}

/// When a reminder so many days before the last day of answering goes: at the event's hour or, where the window is shut
/// then, while it is open on that day. `None` before the beginning of the calendar.
#[must_use]
pub fn due(event: &Event, days: u32) -> Option<DateTime<Utc>> {
    let last_day = (event.closes_at() - TimeDelta::milliseconds(1)).with_timezone(&event.time_zone).date_naive();
    let day = last_day.checked_sub_days(Days::new(u64::from(days)))?;
    Some(on_day(event, day))
}

/// The event's hour of messages on a day, moved into the window of that day: a host who asks for the day before means
/// that day.
fn on_day(event: &Event, day: NaiveDate) -> DateTime<Utc> {
    let (Window { opens, closes }, wanted) = (event.reminders.window, event.reminders.at);
    let at = match wanted {
        _ if opens >= closes => wanted,
        at if at < opens => opens,
        // Not at the last moment: there may be many to write to.
        at if closes <= at => {
            let (before, days) = closes.overflowing_sub_signed(TimeDelta::hours(1));
            if days == 0 { before.max(opens) } else { opens }
        }
        at => at,
    };
    event.hours().next_open(local_instant(day.and_time(at), event.time_zone))
}

/// What is due of a row of reminders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missed {
    /// The one that goes now: the newest that is due and still of use. Older ones that were missed with it are not sent.
    pub goes: Option<Reminder>,
    /// How many are dropped.
    pub dropped: usize,
}

/// Of what became due after `done` and up to `now`: what goes, and how much is dropped.
#[must_use]
pub fn missed(reminders: &[Reminder], done: DateTime<Utc>, now: DateTime<Utc>) -> Missed {
    let mut due = reminders.iter().filter(|reminder| done < reminder.due && reminder.due <= now);
    let count = due.clone().count();
    let goes = due.next_back().copied().filter(|reminder| now < reminder.until && now < reminder.due + LATEST);
    Missed { goes, dropped: count - usize::from(goes.is_some()) }
}

/// The first instant from `now` on at which a message may go in these hours, if that is before `until`.
#[must_use]
pub fn next_worth(hours: Hours, now: DateTime<Utc>, until: DateTime<Utc>) -> Option<DateTime<Utc>> {
    Some(hours.next_open(now)).filter(|opens| *opens < until)
}

/// When those coming get place, time and dress code: the day before, at the hour of reminders. `None` where the host
/// does not want that, or the event is cancelled.
#[must_use]
pub fn day_before(event: &Event) -> Option<DateTime<Utc>> {
    if event.cancelled_at.is_some() || !event.reminders.day_before {
        return None;
    }
    let day = event.starts_at.with_timezone(&event.time_zone).date_naive().pred_opt()?;
    let due = on_day(event, day);
    (due < event.starts_at).then_some(due)
}
