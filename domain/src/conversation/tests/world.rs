//! A world in memory for transcripts: guests, conversations and a clock, with the store's rules for versions.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;

use chrono::{DateTime, TimeDelta, Utc};
use chrono_tz::Tz;
use expect_test::Expect;

use crate::{
    address::{Address, Channel, Style},
    code,
    conversation::{
        Ask, Candidate, Context, Conversation, HostView, Listed, NOT_ASKED_AGAIN, OneTimeLink, Opening, Plan, Policy,
        Step, Wanted, codes_to_look_up, host_request, host_targets, invite, remind, step,
    },
    digest::Facts,
    message::{Body, Inbound},
    model::{Admission, Event, EventId, Group, GroupId, GroupKey, Guest, GuestId, Status},
    schedule::{Outreach, Reach, to_address_book},
    show::{self, Shown},
    wording,
};

pub fn at(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

#[derive(Clone)]
pub struct World {
    pub now: DateTime<Utc>,
    pub events: BTreeMap<EventId, Event>,
    pub guests: Vec<Guest>,
    pub versions: BTreeMap<GroupKey, u64>,
    pub conversations: BTreeMap<Address, Conversation>,
    /// The questions that each address was shown.
    pub shown: BTreeMap<Address, Vec<Shown>>,
    pub attempted: BTreeMap<Address, DateTime<Utc>>,
    pub policy: Policy,
    pub recent_failures: u32,
    /// Texts are on their way: their first attempt is not recorded yet.
    pub provider_is_slow: bool,
    messages: u64,
    /// Whose answer was asked for last when.
    asked: HashMap<GuestId, DateTime<Utc>>,
}

pub fn event(id: &str, name: &str) -> Event {
    Event {
        id: id.into(),
        name: name.to_owned(),
        starts_at: at("2026-11-28T18:00:00Z"),
        ends_at: None,
        time_zone: Tz::Europe__London,
        rsvp_deadline: Some(at("2026-11-21T00:00:00Z")),
        capacity: None,
        seats_taken: None,
        admission: Admission::Invitation,
        place: Some("The Old Boathouse".to_owned()),
        address: None,
        dress_code: Some("nautical".to_owned()),
        schedule: None,
        host_contact: Some("Mia, 07700 900555".to_owned()),
        default_locale: "en".to_owned(),
        phone_region: Some("GB".to_owned()),
        reminders: crate::model::ReminderSettings::default(),
        digest: crate::model::DigestSettings::default(),
        cancelled_at: None,
        version: 1,
    }
}

impl World {
    /// The Holloways (Anna, Ben, Cleo), two people called Maria Santos, Bob Tanner with two companions.
    pub fn new() -> Self {
        let mut world = Self {
            now: at("2026-11-01T10:00:00Z"),
            events: BTreeMap::from([("supper".into(), event("supper", "Harbour Supper"))]),
            guests: Vec::new(),
            versions: BTreeMap::new(),
            conversations: BTreeMap::new(),
            shown: BTreeMap::new(),
            attempted: BTreeMap::new(),
            policy: Policy { provider_keywords: true, calendar_domain: "rsvp.example.org".to_owned() },
            recent_failures: 0,
            provider_is_slow: false,
            messages: 0,
            asked: HashMap::new(),
        };
        world.add("Anna", "Holloway", "K7QF2M", Some("holloway"), 1);
        world.add("Ben", "Holloway", "B3NH4Z", Some("holloway"), 1);
        world.add("Cleo", "Holloway", "C7E9HW", Some("holloway"), 1);
        world.add("Maria", "Santos", "H4TR8W", None, 1);
        world.add("Maria", "Santos", "P9DX3C", None, 1);
        world.add("Bob", "Tanner", "B8TAN7", None, 3);
        world
    }

    /// The world after this chat.
    pub fn after(script: &str) -> Self {
        let mut world = Self::new();
        world.play(script);
        world
    }

    pub fn add(&mut self, first: &str, last: &str, token: &str, group: Option<&str>, expected: u32) -> GuestId {
        let number = u8::try_from(self.guests.len() + 1).unwrap();
        let id = GuestId([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, number]);
        let mut guest = Guest::new(id, "supper".into(), last.to_owned(), token.to_owned(), self.now);
        guest.first_name = first.to_owned();
        guest.group_id = group.map(GroupId::from);
        guest.expected_guests = expected;
        self.guests.push(guest);
        id
    }

    pub fn guest(&self, first: &str) -> &Guest {
        self.guests.iter().find(|guest| guest.first_name == first).unwrap()
    }

    pub fn guest_mut(&mut self, first: &str) -> &mut Guest {
        self.guests.iter_mut().find(|guest| guest.first_name == first).unwrap()
    }

    /// As a store erases somebody: the record, the logins, and what is being said of them.
    pub fn erase(&mut self, first: &str) {
        let gone = self.guest(first).clone();
        self.raise(first);
        self.guests.retain(|guest| guest.id != gone.id);
        for conversation in self.conversations.values_mut() {
            conversation.end_login(gone.id);
            conversation.dialogue.forget(gone.id, |text| text.contains(&gone.first_name));
        }
    }

    /// Somebody else changed this guest's group.
    pub fn raise(&mut self, first: &str) {
        let key = self.guest(first).group_key();
        *self.versions.entry(key).or_default() += 1;
    }

    pub fn group(&self, key: &GroupKey) -> Group {
        Group {
            key: key.clone(),
            version: self.versions.get(key).copied().unwrap_or_default(),
            members: self.guests.iter().filter(|guest| guest.group_key() == *key).cloned().collect(),
        }
    }

    pub fn conversation(&self, address: &Address) -> Conversation {
        self.conversations.get(address).cloned().unwrap_or_else(|| Conversation::new(address.clone()))
    }

    pub fn context(&self, inbound: &Inbound) -> Context {
        let conversation = self.conversation(&inbound.from);
        let waits = matches!(conversation.dialogue.open, Some(Ask::LastName { .. }));
        let codes = codes_to_look_up(inbound, waits.then_some(&conversation));
        let candidates = codes.iter().flat_map(|typed| {
            let exact: Vec<&Guest> = self.guests.iter().filter(|guest| guest.token == *typed).collect();
            let by_key = || self.guests.iter().filter(|guest| code::key(&guest.token) == code::key(typed)).collect();
            let found = if exact.is_empty() { by_key() } else { exact };
            (found.len() == 1).then(|| Candidate {
                code: typed.clone(),
                guest: found[0].id,
                group: self.group(&found[0].group_key()),
            })
        });
        let candidates: Vec<Candidate> = candidates.collect();
        let login = |id: &GuestId| self.guests.iter().find(|guest| guest.id == *id).cloned();
        let logins: Vec<Guest> = conversation.logins.iter().filter_map(login).collect();
        let mut keys: Vec<GroupKey> = logins.iter().map(Guest::group_key).collect();
        let targets = self.host_view(inbound).map(|view| host_targets(&view, inbound, &conversation));
        let of_targets = self.guests.iter().filter(|it| targets.as_ref().is_some_and(|all| all.contains(&it.id)));
        keys.extend(of_targets.map(Guest::group_key));
        keys.sort();
        keys.dedup();
        Context {
            groups: keys.iter().map(|key| self.group(key)).collect(),
            question_attempted_at: self.attempted.get(&inbound.from).copied(),
            conversation,
            logins,
            candidates,
            events: self.events.clone(),
            recent_failures: self.recent_failures,
            host: self.host_view(inbound),
            policy: self.policy.clone(),
        }
    }

    /// What a host's command needs to know; everybody who ever logged in has opened the invitation.
    fn host_view(&self, inbound: &Inbound) -> Option<HostView> {
        let conversation = self.conversation(&inbound.from);
        let logins: Vec<Guest> =
            self.guests.iter().filter(|it| conversation.logins.contains(&it.id)).cloned().collect();
        let request = host_request(inbound, &conversation, &logins)?;
        let host = self.guests.iter().find(|guest| guest.id == request.host)?;
        let outreach = Outreach {
            channels: vec![Channel::Telegram, Channel::Sms],
            texts_from: Some("+447700900999".to_owned()),
            sms_fallback: true,
        };
        let reaches = self.conversations.values().flat_map(|conversation| {
            conversation.logins.iter().map(|guest| {
                let reach = Reach {
                    address: conversation.address.clone(),
                    last_used: conversation.last_used,
                    muted: conversation.muted,
                    opted_out: conversation.opted_out,
                    unreachable: conversation.unreachable,
                };
                (*guest, reach)
            })
        });
        let book = to_address_book(reaches, &outreach);
        let (guests, listed) = self.wanted(&request.wanted);
        let facts = Facts {
            event: self.events[&host.event_id].clone(),
            guests,
            opened: book.logins.keys().copied().collect(),
            unreached: Vec::new(),
            lost: Default::default(),
            activity: Vec::new(),
            failed: 0,
            since: None,
            now: self.now,
        };
        let out = self.guests.iter().filter(|guest| guest.status == Status::Pending).count();
        let out = u32::try_from(out).unwrap();
        let link = (request.wanted == Wanted::Link).then(|| OneTimeLink {
            url: "https://rsvp.example.org/admin/link/1".to_owned(),
            key: "link/1".to_owned(),
            minutes: 10,
        });
        let asked = self.asked.iter().filter(|(_, at)| self.now < **at + NOT_ASKED_AGAIN);
        let asked_lately = asked.map(|(guest, _)| *guest).collect();
        Some(HostView { host: request.host, facts, book, outreach, asked_lately, listed, out, link })
    }

    /// As a store finds them.
    fn wanted(&self, wanted: &Wanted) -> (Vec<Guest>, Option<Listed>) {
        let Wanted::Page { status, with_dietary_needs, page, size } = wanted else {
            return (if *wanted == Wanted::Nobody { Vec::new() } else { self.guests.clone() }, None);
        };
        let is_of_list = |guest: &&Guest| guest.status == *status && !(*with_dietary_needs && guest.dietary.is_empty());
        let all: Vec<Guest> = self.guests.iter().filter(is_of_list).cloned().collect();
        let page = if (1..=all.len().div_ceil(*size)).contains(page) { *page } else { 1 };
        let guests = all.iter().skip((page - 1) * size).take(*size).cloned().collect();
        (guests, Some(Listed { page, total: all.len() }))
    }

    pub fn inbound(&mut self, from: Address, body: Body) -> Inbound {
        self.messages += 1;
        Inbound { key: format!("test:{}", self.messages), from, body, received_at: self.now, locale_hint: None }
    }

    /// Takes one message and keeps what it changes.
    pub fn take(&mut self, inbound: &Inbound) -> Step {
        let context = self.context(inbound);
        let step = step(&context, inbound, self.now);
        self.keep(&step);
        step
    }

    pub fn keep(&mut self, step: &Step) {
        for rests in &step.groups {
            let version = self.versions.entry(rests.key.clone()).or_default();
            assert_eq!(*version, rests.version, "a step rests on the versions it was given");
            *version += u64::from(rests.raise);
        }
        for after in &step.guests {
            let guest = self.guests.iter_mut().find(|guest| guest.id == after.id).unwrap();
            let raised = step.groups.iter().any(|rests| rests.raise && rests.key == guest.group_key());
            let answer = |guest: &Guest| (guest.status, guest.num_guests, guest.dietary.clone());
            assert!(raised || answer(guest) == answer(after), "an answer changed without raising its group's version");
            *guest = Guest { version: guest.version + 1, ..after.clone() };
        }
        if let Some(after) = &step.event {
            assert_eq!(after.version, self.events[&after.id].version, "a step rests on the version it was given");
            self.events.insert(after.id.clone(), Event { version: after.version + 1, ..after.clone() });
        }
        let asks = step.orders.iter().flat_map(|order| order.notice.asks());
        self.asked.extend(asks.map(|guest| (*guest, self.now)));
        let conversation = Conversation { version: step.conversation.version + 1, ..step.conversation.clone() };
        self.conversations.insert(conversation.address.clone(), conversation);
    }

    /// Convive begins: `remind Anna, Ben` or `invite Anna, Ben`.
    fn begin_to_talk(&mut self, chat: &mut String, address: &Address, said: &str) {
        let (what, names) = said.split_once(' ').unwrap();
        let about: Vec<GuestId> = names.split(", ").map(|name| self.guest(name).id).collect();
        let nobody = self.inbound(address.clone(), Body::Unreadable);
        let mut context = self.context(&nobody);
        for guest in &about {
            let key = self.guests.iter().find(|other| other.id == *guest).unwrap().group_key();
            if context.groups.iter().all(|group| group.key != key) {
                context.groups.push(self.group(&key));
            }
        }
        let opening = match what {
            "remind" => remind(&context, &about, self.now),
            _ => invite(&context, &about, self.now),
        };
        let Some(Opening { mut conversation, message, locale }) = opening else {
            return writeln!(chat, "    (nothing to say)").unwrap();
        };
        conversation.version += 1;
        self.conversations.insert(address.clone(), conversation);
        let step = Step { says: vec![message], locale, ..step(&context, &nobody, self.now) };
        self.write_replies(chat, address, &step);
        self.attempted.insert(address.clone(), self.now);
    }

    /// Plays a script: a line each, `who: text`, `who: [label of a button]`, `who@sms: text`, `+5m` moves the clock,
    /// `who: <sticker>` and the like for other kinds, `!who: remind Anna` for what Convive begins. Gives the chat.
    pub fn play(&mut self, script: &str) -> String {
        let mut chat = String::new();
        for line in script.lines().map(str::trim).filter(|line| !line.is_empty()) {
            if let Some(time) = line.strip_prefix('+') {
                let (number, unit) = time.split_at(time.len() - 1);
                let number = number.parse().unwrap();
                self.now += match unit {
                    "s" => TimeDelta::seconds(number),
                    "m" => TimeDelta::minutes(number),
                    "h" => TimeDelta::hours(number),
                    _ => TimeDelta::days(number),
                };
                writeln!(chat, "{line}").unwrap();
                continue;
            }
            let (who, said) = line.split_once(": ").unwrap();
            if let Some(who) = who.strip_prefix('!') {
                writeln!(chat, "{line}").unwrap();
                self.begin_to_talk(&mut chat, &address(who), said);
                continue;
            }
            let address = address(who);
            let body = self.body(&address, said);
            let inbound = self.inbound(address.clone(), body);
            let step = self.take(&inbound);
            writeln!(chat, "{line}").unwrap();
            self.write_replies(&mut chat, &address, &step);
            for decided in &step.notices {
                writeln!(chat, "    ({:?} -> {:?})", self.named(&decided.notice), self.named(&decided.audience))
                    .unwrap();
            }
            for order in &step.orders {
                writeln!(chat, "    ({} <- {:?})", order.address.id, self.named(&order.notice)).unwrap();
            }
            if !self.provider_is_slow {
                self.attempted.insert(address, self.now);
            }
        }
        chat
    }

    fn body(&self, address: &Address, said: &str) -> Body {
        match said {
            "<sticker>" => Body::Unreadable,
            "<edit>" => Body::Edited,
            "<group>" => Body::InGroupChat,
            "<block>" => Body::Blocked,
            "<unblock>" => Body::Unblocked,
            "<contact>" => Body::Contact { phone: "447700900123".to_owned(), own: true },
            "<other contact>" => Body::Contact { phone: "447700900124".to_owned(), own: false },
            _ if said.starts_with("/start") => Body::Start(said.trim_start_matches("/start").trim().to_owned()),
            _ if said.starts_with("[#") => Body::Choice(said[2..said.len() - 1].to_owned()),
            _ if said.starts_with('[') => {
                // `[~label]` is pressed where it was shown first, else where it was shown last.
                let label = said[1..said.len() - 1].trim_start_matches('~');
                let all = self.shown.get(address).into_iter().flatten().flat_map(|shown| &shown.choices);
                let mut fitting = all.filter(|(_, shown)| shown == label);
                let choice = if said.starts_with("[~") { fitting.next() } else { fitting.next_back() };
                Body::Choice(choice.unwrap_or_else(|| panic!("no button {said} was ever shown")).0.clone())
            }
            _ => Body::Text(said.replace("\\n", "\n")),
        }
    }

    fn write_replies(&mut self, chat: &mut String, address: &Address, step: &Step) {
        for shown in self.show_replies(address, step) {
            for line in show::plain(&shown.text).lines() {
                writeln!(chat, "    {line}").unwrap();
            }
            if address.style() == Style::Buttons && !shown.choices.is_empty() {
                let buttons: Vec<String> = shown.choices.iter().map(|(_, label)| format!("[{label}]")).collect();
                writeln!(chat, "    {}", buttons.join(" ")).unwrap();
            }
            if let Some(file) = &shown.attachment {
                writeln!(chat, "    <{}>", file.name).unwrap();
            }
        }
    }

    /// Puts the replies into words; the questions among them can be answered by their buttons from then on.
    pub fn show_replies(&mut self, address: &Address, step: &Step) -> Vec<Shown> {
        let mut all = Vec::new();
        for message in &step.says {
            let parts = show::show(message, wording::language(&step.locale), address.style());
            if message.question.is_some() {
                self.shown.entry(address.clone()).or_default().extend(parts.last().cloned());
            }
            all.extend(parts);
            let labels = message.question.iter().flat_map(|question| &question.choices).map(|choice| &choice.label);
            for say in message.says.iter().chain(labels) {
                let faults = wording::faults(say, wording::language(&step.locale), address.style());
                assert!(faults.is_empty(), "{faults:?}");
            }
        }
        all
    }

    /// What is open at an address, and what the answer being given says so far.
    pub fn described(&self, address: &Address) -> String {
        let dialogue = &self.conversations[address].dialogue;
        let ask = dialogue.open.as_ref().map_or("idle".to_owned(), |ask| format!("{:?}", self.named(ask)));
        let Some(draft) = &dialogue.draft else { return ask };
        let count = draft.count.map_or("-".to_owned(), |count| count.to_string());
        let members = draft.members.iter().map(|member| {
            let guest = self.guests.iter().find(|guest| guest.id == member.guest).unwrap();
            let plan = match member.plan {
                Plan::Undecided => "?".to_owned(),
                Plan::Decided { self_coming: true, companions: 0 } => "in".to_owned(),
                Plan::Decided { self_coming: true, companions } => format!("in +{companions}"),
                Plan::Decided { self_coming: false, companions: 0 } => "out".to_owned(),
                Plan::Decided { self_coming: false, companions } => format!("out +{companions}"),
                Plan::LeftOpen => "open".to_owned(),
                Plan::Untouched => "untouched".to_owned(),
            };
            format!("{} {plan}", guest.first_name)
        });
        format!("{count}: {}; {ask}", members.collect::<Vec<_>>().join(", "))
    }

    /// `Debug` with guests' names for ids.
    fn named(&self, value: &impl std::fmt::Debug) -> Verbatim {
        let mut text = format!("{value:?}");
        for guest in &self.guests {
            text = text.replace(&guest.id.to_string(), &guest.first_name);
        }
        Verbatim(text)
    }
}

struct Verbatim(String);

impl std::fmt::Debug for Verbatim {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// `anna` is a Telegram chat, `anna@sms` a phone.
pub fn address(who: &str) -> Address {
    match who.split_once('@') {
        Some((who, "sms")) => Address::sms("+447700900999", &format!("+4477009001{:02}", who.len())),
        _ => Address::telegram(7_100_000_000 + who.bytes().map(i64::from).sum::<i64>()),
    }
}

/// Two columns.
pub fn table(rows: impl IntoIterator<Item = (String, String)>) -> String {
    let rows: Vec<(String, String)> = rows.into_iter().collect();
    let width = rows.iter().map(|(left, _)| left.chars().count()).filter(|width| *width < 60).max().unwrap_or_default();
    rows.iter().fold(String::new(), |mut table, (left, right)| {
        writeln!(table, "{left}{} -> {right}", " ".repeat(width.saturating_sub(left.chars().count()))).unwrap();
        table
    })
}

/// What is said in a fresh world.
pub fn check(script: &str, expected: Expect) {
    expected.assert_eq(&World::new().play(script));
}

/// What is said after something else.
pub fn after(setup: &str, script: &str, expected: Expect) {
    expected.assert_eq(&World::after(setup).play(script));
}
