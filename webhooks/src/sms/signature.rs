//! Twilio's request signature.
//!
//! What is signed is the URL exactly as Twilio called it, followed, for a form, by every parameter that arrived:
//! for each distinct name in byte order, for each distinct value in order, name and value without separators.
//! Source: Twilio's published validators (`request_validator.py` of twilio-python, `webhooks.ts` of twilio-node).

use std::collections::{BTreeMap, BTreeSet};

use axum::http::{HeaderMap, Uri};
use base64::{Engine, prelude::BASE64_STANDARD};
use hmac::{Hmac, KeyInit, Mac};
use secrecy::{ExposeSecret, SecretString};
use sha1::Sha1;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use url::Url;

use super::SettingsError;

/// Carries the signature, in Base64.
pub const SIGNATURE: &str = "x-twilio-signature";
/// Present when a rule of the account makes Twilio sign with a shared key: `key=<id>,algorithm=HMAC_SHA256`.
pub const SIGNATURE_SETTINGS: &str = "x-twilio-webhooks-signature-settings";
/// Query parameter with the hexadecimal SHA-256 digest of a body that is not a form.
const BODY_DIGEST: &str = "bodySHA256";

/// Why a request is not taken for Twilio's. Holds nothing of the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Forged {
    #[error("the signature is missing")]
    Missing,
    #[error("the signature is wrong (twilio.auth_token, or http.public_url is not the address that Twilio calls)")]
    Wrong,
    #[error("the request is signed with a key that is not among twilio.webhook_keys")]
    UnknownKey,
    #[error("the request is signed with an algorithm other than HMAC_SHA256")]
    UnknownAlgorithm,
    #[error("the body does not have the digest that the address names")]
    OtherBody,
}

/// Knows which requests are Twilio's.
pub struct Verifier {
    auth_token: SecretString,
    /// Keys for the newer signature setting, by id.
    shared_keys: BTreeMap<String, SecretString>,
    /// The public address without and with its port: the signing side is inconsistent about it.
    bases: [String; 2],
}

impl Verifier {
    /// A verifier of requests to `public_url` and the paths below it.
    ///
    /// # Errors
    /// When a secret is empty (it would accept everybody who knows that) or the address is not one for HTTP.
    pub fn new(
        public_url: &Url,
        auth_token: SecretString,
        shared_keys: BTreeMap<String, SecretString>,
    ) -> Result<Self, SettingsError> {
        if auth_token.expose_secret().is_empty() {
            return Err(SettingsError::EmptyAuthToken);
        }
        if let Some((id, _)) = shared_keys.iter().find(|(_, key)| key.expose_secret().is_empty()) {
            return Err(SettingsError::EmptyWebhookKey { id: id.clone() });
        }
        let (scheme, path) = (public_url.scheme(), public_url.path().trim_end_matches('/'));
        match (public_url.host_str(), public_url.port_or_known_default()) {
            (Some(host), Some(port)) if matches!(scheme, "http" | "https") => Ok(Self {
                auth_token,
                shared_keys,
                bases: [format!("{scheme}://{host}{path}"), format!("{scheme}://{host}:{port}{path}")],
            }),
            _ => Err(SettingsError::PublicUrl),
        }
    }

    /// Whether Twilio sent this. `form` is what arrived in a form body, decoded.
    ///
    /// Host and forwarding headers play no part: anybody can send those.
    ///
    /// # Errors
    /// Why it is not taken for Twilio's.
    pub fn check(
        &self,
        target: &Uri,
        headers: &HeaderMap,
        body: &[u8],
        form: &[(String, String)],
    ) -> Result<(), Forged> {
        let given = headers.get(SIGNATURE).ok_or(Forged::Missing)?;
        let given = BASE64_STANDARD.decode(given.as_bytes()).map_err(|_| Forged::Wrong)?;
        let (algorithm, key) = match headers.get(SIGNATURE_SETTINGS) {
            None => (Algorithm::HmacSha1, &self.auth_token),
            Some(settings) => (Algorithm::HmacSha256, self.shared_key(settings.as_bytes())?),
        };
        let form = match body_digest(target) {
            Some(digest) if !same_digest(&digest, body) => return Err(Forged::OtherBody),
            Some(_) => &[],
            None => form,
        };
        let target = target.path_and_query().map_or("/", |target| target.as_str());
        let fits = |base: &String| {
            let signature = algorithm.sign(key, &signed_text(&format!("{base}{target}"), form));
            signature.is_some_and(|signature| bool::from(signature.ct_eq(&given)))
        };
        if self.bases.iter().any(fits) { Ok(()) } else { Err(Forged::Wrong) }
    }

    fn shared_key(&self, settings: &[u8]) -> Result<&SecretString, Forged> {
        let settings = str::from_utf8(settings).map_err(|_| Forged::UnknownKey)?;
        let setting = |name: &str| {
            settings.split(',').find_map(|pair| pair.trim().split_once('=').filter(|(key, _)| key.trim() == name))
        };
        match setting("algorithm") {
            Some((_, "HMAC_SHA256")) => {}
            _ => return Err(Forged::UnknownAlgorithm),
        }
        let (_, id) = setting("key").ok_or(Forged::UnknownKey)?;
        self.shared_keys.get(id).ok_or(Forged::UnknownKey)
    }
}

/// Whether the body is vouched for by a digest in the signed address, rather than parameter by parameter.
pub fn has_body_digest(target: &Uri) -> bool {
    body_digest(target).is_some()
}

fn body_digest(target: &Uri) -> Option<String> {
    let query = target.query()?.as_bytes();
    form_urlencoded::parse(query).find(|(name, _)| name == BODY_DIGEST).map(|(_, digest)| digest.into_owned())
}

fn same_digest(given: &str, body: &[u8]) -> bool {
    hex::decode(given).is_ok_and(|given| bool::from(Sha256::digest(body).ct_eq(given.as_slice())))
}

#[derive(Clone, Copy)]
enum Algorithm {
    HmacSha1,
    HmacSha256,
}

impl Algorithm {
    /// `None` never happens, since HMAC takes keys of any length; it fits nothing.
    fn sign(self, key: &SecretString, text: &str) -> Option<Vec<u8>> {
        match self {
            Self::HmacSha1 => mac::<Hmac<Sha1>>(key, text),
            Self::HmacSha256 => mac::<Hmac<Sha256>>(key, text),
        }
    }
}

fn mac<M: Mac + KeyInit>(key: &SecretString, text: &str) -> Option<Vec<u8>> {
    let mut mac = <M as KeyInit>::new_from_slice(key.expose_secret().as_bytes()).ok()?;
    mac.update(text.as_bytes());
    Some(mac.finalize().into_bytes().to_vec())
}

fn signed_text(url: &str, form: &[(String, String)]) -> String {
    let mut parameters: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (name, value) in form {
        parameters.entry(name).or_default().insert(value);
    }
    let mut text = url.to_owned();
    for (name, values) in parameters {
        for value in values {
            text.push_str(name);
            text.push_str(value);
        }
    }
    text
}

#[cfg(test)]
mod tests;
