//! What a host may change about a guest, and what follows from it.

use crate::{
    answer,
    model::{GroupId, Guest},
};

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
}
