//! Messages to hosts: digests, and what became of a message to many.

use chrono::{DateTime, TimeDelta, Utc};
use domain::{
    address::Address,
    conversation::Conversation,
    digest::{Facts, told_apart},
    message::{Arg, Outgoing, Say},
    model::{Event, GuestId},
    notice::Notice,
};
use store::{Commit, Content, Entry, EntryStatus, NewEntry, StoreError};

use super::{Worded, Words, digest, elsewhere::INSTEAD, initiated};
use crate::{App, outreach::reach};

/// When a broadcast is looked at again that is not over.
const LOOK_AGAIN: TimeDelta = TimeDelta::seconds(5);
/// After so long the report says what is known.
const LONGEST_BROADCAST: TimeDelta = TimeDelta::hours(24);
/// Texts that go instead of one refused message, at most.
const PAGE: u32 = 1_000;
/// Once a message to many is over, what is in these states did not reach anybody; what is open by then neither.
const NOT_SENT: [EntryStatus; 5] =
    [EntryStatus::Pending, EntryStatus::Leased, EntryStatus::Failed, EntryStatus::Unknown, EntryStatus::Dropped];

impl App {
    /// Where the hosts of an event are written to, each at the address they used last; of those that this process
    /// reaches.
    async fn hosts_at(&self, event: &Event) -> Result<Vec<Address>, StoreError> {
        let hosts: Vec<GuestId> = self.store.hosts(&event.id).await?.into_iter().map(|guest| guest.id).collect();
        let links = self.store.links(&hosts).await?.into_iter().map(reach);
        let book = domain::schedule::to_address_book(links, &self.outreach);
        let first = |host: &GuestId| {
            let open = book.logins.get(host)?.iter().find(|reach| reach.is_open(true))?;
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
    let open = entries_of(app, broadcast, &[EntryStatus::Pending, EntryStatus::Leased], 1).await?;
    if open.iter().any(|entry| entry.created_at + LONGEST_BROADCAST > now) {
        return Ok(Worded::Later(now + LOOK_AGAIN));
    }
    let mut missed = unreached.to_vec();
    for entry in entries_of(app, broadcast, &NOT_SENT, u32::MAX).await? {
        // A text that goes instead of a refused message reaches them after all.
        let instead = app.store.entries_of(&format!("{}{INSTEAD}", entry.id), EntryStatus::Sent, PAGE).await?;
        let reached: Vec<GuestId> = instead.iter().flat_map(about).copied().collect();
        missed.extend(about(&entry).iter().filter(|guest| !reached.contains(guest)));
    }
    missed.sort_unstable();
    missed.dedup();
    let mut guests = Vec::new();
    for guest in missed {
        guests.extend(app.store.guest(guest).await?);
    }
    let names: Vec<Arg> = guests.iter().map(|guest| told_apart(guest, &guests)).collect();
    // Counted, not concluded: whoever has been erased since was reached by nothing.
    let sent = app.store.outbox_counts_of(broadcast).await?.sent;
    let done = u32::try_from(sent).unwrap_or(u32::MAX).min(messages);
    let head = Say::new("broadcast-done").with("event", event.name.as_str()).with("sent", done);
    let mut says = vec![head.with("messages", messages)];
    if !names.is_empty() {
        says.push(Say::new("broadcast-missed").with("names", names));
    }
    Ok(to_host(conversation, event, says))
}

/// The guests whom an entry is about.
fn about(entry: &Entry) -> &[GuestId] {
    entry.initiated.as_ref().and_then(|initiated| initiated.notice.to_guests()).unwrap_or_default()
}

/// Entries of a broadcast in these states, at most so many of each.
async fn entries_of(app: &App, broadcast: &str, states: &[EntryStatus], limit: u32) -> Result<Vec<Entry>, StoreError> {
    let mut found = Vec::new();
    for status in states {
        found.extend(app.store.entries_of(broadcast, *status, limit).await?);
    }
    Ok(found)
}
