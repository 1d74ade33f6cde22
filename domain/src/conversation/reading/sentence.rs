//! What the clauses of a sentence say together.

use super::{Reading, open, people_out};
use crate::{
    conversation::{
        Party,
        sentence::{Clause, Counted},
        walk::Pick,
    },
    model::{Guest, Status},
};

/// What the clauses said so far.
#[derive(Default)]
pub(super) struct Sentence {
    count: Option<u32>,
    fewer: Option<u32>,
    yes: bool,
    agreed: bool,
    no: bool,
    all: bool,
    nobody: bool,
    some: bool,
    only_me: bool,
    not_me: bool,
    unsure: bool,
    /// "Maybe Sam."
    perhaps: Vec<Pick>,
    /// Those in `coming` and nobody else.
    only_these: bool,
    out: Vec<Pick>,
    coming: Vec<Pick>,
    /// Names whose verb is still to come: "Lisa, Tom can't make it".
    waiting: Vec<Pick>,
    /// "Me", without a verb.
    me: bool,
    /// What the last clause said of those it named, for "he" and "they": whether they come.
    last: Option<bool>,
}

impl Sentence {
    /// `None` where the clause cannot be understood.
    pub(super) fn read(&mut self, clause: &Clause, party: &Party<'_>) -> Option<()> {
        if clause.contradictory {
            return None;
        }
        if clause.after_but || clause.denied_first && clause.is_negative() && !clause.people.is_empty() {
            // "Nils and me, but no kids": those named before come. "I'd love to, but" says nothing yet.
            let me = Pick::Person(party.me.id);
            if !clause.people.is_empty() || self.waiting.iter().any(|pick| *pick != me) {
                self.coming.append(&mut self.waiting);
            }
        }
        let number = match clause.numbers.as_slice() {
            [] => None,
            [number] if !number.joined => Some(*number),
            _ => return None,
        };
        if clause.unsure {
            self.read_unsure(clause, number, party)
        } else if clause.except {
            self.read_except(clause, number, party)
        } else if clause.is_negative() {
            self.read_negative(clause, number, party)
        } else if clause.only {
            self.read_only(clause, number, party)
        } else {
            self.read_positive(clause, number, party)
        }
    }

    fn read_unsure(&mut self, clause: &Clause, number: Option<Counted>, party: &Party<'_>) -> Option<()> {
        if clause.except || clause.nobody || clause.only {
            return None;
        }
        if clause.unsure_first && !clause.people.is_empty() && number.is_none() && !clause.all {
            self.perhaps.extend(open(clause.people.clone())?);
        } else if clause.people.is_empty() {
            self.unsure = true;
        } else if number.is_none() && !clause.all {
            self.out.extend(open(clause.subjects(party))?);
        } else {
            return None;
        }
        Some(())
    }

    fn read_except(&mut self, clause: &Clause, number: Option<Counted>, party: &Party<'_>) -> Option<()> {
        let mut excepted = clause.excepted.clone();
        excepted.extend(clause.me_excepted.then_some(Pick::Person(party.me.id)));
        if clause.is_negative() || clause.nobody || clause.some || clause.only {
            return None;
        }
        match number {
            Some(number) if number.after_except && excepted.is_empty() => self.set_fewer(number.value)?,
            Some(number) if number.after_except => return None,
            Some(number) => self.set_count(number.value)?,
            None => {}
        }
        if excepted.is_empty() && number.is_none_or(|number| !number.after_except) {
            return None;
        }
        // "All but Bob" says that everybody else comes.
        self.all |= number.is_none();
        self.out.extend(excepted);
        Some(())
    }

    fn read_negative(&mut self, clause: &Clause, number: Option<Counted>, party: &Party<'_>) -> Option<()> {
        if clause.nobody {
            return None;
        }
        self.last = Some(false);
        match number {
            Some(number) if number.after_not || clause.all => return None,
            Some(number) if clause.people.is_empty() => return self.set_fewer(number.value),
            Some(number) => self.set_count(number.value)?,
            None => {}
        }
        if clause.not_all || clause.some {
            self.some = true;
        } else if clause.all && clause.people.is_empty() {
            self.nobody = true;
        } else if !clause.people.is_empty() {
            self.out.append(&mut self.waiting);
            self.out.extend(clause.subjects(party));
        } else if clause.me && clause.only {
            self.out.push(Pick::Person(party.me.id));
        } else if clause.me {
            self.not_me = true;
        } else if clause.pronoun {
            return self.take_up(false);
        } else if !self.waiting.is_empty() {
            self.out.append(&mut self.waiting);
        } else {
            self.nobody = true;
        }
        Some(())
    }

    fn read_only(&mut self, clause: &Clause, number: Option<Counted>, party: &Party<'_>) -> Option<()> {
        if clause.nobody || clause.some || clause.all {
            return None;
        }
        match number {
            Some(Counted { value: 1, .. }) | None if clause.me && clause.people.is_empty() => self.only_me = true,
            Some(number) => {
                self.set_count(number.value)?;
                self.coming.extend(clause.people.iter().copied());
            }
            None if clause.people.is_empty() => return None,
            None => {
                self.only_these = true;
                self.coming.extend(clause.subjects(party));
            }
        }
        Some(())
    }

    fn read_positive(&mut self, clause: &Clause, number: Option<Counted>, party: &Party<'_>) -> Option<()> {
        let people = clause.subjects(party);
        if clause.nobody {
            self.nobody = true;
            return people.is_empty().then_some(());
        }
        let of_companions = |pick: &Pick| matches!(pick, Pick::CompanionOf(_));
        if number.is_some() && (clause.some || clause.people.iter().any(of_companions)) {
            // "Not all 4"; "2 adults and 2 kids": of whom is it the number?
            return None;
        }
        if let Some(number) = number {
            // "I think we're 3": the speaker is no news beside a number.
            self.coming.extend(clause.people.iter().copied());
            if clause.no_after_number {
                return self.set_fewer(number.value);
            }
            self.no |= clause.no;
            return self.set_count(number.value);
        }
        if clause.all || clause.some {
            self.no |= clause.no;
            self.all |= clause.all;
            self.some |= clause.some;
            self.coming.extend(people);
        } else if !people.is_empty() {
            if clause.come || clause.yes {
                self.coming.append(&mut self.waiting);
                self.coming.extend(people);
                self.last = Some(true);
            } else {
                self.me |= clause.me;
                self.waiting.extend(people);
            }
        } else if clause.pronoun {
            return if clause.come { self.take_up(true) } else { None };
        } else if clause.yes || clause.come {
            if self.waiting.is_empty() { self.yes = true } else { self.coming.append(&mut self.waiting) }
        } else if clause.no {
            if self.waiting.is_empty() { self.no = true } else { self.out.append(&mut self.waiting) }
        } else {
            self.agreed |= clause.agreed;
        }
        Some(())
    }

    /// "She can't come" after "Cleo is sick" is no news; after anything else it is a riddle.
    fn take_up(&self, comes: bool) -> Option<()> {
        (self.last == Some(comes) && !(self.out.is_empty() && self.coming.is_empty())).then_some(())
    }

    fn set_count(&mut self, count: u32) -> Option<()> {
        self.count.replace(count).is_none_or(|before| before == count).then_some(())
    }

    fn set_fewer(&mut self, fewer: u32) -> Option<()> {
        self.fewer.replace(fewer).is_none().then_some(())
    }

    pub(super) fn conclude(mut self, party: &Party<'_>, expected: u32) -> Option<Reading> {
        self.settle_signature(party);
        self.settle_lists(party)?;
        self.settle_perhaps();
        self.settle_no();
        let is_open = |pick: &Pick| matches!(pick, Pick::DoesNotKnow(_));
        let contradicts = |pick: &Pick| {
            self.coming.iter().any(|other| other == pick || is_open(pick) && other.guest() == pick.guest())
        };
        if self.out.iter().any(contradicts) {
            return None;
        }
        let says_who = !self.out.is_empty() || !self.coming.is_empty();
        if self.unsure {
            return self.conclude_unsure(party, says_who);
        }
        if self.no || self.nobody {
            return self.conclude_nobody(party, says_who, expected);
        }
        if self.only_me {
            let alone = !says_who && self.count.is_none_or(|count| count == 1) && self.fewer.is_none();
            return (alone && !self.all && !self.some && !self.not_me).then_some(Reading::OnlyMe);
        }
        if self.not_me {
            return self.conclude_not_me(party, expected);
        }
        if self.some && !says_who && self.fewer.is_none() {
            return Some(self.count.map_or(Reading::Some, Reading::Count));
        }
        if says_who {
            return self.conclude_with_names(party, expected);
        }
        match (self.count, self.fewer) {
            (Some(count), None) => Some(Reading::Count(count)),
            (Some(count), Some(fewer)) => (count + fewer == expected).then_some(Reading::Count(count)),
            (None, Some(fewer)) => Some(Reading::Fewer(fewer)),
            // Asked whether one comes, "ok" says it; asked how many come, it says nothing.
            (None, None) => (self.all || self.yes || self.agreed && expected == 1).then_some(Reading::All),
        }
    }

    /// "Pat and Jo yes, maybe Sam" leaves Sam open; "maybe Sam" alone, or "will check with Sam", leaves everything open.
    fn settle_perhaps(&mut self) {
        let says_more = self.count.is_some() || self.all || self.yes || !self.out.is_empty() || !self.coming.is_empty();
        if says_more {
            self.out.append(&mut self.perhaps);
        } else {
            self.unsure |= !self.perhaps.is_empty();
        }
    }

    /// "No, only Sam and me": it is not all of us, is meant.
    fn settle_no(&mut self) {
        self.no &= self.nobody || !self.only_these;
    }

    /// "All of us. Anna": the speaker's own name, beside something that was said, is how people end a text.
    fn settle_signature(&mut self, party: &Party<'_>) {
        let says_something = self.count.is_some()
            || self.fewer.is_some()
            || self.yes
            || self.no
            || self.all
            || self.nobody
            || self.some
            || self.only_me
            || self.not_me
            || !self.out.is_empty()
            || !self.coming.is_empty();
        if says_something && self.waiting.iter().all(|pick| *pick == Pick::Person(party.me.id)) {
            self.waiting.clear();
        }
    }

    /// Names without a verb.
    fn settle_lists(&mut self, party: &Party<'_>) -> Option<()> {
        if self.waiting.is_empty() {
            return Some(());
        }
        let named = u32::try_from(self.waiting.len()).unwrap_or(u32::MAX);
        if self.count.is_some() && self.waiting.iter().all(|pick| matches!(pick, Pick::CompanionOf(_))) {
            return None;
        }
        if self.fewer == Some(named) && self.out.is_empty() {
            self.out.append(&mut self.waiting);
        } else if self.count == Some(named) && self.coming.is_empty() && self.out.is_empty() {
            self.coming.append(&mut self.waiting);
        } else if self.me && self.waiting == [Pick::Person(party.me.id)] && self.count.is_none() {
            self.only_me = true;
            self.waiting.clear();
        } else if self.me && self.coming.is_empty() && self.out.is_empty() && self.count.is_none() && !self.all {
            // "Me and Ben."
            self.only_these = true;
            self.coming.append(&mut self.waiting);
        } else if !self.out.is_empty() && self.count.is_none() {
            self.coming.append(&mut self.waiting);
            return self.names_everybody(party).then_some(());
        } else {
            return None;
        }
        Some(())
    }

    fn conclude_unsure(self, party: &Party<'_>, says_who: bool) -> Option<Reading> {
        if self.count.is_some() || self.fewer.is_some() || self.nobody || self.no || self.some || self.only_me {
            return None;
        }
        if !says_who {
            return Some(Reading::Unsure);
        }
        let mut picks = self.out;
        picks.push(Pick::DoesNotKnow(party.me.id));
        (!self.not_me && self.coming.iter().all(|pick| pick.guest() != party.me.id))
            .then_some(Reading::Without { picks, count: None })
    }

    fn conclude_nobody(mut self, party: &Party<'_>, says_who: bool, expected: u32) -> Option<Reading> {
        let is_contradicted = self.all || self.yes || self.some || self.only_these;
        if is_contradicted {
            return None;
        }
        // "No, me": who says which?
        let plain_no = !self.nobody;
        if plain_no && self.me && !self.only_me {
            return None;
        }
        // "No, 2 of us", "no, Cleo can't come", "no, just me": what follows the "no" counts.
        match (self.count, self.fewer) {
            (None | Some(0), None) if !says_who && !self.only_me => {
                Some(if plain_no && self.not_me { Reading::NotMe } else { Reading::Nobody })
            }
            (None, None) if plain_no && self.only_me && !says_who => Some(Reading::OnlyMe),
            (None, None) if plain_no && self.coming.is_empty() && !self.not_me && !self.only_me => {
                self.no = false;
                self.conclude_with_names(party, expected)
            }
            (Some(count), None) if plain_no && !says_who && 0 < count && count < expected => {
                Some(Reading::Count(count))
            }
            (None, Some(fewer)) if plain_no && !says_who => Some(Reading::Fewer(fewer)),
            // "One but me", "nobody, only me".
            (None, None) if self.only_me && !says_who => Some(Reading::OnlyMe),
            _ => None,
        }
    }

    fn conclude_not_me(mut self, party: &Party<'_>, expected: u32) -> Option<Reading> {
        let me = Pick::Person(party.me.id);
        if self.fewer.is_some() || self.some || self.only_these {
            return None;
        }
        let says_of_others = !self.out.is_empty() || !self.coming.is_empty() || self.count.is_some();
        if !says_of_others && !self.yes && !self.all {
            return Some(Reading::NotMe);
        }
        self.out.push(me);
        let consistent = self.coming.is_empty() || self.names_everybody(party);
        self.settle_companions(party, expected);
        (consistent && !self.coming.contains(&me)).then_some(Reading::Without { picks: self.out, count: self.count })
    }

    fn conclude_with_names(mut self, party: &Party<'_>, expected: u32) -> Option<Reading> {
        let stands_for_several =
            |pick: &Pick| party.group.member(pick.guest()).is_some_and(|guest| guest.companions() > 0);
        self.settle_not_mentioned(party);
        self.settle_companions(party, expected);
        let coming = u32::try_from(self.coming.len()).unwrap_or(u32::MAX);
        let is_exact = self.only_these || self.count == Some(coming) && self.out.is_empty();
        if is_exact && !self.coming.is_empty() {
            // Whether "only Bob" brings his companions, it does not say.
            if !self.out.is_empty() || self.fewer.is_some() || self.count.is_some_and(|count| count != coming) {
                return None;
            }
            let says_of_companions = |pick: &Pick| self.coming.contains(&Pick::CompanionOf(pick.guest()));
            let is_vague = |pick: &Pick| stands_for_several(pick) && !says_of_companions(pick);
            if self.count.is_none() && self.coming.iter().any(is_vague) {
                return None;
            }
            let mut picks: Vec<Pick> = party.group.members.iter().flat_map(whole_record).collect();
            for pick in &self.coming {
                let at = picks.iter().position(|other| other == pick)?;
                picks.swap_remove(at);
            }
            return Some(Reading::Without { picks, count: self.count });
        }
        if !self.out.is_empty() {
            // Whether their companions stay at home too, "Bob can't come" does not say.
            let is_vague = |pick: &Pick| matches!(pick, Pick::Person(_)) && stands_for_several(pick);
            let mut said = self.out.iter().chain(&self.coming);
            let says_of_companions = said.any(|pick| matches!(pick, Pick::CompanionOf(_)));
            let says_how_many = self.count.is_some() || self.fewer.is_some() || self.all || says_of_companions;
            if !says_how_many && self.out.iter().any(is_vague) {
                return None;
            }
            let out = people_out(party, &self.out);
            let adds_up = self.fewer.is_none_or(|fewer| fewer == out);
            return adds_up.then(|| Reading::Without { picks: std::mem::take(&mut self.out), count: self.count });
        }
        if let Some(count) = self.count {
            return self.fewer.is_none().then_some(Reading::Count(count));
        }
        if self.fewer.is_some() || self.coming.iter().any(stands_for_several) {
            return None;
        }
        if self.names_everybody(party) {
            return Some(Reading::All);
        }
        // "Anna and Ben are coming": two, it seems; who does not is asked.
        let only_self = self.coming.iter().all(|pick| pick.guest() == party.me.id);
        match only_self {
            // Of the others it says nothing: they are asked about.
            true if expected > 1 => (!self.all).then_some(Reading::Me),
            true => Some(Reading::All),
            false => (!self.all).then_some(Reading::These(self.coming)),
        }
    }

    /// "Pat yes, Sam no" says nothing of Jo and Al: they stay as they are, or open. Only whoever speaks needs no mention.
    fn settle_not_mentioned(&mut self, party: &Party<'_>) {
        let says_of_all = self.all || self.yes || self.only_these || self.count.is_some() || self.fewer.is_some();
        if says_of_all || self.out.is_empty() || self.coming.is_empty() {
            return;
        }
        let is_mentioned = |guest: &&Guest| self.coming.iter().chain(&self.out).any(|pick| pick.guest() == guest.id);
        let others: Vec<&Guest> = party.group.members.iter().filter(|guest| !is_mentioned(guest)).collect();
        if others.iter().all(|guest| guest.id == party.me.id) {
            return;
        }
        for guest in others {
            match guest.status {
                Status::Pending => self.out.push(Pick::DoesNotKnow(guest.id)),
                _ => self.out.extend(not_coming_so_far(guest)),
            }
        }
    }

    /// Whoever does not come leaves their companions at home too, unless something else is said of them or the number
    /// tells that they come.
    fn settle_companions(&mut self, party: &Party<'_>, expected: u32) {
        if party.group.members.len() == 1 {
            return;
        }
        let out = people_out(party, &self.out);
        if self.fewer == Some(out) || self.count.is_some_and(|count| count.saturating_add(out) == expected) {
            return;
        }
        let members = party.group.members.iter();
        let leaves = members.filter(|guest| self.out.contains(&Pick::Person(guest.id)));
        let picks: Vec<Pick> = leaves
            .map(|guest| (Pick::CompanionOf(guest.id), guest.companions()))
            .filter(|(pick, _)| !self.out.contains(pick) && !self.coming.contains(pick))
            .flat_map(|(pick, companions)| (0..companions).map(move |_| pick))
            .collect();
        self.out.extend(picks);
    }

    fn names_everybody(&self, party: &Party<'_>) -> bool {
        let named = |guest: &Guest| self.coming.iter().chain(&self.out).any(|pick| pick.guest() == guest.id);
        party.group.members.iter().all(named)
    }
}

/// Those of a record who do not come, as it was answered.
fn not_coming_so_far(guest: &Guest) -> impl Iterator<Item = Pick> {
    let comes = guest.status != Status::Declined;
    let is_waiting = guest.status == Status::Waitlisted;
    let person = (!(comes && guest.self_coming || is_waiting)).then_some(Pick::Person(guest.id));
    let companions = if is_waiting { 0 } else { guest.companions().saturating_sub(guest.companions_coming) };
    person.into_iter().chain((0..companions).map(|_| Pick::CompanionOf(guest.id)))
}

/// Everybody of a record, as not coming.
fn whole_record(guest: &Guest) -> impl Iterator<Item = Pick> {
    std::iter::once(Pick::Person(guest.id)).chain((0..guest.companions()).map(|_| Pick::CompanionOf(guest.id)))
}
