//! Which guest a row means.

use std::collections::{HashMap, HashSet};

use caseless::default_case_fold_str;
use unicode_normalization::char::is_combining_mark;

use super::{Cell, Column, LineError, Row, quoted};
use crate::{code, model::Guest, name};

/// What a row means: an existing guest (index), or a new one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meant {
    Existing(usize),
    New,
}

/// First and last name as they are written, but for case and punctuation (spreadsheets bend apostrophes). Guests
/// who differ by an accent are two guests.
type Written = (String, String);
/// The same without accents.
type Plain = (String, String);

fn written(first: &str, last: &str) -> Written {
    let fold = |text: &str| {
        let text = default_case_fold_str(&name::clean(text));
        let letters: String = text.chars().filter(|c| c.is_alphanumeric() || is_combining_mark(*c)).collect();
        if letters.is_empty() { text } else { letters }
    };
    (fold(first), fold(last))
}

fn plain(first: &str, last: &str) -> Plain {
    (name::fold(first), name::fold(last))
}

/// A group as groups are compared: spelling counts, case does not.
pub(super) fn group_key(group: &str) -> String {
    default_case_fold_str(&name::clean(group))
}

/// Whom of the guests there are the host means by adding this one; nobody when it is somebody new.
///
/// # Errors
/// When a guest is there whom the host may not have thought of, with what to write for either.
pub fn already_there<'a>(row: &Row, existing: &'a [Guest]) -> Result<Option<&'a Guest>, LineError> {
    let (meant, errors) = Matcher::new(existing).resolve(std::slice::from_ref(row));
    if let Some(error) = errors.into_iter().next() {
        return Err(error);
    }
    let Some(Some(Meant::Existing(index))) = meant.first() else { return Ok(None) };
    let guest = &existing[*index];
    let (name, code) = (quoted(&guest.full_name()), quoted(&guest.token));
    if row.code.is_none() {
        let message = format!(
            "{name} is there already, with the code {code}; give that code to change this guest, or a new code if this \
             is somebody else"
        );
        return Err(LineError::new(row.line, message));
    }
    let own = written(&guest.first_name, &guest.last_name);
    let first = row.first_name.clone().or(guest.first_name.clone(), String::new());
    let last = row.last_name.as_deref().unwrap_or(&guest.last_name);
    if written(&first, last) != own {
        let message = format!(
            "the code {code} is the one of {name}; give another code for a new guest, or leave the names out to change \
             {name} (a guest file changes names, too)"
        );
        return Err(LineError::new(row.line, message));
    }
    Ok(Some(guest))
}

/// Those who are there already and may be the one whom this row adds: of the same first and last name, but for
/// accents, or with the same phone. They may still be somebody else.
#[must_use]
pub fn namesakes<'a>(row: &Row, existing: &'a [Guest]) -> Vec<&'a Guest> {
    let name = row.last_name.as_deref().map(|last| plain(first_name(row), last));
    let is_alike = |guest: &&Guest| {
        name.as_ref().is_some_and(|name| *name == plain(&guest.first_name, &guest.last_name))
            || row.phone.set().is_some_and(|phone| guest.phone.as_ref() == Some(phone))
    };
    existing.iter().filter(is_alike).collect()
}

/// Finds the guests that rows mean.
pub(super) struct Matcher<'a> {
    existing: &'a [Guest],
    by_code: HashMap<&'a str, usize>,
    by_code_key: HashMap<String, Vec<usize>>,
    /// Codes of nothing but digits, without the zeros they begin with.
    by_number: HashMap<String, usize>,
    by_name: HashMap<Plain, Vec<usize>>,
}

impl<'a> Matcher<'a> {
    pub fn new(existing: &'a [Guest]) -> Self {
        let mut matcher = Self {
            existing,
            by_code: HashMap::new(),
            by_code_key: HashMap::new(),
            by_number: HashMap::new(),
            by_name: HashMap::new(),
        };
        for (index, guest) in existing.iter().enumerate() {
            matcher.by_code.insert(&guest.token, index);
            matcher.by_code_key.entry(code::key(&guest.token)).or_default().push(index);
            if let Some(number) = number(&guest.token) {
                matcher.by_number.insert(number, index);
            }
            matcher.by_name.entry(plain(&guest.first_name, &guest.last_name)).or_default().push(index);
        }
        matcher
    }

    /// Finds every row's guest; nothing for rows that could mean several, or the same as another row.
    pub fn resolve(&self, rows: &[Row]) -> (Vec<Option<Meant>>, Vec<LineError>) {
        let mut errors = alike(rows);
        let exactly: Vec<_> = rows.iter().map(|row| self.exactly(row)).collect();
        let claimed = exactly.iter().filter_map(|found| match found {
            Ok(Some(Meant::Existing(index))) => Some(*index),
            _ => None,
        });
        let claimed: HashSet<usize> = claimed.collect();
        let mut meant = Vec::with_capacity(rows.len());
        for (row, exactly) in rows.iter().zip(exactly) {
            let found = match exactly {
                Ok(Some(meant)) => Ok(meant),
                Ok(None) => self.nearly(row, &claimed).map_or(Ok(Meant::New), Err),
                Err(error) => Err(error),
            };
            meant.push(found.map_err(|error| errors.push(error)).ok());
        }
        errors.extend(twice(rows, &meant));
        errors.extend(same_numbers(rows, &meant));
        (meant, errors)
    }

    /// By code (as it stands, else by its key if that names one guest), or by the name as written.
    fn exactly(&self, row: &Row) -> Result<Option<Meant>, LineError> {
        if let Some(code) = &row.code {
            return self.by_code(row, code).map(Some);
        }
        let Some(last) = &row.last_name else {
            return Err(LineError::at(row.line, Column::LastName, "is blank; write the guest's last name or code"));
        };
        let wanted = written(first_name(row), last);
        let same = self.named(row).filter(|guest| written(&guest.0.first_name, &guest.0.last_name) == wanted);
        one_in_group(row, same).map(|found| found.map(Meant::Existing))
    }

    fn by_code(&self, row: &Row, code: &str) -> Result<Meant, LineError> {
        if let Some(index) = self.by_code.get(code) {
            return Ok(Meant::Existing(*index));
        }
        match self.by_code_key.get(&code::key(code)).map(Vec::as_slice) {
            None | Some([]) => match number(code).and_then(|number| self.by_number.get(&number)) {
                Some(index) => Err(lost_zeros(row.line, code, &self.existing[*index].token)),
                None => Ok(Meant::New),
            },
            Some([index]) => Ok(Meant::Existing(*index)),
            Some(_) => Err(LineError::at(
                row.line,
                Column::Code,
                format!("{} could be the code of several guests; write it exactly as it was given out", quoted(code)),
            )),
        }
    }

    /// A new guest whose name is that of a stored one but for accents: most likely a slip, perhaps somebody else.
    /// Guests whom other rows name are somebody else.
    fn nearly(&self, row: &Row, claimed: &HashSet<usize>) -> Option<LineError> {
        let is_near = |(guest, index): &(&Guest, usize)| !claimed.contains(index) && is_in_group(guest, &row.group);
        let (guest, _) = self.named(row).filter(|_| row.code.is_none()).find(is_near)?;
        let message = format!(
            "{} is there already, spelt otherwise; add their code if it is the same guest, or a new code if it is \
             somebody else",
            quoted(&guest.full_name())
        );
        Some(LineError::new(row.line, message))
    }

    /// Those with the row's first and last name, but for accents.
    fn named(&self, row: &Row) -> impl Iterator<Item = (&'a Guest, usize)> {
        let key = plain(first_name(row), row.last_name.as_deref().unwrap_or_default());
        let found = self.by_name.get(&key).map(Vec::as_slice).unwrap_or_default();
        found.iter().map(|index| (&self.existing[*index], *index)).collect::<Vec<_>>().into_iter()
    }

    /// Somebody of that name who has another code: not a fault, since two guests may share a name.
    pub fn namesake(&self, row: &Row) -> Option<&'a Guest> {
        row.last_name.as_ref()?;
        self.named(row).next().map(|(guest, _)| guest)
    }
}

/// A code that is a number, as a spreadsheet takes it for one: without the zeros it begins with.
fn number(code: &str) -> Option<String> {
    let key = code::key(code);
    (!key.is_empty() && key.bytes().all(|byte| byte.is_ascii_digit())).then(|| key.trim_start_matches('0').to_owned())
}

fn lost_zeros(line: usize, code: &str, other: &str) -> LineError {
    let message = format!(
        "{} and {} differ only in zeros that they begin with, which spreadsheets drop; write the code as it was given \
         out (format the column as text), or give another",
        quoted(code),
        quoted(other)
    );
    LineError::at(line, Column::Code, message)
}

/// New codes of one file that are the same number.
fn same_numbers(rows: &[Row], meant: &[Option<Meant>]) -> Vec<LineError> {
    let mut seen: HashMap<String, &str> = HashMap::new();
    let mut errors = Vec::new();
    let new = rows.iter().zip(meant).filter(|(_, meant)| matches!(meant, Some(Meant::New)));
    for (row, code) in new.filter_map(|(row, _)| Some((row, row.code.as_deref()?))) {
        let Some(number) = number(code) else { continue };
        let first = *seen.entry(number).or_insert(code);
        if code::key(first) != code::key(code) {
            errors.push(lost_zeros(row.line, code, first));
        }
    }
    errors
}

/// Two rows for one guest would make the order of rows decide what is stored.
fn twice(rows: &[Row], meant: &[Option<Meant>]) -> Vec<LineError> {
    let mut lines: HashMap<usize, usize> = HashMap::new();
    let mut codes: HashMap<String, usize> = HashMap::new();
    let mut errors = Vec::new();
    for (row, meant) in rows.iter().zip(meant) {
        let before = match (meant, &row.code) {
            (Some(Meant::Existing(index)), _) => lines.insert(*index, row.line),
            (Some(Meant::New), Some(code)) => codes.insert(code::key(code), row.line),
            (Some(Meant::New), None) | (None, _) => None,
        };
        if let Some(line) = before {
            let remedy = "keep one of them, or give the code of whom each line means";
            errors.push(LineError::new(row.line, format!("this is the same guest as on line {line}; {remedy}")));
        }
    }
    errors
}

fn first_name(row: &Row) -> &str {
    row.first_name.set().map_or("", String::as_str)
}

fn one_in_group<'a>(
    row: &Row,
    candidates: impl Iterator<Item = (&'a Guest, usize)>,
) -> Result<Option<usize>, LineError> {
    let candidates: Vec<_> = candidates.collect();
    let in_group: Vec<_> = candidates.iter().filter(|(guest, _)| is_in_group(guest, &row.group)).collect();
    let ask = |message: String| Err(LineError::new(row.line, message));
    match (in_group.as_slice(), candidates.first()) {
        ([(_, index)], _) => Ok(Some(*index)),
        ([_, _, ..], _) => ask(format!(
            "{} guests are called {}; add the code of the one you mean",
            in_group.len(),
            quoted(&in_group[0].0.full_name())
        )),
        ([], None) => Ok(None),
        ([], Some((guest, _))) => {
            let place = guest.group_id.as_ref().map_or("no group".to_owned(), |id| format!("group {}", quoted(&id.0)));
            ask(format!(
                "{} is in {place}; add their code to move them, or a new code if this is somebody else",
                quoted(&guest.full_name())
            ))
        }
    }
}

fn is_in_group(guest: &Guest, group: &Cell<String>) -> bool {
    let own = guest.group_id.as_ref().map(|id| group_key(&id.0));
    match group {
        Cell::Keep => true,
        Cell::Clear => own.is_none(),
        Cell::Set(wanted) => own.is_some_and(|own| own == group_key(wanted)),
    }
}

/// Rows without a code that are the same as another row in first name, last name and group.
fn alike(rows: &[Row]) -> Vec<LineError> {
    let mut seen: HashMap<(Written, Option<String>), Vec<&Row>> = HashMap::new();
    for row in rows.iter().filter(|row| row.last_name.is_some()) {
        let name = written(first_name(row), row.last_name.as_deref().unwrap_or_default());
        seen.entry((name, row.group.set().map(|group| group_key(group)))).or_default().push(row);
    }
    let mut errors = Vec::new();
    for rows in seen.values().filter(|rows| rows.len() > 1) {
        for row in rows.iter().filter(|row| row.code.is_none()) {
            if let Some(other) = rows.iter().find(|other| other.line != row.line) {
                let message = format!(
                    "this line is like line {} (same name and group); give both lines their codes if they are two \
                     guests, or remove one",
                    other.line
                );
                errors.push(LineError::new(row.line, message));
            }
        }
    }
    errors
}
