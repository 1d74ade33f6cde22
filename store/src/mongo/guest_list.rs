//! The guest list as a host looks at it, and an event in numbers.

use std::collections::HashSet;

use domain::{
    model::{EventId, GuestId},
    name,
};
use futures_util::TryStreamExt;
use mongodb::{
    Database,
    bson::{Bson, Document, doc},
};

use super::{
    guests,
    schema::{CONVERSATIONS, GUESTS},
    shape::{as_guest_id, as_number, guest_ids},
};
use crate::{GuestList, GuestQuery, GuestSort, Result, Statistics};

/// Records that are completed at once.
const MOST_COMPLETED: usize = 1000;

pub(super) async fn find(database: &Database, query: &GuestQuery) -> Result<GuestList> {
    let Some(mut filter) = filter(query) else { return Ok(GuestList::default()) };
    if query.unreachable {
        let ids = unreachable(database).await?;
        filter.insert("_id", doc! { "$in": guest_ids(&ids) });
    }
    let collection = database.collection::<Document>(GUESTS);
    let total = collection.count_documents(filter.clone()).await?;
    if query.limit == 0 {
        // To the server it would mean all of them.
        return Ok(GuestList { total, guests: Vec::new() });
    }
    let found = collection.find(filter).sort(order(query)).skip(query.skip).limit(i64::from(query.limit)).await?;
    Ok(GuestList { total, guests: guests::readable(found.try_collect().await?) })
}

/// `None` where the search can find nobody.
fn filter(query: &GuestQuery) -> Option<Document> {
    let mut filter = doc! { "eventId": query.event.as_str() };
    if let Some(status) = query.status {
        filter.insert("status", status.as_str());
    }
    if query.never_logged_in {
        filter.insert("lastLogin", Bson::Null);
    }
    if query.with_dietary_needs {
        filter.insert("dietary", doc! { "$gt": "" });
    }
    // Each somewhere.
    let words: Vec<String> =
        name::search_words(&query.search)?.iter().map(|word| format!("(?=.*{})", literal(word))).collect();
    if !words.is_empty() {
        filter.insert("nameKey", doc! { "$regex": format!("^{}", words.concat()) });
    }
    Some(filter)
}

/// A word of which nothing is a pattern. A backslash before any other character of ASCII takes it as it is
/// (<https://www.pcre.org/current/doc/html/pcre2pattern.html#SEC5>).
fn literal(word: &str) -> String {
    let escaped = |c: char| [(c.is_ascii() && !c.is_ascii_alphanumeric()).then_some('\\'), Some(c)];
    word.chars().flat_map(escaped).flatten().collect()
}

fn order(query: &GuestQuery) -> Document {
    let by = match query.sort {
        GuestSort::Created => None,
        GuestSort::Name => Some("nameKey"),
        GuestSort::Status => Some("status"),
        GuestSort::Answered => Some("rsvpDate"),
        GuestSort::LastLogin => Some("lastLogin"),
    };
    let way = if query.descending { -1 } else { 1 };
    by.into_iter().chain(["createdAt", "_id"]).map(|by| (by.to_owned(), way.into())).collect()
}

/// The guests who are logged in where nobody is reached, and nowhere else.
async fn unreachable(database: &Database) -> Result<Vec<GuestId>> {
    let nowhere = logins(database, doc! { "unreachable": true }).await?;
    if nowhere.is_empty() {
        return Ok(Vec::new());
    }
    let reached = doc! { "logins": { "$in": guest_ids(&nowhere) }, "unreachable": { "$ne": true } };
    let elsewhere = logins(database, reached).await?;
    Ok(nowhere.difference(&elsewhere).copied().collect())
}

async fn logins(database: &Database, filter: Document) -> Result<HashSet<GuestId>> {
    let conversations = database.collection::<Document>(CONVERSATIONS);
    let found: Vec<Document> = conversations.find(filter).projection(doc! { "logins": 1 }).await?.try_collect().await?;
    let of = |document: &Document| document.get_array("logins").cloned().unwrap_or_default();
    Ok(found.iter().flat_map(of).filter_map(|id| as_guest_id(&id)).collect())
}

pub(super) async fn statistics(database: &Database, event: &EventId) -> Result<Statistics> {
    let has = |status: &str| doc! { "$eq": ["$status", status] };
    let count = |condition: Document| doc! { "$sum": { "$cond": [condition, 1, 0] } };
    let sums = doc! {
        "_id": null,
        "invited": { "$sum": 1 },
        "expected": { "$sum": "$expectedGuests" },
        "coming": count(has("coming")),
        "headCount": { "$sum": { "$cond": [has("coming"), "$numGuests", 0] } },
        "pending": count(has("pending")),
        "declined": count(has("declined")),
        "waitlisted": count(has("waitlisted")),
        "withAllergies": count(doc! { "$and": [has("coming"), { "$gt": ["$dietary", ""] }] }),
        // Missing, as others may write it, and null are both before any date.
        "neverLoggedIn": count(doc! { "$lte": ["$lastLogin", null] }),
    };
    let pipeline = [doc! { "$match": { "eventId": event.as_str() } }, doc! { "$group": sums }];
    let found = database.collection::<Document>(GUESTS).aggregate(pipeline).await?.try_next().await?;
    let sum = |field: &str| found.as_ref().and_then(|found| found.get(field)).and_then(as_number).unwrap_or(0);
    Ok(Statistics {
        invited: sum("invited"),
        expected: sum("expected"),
        coming: sum("coming"),
        head_count: sum("headCount"),
        pending: sum("pending"),
        declined: sum("declined"),
        waitlisted: sum("waitlisted"),
        with_allergies: sum("withAllergies"),
        never_logged_in: sum("neverLoggedIn"),
    })
}

/// Gives records that another program has written, or changed, what codes are looked up and lists are searched by.
pub(super) async fn complete(database: &Database) -> Result<()> {
    let parts = doc! { "firstName": 1, "lastName": 1, "token": 1, "tokenKey": 1, "nameKey": 1 };
    let all = doc! { "eventId": { "$gte": "" } };
    let mut found = database.collection::<Document>(GUESTS).find(all).projection(parts).await?;
    let mut updates = Vec::new();
    while let Some(guest) = found.try_next().await? {
        updates.extend(completing(&guest));
        if updates.len() == MOST_COMPLETED {
            database.run_command(doc! { "update": GUESTS, "updates": std::mem::take(&mut updates) }).await?;
        }
    }
    if !updates.is_empty() {
        database.run_command(doc! { "update": GUESTS, "updates": updates }).await?;
    }
    Ok(())
}

/// The statement that sets what follows from names and code, where that is not so yet.
fn completing(guest: &Document) -> Option<Document> {
    let text = |field: &str| guest.get_str(field).unwrap_or_default();
    let keys = guests::keys(text("firstName"), text("lastName"), text("token"));
    if keys.iter().all(|(field, key)| guest.get(field) == Some(key)) {
        return None;
    }
    // As it was read: a change meanwhile comes with keys of its own.
    let read: Document = ["_id", "firstName", "lastName", "token"]
        .map(|field| (field.to_owned(), guest.get(field).cloned().into()))
        .into_iter()
        .collect();
    Some(doc! { "q": read, "u": { "$set": keys } })
}
