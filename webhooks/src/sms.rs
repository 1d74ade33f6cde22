//! Twilio's doors: texts from people, and (in [`crate::delivery`]) its later word on texts to people.
//!
//! Both check size, then the signature over what arrived, then syntax. A text is answered with an empty
//! `<Response/>` once it is committed: what there is to say goes out through the outbox, like everything else.

mod apology;
mod request;
mod signature;

use std::{collections::BTreeMap, sync::Arc};

use app::{App, Taken};
use axum::{
    Router,
    body::Body,
    extract::{OriginalUri, State},
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
    routing::post,
};
use domain::{
    address::Address,
    message::{self, Inbound},
};
use secrecy::SecretString;
use url::Url;

pub(crate) use self::request::Fields;
use self::{apology::Apologies, signature::Verifier};
use crate::{body::status, delivery};

/// Where texts from people arrive.
pub const PATH: &str = "/webhooks/sms/twilio";
/// Where Twilio reports what became of texts to people.
pub const STATUS_PATH: &str = "/webhooks/sms/twilio/status";

/// What the doors must know of the account.
pub struct TwilioDoorSettings {
    pub account_sid: String,
    pub auth_token: SecretString,
    /// Keys for the newer signature setting, by id.
    pub webhook_keys: BTreeMap<String, SecretString>,
    /// Where Twilio reaches this program: what it signs.
    pub public_url: Url,
    /// Our own side of every conversation, where one is set.
    pub messaging_service_sid: Option<String>,
    /// Asks to send the text again in a few minutes; said when the store cannot take it.
    pub try_again_later: String,
}

/// The doors cannot be opened with these settings.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    #[error("twilio.account_sid is empty: set it to the Account SID from the Twilio console (AC…)")]
    EmptyAccountSid,
    #[error("twilio.auth_token is empty: set it to the primary Auth Token from the Twilio console")]
    EmptyAuthToken,
    #[error("twilio.webhook_keys.{id} is empty: set it to the shared key's secret, or remove it")]
    EmptyWebhookKey { id: String },
    #[error("http.public_url must be the http or https address at which Twilio reaches this program")]
    PublicUrl,
}

/// Twilio's doors.
pub struct TwilioDoor {
    account_sid: String,
    verifier: Verifier,
    messaging_service_sid: Option<String>,
    apologies: Apologies,
}

impl TwilioDoor {
    /// Doors for one account.
    ///
    /// # Errors
    /// When a secret is missing or the public address is not one for HTTP.
    pub fn new(settings: TwilioDoorSettings) -> Result<Self, SettingsError> {
        if settings.account_sid.is_empty() {
            return Err(SettingsError::EmptyAccountSid);
        }
        Ok(Self {
            account_sid: settings.account_sid,
            verifier: Verifier::new(&settings.public_url, settings.auth_token, settings.webhook_keys)?,
            messaging_service_sid: settings.messaging_service_sid,
            apologies: Apologies::new(settings.try_again_later),
        })
    }

    /// The conversation between a phone and us. A messaging service stands for all its numbers, unless the
    /// message belongs to another service or to none of ours.
    pub(crate) fn address(&self, fields: &Fields, our_number: &str, their_number: &str) -> Address {
        let named = fields.get("MessagingServiceSid").filter(|named| !named.is_empty());
        match &self.messaging_service_sid {
            Some(ours) if named.is_none_or(|named| named == ours) => Address::sms(ours, their_number),
            _ => Address::sms(our_number, their_number),
        }
    }

    /// The fields of a request that is certainly Twilio's and about our account, or the answer to give.
    pub(crate) async fn authenticate(
        &self,
        OriginalUri(target): &OriginalUri,
        headers: &HeaderMap,
        body: Body,
    ) -> Result<Fields, Response> {
        let bytes = crate::body::read(body).await?;
        let fields = request::read(&self.verifier, target, headers, &bytes).map_err(|refusal| {
            // Reasons are fixed sentences: nothing that arrived reaches the log.
            tracing::warn!(channel = "sms", reason = %refusal, "refused a webhook request");
            count("refused");
            status(refusal.status())
        })?;
        if fields.get("AccountSid").is_some_and(|account| account != self.account_sid) {
            tracing::warn!(channel = "sms", "refused a webhook request about another account (twilio.account_sid)");
            count("refused");
            return Err(status(StatusCode::FORBIDDEN));
        }
        Ok(fields)
    }
}

/// Both doors.
pub(crate) fn router(app: App, door: TwilioDoor) -> Router {
    Router::new()
        .route(PATH, post(receive))
        .route(STATUS_PATH, post(delivery::receive))
        .with_state(Arc::new(Open { app, door }))
}

pub(crate) struct Open {
    pub app: App,
    pub door: TwilioDoor,
}

async fn receive(
    State(open): State<Arc<Open>>,
    target: OriginalUri,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Response> {
    let fields = open.door.authenticate(&target, &headers, body).await?;
    let text = match read_text(&fields) {
        Ok(Some(text)) => text,
        Ok(None) => {
            count("ignored");
            return Ok(twiml(EMPTY_RESPONSE.to_owned()));
        }
        Err(field) => {
            count("refused");
            tracing::warn!(channel = "sms", field, "a text has a field that is missing or cannot be read");
            return Err(status(StatusCode::BAD_REQUEST));
        }
    };
    let now = open.app.clock.now();
    let inbound = Inbound {
        key: format!("twilio:{}", text.sid),
        from: open.door.address(&fields, text.to, text.from),
        body: text.body.clone(),
        received_at: now,
        locale_hint: None,
    };
    let answer = match open.app.take_in(inbound).await {
        Ok(taken) => {
            count(if taken == Taken::Done { "done" } else { "repeat" });
            None
        }
        // Twilio does not send a text again: only its sender can.
        Err(error) => {
            tracing::error!(channel = "sms", %error, "a text could not be taken in");
            count("failed");
            open.door.apologies.to(&text, now)
        }
    };
    Ok(twiml(answer.unwrap_or_else(|| EMPTY_RESPONSE.to_owned())))
}

pub(crate) fn count(outcome: &'static str) {
    metrics::counter!("convive_sms_webhooks_total", "outcome" => outcome).increment(1);
}

const EMPTY_RESPONSE: &str = "<Response/>";

fn twiml(body: String) -> Response {
    ([(header::CONTENT_TYPE, "text/xml")], body).into_response()
}

/// A text as Twilio hands it over.
struct Text<'a> {
    sid: &'a str,
    from: &'a str,
    to: &'a str,
    body: message::Body,
}

/// `None` for a text from a sender that nobody can answer (a name instead of a number).
///
/// # Errors
/// The name of the field that is missing or is not what it should be.
fn read_text<'a>(fields: &'a Fields) -> Result<Option<Text<'a>>, &'static str> {
    let sid = fields.message_sid().ok_or("MessageSid")?;
    let to = fields.get("To").filter(|to| is_number(to)).ok_or("To")?;
    let from = fields.get("From").ok_or("From")?;
    if is_sender_name(from) {
        return Ok(None);
    }
    if !is_number(from) {
        return Err("From");
    }
    let words = fields.get("Body").unwrap_or_default();
    let has_media =
        fields.get("NumMedia").is_some_and(|count| count.trim().parse::<u32>().is_ok_and(|count| count > 0));
    let body = if has_media && words.trim().is_empty() {
        message::Body::Unreadable
    } else {
        message::Body::Text(words.to_owned())
    };
    Ok(Some(Text { sid, from, to, body }))
}

/// A phone number (`+` and at most 15 digits, E.164) or a short code (3 to 8 digits).
fn is_number(text: &str) -> bool {
    let (digits, lengths) = match text.strip_prefix('+') {
        Some(digits) => (digits, 5..=15),
        None => (text, 3..=8),
    };
    lengths.contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Up to 11 letters, digits and spaces, with a letter among them: a sender that cannot be written to.
fn is_sender_name(text: &str) -> bool {
    (1..=11).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b' ' | b'-' | b'_' | b'.' | b'&'))
        && text.bytes().any(|byte| byte.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests;
