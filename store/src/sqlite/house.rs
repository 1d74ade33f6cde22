//! Activity, and what is only kept for a while.

use std::collections::HashSet;

use chrono::{DateTime, TimeDelta, Utc};
use domain::{
    activity::Activity,
    address::Address,
    conversation::Conversation,
    model::{EventId, GuestId},
};
use rusqlite::{Connection, Row};

use super::{
    conversations, guests, lanes,
    values::{Values, What, json, millis},
};
use crate::{Progress, Result};

/// How much is looked at, and deleted, at a time.
const PAGE: usize = 1000;
/// Clocks of programs that share a store may differ by as much.
const CLOCKS_DIFFER: TimeDelta = TimeDelta::hours(1);

pub(super) fn record(connection: &Connection, activity: &Activity) -> Result<()> {
    connection
        .prepare_cached("INSERT INTO activity (event_id, guest_id, by_guest, at, body) VALUES (?1, ?2, ?3, ?4, ?5)")?
        .execute((
            activity.event_id.as_str(),
            activity.guest_id.map(|guest| guest.0),
            activity.by.guest_id.map(|guest| guest.0),
            millis(activity.at),
            json(activity)?,
        ))?;
    Ok(())
}

/// The number of an activity entry, and the entry.
pub(super) fn read_activity(row: &Row<'_>) -> Result<(i64, Activity)> {
    let seq: i64 = row.get(0)?;
    let what = What::Numbered("activity", seq);
    Ok((seq, Values { row, what }.json(1)?))
}

pub(super) fn activity(connection: &Connection, event: &EventId, since: DateTime<Utc>) -> Result<Vec<Activity>> {
    let mut statement = connection
        .prepare_cached("SELECT seq, body FROM activity WHERE event_id = ?1 AND at >= ?2 ORDER BY at, seq")?;
    let entries = statement.query_and_then((event.as_str(), millis(since)), read_activity)?;
    entries.map(|entry| Ok(entry?.1)).collect()
}

/// How far a recurring job is.
pub(super) fn progress(connection: &Connection, job: &str) -> Result<Option<DateTime<Utc>>> {
    let mut statement = connection.prepare_cached("SELECT reached FROM progress WHERE job = ?1")?;
    let what = || What::A("the progress of a job");
    let mut found = statement.query_and_then([job], |row| Values { row, what: what() }.time(0))?;
    found.next().transpose()
}

pub(super) fn get_on(connection: &Connection, progress: &Progress) -> Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO progress (job, reached) VALUES (?1, ?2)
             ON CONFLICT (job) DO UPDATE SET reached = excluded.reached",
        )?
        .execute((&progress.job, millis(progress.to)))?;
    Ok(())
}

/// Processed keys from before, a page of them.
pub(super) fn old_keys(connection: &Connection, before: DateTime<Utc>, after: Option<String>) -> Result<Vec<String>> {
    let mut statement =
        connection.prepare_cached("SELECT key FROM inbox WHERE key > ?1 AND at < ?2 ORDER BY key LIMIT ?3")?;
    let keys = statement.query_map((after.unwrap_or_default(), millis(before), PAGE as i64), |row| row.get(0))?;
    Ok(keys.collect::<rusqlite::Result<_>>()?)
}

pub(super) fn delete_keys(connection: &Connection, keys: &[String]) -> Result<u64> {
    let mut statement = connection.prepare_cached("DELETE FROM inbox WHERE key = ?1")?;
    let mut deleted = 0;
    for key in keys {
        deleted += statement.execute([key])? as u64;
    }
    Ok(deleted)
}

/// Numbers of entries finished before, a page of them.
pub(super) fn old_entries(connection: &Connection, before: DateTime<Utc>, after: i64) -> Result<Vec<i64>> {
    let mut statement = connection.prepare_cached(
        "SELECT seq, created_at, ifnull(finished_at < ?2, 0) FROM outbox WHERE seq > ?1 ORDER BY seq",
    )?;
    let mut rows = statement.query((after, millis(before)))?;
    let mut page = Vec::new();
    while let Some(row) = rows.next()? {
        // Numbers follow creation, and nothing is finished before it is made: what follows is too young.
        if row.get::<_, i64>(1)? > millis(before + CLOCKS_DIFFER) || page.len() >= PAGE {
            break;
        }
        if row.get(2)? {
            page.push(row.get(0)?);
        }
    }
    Ok(page)
}

pub(super) fn delete_entries(connection: &Connection, seqs: &[i64]) -> Result<u64> {
    let mut statement = connection.prepare_cached("DELETE FROM outbox WHERE seq = ?1")?;
    let mut deleted = 0;
    for seq in seqs {
        conversations::question_entry_goes(connection, *seq)?;
        deleted += statement.execute([seq])? as u64;
    }
    Ok(deleted)
}

pub(super) fn expire_counts(connection: &Connection, before: DateTime<Utc>) -> Result<u64> {
    let mut deleted = 0;
    for sql in [
        "DELETE FROM failures WHERE at < ?1",
        "DELETE FROM early_reports WHERE at < ?1",
        "DELETE FROM holds WHERE until < ?1",
    ] {
        deleted += connection.prepare_cached(sql)?.execute([millis(before)])? as u64;
    }
    Ok(deleted)
}

/// Deletes the conversations that only serve guests of this event, their entries, and the event's activity.
pub(super) fn forget_event(connection: &Connection, event: &EventId) -> Result<u64> {
    let mut statement = connection.prepare_cached(
        "SELECT DISTINCT logins.address FROM guests JOIN logins ON logins.guest = guests.id WHERE guests.event_id = ?1",
    )?;
    let addresses: Vec<String> =
        statement.query_map([event.as_str()], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    let mut forgotten = HashSet::new();
    for address in addresses {
        let Some(found) = conversations::find(connection, &address)? else { continue };
        let conversation = found.conversation;
        if serves_only(connection, &conversation.logins, event)? {
            forget(connection, &conversation)?;
            forgotten.insert(conversation.address);
        }
    }
    delete_entries_to(connection, &forgotten)?;
    connection.prepare_cached("DELETE FROM activity WHERE event_id = ?1")?.execute([event.as_str()])?;
    Ok(forgotten.len() as u64)
}

/// Whether all of these guests who still exist belong to the event.
fn serves_only(connection: &Connection, logins: &[GuestId], event: &EventId) -> Result<bool> {
    for guest in logins {
        if guests::by_id(connection, *guest)?.is_some_and(|guest| guest.event_id != *event) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Deletes a conversation; of one that opted out, that alone stays: it holds for the next event too.
fn forget(connection: &Connection, conversation: &Conversation) -> Result<()> {
    if !conversation.opted_out {
        return conversations::delete(connection, conversation);
    }
    conversations::change(connection, &conversation.address, |conversation| {
        let version = conversation.version;
        *conversation = Conversation { opted_out: true, version, ..Conversation::new(conversation.address.clone()) };
    })?;
    Ok(())
}

/// Deletes all entries to these addresses. Looks at every entry.
pub(super) fn delete_entries_to(connection: &Connection, addresses: &HashSet<Address>) -> Result<()> {
    let mut statement = connection.prepare_cached("SELECT seq, address FROM outbox")?;
    let entries = statement.query_and_then([], |row| {
        let seq: i64 = row.get(0)?;
        let what = What::Numbered("outbox entry", seq);
        Ok((seq, Values { row, what }.address(1)?))
    })?;
    let seqs = entries
        .filter(|entry: &Result<_>| entry.as_ref().map_or(true, |(_, address)| addresses.contains(address)))
        .map(|entry| Ok(entry?.0))
        .collect::<Result<Vec<_>>>()?;
    delete_entries(connection, &seqs)?;
    addresses.iter().try_for_each(|address| {
        let address = address.to_string();
        connection.prepare_cached("DELETE FROM holds WHERE lane = ?1")?.execute([&address])?;
        lanes::refresh(connection, &address)
    })
}

/// Writes something, to learn whether that is possible.
pub(super) fn beat(connection: &Connection) -> Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO heartbeat (id, beats) VALUES (0, 1) ON CONFLICT (id) DO UPDATE SET beats = beats + 1",
        )?
        .execute([])?;
    Ok(())
}
