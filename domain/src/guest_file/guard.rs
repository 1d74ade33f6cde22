//! One apostrophe in front of what a spreadsheet would run as a formula.

use std::borrow::Cow;

/// The cell that clears a stored value.
pub(super) const CLEAR: &str = "-";

pub(super) fn is_clear(cell: &str) -> bool {
    cell.trim() == CLEAR
}

/// What a spreadsheet could take for a formula; an apostrophe, so that exactly one is taken off again; and what
/// import would read as "clear".
fn needs_guard(value: &str) -> bool {
    value.starts_with(['=', '+', '-', '@', '\t', '\r', '\'']) || is_clear(value)
}

/// The value as an exported cell.
pub(super) fn guard(value: &str) -> Cow<'_, str> {
    if needs_guard(value) { Cow::Owned(format!("'{value}")) } else { Cow::Borrowed(value) }
}

/// The value of an imported cell. Only what [`guard`] could have written is unguarded, so that a host may type
/// `'t Hooft`.
pub(super) fn unguard(cell: &str) -> Option<&str> {
    cell.strip_prefix('\'').filter(|value| needs_guard(value))
}
