//! What arrived at Twilio's doors: fields of a form or of a JSON object, once it is certain who sent them.

use axum::http::{HeaderMap, StatusCode, Uri, header};
use serde_json::Value;

use super::signature::{Forged, Verifier, has_body_digest};

/// The fields, in the order in which they arrived. Kept out of `Debug`: they are what people write.
pub struct Fields(Vec<(String, String)>);

impl Fields {
    /// A field's value; of a repeated field the first.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(field, _)| field == name).map(|(_, value)| value.as_str())
    }

    /// The message's id, if it is one: it becomes part of keys.
    pub fn message_sid(&self) -> Option<&str> {
        let sid = ["MessageSid", "SmsMessageSid", "SmsSid"].iter().find_map(|name| self.get(name))?;
        let fits = (1..=64).contains(&sid.len())
            && sid.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'));
        fits.then_some(sid)
    }
}

/// Why a request is not looked at.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    #[error(transparent)]
    Forged(#[from] Forged),
    #[error("the body is neither a form nor a JSON object")]
    Malformed,
}

impl Refusal {
    /// What the sender is answered.
    pub fn status(&self) -> StatusCode {
        match self {
            Self::Forged(_) => StatusCode::FORBIDDEN,
            Self::Malformed => StatusCode::BAD_REQUEST,
        }
    }
}

/// Checks who sent a request, over what arrived, and then reads it.
///
/// # Errors
/// Why it is refused.
pub fn read(verifier: &Verifier, target: &Uri, headers: &HeaderMap, body: &[u8]) -> Result<Fields, Refusal> {
    // A body that is no form decodes to something, too: the signature then fits only what Twilio signed. Bytes
    // that are not UTF-8 decode to replacement characters, which Twilio never signs.
    let form: Vec<(String, String)> = form_urlencoded::parse(body).into_owned().collect();
    verifier.check(target, headers, body, &form)?;
    if !has_body_digest(target) || is_form(headers) {
        return if str::from_utf8(body).is_ok() { Ok(Fields(form)) } else { Err(Refusal::Malformed) };
    }
    match serde_json::from_slice(body) {
        Ok(Value::Object(object)) => {
            Ok(Fields(object.into_iter().filter_map(|(name, value)| Some((name, scalar(value)?))).collect()))
        }
        _ => Err(Refusal::Malformed),
    }
}

fn is_form(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    kind.starts_with("application/x-www-form-urlencoded")
}

fn scalar(value: Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(_) | Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}
