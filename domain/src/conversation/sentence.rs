//! Taking a sentence apart: clauses of known words, numbers and names of the group.
//!
//! One unknown word and nothing is read, because a wrong guess is worse than asking again.

mod parser;

use parser::{Parser, Quantity};

use super::{Party, walk::Pick};
use crate::{
    lexicon::{Lexicon, Meaning, normalise},
    model::{Guest, GuestId},
    name,
};

/// A longer text is a letter.
const MOST_CHARACTERS: usize = 300;
/// Words of a name that are compared.
const MOST_WORDS_OF_NAME: usize = 6;

/// What a plus sign is spelled out as.
const PLUS: &str = "plus";

/// Why a text gives no reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unread {
    NotUnderstood,
    /// A name fits several people.
    WhichPerson,
}

/// A number in a clause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Counted {
    pub value: u32,
    /// In digits, as in a list's numbers.
    pub digits: bool,
    /// "And 2", "at 6": adds to something, or counts no people.
    pub joined: bool,
    /// "Not 3", "all but one".
    pub after_not: bool,
    pub after_except: bool,
}

/// What stands between two punctuation marks.
#[derive(Debug, Clone, Default)]
pub(super) struct Clause {
    pub numbers: Vec<Counted>,
    pub people: Vec<Pick>,
    /// Named after "except".
    pub excepted: Vec<Pick>,
    pub me: bool,
    pub me_excepted: bool,
    pub yes: bool,
    pub agreed: bool,
    pub no: bool,
    pub all: bool,
    pub nobody: bool,
    pub some: bool,
    pub only: bool,
    pub come: bool,
    pub not: bool,
    pub away: bool,
    pub unsure: bool,
    pub except: bool,
    pub pronoun: bool,
    /// "Not all": some.
    pub not_all: bool,
    /// "1 no": of so many, not before any.
    pub no_after_number: bool,
    /// "No kids", "not Sam": denied before anybody was named, so of nobody named before.
    pub denied_first: bool,
    /// After a "but".
    pub after_but: bool,
    /// "Maybe Sam": unsure before anybody was named.
    pub unsure_first: bool,
    /// Says a thing and its contrary ("yes we can't", "not missing it"), or a riddle.
    pub contradictory: bool,
    /// Somebody was named, and then what they do.
    is_complete: bool,
}

/// Takes a text apart. `expected` gives "3 of 4" its meaning.
pub(super) fn clauses(
    text: &str,
    lexicons: &[&Lexicon],
    party: &Party<'_>,
    expected: u32,
) -> Result<Vec<Clause>, Unread> {
    if text.len() > 4 * MOST_CHARACTERS || has_odd_signs(text) || text.chars().count() > MOST_CHARACTERS {
        return Err(Unread::NotUnderstood);
    }
    let names = Names::of(party);
    let is_shouted = !text.chars().any(char::is_lowercase);
    let mut clauses = Vec::new();
    let mut is_first = true;
    let mut said: Vec<String> = Vec::new();
    let dashes = [" - ", " – ", " — "];
    let text = dashes.iter().fold(text.to_owned(), |text, dash| text.replace(dash, ", "));
    for part in text.split([',', ';', '.', '!', '\n', ':', '(', ')', '…']) {
        let tokens = tokens(part);
        let words: Vec<&str> = tokens.iter().map(|token| token.word.as_str()).collect();
        let is_name = |at: usize| names.person(&folded(tokens.get(at..).unwrap_or_default())) != Ok(None);
        if lexicons.iter().any(|lexicon| lexicon.asks(&words, is_name)) {
            return Err(Unread::NotUnderstood);
        }
        said.extend(tokens.iter().map(|token| token.word.clone()));
        // "Hello, everyone."
        let is_address = tokens.len() == 1 && is_address(&said, said.len() - 1, lexicons);
        if !is_address {
            let parser =
                Parser { tokens: &tokens, at: 0, lexicons, party, names: &names, expected, is_shouted, is_first };
            parser.parse(&mut clauses)?;
        }
        is_first &= tokens.is_empty();
    }
    Ok(clauses)
}

fn is_address(words: &[String], at: usize, lexicons: &[&Lexicon]) -> bool {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    lexicons.iter().any(|lexicon| lexicon.is_address(&words, at))
}

/// As names are compared.
fn folded(tokens: &[Token]) -> Vec<String> {
    tokens.iter().take(MOST_WORDS_OF_NAME).map(|token| name::fold(&token.word)).collect()
}

/// Signs beside a digit that make it something else than a number of people ("-3", "2.5", "18:30", "<3", "5%"), and
/// questions, which say nothing.
fn has_odd_signs(text: &str) -> bool {
    let mut before: [Option<char>; 2] = [None, None];
    for c in text.chars() {
        if matches!(c, '?' | '？' | '¿' | '؟') {
            return true;
        }
        let [earlier, last] = before;
        let is_odd_before = match last {
            Some(
                '-' | '−' | '/' | ':' | '<' | '>' | '~' | '≈' | '#' | '%' | '*' | '$' | '€' | '£' | '^' | '=' | '@'
                | '_' | '|' | '\\',
            ) => true,
            Some('.') => earlier.is_none_or(|c| c.is_ascii_digit() || c.is_whitespace()),
            _ => false,
        };
        let is_odd_after = last.is_some_and(|c| c.is_ascii_digit())
            && matches!(c, '%' | '€' | '$' | '£' | '°' | '*' | '^' | '/' | '=' | '_' | '@' | '#' | '~' | '|' | '\\');
        if is_odd_before && c.is_ascii_digit() || is_odd_after {
            return true;
        }
        before = [last, Some(c)];
    }
    false
}

struct Token {
    word: String,
    /// The word without `'s`.
    owner: Option<String>,
    is_capital: bool,
}

fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    // Spelled out, so that the words of any language can hold them.
    let text = text.replace('&', " and ").replace('+', &format!(" {PLUS} "));
    for raw in text.split_whitespace() {
        let is_capital = raw.chars().find(|c| c.is_alphabetic()).is_some_and(char::is_uppercase);
        let straight = raw.replace(['’', '‘', '`', '´', 'ʼ'], "'");
        let lower = straight.to_lowercase();
        let mut push = |text: &str, owner: Option<String>| {
            let normal = normalise(text);
            let words = normal.split(' ').filter(|word| !word.is_empty());
            tokens.extend(words.map(|word| Token { word: word.to_owned(), owner: None, is_capital }));
            if let Some(last) = tokens.last_mut().filter(|_| !normal.is_empty()) {
                last.owner = owner;
            }
        };
        if let Some(subject) = lower.strip_suffix("'ll") {
            push(subject, None);
            push("will", None);
        } else {
            let owner = lower.strip_suffix("'s").map(normalise);
            let owner = owner.map(|owner| owner.rsplit(' ').next().unwrap_or_default().to_owned());
            push(&straight, owner);
        }
    }
    tokens
}

/// The names of the group, ready to be compared.
struct Names(Vec<(GuestId, Vec<Vec<String>>)>);

impl Names {
    fn of(party: &Party<'_>) -> Self {
        let spellings = |guest: &Guest| {
            let full = guest.full_name();
            let names = [full.as_str(), &guest.first_name, &guest.last_name];
            names.into_iter().map(parts).filter(|parts| !parts.is_empty()).collect()
        };
        Self(party.group.members.iter().map(|guest| (guest.id, spellings(guest))).collect())
    }

    /// The member whose name `words` begin with: full name, first name, or last name where only one member bears
    /// it. The longest fit wins.
    fn person(&self, words: &[String]) -> Result<Option<(GuestId, usize)>, Unread> {
        let mut best: Option<(GuestId, usize)> = None;
        let mut several = false;
        for (guest, names) in &self.0 {
            let Some(length) = names.iter().filter(|name| words.starts_with(name)).map(Vec::len).max() else {
                continue;
            };
            match best {
                Some((_, longest)) if longest > length => {}
                Some((_, longest)) if longest == length => several = true,
                _ => (best, several) = (Some((*guest, length)), false),
            }
        }
        if several { Err(Unread::WhichPerson) } else { Ok(best) }
    }
}

fn parts(name: &str) -> Vec<String> {
    normalise(name).split(' ').filter(|part| !part.is_empty()).map(name::fold).collect()
}

impl Clause {
    /// "Anna comes and Ben can't": after a whole statement, "and" with somebody else begins another. Without the
    /// "and" it is a riddle whom the statement is about.
    fn begin_subject(&mut self, last: Option<Meaning>, clauses: &mut Vec<Self>) {
        if !self.is_complete || self.except {
            return;
        }
        if last == Some(Meaning::Joiner) {
            clauses.push(std::mem::take(self));
        } else {
            self.contradictory = true;
        }
    }

    /// "Me", and nothing else that counts.
    fn is_only_me(&self) -> bool {
        self.me && self.people.is_empty() && self.numbers.is_empty() && !self.not && !self.no && !self.except
    }

    fn is_bare_no(&self) -> bool {
        self.no && !self.me && !self.all && !self.not && self.people.is_empty() && self.numbers.is_empty()
    }

    /// A "no" right before a come-word negates it; one further away may, or may stand by itself.
    fn settle_no(&mut self, is_right_before: bool) {
        if self.no && !self.not && !self.away {
            self.contradictory |= !is_right_before;
            self.not = true;
        }
    }

    fn name(&mut self, pick: Pick) {
        if self.except { self.excepted.push(pick) } else { self.people.push(pick) }
    }

    /// "Two of Bob's companions": the number, or "all", belongs to what follows.
    fn quantity(&mut self, last: Option<Meaning>) -> Option<Quantity> {
        match last {
            Some(Meaning::Number(_) | Meaning::Of | Meaning::My) if !self.numbers.is_empty() => {
                self.numbers.pop().map(|number| Quantity::These(number.value))
            }
            Some(Meaning::All | Meaning::Of) if self.all => {
                self.all = false;
                Some(Quantity::All)
            }
            _ => None,
        }
    }

    /// "3 of 4", where 4 are expected, says 3.
    fn is_part_of(&self, last: Option<Meaning>, value: u32, expected: u32) -> bool {
        let [part] = self.numbers.as_slice() else { return false };
        last == Some(Meaning::Of) && value == expected && part.value <= value
    }

    fn count(&mut self, value: u32, digits: bool, last: Option<Meaning>) {
        self.numbers.push(Counted {
            value,
            digits,
            joined: last == Some(Meaning::Joiner),
            after_not: self.not || self.away,
            after_except: self.except,
        });
    }

    fn note(&mut self, meaning: Meaning, last: Option<Meaning>) {
        let is_verb = matches!(
            meaning,
            Meaning::Come | Meaning::Not | Meaning::Away | Meaning::Unsure | Meaning::Yes | Meaning::No
        );
        let is_denial = matches!(meaning, Meaning::Not | Meaning::No | Meaning::Away);
        self.denied_first |= is_denial && self.people.is_empty() && !self.me;
        self.is_complete |= is_verb && (self.me || !self.people.is_empty());
        match meaning {
            Meaning::Yes => self.yes = true,
            Meaning::Agreed => self.agreed = true,
            Meaning::No => {
                self.no = true;
                self.no_after_number |= !self.numbers.is_empty() && self.people.is_empty();
            }
            Meaning::All => {
                self.not_all |= self.not;
                self.all = true;
            }
            Meaning::None => {
                self.contradictory |= self.not || self.away;
                self.nobody = true;
            }
            Meaning::Some => self.some = true,
            Meaning::Only | Meaning::OnlyMe => {
                self.contradictory |= last == Some(Meaning::Not);
                // "Sam alone": not the one who writes.
                let is_of_others = last.is_none() && !self.people.is_empty() && !self.me;
                self.contradictory |= meaning == Meaning::OnlyMe && is_of_others;
                self.only = true;
                self.me |= meaning == Meaning::OnlyMe;
            }
            Meaning::Me if self.except => self.me_excepted = true,
            Meaning::Me => self.me = true,
            Meaning::IComing => (self.me, self.come) = (true, true),
            Meaning::Come => self.come = true,
            Meaning::Not => {
                self.contradictory |= self.not || self.nobody;
                self.not = true;
            }
            Meaning::Away => {
                self.contradictory |= self.not || self.nobody;
                self.away = true;
            }
            Meaning::Unsure => {
                self.unsure_first |= self.people.is_empty();
                self.unsure = true;
            }
            Meaning::Except => self.except = true,
            Meaning::Pronoun => self.pronoun = true,
            Meaning::But | Meaning::Companion { .. } | Meaning::Number(_) => {}
            Meaning::My | Meaning::Of | Meaning::Joiner | Meaning::Thanks | Meaning::Hail | Meaning::Filler => {}
        }
        self.contradictory |= self.yes && (self.no || self.not || self.away) && self.people.is_empty();
    }
}
