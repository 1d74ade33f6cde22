//! Another way to somebody whom a message did not reach.

use chrono::{DateTime, Utc};
use domain::{
    address::{Address, Channel},
    model::GuestId,
    schedule,
};
use store::{Commit, Committed, Content, Initiated, NewEntry, StoreError};

use crate::App;

/// Stands in the id of such a text between the refused entry's id and the address.
pub(super) const INSTEAD: &str = "/instead/";

/// Nobody was there (the bot is blocked): texts the guests whose phones are known, once. To be called before the
/// failed entry is settled, so that a crash in between loses nothing; its id makes a second call harmless.
///
/// # Errors
/// When the store cannot be used.
pub async fn instead(
    app: &App,
    id: &str,
    refused: &Address,
    initiated: &Initiated,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    let Some(about) = initiated.notice.to_guests() else { return Ok(()) };
    if refused.channel == Channel::Sms || !app.outreach.sms_fallback {
        return Ok(());
    }
    let (guests, mut gathered) = app.gather_groups_of(about).await?;
    for reach in gathered.book.logins.values_mut().flatten().filter(|reach| reach.address == *refused) {
        reach.unreachable = true;
    }
    app.look_up_phones(&guests, &mut gathered.book).await?;
    let plan =
        schedule::whom_to_write(&gathered.members, &gathered.book, &app.outreach, |member| about.contains(&member.id));
    let is_unused = |address: &Address| !gathered.book.logins.values().flatten().any(|reach| reach.address == *address);
    let texts = plan.messages.into_iter().filter(|message| {
        // Others in the group have a message of their own.
        message.address.channel == Channel::Sms && is_unused(&message.address)
    });
    let entry = |address: Address, guests: &[GuestId]| NewEntry {
        id: format!("{id}{INSTEAD}{address}"),
        content: Content::Initiated(Initiated { notice: initiated.notice.about(guests), ..initiated.clone() }),
        address,
        question: None,
        only_asks: false,
    };
    for text in texts {
        let outbox = vec![entry(text.address, &text.guests)];
        let committed = app.store.commit(Commit { at: now, outbox, ..Commit::default() }).await?;
        if committed == Committed::Done {
            app.outbox_filled.notify_one();
        }
    }
    Ok(())
}
