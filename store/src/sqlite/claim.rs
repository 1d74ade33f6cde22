//! Leasing entries to a courier, and the first attempt of initiated messages.

use rusqlite::{Connection, OptionalExtension, Row};

use super::{
    conversations, lanes, outbox,
    values::{Values, What, json, millis, signed},
};
use crate::{Claim, Claimed, Committed, EntryStatus, FirstAttempt, Result, StoreError, Work};

/// A lane that is due, and its in-flight entry, whose lease has then ended.
struct Due {
    at: i64,
    address: String,
    in_flight: Option<i64>,
}

pub(super) fn claim(connection: &Connection, claim: &Claim) -> Result<Vec<Claimed>> {
    let mut claimed = Vec::new();
    for is_reply in [true, false] {
        for due in due_lanes(connection, claim, is_reply)? {
            claimed.extend(claim_next(connection, claim, &due, is_reply)?);
        }
    }
    Ok(claimed)
}

fn due_lanes(connection: &Connection, claim: &Claim, replies: bool) -> Result<Vec<Due>> {
    let now = millis(claim.now);
    let (sql, most) = if replies {
        (
            "SELECT reply_at, address, in_flight FROM lanes WHERE channel = ?1 AND reply_at <= ?2
             ORDER BY reply_at LIMIT ?3",
            claim.replies,
        )
    } else {
        (
            "SELECT initiated_at, address, in_flight FROM lanes WHERE channel = ?1 AND initiated_at <= ?2
                 AND ifnull(reply_at > ?2, 1)
             ORDER BY initiated_at LIMIT ?3",
            claim.initiated,
        )
    };
    if most == 0 {
        return Ok(Vec::new());
    }
    let mut statement = connection.prepare_cached(sql)?;
    let mut lanes = Vec::new();
    for channel in &claim.channels {
        if !replies && lanes::initiated_hold(connection, *channel)? > now {
            continue;
        }
        let due = statement.query_map((channel.as_str(), now, most), |row| {
            Ok(Due { at: row.get(0)?, address: row.get(1)?, in_flight: row.get(2)? })
        })?;
        lanes.extend(due.collect::<rusqlite::Result<Vec<_>>>()?);
    }
    lanes.sort_by_key(|lane| lane.at);
    lanes.truncate(most as usize);
    Ok(lanes)
}

fn claim_next(connection: &Connection, claim: &Claim, due: &Due, is_reply: bool) -> Result<Option<Claimed>> {
    let now = millis(claim.now);
    if let Some(seq) = due.in_flight {
        end_lease(connection, seq, now)?;
    }
    let mut statement = connection.prepare_cached(
        "SELECT seq, id, address, text, initiated, question, attempts, ambiguous, in_doubt, first_attempt_at,
             created_at, due_at
         FROM outbox WHERE address = ?1 AND is_reply = ?2 AND finished_at IS NULL ORDER BY order1, order2, id",
    )?;
    let mut rows = statement.query((&due.address, is_reply))?;
    while let Some(row) = rows.next()? {
        let (attempts, due_at): (u32, i64) = (row.get(6)?, row.get(11)?);
        if due_at <= now {
            match lease(connection, claim, row) {
                Err(StoreError::Damaged(what)) => give_up(connection, row.get(0)?, now, &what)?,
                leased => return leased.map(Some),
            }
        }
        // Replies wait for one another; an initiated message only for one that is being retried.
        if is_reply || attempts > 0 {
            break;
        }
    }
    // The lease that ended was all that was due.
    lanes::refresh(connection, &due.address)?;
    Ok(None)
}

/// An entry that cannot be read must not keep all others from being delivered.
fn give_up(connection: &Connection, seq: i64, now: i64, what: &str) -> Result<()> {
    tracing::error!(what, "an entry of the outbox is damaged and given up");
    outbox::finish(connection, seq, now, EntryStatus::Failed, Some(what))
}

/// A lease that nobody settled: due again, in doubt if an attempt was recorded under it, unless the person opted out
/// meanwhile.
fn end_lease(connection: &Connection, seq: i64, now: i64) -> Result<()> {
    let withdrawn = connection
        .prepare_cached(
            "UPDATE outbox SET status = 'pending', leased_by = NULL, in_doubt = iif(text IS NULL, in_doubt, 1),
                 ambiguous = ambiguous + (text IS NOT NULL)
             WHERE seq = ?1 AND status = 'leased' RETURNING withdrawn",
        )?
        .query_row([seq], |row| row.get(0))
        .optional()?;
    if withdrawn == Some(true) {
        outbox::finish(connection, seq, now, EntryStatus::Dropped, Some(outbox::OPTED_OUT))?;
    }
    Ok(())
}

fn lease(connection: &Connection, claim: &Claim, row: &Row<'_>) -> Result<Claimed> {
    let seq: i64 = row.get(0)?;
    let mut claimed = read(row, seq)?;
    let until = millis(claim.lease_until);
    let address = claimed.address.to_string();
    if matches!(claimed.work, Work::Send { .. }) {
        claimed.attempts += 1;
        claimed.first_attempt_at.get_or_insert(claim.now);
    }
    connection
        .prepare_cached(
            "UPDATE outbox SET status = 'leased', leased_by = ?2, due_at = ?3, attempts = ?4, first_attempt_at = ?5
             WHERE seq = ?1",
        )?
        .execute((seq, &claim.by, until, claimed.attempts, claimed.first_attempt_at.map(millis)))?;
    lanes::lease(connection, &address, seq, until)?;
    Ok(claimed)
}

fn read(row: &Row<'_>, seq: i64) -> Result<Claimed> {
    let what = What::Numbered("outbox entry", seq);
    let values = Values { row, what };
    let (text, initiated) = (values.optional_json(3)?, values.optional_json(4)?);
    let work = match (text, initiated) {
        (Some(text), initiated) => Work::Send { text, initiated },
        (None, Some(initiated)) => Work::Render(initiated),
        (None, None) => return Err(values.damaged(3)),
    };
    let question: Option<i64> = values.get(5)?;
    Ok(Claimed {
        id: values.get(1)?,
        address: values.address(2)?,
        work,
        question: question.map(super::values::unsigned),
        attempts: values.get(6)?,
        ambiguous: values.get(7)?,
        in_doubt: values.get(8)?,
        first_attempt_at: values.optional_time(9)?,
        created_at: values.time(10)?,
    })
}

/// Records the words of an initiated message with its first attempt, and opens its question.
pub(super) fn begin_attempt(connection: &Connection, attempt: &FirstAttempt) -> Result<Committed> {
    let at = millis(attempt.at);
    let leased = connection
        .prepare_cached(
            "SELECT seq, address FROM outbox
             WHERE id = ?1 AND status = 'leased' AND leased_by = ?2 AND due_at > ?3 AND text IS NULL",
        )?
        .query_row((&attempt.id, &attempt.by, at), |row| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?)))
        .optional()?;
    let Some((seq, address)) = leased else { return Ok(Committed::Stale) };
    if let Some(conversation) = &attempt.conversation {
        let before = conversations::Stored::at(connection, &conversation.address.to_string())?;
        if before.as_ref().map_or(0, |before| before.version) != conversation.version {
            return Ok(Committed::Stale);
        }
        conversations::put(connection, conversation, before.as_ref())?;
    }
    connection
        .prepare_cached(
            "UPDATE outbox SET text = ?2, question = ?3, attempts = attempts + 1,
                 first_attempt_at = ifnull(first_attempt_at, ?4)
             WHERE seq = ?1",
        )?
        .execute((seq, json(&attempt.text)?, attempt.question.map(signed), at))?;
    if let Some(question) = attempt.question {
        outbox::drop_replaced(connection, &address, question, at)?;
        conversations::question_asked(connection, &address, question, seq)?;
        lanes::refresh(connection, &address)?;
    }
    Ok(Committed::Done)
}
