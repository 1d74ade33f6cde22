//! Conversations as chats.

mod family;
mod how_many;
mod world;
