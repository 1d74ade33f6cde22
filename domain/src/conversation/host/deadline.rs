//! Until when guests may answer, as a host says.

use chrono::{DateTime, SecondsFormat, Utc};

use super::{HostTask, HostView};
use crate::{
    activity::{Activity, Actor, Happening},
    calendar::read_spoken,
    conversation::{summary, turn::Turn},
    digest, event_settings,
    message::{Arg, Say},
    model::Event,
    schedule, wording,
};

impl<'a> Turn<'a> {
    /// Shows it or, where a time is given, reads back what that would change.
    pub(super) fn deadline(&mut self, view: &'a HostView, typed: &str) {
        if typed.is_empty() {
            return self.tell(vec![digest::deadline_says(&view.facts), Say::new("host-deadline-how")]);
        }
        let event = &view.facts.event;
        let words = wording::date_words(self.language());
        match read_spoken(typed, event.time_zone, &(self.now..event.starts_at), &words) {
            Some(at) => self.confirm(view, HostTask::Deadline { at }, None),
            None => self.tell(vec![Say::new("host-deadline-unreadable"), Say::new("host-deadline-how")]),
        }
    }

    /// Why answers cannot close then.
    pub(super) fn deadline_refusal(&self, view: &HostView, at: DateTime<Utc>) -> Option<Say> {
        let event = &view.facts.event;
        let after = summary::deadline_in_full(&closing(event, at));
        if event.rsvp_deadline == Some(at) {
            return Some(Say::new("host-deadline-same").with("deadline", after));
        }
        if at <= self.now {
            return Some(Say::new("host-deadline-past").with("deadline", after));
        }
        if at > event.starts_at {
            let starts = Arg::Moment { at: event.starts_at, zone: event.time_zone };
            return Some(Say::new("host-deadline-late").with("starts", starts));
        }
        // What must hold of settings, however they are made.
        let typed = vec![("rsvp_deadline".to_owned(), at.to_rfc3339_opts(SecondsFormat::Millis, true))];
        let refused = event_settings::apply(Some(event.clone()), &typed, None, self.now).err()?;
        Some(Say::new("host-deadline-refused").with("reason", refused.first().map(ToString::to_string)?))
    }

    pub(super) fn deadline_read_back(&self, view: &HostView, at: DateTime<Utc>) -> Vec<Say> {
        let event = &view.facts.event;
        let after = closing(event, at);
        let head = Say::new("host-deadline-head").with("deadline", summary::deadline_in_full(&after));
        let ahead = schedule::reminders(&after).into_iter().filter(|reminder| self.now < reminder.due);
        let days: Vec<Arg> = ahead.map(|reminder| Arg::Day { at: reminder.due, zone: event.time_zone }).collect();
        vec![
            head.with("before", summary::deadline_in_full(event)),
            Say::new("host-deadline-out").with("count", view.out),
            match days.is_empty() {
                true => Say::new("host-deadline-no-reminder"),
                false => Say::new("host-deadline-reminders").with("days", days),
            },
        ]
    }

    pub(super) fn set_deadline(&mut self, view: &'a HostView, at: DateTime<Utc>) {
        let after = closing(&view.facts.event, at);
        self.activity.push(Activity {
            event_id: after.id.clone(),
            guest_id: None,
            at: self.now,
            by: Actor { guest_id: Some(view.host), channel: self.inbound.from.channel, as_host: true },
            what: Happening::Edited { fields: vec!["rsvp_deadline".to_owned()] },
        });
        let says = vec![Say::new("host-deadline-set").with("deadline", summary::deadline_in_full(&after))];
        self.event = Some(after);
        self.resume(says);
    }
}

fn closing(event: &Event, at: DateTime<Utc>) -> Event {
    Event { rsvp_deadline: Some(at), ..event.clone() }
}
