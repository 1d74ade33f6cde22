//! Writing a decision. What it rests on is part of each write's filter: where a filter meets nothing, the decision is
//! stale and the transaction is given up.

use std::collections::HashSet;

use async_trait::async_trait;
use mongodb::{
    Database,
    bson::{Document, doc, oid::ObjectId},
};

use super::{
    archive, conversations, guests, outbox,
    schema::{ACTIVITY, CONVERSATIONS, EVENTS, FAILURES, GROUPS, GUESTS, INBOX, JOBS, OUTBOX},
    shape::{date, guest_id, number},
    transaction::{End, Failure, Outcome, Txn, Work},
};
use crate::{Commit, Committed, EventChange, GroupRests, GuestChange, Progress, Result};

/// A step of the commit: `Some` ends it with that answer.
type Step = std::result::Result<Option<Committed>, Failure>;

#[async_trait]
impl Work for Commit {
    type Done = Committed;

    async fn run(&self, txn: &mut Txn) -> Outcome<Committed> {
        Ok(match write(txn, self).await? {
            None => End::Keep(Committed::Done),
            Some(refused) => End::Drop(refused),
        })
    }

    async fn happened(&self, database: &Database, token: &str) -> Result<Option<Committed>> {
        let id = self.key.as_deref().unwrap_or(token);
        let found = database.collection::<Document>(INBOX).find_one(doc! { "_id": id, "by": token }).await?;
        Ok(found.map(|_| Committed::Done))
    }
}

async fn write(txn: &mut Txn, commit: &Commit) -> Step {
    if let Some(refused) = write_key(txn, commit).await? {
        return Ok(Some(refused));
    }
    if let Some(refused) = write_progress(txn, &commit.progress).await? {
        return Ok(Some(refused));
    }
    if let Some(refused) = write_conversations(txn, commit).await? {
        return Ok(Some(refused));
    }
    if let Some(refused) = check_groups(txn, &commit.groups).await? {
        return Ok(Some(refused));
    }
    if let Some(refused) = write_guests(txn, commit).await? {
        return Ok(Some(refused));
    }
    if let Some(refused) = write_event(txn, commit.event.as_ref()).await? {
        return Ok(Some(refused));
    }
    let activity = commit.activity.iter().map(archive::activity_document);
    txn.insert(ACTIVITY, activity.collect::<Result<_>>()?).await?;
    if commit.login_failed {
        txn.insert(FAILURES, vec![doc! { "_id": ObjectId::new(), "at": date(commit.at) }]).await?;
    }
    write_outbox(txn, commit).await
}

/// The key makes a repetition known; so does, where there is none, the name of this piece of work.
async fn write_key(txn: &mut Txn, commit: &Commit) -> Step {
    let id = commit.key.clone().unwrap_or_else(|| txn.token.clone());
    let mut document = doc! { "_id": id, "at": date(commit.at), "by": txn.token.clone() };
    if commit.key.is_none() {
        document.insert("isMark", true);
    }
    let once = commit.once.iter().map(|key| doc! { "_id": key, "at": date(commit.at), "by": txn.token.clone() });
    let documents = std::iter::once(document).chain(once).collect();
    unless_duplicate(txn.insert(INBOX, documents).await, Committed::Duplicate)
}

/// A job that ran before must be where the decision found it; another must not have begun meanwhile.
async fn write_progress(txn: &mut Txn, progress: &[Progress]) -> Step {
    let (began, went_on): (Vec<_>, Vec<_>) = progress.iter().partition(|progress| progress.from.is_none());
    let begin = began.iter().map(|it| doc! { "_id": &it.job, "reached": date(it.to) }).collect();
    if let Some(refused) = unless_duplicate(txn.insert(JOBS, begin).await, Committed::Stale)? {
        return Ok(Some(refused));
    }
    let statement = |it: &&Progress| {
        doc! { "q": { "_id": &it.job, "reached": it.from.map(date) }, "u": { "$set": { "reached": date(it.to) } } }
    };
    all_met(txn, JOBS, went_on.iter().map(statement).collect()).await
}

fn unless_duplicate<T>(written: std::result::Result<T, Failure>, then: Committed) -> Step {
    match written {
        Ok(_) => Ok(None),
        Err(Failure::Duplicate) => Ok(Some(then)),
        Err(failure) => Err(failure),
    }
}

async fn write_conversations(txn: &mut Txn, commit: &Commit) -> Step {
    let (opted_out, others): (Vec<_>, Vec<_>) =
        commit.conversations.iter().partition(|conversation| conversation.opted_out);
    let statements = others.iter().map(|conversation| conversations::put(conversation)).collect::<Result<Vec<_>>>()?;
    if let Some(refused) = all_met(txn, CONVERSATIONS, statements).await? {
        return Ok(Some(refused));
    }
    for conversation in opted_out {
        let was_opted_out = if conversation.version == 0 {
            let put = vec![conversations::put(conversation)?];
            if let Some(refused) = all_met(txn, CONVERSATIONS, put).await? {
                return Ok(Some(refused));
            }
            false
        } else {
            let (filter, update) = conversations::replacing(conversation)?;
            let Some(before) = txn.exchange(CONVERSATIONS, filter, update).await? else {
                return Ok(Some(Committed::Stale));
            };
            before.get_bool("optedOut").unwrap_or(false)
        };
        if !was_opted_out {
            outbox::drop_waiting(txn, &conversation.address, commit.at).await?;
        }
    }
    Ok(None)
}

/// Every statement must meet exactly one document; otherwise what it rests on has changed.
async fn all_met(txn: &mut Txn, collection: &str, statements: Vec<Document>) -> Step {
    if statements.is_empty() {
        return Ok(None);
    }
    let expected = statements.len() as u64;
    match txn.update(collection, statements).await {
        Ok(updated) if updated.met == expected => Ok(None),
        // An upsert of the first version finds a document with another one.
        Ok(_) | Err(Failure::Duplicate) => Ok(Some(Committed::Stale)),
        Err(failure) => Err(failure),
    }
}

/// A group that only must not have changed is written, too, so that a commit that raises it meets this one. (An update
/// that changes nothing is no write, and meets no other.)
async fn check_groups(txn: &mut Txn, groups: &[GroupRests]) -> Step {
    let statement = |rests: &GroupRests| {
        let version = if rests.raise { rests.version + 1 } else { rests.version };
        doc! {
            "q": { "_id": rests.key.as_str(), "version": number(rests.version) },
            "u": { "$set": { "version": number(version) }, "$inc": { "commits": 1_i64 } },
            "upsert": rests.version == 0,
        }
    };
    all_met(txn, GROUPS, groups.iter().map(statement).collect()).await
}

/// Deletions first: they make room for a code or an id that is used again.
async fn write_guests(txn: &mut Txn, commit: &Commit) -> Step {
    let (mut deleted, mut updates, mut inserts) = (Vec::new(), Vec::new(), Vec::new());
    for change in &commit.guests {
        match change {
            // Conversations go on naming the guest; whoever reads them leaves out who is gone.
            GuestChange::Delete { id, version } => {
                deleted.push(doc! { "q": { "_id": guest_id(*id), "version": number(*version) }, "limit": 1 });
            }
            GuestChange::Update(guest) => updates.push(doc! {
                "q": { "_id": guest_id(guest.id), "version": number(guest.version) },
                "u": guests::to_update(guest)?,
            }),
            GuestChange::Insert(guest) => inserts.push(guests::to_document(guest)?),
        }
    }
    if !deleted.is_empty() {
        let expected = deleted.len() as u64;
        if txn.delete(GUESTS, deleted).await? != expected {
            return Ok(Some(Committed::Stale));
        }
    }
    let expected = updates.len() as u64;
    if expected > 0 {
        match txn.update(GUESTS, updates).await {
            Ok(updated) if updated.met == expected => {}
            Ok(_) => return Ok(Some(Committed::Stale)),
            // Only a code can be taken.
            Err(Failure::Duplicate) => return Ok(Some(Committed::Taken)),
            Err(failure) => return Err(failure),
        }
    }
    unless_duplicate(txn.insert(GUESTS, inserts).await, Committed::Taken)
}

async fn write_event(txn: &mut Txn, change: Option<&EventChange>) -> Step {
    match change {
        None => Ok(None),
        Some(EventChange::Insert(event)) => {
            let document = guests::event_to_document(event, 1)?;
            unless_duplicate(txn.insert(EVENTS, vec![document]).await, Committed::Taken)
        }
        Some(EventChange::Update(event)) => {
            let statement = doc! {
                "q": { "_id": event.id.as_str(), "version": number(event.version) },
                "u": guests::event_to_document(event, event.version + 1)?,
            };
            all_met(txn, EVENTS, vec![statement]).await
        }
    }
}

/// New entries, and the end of the questions that they replace, in one command.
async fn write_outbox(txn: &mut Txn, commit: &Commit) -> Step {
    if commit.outbox.is_empty() {
        return Ok(None);
    }
    let mut ids = HashSet::new();
    let mut statements = Vec::new();
    for entry in &commit.outbox {
        if !ids.insert(&entry.id) {
            return Ok(Some(Committed::Taken));
        }
        if let Some(question) = entry.question {
            statements.push(outbox::drop_replaced(&entry.address, question, commit.at));
        }
        statements.push(outbox::add(entry, commit.at)?);
    }
    match txn.update(OUTBOX, statements).await {
        Ok(updated) if updated.inserted == commit.outbox.len() as u64 => Ok(None),
        Ok(_) | Err(Failure::Duplicate) => Ok(Some(Committed::Taken)),
        Err(failure) => Err(failure),
    }
}
