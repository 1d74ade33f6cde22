//! The style sheet and the script: our own, one of each, part of the program.

use std::sync::LazyLock;

use axum::{
    Router,
    http::header,
    response::{IntoResponse, Response},
    routing::get,
};
use sha2::{Digest, Sha256};

const CSS: &str = include_str!("../../assets/convive.css");
const JS: &str = include_str!("../../assets/convive.js");
const ICON: &str = include_str!("../../assets/icon.svg");

/// The name changes with the content, so that browsers may keep it for ever.
static CSS_PATH: LazyLock<String> = LazyLock::new(|| format!("/assets/{}.css", mark(CSS)));
static JS_PATH: LazyLock<String> = LazyLock::new(|| format!("/assets/{}.js", mark(JS)));

fn mark(content: &str) -> String {
    hex::encode(&Sha256::digest(content)[..6])
}

pub(super) fn css_path() -> &'static str {
    &CSS_PATH
}

pub(super) fn js_path() -> &'static str {
    &JS_PATH
}

fn for_ever(media_type: &'static str, content: &'static str) -> Response {
    let headers = [(header::CONTENT_TYPE, media_type), (header::CACHE_CONTROL, "public, max-age=31536000, immutable")];
    (headers, content).into_response()
}

pub(super) fn router<S: Clone + Send + Sync + 'static>() -> Router<S> {
    Router::new()
        .route(css_path(), get(|| async { for_ever("text/css; charset=utf-8", CSS) }))
        .route(js_path(), get(|| async { for_ever("text/javascript; charset=utf-8", JS) }))
        .route("/assets/icon.svg", get(|| async { for_ever("image/svg+xml", ICON) }))
}
