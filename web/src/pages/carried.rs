//! The answer to a form stands under an address of its own, so that "Back" and "Reload" never ask to send the form
//! again. What it shows is in that address, sealed with the session: nothing is kept here, and nobody else can read it.

use axum::{
    http::{HeaderValue, StatusCode, header},
    response::Response,
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use sha2::{Digest, Sha256};

use super::{Pages, form::Fields, respond::see_other};

/// The part of the address.
const SHOWN: &str = "shown";
/// Proxies take about 8 KiB of a request's first line.
const LONGEST: usize = 6_000;

/// The answer to a form under `path`, with the fields that it was made of; what is too long for an address, and what
/// is an error, is answered at once. `proof` is that of the session's forms.
#[must_use]
pub fn at_address(pages: &Pages, proof: &str, path: &str, fields: &Fields, shown: Response) -> Response {
    if shown.status() != StatusCode::OK {
        return shown;
    }
    match seal(pages, proof, path, fields.encoded().as_bytes()).filter(|sealed| sealed.len() <= LONGEST) {
        Some(sealed) => see_other(&format!("{path}?{SHOWN}={sealed}")),
        None => for_back(shown),
    }
}

/// The fields that an address of [`at_address`] holds; nothing where another session made it.
#[must_use]
pub fn fields(proof: &str, path: &str, query: &Fields) -> Option<Fields> {
    open(proof, path, query.text(SHOWN)).map(|fields| Fields::parse(&fields))
}

/// An answer to a form that the browser keeps for its "Back" until the host logs out.
#[must_use]
pub fn for_back(mut shown: Response) -> Response {
    shown.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    shown
}

/// A text that only pages of this session can read, and only for this purpose.
#[must_use]
pub fn seal(pages: &Pages, proof: &str, purpose: &str, content: &[u8]) -> Option<String> {
    let mut nonce = [0; NONCE_LEN];
    pages.web.app.clock.random(&mut nonce);
    let mut sealed = content.to_vec();
    let aad = Aad::from(purpose.as_bytes());
    key(proof)?.seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), aad, &mut sealed).ok()?;
    Some(URL_SAFE_NO_PAD.encode([&nonce[..], &sealed].concat()))
}

/// What was sealed.
#[must_use]
pub fn open(proof: &str, purpose: &str, sealed: &str) -> Option<Vec<u8>> {
    let sealed = URL_SAFE_NO_PAD.decode(sealed).ok()?;
    let (nonce, content) = sealed.split_first_chunk::<NONCE_LEN>()?;
    let mut content = content.to_vec();
    let aad = Aad::from(purpose.as_bytes());
    let opened = key(proof)?.open_in_place(Nonce::assume_unique_for_key(*nonce), aad, &mut content).ok()?;
    Some(opened.to_vec())
}

fn key(proof: &str) -> Option<LessSafeKey> {
    if proof.is_empty() {
        return None;
    }
    let digest = Sha256::new().chain_update("convive carried\0").chain_update(proof).finalize();
    UnboundKey::new(&CHACHA20_POLY1305, &digest).ok().map(LessSafeKey::new)
}
