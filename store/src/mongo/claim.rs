//! Leasing entries to a courier, and the first attempt of initiated messages.

use std::collections::{BTreeMap, HashMap};

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use domain::address::Channel;
use futures_util::TryStreamExt;
use mongodb::{
    Database,
    bson::{Document, doc},
};

use super::{
    conversations,
    leases::{self, Lane},
    outbox,
    schema::{CONVERSATIONS, OUTBOX},
    shape::{self, date, number},
    transaction::{Divided, End, Failure, Outcome, Txn, Work, halves},
};
use crate::{Claim, Claimed, Committed, EntryStatus, FirstAttempt, Result};

/// A claim at addresses where there may be something to claim.
pub(super) struct Taking {
    pub claim: Claim,
    pub addresses: Vec<String>,
    /// Until when no initiated message of a channel may be sent.
    pub holds: HashMap<Channel, DateTime<Utc>>,
}

impl Divided for Taking {
    fn halves(self) -> std::result::Result<(Self, Self), Self> {
        let Self { claim, addresses, holds } = self;
        let part = |addresses| Self { claim: claim.clone(), addresses, holds: holds.clone() };
        halves(addresses).map(|(first, second)| (part(first), part(second))).map_err(part)
    }

    fn after(&mut self, claimed: &Vec<Claimed>) {
        for entry in claimed {
            let is_reply = matches!(entry.work, crate::Work::Send { initiated: None, .. });
            let left = if is_reply { &mut self.claim.replies } else { &mut self.claim.initiated };
            *left = left.saturating_sub(1);
        }
    }
}

#[async_trait]
impl Work for Taking {
    type Done = Vec<Claimed>;

    async fn run(&self, txn: &mut Txn) -> Outcome<Vec<Claimed>> {
        let mut lanes = leases::lanes(txn, &self.addresses).await?;
        let mut writes = Writes::default();
        end_leases(&mut lanes, self.claim.now, &mut writes);
        let mut claimed = Vec::new();
        for (is_reply, most) in [(true, self.claim.replies), (false, self.claim.initiated)] {
            for address in self.due(&lanes, is_reply, most) {
                if let Some(lane) = lanes.get_mut(&address) {
                    claimed.extend(self.lease(txn, &address, lane, is_reply, &mut writes)?);
                }
            }
        }
        writes.send(txn, &lanes, self.claim.now).await?;
        leases::note(txn, &lanes).await?;
        Ok(End::Keep(claimed))
    }

    /// What was leased must be sent, or it would count as sent perhaps.
    async fn happened(&self, database: &Database, token: &str) -> Result<Option<Vec<Claimed>>> {
        let filter = doc! { "status": EntryStatus::Leased.as_str(), "leasedBy": &self.claim.by, "claim": token };
        let found: Vec<Document> = database.collection::<Document>(OUTBOX).find(filter).await?.try_collect().await?;
        let claimed: Vec<Claimed> =
            found.iter().map(|document| Ok(leases::Open::read(document)?.entry)).collect::<Result<_>>()?;
        Ok((!claimed.is_empty()).then_some(claimed))
    }
}

impl Taking {
    /// The addresses to claim at, those that are due longest first.
    fn due(&self, lanes: &BTreeMap<String, Lane>, is_reply: bool, most: u32) -> Vec<String> {
        let now = self.claim.now;
        let mut due: Vec<(DateTime<Utc>, &String)> = Vec::new();
        for (address, lane) in lanes.iter().filter(|(_, lane)| lane.leased().is_none()) {
            let reply_at = lane.reply_at();
            let at = if is_reply { reply_at } else { lane.initiated_at() };
            let is_held = !is_reply
                && conversations::channel_of(address)
                    .and_then(|channel| self.holds.get(&channel))
                    .is_some_and(|until| *until > now);
            let waits_for_reply = !is_reply && reply_at.is_some_and(|at| at <= now);
            if let Some(at) = at.filter(|at| *at <= now && !is_held && !waits_for_reply) {
                due.push((at, address));
            }
        }
        due.sort();
        due.into_iter().take(most as usize).map(|(_, address)| address.clone()).collect()
    }

    fn lease(
        &self,
        txn: &Txn,
        address: &str,
        lane: &mut Lane,
        is_reply: bool,
        writes: &mut Writes,
    ) -> Result<Option<Claimed>> {
        let Some(open) = lane.next(is_reply, self.claim.now) else { return Ok(None) };
        let entry = &mut open.entry;
        if matches!(entry.work, crate::Work::Send { .. }) {
            entry.attempts += 1;
            entry.first_attempt_at.get_or_insert(self.claim.now);
            if let Some(question) = entry.question {
                writes.conversations.push(conversations::question_attempted(address, question, self.claim.now));
            }
        }
        let mut set = doc! {
            "status": EntryStatus::Leased.as_str(),
            "leasedBy": &self.claim.by,
            "claim": txn.token.clone(),
            "dueAt": date(self.claim.lease_until),
            "attempts": entry.attempts,
            "ambiguous": entry.ambiguous,
        };
        if let Some(first) = entry.first_attempt_at {
            set.insert("firstAttemptAt", date(first));
        }
        if entry.in_doubt {
            set.insert("inDoubt", true);
        }
        writes.outbox.insert(entry.id.clone(), doc! { "$set": set, "$unset": { "fresh": "" } });
        let claimed = entry.clone();
        (open.is_leased, open.is_fresh, open.due_at) = (true, false, self.claim.lease_until);
        Ok(Some(claimed))
    }
}

/// Leases that nobody settled: due again, in doubt if an attempt was recorded under them, unless the person opted out
/// meanwhile.
fn end_leases(lanes: &mut BTreeMap<String, Lane>, now: DateTime<Utc>, writes: &mut Writes) {
    for lane in lanes.values_mut() {
        for open in lane.open.extract_if(.., |open| open.is_leased && open.is_withdrawn && open.due_at <= now) {
            let dropped = outbox::finished(EntryStatus::Dropped, now, Some(outbox::OPTED_OUT));
            writes.outbox.insert(open.entry.id, dropped);
        }
        for open in lane.open.iter_mut().filter(|open| open.is_leased && open.due_at <= now) {
            open.is_leased = false;
            let mut set = doc! { "status": EntryStatus::Pending.as_str() };
            if matches!(open.entry.work, crate::Work::Send { .. }) {
                open.entry.in_doubt = true;
                open.entry.ambiguous += 1;
                set.extend(doc! { "inDoubt": true, "ambiguous": open.entry.ambiguous });
            }
            writes.outbox.insert(open.entry.id.clone(), doc! { "$set": set, "$unset": { "leasedBy": "" } });
        }
    }
}

/// What a claim writes.
#[derive(Default)]
struct Writes {
    /// By entry; of two the later counts.
    outbox: BTreeMap<String, Document>,
    conversations: Vec<Document>,
}

impl Writes {
    async fn send(
        self,
        txn: &mut Txn,
        lanes: &BTreeMap<String, Lane>,
        now: DateTime<Utc>,
    ) -> std::result::Result<(), Failure> {
        let mut statements: Vec<Document> =
            self.outbox.into_iter().map(|(id, update)| doc! { "q": { "_id": id }, "u": update }).collect();
        statements.extend(looked_at(lanes));
        for (id, why) in lanes.values().flat_map(|lane| &lane.damaged) {
            let update = outbox::finished(EntryStatus::Failed, now, Some(why));
            statements.push(doc! { "q": { "_id": id }, "u": update });
        }
        if !statements.is_empty() {
            txn.update(OUTBOX, statements).await?;
        }
        if !self.conversations.is_empty() {
            txn.update(CONVERSATIONS, self.conversations).await?;
        }
        Ok(())
    }
}

/// The statement that takes the mark off entries whose lanes have been worked out.
fn looked_at(lanes: &BTreeMap<String, Lane>) -> Option<Document> {
    let fresh: Vec<&str> = lanes
        .values()
        .flat_map(|lane| &lane.open)
        .filter(|open| open.is_fresh)
        .map(|open| open.entry.id.as_str())
        .collect();
    let statement = || {
        doc! { "q": { "_id": { "$in": &fresh } }, "u": { "$unset": { "fresh": "" } }, "multi": true }
    };
    (!fresh.is_empty()).then(statement)
}

/// Works the lanes of addresses out, where entries were added.
pub(super) struct Planning {
    pub addresses: Vec<String>,
}

impl Divided for Planning {
    fn halves(self) -> std::result::Result<(Self, Self), Self> {
        let part = |addresses| Self { addresses };
        halves(self.addresses).map(|(first, second)| (part(first), part(second))).map_err(part)
    }
}

#[async_trait]
impl Work for Planning {
    type Done = ();

    async fn run(&self, txn: &mut Txn) -> Outcome<()> {
        let lanes = leases::lanes(txn, &self.addresses).await?;
        let mut statements: Vec<Document> = looked_at(&lanes).into_iter().collect();
        // What cannot be read is for the next claim to end.
        let damaged: Vec<&str> = lanes.values().flat_map(|lane| &lane.damaged).map(|(id, _)| id.as_str()).collect();
        if !damaged.is_empty() {
            statements
                .push(doc! { "q": { "_id": { "$in": damaged } }, "u": { "$unset": { "fresh": "" } }, "multi": true });
        }
        if !statements.is_empty() {
            txn.update(OUTBOX, statements).await?;
        }
        leases::note(txn, &lanes).await?;
        Ok(End::Keep(()))
    }
}

/// Records the words of an initiated message with its first attempt, and opens its question.
#[async_trait]
impl Work for FirstAttempt {
    type Done = Committed;

    async fn run(&self, txn: &mut Txn) -> Outcome<Committed> {
        let mut set = doc! { "text": shape::stored(&self.text)?, "attempt": txn.token.clone() };
        let mut unset = doc! {};
        match self.question {
            Some(question) => drop(set.insert("question", number(question))),
            None => drop(unset.insert("question", "")),
        }
        let mut update = doc! { "$set": set, "$inc": { "attempts": 1 }, "$min": { "firstAttemptAt": date(self.at) } };
        if !unset.is_empty() {
            update.insert("$unset", unset);
        }
        let leased = doc! {
            "_id": &self.id, "status": EntryStatus::Leased.as_str(), "leasedBy": &self.by,
            "dueAt": { "$gt": date(self.at) }, "text": { "$exists": false },
        };
        let Some(entry) = txn.exchange(OUTBOX, leased, update).await? else { return Ok(End::Drop(Committed::Stale)) };
        if let Some(conversation) = &self.conversation {
            match txn.update(CONVERSATIONS, vec![conversations::put(conversation)?]).await {
                Ok(updated) if updated.met == 1 => {}
                Ok(_) | Err(Failure::Duplicate) => return Ok(End::Drop(Committed::Stale)),
                Err(failure) => return Err(failure),
            }
        }
        if let Some(question) = self.question {
            let id = outbox::shown(&entry);
            let fields = shape::Fields { collection: OUTBOX, id: &id, document: &entry };
            let address = fields.needed("address", |value| value.as_str()?.parse().ok())?;
            txn.update(OUTBOX, vec![outbox::drop_replaced(&address, question, self.at)]).await?;
            let text = address.to_string();
            txn.update(CONVERSATIONS, vec![conversations::question_attempted(&text, question, self.at)]).await?;
            leases::refresh(txn, [text]).await?;
        }
        Ok(End::Keep(Committed::Done))
    }

    async fn happened(&self, database: &Database, token: &str) -> Result<Option<Committed>> {
        let found =
            database.collection::<Document>(OUTBOX).find_one(doc! { "_id": &self.id, "attempt": token }).await?;
        Ok(found.map(|_| Committed::Done))
    }
}
