//! What a host does: the guest list, codes, and the event itself.
//!
//! As everywhere: load, let the rules decide, commit; and load and decide again when something has changed meanwhile.

mod adopt;
mod ahead;
mod changes;
mod codes;
mod deliveries;
mod events;
mod guests;
mod many;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use domain::{
    activity::{Activity, Actor, Happening},
    address::Channel,
    adopt::AdoptError,
    event_settings::SettingError,
    guest_file::LineError,
    model::{EventId, GroupKey, Guest, GuestId, Version},
};
use store::{GroupRests, Page, StoreError};

pub use adopt::Adopted;
pub use ahead::{Round, RoundKind};
pub use deliveries::{SendAgainError, Undelivered};
pub use events::EventSet;
pub use many::Bulk;

use crate::App;

/// How often a decision is made again because something it rests on has changed.
const TRIES: usize = 8;
const PAGE: u32 = 1_000;
/// Groups asked for at once.
const GROUPS_AT_ONCE: usize = 500;

/// Why a host's wish was not carried out. Nothing has changed then.
#[derive(Debug, thiserror::Error)]
pub enum HostError {
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Others kept changing the same things.
    #[error("gave up after too many simultaneous changes of the same guests or event; try again")]
    Contention,
    #[error("there is no event yet")]
    NoEvent,
    #[error("there are several events: {}", ids(.0))]
    SeveralEvents(Vec<EventId>),
    #[error("there is no event \"{id}\" (there is {})", ids(known))]
    NoSuchEvent { id: EventId, known: Vec<EventId> },
    #[error("no guest has this code")]
    NoSuchGuest,
    #[error("the code \"{0}\" is taken by another guest")]
    CodeTaken(String),
    #[error("the last host of an event cannot be removed; make another guest a host first")]
    LastHost,
    /// The record is no longer as it was when it was shown.
    #[error("somebody has changed this meanwhile; look again before you change it")]
    ChangedMeanwhile,
    /// A value that cannot be used; `field` is the record's own word for it.
    #[error("{field}: {message}")]
    Field { field: &'static str, message: String },
    /// Rows of a guest file that cannot be carried out.
    #[error("{}", lines(.0))]
    Rows(Vec<LineError>),
    #[error("the event \"{0}\" has guests already; adopt into a new one")]
    HasGuests(EventId),
    #[error("there are no guests in the database to adopt from; see whether its name in the URL is right")]
    NothingToAdopt,
    /// The source is only read: the remedy lies there, or in the event.
    #[error(
        "the deadline there (rsvpDeadline {date} in its settings) does not fit this event; correct it there, or the event \
         here with convive event set: {}",
        lines(errors)
    )]
    AdoptedDeadline { date: String, errors: Vec<SettingError> },
    /// Guests of the published application that cannot be brought over.
    #[error("{}", lines(.0))]
    Adopt(Vec<AdoptError>),
    /// Settings of an event that cannot be used.
    #[error("{}", lines(.0))]
    Settings(Vec<SettingError>),
}

fn ids(ids: &[EventId]) -> String {
    ids.iter().map(EventId::as_str).collect::<Vec<_>>().join(", ")
}

fn lines<T: ToString>(list: &[T]) -> String {
    list.iter().map(T::to_string).collect::<Vec<_>>().join("\n")
}

/// The host at the command line, who has no guest record there.
#[must_use]
pub fn command_line() -> Actor {
    Actor { guest_id: None, channel: Channel::Cli, as_host: true }
}

impl App {
    /// All guests of an event, by creation.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn all_guests(&self, event: &EventId) -> Result<Vec<Guest>, StoreError> {
        let mut guests: Vec<Guest> = Vec::new();
        loop {
            let after = guests.last().map(|guest| guest.id);
            let page = self.store.guests(event, Page { after, limit: PAGE }).await?;
            let is_last = page.len() < PAGE as usize;
            guests.extend(page);
            if is_last {
                return Ok(guests);
            }
        }
    }

    fn draw_code(&self) -> String {
        domain::code::from_random(&mut |bytes| self.clock.random(bytes))
    }

    /// Ids that rise in the order in which they are taken, so that a list keeps the order of its file.
    fn id_maker(&self) -> impl FnMut() -> GuestId + use<> {
        let mut random = [0; 8];
        self.clock.random(&mut random);
        let (now, mut next) = (self.clock.now(), u64::from_be_bytes(random));
        move || {
            next = next.wrapping_add(1);
            GuestId::new(now, next.to_be_bytes())
        }
    }

    /// The versions of these groups, to be raised by a commit.
    async fn rests_on(&self, keys: impl IntoIterator<Item = GroupKey>) -> Result<Vec<GroupRests>, StoreError> {
        let mut versions: BTreeMap<GroupKey, Version> = keys.into_iter().map(|key| (key, 0)).collect();
        let keys: Vec<_> = versions.keys().cloned().collect();
        for keys in keys.chunks(GROUPS_AT_ONCE) {
            for group in self.store.groups(keys).await? {
                versions.insert(group.key, group.version);
            }
        }
        Ok(versions.into_iter().map(|(key, version)| GroupRests { key, version, raise: true }).collect())
    }

    fn host_did(&self, guest: &Guest, by: &Actor, what: Happening) -> Activity {
        Activity {
            event_id: guest.event_id.clone(),
            guest_id: Some(guest.id),
            at: self.clock.now(),
            by: by.clone(),
            what,
        }
    }
}
