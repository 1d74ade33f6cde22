//! Personal codes: how they are drawn, compared and recognised in what people type.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;

/// What codes are drawn from: digits and capital letters without those that look alike (0 O, 1 I L).
pub const ALPHABET: &[u8] = b"23456789ABCDEFGHJKMNPQRSTUVWXYZ";

/// How many characters a drawn code has: 31^8, about 8.5 * 10^11 codes.
pub const LENGTH: usize = 8;

/// Letters and digits of a code that a host chose, or that exists already.
const ACCEPTED_LENGTHS: std::ops::RangeInclusive<usize> = 4..=32;
/// Telegram's limit for the payload of a deep link.
const LONGEST_LINK_PAYLOAD: usize = 64;

/// Words that the conversation or an SMS provider takes; whoever had one as a code could never log in with it.
const RESERVED: &[&str] = &[
    // What SMS providers and carriers act upon, and what we honour in their place.
    "STOP",
    "STOPALL",
    "UNSUBSCRIBE",
    "CANCEL",
    "END",
    "QUIT",
    "REVOKE",
    "OPTOUT",
    "REMOVE",
    "START",
    "YES",
    "UNSTOP",
    "HELP",
    "INFO",
    "STOPP",
    "AVSLUTA",
    "ARRET",
    "BAJA",
    "ALTO",
    "PARAR",
    "SAIR",
    // What guests say in the conversation.
    "STATUS",
    "DETAILS",
    "CHANGE",
    "SWITCH",
    "LANGUAGE",
    "LOGOUT",
    "MUTE",
    "UNMUTE",
    "MENU",
    "MINE",
    "MESSAGE",
    "HOST",
    "RSVP",
    "CODE",
    "WRONGPERSON",
    "WRONGNUMBER",
    "MAYBE",
    "NO",
    "NOPE",
    "YEAH",
    "OKAY",
    "ALL",
    "SOME",
    "NONE",
    "NOBODY",
    "EVERYONE",
    "EVERYBODY",
    "ONLYME",
    "JUSTME",
    "COMING",
    "DECLINE",
    "DONE",
    "BACK",
    "CONFIRM",
    "CORRECT",
    "HELLO",
    "THANKS",
];

/// Why a code cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CodeError {
    #[error("a code needs 4 to 32 letters and digits")]
    Length,
    #[error(
        "a code may hold only the letters A to Z, digits, and between them '-', '_' or a space; leave the cell blank to get a new code"
    )]
    Characters,
    #[error(
        "this code is a word that guests say in the conversation; choose another, or leave the cell blank to get a new code"
    )]
    Reserved,
}

/// Draws a new code. `draw` fills a slice with random bytes; they must come from a cryptographic generator.
///
/// Five bits of each byte are used and the one value beyond the alphabet is thrown away, so that every code is
/// equally likely. (A `draw` that only ever gives that value, such as all ones, would be asked for ever.)
#[must_use]
pub fn from_random(draw: &mut dyn FnMut(&mut [u8])) -> String {
    let mut code = String::with_capacity(LENGTH);
    let mut bytes = [0; LENGTH];
    loop {
        draw(&mut bytes);
        for byte in bytes {
            if let Some(letter) = ALPHABET.get(usize::from(byte & 0x1f)) {
                code.push(char::from(*letter));
                if code.len() == LENGTH {
                    return code;
                }
            }
        }
    }
}

/// The form in which typed and stored codes are compared (`tokenKey`): upper case, full-width forms folded,
/// letters and digits only.
#[must_use]
pub fn key(code: &str) -> String {
    full_width_folded(code).chars().flat_map(char::to_uppercase).filter(|c| c.is_alphanumeric()).collect()
}

fn full_width_folded(text: &str) -> Cow<'_, str> {
    if text.is_ascii() { Cow::Borrowed(text) } else { Cow::Owned(text.nfkc().collect()) }
}

/// Whether a code that a host chose, or that exists already, can be typed, told from the words of the conversation,
/// and put into a link.
///
/// # Errors
/// What is wrong with it.
pub fn is_acceptable(code: &str) -> Result<(), CodeError> {
    let is_separator = |c: char| matches!(c, '-' | '_' | ' ');
    if !code.chars().all(|c| c.is_ascii_alphanumeric() || is_separator(c))
        || code.starts_with(is_separator)
        || code.ends_with(is_separator)
    {
        return Err(CodeError::Characters);
    }
    let key = key(code);
    if !ACCEPTED_LENGTHS.contains(&key.len()) || code.len() > LONGEST_LINK_PAYLOAD {
        return Err(CodeError::Length);
    }
    if is_reserved(&key) { Err(CodeError::Reserved) } else { Ok(()) }
}

/// The code as the payload of a deep link (`t.me/<bot>?start=<payload>`), which may hold `A-Za-z0-9_-` only.
/// It has the same [`key`].
#[must_use]
pub fn link_payload(code: &str) -> String {
    code.replace(' ', "-")
}

/// Whether typed text could name some guest: what remains of it as a [`key`] is as long as a code may be, and it is
/// not a word of the conversation. Most words could; [`looks_like_a_code`] is stricter.
#[must_use]
pub fn could_be_a_code(text: &str) -> bool {
    let is_possible = |c: char| c.is_alphanumeric() || is_separator_in_typing(c);
    let key = key(text);
    full_width_folded(text).chars().all(is_possible)
        && key.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && ACCEPTED_LENGTHS.contains(&key.len())
        && !is_reserved(&key)
}

/// Whether a single typed word looks like a code rather than like a word or a name: digits among letters, six or
/// more digits, eight letters of [`ALPHABET`], or capitals where words have none.
///
/// It is a guess for choosing what to ask next; whether a text *is* a code, only the store knows.
#[must_use]
pub fn looks_like_a_code(token: &str) -> bool {
    could_be_a_code(token) && {
        let letters: String = full_width_folded(token).chars().filter(char::is_ascii_alphanumeric).collect();
        has_shape_of_a_code(&letters)
    }
}

fn has_shape_of_a_code(letters: &str) -> bool {
    let digits = letters.bytes().filter(u8::is_ascii_digit).count();
    if digits > 0 {
        return digits < letters.len() || digits >= 6;
    }
    let is_shouted = letters.bytes().all(|byte| byte.is_ascii_uppercase());
    let is_drawn = letters.len() == LENGTH && letters.bytes().all(|byte| ALPHABET.contains(&byte.to_ascii_uppercase()));
    let has_inner_capital = letters.bytes().skip(1).any(|byte| byte.is_ascii_uppercase());
    is_drawn || if is_shouted { letters.len() >= 5 } else { has_inner_capital }
}

/// What people put between the characters of a code (phones turn two hyphens into a dash), and what comes along
/// invisibly when they paste it.
fn is_separator_in_typing(c: char) -> bool {
    matches!(c, '-' | '_' | '.' | ' ' | '\u{2010}'..='\u{2015}' | '\u{2212}')
        || matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{fe00}'..='\u{fe0f}')
}

fn is_reserved(key: &str) -> bool {
    RESERVED.contains(&key)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A generator good enough for tests (SplitMix64).
    fn seeded(mut seed: u64) -> impl FnMut(&mut [u8]) {
        move |bytes| {
            for byte in bytes {
                seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
                let mixed = (seed ^ (seed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                *byte = (mixed >> 56) as u8;
            }
        }
    }

    #[test]
    fn the_alphabet_has_nothing_that_looks_alike() {
        assert_eq!(ALPHABET.len(), 31);
        assert!(!ALPHABET.iter().any(|letter| b"0O1IL".contains(letter)));
    }

    #[test]
    fn every_letter_is_drawn_equally_often() {
        let mut draw = seeded(7);
        let mut counts = [0_u32; 31];
        for _ in 0..31_000 {
            for byte in from_random(&mut draw).bytes() {
                counts[ALPHABET.iter().position(|letter| *letter == byte).unwrap()] += 1;
            }
        }
        // 8,000 expected of each, with a standard deviation of about 88.
        assert!(counts.iter().all(|count| (7_600..8_400).contains(count)), "{counts:?}");
    }

    #[test]
    fn the_value_beyond_the_alphabet_is_thrown_away() {
        let mut given = vec![0xff, 0, 1, 0x3f, 30, 0x1f, 2, 3, 4, 5, 6, 0xff, 0xff, 0xff, 0xff, 0xff].into_iter();
        let code = from_random(&mut |bytes| bytes.iter_mut().for_each(|byte| *byte = given.next().unwrap()));
        assert_eq!(code, "23Z45678");
    }

    #[test]
    fn no_code_that_is_drawn_is_a_reserved_word() {
        let can_be_drawn = |word: &&&str| word.len() == LENGTH && word.bytes().all(|byte| ALPHABET.contains(&byte));
        assert_eq!(RESERVED.iter().find(can_be_drawn), None);
    }

    #[test]
    fn keys_ignore_case_separators_and_full_width_forms() {
        for (typed, expected) in [
            ("vTFSxGE3", "VTFSXGE3"),
            ("k7qf-2m", "K7QF2M"),
            ("K7QF 2M", "K7QF2M"),
            ("k7_qf.2m!", "K7QF2M"),
            ("Ｋ７ｑｆ２ｍ", "K7QF2M"),
            ("K7QF\u{2014}2M\u{200b}", "K7QF2M"),
            ("🎉", ""),
        ] {
            assert_eq!(key(typed), expected, "{typed}");
        }
    }

    #[test]
    fn codes_that_a_host_may_choose() {
        use CodeError::{Characters, Length, Reserved};
        for (code, expected) in [
            ("K7QF2M", Ok(())),
            ("vTFSxGE3", Ok(())),
            ("smith-family", Ok(())),
            ("doe 2026", Ok(())),
            ("a_b-c d", Ok(())),
            ("1234", Ok(())),
            ("abc", Err(Length)),
            ("a-b-c", Err(Length)),
            ("", Err(Length)),
            (&"A".repeat(32), Ok(())),
            (&"A".repeat(33), Err(Length)),
            (&format!("abcd{}e", "-".repeat(60)), Err(Length)),
            ("-abcd", Err(Characters)),
            ("abcd ", Err(Characters)),
            ("Müller", Err(Characters)),
            ("ab.cd", Err(Characters)),
            ("Ｋ７ＱＦ", Err(Characters)),
            ("=1+1", Err(Characters)),
            ("stop", Err(Reserved)),
            ("S-T-O-P", Err(Reserved)),
            ("Unsubscribe", Err(Reserved)),
            ("menu", Err(Reserved)),
            ("only me", Err(Reserved)),
        ] {
            assert_eq!(is_acceptable(code), expected, "{code}");
        }
    }

    #[test]
    fn what_looks_like_a_code() {
        for (token, expected) in [
            ("K7QF2M", true),
            ("k7qf2m", true),
            ("k7qf-2m", true),
            ("K7QF\u{2013}2M", true),
            ("K7QF\u{200b}2M\u{feff}", true),
            ("Ｋ７ＱＦ２Ｍ", true),
            ("vTFSxGE3", true),
            ("KQFMPRST", true),
            ("kqfmprst", true),
            ("PARTY", true),
            ("vTFSxGEo", true),
            ("123456", true),
            ("12345", false),
            ("4", false),
            ("2nd", false),
            ("Santos", false),
            // Eight letters, but with some that no drawn code has.
            ("Holloway", false),
            ("tomorrow", false),
            ("YES", false),
            ("CHANGE", false),
            ("Unsubscribe", false),
            ("O'Shaughnessy", false),
            ("Müller2", false),
            ("🎉", false),
            ("", false),
        ] {
            assert_eq!(looks_like_a_code(token), expected, "{token}");
        }
    }

    #[test]
    fn a_code_with_spaces_fits_into_a_link() {
        assert_eq!(link_payload("doe family 26"), "doe-family-26");
        assert_eq!(key(&link_payload("doe family 26")), key("doe family 26"));
    }

    proptest! {
        #[test]
        fn drawn_codes_are_acceptable_and_recognised_as_typed(seed: u64, lower: bool, dash in 1..LENGTH) {
            let code = from_random(&mut seeded(seed));
            prop_assert_eq!(is_acceptable(&code), Ok(()));
            let mut typed = if lower { code.to_lowercase() } else { code.clone() };
            prop_assert!(looks_like_a_code(&typed));
            typed.insert(dash, '-');
            prop_assert!(looks_like_a_code(&typed));
            prop_assert_eq!(key(&typed), code);
        }

        #[test]
        fn any_text_has_a_key(text: String) {
            let key = key(&text);
            prop_assert!(key.chars().all(char::is_alphanumeric));
            let _ = (is_acceptable(&text), looks_like_a_code(&text));
        }
    }
}
