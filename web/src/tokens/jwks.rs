//! Public keys as they are published (RFC 7517).

use serde::{Deserialize, Serialize};

use super::{
    compact::{self, ALGORITHM},
    key::PublicKey,
};

/// A set of public keys: what `/.well-known/jwks.json` shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Jwks {
    keys: Vec<Jwk>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Jwk {
    kty: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    r#use: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    alg: Option<String>,
    #[serde(default)]
    kid: String,
    #[serde(default)]
    n: String,
    #[serde(default)]
    e: String,
}

impl Jwks {
    /// The set of these keys.
    #[must_use]
    pub fn of(keys: &[PublicKey]) -> Self {
        let jwk = |key: &PublicKey| Jwk {
            kty: "RSA".to_owned(),
            r#use: Some("sig".to_owned()),
            alg: Some(ALGORITHM.to_owned()),
            kid: key.kid.clone(),
            n: compact::encode(&key.modulus),
            e: compact::encode(&key.exponent),
        };
        Self { keys: keys.iter().map(jwk).collect() }
    }

    /// Reads a set.
    ///
    /// # Errors
    /// When the text is none.
    pub fn read(json: &str) -> serde_json::Result<Self> {
        serde_json::from_str(json)
    }

    /// The keys that RS256 signatures can be checked with; a set may hold others, which are not for us.
    #[must_use]
    pub fn keys(&self) -> Vec<PublicKey> {
        let usable = |jwk: &&Jwk| {
            let is = |member: &Option<String>, word: &str| member.as_deref().is_none_or(|member| member == word);
            jwk.kty == "RSA" && is(&jwk.r#use, "sig") && is(&jwk.alg, ALGORITHM) && !jwk.kid.is_empty()
        };
        let read = |jwk: &Jwk| {
            let (modulus, exponent) = (compact::decode(&jwk.n)?, compact::decode(&jwk.e)?);
            Some(PublicKey { kid: jwk.kid.clone(), modulus, exponent })
        };
        self.keys.iter().filter(usable).filter_map(read).collect()
    }
}
