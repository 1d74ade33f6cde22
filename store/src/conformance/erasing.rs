//! Removing a person everywhere.

use domain::{
    activity::{Activity, AnswerFacts, Happening},
    address::{Address, Channel},
    conversation::{Ask, Conversation, Draft, DraftMember, Plan},
    model::{AnsweredBy, Guest, GuestId, Status},
    notice::Notice,
};

use super::builders::*;
use crate::{Commit, Content, EntryStatus, NewEntry, Page, Store};

fn family() -> Vec<Guest> {
    vec![member(1, "Anna", "holloway"), member(2, "Ben", "holloway"), guest(3, "Maria", "Santos")]
}

async fn erase(store: &dyn Store, number: u8) {
    assert!(store.erase(guest_id(number), at(1000)).await.unwrap());
}

pub async fn an_unknown_guest_is_not_erased(store: &dyn Store) {
    invite(store, family()).await;
    assert!(!store.erase(guest_id(9), at(0)).await.unwrap());
    erase(store, 1).await;
    assert!(!store.erase(guest_id(1), at(0)).await.unwrap());
}

fn says(id: &str, to: &Address, version: u64, text: &str) -> NewEntry {
    NewEntry { content: Content::Reply { version, place: 0, text: words(text) }, ..reply(id, to, version) }
}

fn about(id: &str, to: &Address, notice: Notice) -> NewEntry {
    let mut entry = super::builders::notice(id, to, at(0));
    if let Content::Initiated(initiated) = &mut entry.content {
        initiated.notice = notice;
    }
    entry
}

pub async fn an_erased_guest_is_nowhere(store: &dyn Store) {
    invite(store, family()).await;
    let text = phone("+447700900123");
    let conversations = vec![conversation(&text, &[1]), conversation(&chat(2), &[2]), conversation(&chat(3), &[3])];
    remember(store, conversations).await;
    let outbox = vec![
        says("to her", &text, 1, "Hello"),
        says("waits for her", &text, 2, "Hello again"),
        says("calls her by name", &chat(2), 1, "For <b>Anna</b>: no nuts. Is that right?"),
        says("to her family", &chat(2), 2, "Hello Ben"),
        says("names her in full", &chat(3), 1, "anna holloway left a message"),
        says("another Anna", &chat(3), 2, "Anna from the office"),
    ];
    queue(store, 0, outbox).await;
    let told = Notice::AnsweredFor { guests: vec![guest_id(2)], by: guest_id(1) };
    queue(store, 0, vec![about("by her", &chat(2), told)]).await;
    claim(store, 0).await;
    settle(store, "to her", 1, sent()).await;
    let key = family()[0].group_key();
    let before = store.groups(std::slice::from_ref(&key)).await.unwrap().remove(0).version;

    erase(store, 1).await;
    assert_eq!(store.guest(guest_id(1)).await.unwrap(), None);
    assert_eq!(store.guest_by_code(&typed("Code-1")).await.unwrap(), None);
    assert_eq!(store.links(&[guest_id(1)]).await.unwrap(), []);
    assert_eq!(store.conversation(&text).await.unwrap(), None, "it served only her");
    assert_eq!(store.entries_to(&text).await.unwrap(), []);
    let group = store.groups(&[key]).await.unwrap().remove(0);
    assert_eq!((group.version, group.members.len()), (before + 1, 1));
    let mut left = Vec::new();
    for status in EntryStatus::ALL {
        let listed = store.entries(status, Page { after: None, limit: 100 }).await.unwrap();
        left.extend(listed.into_iter().map(|entry| entry.id));
    }
    left.sort();
    assert_eq!(left, ["another Anna", "to her family"]);
    assert_eq!(claim_ids(store, 500).await, ["another Anna", "to her family"], "what waits behind goes on");
}

fn answered(about: u8, by: u8, dietary: &str) -> Activity {
    let facts = |dietary: &str| AnswerFacts {
        status: Status::Coming,
        num_guests: 1,
        self_coming: true,
        companions_coming: 0,
        extra_guests: 0,
        dietary: dietary.to_owned(),
    };
    activity(Some(about), Some(by), 5, Happening::Answered { before: facts(""), after: facts(dietary) })
}

pub async fn erasing_keeps_what_others_said(store: &dyn Store) {
    invite(store, family()).await;
    let message = |by, text: &str| activity(Some(by), Some(by), 5, Happening::LeftMessage { text: text.to_owned() });
    let entries = vec![
        answered(1, 1, "vegan"),
        answered(1, 2, "vegan"),
        answered(2, 1, "none"),
        answered(2, 2, "like Anna’s; Annabel may have cake"),
        message(3, "May I sit next to Anna Holloway? Anna is my friend."),
        answered(3, 3, "no fish"),
    ];
    done(store, Commit { at: at(5), activity: entries, ..Commit::default() }).await;
    erase(store, 1).await;
    assert_eq!(
        store.activity(&EVENT.into(), at(0)).await.unwrap(),
        [
            answered(2, 2, "like …’s; Annabel may have cake"),
            message(3, "May I sit next to …? Anna is my friend."),
            answered(3, 3, "no fish"),
        ]
    );
}

pub async fn erasing_ends_what_was_being_said_about_the_person(store: &dyn Store) {
    invite(store, family()).await;
    let about_her = |mut conversation: Conversation| {
        conversation.dialogue.asked = 4;
        conversation.dialogue.open = Some(Ask::Dietary { guest: guest_id(1) });
        conversation
    };
    let unrelated = asked(conversation(&chat(3), &[3]), 2);
    let shared = asked(conversation(&chat(1), &[1, 3]), 1);
    remember(store, vec![about_her(conversation(&chat(2), &[2])), unrelated.clone(), shared]).await;
    erase(store, 1).await;
    let begun_anew = load(store, &chat(2)).await.conversation;
    assert_eq!((begun_anew.dialogue.asked, begun_anew.dialogue.open, begun_anew.version), (4, None, 2));
    assert_eq!(load(store, &chat(3)).await.conversation, Conversation { version: 1, ..unrelated });
    let shared = load(store, &chat(1)).await.conversation;
    assert_eq!((shared.logins, shared.active, shared.version), (vec![guest_id(3)], Some(guest_id(3)), 2));
}

pub async fn erasing_begins_an_open_answer_anew(store: &dyn Store) {
    invite(store, family()).await;
    let member = |number, dietary: Option<&str>| DraftMember {
        guest: guest_id(number),
        expected: 1,
        plan: Plan::Decided { self_coming: true, companions: 0 },
        dietary: dietary.map(str::to_owned),
        noted: None,
    };
    let draft = Draft {
        guest: guest_id(2),
        group: family()[1].group_key(),
        group_version: 1,
        members: vec![member(1, Some("vegan")), member(2, Some("as Anna"))],
        scope: None,
        count: Some(2),
        some: false,
        allocated: true,
        extras_confirmed: false,
        changes_confirmed: false,
        dietary_only: false,
        named: Vec::new(),
    };
    let mut answering = asked(conversation(&chat(2), &[2]), 4);
    answering.dialogue.open = Some(Ask::ReadBack);
    answering.dialogue.draft = Some(draft.clone());
    remember(store, vec![answering]).await;
    erase(store, 1).await;
    let after = load(store, &chat(2)).await.conversation.dialogue;
    assert_eq!((after.asked, after.open), (4, Some(Ask::HowMany)));
    assert_eq!(after.draft, Some(Draft { members: Vec::new(), ..draft }));
}

pub async fn erasing_takes_the_name_out_of_other_records(store: &dyn Store) {
    let [anna, ben, maria] = family().try_into().unwrap();
    let ben = Guest {
        dietary: "Anna: vegan, Ben: none".to_owned(),
        answered_by: Some(AnsweredBy { guest_id: GuestId(anna.id.0), channel: Channel::Telegram }),
        ..ben
    };
    let maria = Guest { notes: Some("friend of ANNA HOLLOWAY, not of Anna Smith".to_owned()), ..maria };
    invite(store, vec![anna, ben.clone(), maria.clone()]).await;
    erase(store, 1).await;
    let stored = async |number| store.guest(guest_id(number)).await.unwrap().unwrap();
    let expected = Guest { dietary: "…: vegan, Ben: none".to_owned(), answered_by: None, version: 2, ..ben };
    assert_eq!(stored(2).await, expected);
    let expected = Guest { notes: Some("friend of …, not of Anna Smith".to_owned()), version: 2, ..maria };
    assert_eq!(stored(3).await, expected);
}
