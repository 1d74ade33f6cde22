//! What the host and the machine's keeper see over HTTP.

pub mod operations;
