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
use crate::{App, initiated};

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
            let now = self.clock.now();
            let notice = Decided {
                event: guest.event_id.clone(),
                audience: Audience::EveryAddressOf(id),
                notice: Notice::CodeChanged { guest: id },
            };
            let key = format!("code/{id}/{}", guest.version);
            let commit = Commit {
                at: now,
                conversations: self.without_login(id).await?,
                guests: vec![GuestChange::Update(guest.clone())],
                activity: vec![self.host_did(&guest, by, Happening::CodeChanged)],
                outbox: initiated::entries(self, &notice, &key, 0, None, now).await?,
                ..Commit::default()
            };
            match self.store.commit(commit).await? {
                Committed::Done | Committed::Duplicate => {
                    self.outbox_filled.notify_one();
                    return Ok(guest);
                }
                Committed::Taken if code.is_some() => return Err(HostError::CodeTaken(guest.token)),
                Committed::Stale | Committed::Taken => {}
            }
        }
        Err(HostError::Contention)
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
