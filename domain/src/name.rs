//! Names as people type them: how they are stored, and when two of them are the same.
//!
//! The stored spelling is what is shown; everything looser is for comparison only. Two names are compared by sets of
//! spellings: what the stored name may be typed as, and what the typed name may stand for. They are the same when one
//! spelling is in both. So `Müller` may be typed `Muller` or `Mueller`, and `Mueller` may be typed `Müller`; but
//! `Muller` and `Mueller`, which share no spelling, stay two surnames.

mod letters;
mod search;

use letters::Letters;
use unicode_normalization::UnicodeNormalization;

pub use search::{search_key, search_words};

/// Small words before a surname that people leave out, in comparison form.
const PARTICLES: &[&str] = &[
    "af", "al", "av", "bin", "bint", "da", "dal", "dalla", "das", "de", "degli", "dei", "del", "della", "den", "der",
    "di", "do", "dos", "du", "el", "het", "ibn", "la", "las", "le", "les", "lo", "los", "t", "te", "ten", "ter", "van",
    "vande", "vanden", "vander", "vom", "von", "zu", "zum", "zur",
];
/// Arabic articles, which are also joined to the name by a hyphen.
const JOINED_PARTICLES: &[&str] = &["al", "el"];
/// What may follow a surname without being part of it, in comparison form.
const SUFFIXES: &[&str] = &["jr", "jnr", "junior", "sr", "snr", "senior", "ii", "iii", "iv", "esq", "phd", "md"];
/// A person's name has no more words than this; anything longer is a sentence.
const MOST_WORDS: usize = 12;

/// A name as it is stored: composed (NFC), without invisible characters and odd spaces, trimmed, with single spaces
/// inside. The spelling is otherwise untouched.
#[must_use]
pub fn clean(text: &str) -> String {
    let mut cleaned = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        if letters::is_space(c) {
            if !cleaned.ends_with(' ') {
                cleaned.push(' ');
            }
        } else if letters::is_joiner(c) {
            // Part of the spelling in Persian or Hindi and inside emoji, pasted by accident in Latin text.
            let joins = |neighbour: Option<char>| neighbour.is_some_and(|c| c >= '\u{600}' && !letters::is_space(c));
            if joins(cleaned.chars().next_back()) && joins(rest.peek().copied()) {
                cleaned.push(c);
            }
        } else if !letters::is_invisible(c) {
            cleaned.push(c);
        }
    }
    cleaned.trim().nfc().collect()
}

/// Whether there is no name in the text: nothing but spaces, punctuation, emoji and invisible characters.
#[must_use]
pub fn is_blank(text: &str) -> bool {
    !text.bytes().any(|byte| byte.is_ascii_alphanumeric()) && Letters::of(text).is_empty()
}

/// The plain comparison form: case folded, accents left out, letters and digits only. `Fairweather–Holloway` gives
/// `fairweatherholloway`, `Ångström` gives `angstrom`. Empty for a blank text.
///
/// It makes names equal that differ by accents only, so it may find what a person means, but never merge two guests.
#[must_use]
pub fn fold(text: &str) -> String {
    Letters::of(text).plain()
}

/// Whether `typed` is the last name `stored` as people type it: in any case, with or without accents, apostrophes,
/// hyphens and spaces, `ae oe ue aa` for `ä ö ü å` (or `æ ø`), without the particles it is stored with (`Berg` for
/// `van der Berg`), with or without `Jr.`. Half of a double-barrelled name is another name. A blank name is nobody's.
#[must_use]
pub fn same_last_name(stored: &str, typed: &str) -> bool {
    is_last_name(&spellings_of_stored(stored), &words(typed))
}

/// Whether `typed` names this person: by the last name alone ([`same_last_name`]), or by first and last name in
/// either order, with or without a comma. Of several first names the first is enough.
#[must_use]
pub fn same_person(stored_first: &str, stored_last: &str, typed: &str) -> bool {
    let last_names = spellings_of_stored(stored_last);
    let typed = words(typed);
    is_last_name(&last_names, &typed) || is_full_name(stored_first, &last_names, &typed)
}

fn is_full_name(stored_first: &str, last_names: &[String], typed: &[Letters]) -> bool {
    if typed.len() > MOST_WORDS {
        return false;
    }
    let first = words(stored_first);
    let mut first_names = spellings(&first);
    first_names.extend(spellings(first.get(..1).unwrap_or_default()));
    let is_first_name = |words: &[Letters]| share(&first_names, &spellings(words));
    (1..typed.len()).any(|at| {
        let (before, after) = typed.split_at(at);
        (is_first_name(before) && is_last_name(last_names, after))
            || (is_last_name(last_names, before) && is_first_name(after))
    })
}

fn is_last_name(stored: &[String], typed: &[Letters]) -> bool {
    with_and_without_suffix(typed).any(|typed| share(stored, &spellings(typed)))
}

/// What a stored last name may be typed as: whole, and without what people leave out at either end.
fn spellings_of_stored(stored: &str) -> Vec<String> {
    let words = words(stored);
    let mut all = Vec::new();
    for mut rest in with_and_without_suffix(&words) {
        all.extend(spellings(rest));
        while let [particle, after @ ..] = rest
            && !after.is_empty()
            && PARTICLES.contains(&particle.plain().as_str())
        {
            all.extend(spellings(after));
            rest = after;
        }
    }
    all
}

fn with_and_without_suffix(words: &[Letters]) -> impl Iterator<Item = &[Letters]> {
    let without = match words {
        [name @ .., suffix] if !name.is_empty() && SUFFIXES.contains(&suffix.plain().as_str()) => Some(name),
        _ => None,
    };
    std::iter::once(words).chain(without)
}

/// The words of a name in comparison form; those without any letter are left out.
fn words(text: &str) -> Vec<Letters> {
    text.split(|c| letters::is_space(c) || c == ',').flat_map(article_apart).filter(|word| !word.is_empty()).collect()
}

/// `al-Rashid` as `al` and `Rashid`; any other word as it is.
fn article_apart(word: &str) -> Vec<Letters> {
    if let Some((article, name)) = word.split_once(['-', '\u{2010}', '\u{2011}', '\u{2013}']) {
        let (article, name) = (Letters::of(article), Letters::of(name));
        if JOINED_PARTICLES.contains(&article.plain().as_str()) {
            return vec![article, name];
        }
    }
    vec![Letters::of(word)]
}

/// The spellings of these words written together; none for no words.
fn spellings(words: &[Letters]) -> Vec<String> {
    if words.is_empty() { Vec::new() } else { Letters::joined(words).spellings() }
}

fn share(some: &[String], others: &[String]) -> bool {
    others.iter().any(|spelling| some.contains(spelling))
}

#[cfg(test)]
mod tests;
