//! What can be asked beside the walk, and how the walk goes on afterwards: another invitation, the language, a
//! message for the host, the wrong person.

use super::{Ask, Draft, Party, draft_answers::number, summary, turn::Turn};
use crate::{
    activity::Happening,
    lexicon::normalise,
    message::Say,
    model::{Guest, GuestId},
    notice::{Audience, Decided, Notice},
    wording,
};

/// Characters of a message for the host.
const MOST_MESSAGE: usize = 2000;

impl Turn<'_> {
    /// Goes back to what was asked before a side question. After a host's task only an answer that was begun goes on:
    /// nobody else's is to be confused with their own.
    pub(super) fn resume(&mut self, mut says: Vec<Say>) {
        let was_task = matches!(self.conversation.dialogue.open.take(), Some(Ask::Host { .. }));
        let draft = self.conversation.dialogue.draft.clone();
        let goes_on = |draft: &Draft, party: &Party<'_>| {
            party.event.is_open(self.now) && !draft.dietary_only && (!was_task || draft.is_begun(party))
        };
        match (draft, self.party()) {
            (Some(draft), Some(party)) if goes_on(&draft, &party) => {
                says.extend(was_task.then(|| Say::new("host-own-invitation")));
                if draft.is_outdated(&party) {
                    return self.renew(says, draft, &party);
                }
                self.ask_next(says, draft, &party);
            }
            _ => {
                self.conversation.dialogue.clear();
                self.tell(says);
            }
        }
    }

    pub(super) fn switch_to(&mut self, token: &str) {
        let own = |guest: &GuestId| self.conversation.logins.contains(guest);
        let Some(party) = token.parse().ok().filter(own).and_then(|guest| self.party_of(guest)) else {
            return self.not_understood();
        };
        if self.conversation.active == Some(party.me.id) {
            return self.resume(vec![summary::now_active(&party)]);
        }
        self.conversation.active = Some(party.me.id);
        self.arrive(vec![summary::now_active(&party)], &party);
    }

    /// By the person's or the event's name, where it fits one login only.
    pub(super) fn switch_by_name(&mut self, text: &str) {
        let typed = normalise(text);
        let is_meant = |guest: &&Guest| {
            let event = self.context.events.get(&guest.event_id).map_or("", |event| event.name.as_str());
            let names = [guest.first_name.as_str(), &guest.last_name, &guest.full_name(), event, &guest.token];
            names.iter().any(|name| !name.is_empty() && normalise(name) == typed)
        };
        let mut meant = self.context.logins.iter().filter(is_meant);
        match (meant.next(), meant.next()) {
            (Some(guest), None) => self.switch_to(&guest.id.to_string()),
            (Some(_), Some(_)) => self.not_understood_because(Say::new("which-person")),
            (None, _) => self.not_understood(),
        }
    }

    pub(super) fn choose_locale(&mut self, tag: &str) {
        if !wording::is_known(tag) {
            return self.not_understood();
        }
        self.conversation.locale = Some(tag.to_owned());
        self.resume(vec![Say::new("language-chosen")]);
    }

    pub(super) fn leave_message(&mut self, text: &str) {
        let Some(party) = self.party() else { return self.hello() };
        let text = text.trim();
        let length = text.chars().count();
        if length > MOST_MESSAGE {
            let (length, most) = (number(length), number(MOST_MESSAGE));
            return self.ask_again(vec![Say::new("too-long").with("length", length).with("most", most)]);
        }
        self.note_of_active(Happening::LeftMessage { text: text.to_owned() });
        self.notices.push(Decided {
            event: party.event.id.clone(),
            audience: Audience::Hosts(party.event.id.clone()),
            notice: Notice::MessageLeft { guest: party.me.id, text: text.to_owned() },
        });
        let mut says = vec![Say::new("message-left")];
        // A host who is at no chat reads it later.
        says.extend(party.event.host_contact.as_deref().map(|contact| Say::new("if-urgent").with("contact", contact)));
        self.tell(says);
        self.resume(Vec::new());
    }

    pub(super) fn wrong_person(&mut self) {
        let Some(party) = self.party() else { return self.hello() };
        self.note_of_active(Happening::WrongPerson);
        self.notices.push(Decided {
            event: party.event.id.clone(),
            audience: Audience::Hosts(party.event.id.clone()),
            notice: Notice::WrongPerson { guest: party.me.id, channel: self.inbound.from.shown_channel() },
        });
        self.rest_on(party.group, false);
        self.conversation.end_login(party.me.id);
        self.tell(vec![Say::new("wrong-person-done")]);
        self.tell_who_is_active();
    }

    /// Asks which of this address's guests is meant; where there is only one, says so.
    pub(super) fn choose_login(&mut self) {
        if self.conversation.logins.len() > 1 {
            return self.ask(Vec::new(), Ask::Switch);
        }
        let Some(party) = self.party() else { return self.hello() };
        let (name, event) = (party.me.full_name(), party.event.name.as_str());
        self.tell_and_resume(vec![Say::new("switch-only-one").with("name", name).with("event", event)]);
    }

    pub(super) fn choose_language(&mut self) {
        if wording::languages().count() > 1 {
            return self.ask(Vec::new(), Ask::Language);
        }
        let name = wording::render(&Say::new("language-name"), self.language(), self.style);
        self.tell_and_resume(vec![Say::new("language-only").with("language", name)]);
    }
}
