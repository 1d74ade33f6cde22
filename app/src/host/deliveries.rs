//! Messages that did not arrive, or may not have.

use domain::{address::Address, conversation::Conversation, model::EventId};
use store::{Commit, Committed, Content, Entry, EntryStatus, Initiated, NewEntry, Page, StoreError};

use crate::App;

/// Behind those of its commit: what is sent again answers nothing that is said now.
const LAST_PLACE: u32 = 1_000;

/// Why a message is not sent again.
#[derive(Debug, thiserror::Error)]
pub enum SendAgainError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("there is no such message, or it has arrived meanwhile")]
    NotThere,
    #[error("it was sent again already")]
    Already,
    #[error("this person asked not to be written to")]
    OptedOut,
    #[error("it would come too late to be of use")]
    TooLate,
    #[error("it was a question, and the guest is at another by now; whatever they write brings it back")]
    OldQuestion,
}

/// A message that failed, or may have.
#[derive(Debug, Clone, PartialEq)]
pub struct Undelivered {
    pub entry: Entry,
    /// It was sent once more since.
    pub sent_again: bool,
}

fn key(id: &str) -> String {
    format!("sent-again/{id}")
}

/// Whether a question is the open one of the conversation.
fn is_asked_now(question: Option<u64>, conversation: Option<&Conversation>) -> bool {
    let dialogue = conversation.map(|conversation| &conversation.dialogue);
    dialogue.is_some_and(|dialogue| dialogue.open.is_some() && question == Some(dialogue.asked))
}

impl App {
    /// The first messages (by their time) of each kind that failed, and of which nobody knows whether they arrived.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn undelivered(&self, most: u32) -> Result<Vec<Undelivered>, StoreError> {
        let mut entries = Vec::new();
        for status in [EntryStatus::Failed, EntryStatus::Unknown] {
            entries.extend(self.store.entries(status, Page { after: None, limit: most }).await?);
        }
        entries.sort_by_key(|entry| std::cmp::Reverse(entry.created_at));
        let keys: Vec<String> = entries.iter().map(|entry| key(&entry.id)).collect();
        let known = self.store.known_keys(&keys).await?;
        let again = |entry: Entry| Undelivered { sent_again: known.contains(&key(&entry.id)), entry };
        Ok(entries.into_iter().map(again).collect())
    }

    /// Sends a message once more that failed, or may have: what it says is put into words anew where it can be.
    ///
    /// # Errors
    /// Why it is not sent.
    pub async fn send_again(&self, event: &EventId, address: &Address, id: &str) -> Result<(), SendAgainError> {
        let entries = self.store.entries_to(address).await?;
        let is_open = |entry: &&Entry| matches!(entry.status, EntryStatus::Failed | EntryStatus::Unknown);
        let entry =
            entries.into_iter().find(|entry| entry.id == id && is_open(&entry)).ok_or(SendAgainError::NotThere)?;
        let conversation = self.store.conversation(address).await?;
        if !self.concerns(event, &entry, conversation.as_ref()).await? {
            return Err(SendAgainError::NotThere);
        }
        if conversation.as_ref().is_some_and(|conversation| conversation.opted_out) {
            return Err(SendAgainError::OptedOut);
        }
        let at = self.clock.now();
        let content = match (entry.initiated, entry.text) {
            (Some(initiated), _) if initiated.not_after.is_some_and(|until| until <= at) => {
                return Err(SendAgainError::TooLate);
            }
            (Some(initiated), _) => Content::Initiated(Initiated { decided_at: at, ..initiated }),
            (None, _) if entry.only_asks && !is_asked_now(entry.question, conversation.as_ref()) => {
                return Err(SendAgainError::OldQuestion);
            }
            (None, Some(text)) => {
                let version = conversation.map(|conversation| conversation.version).unwrap_or_default();
                Content::Reply { version, place: LAST_PLACE, text }
            }
            (None, None) => return Err(SendAgainError::NotThere),
        };
        // Only a question that is open still goes so; it stays the one that it was.
        let question = entry.question.filter(|_| entry.only_asks);
        let only_asks = entry.only_asks;
        let again = NewEntry { id: format!("{id}/again"), address: address.clone(), content, question, only_asks };
        let commit = Commit { at, once: vec![key(id)], outbox: vec![again], ..Commit::default() };
        match self.store.commit(commit).await? {
            Committed::Done => {
                self.outbox_filled.notify_one();
                Ok(())
            }
            Committed::Duplicate | Committed::Taken | Committed::Stale => Err(SendAgainError::Already),
        }
    }

    /// Whether a message is about this event: it says so, or whoever is there is invited to it.
    async fn concerns(
        &self,
        event: &EventId,
        entry: &Entry,
        conversation: Option<&Conversation>,
    ) -> Result<bool, StoreError> {
        if let Some(initiated) = &entry.initiated {
            return Ok(initiated.event == *event);
        }
        for guest in conversation.map(|conversation| conversation.logins.as_slice()).unwrap_or_default() {
            if self.store.guest(*guest).await?.is_some_and(|guest| guest.event_id == *event) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
