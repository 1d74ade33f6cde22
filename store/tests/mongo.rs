//! The MongoDB store, held to what every store must do.

use mongo_server::TestDatabase;
use store::mongo::MongoStore;

async fn open() -> (MongoStore, TestDatabase) {
    let database = mongo_server::database();
    (MongoStore::connect(&database.url).await.unwrap(), database)
}

store::conformance_tests!(open);
