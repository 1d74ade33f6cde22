//! The one thread that writes.
//!
//! It takes every job that waits, runs them in one transaction and answers them after one durable commit: while one
//! commit waits for the disk, the next batch gathers. A job checks before it writes, so a refused one needs no
//! rollback; where one fails after it has begun to write, the batch is undone and each job runs by itself.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::mpsc,
    thread::JoinHandle,
    time::Duration,
};

use rusqlite::Connection;
use tokio::sync::oneshot;

use super::{
    file::Place,
    log::{self, Log},
    stopped,
};
use crate::{Result, StoreError};

/// Bounds how long a batch keeps other programs from writing.
const MOST_JOBS_A_COMMIT: usize = 256;

/// How long the next of several callers is waited for; much less than a durable write takes.
const PATIENCE: Duration = Duration::from_micros(200);

/// Hands jobs to the writing thread; dropping it ends the thread once all jobs are done.
pub(super) struct Writer {
    orders: Option<mpsc::Sender<Order>>,
    thread: Option<JoinHandle<()>>,
    place: Place,
}

impl Writer {
    /// `patience` is how long the connection waits for other programs; see [`super::file`].
    pub(super) fn start(connection: Connection, patience: i32) -> Result<Self> {
        let (orders, waiting) = mpsc::channel();
        let place = Place::of(&connection);
        let thread = std::thread::Builder::new()
            .name("store-writer".to_owned())
            .spawn(move || serve(connection, patience, &waiting))
            .map_err(|error| StoreError::Unavailable(format!("cannot start the writing thread: {error}")))?;
        Ok(Self { orders: Some(orders), thread: Some(thread), place })
    }

    /// Runs `work` in a transaction shared with others and returns when it is durable, in the file that is at the
    /// store's path: what went into one that was moved away or deleted meanwhile is not acknowledged.
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
        let done = answer.await.map_err(|_| stopped())?;
        self.place.check()?;
        done
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

fn serve(mut connection: Connection, patience: i32, orders: &mpsc::Receiver<Order>) {
    let mut batch = Vec::new();
    let mut tidy = Vec::new();
    let mut answered = 0;
    let mut log = Log::new();
    while let Ok(first) = orders.recv() {
        gather(first, orders, answered, |order| match order {
            Order::Write(job) if job.abandoned() => {}
            Order::Write(job) => batch.push(job),
            Order::Tidy(reply) => tidy.push(reply),
        });
        answered = batch.len();
        if !batch.is_empty() {
            write(&connection, &mut batch);
        }
        for job in batch.drain(..) {
            job.answer();
        }
        log.keep_short(&mut connection, patience);
        if !tidy.is_empty() {
            log::rebuild(&connection);
        }
        for reply in tidy.drain(..) {
            // A caller who stopped waiting does not want the answer.
            let _ = reply.send(());
        }
    }
}

/// Takes what waits. Callers who were answered together tend to come back together: as long as they keep coming, it
/// waits for as many as there were the last time, rather than make most of them wait for a second durable write.
fn gather(first: Order, orders: &mpsc::Receiver<Order>, answered: usize, mut take: impl FnMut(Order)) {
    take(first);
    let mut taken = 1;
    while taken < MOST_JOBS_A_COMMIT {
        let next = if taken < answered {
            orders.recv_timeout(PATIENCE).map_err(|_| ())
        } else {
            orders.try_recv().map_err(|_| ())
        };
        let Ok(order) = next else { return };
        take(order);
        taken += 1;
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

#[cfg(test)]
mod tests {
    use super::*;

    fn writer() -> (Writer, tempfile::TempDir) {
        let folder = tempfile::tempdir().unwrap();
        let connection = Connection::open(folder.path().join("test.db")).unwrap();
        connection.execute_batch("CREATE TABLE t (x INTEGER PRIMARY KEY)").unwrap();
        connection.busy_timeout(Duration::ZERO).unwrap();
        (Writer::start(connection, 0).unwrap(), folder)
    }

    async fn insert(writer: &Writer, x: i64) -> Result<()> {
        writer
            .run(move |connection| connection.execute("INSERT INTO t VALUES (?1)", [x]).map(|_| ()).map_err(Into::into))
            .await
    }

    async fn all(writer: &Writer) -> Vec<i64> {
        let select = |connection: &Connection| {
            let mut statement = connection.prepare("SELECT x FROM t ORDER BY x")?;
            Ok(statement.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?)
        };
        writer.run(select).await.unwrap()
    }

    #[tokio::test]
    async fn one_job_that_fails_or_panics_leaves_the_others_done() {
        let (writer, _folder) = writer();
        // The first keeps the thread busy until the others wait together.
        let (all_wait, gate) = mpsc::channel::<()>();
        let gate = std::sync::Mutex::new(gate);
        let first = writer.run(move |_| {
            let _ = gate.lock().unwrap().recv();
            Ok(())
        });
        let fails = writer.run(|connection| -> Result<()> {
            connection.execute("INSERT INTO t VALUES (100)", [])?;
            Err(StoreError::Damaged("this one".to_owned()))
        });
        let panics = writer.run(|connection| -> Result<()> {
            connection.execute("INSERT INTO t VALUES (200)", [])?;
            panic!("a bug")
        });
        let refuses = writer.run(|_| -> Result<()> { Err(StoreError::Damaged("before it wrote".to_owned())) });
        let gate_opens = async { drop(all_wait) };
        let (_, one, failed, panicked, refused, two, ()) =
            tokio::join!(first, insert(&writer, 1), fails, panics, refuses, insert(&writer, 2), gate_opens);
        assert_eq!((one, two), (Ok(()), Ok(())));
        assert_eq!(failed, Err(StoreError::Damaged("this one".to_owned())));
        assert!(matches!(panicked, Err(StoreError::Unavailable(_))));
        assert_eq!(refused, Err(StoreError::Damaged("before it wrote".to_owned())));
        assert_eq!(all(&writer).await, [1, 2]);
    }

    #[tokio::test]
    async fn a_failed_commit_is_every_callers_error() {
        let (writer, folder) = writer();
        let other = Connection::open(folder.path().join("test.db")).unwrap();
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        let (one, two) = tokio::join!(insert(&writer, 1), insert(&writer, 2));
        assert_eq!((one, two), (Err(StoreError::Busy), Err(StoreError::Busy)));
        other.execute_batch("COMMIT").unwrap();
        insert(&writer, 3).await.unwrap();
        assert_eq!(all(&writer).await, [3]);
    }

    #[tokio::test]
    async fn a_caller_who_stops_waiting_breaks_nothing() {
        let (writer, _folder) = writer();
        {
            let mut abandoned = Box::pin(insert(&writer, 1));
            let once = std::future::poll_fn(|context| {
                assert!(abandoned.as_mut().poll(context).is_pending());
                std::task::Poll::Ready(())
            });
            once.await;
        }
        insert(&writer, 2).await.unwrap();
        assert!(all(&writer).await.ends_with(&[2]));
    }

    #[tokio::test]
    async fn dropping_the_writer_finishes_what_was_asked_for() {
        let (writer, folder) = writer();
        insert(&writer, 1).await.unwrap();
        drop(writer);
        let connection = Connection::open(folder.path().join("test.db")).unwrap();
        let count: i64 = connection.query_row("SELECT count(*) FROM t", [], |row| row.get(0)).unwrap();
        assert_eq!(count, 1);
    }
}
