//! Twilio
