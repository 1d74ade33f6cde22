//! How a page answers: rendered templates, redirects, and errors that say what to do.

use askama::Template;
use axum::{
    extract::{FromRequestParts, Request, State},
    http::{HeaderMap, HeaderValue, StatusCode, Uri, header},
    middleware::Next,
    response::{Html, IntoResponse, Response},
};
use store::StoreError;

use super::{
    Pages, assets, form,
    session::{self, Host},
};
use crate::api;

/// What every page shows around its content.
#[derive(Debug, Clone, Default)]
pub struct Frame {
    pub title: String,
    /// The entry of the navigation that is marked as the present one.
    pub here: &'static str,
    /// The event's name; empty where nobody is logged in.
    pub event: String,
    /// Who is logged in; empty where nobody is.
    pub who: String,
    /// Whether the navigation of hosts is shown.
    pub is_host: bool,
    /// Whether a guest's page offers the way to the hosts' view.
    pub is_guest_host: bool,
    /// The token that every form of this page sends back.
    pub csrf: String,
    /// What was just done, in a sentence; empty for nothing.
    pub notice: String,
    /// What went wrong on the way here, in a sentence; empty for nothing.
    pub warning: String,
    /// Whether the page is loaded again when something happens in the event.
    pub live: bool,
    /// Whether hosts can try the bot.
    pub can_try: bool,
    /// What is wrong in the page's form; the page opens with it, since the fields may be far below.
    pub problems: Vec<Problem>,
    /// What is said above them; empty for the usual.
    pub failed: &'static str,
}

/// Something wrong in a form.
#[derive(Debug, Clone)]
pub struct Problem {
    /// The `id` of the field on the page.
    pub field: String,
    pub message: String,
}

impl Problem {
    /// Of this field, by the name that the page has for it.
    #[must_use]
    pub fn of(field: &str, label: &str, message: &str) -> Self {
        Self { field: field.to_owned(), message: format!("{label}: {message}") }
    }
}

impl Frame {
    /// Of a page for somebody who is not logged in.
    #[must_use]
    pub fn outside(title: &str, csrf: &str) -> Self {
        Self { title: title.to_owned(), csrf: csrf.to_owned(), ..Self::default() }
    }

    /// The pages of hosts: mark, address, label.
    #[must_use]
    pub fn navigation(&self) -> &'static [(&'static str, &'static str, &'static str)] {
        &[
            ("overview", "/admin", "Overview"),
            ("guests", "/admin/guests", "Guests"),
            ("dietary", "/admin/dietary", "Kitchen"),
            ("invitations", "/admin/invitations", "Invitations"),
            ("import", "/admin/import", "Import"),
            ("deliveries", "/admin/deliveries", "Deliveries"),
            ("settings", "/admin/settings", "Settings"),
        ]
    }

    /// Where the style sheet is.
    #[must_use]
    pub fn css(&self) -> &'static str {
        assets::css_path()
    }

    /// Where the script is.
    #[must_use]
    pub fn js(&self) -> &'static str {
        assets::js_path()
    }
}

/// Why a page cannot be shown.
#[derive(Debug, thiserror::Error)]
pub enum PageError {
    #[error("There is nothing here. It may have been deleted, or the address is not quite right.")]
    NotFound,
    /// The form was not sent from a page of this session.
    #[error(
        "This form is no longer valid: it was opened in another session. Go back, load the page again and send it once more."
    )]
    ForeignForm,
    #[error("This page is for hosts. You are logged in as a guest.")]
    NotAHost,
    #[error("{0}")]
    BadRequest(String),
    #[error("The form is larger than this page takes.")]
    TooLarge,
    #[error("The guest list cannot be reached at the moment. Try again in a minute; nothing was changed.")]
    Unavailable,
    /// The log says why; the reader learns nothing.
    #[error("Something went wrong on our side. Try again; if it stays so, tell whoever runs this site.")]
    Internal,
    /// Nobody is logged in: to the page where that is done, and back.
    #[error("You are not logged in.")]
    LogIn { at: &'static str, next: String, ended: Ended },
    /// The page that says so is there already.
    #[error("There is a page for that.")]
    Shown(Box<Response>),
}

/// What somebody who has to log in should know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// They were not logged in.
    Nothing,
    /// They were, and are no longer.
    Session,
    /// They were, and what they had typed is lost.
    Form,
    /// They were, and the file that they sent is not kept.
    File,
}

impl Ended {
    /// How an address says so.
    const fn mark(self) -> &'static str {
        match self {
            Self::Nothing => "",
            Self::Session => "session",
            Self::Form => "form",
            Self::File => "file",
        }
    }

    /// Of whoever sent a form.
    #[must_use]
    pub fn of_form(headers: &HeaderMap) -> Self {
        if form::is_form(headers) { Self::Form } else { Self::File }
    }

    /// What the login page says to somebody who was sent there with this mark.
    #[must_use]
    pub fn notice(mark: &str) -> String {
        match mark {
            "session" => "Your session has ended; log in again.".to_owned(),
            "form" => "Your session has ended; log in again: what you typed was not saved.".to_owned(),
            "file" => "Your session has ended; log in again, then choose the file again: it was not taken.".to_owned(),
            _ => String::new(),
        }
    }
}

impl From<StoreError> for PageError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Unavailable(_) | StoreError::Busy => {
                tracing::warn!(%error, "a page could not be shown");
                Self::Unavailable
            }
            StoreError::Unusable(_) | StoreError::Damaged(_) => {
                tracing::error!(%error, "a page could not be shown");
                Self::Internal
            }
        }
    }
}

impl From<askama::Error> for PageError {
    fn from(error: askama::Error) -> Self {
        tracing::error!(%error, "a page could not be written");
        Self::Internal
    }
}

impl PageError {
    fn status(&self) -> StatusCode {
        match self {
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::ForeignForm | Self::NotAHost => StatusCode::FORBIDDEN,
            Self::BadRequest(_) => StatusCode::BAD_REQUEST,
            Self::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
            Self::Internal => StatusCode::INTERNAL_SERVER_ERROR,
            Self::LogIn { .. } => StatusCode::SEE_OTHER,
            Self::Shown(response) => response.status(),
        }
    }
}

#[derive(Template)]
#[template(path = "error.html")]
struct ErrorPage {
    frame: Frame,
    message: String,
}

impl IntoResponse for PageError {
    fn into_response(self) -> Response {
        if let Self::LogIn { at, next, ended } = &self {
            let mut query = form_urlencoded::Serializer::new(String::new());
            query.append_pair("next", next);
            if *ended != Ended::Nothing {
                query.append_pair("ended", ended.mark());
            }
            return see_other(&format!("{at}?{}", query.finish()));
        }
        if let Self::Shown(response) = self {
            return *response;
        }
        let mut response = self.status().into_response();
        response.extensions_mut().insert(Told(self.to_string()));
        response
    }
}

/// Why a page cannot be shown, on its way to [`errors`], which knows who is looking.
#[derive(Clone)]
struct Told(String);

/// What to say of an error that no handler of ours had words for.
fn told_of(status: StatusCode) -> String {
    match status {
        StatusCode::NOT_FOUND => PageError::NotFound.to_string(),
        StatusCode::METHOD_NOT_ALLOWED => {
            "This address only takes the form of another page. Go back to that page and use its button.".to_owned()
        }
        StatusCode::PAYLOAD_TOO_LARGE => PageError::TooLarge.to_string(),
        status if status.is_client_error() => {
            "The request could not be understood. Go back, load the page again and try once more.".to_owned()
        }
        _ => PageError::Internal.to_string(),
    }
}

fn is_without_page(response: &Response) -> bool {
    let media_type = response.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let media_type = media_type.unwrap_or_default();
    (response.status().is_client_error() || response.status().is_server_error())
        && !media_type.starts_with("text/html")
        && !media_type.starts_with("application/json")
}

/// What pages of errors are called.
const FAILED: &str = "That did not work";

/// Every error is a page in the site's look; hosts keep their navigation on it.
pub async fn errors(State(pages): State<Pages>, request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    let mut desk = parts.uri.path().starts_with("/admin").then(|| parts.clone());
    let response = next.run(Request::from_parts(parts, body)).await;
    if !is_without_page(&response) {
        return response;
    }
    let told = response.extensions().get::<Told>().map(|told| told.0.clone());
    let message = told.unwrap_or_else(|| told_of(response.status()));
    let host = match &mut desk {
        Some(parts) => Host::from_request_parts(parts, &pages).await.ok(),
        None => None,
    };
    let frame = host.map_or_else(|| Frame::outside(FAILED, ""), |host| host.frame(FAILED, ""));
    let page = ErrorPage { frame, message: message.clone() }.render().unwrap_or(message);
    let mut shown = (response.status(), Html(page)).into_response();
    // Such as the methods that an address does take.
    for (name, value) in response.headers() {
        if *name != header::CONTENT_TYPE && *name != header::CONTENT_LENGTH {
            shown.headers_mut().append(name, value.clone());
        }
    }
    shown
}

/// Carries what was just done to the page that says so.
const DONE: &str = "convive-done";
/// A page that does not come by then is not waited for.
const DONE_SECONDS: i64 = 60;

/// What was done is said once: it goes to the next page in a cookie, not in its address, where it would be said again
/// whenever the page is loaded again.
pub async fn say_once(State(pages): State<Pages>, mut request: Request, next: Next) -> Response {
    let done = session::cookie_value(request.headers(), DONE).filter(|done| is_done(done)).map(str::to_owned);
    if let Some(done) = &done
        && let Some(uri) = with_query(request.uri(), done)
    {
        *request.uri_mut() = uri;
    }
    let mut response = next.run(request).await;
    if let Some((to, done)) = split_done(&response) {
        response.headers_mut().insert(header::LOCATION, to);
        session::add_cookie(&mut response, &pages.cookie(DONE, &done, DONE_SECONDS));
    } else if done.is_some() && is_page(&response) {
        session::add_cookie(&mut response, &pages.cookie(DONE, "", 0));
    }
    response
}

fn is_done(done: &str) -> bool {
    done.starts_with("done=") && done.bytes().all(|byte| byte.is_ascii_lowercase() || b"0123456789=&".contains(&byte))
}

fn with_query(uri: &Uri, more: &str) -> Option<Uri> {
    let mark = if uri.query().is_some() { '&' } else { '?' };
    format!("{}{mark}{more}", uri.path_and_query()?).parse().ok()
}

/// The address without its end that says what was done, and that end.
fn split_done(response: &Response) -> Option<(HeaderValue, String)> {
    let location = response.headers().get(header::LOCATION)?.to_str().ok()?;
    let at = location.find("?done=").or_else(|| location.find("&done="))?;
    let (to, done) = (location.get(..at)?, location.get(at + 1..)?);
    is_done(done).then(|| Some((HeaderValue::try_from(to).ok()?, done.to_owned())))?
}

fn is_page(response: &Response) -> bool {
    let media_type = response.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    response.status() == StatusCode::OK && media_type.is_some_and(|media_type| media_type.starts_with("text/html"))
}

/// An address that there is not. Programs are answered as programs.
pub async fn nothing(request: Request) -> Response {
    let path = request.uri().path();
    if path == "/api" || path.starts_with("/api/") {
        return api::no_such_route().await.into_response();
    }
    PageError::NotFound.into_response()
}

/// What a handler gives back.
pub type PageResult = Result<Response, PageError>;

/// A rendered page.
///
/// # Errors
/// When the template fails.
pub fn page(template: &impl Template) -> PageResult {
    Ok(Html(template.render()?).into_response())
}

/// A rendered page for a form that could not be used.
///
/// # Errors
/// When the template fails.
pub fn refused(status: StatusCode, template: &impl Template) -> PageResult {
    Ok((status, Html(template.render()?)).into_response())
}

/// To another page of ours, after something was done.
#[must_use]
pub fn see_other(to: &str) -> Response {
    let to = HeaderValue::try_from(to).unwrap_or(HeaderValue::from_static("/"));
    (StatusCode::SEE_OTHER, [(header::LOCATION, to)]).into_response()
}

/// The same with a cookie.
#[must_use]
pub fn see_other_with_cookie(to: &str, cookie: &str) -> Response {
    let mut response = see_other(to);
    session::add_cookie(&mut response, cookie);
    response
}

/// A file to keep.
#[must_use]
pub fn download(name: &str, media_type: &str, content: impl Into<axum::body::Body>) -> Response {
    let disposition = format!("attachment; filename=\"{name}\"");
    let disposition = HeaderValue::try_from(disposition).unwrap_or(HeaderValue::from_static("attachment"));
    let media_type = HeaderValue::try_from(media_type).unwrap_or(HeaderValue::from_static("application/octet-stream"));
    ([(header::CONTENT_DISPOSITION, disposition), (header::CONTENT_TYPE, media_type)], content.into()).into_response()
}
