//! Who somebody is: one place decides it and signs it, everywhere else only checks the signature.
//!
//! [`Issuer`] alone holds private keys. [`Verifier`] knows public ones, so a process that only checks tokens needs no
//! secret. Tokens are JWTs (RFC 7519) signed with RS256, whatever a token's own header says.

mod claims;
mod compact;
mod issuer;
mod jwks;
mod key;
pub mod key_files;
mod verifier;

pub use claims::Claims;
pub use issuer::{CannotSign, Issuer, Lifetimes};
pub use jwks::Jwks;
pub use key::{KeyError, PublicKey, SigningKey};
pub use verifier::{InvalidToken, Verifier};

#[cfg(test)]
mod tests;
