//! What a change of the event's settings would do, in words, before it is saved.

use std::collections::HashMap;

use app::{Round, RoundKind};
use chrono::{DateTime, Utc};
use domain::{
    address::Channel,
    model::{Event, Guest, GuestId},
    schedule::{Plan, WhyNot},
};
use store::Statistics;

use super::{
    Pages,
    respond::PageError,
    session::Host,
    settings::label,
    words::{self, count},
};

/// Names that are listed; the rest is counted.
const MOST_NAMES: usize = 8;

/// What saving would change.
pub struct Effect {
    pub lines: Vec<String>,
    /// Whether there is somebody to be told of the change.
    pub can_tell: bool,
    /// What would go because time passes; empty where that stays as it is.
    pub rounds: Vec<RoundRow>,
}

/// Messages that go at one time.
pub struct RoundRow {
    pub when: String,
    pub what: String,
    pub whom: String,
}

impl Effect {
    /// Of these settings, which make `after` of the host's event.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn of(
        pages: &Pages,
        host: &Host,
        after: &Event,
        changed: &[(String, String)],
    ) -> Result<Self, PageError> {
        let before = &host.event;
        if changed.is_empty() {
            let lines = vec!["Nothing: every setting is as it was.".to_owned()];
            return Ok(Self { lines, can_tell: false, rounds: Vec::new() });
        }
        let app = &pages.web.app;
        let now = app.clock.now();
        let numbers = app.store.statistics(&before.id).await?;
        let mut lines = Vec::new();
        lines.extend(called_off(before, after).map(str::to_owned));
        lines.extend(start(before, after));
        lines.extend(closing(before, after, &numbers, now));
        lines.extend(seats(before, after, &numbers));
        let mut can_tell = false;
        if is_moved(before, after) && now < after.starts_at {
            let plan = app.whom_a_change_concerns(&before.id, &host.actor()).await?;
            can_tell = !plan.messages.is_empty();
            let guests = app.all_guests(&before.id).await?;
            lines.extend(told(&plan, &guests));
        }
        let (rounds, as_now) = (rounds(pages, after).await?, rounds(pages, before).await?);
        let is_same =
            rounds.iter().map(|row| (&row.when, &row.whom)).eq(as_now.iter().map(|row| (&row.when, &row.whom)));
        let named: Vec<&str> = changed.iter().map(|(key, _)| label(key)).collect();
        lines.push(format!("Changed: {}.", named.join(", ")));
        Ok(Self { lines, can_tell, rounds: if is_same { Vec::new() } else { rounds } })
    }
}

fn is_moved(before: &Event, after: &Event) -> bool {
    let facts = |event: &Event| {
        (event.starts_at, event.ends_at, event.place.clone(), event.address.clone(), event.cancelled_at.is_some())
    };
    facts(before) != facts(after)
}

fn called_off(before: &Event, after: &Event) -> Option<&'static str> {
    match (before.cancelled_at, after.cancelled_at) {
        (None, Some(_)) => Some("The event is off. Every answer stays as it is, and nobody is reminded."),
        (Some(_), None) => Some("The event takes place after all."),
        _ => None,
    }
}

fn start(before: &Event, after: &Event) -> Option<String> {
    let moved = before.starts_at != after.starts_at || before.time_zone != after.time_zone;
    // In another zone the same words are another time.
    let is_same_zone = before.time_zone == after.time_zone;
    let zone = |event: &Event| if is_same_zone { String::new() } else { format!(" {}", event.time_zone.name()) };
    moved.then(|| {
        format!(
            "The event starts {} (before: {}).",
            words::moment(after.starts_at, after.time_zone) + &zone(after),
            words::moment(before.starts_at, before.time_zone) + &zone(before)
        )
    })
}

fn closing(before: &Event, after: &Event, numbers: &Statistics, now: DateTime<Utc>) -> Vec<String> {
    let mut lines = Vec::new();
    if before.closes_at() != after.closes_at() || before.time_zone != after.time_zone {
        lines.push(format!(
            "Answers close {}: {}.",
            words::deadline(after.closes_at(), after.time_zone),
            words::until(after.closes_at(), now, after.time_zone)
        ));
    }
    if before.is_open(now) && !after.is_open(now) {
        let pending = count(numbers.pending, "guest has", "guests have");
        lines.push(format!("Answers are closed at once; {pending} not answered."));
    }
    if !before.is_open(now) && after.is_open(now) {
        lines.push("Guests can answer and change their answers again.".to_owned());
    }
    lines
}

fn seats(before: &Event, after: &Event, numbers: &Statistics) -> Option<String> {
    let seats = after.capacity.filter(|_| before.capacity != after.capacity)?;
    Some(match numbers.head_count.saturating_sub(seats.into()) {
        0 => format!("{} of {seats} seats are taken.", numbers.head_count),
        over => format!(
            "{} come already: {over} more than there are seats. Nobody is uninvited by it.",
            count(numbers.head_count, "person", "people")
        ),
    })
}

/// Whom the change would be told to, and who would not hear of it.
fn told(plan: &Plan, guests: &[Guest]) -> Vec<String> {
    let names: HashMap<GuestId, &Guest> = guests.iter().map(|guest| (guest.id, guest)).collect();
    let list = |ids: Vec<GuestId>| {
        let mut list: Vec<String> =
            ids.iter().take(MOST_NAMES).filter_map(|id| Some(names.get(id)?.full_name())).collect();
        if ids.len() > MOST_NAMES {
            list.push(format!("{} more", ids.len() - MOST_NAMES));
        }
        list.join(", ")
    };
    let reached: Vec<GuestId> = plan.messages.iter().flat_map(|message| message.guests.iter().copied()).collect();
    let mut lines = Vec::new();
    if !reached.is_empty() {
        lines.push(format!("Those who come can be told, {}: {}.", by_channel(plan), list(reached)));
    }
    if !plan.unreached.is_empty() {
        let missed = plan.unreached.iter().map(|(guest, _)| *guest).collect();
        lines.push(format!("They come, and cannot be written to: {}.", list(missed)));
    }
    lines
}

fn by_channel(plan: &Plan) -> String {
    let of = |channel: Channel| plan.messages.iter().filter(|it| it.address.shown_channel() == channel).count() as u64;
    let ways = [(Channel::Telegram, "in Telegram"), (Channel::Sms, "by text message")];
    let said = ways.map(|(channel, way)| (of(channel), way));
    let said: Vec<String> =
        said.iter().filter(|(count, _)| *count > 0).map(|(count, way)| format!("{count} {way}")).collect();
    said.join(" and ")
}

/// What goes from now on because time passes.
///
/// # Errors
/// When the store cannot be read.
pub async fn rounds(pages: &Pages, event: &Event) -> Result<Vec<RoundRow>, PageError> {
    let gathered = pages.web.app.gather(&event.id).await?;
    Ok(pages.web.app.rounds_ahead(event, &gathered).iter().map(|round| row(round, event)).collect())
}

fn row(round: &Round, event: &Event) -> RoundRow {
    let what = match round.kind {
        RoundKind::Reminder { days } => format!("Reminder, {} before", count(days.into(), "day", "days")),
        RoundKind::DayBefore => "Details, the day before".to_owned(),
    };
    let mut whom = match round.plan.messages.len() {
        0 => "nobody".to_owned(),
        _ => by_channel(&round.plan),
    };
    let missed: Vec<String> = [
        (WhyNot::NoAddress, "with no address"),
        (WhyNot::Muted, "muted"),
        (WhyNot::OptedOut, "opted out"),
        (WhyNot::Blocked, "blocked"),
        (WhyNot::TooLate, "too late in their hours"),
    ]
    .into_iter()
    .filter_map(|(why, word)| {
        let number = round.plan.unreached.iter().filter(|(_, found)| *found == why).count();
        (number > 0).then(|| format!("{number} {word}"))
    })
    .collect();
    if !missed.is_empty() {
        whom.push_str(&format!("; not to {}", missed.join(", ")));
    }
    RoundRow { when: words::moment(round.at, event.time_zone), what, whom }
}
