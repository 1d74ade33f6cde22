//! Entries of the outbox: adding, dropping, listing.

use chrono::{DateTime, Utc};
use domain::{address::Address, model::EventId};
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::{
    conversations, lanes,
    values::{Values, What, json, millis, signed},
};
use crate::{Content, DeliveryStatus, Entry, EntryStatus, NewEntry, OutboxCounts, Page, Result};

/// Why an entry is dropped whose person wants to hear nothing more.
pub(super) const OPTED_OUT: &str = "opted out";

/// Adds an entry, due at once, and drops the questions that it replaces. The lane is the caller's business.
pub(super) fn add(connection: &Connection, entry: &NewEntry, at: i64) -> Result<()> {
    let address = entry.address.to_string();
    if let Some(question) = entry.question {
        drop_replaced(connection, &address, question, at)?;
    }
    let (is_reply, order1, order2, text, initiated) = match &entry.content {
        Content::Reply { version, place, text } => (true, signed(*version), i64::from(*place), Some(json(text)?), None),
        Content::Initiated(initiated) => (false, millis(initiated.decided_at), 0, None, Some(json(initiated)?)),
    };
    connection
        .prepare_cached(
            "INSERT INTO outbox (id, address, is_reply, order1, order2, question, only_asks, text, initiated, status,
                 due_at, created_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 'pending', ?10, ?10)",
        )?
        .execute(params![
            entry.id,
            address,
            is_reply,
            order1,
            order2,
            entry.question.map(signed),
            entry.only_asks,
            text,
            initiated,
            at,
        ])?;
    match entry.question {
        Some(question) => conversations::question_asked(connection, &address, question, connection.last_insert_rowid()),
        None => Ok(()),
    }
}

/// When an attempt to send an entry was first recorded.
pub(super) fn first_attempt_at(connection: &Connection, seq: i64) -> Result<Option<DateTime<Utc>>> {
    let mut statement = connection.prepare_cached("SELECT first_attempt_at FROM outbox WHERE seq = ?1")?;
    let mut found =
        statement.query_and_then([seq], |row| Values { row, what: What::A("an outbox entry") }.optional_time(0))?;
    Ok(found.next().transpose()?.flatten())
}

/// Drops waiting questions to an address that are older than `question`; the lane is the caller's business.
///
/// One that is on its way, or may have arrived, is not undelivered for certain and stays.
pub(super) fn drop_replaced(connection: &Connection, address: &str, question: u64, at: i64) -> Result<()> {
    let mut statement = connection.prepare_cached(
        "SELECT seq FROM outbox WHERE address = ?1 AND finished_at IS NULL AND status = 'pending' AND only_asks = 1
             AND question < ?2 AND ambiguous = 0",
    )?;
    let replaced = statement.query_map((address, signed(question)), |row| row.get(0))?;
    let replaced = replaced.collect::<rusqlite::Result<Vec<i64>>>()?;
    replaced.into_iter().try_for_each(|seq| drop_entry(connection, seq, at, "replaced by a newer question"))
}

/// Drops everything that waits for an address whose person wants to hear nothing more. What is on its way has its
/// last attempt.
pub(super) fn drop_waiting(connection: &Connection, address: &str, at: i64) -> Result<()> {
    connection
        .prepare_cached(
            "UPDATE outbox SET withdrawn = 1 WHERE address = ?1 AND finished_at IS NULL AND status = 'leased'",
        )?
        .execute([address])?;
    let mut statement = connection
        .prepare_cached("SELECT seq FROM outbox WHERE address = ?1 AND finished_at IS NULL AND status = 'pending'")?;
    let waiting = statement.query_map([address], |row| row.get(0))?.collect::<rusqlite::Result<Vec<i64>>>()?;
    waiting.into_iter().try_for_each(|seq| drop_entry(connection, seq, at, OPTED_OUT))?;
    lanes::refresh(connection, address)
}

fn drop_entry(connection: &Connection, seq: i64, at: i64, reason: &str) -> Result<()> {
    finish(connection, seq, at, EntryStatus::Dropped, Some(reason))
}

/// Nothing more will be done with an entry; the lane is the caller's business.
pub(super) fn finish(
    connection: &Connection,
    seq: i64,
    at: i64,
    status: EntryStatus,
    reason: Option<&str>,
) -> Result<()> {
    connection
        .prepare_cached(
            "UPDATE outbox SET status = ?2, finished_at = ?3, reason = ?4, leased_by = NULL, in_doubt = 0
             WHERE seq = ?1",
        )?
        .execute((seq, status.as_str(), at, reason))?;
    Ok(())
}

macro_rules! select_entries {
    ($condition:literal) => {
        concat!(
            "SELECT seq, id, address, is_reply, question, only_asks, text, initiated, status, due_at, attempts, ",
            "created_at, first_attempt_at, provider_id, delivery, reason FROM outbox WHERE ",
            $condition
        )
    };
}

fn read(row: &Row<'_>) -> Result<Entry> {
    let seq: i64 = row.get(0)?;
    let what = What::Numbered("outbox entry", seq);
    let values = Values { row, what };
    let question: Option<i64> = values.get(4)?;
    Ok(Entry {
        id: values.get(1)?,
        address: values.address(2)?,
        status: values.parsed(8, EntryStatus::from_stored)?,
        is_reply: values.get(3)?,
        question: question.map(super::values::unsigned),
        only_asks: values.get(5)?,
        text: values.optional_json(6)?,
        initiated: values.optional_json(7)?,
        attempts: values.get(10)?,
        due_at: values.time(9)?,
        created_at: values.time(11)?,
        first_attempt_at: values.optional_time(12)?,
        provider_id: values.get(13)?,
        delivery: delivery(&values, 14)?,
        reason: values.get(15)?,
    })
}

/// The delivery status in a column, if any.
pub(super) fn delivery(values: &Values<'_, '_, '_>, place: usize) -> Result<Option<DeliveryStatus>> {
    let is_there = values.get::<Option<String>>(place)?.is_some();
    is_there.then(|| values.parsed(place, DeliveryStatus::from_stored)).transpose()
}

/// Replies in their order, then initiated messages in theirs. Looks at every entry: for the host's eyes only.
pub(super) fn to(connection: &Connection, address: &Address) -> Result<Vec<Entry>> {
    let sql = select_entries!("address = ?1 ORDER BY is_reply DESC, order1, order2, id");
    connection.prepare_cached(sql)?.query_and_then([address.to_string()], read)?.collect()
}

pub(super) fn page(connection: &Connection, status: EntryStatus, page: &Page<String>) -> Result<Vec<Entry>> {
    let after = match &page.after {
        None => 0,
        Some(id) => {
            let seq = connection
                .prepare_cached("SELECT seq FROM outbox WHERE id = ?1")?
                .query_row([id], |row| row.get(0))
                .optional()?;
            match seq {
                Some(seq) => seq,
                None => return Ok(Vec::new()),
            }
        }
    };
    // Spelt out, so that each finds its index.
    let sql = match status {
        EntryStatus::Pending => {
            select_entries!("finished_at IS NULL AND status = 'pending' AND seq > ?1 ORDER BY seq LIMIT ?2")
        }
        EntryStatus::Leased => {
            select_entries!("finished_at IS NULL AND status = 'leased' AND seq > ?1 ORDER BY seq LIMIT ?2")
        }
        EntryStatus::Sent => select_entries!("status = 'sent' AND seq > ?1 ORDER BY seq LIMIT ?2"),
        EntryStatus::Failed => select_entries!("status = 'failed' AND seq > ?1 ORDER BY seq LIMIT ?2"),
        EntryStatus::Unknown => select_entries!("status = 'unknown' AND seq > ?1 ORDER BY seq LIMIT ?2"),
        EntryStatus::Dropped => select_entries!("status = 'dropped' AND seq > ?1 ORDER BY seq LIMIT ?2"),
    };
    connection.prepare_cached(sql)?.query_and_then((after, page.limit), read)?.collect()
}

/// Counts all there are and what is not sent; the rest, which is most, is sent.
pub(super) fn counts(connection: &Connection) -> Result<OutboxCounts> {
    let count = |sql: &str| -> Result<u64> {
        Ok(super::values::unsigned(connection.prepare_cached(sql)?.query_row([], |row| row.get(0))?))
    };
    let mut counts = OutboxCounts {
        pending: count("SELECT count(*) FROM outbox WHERE finished_at IS NULL AND status = 'pending'")?,
        leased: count("SELECT count(*) FROM outbox WHERE finished_at IS NULL AND status = 'leased'")?,
        sent: 0,
        failed: count("SELECT count(*) FROM outbox WHERE status = 'failed'")?,
        unknown: count("SELECT count(*) FROM outbox WHERE status = 'unknown'")?,
        dropped: count("SELECT count(*) FROM outbox WHERE status = 'dropped'")?,
    };
    let all = count("SELECT count(*) FROM outbox")?;
    let others = [counts.pending, counts.leased, counts.failed, counts.unknown, counts.dropped];
    counts.sent = all.saturating_sub(others.iter().sum());
    Ok(counts)
}

/// What comes after all ids that begin so.
fn end_of(prefix: &str) -> String {
    format!("{prefix}{}", char::MAX)
}

/// Entries whose ids begin so, by id.
pub(super) fn of(connection: &Connection, prefix: &str, status: EntryStatus, limit: u32) -> Result<Vec<Entry>> {
    let sql = select_entries!("id >= ?1 AND id < ?2 AND status = ?3 ORDER BY id LIMIT ?4");
    let values = (prefix, end_of(prefix), status.as_str(), limit);
    connection.prepare_cached(sql)?.query_and_then(values, read)?.collect()
}

/// Initiated messages about an event that are open, or went out since.
pub(super) fn initiated_since(connection: &Connection, event: &EventId, since: DateTime<Utc>) -> Result<Vec<Entry>> {
    let mut found = Vec::new();
    let sql = select_entries!("is_reply = 0 AND finished_at IS NULL");
    found.extend(connection.prepare_cached(sql)?.query_and_then([], read)?.collect::<Result<Vec<Entry>>>()?);
    let sql = select_entries!("is_reply = 0 AND finished_at >= ?1 AND status = 'sent'");
    found.extend(connection.prepare_cached(sql)?.query_and_then([millis(since)], read)?.collect::<Result<Vec<_>>>()?);
    found.retain(|entry| entry.initiated.as_ref().is_some_and(|initiated| initiated.event == *event));
    Ok(found)
}

/// Counts the entries whose ids begin so.
pub(super) fn counts_of(connection: &Connection, prefix: &str) -> Result<OutboxCounts> {
    let mut counts = OutboxCounts::default();
    let mut statement =
        connection.prepare_cached("SELECT status, count(*) FROM outbox WHERE id >= ?1 AND id < ?2 GROUP BY status")?;
    let mut rows = statement.query((prefix, end_of(prefix)))?;
    while let Some(row) = rows.next()? {
        let values = Values { row, what: What::A("an outbox entry") };
        let count = super::values::unsigned(values.get(1)?);
        match values.parsed(0, EntryStatus::from_stored)? {
            EntryStatus::Pending => counts.pending = count,
            EntryStatus::Leased => counts.leased = count,
            EntryStatus::Sent => counts.sent = count,
            EntryStatus::Failed => counts.failed = count,
            EntryStatus::Unknown => counts.unknown = count,
            EntryStatus::Dropped => counts.dropped = count,
        }
    }
    Ok(counts)
}

pub(super) fn known_provider_ids(connection: &Connection, ids: &[String]) -> Result<Vec<String>> {
    let mut statement = connection.prepare_cached("SELECT 1 FROM outbox WHERE provider_id = ?1 LIMIT 1")?;
    let mut known = Vec::new();
    for id in ids {
        if statement.exists([id])? {
            known.push(id.clone());
        }
    }
    Ok(known)
}
