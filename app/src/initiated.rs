//! Messages that Convive starts: whom they go to when they are decided, and their words when they are first sent.

use std::collections::{BTreeMap, HashSet};

use chrono::{DateTime, Utc};
use domain::{
    address::{Address, Channel},
    conversation::{Conversation, summary},
    message::{Arg, Outgoing, Say},
    model::{Event, Guest, GuestId},
    notice::{Audience, Decided, Hours, Notice},
    show, wording,
};
use store::{Claimed, Content, Initiated, Link, Loaded, NewEntry, Rendered, Store, StoreError};

use crate::{App, intake::rendered};

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

/// Links that were loaded along with what a decision rests on, and whose they all are.
#[derive(Debug, Default)]
pub(crate) struct KnownLinks {
    guests: HashSet<GuestId>,
    links: Vec<Link>,
}

impl KnownLinks {
    pub(crate) fn of(loaded: &Loaded) -> Self {
        let Some(links) = loaded.links.clone() else { return Self::default() };
        let candidates = loaded.candidates.iter().map(|candidate| &candidate.group);
        let groups = loaded.group.iter().chain(&loaded.other_groups).chain(candidates);
        Self { guests: groups.flat_map(|group| &group.members).map(|guest| guest.id).collect(), links }
    }

    async fn links(&self, store: &dyn Store, guests: &[GuestId]) -> Result<Vec<Link>, StoreError> {
        if guests.iter().all(|guest| self.guests.contains(guest)) {
            return Ok(self.links.iter().filter(|link| guests.contains(&link.guest)).cloned().collect());
        }
        store.links(guests).await
    }
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
    let links = match &decided.audience {
        Audience::Guests(guests) => occasion.known.links(app.store.as_ref(), guests).await?,
        Audience::EveryAddressOf(guest) => occasion.known.links(app.store.as_ref(), &[*guest]).await?,
        Audience::Hosts(event) => app.store.links_of_hosts(event).await?,
    };
    let every = matches!(decided.audience, Audience::EveryAddressOf(_));
    let addressed = whom_to_write(links, every, occasion.speaker);
    Ok(addressed
        .into_iter()
        .map(|(address, guests)| {
            let initiated = initiated(event, narrowed(&decided.notice, &guests), occasion.at);
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

/// Each person at the address they used last (or at every one), each address once, with the guests it is for.
fn whom_to_write(links: Vec<Link>, every: bool, speaker: Option<&Address>) -> BTreeMap<Address, Vec<GuestId>> {
    let mut by_guest: BTreeMap<GuestId, Vec<Link>> = BTreeMap::new();
    for link in links {
        by_guest.entry(link.guest).or_default().push(link);
    }
    let mut addressed: BTreeMap<Address, Vec<GuestId>> = BTreeMap::new();
    for (guest, mut links) in by_guest {
        // Whoever spoke knows already, at whichever address.
        if !every && links.iter().any(|link| Some(&link.address) == speaker) {
            continue;
        }
        links.retain(|link| !link.opted_out && !link.unreachable && Some(&link.address) != speaker);
        links.sort_by_key(|link| std::cmp::Reverse((link.last_used, link.address.clone())));
        let take = if every { links.len() } else { 1 };
        for link in links.into_iter().take(take) {
            addressed.entry(link.address).or_default().push(guest);
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

fn initiated(event: &Event, notice: Notice, now: DateTime<Utc>) -> Initiated {
    let obeys = notice.obeys_window_and_mute();
    Initiated {
        event: event.id.clone(),
        obeys_mute: obeys,
        hours: obeys.then_some(Hours { window: event.reminders.window, zone: event.time_zone }),
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
    let Some(conversation) = app.store.conversation(&claimed.address).await? else {
        return drop("the address is no longer known");
    };
    if conversation.opted_out || initiated.obeys_mute && conversation.muted {
        return drop("the person asked not to be written to");
    }
    let opens = initiated.hours.map_or(now, |hours| hours.next_open(now));
    if opens > now {
        return Ok(InitiatedPlan::Postpone { until: opens });
    }
    let Some(event) = app.store.event(&initiated.event).await? else { return drop("the event is gone") };
    let Some(says) = says(app, &claimed.address, &conversation, &initiated.notice, &event).await? else {
        return drop("no longer true");
    };
    let locale = conversation.locale.as_deref().unwrap_or(&event.default_locale);
    let message = Outgoing::statement(says);
    let mut parts = show::show(&message, wording::language(locale), claimed.address.style());
    // Notices are short; only what a guest wrote could be long, and its end is the least of it.
    parts.truncate(1);
    let text = parts.pop().map(rendered).unwrap_or_default();
    Ok(InitiatedPlan::Send { text, question: None, conversation: None })
}

/// The words, or nothing where they would no longer be true.
async fn says(
    app: &App,
    address: &Address,
    conversation: &Conversation,
    notice: &Notice,
    event: &Event,
) -> Result<Option<Vec<Say>>, StoreError> {
    let store = &app.store;
    let named = |id, guest: &Guest| Say::new(id).with("event", event.name.as_str()).with("name", guest.full_name());
    Ok(match notice {
        Notice::AnsweredFor { guests, by } => {
            let Some(by_guest) = store.guest(*by).await? else { return Ok(None) };
            let mut answered = Vec::new();
            for guest in guests {
                let guest = store.guest(*guest).await?;
                // Somebody else, or they themselves, may have answered since: that has a notice of its own.
                answered.extend(guest.filter(|guest| {
                    guest.answered_by.as_ref().is_none_or(|answered| answered.guest_id == *by)
                        && conversation.logins.contains(&guest.id)
                }));
            }
            if answered.is_empty() {
                return Ok(None);
            }
            let mut says =
                vec![Say::new("answered-for").with("by", by_guest.short_name()).with("event", event.name.as_str())];
            says.extend(summary::answers(&answered, address.style()));
            says.extend(summary::dietary(&answered, address.style()));
            says.push(Say::new("answered-for-change"));
            Some(says)
        }
        Notice::LoggedInElsewhere { guest, channel } => {
            let guest = store.guest(*guest).await?.filter(|guest| conversation.logins.contains(&guest.id));
            guest.map(|guest| vec![named("logged-in-elsewhere", &guest).with("channel", channel.as_str())])
        }
        Notice::CodeChanged { guest } => store.guest(*guest).await?.map(|guest| vec![named("code-changed", &guest)]),
        Notice::ExtraGuests { guest, expected, coming } => store
            .guest(*guest)
            .await?
            .map(|guest| vec![named("host-extras", &guest).with("coming", *coming).with("expected", *expected)]),
        Notice::MessageLeft { guest, text } => store.guest(*guest).await?.map(|guest| {
            vec![named("host-message", &guest), Say::new("host-message-text").with("text", Arg::from(text.as_str()))]
        }),
        Notice::WrongPerson { guest, channel } => {
            let channel = channel_name(*channel);
            store.guest(*guest).await?.map(|guest| vec![named("host-wrong-person", &guest).with("channel", channel)])
        }
    })
}

fn channel_name(channel: Channel) -> &'static str {
    match channel {
        Channel::Telegram => "Telegram",
        Channel::Sms => "SMS",
        Channel::Console => "terminal",
        Channel::Web => "web",
        Channel::Cli => "command line",
    }
}
