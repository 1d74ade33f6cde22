//! guest_file
