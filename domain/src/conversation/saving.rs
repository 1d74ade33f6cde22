//! The read-back, and what a confirmed answer changes.

use chrono::TimeDelta;

use super::{Draft, Party, summary, turn::Turn};
use crate::{
    activity::{AnswerFacts, Happening},
    address::Style,
    answer::{self, Answer, Applied, Extras},
    calendar,
    message::{Outgoing, Say},
    model::{AnsweredBy, GuestId, Status},
    notice::{Audience, Decided, Notice},
};

/// Before answers close: hosts want to hear of changes then.
const LATE: TimeDelta = TimeDelta::days(3);

impl Turn<'_> {
    fn apply(&self, answer: &Answer, party: &Party<'_>) -> Applied {
        let by = AnsweredBy { guest_id: party.me.id, channel: self.inbound.from.channel };
        answer::apply(party.group, answer, &by, self.now)
    }

    /// The whole answer as it would be saved.
    pub(super) fn read_back(&self, draft: &Draft, party: &Party<'_>) -> Vec<Say> {
        let answer = draft.answer();
        let applied = self.apply(&answer, party);
        let mut says = vec![Say::new("read-back-head")];
        says.extend(summary::answers(&applied.members, self.style));
        says.extend(summary::dietary(&applied.members, self.style));
        if applied.extras_moved
            && let Some(holder) = applied.members.iter().find(|guest| guest.extra_guests > 0)
        {
            says.push(Say::new("extras-moved-line").with("name", summary::called(holder, &applied.members)));
        }
        if applied.extras_lost > 0 && answer.extras == Extras::Keep {
            says.push(Say::new("extras-lost-line").with("extras", applied.extras_lost));
        }
        says.extend(summary::total(&applied.members));
        says.push(Say::new("read-back"));
        says
    }

    /// Saves a confirmed answer: the records, who did it, whom to tell.
    pub(super) fn save(&mut self, draft: &Draft, party: &Party<'_>) {
        let answer = draft.answer();
        let applied = self.apply(&answer, party);
        self.record(&applied, party);
        self.tell_others(&answer, &applied, party);
        self.tell_hosts_of_extras(&applied, party);
        self.tell_hosts_of_late_changes(&applied, party);
        self.conversation.dialogue.clear();
        if draft.dietary_only {
            let mut says = vec![Say::new("saved-dietary")];
            says.extend(summary::dietary(&applied.members, self.style));
            return self.tell(says);
        }
        let until = Say::new("saved-until").with("deadline", summary::deadline(party.event));
        match self.style {
            Style::Texts => self.tell(vec![until]),
            Style::Buttons => {
                self.tell(vec![Say::new("saved"), until]);
                if answer.brings_somebody() {
                    self.send_calendar(party);
                }
            }
        }
    }

    fn record(&mut self, applied: &Applied, party: &Party<'_>) {
        let changed = applied.changed(party.group);
        self.rest_on(party.group, !changed.is_empty());
        for (before, after) in changed {
            let what = Happening::Answered { before: AnswerFacts::from(before), after: AnswerFacts::from(after) };
            self.note(&party.event.id, after.id, what);
            self.guests.push(after.clone());
        }
    }

    fn tell_others(&mut self, answer: &Answer, applied: &Applied, party: &Party<'_>) {
        let changed = applied.changed(party.group);
        let concerned: Vec<GuestId> = changed
            .iter()
            .map(|(_, after)| after.id)
            .filter(|guest| *guest != party.me.id)
            .filter(|guest| answer.decisions.iter().any(|(decided, _)| decided == guest) || answer.decisions.is_empty())
            .collect();
        if !concerned.is_empty() {
            self.notices.push(Decided {
                event: party.event.id.clone(),
                audience: Audience::Guests(concerned.clone()),
                notice: Notice::AnsweredFor { guests: concerned, by: party.me.id },
            });
        }
    }

    fn tell_hosts_of_extras(&mut self, applied: &Applied, party: &Party<'_>) {
        let before: u32 = party.group.members.iter().map(|guest| guest.extra_guests).sum();
        if applied.extras() > 0 && applied.extras() != before {
            self.notices.push(Decided {
                event: party.event.id.clone(),
                audience: Audience::Hosts(party.event.id.clone()),
                notice: Notice::ExtraGuests {
                    guest: party.me.id,
                    // Of those who come: others may not have answered yet.
                    expected: applied.head_count().saturating_sub(applied.extras()),
                    coming: applied.head_count(),
                },
            });
        }
    }

    /// Shortly before answers close hosts have told others how many come, and what they eat.
    fn tell_hosts_of_late_changes(&mut self, applied: &Applied, party: &Party<'_>) {
        if self.now < party.event.closes_at() - LATE {
            return;
        }
        let changed = applied.changed(party.group);
        for (_, after) in changed.iter().filter(|(before, _)| before.status != Status::Pending) {
            self.notices.push(Decided {
                event: party.event.id.clone(),
                audience: Audience::Hosts(party.event.id.clone()),
                notice: Notice::LateChange { guest: after.id },
            });
        }
    }

    fn send_calendar(&mut self, party: &Party<'_>) {
        let file = calendar::calendar_file(party.event, self.now, &self.context.policy.calendar_domain);
        let mut message = Outgoing::statement(vec![Say::new("calendar-caption")]);
        message.attachment = Some(file);
        self.says.push(message);
    }
}
