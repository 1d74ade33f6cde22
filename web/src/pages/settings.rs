//! The event's settings, with what they change shown before they are saved.

use app::HostError;
use askama::Template;
use axum::{
    extract::{RawQuery, State},
    http::StatusCode,
};
use chrono::{DateTime, NaiveTime, TimeDelta, Timelike, Utc};
use domain::{
    calendar,
    event_settings::{self, SettingError},
    model::Event,
    wording,
};

use super::{
    Pages, carried,
    effect::{self, Effect, RoundRow},
    form::Fields,
    guest::sentence,
    guests::host_error,
    respond::{Frame, PageError, PageResult, Problem, page, refused, see_other},
    session::{Host, SHOWN_AGAIN, Typed},
};

#[derive(Template)]
#[template(path = "settings.html")]
struct SettingsPage {
    frame: Frame,
    sections: Vec<Section>,
    version: u64,
    error: String,
    /// What saving would change; `None` before it was asked for.
    effect: Option<Effect>,
    /// What goes because time passes, by the settings as they are.
    rounds: Vec<RoundRow>,
    /// How many seats are free.
    seats: String,
}

struct Section {
    title: &'static str,
    settings: Vec<Setting>,
}

struct Setting {
    key: String,
    label: &'static str,
    hint: &'static str,
    value: String,
    /// What is stored: the form brings it back, and so tells what was touched.
    stored: String,
    is_long: bool,
    /// What can be chosen, with its label; empty where anything may be written.
    options: &'static [(&'static str, &'static str)],
    error: String,
    theirs: String,
}

/// Key, label, hint.
type Described = (&'static str, &'static str, &'static str);

const SECTIONS: [(&str, &[Described]); 4] = [
    (
        "The event",
        &[
            ("name", "Name", ""),
            ("starts_at", "Starts", "In the event’s own time: 2027-06-19 18:00, or 19 June 18:00"),
            ("ends_at", "Ends", "Blank if it is open"),
            ("time_zone", "Time zone", "Such as Europe/London"),
            ("place", "Place", ""),
            ("address", "Address", ""),
            ("dress_code", "Dress code", ""),
            ("schedule", "Schedule", ""),
            ("host_contact", "Whom guests can ask", "A name with a phone number or an address"),
        ],
    ),
    (
        "Answers",
        &[
            (
                "rsvp_deadline",
                "Deadline",
                "Such as 2027-06-05 or 5 June, which is the end of that day; blank closes answers at the start",
            ),
            ("capacity", "Seats", "Blank if there is room for all"),
            ("cancelled", "The event is off", "Answers are closed, and nobody is reminded"),
        ],
    ),
    (
        "Reminders and digest",
        &[
            ("reminders.days", "Days before the deadline", "Such as 14,7,3,1"),
            ("reminders.at", "At", "Such as 10:00"),
            ("reminders.window", "Only between", "Such as 09:00-20:00"),
            ("reminders.day_before", "Details the day before", "To everybody who comes"),
            (DIGEST, "Digest for hosts", "Such as 08:00, daily; or five fields as in cron: 0 8 * * 1 is on Mondays"),
            ("digest.when_empty", "Digest on quiet days", ""),
            ("digest.at_once", "Told at once", "Any of extras, late, full, messages, channels"),
        ],
    ),
    (
        "Language and phones",
        &[
            ("default_locale", "Language", "For guests who have not chosen one: en"),
            ("phone_region", "Country of phone numbers", "Two letters, for numbers written as dialled at home: GB"),
        ],
    ),
];
const LONG: [&str; 2] = ["schedule", "address"];
/// When hosts get their digest.
const DIGEST: &str = "digest.cron";
/// Kept for later: nothing reads it yet.
const UNUSED: &str = "admission";
const YES_NO: &[(&str, &str)] = &[("true", "Yes"), ("false", "No")];

fn options(key: &str) -> &'static [(&'static str, &'static str)] {
    match key {
        "reminders.day_before" | "digest.when_empty" | "cancelled" => YES_NO,
        _ => &[],
    }
}

impl Setting {
    fn new(key: String, label: &'static str, hint: &'static str, stored: String) -> Self {
        let (is_long, options) = (LONG.contains(&key.as_str()), options(&key));
        let (error, theirs) = (String::new(), String::new());
        Self { key, label, hint, value: stored.clone(), stored, is_long, options, error, theirs }
    }
}

impl SettingsPage {
    fn new(host: &Host, rounds: Vec<RoundRow>) -> Self {
        let mut stored = shown_settings(&host.event);
        let mut setting = |key: String, label: &'static str, hint: &'static str| {
            let value = stored.iter().position(|(stored, _)| *stored == key).map(|at| stored.remove(at).1);
            Setting::new(key, label, hint, value.unwrap_or_default())
        };
        let section = |(title, described): (&'static str, &[Described])| Section {
            title,
            settings: described.iter().map(|(key, label, hint)| setting((*key).to_owned(), label, hint)).collect(),
        };
        let mut sections: Vec<Section> = SECTIONS.into_iter().map(section).collect();
        // Settings that were added since have no words of their own yet.
        let rest: Vec<Setting> = stored.into_iter().map(|(key, value)| Setting::new(key, "", "", value)).collect();
        if !rest.is_empty() {
            sections.push(Section { title: "More", settings: rest });
        }
        Self {
            frame: host.frame("Settings", "settings"),
            sections,
            version: host.event.version,
            error: String::new(),
            effect: None,
            rounds,
            seats: String::new(),
        }
    }

    fn settings(&mut self) -> impl Iterator<Item = &mut Setting> {
        self.sections.iter_mut().flat_map(|section| &mut section.settings)
    }

    fn keep(&mut self, fields: &Fields) {
        for setting in self.settings() {
            fields.text(&setting.key).clone_into(&mut setting.value);
        }
    }

    /// Shows what another host saved.
    fn conflict(host: &Host, fields: &Fields) -> PageResult {
        let mut shown = Self::new(host, Vec::new());
        shown.merge(fields);
        refused(StatusCode::CONFLICT, &shown)
    }

    /// What another host saved stands in the fields that were not touched here, and beside those that were.
    ///
    /// Whether anything of it is not saved.
    fn merge(&mut self, fields: &Fields) -> bool {
        let mut is_left = false;
        let mut problems = Vec::new();
        for setting in self.settings() {
            let typed = fields.touched(&setting.key, normal);
            if let Some(typed) = typed.filter(|typed| *typed != normal(&setting.stored)) {
                setting.value = typed;
                is_left = true;
                if fields.showed(&setting.key, &setting.stored, normal) {
                    continue;
                }
                setting.theirs = theirs(&setting.stored);
                let message = format!("saved meanwhile: {}", setting.theirs);
                problems.push(Problem::of(&setting.key, label(&setting.key), &message));
            }
        }
        self.frame.problems = problems;
        self.error = "Somebody has changed the settings since you opened this page. What they saved stands beside what you typed; save again to overwrite it.".to_owned();
        is_left
    }

    fn blame(&mut self, errors: &[SettingError]) {
        for error in errors {
            // On the page, a setting has its field, not a name to type.
            let message = sentence(&error.message.replace(&format!("{}=", error.key), ""));
            let mut has_field = false;
            for setting in self.settings().filter(|setting| setting.key == error.key) {
                setting.error.clone_from(&message);
                has_field = true;
            }
            if has_field {
                self.frame.problems.push(Problem::of(&error.key, label(&error.key), &message));
            } else {
                self.error = message;
            }
        }
    }
}

const SETTINGS: &str = "/admin/settings";

/// The settings or, where a change of them is looked at, what it would do.
pub async fn show(State(pages): State<Pages>, host: Host, RawQuery(query): RawQuery) -> PageResult {
    let query = Fields::parse(query.unwrap_or_default().as_bytes());
    if let Some(fields) = carried::fields(&host.csrf, SETTINGS, &query) {
        return consider(&pages, host, &fields, false).await;
    }
    let rounds = effect::rounds(&pages, &host.event).await?;
    let seats = super::overview::seats(&host.event, &pages.web.app.store.statistics(&host.event.id).await?);
    page(&SettingsPage { seats, ..SettingsPage::new(&host, rounds) })
}

/// Shows what the changes would do, or saves them.
pub async fn save(State(pages): State<Pages>, form: Typed<Host>) -> PageResult {
    let Typed { by: host, fields, again } = form;
    if let Some(status) = again {
        let mut shown = SettingsPage::new(&host, Vec::new());
        shown.frame.warning = SHOWN_AGAIN.to_owned();
        if version(&fields) == host.event.version {
            shown.keep(&fields);
        } else {
            shown.merge(&fields);
        }
        return refused(status, &shown);
    }
    let proof = host.csrf.clone();
    let is_meant = matches!(fields.text("do"), "save" | "tell");
    let shown = consider(&pages, host, &fields, is_meant).await?;
    Ok(carried::at_address(&pages, &proof, SETTINGS, &fields, shown))
}

/// The version that a form was made of.
fn version(fields: &Fields) -> u64 {
    fields.text("version").parse().unwrap_or_default()
}

async fn consider(pages: &Pages, mut host: Host, fields: &Fields, is_meant: bool) -> PageResult {
    let shown_version = version(fields);
    if shown_version != host.event.version {
        let mut shown = SettingsPage::new(&host, Vec::new());
        // Whoever comes back to what they have saved is told of no conflict.
        let is_saved = !shown.merge(fields) && !is_meant;
        return if is_saved { Ok(see_other(SETTINGS)) } else { refused(StatusCode::CONFLICT, &shown) };
    }
    let mut shown = SettingsPage::new(&host, Vec::new());
    let before = shown_settings(&host.event);
    let now = pages.web.app.clock.now();
    let changed: Vec<(String, String)> = before
        .iter()
        .filter(|(key, value)| fields.has(key) && normal(fields.text(key)) != normal(value))
        .map(|(key, _)| (key.clone(), as_setting(key, fields, &host.event, now)))
        .collect();
    shown.keep(fields);
    let after = match event_settings::apply(Some(host.event.clone()), &changed, None, now) {
        Ok(after) => after,
        Err(errors) => {
            shown.blame(&errors);
            return refused(StatusCode::UNPROCESSABLE_ENTITY, &shown);
        }
    };
    if !is_meant {
        shown.effect = Some(Effect::of(pages, &host, &after, &changed).await?);
        return page(&shown);
    }
    let by = host.actor();
    match pages.web.app.change_event(&host.event.id, &changed, Some(shown_version), &by).await {
        Ok(event) if fields.text("do") == "tell" => {
            let told = pages.web.app.tell_of_change(&event, &by).await.map_err(host_error)?;
            Ok(see_other(&format!("/admin?done=told&count={told}")))
        }
        Ok(_) => Ok(see_other("/admin?done=settings")),
        Err(HostError::Settings(errors)) => {
            shown.blame(&errors);
            refused(StatusCode::UNPROCESSABLE_ENTITY, &shown)
        }
        Err(HostError::ChangedMeanwhile) => {
            host.event = pages.web.app.store.event(&host.event.id).await?.ok_or(PageError::NotFound)?;
            SettingsPage::conflict(&host, fields)
        }
        Err(error) => Err(host_error(error)),
    }
}

/// What was typed as settings are written: hosts say dates as they do in chat, "12 January".
fn as_setting(key: &str, fields: &Fields, event: &Event, now: DateTime<Utc>) -> String {
    let typed = normal(fields.text(key));
    let ahead = match key {
        "rsvp_deadline" => now..event.starts_at,
        // A day alone is no time at which something starts.
        "starts_at" | "ends_at" if typed.contains(':') => now..now + TimeDelta::days(2 * 365),
        DIGEST => {
            return NaiveTime::parse_from_str(&typed, "%H:%M")
                .map_or(typed, |at| at.format("%-M %-H * * *").to_string());
        }
        _ => return typed,
    };
    let zone = fields.text("time_zone").parse().unwrap_or(event.time_zone);
    if calendar::parse_when(&typed, zone, true).is_ok() {
        return typed;
    }
    let words = wording::date_words(wording::language(event.default_locale.as_str()));
    calendar::read_spoken(&typed, zone, &ahead, &words).map_or(typed, |at| at.to_rfc3339())
}

/// The settings as they stand on the page: times as clocks on the wall at the event say them.
fn shown_settings(event: &Event) -> Vec<(String, String)> {
    let local = |value: String| match DateTime::parse_from_rfc3339(&value) {
        Ok(at) if at.second() == 0 && at.nanosecond() == 0 => at.format("%Y-%m-%d %H:%M").to_string(),
        _ => value,
    };
    let stored = event_settings::show(event).into_iter().filter(|(key, _)| key != UNUSED);
    let shown = |(key, value): (String, String)| {
        let shown = if key == DIGEST { daily_at(&value).unwrap_or(value) } else { local(value) };
        (key, shown)
    };
    stored.map(shown).collect()
}

/// The time of day of a digest that goes daily: few hosts read cron.
fn daily_at(cron: &str) -> Option<String> {
    let (minute, hour) = cron.strip_suffix(" * * *")?.split_once(' ')?;
    let at = NaiveTime::from_hms_opt(hour.parse().ok()?, minute.parse().ok()?, 0)?;
    Some(at.format("%H:%M").to_string())
}

/// What another host saved, in words.
#[must_use]
pub fn theirs(saved: &str) -> String {
    if saved.is_empty() { "nothing" } else { saved }.to_owned()
}

/// Browsers send line breaks as CR LF, whatever was stored.
#[must_use]
pub fn normal(value: &str) -> String {
    value.replace("\r\n", "\n").trim().to_owned()
}

/// As the page calls a setting.
#[must_use]
pub fn label(key: &str) -> &str {
    let mut described = SECTIONS.iter().flat_map(|(_, described)| described.iter());
    described.find(|(known, ..)| *known == key).map_or(key, |(_, label, _)| *label)
}
