//! The guest list as a file that spreadsheets open safely and that import reads back unchanged.

use std::{borrow::Cow, collections::HashMap};

use chrono::SecondsFormat;

use super::{Column, columns::EXPORT_ONLY, guard};
use crate::model::{AnsweredBy, Event, Guest, GuestId};

/// Spreadsheets take a file for UTF-8 only with it.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// The byte order mark and the header line.
#[must_use]
pub fn header() -> String {
    let names = Column::ALL.map(Column::as_str);
    let mut text = String::from(BYTE_ORDER_MARK);
    push_line(&mut text, names.into_iter().chain(EXPORT_ONLY).map(Cow::Borrowed));
    text
}

/// One guest's line. `answered_by` is the guest who gave the present answer, if they are still there.
#[must_use]
pub fn line(guest: &Guest, event: &Event, answered_by: Option<&Guest>) -> String {
    let own = Column::ALL.map(|column| own_cell(column, guest));
    let answered_at = guest.rsvp_date.map(|at| {
        let local = at.with_timezone(&event.time_zone);
        local.to_rfc3339_opts(SecondsFormat::Secs, false)
    });
    let export_only: [Cow<'_, str>; EXPORT_ONLY.len()] = [
        guest.status.as_str().into(),
        guest.num_guests.to_string().into(),
        guest.dietary_to_cater().into(),
        guest.extra_guests.to_string().into(),
        answered_at.unwrap_or_default().into(),
        guest.answered_by.as_ref().map(|by| who_answered(by, answered_by)).unwrap_or_default().into(),
    ];
    let mut text = String::new();
    push_line(&mut text, own.into_iter().chain(export_only));
    text
}

/// All guests of an event, in the order given.
#[must_use]
pub fn write(guests: &[Guest], event: &Event) -> Vec<u8> {
    let by_id: HashMap<GuestId, &Guest> = guests.iter().map(|guest| (guest.id, guest)).collect();
    let mut text = header();
    for guest in guests {
        let answered_by = guest.answered_by.as_ref().and_then(|by| by_id.get(&by.guest_id).copied());
        text.push_str(&line(guest, event, answered_by));
    }
    text.into_bytes()
}

fn own_cell(column: Column, guest: &Guest) -> Cow<'_, str> {
    match column {
        Column::Code => guest.token.as_str().into(),
        Column::FirstName => guest.first_name.as_str().into(),
        Column::LastName => guest.last_name.as_str().into(),
        Column::Group => guest.group_id.as_ref().map_or("", |id| id.as_str()).into(),
        Column::Expected => guest.expected_guests.to_string().into(),
        Column::Phone => guest.phone.as_deref().unwrap_or_default().into(),
        Column::Language => guest.locale.as_deref().unwrap_or_default().into(),
        Column::Admin => if guest.is_admin { "yes" } else { "" }.into(),
        Column::Notes => guest.notes.as_deref().unwrap_or_default().into(),
    }
}

fn who_answered(by: &AnsweredBy, guest: Option<&Guest>) -> String {
    let name = guest.map(Guest::full_name).unwrap_or_default();
    format!("{name} ({})", by.channel).trim_start().to_owned()
}

fn push_line<'a>(text: &mut String, cells: impl Iterator<Item = Cow<'a, str>>) {
    for (place, cell) in cells.enumerate() {
        if place > 0 {
            text.push(',');
        }
        push_cell(text, &guard::guard(&cell));
    }
    text.push_str("\r\n");
}

/// Quoted where it must be, and where spaces around it could get lost.
fn push_cell(text: &mut String, cell: &str) {
    let needs_quotes = cell.contains(['"', ',', ';', '\t', '\r', '\n']) || cell.trim() != cell;
    if needs_quotes {
        text.push('"');
        text.push_str(&cell.replace('"', "\"\""));
        text.push('"');
    } else {
        text.push_str(cell);
    }
}
