//! Decisions are written together or not at all, and only if what they rest on still holds.

use domain::{
    activity::Happening,
    conversation::Conversation,
    model::{GroupId, GroupKey, Guest, Status},
};

use super::builders::*;
use crate::{
    Access, Commit, Committed, EntryStatus, EventChange, GroupRests, GuestChange, LoadRequest, NewEntry, Progress,
    Store,
};

pub async fn a_commit_is_written_whole(store: &dyn Store) {
    invite(store, vec![member(1, "Anna", "holloway"), member(2, "Ben", "holloway")]).await;
    remember(store, vec![conversation(&chat(1), &[1])]).await;
    let loaded = load(store, &chat(1)).await;
    let group = loaded.group.unwrap();
    let answered = Guest { status: Status::Coming, num_guests: 1, self_coming: true, ..group.members[0].clone() };
    let moved = domain::model::Event { place: Some("The pier".to_owned()), ..event_of(store).await };
    let decision = Commit {
        at: at(5),
        key: Some("telegram:1".to_owned()),
        once: vec!["anna/reminded".to_owned()],
        progress: vec![Progress { job: "digest".to_owned(), from: None, to: at(4) }],
        conversations: vec![asked(loaded.conversation, 1)],
        groups: vec![rests(&group)],
        guests: vec![GuestChange::Update(answered.clone())],
        event: Some(EventChange::Update(moved)),
        activity: vec![activity(Some(1), Some(1), 5, Happening::LoggedIn)],
        outbox: vec![question("saved", &chat(1), 2, 1)],
        login_failed: true,
    };
    done(store, decision).await;

    let codes = vec![typed("none")];
    let after = store.load(&LoadRequest { address: chat(1), codes, failures_since: at(5) }).await.unwrap();
    let after_group = after.group.unwrap();
    assert_eq!(after.conversation.version, 2);
    assert_eq!(after.conversation.dialogue.asked, 1);
    assert_eq!(after_group.version, group.version + 1);
    assert_eq!(after_group.members[0], Guest { version: 2, ..answered });
    assert_eq!(after_group.members[1], group.members[1]);
    assert_eq!(after.recent_failures, 1);
    let event = event_of(store).await;
    assert_eq!((event.version, event.place.as_deref()), (2, Some("The pier")));
    assert_eq!(store.activity(&event.id, at(0)).await.unwrap().len(), 1);
    assert_eq!(status(store, &chat(1), "saved").await, EntryStatus::Pending);
    assert_eq!(store.progress("digest").await.unwrap(), Some(at(4)));
    let key = ["anna/reminded".to_owned()];
    assert_eq!(store.known_keys(&key).await.unwrap(), key);
}

async fn event_of(store: &dyn Store) -> domain::model::Event {
    store.event(&EVENT.into()).await.unwrap().unwrap()
}

fn keyed(key: &str, id: &str) -> Commit {
    Commit { at: at(0), key: Some(key.to_owned()), outbox: vec![reply(id, &chat(1), 1)], ..Commit::default() }
}

pub async fn a_key_commits_once(store: &dyn Store) {
    done(store, keyed("sms:SM1", "first")).await;
    assert_eq!(commit(store, keyed("sms:SM1", "second")).await, Committed::Duplicate);
    // The repeat is recognised even where it would be refused for another reason.
    let stale = Commit { conversations: vec![stale_conversation()], ..keyed("sms:SM1", "first") };
    assert_eq!(commit(store, stale).await, Committed::Duplicate);
    assert_eq!(store.entries_to(&chat(1)).await.unwrap().len(), 1);
}

pub async fn what_happens_once_is_committed_once(store: &dyn Store) {
    let once = |keys: &[&str], id: &str| Commit {
        at: at(1),
        once: keys.iter().map(|key| (*key).to_owned()).collect(),
        outbox: vec![reply(id, &chat(1), 1)],
        ..Commit::default()
    };
    done(store, once(&["anna", "ben"], "first")).await;
    assert_eq!(commit(store, once(&["cleo", "ben"], "second")).await, Committed::Duplicate);
    done(store, once(&["cleo"], "third")).await;
    assert_eq!(commit(store, keyed("anna", "fourth")).await, Committed::Duplicate, "keys are keys");
    let keys = ["dora", "cleo", "anna"].map(str::to_owned);
    let mut known = store.known_keys(&keys).await.unwrap();
    known.sort();
    assert_eq!(known, ["anna", "cleo"]);
    let (one, other) = tokio::join!(commit(store, once(&["x", "y"], "one")), commit(store, once(&["y", "x"], "other")));
    assert!(matches!((one, other), (Committed::Done, Committed::Duplicate) | (Committed::Duplicate, Committed::Done)));
    assert_eq!(store.entries_to(&chat(1)).await.unwrap().len(), 3);
}

pub async fn a_job_gets_on_from_where_it_was(store: &dyn Store) {
    let gets_on = |job: &str, from: Option<i64>, to: i64| Commit {
        at: at(1),
        progress: vec![Progress { job: job.to_owned(), from: from.map(at), to: at(to) }],
        outbox: vec![reply(&format!("{job}/{to}"), &chat(1), 1)],
        ..Commit::default()
    };
    assert_eq!(store.progress("digest").await.unwrap(), None);
    assert_eq!(commit(store, gets_on("digest", Some(0), 10)).await, Committed::Stale);
    done(store, gets_on("digest", None, 10)).await;
    assert_eq!(store.progress("digest").await.unwrap(), Some(at(10)));
    assert_eq!(commit(store, gets_on("digest", None, 20)).await, Committed::Stale);
    assert_eq!(store.progress("reminders").await.unwrap(), None, "jobs are apart");
    let twenty = || commit(store, gets_on("digest", Some(10), 20));
    let (one, other) = tokio::join!(twenty(), twenty());
    assert!(matches!((one, other), (Committed::Done, Committed::Stale) | (Committed::Stale, Committed::Done)));
    assert_eq!(store.progress("digest").await.unwrap(), Some(at(20)));
    assert_eq!(store.entries_to(&chat(1)).await.unwrap().len(), 2);
}

pub async fn a_key_commits_once_at_the_same_time(store: &dyn Store) {
    let (one, other) = tokio::join!(commit(store, keyed("sms:SM1", "one")), commit(store, keyed("sms:SM1", "other")));
    assert!(matches!((one, other), (Committed::Done, Committed::Duplicate) | (Committed::Duplicate, Committed::Done)));
    assert_eq!(store.entries_to(&chat(1)).await.unwrap().len(), 1);
}

fn stale_conversation() -> Conversation {
    Conversation { version: 99, ..conversation(&chat(1), &[]) }
}

fn talk(version: u64) -> Commit {
    let conversations = vec![Conversation { version, ..conversation(&chat(1), &[]) }];
    Commit { at: at(0), conversations, ..Commit::default() }
}

pub async fn a_new_conversation_rests_on_version_zero(store: &dyn Store) {
    assert_eq!(commit(store, talk(1)).await, Committed::Stale);
    done(store, talk(0)).await;
    assert_eq!(commit(store, talk(0)).await, Committed::Stale);
    assert_eq!(load(store, &chat(1)).await.conversation.version, 1);
}

pub async fn a_changed_conversation_makes_a_commit_stale(store: &dyn Store) {
    done(store, talk(0)).await;
    done(store, talk(1)).await;
    assert_eq!(commit(store, talk(1)).await, Committed::Stale);
    done(store, talk(2)).await;
}

pub async fn of_two_commits_at_once_one_is_stale(store: &dyn Store) {
    let (one, other) = tokio::join!(commit(store, talk(0)), commit(store, talk(0)));
    assert!(matches!((one, other), (Committed::Done, Committed::Stale) | (Committed::Stale, Committed::Done)));
}

fn about(key: &GroupKey, version: u64, raise: bool) -> Commit {
    let groups = vec![GroupRests { key: key.clone(), version, raise }];
    Commit { at: at(0), groups, ..Commit::default() }
}

pub async fn a_changed_group_makes_a_commit_stale(store: &dyn Store) {
    let anna = member(1, "Anna", "holloway");
    let key = anna.group_key();
    invite(store, vec![anna]).await;
    assert_eq!(commit(store, about(&key, 1, true)).await, Committed::Stale);
    done(store, about(&key, 0, true)).await;
    assert_eq!(commit(store, about(&key, 0, true)).await, Committed::Stale);
    assert_eq!(commit(store, about(&key, 0, false)).await, Committed::Stale);
    done(store, about(&key, 1, true)).await;
}

pub async fn a_group_is_raised_only_where_asked(store: &dyn Store) {
    let anna = member(1, "Anna", "holloway");
    let key = anna.group_key();
    invite(store, vec![anna]).await;
    done(store, about(&key, 0, false)).await;
    done(store, about(&key, 0, true)).await;
    done(store, about(&key, 1, false)).await;
    assert_eq!(store.groups(&[key]).await.unwrap()[0].version, 1);
}

pub async fn a_group_keeps_its_version_without_members(store: &dyn Store) {
    let anna = member(1, "Anna", "holloway");
    let key = anna.group_key();
    invite(store, vec![anna.clone()]).await;
    let delete = GuestChange::Delete { id: anna.id, version: 1 };
    done(store, Commit { guests: vec![delete], ..about(&key, 0, true) }).await;
    done(store, Commit { at: at(1), guests: vec![GuestChange::Insert(anna)], ..Commit::default() }).await;
    assert_eq!(store.groups(&[key]).await.unwrap()[0].version, 1);
}

fn change(guest: GuestChange) -> Commit {
    Commit { at: at(0), guests: vec![guest], ..Commit::default() }
}

pub async fn a_changed_guest_makes_a_commit_stale(store: &dyn Store) {
    let anna = guest(1, "Anna", "Holloway");
    let with_phone = |version| Guest { version, phone: Some("+447700900123".to_owned()), ..anna.clone() };
    assert_eq!(commit(store, change(GuestChange::Update(with_phone(0)))).await, Committed::Stale, "not there yet");
    invite(store, vec![anna.clone()]).await;
    done(store, change(GuestChange::Update(with_phone(1)))).await;
    assert_eq!(commit(store, change(GuestChange::Update(with_phone(1)))).await, Committed::Stale);
    assert_eq!(commit(store, change(GuestChange::Delete { id: anna.id, version: 1 })).await, Committed::Stale);
    assert_eq!(store.guest(anna.id).await.unwrap(), Some(with_phone(2)));
    done(store, change(GuestChange::Delete { id: anna.id, version: 2 })).await;
    assert_eq!(commit(store, change(GuestChange::Update(with_phone(2)))).await, Committed::Stale);
    assert_eq!(store.guest(anna.id).await.unwrap(), None);
}

pub async fn a_changed_event_makes_a_commit_stale(store: &dyn Store) {
    let renamed = |version| {
        let event = domain::model::Event { version, name: "Quay Supper".to_owned(), ..event(EVENT) };
        Commit { at: at(0), event: Some(EventChange::Update(event)), ..Commit::default() }
    };
    assert_eq!(commit(store, renamed(0)).await, Committed::Stale, "not there yet");
    invite(store, vec![]).await;
    done(store, renamed(1)).await;
    assert_eq!(commit(store, renamed(1)).await, Committed::Stale);
    assert_eq!(event_of(store).await.version, 2);
}

pub async fn codes_are_unique(store: &dyn Store) {
    let (anna, ben) = (guest(1, "Anna", "Holloway"), guest(2, "Ben", "Holloway"));
    let impostor = Guest { token: anna.token.clone(), ..guest(3, "Max", "Mallory") };
    invite(store, vec![anna.clone(), ben.clone()]).await;
    assert_eq!(commit(store, change(GuestChange::Insert(impostor.clone()))).await, Committed::Taken);
    let renamed = Guest { token: anna.token.clone(), version: 1, ..ben };
    assert_eq!(commit(store, change(GuestChange::Update(renamed))).await, Committed::Taken);
    let twins = [4, 5].map(|number| Guest { token: "Twin".to_owned(), ..guest(number, "Tam", "Twin") });
    let both = Commit { at: at(0), guests: twins.map(GuestChange::Insert).into(), ..Commit::default() };
    assert_eq!(commit(store, both).await, Committed::Taken);
    // In another case it is another code.
    done(store, change(GuestChange::Insert(Guest { token: anna.token.to_uppercase(), ..impostor }))).await;
}

pub async fn a_deleted_guest_gives_the_code_back(store: &dyn Store) {
    let anna = guest(1, "Anna", "Holloway");
    invite(store, vec![anna.clone()]).await;
    let heir = Guest { token: anna.token.clone(), ..guest(2, "Ben", "Holloway") };
    let guests = vec![GuestChange::Insert(heir.clone()), GuestChange::Delete { id: anna.id, version: 1 }];
    done(store, Commit { at: at(1), guests, ..Commit::default() }).await;
    assert_eq!(store.guest_by_code(&typed(&anna.token)).await.unwrap().map(|guest| guest.id), Some(heir.id));
}

pub async fn ids_of_guests_events_and_entries_are_unique(store: &dyn Store) {
    let anna = guest(1, "Anna", "Holloway");
    invite(store, vec![anna.clone()]).await;
    queue(store, 0, vec![reply("hello", &chat(1), 1)]).await;
    let again = Commit { event: Some(EventChange::Insert(event(EVENT))), ..Commit::default() };
    assert_eq!(commit(store, again).await, Committed::Taken);
    let double = Guest { token: "Other".to_owned(), ..anna };
    assert_eq!(commit(store, change(GuestChange::Insert(double))).await, Committed::Taken);
    let elsewhere = |entries: &[&str]| Commit {
        outbox: entries.iter().map(|id| reply(id, &chat(2), 1)).collect(),
        ..Commit::default()
    };
    assert_eq!(commit(store, elsewhere(&["hello"])).await, Committed::Taken);
    assert_eq!(commit(store, elsewhere(&["same", "same"])).await, Committed::Taken);
    assert_eq!(store.entries_to(&chat(2)).await.unwrap(), []);
}

pub async fn a_refused_commit_writes_nothing(store: &dyn Store) {
    invite(store, vec![member(1, "Anna", "holloway")]).await;
    let group = store.groups(&[member(1, "Anna", "holloway").group_key()]).await.unwrap().remove(0);
    let decision = |key: &str| Commit {
        at: at(1),
        key: Some(key.to_owned()),
        once: vec!["once".to_owned()],
        progress: vec![Progress { job: "digest".to_owned(), from: None, to: at(1) }],
        conversations: vec![conversation(&chat(1), &[1])],
        groups: vec![rests(&group)],
        guests: vec![GuestChange::Insert(guest(7, "Gus", "New"))],
        activity: vec![activity(Some(7), None, 1, Happening::Created)],
        outbox: vec![reply("welcome", &chat(1), 1)],
        login_failed: true,
        event: None,
    };
    let mut stale = decision("k");
    stale.groups[0].version = 9;
    let mut taken = decision("k");
    taken.outbox.push(reply("welcome", &chat(1), 1));
    assert_eq!(commit(store, stale).await, Committed::Stale);
    assert_eq!(commit(store, taken).await, Committed::Taken);
    assert_eq!(store.conversation(&chat(1)).await.unwrap(), None);
    assert_eq!(store.guest(guest_id(7)).await.unwrap(), None);
    assert_eq!(store.activity(&EVENT.into(), at(0)).await.unwrap(), []);
    assert_eq!(store.progress("digest").await.unwrap(), None);
    assert_eq!(store.known_keys(&["once".to_owned()]).await.unwrap(), Vec::<String>::new());
    // Not even the key: the same message is decided again.
    done(store, decision("k")).await;
}

pub async fn an_update_leaves_logins_and_accesses_alone(store: &dyn Store) {
    let anna = guest(1, "Anna", "Holloway");
    invite(store, vec![anna.clone()]).await;
    store.record_accesses(&[Access { guest: anna.id, at: at(3), login: true }]).await.unwrap();
    done(store, change(GuestChange::Update(Guest { version: 1, notes: Some("vegan".to_owned()), ..anna }))).await;
    let stored = store.guest(guest_id(1)).await.unwrap().unwrap();
    assert_eq!((stored.last_login, stored.last_access), (Some(at(3)), Some(at(3))));
    assert_eq!((stored.version, stored.notes.as_deref()), (2, Some("vegan")));
}

pub async fn an_update_moves_a_guest_between_groups(store: &dyn Store) {
    let (anna, cleo) = (member(1, "Anna", "holloway"), guest(2, "Cleo", "Holloway"));
    invite(store, vec![anna.clone(), cleo.clone()]).await;
    let joined = Guest { group_id: Some(GroupId::from("holloway")), is_admin: true, version: 1, ..cleo.clone() };
    let joined = Guest { token: "New-code".to_owned(), ..joined };
    done(store, change(GuestChange::Update(joined.clone()))).await;
    let groups = store.groups(&[anna.group_key(), cleo.group_key()]).await.unwrap();
    assert_eq!(groups[0].members, [Guest { version: 1, ..anna }, Guest { version: 2, ..joined.clone() }]);
    assert_eq!(groups[1].members, []);
    assert_eq!(store.hosts(&EVENT.into()).await.unwrap().len(), 1);
    assert_eq!(store.guest_by_code(&typed("new code")).await.unwrap().map(|guest| guest.id), Some(cleo.id));
    assert_eq!(store.guest_by_code(&typed(&cleo.token)).await.unwrap(), None);
}

pub async fn a_newer_question_replaces_one_that_only_asks(store: &dyn Store) {
    queue(store, 0, vec![question("q1", &chat(1), 1, 1), question("elsewhere", &chat(2), 1, 1)]).await;
    queue(store, 1, vec![reply("statement", &chat(1), 2)]).await;
    assert_eq!(status(store, &chat(1), "q1").await, EntryStatus::Pending, "a statement replaces nothing");
    queue(store, 2, vec![question("q1 again", &chat(1), 3, 1)]).await;
    assert_eq!(status(store, &chat(1), "q1").await, EntryStatus::Pending, "the same question asked again is not newer");
    queue(store, 3, vec![question("q2", &chat(1), 4, 2)]).await;
    for (id, expected) in [
        ("q1", EntryStatus::Dropped),
        ("q1 again", EntryStatus::Dropped),
        ("statement", EntryStatus::Pending),
        ("q2", EntryStatus::Pending),
    ] {
        assert_eq!(status(store, &chat(1), id).await, expected, "{id}");
    }
    assert_eq!(entry(store, &chat(1), "q1").await.reason.as_deref(), Some("replaced by a newer question"));
    assert_eq!(status(store, &chat(2), "elsewhere").await, EntryStatus::Pending);
    assert_eq!(claim_ids(store, 4).await, ["elsewhere", "statement"]);
}

pub async fn a_question_that_tells_something_is_not_replaced(store: &dyn Store) {
    let tells = NewEntry { only_asks: false, ..question("saved, and", &chat(1), 1, 1) };
    queue(store, 0, vec![tells]).await;
    queue(store, 1, vec![question("next", &chat(1), 2, 2)]).await;
    assert_eq!(status(store, &chat(1), "saved, and").await, EntryStatus::Pending);
}

pub async fn a_question_that_may_have_arrived_is_not_replaced(store: &dyn Store) {
    let first = |address| vec![question(&format!("q1 to {address}"), &chat(address), 1, 1)];
    for address in [1, 2, 3] {
        queue(store, 0, first(address)).await;
    }
    claim(store, 1).await;
    settle(store, "q1 to 2", 2, in_doubt(20)).await;
    settle(store, "q1 to 3", 2, retry(20)).await;
    for address in [1, 2, 3] {
        queue(store, 3, vec![question(&format!("q2 to {address}"), &chat(address), 2, 2)]).await;
    }
    assert_eq!(status(store, &chat(1), "q1 to 1").await, EntryStatus::Leased, "on its way");
    assert_eq!(status(store, &chat(2), "q1 to 2").await, EntryStatus::Pending, "may have arrived");
    assert_eq!(status(store, &chat(3), "q1 to 3").await, EntryStatus::Dropped, "certainly not delivered");
}

pub async fn opting_out_drops_what_waits(store: &dyn Store) {
    queue(store, 0, vec![reply("on its way", &chat(1), 1)]).await;
    claim(store, 0).await;
    queue(store, 0, vec![reply("waits", &chat(1), 2), notice("notice", &chat(1), at(0)), reply("other", &chat(2), 1)])
        .await;
    let stopped = Conversation { opted_out: true, ..conversation(&chat(1), &[]) };
    let confirmation = vec![reply("you will hear nothing more", &chat(1), 3)];
    done(store, Commit { at: at(1), conversations: vec![stopped], outbox: confirmation, ..Commit::default() }).await;
    for (id, expected) in [
        ("on its way", EntryStatus::Leased),
        ("waits", EntryStatus::Dropped),
        ("notice", EntryStatus::Dropped),
        ("you will hear nothing more", EntryStatus::Pending),
    ] {
        assert_eq!(status(store, &chat(1), id).await, expected, "{id}");
    }
    assert_eq!(status(store, &chat(2), "other").await, EntryStatus::Pending);
    settle(store, "on its way", 2, sent()).await;
    assert_eq!(claim_ids(store, 3).await, ["other", "you will hear nothing more"]);
    settle(store, "you will hear nothing more", 4, retry(5)).await;
    assert_eq!(claim_ids(store, 5).await, ["you will hear nothing more"]);
}

pub async fn opting_out_ends_the_attempts_of_what_is_on_its_way(store: &dyn Store) {
    let attempts = [Some(retry(20)), Some(in_doubt(20)), Some(postponed(20)), Some(sent()), None];
    for number in 1..=attempts.len() {
        queue(store, 0, vec![reply(&format!("to {number}"), &chat(number as i64), 1)]).await;
    }
    claim(store, 0).await;
    let stopped = |number| Conversation { opted_out: true, ..conversation(&chat(number as i64), &[]) };
    remember(store, (1..=attempts.len()).map(stopped).collect()).await;
    for (number, outcome) in (1..).zip(attempts) {
        if let Some(outcome) = outcome {
            settle(store, &format!("to {number}"), 2, outcome).await;
        }
    }
    assert_eq!(claim_ids(store, 1000).await, [""; 0], "the lease of the last one is lost");
    for (number, expected) in [
        (1, EntryStatus::Dropped),
        (2, EntryStatus::Dropped),
        (3, EntryStatus::Dropped),
        (4, EntryStatus::Sent),
        (5, EntryStatus::Dropped),
    ] {
        assert_eq!(status(store, &chat(number), &format!("to {number}")).await, expected, "{number}");
    }
}
