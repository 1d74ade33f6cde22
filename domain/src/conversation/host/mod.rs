//! What a host can do in the chat: lists, answers entered for a guest, reminders and messages to many.
//!
//! All of it begins with a slash, and only means something to a guest who is a host, on the event of the login that
//! speaks (or the one that is named).

mod cost;
mod deadline;
mod lists;
mod people;
mod send;
mod tasks;
mod when;

use std::{collections::HashSet, fmt};

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::{Ask, Conversation, turn::Turn};
use crate::{
    address::Style,
    digest,
    message::{Body, Inbound, Say},
    model::{Guest, GuestId, Status},
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
    /// Who was asked for an answer just now, or is about to be.
    pub asked_lately: HashSet<GuestId>,
    /// Which page of a list the guests are, where one is shown.
    pub listed: Option<Listed>,
    /// Invitations without an answer.
    pub out: u32,
    /// A way into the pages for this host, where one is asked for and there are pages.
    pub link: Option<OneTimeLink>,
}

/// A link that opens the hosts' pages once.
#[derive(Clone, PartialEq, Eq)]
pub struct OneTimeLink {
    /// Secret.
    pub url: String,
    /// Makes the link good once it is committed.
    pub key: String,
    /// How long it is good for.
    pub minutes: u32,
}

impl fmt::Debug for OneTimeLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OneTimeLink").finish_non_exhaustive()
    }
}

/// A page of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Listed {
    /// From 1 on.
    pub page: usize,
    /// Guests on all pages together.
    pub total: usize,
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
    /// It told of a guest who has been erased since.
    Forgotten,
}

impl HostTask {
    /// What the host wrote.
    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Self::Reply { text } | Self::Broadcast { text } => Some(text),
            _ => None,
        }
    }
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
    /// Whether it asks guests for their answers.
    pub asks: bool,
    pub wanted: Wanted,
}

/// Which guests a host's command is about: only they are looked up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// All there are.
    Everybody,
    /// A page of those who answered so; the first where there is no such page.
    Page { status: Status, with_dietary_needs: bool, page: usize, size: usize },
    /// Whoever may be named at the beginning of this text, or found by all of it; with their groups.
    Named(String),
    /// These, with their groups.
    These(Vec<GuestId>),
    /// None: numbers will do.
    Nobody,
    /// None: a link into the pages.
    Link,
}

/// A command as it was typed.
struct Typed<'t> {
    word: String,
    rest: &'t str,
}

const WORDS: [&str; 13] = [
    "admin",
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

/// Whether a text begins with a slash and a letter, as commands do.
pub(super) fn is_slash_word(text: &str) -> bool {
    text.trim_start().strip_prefix('/').is_some_and(|rest| rest.starts_with(char::is_alphabetic))
}

/// Whether it would be a host's command, if a host wrote it.
pub(super) fn is_command(text: &str) -> bool {
    typed(text).is_some()
}

/// Whether the message is a host's command, or an answer to a question about one. `logins` are the guests logged in
/// at the conversation's address, as they are stored now.
#[must_use]
pub fn host_request(inbound: &Inbound, conversation: &Conversation, logins: &[Guest]) -> Option<HostRequest> {
    let hosts = || logins.iter().filter(|guest| guest.is_admin && conversation.logins.contains(&guest.id));
    let active = || hosts().find(|guest| conversation.active == Some(guest.id)).map(|guest| guest.id);
    let is_host = |id: &GuestId| hosts().any(|guest| guest.id == *id);
    let of_question = || match &conversation.dialogue.open {
        Some(Ask::Host { host, task, about, which, .. }) if is_host(host) => {
            let ids = about.iter().chain(which).copied().collect();
            let asks = matches!(task, HostTask::Remind | HostTask::Invite);
            Some(HostRequest { host: *host, news: false, asks, wanted: wanted_by_task(task, ids) })
        }
        _ => None,
    };
    let style = inbound.from.style();
    match &inbound.body {
        Body::Text(text) => {
            let Some(typed) = typed(text) else { return of_question() };
            let (first, others) = typed.rest.split_once(char::is_whitespace).unwrap_or((typed.rest, ""));
            let named = hosts().find(|guest| guest.event_id.as_str().eq_ignore_ascii_case(first)).map(|guest| guest.id);
            let rest = if named.is_some() { others.trim_start() } else { typed.rest };
            let wanted = wanted_by_word(&typed.word, rest, style);
            let (news, asks) = (typed.word == "digest", matches!(typed.word.as_str(), "remind" | "invite"));
            Some(HostRequest { host: named.or_else(active)?, news, asks, wanted })
        }
        Body::Choice(id) => match lists::button(id) {
            Some((list, page, host)) => {
                let wanted = lists::wanted(&list, page, style).unwrap_or(Wanted::Everybody);
                Some(HostRequest { host: Some(host).filter(is_host)?, news: false, asks: false, wanted })
            }
            None => of_question(),
        },
        // The question is shown again.
        Body::Unreadable | Body::Edited | Body::Contact { .. } => of_question(),
        _ => None,
    }
}

fn wanted_by_word(word: &str, rest: &str, style: Style) -> Wanted {
    match word {
        "deadline" => Wanted::Nobody,
        "admin" => Wanted::Link,
        "find" | "mark" | "reply" => Wanted::Named(rest.to_owned()),
        "remind" if !rest.is_empty() => Wanted::Named(rest.to_owned()),
        word => lists::wanted(word, rest.parse().unwrap_or(1), style).unwrap_or(Wanted::Everybody),
    }
}

fn wanted_by_task(task: &HostTask, ids: Vec<GuestId>) -> Wanted {
    match task {
        HostTask::Find | HostTask::Mark { .. } | HostTask::Reply { .. } => Wanted::These(ids),
        HostTask::Remind if !ids.is_empty() => Wanted::These(ids),
        HostTask::Deadline { .. } | HostTask::Forgotten => Wanted::Nobody,
        HostTask::Remind | HostTask::Invite | HostTask::Broadcast { .. } | HostTask::Tell => Wanted::Everybody,
    }
}

/// The guests whose groups a step may change or show: whoever is asked about, or named.
#[must_use]
pub fn host_targets(view: &HostView, inbound: &Inbound, conversation: &Conversation) -> Vec<GuestId> {
    let mut targets = Vec::new();
    if let Some(Ask::Host { about, which, .. }) = &conversation.dialogue.open {
        // Whoever is picked by name or code need not be among those who are offered.
        let is_picked = |id: &&GuestId| match &inbound.body {
            Body::Text(text) => view.guest(**id).is_some_and(|guest| people::is_meant(guest, text)),
            _ => false,
        };
        targets.extend(about.iter().chain(which.iter().filter(is_picked)).take(tasks::MOST_OFFERED));
        targets.extend(which.iter().take(tasks::MOST_OFFERED));
    }
    if let Body::Text(text) = &inbound.body
        && let Some(typed) = typed(text)
    {
        let named = people::named(view, without_event(view, typed.rest)).0;
        targets.extend(named.iter().take(tasks::MOST_OFFERED).map(|guest| guest.id));
    }
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
        let rest = without_event(view, typed.rest);
        self.instead_of_question(|turn| turn.obey_host(view, &typed.word, rest));
        true
    }

    fn obey_host(&mut self, view: &'a HostView, word: &str, rest: &str) {
        match word {
            "digest" => self.says.push(digest::message(&view.facts, self.style, Some(view.host))),
            "deadline" => self.deadline(view, rest),
            "admin" => self.hand_out_link(view),
            "invite" => self.confirm(view, HostTask::Invite, None),
            "tell" => self.confirm(view, HostTask::Tell, None),
            "find" => self.about_somebody(view, HostTask::Find, rest),
            "mark" => self.mark(view, rest),
            "remind" if rest.is_empty() => self.confirm(view, HostTask::Remind, None),
            "remind" => self.about_somebody(view, HostTask::Remind, rest),
            "reply" => self.reply(view, rest),
            "broadcast" if rest.is_empty() => self.tell(vec![Say::new("host-broadcast-how")]),
            "broadcast" => self.confirm(view, HostTask::Broadcast { text: rest.to_owned() }, None),
            list => self.show_list(view, list, rest),
        }
    }

    /// Whatever else a host turns to, what they were asked before is dropped: out of sight, a "yes" must not mean it.
    fn instead_of_question(&mut self, turn_to: impl FnOnce(&mut Self)) {
        let asked = self.conversation.dialogue.asked;
        turn_to(self);
        let dialogue = &self.conversation.dialogue;
        if dialogue.asked == asked && matches!(dialogue.open, Some(Ask::Host { .. })) {
            self.resume(Vec::new());
        }
    }

    /// A way into the pages, for this host alone.
    fn hand_out_link(&mut self, view: &HostView) {
        let Some(OneTimeLink { url, key, minutes }) = &view.link else {
            return self.tell(vec![Say::new("host-admin-nowhere")]);
        };
        self.once.push(key.clone());
        self.tell(vec![
            Say::new("host-admin-link").with("minutes", *minutes),
            Say::new("host-admin-url").with("url", url.as_str()),
        ]);
    }

    /// A button of a list, if it is one; `false` when it is something else.
    pub(super) fn take_host_button(&mut self, id: &str) -> bool {
        let (Some(view), Some((list, page, _))) = (self.host_view(), lists::button(id)) else { return false };
        self.instead_of_question(|turn| match list.as_str() {
            "tell" => turn.confirm(view, HostTask::Tell, None),
            list => turn.show_list(view, list, &page.to_string()),
        });
        true
    }
}

/// The rest of a command without the event that it may begin with.
fn without_event<'t>(view: &HostView, rest: &'t str) -> &'t str {
    let (first, others) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    if first.eq_ignore_ascii_case(view.facts.event.id.as_str()) { others.trim_start() } else { rest }
}
