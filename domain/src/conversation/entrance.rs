//! Coming in: code and last name, deep links, guessing.

use super::{Ask, Conversation, Draft, Party, summary, turn::Turn};
use crate::{
    activity::Happening,
    lockout::FAILURES_A_MINUTE_EVERYWHERE,
    login::{self, Credentials},
    message::{Body, Inbound, Say},
    model::{GuestId, Status},
    name,
    notice::{Audience, Decided, Notice},
};

/// The codes in a message that the intake has to look up before the step. `conversation` is needed where the
/// message may be the last name for a code given before; `None` before it is loaded.
#[must_use]
pub fn codes_to_look_up(inbound: &Inbound, conversation: Option<&Conversation>) -> Vec<String> {
    let Body::Text(text) = &inbound.body else { return Vec::new() };
    let mut codes: Vec<String> = login::readings(text).into_iter().map(|credentials| credentials.code).collect();
    if let Some(Ask::LastName { code }) = conversation.and_then(|conversation| conversation.dialogue.open.as_ref()) {
        codes.push(code.clone());
    }
    codes.dedup();
    codes
}

enum Attempt {
    /// Code and name fit one guest.
    Fits(GuestId),
    /// Looks like an attempt, and does not fit.
    Fails,
    /// Not about logging in.
    None,
}

impl Turn<'_> {
    /// Takes the text as a login, if it is one; `false` when it is something else.
    pub(super) fn take_credentials(&mut self, text: &str) -> bool {
        let logged_in = !self.conversation.logins.is_empty();
        let open = self.conversation.dialogue.open.clone();
        let awaited = match &open {
            Some(Ask::LastName { code }) => Some(code.as_str()),
            _ => None,
        };
        match self.attempt(text, awaited) {
            Attempt::Fits(guest) => {
                if self.must_wait() { self.tell_to_wait() } else { self.log_in(guest) }
                true
            }
            Attempt::Fails if logged_in && awaited.is_none() && !login::says_code(text) => {
                // An answer to the open question, most likely; as a guess it counts all the same.
                self.count_failure();
                false
            }
            Attempt::Fails if self.must_wait() => {
                self.tell_to_wait();
                true
            }
            Attempt::Fails => {
                self.count_failure();
                if self.conversation.attempts.remaining(self.now).is_some() {
                    self.tell_to_wait();
                } else {
                    self.tell(vec![Say::new("wrong-credentials")]);
                }
                true
            }
            Attempt::None => match login::lone_code(text) {
                // Asked for whether or not there is such a code: the answer must not tell.
                Some(code) if !logged_in || login::says_code(text) => {
                    self.ask_last_name(code);
                    true
                }
                _ => false,
            },
        }
    }

    fn attempt(&self, text: &str, awaited: Option<&str>) -> Attempt {
        let mut readings = login::readings(text);
        let may_be_name = awaited.is_some() && self.command(text, false).is_none() && !name::is_blank(text);
        if let (Some(code), true) = (awaited, may_be_name) {
            readings.push(Credentials { code: code.to_owned(), last_name: text.to_owned() });
        }
        let mut fits: Vec<GuestId> = readings.iter().flat_map(|reading| self.guests_with(reading)).collect();
        fits.sort_unstable();
        fits.dedup();
        match fits.as_slice() {
            [guest] => Attempt::Fits(*guest),
            [] if !(may_be_name || !readings.is_empty() && login::contains_code_like(text)) => Attempt::None,
            _ => Attempt::Fails,
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
        let unknown = self.conversation.logins.is_empty();
        self.conversation.attempts.remaining(self.now).is_some()
            || unknown && self.context.recent_failures >= FAILURES_A_MINUTE_EVERYWHERE
    }

    fn tell_to_wait(&mut self) {
        let left = self.conversation.attempts.remaining(self.now).map_or(1, |left| (left.num_seconds() + 59) / 60);
        let minutes = u32::try_from(left).unwrap_or(1).max(1);
        self.tell(vec![Say::new("cooling").with("minutes", minutes)]);
    }

    /// Tries while the address cools down do not prolong it.
    fn count_failure(&mut self) {
        if !self.must_wait() {
            self.conversation.attempts.fail(self.now);
            self.login_failed = true;
        }
    }

    fn ask_last_name(&mut self, code: String) {
        if self.must_wait() {
            return self.tell_to_wait();
        }
        self.conversation.dialogue.clear();
        self.ask(Vec::new(), Ask::LastName { code });
    }

    /// Start was pressed, with or without the code of a deep link.
    pub(super) fn start(&mut self, payload: &str) {
        let code = payload.trim();
        if !code.is_empty() {
            return self.ask_last_name(code.chars().take(64).collect());
        }
        match self.party() {
            Some(party) => self.arrive(vec![already(&party)], &party),
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

fn already(party: &Party<'_>) -> Say {
    let name = party.me.full_name();
    Say::new("already-logged-in").with("name", name).with("event", party.event.name.as_str())
}
