//! The host's digest: what happened between two moments, and how things stand. Pure.

mod news;
#[cfg(test)]
mod tests;

use std::collections::HashSet;

pub use news::channel_name;

use chrono::{DateTime, TimeDelta, Utc};

use crate::{
    activity::Activity,
    address::Style,
    conversation::summary,
    message::{Arg, Choice, Numbering, Outgoing, Question, Say},
    model::{Event, Guest, GuestId, Status},
    schedule::WhyNot,
};

/// More names than this are a number, and a list behind a button.
const MOST_NAMES: usize = 12;

/// What a digest is made of.
#[derive(Debug, Clone)]
pub struct Facts {
    pub event: Event,
    /// All guests of the event.
    pub guests: Vec<Guest>,
    /// Those who are, or were, logged in somewhere.
    pub opened: HashSet<GuestId>,
    /// Of the pending ones (or those on a page of a list), those whom no message reaches.
    pub unreached: Vec<(GuestId, WhyNot)>,
    /// Those who opted out or blocked us wherever they could be reached, answered or not.
    pub lost: HashSet<GuestId>,
    /// What happened in the time of the digest, oldest first.
    pub activity: Vec<Activity>,
    /// Messages of that time that could not be delivered.
    pub failed: u32,
    /// When the time of the digest begins; `None` where there was none before.
    pub since: Option<DateTime<Utc>>,
    pub now: DateTime<Utc>,
}

/// The numbers that a digest is about.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Totals {
    /// People who come.
    pub coming: u32,
    /// People who were expected and do not come.
    pub declined: u32,
    /// People of whom nothing is known yet.
    pub pending: u32,
    pub waitlisted: u32,
    pub expected: u32,
    /// Invitations without an answer, and how many of those were never opened.
    pub out: u32,
    pub never_opened: u32,
    pub seats_left: Option<u32>,
    /// People who come beyond the seats that there are.
    pub over: u32,
    pub days_left: u32,
}

impl Totals {
    /// Counts.
    #[must_use]
    pub fn of(facts: &Facts) -> Self {
        let mut totals = Self::default();
        for guest in &facts.guests {
            totals.expected += guest.expected_guests;
            match guest.status {
                Status::Coming => {
                    totals.coming += guest.num_guests;
                    totals.declined += guest.expected_guests.saturating_sub(guest.num_guests);
                }
                Status::Declined => totals.declined += guest.expected_guests,
                Status::Waitlisted => totals.waitlisted += guest.num_guests,
                Status::Pending => {
                    totals.pending += guest.expected_guests;
                    totals.out += 1;
                    totals.never_opened += u32::from(!facts.opened.contains(&guest.id));
                }
            }
        }
        let coming = totals.coming;
        totals.seats_left = facts.event.capacity.map(|capacity| capacity.saturating_sub(coming));
        totals.over = facts.event.capacity.map_or(0, |capacity| coming.saturating_sub(capacity));
        totals.days_left = days_until(&facts.event, facts.now);
        totals
    }
}

/// Whole days until the last day of answering, in the event's zone; 0 on that day and after.
fn days_until(event: &Event, now: DateTime<Utc>) -> u32 {
    let zone = event.time_zone;
    let last = (event.closes_at() - TimeDelta::milliseconds(1)).with_timezone(&zone).date_naive();
    let today = now.with_timezone(&zone).date_naive();
    u32::try_from((last - today).num_days().max(0)).unwrap_or(u32::MAX)
}

/// Whether there is anything to tell.
#[must_use]
pub fn has_news(activity: &[Activity], failed: u32) -> bool {
    failed > 0 || activity.iter().any(news::is_news)
}

/// The digest for a host who reads it in this style; `buttons_of` names the login that its buttons speak for.
#[must_use]
pub fn message(facts: &Facts, style: Style, buttons_of: Option<GuestId>) -> Outgoing {
    match style {
        Style::Texts => Outgoing::statement(vec![short(facts)]),
        Style::Buttons => {
            let question = buttons_of.map(|host| Question {
                number: 0,
                choices: list_choices(host),
                numbering: Numbering::Choices,
            });
            Outgoing { question, ..Outgoing::statement(long(facts)) }
        }
    }
}

/// The five numbers.
fn short(facts: &Facts) -> Say {
    let totals = Totals::of(facts);
    let news = facts.activity.iter().filter(|activity| news::is_news(activity)).count();
    let say = Say::new("digest-short")
        .with("event", facts.event.name.as_str())
        .with("coming", totals.coming)
        .with("declined", totals.declined)
        .with("pending", totals.pending)
        .with("never", totals.never_opened)
        .with("days", totals.days_left)
        .with("over", totals.over)
        .with("news", u32::try_from(news).unwrap_or(u32::MAX));
    match totals.seats_left {
        Some(seats) => say.with("seats", seats),
        None => say.with("seats", Arg::Text("unlimited".to_owned())),
    }
}

fn long(facts: &Facts) -> Vec<Say> {
    let event = &facts.event;
    let zone = event.time_zone;
    let mut says = vec![match facts.since {
        Some(since) => {
            Say::new("digest-head").with("event", event.name.as_str()).with("since", Arg::Moment { at: since, zone })
        }
        None => Say::new("digest-head-now").with("event", event.name.as_str()),
    }];
    let news = news::lines(facts);
    if news.is_empty() && facts.failed == 0 {
        says.push(Say::new("digest-nothing-new"));
    }
    says.extend(news);
    if facts.failed > 0 {
        says.push(Say::new("digest-failed").with("count", facts.failed));
    }
    says.extend(standing(facts));
    says
}

/// Until when guests may answer, and how many days that is.
#[must_use]
pub fn deadline_says(facts: &Facts) -> Say {
    let event = &facts.event;
    if !event.is_open(facts.now) {
        return summary::deadline_line(event, facts.now);
    }
    let days = days_until(event, facts.now);
    Say::new("digest-deadline").with("days", days).with("deadline", summary::deadline(event))
}

/// How things stand.
fn standing(facts: &Facts) -> Vec<Say> {
    let totals = Totals::of(facts);
    let mut says = vec![
        Say::new("digest-totals")
            .with("coming", totals.coming)
            .with("declined", totals.declined)
            .with("pending", totals.pending)
            .with("expected", totals.expected),
    ];
    if totals.waitlisted > 0 {
        says.push(Say::new("digest-waitlisted").with("waitlisted", totals.waitlisted));
    }
    match totals.seats_left {
        Some(_) if totals.over > 0 => says.push(Say::new("digest-over").with("over", totals.over)),
        Some(seats) => says.push(Say::new("digest-seats").with("seats", seats)),
        None => {}
    }
    says.push(deadline_says(facts));
    says.extend(still_out(facts, &totals));
    says.extend(to_call(facts));
    let lost: Vec<&Guest> = facts.guests.iter().filter(|guest| facts.lost.contains(&guest.id)).collect();
    if !lost.is_empty() {
        let names: Vec<Arg> = lost.iter().take(MOST_NAMES).map(|guest| told_apart(guest, &facts.guests)).collect();
        let more = u32::try_from(lost.len() - names.len()).unwrap_or(u32::MAX);
        says.push(Say::new("digest-lost").with("names", names).with("more", more));
    }
    says
}

fn still_out(facts: &Facts, totals: &Totals) -> Option<Say> {
    let out: Vec<&Guest> = facts.guests.iter().filter(|guest| guest.status == Status::Pending).collect();
    if out.is_empty() {
        return None;
    }
    if out.len() > MOST_NAMES {
        return Some(Say::new("digest-out-many").with("records", totals.out).with("never", totals.never_opened));
    }
    let names: Vec<Arg> = out.into_iter().map(|guest| out_name(guest, facts)).collect();
    Some(Say::new("digest-out").with("names", names))
}

/// The name, and why no message reaches them.
pub(crate) fn name_in_list(guest: &Guest, facts: &Facts) -> Option<Arg> {
    let (_, why) = facts.unreached.iter().find(|(id, _)| *id == guest.id)?;
    Some(name_and_why(guest, *why, facts))
}

/// The name, and whether the invitation was ever opened.
pub(crate) fn out_name(guest: &Guest, facts: &Facts) -> Arg {
    let name = told_apart(guest, &facts.guests);
    match facts.opened.contains(&guest.id) {
        true => name,
        false => Say::new("digest-never").with("name", name).into(),
    }
}

/// The name; with the code where somebody else of them has the same.
#[must_use]
pub fn told_apart(guest: &Guest, others: &[Guest]) -> Arg {
    let is_double = |other: &Guest| {
        other.id != guest.id && (&other.first_name, &other.last_name) == (&guest.first_name, &guest.last_name)
    };
    let name = guest.full_name();
    match others.iter().any(is_double) {
        true => Say::new("choice-person-of-code").with("name", name).with("code", guest.token.as_str()).into(),
        false => name.into(),
    }
}

fn to_call(facts: &Facts) -> Option<Say> {
    let why_not = |guest: &Guest| facts.unreached.iter().find(|(id, _)| *id == guest.id).map(|(_, why)| *why);
    let unreached: Vec<(&Guest, WhyNot)> =
        facts.guests.iter().filter_map(|guest| Some((guest, why_not(guest)?))).collect();
    if unreached.is_empty() || !facts.event.is_open(facts.now) {
        return None;
    }
    if unreached.len() > MOST_NAMES {
        let records = u32::try_from(unreached.len()).unwrap_or(u32::MAX);
        return Some(Say::new("digest-call-many").with("records", records));
    }
    let names: Vec<Arg> = unreached.into_iter().map(|(guest, why)| name_and_why(guest, why, facts)).collect();
    Some(Say::new("digest-call").with("names", names))
}

fn name_and_why(guest: &Guest, why: WhyNot, facts: &Facts) -> Arg {
    let why = match why {
        WhyNot::NoAddress => "none",
        WhyNot::Muted => "muted",
        WhyNot::OptedOut => "opted-out",
        WhyNot::Blocked => "blocked",
        WhyNot::TooLate => "too-late",
    };
    Say::new("digest-why").with("name", told_apart(guest, &facts.guests)).with("why", why).into()
}

/// The button of an offer to tell those who come that the event has changed.
#[must_use]
pub fn tell_choice(host: GuestId) -> Choice {
    Choice { id: format!("host.tell.1.{host}"), label: Say::new("choice-tell-them") }
}

/// Buttons to the lists. They carry the login that they speak for, and stay good for ever.
#[must_use]
pub fn list_choices(host: GuestId) -> Vec<Choice> {
    [("pending", "choice-list-pending"), ("coming", "choice-list-coming"), ("dietary", "choice-list-dietary")]
        .into_iter()
        .map(|(list, label)| Choice { id: format!("host.{list}.1.{host}"), label: Say::new(label) })
        .collect()
}
