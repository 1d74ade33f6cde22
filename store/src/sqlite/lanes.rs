//! The lane of an address: when its next reply, and its next initiated message, may be claimed.
//!
//! Only the first open reply of an address may go, and only one entry at a time. An initiated message waits for the
//! earlier ones that are being retried, but not for those that merely wait for their window. All of that, and holds, is
//! worked out once when an entry changes, so that claiming needs no look at what must wait.

use chrono::{DateTime, Utc};
use domain::address::Channel;
use rusqlite::{Connection, OptionalExtension};

use super::error::damaged;
use crate::Result;

/// Works out anew when entries of an address may be claimed.
pub(super) fn refresh(connection: &Connection, address: &str) -> Result<()> {
    let open = Open::at(connection, address)?;
    let (reply, initiated) = match open.in_flight {
        Some((_, lease_ends)) => (open.reply.map(|_| lease_ends), open.initiated.map(|_| lease_ends)),
        None => (open.reply, open.initiated),
    };
    if reply.is_none() && initiated.is_none() {
        connection.prepare_cached("DELETE FROM lanes WHERE address = ?1")?.execute([address])?;
        return Ok(());
    }
    let held = hold(connection, address)?;
    connection
        .prepare_cached(
            "INSERT INTO lanes (address, channel, reply_at, initiated_at, in_flight) VALUES (?1, ?2, ?3, ?4, ?5)
             ON CONFLICT (address) DO UPDATE SET reply_at = excluded.reply_at, initiated_at = excluded.initiated_at,
                 in_flight = excluded.in_flight",
        )?
        .execute((
            address,
            channel_of(address),
            reply.map(|at| at.max(held)),
            initiated.map(|at| at.max(held)),
            open.in_flight.map(|(seq, _)| seq),
        ))?;
    Ok(())
}

/// What is open for an address.
#[derive(Default)]
struct Open {
    /// The leased entry, and when its lease ends.
    in_flight: Option<(i64, i64)>,
    /// When the first reply is due.
    reply: Option<i64>,
    /// When the first initiated message is due that need not wait for another.
    initiated: Option<i64>,
}

impl Open {
    fn at(connection: &Connection, address: &str) -> Result<Self> {
        let mut statement = connection.prepare_cached(
            "SELECT is_reply, due_at, attempts, status = 'leased', seq FROM outbox
             WHERE address = ?1 AND finished_at IS NULL ORDER BY is_reply, order1, order2, id",
        )?;
        let mut rows = statement.query([address])?;
        let mut open = Self::default();
        let mut must_wait = false;
        while let Some(row) = rows.next()? {
            let (is_reply, due_at): (bool, i64) = (row.get(0)?, row.get(1)?);
            if row.get(3)? {
                open.in_flight = Some((row.get(4)?, due_at));
            }
            if is_reply {
                open.reply.get_or_insert(due_at);
            } else if !must_wait {
                open.initiated = Some(open.initiated.map_or(due_at, |next| next.min(due_at)));
                // Whatever is being retried goes before those decided later.
                must_wait = row.get::<_, u32>(2)? > 0;
            }
        }
        Ok(open)
    }
}

/// An address is written with its channel first.
fn channel_of(address: &str) -> &str {
    address.split(':').next().unwrap_or_default()
}

/// Notes that an entry of an address is leased.
pub(super) fn lease(connection: &Connection, address: &str, seq: i64, until: i64) -> Result<()> {
    connection
        .prepare_cached(
            "UPDATE lanes SET in_flight = ?2, reply_at = iif(reply_at IS NULL, NULL, ?3),
                 initiated_at = iif(initiated_at IS NULL, NULL, ?3)
             WHERE address = ?1",
        )?
        .execute((address, seq, until))?;
    Ok(())
}

/// Until when nothing may be sent there; long ago where nothing forbids it.
fn hold(connection: &Connection, lane: &str) -> Result<i64> {
    let mut statement = connection.prepare_cached("SELECT until FROM holds WHERE lane = ?1")?;
    Ok(statement.query_row([lane], |row| row.get(0)).optional()?.unwrap_or(i64::MIN))
}

/// Until when no initiated message of a channel may be sent; long ago where nothing forbids it.
pub(super) fn initiated_hold(connection: &Connection, channel: Channel) -> Result<i64> {
    hold(connection, channel.as_str())
}

/// After a 429: nothing to that address until then; and where another address of the channel is held at `now`
/// already, no initiated message of the channel either. The lane is the caller's business.
pub(super) fn hold_back(connection: &Connection, address: &str, now: i64, until: i64) -> Result<()> {
    connection.prepare_cached("DELETE FROM holds WHERE until <= ?1")?.execute([now])?;
    let channel = channel_of(address);
    let mut others = connection
        .prepare_cached("SELECT 1 FROM holds WHERE lane > ?1 || ':' AND lane < ?1 || ';' AND lane <> ?2 LIMIT 1")?;
    let mut put = connection.prepare_cached(
        "INSERT INTO holds (lane, until) VALUES (?1, ?2)
         ON CONFLICT (lane) DO UPDATE SET until = max(until, excluded.until)",
    )?;
    if others.exists((channel, address))? {
        put.execute((channel, until))?;
    }
    put.execute((address, until))?;
    Ok(())
}

/// When the next entry of these channels may be claimed.
pub(super) fn next_due(connection: &Connection, channels: &[Channel]) -> Result<Option<DateTime<Utc>>> {
    let mut reply =
        connection.prepare_cached("SELECT min(reply_at) FROM lanes WHERE channel = ?1 AND reply_at IS NOT NULL")?;
    let mut initiated = connection
        .prepare_cached("SELECT min(initiated_at) FROM lanes WHERE channel = ?1 AND initiated_at IS NOT NULL")?;
    let mut next: Option<i64> = None;
    for channel in channels {
        let reply: Option<i64> = reply.query_row([channel.as_str()], |row| row.get(0))?;
        let initiated: Option<i64> = initiated.query_row([channel.as_str()], |row| row.get(0))?;
        let held = initiated_hold(connection, *channel)?;
        next = next.into_iter().chain(reply).chain(initiated.map(|at| at.max(held))).min();
    }
    let at = |millis| DateTime::from_timestamp_millis(millis).ok_or_else(|| damaged("the time of a lane"));
    next.map(at).transpose()
}
