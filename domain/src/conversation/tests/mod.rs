//! Conversations as chats.

mod family;
mod world;
