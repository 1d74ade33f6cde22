//! Links that were loaded along with what a decision rests on.

use std::collections::HashSet;

use domain::model::{EventId, GuestId};
use store::{Link, Loaded, Store, StoreError};

/// Links, and whose they all are.
#[derive(Debug, Default)]
pub(crate) struct KnownLinks {
    guests: HashSet<GuestId>,
    /// All hosts of an event.
    hosts: Option<(EventId, Vec<GuestId>)>,
    links: Vec<Link>,
}

impl KnownLinks {
    pub(crate) fn of(loaded: &Loaded) -> Self {
        let Some(links) = loaded.links.clone() else { return Self::default() };
        let candidates = loaded.candidates.iter().map(|candidate| &candidate.group);
        let groups = loaded.group.iter().chain(&loaded.other_groups).chain(candidates);
        let guests = groups.flat_map(|group| &group.members).map(|guest| guest.id).collect();
        Self { guests, hosts: loaded.hosts.clone(), links }
    }

    pub(super) async fn links(&self, store: &dyn Store, guests: &[GuestId]) -> Result<Vec<Link>, StoreError> {
        if guests.iter().all(|guest| self.guests.contains(guest)) {
            return Ok(self.of_guests(guests));
        }
        store.links(guests).await
    }

    pub(super) async fn links_of_hosts(&self, store: &dyn Store, event: &EventId) -> Result<Vec<Link>, StoreError> {
        match &self.hosts {
            Some((of, hosts)) if of == event => Ok(self.of_guests(hosts)),
            _ => store.links_of_hosts(event).await,
        }
    }

    fn of_guests(&self, guests: &[GuestId]) -> Vec<Link> {
        self.links.iter().filter(|link| guests.contains(&link.guest)).cloned().collect()
    }
}
