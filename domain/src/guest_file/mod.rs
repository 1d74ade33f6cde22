//! Guest files: the guest list as CSV, in and out, the way spreadsheets really write it.
//!
//! [`read`] turns bytes into rows, [`plan`] compares them with the guests there are and says what would
//! change, [`write`] is the way out. A file with any bad row changes nothing, and every bad row is named.

mod columns;
mod decode;
mod guard;
mod matching;
mod plan;
mod read;
mod table;
#[cfg(test)]
mod tests;
mod write;

use std::fmt;

pub use columns::Column;
pub use matching::{already_there, namesakes};
pub(crate) use plan::write_into;
pub use plan::{Created, Plan, Updated, plan};
pub use read::{ReadDefaults, Sheet, read, read_cells, read_values};
pub use write::{header, line, write};

/// The most people that one record may stand for.
pub const MOST_EXPECTED: u32 = 50;

/// What a cell says about a stored value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cell<T> {
    /// Blank, or no such column: what is stored stays.
    Keep,
    /// `-`: what is stored goes.
    Clear,
    Set(T),
}

impl<T> Cell<T> {
    /// The value to store, where `stored` is the present one and `cleared` stands for none.
    pub(crate) fn or(self, stored: T, cleared: T) -> T {
        match self {
            Self::Keep => stored,
            Self::Clear => cleared,
            Self::Set(value) => value,
        }
    }

    /// The value that is set, if any.
    #[must_use]
    pub fn set(&self) -> Option<&T> {
        match self {
            Self::Set(value) => Some(value),
            Self::Keep | Self::Clear => None,
        }
    }
}

/// One guest as a file describes them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The physical line on which the row begins, from 1.
    pub line: usize,
    /// Names the guest; without one the name does.
    pub code: Option<String>,
    pub first_name: Cell<String>,
    /// `None` keeps what is stored. A last name cannot be cleared.
    pub last_name: Option<String>,
    /// As written; [`plan`] finds the group that it means.
    pub group: Cell<String>,
    pub expected: Cell<u32>,
    /// E.164.
    pub phone: Cell<String>,
    pub language: Cell<String>,
    pub admin: Cell<bool>,
    pub notes: Cell<String>,
}

/// What is wrong with a file, where, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct LineError {
    /// Physical line, from 1; 0 for a row that came from no file.
    pub line: usize,
    pub column: Option<Column>,
    pub message: String,
}

impl LineError {
    fn new(line: usize, message: impl Into<String>) -> Self {
        Self { line, column: None, message: message.into() }
    }

    fn at(line: usize, column: Column, message: impl Into<String>) -> Self {
        Self { line, column: Some(column), message: message.into() }
    }
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            write!(f, "line {}: ", self.line)?;
        }
        if let Some(column) = self.column {
            write!(f, "{column}: ")?;
        }
        f.write_str(&self.message)
    }
}

/// Something that the host should know, though it stops nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// Physical line; `None` for the whole file.
    pub line: Option<usize>,
    pub message: String,
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) if line > 0 => write!(f, "line {line}: {}", self.message),
            _ => f.write_str(&self.message),
        }
    }
}

/// A value as a message quotes it: line breaks and invisible characters can be seen.
fn quoted(value: &str) -> String {
    format!("\"{}\"", value.escape_debug().to_string().replace("\\'", "'"))
}
