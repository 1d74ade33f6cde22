use std::{
    fmt::Write as _,
    sync::{Arc, Mutex},
};

use chrono::{DateTime, Utc};
use domain::{
    address::Address,
    conversation::{Conversation, Policy},
    guest_file::{self, Column, ReadDefaults, Sheet},
    model::Event,
    notice::Notice,
};
use expect_test::{Expect, expect};
use store::{Commit, Committed, sqlite::SqliteStore};
use tempfile::TempDir;

use super::*;
use crate::Clock;

/// A clock that stands still, and a generator that counts.
struct TestClock(Mutex<u64>);

impl Clock for TestClock {
    fn now(&self) -> DateTime<Utc> {
        "2026-10-01T12:00:00Z".parse().unwrap()
    }

    fn random(&self, bytes: &mut [u8]) {
        for byte in bytes {
            let mut count = self.0.lock().unwrap();
            *count += 1;
            *byte = u8::try_from(*count % 31).unwrap();
        }
    }
}

/// A store in a folder of its own, with one event.
struct World {
    app: App,
    event: Event,
    _folder: TempDir,
}

async fn world() -> World {
    let folder = TempDir::new().unwrap();
    let store = Arc::new(SqliteStore::open(&folder.path().join("convive.db")).unwrap());
    let policy = Policy { provider_keywords: true, calendar_domain: "rsvp.example.org".into() };
    let app = App::new(store, Arc::new(TestClock(Mutex::new(0))), policy);
    let set = app.set_event(None, &settings("Harbour Supper"), &command_line()).await.unwrap();
    World { app, event: set.event().clone(), _folder: folder }
}

fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
}

fn settings(name: &str) -> Vec<(String, String)> {
    pairs(&[("name", name), ("starts_at", "2026-11-28T18:00"), ("time_zone", "America/Chicago")])
}

fn sheet(file: &str) -> Sheet {
    guest_file::read(file.as_bytes(), &ReadDefaults { region: Some("GB") }).unwrap()
}

impl World {
    async fn import(&self, file: &str) -> Result<guest_file::Plan, HostError> {
        self.app.import_guests(&self.event.id, &sheet(file), &command_line()).await
    }

    async fn guest(&self, code: &str) -> Guest {
        self.app.guest_with_code(None, code).await.unwrap()
    }

    async fn version(&self, guest: &Guest) -> Version {
        self.app.store.groups(&[guest.group_key()]).await.unwrap()[0].version
    }

    /// The guest list and the event's history.
    async fn check(&self, expected: Expect) {
        let mut text = String::new();
        for guest in self.app.all_guests(&self.event.id).await.unwrap() {
            let group = guest.group_id.as_ref().map_or("-", |group| group.as_str());
            writeln!(text, "{} {} ({group}) expected {}", guest.token, guest.full_name(), guest.expected_guests)
                .unwrap();
        }
        for entry in self.app.store.activity(&self.event.id, DateTime::UNIX_EPOCH).await.unwrap() {
            writeln!(text, "{}: {:?}", if entry.guest_id.is_some() { "guest" } else { "event" }, entry.what).unwrap();
        }
        expected.assert_eq(&text);
    }

    async fn login(&self, guest: &Guest, address: &Address) {
        let conversation = match self.app.store.conversation(address).await.unwrap() {
            Some(conversation) => conversation,
            None => Conversation::new(address.clone()),
        };
        let mut conversation = conversation;
        conversation.logins.push(guest.id);
        conversation.active = Some(guest.id);
        let commit = Commit { at: self.app.clock.now(), conversations: vec![conversation], ..Commit::default() };
        assert_eq!(self.app.store.commit(commit).await.unwrap(), Committed::Done);
    }
}

const FAMILY: &str = "code,first_name,last_name,group,expected,phone,admin\n\
                      K7QF2M,Anna,Holloway,P7,2,,yes\nBENHWY22,Ben,Holloway,P7,1,,\nH4TR8W,Maria,Santos,,1,,\n";

#[tokio::test]
async fn an_import_is_kept_and_recorded_and_a_second_one_changes_nothing() {
    let world = world().await;
    let plan = world.import(FAMILY).await.unwrap();
    assert_eq!((plan.created.len(), plan.updated.len(), plan.unchanged), (3, 0, 0));
    let plan = world.import(FAMILY).await.unwrap();
    assert_eq!((plan.created.len(), plan.updated.len(), plan.unchanged), (0, 0, 3));
    let plan = world.import("code,last_name,expected\nBENHWY22,Holloway-Lund,3\n,Lund,\n").await.unwrap();
    assert_eq!((plan.created.len(), plan.updated.len(), plan.unchanged), (1, 1, 0));
    world
        .check(expect![[r#"
        K7QF2M Anna Holloway (P7) expected 2
        BENHWY22 Ben Holloway-Lund (P7) expected 3
        H4TR8W Maria Santos (-) expected 1
        MNPQRSTU Lund (-) expected 1
        event: Created
        guest: Created
        guest: Created
        guest: Created
        guest: Created
        guest: Edited { fields: ["last_name", "expected"] }
    "#]])
        .await;
}

#[tokio::test]
async fn a_file_with_a_bad_row_imports_nothing() {
    let world = world().await;
    world.import(FAMILY).await.unwrap();
    let error = world.import("code,last_name,expected\nK7QF2M,Lund,3\nstop,Lund,\n").await.unwrap_err();
    expect![[r#"line 3: code: no guest has "stop", and it cannot be a new code: this code is a word that guests say in the conversation; choose another, or leave the cell blank to get a new code"#]].assert_eq(&error.to_string());
    assert_eq!(world.guest("K7QF2M").await.last_name, "Holloway");
}

#[tokio::test]
async fn a_look_changes_nothing() {
    let world = world().await;
    let plan = world.app.plan_import(&world.event.id, &sheet(FAMILY)).await.unwrap();
    assert_eq!(plan.created.len(), 3);
    assert!(world.app.all_guests(&world.event.id).await.unwrap().is_empty());
}

#[tokio::test]
async fn what_an_open_question_rests_on_raises_the_groups_version_and_nothing_else_does() {
    let world = world().await;
    world.import(FAMILY).await.unwrap();
    let (anna, maria) = (world.guest("K7QF2M").await, world.guest("H4TR8W").await);
    let before = (world.version(&anna).await, world.version(&maria).await);
    world.import("code,last_name,phone,language,notes\nK7QF2M,,07700 900123,en,hello\n").await.unwrap();
    assert_eq!((world.version(&anna).await, world.version(&maria).await), before);
    // Maria joins: both her own key and the group change.
    world.import("code,last_name,group\nH4TR8W,,p7\n").await.unwrap();
    assert!(world.version(&anna).await > before.0 && world.version(&maria).await > before.1);
    let before = world.version(&anna).await;
    world.import("code,last_name,expected\nBENHWY22,,2\n").await.unwrap();
    assert!(world.version(&anna).await > before);
}

#[tokio::test]
async fn two_hosts_import_at_once_and_neither_change_is_lost() {
    let world = world().await;
    world.import(FAMILY).await.unwrap();
    let (size, phone) = ("code,last_name,expected\nBENHWY22,,4\n", "code,last_name,phone\nBENHWY22,,07700 900123\n");
    let (one, other) = tokio::join!(world.import(size), world.import(phone));
    assert_eq!((one.unwrap().updated.len(), other.unwrap().updated.len()), (1, 1));
    let ben = world.guest("BENHWY22").await;
    assert_eq!((ben.expected_guests, ben.phone.as_deref()), (4, Some("+447700900123")));
}

#[tokio::test]
async fn two_hosts_import_the_same_new_guest_at_once_and_there_is_one() {
    let world = world().await;
    let lists = ["first_name,last_name\nMaria,Santos\n", "last_name,first_name\nLund,Per\nSantos,Maria\n"];
    let (one, other) = tokio::join!(world.import(lists[0]), world.import(lists[1]));
    assert_eq!(one.unwrap().created.len() + other.unwrap().created.len(), 2);
    let guests = world.app.all_guests(&world.event.id).await.unwrap();
    assert_eq!(guests.iter().filter(|guest| guest.first_name == "Maria").count(), 1);
}

#[tokio::test]
async fn a_code_of_another_event_is_refused_by_line() {
    let world = world().await;
    world.import(FAMILY).await.unwrap();
    let other = EventId::from("other");
    world.app.set_event(Some(&other), &settings("Other"), &command_line()).await.unwrap();
    let error =
        world.app.import_guests(&other, &sheet("last_name,code\nLund,\nSantos,H4TR8W\n"), &command_line()).await;
    expect![[r#"line 3: code: "H4TR8W" is the code of a guest of another event; give another"#]]
        .assert_eq(&error.unwrap_err().to_string());
    assert!(world.app.all_guests(&other).await.unwrap().is_empty());
}

#[tokio::test]
async fn one_more_guest_of_a_name_that_is_there_is_somebody_else() {
    let world = world().await;
    world.import(FAMILY).await.unwrap();
    let row = |code: Option<&str>| {
        let code = code.map(|code| (Column::Code, code.to_owned()));
        let cells = [(Column::FirstName, "Maria".to_owned()), (Column::LastName, "Santos".to_owned())];
        guest_file::read_cells(&cells.into_iter().chain(code).collect::<Vec<_>>(), &ReadDefaults::default()).unwrap()
    };
    let (maria, plan) = world.app.add_guest(&world.event.id, row(None), &command_line()).await.unwrap();
    assert_ne!(maria.token, "H4TR8W");
    assert_eq!(plan.notices.len(), 1);
    let taken = world.app.add_guest(&world.event.id, row(Some("h4tr-8w")), &command_line()).await;
    assert!(matches!(taken, Err(HostError::CodeTaken(_))));
    let other = EventId::from("other");
    world.app.set_event(Some(&other), &settings("Other"), &command_line()).await.unwrap();
    let taken = world.app.add_guest(&other, row(Some("H4TR8W")), &command_line()).await;
    assert!(matches!(taken, Err(HostError::CodeTaken(_))));
}

#[tokio::test]
async fn one_guest_is_added_once_and_changed_by_code() {
    let world = world().await;
    world.import(FAMILY).await.unwrap();
    let put = |cells: &'static [(Column, &'static str)]| {
        let cells: Vec<_> = cells.iter().map(|(column, text)| (*column, (*text).to_owned())).collect();
        let row = guest_file::read_cells(&cells, &ReadDefaults::default()).unwrap();
        let (app, event) = (world.app.clone(), world.event.id.clone());
        async move { app.add_or_change_guest(&event, row, &command_line()).await }
    };
    const MARIA: &[(Column, &str)] = &[(Column::FirstName, "Maria"), (Column::LastName, "Santos")];
    assert!(matches!(put(MARIA).await, Err(HostError::Rows(errors)) if errors[0].message.contains("H4TR8W")));
    let (maria, plan) = put(&[(Column::Code, "H4TR8W"), (Column::Admin, "yes")]).await.unwrap();
    assert_eq!((maria.is_admin, plan.created.len(), plan.updated.len()), (true, 0, 1));
    let (same, plan) = put(&[(Column::Code, "h4tr-8w"), (Column::Admin, "yes")]).await.unwrap();
    assert_eq!((same.id, plan.unchanged), (maria.id, 1));
    let (dora, plan) = put(&[(Column::FirstName, "Dora"), (Column::LastName, "Bo")]).await.unwrap();
    assert_eq!((dora.token.len(), plan.created.len()), (8, 1));
    assert_eq!(world.app.all_guests(&world.event.id).await.unwrap().len(), 4);
}

#[tokio::test]
async fn erasing_leaves_a_host() {
    let world = world().await;
    world.import(FAMILY).await.unwrap();
    let (anna, ben) = (world.guest("K7QF2M").await, world.guest("BENHWY22").await);
    assert!(matches!(world.app.erase_guest(anna.id).await, Err(HostError::LastHost)));
    world.app.erase_guest(ben.id).await.unwrap();
    assert!(matches!(world.app.erase_guest(ben.id).await, Err(HostError::NoSuchGuest)));
    assert!(matches!(world.app.guest_with_code(None, "BENHWY22").await, Err(HostError::NoSuchGuest)));
    world.import("code,last_name,admin\nH4TR8W,,yes\n").await.unwrap();
    world.app.erase_guest(anna.id).await.unwrap();
}

#[tokio::test]
async fn a_new_code_ends_every_login_made_with_the_old_one_and_tells_them() {
    let world = world().await;
    world.import(FAMILY).await.unwrap();
    let (anna, ben) = (world.guest("K7QF2M").await, world.guest("BENHWY22").await);
    let (shared, phone) = (Address::telegram(7_100_000_001), Address::sms("+447700900999", "+447700900123"));
    world.login(&ben, &shared).await;
    world.login(&anna, &shared).await;
    world.login(&anna, &phone).await;
    let changed = world.app.change_code(anna.id, None, &command_line()).await.unwrap();
    assert_ne!(changed.token, "K7QF2M");
    assert!(matches!(world.app.guest_with_code(None, "K7QF2M").await, Err(HostError::NoSuchGuest)));
    for (address, logins) in [(&shared, vec![ben.id]), (&phone, vec![])] {
        let conversation = world.app.store.conversation(address).await.unwrap().unwrap();
        assert_eq!(conversation.logins, logins);
        assert_eq!(conversation.active, logins.first().copied());
        let told: Vec<_> = world.app.store.entries_to(address).await.unwrap();
        let notices: Vec<_> = told.iter().filter_map(|entry| Some(&entry.initiated.as_ref()?.notice)).collect();
        assert_eq!(notices, [&Notice::CodeChanged { guest: anna.id }]);
    }
}

#[tokio::test]
async fn a_new_code_must_be_one() {
    let world = world().await;
    world.import(FAMILY).await.unwrap();
    let anna = world.guest("K7QF2M").await;
    for (code, expected) in [
        (
            "stop",
            expect![
                "code: this code is a word that guests say in the conversation; choose another, or leave the cell blank to get a new code"
            ],
        ),
        ("H4TR8W", expect![[r#"the code "H4TR8W" is taken by another guest"#]]),
    ] {
        let error = world.app.change_code(anna.id, Some(code), &command_line()).await.unwrap_err();
        expected.assert_eq(&error.to_string());
    }
    assert_eq!(world.guest("K7QF2M").await.version, anna.version);
    assert_eq!(world.app.change_code(anna.id, Some("PARTY-27"), &command_line()).await.unwrap().token, "PARTY-27");
}

#[tokio::test]
async fn events_are_made_changed_and_left_alone() {
    let world = world().await;
    let set = |id: Option<&'static str>, list: Vec<(String, String)>| {
        let app = world.app.clone();
        async move { app.set_event(id.map(EventId::from).as_ref(), &list, &command_line()).await }
    };
    assert!(matches!(set(None, pairs(&[("place", "Boathouse")])).await, Ok(EventSet::Updated(_))));
    assert!(matches!(set(None, pairs(&[("place", "Boathouse")])).await, Ok(EventSet::Unchanged(_))));
    assert!(
        matches!(set(Some("other"), settings("Other")).await, Ok(EventSet::Created(event)) if event.id.as_str() == "other")
    );
    assert!(matches!(set(None, pairs(&[("place", "x")])).await, Err(HostError::SeveralEvents(_))));
    assert!(matches!(set(Some("third"), pairs(&[("place", "x")])).await, Err(HostError::Settings(_))));
    let missing = world.app.one_event(Some(&EventId::from("third"))).await.unwrap_err();
    expect![[r#"there is no event "third" (there is harbour-supper, other)"#]].assert_eq(&missing.to_string());
    world
        .check(expect![[r#"
        event: Created
        event: Edited { fields: ["place"] }
    "#]])
        .await;
    let event = world.app.one_event(Some(&world.event.id)).await.unwrap();
    assert!(event.version > world.event.version);
}
