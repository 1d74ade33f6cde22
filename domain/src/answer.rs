//! What an answer changes. Chat, web and command line all change answers through here.

use chrono::{DateTime, Utc};

use crate::model::{AnsweredBy, Group, Guest, GuestId, Status};

/// What is decided about one record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// Who of the record comes; nobody means that it declines.
    Who { self_coming: bool, companions: u32 },
    /// Doesn't know yet: the record is pending.
    LeaveOpen,
}

impl Decision {
    /// Everybody of the record comes.
    #[must_use]
    pub fn everybody(guest: &Guest) -> Self {
        Self::Who { self_coming: true, companions: guest.companions() }
    }

    /// Nobody of the record comes.
    pub const NOBODY: Self = Self::Who { self_coming: false, companions: 0 };
}

/// What an answer says of people beyond the party size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extras {
    /// Nothing: they stay where somebody comes to hold them.
    Keep,
    /// So many in all: earlier ones of the whole group are replaced.
    OfGroup(u32),
    /// So many with the record that answered: those of others stay.
    OfAnswering(u32),
}

/// An answer, ready to be applied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// Records not named here stay as they are.
    pub decisions: Vec<(GuestId, Decision)>,
    pub extras: Extras,
    pub dietary: Vec<(GuestId, String)>,
}

impl Answer {
    /// Whether somebody comes by it.
    #[must_use]
    pub fn brings_somebody(&self) -> bool {
        let brings = |decision: &Decision| matches!(decision, Decision::Who { self_coming, companions } if *self_coming || *companions > 0);
        self.decisions.iter().any(|(_, decision)| brings(decision))
    }
}

/// The group after an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Applied {
    /// All members, in their order.
    pub members: Vec<Guest>,
    /// Extras that had to go with the last record that stopped coming.
    pub extras_lost: u32,
    /// Extras that moved to another record than before.
    pub extras_moved: bool,
}

impl Applied {
    /// The members whose record differs from before.
    #[must_use]
    pub fn changed<'a>(&'a self, before: &'a Group) -> Vec<(&'a Guest, &'a Guest)> {
        before.members.iter().zip(&self.members).filter(|(before, after)| before != after).collect()
    }

    /// How many people come.
    #[must_use]
    pub fn head_count(&self) -> u32 {
        self.members.iter().filter(|guest| guest.status == Status::Coming).map(|guest| guest.num_guests).sum()
    }

    /// How many come beyond the party size.
    #[must_use]
    pub fn extras(&self) -> u32 {
        self.members.iter().map(|guest| guest.extra_guests).sum()
    }
}

/// Applies an answer to a group. Never brings a record by extras alone, never touches a record that is not named
/// (except to move extras to it).
#[must_use]
pub fn apply(group: &Group, answer: &Answer, by: &AnsweredBy, now: DateTime<Utc>) -> Applied {
    let mut members = group.members.clone();
    for member in &mut members {
        if let Some((_, decision)) = answer.decisions.iter().find(|(guest, _)| *guest == member.id) {
            decide(member, *decision, by, now);
        }
        if let Some((_, dietary)) = answer.dietary.iter().find(|(guest, _)| *guest == member.id) {
            member.dietary.clone_from(dietary);
        }
    }
    let (extras_lost, extras_moved) = settle_extras(&mut members, answer.extras, by.guest_id);
    for member in &mut members {
        count(member);
    }
    Applied { members, extras_lost, extras_moved }
}

/// An answer that says what the record says already changes nothing: it stays the answer of whoever gave it.
fn decide(member: &mut Guest, decision: Decision, by: &AnsweredBy, now: DateTime<Utc>) {
    match decision {
        Decision::Who { self_coming, companions } => {
            let companions = companions.min(member.companions());
            let status = if self_coming || companions > 0 { Status::Coming } else { Status::Declined };
            if (member.status, member.self_coming, member.companions_coming) == (status, self_coming, companions) {
                return;
            }
            member.self_coming = self_coming;
            member.companions_coming = companions;
            member.status = status;
            member.rsvp_date = Some(now);
            member.answered_by = Some(by.clone());
        }
        Decision::LeaveOpen => {
            member.self_coming = false;
            member.companions_coming = 0;
            member.status = Status::Pending;
            member.rsvp_date = None;
            member.answered_by = None;
        }
    }
}

/// Extras sit on the record that answered or, if it does not come itself, on the first that does. Where their
/// record stops coming, they move to the next that comes, or go with the last.
fn settle_extras(members: &mut [Guest], said: Extras, answering: GuestId) -> (u32, bool) {
    let holder = members.iter().position(|member| member.id == answering && comes(member));
    let holder = holder.or_else(|| members.iter().position(comes));
    match (said, holder) {
        (Extras::OfGroup(extras), holder) => {
            members.iter_mut().for_each(|member| member.extra_guests = 0);
            return match holder {
                Some(holder) => {
                    members[holder].extra_guests = extras;
                    (0, false)
                }
                None => (extras, false),
            };
        }
        (Extras::OfAnswering(extras), Some(holder)) if members[holder].id == answering => {
            members[holder].extra_guests = extras;
        }
        (Extras::OfAnswering(_) | Extras::Keep, _) => {}
    }
    let mut lost = 0;
    let mut moved = false;
    for index in 0..members.len() {
        let extras = members[index].extra_guests;
        if extras == 0 || comes(&members[index]) {
            continue;
        }
        members[index].extra_guests = 0;
        let next = (index + 1..members.len()).chain(0..index).find(|next| comes(&members[*next]));
        match next {
            Some(next) => {
                members[next].extra_guests += extras;
                moved = true;
            }
            None => lost += extras,
        }
    }
    (lost, moved)
}

fn comes(guest: &Guest) -> bool {
    matches!(guest.status, Status::Coming | Status::Waitlisted) && (guest.self_coming || guest.companions_coming > 0)
}

/// `numGuests` is always self + companions + extras, and nothing for a record that does not come.
pub fn count(guest: &mut Guest) {
    if matches!(guest.status, Status::Pending | Status::Declined) {
        guest.self_coming = false;
        guest.companions_coming = 0;
        guest.extra_guests = 0;
    }
    guest.num_guests = u32::from(guest.self_coming) + guest.companions_coming + guest.extra_guests;
}
