//! Moving everything from one store to another.
#![expect(clippy::unwrap_used, reason = "test code, its helpers included")]

use chrono::{DateTime, Utc};
use domain::{
    activity::{Activity, Actor, Happening},
    address::{Address, Channel},
    conversation::{Ask, Conversation},
    model::{Event, EventId, GroupId, Guest, GuestId, Status},
    notice::Notice,
};
use serde_json::json;
use store::{
    Claim, Commit, Committed, Content, DeliveryReport, DeliveryStatus, EventChange, GroupRests, GuestChange, Initiated,
    LoadRequest, NewEntry, Outcome, Rendered, Settlement, Store,
    archive::{Archive, CopyError, Progress, RecordKind, copy},
    mongo::MongoStore,
    sqlite::SqliteStore,
};
use tempfile::TempDir;

const EVENT: &str = "harbour-supper";
const JOB: &str = "reminders/harbour-supper";

fn at(seconds: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(1_795_867_200 + seconds, 0).unwrap()
}

fn chat(number: i64) -> Address {
    Address::telegram(number)
}

fn event() -> Event {
    serde_json::from_value(json!({
        "_id": EVENT, "name": "Harbour Supper", "startsAt": at(1_000_000), "timeZone": "Europe/London",
        "defaultLocale": "en", "version": 0,
    }))
    .unwrap()
}

fn guest(number: u8) -> Guest {
    let id = GuestId::new(at(0), [number; 8]);
    let guest = Guest::new(id, EventId::from(EVENT), "Holloway".to_owned(), format!("Code-{number}"), at(0));
    Guest { group_id: Some(GroupId::from("holloway")), ..guest }
}

fn entry(id: &str, to: i64, content: Content, question: Option<u64>) -> NewEntry {
    NewEntry { id: id.to_owned(), address: chat(to), content, question, only_asks: false }
}

fn reply(version: u64) -> Content {
    let text = Rendered { text: "How many?".to_owned(), ..Rendered::default() };
    Content::Reply { version, place: 0, text }
}

async fn done(store: &dyn Store, commit: Commit) {
    assert_eq!(store.commit(commit).await, Ok(Committed::Done));
}

/// Something of every kind, in every state that matters.
async fn fill(store: &dyn Store) {
    let invited = (1..=3).map(guest).map(GuestChange::Insert).collect();
    let group = GroupRests { key: guest(1).group_key(), version: 0, raise: true };
    let made = Activity {
        event_id: EventId::from(EVENT),
        guest_id: Some(guest(1).id),
        at: at(0),
        by: Actor { guest_id: None, channel: Channel::Cli, as_host: true },
        what: Happening::Created,
    };
    let activity = vec![made.clone(), Activity { guest_id: Some(guest(2).id), ..made }];
    let event = Some(EventChange::Insert(event()));
    done(store, Commit { at: at(0), event, guests: invited, groups: vec![group], activity, ..Commit::default() }).await;

    let coming = Guest { status: Status::Coming, num_guests: 1, self_coming: true, version: 1, ..guest(1) };
    let asks = |number: i64, asked: u64| {
        let mut talk = Conversation { logins: vec![guest(1).id], ..Conversation::new(chat(number)) };
        (talk.dialogue.asked, talk.dialogue.open) = (asked, Some(Ask::HowMany));
        talk
    };
    let notice = Initiated {
        event: EventId::from(EVENT),
        notice: Notice::CodeChanged { guest: guest(2).id },
        obeys_mute: true,
        hours: None,
        not_after: Some(at(900)),
        decided_at: at(1),
    };
    let outbox = vec![
        entry("sent", 1, reply(1), Some(1)),
        entry("waits", 1, reply(2), Some(2)),
        entry("retried", 2, reply(1), Some(1)),
        entry("leased", 3, reply(1), Some(1)),
        entry("notice", 4, Content::Initiated(notice), None),
    ];
    let commit = Commit {
        at: at(1),
        key: Some("telegram:1".to_owned()),
        progress: vec![store::Progress { job: JOB.to_owned(), from: None, to: at(1) }],
        conversations: vec![
            asks(1, 2),
            asks(2, 1),
            asks(3, 1),
            Conversation { muted: true, ..Conversation::new(chat(4)) },
        ],
        guests: vec![GuestChange::Update(coming)],
        outbox,
        ..Commit::default()
    };
    done(store, commit).await;
    let claim = Claim {
        now: at(2),
        by: "courier".to_owned(),
        lease_until: at(60),
        channels: vec![Channel::Telegram],
        replies: 3,
        initiated: 0,
    };
    assert_eq!(store.claim(claim).await.unwrap().len(), 3);
    let settled = |id: &str, outcome| Settlement { id: id.to_owned(), by: "courier".to_owned(), at: at(3), outcome };
    let retry = Outcome::Retry { at: at(40), reason: "429".to_owned(), hold: true };
    let sent = Outcome::Sent { provider_id: Some("p1".to_owned()) };
    store.settle(vec![settled("sent", sent), settled("retried", retry)]).await.unwrap();
    let report = |id: &str| DeliveryReport {
        provider_id: id.to_owned(),
        at: at(4),
        status: DeliveryStatus::Delivered,
        error: None,
        opted_out: None,
    };
    store.report_delivery(report("p1")).await.unwrap();
    store.report_delivery(report("early")).await.unwrap();
}

fn sqlite() -> (SqliteStore, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    (SqliteStore::open(&folder.path().join("convive.db")).unwrap(), folder)
}

async fn copied(from: &dyn Archive, to: &dyn Archive) -> Result<Vec<Progress>, CopyError> {
    let mut told = Vec::new();
    let done = copy(from, to, &mut |progress| told.push(progress)).await;
    done.map(|()| told)
}

/// What a courier and the intake see; the same wherever it is kept.
async fn seen(store: &dyn Store) -> String {
    let mut seen = format!("{:?}\n", store.progress(JOB).await.unwrap());
    for number in 1..=4 {
        let request = LoadRequest { address: chat(number), codes: Vec::new(), failures_since: at(0) };
        let loaded = store.load(&request).await.unwrap();
        let (conversation, group) = (loaded.conversation, loaded.group);
        seen += &format!("{conversation:?} {group:?} {:?}\n", loaded.question_attempted_at);
    }
    for now in [10, 41, 61, 100] {
        let claim = Claim {
            now: at(now),
            by: "later".to_owned(),
            lease_until: at(now + 30),
            channels: vec![Channel::Telegram],
            replies: 10,
            initiated: 10,
        };
        let mut claimed: Vec<_> = store.claim(claim).await.unwrap();
        claimed.sort_by(|one, other| one.id.cmp(&other.id));
        seen += &format!("{now} {claimed:?} {:?}\n", store.next_due(&[Channel::Telegram]).await.unwrap());
    }
    seen
}

#[tokio::test]
async fn everything_arrives_in_the_other_store_and_back() {
    let (from, _folder) = sqlite();
    fill(&from).await;
    let database = mongo_server::database();
    let there = MongoStore::connect(&database.url).await.unwrap();
    let told = copied(&from, &there).await.unwrap();
    for kind in RecordKind::ALL {
        let compared = told.iter().any(
            |progress| matches!(progress, Progress::Compared { kind: told, count } if *told == kind && *count > 0),
        );
        assert!(compared, "{kind:?}: nothing is tried out");
    }
    let (back, _other_folder) = sqlite();
    copied(&there, &back).await.unwrap();
    let expected = seen(&from).await;
    assert_eq!(seen(&there).await, expected);
    assert_eq!(seen(&back).await, expected);
}

#[tokio::test]
async fn what_mongodb_has_written_itself_arrives_too() {
    let database = mongo_server::database();
    let from = MongoStore::connect(&database.url).await.unwrap();
    fill(&from).await;
    let (to, _folder) = sqlite();
    copied(&from, &to).await.unwrap();
    assert_eq!(seen(&to).await, seen(&from).await);
}

#[tokio::test]
async fn a_store_that_is_not_empty_is_left_as_it_is() {
    let (from, _folder) = sqlite();
    fill(&from).await;
    let (to, _other_folder) = sqlite();
    done(&to, Commit { at: at(0), guests: vec![GuestChange::Insert(guest(9))], ..Commit::default() }).await;
    assert_eq!(copied(&from, &to).await, Err(CopyError::NotEmpty));
    assert_eq!(to.count(RecordKind::Guests).await, Ok(1));
}

/// Loses what it is given of one kind.
struct Forgetful(SqliteStore);

#[async_trait::async_trait]
impl Archive for Forgetful {
    async fn is_empty(&self) -> store::Result<bool> {
        self.0.is_empty().await
    }

    async fn count(&self, kind: RecordKind) -> store::Result<u64> {
        self.0.count(kind).await
    }

    async fn dump(
        &self,
        kind: RecordKind,
        page: store::Page<String>,
    ) -> store::Result<Vec<(String, store::archive::Record)>> {
        self.0.dump(kind, page).await
    }

    async fn restore(&self, records: Vec<store::archive::Record>) -> store::Result<()> {
        let kept = records.into_iter().filter(|record| !matches!(record, store::archive::Record::Key { .. }));
        self.0.restore(kept.collect()).await
    }
}

#[tokio::test]
async fn a_copy_that_differs_is_told() {
    let (from, _folder) = sqlite();
    fill(&from).await;
    let (to, _other_folder) = sqlite();
    assert_eq!(copied(&from, &Forgetful(to)).await, Err(CopyError::Differs(RecordKind::Inbox)));
}
