//! Gathering what a digest is made of, and putting its parts into words.

use std::collections::HashSet;

use chrono::{DateTime, Utc};
use domain::{
    address::Address,
    conversation::Conversation,
    digest::{self, Facts},
    message::Outgoing,
    model::{Event, EventId, GuestId, Status},
    notice::Notice,
    schedule::{self, AddressBook, Member, WhyNot},
    show, wording,
};
use store::{Entry, EntryStatus, Page, StoreError};

use super::elsewhere::INSTEAD;
use crate::{App, Gathered};

const PAGE: u32 = 1_000;

impl App {
    /// Everything that a digest of this time is made of. `since` is `None` for a look at how things stand.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn digest_facts(
        &self,
        event: &Event,
        gathered: &Gathered,
        since: Option<DateTime<Utc>>,
        until: DateTime<Utc>,
    ) -> Result<Facts, StoreError> {
        let guests = self.all_guests(&event.id).await?;
        let plan = schedule::whom_to_write(&gathered.members, &gathered.book, &self.outreach, |member| {
            member.status == Status::Pending
        });
        let opened = guests.iter().filter(|guest| guest.last_login.is_some()).map(|guest| guest.id);
        let opened: HashSet<GuestId> = opened.chain(gathered.book.logins.keys().copied()).collect();
        let lost = gathered.members.iter().filter(|member| self.is_lost(member, &gathered.book));
        let lost = lost.map(|member| member.id).collect();
        let addresses = gathered.book.logins.values().flatten().map(|reach| reach.address.clone()).collect();
        let activity = match since {
            Some(since) => self.store.activity(&event.id, since).await?,
            None => Vec::new(),
        };
        Ok(Facts {
            event: event.clone(),
            guests,
            opened,
            unreached: schedule::without_those_too_late(plan, event, &gathered.members, until).unreached,
            lost,
            activity: activity.into_iter().filter(|activity| activity.at < until).collect(),
            failed: match since {
                Some(since) => self.failed(event, &addresses, since, until).await?,
                None => 0,
            },
            since,
            now: until,
        })
    }

    /// Whether they opted out or blocked us wherever they could be written to.
    fn is_lost(&self, member: &Member, book: &AddressBook) -> bool {
        if let Some(reaches) = book.logins.get(&member.id).filter(|reaches| !reaches.is_empty()) {
            return reaches.iter().all(|reach| reach.opted_out || reach.unreachable);
        }
        let phone = member.phone.as_deref().and_then(|phone| self.outreach.phone(phone));
        let why = phone.and_then(|phone| book.closed.get(&phone));
        matches!(why, Some(WhyNot::OptedOut | WhyNot::Blocked))
    }

    /// Messages of an event that were given up in this time.
    async fn failed(
        &self,
        event: &Event,
        addresses: &HashSet<Address>,
        from: DateTime<Utc>,
        until: DateTime<Utc>,
    ) -> Result<u32, StoreError> {
        let mut failed = 0;
        for status in [EntryStatus::Failed, EntryStatus::Unknown] {
            let mut after = None;
            loop {
                let page = self.store.entries(status, Page { after, limit: PAGE }).await?;
                let of_this_time = page.iter().filter(|entry| {
                    let is_ours = match &entry.initiated {
                        Some(initiated) => initiated.event == event.id,
                        None => addresses.contains(&entry.address),
                    };
                    // The end of the lease in which it was given up: no later time than that can be missed.
                    is_ours && (from..until).contains(&entry.due_at)
                });
                for entry in of_this_time {
                    failed += u32::from(!self.arrived_instead(entry).await?);
                }
                match page.last() {
                    Some(last) if page.len() == PAGE as usize => after = Some(last.id.clone()),
                    _ => break,
                }
            }
        }
        Ok(failed)
    }

    /// Whether a text that went instead of a refused message has reached them after all.
    async fn arrived_instead(&self, entry: &Entry) -> Result<bool, StoreError> {
        let may_have = entry.initiated.as_ref().is_some_and(|initiated| initiated.notice.to_guests().is_some());
        let texts = format!("{}{INSTEAD}", entry.id);
        Ok(may_have && !self.store.entries_of(&texts, EntryStatus::Sent, 1).await?.is_empty())
    }

    /// Up to when hosts had their digest; the first jobs begin with the program.
    pub(crate) async fn digested_until(&self, event: &EventId) -> Result<Option<DateTime<Utc>>, StoreError> {
        let told = self.store.progress(&super::digest_told_job(event, &self.outreach)).await?;
        let done = self.store.progress(&super::digest_job(event, &self.outreach)).await?;
        match told.or(done) {
            Some(told) => self.digest_begins(event, told).await.map(Some),
            None => Ok(None),
        }
    }

    /// When the time of the next digest begins, after one that ended then: there or, if that one reached nobody, where
    /// that one began.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn digest_begins(&self, event: &EventId, told: DateTime<Utc>) -> Result<DateTime<Utc>, StoreError> {
        let last = format!("{}/", super::digest_key(event, &self.outreach, told));
        for status in [EntryStatus::Sent, EntryStatus::Pending, EntryStatus::Leased, EntryStatus::Unknown] {
            if !self.store.entries_of(&last, status, 1).await?.is_empty() {
                return Ok(told);
            }
        }
        for status in [EntryStatus::Failed, EntryStatus::Dropped] {
            let lost = self.store.entries_of(&last, status, 1).await?;
            if let Some(Notice::Digest { from, .. }) =
                lost.first().and_then(|entry| entry.initiated.as_ref()).map(|initiated| &initiated.notice)
            {
                return Ok(*from);
            }
        }
        Ok(told)
    }

    /// Whether there is anything to tell hosts of this time.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn has_news(&self, event: &Event, from: DateTime<Utc>, until: DateTime<Utc>) -> Result<bool, StoreError> {
        let mut activity = self.store.activity(&event.id, from).await?;
        activity.retain(|activity| activity.at < until);
        if digest::has_news(&activity, 0) {
            return Ok(true);
        }
        let gathered = self.gather(&event.id).await?;
        let addresses = gathered.book.logins.values().flatten().map(|reach| reach.address.clone()).collect();
        Ok(self.failed(event, &addresses, from, until).await? > 0)
    }
}

/// How many messages a digest of this time is, at this address.
pub(super) fn parts(facts: &Facts, conversation: &Conversation) -> u32 {
    let shown = show::show(
        &message(facts, conversation),
        wording::language(locale(facts, conversation)),
        conversation.address.style(),
    );
    u32::try_from(shown.len()).unwrap_or(u32::MAX)
}

/// The whole digest; the caller picks a part of it.
pub(super) fn message(facts: &Facts, conversation: &Conversation) -> Outgoing {
    digest::message(facts, conversation.address.style(), speaks_for(facts, conversation))
}

pub(super) fn locale<'a>(facts: &'a Facts, conversation: &'a Conversation) -> &'a str {
    conversation.locale.as_deref().unwrap_or(&facts.event.default_locale)
}

/// The host who is logged in there.
fn speaks_for(facts: &Facts, conversation: &Conversation) -> Option<GuestId> {
    let is_here = |guest: &&domain::model::Guest| guest.is_admin && conversation.logins.contains(&guest.id);
    facts.guests.iter().find(is_here).map(|guest| guest.id)
}
