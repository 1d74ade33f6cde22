//! What a person can say at any time: menu, status, change, switch and the like.

use super::{Ask, Draft, Party, Scope, answers::is_bare_number, reading, summary, turn::Turn};
use crate::{
    activity::Happening,
    address::Style,
    lexicon::{Command, Lexicon, Meaning, Phrase, normalise},
    message::Say,
    model::{Guest, Status},
};

impl Turn<'_> {
    /// The command that the text is. Where any text could be an answer, only a slash or what the menu teaches counts
    /// (and for the kitchen also what nobody could mean so); and "not me" may answer who does not come.
    pub(super) fn command(&self, text: &str) -> Option<Command> {
        let normal = normalise(text);
        let lexicons = self.lexicons();
        let open = self.conversation.dialogue.open.as_ref();
        if let Some(command) = self.meant_command(text, &normal, open) {
            return Some(command);
        }
        let said = |lexicon: &&Lexicon| {
            lexicon.command(&normal).or_else(|| lexicon.command(lexicon.without_politeness(&normal)))
        };
        let typed = lexicons.iter().copied().find_map(|lexicon| said(&lexicon))?;
        let counts = match typed.command {
            _ if typed.is_taught || text.trim_start().starts_with('/') => true,
            Command::WrongPerson => !open.is_some_and(Ask::is_of_draft),
            Command::Change if matches!(open, Some(Ask::Dietary { .. })) => true,
            _ if matches!(open, Some(Ask::Dietary { .. })) => normal.contains(' '),
            _ => !open.is_some_and(Ask::takes_any_text),
        };
        counts.then_some(typed.command)
    }

    /// Whole sentences that mean STOP or a wrong person, whatever is being asked; a message for the host is one.
    fn meant_command(&self, text: &str, normal: &str, open: Option<&Ask>) -> Option<Command> {
        if matches!(open, Some(Ask::MessageForHost)) {
            return None;
        }
        // Where texts are sent, STOP was heard before.
        if self.style == Style::Buttons && self.lexicons().iter().any(|lexicon| lexicon.means_stop(normal)) {
            return Some(Command::Mute);
        }
        let is_asked = matches!(open, Some(Ask::WrongPerson));
        (!is_asked && self.says_wrong_person(text)).then_some(Command::WrongPerson)
    }

    /// "You have the wrong number", "I'm not Pat".
    pub(super) fn says_wrong_person(&self, text: &str) -> bool {
        self.party().is_some_and(|party| {
            let full = party.me.full_name();
            let names = [full.as_str(), &party.me.first_name, &party.me.last_name];
            self.lexicons().iter().any(|lexicon| lexicon.means_wrong_person(text, &names))
        })
    }

    pub(super) fn obey(&mut self, command: Command) {
        let Some(party) = self.party() else {
            return match command {
                Command::Language => self.choose_language(),
                Command::Switch if self.conversation.logins.len() > 1 => self.choose_login(),
                _ => self.hello(),
            };
        };
        match command {
            Command::Status => self.tell_and_resume(self.status(&party)),
            Command::Details => self.tell_and_resume(summary::event_details(party.event, self.now)),
            Command::Help => self.tell_and_resume(menu(party.me)),
            Command::Change => self.change(&party),
            Command::Decline => self.decline(&party),
            Command::Switch => self.choose_login(),
            Command::Language => self.choose_language(),
            Command::Logout => self.log_out(&party),
            Command::Mute => self.set_muted(true),
            Command::Unmute => self.set_muted(false),
            Command::Message => self.ask(Vec::new(), Ask::MessageForHost),
            Command::WrongPerson => self.ask(Vec::new(), Ask::WrongPerson),
        }
    }

    fn status(&self, party: &Party<'_>) -> Vec<Say> {
        let mut says = vec![Say::new("your-answer").with("event", party.event.name.as_str())];
        says.extend(summary::answers(&party.group.members, self.style));
        says.extend(summary::dietary(&party.group.members, self.style));
        says.extend(summary::total(&party.group.members));
        if !party.event.is_open(self.now) {
            says.push(summary::deadline_line(party.event, self.now));
            says.extend(self.closed_hint(party));
        } else if self.conversation.dialogue.open.is_none() {
            let pending = party.me.status == Status::Pending;
            says.push(Say::new(if pending { "to-answer" } else { "to-change" }));
        }
        says
    }

    pub(super) fn change(&mut self, party: &Party<'_>) {
        if party.event.is_open(self.now) {
            let before = self.conversation.dialogue.draft.take().filter(|draft| draft.guest == party.me.id);
            let draft = before
                .map_or_else(|| Draft::begin(party), |before| Draft { named: Vec::new(), ..before }.begin_again(party));
            return self.ask_next(Vec::new(), draft, party);
        }
        self.conversation.dialogue.clear();
        let coming: Vec<&Guest> = party.group.members.iter().filter(|guest| guest.status == Status::Coming).collect();
        if !party.event.dietary_is_open(self.now) || coming.is_empty() {
            return self.tell(self.closed(party));
        }
        let mut draft = Draft::begin(party);
        draft.dietary_only = true;
        self.conversation.dialogue.draft = Some(draft);
        self.tell(self.closed(party));
        match coming.as_slice() {
            [guest] => self.ask(Vec::new(), Ask::Dietary { guest: guest.id }),
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

    fn log_out(&mut self, party: &Party<'_>) {
        self.note_of_active(Happening::LoggedOut);
        self.conversation.end_login(party.me.id);
        self.tell(vec![Say::new("logged-out").with("name", party.me.full_name())]);
        self.tell_who_is_active();
    }

    /// After a login ended and another took its place.
    pub(super) fn tell_who_is_active(&mut self) {
        if let Some(party) = self.party() {
            self.arrive(vec![summary::now_active(&party)], &party);
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
        let normal = normalise(text);
        let lexicons = self.lexicons();
        let meaning = lexicons.iter().find_map(|lexicon| lexicon.plain_meaning(&normal));
        let pending = party.me.status == Status::Pending && party.event.is_open(self.now);
        if matches!(meaning, Some(Meaning::Thanks | Meaning::Agreed)) {
            return self.tell(vec![Say::new("you-are-welcome")]);
        }
        if lexicons.iter().any(|lexicon| lexicon.is(Phrase::Greeting, lexicon.without_address(&normal))) {
            return self.tell(self.status(&party));
        }
        if pending && self.style == Style::Texts && is_bare_number(&normal) {
            // It answers nothing that was asked.
            return self.ask_next(Vec::new(), Draft::begin(&party), &party);
        }
        let Ok(reading) = reading::how_many(text, &lexicons, &party, party.group.party_size()) else {
            return self.not_understood();
        };
        if !party.event.is_open(self.now) {
            return self.tell(self.closed(&party));
        }
        // A mere number, yes or no may be the second copy of an answer already given.
        let is_yes_or_no = matches!(meaning, Some(Meaning::Yes | Meaning::No))
            && !lexicons.iter().any(|lexicon| lexicon.mentions(Meaning::Come, &normal));
        let says_enough = !is_bare_number(&normal) && !is_yes_or_no;
        if pending && !says_enough && party.me.is_admin {
            // It may be meant for the task that a host has just done.
            return self.ask_next(vec![Say::new("host-own-invitation")], Draft::begin(&party), &party);
        }
        if pending || says_enough && reading.differs_from_what_is_stored(&party) {
            let draft = Draft::begin(&party);
            let ask = draft.next(&party);
            self.conversation.dialogue.draft = Some(draft);
            self.open(ask.clone());
            return self.answer_with_text(&ask, text);
        }
        self.tell(self.status(&party));
    }

    /// Why nothing can change any more, and whom to talk to.
    pub(super) fn closed(&self, party: &Party<'_>) -> Vec<Say> {
        let event = party.event;
        let say = if event.cancelled_at.is_some() {
            Say::new("event-cancelled").with("event", event.name.as_str())
        } else if self.now >= event.starts_at {
            Say::new("event-started").with("event", event.name.as_str())
        } else {
            Say::new("answers-closed").with("deadline", summary::deadline(event))
        };
        let contact = event.host_contact.as_deref();
        std::iter::once(say).chain(contact.map(|contact| Say::new("talk-to-host").with("contact", contact))).collect()
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

/// What can be said; a host can say more.
fn menu(me: &Guest) -> Vec<Say> {
    let of_host = me.is_admin.then(|| Say::new("menu-of-host"));
    std::iter::once(Say::new("menu")).chain(of_host).collect()
}
