//! convive
