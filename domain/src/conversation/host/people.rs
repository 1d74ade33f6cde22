//! Finding the guest who is meant.

use super::HostView;
use crate::{
    code,
    lexicon::normalise,
    model::{Guest, GuestId, Status},
    name,
    schedule::Member,
};

/// Words of a name.
const MOST_WORDS: usize = 8;

/// The guests whom a text begins to name (full name, last name, first name or code; the longest fit wins), and what
/// follows the name.
pub(super) fn named<'v, 't>(view: &'v HostView, text: &'t str) -> (Vec<&'v Guest>, &'t str) {
    let ends: Vec<usize> = ends_of_words(text).take(MOST_WORDS).collect();
    for end in ends.into_iter().rev() {
        let (typed, rest) = text.split_at(end);
        let found: Vec<&Guest> = view.facts.guests.iter().filter(|guest| is_called(guest, typed)).collect();
        if !found.is_empty() {
            return (found, rest.trim_start_matches([' ', ',', ':', '\n', '\t']));
        }
    }
    (Vec::new(), text)
}

fn ends_of_words(text: &str) -> impl Iterator<Item = usize> {
    let mut before = ' ';
    let ends = text.char_indices().filter_map(move |(at, c)| {
        let ends = c.is_whitespace() && !before.is_whitespace();
        before = c;
        ends.then_some(at)
    });
    ends.chain([text.len()]).filter(|end| *end > 0)
}

fn folded(text: &str) -> String {
    name::fold(&normalise(text))
}

pub(super) fn is_called(guest: &Guest, typed: &str) -> bool {
    let wanted = folded(typed.trim_end_matches([',', ':']));
    if wanted.is_empty() {
        return false;
    }
    let names = [guest.full_name(), guest.last_name.clone(), guest.first_name.clone()];
    names.iter().any(|name| !name.is_empty() && folded(name) == wanted) || code::key(&guest.token) == code::key(typed)
}

/// Whether an answer to "which one?" means them.
pub(super) fn is_meant(guest: &Guest, typed: &str) -> bool {
    is_called(guest, typed.trim().trim_matches(['(', ')']))
}

/// The guests whose name holds the text, wherever; for a search.
pub(super) fn holding<'v>(view: &'v HostView, text: &str) -> Vec<&'v Guest> {
    let wanted = folded(text);
    let holds = |guest: &&Guest| !wanted.is_empty() && folded(&guest.full_name()).contains(&wanted);
    view.facts.guests.iter().filter(holds).collect()
}

impl HostView {
    pub(super) fn guest(&self, id: GuestId) -> Option<&Guest> {
        self.facts.guests.iter().find(|guest| guest.id == id)
    }

    /// Whether they are asked about with this guest.
    pub(super) fn is_group_of(&self, about: &Guest, other: GuestId) -> bool {
        let group = || self.guest(other).and_then(|guest| guest.group_id.as_ref());
        other == about.id || about.group_id.is_some() && group() == about.group_id.as_ref()
    }

    /// Whether a first text to their phone may be of use.
    pub(super) fn was_never_here(&self, member: &Member) -> bool {
        member.status == Status::Pending && member.phone.is_some() && !self.facts.opened.contains(&member.id)
    }

    pub(super) fn never_here(&self) -> Vec<GuestId> {
        let members = self.facts.guests.iter().map(Member::from);
        members.filter(|member| self.was_never_here(member)).map(|member| member.id).collect()
    }

    /// Those of whom an answer is still wanted: of everybody, or of one group.
    pub(super) fn pending(&self, about: Option<&Guest>) -> Vec<GuestId> {
        let guests = self.facts.guests.iter().filter(|guest| guest.status == Status::Pending);
        let ids = guests.map(|guest| guest.id);
        ids.filter(|id| about.is_none_or(|about| self.is_group_of(about, *id))).collect()
    }
}
