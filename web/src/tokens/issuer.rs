//! The decision point: signs who somebody is.

use std::sync::{Arc, PoisonError, RwLock};

use chrono::{DateTime, TimeDelta, Utc};
use domain::model::Guest;

use super::{
    claims::Claims,
    compact::{self, Header},
    key::{PublicKey, SigningKey},
};

/// How long tokens are good for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lifetimes {
    pub guest: TimeDelta,
    pub host: TimeDelta,
}

impl Lifetimes {
    /// The longest that any token is good for.
    #[must_use]
    pub fn longest(&self) -> TimeDelta {
        self.guest.max(self.host)
    }
}

/// A token cannot be signed: there is no key, or no randomness.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no token can be signed here")]
pub struct CannotSign;

/// Signs tokens. Holds the private keys, alone.
#[derive(Debug, Clone)]
pub struct Issuer {
    name: Arc<str>,
    lifetimes: Lifetimes,
    keys: Arc<RwLock<Arc<[SigningKey]>>>,
}

impl Issuer {
    /// `name` becomes `iss` and `aud` of every token.
    #[must_use]
    pub fn new(name: &str, lifetimes: Lifetimes, keys: Vec<SigningKey>) -> Self {
        Self { name: name.into(), lifetimes, keys: Arc::new(RwLock::new(keys.into())) }
    }

    /// Takes these keys instead of those before.
    pub fn replace_keys(&self, keys: Vec<SigningKey>) {
        *self.keys.write().unwrap_or_else(PoisonError::into_inner) = keys.into();
    }

    /// What this issuer's signatures are checked with.
    #[must_use]
    pub fn public_keys(&self) -> Vec<PublicKey> {
        self.present_keys().iter().map(SigningKey::public).collect()
    }

    /// A token that says who this guest is, from `now` on.
    ///
    /// # Errors
    /// When there is nothing to sign with.
    pub fn issue(&self, guest: &Guest, now: DateTime<Utc>) -> Result<String, CannotSign> {
        let lifetime = if guest.is_admin { self.lifetimes.host } else { self.lifetimes.guest };
        let payload = Claims::of(guest, &self.name, now, lifetime).to_json().map_err(|_| CannotSign)?;
        let keys = self.present_keys();
        let key = signing(&keys, now).ok_or(CannotSign)?;
        let header = serde_json::to_vec(&Header::new(key.kid())).map_err(|_| CannotSign)?;
        let signed = format!("{}.{}", compact::encode(header), compact::encode(payload));
        let signature = key.sign(signed.as_bytes()).ok_or(CannotSign)?;
        Ok(format!("{signed}.{}", compact::encode(signature)))
    }

    fn present_keys(&self) -> Arc<[SigningKey]> {
        Arc::clone(&self.keys.read().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The newest key that is in use by now, else the one that comes into use first.
fn signing(keys: &[SigningKey], now: DateTime<Utc>) -> Option<&SigningKey> {
    let in_use = keys.iter().filter(|key| key.signs_from <= now).max_by_key(|key| key.signs_from);
    in_use.or_else(|| keys.iter().min_by_key(|key| key.signs_from))
}
