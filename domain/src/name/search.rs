//! Finding people by what a host types.

use super::{clean, fold, spellings, words};

/// ASCII punctuation that names are written with. A word with any other is no part of a name.
const OF_NAMES: &[char] = &['\'', '-', '.', ',', '(', ')', '&', '/', '"'];

/// Two letters that stand for one with a mark, and what is left of that one in comparison form.
const WRITTEN_OUT: &[(&str, &str)] = &[("ae", "a"), ("oe", "o"), ("ue", "u"), ("aa", "a")];

/// The text by which a guest is found and lists are sorted: last name, first name and code in comparison form, and
/// after them what else the names may be typed as, and words of theirs that are more than letters.
#[must_use]
pub fn search_key(first_name: &str, last_name: &str, code: &str) -> String {
    let mut key = format!("{} {} {}", fold(last_name), fold(first_name), fold(code));
    for name in [last_name, first_name] {
        let plain = fold(name);
        let shortened = WRITTEN_OUT.iter().fold(plain.clone(), |name, (long, short)| name.replace(long, short));
        let others = spellings(&words(name)).into_iter().chain([shortened]).filter(|other| *other != plain);
        for other in others.chain(name.split_whitespace().filter(|word| is_literal(word)).map(literal)) {
            key.push(' ');
            key.push_str(&other);
        }
    }
    key
}

/// What must each occur in a [`search_key`] for the guest to be found by this text: its words in comparison form, in
/// any order, each perhaps only a part of a name or code; what is more than letters, as it is. Nothing in it is a
/// pattern. Emoji beside a name are passed over, as people paste them. `None` where it can find nobody.
#[must_use]
pub fn search_words(text: &str) -> Option<Vec<String>> {
    let (emoji, words): (Vec<&str>, Vec<&str>) = text.split_whitespace().partition(|word| is_without_letters(word));
    let words = if words.is_empty() { emoji } else { words };
    let word = |word: &str| Some(if is_literal(word) { literal(word) } else { fold(word) });
    words.into_iter().map(|typed| word(typed).filter(|word| !word.is_empty())).collect()
}

/// Whether a word is emoji and the like.
fn is_without_letters(word: &str) -> bool {
    fold(word).is_empty() && !word.contains(|c: char| c.is_ascii_punctuation())
}

/// Whether a word has something in it that names are not made of.
fn is_literal(word: &str) -> bool {
    is_without_letters(word) || word.contains(|c: char| c.is_ascii_punctuation() && !OF_NAMES.contains(&c))
}

fn literal(word: &str) -> String {
    clean(word).to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finds(typed: &str) -> bool {
        let key = search_key("Ben", "Holloway-Müller", "K7QF-2M");
        search_words(typed).is_some_and(|words| words.iter().all(|word| key.contains(word.as_str())))
    }

    #[test]
    fn people_are_found_as_they_are_typed() {
        for typed in [
            "",
            "  ",
            "ben",
            "BEN holl",
            "müller",
            "Muller, Ben",
            "Holloway (Ben)",
            "k7qf2m",
            "K7QF-2M",
            "loway",
            "Ben 🎉",
        ] {
            assert!(finds(typed), "{typed}");
        }
        for typed in ["anna", "ben anna", "k7qf2n"] {
            assert!(!finds(typed), "{typed}");
        }
    }

    #[test]
    fn letters_with_marks_are_found_however_they_are_written() {
        for stored in ["Müller", "Mueller"] {
            let key = search_key("Søren", stored, "K7QF2M");
            for typed in ["müller", "mueller", "MULLER", "muell", "søren", "soeren", "soren mueller"] {
                let words = search_words(typed).unwrap();
                assert!(words.iter().all(|word| key.contains(word.as_str())), "{typed} finds {stored}: {key}");
            }
            assert!(!search_words("miller").unwrap().iter().all(|word| key.contains(word.as_str())));
        }
        assert_eq!(search_key("Ben", "Ek", "K7QF2M"), "ek ben k7qf2m");
    }

    #[test]
    fn what_is_more_than_letters_is_found_as_it_is() {
        let key = search_key("Ben", "Ek 🎉 50%", "K7QF2M");
        for (typed, is_found) in
            [("🎉", true), ("%", true), ("50%", true), ("ben %", true), ("⚓️", false), ("5_%", false), ("%50", false)]
        {
            let found = search_words(typed).is_some_and(|words| words.iter().all(|word| key.contains(word.as_str())));
            assert_eq!(found, is_found, "{typed}");
        }
    }

    #[test]
    fn what_is_typed_is_no_pattern() {
        for typed in ["(", ".*", "(b+)+$", "b*", "%", "_", "[a-z]", "ben .*", "\\", "😀", "😀 🎉", "anna 🎉"] {
            assert!(!finds(typed), "{typed}");
        }
    }
}
