//! Coming in: code and last name, deep links, guessing.

use super::{Ask, Conversation, Draft, Party, summary, turn::Turn};
use crate::{
    activity::Happening,
    code,
    lexicon::{Lexicon, Phrase, normalise},
    lockout,
    login::{self, Credentials},
    message::{Body, Inbound, Say},
    model::{GuestId, Status},
    name,
    notice::{Audience, Decided, Notice},
};

/// Telegram's limit for the payload of a deep link.
const LONGEST_CODE: usize = 64;

/// The codes in a message that the intake has to look up before the step. `conversation` is needed where the
/// message may be the last name for a code given before; `None` before it is loaded.
#[must_use]
pub fn codes_to_look_up(inbound: &Inbound, conversation: Option<&Conversation>) -> Vec<String> {
    let Body::Text(text) = &inbound.body else { return Vec::new() };
    let mut codes: Vec<String> = Vec::new();
    let awaited = conversation.and_then(|conversation| match &conversation.dialogue.open {
        Some(Ask::LastName { code }) => Some(code.clone()),
        _ => None,
    });
    for code in login::readings(text).into_iter().map(|credentials| credentials.code).chain(awaited) {
        if !codes.contains(&code) {
            codes.push(code);
        }
    }
    codes
}

impl Turn<'_> {
    /// Takes the text as a login, if it is one; `false` when it is something else.
    pub(super) fn take_credentials(&mut self, text: &str) -> bool {
        let awaited = match &self.conversation.dialogue.open {
            Some(Ask::LastName { code }) => Some(code.clone()),
            _ => None,
        };
        if self.conversation.logins.is_empty() || awaited.is_some() || login::says_code(text) {
            self.take_login(text, awaited.as_deref())
        } else {
            self.take_login_among_answers(text)
        }
    }

    /// Whoever is not logged in, or says so, means to log in. What is answered to a text that does not fit may only
    /// depend on the text, never on what is stored.
    fn take_login(&mut self, text: &str, awaited: Option<&str>) -> bool {
        if let Some(guest) = self.fitting(text, awaited) {
            if self.must_wait() {
                self.tell_to_wait()
            } else {
                self.log_in(guest)
            }
            return true;
        }
        if awaited.is_some() {
            if self.declines(text) {
                return false;
            }
            if let Some(code) = login::lone_code(text).filter(|code| is_surely_code(code, text)) {
                self.ask_last_name(code);
                return true;
            }
        }
        let is_possible = !login::readings(text).is_empty();
        // A last name that is asked for may be a word of the conversation; if it does not fit, it is that word.
        let is_command = self.command(text).is_some();
        let looks_like_code = is_possible && (login::says_code(text) || login::contains_code_like(text));
        if awaited.is_some() && !looks_like_code && !is_command && !self.could_be_a_name(text) {
            self.tell(vec![Say::new("last-name-please")]);
            return true;
        }
        let is_name = awaited.is_some() && !name::is_blank(text) && !is_command;
        if is_name || looks_like_code {
            self.fail_to_log_in("wrong-credentials");
        } else if let Some(code) = login::lone_code(text) {
            // Asked for whether or not there is such a code: the answer must not tell.
            self.ask_last_name(code);
        } else if is_possible && !is_command {
            // "hi there" and "smith holloway" look alike: whoever tries words as codes is stopped too.
            self.fail_to_log_in("hello");
        } else {
            return false;
        }
        true
    }

    /// Where somebody is logged in, a text is taken for a login only if code and name fit; else it answers the
    /// question. As a guess it counts all the same: at once where any text would do as an answer, else if it turns
    /// out to be none. While the address cools down it is an answer in any case, or the reply would tell what fits.
    fn take_login_among_answers(&mut self, text: &str) -> bool {
        let takes_any_text = self.conversation.dialogue.open.as_ref().is_some_and(Ask::takes_any_text);
        if takes_any_text && !login::contains_code_like(text) {
            return false;
        }
        match self.fitting(text, None) {
            Some(guest) if !self.must_wait() => {
                self.log_in(guest);
                return true;
            }
            _ if takes_any_text && !login::readings(text).is_empty() => self.count_failure(),
            _ => self.may_be_failed_login = !takes_any_text,
        }
        false
    }

    /// Whether a text may be meant as a last name: an answer is no guess at one.
    fn could_be_a_name(&self, text: &str) -> bool {
        let normal = normalise(text);
        let words: Vec<&str> = normal.split(' ').collect();
        let answers = |lexicon: &&Lexicon| lexicon.meaning(&words).is_some() || lexicon.speaks_of_coming(&normal);
        text.chars().any(char::is_alphabetic) && !self.lexicons().iter().any(answers)
    }

    /// The one guest whom code and name in the text fit; the text may be the last name for a code given before.
    fn fitting(&self, text: &str, awaited: Option<&str>) -> Option<GuestId> {
        if self.context.candidates.is_empty() {
            return None;
        }
        let mut readings = login::readings(text);
        if let Some(code) = awaited.filter(|_| !name::is_blank(text)) {
            let names = std::iter::once(text.to_owned()).chain(login::name_without_kindness(text));
            readings.extend(names.map(|last_name| Credentials { code: code.to_owned(), last_name }));
        }
        let mut fits: Vec<GuestId> = readings.iter().flat_map(|reading| self.guests_with(reading)).collect();
        fits.sort_unstable();
        fits.dedup();
        match fits.as_slice() {
            [guest] => Some(*guest),
            _ => None,
        }
    }

    /// "Never mind", to the question for a last name at an address where somebody is logged in already.
    fn declines(&self, text: &str) -> bool {
        let normal = normalise(text);
        !self.conversation.logins.is_empty()
            && self.lexicons().iter().any(|lexicon| lexicon.is(Phrase::NeverMind, &normal))
    }

    /// Whether the text is the last name that is being asked for, and fits.
    pub(super) fn is_awaited_name(&self, text: &str) -> bool {
        match &self.conversation.dialogue.open {
            Some(Ask::LastName { code }) => self.fitting(text, Some(code)).is_some(),
            _ => false,
        }
    }

    fn guests_with(&self, credentials: &Credentials) -> Vec<GuestId> {
        let candidates = self.context.candidates.iter().filter(|candidate| candidate.code == credentials.code);
        candidates
            .filter_map(|candidate| candidate.group.member(candidate.guest))
            .filter(|guest| name::same_person(&guest.first_name, &guest.last_name, &credentials.last_name))
            .map(|guest| guest.id)
            .collect()
    }

    fn must_wait(&self) -> bool {
        let is_logged_in = !self.conversation.logins.is_empty();
        lockout::wait(&self.conversation.attempts, is_logged_in, self.context.recent_failures, self.now).is_some()
    }

    pub(super) fn is_cooling(&self) -> bool {
        self.conversation.attempts.remaining(self.now).is_some()
    }

    fn fail_to_log_in(&mut self, id: &'static str) {
        if self.must_wait() {
            return self.tell_to_wait();
        }
        self.count_failure();
        if self.is_cooling() {
            return self.tell_to_wait();
        }
        let is_asking_name = matches!(self.conversation.dialogue.open, Some(Ask::LastName { .. }));
        match self.conversation.active {
            Some(_) if !is_asking_name => {
                let id = if id == "wrong-credentials" { "wrong-credentials-again" } else { id };
                self.ask_again(vec![Say::new(id)]);
            }
            _ => self.tell(vec![Say::new(id)]),
        }
    }

    pub(super) fn cooling(&self) -> Say {
        let left = self.conversation.attempts.remaining(self.now).map_or(1, |left| (left.num_seconds() + 59) / 60);
        let minutes = u32::try_from(left).unwrap_or(1).max(1);
        Say::new("cooling").with("minutes", minutes)
    }

    fn tell_to_wait(&mut self) {
        let say = if self.is_cooling() { self.cooling() } else { Say::new("wait-for-others") };
        self.tell(vec![say]);
    }

    /// Tries while the address cools down do not prolong it.
    pub(super) fn count_failure(&mut self) {
        if !self.must_wait() {
            self.conversation.attempts.fail(self.now);
            self.login_failed = true;
        }
    }

    fn ask_last_name(&mut self, code: String) {
        let own = self.context.logins.iter().find(|guest| code::key(&guest.token) == code::key(&code));
        if let Some(guest) = own.filter(|guest| self.conversation.logins.contains(&guest.id)) {
            return self.log_in(guest.id);
        }
        if self.must_wait() {
            return self.tell_to_wait();
        }
        self.ask(Vec::new(), Ask::LastName { code });
    }

    /// Start was pressed, with or without the code of a deep link.
    pub(super) fn start(&mut self, payload: &str) {
        let code = payload.trim();
        if !code.is_empty() {
            return self.ask_last_name(code.chars().take(LONGEST_CODE).collect());
        }
        match self.party() {
            Some(party) => {
                let mut says = vec![already(&party)];
                if std::mem::take(&mut self.conversation.muted) {
                    // Whoever starts the bot wants to hear from it.
                    self.note_of_active(Happening::Unmuted);
                    says.push(Say::new("unmuted"));
                }
                self.arrive(says, &party);
            }
            None => self.hello(),
        }
    }

    pub(super) fn hello(&mut self) {
        self.tell(vec![Say::new("hello")]);
    }

    fn log_in(&mut self, guest: GuestId) {
        let Some(party) = self.party_of(guest) else { return self.hello() };
        let known = self.conversation.logins.contains(&guest);
        self.conversation.dialogue.clear();
        self.conversation.active = Some(guest);
        self.access = Some((guest, true));
        self.rest_on(party.group, false);
        if known {
            return self.arrive(vec![already(&party)], &party);
        }
        self.prefer_language_of(party.me);
        self.conversation.logins.push(guest);
        self.note(&party.event.id, guest, Happening::LoggedIn);
        self.notices.push(Decided {
            event: party.event.id.clone(),
            audience: Audience::EveryAddressOf(guest),
            notice: Notice::LoggedInElsewhere { guest, channel: self.inbound.from.shown_channel() },
        });
        self.arrive(vec![Say::new("welcome").with("name", party.me.short_name())], &party);
    }

    /// Who and what; then the walk, if somebody has not answered yet.
    pub(super) fn arrive(&mut self, mut says: Vec<Say>, party: &Party<'_>) {
        says.extend(summary::event_lines(party.event, self.now));
        says.extend(summary::answers(&party.group.members, self.style));
        says.push(Say::new("expected").with("expected", party.group.party_size()));
        self.conversation.dialogue.clear();
        if !party.event.is_open(self.now) {
            says.extend(self.closed_hint(party));
            return self.tell(says);
        }
        if party.group.members.iter().all(|guest| guest.status != Status::Pending) {
            says.push(Say::new("to-change"));
            return self.tell(says);
        }
        self.tell(says);
        self.ask_next(Vec::new(), Draft::begin(party), party);
    }
}

/// A name in capitals may look like a code.
fn is_surely_code(code: &str, text: &str) -> bool {
    login::says_code(text) || code.chars().any(|c| c.is_ascii_digit())
}

fn already(party: &Party<'_>) -> Say {
    let name = party.me.full_name();
    Say::new("already-logged-in").with("name", name).with("event", party.event.name.as_str())
}
