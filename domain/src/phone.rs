//! phone
