//! Keeping the write-ahead log short, and clearing it of what was erased.
//!
//! SQLite's own way starts the log over only in a moment without any reader, and until then checkpoints after every
//! commit: under steady load the log would grow without bound and everything become slow.

use rusqlite::Connection;

use super::file;

/// Pages in the log (16 MiB) after which it is started over: one segment of its index.
const LONG: i64 = 4000;
/// Pages after which it is tried again where another program was reading all the time.
const LONGER: i64 = 1000;
/// How long readers are waited for, in milliseconds: ours are done in less, and commits wait meanwhile.
const PATIENCE: i32 = 20;

/// When the log is next to be started over.
pub(super) struct Log {
    next: i64,
}

impl Log {
    pub(super) fn new() -> Self {
        Self { next: LONG }
    }

    /// Starts the log over when it has become long. `patience` is the connection's own.
    pub(super) fn keep_short(&mut self, connection: &mut Connection, patience: i32) {
        if let Err(error) = self.try_to_keep_short(connection, patience) {
            tracing::warn!(%error, "could not shorten the store's log");
        }
    }

    fn try_to_keep_short(&mut self, connection: &mut Connection, patience: i32) -> rusqlite::Result<()> {
        let pages: i64 =
            connection.prepare_cached("PRAGMA wal_checkpoint(NOOP)")?.query_row([], |row| row.get("log"))?;
        if pages < self.next {
            return Ok(());
        }
        file::wait_for_others(connection, PATIENCE)?;
        let busy = checkpoint(connection, "PRAGMA wal_checkpoint(RESTART)");
        file::wait_for_others(connection, patience)?;
        self.next = if busy? { pages + LONGER } else { LONG };
        Ok(())
    }
}

/// `true` where others kept it from being done.
fn checkpoint(connection: &Connection, sql: &str) -> rusqlite::Result<bool> {
    connection.query_row(sql, [], |row| row.get("busy"))
}

/// Builds the file anew and empties its log: what was moved from page to page leaves copies behind that
/// `secure_delete` does not reach. Best effort: where another program keeps looking into the store, the log is
/// overwritten later.
pub(super) fn rebuild(connection: &Connection) {
    let rebuilt =
        connection.execute_batch("VACUUM").and_then(|()| checkpoint(connection, "PRAGMA wal_checkpoint(TRUNCATE)"));
    match rebuilt {
        Ok(false) => {}
        Ok(true) => tracing::info!("another program is using the store; its log is cleared later"),
        Err(error) => tracing::warn!(%error, "could not rebuild the store's file; what was erased may still be in it"),
    }
}
