//! Reading what people write when asked how many come: "we're 3, Lisa can't make it".
//!
//! Only sentences of known words, numbers and names of the group are read; one unknown word and nothing is,
//! because a wrong guess is worse than asking again.

use super::{Party, walk::Pick};
use crate::{
    lexicon::{Lexicon, Meaning, normalise},
    model::{Guest, GuestId},
    name,
};

/// What a sentence says about how many come, and who not.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Reading {
    pub count: Option<u32>,
    /// "3 of us can't come": so many fewer than expected.
    pub fewer: Option<u32>,
    pub all: bool,
    pub nobody: bool,
    pub some: bool,
    pub only_me: bool,
    /// "I can't come", said of oneself alone.
    pub not_me: bool,
    /// "We don't know yet."
    pub unsure: bool,
    pub picks: Vec<Pick>,
}

/// Why a text gives no reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unread {
    NotUnderstood,
    /// A name fits several people.
    WhichPerson,
}

/// People named in a text about who is not coming: by number, by name.
pub(super) fn picks(text: &str, lexicons: &[&Lexicon], party: &Party<'_>, numbered: &[Pick]) -> Result<Vec<Pick>, Unread> {
    let mut picks = Vec::new();
    for clause in clauses(text, lexicons, party)? {
        for number in &clause.numbers {
            let pick = (*number as usize).checked_sub(1).and_then(|index| numbered.get(index));
            picks.push(*pick.ok_or(Unread::NotUnderstood)?);
        }
        if clause.only || clause.all || clause.some || clause.nobody {
            return Err(Unread::NotUnderstood);
        }
        picks.extend(clause.picks(clause.unsure));
        if clause.me {
            picks.push(Pick::Person(party.me.id));
        }
    }
    if picks.is_empty() { Err(Unread::NotUnderstood) } else { Ok(picks) }
}

/// A sentence about how many come.
pub(super) fn how_many(text: &str, lexicons: &[&Lexicon], party: &Party<'_>) -> Result<Reading, Unread> {
    let mut reading = Reading::default();
    // Names whose verb is still to come: "Lisa, Tom can't make it".
    let mut waiting: Vec<Pick> = Vec::new();
    let mut coming: Vec<GuestId> = Vec::new();
    let mut only = false;
    for clause in clauses(text, lexicons, party)? {
        reading.read_numbers(&clause)?;
        reading.some |= clause.some;
        reading.all |= clause.all && !clause.not;
        reading.nobody |= clause.nobody || clause.all && clause.not && clause.people.is_empty();
        let people = clause.picks(clause.unsure);
        if people.is_empty() {
            reading.read_without_names(&clause);
        } else if clause.not || clause.except || clause.unsure {
            reading.picks.append(&mut waiting);
            reading.picks.extend(people);
            reading.picks.extend(clause.me.then_some(Pick::Person(party.me.id)));
        } else if clause.is_bare && !clause.only {
            waiting.extend(people);
        } else {
            only |= clause.only || clause.only_me;
            coming.extend(people.iter().map(|pick| pick.guest()));
            coming.extend((clause.me || clause.only_me).then_some(party.me.id));
        }
    }
    coming.extend(waiting.iter().map(|pick| pick.guest()));
    // "2 of us: Anna and Ben" names exactly those who come.
    let named_all = reading.picks.is_empty() && reading.count.is_some_and(|count| count as usize == coming.len());
    if only || named_all && !coming.is_empty() {
        let others = party.group.members.iter().filter(|guest| !coming.contains(&guest.id));
        reading.picks.extend(others.flat_map(whole_record));
    } else if !waiting.is_empty() {
        return Err(Unread::NotUnderstood);
    }
    if reading == Reading::default() { Err(Unread::NotUnderstood) } else { Ok(reading) }
}

/// Everybody of a record, as not coming.
fn whole_record(guest: &Guest) -> impl Iterator<Item = Pick> {
    std::iter::once(Pick::Person(guest.id)).chain((0..guest.companions()).map(|_| Pick::CompanionOf(guest.id)))
}

impl Pick {
    pub(super) fn guest(self) -> GuestId {
        match self {
            Self::Person(guest) | Self::CompanionOf(guest) | Self::DoesNotKnow(guest) => guest,
        }
    }
}

impl Reading {
    fn read_numbers(&mut self, clause: &Clause) -> Result<(), Unread> {
        match clause.numbers.as_slice() {
            [] => Ok(()),
            [number] if clause.not && clause.people.is_empty() && !clause.except => self.set_fewer(*number),
            [number] => self.set_count(*number),
            _ => Err(Unread::NotUnderstood),
        }
    }

    fn set_count(&mut self, count: u32) -> Result<(), Unread> {
        if self.count.replace(count).is_some_and(|before| before != count) { Err(Unread::NotUnderstood) } else { Ok(()) }
    }

    fn set_fewer(&mut self, fewer: u32) -> Result<(), Unread> {
        if self.fewer.replace(fewer).is_some() { Err(Unread::NotUnderstood) } else { Ok(()) }
    }

    fn read_without_names(&mut self, clause: &Clause) {
        let bare = clause.numbers.is_empty() && !clause.all && !clause.some && !clause.nobody;
        if !bare {
            return;
        }
        if clause.only_me || clause.me && clause.only {
            self.only_me = true;
        } else if clause.not && clause.me {
            self.not_me = true;
        } else if clause.unsure {
            self.unsure = true;
        } else if clause.not || clause.no {
            self.nobody = true;
        } else if clause.yes {
            self.all = true;
        }
    }
}

/// What stands between two punctuation marks.
#[derive(Debug, Default)]
struct Clause {
    numbers: Vec<u32>,
    people: Vec<Pick>,
    yes: bool,
    no: bool,
    all: bool,
    nobody: bool,
    some: bool,
    only: bool,
    only_me: bool,
    me: bool,
    not: bool,
    unsure: bool,
    except: bool,
    /// Nothing but names and what joins them.
    is_bare: bool,
}

impl Clause {
    fn picks(&self, unsure: bool) -> Vec<Pick> {
        let pick = |pick: &Pick| if unsure { Pick::DoesNotKnow(pick.guest()) } else { *pick };
        self.people.iter().map(pick).collect()
    }

    /// `None` when nothing was said.
    fn finish(mut self, other_words: usize) -> Option<Self> {
        self.is_bare = other_words < self.people.len();
        // "I think we're 3": the speaker is no news beside a number.
        if !self.numbers.is_empty() && !self.only {
            self.me = false;
        }
        (other_words > 0 || !self.people.is_empty()).then_some(self)
    }

    fn note(&mut self, meaning: Meaning) -> Result<(), Unread> {
        match meaning {
            Meaning::Yes => self.yes = true,
            Meaning::No => self.no = true,
            Meaning::All => self.all = true,
            Meaning::None => self.nobody = true,
            Meaning::Some => self.some = true,
            Meaning::Only => self.only = true,
            Meaning::OnlyMe => self.only_me = true,
            Meaning::Me => self.me = true,
            Meaning::Not => self.not = true,
            Meaning::Unsure => self.unsure = true,
            Meaning::Except => self.except = true,
            Meaning::Number(number) => self.numbers.push(number),
            Meaning::Companion => return Err(Unread::NotUnderstood),
            Meaning::Filler | Meaning::But => {}
        }
        Ok(())
    }
}

fn clauses(text: &str, lexicons: &[&Lexicon], party: &Party<'_>) -> Result<Vec<Clause>, Unread> {
    // "-3" and "2.5" are no numbers of people; taken apart at the sign they would look like some.
    let signed = |pair: &[char]| matches!(pair, ['-' | '−' | '.' | ',' | '/', digit] if digit.is_ascii_digit());
    let characters: Vec<char> = text.trim().chars().collect();
    let odd = characters.windows(2).enumerate().any(|(at, pair)| {
        let after_digit = at > 0 && characters[at - 1].is_ascii_digit();
        signed(pair) && (after_digit && pair[0] != ',' || at == 0)
    });
    if odd || characters.len() > 300 {
        return Err(Unread::NotUnderstood);
    }
    let mut clauses = Vec::new();
    for part in text.split([',', ';', '.', '!', '?', '\n', ':', '(', ')']) {
        read_part(part, lexicons, party, &mut clauses)?;
    }
    Ok(clauses)
}

fn read_part(text: &str, lexicons: &[&Lexicon], party: &Party<'_>, clauses: &mut Vec<Clause>) -> Result<(), Unread> {
    let normal = normalise(&text.replace("’s ", "'s ").replace("'s ", " 's "));
    let words: Vec<&str> = normal.split(' ').filter(|word| !word.is_empty() && *word != "s").collect();
    let mut clause = Clause::default();
    let mut other_words = 0;
    let mut rest = words.as_slice();
    while !rest.is_empty() {
        // A name wins over a word: a guest may be called "Will".
        if let Some((guest, length)) = person(rest, party)? {
            rest = &rest[length..];
            let companion = meaning(lexicons, rest).filter(|(meaning, _)| *meaning == Meaning::Companion);
            rest = &rest[companion.map_or(0, |(_, length)| length)..];
            clause.people.push(if companion.is_some() { Pick::CompanionOf(guest) } else { Pick::Person(guest) });
            continue;
        }
        let (meaning, length) = meaning(lexicons, rest).ok_or(Unread::NotUnderstood)?;
        rest = &rest[length..];
        if meaning == Meaning::But {
            clauses.extend(std::mem::take(&mut clause).finish(other_words));
            other_words = 0;
            continue;
        }
        other_words += length;
        clause.note(meaning)?;
    }
    clauses.extend(clause.finish(other_words));
    Ok(())
}

fn meaning(lexicons: &[&Lexicon], words: &[&str]) -> Option<(Meaning, usize)> {
    lexicons.iter().find_map(|lexicon| lexicon.meaning(words))
}

/// The member whose name stands at the beginning of `words`: full name, first name, or last name where only one
/// member bears it. The longest fit wins.
fn person(words: &[&str], party: &Party<'_>) -> Result<Option<(GuestId, usize)>, Unread> {
    let typed: Vec<String> = words.iter().take(6).map(|word| name::fold(word)).collect();
    let mut best: Option<(GuestId, usize)> = None;
    let mut several = false;
    for guest in &party.group.members {
        let full = guest.full_name();
        let names = [full.as_str(), &guest.first_name, &guest.last_name];
        let Some(length) = names.into_iter().filter_map(|name| begins_with(&typed, name)).max() else { continue };
        match best {
            Some((_, longest)) if longest > length => {}
            Some((_, longest)) if longest == length => several = true,
            _ => {
                best = Some((guest.id, length));
                several = false;
            }
        }
    }
    if several { Err(Unread::WhichPerson) } else { Ok(best) }
}

fn begins_with(typed: &[String], name: &str) -> Option<usize> {
    let normal = normalise(name);
    let parts: Vec<String> = normal.split(' ').filter(|part| !part.is_empty()).map(name::fold).collect();
    (!parts.is_empty() && typed.len() >= parts.len() && typed.iter().zip(&parts).all(|(typed, part)| typed == part))
        .then_some(parts.len())
}
