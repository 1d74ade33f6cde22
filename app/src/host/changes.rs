//! Changes of one guest.

use domain::{
    activity::{Actor, Happening},
    guest_change::{self, Edit},
    model::{EventId, GroupId, Guest, GuestId, Version},
    saved::Saved,
};
use store::{Commit, Committed, GroupRests, GuestChange};

use super::{HostError, TRIES};
use crate::App;

impl App {
    /// A guest of an event.
    ///
    /// # Errors
    /// When there is no such guest at this event.
    pub async fn guest_of(&self, event: &EventId, id: GuestId) -> Result<Guest, HostError> {
        let guest = self.store.guest(id).await?.filter(|guest| guest.event_id == *event);
        guest.ok_or(HostError::NoSuchGuest)
    }

    /// Changes a guest's record or answer. `shown` is the record's version that the host had looked at, where that is
    /// known. The last host cannot stop being one.
    ///
    /// # Errors
    /// Why nothing has changed.
    pub async fn edit_guest(
        &self,
        event: &EventId,
        id: GuestId,
        edit: &Edit,
        shown: Option<Version>,
        by: &Actor,
    ) -> Result<Guest, HostError> {
        for _ in 0..TRIES {
            let party = self.store.party(id).await?.filter(|party| party.event.id == *event);
            let party = party.ok_or(HostError::NoSuchGuest)?;
            let before = party.group.member(id).ok_or(HostError::NoSuchGuest)?;
            if shown.is_some_and(|shown| shown != before.version) {
                return Err(HostError::ChangedMeanwhile);
            }
            let now = self.clock.now();
            let members = guest_change::apply(&party.group, id, edit, by, now)
                .map_err(|error| HostError::Field { field: error.field, message: error.to_string() })?;
            let after = members.iter().find(|member| member.id == id).ok_or(HostError::NoSuchGuest)?;
            if members == party.group.members {
                return Ok(after.clone());
            }
            let mut saved = Saved::silently(&party.event, &party.group, &members, by, now);
            let fields = guest_change::edited_fields(before, after);
            if !fields.is_empty() {
                let what = Happening::Edited { fields: fields.into_iter().map(str::to_owned).collect() };
                saved.activity.push(self.host_did(after, by, what));
            }
            if before.is_admin && !after.is_admin {
                let witness = self.another_host(after).await?;
                if saved.guests.iter().all(|guest| guest.id != witness.id) {
                    saved.guests.push(witness);
                }
            }
            let raise = guest_change::counts(&party.group.members, &members);
            let rests = GroupRests { key: party.group.key.clone(), version: party.group.version, raise };
            let commit = Commit {
                at: now,
                groups: vec![rests],
                guests: saved.guests.into_iter().map(GuestChange::Update).collect(),
                activity: saved.activity,
                ..Commit::default()
            };
            if self.store.commit(commit).await? == Committed::Done {
                return Ok(Guest { version: after.version + 1, ..after.clone() });
            }
        }
        Err(HostError::Contention)
    }

    /// Another host of the event. Written unchanged along with a demotion, so that of two hosts who demote each other
    /// at once only one succeeds.
    async fn another_host(&self, guest: &Guest) -> Result<Guest, HostError> {
        let hosts = self.store.hosts(&guest.event_id).await?;
        hosts.into_iter().find(|host| host.id != guest.id).ok_or(HostError::LastHost)
    }

    /// Puts a guest into a group, or out of any. Returns the guest, and the members of the group that they joined or
    /// left, without those who are not in it any more.
    ///
    /// # Errors
    /// Why nothing has changed.
    pub async fn move_guest(
        &self,
        event: &EventId,
        id: GuestId,
        group: Option<GroupId>,
        shown: Option<Version>,
        by: &Actor,
    ) -> Result<(Guest, Vec<Guest>), HostError> {
        for _ in 0..TRIES {
            let before = self.guest_of(event, id).await?;
            if shown.is_some_and(|shown| shown != before.version) {
                return Err(HostError::ChangedMeanwhile);
            }
            let mut after = before.clone();
            guest_change::move_to(&mut after, group.clone());
            let looked_at = if group.is_some() { after.group_key() } else { before.group_key() };
            if after.group_id != before.group_id {
                let groups = self.rests_on([before.group_key(), after.group_key()]).await?;
                let commit = Commit {
                    at: self.clock.now(),
                    groups,
                    guests: vec![GuestChange::Update(after.clone())],
                    activity: vec![self.host_did(&after, by, Happening::Edited { fields: vec!["group".to_owned()] })],
                    ..Commit::default()
                };
                if self.store.commit(commit).await? != Committed::Done {
                    continue;
                }
                after.version += 1;
            }
            let members = self.store.groups(&[looked_at]).await?.pop().map(|group| group.members).unwrap_or_default();
            let members = members.into_iter().filter(|member| group.is_some() || member.id != id).collect();
            return Ok((after, members));
        }
        Err(HostError::Contention)
    }

    /// Deletes a guest's record, their answer and their logins. An event that has hosts keeps one.
    ///
    /// # Errors
    /// Why nothing has changed.
    pub async fn delete_guest(
        &self,
        event: &EventId,
        id: GuestId,
        shown: Option<Version>,
        by: &Actor,
    ) -> Result<(), HostError> {
        for _ in 0..TRIES {
            let guest = self.guest_of(event, id).await?;
            if shown.is_some_and(|shown| shown != guest.version) {
                return Err(HostError::ChangedMeanwhile);
            }
            let mut guests = vec![GuestChange::Delete { id, version: guest.version }];
            if guest.is_admin {
                guests.push(GuestChange::Update(self.another_host(&guest).await?));
            }
            let commit = Commit {
                at: self.clock.now(),
                groups: self.rests_on([guest.group_key()]).await?,
                guests,
                activity: vec![self.host_did(&guest, by, Happening::Deleted)],
                ..Commit::default()
            };
            if self.store.commit(commit).await? == Committed::Done {
                return Ok(());
            }
        }
        Err(HostError::Contention)
    }
}
