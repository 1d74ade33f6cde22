//! sms_text
