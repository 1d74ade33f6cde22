//! What happened, a line each, under its day.

use std::collections::HashMap;

use super::Facts;
use crate::{
    activity::{Activity, AnswerFacts, Happening},
    address::Channel,
    message::{Arg, Say},
    model::{Guest, GuestId, Status},
};

/// Whether hosts want to read it.
pub(super) fn is_news(activity: &Activity) -> bool {
    matches!(
        activity.what,
        Happening::Answered { .. }
            | Happening::LeftMessage { .. }
            | Happening::WrongPerson
            | Happening::OptedOut
            | Happening::Blocked
    )
}

pub(super) fn lines(facts: &Facts) -> Vec<Say> {
    let guests: HashMap<GuestId, &Guest> = facts.guests.iter().map(|guest| (guest.id, guest)).collect();
    let zone = facts.event.time_zone;
    let mut lines = Vec::new();
    let mut day = None;
    for activity in facts.activity.iter().filter(|activity| is_news(activity)) {
        // Whoever was erased since leaves nothing to read.
        let Some(guest) = activity.guest_id.and_then(|id| guests.get(&id)) else { continue };
        let here = activity.at.with_timezone(&zone).date_naive();
        if day != Some(here) {
            day = Some(here);
            lines.push(Say::new("digest-day").with("day", Arg::Day { at: activity.at, zone }));
        }
        lines.extend(of_one(activity, guest, &guests));
    }
    lines
}

fn of_one(activity: &Activity, guest: &Guest, guests: &HashMap<GuestId, &Guest>) -> Vec<Say> {
    let named = |id| Say::new(id).with("name", guest.full_name());
    let through = |id| named(id).with("channel", channel_name(activity.by.channel));
    match &activity.what {
        Happening::Answered { before, after } => answered(activity, guest, guests, (before, after)),
        Happening::LeftMessage { text } => vec![named("digest-message").with("text", text.as_str())],
        Happening::WrongPerson => vec![through("digest-wrong-person")],
        Happening::OptedOut => vec![through("digest-opted-out")],
        Happening::Blocked => vec![through("digest-blocked")],
        _ => Vec::new(),
    }
}

fn answered(
    activity: &Activity,
    guest: &Guest,
    guests: &HashMap<GuestId, &Guest>,
    (before, after): (&AnswerFacts, &AnswerFacts),
) -> Vec<Say> {
    let name = guest.full_name();
    let mut says = Vec::new();
    let is_same = (before.status, before.num_guests) == (after.status, after.num_guests);
    if !is_same {
        let id = match after.status {
            Status::Coming => "digest-coming",
            Status::Declined => "digest-declined",
            Status::Pending => "digest-pending",
            Status::Waitlisted => "digest-waiting",
        };
        let now = Say::new(id).with("name", name.as_str()).with("count", after.num_guests);
        let now = now.with("who", who(activity, guest, guests));
        says.push(match before.status {
            Status::Pending => now,
            _ => Say::new("digest-changed").with("now", now).with("before", was(before)),
        });
    }
    if after.extra_guests > before.extra_guests {
        says.push(Say::new("digest-extras").with("name", name.as_str()).with("extras", after.extra_guests));
    }
    if before.dietary != after.dietary {
        let id = if after.dietary.is_empty() { "digest-eats-nothing-special" } else { "digest-eats" };
        says.push(Say::new(id).with("name", name).with("dietary", after.dietary.as_str()));
    }
    says
}

fn was(before: &AnswerFacts) -> Say {
    let id = match before.status {
        Status::Coming => "digest-was-coming",
        Status::Declined => "digest-was-declined",
        Status::Pending => "digest-was-pending",
        Status::Waitlisted => "digest-was-waiting",
    };
    Say::new(id).with("count", before.num_guests)
}

/// Who said so, and how, where it was not the guest alone.
fn who(activity: &Activity, guest: &Guest, guests: &HashMap<GuestId, &Guest>) -> Arg {
    let channel = channel_name(activity.by.channel);
    let by = activity.by.guest_id.and_then(|id| guests.get(&id));
    if activity.by.as_host {
        // With one host there is no question who it was.
        let several = guests.values().filter(|guest| guest.is_admin).nth(1).is_some();
        return match by.filter(|_| several) {
            Some(by) => Say::new("digest-by-host-called").with("by", by.full_name()),
            None => Say::new("digest-by-host"),
        }
        .with("channel", channel)
        .into();
    }
    match by {
        Some(by) => {
            let by = if by.id == guest.id { guest.short_name() } else { by.short_name() };
            Say::new("digest-by").with("by", by).with("channel", channel).into()
        }
        None => Arg::Text(String::new()),
    }
}

/// What people call a channel.
#[must_use]
pub fn channel_name(channel: Channel) -> &'static str {
    match channel {
        Channel::Telegram => "Telegram",
        Channel::Sms => "SMS",
        Channel::Console => "terminal",
        Channel::Web => "web",
        Channel::Cli => "command line",
    }
}
