//! `/healthz`, `/readyz` and `/metrics`: for whoever keeps the program running.

use std::sync::Arc;

use axum::{
    Json, Router,
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
    routing::get,
};
use serde::Serialize;
use store::Store;

/// How one channel does.
#[derive(Debug, Clone, Serialize)]
pub struct ChannelState {
    pub channel: String,
    /// Why nothing goes out until somebody changes something; absent while all is well.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<String>,
}

/// What the pages report on.
#[derive(Clone)]
pub struct Operations {
    pub store: Arc<dyn Store>,
    pub channels: Arc<dyn Fn() -> Vec<ChannelState> + Send + Sync>,
    /// The counters in Prometheus' text format.
    pub metrics: Arc<dyn Fn() -> String + Send + Sync>,
}

/// The routes.
pub fn router(operations: Operations) -> Router {
    Router::new()
        .route("/healthz", get(|| async { "ok\n" }))
        .route("/readyz", get(ready))
        .route("/metrics", get(metrics))
        .with_state(operations)
}

#[derive(Serialize)]
struct Readiness {
    ready: bool,
    store: String,
    channels: Vec<ChannelState>,
}

/// Ready means that a message could be committed now. A channel that stopped does not make the program unready:
/// what is decided waits in the outbox.
async fn ready(State(operations): State<Operations>) -> Response {
    let store = operations.store.ready().await.inspect_err(|error| error.count("readiness"));
    let status = if store.is_ok() { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    let readiness = Readiness {
        ready: store.is_ok(),
        store: store.map_or_else(|error| error.to_string(), |()| "ok".to_owned()),
        channels: (operations.channels)(),
    };
    (status, Json(readiness)).into_response()
}

async fn metrics(State(operations): State<Operations>) -> Response {
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], (operations.metrics)()).into_response()
}
