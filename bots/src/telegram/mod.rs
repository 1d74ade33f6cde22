//! Telegram
