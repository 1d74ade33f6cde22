//! One request to the Bot API: written, sent once, its answer read.
//!
//! teloxide's types describe the requests; its client is not used, because it sleeps for ten seconds inside a call
//! that was answered with a 5xx, forgets the error code, and needs another version of the HTTP library.

use std::{fmt, sync::Arc, time::Duration};

use reqwest::{Client, RequestBuilder, multipart::Form};
use secrecy::{ExposeSecret, SecretString};
use serde::{Serialize, de::DeserializeOwned};
use teloxide_core::requests::Payload;
use url::Url;

use super::answer::{self, CallError};
use crate::http::{self, Unanswered};

/// Most answers are a few hundred bytes.
const LARGEST_ANSWER: usize = 1024 * 1024;
/// A hundred updates, each with a text of 4096 characters, the message it replies to and a hundred entities in each,
/// every character written as `\uXXXX`, stay below.
const LARGEST_BATCH: usize = 16 * 1024 * 1024;

/// Where the Bot API is and who we are there.
#[derive(Clone)]
pub struct TelegramSettings {
    /// As @BotFather gives it.
    pub token: SecretString,
    /// `https://api.telegram.org`, a local Bot API server, or a fake. May have a path; a `/` at its end means nothing.
    pub api_url: Url,
    /// How long one request may take, the connection included.
    pub request_timeout: Duration,
}

impl TelegramSettings {
    /// Where Telegram itself serves the Bot API.
    pub const DEFAULT_API_URL: &'static str = "https://api.telegram.org";
    /// Sending takes well under a second; half a minute is the courier's lease.
    pub const DEFAULT_REQUEST_TIMEOUT: Duration = Duration::from_secs(15);
}

/// The settings cannot work.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TelegramSettingsError {
    #[error("telegram.token is not a bot token: expected the 123456789:AbC... that @BotFather gives")]
    Token,
    #[error("telegram.api_url is not usable: expected http:// or https://, a host, perhaps a path, and nothing more")]
    ApiUrl,
    #[error("the HTTP client cannot be made: {0}")]
    Client(String),
}

/// Speaks to the Bot API as one bot. Cheap to clone; clones share their connections.
#[derive(Clone)]
pub struct TelegramClient {
    inner: Arc<Inner>,
}

struct Inner {
    http: Client,
    /// `{api_url}/bot{token}`: whoever has it is the bot.
    base: Url,
    bot_id: i64,
    request_timeout: Duration,
}

impl TelegramClient {
    /// A client; nothing is sent yet.
    ///
    /// # Errors
    /// When token or address cannot be right, or the system offers no certificates.
    pub fn new(settings: &TelegramSettings) -> Result<Self, TelegramSettingsError> {
        let token = settings.token.expose_secret().trim();
        let bot_id = bot_id(token).ok_or(TelegramSettingsError::Token)?;
        let url = &settings.api_url;
        let usable = matches!(url.scheme(), "http" | "https")
            && url.has_host()
            && url.query().is_none()
            && url.fragment().is_none();
        if !usable {
            return Err(TelegramSettingsError::ApiUrl);
        }
        let base = format!("{}/bot{token}", url.as_str().trim_end_matches('/'));
        let base = Url::parse(&base).map_err(|_| TelegramSettingsError::ApiUrl)?;
        let http = http::client(url).map_err(|error| TelegramSettingsError::Client(error.without_url().to_string()))?;
        let request_timeout = settings.request_timeout;
        Ok(Self { inner: Arc::new(Inner { http, base, bot_id, request_timeout }) })
    }

    /// The bot's user id, which its token begins with.
    #[must_use]
    pub fn bot_id(&self) -> i64 {
        self.inner.bot_id
    }

    /// Calls a method with one of teloxide's payloads.
    ///
    /// # Errors
    /// Whatever is not a result of the expected shape.
    pub async fn call<P, T>(&self, payload: &P) -> Result<T, CallError>
    where
        P: Payload + Serialize,
        T: DeserializeOwned,
    {
        let request = self.post(P::NAME)?.json(payload);
        finish(request, self.inner.request_timeout, LARGEST_ANSWER).await
    }

    /// Calls a method with a file.
    pub(super) async fn upload<T: DeserializeOwned>(&self, method: &str, form: Form) -> Result<T, CallError> {
        finish(self.post(method)?.multipart(form), self.inner.request_timeout, LARGEST_ANSWER).await
    }

    /// Calls a method whose answer may be large and may take `wait` longer.
    pub(super) async fn poll<T: DeserializeOwned>(
        &self,
        method: &str,
        parameters: &(impl Serialize + Sync),
        wait: Duration,
    ) -> Result<T, CallError> {
        let request = self.post(method)?.json(parameters);
        finish(request, self.inner.request_timeout + wait, LARGEST_BATCH).await
    }

    fn post(&self, method: &str) -> Result<RequestBuilder, CallError> {
        // Put together from what is parsed already: parsing it anew for each message would cost as much as its JSON.
        let mut url = self.inner.base.clone();
        // Checked when the client was made; and an error must not show the address.
        let unusable = |()| CallError::NotSent("telegram.api_url is not usable".to_owned());
        url.path_segments_mut().map_err(unusable)?.push(method);
        Ok(self.inner.http.post(url))
    }
}

/// The bot alone; never its token.
impl fmt::Debug for TelegramClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TelegramClient").field("bot_id", &self.inner.bot_id).finish_non_exhaustive()
    }
}

/// A token is the bot's id, a colon, and letters that need no escaping in an address.
fn bot_id(token: &str) -> Option<i64> {
    let (id, secret) = token.split_once(':')?;
    let plain = !secret.is_empty() && secret.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'));
    let digits = !id.is_empty() && id.bytes().all(|b| b.is_ascii_digit());
    if plain && digits { id.parse().ok() } else { None }
}

async fn finish<T: DeserializeOwned>(
    request: RequestBuilder,
    timeout: Duration,
    largest: usize,
) -> Result<T, CallError> {
    let answer = http::exchange(request, timeout, largest).await.map_err(|unanswered| match unanswered {
        Unanswered::NeverConnected => CallError::NotSent("Telegram cannot be reached".to_owned()),
        Unanswered::TimedOut => CallError::InDoubt("Telegram did not answer in time".to_owned()),
        Unanswered::BrokeOff => CallError::InDoubt("the connection to Telegram broke".to_owned()),
    })?;
    // What could not be read whole is judged by its status.
    answer::read(answer.status, answer.retry_after, answer.body.as_deref().unwrap_or_default())
}
