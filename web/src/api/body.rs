//! Reading a request's body: JSON, of a size and a shape that can be used.

use std::{fmt, marker::PhantomData, time::Duration};

use axum::{
    body::Bytes,
    extract::{DefaultBodyLimit, FromRequest, Request},
    http::StatusCode,
};
use serde::{
    Deserialize, Deserializer,
    de::{DeserializeOwned, MapAccess, Visitor, value::MapAccessDeserializer},
};

use super::ApiError;

/// The largest body that is read, in bytes.
pub const LIMIT: usize = 64 * 1024;
/// How long a sender may take to hand over a body.
const PATIENCE: Duration = Duration::from_secs(10);

/// A body of this shape. Whatever else it holds is ignored, unless the shape says otherwise; what has the wrong type is told by its field.
#[derive(Debug)]
pub struct JsonBody<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for JsonBody<T> {
    type Rejection = ApiError;

    async fn from_request(mut request: Request, state: &S) -> Result<Self, ApiError> {
        DefaultBodyLimit::max(LIMIT).apply(&mut request);
        let bytes = match tokio::time::timeout(PATIENCE, Bytes::from_request(request, state)).await {
            Ok(Ok(bytes)) => bytes,
            Ok(Err(rejection)) if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE => {
                let message = format!("the request is over {} KiB", LIMIT / 1024);
                return Err(ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", message));
            }
            Ok(Err(_)) => return Err(ApiError::new(StatusCode::BAD_REQUEST, "bad_request", "the request broke off")),
            Err(_) => {
                return Err(ApiError::new(
                    StatusCode::REQUEST_TIMEOUT,
                    "timeout",
                    "the request did not arrive in time",
                ));
            }
        };
        read(&bytes).map(Self)
    }
}

fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, ApiError> {
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let Object(value) = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        let path = error.path().to_string();
        let field = if path == "." { String::new() } else { path };
        let error = error.into_inner();
        let text = error.to_string();
        // Where in the text it stands is of no use to whoever fills in a form.
        let message = text.rsplit_once(" at line ").map_or(text.as_str(), |(message, _)| message).to_owned();
        if error.is_data() || message == "number out of range" {
            ApiError::field(field, message)
        } else {
            ApiError::new(StatusCode::BAD_REQUEST, "bad_json", format!("the request is not JSON: {text}"))
        }
    })?;
    json.end().map_err(|error| {
        ApiError::new(StatusCode::BAD_REQUEST, "bad_json", format!("the request is not JSON: {error}"))
    })?;
    Ok(value)
}

/// A JSON object, and nothing else: serde would take a list for a record's fields in their order.
pub(super) struct Object<T>(pub T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Fields<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Fields<T> {
            type Value = T;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
                T::deserialize(MapAccessDeserializer::new(map))
            }
        }

        deserializer.deserialize_map(Fields(PhantomData)).map(Self)
    }
}

/// For fields that `null` clears, and that stay as they are where they are absent.
pub(super) fn nullable<'de, T, D>(deserializer: D) -> Result<Option<Option<T>>, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    Deserialize::deserialize(deserializer).map(Some)
}
