//! What pages say about times, answers and events, in plain words.

use chrono::{DateTime, TimeDelta, Utc};
use chrono_tz::Tz;
use domain::{
    activity::{Activity, AnswerFacts, Happening},
    address::Channel,
    calendar::is_end_of_day,
    model::{Event, Guest, Status},
};

/// "Sat 19 Jun 2027, 18:00", in the event's zone.
#[must_use]
pub fn moment(at: DateTime<Utc>, zone: Tz) -> String {
    at.with_timezone(&zone).format("%a %-d %b %Y, %H:%M").to_string()
}

/// The stored instant is exclusive: midnight is shown as the end of the day before, or people get the day wrong.
#[must_use]
pub fn deadline(at: DateTime<Utc>, zone: Tz) -> String {
    let city = zone.name().rsplit('/').next().unwrap_or_default().replace('_', " ");
    match is_end_of_day(at, zone) {
        Some(day) => format!("{}, end of day, {city} time", day.format("%a %-d %b %Y")),
        None => format!("{}, {city} time", moment(at, zone)),
    }
}

/// "in 12 days", "tomorrow", "closed".
#[must_use]
pub fn until(at: DateTime<Utc>, now: DateTime<Utc>, zone: Tz) -> String {
    if at <= now {
        return "closed".to_owned();
    }
    let last_day = (at - TimeDelta::milliseconds(1)).with_timezone(&zone).date_naive();
    match (last_day - now.with_timezone(&zone).date_naive()).num_days() {
        days if days <= 0 => "today".to_owned(),
        1 => "tomorrow".to_owned(),
        days => format!("in {days} days"),
    }
}

/// "3 guests", "1 guest".
#[must_use]
pub fn count(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// The word for an answer, as hosts say it.
#[must_use]
pub fn status(status: Status) -> &'static str {
    match status {
        Status::Pending => "no answer yet",
        Status::Coming => "coming",
        Status::Declined => "not coming",
        Status::Waitlisted => "waiting list",
    }
}

/// The channel's name.
#[must_use]
pub fn channel(channel: Channel) -> &'static str {
    match channel {
        Channel::Telegram => "Telegram",
        Channel::Sms => "text message",
        Channel::Console => "try-out chat",
        Channel::Web => "web",
        Channel::Cli => "command line",
    }
}

/// An answer in a few words: "coming: 3 people, 1 of them extra".
#[must_use]
pub fn answer(facts: &AnswerFacts) -> String {
    if facts.status == Status::Coming && !facts.self_coming && facts.companions_coming > 0 {
        let companions = match facts.companions_coming {
            1 => "1 companion is".to_owned(),
            several => format!("{several} companions are"),
        };
        let extra = if facts.extra_guests > 0 { format!(" ({} extra)", facts.extra_guests) } else { String::new() };
        return format!("not coming, but {companions}{extra}");
    }
    let mut text = status(facts.status).to_owned();
    if facts.num_guests > 0 {
        text.push_str(&format!(", {}", count(facts.num_guests.into(), "person", "people")));
    }
    if facts.extra_guests > 0 {
        text.push_str(&format!(" ({} extra)", facts.extra_guests));
    }
    text
}

/// Who of the record comes, for a host in a hurry.
#[must_use]
pub fn who_comes(guest: &Guest) -> String {
    if guest.num_guests == 0 {
        return String::new();
    }
    let mut parts = Vec::new();
    if guest.self_coming {
        parts.push(guest.short_name().to_owned());
    }
    if guest.companions_coming > 0 {
        parts.push(count(guest.companions_coming.into(), "companion", "companions"));
    }
    if guest.extra_guests > 0 {
        parts.push(format!("{} extra", guest.extra_guests));
    }
    parts.join(" + ")
}

/// What happened, after the name of whom it is about.
#[must_use]
pub fn happening(activity: &Activity) -> String {
    match &activity.what {
        Happening::Answered { before, after } if before.dietary != after.dietary && answer(before) == answer(after) => {
            match after.dietary.as_str() {
                "" => "has no dietary needs any more".to_owned(),
                needs => format!("dietary needs: {needs}"),
            }
        }
        Happening::Answered { before, after } => format!("{} (before: {})", answer(after), answer(before)),
        Happening::LoggedIn => "logged in".to_owned(),
        Happening::LoggedOut => "logged out".to_owned(),
        Happening::LeftMessage { text } => format!("left a message: “{text}”"),
        Happening::WrongPerson => "“wrong person”: the address was unlinked".to_owned(),
        Happening::OptedOut => "wants no more messages".to_owned(),
        Happening::OptedIn => "wants messages again".to_owned(),
        Happening::Muted => "muted reminders".to_owned(),
        Happening::Unmuted => "wants reminders again".to_owned(),
        Happening::Blocked => "blocked the bot".to_owned(),
        Happening::Unblocked => "unblocked the bot".to_owned(),
        Happening::Created => "was added".to_owned(),
        Happening::Edited { fields } => {
            let names: Vec<_> = fields.iter().map(|field| super::settings::label(field).replace('_', " ")).collect();
            format!("changed: {}", names.join(", "))
        }
        Happening::CodeChanged => "got a new code".to_owned(),
        Happening::Deleted => "was deleted".to_owned(),
    }
}

/// The same, after what had happened to them `before`.
#[must_use]
pub fn happening_after<'a>(before: impl DoubleEndedIterator<Item = &'a Activity>, activity: &Activity) -> String {
    let last = before.rev().find(|earlier| matches!(earlier.what, Happening::Created | Happening::Deleted));
    let was_deleted = last.is_some_and(|last| last.what == Happening::Deleted);
    if was_deleted && activity.what == Happening::Created {
        return "was put back on the list".to_owned();
    }
    happening(activity)
}

/// When and where, a line each.
#[must_use]
pub fn event_lines(event: &Event) -> Vec<String> {
    let mut when = moment(event.starts_at, event.time_zone);
    if let Some(ends) = event.ends_at {
        let zone = event.time_zone;
        let same_day = ends.with_timezone(&zone).date_naive() == event.starts_at.with_timezone(&zone).date_naive();
        let ends = if same_day { ends.with_timezone(&zone).format("%H:%M").to_string() } else { moment(ends, zone) };
        when.push_str(&format!(" – {ends}"));
    }
    let place = [&event.place, &event.address].into_iter().flatten().cloned().collect::<Vec<_>>().join(", ");
    [when, place].into_iter().filter(|line| !line.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().unwrap()
    }

    #[test]
    fn a_deadline_given_as_a_day_is_that_day_wherever_it_is_read() {
        let chicago = chrono_tz::America::Chicago;
        assert_eq!(deadline(at("2026-11-21T06:00:00Z"), chicago), "Fri 20 Nov 2026, end of day, Chicago time");
        assert_eq!(deadline(at("2026-11-21T00:30:00Z"), chicago), "Fri 20 Nov 2026, 18:30, Chicago time");
    }

    #[test]
    fn days_are_counted_as_people_count_them() {
        let closes = at("2026-11-21T06:00:00Z");
        for (now, said) in [
            ("2026-11-10T12:00:00Z", "in 10 days"),
            ("2026-11-20T05:59:00Z", "tomorrow"),
            ("2026-11-21T05:59:00Z", "today"),
            ("2026-11-21T06:00:00Z", "closed"),
        ] {
            assert_eq!(until(closes, at(now), chrono_tz::America::Chicago), said, "{now}");
        }
    }
}
