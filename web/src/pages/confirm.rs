//! What cannot be taken back is asked first: how many it is about, and what stops working.

use askama::Template;
use domain::model::Guest;

use super::{
    groups,
    respond::{Frame, PageResult, page},
    session::Host,
    words::count,
};

#[derive(Template)]
#[template(path = "confirm.html")]
struct ConfirmPage {
    frame: Frame,
    names: String,
    consequence: &'static str,
    ids: Vec<String>,
    what: &'static str,
    button: &'static str,
    back: String,
}

/// Something to be asked about first.
#[derive(Debug, Clone, Copy)]
pub enum Question {
    NewCodes,
    Alone,
}

/// Asks whether it is meant.
///
/// # Errors
/// When the template fails.
pub fn ask(host: &Host, question: Question, guests: &[&Guest], back: String) -> PageResult {
    let number = guests.len() as u64;
    let (title, consequence, what, button) = match question {
        Question::NewCodes => (
            format!("Make {} for {}?", if number == 1 { "a new code" } else { "new codes" }, people(number)),
            "The codes they have stop working, and so do the links and QR codes of invitations that you have handed \
             out. Logins in chats and on the web end; everybody needs the new code to come back.",
            "codes",
            "Make new codes",
        ),
        Question::Alone => (
            format!("Take {} out of their group?", people(number)),
            "From then on each answers alone: nobody of the group can answer for them any more, nor they for others. \
             Answers stay as they are.",
            "alone",
            "Take them out",
        ),
    };
    page(&ConfirmPage {
        frame: host.frame(&title, "guests"),
        names: groups::listed(guests),
        consequence,
        ids: guests.iter().map(|guest| guest.id.to_string()).collect(),
        what,
        button,
        back,
    })
}

fn people(number: u64) -> String {
    count(number, "guest", "guests")
}
