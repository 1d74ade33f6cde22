//! What a guest file would change.

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, Utc};

use super::{
    Cell, Column, LineError, Notice, Row, Sheet,
    matching::{Matcher, Meant, group_key},
    quoted,
};
use crate::{
    code, guest_change,
    model::{EventId, GroupId, Guest, GuestId},
    name,
};

/// Draws of a code that may be taken before giving up; with 31^8 codes the second never comes.
const DRAWS: usize = 1_000;

/// A guest who is not stored yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Created {
    pub line: usize,
    pub guest: Guest,
    /// The file gave the code; otherwise it was drawn.
    pub code_given: bool,
}

/// A guest who changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Updated {
    pub line: usize,
    pub before: Guest,
    pub after: Guest,
    /// What changes; never empty.
    pub fields: Vec<Column>,
}

impl Updated {
    /// Whether an answer that is being given rests on what changes: name, size or group.
    #[must_use]
    pub fn counts(&self) -> bool {
        let counting = [Column::FirstName, Column::LastName, Column::Group, Column::Expected];
        self.fields.iter().any(|field| counting.contains(field))
    }
}

/// What importing a file would do. Guests whom it does not name stay as they are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plan {
    pub created: Vec<Created>,
    pub updated: Vec<Updated>,
    pub unchanged: usize,
    pub notices: Vec<Notice>,
}

/// Compares a file with all guests of the event. `make` gives an id and a code for each new guest.
///
/// # Errors
/// Every line that cannot be read or carried out, with what to do about it; then nothing of the file must be.
pub fn plan(
    sheet: &Sheet,
    existing: &[Guest],
    make: &mut dyn FnMut() -> (GuestId, String),
    event: &EventId,
    now: DateTime<Utc>,
) -> Result<Plan, Vec<LineError>> {
    let rows = &sheet.rows;
    let matcher = Matcher::new(existing);
    let (meant, errors) = matcher.resolve(rows);
    let mut planner = Planner { event, now, groups: Groups::of(existing), plan: Plan::default(), errors };
    let mut codes: HashSet<String> = existing.iter().map(|guest| code::key(&guest.token)).collect();
    codes.extend(rows.iter().filter_map(|row| row.code.as_deref()).map(code::key));

    for (row, meant) in rows.iter().zip(meant) {
        match meant {
            None => {}
            Some(Meant::Existing(index)) => planner.update(row, &existing[index]),
            Some(Meant::New) => {
                let (id, drawn) = draw(make, &mut codes);
                planner.create(row, id, drawn);
                if let (Some(_), Some(namesake)) = (&row.code, matcher.namesake(row)) {
                    planner.tell_of_namesake(row, namesake);
                }
            }
        }
    }
    planner.keep_a_host(existing);
    let errors = all_errors(&sheet.errors, planner.errors);
    if errors.is_empty() { Ok(planner.plan) } else { Err(errors) }
}

/// By line. Of a line that cannot be read, nothing more is said: the rest may follow from that.
fn all_errors(unread: &[LineError], mut unplanned: Vec<LineError>) -> Vec<LineError> {
    let lines: HashSet<usize> = unread.iter().map(|error| error.line).collect();
    unplanned.retain(|error| !lines.contains(&error.line));
    unplanned.sort_by_key(|error| error.line);
    unplanned.dedup_by_key(|error| error.line);
    let mut errors = [unread, &unplanned].concat();
    errors.sort_by_key(|error| error.line);
    errors
}

fn draw(make: &mut dyn FnMut() -> (GuestId, String), taken: &mut HashSet<String>) -> (GuestId, String) {
    let mut made = make();
    for _ in 0..DRAWS {
        if taken.insert(code::key(&made.1)) {
            break;
        }
        made = make();
    }
    made
}

/// The groups there are, by their spelling without case; new ones keep the spelling in which they come first.
struct Groups(HashMap<String, GroupId>);

impl Groups {
    fn of(guests: &[Guest]) -> Self {
        let ids = guests.iter().filter_map(|guest| guest.group_id.clone());
        Self(ids.map(|id| (group_key(id.as_str()), id)).collect())
    }

    fn id(&mut self, written: &str) -> GroupId {
        self.0.entry(group_key(written)).or_insert_with(|| GroupId(written.to_owned())).clone()
    }
}

struct Planner<'a> {
    event: &'a EventId,
    now: DateTime<Utc>,
    groups: Groups,
    plan: Plan,
    errors: Vec<LineError>,
}

impl Planner<'_> {
    fn create(&mut self, row: &Row, id: GuestId, drawn: String) {
        let Some(last_name) = row.last_name.clone() else {
            let message = match &row.code {
                Some(code) => format!(
                    "is blank, and no guest has the code {}; correct the code, or write the last name of a new guest",
                    quoted(code)
                ),
                None => "is blank; every guest needs one".to_owned(),
            };
            self.errors.push(LineError::at(row.line, Column::LastName, message));
            return;
        };
        if let Some(Err(error)) = row.code.as_deref().map(code::is_acceptable) {
            let code = quoted(row.code.as_deref().unwrap_or_default());
            let message = format!("no guest has {code}, and it cannot be a new code: {error}");
            self.errors.push(LineError::at(row.line, Column::Code, message));
            return;
        }
        let token = row.code.clone().unwrap_or(drawn);
        let mut guest = Guest::new(id, self.event.clone(), last_name, token, self.now);
        self.apply(row, &mut guest);
        self.plan.created.push(Created { line: row.line, guest, code_given: row.code.is_some() });
    }

    fn update(&mut self, row: &Row, before: &Guest) {
        let mut after = before.clone();
        self.apply(row, &mut after);
        let fields: Vec<_> = Column::ALL.into_iter().filter(|column| !is_same(*column, before, &after)).collect();
        if fields.is_empty() {
            self.plan.unchanged += 1;
        } else {
            self.plan.updated.push(Updated { line: row.line, before: before.clone(), after, fields });
        }
    }

    fn apply(&mut self, row: &Row, guest: &mut Guest) {
        match &row.group {
            Cell::Keep => {}
            Cell::Clear => guest_change::move_to(guest, None),
            Cell::Set(group) => {
                let same = guest.group_id.as_ref().is_some_and(|own| group_key(own.as_str()) == group_key(group));
                if !same {
                    guest_change::move_to(guest, Some(self.groups.id(group)));
                }
            }
        }
        write_into(guest, row);
    }

    fn tell_of_namesake(&mut self, row: &Row, namesake: &Guest) {
        let message = format!(
            "a new guest, though {} is there already with the code {}; if both are the same person, erase the new one and \
             write that code",
            quoted(&namesake.full_name()),
            quoted(&namesake.token)
        );
        self.plan.notices.push(Notice { line: Some(row.line), message });
    }

    /// Without a host nobody could look after the list in chat or on the web.
    fn keep_a_host(&mut self, existing: &[Guest]) {
        let demoted: Vec<_> =
            self.plan.updated.iter().filter(|change| change.before.is_admin && !change.after.is_admin).collect();
        let hosts = existing.iter().filter(|guest| guest.is_admin).count();
        let promoted = self.plan.updated.iter().any(|change| !change.before.is_admin && change.after.is_admin)
            || self.plan.created.iter().any(|created| created.guest.is_admin);
        if !demoted.is_empty() && demoted.len() == hosts && !promoted {
            let message = "the last host cannot stop being one; write yes for another guest first";
            self.errors.extend(demoted.iter().map(|change| LineError::at(change.line, Column::Admin, message)));
        }
    }
}

/// Writes a row's values into a record: all but code and group.
pub(crate) fn write_into(guest: &mut Guest, row: &Row) {
    let first = keep_if_clean(row.first_name.clone(), &guest.first_name);
    let last = row.last_name.clone().map_or(Cell::Keep, Cell::Set);
    let last = keep_if_clean(last, &guest.last_name).or(guest.last_name.clone(), guest.last_name.clone());
    let first = first.or(guest.first_name.clone(), String::new());
    guest_change::rename(guest, &first, &last);
    let expected = row.expected.clone().or(guest.expected_guests, 1);
    guest_change::set_expected(guest, expected);
    guest.phone = optional(&row.phone, guest.phone.take());
    guest.locale = optional(&row.language, guest.locale.take());
    guest.is_admin = row.admin.clone().or(guest.is_admin, false);
    guest.notes = optional(&row.notes, guest.notes.take());
}

/// A name that differs from the stored one only in what cleaning takes away is no change: a list that was exported
/// comes back as it went.
fn keep_if_clean(cell: Cell<String>, stored: &str) -> Cell<String> {
    match cell {
        Cell::Set(value) if value == name::clean(stored) => Cell::Keep,
        other => other,
    }
}

fn optional(cell: &Cell<String>, stored: Option<String>) -> Option<String> {
    match cell {
        Cell::Keep => stored,
        Cell::Clear => None,
        Cell::Set(value) => Some(value.clone()),
    }
}

fn is_same(column: Column, before: &Guest, after: &Guest) -> bool {
    match column {
        Column::Code => before.token == after.token,
        Column::FirstName => before.first_name == after.first_name,
        Column::LastName => before.last_name == after.last_name,
        Column::Group => before.group_id == after.group_id,
        Column::Expected => before.expected_guests == after.expected_guests,
        Column::Phone => before.phone == after.phone,
        Column::Language => before.locale == after.locale,
        Column::Admin => before.is_admin == after.is_admin,
        Column::Notes => before.notes == after.notes,
    }
}

/// A field as the preview shows it.
fn shown(column: Column, guest: &Guest) -> String {
    let text = |value: &Option<String>| value.as_deref().map_or("nothing".to_owned(), quoted);
    match column {
        Column::Code => quoted(&guest.token),
        Column::FirstName => quoted(&guest.first_name),
        Column::LastName => quoted(&guest.last_name),
        Column::Group => guest.group_id.as_ref().map_or("none".to_owned(), |id| quoted(id.as_str())),
        Column::Expected => guest.expected_guests.to_string(),
        Column::Phone => text(&guest.phone),
        Column::Language => text(&guest.locale),
        Column::Admin => if guest.is_admin { "yes" } else { "no" }.to_owned(),
        Column::Notes => text(&guest.notes),
    }
}

impl Plan {
    /// Every change, a line each, in the order of the file.
    #[must_use]
    pub fn preview(&self) -> Vec<String> {
        let created = self.created.iter().map(|created| (created.line, created.to_string()));
        let updated = self.updated.iter().map(|updated| (updated.line, updated.to_string()));
        let mut lines: Vec<_> = created.chain(updated).collect();
        lines.sort();
        lines.into_iter().map(|(_, text)| text).collect()
    }
}

/// Where a change comes from; nothing for one that came from no file.
fn line_of(line: usize) -> String {
    if line > 0 { format!("line {line}: ") } else { String::new() }
}

impl std::fmt::Display for Created {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let blank =
            Guest::new(self.guest.id, self.guest.event_id.clone(), String::new(), String::new(), self.guest.created_at);
        write!(f, "{}new {}", line_of(self.line), quoted(&self.guest.full_name()))?;
        for column in Column::ALL {
            let is_told = match column {
                Column::Code => self.code_given,
                Column::FirstName | Column::LastName => false,
                _ => !is_same(column, &blank, &self.guest),
            };
            if is_told {
                write!(f, ", {column} {}", shown(column, &self.guest))?;
            }
        }
        Ok(())
    }
}

impl std::fmt::Display for Updated {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}:", line_of(self.line), quoted(&self.before.full_name()))?;
        for (place, column) in self.fields.iter().enumerate() {
            let comma = if place > 0 { "," } else { "" };
            write!(f, "{comma} {column} {} -> {}", shown(*column, &self.before), shown(*column, &self.after))?;
        }
        let extras = self.after.extra_guests.saturating_sub(self.before.extra_guests);
        if extras > 0 {
            write!(f, " ({extras} of those coming are now beyond the number expected)")?;
        }
        Ok(())
    }
}
