//! Collections and indexes, each index for a query that the program makes.

use std::time::Duration;

use futures_util::TryStreamExt;
use mongodb::{
    Database, IndexModel,
    bson::{Bson, Document, doc},
    options::IndexOptions,
};

use super::{error, guest_list, shape::as_number};
use crate::{Result, StoreError};

pub(super) const GUESTS: &str = "guests";
pub(super) const GROUPS: &str = "groups";
pub(super) const EVENTS: &str = "events";
pub(super) const CONVERSATIONS: &str = "conversations";
/// Keys of messages that were handled.
pub(super) const INBOX: &str = "inbox";
pub(super) const OUTBOX: &str = "outbox";
pub(super) const ACTIVITY: &str = "activity";
/// One for each address with something to deliver: what is in flight, and when the next may be claimed.
pub(super) const LEASES: &str = "leases";
/// How far each recurring job is.
pub(super) const JOBS: &str = "jobs";
/// Failed logins over all addresses.
pub(super) const FAILURES: &str = "failures";
/// Delivery reports whose message is not known yet.
pub(super) const EARLY_REPORTS: &str = "earlyReports";
/// One document: the version of all this, and a place to write to in order to learn whether that is possible.
pub(super) const META: &str = "meta";
pub(super) const META_ID: &str = "schema";

/// Raised when an older program could no longer work with what is stored.
const VERSION: i32 = 1;

/// Failures count for a minute; the server deletes them some time later.
const FAILURES_KEPT: Duration = Duration::from_secs(3600);

/// An index of ours.
struct Index {
    collection: &'static str,
    name: &'static str,
    keys: Document,
    unique: bool,
    /// Only documents that match.
    only: Option<Document>,
    expires: Option<Duration>,
}

impl Index {
    fn new(collection: &'static str, name: &'static str, keys: Document) -> Self {
        Self { collection, name, keys, unique: false, only: None, expires: None }
    }

    fn unique(self) -> Self {
        Self { unique: true, ..self }
    }

    fn only(self, only: Document) -> Self {
        Self { only: Some(only), ..self }
    }

    fn expires(self, after: Duration) -> Self {
        Self { expires: Some(after), ..self }
    }

    fn model(&self) -> IndexModel {
        let options = IndexOptions::builder()
            .name(self.name.to_owned())
            .unique(self.unique.then_some(true))
            .partial_filter_expression(self.only.clone())
            .expire_after(self.expires)
            .build();
        IndexModel::builder().keys(self.keys.clone()).options(options).build()
    }

    /// Whether an index that exists is this one.
    fn is(&self, found: &IndexModel) -> bool {
        let options = found.options.clone().unwrap_or_default();
        same_keys(&found.keys, &self.keys)
            && options.unique.unwrap_or(false) == self.unique
            && !options.sparse.unwrap_or(false)
            && options.collation.is_none()
            && options.partial_filter_expression == self.only
            && options.expire_after == self.expires
    }
}

/// Servers give the direction as any kind of number.
fn same_keys(one: &Document, other: &Document) -> bool {
    let direction = |value: &Bson| match value {
        Bson::Int32(number) => Some(i64::from(*number)),
        Bson::Int64(number) => Some(*number),
        Bson::Double(number) => Some(if *number < 0.0 { -1 } else { 1 }),
        _ => None,
    };
    one.len() == other.len()
        && one
            .iter()
            .zip(other)
            .all(|((name, way), (other_name, other_way))| name == other_name && direction(way) == direction(other_way))
}

fn indexes() -> Vec<Index> {
    let exists = |field: &str| doc! { field: { "$exists": true } };
    vec![
        Index::new(GUESTS, "token", doc! { "token": 1 }).unique(),
        Index::new(GUESTS, "tokenKey", doc! { "tokenKey": 1 }),
        Index::new(GUESTS, "eventId_groupId", doc! { "eventId": 1, "groupId": 1 }),
        Index::new(GUESTS, "eventId_status", doc! { "eventId": 1, "status": 1, "createdAt": 1, "_id": 1 }),
        Index::new(GUESTS, "eventId_status_dietary", doc! { "eventId": 1, "status": 1, "dietary": 1 }),
        Index::new(GUESTS, "eventId_createdAt", doc! { "eventId": 1, "createdAt": 1, "_id": 1 }),
        Index::new(GUESTS, "eventId_nameKey", doc! { "eventId": 1, "nameKey": 1, "createdAt": 1, "_id": 1 }),
        Index::new(GUESTS, "eventId_rsvpDate", doc! { "eventId": 1, "rsvpDate": 1, "createdAt": 1, "_id": 1 }),
        Index::new(GUESTS, "eventId_lastLogin", doc! { "eventId": 1, "lastLogin": 1, "createdAt": 1, "_id": 1 }),
        Index::new(GUESTS, "hosts", doc! { "eventId": 1, "isAdmin": 1 }).only(doc! { "isAdmin": true }),
        Index::new(CONVERSATIONS, "logins", doc! { "logins": 1 }),
        Index::new(CONVERSATIONS, "unreachable", doc! { "unreachable": 1 }).only(doc! { "unreachable": true }),
        Index::new(
            OUTBOX,
            "address",
            doc! { "address": 1, "open": 1, "isReply": 1, "order1": 1, "order2": 1, "_id": 1 },
        ),
        Index::new(OUTBOX, "fresh", doc! { "channel": 1, "createdAt": 1 }).only(exists("fresh")),
        Index::new(OUTBOX, "status", doc! { "status": 1, "createdAt": 1, "seq": 1 }),
        Index::new(OUTBOX, "providerId", doc! { "providerId": 1 }).only(exists("providerId")),
        Index::new(OUTBOX, "initiated", doc! { "initiated.event": 1, "finishedAt": 1 }).only(doc! { "isReply": false }),
        Index::new(OUTBOX, "finishedAt", doc! { "finishedAt": 1 }).only(exists("finishedAt")),
        Index::new(LEASES, "replyAt", doc! { "channel": 1, "replyAt": 1 }).only(exists("replyAt")),
        Index::new(LEASES, "initiatedAt", doc! { "channel": 1, "initiatedAt": 1 }).only(exists("initiatedAt")),
        Index::new(LEASES, "heldUntil", doc! { "heldUntil": 1 }).only(exists("heldUntil")),
        Index::new(INBOX, "at", doc! { "at": 1 }),
        Index::new(ACTIVITY, "eventId_at", doc! { "eventId": 1, "at": 1, "_id": 1 }),
        Index::new(FAILURES, "at", doc! { "at": 1 }).expires(FAILURES_KEPT),
        Index::new(EARLY_REPORTS, "at", doc! { "at": 1 }),
    ]
}

/// Makes what is missing, and refuses what is not ours to change.
pub(super) async fn prepare(database: &Database) -> Result<()> {
    if !is_ours(database).await? && is_published(database).await? {
        return Err(StoreError::Unusable(format!(
            "store.url: the database {} is the published web application's, whose guests are kept in another way. Name \
             another database, such as mongodb://HOST/convive; `convive store adopt URL` brings the guests over",
            database.name()
        )));
    }
    let meta = database.collection::<Document>(META);
    let make = doc! { "$setOnInsert": { "version": VERSION } };
    let made = meta.update_one(doc! { "_id": META_ID }, make.clone()).upsert(true).await;
    if let Err(error) = made {
        // Another program has just made it.
        if !error::is_duplicate(&error) {
            return Err(error.into());
        }
    }
    let found = meta.find_one(doc! { "_id": META_ID }).await?;
    let version = found.as_ref().and_then(|found| found.get("version")).and_then(as_number);
    match version {
        Some(version) if version <= VERSION as u64 => {}
        Some(version) => {
            return Err(StoreError::Unusable(format!(
                "cannot use the database {}: it was made by a newer Convive (its version is {version}, this program knows \
                 {VERSION}). To go on, use that program or a newer one, or a backup from before",
                database.name()
            )));
        }
        None => return Err(error::damaged(META, META_ID, "version", "is missing or not of its kind")),
    }
    make_indexes(database).await?;
    guest_list::complete(database).await
}

/// Whether a database was made by this program.
pub(super) async fn is_ours(database: &Database) -> Result<bool> {
    Ok(database.collection::<Document>(META).find_one(doc! { "_id": META_ID }).await?.is_some())
}

/// Whether a database is the published web application's: its guests have UUIDs, and no event.
async fn is_published(database: &Database) -> Result<bool> {
    let theirs = doc! { "_id": { "$type": "string" }, "eventId": { "$exists": false } };
    Ok(database.collection::<Document>(GUESTS).find_one(theirs).await?.is_some())
}

async fn make_indexes(database: &Database) -> Result<()> {
    let ours = indexes();
    let mut collections: Vec<&str> = ours.iter().map(|index| index.collection).collect();
    collections.dedup();
    for name in collections {
        let collection = database.collection::<Document>(name);
        let found: Vec<IndexModel> = match collection.list_indexes().await {
            Ok(found) => found.try_collect().await?,
            // There is no such collection yet.
            Err(error) if error::code(&error) == Some(26) => Vec::new(),
            Err(error) => return Err(error.into()),
        };
        let mut missing = Vec::new();
        for index in ours.iter().filter(|index| index.collection == name) {
            let named = |found: &&IndexModel| {
                let its_name = found.options.as_ref().and_then(|options| options.name.as_deref());
                its_name == Some(index.name) || same_keys(&found.keys, &index.keys)
            };
            match found.iter().find(named) {
                None => missing.push(index.model()),
                Some(found) if index.is(found) => {}
                Some(found) => return Err(other_options(database, index, found)),
            }
        }
        if !missing.is_empty() {
            collection.create_indexes(missing).await.map_err(|error| not_made(name, error))?;
        }
    }
    Ok(())
}

fn other_options(database: &Database, index: &Index, found: &IndexModel) -> StoreError {
    let name = found.options.as_ref().and_then(|options| options.name.as_deref()).unwrap_or(index.name);
    StoreError::Unusable(format!(
        "cannot use the database {}: the index {name} of its collection {} exists with other keys or options than \
         Convive needs (keys {}{}). If no other program needs it as it is, remove it in mongosh with \
         `db.{}.dropIndex(\"{name}\")`; it is made anew at the next start",
        database.name(),
        index.collection,
        index.keys,
        if index.unique { ", unique" } else { "" },
        index.collection,
    ))
}

fn not_made(collection: &str, error: mongodb::error::Error) -> StoreError {
    if error::is_duplicate(&error) {
        return StoreError::Unusable(format!(
            "cannot use the database: documents of the collection {collection} have the same value where Convive needs \
             each to have its own (the code of a guest is the field token). Give them different ones, then start again"
        ));
    }
    error.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_with_other_options_is_not_ours() {
        let ours = Index::new(GUESTS, "token", doc! { "token": 1 }).unique();
        let found = |keys: Document, unique: bool, sparse: bool| {
            let options = IndexOptions::builder().name("token".to_owned()).unique(unique).sparse(sparse).build();
            IndexModel::builder().keys(keys).options(options).build()
        };
        assert!(ours.is(&found(doc! { "token": 1.0 }, true, false)));
        assert!(!ours.is(&found(doc! { "token": 1 }, false, false)));
        assert!(!ours.is(&found(doc! { "token": 1 }, true, true)));
        assert!(!ours.is(&found(doc! { "token": -1 }, true, false)));
        assert!(!ours.is(&found(doc! { "token": 1, "x": 1 }, true, false)));
    }

    #[test]
    fn no_two_indexes_of_a_collection_have_one_name() {
        let mut names: Vec<_> = indexes().into_iter().map(|index| (index.collection, index.name)).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
