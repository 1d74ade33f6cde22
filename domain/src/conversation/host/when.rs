//! When it goes what a host sends: guests are written to in some hours of the day only.

use chrono::{DateTime, TimeDelta, Utc};

use super::{HostTask, HostView};
use crate::{
    address::Address,
    conversation::{summary, turn::Turn},
    message::{Arg, Say},
    model::Guest,
    notice::Hours,
    schedule::{Message, Plan},
};

/// Whoever wrote so lately is awake, and is answered at any hour.
const IS_AWAKE: TimeDelta = TimeDelta::hours(1);

impl HostView {
    /// For what Convive words: reminders and invitations.
    pub(super) fn hours(&self, to: &Address) -> Option<Hours> {
        Some(self.facts.event.hours_at(to, []))
    }
}

impl Turn<'_> {
    /// For what a host wants to be known now.
    pub(super) fn hours_now(&self, view: &HostView, to: &Address) -> Option<Hours> {
        view.facts.event.hours_on_the_spot(to, self.now)
    }

    /// For a reply to whoever is there.
    pub(super) fn hours_of_reply(&self, view: &HostView, to: &Address) -> Option<Hours> {
        let reach = view.book.logins.values().flatten().find(|reach| reach.address == *to);
        let is_awake = reach.and_then(|reach| reach.last_used).is_some_and(|used| self.now < used + IS_AWAKE);
        self.hours_now(view, to).filter(|_| !is_awake)
    }

    pub(super) fn goes_at(&self, hours: Option<Hours>) -> DateTime<Utc> {
        hours.map_or(self.now, |hours| hours.next_open(self.now))
    }

    /// Without the messages that could only go once answers are closed.
    pub(super) fn in_time(&self, view: &HostView, mut plan: Plan) -> Plan {
        let closes_at = view.facts.event.closes_at();
        plan.messages.retain(|message| self.goes_at(view.hours(&message.address)) < closes_at);
        plan
    }

    /// When messages go that have to wait; nothing where all of them go at once.
    pub(super) fn says_when(
        &self,
        view: &HostView,
        messages: &[Message],
        hours: impl Fn(&Address) -> Option<Hours>,
    ) -> Option<Say> {
        let times = messages.iter().map(|message| self.goes_at(hours(&message.address)));
        let later: Vec<DateTime<Utc>> = times.filter(|at| self.now < *at).collect();
        let last = *later.iter().max()?;
        let is_same = later.len() == messages.len() && later.iter().all(|at| *at == last);
        let id = if is_same { "host-goes-later" } else { "host-some-go-later" };
        let when = Arg::Moment { at: last, zone: view.facts.event.time_zone };
        Some(Say::new(id).with("count", number(later.len())).with("when", when))
    }

    /// That messages are on their way, in these words, or when they will be.
    pub(super) fn on_the_way(
        &self,
        view: &HostView,
        messages: &[Message],
        hours: impl Fn(&Address) -> Option<Hours>,
        goes: Say,
    ) -> Vec<Say> {
        let count = number(messages.len());
        let waits = |message: &Message| self.now < self.goes_at(hours(&message.address));
        let head = match !messages.is_empty() && messages.iter().all(waits) {
            true => Say::new("host-kept"),
            false => goes,
        };
        let mut says = vec![head.with("count", count)];
        says.extend(self.says_when(view, messages, hours));
        says
    }

    /// Why messages would be sent to nobody's use by now.
    pub(super) fn too_late(&self, view: &HostView, task: &HostTask, about: Option<&Guest>) -> Option<Say> {
        let event = &view.facts.event;
        let all = match task {
            HostTask::Tell if event.starts_at <= self.now => {
                return Some(Say::new("host-tell-begun").with("event", event.name.as_str()));
            }
            HostTask::Remind => self.whom_to_remind(view, about),
            HostTask::Invite => self.whom_to_invite(view),
            _ => return None,
        };
        let deadline = || summary::deadline(event);
        if event.cancelled_at.is_some() {
            return Some(Say::new("event-cancelled").with("event", event.name.as_str()));
        }
        if !event.is_open(self.now) {
            return Some(Say::new("answers-closed").with("deadline", deadline()));
        }
        let opens = all.messages.iter().map(|message| self.goes_at(view.hours(&message.address))).min()?;
        let when = Arg::Moment { at: opens, zone: event.time_zone };
        (event.closes_at() <= opens)
            .then(|| Say::new("host-opens-too-late").with("when", when).with("deadline", deadline()))
    }
}

pub(super) fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
