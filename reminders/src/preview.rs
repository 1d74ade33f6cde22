//! What would be sent, from the same plan as the real thing.

use app::{App, Round, RoundKind, initiated};
use chrono::{DateTime, Utc};
use domain::{
    address::Channel,
    model::{Event, GuestId},
    schedule::{Member, WhyNot},
};
use store::StoreError;

/// One message that would be sent if nobody answered until then.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Planned {
    pub at: DateTime<Utc>,
    pub kind: RoundKind,
    pub guests: Vec<GuestId>,
    /// Where; or why nowhere.
    pub place: Result<Channel, WhyNot>,
    /// What it costs, for texts.
    pub segments: u32,
}

/// Everything that would be sent from now until then.
///
/// # Errors
/// When the store cannot be read.
pub async fn preview(app: &App, event: &Event, until: DateTime<Utc>) -> Result<Vec<Planned>, StoreError> {
    let gathered = app.gather(&event.id).await?;
    let mut planned = Vec::new();
    for round in app.rounds_ahead(event, &gathered).into_iter().filter(|round| round.at <= until) {
        planned.extend(rows(app, event, &gathered.members, round).await?);
    }
    Ok(planned)
}

async fn rows(app: &App, event: &Event, members: &[Member], round: Round) -> Result<Vec<Planned>, StoreError> {
    let Round { at: due, until, kind, plan } = round;
    let nowhere = |guest, why| Planned { at: due, kind, guests: vec![guest], place: Err(why), segments: 0 };
    let mut rows = Vec::new();
    for message in plan.messages {
        let channel = message.address.channel;
        let about = members.iter().filter(|member| message.guests.contains(&member.id));
        let phones = about.filter_map(|member| member.phone.as_deref());
        let at = event.hours_at(&message.address, phones).next_open(due);
        if until <= at {
            rows.extend(message.guests.into_iter().map(|guest| nowhere(guest, WhyNot::TooLate)));
            continue;
        }
        let words = initiated::preview(app, &message.address, &kind.notice(message.guests.clone()), event, at).await?;
        let Some(words) = words else { continue };
        rows.push(Planned { at, kind, guests: message.guests, place: Ok(channel), segments: words.segments });
    }
    let unreached = plan.unreached.into_iter();
    rows.extend(unreached.map(|(guest, why)| nowhere(guest, why)));
    Ok(rows)
}
