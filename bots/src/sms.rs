//! SMS
