//! What the intake needs to know before a step, in one command.
//!
//! The aggregation starts from the one document that is always there, and joins what it needs. The versions of groups
//! are joined before their members: what changes in between shows when the decision is committed.

use std::collections::{BTreeMap, HashMap, HashSet};

use domain::{
    conversation::Conversation,
    lockout::FAILURES_A_MINUTE_EVERYWHERE,
    model::{EventId, Guest, GuestId},
};
use futures_util::TryStreamExt;
use mongodb::{
    Database,
    bson::{Bson, Document, doc},
};

use super::{
    conversations, guests,
    schema::{CONVERSATIONS, EVENTS, FAILURES, GROUPS, GUESTS, META, META_ID},
    shape::date,
};
use crate::{Candidate, LoadRequest, Loaded, Result, StoreError};

/// How often it looks again where a guest changed groups while it looked.
const TRIES: u32 = 5;

pub(super) async fn load(database: &Database, request: &LoadRequest) -> Result<Loaded> {
    for _ in 0..TRIES {
        if let Some(loaded) = look(database, request).await? {
            return Ok(loaded);
        }
    }
    Err(StoreError::Unavailable("others kept moving a guest between groups".to_owned()))
}

async fn look(database: &Database, request: &LoadRequest) -> Result<Option<Loaded>> {
    let mut found: Vec<Document> =
        database.collection::<Document>(META).aggregate(pipeline(request)).await?.try_collect().await?;
    let Some(found) = found.pop() else {
        return Err(super::meta_is_gone());
    };
    Look { found }.read(request)
}

fn pipeline(request: &LoadRequest) -> Vec<Document> {
    let exact: Vec<&str> = request.codes.iter().map(|code| code.exact.as_str()).collect();
    let keys: Vec<&str> = request.codes.iter().map(|code| code.key.as_str()).filter(|key| !key.is_empty()).collect();
    let mut stages = vec![
        doc! { "$match": { "_id": META_ID } },
        doc! { "$project": { "address": { "$literal": request.address.to_string() } } },
        join(CONVERSATIONS, "address", "_id", "conversation"),
        doc! { "$set": { "conversation": { "$arrayElemAt": ["$conversation", 0] } } },
        join(GUESTS, "conversation.logins", "_id", "logins"),
        doc! { "$set": { "people": { "$filter": {
            "input": "$logins", "as": "login", "cond": { "$eq": ["$$login._id", "$conversation.active"] },
        } } } },
    ];
    if !request.codes.is_empty() {
        stages.extend([
            matching(GUESTS, doc! { "token": { "$in": exact } }, None, "exact"),
            matching(GUESTS, doc! { "tokenKey": { "$in": keys } }, None, "alike"),
            matching(
                FAILURES,
                doc! { "at": { "$gte": date(request.failures_since) } },
                Some(FAILURES_A_MINUTE_EVERYWHERE),
                "failures",
            ),
            doc! { "$set": { "people": { "$concatArrays": ["$people", "$exact", "$alike"] } } },
        ]);
    }
    stages.extend([
        doc! { "$set": {
            "eventIds": { "$setUnion": [each("$people", "$$one.eventId"), each("$logins", "$$one.eventId")] },
            "places": { "$setUnion": [{ "$map": { "input": "$people", "as": "guest", "in": place() } }] },
        } },
        join(EVENTS, "eventIds", "_id", "events"),
        doc! { "$set": { "keys": each("$places", "$$one.key") } },
        join(GROUPS, "keys", "_id", "versions"),
        // A row for each group; the rest is the same in each, and taken from the first.
        doc! { "$unwind": { "path": "$places", "preserveNullAndEmptyArrays": true } },
        doc! { "$lookup": {
            "from": GUESTS,
            "let": { "event": "$places.event", "group": "$places.group" },
            "pipeline": [{ "$match": { "$expr": { "$and": [
                { "$eq": ["$eventId", "$$event"] },
                { "$eq": ["$groupId", "$$group"] },
            ] } } }],
            "as": "members",
        } },
        doc! { "$group": { "_id": null, "first": { "$first": "$$ROOT" }, "members": { "$push": "$members" } } },
    ]);
    stages
}

fn each(list: &str, value: &str) -> Document {
    doc! { "$map": { "input": list, "as": "one", "in": value } }
}

fn join(from: &str, local: &str, foreign: &str, name: &str) -> Document {
    doc! { "$lookup": { "from": from, "localField": local, "foreignField": foreign, "as": name } }
}

fn matching(from: &str, filter: Document, most: Option<u32>, name: &str) -> Document {
    let mut pipeline = vec![doc! { "$match": filter }];
    if let Some(most) = most {
        pipeline.push(doc! { "$limit": most });
    }
    doc! { "$lookup": { "from": from, "pipeline": pipeline, "as": name } }
}

/// The key of a guest's group, and what finds its members. Where there is no group, what finds nobody.
fn place() -> Document {
    let has_group = doc! { "$eq": [{ "$type": "$$guest.groupId" }, "string"] };
    doc! {
        "key": { "$cond": [
            has_group.clone(),
            { "$concat": ["$$guest.eventId", "/g/", "$$guest.groupId"] },
            { "$concat": ["$$guest.eventId", "/s/", { "$toString": "$$guest._id" }] },
        ] },
        "event": { "$cond": [has_group, "$$guest.eventId", false] },
        "group": "$$guest.groupId",
    }
}

/// What the aggregation found.
struct Look {
    found: Document,
}

impl Look {
    /// `None`: a guest changed groups in between; look again.
    fn read(&self, request: &LoadRequest) -> Result<Option<Loaded>> {
        let first = self.found.get_document("first").ok();
        let list = |name: &str| documents(first.and_then(|first| first.get(name)));
        let stored = first.and_then(|first| first.get_document("conversation").ok());
        let found = stored.cloned().map(conversations::read).transpose()?;
        let question_attempted_at = found.as_ref().and_then(conversations::Found::question_attempted_at);
        let conversation = found.map_or_else(|| Conversation::new(request.address.clone()), |found| found.conversation);

        let logins = in_order_of(&conversation.logins, guests::read_all(list("logins"))?);
        let candidates = candidates(request, guests::read_all(list("exact"))?, guests::read_all(list("alike"))?);
        let active = logins.iter().find(|guest| Some(guest.id) == conversation.active);

        let versions = guests::versions(&list("versions"))?;
        let mut members = Vec::new();
        for of_group in self.found.get_array("members").into_iter().flatten() {
            members.extend(guests::read_all(documents(Some(of_group)))?);
        }
        let whose: Vec<&Guest> = active.into_iter().chain(candidates.iter().map(|(_, guest)| guest)).collect();
        // A guest without a group is the only member of their own.
        members.extend(whose.iter().filter(|guest| guest.group_id.is_none()).map(|guest| (*guest).clone()));
        let mut groups = guests::gather(whose.iter().map(|guest| guest.group_key()), &versions, members);
        let is_whole = whose.iter().zip(&groups).all(|(guest, group)| group.member(guest.id).is_some());
        if !is_whole {
            return Ok(None);
        }
        let whose_events: Vec<&EventId> = whose.iter().map(|guest| &guest.event_id).collect();
        let group = active.is_some().then(|| groups.remove(0));
        let mut events = BTreeMap::new();
        // Codes that turned out to name nobody may have brought more.
        let named: HashSet<&EventId> = logins.iter().map(|guest| &guest.event_id).chain(whose_events).collect();
        for event in list("events") {
            let event = guests::read_event(event)?;
            if named.contains(&event.id) {
                events.insert(event.id.clone(), event);
            }
        }
        let candidates = candidates
            .iter()
            .zip(groups)
            .map(|((code, guest), group)| Candidate { code: *code, guest: guest.id, group })
            .collect();
        let recent_failures = u32::try_from(list("failures").len()).unwrap_or(u32::MAX);
        Ok(Some(Loaded { conversation, logins, group, candidates, events, question_attempted_at, recent_failures }))
    }
}

fn documents(list: Option<&Bson>) -> Vec<Document> {
    list.and_then(Bson::as_array).into_iter().flatten().filter_map(Bson::as_document).cloned().collect()
}

fn in_order_of(ids: &[GuestId], guests: Vec<Guest>) -> Vec<Guest> {
    let mut by_id: HashMap<GuestId, Guest> = guests.into_iter().map(|guest| (guest.id, guest)).collect();
    ids.iter().filter_map(|id| by_id.remove(id)).collect()
}

/// For each code the guest it names: exactly, else by key if that names one guest.
fn candidates(request: &LoadRequest, exact: Vec<Guest>, alike: Vec<Guest>) -> Vec<(usize, Guest)> {
    let named = |code: &crate::TypedCode| {
        if let Some(guest) = exact.iter().find(|guest| guest.token == code.exact) {
            return Some(guest);
        }
        let mut with_key = alike.iter().filter(|guest| domain::code::key(&guest.token) == code.key);
        with_key.next().filter(|_| with_key.next().is_none() && !code.key.is_empty())
    };
    request.codes.iter().enumerate().filter_map(|(place, code)| Some((place, named(code)?.clone()))).collect()
}
