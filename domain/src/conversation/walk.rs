//! The walk: from "How many?" to the read-back, as a function of what the draft already says.

use super::{Ask, Draft, DraftMember, Party, Plan, Scope};
use crate::{
    answer::{self, Answer, Decision, Extras},
    model::{Guest, GuestId, Status},
};

impl Plan {
    /// Declined.
    pub(super) const NOBODY: Self = Self::Decided { self_coming: false, companions: 0 };
}

impl DraftMember {
    /// How many of this record do not come, according to its plan. Whoever is undecided is taken to come.
    fn missing(&self) -> u32 {
        match self.plan {
            Plan::Undecided | Plan::Untouched => 0,
            Plan::Decided { self_coming, companions } => {
                self.expected.saturating_sub(u32::from(self_coming)).saturating_sub(companions)
            }
            Plan::LeftOpen => self.expected,
        }
    }

    /// Who of this record still counts as coming: the person, and how many companions.
    pub(super) fn still_in(&self) -> (bool, u32) {
        match self.plan {
            Plan::Undecided => (true, self.expected.saturating_sub(1)),
            Plan::Decided { self_coming, companions } => (self_coming, companions),
            Plan::LeftOpen | Plan::Untouched => (false, 0),
        }
    }

    fn comes(&self) -> bool {
        matches!(self.plan, Plan::Decided { self_coming, companions } if self_coming || companions > 0)
    }
}

/// Somebody named as not coming.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pick {
    Person(GuestId),
    CompanionOf(GuestId),
    /// The whole record, left open.
    DoesNotKnow(GuestId),
}

impl Draft {
    /// An answer that says nothing yet.
    pub(super) fn begin(party: &Party<'_>) -> Self {
        let members = party
            .group
            .members
            .iter()
            .map(|guest| DraftMember {
                guest: guest.id,
                expected: guest.expected_guests.max(1),
                plan: Plan::Undecided,
                dietary: None,
                noted: None,
            })
            .collect();
        Self {
            guest: party.me.id,
            group: party.group.key.clone(),
            group_version: party.group.version,
            members,
            scope: None,
            count: None,
            some: false,
            allocated: false,
            extras_confirmed: false,
            changes_confirmed: false,
            dietary_only: false,
            named: Vec::new(),
        }
    }

    /// An answer that says nothing yet, about these members only: what the others have answered stays.
    pub(super) fn begin_about(party: &Party<'_>, named: &[GuestId]) -> Self {
        let mut draft = Self::begin(party);
        let is_named = |member: &DraftMember| named.contains(&member.guest);
        if draft.members.iter().all(is_named) || !draft.members.iter().any(is_named) {
            return draft;
        }
        if named == [draft.guest] {
            draft.choose_scope(Scope::OnlyMe);
            return draft;
        }
        draft.members.iter_mut().filter(|member| !named.contains(&member.guest)).for_each(|member| {
            member.plan = Plan::Untouched;
        });
        draft.named = named.to_vec();
        draft
    }

    /// The same for whom it was, from "How many?" on.
    pub(super) fn restart(&self, party: &Party<'_>) -> Self {
        let mut draft = self.begin_again(party);
        if let Some(scope) = self.scope {
            draft.choose_scope(scope);
        }
        draft
    }

    /// From the very beginning. Dietary needs that were written need not be written again.
    pub(super) fn begin_again(&self, party: &Party<'_>) -> Self {
        let mut draft = Self::begin_about(party, &self.named);
        for member in &mut draft.members {
            let before = self.member(member.guest);
            member.noted = before.and_then(|before| before.dietary.clone().or_else(|| before.noted.clone()));
        }
        draft
    }

    /// Whether the group has changed since the open question was asked, or the draft had to be forgotten.
    pub(super) fn is_outdated(&self, party: &Party<'_>) -> bool {
        self.members.is_empty()
            || self.guest != party.me.id
            || self.group != party.group.key
            || self.group_version != party.group.version
    }

    /// Whether anything was said yet.
    pub(super) fn is_begun(&self, party: &Party<'_>) -> bool {
        let blank = Self::begin_about(party, &self.named);
        Self { group_version: blank.group_version, ..self.clone() } != blank
    }

    /// Takes the group as it is now. What was said so far stays if the same people are asked about in the same
    /// numbers; agreement to change others' answers does not, for they may have answered anew.
    pub(super) fn renew(mut self, party: &Party<'_>) -> Self {
        let same = self.guest == party.me.id
            && self.group == party.group.key
            && self.members.len() == party.group.members.len()
            && self
                .members
                .iter()
                .zip(&party.group.members)
                .all(|(member, guest)| member.guest == guest.id && member.expected == guest.expected_guests.max(1));
        if !same {
            return self.begin_again(party);
        }
        self.group_version = party.group.version;
        self.changes_confirmed = false;
        if self.scope == Some(Scope::OnlyMe) || !self.named.is_empty() {
            // Whoever has answered meanwhile is not asked about any more.
            let answered = |guest| party.group.member(guest).is_some_and(|guest| guest.status != Status::Pending);
            let undecided: Vec<GuestId> = self.undecided().filter(|guest| answered(*guest)).collect();
            undecided.into_iter().for_each(|guest| self.set_plan(guest, Plan::Untouched));
            if !self.named.is_empty() {
                self.named.retain(|guest| !answered(*guest));
                if self.named.is_empty() {
                    return Self { named: Vec::new(), ..self }.begin_again(party);
                }
            }
        }
        self
    }

    pub(super) fn undecided(&self) -> impl Iterator<Item = GuestId> {
        self.members.iter().filter(|member| member.plan == Plan::Undecided).map(|member| member.guest)
    }

    pub(super) fn is_in_scope(&self, guest: GuestId) -> bool {
        let is_asked_about = self.named.is_empty() || self.named.contains(&guest);
        is_asked_about && (self.scope != Some(Scope::OnlyMe) || guest == self.guest)
    }

    fn in_scope(&self) -> impl Iterator<Item = &DraftMember> {
        self.members.iter().filter(|member| self.is_in_scope(member.guest))
    }

    /// How many people are expected of those in scope.
    pub(super) fn expected(&self) -> u32 {
        self.in_scope().map(|member| member.expected).sum()
    }

    fn missing(&self) -> u32 {
        self.in_scope().map(DraftMember::missing).sum()
    }

    /// How many are still to be named until expected and count add up.
    pub(super) fn left_to_name(&self) -> u32 {
        let wanted = self.expected().saturating_sub(self.count.unwrap_or_default());
        wanted.saturating_sub(self.missing())
    }

    /// People beyond those expected.
    pub(super) fn extras(&self) -> u32 {
        self.count.unwrap_or_default().saturating_sub(self.expected())
    }

    pub(super) fn member(&self, guest: GuestId) -> Option<&DraftMember> {
        self.members.iter().find(|member| member.guest == guest)
    }

    fn member_mut(&mut self, guest: GuestId) -> Option<&mut DraftMember> {
        self.members.iter_mut().find(|member| member.guest == guest)
    }

    pub(super) fn set_plan(&mut self, guest: GuestId, plan: Plan) {
        if let Some(member) = self.member_mut(guest) {
            member.plan = plan;
        }
    }

    pub(super) fn set_dietary(&mut self, guest: GuestId, dietary: String) {
        if let Some(member) = self.member_mut(guest) {
            member.dietary = Some(dietary);
        }
    }

    /// "For you, or for everybody?"
    pub(super) fn choose_scope(&mut self, scope: Scope) {
        self.scope = Some(scope);
        if scope == Scope::OnlyMe {
            self.leave_others_alone(|_| true);
        }
    }

    /// "Only me": the others are asked about, whoever is known not to come aside. Where the answer is for some of the
    /// group only, the rest stays as it is.
    pub(super) fn only_me_comes(&mut self, party: &Party<'_>) {
        if self.scope == Some(Scope::OnlyMe) || !self.named.is_empty() {
            return self.i_come(party);
        }
        let undecided = self.members.clone();
        self.i_come(party);
        let comes = |other| party.group.member(other).is_some_and(|guest| guest.num_guests > 0);
        for before in undecided.into_iter().filter(|before| before.guest != party.me.id && comes(before.guest)) {
            self.set_plan(before.guest, before.plan);
        }
    }

    /// "I'm coming": the others who have not answered are asked about, those who have stay as they are.
    pub(super) fn i_come(&mut self, party: &Party<'_>) {
        self.scope = Some(Scope::OnlyMe);
        self.count = Some(1);
        self.set_plan(self.guest, Plan::Decided { self_coming: true, companions: 0 });
        self.leave_others_alone(|other| party.group.member(other).is_some_and(|guest| guest.status != Status::Pending));
        self.allocated = true;
    }

    /// "Only I am not coming": nothing is said about the others. Companions without anybody else in the group are
    /// others too.
    pub(super) fn only_me_stays_away(&mut self) {
        if let [alone] = self.members.as_mut_slice() {
            let companions = alone.expected.saturating_sub(1);
            alone.plan = Plan::Decided { self_coming: false, companions };
            self.count = Some(companions);
            self.scope = Some(Scope::Everybody);
            self.allocated = true;
        } else {
            self.choose_scope(Scope::OnlyMe);
            self.set_count(0);
        }
    }

    fn leave_others_alone(&mut self, which: impl Fn(GuestId) -> bool) {
        let me = self.guest;
        for member in self.members.iter_mut().filter(|member| member.guest != me && which(member.guest)) {
            member.plan = Plan::Untouched;
        }
    }

    /// So many come, of those in scope. Decides everybody where the number alone says who.
    pub(super) fn set_count(&mut self, count: u32) {
        self.count = Some(count);
        if count == 0 {
            self.decide_undecided(Plan::NOBODY);
            self.allocated = true;
        } else {
            self.settle();
        }
    }

    /// So many come, and these do not. `false`, and nothing is taken, where that does not add up.
    pub(super) fn set_count_without(&mut self, count: u32, picks: &[Pick]) -> bool {
        if picks.is_empty() {
            self.set_count(count);
            return true;
        }
        let before = self.clone();
        self.count = Some(count);
        if count == 0 {
            // Everybody was named.
            self.scope = self.scope.or(Some(Scope::Everybody));
        }
        let adds_up = self.pick_all(picks) && count < self.expected();
        if !adds_up {
            *self = before;
        }
        adds_up
    }

    /// Takes names one by one. Where they do not add up none is taken.
    pub(super) fn pick_all(&mut self, picks: &[Pick]) -> bool {
        let before = self.clone();
        let mut taken: Vec<Pick> = Vec::new();
        for pick in picks {
            let again = !matches!(pick, Pick::CompanionOf(_)) && taken.contains(pick);
            if !again && !self.pick(*pick) {
                *self = before;
                return false;
            }
            taken.push(*pick);
        }
        true
    }

    /// Notes that somebody does not come; `false` when that person is not in question or no more are to be named.
    pub(super) fn pick(&mut self, pick: Pick) -> bool {
        let left = self.left_to_name();
        let (guest, takes) = match pick {
            Pick::Person(guest) | Pick::CompanionOf(guest) => (guest, 1),
            Pick::DoesNotKnow(guest) => {
                (guest, self.member(guest).map_or(0, |member| member.expected.saturating_sub(member.missing())))
            }
        };
        if takes == 0 || takes > left || !self.is_in_scope(guest) {
            return false;
        }
        let Some(member) = self.member_mut(guest) else { return false };
        let (self_in, companions_in) = member.still_in();
        member.plan = match pick {
            Pick::Person(_) if self_in => Plan::Decided { self_coming: false, companions: companions_in },
            Pick::CompanionOf(_) if companions_in > 0 => {
                Plan::Decided { self_coming: self_in, companions: companions_in - 1 }
            }
            Pick::DoesNotKnow(_) => Plan::LeftOpen,
            _ => return false,
        };
        self.settle();
        true
    }

    /// Once expected and count add up, whoever was not named comes.
    fn settle(&mut self) {
        let Some(count) = self.count else { return };
        if self.expected().saturating_sub(count) == self.missing() || count >= self.expected() {
            self.decide_undecided(Plan::Decided { self_coming: true, companions: u32::MAX });
            self.allocated = true;
        }
    }

    /// Decides whoever in scope is undecided; a plan for more companions than there are takes all of them.
    fn decide_undecided(&mut self, plan: Plan) {
        let only = (self.scope == Some(Scope::OnlyMe)).then_some(self.guest);
        let in_scope = |member: &&mut DraftMember| only.is_none_or(|guest| member.guest == guest);
        for member in self.members.iter_mut().filter(in_scope).filter(|member| member.plan == Plan::Undecided) {
            member.plan = match plan {
                Plan::Decided { self_coming, companions } => {
                    Plan::Decided { self_coming, companions: companions.min(member.expected.saturating_sub(1)) }
                }
                plan => plan,
            };
        }
    }

    /// Members whose own answers this one would change.
    pub(super) fn changes_of_others<'a>(&self, party: &Party<'a>) -> Vec<&'a Guest> {
        answer::changes_of_others(party.group, self.guest, &self.decisions())
    }

    /// The first thing that the draft does not say yet.
    pub(super) fn next(&self, party: &Party<'_>) -> Ask {
        if self.scope.is_none() && self.count.is_none() && !self.some && self.named.is_empty() {
            let answered = party.group.members.iter().filter(|guest| guest.status != Status::Pending).count();
            if answered > 0 && answered < party.group.members.len() {
                return Ask::ForWhom;
            }
        }
        let Some(count) = self.count else {
            return if self.some { Ask::HowManyExactly } else { Ask::HowMany };
        };
        if count == 0 && self.scope.is_none() && self.expected() > 1 && self.is_in_scope(self.guest) {
            return Ask::NobodyOrNotMe;
        }
        if !self.allocated {
            return Ask::WhoIsNotComing;
        }
        if self.extras() > 0 && !self.extras_confirmed {
            return Ask::ConfirmExtras;
        }
        if self.undecided().next().is_some() {
            return Ask::Others;
        }
        if !self.changes_confirmed && !self.changes_of_others(party).is_empty() {
            return Ask::ChangeOthers;
        }
        match self.without_dietary().next() {
            Some(guest) => Ask::Dietary { guest },
            None => Ask::ReadBack,
        }
    }

    /// Coming records whose dietary needs were not asked about yet.
    pub(super) fn without_dietary(&self) -> impl Iterator<Item = GuestId> {
        self.members.iter().filter(|member| member.comes() && member.dietary.is_none()).map(|member| member.guest)
    }

    /// The answer as far as the draft says it.
    pub(super) fn answer(&self) -> Answer {
        let dietary = self.members.iter().filter_map(|member| Some((member.guest, member.dietary.clone()?))).collect();
        Answer { decisions: self.decisions(), extras: self.said_of_extras(), dietary }
    }

    fn decisions(&self) -> Vec<(GuestId, Decision)> {
        self.members
            .iter()
            .filter_map(|member| match member.plan {
                Plan::Decided { self_coming, companions } => {
                    Some((member.guest, Decision::Who { self_coming, companions }))
                }
                Plan::LeftOpen => Some((member.guest, Decision::LeaveOpen)),
                Plan::Undecided | Plan::Untouched => None,
            })
            .collect()
    }

    /// A new answer for the group replaces its extras. An answer for one record replaces only that record's own,
    /// and only while it comes: otherwise they move on.
    fn said_of_extras(&self) -> Extras {
        match (self.count, self.scope) {
            (None, _) => Extras::Keep,
            (Some(_), None) if !self.named.is_empty() => Extras::More(self.extras()),
            (Some(_), Some(Scope::Everybody)) if !self.named.is_empty() => Extras::More(self.extras()),
            (Some(_), Some(Scope::OnlyMe)) => {
                let comes = self.member(self.guest).is_some_and(DraftMember::comes);
                if comes { Extras::OfAnswering(self.extras()) } else { Extras::Keep }
            }
            (Some(_), _) => Extras::OfGroup(self.extras()),
        }
    }
}
