//! One entry's way: put into words if need be, sent once, and what follows from how that ended.

use std::sync::Arc;

use app::initiated::{self, InitiatedPlan};
use chrono::{DateTime, TimeDelta, Utc};
use domain::address::Address;
use metrics::counter;
use store::{Claimed, Committed, FirstAttempt, Initiated, Outcome, Rendered, Settlement, StoreError, Work};
use tokio::time::{Instant, timeout_at};

use super::lane::Lane;
use crate::{
    LookUp, Parcel, SendOutcome,
    outcome::{Attempt, First},
};

/// A conversation that keeps changing under a message leaves it for later.
const RENDERINGS: u32 = 3;
/// Pause after which a message is looked at again that the store, or a busy conversation, kept from being sent.
const LOOK_AGAIN: TimeDelta = TimeDelta::seconds(1);

/// Carries an entry and says how that ended.
pub(super) async fn deliver(lane: Arc<Lane>, claimed: Claimed) -> Settlement {
    let Claimed { id, address, .. } = &claimed;
    let mut outcome = match prepare(&lane, &claimed).await {
        Ok(ready) => send(&lane, &claimed, ready).await,
        Err(outcome) => outcome,
    };
    if matches!(outcome, Outcome::Unreachable { .. })
        && let Err(error) = instead(&lane, &claimed).await
    {
        outcome = later(&error, lane.app.clock.now());
    }
    tell(&lane, address, &claimed, &outcome);
    Settlement { id: id.clone(), by: lane.by.clone(), at: lane.app.clock.now(), outcome }
}

/// Tries another way to somebody who is not there.
async fn instead(lane: &Lane, claimed: &Claimed) -> Result<(), StoreError> {
    let (Work::Render(initiated) | Work::Send { initiated: Some(initiated), .. }) = &claimed.work else {
        return Ok(());
    };
    initiated::instead(&lane.app, &claimed.id, &claimed.address, initiated, lane.app.clock.now()).await
}

/// A message in its words.
struct Ready {
    text: Rendered,
    attempt: Attempt,
    /// Why it must not be sent (again) after all.
    unwanted: Option<&'static str>,
    time_limit: Instant,
}

/// Lets the pace go of an initiated message, whatever becomes of it.
struct InHand<'a>(&'a Lane);

impl Drop for InHand<'_> {
    fn drop(&mut self) {
        self.0.pace().let_go();
    }
}

/// # Errors
/// What becomes of the entry when it is not sent now.
async fn prepare(lane: &Lane, claimed: &Claimed) -> Result<Ready, Outcome> {
    let (now, time_limit) = (lane.app.clock.now(), lane.time_limit());
    let mut attempt = Attempt {
        repeats: lane.provider.repeats(),
        attempts: claimed.attempts,
        ambiguous: claimed.ambiguous,
        in_doubt: claimed.in_doubt,
        first_attempt_at: claimed.first_attempt_at.unwrap_or(now),
        not_after: None,
    };
    match &claimed.work {
        Work::Send { text, initiated: None } => {
            let turn = lane.pace().reply(now);
            turn.map_err(|until| Outcome::Postponed { until })?;
            Ok(Ready { text: text.clone(), attempt, unwanted: None, time_limit })
        }
        Work::Send { text, initiated: Some(initiated) } => {
            let _in_hand = InHand(lane);
            attempt.not_after = initiated.not_after;
            let unwanted =
                unwanted(lane, &claimed.address, initiated, now).await.map_err(|error| later(&error, now))?;
            if unwanted.is_none() {
                let opens = initiated.hours.map_or(now, |hours| hours.next_open(now));
                if opens > now {
                    return Err(Outcome::Postponed { until: opens });
                }
                admit(lane, &claimed.address, text, now)?;
            }
            Ok(Ready { text: text.clone(), attempt, unwanted, time_limit })
        }
        Work::Render(initiated) => {
            let _in_hand = InHand(lane);
            attempt.not_after = initiated.not_after;
            let text = first_words(lane, claimed, initiated, now).await?;
            attempt.attempts += 1;
            Ok(Ready { text, attempt, unwanted: None, time_limit })
        }
    }
}

/// Why an initiated message that was already put into words must not go any more.
async fn unwanted(
    lane: &Lane,
    address: &Address,
    initiated: &Initiated,
    now: DateTime<Utc>,
) -> Result<Option<&'static str>, StoreError> {
    if initiated.not_after.is_some_and(|not_after| not_after <= now) {
        return Ok(Some("too late"));
    }
    let conversation = lane.app.store.conversation(address).await?;
    Ok(match conversation {
        Some(conversation) if conversation.opted_out => Some("opted out"),
        Some(conversation) if conversation.muted && initiated.obeys_mute => Some("muted"),
        _ => None,
    })
}

/// Puts an initiated message into words and records its first attempt.
///
/// # Errors
/// What becomes of the entry when it is not sent now.
async fn first_words(
    lane: &Lane,
    claimed: &Claimed,
    notice: &Initiated,
    now: DateTime<Utc>,
) -> Result<Rendered, Outcome> {
    let mut admitted = false;
    for _ in 0..RENDERINGS {
        let plan = initiated::render(&lane.app, claimed, notice, now).await.map_err(|error| later(&error, now))?;
        let (text, question, conversation) = match plan {
            InitiatedPlan::Send { text, question, conversation } => (text, question, conversation.map(|it| *it)),
            InitiatedPlan::Postpone { until } => return Err(Outcome::Postponed { until }),
            InitiatedPlan::Drop { reason } => return Err(Outcome::Dropped { reason }),
        };
        if !admitted {
            admit(lane, &claimed.address, &text, now)?;
            admitted = true;
        }
        let first = FirstAttempt {
            id: claimed.id.clone(),
            by: lane.by.clone(),
            at: now,
            text: text.clone(),
            question,
            conversation,
        };
        match lane.app.store.begin_attempt(first).await.map_err(|error| later(&error, now))? {
            Committed::Done => return Ok(text),
            // Somebody wrote meanwhile: other words may be right now.
            Committed::Stale | Committed::Duplicate | Committed::Taken => {}
        }
    }
    Err(Outcome::Postponed { until: now + LOOK_AGAIN })
}

fn admit(lane: &Lane, address: &Address, text: &Rendered, now: DateTime<Utc>) -> Result<(), Outcome> {
    lane.pace().admit(address, text.segments, now).map_err(|until| Outcome::Postponed { until })
}

/// The store failed before anything was sent.
fn later(error: &StoreError, now: DateTime<Utc>) -> Outcome {
    match error {
        StoreError::Damaged(what) => Outcome::Failed { reason: format!("damaged: {what}") },
        StoreError::Unavailable(_) | StoreError::Busy | StoreError::Unusable(_) => {
            Outcome::Postponed { until: now + LOOK_AGAIN }
        }
    }
}

async fn send(lane: &Lane, claimed: &Claimed, ready: Ready) -> Outcome {
    let Ready { text, attempt, unwanted, time_limit } = ready;
    let parcel =
        Parcel { id: &claimed.id, address: &claimed.address, text: &text, first_attempt_at: attempt.first_attempt_at };
    let first = match attempt.before_sending() {
        First::Ask => match ask(lane, &parcel, &attempt, time_limit).await {
            Ok(first) => first,
            Err(error) => return later(&error, lane.app.clock.now()),
        },
        first => first,
    };
    match (first, unwanted) {
        (First::Settle(outcome), _) => return outcome,
        (First::Send | First::Ask, Some(reason)) => return attempt.never_again(reason),
        (First::Send | First::Ask, None) => {}
    }
    let ended = timeout_at(time_limit, lane.provider.send(&parcel)).await;
    let ended =
        ended.unwrap_or_else(|_| SendOutcome::InDoubt { reason: "no answer while the lease lasted".to_owned() });
    match &ended {
        SendOutcome::AccountRefused { reason } => lane.note_account(Some(reason)),
        SendOutcome::Sent { .. } => lane.note_account(None),
        SendOutcome::TooMany { retry_after } => {
            tracing::info!(channel = %lane.provider.channel(), seconds = retry_after.num_seconds(), "asked to wait");
        }
        _ => {}
    }
    attempt.after_sending(ended, lane.app.clock.now())
}

/// Finds out whether a message in doubt exists.
async fn ask(lane: &Lane, parcel: &Parcel<'_>, attempt: &Attempt, time_limit: Instant) -> Result<First, StoreError> {
    let word = timeout_at(time_limit, lane.provider.look_up(parcel)).await;
    let word = word.unwrap_or_else(|_| LookUp::CannotTell { reason: "no answer while the lease lasted".to_owned() });
    let known = match &word {
        LookUp::Found { provider_ids } => lane.app.store.known_provider_ids(provider_ids).await?,
        LookUp::Absent | LookUp::CannotTell { .. } => Vec::new(),
    };
    Ok(attempt.after_asking(word, &known, lane.app.clock.now()))
}

/// Counts what became of the entry, and logs what a host should know. Never the entry's id: it names an address.
fn tell(lane: &Lane, address: &Address, claimed: &Claimed, outcome: &Outcome) {
    let channel = address.channel.as_str();
    let attempts = claimed.attempts;
    let word = match outcome {
        Outcome::Sent { .. } => "sent",
        Outcome::Retry { hold: true, .. } => "held",
        Outcome::Retry { reason, .. } => {
            tracing::info!(channel, attempts, reason, "a message was not sent and will be tried again");
            "retry"
        }
        Outcome::InDoubt { reason, .. } => {
            tracing::warn!(channel, attempts, reason, "nobody knows whether a message was sent");
            "in_doubt"
        }
        Outcome::Postponed { .. } => "postponed",
        Outcome::Failed { reason } => {
            tracing::warn!(channel, attempts, reason, "a message will never be sent");
            "failed"
        }
        Outcome::Unknown { reason } => {
            tracing::warn!(channel, attempts, reason, "whether a message was sent will never be known");
            "unknown"
        }
        Outcome::Dropped { .. } => "dropped",
        Outcome::Moved { .. } => "moved",
        Outcome::Unreachable { reason } => {
            tracing::info!(channel, reason, "nobody is there");
            "unreachable"
        }
        Outcome::OptedOut { .. } => "opted_out",
    };
    counter!("convive_messages_total", "channel" => lane.provider.channel().as_str(), "outcome" => word).increment(1);
}
