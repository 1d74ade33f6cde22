//! Taking the answer to the open question: a choice, a number, or words that stand for a choice.

use super::{Ask, turn::Turn};
use crate::{
    address::Style,
    lexicon::{Meaning, NoNeeds, Phrase, normalise},
    message::{Numbering, Question, Say},
    model::GuestId,
    name,
};

/// A longer text names no choice.
const LONGEST_LABEL: usize = 120;

impl Ask {
    /// Asked while an answer is being given, and about it. The others can be asked at any time.
    pub(super) fn is_of_draft(&self) -> bool {
        !matches!(
            self,
            Self::LastName { .. }
                | Self::Switch
                | Self::WhomFirst { .. }
                | Self::Language
                | Self::MessageForHost
                | Self::WrongPerson
                | Self::Host { .. }
        )
    }

    /// Any text at all may be the answer.
    pub(super) fn takes_any_text(&self) -> bool {
        matches!(self, Self::Dietary { .. } | Self::MessageForHost)
    }

    /// The hosts are told of the answer at once.
    #[must_use]
    pub fn is_heard_by_hosts(&self) -> bool {
        matches!(self, Self::MessageForHost | Self::WrongPerson)
    }

    /// A number may count people.
    pub(super) fn is_head_count(&self) -> bool {
        matches!(self, Self::HowMany | Self::HowManyExactly)
    }

    /// Its choices are a list, so that a number names one even where they are not numbered.
    fn is_list(&self) -> bool {
        matches!(
            self,
            Self::WhoIsNotComing
                | Self::WhoDoesNotKnow
                | Self::DietaryOf
                | Self::Switch
                | Self::WhomFirst { .. }
                | Self::Language
                | Self::Host { .. }
        )
    }
}

impl Turn<'_> {
    /// A choice of the open question; `token` is one of those offered.
    pub(super) fn answer_with_choice(&mut self, ask: &Ask, token: &str) {
        match ask {
            _ if token == "host" => self.ask(Vec::new(), Ask::MessageForHost),
            _ if token == "never-mind" => self.resume(vec![Say::new("never-mind")]),
            Ask::Switch => self.switch_to(token),
            Ask::WhomFirst { .. } => self.begin_with(token),
            Ask::Host { .. } => self.host_answer(ask, token),
            Ask::Language => self.choose_locale(token),
            Ask::WrongPerson if token == "yes" => self.wrong_person(),
            Ask::WrongPerson => self.resume(vec![Say::new("never-mind")]),
            Ask::MessageForHost | Ask::LastName { .. } => self.not_understood(),
            _ => self.with_draft(|turn, draft, party| turn.draft_choice(ask, token, draft, party)),
        }
    }

    /// Words, or a number, for the open question.
    pub(super) fn answer_with_text(&mut self, ask: &Ask, text: &str) {
        let normal = normalise(text);
        match self.number_as_choice(ask, &normal) {
            NumberRead::Choice(token) => return self.answer_with_choice(ask, &token),
            NumberRead::TooEarly => return self.ask_again(vec![Say::new("number-too-early")]),
            NumberRead::NoSuchChoice => return self.not_understood(),
            NumberRead::NotANumber => {}
        }
        if let Some(token) = self.choice_in_words(ask, text, &normal) {
            return self.answer_with_choice(ask, &token);
        }
        let is_food = matches!(ask, Ask::Dietary { .. }) && shows_food(text);
        if name::is_blank(text) && normal.is_empty() && !is_food {
            return self.not_understood();
        }
        let is_greeting =
            self.lexicons().iter().any(|lexicon| lexicon.is(Phrase::Greeting, lexicon.without_address(&normal)));
        if is_greeting && !ask.takes_any_text() {
            return self.ask_again(Vec::new());
        }
        match ask {
            Ask::MessageForHost => self.leave_message(text),
            Ask::Switch | Ask::WhomFirst { .. } => self.switch_by_name(text),
            Ask::Host { .. } => match self.host_choice_in_words(ask, text) {
                Some(token) => self.host_answer(ask, &token),
                None => self.not_understood(),
            },
            Ask::Language | Ask::LastName { .. } | Ask::WrongPerson => self.not_understood(),
            _ => self.with_draft(|turn, draft, party| turn.draft_text(ask, text, draft, party)),
        }
    }

    fn number_as_choice(&self, ask: &Ask, normal: &str) -> NumberRead {
        if !is_bare_number(normal) {
            return NumberRead::NotANumber;
        }
        if self.style == Style::Texts && !self.was_asked_before() {
            return NumberRead::TooEarly;
        }
        let is_numbered = self.style == Style::Texts || ask.is_list();
        if ask.is_head_count() || !is_numbered {
            // Where the choices are buttons, a number for "are you sure?" is the head count corrected, and a number
            // for the host is a message; for any other question it says nothing.
            let counts = ask.is_head_count() || matches!(ask, Ask::ConfirmExtras | Ask::MessageForHost);
            return if counts { NumberRead::NotANumber } else { NumberRead::NoSuchChoice };
        }
        let Some(question) = self.question(ask).filter(|question| question.numbering == Numbering::Choices) else {
            return NumberRead::NotANumber;
        };
        let mut numbers = normal.split(' ');
        let (Some(number), None) = (numbers.next(), numbers.next()) else {
            // "2 3" may name two people.
            return if ask.is_list() { NumberRead::NotANumber } else { NumberRead::NoSuchChoice };
        };
        let index = number.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        match index.and_then(|index| question.choices.get(index)) {
            Some(choice) => NumberRead::Choice(token_of(&choice.id).to_owned()),
            None => NumberRead::NoSuchChoice,
        }
    }

    /// A number carries nothing that tells which question it answers: it may only be one that had been sent.
    pub(super) fn was_asked_before(&self) -> bool {
        self.context.question_attempted_at.is_some_and(|at| at <= self.inbound.received_at)
    }

    /// A choice named by its label, or by words that mean it.
    fn choice_in_words(&self, ask: &Ask, text: &str, normal: &str) -> Option<String> {
        let question = self.question(ask)?;
        if ask.is_of_draft() && !ask.takes_any_text() && text.contains(['?', '？']) {
            return None;
        }
        let is_offered = |token: &str| question.choices.iter().any(|choice| token_of(&choice.id) == token);
        if let Some(token) = self.choice_by_label(&question, normal) {
            return Some(token);
        }
        let lexicons = self.lexicons();
        if let Ask::Dietary { guest } = ask
            && let Some(no_needs) = self.no_needs(*guest, text)
        {
            let is_of_all = no_needs == NoNeeds::OfAll && is_offered("none-for-all");
            return Some(if is_of_all { "none-for-all" } else { "none" }.to_owned());
        }
        let is = |phrase| lexicons.iter().any(|lexicon| lexicon.is(phrase, lexicon.without_politeness(normal)));
        let token = match ask {
            Ask::Dietary { .. } if is(Phrase::Keep) && is_offered("keep") => "keep",
            Ask::Dietary { .. } if is(Phrase::NoDietOfAny) && is_offered("none-for-all") => "none-for-all",
            Ask::Dietary { .. } if is(Phrase::NoDiet) || is(Phrase::NoDietOfAny) || is_dash(text) => "none",
            Ask::Others if is(Phrase::Themselves) => "open",
            Ask::WrongPerson if self.says_wrong_person(text) => "yes",
            Ask::MessageForHost | Ask::LastName { .. } if is(Phrase::NeverMind) => "never-mind",
            Ask::Host { .. } if is(Phrase::NeverMind) => "no",
            Ask::Switch | Ask::Language if is(Phrase::NeverMind) => return Some("never-mind".to_owned()),
            Ask::ChangeOthers if is(Phrase::Keep) => "no",
            _ if ask.takes_any_text() || self.is_question(ask, normal) => return None,
            // "We are all coming" says more than for whom.
            Ask::ForWhom | Ask::NobodyOrNotMe
                if lexicons.iter().any(|lexicon| lexicon.mentions(Meaning::Come, normal)) =>
            {
                return None;
            }
            _ => token_for(ask, lexicons.iter().find_map(|lexicon| lexicon.plain_meaning(normal))?)?,
        };
        is_offered(token).then(|| token.to_owned())
    }

    /// "Is that right": no answer.
    fn is_question(&self, ask: &Ask, normal: &str) -> bool {
        let words: Vec<&str> = normal.split(' ').collect();
        ask.is_of_draft() && self.lexicons().iter().any(|lexicon| lexicon.asks(&words, |_| false))
    }

    fn no_needs(&self, guest: GuestId, text: &str) -> Option<NoNeeds> {
        let party = self.party()?;
        let guest = party.group.member(guest)?;
        let full = guest.full_name();
        let own = [full.as_str(), &guest.first_name];
        self.lexicons().iter().find_map(|lexicon| lexicon.no_needs(text, &own))
    }

    /// What a button of the open question says is that button, even if it is a word that means something at any time.
    pub(super) fn is_label_of_open(&self, text: &str) -> bool {
        let open = self.conversation.dialogue.open.as_ref().filter(|_| !text.trim_start().starts_with('/'));
        let question = open.and_then(|ask| self.question(ask));
        question.is_some_and(|question| self.choice_by_label(&question, &normalise(text)).is_some())
    }

    /// Only where a single label fits: two people may bear one name.
    fn choice_by_label(&self, question: &Question, normal: &str) -> Option<String> {
        if normal.is_empty() || normal.len() > LONGEST_LABEL || is_bare_number(normal) {
            return None;
        }
        let language = self.language();
        let normal = language.lexicon.without_politeness(normal);
        // A whole line of the list, copied, begins with its number.
        let is_line = |index: usize, label: &Say| {
            let line = normal.split_once(' ').filter(|(number, _)| number.parse() == Ok(index + 1));
            line.is_some_and(|(_, rest)| language.is_label(label, rest, self.style))
        };
        let fits =
            |(index, label): (usize, &Say)| language.is_label(label, normal, self.style) || is_line(index, label);
        let choices = question.choices.iter().enumerate();
        let mut fitting = choices.filter(|(index, choice)| fits((*index, &choice.label))).map(|(_, choice)| choice);
        match (fitting.next(), fitting.next()) {
            (Some(choice), None) => Some(token_of(&choice.id).to_owned()),
            _ => None,
        }
    }
}

fn token_for(ask: &Ask, meaning: Meaning) -> Option<&'static str> {
    Some(match (ask, meaning) {
        (Ask::ForWhom | Ask::NobodyOrNotMe, Meaning::Me | Meaning::OnlyMe) => "me",
        (Ask::ForWhom | Ask::NobodyOrNotMe, Meaning::All) | (Ask::NobodyOrNotMe, Meaning::None) => "all",
        (Ask::Others, Meaning::Not | Meaning::Away | Meaning::No | Meaning::None) => "no",
        (Ask::Others, Meaning::Unsure) => "open",
        (Ask::ConfirmExtras | Ask::ChangeOthers | Ask::WrongPerson, Meaning::Yes | Meaning::Agreed) => "yes",
        (Ask::ConfirmExtras | Ask::ChangeOthers | Ask::WrongPerson, Meaning::No) => "no",
        (Ask::Host { .. }, Meaning::Yes | Meaning::Agreed) => "yes",
        (Ask::Host { .. }, Meaning::All) => "all",
        (Ask::Host { .. }, Meaning::Come) => "coming",
        (Ask::Host { .. }, Meaning::No) => "no",
        (Ask::ReadBack, Meaning::Yes | Meaning::Agreed) => "save",
        (Ask::ReadBack, Meaning::No) => "change",
        (Ask::WhoIsNotComing, Meaning::Unsure) => "open",
        _ => return None,
    })
}

enum NumberRead {
    NotANumber,
    Choice(String),
    NoSuchChoice,
    /// Sent before the question it would answer.
    TooEarly,
}

/// Nothing but digits, in one number or several.
pub(super) fn is_bare_number(normal: &str) -> bool {
    !normal.is_empty() && normal.bytes().all(|byte| byte.is_ascii_digit() || byte == b' ')
}

/// A picture of food or of an animal tells the kitchen something.
fn shows_food(text: &str) -> bool {
    text.chars().any(|c| {
        matches!(c, '\u{1f32d}'..='\u{1f37f}' | '\u{1f400}'..='\u{1f43f}' | '\u{1f950}'..='\u{1f96f}')
            || matches!(c, '\u{1f980}'..='\u{1f9af}' | '\u{1f9c0}'..='\u{1f9cb}' | '\u{1fad0}'..='\u{1fadf}')
    })
}

/// "-", as it is put into an empty cell.
fn is_dash(text: &str) -> bool {
    let text = text.trim();
    !text.is_empty() && text.chars().all(|c| matches!(c, '-' | '–' | '—' | '/' | '.'))
}

pub(super) fn token_of(choice: &str) -> &str {
    choice.split_once('.').map_or(choice, |(_, token)| token)
}
