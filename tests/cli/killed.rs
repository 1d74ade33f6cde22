//! Two programs on one store, under load; one or the other is killed without a warning, again and again, and started
//! anew. Whatever a provider was told is taken is there in the end, once, and everybody is answered.
//!
//! Which one is killed, after how many messages, and who brings what to which is drawn from a seed. Where in its work a
//! program is when it dies is up to the machine: the outcome must be right wherever that is.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use chrono::{DateTime, Utc};
use convive::{settings::StoreUrl, wiring};
use domain::{
    activity::Happening,
    address::{Address, Channel},
    model::Status,
};
use fakes::{
    telegram::FakeTelegram,
    twilio::{FakeTwilio, Webhook},
};
use reqwest::Client;
use store::{Entry, EntryStatus, Store};
use tokio::{sync::watch, task::JoinSet, time::timeout};

use crate::{
    home::Home,
    serve::{Serving, client},
};

const SEED: u64 = 20_261_128;
const SECRET: &str = "a-secret-of-the-webhook";
const PUBLIC_URL: &str = "https://rsvp.example.org";
const OURS: &str = "+447700900999";
/// Half of them by Telegram, half by SMS.
const PEOPLE: usize = 16;
const KILLS: usize = 6;
/// Messages that are taken between one end and the next, at least.
const BETWEEN: usize = 5;
/// What does not come in so long will not come: leases, and on a server of one's own transactions of the dead (a minute
/// each), may run out one after the other.
const PATIENCE: Duration = Duration::from_secs(180);

/// What everybody says, and what the answer to it says. (Questions of the two channels differ in their other words.)
const TALK: [(&str, &str); 4] = [
    ("CODE Holloway", "how many are coming"),
    ("2", "for you and your"),
    ("vegan, no nuts", "right?"),
    ("yes", "Saved"),
];
/// What else is said.
const ASIDE: [&str; 2] = ["Welcome, Guest", "For your calendar"];

/// Numbers that look random, from a seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit
    }
}

struct Person {
    number: usize,
    address: Address,
}

impl Person {
    fn new(number: usize) -> Self {
        let address = match number % 2 {
            0 => Address::telegram(7_100_000_000 + i64::try_from(number).unwrap()),
            _ => Address::sms(OURS, &format!("+4477009001{number:02}")),
        };
        Self { number, address }
    }

    fn code(number: usize) -> String {
        let letter = |number: usize| char::from(b"ABCDEFGHJKMNPQRS"[number % 16]);
        format!("GUEST{}{}", letter(number / 16), letter(number))
    }

    fn says(&self, line: &str) -> String {
        line.replace("CODE", &Self::code(self.number))
    }
}

struct Stage {
    telegram: FakeTelegram,
    twilio: FakeTwilio,
    store: Arc<dyn Store>,
    http: Client,
    /// Where the two programs listen, or did before they ended.
    places: Mutex<[String; 2]>,
    /// Messages that were taken.
    taken: watch::Sender<usize>,
}

impl Stage {
    /// Somebody says something: their provider brings it to one program or the other until it is taken.
    async fn say(&self, person: &Person, text: &str, dice: &mut Dice) {
        loop {
            let webhook = self.on_its_way(person, text);
            if !self.bring(&webhook, dice).await {
                // A text that could not be taken is not sent again by the provider: its sender does that.
                continue;
            }
            // A provider that has not heard the answer sends it again.
            if dice.below(4) == 0 {
                self.bring(&webhook, dice).await;
            }
            return;
        }
    }

    fn on_its_way(&self, person: &Person, text: &str) -> Webhook {
        match person.address.channel {
            Channel::Sms => self.twilio.inbound(PUBLIC_URL, &person.address.id, OURS, text),
            _ => Webhook {
                target: "/webhooks/telegram".to_owned(),
                headers: vec![("X-Telegram-Bot-Api-Secret-Token".to_owned(), SECRET.to_owned())],
                body: self.telegram.text(person.address.id.parse().unwrap(), text).to_string().into_bytes(),
            },
        }
    }

    /// `false` where the sender is asked to say it again.
    async fn bring(&self, webhook: &Webhook, dice: &mut Dice) -> bool {
        loop {
            let place = self.places.lock().unwrap()[dice.below(2)].clone();
            let post = self.http.post(format!("{place}{}", webhook.target)).body(webhook.body.clone());
            let post = webhook.headers.iter().fold(post, |post, (name, value)| post.header(name, value));
            let Ok(answer) = post.send().await else { continue };
            let status = answer.status().as_u16();
            // It may die while it answers.
            let Ok(body) = answer.text().await else { continue };
            match (status, body.as_str()) {
                (200, "" | "<Response/>") => {
                    self.taken.send_modify(|taken| *taken += 1);
                    return true;
                }
                (200, _) => return false,
                (503, _) => {}
                other => panic!("{}: {other:?}", webhook.target),
            }
        }
    }

    /// What was written to somebody.
    fn shown(&self, person: &Person) -> Vec<String> {
        match person.address.channel {
            Channel::Sms => {
                let texts = self.twilio.texts();
                let to = |text: &fakes::twilio::Text| !text.inbound && text.to == person.address.id;
                texts.into_iter().filter(to).map(|text| text.body).collect()
            }
            _ => {
                let messages = self.telegram.messages(person.address.id.parse().unwrap());
                messages.into_iter().map(|message| message.text).collect()
            }
        }
    }

    async fn entries(&self, person: &Person) -> Vec<Entry> {
        self.store.entries_to(&person.address).await.unwrap()
    }

    /// Waits for an answer. One that was hit twice on its way is not sent a third time: then it is known to be lost.
    async fn hear(&self, person: &Person, words: &str) {
        let wait = async {
            loop {
                if self.shown(person).iter().any(|shown| says(shown, words)) {
                    return;
                }
                let is_lost = |entry: &Entry| entry.status == EntryStatus::Unknown && says(&text_of(entry), words);
                if self.entries(person).await.iter().any(is_lost) {
                    return;
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        if timeout(PATIENCE, wait).await.is_err() {
            panic!("{} hears no {words:?}: {:#?}", person.address, self.entries(person).await);
        }
    }

    async fn talk(&self, person: &Person) {
        let mut dice = Dice(SEED + u64::try_from(person.number).unwrap());
        for (text, answer) in TALK {
            self.say(person, &person.says(text), &mut dice).await;
            self.hear(person, answer).await;
        }
    }

    /// Kills one program or the other and starts it anew, after some messages each time.
    async fn kill(&self, mut programs: [Serving; 2], start: impl Fn() -> Serving) -> [Serving; 2] {
        let mut dice = Dice(SEED);
        let (mut after, mut taken) = (0, self.taken.subscribe());
        for _ in 0..KILLS {
            after += BETWEEN + dice.below(BETWEEN);
            taken.wait_for(|taken| *taken >= after).await.unwrap();
            let which = dice.below(2);
            programs = tokio::task::block_in_place(|| {
                let [one, other] = programs;
                let (killed, lives) = if which == 0 { (one, other) } else { (other, one) };
                drop(killed);
                let next = start();
                self.places.lock().unwrap()[which] = next.url.clone();
                if which == 0 { [next, lives] } else { [lives, next] }
            });
        }
        programs
    }

    /// Waits until nothing is left to be sent.
    async fn all_is_sent(&self) {
        let wait = async {
            loop {
                let counts = self.store.outbox_counts().await.unwrap();
                if counts.pending + counts.leased == 0 {
                    return;
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        assert!(timeout(PATIENCE, wait).await.is_ok(), "it is never sent: {:?}", self.store.outbox_counts().await);
    }

    /// Whatever was said has had its effect once.
    async fn nothing_is_lost_and_nothing_twice(&self) {
        let event = self.store.events().await.unwrap().remove(0);
        let activity = self.store.activity(&event.id, DateTime::<Utc>::UNIX_EPOCH).await.unwrap();
        for number in 0..PEOPLE {
            let person = Person::new(number);
            let code = store::TypedCode::new(&Person::code(number));
            let guest = self.store.guest_by_code(&code).await.unwrap().unwrap();
            assert_eq!((guest.status, guest.num_guests, guest.dietary.as_str()), (Status::Coming, 2, "vegan, no nuts"));
            let conversation = self.store.conversation(&person.address).await.unwrap().unwrap();
            assert_eq!((conversation.logins, conversation.dialogue.open), (vec![guest.id], None));
            let did = activity.iter().filter(|it| it.guest_id == Some(guest.id) && it.by.guest_id == Some(guest.id));
            let (logins, answers): (Vec<_>, Vec<_>) =
                did.partition(|activity| matches!(activity.what, Happening::LoggedIn));
            assert_eq!((logins.len(), answers.len()), (1, 1), "{answers:#?}");
            assert!(matches!(answers[0].what, Happening::Answered { .. }));
            self.everybody_is_answered(&person).await;
        }
    }

    /// Each answer was decided once and arrived; more often than once only where a program died while it was on its way.
    async fn everybody_is_answered(&self, person: &Person) {
        let (shown, entries) = (self.shown(person), self.entries(person).await);
        let mut expected = 0;
        for words in TALK.iter().map(|(_, answer)| *answer).chain(ASIDE) {
            let is_calendar = words == ASIDE[1];
            if is_calendar && person.address.channel == Channel::Sms {
                continue;
            }
            let of: Vec<&Entry> = entries.iter().filter(|entry| says(&text_of(entry), words)).collect();
            let [entry] = of.as_slice() else { panic!("{words:?} was decided {} times: {entries:#?}", of.len()) };
            expected += 1;
            let arrived = shown.iter().filter(|shown| says(shown, words)).count();
            let most = usize::try_from(entry.attempts).unwrap();
            match entry.status {
                EntryStatus::Sent => {
                    assert!((1..=most).contains(&arrived), "{words:?} arrived {arrived} times: {entry:?}")
                }
                EntryStatus::Unknown => assert!(most >= 2 && arrived <= most, "{entry:?}"),
                _ => panic!("{words:?} did not arrive: {entry:?}"),
            }
        }
        assert_eq!(entries.len(), expected, "something else was said: {entries:#?}");
        let is_known = |shown: &&String| entries.iter().filter(|entry| alike(&text_of(entry), shown)).count() == 1;
        assert_eq!(shown.iter().find(|shown| !is_known(shown)), None);
    }
}

fn text_of(entry: &Entry) -> String {
    entry.text.as_ref().map(|text| text.text.clone()).unwrap_or_default()
}

fn says(text: &str, words: &str) -> bool {
    text.to_lowercase().contains(&words.to_lowercase())
}

/// Whether they say the same of what everybody is told.
fn alike(one: &str, other: &str) -> bool {
    TALK.iter().map(|(_, answer)| *answer).chain(ASIDE).any(|words| says(one, words) && says(other, words))
}

async fn two_programs_are_killed(home: Home, url: &str) {
    let telegram = FakeTelegram::start().await.unwrap();
    #[expect(clippy::disallowed_methods, reason = "the programs look at the real clock, and compare with these dates")]
    let twilio = FakeTwilio::start(Utc::now).await.unwrap();
    let (telegram_url, twilio_url) = (telegram.api_url(), twilio.api_url());
    let env = [
        ("CONVIVE__STORE__URL", url),
        ("CONVIVE__HTTP__PUBLIC_URL", PUBLIC_URL),
        ("CONVIVE__TELEGRAM__TOKEN", FakeTelegram::TOKEN),
        ("CONVIVE__TELEGRAM__MODE", "webhook"),
        ("CONVIVE__TELEGRAM__WEBHOOK_SECRET", SECRET),
        ("CONVIVE__TELEGRAM__API_URL", telegram_url.as_str()),
        ("CONVIVE__TWILIO__ACCOUNT_SID", FakeTwilio::ACCOUNT_SID),
        ("CONVIVE__TWILIO__AUTH_TOKEN", FakeTwilio::AUTH_TOKEN),
        ("CONVIVE__TWILIO__FROM", OURS),
        ("CONVIVE__TWILIO__API_URL", twilio_url.as_str()),
        // What a dead program had in its hands is taken over soon.
        ("CONVIVE__DELIVERY__LEASE_SECONDS", "2"),
    ];
    let event = ["event", "set", "name=Supper", "starts_at=2099-11-28T18:00", "time_zone=Europe/London"];
    home.run_with(&event, &env, "").done();
    let rows = (0..PEOPLE).map(|number| format!("{},Guest,Holloway,2\n", Person::code(number)));
    let file: String = std::iter::once("code,first_name,last_name,expected\n".to_owned()).chain(rows).collect();
    home.write("guests.csv", file);
    home.run_with(&["guests", "import", "guests.csv"], &env, "").done();

    let start = || Serving::start(&home, &env);
    let programs = tokio::task::block_in_place(|| [start(), start()]);
    let path = home.path("convive.db").display().to_string();
    let url = StoreUrl::parse(&url.replace("convive.db", &path)).unwrap();
    let stage = Stage {
        telegram,
        twilio,
        store: wiring::open_store(&url).await.unwrap(),
        http: client(),
        places: Mutex::new([programs[0].url.clone(), programs[1].url.clone()]),
        taken: watch::Sender::new(0),
    };
    let stage = Arc::new(stage);
    let mut talks = JoinSet::new();
    for number in 0..PEOPLE {
        let stage = Arc::clone(&stage);
        talks.spawn(async move { stage.talk(&Person::new(number)).await });
    }
    let (programs, _) = tokio::join!(stage.kill(programs, start), talks.join_all());
    stage.all_is_sent().await;
    drop(programs);
    stage.nothing_is_lost_and_nothing_twice().await;
    let Some(Stage { telegram, twilio, .. }) = Arc::into_inner(stage) else { panic!("somebody goes on talking") };
    telegram.finish();
    twilio.finish();
}

#[tokio::test(flavor = "multi_thread")]
async fn two_programs_on_mongodb_are_killed_again_and_again() {
    let database = mongo_server::database();
    two_programs_are_killed(Home::new(), &database.url).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_programs_on_sqlite_are_killed_again_and_again() {
    two_programs_are_killed(Home::new(), "sqlite:convive.db").await;
}
