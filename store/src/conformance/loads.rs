//! One consistent look at what a step needs.

use domain::{
    address::Channel,
    conversation::{Ask, Conversation, Dialogue, Draft, DraftMember, Plan, Scope},
    lockout::{Attempts, FAILURES_A_MINUTE_EVERYWHERE},
    model::{AnsweredBy, Event, EventId, Guest, Status},
};

use super::builders::*;
use crate::{Commit, EventChange, FirstAttempt, GuestChange, Link, LoadRequest, Loaded, Store, TypedCode};

pub async fn a_stranger_is_new(store: &dyn Store) {
    let loaded = load(store, &phone("+447700900123")).await;
    assert_eq!(loaded.conversation, Conversation::new(phone("+447700900123")));
    assert!(loaded.logins.is_empty() && loaded.group.is_none() && loaded.candidates.is_empty());
    assert!(loaded.events.is_empty() && loaded.question_attempted_at.is_none());
    assert_eq!(store.conversation(&phone("+447700900123")).await.unwrap(), None, "looking stores nothing");
}

pub async fn a_conversation_comes_back_as_it_was(store: &dyn Store) {
    let draft = Draft {
        guest: guest_id(1),
        group: member(1, "Anna", "holloway").group_key(),
        group_version: 3,
        members: vec![DraftMember {
            guest: guest_id(2),
            expected: 2,
            plan: Plan::Decided { self_coming: false, companions: 1 },
            dietary: Some("no “nuts”, ça va\n".to_owned()),
            noted: Some("none".to_owned()),
        }],
        scope: Some(Scope::Everybody),
        count: Some(3),
        ..empty_draft()
    };
    let mut attempts = Attempts::default();
    (0..6).for_each(|second| attempts.fail(at(second)));
    let full = Conversation {
        locale: Some("pt-BR".to_owned()),
        attempts,
        opted_out: true,
        muted: true,
        unreachable: true,
        last_used: Some(at(7)),
        dialogue: Dialogue {
            asked: 12,
            open: Some(Ask::Dietary { guest: guest_id(2) }),
            asked_at: Some(at(6)),
            draft: Some(draft),
            misunderstood: 1,
            ..Dialogue::default()
        },
        ..conversation(&phone("+447700900123"), &[2, 1])
    };
    remember(store, vec![full.clone()]).await;
    let stored = Conversation { version: 1, ..full };
    assert_eq!(load(store, &stored.address).await.conversation, stored);
    assert_eq!(store.conversation(&stored.address).await.unwrap(), Some(stored.clone()));
    let bare = Conversation { version: 1, ..Conversation::new(stored.address.clone()) };
    remember(store, vec![bare.clone()]).await;
    assert_eq!(load(store, &stored.address).await.conversation, Conversation { version: 2, ..bare });
}

/// A draft in which nothing has been said yet.
fn empty_draft() -> Draft {
    let empty = serde_json::json!({ "guest": guest_id(1), "group": "", "groupVersion": 0, "members": [] });
    serde_json::from_value(empty).unwrap()
}

pub async fn logins_come_in_order_without_deleted_guests(store: &dyn Store) {
    invite(store, (1..=3).map(|number| guest(number, "Maria", "Santos")).collect()).await;
    remember(store, vec![conversation(&chat(1), &[3, 1, 2])]).await;
    let delete = GuestChange::Delete { id: guest_id(1), version: 1 };
    done(store, Commit { at: at(9), guests: vec![delete], ..Commit::default() }).await;
    let loaded = load(store, &chat(1)).await;
    assert_eq!(loaded.conversation.logins, [guest_id(3), guest_id(1), guest_id(2)]);
    assert_eq!(loaded.logins.iter().map(|guest| guest.id).collect::<Vec<_>>(), [guest_id(3), guest_id(2)]);
}

pub async fn the_active_guest_brings_the_group(store: &dyn Store) {
    let mut ben = member(2, "Ben", "holloway");
    ben.phone = Some("+447700900123".to_owned());
    ben.locale = Some("sv".to_owned());
    ben.notes = Some("  as written ".to_owned());
    ben.dietary = "no nuts".to_owned();
    ben.status = Status::Waitlisted;
    (ben.expected_guests, ben.num_guests, ben.companions_coming, ben.extra_guests) = (3, 4, 2, 1);
    ben.self_coming = true;
    ben.is_admin = true;
    ben.rsvp_date = Some(at(5));
    (ben.last_login, ben.last_access) = (Some(at(6)), Some(at(7)));
    ben.answered_by = Some(AnsweredBy { guest_id: guest_id(1), channel: Channel::Sms });
    let late = Guest { created_at: at(-1), ..member(9, "Dora", "holloway") };
    let other = member(3, "Cleo", "others");
    invite(store, vec![member(1, "Anna", "holloway"), ben.clone(), late.clone(), other]).await;
    remember(store, vec![conversation(&chat(1), &[2])]).await;
    let loaded = load(store, &chat(1)).await;
    let group = loaded.group.unwrap();
    assert_eq!((group.key, group.version), (ben.group_key(), 0));
    let stored = |guest: Guest| Guest { version: 1, ..guest };
    assert_eq!(group.members, [stored(late), stored(member(1, "Anna", "holloway")), stored(ben)]);
    assert_eq!(loaded.events[&EventId::from(EVENT)], Event { version: 1, ..event(EVENT) });
}

pub async fn a_guest_without_a_group_stands_alone(store: &dyn Store) {
    invite(store, vec![guest(1, "Maria", "Santos"), guest(2, "Maria", "Santos")]).await;
    remember(store, vec![conversation(&chat(1), &[1])]).await;
    let group = load(store, &chat(1)).await.group.unwrap();
    assert_eq!(group.key, guest(1, "Maria", "Santos").group_key());
    assert_eq!(group.members.iter().map(|guest| guest.id).collect::<Vec<_>>(), [guest_id(1)]);
}

pub async fn a_deleted_active_guest_brings_no_group(store: &dyn Store) {
    invite(store, vec![member(1, "Anna", "holloway"), member(2, "Ben", "holloway")]).await;
    remember(store, vec![conversation(&chat(1), &[2, 1])]).await;
    let delete = GuestChange::Delete { id: guest_id(1), version: 1 };
    done(store, Commit { at: at(9), guests: vec![delete], ..Commit::default() }).await;
    let loaded = load(store, &chat(1)).await;
    assert_eq!((loaded.conversation.active, loaded.group), (Some(guest_id(1)), None));
}

pub async fn the_other_logins_bring_their_groups(store: &dyn Store) {
    let (anna, ben, cleo) = (member(1, "Anna", "holloway"), member(2, "Ben", "holloway"), member(3, "Cleo", "others"));
    let maria = guest(4, "Maria", "Santos");
    invite(store, vec![anna.clone(), ben, cleo.clone(), maria.clone()]).await;
    remember(store, vec![conversation(&chat(1), &[3, 2, 4, 1])]).await;
    let loaded = load(store, &chat(1)).await;
    assert_eq!(loaded.group.map(|group| (group.key, group.members.len())), Some((anna.group_key(), 2)));
    let others: Vec<_> = loaded.other_groups.into_iter().map(|group| (group.key, group.members.len())).collect();
    assert_eq!(others, [(cleo.group_key(), 1), (maria.group_key(), 1)]);
}

pub async fn an_awaited_code_is_looked_up_too(store: &dyn Store) {
    let coded = |number, token: &str| Guest { token: token.to_owned(), ..guest(number, "Maria", "Santos") };
    invite(store, vec![coded(1, "abc-123"), coded(2, "xyz-789")]).await;
    for (version, awaited, typed_too, expected) in [
        (0, "abc-123", vec![], vec![(0, 1)]),
        (1, "ABC 123", vec![typed("xyz-789")], vec![(0, 2), (1, 1)]),
        (2, "xyz-789", vec![typed("xyz-789")], vec![(0, 2)]),
        (3, "nobody", vec![], vec![]),
    ] {
        let mut waiting = Conversation { version, ..conversation(&chat(1), &[]) };
        waiting.dialogue.open = Some(Ask::LastName { code: awaited.to_owned() });
        remember(store, vec![waiting]).await;
        let found = look_up(store, typed_too).await.candidates;
        let found: Vec<_> = found.iter().map(|candidate| (candidate.code, candidate.guest.0[11])).collect();
        assert_eq!(found, expected, "{awaited}");
    }
    remember(store, vec![Conversation { version: 4, ..conversation(&chat(1), &[]) }]).await;
    assert_eq!(look_up(store, vec![]).await.candidates, []);
}

pub async fn links_that_are_brought_along_are_all_there_are(store: &dyn Store) {
    invite(store, vec![member(1, "Anna", "holloway"), member(2, "Ben", "holloway"), guest(3, "Maria", "Santos")]).await;
    let muted = Conversation { muted: true, ..conversation(&chat(2), &[2, 3]) };
    remember(store, vec![conversation(&chat(1), &[1]), muted, conversation(&chat(3), &[3])]).await;
    let sorted = |mut links: Vec<Link>| {
        links.sort_by_key(|link| (link.guest, link.address.clone()));
        links
    };
    if let Some(links) = load(store, &chat(1)).await.links {
        let of_the_group = store.links(&[guest_id(1), guest_id(2)]).await.unwrap();
        assert_eq!(sorted(links), sorted(of_the_group));
    }
    let stranger = LoadRequest { address: chat(9), codes: vec![typed("Code-3")], failures_since: at(0) };
    if let Some(links) = store.load(&stranger).await.unwrap().links {
        assert_eq!(sorted(links), sorted(store.links(&[guest_id(3)]).await.unwrap()));
    }
}

pub async fn hosts_that_are_brought_along_are_all_there_are(store: &dyn Store) {
    let host = |number| Guest { is_admin: true, ..guest(number, "Mia", "Host") };
    let elsewhere = Guest { event_id: EventId::from("picnic"), ..host(4) };
    invite(store, vec![guest(1, "Anna", "Holloway"), host(2), host(3), elsewhere]).await;
    let asked = |open| Conversation {
        dialogue: Dialogue { asked: 1, open: Some(open), ..Dialogue::default() },
        ..conversation(&chat(1), &[4, 1])
    };
    remember(store, vec![conversation(&chat(2), &[2]), conversation(&chat(3), &[3, 2]), conversation(&chat(4), &[4])])
        .await;
    for (version, ask) in [Ask::MessageForHost, Ask::WrongPerson, Ask::HowMany].into_iter().enumerate() {
        let conversation = Conversation { version: version as u64, active: Some(guest_id(1)), ..asked(ask.clone()) };
        remember(store, vec![conversation]).await;
        let loaded = load(store, &chat(1)).await;
        if !ask.is_heard_by_hosts() {
            assert_eq!(loaded.hosts, None);
        } else if let Some((event, mut hosts)) = loaded.hosts {
            hosts.sort();
            assert_eq!((event.as_str(), hosts.as_slice()), (EVENT, [guest_id(2), guest_id(3)].as_slice()));
            let mut links = loaded.links.unwrap();
            links.retain(|link| hosts.contains(&link.guest));
            let order = |link: &Link| (link.guest, link.address.clone());
            links.sort_by_key(order);
            let mut all = store.links_of_hosts(&EVENT.into()).await.unwrap();
            all.sort_by_key(order);
            assert_eq!(links, all);
        }
    }
}

async fn look_up(store: &dyn Store, codes: Vec<TypedCode>) -> Loaded {
    store.load(&LoadRequest { address: chat(1), codes, failures_since: at(0) }).await.unwrap()
}

pub async fn codes_are_looked_up_exactly_then_by_key(store: &dyn Store) {
    let coded = |number, token: &str| Guest { token: token.to_owned(), ..guest(number, "Maria", "Santos") };
    invite(store, vec![coded(1, "abc-123"), coded(2, "ABC123"), coded(3, "vTFSxGE3")]).await;
    for (text, expected) in [
        ("abc-123", Some(1)),
        ("ABC123", Some(2)),
        ("Abc123", None),
        ("vTFSxGE3", Some(3)),
        ("vtfs xge3", Some(3)),
        ("vTFSxGE", None),
        ("-", None),
        ("", None),
    ] {
        let found = look_up(store, vec![typed(text)]).await.candidates;
        assert_eq!(found.first().map(|found| found.guest), expected.map(guest_id), "{text}");
        let guest = store.guest_by_code(&typed(text)).await.unwrap();
        assert_eq!(guest.map(|guest| guest.id), expected.map(guest_id), "{text}");
    }
}

pub async fn candidates_bring_their_group_and_event(store: &dyn Store) {
    let elsewhere = Guest { event_id: EventId::from("picnic"), ..member(3, "Cleo", "holloway") };
    invite(store, vec![member(1, "Anna", "holloway"), member(2, "Ben", "holloway"), elsewhere]).await;
    let picnic = Some(EventChange::Insert(event("picnic")));
    done(store, Commit { at: at(0), event: picnic, ..Commit::default() }).await;
    let loaded = look_up(store, vec![typed("holloway"), typed("code-3"), typed("Code-2")]).await;
    let found: Vec<_> =
        loaded.candidates.iter().map(|found| (found.code, found.guest, found.group.members.len())).collect();
    assert_eq!(found, [(1, guest_id(3), 1), (2, guest_id(2), 2)]);
    assert_eq!(loaded.events.keys().map(EventId::as_str).collect::<Vec<_>>(), [EVENT, "picnic"]);
}

async fn fail(store: &dyn Store, seconds: i64) {
    done(store, Commit { at: at(seconds), login_failed: true, ..Commit::default() }).await;
}

pub async fn failures_are_counted_from_a_time_on(store: &dyn Store) {
    for seconds in [1, 5, 5, 9] {
        fail(store, seconds).await;
    }
    for (since, expected) in [(0, 4), (5, 3), (6, 1), (10, 0)] {
        let request = LoadRequest { address: chat(1), codes: vec![typed("x")], failures_since: at(since) };
        assert_eq!(store.load(&request).await.unwrap().recent_failures, expected, "since {since}");
        let request = LoadRequest { codes: Vec::new(), ..request };
        assert_eq!(store.load(&request).await.unwrap().recent_failures, 0, "without a code nothing is counted");
    }
}

pub async fn failures_are_counted_up_to_a_limit(store: &dyn Store) {
    for number in 0..i64::from(FAILURES_A_MINUTE_EVERYWHERE) + 5 {
        fail(store, number % 60).await;
    }
    assert_eq!(look_up(store, vec![typed("x")]).await.recent_failures, FAILURES_A_MINUTE_EVERYWHERE);
}

/// Opens question `number` in chat 1 at the conversation's version, as a reply with this id.
async fn ask(store: &dyn Store, seconds: i64, id: &str, number: u64) {
    let before = load(store, &chat(1)).await.conversation;
    let outbox = vec![question(id, &chat(1), before.version + 1, number)];
    let conversations = vec![asked(before, number)];
    done(store, Commit { at: at(seconds), conversations, outbox, ..Commit::default() }).await;
}

pub async fn an_open_question_knows_its_first_attempt(store: &dyn Store) {
    ask(store, 0, "q1", 1).await;
    assert_eq!(load(store, &chat(1)).await.question_attempted_at, None, "not yet tried");
    claim(store, 5).await;
    assert_eq!(load(store, &chat(1)).await.question_attempted_at, Some(at(5)), "known before it is settled");
    settle(store, "q1", 6, retry(10)).await;
    claim(store, 10).await;
    settle(store, "q1", 11, sent()).await;
    assert_eq!(load(store, &chat(1)).await.question_attempted_at, Some(at(5)), "the first attempt counts");
    let answered = Conversation {
        dialogue: Dialogue { asked: 1, ..Dialogue::default() },
        ..load(store, &chat(1)).await.conversation
    };
    done(store, Commit { at: at(12), conversations: vec![answered], ..Commit::default() }).await;
    assert_eq!(load(store, &chat(1)).await.question_attempted_at, None, "no question is open any more");
}

pub async fn a_question_asked_again_keeps_its_first_attempt(store: &dyn Store) {
    ask(store, 0, "q1", 1).await;
    claim(store, 5).await;
    settle(store, "q1", 6, sent()).await;
    ask(store, 7, "q1 again", 1).await;
    claim(store, 8).await;
    assert_eq!(load(store, &chat(1)).await.question_attempted_at, Some(at(5)));
}

pub async fn a_question_dropped_untried_is_tried_when_asked_again(store: &dyn Store) {
    ask(store, 0, "q1", 1).await;
    let stopped = Conversation { opted_out: true, ..load(store, &chat(1)).await.conversation };
    done(store, Commit { at: at(1), conversations: vec![stopped], ..Commit::default() }).await;
    let back = Conversation { opted_out: false, ..load(store, &chat(1)).await.conversation };
    let outbox = vec![question("q1 again", &chat(1), 3, 1), question("q1 once more", &chat(1), 3, 1)];
    done(store, Commit { at: at(2), conversations: vec![back], outbox, ..Commit::default() }).await;
    claim(store, 3).await;
    assert_eq!(load(store, &chat(1)).await.question_attempted_at, Some(at(3)));
}

pub async fn an_attempt_at_an_older_question_counts_for_nothing(store: &dyn Store) {
    ask(store, 0, "q1", 1).await;
    claim(store, 5).await;
    ask(store, 6, "q2", 2).await;
    assert_eq!(load(store, &chat(1)).await.question_attempted_at, None);
    settle(store, "q1", 7, retry(8)).await;
    claim(store, 8).await;
    settle(store, "q1", 9, sent()).await;
    assert_eq!(load(store, &chat(1)).await.question_attempted_at, None, "an older question was tried again");
    claim(store, 10).await;
    assert_eq!(load(store, &chat(1)).await.question_attempted_at, Some(at(10)));
}

pub async fn an_attempt_does_not_raise_the_conversation(store: &dyn Store) {
    ask(store, 0, "q1", 1).await;
    claim(store, 5).await;
    settle(store, "q1", 6, sent()).await;
    assert_eq!(load(store, &chat(1)).await.conversation.version, 1);

    // Where an initiated message opens a question, the conversation changes.
    queue(store, 7, vec![notice("reminder", &chat(1), at(7))]).await;
    claim(store, 8).await;
    let before = load(store, &chat(1)).await.conversation;
    let first = FirstAttempt {
        id: "reminder".to_owned(),
        by: COURIER.to_owned(),
        at: at(9),
        text: words("And you?"),
        question: Some(2),
        conversation: Some(asked(before, 2)),
    };
    assert_eq!(store.begin_attempt(first).await.unwrap(), crate::Committed::Done);
    let after = load(store, &chat(1)).await;
    assert_eq!((after.conversation.version, after.question_attempted_at), (2, Some(at(9))));
}
