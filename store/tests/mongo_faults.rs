//! What becomes of a decision when the connection or the server fails in the middle of it: it has happened once or not
//! at all, and whoever decided it was told the truth.
#![expect(clippy::unwrap_used, reason = "test code, its helpers included")]

use std::{
    collections::{HashMap, HashSet},
    time::Duration,
};

use chrono::{DateTime, Utc};
use domain::{
    address::{Address, Channel},
    conversation::Conversation,
    model::{Event, EventId, Guest, GuestId, Status},
};
use mongo_server::{
    TestDatabase,
    proxy::{Fault, Proxy},
};
use mongodb::bson::{Document, doc};
use serde_json::json;
use store::{
    Claim, Commit, Committed, Content, EventChange, GroupRests, GuestChange, NewEntry, Rendered, Store, StoreError,
    mongo::MongoStore,
};

const EVENT: &str = "harbour-supper";

fn at(seconds: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(1_795_867_200 + seconds, 0).unwrap()
}

fn chat() -> Address {
    Address::telegram(7_100_000_001)
}

fn event() -> Event {
    serde_json::from_value(json!({
        "_id": EVENT, "name": "Harbour Supper", "startsAt": at(1_000_000), "timeZone": "Europe/London",
        "defaultLocale": "en", "version": 0,
    }))
    .unwrap()
}

fn anna() -> Guest {
    Guest::new(GuestId::new(at(0), [1; 8]), EventId::from(EVENT), "Holloway".to_owned(), "K7QF2M".to_owned(), at(0))
}

/// Anna says that she comes: key, conversation, group, guest and a reply.
fn answer() -> Commit {
    let guest = Guest { status: Status::Coming, num_guests: 1, self_coming: true, version: 1, ..anna() };
    Commit {
        at: at(5),
        key: Some("telegram:1".to_owned()),
        conversations: vec![Conversation { logins: vec![guest.id], ..Conversation::new(chat()) }],
        groups: vec![GroupRests { key: guest.group_key(), version: 0, raise: true }],
        guests: vec![GuestChange::Update(guest)],
        outbox: vec![NewEntry {
            id: "telegram:1/0".to_owned(),
            address: chat(),
            content: Content::Reply {
                version: 1,
                place: 0,
                text: Rendered { text: "Saved.".to_owned(), ..Rendered::default() },
            },
            question: None,
            only_asks: false,
        }],
        ..Commit::default()
    }
}

async fn invite(store: &MongoStore) {
    let commit = Commit {
        at: at(0),
        event: Some(EventChange::Insert(event())),
        guests: vec![GuestChange::Insert(anna())],
        ..Commit::default()
    };
    assert_eq!(store.commit(commit).await, Ok(Committed::Done));
}

/// The store by way of a wire that can break, and past it.
struct Place {
    proxy: Proxy,
    store: MongoStore,
    direct: MongoStore,
    database: TestDatabase,
}

impl Place {
    async fn new() -> Self {
        let database = mongo_server::database();
        let server = mongo_server::server();
        let direct = MongoStore::connect(&database.url).await.unwrap();
        invite(&direct).await;
        let proxy = Proxy::to(server.host()).await;
        let store = MongoStore::connect(&server.url_by(&proxy.host(), &database.name)).await.unwrap();
        // A connection is ready: what counts is the decision alone.
        store.events().await.unwrap();
        Self { proxy, store, direct, database }
    }

    /// How often the answer has had its effect.
    async fn effects(&self) -> u64 {
        let guest = self.direct.guest(anna().id).await.unwrap().unwrap();
        let group = self.direct.groups(&[guest.group_key()]).await.unwrap().remove(0);
        let conversation = self.direct.conversation(&chat()).await.unwrap().map_or(0, |found| found.version);
        let entries = self.direct.entries_to(&chat()).await.unwrap().len() as u64;
        let effects = [guest.version - 1, group.version, conversation, entries];
        assert!(effects.iter().all(|effect| *effect == effects[0]), "half of it: {effects:?}");
        assert_eq!(guest.status == Status::Coming, effects[0] > 0);
        effects[0]
    }
}

async fn messages_of_a_decision() -> usize {
    let place = Place::new().await;
    let before = place.proxy.seen();
    assert_eq!(place.store.commit(answer()).await, Ok(Committed::Done));
    place.proxy.seen() - before
}

async fn a_fault_at(message: usize, fault: Fault) {
    let place = Place::new().await;
    place.proxy.break_after(message, fault);
    let told = place.store.commit(answer()).await;
    assert!(place.proxy.has_broken(), "{fault:?} at {message}: the fault never came");
    let effects = place.effects().await;
    match told {
        Ok(Committed::Done) => assert_eq!(effects, 1, "{fault:?} at {message}: told done"),
        Err(StoreError::Unavailable(_)) => assert!(effects <= 1, "{fault:?} at {message}"),
        other => panic!("{fault:?} at {message}: told {other:?}"),
    }
    // The provider sends it again.
    let again = place.store.commit(answer()).await;
    let expected = if effects == 1 { Committed::Duplicate } else { Committed::Done };
    assert_eq!(again, Ok(expected), "{fault:?} at {message}");
    assert_eq!(place.effects().await, 1, "{fault:?} at {message}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_breaks_anywhere_in_a_decision() {
    let messages = messages_of_a_decision().await;
    assert!(messages >= 5, "a decision takes {messages} messages");
    let mut cases = tokio::task::JoinSet::new();
    for fault in Fault::ALL {
        for message in 0..messages {
            cases.spawn(a_fault_at(message, fault));
        }
    }
    while let Some(case) = cases.join_next().await {
        case.unwrap();
    }
}

/// Lets commands of one client fail.
async fn fail(database: &TestDatabase, client: &str, times: i32, mut data: Document) {
    data.insert("appName", client);
    let command = doc! { "configureFailPoint": "failCommand", "mode": { "times": times }, "data": data };
    database.look().await.client().database("admin").run_command(command).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_fails_anywhere_in_a_decision() {
    for (name, times, data) in [
        (
            "stepped-down-at-a-write",
            1,
            doc! { "failCommands": ["update"], "errorCode": 10107, "errorLabels": ["TransientTransactionError"] },
        ),
        (
            "stepped-down-at-the-commit",
            2,
            doc! { "failCommands": ["commitTransaction"], "errorCode": 10107, "errorLabels": ["RetryableWriteError"] },
        ),
        (
            "lost-transaction",
            1,
            doc! { "failCommands": ["commitTransaction"], "errorCode": 251, "errorLabels": ["TransientTransactionError"] },
        ),
        (
            "conflict",
            3,
            doc! { "failCommands": ["update"], "errorCode": 112, "errorLabels": ["TransientTransactionError"] },
        ),
        ("closed-at-the-commit", 1, doc! { "failCommands": ["commitTransaction"], "closeConnection": true }),
    ] {
        let place = Place::new().await;
        let url = format!(
            "{}&appName={name}&heartbeatFrequencyMS=500",
            mongo_server::server().url_by(mongo_server::server().host(), &place.database.name)
        );
        let store = MongoStore::connect(&url).await.unwrap();
        fail(&place.database, name, times, data).await;
        assert_eq!(store.commit(answer()).await, Ok(Committed::Done), "{name}");
        assert_eq!(place.effects().await, 1, "{name}");
        assert_eq!(store.commit(answer()).await, Ok(Committed::Duplicate), "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_goes_away_and_comes_back_needs_no_restart() {
    let place = Place::new().await;
    let url = format!(
        "{}&serverSelectionTimeoutMS=500&appName=short",
        mongo_server::server().url_by(&place.proxy.host(), &place.database.name)
    );
    let store = MongoStore::connect(&url).await.unwrap();
    place.proxy.cut(true);
    let told = store.load(&store::LoadRequest { address: chat(), codes: Vec::new(), failures_since: at(0) }).await;
    assert!(matches!(told, Err(StoreError::Unavailable(_))), "{told:?}");
    assert!(store.ready().await.is_err());
    assert_eq!(place.effects().await, 0);
    place.proxy.cut(false);
    // The driver looks for the server by itself.
    let mut tries = 0;
    while store.ready().await.is_err() {
        tries += 1;
        assert!(tries < 200, "it does not come back");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(store.commit(answer()).await, Ok(Committed::Done));
    assert_eq!(place.effects().await, 1);
}

/// A process that is killed within a transaction keeps its documents from others until the server notices: whoever waits
/// for a message from there waits, nobody else.
#[tokio::test(flavor = "multi_thread")]
async fn a_transaction_that_is_left_open_holds_up_nobody_else() {
    let database = mongo_server::database();
    let store = MongoStore::connect(&database.url).await.unwrap();
    let chats: Vec<Address> = (1..=7).map(Address::telegram).collect();
    for (round, held) in [(0, None), (1, Some("telegram:3"))] {
        let entries = chats.iter().map(|chat| NewEntry {
            id: format!("{chat}/{round}"),
            address: chat.clone(),
            content: Content::Reply { version: round, place: 0, text: Rendered::default() },
            question: None,
            only_asks: false,
        });
        let commit = Commit { at: at(0), outbox: entries.collect(), ..Commit::default() };
        assert_eq!(store.commit(commit).await, Ok(Committed::Done));
        let looking = database.look().await;
        let mut killed = looking.client().start_session().await.unwrap();
        if let Some(held) = held {
            killed.start_transaction().await.unwrap();
            let leases = looking.collection::<Document>("leases");
            let note = leases.update_one(doc! { "_id": held }, doc! { "$inc": { "noted": 1 } }).upsert(true);
            note.session(&mut killed).await.unwrap();
        }
        let claim = || Claim {
            now: at(i64::try_from(round).unwrap()),
            by: "a courier".to_owned(),
            lease_until: at(1000),
            channels: vec![Channel::Telegram],
            replies: 64,
            initiated: 0,
        };
        let ids = |claimed: Vec<store::Claimed>| {
            let mut ids: Vec<String> = claimed.into_iter().map(|claimed| claimed.address.to_string()).collect();
            ids.sort();
            ids
        };
        let others: Vec<String> =
            chats.iter().map(Address::to_string).filter(|chat| Some(chat.as_str()) != held).collect();
        assert_eq!(ids(store.claim(claim()).await.unwrap()), others);
        if held.is_some() {
            killed.abort_transaction().await.unwrap();
            assert_eq!(ids(store.claim(claim()).await.unwrap()), ["telegram:3"], "once it is over");
        }
        let settlements = chats.iter().map(|chat| store::Settlement {
            id: format!("{chat}/{round}"),
            by: "a courier".to_owned(),
            at: at(2),
            outcome: store::Outcome::Sent { provider_id: None },
        });
        let mut settlements: Vec<_> = settlements.collect();
        if held.is_some() {
            // What is held is told, and recorded once it is free.
            killed.start_transaction().await.unwrap();
            let leases = looking.collection::<Document>("leases");
            let touched = leases.update_one(doc! { "_id": "telegram:5" }, doc! { "$inc": { "noted": 1 } });
            assert_eq!(touched.session(&mut killed).await.unwrap().matched_count, 1);
            settlements = store.settle(settlements).await.unwrap();
            assert_eq!(settlements.iter().map(|left| left.id.as_str()).collect::<Vec<_>>(), ["telegram:5/1"]);
            killed.abort_transaction().await.unwrap();
        }
        assert_eq!(store.settle(settlements).await.unwrap(), []);
        assert_eq!(store.outbox_counts().await.unwrap().sent, 7 * (round + 1));
    }
}

/// Two programs deliver the same outbox; one is killed now and then, at moments drawn from a fixed seed.
#[tokio::test(flavor = "multi_thread")]
async fn two_couriers_of_which_one_is_killed_lose_nothing_and_double_nothing() {
    const MESSAGES: u64 = 60;
    let database = mongo_server::database();
    let store = MongoStore::connect(&database.url).await.unwrap();
    let other = MongoStore::connect(&database.url).await.unwrap();
    let mut random = 0x2545_f491_4f6c_dd1d_u64;
    let mut draw = move || {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        random >> 33
    };
    for number in 0..MESSAGES {
        let address = Address::telegram(i64::try_from(number % 10).unwrap() + 1);
        let text = Rendered { text: "Hello".to_owned(), ..Rendered::default() };
        let content = Content::Reply { version: number, place: 0, text };
        let entry = NewEntry { id: format!("m{number}"), address, content, question: None, only_asks: false };
        let commit = Commit { at: at(0), key: Some(format!("k{number}")), outbox: vec![entry], ..Commit::default() };
        assert_eq!(store.commit(commit).await, Ok(Committed::Done));
    }
    let mut sent: HashMap<String, u32> = HashMap::new();
    let mut now = 0;
    loop {
        now += 1;
        // Both ask at the same moment; each is a client of its own.
        let claim = |by: &str| Claim {
            now: at(now),
            by: by.to_owned(),
            lease_until: at(now + 30),
            channels: vec![Channel::Telegram],
            replies: 4,
            initiated: 0,
        };
        let (one, two) = tokio::join!(store.claim(claim("one")), other.claim(claim("two")));
        let (one, two) = (one.unwrap(), two.unwrap());
        let ids: HashSet<&str> = one.iter().chain(&two).map(|claimed| claimed.id.as_str()).collect();
        assert_eq!(ids.len(), one.len() + two.len(), "both claimed the same");
        let killed = draw().is_multiple_of(4);
        if one.is_empty() && two.is_empty() {
            let counts = store.outbox_counts().await.unwrap();
            if counts.pending + counts.leased == 0 {
                break;
            }
            // Leases of the dead end.
            now += 30;
        }
        for (by, claimed) in [("one", one), ("two", two)] {
            let mut settlements = Vec::new();
            for entry in claimed {
                if by == "two" && killed {
                    // It died before it sent anything.
                    continue;
                }
                *sent.entry(entry.id.clone()).or_default() += 1;
                let outcome = store::Outcome::Sent { provider_id: None };
                settlements.push(store::Settlement { id: entry.id, by: by.to_owned(), at: at(now), outcome });
            }
            while !settlements.is_empty() {
                settlements = store.settle(settlements).await.unwrap();
            }
        }
        assert!(now < 20_000, "it never ends");
    }
    assert_eq!(sent.len() as u64, MESSAGES, "something was lost");
    assert!(sent.values().all(|times| *times == 1), "something was sent twice");
    assert_eq!(store.outbox_counts().await.unwrap().sent, MESSAGES);
}
