//! The JSON API under `/api`: what the published web client speaks, and what pages of your own may.

mod auth;
mod body;
mod documented;
mod error;
mod etag;
mod guests;
mod listing;
mod rsvp;
mod settings;
mod shapes;
#[cfg(test)]
pub(crate) mod tests;

use axum::{
    Json, Router,
    extract::State,
    http::{HeaderName, HeaderValue, Method, StatusCode, header},
    middleware,
    response::Response,
    routing::{self, get},
};
use tower_http::cors::CorsLayer;
use utoipa::{
    Modify, OpenApi,
    openapi::{
        self,
        security::{HttpAuthScheme, HttpBuilder, SecurityScheme},
    },
};
use utoipa_axum::{router::OpenApiRouter, routes};

pub use body::{JsonBody, LIMIT};
pub use error::{ApiError, ErrorBody};

use crate::{Web, tokens::Jwks};

/// Where tokens' public keys are.
pub const JWKS_PATH: &str = "/.well-known/jwks.json";
/// Other programs need not ask for the keys more often, in seconds.
const JWKS_MAX_AGE: &str = "public, max-age=60";

#[derive(OpenApi)]
#[openapi(
    info(title = "Convive", description = "Guests answer for their group; hosts look after the guest list."),
    modifiers(&Bearer),
    security(("bearer" = [])),
    tags(
        (name = "auth", description = "Logging in and out"),
        (name = "rsvp", description = "A guest's answer"),
        (name = "guests", description = "The guest list, for hosts"),
        (name = "settings", description = "The event, for hosts"),
    )
)]
struct Document;

struct Bearer;

impl Modify for Bearer {
    fn modify(&self, document: &mut openapi::OpenApi) {
        let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).bearer_format("JWT").build();
        let components = document.components.get_or_insert_default();
        components.add_security_scheme("bearer", SecurityScheme::Http(bearer));
    }
}

fn documented() -> OpenApiRouter<Web> {
    let api = OpenApiRouter::new()
        .routes(routes!(auth::login))
        .routes(routes!(auth::logout))
        .routes(routes!(rsvp::show, rsvp::save))
        .routes(routes!(listing::list, guests::create))
        .routes(routes!(guests::show, guests::change, guests::delete))
        .routes(routes!(guests::join, guests::leave))
        .routes(routes!(guests::new_code))
        .routes(routes!(settings::show, settings::change));
    OpenApiRouter::with_openapi(Document::openapi()).nest("/api", api)
}

/// The routes.
pub fn router(web: Web) -> Router {
    let (api, document) = documented().split_for_parts();
    let document = Json(document);
    api.route("/api/openapi.json", get(async || document))
        .route("/api/{*path}", routing::any(no_such_route))
        .method_not_allowed_fallback(wrong_method)
        .layer(middleware::map_response(not_kept))
        .route(JWKS_PATH, get(jwks))
        .layer(cors(&web.cors_origins))
        .with_state(web)
}

/// For an address that there is not.
pub(crate) async fn no_such_route() -> ApiError {
    ApiError::new(StatusCode::NOT_FOUND, "no_such_route", "there is nothing here; see /api/openapi.json")
}

async fn wrong_method() -> ApiError {
    ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "wrong_method", "not with this method; see /api/openapi.json")
}

/// Personal data must not stay in a cache.
async fn not_kept(mut response: Response) -> Response {
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

async fn jwks(State(web): State<Web>) -> ([(HeaderName, &'static str); 1], Json<Jwks>) {
    ([(header::CACHE_CONTROL, JWKS_MAX_AGE)], Json(web.verifier.jwks()))
}

/// Pages of these web sites may use the API; those of others may not. (A token is sent by hand, never by the browser.)
fn cors(origins: &[String]) -> CorsLayer {
    let origins: Vec<HeaderValue> = origins.iter().filter_map(|origin| HeaderValue::from_str(origin).ok()).collect();
    CorsLayer::new()
        .allow_origin(origins)
        .allow_methods([Method::GET, Method::POST, Method::PUT, Method::DELETE])
        .allow_headers([header::AUTHORIZATION, header::CONTENT_TYPE, header::IF_MATCH])
        .expose_headers([header::ETAG, header::RETRY_AFTER])
}
