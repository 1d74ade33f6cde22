//! Who may do what, decided once: a guest, and a guest who is a host.
//!
//! A token says who somebody is; whether there still is such a guest, and whether they are a host, is looked up at
//! every request. However a token comes in, it is let in here; for the JSON API it comes as `Authorization: Bearer`.

use axum::{
    extract::FromRequestParts,
    http::{HeaderMap, header, request::Parts},
};
use domain::model::{Event, Group, Guest};
use store::StoreError;

use crate::{Web, api::ApiError};

const SCHEME: &str = "Bearer ";

/// A guest, with the group and event that they speak for.
#[derive(Debug, Clone)]
pub struct GuestAccess {
    pub me: Guest,
    pub group: Group,
    pub event: Event,
}

/// A host, with the event whose guests they look after.
#[derive(Debug, Clone)]
pub struct HostAccess {
    pub me: Guest,
    pub event: Event,
}

/// Why somebody is not let in.
#[derive(Debug, thiserror::Error)]
pub enum Denied {
    /// The token is missing, not ours, expired, or of somebody who is gone or has a new code.
    #[error("log in first: the token is missing, expired or not valid any more")]
    Unknown,
    #[error("only hosts may do this")]
    NotAHost,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl GuestAccess {
    /// Lets in whom a token names.
    ///
    /// # Errors
    /// Why they are not let in.
    pub async fn of(web: &Web, token: &str) -> Result<Self, Denied> {
        let now = web.app.clock.now();
        let claims = web.verifier.verify(token, now).map_err(|_| Denied::Unknown)?;
        let id = claims.sub.parse().map_err(|_| Denied::Unknown)?;
        let party = web.app.store.party(id).await?.ok_or(Denied::Unknown)?;
        let me = party.group.member(id).filter(|me| claims.is_of_present_code(me)).cloned().ok_or(Denied::Unknown)?;
        web.app.accesses.note(id, now, false);
        Ok(Self { me, group: party.group, event: party.event })
    }
}

impl HostAccess {
    /// Lets in whom a token names, if they are a host.
    ///
    /// # Errors
    /// Why they are not let in.
    pub async fn of(web: &Web, token: &str) -> Result<Self, Denied> {
        let GuestAccess { me, event, .. } = GuestAccess::of(web, token).await?;
        if me.is_admin { Ok(Self { me, event }) } else { Err(Denied::NotAHost) }
    }
}

impl FromRequestParts<Web> for GuestAccess {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, web: &Web) -> Result<Self, ApiError> {
        Ok(Self::of(web, bearer(&parts.headers)?).await?)
    }
}

impl FromRequestParts<Web> for HostAccess {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, web: &Web) -> Result<Self, ApiError> {
        Ok(Self::of(web, bearer(&parts.headers)?).await?)
    }
}

/// The token that a request of the API shows.
fn bearer(headers: &HeaderMap) -> Result<&str, Denied> {
    let value = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let split = value.and_then(|value| value.split_at_checked(SCHEME.len()));
    let shown = split.filter(|(scheme, _)| scheme.eq_ignore_ascii_case(SCHEME)).map(|(_, token)| token.trim());
    shown.ok_or(Denied::Unknown)
}
