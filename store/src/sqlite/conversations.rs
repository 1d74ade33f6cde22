//! What is remembered about addresses, and who is logged in where.

use chrono::{DateTime, Utc};
use domain::{
    address::Address,
    conversation::{Conversation, Dialogue},
    lockout::Attempts,
    model::{GuestId, Version},
    schedule::Reach,
};
use rusqlite::{Connection, OptionalExtension, Row, ToSql};

use super::{
    outbox,
    values::{Values, What, joined, json, millis, signed},
};
use crate::{Link, Result};

/// A conversation as stored, and what is known of its newest question.
pub(super) struct Found {
    pub conversation: Conversation,
    question: Option<u64>,
    entry: Option<i64>,
    tried_at: Option<DateTime<Utc>>,
}

impl Found {
    /// The newest question, where it was tried to be sent, and when first.
    pub(super) fn attempted(&self, connection: &Connection) -> Result<Option<(u64, DateTime<Utc>)>> {
        let tried_at = match self.entry {
            Some(entry) => outbox::first_attempt_at(connection, entry)?,
            None => self.tried_at,
        };
        let newest = self.question.filter(|question| *question == self.conversation.dialogue.asked);
        Ok(newest.zip(tried_at))
    }

    /// When an attempt to send the open question was first recorded.
    pub(super) fn question_attempted_at(&self, connection: &Connection) -> Result<Option<DateTime<Utc>>> {
        let dialogue = &self.conversation.dialogue;
        match self.entry {
            _ if dialogue.open.is_none() || self.question != Some(dialogue.asked) => Ok(None),
            Some(entry) => outbox::first_attempt_at(connection, entry),
            None => Ok(self.tried_at),
        }
    }
}

/// In the order in which [`read`] takes them.
macro_rules! select_conversations {
    ($condition:literal) => {
        concat!(
            "SELECT row, version, logins, active, locale, opted_out, muted, unreachable, last_used, attempts, dialogue, ",
            "question, question_entry, question_tried_at, address FROM conversations ",
            $condition
        )
    };
}

fn read(row: &Row<'_>) -> Result<Found> {
    let number: i64 = row.get(0)?;
    let what = What::Numbered("conversation", number);
    let values = Values { row, what };
    let conversation = Conversation {
        address: values.address(14)?,
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
    let question = question.map(super::values::unsigned);
    Ok(Found { conversation, question, entry: values.get(12)?, tried_at: values.optional_time(13)? })
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
    row: i64,
    pub version: Version,
    pub opted_out: bool,
    logins: Vec<u8>,
}

impl Stored {
    pub(super) fn at(connection: &Connection, address: &str) -> Result<Option<Self>> {
        let mut statement = connection
            .prepare_cached("SELECT row, version, opted_out, logins FROM conversations WHERE address = ?1")?;
        let stored = statement.query_row([address], |row| {
            let version = super::values::unsigned(row.get(1)?);
            Ok(Self { row: row.get(0)?, version, opted_out: row.get(2)?, logins: row.get(3)? })
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
    let row: &dyn ToSql = before.map_or(&address, |stored| &stored.row);
    let sql = if before.is_some() {
        "UPDATE conversations SET version = ?2, logins = ?3, active = ?4, locale = ?5, opted_out = ?6, muted = ?7,
             unreachable = ?8, last_used = ?9, attempts = ?10, dialogue = ?11
         WHERE row = ?1"
    } else {
        "INSERT INTO conversations (address, version, logins, active, locale, opted_out, muted, unreachable, last_used,
             attempts, dialogue)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)"
    };
    connection.prepare_cached(sql)?.execute((
        row,
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
    // Finished entries keep the old address and would not be found from the new one.
    let entry = connection
        .prepare_cached(
            "SELECT question_entry FROM conversations JOIN outbox ON seq = question_entry
             WHERE conversations.address = ?1 AND finished_at IS NOT NULL",
        )?
        .query_row([&old], |row| row.get(0))
        .optional()?;
    if let Some(entry) = entry {
        question_entry_goes(connection, entry)?;
    }
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

/// Remembers which entry carries a conversation's newest question. One that asks the same again carries it only
/// where the earlier one was finished without having been tried.
pub(super) fn question_asked(connection: &Connection, address: &str, question: u64, entry: i64) -> Result<()> {
    connection
        .prepare_cached(
            "UPDATE conversations SET question = ?2, question_entry = ?3, question_tried_at = NULL
             WHERE address = ?1 AND (ifnull(question < ?2, 1) OR question = ?2 AND question_tried_at IS NULL
                 AND NOT EXISTS (SELECT 1 FROM outbox WHERE seq = question_entry
                     AND (finished_at IS NULL OR first_attempt_at IS NOT NULL)))",
        )?
        .execute((address, signed(question), entry))?;
    Ok(())
}

/// Keeps what a conversation needs to know of an entry that goes.
pub(super) fn question_entry_goes(connection: &Connection, entry: i64) -> Result<()> {
    connection
        .prepare_cached(
            "UPDATE conversations SET question_entry = NULL, question_tried_at = o.first_attempt_at
             FROM outbox o WHERE o.seq = ?1 AND o.question IS NOT NULL AND conversations.address = o.address
                 AND conversations.question_entry = ?1",
        )?
        .execute([entry])?;
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
            let what = What::Numbered("conversation", number);
            let values = Values { row, what };
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

pub(super) fn reaches(connection: &Connection, addresses: &[String]) -> Result<Vec<Reach>> {
    let mut statement = connection.prepare_cached(
        "SELECT address, last_used, muted, opted_out, unreachable, row FROM conversations WHERE address = ?1",
    )?;
    let mut reaches = Vec::new();
    for address in addresses {
        let found = statement.query_and_then([address], |row| -> Result<Reach> {
            let values = Values { row, what: What::Numbered("conversation", row.get(5)?) };
            Ok(Reach {
                address: values.address(0)?,
                last_used: values.optional_time(1)?,
                muted: values.get(2)?,
                opted_out: values.get(3)?,
                unreachable: values.get(4)?,
            })
        })?;
        for reach in found {
            reaches.push(reach?);
        }
    }
    Ok(reaches)
}
