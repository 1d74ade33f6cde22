//! The event's settings, with what they change shown before they are saved.

use app::HostError;
use askama::Template;
use axum::{extract::State, http::StatusCode};
use domain::{
    event_settings::{self, SettingError},
    model::Event,
};

use super::{
    Pages,
    form::Fields,
    guest::sentence,
    guests::host_error,
    respond::{Frame, PageError, PageResult, page, refused, see_other},
    session::{Host, HostForm},
    words,
};

#[derive(Template)]
#[template(path = "settings.html")]
struct SettingsPage {
    frame: Frame,
    sections: Vec<Section>,
    version: u64,
    error: String,
    /// What saving would change; `None` before it was asked for.
    effect: Option<Vec<String>>,
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
    is_long: bool,
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
            ("starts_at", "Starts", "In the event’s own time: 2027-06-19T18:00"),
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
            ("rsvp_deadline", "Deadline", "A date means the end of that day; blank closes answers at the start"),
            ("capacity", "Seats", "Blank if there is room for all"),
            ("admission", "Who may come", "invitation, or open"),
        ],
    ),
    (
        "Reminders and digest",
        &[
            ("reminders.days", "Days before the deadline", "Such as 14,7,3,1"),
            ("reminders.at", "At", "Such as 10:00"),
            ("reminders.window", "Only between", "Such as 09:00-20:00"),
            ("reminders.day_before", "Details the day before", "true or false"),
            ("digest.cron", "Digest for hosts", "Five fields as in cron: 0 8 * * * is daily at eight"),
            ("digest.when_empty", "Digest on quiet days", "true or false"),
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

impl SettingsPage {
    fn new(host: &Host) -> Self {
        let mut stored = event_settings::show(&host.event);
        let mut setting = |key: String, label: &'static str, hint: &'static str| {
            let value = stored.iter().position(|(stored, _)| *stored == key).map(|at| stored.remove(at).1);
            let is_long = LONG.contains(&key.as_str());
            Setting {
                value: value.unwrap_or_default(),
                key,
                label,
                hint,
                is_long,
                error: String::new(),
                theirs: String::new(),
            }
        };
        let section = |(title, described): (&'static str, &[Described])| Section {
            title,
            settings: described.iter().map(|(key, label, hint)| setting((*key).to_owned(), label, hint)).collect(),
        };
        let mut sections: Vec<Section> = SECTIONS.into_iter().map(section).collect();
        // Settings that were added since have no words of their own yet.
        let rest: Vec<Setting> = stored
            .into_iter()
            .map(|(key, value)| Setting {
                key,
                label: "",
                hint: "",
                value,
                is_long: false,
                error: String::new(),
                theirs: String::new(),
            })
            .collect();
        if !rest.is_empty() {
            sections.push(Section { title: "More", settings: rest });
        }
        Self {
            frame: host.frame("Settings", "settings"),
            sections,
            version: host.event.version,
            error: String::new(),
            effect: None,
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

    fn blame(&mut self, errors: &[SettingError]) {
        for error in errors {
            let message = sentence(&error.message);
            let mut has_field = false;
            for setting in self.settings().filter(|setting| setting.key == error.key) {
                setting.error.clone_from(&message);
                has_field = true;
            }
            if !has_field {
                self.error = message;
            }
        }
    }
}

/// The settings.
pub async fn show(host: Host) -> PageResult {
    page(&SettingsPage::new(&host))
}

/// Shows what the changes would do, or saves them.
pub async fn save(State(pages): State<Pages>, form: HostForm) -> PageResult {
    let HostForm { host, fields } = form;
    let mut shown = SettingsPage::new(&host);
    let before = event_settings::show(&host.event);
    let changed: Vec<(String, String)> = before
        .iter()
        .filter(|(key, value)| fields.has(key) && normal(fields.text(key)) != normal(value))
        .map(|(key, _)| (key.clone(), normal(fields.text(key))))
        .collect();
    shown.keep(&fields);
    if fields.text("version").parse() != Ok(host.event.version) {
        for setting in shown.settings() {
            let theirs = before.iter().find(|(key, _)| *key == setting.key).map(|(_, value)| value.clone());
            setting.theirs = theirs.filter(|theirs| normal(theirs) != normal(&setting.value)).unwrap_or_default();
        }
        shown.error = "Somebody has changed the settings since you opened this page. What they saved stands beside what you typed; save again to overwrite it.".to_owned();
        return refused(StatusCode::CONFLICT, &shown);
    }
    let after = match event_settings::apply(Some(host.event.clone()), &changed, None) {
        Ok(after) => after,
        Err(errors) => {
            shown.blame(&errors);
            return refused(StatusCode::UNPROCESSABLE_ENTITY, &shown);
        }
    };
    if fields.text("do") != "save" {
        shown.effect = Some(effect(&pages, &host.event, &after, &changed).await?);
        return page(&shown);
    }
    match pages.web.app.set_event(Some(&host.event.id), &changed, &host.actor()).await {
        Ok(_) => Ok(see_other("/admin?done=settings")),
        Err(HostError::Settings(errors)) => {
            shown.blame(&errors);
            refused(StatusCode::UNPROCESSABLE_ENTITY, &shown)
        }
        Err(error) => Err(host_error(error)),
    }
}

/// Browsers send line breaks as CR LF, whatever was stored.
fn normal(value: &str) -> String {
    value.replace("\r\n", "\n").trim().to_owned()
}

/// What saving would change, in sentences.
async fn effect(
    pages: &Pages,
    before: &Event,
    after: &Event,
    changed: &[(String, String)],
) -> Result<Vec<String>, PageError> {
    if changed.is_empty() {
        return Ok(vec!["Nothing: every setting is as it was.".to_owned()]);
    }
    let now = pages.web.app.clock.now();
    let zone = after.time_zone;
    let mut lines = Vec::new();
    let numbers = pages.web.app.store.statistics(&before.id).await?;
    if before.starts_at != after.starts_at || before.time_zone != after.time_zone {
        lines.push(format!(
            "The event starts {} (before: {}).",
            words::moment(after.starts_at, zone),
            words::moment(before.starts_at, before.time_zone)
        ));
    }
    let moved = before.starts_at != after.starts_at || before.place != after.place || before.address != after.address;
    if moved && numbers.coming > 0 {
        let who = words::count(numbers.coming, "guest who said they come has", "guests who said they come have");
        lines.push(format!("{who} been told something else. The details they ask for are the new ones."));
    }
    if before.closes_at() != after.closes_at() || before.time_zone != after.time_zone {
        lines.push(format!(
            "Answers close {}: {}.",
            words::deadline(after.closes_at(), zone),
            words::until(after.closes_at(), now, zone)
        ));
    }
    if before.is_open(now) && !after.is_open(now) {
        lines.push(format!(
            "Answers are closed at once; {} not answered.",
            words::count(numbers.pending, "guest has", "guests have")
        ));
    }
    if !before.is_open(now) && after.is_open(now) {
        lines.push("Guests can answer and change their answers again.".to_owned());
    }
    if let Some(seats) = after.capacity.filter(|_| before.capacity != after.capacity) {
        let over = numbers.head_count.saturating_sub(seats.into());
        lines.push(match over {
            0 => format!("{} of {seats} seats are taken.", numbers.head_count),
            over => format!(
                "{} come already: {over} more than there are seats. Nobody is uninvited by it.",
                words::count(numbers.head_count, "person", "people")
            ),
        });
    }
    let named: Vec<&str> = changed.iter().map(|(key, _)| label(key)).collect();
    lines.push(format!("Changed: {}.", named.join(", ")));
    Ok(lines)
}

fn label(key: &str) -> &str {
    let mut described = SECTIONS.iter().flat_map(|(_, described)| described.iter());
    described.find(|(known, ..)| *known == key).map_or(key, |(_, label, _)| *label)
}
