//! How fast messages go. Those that Convive starts wait for each other and for replies; a reply
//! waits only while a message to many has used up the channel's second, which is less than a second, and takes the next
//! free place before any other message.
//!
//! Telegram asks for at most about 30 messages a second over all chats and one a second in a chat (Bots FAQ); an
//! ordinary phone number sends one SMS segment a second. Each process keeps to that by itself. Where several deliver
//! together they may send more than that; what a provider then refuses (429) is held in the store, where every process
//! sees it, and nothing is lost.

use std::collections::{HashMap, VecDeque};

use chrono::{DateTime, TimeDelta, Utc};
use domain::address::{Address, Channel};

const SECOND: TimeDelta = TimeDelta::seconds(1);
const TELEGRAM_A_SECOND: usize = 30;
/// A little more than a second: messages do not take equally long to arrive.
const TELEGRAM_SECOND: TimeDelta = TimeDelta::milliseconds(1020);

/// One channel's pace in this process.
#[derive(Debug)]
pub(crate) struct Pace {
    rule: Rule,
    /// Initiated messages claimed, of which it is not decided yet whether they go.
    in_hand: u32,
}

#[derive(Debug)]
enum Rule {
    Telegram {
        /// When the newest messages went, at most [`TELEGRAM_A_SECOND`] of them, oldest first, and whether each was
        /// one that Convive started.
        recent: VecDeque<(DateTime<Utc>, bool)>,
        /// Until when a chat gets no other initiated message.
        chats: HashMap<String, DateTime<Utc>>,
        /// Replies that wait for a place, by when each gives it up.
        waiting: VecDeque<DateTime<Utc>>,
    },
    Sms {
        /// Until when our number (or messaging service) is busy with segments.
        own: HashMap<String, DateTime<Utc>>,
    },
    Free,
}

impl Pace {
    pub fn of(channel: Channel) -> Self {
        let rule = match channel {
            Channel::Telegram => {
                Rule::Telegram { recent: VecDeque::new(), chats: HashMap::new(), waiting: VecDeque::new() }
            }
            Channel::Sms => Rule::Sms { own: HashMap::new() },
            Channel::Console | Channel::Web | Channel::Cli => Rule::Free,
        };
        Self { rule, in_hand: 0 }
    }

    /// How many initiated messages may be taken in hand now.
    pub fn allowance(&self, now: DateTime<Utc>) -> u32 {
        let slots = match &self.rule {
            Rule::Telegram { recent, waiting, .. } => {
                let gone = recent.iter().filter(|(at, _)| now < *at + TELEGRAM_SECOND).count();
                let reserved = waiting.iter().filter(|until| now < **until).count();
                u32::try_from(TELEGRAM_A_SECOND.saturating_sub(gone + reserved)).unwrap_or(u32::MAX)
            }
            // One after the other: which number comes next is not known before.
            Rule::Sms { own } => u32::from(own.is_empty() || own.values().any(|busy_until| *busy_until <= now)),
            Rule::Free => u32::MAX,
        };
        slots.saturating_sub(self.in_hand)
    }

    /// When there may be an allowance, if there is none now.
    pub fn next_slot(&self) -> Option<DateTime<Utc>> {
        match &self.rule {
            Rule::Telegram { recent, .. } => (recent.len() == TELEGRAM_A_SECOND)
                .then(|| recent.front().map(|(oldest, _)| *oldest + TELEGRAM_SECOND))
                .flatten(),
            Rule::Sms { own } => own.values().min().copied(),
            Rule::Free => None,
        }
    }

    /// Takes initiated messages in hand.
    pub fn take(&mut self, messages: u32) {
        self.in_hand += messages;
    }

    /// Lets go of one: it went, or it will not go now.
    pub fn let_go(&mut self) {
        self.in_hand = self.in_hand.saturating_sub(1);
    }

    /// Notes a reply that goes now, unless a message to many has used the channel's second up: then a place is kept for
    /// it. Replies never wait for one another; providers put up with that.
    ///
    /// # Errors
    /// Until when it has to wait.
    pub fn reply(&mut self, now: DateTime<Utc>) -> Result<(), DateTime<Utc>> {
        let Rule::Telegram { recent, waiting, .. } = &mut self.rule else { return Ok(()) };
        waiting.retain(|until| now < *until);
        let is_to_many = recent.iter().filter(|(_, is_initiated)| *is_initiated).count() * 2 >= TELEGRAM_A_SECOND;
        match recent.front() {
            Some((oldest, _)) if is_to_many && recent.len() == TELEGRAM_A_SECOND && now < *oldest + TELEGRAM_SECOND => {
                let free = *oldest + TELEGRAM_SECOND;
                waiting.push_back(free + SECOND);
                return Err(free);
            }
            _ => {}
        }
        waiting.pop_front();
        note(recent, now, false);
        Ok(())
    }

    /// Notes an initiated message that goes now, unless it has to wait.
    ///
    /// # Errors
    /// Until when it has to wait.
    pub fn admit(&mut self, to: &Address, segments: u32, now: DateTime<Utc>) -> Result<(), DateTime<Utc>> {
        match &mut self.rule {
            Rule::Telegram { recent, chats, .. } => {
                chats.retain(|_, busy_until| *busy_until > now);
                if let Some(busy_until) = chats.get(&to.id) {
                    return Err(*busy_until);
                }
                match recent.front() {
                    Some((oldest, _)) if recent.len() == TELEGRAM_A_SECOND && now < *oldest + TELEGRAM_SECOND => {
                        return Err(*oldest + TELEGRAM_SECOND);
                    }
                    _ => {}
                }
                note(recent, now, true);
                chats.insert(to.id.clone(), now + SECOND);
            }
            Rule::Sms { own } => {
                let busy_until = own.entry(to.own.clone().unwrap_or_default()).or_insert(now);
                if *busy_until > now {
                    return Err(*busy_until);
                }
                *busy_until = now + SECOND * i32::try_from(segments.max(1)).unwrap_or(i32::MAX);
            }
            Rule::Free => {}
        }
        Ok(())
    }
}

fn note(recent: &mut VecDeque<(DateTime<Utc>, bool)>, now: DateTime<Utc>, is_initiated: bool) {
    if recent.len() == TELEGRAM_A_SECOND {
        recent.pop_front();
    }
    recent.push_back((now, is_initiated));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(milliseconds: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::milliseconds(milliseconds)
    }

    #[test]
    fn telegram_gets_thirty_in_any_second() {
        let mut pace = Pace::of(Channel::Telegram);
        let mut chat = 0;
        let mut sent = Vec::new();
        for now in (0..3000).step_by(10) {
            while pace.allowance(at(now)) > 0 {
                chat += 1;
                pace.admit(&Address::telegram(chat), 0, at(now)).unwrap();
                sent.push(now);
            }
        }
        for from in 0..2000 {
            let within = sent.iter().filter(|now| (from..from + 1000).contains(*now)).count();
            assert!(within <= 30, "{within} in the second from {from} ms");
        }
        assert_eq!(sent.len(), 90, "and hardly fewer than it may");
    }

    #[test]
    fn replies_count_and_take_the_next_place() {
        let mut pace = Pace::of(Channel::Telegram);
        let chat = Address::telegram;
        (0..10).for_each(|_| pace.reply(at(0)).unwrap());
        assert_eq!(pace.allowance(at(0)), 20);
        (10..30).for_each(|number| pace.admit(&chat(number), 0, at(500)).unwrap());
        assert_eq!(pace.allowance(at(999)), 0);
        assert_eq!(pace.admit(&chat(40), 0, at(999)), Err(at(1020)));
        // Thirty have gone in this second: a reply waits for the first place, and has it before all others.
        assert_eq!(pace.reply(at(700)), Err(at(1020)));
        assert_eq!(pace.next_slot(), Some(at(1020)));
        assert_eq!(pace.allowance(at(1020)), 9, "one of ten is kept");
        assert_eq!(pace.reply(at(1020)), Ok(()));
        assert_eq!(pace.allowance(at(1020)), 9);
    }

    #[test]
    fn a_place_that_is_not_taken_is_free_again() {
        let mut pace = Pace::of(Channel::Telegram);
        (0..30).for_each(|number| pace.admit(&Address::telegram(number), 0, at(0)).unwrap());
        assert_eq!(pace.reply(at(100)), Err(at(1020)));
        assert_eq!(pace.allowance(at(1100)), 29);
        assert_eq!(pace.allowance(at(2020)), 30);
    }

    #[test]
    fn replies_do_not_wait_for_one_another() {
        let mut pace = Pace::of(Channel::Telegram);
        (0..200).for_each(|_| pace.reply(at(0)).unwrap());
        assert_eq!(pace.allowance(at(999)), 0, "but others wait for them");
    }

    #[test]
    fn a_chat_gets_one_a_second() {
        let mut pace = Pace::of(Channel::Telegram);
        let (one, other) = (Address::telegram(1), Address::telegram(2));
        assert_eq!(pace.admit(&one, 0, at(0)), Ok(()));
        assert_eq!(pace.admit(&one, 0, at(400)), Err(at(1000)));
        assert_eq!(pace.admit(&other, 0, at(400)), Ok(()));
        assert_eq!(pace.admit(&one, 0, at(1000)), Ok(()));
    }

    #[test]
    fn a_number_sends_a_segment_a_second() {
        let mut pace = Pace::of(Channel::Sms);
        let from = |own: &str| Address::sms(own, "+447700900123");
        let (first, second) = (from("+447700900999"), from("+447700900998"));
        assert_eq!(pace.allowance(at(0)), 1);
        assert_eq!(pace.admit(&first, 3, at(0)), Ok(()));
        assert_eq!((pace.allowance(at(2999)), pace.next_slot()), (0, Some(at(3000))));
        assert_eq!(pace.admit(&first, 1, at(2999)), Err(at(3000)));
        assert_eq!(pace.admit(&second, 1, at(2999)), Ok(()), "numbers do not share");
        assert_eq!(pace.allowance(at(3000)), 1);
        assert_eq!(pace.admit(&first, 1, at(3000)), Ok(()));
        assert_eq!(pace.reply(at(3000)), Ok(()), "people wait for replies");
        assert_eq!(pace.next_slot(), Some(at(3999)));
    }

    #[test]
    fn what_is_in_hand_is_not_taken_twice() {
        let mut pace = Pace::of(Channel::Telegram);
        pace.take(30);
        assert_eq!(pace.allowance(at(0)), 0);
        pace.let_go();
        assert_eq!(pace.allowance(at(0)), 1, "it was dropped");
        assert_eq!(Pace::of(Channel::Console).allowance(at(0)), u32::MAX);
    }
}
