//! Messages that Convive starts: whom they go to when they are decided, and their words when they are first sent.

mod asking;
mod digest;
mod elsewhere;
mod hosts;
mod jobs;
mod known_links;
mod words;

use std::collections::BTreeMap;

use chrono::{DateTime, TimeDelta, Utc};
use domain::{
    address::Address,
    conversation::Conversation,
    message::Outgoing,
    model::{Event, GuestId},
    notice::{Addressed, Audience, Decided, Notice},
    schedule::{self, Reach},
    show, wording,
};
use store::{Claimed, Content, Initiated, Link, NewEntry, Rendered, StoreError};

pub(crate) use self::known_links::KnownLinks;
pub use self::{
    elsewhere::instead,
    jobs::{digest_job, digest_key, digest_told_job, reminders_job},
};
use crate::{App, intake::rendered, outreach::reach};

/// A question that was asked just before is answered first.
const QUESTION_IS_FRESH: TimeDelta = TimeDelta::minutes(30);

/// What is to be done with an initiated message that is claimed for the first time.
#[derive(Debug, Clone, PartialEq)]
pub enum InitiatedPlan {
    /// Send it, in these words. Its question, if any, becomes the address's open one.
    Send { text: Rendered, question: Option<u64>, conversation: Option<Box<Conversation>> },
    /// Not now.
    Postpone { until: DateTime<Utc> },
    /// It would say nothing true, or nobody may be written to there.
    Drop { reason: String },
}

/// The decision that notices come from.
pub(crate) struct Occasion<'a> {
    /// Makes the entries' ids: the same decision gives the same ones.
    pub key: &'a str,
    /// Who spoke, if somebody did.
    pub speaker: Option<&'a Address>,
    pub at: DateTime<Utc>,
    pub known: KnownLinks,
}

/// The outbox entries of a decided notice (the occasion's `index`th): one for each address that has to hear, except
/// the one that spoke.
///
/// # Errors
/// When the store cannot be read.
pub(crate) async fn entries(
    app: &App,
    decided: &Decided,
    index: usize,
    event: &Event,
    occasion: &Occasion<'_>,
) -> Result<Vec<NewEntry>, StoreError> {
    if decided.notice.news().is_some_and(|news| event.digest.not_at_once.contains(&news)) {
        return Ok(Vec::new());
    }
    let links = match &decided.audience {
        Audience::Guests(guests) => occasion.known.links(app.store.as_ref(), guests).await?,
        Audience::EveryAddressOf(guest) => occasion.known.links(app.store.as_ref(), &[*guest]).await?,
        Audience::Hosts(event) => occasion.known.links_of_hosts(app.store.as_ref(), event).await?,
    };
    let every = matches!(decided.audience, Audience::EveryAddressOf(_));
    let heeds_mute = decided.notice.obeys_window_and_mute();
    let addressed = who_hears(links, (every, heeds_mute), occasion.speaker);
    Ok(addressed
        .into_iter()
        .map(|(address, guests)| {
            let initiated = initiated(event, &address, narrowed(&decided.notice, &guests), occasion.at);
            NewEntry {
                id: format!("{}/n{index}/{address}", occasion.key),
                address,
                content: Content::Initiated(initiated),
                question: None,
                only_asks: false,
            }
        })
        .collect())
}

/// The outbox entry of what a host ordered.
pub(crate) fn ordered(order: &Addressed, event: &Event, occasion: &Occasion<'_>) -> NewEntry {
    let kind = match &order.notice {
        Notice::BroadcastReport { .. } => "report".to_owned(),
        Notice::BroadcastProgress { then, .. } => format!("progress/{}", then.timestamp()),
        _ => "to".to_owned(),
    };
    let initiated = initiated(event, &order.address, order.notice.clone(), occasion.at);
    NewEntry {
        id: format!("{}/{kind}/{}", occasion.key, order.address),
        address: order.address.clone(),
        content: Content::Initiated(Initiated { hours: order.hours, not_after: order.not_after, ..initiated }),
        question: None,
        only_asks: false,
    }
}

/// Each person at the open address they used last (or at every one), each address once, with the guests it is for.
fn who_hears(
    links: Vec<Link>,
    (every, heeds_mute): (bool, bool),
    speaker: Option<&Address>,
) -> BTreeMap<Address, Vec<GuestId>> {
    let mut by_guest: BTreeMap<GuestId, Vec<Reach>> = BTreeMap::new();
    for (guest, reach) in links.into_iter().map(reach) {
        by_guest.entry(guest).or_default().push(reach);
    }
    let mut addressed: BTreeMap<Address, Vec<GuestId>> = BTreeMap::new();
    for (guest, mut reaches) in by_guest {
        // Whoever spoke knows already, at whichever address.
        let is_speaker = |reach: &Reach| Some(&reach.address) == speaker;
        if !every && reaches.iter().any(is_speaker) {
            continue;
        }
        schedule::last_used_first(&mut reaches);
        let take = if every { reaches.len() } else { 1 };
        let open = reaches.into_iter().filter(|reach| reach.is_open(heeds_mute) && !is_speaker(reach));
        for reach in open.take(take) {
            addressed.entry(reach.address).or_default().push(guest);
        }
    }
    addressed
}

/// The notice as far as it concerns these guests.
fn narrowed(notice: &Notice, to: &[GuestId]) -> Notice {
    match notice {
        Notice::AnsweredFor { guests, by } => {
            Notice::AnsweredFor { guests: guests.iter().copied().filter(|guest| to.contains(guest)).collect(), by: *by }
        }
        notice => notice.clone(),
    }
}

/// A notice as it is stored.
pub(crate) fn initiated(event: &Event, to: &Address, notice: Notice, now: DateTime<Utc>) -> Initiated {
    let obeys = notice.obeys_window_and_mute();
    Initiated {
        event: event.id.clone(),
        obeys_mute: obeys,
        hours: obeys.then(|| event.hours_at(to, [])),
        not_after: obeys.then_some(event.starts_at),
        decided_at: now,
        notice,
    }
}

/// Decides what to do with an initiated message now: its words from the facts as they are, or why it has to wait
/// or to go.
///
/// # Errors
/// When the store cannot be read.
pub async fn render(
    app: &App,
    claimed: &Claimed,
    initiated: &Initiated,
    now: DateTime<Utc>,
) -> Result<InitiatedPlan, StoreError> {
    let drop = |reason: &str| Ok(InitiatedPlan::Drop { reason: reason.to_owned() });
    if initiated.not_after.is_some_and(|until| now >= until) {
        return drop("too late to be of use");
    }
    let known = app.store.conversation(&claimed.address).await?;
    let may_be_first = initiated.notice.to_guests().is_some();
    let first = || may_be_first.then(|| Conversation::new(claimed.address.clone()));
    let Some(conversation) = known.or_else(first) else { return drop("the address is no longer known") };
    if conversation.opted_out || initiated.obeys_mute && conversation.muted {
        return drop("the person asked not to be written to");
    }
    let opens = initiated.hours.map_or(now, |hours| hours.next_open(now));
    if opens > now {
        return Ok(InitiatedPlan::Postpone { until: opens });
    }
    let Some(event) = app.store.event(&initiated.event).await? else { return drop("the event is gone") };
    let Some(notice) = asking::unless_asked_lately(app, &conversation, initiated, &claimed.id, now).await? else {
        return drop("they were asked just before");
    };
    let words = match words(app, &conversation, &notice, &event, now).await? {
        Worded::Says(words) => words,
        Worded::Later(until) => return Ok(InitiatedPlan::Postpone { until }),
        Worded::Nothing => return drop("no longer true"),
    };
    let Words { message, locale, mut asks, part } = words;
    if asks.is_some()
        && let Some(asked_at) = conversation.dialogue.asked_at.filter(|_| conversation.dialogue.open.is_some())
        && asked_at + QUESTION_IS_FRESH > now
    {
        return Ok(InitiatedPlan::Postpone { until: asked_at + QUESTION_IS_FRESH });
    }
    if let Some(conversation) = &mut asks {
        conversation.dialogue.note_asked(notice.asks(), &claimed.id, now);
    }
    let question = asks.as_ref().and(message.question.as_ref()).map(|question| question.number);
    match in_words(&message, &locale, &claimed.address, part) {
        Some(text) => Ok(InitiatedPlan::Send { text, question, conversation: asks }),
        None => drop("it has become shorter"),
    }
}

/// How a message would look if it went to an address at a time; `None` where it would say nothing true.
///
/// # Errors
/// When the store cannot be read.
pub async fn preview(
    app: &App,
    address: &Address,
    notice: &Notice,
    event: &Event,
    at: DateTime<Utc>,
) -> Result<Option<Rendered>, StoreError> {
    let conversation = app.store.conversation(address).await?;
    let conversation = conversation.unwrap_or_else(|| Conversation::new(address.clone()));
    if conversation.opted_out || conversation.muted && notice.obeys_window_and_mute() {
        return Ok(None);
    }
    Ok(match words(app, &conversation, notice, event, at).await? {
        Worded::Says(words) => in_words(&words.message, &words.locale, address, words.part),
        Worded::Later(_) | Worded::Nothing => None,
    })
}

/// A message, the language to put it into, and the conversation in which its question is open, if it asks.
pub(crate) struct Words {
    message: Outgoing,
    locale: String,
    asks: Option<Box<Conversation>>,
    /// Which part of it is meant, where it is so long that it takes several.
    part: u32,
}

/// What there is to say.
pub(crate) enum Worded {
    Says(Words),
    /// What it is about is not settled yet.
    Later(DateTime<Utc>),
    /// It would not be true any more.
    Nothing,
}

async fn words(
    app: &App,
    conversation: &Conversation,
    notice: &Notice,
    event: &Event,
    now: DateTime<Utc>,
) -> Result<Worded, StoreError> {
    let message = match notice {
        Notice::Reminder { guests } | Notice::Invitation { guests } => {
            return asking::words(app, conversation, notice, guests, now).await;
        }
        Notice::Digest { from, until, part, parts } => {
            let gathered = app.gather(&event.id).await?;
            let facts = app.digest_facts(event, &gathered, Some(*from), *until).await?;
            return Ok(hosts::digest_part(&facts, conversation, *part, *parts));
        }
        Notice::BroadcastProgress { broadcast, messages, then } => {
            return hosts::progress(app, conversation, event, (broadcast, *messages, *then), now).await;
        }
        Notice::BroadcastReport { broadcast, messages, unreached } => {
            return hosts::report(app, conversation, event, (broadcast, *messages, unreached), now).await;
        }
        notice => words::message(app, conversation, notice, event, now).await?,
    };
    let Some(message) = message else { return Ok(Worded::Nothing) };
    let locale = conversation.locale.clone().unwrap_or_else(|| event.default_locale.clone());
    Ok(Worded::Says(Words { message, locale, asks: None, part: 0 }))
}

/// A part of the message in words. Only what people wrote can make a message long, and digests; others are their first
/// part.
fn in_words(message: &Outgoing, locale: &str, address: &Address, part: u32) -> Option<Rendered> {
    let parts = show::show(message, wording::language(locale), address.style());
    parts.into_iter().nth(part as usize).map(rendered)
}
