//! A few threads that only read.
//!
//! A look into the store takes microseconds but may wait for the disk, which must not hold up the threads that serve
//! connections. Jobs that wait together share one read transaction; it begins after they were asked for, so
//! each sees at least what was committed before.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Mutex, PoisonError, mpsc},
    thread::JoinHandle,
};

use rusqlite::Connection;
use tokio::sync::oneshot;

use super::stopped;
use crate::{Result, StoreError};

/// Few, so that the other threads find work too.
const MOST_JOBS_A_LOOK: usize = 8;

type Job = Box<dyn FnOnce(std::result::Result<&Connection, &StoreError>) + Send>;

/// Hands jobs to the reading threads; dropping it ends them once all jobs are done.
pub(super) struct Readers {
    jobs: Option<mpsc::Sender<Job>>,
    threads: Vec<JoinHandle<()>>,
}

impl Readers {
    pub(super) fn start(connections: Vec<Connection>) -> Result<Self> {
        let (jobs, waiting) = mpsc::channel();
        let waiting = Arc::new(Mutex::new(waiting));
        let mut readers = Self { jobs: Some(jobs), threads: Vec::new() };
        for connection in connections {
            let waiting = Arc::clone(&waiting);
            let thread = std::thread::Builder::new()
                .name("store-reader".to_owned())
                .spawn(move || serve(&connection, &waiting))
                .map_err(|error| StoreError::Unavailable(format!("cannot start a reading thread: {error}")))?;
            readers.threads.push(thread);
        }
        Ok(readers)
    }

    /// Runs `look` in one read transaction: it sees one moment of the store.
    pub(super) async fn run<T, F>(&self, look: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T> + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let job: Job = Box::new(move |connection| {
            if !reply.is_closed() {
                // A caller who stopped waiting does not want the answer.
                let _ = reply.send(connection.map_err(Clone::clone).and_then(look));
            }
        });
        self.jobs.as_ref().ok_or_else(stopped)?.send(job).map_err(|_| stopped())?;
        answer.await.map_err(|_| stopped())?
    }
}

impl Drop for Readers {
    fn drop(&mut self) {
        drop(self.jobs.take());
        for thread in self.threads.drain(..) {
            if thread.join().is_err() {
                tracing::error!("a reading thread of the store panicked");
            }
        }
    }
}

fn serve(connection: &Connection, jobs: &Mutex<mpsc::Receiver<Job>>) {
    loop {
        let mut batch = Vec::new();
        {
            let waiting = jobs.lock().unwrap_or_else(PoisonError::into_inner);
            let Ok(first) = waiting.recv() else { return };
            batch.push(first);
            batch.extend(waiting.try_iter().take(MOST_JOBS_A_LOOK - 1));
        }
        let began = connection.prepare_cached("BEGIN").and_then(|mut begin| begin.execute([]));
        let began = began.map(|_| ()).map_err(StoreError::from);
        for job in batch {
            let view = began.as_ref().map(|()| connection);
            if catch_unwind(AssertUnwindSafe(|| job(view))).is_err() {
                tracing::error!("a look into the store panicked");
            }
        }
        if !connection.is_autocommit()
            && let Err(error) = connection.prepare_cached("COMMIT").and_then(|mut end| end.execute([]))
        {
            tracing::error!(%error, "could not end a look into the store");
        }
    }
}
