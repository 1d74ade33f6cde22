//! What would be sent, from the same plan as the real thing.

use app::{App, initiated};
use chrono::{DateTime, Utc};
use domain::{
    address::Channel,
    model::{Event, GuestId, Status},
    notice::Notice,
    schedule::{self, Plan, WhyNot},
};
use store::StoreError;

/// A kind of message that goes because time passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PreviewKind {
    /// So many days before the last day of answering.
    Reminder {
        days: u32,
    },
    DayBefore,
}

/// One message that would be sent if nobody answered until then.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Planned {
    pub at: DateTime<Utc>,
    pub kind: PreviewKind,
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
    let now = app.clock.now();
    let gathered = app.gather(&event.id).await?;
    let mut planned = Vec::new();
    let ahead = |due: &DateTime<Utc>| now < *due && *due <= until;
    for reminder in schedule::reminders(event).into_iter().filter(|reminder| ahead(&reminder.due)) {
        let plan = schedule::whom_to_write(&gathered.members, &gathered.book, &app.outreach, |member| {
            member.status == Status::Pending
        });
        let kind = PreviewKind::Reminder { days: reminder.days };
        let notice = |guests| Notice::Reminder { guests };
        planned.extend(rows(app, event, plan, (reminder.due, kind), notice).await?);
    }
    if let Some(due) = schedule::day_before(event).filter(ahead) {
        let plan = schedule::whom_to_write(&gathered.members, &gathered.book, &app.outreach, |member| {
            member.status == Status::Coming
        });
        let notice = |guests| Notice::DayBefore { guests };
        planned.extend(rows(app, event, plan, (due, PreviewKind::DayBefore), notice).await?);
    }
    Ok(planned)
}

async fn rows(
    app: &App,
    event: &Event,
    plan: Plan,
    (at, kind): (DateTime<Utc>, PreviewKind),
    notice: impl Fn(Vec<GuestId>) -> Notice,
) -> Result<Vec<Planned>, StoreError> {
    let mut rows = Vec::new();
    for message in plan.messages {
        let channel = message.address.channel;
        let words = initiated::preview(app, &message.address, &notice(message.guests.clone()), event, at).await?;
        let Some(words) = words else { continue };
        rows.push(Planned { at, kind, guests: message.guests, place: Ok(channel), segments: words.segments });
    }
    let unreached = plan.unreached.into_iter();
    rows.extend(unreached.map(|(guest, why)| Planned { at, kind, guests: vec![guest], place: Err(why), segments: 0 }));
    Ok(rows)
}
