//! The columns of a guest file, and the header line that names them.

use std::{collections::BTreeMap, fmt};

use super::{LineError, Notice, quoted, table::Record};

/// A column that import reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Column {
    Code,
    FirstName,
    LastName,
    Group,
    Expected,
    Phone,
    Language,
    Admin,
    Notes,
}

impl Column {
    /// All of them, in the order in which export writes them.
    pub const ALL: [Self; 9] = [
        Self::Code,
        Self::FirstName,
        Self::LastName,
        Self::Group,
        Self::Expected,
        Self::Phone,
        Self::Language,
        Self::Admin,
        Self::Notes,
    ];

    /// The header.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Code => "code",
            Self::FirstName => "first_name",
            Self::LastName => "last_name",
            Self::Group => "group",
            Self::Expected => "expected",
            Self::Phone => "phone",
            Self::Language => "language",
            Self::Admin => "admin",
            Self::Notes => "notes",
        }
    }

    /// The column that a header names.
    #[must_use]
    pub fn of_header(header: &str) -> Option<Self> {
        column(&key(header))
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What export adds and import ignores: answers come from guests, never from a file.
pub(super) const EXPORT_ONLY: [&str; 6] = ["status", "guests", "dietary", "extra", "answered_at", "answered_by"];

const EXAMPLE: &str = "code,first_name,last_name,group,expected,phone";
/// Distance up to which a header is taken for a misspelling: `phnoe`, `lastnme`.
const MISSPELT: usize = 2;

/// Where each column stands in the records.
#[derive(Debug, Default)]
pub(super) struct Header {
    places: BTreeMap<Column, usize>,
    /// How many cells the header line has.
    pub width: usize,
}

impl Header {
    /// A header line with exactly these columns.
    pub fn of(columns: impl Iterator<Item = Column>) -> Self {
        let places: BTreeMap<_, _> = columns.enumerate().map(|(place, column)| (column, place)).collect();
        Self { width: places.len(), places }
    }

    /// The cell of a column; nothing where the file has no such column or the row is too short.
    pub fn cell<'a>(&self, record: &'a Record, column: Column) -> Option<&'a str> {
        self.places.get(&column).and_then(|place| record.cells.get(*place)).map(String::as_str)
    }
}

/// Case, spaces, underscores and hyphens make no difference.
fn key(header: &str) -> String {
    header.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn column(key_wanted: &str) -> Option<Column> {
    if key_wanted == "note" {
        return Some(Column::Notes);
    }
    Column::ALL.into_iter().find(|column| key(column.as_str()) == key_wanted)
}

fn is_export_only(key_wanted: &str) -> bool {
    EXPORT_ONLY.iter().any(|name| key(name) == key_wanted)
}

/// How many of these cells are headers: tells which delimiter the header line uses.
pub(super) fn recognised(cells: &[String]) -> usize {
    cells.iter().map(|cell| key(cell)).filter(|key| column(key).is_some() || is_export_only(key)).count()
}

/// Reads the header line. A misspelt header is an error (its cells would be lost without a word), any other that is
/// not known is ignored with a notice: lists carry columns of their own.
pub(super) fn header(record: &Record, notices: &mut Vec<Notice>) -> Result<Header, Vec<LineError>> {
    let mut header = Header { width: record.cells.len(), ..Header::default() };
    let mut errors = Vec::new();
    let mut unknown = Vec::new();
    for (place, cell) in record.cells.iter().enumerate() {
        let wanted = key(cell);
        if let Some(column) = column(&wanted) {
            if header.places.insert(column, place).is_some() {
                errors.push(LineError::new(record.line, format!("two columns are called {column}; keep one of them")));
            }
        } else if !wanted.is_empty() && !is_export_only(&wanted) {
            unknown.push((cell, wanted));
        }
    }
    for (cell, wanted) in unknown {
        let cell = quoted(cell.trim());
        // Beside a "phone" a "phone 2" is no slip.
        match misspelt(&wanted).filter(|near| !header.places.contains_key(near)) {
            Some(near) => {
                let message = format!("unknown column {cell}; did you mean {near}? Correct or remove it");
                errors.push(LineError::new(record.line, message));
            }
            None => {
                let known = Column::ALL.map(Column::as_str).join(", ");
                let message = format!("column {cell} is not used (known: {known})");
                notices.push(Notice { line: Some(record.line), message });
            }
        }
    }
    if !header.places.contains_key(&Column::LastName) && errors.is_empty() {
        errors.push(LineError::new(
            record.line,
            format!(
                "no column is called last_name, and every guest needs one. The first line must name the columns, \
                 for example: {EXAMPLE}"
            ),
        ));
    }
    if errors.is_empty() { Ok(header) } else { Err(errors) }
}

fn misspelt(wanted: &str) -> Option<Column> {
    let distance = |column: &Column| strsim::osa_distance(wanted, &key(column.as_str()));
    let nearest = Column::ALL.into_iter().min_by_key(distance)?;
    // Two slips in a short word make another word.
    (distance(&nearest) <= MISSPELT && distance(&nearest) * 3 <= wanted.chars().count()).then_some(nearest)
}

/// The error for a file without a header line.
pub(super) fn nothing_in_it() -> LineError {
    LineError::new(1, format!("the file is empty. Its first line must name the columns, for example: {EXAMPLE}"))
}
