//! Any sequence of any messages.

use chrono::TimeDelta;
use proptest::prelude::*;

use super::{
    sound,
    world::{World, address},
};
use crate::{
    address::Address,
    answer,
    conversation::{Context, Plan, Scope, Step, step},
    message::Body,
    model::{GroupId, Guest, Status},
};

/// What happens next: somebody says something, time passes, or a host changes something.
#[derive(Debug, Clone)]
enum Happens {
    Said {
        who: usize,
        what: Said,
    },
    Passes {
        minutes: i64,
    },
    /// Delivery of texts stops or starts.
    Slow(bool),
    Expected {
        guest: usize,
        people: u32,
    },
    Moved {
        guest: usize,
        group: usize,
    },
    Reset {
        guest: usize,
    },
    Deleted {
        guest: usize,
    },
    Cancelled(bool),
}

#[derive(Debug, Clone)]
enum Said {
    Words(&'static str),
    Number(u32),
    Offered(usize),
    OfBefore(usize),
    Other(usize),
    Any(String),
}

const WHO: [&str; 4] = ["anna", "ben", "anna@sms", "bo@sms"];

const WORDS: [&str; 64] = [
    "K7QF2M Holloway",
    "B3NH4Z Holloway",
    "C7E9HW Holloway",
    "B8TAN7 Tanner",
    "H4TR8W Santos",
    "A7NDR8 Reed",
    "F8NNR7 Reed",
    "K7QF2M Wrong",
    "Code B8TAN7",
    "Tanner",
    "yes",
    "yes",
    "yes",
    "no",
    "ok",
    "all",
    "none",
    "nobody",
    "some",
    "only me",
    "me",
    "for me",
    "everybody",
    "not coming",
    "they answer themselves",
    "I can't come",
    "Cleo can't come",
    "2, Ben can't make it",
    "one companion can't come",
    "one of Finn's companions",
    "Finn",
    "Ada doesn't know yet",
    "only Ada and Finn",
    "all but Ben",
    "maybe",
    "vegan",
    "no nuts",
    "none for all",
    "none for all",
    "keep",
    "change",
    "change",
    "decline",
    "status",
    "details",
    "menu",
    "switch",
    "logout",
    "mute",
    "message",
    "We are late",
    "wrong person",
    "never mind",
    "start again",
    "back",
    "blah",
    "STOP",
    "stop please",
    "START",
    "YES",
    "HELP",
    "🎉",
    "",
    "👍",
];

fn said() -> impl Strategy<Value = Said> {
    prop_oneof![
        6 => proptest::sample::select(WORDS.as_slice()).prop_map(Said::Words),
        4 => (0_u32..8).prop_map(Said::Number),
        6 => any::<usize>().prop_map(Said::Offered),
        1 => any::<usize>().prop_map(Said::OfBefore),
        1 => (0_usize..10).prop_map(Said::Other),
        1 => any::<String>().prop_map(Said::Any),
    ]
}

fn happens() -> impl Strategy<Value = Happens> {
    prop_oneof![
        40 => (0..WHO.len(), said()).prop_map(|(who, what)| Happens::Said { who, what }),
        2 => (0_i64..2_000).prop_map(|minutes| Happens::Passes { minutes }),
        1 => any::<bool>().prop_map(Happens::Slow),
        1 => (any::<usize>(), 0_u32..5).prop_map(|(guest, people)| Happens::Expected { guest, people }),
        1 => (any::<usize>(), 0_usize..3).prop_map(|(guest, group)| Happens::Moved { guest, group }),
        1 => any::<usize>().prop_map(|guest| Happens::Reset { guest }),
        1 => any::<usize>().prop_map(|guest| Happens::Deleted { guest }),
        1 => prop::bool::weighted(0.3).prop_map(Happens::Cancelled),
    ]
}

fn world(provider_keywords: bool) -> World {
    let mut world = World::new();
    world.policy.provider_keywords = provider_keywords;
    world.add("Ada", "Reed", "A7NDR8", Some("reed"), 3);
    world.add("Finn", "Reed", "F8NNR7", Some("reed"), 2);
    world.add("Finn", "Reed", "F8NNR6", Some("reed"), 1);
    world
}

fn body(world: &World, address: &Address, said: &Said) -> Body {
    let shown = world.shown.get(address).map(Vec::as_slice).unwrap_or_default();
    let pick = |shown: &[crate::show::Shown], index: usize| {
        let choices: Vec<&String> = shown.iter().flat_map(|shown| &shown.choices).map(|(id, _)| id).collect();
        choices.get(index % choices.len().max(1)).map_or_else(|| "1.all".to_owned(), |id| (*id).clone())
    };
    match said {
        Said::Words(words) => Body::Text((*words).to_owned()),
        Said::Number(number) => Body::Text(number.to_string()),
        Said::Any(text) => Body::Text(text.clone()),
        Said::Offered(index) => Body::Choice(pick(&shown[shown.len().saturating_sub(1)..], *index)),
        Said::OfBefore(index) => Body::Choice(pick(shown, *index)),
        Said::Other(kind) => match kind {
            0 => Body::Start(String::new()),
            1 => Body::Start("B8TAN7".to_owned()),
            2 => Body::Edited,
            3 => Body::Contact { phone: "+447700900123".to_owned(), own: true },
            4 => Body::Contact { phone: "+447700900123".to_owned(), own: false },
            5 => Body::Unreadable,
            6 => Body::InGroupChat,
            7 => Body::Blocked,
            8 => Body::Unblocked,
            _ => Body::MovedTo(Address::telegram(-5)),
        },
    }
}

/// Takes one step, with all checks.
fn say(world: &mut World, who: usize, what: &Said) {
    let address = address(WHO[who]);
    let body = body(world, &address, what);
    let inbound = world.inbound(address.clone(), body);
    let context = world.context(&inbound);
    let decided = step(&context, &inbound, world.now);
    sound::check(world, &context, &inbound, &decided);
    brings_no_more_than_confirmed(world, &context, &decided);
    world.show_replies(&address, &decided);
    world.keep(&decided);
    if !world.provider_is_slow {
        world.attempted.insert(address, world.now);
    }
}

/// Whatever is saved was in the answer that was read back: as many as it says, and beyond those expected only as many
/// as were confirmed.
fn brings_no_more_than_confirmed(world: &World, context: &Context, decided: &Step) {
    if !decided.groups.iter().any(|rests| rests.raise) {
        return;
    }
    let draft = context.conversation.dialogue.draft.as_ref().expect("an answer was being given");
    if draft.dietary_only {
        return;
    }
    let after = |guest: &Guest| decided.guests.iter().find(|after| after.id == guest.id).unwrap_or(guest).clone();
    let before: Vec<Guest> = world.guests.iter().filter(|guest| guest.group_key() == draft.group).cloned().collect();
    let members: Vec<Guest> = before.iter().map(after).collect();
    let count = draft.count.expect("a number was said");
    let is_decided = |guest: &&Guest| {
        let plan = draft.members.iter().find(|member| member.guest == guest.id).map(|member| member.plan);
        matches!(plan, Some(Plan::Decided { .. }))
    };
    let people: u32 =
        members.iter().filter(is_decided).map(|guest| u32::from(guest.self_coming) + guest.companions_coming).sum();
    let of_one = draft.scope == Some(Scope::OnlyMe);
    let counted = |guest: &&Guest| !of_one || guest.id == draft.guest;
    let extras: u32 = members.iter().filter(counted).map(|guest| guest.extra_guests).sum();
    assert!(people + extras <= count, "{people} and {extras} extras are brought where {count} were said");
    let confirmed = if draft.extras_confirmed { count.saturating_sub(draft.expected()) } else { 0 };
    assert!(extras <= confirmed, "{extras} extras, of which {confirmed} were confirmed");
    let all = |guests: &[Guest]| guests.iter().map(|guest| guest.extra_guests).sum::<u32>();
    assert!(all(&members) <= all(&before) + confirmed);
    let party: u32 = members.iter().map(|guest| guest.expected_guests).sum();
    assert!(members.iter().map(|guest| guest.num_guests).sum::<u32>() <= party + all(&members));
}

fn happen(world: &mut World, what: &Happens) {
    let count = world.guests.len();
    match what {
        Happens::Said { who, what } => say(world, *who, what),
        Happens::Passes { minutes } => world.now += TimeDelta::minutes(*minutes),
        Happens::Slow(slow) => {
            world.provider_is_slow = *slow;
            world.attempted.clear();
        }
        Happens::Cancelled(cancelled) => {
            let now = world.now;
            world.events.get_mut(&"supper".into()).unwrap().cancelled_at = cancelled.then_some(now);
        }
        _ if count < 4 => {}
        Happens::Expected { guest, people } => {
            let guest = &mut world.guests[guest % count];
            guest.expected_guests = (*people).max(1);
            guest.status = Status::Pending;
            answer::count(guest);
            let key = guest.group_key();
            *world.versions.entry(key).or_default() += 1;
        }
        Happens::Moved { guest, group } => {
            let group = [None, Some(GroupId::from("holloway")), Some(GroupId::from("reed"))][*group].clone();
            let guest = &mut world.guests[guest % count];
            let from = guest.group_key();
            guest.group_id = group;
            let to = guest.group_key();
            *world.versions.entry(from).or_default() += 1;
            *world.versions.entry(to).or_default() += 1;
        }
        Happens::Reset { guest } => {
            let guest = &mut world.guests[guest % count];
            guest.status = Status::Pending;
            answer::count(guest);
            let key = guest.group_key();
            *world.versions.entry(key).or_default() += 1;
        }
        Happens::Deleted { guest } => {
            let guest = world.guests.remove(guest % count);
            *world.versions.entry(guest.group_key()).or_default() += 1;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn any_sequence_of_anything_is_sound(provider_keywords: bool, events in prop::collection::vec(happens(), 1..60)) {
        let mut world = world(provider_keywords);
        events.iter().for_each(|event| happen(&mut world, event));
    }

    /// Whoever answers step by step gets what was said, whichever way through the questions.
    #[test]
    fn a_walk_of_offered_choices_ends(seed in prop::collection::vec(any::<usize>(), 40), code in 0_usize..4) {
        let login = ["K7QF2M Holloway", "B8TAN7 Tanner", "H4TR8W Santos", "A7NDR8 Reed"][code];
        let mut world = world(true);
        world.play(&format!("anna: {login}"));
        for index in seed {
            if world.conversations[&address("anna")].dialogue.open.is_none() {
                break;
            }
            let asked = world.conversations[&address("anna")].dialogue.asked;
            say(&mut world, 0, &Said::Offered(index));
            let dialogue = &world.conversations[&address("anna")].dialogue;
            prop_assert!(dialogue.asked > asked || dialogue.open.is_none(), "an offered choice is always taken");
            prop_assert_eq!(dialogue.misunderstood, 0);
        }
    }
}
