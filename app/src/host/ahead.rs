//! What will go to guests, and to whom: looked at before it does.

use chrono::{DateTime, Utc};
use domain::{
    activity::Actor,
    model::{Event, EventId, GuestId, Status},
    notice::{Addressed, Notice},
    schedule::{self, Member, Plan},
};
use store::{Commit, Committed, StoreError};

use super::HostError;
use crate::{
    App, Gathered,
    initiated::{self, KnownLinks, Occasion},
};

/// A kind of message that goes because time passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RoundKind {
    /// So many days before the last day of answering.
    Reminder {
        days: u32,
    },
    DayBefore,
}

/// Messages that go at one time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Round {
    pub at: DateTime<Utc>,
    /// Of no use from then on.
    pub until: DateTime<Utc>,
    pub kind: RoundKind,
    pub plan: Plan,
}

impl RoundKind {
    /// What is said to these guests.
    #[must_use]
    pub fn notice(self, guests: Vec<GuestId>) -> Notice {
        match self {
            Self::Reminder { .. } => Notice::Reminder { guests },
            Self::DayBefore => Notice::DayBefore { guests },
        }
    }
}

impl App {
    /// What goes from now on because time passes, if nobody answers until then.
    #[must_use]
    pub fn rounds_ahead(&self, event: &Event, gathered: &Gathered) -> Vec<Round> {
        let now = self.clock.now();
        let plan = |status: Status| {
            let wanted = |member: &Member| member.status == status;
            schedule::whom_to_write(&gathered.members, &gathered.book, &self.outreach, wanted)
        };
        let reminders = schedule::reminders(event).into_iter().filter(|reminder| now < reminder.due).map(|reminder| {
            let kind = RoundKind::Reminder { days: reminder.days };
            Round { at: reminder.due, until: reminder.until, kind, plan: plan(Status::Pending) }
        });
        let day_before = schedule::day_before(event).filter(|due| now < *due);
        let day_before = day_before.map(|at| Round {
            at,
            until: event.starts_at,
            kind: RoundKind::DayBefore,
            plan: plan(Status::Coming),
        });
        reminders.chain(day_before).collect()
    }

    /// Who would be told that time or place have changed: everybody who comes, except the host who tells.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn whom_a_change_concerns(&self, event: &EventId, by: &Actor) -> Result<Plan, StoreError> {
        let gathered = self.gather(event).await?;
        let wanted = |member: &Member| member.status == Status::Coming && Some(member.id) != by.guest_id;
        Ok(schedule::whom_to_write(&gathered.members, &gathered.book, &self.outreach, wanted))
    }

    /// Tells everybody who comes when and where the event is now; once for each state of the event, and only before it
    /// starts. Returns how many messages go.
    ///
    /// # Errors
    /// When the store cannot commit.
    pub async fn tell_of_change(&self, event: &Event, by: &Actor) -> Result<usize, HostError> {
        let at = self.clock.now();
        if event.starts_at <= at {
            return Ok(0);
        }
        let plan = self.whom_a_change_concerns(&event.id, by).await?;
        let count = plan.messages.len();
        let key = format!("told/{}/{}", event.id, event.version);
        let occasion = Occasion { key: &key, speaker: None, at, known: KnownLinks::default() };
        let order = |message: schedule::Message| Addressed {
            event: event.id.clone(),
            hours: event.hours_on_the_spot(&message.address, at),
            address: message.address,
            notice: Notice::EventChanged { guests: message.guests },
            not_after: Some(event.starts_at),
        };
        let orders = plan.messages.into_iter().map(order);
        let outbox = orders.map(|order| initiated::ordered(&order, event, &occasion)).collect();
        let commit = Commit { at, once: vec![key.clone()], outbox, ..Commit::default() };
        match self.store.commit(commit).await? {
            Committed::Done => self.outbox_filled.notify_one(),
            // Told before.
            Committed::Duplicate | Committed::Taken => {}
            Committed::Stale => return Err(HostError::Contention),
        }
        Ok(count)
    }
}
