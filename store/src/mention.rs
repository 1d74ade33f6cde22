//! Finding a person in what is written about them.

use std::ops::Range;

use domain::model::Guest;

/// What stands in place of a name that was taken out.
const TAKEN_OUT: &str = "…";

/// What gives a person away: their id, code and phone, their full name; and, where everybody near is called by it,
/// their first name.
pub(crate) struct Person {
    everywhere: Vec<String>,
    near: Vec<String>,
}

impl Person {
    pub(crate) fn new(guest: &Guest) -> Self {
        let named = |names: &[&str]| -> Vec<String> {
            names.iter().filter(|name| !name.is_empty()).flat_map(|name| [(*name).to_owned(), escaped(name)]).collect()
        };
        let mut everywhere = vec![guest.id.to_string(), guest.token.clone()];
        everywhere.extend(guest.phone.clone());
        everywhere.extend(named(&[&guest.full_name()]));
        Self { everywhere, near: named(&[guest.short_name()]) }
    }

    /// Whether a text mentions the person. `near`: it is by, to or about the person's own group.
    pub(crate) fn is_in(&self, text: &str, near: bool) -> bool {
        self.needles(near).any(|needle| find(text, needle).is_some())
    }

    /// The text without mentions of the person.
    pub(crate) fn taken_out_of(&self, text: &str, near: bool) -> String {
        self.needles(near).fold(text.to_owned(), |text, needle| without(&text, needle))
    }

    /// The full name before the first name, so that it goes as a whole.
    fn needles(&self, near: bool) -> impl Iterator<Item = &String> {
        self.everywhere.iter().chain(self.near.iter().filter(move |_| near))
    }
}

/// As names are written where `<` has a meaning.
fn escaped(name: &str) -> String {
    name.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn without(text: &str, needle: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some(place) = find(rest, needle) {
        kept.push_str(&rest[..place.start]);
        kept.push_str(TAKEN_OUT);
        rest = &rest[place.end..];
    }
    kept + rest
}

/// Where `needle` first stands as words of its own, in whatever case.
fn find(text: &str, needle: &str) -> Option<Range<usize>> {
    let mut in_word = false;
    for (start, c) in text.char_indices() {
        let begins = !in_word || !is_of_word(needle.chars().next()?);
        in_word = is_of_word(c);
        if begins && let Some(length) = length_of_match(&text[start..], needle) {
            return Some(start..start + length);
        }
    }
    None
}

fn length_of_match(text: &str, needle: &str) -> Option<usize> {
    let mut rest = text.chars();
    for expected in needle.chars() {
        let found = rest.next()?;
        if found != expected && !found.to_lowercase().eq(expected.to_lowercase()) {
            return None;
        }
    }
    let ends = !needle.ends_with(is_of_word) || !rest.clone().next().is_some_and(is_of_word);
    ends.then(|| text.len() - rest.as_str().len())
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric()
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use domain::model::{EventId, GuestId};

    use super::*;

    fn anna() -> Person {
        let id = GuestId::new(DateTime::UNIX_EPOCH, [7; 8]);
        let mut guest = Guest::new(
            id,
            EventId::from("supper"),
            "O’Hara & Lee".to_owned(),
            "K7QF2M".to_owned(),
            DateTime::UNIX_EPOCH,
        );
        guest.first_name = "Anna".to_owned();
        guest.phone = Some("+447700900123".to_owned());
        Person::new(&guest)
    }

    #[test]
    fn a_person_is_found_by_what_gives_them_away() {
        for text in [
            "Anna O’Hara & Lee: no nuts",
            "<b>ANNA O’HARA &amp; LEE</b>",
            "call +447700900123.",
            "her code is k7qf2m",
            "{\"guest\":\"000000000707070707070707\"}",
        ] {
            assert!(anna().is_in(text, false), "{text}");
        }
    }

    #[test]
    fn a_first_name_counts_only_near_and_only_as_a_word() {
        assert!(anna().is_in("For Anna: no nuts", true));
        assert!(!anna().is_in("For Anna: no nuts", false));
        assert!(!anna().is_in("Annabel and Joanna, Hannah", true));
    }

    #[test]
    fn what_is_taken_out_leaves_the_rest() {
        assert_eq!(anna().taken_out_of("Anna O’Hara & Lee and anna's aunt; Annabel", true), "… and …'s aunt; Annabel");
        assert_eq!(anna().taken_out_of("none", true), "none");
    }
}
