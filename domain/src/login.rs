//! Reading a text as a personal code and a last name, in whatever shape people send the two.
//!
//! Nothing is looked up here: a text has several readings, and whether one of them is true only the store knows.

mod words;

use std::fmt;

use words::{Field, Label, Words, without_kindness};

use crate::{code, name};

/// A longer text is a letter, not a login.
const MOST_CHARACTERS: usize = 200;
const MOST_WORDS: usize = 12;
/// Beyond this many words a word that could be a code but does not look like one is just a word.
const MOST_WORDS_AROUND_A_PLAIN_CODE: usize = 5;
/// A code may be typed in up to three pieces: `K7QF 2M`.
const MOST_PIECES: usize = 3;
const MOST_READINGS: usize = 8;

/// One reading of a text.
#[derive(Clone, PartialEq, Eq)]
pub struct Credentials {
    /// As typed, separators kept; compared exactly first, then by [`code::key`].
    pub code: String,
    /// As typed; may be a full name, so compare with [`name::same_person`].
    pub last_name: String,
}

/// Neither code nor name may reach a log by accident.
impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Credentials").finish_non_exhaustive()
    }
}

/// Every reasonable way to read a text as code and last name, the most likely first, at most eight.
#[must_use]
pub fn readings(text: &str) -> Vec<Credentials> {
    let mut readings: Vec<Credentials> = Vec::new();
    for candidate in candidates(text) {
        let reading = Credentials { code: candidate.code, last_name: candidate.last_name };
        if !readings.contains(&reading) {
            readings.push(reading);
        }
    }
    readings.truncate(MOST_READINGS);
    readings
}

/// The code, where a text is a code and nothing else: one word that looks like a code, one in pieces, or `Code: ...`.
#[must_use]
pub fn lone_code(text: &str) -> Option<String> {
    let words = short(text)?;
    match words.fields().as_slice() {
        [Field { label: Some(Label::Code), words: [word] }] => code::could_be_a_code(word).then(|| (*word).to_owned()),
        [Field { label: None, words: [word] }] => code::looks_like_a_code(word).then(|| (*word).to_owned()),
        [Field { label: None | Some(Label::Code), words }] if words.len() <= MOST_PIECES => {
            let is_piece = |word: &&str| word.chars().count() >= 2 && has_digit(word);
            // Digits alone are a date or a phone number.
            let has_letters = words.iter().any(|word| word.chars().any(char::is_alphabetic));
            let code = words.join(" ");
            (words.iter().all(is_piece) && has_letters && code::looks_like_a_code(&words.concat())).then_some(code)
        }
        _ => None,
    }
}

/// Whether a text begins with the word `Code` and goes on: whoever writes so means to log in.
#[must_use]
pub fn says_code(text: &str) -> bool {
    let words = Words::of(text);
    words.all().first().is_some_and(|word| word.eq_ignore_ascii_case("code")) && words.all().len() > 1
}

/// Whether something in a text looks like a code (a guess: see [`code::looks_like_a_code`]).
#[must_use]
pub fn contains_code_like(text: &str) -> bool {
    Words::of(text).all().iter().any(|word| code::looks_like_a_code(word))
        || candidates(text).iter().any(|candidate| candidate.look >= Look::Likely)
}

/// How much like a code something looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Look {
    /// Could be one, as most words could.
    Plain,
    /// One in pieces that look like words.
    Weak,
    /// Capitals, or letters that every drawn code is made of.
    Likely,
    /// Letters and digits, or many digits.
    Strong,
}

impl Look {
    fn of_pieces(pieces: &[&str]) -> Self {
        let token = pieces.concat();
        let is_in_capitals = !token.chars().any(char::is_lowercase);
        let has_digits = has_digit(&token);
        if let [word] = pieces {
            return match code::looks_like_a_code(word) {
                false => Self::Plain,
                true if has_digits => Self::Strong,
                true => Self::Likely,
            };
        }
        // Capitals within `AnnaBerg` come from joining, not from a code.
        let token = if is_in_capitals { token } else { token.to_lowercase() };
        if !code::looks_like_a_code(&token) {
            Self::Plain
        } else if pieces.iter().all(|piece| has_digit(piece)) || (is_in_capitals && has_digits) {
            Self::Strong
        } else if is_in_capitals {
            Self::Likely
        } else {
            Self::Weak
        }
    }
}

/// A reading and how likely it is.
struct Candidate {
    code: String,
    last_name: String,
    look: Look,
    score: u8,
}

/// What says that a part of the text is the code.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ground {
    /// A label: `Code: K7QF2M`.
    Labelled,
    /// A comma or line break between the two.
    Apart,
    /// Nothing but where it stands.
    Position,
}

fn short(text: &str) -> Option<Words<'_>> {
    if text.chars().count() > MOST_CHARACTERS {
        return None;
    }
    let words = Words::of(text);
    (words.all().len() <= MOST_WORDS).then_some(words)
}

/// Best first; of equally likely ones the simpler.
fn candidates(text: &str) -> Vec<Candidate> {
    let Some(words) = short(text) else { return Vec::new() };
    let mut found = Vec::new();
    let fields = words.fields();
    let labelled = |label| fields.iter().find(|field| field.label == Some(label)).map(|field| field.words);
    let unlabelled: Vec<&[&str]> =
        fields.iter().filter(|field| field.label.is_none()).map(|field| field.words).collect();
    match (labelled(Label::Code), labelled(Label::LastName), unlabelled.as_slice()) {
        (Some(code), Some(name), _) => found.extend(candidate(code, name, Ground::Labelled)),
        (Some(code), None, []) => found.extend(by_position(code)),
        (Some(code), None, rest) => {
            found.extend(candidate(code, &rest.concat(), Ground::Labelled));
            found.extend(by_position(&[code, &rest.concat()].concat()));
        }
        (None, Some(name), rest) => {
            found.extend(candidate(&rest.concat(), name, Ground::Labelled));
            found.extend(rest.concat().chunks(1).filter_map(|code| candidate(code, name, Ground::Apart)));
        }
        (None, None, rest) => {
            if let [one, other] = rest {
                found.extend(candidate(one, other, Ground::Apart));
                found.extend(candidate(other, one, Ground::Apart));
            }
            found.extend(by_position(&rest.concat()));
        }
    }
    found.extend(shortened(&fields));
    if let Some(sentence) = first_sentence(text) {
        found.extend(shortened(&Words::of(sentence).fields()));
    }
    found.sort_by_key(|candidate| std::cmp::Reverse(candidate.score));
    found
}

/// Without the kindness at the end, and without what is said in further lines or after a comma: `K7QF2M Holloway
/// thanks`, `K7QF2M Holloway, I'm coming`. Only where the code looks like one; the name is taken as it stands.
fn shortened(fields: &[Field<'_>]) -> Vec<Candidate> {
    let unlabelled = fields.iter().take_while(|field| field.label.is_none());
    let heads: Vec<&[&str]> = unlabelled.map(|field| without_kindness(field.words)).collect();
    let mut found = Vec::new();
    if let [first, ..] = heads.as_slice() {
        found.extend(by_position(first));
    }
    if let [one, other, ..] = heads.as_slice() {
        found.extend(candidate(one, other, Ground::Apart));
        found.extend(candidate(other, one, Ground::Apart));
    }
    found.retain(|candidate| candidate.look >= Look::Likely);
    found
}

/// What stands before a full stop or the like, where more follows.
fn first_sentence(text: &str) -> Option<&str> {
    let text = text.trim();
    let ends = text.match_indices(['.', '!']).map(|(at, _)| at);
    ends.map(|at| text.split_at(at))
        .find(|(_, after)| after[1..].starts_with(char::is_whitespace))
        .map(|(before, _)| before)
}

/// A name as it is asked for, without the kindness at its end; `None` where there is none.
#[must_use]
pub fn name_without_kindness(text: &str) -> Option<String> {
    let words = Words::of(text);
    let name = without_kindness(words.all());
    (name.len() < words.all().len() && !name.is_empty()).then(|| name.join(" "))
}

/// Code first, code last, in pieces at either end, or (if it looks like one) in the middle.
fn by_position(words: &[&str]) -> Vec<Candidate> {
    let mut found = Vec::new();
    let count = words.len();
    for pieces in 1..=MOST_PIECES.min(count.saturating_sub(1)) {
        let (first, after) = words.split_at(pieces);
        let (before, last) = words.split_at(count - pieces);
        found.extend(candidate(first, after, Ground::Position));
        found.extend(candidate(last, before, Ground::Position));
        if pieces == 1 {
            found.extend(in_the_middle(words));
        }
    }
    found
}

/// `Hello, K7QF2M Holloway`, `Anna K7QF2M Holloway`.
fn in_the_middle(words: &[&str]) -> Vec<Candidate> {
    let inner = 1..words.len().saturating_sub(1);
    inner
        .filter(|at| Look::of_pieces(&words[*at..=*at]) == Look::Strong)
        .flat_map(|at| [(at, &words[at + 1..]), (at, &words[..at])])
        .filter_map(|(at, name)| candidate(&words[at..=at], name, Ground::Position))
        .collect()
}

fn candidate(code: &[&str], name: &[&str], ground: Ground) -> Option<Candidate> {
    let last_name = name.join(" ");
    let typed = code.join(" ");
    if code.len() > MOST_PIECES || name::is_blank(&last_name) || !code::could_be_a_code(&typed) {
        return None;
    }
    let look = Look::of_pieces(code);
    let is_among_words = code.len() + name.len() > MOST_WORDS_AROUND_A_PLAIN_CODE;
    let is_unlikely = match look {
        Look::Plain => is_among_words || code.len() > 1,
        Look::Weak => is_among_words,
        Look::Likely | Look::Strong => false,
    };
    if ground == Ground::Position && is_unlikely {
        return None;
    }
    let all_pieces_have_digits = code.len() > 1 && code.iter().all(|piece| has_digit(piece));
    let score = look as u8
        + u8::from(all_pieces_have_digits)
        + if has_digit(&last_name) { 0 } else { 2 }
        + match ground {
            Ground::Labelled => 4,
            Ground::Apart => 1,
            Ground::Position => 0,
        };
    Some(Candidate { code: typed, last_name, look, score })
}

fn has_digit(text: &str) -> bool {
    text.chars().any(char::is_numeric)
}

#[cfg(test)]
mod tests;
