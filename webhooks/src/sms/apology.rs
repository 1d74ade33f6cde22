//! What a sender is told, in the answer itself, while the store cannot take texts.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Mutex, PoisonError},
};

use chrono::{DateTime, TimeDelta, Utc};
use domain::message;

use super::Text;

/// An answering machine at the other end must not keep this door talking for ever.
const AT_MOST: usize = 5;
const WITHIN: TimeDelta = TimeDelta::minutes(10);
/// Senders remembered. When there are more, the flood is not of guests, and nobody is answered until it ebbs.
const SENDERS: usize = 10_000;

/// Words of provider keywords, which the provider answers (and after STOP refuses our answer).
const KEYWORDS: [&str; 13] = [
    "STOP",
    "STOPALL",
    "UNSUBSCRIBE",
    "CANCEL",
    "END",
    "QUIT",
    "REVOKE",
    "OPTOUT",
    "START",
    "YES",
    "UNSTOP",
    "HELP",
    "INFO",
];

pub struct Apologies {
    sentence: String,
    answered: Mutex<HashMap<Sender, Answered>>,
}

/// Our number and theirs.
type Sender = (String, String);
/// When a sender was answered lately.
type Answered = VecDeque<DateTime<Utc>>;

impl Apologies {
    pub fn new(sentence: String) -> Self {
        Self { sentence, answered: Mutex::new(HashMap::new()) }
    }

    /// The TwiML that asks the sender to try again, unless that could go round in circles.
    pub fn to(&self, text: &Text<'_>, now: DateTime<Utc>) -> Option<String> {
        let is_person = text.from.starts_with('+') && text.from != text.to;
        let is_echo = match &text.body {
            message::Body::Text(words) => {
                let words = words.trim();
                words == self.sentence.trim() || KEYWORDS.iter().any(|keyword| words.eq_ignore_ascii_case(keyword))
            }
            _ => false,
        };
        (is_person && !is_echo && self.may_answer(text, now))
            .then(|| format!("<Response><Message>{}</Message></Response>", escaped(&self.sentence)))
    }

    fn may_answer(&self, text: &Text<'_>, now: DateTime<Utc>) -> bool {
        let mut answered = self.answered.lock().unwrap_or_else(PoisonError::into_inner);
        let recently = |at: &DateTime<Utc>| now - *at < WITHIN;
        if answered.len() >= SENDERS {
            answered.retain(|_, times| times.back().is_some_and(recently));
        }
        let sender = (text.to.to_owned(), text.from.to_owned());
        if answered.len() >= SENDERS && !answered.contains_key(&sender) {
            return false;
        }
        let times = answered.entry(sender).or_default();
        times.retain(recently);
        let may = times.len() < AT_MOST;
        if may {
            times.push_back(now);
        }
        may
    }
}

/// Text as it must stand in XML; characters that XML does not have are left out.
fn escaped(text: &str) -> String {
    let mut xml = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => xml.push_str("&amp;"),
            '<' => xml.push_str("&lt;"),
            '>' => xml.push_str("&gt;"),
            '"' => xml.push_str("&quot;"),
            '\'' => xml.push_str("&apos;"),
            '\t' | '\n' | '\r' => xml.push(character),
            _ if character.is_control() || matches!(character, '\u{fffe}' | '\u{ffff}') => {}
            _ => xml.push(character),
        }
    }
    xml
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text<'a>(from: &'a str, words: &str) -> Text<'a> {
        Text { sid: "SM1", from, to: "+447700900999", body: message::Body::Text(words.to_owned()) }
    }

    #[test]
    fn the_sentence_arrives_as_it_is_written() {
        let apologies = Apologies::new("Tom & Ana <3 say \"again\", it's us\u{7}.".to_owned());
        assert_eq!(
            apologies.to(&text("+447700900123", "all"), DateTime::UNIX_EPOCH).unwrap(),
            "<Response><Message>Tom &amp; Ana &lt;3 say &quot;again&quot;, it&apos;s us.</Message></Response>"
        );
    }

    #[test]
    fn what_could_go_round_in_circles_is_not_answered() {
        let apologies = Apologies::new("Please try again.".to_owned());
        for (from, words, answered) in [
            ("+447700900123", "all", true),
            ("+447700900123", "", true),
            ("+447700900999", "all", false), // our own number
            ("78901", "all", false),         // a short code: a machine
            ("+447700900123", " stop ", false),
            ("+447700900123", "stop it", true),
            ("+447700900123", "Please try again. ", false), // another copy of us
        ] {
            let answer = apologies.to(&text(from, words), DateTime::UNIX_EPOCH);
            assert_eq!(answer.is_some(), answered, "{from} {words}");
        }
    }

    #[test]
    fn an_answering_machine_is_answered_five_times_in_ten_minutes() {
        let apologies = Apologies::new("Please try again.".to_owned());
        let answers = |from: &str, minute: i64| {
            apologies.to(&text(from, "I am on holiday"), DateTime::UNIX_EPOCH + TimeDelta::minutes(minute)).is_some()
        };
        let machine: Vec<bool> = (0..8).map(|minute| answers("+447700900123", minute)).collect();
        assert_eq!(machine, [true, true, true, true, true, false, false, false]);
        assert!(answers("+447700900124", 8), "others are");
        assert!(answers("+447700900123", 10));
    }
}
