//! What a host may change about a guest, and what follows from it.

use chrono::{DateTime, Utc};

use crate::{
    activity::Actor,
    answer::{self, Answer, Decision, Extras, MOST_DIETARY, MOST_EXTRAS},
    guest_file::{self, Row},
    model::{AnsweredBy, Group, GroupId, Guest, GuestId, Status},
    rsvp,
};

/// What a host changes about one guest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// Name, size, phone, language, notes, whether a host. Code and group are changed elsewhere.
    pub record: Row,
    /// Alone: `coming` brings the whole record unless some of it comes already, the others bring nobody.
    pub status: Option<Status>,
    /// How many people of the record come: the person, then companions, then extras.
    pub num_guests: Option<u32>,
    pub dietary: Option<String>,
}

/// Why a change cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct EditError {
    /// The record's word for what cannot be used.
    pub field: &'static str,
    message: String,
}

impl EditError {
    fn new(field: &'static str, message: impl Into<String>) -> Self {
        Self { field, message: message.into() }
    }
}

/// Changes one guest of a group. Deadlines do not bind a host. Returns all members: extras may have moved to another.
///
/// # Errors
/// When a value cannot be used.
pub fn apply(group: &Group, id: GuestId, edit: &Edit, by: &Actor, now: DateTime<Utc>) -> Result<Vec<Guest>, EditError> {
    let mut group = group.clone();
    let Some(guest) = group.members.iter_mut().find(|guest| guest.id == id) else { return Ok(group.members) };
    guest_file::write_into(guest, &edit.record);
    let mut answer = Answer { decisions: Vec::new(), extras: Extras::Keep, dietary: Vec::new() };
    if let Some((decision, extras)) = decision(guest, edit.status, edit.num_guests)? {
        answer.decisions.push((id, decision));
        answer.extras = extras;
    }
    if let Some(dietary) = edit.dietary.as_deref().map(str::trim) {
        if dietary.chars().count() > MOST_DIETARY {
            return Err(EditError::new("dietary", format!("is longer than {MOST_DIETARY} characters; shorten it")));
        }
        answer.dietary.push((id, dietary.to_owned()));
    }
    // Extras sit with the record that is changed; it is the host who answered.
    let applied = answer::apply(&group, &answer, &AnsweredBy { guest_id: id, channel: by.channel }, now);
    let mut members = applied.members;
    for (before, after) in group.members.iter().zip(&mut members) {
        if after.answered_by != before.answered_by && after.answered_by.is_some() {
            after.answered_by = by.guest_id.map(|guest_id| AnsweredBy { guest_id, channel: by.channel });
        }
    }
    Ok(members)
}

/// What status and number decide together; nothing where neither is given, or the record says so already.
fn decision(
    guest: &Guest,
    status: Option<Status>,
    count: Option<u32>,
) -> Result<Option<(Decision, Extras)>, EditError> {
    let nobody = |decision| match count {
        None | Some(0) => Ok(Some((decision, Extras::Keep))),
        Some(_) => Err(EditError::new("numGuests", "must be 0 for somebody who does not come")),
    };
    match (status, count) {
        (None, None) => Ok(None),
        (Some(Status::Waitlisted), None) if guest.status == Status::Waitlisted => Ok(None),
        (Some(Status::Waitlisted), _) => {
            Err(EditError::new("status", "must be pending, coming or declined; the waiting list fills itself"))
        }
        (Some(Status::Coming), None) if guest.status == Status::Coming => Ok(None),
        (Some(Status::Coming), None) => Ok(Some((Decision::everybody(guest), Extras::OfAnswering(0)))),
        (Some(Status::Coming), Some(0)) => {
            Err(EditError::new("numGuests", "must be at least 1 for somebody who comes"))
        }
        (Some(Status::Pending), _) => nobody(Decision::LeaveOpen),
        (Some(Status::Declined), _) | (None, Some(0)) => nobody(Decision::NOBODY),
        (None | Some(Status::Coming), Some(count)) => {
            let (decision, extras) = rsvp::spread(guest, count);
            if extras > MOST_EXTRAS {
                let most = guest.expected_guests + MOST_EXTRAS;
                return Err(EditError::new("numGuests", format!("must be at most {most}; raise expectedGuests first")));
            }
            Ok(Some((decision, Extras::OfAnswering(extras))))
        }
    }
}

/// The fields, answers apart, that differ between two states of a record.
#[must_use]
pub fn edited_fields(before: &Guest, after: &Guest) -> Vec<&'static str> {
    let fields = [
        ("first_name", before.first_name != after.first_name),
        ("last_name", before.last_name != after.last_name),
        ("expected", before.expected_guests != after.expected_guests),
        ("phone", before.phone != after.phone),
        ("language", before.locale != after.locale),
        ("admin", before.is_admin != after.is_admin),
        ("notes", before.notes != after.notes),
    ];
    fields.into_iter().filter(|(_, differs)| *differs).map(|(field, _)| field).collect()
}

/// Whether an answer that is being given rests on what differs: an answer, a name or a size.
#[must_use]
pub fn counts(before: &[Guest], after: &[Guest]) -> bool {
    let facts = |guest: &Guest| {
        (
            crate::activity::AnswerFacts::from(guest),
            guest.first_name.clone(),
            guest.last_name.clone(),
            guest.expected_guests,
        )
    };
    before.iter().map(facts).ne(after.iter().map(facts))
}

/// Gives the record another name.
pub fn rename(guest: &mut Guest, first_name: &str, last_name: &str) {
    first_name.clone_into(&mut guest.first_name);
    last_name.clone_into(&mut guest.last_name);
}

/// Puts the record into a group, or out of any. What it answered stays its own.
pub fn move_to(guest: &mut Guest, group: Option<GroupId>) {
    guest.group_id = group;
}

/// Changes how many people the record stands for (at least 1). How many come stays as it was answered: companions
/// for whom there is no place any more become extras, and extras for whom there is a new place become companions.
pub fn set_expected(guest: &mut Guest, expected: u32) {
    let places_before = guest.companions();
    guest.expected_guests = expected.max(1);
    let places = guest.companions();
    let surplus = guest.companions_coming.saturating_sub(places);
    let placed = guest.extra_guests.min(places.saturating_sub(places_before));
    guest.companions_coming = guest.companions_coming - surplus + placed;
    guest.extra_guests = guest.extra_guests + surplus - placed;
    // No record comes by extras alone: one of those who come takes the place that the record still has.
    if !guest.self_coming && guest.companions_coming == 0 && guest.extra_guests > 0 {
        guest.self_coming = true;
        guest.extra_guests -= 1;
    }
    answer::count(guest);
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;

    use super::*;
    use crate::model::{EventId, GuestId, Status};

    /// (self, companions, extras) of a record of `expected` people before and after a host makes it `new`.
    fn after(expected: u32, (own, companions, extra): (bool, u32, u32), new: u32) -> (bool, u32, u32) {
        let mut guest =
            Guest::new(GuestId([1; 12]), EventId::from("e"), "Doe".into(), "K7QF2M".into(), DateTime::UNIX_EPOCH);
        guest.status = Status::Coming;
        guest.expected_guests = expected;
        (guest.self_coming, guest.companions_coming, guest.extra_guests) = (own, companions, extra);
        answer::count(&mut guest);
        let coming = guest.num_guests;
        set_expected(&mut guest, new);
        assert_eq!(guest.num_guests, coming, "nobody is uninvited by it");
        assert_eq!(guest.expected_guests, new.max(1));
        (guest.self_coming, guest.companions_coming, guest.extra_guests)
    }

    #[test]
    fn fewer_places_turn_companions_into_extras_and_more_places_turn_extras_into_companions() {
        for (expected, before, new, then) in [
            (3, (true, 2, 0), 2, (true, 1, 1)),
            (3, (true, 2, 0), 1, (true, 0, 2)),
            (3, (true, 1, 0), 2, (true, 1, 0)),
            (3, (false, 2, 1), 2, (false, 1, 2)),
            // Never by extras alone.
            (3, (false, 2, 0), 1, (true, 0, 1)),
            (2, (true, 1, 1), 3, (true, 2, 0)),
            (2, (true, 1, 3), 3, (true, 2, 2)),
            // A companion stays at home: only the new place is filled.
            (3, (true, 1, 2), 4, (true, 2, 1)),
            (2, (true, 0, 1), 2, (true, 0, 1)),
            (2, (true, 1, 0), 0, (true, 0, 1)),
        ] {
            assert_eq!(after(expected, before, new), then, "{expected} {before:?} -> {new}");
        }
    }

    #[test]
    fn a_record_that_has_not_answered_only_changes_its_size() {
        let mut guest =
            Guest::new(GuestId([1; 12]), EventId::from("e"), "Doe".into(), "K7QF2M".into(), DateTime::UNIX_EPOCH);
        set_expected(&mut guest, 4);
        assert_eq!((guest.status, guest.num_guests, guest.companions()), (Status::Pending, 0, 3));
    }

    fn a_group() -> Group {
        let guest = |(number, expected): (u8, u32)| {
            let (id, event) = (GuestId([number; 12]), EventId::from("e"));
            let mut guest = Guest::new(id, event, "Doe".into(), "K7QF2M".into(), DateTime::UNIX_EPOCH);
            guest.expected_guests = expected;
            guest
        };
        let members = [(1, 3), (2, 1)].into_iter().map(guest).collect();
        Group { key: crate::model::GroupKey("e/g/doe".to_owned()), version: 1, members }
    }

    fn edit(status: Option<Status>, num_guests: Option<u32>) -> Edit {
        let record = guest_file::read_values(&[], &guest_file::ReadDefaults::default()).unwrap();
        Edit { record, status, num_guests, dietary: None }
    }

    fn edited(group: &mut Group, number: u8, edit: &Edit) -> String {
        let host = Actor { guest_id: Some(GuestId([9; 12])), channel: crate::address::Channel::Web, as_host: true };
        match apply(group, GuestId([number; 12]), edit, &host, DateTime::UNIX_EPOCH) {
            Ok(members) => {
                group.members = members;
                let shown = |guest: &Guest| {
                    let (own, companions) = (u8::from(guest.self_coming), guest.companions_coming);
                    format!("{} {own}+{companions}+{}", guest.status.as_str(), guest.extra_guests)
                };
                group.members.iter().map(shown).collect::<Vec<_>>().join(", ")
            }
            Err(error) => format!("{}: {error}", error.field),
        }
    }

    #[test]
    fn a_status_alone_brings_the_whole_record_or_nobody() {
        let mut group = a_group();
        for (status, count, expected) in [
            (Some(Status::Coming), None, "coming 1+2+0, pending 0+0+0"),
            (None, Some(2), "coming 1+1+0, pending 0+0+0"),
            (Some(Status::Coming), None, "coming 1+1+0, pending 0+0+0"),
            (None, Some(5), "coming 1+2+2, pending 0+0+0"),
            (None, Some(24), "numGuests: must be at most 23; raise expectedGuests first"),
            (Some(Status::Declined), Some(1), "numGuests: must be 0 for somebody who does not come"),
            (Some(Status::Coming), Some(0), "numGuests: must be at least 1 for somebody who comes"),
            (
                Some(Status::Waitlisted),
                None,
                "status: must be pending, coming or declined; the waiting list fills itself",
            ),
            (Some(Status::Pending), None, "pending 0+0+0, pending 0+0+0"),
            (Some(Status::Coming), Some(1), "coming 1+0+0, pending 0+0+0"),
            (None, Some(0), "declined 0+0+0, pending 0+0+0"),
        ] {
            assert_eq!(edited(&mut group, 1, &edit(status, count)), expected, "{status:?} {count:?}");
        }
        assert_eq!(group.members[0].answered_by.as_ref().map(|by| by.guest_id), Some(GuestId([9; 12])));
    }

    #[test]
    fn extras_move_on_where_a_host_declines_for_their_record() {
        let mut group = a_group();
        edited(&mut group, 2, &edit(Some(Status::Coming), None));
        assert_eq!(edited(&mut group, 1, &edit(None, Some(4))), "coming 1+2+1, coming 1+0+0");
        assert_eq!(edited(&mut group, 1, &edit(Some(Status::Declined), None)), "declined 0+0+0, coming 1+0+1");
    }

    #[test]
    fn values_are_meant_as_they_stand() {
        let read = |values: &[_]| guest_file::read_values(values, &guest_file::ReadDefaults { region: Some("GB") });
        let row = read(&[
            (guest_file::Column::FirstName, Some("-")),
            (guest_file::Column::LastName, Some("=Ek")),
            (guest_file::Column::Phone, Some("+44 7700 900123")),
            (guest_file::Column::Notes, None),
        ]);
        let mut guest =
            Guest::new(GuestId([1; 12]), EventId::from("e"), "Doe".into(), "K7QF2M".into(), DateTime::UNIX_EPOCH);
        guest.notes = Some("old".to_owned());
        guest_file::write_into(&mut guest, &row.unwrap());
        assert_eq!((guest.first_name.as_str(), guest.last_name.as_str(), guest.notes), ("-", "=Ek", None));
        assert_eq!(guest.phone.as_deref(), Some("+447700900123"));
        assert!(read(&[(guest_file::Column::LastName, Some(" "))]).is_err());
    }
}
