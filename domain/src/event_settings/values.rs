//! Values of settings.

use chrono::NaiveTime;
use chrono_tz::{TZ_VARIANTS, Tz};

use crate::{
    model::{Admission, DigestSettings, ReminderSettings, Window},
    name,
    notice::HostNews,
    phone,
    schedule::Cron,
    wording,
};

const LONGEST_TEXT: usize = 200;
const LONGEST_LINES: usize = 1_000;
const MOST_SEATS: u32 = 1_000_000;
const EARLIEST_REMINDER: u32 = 365;
const MOST_REMINDERS: usize = 20;

/// One line; `None` when there is nothing in it.
pub(super) fn text(value: &str) -> Result<Option<String>, String> {
    limited(name::clean(value), LONGEST_TEXT)
}

/// Several lines, each cleaned like one.
pub(super) fn lines(value: &str) -> Result<Option<String>, String> {
    let lines: Vec<_> = value.replace("\r\n", "\n").split(['\n', '\r']).map(name::clean).collect();
    limited(lines.join("\n").trim().to_owned(), LONGEST_LINES)
}

fn limited(text: String, most: usize) -> Result<Option<String>, String> {
    match text.chars().count() {
        0 => Ok(None),
        length if length > most => Err(format!("is {length} characters long; shorten it to {most}")),
        _ => Ok(Some(text)),
    }
}

/// An IANA zone, whatever the case and with spaces for underscores.
pub(super) fn zone(value: &str) -> Result<Tz, String> {
    let wanted = value.replace(' ', "_").to_lowercase();
    if wanted.is_empty() {
        return Err("cannot be empty".to_owned());
    }
    let found = TZ_VARIANTS.iter().find(|zone| zone.name().to_lowercase() == wanted);
    found.copied().ok_or_else(|| {
        format!("\"{value}\" is not a time zone; they are named after cities: perhaps {}", nearest_zones(&wanted))
    })
}

fn nearest_zones(wanted: &str) -> String {
    let city = wanted.rsplit('/').next().unwrap_or(wanted);
    let distance = |zone: &&Tz| {
        let name = zone.name().to_lowercase();
        let zone_city = name.rsplit('/').next().unwrap_or(&name);
        strsim::osa_distance(wanted, &name).min(strsim::osa_distance(city, zone_city))
    };
    // Of a place: `Etc/GMT+1` is an hour behind, which nobody means who writes GMT+1.
    let is_of_a_place = |zone: &&Tz| zone.name().contains('/') && !zone.name().starts_with("Etc/");
    let mut zones: Vec<&Tz> = TZ_VARIANTS.iter().filter(is_of_a_place).collect();
    zones.sort_by_cached_key(|zone| (distance(zone), zone.name()));
    zones.iter().take(3).map(|zone| zone.name()).collect::<Vec<_>>().join(", ")
}

pub(super) fn capacity(value: &str) -> Result<u32, String> {
    let seats = value.parse().ok().filter(|seats| (1..=MOST_SEATS).contains(seats));
    seats.ok_or_else(|| format!("\"{value}\" is not a number from 1 to {MOST_SEATS}; leave it empty for no limit"))
}

pub(super) fn locale(value: &str) -> Result<String, String> {
    if value.is_empty() {
        return Ok(wording::FALLBACK.to_owned());
    }
    if wording::is_known(value) {
        return Ok(wording::language(value).tag.clone());
    }
    let known = wording::languages().map(|language| language.tag.as_str()).collect::<Vec<_>>().join(", ");
    Err(format!("there is no wording in \"{value}\" (known: {known})"))
}

pub(super) fn region(value: &str) -> Result<String, String> {
    let region = value.to_uppercase();
    if phone::region_is_known(&region) {
        return Ok(region);
    }
    let hint = if region == "UK" { "the United Kingdom is GB" } else { "write the two letters of ISO 3166" };
    Err(format!("\"{value}\" is not a region; {hint}"))
}

pub(super) fn admission(value: &str) -> Result<Admission, String> {
    match value.to_lowercase().as_str() {
        "" | "invitation" => Ok(Admission::Invitation),
        "open" => Ok(Admission::Open),
        _ => Err(format!("\"{value}\" is neither invitation nor open")),
    }
}

pub(super) fn show_admission(admission: Admission) -> &'static str {
    match admission {
        Admission::Invitation => "invitation",
        Admission::Open => "open",
    }
}

/// Days before the deadline, each once, largest first; none at all when empty.
pub(super) fn days(value: &str) -> Result<Vec<u32>, String> {
    let mut days = Vec::new();
    for part in value.split(',').map(str::trim).filter(|_| !value.is_empty()) {
        let day = part.parse::<u32>().ok().filter(|day| *day <= EARLIEST_REMINDER);
        days.push(day.ok_or_else(|| {
            format!("\"{part}\" is not a number of days before the deadline, from 0 to {EARLIEST_REMINDER}")
        })?);
    }
    days.sort_unstable_by(|a, b| b.cmp(a));
    days.dedup();
    if days.len() > MOST_REMINDERS {
        return Err(format!("{} reminders are too many; name at most {MOST_REMINDERS} days", days.len()));
    }
    Ok(days)
}

fn time(value: &str) -> Result<NaiveTime, String> {
    let formats = ["%H:%M", "%H.%M"];
    let time = formats.iter().find_map(|format| NaiveTime::parse_from_str(value, format).ok());
    time.ok_or_else(|| format!("\"{value}\" is not a time of day from 00:00 to 23:59"))
}

pub(super) fn time_or(value: &str, usual: NaiveTime) -> Result<NaiveTime, String> {
    if value.is_empty() { Ok(usual) } else { time(value) }
}

pub(super) fn window(value: &str) -> Result<Window, String> {
    if value.is_empty() {
        return Ok(ReminderSettings::default().window);
    }
    let (opens, closes) = value
        .split_once(['-', '–'])
        .ok_or_else(|| format!("\"{value}\" is not a window; write when it opens and closes with a hyphen between"))?;
    let window = Window { opens: time(opens.trim())?, closes: time(closes.trim())? };
    if window.opens < window.closes {
        return Ok(window);
    }
    Err(format!("the window \"{value}\" never opens; it must close later on the same day"))
}

pub(super) fn show_window(window: Window) -> String {
    format!("{}-{}", window.opens.format("%H:%M"), window.closes.format("%H:%M"))
}

pub(super) fn yes_or(value: &str, usual: bool) -> Result<bool, String> {
    match value.to_lowercase().as_str() {
        "" => Ok(usual),
        "true" | "yes" | "on" | "1" => Ok(true),
        "false" | "no" | "off" | "0" => Ok(false),
        _ => Err(format!("\"{value}\" is neither true nor false")),
    }
}

/// Five fields, each of which can be read, and a time that comes.
pub(super) fn cron(value: &str) -> Result<String, String> {
    if value.is_empty() {
        return Ok(DigestSettings::default().cron);
    }
    Cron::read(value).map(|cron| cron.as_str().to_owned())
}

/// What hosts want to be told at once, as what they do not want. `none` for nothing; all of it when empty.
pub(super) fn not_at_once(value: &str) -> Result<Vec<HostNews>, String> {
    let mut unwanted = HostNews::ALL.to_vec();
    match value.to_lowercase().as_str() {
        "" => unwanted.clear(),
        "none" => {}
        list => {
            for word in list.split(',').map(str::trim) {
                let all = || HostNews::ALL.map(HostNews::as_str).join(", ");
                let news = HostNews::ALL.into_iter().find(|news| news.as_str() == word);
                let news = news.ok_or_else(|| format!("\"{word}\" is none of {}; none for nothing at all", all()))?;
                unwanted.retain(|other| *other != news);
            }
        }
    }
    Ok(unwanted)
}

pub(super) fn show_at_once(unwanted: &[HostNews]) -> String {
    let wanted: Vec<&str> =
        HostNews::ALL.into_iter().filter(|news| !unwanted.contains(news)).map(HostNews::as_str).collect();
    if wanted.is_empty() { "none".to_owned() } else { wanted.join(",") }
}
