//! What somebody hears whose database cannot be used.
#![expect(clippy::unwrap_used, reason = "test code, its helpers included")]

use mongo_server::{
    TestDatabase,
    puppet::{Puppet, greeting},
};
use mongodb::{
    IndexModel,
    bson::{Bson, Document, doc},
    options::IndexOptions,
};
use store::{
    StoreError,
    mongo::{MongoStore, Published},
};

async fn refusal(url: &str) -> String {
    match MongoStore::connect(url).await {
        Err(StoreError::Unusable(why)) => why,
        other => format!("not refused: {:?}", other.map(|_| ())),
    }
}

async fn database_with(collection: &str, document: Document) -> TestDatabase {
    let database = mongo_server::database();
    database.look().await.collection::<Document>(collection).insert_one(document).await.unwrap();
    database
}

async fn database_with_index(keys: Document, options: IndexOptions) -> TestDatabase {
    let database = mongo_server::database();
    let guests = database.look().await.collection::<Document>("guests");
    guests.create_index(IndexModel::builder().keys(keys).options(options).build()).await.unwrap();
    database
}

fn named(name: &str) -> IndexOptions {
    IndexOptions::builder().name(name.to_owned()).build()
}

#[tokio::test]
async fn a_wrong_password_is_told_without_showing_it() {
    let server = Puppet::start(|command| {
        let refused = doc! { "ok": 0.0, "code": 18, "codeName": "AuthenticationFailed", "errmsg": "no" };
        (command == "saslStart").then_some(refused)
    })
    .await;
    let why = refusal(&format!("mongodb://anna:hunter2@{}/convive?directConnection=true", server.host())).await;
    assert!(why.contains("refused the user name or password") && why.contains("store.url"), "{why}");
    assert!(!why.contains("hunter2") && !why.contains("anna"), "{why}");
}

#[tokio::test]
async fn a_server_that_stands_alone_is_refused_with_the_two_commands() {
    let server = Puppet::start(|_| Some(greeting())).await;
    let why = refusal(&format!("mongodb://{}/convive", server.host())).await;
    assert!(why.contains("`mongod --replSet rs0") && why.contains("`mongosh --eval 'rs.initiate()'`"), "{why}");
}

#[tokio::test]
async fn a_server_that_nobody_reaches_is_told_after_a_bounded_time() {
    let url = "mongodb://127.0.0.1:9/convive?serverSelectionTimeoutMS=20";
    let Err(StoreError::Unavailable(why)) = MongoStore::connect(url).await else { panic!("nobody listens there") };
    assert!(why.contains("127.0.0.1:9") && why.contains("See whether the server runs"), "{why}");
}

#[tokio::test]
async fn another_replica_set_is_told() {
    let server = Puppet::start(|_| None).await;
    let url = format!("mongodb://{}/convive?replicaSet=other&serverSelectionTimeoutMS=20", server.host());
    let why = refusal(&url).await;
    assert!(why.contains("names the replica set other"), "{why}");
    assert!(why.contains("belongs to rs0. Write replicaSet=rs0 in store.url"), "{why}");
    assert!(!why.contains("Topology"), "{why}");
}

#[tokio::test]
async fn a_user_who_may_not_write_is_told_which_role_is_missing() {
    let server = Puppet::start(|command| match command {
        "hello" | "isMaster" | "ismaster" => None,
        _ => Some(doc! { "ok": 0.0, "code": 13, "codeName": "Unauthorized", "errmsg": "not authorized" }),
    })
    .await;
    let why = refusal(&format!("mongodb://{}/convive?directConnection=true", server.host())).await;
    assert!(why.contains("readWrite"), "{why}");
}

#[tokio::test]
async fn a_database_of_a_newer_program_is_left_alone() {
    let database = database_with("meta", doc! { "_id": "schema", "version": 99 }).await;
    let why = refusal(&database.url).await;
    assert!(why.contains(&database.name) && why.contains("newer Convive (its version is 99"), "{why}");
}

#[tokio::test]
async fn a_damaged_version_is_told() {
    let database = database_with("meta", doc! { "_id": "schema", "version": "one" }).await;
    let Err(StoreError::Damaged(why)) = MongoStore::connect(&database.url).await else { panic!("it is damaged") };
    assert!(why.contains("collection meta, document schema: the field version"), "{why}");
}

#[tokio::test]
async fn an_index_of_ours_with_other_options_is_named_with_the_remedy() {
    for (keys, options) in [
        (doc! { "token": 1 }, named("token")),
        (doc! { "token": 1 }, named("theirs")),
        (doc! { "token": -1 }, IndexOptions::builder().name("token".to_owned()).unique(true).build()),
    ] {
        let name = options.name.clone().unwrap();
        let database = database_with_index(keys, options).await;
        let why = refusal(&database.url).await;
        assert!(why.contains(&format!("`db.guests.dropIndex(\"{name}\")`")) && why.contains("unique"), "{why}");
        database.look().await.collection::<Document>("guests").drop_index(name).await.unwrap();
        MongoStore::connect(&database.url).await.unwrap();
    }
}

#[tokio::test]
async fn indexes_of_other_programs_stay() {
    let database = database_with_index(doc! { "shoeSize": 1 }, named("shoeSize")).await;
    MongoStore::connect(&database.url).await.unwrap();
    MongoStore::connect(&database.url).await.unwrap();
    let names = database.look().await.collection::<Document>("guests").list_index_names().await.unwrap();
    assert!(names.contains(&"shoeSize".to_owned()) && names.contains(&"token".to_owned()), "{names:?}");
}

#[tokio::test]
async fn codes_that_are_there_twice_are_told_without_showing_them() {
    let database = database_with("guests", doc! { "token": "SECRET22" }).await;
    database.look().await.collection("guests").insert_one(doc! { "token": "SECRET22" }).await.unwrap();
    let why = refusal(&database.url).await;
    assert!(why.contains("collection guests") && why.contains("token") && !why.contains("SECRET22"), "{why}");
}

#[tokio::test]
async fn the_published_applications_database_is_left_alone() {
    let database = database_with("guests", doc! { "_id": "6f9619ff-8b86", "lastName": "Holloway" }).await;
    let why = refusal(&database.url).await;
    assert!(why.contains("the published web application's") && why.contains("store adopt"), "{why}");
    let indexes = database.look().await.collection::<Document>("guests").list_index_names().await.unwrap();
    assert_eq!(indexes, ["_id_"], "nothing was made there");
}

#[tokio::test]
async fn our_own_database_is_not_to_be_adopted_from() {
    let database = mongo_server::database();
    MongoStore::connect(&database.url).await.unwrap();
    let Err(StoreError::Unusable(why)) = Published::read(&database.url).await else { panic!("it is our own") };
    assert!(why.contains("a database of Convive itself"), "{why}");
}

#[tokio::test]
async fn a_published_deadline_that_is_no_day_is_refused() {
    for deadline in [Bson::from("soon"), Bson::from("2026-12-20T18:00:00.000Z"), mongodb::bson::DateTime::now().into()]
    {
        let database = database_with("settings", doc! { "_id": "app-settings", "rsvpDeadline": deadline }).await;
        let Err(StoreError::Damaged(why)) = Published::read(&database.url).await else { panic!("it is no day") };
        assert!(why.contains("settings") && why.contains("rsvpDeadline") && why.contains("orrect it there"), "{why}");
    }
}
