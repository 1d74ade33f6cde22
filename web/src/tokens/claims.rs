//! What a token says, and the form in which it says it.

use chrono::{DateTime, TimeDelta, Utc};
use domain::model::Guest;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// Bytes of the code's mark. Two of them tell a new code from the old one, and tell nobody what the code is.
const MARK_BYTES: usize = 2;

/// The claims of a token.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Claims {
    /// The guest's id.
    pub sub: String,
    /// For display only, as `last_name` and `is_admin`: what somebody may do is looked up at every request.
    #[serde(default)]
    pub first_name: String,
    #[serde(default)]
    pub last_name: String,
    #[serde(default)]
    pub is_admin: bool,
    pub iss: String,
    pub aud: String,
    /// Seconds since 1970.
    pub iat: i64,
    /// Seconds since 1970.
    pub exp: i64,
    /// A mark of the code that the guest logged in with: a new code ends what was opened with the old one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code_mark: Option<String>,
}

impl std::fmt::Debug for Claims {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Claims").field("sub", &self.sub).field("exp", &self.exp).finish_non_exhaustive()
    }
}

impl Claims {
    pub(super) fn of(guest: &Guest, issuer: &str, now: DateTime<Utc>, lifetime: TimeDelta) -> Self {
        Self {
            sub: guest.id.to_string(),
            first_name: guest.first_name.clone(),
            last_name: guest.last_name.clone(),
            is_admin: guest.is_admin,
            iss: issuer.to_owned(),
            aud: issuer.to_owned(),
            iat: now.timestamp(),
            exp: (now + lifetime).timestamp(),
            code_mark: Some(code_mark(guest)),
        }
    }

    /// Whether the code that the guest logged in with is still theirs.
    #[must_use]
    pub fn is_of_present_code(&self, guest: &Guest) -> bool {
        let same = |mark: &String| bool::from(mark.as_bytes().ct_eq(code_mark(guest).as_bytes()));
        self.code_mark.as_ref().is_none_or(same)
    }

    /// JSON in which everything outside ASCII, and `~ > ?` and DEL, is escaped. Its base64url then holds neither `-`
    /// nor `_`, and its bytes are its characters: a browser's `atob` alone decodes it.
    pub(super) fn to_json(&self) -> serde_json::Result<String> {
        let json = serde_json::to_string(self)?;
        let mut escaped = String::with_capacity(json.len());
        for c in json.chars() {
            if c.is_ascii() && !matches!(c, '~' | '>' | '?' | '\u{7f}') {
                escaped.push(c);
            } else {
                let mut units = [0; 2];
                for unit in c.encode_utf16(&mut units) {
                    escaped.push_str(&format!("\\u{unit:04x}"));
                }
            }
        }
        Ok(escaped)
    }
}

fn code_mark(guest: &Guest) -> String {
    let digest = Sha256::new().chain_update(guest.id.0).chain_update(&guest.token).finalize();
    hex::encode(&digest[..MARK_BYTES])
}
