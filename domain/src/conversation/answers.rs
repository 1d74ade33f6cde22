//! Taking the answer to the open question: a choice, a number, or words.

use super::{
    Ask, Draft, Party, Plan, Scope, questions,
    reading::{self, Reading, Unread},
    summary,
    turn::Turn,
    walk::{MOST_EXTRAS, Pick},
};
use crate::{
    activity::Happening,
    address::Style,
    lexicon::{Meaning, normalise},
    message::{Numbering, Say},
    model::GuestId,
    name,
    notice::{Audience, Decided, Notice},
    show, wording,
};

/// Characters of dietary needs that a record takes.
pub const MOST_DIETARY: usize = 500;
/// Characters of a message for the host.
const MOST_MESSAGE: usize = 2000;

impl Turn<'_> {
    /// A choice of the open question; `token` is one of those offered.
    pub(super) fn answer_with_choice(&mut self, ask: &Ask, token: &str) {
        if token == "host" {
            return self.ask(Vec::new(), Ask::MessageForHost);
        }
        match ask {
            Ask::Switch => self.switch_to(token),
            Ask::Language => self.choose(token),
            Ask::MessageForHost => self.resume(vec![Say::new("never-mind")]),
            Ask::WrongPerson if token == "yes" => self.wrong_person(),
            Ask::WrongPerson => self.resume(vec![Say::new("never-mind")]),
            Ask::LastName { .. } => self.not_understood(),
            _ => self.with_draft(|turn, draft, party| turn.draft_choice(ask, token, draft, party)),
        }
    }

    /// Words, or a number, for the open question.
    pub(super) fn answer_with_text(&mut self, ask: &Ask, text: &str) {
        if name::is_blank(text) && !text.contains(['👍', '👎', '✅', '❌']) {
            return self.not_understood();
        }
        match self.number_as_choice(ask, text) {
            NumberRead::Choice(token) => return self.answer_with_choice(ask, &token),
            NumberRead::TooEarly => return self.ask_again(vec![Say::new("number-too-early")]),
            NumberRead::NoSuchChoice => return self.not_understood(),
            NumberRead::NotANumber => {}
        }
        if let Some(token) = self.choice_in_words(ask, text) {
            return self.answer_with_choice(ask, &token);
        }
        match ask {
            Ask::MessageForHost => self.leave_message(text),
            Ask::Switch | Ask::Language | Ask::LastName { .. } | Ask::WrongPerson => self.not_understood(),
            _ => self.with_draft(|turn, draft, party| turn.draft_text(ask, text, draft, party)),
        }
    }

    /// Runs `answer` if the draft may still be answered: the event is open, and the group as it was when asked.
    fn with_draft(&mut self, answer: impl FnOnce(&mut Self, Draft, &Party<'_>)) {
        let Some(party) = self.party() else { return self.hello() };
        let Some(draft) = self.conversation.dialogue.draft.clone() else {
            return self.ask_next(Vec::new(), Draft::begin(&party), &party);
        };
        if let Some(mut says) = self.can_no_longer_be_answered() {
            self.conversation.dialogue.clear();
            says.extend(self.closed_hint(&party).into_iter().filter(|say| say.id == "dietary-still-open"));
            return self.tell(says);
        }
        if draft.is_outdated(party.group) {
            let mut says = vec![Say::new("group-changed")];
            says.extend(summary::answers(&party.group.members, self.style));
            if draft.dietary_only {
                self.conversation.dialogue.draft = Some(draft.renew(&party));
                return self.ask_again(says);
            }
            return self.ask_next(says, draft.renew(&party), &party);
        }
        answer(self, draft, &party);
    }

    fn number_as_choice(&self, ask: &Ask, text: &str) -> NumberRead {
        let normal = normalise(text);
        if normal.is_empty() || !normal.bytes().all(|byte| byte.is_ascii_digit()) {
            return NumberRead::NotANumber;
        }
        let asked_before = self.context.question_attempted_at.is_some_and(|at| at <= self.inbound.received_at);
        if self.style == Style::Texts && !asked_before {
            return NumberRead::TooEarly;
        }
        let Some(question) = self.question(ask) else { return NumberRead::NotANumber };
        // Buttons bear no numbers: there, a number for "are you sure?" is the head count corrected.
        let head_count = question.numbering == Numbering::HeadCount
            || self.style == Style::Buttons && matches!(ask, Ask::ConfirmExtras);
        if head_count || question.choices.is_empty() {
            return NumberRead::NotANumber;
        }
        let index = normal.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        match index.and_then(|index| question.choices.get(index)) {
            Some(choice) => NumberRead::Choice(token_of(&choice.id).to_owned()),
            None => NumberRead::NoSuchChoice,
        }
    }

    /// A choice named by its label, or by a word that means it.
    fn choice_in_words(&self, ask: &Ask, text: &str) -> Option<String> {
        let question = self.question(ask)?;
        let typed = normalise(text);
        let label_fits = |label: &Say| {
            let label = show::plain(&wording::render(label, self.language(), self.style));
            !typed.is_empty() && normalise(&label) == typed
        };
        let free_text = matches!(ask, Ask::Dietary { .. } | Ask::MessageForHost);
        let by_label = question.choices.iter().find(|choice| label_fits(&choice.label));
        // A person's name is read with the others' in `draft_text`: two may bear it.
        if let Some(choice) = by_label.filter(|_| !matches!(ask, Ask::WhoIsNotComing | Ask::WhoDoesNotKnow)) {
            return Some(token_of(&choice.id).to_owned());
        }
        let meaning = self.lexicons().iter().find_map(|lexicon| lexicon.plain_meaning(text))?;
        let token = match (ask, meaning) {
            (Ask::ForWhom, Meaning::Me | Meaning::OnlyMe) | (Ask::NobodyOrNotMe, Meaning::Me | Meaning::OnlyMe) => "me",
            (Ask::ForWhom, Meaning::All) | (Ask::NobodyOrNotMe, Meaning::All | Meaning::None) => "all",
            (Ask::Others, Meaning::Not | Meaning::No | Meaning::None) => "no",
            (Ask::Others, Meaning::Unsure) => "open",
            (Ask::ConfirmExtras | Ask::ChangeOthers | Ask::WrongPerson, Meaning::Yes) => "yes",
            (Ask::ConfirmExtras | Ask::ChangeOthers | Ask::WrongPerson, Meaning::No) => "no",
            (Ask::Dietary { .. }, Meaning::No | Meaning::None) => "none",
            (Ask::ReadBack, Meaning::Yes) => "save",
            (Ask::ReadBack, Meaning::No) => "change",
            (Ask::MessageForHost, Meaning::No) => "never-mind",
            (Ask::WhoIsNotComing, Meaning::Unsure) => "open",
            _ => return None,
        };
        let offered = question.choices.iter().any(|choice| token_of(&choice.id) == token);
        (offered && (!free_text || meaning != Meaning::Yes)).then(|| token.to_owned())
    }

    fn draft_choice(&mut self, ask: &Ask, token: &str, mut draft: Draft, party: &Party<'_>) {
        let guest = |text: &str| text.parse::<GuestId>().ok();
        match (ask, token) {
            (Ask::ForWhom, "me") => draft.choose_scope(Scope::OnlyMe),
            (Ask::ForWhom, _) | (Ask::NobodyOrNotMe, "all") => draft.choose_scope(Scope::Everybody),
            (Ask::HowMany, "all") => draft.set_count(draft.expected()),
            (Ask::HowMany, "some") => draft.some = true,
            (Ask::HowMany, "only-me") => draft.only_me_comes(party),
            (Ask::HowMany, "none") => draft.set_count(0),
            (Ask::HowManyExactly, token) => match token.trim_start_matches('n').parse() {
                Ok(count) => draft.set_count(count),
                Err(_) => return self.not_understood(),
            },
            (Ask::WhoIsNotComing, "open") => {
                self.conversation.dialogue.draft = Some(draft);
                return self.ask(Vec::new(), Ask::WhoDoesNotKnow);
            }
            (Ask::WhoIsNotComing, "again") => draft = Draft { scope: draft.scope, ..Draft::begin(party) },
            (Ask::WhoIsNotComing, token) => {
                let pick = match token.split_at_checked(1) {
                    Some(("c", id)) => guest(id).map(Pick::CompanionOf),
                    Some((_, id)) => guest(id).map(Pick::Person),
                    None => None,
                };
                if !pick.is_some_and(|pick| draft.pick(pick)) {
                    return self.not_understood();
                }
            }
            (Ask::WhoDoesNotKnow, "back") => {}
            (Ask::WhoDoesNotKnow, token) => {
                if !guest(token).is_some_and(|guest| draft.pick(Pick::DoesNotKnow(guest))) {
                    return self.not_understood();
                }
            }
            (Ask::ConfirmExtras, "yes") => draft.extras_confirmed = true,
            (Ask::ConfirmExtras, _) | (Ask::ReadBack, "change") => {
                let scope = draft.scope.filter(|_| matches!(ask, Ask::ConfirmExtras));
                draft = Draft { scope, ..Draft::begin(party) };
            }
            (Ask::NobodyOrNotMe, _) => draft.only_me_stays_away(),
            (Ask::Others, token) => decide_others(&mut draft, party, token == "no"),
            (Ask::ChangeOthers, "yes") => draft.changes_confirmed = true,
            (Ask::ChangeOthers, _) => {
                for guest in draft.changes_of_others(party) {
                    draft.set_plan(guest.id, Plan::Untouched);
                }
                draft.changes_confirmed = true;
            }
            (Ask::Dietary { guest }, token) => return self.dietary_choice(*guest, token, draft, party),
            (Ask::ReadBack, _) => return self.save(&draft, party),
            (Ask::DietaryOf, token) => {
                let Some(guest) = guest(token) else { return self.not_understood() };
                self.conversation.dialogue.draft = Some(draft);
                return self.ask(Vec::new(), Ask::Dietary { guest });
            }
            _ => return self.not_understood(),
        }
        self.ask_next(Vec::new(), draft, party);
    }

    fn dietary_choice(&mut self, guest: GuestId, token: &str, mut draft: Draft, party: &Party<'_>) {
        let stored = |guest: GuestId| party.group.member(guest).map(|guest| guest.dietary.clone()).unwrap_or_default();
        match token {
            "keep" => draft.set_dietary(guest, stored(guest)),
            "none-for-all" => {
                let all: Vec<GuestId> = draft.without_dietary().collect();
                all.into_iter().for_each(|guest| draft.set_dietary(guest, String::new()));
            }
            _ => draft.set_dietary(guest, String::new()),
        }
        self.after_dietary(draft, party);
    }

    fn after_dietary(&mut self, draft: Draft, party: &Party<'_>) {
        if draft.dietary_only { self.save(&draft, party) } else { self.ask_next(Vec::new(), draft, party) }
    }

    fn draft_text(&mut self, ask: &Ask, text: &str, mut draft: Draft, party: &Party<'_>) {
        match ask {
            Ask::Dietary { guest } => {
                let text = text.trim();
                let length = text.chars().count();
                if length > MOST_DIETARY {
                    let (length, most) = (number(length), number(MOST_DIETARY));
                    return self
                        .ask_again(vec![Say::new("dietary-too-long").with("length", length).with("most", most)]);
                }
                draft.set_dietary(*guest, text.to_owned());
                self.after_dietary(draft, party);
            }
            Ask::HowMany | Ask::HowManyExactly => self.how_many_in_words(text, draft, party),
            Ask::ConfirmExtras => self.how_many_in_words(text, Draft { scope: draft.scope, ..Draft::begin(party) }, party),
            Ask::WhoIsNotComing | Ask::WhoDoesNotKnow => self.names_in_words(ask, text, draft, party),
            _ => self.not_understood(),
        }
    }

    fn how_many_in_words(&mut self, text: &str, mut draft: Draft, party: &Party<'_>) {
        let reading = match reading::how_many(text, &self.lexicons(), party) {
            Ok(reading) => reading,
            Err(Unread::WhichPerson) => return self.not_understood_because(Say::new("which-person")),
            Err(Unread::NotUnderstood) => return self.not_understood(),
        };
        if reading.unsure {
            return self.ask_again(vec![Say::new("take-your-time").with("deadline", summary::deadline(party.event))]);
        }
        let expected = draft.expected();
        if reading.only_me && reading.count.is_none() && reading.picks.is_empty() {
            draft.only_me_comes(party);
            return self.ask_next(Vec::new(), draft, party);
        }
        if reading.not_me && reading.count.is_none() && reading.picks.is_empty() {
            if party.group.members.len() == 1 { draft.set_count(0) } else { draft.only_me_stays_away() }
            return self.ask_next(Vec::new(), draft, party);
        }
        if reading.some && reading.count.is_none() && reading.picks.is_empty() && expected > 1 {
            draft.some = true;
            return self.ask_next(Vec::new(), draft, party);
        }
        let Some(count) = count_of(&reading, &draft) else { return self.not_understood() };
        if count > expected + MOST_EXTRAS {
            return self.not_understood_because(Say::new("too-many").with("expected", expected));
        }
        draft.set_count(count);
        if let Some(mismatch) = take_picks(&mut draft, &reading.picks) {
            return self.ask_next(vec![mismatch], draft, party);
        }
        self.ask_next(Vec::new(), draft, party);
    }

    fn names_in_words(&mut self, ask: &Ask, text: &str, mut draft: Draft, party: &Party<'_>) {
        let picks = match reading::picks(text, &self.lexicons(), party, &questions::pickable(&draft)) {
            Ok(picks) => picks,
            Err(Unread::WhichPerson) => return self.not_understood_because(Say::new("which-person")),
            Err(Unread::NotUnderstood) => return self.not_understood(),
        };
        let open = |pick: Pick| if *ask == Ask::WhoDoesNotKnow { Pick::DoesNotKnow(pick.guest()) } else { pick };
        let picks: Vec<Pick> = picks.into_iter().map(open).collect();
        match take_picks(&mut draft, &picks) {
            Some(mismatch) => self.ask_next(vec![mismatch], draft, party),
            None => self.ask_next(Vec::new(), draft, party),
        }
    }

    /// Goes back to what was asked before a side question.
    fn resume(&mut self, says: Vec<Say>) {
        self.conversation.dialogue.open = None;
        let draft = self.conversation.dialogue.draft.clone();
        match (draft, self.party()) {
            (Some(draft), Some(party)) if party.event.is_open(self.now) && !draft.dietary_only => {
                let draft = if draft.is_outdated(party.group) { draft.renew(&party) } else { draft };
                self.ask_next(says, draft, &party);
            }
            _ => {
                self.conversation.dialogue.clear();
                self.tell(says);
            }
        }
    }

    fn switch_to(&mut self, token: &str) {
        let Some(party) = token.parse().ok().and_then(|guest: GuestId| self.party_of(guest)) else {
            return self.not_understood();
        };
        self.conversation.active = Some(party.me.id);
        let (name, event) = (party.me.full_name(), party.event.name.as_str());
        self.arrive(vec![Say::new("now-active").with("name", name).with("event", event)], &party);
    }

    fn choose(&mut self, tag: &str) {
        self.conversation.locale = Some(tag.to_owned());
        self.resume(vec![Say::new("language-chosen")]);
    }

    fn leave_message(&mut self, text: &str) {
        let Some(party) = self.party() else { return self.hello() };
        let text: String = text.trim().chars().take(MOST_MESSAGE).collect();
        if text.is_empty() {
            return self.ask_again(vec![Say::new("message-empty")]);
        }
        self.note_of_active(Happening::LeftMessage { text: text.clone() });
        self.notices.push(Decided {
            event: party.event.id.clone(),
            audience: Audience::Hosts(party.event.id.clone()),
            notice: Notice::MessageLeft { guest: party.me.id, text },
        });
        self.conversation.dialogue.misunderstood = 0;
        self.tell(vec![Say::new("message-left")]);
        self.resume_quietly();
    }

    fn resume_quietly(&mut self) {
        if self.conversation.dialogue.draft.is_some() {
            self.resume(Vec::new());
        } else {
            self.conversation.dialogue.open = None;
        }
    }

    fn wrong_person(&mut self) {
        let Some(party) = self.party() else { return self.hello() };
        self.note_of_active(Happening::WrongPerson);
        self.notices.push(Decided {
            event: party.event.id.clone(),
            audience: Audience::Hosts(party.event.id.clone()),
            notice: Notice::WrongPerson { guest: party.me.id, channel: self.inbound.from.shown_channel() },
        });
        self.conversation.end_login(party.me.id);
        self.tell(vec![Say::new("wrong-person-done")]);
        self.tell_who_is_active();
    }
}

enum NumberRead {
    NotANumber,
    Choice(String),
    NoSuchChoice,
    /// Sent before the question it would answer.
    TooEarly,
}

fn token_of(choice: &str) -> &str {
    choice.split_once('.').map_or(choice, |(_, token)| token)
}

fn number(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

fn decide_others(draft: &mut Draft, party: &Party<'_>, not_coming: bool) {
    let plan =
        if not_coming { Plan::Decided { self_coming: false, companions: 0 } } else { Plan::Untouched };
    let others: Vec<GuestId> = questions::others_to_ask(draft, party).map(|guest| guest.id).collect();
    others.into_iter().for_each(|guest| draft.set_plan(guest, plan));
}

/// How many a sentence says, where it says it at all.
fn count_of(reading: &Reading, draft: &Draft) -> Option<u32> {
    let expected = draft.expected();
    if let Some(count) = reading.count {
        return Some(count);
    }
    if let Some(fewer) = reading.fewer {
        return expected.checked_sub(fewer);
    }
    if !reading.picks.is_empty() {
        return Some(expected.saturating_sub(people_out(draft, &reading.picks)));
    }
    match reading {
        Reading { nobody: true, all: false, .. } => Some(0),
        Reading { all: true, nobody: false, .. } => Some(expected),
        _ => None,
    }
}

/// How many people the names stand for.
fn people_out(draft: &Draft, picks: &[Pick]) -> u32 {
    let in_scope = draft.members.iter().filter(|member| draft.is_in_scope(member.guest));
    in_scope
        .map(|member| {
            let named = |wanted: fn(&Pick) -> bool| {
                picks.iter().filter(|pick| pick.guest() == member.guest && wanted(pick)).count()
            };
            let person = named(|pick| matches!(pick, Pick::Person(_))).min(1);
            let companions = number(named(|pick| matches!(pick, Pick::CompanionOf(_)))).min(member.expected - 1);
            let whole = named(|pick| matches!(pick, Pick::DoesNotKnow(_))) > 0;
            if whole { member.expected } else { number(person) + companions }
        })
        .sum()
}

/// Takes names one by one. Where they do not add up none is taken; says so.
fn take_picks(draft: &mut Draft, picks: &[Pick]) -> Option<Say> {
    let before = draft.clone();
    let mut taken: Vec<Pick> = Vec::new();
    for pick in picks {
        let again = !matches!(pick, Pick::CompanionOf(_)) && taken.contains(pick);
        if again || draft.pick(*pick) {
            taken.push(*pick);
            continue;
        }
        *draft = before;
        let mismatch = Say::new("picks-do-not-add-up")
            .with("expected", draft.expected())
            .with("count", draft.count.unwrap_or_default())
            .with("left", draft.left_to_name());
        if draft.allocated {
            // The number alone had decided everybody; it contradicts the names, so neither is taken.
            draft.count = None;
            draft.allocated = false;
            draft.clear_picks();
        }
        return Some(mismatch);
    }
    None
}
