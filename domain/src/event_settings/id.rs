//! Ids of events.

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

use crate::model::EventId;

const LONGEST: usize = 64;
/// The id of an event whose name has no letter that could be one of an id.
const NAMELESS: &str = "event";

/// An id that a host chose: it stands in group keys, in addresses of pages and on the command line.
pub(super) fn check(id: EventId) -> Result<EventId, String> {
    let text = id.as_str();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    if (1..=LONGEST).contains(&text.len()) && text.chars().all(is_plain) {
        return Ok(id);
    }
    Err(format!(
        "an event's id has 1 to {LONGEST} letters A to Z, digits, hyphens, underscores and dots; for example --event \
         summer-party"
    ))
}

/// `Große Feier 2027!` becomes `grosse-feier-2027`.
pub(super) fn from_name(name: &str) -> EventId {
    let mut id = String::new();
    for c in name.nfkd().filter(|c| !is_combining_mark(*c)).flat_map(char::to_lowercase) {
        match c {
            'ß' => id.push_str("ss"),
            'æ' => id.push_str("ae"),
            'œ' => id.push_str("oe"),
            'ø' => id.push('o'),
            'ł' => id.push('l'),
            'đ' | 'ð' => id.push('d'),
            'þ' => id.push_str("th"),
            'ı' => id.push('i'),
            '\'' | '’' => {}
            c if c.is_ascii_alphanumeric() => id.push(c),
            _ if id.is_empty() || id.ends_with('-') => {}
            _ => id.push('-'),
        }
        if id.len() >= LONGEST {
            break;
        }
    }
    id.truncate(LONGEST);
    let id = id.trim_matches('-');
    EventId::from(if id.is_empty() { NAMELESS } else { id })
}
