//! Phone numbers as hosts type them, in the one form that can be stored and compared (E.164).
//!
//! A number is taken when its country's numbering plan has room for it: right length, right first digits. It need not
//! be known to be in use. The metadata calls ranges that were opened since, or are kept for fiction
//! (+44 7700 900xxx), "not valid"; a number that does not exist costs one failed text, while a real one that is
//! refused leaves a guest out of reach. But a number is never guessed: no digit is dropped that a caller would dial.

mod zones;

use std::str::FromStr;

use phonenumber::{Mode, country, metadata::DATABASE};

pub use self::zones::zone;

/// Digits of the longest number in E.164, the country code included.
const MOST_DIGITS: usize = 15;

/// Why a text is not taken for a phone number. What to do is in the message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PhoneError {
    #[error("not a phone number: write digits only, with the country code first, like +44 7700 900123")]
    Unreadable,
    #[error(
        "a phone number without a country code: write it like +44 7700 900123, or set the event's phone_region (for example phone_region=GB)"
    )]
    NeedsRegion,
    #[error("a 0 after the country code: leave it out, like +44 7700 900123, or write it as (0)")]
    ZeroAfterCountryCode,
    #[error("no phone number there looks like this: check its digits, and write it like +44 7700 900123")]
    Impossible,
    #[error("phone_region is not a known region: write two letters, like GB")]
    UnknownRegion,
}

/// Reads a phone number: `+44 7700 900123`, `0044 7700-900123`, `+44 (0)7700 900123` and, where a region is given,
/// `07700 900123`. The result is E.164: `+447700900123`. Zeros that belong to the number stay
/// (`+39 06 5550 0100`, `+225 07 00 00 01 23`).
///
/// # Errors
/// When it is not certain which number is meant.
pub fn e164(text: &str, region: Option<&str>) -> Result<String, PhoneError> {
    let region = region.map(|region| known_region(region).ok_or(PhoneError::UnknownRegion)).transpose()?;
    let dialled = without_formatting(text).ok_or(PhoneError::Unreadable)?;
    if let Some(international) = dialled.strip_prefix('+') {
        return from_international(international);
    }
    if let Some(international) = dialled.strip_prefix("00") {
        let read = from_international(international);
        // In some regions 00 begins something else; read as if dialled there.
        return read
            .or_else(|error| region.map_or(Err(error), |region| from_national(&dialled, region).or(Err(error))));
    }
    from_national(&dialled, region.ok_or(PhoneError::NeedsRegion)?)
}

/// Whether phone numbers can be read as dialled there: a two-letter region such as `GB`, in any case.
#[must_use]
pub fn region_is_known(region: &str) -> bool {
    known_region(region).is_some()
}

fn known_region(region: &str) -> Option<country::Id> {
    let id = country::Id::from_str(&region.trim().to_ascii_uppercase()).ok()?;
    DATABASE.by_id(id.as_ref()).map(|_| id)
}

/// Digits, with a `+` first and `(0)` as they stand; `None` when there is anything else than formatting around them.
fn without_formatting(text: &str) -> Option<String> {
    let mut dialled = String::new();
    for c in text.trim().chars() {
        match c {
            '0'..='9' | '(' | ')' => dialled.push(c),
            '+' | '＋' if dialled.trim_matches('(').is_empty() => dialled.push('+'),
            '０'..='９' => dialled.extend(narrow_digit(c)),
            '-' | '.' | '/' | '\u{2010}'..='\u{2015}' | '\u{2212}' => {}
            // Pasted numbers bring marks of direction and zero-width spaces along.
            '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' => {}
            _ if c.is_whitespace() => {}
            _ => return None,
        }
    }
    // Only "(0)" says more than the digits in it.
    let parts: Vec<String> = dialled.split("(0)").map(|part| part.replace(['(', ')'], "")).collect();
    dialled.chars().any(|c| c.is_ascii_digit()).then(|| parts.join("(0)"))
}

fn narrow_digit(wide: char) -> Option<char> {
    let value = u32::from(wide).checked_sub(u32::from('０'))?;
    char::from_digit(value, 10)
}

/// Country code and number, perhaps with `(0)` in between: dialled within the country, not from outside. Where the zero
/// belongs to the number (Italy), only the number with it is possible.
fn from_international(digits: &str) -> Result<String, PhoneError> {
    let Some((code, number)) = digits.split_once("(0)") else { return possible(digits) };
    if number.contains("(0)") {
        return Err(PhoneError::Unreadable);
    }
    match (possible(&format!("{code}{number}")), possible(&format!("{code}0{number}"))) {
        (Ok(number), Err(_)) | (Err(_), Ok(number)) => Ok(number),
        (Err(error), Err(_)) => Err(error),
        (Ok(_), Ok(_)) => Err(PhoneError::Unreadable),
    }
}

fn from_national(dialled: &str, region: country::Id) -> Result<String, PhoneError> {
    let digits = dialled.replace("(0)", "0");
    let parsed = phonenumber::parse(Some(region), &digits).map_err(|_| PhoneError::Impossible)?;
    let number = possible(parsed.format().mode(Mode::E164).to_string().trim_start_matches('+'))?;
    // With a country code in it (after the region's international prefix, or instead of a lost plus), what follows must
    // be the number as it stands.
    let is_national = parsed.code().source() == country::Source::Default;
    if is_national || digits.ends_with(number.trim_start_matches('+')) {
        Ok(number)
    } else {
        Err(PhoneError::Impossible)
    }
}

/// The number, if the plan of the country whose code it begins with has room for it.
fn possible(digits: &str) -> Result<String, PhoneError> {
    if digits.len() > MOST_DIGITS || digits.starts_with('0') {
        return Err(PhoneError::Impossible);
    }
    // No country code is the beginning of another.
    let (code, national) = (1..=3.min(digits.len()))
        .filter_map(|length| digits.split_at_checked(length))
        .find(|(code, _)| code.parse().is_ok_and(|code: u16| DATABASE.by_code(&code).is_some()))
        .ok_or(PhoneError::Impossible)?;
    if fits_the_plan(code, national) {
        return Ok(format!("+{digits}"));
    }
    match national.strip_prefix('0') {
        Some(without_zero) if fits_the_plan(code, without_zero) => Err(PhoneError::ZeroAfterCountryCode),
        _ => Err(PhoneError::Impossible),
    }
}

fn fits_the_plan(code: &str, national: &str) -> bool {
    let regions = code.parse().ok().and_then(|code: u16| DATABASE.by_code(&code)).unwrap_or_default();
    regions.iter().any(|region| {
        let plan = region.descriptors().general();
        let is_whole = plan.national_number().find(national).is_some_and(|found| found.range() == (0..national.len()));
        plan.is_match(national) && is_whole
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trunk_zeros_prefixes_and_formatting() {
        for (text, region, expected) in [
            ("07700 900123", Some("GB"), "+447700900123"),
            ("07700 900123", Some("gb"), "+447700900123"),
            ("+44 (0)7700 900123", Some("GB"), "+447700900123"),
            ("0044 7700 900123", Some("GB"), "+447700900123"),
            ("+44 7700-900123", Some("GB"), "+447700900123"),
            ("+447700900123", Some("GB"), "+447700900123"),
            ("+447700900123", None, "+447700900123"),
            ("+44 (0)7700 900123", None, "+447700900123"),
            ("+44 (0) 7700 900123", None, "+447700900123"),
            ("(+44) 7700 900123", None, "+447700900123"),
            ("0044 7700 900123", None, "+447700900123"),
            ("0044 (0)7700 900123", None, "+447700900123"),
            ("(0)7700 900123", Some("GB"), "+447700900123"),
            ("(07700) 900123", Some("GB"), "+447700900123"),
            ("\u{202a}+44\u{a0}7700\u{2011}900123\u{202c}", None, "+447700900123"),
            ("＋４４ ７７００ ９００１２３", None, "+447700900123"),
            // A spreadsheet took the plus away.
            ("447700900123", Some("GB"), "+447700900123"),
            // A foreign number is not read as dialled in the region.
            ("+46 70 123 45 67", Some("GB"), "+46701234567"),
            ("070-174 06 35", Some("SE"), "+46701740635"),
            ("011 44 7700 900123", Some("US"), "+447700900123"),
            ("0044 7700 900123", Some("US"), "+447700900123"),
            ("(202) 555-0123", Some("US"), "+12025550123"),
            ("1 202 555 0123", Some("US"), "+12025550123"),
            ("+1 500 555 0006", None, "+15005550006"),
            ("8 912 345-67-89", Some("RU"), "+79123456789"),
            ("011 15 2345-6789", Some("AR"), "+5491123456789"),
        ] {
            assert_eq!(e164(text, region).as_deref(), Ok(expected), "{text} {region:?}");
        }
    }

    #[test]
    fn zeros_that_belong_to_the_number_stay() {
        for (text, region, expected) in [
            ("+225 07 00 00 01 23", None, "+2250700000123"),
            ("+225 07 00 00 01 23", Some("GB"), "+2250700000123"),
            ("07 00 00 01 23", Some("CI"), "+2250700000123"),
            ("+39 06 5550 0100", None, "+390655500100"),
            ("+39 06 5550 0100", Some("GB"), "+390655500100"),
            ("+39 (0)6 5550 0100", None, "+390655500100"),
            ("06 5550 0100", Some("IT"), "+390655500100"),
        ] {
            assert_eq!(e164(text, region).as_deref(), Ok(expected), "{text} {region:?}");
        }
    }

    #[test]
    fn what_is_not_certain_is_an_error() {
        use PhoneError::{Impossible, NeedsRegion, UnknownRegion, Unreadable, ZeroAfterCountryCode};
        for (text, region, expected) in [
            ("+440 7700 900123", Some("GB"), ZeroAfterCountryCode),
            ("+440 7700 900123", None, ZeroAfterCountryCode),
            ("00440 7700 900123", None, ZeroAfterCountryCode),
            ("07700 900123", None, NeedsRegion),
            ("7700900123", None, NeedsRegion),
            ("07700 900123", Some("XX"), UnknownRegion),
            ("+44 7700 900123", Some(""), UnknownRegion),
            ("", Some("GB"), Unreadable),
            ("+", Some("GB"), Unreadable),
            ("()", Some("GB"), Unreadable),
            ("none", Some("GB"), Unreadable),
            ("+44 7700 9OO123", None, Unreadable),
            ("1-800-FLOWERS", Some("US"), Unreadable),
            ("07700 900123 ext. 5", Some("GB"), Unreadable),
            ("07700 900123, 07700 900124", Some("GB"), Unreadable),
            ("44+7700900123", None, Unreadable),
            ("+44 (0)(0)7700 900123", None, Unreadable),
            ("anna@example.org", Some("GB"), Unreadable),
            ("+44 7700 90012", None, Impossible),
            ("+44 7700 9001234", None, Impossible),
            ("07700 900123 07700 900124", Some("GB"), Impossible),
            ("07700 90012", Some("GB"), Impossible),
            ("4407700900123", Some("GB"), Impossible),
            ("12345", Some("US"), Impossible),
            ("112", Some("SE"), Impossible),
            ("0", Some("GB"), Impossible),
            ("00", Some("GB"), Impossible),
            ("+0 123", None, Impossible),
            ("+999 123 456 789", None, Impossible),
            ("+12345678901234567890", None, Impossible),
            (&"1".repeat(2000), Some("GB"), Impossible),
        ] {
            assert_eq!(e164(text, region), Err(expected), "{text} {region:?}");
        }
    }

    #[test]
    fn errors_say_how_to_write_it() {
        assert!(PhoneError::NeedsRegion.to_string().contains("phone_region"));
        assert!(PhoneError::ZeroAfterCountryCode.to_string().contains("(0)"));
    }

    #[test]
    fn regions() {
        for (region, expected) in
            [("GB", true), ("se", true), ("US", true), ("UK", false), ("", false), ("GBR", false), ("44", false)]
        {
            assert_eq!(region_is_known(region), expected, "{region}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read_without_harm(text in "[-+()0-9 ./x\\PC]{0,30}", region in proptest::option::of("[A-Z]{2}")) {
            if let Ok(number) = e164(&text, region.as_deref()) {
                proptest::prop_assert_eq!(e164(&number, None), Ok(number.clone()));
                proptest::prop_assert_eq!(e164(&number, region.as_deref()), Ok(number));
            }
        }

        #[test]
        fn digits_in_any_region_are_read_without_harm(text in "[0-9]{3,17}", region in proptest::sample::select(vec!["GB", "US", "BR", "MX", "AR", "JP", "KR", "IT", "SM", "CI", "SE", "HU"])) {
            if let Ok(number) = e164(&text, Some(region)) {
                proptest::prop_assert_eq!(e164(&number, None), Ok(number));
            }
        }
    }
}
