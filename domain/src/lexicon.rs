//! What typed words mean in one language. The words stand in the language's Fluent file (`words-...`).

mod needs;
mod whole;

use std::collections::{HashMap, HashSet};

use needs::NeedWords;
pub use needs::NoNeeds;
use unicode_normalization::UnicodeNormalization;

/// The meaning of a word or phrase inside a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    Yes,
    /// Consent to what was read back ("ok", "save it"), which says less than yes to a question about people.
    Agreed,
    No,
    All,
    None,
    Some,
    Only,
    OnlyMe,
    Me,
    /// "Count me in": the speaker comes.
    IComing,
    Come,
    Not,
    /// "Sick", "away": not coming without any "not".
    Away,
    Unsure,
    Except,
    But,
    /// Somebody without a code of their own. Relatives may also be other members of the group.
    Companion {
        several: bool,
        kin: Kin,
    },
    My,
    /// "She", "they": somebody named before.
    Pronoun,
    Of,
    /// "And", "with": a number after it adds to something or is no number of people.
    Joiner,
    Thanks,
    /// "Hello", "sorry": turning to people.
    Hail,
    Filler,
    Number(u32),
}

/// How a companion is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kin {
    /// "Companion", "plus one".
    Companion,
    Child,
    /// "Wife", "date": of whom there is one.
    Spouse,
}

const fn companion(several: bool, kin: Kin) -> Meaning {
    Meaning::Companion { several, kin }
}

const MEANINGS: [(Meaning, &str); 28] = [
    (Meaning::Filler, "words-filler"),
    (Meaning::Hail, "words-hail"),
    (Meaning::Thanks, "words-thanks"),
    (Meaning::Joiner, "words-joiner"),
    (Meaning::Of, "words-of"),
    (Meaning::Pronoun, "words-pronoun"),
    (Meaning::My, "words-my"),
    (Meaning::Come, "words-come"),
    (Meaning::IComing, "words-i-come"),
    (Meaning::Agreed, "words-agreed"),
    (Meaning::Yes, "words-yes"),
    (Meaning::No, "words-no"),
    (Meaning::All, "words-all"),
    (Meaning::None, "words-none"),
    (Meaning::Some, "words-some"),
    (Meaning::Only, "words-only"),
    (Meaning::OnlyMe, "words-only-me"),
    (Meaning::Me, "words-me"),
    (Meaning::Not, "words-not"),
    (Meaning::Away, "words-away"),
    (Meaning::Unsure, "words-unsure"),
    (Meaning::Except, "words-except"),
    (Meaning::But, "words-but"),
    (companion(false, Kin::Companion), "words-companion"),
    (companion(true, Kin::Companion), "words-companions"),
    (companion(false, Kin::Child), "words-relative"),
    (companion(true, Kin::Child), "words-relatives"),
    (companion(false, Kin::Spouse), "words-spouse"),
];

/// Something a person can ask for at any time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Command {
    Status,
    Details,
    Help,
    Change,
    Decline,
    Switch,
    Language,
    Logout,
    Mute,
    Unmute,
    Message,
    WrongPerson,
}

impl Command {
    /// All of them, with the message that lists their words.
    pub const ALL: [(Self, &str); 12] = [
        (Self::Status, "words-status"),
        (Self::Details, "words-details"),
        (Self::Help, "words-help"),
        (Self::Change, "words-change"),
        (Self::Decline, "words-decline"),
        (Self::Switch, "words-switch"),
        (Self::Language, "words-language"),
        (Self::Logout, "words-logout"),
        (Self::Mute, "words-mute"),
        (Self::Unmute, "words-unmute"),
        (Self::Message, "words-message"),
        (Self::WrongPerson, "words-wrong-person"),
    ];
}

/// A command as it was typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TypedCommand {
    pub command: Command,
    /// One of the words that the menu teaches. They are commands even where any text could be an answer.
    pub is_taught: bool,
}

/// Whole texts that answer one particular question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Phrase {
    /// No dietary needs.
    NoDiet,
    /// No dietary needs of anybody.
    NoDietOfAny,
    /// As it was before.
    Keep,
    /// The others answer themselves.
    Themselves,
    NeverMind,
    Greeting,
    /// STOP and START in other words than the carriers'.
    Stop,
    Start,
}

const PHRASES: [(Phrase, &str); 8] = [
    (Phrase::NoDiet, "words-no-diet"),
    (Phrase::NoDietOfAny, "words-no-diet-of-any"),
    (Phrase::Keep, "words-keep"),
    (Phrase::Themselves, "words-themselves"),
    (Phrase::NeverMind, "words-never-mind"),
    (Phrase::Greeting, "words-greeting"),
    (Phrase::Stop, "words-stop-meant"),
    (Phrase::Start, "words-start-meant"),
];

/// The words of one language.
#[derive(Debug, Default)]
pub struct Lexicon {
    meanings: HashMap<String, Meaning>,
    commands: HashMap<String, TypedCommand>,
    phrases: HashMap<Phrase, HashSet<String>>,
    /// Single words that say nothing but kindness.
    polite: HashSet<String>,
    /// What a question without its mark begins with.
    ask_verbs: HashSet<String>,
    ask_subjects: HashSet<String>,
    /// Between a kindness and whom it is for.
    hail_to: HashSet<String>,
    /// Of the words for coming, those that may speak of anything else too.
    come_weak: HashSet<String>,
    /// What may stand around a STOP, and around "wrong person".
    around_stop: HashSet<String>,
    around_wrong_person: HashSet<String>,
    wrong_person: HashSet<String>,
    /// "I am not", before a name.
    not_i: HashSet<String>,
    needs: NeedWords,
    /// Words of the longest phrase in `meanings`.
    longest: usize,
}

impl Lexicon {
    /// Reads the word lists; `message` gives a message of the language's file. Alternatives stand between commas,
    /// numbers in their order from zero with alternatives between slashes, taught commands before a semicolon.
    pub(crate) fn read(message: impl Fn(&str) -> Option<String>) -> Self {
        let listed = |list: &str| -> Vec<String> {
            list.split(',').map(normalise).filter(|phrase| !phrase.is_empty()).collect()
        };
        let mut lexicon = Self::default();
        for (meaning, id) in MEANINGS {
            for phrase in listed(&message(id).unwrap_or_default()) {
                lexicon.longest = lexicon.longest.max(phrase.split(' ').count());
                lexicon.meanings.insert(phrase, meaning);
            }
        }
        for (number, words) in (0_u32..).zip(message("words-numbers").unwrap_or_default().split(',')) {
            for word in words.split('/').map(normalise) {
                lexicon.meanings.insert(word, Meaning::Number(number));
            }
        }
        for (command, id) in Command::ALL {
            let words = message(id).unwrap_or_default();
            let (taught, others) = words.split_once(';').unwrap_or((words.as_str(), ""));
            for (list, is_taught) in [(others, false), (taught, true)] {
                let typed = TypedCommand { command, is_taught };
                lexicon.commands.extend(listed(list).into_iter().map(|phrase| (phrase, typed)));
            }
        }
        let set = |id| listed(&message(id).unwrap_or_default()).into_iter().collect::<HashSet<String>>();
        lexicon.polite = set("words-polite");
        lexicon.ask_verbs = set("words-ask-verb");
        lexicon.ask_subjects = set("words-ask-subject");
        lexicon.hail_to = set("words-hail-to");
        lexicon.come_weak = set("words-come-weak");
        lexicon.around_stop = set("words-stop-around");
        lexicon.around_wrong_person = set("words-wrong-person-around");
        lexicon.wrong_person = set("words-wrong-person-meant");
        lexicon.not_i = set("words-not-i");
        lexicon.needs = NeedWords::read(|id| listed(&message(id).unwrap_or_default()));
        for (phrase, id) in PHRASES {
            lexicon.phrases.insert(phrase, set(id));
        }
        lexicon
    }

    /// The command that the whole text is; `normal` as [`normalise`] gives it (so a slash before it is gone).
    #[must_use]
    pub fn command(&self, normal: &str) -> Option<TypedCommand> {
        self.commands.get(normal).copied()
    }

    /// Whether the whole text is such a phrase; `normal` as [`normalise`] gives it.
    #[must_use]
    pub fn is(&self, phrase: Phrase, normal: &str) -> bool {
        self.phrases.get(&phrase).is_some_and(|texts| texts.contains(normal))
    }

    /// The text without "please", "thanks" and the like at its ends: "none, thanks" is "none". All of it where it is
    /// nothing else, or where a listed phrase has those words itself.
    #[must_use]
    pub fn without_politeness<'t>(&self, normal: &'t str) -> &'t str {
        let is_listed = |text: &str| self.phrases.values().any(|texts| texts.contains(text));
        let mut rest = normal;
        while !is_listed(rest) {
            let is_polite = |word: &str| self.polite.contains(word);
            let shorter = match (rest.rsplit_once(' '), rest.split_once(' ')) {
                (Some((before, last)), _) if is_polite(last) => before,
                (_, Some((first, after))) if is_polite(first) => after,
                _ => break,
            };
            rest = shorter;
        }
        rest
    }

    /// The longest phrase at the beginning of `words` that means something, and how many words it takes.
    #[must_use]
    pub fn meaning(&self, words: &[&str]) -> Option<(Meaning, usize)> {
        let (first, rest) = words.split_first()?;
        let drawn_out = |letters| {
            let spelt = squeezed(first, letters)?;
            let words: Vec<&str> = std::iter::once(spelt.as_str()).chain(rest.iter().copied()).collect();
            self.meaning_as_spelt(&words)
        };
        self.meaning_as_spelt(words).or_else(|| drawn_out(1)).or_else(|| drawn_out(2))
    }

    fn meaning_as_spelt(&self, words: &[&str]) -> Option<(Meaning, usize)> {
        (1..=self.longest.min(words.len())).rev().find_map(|length| {
            let meaning = match words {
                [word, ..] if length == 1 => number(word).or_else(|| self.meanings.get(*word).copied()),
                _ => self.meanings.get(&words[..length].join(" ")).copied(),
            };
            meaning.map(|meaning| (meaning, length))
        })
    }

    /// Whether a word or phrase of the text has this meaning.
    #[must_use]
    pub fn mentions(&self, meaning: Meaning, normal: &str) -> bool {
        self.phrases_of(normal).any(|(found, _)| found == meaning)
    }

    /// What the words of a text mean, each with its phrase; what means nothing is passed over.
    fn phrases_of(&self, normal: &str) -> impl Iterator<Item = (Meaning, String)> {
        let words: Vec<&str> = normal.split(' ').collect();
        let mut at = 0;
        std::iter::from_fn(move || {
            while at < words.len() {
                let from = at;
                let found = self.meaning(&words[at..]);
                at += found.map_or(1, |(_, length)| length);
                if let Some((meaning, _)) = found {
                    return Some((meaning, words[from..at].join(" ")));
                }
            }
            None
        })
    }

    /// The one meaning of a whole text, politeness aside: "yes please" is yes, "they are not coming" is not.
    /// `None` for anything that says more, or nothing.
    #[must_use]
    pub fn plain_meaning(&self, normal: &str) -> Option<Meaning> {
        let words: Vec<&str> = self.without_address(normal).split(' ').collect();
        let mut rest = words.as_slice();
        let (mut found, mut polite) = (None, None);
        while !rest.is_empty() {
            let (meaning, length) = self.meaning(rest)?;
            match meaning {
                Meaning::Filler | Meaning::Hail | Meaning::Joiner | Meaning::Of | Meaning::Pronoun => {}
                // "Yes, save it", "okay 👍".
                Meaning::Yes if found == Some(Meaning::Agreed) => found = Some(Meaning::Yes),
                Meaning::Agreed if found == Some(Meaning::Yes) => {}
                Meaning::Come | Meaning::Thanks => polite = Some(meaning),
                meaning if found.is_none_or(|found| found == meaning) => found = Some(meaning),
                _ => return None,
            }
            rest = &rest[length..];
        }
        found.or(polite)
    }
}

/// "Noooo" as "no", "alllll" as "all": a letter three times in a row or more is meant once, or twice.
fn squeezed(word: &str, letters_meant: usize) -> Option<String> {
    let letters: Vec<char> = word.chars().collect();
    let is_drawn_out = letters.windows(3).any(|three| three[0].is_alphabetic() && three.iter().all(|c| *c == three[0]));
    is_drawn_out.then(|| {
        let runs = letters.chunk_by(|one, other| one == other);
        runs.flat_map(|run| &run[..if run.len() >= 3 { letters_meant } else { run.len() }]).collect()
    })
}

/// A number in digits. More than nine digits are no number of people.
fn number(word: &str) -> Option<Meaning> {
    if word.len() > 9 || !word.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    word.parse().ok().map(Meaning::Number)
}

/// Text for comparison: case folded, apostrophes gone ("can't" is "cant"), digits of any script that phones type made
/// plain, everything that is neither a letter, a digit nor a thumb becomes one space.
#[must_use]
pub fn normalise(text: &str) -> String {
    let mut words = String::with_capacity(text.len());
    if text.is_ascii() {
        text.chars().for_each(|c| push(&mut words, c.to_ascii_lowercase()));
    } else {
        let folded = caseless::default_case_fold_str(&text.nfkc().collect::<String>());
        folded.nfc().for_each(|c| push(&mut words, c));
    }
    while words.ends_with(' ') {
        words.pop();
    }
    words
}

fn push(words: &mut String, c: char) {
    match c {
        '\'' | '\u{2019}' | '\u{2018}' | '`' | '\u{b4}' | '\u{2bc}' => {}
        '\u{660}'..='\u{669}' => push_digit(words, c, '\u{660}'),
        '\u{6f0}'..='\u{6f9}' => push_digit(words, c, '\u{6f0}'),
        '\u{966}'..='\u{96f}' => push_digit(words, c, '\u{966}'),
        '👍' | '👎' | '✅' | '❌' | '👌' | '✔' | '☑' => {
            push_space(words);
            words.push(c);
            words.push(' ');
        }
        // Invisible, or what turns a digit or a thumb into another picture of it.
        '\u{fe0f}' | '\u{20e3}' | '\u{200b}'..='\u{200f}' | '\u{ad}' | '\u{2060}' | '\u{feff}' => {}
        '\u{1f3fb}'..='\u{1f3ff}' => {}
        c if c.is_alphanumeric() || unicode_normalization::char::is_combining_mark(c) => words.push(c),
        _ => push_space(words),
    }
}

fn push_space(words: &mut String) {
    if !words.is_empty() && !words.ends_with(' ') {
        words.push(' ');
    }
}

fn push_digit(words: &mut String, c: char, zero: char) {
    let value = u32::from(c) - u32::from(zero);
    words.extend(char::from_digit(value, 10));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_for_comparison() {
        for (text, expected) in [
            ("We're 3, Cleo can't!", "were 3 cleo cant"),
            ("  Only\u{a0}ME  ", "only me"),
            ("2\u{fe0f}\u{20e3}", "2"),
            ("٣", "3"),
            ("３", "3"),
            ("yes👍🏽👍", "yes 👍 👍"),
            ("Zoë ẞ", "zoë ss"),
            ("Zoe\u{308}", "zoë"),
            ("🎉 …", ""),
            ("/status", "status"),
            ("🎉", ""),
        ] {
            assert_eq!(normalise(text), expected, "{text}");
        }
    }
}
