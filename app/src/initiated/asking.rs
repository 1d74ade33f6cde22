//! Messages that ask: reminders and invitations, whose question becomes the open one.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use domain::{
    conversation::{self, Context, Conversation},
    model::{GroupKey, Guest, GuestId},
    notice::Notice,
};
use store::{EntryStatus, Initiated, StoreError};

use super::{Worded, Words};
use crate::App;

pub(super) async fn words(
    app: &App,
    conversation: &Conversation,
    notice: &Notice,
    about: &[GuestId],
    now: DateTime<Utc>,
) -> Result<Worded, StoreError> {
    let context = context(app, conversation, about).await?;
    let opening = match notice {
        // Whoever logged in since has been asked already.
        Notice::Invitation { .. } => conversation::invite(&context, about, now),
        _ => conversation::remind(&context, about, now),
    };
    let Some(opening) = opening else { return Ok(Worded::Nothing) };
    Ok(Worded::Says(Words {
        message: opening.message,
        locale: opening.locale,
        asks: Some(Box::new(opening.conversation)),
        part: 0,
    }))
}

/// The notice without the guests whom another message asked at this address just before, be it another host's or one
/// of the schedule; `None` where nobody is left.
pub(super) async fn unless_asked_lately(
    app: &App,
    conversation: &Conversation,
    initiated: &Initiated,
    id: &str,
    now: DateTime<Utc>,
) -> Result<Option<Notice>, StoreError> {
    let notice = &initiated.notice;
    let mut left = notice.asks().to_vec();
    for asked in &conversation.dialogue.asked_about {
        let is_late = now < asked.at + conversation::NOT_ASKED_AGAIN && asked.entry != id;
        if is_late && left.contains(&asked.guest) && !never_arrived(app, &asked.entry).await? {
            left.retain(|guest| *guest != asked.guest);
        }
    }
    let is_settled = left.is_empty() && !notice.asks().is_empty();
    Ok((!is_settled).then(|| if notice.asks().is_empty() { notice.clone() } else { notice.about(&left) }))
}

async fn never_arrived(app: &App, id: &str) -> Result<bool, StoreError> {
    for status in [EntryStatus::Failed, EntryStatus::Dropped] {
        let found = app.store.entries_of(id, status, 1).await?;
        if found.first().is_some_and(|entry| entry.id == id) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// What the rules need to know to speak to an address about these guests.
async fn context(app: &App, conversation: &Conversation, about: &[GuestId]) -> Result<Context, StoreError> {
    let store = &app.store;
    let (mut logins, mut keys) = (Vec::new(), Vec::<GroupKey>::new());
    for login in &conversation.logins {
        logins.extend(store.guest(*login).await?);
    }
    for guest in about {
        keys.extend(store.guest(*guest).await?.map(|guest| guest.group_key()));
    }
    keys.extend(logins.iter().map(Guest::group_key));
    keys.sort();
    keys.dedup();
    let groups = store.groups(&keys).await?;
    let mut events = BTreeMap::new();
    for guest in groups.iter().flat_map(|group| &group.members).chain(&logins) {
        if !events.contains_key(&guest.event_id)
            && let Some(event) = store.event(&guest.event_id).await?
        {
            events.insert(guest.event_id.clone(), event);
        }
    }
    Ok(Context {
        conversation: conversation.clone(),
        logins,
        groups,
        candidates: Vec::new(),
        events,
        question_attempted_at: None,
        recent_failures: 0,
        host: None,
        policy: (*app.policy).clone(),
    })
}
