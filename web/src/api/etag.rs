//! Versions as HTTP shows them: `ETag` on what was shown, `If-Match` on what is changed (RFC 9110, section 13).

use axum::{
    http::{HeaderMap, HeaderValue, header},
    response::{IntoResponse, Response},
};
use domain::model::Version;

use super::ApiError;

/// An answer with the version of what it shows.
pub(super) struct Tagged<T>(pub Version, pub T);

impl<T: IntoResponse> IntoResponse for Tagged<T> {
    fn into_response(self) -> Response {
        let mut response = self.1.into_response();
        if let Ok(tag) = HeaderValue::from_str(&format!("\"{}\"", self.0)) {
            response.headers_mut().insert(header::ETAG, tag);
        }
        response
    }
}

/// The version that a change rests on; `None` where the client does not say.
///
/// # Errors
/// When it is none of ours: then it cannot be the present one.
pub(super) fn expected(headers: &HeaderMap) -> Result<Option<Version>, ApiError> {
    let Some(value) = headers.get(header::IF_MATCH) else { return Ok(None) };
    let text = value.to_str().map_err(|_| ApiError::changed_meanwhile())?.trim();
    if text == "*" {
        return Ok(None);
    }
    let tag = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    tag.and_then(|tag| tag.parse().ok()).map(Some).ok_or_else(ApiError::changed_meanwhile)
}
