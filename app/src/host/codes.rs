//! New codes.

use std::collections::BTreeSet;

use domain::{
    activity::{Actor, Happening},
    address::Address,
    code,
    conversation::Conversation,
    guest_file::{Column, LineError},
    model::{Guest, GuestId},
    notice::{Audience, Decided, Notice},
};
use store::{Commit, Committed, GuestChange};

use super::{HostError, TRIES};
use crate::{
    App,
    initiated::{self, KnownLinks, Occasion},
};

impl App {
    /// Gives a guest a new code: the one given, or a drawn one. Every login made with the old one ends, and whoever
    /// was logged in is told.
    ///
    /// # Errors
    /// When there is no such guest, or the code cannot be used or is taken.
    pub async fn change_code(&self, id: GuestId, code: Option<&str>, by: &Actor) -> Result<Guest, HostError> {
        if let Some(Err(error)) = code.map(code::is_acceptable) {
            let error = LineError { line: 0, column: Some(Column::Code), message: error.to_string() };
            return Err(HostError::Rows(vec![error]));
        }
        for _ in 0..TRIES {
            let mut guest = self.store.guest(id).await?.ok_or(HostError::NoSuchGuest)?;
            guest.token = code.map_or_else(|| self.draw_code(), str::to_owned);
            let mut commit = self.ending_logins(&guest).await?;
            // A login with the old code that is being decided now rests on the group: it has to look again.
            commit.groups = self.rests_on([guest.group_key()]).await?;
            commit.guests = vec![GuestChange::Update(guest.clone())];
            commit.activity = vec![self.host_did(&guest, by, Happening::CodeChanged)];
            match self.store.commit(commit).await? {
                Committed::Done | Committed::Duplicate => {
                    self.end_late_logins(&guest).await?;
                    self.outbox_filled.notify_one();
                    return Ok(guest);
                }
                Committed::Taken if code.is_some() => return Err(HostError::CodeTaken(guest.token)),
                Committed::Stale | Committed::Taken => {}
            }
        }
        Err(HostError::Contention)
    }

    /// Ends logins that were made between the look at who is logged in and the change of the code. There can be no
    /// more of them after it.
    async fn end_late_logins(&self, guest: &Guest) -> Result<(), HostError> {
        for _ in 0..TRIES {
            let commit = self.ending_logins(guest).await?;
            if commit.conversations.is_empty() || self.store.commit(commit).await? == Committed::Done {
                return Ok(());
            }
        }
        Err(HostError::Contention)
    }

    /// The end of all logins of a guest, and word of it to every one.
    async fn ending_logins(&self, guest: &Guest) -> Result<Commit, HostError> {
        let Some(event) = self.store.event(&guest.event_id).await? else { return Err(HostError::NoEvent) };
        let notice = Decided {
            event: event.id.clone(),
            audience: Audience::EveryAddressOf(guest.id),
            notice: Notice::CodeChanged { guest: guest.id },
        };
        let at = self.clock.now();
        let key = format!("code/{}/{}", guest.id, at.timestamp_millis());
        let occasion = Occasion { key: &key, speaker: None, at, known: KnownLinks::default() };
        let outbox = initiated::entries(self, &notice, 0, &event, &occasion).await?;
        Ok(Commit { at, conversations: self.without_login(guest.id).await?, outbox, ..Commit::default() })
    }

    /// The conversations where a guest is logged in, as they are without that login.
    async fn without_login(&self, guest: GuestId) -> Result<Vec<Conversation>, HostError> {
        let links = self.store.links(&[guest]).await?;
        let addresses: BTreeSet<Address> = links.into_iter().map(|link| link.address).collect();
        let mut conversations = Vec::new();
        for address in addresses {
            if let Some(mut conversation) = self.store.conversation(&address).await? {
                conversation.end_login(guest);
                conversations.push(conversation);
            }
        }
        Ok(conversations)
    }
}
