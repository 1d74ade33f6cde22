//! What the guests say, round after round, and what the rules make of it.

use anyhow::ensure;
use chrono::{DateTime, TimeDelta, Utc};
use domain::{
    code,
    conversation::{self, Candidate, Context, Conversation, Policy, Step, codes_to_look_up},
    message::{Body, Inbound},
    model::{Event, Group},
    show, wording,
};

use crate::guests::{Party, SHAPES, Shape};

/// One thing that is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Said {
    /// `{second}` stands for the first name of the second person.
    Text(&'static str),
    /// A choice of the question asked last, without the question's number.
    Press(&'static str),
}

use Said::{Press, Text};

/// What the one who speaks says, over and over. Each line but the last ones of a round changes the conversation;
/// two of a round change the answer.
fn lines(shape: Shape) -> &'static [Said] {
    match shape {
        Shape::Family => &[
            Text("change"),
            Press("all"),
            Press("none"),
            Text("vegan, no nuts"),
            Press("none"),
            Press("save"),
            Text("status"),
            Text("change"),
            Text("we're 3, {second} can't make it"),
            Press("none-for-all"),
            Text("yes"),
            Text("details"),
        ],
        Shape::Couple => &[
            Text("change"),
            Text("All"),
            Press("none"),
            Text("halal"),
            Press("save"),
            Text("status"),
            Text("change"),
            Press("none"),
            Press("all"),
            Text("yes"),
        ],
        Shape::Single(1) => &[
            Text("change"),
            Press("all"),
            Text("none"),
            Press("save"),
            Text("status"),
            Text("change"),
            Text("no, sorry"),
            Press("save"),
            Text("help"),
        ],
        Shape::Single(_) => &[
            Text("change"),
            Text("all of us"),
            Text("no nuts for the little one"),
            Press("save"),
            Text("status"),
            Text("change"),
            Press("only-me"),
            Press("none"),
            Text("yes"),
        ],
    }
}

/// One line of a shape's round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line {
    pub said: Said,
    /// Messages that answer it.
    pub replies: u64,
    /// Questions asked by them.
    pub asks: u64,
}

/// What each shape says, in the order of [`SHAPES`].
pub struct Script {
    rounds: Vec<Vec<Line>>,
}

impl Script {
    /// Tries everything out once.
    pub fn read(parties: &[Party], event: &Event, now: DateTime<Utc>) -> anyhow::Result<Self> {
        let mut rounds = Vec::new();
        for shape in SHAPES {
            let party = parties.iter().find(|party| party.shape == shape);
            let party = party.ok_or_else(|| anyhow::anyhow!("no party is a {shape:?}"))?;
            let mut walk = Walk::begin(party.clone(), event.clone(), now)?;
            let first = walk.round()?;
            ensure!(first == walk.round()?, "a {shape:?} is answered otherwise in the second round: {first:?}");
            rounds.push(first);
        }
        Ok(Self { rounds })
    }

    pub fn round(&self, shape: usize) -> &[Line] {
        &self.rounds[shape]
    }
}

/// A conversation with one party, in memory. Versions stand still, so that any state of it can be stored as new.
pub struct Walk {
    pub party: Party,
    pub conversation: Conversation,
    event: Event,
    now: DateTime<Utc>,
    said: usize,
}

impl Walk {
    /// Logs in.
    pub fn begin(party: Party, event: Event, now: DateTime<Utc>) -> anyhow::Result<Self> {
        let conversation = Conversation::new(party.address());
        let mut walk = Self { party, conversation, event, now, said: 0 };
        let me = &walk.party.guests[0];
        let text = format!("{} {}", me.token, me.last_name);
        walk.take(Body::Text(text));
        ensure!(!walk.conversation.logins.is_empty(), "the login failed");
        walk.said = 0;
        Ok(walk)
    }

    /// Lines of the round said since the login.
    pub fn said(&self) -> usize {
        self.said
    }

    fn lines(&self) -> &'static [Said] {
        lines(self.party.shape)
    }

    /// What comes next, as a message, with everything that the rules may need to know.
    pub fn next(&self) -> (Context, Inbound) {
        let body = match self.lines()[self.said % self.lines().len()] {
            Text(text) => Body::Text(with_name(text, second(&self.party))),
            Press(token) => Body::Choice(format!("{}.{token}", self.conversation.dialogue.asked)),
        };
        self.before(body)
    }

    fn before(&self, body: Body) -> (Context, Inbound) {
        let me = &self.party.guests[0];
        let inbound = Inbound {
            key: format!("telegram:7000000001:{}", 870_000_000 + self.said),
            from: self.party.address(),
            body,
            received_at: self.now,
            locale_hint: Some("en".to_owned()),
        };
        let group = Group { key: me.group_key(), version: 0, members: self.party.guests.clone() };
        let codes = codes_to_look_up(&inbound, None);
        let is_mine = |typed: &String| code::key(typed) == code::key(&me.token);
        let candidates = codes
            .into_iter()
            .filter(is_mine)
            .map(|code| Candidate { code, guest: me.id, group: group.clone() })
            .collect();
        let is_in = self.conversation.logins.contains(&me.id);
        let context = Context {
            conversation: self.conversation.clone(),
            logins: is_in.then(|| me.clone()).into_iter().collect(),
            groups: is_in.then_some(group).into_iter().collect(),
            candidates,
            events: [(self.event.id.clone(), self.event.clone())].into(),
            question_attempted_at: Some(self.now),
            recent_failures: 0,
            host: None,
            policy: Policy { provider_keywords: true, calendar_domain: "rsvp.example.org".to_owned() },
        };
        (context, inbound)
    }

    fn take(&mut self, body: Body) -> Step {
        let (context, inbound) = self.before(body);
        self.apply(&context, &inbound)
    }

    fn apply(&mut self, context: &Context, inbound: &Inbound) -> Step {
        let step = conversation::step(context, inbound, self.now);
        self.conversation = step.conversation.clone();
        for changed in &step.guests {
            for guest in self.party.guests.iter_mut().filter(|guest| guest.id == changed.id) {
                guest.clone_from(changed);
            }
        }
        self.said += 1;
        // People read before they answer.
        self.now += TimeDelta::seconds(20);
        step
    }

    /// Says the next line.
    pub fn go_on(&mut self) -> Step {
        let (context, inbound) = self.next();
        self.apply(&context, &inbound)
    }

    fn round(&mut self) -> anyhow::Result<Vec<Line>> {
        let mut round = Vec::new();
        for said in self.lines() {
            let asked = self.conversation.dialogue.asked;
            let step = self.go_on();
            let is_understood = self.conversation.dialogue.misunderstood == 0
                && step.says.iter().flat_map(|message| &message.says).all(|say| !NOT_UNDERSTOOD.contains(&say.id));
            ensure!(is_understood, "{said:?} is not understood from a {:?}", self.party.shape);
            let language = wording::language(&step.locale);
            let style = self.party.address().style();
            let replies = step.says.iter().map(|message| show::show(message, language, style).len() as u64).sum();
            round.push(Line { said: *said, replies, asks: self.conversation.dialogue.asked - asked });
        }
        Ok(round)
    }
}

const NOT_UNDERSTOOD: [&str; 4] = ["not-understood", "not-understood-idle", "old-question", "old-question-idle"];

/// The first name of whoever a text may speak of.
pub fn second(party: &Party) -> &str {
    party.guests.get(1).map_or("", |guest| guest.first_name.as_str())
}

pub fn with_name(text: &str, name: &str) -> String {
    text.replace("{second}", name)
}
