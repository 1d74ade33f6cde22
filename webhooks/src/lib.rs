//! The HTTP doors through which providers hand over what people wrote.
//!
//! A door checks size, then authenticity, then syntax; it turns bytes into an [`Inbound`](domain::message::Inbound)
//! and answers with success only after the intake has committed it. Nothing is sent from here.

pub mod body;
mod delivery;
pub mod sms;
pub mod telegram;

use app::App;
use axum::Router;

use crate::{sms::TwilioDoor, telegram::TelegramDoor};

/// The doors that are open, and where they lead.
pub struct Doors {
    pub app: App,
    /// Open in webhook mode only.
    pub telegram: Option<TelegramDoor>,
    /// Twilio's, for texts and for what became of texts.
    pub sms: Option<TwilioDoor>,
}

/// All doors that are open; the others answer 404.
pub fn router(doors: Doors) -> Router {
    let mut router = Router::new();
    if let Some(door) = doors.telegram {
        router = router.merge(telegram::router(doors.app.clone(), door));
    }
    if let Some(door) = doors.sms {
        router = router.merge(sms::router(doors.app.clone(), door));
    }
    router
}
