//! What a host's command needs to know: no more of the guest list than it is about.

use std::collections::HashSet;

use chrono::{DateTime, TimeDelta, Utc};
use domain::{
    conversation::{self, HostView, Listed, OneTimeLink, Wanted},
    digest::Facts,
    message::Inbound,
    model::{Event, Guest, GuestId, Status},
    name,
    schedule::{self, AddressBook, Member, WhyNot},
};
use store::{GuestQuery, Loaded, StoreError};

use crate::{App, Gathered, HostLink, LINK_MINUTES};

/// Where more people than this may be meant by a name, everybody is looked at.
const MOST_NAMED: u32 = 100;

/// The guests whom a command is about.
#[derive(Default)]
struct Looked {
    guests: Vec<Guest>,
    book: AddressBook,
    unreached: Vec<(GuestId, WhyNot)>,
    listed: Option<Listed>,
}

impl App {
    /// Nothing where the message is no host's command. Whether they are one is looked up each time.
    pub(crate) async fn host_view(
        &self,
        inbound: &Inbound,
        loaded: &Loaded,
        now: DateTime<Utc>,
    ) -> Result<Option<HostView>, StoreError> {
        let Some(request) = conversation::host_request(inbound, &loaded.conversation, &loaded.logins) else {
            return Ok(None);
        };
        let Some(host) = loaded.logins.iter().find(|guest| guest.id == request.host) else { return Ok(None) };
        let Some(event) = self.store.event(&host.event_id).await? else { return Ok(None) };
        let looked = match &request.wanted {
            Wanted::Everybody => None,
            Wanted::Nobody | Wanted::Link => Some(Looked::default()),
            Wanted::These(guests) => Some(self.groups_of(guests).await?),
            Wanted::Named(text) => self.named(&event, text).await?,
            Wanted::Page { status, with_dietary_needs, page, size } => {
                Some(self.page(&event, (*status, *with_dietary_needs), *page, *size).await?)
            }
        };
        let out = match request.wanted {
            Wanted::Nobody => u32::try_from(self.store.statistics(&event.id).await?.pending).unwrap_or(u32::MAX),
            _ => 0,
        };
        let (facts, book, listed) = match looked {
            Some(Looked { guests, book, unreached, listed }) => {
                (Facts { unreached, ..about(event, guests, &book, now) }, book, listed)
            }
            None => {
                let (facts, book) = self.everything(event, request.news, now).await?;
                (facts, book, None)
            }
        };
        let asked_lately = match request.asks {
            true => self.asked_lately(&facts.event, now).await?,
            false => HashSet::new(),
        };
        let link = if request.wanted == Wanted::Link { self.link_for(request.host) } else { None };
        let outreach = (*self.outreach).clone();
        Ok(Some(HostView { host: request.host, facts, book, outreach, asked_lately, listed, out, link }))
    }

    /// Whom a message that waits, or went out just now, asks for their answer.
    async fn asked_lately(&self, event: &Event, now: DateTime<Utc>) -> Result<HashSet<GuestId>, StoreError> {
        let entries = self.store.initiated_since(&event.id, now - conversation::NOT_ASKED_AGAIN).await?;
        let notices = entries.iter().filter_map(|entry| entry.initiated.as_ref());
        Ok(notices.flat_map(|initiated| initiated.notice.asks()).copied().collect())
    }

    fn link_for(&self, host: GuestId) -> Option<OneTimeLink> {
        let site = self.site.as_ref()?;
        let HostLink { path, key } = self.draw_host_link(host);
        let minutes = u32::try_from(LINK_MINUTES).unwrap_or(u32::MAX);
        Some(OneTimeLink { url: format!("{site}{path}"), key, minutes })
    }

    async fn everything(
        &self,
        event: Event,
        news: bool,
        now: DateTime<Utc>,
    ) -> Result<(Facts, AddressBook), StoreError> {
        let gathered = self.gather(&event.id).await?;
        // What happens at this very moment is part of a look.
        let until = now + TimeDelta::milliseconds(1);
        let facts = if news {
            let since = self.digested_until(&event.id).await?;
            let facts = self.digest_facts(&event, &gathered, Some(since.unwrap_or_default()), until).await?;
            Facts { since, now, ..facts }
        } else {
            Facts { now, ..self.digest_facts(&event, &gathered, None, until).await? }
        };
        Ok((facts, gathered.book))
    }

    async fn groups_of(&self, guests: &[GuestId]) -> Result<Looked, StoreError> {
        let (mut guests, gathered) = self.gather_groups_of(guests).await?;
        guests.sort_by_key(|guest| (guest.created_at, guest.id));
        Ok(Looked { guests, book: gathered.book, ..Looked::default() })
    }

    /// Whoever may be named by the beginning of a text: the first word is part of their name or code. Nothing where that
    /// may be anybody.
    async fn named(&self, event: &Event, text: &str) -> Result<Option<Looked>, StoreError> {
        let first = text.split_whitespace().next().unwrap_or_default().trim_end_matches([',', ':']);
        if name::search_words(first).is_none_or(|words| words.is_empty()) {
            return Ok(None);
        }
        let query = GuestQuery { search: first.to_owned(), ..GuestQuery::all_of(event.id.clone(), MOST_NAMED) };
        let found = self.store.find_guests(&query).await?;
        if found.total == 0 || found.total > u64::from(MOST_NAMED) {
            return Ok(None);
        }
        let ids: Vec<GuestId> = found.guests.iter().map(|guest| guest.id).collect();
        self.groups_of(&ids).await.map(Some)
    }

    async fn page(
        &self,
        event: &Event,
        (status, with_dietary_needs): (Status, bool),
        page: usize,
        size: usize,
    ) -> Result<Looked, StoreError> {
        let limit = u32::try_from(size).unwrap_or(u32::MAX);
        let first =
            GuestQuery { status: Some(status), with_dietary_needs, ..GuestQuery::all_of(event.id.clone(), limit) };
        let skip = u64::try_from(page.saturating_sub(1).saturating_mul(size)).unwrap_or(u64::MAX);
        let mut found = self.store.find_guests(&GuestQuery { skip, ..first.clone() }).await?;
        let mut page = page;
        if found.guests.is_empty() || page == 0 {
            page = 1;
            found = self.store.find_guests(&first).await?;
        }
        // Whoever has no address may have somebody in their group who speaks for them.
        let keys = found.guests.iter().map(Guest::group_key).collect();
        let Gathered { members, book } = self.gather_groups(keys).await?.1;
        let ids: HashSet<GuestId> = found.guests.iter().map(|guest| guest.id).collect();
        let is_out = |member: &Member| ids.contains(&member.id);
        let unreached = schedule::whom_to_write(&members, &book, &self.outreach, is_out).unreached;
        let listed = Listed { page, total: usize::try_from(found.total).unwrap_or(usize::MAX) };
        Ok(Looked { guests: found.guests, book, unreached, listed: Some(listed) })
    }
}

/// What there is to know of these guests.
fn about(event: Event, guests: Vec<Guest>, book: &AddressBook, now: DateTime<Utc>) -> Facts {
    let logged_in = guests.iter().filter(|guest| guest.last_login.is_some()).map(|guest| guest.id);
    let opened = logged_in.chain(book.logins.keys().copied()).collect();
    Facts {
        event,
        guests,
        opened,
        unreached: Vec::new(),
        lost: HashSet::new(),
        activity: Vec::new(),
        failed: 0,
        since: None,
        now,
    }
}
