//! Everything that is kept, as records.

use async_trait::async_trait;
use domain::{activity::Activity, model::GroupKey};
use futures_util::TryStreamExt;
use mongodb::{
    Database,
    bson::{Bson, Document, doc, oid::ObjectId},
};

use super::{
    MongoStore, conversations,
    error::without_numbers,
    guests, house, outbox,
    schema::{ACTIVITY, CONVERSATIONS, EARLY_REPORTS, EVENTS, GROUPS, GUESTS, INBOX, JOBS, LEASES, OUTBOX},
    shape::{self, Fields, as_number, as_text, date, number},
};
use crate::{
    DeliveryStatus, EntryStatus, Page, Result, StoreError,
    archive::{Archive, EntryRecord, Record, RecordKind},
};

impl RecordKind {
    fn collection(self) -> &'static str {
        match self {
            Self::Events => EVENTS,
            Self::Guests => GUESTS,
            Self::Groups => GROUPS,
            Self::Conversations => CONVERSATIONS,
            Self::Activity => ACTIVITY,
            Self::Inbox => INBOX,
            Self::Outbox => OUTBOX,
            Self::Holds => LEASES,
            Self::Reports => EARLY_REPORTS,
            Self::Jobs => JOBS,
        }
    }

    /// What of the collection is meant.
    fn filter(self) -> Document {
        match self {
            Self::Inbox => doc! { "isMark": { "$exists": false } },
            Self::Holds => doc! { "heldUntil": { "$exists": true } },
            _ => doc! {},
        }
    }
}

#[async_trait]
impl Archive for MongoStore {
    async fn is_empty(&self) -> Result<bool> {
        for kind in RecordKind::ALL {
            let collection = self.database.collection::<Document>(kind.collection());
            if collection.find_one(kind.filter()).await?.is_some() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    async fn count(&self, kind: RecordKind) -> Result<u64> {
        Ok(self.database.collection::<Document>(kind.collection()).count_documents(kind.filter()).await?)
    }

    async fn dump(&self, kind: RecordKind, page: Page<String>) -> Result<Vec<(String, Record)>> {
        if kind == RecordKind::Activity {
            return dump_activity(&self.database, &page).await;
        }
        let mut filter = kind.filter();
        match &page.after {
            Some(after) => drop(filter.insert("_id", doc! { "$gt": id_of(kind, after) })),
            None if kind == RecordKind::Guests => {
                drop(filter.insert("_id", doc! { "$gte": ObjectId::from_bytes([0; 12]) }))
            }
            None => drop(filter.insert("_id", doc! { "$gte": "" })),
        }
        let collection = self.database.collection::<Document>(kind.collection());
        let found = collection.find(filter).sort(doc! { "_id": 1 }).limit(i64::from(page.limit)).await?;
        let found: Vec<Document> = found.try_collect().await?;
        found.into_iter().map(|document| read(kind, document)).collect()
    }

    async fn restore(&self, records: Vec<Record>) -> Result<()> {
        for record in grouped(records)? {
            let (collection, documents) = record;
            if collection == LEASES {
                self.restore_holds(documents).await?;
            } else {
                self.database.collection::<Document>(collection).insert_many(documents).await.map_err(there_already)?;
            }
        }
        Ok(())
    }
}

impl MongoStore {
    async fn restore_holds(&self, holds: Vec<Document>) -> Result<()> {
        let statement = |mut hold: Document| {
            let id = hold.remove("_id").unwrap_or(Bson::Null);
            doc! { "q": { "_id": id }, "u": { "$set": hold }, "upsert": true }
        };
        let updates: Vec<Document> = holds.into_iter().map(statement).collect();
        self.database.run_command(doc! { "update": LEASES, "updates": updates }).await?;
        Ok(())
    }
}

fn there_already(error: mongodb::error::Error) -> StoreError {
    if super::error::is_duplicate(&error) {
        return StoreError::Unusable("the store has records with the same ids or codes already".to_owned());
    }
    error.into()
}

fn id_of(kind: RecordKind, text: &str) -> Bson {
    match (kind, ObjectId::parse_str(text)) {
        (RecordKind::Guests, Ok(id)) => Bson::ObjectId(id),
        _ => Bson::String(text.to_owned()),
    }
}

fn read(kind: RecordKind, document: Document) -> Result<(String, Record)> {
    let id = match document.get("_id") {
        Some(Bson::ObjectId(id)) => id.to_hex(),
        id => id.and_then(as_text).unwrap_or_default(),
    };
    let shown = without_numbers(&id);
    let fields = Fields { collection: kind.collection(), id: &shown, document: &document };
    let record = match kind {
        RecordKind::Events => Record::Event(Box::new(guests::read_event(document)?)),
        RecordKind::Guests => Record::Guest(Box::new(guests::read(document)?)),
        RecordKind::Groups => {
            Record::Group { key: GroupKey(id.clone()), version: fields.needed("version", as_number)? }
        }
        RecordKind::Conversations => {
            let found = conversations::read(document)?;
            let attempted = found.attempted();
            Record::Conversation { conversation: Box::new(found.conversation), attempted }
        }
        RecordKind::Activity => Record::Activity(Box::new(house::read_activity(document)?)),
        RecordKind::Inbox => Record::Key { key: id.clone(), at: fields.date("at")? },
        RecordKind::Outbox => Record::Entry(Box::new(read_entry(&fields)?)),
        RecordKind::Holds => Record::Hold { lane: id.clone(), until: fields.date("heldUntil")? },
        RecordKind::Jobs => Record::Job { job: id.clone(), reached: fields.date("reached")? },
        RecordKind::Reports => Record::Report {
            provider_id: id.clone(),
            at: fields.date("at")?,
            status: fields.needed("status", |value| DeliveryStatus::from_stored(value.as_str()?))?,
            error: fields.optional("error", as_text)?,
        },
    };
    Ok((id, record))
}

fn read_entry(fields: &Fields<'_>) -> Result<EntryRecord> {
    let entry = outbox::read(fields.document)?;
    let order = |field: &str| fields.needed(field, |value| value.as_i64().or(value.as_i32().map(i64::from)));
    Ok(EntryRecord {
        id: entry.id,
        address: entry.address,
        is_reply: entry.is_reply,
        order: (order("order1")?, order("order2")?),
        question: entry.question,
        only_asks: entry.only_asks,
        text: entry.text,
        initiated: entry.initiated,
        status: entry.status,
        due_at: entry.due_at,
        leased_by: fields.optional("leasedBy", as_text)?,
        attempts: entry.attempts,
        ambiguous: fields.count("ambiguous")?,
        in_doubt: fields.flag("inDoubt")?,
        withdrawn: fields.flag("withdrawn")?,
        created_at: entry.created_at,
        first_attempt_at: entry.first_attempt_at,
        finished_at: fields.optional_date("finishedAt")?,
        provider_id: entry.provider_id,
        delivery: entry.delivery,
        reason: entry.reason,
    })
}

/// By event, time and id; the cursor is all three.
async fn dump_activity(database: &Database, page: &Page<String>) -> Result<Vec<(String, Record)>> {
    let mut filter = doc! { "eventId": { "$gte": "" } };
    if let Some(cursor) = page.after.as_deref() {
        let mut parts = cursor.splitn(3, ' ');
        let id = parts.next().and_then(|id| ObjectId::parse_str(id).ok()).unwrap_or_default();
        let at = parts.next().and_then(|at| at.parse().ok()).map(mongodb::bson::DateTime::from_millis);
        let (at, event) = (at.map_or(Bson::Null, Bson::DateTime), parts.next().unwrap_or_default());
        filter = doc! { "$or": [
            { "eventId": { "$gt": event } },
            { "eventId": event, "at": { "$gt": at.clone() } },
            { "eventId": event, "at": at, "_id": { "$gt": id } },
        ] };
    }
    let collection = database.collection::<Document>(ACTIVITY);
    let order = doc! { "eventId": 1, "at": 1, "_id": 1 };
    let found: Vec<Document> =
        collection.find(filter).sort(order).limit(i64::from(page.limit)).await?.try_collect().await?;
    let record = |document: Document| {
        let id = document.get_object_id("_id").unwrap_or_default();
        let activity = house::read_activity(document)?;
        let cursor = format!("{} {} {}", id.to_hex(), activity.at.timestamp_millis(), activity.event_id);
        Ok((cursor, Record::Activity(Box::new(activity))))
    };
    found.into_iter().map(record).collect()
}

/// Documents by collection, in their order.
fn grouped(records: Vec<Record>) -> Result<Vec<(&'static str, Vec<Document>)>> {
    let mut grouped: Vec<(&'static str, Vec<Document>)> = Vec::new();
    for record in records {
        let (collection, document) = to_document(&record)?;
        match grouped.last_mut() {
            Some((last, documents)) if *last == collection => documents.push(document),
            _ => grouped.push((collection, vec![document])),
        }
    }
    Ok(grouped)
}

fn to_document(record: &Record) -> Result<(&'static str, Document)> {
    Ok(match record {
        Record::Event(event) => (EVENTS, guests::event_to_document(event, event.version)?),
        Record::Guest(guest) => {
            let mut document = guests::to_document(guest)?;
            document.insert("version", number(guest.version));
            (GUESTS, document)
        }
        Record::Group { key, version } => (GROUPS, doc! { "_id": key.as_str(), "version": number(*version) }),
        Record::Conversation { conversation, attempted } => {
            let mut document = conversations::to_document(conversation)?;
            if let Some((question, at)) = attempted {
                document.insert("attemptedQuestion", number(*question));
                document.insert("attemptedAt", date(*at));
            }
            (CONVERSATIONS, document)
        }
        Record::Activity(activity) => (ACTIVITY, activity_document(activity)?),
        Record::Key { key, at } => (INBOX, doc! { "_id": key, "at": date(*at) }),
        Record::Entry(entry) => (OUTBOX, entry_document(entry)?),
        Record::Hold { lane, until } => {
            let mut document = doc! { "_id": lane, "heldUntil": date(*until) };
            if let (Some(channel), true) = (conversations::channel_of(lane), lane.contains(':')) {
                document.insert("channel", channel.as_str());
            }
            (LEASES, document)
        }
        Record::Job { job, reached } => (JOBS, doc! { "_id": job, "reached": date(*reached) }),
        Record::Report { provider_id, at, status, error } => {
            let mut document = doc! { "_id": provider_id, "at": date(*at), "status": status.as_str() };
            if let Some(error) = error {
                document.insert("error", error);
            }
            (EARLY_REPORTS, document)
        }
    })
}

/// Activity as it is stored, under an id that rises.
pub(super) fn activity_document(activity: &Activity) -> Result<Document> {
    let mut document = shape::document(activity)?;
    document.insert("_id", ObjectId::new());
    Ok(document)
}

/// Open entries are `fresh`: the next courier works their leases out.
fn entry_document(entry: &EntryRecord) -> Result<Document> {
    let mut document = doc! {
        "_id": &entry.id,
        "address": entry.address.to_string(),
        "channel": entry.address.channel.as_str(),
        "isReply": entry.is_reply,
        "order1": entry.order.0,
        "order2": entry.order.1,
        "onlyAsks": entry.only_asks,
        "status": entry.status.as_str(),
        "dueAt": date(entry.due_at),
        "attempts": entry.attempts,
        "ambiguous": entry.ambiguous,
        "createdAt": date(entry.created_at),
        "seq": ObjectId::new(),
    };
    let is_open = matches!(entry.status, EntryStatus::Pending | EntryStatus::Leased);
    let flag = |is_set: bool| is_set.then_some(Bson::Boolean(true));
    let text = |text: &Option<String>| text.clone().map(Bson::String);
    for (field, value) in [
        ("open", flag(is_open)),
        ("fresh", flag(is_open)),
        ("inDoubt", flag(entry.in_doubt)),
        ("withdrawn", flag(entry.withdrawn)),
        ("question", entry.question.map(number)),
        ("text", entry.text.as_ref().map(shape::stored).transpose()?),
        ("initiated", entry.initiated.as_ref().map(shape::stored).transpose()?),
        ("leasedBy", text(&entry.leased_by)),
        ("firstAttemptAt", entry.first_attempt_at.map(date)),
        ("finishedAt", entry.finished_at.map(date)),
        ("providerId", text(&entry.provider_id)),
        ("delivery", entry.delivery.map(|status| status.as_str().into())),
        ("reason", text(&entry.reason)),
    ] {
        if let Some(value) = value {
            document.insert(field, value);
        }
    }
    Ok(document)
}
