//! Documents that another program has damaged: each stops the one operation that touches it, and is named without
//! anything personal.
#![expect(clippy::unwrap_used, reason = "test code, its helpers included")]

use chrono::{DateTime, Utc};
use domain::{
    address::{Address, Channel},
    conversation::Conversation,
    model::{EventId, Guest, GuestId},
};
use mongo_server::TestDatabase;
use mongodb::bson::{Bson, Document, doc, oid::ObjectId};
use store::{
    Claim, Commit, Committed, Content, EventChange, GuestChange, GuestQuery, LoadRequest, NewEntry, Page, Rendered,
    Store, StoreError, TypedCode, mongo::MongoStore,
};

fn at(seconds: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(1_795_867_200 + seconds, 0).unwrap()
}

fn id(number: u8) -> GuestId {
    GuestId::new(at(0), [number; 8])
}

fn phone(number: u8) -> Address {
    Address::sms("+447700900999", &format!("+44770090012{number}"))
}

/// Two guests with a conversation and a message each.
async fn party() -> (MongoStore, TestDatabase) {
    let database = mongo_server::database();
    let store = MongoStore::connect(&database.url).await.unwrap();
    let guest = |number: u8| {
        Guest::new(id(number), EventId::from("supper"), "Holloway".to_owned(), format!("Code-{number}"), at(0))
    };
    let reply = |number: u8| NewEntry {
        id: format!("sms:{number}/0"),
        address: phone(number),
        content: Content::Reply {
            version: 1,
            place: 0,
            text: Rendered { text: "Hello".to_owned(), ..Rendered::default() },
        },
        question: None,
        only_asks: false,
    };
    let talk = |number: u8| Conversation {
        logins: vec![id(number)],
        active: Some(id(number)),
        ..Conversation::new(phone(number))
    };
    let commit = Commit {
        at: at(0),
        guests: [1, 2].map(|number| GuestChange::Insert(guest(number))).to_vec(),
        conversations: [1, 2].map(talk).to_vec(),
        outbox: [1, 2].map(reply).to_vec(),
        ..Commit::default()
    };
    assert_eq!(store.commit(commit).await, Ok(Committed::Done));
    (store, database)
}

async fn damage(database: &TestDatabase, collection: &str, id: impl Into<Bson>, update: Document) {
    let collection = database.look().await.collection::<Document>(collection);
    let done = collection.update_one(doc! { "_id": id.into() }, update).await.unwrap();
    assert_eq!(done.modified_count, 1);
}

#[track_caller]
fn damaged<T: std::fmt::Debug>(result: Result<T, StoreError>) -> String {
    match result {
        Err(StoreError::Damaged(why)) => why,
        other => panic!("not damaged: {other:?}"),
    }
}

fn look(number: u8) -> LoadRequest {
    LoadRequest { address: phone(number), codes: Vec::new(), failures_since: at(0) }
}

#[tokio::test]
async fn a_guest_without_a_field_stops_only_what_touches_them() {
    for (change, expected) in [
        (doc! { "$unset": { "lastName": "" } }, "the field lastName is missing"),
        (doc! { "$set": { "numGuests": "three" } }, "the field numGuests is not of its kind"),
        (doc! { "$set": { "status": "perhaps" } }, "the field status is not of its kind"),
        (doc! { "$set": { "createdAt": "2026-01-01" } }, "the field createdAt is not of its kind"),
    ] {
        let (store, database) = party().await;
        damage(&database, "guests", ObjectId::from_bytes(id(1).0), change).await;
        for why in [damaged(store.guest(id(1)).await), damaged(store.load(&look(1)).await)] {
            assert!(why.contains(&format!("in the collection guests, document {}: {expected}", id(1))), "{why}");
            assert!(why.contains("mongosh") && !why.contains("Holloway") && !why.contains("Code-1"), "{why}");
        }
        assert_eq!(store.guest(id(2)).await.unwrap().unwrap().last_name, "Holloway");
        assert_eq!(store.load(&look(2)).await.unwrap().logins.len(), 1);
        // Lists are full of those who can be read.
        let event = EventId::from("supper");
        let listed = store.guests(&event, Page { after: None, limit: 1 }).await.unwrap();
        assert_eq!(listed.into_iter().map(|guest| guest.id).collect::<Vec<_>>(), [id(2)]);
        let found = store.find_guests(&GuestQuery::all_of(event, 10)).await.unwrap();
        assert_eq!(found.guests.into_iter().map(|guest| guest.id).collect::<Vec<_>>(), [id(2)]);
    }
}

#[tokio::test]
async fn a_guest_with_another_kind_of_id_is_named_by_it() {
    let (store, database) = party().await;
    let guests = database.look().await.collection::<Document>("guests");
    let mut other = guests.find_one(doc! { "token": "Code-1" }).await.unwrap().unwrap();
    other.extend(doc! { "_id": "6f9619ff-8b86", "token": "Code-3", "tokenKey": "CODE3" });
    guests.insert_one(other).await.unwrap();
    let by_code = store.guest_by_code(&TypedCode { exact: "Code-3".to_owned(), key: "CODE3".to_owned() }).await;
    assert!(damaged(by_code).contains("document \"6f9619ff-8b86\""));
}

#[tokio::test]
async fn a_damaged_event_stops_no_other() {
    let (store, database) = party().await;
    let insert = |id: &str| {
        let event = serde_json::from_value(serde_json::json!({
            "_id": id, "name": "Supper", "startsAt": at(9000), "timeZone": "Europe/London", "defaultLocale": "en",
            "version": 0,
        }));
        Commit { at: at(0), event: Some(EventChange::Insert(event.unwrap())), ..Commit::default() }
    };
    for id in ["brunch", "supper"] {
        assert_eq!(store.commit(insert(id)).await, Ok(Committed::Done));
    }
    damage(&database, "events", "brunch", doc! { "$unset": { "timeZone": "" } }).await;
    let events = store.events().await.unwrap();
    assert_eq!(events.iter().map(|event| event.id.as_str()).collect::<Vec<_>>(), ["supper"]);
    assert!(damaged(store.event(&EventId::from("brunch")).await).contains("in the collection events, document brunch"));
}

#[tokio::test]
async fn a_damaged_conversation_stops_only_its_address_and_no_number_is_told() {
    let (store, database) = party().await;
    damage(&database, "conversations", phone(1).to_string(), doc! { "$set": { "dialogue": 7 } }).await;
    let why = damaged(store.load(&look(1)).await);
    assert!(why.contains("in the collection conversations, document sms:+…:+…: the field dialogue"), "{why}");
    assert!(store.load(&look(2)).await.unwrap().group.is_some());
}

#[tokio::test]
async fn a_damaged_message_is_given_up_and_the_others_go() {
    let (store, database) = party().await;
    damage(&database, "outbox", "sms:1/0", doc! { "$unset": { "text": "" } }).await;
    let claim = Claim {
        now: at(1),
        by: "courier".to_owned(),
        lease_until: at(31),
        channels: vec![Channel::Sms],
        replies: 10,
        initiated: 10,
    };
    let claimed = store.claim(claim).await.unwrap();
    assert_eq!(claimed.iter().map(|claimed| claimed.id.as_str()).collect::<Vec<_>>(), ["sms:2/0"]);
    assert_eq!(store.outbox_counts().await.unwrap().failed, 1);
}

#[tokio::test]
async fn what_another_program_changes_is_found_by_its_new_name_and_code() {
    let (store, database) = party().await;
    let change = doc! { "$set": { "lastName": "Tanner", "token": "NEW-9" } };
    damage(&database, "guests", ObjectId::from_bytes(id(1).0), change).await;
    let code = TypedCode { exact: "new9".to_owned(), key: "NEW9".to_owned() };
    let found = async |search: &str| {
        let query = GuestQuery { search: search.to_owned(), ..GuestQuery::all_of(EventId::from("supper"), 10) };
        store.find_guests(&query).await.unwrap().total
    };
    // The programs keep house every hour.
    store.expire(at(0)).await.unwrap();
    assert_eq!((found("tanner").await, found("holloway").await), (1, 1));
    assert_eq!(store.guest_by_code(&code).await.unwrap().map(|guest| guest.id), Some(id(1)));
}
