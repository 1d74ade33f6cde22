//! Writing in one transaction, durably, once.
//!
//! What may pass (a lost primary, a lost connection, two writers who met) is tried again for a bounded time. Where the
//! answer to a commit is lost, the commit is sent again until the server says what became of it: it remembers. Only
//! if it does not, the written documents are asked.

use std::time::Duration;

use async_trait::async_trait;
use futures_util::TryStreamExt;
use mongodb::{
    Client, ClientSession, Database,
    bson::{Bson, Document, doc},
    error::{Error, TRANSIENT_TRANSACTION_ERROR, UNKNOWN_TRANSACTION_COMMIT_RESULT},
    options::{ReadConcern, TransactionOptions},
};
use tokio::time::{Instant, sleep};

use super::{connect::durable, error};
use crate::{Result, StoreError};

/// For how long something that may pass is tried again.
const PATIENCE: Duration = Duration::from_secs(10);
const SHORTEST_PAUSE: Duration = Duration::from_millis(2);
const LONGEST_PAUSE: Duration = Duration::from_millis(250);
/// Statements sent in one command.
const MOST_STATEMENTS: usize = 1000;

/// What a transaction does.
#[async_trait]
pub(super) trait Work: Sync {
    type Done: Send;
    /// May run several times: each time everything is looked at anew.
    async fn run(&self, txn: &mut Txn) -> Outcome<Self::Done>;
    /// After a commit whose answer was lost and which the server does not remember: what it came to, if it happened.
    /// `None` where it did not, or where doing it again does no harm.
    async fn happened(&self, database: &Database, token: &str) -> Result<Option<Self::Done>> {
        let _ = (database, token);
        Ok(None)
    }
}

/// Work for many at once, each of whom could be served alone.
pub(super) trait Divided: Work + Sized {
    /// Two parts of it.
    ///
    /// # Errors
    /// Itself, where it is for one only.
    fn halves(self) -> std::result::Result<(Self, Self), Self>;
    /// Another part has been done.
    fn after(&mut self, done: &Self::Done) {
        let _ = done;
    }
}

/// The two halves of a list; the list where there is but one.
pub(super) fn halves<T>(mut all: Vec<T>) -> std::result::Result<(Vec<T>, Vec<T>), Vec<T>> {
    match all.len() {
        0 | 1 => Err(all),
        several => {
            let second = all.split_off(several / 2);
            Ok((all, second))
        }
    }
}

/// How the work of a transaction ended.
pub(super) type Outcome<T> = std::result::Result<End<T>, Failure>;

/// What is to become of what was written.
pub(super) enum End<T> {
    /// It is to stay.
    Keep(T),
    /// It is to go; this is the answer.
    Drop(T),
}

/// Why the work of a transaction failed.
#[derive(Debug)]
pub(super) enum Failure {
    /// Something that must be unique is there already. The transaction is gone.
    Duplicate,
    /// May pass: to be done again from the start.
    Passing(Error),
    /// Two writers met: to be done again from the start.
    Conflict,
    Store(StoreError),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        if error::is_duplicate(&error) {
            Self::Duplicate
        } else if error::is_conflict(&error) {
            Self::Conflict
        } else if error::is_passing(&error) {
            Self::Passing(error)
        } else {
            Self::Store(error.into())
        }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// An open transaction.
pub(super) struct Txn {
    database: Database,
    session: ClientSession,
    /// Names this piece of work, in all its tries; no other has the same.
    pub token: String,
}

/// What an update did.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Updated {
    /// Documents that a statement's filter met, inserted ones included.
    pub met: u64,
    pub changed: u64,
    pub inserted: u64,
}

impl Txn {
    /// Statements `{ q, u, upsert?, multi? }`, in order, in as few commands as they fit in.
    pub(super) async fn update(
        &mut self,
        collection: &str,
        statements: Vec<Document>,
    ) -> std::result::Result<Updated, Failure> {
        let mut updated = Updated::default();
        for part in statements.chunks(MOST_STATEMENTS) {
            let answer = self.command(doc! { "update": collection, "updates": part }).await?;
            updated.met += number(&answer, "n");
            updated.changed += number(&answer, "nModified");
            updated.inserted += answer.get_array("upserted").map_or(0, Vec::len) as u64;
        }
        Ok(updated)
    }

    /// Statements `{ q, limit }`; returns how many documents are gone.
    pub(super) async fn delete(
        &mut self,
        collection: &str,
        statements: Vec<Document>,
    ) -> std::result::Result<u64, Failure> {
        let mut deleted = 0;
        for part in statements.chunks(MOST_STATEMENTS) {
            deleted += number(&self.command(doc! { "delete": collection, "deletes": part }).await?, "n");
        }
        Ok(deleted)
    }

    pub(super) async fn insert(
        &mut self,
        collection: &str,
        documents: Vec<Document>,
    ) -> std::result::Result<(), Failure> {
        if !documents.is_empty() {
            self.database.collection::<Document>(collection).insert_many(documents).session(&mut self.session).await?;
        }
        Ok(())
    }

    pub(super) async fn find(
        &mut self,
        collection: &str,
        filter: Document,
        sort: Document,
    ) -> std::result::Result<Vec<Document>, Failure> {
        let collection = self.database.collection::<Document>(collection);
        let mut cursor = collection.find(filter).sort(sort).session(&mut self.session).await?;
        Ok(cursor.stream(&mut self.session).try_collect().await?)
    }

    pub(super) async fn find_one(
        &mut self,
        collection: &str,
        filter: Document,
    ) -> std::result::Result<Option<Document>, Failure> {
        Ok(self.database.collection::<Document>(collection).find_one(filter).session(&mut self.session).await?)
    }

    /// Changes one document and returns it as it was.
    pub(super) async fn exchange(
        &mut self,
        collection: &str,
        filter: Document,
        update: Document,
    ) -> std::result::Result<Option<Document>, Failure> {
        let collection = self.database.collection::<Document>(collection);
        Ok(collection.find_one_and_update(filter, update).session(&mut self.session).await?)
    }

    async fn command(&mut self, command: Document) -> std::result::Result<Document, Failure> {
        let answer = self.database.run_command(command).session(&mut self.session).await?;
        let failed = answer.get_array("writeErrors").ok().and_then(|errors| errors.first()).and_then(Bson::as_document);
        let Some(failed) = failed else { return Ok(answer) };
        let code = failed.get_i32("code").unwrap_or_default();
        Err(if error::is_duplicate_code(code) {
            Failure::Duplicate
        } else if error::is_passing_code(code) {
            Failure::Conflict
        } else {
            Failure::Store(StoreError::Unavailable(format!("MongoDB refused a write (error {code})")))
        })
    }
}

fn number(answer: &Document, field: &str) -> u64 {
    answer.get(field).and_then(super::shape::as_number).unwrap_or(0)
}

/// What became of a commit.
enum Sent {
    Committed,
    /// Certainly not written.
    Lost,
    /// Perhaps written, and the server does not remember.
    Forgotten,
}

/// Why a piece of work was not done.
#[derive(Debug)]
pub(super) enum Undone {
    /// Others kept changing the same documents.
    Met,
    Failed(StoreError),
}

impl From<StoreError> for Undone {
    fn from(error: StoreError) -> Self {
        Self::Failed(error)
    }
}

impl From<Error> for Undone {
    fn from(error: Error) -> Self {
        Self::Failed(error.into())
    }
}

impl From<Undone> for StoreError {
    fn from(undone: Undone) -> Self {
        match undone {
            Undone::Met => Self::Unavailable("others kept changing the same documents of MongoDB".to_owned()),
            Undone::Failed(error) => error,
        }
    }
}

/// Does a piece of work, once.
pub(super) async fn run<W: Work>(client: &Client, database: &Database, token: String, work: &W) -> Result<W::Done> {
    Ok(run_within(PATIENCE, (client, database), token, work).await?)
}

/// The same; what may pass is tried again for so long.
pub(super) async fn run_within<W: Work>(
    patience: Duration,
    (client, database): (&Client, &Database),
    token: String,
    work: &W,
) -> std::result::Result<W::Done, Undone> {
    let deadline = Instant::now() + patience;
    let mut pauses = Pauses::new(&token);
    let mut session = loop {
        match client.start_session().await {
            Ok(session) => break session,
            Err(error) if error::is_passing(&error) && Instant::now() < deadline => pauses.pause().await,
            Err(error) => return Err(error.into()),
        }
    };
    // The same session for all tries: a new transaction in it ends whatever is left of the one before.
    loop {
        let options =
            TransactionOptions::builder().read_concern(ReadConcern::snapshot()).write_concern(durable()).build();
        session.start_transaction().with_options(options).await?;
        let mut txn = Txn { database: database.clone(), session, token: token.clone() };
        let outcome = work.run(&mut txn).await;
        session = txn.session;
        let failure = match outcome {
            Ok(End::Keep(done)) => match send_commit(&mut session, deadline, &mut pauses).await? {
                Sent::Committed => return Ok(done),
                Sent::Lost => None,
                Sent::Forgotten => {
                    if let Some(done) = work.happened(database, &token).await? {
                        return Ok(done);
                    }
                    None
                }
            },
            Ok(End::Drop(done)) => {
                abort(&mut session).await;
                return Ok(done);
            }
            Err(failure) => {
                abort(&mut session).await;
                Some(failure)
            }
        };
        let error = match failure {
            None => StoreError::Unavailable("MongoDB lost a transaction".to_owned()).into(),
            Some(Failure::Passing(error)) => error.into(),
            Some(Failure::Conflict | Failure::Duplicate) => Undone::Met,
            Some(Failure::Store(error)) => return Err(error.into()),
        };
        if Instant::now() >= deadline {
            return Err(error);
        }
        metrics::counter!("convive_store_retries_total").increment(1);
        pauses.pause().await;
    }
}

/// A transaction that is not ended keeps its documents from others for a minute.
async fn abort(session: &mut ClientSession) {
    if let Err(error) = session.abort_transaction().await {
        tracing::debug!(code = error::code(&error), "a transaction could not be aborted; the server will");
    }
}

/// Sends the commit until it is known what became of it.
async fn send_commit(session: &mut ClientSession, deadline: Instant, pauses: &mut Pauses) -> Result<Sent> {
    let mut in_doubt = false;
    loop {
        let error = match session.commit_transaction().await {
            Ok(()) => return Ok(Sent::Committed),
            Err(error) => error,
        };
        let is_unknown = error.contains_label(UNKNOWN_TRANSACTION_COMMIT_RESULT) || error::is_of_the_network(&error);
        if !is_unknown && error.contains_label(TRANSIENT_TRANSACTION_ERROR) {
            // The driver itself sends a commit twice, so even the first such answer may be to a repetition.
            return Ok(if in_doubt || !error::is_conflict(&error) { Sent::Forgotten } else { Sent::Lost });
        }
        if !is_unknown && !error::is_passing(&error) {
            return Err(error.into());
        }
        in_doubt = true;
        if Instant::now() >= deadline {
            return Err(StoreError::Unavailable(
                "MongoDB did not say whether something was written; if it was, doing it again will be recognised"
                    .to_owned(),
            ));
        }
        pauses.pause().await;
    }
}

/// Pauses that grow, and differ between those who met.
struct Pauses {
    next: Duration,
    mixed: u64,
}

impl Pauses {
    fn new(token: &str) -> Self {
        let mixed = token
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        Self { next: SHORTEST_PAUSE, mixed }
    }

    async fn pause(&mut self) {
        self.mixed = self.mixed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let share = (self.mixed >> 33) % 1000;
        let pause = self.next / 2 + self.next.mul_f64(share as f64 / 1000.0);
        self.next = (self.next * 2).min(LONGEST_PAUSE);
        sleep(pause).await;
    }
}
