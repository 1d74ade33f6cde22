//! What is remembered about addresses, and who is logged in where.

use chrono::{DateTime, Utc};
use domain::{
    address::Address,
    conversation::{Conversation, Dialogue},
    lockout::Attempts,
    model::{GuestId, Version},
};
use rusqlite::{Connection, OptionalExtension, Row};

use super::values::{Values, joined, json, millis, signed};
use crate::{Link, Result};

/// A conversation as stored, and when its newest question was first tried to be sent.
pub(super) struct Found {
    pub conversation: Conversation,
    attempted: Option<(u64, DateTime<Utc>)>,
}

impl Found {
    /// When an attempt to send the open question was first recorded.
    pub(super) fn question_attempted_at(&self) -> Option<DateTime<Utc>> {
        let dialogue = &self.conversation.dialogue;
        let (question, at) = self.attempted?;
        (dialogue.open.is_some() && question == dialogue.asked).then_some(at)
    }
}

/// In the order in which [`read`] takes them.
macro_rules! select_conversations {
    ($condition:literal) => {
        concat!(
            "SELECT row, version, logins, active, locale, opted_out, muted, unreachable, last_used, attempts, dialogue, ",
            "attempted_question, attempted_at, address FROM conversations ",
            $condition
        )
    };
}

fn read(row: &Row<'_>) -> Result<Found> {
    let number: i64 = row.get(0)?;
    let what = format!("conversation {number}");
    let values = Values { row, what: &what };
    let conversation = Conversation {
        address: values.address(13)?,
        version: values.number(1)?,
        logins: values.guest_ids(2)?,
        active: values.optional_guest_id(3)?,
        locale: values.get(4)?,
        attempts: values.optional_json(9)?.unwrap_or_default(),
        opted_out: values.get(5)?,
        muted: values.get(6)?,
        unreachable: values.get(7)?,
        last_used: values.optional_time(8)?,
        dialogue: values.json::<Dialogue>(10)?,
    };
    let question: Option<i64> = values.get(11)?;
    let attempted = question.map(super::values::unsigned).zip(values.optional_time(12)?);
    Ok(Found { conversation, attempted })
}

pub(super) fn find(connection: &Connection, address: &str) -> Result<Option<Found>> {
    let mut statement = connection.prepare_cached(select_conversations!("WHERE address = ?1"))?;
    let mut found = statement.query_and_then([address], read)?;
    found.next().transpose()
}

/// Shows every conversation to `look`. For rare use: there may be many.
pub(super) fn each(connection: &Connection, mut look: impl FnMut(Conversation) -> Result<()>) -> Result<()> {
    let mut statement = connection.prepare_cached(select_conversations!(""))?;
    let mut found = statement.query_and_then([], read)?;
    found.try_for_each(|found| look(found?.conversation))
}

/// What a change of a conversation must be compared with.
pub(super) struct Stored {
    pub version: Version,
    pub opted_out: bool,
    logins: Vec<u8>,
}

impl Stored {
    pub(super) fn at(connection: &Connection, address: &str) -> Result<Option<Self>> {
        let mut statement =
            connection.prepare_cached("SELECT version, opted_out, logins FROM conversations WHERE address = ?1")?;
        let stored = statement.query_row([address], |row| {
            Ok(Self { version: super::values::unsigned(row.get(0)?), opted_out: row.get(1)?, logins: row.get(2)? })
        });
        Ok(stored.optional()?)
    }
}

/// Stores a conversation with a version higher than the one it comes with, in place of `before`.
pub(super) fn put(connection: &Connection, conversation: &Conversation, before: Option<&Stored>) -> Result<()> {
    let address = conversation.address.to_string();
    let logins = joined(&conversation.logins);
    let attempts =
        if conversation.attempts == Attempts::default() { None } else { Some(json(&conversation.attempts)?) };
    let sql = if before.is_some() {
        "UPDATE conversations SET version = ?2, logins = ?3, active = ?4, locale = ?5, opted_out = ?6, muted = ?7,
             unreachable = ?8, last_used = ?9, attempts = ?10, dialogue = ?11
         WHERE address = ?1"
    } else {
        "INSERT INTO conversations (address, version, logins, active, locale, opted_out, muted, unreachable, last_used,
             attempts, dialogue)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)"
    };
    connection.prepare_cached(sql)?.execute((
        &address,
        signed(conversation.version + 1),
        &logins,
        conversation.active.map(|guest| guest.0),
        &conversation.locale,
        conversation.opted_out,
        conversation.muted,
        conversation.unreachable,
        conversation.last_used.map(millis),
        attempts,
        json(&conversation.dialogue)?,
    ))?;
    change_logins(connection, &address, before.map_or(&[], |stored| &stored.logins), &logins)
}

/// Keeps the table of logins in step with one conversation; most commits change none.
fn change_logins(connection: &Connection, address: &str, before: &[u8], after: &[u8]) -> Result<()> {
    if before == after {
        return Ok(());
    }
    let (before, _) = before.as_chunks::<12>();
    let (after, _) = after.as_chunks::<12>();
    for ended in before.iter().filter(|guest| !after.contains(guest)) {
        connection.prepare_cached("DELETE FROM logins WHERE guest = ?1 AND address = ?2")?.execute((ended, address))?;
    }
    for begun in after.iter().filter(|guest| !before.contains(guest)) {
        connection
            .prepare_cached("INSERT OR IGNORE INTO logins (guest, address) VALUES (?1, ?2)")?
            .execute((begun, address))?;
    }
    Ok(())
}

/// Deletes a conversation and its logins.
pub(super) fn delete(connection: &Connection, conversation: &Conversation) -> Result<()> {
    let address = conversation.address.to_string();
    change_logins(connection, &address, &joined(&conversation.logins), &[])?;
    connection.prepare_cached("DELETE FROM conversations WHERE address = ?1")?.execute([&address])?;
    Ok(())
}

/// Gives a conversation a new address, at which there is none yet.
pub(super) fn rename(connection: &Connection, conversation: &Conversation, to: &Address) -> Result<()> {
    let (old, new) = (conversation.address.to_string(), to.to_string());
    let logins = joined(&conversation.logins);
    change_logins(connection, &old, &logins, &[])?;
    change_logins(connection, &new, &[], &logins)?;
    connection
        .prepare_cached("UPDATE conversations SET address = ?2, version = version + 1 WHERE address = ?1")?
        .execute((&old, &new))?;
    Ok(())
}

/// Changes a conversation, or a new one for that address, by the store's own doing. `false` when nothing changed.
pub(super) fn change(
    connection: &Connection,
    address: &Address,
    change: impl FnOnce(&mut Conversation),
) -> Result<bool> {
    let text = address.to_string();
    let stored = Stored::at(connection, &text)?;
    let before = match find(connection, &text)? {
        Some(found) => found.conversation,
        None => Conversation::new(address.clone()),
    };
    let mut after = before.clone();
    change(&mut after);
    if after == before {
        return Ok(false);
    }
    put(connection, &after, stored.as_ref())?;
    Ok(true)
}

/// Remembers the first attempt to send a question, unless a newer question was tried there already.
pub(super) fn question_attempted(connection: &Connection, address: &str, question: u64, at: i64) -> Result<()> {
    connection
        .prepare_cached(
            "UPDATE conversations SET attempted_question = ?2, attempted_at = ?3
             WHERE address = ?1 AND ifnull(attempted_question < ?2, 1)",
        )?
        .execute((address, signed(question), at))?;
    Ok(())
}

/// Takes back what [`question_attempted`] remembered: the attempt was none.
pub(super) fn question_not_attempted(connection: &Connection, address: &str, question: u64, at: i64) -> Result<()> {
    connection
        .prepare_cached(
            "UPDATE conversations SET attempted_question = NULL, attempted_at = NULL
             WHERE address = ?1 AND attempted_question = ?2 AND attempted_at = ?3",
        )?
        .execute((address, signed(question), at))?;
    Ok(())
}

pub(super) fn links(connection: &Connection, guests: &[GuestId]) -> Result<Vec<Link>> {
    let mut statement = connection.prepare_cached(
        "SELECT c.address, c.last_used, c.muted, c.opted_out, c.unreachable, c.locale, c.row
         FROM logins l JOIN conversations c ON c.address = l.address WHERE l.guest = ?1",
    )?;
    let mut links = Vec::new();
    for guest in guests {
        let found = statement.query_and_then([guest.0], |row| -> Result<Link> {
            let number: i64 = row.get(6)?;
            let what = format!("conversation {number}");
            let values = Values { row, what: &what };
            Ok(Link {
                guest: *guest,
                address: values.address(0)?,
                last_used: values.optional_time(1)?,
                muted: values.get(2)?,
                opted_out: values.get(3)?,
                unreachable: values.get(4)?,
                locale: values.get(5)?,
            })
        })?;
        for link in found {
            links.push(link?);
        }
    }
    Ok(links)
}
