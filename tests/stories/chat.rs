//! What people do and see.

use domain::address::Address;
use expect_test::Expect;
use fakes::{
    telegram::{FakeTelegram, Message},
    twilio::{FakeTwilio, Webhook},
};
use serde_json::json;

use crate::{
    fixtures::OURS,
    process::{Reply, Request},
    world::World,
};

const PEOPLE: [(&str, i64); 6] = [
    ("anna", 7_100_000_001),
    ("stranger", 7_100_000_002),
    ("ben", 7_100_000_003),
    ("cleo", 7_100_000_004),
    ("mia", 7_100_000_005),
    ("bob", 7_100_000_006),
];

/// Somebody with a Telegram account, or a phone.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Who {
    Telegram(i64),
    Phone(String),
}

impl Who {
    pub fn telegram(name: &str) -> Self {
        let (_, id) = PEOPLE.iter().find(|(person, _)| *person == name).expect("somebody with a Telegram account");
        Self::Telegram(*id)
    }

    /// Everybody whom somebody could have written to.
    pub fn everybody(twilio: &FakeTwilio) -> Vec<Self> {
        let mut all: Vec<Self> = PEOPLE.iter().map(|(_, id)| Self::Telegram(*id)).collect();
        all.extend(twilio.texts().into_iter().filter(|text| !text.inbound).map(|text| Self::Phone(text.to)));
        all.sort();
        all.dedup();
        all
    }
}

impl From<Webhook> for Request {
    fn from(webhook: Webhook) -> Self {
        Self { path: webhook.target, headers: webhook.headers, body: webhook.body }
    }
}

/// One person's chat with the program.
pub struct Chat<'a> {
    world: &'a World,
    who: Who,
}

impl<'a> Chat<'a> {
    pub fn new(world: &'a World, who: Who) -> Self {
        Self { world, who }
    }

    /// The Telegram account.
    pub fn id(&self) -> i64 {
        match &self.who {
            Who::Telegram(id) => *id,
            Who::Phone(_) => panic!("a phone is no Telegram account"),
        }
    }

    pub fn address(&self) -> Address {
        match &self.who {
            Who::Telegram(id) => Address::telegram(*id),
            Who::Phone(number) => Address::sms(OURS, number),
        }
    }

    // Doing.

    /// Types something.
    pub async fn says(&self, text: &str) -> &Self {
        match &self.who {
            Who::Telegram(id) => self.world.hear(self.world.telegram.text(*id, text)).await,
            Who::Phone(number) => {
                self.world.hand_over(self.world.text_request(number, OURS, text), "<Response/>").await;
            }
        }
        self
    }

    /// The same, by phone.
    pub async fn texts(&self, text: &str) -> &Self {
        self.says(text).await
    }

    /// Types something; what the door answers, whatever that is. The courier does not go.
    pub async fn tries_to_say(&self, text: &str) -> Reply {
        let request = match &self.who {
            Who::Telegram(id) => self.world.update_request(&self.world.telegram.text(*id, text)),
            Who::Phone(number) => self.world.text_request(number, OURS, text),
        };
        self.world.process.post(&request).await
    }

    /// Presses the newest button with this label.
    pub async fn presses(&self, label: &str) -> &Self {
        self.world.hear(self.world.telegram.press(self.id(), label)).await;
        self
    }

    /// Presses a button of an older message.
    pub async fn presses_on(&self, message: &Message, label: &str) -> &Self {
        self.world.hear(self.world.telegram.press_on(self.id(), message.id, label)).await;
        self
    }

    /// Sends a message that is not text, such as `{"sticker": {...}}`.
    pub async fn sends(&self, fields: serde_json::Value) -> &Self {
        self.world.hear(self.world.telegram.message(self.id(), fields)).await;
        self
    }

    /// Changes a message sent before.
    pub async fn edits_to(&self, text: &str) -> &Self {
        self.world.telegram.meet(self.id());
        let person = json!({"id": self.id(), "is_bot": false, "first_name": "Guest"});
        let chat = json!({"id": self.id(), "type": "private"});
        let message = json!({"message_id": 611, "date": 1, "edit_date": 2, "chat": chat, "from": person, "text": text});
        self.world.hear(self.world.telegram.update("edited_message", message)).await;
        self
    }

    /// Presses Start, perhaps through a link with a code.
    pub async fn starts(&self, payload: &str) -> &Self {
        self.says(format!("/start {payload}").trim_end()).await
    }

    /// Comes in with code and last name, and reads what there is to read.
    pub async fn comes_in(&self, credentials: &str) -> &Self {
        self.says(credentials).await.sees("Welcome").skips(1)
    }

    /// The same where everybody has answered: nothing is asked.
    pub async fn comes_in_after_answering(&self, credentials: &str) -> &Self {
        self.says(credentials).await.sees("Welcome … change").sees_nothing_more()
    }

    // Seeing.

    /// The next message that was not looked at yet says this. Upper and lower case are the same, breaks and runs of
    /// spaces count as one space; `…` stands for anything.
    #[track_caller]
    pub fn sees(&self, expected: &str) -> &Self {
        let messages = self.messages();
        let mut seen = self.world.seen.borrow_mut();
        let place = seen.entry(self.who.clone()).or_default();
        match messages.get(*place) {
            None => panic!("{:?} does not see {expected:?}, but nothing new:\n{}", self.who, self.transcript()),
            Some(message) if !says(message, expected) => {
                panic!("{:?} does not see {expected:?}, but\n{message}\n\n{}", self.who, self.transcript())
            }
            Some(_) => *place += 1,
        }
        self
    }

    /// One of the messages that were not looked at yet says this; it is skipped, and the others are not.
    #[track_caller]
    pub fn sees_in_passing(&self, expected: &str) -> &Self {
        let seen = self.world.seen.borrow().get(&self.who).copied().unwrap_or_default();
        let shown = self.messages().iter().skip(seen).any(|message| says(message, expected));
        assert!(shown, "{:?} does not see {expected:?}:\n{}", self.who, self.transcript());
        self
    }

    /// Does not care for the next messages.
    #[track_caller]
    pub fn skips(&self, count: usize) -> &Self {
        for _ in 0..count {
            self.sees("");
        }
        self
    }

    /// Does not care for anything that is there by now.
    pub fn skips_all(&self) -> &Self {
        self.world.seen.borrow_mut().insert(self.who.clone(), self.messages().len());
        self
    }

    #[track_caller]
    pub fn sees_nothing_more(&self) -> &Self {
        let messages = self.messages();
        let seen = self.world.seen.borrow().get(&self.who).copied().unwrap_or_default();
        let news = &messages[seen.min(messages.len())..];
        assert!(news.is_empty(), "{:?} sees more: {news:#?}", self.who);
        self
    }

    /// The whole chat, from its beginning.
    pub fn shows(&self, expected: Expect) -> &Self {
        expected.assert_eq(&self.transcript());
        self.skips_all()
    }

    /// What was ever shown, `> ` before what the person said.
    pub fn transcript(&self) -> String {
        match &self.who {
            Who::Telegram(id) => self.world.telegram.chat(*id),
            Who::Phone(number) => self.world.twilio.phone(number).iter().map(|text| shown(text)).collect(),
        }
    }

    /// The messages to this person as they look now, oldest first.
    pub fn messages(&self) -> Vec<String> {
        match &self.who {
            Who::Telegram(id) => self.world.telegram.messages(*id).iter().map(looks).collect(),
            Who::Phone(number) => {
                let texts = self.world.twilio.texts().into_iter();
                texts.filter(|text| !text.inbound && text.to == *number).map(|text| text.body).collect()
            }
        }
    }

    /// The newest message, in Telegram.
    pub fn newest(&self) -> Message {
        self.world.telegram.last(self.id()).expect("a message")
    }
}

/// A chat with this id in which somebody says something.
pub fn group_message(telegram: &FakeTelegram, chat: i64, user: i64, text: &str) -> serde_json::Value {
    telegram.message_in(chat, user, json!({"text": text}))
}

fn looks(message: &Message) -> String {
    let mut lines = vec![message.text.clone()];
    lines.extend(message.document.iter().map(|file| format!("({}, {})", file.name, file.media_type)));
    lines.extend(message.buttons.iter().flatten().map(|button| format!("[{}]", button.label)));
    lines.retain(|line| !line.is_empty());
    lines.join("\n")
}

/// A text as it stands in a transcript: its first line behind a mark, the others indented as far.
fn shown(text: &str) -> String {
    let (mark, text) = text.strip_prefix("> ").map_or(("< ", text), |said| ("> ", said));
    let lines = text.lines().enumerate();
    lines
        .map(|(index, line)| format!("{}{line}", if index == 0 { mark } else { "  " }).trim_end().to_owned() + "\n")
        .collect()
}

fn says(message: &str, expected: &str) -> bool {
    let even = |text: &str| text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ");
    let message = even(message);
    let mut rest = message.as_str();
    for part in expected.split('…').map(even) {
        match rest.find(&part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    true
}
