//! How attempts ended, and what providers say of messages later.

use domain::address::Address;
use rusqlite::{Connection, OptionalExtension};

use super::{
    conversations,
    error::damaged,
    lanes, outbox,
    values::{Values, What, millis},
};
use crate::{DeliveryReport, DeliveryStatus, EntryStatus, Outcome, Result, Settlement, StoreError};

/// The entry that a settlement is about.
struct Leased {
    seq: i64,
    address: String,
    /// Whether an attempt was recorded under this lease: it has words then.
    attempted: bool,
    /// Whether the person opted out meanwhile.
    withdrawn: bool,
}

impl Leased {
    fn parsed_address(&self) -> Result<Address> {
        self.address.parse().map_err(|_| damaged(&format!("the address of outbox entry {}", self.seq)))
    }
}

pub(super) fn settle(connection: &Connection, settlements: &[Settlement]) -> Result<()> {
    for settlement in settlements {
        match settle_one(connection, settlement) {
            // What became of the other messages must not be forgotten for it.
            Err(StoreError::Damaged(what)) => tracing::error!(what, "could not record all of how an attempt ended"),
            settled => settled?,
        }
    }
    Ok(())
}

fn settle_one(connection: &Connection, settlement: &Settlement) -> Result<()> {
    let Some(entry) = leased(connection, settlement)? else { return Ok(()) };
    let applied = apply(connection, &entry, settlement);
    lanes::refresh(connection, &entry.address)?;
    applied
}

fn leased(connection: &Connection, settlement: &Settlement) -> Result<Option<Leased>> {
    let mut statement = connection.prepare_cached(
        "SELECT seq, address, text IS NOT NULL, withdrawn FROM outbox
         WHERE id = ?1 AND status = 'leased' AND leased_by = ?2",
    )?;
    let entry = statement.query_row((&settlement.id, &settlement.by), |row| {
        Ok(Leased { seq: row.get(0)?, address: row.get(1)?, attempted: row.get(2)?, withdrawn: row.get(3)? })
    });
    Ok(entry.optional()?)
}

fn apply(connection: &Connection, entry: &Leased, settlement: &Settlement) -> Result<()> {
    let now = millis(settlement.at);
    match &settlement.outcome {
        Outcome::Sent { provider_id } => sent(connection, entry, now, provider_id.as_deref())?,
        Outcome::Retry { at, reason, hold } => {
            wait(connection, entry, now, millis(*at), Doubt::None, Some(reason))?;
            if *hold {
                lanes::hold_back(connection, &entry.address, now, millis(*at))?;
            }
        }
        Outcome::InDoubt { at, reason } => wait(connection, entry, now, millis(*at), Doubt::New, Some(reason))?,
        Outcome::Postponed { until } => {
            take_attempt_back(connection, entry)?;
            wait(connection, entry, now, millis(*until), Doubt::AsBefore, None)?;
        }
        Outcome::Failed { reason } => outbox::finish(connection, entry.seq, now, EntryStatus::Failed, Some(reason))?,
        Outcome::Unknown { reason } => outbox::finish(connection, entry.seq, now, EntryStatus::Unknown, Some(reason))?,
        Outcome::Dropped { reason } => outbox::finish(connection, entry.seq, now, EntryStatus::Dropped, Some(reason))?,
        Outcome::Moved { to } => {
            wait(connection, entry, now, now, Doubt::None, None)?;
            move_address(connection, &entry.address, to)?;
        }
        Outcome::Unreachable { reason } => {
            outbox::finish(connection, entry.seq, now, EntryStatus::Failed, Some(reason))?;
            conversations::change(connection, &entry.parsed_address()?, |conversation| {
                conversation.unreachable = true
            })?;
        }
        Outcome::OptedOut { reason } => {
            outbox::finish(connection, entry.seq, now, EntryStatus::Failed, Some(reason))?;
            opt_out(connection, &entry.parsed_address()?, now)?;
        }
    }
    Ok(())
}

fn sent(connection: &Connection, entry: &Leased, now: i64, provider_id: Option<&str>) -> Result<()> {
    connection
        .prepare_cached(
            "UPDATE outbox SET status = 'sent', finished_at = ?2, reason = NULL, leased_by = NULL, in_doubt = 0,
                 provider_id = ifnull(?3, provider_id)
             WHERE seq = ?1",
        )?
        .execute((entry.seq, now, provider_id))?;
    let Some(provider_id) = provider_id else { return Ok(()) };
    if let Some((status, error)) = early_report(connection, provider_id)? {
        note_word(connection, entry.seq, status, error.as_deref(), now)?;
        connection.prepare_cached("DELETE FROM early_reports WHERE provider_id = ?1")?.execute([provider_id])?;
    }
    Ok(())
}

/// A provider's later word on a message that was sent: one that did not arrive has failed.
fn note_word(
    connection: &Connection,
    seq: i64,
    status: DeliveryStatus,
    error: Option<&str>,
    at: i64,
) -> rusqlite::Result<()> {
    connection
        .prepare_cached("UPDATE outbox SET delivery = ?2, reason = ifnull(?3, reason) WHERE seq = ?1")?
        .execute((seq, status.as_str(), error))?;
    if status.is_failure() {
        connection
            .prepare_cached("UPDATE outbox SET status = 'failed', due_at = ?2 WHERE seq = ?1 AND status = 'sent'")?
            .execute((seq, at))?;
    }
    Ok(())
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

/// Back to waiting, unless the person opted out meanwhile.
fn wait(connection: &Connection, entry: &Leased, now: i64, due: i64, doubt: Doubt, reason: Option<&str>) -> Result<()> {
    if entry.withdrawn {
        return outbox::finish(connection, entry.seq, now, EntryStatus::Dropped, Some(outbox::OPTED_OUT));
    }
    let (in_doubt, ambiguous) = match doubt {
        Doubt::None => (Some(false), 0),
        Doubt::New => (Some(true), 1),
        Doubt::AsBefore => (None, 0),
    };
    connection
        .prepare_cached(
            "UPDATE outbox SET status = 'pending', leased_by = NULL, due_at = ?2, in_doubt = ifnull(?3, in_doubt),
                 ambiguous = ambiguous + ?4, reason = ifnull(?5, reason)
             WHERE seq = ?1",
        )?
        .execute((entry.seq, due, in_doubt, ambiguous, reason))?;
    Ok(())
}

fn take_attempt_back(connection: &Connection, entry: &Leased) -> Result<()> {
    if entry.attempted {
        connection
            .prepare_cached(
                "UPDATE outbox SET first_attempt_at = iif(attempts > 1, first_attempt_at, NULL),
                     attempts = max(attempts - 1, 0)
                 WHERE seq = ?1",
            )?
            .execute([entry.seq])?;
    }
    Ok(())
}

/// The person at an address wants to hear nothing more.
fn opt_out(connection: &Connection, address: &Address, now: i64) -> Result<()> {
    if conversations::change(connection, address, |conversation| conversation.opted_out = true)? {
        outbox::drop_waiting(connection, &address.to_string(), now)?;
    }
    Ok(())
}

/// Open entries, conversation and logins of an address go to its new one. The old lane is the caller's business.
fn move_address(connection: &Connection, old: &str, to: &Address) -> Result<()> {
    let new = to.to_string();
    if old == new {
        return Ok(());
    }
    connection
        .prepare_cached("UPDATE outbox SET address = ?2 WHERE address = ?1 AND finished_at IS NULL")?
        .execute((old, &new))?;
    lanes::refresh(connection, &new)?;
    let Some(moving) = conversations::find(connection, old)? else { return Ok(()) };
    let moving = moving.conversation;
    if conversations::Stored::at(connection, &new)?.is_some() {
        conversations::delete(connection, &moving)?;
        conversations::change(connection, to, |conversation| conversation.take_over(&moving))?;
    } else {
        conversations::rename(connection, &moving, to)?;
    }
    Ok(())
}

/// Records a provider's word, with the message or, where that is not known yet, for later.
pub(super) fn report(connection: &Connection, report: &DeliveryReport) -> Result<()> {
    let entries = entries_of(connection, &report.provider_id)?;
    let mut is_news = false;
    for (seq, before) in &entries {
        if before.is_none_or(|before| before.gives_way_to(report.status)) {
            is_news = true;
            note_word(connection, *seq, report.status, report.error.as_deref(), millis(report.at))?;
        }
    }
    if entries.is_empty() {
        let before = early_report(connection, &report.provider_id)?;
        is_news = before.is_none_or(|(before, _)| before.gives_way_to(report.status));
        if is_news {
            connection
                .prepare_cached(
                    "INSERT INTO early_reports (provider_id, at, status, error) VALUES (?1, ?2, ?3, ?4)
                     ON CONFLICT (provider_id) DO UPDATE SET at = excluded.at, status = excluded.status,
                         error = ifnull(excluded.error, error)",
                )?
                .execute((&report.provider_id, millis(report.at), report.status.as_str(), &report.error))?;
        }
    }
    // A repeated report must not undo a START that came in between.
    match &report.opted_out {
        Some(address) if is_news => opt_out(connection, address, millis(report.at)),
        _ => Ok(()),
    }
}

fn entries_of(connection: &Connection, provider_id: &str) -> Result<Vec<(i64, Option<DeliveryStatus>)>> {
    let mut statement = connection.prepare_cached("SELECT seq, delivery FROM outbox WHERE provider_id = ?1")?;
    let entries = statement.query_and_then([provider_id], |row| {
        let seq = row.get(0)?;
        let what = What::Numbered("outbox entry", seq);
        Ok((seq, outbox::delivery(&Values { row, what }, 1)?))
    })?;
    entries.collect()
}

fn early_report(connection: &Connection, provider_id: &str) -> Result<Option<(DeliveryStatus, Option<String>)>> {
    let mut statement = connection.prepare_cached("SELECT status, error FROM early_reports WHERE provider_id = ?1")?;
    let mut reports = statement.query_and_then([provider_id], |row| {
        let values = Values { row, what: What::A("an early delivery report") };
        Ok((values.parsed(0, DeliveryStatus::from_stored)?, values.get(1)?))
    })?;
    reports.next().transpose()
}
