//! What must be true of every step, whatever was said.

use std::collections::BTreeSet;

use super::world::World;
use crate::{
    address::Style,
    conversation::{Context, Step, state::Conversation, step},
    message::Inbound,
    model::{Guest, Status},
    show, wording,
};

/// Checks a step, before what it decided is kept.
pub fn check(world: &World, context: &Context, inbound: &Inbound, decided: &Step) {
    assert_eq!(step(context, inbound, world.now), *decided, "the same again is decided the same");
    conversation(world, context, decided);
    answers(world, context, decided);
    messages(inbound, decided);
}

fn conversation(world: &World, context: &Context, decided: &Step) {
    let (before, after) = (&context.conversation, &decided.conversation);
    let stored = serde_json::to_string(after).unwrap();
    assert_eq!(serde_json::from_str::<Conversation>(&stored).unwrap(), *after, "stored and read again it is the same");
    assert_eq!((&after.address, after.version), (&before.address, before.version));
    assert!(after.dialogue.asked >= before.dialogue.asked, "question numbers only grow");
    let distinct: BTreeSet<_> = after.logins.iter().collect();
    assert_eq!(distinct.len(), after.logins.len(), "nobody is logged in twice");
    assert_eq!(after.active.is_some(), !after.logins.is_empty(), "somebody is active where anybody is logged in");
    assert!(after.active.is_none_or(|active| after.logins.contains(&active)));
    if let Some(draft) = &after.dialogue.draft {
        assert_eq!(Some(draft.guest), after.active, "whoever is active is who answers");
    }
    let exists = |id: &crate::model::GuestId| world.guests.iter().any(|guest| guest.id == *id);
    assert!(
        decided.says.is_empty() || after.opted_out || after.logins.iter().all(exists),
        "whoever is gone is logged out"
    );
}

fn answers(world: &World, context: &Context, decided: &Step) {
    let before = |after: &Guest| world.guests.iter().find(|guest| guest.id == after.id).unwrap();
    let active = context.conversation.active;
    let own = world.guests.iter().find(|guest| Some(guest.id) == active).map(Guest::group_key);
    for after in &decided.guests {
        let before = before(after);
        assert_eq!(Some(before.group_key()), own, "only the active guest's group changes");
        assert_eq!(before.group_key(), after.group_key());
        let companions_and_self = u32::from(after.self_coming) + after.companions_coming;
        assert_eq!(after.num_guests, companions_and_self + after.extra_guests);
        assert!(after.companions_coming <= after.companions());
        assert_eq!(after.num_guests > 0, matches!(after.status, Status::Coming | Status::Waitlisted));
        assert!(after.num_guests == 0 || companions_and_self > 0, "nobody comes by extras alone");
        let answer = |guest: &Guest| (guest.status, guest.num_guests, guest.self_coming, guest.companions_coming);
        let raised = decided.groups.iter().any(|rests| rests.raise && rests.key == after.group_key());
        let changed = answer(before) != answer(after) || before.dietary != after.dietary;
        assert!(raised || !changed, "an answer changes only with its group's version");
        let event = &world.events[&after.event_id];
        assert!(event.is_open(world.now) || answer(before) == answer(after), "no answer changes after the deadline");
        assert!(event.dietary_is_open(world.now) || before.dietary == after.dietary);
        assert!(after.dietary.chars().count() <= 500);
        let untouched = Guest {
            status: after.status,
            num_guests: after.num_guests,
            self_coming: after.self_coming,
            companions_coming: after.companions_coming,
            extra_guests: after.extra_guests,
            dietary: after.dietary.clone(),
            rsvp_date: after.rsvp_date,
            answered_by: after.answered_by.clone(),
            phone: after.phone.clone(),
            ..before.clone()
        };
        assert_eq!(*after, untouched, "nothing else of a record changes");
    }
    let distinct: BTreeSet<_> = decided.guests.iter().map(|guest| guest.id).collect();
    assert_eq!(distinct.len(), decided.guests.len(), "each record changes once");
    let keys: BTreeSet<_> = decided.groups.iter().map(|rests| &rests.key).collect();
    assert_eq!(keys.len(), decided.groups.len(), "each group is rested on once");
}

fn messages(inbound: &Inbound, decided: &Step) {
    let language = wording::language(&decided.locale);
    let style = inbound.from.style();
    for message in &decided.says {
        assert!(!message.says.is_empty(), "no message is empty");
        let choices = message.question.iter().flat_map(|question| &question.choices);
        for say in message.says.iter().chain(choices.clone().map(|choice| &choice.label)) {
            let faults = wording::faults(say, language, style);
            assert!(faults.is_empty(), "{faults:?}");
        }
        let ids: BTreeSet<&str> = choices.clone().map(|choice| choice.id.as_str()).collect();
        assert_eq!(ids.len(), choices.count(), "each choice has an id of its own");
        assert!(ids.iter().all(|id| (1..=64).contains(&id.len())), "Telegram takes ids of 1 to 64 bytes");
        if let Some(question) = &message.question {
            assert_eq!(question.number, decided.conversation.dialogue.asked, "it is the open question that is asked");
            assert!(ids.iter().all(|id| id.starts_with(&format!("{}.", question.number))));
            assert!(decided.conversation.dialogue.open.is_some());
        }
        for shown in show::show(message, language, style) {
            let limit = if style == Style::Texts { show::TEXT_CHARACTERS } else { show::TELEGRAM_UNITS };
            let length = show::plain(&shown.text).encode_utf16().count();
            assert!((1..=limit).contains(&length), "{length} units");
        }
    }
    let questions = decided.says.iter().filter(|message| message.question.is_some()).count();
    assert!(questions <= 1, "one question at a time");
    if questions == 1 {
        assert!(decided.says.last().is_some_and(|message| message.question.is_some()), "the question comes last");
    }
}
