//! Files as spreadsheets write them, and what becomes of them.

mod planning;
mod reading;
mod round_trip;

use chrono::{DateTime, Utc};

use super::*;
use crate::{
    event_settings,
    model::{Event, EventId, Guest, GuestId},
};

fn now() -> DateTime<Utc> {
    "2026-10-01T12:00:00Z".parse().unwrap()
}

fn event() -> Event {
    let pair = |key: &str, value: &str| (key.to_owned(), value.to_owned());
    let pairs = [
        pair("name", "Harbour Supper"),
        pair("starts_at", "2026-11-28T18:00"),
        pair("time_zone", "America/Chicago"),
        pair("phone_region", "GB"),
    ];
    event_settings::apply(None, &pairs, None, chrono::DateTime::UNIX_EPOCH).unwrap()
}

const BRITISH: ReadDefaults<'_> = ReadDefaults { region: Some("GB") };

fn lines<T: ToString>(list: &[T]) -> String {
    list.iter().map(|entry| entry.to_string() + "\n").collect()
}

/// Ids 01, 02, ... and codes NEWCODE1, NEWCODE2, ...
fn maker() -> impl FnMut() -> (GuestId, String) {
    let mut count: u8 = 0;
    move || {
        count += 1;
        (GuestId([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, count]), format!("NEWCODE{count}"))
    }
}

fn planned(file: &str, existing: &[Guest]) -> Result<Plan, Vec<LineError>> {
    let sheet = read(file.as_bytes(), &BRITISH)?;
    plan(&sheet, existing, &mut maker(), &event().id, now())
}

/// The guests after importing a file, those already there first.
fn imported(existing: &[Guest], file: &[u8]) -> Vec<Guest> {
    let sheet = read(file, &BRITISH).unwrap_or_else(|errors| panic!("{}", lines(&errors)));
    let plan =
        plan(&sheet, existing, &mut maker(), &event().id, now()).unwrap_or_else(|errors| panic!("{}", lines(&errors)));
    let mut guests = existing.to_vec();
    for updated in plan.updated {
        if let Some(guest) = guests.iter_mut().find(|guest| guest.id == updated.after.id) {
            *guest = updated.after;
        }
    }
    guests.extend(plan.created.into_iter().map(|created| created.guest));
    guests
}

fn guest(number: u8, code: &str, first: &str, last: &str, group: Option<&str>) -> Guest {
    let id = GuestId([9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, number]);
    let mut guest = Guest::new(id, EventId::from("harbour-supper"), last.to_owned(), code.to_owned(), now());
    guest.first_name = first.to_owned();
    guest.group_id = group.map(Into::into);
    guest
}
