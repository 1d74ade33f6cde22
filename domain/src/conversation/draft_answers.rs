//! What an answer to a question of the walk does to the draft.

use super::{
    Ask, Draft, Party, Plan, Scope, questions,
    reading::{self, Reading},
    sentence::Unread,
    summary,
    turn::Turn,
    walk::Pick,
};
use crate::{
    answer::{MOST_DIETARY, MOST_EXTRAS},
    lexicon::{Meaning, Phrase, normalise},
    message::Say,
    model::{Guest, GuestId, Status},
};

impl Turn<'_> {
    /// Runs `answer` if the draft may still be answered: the event is open, and the group as it was when asked.
    pub(super) fn with_draft(&mut self, answer: impl FnOnce(&mut Self, Draft, &Party<'_>)) {
        let Some(party) = self.party() else { return self.hello() };
        if let Some(mut says) = self.can_no_longer_be_answered() {
            self.conversation.dialogue.clear();
            says.extend(self.closed_hint(&party).into_iter().filter(|say| say.id == "dietary-still-open"));
            return self.tell(says);
        }
        let Some(draft) = self.conversation.dialogue.draft.clone() else {
            return self.ask_next(Vec::new(), Draft::begin(&party), &party);
        };
        if draft.is_outdated(&party) {
            return self.renew(Vec::new(), draft, &party);
        }
        answer(self, draft, &party);
    }

    /// The group has changed since the open question was asked: says so, and asks as things stand now.
    pub(super) fn renew(&mut self, mut says: Vec<Say>, draft: Draft, party: &Party<'_>) {
        says.push(Say::new("group-changed"));
        says.extend(summary::answers(&party.group.members, self.style));
        if draft.dietary_only {
            self.tell(says);
            return self.change(party);
        }
        self.ask_next(says, draft.renew(party), party);
    }

    pub(super) fn draft_choice(&mut self, ask: &Ask, token: &str, mut draft: Draft, party: &Party<'_>) {
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
            (Ask::WhoIsNotComing, "again") => draft = draft.restart(party),
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
            (Ask::ConfirmExtras, _) => draft = draft.restart(party),
            (Ask::ReadBack, "change") => draft = draft.begin_again(party),
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
                let coming =
                    |guest: &GuestId| party.group.member(*guest).is_some_and(|guest| guest.status == Status::Coming);
                let Some(guest) = guest(token).filter(coming) else { return self.not_understood() };
                self.conversation.dialogue.draft = Some(draft);
                return self.ask(Vec::new(), Ask::Dietary { guest });
            }
            _ => return self.not_understood(),
        }
        self.ask_next(Vec::new(), draft, party);
    }

    fn dietary_choice(&mut self, guest: GuestId, token: &str, mut draft: Draft, party: &Party<'_>) {
        match token {
            "keep" => {
                let noted = party.group.member(guest).map(|guest| questions::noted(&draft, guest).to_owned());
                draft.set_dietary(guest, noted.unwrap_or_default());
            }
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

    pub(super) fn draft_text(&mut self, ask: &Ask, text: &str, draft: Draft, party: &Party<'_>) {
        match ask {
            Ask::Dietary { guest } => self.dietary_text(*guest, text, draft, party),
            Ask::HowMany | Ask::HowManyExactly => self.how_many_in_words(text, draft, party),
            Ask::ForWhom => self.for_whom_in_words(text, draft, party),
            Ask::NobodyOrNotMe => self.nobody_in_words(text, draft, party),
            Ask::ConfirmExtras => self.extras_in_words(text, draft, party),
            Ask::ReadBack => self.read_back_in_words(text, &draft, party),
            Ask::WhoIsNotComing | Ask::WhoDoesNotKnow | Ask::DietaryOf => self.names_in_words(ask, text, draft, party),
            _ => self.not_understood(),
        }
    }

    fn dietary_text(&mut self, guest: GuestId, text: &str, mut draft: Draft, party: &Party<'_>) {
        let text = text.trim();
        let length = text.chars().count();
        if length > MOST_DIETARY {
            let (length, most) = (number(length), number(MOST_DIETARY));
            return self.ask_again(vec![Say::new("too-long").with("length", length).with("most", most)]);
        }
        let normal = normalise(text);
        if self.lexicons().iter().any(|lexicon| lexicon.speaks_of_coming(&normal)) {
            // Only what is understood word by word: a need has a word that is not.
            let anew = draft.begin_again(party);
            match self.read(text, &anew, party) {
                Err(_) => {}
                Ok(Reading::Unsure) => return self.take_reading(Reading::Unsure, draft, party),
                Ok(reading) if reading.agrees_with(&draft, &anew) => {
                    return self.ask_again(vec![Say::new("dietary-which")]);
                }
                Ok(_) if draft.dietary_only => return self.tell_and_resume(self.closed(party)),
                Ok(reading) => return self.begin_anew(text, reading, anew, party),
            }
        }
        let meaning = self.lexicons().iter().find_map(|lexicon| lexicon.plain_meaning(&normal));
        let is = |phrase| self.lexicons().iter().any(|lexicon| lexicon.is(phrase, &normal));
        if meaning.is_some() || is(Phrase::Keep) || is(Phrase::NeverMind) || is(Phrase::Greeting) {
            // "Yes", "ok", "hello": nothing that a kitchen could use.
            return self.ask_again(vec![Say::new("dietary-which")]);
        }
        draft.set_dietary(guest, text.to_owned());
        self.after_dietary(draft, party);
    }

    fn read(&self, text: &str, draft: &Draft, party: &Party<'_>) -> Result<Reading, Unread> {
        reading::how_many(text, &self.lexicons(), party, draft.expected())
    }

    fn speaks_of_coming(&self, text: &str) -> bool {
        let normal = normalise(text);
        let says = |meaning| self.lexicons().iter().any(|lexicon| lexicon.mentions(meaning, &normal));
        says(Meaning::Come) || says(Meaning::IComing)
    }

    /// "No, we're 3": the "no" may be about what was asked.
    fn read_past_no(&self, text: &str, draft: &Draft, party: &Party<'_>) -> Result<Reading, Unread> {
        self.read(text, draft, party).or_else(|why| {
            let said = self.lexicons().iter().find_map(|lexicon| lexicon.after_no(text)).ok_or(why)?;
            self.read(said, draft, party)
        })
    }

    fn not_read(&mut self, why: Unread) {
        match why {
            Unread::WhichPerson => self.not_understood_because(Say::new("which-person")),
            Unread::NotUnderstood => self.not_understood(),
        }
    }

    fn how_many_in_words(&mut self, text: &str, draft: Draft, party: &Party<'_>) {
        match self.read(text, &draft, party) {
            Ok(reading) => self.take_reading(reading, draft, party),
            Err(why) => self.not_read(why),
        }
    }

    fn take_reading(&mut self, reading: Reading, mut draft: Draft, party: &Party<'_>) {
        let expected = draft.expected();
        match reading {
            Reading::OnlyMe | Reading::Me | Reading::NotMe if !draft.is_in_scope(draft.guest) => {
                return self.not_understood();
            }
            Reading::Unsure => {
                self.conversation.dialogue.misunderstood = 0;
                let deadline = summary::deadline(party.event);
                return self.ask_again(vec![Say::new("take-your-time").with("deadline", deadline)]);
            }
            Reading::Count(count) if count > expected + MOST_EXTRAS => {
                return self.not_understood_because(Say::new("too-many").with("expected", expected));
            }
            Reading::Count(count) => draft.set_count(count),
            Reading::These(picks) => draft.set_count(number(picks.len())),
            Reading::Fewer(fewer) => match expected.checked_sub(fewer) {
                Some(count) => draft.set_count(count),
                None => return self.not_understood(),
            },
            Reading::All => draft.set_count(expected),
            Reading::Nobody => draft.set_count(0),
            Reading::Some if expected > 1 => draft.some = true,
            Reading::Some => return self.not_understood(),
            Reading::OnlyMe => draft.only_me_comes(party),
            Reading::Me => draft.i_come(party),
            // Whether the companions come without them, it does not say.
            Reading::NotMe if draft.members.len() == 1 => draft.set_count(0),
            Reading::NotMe => draft.only_me_stays_away(),
            Reading::Without { picks, count } => return self.take_names(&picks, count, draft, party),
        }
        self.ask_next(Vec::new(), draft, party);
    }

    fn take_names(&mut self, picks: &[Pick], count: Option<u32>, mut draft: Draft, party: &Party<'_>) {
        let expected = draft.expected();
        if !picks.iter().all(|pick| draft.is_in_scope(pick.guest())) {
            return self.not_understood();
        }
        let count = count.unwrap_or_else(|| expected.saturating_sub(reading::people_out(party, picks)));
        if count > expected + MOST_EXTRAS {
            return self.not_understood_because(Say::new("too-many").with("expected", expected));
        }
        if draft.set_count_without(count, picks) {
            return self.ask_next(Vec::new(), draft, party);
        }
        // Names and number contradict each other. Where somebody is missing at all, they are asked for once more.
        let mismatch = mismatch(expected, count, expected.saturating_sub(count));
        if count < expected {
            draft.set_count(count);
        }
        self.ask_next(vec![mismatch], draft, party);
    }

    /// An answer that already says how many is for everybody.
    fn for_whom_in_words(&mut self, text: &str, mut draft: Draft, party: &Party<'_>) {
        let normal = normalise(text);
        let meaning = self.lexicons().iter().find_map(|lexicon| lexicon.plain_meaning(&normal));
        let is_yes_or_no = matches!(meaning, Some(Meaning::Yes | Meaning::Agreed | Meaning::No));
        match self.read(text, &draft, party) {
            Ok(_) if is_yes_or_no => self.not_understood(),
            Ok(reading @ (Reading::NotMe | Reading::Unsure)) => self.take_reading(reading, draft, party),
            Ok(Reading::OnlyMe | Reading::Me) => {
                draft.choose_scope(Scope::OnlyMe);
                self.ask_next(Vec::new(), draft, party);
            }
            Ok(reading) => {
                draft.choose_scope(Scope::Everybody);
                self.take_reading(reading, draft, party);
            }
            Err(why) => self.not_read(why),
        }
    }

    fn nobody_in_words(&mut self, text: &str, mut draft: Draft, party: &Party<'_>) {
        match self.read(text, &draft, party) {
            Ok(Reading::Nobody) => draft.choose_scope(Scope::Everybody),
            Ok(Reading::NotMe) => draft.only_me_stays_away(),
            Ok(Reading::Without { picks, count: None }) if picks == [Pick::Person(party.me.id)] => {
                draft.only_me_stays_away();
            }
            Ok(Reading::Unsure) => return self.not_understood(),
            // Somebody comes after all.
            Ok(reading) if reading.says_how_many() || self.speaks_of_coming(text) => {
                return self.take_reading(reading, draft.restart(party), party);
            }
            Ok(_) => return self.not_understood(),
            Err(why) => return self.not_read(why),
        }
        self.ask_next(Vec::new(), draft, party);
    }

    /// The number again means "yes, so many", another one corrects it.
    fn extras_in_words(&mut self, text: &str, mut draft: Draft, party: &Party<'_>) {
        match self.read_past_no(text, &draft, party) {
            Ok(Reading::Count(count)) if draft.count == Some(count) => {
                draft.extras_confirmed = true;
                self.ask_next(Vec::new(), draft, party);
            }
            Ok(reading) => self.take_reading(reading, draft.restart(party), party),
            Err(why) => self.not_read(why),
        }
    }

    /// Something else than yes or no: another answer, or the same with a yes.
    fn read_back_in_words(&mut self, text: &str, draft: &Draft, party: &Party<'_>) {
        let anew = draft.begin_again(party);
        let normal = normalise(text);
        let lexicons = self.lexicons();
        let plain = lexicons.iter().find_map(|lexicon| lexicon.plain_meaning(&normal));
        let speaks_of_coming = lexicons.iter().any(|lexicon| lexicon.speaks_of_coming(&normal));
        let is_bare = matches!(plain, Some(Meaning::None | Meaning::All)) && !speaks_of_coming;
        let says_yes = [Meaning::Yes, Meaning::Agreed]
            .iter()
            .any(|meaning| lexicons.iter().any(|lexicon| lexicon.mentions(*meaning, &normal)));
        match self.read_past_no(text, &anew, party) {
            Ok(Reading::Unsure) => self.not_understood(),
            // "None" may be the answer to the question before.
            Ok(_) if is_bare => self.not_understood(),
            Ok(reading) if !reading.agrees_with(draft, &anew) => self.begin_anew(text, reading, anew, party),
            Ok(_) if says_yes => self.save(draft, party),
            Ok(_) => self.ask_again(Vec::new()),
            Err(why) => self.not_read(why),
        }
    }

    /// A change of mind before anything was saved: as if it had come first.
    fn begin_anew(&mut self, text: &str, reading: Reading, anew: Draft, party: &Party<'_>) {
        if anew.next(party) == Ask::ForWhom {
            return self.for_whom_in_words(text, anew, party);
        }
        self.take_reading(reading, anew, party);
    }

    /// Asked who does not come: "we are all coming", "sorry, we are 4".
    fn number_after_all(&mut self, ask: &Ask, text: &str, why: Unread, draft: Draft, party: &Party<'_>) {
        match self.read(text, &draft, party) {
            Ok(reading @ (Reading::Count(_) | Reading::Fewer(_))) if *ask == Ask::WhoIsNotComing => {
                self.take_reading(reading, draft.restart(party), party);
            }
            Ok(Reading::All) if *ask == Ask::WhoIsNotComing && self.speaks_of_coming(text) => {
                self.take_reading(Reading::All, draft.restart(party), party);
            }
            _ => self.not_read(why),
        }
    }

    fn names_in_words(&mut self, ask: &Ask, text: &str, mut draft: Draft, party: &Party<'_>) {
        let picks = match reading::picks(text, &self.lexicons(), party, &questions::pickable(&draft)) {
            Ok(picks) => picks,
            Err(why) => return self.number_after_all(ask, text, why, draft, party),
        };
        if *ask == Ask::DietaryOf {
            return match picks.as_slice() {
                [Pick::Person(guest)] => self.draft_choice(ask, &guest.to_string(), draft, party),
                _ => self.not_understood(),
            };
        }
        let open = |pick: Pick| if *ask == Ask::WhoDoesNotKnow { Pick::DoesNotKnow(pick.guest()) } else { pick };
        let picks: Vec<Pick> = picks.into_iter().map(open).collect();
        let left = draft.left_to_name();
        let says = if draft.pick_all(&picks) {
            Vec::new()
        } else {
            vec![mismatch(draft.expected(), draft.count.unwrap_or_default(), left)]
        };
        self.ask_next(says, draft, party);
    }
}

fn mismatch(expected: u32, count: u32, left: u32) -> Say {
    Say::new("picks-do-not-add-up").with("expected", expected).with("count", count).with("left", left)
}

pub(super) fn number(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

fn decide_others(draft: &mut Draft, party: &Party<'_>, not_coming: bool) {
    // Who answers for themselves keeps what they answered, but not what whoever speaks had answered for them.
    let is_mine = |guest: &Guest| guest.answered_by.as_ref().is_some_and(|by| by.guest_id == party.me.id);
    let plan = |guest: &Guest| match not_coming {
        true => Plan::NOBODY,
        false if guest.status != Status::Pending && is_mine(guest) => Plan::LeftOpen,
        false => Plan::Untouched,
    };
    let plans: Vec<(GuestId, Plan)> =
        questions::others_to_ask(draft, party).map(|guest| (guest.id, plan(guest))).collect();
    plans.into_iter().for_each(|(guest, plan)| draft.set_plan(guest, plan));
}
