//! Checks tokens, with public keys alone.

use std::sync::{Arc, PoisonError, RwLock};

use chrono::{DateTime, Utc};
use moka::sync::Cache;
use sha2::{Digest, Sha256};

use super::{
    claims::Claims,
    compact::{ALGORITHM, Parts},
    jwks::Jwks,
    key::PublicKey,
};

/// Clocks of two machines may differ by so much.
const LEEWAY_SECONDS: i64 = 5;

/// The token is not one of ours, or no longer good. Why is nobody's business but the log's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidToken {
    #[error("not a signed token")]
    Malformed,
    #[error("signed with another algorithm")]
    Algorithm,
    #[error("signed with a key that is not known")]
    UnknownKey,
    #[error("the signature does not fit")]
    Signature,
    #[error("claims are missing or not ours")]
    Claims,
    #[error("expired")]
    Expired,
    #[error("from the future")]
    NotYet,
}

/// Tokens whose signatures are remembered to fit. A page makes several requests with one token, and to check a
/// signature costs more than all else in most of them.
const REMEMBERED: u64 = 10_000;

/// Checks tokens.
#[derive(Debug, Clone)]
pub struct Verifier {
    issuer: Arc<str>,
    known: Arc<RwLock<Arc<Known>>>,
}

/// Keys, and what was found good with them: other keys come with a memory of their own.
#[derive(Debug)]
struct Known {
    keys: Vec<PublicKey>,
    /// What tokens say whose signatures fit, by their digests: the tokens themselves are kept nowhere.
    signed: Cache<[u8; 32], Arc<Claims>>,
}

impl Known {
    fn new(keys: Vec<PublicKey>) -> Arc<Self> {
        Arc::new(Self { keys, signed: Cache::new(REMEMBERED) })
    }
}

impl Verifier {
    /// `issuer` must be `iss` and `aud` of every token.
    #[must_use]
    pub fn new(issuer: &str, keys: Vec<PublicKey>) -> Self {
        Self { issuer: issuer.into(), known: Arc::new(RwLock::new(Known::new(keys))) }
    }

    /// Takes these keys instead of those before.
    pub fn replace_keys(&self, keys: Vec<PublicKey>) {
        if self.known().keys != keys {
            *self.known.write().unwrap_or_else(PoisonError::into_inner) = Known::new(keys);
        }
    }

    /// The keys, to be published.
    #[must_use]
    pub fn jwks(&self) -> Jwks {
        Jwks::of(&self.known().keys)
    }

    /// What a token says, if it is ours and good at `now`. Never looks anywhere for a key that it does not know.
    ///
    /// # Errors
    /// When the token must not be believed.
    pub fn verify(&self, token: &str, now: DateTime<Utc>) -> Result<Arc<Claims>, InvalidToken> {
        let known = self.known();
        let digest = Sha256::digest(token).into();
        let claims = match known.signed.get(&digest) {
            Some(claims) => claims,
            None => {
                let claims = Arc::new(signed_claims(token, &known.keys)?);
                known.signed.insert(digest, Arc::clone(&claims));
                claims
            }
        };
        self.check(&claims, now.timestamp())?;
        Ok(claims)
    }

    fn check(&self, claims: &Claims, now: i64) -> Result<(), InvalidToken> {
        if claims.iss != *self.issuer || claims.aud != *self.issuer {
            return Err(InvalidToken::Claims);
        }
        if now >= claims.exp.saturating_add(LEEWAY_SECONDS) {
            return Err(InvalidToken::Expired);
        }
        if claims.iat > now.saturating_add(LEEWAY_SECONDS) {
            return Err(InvalidToken::NotYet);
        }
        Ok(())
    }

    fn known(&self) -> Arc<Known> {
        Arc::clone(&self.known.read().unwrap_or_else(PoisonError::into_inner))
    }
}

/// What a token says, if one of these keys has signed it.
fn signed_claims(token: &str, keys: &[PublicKey]) -> Result<Claims, InvalidToken> {
    let parts = Parts::of(token).ok_or(InvalidToken::Malformed)?;
    // The algorithm is ours to choose: a token that names another one is not checked with that one.
    if parts.header.alg != ALGORITHM || parts.header.crit.is_some() {
        return Err(InvalidToken::Algorithm);
    }
    let kid = parts.header.kid.as_deref().unwrap_or_default();
    let key = keys.iter().find(|key| key.kid == kid).ok_or(InvalidToken::UnknownKey)?;
    if !key.fits(parts.signed, &parts.signature) {
        return Err(InvalidToken::Signature);
    }
    serde_json::from_slice(&parts.payload).map_err(|_| InvalidToken::Claims)
}
