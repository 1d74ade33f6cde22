//! Links that were loaded along with what a decision rests on.

use std::collections::HashSet;

use domain::model::GuestId;
use store::{Link, Loaded, Store, StoreError};

/// Links, and whose they all are.
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

    pub(super) async fn links(&self, store: &dyn Store, guests: &[GuestId]) -> Result<Vec<Link>, StoreError> {
        if guests.iter().all(|guest| self.guests.contains(guest)) {
            return Ok(self.links.iter().filter(|link| guests.contains(&link.guest)).cloned().collect());
        }
        store.links(guests).await
    }
}
