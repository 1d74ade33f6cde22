//! Who is invited to what, and what everybody is called.

/// Where providers reach the program, as far as they know.
pub const PUBLIC_URL: &str = "https://rsvp.example.org";
pub const WEBHOOK_SECRET: &str = "s3cret-of-the-Webhook_1";
/// Our number.
pub const OURS: &str = "+447700900999";
/// Anna's phone.
pub const PHONE: &str = "+447700900123";

/// The guest file, unless a story has its own.
pub const GUESTS: &str = "\
code,first_name,last_name,group,expected,phone,admin
K7QF2M,Anna,Holloway,P7,1,,
B3NH4Z,Ben,Holloway,P7,1,,
C7E9HW,Cleo,Holloway,P7,1,,
H4TR8W,Maria,Santos,P8,1,,
P9DX3C,Maria,Santos,P9,1,,
B8TAN7,Bob,Tanner,,3,,
M9STHE,Mia,Hart,,1,,yes
";

/// The settings of the event.
pub const EVENT: [(&str, &str); 8] = [
    ("name", "Harbour Supper"),
    ("starts_at", "2026-11-28T18:00"),
    ("time_zone", "Europe/London"),
    ("rsvp_deadline", "2026-11-20"),
    ("place", "The Old Boathouse"),
    ("dress_code", "nautical"),
    ("host_contact", "Mia, 07700 900555"),
    ("phone_region", "GB"),
];

/// The code of a member of the choir, counted from 0.
pub fn choir_code(number: usize) -> String {
    const LETTERS: &[u8] = b"ABCDEFGHJK234567";
    format!("CHWR{}{}", char::from(LETTERS[number / 10]), char::from(LETTERS[number % 10]))
}

/// A guest file of a large group of people, all called `name` and a number.
pub fn choir(size: usize, name: &str) -> String {
    let rows = (0..size).map(|number| {
        let code = choir_code(number);
        format!("{code},{name} {number},Choir,choir\n")
    });
    std::iter::once("code,first_name,last_name,group\n".to_owned()).chain(rows).collect()
}
