//! Conversations as chats.

mod anytime;
mod changed;
mod counts;
mod dietary;
mod entrance;
mod extras;
mod family;
mod how_many;
mod keywords;
mod matrix;
mod properties;
mod sound;
mod taps;
mod wording;
mod world;
