//! Signing keys as files in a folder that only their owner may read.
//!
//! The first key is `first.pem`; later ones are named after the moment they were made, in milliseconds since 1970. A
//! later key is published at once and signs a little later, so that every process has read it before a token names it.

use std::{
    fs,
    io::{self, Write},
    os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt},
    path::{Path, PathBuf},
};

use chrono::{DateTime, TimeDelta, Utc};
use secrecy::{ExposeSecret, SecretString};

use super::{KeyError, Lifetimes, SigningKey};

const FIRST: &str = "first.pem";
/// From when it is made until it signs. Longer than any process waits between two looks at the folder, or at the
/// published keys.
pub const PUBLISHED_BEFORE: TimeDelta = TimeDelta::minutes(5);

/// Why the folder cannot be used, and what to do.
#[derive(Debug, thiserror::Error)]
pub enum KeyFileError {
    #[error(
        "{path}: {error}. The folder of the signing keys (auth.key_dir) must be one that this program may read and write"
    )]
    Io { path: String, error: io::Error },
    #[error("{path}: {error}. Move it away, or put back the key that was there")]
    Key { path: String, error: KeyError },
    #[error(
        "{path} can be read by others than its owner, who could then sign as anybody. Run: chmod 600 {path}; if others may have read it, delete it, and everybody logs in again"
    )]
    NotPrivate { path: String },
    #[error(transparent)]
    Make(#[from] KeyError),
}

/// What [`rotate`] did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rotated {
    /// The new key.
    pub kid: String,
    pub signs_from: DateTime<Utc>,
    /// Keys that went: every token signed with them had expired.
    pub removed: Vec<String>,
}

/// The keys of a folder, oldest first. Where there is none yet, the first one is made.
///
/// # Errors
/// When the folder or a key in it cannot be used.
pub fn open(folder: &Path) -> Result<Vec<SigningKey>, KeyFileError> {
    let keys = read(folder)?;
    if !keys.is_empty() {
        return Ok(keys);
    }
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(|error| io_error(folder, error))?;
    match write(folder, FIRST, &SigningKey::make()?) {
        // Another process was first: its key is everybody's.
        Err(KeyFileError::Io { error, .. }) if error.kind() == io::ErrorKind::AlreadyExists => {}
        done => done?,
    }
    read(folder)
}

/// The keys of a folder, oldest first; none where there is no folder.
///
/// # Errors
/// When the folder or a key in it cannot be used.
pub fn read(folder: &Path) -> Result<Vec<SigningKey>, KeyFileError> {
    Ok(files(folder)?.into_iter().map(|(_, key)| key).collect())
}

/// Makes a new key, and removes those that no token can still be signed with.
///
/// # Errors
/// When the folder or a key in it cannot be used.
pub fn rotate(folder: &Path, lifetimes: Lifetimes, now: DateTime<Utc>) -> Result<Rotated, KeyFileError> {
    open(folder)?;
    let pem = SigningKey::make()?;
    write(folder, &format!("{:015}.pem", now.timestamp_millis()), &pem)?;
    let signs_from = now + PUBLISHED_BEFORE;
    let files = files(folder)?;
    let mut removed = Vec::new();
    for pair in files.windows(2) {
        let [(path, key), (_, successor)] = pair else { continue };
        if successor.signs_from + lifetimes.longest() < now {
            fs::remove_file(path).map_err(|error| io_error(path, error))?;
            removed.push(key.kid().to_owned());
        }
    }
    Ok(Rotated { kid: SigningKey::read(&pem, signs_from)?.kid().to_owned(), signs_from, removed })
}

fn files(folder: &Path) -> Result<Vec<(PathBuf, SigningKey)>, KeyFileError> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(io_error(folder, error)),
    };
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| io_error(folder, error))?.path();
        if let Some(signs_from) = signs_from(&path) {
            files.push((read_file(&path, signs_from)?, path));
        }
    }
    files.sort_by(|(key, path), (other, other_path)| (key.signs_from, path).cmp(&(other.signs_from, other_path)));
    Ok(files.into_iter().map(|(key, path)| (path, key)).collect())
}

/// `None` for files that are no keys of ours.
fn signs_from(path: &Path) -> Option<DateTime<Utc>> {
    let name = path.file_name()?.to_str()?;
    if name == FIRST {
        return Some(DateTime::UNIX_EPOCH);
    }
    let made = name.strip_suffix(".pem")?.parse().ok()?;
    Some(DateTime::from_timestamp_millis(made)? + PUBLISHED_BEFORE)
}

fn read_file(path: &Path, signs_from: DateTime<Utc>) -> Result<SigningKey, KeyFileError> {
    let metadata = fs::metadata(path).map_err(|error| io_error(path, error))?;
    if metadata.mode() & 0o077 != 0 {
        return Err(KeyFileError::NotPrivate { path: path.display().to_string() });
    }
    let pem = SecretString::from(fs::read_to_string(path).map_err(|error| io_error(path, error))?);
    SigningKey::read(&pem, signs_from).map_err(|error| KeyFileError::Key { path: path.display().to_string(), error })
}

/// Whole or not at all, and never over a key that is there.
fn write(folder: &Path, name: &str, pem: &SecretString) -> Result<(), KeyFileError> {
    let mut unique = [0; 8];
    getrandom::fill(&mut unique).map_err(|error| KeyError::NotMade(error.to_string()))?;
    let beside = folder.join(format!(".{}.new", hex::encode(unique)));
    let path = folder.join(name);
    let written = (|| {
        let mut file = fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&beside)?;
        file.write_all(pem.expose_secret().as_bytes())?;
        file.sync_all()?;
        fs::hard_link(&beside, &path)
    })();
    // What went wrong before is what matters.
    let _ = fs::remove_file(&beside);
    written.map_err(|error| io_error(&path, error))
}

fn io_error(path: &Path, error: io::Error) -> KeyFileError {
    KeyFileError::Io { path: path.display().to_string(), error }
}
