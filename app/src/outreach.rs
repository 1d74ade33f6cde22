//! What a plan of messages needs to know, gathered from the store.

use domain::{
    address::Address,
    model::{EventId, GroupKey, Guest, GuestId},
    schedule::{self, AddressBook, Member, Reach},
};
use store::{Link, Page, StoreError};

use crate::App;

const PAGE: u32 = 1_000;

/// The guests of an event and where they are logged in.
#[derive(Debug, Clone, Default)]
pub struct Gathered {
    /// By creation.
    pub members: Vec<Member>,
    pub book: AddressBook,
}

pub(crate) fn reach(link: Link) -> (GuestId, Reach) {
    let Link { guest, address, last_used, muted, opted_out, unreachable, locale: _ } = link;
    (guest, Reach { address, last_used, muted, opted_out, unreachable })
}

impl App {
    /// Everybody, with just what a plan needs: so that there may be very many.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn gather(&self, event: &EventId) -> Result<Gathered, StoreError> {
        let mut gathered = Gathered::default();
        let mut after = None;
        loop {
            let page = self.store.guests(event, Page { after, limit: PAGE }).await?;
            let Some(last) = page.last() else { break };
            after = Some(last.id);
            let is_last = page.len() < PAGE as usize;
            self.gather_these(&page, &mut gathered).await?;
            if is_last {
                break;
            }
        }
        Ok(gathered)
    }

    /// The same for the groups of some guests only.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn gather_groups_of(&self, guests: &[GuestId]) -> Result<(Vec<Guest>, Gathered), StoreError> {
        let mut keys = Vec::new();
        for guest in guests {
            keys.extend(self.store.guest(*guest).await?.map(|guest| guest.group_key()));
        }
        self.gather_groups(keys).await
    }

    pub(crate) async fn gather_groups(&self, mut keys: Vec<GroupKey>) -> Result<(Vec<Guest>, Gathered), StoreError> {
        keys.sort();
        keys.dedup();
        let all: Vec<Guest> = self.store.groups(&keys).await?.into_iter().flat_map(|group| group.members).collect();
        let mut gathered = Gathered::default();
        self.gather_these(&all, &mut gathered).await?;
        Ok((all, gathered))
    }

    async fn gather_these(&self, guests: &[Guest], gathered: &mut Gathered) -> Result<(), StoreError> {
        let ids: Vec<GuestId> = guests.iter().map(|guest| guest.id).collect();
        let links = self.store.links(&ids).await?.into_iter().map(reach);
        gathered.book.logins.extend(schedule::to_address_book(links, &self.outreach).logins);
        gathered.members.extend(guests.iter().map(Member::from));
        self.look_up_phones(guests, &mut gathered.book).await
    }

    /// Which phones of these guests may not be texted; of those only whom nothing reaches where they are logged in.
    pub(crate) async fn look_up_phones(&self, guests: &[Guest], book: &mut AddressBook) -> Result<(), StoreError> {
        let is_there =
            |guest: &&Guest| book.logins.get(&guest.id).into_iter().flatten().any(|reach| reach.is_open(true));
        let absent = guests.iter().filter(|guest| !is_there(guest));
        let phones: Vec<Address> = absent.filter_map(|guest| self.outreach.phone(guest.phone.as_deref()?)).collect();
        if !phones.is_empty() {
            let reaches = self.store.reaches(&phones).await?.into_iter();
            book.closed.extend(reaches.filter_map(|reach| reach.why_not().map(|why| (reach.address, why))));
        }
        Ok(())
    }
}
