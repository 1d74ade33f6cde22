//! Times as people write them in a chat: "12 June 18:00".

use std::{collections::HashMap, ops::Range};

use chrono::{DateTime, Datelike, Locale, NaiveDate, NaiveTime, Utc};
use chrono_tz::Tz;

use super::{local_instant, parse_when};

/// What dates are made of in some languages, in lower case.
#[derive(Debug, Clone, Default)]
pub struct DateWords {
    /// Full and short names, by number.
    months: HashMap<String, u32>,
    /// What says nothing more: days of the week, and the words that go with dates.
    fillers: Vec<String>,
}

impl DateWords {
    /// Adds what a language calls months and days, and the words that may stand beside them.
    pub fn add(&mut self, locale: Locale, fillers: impl IntoIterator<Item = String>) {
        let name = |date: NaiveDate, form| date.format_localized(form, locale).to_string().to_lowercase();
        for month in 1..=12 {
            let Some(date) = NaiveDate::from_ymd_opt(2001, month, 1) else { continue };
            for form in ["%B", "%b"] {
                self.months.insert(name(date, form).trim_end_matches('.').to_owned(), month);
            }
        }
        for day in 1..=7 {
            let Some(date) = NaiveDate::from_ymd_opt(2001, 1, day) else { continue };
            self.fillers.extend(["%A", "%a"].map(|form| name(date, form).trim_end_matches('.').to_owned()));
        }
        self.fillers.extend(fillers);
    }
}

/// Reads a time as [`parse_when`] does, or as people write it: `12 June`, `June 12th, 2027`, `12.6. 18:00`, `Fri 12 Jun
/// 6:30 pm`. Local to `zone`. A date alone means the end of that day. Without a year it is the next such time in
/// `ahead` or, where there is none, this year's.
///
/// `None` where it is not certain what is meant (`6/12`), or there is no such day.
#[must_use]
pub fn read_spoken(text: &str, zone: Tz, ahead: &Range<DateTime<Utc>>, words: &DateWords) -> Option<DateTime<Utc>> {
    if let Ok(at) = parse_when(text, zone, true) {
        return Some(at);
    }
    let spoken = Spoken::read(text, words)?;
    if let Some(year) = spoken.year {
        return spoken.in_year(year, zone);
    }
    let this_year = ahead.start.with_timezone(&zone).year();
    let (this, next) = (spoken.in_year(this_year, zone), spoken.in_year(this_year + 1, zone));
    let is_ahead = |at: &DateTime<Utc>| ahead.start < *at && *at <= ahead.end;
    this.filter(is_ahead).or(next.filter(is_ahead)).or(this).or(next)
}

/// What a text says of a time.
#[derive(Debug, Default)]
struct Spoken {
    day: Option<u32>,
    month: Option<u32>,
    year: Option<i32>,
    time: Option<NaiveTime>,
}

impl Spoken {
    fn read(text: &str, words: &DateWords) -> Option<Self> {
        let text = text.to_lowercase().replace(',', " ");
        // "6 pm" is one word here.
        let text = [" a.m.", " p.m.", " am", " pm"].iter().fold(format!("{text} "), |text, half| {
            text.replace(&format!("{half} "), &format!("{} ", half.trim().replace('.', "")))
        });
        let mut spoken = Self::default();
        for word in text.split_whitespace() {
            spoken.take(word, words)?;
        }
        (spoken.day.is_some() && spoken.month.is_some()).then_some(spoken)
    }

    fn take(&mut self, word: &str, words: &DateWords) -> Option<()> {
        let bare = word.trim_end_matches('.');
        if let Some(month) = words.months.get(bare) {
            return set(&mut self.month, *month);
        }
        if let Some(time) = clock(word) {
            return set(&mut self.time, time);
        }
        if let Some((day, rest)) = bare.split_once('.') {
            let (month, year) = rest.split_once('.').map_or((rest, None), |(month, year)| (month, Some(year)));
            set(&mut self.day, number(day, 1..=2)?)?;
            set(&mut self.month, number(month, 1..=2)?)?;
            return year.map_or(Some(()), |year| set(&mut self.year, number(year, 4..=4)?.cast_signed()));
        }
        if let Some(year) = number(word, 4..=4) {
            return set(&mut self.year, year.cast_signed());
        }
        let day = ["st", "nd", "rd", "th", "."].iter().find_map(|ending| word.strip_suffix(ending)).unwrap_or(word);
        if let Some(day) = number(day, 1..=2) {
            return set(&mut self.day, day);
        }
        words.fillers.iter().any(|filler| filler == bare).then_some(())
    }

    fn in_year(&self, year: i32, zone: Tz) -> Option<DateTime<Utc>> {
        let date = NaiveDate::from_ymd_opt(year, self.month?, self.day?)?;
        Some(match self.time {
            Some(time) => local_instant(date.and_time(time), zone),
            None => local_instant(date.succ_opt()?.and_time(NaiveTime::MIN), zone),
        })
    }
}

/// Said twice, it is not certain what is meant.
fn set<T>(place: &mut Option<T>, value: T) -> Option<()> {
    place.replace(value).is_none().then_some(())
}

fn number(text: &str, digits: std::ops::RangeInclusive<usize>) -> Option<u32> {
    let fits = digits.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    fits.then(|| text.parse().ok()).flatten()
}

/// `18:00`, `6pm`, `6:30pm`.
fn clock(word: &str) -> Option<NaiveTime> {
    let (digits, afternoon) = match (word.strip_suffix("am"), word.strip_suffix("pm")) {
        (Some(digits), _) => (digits, Some(false)),
        (_, Some(digits)) => (digits, Some(true)),
        (None, None) => (word, None),
    };
    let (hour, minute) = match (digits.split_once(':'), afternoon) {
        (Some((hour, minute)), _) => (number(hour, 1..=2)?, number(minute, 2..=2)?),
        (None, Some(_)) => (number(digits, 1..=2)?, 0),
        (None, None) => return None,
    };
    let hour = match afternoon {
        None => hour,
        Some(_) if !(1..=12).contains(&hour) => return None,
        Some(afternoon) => hour % 12 + if afternoon { 12 } else { 0 },
    };
    NaiveTime::from_hms_opt(hour, minute, 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().unwrap()
    }

    /// Said on 1 November 2026 in London, of an event on 28 February 2027.
    fn read(text: &str) -> Option<String> {
        let mut words = DateWords::default();
        for locale in [Locale::en_GB, Locale::de_DE] {
            words.add(locale, ["at", "on"].map(str::to_owned));
        }
        let ahead = at("2026-11-01T12:00:00Z")..at("2027-02-28T18:00:00Z");
        let read = read_spoken(text, Tz::Europe__London, &ahead, &words)?;
        Some(read.format("%Y-%m-%dT%H:%M").to_string())
    }

    #[test]
    fn times_are_read_as_people_write_them() {
        for (text, expected) in [
            ("12 December 18:00", "2026-12-12T18:00"),
            ("December 12th at 6 pm", "2026-12-12T18:00"),
            ("on Sat, 12 Dec. 2026, 6:30pm", "2026-12-12T18:30"),
            ("12.12. 9:05", "2026-12-12T09:05"),
            ("12.12.2026", "2026-12-13T00:00"),
            ("12. Dezember", "2026-12-13T00:00"),
            ("12 am 3 Jan", "2027-01-03T00:00"),
            ("3 jan 12 p.m.", "2027-01-03T12:00"),
            // The next such day; where both are out, this year's.
            ("1 November", "2026-11-02T00:00"),
            ("31 October", "2026-11-01T00:00"),
            ("1 June", "2026-06-01T23:00"),
            ("29 February 2028", "2028-03-01T00:00"),
            ("2026-12-12", "2026-12-13T00:00"),
            ("2026-12-12 18:00", "2026-12-12T18:00"),
            ("2026-12-12T18:00:00+01:00", "2026-12-12T17:00"),
        ] {
            assert_eq!(read(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_is_not_certain_is_not_guessed() {
        for text in [
            "",
            "soon",
            "12",
            "December",
            "6/12",
            "12/6/2026",
            "18:00",
            "12 December 25:00",
            "12 December 18.00",
            "30 February 2027",
            "31.11.",
            "12 12 December",
            "12 December January",
            "12 December 13 pm",
            "12.12.26",
            "12 December 18:00 19:00",
            "12 December please",
            "99999 December",
            "12\u{301} December",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
