//! The same commands on a MongoDB database.

use std::{fmt::Write as _, fs, os::unix::fs::PermissionsExt as _};

use expect_test::expect;
use mongo_server::{TestDatabase, database};
use mongodb::bson::{Document, doc};

use crate::home::{Home, Said};

const EVENT: [&str; 5] =
    ["event", "set", "name=Harbour Supper", "starts_at=2026-11-28T18:00", "time_zone=America/Chicago"];

struct Place {
    home: Home,
    database: TestDatabase,
}

impl Place {
    fn new() -> Self {
        Self { home: Home::new(), database: database() }
    }

    fn run(&self, args: &[&str]) -> Said {
        self.run_with(args, "")
    }

    fn run_with(&self, args: &[&str], input: &str) -> Said {
        self.home.run_with(args, &[("CONVIVE__STORE__URL", &self.database.url)], input)
    }
}

#[test]
fn a_guest_answers_and_the_host_sees_it() {
    let place = Place::new();
    place.run(&EVENT).done();
    place.home.write("guests.csv", "code,first_name,last_name\nK7QF2M,Anna,Holloway\n");
    place.run(&["guests", "import", "guests.csv"]).done();
    let mut said = String::new();
    for line in ["K7QF2M Holloway", "1", "none", "yes"] {
        writeln!(said, "{line}").unwrap();
    }
    place.run_with(&["chat", "--now", "2026-10-01T12:00:00Z"], &said).done();
    let export = place.run(&["guests", "export"]).done().out;
    assert!(export.contains("K7QF2M,Anna,Holloway,,1,,,,,coming,1,"), "{export}");
    // Nothing is kept beside it.
    assert!(!place.home.path("convive.db").exists());
}

#[test]
fn the_check_shows_the_place_without_its_secrets() {
    let place = Place::new();
    place.run(&EVENT).done();
    let out = place.run(&["check"]).done().out;
    let store = out.lines().find(|line| line.contains("store:")).unwrap_or_default();
    let host = mongo_server::server().host();
    let shown = store.replace(&place.database.name, "DATABASE").replace(host, "HOST");
    expect![[r#"ok      store: mongodb://HOST/DATABASE can be read and written; event harbour-supper: guests 0, hosts 0 (nobody sees the answers: add a host with convive guests add --first NAME --last NAME --admin)"#]].assert_eq(&shown);
}

#[test]
fn a_connection_string_that_cannot_be_right_is_a_matter_of_settings() {
    let home = Home::new();
    for url in ["mongodb://anna:hun@ter2@host/x", "mongodb://anna:hunter2@host:99999999/x"] {
        let said = home.run_with(&["event", "list"], &[("CONVIVE__STORE__URL", url)], "").wrong_usage();
        assert!(said.err.starts_with("store.url ") && said.err.contains("%40"), "{said:?}");
        assert!(!said.err.contains("ter2") && !said.err.contains("anna"), "{said:?}");
    }
}

#[test]
fn a_server_that_nobody_reaches_fails_every_command() {
    let home = Home::new();
    // A secret comes from a file as well as any other.
    fs::write(home.path("url"), "mongodb://anna:hunter2@127.0.0.1:9/x?serverSelectionTimeoutMS=20\n").unwrap();
    let url = home.path("url").display().to_string();
    let env = [("CONVIVE__STORE__URL_FILE", url.as_str())];
    let said = home.run_with(&["event", "list"], &env, "").refused();
    assert!(
        said.err.starts_with("the store cannot be reached: MongoDB does not answer")
            && said.err.contains("127.0.0.1:9"),
        "{said:?}"
    );
    let check = home.run_with(&["check"], &env, "");
    assert!(check.code == 1 && check.out.contains("FAILED  store: "), "{check:?}");
    assert!(!format!("{said:?}{check:?}").contains("hunter2"));
}

/// A party in SQLite: somebody has answered and is logged in, somebody has not.
fn answered_at_home() -> Home {
    let home = Home::new();
    home.run(&EVENT).done();
    home.write("guests.csv", "code,first_name,last_name\nK7QF2M,Anna,Holloway\nH4TR8W,Maria,Santos\n");
    home.run(&["guests", "import", "guests.csv"]).done();
    let said = "K7QF2M Holloway\n1\nnone\nyes\n";
    home.run_with(&["chat", "--now", "2026-10-01T12:00:00Z"], &[], said).done();
    home
}

#[test]
fn everything_moves_to_mongodb_and_back() {
    let home = answered_at_home();
    let database = database();
    let before = home.run(&["guests", "export"]).done().out;
    let said = home.run(&["store", "copy", "sqlite:convive.db", &database.url]).done();
    assert!(said.err.contains("guests: 2 of 2") && said.err.contains("guests: 2 compared, alike"), "{said:?}");
    assert!(said.out.starts_with("copied to mongodb://") && !said.out.contains('?'), "{said:?}");
    let there = [("CONVIVE__STORE__URL", database.url.as_str())];
    assert_eq!(home.run_with(&["guests", "export"], &there, "").done().out, before);
    // The guest is still logged in there.
    let said = home.run_with(&["chat", "--now", "2026-10-01T12:05:00Z"], &there, "status\n").done();
    assert!(said.out.contains("Anna"), "{said:?}");

    home.run(&["store", "copy", &database.url, "sqlite:back.db"]).done();
    let back = [("CONVIVE__STORE__URL", "sqlite:back.db")];
    assert_eq!(home.run_with(&["guests", "export"], &back, "").done().out, before);
}

#[test]
fn nothing_is_copied_onto_a_store_that_is_not_empty() {
    let home = answered_at_home();
    let database = database();
    home.run(&["store", "copy", "sqlite:convive.db", &database.url]).done();
    let said = home.run(&["store", "copy", "sqlite:convive.db", &database.url]).refused();
    assert!(said.err.contains("is not empty; name an empty one"), "{said:?}");
    for (from, to, expected) in [
        ("sqlite:missing.db", "sqlite:new.db", "FROM: there is no file missing.db"),
        ("convive.db", "sqlite:new.db", "FROM: must be sqlite:PATH"),
        ("sqlite:convive.db", "postgres://host", "TO: must be sqlite:PATH"),
    ] {
        let said = home.run(&["store", "copy", from, to]).wrong_usage();
        assert!(said.err.contains(expected), "{said:?}");
    }
}

#[test]
fn a_backup_is_a_store_of_its_own() {
    let home = answered_at_home();
    let before = home.run(&["guests", "export"]).done().out;
    assert_eq!(home.run(&["store", "backup", "copy.db"]).done().out, "backed up to copy.db\n");
    let backup = [("CONVIVE__STORE__URL", "sqlite:copy.db")];
    let mode = fs::metadata(home.path("copy.db")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600, "names and codes are nobody else's business");
    assert_eq!(home.run_with(&["guests", "export"], &backup, "").done().out, before);
    let said = home.run(&["store", "backup", "copy.db"]).wrong_usage();
    assert!(said.err.contains("there is a file copy.db already"), "{said:?}");
    let database = database();
    let said = home.run_with(&["store", "backup", "x"], &[("CONVIVE__STORE__URL", &database.url)], "").wrong_usage();
    assert!(said.err.contains("mongodump"), "{said:?}");
}

/// What the published application has kept.
#[tokio::main(flavor = "current_thread")]
async fn publish(database: &TestDatabase) {
    let guests = database.look().await.collection::<Document>("guests");
    let guest = |number: u8, first: &str, group: Option<&str>, status: &str, coming: i32| {
        doc! {
            "_id": format!("0b0e7a3c-0000-4000-8000-00000000000{number}"), "firstName": first, "lastName": "Doe",
            "token": format!("vTFSxGE{number}"), "status": status, "numGuests": coming, "dietary": "",
            "expectedGuests": 1, "isAdmin": number == 1, "groupId": group, "rsvpDate": "2026-09-01T10:00:00.000Z",
            "lastLogin": null, "createdAt": format!("2026-08-0{number}T10:00:00.000Z"),
        }
    };
    let all = vec![
        guest(1, "John", Some("doe"), "coming", 3),
        guest(2, "Jane", Some("doe"), "coming", 0),
        guest(3, "Bob", None, "declined", 0),
    ];
    guests.insert_many(all).await.unwrap();
    let settings = doc! { "_id": "app-settings", "rsvpDeadline": "2026-11-20", "eventName": "Our party" };
    database.look().await.collection("settings").insert_one(settings).await.unwrap();
}

#[test]
fn the_published_applications_guests_are_adopted() {
    let (home, database) = (Home::new(), database());
    publish(&database);
    home.run(&EVENT).done();
    let adopt = ["store", "adopt", database.url.as_str(), "--event", "harbour-supper"];
    let said = home.run(&[&adopt[..], &["--dry-run"]].concat()).done();
    assert_eq!(
        said.out,
        "would adopt 3 guests into harbour-supper, 3 people coming\n\
         deadline: the end of 2026-11-20 in America/Chicago\n"
    );
    assert!(said.err.contains("there the event is called Our party"), "{said:?}");
    assert_eq!(home.run(&["guests", "export"]).done().out.lines().count(), 1);
    let said = home.run(&adopt).done();
    assert!(said.out.starts_with("adopted 3 guests into harbour-supper, 3 people coming\n"), "{said:?}");
    let export = home.run(&["guests", "export"]).done().out;
    for line in ["vTFSxGE1,John,Doe,doe,1,,,yes,,coming,2,", "vTFSxGE2,Jane,Doe,doe,1,,,,,coming,1,", "declined,0,"] {
        assert!(export.contains(line), "{line}: {export}");
    }
    let event = home.run(&["event", "show"]).done().out;
    assert!(event.contains("rsvp_deadline=2026-11-20"), "{event}");
    let said = home.run(&adopt).refused();
    assert!(said.err.contains("has guests already; adopt into a new one"), "{said:?}");
}

#[test]
fn a_rehearsal_of_adopting_finds_what_adopting_would() {
    let (home, database) = (Home::new(), database());
    home.run(&EVENT).done();
    let rehearse = ["store", "adopt", database.url.as_str(), "--event", "harbour-supper", "--dry-run"];
    let said = home.run(&rehearse).refused();
    assert!(said.err.contains("no guests in the database to adopt from"), "{said:?}");
    publish(&database);
    home.run(&["--event", "brunch", "event", "set", "name=Brunch", "starts_at=2026-12-05T11:00", "time_zone=UTC"])
        .done();
    home.run(&["--event", "brunch", "guests", "add", "--first", "Eve", "--last", "Moss", "--code", "vTFSxGE3"]).done();
    let said = home.run(&rehearse).refused();
    assert!(said.err.contains("the code \"vTFSxGE3\" is taken by another guest"), "{said:?}");
    home.run(&["--event", "brunch", "guests", "erase", "vTFSxGE3"]).done();
    home.run(&["--event", "harbour-supper", "event", "set", "rsvp_deadline=", "starts_at=2026-11-19T18:00"]).done();
    let said = home.run(&rehearse).refused();
    assert!(said.err.contains("rsvpDeadline 2026-11-20 in its settings"), "{said:?}");
}

#[test]
fn adopting_needs_an_event_and_a_source_that_can_be_read() {
    let home = Home::new();
    let said = home.run(&["store", "adopt", "mongodb://127.0.0.1:9/old"]).refused();
    assert!(said.err.contains("there is no event yet"), "{said:?}");
    home.run(&EVENT).done();
    let said = home.run(&["store", "adopt", "mongodb://127.0.0.1:9/old?serverSelectionTimeoutMS=20"]).refused();
    assert!(said.err.contains("MongoDB does not answer") && !said.err.contains("store.url"), "{said:?}");
    let said = home.run(&["store", "adopt", "mongodb://127.0.0.1:9/"]).wrong_usage();
    assert!(said.err.contains("names no database"), "{said:?}");
}
