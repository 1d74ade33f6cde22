//! The guests of a made-up party, always the same ones.

use chrono::{DateTime, TimeDelta, Utc};
use chrono_tz::Tz;
use domain::{
    address::Address,
    code,
    model::{Admission, DigestSettings, Event, EventId, GroupId, Guest, GuestId, ReminderSettings},
};

const FIRST_NAMES: [&str; 16] = [
    "Anna",
    "Ben",
    "Cleo",
    "Oluwaseun",
    "Zoë",
    "Søren",
    "Marie-Claire",
    "José",
    "Nguyệt",
    "Dave",
    "Ibrahim",
    "Ólafur",
    "Siobhán",
    "Chiara",
    "Wei",
    "Ekaterina",
];
const LAST_NAMES: [&str; 16] = [
    "Holloway",
    "O’Brien",
    "van der Berg",
    "Lindqvist",
    "Núñez",
    "Okafor",
    "Müller",
    "Santos",
    "Tanner",
    "Kovalenko",
    "D'Angelo",
    "Smith-Jones",
    "Þórsson",
    "Nguyen",
    "El Amrani",
    "Castelli",
];

/// Telegram's ids have ten digits by now.
const FIRST_USER: i64 = 7_100_000_000;

/// Who belongs together. One person of each speaks: what Convive tells the others is held to Telegram's thirty a
/// second by design, so that under load only that pace would be seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Three records, one of them with a child.
    Family,
    Couple,
    /// One record that stands for so many people.
    Single(u32),
}

/// Ten records: one family, one couple, five singles.
pub const SHAPES: [Shape; 7] = [
    Shape::Family,
    Shape::Single(1),
    Shape::Couple,
    Shape::Single(3),
    Shape::Single(1),
    Shape::Single(2),
    Shape::Single(1),
];
/// Records of one round of [`SHAPES`].
pub const RECORDS_A_ROUND: usize = 10;

impl Shape {
    fn expected(self) -> &'static [u32] {
        match self {
            Self::Family => &[1, 1, 2],
            Self::Couple => &[1, 1],
            Self::Single(1) => &[1],
            Self::Single(2) => &[2],
            Self::Single(_) => &[3],
        }
    }
}

/// People who answer together, and the chat of the one who speaks (the first).
#[derive(Debug, Clone)]
pub struct Party {
    pub shape: Shape,
    pub guests: Vec<Guest>,
    pub user: i64,
}

impl Party {
    pub fn address(&self) -> Address {
        Address::telegram(self.user)
    }
}

pub fn event_id() -> EventId {
    EventId::from("harbour-supper")
}

/// Open for answers for weeks after `now`.
pub fn event(now: DateTime<Utc>) -> Event {
    Event {
        id: event_id(),
        name: "Harbour Supper".to_owned(),
        starts_at: now + TimeDelta::days(60),
        ends_at: None,
        time_zone: Tz::Europe__London,
        rsvp_deadline: Some(now + TimeDelta::days(40)),
        capacity: None,
        seats_taken: None,
        admission: Admission::Invitation,
        place: Some("The Old Boathouse".to_owned()),
        address: Some("12 Harbour Road, Whitby".to_owned()),
        dress_code: Some("nautical".to_owned()),
        schedule: Some("18:00 drinks, 19:00 supper, 22:00 dancing".to_owned()),
        host_contact: Some("Mia, 07700 900555".to_owned()),
        default_locale: "en".to_owned(),
        phone_region: Some("GB".to_owned()),
        reminders: ReminderSettings::default(),
        digest: DigestSettings::default(),
        cancelled_at: None,
        version: 0,
    }
}

/// All parties of a list of `guests` records, a multiple of [`RECORDS_A_ROUND`].
pub fn parties(guests: usize, now: DateTime<Utc>) -> impl Iterator<Item = Party> {
    let mut random = Random::new(0x5EED);
    (0..guests / RECORDS_A_ROUND * SHAPES.len()).map(move |number| party(number, now, &mut random))
}

fn party(number: usize, now: DateTime<Utc>, random: &mut Random) -> Party {
    let shape = SHAPES[number % SHAPES.len()];
    let last_name = LAST_NAMES[random.below(LAST_NAMES.len())];
    let first = random.below(FIRST_NAMES.len());
    let guests: Vec<Guest> = shape
        .expected()
        .iter()
        .enumerate()
        .map(|(place, expected)| {
            let id = GuestId::new(now, random.next().to_be_bytes());
            // In a group the order is that of creation: here as in the store.
            let created_at = now + TimeDelta::milliseconds(i64::try_from(place).unwrap_or_default());
            let mut guest = Guest::new(id, event_id(), last_name.to_owned(), code(random), created_at);
            guest.first_name = FIRST_NAMES[(first + place) % FIRST_NAMES.len()].to_owned();
            guest.expected_guests = *expected;
            guest.group_id = (shape.expected().len() > 1).then(|| GroupId(format!("party-{number}")));
            guest
        })
        .collect();
    Party { shape, guests, user: FIRST_USER + i64::try_from(number).unwrap_or_default() }
}

fn code(random: &mut Random) -> String {
    (0..code::LENGTH).map(|_| char::from(code::ALPHABET[random.below(code::ALPHABET.len())])).collect()
}

/// Numbers that look random and are the same every time (SplitMix64).
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    pub fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % (end.max(1) as u64)).unwrap_or_default()
    }
}
