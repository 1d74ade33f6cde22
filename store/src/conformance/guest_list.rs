//! The guest list as a host looks at it, and an event in numbers.

use domain::{
    conversation::Conversation,
    model::{EventId, Guest, Status},
};

use super::builders::*;
use crate::{Access, Commit, GuestChange, GuestQuery, GuestSort, Statistics, Store};

fn query() -> GuestQuery {
    GuestQuery::all_of(EventId::from(EVENT), 100)
}

/// The numbers of the guests that are listed, and how many there are in all.
async fn found(store: &dyn Store, query: &GuestQuery) -> (Vec<u8>, u64) {
    let list = store.find_guests(query).await.unwrap();
    (list.guests.iter().map(|guest| guest.id.0[11]).collect(), list.total)
}

async fn listed(store: &dyn Store, query: &GuestQuery) -> Vec<u8> {
    let (listed, total) = found(store, query).await;
    assert_eq!(total, listed.len() as u64);
    listed
}

/// 1 Anna comes with two others, 2 Ben declined, 3 Chloé waits, 4 Örjan comes and eats no nuts, 5 Maria is silent.
async fn party(store: &dyn Store) {
    let answered =
        |guest: Guest, status, num_guests, seconds| Guest { status, num_guests, rsvp_date: Some(at(seconds)), ..guest };
    let mut guests = vec![
        answered(Guest { expected_guests: 3, ..member(1, "Anna", "holloway") }, Status::Coming, 3, 40),
        answered(member(2, "Ben", "holloway"), Status::Declined, 0, 30),
        answered(guest(3, "Chloé", "Ångström-Lee"), Status::Waitlisted, 2, 20),
        answered(guest(4, "Örjan", "van der Berg"), Status::Coming, 1, 10),
        Guest { expected_guests: 2, ..guest(5, "Maria", "Santos") },
    ];
    guests[1].dietary = "nuts".to_owned();
    guests[3].dietary = "no nuts".to_owned();
    guests.push(Guest { event_id: EventId::from("picnic"), ..guest(9, "Anna", "Holloway") });
    invite(store, guests).await;
    let logins = [(1, 70), (2, 80)];
    let access = |(number, seconds)| Access { guest: guest_id(number), at: at(seconds), login: true };
    store.record_accesses(&logins.map(access)).await.unwrap();
}

pub async fn guests_are_filtered(store: &dyn Store) {
    party(store).await;
    assert_eq!(listed(store, &query()).await, [1, 2, 3, 4, 5]);
    for (status, expected) in [
        (Status::Coming, vec![1, 4]),
        (Status::Declined, vec![2]),
        (Status::Waitlisted, vec![3]),
        (Status::Pending, vec![5]),
    ] {
        assert_eq!(listed(store, &GuestQuery { status: Some(status), ..query() }).await, expected, "{status:?}");
    }
    let never = GuestQuery { never_logged_in: true, ..query() };
    assert_eq!(listed(store, &never).await, [3, 4, 5]);
    let needs = GuestQuery { with_dietary_needs: true, ..query() };
    assert_eq!(listed(store, &needs).await, [2, 4]);
    let both = GuestQuery { status: Some(Status::Coming), search: "berg".to_owned(), ..needs };
    assert_eq!(listed(store, &both).await, [4]);
    assert_eq!(listed(store, &GuestQuery { event: EventId::from("wedding"), ..query() }).await, Vec::<u8>::new());
}

pub async fn guests_are_searched_as_people_type_names(store: &dyn Store) {
    party(store).await;
    for (search, expected) in [
        ("holl", vec![1, 2]),
        ("ANNA holloway", vec![1]),
        ("Holloway (Ben)", vec![2]),
        ("angstrom", vec![3]),
        ("chloe", vec![3]),
        ("Van der Berg, Örjan", vec![4]),
        ("code5", vec![5]),
        ("nobody", vec![]),
        ("(", vec![]),
        (".*", vec![]),
        ("(a+)+$", vec![]),
        ("%", vec![]),
        (" ", vec![1, 2, 3, 4, 5]),
    ] {
        let query = GuestQuery { search: search.to_owned(), ..query() };
        assert_eq!(listed(store, &query).await, expected, "{search:?}");
    }
}

pub async fn a_new_name_and_a_new_code_are_found(store: &dyn Store) {
    party(store).await;
    let mut maria = store.guest(guest_id(5)).await.unwrap().unwrap();
    (maria.last_name, maria.token) = ("Quist".to_owned(), "Zebra-7".to_owned());
    done(store, Commit { at: at(90), guests: vec![GuestChange::Update(maria)], ..Commit::default() }).await;
    for (search, expected) in [("quist", vec![5]), ("zebra7", vec![5]), ("santos", vec![]), ("code5", vec![])] {
        assert_eq!(listed(store, &GuestQuery { search: search.to_owned(), ..query() }).await, expected, "{search:?}");
    }
    // What names are not made of is found as it is, and is no pattern.
    let mut maria = store.guest(guest_id(5)).await.unwrap().unwrap();
    maria.first_name = "Maria 🎉 [50%]".to_owned();
    done(store, Commit { at: at(91), guests: vec![GuestChange::Update(maria)], ..Commit::default() }).await;
    for (search, expected) in
        [("🎉", vec![5]), ("%", vec![5]), ("[50%]", vec![5]), ("quist %", vec![5]), ("[5]", vec![]), ("*", vec![])]
    {
        assert_eq!(listed(store, &GuestQuery { search: search.to_owned(), ..query() }).await, expected, "{search:?}");
    }
}

pub async fn guests_are_sorted_either_way(store: &dyn Store) {
    party(store).await;
    for (sort, expected) in [
        (GuestSort::Created, [1, 2, 3, 4, 5]),
        (GuestSort::Name, [3, 1, 2, 5, 4]),
        (GuestSort::Status, [1, 4, 2, 5, 3]),
        (GuestSort::Answered, [5, 4, 3, 2, 1]),
        (GuestSort::LastLogin, [3, 4, 5, 1, 2]),
    ] {
        assert_eq!(listed(store, &GuestQuery { sort, ..query() }).await, expected, "{sort:?}");
        let mut backwards = expected;
        backwards.reverse();
        assert_eq!(listed(store, &GuestQuery { sort, descending: true, ..query() }).await, backwards, "{sort:?}");
    }
}

pub async fn a_page_of_the_list_tells_how_many_there_are(store: &dyn Store) {
    party(store).await;
    let page = |skip, limit| GuestQuery { sort: GuestSort::Name, skip, limit, ..query() };
    assert_eq!(found(store, &page(0, 2)).await, (vec![3, 1], 5));
    assert_eq!(found(store, &page(2, 2)).await, (vec![2, 5], 5));
    assert_eq!(found(store, &page(4, 2)).await, (vec![4], 5));
    assert_eq!(found(store, &page(6, 2)).await, (vec![], 5));
    assert_eq!(found(store, &page(0, 0)).await, (vec![], 5));
}

pub async fn guests_whom_nothing_reaches_are_found(store: &dyn Store) {
    party(store).await;
    let unreachable = |number, logins: &[u8]| Conversation { unreachable: true, ..conversation(&chat(number), logins) };
    let there = vec![unreachable(1, &[1, 2]), unreachable(2, &[4]), conversation(&chat(3), &[2, 5])];
    remember(store, there).await;
    assert_eq!(listed(store, &GuestQuery { unreachable: true, ..query() }).await, [1, 4]);
}

pub async fn an_event_is_told_in_numbers(store: &dyn Store) {
    let count = async |event: &str| store.statistics(&EventId::from(event)).await.unwrap();
    assert_eq!(count(EVENT).await, Statistics::default());
    party(store).await;
    let expected = Statistics {
        invited: 5,
        expected: 8,
        coming: 2,
        head_count: 4,
        pending: 1,
        declined: 1,
        waitlisted: 1,
        with_allergies: 1,
        never_logged_in: 3,
    };
    assert_eq!(count(EVENT).await, expected);
    let one = Statistics { invited: 1, expected: 1, pending: 1, never_logged_in: 1, ..Statistics::default() };
    assert_eq!(count("picnic").await, one);
}
