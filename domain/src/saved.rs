//! What follows from an answer, however it was given: the records, who did it, whom to tell.

use chrono::{DateTime, TimeDelta, Utc};

use crate::{
    activity::{Activity, Actor, AnswerFacts, Happening},
    answer::{Answer, Applied},
    conversation::Party,
    model::{Event, Group, Guest, GuestId, Status},
    notice::{Audience, Decided, Notice},
};

/// Before answers close: hosts want to hear of changes then.
const LATE: TimeDelta = TimeDelta::days(3);

/// Everything that an answer changes, beside the conversation in which it was given.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Saved {
    /// The records that differ from before. Where there are any, the group's version is to be raised.
    pub guests: Vec<Guest>,
    pub activity: Vec<Activity>,
    pub notices: Vec<Decided>,
}

impl Saved {
    /// What follows from a guest's own answer.
    #[must_use]
    pub fn of(party: &Party<'_>, answer: &Answer, applied: &Applied, by: &Actor, now: DateTime<Utc>) -> Self {
        let mut saved = Self::silently(party.event, party.group, &applied.members, by, now);
        saved.notices.extend(to_others(answer, applied, party));
        saved.notices.extend(to_hosts(applied, party));
        saved.notices.extend(of_late_changes(applied, party, now));
        saved
    }

    /// What follows from what a host writes down: those whom it is about are told.
    #[must_use]
    pub fn by_host(event: &Event, before: &Group, after: &[Guest], by: &Actor, now: DateTime<Utc>) -> Self {
        let mut saved = Self::silently(event, before, after, by, now);
        let answered = saved.activity.iter().filter_map(|activity| activity.guest_id);
        let concerned: Vec<GuestId> = answered.filter(|guest| Some(*guest) != by.guest_id).collect();
        if let Some(host) = by.guest_id.filter(|_| !concerned.is_empty()) {
            saved.notices.push(Decided {
                event: event.id.clone(),
                audience: Audience::Guests(concerned.clone()),
                notice: Notice::AnsweredFor { guests: concerned, by: host },
            });
        }
        saved
    }

    /// The records and who changed them; nobody is told.
    #[must_use]
    pub fn silently(event: &Event, before: &Group, after: &[Guest], by: &Actor, now: DateTime<Utc>) -> Self {
        let mut saved = Self::default();
        for (before, after) in before.members.iter().zip(after).filter(|(before, after)| before != after) {
            saved.guests.push(after.clone());
            let facts = (AnswerFacts::from(before), AnswerFacts::from(after));
            if facts.0 == facts.1 {
                continue;
            }
            saved.activity.push(Activity {
                event_id: event.id.clone(),
                guest_id: Some(after.id),
                at: now,
                by: by.clone(),
                what: Happening::Answered { before: facts.0, after: facts.1 },
            });
        }
        saved
    }
}

fn to_others(answer: &Answer, applied: &Applied, party: &Party<'_>) -> Option<Decided> {
    let is_decided = |guest: &GuestId| answer.decisions.iter().any(|(decided, _)| decided == guest);
    let concerned: Vec<GuestId> = applied
        .changed(party.group)
        .iter()
        .map(|(_, after)| after.id)
        .filter(|guest| *guest != party.me.id)
        .filter(|guest| is_decided(guest) || answer.decisions.is_empty())
        .collect();
    (!concerned.is_empty()).then(|| Decided {
        event: party.event.id.clone(),
        audience: Audience::Guests(concerned.clone()),
        notice: Notice::AnsweredFor { guests: concerned, by: party.me.id },
    })
}

fn to_hosts(applied: &Applied, party: &Party<'_>) -> Option<Decided> {
    let before: u32 = party.group.members.iter().map(|guest| guest.extra_guests).sum();
    (applied.extras() > 0 && applied.extras() != before).then(|| Decided {
        event: party.event.id.clone(),
        audience: Audience::Hosts(party.event.id.clone()),
        notice: Notice::ExtraGuests {
            guest: party.me.id,
            // Of those who come: others may not have answered yet.
            expected: applied.head_count().saturating_sub(applied.extras()),
            coming: applied.head_count(),
        },
    })
}

/// Shortly before answers close hosts have told others how many come, and what they eat.
fn of_late_changes(applied: &Applied, party: &Party<'_>, now: DateTime<Utc>) -> Vec<Decided> {
    if now < party.event.closes_at() - LATE {
        return Vec::new();
    }
    let changed = applied.changed(party.group).into_iter().filter(|(before, _)| before.status != Status::Pending);
    changed
        .map(|(_, after)| Decided {
            event: party.event.id.clone(),
            audience: Audience::Hosts(party.event.id.clone()),
            notice: Notice::LateChange { guest: after.id },
        })
        .collect()
}
