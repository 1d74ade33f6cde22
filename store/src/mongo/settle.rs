//! How attempts ended, and what providers say of messages later.

use std::collections::{BTreeSet, HashMap};

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use domain::address::Address;
use mongodb::bson::{Bson, Document, doc};

use super::{
    conversations, leases, outbox,
    schema::{CONVERSATIONS, EARLY_REPORTS, OUTBOX},
    shape::{self, Fields, as_number, date},
    transaction::{Divided, End, Failure, Outcome as Ended, Txn, Work, halves},
};
use crate::{DeliveryReport, DeliveryStatus, EntryStatus, Outcome, Result, Settlement};

type Done<T> = std::result::Result<T, Failure>;

/// The entry that a settlement is about.
struct Leased {
    id: String,
    address: Address,
    question: Option<u64>,
    attempts: u32,
    first_attempt_at: Option<DateTime<Utc>>,
    /// Whether an attempt was recorded under this lease: it has words then.
    attempted: bool,
    /// Whether the person opted out meanwhile.
    withdrawn: bool,
}

impl Leased {
    fn read(document: &Document) -> Result<Self> {
        let id = outbox::shown(document);
        let fields = Fields { collection: OUTBOX, id: &id, document };
        Ok(Self {
            id: fields.text("_id")?,
            address: fields.needed("address", |value| value.as_str()?.parse().ok())?,
            question: fields.optional("question", as_number)?,
            attempts: fields.count("attempts")?,
            first_attempt_at: fields.optional_date("firstAttemptAt")?,
            attempted: document.contains_key("text"),
            withdrawn: fields.flag("withdrawn")?,
        })
    }

    fn update(&self, update: Document) -> Document {
        doc! { "q": { "_id": &self.id }, "u": update }
    }
}

/// How several attempts ended.
pub(super) struct Settling {
    pub settlements: Vec<Settlement>,
}

impl Divided for Settling {
    fn halves(self) -> std::result::Result<(Self, Self), Self> {
        let part = |settlements| Self { settlements };
        halves(self.settlements).map(|(first, second)| (part(first), part(second))).map_err(part)
    }
}

#[async_trait]
impl Work for Settling {
    type Done = ();

    async fn run(&self, txn: &mut Txn) -> Ended<()> {
        let mut entries = self.leased(txn).await?;
        let reports = self.early_reports(txn).await?;
        let mut writes = Writes::default();
        for settlement in &self.settlements {
            let key = (settlement.id.clone(), settlement.by.clone());
            if let Some(entry) = entries.remove(&key) {
                writes.add(&entry, settlement, &reports);
                writes.lanes.insert(entry.address.to_string());
            }
        }
        writes.send(txn).await?;
        Ok(End::Keep(()))
    }
}

impl Settling {
    /// By id and by whose lease.
    async fn leased(&self, txn: &mut Txn) -> Done<HashMap<(String, String), Leased>> {
        let ids: Vec<&str> = self.settlements.iter().map(|settlement| settlement.id.as_str()).collect();
        let filter = doc! { "_id": { "$in": ids }, "status": EntryStatus::Leased.as_str() };
        let mut leased = HashMap::new();
        for document in txn.find(OUTBOX, filter, doc! {}).await? {
            let by = document.get_str("leasedBy").unwrap_or_default().to_owned();
            match Leased::read(&document) {
                Ok(entry) => drop(leased.insert((entry.id.clone(), by), entry)),
                // The others must not wait for it.
                Err(error) => tracing::error!(%error, "how a message ended cannot be recorded"),
            }
        }
        Ok(leased)
    }

    async fn early_reports(&self, txn: &mut Txn) -> Done<HashMap<String, (DeliveryStatus, Option<String>)>> {
        let sent = |settlement: &Settlement| match &settlement.outcome {
            Outcome::Sent { provider_id } => provider_id.clone(),
            _ => None,
        };
        let ids: Vec<String> = self.settlements.iter().filter_map(sent).collect();
        if ids.is_empty() {
            return Ok(HashMap::new());
        }
        let found = txn.find(EARLY_REPORTS, doc! { "_id": { "$in": ids } }, doc! {}).await?;
        let read = |document: &Document| Ok((document.get_str("_id").unwrap_or_default().to_owned(), early(document)?));
        Ok(found.iter().map(read).collect::<Result<_>>()?)
    }
}

fn early(document: &Document) -> Result<(DeliveryStatus, Option<String>)> {
    let id = document.get_str("_id").unwrap_or_default();
    let fields = Fields { collection: EARLY_REPORTS, id, document };
    let status = fields.needed("status", |value| DeliveryStatus::from_stored(value.as_str()?))?;
    Ok((status, fields.optional("error", shape::as_text)?))
}

/// What settlements write, kind by kind.
#[derive(Default)]
struct Writes {
    outbox: Vec<Document>,
    conversations: Vec<Document>,
    reports_used: Vec<String>,
    holds: Vec<(Address, DateTime<Utc>, DateTime<Utc>)>,
    unreachable: Vec<Address>,
    opted_out: Vec<(Address, DateTime<Utc>)>,
    moves: Vec<(Address, Address)>,
    lanes: BTreeSet<String>,
}

impl Writes {
    fn add(
        &mut self,
        entry: &Leased,
        settlement: &Settlement,
        reports: &HashMap<String, (DeliveryStatus, Option<String>)>,
    ) {
        let now = settlement.at;
        let finish = |status, reason: &str| entry.update(outbox::finished(status, now, Some(reason)));
        match &settlement.outcome {
            Outcome::Sent { provider_id } => self.sent(entry, now, provider_id.as_deref(), reports),
            Outcome::Retry { at, reason, hold } => {
                self.wait(entry, now, *at, Doubt::None, Some(reason));
                if *hold {
                    self.holds.push((entry.address.clone(), now, *at));
                }
            }
            Outcome::InDoubt { at, reason } => self.wait(entry, now, *at, Doubt::New, Some(reason)),
            Outcome::Postponed { until } => {
                self.take_attempt_back(entry);
                self.wait(entry, now, *until, Doubt::AsBefore, None);
            }
            Outcome::Failed { reason } => self.outbox.push(finish(EntryStatus::Failed, reason)),
            Outcome::Unknown { reason } => self.outbox.push(finish(EntryStatus::Unknown, reason)),
            Outcome::Dropped { reason } => self.outbox.push(finish(EntryStatus::Dropped, reason)),
            Outcome::Moved { to } => {
                self.wait(entry, now, now, Doubt::None, None);
                self.moves.push((entry.address.clone(), to.clone()));
            }
            Outcome::Unreachable { reason } => {
                self.outbox.push(finish(EntryStatus::Failed, reason));
                self.unreachable.push(entry.address.clone());
            }
            Outcome::OptedOut { reason } => {
                self.outbox.push(finish(EntryStatus::Failed, reason));
                self.opted_out.push((entry.address.clone(), now));
            }
        }
    }

    /// Back to waiting, unless the person opted out meanwhile.
    fn wait(&mut self, entry: &Leased, now: DateTime<Utc>, due: DateTime<Utc>, doubt: Doubt, reason: Option<&str>) {
        self.outbox.push(entry.update(if entry.withdrawn {
            outbox::finished(EntryStatus::Dropped, now, Some(outbox::OPTED_OUT))
        } else {
            waiting(due, doubt, reason)
        }));
    }

    fn sent(
        &mut self,
        entry: &Leased,
        now: DateTime<Utc>,
        provider_id: Option<&str>,
        reports: &HashMap<String, (DeliveryStatus, Option<String>)>,
    ) {
        let mut update = outbox::finished(EntryStatus::Sent, now, None);
        if let (Some(provider_id), Ok(set)) = (provider_id, update.get_document_mut("$set")) {
            set.insert("providerId", provider_id);
            if let Some((status, error)) = reports.get(provider_id) {
                set.insert("delivery", status.as_str());
                if status.is_failure() {
                    set.extend(not_arrived(now));
                }
                self.reports_used.push(provider_id.to_owned());
                if let Some(error) = error {
                    set.insert("reason", error);
                }
            }
        }
        if update.get_document("$set").is_ok_and(|set| set.contains_key("reason"))
            && let Ok(unset) = update.get_document_mut("$unset")
        {
            unset.remove("reason");
        }
        self.outbox.push(entry.update(update));
    }

    fn take_attempt_back(&mut self, entry: &Leased) {
        if !entry.attempted {
            return;
        }
        let was_the_first = entry.attempts <= 1;
        let mut update = doc! { "$set": { "attempts": entry.attempts.saturating_sub(1) } };
        if was_the_first {
            update.insert("$unset", doc! { "firstAttemptAt": "" });
            if let (Some(question), Some(at)) = (entry.question, entry.first_attempt_at) {
                let address = entry.address.to_string();
                self.conversations.push(conversations::question_not_attempted(&address, question, at));
            }
        }
        self.outbox.push(entry.update(update));
    }

    async fn send(mut self, txn: &mut Txn) -> Done<()> {
        if !self.outbox.is_empty() {
            txn.update(OUTBOX, self.outbox).await?;
        }
        if !self.conversations.is_empty() {
            txn.update(CONVERSATIONS, self.conversations).await?;
        }
        if !self.reports_used.is_empty() {
            let used = doc! { "q": { "_id": { "$in": self.reports_used } }, "limit": 0 };
            txn.delete(EARLY_REPORTS, vec![used]).await?;
        }
        for (address, now, until) in &self.holds {
            leases::hold_back(txn, address, *now, *until).await?;
        }
        for address in &self.unreachable {
            conversations::change(txn, address, |conversation| conversation.unreachable = true).await?;
        }
        for (address, now) in &self.opted_out {
            opt_out(txn, address, *now).await?;
        }
        for (from, to) in &self.moves {
            move_address(txn, from, to).await?;
            self.lanes.insert(to.to_string());
        }
        if self.lanes.is_empty() { Ok(()) } else { leases::refresh(txn, self.lanes).await }
    }
}

/// What is set of a message that was sent, when it is reported that it did not arrive.
fn not_arrived(at: DateTime<Utc>) -> Document {
    doc! { "status": EntryStatus::Failed.as_str(), "dueAt": date(at) }
}

/// What waiting again says about the attempt before.
#[derive(Clone, Copy)]
enum Doubt {
    /// It certainly failed.
    None,
    /// It may have succeeded.
    New,
    /// There was none: an earlier doubt stays.
    AsBefore,
}

fn waiting(due: DateTime<Utc>, doubt: Doubt, reason: Option<&str>) -> Document {
    let mut set = doc! { "status": EntryStatus::Pending.as_str(), "dueAt": date(due) };
    let mut unset = doc! { "leasedBy": "" };
    let mut update = Document::new();
    match doubt {
        Doubt::None => drop(unset.insert("inDoubt", "")),
        Doubt::New => {
            set.insert("inDoubt", true);
            update.insert("$inc", doc! { "ambiguous": 1 });
        }
        Doubt::AsBefore => {}
    }
    if let Some(reason) = reason {
        set.insert("reason", reason);
    }
    update.extend(doc! { "$set": set, "$unset": unset });
    update
}

/// The person at an address wants to hear nothing more.
async fn opt_out(txn: &mut Txn, address: &Address, now: DateTime<Utc>) -> Done<()> {
    if conversations::change(txn, address, |conversation| conversation.opted_out = true).await? {
        outbox::drop_waiting(txn, address, now).await?;
    }
    Ok(())
}

/// Open entries, conversation and logins of an address go to its new one. The lanes are the caller's business.
async fn move_address(txn: &mut Txn, from: &Address, to: &Address) -> Done<()> {
    if from == to {
        return Ok(());
    }
    let (old, new) = (from.to_string(), to.to_string());
    let moved = doc! {
        "q": { "address": &old, "open": true },
        "u": { "$set": { "address": &new, "channel": to.channel.as_str() } },
        "multi": true,
    };
    txn.update(OUTBOX, vec![moved]).await?;
    let Some(mut document) = txn.find_one(CONVERSATIONS, doc! { "_id": &old }).await? else { return Ok(()) };
    txn.delete(CONVERSATIONS, vec![doc! { "q": { "_id": &old }, "limit": 1 }]).await?;
    let moving = conversations::read(document.clone())?.conversation;
    if conversations::find_in(txn, to).await?.is_some() {
        conversations::change(txn, to, |conversation| conversation.take_over(&moving)).await?;
    } else {
        document.insert("_id", new);
        document.insert("version", shape::number(moving.version + 1));
        txn.insert(CONVERSATIONS, vec![document]).await?;
    }
    Ok(())
}

/// Records a provider's word, with the message or, where that is not known yet, for later.
#[async_trait]
impl Work for DeliveryReport {
    type Done = ();

    async fn run(&self, txn: &mut Txn) -> Ended<()> {
        let entries = txn.find(OUTBOX, doc! { "providerId": &self.provider_id }, doc! {}).await?;
        let is_news =
            if entries.is_empty() { self.keep_for_later(txn).await? } else { self.note(txn, &entries).await? };
        // A repeated report must not undo a START that came in between.
        match &self.opted_out {
            Some(address) if is_news => opt_out(txn, address, self.at).await?,
            _ => {}
        }
        Ok(End::Keep(()))
    }
}

impl DeliveryReport {
    async fn note(&self, txn: &mut Txn, entries: &[Document]) -> Done<bool> {
        let mut statements = Vec::new();
        for document in entries {
            let id = outbox::shown(document);
            let fields = Fields { collection: OUTBOX, id: &id, document };
            let before = outbox::delivery(&fields, "delivery")?;
            if before.is_none_or(|before| before.gives_way_to(self.status)) {
                let mut set = doc! { "delivery": self.status.as_str() };
                if self.status.is_failure()
                    && document.get_str("status").is_ok_and(|status| status == EntryStatus::Sent.as_str())
                {
                    set.extend(not_arrived(self.at));
                }
                if let Some(error) = &self.error {
                    set.insert("reason", error);
                }
                let id = document.get("_id").cloned().unwrap_or(Bson::Null);
                statements.push(doc! { "q": { "_id": id }, "u": { "$set": set } });
            }
        }
        let is_news = !statements.is_empty();
        if is_news {
            txn.update(OUTBOX, statements).await?;
        }
        Ok(is_news)
    }

    async fn keep_for_later(&self, txn: &mut Txn) -> Done<bool> {
        let before = txn.find_one(EARLY_REPORTS, doc! { "_id": &self.provider_id }).await?;
        let before = before.as_ref().map(early).transpose()?;
        if before.is_some_and(|(before, _)| !before.gives_way_to(self.status)) {
            return Ok(false);
        }
        let mut set = doc! { "at": date(self.at), "status": self.status.as_str() };
        if let Some(error) = &self.error {
            set.insert("error", error);
        }
        let put = doc! { "q": { "_id": &self.provider_id }, "u": { "$set": set }, "upsert": true };
        txn.update(EARLY_REPORTS, vec![put]).await?;
        Ok(true)
    }
}
