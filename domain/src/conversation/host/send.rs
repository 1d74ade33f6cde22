//! Messages to many, or to one, at a host's word.

use chrono::{DateTime, TimeDelta, Utc};

use super::{HostTask, HostView, cost, when::number};
use crate::{
    address::{Address, Channel, Style},
    conversation::{NOT_ASKED_AGAIN, summary, turn::Turn},
    digest,
    message::{Arg, Say},
    model::{Guest, GuestId, Status},
    notice::{Addressed, Hours, Notice},
    schedule::{self, Member, Message, Plan, WhyNot},
    show, sms_text, wording,
};

/// Characters of a message to guests.
pub(super) const MOST_TEXT: usize = 1000;
/// What a host wrote is of use for so long, after the event too.
const IS_OF_USE: TimeDelta = TimeDelta::days(7);
/// Initiated messages that go in a second, about; of texts it is a segment.
const A_SECOND: u32 = 30;
/// A message to many that takes longer than this is reported on while it is under way, so many seconds after it began.
const TAKES_LONG: u32 = 30;
const PROGRESS_AFTER: [i64; 3] = [30, 120, 600];

impl<'a> Turn<'a> {
    fn members(view: &HostView) -> Vec<Member> {
        view.facts.guests.iter().map(Member::from).collect()
    }

    /// At whatever time.
    pub(super) fn whom_to_remind(&self, view: &HostView, about: Option<&Guest>) -> Plan {
        let mut wanted = view.pending(about);
        wanted.retain(|guest| !view.asked_lately.contains(guest));
        let members = Self::members(view);
        schedule::whom_to_write(&members, &view.book, &view.outreach, |member| wanted.contains(&member.id))
    }

    /// Why no reminder would go out, where everybody who is still out was asked just before or cannot be reached.
    pub(super) fn nobody_left_to_remind(&self, view: &HostView, about: Option<&Guest>) -> Option<Say> {
        let plan = self.whom_to_remind(view, about);
        let why = || left_out(view.pending(about).iter(), view).or_else(|| not_reached(view, &plan, "pending"));
        plan.messages.is_empty().then(why).flatten()
    }

    fn remind_plan(&self, view: &HostView, about: Option<&Guest>) -> Plan {
        self.in_time(view, self.whom_to_remind(view, about))
    }

    pub(super) fn broadcast_plan(&self, view: &HostView, to_all: bool) -> Plan {
        let members = Self::members(view);
        schedule::whom_to_write(&members, &view.book, &view.outreach, |member| {
            member.id != view.host && (to_all || member.status == Status::Coming)
        })
    }

    pub(super) fn remind_says(&self, view: &HostView, about: Option<&Guest>) -> Vec<Say> {
        let plan = self.remind_plan(view, about);
        let segments = cost::of_reminders(view, &plan, &self.context.policy, self.now);
        let mut says = vec![cost_of("host-remind-preview", &plan, &segments)];
        says.extend(left_out(view.pending(about).iter(), view));
        says.extend(self.says_when(view, &plan.messages, |to| view.hours(to)));
        says.extend(not_reached(view, &plan, "pending"));
        says
    }

    pub(super) fn broadcast_says(&self, view: &HostView, text: &str) -> Vec<Say> {
        let mut says = vec![Say::new("host-broadcast-head"), Say::new("host-broadcast-text").with("text", text)];
        let say = |message: &Message| from_host(view, message, text);
        let (coming, all) = (self.broadcast_plan(view, false), self.broadcast_plan(view, true));
        says.push(self.cost("host-broadcast-coming", view, &coming, say));
        says.push(self.cost("host-broadcast-all", view, &all, say));
        says.extend(self.says_when(view, &all.messages, |to| self.hours_now(view, to)));
        says
    }

    /// Whoever was never heard of, and can be texted; at whatever time.
    pub(super) fn whom_to_invite(&self, view: &HostView) -> Plan {
        let members = Self::members(view);
        let mut plan = schedule::whom_to_tell(&members, &view.book, &view.outreach, |member| {
            view.was_never_here(member) && !view.asked_lately.contains(&member.id)
        });
        plan.messages.retain(|message| message.address.channel == Channel::Sms);
        // Where nobody can be texted at all, that is no news of these.
        plan.unreached.retain(|(_, why)| *why != WhyNot::NoAddress);
        plan
    }

    fn invite_plan(&self, view: &HostView) -> Plan {
        self.in_time(view, self.whom_to_invite(view))
    }

    pub(super) fn invite_says(&self, view: &HostView) -> Vec<Say> {
        let event = &view.facts.event;
        let when = || Arg::Moment { at: event.starts_at, zone: event.time_zone };
        let text = |message: &Message| {
            let head = Say::new("invite")
                .with("event", event.name.as_str())
                .with("host", event.host_contact.clone().unwrap_or_default())
                .with("names", names(view, &message.guests))
                .with("when", when());
            let how = Say::new("invite-by-name")
                .with("deadline", summary::deadline(event))
                .with("name", names(view, &message.guests[..1]))
                .with("code", "ABCDEFGH");
            Say::new("host-broadcast-text").with("text", vec![head, how])
        };
        let plan = self.invite_plan(view);
        let mut says = vec![self.cost("host-invite-preview", view, &plan, text)];
        says.extend(left_out(view.never_here().iter(), view));
        says.extend(self.says_when(view, &plan.messages, |to| view.hours(to)));
        says.extend(not_reached(view, &plan, "pending"));
        says
    }

    /// Why nobody would be invited.
    pub(super) fn nobody_to_invite(&self, view: &HostView) -> Option<Say> {
        let plan = self.whom_to_invite(view);
        let why = || left_out(view.never_here().iter(), view).or_else(|| not_reached(view, &plan, "pending"));
        let why = || why().unwrap_or_else(|| Say::new("host-nobody-to-invite"));
        plan.messages.is_empty().then(why)
    }

    pub(super) fn invite(&mut self, view: &'a HostView) {
        if let Some(late) = self.too_late(view, &HostTask::Invite, None) {
            return self.resume(vec![late]);
        }
        let plan = self.invite_plan(view);
        for message in &plan.messages {
            let notice = Notice::Invitation { guests: message.guests.clone() };
            self.order(view, message, notice, (view.hours(&message.address), view.facts.event.closes_at()));
        }
        let says = self.on_the_way(view, &plan.messages, |to| view.hours(to), Say::new("host-invited"));
        self.resume(says);
    }

    pub(super) fn tell_says(&self, view: &HostView) -> Vec<Say> {
        let plan = self.broadcast_plan(view, false);
        let event = &view.facts.event;
        let text = |message: &Message| {
            let lines = summary::how_it_is_now(event, names(view, &message.guests));
            Say::new("host-broadcast-text").with("text", lines)
        };
        let mut says = vec![self.cost("host-tell-preview", view, &plan, text)];
        says.extend(self.says_when(view, &plan.messages, |to| self.hours_now(view, to)));
        says.extend(not_reached(view, &plan, "coming"));
        says
    }

    pub(super) fn tell_of_change(&mut self, view: &'a HostView) {
        if let Some(late) = self.too_late(view, &HostTask::Tell, None) {
            return self.resume(vec![late]);
        }
        let plan = self.broadcast_plan(view, false);
        for message in &plan.messages {
            let notice = Notice::EventChanged { guests: message.guests.clone() };
            let hours = self.hours_now(view, &message.address);
            self.order(view, message, notice, (hours, view.facts.event.starts_at));
        }
        let hours = |to: &Address| self.hours_now(view, to);
        let mut says = self.on_the_way(view, &plan.messages, hours, Say::new("host-told"));
        says.extend(not_reached(view, &plan, "coming"));
        self.resume(says);
    }

    /// How many messages, and what the texts among them cost.
    fn cost(&self, id: &'static str, view: &HostView, plan: &Plan, text: impl Fn(&Message) -> Say) -> Say {
        cost_of(id, plan, &segments(view, plan, text))
    }

    pub(super) fn send_reminders(&mut self, view: &'a HostView, about: Option<&Guest>) {
        if let Some(late) = self.too_late(view, &HostTask::Remind, about) {
            return self.resume(vec![late]);
        }
        let plan = self.remind_plan(view, about);
        for message in &plan.messages {
            let notice = Notice::Reminder { guests: message.guests.clone() };
            self.order(view, message, notice, (view.hours(&message.address), view.facts.event.closes_at()));
        }
        let mut says = self.on_the_way(view, &plan.messages, |to| view.hours(to), Say::new("host-reminded"));
        says.extend(not_reached(view, &plan, "pending"));
        self.resume(says);
    }

    pub(super) fn broadcast(&mut self, view: &'a HostView, text: &str, to_all: bool) {
        let plan = self.broadcast_plan(view, to_all);
        for message in &plan.messages {
            let notice = Notice::FromHost { guests: message.guests.clone(), text: text.to_owned() };
            let hours = self.hours_now(view, &message.address);
            self.order(view, message, notice, (hours, self.now + IS_OF_USE));
        }
        let count = number(plan.messages.len());
        self.order_to_host(
            view,
            Notice::BroadcastReport {
                broadcast: format!("{}/to/", self.inbound.key),
                messages: count,
                unreached: plan.unreached.iter().map(|(guest, _)| *guest).collect(),
            },
        );
        let seconds = seconds(view, &plan, |message| from_host(view, message, text));
        let times = plan.messages.iter().map(|message| self.goes_at(self.hours_now(view, &message.address)));
        let begins = times.min().unwrap_or(self.now);
        if seconds > TAKES_LONG && self.style == Style::Buttons {
            for after in PROGRESS_AFTER {
                let then = begins + TimeDelta::seconds(after);
                let broadcast = format!("{}/to/", self.inbound.key);
                self.order_to_host(view, Notice::BroadcastProgress { broadcast, messages: count, then });
            }
        }
        let goes = Say::new("host-broadcast-goes").with("seconds", seconds);
        let mut says = self.on_the_way(view, &plan.messages, |to| self.hours_now(view, to), goes);
        says.push(Say::new("host-broadcast-reports"));
        self.resume(says);
    }

    pub(super) fn send_reply(&mut self, view: &'a HostView, guest: &Guest, text: &str) -> Vec<Say> {
        let length = text.chars().count();
        if length > MOST_TEXT {
            return vec![Say::new("too-long").with("length", number(length)).with("most", number(MOST_TEXT))];
        }
        let members = Self::members(view);
        let plan = schedule::whom_to_tell(&members, &view.book, &view.outreach, |member| member.id == guest.id);
        let Some(message) = plan.messages.first() else {
            return not_reached(view, &plan, "pending").into_iter().collect();
        };
        let notice = Notice::FromHost { guests: message.guests.clone(), text: text.to_owned() };
        let hours = self.hours_of_reply(view, &message.address);
        self.order(view, message, notice, (hours, self.now + IS_OF_USE));
        let mut says = vec![Say::new("host-replied").with("name", guest.full_name())];
        says.extend(self.says_when(view, &plan.messages, |_| hours));
        says
    }

    fn order(
        &mut self,
        view: &HostView,
        message: &Message,
        notice: Notice,
        (hours, not_after): (Option<Hours>, DateTime<Utc>),
    ) {
        self.orders.push(Addressed {
            event: view.facts.event.id.clone(),
            address: message.address.clone(),
            notice,
            hours,
            not_after: Some(not_after),
        });
    }

    fn order_to_host(&mut self, view: &HostView, notice: Notice) {
        self.orders.push(Addressed {
            event: view.facts.event.id.clone(),
            address: self.inbound.from.clone(),
            notice,
            hours: None,
            not_after: None,
        });
    }
}

/// How many of these are not written to now, having been asked just before.
pub(super) fn left_out<'g>(guests: impl Iterator<Item = &'g GuestId>, view: &HostView) -> Option<Say> {
    let count = guests.filter(|guest| view.asked_lately.contains(guest)).count();
    (count > 0).then(|| {
        let hours = u32::try_from(NOT_ASKED_AGAIN.num_hours()).unwrap_or_default();
        Say::new("host-asked-lately").with("count", number(count)).with("hours", hours)
    })
}

/// How many messages, and of how many segments each text among them is.
fn cost_of(id: &'static str, plan: &Plan, segments: &[u32]) -> Say {
    Say::new(id)
        .with("count", number(plan.messages.len()))
        .with("texts", number(segments.len()))
        .with("segments", segments.iter().sum::<u32>())
}

/// Of each text of a plan.
fn segments(view: &HostView, plan: &Plan, text: impl Fn(&Message) -> Say) -> Vec<u32> {
    let language = wording::language(&view.facts.event.default_locale);
    let texts = plan.messages.iter().filter(|message| message.address.style() == Style::Texts);
    texts
        .map(|message| {
            let shown = show::plain(&wording::render(&text(message), language, Style::Texts));
            sms_text::segments(&shown).count
        })
        .collect()
}

/// How long it takes to send a plan, about: channels do not wait for each other.
fn seconds(view: &HostView, plan: &Plan, text: impl Fn(&Message) -> Say) -> u32 {
    let texts = segments(view, plan, text);
    let others = number(plan.messages.len() - texts.len());
    texts.iter().sum::<u32>().max(others / A_SECOND).max(1)
}

fn names(view: &HostView, guests: &[GuestId]) -> Vec<String> {
    guests.iter().filter_map(|guest| Some(view.guest(*guest)?.short_name().to_owned())).collect()
}

fn from_host(view: &HostView, message: &Message, text: &str) -> Say {
    Say::new("from-host")
        .with("event", view.facts.event.name.as_str())
        .with("name", names(view, &message.guests))
        .with("text", text)
}

/// Whom it does not reach; names while they are few.
fn not_reached(view: &HostView, plan: &Plan, list: &str) -> Option<Say> {
    const MOST: usize = 20;
    if plan.unreached.is_empty() {
        return None;
    }
    if plan.unreached.len() > MOST {
        return Some(Say::new("host-not-reached-many").with("count", number(plan.unreached.len())).with("list", list));
    }
    let guests = plan.unreached.iter().filter_map(|(guest, _)| view.guest(*guest));
    let names: Vec<Arg> = guests.map(|guest| digest::told_apart(guest, &view.facts.guests)).collect();
    Some(Say::new("host-not-reached").with("names", names))
}
