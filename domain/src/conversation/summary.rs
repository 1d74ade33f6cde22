//! Who and what: the event, and how everybody in the group has answered.

use chrono::{DateTime, Utc};

use crate::{
    address::Style,
    message::{Arg, Say},
    model::{Event, Group, Guest, Status},
};

/// Somebody who answers, with their group and event.
#[derive(Debug, Clone, Copy)]
pub struct Party<'a> {
    pub me: &'a Guest,
    pub group: &'a Group,
    pub event: &'a Event,
}

/// What the group calls a member: the first name, or more of it where others have the same.
#[must_use]
pub fn called(guest: &Guest, members: &[Guest]) -> String {
    let others = || members.iter().filter(|other| other.id != guest.id);
    if others().all(|other| other.short_name() != guest.short_name()) {
        return guest.short_name().to_owned();
    }
    let full = guest.full_name();
    if others().all(|other| other.full_name() != full) {
        return full;
    }
    let before = members.iter().take_while(|other| other.id != guest.id);
    format!("{full} ({})", before.filter(|other| other.full_name() == full).count() + 1)
}

/// "You now speak for ..."
#[must_use]
pub fn now_active(party: &Party<'_>) -> Say {
    Say::new("now-active").with("name", party.me.full_name()).with("event", party.event.name.as_str())
}

/// The event as a guest needs it: name, time in its zone, place, dress code, deadline.
#[must_use]
pub fn event_lines(event: &Event, now: DateTime<Utc>) -> Vec<Say> {
    let mut lines = vec![Say::new("event-head").with("event", event.name.as_str())];
    lines.extend(event_facts(event));
    lines.push(deadline_line(event, now));
    lines
}

/// When and where, and what to wear.
#[must_use]
pub fn event_facts(event: &Event) -> Vec<Say> {
    let when = Arg::Moment { at: event.starts_at, zone: event.time_zone };
    let mut lines = vec![Say::new("event-when").with("when", when)];
    let place: Vec<&str> = event.place.iter().chain(&event.address).map(String::as_str).collect();
    if !place.is_empty() {
        lines.push(Say::new("event-place").with("place", place.join(", ")));
    }
    if let Some(dress) = &event.dress_code {
        lines.push(Say::new("event-dress").with("dress", dress.as_str()));
    }
    lines
}

/// The same with everything else that is known: end, schedule, the host's contact.
#[must_use]
pub fn event_details(event: &Event, now: DateTime<Utc>) -> Vec<Say> {
    let mut lines = event_lines(event, now);
    if let Some(ends_at) = event.ends_at {
        let when = Arg::Moment { at: ends_at, zone: event.time_zone };
        lines.insert(2, Say::new("event-ends").with("when", when));
    }
    if let Some(schedule) = &event.schedule {
        lines.push(Say::new("event-schedule").with("schedule", schedule.as_str()));
    }
    if let Some(contact) = &event.host_contact {
        lines.push(Say::new("event-contact").with("contact", contact.as_str()));
    }
    lines
}

/// What those who come should know once the event has changed or been called off.
#[must_use]
pub fn how_it_is_now(event: &Event, names: Vec<String>) -> Vec<Say> {
    let is_off = event.cancelled_at.is_some();
    let id = if is_off { "event-off" } else { "event-changed" };
    let mut says = vec![Say::new(id).with("event", event.name.as_str()).with("name", names)];
    if !is_off {
        says.extend(event_facts(event));
    }
    says
}

/// Until when answers can change, or since when they cannot.
#[must_use]
pub fn deadline_line(event: &Event, now: DateTime<Utc>) -> Say {
    if event.cancelled_at.is_some() {
        return Say::new("event-cancelled").with("event", event.name.as_str());
    }
    let id = if event.is_open(now) { "event-deadline" } else { "event-closed" };
    Say::new(id).with("deadline", deadline(event))
}

/// The closing time as an argument.
#[must_use]
pub fn deadline(event: &Event) -> Arg {
    Arg::Deadline { at: event.closes_at(), zone: event.time_zone, in_full: false }
}

/// The same with its year, for whoever sets it.
#[must_use]
pub fn deadline_in_full(event: &Event) -> Arg {
    Arg::Deadline { at: event.closes_at(), zone: event.time_zone, in_full: true }
}

/// How everybody has answered: a line each where there is room, lists of names where every character costs.
#[must_use]
pub fn answers(members: &[Guest], style: Style) -> Vec<Say> {
    let mut lines = match style {
        Style::Buttons => members.iter().map(|guest| member_line(guest, members)).collect(),
        Style::Texts => short_answers(members),
    };
    let extras: u32 = members.iter().map(|guest| guest.extra_guests).sum();
    if extras > 0 {
        let id = if style == Style::Texts { "short-extras" } else { "extras-line" };
        lines.push(Say::new(id).with("extras", extras));
    }
    lines
}

/// Dietary needs of those who come, a line each.
#[must_use]
pub fn dietary(members: &[Guest], style: Style) -> Vec<Say> {
    let line = |guest: &Guest| {
        let id = match (style, guest.self_coming, guest.companions_coming) {
            (Style::Texts, _, 0) => "short-dietary",
            (Style::Texts, true, _) => "short-dietary-with",
            (Style::Texts, false, _) => "short-dietary-companions",
            (Style::Buttons, _, 0) => "dietary-line",
            (Style::Buttons, true, _) => "dietary-line-with",
            (Style::Buttons, false, _) => "dietary-line-companions",
        };
        let say = Say::new(id).with("name", called(guest, members)).with("companions", guest.companions_coming);
        say.with("dietary", guest.dietary.as_str())
    };
    members.iter().filter(|guest| guest.status == Status::Coming && !guest.dietary.is_empty()).map(line).collect()
}

/// How many come in all, as far as they have answered; nothing where nobody has.
#[must_use]
pub fn total(members: &[Guest]) -> Option<Say> {
    if members.iter().all(|guest| guest.status == Status::Pending) {
        return None;
    }
    let is_final = members.iter().all(|guest| guest.status != Status::Pending);
    let coming = members.iter().filter(|guest| guest.status == Status::Coming).map(|guest| guest.num_guests);
    Some(Say::new(if is_final { "total-line" } else { "total-so-far" }).with("count", coming.sum::<u32>()))
}

/// One record's answer.
fn member_line(guest: &Guest, members: &[Guest]) -> Say {
    let of = guest.companions();
    let companions = guest.companions_coming;
    let id = match (guest.status, guest.self_coming) {
        (Status::Pending, _) if of > 0 => "member-pending-with",
        (Status::Pending, _) => "member-pending",
        (Status::Declined, _) if of > 0 => "member-declined-with",
        (Status::Declined, _) => "member-declined",
        (Status::Waitlisted, _) => "member-waitlisted",
        (Status::Coming, false) => "member-companions-only",
        (Status::Coming, true) if of == 0 => "member-coming",
        (Status::Coming, true) if companions == of => "member-with-all",
        (Status::Coming, true) if companions == 0 => "member-without",
        (Status::Coming, true) => "member-with",
    };
    Say::new(id).with("name", called(guest, members)).with("companions", companions).with("of", of)
}

fn short_answers(members: &[Guest]) -> Vec<Say> {
    let ids = [
        (Status::Coming, "short-coming"),
        (Status::Waitlisted, "short-waitlisted"),
        (Status::Declined, "short-declined"),
        (Status::Pending, "short-pending"),
    ];
    let list = |status| -> Vec<Arg> {
        members.iter().filter(|guest| guest.status == status).map(|guest| short_name(guest, members)).collect()
    };
    let of = |status| match status {
        Status::Declined => members.iter().filter_map(|guest| stays_away(guest, members)).collect(),
        status => list(status),
    };
    ids.into_iter()
        .map(|(status, id)| (id, of(status)))
        .filter(|(_, names)| !names.is_empty())
        .map(|(id, names)| Say::new(id).with("names", names))
        .collect()
}

/// Whoever of a record does not come: all of one who declined, or those whom one who comes leaves at home.
fn stays_away(guest: &Guest, members: &[Guest]) -> Option<Arg> {
    if guest.status == Status::Declined {
        return Some(short_name(guest, members));
    }
    let companions = guest.companions().saturating_sub(guest.companions_coming);
    let name = called(guest, members);
    let id = match (guest.status, guest.self_coming, companions) {
        (Status::Coming, false, 0) => return Some(name.into()),
        (Status::Coming, false, _) => "short-with",
        (Status::Coming, true, 1..) => "companions-of",
        _ => return None,
    };
    Some(Say::new(id).with("name", name).with("companions", companions).into())
}

/// "Bob +2": the name with those who are meant beside it.
fn short_name(guest: &Guest, members: &[Guest]) -> Arg {
    let companions = match guest.status {
        Status::Coming => guest.companions_coming,
        _ => guest.companions(),
    };
    let name = called(guest, members);
    let id = match guest.status {
        _ if companions == 0 => return name.into(),
        Status::Coming if !guest.self_coming => "short-companions-only",
        _ => "short-with",
    };
    Say::new(id).with("name", name).with("companions", companions).into()
}
