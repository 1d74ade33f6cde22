//! Messages to hosts: digests, and what became of a message to many.

use chrono::{DateTime, TimeDelta, Utc};
use domain::{
    address::Address,
    conversation::Conversation,
    digest::Facts,
    message::{Outgoing, Say},
    model::{Event, GuestId},
    notice::Notice,
};
use store::{Commit, Content, Entry, EntryStatus, NewEntry, Page, StoreError};

use super::{Worded, Words, digest, initiated};
use crate::{App, outreach::reach};

/// When a broadcast is looked at again that is not over.
const LOOK_AGAIN: TimeDelta = TimeDelta::seconds(5);
/// After so long the report says what is known.
const LONGEST_BROADCAST: TimeDelta = TimeDelta::hours(24);
const PAGE: u32 = 1_000;

impl App {
    /// Where the hosts of an event are written to, each at the address they used last; of those that this process
    /// reaches.
    async fn hosts_at(&self, event: &Event) -> Result<Vec<Address>, StoreError> {
        let hosts: Vec<GuestId> = self.store.hosts(&event.id).await?.into_iter().map(|guest| guest.id).collect();
        let links = self.store.links(&hosts).await?.into_iter().map(reach);
        let book = domain::schedule::to_address_book(links, &self.outreach);
        let first = |host: &GuestId| {
            let open = book.get(host)?.iter().find(|reach| reach.is_open(true))?;
            Some(open.address.clone())
        };
        let mut addresses: Vec<Address> = hosts.iter().filter_map(first).collect();
        addresses.sort();
        addresses.dedup();
        Ok(addresses)
    }

    /// The entries of a digest of the time `(from, until)`, to every host who can be written to.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn digest_entries(
        &self,
        event: &Event,
        (from, until): (DateTime<Utc>, DateTime<Utc>),
        key: &str,
        now: DateTime<Utc>,
    ) -> Result<Vec<NewEntry>, StoreError> {
        let addresses = self.hosts_at(event).await?;
        if addresses.is_empty() {
            return Ok(Vec::new());
        }
        let gathered = self.gather(&event.id).await?;
        let facts = self.digest_facts(event, &gathered, Some(from), until).await?;
        let mut entries = Vec::new();
        for address in addresses {
            let Some(conversation) = self.store.conversation(&address).await? else { continue };
            let parts = digest::parts(&facts, &conversation);
            entries.extend((0..parts).map(|part| NewEntry {
                // Parts of one digest go in the order of their ids.
                id: format!("{key}/{address}/{part:03}"),
                address: address.clone(),
                content: Content::Initiated(initiated(
                    event,
                    &address,
                    Notice::Digest { from, until, part, parts },
                    now,
                )),
                question: None,
                only_asks: false,
            }));
        }
        Ok(entries)
    }

    /// A commit that tells the hosts of an event something, once for this key; by other channels where it is that one
    /// has stopped.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn tell_hosts(&self, event: &Event, notice: Notice, key: &str) -> Result<Commit, StoreError> {
        let at = self.clock.now();
        let mut addresses = self.hosts_at(event).await?;
        if let Notice::ChannelStopped { channel } = &notice {
            addresses.retain(|address| address.channel != *channel);
        }
        if notice.news().is_some_and(|news| event.digest.not_at_once.contains(&news)) {
            addresses.clear();
        }
        let entry = |address: Address| NewEntry {
            id: format!("{key}/{address}"),
            content: Content::Initiated(initiated(event, &address, notice.clone(), at)),
            address,
            question: None,
            only_asks: false,
        };
        let outbox = addresses.into_iter().map(entry).collect();
        Ok(Commit { at, once: vec![key.to_owned()], outbox, ..Commit::default() })
    }
}

/// One message of a digest. Where it has become longer than it was when it was decided, the last one ends early.
pub(super) fn digest_part(facts: &Facts, conversation: &Conversation, part: u32, parts: u32) -> Worded {
    if part >= parts {
        return Worded::Nothing;
    }
    Worded::Says(Words {
        message: digest::message(facts, conversation),
        locale: digest::locale(facts, conversation).to_owned(),
        asks: None,
        part,
    })
}

/// How far a message to many is, at its time; nothing where that is over.
pub(super) async fn progress(
    app: &App,
    conversation: &Conversation,
    event: &Event,
    (broadcast, messages, then): (&str, u32, DateTime<Utc>),
    now: DateTime<Utc>,
) -> Result<Worded, StoreError> {
    if now < then {
        return Ok(Worded::Later(then));
    }
    let counts = app.store.outbox_counts_of(broadcast).await?;
    if counts.pending + counts.leased == 0 {
        return Ok(Worded::Nothing);
    }
    let sent = u32::try_from(counts.sent).unwrap_or(u32::MAX).min(messages);
    let say = Say::new("host-broadcast-progress").with("event", event.name.as_str()).with("sent", sent);
    Ok(to_host(conversation, event, vec![say.with("messages", messages)]))
}

fn to_host(conversation: &Conversation, event: &Event, says: Vec<Say>) -> Worded {
    Worded::Says(Words {
        message: Outgoing::statement(says),
        locale: conversation.locale.clone().unwrap_or_else(|| event.default_locale.clone()),
        asks: None,
        part: 0,
    })
}

/// What became of a message to many, once it is over.
pub(super) async fn report(
    app: &App,
    conversation: &Conversation,
    event: &Event,
    (broadcast, messages, unreached): (&str, u32, &[GuestId]),
    now: DateTime<Utc>,
) -> Result<Worded, StoreError> {
    let open = entries_of(app, broadcast, &[EntryStatus::Pending, EntryStatus::Leased]).await?;
    if open.iter().any(|entry| entry.created_at + LONGEST_BROADCAST > now) {
        return Ok(Worded::Later(now + LOOK_AGAIN));
    }
    let lost = entries_of(app, broadcast, &[EntryStatus::Failed, EntryStatus::Unknown, EntryStatus::Dropped]).await?;
    // A text that goes instead of a refused message reaches them after all.
    let is_instead = |id: &str| id.contains("/instead/");
    let refused = lost.iter().chain(&open).filter(|entry| !is_instead(&entry.id));
    let about = refused.clone().filter_map(|entry| entry.initiated.as_ref()?.notice.to_guests());
    let mut missed: Vec<GuestId> = about.flatten().chain(unreached).copied().collect();
    missed.sort_unstable();
    missed.dedup();
    let mut names = Vec::new();
    for guest in missed {
        names.extend(app.store.guest(guest).await?.map(|guest| guest.full_name()));
    }
    let failed = u32::try_from(refused.count()).unwrap_or(u32::MAX);
    let done = messages.saturating_sub(failed);
    let head = Say::new("broadcast-done").with("event", event.name.as_str()).with("sent", done);
    let mut says = vec![head.with("messages", messages)];
    if !names.is_empty() {
        says.push(Say::new("broadcast-missed").with("names", names));
    }
    Ok(to_host(conversation, event, says))
}

/// Entries of a broadcast in these states. Sent ones, which are most, are not looked at.
async fn entries_of(app: &App, broadcast: &str, states: &[EntryStatus]) -> Result<Vec<Entry>, StoreError> {
    let mut found = Vec::new();
    for status in states {
        let mut after = None;
        loop {
            let page = app.store.entries(*status, Page { after, limit: PAGE }).await?;
            let last = page.last().map(|entry| entry.id.clone()).filter(|_| page.len() == PAGE as usize);
            found.extend(page.into_iter().filter(|entry| entry.id.starts_with(broadcast)));
            match last {
                // Whether it is over is all there is to know of what is still open.
                Some(_) if !found.is_empty() && matches!(status, EntryStatus::Pending | EntryStatus::Leased) => break,
                Some(last) => after = Some(last),
                None => break,
            }
        }
    }
    Ok(found)
}
