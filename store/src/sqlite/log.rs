//! Keeping the write-ahead log short, and clearing it of what was erased.
//!
//! SQLite's own way moves the log into the file within some commit, and everybody who waits for that commit waits for
//! the move too; and it starts the log over only in a moment without any reader, so that under steady load the log
//! would grow without bound. Here a thread of its own moves most of it while commits go on. The writer only moves the
//! last pages, between two commits, and starts the log over.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc},
    thread::JoinHandle,
};

use rusqlite::Connection;

use super::file;
use crate::StoreError;

/// Pages in the log that are worth moving: of a page that was written several times meanwhile only the last state is.
const WORTH_MOVING: i64 = 4_000;
/// Pages that the writer may move itself to start the log over: commits wait for it.
const FEW: i64 = 200;
/// Pages in the log (32 MiB) after which it is started over: two segments of its index.
const LONG: i64 = 8_000;
/// Pages in the log (128 MiB) of which it is moved by the writer, whatever that takes: it grows faster than it is moved.
const TOO_LONG: i64 = 32_000;
/// Pages after which it is tried again where another program was reading all the time.
const LONGER: i64 = 1_000;
/// How long readers are waited for, in milliseconds: ours are done in less, and commits wait meanwhile.
const PATIENCE: i32 = 20;

/// The writer's view of the log.
pub(super) struct Log {
    /// When it is next to be started over.
    next: i64,
    mover: Mover,
}

impl Log {
    /// The log of the store at this path.
    pub(super) fn new(path: PathBuf) -> Self {
        Self { next: LONG, mover: Mover { path, thread: None, moving: Arc::default() } }
    }

    /// Between two commits: has the log moved, and starts it over when it has become long. `patience` is the
    /// connection's own.
    pub(super) fn keep_short(&mut self, connection: &mut Connection, patience: i32) {
        if let Err(error) = self.try_to_keep_short(connection, patience) {
            tracing::warn!(%error, "could not shorten the store's log");
        }
    }

    fn try_to_keep_short(&mut self, connection: &mut Connection, patience: i32) -> Result<(), StoreError> {
        let (pages, moved): (i64, i64) = connection
            .prepare_cached("PRAGMA wal_checkpoint(NOOP)")?
            .query_row([], |row| Ok((row.get("log")?, row.get("checkpointed")?)))?;
        let is_long = pages >= self.next;
        let worth_moving = if is_long { FEW } else { WORTH_MOVING };
        if pages - moved >= worth_moving && pages < self.next.max(TOO_LONG) {
            return self.mover.wake();
        }
        if !is_long {
            return Ok(());
        }
        let moving = self.mover.pause();
        file::wait_for_others(connection, PATIENCE)?;
        let busy = checkpoint(connection, "PRAGMA wal_checkpoint(RESTART)");
        file::wait_for_others(connection, patience)?;
        drop(moving);
        self.next = if busy? { pages + LONGER } else { LONG };
        Ok(())
    }

    /// Builds the file anew and empties its log: what was moved from page to page leaves copies behind that
    /// `secure_delete` does not reach. Best effort: where another program keeps looking into the store, the log is
    /// overwritten later.
    pub(super) fn rebuild(&self, connection: &Connection) {
        let _moving = self.mover.pause();
        let rebuilt =
            connection.execute_batch("VACUUM").and_then(|()| checkpoint(connection, "PRAGMA wal_checkpoint(TRUNCATE)"));
        match rebuilt {
            Ok(false) => {}
            Ok(true) => tracing::info!("another program is using the store; its log is cleared later"),
            Err(error) => {
                tracing::warn!(%error, "could not rebuild the store's file; what was erased may still be in it");
            }
        }
    }
}

/// `true` where others kept it from being done.
fn checkpoint(connection: &Connection, sql: &str) -> rusqlite::Result<bool> {
    connection.query_row(sql, [], |row| row.get("busy"))
}

/// Moves pages beside the writer. Its thread begins when it is first needed, and ends when this is dropped.
struct Mover {
    path: PathBuf,
    thread: Option<Thread>,
    /// Held while pages are moved: SQLite would refuse a second one at the same time.
    moving: Arc<Mutex<()>>,
}

struct Thread {
    wake: mpsc::SyncSender<()>,
    thread: JoinHandle<()>,
}

impl Mover {
    fn wake(&mut self) -> Result<(), StoreError> {
        let thread = match &mut self.thread {
            Some(thread) => thread,
            none => none.insert(Thread::start(file::open_reader(&self.path)?, Arc::clone(&self.moving))?),
        };
        // It is full when the thread has been told already.
        let _ = thread.wake.try_send(());
        Ok(())
    }

    /// Waits until no pages are being moved; none are as long as the result lives.
    fn pause(&self) -> MutexGuard<'_, ()> {
        lock(&self.moving)
    }
}

impl Drop for Mover {
    fn drop(&mut self) {
        if let Some(Thread { wake, thread }) = self.thread.take() {
            drop(wake);
            if thread.join().is_err() {
                tracing::error!("the thread that moves the store's log panicked");
            }
        }
    }
}

impl Thread {
    fn start(connection: Connection, moving: Arc<Mutex<()>>) -> Result<Self, StoreError> {
        let (wake, woken) = mpsc::sync_channel(1);
        let move_pages = move || {
            while woken.recv().is_ok() {
                let _moving = lock(&moving);
                // Where another program moves them, this one need not.
                if let Err(error) = checkpoint(&connection, "PRAGMA wal_checkpoint(PASSIVE)") {
                    tracing::warn!(%error, "could not move the store's log into its file");
                }
            }
        };
        let thread = std::thread::Builder::new()
            .name("store-log".to_owned())
            .spawn(move_pages)
            .map_err(|error| StoreError::Unavailable(format!("cannot start the thread of the log: {error}")))?;
        Ok(Self { wake, thread })
    }
}

fn lock(moving: &Mutex<()>) -> MutexGuard<'_, ()> {
    moving.lock().unwrap_or_else(PoisonError::into_inner)
}
