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
    let (title, consequence, what, button) = match (question, guests) {
        (Question::NewCodes, [guest]) => (
            format!("Make a new code for {}?", guest.full_name()),
            "The code they have stops working, and so do the link and the QR code of the invitation that you have \
             handed out. Their logins in chats and on the web end; they need the new code to come back.",
            "codes",
            "Make a new code",
        ),
        (Question::NewCodes, _) => (
            format!("Make new codes for {}?", people(guests)),
            "The codes they have stop working, and so do the links and QR codes of invitations that you have handed \
             out. Logins in chats and on the web end; everybody needs the new code to come back.",
            "codes",
            "Make new codes",
        ),
        (Question::Alone, _) => (
            format!("Take {} out of their group?", people(guests)),
            "From then on each answers alone: nobody of the group can answer for them any more, nor they for others. \
             Answers stay as they are.",
            "alone",
            "Take them out",
        ),
    };
    page(&ConfirmPage {
        frame: host.frame(&title, "guests"),
        names: if guests.len() > 1 { groups::listed(guests) } else { String::new() },
        consequence,
        ids: guests.iter().map(|guest| guest.id.to_string()).collect(),
        what,
        button,
        back,
    })
}

fn people(guests: &[&Guest]) -> String {
    match guests {
        [guest] => guest.full_name(),
        guests => count(guests.len() as u64, "guest", "guests"),
    }
}
