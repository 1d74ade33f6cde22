//! Killed at any moment, the store opens again and holds every acknowledged effect exactly once.
#![expect(clippy::unwrap_used, reason = "test code, its helpers included")]

use std::{
    collections::BTreeMap,
    io::{BufRead, BufReader},
    path::Path,
    process::{Command, Stdio},
    sync::Arc,
};

use chrono::{DateTime, Utc};
use domain::{
    activity::{Activity, Actor, Happening},
    address::{Address, Channel},
    model::{EventId, Guest, GuestId},
};
use store::{Commit, Committed, Content, GroupRests, GuestChange, NewEntry, Rendered, Store, sqlite::SqliteStore};

const FILE_VARIABLE: &str = "CONVIVE_TEST_CRASH_FILE";
const TALKERS: u8 = 8;
/// Messages of a talker who is never killed: it ends even where the test itself was.
const MORE_THAN_ENOUGH: u32 = 100_000;

fn guest(talker: u8) -> Guest {
    let id = GuestId::new(DateTime::UNIX_EPOCH, [talker; 8]);
    Guest::new(id, EventId::from("supper"), "Santos".to_owned(), format!("CODE{talker}"), DateTime::UNIX_EPOCH)
}

fn address(talker: u8) -> Address {
    Address::telegram(i64::from(talker))
}

fn now() -> DateTime<Utc> {
    DateTime::UNIX_EPOCH
}

/// The n-th message of a talker: everything in it counts one up.
async fn decide(store: &SqliteStore, talker: u8) -> Commit {
    let request = store::LoadRequest { address: address(talker), codes: vec![], failures_since: now() };
    let conversation = store.load(&request).await.unwrap().conversation;
    let n = conversation.version + 1;
    let stored = store.guest(guest(talker).id).await.unwrap();
    let change = match stored {
        Some(before) => GuestChange::Update(Guest { num_guests: before.num_guests + 1, ..before }),
        None => GuestChange::Insert(Guest { num_guests: 1, ..guest(talker) }),
    };
    let said = Activity {
        event_id: EventId::from("supper"),
        guest_id: Some(guest(talker).id),
        at: now(),
        by: Actor { guest_id: None, channel: Channel::Telegram, as_host: false },
        what: Happening::LoggedIn,
    };
    let text = Rendered { text: "x".repeat(usize::from(talker) * 100), ..Rendered::default() };
    let reply = NewEntry {
        id: format!("{talker}/{n}"),
        address: address(talker),
        content: Content::Reply { version: n, place: 0, text },
        question: None,
        only_asks: false,
    };
    Commit {
        at: now(),
        key: Some(format!("{talker}:{n}")),
        conversations: vec![conversation],
        groups: vec![GroupRests { key: guest(talker).group_key(), version: n - 1, raise: true }],
        guests: vec![change],
        activity: vec![said],
        outbox: vec![reply],
        ..Commit::default()
    }
}

#[tokio::test]
#[ignore = "runs in a process of its own, which the test below kills"]
async fn talk_until_killed() {
    let Some(file) = std::env::var_os(FILE_VARIABLE) else { return };
    let store = Arc::new(SqliteStore::open(Path::new(&file)).unwrap());
    let talkers: Vec<_> = (0..TALKERS)
        .map(|talker| {
            let store = Arc::clone(&store);
            tokio::spawn(async move {
                for _ in 0..MORE_THAN_ENOUGH {
                    let commit = decide(&store, talker).await;
                    let key = commit.key.clone().unwrap();
                    assert_eq!(store.commit(commit).await.unwrap(), Committed::Done);
                    println!("acknowledged {key}");
                }
            })
        })
        .collect();
    for talker in talkers {
        talker.await.unwrap();
    }
}

/// Lets a process talk, kills it after so many acknowledgements, and returns all it gave, by talker.
fn talk_and_kill(file: &Path, after: usize) -> BTreeMap<u8, u64> {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "talk_until_killed", "--ignored", "--nocapture"])
        .env(FILE_VARIABLE, file)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut acknowledged = BTreeMap::new();
    let mut count = 0;
    for line in BufReader::new(child.stdout.take().unwrap()).lines() {
        let line = line.unwrap();
        let Some((_, key)) = line.split_once("acknowledged ") else { continue };
        let (talker, n) = key.split_once(':').unwrap();
        acknowledged.insert(talker.parse().unwrap(), n.parse().unwrap());
        count += 1;
        if count == after {
            child.kill().unwrap();
        }
    }
    assert!(!child.wait().unwrap().success());
    assert!(count >= after, "it ended by itself");
    acknowledged
}

#[tokio::test]
async fn acknowledged_commits_survive_a_kill_exactly_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("convive.db");
    for after in [1, 2, 30, 75, 200, 500, 1500] {
        let acknowledged = talk_and_kill(&file, after);
        let store = SqliteStore::open(&file).unwrap();
        let activity = store.activity(&EventId::from("supper"), now()).await.unwrap();
        for (talker, n) in acknowledged {
            // The last message may be written without having been acknowledged, but then wholly.
            let written = store.conversation(&address(talker)).await.unwrap().unwrap().version;
            assert!(written == n || written == n + 1, "{written} written, {n} acknowledged");
            assert_eq!(store.entries_to(&address(talker)).await.unwrap().len() as u64, written);
            assert_eq!(u64::from(store.guest(guest(talker).id).await.unwrap().unwrap().num_guests), written);
            let group = store.groups(&[guest(talker).group_key()]).await.unwrap().remove(0);
            assert_eq!(group.version, written);
            let said = activity.iter().filter(|said| said.guest_id == Some(guest(talker).id)).count();
            assert_eq!(said as u64, written);
            let repeat = Commit { key: Some(format!("{talker}:{written}")), ..Commit::default() };
            assert_eq!(store.commit(repeat).await.unwrap(), Committed::Duplicate);
        }
    }
}
