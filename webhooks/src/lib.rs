//! The HTTP doors through which providers hand over what people wrote.
//!
//! A door checks size, then authenticity, then syntax; it turns bytes into an [`Inbound`](domain::message::Inbound)
//! and answers with success only after the intake has committed it. Nothing is sent from here.

pub mod body;
pub mod telegram;

use app::App;
use axum::Router;

use crate::telegram::TelegramDoor;

/// The doors that are open, and where they lead.
pub struct Doors {
    pub app: App,
    /// Open in webhook mode only.
    pub telegram: Option<TelegramDoor>,
}

/// All doors that are open; the others answer 404.
pub fn router(doors: Doors) -> Router {
    let mut router = Router::new();
    if let Some(door) = doors.telegram {
        router = router.merge(telegram::router(doors.app.clone(), door));
    }
    router
}
