//! What guests and hosts see over HTTP, and what the machine's keeper sees.
//!
//! Who somebody is gets decided and signed in [`tokens`]; what they may do is decided once, in [`access`]. The rules are
//! `domain`'s and the writes `app`'s: handlers read a request, call a use case, and show what came of it.

pub mod access;
pub mod api;
mod client;
pub mod operations;
pub mod pages;
pub mod tokens;

use std::{net::IpAddr, ops::Deref, sync::Arc};

use app::App;

pub use client::Client;
use tokens::{Issuer, Verifier};

/// What every page and route needs. Cheap to clone: each request does so several times.
#[derive(Clone)]
pub struct Web(Arc<Parts>);

impl Web {
    /// Pages and routes made of these parts.
    #[must_use]
    pub fn new(parts: Parts) -> Self {
        Self(Arc::new(parts))
    }
}

impl Deref for Web {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

/// What [`Web`] is made of.
#[derive(Clone)]
pub struct Parts {
    pub app: App,
    /// `None` where this process has no private key: it checks tokens, and signs none.
    pub issuer: Option<Issuer>,
    pub verifier: Verifier,
    /// Whose word on a client's address is believed.
    pub is_trusted_proxy: Arc<dyn Fn(IpAddr) -> bool + Send + Sync>,
    /// Web sites whose pages may use the JSON API: `scheme://host[:port]`.
    pub cors_origins: Arc<[String]>,
}
