//! What the intake needs to know before a step, in one command.
//!
//! The aggregation starts from the one document that is always there, and joins what it needs. The versions of groups
//! are joined before their members: what changes in between shows when the decision is committed.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use domain::{
    conversation::Conversation,
    lockout::FAILURES_A_MINUTE_EVERYWHERE,
    model::{EventId, GroupKey, Guest, GuestId},
};
use futures_util::TryStreamExt;
use mongodb::{
    Database,
    bson::{Bson, Document, doc},
};

use super::{
    conversations::{self, AWAITED_KEY},
    guests,
    schema::{CONVERSATIONS, EVENTS, FAILURES, GROUPS, GUESTS, META, META_ID},
    shape::{as_guest_id, date},
};
use crate::{Candidate, Link, LoadRequest, Loaded, Result, StoreError, TypedCode};

/// How often it looks again where a guest changed groups while it looked.
const TRIES: u32 = 5;
/// How the questions are stored whose answers the hosts are told of ([`domain::conversation::Ask::is_heard_by_hosts`]).
const HEARD_BY_HOSTS: [&str; 2] = ["messageForHost", "wrongPerson"];

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
        // The awaited code. No code has a space in it, so without one nobody is found.
        doc! { "$set": {
            "awaited": { "$ifNull": ["$conversation.dialogue.open.code", " "] },
            "awaitedKey": { "$ifNull": [format!("$conversation.{AWAITED_KEY}"), " "] },
            "hostsOf": event_that_hosts_hear_of(),
        } },
        hosts(),
        join(GUESTS, "awaited", "token", "awaitedExact"),
        join(GUESTS, "awaitedKey", "tokenKey", "awaitedAlike"),
        doc! { "$set": { "people": { "$concatArrays": ["$logins", "$awaitedExact", "$awaitedAlike"] } } },
        matching(
            FAILURES,
            doc! { "at": { "$gte": date(request.failures_since) } },
            Some(FAILURES_A_MINUTE_EVERYWHERE),
            "failures",
        ),
    ];
    if !request.codes.is_empty() {
        stages.extend([
            matching(GUESTS, doc! { "token": { "$in": exact } }, None, "exact"),
            matching(GUESTS, doc! { "tokenKey": { "$in": keys } }, None, "alike"),
            doc! { "$set": { "people": { "$concatArrays": ["$people", "$exact", "$alike"] } } },
        ]);
    }
    stages.extend([
        doc! { "$set": {
            "eventIds": { "$setUnion": [each("$people", "$$one.eventId")] },
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
        doc! { "$set": { "everybody": { "$reduce": {
            "input": "$members",
            // Servers differ in what an empty list meets.
            "initialValue": { "$concatArrays": [
                ["nobody"], each("$first.people", "$$one._id"), each("$first.hosts", "$$one._id"),
            ] },
            "in": { "$concatArrays": ["$$value", { "$map": { "input": "$$this", "as": "one", "in": "$$one._id" } }] },
        } } } },
        join(CONVERSATIONS, "everybody", "logins", "links"),
        // What was said there is of no interest.
        doc! { "$unset": ["links.dialogue", "links.attempts"] },
    ]);
    stages
}

/// The active guest's event, where the hosts will hear of what is answered; else what is no event.
fn event_that_hosts_hear_of() -> Document {
    let is_active = doc! { "$eq": ["$$one._id", "$conversation.active"] };
    let active = doc! { "$filter": { "input": "$logins", "as": "one", "cond": is_active } };
    let event = doc! { "$arrayElemAt": [{ "$map": { "input": active, "as": "one", "in": "$$one.eventId" } }, 0] };
    let is_heard = doc! { "$in": [{ "$ifNull": ["$conversation.dialogue.open.ask", " "] }, HEARD_BY_HOSTS.to_vec()] };
    doc! { "$cond": [is_heard, { "$ifNull": [event, false] }, false] }
}

fn hosts() -> Document {
    let of_event = doc! { "$and": [{ "$eq": ["$eventId", "$$event"] }] };
    doc! { "$lookup": {
        "from": GUESTS,
        "let": { "event": "$hostsOf" },
        "pipeline": [{ "$match": { "isAdmin": true, "$expr": of_event } }, { "$project": { "_id": 1 } }],
        "as": "hosts",
    } }
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
        let codes = request.codes_for(&conversation);
        let both = |one: &str, other: &str| guests::read_all([list(one), list(other)].concat());
        let candidates = candidates(&codes, &both("exact", "awaitedExact")?, &both("alike", "awaitedAlike")?);
        let active = logins.iter().find(|guest| Some(guest.id) == conversation.active);

        let versions = guests::versions(&list("versions"))?;
        let mut members = Vec::new();
        for of_group in self.found.get_array("members").into_iter().flatten() {
            members.extend(guests::read_all(documents(Some(of_group)))?);
        }
        let others = other_keys(&logins, active);
        let whose: Vec<&Guest> = active.into_iter().chain(candidates.iter().map(|(_, guest)| guest)).collect();
        // A guest without a group is the only member of their own.
        let alone = whose.iter().copied().chain(&logins).filter(|guest| guest.group_id.is_none());
        members.extend(alone.cloned());
        let keys = whose.iter().map(|guest| guest.group_key()).chain(others);
        let mut groups = guests::gather(keys, &versions, members);
        let is_in = |guest: &Guest| groups.iter().any(|group| group.member(guest.id).is_some());
        if !whose.iter().all(|guest| is_in(guest)) || !logins.iter().all(is_in) {
            return Ok(None);
        }
        let whose_events: Vec<&EventId> = whose.iter().map(|guest| &guest.event_id).collect();
        let other_groups = groups.split_off(whose.len());
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
        let failures = list("failures").len();
        let recent_failures = if codes.is_empty() { 0 } else { u32::try_from(failures).unwrap_or(u32::MAX) };
        let mut loaded = Loaded {
            conversation,
            logins,
            group,
            other_groups,
            candidates,
            events,
            question_attempted_at,
            recent_failures,
            links: None,
            hosts: first.and_then(hosts_that_hear),
        };
        loaded.links = Some(self.links(&loaded)?);
        Ok(Some(loaded))
    }

    fn links(&self, loaded: &Loaded) -> Result<Vec<Link>> {
        let candidates = loaded.candidates.iter().map(|candidate| &candidate.group);
        let groups = loaded.group.iter().chain(&loaded.other_groups).chain(candidates);
        let hosts = loaded.hosts.iter().flat_map(|(_, hosts)| hosts).copied();
        let mut everybody: Vec<GuestId> = groups.flat_map(|group| &group.members).map(|guest| guest.id).collect();
        everybody.extend(hosts);
        conversations::links_of(&documents(self.found.get("links")), &everybody)
    }
}

fn hosts_that_hear(first: &Document) -> Option<(EventId, Vec<GuestId>)> {
    let event = first.get_str("hostsOf").ok()?;
    let hosts = first.get_array("hosts").ok()?;
    let id = |host: &Bson| host.as_document().and_then(|host| host.get("_id")).and_then(as_guest_id);
    Some((event.into(), hosts.iter().filter_map(id).collect()))
}

/// The groups of the logins but the active one's.
fn other_keys(logins: &[Guest], active: Option<&Guest>) -> BTreeSet<GroupKey> {
    let mut keys: BTreeSet<GroupKey> = logins.iter().map(Guest::group_key).collect();
    if let Some(active) = active {
        keys.remove(&active.group_key());
    }
    keys
}

fn documents(list: Option<&Bson>) -> Vec<Document> {
    list.and_then(Bson::as_array).into_iter().flatten().filter_map(Bson::as_document).cloned().collect()
}

fn in_order_of(ids: &[GuestId], guests: Vec<Guest>) -> Vec<Guest> {
    let mut by_id: HashMap<GuestId, Guest> = guests.into_iter().map(|guest| (guest.id, guest)).collect();
    ids.iter().filter_map(|id| by_id.remove(id)).collect()
}

/// For each code the guest it names: exactly, else by key if that names one guest.
fn candidates(codes: &[TypedCode], exact: &[Guest], alike: &[Guest]) -> Vec<(usize, Guest)> {
    let named = |code: &TypedCode| {
        if let Some(guest) = exact.iter().find(|guest| guest.token == code.exact) {
            return Some(guest);
        }
        let mut with_key = alike.iter().filter(|guest| domain::code::key(&guest.token) == code.key);
        // The same guest may have been found in two ways.
        let first = with_key.next().filter(|_| !code.key.is_empty())?;
        with_key.all(|other| other.id == first.id).then_some(first)
    };
    codes.iter().enumerate().filter_map(|(place, code)| Some((place, named(code)?.clone()))).collect()
}

#[cfg(test)]
mod tests {
    use domain::conversation::Ask;

    use super::*;

    #[test]
    fn questions_that_hosts_hear_of_are_stored_so() {
        for (ask, word) in [Ask::MessageForHost, Ask::WrongPerson].into_iter().zip(HEARD_BY_HOSTS) {
            let stored = super::super::shape::document(&ask).unwrap();
            assert_eq!(stored.get_str("ask").ok(), Some(word));
            assert!(ask.is_heard_by_hosts());
        }
        assert!(!Ask::HowMany.is_heard_by_hosts());
    }
}
