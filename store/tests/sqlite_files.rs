//! What concerns the file: opening it, sharing it, and what is left in it.
#![expect(clippy::unwrap_used, reason = "test code, its helpers included")]

use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::Path,
    sync::{Arc, Barrier},
};

use chrono::{DateTime, TimeDelta, Utc};
use domain::{
    activity::{Activity, Actor, Happening},
    address::{Address, Channel},
    conversation::Conversation,
    model::{EventId, Guest, GuestId},
};
use rusqlite::Connection;
use store::{
    Claim, Commit, Committed, Content, GuestChange, LoadRequest, NewEntry, Outcome, Rendered, Settlement, Store,
    StoreError, sqlite::SqliteStore,
};

fn at(seconds: i64) -> DateTime<Utc> {
    DateTime::UNIX_EPOCH + TimeDelta::seconds(seconds)
}

fn refused(path: &Path) -> String {
    match SqliteStore::open(path) {
        Err(StoreError::Unusable(why)) => why,
        Err(other) => panic!("{other:?}"),
        Ok(_) => panic!("opened {}", path.display()),
    }
}

#[test]
fn a_folder_is_not_a_store() {
    let folder = tempfile::tempdir().unwrap();
    let why = refused(folder.path());
    assert!(why.contains(&folder.path().display().to_string()) && why.contains("folder"), "{why}");
}

#[test]
fn a_missing_folder_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let why = refused(&folder.path().join("missing/convive.db"));
    assert!(why.contains("no folder") && why.contains("missing"), "{why}");
}

#[test]
fn another_file_is_not_a_store_and_stays_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("guests.csv");
    let text = "first_name,last_name\n".repeat(500);
    fs::write(&path, &text).unwrap();
    let why = refused(&path);
    assert!(why.contains("guests.csv") && why.contains("some other file"), "{why}");
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
}

#[test]
fn the_database_of_another_program_is_not_a_store_and_stays_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("photos.db");
    Connection::open(&path).unwrap().execute_batch("CREATE TABLE photos (id INTEGER PRIMARY KEY)").unwrap();
    let before = fs::read(&path).unwrap();
    let why = refused(&path);
    assert!(why.contains("photos.db") && why.contains("another program"), "{why}");
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[test]
fn a_store_from_a_newer_version_is_refused_with_both_versions() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("convive.db");
    drop(SqliteStore::open(&path).unwrap());
    let connection = Connection::open(&path).unwrap();
    let known: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap();
    connection.pragma_update(None, "user_version", 99).unwrap();
    drop(connection);
    let why = refused(&path);
    assert!(why.contains("newer") && why.contains("99") && why.contains(&format!("knows {known}")), "{why}");
}

#[test]
fn a_place_that_cannot_be_written_is_refused() {
    // Nobody, not even root, makes files there.
    let why = refused(Path::new("/proc/convive.db"));
    assert!(why.contains("/proc/convive.db") && why.contains("write access"), "{why}");
}

#[test]
fn a_name_with_a_meaning_to_sqlite_is_a_name() {
    let folder = tempfile::tempdir().unwrap();
    for name in [":memory:", "file:x?mode=memory", "ümläut party.db"] {
        drop(SqliteStore::open(&folder.path().join(name)).unwrap());
        assert!(folder.path().join(name).is_file(), "{name}");
    }
}

#[test]
fn many_programs_may_make_the_store_at_once() {
    let folder = tempfile::tempdir().unwrap();
    // What one sees of another's making depends on the moment: so it is done often.
    for round in 0..20 {
        let path = folder.path().join(format!("{round}.db"));
        let all_there = Barrier::new(8);
        std::thread::scope(|scope| {
            let open = || {
                all_there.wait();
                SqliteStore::open(&path).map(drop)
            };
            let opening: Vec<_> = (0..8).map(|_| scope.spawn(open)).collect();
            for opened in opening {
                opened.join().unwrap().unwrap();
            }
        });
    }
}

#[test]
fn a_closed_store_is_one_file() {
    let folder = tempfile::tempdir().unwrap();
    drop(SqliteStore::open(&folder.path().join("convive.db")).unwrap());
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert_eq!(left, ["convive.db"]);
}

/// It holds names, codes, phone numbers and what people must not eat.
#[tokio::test]
async fn a_new_store_is_its_owners_alone_and_an_old_one_keeps_its_mode() {
    let folder = tempfile::tempdir().unwrap();
    let mode = |name: &str| fs::metadata(folder.path().join(name)).unwrap().permissions().mode() & 0o777;
    let path = folder.path().join("convive.db");
    let store = SqliteStore::open(&path).unwrap();
    store.ready().await.unwrap();
    assert_eq!(["convive.db", "convive.db-wal", "convive.db-shm"].map(mode), [0o600; 3]);
    drop(store);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o660)).unwrap();
    let store = SqliteStore::open(&path).unwrap();
    store.ready().await.unwrap();
    assert_eq!(["convive.db", "convive.db-wal"].map(mode), [0o660; 2]);
    symlink("elsewhere.db", folder.path().join("link.db")).unwrap();
    drop(SqliteStore::open(&folder.path().join("link.db")).unwrap());
    assert_eq!(mode("elsewhere.db"), 0o600);
}

/// What goes into a file that nobody will find again must not be acknowledged.
#[tokio::test]
async fn nothing_is_acknowledged_into_a_file_that_is_gone() {
    let folder = tempfile::tempdir().unwrap();
    let (path, away) = (folder.path().join("convive.db"), folder.path().join("away.db"));
    let store = SqliteStore::open(&path).unwrap();
    let is_gone = |done: Result<(), StoreError>| match done {
        Err(StoreError::Unavailable(why)) => assert!(why.contains("no longer at") && why.contains("restart"), "{why}"),
        other => panic!("{other:?}"),
    };
    fs::rename(&path, &away).unwrap();
    is_gone(store.ready().await);
    is_gone(store.commit(Commit::default()).await.map(|_| ()));
    // Another file in its place is not it.
    fs::write(&path, "").unwrap();
    is_gone(store.ready().await);
    fs::rename(&away, &path).unwrap();
    assert_eq!(store.ready().await, Ok(()));
    fs::remove_file(&path).unwrap();
    is_gone(store.ready().await);
}

fn reply(id: String, address: &Address, version: u64) -> NewEntry {
    let text = Rendered { text: id.clone(), ..Rendered::default() };
    let content = Content::Reply { version, place: 0, text };
    NewEntry { id, address: address.clone(), content, question: None, only_asks: false }
}

/// Commits `count` changes of one conversation, however often others are faster.
async fn keep_talking(store: Arc<SqliteStore>, name: &str, address: &Address, count: u64) {
    for number in 0..count {
        loop {
            let request = LoadRequest { address: address.clone(), codes: vec![], failures_since: at(0) };
            let conversation = store.load(&request).await.unwrap().conversation;
            let outbox = vec![reply(format!("{name}-{number}"), address, conversation.version + 1)];
            let commit = Commit { at: at(1), conversations: vec![conversation], outbox, ..Commit::default() };
            match store.commit(commit).await.unwrap() {
                Committed::Done => break,
                Committed::Stale => {}
                other => panic!("{other:?}"),
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_programs_share_a_store() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("convive.db");
    let programs = [0, 1].map(|_| Arc::new(SqliteStore::open(&path).unwrap()));
    let address = Address::telegram(1);
    let mut tasks = Vec::new();
    for (program, store) in programs.iter().enumerate() {
        for task in 0..3 {
            let (store, address) = (Arc::clone(store), address.clone());
            tasks.push(tokio::spawn(async move {
                keep_talking(store, &format!("{program}-{task}"), &address, 10).await;
            }));
        }
    }
    for task in tasks {
        task.await.unwrap();
    }
    for store in &programs {
        assert_eq!(store.conversation(&address).await.unwrap().unwrap().version, 60);
        assert_eq!(store.entries_to(&address).await.unwrap().len(), 60);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_programs_never_claim_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("convive.db");
    let programs = [0, 1].map(|_| Arc::new(SqliteStore::open(&path).unwrap()));
    const ENTRIES: usize = 200;
    let outbox = (0..ENTRIES).map(|n| reply(n.to_string(), &Address::telegram(n as i64 % 50), n as u64)).collect();
    programs[0].commit(Commit { at: at(0), outbox, ..Commit::default() }).await.unwrap();
    let couriers = programs.map(|store| {
        tokio::spawn(async move {
            let by = format!("{:p}", Arc::as_ptr(&store));
            let mut sent = Vec::new();
            loop {
                let claim = Claim {
                    now: at(1),
                    by: by.clone(),
                    lease_until: at(31),
                    channels: vec![Channel::Telegram],
                    replies: 5,
                    initiated: 5,
                };
                let claimed = store.claim(claim).await.unwrap();
                let counts = store.outbox_counts().await.unwrap();
                if counts.pending + counts.leased == 0 {
                    return sent;
                }
                let settlements = claimed.iter().map(|entry| Settlement {
                    id: entry.id.clone(),
                    by: by.clone(),
                    at: at(2),
                    outcome: Outcome::Sent { provider_id: None },
                });
                store.settle(settlements.collect()).await.unwrap();
                sent.extend(claimed.into_iter().map(|entry| entry.id));
            }
        })
    });
    let mut sent = Vec::new();
    for courier in couriers {
        sent.extend(courier.await.unwrap());
    }
    sent.sort();
    sent.dedup();
    assert_eq!(sent.len(), ENTRIES);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_gets_its_turn_beside_a_busy_server() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("convive.db");
    let server = Arc::new(SqliteStore::open(&path).unwrap());
    let command = Arc::new(SqliteStore::open(&path).unwrap());
    let stop = Arc::new(std::sync::atomic::AtomicBool::new(false));
    let load: Vec<_> = (0..16)
        .map(|task| {
            let (server, stop) = (Arc::clone(&server), Arc::clone(&stop));
            tokio::spawn(async move {
                let mut round = 0;
                while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                    keep_talking(Arc::clone(&server), &format!("{task}-{round}"), &Address::telegram(task), 1).await;
                    round += 1;
                }
            })
        })
        .collect();
    keep_talking(command, "command", &Address::telegram(99), 20).await;
    stop.store(true, std::sync::atomic::Ordering::Relaxed);
    for task in load {
        task.await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_log_does_not_grow_without_bound() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("convive.db");
    let store = Arc::new(SqliteStore::open(&path).unwrap());
    let tasks: Vec<_> = (0..64)
        .map(|task| {
            let store = Arc::clone(&store);
            tokio::spawn(async move {
                for number in 0..140 {
                    let mut entry = reply(format!("{task}/{number}"), &Address::telegram(task), number);
                    if let Content::Reply { text, .. } = &mut entry.content {
                        text.text = "x".repeat(4000);
                    }
                    let commit = Commit { outbox: vec![entry], ..Commit::default() };
                    assert_eq!(store.commit(commit).await.unwrap(), Committed::Done);
                    store.entries_to(&Address::sms("+1", "+2")).await.unwrap();
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    let size = |name: &str| fs::metadata(folder.path().join(name)).unwrap().len() >> 20;
    let log = size("convive.db-wal");
    drop(store);
    assert!(size("convive.db") >= 34, "not enough was written to show anything");
    assert!(log < 42, "the log has {log} MiB");
}

/// Changes the file behind the store's back.
fn tamper(path: &Path, sql: &str) {
    let changed = Connection::open(path).unwrap().execute(sql, []).unwrap();
    assert_eq!(changed, 1, "{sql}");
}

async fn say_hello(store: &SqliteStore, address: &Address) {
    let conversations = vec![Conversation::new(address.clone())];
    let outbox = vec![reply(format!("hello {address}"), address, 1)];
    let commit = Commit { at: at(0), conversations, outbox, ..Commit::default() };
    assert_eq!(store.commit(commit).await.unwrap(), Committed::Done);
}

#[tokio::test]
async fn a_damaged_conversation_stops_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("convive.db");
    let store = SqliteStore::open(&path).unwrap();
    for number in [1, 2] {
        say_hello(&store, &Address::telegram(number)).await;
    }
    tamper(&path, r#"UPDATE conversations SET dialogue = '{"draft": "Anna"}' WHERE address = 'telegram:1'"#);
    let load = async |number| {
        let request = LoadRequest { address: Address::telegram(number), codes: vec![], failures_since: at(0) };
        store.load(&request).await
    };
    let error = load(1).await.unwrap_err().to_string();
    assert!(error.contains("the dialogue of conversation 1") && error.contains("backup"), "{error}");
    assert!(!error.contains("Anna") && !error.contains("telegram:1"), "{error}");
    assert_eq!(load(2).await.unwrap().conversation.version, 1);
    let conversations = vec![load(2).await.unwrap().conversation];
    let commit = Commit { conversations, ..Commit::default() };
    assert_eq!(store.commit(commit).await.unwrap(), Committed::Done);
}

#[tokio::test]
async fn a_damaged_entry_stops_no_other_delivery() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("convive.db");
    let store = SqliteStore::open(&path).unwrap();
    for number in [1, 2] {
        say_hello(&store, &Address::telegram(number)).await;
    }
    let next = reply("next".to_owned(), &Address::telegram(1), 2);
    store.commit(Commit { outbox: vec![next], ..Commit::default() }).await.unwrap();
    tamper(&path, "UPDATE outbox SET text = '{' WHERE id = 'hello telegram:1'");
    let mut claimed = Vec::new();
    for _ in 0..2 {
        let claim = Claim {
            now: at(1),
            by: "courier".to_owned(),
            lease_until: at(31),
            channels: vec![Channel::Telegram],
            replies: 9,
            initiated: 9,
        };
        claimed.extend(store.claim(claim).await.unwrap().into_iter().map(|entry| entry.id));
    }
    assert_eq!(claimed, ["hello telegram:2", "next"]);
    assert_eq!(store.outbox_counts().await.unwrap().failed, 1);
}

/// A guest whose every value can be told from all others.
fn person(number: usize) -> Guest {
    let id = GuestId::new(at(number as i64), (number as u64 + 7).to_be_bytes());
    let mut guest = Guest::new(
        id,
        EventId::from("supper"),
        format!("Zabriskie{number}x"),
        format!("TOKEN{number}x"),
        at(number as i64),
    );
    guest.first_name = format!("Quillon{number}x");
    guest.phone = Some(format!("+4477009{number:05}x"));
    guest.notes = Some(format!("Notes{number}x{}", "–".repeat(number % 90)));
    guest
}

fn secrets(number: usize) -> [String; 6] {
    ["Quillon", "Zabriskie", "TOKEN", "Notes", "Dietary", "Message"].map(|kind| format!("{kind}{number}x"))
}

/// Whatever people leave behind: records that grow, conversations, messages, activity.
async fn live(store: &SqliteStore, numbers: &[usize]) {
    let mut first = Commit { at: at(1), ..Commit::default() };
    let mut then = Commit { at: at(2), ..Commit::default() };
    for number in numbers {
        let guest = person(*number);
        let address = Address::sms("+447700900999", guest.phone.as_deref().unwrap());
        first.conversations.push(Conversation {
            logins: vec![guest.id],
            active: Some(guest.id),
            ..Conversation::new(address.clone())
        });
        first.activity.push(Activity {
            event_id: guest.event_id.clone(),
            guest_id: Some(guest.id),
            at: at(1),
            by: Actor { guest_id: Some(guest.id), channel: Channel::Sms, as_host: false },
            what: Happening::LeftMessage { text: format!("Message{number}x") },
        });
        first.outbox.push(reply(format!("Hello {} {number}", guest.full_name()), &address, 1));
        first.guests.push(GuestChange::Insert(guest.clone()));
        let dietary = format!("Dietary{number}x{}", "!".repeat(number * 13 % 300));
        then.guests.push(GuestChange::Update(Guest { dietary, version: 1, ..guest }));
    }
    for commit in [first, then] {
        assert_eq!(store.commit(commit).await.unwrap(), Committed::Done);
    }
}

#[tokio::test]
async fn an_erased_person_leaves_no_byte_in_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("convive.db");
    let store = SqliteStore::open(&path).unwrap();
    // In an order that makes pages split and shrink.
    const PEOPLE: usize = 400;
    let numbers: Vec<usize> = (0..PEOPLE).map(|number| number * 89 % PEOPLE).collect();
    for numbers in numbers.chunks(40) {
        live(&store, numbers).await;
    }
    let erased: Vec<usize> = (0..PEOPLE).step_by(27).collect();
    for number in &erased {
        assert!(store.erase(person(*number).id, at(9)).await.unwrap());
    }
    let mut bytes = Vec::new();
    for file in fs::read_dir(folder.path()).unwrap() {
        bytes.extend(fs::read(file.unwrap().path()).unwrap());
    }
    let left = |secret: &str| bytes.windows(secret.len()).any(|window| window == secret.as_bytes());
    for number in erased {
        for secret in secrets(number) {
            assert!(!left(&secret), "{secret} is still there");
        }
    }
    for secret in secrets(1) {
        assert!(left(&secret), "{secret} of somebody else is gone");
    }
}
