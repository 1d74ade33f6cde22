//! Small people, parties and messages to try a store with.

use chrono::{DateTime, TimeDelta, Utc};
use domain::{
    activity::{Activity, Actor, Happening},
    address::{Address, Channel},
    code,
    conversation::{Ask, Conversation},
    model::{Event, EventId, Group, GroupId, Guest, GuestId},
    notice::Notice,
};

use crate::{
    Claim, Claimed, Commit, Committed, Content, Entry, EntryStatus, EventChange, GroupRests, GuestChange, Initiated,
    LoadRequest, Loaded, NewEntry, Outcome, Rendered, RenderedChoice, Settlement, Store, TypedCode,
};

pub(super) const EVENT: &str = "harbour-supper";
/// The courier of these tests.
pub(super) const COURIER: &str = "courier-1";
/// How long its leases last.
pub(super) const LEASE_SECONDS: i64 = 30;

/// Seconds after noon of a day in 2100: servers delete by their own clock what is old enough.
pub(super) fn at(seconds: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(4_102_488_000, 0).unwrap() + TimeDelta::seconds(seconds)
}

pub(super) fn event(id: &str) -> Event {
    Event {
        id: EventId::from(id),
        name: "Harbour Supper".to_owned(),
        starts_at: at(1_000_000),
        ends_at: None,
        time_zone: chrono_tz::Europe::London,
        rsvp_deadline: Some(at(500_000)),
        capacity: None,
        seats_taken: None,
        admission: domain::model::Admission::Invitation,
        place: Some("The old boat house".to_owned()),
        address: None,
        dress_code: None,
        schedule: None,
        host_contact: Some("Rosa, +44 7700 900001".to_owned()),
        default_locale: "en".to_owned(),
        phone_region: Some("GB".to_owned()),
        reminders: domain::model::ReminderSettings::default(),
        digest: domain::model::DigestSettings::default(),
        cancelled_at: None,
        version: 0,
    }
}

pub(super) fn guest_id(number: u8) -> GuestId {
    GuestId::new(at(0), [number; 8])
}

/// A guest of the supper, code `Code-<number>`, made in the order of the numbers.
pub(super) fn guest(number: u8, first: &str, last: &str) -> Guest {
    let mut guest = Guest::new(
        guest_id(number),
        EventId::from(EVENT),
        last.to_owned(),
        format!("Code-{number}"),
        at(i64::from(number)),
    );
    guest.first_name = first.to_owned();
    guest
}

pub(super) fn member(number: u8, first: &str, group: &str) -> Guest {
    Guest { group_id: Some(GroupId::from(group)), ..guest(number, first, "Holloway") }
}

pub(super) fn typed(exact: &str) -> TypedCode {
    TypedCode { exact: exact.to_owned(), key: code::key(exact) }
}

pub(super) fn chat(number: i64) -> Address {
    Address::telegram(number)
}

pub(super) fn phone(theirs: &str) -> Address {
    Address::sms("+447700900999", theirs)
}

/// A conversation of these guests, the last of them active.
pub(super) fn conversation(address: &Address, logins: &[u8]) -> Conversation {
    let logins: Vec<GuestId> = logins.iter().map(|number| guest_id(*number)).collect();
    Conversation { active: logins.last().copied(), logins, ..Conversation::new(address.clone()) }
}

/// The same with a question of this number open.
pub(super) fn asked(mut conversation: Conversation, number: u64) -> Conversation {
    conversation.dialogue.asked = number;
    conversation.dialogue.open = Some(Ask::HowMany);
    conversation
}

pub(super) fn words(text: &str) -> Rendered {
    Rendered {
        text: text.to_owned(),
        choices: vec![RenderedChoice { id: "1:all".to_owned(), label: "All of us".to_owned() }],
        attachment: None,
        segments: 1,
    }
}

/// A statement in answer to somebody, first of its commit.
pub(super) fn reply(id: &str, to: &Address, version: u64) -> NewEntry {
    NewEntry {
        id: id.to_owned(),
        address: to.clone(),
        content: Content::Reply { version, place: 0, text: words(id) },
        question: None,
        only_asks: false,
    }
}

/// A reply that only asks.
pub(super) fn question(id: &str, to: &Address, version: u64, number: u64) -> NewEntry {
    NewEntry { question: Some(number), only_asks: true, ..reply(id, to, version) }
}

/// That somebody answered for guest 1.
pub(super) fn notice(id: &str, to: &Address, decided_at: DateTime<Utc>) -> NewEntry {
    let initiated = Initiated {
        event: EventId::from(EVENT),
        notice: Notice::AnsweredFor { guests: vec![guest_id(1)], by: guest_id(2) },
        obeys_mute: true,
        hours: None,
        not_after: Some(at(900_000)),
        decided_at,
    };
    NewEntry {
        id: id.to_owned(),
        address: to.clone(),
        content: Content::Initiated(initiated),
        question: None,
        only_asks: false,
    }
}

pub(super) fn activity(about: Option<u8>, by: Option<u8>, seconds: i64, what: Happening) -> Activity {
    Activity {
        event_id: EventId::from(EVENT),
        guest_id: about.map(guest_id),
        at: at(seconds),
        by: Actor { guest_id: by.map(guest_id), channel: Channel::Telegram, as_host: false },
        what,
    }
}

/// A group as a decision that changes it rests on it.
pub(super) fn rests(group: &Group) -> GroupRests {
    GroupRests { key: group.key.clone(), version: group.version, raise: true }
}

pub(super) async fn commit(store: &dyn Store, commit: Commit) -> Committed {
    store.commit(commit).await.unwrap()
}

pub(super) async fn done(store: &dyn Store, decision: Commit) {
    assert_eq!(commit(store, decision).await, Committed::Done);
}

/// The supper and these guests.
pub(super) async fn invite(store: &dyn Store, guests: Vec<Guest>) {
    let event = Some(EventChange::Insert(event(EVENT)));
    let guests = guests.into_iter().map(GuestChange::Insert).collect();
    done(store, Commit { at: at(0), event, guests, ..Commit::default() }).await;
}

pub(super) async fn remember(store: &dyn Store, conversations: Vec<Conversation>) {
    done(store, Commit { at: at(0), conversations, ..Commit::default() }).await;
}

/// Decides on messages without anything else.
pub(super) async fn queue(store: &dyn Store, seconds: i64, outbox: Vec<NewEntry>) {
    done(store, Commit { at: at(seconds), outbox, ..Commit::default() }).await;
}

pub(super) async fn load(store: &dyn Store, address: &Address) -> Loaded {
    let request = LoadRequest { address: address.clone(), codes: Vec::new(), failures_since: at(0) };
    store.load(&request).await.unwrap()
}

pub(super) fn claim_of(seconds: i64) -> Claim {
    Claim {
        now: at(seconds),
        by: COURIER.to_owned(),
        lease_until: at(seconds + LEASE_SECONDS),
        channels: vec![Channel::Telegram, Channel::Sms],
        replies: 10,
        initiated: 10,
    }
}

/// What the courier gets at this time.
pub(super) async fn claim(store: &dyn Store, seconds: i64) -> Vec<Claimed> {
    store.claim(claim_of(seconds)).await.unwrap()
}

/// The same, ids only, in no order.
pub(super) async fn claim_ids(store: &dyn Store, seconds: i64) -> Vec<String> {
    ids(claim(store, seconds).await)
}

pub(super) fn ids(claimed: Vec<Claimed>) -> Vec<String> {
    let mut ids: Vec<String> = claimed.into_iter().map(|claimed| claimed.id).collect();
    ids.sort();
    ids
}

pub(super) fn settlement(id: &str, seconds: i64, outcome: Outcome) -> Settlement {
    Settlement { id: id.to_owned(), by: COURIER.to_owned(), at: at(seconds), outcome }
}

pub(super) async fn settle(store: &dyn Store, id: &str, seconds: i64, outcome: Outcome) {
    store.settle(vec![settlement(id, seconds, outcome)]).await.unwrap();
}

pub(super) fn sent() -> Outcome {
    Outcome::Sent { provider_id: None }
}

pub(super) fn retry(seconds: i64) -> Outcome {
    Outcome::Retry { at: at(seconds), reason: "connection refused".to_owned(), hold: false }
}

/// A 429.
pub(super) fn too_many(seconds: i64) -> Outcome {
    Outcome::Retry { at: at(seconds), reason: "too many requests".to_owned(), hold: true }
}

pub(super) fn in_doubt(seconds: i64) -> Outcome {
    Outcome::InDoubt { at: at(seconds), reason: "timeout".to_owned() }
}

pub(super) fn postponed(seconds: i64) -> Outcome {
    Outcome::Postponed { until: at(seconds) }
}

/// The one entry with this id to that address.
pub(super) async fn entry(store: &dyn Store, to: &Address, id: &str) -> Entry {
    store.entries_to(to).await.unwrap().into_iter().find(|entry| entry.id == id).unwrap()
}

pub(super) async fn status(store: &dyn Store, to: &Address, id: &str) -> EntryStatus {
    entry(store, to, id).await.status
}
