//! Forms whose session was lost. What was typed goes along with the page where one logs in, comes back with the login,
//! and is shown again in its form: it is never carried out before somebody presses the button once more, and nothing
//! of it is kept here.

use axum::{
    body::Bytes,
    extract::{FromRequest, FromRequestParts, Request},
    http::{HeaderMap, StatusCode, header, request::Parts},
    response::Response,
};

use super::{
    Pages, entry,
    form::{self, Fields},
    respond::{Ended, PageError, refused, see_other},
    session::{self, Visitor},
};

/// Says that a form comes from the page of a login, to be shown again.
pub const AGAIN: &str = "again";
/// What is longer is not kept: it would come back with every attempt to log in.
const MOST_KEPT_BYTES: usize = 64 * 1024;
/// Before the names of fields that are kept.
const PREFIX: &str = "kept.";

/// A form that waits for the login.
#[derive(Debug, Clone)]
pub struct Kept {
    /// Where it was sent.
    pub action: String,
    /// Its fields, as the page of the login holds them.
    pub fields: Vec<(String, String)>,
}

impl Kept {
    /// Of a form of the login page.
    #[must_use]
    pub fn of_login(fields: &Fields) -> Option<Self> {
        let kept: Vec<_> = fields.pairs().filter(|(name, _)| name.starts_with(PREFIX)).collect();
        let action = session::own_path(fields.text(AGAIN), "");
        let own = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
        (!kept.is_empty() && !action.is_empty()).then(|| Self { action, fields: kept.into_iter().map(own).collect() })
    }
}

/// The fields of a form that comes with a login, as the form itself had them.
#[must_use]
pub fn fields(of_login: &Fields) -> Fields {
    let own = |(name, value): (&str, &str)| Some((name.strip_prefix(PREFIX)?.to_owned(), value.to_owned()));
    Fields::from_pairs(of_login.pairs().filter_map(own).collect())
}

/// Whether a form was sent by one of our own pages: what another site typed is never kept for a host to save.
#[must_use]
pub fn is_from_here(headers: &HeaderMap, pages: &Pages) -> bool {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    // https://www.w3.org/TR/fetch-metadata/
    if let Some(site) = text("sec-fetch-site") {
        return site == "same-origin";
    }
    let Some(origin) = text(header::ORIGIN.as_str()) else { return false };
    let host = origin.split_once("://").map(|(_, host)| host);
    pages.public_url.as_deref() == Some(origin) || (host.is_some() && host == text(header::HOST.as_str()))
}

/// What somebody gets who sent a form and is not logged in: the login with what they typed or, where that cannot be
/// kept, the login and word of it.
pub async fn log_in(parts: Parts, request: Request, pages: &Pages, at: &'static str, next: String) -> PageError {
    let is_form = form::is_form(&parts.headers);
    let not_kept = PageError::LogIn { at, next: next.clone(), ended: Ended::of_form(&parts.headers) };
    if !is_form || !is_from_here(&parts.headers, pages) {
        return not_kept;
    }
    let action = parts.uri.path().to_owned();
    match keep(parts, request, pages, at, &next, action).await {
        Ok(Some(response)) => PageError::Shown(Box::new(response)),
        Ok(None) => not_kept,
        Err(error) => error,
    }
}

async fn keep(
    mut parts: Parts,
    request: Request,
    pages: &Pages,
    at: &str,
    next: &str,
    action: String,
) -> Result<Option<Response>, PageError> {
    let Ok(body) = Bytes::from_request(request, pages).await else { return Ok(None) };
    if body.len() > MOST_KEPT_BYTES {
        return Ok(None);
    }
    let visitor = Visitor::from_request_parts(&mut parts, pages).await?;
    let typed = Fields::parse(&body);
    let typed = typed.pairs().filter(|(name, _)| *name != form::CSRF_FIELD);
    let fields = typed.map(|(name, value)| (format!("{PREFIX}{name}"), value.to_owned())).collect();
    let mut shown = entry::login_at(at, pages, &visitor, next);
    shown.frame.warning = "Your session has ended. Log in again: what you typed is kept on this page, and comes back \
                          for you to save."
        .to_owned();
    shown.kept = Some(Kept { action, fields });
    Ok(Some(visitor.greet(refused(StatusCode::UNAUTHORIZED, &shown)?)))
}

/// To the form that waited, with everything that the login page held of it: the method and the fields stay.
#[must_use]
pub fn back_to_form(action: &str) -> Response {
    let mut response = see_other(action);
    *response.status_mut() = StatusCode::TEMPORARY_REDIRECT;
    response
}
