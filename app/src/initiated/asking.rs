//! Messages that ask: reminders and invitations, whose question becomes the open one.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use domain::{
    conversation::{self, Context, Conversation},
    model::{GroupKey, Guest, GuestId},
    notice::Notice,
};
use store::StoreError;

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
