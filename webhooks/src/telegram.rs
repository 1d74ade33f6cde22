//! `POST /webhooks/telegram`: Telegram hands over one update a request.
//!
//! Any 2xx confirms an update; anything else makes Telegram send it again, for up to a day, and hold back what the
//! same chat says meanwhile (<https://core.telegram.org/bots/api#setwebhook>). So the answer is 503 only while the
//! store cannot commit, and what will never be understood is confirmed.

use std::sync::Arc;

use app::App;
use axum::{
    Router,
    extract::{Request, State},
    http::{StatusCode, header::RETRY_AFTER},
    response::{IntoResponse, Response},
    routing::post,
};
use bots::telegram::{Acknowledger, BotIdentity, ReceiveError, Receiver, setup::WEBHOOK_PATH};
use secrecy::{ExposeSecret, SecretString};

use crate::body;

/// Carries the secret that `setWebhook` was given.
const SECRET_HEADER: &str = "x-telegram-bot-api-secret-token";

/// Seconds. Without it Telegram doubles its pauses up to two minutes, and a guest would wait that much longer than the
/// store was away.
const COME_AGAIN: &str = "5";

/// What the Telegram door needs.
pub struct TelegramDoor {
    secret: SecretString,
    bot: BotIdentity,
    acknowledger: Acknowledger,
}

/// No secret, or one that Telegram would not send back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "telegram.webhook_secret must have 1 to 256 letters, digits, \"_\" or \"-\": without it anybody could speak as any guest"
)]
pub struct BadSecret;

impl TelegramDoor {
    /// A door for this bot.
    ///
    /// # Errors
    /// When the secret is empty or unusual: a door without a secret would be open to everybody.
    pub fn new(secret: SecretString, bot: BotIdentity, acknowledger: Acknowledger) -> Result<Self, BadSecret> {
        let text = secret.expose_secret();
        let carried = text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'));
        if carried && (1..=256).contains(&text.len()) { Ok(Self { secret, bot, acknowledger }) } else { Err(BadSecret) }
    }
}

struct Door {
    secret: SecretString,
    receiver: Receiver,
}

/// The route of the Telegram door.
pub fn router(app: App, door: TelegramDoor) -> Router {
    let receiver = Receiver::new(app, door.bot, door.acknowledger);
    let door = Arc::new(Door { secret: door.secret, receiver });
    Router::new().route(WEBHOOK_PATH, post(receive)).with_state(door)
}

async fn receive(State(door): State<Arc<Door>>, request: Request) -> Response {
    let (head, rest) = request.into_parts();
    let update = match body::read(rest).await {
        Ok(update) => update,
        Err(refusal) => return refusal,
    };
    let given = head.headers.get(SECRET_HEADER).map(|value| value.as_bytes()).unwrap_or_default();
    if !body::same_secret(given, door.secret.expose_secret().as_bytes()) {
        count("refused");
        return body::status(StatusCode::UNAUTHORIZED);
    }
    match door.receiver.receive(&update).await {
        Ok(_) => body::status(StatusCode::OK),
        Err(ReceiveError::Broken(error)) => {
            count("broken");
            tracing::warn!(%error, bytes = update.len(), "an update was refused");
            body::status(StatusCode::BAD_REQUEST)
        }
        Err(ReceiveError::TakeIn(error)) => {
            tracing::error!(%error, "an update could not be stored; Telegram will send it again");
            (StatusCode::SERVICE_UNAVAILABLE, [(RETRY_AFTER, COME_AGAIN)]).into_response()
        }
    }
}

/// What the receiver never saw, or could not read.
fn count(outcome: &'static str) {
    metrics::counter!("convive_telegram_updates_total", "outcome" => outcome, "kind" => "").increment(1);
}

#[cfg(test)]
mod tests;
