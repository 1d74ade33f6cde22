//! Lists, page by page.

use super::{HostView, Listed, Wanted};
use crate::{
    address::Style,
    conversation::turn::Turn,
    digest,
    message::{Choice, Numbering, Outgoing, Question, Say},
    model::{Guest, GuestId, Status},
};

/// Lines on a page where there is room, and where every character costs.
const LINES: usize = 40;
const LINES_OF_TEXTS: usize = 10;

/// `host.LIST.PAGE.LOGIN`: valid for ever, for whoever is that host.
pub(super) fn button(id: &str) -> Option<(String, usize, GuestId)> {
    let mut parts = id.strip_prefix("host.")?.splitn(3, '.');
    let (list, page, host) = (parts.next()?, parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    matches!(list, "pending" | "coming" | "dietary" | "tell").then(|| (list.to_owned(), page, host))
}

/// The guests on a page of a list; nothing where there is no such list.
pub(super) fn wanted(list: &str, page: usize, style: Style) -> Option<Wanted> {
    let (status, with_dietary_needs) = match list {
        "pending" => (Status::Pending, false),
        "coming" => (Status::Coming, false),
        "dietary" => (Status::Coming, true),
        _ => return None,
    };
    Some(Wanted::Page { status, with_dietary_needs, page, size: size(style) })
}

fn size(style: Style) -> usize {
    if style == Style::Texts { LINES_OF_TEXTS } else { LINES }
}

impl Turn<'_> {
    /// The page of a list that was looked up; `asked` is what was typed, or nothing for the first.
    pub(super) fn show_list(&mut self, view: &HostView, list: &str, asked: &str) {
        let event = view.facts.event.name.as_str();
        let Some(Listed { page, total }) = view.listed.filter(|listed| listed.total > 0) else {
            let id = match list {
                "pending" => "host-nobody-pending",
                "coming" => "host-nobody-coming",
                _ => "host-no-dietary",
            };
            return self.tell(vec![Say::new(id).with("event", event)]);
        };
        let pages = total.div_ceil(size(self.style));
        let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let id = match list {
            "pending" => "host-list-pending",
            "coming" => "host-list-coming",
            _ => "host-list-dietary",
        };
        let mut says = Vec::new();
        if !asked.is_empty() && asked.parse() != Ok(page) {
            says.push(Say::new("host-no-page").with("page", asked).with("pages", number(pages)));
        }
        says.push(Say::new(id).with("event", event).with("count", number(total)));
        says.extend(lines(view, list));
        let is_last = page == pages;
        if pages > 1 {
            let says_page = Say::new("host-page").with("page", number(page)).with("pages", number(pages));
            says.push(says_page.with("list", list).with("next", number(if is_last { 1 } else { page + 1 })));
        }
        let more = Choice { id: format!("host.{list}.{}.{}", page + 1, view.host), label: Say::new("choice-more") };
        let question = (!is_last && self.style == Style::Buttons).then(|| Question {
            number: 0,
            choices: vec![more],
            numbering: Numbering::Choices,
        });
        self.says.push(Outgoing { question, ..Outgoing::statement(says) });
    }
}

fn lines(view: &HostView, list: &str) -> Vec<Say> {
    let guests = view.facts.guests.iter();
    let name = |guest: &Guest| digest::name_in_list(guest, &view.facts);
    let named = |id, guest: &Guest| {
        let name = name(guest).unwrap_or_else(|| digest::told_apart(guest, &view.facts.guests));
        Say::new(id).with("name", name)
    };
    match list {
        "pending" => guests
            .map(|guest| {
                let name = name(guest).unwrap_or_else(|| digest::out_name(guest, &view.facts));
                Say::new("host-line-pending").with("name", name).with("count", guest.expected_guests)
            })
            .collect(),
        "coming" => guests
            .map(|guest| {
                let extras = guest.extra_guests;
                named("host-line-coming", guest).with("count", guest.num_guests).with("extras", extras)
            })
            .collect(),
        _ => guests.map(|guest| named("host-line-dietary", guest).with("dietary", guest.dietary.as_str())).collect(),
    }
}
