//! One run: a message about each guest whom it concerns, decided once.

use std::collections::HashMap;

use app::initiated;
use chrono::{DateTime, Utc};
use domain::{
    model::{Event, GuestId, Status},
    notice::Notice,
    schedule::{self, LATEST, Member, Message, Plan, Reminder},
};
use store::{Commit, Committed, Content, Initiated, NewEntry, StoreError};

use crate::Reminders;

/// Messages committed together.
const AT_ONCE: usize = 250;

/// A run of one kind of message.
struct Run<'a> {
    event: &'a Event,
    /// Of whom it may be.
    members: &'a [Member],
    /// Names the run: the same in every process.
    key: String,
    until: DateTime<Utc>,
    notice: fn(Vec<GuestId>) -> Notice,
}

impl Reminders {
    /// Reminds those who have not answered, when it is time.
    pub(crate) async fn remind(&self, event: &Event, now: DateTime<Utc>) -> Result<(), StoreError> {
        if crate::is_over(event, now) {
            return Ok(());
        }
        let job = initiated::reminders_job(&event.id, &self.app.outreach);
        let Some(done) = self.progress(&job, now).await? else { return Ok(()) };
        let missed = schedule::missed(&schedule::reminders(event), done, now);
        if missed.dropped > 0 {
            tracing::info!(event = %event.id, count = missed.dropped, "reminders whose time has passed are not sent");
        }
        if let Some(Reminder { days, due, until }) = missed.goes {
            let gathered = self.app.gather(&event.id).await?;
            let plan = schedule::whom_to_write(&gathered.members, &gathered.book, &self.app.outreach, |member| {
                member.status == Status::Pending
            });
            let key = format!("reminder/{}{}/{days}/{}", event.id, self.scope, due.timestamp());
            let run =
                Run { event, members: &gathered.members, key, until, notice: |guests| Notice::Reminder { guests } };
            self.carry_out(&run, plan, now).await?;
        } else if missed.dropped == 0 {
            return Ok(());
        }
        self.get_on(&job, Some(done), now).await
    }

    /// Tells those who come when and where, the day before.
    pub(crate) async fn tell_the_day_before(&self, event: &Event, now: DateTime<Utc>) -> Result<(), StoreError> {
        if crate::is_over(event, now) {
            return Ok(());
        }
        let job = self.job("day-before", &event.id);
        let Some(done) = self.progress(&job, now).await? else { return Ok(()) };
        let Some(due) = schedule::day_before(event).filter(|due| done < *due && *due <= now) else { return Ok(()) };
        if now < event.starts_at && now < due + LATEST {
            let gathered = self.app.gather(&event.id).await?;
            let plan = schedule::whom_to_write(&gathered.members, &gathered.book, &self.app.outreach, |member| {
                member.status == Status::Coming
            });
            let key = format!("day-before/{}{}/{}", event.id, self.scope, due.timestamp());
            let run = Run {
                event,
                members: &gathered.members,
                key,
                until: event.starts_at,
                notice: |guests| Notice::DayBefore { guests },
            };
            self.carry_out(&run, plan, now).await?;
        } else {
            tracing::info!(event = %event.id, "the message of the day before is too late and not sent");
        }
        self.get_on(&job, Some(done), now).await
    }

    async fn carry_out(&self, run: &Run<'_>, plan: Plan, now: DateTime<Utc>) -> Result<(), StoreError> {
        let (messages, unreached) = (plan.messages.len(), plan.unreached.len());
        let phones: HashMap<GuestId, &str> =
            run.members.iter().filter_map(|member| Some((member.id, member.phone.as_deref()?))).collect();
        for part in plan.messages.chunks(AT_ONCE) {
            self.decide(run, &phones, part, now).await?;
        }
        tracing::info!(event = %run.event.id, messages, unreached, "a run of messages is decided");
        Ok(())
    }

    /// Commits a part of a run. Guests about whom another process has decided meanwhile are left to it.
    async fn decide(
        &self,
        run: &Run<'_>,
        phones: &HashMap<GuestId, &str>,
        part: &[Message],
        now: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        let key = |guest: &GuestId| format!("{}/{guest}", run.key);
        loop {
            let keys: Vec<String> = part.iter().flat_map(|message| &message.guests).map(key).collect();
            let known = self.app.store.known_keys(&keys).await?;
            let (mut outbox, mut once) = (Vec::new(), Vec::new());
            for message in part {
                let guests: Vec<GuestId> =
                    message.guests.iter().copied().filter(|guest| !known.contains(&key(guest))).collect();
                let Some(first) = guests.first() else { continue };
                once.extend(guests.iter().map(key));
                let phones_there = guests.iter().filter_map(|guest| phones.get(guest).copied());
                let hours = run.event.hours_at(&message.address, phones_there);
                outbox.push(NewEntry {
                    id: key(first),
                    address: message.address.clone(),
                    content: Content::Initiated(Initiated {
                        event: run.event.id.clone(),
                        notice: (run.notice)(guests),
                        obeys_mute: true,
                        hours: Some(hours),
                        not_after: Some(run.until),
                        decided_at: now,
                    }),
                    question: None,
                    only_asks: false,
                });
            }
            if outbox.is_empty() {
                return Ok(());
            }
            match self.commit(Commit { at: now, once, outbox, ..Commit::default() }).await? {
                Committed::Done => return Ok(()),
                // Another process was faster with some of them: the rest is tried again.
                Committed::Duplicate | Committed::Stale => {}
                Committed::Taken => {
                    tracing::warn!(event = %run.event.id, "messages of a run are there already");
                    return Ok(());
                }
            }
        }
    }
}
