//! What every door checks before it looks at a message: how large it is, and who may send it.

use std::time::Duration;

use axum::{
    body::{Body, Bytes},
    extract::{DefaultBodyLimit, FromRequest, Request},
    http::StatusCode,
    response::{IntoResponse, Response},
};
use subtle::ConstantTimeEq;

/// The largest body that any door reads, in bytes. Providers' messages are far smaller.
pub const LIMIT: usize = 64 * 1024;

/// How long a sender may take to hand over a body; a connection that trickles must not stay for ever.
const PATIENCE: Duration = Duration::from_secs(10);

/// Reads the whole body.
///
/// # Errors
/// The answer to give: 413 when it is over [`LIMIT`], 408 when it does not arrive, 400 when it breaks off.
pub async fn read(body: Body) -> Result<Bytes, Response> {
    let mut request = Request::new(body);
    DefaultBodyLimit::max(LIMIT).apply(&mut request);
    match tokio::time::timeout(PATIENCE, Bytes::from_request(request, &())).await {
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(rejection)) => Err(status(rejection.into_response().status())),
        Err(_) => Err(status(StatusCode::REQUEST_TIMEOUT)),
    }
}

/// An answer without a body: a door tells a stranger nothing.
#[must_use]
pub fn status(status: StatusCode) -> Response {
    status.into_response()
}

/// Compares secrets without telling by the time it takes how much of a guess was right. (The length may show.)
///
/// An empty secret fits nothing: a missing setting must never open a door.
#[must_use]
pub fn same_secret(given: &[u8], secret: &[u8]) -> bool {
    !secret.is_empty() && bool::from(given.ct_eq(secret))
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn read_status(body: Vec<u8>) -> Result<usize, StatusCode> {
        read(Body::from(body)).await.map(|bytes| bytes.len()).map_err(|answer| answer.status())
    }

    #[tokio::test]
    async fn a_body_may_be_as_large_as_the_limit_and_no_larger() {
        assert_eq!(read_status(vec![b' '; LIMIT]).await, Ok(LIMIT));
        assert_eq!(read_status(vec![b' '; LIMIT + 1]).await, Err(StatusCode::PAYLOAD_TOO_LARGE));
    }

    #[test]
    fn an_empty_secret_fits_nothing() {
        assert!(same_secret(b"s3cret", b"s3cret"));
        assert!(!same_secret(b"s3creT", b"s3cret"));
        assert!(!same_secret(b"s3cret-", b"s3cret"));
        assert!(!same_secret(b"", b"s3cret"));
        assert!(!same_secret(b"", b""));
    }
}
