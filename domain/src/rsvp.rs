//! An answer given in one piece, as the pages and the JSON API take it. The rules are those of the conversation: what
//! it would ask about first has to be confirmed, and nothing comes of it that could not come of a conversation.

use chrono::{DateTime, Utc};

use crate::{
    answer::{self, Answer, Applied, Decision, Extras, MOST_DIETARY, MOST_EXTRAS},
    conversation::Party,
    model::{AnsweredBy, Group, Guest, GuestId, Status},
};

/// What somebody wants to be saved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Request {
    /// A head count, and what it means for the others of the group.
    Count { count: u32, dietary: Option<String>, others: Option<Others> },
    /// Members by name; those who are not named stay as they are.
    Members {
        members: Vec<MemberRequest>,
        /// People beyond the party size, in all; `None` leaves them.
        extra: Option<u32>,
        /// The guest has seen what changes for others, and the extras.
        confirmed: bool,
    },
}

/// What a head count means for the others of the group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Others {
    /// Everybody comes.
    Coming,
    /// They declined: the count is for whoever answers.
    Declined,
}

/// What is said of one member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemberRequest {
    pub guest: GuestId,
    /// `None` leaves the answer as it is.
    pub decision: Option<Decision>,
    /// `None` leaves them.
    pub dietary: Option<String>,
}

/// Something that a conversation would ask about first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// Somebody else had answered differently.
    AnswerOf { before: Box<Guest>, after: Box<Guest> },
    /// More people beyond the party size than before.
    Extras { before: u32, after: u32 },
}

/// Why nothing is saved.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("answers are closed")]
    Closed,
    /// The count says neither that everybody comes nor who does not.
    #[error("expected {expected} but you said {given}; say who is coming")]
    CountMismatch { expected: u32, given: u32 },
    #[error("at most {most} people can be announced here; talk to the host about more")]
    TooMany { most: u32 },
    #[error("guest {0} is not in your group")]
    NotInGroup(GuestId),
    #[error("guest {0} is named twice")]
    NamedTwice(GuestId),
    #[error("guest {guest} brings at most {most} companions")]
    TooManyCompanions { guest: GuestId, most: u32 },
    #[error("nobody comes by extras alone")]
    ExtrasAlone,
    #[error("dietary needs are {length} characters long; shorten them to {MOST_DIETARY}")]
    DietaryTooLong { length: usize },
    /// It would be saved if it were confirmed.
    #[error("this changes what others had answered, or brings more people than expected; confirm it")]
    Confirm(Vec<Change>),
}

/// Decides what a request changes.
///
/// # Errors
/// Why it cannot be saved.
pub fn decide(
    party: &Party<'_>,
    request: &Request,
    by: &AnsweredBy,
    now: DateTime<Utc>,
) -> Result<(Answer, Applied), Refusal> {
    if !party.event.is_open(now) {
        return decide_dietary(party, request, by, now);
    }
    decide_for_host(party, request, by, now)
}

/// The same for a host who writes down what a guest said: deadlines do not bind a host.
///
/// # Errors
/// Why it cannot be saved.
pub fn decide_for_host(
    party: &Party<'_>,
    request: &Request,
    by: &AnsweredBy,
    now: DateTime<Utc>,
) -> Result<(Answer, Applied), Refusal> {
    let answer = answer(party, request)?;
    let applied = answer::apply(party.group, &answer, by, now);
    confirm(party, request, &answer, &applied)?;
    Ok((answer, applied))
}

/// Once answers are closed, only dietary needs may differ. A count that is the present one says nothing new.
fn decide_dietary(
    party: &Party<'_>,
    request: &Request,
    by: &AnsweredBy,
    now: DateTime<Utc>,
) -> Result<(Answer, Applied), Refusal> {
    if !party.event.dietary_is_open(now) {
        return Err(Refusal::Closed);
    }
    let answer = match request {
        Request::Count { count, dietary, .. } if *count == head_count(party.group) => {
            Answer { decisions: Vec::new(), extras: Extras::Keep, dietary: of_me(party, dietary.as_deref())? }
        }
        request => answer(party, request).map_err(|refusal| match refusal {
            Refusal::DietaryTooLong { .. } => refusal,
            _ => Refusal::Closed,
        })?,
    };
    let applied = answer::apply(party.group, &answer, by, now);
    let stays = applied.members.iter().zip(&party.group.members).all(|(after, before)| same_answer(after, before));
    if stays { Ok((answer, applied)) } else { Err(Refusal::Closed) }
}

fn same_answer(one: &Guest, other: &Guest) -> bool {
    let answer = |guest: &Guest| (guest.status, guest.self_coming, guest.companions_coming, guest.extra_guests);
    answer(one) == answer(other)
}

/// How many people of a group come.
#[must_use]
pub fn head_count(group: &Group) -> u32 {
    group.members.iter().filter(|guest| guest.status == Status::Coming).map(|guest| guest.num_guests).sum()
}

fn answer(party: &Party<'_>, request: &Request) -> Result<Answer, Refusal> {
    match request {
        Request::Count { count, dietary, others } => {
            let (decisions, extras) = of_count(party, *count, *others)?;
            Ok(Answer { decisions, extras, dietary: of_me(party, dietary.as_deref())? })
        }
        Request::Members { members, extra, .. } => of_members(party, members, *extra),
    }
}

fn of_me(party: &Party<'_>, dietary: Option<&str>) -> Result<Vec<(GuestId, String)>, Refusal> {
    dietary.map(|text| Ok((party.me.id, is_short_enough(text)?))).into_iter().collect()
}

fn of_count(
    party: &Party<'_>,
    count: u32,
    others: Option<Others>,
) -> Result<(Vec<(GuestId, Decision)>, Extras), Refusal> {
    let Party { me, group, .. } = *party;
    let expected = group.party_size();
    let is_alone = group.members.len() == 1;
    let everybody = || group.members.iter().map(|guest| (guest.id, Decision::everybody(guest))).collect();
    match others {
        _ if is_alone => {
            let (decision, extras) = spread(me, count);
            Ok((vec![(me.id, decision)], few(extras, expected)?))
        }
        Some(Others::Coming) if count >= expected => Ok((everybody(), few(count - expected, expected)?)),
        Some(Others::Declined) => {
            let (decision, extras) = spread(me, count);
            let extras = few(extras, me.expected_guests)?;
            let others = group.members.iter().filter(|guest| guest.id != me.id);
            Ok((
                std::iter::once((me.id, decision)).chain(others.map(|guest| (guest.id, Decision::NOBODY))).collect(),
                extras,
            ))
        }
        None if count == 0 => Ok((vec![(me.id, Decision::NOBODY)], Extras::Keep)),
        None if count == expected => Ok((everybody(), Extras::OfGroup(0))),
        _ => Err(Refusal::CountMismatch { expected, given: count }),
    }
}

/// So many people with one record: the person, then companions, then extras.
#[must_use]
pub fn spread(guest: &Guest, count: u32) -> (Decision, u32) {
    match count.checked_sub(1) {
        None => (Decision::NOBODY, 0),
        Some(more) => {
            let companions = more.min(guest.companions());
            (Decision::Who { self_coming: true, companions }, more - companions)
        }
    }
}

fn few(extras: u32, expected: u32) -> Result<Extras, Refusal> {
    if extras > MOST_EXTRAS {
        return Err(Refusal::TooMany { most: expected + MOST_EXTRAS });
    }
    Ok(Extras::OfGroup(extras))
}

fn of_members(party: &Party<'_>, members: &[MemberRequest], extra: Option<u32>) -> Result<Answer, Refusal> {
    let mut answer = Answer { decisions: Vec::new(), extras: Extras::Keep, dietary: Vec::new() };
    for (place, member) in members.iter().enumerate() {
        let guest = party.group.member(member.guest).ok_or(Refusal::NotInGroup(member.guest))?;
        if members[..place].iter().any(|earlier| earlier.guest == member.guest) {
            return Err(Refusal::NamedTwice(member.guest));
        }
        if let Some(decision) = member.decision {
            let most = guest.companions();
            if matches!(decision, Decision::Who { companions, .. } if companions > most) {
                return Err(Refusal::TooManyCompanions { guest: guest.id, most });
            }
            answer.decisions.push((guest.id, decision));
        }
        if let Some(dietary) = &member.dietary {
            answer.dietary.push((guest.id, is_short_enough(dietary)?));
        }
    }
    if let Some(extra) = extra {
        answer.extras = few(extra, party.group.party_size())?;
    }
    Ok(answer)
}

/// The text as it is kept.
fn is_short_enough(dietary: &str) -> Result<String, Refusal> {
    let text = dietary.trim();
    let length = text.chars().count();
    if length > MOST_DIETARY { Err(Refusal::DietaryTooLong { length }) } else { Ok(text.to_owned()) }
}

/// Whoever names members has to have seen what that means for others. A head count was asked about by whoever took it.
fn confirm(party: &Party<'_>, request: &Request, answer: &Answer, applied: &Applied) -> Result<(), Refusal> {
    if matches!(answer.extras, Extras::OfGroup(extras) if extras > 0 && applied.extras() == 0) {
        return Err(Refusal::ExtrasAlone);
    }
    if !matches!(request, Request::Members { confirmed: false, .. }) {
        return Ok(());
    }
    let of_others = answer::changes_of_others(party.group, party.me.id, &answer.decisions).into_iter();
    let mut changes: Vec<Change> = of_others
        .filter_map(|before| {
            let after = applied.members.iter().find(|after| after.id == before.id)?;
            Some(Change::AnswerOf { before: Box::new(before.clone()), after: Box::new(after.clone()) })
        })
        .collect();
    let before: u32 = party.group.members.iter().map(|guest| guest.extra_guests).sum();
    if applied.extras() > before {
        changes.push(Change::Extras { before, after: applied.extras() });
    }
    if changes.is_empty() { Ok(()) } else { Err(Refusal::Confirm(changes)) }
}

#[cfg(test)]
mod tests;
