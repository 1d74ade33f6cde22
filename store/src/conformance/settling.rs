//! How attempts ended, and where entries stand then.

use domain::{conversation::Conversation, model::EventId};

use super::builders::*;
use crate::{Claim, Content, EntryStatus, OutboxCounts, Outcome, Page, Settlement, Store};

pub async fn a_sent_entry_is_finished(store: &dyn Store) {
    queue(store, 0, vec![reply("hello", &chat(1), 1)]).await;
    claim(store, 0).await;
    settle(store, "hello", 1, Outcome::Sent { provider_id: Some("77".to_owned()) }).await;
    let entry = entry(store, &chat(1), "hello").await;
    assert_eq!((entry.status, entry.provider_id.as_deref()), (EntryStatus::Sent, Some("77")));
    assert_eq!((entry.delivery, entry.reason), (None, None));
    assert_eq!(claim_ids(store, 1000).await, [""; 0]);
}

pub async fn a_retried_entry_waits(store: &dyn Store) {
    queue(store, 0, vec![reply("hello", &chat(1), 1)]).await;
    claim(store, 0).await;
    settle(store, "hello", 1, retry(10)).await;
    let waiting = entry(store, &chat(1), "hello").await;
    assert_eq!((waiting.status, waiting.due_at, waiting.attempts), (EntryStatus::Pending, at(10), 1));
    assert_eq!(waiting.reason.as_deref(), Some("connection refused"));
    assert_eq!(claim_ids(store, 9).await, [""; 0]);
    assert_eq!(claim_ids(store, 10).await, ["hello"]);
}

pub async fn a_doubt_is_remembered(store: &dyn Store) {
    queue(store, 0, vec![reply("hello", &chat(1), 1)]).await;
    claim(store, 0).await;
    settle(store, "hello", 1, in_doubt(10)).await;
    assert_eq!(claim_ids(store, 9).await, [""; 0]);
    let again = claim(store, 10).await.remove(0);
    assert_eq!((again.attempts, again.ambiguous, again.in_doubt), (2, 1, true));
    settle(store, "hello", 11, in_doubt(20)).await;
    let third = claim(store, 20).await.remove(0);
    assert_eq!((third.attempts, third.ambiguous, third.in_doubt), (3, 2, true));
}

pub async fn a_certain_failure_ends_the_doubt(store: &dyn Store) {
    queue(store, 0, vec![reply("hello", &chat(1), 1)]).await;
    claim(store, 0).await;
    settle(store, "hello", 1, in_doubt(10)).await;
    claim(store, 10).await;
    settle(store, "hello", 11, retry(20)).await;
    let third = claim(store, 20).await.remove(0);
    assert_eq!((third.attempts, third.ambiguous, third.in_doubt), (3, 1, false), "what was ambiguous stays counted");
}

pub async fn a_postponed_reply_counts_no_attempt(store: &dyn Store) {
    remember(store, vec![asked(conversation(&chat(1), &[]), 1)]).await;
    queue(store, 0, vec![question("q", &chat(1), 1, 1)]).await;
    claim(store, 0).await;
    settle(store, "q", 1, postponed(10)).await;
    let waiting = entry(store, &chat(1), "q").await;
    assert_eq!((waiting.status, waiting.attempts, waiting.first_attempt_at), (EntryStatus::Pending, 0, None));
    assert_eq!(load(store, &chat(1)).await.question_attempted_at, None, "it was not tried after all");
    let claimed = claim(store, 10).await.remove(0);
    assert_eq!((claimed.attempts, claimed.first_attempt_at), (1, Some(at(10))));
    assert_eq!(load(store, &chat(1)).await.question_attempted_at, Some(at(10)));
    // Once tried, it was tried.
    settle(store, "q", 11, retry(20)).await;
    claim(store, 20).await;
    settle(store, "q", 21, postponed(30)).await;
    let waiting = entry(store, &chat(1), "q").await;
    assert_eq!((waiting.attempts, waiting.first_attempt_at), (1, Some(at(10))));
    assert_eq!(load(store, &chat(1)).await.question_attempted_at, Some(at(10)));
}

pub async fn a_postponed_doubt_stays(store: &dyn Store) {
    queue(store, 0, vec![reply("hello", &chat(1), 1)]).await;
    claim(store, 0).await;
    settle(store, "hello", 1, in_doubt(10)).await;
    claim(store, 10).await;
    settle(store, "hello", 11, postponed(20)).await;
    let again = claim(store, 20).await.remove(0);
    assert_eq!((again.attempts, again.ambiguous, again.in_doubt), (2, 1, true));
}

pub async fn finished_entries_say_why(store: &dyn Store) {
    let because = || "because".to_owned();
    for (number, outcome, expected) in [
        (1, Outcome::Failed { reason: because() }, EntryStatus::Failed),
        (2, Outcome::Unknown { reason: because() }, EntryStatus::Unknown),
        (3, Outcome::Dropped { reason: because() }, EntryStatus::Dropped),
        (4, Outcome::Unreachable { reason: because() }, EntryStatus::Failed),
        (5, Outcome::OptedOut { reason: because() }, EntryStatus::Failed),
    ] {
        queue(store, 0, vec![reply(&format!("e{number}"), &chat(number), 1)]).await;
        queue(store, 0, vec![notice(&format!("n{number}"), &chat(number + 50), at(0))]).await;
        claim(store, 0).await;
        settle(store, &format!("e{number}"), 1, outcome.clone()).await;
        settle(store, &format!("n{number}"), 1, outcome).await;
        for (id, address) in [(format!("e{number}"), number), (format!("n{number}"), number + 50)] {
            let entry = entry(store, &chat(address), &id).await;
            assert_eq!((entry.status, entry.reason.as_deref()), (expected, Some("because")), "{id}");
        }
    }
    assert_eq!(claim_ids(store, 1000).await, [""; 0]);
}

pub async fn only_the_holder_of_the_lease_settles(store: &dyn Store) {
    queue(store, 0, vec![reply("hello", &chat(1), 1)]).await;
    settle(store, "hello", 0, sent()).await;
    assert_eq!(status(store, &chat(1), "hello").await, EntryStatus::Pending, "never claimed");
    claim(store, 0).await;
    let other = Settlement { by: "courier-2".to_owned(), ..settlement("hello", 1, sent()) };
    store.settle(vec![other, settlement("no such entry", 1, sent())]).await.unwrap();
    assert_eq!(status(store, &chat(1), "hello").await, EntryStatus::Leased);
    // Late, but nobody has taken over: it knows best.
    settle(store, "hello", LEASE_SECONDS + 5, sent()).await;
    assert_eq!(status(store, &chat(1), "hello").await, EntryStatus::Sent);
}

pub async fn an_entry_is_settled_once(store: &dyn Store) {
    queue(store, 0, vec![reply("hello", &chat(1), 1)]).await;
    claim(store, 0).await;
    let twice =
        vec![settlement("hello", 1, sent()), settlement("hello", 1, Outcome::Failed { reason: "?".to_owned() })];
    store.settle(twice).await.unwrap();
    settle(store, "hello", 2, retry(3)).await;
    assert_eq!(status(store, &chat(1), "hello").await, EntryStatus::Sent);
}

pub async fn an_unreachable_address_is_marked(store: &dyn Store) {
    remember(store, vec![conversation(&chat(1), &[1])]).await;
    queue(store, 0, vec![reply("to 1", &chat(1), 1), reply("to 2", &chat(2), 1)]).await;
    claim(store, 0).await;
    for id in ["to 1", "to 2"] {
        settle(store, id, 1, Outcome::Unreachable { reason: "blocked".to_owned() }).await;
    }
    let known = load(store, &chat(1)).await.conversation;
    assert_eq!(known, Conversation { unreachable: true, version: 2, ..conversation(&chat(1), &[1]) });
    assert!(load(store, &chat(2)).await.conversation.unreachable, "known from now on");
}

pub async fn an_opt_out_is_marked_and_drops_what_waits(store: &dyn Store) {
    queue(store, 0, vec![reply("first", &chat(1), 1), reply("second", &chat(1), 2), notice("n", &chat(1), at(0))])
        .await;
    claim(store, 0).await;
    settle(store, "first", 1, Outcome::OptedOut { reason: "21610".to_owned() }).await;
    let conversation = load(store, &chat(1)).await.conversation;
    assert_eq!((conversation.opted_out, conversation.version), (true, 1));
    assert_eq!(status(store, &chat(1), "second").await, EntryStatus::Dropped);
    assert_eq!(status(store, &chat(1), "n").await, EntryStatus::Dropped);
    assert_eq!(claim_ids(store, 1000).await, [""; 0]);
}

pub async fn a_moved_chat_takes_everything_along(store: &dyn Store) {
    invite(store, vec![guest(1, "Anna", "Holloway")]).await;
    let before = Conversation { locale: Some("sv".to_owned()), ..asked(conversation(&chat(1), &[1]), 3) };
    remember(store, vec![before.clone()]).await;
    queue(store, 0, vec![question("q", &chat(1), 1, 3), reply("next", &chat(1), 2), notice("n", &chat(1), at(0))])
        .await;
    claim(store, 5).await;
    settle(store, "q", 6, Outcome::Moved { to: chat(-100) }).await;

    assert_eq!(store.conversation(&chat(1)).await.unwrap(), None);
    let after = load(store, &chat(-100)).await;
    assert_eq!(after.conversation, Conversation { address: chat(-100), version: 2, ..before });
    assert_eq!(after.question_attempted_at, Some(at(5)));
    let links = store.links(&[guest_id(1)]).await.unwrap();
    assert_eq!(links.into_iter().map(|link| link.address).collect::<Vec<_>>(), [chat(-100)]);
    assert_eq!(store.entries_to(&chat(1)).await.unwrap(), []);
    for expected in ["q", "next", "n"] {
        assert_eq!(claim_ids(store, 7).await, [expected]);
        settle(store, expected, 7, sent()).await;
    }
}

pub async fn a_moved_question_stays_tried(store: &dyn Store) {
    remember(store, vec![asked(conversation(&chat(1), &[]), 3)]).await;
    queue(store, 0, vec![question("q", &chat(1), 1, 3)]).await;
    claim(store, 5).await;
    settle(store, "q", 6, sent()).await;
    queue(store, 7, vec![reply("next", &chat(1), 2)]).await;
    claim(store, 8).await;
    settle(store, "next", 9, Outcome::Moved { to: chat(-100) }).await;
    assert_eq!(load(store, &chat(-100)).await.question_attempted_at, Some(at(5)));
    store.expire(at(1000)).await.unwrap();
    assert_eq!(load(store, &chat(-100)).await.question_attempted_at, Some(at(5)));
}

pub async fn a_moved_chat_joins_the_one_that_is_there(store: &dyn Store) {
    invite(store, (1..=3).map(|number| guest(number, "Maria", "Santos")).collect()).await;
    let old = Conversation { opted_out: false, muted: true, ..conversation(&chat(1), &[1, 2]) };
    remember(store, vec![old, conversation(&chat(-100), &[2, 3])]).await;
    queue(store, 0, vec![reply("there", &chat(-100), 1), reply("moves", &chat(1), 1)]).await;
    claim(store, 0).await;
    settle(store, "there", 1, sent()).await;
    settle(store, "moves", 1, Outcome::Moved { to: chat(-100) }).await;
    let after = load(store, &chat(-100)).await.conversation;
    assert_eq!(after.logins, [guest_id(2), guest_id(3), guest_id(1)]);
    assert_eq!((after.active, after.muted, after.version), (Some(guest_id(3)), true, 2));
    assert_eq!(store.conversation(&chat(1)).await.unwrap(), None);
    for number in 1..=3 {
        let links = store.links(&[guest_id(number)]).await.unwrap();
        assert_eq!(links.into_iter().map(|link| link.address).collect::<Vec<_>>(), [chat(-100)], "guest {number}");
    }
    assert_eq!(claim_ids(store, 2).await, ["moves"]);
}

pub async fn entries_are_counted_and_listed(store: &dyn Store) {
    assert_eq!(store.outbox_counts().await.unwrap(), OutboxCounts::default());
    for number in 1..=8 {
        queue(store, 0, vec![reply(&format!("e{number}"), &chat(number), 1)]).await;
    }
    store.claim(Claim { replies: 7, ..claim_of(0) }).await.unwrap();
    let because = || "because".to_owned();
    settle(store, "e1", 1, sent()).await;
    settle(store, "e2", 1, sent()).await;
    settle(store, "e3", 1, Outcome::Failed { reason: because() }).await;
    settle(store, "e4", 1, Outcome::Unknown { reason: because() }).await;
    settle(store, "e5", 1, Outcome::Dropped { reason: because() }).await;
    settle(store, "e6", 1, retry(5)).await;
    let expected = OutboxCounts { pending: 2, leased: 1, sent: 2, failed: 1, unknown: 1, dropped: 1 };
    assert_eq!(store.outbox_counts().await.unwrap(), expected);
    for (status, expected) in [
        (EntryStatus::Pending, vec!["e6", "e8"]),
        (EntryStatus::Leased, vec!["e7"]),
        (EntryStatus::Sent, vec!["e1", "e2"]),
        (EntryStatus::Failed, vec!["e3"]),
        (EntryStatus::Unknown, vec!["e4"]),
        (EntryStatus::Dropped, vec!["e5"]),
    ] {
        let listed = store.entries(status, Page { after: None, limit: 10 }).await.unwrap();
        assert_eq!(listed.iter().map(|entry| entry.id.as_str()).collect::<Vec<_>>(), expected);
        assert!(listed.iter().all(|entry| entry.status == status));
    }
}

pub async fn entries_are_paged(store: &dyn Store) {
    for id in ["c", "a", "e", "b", "d"] {
        queue(store, 0, vec![reply(id, &chat(1), 1)]).await;
    }
    let mut listed = Vec::new();
    let mut after = None;
    loop {
        let page = store.entries(EntryStatus::Pending, Page { after, limit: 2 }).await.unwrap();
        let Some(last) = page.last() else { break };
        after = Some(last.id.clone());
        listed.extend(page.into_iter().map(|entry| entry.id));
    }
    assert_eq!(listed, ["c", "a", "e", "b", "d"], "oldest first, each once");
}

pub async fn entries_are_listed_by_how_their_ids_begin(store: &dyn Store) {
    let ids = ["bus/3", "bus/1", "bus/2", "bus/4", "bus", "but/1"];
    queue(store, 0, (1..).zip(ids).map(|(number, id)| reply(id, &chat(number), 1)).collect()).await;
    claim(store, 0).await;
    settle(store, "bus/4", 1, sent()).await;
    let of = async |status, limit| {
        let listed = store.entries_of("bus/", status, limit).await.unwrap();
        listed.into_iter().map(|entry| entry.id).collect::<Vec<_>>()
    };
    assert_eq!(of(EntryStatus::Leased, 10).await, ["bus/1", "bus/2", "bus/3"]);
    assert_eq!(of(EntryStatus::Leased, 2).await, ["bus/1", "bus/2"]);
    assert_eq!(of(EntryStatus::Leased, 0).await, [""; 0]);
    assert_eq!(of(EntryStatus::Sent, 10).await, ["bus/4"]);
    assert_eq!(of(EntryStatus::Pending, 10).await, [""; 0]);
}

pub async fn initiated_messages_of_late_are_found(store: &dyn Store) {
    let ids = ["waits", "early", "late", "refused", "elsewhere"];
    let mut notices: Vec<_> = (1..).zip(ids).map(|(number, id)| notice(id, &chat(number), at(0))).collect();
    if let Some(Content::Initiated(initiated)) = notices.last_mut().map(|entry| &mut entry.content) {
        initiated.event = EventId::from("another");
    }
    queue(store, 0, notices).await;
    queue(store, 0, vec![reply("reply", &chat(9), 1)]).await;
    let found = async |since| {
        let listed = store.initiated_since(&EventId::from(EVENT), at(since)).await.unwrap();
        let mut ids: Vec<_> = listed.into_iter().map(|entry| entry.id).collect();
        ids.sort();
        ids
    };
    assert_eq!(found(0).await, ["early", "late", "refused", "waits"]);
    claim(store, 0).await;
    settle(store, "reply", 1, sent()).await;
    settle(store, "waits", 1, retry(50)).await;
    settle(store, "early", 9, sent()).await;
    settle(store, "late", 10, sent()).await;
    settle(store, "refused", 10, Outcome::Failed { reason: "no".to_owned() }).await;
    assert_eq!(found(10).await, ["late", "waits"]);
    claim(store, 50).await;
    assert_eq!(found(11).await, ["waits"], "on its way");
}

pub async fn entries_to_an_address_are_in_order(store: &dyn Store) {
    queue(store, 0, vec![notice("n2", &chat(1), at(2)), notice("n1", &chat(1), at(1)), reply("r2", &chat(1), 2)]).await;
    queue(store, 0, vec![reply("r1", &chat(1), 1), reply("elsewhere", &chat(11), 1)]).await;
    claim(store, 0).await;
    settle(store, "r1", 0, sent()).await;
    let listed = store.entries_to(&chat(1)).await.unwrap();
    assert_eq!(listed.iter().map(|entry| entry.id.as_str()).collect::<Vec<_>>(), ["r1", "r2", "n1", "n2"]);
}
