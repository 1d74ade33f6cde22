//! A message from a person and a message to a person: one shape for every channel.

use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use serde::{Deserialize, Serialize};

use crate::address::Address;

/// What a person sent, as the channel's adapter understood it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inbound {
    /// The provider's id of the message, prefixed by the provider: a repeat carries the same key.
    pub key: String,
    pub from: Address,
    pub body: Body,
    pub received_at: DateTime<Utc>,
    /// The language of the person's app, a first guess only (IETF tag: `pt-br`).
    pub locale_hint: Option<String>,
}

/// What was in the message.
#[derive(Clone, PartialEq, Eq)]
pub enum Body {
    /// Typed text, as it arrived.
    Text(String),
    /// A pressed button or, on the terminal, `{"choice": id}`.
    Choice(String),
    /// The payload of a deep link: `t.me/<bot>?start=<payload>`. Empty when Start was pressed without one.
    Start(String),
    /// An earlier message was edited. Edits are not read.
    Edited,
    /// A contact card. `own` when the sender shared their own.
    Contact { phone: String, own: bool },
    /// Nothing a rule could read: a sticker, a voice note, a photo (with or without a caption).
    Unreadable,
    /// Anything at all, said in a group chat, where no codes are read.
    InGroupChat,
    /// The person blocked the bot.
    Blocked,
    /// The person unblocked the bot.
    Unblocked,
    /// The chat has a new address (a Telegram group that became a supergroup).
    MovedTo(Address),
}

/// Kind only: what people write must not reach a log by accident.
impl std::fmt::Debug for Body {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Text(_) => "Text",
            Self::Choice(_) => "Choice",
            Self::Start(_) => "Start",
            Self::Edited => "Edited",
            Self::Contact { .. } => "Contact",
            Self::Unreadable => "Unreadable",
            Self::InGroupChat => "InGroupChat",
            Self::Blocked => "Blocked",
            Self::Unblocked => "Unblocked",
            Self::MovedTo(_) => "MovedTo",
        })
    }
}

/// One sentence or paragraph before it is put into words: a Fluent message id and its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Say {
    /// An id in every file under `locales/`.
    pub id: &'static str,
    pub args: Vec<(&'static str, Arg)>,
}

/// An argument of a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Arg {
    /// Shown exactly as it is: names, places, what people wrote.
    Text(String),
    Number(u32),
    /// Joined as the language joins lists: "Anna, Ben and Cleo".
    List(Vec<Arg>),
    /// Date and time in the event's zone.
    Moment {
        at: DateTime<Utc>,
        zone: Tz,
    },
    /// The day of an instant, in the event's zone.
    Day {
        at: DateTime<Utc>,
        zone: Tz,
    },
    /// A closing time. Exclusive: midnight is shown as the end of the day before.
    Deadline {
        at: DateTime<Utc>,
        zone: Tz,
        /// Whether the year is said.
        in_full: bool,
    },
    /// Another sentence.
    Say(Box<Say>),
    /// Several sentences, a line each.
    Lines(Vec<Say>),
}

impl Say {
    /// A sentence without arguments.
    #[must_use]
    pub fn new(id: &'static str) -> Self {
        Self { id, args: Vec::new() }
    }

    /// The same with one more argument.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<Arg>) -> Self {
        self.args.push((name, value.into()));
        self
    }
}

impl From<&str> for Arg {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Arg {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<u32> for Arg {
    fn from(number: u32) -> Self {
        Self::Number(number)
    }
}

impl From<Say> for Arg {
    fn from(say: Say) -> Self {
        Self::Say(Box::new(say))
    }
}

impl From<Vec<Arg>> for Arg {
    fn from(list: Vec<Arg>) -> Self {
        Self::List(list)
    }
}

impl From<Vec<String>> for Arg {
    fn from(list: Vec<String>) -> Self {
        Self::List(list.into_iter().map(Self::Text).collect())
    }
}

impl From<Vec<Say>> for Arg {
    fn from(lines: Vec<Say>) -> Self {
        Self::Lines(lines)
    }
}

/// Something a person can pick.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// Opaque, at most 64 bytes (Telegram's limit for `callback_data`), made of the question's number and
    /// a token: never a name.
    pub id: String,
    pub label: Say,
}

/// How a question is answered where there are no buttons.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Numbering {
    /// A number is the choice with that number; choices are listed.
    Choices,
    /// A number is a head count; the sentence says what to type, choices are not listed.
    HeadCount,
}

/// The part of a message that asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// Counts the questions of one address. A reply to an older one never answers a newer one.
    pub number: u64,
    pub choices: Vec<Choice>,
    pub numbering: Numbering,
}

/// A file that goes with a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Attachment {
    /// `summer-party.ics`
    pub name: String,
    /// `text/calendar; charset=utf-8`
    #[serde(rename = "type")]
    pub media_type: String,
    pub content: String,
}

/// One message to a person, before it is put into words and into the channel's form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outgoing {
    /// A paragraph each.
    pub says: Vec<Say>,
    pub question: Option<Question>,
    /// Nothing is lost if a newer question replaces this message before it is delivered.
    pub only_asks: bool,
    pub attachment: Option<Attachment>,
}

impl Outgoing {
    /// A message that tells something.
    #[must_use]
    pub fn statement(says: Vec<Say>) -> Self {
        Self { says, question: None, only_asks: false, attachment: None }
    }

    /// A message that only asks.
    #[must_use]
    pub fn asking(says: Vec<Say>, question: Question) -> Self {
        Self { says, question: Some(question), only_asks: true, attachment: None }
    }
}
