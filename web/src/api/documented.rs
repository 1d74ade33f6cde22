//! The errors that many routes have in common, as the OpenAPI document shows them.
#![expect(dead_code, reason = "they describe answers; ApiError makes them")]

use utoipa::IntoResponses;

use super::ErrorBody;

/// Of everything that guests may do.
#[derive(IntoResponses)]
pub(super) enum GuestErrors {
    /// log in first
    #[response(status = 401)]
    Unauthenticated(ErrorBody),
    /// the data cannot be reached; see Retry-After
    #[response(status = 503)]
    Unavailable(ErrorBody),
}

/// Of everything that hosts may do.
#[derive(IntoResponses)]
pub(super) enum HostErrors {
    /// log in first
    #[response(status = 401)]
    Unauthenticated(ErrorBody),
    /// only hosts may do this
    #[response(status = 403)]
    NotAHost(ErrorBody),
    /// the data cannot be reached; see Retry-After
    #[response(status = 503)]
    Unavailable(ErrorBody),
}

/// Of everything that reads a body.
#[derive(IntoResponses)]
pub(super) enum BodyErrors {
    /// not JSON
    #[response(status = 400)]
    NotJson(ErrorBody),
    /// too large
    #[response(status = 413)]
    TooLarge(ErrorBody),
    /// a field cannot be used; `details` names it
    #[response(status = 422)]
    Invalid(ErrorBody),
}
