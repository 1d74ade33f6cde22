//! The words of messages that only tell something, from the facts as they are when they first go.

use chrono::{DateTime, Utc};
use domain::{
    address::Style,
    calendar,
    conversation::{Conversation, summary},
    digest::{self, channel_name},
    message::{Arg, Numbering, Outgoing, Question, Say},
    model::{Event, Guest, GuestId, Status},
    notice::Notice,
};
use store::StoreError;

use crate::App;

/// The message, or nothing where it would no longer be true.
pub(super) async fn message(
    app: &App,
    conversation: &Conversation,
    notice: &Notice,
    event: &Event,
    now: DateTime<Utc>,
) -> Result<Option<Outgoing>, StoreError> {
    let says = match notice {
        Notice::EventChanged { guests } => return event_changed(app, conversation, guests, event, now).await,
        Notice::OfferToTell { coming } => return offer_to_tell(app, conversation, event, *coming).await,
        Notice::DayBefore { guests } => day_before(app, guests, event, now).await?,
        Notice::FromHost { guests, text } => from_host(app, guests, event, text).await?,
        notice => says(app, conversation, notice, event).await?,
    };
    Ok(says.map(Outgoing::statement))
}

/// Those of these guests who come, while the event is still ahead.
async fn coming(app: &App, guests: &[GuestId], event: &Event, now: DateTime<Utc>) -> Result<Vec<Guest>, StoreError> {
    let mut coming = Vec::new();
    for guest in guests {
        let guest = app.store.guest(*guest).await?;
        coming.extend(guest.filter(|guest| guest.status == Status::Coming && now < event.starts_at));
    }
    Ok(coming)
}

fn names(guests: &[Guest]) -> Vec<String> {
    guests.iter().map(|guest| guest.short_name().to_owned()).collect()
}

async fn day_before(
    app: &App,
    guests: &[GuestId],
    event: &Event,
    now: DateTime<Utc>,
) -> Result<Option<Vec<Say>>, StoreError> {
    let coming = coming(app, guests, event, now).await?;
    if coming.is_empty() || event.cancelled_at.is_some() {
        return Ok(None);
    }
    // It may have waited: until the window opened, or because nothing went out.
    let day = |at: DateTime<Utc>| at.with_timezone(&event.time_zone).date_naive();
    let id = if day(now).succ_opt() == Some(day(event.starts_at)) { "day-before" } else { "day-before-late" };
    let mut says = vec![Say::new(id).with("event", event.name.as_str()).with("name", names(&coming))];
    says.extend(summary::event_facts(event));
    Ok(Some(says))
}

async fn event_changed(
    app: &App,
    conversation: &Conversation,
    guests: &[GuestId],
    event: &Event,
    now: DateTime<Utc>,
) -> Result<Option<Outgoing>, StoreError> {
    let coming = coming(app, guests, event, now).await?;
    if coming.is_empty() {
        return Ok(None);
    }
    let mut message = Outgoing::statement(summary::how_it_is_now(event, names(&coming)));
    if conversation.address.style() == Style::Buttons {
        message.attachment = Some(calendar::calendar_file(event, now, &app.policy.calendar_domain));
    }
    Ok(Some(message))
}

/// To a host; the button speaks for the host who is logged in there.
async fn offer_to_tell(
    app: &App,
    conversation: &Conversation,
    event: &Event,
    coming: u32,
) -> Result<Option<Outgoing>, StoreError> {
    let hosts = app.store.hosts(&event.id).await?;
    let host = hosts.iter().find(|host| conversation.logins.contains(&host.id));
    let id = if event.cancelled_at.is_some() { "host-offer-off" } else { "host-offer-changed" };
    let say = Say::new(id).with("event", event.name.as_str()).with("count", coming);
    let question = host.map(|host| Question {
        number: 0,
        choices: vec![digest::tell_choice(host.id)],
        // Where there are no buttons, the sentence says what to type.
        numbering: Numbering::HeadCount,
    });
    Ok(Some(Outgoing { question, ..Outgoing::statement(vec![say]) }))
}

async fn from_host(app: &App, guests: &[GuestId], event: &Event, text: &str) -> Result<Option<Vec<Say>>, StoreError> {
    let mut found = Vec::new();
    for guest in guests {
        found.extend(app.store.guest(*guest).await?);
    }
    if found.is_empty() {
        return Ok(None);
    }
    let say = Say::new("from-host").with("event", event.name.as_str()).with("name", names(&found));
    Ok(Some(vec![say.with("text", text)]))
}

/// The sentences, or nothing where they would no longer be true.
async fn says(
    app: &App,
    conversation: &Conversation,
    notice: &Notice,
    event: &Event,
) -> Result<Option<Vec<Say>>, StoreError> {
    let (store, address) = (&app.store, &conversation.address);
    let named = |id, guest: &Guest| Say::new(id).with("event", event.name.as_str()).with("name", guest.full_name());
    Ok(match notice {
        Notice::AnsweredFor { guests, by } => {
            let Some(by_guest) = store.guest(*by).await? else { return Ok(None) };
            let mut answered = Vec::new();
            for guest in guests {
                let guest = store.guest(*guest).await?;
                // Somebody else, or they themselves, may have answered since: that has a notice of its own.
                answered.extend(guest.filter(|guest| {
                    guest.answered_by.as_ref().is_none_or(|answered| answered.guest_id == *by)
                        && conversation.logins.contains(&guest.id)
                }));
            }
            if answered.is_empty() {
                return Ok(None);
            }
            let mut says =
                vec![Say::new("answered-for").with("by", by_guest.short_name()).with("event", event.name.as_str())];
            says.extend(summary::answers(&answered, address.style()));
            says.extend(summary::dietary(&answered, address.style()));
            says.push(Say::new("answered-for-change"));
            Some(says)
        }
        Notice::LoggedInElsewhere { guest, channel } => {
            let guest = store.guest(*guest).await?.filter(|guest| conversation.logins.contains(&guest.id));
            guest.map(|guest| vec![named("logged-in-elsewhere", &guest).with("channel", channel.as_str())])
        }
        Notice::CodeChanged { guest } => store.guest(*guest).await?.map(|guest| vec![named("code-changed", &guest)]),
        Notice::ExtraGuests { guest, expected, coming } => store
            .guest(*guest)
            .await?
            .map(|guest| vec![named("host-extras", &guest).with("coming", *coming).with("expected", *expected)]),
        Notice::MessageLeft { guest, text } => store.guest(*guest).await?.map(|guest| {
            vec![named("host-message", &guest), Say::new("host-message-text").with("text", Arg::from(text.as_str()))]
        }),
        Notice::WrongPerson { guest, channel } => {
            let channel = channel_name(*channel);
            store.guest(*guest).await?.map(|guest| vec![named("host-wrong-person", &guest).with("channel", channel)])
        }
        Notice::LateChange { guest } => {
            let Some(guest) = store.guest(*guest).await? else { return Ok(None) };
            let mut says = vec![named("host-late-change", &guest)];
            says.extend(summary::answers(std::slice::from_ref(&guest), address.style()));
            Some(says)
        }
        Notice::EventFull { coming } => {
            let seats = event.capacity.unwrap_or(*coming);
            let say = Say::new("host-full").with("event", event.name.as_str()).with("coming", *coming);
            Some(vec![say.with("seats", seats).with("over", coming.saturating_sub(seats))])
        }
        Notice::ChannelStopped { channel } => {
            Some(vec![Say::new("host-channel-stopped").with("channel", channel_name(*channel))])
        }
        Notice::Digest { .. }
        | Notice::BroadcastProgress { .. }
        | Notice::BroadcastReport { .. }
        | Notice::OfferToTell { .. }
        | Notice::Reminder { .. }
        | Notice::Invitation { .. }
        | Notice::DayBefore { .. }
        | Notice::EventChanged { .. }
        | Notice::FromHost { .. } => None,
    })
}
