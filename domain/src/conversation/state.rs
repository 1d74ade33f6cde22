//! What the bot remembers about one address.

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

use super::host::HostTask;
use crate::{
    address::Address,
    lockout::Attempts,
    model::{GroupKey, GuestId, Version},
};

/// Who logged in at an address, what is being asked there, and how it may be written to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Conversation {
    #[serde(rename = "_id")]
    pub address: Address,
    pub version: Version,
    /// In the order in which they logged in, none twice.
    #[serde(default)]
    pub logins: Vec<GuestId>,
    /// Whom the person speaks for at the moment: one of `logins`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub active: Option<GuestId>,
    /// The language chosen, or guessed from the person's app.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locale: Option<String>,
    #[serde(default)]
    pub attempts: Attempts,
    /// STOP: nothing at all is sent there.
    #[serde(default)]
    pub opted_out: bool,
    /// Nothing that Convive starts is sent there, except notices of a login.
    #[serde(default)]
    pub muted: bool,
    /// The person blocked the bot, or the provider says that nobody is there.
    #[serde(default)]
    pub unreachable: bool,
    /// When the person last wrote from there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_used: Option<DateTime<Utc>>,
    #[serde(default)]
    pub dialogue: Dialogue,
}

impl Conversation {
    /// An address that was never heard of.
    #[must_use]
    pub fn new(address: Address) -> Self {
        Self {
            address,
            version: 0,
            logins: Vec::new(),
            active: None,
            locale: None,
            attempts: Attempts::default(),
            opted_out: false,
            muted: false,
            unreachable: false,
            last_used: None,
            dialogue: Dialogue::default(),
        }
    }

    /// Removes a login; the active one passes to the one before it, and what was being asked for it is dropped.
    pub fn end_login(&mut self, guest: GuestId) {
        self.logins.retain(|login| *login != guest);
        if self.active == Some(guest) {
            self.active = self.logins.last().copied();
            self.dialogue.clear();
        }
    }

    /// The person has moved here from another address, where this was known: whoever was logged in there is logged in
    /// here, and what the person refused stays refused.
    pub fn take_over(&mut self, moved: &Self) {
        for guest in &moved.logins {
            if !self.logins.contains(guest) {
                self.logins.push(*guest);
            }
        }
        self.active = self.active.or(moved.active);
        self.opted_out |= moved.opted_out;
        self.muted |= moved.muted;
        // Later replies sort after those that moved along.
        self.version = self.version.max(moved.version);
    }
}

/// Nobody is asked again for an answer so soon: whoever asks first has asked for all.
pub const NOT_ASKED_AGAIN: TimeDelta = TimeDelta::hours(2);

/// The open question and the answer being given.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Dialogue {
    /// Number of the newest question ever asked at this address.
    #[serde(default)]
    pub asked: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open: Option<Ask>,
    /// When the open question was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked_at: Option<DateTime<Utc>>,
    /// The answer that the guest is giving, until it is confirmed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draft: Option<Draft>,
    /// Messages in a row that were not understood.
    #[serde(default)]
    pub misunderstood: u8,
    /// The choice accepted last: a second tap on it right after is no new answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_choice: Option<LastChoice>,
    /// Of whom we asked here of late, by ourselves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub asked_about: Vec<AskedAbout>,
}

/// A guest whose answer we asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskedAbout {
    pub guest: GuestId,
    pub at: DateTime<Utc>,
    /// The id of the message.
    pub entry: String,
}

/// A choice that was accepted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastChoice {
    pub id: String,
    pub at: DateTime<Utc>,
}

impl Dialogue {
    /// Forgets question and draft; the counter stays, so that old buttons stay old.
    pub fn clear(&mut self) {
        *self = Self {
            asked: self.asked,
            last_choice: self.last_choice.take(),
            asked_about: std::mem::take(&mut self.asked_about),
            ..Self::default()
        };
    }

    /// Remembers that a message asks about these guests.
    pub fn note_asked(&mut self, guests: &[GuestId], entry: &str, at: DateTime<Utc>) {
        self.asked_about.retain(|asked| at < asked.at + NOT_ASKED_AGAIN && !guests.contains(&asked.guest));
        self.asked_about.extend(guests.iter().map(|guest| AskedAbout { guest: *guest, at, entry: entry.to_owned() }));
    }

    /// Forgets what may tell of a guest who is gone, be it in what others said of their own needs; `mentions` says
    /// whether a text does. An answer that told of them stays open: it is explained and begun anew. What a host was asked
    /// about them is settled; the host's own answer goes on.
    pub fn forget(&mut self, gone: GuestId, mentions: impl Fn(&str) -> bool) {
        self.last_choice = None;
        self.asked_about.retain(|asked| asked.guest != gone);
        self.draft = self.draft.take().filter(|draft| draft.guest != gone);
        let draft_told = self.draft.as_mut().is_some_and(|draft| draft.forget(gone, &mentions));
        let question_told = match &mut self.open {
            Some(Ask::Host { host, .. }) if *host == gone => true,
            Some(Ask::Host { task, about, which, .. }) => {
                if *about == Some(gone) || which.contains(&gone) || task.text().is_some_and(&mentions) {
                    *task = HostTask::Forgotten;
                    *about = None;
                    which.clear();
                }
                false
            }
            Some(Ask::WhomFirst { guests }) => {
                guests.retain(|guest| *guest != gone);
                false
            }
            Some(Ask::LastName { code }) => mentions(code),
            Some(ask) => ask.is_of_draft() && (draft_told || self.draft.is_none()),
            None => draft_told,
        };
        if question_told {
            match &mut self.draft {
                Some(draft) if self.open.is_some() => {
                    draft.members.clear();
                    self.open = Some(Ask::HowMany);
                }
                _ => self.clear(),
            }
        }
    }
}

/// A question that can be open.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "ask", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Ask {
    /// "And your last name?" for a code that was given alone or by a deep link.
    LastName {
        code: String,
    },
    /// For you, or for everybody? (Part of the group has answered already.)
    ForWhom,
    HowMany,
    /// "Some": which number?
    HowManyExactly,
    WhoIsNotComing,
    WhoDoesNotKnow,
    ConfirmExtras,
    /// Nobody: everyone, or only me?
    NobodyOrNotMe,
    /// Only me: do the others not come, or answer themselves?
    Others,
    /// Somebody answered differently before: really change it?
    ChangeOthers,
    Dietary {
        guest: GuestId,
    },
    ReadBack,
    /// After the deadline: whose dietary needs?
    DietaryOf,
    /// Which of this address's guests?
    Switch,
    /// Several of this address's guests have not answered: for which of these first?
    WhomFirst {
        guests: Vec<GuestId>,
    },
    Language,
    MessageForHost,
    WrongPerson,
    /// To a host: which of these guests is meant, or (where that is clear) whether to go on.
    Host {
        host: GuestId,
        task: HostTask,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        about: Option<GuestId>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        which: Vec<GuestId>,
        /// The version of what was read back: an answer's group, or the event where it is about the deadline.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seen: Option<Version>,
    },
}

/// Whom the answer is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Scope {
    Everybody,
    OnlyMe,
}

/// What the draft says of one record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Plan {
    /// Not yet decided in this draft.
    Undecided,
    /// Decided: who of the record comes; nobody means declined.
    Decided { self_coming: bool, companions: u32 },
    /// Left open: stays (or becomes) pending.
    LeftOpen,
    /// Not part of this answer: stays as it is.
    Untouched,
}

/// One record in the draft.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DraftMember {
    pub guest: GuestId,
    /// As it was when the draft began: if it differs now, the draft starts again.
    pub expected: u32,
    pub plan: Plan,
    /// Dietary needs given in this draft; `None` until asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dietary: Option<String>,
    /// What was given before the answer was begun again: offered once more, not taken for granted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub noted: Option<String>,
}

/// An answer in the making.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Draft {
    /// Who is answering.
    pub guest: GuestId,
    pub group: GroupKey,
    /// The group's version that the open question rests on.
    pub group_version: Version,
    pub members: Vec<DraftMember>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<Scope>,
    /// How many people come, of those in scope, extras included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u32>,
    /// "Some" was chosen; the number is still to come.
    #[serde(default)]
    pub some: bool,
    /// The count is spread over the members: what is left of it is not asked again.
    #[serde(default)]
    pub allocated: bool,
    #[serde(default)]
    pub extras_confirmed: bool,
    /// The guest agreed to change what others had answered.
    #[serde(default)]
    pub changes_confirmed: bool,
    /// Only dietary needs are being changed (after the deadline).
    #[serde(default)]
    pub dietary_only: bool,
    /// The only ones asked about, where that is neither everybody nor just whoever answers: those whom a message that
    /// Convive started names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub named: Vec<GuestId>,
}

impl Draft {
    /// Whether it told of a guest who is gone. Nothing is kept of it then: of no members, it counts as outdated.
    fn forget(&mut self, gone: GuestId, mentions: impl Fn(&str) -> bool) -> bool {
        self.named.retain(|guest| *guest != gone);
        let tells = |member: &DraftMember| {
            let mut texts = [&member.dietary, &member.noted].into_iter().flatten();
            member.guest == gone || texts.any(|text| mentions(text))
        };
        let told = self.members.iter().any(tells);
        if told {
            self.members.clear();
        }
        told
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_person_said_elsewhere_goes_along_when_they_move() {
        let (one, other) = (GuestId([1; 12]), GuestId([2; 12]));
        let here =
            Conversation { version: 3, logins: vec![one], muted: true, ..Conversation::new(Address::telegram(1)) };
        let there = Conversation {
            version: 7,
            logins: vec![one, other],
            active: Some(other),
            opted_out: true,
            unreachable: true,
            ..Conversation::new(Address::telegram(2))
        };
        let mut conversation = here.clone();
        conversation.take_over(&there);
        let expected =
            Conversation { version: 7, logins: vec![one, other], active: Some(other), opted_out: true, ..here };
        assert_eq!(conversation, expected);
        conversation.take_over(&Conversation { active: Some(one), ..here_again(&expected) });
        assert_eq!(conversation, expected, "who speaks here goes on speaking");
    }

    fn here_again(conversation: &Conversation) -> Conversation {
        Conversation { version: 1, opted_out: false, muted: false, ..conversation.clone() }
    }
}
