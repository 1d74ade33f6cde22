//! The compact form of a signed token (RFC 7515, section 7.1): `header.payload.signature`, each in base64url.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::{Deserialize, Serialize};

/// The only algorithm there is. A token that names another one is not ours.
pub(super) const ALGORITHM: &str = "RS256";
/// Ours are under two kilobytes; nothing longer is worth decoding.
const LONGEST: usize = 8 * 1024;

#[derive(Serialize, Deserialize)]
pub(super) struct Header {
    pub alg: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub typ: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kid: Option<String>,
    /// Extensions that must be understood; none is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub crit: Option<serde_json::Value>,
}

impl Header {
    pub fn new(kid: &str) -> Self {
        Self { alg: ALGORITHM.to_owned(), typ: Some("JWT".to_owned()), kid: Some(kid.to_owned()), crit: None }
    }
}

/// A token taken apart. Nothing of it is to be believed before the signature is checked.
pub(super) struct Parts<'a> {
    pub header: Header,
    pub payload: Vec<u8>,
    pub signature: Vec<u8>,
    /// What the signature is over.
    pub signed: &'a [u8],
}

impl<'a> Parts<'a> {
    pub fn of(token: &'a str) -> Option<Self> {
        if token.len() > LONGEST {
            return None;
        }
        let (signed, signature) = token.rsplit_once('.')?;
        let (header, payload) = signed.split_once('.')?;
        Some(Self {
            header: serde_json::from_slice(&decode(header)?).ok()?,
            payload: decode(payload)?,
            signature: decode(signature)?,
            signed: signed.as_bytes(),
        })
    }
}

pub(super) fn encode(bytes: impl AsRef<[u8]>) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

pub(super) fn decode(text: &str) -> Option<Vec<u8>> {
    URL_SAFE_NO_PAD.decode(text).ok()
}
