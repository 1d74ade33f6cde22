//! What is remembered about addresses, and who is logged in where.

use chrono::{DateTime, Utc};
use domain::{
    address::{Address, Channel},
    code,
    conversation::{Ask, Conversation},
    model::{EventId, GuestId},
    schedule::Reach,
};
use futures_util::TryStreamExt;
use mongodb::{
    Database,
    bson::{Bson, Document, doc},
};

use super::{
    error::without_numbers,
    guests::with_unset,
    schema::{CONVERSATIONS, GUESTS},
    shape::{self, Fields, as_guest_id, as_number, date, guest_ids, number},
    transaction::{Failure, Txn},
};
use crate::{Link, Result};

/// Fields that a conversation may do without.
const OPTIONAL: [&str; 4] = ["active", "locale", "lastUsed", AWAITED_KEY];
/// The key of the code that a last name is awaited for: so that it is looked up in the same look.
pub(super) const AWAITED_KEY: &str = "awaitedKey";

/// A conversation as stored, and when its newest question was first tried to be sent.
pub(super) struct Found {
    pub conversation: Conversation,
    attempted: Option<(u64, DateTime<Utc>)>,
}

impl Found {
    /// The newest question, where it was tried to be sent, and when first.
    pub(super) fn attempted(&self) -> Option<(u64, DateTime<Utc>)> {
        self.attempted.filter(|(question, _)| *question == self.conversation.dialogue.asked)
    }

    /// When an attempt to send the open question was first recorded.
    pub(super) fn question_attempted_at(&self) -> Option<DateTime<Utc>> {
        let dialogue = &self.conversation.dialogue;
        let (question, at) = self.attempted?;
        (dialogue.open.is_some() && question == dialogue.asked).then_some(at)
    }
}

/// How a conversation is named in errors: a phone number must not be.
fn shown(document: &Document) -> String {
    without_numbers(document.get_str("_id").unwrap_or_default())
}

pub(super) fn read(document: Document) -> Result<Found> {
    let id = shown(&document);
    let fields = Fields { collection: CONVERSATIONS, id: &id, document: &document };
    let question = fields.optional("attemptedQuestion", as_number)?;
    let attempted = question.zip(fields.optional_date("attemptedAt")?);
    Ok(Found { conversation: shape::read(CONVERSATIONS, &id, Bson::Document(document))?, attempted })
}

pub(super) async fn find(database: &Database, address: &Address) -> Result<Option<Found>> {
    let found = database.collection::<Document>(CONVERSATIONS).find_one(doc! { "_id": address.to_string() }).await?;
    found.map(read).transpose()
}

pub(super) async fn find_in(txn: &mut Txn, address: &Address) -> std::result::Result<Option<Found>, Failure> {
    let found = txn.find_one(CONVERSATIONS, doc! { "_id": address.to_string() }).await?;
    Ok(found.map(read).transpose()?)
}

/// The statement that puts a conversation in place of the version it comes with.
pub(super) fn put(conversation: &Conversation) -> Result<Document> {
    let is_new = conversation.version == 0;
    let (filter, update) = replacing(conversation)?;
    Ok(doc! { "q": filter, "u": update, "upsert": is_new })
}

/// A conversation as it is stored, with its own version.
pub(super) fn to_document(conversation: &Conversation) -> Result<Document> {
    let mut document = shape::document(conversation)?;
    if let Some(Ask::LastName { code }) = &conversation.dialogue.open {
        document.insert(AWAITED_KEY, code::key(code));
    }
    Ok(document)
}

/// Filter and update for the same.
pub(super) fn replacing(conversation: &Conversation) -> Result<(Document, Document)> {
    let mut set = to_document(conversation)?;
    set.remove("_id");
    set.remove("version");
    let filter = doc! { "_id": conversation.address.to_string(), "version": number(conversation.version) };
    Ok((filter, with_unset(set, &OPTIONAL)))
}

/// Changes a conversation, or a new one for that address, by the store's own doing. `false` when nothing changed.
pub(super) async fn change(
    txn: &mut Txn,
    address: &Address,
    change: impl FnOnce(&mut Conversation) + Send,
) -> std::result::Result<bool, Failure> {
    let before = match find_in(txn, address).await? {
        Some(found) => found.conversation,
        None => Conversation::new(address.clone()),
    };
    let mut after = before.clone();
    change(&mut after);
    if after == before {
        return Ok(false);
    }
    let (mut filter, mut update) = replacing(&after)?;
    // A merge may have raised the version; what is stored has the old one.
    filter.insert("version", number(before.version));
    if after.version != before.version {
        update.remove("$inc");
        if let Ok(set) = update.get_document_mut("$set") {
            set.insert("version", number(after.version + 1));
        }
    }
    txn.update(CONVERSATIONS, vec![doc! { "q": filter, "u": update, "upsert": before.version == 0 }]).await?;
    Ok(true)
}

/// Remembers the first attempt to send a question, unless a newer question was tried there already.
pub(super) fn question_attempted(address: &str, question: u64, at: DateTime<Utc>) -> Document {
    let older = vec![
        doc! { "attemptedQuestion": { "$exists": false } },
        doc! { "attemptedQuestion": { "$lt": number(question) } },
    ];
    doc! {
        "q": { "_id": address, "$or": older },
        "u": { "$set": { "attemptedQuestion": number(question), "attemptedAt": date(at) } },
    }
}

/// Takes back what [`question_attempted`] remembered: the attempt was none.
pub(super) fn question_not_attempted(address: &str, question: u64, at: DateTime<Utc>) -> Document {
    doc! {
        "q": { "_id": address, "attemptedQuestion": number(question), "attemptedAt": date(at) },
        "u": { "$unset": { "attemptedQuestion": "", "attemptedAt": "" } },
    }
}

/// Deleted guests have no links, though conversations go on naming them.
pub(super) async fn links(database: &Database, guests: &[GuestId]) -> Result<Vec<Link>> {
    if guests.is_empty() {
        return Ok(Vec::new());
    }
    let pipeline = [
        doc! { "$match": { "logins": { "$in": guest_ids(guests) } } },
        doc! { "$lookup": { "from": GUESTS, "localField": "logins", "foreignField": "_id", "as": "there" } },
        doc! { "$project": {
            "logins": 1, "lastUsed": 1, "muted": 1, "optedOut": 1, "unreachable": 1, "locale": 1, "there._id": 1,
        } },
    ];
    let found: Vec<Document> =
        database.collection::<Document>(CONVERSATIONS).aggregate(pipeline).await?.try_collect().await?;
    let mut links = links_of(&found, guests)?;
    let there = |guest: &GuestId| {
        let guest = Some(*guest);
        let of = |document: &Document| document.get("_id").and_then(as_guest_id) == guest;
        found
            .iter()
            .any(|document| document.get_array("there").into_iter().flatten().filter_map(Bson::as_document).any(of))
    };
    links.retain(|link| there(&link.guest));
    Ok(links)
}

pub(super) async fn links_of_hosts(database: &Database, event: &EventId) -> Result<Vec<Link>> {
    let pipeline = [
        doc! { "$match": { "eventId": event.as_str(), "isAdmin": true } },
        doc! { "$lookup": { "from": CONVERSATIONS, "localField": "_id", "foreignField": "logins", "as": "there" } },
        doc! { "$project": {
            "there._id": 1, "there.logins": 1, "there.lastUsed": 1, "there.muted": 1, "there.optedOut": 1,
            "there.unreachable": 1, "there.locale": 1,
        } },
    ];
    let found: Vec<Document> = database.collection::<Document>(GUESTS).aggregate(pipeline).await?.try_collect().await?;
    let mut links = Vec::new();
    for host in found {
        let there = host.get_array("there").into_iter().flatten().filter_map(Bson::as_document).cloned();
        let id: Vec<GuestId> = host.get("_id").and_then(as_guest_id).into_iter().collect();
        links.extend(links_of(&there.collect::<Vec<_>>(), &id)?);
    }
    Ok(links)
}

pub(super) async fn reaches(database: &Database, addresses: &[Address]) -> Result<Vec<Reach>> {
    if addresses.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<String> = addresses.iter().map(Address::to_string).collect();
    let found: Vec<Document> = database
        .collection::<Document>(CONVERSATIONS)
        .find(doc! { "_id": { "$in": ids } })
        .projection(doc! { "lastUsed": 1, "muted": 1, "optedOut": 1, "unreachable": 1 })
        .await?
        .try_collect()
        .await?;
    let reach = |document: &Document| {
        let id = shown(document);
        let fields = Fields { collection: CONVERSATIONS, id: &id, document };
        Ok(Reach {
            address: address(&fields)?,
            last_used: fields.optional_date("lastUsed")?,
            muted: fields.flag("muted")?,
            opted_out: fields.flag("optedOut")?,
            unreachable: fields.flag("unreachable")?,
        })
    };
    found.iter().map(reach).collect()
}

/// A link for each of these guests and conversations that belong together.
pub(super) fn links_of(conversations: &[Document], guests: &[GuestId]) -> Result<Vec<Link>> {
    let mut links = Vec::new();
    for document in conversations {
        let id = shown(document);
        let fields = Fields { collection: CONVERSATIONS, id: &id, document };
        let logins = logins(&fields)?;
        for guest in logins.into_iter().filter(|login| guests.contains(login)) {
            links.push(Link {
                guest,
                address: address(&fields)?,
                last_used: fields.optional_date("lastUsed")?,
                muted: fields.flag("muted")?,
                opted_out: fields.flag("optedOut")?,
                unreachable: fields.flag("unreachable")?,
                locale: fields.optional("locale", shape::as_text)?,
            });
        }
    }
    Ok(links)
}

fn logins(fields: &Fields<'_>) -> Result<Vec<GuestId>> {
    fields.needed("logins", |value| value.as_array()?.iter().map(as_guest_id).collect())
}

fn address(fields: &Fields<'_>) -> Result<Address> {
    fields.needed("_id", |value| value.as_str()?.parse().ok())
}

/// The channel of an address as it is written.
pub(super) fn channel_of(address: &str) -> Option<Channel> {
    address.split(':').next().and_then(Channel::from_stored)
}
