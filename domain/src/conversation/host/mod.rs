//! What a host can do in the chat: lists, answers entered for a guest, reminders and messages to many.
//!
//! All of it begins with a slash, and only means something to a guest who is a host, on the event of the login that
//! speaks (or the one that is named).

mod deadline;
mod lists;
mod people;
mod send;
mod tasks;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::{Ask, Conversation, turn::Turn};
use crate::{
    digest,
    message::{Body, Inbound, Say},
    model::{Guest, GuestId},
    schedule::{AddressBook, Outreach},
};

/// What the rules need to know where a host commands.
#[derive(Debug, Clone)]
pub struct HostView {
    /// The login that commands.
    pub host: GuestId,
    /// The event, its guests, and what is new.
    pub facts: digest::Facts,
    /// Where everybody is logged in.
    pub book: AddressBook,
    pub outreach: Outreach,
}

/// What a host is about to do, once it is clear about whom and confirmed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "task", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum HostTask {
    /// Show a guest.
    Find,
    /// Enter an answer for a guest.
    Mark { answer: MarkAs },
    /// Write the first text to those who never opened their invitation and whose phone is known.
    Invite,
    /// Remind the guest's group or, without a guest, all who have not answered.
    Remind,
    /// Write to a guest.
    Reply { text: String },
    /// Write to many.
    Broadcast { text: String },
    /// Tell those who come how the event is now.
    Tell,
    /// Close answers at another time.
    Deadline { at: DateTime<Utc> },
}

/// An answer that a host enters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "as", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum MarkAs {
    /// So many people; all who are expected where no number is given.
    Coming {
        count: Option<u32>,
    },
    Declined,
    Pending,
}

/// What the intake has to look up before the step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostRequest {
    /// The login whose event it is about.
    pub host: GuestId,
    /// Whether news are asked for.
    pub news: bool,
}

/// A command as it was typed.
struct Typed<'t> {
    word: String,
    rest: &'t str,
}

const WORDS: [&str; 12] = [
    "invite",
    "digest",
    "pending",
    "coming",
    "dietary",
    "find",
    "mark",
    "remind",
    "reply",
    "broadcast",
    "tell",
    "deadline",
];

/// `/word rest`; the bot's name behind the word is Telegram's.
fn typed(text: &str) -> Option<Typed<'_>> {
    let text = text.trim().strip_prefix('/')?;
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let word = word.split('@').next().unwrap_or_default().to_lowercase();
    WORDS.contains(&word.as_str()).then_some(Typed { word, rest: rest.trim() })
}

/// Whether the message is a host's command, or an answer to a question about one. `logins` are the guests logged in
/// at the conversation's address, as they are stored now.
#[must_use]
pub fn host_request(inbound: &Inbound, conversation: &Conversation, logins: &[Guest]) -> Option<HostRequest> {
    let hosts = || logins.iter().filter(|guest| guest.is_admin && conversation.logins.contains(&guest.id));
    let active = || hosts().find(|guest| conversation.active == Some(guest.id)).map(|guest| guest.id);
    let is_host = |id: &GuestId| hosts().any(|guest| guest.id == *id);
    let of_question = || match &conversation.dialogue.open {
        Some(Ask::Host { host, .. }) => Some(*host).filter(is_host),
        _ => None,
    };
    match &inbound.body {
        Body::Text(text) => {
            let Some(typed) = typed(text) else {
                return of_question().map(|host| HostRequest { host, news: false });
            };
            let first = typed.rest.split_whitespace().next().unwrap_or_default();
            let named = hosts().find(|guest| guest.event_id.as_str().eq_ignore_ascii_case(first)).map(|guest| guest.id);
            Some(HostRequest { host: named.or_else(active)?, news: typed.word == "digest" })
        }
        Body::Choice(id) => match lists::button(id) {
            Some((_, _, host)) => Some(HostRequest { host: Some(host).filter(is_host)?, news: false }),
            None => of_question().map(|host| HostRequest { host, news: false }),
        },
        _ => None,
    }
}

/// The guests whose groups a step may change or show: whoever is asked about, or named.
#[must_use]
pub fn host_targets(view: &HostView, inbound: &Inbound, conversation: &Conversation) -> Vec<GuestId> {
    /// More people of one name are asked about by their codes.
    const MOST: usize = 20;
    let mut targets = Vec::new();
    if let Some(Ask::Host { about, which, .. }) = &conversation.dialogue.open {
        targets.extend(about.iter().chain(which));
    }
    if let Body::Text(text) = &inbound.body
        && let Some(typed) = typed(text)
    {
        targets.extend(people::named(view, typed.rest).0.iter().map(|guest| guest.id));
    }
    targets.truncate(MOST);
    targets
}

impl<'a> Turn<'a> {
    pub(super) fn host_view(&self) -> Option<&'a HostView> {
        self.context.host.as_ref()
    }

    /// Takes the text as a host's command, if it is one; `false` when it is something else.
    pub(super) fn take_host_command(&mut self, text: &str) -> bool {
        let (Some(view), Some(typed)) = (self.host_view(), typed(text)) else { return false };
        self.conversation.dialogue.misunderstood = 0;
        let rest = self.without_event(view, typed.rest);
        match typed.word.as_str() {
            "digest" => self.says.push(digest::message(&view.facts, self.style, Some(view.host))),
            "deadline" => self.deadline(view, rest),
            "invite" => self.confirm(view, HostTask::Invite, None),
            "tell" => self.confirm(view, HostTask::Tell, None),
            "find" => self.about_somebody(view, HostTask::Find, rest),
            "mark" => self.mark(view, rest),
            "remind" if rest.is_empty() => self.confirm(view, HostTask::Remind, None),
            "remind" => self.about_somebody(view, HostTask::Remind, rest),
            "reply" => self.reply(view, rest),
            "broadcast" if rest.is_empty() => self.tell(vec![Say::new("host-broadcast-how")]),
            "broadcast" => self.confirm(view, HostTask::Broadcast { text: rest.to_owned() }, None),
            list => {
                let page = rest.parse().unwrap_or(1);
                self.show_list(view, list, page);
            }
        }
        true
    }

    /// The rest of a command without the event that it may begin with.
    fn without_event<'t>(&self, view: &HostView, rest: &'t str) -> &'t str {
        let (first, others) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        if first.eq_ignore_ascii_case(view.facts.event.id.as_str()) { others.trim_start() } else { rest }
    }

    /// A button of a list, if it is one; `false` when it is something else.
    pub(super) fn take_host_button(&mut self, id: &str) -> bool {
        let (Some(view), Some((list, page, _))) = (self.host_view(), lists::button(id)) else { return false };
        match list.as_str() {
            "tell" => self.confirm(view, HostTask::Tell, None),
            list => self.show_list(view, list, page),
        }
        true
    }
}
