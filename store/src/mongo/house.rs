//! Activity, and what is only kept for a while.

use std::collections::BTreeSet;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use domain::{
    activity::Activity,
    address::Address,
    conversation::Conversation,
    model::{EventId, GuestId},
};
use futures_util::TryStreamExt;
use mongodb::{
    Database,
    bson::{Bson, Document, doc},
};

use super::{
    conversations, leases,
    schema::{ACTIVITY, CONVERSATIONS, EARLY_REPORTS, FAILURES, GUESTS, INBOX, JOBS, LEASES, META, META_ID, OUTBOX},
    shape::{self, Fields, as_guest_id, date, guest_ids},
    transaction::{End, Failure, Outcome, Txn, Work},
};
use crate::Result;

pub(super) fn read_activity(document: Document) -> Result<Activity> {
    let id = document.get_object_id("_id").map(|id| id.to_hex()).unwrap_or_default();
    shape::read(ACTIVITY, &id, Bson::Document(document))
}

pub(super) async fn activity(database: &Database, event: &EventId, since: DateTime<Utc>) -> Result<Vec<Activity>> {
    let found = database
        .collection::<Document>(ACTIVITY)
        .find(doc! { "eventId": event.as_str(), "at": { "$gte": date(since) } })
        .sort(doc! { "at": 1, "_id": 1 })
        .await?;
    found.try_collect::<Vec<_>>().await?.into_iter().map(read_activity).collect()
}

pub(super) async fn progress(database: &Database, job: &str) -> Result<Option<DateTime<Utc>>> {
    let found = database.collection::<Document>(JOBS).find_one(doc! { "_id": job }).await?;
    found.map(|document| Fields { collection: JOBS, id: job, document: &document }.date("reached")).transpose()
}

pub(super) async fn known_keys(database: &Database, keys: &[String]) -> Result<Vec<String>> {
    let filter = doc! { "_id": { "$in": keys }, "isMark": { "$exists": false } };
    let found = database.collection::<Document>(INBOX).find(filter).projection(doc! { "_id": 1 }).await?;
    let found: Vec<Document> = found.try_collect().await?;
    Ok(found.iter().filter_map(|document| Some(document.get_str("_id").ok()?.to_owned())).collect())
}

pub(super) async fn expire(database: &Database, before: DateTime<Utc>) -> Result<u64> {
    let old = doc! { "$lt": date(before) };
    // What commits without a key leave behind to be recognised by is no message.
    delete(database, INBOX, doc! { "at": old.clone(), "isMark": true }).await?;
    let nothing_open = doc! {
        "heldUntil": old.clone(), "replyAt": { "$exists": false }, "initiatedAt": { "$exists": false },
    };
    let mut deleted = 0;
    for (collection, filter) in [
        (INBOX, doc! { "at": old.clone() }),
        (OUTBOX, doc! { "finishedAt": old.clone() }),
        (FAILURES, doc! { "at": old.clone() }),
        (EARLY_REPORTS, doc! { "at": old }),
        (LEASES, nothing_open),
    ] {
        deleted += delete(database, collection, filter).await?;
    }
    Ok(deleted)
}

async fn delete(database: &Database, collection: &str, filter: Document) -> Result<u64> {
    Ok(database.collection::<Document>(collection).delete_many(filter).await?.deleted_count)
}

/// Deletes the conversations that only serve guests of an event, their entries, and the event's activity.
pub(super) struct Forgetting {
    pub event: EventId,
}

#[async_trait]
impl Work for Forgetting {
    type Done = u64;

    async fn run(&self, txn: &mut Txn) -> Outcome<u64> {
        let guests = txn.find(GUESTS, doc! { "eventId": self.event.as_str() }, doc! {}).await?;
        let guests: Vec<GuestId> = guests.iter().filter_map(|guest| guest.get("_id").and_then(as_guest_id)).collect();
        let found = txn.find(CONVERSATIONS, doc! { "logins": { "$in": guest_ids(&guests) } }, doc! {}).await?;
        let mut forgotten = BTreeSet::new();
        for document in found {
            let conversation = conversations::read(document)?.conversation;
            let others: Vec<GuestId> =
                conversation.logins.iter().copied().filter(|login| !guests.contains(login)).collect();
            let serves_others = !others.is_empty()
                && txn.find_one(GUESTS, doc! { "_id": { "$in": guest_ids(&others) } }).await?.is_some();
            if !serves_others {
                forget(txn, &conversation).await?;
                forgotten.insert(conversation.address);
            }
        }
        delete_entries_to(txn, &forgotten).await?;
        txn.delete(ACTIVITY, vec![doc! { "q": { "eventId": self.event.as_str() }, "limit": 0 }]).await?;
        Ok(End::Keep(forgotten.len() as u64))
    }
}

/// Deletes a conversation; of one that opted out, that alone stays: it holds for the next event too.
async fn forget(txn: &mut Txn, conversation: &Conversation) -> std::result::Result<(), Failure> {
    if !conversation.opted_out {
        return delete_conversation(txn, &conversation.address).await;
    }
    conversations::change(txn, &conversation.address, |conversation| {
        let version = conversation.version;
        *conversation = Conversation { opted_out: true, version, ..Conversation::new(conversation.address.clone()) };
    })
    .await?;
    Ok(())
}

pub(super) async fn delete_conversation(txn: &mut Txn, address: &Address) -> std::result::Result<(), Failure> {
    txn.delete(CONVERSATIONS, vec![doc! { "q": { "_id": address.to_string() }, "limit": 1 }]).await?;
    Ok(())
}

/// Deletes all entries to these addresses, and their leases.
pub(super) async fn delete_entries_to(
    txn: &mut Txn,
    addresses: &BTreeSet<Address>,
) -> std::result::Result<(), Failure> {
    if addresses.is_empty() {
        return Ok(());
    }
    let addresses: Vec<String> = addresses.iter().map(Address::to_string).collect();
    txn.delete(OUTBOX, vec![doc! { "q": { "address": { "$in": &addresses } }, "limit": 0 }]).await?;
    txn.delete(LEASES, vec![doc! { "q": { "_id": { "$in": &addresses } }, "limit": 0 }]).await?;
    Ok(())
}

/// Deletes single entries; the leases of their addresses are worked out anew.
pub(super) async fn delete_entries(
    txn: &mut Txn,
    ids: Vec<String>,
    addresses: BTreeSet<String>,
) -> std::result::Result<(), Failure> {
    if ids.is_empty() {
        return Ok(());
    }
    txn.delete(OUTBOX, vec![doc! { "q": { "_id": { "$in": ids } }, "limit": 0 }]).await?;
    leases::refresh(txn, addresses).await
}

/// Writes something, to learn whether that is possible.
pub(super) async fn beat(database: &Database) -> Result<()> {
    let meta = database.collection::<Document>(META);
    if meta.find_one(doc! { "_id": META_ID }).await?.is_none() {
        // Without it nobody's message can be taken.
        return Err(super::meta_is_gone());
    }
    meta.update_one(doc! { "_id": "heartbeat" }, doc! { "$inc": { "beats": 1_i64 } }).upsert(true).await?;
    Ok(())
}
