//! What a plan of messages needs to know, gathered from the store.

use std::collections::HashSet;

use domain::{
    model::{EventId, Guest, GuestId},
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
        let (mut members, mut reaches) = (Vec::new(), Vec::new());
        let mut after = None;
        loop {
            let page = self.store.guests(event, Page { after, limit: PAGE }).await?;
            let Some(last) = page.last() else { break };
            after = Some(last.id);
            let ids: Vec<GuestId> = page.iter().map(|guest| guest.id).collect();
            reaches.extend(self.store.links(&ids).await?.into_iter().map(reach));
            let is_last = page.len() < PAGE as usize;
            members.extend(page.iter().map(Member::from));
            if is_last {
                break;
            }
        }
        Ok(Gathered { members, book: schedule::to_address_book(reaches, &self.outreach) })
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
        keys.sort();
        keys.dedup();
        let all: Vec<Guest> = self.store.groups(&keys).await?.into_iter().flat_map(|group| group.members).collect();
        let ids: HashSet<GuestId> = all.iter().map(|guest| guest.id).collect();
        let ids: Vec<GuestId> = ids.into_iter().collect();
        let reaches = self.store.links(&ids).await?.into_iter().map(reach);
        let book = schedule::to_address_book(reaches, &self.outreach);
        let members = all.iter().map(Member::from).collect();
        Ok((all, Gathered { members, book }))
    }
}
