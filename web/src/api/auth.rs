//! Logging in and out.

use axum::{Json, extract::State, http::StatusCode};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{ApiError, ErrorBody, JsonBody, documented::BodyErrors};
use crate::{Client, Web};

/// Longer texts are no codes and no names.
const LONGEST: usize = 200;

/// Code and last name, as on the invitation.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Credentials {
    /// The personal code.
    #[schema(max_length = 200)]
    token: String,
    #[schema(max_length = 200)]
    last_name: String,
}

/// A signed token, good for `Authorization: Bearer`.
#[derive(Serialize, ToSchema)]
pub struct Token {
    token: String,
}

/// Log in with code and last name
#[utoipa::path(post, path = "/auth/login", tag = "auth", request_body = Credentials, security(()), responses(
    (status = 200, body = Token),
    (status = 401, body = ErrorBody, description = "code and last name do not fit together"),
    (status = 429, body = ErrorBody, description = "too many attempts; see Retry-After"),
    (status = 503, body = ErrorBody, description = "tokens are signed elsewhere, or the data cannot be reached"),
    BodyErrors,
))]
pub(super) async fn login(
    State(web): State<Web>,
    Client(client): Client,
    JsonBody(credentials): JsonBody<Credentials>,
) -> Result<Json<Token>, ApiError> {
    for (field, text) in [("token", &credentials.token), ("lastName", &credentials.last_name)] {
        if text.chars().count() > LONGEST {
            return Err(ApiError::field(field, format!("is longer than {LONGEST} characters")));
        }
    }
    let Some(issuer) = &web.issuer else {
        let message = "this server checks tokens but signs none; log in where they are signed";
        return Err(ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "no_signing_key", message));
    };
    let guest = web.app.log_in_on_web(client, &credentials.token, &credentials.last_name).await?;
    let token = issuer.issue(&guest, web.app.clock.now()).map_err(|error| ApiError::internal(&error))?;
    Ok(Json(Token { token }))
}

/// What came of it.
#[derive(Serialize, ToSchema)]
pub struct Message {
    message: &'static str,
}

/// Log out
///
/// Whoever forgets the token is logged out; the server keeps nothing.
#[utoipa::path(post, path = "/auth/logout", tag = "auth", security(()), responses((status = 200, body = Message)))]
pub(super) async fn logout() -> Json<Message> {
    Json(Message { message: "ok" })
}
