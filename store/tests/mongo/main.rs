//! The suite that every store passes, on MongoDB; and what the server says of the queries that it makes.
#![expect(clippy::unwrap_used, reason = "test code, its helpers included")]

mod explained;

use store::mongo::MongoStore;

use explained::Explained;

async fn open() -> (MongoStore, Explained) {
    let kept = Explained::new(mongo_server::database());
    let store = MongoStore::connect_watched(&kept.database.url, Some(kept.watcher())).await.unwrap();
    (store, kept)
}

store::conformance_tests!(open);
