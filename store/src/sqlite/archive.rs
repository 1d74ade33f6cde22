//! Everything that is kept, as records; and a copy of the file while it is in use.

use std::{fs::File, path::Path};

use async_trait::async_trait;
use domain::model::GroupKey;
use rusqlite::{Connection, Row, params};

use super::{
    SqliteStore, conversations, file, guests, house, lanes, outbox,
    values::{Values, What, json, millis, signed, unsigned},
};
use crate::{
    DeliveryStatus, EntryStatus, Page, Result, StoreError,
    archive::{Archive, EntryRecord, Record, RecordKind},
};

impl RecordKind {
    fn table(self) -> &'static str {
        match self {
            Self::Events => "events",
            Self::Guests => "guests",
            Self::Groups => "groups",
            Self::Conversations => "conversations",
            Self::Activity => "activity",
            Self::Inbox => "inbox",
            Self::Outbox => "outbox",
            Self::Holds => "holds",
            Self::Reports => "early_reports",
            Self::Jobs => "progress",
        }
    }
}

#[async_trait]
impl Archive for SqliteStore {
    async fn is_empty(&self) -> Result<bool> {
        self.readers
            .run(|connection| {
                for kind in RecordKind::ALL {
                    if connection.prepare(&format!("SELECT 1 FROM {} LIMIT 1", kind.table()))?.exists([])? {
                        return Ok(false);
                    }
                }
                Ok(true)
            })
            .await
    }

    async fn count(&self, kind: RecordKind) -> Result<u64> {
        let count = move |connection: &Connection| {
            let sql = format!("SELECT count(*) FROM {}", kind.table());
            Ok(unsigned(connection.query_row(&sql, [], |row| row.get(0))?))
        };
        self.readers.run(count).await
    }

    async fn dump(&self, kind: RecordKind, page: Page<String>) -> Result<Vec<(String, Record)>> {
        self.readers.run(move |connection| dump(connection, kind, &page)).await
    }

    async fn restore(&self, records: Vec<Record>) -> Result<()> {
        self.writer.run(move |connection| records.iter().try_for_each(|record| restore(connection, record))).await
    }
}

impl SqliteStore {
    /// Copies the store into a new file, as it is at one moment, while it is in use. The copy is on the disk in the
    /// end.
    ///
    /// # Errors
    /// When there is such a file already, and when it cannot be written.
    pub fn back_up(from: &Path, to: &Path) -> Result<()> {
        let not_written = |error: std::io::Error| {
            StoreError::Unusable(format!("cannot write {} ({error}); name a file in a folder of yours", to.display()))
        };
        if to.exists() {
            return Err(StoreError::Unusable(format!("there is a file {} already; name a new one", to.display())));
        }
        // Whoever looks for the copy finds it whole or not at all.
        let mut part = to.as_os_str().to_owned();
        part.push(".part");
        let part = Path::new(&part);
        if part.exists() {
            std::fs::remove_file(part).map_err(not_written)?;
        }
        // SQLite fills an empty file; one that it made itself everybody could read.
        file::make_for_owner(part);
        let connection = file::open_reader(from)?;
        connection.pragma_update(None, "query_only", false)?;
        let copied = connection.execute("VACUUM INTO ?1", [part.to_string_lossy()]);
        copied.map_err(|error| StoreError::Unusable(format!("cannot copy to {} ({error})", to.display())))?;
        File::open(part).and_then(|copy| copy.sync_all()).map_err(not_written)?;
        std::fs::rename(part, to).map_err(not_written)
    }
}

fn dump(connection: &Connection, kind: RecordKind, page: &Page<String>) -> Result<Vec<(String, Record)>> {
    let after = page.after.clone().unwrap_or_default();
    match kind {
        RecordKind::Events => {
            keyed(connection, "SELECT id FROM events WHERE id > ?1 ORDER BY id LIMIT ?2", &after, page)?
                .into_iter()
                .filter_map(|id| {
                    let event = guests::event(connection, &id.as_str().into()).transpose()?;
                    Some(event.map(|event| (id, Record::Event(Box::new(event)))))
                })
                .collect()
        }
        RecordKind::Guests => {
            let after = after.parse::<domain::model::GuestId>().map(|id| id.0.to_vec()).unwrap_or_default();
            let mut statement =
                connection.prepare_cached("SELECT id FROM guests WHERE id > ?1 ORDER BY id LIMIT ?2")?;
            let ids = statement
                .query_and_then((after, page.limit), |row| Values { row, what: What::A("a guest") }.guest_id(0))?;
            let mut dumped = Vec::new();
            for id in ids.collect::<Result<Vec<_>>>()? {
                dumped.extend(
                    guests::by_id(connection, id)?.map(|guest| (id.to_string(), Record::Guest(Box::new(guest)))),
                );
            }
            Ok(dumped)
        }
        RecordKind::Conversations => {
            let sql = "SELECT address FROM conversations WHERE address > ?1 ORDER BY address LIMIT ?2";
            let mut dumped = Vec::new();
            for address in keyed(connection, sql, &after, page)? {
                let Some(found) = conversations::find(connection, &address)? else { continue };
                let attempted = found.attempted(connection)?;
                dumped.push((address, Record::Conversation { conversation: Box::new(found.conversation), attempted }));
            }
            Ok(dumped)
        }
        RecordKind::Activity => dump_activity(connection, page),
        RecordKind::Groups => {
            rows(connection, "SELECT key, version FROM groups WHERE key > ?1 ORDER BY key LIMIT ?2", page, |values| {
                Ok(Record::Group { key: GroupKey(values.get(0)?), version: values.number(1)? })
            })
        }
        RecordKind::Inbox => {
            rows(connection, "SELECT key, at FROM inbox WHERE key > ?1 ORDER BY key LIMIT ?2", page, |values| {
                Ok(Record::Key { key: values.get(0)?, at: values.time(1)? })
            })
        }
        RecordKind::Outbox => {
            rows(connection, ENTRIES, page, |values| Ok(Record::Entry(Box::new(read_entry(values)?))))
        }
        RecordKind::Holds => {
            rows(connection, "SELECT lane, until FROM holds WHERE lane > ?1 ORDER BY lane LIMIT ?2", page, |values| {
                Ok(Record::Hold { lane: values.get(0)?, until: values.time(1)? })
            })
        }
        RecordKind::Jobs => {
            let sql = "SELECT job, reached FROM progress WHERE job > ?1 ORDER BY job LIMIT ?2";
            rows(connection, sql, page, |values| Ok(Record::Job { job: values.get(0)?, reached: values.time(1)? }))
        }
        RecordKind::Reports => {
            let sql = "SELECT provider_id, at, status, error FROM early_reports WHERE provider_id > ?1
                       ORDER BY provider_id LIMIT ?2";
            rows(connection, sql, page, |values| {
                Ok(Record::Report {
                    provider_id: values.get(0)?,
                    at: values.time(1)?,
                    status: values.parsed(2, DeliveryStatus::from_stored)?,
                    error: values.get(3)?,
                })
            })
        }
    }
}

fn keyed(connection: &Connection, sql: &str, after: &str, page: &Page<String>) -> Result<Vec<String>> {
    let mut statement = connection.prepare_cached(sql)?;
    Ok(statement.query_map((after, page.limit), |row| row.get(0))?.collect::<rusqlite::Result<_>>()?)
}

/// Rows whose first column is the key.
fn rows(
    connection: &Connection,
    sql: &str,
    page: &Page<String>,
    read: impl Fn(&Values<'_, '_, '_>) -> Result<Record>,
) -> Result<Vec<(String, Record)>> {
    let mut statement = connection.prepare_cached(sql)?;
    let found =
        statement.query_and_then((page.after.as_deref().unwrap_or_default(), page.limit), |row: &Row<'_>| {
            let values = Values { row, what: What::A("a row") };
            Ok((values.get(0)?, read(&values)?))
        })?;
    found.collect()
}

const ENTRIES: &str =
    "SELECT id, address, is_reply, order1, order2, question, only_asks, text, initiated, status, due_at,
     leased_by, attempts, ambiguous, in_doubt, created_at, first_attempt_at, finished_at, provider_id, delivery, reason,
     withdrawn FROM outbox WHERE id > ?1 ORDER BY id LIMIT ?2";

fn read_entry(values: &Values<'_, '_, '_>) -> Result<EntryRecord> {
    let question: Option<i64> = values.get(5)?;
    Ok(EntryRecord {
        id: values.get(0)?,
        address: values.address(1)?,
        is_reply: values.get(2)?,
        order: (values.get(3)?, values.get(4)?),
        question: question.map(unsigned),
        only_asks: values.get(6)?,
        text: values.optional_json(7)?,
        initiated: values.optional_json(8)?,
        status: values.parsed(9, EntryStatus::from_stored)?,
        due_at: values.time(10)?,
        leased_by: values.get(11)?,
        attempts: values.get(12)?,
        ambiguous: values.get(13)?,
        in_doubt: values.get(14)?,
        created_at: values.time(15)?,
        first_attempt_at: values.optional_time(16)?,
        finished_at: values.optional_time(17)?,
        provider_id: values.get(18)?,
        delivery: outbox::delivery(values, 19)?,
        reason: values.get(20)?,
        withdrawn: values.get(21)?,
    })
}

/// By event, time and number; the cursor is all three.
fn dump_activity(connection: &Connection, page: &Page<String>) -> Result<Vec<(String, Record)>> {
    let cursor = page.after.as_deref().unwrap_or_default();
    let mut parts = cursor.splitn(3, ' ');
    let number = |part: Option<&str>| part.and_then(|part| part.parse::<i64>().ok()).unwrap_or(i64::MIN);
    let (seq, at) = (number(parts.next()), number(parts.next()));
    let event = parts.next().unwrap_or_default();
    let mut statement = connection.prepare_cached(
        "SELECT seq, body FROM activity WHERE (event_id, at, seq) > (?1, ?2, ?3) ORDER BY event_id, at, seq LIMIT ?4",
    )?;
    let found = statement.query_and_then((event, at, seq, page.limit), house::read_activity)?;
    found
        .map(|entry| {
            let (seq, activity) = entry?;
            let cursor = format!("{seq} {} {}", millis(activity.at), activity.event_id);
            Ok((cursor, Record::Activity(Box::new(activity))))
        })
        .collect()
}

fn restore(connection: &Connection, record: &Record) -> Result<()> {
    match record {
        Record::Event(event) => guests::put_event(connection, event, event.version),
        Record::Guest(guest) => {
            guests::insert(connection, guest)?;
            let mut statement = connection.prepare_cached("UPDATE guests SET version = ?2 WHERE id = ?1")?;
            statement.execute((guest.id.0, signed(guest.version)))?;
            Ok(())
        }
        Record::Group { key, version } => {
            let mut statement = connection.prepare_cached("INSERT INTO groups (key, version) VALUES (?1, ?2)")?;
            statement.execute((key.as_str(), signed(*version)))?;
            Ok(())
        }
        Record::Conversation { conversation, attempted } => {
            let mut before = conversation.as_ref().clone();
            // Storing raises it.
            before.version = before.version.saturating_sub(1);
            conversations::put(connection, &before, None)?;
            let Some((question, at)) = attempted else { return Ok(()) };
            let mut statement = connection
                .prepare_cached("UPDATE conversations SET question = ?2, question_tried_at = ?3 WHERE address = ?1")?;
            statement.execute((conversation.address.to_string(), signed(*question), millis(*at)))?;
            Ok(())
        }
        Record::Activity(activity) => house::record(connection, activity),
        Record::Key { key, at } => {
            connection.prepare_cached("INSERT INTO inbox (key, at) VALUES (?1, ?2)")?.execute((key, millis(*at)))?;
            Ok(())
        }
        Record::Entry(entry) => restore_entry(connection, entry),
        Record::Hold { lane, until } => {
            let mut statement = connection.prepare_cached("INSERT INTO holds (lane, until) VALUES (?1, ?2)")?;
            statement.execute((lane, millis(*until)))?;
            lanes::refresh(connection, lane)
        }
        Record::Job { job, reached } => {
            let mut statement = connection.prepare_cached("INSERT INTO progress (job, reached) VALUES (?1, ?2)")?;
            statement.execute((job, millis(*reached)))?;
            Ok(())
        }
        Record::Report { provider_id, at, status, error } => {
            let mut statement = connection
                .prepare_cached("INSERT INTO early_reports (provider_id, at, status, error) VALUES (?1, ?2, ?3, ?4)")?;
            statement.execute((provider_id, millis(*at), status.as_str(), error))?;
            Ok(())
        }
    }
}

fn restore_entry(connection: &Connection, entry: &EntryRecord) -> Result<()> {
    let address = entry.address.to_string();
    connection
        .prepare_cached(
            "INSERT INTO outbox (id, address, is_reply, order1, order2, question, only_asks, text, initiated, status,
                 due_at, leased_by, attempts, ambiguous, in_doubt, created_at, first_attempt_at, finished_at,
                 provider_id, delivery, reason, withdrawn)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21,
                 ?22)",
        )?
        .execute(params![
            entry.id,
            address,
            entry.is_reply,
            entry.order.0,
            entry.order.1,
            entry.question.map(signed),
            entry.only_asks,
            entry.text.as_ref().map(json).transpose()?,
            entry.initiated.as_ref().map(json).transpose()?,
            entry.status.as_str(),
            millis(entry.due_at),
            entry.leased_by,
            entry.attempts,
            entry.ambiguous,
            entry.in_doubt,
            millis(entry.created_at),
            entry.first_attempt_at.map(millis),
            entry.finished_at.map(millis),
            entry.provider_id,
            entry.delivery.map(DeliveryStatus::as_str),
            entry.reason,
            entry.withdrawn,
        ])?;
    let seq = connection.last_insert_rowid();
    if let Some(question) = entry.question {
        conversations::question_asked(connection, &address, question, seq)?;
    }
    if entry.finished_at.is_none() {
        lanes::refresh(connection, &address)?;
        if entry.status == EntryStatus::Leased {
            lanes::lease(connection, &address, seq, millis(entry.due_at))?;
        }
    }
    Ok(())
}
