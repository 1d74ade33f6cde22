//! An answer given in one piece: on a page, or through the JSON API.

use chrono::{DateTime, Utc};
use domain::{
    activity::Actor,
    address::Channel,
    conversation::Party,
    model::{AnsweredBy, Event, Group, Guest, GuestId, Version},
    rsvp::{self, Refusal, Request},
    saved::Saved,
};
use store::{Commit, Committed, GroupRests, GuestChange, GuestParty, StoreError};

use crate::{
    App,
    initiated::{self, KnownLinks, Occasion},
};

/// How often a decision is made again because somebody else answered meanwhile.
const MOST_TRIES: usize = 50;

/// Why an answer was not saved. Nothing has changed then.
#[derive(Debug, thiserror::Error)]
pub enum RsvpError {
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Others kept changing the same things.
    #[error("gave up after too many simultaneous changes of the same group; try again")]
    Contention,
    #[error("there is no such guest any more")]
    NoSuchGuest,
    /// The group is no longer as it was when it was shown.
    #[error("somebody has changed this meanwhile; look again before you save")]
    ChangedMeanwhile,
    #[error(transparent)]
    Refused(#[from] Refusal),
}

impl App {
    /// Saves what a guest asks for, if the rules let it. `shown` is the group's version that the guest had looked at,
    /// where that is known.
    ///
    /// # Errors
    /// Why nothing was saved.
    pub async fn save_rsvp(
        &self,
        guest: GuestId,
        request: &Request,
        shown: Option<Version>,
        channel: Channel,
    ) -> Result<GuestParty, RsvpError> {
        let _turn = self.lock_of(&guest).lock().await;
        for _ in 0..MOST_TRIES {
            let mut party = self.store.party(guest).await?.ok_or(RsvpError::NoSuchGuest)?;
            if shown.is_some_and(|shown| shown != party.group.version) {
                return Err(RsvpError::ChangedMeanwhile);
            }
            let now = self.clock.now();
            let me = party.group.member(guest).ok_or(RsvpError::NoSuchGuest)?;
            let answering = Party { me, group: &party.group, event: &party.event };
            let by = AnsweredBy { guest_id: guest, channel };
            let (answer, applied) = rsvp::decide(&answering, request, &by, now)?;
            let actor = Actor { guest_id: Some(guest), channel, as_host: false };
            let saved = Saved::of(&answering, &answer, &applied, &actor, now);
            if self.commit_answer(&party.group, &party.event, saved, now).await? == Committed::Done {
                take(&mut party.group, applied.members);
                return Ok(party);
            }
        }
        Err(RsvpError::Contention)
    }

    /// Writes an answer with everything that follows from it.
    pub(crate) async fn commit_answer(
        &self,
        group: &Group,
        event: &Event,
        saved: Saved,
        now: DateTime<Utc>,
    ) -> Result<Committed, StoreError> {
        if saved.guests.is_empty() {
            return Ok(Committed::Done);
        }
        // No other decision can rest on this version and be committed.
        let key = format!("rsvp/{}/{}", group.key, group.version);
        let occasion = Occasion { key: &key, speaker: None, at: now, known: KnownLinks::default() };
        let mut outbox = Vec::new();
        for (index, notice) in saved.notices.iter().enumerate() {
            outbox.extend(initiated::entries(self, notice, index, event, &occasion).await?);
        }
        let fills_outbox = !outbox.is_empty();
        let commit = Commit {
            at: now,
            groups: vec![GroupRests { key: group.key.clone(), version: group.version, raise: true }],
            guests: saved.guests.into_iter().map(GuestChange::Update).collect(),
            activity: saved.activity,
            outbox,
            ..Commit::default()
        };
        let committed = self.store.commit(commit).await?;
        if committed == Committed::Done && fills_outbox {
            self.outbox_filled.notify_one();
        }
        Ok(committed)
    }
}

/// The group as it is after these records were saved.
pub(crate) fn take(group: &mut Group, members: Vec<Guest>) {
    if group.members == members {
        return;
    }
    group.version += 1;
    let before = std::mem::replace(&mut group.members, members);
    for (before, after) in before.iter().zip(&mut group.members) {
        if before != after {
            after.version += 1;
        }
    }
}
