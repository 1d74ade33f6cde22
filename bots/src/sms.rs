//! SMS through Twilio's Messages API.
//!
//! Source of paths, fields and codes: Twilio's OpenAPI description (`twilio_api_v2010.json`) and its error pages.

mod answer;
mod find;

use std::{fmt, time::Duration};

use async_trait::async_trait;
use domain::address::{Address, Channel};
use reqwest::{Client, RequestBuilder};
use secrecy::{ExposeSecret, SecretString};
use url::Url;

use crate::{
    LookUp, Parcel, Provider, Repeats, SendOutcome,
    http::{self, Unanswered},
};

/// Twilio takes no longer text, in characters. The renderer splits well before.
pub const LONGEST_TEXT: usize = 1600;
/// Ids of messaging services begin so; a phone number does not.
const SERVICE_PREFIX: &str = "MG";
/// Answers to sending are a few hundred bytes.
const LARGEST_ANSWER: usize = 256 * 1024;

/// From whom texts go out that do not answer one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sender {
    /// Our phone number (E.164) or short code.
    Number(String),
    /// A messaging service's id (`MG…`), which chooses among its numbers.
    Service(String),
}

impl Sender {
    /// Our side of an address: see [`Address::sms`].
    #[must_use]
    pub fn own_side(&self) -> &str {
        match self {
            Self::Number(own) | Self::Service(own) => own,
        }
    }
}

/// An account at Twilio.
#[derive(Clone)]
pub struct TwilioSettings {
    /// `AC…`
    pub account_sid: String,
    pub auth_token: SecretString,
    pub from: Sender,
    /// Twilio, or a fake. A `/` at its end means nothing.
    pub api_url: Url,
    /// Where Twilio reports what becomes of a text. Without it nobody learns of delivery.
    pub status_callback: Option<Url>,
    /// How long one request may take, the connection included.
    pub request_timeout: Duration,
}

impl TwilioSettings {
    /// Where Twilio serves its API.
    pub const DEFAULT_API_URL: &'static str = "https://api.twilio.com";
    /// Twilio answers within a second; half a minute is the courier's lease.
    pub const DEFAULT_REQUEST_TIMEOUT: Duration = Duration::from_secs(10);
}

/// The settings cannot work.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TwilioSettingsError {
    #[error("twilio.account_sid is not an Account SID: expected AC and 32 letters and digits")]
    AccountSid,
    #[error("twilio.auth_token is empty: set it to the primary Auth Token from the Twilio console")]
    AuthToken,
    #[error("twilio.from is not a phone number: expected + and the country code, like +447700900999")]
    From,
    #[error("twilio.messaging_service_sid is not one: expected MG and 32 letters and digits")]
    Service,
    #[error("twilio.api_url is not usable: expected http:// or https://, a host, perhaps a path, and nothing more")]
    ApiUrl,
    #[error("the HTTP client cannot be made: {0}")]
    Client(String),
}

/// SMS as the courier sees it.
pub struct TwilioChannel {
    http: Client,
    account_sid: String,
    auth_token: SecretString,
    from: Sender,
    /// Without a `/` at its end.
    api_url: String,
    status_callback: Option<Url>,
    request_timeout: Duration,
}

impl TwilioChannel {
    /// A channel; nothing is sent yet.
    ///
    /// # Errors
    /// When a setting cannot be right.
    pub fn new(settings: TwilioSettings) -> Result<Self, TwilioSettingsError> {
        let sid = |text: &str, prefix: &str| {
            text.strip_prefix(prefix).is_some_and(|rest| {
                !rest.is_empty()
                    && rest.len() <= 62
                    && rest.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
            })
        };
        if !sid(&settings.account_sid, "AC") {
            return Err(TwilioSettingsError::AccountSid);
        }
        if settings.auth_token.expose_secret().trim().is_empty() {
            return Err(TwilioSettingsError::AuthToken);
        }
        match &settings.from {
            Sender::Service(service) if !sid(service, SERVICE_PREFIX) => return Err(TwilioSettingsError::Service),
            Sender::Number(number) if !is_number(number) => return Err(TwilioSettingsError::From),
            Sender::Service(_) | Sender::Number(_) => {}
        }
        let url = &settings.api_url;
        let usable = matches!(url.scheme(), "http" | "https")
            && url.has_host()
            && url.query().is_none()
            && url.fragment().is_none();
        if !usable {
            return Err(TwilioSettingsError::ApiUrl);
        }
        let http = http::client(url).map_err(|error| TwilioSettingsError::Client(error.without_url().to_string()))?;
        Ok(Self {
            http,
            api_url: url.as_str().trim_end_matches('/').to_owned(),
            account_sid: settings.account_sid,
            auth_token: settings.auth_token,
            from: settings.from,
            status_callback: settings.status_callback,
            request_timeout: settings.request_timeout,
        })
    }

    /// Asks Twilio whether account and token fit, without sending anything.
    ///
    /// # Errors
    /// What is wrong and which setting to look at.
    pub async fn check_account(&self) -> Result<(), String> {
        let url = format!("{}/2010-04-01/Accounts/{}.json", self.api_url, self.account_sid);
        let answer = http::exchange(self.signed_in(self.http.get(url)), self.request_timeout, LARGEST_ANSWER).await;
        let answer = answer.map_err(|_| "Twilio cannot be reached (twilio.api_url, the network)".to_owned())?;
        answer::read_account(&answer)
    }

    fn messages_path(&self) -> String {
        format!("/2010-04-01/Accounts/{}/Messages.json", self.account_sid)
    }

    fn signed_in(&self, request: RequestBuilder) -> RequestBuilder {
        request.basic_auth(&self.account_sid, Some(self.auth_token.expose_secret()))
    }

    /// Our side of the conversation: a reply leaves from the number written to.
    fn own_side<'a>(&'a self, address: &'a Address) -> &'a str {
        address.own.as_deref().unwrap_or_else(|| self.from.own_side())
    }
}

/// The account alone; never its token.
impl fmt::Debug for TwilioChannel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TwilioChannel").field("account_sid", &self.account_sid).finish_non_exhaustive()
    }
}

fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('+').unwrap_or(text);
    (3..=15).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_service(own: &str) -> bool {
    own.starts_with(SERVICE_PREFIX)
}

#[async_trait]
impl Provider for TwilioChannel {
    fn channel(&self) -> Channel {
        Channel::Sms
    }

    fn repeats(&self) -> Repeats {
        Repeats::AskFirst
    }

    async fn send(&self, parcel: &Parcel<'_>) -> SendOutcome {
        let text = parcel.text.text.as_str();
        if text.trim().is_empty() || text.chars().count() > LONGEST_TEXT {
            return SendOutcome::Failed { reason: format!("a text must have 1 to {LONGEST_TEXT} characters") };
        }
        let own = self.own_side(parcel.address);
        let sender = if is_service(own) { "MessagingServiceSid" } else { "From" };
        let mut form = vec![("To", parcel.address.id.as_str()), (sender, own), ("Body", text)];
        if let Some(callback) = &self.status_callback {
            form.push(("StatusCallback", callback.as_str()));
        }
        let request = self.http.post(format!("{}{}", self.api_url, self.messages_path())).form(&form);
        match http::exchange(self.signed_in(request), self.request_timeout, LARGEST_ANSWER).await {
            Ok(answer) => answer::read(&answer),
            Err(Unanswered::NeverConnected) => SendOutcome::NotSent { reason: "Twilio cannot be reached".to_owned() },
            Err(Unanswered::TimedOut) => SendOutcome::InDoubt { reason: "Twilio did not answer in time".to_owned() },
            Err(Unanswered::BrokeOff) => SendOutcome::InDoubt { reason: "the connection to Twilio broke".to_owned() },
        }
    }

    async fn look_up(&self, parcel: &Parcel<'_>) -> LookUp {
        match find::candidates(self, parcel).await {
            Ok(provider_ids) if provider_ids.is_empty() => LookUp::Absent,
            Ok(provider_ids) => LookUp::Found { provider_ids },
            Err(reason) => LookUp::CannotTell { reason },
        }
    }
}

#[cfg(test)]
mod tests;
