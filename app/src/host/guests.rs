//! The guest list: import, one more guest, one guest less.

use domain::{
    activity::{Actor, Happening},
    guest_file::{self, Column, LineError, Plan, Row, Sheet, Updated},
    model::{EventId, Guest, GuestId},
};
use store::{Commit, Committed, EventChange, GroupRests, GuestChange};

use super::{HostError, TRIES};
use crate::{App, typed_code};

impl App {
    /// What importing a guest file would do. Changes nothing.
    ///
    /// # Errors
    /// Every line that cannot be read or carried out.
    pub async fn plan_import(&self, event: &EventId, sheet: &Sheet) -> Result<Plan, HostError> {
        let existing = self.all_guests(event).await?;
        let mut id = self.id_maker();
        let mut make = || (id(), self.draw_code());
        guest_file::plan(sheet, &existing, &mut make, event, self.clock.now()).map_err(HostError::Rows)
    }

    /// Imports a guest file: all of it or, if one line cannot be read or carried out, nothing.
    ///
    /// # Errors
    /// Every line that cannot be read or carried out.
    pub async fn import_guests(&self, event: &EventId, sheet: &Sheet, by: &Actor) -> Result<Plan, HostError> {
        for _ in 0..TRIES {
            // Read before the list: it tells whether somebody has been added to it since.
            let event_before = self.one_event(Some(event)).await?;
            let plan = self.plan_import(event, sheet).await?;
            if plan.created.is_empty() && plan.updated.is_empty() {
                return Ok(plan);
            }
            let mut commit = self.commit_of_plan(&plan, by).await?;
            if plan.created.iter().any(|created| !created.code_given) {
                // That nobody of that name is there yet must still be true.
                commit.event = Some(EventChange::Update(event_before));
            }
            match self.store.commit(commit).await? {
                Committed::Done | Committed::Duplicate => return Ok(plan),
                // A drawn code was taken in another event: the next draw will not be.
                Committed::Taken => self.refuse_codes_of_others(&plan).await?,
                Committed::Stale => {}
            }
        }
        Err(HostError::Contention)
    }

    pub(super) async fn commit_of_plan(&self, plan: &Plan, by: &Actor) -> Result<Commit, HostError> {
        let created = plan.created.iter().map(|created| &created.guest);
        let (alone, grouped): (Vec<_>, Vec<_>) = created.clone().partition(|guest| guest.group_id.is_none());
        let moved = plan.updated.iter().filter(|updated| updated.counts());
        let keys = moved.flat_map(|updated| [updated.before.group_key(), updated.after.group_key()]);
        let mut groups = self.rests_on(keys.chain(grouped.iter().map(|guest| guest.group_key()))).await?;
        // Nobody else can know the key of a guest who is not stored yet.
        groups.extend(alone.iter().map(|guest| GroupRests { key: guest.group_key(), version: 0, raise: true }));
        let edited = |updated: &Updated| Happening::Edited {
            fields: updated.fields.iter().map(|field| field.as_str().to_owned()).collect(),
        };
        Ok(Commit {
            at: self.clock.now(),
            groups,
            guests: (created.clone().cloned().map(GuestChange::Insert))
                .chain(plan.updated.iter().map(|updated| GuestChange::Update(updated.after.clone())))
                .collect(),
            activity: (created.map(|guest| self.host_did(guest, by, Happening::Created)))
                .chain(plan.updated.iter().map(|updated| self.host_did(&updated.after, by, edited(updated))))
                .collect(),
            ..Commit::default()
        })
    }

    async fn refuse_codes_of_others(&self, plan: &Plan) -> Result<(), HostError> {
        let mut taken = Vec::new();
        for created in plan.created.iter().filter(|created| created.code_given) {
            let holder = self.store.guest_by_code(&typed_code(&created.guest.token)).await?;
            if holder.is_some_and(|holder| holder.token == created.guest.token) {
                let message =
                    format!("\"{}\" is the code of a guest of another event; give another", created.guest.token);
                taken.push(LineError { line: created.line, column: Some(Column::Code), message });
            }
        }
        if taken.is_empty() { Ok(()) } else { Err(HostError::Rows(taken)) }
    }

    /// Adds one guest or, where the row has the code of one, changes that guest. The plan says which it was.
    ///
    /// # Errors
    /// When somebody of that name is there and the row has no code, when the code is somebody else's, or when a cell
    /// cannot be used.
    pub async fn add_or_change_guest(&self, event: &EventId, row: Row, by: &Actor) -> Result<(Guest, Plan), HostError> {
        let existing = self.all_guests(event).await?;
        let there = guest_file::already_there(&row, &existing).map_err(|error| HostError::Rows(vec![error]))?;
        let plan = self.import_guests(event, &Sheet { rows: vec![row], ..Sheet::default() }, by).await?;
        let created = plan.created.first().map(|created| &created.guest);
        let guest = created.or(plan.updated.first().map(|updated| &updated.after)).or(there).cloned();
        Ok((guest.ok_or(HostError::NoSuchGuest)?, plan))
    }

    /// Adds one guest, even where somebody of that name is there already; a notice then says so.
    ///
    /// # Errors
    /// When a cell cannot be used or the code is taken.
    pub async fn add_guest(&self, event: &EventId, row: Row, by: &Actor) -> Result<(Guest, Plan), HostError> {
        for _ in 0..TRIES {
            if row.last_name.is_none() {
                let message = "is blank; every guest needs one".to_owned();
                return Err(HostError::Rows(vec![LineError { line: 0, column: Some(Column::LastName), message }]));
            }
            // With a code of their own nobody is taken for somebody else of that name.
            let row = Row { code: Some(row.code.clone().unwrap_or_else(|| self.draw_code())), ..row.clone() };
            let code = row.code.clone().unwrap_or_default();
            let sheet = Sheet { rows: vec![row], ..Sheet::default() };
            let plan = self.plan_import(event, &sheet).await?;
            let Some(guest) = plan.created.first().map(|created| created.guest.clone()) else {
                return Err(HostError::CodeTaken(code));
            };
            match self.store.commit(self.commit_of_plan(&plan, by).await?).await? {
                Committed::Done | Committed::Duplicate => return Ok((guest, plan)),
                Committed::Taken => return Err(HostError::CodeTaken(guest.token)),
                Committed::Stale => {}
            }
        }
        Err(HostError::Contention)
    }

    /// The guest whom a code names; `event` narrows it to one event.
    ///
    /// # Errors
    /// When there is none.
    pub async fn guest_with_code(&self, event: Option<&EventId>, code: &str) -> Result<Guest, HostError> {
        let guest = self.store.guest_by_code(&typed_code(code.trim())).await?;
        guest.filter(|guest| event.is_none_or(|event| guest.event_id == *event)).ok_or(HostError::NoSuchGuest)
    }

    /// Removes a person's data everywhere. An event that has hosts keeps one.
    ///
    /// # Errors
    /// When there is no such guest, or they are the last host.
    pub async fn erase_guest(&self, guest: GuestId) -> Result<(), HostError> {
        let guest = self.store.guest(guest).await?.ok_or(HostError::NoSuchGuest)?;
        if guest.is_admin && self.store.hosts(&guest.event_id).await?.len() <= 1 {
            return Err(HostError::LastHost);
        }
        if self.store.erase(guest.id, self.clock.now()).await? { Ok(()) } else { Err(HostError::NoSuchGuest) }
    }
}
