//! What providers say of messages later, in any order.

use domain::conversation::Conversation;

use super::builders::*;
use crate::{DeliveryReport, DeliveryStatus, EntryStatus, Outcome, Page, Store};

const OURS: &str = "SM1";

fn to() -> domain::address::Address {
    phone("+447700900123")
}

fn word(status: DeliveryStatus, error: Option<&str>) -> DeliveryReport {
    DeliveryReport { provider_id: OURS.to_owned(), at: at(5), status, error: error.map(str::to_owned), opted_out: None }
}

async fn report(store: &dyn Store, status: DeliveryStatus) {
    store.report_delivery(word(status, None)).await.unwrap();
}

/// A text that the provider took as [`OURS`].
async fn take(store: &dyn Store) {
    queue(store, 0, vec![reply("text", &to(), 1)]).await;
    claim(store, 0).await;
    settle(store, "text", 1, Outcome::Sent { provider_id: Some(OURS.to_owned()) }).await;
}

async fn delivery(store: &dyn Store) -> Option<DeliveryStatus> {
    entry(store, &to(), "text").await.delivery
}

pub async fn a_report_is_kept_with_its_message(store: &dyn Store) {
    take(store).await;
    assert_eq!(delivery(store).await, None);
    store.report_delivery(word(DeliveryStatus::Undelivered, Some("30005"))).await.unwrap();
    let entry = entry(store, &to(), "text").await;
    assert_eq!((entry.status, entry.delivery), (EntryStatus::Failed, Some(DeliveryStatus::Undelivered)));
    assert_eq!((entry.reason.as_deref(), entry.due_at), (Some("30005"), at(5)), "and when it was reported");
    let failed = store.entries(EntryStatus::Failed, Page { after: None, limit: 10 }).await.unwrap();
    assert_eq!(failed.into_iter().map(|entry| entry.id).collect::<Vec<_>>(), ["text"]);
}

pub async fn a_later_word_of_lower_rank_changes_nothing(store: &dyn Store) {
    take(store).await;
    for (word, expected) in [
        (DeliveryStatus::Queued, DeliveryStatus::Queued),
        (DeliveryStatus::Sent, DeliveryStatus::Sent),
        (DeliveryStatus::Sending, DeliveryStatus::Sent),
        (DeliveryStatus::Accepted, DeliveryStatus::Sent),
        (DeliveryStatus::Delivered, DeliveryStatus::Delivered),
        (DeliveryStatus::Sent, DeliveryStatus::Delivered),
        (DeliveryStatus::Failed, DeliveryStatus::Delivered),
        (DeliveryStatus::Read, DeliveryStatus::Read),
        (DeliveryStatus::Delivered, DeliveryStatus::Read),
    ] {
        report(store, word).await;
        assert_eq!(delivery(store).await, Some(expected), "after {word:?}");
    }
}

pub async fn a_final_word_stays(store: &dyn Store) {
    take(store).await;
    store.report_delivery(word(DeliveryStatus::Failed, Some("30006"))).await.unwrap();
    store.report_delivery(word(DeliveryStatus::Undelivered, Some("30005"))).await.unwrap();
    report(store, DeliveryStatus::Read).await;
    let entry = entry(store, &to(), "text").await;
    assert_eq!((entry.delivery, entry.reason.as_deref()), (Some(DeliveryStatus::Failed), Some("30006")));
}

pub async fn an_early_report_waits_for_its_message(store: &dyn Store) {
    store.report_delivery(word(DeliveryStatus::Undelivered, Some("30005"))).await.unwrap();
    report(store, DeliveryStatus::Sent).await;
    take(store).await;
    let entry = entry(store, &to(), "text").await;
    assert_eq!((entry.delivery, entry.reason.as_deref()), (Some(DeliveryStatus::Undelivered), Some("30005")));
    assert_eq!(entry.status, EntryStatus::Failed);
}

pub async fn an_early_report_expires(store: &dyn Store) {
    report(store, DeliveryStatus::Delivered).await;
    assert_eq!(store.expire(at(5)).await.unwrap(), 0);
    assert_eq!(store.expire(at(6)).await.unwrap(), 1);
    take(store).await;
    assert_eq!(delivery(store).await, None);
}

fn opted_out() -> DeliveryReport {
    DeliveryReport { opted_out: Some(to()), ..word(DeliveryStatus::Failed, Some("21610")) }
}

pub async fn an_opt_out_is_marked_once(store: &dyn Store) {
    take(store).await;
    store.report_delivery(opted_out()).await.unwrap();
    let marked = load(store, &to()).await.conversation;
    assert_eq!((marked.opted_out, marked.version), (true, 1), "known from now on");
    let back = Conversation { opted_out: false, ..marked };
    remember(store, vec![back]).await;
    store.report_delivery(opted_out()).await.unwrap();
    assert!(!load(store, &to()).await.conversation.opted_out, "a repeated report does not undo a START");
}

pub async fn an_opt_out_drops_what_waits(store: &dyn Store) {
    remember(store, vec![conversation(&to(), &[1])]).await;
    queue(store, 6, vec![reply("waits", &to(), 2), reply("elsewhere", &chat(1), 1)]).await;
    // Even a report that comes before its message.
    store.report_delivery(opted_out()).await.unwrap();
    assert_eq!(status(store, &to(), "waits").await, EntryStatus::Dropped);
    assert_eq!(claim_ids(store, 7).await, ["elsewhere"]);
    let marked = load(store, &to()).await.conversation;
    assert_eq!(marked, Conversation { opted_out: true, version: 2, ..conversation(&to(), &[1]) });
}

pub async fn known_provider_ids_are_told_apart(store: &dyn Store) {
    take(store).await;
    let ids = ["SM0", OURS, "SM2"].map(str::to_owned);
    assert_eq!(store.known_provider_ids(&ids).await.unwrap(), [OURS]);
    assert_eq!(store.known_provider_ids(&[]).await.unwrap(), [""; 0]);
}
