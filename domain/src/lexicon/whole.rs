//! What a text says as a whole: STOP, a wrong person, a question, to whom.

use std::collections::HashSet;

use super::{Lexicon, Meaning, Phrase, normalise};

/// In bytes; a longer text says more than that it wants no more texts.
const LONGEST_SENTENCE: usize = 160;

impl Lexicon {
    /// Whether the text speaks of coming, and not merely of what somebody can or will.
    #[must_use]
    pub fn speaks_of_coming(&self, normal: &str) -> bool {
        let is_of_coming = |meaning| matches!(meaning, Meaning::Come | Meaning::IComing);
        self.phrases_of(normal).any(|(meaning, phrase)| is_of_coming(meaning) && !self.come_weak.contains(&phrase))
    }

    /// Whether the text means STOP, whatever politeness stands around it.
    #[must_use]
    pub fn means_stop(&self, normal: &str) -> bool {
        self.without_around(normal, &self.around_stop, |rest| self.is(Phrase::Stop, rest)).is_some()
    }

    /// Whether the text says that it reaches somebody else than the one with these names.
    #[must_use]
    pub fn means_wrong_person(&self, text: &str, names: &[&str]) -> bool {
        let names: Vec<String> = names.iter().map(|name| normalise(name)).collect();
        let is_of_somebody_else = |rest: &str| {
            let not_i = |name: &String| {
                rest.strip_suffix(name.as_str()).is_some_and(|rest| self.not_i.contains(rest.trim_end()))
            };
            self.wrong_person.contains(rest) || names.iter().filter(|name| !name.is_empty()).any(not_i)
        };
        let mut any = false;
        let clauses = text.split([',', ';', '.', '!', '\n']).map(normalise).filter(|clause| !clause.is_empty());
        for clause in clauses {
            let says = self.without_around(&clause, &self.around_wrong_person, is_of_somebody_else).is_some();
            if !says && self.plain_meaning(&clause) != Some(Meaning::Thanks) && !self.is_kind(&clause) {
                return false;
            }
            any |= says;
        }
        any
    }

    fn is_kind(&self, normal: &str) -> bool {
        let is_hail = |(meaning, length)| meaning == Meaning::Hail && length == normal.split(' ').count();
        self.meaning(&normal.split(' ').collect::<Vec<_>>()).is_some_and(is_hail)
    }

    /// The text without phrases of `around` and politeness at its ends, as soon as it `fits`.
    fn without_around<'t>(
        &self,
        normal: &'t str,
        around: &HashSet<String>,
        fits: impl Fn(&str) -> bool,
    ) -> Option<&'t str> {
        if normal.len() > LONGEST_SENTENCE {
            return None;
        }
        let is_around = |phrase: &str| around.contains(phrase) || self.polite.contains(phrase);
        let mut rest = normal;
        loop {
            if fits(rest) {
                return Some(rest);
            }
            let spaces = || rest.match_indices(' ').map(|(at, _)| at);
            let before = spaces().rev().find(|at| is_around(&rest[..*at])).map(|at| &rest[at + 1..]);
            let after = || spaces().find(|at| is_around(&rest[*at + 1..])).map(|at| &rest[..at]);
            rest = before.or_else(after)?;
        }
    }

    /// What follows a "no" at the beginning of a text.
    #[must_use]
    pub fn after_no<'t>(&self, text: &'t str) -> Option<&'t str> {
        let text = text.trim_start();
        let (first, rest) = text.split_once(char::is_whitespace)?;
        (self.meanings.get(&normalise(first)) == Some(&Meaning::No)).then_some(rest)
    }

    /// A label without the yes or no that it begins with: "change it", of "Yes, change it".
    #[must_use]
    pub fn without_yes_or_no<'t>(&self, label: &'t str) -> &'t str {
        match label.split_once(' ') {
            Some((first, rest)) if matches!(self.meanings.get(first), Some(Meaning::Yes | Meaning::No)) => rest,
            _ => label,
        }
    }

    /// Whether the word at `at` is the "all" of "thank you all": right after a kindness, with nothing but kindness
    /// behind it, it says to whom.
    #[must_use]
    pub fn is_address(&self, words: &[&str], at: usize) -> bool {
        // "Both" in words is a number.
        if !matches!(self.meanings.get(words[at]), Some(Meaning::All | Meaning::Number(2))) {
            return false;
        }
        let is_kind =
            |phrase: &[&str]| matches!(self.meanings.get(&phrase.join(" ")), Some(Meaning::Thanks | Meaning::Hail));
        let ends_in_kindness = |end: usize| {
            let before = &words[..end];
            (end.saturating_sub(self.longest)..end).any(|from| is_kind(&before[from..]))
        };
        // "Thank you to everyone."
        let is_between = |word: &&&str| self.hail_to.contains(**word);
        let between = words[..at].iter().rev().take(self.longest).take_while(is_between).count();
        (at - between..=at).any(ends_in_kindness) && self.says_nothing(&words[at + 1..])
    }

    /// Nothing but kindness, "there" and the like.
    fn says_nothing(&self, words: &[&str]) -> bool {
        let mut rest = words;
        while let Some((Meaning::Filler | Meaning::Hail | Meaning::Thanks, length)) = self.meaning(rest) {
            rest = &rest[length..];
        }
        rest.is_empty()
    }

    /// The text without an "all" at its end that only says to whom: "hello everyone" is "hello".
    #[must_use]
    pub fn without_address<'t>(&self, normal: &'t str) -> &'t str {
        let words: Vec<&str> = normal.split(' ').collect();
        match normal.rsplit_once(' ') {
            Some((before, _)) if self.is_address(&words, words.len() - 1) => before,
            _ => normal,
        }
    }

    /// Whether the words begin as a question does: "are you", "is Sam". `is_name` tells of the word at an index
    /// whether a name begins there.
    #[must_use]
    pub fn asks(&self, words: &[&str], is_name: impl Fn(usize) -> bool) -> bool {
        let before = |word: &&&str| {
            let meaning = self.meanings.get(**word);
            self.polite.contains(**word) || matches!(meaning, Some(Meaning::Hail | Meaning::Thanks | Meaning::Joiner))
        };
        let at = words.iter().take_while(before).count();
        let subject = || words.get(at + 1).is_some_and(|word| self.ask_subjects.contains(*word));
        words.get(at).is_some_and(|word| self.ask_verbs.contains(*word)) && (subject() || is_name(at + 1))
    }
}
