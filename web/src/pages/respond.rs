//! How a page answers: rendered templates, redirects, and errors that say what to do.

use askama::Template;
use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{Html, IntoResponse, Response},
};
use store::StoreError;

use super::{assets, session};

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
    /// Whether the page is loaded again when something happens in the event.
    pub live: bool,
    /// Whether hosts can try the bot.
    pub can_try: bool,
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
    LogIn { at: &'static str, next: String },
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
        if let Self::LogIn { at, next } = &self {
            let query = form_urlencoded::Serializer::new(String::new()).append_pair("next", next).finish();
            return see_other(&format!("{at}?{query}"));
        }
        let frame = Frame::outside("That did not work", "");
        let page = ErrorPage { frame, message: self.to_string() }.render().unwrap_or_else(|_| self.to_string());
        (self.status(), Html(page)).into_response()
    }
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
