//! Bytes to rows: every cell checked, every bad line named.

use super::{
    Cell, Column, LineError, MOST_EXPECTED, Notice, Row, columns,
    columns::Header,
    decode, guard, quoted,
    table::{Record, records},
};
use crate::{name, phone, wording};

const DELIMITERS: [char; 3] = [',', ';', '\t'];
const LONGEST_NAME: usize = 100;
const LONGEST_CODE: usize = 64;
const LONGEST_NOTES: usize = 2_000;

/// What cells are read against.
#[derive(Debug, Clone, Copy, Default)]
pub struct ReadDefaults<'a> {
    /// ISO 3166 region of phone numbers without a country code. Without one they are errors.
    pub region: Option<&'a str>,
}

/// A guest file whose columns are known.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sheet {
    /// Those with faults included, as far as they can be read.
    pub rows: Vec<Row>,
    /// Every line that cannot be read. Such a file changes nothing: [`plan`](super::plan()) adds what else is wrong
    /// with it, so that the host sees everything at once.
    pub errors: Vec<LineError>,
    pub notices: Vec<Notice>,
}

/// Reads a guest file.
///
/// # Errors
/// When no row can be read at all: another kind of file, or no header line that names the last names.
pub fn read(bytes: &[u8], defaults: &ReadDefaults<'_>) -> Result<Sheet, Vec<LineError>> {
    let mut notices = Vec::new();
    let text = decode::decode(bytes, &mut notices).map_err(|error| vec![error])?;
    let (declared, body) = declared_delimiter(&text);
    let first_line = if declared.is_some() { 2 } else { 1 };
    let delimiter = declared.or_else(|| delimiter_of_header(body)).unwrap_or(DELIMITERS[0]);

    let mut table = records(body, delimiter, first_line).filter(|record| !record.is_blank());
    let head = table.next().ok_or_else(|| vec![columns::nothing_in_it()])?;
    if let Some((line, message)) = head.fault {
        return Err(vec![LineError::new(line, message)]);
    }
    let header = columns::header(&head, &mut notices)?;

    let mut reader = RowReader { header: &header, defaults, errors: Vec::new(), notices };
    let rows = table.map(|record| reader.row(&record)).collect();
    let RowReader { errors, notices, .. } = reader;
    Ok(Sheet { rows, errors, notices })
}

/// Reads one row that comes from no file, by the same rules. Its line is 0.
///
/// # Errors
/// Every cell that cannot be read.
pub fn read_cells(cells: &[(Column, String)], defaults: &ReadDefaults<'_>) -> Result<Row, Vec<LineError>> {
    let header = Header::of(cells.iter().map(|(column, _)| *column));
    let record = Record { line: 0, cells: cells.iter().map(|(_, value)| value.clone()).collect(), fault: None };
    let mut reader = RowReader { header: &header, defaults, errors: Vec::new(), notices: Vec::new() };
    let row = reader.row(&record);
    if reader.errors.is_empty() { Ok(row) } else { Err(reader.errors) }
}

/// Reads one row from values that are meant as they stand: nothing (or an empty text) clears what is stored.
///
/// # Errors
/// Every value that cannot be used.
pub fn read_values(values: &[(Column, Option<&str>)], defaults: &ReadDefaults<'_>) -> Result<Row, Vec<LineError>> {
    let cell = |value: Option<&str>| match value {
        Some(value) if !name::clean(value).is_empty() => guard::guard(value).into_owned(),
        _ => guard::CLEAR.to_owned(),
    };
    let cells: Vec<_> = values.iter().map(|(column, value)| (*column, cell(*value))).collect();
    read_cells(&cells, defaults)
}

/// Some spreadsheets write `sep=;` above the header line.
fn declared_delimiter(text: &str) -> (Option<char>, &str) {
    let end = text.find(['\r', '\n']).unwrap_or(text.len());
    let (line, rest) = text.split_at(end);
    let mut declared = line.trim().trim_matches('"').chars();
    let is_declaration = declared.by_ref().take(4).collect::<String>().eq_ignore_ascii_case("sep=");
    match (is_declaration, declared.next(), declared.next()) {
        (true, Some(delimiter), None) => {
            (Some(delimiter), rest.strip_prefix("\r\n").or_else(|| rest.get(1..)).unwrap_or_default())
        }
        _ => (None, text),
    }
}

/// The delimiter with which the header line holds the most known columns. Later lines say nothing: their cells are
/// full of commas of their own.
fn delimiter_of_header(text: &str) -> Option<char> {
    let known = |delimiter: &char| {
        let head = records(text, *delimiter, 1).find(|record| !record.is_blank());
        head.map_or(0, |head| columns::recognised(&head.cells))
    };
    // Of equals the first: `max_by_key` would take the last.
    DELIMITERS.into_iter().rev().max_by_key(known)
}

struct RowReader<'a> {
    header: &'a Header,
    defaults: &'a ReadDefaults<'a>,
    errors: Vec<LineError>,
    notices: Vec<Notice>,
}

impl RowReader<'_> {
    fn row(&mut self, record: &Record) -> Row {
        self.shape(record);
        Row {
            line: record.line,
            code: self.code(record),
            first_name: self.name(record, Column::FirstName),
            last_name: self.last_name(record),
            group: self.name(record, Column::Group),
            expected: self.parsed(record, Column::Expected, expected),
            phone: self.parsed(record, Column::Phone, |text, defaults| {
                phone::e164(text, defaults.region).map_err(|error| format!("{}: {error}", quoted(text)))
            }),
            language: self.parsed(record, Column::Language, |text, _| language(text)),
            admin: self.parsed(record, Column::Admin, |text, _| yes_or_no(text)),
            notes: self.notes(record),
        }
    }

    fn shape(&mut self, record: &Record) {
        if let Some((line, message)) = &record.fault {
            self.errors.push(LineError::new(*line, message.clone()));
        } else if record.cells.iter().skip(self.header.width).any(|cell| !cell.trim().is_empty()) {
            let message = format!(
                "this line has {} cells, but the first line names only {} columns; put a cell in double quotes when \
                 it contains the delimiter",
                record.cells.len(),
                self.header.width
            );
            self.errors.push(LineError::new(record.line, message));
        }
    }

    fn cell<'r>(&self, record: &'r Record, column: Column) -> Cell<&'r str> {
        match self.header.cell(record, column) {
            None => Cell::Keep,
            Some(cell) if name::clean(cell).is_empty() => Cell::Keep,
            Some(cell) if guard::is_clear(cell) => Cell::Clear,
            Some(cell) => Cell::Set(guard::unguard(cell).unwrap_or(cell)),
        }
    }

    fn refuse(&mut self, record: &Record, column: Column, message: impl Into<String>) {
        self.errors.push(LineError::at(record.line, column, message));
    }

    fn parsed<T>(
        &mut self,
        record: &Record,
        column: Column,
        parse: impl Fn(&str, &ReadDefaults<'_>) -> Result<T, String>,
    ) -> Cell<T> {
        match self.cell(record, column) {
            Cell::Keep => Cell::Keep,
            Cell::Clear => Cell::Clear,
            Cell::Set(text) => match parse(&name::clean(text), self.defaults) {
                Ok(value) => Cell::Set(value),
                Err(message) => {
                    self.refuse(record, column, message);
                    Cell::Keep
                }
            },
        }
    }

    /// A name, cleaned as all names are; more than ordinary spaces around it is worth a word to the host.
    fn name(&mut self, record: &Record, column: Column) -> Cell<String> {
        match self.cell(record, column) {
            Cell::Keep => Cell::Keep,
            Cell::Clear => Cell::Clear,
            Cell::Set(text) => {
                let clean = name::clean(text);
                if clean != text.trim_matches([' ', '\t']) {
                    let message =
                        format!("{column}: stored as {}, without invisible characters or stray spaces", quoted(&clean));
                    self.notices.push(Notice { line: Some(record.line), message });
                }
                self.limit(record, column, &clean, LONGEST_NAME);
                Cell::Set(clean)
            }
        }
    }

    fn last_name(&mut self, record: &Record) -> Option<String> {
        match self.name(record, Column::LastName) {
            Cell::Keep => None,
            Cell::Clear => {
                self.refuse(record, Column::LastName, "cannot be cleared: guests log in with it");
                None
            }
            Cell::Set(last) => {
                if name::fold(&last).is_empty() {
                    let message =
                        format!("{} holds no letter, so nobody could log in with it; write the surname", quoted(&last));
                    self.refuse(record, Column::LastName, message);
                }
                Some(last)
            }
        }
    }

    fn code(&mut self, record: &Record) -> Option<String> {
        match self.cell(record, Column::Code) {
            Cell::Keep => None,
            Cell::Clear => {
                let message = "cannot be cleared; leave the cell blank, and the guest keeps theirs or gets a new one";
                self.refuse(record, Column::Code, message);
                None
            }
            Cell::Set(text) => {
                let code = name::clean(text);
                self.limit(record, Column::Code, &code, LONGEST_CODE);
                Some(code)
            }
        }
    }

    /// Kept as written, line breaks and all.
    fn notes(&mut self, record: &Record) -> Cell<String> {
        match self.cell(record, Column::Notes) {
            Cell::Keep => Cell::Keep,
            Cell::Clear => Cell::Clear,
            Cell::Set(text) => {
                self.limit(record, Column::Notes, text, LONGEST_NOTES);
                Cell::Set(text.to_owned())
            }
        }
    }

    fn limit(&mut self, record: &Record, column: Column, text: &str, most: usize) {
        let length = text.chars().count();
        if length > most {
            self.refuse(record, column, format!("is {length} characters long; shorten it to {most}"));
        }
    }
}

fn expected(text: &str, _: &ReadDefaults<'_>) -> Result<u32, String> {
    text.parse().ok().filter(|number| (1..=MOST_EXPECTED).contains(number)).ok_or_else(|| {
        format!(
            "{} is not a number from 1 to {MOST_EXPECTED}; write how many people the guest stands for, themselves \
             included",
            quoted(text)
        )
    })
}

/// A language without wording of its own is kept: the guest is written to in the event's until there is one.
fn language(text: &str) -> Result<String, String> {
    let looks_like_a_tag = |part: &str| (2..=3).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphabetic());
    let tag = text.replace('_', "-");
    let mut parts = tag.split('-');
    let is_tag = parts.next().is_some_and(looks_like_a_tag)
        && parts.all(|part| (1..=8).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphanumeric()));
    if is_tag {
        return Ok(tag);
    }
    let known = wording::languages().map(|language| language.tag.as_str()).collect::<Vec<_>>().join(", ");
    Err(format!(
        "{} is not a language tag; write, for example, en or pt-BR (there is wording in {known})",
        quoted(text)
    ))
}

fn yes_or_no(text: &str) -> Result<bool, String> {
    match text.to_lowercase().as_str() {
        "yes" | "y" | "true" | "1" | "x" => Ok(true),
        "no" | "n" | "false" | "0" => Ok(false),
        _ => Err(format!("{} is neither yes nor no; write yes for a host, or leave it blank", quoted(text))),
    }
}
