//! What reminders cost: each is put into words as it would go.

use std::collections::{BTreeMap, HashMap};

use chrono::{DateTime, Utc};

use super::HostView;
use crate::{
    address::{Address, Style},
    conversation::{Context, Conversation, Policy, remind},
    model::{Group, GroupKey, Guest, GuestId},
    schedule::{Message, Plan},
    show, wording,
};

/// The guests of a host's view, as they are looked up for each message.
struct Known<'v> {
    guests: HashMap<GuestId, &'v Guest>,
    groups: BTreeMap<GroupKey, Vec<&'v Guest>>,
    /// Who is logged in where.
    logins: HashMap<&'v Address, Vec<GuestId>>,
}

impl<'v> Known<'v> {
    fn of(view: &'v HostView) -> Self {
        let mut known = Self { guests: HashMap::new(), groups: BTreeMap::new(), logins: HashMap::new() };
        for guest in &view.facts.guests {
            known.guests.insert(guest.id, guest);
            known.groups.entry(guest.group_key()).or_default().push(guest);
        }
        for (guest, reaches) in &view.book.logins {
            for reach in reaches {
                known.logins.entry(&reach.address).or_default().push(*guest);
            }
        }
        known
    }

    /// What there is to know where a message goes.
    fn context(&self, view: &HostView, message: &Message, policy: &Policy) -> Context {
        let logins = self.logins.get(&message.address).cloned().unwrap_or_default();
        let mut conversation = Conversation::new(message.address.clone());
        conversation.active = logins.first().copied();
        conversation.logins.clone_from(&logins);
        let about = message.guests.iter().chain(&logins).filter_map(|guest| self.guests.get(guest));
        let mut keys: Vec<GroupKey> = about.map(|guest| guest.group_key()).collect();
        keys.sort();
        keys.dedup();
        let group = |key: GroupKey| {
            let members = self.groups.get(&key).into_iter().flatten().map(|guest| (*guest).clone()).collect();
            Group { key, version: 0, members }
        };
        Context {
            conversation,
            logins: logins.iter().filter_map(|guest| self.guests.get(guest)).map(|guest| (*guest).clone()).collect(),
            groups: keys.into_iter().map(group).collect(),
            candidates: Vec::new(),
            events: BTreeMap::from([(view.facts.event.id.clone(), view.facts.event.clone())]),
            question_attempted_at: None,
            recent_failures: 0,
            policy: policy.clone(),
            host: None,
        }
    }
}

/// The segments of each reminder of a plan that goes as a text.
pub(super) fn of_reminders(view: &HostView, plan: &Plan, policy: &Policy, now: DateTime<Utc>) -> Vec<u32> {
    let known = Known::of(view);
    let texts = plan.messages.iter().filter(|message| message.address.style() == Style::Texts);
    let segments = |message: &Message| {
        let opening = remind(&known.context(view, message, policy), &message.guests, now)?;
        let parts = show::show(&opening.message, wording::language(&opening.locale), Style::Texts);
        Some(parts.iter().map(|part| part.segments).sum())
    };
    texts.filter_map(segments).collect()
}
