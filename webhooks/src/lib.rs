//! The HTTP doors through which providers hand over what people wrote.
//!
//! A door checks size, then authenticity, then syntax; it turns bytes into an [`Inbound`](domain::message::Inbound)
//! and answers with success only after the intake has committed it. Nothing is sent from here.

pub mod body;
mod delivery;
pub mod sms;
pub mod telegram;

use app::App;
use axum::{Router, http::StatusCode, routing::post};
use bots::telegram::setup::WEBHOOK_PATH;

use crate::{sms::TwilioDoor, telegram::TelegramDoor};

/// The doors that are open, and where they lead.
pub struct Doors {
    pub app: App,
    /// Open in webhook mode only.
    pub telegram: Option<TelegramDoor>,
    /// Twilio's, for texts and for what became of texts.
    pub sms: Option<TwilioDoor>,
}

/// All doors. One that has no account behind it refuses everybody: nobody can prove to be a provider there.
pub fn router(doors: Doors) -> Router {
    let telegram = match doors.telegram {
        Some(door) => telegram::router(doors.app.clone(), door),
        None => closed(&[WEBHOOK_PATH], StatusCode::UNAUTHORIZED),
    };
    let sms = match doors.sms {
        Some(door) => sms::router(doors.app.clone(), door),
        None => closed(&[sms::PATH, sms::STATUS_PATH], StatusCode::FORBIDDEN),
    };
    telegram.merge(sms)
}

fn closed(paths: &[&str], refusal: StatusCode) -> Router {
    paths
        .iter()
        .fold(Router::new(), |router, path| router.route(path, post(move || async move { body::status(refusal) })))
}
