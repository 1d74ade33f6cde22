//! The one thread that writes.
//!
//! It takes every job that waits, runs them in one transaction and answers them after one durable commit: while one
//! commit waits for the disk, the next batch gathers. A job checks before it writes, so a refused one needs no
//! rollback; where one fails after it has begun to write, the batch is undone and each job runs by itself.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::mpsc,
    thread::JoinHandle,
};

use rusqlite::Connection;
use tokio::sync::oneshot;

use super::{file, stopped};
use crate::{Result, StoreError};

/// Bounds how long a batch keeps other programs from writing.
const MOST_JOBS_A_COMMIT: usize = 256;

/// Hands jobs to the writing thread; dropping it ends the thread once all jobs are done.
pub(super) struct Writer {
    orders: Option<mpsc::Sender<Order>>,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    pub(super) fn start(connection: Connection) -> Result<Self> {
        let (orders, waiting) = mpsc::channel();
        let thread = std::thread::Builder::new()
            .name("store-writer".to_owned())
            .spawn(move || serve(connection, &waiting))
            .map_err(|error| StoreError::Unavailable(format!("cannot start the writing thread: {error}")))?;
        Ok(Self { orders: Some(orders), thread: Some(thread) })
    }

    /// Runs `work` in a transaction shared with others and returns when it is durable.
    ///
    /// `work` must check before it writes and may run twice. When the caller stops waiting it runs wholly or not at
    /// all.
    pub(super) async fn run<T, F>(&self, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnMut(&Connection) -> Result<T> + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let job = Box::new(Waiting { work, outcome: Err(stopped()), reply });
        self.order(Order::Write(job))?;
        answer.await.map_err(|_| stopped())?
    }

    /// Clears away what is deleted but still in the file or its log, as far as other programs let it.
    pub(super) async fn tidy(&self) -> Result<()> {
        let (reply, answer) = oneshot::channel();
        self.order(Order::Tidy(reply))?;
        answer.await.map_err(|_| stopped())
    }

    fn order(&self, order: Order) -> Result<()> {
        self.orders.as_ref().ok_or_else(stopped)?.send(order).map_err(|_| stopped())
    }
}

enum Order {
    Write(Box<dyn Job>),
    Tidy(oneshot::Sender<()>),
}

impl Drop for Writer {
    fn drop(&mut self) {
        drop(self.orders.take());
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("the store's writing thread panicked");
        }
    }
}

/// One caller's work, and the caller who waits for it.
trait Job: Send {
    /// Nobody waits any more.
    fn abandoned(&self) -> bool;
    /// Does the work; its outcome is kept until the commit.
    fn run(&mut self, connection: &Connection);
    fn failed(&self) -> bool;
    fn fail(&mut self, error: StoreError);
    /// Tells the caller.
    fn answer(self: Box<Self>);
}

struct Waiting<T, F> {
    work: F,
    outcome: Result<T>,
    reply: oneshot::Sender<Result<T>>,
}

impl<T: Send, F: FnMut(&Connection) -> Result<T> + Send> Job for Waiting<T, F> {
    fn abandoned(&self) -> bool {
        self.reply.is_closed()
    }

    fn run(&mut self, connection: &Connection) {
        self.outcome = (self.work)(connection);
    }

    fn failed(&self) -> bool {
        self.outcome.is_err()
    }

    fn fail(&mut self, error: StoreError) {
        self.outcome = Err(error);
    }

    fn answer(self: Box<Self>) {
        // A caller who stopped waiting does not want the answer.
        let _ = self.reply.send(self.outcome);
    }
}

fn serve(mut connection: Connection, orders: &mpsc::Receiver<Order>) {
    let mut batch = Vec::new();
    let mut tidy = Vec::new();
    while let Ok(first) = orders.recv() {
        for order in std::iter::once(first).chain(orders.try_iter()).take(MOST_JOBS_A_COMMIT) {
            match order {
                Order::Write(job) if job.abandoned() => {}
                Order::Write(job) => batch.push(job),
                Order::Tidy(reply) => tidy.push(reply),
            }
        }
        if !batch.is_empty() {
            write(&connection, &mut batch);
        }
        for job in batch.drain(..) {
            job.answer();
        }
        if !tidy.is_empty() {
            clear_log(&mut connection);
        }
        for reply in tidy.drain(..) {
            // A caller who stopped waiting does not want the answer.
            let _ = reply.send(());
        }
    }
    clear_log(&mut connection);
}

/// Moves everything from the log into the file and empties the log. Best effort: where another program is reading,
/// the log is overwritten later.
fn clear_log(connection: &mut Connection) {
    let cleared = file::without_waiting(connection, |connection| {
        connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, bool>(0))
    });
    match cleared {
        Ok(false) => {}
        Ok(true) => tracing::debug!("another program is using the store; its log is cleared later"),
        Err(error) => tracing::warn!(%error, "could not clear the store's log"),
    }
}

/// Leaves every job with the outcome its caller shall hear.
fn write(connection: &Connection, batch: &mut [Box<dyn Job>]) {
    match in_one_transaction(connection, batch) {
        Ok(Batch::Committed) => {}
        Ok(Batch::Undone) => {
            for job in batch {
                if let Err(error) = in_one_transaction(connection, std::slice::from_mut(job)) {
                    job.fail(error);
                }
            }
        }
        Err(error) => batch.iter_mut().for_each(|job| job.fail(error.clone())),
    }
}

/// What became of a batch.
enum Batch {
    Committed,
    /// A job failed after it had begun to write; nothing is written.
    Undone,
}

fn in_one_transaction(connection: &Connection, batch: &mut [Box<dyn Job>]) -> Result<Batch> {
    connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
    for job in batch {
        let before = connection.total_changes();
        if catch_unwind(AssertUnwindSafe(|| job.run(connection))).is_err() {
            job.fail(StoreError::Unavailable("an internal error, see the log".to_owned()));
        }
        if job.failed() && connection.total_changes() != before {
            roll_back(connection);
            return Ok(Batch::Undone);
        }
    }
    let committed = connection.prepare_cached("COMMIT").and_then(|mut commit| commit.execute([]));
    if let Err(error) = committed {
        roll_back(connection);
        return Err(error.into());
    }
    Ok(Batch::Committed)
}

fn roll_back(connection: &Connection) {
    // Some errors (a full disk) make SQLite roll back by itself.
    if !connection.is_autocommit()
        && let Err(error) = connection.execute_batch("ROLLBACK")
    {
        tracing::error!(%error, "could not roll back");
    }
}
