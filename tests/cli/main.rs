//! The command line as a host uses it: the real program, in a folder of its own.

mod check;
mod events;
mod guests;
mod home;
mod usage;
