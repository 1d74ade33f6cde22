//! What a courier looks at before it takes anything: one command, however much waits.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use domain::address::Channel;
use futures_util::TryStreamExt;
use mongodb::{
    Database,
    bson::{Bson, Document, doc},
};

use super::{
    leases,
    schema::{LEASES, META, META_ID, OUTBOX},
    shape::{as_date, date},
};
use crate::{Claim, Result};

/// Addresses with new entries that are looked at together.
const MOST_FRESH: u32 = 256;

/// What a look found.
pub(super) struct Seen {
    /// Addresses whose leases were not worked out since an entry was added.
    pub fresh: Vec<String>,
    /// Until when no initiated message of a channel may be sent.
    pub holds: HashMap<Channel, DateTime<Utc>>,
    /// Addresses whose next reply, or next initiated message, may be claimed.
    pub due: Vec<String>,
    /// When the next of all may be.
    pub next: Option<DateTime<Utc>>,
}

/// Looks for what may be claimed.
pub(super) async fn claimable(database: &Database, claim: &Claim) -> Result<Seen> {
    let now = date(claim.now);
    let due = |field: &str, most: u32| {
        let filter = doc! { "channel": { "$in": words(&claim.channels) }, field: { "$lte": now.clone() } };
        first_leases(filter, field, most)
    };
    let mut joins = vec![("replies", due("replyAt", claim.replies.max(1)))];
    if claim.initiated > 0 {
        joins.push(("initiated", due("initiatedAt", claim.initiated)));
    }
    look(database, &claim.channels, joins).await
}

/// Looks for when the next may be claimed.
pub(super) async fn next(database: &Database, channels: &[Channel]) -> Result<Seen> {
    let mut joins = Vec::new();
    for channel in channels {
        for field in ["replyAt", "initiatedAt"] {
            let filter = doc! { "channel": channel.as_str(), field: { "$exists": true } };
            joins.push((field, first_leases(filter, field, 1)));
        }
    }
    look(database, channels, joins).await
}

fn words(channels: &[Channel]) -> Vec<&'static str> {
    channels.iter().map(|channel| channel.as_str()).collect()
}

fn first_leases(filter: Document, by: &str, most: u32) -> Vec<Document> {
    vec![doc! { "$match": filter }, doc! { "$sort": { by: 1 } }, doc! { "$limit": most }]
}

async fn look(database: &Database, channels: &[Channel], joins: Vec<(&str, Vec<Document>)>) -> Result<Seen> {
    let fresh = vec![
        doc! { "$match": { "fresh": true, "channel": { "$in": words(channels) } } },
        doc! { "$sort": { "createdAt": 1 } },
        doc! { "$limit": MOST_FRESH },
        doc! { "$project": { "address": 1 } },
    ];
    let mut stages = vec![
        doc! { "$match": { "_id": META_ID } },
        doc! { "$lookup": { "from": OUTBOX, "pipeline": fresh, "as": "fresh" } },
        doc! { "$lookup": {
            "from": LEASES, "pipeline": [{ "$match": { "_id": { "$in": words(channels) } } }], "as": "holds",
        } },
    ];
    for (place, (_, pipeline)) in joins.iter().enumerate() {
        stages.push(doc! { "$lookup": { "from": LEASES, "pipeline": pipeline.clone(), "as": format!("due{place}") } });
    }
    let found: Vec<Document> = database.collection::<Document>(META).aggregate(stages).await?.try_collect().await?;
    let Some(found) = found.first() else { return Err(super::meta_is_gone()) };
    let mut fresh: Vec<String> = texts(list(found, "fresh"), "address");
    fresh.sort();
    fresh.dedup();
    let holds = leases::channel_holds(list(found, "holds"));
    let (mut due, mut next) = (Vec::new(), None::<DateTime<Utc>>);
    for place in 0..joins.len() {
        let name = format!("due{place}");
        let leases = list(found, &name);
        due.extend(texts(leases.clone(), "_id"));
        for lease in leases {
            let channel = lease.get_str("channel").ok().and_then(Channel::from_stored);
            let held = channel.and_then(|channel| holds.get(&channel).copied());
            let initiated = lease.get("initiatedAt").and_then(as_date);
            let initiated = initiated.map(|at| held.map_or(at, |held| at.max(held)));
            next = next.into_iter().chain(lease.get("replyAt").and_then(as_date)).chain(initiated).min();
        }
    }
    due.sort();
    due.dedup();
    Ok(Seen { fresh, holds, due, next })
}

fn list<'a>(found: &'a Document, name: &str) -> impl Iterator<Item = &'a Document> + Clone {
    found.get_array(name).into_iter().flatten().filter_map(Bson::as_document)
}

fn texts<'a>(documents: impl Iterator<Item = &'a Document>, field: &str) -> Vec<String> {
    documents.filter_map(|document| document.get_str(field).ok()).map(str::to_owned).collect()
}
