//! How fast messages go that Convive starts. Replies are never held back, since people wait for them.
//!
//! Telegram asks for at most about 30 messages a second over all chats and one a second in a chat (Bots FAQ); an
//! ordinary phone number sends one SMS segment a second. What a provider refuses all the same (429) is held in the
//! store, where every process sees it.

use std::collections::{HashMap, VecDeque};

use chrono::{DateTime, TimeDelta, Utc};
use domain::address::{Address, Channel};

const SECOND: TimeDelta = TimeDelta::seconds(1);
const TELEGRAM_A_SECOND: usize = 30;

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
        /// When the newest messages went, at most [`TELEGRAM_A_SECOND`] of them, oldest first.
        recent: VecDeque<DateTime<Utc>>,
        /// Until when a chat gets no other initiated message.
        chats: HashMap<String, DateTime<Utc>>,
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
            Channel::Telegram => Rule::Telegram { recent: VecDeque::new(), chats: HashMap::new() },
            Channel::Sms => Rule::Sms { own: HashMap::new() },
            Channel::Console | Channel::Web | Channel::Cli => Rule::Free,
        };
        Self { rule, in_hand: 0 }
    }

    /// How many initiated messages may be taken in hand now.
    pub fn allowance(&self, now: DateTime<Utc>) -> u32 {
        let slots = match &self.rule {
            Rule::Telegram { recent, .. } => {
                let gone = recent.iter().filter(|at| now < **at + SECOND).count();
                u32::try_from(TELEGRAM_A_SECOND.saturating_sub(gone)).unwrap_or(u32::MAX)
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
            Rule::Telegram { recent, .. } => {
                (recent.len() == TELEGRAM_A_SECOND).then(|| recent.front().map(|oldest| *oldest + SECOND)).flatten()
            }
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

    /// Notes a reply: it counts for the limits of the channel.
    pub fn replied(&mut self, now: DateTime<Utc>) {
        if let Rule::Telegram { recent, .. } = &mut self.rule {
            note(recent, now);
        }
    }

    /// Notes an initiated message that goes now, unless it has to wait.
    ///
    /// # Errors
    /// Until when it has to wait.
    pub fn admit(&mut self, to: &Address, segments: u32, now: DateTime<Utc>) -> Result<(), DateTime<Utc>> {
        match &mut self.rule {
            Rule::Telegram { recent, chats } => {
                chats.retain(|_, busy_until| *busy_until > now);
                if let Some(busy_until) = chats.get(&to.id) {
                    return Err(*busy_until);
                }
                match recent.front() {
                    Some(oldest) if recent.len() == TELEGRAM_A_SECOND && now < *oldest + SECOND => {
                        return Err(*oldest + SECOND);
                    }
                    _ => {}
                }
                note(recent, now);
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

fn note(recent: &mut VecDeque<DateTime<Utc>>, now: DateTime<Utc>) {
    if recent.len() == TELEGRAM_A_SECOND {
        recent.pop_front();
    }
    recent.push_back(now);
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
        assert_eq!(sent.len(), 90, "and no fewer than it may");
    }

    #[test]
    fn replies_count_but_are_never_held() {
        let mut pace = Pace::of(Channel::Telegram);
        (0..20).for_each(|_| pace.replied(at(0)));
        assert_eq!(pace.allowance(at(0)), 10);
        (0..100).for_each(|_| pace.replied(at(500)));
        assert_eq!(pace.allowance(at(999)), 0);
        assert_eq!(pace.admit(&Address::telegram(1), 0, at(999)), Err(at(1500)));
        assert_eq!(pace.next_slot(), Some(at(1500)));
        assert_eq!(pace.allowance(at(1500)), 30);
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
        pace.replied(at(3000));
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
