//! What SQLite's errors mean to those who use the store.

use rusqlite::ErrorCode;

use crate::StoreError;

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        let Some(code) = error.sqlite_error_code() else {
            metrics::counter!("convive_store_damaged_total").increment(1);
            return Self::Damaged(format!(
                "a stored value is not of its kind ({error}). Restore the store from a backup, or correct it with the sqlite3 program"
            ));
        };
        match code {
            ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => Self::Busy,
            ErrorCode::DatabaseCorrupt => Self::Damaged(format!(
                "the store's file ({error}). Check it with `sqlite3 FILE 'pragma integrity_check'` and restore a backup"
            )),
            ErrorCode::NotADatabase => Self::Unusable(format!("the store's file is not an SQLite database ({error})")),
            ErrorCode::ReadOnly | ErrorCode::PermissionDenied | ErrorCode::CannotOpen => Self::Unusable(format!(
                "the store's file cannot be written ({error}). Give this user write access to it and to its folder"
            )),
            ErrorCode::DiskFull => Self::Unavailable("the disk is full. Make room and try again".to_owned()),
            _ => Self::Unavailable(error.to_string()),
        }
    }
}

/// A stored thing that cannot be read, counted. `what` names it without anything personal.
pub(super) fn damaged(what: &str) -> StoreError {
    metrics::counter!("convive_store_damaged_total").increment(1);
    StoreError::Damaged(format!(
        "{what} cannot be read. Correct it with the sqlite3 program, delete it, or restore the store from a backup"
    ))
}
