//! Who is looking: a cookie that holds the signed token, checked at every request.

use std::net::IpAddr;

use axum::{
    extract::{FromRequest, FromRequestParts, Request},
    http::{HeaderMap, HeaderValue, StatusCode, header, request::Parts},
    response::Response,
};
use domain::{
    activity::Actor,
    address::Channel,
    model::{Event, Group, Guest},
};

use super::{
    Pages,
    form::{self, Fields, Upload},
    lost,
    respond::{Ended, Frame, PageError},
};
use crate::{
    Client,
    access::{Denied, GuestAccess},
};

/// Holds the token.
const SESSION: &str = "convive";
/// Tells one visitor from another before they are logged in; proves that a login form is theirs.
const VISIT: &str = "convive-visit";
const DAY: i64 = 24 * 3600;

impl Pages {
    /// Sets the session's cookie. It ends with the token in it, which says when.
    #[must_use]
    pub fn session_cookie(&self, token: &str, is_host: bool) -> String {
        let lifetime = if is_host { self.lifetimes.host } else { self.lifetimes.guest };
        self.cookie(SESSION, token, lifetime.num_seconds())
    }

    /// Takes the session's cookie away.
    #[must_use]
    pub fn end_of_session(&self) -> String {
        self.cookie(SESSION, "", 0)
    }

    /// A cookie that no script reads and no other site's form carries.
    #[must_use]
    pub fn cookie(&self, name: &str, value: &str, seconds: i64) -> String {
        let secure = if self.is_https { "; Secure" } else { "" };
        format!("{name}={value}; Path=/; HttpOnly; SameSite=Lax; Max-Age={seconds}{secure}")
    }

    /// Whoever this token lets in.
    async fn access(&self, token: &str) -> Result<Option<GuestAccess>, PageError> {
        match GuestAccess::of(&self.web, token).await {
            Ok(access) => Ok(Some(access)),
            Err(Denied::Unknown | Denied::NotAHost) => Ok(None),
            Err(Denied::Store(error)) => Err(error.into()),
        }
    }
}

/// Adds a cookie to an answer.
pub fn add_cookie(response: &mut Response, cookie: &str) {
    if let Ok(value) = HeaderValue::try_from(cookie) {
        response.headers_mut().append(header::SET_COOKIE, value);
    }
}

/// The value of a cookie that the browser sent.
#[must_use]
pub fn cookie_value<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(found, value)| *found == name && !value.is_empty()).map(|(_, value)| value)
}

/// A page of ours to go to after logging in: never another site's.
#[must_use]
pub fn own_path(wanted: &str, otherwise: &str) -> String {
    let is_ours = wanted.starts_with('/')
        && !wanted.starts_with("//")
        && !wanted.contains('\\')
        && wanted.bytes().all(|byte| byte.is_ascii_graphic());
    if is_ours { wanted.to_owned() } else { otherwise.to_owned() }
}

/// Sends somebody to where one logs in, and says what they should know: a form is only sent by who was logged in.
fn log_in(parts: &Parts, at: &'static str) -> PageError {
    let ended = match cookie_value(&parts.headers, SESSION) {
        _ if !parts.method.is_safe() => Ended::of_form(&parts.headers),
        Some(_) => Ended::Session,
        None => Ended::Nothing,
    };
    PageError::LogIn { at, next: back_to(parts), ended }
}

/// Where somebody was who has to log in: the page itself or, for a form, the page it stood on.
fn back_to(parts: &Parts) -> String {
    let here = parts.uri.path_and_query().map_or("/", |path| path.as_str());
    if parts.method.is_safe() {
        return here.to_owned();
    }
    let referer = parts.headers.get(header::REFERER).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let path = referer.split_once("://").and_then(|(_, rest)| rest.find('/').map(|at| &rest[at..]));
    path.unwrap_or_default().to_owned()
}

/// Somebody who may not be logged in.
#[derive(Debug, Clone)]
pub struct Visitor {
    pub csrf: String,
    /// Where their attempts to log in are counted.
    pub client: IpAddr,
    /// The guest they are logged in as.
    pub guest: Option<Guest>,
    /// For forms of their session; empty where there is none.
    pub session_csrf: String,
    /// To be set with the answer, for a first visit.
    new_cookie: Option<String>,
    /// Names this visit: random, and the visitor's alone.
    pub visit: String,
}

impl Visitor {
    /// The answer, with the cookie that this visitor needs.
    #[must_use]
    pub fn greet(&self, mut response: Response) -> Response {
        if let Some(cookie) = &self.new_cookie {
            add_cookie(&mut response, cookie);
        }
        response
    }
}

impl FromRequestParts<Pages> for Visitor {
    type Rejection = PageError;

    async fn from_request_parts(parts: &mut Parts, pages: &Pages) -> Result<Self, PageError> {
        let session = cookie_value(&parts.headers, SESSION).map(str::to_owned);
        let guest = match &session {
            Some(token) => pages.access(token).await?.map(|access| access.me),
            None => None,
        };
        let (visit, new_cookie) = match cookie_value(&parts.headers, VISIT) {
            Some(visit) => (visit.to_owned(), None),
            None => {
                let mut bytes = [0; 16];
                pages.web.app.clock.random(&mut bytes);
                let visit = hex::encode(bytes);
                let cookie = pages.cookie(VISIT, &visit, 30 * DAY);
                (visit, Some(cookie))
            }
        };
        let Ok(client) = Client::from_request_parts(parts, &pages.web).await;
        let session_csrf = session.filter(|_| guest.is_some()).map(|token| form::proof(&token)).unwrap_or_default();
        Ok(Self { csrf: form::proof(&visit), client: client.0, guest, session_csrf, new_cookie, visit })
    }
}

/// The button that ends the session. Where there is none any more, there is nothing that it could be asked to prove.
pub struct LogOut {
    pub visitor: Visitor,
    /// Whether it stood on a page for hosts.
    pub is_from_desk: bool,
}

impl FromRequest<Pages> for LogOut {
    type Rejection = PageError;

    async fn from_request(request: Request, pages: &Pages) -> Result<Self, PageError> {
        let (mut parts, body) = request.into_parts();
        let visitor = Visitor::from_request_parts(&mut parts, pages).await?;
        let is_from_desk = back_to(&parts).starts_with("/admin");
        if visitor.guest.is_some() {
            let fields = form::read(Request::from_parts(parts, body), pages).await?;
            // The button stands on pages for visitors too, which prove the visit.
            fields.check(&visitor.session_csrf).or_else(|_| fields.check(&visitor.csrf))?;
        }
        Ok(Self { visitor, is_from_desk })
    }
}

/// A form sent by somebody who may not be logged in.
pub struct VisitorForm {
    pub visitor: Visitor,
    pub fields: Fields,
}

impl FromRequest<Pages> for VisitorForm {
    type Rejection = PageError;

    async fn from_request(request: Request, pages: &Pages) -> Result<Self, PageError> {
        let (mut parts, body) = request.into_parts();
        let visitor = Visitor::from_request_parts(&mut parts, pages).await?;
        let fields = form::read(Request::from_parts(parts, body), pages).await?;
        // Both proofs are this browser's own; a page sends the one that it was made with.
        fields.check(&visitor.csrf).or_else(|_| fields.check(&visitor.session_csrf))?;
        Ok(Self { visitor, fields })
    }
}

/// A guest who is logged in, with the group they answer for.
#[derive(Debug, Clone)]
pub struct Invited {
    pub guest: Guest,
    pub group: Group,
    pub event: Event,
    pub csrf: String,
}

impl FromRequestParts<Pages> for Invited {
    type Rejection = PageError;

    async fn from_request_parts(parts: &mut Parts, pages: &Pages) -> Result<Self, PageError> {
        let log_in = || log_in(parts, "/");
        let token = cookie_value(&parts.headers, SESSION).ok_or_else(log_in)?;
        let GuestAccess { me, group, event } = pages.access(token).await?.ok_or_else(log_in)?;
        Ok(Self { guest: me, group, event, csrf: form::proof(token) })
    }
}

/// A host who is logged in, with the event that is theirs.
#[derive(Debug, Clone)]
pub struct Host {
    pub guest: Guest,
    pub event: Event,
    pub csrf: String,
    /// How this host reaches us, for links to hand on: `https://rsvp.example.org`.
    pub base: String,
    can_try: bool,
}

impl Host {
    /// Who did it, in the activity.
    #[must_use]
    pub fn actor(&self) -> Actor {
        Actor { guest_id: Some(self.guest.id), channel: Channel::Web, as_host: true }
    }

    /// What is around a page for hosts.
    #[must_use]
    pub fn frame(&self, title: &str, here: &'static str) -> Frame {
        Frame {
            title: title.to_owned(),
            here,
            event: self.event.name.clone(),
            who: self.guest.short_name().to_owned(),
            is_host: true,
            csrf: self.csrf.clone(),
            can_try: self.can_try,
            ..Frame::default()
        }
    }
}

impl FromRequestParts<Pages> for Host {
    type Rejection = PageError;

    async fn from_request_parts(parts: &mut Parts, pages: &Pages) -> Result<Self, PageError> {
        let log_in = || log_in(parts, "/admin/login");
        let token = cookie_value(&parts.headers, SESSION).ok_or_else(log_in)?;
        let GuestAccess { me: guest, event, .. } = pages.access(token).await?.ok_or_else(log_in)?;
        if !guest.is_admin {
            return Err(PageError::NotAHost);
        }
        let base = pages.public_url.clone().unwrap_or_else(|| {
            let name = parts.headers.get(header::HOST).and_then(|value| value.to_str().ok());
            format!("http://{}", name.unwrap_or("localhost"))
        });
        Ok(Self { guest, event, csrf: form::proof(token), base, can_try: pages.try_out.is_some() })
    }
}

/// Somebody who is logged in and sends forms.
pub trait Sender: FromRequestParts<Pages, Rejection = PageError> + Send {
    /// The proof of the forms of their session.
    fn proof(&self) -> &str;
}

impl Sender for Invited {
    fn proof(&self) -> &str {
        &self.csrf
    }
}

impl Sender for Host {
    fn proof(&self) -> &str {
        &self.csrf
    }
}

/// A form with something typed in it, which is not lost with the session.
pub struct Typed<W> {
    pub by: W,
    pub fields: Fields,
    /// The form is only to be shown again, with this status: its session was lost on the way.
    pub again: Option<StatusCode>,
}

impl<W: Sender> FromRequest<Pages> for Typed<W> {
    type Rejection = PageError;

    async fn from_request(request: Request, pages: &Pages) -> Result<Self, PageError> {
        let (mut parts, body) = request.into_parts();
        let by = match W::from_request_parts(&mut parts, pages).await {
            Err(PageError::LogIn { at, next, .. }) => {
                let request = Request::from_parts(parts.clone(), body);
                return Err(lost::log_in(parts, request, pages, at, next).await);
            }
            by => by?,
        };
        let visit = cookie_value(&parts.headers, VISIT).map(form::proof).unwrap_or_default();
        let is_from_here = lost::is_from_here(&parts.headers, pages);
        let fields = form::read(Request::from_parts(parts, body), pages).await?;
        if fields.has(lost::AGAIN) {
            fields.check(&visit)?;
            return Ok(Self { by, fields: lost::fields(&fields), again: Some(StatusCode::CONFLICT) });
        }
        match fields.check(by.proof()) {
            Ok(()) => Ok(Self { by, fields, again: None }),
            // Of our own page, opened before somebody logged out and in again.
            Err(_) if is_from_here && !fields.text(form::CSRF_FIELD).is_empty() => {
                Ok(Self { by, fields, again: Some(StatusCode::FORBIDDEN) })
            }
            Err(error) => Err(error),
        }
    }
}

/// What a form says that is shown again.
pub const SHOWN_AGAIN: &str =
    "Your session had ended, so nothing is saved yet. What you typed stands below: look at it and save it.";

/// A form sent by a host.
pub struct HostForm {
    pub host: Host,
    pub fields: Fields,
}

impl FromRequest<Pages> for HostForm {
    type Rejection = PageError;

    async fn from_request(request: Request, pages: &Pages) -> Result<Self, PageError> {
        let (mut parts, body) = request.into_parts();
        let host = Host::from_request_parts(&mut parts, pages).await?;
        let fields = form::read(Request::from_parts(parts, body), pages).await?;
        fields.check(&host.csrf)?;
        Ok(Self { host, fields })
    }
}

/// A file sent by a host.
pub struct HostUpload {
    pub host: Host,
    pub upload: Upload,
}

impl FromRequest<Pages> for HostUpload {
    type Rejection = PageError;

    async fn from_request(request: Request, pages: &Pages) -> Result<Self, PageError> {
        let (mut parts, body) = request.into_parts();
        let host = Host::from_request_parts(&mut parts, pages).await?;
        let upload = form::read_upload(Request::from_parts(parts, body), pages).await?;
        // Nothing can be done with what was not read, so there is nothing to prove.
        if !upload.is_too_large {
            upload.fields.check(&host.csrf)?;
        }
        Ok(Self { host, upload })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_login_only_our_own_pages_are_gone_to() {
        for (wanted, gone_to) in [
            ("/admin/guests?q=anna&page=2", "/admin/guests?q=anna&page=2"),
            ("//evil.example/", "/admin"),
            ("/\\evil.example", "/admin"),
            ("https://evil.example/", "/admin"),
            ("javascript:alert(1)", "/admin"),
            ("/a\r\nset-cookie: x=1", "/admin"),
            ("", "/admin"),
        ] {
            assert_eq!(own_path(wanted, "/admin"), gone_to);
        }
    }

    #[test]
    fn a_cookie_is_found_among_others() {
        let mut headers = HeaderMap::new();
        headers.append(header::COOKIE, HeaderValue::from_static("a=1; convive-visit=v; convive="));
        headers.append(header::COOKIE, HeaderValue::from_static("convive=token"));
        assert_eq!(cookie_value(&headers, SESSION), Some("token"));
        assert_eq!(cookie_value(&headers, VISIT), Some("v"));
        assert_eq!(cookie_value(&headers, "b"), None);
    }
}
