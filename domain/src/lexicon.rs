//! What typed words mean in one language. The words stand in the language's Fluent file (`words-...`).

use std::collections::{HashMap, HashSet};

use unicode_normalization::UnicodeNormalization;

/// The meaning of a word or phrase inside a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    Yes,
    No,
    All,
    None,
    Some,
    Only,
    OnlyMe,
    Me,
    Not,
    Unsure,
    Except,
    But,
    Companion,
    Filler,
    Number(u32),
}

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

const MEANINGS: [(Meaning, &str); 14] = [
    (Meaning::Filler, "words-filler"),
    (Meaning::Yes, "words-yes"),
    (Meaning::No, "words-no"),
    (Meaning::All, "words-all"),
    (Meaning::None, "words-none"),
    (Meaning::Some, "words-some"),
    (Meaning::Only, "words-only"),
    (Meaning::OnlyMe, "words-only-me"),
    (Meaning::Me, "words-me"),
    (Meaning::Not, "words-not"),
    (Meaning::Unsure, "words-unsure"),
    (Meaning::Except, "words-except"),
    (Meaning::But, "words-but"),
    (Meaning::Companion, "words-companion"),
];

/// The words of one language.
#[derive(Debug, Default)]
pub struct Lexicon {
    meanings: HashMap<String, Meaning>,
    commands: HashMap<String, Command>,
    /// Phrases that mean STOP or START by SMS without being the carriers' words.
    pub(crate) stop: HashSet<String>,
    pub(crate) start: HashSet<String>,
    /// Words of the longest phrase in `meanings`.
    longest: usize,
}

impl Lexicon {
    /// Reads the word lists; `message` gives a message of the language's file. Alternatives stand between commas,
    /// numbers in their order from zero with alternatives between slashes.
    pub(crate) fn read(message: impl Fn(&str) -> Option<String>) -> Self {
        let phrases = |id: &str| -> Vec<String> {
            message(id).unwrap_or_default().split(',').map(normalise).filter(|phrase| !phrase.is_empty()).collect()
        };
        let mut lexicon = Self::default();
        for (meaning, id) in MEANINGS {
            for phrase in phrases(id) {
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
            for phrase in phrases(id) {
                lexicon.commands.insert(phrase, command);
            }
        }
        lexicon.stop = phrases("words-stop-meant").into_iter().collect();
        lexicon.start = phrases("words-start-meant").into_iter().collect();
        lexicon
    }

    /// The command that the whole text is, with or without a slash before it.
    #[must_use]
    pub fn command(&self, text: &str) -> Option<Command> {
        self.commands.get(&normalise(text)).copied()
    }

    /// The longest phrase at the beginning of `words` that means something, and how many words it takes.
    #[must_use]
    pub fn meaning(&self, words: &[&str]) -> Option<(Meaning, usize)> {
        (1..=self.longest.min(words.len())).rev().find_map(|length| {
            let meaning = match words {
                [word, ..] if length == 1 => number(word).or_else(|| self.meanings.get(*word).copied()),
                _ => self.meanings.get(&words[..length].join(" ")).copied(),
            };
            meaning.map(|meaning| (meaning, length))
        })
    }

    /// The one meaning of a whole text, politeness aside: "yes please" is yes. `None` for anything longer.
    #[must_use]
    pub fn plain_meaning(&self, text: &str) -> Option<Meaning> {
        let text = normalise(text);
        let words: Vec<&str> = text.split(' ').collect();
        let mut rest = words.as_slice();
        let mut found = None;
        while !rest.is_empty() {
            let (meaning, length) = self.meaning(rest)?;
            match (meaning, found) {
                (Meaning::Filler, _) => {}
                (meaning, None) => found = Some(meaning),
                (meaning, Some(before)) if meaning == before => {}
                _ => return None,
            }
            rest = &rest[length..];
        }
        found
    }
}

/// A number in digits of any script that phones type. More than nine digits is no number of people.
fn number(word: &str) -> Option<Meaning> {
    if word.len() > 9 || !word.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    word.parse().ok().map(Meaning::Number)
}

/// Text for comparison: case folded, apostrophes gone ("can't" is "cant"), everything that is neither a letter,
/// a digit nor a thumb becomes one space.
#[must_use]
pub fn normalise(text: &str) -> String {
    let mut words = String::with_capacity(text.len());
    for c in caseless::default_case_fold_str(&text.nfkc().collect::<String>()).chars() {
        match c {
            '\'' | '\u{2019}' | '\u{2018}' | '`' | '\u{b4}' | '\u{2bc}' => {}
            '\u{660}'..='\u{669}' => push_digit(&mut words, c, '\u{660}'),
            '\u{6f0}'..='\u{6f9}' => push_digit(&mut words, c, '\u{6f0}'),
            '👍' | '👎' | '✅' | '❌' => {
                words.push(' ');
                words.push(c);
                words.push(' ');
            }
            c if c.is_alphanumeric() || unicode_normalization::char::is_combining_mark(c) && c != '\u{20e3}' => {
                words.push(c);
            }
            '\u{fe0f}' | '\u{200b}'..='\u{200f}' | '\u{ad}' | '\u{2060}' | '\u{feff}' | '\u{1f3fb}'..='\u{1f3ff}' => {}
            _ => words.push(' '),
        }
    }
    let mut joined = String::with_capacity(words.len());
    for word in words.split_whitespace() {
        if !joined.is_empty() {
            joined.push(' ');
        }
        joined.push_str(word);
    }
    joined
}

fn push_digit(words: &mut String, c: char, zero: char) {
    let value = u32::from(c) - u32::from(zero);
    words.extend(char::from_digit(value, 10));
}
