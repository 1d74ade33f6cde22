//! Opening the file: who may use it, in which version its tables are, and how SQLite is set up.

use std::{
    fs::{self, OpenOptions},
    io::ErrorKind,
    os::unix::fs::{MetadataExt, OpenOptionsExt},
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use rusqlite::{Connection, ErrorCode, OpenFlags, config::DbConfig};

use crate::{Result, StoreError};

/// Each brings the tables from the version of its place to the next; never edited once released.
const MIGRATIONS: &[&str] = &[
    include_str!("migrations/0001_initial.sql"),
    include_str!("migrations/0002_progress.sql"),
    include_str!("migrations/0003_guest_list.sql"),
    include_str!("migrations/0004_initiated.sql"),
];
/// "Cnvv": tells our files from those of other programs.
const APPLICATION_ID: i32 = 0x436e_7676;
/// How often, a millisecond apart, a connection asks again for a file that another program is writing to: 5 s.
pub(super) const PATIENCE: i32 = 5_000;
/// Holds what a batch changes, and most of the indexes of a list of a hundred thousand guests. More would cost more than
/// it saves: SQLite looks through all of it at many commits.
const WRITER_CACHE_KIB: i32 = 12 * 1024;
const READER_CACHE_KIB: i32 = 1024;
/// Holds the index of a list of some ten thousand guests, which filters and searches look through.
const LIST_CACHE_KIB: i32 = 4 * 1024;
/// Guests' names, codes and phone numbers are nobody else's business.
const OWNER_ONLY: u32 = 0o600;
/// More links than the system itself would follow.
const MOST_LINKS: usize = 40;
/// More than there are different statements.
const CACHED_STATEMENTS: usize = 128;

/// Opens the file for writing, makes it when absent, and brings its tables to the present version.
///
/// `patience` is how often, a millisecond apart, the file is asked for again while another program writes to it.
pub(super) fn open_writer(path: &Path, patience: i32) -> Result<Connection> {
    if path.is_dir() {
        return Err(unusable(path, "it is a folder", "name a file in it, such as convive.db"));
    }
    if let Some(folder) = path.parent().filter(|folder| !folder.is_dir()) {
        return Err(unusable(path, &format!("there is no folder {}", folder.display()), "make it, or name another"));
    }
    make_for_owner(path);
    let mut connection = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE)?;
    set_up(&mut connection, WRITER_CACHE_KIB, patience).map_err(|error| explain(path, error))?;
    check_owner(path, &connection)?;
    migrate(path, &connection)?;
    use_log(path, &mut connection, patience)?;
    // The writer keeps the log short by itself.
    connection.pragma_update(None, "wal_autocheckpoint", 0)?;
    Ok(connection)
}

/// Makes the file where there is none, readable by its owner only; SQLite gives its other files the same mode.
///
/// An existing file is not even opened: closing it would end the locks of this program's other connections. What goes
/// wrong here SQLite meets again, and tells.
pub(super) fn make_for_owner(path: &Path) {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let made = OpenOptions::new().write(true).create_new(true).mode(OWNER_ONLY).open(&path);
        let is_there = made.is_err_and(|error| error.kind() == ErrorKind::AlreadyExists);
        // A link may lead to where no file is yet.
        let Some(next) = fs::read_link(&path).ok().filter(|_| is_there) else { return };
        path = path.parent().map_or(next.clone(), |folder| folder.join(&next));
    }
}

/// Opens the file, which [`open_writer`] has prepared, for reading.
pub(super) fn open_reader(path: &Path) -> Result<Connection> {
    reader(path, READER_CACHE_KIB)
}

/// The same for looks at whole lists.
pub(super) fn open_list_reader(path: &Path) -> Result<Connection> {
    reader(path, LIST_CACHE_KIB)
}

fn reader(path: &Path, cache_kib: i32) -> Result<Connection> {
    let mut connection = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    set_up(&mut connection, cache_kib, PATIENCE).map_err(|error| explain(path, error))?;
    connection.pragma_update(None, "query_only", true)?;
    Ok(connection)
}

fn connect(path: &Path, flags: OpenFlags) -> Result<Connection> {
    Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX).map_err(|error| explain(path, error))
}

/// Waits for other programs, asking `patience` times, a millisecond apart.
///
/// SQLite's own handler asks every 100 ms in the end: beside a program that writes all the time it would miss the
/// moments in between.
pub(super) fn wait_for_others(connection: &mut Connection, patience: i32) -> rusqlite::Result<()> {
    connection.busy_handler(Some(move |attempts| {
        std::thread::sleep(Duration::from_millis(1));
        attempts < patience
    }))
}

fn set_up(connection: &mut Connection, cache_kib: i32, patience: i32) -> rusqlite::Result<()> {
    wait_for_others(connection, patience)?;
    connection.set_prepared_statement_cache_capacity(CACHED_STATEMENTS);
    // Otherwise SQLite plans many statements anew whenever a value bound to them changes.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.pragma_update(None, "cache_size", -cache_kib)?;
    // Every acknowledged commit is on the disk.
    connection.pragma_update(None, "synchronous", "FULL")?;
    // What is deleted is overwritten: an erased person leaves nothing behind in freed pages.
    connection.pragma_update(None, "secure_delete", true)
}

/// Refuses databases of other programs, so that a slip in the settings does not mix tables.
///
/// The two are read in one transaction: another program may be making this store at the same moment.
fn check_owner(path: &Path, connection: &Connection) -> Result<()> {
    let read = || -> rusqlite::Result<(i32, bool)> {
        let moment = connection.unchecked_transaction()?;
        let owner = moment.pragma_query_value(None, "application_id", |row| row.get(0))?;
        let has_tables = moment.query_row("SELECT EXISTS (SELECT 1 FROM sqlite_master)", [], |row| row.get(0))?;
        moment.finish()?;
        Ok((owner, has_tables))
    };
    match read().map_err(|error| explain(path, error))? {
        (APPLICATION_ID, _) | (0, false) => Ok(()),
        _ => Err(unusable(path, "it is the database of another program", "name another file")),
    }
}

fn migrate(path: &Path, connection: &Connection) -> Result<()> {
    let known = MIGRATIONS.len();
    let version = |connection: &Connection| -> rusqlite::Result<usize> {
        connection.pragma_query_value(None, "user_version", |row| row.get::<_, u32>(0)).map(|version| version as usize)
    };
    let found = version(connection).map_err(|error| explain(path, error))?;
    if found > known {
        return Err(unusable(
            path,
            &format!("it was made by a newer Convive (its tables have version {found}, this program knows {known})"),
            "use that program or a newer one, or a backup from before",
        ));
    }
    if found == known {
        return Ok(());
    }
    let apply = || -> rusqlite::Result<()> {
        connection.execute_batch("BEGIN IMMEDIATE")?;
        // Another program may have done it while this one waited.
        for migration in MIGRATIONS.iter().skip(version(connection)?) {
            connection.execute_batch(migration)?;
        }
        connection.pragma_update(None, "application_id", APPLICATION_ID)?;
        connection.pragma_update(None, "user_version", known as i64)?;
        connection.execute_batch("COMMIT")
    };
    apply().map_err(|error| explain(path, error))
}

/// The file that was opened, to notice that another one, or none, is at its path.
pub(super) struct Place {
    path: PathBuf,
    /// Device and number; `None` where they could not be learnt, and nothing is noticed.
    file: Option<(u64, u64)>,
    is_gone: AtomicBool,
}

impl Place {
    /// The file of this connection.
    pub(super) fn of(connection: &Connection) -> Self {
        let path = PathBuf::from(connection.path().unwrap_or_default());
        let file = identity(&path).ok();
        Self { path, file, is_gone: AtomicBool::new(false) }
    }

    /// Whether the file is still the one at its path. Costs a look at the folder, microseconds.
    pub(super) fn check(&self) -> Result<()> {
        let is_gone = self.file.is_some_and(|file| identity(&self.path).ok() != Some(file));
        let was_gone = self.is_gone.swap(is_gone, Ordering::Relaxed);
        let path = self.path.display();
        if is_gone {
            if !was_gone {
                tracing::error!(%path, "the store's file was moved, replaced or deleted: nothing can be saved");
            }
            return Err(StoreError::Unavailable(format!(
                "its file is no longer at {path} (moved, replaced or deleted). Put it back, or restart the program to \
                 use what is there now"
            )));
        }
        if was_gone {
            tracing::info!(%path, "the store's file is back");
        }
        Ok(())
    }
}

fn identity(path: &Path) -> std::io::Result<(u64, u64)> {
    fs::metadata(path).map(|found| (found.dev(), found.ino()))
}

/// Readers and a writer beside each other, in any number of programs.
///
/// While another program opens or closes the file SQLite refuses the change of mode at once, whatever the
/// connection's patience: so it is asked for again here.
fn use_log(path: &Path, connection: &mut Connection, patience: i32) -> Result<()> {
    let switch = |connection: &Connection| -> rusqlite::Result<String> {
        connection.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0))
    };
    let is_busy = |mode: &rusqlite::Result<String>| {
        mode.as_ref().is_err_and(|error| error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy))
    };
    connection.busy_handler(None::<fn(i32) -> bool>).map_err(|error| explain(path, error))?;
    let mut mode = switch(connection);
    for _ in 0..patience {
        if !is_busy(&mode) {
            break;
        }
        std::thread::sleep(Duration::from_millis(1));
        mode = switch(connection);
    }
    wait_for_others(connection, patience).map_err(|error| explain(path, error))?;
    let mode = mode.map_err(|error| explain(path, error))?;
    if mode == "wal" {
        return Ok(());
    }
    Err(unusable(
        path,
        &format!("its file system does not carry a write-ahead log (the journal stays in mode {mode})"),
        "name a file on a local disk",
    ))
}

fn unusable(path: &Path, what: &str, remedy: &str) -> StoreError {
    StoreError::Unusable(format!("cannot use {} as the store: {what}. To go on, {remedy}", path.display()))
}

fn explain(path: &Path, error: rusqlite::Error) -> StoreError {
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => unusable(path, "it is not a store but some other file", "name another file"),
        Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => unusable(
            path,
            &format!("it cannot be opened for writing ({error})"),
            "give this user write access to the file and its folder, or name another",
        ),
        _ => error.into(),
    }
}
