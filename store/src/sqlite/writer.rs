//! The one thread that writes, and looks at what is about to be written.
//!
//! It takes every job that waits, runs them in one transaction and answers them after one durable commit: while one
//! commit waits for the disk, the next batch gathers. A job checks before it writes, so a refused one needs no
//! rollback; where one fails after it has begun to write, the batch is undone and each job runs by itself.
//!
//! Looks before a decision ([`Writer::look`]) are taken here as well, between two commits: the pages that they need are
//! still in this connection's cache, and those that they bring along are the ones that the decision will change. (Every
//! commit of another connection empties a connection's cache.)

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    path::PathBuf,
    sync::mpsc,
    thread::JoinHandle,
    time::Duration,
};

use rusqlite::Connection;
use tokio::sync::oneshot;

use super::{file::Place, log::Log, readers::in_one_moment, stopped};
use crate::{Result, StoreError};

/// Bounds how long a batch keeps other programs from writing.
const MOST_JOBS_A_COMMIT: usize = 256;

/// How long others are waited for where several callers come together. A durable write costs the machine as much as the
/// work of several callers; nobody notices a millisecond.
const PATIENCE: Duration = Duration::from_millis(1);
/// Nobody is waited for when so many wait already.
const ENOUGH: usize = 32;

/// Hands jobs to the writing thread; dropping it ends the thread once all jobs are done.
pub(super) struct Writer {
    orders: Option<mpsc::Sender<Order>>,
    thread: Option<JoinHandle<()>>,
    place: Place,
}

impl Writer {
    /// `connection` is one to the store at `path`; `patience` is how long it waits for other programs, see
    /// [`super::file`].
    pub(super) fn start(connection: Connection, path: PathBuf, patience: i32) -> Result<Self> {
        let (orders, waiting) = mpsc::channel();
        let place = Place::of(&connection);
        let thread = std::thread::Builder::new()
            .name("store-writer".to_owned())
            .spawn(move || serve(connection, Log::new(path), patience, &waiting))
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
        let done = self.ask(work, Order::Write).await;
        self.place.check()?;
        done
    }

    /// Runs `look`, which only reads, and sees one moment of the store, with everything that was committed before.
    pub(super) async fn look<T, F>(&self, look: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnMut(&Connection) -> Result<T> + Send + 'static,
    {
        self.ask(look, Order::Look).await
    }

    async fn ask<T, F>(&self, work: F, order: fn(Box<dyn Job>) -> Order) -> Result<T>
    where
        T: Send + 'static,
        F: FnMut(&Connection) -> Result<T> + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        self.order(order(Box::new(Waiting { work, outcome: Err(stopped()), reply })))?;
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
    Look(Box<dyn Job>),
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

fn serve(mut connection: Connection, mut log: Log, patience: i32, orders: &mpsc::Receiver<Order>) {
    let mut batch = Batch::default();
    let mut before = 0;
    while let Ok(first) = orders.recv() {
        batch.take(first);
        batch.take_waiting(orders);
        batch.look(&connection);
        // Where several came together the last time, more are on their way, those who have just looked among them. It
        // sleeps rather than wait for each: being woken by each would cost more than their work.
        if before > 1 && batch.taken < ENOUGH {
            std::thread::sleep(PATIENCE);
            batch.take_waiting(orders);
            batch.look(&connection);
        }
        before = std::mem::take(&mut batch.taken);
        if !batch.writes.is_empty() {
            write(&connection, &mut batch.writes);
            batch.writes.drain(..).for_each(|job| job.answer());
            log.keep_short(&mut connection, patience);
        }
        if !batch.tidy.is_empty() {
            log.rebuild(&connection);
        }
        for reply in batch.tidy.drain(..) {
            // A caller who stopped waiting does not want the answer.
            let _ = reply.send(());
        }
    }
}

/// What is done together.
#[derive(Default)]
struct Batch {
    looks: Vec<Box<dyn Job>>,
    writes: Vec<Box<dyn Job>>,
    tidy: Vec<oneshot::Sender<()>>,
    taken: usize,
}

impl Batch {
    fn take(&mut self, order: Order) {
        self.taken += 1;
        match order {
            Order::Look(job) | Order::Write(job) if job.abandoned() => {}
            Order::Look(job) => self.looks.push(job),
            Order::Write(job) => self.writes.push(job),
            Order::Tidy(reply) => self.tidy.push(reply),
        }
    }

    fn take_waiting(&mut self, orders: &mpsc::Receiver<Order>) {
        let most = MOST_JOBS_A_COMMIT.saturating_sub(self.taken);
        orders.try_iter().take(most).for_each(|order| self.take(order));
    }

    /// Each hears what it saw at once, and goes on while others look.
    fn look(&mut self, connection: &Connection) {
        if self.looks.is_empty() {
            return;
        }
        let mut looks = self.looks.drain(..);
        let looked = in_one_moment(connection, |connection| {
            for mut job in looks.by_ref() {
                run(job.as_mut(), connection);
                job.answer();
            }
            Ok(())
        });
        if let Err(error) = looked {
            for mut job in looks {
                job.fail(error.clone());
                job.answer();
            }
        }
    }
}

/// Leaves every job with the outcome its caller shall hear.
fn write(connection: &Connection, batch: &mut [Box<dyn Job>]) {
    match in_one_transaction(connection, batch) {
        Ok(Ending::Committed) => {}
        Ok(Ending::Undone) => {
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
enum Ending {
    Committed,
    /// A job failed after it had begun to write; nothing is written.
    Undone,
}

fn in_one_transaction(connection: &Connection, batch: &mut [Box<dyn Job>]) -> Result<Ending> {
    connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
    for job in batch {
        let before = connection.total_changes();
        run(job.as_mut(), connection);
        if job.failed() && connection.total_changes() != before {
            roll_back(connection);
            return Ok(Ending::Undone);
        }
    }
    let committed = connection.prepare_cached("COMMIT").and_then(|mut commit| commit.execute([]));
    if let Err(error) = committed {
        roll_back(connection);
        return Err(error.into());
    }
    Ok(Ending::Committed)
}

/// A fault in one job must not end the thread.
fn run(job: &mut dyn Job, connection: &Connection) {
    if catch_unwind(AssertUnwindSafe(|| job.run(connection))).is_err() {
        job.fail(StoreError::Unavailable("an internal error, see the log".to_owned()));
    }
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
        let path = folder.path().join("test.db");
        let connection = Connection::open(&path).unwrap();
        connection.execute_batch("CREATE TABLE t (x INTEGER PRIMARY KEY)").unwrap();
        connection.busy_timeout(Duration::ZERO).unwrap();
        (Writer::start(connection, path, 0).unwrap(), folder)
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
    async fn a_look_sees_what_was_committed_before_and_a_faulty_one_harms_nobody() {
        let (writer, _folder) = writer();
        insert(&writer, 1).await.unwrap();
        let count = |connection: &Connection| -> Result<i64> {
            Ok(connection.query_row("SELECT count(*) FROM t", [], |row| row.get(0))?)
        };
        let faulty = writer.look(|_| -> Result<()> { panic!("a bug") });
        let (faulty, seen, written) = tokio::join!(faulty, writer.look(count), insert(&writer, 2));
        assert!(matches!(faulty, Err(StoreError::Unavailable(_))));
        assert_eq!((seen, written), (Ok(1), Ok(())));
        assert_eq!(writer.look(count).await, Ok(2));
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
