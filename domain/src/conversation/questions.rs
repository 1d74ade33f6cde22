//! How each question is asked: its sentence, its choices, what a number means to it.

use super::{Ask, Draft, Party, Plan, turn::Turn, walk::Pick};
use crate::{
    address::Style,
    message::{Arg, Choice, Numbering, Question, Say},
    model::{Guest, GuestId, Status},
    wording,
};

/// More buttons than this are not offered; whoever is not shown can be named.
const MOST_CHOICES: usize = 80;
/// Buttons for numbers after "some of us".
const MOST_NUMBERS: u32 = 8;

/// A choice before it gets its question's number.
pub(super) struct Offer {
    pub token: String,
    pub label: Say,
}

fn offer(token: impl Into<String>, label: Say) -> Offer {
    Offer { token: token.into(), label }
}

impl Turn<'_> {
    /// The part of the open question that can be answered: `None` where it is about nobody any more.
    pub(super) fn question(&self, ask: &Ask) -> Option<Question> {
        let number = self.conversation.dialogue.asked;
        let mut offers = self.offers(ask)?;
        if self.conversation.dialogue.misunderstood >= 2
            && self.conversation.active.is_some()
            && !matches!(ask, Ask::MessageForHost)
        {
            offers.push(offer("host", Say::new("choice-message-host")));
        }
        let choices = offers
            .into_iter()
            .map(|offer| Choice { id: format!("{number}.{}", offer.token), label: offer.label })
            .collect();
        let numbering = match ask {
            Ask::HowMany | Ask::HowManyExactly => Numbering::HeadCount,
            _ => Numbering::Choices,
        };
        Some(Question { number, choices, numbering })
    }

    fn offers(&self, ask: &Ask) -> Option<Vec<Offer>> {
        let nothing_to_pick = || Some(Vec::new());
        match ask {
            Ask::LastName { .. } => return nothing_to_pick(),
            Ask::Switch => return Some(self.login_offers()),
            Ask::Language => return Some(language_offers(self.style)),
            Ask::MessageForHost => return Some(vec![offer("never-mind", Say::new("choice-never-mind"))]),
            _ => {}
        }
        let party = self.party()?;
        if matches!(ask, Ask::WrongPerson) {
            let name = party.me.full_name();
            let yes = offer("yes", Say::new("choice-not-this-person").with("name", name));
            return Some(vec![yes, offer("no", Say::new("choice-am-this-person"))]);
        }
        let draft = self.conversation.dialogue.draft.as_ref()?;
        Some(draft_offers(ask, draft, &party))
    }

    fn login_offers(&self) -> Vec<Offer> {
        let logins = self.context.logins.iter().filter(|guest| self.conversation.logins.contains(&guest.id));
        logins
            .map(|guest| {
                let event = self.context.events.get(&guest.event_id).map_or("", |event| event.name.as_str());
                let label = Say::new("choice-login").with("name", guest.full_name()).with("event", event);
                offer(guest.id.to_string(), label)
            })
            .collect()
    }

    /// The sentences of a question.
    pub(super) fn question_says(&self, ask: &Ask) -> Vec<Say> {
        match ask {
            Ask::LastName { .. } => return vec![Say::new("ask-last-name")],
            Ask::Switch => return vec![Say::new("switch-which")],
            Ask::Language => return vec![Say::new("language-which")],
            Ask::MessageForHost => return vec![Say::new("message-ask")],
            _ => {}
        }
        let Some(party) = self.party() else { return Vec::new() };
        if matches!(ask, Ask::WrongPerson) {
            return vec![Say::new("wrong-person-sure").with("name", party.me.full_name())];
        }
        match &self.conversation.dialogue.draft {
            Some(draft) => self.draft_says(ask, draft, &party),
            None => Vec::new(),
        }
    }

    fn draft_says(&self, ask: &Ask, draft: &Draft, party: &Party<'_>) -> Vec<Say> {
        let expected = draft.expected();
        let count = draft.count.unwrap_or_default();
        let event = party.event.name.as_str();
        match ask {
            Ask::ForWhom => vec![Say::new("for-whom").with("answered", self.names_of_answered(party))],
            Ask::HowMany => {
                let alone = draft.members.iter().filter(|member| draft.is_in_scope(member.guest)).count() == 1;
                let id = match (expected, alone) {
                    (1, _) => "are-you-coming",
                    (_, true) => "how-many-me",
                    (_, false) => "how-many",
                };
                vec![Say::new(id).with("event", event).with("expected", expected).with("of", expected - 1)]
            }
            Ask::HowManyExactly => vec![Say::new("how-many-exactly")],
            Ask::WhoIsNotComing => vec![who_is_not(draft, party, expected, count)],
            Ask::WhoDoesNotKnow => vec![Say::new("who-does-not-know")],
            Ask::ConfirmExtras => vec![Say::new("extras-sure").with("expected", expected).with("count", count)],
            Ask::NobodyOrNotMe => vec![Say::new("nobody-or-not-me")],
            Ask::Others => {
                let names: Vec<Arg> = others_to_ask(draft, party).map(|guest| guest.short_name().into()).collect();
                vec![Say::new("others-too").with("names", names)]
            }
            Ask::ChangeOthers => {
                let changes: Vec<Say> = draft.changes_of_others(party).into_iter().map(had_answered).collect();
                vec![Say::new("change-others").with("changes", changes)]
            }
            Ask::Dietary { guest } => self.dietary_says(*guest, draft, party),
            Ask::ReadBack => self.read_back(draft, party),
            Ask::DietaryOf => vec![Say::new("dietary-of")],
            _ => Vec::new(),
        }
    }

    fn names_of_answered(&self, party: &Party<'_>) -> Vec<Arg> {
        let answered = party.group.members.iter().filter(|guest| guest.status != Status::Pending);
        answered.map(|guest| guest.short_name().into()).collect()
    }

    fn dietary_says(&self, guest: GuestId, draft: &Draft, party: &Party<'_>) -> Vec<Say> {
        let Some(guest) = party.group.member(guest) else { return Vec::new() };
        let companions = match draft.member(guest.id).map(|member| member.plan) {
            Some(Plan::Decided { companions, .. }) => companions,
            _ => guest.companions_coming,
        };
        let id = match companions {
            0 if guest.id == party.me.id => "dietary-question-you",
            0 => "dietary-question",
            _ => "dietary-question-with",
        };
        let mut says = Vec::new();
        if !guest.dietary.is_empty() {
            says.push(Say::new("dietary-now").with("dietary", guest.dietary.as_str()));
        }
        says.push(Say::new(id).with("name", guest.short_name()));
        says
    }
}

fn who_is_not(draft: &Draft, party: &Party<'_>, expected: u32, count: u32) -> Say {
    let out: Vec<Arg> = draft
        .members
        .iter()
        .filter(|member| draft.is_in_scope(member.guest))
        .filter_map(|member| {
            let name = party.group.member(member.guest)?.short_name();
            match member.plan {
                Plan::Decided { self_coming: true, companions } => {
                    let gone = member.expected - 1 - companions;
                    (gone > 0).then(|| Say::new("short-with").with("name", name).with("companions", gone).into())
                }
                Plan::Decided { .. } | Plan::LeftOpen => Some(name.into()),
                _ => None,
            }
        })
        .collect();
    if out.is_empty() {
        Say::new("who-is-not").with("expected", expected).with("count", count)
    } else {
        Say::new("who-else-is-not").with("out", out).with("left", draft.left_to_name())
    }
}

fn had_answered(guest: &Guest) -> Say {
    let id = match guest.status {
        Status::Declined => "was-declined",
        Status::Waitlisted => "was-waitlisted",
        _ => "was-coming",
    };
    Say::new(id).with("name", guest.short_name()).with("count", guest.num_guests)
}

/// Members about whom an "only me" leaves something to ask.
pub(super) fn others_to_ask<'a>(draft: &Draft, party: &Party<'a>) -> impl Iterator<Item = &'a Guest> {
    let undecided = |guest: &&Guest| draft.member(guest.id).is_some_and(|member| member.plan == Plan::Undecided);
    party.group.members.iter().filter(undecided).collect::<Vec<_>>().into_iter()
}

fn draft_offers(ask: &Ask, draft: &Draft, party: &Party<'_>) -> Vec<Offer> {
    let plain = |offers: &[(&str, &'static str)]| -> Vec<Offer> {
        offers.iter().map(|(token, label)| offer(*token, Say::new(label))).collect()
    };
    let count = draft.count.unwrap_or_default();
    match ask {
        Ask::ForWhom => plain(&[("me", "choice-for-me"), ("all", "choice-for-everybody")]),
        Ask::HowMany => how_many_offers(draft),
        Ask::HowManyExactly => (1..draft.expected().min(MOST_NUMBERS + 1))
            .map(|number| offer(format!("n{number}"), Say::new("choice-number").with("number", number)))
            .collect(),
        Ask::WhoIsNotComing => who_is_not_offers(draft, party),
        Ask::WhoDoesNotKnow => {
            let fitting = records_that_may_stay_open(draft);
            let mut offers: Vec<Offer> = fitting
                .filter_map(|guest| {
                    let name = party.group.member(guest)?.short_name();
                    Some(offer(guest.to_string(), Say::new("choice-person").with("name", name)))
                })
                .take(MOST_CHOICES)
                .collect();
            offers.push(offer("back", Say::new("choice-back")));
            offers
        }
        Ask::ConfirmExtras => {
            let sure = offer("yes", Say::new("choice-sure").with("count", count));
            vec![sure, offer("no", Say::new("choice-not-sure"))]
        }
        Ask::NobodyOrNotMe => plain(&[("all", "choice-nobody-comes"), ("me", "choice-only-i-do-not")]),
        Ask::Others => plain(&[("no", "choice-others-not-coming"), ("open", "choice-others-themselves")]),
        Ask::ChangeOthers => plain(&[("yes", "choice-change-it"), ("no", "choice-leave-it")]),
        Ask::Dietary { guest } => {
            let mut offers = plain(&[("none", "choice-none")]);
            if party.group.member(*guest).is_some_and(|guest| !guest.dietary.is_empty()) {
                offers.push(offer("keep", Say::new("choice-keep")));
            }
            if !draft.dietary_only && draft.without_dietary().count() > 1 {
                offers.push(offer("none-for-all", Say::new("choice-none-for-all")));
            }
            offers
        }
        Ask::ReadBack => plain(&[("save", "choice-save"), ("change", "choice-change")]),
        Ask::DietaryOf => party
            .group
            .members
            .iter()
            .filter(|guest| guest.status == Status::Coming)
            .map(|guest| offer(guest.id.to_string(), Say::new("choice-person").with("name", guest.short_name())))
            .take(MOST_CHOICES)
            .collect(),
        _ => Vec::new(),
    }
}

fn how_many_offers(draft: &Draft) -> Vec<Offer> {
    let expected = draft.expected();
    if expected == 1 {
        return vec![offer("all", Say::new("choice-coming")), offer("none", Say::new("choice-not-coming"))];
    }
    let mut offers = vec![offer("all", Say::new("choice-all").with("expected", expected))];
    if expected > 2 {
        offers.push(offer("some", Say::new("choice-some")));
    }
    offers.push(offer("only-me", Say::new("choice-only-me")));
    offers.push(offer("none", Say::new("choice-nobody")));
    offers
}

/// Everybody who still counts as coming, person by person, as they can be picked.
pub(super) fn pickable(draft: &Draft) -> Vec<Pick> {
    let mut picks = Vec::new();
    for member in draft.members.iter().filter(|member| draft.is_in_scope(member.guest)) {
        let (self_in, companions_in) = member.still_in();
        picks.extend(self_in.then_some(Pick::Person(member.guest)));
        picks.extend((companions_in > 0).then_some(Pick::CompanionOf(member.guest)));
    }
    picks.truncate(MOST_CHOICES);
    picks
}

/// Records small enough to be left open without the count failing to add up.
fn records_that_may_stay_open(draft: &Draft) -> impl Iterator<Item = GuestId> {
    let left = draft.left_to_name();
    let fits = move |member: &&super::DraftMember| {
        let (self_in, companions_in) = member.still_in();
        let people = u32::from(self_in) + companions_in;
        people > 0 && people <= left
    };
    draft.members.iter().filter(|member| draft.is_in_scope(member.guest)).filter(fits).map(|member| member.guest)
}

fn who_is_not_offers(draft: &Draft, party: &Party<'_>) -> Vec<Offer> {
    let mut offers: Vec<Offer> = pickable(draft)
        .into_iter()
        .filter_map(|pick| {
            let name = party.group.member(pick.guest())?.short_name();
            Some(match pick {
                Pick::CompanionOf(guest) => {
                    offer(format!("c{guest}"), Say::new("choice-companion-of").with("name", name))
                }
                _ => offer(format!("p{}", pick.guest()), Say::new("choice-person").with("name", name)),
            })
        })
        .collect();
    if records_that_may_stay_open(draft).next().is_some() {
        offers.push(offer("open", Say::new("choice-does-not-know")));
    }
    offers.push(offer("again", Say::new("choice-start-again")));
    offers
}

fn language_offers(style: Style) -> Vec<Offer> {
    wording::languages()
        .map(|language| {
            let name = wording::render(&Say::new("language-name"), language, style);
            offer(language.tag.clone(), Say::new("choice-language").with("language", name))
        })
        .collect()
}
