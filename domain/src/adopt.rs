//! The data of the published web application in our model.
//!
//! There a guest knows no event, nobody is named as a companion, and one member of a group carries the number of all
//! who come from it, while the others are coming with 0.

use std::collections::{BTreeMap, HashSet};

use chrono::{DateTime, Utc};

use crate::{
    model::{EventId, GroupId, Guest, GuestId, Status},
    name,
};

/// A guest as the published application keeps one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PublishedGuest {
    /// A UUID.
    pub id: String,
    pub first_name: String,
    pub last_name: String,
    pub token: String,
    pub status: String,
    pub num_guests: u32,
    pub dietary: String,
    pub expected_guests: u32,
    pub is_admin: bool,
    pub group_id: Option<String>,
    pub rsvp_date: Option<DateTime<Utc>>,
    pub last_login: Option<DateTime<Utc>>,
    pub last_access: Option<DateTime<Utc>>,
    pub created_at: Option<DateTime<Utc>>,
}

/// Why a guest cannot be brought over.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("guest {id}: {message}")]
pub struct AdoptError {
    pub id: String,
    pub message: String,
}

/// The guests as ours, in the order in which they were made; `now` for those that do not say when.
///
/// # Errors
/// Every guest that cannot be brought over.
pub fn adopt(published: &[PublishedGuest], event: &EventId, now: DateTime<Utc>) -> Result<Vec<Guest>, Vec<AdoptError>> {
    let errors = faults(published);
    if !errors.is_empty() {
        return Err(errors);
    }
    let mut guests: Vec<Guest> = published.iter().map(|guest| record(guest, event, now)).collect();
    guests.sort_by_key(|guest| (guest.created_at, guest.id));
    let mut parties: BTreeMap<String, Vec<&mut Guest>> = BTreeMap::new();
    for guest in &mut guests {
        parties.entry(guest.group_key().0).or_default().push(guest);
    }
    parties.into_values().for_each(spread);
    Ok(guests)
}

fn faults(published: &[PublishedGuest]) -> Vec<AdoptError> {
    let mut tokens = HashSet::new();
    let mut errors = Vec::new();
    for guest in published {
        let mut wrong = |message: &str| errors.push(AdoptError { id: guest.id.clone(), message: message.to_owned() });
        if name::is_blank(&guest.last_name) {
            wrong("it has no lastName; give it one, since guests log in with it");
        }
        if guest.token.trim().is_empty() {
            wrong("it has no token; give it one, since guests log in with it");
        } else if !tokens.insert(guest.token.trim()) {
            wrong("another guest has the same token; give it another");
        }
        if Status::from_stored(&guest.status).is_none() {
            wrong("its status is none of pending, coming, declined; correct it");
        }
    }
    errors
}

fn record(published: &PublishedGuest, event: &EventId, now: DateTime<Utc>) -> Guest {
    let created_at = published.created_at.unwrap_or(now);
    let id = GuestId::new(created_at, spread_bits(&published.id).to_be_bytes());
    let token = published.token.trim().to_owned();
    let mut guest = Guest::new(id, event.clone(), name::clean(&published.last_name), token, created_at);
    guest.first_name = name::clean(&published.first_name);
    guest.status = Status::from_stored(&published.status).unwrap_or(Status::Pending);
    guest.num_guests = published.num_guests;
    guest.dietary = published.dietary.trim().to_owned();
    guest.expected_guests = published.expected_guests.max(1);
    guest.is_admin = published.is_admin;
    let group = published.group_id.as_deref().map(str::trim).filter(|group| !group.is_empty());
    guest.group_id = group.map(GroupId::from);
    guest.rsvp_date = published.rsvp_date;
    (guest.last_login, guest.last_access) = (published.last_login, published.last_access);
    guest
}

/// The same for the same text (FNV-1a): so that a guest has one id whenever they are brought over.
fn spread_bits(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Spreads the number of those who come over the members that are coming: first themselves, beginning with who carries
/// the number; then their companions; the rest are extras of that record. Who is left with nobody has not answered.
fn spread(mut party: Vec<&mut Guest>) {
    let mut left: u32 = 0;
    for guest in &mut party {
        if guest.status == Status::Coming {
            left = left.saturating_add(guest.num_guests);
        }
    }
    party.sort_by_key(|guest| guest.num_guests == 0);
    let mut take = |most: u32| {
        let taken = most.min(left);
        left -= taken;
        taken
    };
    for guest in party.iter_mut().filter(|guest| guest.status == Status::Coming) {
        guest.self_coming = take(1) == 1;
    }
    for guest in party.iter_mut().filter(|guest| guest.self_coming) {
        guest.companions_coming = take(guest.companions());
    }
    for guest in party {
        if guest.self_coming {
            guest.extra_guests = take(u32::MAX);
        } else if guest.status == Status::Coming {
            (guest.status, guest.rsvp_date) = (Status::Pending, None);
        }
        guest.num_guests =
            u32::from(guest.self_coming).saturating_add(guest.companions_coming).saturating_add(guest.extra_guests);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn published(id: &str, group: &str, status: &str, num_guests: u32, expected_guests: u32) -> PublishedGuest {
        PublishedGuest {
            id: id.to_owned(),
            last_name: "Doe".to_owned(),
            token: format!("code-{id}"),
            status: status.to_owned(),
            num_guests,
            expected_guests,
            group_id: (!group.is_empty()).then(|| group.to_owned()),
            created_at: DateTime::from_timestamp(1_700_000_000 + i64::from(id.as_bytes()[0]), 0),
            ..PublishedGuest::default()
        }
    }

    /// Each as "status self+companions+extras".
    fn adopted(guests: &[PublishedGuest]) -> Vec<String> {
        let adopted = adopt(guests, &EventId::from("party"), DateTime::default()).unwrap();
        let shown = |guest: &Guest| {
            assert_eq!(guest.num_guests, u32::from(guest.self_coming) + guest.companions_coming + guest.extra_guests);
            let (companions, extras) = (guest.companions_coming, guest.extra_guests);
            format!("{} {}+{companions}+{extras}", guest.status.as_str(), u8::from(guest.self_coming))
        };
        adopted.iter().map(shown).collect()
    }

    #[test]
    fn the_groups_number_is_spread_over_its_members() {
        for (carried, expected) in [
            (1, ["pending 0+0+0", "coming 1+0+0", "pending 0+0+0"]),
            (2, ["coming 1+0+0", "coming 1+0+0", "pending 0+0+0"]),
            (3, ["coming 1+0+0", "coming 1+0+0", "coming 1+0+0"]),
            (5, ["coming 1+0+0", "coming 1+1+0", "coming 1+1+0"]),
            (7, ["coming 1+0+0", "coming 1+1+2", "coming 1+1+0"]),
        ] {
            let group = [
                published("a", "doe", "coming", 0, 1),
                published("b", "doe", "coming", carried, 2),
                published("c", "doe", "coming", 0, 2),
                published("d", "doe", "declined", 0, 1),
                published("e", "doe", "pending", 0, 1),
            ];
            let mut all = expected.to_vec();
            all.extend(["declined 0+0+0", "pending 0+0+0"]);
            assert_eq!(adopted(&group), all, "{carried}");
        }
    }

    #[test]
    fn a_guest_without_a_group_stands_alone() {
        let guests = [
            published("a", "", "coming", 3, 2),
            published("b", "", "coming", 0, 2),
            published("c", "", "declined", 2, 0),
        ];
        assert_eq!(adopted(&guests), ["coming 1+1+1", "pending 0+0+0", "declined 0+0+0"]);
    }

    #[test]
    fn a_guest_has_the_same_id_each_time() {
        let one = adopt(&[published("a", "", "pending", 0, 1)], &EventId::from("party"), DateTime::default()).unwrap();
        let again = adopt(&[published("a", "", "pending", 0, 1)], &EventId::from("party"), DateTime::default());
        assert_eq!(Ok(one), again);
    }

    #[test]
    fn all_that_is_wrong_is_told_at_once() {
        let mut nameless = published("a", "", "pending", 0, 1);
        nameless.last_name = " ".to_owned();
        let twice = PublishedGuest { token: "code-a".to_owned(), ..published("b", "", "maybe", 0, 1) };
        let errors = adopt(&[nameless, twice], &EventId::from("party"), DateTime::default()).unwrap_err();
        let told: Vec<String> = errors.iter().map(ToString::to_string).collect();
        assert_eq!(
            told,
            [
                "guest a: it has no lastName; give it one, since guests log in with it",
                "guest b: another guest has the same token; give it another",
                "guest b: its status is none of pending, coming, declined; correct it",
            ]
        );
    }
}
