//! The pages: the hosts' view under `/admin`, the guests' page at `/`, and the simulator of the chats.
//!
//! Everything works without script. A handler reads the request, calls one use case of `app`, and fills a template;
//! who may see what is decided by the extractors of `session` alone.

mod assets;
mod carried;
mod confirm;
mod deliveries;
mod dietary;
mod edit;
mod effect;
mod entry;
mod export;
mod form;
mod groups;
mod guest;
mod guests;
mod home;
mod import;
mod invitations;
mod live;
mod lost;
mod overview;
mod respond;
mod security;
mod session;
mod settings;
mod simulator;
#[cfg(test)]
mod tests;
mod words;
mod workbook;

use std::sync::Arc;

use axum::{
    Router,
    extract::DefaultBodyLimit,
    middleware,
    routing::{get, post},
};
use tokio::sync::watch;

pub use simulator::{Desk, ON_PAGE, TryOut, TryOutError, TryOutMessage};

use crate::{Web, tokens::Lifetimes};

/// The largest form: every guest of a page ticked, or dietary needs of a large group.
const MOST_FORM_BYTES: usize = 512 * 1024;

/// The link that opens the bot with a code, where there is a bot.
pub type BotLink = Arc<dyn Fn(&str) -> Option<String> + Send + Sync>;

/// What the pages need.
#[derive(Clone)]
pub struct Pages {
    pub web: Web,
    /// How long sessions last.
    pub lifetimes: Lifetimes,
    /// Whether browsers reach us by https: cookies then go no other way.
    pub is_https: bool,
    /// Where guests reach us, without a `/` at the end, if that is known.
    pub public_url: Option<String>,
    pub bot_link: BotLink,
    /// Where the bot can be tried.
    pub try_out: Option<Arc<dyn TryOut>>,
    /// What was said there.
    pub desk: Arc<Desk>,
    /// Whether anybody may try the bot, since nothing here is real.
    pub is_demo: bool,
    /// Says when the program ends: pages that are followed live end with it.
    pub stopping: watch::Receiver<bool>,
}

/// The routes.
pub fn router(pages: Pages) -> Router {
    let uploads = Router::new()
        .route("/admin/import", get(import::show).post(import::preview))
        .route("/admin/import/confirm", post(import::confirm))
        .layer(DefaultBodyLimit::max(import::MOST_FORM_BYTES));
    Router::new()
        .merge(guest_routes())
        .merge(host_routes())
        .layer(DefaultBodyLimit::max(MOST_FORM_BYTES))
        .merge(uploads)
        .merge(assets::router())
        .fallback(respond::nothing)
        .layer(middleware::from_fn_with_state(pages.clone(), respond::errors))
        .layer(middleware::from_fn_with_state(pages.clone(), respond::say_once))
        .layer(middleware::from_fn(security::headers))
        .with_state(pages)
}

fn guest_routes() -> Router<Pages> {
    Router::new()
        .route("/", get(home::show).post(home::log_in))
        .route("/answer", get(home::look).post(home::answer))
        .route("/logout", post(entry::log_out))
        .route("/calendar.ics", get(home::calendar))
        .route("/try", get(simulator::show).post(simulator::say))
        .route("/try/again", post(simulator::start_again))
}

fn host_routes() -> Router<Pages> {
    Router::new()
        .route("/admin", get(overview::show))
        .route("/admin/live", get(live::events))
        .route("/admin/login", get(entry::login_page).post(entry::log_in))
        .route("/admin/link/{link}", get(entry::link_page).post(entry::follow_link))
        .route("/admin/guests", get(guests::show))
        .route("/admin/guests/bulk", post(guests::bulk))
        .route("/admin/guests/sure", get(guests::asked))
        .route("/admin/groups", get(groups::show))
        .route("/admin/groups/put", post(groups::put))
        .route("/admin/guests/new", get(edit::new_page).post(edit::create))
        .route("/admin/guests/deleted", get(edit::deleted))
        .route("/admin/guests/restore", post(edit::restore))
        .route("/admin/guests/{id}", get(guest::show))
        .route("/admin/guests/{id}/edit", get(edit::edit_page).post(edit::save))
        .route("/admin/guests/{id}/answer", post(guest::answer))
        .route("/admin/guests/{id}/code", post(guest::new_code))
        .route("/admin/guests/{id}/delete", post(edit::delete))
        .route("/admin/dietary", get(dietary::show))
        .route("/admin/export.csv", get(export::csv))
        .route("/admin/export.xlsx", get(export::xlsx))
        .route("/admin/settings", get(settings::show).post(settings::save))
        .route("/admin/deliveries", get(deliveries::show))
        .route("/admin/deliveries/again", post(deliveries::send_again))
        .route("/admin/invitations", get(invitations::show))
}
