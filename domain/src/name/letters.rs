//! From characters to the letters by which names are compared.

use caseless::Caseless;
use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// With more letters of two spellings than this, only the names written in one way throughout are considered.
const MOST_LETTERS_MIXED: usize = 4;

/// A word or name in comparison form: letters and digits, case folded, accents left out.
#[derive(Debug, Clone, Default)]
pub(super) struct Letters(Vec<Letter>);

#[derive(Debug, Clone, Copy)]
enum Letter {
    One(char),
    /// One letter that is always written as two: `æ`.
    Pair(&'static str),
    /// A letter that is typed plain or as two, depending on habit and keyboard: `ü`.
    PlainOrPair(&'static str, &'static str),
}

impl Letters {
    pub(super) fn of(text: &str) -> Self {
        if text.is_ascii() {
            let letters = text.chars().filter(char::is_ascii_alphanumeric);
            return Self(letters.map(|c| Letter::One(c.to_ascii_lowercase())).collect());
        }
        // Folded between two normalisations: a decomposed letter must meet its composed form before, and folding
        // itself takes some apart.
        let letters: String = text.nfc().filter(|c| is_compared(*c)).collect();
        let folded: String = letters.nfkc().default_case_fold().nfkc().collect();
        let mut letters = Self::default();
        let mut base = '\0';
        for c in folded.chars() {
            letters.push(c, &mut base);
        }
        letters
    }

    fn push(&mut self, c: char, base: &mut char) {
        if let Some(letter) = letter_with_own_spelling(c) {
            self.0.push(letter);
            *base = 'a';
            return;
        }
        for part in std::iter::once(c).nfd() {
            if is_combining_mark(part) {
                if !is_accent(part, *base) {
                    self.0.push(Letter::One(part));
                }
            } else if part.is_alphanumeric() {
                self.0.push(Letter::One(part));
                *base = part;
            }
        }
    }

    pub(super) fn joined(words: &[Self]) -> Self {
        Self(words.iter().flat_map(|word| word.0.iter().copied()).collect())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The one spelling without accents and without pairs for them.
    pub(super) fn plain(&self) -> String {
        self.spelled(false)
    }

    /// Every way in which people spell this.
    pub(super) fn spellings(&self) -> Vec<String> {
        let undecided = self.0.iter().filter(|letter| matches!(letter, Letter::PlainOrPair(..))).count();
        if undecided > MOST_LETTERS_MIXED {
            return vec![self.spelled(false), self.spelled(true)];
        }
        let mut spellings = vec![String::new()];
        for letter in &self.0 {
            if let Letter::PlainOrPair(plain, pair) = letter {
                let with_pair: Vec<String> = spellings.iter().map(|spelling| format!("{spelling}{pair}")).collect();
                spellings.iter_mut().for_each(|spelling| spelling.push_str(plain));
                spellings.extend(with_pair);
            } else {
                spellings.iter_mut().for_each(|spelling| letter.append_to(spelling, false));
            }
        }
        spellings
    }

    fn spelled(&self, in_pairs: bool) -> String {
        let mut spelling = String::with_capacity(self.0.len());
        self.0.iter().for_each(|letter| letter.append_to(&mut spelling, in_pairs));
        spelling
    }
}

impl Letter {
    fn append_to(self, spelling: &mut String, in_pairs: bool) {
        match self {
            Self::One(c) => spelling.push(c),
            Self::Pair(pair) => spelling.push_str(pair),
            Self::PlainOrPair(plain, pair) => spelling.push_str(if in_pairs { pair } else { plain }),
        }
    }
}

/// Letters (composed, case folded) that are not simply a base letter with an accent.
fn letter_with_own_spelling(c: char) -> Option<Letter> {
    Some(match c {
        'ä' => Letter::PlainOrPair("a", "ae"),
        'ö' | 'ø' => Letter::PlainOrPair("o", "oe"),
        'ü' => Letter::PlainOrPair("u", "ue"),
        'å' => Letter::PlainOrPair("a", "aa"),
        'æ' => Letter::Pair("ae"),
        'œ' => Letter::Pair("oe"),
        'þ' => Letter::Pair("th"),
        'ı' => Letter::One('i'),
        'ł' => Letter::One('l'),
        'đ' | 'ð' => Letter::One('d'),
        'ħ' => Letter::One('h'),
        'ŧ' => Letter::One('t'),
        'ŋ' => Letter::One('n'),
        'ə' => Letter::One('e'),
        _ => return None,
    })
}

/// Whether a mark is an accent that people leave out, rather than part of another letter (Russian й, Japanese が,
/// the vowels of Hindi).
fn is_accent(mark: char, base: char) -> bool {
    match mark {
        '\u{300}'..='\u{36f}'
        | '\u{1ab0}'..='\u{1aff}'
        | '\u{1dc0}'..='\u{1dff}'
        | '\u{20d0}'..='\u{20ff}'
        | '\u{fe20}'..='\u{fe2f}' => match base {
            // Stress marks, and ё, which is mostly written е.
            '\u{400}'..='\u{52f}' => matches!(mark, '\u{300}' | '\u{301}') || (base == 'е' && mark == '\u{308}'),
            _ => true,
        },
        // The points of Hebrew and Arabic; with them the hamza and madda of alef, which people leave out too.
        '\u{591}'..='\u{5c7}' | '\u{64b}'..='\u{65f}' | '\u{670}' | '\u{6d6}'..='\u{6ed}' => true,
        _ => false,
    }
}

/// Letters, digits and the marks that belong to them.
fn is_compared(c: char) -> bool {
    (c.is_alphanumeric() || is_combining_mark(c)) && !is_invisible(c) && !is_joiner(c) && !is_no_letter_of_a_name(c)
}

/// What Unicode calls a letter or mark and no name is told by: apostrophes and strokes among the modifier letters,
/// the Arabic elongation, letters used as emoji, variants of a glyph.
fn is_no_letter_of_a_name(c: char) -> bool {
    matches!(
        c,
        '\u{2b9}'..='\u{2bf}'
            | '\u{2c8}'
            | '\u{2ca}'..='\u{2cd}'
            | '\u{374}'
            | '\u{640}'
            | '\u{180b}'..='\u{180f}'
            | '\u{a78b}'
            | '\u{a78c}'
            | '\u{1f100}'..='\u{1faff}'
            | '\u{e0100}'..='\u{e01ef}'
    )
}

/// Any space, the no-break ones and the blank Braille pattern included.
pub(super) fn is_space(c: char) -> bool {
    c.is_whitespace() || c == '\u{2800}'
}

/// Zero-width joiner and non-joiner.
pub(super) fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}')
}

/// Characters that cannot be seen and are no part of a spelling: controls, zero-width spaces, soft hyphens, marks of
/// direction, fillers, emoji variation selectors, tags.
pub(super) fn is_invisible(c: char) -> bool {
    (c.is_control() && !c.is_whitespace())
        || matches!(
            c,
            '\u{ad}'
                | '\u{34f}'
                | '\u{61c}'
                | '\u{115f}'
                | '\u{1160}'
                | '\u{17b4}'
                | '\u{17b5}'
                | '\u{180e}'
                | '\u{200b}'
                | '\u{200e}'
                | '\u{200f}'
                | '\u{202a}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{3164}'
                | '\u{fe00}'..='\u{fe0f}'
                | '\u{feff}'
                | '\u{ffa0}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{1d173}'..='\u{1d17a}'
                | '\u{e0000}'..='\u{e007f}'
        )
}
