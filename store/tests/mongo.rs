//! The suite that every store passes, on MongoDB.
#![expect(clippy::unwrap_used, reason = "test code, its helpers included")]

use mongo_server::TestDatabase;
use store::mongo::MongoStore;

async fn open() -> (MongoStore, TestDatabase) {
    let database = mongo_server::database();
    (MongoStore::connect(&database.url).await.unwrap(), database)
}

store::conformance_tests!(open);
