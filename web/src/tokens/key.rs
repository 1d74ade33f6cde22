//! RSA keys: one that signs, and what the world may know of it.

use std::fmt;

use chrono::{DateTime, Utc};
use ring::{
    rand::SystemRandom,
    signature::{RSA_PKCS1_2048_8192_SHA256, RSA_PKCS1_SHA256, RsaKeyPair, RsaPublicKeyComponents},
};
use rsa::{
    PrivateKey,
    pkcs8::{DecodePrivateKey, EncodePrivateKey, LineEnding},
    rand_core::UnwrapErr,
};
use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest, Sha256};

use super::compact;

/// What RS256 asks for at least (RFC 7518, section 3.3).
const BITS: usize = 2048;

/// Why a key cannot be used or made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    #[error("not an RSA private key in PKCS#8 PEM (-----BEGIN PRIVATE KEY-----) of 2048 to 4096 bits")]
    NotAKey,
    #[error("no key could be made: {0}")]
    NotMade(String),
}

/// A key that signs. `Debug` shows its id only.
pub struct SigningKey {
    kid: String,
    pair: RsaKeyPair,
    /// Known before, used from then on: every process must have seen it before a token names it.
    pub signs_from: DateTime<Utc>,
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SigningKey").field("kid", &self.kid).finish_non_exhaustive()
    }
}

impl SigningKey {
    /// Makes a key: PKCS#8 in PEM.
    ///
    /// # Errors
    /// When none can be made.
    pub fn make() -> Result<SecretString, KeyError> {
        // The system's generator fails only where there is none, and then nothing secret can be made at all.
        let mut random = UnwrapErr(getrandom::SysRng);
        let not_made = |error: &dyn fmt::Display| KeyError::NotMade(error.to_string());
        let key = PrivateKey::new(&mut random, BITS).map_err(|error| not_made(&error))?;
        let pem = key.to_pkcs8_pem(LineEnding::LF).map_err(|error| not_made(&error))?;
        Ok(SecretString::from(pem.as_str()))
    }

    /// Reads a key.
    ///
    /// # Errors
    /// When the text is no such key.
    pub fn read(pem: &SecretString, signs_from: DateTime<Utc>) -> Result<Self, KeyError> {
        let key = PrivateKey::from_pkcs8_pem(pem.expose_secret().trim()).map_err(|_| KeyError::NotAKey)?;
        let der = key.to_pkcs8_der().map_err(|_| KeyError::NotAKey)?;
        let pair = RsaKeyPair::from_pkcs8(der.as_bytes()).map_err(|_| KeyError::NotAKey)?;
        let kid = public_of(&pair, String::new()).thumbprint();
        Ok(Self { kid, pair, signs_from })
    }

    /// The key's name in tokens: its thumbprint (RFC 7638).
    #[must_use]
    pub fn kid(&self) -> &str {
        &self.kid
    }

    /// What others check our signatures with.
    #[must_use]
    pub fn public(&self) -> PublicKey {
        public_of(&self.pair, self.kid.clone())
    }

    /// The signature of a message; `None` when there is no randomness to make it with.
    pub(super) fn sign(&self, message: &[u8]) -> Option<Vec<u8>> {
        let mut signature = vec![0; self.pair.public().modulus_len()];
        self.pair.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), message, &mut signature).ok()?;
        Some(signature)
    }
}

fn public_of(pair: &RsaKeyPair, kid: String) -> PublicKey {
    let parts: RsaPublicKeyComponents<Vec<u8>> = pair.public().into();
    PublicKey { kid, modulus: parts.n, exponent: parts.e }
}

/// A key that signatures are checked with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicKey {
    pub kid: String,
    /// Big-endian, without zeros in front.
    pub modulus: Vec<u8>,
    pub exponent: Vec<u8>,
}

impl PublicKey {
    pub(super) fn fits(&self, message: &[u8], signature: &[u8]) -> bool {
        let key = RsaPublicKeyComponents { n: &self.modulus, e: &self.exponent };
        key.verify(&RSA_PKCS1_2048_8192_SHA256, message, signature).is_ok()
    }

    /// SHA-256 over the key's required members in their order (RFC 7638, section 3).
    pub(super) fn thumbprint(&self) -> String {
        let (n, e) = (compact::encode(&self.modulus), compact::encode(&self.exponent));
        compact::encode(Sha256::digest(format!(r#"{{"e":"{e}","kty":"RSA","n":"{n}"}}"#)))
    }
}
