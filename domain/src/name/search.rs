//! Finding people by what a host types.

use super::fold;

/// ASCII punctuation that names are written with. A word with any other is no part of a name.
const OF_NAMES: &[char] = &['\'', '-', '.', ',', '(', ')', '&', '/', '"'];

/// The text by which a guest is found and lists are sorted: last name, first name and code in comparison form.
#[must_use]
pub fn search_key(first_name: &str, last_name: &str, code: &str) -> String {
    format!("{} {} {}", fold(last_name), fold(first_name), fold(code))
}

/// What must each occur in a [`search_key`] for the guest to be found by this text: its words in comparison form, in
/// any order, each perhaps only a part of a name or code. Nothing in it is a pattern. `None` where it can find nobody.
#[must_use]
pub fn search_words(text: &str) -> Option<Vec<String>> {
    let word = |word: &str| {
        let is_of_a_name = !word.contains(|c: char| c.is_ascii_punctuation() && !OF_NAMES.contains(&c));
        Some(fold(word)).filter(|word| is_of_a_name && !word.is_empty())
    };
    text.split_whitespace().map(word).collect()
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
        for typed in
            ["", "  ", "ben", "BEN holl", "müller", "Muller, Ben", "Holloway (Ben)", "k7qf2m", "K7QF-2M", "loway"]
        {
            assert!(finds(typed), "{typed}");
        }
        for typed in ["anna", "ben anna", "k7qf2n"] {
            assert!(!finds(typed), "{typed}");
        }
    }

    #[test]
    fn what_is_typed_is_no_pattern() {
        for typed in ["(", ".*", "(b+)+$", "b*", "%", "_", "[a-z]", "ben .*", "\\", "😀"] {
            assert!(!finds(typed), "{typed}");
        }
    }
}
