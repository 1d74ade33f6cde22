//! What the bot tells Telegram about itself when the program starts. All of it may be repeated at will.

use std::time::Duration;

use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use teloxide_core::{
    payloads::{
        DeleteWebhook, DeleteWebhookSetters, GetMe, SetMyCommands, SetMyCommandsSetters, SetWebhook, SetWebhookSetters,
    },
    types::{AllowedUpdate, BotCommand},
};
use url::Url;

use super::{answer::CallError, client::TelegramClient};

/// What we want to hear of. Telegram keeps the list it was given last, so it is given each time.
pub const ALLOWED_UPDATES: [AllowedUpdate; 4] =
    [AllowedUpdate::Message, AllowedUpdate::EditedMessage, AllowedUpdate::CallbackQuery, AllowedUpdate::MyChatMember];

/// Where Telegram hands updates over, below the public address.
pub const WEBHOOK_PATH: &str = "/webhooks/telegram";

/// Letters of a deep link's payload: <https://core.telegram.org/bots/features#deep-linking>.
const PAYLOAD_LENGTH: usize = 64;

/// Who we are on Telegram.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BotIdentity {
    /// The bot's user id.
    pub id: i64,
    /// Without `@`.
    pub username: String,
}

/// Of the many fields of a bot two are needed, and new ones must not matter.
#[derive(Deserialize)]
struct Me {
    id: i64,
    #[serde(default)]
    username: String,
}

/// Asks Telegram who we are; that also checks the token.
///
/// # Errors
/// When Telegram refuses or cannot be reached.
pub async fn identify(client: &TelegramClient) -> Result<BotIdentity, CallError> {
    let Me { id, username } = client.call(&GetMe::new()).await?;
    Ok(BotIdentity { id, username })
}

/// Sets the list of commands that the app offers: `(command without "/", description)`. `language` is a two-letter
/// code; `None` is the list for everybody who has none of their own.
///
/// # Errors
/// When Telegram refuses or cannot be reached.
pub async fn set_commands(
    client: &TelegramClient,
    commands: &[(String, String)],
    language: Option<&str>,
) -> Result<(), CallError> {
    let commands = commands.iter().map(|(command, description)| BotCommand::new(command, description));
    let mut payload = SetMyCommands::new(commands);
    if let Some(language) = language {
        payload = payload.language_code(language);
    }
    client.call::<_, bool>(&payload).await.map(drop)
}

/// Asks Telegram to hand updates over at `public_url`, with this secret, over at most `connections` (1 to 100)
/// connections at a time. Waiting updates are kept.
///
/// # Errors
/// When Telegram refuses (it wants https and port 443, 80, 88 or 8443) or cannot be reached.
pub async fn set_webhook(
    client: &TelegramClient,
    public_url: &Url,
    secret: &SecretString,
    connections: u8,
) -> Result<(), CallError> {
    let mut url = public_url.clone();
    url.set_path(&format!("{}{WEBHOOK_PATH}", public_url.path().trim_end_matches('/')));
    let payload = SetWebhook::new(url)
        .secret_token(secret.expose_secret())
        .allowed_updates(ALLOWED_UPDATES)
        .max_connections(connections.clamp(1, 100));
    match client.call::<_, bool>(&payload).await {
        // Several processes that start together say the same within a second, which Telegram answers with a 429.
        Err(CallError::Refused { code: 429, retry_after: Some(seconds @ ..=5), .. }) => {
            tokio::time::sleep(Duration::from_secs(seconds)).await;
            client.call::<_, bool>(&payload).await.map(drop)
        }
        done => done.map(drop),
    }
}

/// Ends webhook mode, which polling needs. Waiting updates are kept.
///
/// # Errors
/// When Telegram refuses or cannot be reached.
pub async fn remove_webhook(client: &TelegramClient) -> Result<(), CallError> {
    client.call::<_, bool>(&DeleteWebhook::new().drop_pending_updates(false)).await.map(drop)
}

/// The link that opens the bot with this code: Telegram sends it as `/start <code>`.
///
/// A code that a link cannot carry gives a link that opens the bot without it.
#[must_use]
pub fn deep_link(username: &str, code: &str) -> String {
    let carried = (1..=PAYLOAD_LENGTH).contains(&code.len())
        && code.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'));
    if carried { format!("https://t.me/{username}?start={code}") } else { format!("https://t.me/{username}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deep_link_carries_what_telegram_lets_it_carry() {
        assert_eq!(deep_link("convive_bot", "vTFSxGE3"), "https://t.me/convive_bot?start=vTFSxGE3");
        for code in ["K7 QF2M", "K7&start=x", "", &"x".repeat(65)] {
            assert_eq!(deep_link("convive_bot", code), "https://t.me/convive_bot");
        }
    }
}
