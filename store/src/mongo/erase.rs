//! Removing a person everywhere.
//!
//! Rare, and thorough rather than fast: it looks at everything that may hold their name.

use std::collections::BTreeSet;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use domain::{
    activity::{AnswerFacts, Happening},
    address::Address,
    conversation::Conversation,
    model::{Guest, GuestId},
};
use mongodb::{
    Database,
    bson::{Document, doc},
};

use super::{
    conversations, guests, house,
    schema::{ACTIVITY, CONVERSATIONS, GROUPS, GUESTS, INBOX, OUTBOX},
    shape::{self, Fields, date, guest_id, guest_ids},
    transaction::{End, Failure, Outcome, Txn, Work},
};
use crate::{Initiated, Rendered, Result, mention::Person};

type Done<T> = std::result::Result<T, Failure>;

/// Removes a person everywhere; `false` when there is no such guest.
pub(super) struct Erasing {
    pub guest: GuestId,
    pub at: DateTime<Utc>,
}

/// Whom it is about, and who is near them.
struct Near {
    guest: Guest,
    person: Person,
    members: Vec<GuestId>,
    addresses: BTreeSet<Address>,
}

#[async_trait]
impl Work for Erasing {
    type Done = bool;

    async fn run(&self, txn: &mut Txn) -> Outcome<bool> {
        let Some(found) = txn.find_one(GUESTS, doc! { "_id": guest_id(self.guest) }).await? else {
            return Ok(End::Drop(false));
        };
        let near = near(txn, guests::read(found)?).await?;
        let mark = doc! { "_id": txn.token.clone(), "at": date(self.at), "by": txn.token.clone(), "isMark": true };
        txn.insert(INBOX, vec![mark]).await?;
        erase_from_conversations(txn, &near).await?;
        delete_entries_about(txn, &near).await?;
        erase_from_activity(txn, &near).await?;
        erase_from_guests(txn, &near).await?;
        Ok(End::Keep(true))
    }

    async fn happened(&self, database: &Database, token: &str) -> Result<Option<bool>> {
        let found = database.collection::<Document>(INBOX).find_one(doc! { "_id": token }).await?;
        Ok(found.map(|_| true))
    }
}

async fn near(txn: &mut Txn, guest: Guest) -> Done<Near> {
    let mut members = vec![guest.id];
    if let Some(group) = &guest.group_id {
        let filter = doc! { "eventId": guest.event_id.as_str(), "groupId": group.as_str() };
        let found = guests::read_all(txn.find(GUESTS, filter, doc! {}).await?)?;
        members.extend(found.iter().map(|member| member.id).filter(|id| *id != guest.id));
    }
    let found = txn.find(CONVERSATIONS, doc! { "logins": { "$in": guest_ids(&members) } }, doc! {}).await?;
    let addresses = conversations::links_of(&found, &members)?.into_iter().map(|link| link.address).collect();
    Ok(Near { person: Person::new(&guest), guest, members, addresses })
}

/// Everything in a collection, by its first index.
async fn all_of(txn: &mut Txn, collection: &str) -> Done<Vec<Document>> {
    txn.find(collection, doc! { "_id": { "$gte": "" } }, doc! { "_id": 1 }).await
}

/// Ends the logins and deletes the conversations that served nobody else, with what is to be sent there. A dialogue
/// that mentions the person forgets them.
async fn erase_from_conversations(txn: &mut Txn, near: &Near) -> Done<()> {
    let id = near.guest.id;
    let mut gone = BTreeSet::new();
    for document in all_of(txn, CONVERSATIONS).await? {
        let conversation = conversations::read(document)?.conversation;
        let was_logged_in = conversation.logins.contains(&id);
        let dialogue = json(&conversation.dialogue)?;
        let is_near = near.addresses.contains(&conversation.address);
        let mentions = near.person.is_in(&dialogue, is_near);
        if was_logged_in && serves_nobody_but(txn, &conversation, id).await? {
            house::delete_conversation(txn, &conversation.address).await?;
            gone.insert(conversation.address);
        } else if was_logged_in || mentions {
            conversations::change(txn, &conversation.address, |conversation| {
                conversation.end_login(id);
                if mentions {
                    conversation.dialogue.forget(id, |text| near.person.is_in(text, is_near));
                }
            })
            .await?;
        }
    }
    house::delete_entries_to(txn, &gone).await
}

fn json<T: serde::Serialize>(value: &T) -> Result<String> {
    serde_json::to_string(value)
        .map_err(|_| crate::StoreError::Damaged("something stored cannot be put into words".to_owned()))
}

async fn serves_nobody_but(txn: &mut Txn, conversation: &Conversation, id: GuestId) -> Done<bool> {
    let others: Vec<GuestId> = conversation.logins.iter().copied().filter(|login| *login != id).collect();
    Ok(others.is_empty() || txn.find_one(GUESTS, doc! { "_id": { "$in": guest_ids(&others) } }).await?.is_none())
}

async fn delete_entries_about(txn: &mut Txn, near: &Near) -> Done<()> {
    let (mut ids, mut addresses) = (Vec::new(), BTreeSet::new());
    for document in all_of(txn, OUTBOX).await? {
        let shown = super::outbox::shown(&document);
        let fields = Fields { collection: OUTBOX, id: &shown, document: &document };
        let address = fields.text("address")?;
        let is_near = address.parse().is_ok_and(|address| near.addresses.contains(&address));
        let text = fields.part::<Rendered>("text")?;
        let in_text = text.is_some_and(|text| is_in_message(&near.person, &text, is_near));
        let in_notice = match fields.part::<Initiated>("initiated")? {
            Some(initiated) => near.person.is_in(&json(&initiated.notice)?, is_near),
            None => false,
        };
        if in_text || in_notice {
            ids.push(fields.text("_id")?);
            addresses.insert(address);
        }
    }
    house::delete_entries(txn, ids, addresses).await
}

fn is_in_message(person: &Person, message: &Rendered, is_near: bool) -> bool {
    person.is_in(&message.text, is_near)
        || message.choices.iter().any(|choice| person.is_in(&choice.label, is_near))
        || message.attachment.as_ref().is_some_and(|file| person.is_in(&file.content, is_near))
}

/// Deletes what the person did and what was done to their record, and their name from what others wrote.
async fn erase_from_activity(txn: &mut Txn, near: &Near) -> Done<()> {
    let (mut gone, mut changed) = (Vec::new(), Vec::new());
    for document in txn.find(ACTIVITY, doc! { "eventId": near.guest.event_id.as_str() }, doc! {}).await? {
        let Some(id) = document.get("_id").cloned() else { continue };
        let mut activity = house::read_activity(document)?;
        if activity.guest_id == Some(near.guest.id) || activity.by.guest_id == Some(near.guest.id) {
            gone.push(id);
            continue;
        }
        let before = activity.clone();
        let is_near = activity.guest_id.is_some_and(|about| near.members.contains(&about));
        let clean = |facts: &mut AnswerFacts| facts.dietary = near.person.taken_out_of(&facts.dietary, is_near);
        match &mut activity.what {
            Happening::Answered { before, after } => {
                clean(before);
                clean(after);
            }
            Happening::LeftMessage { text } => *text = near.person.taken_out_of(text, is_near),
            _ => {}
        }
        if activity != before {
            let what = shape::stored(&activity.what)?;
            changed.push(doc! { "q": { "_id": id }, "u": { "$set": { "what": what } } });
        }
    }
    if !gone.is_empty() {
        txn.delete(ACTIVITY, vec![doc! { "q": { "_id": { "$in": gone } }, "limit": 0 }]).await?;
    }
    if !changed.is_empty() {
        txn.update(ACTIVITY, changed).await?;
    }
    Ok(())
}

/// Deletes the record, and takes the person's name out of what the other records of the event say in words and out of
/// who answered for them.
async fn erase_from_guests(txn: &mut Txn, near: &Near) -> Done<()> {
    let mut updates = Vec::new();
    let mut groups: BTreeSet<_> = [near.guest.group_key()].into();
    let found = txn.find(GUESTS, doc! { "eventId": near.guest.event_id.as_str() }, doc! {}).await?;
    for other in guests::read_all(found)?.into_iter().filter(|other| other.id != near.guest.id) {
        let mut clean = other.clone();
        let is_near = other.group_key() == near.guest.group_key();
        clean.dietary = near.person.taken_out_of(&other.dietary, is_near);
        clean.notes = other.notes.as_ref().map(|notes| near.person.taken_out_of(notes, is_near));
        clean.answered_by = other.answered_by.clone().filter(|by| by.guest_id != near.guest.id);
        if clean != other {
            updates.push(doc! { "q": { "_id": guest_id(other.id) }, "u": guests::to_update(&clean)? });
            groups.insert(other.group_key());
        }
    }
    if !updates.is_empty() {
        txn.update(GUESTS, updates).await?;
    }
    txn.delete(GUESTS, vec![doc! { "q": { "_id": guest_id(near.guest.id) }, "limit": 1 }]).await?;
    let raise = |key: domain::model::GroupKey| {
        doc! { "q": { "_id": key.as_str() }, "u": { "$inc": { "version": 1_i64 } }, "upsert": true }
    };
    txn.update(GROUPS, groups.into_iter().map(raise).collect()).await?;
    Ok(())
}
