//! What the driver's errors mean to those who use the store.
//!
//! The server's own texts may quote documents (names, codes), so only codes and kinds are passed on.

use std::{
    collections::BTreeSet,
    sync::{Mutex, PoisonError},
};

use mongodb::{
    bson::Document,
    error::{Error, ErrorKind, RETRYABLE_WRITE_ERROR, TRANSIENT_TRANSACTION_ERROR, WriteFailure},
};

use crate::{Result, StoreError};

const UNAUTHORIZED: i32 = 13;
const AUTHENTICATION_FAILED: i32 = 18;
const DUPLICATE_KEY: i32 = 11000;
const WRITE_CONFLICT: i32 = 112;
/// NotWritablePrimary, PrimarySteppedDown, InterruptedDueToReplStateChange, ShutdownInProgress, HostUnreachable,
/// NetworkTimeout, NoSuchTransaction and their like.
const PASSING: [i32; 14] = [6, 7, 89, 91, 112, 189, 251, 262, 9001, 10058, 10107, 11600, 11602, 13435];

/// What was told of damaged documents.
static TOLD: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
/// Where more is damaged, the counter tells.
const MOST_TOLD: usize = 1000;

impl From<Error> for StoreError {
    fn from(error: Error) -> Self {
        match error.kind.as_ref() {
            ErrorKind::Authentication { .. } => refused(),
            ErrorKind::ServerSelection { message, .. } => {
                Self::Unavailable(format!("MongoDB does not answer ({})", unselected(message)))
            }
            ErrorKind::Io(error) => Self::Unavailable(format!("the connection to MongoDB failed ({error})")),
            ErrorKind::InvalidTlsConfig { message, .. } => {
                Self::Unusable(format!("store.url: TLS cannot be used as it is set ({message})"))
            }
            ErrorKind::DnsResolve { message, .. } => {
                Self::Unavailable(format!("store.url: the name of the server cannot be looked up ({message})"))
            }
            _ => match code(&error) {
                Some(AUTHENTICATION_FAILED) => refused(),
                Some(UNAUTHORIZED) => Self::Unusable(
                    "store.url: MongoDB does not allow what is needed there. Name a user in it, as in \
                     mongodb://USER:PASSWORD@HOST/convive, and grant that user the role readWrite on the database"
                        .to_owned(),
                ),
                Some(code) => Self::Unavailable(format!("MongoDB refused an operation (error {code})")),
                None => Self::Unavailable(format!("MongoDB could not be used ({})", kind(&error))),
            },
        }
    }
}

/// What was asked and why nothing came of it, out of the driver's dump of all that it knows.
fn unselected(message: &str) -> String {
    let mut servers: Vec<String> = Vec::new();
    for server in message.split("{ Address: ").skip(1) {
        let server = server.split(" }").next().unwrap_or_default();
        let address = server.split(',').next().unwrap_or_default();
        let why = server.split_once("Error: ").map(|(_, why)| why);
        let why = why.and_then(|why| why.split(", labels:").next()).unwrap_or("no answer");
        servers.push(format!("{address}: {why}"));
    }
    if servers.is_empty() { "no server was found".to_owned() } else { servers.join("; ") }
}

fn refused() -> StoreError {
    StoreError::Unusable(
        "store.url: MongoDB refused the user name or password. Compare them with the ones of the database user; special \
         characters in them are written as %40 for @, %3A for :, %2F for /, %25 for %"
            .to_owned(),
    )
}

/// The driver's word for what went wrong, without anything that was in a document.
fn kind(error: &Error) -> String {
    match error.kind.as_ref() {
        ErrorKind::ConnectionPoolCleared { .. } => "the connections were closed after an error".to_owned(),
        ErrorKind::InvalidResponse { .. } => "it answered something that makes no sense".to_owned(),
        ErrorKind::IncompatibleServer { message, .. } | ErrorKind::Transaction { message, .. } => message.clone(),
        ErrorKind::SessionsNotSupported => "it knows no sessions".to_owned(),
        ErrorKind::InvalidArgument { .. } => "the driver refused the operation".to_owned(),
        _ => "an internal error of the driver".to_owned(),
    }
}

/// The server's error code.
pub(super) fn code(error: &Error) -> Option<i32> {
    match error.kind.as_ref() {
        ErrorKind::Command(error) => Some(error.code),
        ErrorKind::Write(WriteFailure::WriteError(error)) => Some(error.code),
        ErrorKind::Write(WriteFailure::WriteConcernError(error)) => Some(error.code),
        ErrorKind::InsertMany(error) => {
            error.write_errors.as_ref().and_then(|errors| errors.first()).map(|error| error.code)
        }
        _ => None,
    }
}

/// Something that must be unique is there already.
pub(super) fn is_duplicate(error: &Error) -> bool {
    code(error) == Some(DUPLICATE_KEY)
}

/// Those of a list that can be read. The others are counted, and told once each.
pub(super) fn readable<T>(documents: Vec<Document>, read: impl Fn(Document) -> Result<T>) -> Vec<T> {
    let mut all = Vec::new();
    for document in documents {
        match read(document) {
            Ok(value) => all.push(value),
            Err(error) => {
                error.count("list");
                let mut told = TOLD.lock().unwrap_or_else(PoisonError::into_inner);
                if told.len() < MOST_TOLD && told.insert(error.to_string()) {
                    tracing::error!(%error, "left out of lists");
                }
            }
        }
    }
    all
}

/// Trying again soon may help.
pub(super) fn is_passing(error: &Error) -> bool {
    error.contains_label(TRANSIENT_TRANSACTION_ERROR)
        || error.contains_label(RETRYABLE_WRITE_ERROR)
        || is_of_the_network(error)
        || code(error).is_some_and(is_passing_code)
}

pub(super) fn is_passing_code(code: i32) -> bool {
    PASSING.contains(&code)
}

pub(super) fn is_duplicate_code(code: i32) -> bool {
    code == DUPLICATE_KEY
}

/// The code of two writers who met.
pub(super) fn is_conflict(error: &Error) -> bool {
    code(error) == Some(WRITE_CONFLICT)
}

/// The server cannot be reached, or its answer was lost.
pub(super) fn is_of_the_network(error: &Error) -> bool {
    matches!(
        error.kind.as_ref(),
        ErrorKind::Io(_)
            | ErrorKind::ServerSelection { .. }
            | ErrorKind::ConnectionPoolCleared { .. }
            | ErrorKind::DnsResolve { .. }
    )
}

/// A stored thing that cannot be read, counted. `id` must not be personal.
pub(super) fn damaged(collection: &str, id: &str, field: &str, what: &str) -> StoreError {
    metrics::counter!("convive_store_damaged_total", "collection" => collection.to_owned()).increment(1);
    let which = if id.is_empty() { String::new() } else { format!(" {id}") };
    StoreError::Damaged(format!(
        "in the collection {collection}, document{which}: the field {field} {what}. Correct it with mongosh, delete the \
         document, or restore it from a backup"
    ))
}

/// An address or an id made of one, without what is personal: phone numbers go.
pub(super) fn without_numbers(id: &str) -> String {
    let mut shown = String::new();
    let mut rest = id.chars().peekable();
    while let Some(c) = rest.next() {
        shown.push(c);
        if c == '+' {
            while rest.next_if(char::is_ascii_digit).is_some() {}
            shown.push('…');
        }
    }
    shown
}
