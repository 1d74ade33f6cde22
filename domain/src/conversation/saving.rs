//! The read-back, and what a confirmed answer changes.

use super::{Draft, Party, summary, turn::Turn};
use crate::{
    activity::Actor,
    address::Style,
    answer::{self, Answer, Applied, Extras},
    calendar,
    message::{Outgoing, Say},
    model::AnsweredBy,
    saved::Saved,
};

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
        let by = Actor { guest_id: Some(party.me.id), channel: self.inbound.from.channel, as_host: false };
        let saved = Saved::of(party, &answer, &applied, &by, self.now);
        self.rest_on(party.group, !saved.guests.is_empty());
        self.guests.extend(saved.guests);
        self.activity.extend(saved.activity);
        self.notices.extend(saved.notices);
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

    fn send_calendar(&mut self, party: &Party<'_>) {
        let file = calendar::calendar_file(party.event, self.now, &self.context.policy.calendar_domain);
        let mut message = Outgoing::statement(vec![Say::new("calendar-caption")]);
        message.attachment = Some(file);
        self.says.push(message);
    }
}
