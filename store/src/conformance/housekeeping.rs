//! What is only kept for a while.

use domain::{
    activity::Happening,
    conversation::Conversation,
    model::{EventId, Guest},
};

use super::builders::*;
use crate::{Commit, Committed, EntryStatus, LoadRequest, OutboxCounts, Outcome, Store};

pub async fn a_ready_store_says_so(store: &dyn Store) {
    store.ready().await.unwrap();
    store.ready().await.unwrap();
}

pub async fn old_keys_and_entries_expire(store: &dyn Store) {
    let keyed = |seconds: i64, key: &str| Commit {
        at: at(seconds),
        key: Some(key.to_owned()),
        outbox: vec![reply(key, &chat(seconds), 1)],
        ..Commit::default()
    };
    done(store, keyed(10, "old")).await;
    done(store, keyed(20, "young")).await;
    claim(store, 20).await;
    settle(store, "old", 21, sent()).await;
    settle(store, "young", 30, sent()).await;
    assert_eq!(store.expire(at(10)).await.unwrap(), 0);
    assert_eq!(store.expire(at(20)).await.unwrap(), 1, "the old key; its entry was finished later");
    assert_eq!(store.expire(at(30)).await.unwrap(), 2, "the young key and the old entry");
    assert_eq!(store.entries_to(&chat(10)).await.unwrap(), []);
    assert_eq!(status(store, &chat(20), "young").await, EntryStatus::Sent);
    assert_eq!(commit(store, keyed(31, "young")).await, Committed::Taken, "only the entry is still there");
    done(store, keyed(31, "old")).await;
}

pub async fn entries_are_counted_by_how_their_ids_begin(store: &dyn Store) {
    let ids = ["bus/to/1", "bus/to/2", "bus/to/3", "bus/to", "bus/tp/1", "bus", "a", "z"];
    let entries = (1..).zip(ids).map(|(number, id)| reply(id, &chat(number), 1)).collect();
    queue(store, 0, entries).await;
    let of = async |prefix| store.outbox_counts_of(prefix).await.unwrap();
    assert_eq!(of("bus/to/").await, OutboxCounts { pending: 3, ..OutboxCounts::default() });
    claim(store, 1).await;
    settle(store, "bus/to/1", 2, sent()).await;
    settle(store, "bus/to/2", 2, Outcome::Failed { reason: "no".to_owned() }).await;
    settle(store, "bus/tp/1", 2, sent()).await;
    assert_eq!(of("bus/to/").await, OutboxCounts { leased: 1, sent: 1, failed: 1, ..OutboxCounts::default() });
    assert_eq!(of("c").await, OutboxCounts::default());
}

pub async fn open_entries_never_expire(store: &dyn Store) {
    queue(store, 0, vec![reply("leased", &chat(1), 1), reply("waits", &chat(1), 2)]).await;
    claim(store, 0).await;
    assert_eq!(store.expire(at(1000)).await.unwrap(), 0);
    assert_eq!(store.entries_to(&chat(1)).await.unwrap().len(), 2);
}

pub async fn counts_of_failures_expire(store: &dyn Store) {
    for seconds in [1, 2, 3] {
        done(store, Commit { at: at(seconds), login_failed: true, ..Commit::default() }).await;
    }
    store.expire(at(3)).await.unwrap();
    let request = LoadRequest { address: chat(1), codes: vec![typed("x")], failures_since: at(0) };
    assert_eq!(store.load(&request).await.unwrap().recent_failures, 1);
}

pub async fn an_answered_question_outlives_its_entry(store: &dyn Store) {
    remember(store, vec![asked(conversation(&chat(1), &[]), 1)]).await;
    queue(store, 0, vec![question("q", &chat(1), 1, 1)]).await;
    claim(store, 5).await;
    settle(store, "q", 6, sent()).await;
    store.expire(at(1000)).await.unwrap();
    assert_eq!(store.entries_to(&chat(1)).await.unwrap(), []);
    assert_eq!(load(store, &chat(1)).await.question_attempted_at, Some(at(5)), "a guest may answer weeks later");
}

pub async fn forgetting_an_event_deletes_what_only_served_it(store: &dyn Store) {
    let elsewhere = Guest { event_id: EventId::from("picnic"), ..guest(3, "Cleo", "Holloway") };
    invite(store, vec![guest(1, "Anna", "Holloway"), guest(2, "Ben", "Holloway"), elsewhere]).await;
    let conversations =
        vec![conversation(&chat(1), &[1, 2]), conversation(&chat(2), &[2, 3]), conversation(&chat(3), &[3])];
    remember(store, conversations).await;
    queue(store, 0, vec![reply("sent", &chat(1), 1), reply("to 2", &chat(2), 1)]).await;
    claim(store, 0).await;
    settle(store, "sent", 1, sent()).await;
    queue(store, 2, vec![reply("waits", &chat(1), 2)]).await;
    let mut other = activity(Some(3), Some(3), 1, Happening::LoggedIn);
    other.event_id = EventId::from("picnic");
    let entries = vec![activity(Some(1), Some(1), 1, Happening::LoggedIn), other];
    done(store, Commit { at: at(1), activity: entries, ..Commit::default() }).await;

    assert_eq!(store.forget_event(&EVENT.into()).await.unwrap(), 1);
    assert_eq!(store.conversation(&chat(1)).await.unwrap(), None);
    assert_eq!(store.entries_to(&chat(1)).await.unwrap(), []);
    assert_eq!(store.activity(&EVENT.into(), at(0)).await.unwrap(), []);
    assert_eq!(store.links(&[guest_id(1)]).await.unwrap(), []);
    for address in [chat(2), chat(3)] {
        assert!(store.conversation(&address).await.unwrap().is_some(), "serves the picnic too");
    }
    assert_eq!(store.entries_to(&chat(2)).await.unwrap().len(), 1);
    assert_eq!(store.activity(&"picnic".into(), at(0)).await.unwrap().len(), 1);
    assert!(store.guest(guest_id(1)).await.unwrap().is_some(), "the list of guests is the host's");
    assert_eq!(claim_ids(store, 500).await, ["to 2"]);
    assert_eq!(store.forget_event(&EVENT.into()).await.unwrap(), 0);
}

pub async fn forgetting_an_event_keeps_opt_outs(store: &dyn Store) {
    invite(store, vec![guest(1, "Anna", "Holloway")]).await;
    let text = phone("+447700900123");
    remember(store, vec![Conversation { opted_out: true, ..asked(conversation(&text, &[1]), 4) }]).await;
    assert_eq!(store.forget_event(&EVENT.into()).await.unwrap(), 1);
    let left = Conversation { opted_out: true, version: 2, ..Conversation::new(text.clone()) };
    assert_eq!(store.conversation(&text).await.unwrap(), Some(left), "whoever said STOP said it for good");
    assert_eq!(store.links(&[guest_id(1)]).await.unwrap(), []);
    assert_eq!(store.forget_event(&EVENT.into()).await.unwrap(), 0);
}
