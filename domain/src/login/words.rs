//! The words of a text, and the labels among them: "my code is ..., last name: ...".

/// What a label says of the words after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Label {
    Code,
    LastName,
    FirstName,
}

/// Words between labels, commas and line breaks.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Field<'w> {
    pub(super) label: Option<Label>,
    pub(super) words: &'w [&'w str],
}

/// The words of a text without the punctuation around them, and where it is divided.
pub(super) struct Words<'t> {
    words: Vec<&'t str>,
    /// For each word, whether a comma, colon or line break stands before it.
    divided: Vec<bool>,
}

impl<'t> Words<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        let mut words = Self { words: Vec::new(), divided: Vec::new() };
        for part in text.split(is_divider) {
            let mut divided = !words.words.is_empty();
            for word in part.split_whitespace().map(without_punctuation_around).filter(|word| !word.is_empty()) {
                words.words.push(word);
                words.divided.push(divided);
                divided = false;
            }
        }
        words
    }

    pub(super) fn all(&self) -> &[&'t str] {
        &self.words
    }

    /// The text's fields in their order, none of them empty.
    pub(super) fn fields(&self) -> Vec<Field<'_>> {
        let mut fields = Vec::new();
        let (mut label, mut begin, mut at) = (None, 0, 0);
        while at < self.words.len() {
            let next = self.label_at(at);
            // A divider right after a label belongs to it.
            if next.is_some() || (self.divided[at] && at > begin) {
                self.push_field(&mut fields, label, begin..at);
                (label, begin) = next.map_or((None, at), |(label, length)| (Some(label), at + length));
                at = begin.max(at + 1);
            } else {
                at += 1;
            }
        }
        self.push_field(&mut fields, label, begin..self.words.len());
        fields
    }

    fn push_field<'w>(&'w self, fields: &mut Vec<Field<'w>>, label: Option<Label>, range: std::ops::Range<usize>) {
        if !range.is_empty() {
            fields.push(Field { label, words: &self.words[range] });
        }
    }

    /// The label that begins at this word, and how many words it has. At the end of the text it labels nothing, and
    /// is a word like any other: somebody may be called Code.
    fn label_at(&self, at: usize) -> Option<(Label, usize)> {
        let word = |offset: usize| self.words.get(at + offset).map(|word| word.to_lowercase());
        let is_one_of = |offset: usize, words: &[&str]| word(offset).is_some_and(|word| words.contains(&word.as_str()));
        let mut length = 0;
        for filler in [["and", "with"], ["my", "the"]] {
            length += usize::from(is_one_of(length, &filler));
        }
        let (label, words) = match word(length)?.as_str() {
            "code" => (Label::Code, 1),
            "surname" | "lastname" | "name" => (Label::LastName, 1),
            "last" | "family" if is_one_of(length + 1, &["name"]) => (Label::LastName, 2),
            "first" if is_one_of(length + 1, &["name"]) => (Label::FirstName, 2),
            _ => return None,
        };
        length += words;
        length += usize::from(is_one_of(length, &["is"]));
        (at + length < self.words.len()).then_some((label, length))
    }
}

/// What people add behind their name, in pieces of a word.
const KINDNESS: [&str; 20] = [
    "thanks", "thank", "you", "thx", "ty", "cheers", "please", "pls", "plz", "hi", "hello", "regards", "kind", "best",
    "many", "much", "very", "so", "x", "xx",
];

/// The words without kindness at their end. A name that is nothing else stays.
pub(super) fn without_kindness<'w>(words: &'w [&'w str]) -> &'w [&'w str] {
    let is_kind = |word: &&str| KINDNESS.contains(&word.to_lowercase().as_str());
    let kind = words.iter().rev().take_while(|word| is_kind(word)).count();
    if kind == words.len() { words } else { &words[..words.len() - kind] }
}

fn is_divider(c: char) -> bool {
    matches!(
        c,
        '\n' | '\r' | ',' | ';' | ':' | '/' | '|' | '+' | '=' | '、' | '，' | '；' | '：' | '\u{2028}' | '\u{2029}'
    )
}

fn without_punctuation_around(word: &str) -> &str {
    // A combining mark or a vowel sign at the end is part of the word.
    let is_around = |c: char| !c.is_alphanumeric() && !unicode_normalization::char::is_combining_mark(c);
    word.trim_matches(|c: char| is_around(c) || matches!(c, '\u{fe00}'..='\u{fe0f}'))
}
