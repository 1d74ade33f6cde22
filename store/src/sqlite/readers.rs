//! Connections that only read.
//!
//! A short look takes some ten microseconds, less than handing it to another thread and back would: it is taken where
//! it is asked for ([`Readers::glance`]). One that may be long goes to a thread of its own ([`Readers::run`]), so that
//! it does not hold up the threads that serve connections.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Mutex, MutexGuard, PoisonError, mpsc},
    thread::JoinHandle,
};

use rusqlite::Connection;
use tokio::sync::{Semaphore, oneshot};

use super::stopped;
use crate::{Result, StoreError};

type Job = Box<dyn FnOnce(&Connection) + Send>;

/// Looks into the store; dropping it ends its thread once all jobs are done.
pub(super) struct Readers {
    /// For short looks.
    free: Mutex<Vec<Connection>>,
    /// One permit for each of them.
    permits: Semaphore,
    jobs: Option<mpsc::Sender<Job>>,
    thread: Option<JoinHandle<()>>,
}

impl Readers {
    /// `connection` for long looks, `others` for short ones.
    pub(super) fn start(connection: Connection, others: Vec<Connection>) -> Result<Self> {
        let (jobs, waiting) = mpsc::channel::<Job>();
        let thread = std::thread::Builder::new()
            .name("store-reader".to_owned())
            .spawn(move || {
                while let Ok(job) = waiting.recv() {
                    job(&connection);
                }
            })
            .map_err(|error| StoreError::Unavailable(format!("cannot start a reading thread: {error}")))?;
        let permits = Semaphore::new(others.len());
        Ok(Self { free: Mutex::new(others), permits, jobs: Some(jobs), thread: Some(thread) })
    }

    /// Takes a short look, in one read transaction: it sees one moment of the store, with everything that was
    /// committed before.
    pub(super) async fn glance<T>(&self, look: impl FnOnce(&Connection) -> Result<T> + Send) -> Result<T> {
        let _permit = self.permits.acquire().await.map_err(|_| stopped())?;
        let Some(connection) = self.free().pop() else { return Err(stopped()) };
        let seen = in_one_moment(&connection, look);
        self.free().push(connection);
        seen
    }

    /// The same for a look that may be long.
    pub(super) async fn run<T, F>(&self, look: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T> + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let job: Job = Box::new(move |connection| {
            if !reply.is_closed() {
                // A caller who stopped waiting does not want the answer.
                let _ = reply.send(in_one_moment(connection, look));
            }
        });
        self.jobs.as_ref().ok_or_else(stopped)?.send(job).map_err(|_| stopped())?;
        answer.await.map_err(|_| stopped())?
    }

    fn free(&self) -> MutexGuard<'_, Vec<Connection>> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Readers {
    fn drop(&mut self) {
        drop(self.jobs.take());
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("the reading thread of the store panicked");
        }
    }
}

/// In a read transaction.
pub(super) fn in_one_moment<T>(connection: &Connection, look: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
    connection.prepare_cached("BEGIN")?.execute([])?;
    // The connection must be of use afterwards, whatever happens.
    let seen = catch_unwind(AssertUnwindSafe(|| look(connection)));
    if !connection.is_autocommit()
        && let Err(error) = connection.prepare_cached("COMMIT").and_then(|mut end| end.execute([]))
    {
        tracing::error!(%error, "could not end a look into the store");
    }
    seen.unwrap_or_else(|_| {
        tracing::error!("a look into the store panicked");
        Err(stopped())
    })
}
