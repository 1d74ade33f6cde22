//! What an answer changes. Chat, web and command line all change answers through here.

use chrono::{DateTime, Utc};

use crate::model::{AnsweredBy, Group, Guest, GuestId, Status};

/// People beyond the party size that a guest can confirm without the host.
pub const MOST_EXTRAS: u32 = 20;
/// Characters of dietary needs that a record takes.
pub const MOST_DIETARY: usize = 500;

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
    /// So many more: those that there are stay.
    More(u32),
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

/// Members who had answered differently, other than `me` and what I had said myself: whoever answers is asked before
/// those answers are changed.
#[must_use]
pub fn changes_of_others<'a>(group: &'a Group, me: GuestId, decisions: &[(GuestId, Decision)]) -> Vec<&'a Guest> {
    let decided = |guest: &Guest| decisions.iter().find(|(id, _)| *id == guest.id).map(|(_, decision)| *decision);
    group
        .members
        .iter()
        .filter(|guest| guest.id != me && guest.status != Status::Pending)
        .filter(|guest| guest.answered_by.as_ref().is_none_or(|by| by.guest_id != me))
        .filter(|guest| match decided(guest) {
            Some(Decision::Who { self_coming, companions }) => {
                (guest.self_coming, guest.companions_coming) != (self_coming, companions)
            }
            Some(Decision::LeaveOpen) => true,
            None => false,
        })
        .collect()
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
        (Extras::More(extras), Some(holder)) => members[holder].extra_guests += extras,
        (Extras::OfAnswering(_) | Extras::More(_) | Extras::Keep, _) => {}
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::address::Channel;

    fn id(number: u8) -> GuestId {
        GuestId([number; 12])
    }

    fn by(number: u8) -> AnsweredBy {
        AnsweredBy { guest_id: id(number), channel: Channel::Sms }
    }

    /// A group of records of these sizes; the first one's id is 1.
    fn group(sizes: &[u32]) -> Group {
        let guest = |(number, expected): (u8, &u32)| {
            let mut guest =
                Guest::new(id(number), "e".into(), "Doe".to_owned(), "K7QF2M".to_owned(), DateTime::UNIX_EPOCH);
            guest.expected_guests = *expected;
            guest
        };
        Group {
            key: crate::model::GroupKey("e/g/doe".to_owned()),
            version: 1,
            members: (1..).zip(sizes).map(guest).collect(),
        }
    }

    fn answered(group: &Group, by: &AnsweredBy, decisions: &[(u8, Decision)], extras: Extras) -> Applied {
        let decisions = decisions.iter().map(|(number, decision)| (id(*number), *decision)).collect();
        apply(group, &Answer { decisions, extras, dietary: Vec::new() }, by, DateTime::UNIX_EPOCH)
    }

    /// Status and (self, companions, extras) of each record.
    fn facts(applied: &Applied) -> Vec<(Status, bool, u32, u32)> {
        let facts = |guest: &Guest| {
            assert_eq!(guest.num_guests, u32::from(guest.self_coming) + guest.companions_coming + guest.extra_guests);
            (guest.status, guest.self_coming, guest.companions_coming, guest.extra_guests)
        };
        applied.members.iter().map(facts).collect()
    }

    const ALONE: Decision = Decision::Who { self_coming: true, companions: 0 };

    #[test]
    fn a_record_brings_no_more_companions_than_it_has() {
        let group = group(&[2]);
        let applied =
            answered(&group, &by(1), &[(1, Decision::Who { self_coming: false, companions: 9 })], Extras::Keep);
        assert_eq!(facts(&applied), [(Status::Coming, false, 1, 0)]);
        let applied = answered(&group, &by(1), &[(1, Decision::everybody(&group.members[0]))], Extras::OfGroup(2));
        assert_eq!(
            (facts(&applied), applied.head_count(), applied.extras()),
            (vec![(Status::Coming, true, 1, 2)], 4, 2)
        );
    }

    #[test]
    fn extras_sit_on_who_answered_or_the_first_who_comes() {
        let group = group(&[1, 1, 1]);
        let own = answered(&group, &by(2), &[(1, ALONE), (2, ALONE)], Extras::OfGroup(2));
        assert_eq!(own.members.iter().map(|guest| guest.extra_guests).collect::<Vec<_>>(), [0, 2, 0]);
        let others = answered(&group, &by(1), &[(1, Decision::NOBODY), (2, ALONE), (3, ALONE)], Extras::OfGroup(2));
        assert_eq!(others.members.iter().map(|guest| guest.extra_guests).collect::<Vec<_>>(), [0, 2, 0]);
        let nobody = answered(&group, &by(1), &[(1, Decision::NOBODY)], Extras::OfGroup(2));
        assert_eq!((nobody.head_count(), nobody.extras_lost), (0, 2));
    }

    #[test]
    fn extras_move_on_or_go_with_the_last() {
        let mut group = group(&[1, 1, 1]);
        group.members = answered(&group, &by(2), &[(1, ALONE), (2, ALONE), (3, ALONE)], Extras::OfGroup(2)).members;
        let moved = answered(&group, &by(2), &[(2, Decision::NOBODY)], Extras::Keep);
        assert_eq!(moved.members.iter().map(|guest| guest.extra_guests).collect::<Vec<_>>(), [0, 0, 2]);
        assert!(moved.extras_moved && moved.extras_lost == 0);
        let open = answered(&group, &by(2), &[(2, Decision::LeaveOpen), (3, Decision::NOBODY)], Extras::Keep);
        assert_eq!(open.members.iter().map(|guest| guest.extra_guests).collect::<Vec<_>>(), [2, 0, 0]);
        let all = [(1, Decision::NOBODY), (2, Decision::LeaveOpen), (3, Decision::NOBODY)];
        let lost = answered(&group, &by(2), &all, Extras::Keep);
        assert_eq!((lost.extras(), lost.extras_lost, lost.head_count()), (0, 2, 0));
    }

    #[test]
    fn extras_of_one_record_leave_those_of_others() {
        let mut group = group(&[1, 1]);
        group.members = answered(&group, &by(2), &[(2, ALONE)], Extras::OfAnswering(3)).members;
        let applied = answered(&group, &by(1), &[(1, ALONE)], Extras::OfAnswering(1));
        assert_eq!(applied.members.iter().map(|guest| guest.extra_guests).collect::<Vec<_>>(), [1, 3]);
    }

    #[test]
    fn the_same_answer_again_changes_nothing() {
        let mut group = group(&[1, 2]);
        group.members = answered(&group, &by(1), &[(1, ALONE)], Extras::OfGroup(0)).members;
        let again = answered(&group, &by(2), &[(1, ALONE)], Extras::OfGroup(0));
        assert!(again.changed(&group).is_empty());
        let other = answered(&group, &by(2), &[(1, Decision::NOBODY)], Extras::OfGroup(0));
        assert_eq!(other.members[0].answered_by, Some(by(2)));
        assert_eq!(other.changed(&group).len(), 1);
    }

    #[test]
    fn left_open_is_as_if_never_answered() {
        let mut group = group(&[2]);
        let before = group.members[0].clone();
        group.members = answered(&group, &by(1), &[(1, ALONE)], Extras::OfGroup(1)).members;
        let open = answered(&group, &by(1), &[(1, Decision::LeaveOpen)], Extras::Keep);
        assert_eq!(open.members, [before]);
        assert_eq!(open.extras_lost, 1);
    }
}
