//! Logging in and out, and the one-time link of hosts.

use app::LoginError;
use askama::Template;
use axum::{
    extract::{Path, RawQuery, State},
    http::{HeaderName, HeaderValue, StatusCode, header},
    response::Response,
};
use domain::model::Guest;

use super::{
    Pages,
    form::Fields,
    home,
    lost::{self, Kept},
    respond::{Ended, Frame, PageError, PageResult, Problem, page, refused, see_other, see_other_with_cookie},
    session::{self, LogOut, Visitor, VisitorForm},
};

const ADMIN: &str = "/admin";

/// The form that asks for code and last name.
#[derive(Template)]
#[template(path = "login.html")]
pub struct LoginPage {
    pub frame: Frame,
    pub heading: String,
    pub intro: String,
    /// Where the form is sent.
    pub action: &'static str,
    pub code: String,
    pub last_name: String,
    pub next: String,
    pub error: String,
    pub code_error: &'static str,
    pub last_name_error: &'static str,
    /// A form that comes back after the login.
    pub kept: Option<Kept>,
}

/// Where one logs in: hosts or guests.
#[must_use]
pub fn login_at(at: &str, pages: &Pages, visitor: &Visitor, next: &str) -> LoginPage {
    if at.starts_with(ADMIN) { LoginPage::for_hosts(visitor, next) } else { home::stranger(pages, visitor, next) }
}

/// Why somebody is not let in.
pub struct NotIn {
    status: StatusCode,
    /// Seconds after which they may try again.
    wait: Option<i64>,
}

impl LoginPage {
    fn for_hosts(visitor: &Visitor, next: &str) -> Self {
        Self {
            frame: Frame::outside("Log in", &visitor.csrf),
            heading: "The host’s desk".to_owned(),
            intro: "Log in with your own code and last name. You can also ask the bot for a link with /admin."
                .to_owned(),
            action: "/admin/login",
            code: String::new(),
            last_name: String::new(),
            next: session::own_path(next, ADMIN),
            error: String::new(),
            code_error: "",
            last_name_error: "",
            kept: None,
        }
    }

    /// The form once more, with what is wrong.
    ///
    /// # Errors
    /// When the template fails.
    pub fn refused(&mut self, not_in: &NotIn) -> PageResult {
        self.frame.failed = "You are not logged in:";
        let fields = [("code", "Code", self.code_error), ("last_name", "Last name", self.last_name_error)];
        for (field, label, error) in fields.into_iter().filter(|(_, _, error)| !error.is_empty()) {
            self.frame.problems.push(Problem::of(field, label, error));
        }
        let mut response = refused(not_in.status, self)?;
        if let Some(wait) = not_in.wait {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(wait));
        }
        Ok(response)
    }
}

/// Where hosts log in.
pub async fn login_page(visitor: Visitor, RawQuery(query): RawQuery) -> PageResult {
    let query = Fields::parse(query.unwrap_or_default().as_bytes());
    if visitor.guest.as_ref().is_some_and(|guest| guest.is_admin) {
        return Ok(see_other(&session::own_path(query.text("next"), ADMIN)));
    }
    let mut shown = LoginPage::for_hosts(&visitor, query.text("next"));
    shown.frame.warning = Ended::notice(query.text("ended"));
    Ok(visitor.greet(page(&shown)?))
}

/// A host logs in with code and last name.
pub async fn log_in(State(pages): State<Pages>, form: VisitorForm) -> PageResult {
    let mut shown = LoginPage::for_hosts(&form.visitor, form.fields.text("next"));
    shown.kept = Kept::of_login(&form.fields);
    match check(&pages, &form, &mut shown).await? {
        Ok(guest) if guest.is_admin => admit_from(&pages, &guest, &shown),
        Ok(_) => {
            shown.error = "This code belongs to a guest who is not a host. Your own page is at the start of this site."
                .to_owned();
            refused(StatusCode::FORBIDDEN, &shown)
        }
        Err(not_in) => shown.refused(&not_in),
    }
}

/// Checks code and last name; where they do not fit, the page says so and keeps what was typed.
///
/// # Errors
/// When the store cannot be used.
pub async fn check(
    pages: &Pages,
    form: &VisitorForm,
    shown: &mut LoginPage,
) -> Result<Result<Guest, NotIn>, PageError> {
    let (code, last_name) = (form.fields.text("code"), form.fields.text("last_name"));
    shown.code = code.to_owned();
    shown.last_name = last_name.to_owned();
    let not_in = |status| NotIn { status, wait: None };
    if code.is_empty() || last_name.is_empty() {
        if code.is_empty() {
            shown.code_error = "Type the code that stands on the invitation.";
        }
        if last_name.is_empty() {
            shown.last_name_error = "Type the last name as it stands on the invitation.";
        }
        return Ok(Err(not_in(StatusCode::UNPROCESSABLE_ENTITY)));
    }
    match pages.web.app.log_in_on_web(form.visitor.client, code, last_name).await {
        Ok(guest) => Ok(Ok(guest)),
        Err(LoginError::Wrong) => {
            shown.error = "Code and last name do not fit together. Type the code as on the invitation, and the last name as it is written there.".to_owned();
            Ok(Err(not_in(StatusCode::UNAUTHORIZED)))
        }
        Err(LoginError::Wait(wait)) => {
            let minutes = (wait.num_seconds() + 59) / 60;
            let minutes = if minutes <= 1 { "a minute".to_owned() } else { format!("{minutes} minutes") };
            shown.error = format!("There were too many attempts. Wait {minutes}, then try again.");
            Ok(Err(NotIn { status: StatusCode::TOO_MANY_REQUESTS, wait: Some(wait.num_seconds().max(1)) }))
        }
        Err(LoginError::Contention) => Err(PageError::Unavailable),
        Err(LoginError::Store(error)) => Err(error.into()),
    }
}

/// Opens a session.
///
/// # Errors
/// When nothing here can sign one.
pub fn admit(pages: &Pages, guest: &Guest, to: &str) -> PageResult {
    let issuer = pages.web.issuer.as_ref().ok_or_else(|| {
        PageError::BadRequest("Nobody can log in here: this program runs without the signing key.".to_owned())
    })?;
    let token = issuer.issue(guest, pages.web.app.clock.now()).map_err(|_| PageError::Internal)?;
    Ok(see_other_with_cookie(to, &pages.session_cookie(&token, guest.is_admin)))
}

/// Opens a session, and goes to the page that was wanted or, where a form waits, to that form.
///
/// # Errors
/// When nothing here can sign one.
pub fn admit_from(pages: &Pages, guest: &Guest, from: &LoginPage) -> PageResult {
    let mut response = admit(pages, guest, &from.next)?;
    if let Some(kept) = &from.kept {
        let cookies = response.headers_mut().remove(header::SET_COOKIE);
        response = lost::back_to_form(&kept.action);
        response.headers_mut().extend(cookies.map(|cookie| (header::SET_COOKIE, cookie)));
    }
    Ok(response)
}

/// Ends the session.
pub async fn log_out(State(pages): State<Pages>, out: LogOut) -> Response {
    if !out.is_from_desk && out.visitor.guest.is_none_or(|guest| !guest.is_admin) {
        return see_other_with_cookie("/", &pages.end_of_session());
    }
    // Whoever was a host comes back as one. Pages that the browser keeps for its "Back" go with the session
    // (https://www.w3.org/TR/clear-site-data/); guests have none, and browsers take their time with it.
    let mut response = see_other_with_cookie("/admin/login", &pages.end_of_session());
    let clear = (HeaderName::from_static("clear-site-data"), HeaderValue::from_static("\"cache\""));
    response.headers_mut().extend([clear]);
    response
}

#[derive(Template)]
#[template(path = "link.html")]
struct LinkPage {
    frame: Frame,
    link: String,
}

/// A one-time link opens a page with a button: programs that look at links in messages do not use it up.
pub async fn link_page(State(pages): State<Pages>, visitor: Visitor, Path(link): Path<String>) -> PageResult {
    if !pages.web.app.is_host_link_good(&link).await? {
        return Err(link_is_used());
    }
    let shown = LinkPage { frame: Frame::outside("Welcome", &visitor.csrf), link };
    Ok(visitor.greet(page(&shown)?))
}

/// The button: opens a session and uses the link up.
pub async fn follow_link(State(pages): State<Pages>, Path(link): Path<String>, _form: VisitorForm) -> PageResult {
    match pages.web.app.use_host_link(&link).await? {
        Some(host) => admit(&pages, &host, ADMIN),
        None => Err(link_is_used()),
    }
}

fn link_is_used() -> PageError {
    PageError::BadRequest(
        "This link has been used or is older than ten minutes. Ask for a new one: /admin in the chat, or \
         `convive admin-link`; or log in with your code at /admin."
            .to_owned(),
    )
}
