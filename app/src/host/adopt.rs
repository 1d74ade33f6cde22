//! Bringing over the guests of the published web application.

use domain::{
    activity::{Activity, Actor, Happening},
    adopt::{self, PublishedGuest},
    event_settings,
    model::{Event, EventId, Guest},
};
use store::{Commit, Committed, EventChange, GuestChange, Page};

use super::{HostError, TRIES};
use crate::App;

const DEADLINE: &str = "rsvp_deadline";

/// What adopting does, or did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Adopted {
    pub guests: Vec<Guest>,
    /// With its new deadline.
    pub event: Event,
}

impl App {
    /// What adopting these guests would do. Changes nothing.
    ///
    /// # Errors
    /// Every guest that cannot be brought over; when the event has guests already; when the deadline makes no sense.
    pub async fn plan_adoption(
        &self,
        event: &EventId,
        guests: &[PublishedGuest],
        deadline: Option<&str>,
    ) -> Result<Adopted, HostError> {
        let before = self.one_event(Some(event)).await?;
        let there = self.store.guests(event, Page { after: None, limit: 1 }).await?;
        if !there.is_empty() {
            return Err(HostError::HasGuests(event.clone()));
        }
        if guests.is_empty() {
            return Err(HostError::NothingToAdopt);
        }
        let guests = adopt::adopt(guests, event, self.clock.now()).map_err(HostError::Adopt)?;
        for guest in &guests {
            if self
                .store
                .guest_by_code(&crate::typed_code(&guest.token))
                .await?
                .is_some_and(|it| it.token == guest.token)
            {
                return Err(HostError::CodeTaken(guest.token.clone()));
            }
        }
        let pairs: Vec<_> = deadline.map(|date| (DEADLINE.to_owned(), date.to_owned())).into_iter().collect();
        let event = event_settings::apply(Some(before), &pairs, Some(event.clone()), self.clock.now())
            .map_err(|errors| HostError::AdoptedDeadline { date: deadline.unwrap_or_default().to_owned(), errors })?;
        Ok(Adopted { guests, event })
    }

    /// Adopts these guests: all of them or, if one cannot be brought over, none.
    ///
    /// # Errors
    /// As [`App::plan_adoption`]; and when a code is taken in another event.
    pub async fn adopt(
        &self,
        event: &EventId,
        guests: &[PublishedGuest],
        deadline: Option<&str>,
        by: &Actor,
    ) -> Result<Adopted, HostError> {
        for _ in 0..TRIES {
            let adopted = self.plan_adoption(event, guests, deadline).await?;
            match self.store.commit(self.commit_of_adoption(&adopted, by).await?).await? {
                Committed::Done | Committed::Duplicate => return Ok(adopted),
                Committed::Taken => return Err(self.taken_elsewhere(&adopted).await?),
                Committed::Stale => {}
            }
        }
        Err(HostError::Contention)
    }

    async fn commit_of_adoption(&self, adopted: &Adopted, by: &Actor) -> Result<Commit, HostError> {
        let groups = self.rests_on(adopted.guests.iter().map(Guest::group_key)).await?;
        let at = self.clock.now();
        let edited = Activity {
            event_id: adopted.event.id.clone(),
            guest_id: None,
            at,
            by: by.clone(),
            what: Happening::Edited { fields: vec![DEADLINE.to_owned()] },
        };
        let created = adopted.guests.iter().map(|guest| self.host_did(guest, by, Happening::Created));
        Ok(Commit {
            at,
            groups,
            guests: adopted.guests.iter().cloned().map(GuestChange::Insert).collect(),
            event: Some(EventChange::Update(adopted.event.clone())),
            activity: std::iter::once(edited).chain(created).collect(),
            ..Commit::default()
        })
    }

    /// Somebody else gave a code away since it was looked for.
    async fn taken_elsewhere(&self, adopted: &Adopted) -> Result<HostError, HostError> {
        for guest in &adopted.guests {
            if self.store.guest_by_code(&crate::typed_code(&guest.token)).await?.is_some() {
                return Ok(HostError::CodeTaken(guest.token.clone()));
            }
        }
        Ok(HostError::Contention)
    }
}
