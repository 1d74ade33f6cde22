//! What a host changes on a page: a whole record, many records, an answer on a guest's behalf; and what undoes a
//! deletion.

use domain::{
    activity::{Actor, Happening},
    conversation::Party,
    guest_change,
    guest_file::{Row, Sheet},
    model::{AnsweredBy, EventId, GroupId, Guest, GuestId, Version},
    rsvp,
    saved::Saved,
};
use store::{Commit, Committed, GuestChange};

use super::{HostError, TRIES};
use crate::{App, RsvpError};

/// Records changed by one commit.
const AT_ONCE: usize = 500;

/// What is done to many guests at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Bulk {
    /// Into a group, or out of any.
    MoveTo(Option<GroupId>),
    NewCodes,
}

impl App {
    /// Changes a guest as a row of a guest file would. `shown` is the version of the record that the host looked at.
    ///
    /// # Errors
    /// [`HostError::ChangedMeanwhile`] when somebody else changed the record since; what is wrong with the row.
    pub async fn edit_by_row(
        &self,
        event: &EventId,
        id: GuestId,
        shown: Version,
        row: &Row,
        by: &Actor,
    ) -> Result<Guest, HostError> {
        for _ in 0..TRIES {
            let guest = self.guest_of(event, id).await?;
            if guest.version != shown {
                return Err(HostError::ChangedMeanwhile);
            }
            let row = Row { code: Some(guest.token.clone()), ..row.clone() };
            let plan = self.plan_import(event, &Sheet { rows: vec![row], ..Sheet::default() }).await?;
            let Some(updated) = plan.updated.first() else { return Ok(guest) };
            if updated.before.version != shown {
                return Err(HostError::ChangedMeanwhile);
            }
            match self.store.commit(self.commit_of_plan(&plan, by).await?).await? {
                Committed::Done | Committed::Duplicate => return self.guest_of(event, id).await,
                Committed::Stale | Committed::Taken => {}
            }
        }
        Err(HostError::Contention)
    }

    /// Puts a guest back whom [`App::delete_guest`] took off the list. Logins do not come back.
    ///
    /// # Errors
    /// When the code is somebody else's by now.
    pub async fn restore_guest(&self, guest: &Guest, by: &Actor) -> Result<(), HostError> {
        for _ in 0..TRIES {
            if self.store.guest(guest.id).await?.is_some() {
                return Ok(());
            }
            let commit = Commit {
                at: self.clock.now(),
                groups: self.rests_on([guest.group_key()]).await?,
                guests: vec![GuestChange::Insert(guest.clone())],
                activity: vec![self.host_did(guest, by, Happening::Created)],
                ..Commit::default()
            };
            match self.store.commit(commit).await? {
                Committed::Done | Committed::Duplicate => return Ok(()),
                Committed::Taken => return Err(HostError::CodeTaken(guest.token.clone())),
                Committed::Stale => {}
            }
        }
        Err(HostError::Contention)
    }

    /// Does the same to many guests; those who are gone meanwhile are left out. Returns how many were changed.
    ///
    /// # Errors
    /// When the store cannot commit.
    pub async fn change_many(
        &self,
        event: &EventId,
        ids: &[GuestId],
        bulk: &Bulk,
        by: &Actor,
    ) -> Result<usize, HostError> {
        let mut changed = 0;
        match bulk {
            Bulk::MoveTo(group) => {
                for ids in ids.chunks(AT_ONCE) {
                    changed += self.move_to(event, ids, group.as_ref(), by).await?;
                }
            }
            Bulk::NewCodes => {
                for id in ids {
                    match self.guest_of(event, *id).await {
                        Ok(_) => changed += usize::from(self.change_code(*id, None, by).await.is_ok()),
                        Err(HostError::NoSuchGuest) => {}
                        Err(error) => return Err(error),
                    }
                }
            }
        }
        Ok(changed)
    }

    async fn move_to(
        &self,
        event: &EventId,
        ids: &[GuestId],
        group: Option<&GroupId>,
        by: &Actor,
    ) -> Result<usize, HostError> {
        for _ in 0..TRIES {
            let (mut moved, mut keys) = (Vec::new(), Vec::new());
            for id in ids {
                let guest = match self.guest_of(event, *id).await {
                    Err(HostError::NoSuchGuest) => continue,
                    found => found?,
                };
                if guest.group_id.as_ref() != group {
                    keys.push(guest.group_key());
                    let mut after = guest;
                    guest_change::move_to(&mut after, group.cloned());
                    keys.push(after.group_key());
                    moved.push(after);
                }
            }
            let edited = || Happening::Edited { fields: vec!["group".to_owned()] };
            let commit = Commit {
                at: self.clock.now(),
                groups: self.rests_on(keys).await?,
                activity: moved.iter().map(|guest| self.host_did(guest, by, edited())).collect(),
                guests: moved.iter().cloned().map(GuestChange::Update).collect(),
                ..Commit::default()
            };
            match self.store.commit(commit).await? {
                Committed::Done | Committed::Duplicate => return Ok(moved.len()),
                Committed::Stale | Committed::Taken => {}
            }
        }
        Err(HostError::Contention)
    }

    /// A host writes down what a guest told them. The rules are those of the chat, where deadlines do not bind a host
    /// either; whoever it is about is told.
    ///
    /// # Errors
    /// Why nothing was saved.
    pub async fn record_answer(
        &self,
        guest: GuestId,
        request: &rsvp::Request,
        shown: Version,
        by: &Actor,
    ) -> Result<(), RsvpError> {
        for _ in 0..TRIES {
            let party = self.store.party(guest).await?.ok_or(RsvpError::NoSuchGuest)?;
            if shown != party.group.version {
                return Err(RsvpError::ChangedMeanwhile);
            }
            let now = self.clock.now();
            let me = party.group.member(guest).ok_or(RsvpError::NoSuchGuest)?;
            let answering = Party { me, group: &party.group, event: &party.event };
            // Extras sit with the guest whom it is about; it is the host who answered.
            let own = AnsweredBy { guest_id: guest, channel: by.channel };
            let (_, mut applied) = rsvp::decide_for_host(&answering, request, &own, now)?;
            for (before, after) in party.group.members.iter().zip(&mut applied.members) {
                let is_new = before.rsvp_date != after.rsvp_date;
                if let (true, Some(host), Some(answered)) = (is_new, by.guest_id, &mut after.answered_by) {
                    answered.guest_id = host;
                }
            }
            let saved = Saved::by_host(&party.event, &party.group, &applied.members, by, now);
            if self.commit_answer(&party.group, &party.event, saved, now).await? == Committed::Done {
                return Ok(());
            }
        }
        Err(RsvpError::Contention)
    }
}
