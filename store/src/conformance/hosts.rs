//! What hosts and schedules ask for.

use domain::{
    activity::Happening,
    address::Address,
    conversation::Conversation,
    model::{EventId, Guest, GuestId},
    schedule::Reach,
};

use super::builders::*;
use crate::{Access, Commit, EventChange, GroupRests, GuestChange, Link, Page, Store};

pub async fn events_are_listed_by_id(store: &dyn Store) {
    assert_eq!(store.events().await.unwrap(), []);
    for id in ["picnic", "ball"] {
        let event = Some(EventChange::Insert(event(id)));
        done(store, Commit { at: at(0), event, ..Commit::default() }).await;
    }
    let events = store.events().await.unwrap();
    let listed: Vec<_> = events.iter().map(|event| (event.id.as_str(), event.version)).collect();
    assert_eq!(listed, [("ball", 1), ("picnic", 1)]);
    assert_eq!(store.event(&EventId::from("picnic")).await.unwrap(), Some(events[1].clone()));
    assert_eq!(store.event(&EventId::from("wedding")).await.unwrap(), None);
}

async fn listed(store: &dyn Store, limit: u32) -> Vec<GuestId> {
    let mut listed = Vec::new();
    let mut after = None;
    loop {
        let page = store.guests(&EVENT.into(), Page { after, limit }).await.unwrap();
        let Some(last) = page.last() else { return listed };
        after = Some(last.id);
        listed.extend(page.into_iter().map(|guest| guest.id));
    }
}

pub async fn guests_are_paged_by_creation(store: &dyn Store) {
    let made = |number, seconds| Guest { created_at: at(seconds), ..guest(number, "Maria", "Santos") };
    let elsewhere = Guest { event_id: EventId::from("picnic"), ..made(9, 0) };
    invite(store, vec![made(5, 1), made(1, 2), made(4, 1), elsewhere, made(2, 2), made(3, 2)]).await;
    let expected = [4, 5, 1, 2, 3].map(guest_id);
    for limit in [1, 2, 3, 100] {
        assert_eq!(listed(store, limit).await, expected, "{limit} a page");
    }
    assert_eq!(store.guests(&EVENT.into(), Page { after: None, limit: 0 }).await.unwrap(), []);
}

pub async fn a_page_goes_on_after_a_deleted_guest(store: &dyn Store) {
    let made =
        |number: u8| Guest { id: GuestId::new(at(i64::from(number)), [number; 8]), ..guest(number, "Maria", "Santos") };
    invite(store, (1..=4).map(made).collect()).await;
    let first = store.guests(&EVENT.into(), Page { after: None, limit: 2 }).await.unwrap();
    let after = first[1].id;
    let delete = GuestChange::Delete { id: after, version: 1 };
    done(store, Commit { at: at(9), guests: vec![delete], ..Commit::default() }).await;
    let next = store.guests(&EVENT.into(), Page { after: Some(after), limit: 2 }).await.unwrap();
    assert_eq!(next.iter().map(|guest| guest.id).collect::<Vec<_>>(), [made(3).id, made(4).id]);
}

pub async fn groups_come_with_members_and_version(store: &dyn Store) {
    let (anna, ben, maria) = (member(1, "Anna", "holloway"), member(2, "Ben", "holloway"), guest(3, "Maria", "Santos"));
    invite(store, vec![anna.clone(), ben, maria.clone()]).await;
    let unknown = member(9, "Nobody", "nowhere").group_key();
    let found = store.groups(&[unknown.clone(), maria.group_key(), anna.group_key()]).await.unwrap();
    let found: Vec<_> = found
        .iter()
        .map(|group| (group.key.clone(), group.version, group.members.iter().map(|guest| guest.id).collect::<Vec<_>>()))
        .collect();
    assert_eq!(
        found,
        [
            (unknown, 0, vec![]),
            (maria.group_key(), 0, vec![guest_id(3)]),
            (anna.group_key(), 0, vec![guest_id(1), guest_id(2)]),
        ]
    );
}

pub async fn a_guest_comes_with_group_and_event(store: &dyn Store) {
    invite(store, vec![member(1, "Anna", "holloway"), member(2, "Ben", "holloway"), guest(3, "Maria", "Santos")]).await;
    let anna = member(1, "Anna", "holloway");
    let raise = GroupRests { key: anna.group_key(), version: 0, raise: true };
    done(store, Commit { at: at(1), groups: vec![raise], ..Commit::default() }).await;
    let of = async |number| {
        let party = store.party(guest_id(number)).await.unwrap()?;
        assert_eq!((party.guest, party.event.id), (guest_id(number), EVENT.into()));
        assert_eq!(Some(&party.group), store.groups(std::slice::from_ref(&party.group.key)).await.unwrap().first());
        let members: Vec<GuestId> = party.group.members.iter().map(|guest| guest.id).collect();
        Some((party.group.key, party.group.version, members))
    };
    assert_eq!(of(2).await, Some((anna.group_key(), 1, vec![guest_id(1), guest_id(2)])));
    assert_eq!(of(3).await, Some((guest(3, "Maria", "Santos").group_key(), 0, vec![guest_id(3)])));
    assert_eq!(of(9).await, None);
}

pub async fn codes_find_their_guest(store: &dyn Store) {
    invite(store, vec![guest(1, "Maria", "Santos"), guest(2, "Maria", "Santos")]).await;
    let found = store.guest_by_code(&typed("code 2")).await.unwrap();
    assert_eq!(found, Some(Guest { version: 1, ..guest(2, "Maria", "Santos") }));
    assert_eq!(store.guest_by_code(&typed("code 3")).await.unwrap(), None);
    assert_eq!(store.guest(guest_id(3)).await.unwrap(), None);
}

pub async fn hosts_are_found(store: &dyn Store) {
    let host = |number| Guest { is_admin: true, ..guest(number, "Rosa", "Host") };
    let elsewhere = Guest { event_id: EventId::from("picnic"), ..host(3) };
    invite(store, vec![host(2), guest(1, "Maria", "Santos"), elsewhere, host(4)]).await;
    let hosts = store.hosts(&EVENT.into()).await.unwrap();
    assert_eq!(hosts.iter().map(|guest| guest.id).collect::<Vec<_>>(), [guest_id(2), guest_id(4)]);
}

pub async fn activity_is_listed_from_a_time_on(store: &dyn Store) {
    let mut elsewhere = activity(Some(1), None, 5, Happening::LoggedIn);
    elsewhere.event_id = EventId::from("picnic");
    let all = [
        activity(Some(1), Some(1), 5, Happening::LoggedIn),
        activity(Some(2), None, 9, Happening::Edited { fields: vec!["phone".to_owned()] }),
        activity(Some(1), Some(2), 5, Happening::LeftMessage { text: "Is there parking?".to_owned() }),
        activity(None, None, 3, Happening::Muted),
    ];
    let entries = all.iter().cloned().chain([elsewhere]).collect();
    done(store, Commit { at: at(9), activity: entries, ..Commit::default() }).await;
    let [login, edit, message, mute] = all;
    let since = async |seconds| store.activity(&EVENT.into(), at(seconds)).await.unwrap();
    assert_eq!(since(0).await, [mute, login.clone(), message.clone(), edit.clone()]);
    assert_eq!(since(5).await, [login, message, edit.clone()]);
    assert_eq!(since(6).await, [edit]);
    assert_eq!(since(10).await, []);
}

pub async fn accesses_never_move_backwards(store: &dyn Store) {
    invite(store, vec![guest(1, "Anna", "Holloway")]).await;
    let access = |seconds, login| Access { guest: guest_id(1), at: at(seconds), login };
    let times = async || {
        let guest = store.guest(guest_id(1)).await.unwrap().unwrap();
        assert_eq!(guest.version, 1, "a use of the program changes nothing that a decision rests on");
        (guest.last_login, guest.last_access)
    };
    store.record_accesses(&[access(5, false)]).await.unwrap();
    assert_eq!(times().await, (None, Some(at(5))));
    store.record_accesses(&[access(4, true), access(3, false)]).await.unwrap();
    assert_eq!(times().await, (Some(at(4)), Some(at(5))));
    let gone = Access { guest: guest_id(9), ..access(9, true) };
    store.record_accesses(&[gone, access(8, true), access(2, true)]).await.unwrap();
    assert_eq!(times().await, (Some(at(8)), Some(at(8))));
    store.record_accesses(&[]).await.unwrap();
}

async fn addresses(store: &dyn Store, numbers: &[u8]) -> Vec<(u8, String)> {
    let guests: Vec<GuestId> = numbers.iter().map(|number| guest_id(*number)).collect();
    let links = store.links(&guests).await.unwrap();
    let mut found: Vec<_> = links.iter().map(|link| (link.guest.0[11], link.address.to_string())).collect();
    found.sort();
    found
}

fn link(number: u8, address: &domain::address::Address) -> (u8, String) {
    (number, address.to_string())
}

pub async fn links_follow_logins(store: &dyn Store) {
    invite(store, (1..=3).map(|number| guest(number, "Maria", "Santos")).collect()).await;
    let text = phone("+447700900123");
    remember(store, vec![conversation(&chat(1), &[1, 2]), conversation(&text, &[1])]).await;
    assert_eq!(addresses(store, &[1]).await, [link(1, &text), link(1, &chat(1))]);
    assert_eq!(addresses(store, &[2, 3]).await, [link(2, &chat(1))]);
    let logged_out = Conversation { version: 1, ..conversation(&chat(1), &[3, 2]) };
    remember(store, vec![logged_out]).await;
    assert_eq!(addresses(store, &[1, 2, 3]).await, [link(1, &text), link(2, &chat(1)), link(3, &chat(1))]);
    remember(store, vec![Conversation { version: 2, ..conversation(&chat(1), &[]) }]).await;
    assert_eq!(addresses(store, &[1, 2, 3]).await, [link(1, &text)]);
}

pub async fn links_of_hosts_are_those_of_the_events_hosts(store: &dyn Store) {
    let host = |number| Guest { is_admin: true, ..guest(number, "Mia", "Host") };
    let elsewhere = Guest { event_id: EventId::from("picnic"), ..host(4) };
    invite(store, vec![host(1), host(2), guest(3, "Maria", "Santos"), elsewhere]).await;
    let there = vec![conversation(&chat(1), &[1, 3]), conversation(&chat(2), &[2, 1]), conversation(&chat(3), &[4])];
    remember(store, there).await;
    let links = store.links_of_hosts(&EVENT.into()).await.unwrap();
    let mut found: Vec<_> = links.iter().map(|link| (link.guest.0[11], link.address.clone())).collect();
    found.sort();
    assert_eq!(found, [(1, chat(1)), (1, chat(2)), (2, chat(2))]);
    assert_eq!(store.links_of_hosts(&EventId::from("wedding")).await.unwrap(), []);
}

pub async fn a_deleted_guest_has_no_links(store: &dyn Store) {
    invite(store, vec![guest(1, "Anna", "Holloway"), guest(2, "Ben", "Holloway")]).await;
    remember(store, vec![conversation(&chat(1), &[1, 2])]).await;
    let delete = GuestChange::Delete { id: guest_id(1), version: 1 };
    done(store, Commit { at: at(1), guests: vec![delete], ..Commit::default() }).await;
    assert_eq!(addresses(store, &[1, 2]).await, [link(2, &chat(1))]);
    // The conversation still names the guest until it is next written.
    remember(store, vec![Conversation { version: 1, ..conversation(&chat(1), &[1, 2]) }]).await;
    assert_eq!(addresses(store, &[1, 2]).await, [link(2, &chat(1))]);
}

pub async fn links_tell_how_an_address_may_be_used(store: &dyn Store) {
    invite(store, vec![guest(1, "Anna", "Holloway")]).await;
    let told = Conversation {
        last_used: Some(at(7)),
        muted: true,
        opted_out: true,
        unreachable: true,
        locale: Some("fr".to_owned()),
        ..conversation(&chat(1), &[1])
    };
    remember(store, vec![told]).await;
    let expected = Link {
        guest: guest_id(1),
        address: chat(1),
        last_used: Some(at(7)),
        muted: true,
        opted_out: true,
        unreachable: true,
        locale: Some("fr".to_owned()),
    };
    assert_eq!(store.links(&[guest_id(1)]).await.unwrap(), [expected]);
}

/// Whoever is logged in there or not, of any number of addresses.
pub async fn addresses_tell_how_they_may_be_used(store: &dyn Store) {
    invite(store, vec![guest(1, "Anna", "Holloway")]).await;
    let plain = |number| conversation(&chat(number), &[]);
    let told = vec![
        conversation(&chat(1), &[1]),
        Conversation { muted: true, last_used: Some(at(7)), ..plain(2) },
        Conversation { opted_out: true, ..plain(3) },
        Conversation { unreachable: true, ..plain(4) },
        Conversation { opted_out: true, ..plain(5) },
    ];
    remember(store, told).await;
    let asked: Vec<Address> = [9, 4, 3, 2, 1].map(chat).to_vec();
    let mut found = store.reaches(&asked).await.unwrap();
    found.sort_by(|one, other| one.address.cmp(&other.address));
    let open =
        |number| Reach { address: chat(number), last_used: None, muted: false, opted_out: false, unreachable: false };
    let mut expected = [
        open(1),
        Reach { muted: true, last_used: Some(at(7)), ..open(2) },
        Reach { opted_out: true, ..open(3) },
        Reach { unreachable: true, ..open(4) },
    ];
    expected.sort_by(|one, other| one.address.cmp(&other.address));
    assert_eq!(found, expected);
    assert_eq!(store.reaches(&[]).await.unwrap(), []);
    let many: Vec<Address> = (1..3_000).map(chat).collect();
    assert_eq!(store.reaches(&many).await.unwrap().len(), 5);
}
