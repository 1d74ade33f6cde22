//! Messages that Convive starts: behind replies, in their order, put into words when they are first sent.

use super::builders::*;
use crate::{Committed, EntryStatus, FirstAttempt, Store, Work};

pub async fn replies_go_before_initiated_messages(store: &dyn Store) {
    queue(store, 0, vec![notice("notice", &chat(1), at(0))]).await;
    queue(store, 1, vec![reply("first", &chat(1), 1), reply("second", &chat(1), 2)]).await;
    for expected in ["first", "second", "notice"] {
        assert_eq!(claim_ids(store, 2).await, [expected]);
        settle(store, expected, 2, sent()).await;
    }
}

pub async fn initiated_messages_do_not_wait_for_a_reply_that_is_due_later(store: &dyn Store) {
    queue(store, 0, vec![reply("reply", &chat(1), 1), notice("notice", &chat(1), at(0))]).await;
    claim(store, 0).await;
    settle(store, "reply", 1, retry(60)).await;
    assert_eq!(claim_ids(store, 2).await, ["notice"]);
    settle(store, "notice", 3, retry(60)).await;
    assert_eq!(claim_ids(store, 60).await, ["reply"], "now both are due");
}

pub async fn initiated_messages_go_in_the_order_of_their_decision(store: &dyn Store) {
    queue(store, 9, vec![notice("b", &chat(1), at(2)), notice("c", &chat(1), at(2)), notice("z", &chat(1), at(1))])
        .await;
    queue(store, 9, vec![notice("a", &chat(1), at(2))]).await;
    for expected in ["z", "a", "b", "c"] {
        assert_eq!(claim_ids(store, 9).await, [expected]);
        settle(store, expected, 9, sent()).await;
    }
}

pub async fn what_waits_for_its_window_holds_nothing_back(store: &dyn Store) {
    queue(store, 0, vec![notice("tomorrow", &chat(1), at(0))]).await;
    claim(store, 0).await;
    settle(store, "tomorrow", 1, postponed(1000)).await;
    queue(store, 2, vec![notice("urgent", &chat(1), at(2)), notice("too", &chat(1), at(3))]).await;
    assert_eq!(claim_ids(store, 3).await, ["urgent"]);
    settle(store, "urgent", 4, sent()).await;
    assert_eq!(claim_ids(store, 5).await, ["too"]);
    settle(store, "too", 6, sent()).await;
    assert_eq!(claim_ids(store, 999).await, [""; 0]);
    assert_eq!(claim_ids(store, 1000).await, ["tomorrow"]);
}

/// Claims and records the first attempt of this message.
async fn begin(store: &dyn Store, id: &str, seconds: i64) {
    assert!(claim_ids(store, seconds).await.contains(&id.to_owned()));
    assert_eq!(store.begin_attempt(first_attempt(id, seconds)).await.unwrap(), Committed::Done);
}

fn first_attempt(id: &str, seconds: i64) -> FirstAttempt {
    FirstAttempt {
        id: id.to_owned(),
        by: COURIER.to_owned(),
        at: at(seconds),
        text: words("Ben answered for you."),
        question: None,
        conversation: None,
    }
}

pub async fn what_is_retried_holds_back_what_was_decided_later(store: &dyn Store) {
    queue(store, 0, vec![notice("waits", &chat(1), at(0))]).await;
    claim(store, 0).await;
    settle(store, "waits", 0, postponed(50)).await;
    queue(store, 1, vec![notice("retried", &chat(1), at(1)), notice("later", &chat(1), at(2))]).await;
    begin(store, "retried", 3).await;
    settle(store, "retried", 4, retry(100)).await;
    assert_eq!(claim_ids(store, 49).await, [""; 0]);
    assert_eq!(claim_ids(store, 50).await, ["waits"], "what was decided before is not held back");
    settle(store, "waits", 51, sent()).await;
    assert_eq!(claim_ids(store, 99).await, [""; 0]);
    assert_eq!(claim_ids(store, 100).await, ["retried"]);
    settle(store, "retried", 101, sent()).await;
    assert_eq!(claim_ids(store, 101).await, ["later"]);
}

pub async fn one_entry_of_an_address_is_in_flight(store: &dyn Store) {
    queue(store, 0, vec![notice("first", &chat(1), at(0)), notice("second", &chat(1), at(1))]).await;
    assert_eq!(claim_ids(store, 2).await, ["first"]);
    queue(store, 3, vec![reply("reply", &chat(1), 1)]).await;
    assert_eq!(claim_ids(store, 4).await, [""; 0], "the notice is being sent");
    // The courier was lost: the reply goes first now.
    assert_eq!(claim_ids(store, 2 + LEASE_SECONDS).await, ["reply"]);
    settle(store, "reply", 40, sent()).await;
    assert_eq!(claim_ids(store, 41).await, ["first"]);
}

pub async fn an_initiated_message_is_leased_without_an_attempt(store: &dyn Store) {
    let decided = notice("notice", &chat(1), at(0));
    queue(store, 1, vec![decided.clone()]).await;
    let claimed = claim(store, 2).await.remove(0);
    let crate::Content::Initiated(initiated) = decided.content else { unreachable!("a notice") };
    assert_eq!(claimed.work, Work::Render(initiated.clone()));
    assert_eq!((claimed.attempts, claimed.ambiguous, claimed.first_attempt_at), (0, 0, None));
    assert_eq!((claimed.created_at, claimed.question), (at(1), None));
    let entry = entry(store, &chat(1), "notice").await;
    assert_eq!((entry.status, entry.is_reply, entry.text), (EntryStatus::Leased, false, None));
    assert_eq!(entry.initiated, Some(initiated));
}

pub async fn a_lease_without_an_attempt_ends_without_a_doubt(store: &dyn Store) {
    queue(store, 0, vec![notice("notice", &chat(1), at(0))]).await;
    claim(store, 0).await;
    let again = claim(store, LEASE_SECONDS).await.remove(0);
    assert!(matches!(again.work, Work::Render(_)));
    assert_eq!((again.attempts, again.ambiguous, again.in_doubt), (0, 0, false));
}

pub async fn a_first_attempt_keeps_the_words(store: &dyn Store) {
    queue(store, 0, vec![notice("notice", &chat(1), at(0))]).await;
    begin(store, "notice", 1).await;
    let stored = entry(store, &chat(1), "notice").await;
    assert_eq!(stored.text, Some(words("Ben answered for you.")));
    assert_eq!((stored.attempts, stored.first_attempt_at), (1, Some(at(1))));
    settle(store, "notice", 2, retry(5)).await;
    let again = claim(store, 5).await.remove(0);
    assert!(matches!(again.work, Work::Send { initiated: Some(_), ref text } if text.text == "Ben answered for you."));
    assert_eq!((again.attempts, again.ambiguous), (2, 0));
    let lost = claim(store, 5 + LEASE_SECONDS).await.remove(0);
    assert_eq!((lost.attempts, lost.ambiguous, lost.in_doubt), (3, 1, true));
}

pub async fn a_first_attempt_opens_its_question(store: &dyn Store) {
    queue(store, 0, vec![reply("statement", &chat(1), 1), question("older", &chat(1), 2, 1)]).await;
    claim(store, 0).await;
    settle(store, "statement", 0, retry(500)).await;
    queue(store, 1, vec![notice("reminder", &chat(1), at(1))]).await;
    claim(store, 1).await;
    let conversation = Some(asked(conversation(&chat(1), &[]), 2));
    let first = FirstAttempt { question: Some(2), conversation, ..first_attempt("reminder", 2) };
    assert_eq!(store.begin_attempt(first).await.unwrap(), Committed::Done);
    let loaded = load(store, &chat(1)).await;
    assert_eq!((loaded.conversation.version, loaded.conversation.dialogue.asked), (1, 2));
    assert_eq!(loaded.question_attempted_at, Some(at(2)));
    assert_eq!(entry(store, &chat(1), "reminder").await.question, Some(2));
    assert_eq!(status(store, &chat(1), "older").await, EntryStatus::Dropped, "a newer question is open");
    assert_eq!(status(store, &chat(1), "statement").await, EntryStatus::Pending);
}

pub async fn a_first_attempt_needs_the_lease(store: &dyn Store) {
    queue(store, 0, vec![notice("notice", &chat(1), at(0))]).await;
    let begin = async |attempt| store.begin_attempt(attempt).await.unwrap();
    assert_eq!(begin(first_attempt("notice", 1)).await, Committed::Stale, "not claimed");
    assert_eq!(begin(first_attempt("unknown", 1)).await, Committed::Stale);
    claim(store, 1).await;
    let other = FirstAttempt { by: "courier-2".to_owned(), ..first_attempt("notice", 1) };
    assert_eq!(begin(other).await, Committed::Stale, "another's lease");
    assert_eq!(begin(first_attempt("notice", 1 + LEASE_SECONDS)).await, Committed::Stale, "the lease has ended");
    assert_eq!(begin(first_attempt("notice", LEASE_SECONDS)).await, Committed::Done);
    assert_eq!(begin(first_attempt("notice", LEASE_SECONDS)).await, Committed::Stale, "begun already");
    assert_eq!(entry(store, &chat(1), "notice").await.attempts, 1);
}

pub async fn a_first_attempt_needs_the_conversation_as_it_was(store: &dyn Store) {
    remember(store, vec![conversation(&chat(1), &[])]).await;
    queue(store, 0, vec![notice("notice", &chat(1), at(0))]).await;
    claim(store, 0).await;
    let opening = |version| {
        let conversation = domain::conversation::Conversation { version, ..conversation(&chat(1), &[]) };
        FirstAttempt { question: Some(1), conversation: Some(asked(conversation, 1)), ..first_attempt("notice", 1) }
    };
    assert_eq!(store.begin_attempt(opening(0)).await.unwrap(), Committed::Stale);
    assert_eq!(entry(store, &chat(1), "notice").await.text, None, "nothing was written");
    assert_eq!(store.begin_attempt(opening(1)).await.unwrap(), Committed::Done);
    assert_eq!(load(store, &chat(1)).await.conversation.version, 2);
}
