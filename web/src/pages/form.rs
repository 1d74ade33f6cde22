//! Forms: what was sent, and proof that it was sent from a page of the same session.

use axum::{
    body::{Body, Bytes},
    extract::{FromRequest, Multipart, Request},
    http::{HeaderMap, header},
};
use futures_util::StreamExt;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use super::{Pages, import::MOST_FORM_BYTES, respond::PageError};

/// The field that carries the proof.
pub const CSRF_FIELD: &str = "form";
const MARK_BYTES: usize = 16;
/// What is larger is no guest list at all.
const MOST_THROWN_AWAY: usize = 512 * 1024 * 1024;

/// The fields of a form, in their order; a name may come more than once.
#[derive(Debug, Clone, Default)]
pub struct Fields(Vec<(String, String)>);

impl Fields {
    /// The fields of a query or a posted form.
    #[must_use]
    pub fn parse(bytes: &[u8]) -> Self {
        Self(form_urlencoded::parse(bytes).into_owned().collect())
    }

    /// The first value of this name, trimmed; empty where there is none.
    #[must_use]
    pub fn text(&self, name: &str) -> &str {
        self.0.iter().find(|(field, _)| field == name).map_or("", |(_, value)| value.trim())
    }

    /// Whether there is a field of this name (a ticked box).
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(field, _)| field == name)
    }

    /// Names and values, in their order.
    pub fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Fields of these names and values.
    #[must_use]
    pub fn from_pairs(pairs: Vec<(String, String)>) -> Self {
        Self(pairs)
    }

    /// The same of short texts.
    #[must_use]
    pub fn of(pairs: &[(&str, &str)]) -> Self {
        Self(pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect())
    }

    /// As a query holds them, without the proof.
    #[must_use]
    pub fn encoded(&self) -> String {
        let own = self.pairs().filter(|(name, _)| *name != CSRF_FIELD);
        form_urlencoded::Serializer::new(String::new()).extend_pairs(own).finish()
    }

    /// The names of all fields.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(field, _)| field.as_str())
    }

    /// What was typed into a field, unless that is what the form showed (`was-` before the field's name).
    #[must_use]
    pub fn touched(&self, name: &str, normal: fn(&str) -> String) -> Option<String> {
        let was = format!("was-{name}");
        let typed = normal(self.text(name));
        let is_touched = self.has(name) && !(self.has(&was) && normal(self.text(&was)) == typed);
        is_touched.then_some(typed)
    }

    /// Whether the form showed what is stored now.
    #[must_use]
    pub fn showed(&self, name: &str, stored: &str, normal: fn(&str) -> String) -> bool {
        let was = format!("was-{name}");
        self.has(&was) && normal(self.text(&was)) == normal(stored)
    }

    /// All values of this name.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |(field, _)| field == name).map(|(_, value)| value.as_str())
    }

    /// Refuses a form without the proof, or with that of another session.
    ///
    /// # Errors
    /// [`PageError::ForeignForm`].
    pub fn check(&self, proof: &str) -> Result<(), PageError> {
        let given = self.text(CSRF_FIELD);
        let fits = !proof.is_empty() && bool::from(given.as_bytes().ct_eq(proof.as_bytes()));
        if fits { Ok(()) } else { Err(PageError::ForeignForm) }
    }
}

/// The proof for the forms of a session: whoever cannot read the session's cookie cannot make it.
#[must_use]
pub fn proof(cookie: &str) -> String {
    let digest = Sha256::new().chain_update("convive form\0").chain_update(cookie).finalize();
    hex::encode(&digest[..MARK_BYTES])
}

/// Reads a posted form. Its body is bounded by the router.
///
/// # Errors
/// When it is no form, or too large.
pub async fn read(request: Request, pages: &Pages) -> Result<Fields, PageError> {
    let is_form = is_form(request.headers());
    let body = Bytes::from_request(request, pages).await.map_err(|_| PageError::TooLarge)?;
    // A form without a proof is refused all the same.
    Ok(if is_form { Fields::parse(&body) } else { Fields::default() })
}

/// A posted file with the fields around it.
#[derive(Debug, Default)]
pub struct Upload {
    pub fields: Fields,
    pub name: String,
    pub content: Vec<u8>,
    /// More was sent than is taken, and nothing of it was read.
    pub is_too_large: bool,
}

/// Reads a form with a file.
///
/// # Errors
/// When it is no such form, or too large.
pub async fn read_upload(request: Request, pages: &Pages) -> Result<Upload, PageError> {
    if !content_type(request.headers()).starts_with("multipart/form-data") {
        return Ok(Upload { fields: read(request, pages).await?, ..Upload::default() });
    }
    let unreadable = || PageError::BadRequest("The upload could not be read. Choose the file again.".to_owned());
    let Some(request) = received(request).await? else { return Ok(Upload { is_too_large: true, ..Upload::default() }) };
    let mut parts = Multipart::from_request(request, pages).await.map_err(|_| unreadable())?;
    let mut upload = Upload::default();
    while let Some(part) = parts.next_field().await.map_err(|_| unreadable())? {
        let name = part.name().unwrap_or_default().to_owned();
        let file_name = part.file_name().map(str::to_owned);
        let content = part.bytes().await.map_err(|_| unreadable())?;
        match file_name {
            Some(file_name) => (upload.name, upload.content) = (file_name, content.to_vec()),
            None => upload.fields.0.push((name, String::from_utf8_lossy(&content).into_owned())),
        }
    }
    Ok(upload)
}

/// A request that has arrived as a whole; nothing of one that is too large, of which the rest is taken and thrown away: a browser that
/// cannot send on shows its own error in place of our answer.
async fn received(request: Request) -> Result<Option<Request>, PageError> {
    let (parts, body) = request.into_parts();
    let mut pieces = body.into_data_stream();
    let (mut content, mut length) = (Vec::new(), 0_usize);
    while let Some(piece) = pieces.next().await {
        let piece =
            piece.map_err(|_| PageError::BadRequest("The upload broke off. Choose the file again.".to_owned()))?;
        length += piece.len();
        if length <= MOST_FORM_BYTES {
            content.extend_from_slice(&piece);
        } else {
            content = Vec::new();
        }
        if length > MOST_THROWN_AWAY {
            break;
        }
    }
    Ok((length <= MOST_FORM_BYTES).then(|| Request::from_parts(parts, Body::from(content))))
}

/// Whether it is a form without a file.
#[must_use]
pub fn is_form(headers: &HeaderMap) -> bool {
    content_type(headers).starts_with("application/x-www-form-urlencoded")
}

fn content_type(headers: &HeaderMap) -> &str {
    headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_keep_their_order_and_repeats() {
        let fields = Fields::parse(b"guest=1&q=+Zo%C3%AB+&guest=2&all");
        assert_eq!((fields.text("q"), fields.text("none")), ("Zoë", ""));
        assert_eq!(fields.all("guest").collect::<Vec<_>>(), ["1", "2"]);
        assert!(fields.has("all") && !fields.has("none"));
    }

    #[test]
    fn a_form_without_the_proof_of_its_session_is_refused() {
        let mine = proof("my cookie");
        for (form, is_taken) in [
            (format!("form={mine}"), true),
            ("".to_owned(), false),
            ("form=".to_owned(), false),
            (format!("form={}", proof("another cookie")), false),
        ] {
            assert_eq!(Fields::parse(form.as_bytes()).check(&mine).is_ok(), is_taken, "{form}");
        }
        assert!(Fields::parse(b"form=").check("").is_err(), "no session has no proof");
    }
}
