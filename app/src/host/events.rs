//! Events: which one is meant, and its settings.

use domain::{
    activity::{Activity, Actor, Happening},
    event_settings,
    model::{Event, EventId, Version},
    notice::{Audience, Decided, Notice},
};
use store::{Commit, Committed, EventChange, NewEntry};

use super::{HostError, TRIES};
use crate::{
    App,
    initiated::{self, KnownLinks, Occasion},
};

/// What became of an event's settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EventSet {
    Created(Event),
    Updated(Event),
    Unchanged(Event),
}

impl EventSet {
    /// The event as it is now.
    #[must_use]
    pub fn event(&self) -> &Event {
        match self {
            Self::Created(event) | Self::Updated(event) | Self::Unchanged(event) => event,
        }
    }
}

impl App {
    /// The event that is meant: the one named, or the only one.
    ///
    /// # Errors
    /// When there is none, or several and none is named.
    pub async fn one_event(&self, id: Option<&EventId>) -> Result<Event, HostError> {
        if let Some(id) = id
            && let Some(event) = self.store.event(id).await?
        {
            return Ok(event);
        }
        let events = self.store.events().await?;
        let known: Vec<_> = events.iter().map(|event| event.id.clone()).collect();
        match id {
            _ if events.is_empty() => Err(HostError::NoEvent),
            Some(id) => Err(HostError::NoSuchEvent { id: id.clone(), known }),
            None if events.len() > 1 => Err(HostError::SeveralEvents(known)),
            None => events.into_iter().next().ok_or(HostError::NoEvent),
        }
    }

    /// Changes settings of an event, or creates it: the one named, the only one, or (where there is none) a new one
    /// called after its name.
    ///
    /// # Errors
    /// Every setting that cannot be used.
    pub async fn set_event(
        &self,
        id: Option<&EventId>,
        pairs: &[(String, String)],
        by: &Actor,
    ) -> Result<EventSet, HostError> {
        for _ in 0..TRIES {
            let current = match self.one_event(id).await {
                Ok(event) => Some(event),
                Err(HostError::NoEvent | HostError::NoSuchEvent { .. }) => None,
                Err(error) => return Err(error),
            };
            if let Some(set) = self.try_set_event(current, id, pairs, by).await? {
                return Ok(set);
            }
        }
        Err(HostError::Contention)
    }

    /// Changes settings of an event that is there. `shown` is the event's version that the host had looked at, where
    /// that is known.
    ///
    /// # Errors
    /// Every setting that cannot be used.
    pub async fn change_event(
        &self,
        id: &EventId,
        pairs: &[(String, String)],
        shown: Option<Version>,
        by: &Actor,
    ) -> Result<Event, HostError> {
        for _ in 0..TRIES {
            let current = self.one_event(Some(id)).await?;
            if shown.is_some_and(|shown| shown != current.version) {
                return Err(HostError::ChangedMeanwhile);
            }
            if let Some(set) = self.try_set_event(Some(current), Some(id), pairs, by).await? {
                let version = set.event().version + u64::from(matches!(set, EventSet::Updated(_)));
                return Ok(Event { version, ..set.event().clone() });
            }
        }
        Err(HostError::Contention)
    }

    /// `None` where the event has changed meanwhile.
    async fn try_set_event(
        &self,
        current: Option<Event>,
        id: Option<&EventId>,
        pairs: &[(String, String)],
        by: &Actor,
    ) -> Result<Option<EventSet>, HostError> {
        let at = self.clock.now();
        let event = event_settings::apply(current.clone(), pairs, id.cloned(), at).map_err(HostError::Settings)?;
        if current.as_ref() == Some(&event) {
            return Ok(Some(EventSet::Unchanged(event)));
        }
        let (what, change, done) = match &current {
            None => (Happening::Created, EventChange::Insert(event.clone()), EventSet::Created(event.clone())),
            Some(before) => {
                let fields = changed(before, &event);
                let change = EventChange::Update(event.clone());
                (Happening::Edited { fields }, change, EventSet::Updated(event.clone()))
            }
        };
        let (outbox, progress) = match &current {
            Some(before) => (self.offer_to_tell(before, &event).await?, self.reminders_anew(before, &event, at).await?),
            None => Default::default(),
        };
        let activity = vec![Activity { event_id: event.id, guest_id: None, at, by: by.clone(), what }];
        let commit = Commit { at, progress, event: Some(change), activity, outbox, ..Commit::default() };
        Ok(match self.store.commit(commit).await? {
            Committed::Done | Committed::Duplicate => {
                self.outbox_filled.notify_one();
                Some(done)
            }
            Committed::Stale | Committed::Taken => None,
        })
    }
}

impl App {
    /// Where those who come should know of a change, the hosts are asked whether to tell them.
    async fn offer_to_tell(&self, before: &Event, after: &Event) -> Result<Vec<NewEntry>, HostError> {
        let known = |event: &Event| {
            (event.starts_at, event.ends_at, event.place.clone(), event.address.clone(), event.cancelled_at.is_some())
        };
        let now = self.clock.now();
        if known(before) == known(after) || now >= after.starts_at {
            return Ok(Vec::new());
        }
        let coming = u32::try_from(self.store.statistics(&after.id).await?.coming).unwrap_or(u32::MAX);
        if coming == 0 {
            return Ok(Vec::new());
        }
        let decided = Decided {
            event: after.id.clone(),
            audience: Audience::Hosts(after.id.clone()),
            notice: Notice::OfferToTell { coming },
        };
        let key = format!("changed/{}/{}", after.id, after.version);
        let occasion = Occasion { key: &key, speaker: None, at: now, known: KnownLinks::default() };
        Ok(initiated::entries(self, &decided, 0, after, &occasion).await?)
    }
}

fn changed(before: &Event, after: &Event) -> Vec<String> {
    let settings = event_settings::show(before).into_iter().zip(event_settings::show(after));
    settings.filter(|(before, after)| before != after).map(|((key, _), _)| key).collect()
}
