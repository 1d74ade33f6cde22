//! The lease of an address: what is in flight there, and when its next reply and its next initiated message may be
//! claimed.
//!
//! Only the first open reply of an address may go, and only one entry at a time. An initiated message waits for the
//! earlier ones that are being retried, but not for those that merely wait for their window. All of that, and holds, is
//! worked out once when an entry changes, so that a courier needs no look at what must wait. A commit does not touch
//! leases: its entries are `fresh`, and the courier that finds them works the lease out.

use std::collections::{BTreeMap, HashMap};

use chrono::{DateTime, Utc};
use domain::address::{Address, Channel};
use mongodb::bson::{Bson, Document, doc};

use super::{
    conversations::channel_of,
    error::without_numbers,
    schema::{LEASES, OUTBOX},
    shape::{Fields, as_date, date},
    transaction::{Failure, Txn},
};
use crate::{Claimed, EntryStatus, Result, Work};

/// An open entry.
#[derive(Debug, Clone)]
pub(super) struct Open {
    pub is_reply: bool,
    pub is_fresh: bool,
    pub is_leased: bool,
    /// Whether the person opted out while it was on its way.
    pub is_withdrawn: bool,
    /// Of a leased entry: the lease's end.
    pub due_at: DateTime<Utc>,
    pub entry: Claimed,
}

impl Open {
    pub(super) fn read(document: &Document) -> Result<Self> {
        let id = super::outbox::shown(document);
        let fields = Fields { collection: OUTBOX, id: &id, document };
        let work = match (fields.part("text")?, fields.part("initiated")?) {
            (Some(text), initiated) => Work::Send { text, initiated },
            (None, Some(initiated)) => Work::Render(initiated),
            (None, None) => return Err(super::error::damaged(OUTBOX, &id, "text", "is missing")),
        };
        Ok(Self {
            is_reply: fields.needed("isReply", Bson::as_bool)?,
            is_fresh: fields.flag("fresh")?,
            is_leased: fields.text("status")? == EntryStatus::Leased.as_str(),
            is_withdrawn: fields.flag("withdrawn")?,
            due_at: fields.date("dueAt")?,
            entry: Claimed {
                id: fields.text("_id")?,
                address: fields.needed("address", |value| value.as_str()?.parse().ok())?,
                work,
                question: fields.optional("question", super::shape::as_number)?,
                attempts: fields.count("attempts")?,
                ambiguous: fields.count("ambiguous")?,
                in_doubt: fields.flag("inDoubt")?,
                first_attempt_at: fields.optional_date("firstAttemptAt")?,
                created_at: fields.date("createdAt")?,
            },
        })
    }
}

/// What there is to deliver at one address.
#[derive(Debug, Default)]
pub(super) struct Lane {
    pub held_until: Option<DateTime<Utc>>,
    /// Replies in their order, then initiated messages in theirs.
    pub open: Vec<Open>,
    /// Open entries that cannot be read: the id, and which field is wrong.
    pub damaged: Vec<(String, String)>,
}

impl Lane {
    /// The leased entry, if there is one.
    pub(super) fn leased(&self) -> Option<&Open> {
        self.open.iter().find(|open| open.is_leased)
    }

    /// When the next reply may be claimed.
    pub(super) fn reply_at(&self) -> Option<DateTime<Utc>> {
        let first = self.open.iter().find(|open| open.is_reply)?;
        Some(self.leased().map_or_else(|| self.unheld(first.due_at), |leased| leased.due_at))
    }

    /// When the next initiated message may be claimed.
    pub(super) fn initiated_at(&self) -> Option<DateTime<Utc>> {
        let mut next: Option<DateTime<Utc>> = None;
        for open in self.open.iter().filter(|open| !open.is_reply) {
            next = Some(next.map_or(open.due_at, |next| next.min(open.due_at)));
            if open.entry.attempts > 0 {
                break;
            }
        }
        next.map(|next| self.leased().map_or_else(|| self.unheld(next), |leased| leased.due_at))
    }

    fn unheld(&self, at: DateTime<Utc>) -> DateTime<Utc> {
        self.held_until.map_or(at, |until| at.max(until))
    }

    /// The entry to be claimed now.
    pub(super) fn next(&mut self, is_reply: bool, now: DateTime<Utc>) -> Option<&mut Open> {
        for open in self.open.iter_mut().filter(|open| open.is_reply == is_reply) {
            if open.due_at <= now {
                return Some(open);
            }
            // Replies wait for one another; an initiated message only for one that is being retried.
            if is_reply || open.entry.attempts > 0 {
                return None;
            }
        }
        None
    }

    /// The statement that notes all this.
    pub(super) fn put(&self, address: &str) -> Document {
        let mut set = doc! {};
        let mut unset = doc! {};
        let in_flight = self.leased().map(|leased| leased.entry.id.clone().into());
        let channel = channel_of(address).map(|channel| channel.as_str().into());
        for (field, value) in [
            ("channel", channel),
            ("inFlight", in_flight),
            ("replyAt", self.reply_at().map(date)),
            ("initiatedAt", self.initiated_at().map(date)),
        ] {
            match value {
                Some(value) => drop(set.insert(field, value)),
                None => drop(unset.insert(field, "")),
            }
        }
        // An update that changes nothing is no write, and meets no other: whoever took an entry out meanwhile, without
        // having seen the newest one, would delete the lease that is left for it.
        let mut update = doc! { "$set": set, "$inc": { "noted": 1_i64 } };
        if !unset.is_empty() {
            update.insert("$unset", unset);
        }
        doc! { "q": { "_id": address }, "u": update, "upsert": true }
    }
}

/// What there is to deliver at these addresses.
pub(super) async fn lanes(txn: &mut Txn, addresses: &[String]) -> std::result::Result<BTreeMap<String, Lane>, Failure> {
    let mut lanes: BTreeMap<String, Lane> =
        addresses.iter().map(|address| (address.clone(), Lane::default())).collect();
    for lease in txn.find(LEASES, doc! { "_id": { "$in": addresses } }, doc! {}).await? {
        let id = without_numbers(lease.get_str("_id").unwrap_or_default());
        let fields = Fields { collection: LEASES, id: &id, document: &lease };
        if let Some(lane) = lanes.get_mut(lease.get_str("_id").unwrap_or_default()) {
            lane.held_until = fields.optional("heldUntil", as_date)?;
        }
    }
    let filter = doc! { "address": { "$in": addresses }, "open": true };
    let order = doc! { "isReply": -1, "order1": 1, "order2": 1, "_id": 1 };
    for document in txn.find(OUTBOX, filter, order).await? {
        let Some(lane) = lanes.get_mut(document.get_str("address").unwrap_or_default()) else { continue };
        match Open::read(&document) {
            Ok(open) => lane.open.push(open),
            Err(error) => {
                tracing::error!(%error, "an entry of the outbox cannot be sent");
                let id = document.get_str("_id").unwrap_or_default().to_owned();
                lane.damaged.push((id, error.to_string()));
            }
        }
    }
    Ok(lanes)
}

/// Works out anew when entries of these addresses may be claimed.
pub(super) async fn refresh(
    txn: &mut Txn,
    addresses: impl IntoIterator<Item = String>,
) -> std::result::Result<(), Failure> {
    let addresses: Vec<String> = addresses.into_iter().collect();
    let lanes = lanes(txn, &addresses).await?;
    note(txn, &lanes).await
}

/// Notes what was worked out; addresses with nothing to deliver are forgotten.
pub(super) async fn note(txn: &mut Txn, lanes: &BTreeMap<String, Lane>) -> std::result::Result<(), Failure> {
    let is_empty = |lane: &Lane| lane.open.is_empty() && lane.held_until.is_none();
    let (gone, kept): (Vec<_>, Vec<_>) = lanes.iter().partition(|(_, lane)| is_empty(lane));
    if !kept.is_empty() {
        txn.update(LEASES, kept.into_iter().map(|(address, lane)| lane.put(address)).collect()).await?;
    }
    if !gone.is_empty() {
        let gone: Vec<&String> = gone.into_iter().map(|(address, _)| address).collect();
        txn.delete(LEASES, vec![doc! { "q": { "_id": { "$in": gone } }, "limit": 0 }]).await?;
    }
    Ok(())
}

/// After a 429: nothing to that address until then; and where another address of the channel is held at `now`
/// already, no initiated message of the channel either. The lane is the caller's business.
pub(super) async fn hold_back(
    txn: &mut Txn,
    address: &Address,
    now: DateTime<Utc>,
    until: DateTime<Utc>,
) -> std::result::Result<(), Failure> {
    let channel = address.channel.as_str();
    let text = address.to_string();
    let others = doc! { "heldUntil": { "$gt": date(now) }, "channel": channel, "_id": { "$ne": &text } };
    let held = doc! { "$max": { "heldUntil": date(until) } };
    let mut statements = Vec::new();
    if txn.find_one(LEASES, others).await?.is_some() {
        // Without the field `channel`: it is no address.
        statements.push(doc! { "q": { "_id": channel }, "u": held.clone(), "upsert": true });
    }
    let mut held = held;
    held.insert("$set", doc! { "channel": channel });
    statements.push(doc! { "q": { "_id": text }, "u": held, "upsert": true });
    txn.update(LEASES, statements).await?;
    Ok(())
}

/// Until when no initiated message of these channels may be sent.
pub(super) fn channel_holds<'a>(leases: impl Iterator<Item = &'a Document>) -> HashMap<Channel, DateTime<Utc>> {
    let hold = |lease: &Document| {
        let channel = Channel::from_stored(lease.get_str("_id").ok()?)?;
        Some((channel, lease.get("heldUntil").and_then(as_date)?))
    };
    leases.filter_map(hold).collect()
}
