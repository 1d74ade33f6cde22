//! Which replies may be sent when, and by whom.

use domain::address::{Address, Channel};

use super::builders::*;
use crate::{Claim, Content, EntryStatus, NewEntry, Store, Work};

pub async fn replies_to_an_address_go_one_at_a_time_and_in_order(store: &dyn Store) {
    // Committed in another order than they were decided, as two processes may.
    queue(store, 0, vec![reply("third", &chat(1), 3)]).await;
    queue(store, 0, vec![reply("first", &chat(1), 1), reply("second", &chat(1), 2)]).await;
    for expected in ["first", "second", "third"] {
        assert_eq!(claim_ids(store, 1).await, [expected]);
        assert_eq!(claim_ids(store, 1).await, [""; 0], "while {expected} is on its way");
        settle(store, expected, 1, sent()).await;
    }
    assert_eq!(claim_ids(store, 1).await, [""; 0]);
}

pub async fn places_in_a_commit_order_its_replies(store: &dyn Store) {
    let placed = |id: &str, place| NewEntry {
        content: Content::Reply { version: 1, place, text: words(id) },
        ..reply(id, &chat(1), 1)
    };
    queue(store, 0, vec![placed("b", 0), placed("a", 1)]).await;
    assert_eq!(claim_ids(store, 1).await, ["b"]);
    settle(store, "b", 1, sent()).await;
    assert_eq!(claim_ids(store, 1).await, ["a"]);
}

pub async fn addresses_do_not_wait_for_one_another(store: &dyn Store) {
    queue(store, 0, vec![reply("to 1", &chat(1), 7), reply("to 2", &chat(2), 1)]).await;
    queue(store, 0, vec![reply("text", &phone("+447700900123"), 1)]).await;
    // The same phone writing to another of our numbers is another address.
    queue(store, 0, vec![reply("other", &Address::sms("+447700900888", "+447700900123"), 1)]).await;
    assert_eq!(claim_ids(store, 0).await, ["other", "text", "to 1", "to 2"]);
}

pub async fn a_retried_reply_holds_back_only_its_own_address(store: &dyn Store) {
    queue(store, 0, vec![reply("first", &chat(1), 1), reply("second", &chat(1), 2), reply("to 2", &chat(2), 1)]).await;
    claim(store, 0).await;
    settle(store, "first", 1, retry(60)).await;
    settle(store, "to 2", 1, sent()).await;
    queue(store, 2, vec![reply("to 2 again", &chat(2), 2)]).await;
    assert_eq!(claim_ids(store, 30).await, ["to 2 again"]);
    assert_eq!(claim_ids(store, 60).await, ["first", "to 2 again"]);
}

pub async fn claims_keep_to_their_limits_and_channels(store: &dyn Store) {
    for number in 1..=5 {
        queue(store, 0, vec![reply(&format!("reply {number}"), &chat(number), 1)]).await;
        queue(store, 0, vec![notice(&format!("notice {number}"), &chat(10 + number), at(0))]).await;
    }
    queue(store, 0, vec![reply("typed", &Address::console(Channel::Sms, "anna"), 1)]).await;
    let limited = |replies, initiated| Claim { replies, initiated, ..claim_of(1) };
    assert_eq!(store.claim(limited(0, 0)).await.unwrap(), []);
    assert_eq!(store.claim(Claim { channels: vec![], ..claim_of(1) }).await.unwrap(), []);
    assert_eq!(store.claim(limited(2, 1)).await.unwrap().len(), 3);
    assert_eq!(store.claim(limited(0, 3)).await.unwrap().len(), 3);
    assert_eq!(store.claim(limited(9, 9)).await.unwrap().len(), 4);
    let console = Claim { channels: vec![Channel::Console], ..claim_of(1) };
    assert_eq!(ids(store.claim(console).await.unwrap()), ["typed"]);
}

pub async fn the_longest_due_go_first(store: &dyn Store) {
    for (id, seconds, address) in [("late", 9, chat(1)), ("early", 1, chat(2)), ("text", 5, phone("+447700900123"))] {
        queue(store, seconds, vec![reply(id, &address, 1)]).await;
    }
    let mut order = Vec::new();
    for _ in 0..3 {
        order.extend(ids(store.claim(Claim { replies: 1, ..claim_of(10) }).await.unwrap()));
    }
    assert_eq!(order, ["early", "text", "late"]);
}

pub async fn a_claimed_reply_counts_an_attempt(store: &dyn Store) {
    queue(store, 0, vec![question("q", &chat(1), 1, 4)]).await;
    let claimed = claim(store, 5).await.remove(0);
    assert_eq!(claimed.work, Work::Send { text: words("q"), initiated: None });
    assert_eq!((claimed.address, claimed.question), (chat(1), Some(4)));
    assert_eq!((claimed.attempts, claimed.ambiguous, claimed.in_doubt), (1, 0, false));
    assert_eq!((claimed.created_at, claimed.first_attempt_at), (at(0), Some(at(5))));
    let entry = entry(store, &chat(1), "q").await;
    assert_eq!((entry.status, entry.attempts, entry.first_attempt_at), (EntryStatus::Leased, 1, Some(at(5))));
    settle(store, "q", 6, retry(7)).await;
    let again = claim(store, 7).await.remove(0);
    assert_eq!((again.attempts, again.first_attempt_at), (2, Some(at(5))));
}

pub async fn an_ended_lease_is_due_again_and_in_doubt(store: &dyn Store) {
    queue(store, 0, vec![reply("lost", &chat(1), 1), reply("next", &chat(1), 2)]).await;
    claim(store, 0).await;
    let again = claim(store, LEASE_SECONDS).await;
    assert_eq!(again.len(), 1);
    let claimed = &again[0];
    assert_eq!(claimed.id, "lost");
    assert_eq!((claimed.attempts, claimed.ambiguous, claimed.in_doubt), (2, 1, true));
    let third = claim(store, 2 * LEASE_SECONDS).await.remove(0);
    assert_eq!((third.attempts, third.ambiguous, third.in_doubt), (3, 2, true));
}

pub async fn a_lease_is_not_taken_over_before_its_end(store: &dyn Store) {
    queue(store, 0, vec![reply("leased", &chat(1), 1)]).await;
    claim(store, 0).await;
    let other = Claim { by: "courier-2".to_owned(), ..claim_of(LEASE_SECONDS - 1) };
    assert_eq!(store.claim(other).await.unwrap(), []);
    let other = Claim { by: "courier-2".to_owned(), ..claim_of(LEASE_SECONDS) };
    assert_eq!(store.claim(other).await.unwrap().len(), 1);
    // The first courier comes back: the message is no longer its own.
    settle(store, "leased", LEASE_SECONDS + 1, sent()).await;
    assert_eq!(status(store, &chat(1), "leased").await, EntryStatus::Leased);
}

pub async fn two_couriers_never_claim_the_same(store: &dyn Store) {
    for number in 1..=20 {
        queue(store, 0, vec![reply(&format!("reply {number}"), &chat(number), 1)]).await;
        queue(store, 0, vec![notice(&format!("notice {number}"), &chat(number + 100), at(0))]).await;
    }
    let by = |name: &str| Claim { by: name.to_owned(), replies: 7, initiated: 7, ..claim_of(1) };
    let mut all = Vec::new();
    while all.len() < 40 {
        let (one, other) = tokio::join!(store.claim(by("one")), store.claim(by("other")));
        let claimed = ids([one.unwrap(), other.unwrap()].concat());
        assert!(!claimed.is_empty(), "nothing left though {} of 40 are claimed", all.len());
        all.extend(claimed);
    }
    let claimed = all.len();
    all.sort();
    all.dedup();
    assert_eq!((claimed, all.len()), (40, 40));
}

pub async fn a_hold_stops_its_address_only(store: &dyn Store) {
    queue(store, 0, vec![reply("first", &chat(1), 1), reply("second", &chat(1), 2), notice("notice", &chat(1), at(0))])
        .await;
    claim(store, 0).await;
    settle(store, "first", 1, too_many(50)).await;
    queue(store, 2, vec![reply("third", &chat(1), 3), notice("late", &chat(1), at(2))]).await;
    queue(store, 2, vec![reply("to 2", &chat(2), 1), notice("notice 3", &chat(3), at(2))]).await;
    assert_eq!(claim_ids(store, 49).await, ["notice 3", "to 2"], "not even initiated messages go to a held address");
    assert_eq!(claim_ids(store, 50).await, ["first"]);
}

pub async fn a_second_hold_stops_initiated_messages_of_the_channel(store: &dyn Store) {
    let text = phone("+447700900123");
    queue(store, 0, vec![reply("r1", &chat(1), 1), reply("r2", &chat(2), 1)]).await;
    claim(store, 0).await;
    settle(store, "r1", 1, too_many(30)).await;
    queue(store, 1, vec![notice("n3", &chat(3), at(1))]).await;
    assert_eq!(claim_ids(store, 2).await, ["n3"], "one held chat does not stop the others");
    settle(store, "n3", 3, sent()).await;
    settle(store, "r2", 3, too_many(60)).await;
    queue(store, 4, vec![notice("n4", &chat(4), at(4)), notice("sms", &text, at(4)), reply("r5", &chat(5), 1)]).await;
    assert_eq!(claim_ids(store, 5).await, ["r5", "sms"], "replies, and other channels, go on");
    settle(store, "r5", 6, sent()).await;
    settle(store, "sms", 6, sent()).await;
    assert_eq!(claim_ids(store, 59).await, ["r1"], "its own hold has ended");
    assert_eq!(claim_ids(store, 60).await, ["n4", "r2"]);
}

pub async fn an_ended_hold_stops_nothing(store: &dyn Store) {
    queue(store, 0, vec![reply("r1", &chat(1), 1), reply("r2", &chat(2), 1), notice("n3", &chat(3), at(0))]).await;
    store.claim(Claim { initiated: 0, ..claim_of(0) }).await.unwrap();
    settle(store, "r1", 1, too_many(5)).await;
    settle(store, "r2", 5, too_many(60)).await;
    assert_eq!(claim_ids(store, 6).await, ["n3", "r1"], "the first hold had ended when the second began");
}

async fn next_due(store: &dyn Store) -> Option<i64> {
    let due = store.next_due(&[Channel::Telegram, Channel::Sms]).await.unwrap();
    due.map(|due| (due - at(0)).num_seconds())
}

pub async fn the_next_due_time_counts_leases_and_holds(store: &dyn Store) {
    assert_eq!(next_due(store).await, None);
    queue(store, 3, vec![reply("first", &chat(1), 1), reply("second", &chat(1), 2)]).await;
    assert_eq!(next_due(store).await, Some(3));
    assert_eq!(store.next_due(&[Channel::Console]).await.unwrap(), None);
    claim(store, 4).await;
    assert_eq!(next_due(store).await, Some(4 + LEASE_SECONDS), "the lease may be lost");
    settle(store, "first", 5, too_many(90)).await;
    assert_eq!(next_due(store).await, Some(90));
    queue(store, 6, vec![notice("notice", &chat(1), at(6))]).await;
    assert_eq!(next_due(store).await, Some(90), "held as well");
    queue(store, 7, vec![notice("other", &chat(2), at(7))]).await;
    assert_eq!(next_due(store).await, Some(7));
    claim(store, 8).await;
    settle(store, "other", 9, postponed(40)).await;
    assert_eq!(next_due(store).await, Some(40));
}

pub async fn the_next_due_time_counts_a_channels_hold(store: &dyn Store) {
    queue(store, 0, vec![reply("r1", &chat(1), 1), reply("r2", &chat(2), 1)]).await;
    claim(store, 0).await;
    settle(store, "r1", 1, too_many(80)).await;
    settle(store, "r2", 2, too_many(70)).await;
    queue(store, 3, vec![notice("n3", &chat(3), at(3))]).await;
    assert_eq!(next_due(store).await, Some(70), "or the courier would ask in vain, again and again");
    assert_eq!(claim_ids(store, 70).await, ["n3", "r2"]);
}
