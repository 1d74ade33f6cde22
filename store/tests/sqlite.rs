//! The suite that every store passes, on SQLite.
#![expect(clippy::unwrap_used, reason = "test code, its helpers included")]

use store::sqlite::SqliteStore;
use tempfile::TempDir;

async fn open() -> (SqliteStore, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    (SqliteStore::open(&folder.path().join("convive.db")).unwrap(), folder)
}

store::conformance_tests!(open);
