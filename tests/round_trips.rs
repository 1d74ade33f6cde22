//! How often a message asks the database, from the door to the acknowledgement: whatever the size of the group and of
//! the guest list.

#![expect(clippy::unwrap_used, reason = "test code, its helpers included")]

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};

use app::{App, Clock, Taken, command_line};
use chrono::{DateTime, TimeDelta, Utc};
use domain::{
    address::{Address, Channel},
    conversation::Policy,
    guest_file::{self, ReadDefaults},
    message::{Body, Inbound},
};
use mongo_server::TestDatabase;
use mongodb::event::{EventHandler, command::CommandEvent};
use store::{Claim, Outcome, Settlement, mongo::MongoStore};

/// Of a message that changes no guest, and of one that changes a group's answer.
const MOST: usize = 7;
const MOST_OF_AN_ANSWER: usize = 12;

struct StillClock(Mutex<u64>);

impl Clock for StillClock {
    fn now(&self) -> DateTime<Utc> {
        "2026-10-01T12:00:00Z".parse().unwrap()
    }

    fn random(&self, bytes: &mut [u8]) {
        for byte in bytes {
            let mut count = self.0.lock().unwrap();
            *count = count.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            *byte = u8::try_from(*count >> 56).unwrap();
        }
    }
}

struct Party {
    app: App,
    asked: Arc<AtomicUsize>,
    messages: AtomicUsize,
    _database: TestDatabase,
}

impl Party {
    /// A group of so many among so many other guests; each member has a code `Code-<number>`.
    async fn of(members: usize, others: usize) -> Self {
        let database = mongo_server::database();
        let asked = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&asked);
        let watcher = EventHandler::callback(move |event| {
            if matches!(event, CommandEvent::Started(_)) {
                count.fetch_add(1, Ordering::Relaxed);
            }
        });
        let store = MongoStore::connect_watched(&database.url, Some(watcher)).await.unwrap();
        let policy = Policy { provider_keywords: true, calendar_domain: "rsvp.example.org".to_owned() };
        let app = App::new(Arc::new(store), Arc::new(StillClock(Mutex::new(1))), policy);
        let settings = [("name", "Harbour Supper"), ("starts_at", "2026-11-28T18:00"), ("time_zone", "Europe/London")];
        let settings = settings.map(|(key, value)| (key.to_owned(), value.to_owned()));
        let event = app.set_event(None, &settings, &command_line()).await.unwrap().event().clone();
        let mut file = "code,first_name,last_name,group,admin\n".to_owned();
        for number in 0..members {
            file.push_str(&format!("CODE{number}X,Anna{number},Holloway,holloway,\n"));
        }
        for number in 0..others {
            file.push_str(&format!("REST{number}X,Maria{number},Santos,,\n"));
        }
        file.push_str("HOST1X,Mia,Host,,yes\n");
        let sheet = guest_file::read(file.as_bytes(), &ReadDefaults { region: None }).unwrap();
        app.import_guests(&event.id, &sheet, &command_line()).await.unwrap();
        Self { app, asked, messages: AtomicUsize::new(0), _database: database }
    }

    /// How often the database was asked for this message.
    async fn say(&self, chat: i64, text: &str) -> usize {
        let number = self.messages.fetch_add(1, Ordering::Relaxed);
        let inbound = Inbound {
            key: format!("telegram:{number}"),
            from: Address::telegram(chat),
            body: Body::Text(text.to_owned()),
            received_at: self.app.clock.now(),
            locale_hint: None,
        };
        let before = self.asked.load(Ordering::Relaxed);
        assert_eq!(self.app.take_in(inbound).await.unwrap(), Taken::Done);
        self.asked.load(Ordering::Relaxed) - before
    }

    /// The same for delivering all that is due.
    async fn deliver(&self) -> (usize, usize) {
        let before = self.asked.load(Ordering::Relaxed);
        let now = self.app.clock.now();
        let claim = Claim {
            now,
            by: "courier".to_owned(),
            lease_until: now + TimeDelta::seconds(30),
            channels: vec![Channel::Telegram],
            replies: 100,
            initiated: 0,
        };
        let claimed = self.app.store.claim(claim).await.unwrap();
        let sent = |id: &str| Settlement {
            id: id.to_owned(),
            by: "courier".to_owned(),
            at: now,
            outcome: Outcome::Sent { provider_id: None },
        };
        self.app.store.settle(claimed.iter().map(|claimed| sent(&claimed.id)).collect()).await.unwrap();
        (claimed.len(), self.asked.load(Ordering::Relaxed) - before)
    }

    async fn coming(&self) -> u64 {
        let event = self.app.one_event(None).await.unwrap().id;
        self.app.store.statistics(&event).await.unwrap().head_count
    }
}

async fn counted(members: usize, others: usize) -> Vec<(String, usize)> {
    let party = Party::of(members, others).await;
    let mut all = Vec::new();
    let everybody = members.to_string();
    for (what, chat, text) in [
        ("a stranger says hello", 1, "hello"),
        ("a login", 1, "CODE0X Holloway"),
        ("another member's login", 2, "CODE1X Holloway"),
        ("a code alone", 3, "CODE0X"),
        ("its last name; the earlier login hears of it", 3, "Holloway"),
        ("a host's login", 4, "HOST1X Host"),
        ("a wrong login", 5, "CODE0X Wrong"),
        ("a second login at one address", 3, "REST0X Santos"),
        ("switch", 3, "switch"),
        ("back to the first", 3, "1"),
        ("a message for the hosts", 2, "message"),
        ("its text; the hosts hear of it", 2, "Is there a place to park?"),
        ("somebody else's chat", 5, "REST1X Santos"),
        ("not me", 5, "wrong person"),
        ("really not; the hosts hear of it", 5, "yes"),
        ("how many", 1, everybody.as_str()),
    ] {
        all.push((what.to_owned(), party.say(chat, text).await));
    }
    // Asked for each; whoever has answered already is asked to confirm, and "none" changes nothing then.
    let mut dietary = 0;
    for _ in 0..members {
        dietary = dietary.max(party.say(1, "none").await);
    }
    all.push(("dietary needs".to_owned(), dietary));
    assert_eq!(party.coming().await, 0);
    let answer = party.say(1, "yes").await;
    assert_eq!(party.coming().await, members as u64, "the answer was not saved");
    assert!(answer <= MOST_OF_AN_ANSWER, "an answer asks {answer} times");
    all.push(("status".to_owned(), party.say(1, "status").await));
    for (what, asked) in &all {
        assert!(*asked <= MOST, "{what}: asks {asked} times");
    }
    all.push(("yes: the group's answer; the others hear of it".to_owned(), answer));
    let (messages, asked) = party.deliver().await;
    all.push((format!("(the courier, for {messages} messages)"), asked));
    all
}

#[tokio::test]
async fn a_message_asks_the_database_few_times_whatever_the_sizes() {
    let small = counted(2, 3).await;
    let large = counted(12, 300).await;
    for ((what, small), (_, large)) in small.iter().zip(&large) {
        eprintln!("{small:3} {large:3}  {what}");
    }
    let only_messages =
        |list: &[(String, usize)]| list.iter().map(|(_, asked)| *asked).take(list.len() - 1).collect::<Vec<_>>();
    assert_eq!(only_messages(&small), only_messages(&large), "it depends on the sizes");
}
