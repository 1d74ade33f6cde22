//! How Convive begins to talk: its message asks, and the conversation goes on from there as if the guest had come by
//! themselves.

use chrono::{DateTime, Utc};

use super::{
    Ask, Context, Conversation, Draft, Party, summary,
    turn::{Length, Turn},
};
use crate::{
    message::{Arg, Body, Inbound, Outgoing, Say},
    model::{Group, Guest, GuestId, Status},
};

/// A message that asks, and the conversation in which its question is the open one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opening {
    pub conversation: Conversation,
    pub message: Outgoing,
    /// The language to put it into.
    pub locale: String,
}

/// Reminds whoever reads at the context's address that these guests have not answered, and asks. `None` where all of
/// them have, or answers are closed.
#[must_use]
pub fn remind(context: &Context, about: &[GuestId], now: DateTime<Utc>) -> Option<Opening> {
    open(context, about, now, |turn| {
        let parts = turn.pending_parts(about);
        let (known, unknown): (Vec<Part<'_>>, Vec<Part<'_>>) = parts.into_iter().partition(|part| part.login.is_some());
        match known.as_slice() {
            [] => turn.ask_for_login(&unknown, "remind-by-code", "remind-with-codes"),
            [part] => {
                let mut says = vec![part.says("remind")];
                says.extend(unknown.iter().map(Part::code_too));
                turn.ask_about(part, says);
            }
            several => {
                let mut says: Vec<Say> = several.iter().map(|part| part.says("remind")).collect();
                says.extend(unknown.iter().map(Part::code_too));
                let guests = several.iter().filter_map(|part| part.login).map(|guest| guest.id).collect();
                turn.ask(says, Ask::WhomFirst { guests });
            }
        }
    })
}

/// Invites these guests, who were never heard of at the context's address. `None` where all have answered, or answers
/// are closed.
#[must_use]
pub fn invite(context: &Context, about: &[GuestId], now: DateTime<Utc>) -> Option<Opening> {
    open(context, about, now, |turn| {
        let mut parts = turn.pending_parts(about);
        parts.retain(|part| part.login.is_none());
        let Some(first) = parts.first() else { return };
        let event = first.party.event;
        let names: Vec<String> = parts.iter().flat_map(Part::names).collect();
        let id = if event.host_contact.is_some() { "invite" } else { "invite-unsigned" };
        let when = Arg::Moment { at: event.starts_at, zone: event.time_zone };
        let head = Say::new(id)
            .with("event", event.name.as_str())
            .with("host", event.host_contact.clone().unwrap_or_default())
            .with("names", names)
            .with("when", when);
        turn.ask_for_login(&parts, "invite-by-name", "invite-by-codes");
        if let Some(message) = turn.says.first_mut() {
            message.says.insert(0, head);
        }
    })
}

/// Lets `say` speak as if somebody had written, though nobody has.
fn open(context: &Context, about: &[GuestId], now: DateTime<Utc>, say: impl FnOnce(&mut Turn<'_>)) -> Option<Opening> {
    let nobody = Inbound {
        key: String::new(),
        from: context.conversation.address.clone(),
        body: Body::Unreadable,
        received_at: now,
        locale_hint: None,
    };
    let mut turn = Turn::new(context, &nobody, now);
    say(&mut turn);
    // Where nobody speaks for anybody yet, the guests say which language.
    let party = about.iter().find_map(|guest| turn.party_of(*guest)).filter(|_| turn.conversation.active.is_none());
    let of_guest = party.map(|party| party.me.locale.clone().unwrap_or_else(|| party.event.default_locale.clone()));
    let locale = of_guest.filter(|_| turn.conversation.locale.is_none());
    let step = turn.finish();
    let message = step.says.into_iter().next()?;
    Some(Opening { conversation: step.conversation, message, locale: locale.unwrap_or(step.locale) })
}

/// One group of which somebody has not answered.
struct Part<'a> {
    party: Party<'a>,
    /// Those asked about.
    pending: Vec<&'a Guest>,
    /// Who speaks for the group at this address, if somebody does.
    login: Option<&'a Guest>,
}

impl Part<'_> {
    fn names(&self) -> Vec<String> {
        let members = &self.party.group.members;
        self.pending.iter().map(|guest| summary::called(guest, members)).collect()
    }

    fn says(&self, id: &'static str) -> Say {
        let event = self.party.event;
        Say::new(id)
            .with("event", event.name.as_str())
            .with("names", self.names())
            .with("deadline", summary::deadline(event))
            .with("name", self.party.me.short_name())
            .with("code", self.party.me.token.as_str())
    }

    fn code_too(&self) -> Say {
        let me = self.party.me;
        Say::new("remind-code-too").with("name", me.full_name()).with("code", me.token.as_str())
    }
}

impl<'a> Turn<'a> {
    /// The groups of these guests, as far as they have not answered and still may.
    fn pending_parts(&self, about: &[GuestId]) -> Vec<Part<'a>> {
        let mut parts: Vec<Part<'a>> = Vec::new();
        for guest in about {
            let Some(party) = self.party_of(*guest) else { continue };
            let is_pending = party.me.status == Status::Pending && party.event.is_open(self.now);
            match parts.iter_mut().find(|part| part.party.group.key == party.group.key) {
                _ if !is_pending => {}
                Some(part) => part.pending.push(party.me),
                None => parts.push(Part { party, pending: vec![party.me], login: self.speaker_of(party.group) }),
            }
        }
        parts
    }

    /// Who speaks for a group at this address: whoever spoke last, else whoever logged in first.
    fn speaker_of(&self, group: &'a Group) -> Option<&'a Guest> {
        let conversation = &self.conversation;
        let logins = conversation.active.iter().chain(&conversation.logins);
        logins.filter(|login| conversation.logins.contains(login)).find_map(|login| group.member(*login))
    }

    fn ask_about(&mut self, part: &Part<'_>, says: Vec<Say>) {
        let Some(login) = part.login else { return };
        self.conversation.active = Some(login.id);
        self.conversation.dialogue.clear();
        let Some(party) = self.party() else { return };
        let pending: Vec<GuestId> = part.pending.iter().map(|guest| guest.id).collect();
        let draft = Draft::begin_about(&party, &pending);
        let ask = draft.next(&party);
        self.conversation.dialogue.draft = Some(draft);
        self.open(ask);
        // Who and what is said already.
        self.pose(says, Length::Short);
    }

    /// Whoever was never heard of here has to say who they are: like a deep link, the text leaves the last name for
    /// the code to be given.
    fn ask_for_login(&mut self, parts: &[Part<'_>], by_name: &'static str, by_codes: &'static str) {
        match parts {
            [] => {}
            [part] => {
                let code = part.party.me.token.clone();
                self.open(Ask::LastName { code });
                let question = self.conversation.dialogue.open.clone().and_then(|ask| self.question(&ask));
                let message = Outgoing { question, ..Outgoing::statement(vec![part.says(by_name)]) };
                self.says.push(message);
            }
            [first, ..] => {
                let code = |part: &Part<'_>| {
                    let me = part.party.me;
                    Arg::from(Say::new("remind-code").with("name", me.full_name()).with("code", me.token.as_str()))
                };
                let codes: Vec<Arg> = parts.iter().map(code).collect();
                self.tell(vec![first.says(by_codes).with("codes", codes)]);
            }
        }
    }

    /// The guest to begin with was chosen.
    pub(super) fn begin_with(&mut self, token: &str) {
        let own = |guest: &GuestId| self.conversation.logins.contains(guest);
        let Some(party) = token.parse().ok().filter(own).and_then(|guest| self.party_of(guest)) else {
            return self.not_understood();
        };
        self.conversation.active = Some(party.me.id);
        self.conversation.dialogue.clear();
        let members = party.group.members.iter();
        let pending: Vec<GuestId> =
            members.filter(|guest| guest.status == Status::Pending).map(|guest| guest.id).collect();
        if pending.is_empty() || !party.event.is_open(self.now) {
            return self.arrive(vec![summary::now_active(&party)], &party);
        }
        self.ask_next(vec![summary::now_active(&party)], Draft::begin_about(&party, &pending), &party);
    }
}
