//! Whether a text says that there are no dietary needs: "no allergies, thank you", "we're fine", "nobody has any".
//!
//! One word that could be food, or anything else unknown, and it is a need: better one line too many for the kitchen
//! than an allergy less.

use std::collections::HashMap;

use super::{Lexicon, Meaning, normalise, squeezed};

/// What a word does in such a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    /// "Allergies".
    Need,
    /// "Dietary": of the word after it.
    KindOfNeed,
    /// "No", "none".
    None,
    /// "Don't", "not".
    Not,
    /// "Have", "any": denied, or else there are some.
    Has,
    /// "Good", "eat everything".
    Fine,
    /// "I", "everything": after a "no", another clause begins.
    Subject,
    /// "All of us": not of all is of some.
    Everybody,
    Filler,
    /// Thanks and greetings.
    Kind,
}

const PARTS: [(Part, &str); 9] = [
    (Part::Filler, "words-need-filler"),
    (Part::Subject, "words-need-subject"),
    (Part::Everybody, "words-need-everybody"),
    (Part::Has, "words-need-has"),
    (Part::Fine, "words-need-fine"),
    (Part::Not, "words-need-not"),
    (Part::None, "words-need-none"),
    (Part::KindOfNeed, "words-need-kind"),
    (Part::Need, "words-need"),
];

/// The words of one language that deny needs.
#[derive(Debug, Default)]
pub(super) struct NeedWords {
    parts: HashMap<String, Part>,
    /// Words that speak of everybody.
    of_all: Vec<String>,
    longest: usize,
}

impl NeedWords {
    pub(super) fn read(listed: impl Fn(&str) -> Vec<String>) -> Self {
        let mut words = Self { of_all: listed("words-need-of-all"), ..Self::default() };
        for (part, id) in PARTS {
            for phrase in listed(id) {
                words.longest = words.longest.max(phrase.split(' ').count());
                words.parts.insert(phrase, part);
            }
        }
        words
    }
}

/// Nobody's needs: of whom it is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoNeeds {
    OfOne,
    /// "None of us", "we have no allergies".
    OfAll,
}

impl Lexicon {
    /// Whether the text says nothing but that there are no needs. `own` are the names of whoever is asked about.
    #[must_use]
    pub fn no_needs(&self, text: &str, own: &[&str]) -> Option<NoNeeds> {
        if text.contains(['?', '？']) {
            return None;
        }
        let own: Vec<String> = own.iter().map(|name| normalise(name)).filter(|name| !name.is_empty()).collect();
        let (mut denies, mut of_all) = (false, false);
        for clause in text.replace(" - ", ",").split([',', ';', '.', '!', '\n', '(', ')', '…', '–', '—']) {
            let normal = normalise(clause);
            let words: Vec<&str> = normal.split(' ').filter(|word| !word.is_empty()).collect();
            let parts = self.parts(&words, &own)?;
            denies |= clause_denies(&parts)?;
            let normal = format!(" {normal} ");
            of_all |= self.needs.of_all.iter().any(|phrase| normal.contains(&format!(" {phrase} ")));
        }
        denies.then_some(if of_all { NoNeeds::OfAll } else { NoNeeds::OfOne })
    }

    fn parts(&self, words: &[&str], own: &[String]) -> Option<Vec<Part>> {
        let mut parts = Vec::new();
        let mut rest = words;
        while let Some(first) = rest.first() {
            // Somebody may be called Olive.
            let after_denial = matches!(parts.last(), Some(Part::None | Part::Not));
            let own_name = || own_name(rest, own).filter(|_| !after_denial).map(|length| (Part::Filler, length));
            let spelt_out = || self.part(&[squeezed(first, 1)?.as_str()]);
            let (part, length) = self.part(rest).or_else(spelt_out).or_else(own_name)?;
            parts.push(part);
            rest = &rest[length..];
        }
        Some(parts)
    }

    fn part(&self, words: &[&str]) -> Option<(Part, usize)> {
        let longest = self.needs.longest.max(self.longest).min(words.len());
        (1..=longest).rev().find_map(|length| {
            let phrase = words[..length].join(" ");
            let kind = || {
                let is_kind = matches!(self.meanings.get(&phrase), Some(Meaning::Thanks | Meaning::Hail));
                (is_kind || self.polite.contains(&phrase)).then_some(Part::Kind)
            };
            self.needs.parts.get(&phrase).copied().or_else(kind).map(|part| (part, length))
        })
    }
}

/// How many words of a name the text begins with.
fn own_name(words: &[&str], own: &[String]) -> Option<usize> {
    let parts = own.iter().map(|name| name.split(' ').collect::<Vec<_>>());
    parts.filter(|parts| words.starts_with(parts)).map(|parts| parts.len()).max()
}

/// Whether a clause denies needs; `None` where it says, or may say, that there are some.
fn clause_denies(parts: &[Part]) -> Option<bool> {
    let parts: Vec<Part> = parts.iter().copied().filter(|part| !matches!(part, Part::Kind | Part::Filler)).collect();
    // "No, I have allergies", without the comma: the "no" stands by itself.
    if let [Part::None, rest @ ..] = parts.as_slice()
        && matches!(rest.first(), Some(Part::Subject | Part::Everybody | Part::Fine))
    {
        return clause_denies(rest).map(|_| true);
    }
    let has = |wanted: Part| parts.contains(&wanted);
    let is_denial = |part: &&Part| matches!(part, Part::None | Part::Not);
    let at = match parts.iter().filter(is_denial).count() {
        0 if has(Part::Need) || has(Part::KindOfNeed) || has(Part::Has) => return None,
        0 => return Some(has(Part::Fine) && (has(Part::Subject) || has(Part::Everybody))),
        1 => parts.iter().position(|part| is_denial(&part))?,
        _ => return None,
    };
    let (before, after) = (&parts[..at], &parts[at + 1..]);
    let is_kind_of_nothing =
        |pair: &[Part]| pair[0] == Part::KindOfNeed && !matches!(pair[1], Part::Need | Part::KindOfNeed);
    let ends_in_kind = parts.last() == Some(&Part::KindOfNeed);
    if has(Part::Fine) || ends_in_kind || parts.windows(2).any(is_kind_of_nothing) {
        return None;
    }
    let is_need = |part: &Part| matches!(part, Part::Need | Part::KindOfNeed);
    // "Allergies: none."
    let is_form = parts[at] == Part::None && after.is_empty() && before.iter().all(is_need);
    // "We don't all", "I have any": not everybody, or some.
    let is_denied_later = parts[at] == Part::Not
        && (before.contains(&Part::Has) || after.iter().any(|part| matches!(part, Part::Everybody | Part::Subject)));
    let follows = !before.iter().any(is_need) && !is_denied_later;
    (is_form || follows).then_some(true)
}
