//! What a request that cannot be carried out is told: `{error, code, details?}`.

use app::{HostError, LoginError, RsvpError};
use axum::{
    Json,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use domain::rsvp::Refusal;
use serde::Serialize;
use serde_json::{Value, json};
use store::StoreError;
use utoipa::ToSchema;

use crate::access::Denied;

/// How long to wait for a store that does not answer, in seconds.
const STORE_PAUSE: i64 = 5;

/// The body of every error.
#[derive(Debug, Serialize, ToSchema)]
pub struct ErrorBody {
    /// What happened and what to do, for people.
    pub error: String,
    /// The same for programs; never changes.
    pub code: &'static str,
    /// What the code is about: the field, the numbers, the changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub details: Option<Value>,
}

/// An error, with the status that says what kind it is.
#[derive(Debug)]
pub struct ApiError {
    status: StatusCode,
    body: ErrorBody,
    retry_after: Option<i64>,
}

impl ApiError {
    pub(super) fn new(status: StatusCode, code: &'static str, error: impl Into<String>) -> Self {
        Self { status, body: ErrorBody { error: error.into(), code, details: None }, retry_after: None }
    }

    pub(super) fn with(mut self, details: Value) -> Self {
        self.body.details = Some(details);
        self
    }

    fn after(mut self, seconds: i64) -> Self {
        self.retry_after = Some(seconds.max(1));
        self
    }

    /// One answer for every token that is not good: why not is nobody's business.
    pub(super) fn unauthenticated() -> Self {
        Denied::Unknown.into()
    }

    pub(super) fn no_such_guest() -> Self {
        Self::new(StatusCode::NOT_FOUND, "no_such_guest", "there is no such guest at your event")
    }

    /// A value of a request that cannot be used.
    pub(super) fn field(field: impl Into<String>, message: impl Into<String>) -> Self {
        let (field, message) = (field.into(), message.into());
        let error = if field.is_empty() { message.clone() } else { format!("{field}: {message}") };
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid", error)
            .with(json!({ "field": field, "message": message }))
    }

    pub(super) fn changed_meanwhile() -> Self {
        let message = "somebody has changed this since you looked; look again, then change it";
        Self::new(StatusCode::PRECONDITION_FAILED, "changed_meanwhile", message)
    }

    fn contention() -> Self {
        let message = "too many changes of the same thing at once; try again";
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "busy", message).after(1)
    }

    /// Tells the caller nothing, and the log everything.
    pub(super) fn internal(error: &dyn std::fmt::Display) -> Self {
        tracing::error!(%error, "a request could not be carried out");
        let message = "something went wrong here; it has been noted";
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", message)
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(self.body)).into_response();
        let headers = response.headers_mut();
        if self.status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if let Some(seconds) = self.retry_after {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        error.count("api");
        match error {
            StoreError::Unavailable(_) | StoreError::Busy => {
                tracing::warn!(%error, "a request has to be made again");
                let message = "the data cannot be reached at the moment; try again in a few seconds";
                Self::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", message).after(STORE_PAUSE)
            }
            StoreError::Unusable(_) | StoreError::Damaged(_) => Self::internal(&error),
        }
    }
}

impl From<Denied> for ApiError {
    fn from(denied: Denied) -> Self {
        let message = denied.to_string();
        match denied {
            Denied::Unknown => Self::new(StatusCode::UNAUTHORIZED, "unauthenticated", message),
            Denied::NotAHost => Self::new(StatusCode::FORBIDDEN, "not_a_host", message),
            Denied::Store(error) => error.into(),
        }
    }
}

impl From<LoginError> for ApiError {
    fn from(error: LoginError) -> Self {
        match error {
            LoginError::Store(error) => error.into(),
            LoginError::Contention => Self::contention(),
            LoginError::Wrong => {
                let message = "code and last name do not fit together; check both against your invitation";
                Self::new(StatusCode::UNAUTHORIZED, "wrong_credentials", message)
            }
            LoginError::Wait(wait) => {
                let seconds = (wait.num_milliseconds() + 999) / 1_000;
                let message = format!("too many attempts that did not fit; try again in {seconds} seconds");
                Self::new(StatusCode::TOO_MANY_REQUESTS, "too_many_attempts", message)
                    .with(json!({ "retryAfter": seconds }))
                    .after(seconds)
            }
        }
    }
}

impl From<RsvpError> for ApiError {
    fn from(error: RsvpError) -> Self {
        match error {
            RsvpError::Store(error) => error.into(),
            RsvpError::Contention => Self::contention(),
            RsvpError::NoSuchGuest => Self::unauthenticated(),
            RsvpError::ChangedMeanwhile => Self::changed_meanwhile(),
            RsvpError::Refused(refusal) => refusal.into(),
        }
    }
}

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> Self {
        let message = refusal.to_string();
        let field = match &refusal {
            Refusal::Closed => return Self::new(StatusCode::FORBIDDEN, "closed", message),
            Refusal::NotInGroup(guest) => {
                return Self::new(StatusCode::FORBIDDEN, "not_in_group", message).with(json!({ "_id": guest }));
            }
            Refusal::CountMismatch { expected, given } => {
                return Self::new(StatusCode::CONFLICT, "count_mismatch", message)
                    .with(json!({ "expected": expected, "given": given }));
            }
            Refusal::Confirm(changes) => {
                let changes: Vec<Value> = changes.iter().map(super::rsvp::change_json).collect();
                return Self::new(StatusCode::CONFLICT, "confirm", message).with(json!({ "changes": changes }));
            }
            Refusal::TooMany { .. } => "numGuests",
            Refusal::NamedTwice(_) => "members",
            Refusal::TooManyCompanions { .. } => "companions",
            Refusal::ExtrasAlone => "extra",
            Refusal::DietaryTooLong { .. } => "dietary",
        };
        Self::field(field, message)
    }
}

impl From<HostError> for ApiError {
    fn from(error: HostError) -> Self {
        let message = error.to_string();
        match error {
            HostError::Store(error) => error.into(),
            HostError::Contention => Self::contention(),
            HostError::NoSuchGuest => Self::no_such_guest(),
            HostError::NoEvent | HostError::SeveralEvents(_) | HostError::NoSuchEvent { .. } => Self::unauthenticated(),
            HostError::CodeTaken(_) => {
                Self::new(StatusCode::CONFLICT, "code_taken", "another guest has this code; choose another")
            }
            HostError::LastHost => Self::new(StatusCode::CONFLICT, "last_host", message),
            // Only the command line adopts.
            HostError::HasGuests(_)
            | HostError::Adopt(_)
            | HostError::NothingToAdopt
            | HostError::AdoptedDeadline { .. } => Self::new(StatusCode::CONFLICT, "conflict", message),
            HostError::ChangedMeanwhile => Self::changed_meanwhile(),
            HostError::Field { field, message } => Self::field(field, message),
            HostError::Rows(errors) => {
                let first = errors.into_iter().next();
                let field = first.as_ref().and_then(|error| error.column).map(super::guests::field_of);
                Self::field(field.unwrap_or_default(), first.map(|error| error.message).unwrap_or(message))
            }
            HostError::Settings(errors) => match errors.into_iter().next() {
                Some(error) => Self::field(super::settings::field_of(&error.key), error.message),
                None => Self::field("", message),
            },
        }
    }
}
