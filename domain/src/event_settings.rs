//! event_settings
