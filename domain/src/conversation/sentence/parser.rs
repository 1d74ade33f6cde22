//! Reading the words of one clause after the other.

use super::{Clause, MOST_WORDS_OF_NAME, Names, PLUS, Token, Unread, folded, is_address};
use crate::{
    conversation::{Party, walk::Pick},
    lexicon::{Kin, Lexicon, Meaning},
    model::{Guest, GuestId},
    name,
};

pub(super) struct Parser<'a> {
    pub(super) tokens: &'a [Token],
    pub(super) at: usize,
    pub(super) lexicons: &'a [&'a Lexicon],
    pub(super) party: &'a Party<'a>,
    pub(super) names: &'a Names,
    pub(super) expected: u32,
    pub(super) is_shouted: bool,
    /// Whether the text begins here: a capital says nothing then.
    pub(super) is_first: bool,
}

/// How many companions a phrase means.
#[derive(Clone, Copy)]
pub(super) enum Quantity {
    These(u32),
    All,
}

impl Parser<'_> {
    pub(super) fn parse(mut self, clauses: &mut Vec<Clause>) -> Result<(), Unread> {
        let mut clause = Clause::default();
        let mut is_empty = true;
        // The meaning before, "the" and the like aside; the one before a joiner; and the one right before.
        let (mut last, mut joined_to, mut right_before) = (None, None, None);
        while self.at < self.tokens.len() {
            is_empty = false;
            if let Some((guest, length, is_owner)) = self.person()? {
                if !self.joins_those_who_come(&clause, last, self.at + length) {
                    clause.begin_subject(last, clauses);
                }
                self.at += length;
                self.named(guest, is_owner, &mut clause, last)?;
                (last, right_before) = (None, None);
                continue;
            }
            let (meaning, length) = self.meaning(self.at).ok_or(Unread::NotUnderstood)?;
            let begins_at = self.at;
            self.at += length;
            if length == 1 && self.is_address(begins_at) {
                continue;
            }
            match meaning {
                // "All of us but Sam."
                Meaning::But if clause.all && self.only_people_follow()? => clause.note(Meaning::Except, last),
                // "All of us but Sam can't come": who of them?
                Meaning::But if last == Some(Meaning::All) && self.person()?.is_some() => {
                    return Err(Unread::NotUnderstood);
                }
                Meaning::But => {
                    clauses.push(std::mem::take(&mut clause));
                    clause.after_but = true;
                    (is_empty, last, right_before) = (true, None, None);
                    continue;
                }
                Meaning::Companion { several, kin } => {
                    // "One kid comes and one kid can't": a second statement, or a riddle.
                    let joins = self.joins_those_who_come(&clause, Some(Meaning::Joiner), self.at);
                    clause.contradictory |= clause.is_complete && !clause.except && !joins;
                    let is_added = self.tokens[begins_at].word == PLUS;
                    if self.is_one_more(&clause, last, kin, is_added) {
                        clause.count(2, false, None);
                    } else if let Some(spouse) = self.spouse().filter(|_| kin == Kin::Spouse) {
                        clause.begin_subject(last, clauses);
                        clause.name(spouse);
                    } else {
                        let quantity = clause.quantity(last).unwrap_or_else(|| quantity_of(several));
                        let owner = self.owner(last == Some(Meaning::My), kin, several)?;
                        self.companions(owner, quantity, &mut clause)?;
                    }
                }
                Meaning::Number(value) => {
                    let digits = self.tokens[begins_at].word.bytes().all(|byte| byte.is_ascii_digit());
                    let is_added = begins_at > 0 && self.tokens[begins_at - 1].word == PLUS;
                    if is_added && joined_to == Some(Meaning::Me) && clause.is_only_me() && !self.counts_companions() {
                        // "Me + 2."
                        clause.count(value.saturating_add(1), digits, None);
                    } else if !clause.is_part_of(last, value, self.expected) {
                        clause.count(value, digits, last);
                    }
                }
                // "No only me": the "no" stands by itself.
                Meaning::Only | Meaning::OnlyMe if last == Some(Meaning::No) && clause.is_bare_no() => {
                    clauses.push(std::mem::take(&mut clause));
                    clause.note(meaning, None);
                }
                meaning => {
                    let joins = meaning == Meaning::Me && self.joins_those_who_come(&clause, last, self.at);
                    if matches!(meaning, Meaning::Me | Meaning::IComing) && !joins {
                        clause.begin_subject(last, clauses);
                    }
                    if matches!(meaning, Meaning::Come | Meaning::IComing) {
                        clause.settle_no(right_before == Some(Meaning::No) && meaning == Meaning::Come);
                    }
                    clause.note(meaning, last);
                }
            }
            right_before = Some(meaning);
            if meaning == Meaning::Joiner {
                joined_to = last;
            }
            // "The", "we" and the like change nothing about what stands before them.
            if !matches!(meaning, Meaning::Filler | Meaning::Hail | Meaning::Thanks) {
                last = Some(meaning);
            }
        }
        if is_empty && clause.after_but {
            // "Yes, but": what?
            return Err(Unread::NotUnderstood);
        }
        if !is_empty {
            clauses.push(clause);
        }
        Ok(())
    }

    fn meaning(&self, at: usize) -> Option<(Meaning, usize)> {
        let words: Vec<&str> = self.tokens[at..].iter().take(8).map(|token| token.word.as_str()).collect();
        self.lexicons.iter().find_map(|lexicon| lexicon.meaning(&words))
    }

    fn is_address(&self, at: usize) -> bool {
        let words: Vec<String> = self.tokens.iter().map(|token| token.word.clone()).collect();
        is_address(&words, at, self.lexicons)
    }

    /// "Sam is coming with me": where nothing follows, the last name belongs to those who come.
    fn joins_those_who_come(&self, clause: &Clause, last: Option<Meaning>, after: usize) -> bool {
        let comes = clause.come && !clause.not && !clause.no && !clause.away && !clause.unsure;
        comes && last == Some(Meaning::Joiner) && after == self.tokens.len()
    }

    /// Whether all that follows is names.
    fn only_people_follow(&self) -> Result<bool, Unread> {
        let mut ahead = Parser { ..*self };
        let mut any = false;
        while ahead.at < ahead.tokens.len() {
            if let Some((_, length, _)) = ahead.person()? {
                (ahead.at, any) = (ahead.at + length, true);
                continue;
            }
            match ahead.meaning(ahead.at) {
                Some((Meaning::Me | Meaning::Companion { .. }, length)) => (ahead.at, any) = (ahead.at + length, true),
                Some((Meaning::Joiner | Meaning::My | Meaning::Of | Meaning::Filler, length)) => ahead.at += length,
                _ => return Ok(false),
            }
        }
        Ok(any)
    }

    /// "Me + 1", "me and my husband": two people, where it is not clear who the other is.
    fn is_one_more(&self, clause: &Clause, last: Option<Meaning>, kin: Kin, is_added: bool) -> bool {
        let is_beside = match kin {
            Kin::Spouse => matches!(last, Some(Meaning::My | Meaning::Joiner)) && self.spouse().is_none(),
            _ => is_added && last == Some(Meaning::Me) && !self.is_my_companion(),
        };
        is_beside && clause.is_only_me()
    }

    /// Whether "my plus one" can only be a companion.
    fn is_my_companion(&self) -> bool {
        self.party.group.members.len() == 1 && self.party.me.companions() > 0
    }

    /// Whether companions are what is counted here: "2 kids".
    fn counts_companions(&self) -> bool {
        let next = (self.at..self.tokens.len())
            .find(|at| !matches!(self.meaning(*at), Some((Meaning::Of | Meaning::My | Meaning::Filler, _))));
        next.is_some_and(|at| self.companion(at).is_some())
    }

    /// The other one of a couple.
    fn spouse(&self) -> Option<Pick> {
        match self.party.group.members.as_slice() {
            [one, other] if one.companions() + other.companions() == 0 => {
                Some(Pick::Person(if one.id == self.party.me.id { other.id } else { one.id }))
            }
            _ => None,
        }
    }

    fn companion(&self, at: usize) -> Option<(bool, usize)> {
        match self.meaning(at)? {
            (Meaning::Companion { several, .. }, length) => Some((several, length)),
            _ => None,
        }
    }

    /// A member named here, in how many words, and whether as owner of what follows.
    fn person(&self) -> Result<Option<(GuestId, usize, bool)>, Unread> {
        let here = &self.tokens[self.at..];
        let words = folded(here);
        if let Some((guest, length)) = self.names.person(&words)? {
            return Ok(self.is_name(length)?.then_some((guest, length, false)));
        }
        for (index, token) in here.iter().take(MOST_WORDS_OF_NAME).enumerate() {
            // "Bob's companion", and "bobs companion" as it is typed in a hurry.
            let hurried = || {
                let owner = token.word.strip_suffix('s').filter(|owner| !owner.is_empty())?;
                let number = usize::from(matches!(self.meaning(self.at + index + 1), Some((Meaning::Number(_), _))));
                self.companion(self.at + index + 1 + number)?;
                Some(owner.to_owned())
            };
            let Some(owner) = token.owner.clone().or_else(hurried) else { continue };
            let mut owners = words[..=index].to_vec();
            owners[index] = name::fold(&owner);
            if let Some((guest, length)) = self.names.person(&owners)?.filter(|(_, length)| *length == index + 1) {
                return Ok(Some((guest, length, true)));
            }
        }
        Ok(None)
    }

    /// Whether the words here are a name rather than words: a guest may be called Will. A capital inside the
    /// sentence tells; at its beginning nothing does.
    fn is_name(&self, length: usize) -> Result<bool, Unread> {
        if length > 1 || self.meaning(self.at).is_none() {
            return Ok(true);
        }
        match self.tokens[self.at].is_capital && !self.is_shouted {
            true if self.at == 0 && self.is_first => Err(Unread::NotUnderstood),
            is_name => Ok(is_name),
        }
    }

    /// Somebody was named; what follows may make it their companions.
    fn named(
        &mut self,
        guest: GuestId,
        is_owner: bool,
        clause: &mut Clause,
        last: Option<Meaning>,
    ) -> Result<(), Unread> {
        let number = match self.meaning(self.at) {
            Some((Meaning::Number(value), length)) => Some((value, length)),
            _ => None,
        };
        let after_number = self.at + number.map_or(0, |(_, length)| length);
        let Some((several, length)) = self.companion(after_number).filter(|_| is_owner || number.is_none()) else {
            clause.name(Pick::Person(guest));
            return Ok(());
        };
        // "Bob plus one" is Bob too; "Bob's plus one" is not.
        if !is_owner && self.tokens[self.at].word == PLUS {
            clause.name(Pick::Person(guest));
        }
        self.at = after_number + length;
        let said_before = if last == Some(Meaning::Of) { clause.quantity(last) } else { None };
        let quantity = number.map(|(value, _)| Quantity::These(value)).or(said_before);
        self.companions(guest, quantity.unwrap_or_else(|| quantity_of(several)), clause)
    }

    /// Whose companions, where the phrase before did not say: "companions of Bob", "my plus one".
    fn owner(&mut self, is_mine: bool, kin: Kin, several: bool) -> Result<GuestId, Unread> {
        if matches!(self.meaning(self.at), Some((Meaning::Of, 1))) {
            self.at += 1;
            let (guest, length, _) = self.person()?.ok_or(Unread::NotUnderstood)?;
            self.at += length;
            return Ok(guest);
        }
        let members = &self.party.group.members;
        // A relative may be a member with a record of their own.
        let is_alone = members.len() == 1;
        let mut with_companions = members.iter().filter(|guest| guest.companions() > 0);
        match (with_companions.next(), with_companions.next()) {
            _ if kin == Kin::Spouse && !is_alone => Err(Unread::NotUnderstood),
            // "The kids", where there is one companion: somebody else is meant too.
            (Some(guest), None) if kin == Kin::Child && several && guest.companions() == 1 && !is_alone => {
                Err(Unread::WhichPerson)
            }
            (Some(_), _) if is_mine && self.party.me.companions() > 0 => Ok(self.party.me.id),
            (Some(guest), None) => Ok(guest.id),
            (Some(_), Some(_)) => Err(Unread::WhichPerson),
            (None, _) => Err(Unread::NotUnderstood),
        }
    }

    fn companions(&self, owner: GuestId, quantity: Quantity, clause: &mut Clause) -> Result<(), Unread> {
        let there_are = self.party.group.member(owner).map_or(0, Guest::companions);
        let meant = match quantity {
            Quantity::These(quantity) => quantity,
            Quantity::All => there_are,
        };
        if meant == 0 || meant > there_are {
            return Err(Unread::NotUnderstood);
        }
        (0..meant).for_each(|_| clause.name(Pick::CompanionOf(owner)));
        Ok(())
    }
}

fn quantity_of(several: bool) -> Quantity {
    if several { Quantity::All } else { Quantity::These(1) }
}
