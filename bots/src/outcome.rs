//! What follows from how an attempt ended. Pure: every rule about doubt, patience and giving up is here.

use chrono::{DateTime, TimeDelta, Utc};
use store::Outcome;

use crate::{LookUp, Repeats, SendOutcome};

/// The longest pause between attempts: people wait for replies.
const LONGEST_BACKOFF: TimeDelta = TimeDelta::seconds(60);
/// How long a provider's fault is outlasted.
const PATIENCE: TimeDelta = TimeDelta::hours(24);
/// A refused account is tried again now and then: somebody has to change a setting first.
const ACCOUNT_BACKOFF: TimeDelta = TimeDelta::seconds(60);
/// When the provider could not say whether a message exists.
const ASK_AGAIN: TimeDelta = TimeDelta::seconds(30);
/// Attempts in doubt after which a message that was asked about and not found is not sent again.
const DOUBTS_ALLOWED: u32 = 3;
/// A message hit twice is unknown, where nobody can be asked.
const HITS_ALLOWED: u32 = 2;

/// What is known of an entry while it is being attempted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Attempt {
    pub repeats: Repeats,
    /// Attempts recorded, this one included.
    pub attempts: u32,
    /// Earlier attempts of which nobody knows how they ended.
    pub ambiguous: u32,
    /// The last attempt was one of those.
    pub in_doubt: bool,
    pub first_attempt_at: DateTime<Utc>,
    /// Not worth sending from then on.
    pub not_after: Option<DateTime<Utc>>,
}

/// What to do with an entry before it is sent.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum First {
    Send,
    /// Find out whether the provider has it already.
    Ask,
    Settle(Outcome),
}

impl Attempt {
    fn doubtful(&self) -> bool {
        self.in_doubt || self.ambiguous > 0
    }

    /// Whether to send at all, or to ask first.
    pub fn before_sending(&self) -> First {
        match self.repeats {
            Repeats::AskFirst if self.doubtful() => First::Ask,
            Repeats::Once if self.ambiguous >= HITS_ALLOWED => {
                First::Settle(unknown("nobody knows how two attempts ended"))
            }
            Repeats::AskFirst | Repeats::Once | Repeats::Idempotent => First::Send,
        }
    }

    /// What the provider's word on a message in doubt leads to. `known` are the provider ids that other entries
    /// account for.
    pub fn after_asking(&self, word: LookUp, known: &[String], now: DateTime<Utc>) -> First {
        let absent = match word {
            LookUp::Found { provider_ids } => match provider_ids.into_iter().find(|id| !known.contains(id)) {
                Some(id) => return First::Settle(Outcome::Sent { provider_id: Some(id) }),
                None => true,
            },
            LookUp::Absent => true,
            LookUp::CannotTell { .. } => false,
        };
        if !absent {
            let until = now + ASK_AGAIN;
            return First::Settle(if until < self.gives_up_at() {
                Outcome::Postponed { until }
            } else {
                unknown("the provider could not say whether the message exists")
            });
        }
        if self.ambiguous >= DOUBTS_ALLOWED {
            return First::Settle(unknown("not found at the provider after several attempts in doubt"));
        }
        First::Send
    }

    /// What an attempt's end leads to.
    pub fn after_sending(&self, ended: SendOutcome, now: DateTime<Utc>) -> Outcome {
        match ended {
            SendOutcome::Sent { provider_id } => Outcome::Sent { provider_id },
            SendOutcome::TooMany { retry_after } => {
                self.waits(now + retry_after, true, "the provider asked to wait".to_owned())
            }
            SendOutcome::AccountRefused { reason } => self.waits(now + ACCOUNT_BACKOFF, false, reason),
            SendOutcome::NotSent { reason } => {
                let at = now + backoff(self.attempts);
                if at < self.gives_up_at() { Outcome::Retry { at, reason, hold: false } } else { self.gives_up(reason) }
            }
            SendOutcome::InDoubt { reason } => {
                let at = now + backoff(self.attempts);
                let last = match self.repeats {
                    Repeats::Once => self.ambiguous + 1 >= HITS_ALLOWED,
                    // Asking settles it, however late.
                    Repeats::AskFirst => false,
                    Repeats::Idempotent => at >= self.gives_up_at(),
                };
                if last { unknown(&reason) } else { Outcome::InDoubt { at, reason } }
            }
            SendOutcome::Failed { reason } => Outcome::Failed { reason },
            SendOutcome::Unreachable { reason } => Outcome::Unreachable { reason },
            SendOutcome::OptedOut { reason } => Outcome::OptedOut { reason },
            SendOutcome::Moved { to } => Outcome::Moved { to },
        }
    }

    /// What to do with a message that has become too late, or whose receiver no longer wants it: it may have been
    /// sent before.
    pub fn never_again(&self, reason: &str) -> Outcome {
        if self.doubtful() { unknown(reason) } else { Outcome::Dropped { reason: reason.to_owned() } }
    }

    /// Neither the provider's limits nor our account's trouble are the message's fault: it waits as long as it says
    /// something true.
    fn waits(&self, at: DateTime<Utc>, hold: bool, reason: String) -> Outcome {
        match self.not_after {
            Some(not_after) if not_after <= at => self.never_again("too late"),
            _ => Outcome::Retry { at, reason, hold },
        }
    }

    fn gives_up(&self, reason: String) -> Outcome {
        match self.not_after {
            Some(_) => self.never_again("too late"),
            None if self.doubtful() => Outcome::Unknown { reason },
            None => Outcome::Failed { reason },
        }
    }

    fn gives_up_at(&self) -> DateTime<Utc> {
        self.not_after.unwrap_or(self.first_attempt_at + PATIENCE)
    }
}

fn unknown(reason: &str) -> Outcome {
    Outcome::Unknown { reason: reason.to_owned() }
}

/// 1 s, 2 s, 4 s … up to [`LONGEST_BACKOFF`].
fn backoff(attempts: u32) -> TimeDelta {
    let doublings = attempts.saturating_sub(1).min(6);
    TimeDelta::seconds(1 << doublings).min(LONGEST_BACKOFF)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::seconds(seconds)
    }

    fn attempt(repeats: Repeats, attempts: u32, ambiguous: u32) -> Attempt {
        Attempt { repeats, attempts, ambiguous, in_doubt: false, first_attempt_at: at(0), not_after: None }
    }

    fn shown(outcome: &Outcome) -> String {
        match outcome {
            Outcome::Sent { provider_id } => format!("sent {}", provider_id.as_deref().unwrap_or("-")),
            Outcome::Retry { at, hold: true, .. } => format!("hold {}", at.timestamp()),
            Outcome::Retry { at, .. } => format!("retry {}", at.timestamp()),
            Outcome::InDoubt { at, .. } => format!("doubt {}", at.timestamp()),
            Outcome::Postponed { until } => format!("postponed {}", until.timestamp()),
            Outcome::Failed { .. } => "failed".to_owned(),
            Outcome::Unknown { .. } => "unknown".to_owned(),
            Outcome::Dropped { .. } => "dropped".to_owned(),
            Outcome::Moved { .. } => "moved".to_owned(),
            Outcome::Unreachable { .. } => "unreachable".to_owned(),
            Outcome::OptedOut { .. } => "opted out".to_owned(),
        }
    }

    fn not_sent() -> SendOutcome {
        SendOutcome::NotSent { reason: "no connection".to_owned() }
    }

    fn in_doubt() -> SendOutcome {
        SendOutcome::InDoubt { reason: "no answer".to_owned() }
    }

    #[test]
    fn pauses_double_up_to_a_minute() {
        let pauses: Vec<i64> = (1..=9).map(|attempts| backoff(attempts).num_seconds()).collect();
        assert_eq!(pauses, [1, 2, 4, 8, 16, 32, 60, 60, 60]);
        assert_eq!(backoff(0), TimeDelta::seconds(1));
        assert_eq!(backoff(u32::MAX), LONGEST_BACKOFF);
    }

    #[test]
    fn what_is_certainly_not_sent_is_tried_for_a_day() {
        for (attempts, ambiguous, now, expected) in [
            (1, 0, 0, "retry 1"),
            (3, 0, 10, "retry 14"),
            (500, 0, 86_000, "retry 86060"),
            (500, 0, 86_399, "failed"),
            (500, 1, 86_399, "unknown"),
        ] {
            for repeats in [Repeats::Once, Repeats::AskFirst, Repeats::Idempotent] {
                let outcome = attempt(repeats, attempts, ambiguous).after_sending(not_sent(), at(now));
                assert_eq!(shown(&outcome), expected, "{repeats:?} {attempts} {ambiguous} {now}");
            }
        }
    }

    #[test]
    fn an_initiated_message_is_dropped_when_it_would_be_late() {
        let until_100 = Attempt { not_after: Some(at(100)), ..attempt(Repeats::Once, 1, 0) };
        let doubtful = Attempt { ambiguous: 1, ..until_100 };
        let too_many = |seconds| SendOutcome::TooMany { retry_after: TimeDelta::seconds(seconds) };
        let refused = || SendOutcome::AccountRefused { reason: String::new() };
        assert_eq!(shown(&until_100.after_sending(not_sent(), at(98))), "retry 99");
        assert_eq!(shown(&until_100.after_sending(not_sent(), at(99))), "dropped");
        assert_eq!(shown(&doubtful.after_sending(not_sent(), at(99))), "unknown");
        assert_eq!(shown(&until_100.after_sending(too_many(7), at(92))), "hold 99");
        assert_eq!(shown(&until_100.after_sending(too_many(7), at(93))), "dropped");
        assert_eq!(shown(&until_100.after_sending(refused(), at(39))), "retry 99");
        assert_eq!(shown(&until_100.after_sending(refused(), at(40))), "dropped");
    }

    #[test]
    fn neither_limits_nor_a_refused_account_are_the_messages_fault() {
        let week = 7 * 86_400;
        let old = attempt(Repeats::Once, 10_000, 0);
        let too_many = SendOutcome::TooMany { retry_after: TimeDelta::seconds(7) };
        let refused = SendOutcome::AccountRefused { reason: String::new() };
        assert_eq!(shown(&old.after_sending(too_many, at(week))), format!("hold {}", week + 7));
        assert_eq!(shown(&old.after_sending(refused, at(week))), format!("retry {}", week + 60));
    }

    #[test]
    fn where_nobody_can_be_asked_a_message_is_sent_twice_at_most() {
        let attempts: Vec<_> = (0..3).map(|ambiguous| attempt(Repeats::Once, ambiguous + 1, ambiguous)).collect();
        assert_eq!(attempts[0].before_sending(), First::Send);
        assert_eq!(shown(&attempts[0].after_sending(in_doubt(), at(0))), "doubt 1");
        assert_eq!(attempts[1].before_sending(), First::Send, "one more attempt");
        assert_eq!(shown(&attempts[1].after_sending(in_doubt(), at(0))), "unknown");
        // The first attempt timed out, the second one's lease was lost: nothing is sent a third time.
        assert!(matches!(attempts[2].before_sending(), First::Settle(Outcome::Unknown { .. })));
        // An attempt that never got out is not the one more.
        assert_eq!(shown(&attempts[1].after_sending(not_sent(), at(0))), "retry 2");
    }

    #[test]
    fn where_ids_are_recognised_a_message_is_sent_until_it_arrives() {
        let tried = attempt(Repeats::Idempotent, 20, 19);
        assert_eq!(tried.before_sending(), First::Send);
        assert_eq!(shown(&tried.after_sending(in_doubt(), at(0))), "doubt 60");
        assert_eq!(shown(&tried.after_sending(in_doubt(), at(86_399))), "unknown");
    }

    #[test]
    fn where_one_can_ask_a_message_in_doubt_is_asked_about_first() {
        let found = |ids: &[&str]| LookUp::Found { provider_ids: ids.iter().map(|id| (*id).to_owned()).collect() };
        let cannot_tell = || LookUp::CannotTell { reason: String::new() };
        let shown = |first: First| match first {
            First::Send => "send".to_owned(),
            First::Ask => "ask".to_owned(),
            First::Settle(outcome) => shown(&outcome),
        };
        let fresh = attempt(Repeats::AskFirst, 1, 0);
        assert_eq!(shown(fresh.before_sending()), "send");
        assert_eq!(shown(Attempt { in_doubt: true, ..fresh }.before_sending()), "ask");
        for (ambiguous, word, known, now, expected) in [
            (1, found(&["SM1"]), vec![], 0, "sent SM1"),
            (1, found(&["SM1", "SM2"]), vec!["SM1".to_owned()], 0, "sent SM2"),
            (1, found(&["SM1"]), vec!["SM1".to_owned()], 0, "send"),
            (1, LookUp::Absent, vec![], 0, "send"),
            (2, LookUp::Absent, vec![], 0, "send"),
            (3, LookUp::Absent, vec![], 0, "unknown"),
            (3, found(&["SM1"]), vec![], 0, "sent SM1"),
            (1, cannot_tell(), vec![], 0, "postponed 30"),
            (3, cannot_tell(), vec![], 0, "postponed 30"),
            (1, cannot_tell(), vec![], 86_399, "unknown"),
        ] {
            let tried = attempt(Repeats::AskFirst, ambiguous + 1, ambiguous);
            assert_eq!(shown(tried.before_sending()), "ask");
            let case = format!("{ambiguous} {word:?} {known:?} {now}");
            assert_eq!(shown(tried.after_asking(word, &known, at(now))), expected, "{case}");
        }
        let tried = attempt(Repeats::AskFirst, 9, 8);
        assert_eq!(super::tests::shown(&tried.after_sending(in_doubt(), at(0))), "doubt 60", "then it is asked");
    }

    #[test]
    fn what_is_final_stays_final() {
        let tried = attempt(Repeats::Once, 1, 1);
        let reason = String::new;
        for (ended, expected) in [
            (SendOutcome::Sent { provider_id: Some("7".to_owned()) }, "sent 7"),
            (SendOutcome::Failed { reason: reason() }, "failed"),
            (SendOutcome::Unreachable { reason: reason() }, "unreachable"),
            (SendOutcome::OptedOut { reason: reason() }, "opted out"),
            (SendOutcome::Moved { to: domain::address::Address::telegram(-100) }, "moved"),
        ] {
            assert_eq!(shown(&tried.after_sending(ended, at(0))), expected);
        }
    }
}
