//! One message being taken: what is known, what is decided so far.

use chrono::{DateTime, TimeDelta, Utc};

use super::{Ask, Context, Conversation, Draft, LastChoice, Party, RestsOn, Step, host, keywords, summary};
use crate::{
    activity::{Activity, Actor, Happening},
    address::Style,
    lexicon::{Lexicon, Meaning, Phrase, normalise},
    login,
    message::{Body, Inbound, Outgoing, Say},
    model::{Event, EventId, Group, Guest, GuestId},
    notice::{Addressed, Decided},
    phone, wording,
};

/// A second tap on the same button within this time is the same tap.
const DOUBLE_TAP_SECONDS: i64 = 15;

/// Messages in a row that were not understood, after which the guest may write to the host.
pub(super) const MISUNDERSTOOD_TOO_OFTEN: u8 = 2;

/// How much of a question is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Length {
    Full,
    /// What is asked was said just before.
    Short,
}

pub(super) struct Turn<'a> {
    pub context: &'a Context,
    pub inbound: &'a Inbound,
    pub now: DateTime<Utc>,
    pub conversation: Conversation,
    pub style: Style,
    pub says: Vec<Outgoing>,
    pub guests: Vec<Guest>,
    pub groups: Vec<RestsOn>,
    pub event: Option<Event>,
    pub activity: Vec<Activity>,
    pub notices: Vec<Decided>,
    pub orders: Vec<Addressed>,
    pub once: Vec<String>,
    pub login_failed: bool,
    /// Counts as a failed login if it turns out to be no answer.
    pub may_be_failed_login: bool,
    pub access: Option<(GuestId, bool)>,
}

impl<'a> Turn<'a> {
    pub fn new(context: &'a Context, inbound: &'a Inbound, now: DateTime<Utc>) -> Self {
        Self {
            context,
            inbound,
            now,
            conversation: context.conversation.clone(),
            style: inbound.from.style(),
            says: Vec::new(),
            guests: Vec::new(),
            groups: Vec::new(),
            event: None,
            activity: Vec::new(),
            notices: Vec::new(),
            orders: Vec::new(),
            once: Vec::new(),
            login_failed: false,
            may_be_failed_login: false,
            access: None,
        }
    }

    pub fn take(&mut self) {
        if self.inbound.body == Body::Blocked {
            self.conversation.unreachable = true;
            self.note_of_active(Happening::Blocked);
            return;
        }
        self.conversation.last_used = Some(self.now);
        self.conversation.unreachable = false;
        self.guess_language();
        if keywords::take(self) {
            return;
        }
        if !self.drop_vanished_logins() {
            self.take_body();
        }
        if self.access.is_none() {
            self.access = self.conversation.active.map(|guest| (guest, false));
        }
    }

    fn take_body(&mut self) {
        match &self.inbound.body {
            Body::Text(text) => self.take_text(text),
            Body::Choice(id) => self.take_choice(id),
            Body::Start(payload) => self.start(payload),
            Body::Edited => self.edited(),
            Body::Contact { phone, own } => self.contact(phone, *own),
            Body::Unreadable => self.ask_again(vec![Say::new("please-type")]),
            Body::InGroupChat => self.tell(vec![Say::new("in-group-chat")]),
            Body::Unblocked => self.note_of_active(Happening::Unblocked),
            Body::Blocked | Body::MovedTo(_) => {}
        }
    }

    fn take_text(&mut self, text: &str) {
        let open = self.conversation.dialogue.open.as_ref();
        let is_slash_word = host::is_slash_word(text);
        let is_no_name = is_slash_word && matches!(open, Some(Ask::LastName { .. }));
        let takes_any_text = open.is_some_and(Ask::takes_any_text);
        if self.take_host_command(text) || !is_no_name && self.take_credentials(text) {
            return;
        }
        if let Some(command) = self.command(text).filter(|_| !self.is_label_of_open(text)) {
            self.conversation.dialogue.misunderstood = 0;
            return self.obey(command);
        }
        // It is meant as a command, never for the kitchen nor the host; nor does "/coming" say who comes. A stranger
        // needs to hear how to come in, whatever they typed.
        let means_a_host = host::is_command(text) && !self.conversation.logins.is_empty();
        if is_slash_word && (takes_any_text || is_no_name || means_a_host) {
            return self.not_understood_because(Say::new("no-such-command"));
        }
        match self.conversation.dialogue.open.clone() {
            Some(ask) => match self.host_question_gone(&ask) {
                Some(gone) => self.resume(vec![gone]),
                None => self.answer_with_text(&ask, text),
            },
            None => self.take_idle(text),
        }
    }

    fn take_choice(&mut self, id: &str) {
        let dialogue = &self.conversation.dialogue;
        let double_tap = dialogue
            .last_choice
            .as_ref()
            .is_some_and(|last| last.id == id && self.now - last.at <= TimeDelta::seconds(DOUBLE_TAP_SECONDS));
        if double_tap {
            return;
        }
        let asked = dialogue.asked;
        let open = dialogue.open.clone();
        if self.take_host_button(id) {
            return;
        }
        let token = id.split_once('.').filter(|(number, _)| number.parse() == Ok(asked)).map(|(_, token)| token);
        match (open, token) {
            (Some(ask), Some(_)) if self.host_question_gone(&ask).is_some() => self.ask_again(Vec::new()),
            // Where the group has changed since, what was offered then may be gone by now: that is told.
            (Some(ask), Some(token)) if self.outdated_draft().is_some() => self.answer_with_choice(&ask, token),
            // Buttons can be forged.
            (Some(ask), Some(token)) if self.is_offered(&ask, id) => {
                self.answer_with_choice(&ask, token);
                // Where the same question is still open, a second tap is a second try.
                let dialogue = &mut self.conversation.dialogue;
                if dialogue.asked != asked || dialogue.open.is_none() {
                    dialogue.last_choice = Some(LastChoice { id: id.to_owned(), at: self.now });
                }
            }
            (Some(_), _) => self.ask_again(vec![Say::new("old-question")]),
            (None, _) if self.party().is_some() => self.tell(vec![Say::new("old-question-idle")]),
            (None, _) => self.hello(),
        }
    }

    /// The answer that is being asked about, where the group has changed since.
    fn outdated_draft(&self) -> Option<(Draft, Party<'a>)> {
        let dialogue = &self.conversation.dialogue;
        let draft = dialogue.draft.as_ref().filter(|_| dialogue.open.as_ref().is_some_and(Ask::is_of_draft))?;
        let party = self.party().filter(|party| draft.is_outdated(party))?;
        Some((draft.clone(), party))
    }

    fn is_offered(&self, ask: &Ask, id: &str) -> bool {
        self.question(ask).is_some_and(|question| question.choices.iter().any(|choice| choice.id == id))
    }

    /// Edits are not read: the guest hears so, and sees what is stored.
    fn edited(&mut self) {
        let mut says = vec![Say::new("edits-not-read")];
        if let Some(party) = self.party() {
            says.push(Say::new("your-answer").with("event", party.event.name.as_str()));
            says.extend(summary::answers(&party.group.members, self.style));
            says.extend(summary::total(&party.group.members));
        }
        self.ask_again(says);
    }

    fn contact(&mut self, typed: &str, own: bool) {
        if !own {
            return self.ask_again(vec![Say::new("contact-not-own")]);
        }
        let Some(party) = self.party() else { return self.hello() };
        let id = match phone::e164(typed, party.event.phone_region.as_deref()) {
            Ok(number) if party.me.phone.as_ref() == Some(&number) => "contact-noted",
            Ok(number) => {
                self.guests.push(Guest { phone: Some(number), ..party.me.clone() });
                self.note_of_active(Happening::Edited { fields: vec!["phone".to_owned()] });
                "contact-noted"
            }
            Err(_) => "contact-unreadable",
        };
        self.ask_again(vec![Say::new(id)]);
    }

    /// Guests that were deleted since the last message are told of. `true` where the message answers what was asked
    /// about one of them: it says nothing about anybody else.
    fn drop_vanished_logins(&mut self) -> bool {
        let known = |login: &GuestId| self.context.logins.iter().any(|guest| guest.id == *login);
        let gone: Vec<GuestId> = self.conversation.logins.iter().copied().filter(|login| !known(login)).collect();
        if gone.is_empty() {
            return false;
        }
        let was_active = self.conversation.active.is_some_and(|active| gone.contains(&active));
        for login in gone {
            self.conversation.end_login(login);
        }
        let is_choosing = self.conversation.dialogue.open == Some(Ask::Switch);
        self.tell(vec![Say::new(if self.conversation.logins.is_empty() { "login-ended" } else { "one-login-ended" })]);
        let is_login = match &self.inbound.body {
            Body::Text(text) => self.conversation.logins.is_empty() && !login::readings(text).is_empty(),
            Body::Start(payload) => !payload.is_empty(),
            _ => false,
        };
        if is_login || !was_active && !is_choosing {
            return false;
        }
        if is_choosing {
            self.conversation.dialogue.clear();
        }
        self.tell_who_is_active();
        true
    }

    /// The app's language, until the person chooses one or a guest record says one.
    fn guess_language(&mut self) {
        if self.conversation.locale.is_none() {
            self.conversation.locale = self.inbound.locale_hint.clone().filter(|hint| wording::is_known(hint));
        }
    }

    /// What the host says about a guest's language beats the app's, but not what the person chose.
    pub fn prefer_language_of(&mut self, guest: &Guest) {
        let is_guess = self.conversation.locale == self.inbound.locale_hint;
        if let Some(locale) = guest.locale.clone().filter(|locale| wording::is_known(locale) && is_guess) {
            self.conversation.locale = Some(locale);
        }
    }

    fn locale(&self) -> &str {
        let party = self.party();
        let of_guest = party.and_then(|party| party.me.locale.as_deref());
        let of_event = party.map(|party| party.event.default_locale.as_str());
        let locale = self.conversation.locale.as_deref().or(of_guest).or(of_event);
        locale.unwrap_or(wording::FALLBACK)
    }

    /// What typed words mean here: in the person's language, then in the fallback's.
    pub fn lexicons(&self) -> Vec<&'static Lexicon> {
        let (own, fallback) = (self.language(), wording::language(wording::FALLBACK));
        if std::ptr::eq(own, fallback) { vec![&own.lexicon] } else { vec![&own.lexicon, &fallback.lexicon] }
    }

    pub fn language(&self) -> &'static wording::Language {
        wording::language(self.locale())
    }

    /// The active guest with group and event.
    pub fn party(&self) -> Option<Party<'a>> {
        self.party_of(self.conversation.active?)
    }

    pub fn party_of(&self, guest: GuestId) -> Option<Party<'a>> {
        let context = self.context;
        let groups = context.groups.iter().chain(context.candidates.iter().map(|candidate| &candidate.group));
        let (me, group) = groups.filter_map(|group| Some((group.member(guest)?, group))).next()?;
        let event = context.events.get(&me.event_id)?;
        Some(Party { me, group, event })
    }

    /// Says something that must not get lost.
    pub fn tell(&mut self, says: Vec<Say>) {
        if !says.is_empty() {
            self.says.push(Outgoing::statement(says));
        }
    }

    pub fn tell_and_resume(&mut self, says: Vec<Say>) {
        self.tell(says);
        if self.conversation.dialogue.open.is_some() {
            self.ask_again(Vec::new());
        }
    }

    /// Asks a new question: whatever was asked before is old from now on.
    pub fn ask(&mut self, says: Vec<Say>, ask: Ask) {
        self.open(ask);
        self.pose(says, Length::Full);
    }

    /// Makes a question the open one without asking it.
    pub fn open(&mut self, ask: Ask) {
        let dialogue = &mut self.conversation.dialogue;
        dialogue.asked += 1;
        dialogue.open = Some(ask);
        dialogue.asked_at = Some(self.now);
        dialogue.misunderstood = 0;
    }

    /// Says something and asks the open question once more; buttons that are already shown stay good.
    pub fn ask_again(&mut self, says: Vec<Say>) {
        self.again(says, Length::Full);
    }

    fn again(&mut self, mut says: Vec<Say>, length: Length) {
        if let Some(closed) = self.can_no_longer_be_answered() {
            self.conversation.dialogue.clear();
            says.extend(closed);
            return self.tell(says);
        }
        if let Some((draft, party)) = self.outdated_draft() {
            if self.style == Style::Texts {
                // The question shall fit one text.
                self.tell(std::mem::take(&mut says));
            }
            return self.renew(says, draft, &party);
        }
        if self.renew_host_question(&mut says) {
            return;
        }
        if self.conversation.dialogue.open.is_some() {
            return self.pose(says, length);
        }
        if self.party().is_none() {
            says.push(Say::new("hello"));
        }
        self.tell(says);
    }

    /// Why the open question cannot be answered any more, if so: answers have closed since it was asked.
    pub fn can_no_longer_be_answered(&self) -> Option<Vec<Say>> {
        let dialogue = &self.conversation.dialogue;
        let party = self.party().filter(|_| dialogue.open.as_ref().is_some_and(Ask::is_of_draft))?;
        let dietary_only = dialogue.draft.as_ref().is_some_and(|draft| draft.dietary_only);
        let open = if dietary_only { party.event.dietary_is_open(self.now) } else { party.event.is_open(self.now) };
        (!open).then(|| self.closed(&party))
    }

    pub(super) fn pose(&mut self, mut says: Vec<Say>, length: Length) {
        let Some(ask) = self.conversation.dialogue.open.clone() else { return };
        if let Some(gone) = self.host_question_gone(&ask) {
            says.push(gone);
            return self.resume(says);
        }
        let Some(question) = self.question(&ask) else {
            // It was about somebody who is gone.
            self.conversation.dialogue.clear();
            says.push(Say::new(if self.party().is_some() { "question-gone" } else { "hello" }));
            return self.tell(says);
        };
        // A newer question may replace one that only asks; what was told with it must not get lost.
        let only_asks = says.is_empty() || length == Length::Short;
        says.extend(self.question_says(&ask, length));
        self.says.push(Outgoing { only_asks, ..Outgoing::asking(says, question) });
    }

    /// Asks what the draft does not say yet.
    pub fn ask_next(&mut self, says: Vec<Say>, draft: Draft, party: &Party<'_>) {
        let ask = draft.next(party);
        self.conversation.dialogue.draft = Some(draft);
        self.ask(says, ask);
    }

    /// Nothing was changed; the question is asked again, and after the second time the host can be written to.
    pub fn not_understood(&mut self) {
        match self.small_talk() {
            Some(reply) if self.conversation.dialogue.open.is_some() => self.again(reply, Length::Short),
            Some(reply) if !reply.is_empty() => self.tell(reply),
            _ => self.not_understood_because(Say::new("not-understood")),
        }
    }

    /// What to say to a kindness, which is no answer, and no guess at a code either.
    fn small_talk(&self) -> Option<Vec<Say>> {
        let Body::Text(text) = &self.inbound.body else { return None };
        let normal = normalise(text);
        self.lexicons().iter().find_map(|lexicon| match lexicon.plain_meaning(&normal) {
            Some(Meaning::Thanks) => Some(vec![Say::new("you-are-welcome")]),
            Some(_) => None,
            // What is open cannot be put off so: "all right" would sound as if it had been.
            None if lexicon.is(Phrase::NeverMind, &normal) => {
                let is_open = self.conversation.dialogue.open.is_some();
                Some(if is_open { Vec::new() } else { vec![Say::new("never-mind")] })
            }
            None => lexicon.is(Phrase::Greeting, &normal).then(Vec::new),
        })
    }

    pub fn not_understood_because(&mut self, mut reason: Say) {
        if std::mem::take(&mut self.may_be_failed_login) && self.can_be_read_as_login() {
            if self.is_cooling() {
                reason = self.cooling();
            } else {
                self.count_failure();
            }
        }
        let dialogue = &mut self.conversation.dialogue;
        dialogue.misunderstood = dialogue.misunderstood.saturating_add(1);
        let misunderstood = dialogue.misunderstood;
        if self.outdated_draft().is_some() {
            // Something else is being asked now.
            return self.again(Vec::new(), Length::Full);
        }
        if self.conversation.dialogue.open.is_some() {
            return self.again(vec![reason], Length::Short);
        }
        let mut says = vec![reason, Say::new("see-menu")];
        if misunderstood >= MISUNDERSTOOD_TOO_OFTEN && self.party().is_some() {
            says.push(Say::new("or-message"));
        }
        self.tell(says);
    }

    fn can_be_read_as_login(&self) -> bool {
        matches!(&self.inbound.body, Body::Text(text) if !login::readings(text).is_empty())
    }

    pub fn note(&mut self, event: &EventId, guest: GuestId, what: Happening) {
        let by = Actor { guest_id: self.conversation.active, channel: self.inbound.from.channel, as_host: false };
        self.activity.push(Activity { event_id: event.clone(), guest_id: Some(guest), at: self.now, by, what });
    }

    pub fn note_of_active(&mut self, what: Happening) {
        if let Some(party) = self.party() {
            self.note(&party.event.id, party.me.id, what);
        }
    }

    /// The decision rests on this group's version.
    pub fn rest_on(&mut self, group: &Group, raise: bool) {
        match self.groups.iter_mut().find(|rests| rests.key == group.key) {
            Some(rests) => rests.raise |= raise,
            None => self.groups.push(RestsOn { key: group.key.clone(), version: group.version, raise }),
        }
    }

    pub fn finish(mut self) -> Step {
        // What was shown of the group must still be so when it is committed.
        if !self.says.is_empty()
            && let Some(party) = self.party()
        {
            self.rest_on(party.group, false);
        }
        Step {
            locale: self.locale().to_owned(),
            conversation: self.conversation,
            says: self.says,
            guests: self.guests,
            groups: self.groups,
            event: self.event,
            activity: self.activity,
            notices: self.notices,
            orders: self.orders,
            once: self.once,
            login_failed: self.login_failed,
            access: self.access,
        }
    }
}
