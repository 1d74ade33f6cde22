//! The same commands on a MongoDB database.

use std::{fmt::Write as _, fs};

use expect_test::expect;
use mongo_server::{TestDatabase, database};

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
