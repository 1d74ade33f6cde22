//! What a person can say at any time: menu, status, change, switch and the like.

use super::{Ask, Draft, Party, Scope, reading, summary, turn::Turn};
use crate::{
    activity::Happening,
    lexicon::Command,
    message::Say,
    model::{Guest, Status},
    wording,
};

impl Turn<'_> {
    /// The command that the text is. Where any text could be an answer, only a slash or an unmistakable word counts.
    pub(super) fn command(&self, text: &str, free_text: bool) -> Option<Command> {
        let command = self.lexicons().iter().find_map(|lexicon| lexicon.command(text))?;
        let unmistakable = matches!(
            command,
            Command::Help | Command::Status | Command::Details | Command::Change | Command::Logout | Command::WrongPerson
        );
        (!free_text || unmistakable || text.trim_start().starts_with('/')).then_some(command)
    }

    pub(super) fn obey(&mut self, command: Command) {
        let Some(party) = self.party() else {
            return match command {
                Command::Language => self.choose_language(),
                _ => self.hello(),
            };
        };
        match command {
            Command::Status => self.tell_and_resume(self.status(&party)),
            Command::Details => self.tell_and_resume(summary::event_details(party.event, self.now)),
            Command::Help => self.tell_and_resume(vec![Say::new("menu")]),
            Command::Change => self.change(&party),
            Command::Decline => self.decline(&party),
            Command::Switch => self.choose_login(&party),
            Command::Language => self.choose_language(),
            Command::Logout => self.log_out(&party),
            Command::Mute => self.set_muted(true),
            Command::Unmute => self.set_muted(false),
            Command::Message => self.ask(Vec::new(), Ask::MessageForHost),
            Command::WrongPerson => self.ask(Vec::new(), Ask::WrongPerson),
        }
    }

    fn tell_and_resume(&mut self, says: Vec<Say>) {
        self.tell(says);
        if self.conversation.dialogue.open.is_some() {
            self.ask_again(Vec::new());
        }
    }

    fn status(&self, party: &Party<'_>) -> Vec<Say> {
        let mut says = vec![Say::new("your-answer").with("event", party.event.name.as_str())];
        says.extend(summary::answers(&party.group.members, self.style));
        says.extend(summary::dietary(&party.group.members, self.style));
        says.push(summary::total(&party.group.members));
        if !party.event.is_open(self.now) {
            says.extend(self.closed_hint(party));
        } else if self.conversation.dialogue.open.is_none() {
            let pending = party.me.status == Status::Pending;
            says.push(Say::new(if pending { "to-answer" } else { "to-change" }));
        }
        says
    }

    fn change(&mut self, party: &Party<'_>) {
        if party.event.is_open(self.now) {
            return self.ask_next(Vec::new(), Draft::begin(party), party);
        }
        self.conversation.dialogue.clear();
        let coming: Vec<&Guest> =
            party.group.members.iter().filter(|guest| guest.status == Status::Coming).collect();
        if !party.event.dietary_is_open(self.now) || coming.is_empty() {
            return self.tell(self.closed(party));
        }
        let mut draft = Draft::begin(party);
        draft.dietary_only = true;
        self.conversation.dialogue.draft = Some(draft);
        match coming.as_slice() {
            [guest] => self.ask(self.closed(party), Ask::Dietary { guest: guest.id }),
            _ => self.ask(Vec::new(), Ask::DietaryOf),
        }
    }

    fn decline(&mut self, party: &Party<'_>) {
        if !party.event.is_open(self.now) {
            self.conversation.dialogue.clear();
            return self.tell(self.closed(party));
        }
        let mut draft = Draft::begin(party);
        if party.group.members.len() == 1 {
            draft.choose_scope(Scope::Everybody);
        }
        draft.set_count(0);
        self.ask_next(Vec::new(), draft, party);
    }

    fn choose_login(&mut self, party: &Party<'_>) {
        if self.conversation.logins.len() > 1 {
            return self.ask(Vec::new(), Ask::Switch);
        }
        let (name, event) = (party.me.full_name(), party.event.name.as_str());
        self.tell_and_resume(vec![Say::new("switch-only-one").with("name", name).with("event", event)]);
    }

    fn choose_language(&mut self) {
        if wording::languages().count() > 1 {
            return self.ask(Vec::new(), Ask::Language);
        }
        let name = wording::render(&Say::new("language-name"), self.language(), self.style);
        self.tell_and_resume(vec![Say::new("language-only").with("language", name)]);
    }

    fn log_out(&mut self, party: &Party<'_>) {
        self.note_of_active(Happening::LoggedOut);
        self.conversation.end_login(party.me.id);
        self.tell(vec![Say::new("logged-out").with("name", party.me.full_name())]);
        self.tell_who_is_active();
    }

    /// After a login ended and another took its place.
    pub(super) fn tell_who_is_active(&mut self) {
        if let Some(party) = self.party() {
            let (name, event) = (party.me.full_name(), party.event.name.as_str());
            let says = vec![Say::new("now-active").with("name", name).with("event", event)];
            self.arrive(says, &party);
        }
    }

    fn set_muted(&mut self, muted: bool) {
        self.conversation.muted = muted;
        self.note_of_active(if muted { Happening::Muted } else { Happening::Unmuted });
        self.tell_and_resume(vec![Say::new(if muted { "muted" } else { "unmuted" })]);
    }

    /// A text while nothing is being asked. Whoever has not answered may answer just so.
    pub(super) fn take_idle(&mut self, text: &str) {
        let Some(party) = self.party() else { return self.hello() };
        let open = party.event.is_open(self.now);
        if reading::how_many(text, &self.lexicons(), &party).is_err() {
            return self.not_understood_because(Say::new("not-understood"));
        }
        if open && party.me.status == Status::Pending {
            self.conversation.dialogue.draft = Some(Draft::begin(&party));
            self.conversation.dialogue.open = Some(Ask::HowMany);
            return self.answer_with_text(&Ask::HowMany, text);
        }
        // An answer to a question that was not asked: it may be the second copy of one already given.
        self.tell(self.status(&party));
    }

    /// Why nothing can change any more, and whom to talk to.
    pub(super) fn closed(&self, party: &Party<'_>) -> Vec<Say> {
        let event = party.event;
        if event.cancelled_at.is_some() {
            return vec![Say::new("event-cancelled").with("event", event.name.as_str())];
        }
        let deadline = summary::deadline(event);
        vec![match &event.host_contact {
            Some(contact) => {
                Say::new("answers-closed-contact").with("deadline", deadline).with("contact", contact.as_str())
            }
            None => Say::new("answers-closed").with("deadline", deadline),
        }]
    }

    /// What can still be done once answers are closed.
    pub(super) fn closed_hint(&self, party: &Party<'_>) -> Vec<Say> {
        let coming = party.group.members.iter().any(|guest| guest.status == Status::Coming);
        let mut says = Vec::new();
        if party.event.dietary_is_open(self.now) && coming {
            says.push(Say::new("dietary-still-open"));
        }
        if let Some(contact) = &party.event.host_contact {
            says.push(Say::new("event-contact").with("contact", contact.as_str()));
        }
        says
    }
}
