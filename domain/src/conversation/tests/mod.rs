//! Conversations as chats.

mod anytime;
mod changed;
mod counts;
mod deadline;
mod dietary;
mod entrance;
mod extras;
mod family;
mod for_whom;
mod host;
mod host_hours;
mod how_many;
mod keywords;
mod lockout;
mod logins;
mod matrix;
mod only_me;
mod properties;
mod reminded;
mod several_guests;
mod sound;
mod taps;
mod wording;
pub(crate) mod world;
