//! Guest records, groups and events as documents.

use std::collections::{BTreeMap, HashMap};

use domain::{
    code,
    model::{Event, EventId, Group, GroupKey, Guest, GuestId, Version},
    name,
};
use futures_util::TryStreamExt;
use mongodb::{
    Database,
    bson::{Bson, Document, doc},
};

use super::{
    error,
    schema::{EVENTS, GROUPS, GUESTS},
    shape::{self, as_guest_id, as_number, date, guest_id, guest_ids},
};
use crate::{Access, GuestParty, Page, Result, TypedCode};

/// Fields that a record may do without.
const OPTIONAL: [&str; 4] = ["phone", "locale", "notes", "answeredBy"];
/// Fields that a change of a record leaves alone.
const NOT_SET: [&str; 4] = ["_id", "version", "lastLogin", "lastAccess"];

/// A record as it is stored, with the first version.
pub(super) fn to_document(guest: &Guest) -> Result<Document> {
    let mut document = shape::document(guest)?;
    document.insert("_id", guest_id(guest.id));
    document.extend(keys(&guest.first_name, &guest.last_name, &guest.token));
    document.insert("version", 1_i64);
    Ok(document)
}

/// What codes are looked up by, and lists are searched and sorted by.
pub(super) fn keys(first_name: &str, last_name: &str, token: &str) -> Document {
    doc! { "tokenKey": code::key(token), "nameKey": name::search_key(first_name, last_name, token) }
}

/// The update that puts a record in place of what was there. `last_login` and `last_access` stay.
pub(super) fn to_update(guest: &Guest) -> Result<Document> {
    let mut set = to_document(guest)?;
    NOT_SET.iter().for_each(|field| drop(set.remove(field)));
    Ok(with_unset(set, &OPTIONAL))
}

/// `$set` what is there, `$unset` what is not, and the next version.
pub(super) fn with_unset(set: Document, optional: &[&str]) -> Document {
    let absent: Document = optional
        .iter()
        .filter(|field| !set.contains_key(**field))
        .map(|field| ((*field).to_owned(), "".into()))
        .collect();
    let mut update = doc! { "$set": set, "$inc": { "version": 1_i64 } };
    if !absent.is_empty() {
        update.insert("$unset", absent);
    }
    update
}

pub(super) fn read(document: Document) -> Result<Guest> {
    let id = document.get("_id").map(shown).unwrap_or_default();
    shape::read(GUESTS, &id, Bson::Document(document))
}

/// As mongosh shows it, so that it is found whatever it is.
fn shown(id: &Bson) -> String {
    as_guest_id(id).map_or_else(|| id.to_string(), |id| id.to_string())
}

/// Those of a list that can be read: a record that another program has damaged keeps the others from nobody.
pub(super) fn readable(documents: Vec<Document>) -> Vec<Guest> {
    error::readable(documents, read)
}

pub(super) fn read_all(documents: Vec<Document>) -> Result<Vec<Guest>> {
    documents.into_iter().map(read).collect()
}

/// By creation, then id.
pub(super) fn in_order(mut guests: Vec<Guest>) -> Vec<Guest> {
    guests.sort_by_key(|guest| (guest.created_at, guest.id));
    guests
}

async fn find(database: &Database, filter: Document) -> Result<Vec<Guest>> {
    read_all(database.collection::<Document>(GUESTS).find(filter).await?.try_collect().await?)
}

pub(super) async fn by_id(database: &Database, id: GuestId) -> Result<Option<Guest>> {
    Ok(find(database, doc! { "_id": guest_id(id) }).await?.pop())
}

/// Exactly, else by key if that names one guest.
pub(super) async fn by_code(database: &Database, code: &TypedCode) -> Result<Option<Guest>> {
    let exact = find(database, doc! { "token": &code.exact }).await?.pop();
    if exact.is_some() || code.key.is_empty() {
        return Ok(exact);
    }
    let alike = database.collection::<Document>(GUESTS).find(doc! { "tokenKey": &code.key }).limit(2).await?;
    let mut alike: Vec<Document> = alike.try_collect().await?;
    if alike.len() == 1 { alike.pop().map(read).transpose() } else { Ok(None) }
}

pub(super) async fn hosts(database: &Database, event: &EventId) -> Result<Vec<Guest>> {
    Ok(in_order(find(database, doc! { "eventId": event.as_str(), "isAdmin": true }).await?))
}

pub(super) async fn page(database: &Database, event: &EventId, page: &Page<GuestId>) -> Result<Vec<Guest>> {
    if page.limit == 0 {
        // To the server it would mean all of them.
        return Ok(Vec::new());
    }
    let guests = database.collection::<Document>(GUESTS);
    let mut filter = doc! { "eventId": event.as_str() };
    if let Some(after) = page.after {
        let last = guests.find_one(doc! { "_id": guest_id(after) }).projection(doc! { "createdAt": 1 }).await?;
        let last = last.as_ref().and_then(|last| last.get("createdAt")).and_then(shape::as_date);
        // A record deleted since is found again by the second in its id.
        let created = last.unwrap_or_else(|| created_by_id(after));
        filter.insert(
            "$or",
            vec![
                doc! { "createdAt": { "$gt": date(created) } },
                doc! { "createdAt": date(created), "_id": { "$gt": guest_id(after) } },
            ],
        );
    }
    let mut found = guests.find(filter).sort(doc! { "createdAt": 1, "_id": 1 }).await?;
    let mut page_of = Vec::new();
    // A page that is not full is the last one: what cannot be read leaves no gap in it.
    while page_of.len() < page.limit as usize
        && let Some(document) = found.try_next().await?
    {
        page_of.extend(readable(vec![document]));
    }
    Ok(page_of)
}

fn created_by_id(id: GuestId) -> chrono::DateTime<chrono::Utc> {
    let seconds = u32::from_be_bytes([id.0[0], id.0[1], id.0[2], id.0[3]]);
    chrono::DateTime::from_timestamp(i64::from(seconds), 0).unwrap_or_default()
}

/// A guest with group and event.
pub(super) async fn party(database: &Database, id: GuestId) -> Result<Option<GuestParty>> {
    let Some(guest) = by_id(database, id).await? else { return Ok(None) };
    let Some(event) = event(database, &guest.event_id).await? else { return Ok(None) };
    // Whoever moves or goes in between is not in the group that they were in.
    let group = groups(database, &[guest.group_key()]).await?.pop().filter(|group| group.member(id).is_some());
    Ok(group.map(|group| GuestParty { guest: id, group, event }))
}

/// Which guests a group's key names.
pub(super) enum Named<'a> {
    Group {
        event: &'a str,
        group: &'a str,
    },
    /// A guest without a group.
    Guest {
        id: GuestId,
    },
    Nobody,
}

/// Event ids have no slash in them.
pub(super) fn named(key: &GroupKey) -> Named<'_> {
    let Some((event, rest)) = key.as_str().split_once('/') else { return Named::Nobody };
    match rest.split_once('/') {
        Some(("g", group)) => Named::Group { event, group },
        Some(("s", id)) => id.parse().map_or(Named::Nobody, |id| Named::Guest { id }),
        _ => Named::Nobody,
    }
}

/// The versions first, then the members: a change in between shows when a decision that rests on them is committed.
pub(super) async fn groups(database: &Database, keys: &[GroupKey]) -> Result<Vec<Group>> {
    if keys.is_empty() {
        return Ok(Vec::new());
    }
    let wanted: Vec<&str> = keys.iter().map(GroupKey::as_str).collect();
    let found = database.collection::<Document>(GROUPS).find(doc! { "_id": { "$in": wanted } }).await?;
    let versions = versions(&found.try_collect::<Vec<_>>().await?)?;
    let mut by_event: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut alone = Vec::new();
    for key in keys {
        match named(key) {
            Named::Group { event, group } => by_event.entry(event).or_default().push(group),
            Named::Guest { id } => alone.push(id),
            Named::Nobody => {}
        }
    }
    let mut members = Vec::new();
    for (event, groups) in by_event {
        members.extend(find(database, doc! { "eventId": event, "groupId": { "$in": groups } }).await?);
    }
    if !alone.is_empty() {
        members.extend(find(database, doc! { "_id": { "$in": guest_ids(&alone) } }).await?);
    }
    Ok(gather(keys.iter().cloned(), &versions, members))
}

/// Groups made of versions and guests, each with its own.
pub(super) fn gather(
    keys: impl Iterator<Item = GroupKey>,
    versions: &HashMap<String, Version>,
    members: Vec<Guest>,
) -> Vec<Group> {
    let mut by_key: HashMap<GroupKey, Vec<Guest>> = HashMap::new();
    for guest in in_order(members) {
        let of_group = by_key.entry(guest.group_key()).or_default();
        if !of_group.iter().any(|known| known.id == guest.id) {
            of_group.push(guest);
        }
    }
    keys.map(|key| Group {
        version: versions.get(key.as_str()).copied().unwrap_or(0),
        members: by_key.get(&key).cloned().unwrap_or_default(),
        key,
    })
    .collect()
}

/// The versions of groups; one that is not there has 0.
pub(super) fn versions(groups: &[Document]) -> Result<HashMap<String, Version>> {
    let version = |group: &Document| {
        let key = group.get_str("_id").unwrap_or_default().to_owned();
        let fields = shape::Fields { collection: GROUPS, id: &key, document: group };
        let version = fields.needed("version", as_number)?;
        Ok((key, version))
    };
    groups.iter().map(version).collect()
}

pub(super) async fn event(database: &Database, id: &EventId) -> Result<Option<Event>> {
    let found = database.collection::<Document>(EVENTS).find_one(doc! { "_id": id.as_str() }).await?;
    found.map(read_event).transpose()
}

pub(super) async fn events(database: &Database) -> Result<Vec<Event>> {
    let found = database.collection::<Document>(EVENTS).find(doc! {}).sort(doc! { "_id": 1 }).await?;
    Ok(error::readable(found.try_collect().await?, read_event))
}

pub(super) fn read_event(document: Document) -> Result<Event> {
    let id = document.get_str("_id").unwrap_or_default().to_owned();
    shape::read(EVENTS, &id, Bson::Document(document))
}

/// An event as it is stored, with this version.
pub(super) fn event_to_document(event: &Event, version: Version) -> Result<Document> {
    let mut document = shape::document(event)?;
    document.insert("version", shape::number(version));
    Ok(document)
}

/// Times never move backwards. A write for each guest, all in one command.
pub(super) fn record_access(access: &Access) -> Document {
    let at = date(access.at);
    let mut latest = doc! { "lastAccess": at.clone() };
    if access.login {
        latest.insert("lastLogin", at);
    }
    doc! { "q": { "_id": guest_id(access.guest) }, "u": { "$max": latest } }
}
