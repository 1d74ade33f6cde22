//! What a text costs as SMS, and how it is kept cheap.
//!
//! One SMS is 140 bytes: 160 characters of the GSM 03.38 alphabet, or 70 UTF-16 units once a single character is
//! outside it. A longer text is sent in parts, each a little shorter, since it carries a header (3GPP TS 23.040).

use unicode_normalization::UnicodeNormalization;

/// How a text is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// Seven bits a character (3GPP TS 23.038); characters of the extension table take two.
    Gsm7,
    /// Sixteen bits a unit; an emoji takes two.
    Ucs2,
}

/// What a text costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Segments {
    pub encoding: Encoding,
    /// Septets, or UTF-16 units.
    pub units: u32,
    /// How many SMS are billed; none for an empty text.
    pub count: u32,
}

/// Counts the segments of a text exactly as it stands.
#[must_use]
pub fn segments(text: &str) -> Segments {
    if let Some((units, count)) = count(text.chars().map(septets), 160, 153) {
        return Segments { encoding: Encoding::Gsm7, units, count };
    }
    let utf16_units = text.chars().map(|c| Some(if c.len_utf16() == 1 { 1 } else { 2 }));
    let (units, count) = count(utf16_units, 70, 67).unwrap_or_default();
    Segments { encoding: Encoding::Ucs2, units, count }
}

/// Units and SMS of a text whose characters cost this much, where no character may straddle two parts. `None` if one
/// cannot be encoded. `single` is what fits into one SMS, `part` what fits into each of several.
fn count(costs: impl Iterator<Item = Option<u32>>, single: u32, part: u32) -> Option<(u32, u32)> {
    let (mut units, mut parts, mut in_part) = (0, 1, 0);
    for cost in costs {
        let cost = cost?;
        units += cost;
        in_part += cost;
        if in_part > part {
            parts += 1;
            in_part = cost;
        }
    }
    let count = match units {
        0 => 0,
        _ if units <= single => 1,
        _ => parts,
    };
    Some((units, count))
}

/// Septets of a character in GSM 03.38; `None` when it is in neither table.
fn septets(c: char) -> Option<u32> {
    match c {
        '[' | '\\' | ']' | '^' | '{' | '|' | '}' | '~' | '€' | '\u{c}' => Some(2),
        '`' => None,
        ' '..='~' | '\n' | '\r' => Some(1),
        'à' | 'ä' | 'å' | 'æ' | 'è' | 'é' | 'ì' | 'ñ' | 'ò' | 'ö' | 'ø' | 'ù' | 'ü' | 'ß' => Some(1),
        'Ä' | 'Å' | 'Æ' | 'Ç' | 'É' | 'Ñ' | 'Ö' | 'Ø' | 'Ü' => Some(1),
        '£' | '¥' | '§' | '¡' | '¿' | '¤' => Some(1),
        'Δ' | 'Φ' | 'Γ' | 'Λ' | 'Ω' | 'Π' | 'Ψ' | 'Σ' | 'Θ' | 'Ξ' => Some(1),
        _ => None,
    }
}

/// Our own typography in GSM-7: straight quotes, plain dashes, three dots, plain spaces, nothing invisible.
///
/// For our wording only, before names and places are put into it: what people wrote is never altered.
#[must_use]
pub fn straighten(text: &str) -> String {
    let mut straight = String::with_capacity(text.len());
    for c in text.nfc() {
        match c {
            '‘' | '’' | '‚' | '‛' | '′' | '‹' | '›' => straight.push('\''),
            '“' | '”' | '„' | '‟' | '″' | '«' | '»' => straight.push('"'),
            '\u{2010}'..='\u{2015}' | '\u{2212}' | '•' => straight.push('-'),
            '…' => straight.push_str("..."),
            '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' => straight.push(' '),
            // Zero width, soft hyphen, and the marks that isolate text of another direction.
            '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{2066}'..='\u{2069}' | '\u{feff}' => {}
            _ => straight.push(c),
        }
    }
    straight
}

/// Cuts a text into pieces of at most `max_chars`: between lines, else at a space, else anywhere. The line break or
/// space at a cut goes, as do pieces that would be blank; nothing else does.
///
/// Characters outside the BMP count as two (as Telegram counts, and never fewer than characters).
#[must_use]
pub fn split(text: &str, max_chars: usize) -> Vec<String> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (piece, after) = first_piece(rest, max_chars);
        if !piece.trim().is_empty() {
            pieces.push(piece.to_owned());
        }
        rest = after;
    }
    pieces
}

fn first_piece(text: &str, max_chars: usize) -> (&str, &str) {
    let fits = prefix_that_fits(text, max_chars);
    if fits == text.len() {
        return (text, "");
    }
    // The break may also be the first character that does not fit any more, since it goes.
    for separator in ['\n', ' '] {
        let at = if text[fits..].starts_with(separator) { Some(fits) } else { text[..fits].rfind(separator) };
        if let Some(at) = at {
            return (&text[..at], &text[at + separator.len_utf8()..]);
        }
    }
    text.split_at(fits)
}

/// Bytes of the longest prefix within the limit; at least one character, so that a cut always gets further.
fn prefix_that_fits(text: &str, max_chars: usize) -> usize {
    let mut used = 0;
    for (at, c) in text.char_indices() {
        used += c.len_utf16();
        if used > max_chars && at > 0 {
            return at;
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn cost(text: &str) -> (Encoding, u32, u32) {
        let Segments { encoding, units, count } = segments(text);
        (encoding, units, count)
    }

    use Encoding::{Gsm7, Ucs2};

    const INVITATION: &str = "Hi Rosa, you're on the list for Saturday's supper. Reply YES 3 for all of your party, or NO if you can't come. Replies close Fri 23:59.";

    #[test]
    fn one_curly_quote_triples_the_cost() {
        let curly = INVITATION.replace('\'', "’");
        assert_eq!(cost(INVITATION), (Gsm7, 135, 1));
        assert_eq!(cost(&curly), (Ucs2, 135, 3));
        assert_eq!(straighten(&curly), INVITATION);
    }

    #[test]
    fn the_tables_are_those_of_gsm_03_38() {
        let basic = "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?\
                     ¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà";
        let extension = "\u{c}^{}\\[~]|€";
        assert_eq!(basic.chars().count(), 127, "128 places, one of which is the escape");
        for c in '\0'..='\u{ffff}' {
            let expected = match c {
                _ if basic.contains(c) => Some(1),
                _ if extension.contains(c) => Some(2),
                _ => None,
            };
            assert_eq!(septets(c), expected, "{c:?}");
        }
    }

    #[test]
    fn what_texts_cost() {
        for (text, expected) in [
            ("", (Gsm7, 0, 0)),
            ("a", (Gsm7, 1, 1)),
            (&"a".repeat(160), (Gsm7, 160, 1)),
            (&"a".repeat(161), (Gsm7, 161, 2)),
            (&"a".repeat(306), (Gsm7, 306, 2)),
            (&"a".repeat(307), (Gsm7, 307, 3)),
            (&"€".repeat(80), (Gsm7, 160, 1)),
            ("€[]{}^~|\\", (Gsm7, 18, 1)),
            // 153 is odd: an extension character that does not fit any more begins the next part.
            (&"€".repeat(152), (Gsm7, 304, 2)),
            (&"€".repeat(153), (Gsm7, 306, 3)),
            (&format!("{}€{}", "a".repeat(152), "a".repeat(151)), (Gsm7, 305, 2)),
            (&format!("{}€{}", "a".repeat(152), "a".repeat(152)), (Gsm7, 306, 3)),
            ("Zoë", (Ucs2, 3, 1)),
            (&"ë".repeat(70), (Ucs2, 70, 1)),
            (&"ë".repeat(71), (Ucs2, 71, 2)),
            (&"ë".repeat(134), (Ucs2, 134, 2)),
            (&"ë".repeat(135), (Ucs2, 135, 3)),
            // 67 is odd: an emoji that does not fit any more begins the next part.
            (&"🎉".repeat(35), (Ucs2, 70, 1)),
            (&"🎉".repeat(66), (Ucs2, 132, 2)),
            (&"🎉".repeat(67), (Ucs2, 134, 3)),
        ] {
            assert_eq!(cost(text), expected, "{text}");
        }
    }

    #[test]
    fn only_our_typography_is_straightened() {
        for (wording, expected) in [
            ("“Who’s coming?” – all…", "\"Who's coming?\" - all..."),
            ("20\u{a0}Nov\u{202f}at\u{2009}six", "20 Nov at six"),
            ("a\u{200b}b\u{ad}c\u{2060}\u{feff}", "abc"),
            ("\u{2068}Anna\u{2069} kommer", "Anna kommer"),
            ("caf\u{65}\u{301}", "café"),
            ("Zoë, Łukasz 🎉 {$name}\n", "Zoë, Łukasz 🎉 {$name}\n"),
        ] {
            assert_eq!(straighten(wording), expected, "{wording}");
        }
    }

    #[test]
    fn long_texts_are_cut_where_it_hurts_least() {
        let check = |text: &str, max: usize, expected: &[&str]| assert_eq!(split(text, max), expected, "{text:?}");
        check("", 10, &[]);
        check("short", 10, &["short"]);
        check("one\ntwo\nthree", 8, &["one\ntwo", "three"]);
        check("one two three", 7, &["one two", "three"]);
        check("one\ntwo three", 9, &["one", "two three"]);
        check("onetwothree", 4, &["onet", "woth", "ree"]);
        check("one  two", 3, &["one", "two"]);
        check("\n\nabcdef", 3, &["abc", "def"]);
        check("   ", 1, &[]);
        check("🎉🎉🎉", 4, &["🎉🎉", "🎉"]);
        check("🎉é", 1, &["🎉", "é"]);
        check("ab", 0, &["a", "b"]);
    }

    proptest! {
        #[test]
        fn pieces_fit_and_nothing_visible_is_lost(text in "[a-zé🎉 \n]{0,200}", max in 2_usize..50) {
            let visible = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
            let pieces = split(&text, max);
            prop_assert!(pieces.iter().all(|piece| (1..=max).contains(&piece.encode_utf16().count())));
            prop_assert_eq!(visible(&pieces.concat()), visible(&text));
        }

        #[test]
        fn parts_hold_the_text_and_are_not_wasted(text: String) {
            let Segments { encoding, units, count } = segments(&text);
            let (single, part) = if encoding == Gsm7 { (160, 153) } else { (70, 67) };
            prop_assert_eq!(count <= 1, units <= single);
            let holds = if count == 1 { single } else { count * part };
            prop_assert!(units <= holds);
            // At most one unit of each part stays empty.
            prop_assert!(count < 2 || units > (count - 1) * (part - 1));
        }
    }
}
