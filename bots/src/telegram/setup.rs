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
    use fakes::telegram::{Answer, FakeTelegram, Webhook};

    use super::*;
    use crate::telegram::TelegramSettings;

    async fn scene() -> (FakeTelegram, TelegramClient) {
        let fake = FakeTelegram::start().await.unwrap();
        let settings = TelegramSettings {
            token: FakeTelegram::TOKEN.into(),
            api_url: fake.api_url().parse().unwrap(),
            request_timeout: TelegramSettings::DEFAULT_REQUEST_TIMEOUT,
        };
        let client = TelegramClient::new(&settings).unwrap();
        (fake, client)
    }

    #[tokio::test]
    async fn the_bot_learns_who_it_is() {
        let (fake, client) = scene().await;
        let identity = identify(&client).await.unwrap();
        let username = FakeTelegram::BOT_USERNAME.to_owned();
        assert_eq!(identity, BotIdentity { id: FakeTelegram::BOT_ID, username });
        assert_eq!(client.bot_id(), identity.id, "its token says so too");
        fake.finish();
    }

    #[tokio::test]
    async fn a_wrong_token_is_told_from_a_server_in_trouble() {
        let (fake, client) = scene().await;
        fake.answer_next("getMe", Answer::Status(401));
        assert!(identify(&client).await.unwrap_err().is_about_account());
        fake.answer_next("getMe", Answer::Html502);
        assert!(!identify(&client).await.unwrap_err().is_about_account());
        fake.finish();
    }

    #[tokio::test]
    async fn commands_are_set_for_everybody_and_for_a_language() {
        let (fake, client) = scene().await;
        let commands = |words: &str| vec![("status".to_owned(), words.to_owned())];
        set_commands(&client, &commands("What you answered"), None).await.unwrap();
        set_commands(&client, &commands("Vad du svarat"), Some("sv")).await.unwrap();
        assert_eq!(
            (fake.commands(""), fake.commands("sv")),
            (commands("What you answered"), commands("Vad du svarat"))
        );
        fake.finish();
    }

    #[tokio::test]
    async fn the_webhook_is_set_below_the_public_address_and_may_be_set_again() {
        let (fake, client) = scene().await;
        let secret = SecretString::from("s3cret_for-tests");
        for (public_url, url) in [
            ("https://rsvp.example.org", "https://rsvp.example.org/webhooks/telegram"),
            ("https://example.org/rsvp/", "https://example.org/rsvp/webhooks/telegram"),
        ] {
            // Another process says the same at the same moment.
            fake.answer_next("setWebhook", Answer::TooMany(0));
            set_webhook(&client, &public_url.parse().unwrap(), &secret, 40).await.unwrap();
            let expected = Webhook {
                url: url.to_owned(),
                secret_token: Some("s3cret_for-tests".to_owned()),
                max_connections: Some(40),
                allowed_updates: ["message", "edited_message", "callback_query", "my_chat_member"]
                    .map(str::to_owned)
                    .to_vec(),
            };
            assert_eq!(fake.webhook(), Some(expected));
        }
        remove_webhook(&client).await.unwrap();
        assert_eq!(fake.webhook(), None);
        fake.finish();
    }

    #[test]
    fn a_deep_link_carries_what_telegram_lets_it_carry() {
        assert_eq!(deep_link("convive_bot", "vTFSxGE3"), "https://t.me/convive_bot?start=vTFSxGE3");
        for code in ["K7 QF2M", "K7&start=x", "", &"x".repeat(65)] {
            assert_eq!(deep_link("convive_bot", code), "https://t.me/convive_bot");
        }
    }
}
