//! How each question is asked: its sentence, its choices, what a number means to it.

use super::{
    Ask, Draft, Party, Plan,
    summary::called,
    turn::{Length, MISUNDERSTOOD_TOO_OFTEN, Turn},
    walk::Pick,
};
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
        if self.offers_message(ask) {
            offers.push(offer("host", Say::new("choice-message-host")));
        }
        let choices = offers
            .into_iter()
            .map(|offer| Choice { id: format!("{number}.{}", offer.token), label: offer.label })
            .collect();
        let numbering = if ask.is_head_count() { Numbering::HeadCount } else { Numbering::Choices };
        Some(Question { number, choices, numbering })
    }

    /// Whoever was not understood twice may write to the host.
    fn offers_message(&self, ask: &Ask) -> bool {
        self.conversation.dialogue.misunderstood >= MISUNDERSTOOD_TOO_OFTEN
            && self.conversation.active.is_some()
            && !matches!(ask, Ask::MessageForHost)
    }

    fn offers(&self, ask: &Ask) -> Option<Vec<Offer>> {
        match ask {
            Ask::LastName { .. } if self.conversation.active.is_none() => return Some(Vec::new()),
            Ask::LastName { .. } | Ask::MessageForHost => {
                return Some(vec![offer("never-mind", Say::new("choice-never-mind"))]);
            }
            Ask::Switch => return Some(self.login_offers(|_| true)),
            Ask::WhomFirst { guests } => return Some(self.login_offers(|guest| guests.contains(&guest.id))),
            Ask::Host { .. } => return Some(self.host_offers(ask)).filter(|offers| !offers.is_empty()),
            Ask::Language => return Some(language_offers(self.style)),
            _ => {}
        }
        let party = self.party()?;
        if matches!(ask, Ask::WrongPerson) {
            let name = party.me.full_name();
            let yes = offer("yes", Say::new("choice-not-this-person").with("name", name.as_str()));
            return Some(vec![yes, offer("no", Say::new("choice-am-this-person").with("name", name))]);
        }
        let draft = self.conversation.dialogue.draft.as_ref()?;
        Some(draft_offers(ask, draft, &party))
    }

    fn login_offers(&self, wanted: impl Fn(&Guest) -> bool) -> Vec<Offer> {
        let is_here = |guest: &&Guest| self.conversation.logins.contains(&guest.id) && wanted(guest);
        let logins: Vec<&Guest> = self.context.logins.iter().filter(is_here).collect();
        let offers = logins.iter().map(|guest| {
            let is_same = |other: &&&Guest| other.event_id == guest.event_id && other.full_name() == guest.full_name();
            let event = self.context.events.get(&guest.event_id).map_or("", |event| event.name.as_str());
            // Two guests may have the same name; whoever is logged in as both knows their codes.
            let id = if logins.iter().filter(is_same).count() > 1 { "choice-login-of-code" } else { "choice-login" };
            let label = Say::new(id).with("name", guest.full_name()).with("event", event);
            offer(guest.id.to_string(), label.with("code", guest.token.as_str()))
        });
        offers.take(MOST_CHOICES).collect()
    }

    /// The sentences of a question.
    pub(super) fn question_says(&self, ask: &Ask, length: Length) -> Vec<Say> {
        let mut says = match ask {
            Ask::LastName { .. } => vec![Say::new("ask-last-name")],
            Ask::Switch => vec![Say::new("switch-which")],
            Ask::WhomFirst { .. } => vec![Say::new("whom-first")],
            Ask::Host { .. } => self.host_says(ask),
            Ask::Language => vec![Say::new("language-which")],
            Ask::MessageForHost => vec![Say::new("message-ask")],
            _ => match (self.party(), &self.conversation.dialogue.draft) {
                (Some(party), _) if matches!(ask, Ask::WrongPerson) => {
                    vec![Say::new("wrong-person-sure").with("name", party.me.full_name())]
                }
                (Some(party), Some(draft)) => self.draft_says(ask, draft, &party, length),
                _ => Vec::new(),
            },
        };
        if ask.is_head_count() && self.style == Style::Texts && self.offers_message(ask) {
            // Its choices are not listed.
            says.push(Say::new("or-message"));
        }
        says
    }

    fn draft_says(&self, ask: &Ask, draft: &Draft, party: &Party<'_>, length: Length) -> Vec<Say> {
        let expected = draft.expected();
        let count = draft.count.unwrap_or_default();
        let is_short = length == Length::Short;
        let counted = |id| Say::new(id).with("expected", expected).with("count", count);
        match ask {
            Ask::ForWhom if is_short => vec![Say::new("for-whom-short")],
            Ask::ForWhom => vec![for_whom(party)],
            Ask::HowMany => vec![how_many(draft, party, is_short)],
            Ask::HowManyExactly => vec![Say::new("how-many-exactly")],
            Ask::WhoIsNotComing => vec![who_is_not(draft, party, is_short)],
            Ask::WhoDoesNotKnow => vec![Say::new("who-does-not-know")],
            Ask::ConfirmExtras if is_short => vec![counted("extras-sure-short")],
            Ask::ConfirmExtras => vec![counted("extras-sure")],
            Ask::NobodyOrNotMe => {
                let id = if draft_stands_for_several(draft) { "nobody-or-not-us" } else { "nobody-or-not-me" };
                vec![Say::new(id)]
            }
            Ask::Others => {
                let members = &party.group.members;
                let names: Vec<Arg> = others_to_ask(draft, party).map(|guest| called(guest, members).into()).collect();
                vec![Say::new("others-too").with("names", names)]
            }
            Ask::ChangeOthers => {
                let changed = draft.changes_of_others(party);
                let changes: Vec<Say> = changed.into_iter().map(|guest| had_answered(guest, party)).collect();
                vec![Say::new("change-others").with("changes", changes)]
            }
            Ask::Dietary { guest } => dietary(*guest, draft, party, is_short),
            Ask::ReadBack if is_short => vec![Say::new("read-back")],
            Ask::ReadBack => self.read_back(draft, party),
            Ask::DietaryOf => vec![Say::new("dietary-of")],
            _ => Vec::new(),
        }
    }
}

fn for_whom(party: &Party<'_>) -> Say {
    let answered = |guest: &&Guest| guest.status != Status::Pending && guest.id != party.me.id;
    let members = &party.group.members;
    let names: Vec<Arg> = members.iter().filter(answered).map(|guest| called(guest, members).into()).collect();
    if names.is_empty() { Say::new("for-whom-again") } else { Say::new("for-whom").with("answered", names) }
}

fn how_many(draft: &Draft, party: &Party<'_>, is_short: bool) -> Say {
    let expected = draft.expected();
    if !draft.named.is_empty() {
        let id = if expected == 1 { "is-named-coming" } else { "how-many-of-named" };
        return Say::new(id).with("names", named(draft, party)).with("expected", expected);
    }
    let is_one_record = draft.members.iter().filter(|member| draft.is_in_scope(member.guest)).count() == 1;
    let id = match (expected, is_one_record, is_short) {
        (1, _, false) => "are-you-coming",
        (1, _, true) => "are-you-coming-short",
        (_, _, true) => "how-many-short",
        (_, true, false) => "how-many-me",
        (_, false, false) => "how-many",
    };
    let event = party.event.name.as_str();
    Say::new(id).with("event", event).with("expected", expected).with("of", expected.saturating_sub(1))
}

/// The members whom the draft is about, where it is not about all.
fn named(draft: &Draft, party: &Party<'_>) -> Vec<Arg> {
    let members = &party.group.members;
    members.iter().filter(|guest| draft.named.contains(&guest.id)).map(|guest| called(guest, members).into()).collect()
}

/// Whether "only me", said in a group, would be more than one person.
fn draft_stands_for_several(draft: &Draft) -> bool {
    draft.members.len() > 1 && draft.member(draft.guest).is_some_and(|member| member.expected > 1)
}

fn dietary(guest: GuestId, draft: &Draft, party: &Party<'_>, is_short: bool) -> Vec<Say> {
    let Some(guest) = party.group.member(guest) else { return Vec::new() };
    let (comes, companions) = match draft.member(guest.id).map(|member| member.plan) {
        Some(Plan::Decided { self_coming, companions }) => (self_coming, companions),
        _ => (guest.self_coming, guest.companions_coming),
    };
    let id = match (comes, companions) {
        (false, 1..) if guest.id == party.me.id => "dietary-question-your-companions",
        (false, 1..) => "dietary-question-companions",
        (_, 1..) if guest.id == party.me.id => "dietary-question-you-with",
        (_, 1..) => "dietary-question-with",
        (_, 0) if guest.id == party.me.id => "dietary-question-you",
        (_, 0) => "dietary-question",
    };
    let mut says = Vec::new();
    let noted = noted(draft, guest);
    if !noted.is_empty() && !is_short {
        says.push(Say::new("dietary-now").with("dietary", noted));
    }
    let name = called(guest, &party.group.members);
    says.push(Say::new(id).with("name", name).with("companions", companions));
    says
}

/// What is known of somebody's dietary needs: given just before, or stored.
pub(super) fn noted<'a>(draft: &'a Draft, guest: &'a Guest) -> &'a str {
    draft.member(guest.id).and_then(|member| member.noted.as_deref()).unwrap_or(&guest.dietary)
}

fn who_is_not(draft: &Draft, party: &Party<'_>, is_short: bool) -> Say {
    let members = &party.group.members;
    let out: Vec<Arg> = draft
        .members
        .iter()
        .filter(|member| draft.is_in_scope(member.guest))
        .filter_map(|member| {
            let name = called(party.group.member(member.guest)?, members);
            let gone = |companions: u32| member.expected.saturating_sub(1).saturating_sub(companions);
            let with = |id, companions| Say::new(id).with("name", name.as_str()).with("companions", companions).into();
            match member.plan {
                Plan::Decided { self_coming: true, companions } if gone(companions) > 0 => {
                    Some(with("companions-of", gone(companions)))
                }
                Plan::Decided { self_coming: false, companions } if gone(companions) > 0 => {
                    Some(with("short-with", gone(companions)))
                }
                Plan::Decided { self_coming: false, .. } | Plan::LeftOpen => Some(name.into()),
                _ => None,
            }
        })
        .collect();
    let (expected, count) = (draft.expected(), draft.count.unwrap_or_default());
    let id = match (out.is_empty(), is_short) {
        (true, false) => "who-is-not",
        (true, true) => "who-is-not-short",
        (false, false) => "who-else-is-not",
        (false, true) => "who-else-is-not-short",
    };
    let say = Say::new(id).with("expected", expected).with("count", count);
    say.with("out", out).with("left", draft.left_to_name())
}

/// What is stored of somebody, and who said so.
fn had_answered(guest: &Guest, party: &Party<'_>) -> Say {
    let members = &party.group.members;
    let by = guest.answered_by.as_ref().map(|by| by.guest_id).filter(|by| *by != guest.id);
    let other = by.map(|by| party.group.member(by).map(|by| called(by, members)));
    let id = match (guest.status, &other) {
        (Status::Waitlisted, _) => "was-waitlisted",
        (Status::Declined, None) => "was-declined",
        (Status::Declined, Some(Some(_))) => "was-declined-by",
        (Status::Declined, Some(None)) => "is-declined",
        (_, None) => "was-coming",
        (_, Some(Some(_))) => "was-coming-by",
        (_, Some(None)) => "is-coming",
    };
    let say = Say::new(id).with("name", called(guest, members)).with("count", guest.num_guests);
    other.flatten().into_iter().fold(say, |say, by| say.with("by", by))
}

/// Members about whom an "only me" leaves something to ask.
pub(super) fn others_to_ask<'a>(draft: &Draft, party: &Party<'a>) -> impl Iterator<Item = &'a Guest> {
    let undecided: Vec<GuestId> = draft.undecided().collect();
    party.group.members.iter().filter(move |guest| undecided.contains(&guest.id))
}

fn draft_offers(ask: &Ask, draft: &Draft, party: &Party<'_>) -> Vec<Offer> {
    let plain = |offers: &[(&str, &'static str)]| -> Vec<Offer> {
        offers.iter().map(|(token, label)| offer(*token, Say::new(label))).collect()
    };
    let count = draft.count.unwrap_or_default();
    match ask {
        Ask::ForWhom => plain(&[("me", "choice-for-me"), ("all", "choice-for-everybody")]),
        Ask::HowMany => how_many_offers(draft, party),
        Ask::HowManyExactly => (1..draft.expected().min(MOST_NUMBERS + 1))
            .map(|number| offer(format!("n{number}"), Say::new("choice-number").with("number", number)))
            .collect(),
        Ask::WhoIsNotComing => who_is_not_offers(draft, party),
        Ask::WhoDoesNotKnow => {
            let fitting = records_that_may_stay_open(draft);
            let mut offers: Vec<Offer> = fitting
                .filter_map(|guest| {
                    let guest = party.group.member(guest)?;
                    Some(offer(guest.id.to_string(), person(guest, party)))
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
        Ask::NobodyOrNotMe => {
            let only = if draft_stands_for_several(draft) { "choice-only-we-do-not" } else { "choice-only-i-do-not" };
            plain(&[("all", "choice-nobody-comes"), ("me", only)])
        }
        Ask::Others => plain(&[("no", "choice-others-not-coming"), ("open", "choice-others-themselves")]),
        Ask::ChangeOthers => plain(&[("yes", "choice-change-it"), ("no", "choice-leave-it")]),
        Ask::Dietary { guest } => {
            let mut offers = plain(&[("none", "choice-none")]);
            // What somebody had noted before must not go unseen.
            let has_noted = |id| party.group.member(id).is_some_and(|guest| !noted(draft, guest).is_empty());
            if has_noted(*guest) {
                offers.push(offer("keep", Say::new("choice-keep")));
            }
            let asked = || draft.without_dietary();
            if !draft.dietary_only && asked().count() > 1 && !asked().any(has_noted) {
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
            .map(|guest| offer(guest.id.to_string(), person(guest, party)))
            .take(MOST_CHOICES)
            .collect(),
        _ => Vec::new(),
    }
}

fn person(guest: &Guest, party: &Party<'_>) -> Say {
    Say::new("choice-person").with("name", called(guest, &party.group.members))
}

fn how_many_offers(draft: &Draft, party: &Party<'_>) -> Vec<Offer> {
    let expected = draft.expected();
    if expected == 1 && !draft.named.is_empty() {
        let label = |id| Say::new(id).with("names", named(draft, party));
        return vec![offer("all", label("choice-named-comes")), offer("none", label("choice-named-does-not"))];
    }
    if expected == 1 {
        return vec![offer("all", Say::new("choice-coming")), offer("none", Say::new("choice-not-coming"))];
    }
    let mut offers = vec![offer("all", Say::new("choice-all").with("expected", expected))];
    if expected > 2 {
        offers.push(offer("some", Say::new("choice-some")));
    }
    if draft.is_in_scope(draft.guest) {
        offers.push(offer("only-me", Say::new("choice-only-me")));
    }
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
            let guest = party.group.member(pick.guest())?;
            Some(match pick {
                Pick::CompanionOf(_) => {
                    let several = draft.member(guest.id).is_some_and(|member| member.still_in().1 > 1);
                    let id = if several { "choice-companion-of" } else { "choice-only-companion-of" };
                    let name = called(guest, &party.group.members);
                    offer(format!("c{}", guest.id), Say::new(id).with("name", name))
                }
                _ => offer(format!("p{}", guest.id), person(guest, party)),
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
