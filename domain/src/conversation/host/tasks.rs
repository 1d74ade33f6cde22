//! What a host is about to do: about whom, read back, and done once it is confirmed.

use super::{HostTask, HostView, MarkAs, people, when::number};
use crate::{
    activity::{Activity, Actor, AnswerFacts, Happening},
    answer::{self, Answer, Applied, Decision, Extras},
    conversation::{Ask, Party, questions::Offer, summary, turn::Turn},
    digest::channel_name,
    message::{Arg, Say},
    model::{AnsweredBy, Guest, GuestId, Status, Version},
    notice::{Audience, Decided, Notice},
};

/// Of more people who fit, so many can be picked; the others are told by more of their name.
pub(super) const MOST_OFFERED: usize = 20;
/// People beyond those expected whom a host can enter at once; a slip of the finger has more.
const MOST_EXTRAS: u32 = 50;

impl<'a> Turn<'a> {
    /// Goes on with the one guest who is named, or asks which one.
    pub(super) fn about_somebody(&mut self, view: &'a HostView, task: HostTask, name: &str) {
        if name.is_empty() {
            return self.tell(vec![Say::new("host-who")]);
        }
        let (mut found, rest) = people::named(view, name);
        if found.is_empty() || !rest.is_empty() {
            found = people::holding(view, name);
        }
        self.pick(view, task, &found, name);
    }

    fn pick(&mut self, view: &'a HostView, task: HostTask, found: &[&Guest], name: &str) {
        match found {
            [] => self.tell(vec![Say::new("host-nobody-called").with("name", name)]),
            [guest] => self.confirm(view, task, Some(guest.id)),
            // Whoever of a group is meant, all of it is reminded.
            [first, others @ ..]
                if task == HostTask::Remind && others.iter().all(|it| view.is_group_of(first, it.id)) =>
            {
                self.confirm(view, task, Some(first.id));
            }
            several => {
                let which: Vec<GuestId> = several.iter().map(|guest| guest.id).collect();
                self.ask(Vec::new(), Ask::Host { host: view.host, task, about: None, which, seen: None });
            }
        }
    }

    pub(super) fn mark(&mut self, view: &'a HostView, rest: &str) {
        let (found, answer) = people::named(view, rest);
        match mark_as(answer) {
            _ if rest.is_empty() => self.tell(vec![Say::new("host-mark-how")]),
            _ if found.is_empty() => self.tell(vec![Say::new("host-nobody-called").with("name", rest)]),
            Some(answer) => self.pick(view, HostTask::Mark { answer }, &found, rest),
            None => self.tell(vec![Say::new("host-mark-how")]),
        }
    }

    pub(super) fn reply(&mut self, view: &'a HostView, rest: &str) {
        let (found, text) = people::named(view, rest);
        match text.is_empty() {
            _ if rest.is_empty() => self.tell(vec![Say::new("host-reply-how")]),
            _ if found.is_empty() => self.tell(vec![Say::new("host-nobody-called").with("name", rest)]),
            true => self.tell(vec![Say::new("host-reply-how")]),
            false => self.pick(view, HostTask::Reply { text: text.to_owned() }, &found, rest),
        }
    }

    /// Does what needs no confirmation; reads the rest back and asks.
    pub(super) fn confirm(&mut self, view: &'a HostView, task: HostTask, about: Option<GuestId>) {
        let guest = about.and_then(|about| view.guest(about));
        match (&task, guest) {
            (HostTask::Find, Some(guest)) => self.close(self.card(view, guest)),
            (HostTask::Reply { text }, Some(guest)) => {
                let says = self.send_reply(view, guest, text);
                self.close(says);
            }
            (HostTask::Find | HostTask::Reply { .. }, None) | (HostTask::Forgotten, _) => {
                self.close(vec![Say::new("host-question-gone")]);
            }
            (
                HostTask::Mark { .. }
                | HostTask::Remind
                | HostTask::Broadcast { .. }
                | HostTask::Tell
                | HostTask::Invite
                | HostTask::Deadline { .. },
                _,
            ) => match self.refusal(view, &task, guest) {
                Some(refusal) => self.close(vec![refusal]),
                None => self.ask_to_confirm(view, Vec::new(), task, about),
            },
        }
    }

    fn ask_to_confirm(&mut self, view: &'a HostView, says: Vec<Say>, task: HostTask, about: Option<GuestId>) {
        let seen = self.version_of(view, &task, about);
        self.ask(says, Ask::Host { host: view.host, task, about, which: Vec::new(), seen });
    }

    /// Of what is read back, where a confirmation of it may not mean anything else.
    fn version_of(&self, view: &HostView, task: &HostTask, about: Option<GuestId>) -> Option<Version> {
        match task {
            HostTask::Mark { .. } => self.party_of(about?).map(|party| party.group.version),
            HostTask::Deadline { .. } => Some(view.facts.event.version),
            _ => None,
        }
    }

    /// Reads the open question back once more if something of it has changed since it was asked; `false`, and nothing
    /// is said, if not.
    pub(in crate::conversation) fn renew_host_question(&mut self, says: &mut Vec<Say>) -> bool {
        let open = self.conversation.dialogue.open.clone();
        let is_gone = open.as_ref().is_some_and(|ask| self.host_question_gone(ask).is_some());
        let (Some(view), Some(Ask::Host { task, about, which, seen, .. })) = (self.host_view(), open) else {
            return false;
        };
        if is_gone || !which.is_empty() || seen == self.version_of(view, &task, about) {
            return false;
        }
        let mut says = std::mem::take(says);
        match self.refusal(view, &task, about.and_then(|about| view.guest(about))) {
            Some(refusal) => {
                says.push(refusal);
                self.resume(says);
            }
            None => {
                says.push(Say::new("host-changed-meanwhile"));
                self.ask_to_confirm(view, says, task, about);
            }
        }
        true
    }

    /// Why the open question to a host cannot be answered any more, if so.
    pub(in crate::conversation) fn host_question_gone(&self, ask: &Ask) -> Option<Say> {
        let Ask::Host { task, about, which, .. } = ask else { return None };
        let Some(view) = self.host_view() else { return Some(Say::new("question-gone")) };
        let is_there = |guest: &GuestId| view.guest(*guest).is_some();
        let is_gone = *task == HostTask::Forgotten
            || about.is_some_and(|about| !is_there(&about))
            || !which.is_empty() && !which.iter().any(is_there);
        is_gone.then(|| Say::new("host-question-gone"))
    }

    /// Says what came of it. Where it was asked about, the host's own answer goes on, if one was being given.
    fn close(&mut self, says: Vec<Say>) {
        match self.conversation.dialogue.open {
            Some(Ask::Host { .. }) => self.resume(says),
            _ => self.tell(says),
        }
    }

    fn refusal(&self, view: &HostView, task: &HostTask, about: Option<&Guest>) -> Option<Say> {
        match task {
            HostTask::Mark { answer: MarkAs::Coming { count: Some(count) } } => {
                let expected = about?.expected_guests;
                (*count == 0 || *count > expected + MOST_EXTRAS).then(|| Say::new("host-mark-how"))
            }
            HostTask::Deadline { at } => self.deadline_refusal(view, *at),
            HostTask::Remind if view.pending(about).is_empty() => Some(Say::new("host-nobody-to-remind")),
            HostTask::Remind => self.too_late(view, task, about).or_else(|| self.nobody_left_to_remind(view, about)),
            HostTask::Invite => self.nobody_to_invite(view).or_else(|| self.too_late(view, task, about)),
            HostTask::Broadcast { text } if text.chars().count() > super::send::MOST_TEXT => {
                let most = u32::try_from(super::send::MOST_TEXT).unwrap_or(u32::MAX);
                let length = u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
                Some(Say::new("too-long").with("length", length).with("most", most))
            }
            task => self.too_late(view, task, about),
        }
    }

    /// Everything about a guest that a host may want to know.
    fn card(&self, view: &HostView, guest: &Guest) -> Vec<Say> {
        let mut says = vec![Say::new("host-card").with("name", guest.full_name()).with("code", guest.token.as_str())];
        says.extend(summary::answers(std::slice::from_ref(guest), self.style));
        says.extend(summary::dietary(std::slice::from_ref(guest), self.style));
        let others = view.facts.guests.iter().filter(|other| other.id != guest.id && view.is_group_of(guest, other.id));
        let others: Vec<String> = others.map(Guest::full_name).collect();
        if !others.is_empty() {
            says.push(Say::new("host-card-group").with("names", others));
        }
        if let Some(phone) = &guest.phone {
            says.push(Say::new("host-card-phone").with("phone", phone.as_str()));
        }
        if let Some(notes) = guest.notes.as_ref().filter(|notes| !notes.is_empty()) {
            says.push(Say::new("host-card-notes").with("notes", notes.as_str()));
        }
        let channels: Vec<String> = view
            .book
            .logins
            .get(&guest.id)
            .into_iter()
            .flatten()
            .map(|reach| channel_name(reach.address.shown_channel()).to_owned())
            .collect();
        says.push(match (channels.is_empty(), view.facts.opened.contains(&guest.id)) {
            (false, _) => Say::new("host-card-opened").with("channels", channels),
            (true, true) => Say::new("host-card-opened-before"),
            (true, false) => Say::new("host-card-never"),
        });
        says
    }

    // The question about it.

    pub(in crate::conversation) fn host_offers(&self, ask: &Ask) -> Vec<Offer> {
        let (Some(view), Ask::Host { task, which, .. }) = (self.host_view(), ask) else { return Vec::new() };
        let offer = |token: &str, label| Offer { token: token.to_owned(), label };
        if !which.is_empty() {
            let guests = which.iter().filter_map(|guest| view.guest(*guest));
            let label = |guest: &Guest| {
                Say::new("choice-person-of-code").with("name", guest.full_name()).with("code", guest.token.as_str())
            };
            let mut offers: Vec<Offer> = guests.map(|guest| offer(&guest.id.to_string(), label(guest))).collect();
            offers.truncate(MOST_OFFERED);
            offers.push(offer("no", Say::new("choice-never-mind")));
            return offers;
        }
        if *task == HostTask::Forgotten {
            return Vec::new();
        }
        let no = offer("no", Say::new("choice-never-mind"));
        match task {
            HostTask::Broadcast { .. } => {
                let to = |all| u32::try_from(self.broadcast_plan(view, all).messages.len()).unwrap_or(u32::MAX);
                let label = |id, all| Say::new(id).with("count", to(all));
                vec![offer("coming", label("choice-to-coming", false)), offer("all", label("choice-to-all", true)), no]
            }
            HostTask::Remind | HostTask::Tell | HostTask::Invite => vec![offer("yes", Say::new("choice-send")), no],
            HostTask::Deadline { .. } => vec![offer("yes", Say::new("choice-set-deadline")), no],
            _ => vec![offer("yes", Say::new("choice-enter")), no],
        }
    }

    pub(in crate::conversation) fn host_says(&self, ask: &Ask) -> Vec<Say> {
        let (Some(view), Ask::Host { task, about, which, .. }) = (self.host_view(), ask) else { return Vec::new() };
        if !which.is_empty() {
            let more = which.len().saturating_sub(MOST_OFFERED);
            let more = (more > 0).then(|| Say::new("host-which-more").with("more", number(more)));
            return std::iter::once(Say::new("host-which")).chain(more).collect();
        }
        let guest = about.and_then(|about| view.guest(about));
        match (task, guest) {
            (HostTask::Mark { answer }, Some(guest)) => self.mark_says(guest, *answer),
            (HostTask::Remind, guest) => self.remind_says(view, guest),
            (HostTask::Broadcast { text }, _) => self.broadcast_says(view, text),
            (HostTask::Tell, _) => self.tell_says(view),
            (HostTask::Invite, _) => self.invite_says(view),
            (HostTask::Deadline { at }, _) => self.deadline_read_back(view, *at),
            _ => Vec::new(),
        }
    }

    fn mark_says(&self, guest: &Guest, answer: MarkAs) -> Vec<Say> {
        let Some((party, applied)) = self.marked(guest.id, answer) else { return vec![Say::new("host-question-gone")] };
        let after = applied.members.iter().find(|member| member.id == guest.id);
        let mut says = vec![Say::new("host-mark-head").with("name", guest.full_name())];
        says.extend(after.into_iter().flat_map(|after| summary::answers(std::slice::from_ref(after), self.style)));
        says.push(Say::new("host-mark-before"));
        says.extend(summary::answers(std::slice::from_ref(party.me), self.style));
        says.extend(of_others(&party));
        says
    }

    /// The group as it would be with this answer.
    fn marked(&self, guest: GuestId, answer: MarkAs) -> Option<(Party<'a>, Applied)> {
        let party = self.party_of(guest)?;
        let expected = party.me.expected_guests.max(1);
        let (decision, extras) = match answer {
            MarkAs::Coming { count } => {
                let count = count.unwrap_or(expected);
                let companions = count.min(expected).saturating_sub(1);
                (Decision::Who { self_coming: true, companions }, Extras::OfAnswering(count.saturating_sub(expected)))
            }
            MarkAs::Declined => (Decision::NOBODY, Extras::Keep),
            MarkAs::Pending => (Decision::LeaveOpen, Extras::Keep),
        };
        let answer = Answer { decisions: vec![(guest, decision)], extras, dietary: Vec::new() };
        // Extras belong to the record that they are entered for.
        let by = AnsweredBy { guest_id: guest, channel: self.inbound.from.channel };
        Some((party, answer::apply(party.group, &answer, &by, self.now)))
    }

    // The answer to the question.

    /// The choice of a "which one?" that a name or code fits, where it fits one only.
    pub(in crate::conversation) fn host_choice_in_words(&self, ask: &Ask, text: &str) -> Option<String> {
        let (Some(view), Ask::Host { which, .. }) = (self.host_view(), ask) else { return None };
        let mut called = which.iter().filter(|id| view.guest(**id).is_some_and(|it| people::is_meant(it, text)));
        match (called.next(), called.next()) {
            (Some(guest), None) => Some(guest.to_string()),
            _ => None,
        }
    }

    pub(in crate::conversation) fn host_answer(&mut self, ask: &Ask, token: &str) {
        if let Some(gone) = self.host_question_gone(ask) {
            return self.resume(vec![gone]);
        }
        let (Some(view), Ask::Host { task, about, which, .. }) = (self.host_view(), ask) else { return };
        if token == "no" {
            return self.resume(vec![Say::new("never-mind")]);
        }
        if !which.is_empty() {
            let chosen = token.parse().ok().filter(|guest| which.contains(guest));
            return match chosen {
                Some(guest) => self.confirm(view, task.clone(), Some(guest)),
                None => self.not_understood(),
            };
        }
        if self.renew_host_question(&mut Vec::new()) {
            return;
        }
        if let Some(refusal) = self.refusal(view, task, about.and_then(|about| view.guest(about))) {
            return self.resume(vec![refusal]);
        }
        match (task, about) {
            (HostTask::Mark { answer }, Some(guest)) => self.enter(view, *guest, *answer),
            (HostTask::Remind, about) => self.send_reminders(view, about.and_then(|about| view.guest(about))),
            (HostTask::Broadcast { text }, _) => self.broadcast(view, text, token == "all"),
            (HostTask::Tell, _) => self.tell_of_change(view),
            (HostTask::Invite, _) => self.invite(view),
            (HostTask::Deadline { at }, _) => self.set_deadline(view, *at),
            _ => self.resume(vec![Say::new("host-question-gone")]),
        }
    }

    fn enter(&mut self, view: &'a HostView, guest: GuestId, answer: MarkAs) {
        let Some((party, applied)) = self.marked(guest, answer) else {
            return self.resume(vec![Say::new("host-question-gone")]);
        };
        let changed = applied.changed(party.group);
        self.rest_on(party.group, !changed.is_empty());
        let by = Actor { guest_id: Some(view.host), channel: self.inbound.from.channel, as_host: true };
        for (before, after) in changed {
            let mut after = after.clone();
            if let Some(answered) = after.answered_by.as_mut().filter(|_| after.id == guest) {
                answered.guest_id = view.host;
            }
            self.activity.push(Activity {
                event_id: party.event.id.clone(),
                guest_id: Some(after.id),
                at: self.now,
                by: by.clone(),
                what: Happening::Answered { before: AnswerFacts::from(before), after: AnswerFacts::from(&after) },
            });
            self.guests.push(after);
        }
        if guest != view.host {
            self.notices.push(Decided {
                event: party.event.id.clone(),
                audience: Audience::Guests(vec![guest]),
                notice: Notice::AnsweredFor { guests: vec![guest], by: view.host },
            });
        }
        let name: Arg = party.me.full_name().into();
        self.resume(vec![Say::new("host-marked").with("name", name)]);
    }
}

/// A mark is for one invitation: whose answer of the group is still out is not entered along with it.
fn of_others(party: &Party<'_>) -> Option<Say> {
    let others: Vec<&Guest> = party.group.members.iter().filter(|other| other.id != party.me.id).collect();
    let out: Vec<&Guest> = others.iter().copied().filter(|other| other.status == Status::Pending).collect();
    let name = party.me.short_name();
    match (others.first(), out.first()) {
        (None, _) => None,
        (Some(_), None) => Some(Say::new("host-mark-alone").with("name", name)),
        (Some(_), Some(first)) => {
            let names: Vec<String> = out.iter().map(|guest| guest.full_name()).collect();
            let say = Say::new("host-mark-others").with("name", name).with("names", names);
            Some(say.with("example", first.full_name()))
        }
    }
}

/// `coming`, `coming 2`, `2`, `no`, `not coming`, `declined`, `open`.
fn mark_as(text: &str) -> Option<MarkAs> {
    // Signs are lost below, and "-1" is not one person.
    if text.split_whitespace().any(is_signed) {
        return None;
    }
    let text = crate::lexicon::normalise(text);
    let mut words = text.split(' ');
    let (first, second, third) = (words.next()?, words.next(), words.next());
    Some(match (first, second, third) {
        ("coming" | "yes" | "comes", None, None) => MarkAs::Coming { count: None },
        ("coming" | "yes" | "comes", Some(count), None) => MarkAs::Coming { count: Some(count.parse().ok()?) },
        ("no" | "declined" | "none" | "0", None, None) | ("not", Some("coming"), None) => MarkAs::Declined,
        ("pending" | "open", None, None) => MarkAs::Pending,
        (count, None, None) => MarkAs::Coming { count: Some(count.parse().ok()?) },
        _ => return None,
    })
}

fn is_signed(word: &str) -> bool {
    let number = word.strip_prefix(['-', '+', '\u{2212}', '\u{2013}', '\u{2014}']);
    number.is_some_and(|number| number.starts_with(|c: char| c.is_ascii_digit()))
}
