//! Reading what people write when asked how many come ("we're 3, Lisa can't make it"), or who does not.

mod sentence;

use sentence::Sentence;

use super::{
    Draft, Party, Plan,
    sentence::{Clause, Counted, Unread, clauses},
    walk::Pick,
};
use crate::{
    lexicon::{Lexicon, Meaning, normalise},
    model::{Guest, GuestId},
};

/// What a sentence says about how many come, and who not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Reading {
    Count(u32),
    /// "3 of us can't come": so many fewer than expected.
    Fewer(u32),
    All,
    Nobody,
    Some,
    OnlyMe,
    /// "I'm coming": of the others it says nothing.
    Me,
    /// "I can't come", said of oneself alone.
    NotMe,
    /// "We don't know yet."
    Unsure,
    /// "Anna and Ben are coming": of the others it says nothing.
    These(Vec<Pick>),
    /// Who does not come; whoever is not named comes, as far as the count allows.
    Without {
        picks: Vec<Pick>,
        count: Option<u32>,
    },
}

impl Reading {
    /// Whether the draft says the same; `anew` is the draft before anything was said.
    pub(super) fn agrees_with(&self, draft: &Draft, anew: &Draft) -> bool {
        let mut said = anew.clone();
        match self {
            Self::All => said.set_count(anew.expected()),
            Self::Nobody => said.set_count(0),
            Self::Count(count) => {
                let is_of_all = draft.members.iter().all(|member| member.plan != Plan::Untouched);
                return draft.count == Some(*count) && is_of_all;
            }
            Self::Fewer(fewer) => return draft.count == anew.expected().checked_sub(*fewer),
            Self::These(picks) => {
                let is_in = |pick: &Pick| draft.member(pick.guest()).is_some_and(|member| member.still_in().0);
                return picks.iter().all(is_in);
            }
            Self::Me => return draft.member(draft.guest).is_some_and(|member| member.still_in().0),
            Self::Without { picks, count } => {
                let out = draft.count.unwrap_or_default();
                if !said.set_count_without(count.unwrap_or(out), picks) {
                    return false;
                }
            }
            Self::OnlyMe | Self::NotMe | Self::Some | Self::Unsure => return false,
        }
        let plans = |draft: &Draft| draft.members.iter().map(|member| member.plan).collect::<Vec<_>>();
        said.count == draft.count && plans(&said) == plans(draft)
    }

    /// Whether it says more than yes, no, all or me.
    pub(super) fn says_how_many(&self) -> bool {
        matches!(self, Self::Count(_) | Self::Fewer(_) | Self::Some | Self::These(_) | Self::Without { .. })
    }

    /// Whether it says something else than how the group has answered: a change of mind.
    pub(super) fn differs_from_what_is_stored(&self, party: &Party<'_>) -> bool {
        let members = &party.group.members;
        let coming = members.iter().map(|guest| guest.num_guests).sum::<u32>();
        let comes = |pick: &Pick| {
            party.group.member(pick.guest()).is_some_and(|guest| match pick {
                Pick::Person(_) => guest.self_coming,
                Pick::CompanionOf(_) => guest.companions_coming > 0,
                Pick::DoesNotKnow(_) => guest.num_guests > 0,
            })
        };
        match self {
            Self::All => members.iter().any(|guest| guest.num_guests < guest.expected_guests),
            Self::Nobody => coming > 0,
            Self::OnlyMe => !party.me.self_coming || coming > 1,
            Self::Me => !party.me.self_coming,
            Self::NotMe => party.me.self_coming,
            Self::Count(count) => *count != coming,
            Self::Fewer(fewer) => party.group.party_size().saturating_sub(*fewer) != coming,
            Self::Without { picks, count } => picks.iter().any(comes) || count.is_some_and(|count| count != coming),
            Self::These(picks) => !picks.iter().all(comes),
            Self::Some | Self::Unsure => false,
        }
    }
}

/// People named in a text about who is not coming: by their number in the list, by name.
pub(super) fn picks(
    text: &str,
    lexicons: &[&Lexicon],
    party: &Party<'_>,
    numbered: &[Pick],
) -> Result<Vec<Pick>, Unread> {
    let (mut out, mut coming) = (Vec::new(), Vec::new());
    // "1, 3" names places in the list; "we are 3" does not.
    let is_of_places = |word: &str| {
        let is_between = |lexicon: &&Lexicon| matches!(lexicon.meaning(&[word]), Some((Meaning::Joiner, _)));
        word.bytes().all(|byte| byte.is_ascii_digit()) || lexicons.iter().any(is_between)
    };
    let normal = normalise(text);
    let lexicon_politeness =
        |normal| lexicons.iter().fold(normal, |normal, lexicon| lexicon.without_politeness(normal));
    let are_places = lexicon_politeness(normal.as_str()).split(' ').all(is_of_places);
    for clause in clauses(text, lexicons, party, 0)? {
        if !clause.numbers.is_empty() && !are_places {
            return Err(Unread::NotUnderstood);
        }
        if clause.contradictory || clause.all || clause.some || clause.nobody || clause.except {
            return Err(Unread::NotUnderstood);
        }
        let mut people = clause.subjects(party);
        if people.is_empty() {
            for number in &clause.numbers {
                people.push(in_list(number, numbered).ok_or(Unread::NotUnderstood)?);
            }
        } else if !clause.numbers.is_empty() {
            return Err(Unread::NotUnderstood);
        }
        if clause.unsure {
            out.extend(open(people).ok_or(Unread::NotUnderstood)?);
        } else if (clause.come || clause.yes) && !clause.is_negative() {
            coming.extend(people.into_iter().map(Pick::guest));
        } else {
            out.extend(people);
        }
    }
    let contradicts = out.iter().any(|pick| coming.contains(&pick.guest()));
    if out.is_empty() || contradicts { Err(Unread::NotUnderstood) } else { Ok(out) }
}

/// Numbers in words ("one", "both") are no places in a list.
fn in_list(number: &Counted, numbered: &[Pick]) -> Option<Pick> {
    let index = usize::try_from(number.value).ok()?.checked_sub(1)?;
    numbered.get(index).copied().filter(|_| number.digits && !number.after_not)
}

/// Only a whole record can be left open, not one of its companions.
fn open(people: Vec<Pick>) -> Option<Vec<Pick>> {
    let open = |pick: Pick| match pick {
        Pick::CompanionOf(_) => None,
        pick => Some(Pick::DoesNotKnow(pick.guest())),
    };
    people.into_iter().map(open).collect()
}

/// A sentence about how many of the `expected` people come.
pub(super) fn how_many(text: &str, lexicons: &[&Lexicon], party: &Party<'_>, expected: u32) -> Result<Reading, Unread> {
    let mut sentence = Sentence::default();
    for clause in clauses(text, lexicons, party, expected)? {
        sentence.read(&clause, party).ok_or(Unread::NotUnderstood)?;
    }
    sentence.conclude(party, expected).ok_or(Unread::NotUnderstood)
}

impl Pick {
    pub(super) fn guest(self) -> GuestId {
        match self {
            Self::Person(guest) | Self::CompanionOf(guest) | Self::DoesNotKnow(guest) => guest,
        }
    }
}

impl Clause {
    fn subjects(&self, party: &Party<'_>) -> Vec<Pick> {
        let mut people = self.people.clone();
        if self.me && !people.contains(&Pick::Person(party.me.id)) {
            people.push(Pick::Person(party.me.id));
        }
        people
    }

    /// "No" beside a name says that they do not come.
    fn is_negative(&self) -> bool {
        self.not || self.away || self.no && (self.me || !self.people.is_empty())
    }
}

/// How many people the names stand for.
pub(super) fn people_out(party: &Party<'_>, picks: &[Pick]) -> u32 {
    let of = |guest: &Guest| {
        let named = |pick: Pick| picks.iter().filter(|other| **other == pick).count();
        let companions = u32::try_from(named(Pick::CompanionOf(guest.id))).unwrap_or(u32::MAX).min(guest.companions());
        match named(Pick::DoesNotKnow(guest.id)) {
            0 => u32::from(named(Pick::Person(guest.id)) > 0) + companions,
            _ => guest.expected_guests.max(1),
        }
    };
    party.group.members.iter().map(of).sum()
}
