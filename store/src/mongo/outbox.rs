//! Entries of the outbox: adding, dropping, listing.
//!
//! An entry is open, still to be delivered, as long as `open` is there; `fresh` as long as no courier has looked at it.

use chrono::{DateTime, Utc};
use domain::{address::Address, model::EventId};
use futures_util::TryStreamExt;
use mongodb::{
    Database,
    bson::{Bson, Document, doc, oid::ObjectId},
};

use super::{
    error::without_numbers,
    leases,
    schema::OUTBOX,
    shape::{self, Fields, as_number, date, number},
    transaction::{Failure, Txn},
};
use crate::{Content, DeliveryStatus, Entry, EntryStatus, NewEntry, OutboxCounts, Page, Result};

/// The statement that adds an entry, due at once. (An upsert, so that it fits into one command with others; where
/// there is such an entry already it inserts nothing.)
pub(super) fn add(entry: &NewEntry, at: DateTime<Utc>) -> Result<Document> {
    let mut document = doc! {
        "address": entry.address.to_string(),
        "channel": entry.address.channel.as_str(),
        "open": true,
        "fresh": true,
        "isReply": matches!(entry.content, Content::Reply { .. }),
        "onlyAsks": entry.only_asks,
        "status": EntryStatus::Pending.as_str(),
        "dueAt": date(at),
        "attempts": 0,
        "ambiguous": 0,
        "createdAt": date(at),
        // Tells entries of one moment apart: it rises.
        "seq": ObjectId::new(),
    };
    match &entry.content {
        Content::Reply { version, place, text } => {
            document.insert("order1", number(*version));
            document.insert("order2", i64::from(*place));
            document.insert("text", shape::stored(text)?);
        }
        Content::Initiated(initiated) => {
            document.insert("order1", initiated.decided_at.timestamp_millis());
            document.insert("order2", 0_i64);
            document.insert("initiated", shape::stored(initiated)?);
        }
    }
    if let Some(question) = entry.question {
        document.insert("question", number(question));
    }
    Ok(doc! { "q": { "_id": &entry.id }, "u": { "$setOnInsert": document }, "upsert": true })
}

/// What an entry that is finished has, and has no more.
pub(super) fn finished(status: EntryStatus, at: DateTime<Utc>, reason: Option<&str>) -> Document {
    let mut set = doc! { "status": status.as_str(), "finishedAt": date(at) };
    let mut unset = doc! { "open": "", "fresh": "", "leasedBy": "", "inDoubt": "" };
    match reason {
        Some(reason) => drop(set.insert("reason", reason)),
        None => drop(unset.insert("reason", "")),
    }
    doc! { "$set": set, "$unset": unset }
}

/// The statement that drops waiting questions to an address that are older than `question`.
///
/// One that is on its way, or may have arrived, is not undelivered for certain and stays.
pub(super) fn drop_replaced(address: &Address, question: u64, at: DateTime<Utc>) -> Document {
    doc! {
        "q": {
            "address": address.to_string(), "open": true, "status": EntryStatus::Pending.as_str(), "onlyAsks": true,
            "question": { "$lt": number(question) }, "ambiguous": 0,
        },
        "u": finished(EntryStatus::Dropped, at, Some("replaced by a newer question")),
        "multi": true,
    }
}

/// Why an entry is dropped whose person wants to hear nothing more.
pub(super) const OPTED_OUT: &str = "opted out";

/// Drops everything that waits for an address whose person wants to hear nothing more. What is on its way has its
/// last attempt: it is `withdrawn`.
pub(super) async fn drop_waiting(
    txn: &mut Txn,
    address: &Address,
    at: DateTime<Utc>,
) -> std::result::Result<(), Failure> {
    let open = |status: EntryStatus| doc! { "address": address.to_string(), "open": true, "status": status.as_str() };
    let statements = [
        (EntryStatus::Pending, finished(EntryStatus::Dropped, at, Some(OPTED_OUT))),
        (EntryStatus::Leased, doc! { "$set": { "withdrawn": true } }),
    ];
    let statements = statements.map(|(status, update)| doc! { "q": open(status), "u": update, "multi": true });
    let changed = txn.update(OUTBOX, statements.into()).await?.changed;
    if changed > 0 { leases::refresh(txn, [address.to_string()]).await } else { Ok(()) }
}

/// How an entry is named in errors.
pub(super) fn shown(document: &Document) -> String {
    without_numbers(document.get_str("_id").unwrap_or_default())
}

pub(super) fn read(document: &Document) -> Result<Entry> {
    let id = shown(document);
    let fields = Fields { collection: OUTBOX, id: &id, document };
    Ok(Entry {
        id: fields.text("_id")?,
        address: fields.needed("address", |value| value.as_str()?.parse().ok())?,
        status: fields.needed("status", |value| EntryStatus::from_stored(value.as_str()?))?,
        is_reply: fields.needed("isReply", Bson::as_bool)?,
        question: fields.optional("question", as_number)?,
        only_asks: fields.flag("onlyAsks")?,
        text: fields.part("text")?,
        initiated: fields.part("initiated")?,
        attempts: fields.count("attempts")?,
        due_at: fields.date("dueAt")?,
        created_at: fields.date("createdAt")?,
        first_attempt_at: fields.optional_date("firstAttemptAt")?,
        provider_id: fields.optional("providerId", shape::as_text)?,
        delivery: delivery(&fields, "delivery")?,
        reason: fields.optional("reason", shape::as_text)?,
    })
}

/// The delivery status in a field, if any.
pub(super) fn delivery(fields: &Fields<'_>, field: &str) -> Result<Option<DeliveryStatus>> {
    fields.optional(field, |value| DeliveryStatus::from_stored(value.as_str()?))
}

/// Replies in their order, then initiated messages in theirs. Looks at every entry: for the host's eyes only.
pub(super) async fn to(database: &Database, address: &Address) -> Result<Vec<Entry>> {
    let found = database
        .collection::<Document>(OUTBOX)
        .find(doc! { "address": address.to_string() })
        .sort(doc! { "isReply": -1, "order1": 1, "order2": 1, "_id": 1 })
        .await?;
    found.try_collect::<Vec<_>>().await?.iter().map(read).collect()
}

pub(super) async fn page(database: &Database, status: EntryStatus, page: &Page<String>) -> Result<Vec<Entry>> {
    let outbox = database.collection::<Document>(OUTBOX);
    if page.limit == 0 {
        // To the server it would mean all of them.
        return Ok(Vec::new());
    }
    let mut filter = doc! { "status": status.as_str() };
    if let Some(after) = &page.after {
        let Some(last) = outbox.find_one(doc! { "_id": after }).await? else { return Ok(Vec::new()) };
        let created = last.get("createdAt").cloned().unwrap_or(Bson::Null);
        let seq = last.get("seq").cloned().unwrap_or(Bson::Null);
        filter.insert(
            "$or",
            vec![
                doc! { "createdAt": { "$gt": created.clone() } },
                doc! { "createdAt": created, "seq": { "$gt": seq } },
            ],
        );
    }
    let sort = doc! { "createdAt": 1, "seq": 1 };
    let found = outbox.find(filter).sort(sort).limit(i64::from(page.limit)).await?;
    found.try_collect::<Vec<_>>().await?.iter().map(read).collect()
}

pub(super) async fn counts(database: &Database) -> Result<OutboxCounts> {
    let all: Vec<&str> = EntryStatus::ALL.into_iter().map(EntryStatus::as_str).collect();
    count(database, doc! { "status": { "$in": all } }).await
}

/// The same of the entries whose ids begin so.
pub(super) async fn counts_of(database: &Database, prefix: &str) -> Result<OutboxCounts> {
    count(database, doc! { "_id": begins(prefix) }).await
}

fn begins(prefix: &str) -> Document {
    doc! { "$gte": prefix, "$lt": format!("{prefix}{}", char::MAX) }
}

/// Entries whose ids begin so, by id.
pub(super) async fn of(database: &Database, prefix: &str, status: EntryStatus, limit: u32) -> Result<Vec<Entry>> {
    if limit == 0 {
        // To the server it would mean all of them.
        return Ok(Vec::new());
    }
    let filter = doc! { "_id": begins(prefix), "status": status.as_str() };
    let outbox = database.collection::<Document>(OUTBOX);
    let found = outbox.find(filter).sort(doc! { "_id": 1 }).limit(i64::from(limit)).await?;
    found.try_collect::<Vec<_>>().await?.iter().map(read).collect()
}

/// Initiated messages about an event that are open, or went out since.
pub(super) async fn initiated_since(database: &Database, event: &EventId, since: DateTime<Utc>) -> Result<Vec<Entry>> {
    let open = doc! { "finishedAt": Bson::Null, "status": { "$in": ["pending", "leased"] } };
    let sent = doc! { "finishedAt": { "$gte": date(since) }, "status": EntryStatus::Sent.as_str() };
    let filter = doc! { "initiated.event": event.as_str(), "isReply": false, "$or": [open, sent] };
    let found = database.collection::<Document>(OUTBOX).find(filter).await?;
    found.try_collect::<Vec<_>>().await?.iter().map(read).collect()
}

async fn count(database: &Database, filter: Document) -> Result<OutboxCounts> {
    let pipeline = [doc! { "$match": filter }, doc! { "$group": { "_id": "$status", "count": { "$sum": 1 } } }];
    let mut found = database.collection::<Document>(OUTBOX).aggregate(pipeline).await?;
    let mut counts = OutboxCounts::default();
    while let Some(group) = found.try_next().await? {
        let count = group.get("count").and_then(as_number).unwrap_or(0);
        match group.get_str("_id").ok().and_then(EntryStatus::from_stored) {
            Some(EntryStatus::Pending) => counts.pending = count,
            Some(EntryStatus::Leased) => counts.leased = count,
            Some(EntryStatus::Sent) => counts.sent = count,
            Some(EntryStatus::Failed) => counts.failed = count,
            Some(EntryStatus::Unknown) => counts.unknown = count,
            Some(EntryStatus::Dropped) => counts.dropped = count,
            None => {}
        }
    }
    Ok(counts)
}

pub(super) async fn known_provider_ids(database: &Database, ids: &[String]) -> Result<Vec<String>> {
    let found = database
        .collection::<Document>(OUTBOX)
        .find(doc! { "providerId": { "$in": ids } })
        .projection(doc! { "providerId": 1 })
        .await?;
    let found: Vec<Document> = found.try_collect().await?;
    let is_known =
        |id: &&String| found.iter().any(|entry| entry.get_str("providerId").is_ok_and(|known| known == id.as_str()));
    Ok(ids.iter().filter(is_known).cloned().collect())
}
