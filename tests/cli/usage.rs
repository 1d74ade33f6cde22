use expect_test::expect;

use crate::home::Home;

#[test]
fn help_explains_every_command() {
    let help = Home::new().run(&["--help"]).done().out;
    for command in [
        "convive demo [--listen ADDR] [--dir DIR] [--json]",
        "convive serve [--roles bots,webhooks,reminders,web]",
        "convive chat [--channel telegram|sms] [--as ID] [--json] [--now TIME]",
        "convive guests import FILE [--dry-run] [--json]",
        "convive guests export [FILE]",
        "convive guests add --first NAME --last NAME",
        "convive guests list [--json]",
        "convive guests codes [--json]",
        "convive guests erase CODE",
        "convive event set KEY=VALUE ...",
        "convive event show [--json]",
        "convive event list [--json]",
        "convive keys rotate",
        "convive reminders preview [--until TIME] [--json]",
        "convive check",
        "--config <FILE>",
        "--event <ID>",
        "Exit codes: 0 done, 1 refused or failed, 2 wrong usage or settings.",
    ] {
        assert!(help.contains(command), "{command} is missing from:\n{help}");
    }
    let keys = Home::new().run(&["event", "set", "--help"]).done().out;
    for key in ["name=", "rsvp_deadline=", "reminders.window=09:00-20:00", "digest.when_empty=false"] {
        assert!(keys.contains(key), "{key} is missing from:\n{keys}");
    }
}

#[test]
fn wrong_usage_ends_with_2_and_says_so_on_standard_error() {
    let home = Home::new();
    for args in [
        &[][..],
        &["gests"],
        &["guests"],
        &["guests", "import"],
        &["guests", "add", "--first", "Anna"],
        &["event", "set"],
        &["event", "set", "capacity"],
        &["serve", "--roles", "cooks"],
        &["chat", "--channel", "fax"],
        &["check", "--verbose"],
    ] {
        let said = home.run(args).wrong_usage();
        assert!(!said.err.is_empty(), "{args:?}");
    }
}

#[test]
fn settings_that_cannot_work_end_with_2_and_name_the_key() {
    let home = Home::new();
    let said = home.run_with(&["guests", "list"], &[("CONVIVE__TELEGRM__TOKEN", "1:a")], "").wrong_usage();
    expect![[r#"
        telegrm.token: unknown setting (in CONVIVE__TELEGRM__TOKEN); the nearest known one is telegram.token. Correct or remove it
    "#]].assert_eq(&said.err);
    home.write("convive.toml", "[http]\nlisten = \"here\"\n");
    let said = home.run(&["event", "list"]).wrong_usage();
    expect![[r#"
        http.listen: "here" is not an address and port; write it like 127.0.0.1:8080, or 0.0.0.0:8080 to be reached from other machines (in convive.toml)
    "#]].assert_eq(&said.err);
    let said = home.run(&["event", "list", "--config", "other.toml"]).wrong_usage();
    expect![[r#"
        other.toml: the settings file cannot be read (No such file or directory (os error 2)); check the path after --config
    "#]].assert_eq(&said.err);
}

#[test]
fn a_server_with_wrong_settings_does_not_start_and_names_the_key() {
    let home = Home::new();
    for (key, value, expected) in [
        ("TELEGRAM__TOKEN", "abc", "telegram.token is not a bot token"),
        ("AUTH__PRIVATE_KEY", "foo", "auth.private_key: not an RSA private key"),
        ("HTTP__LISTEN", "192.0.2.1:8080", "http.listen: cannot listen on 192.0.2.1:8080"),
    ] {
        let said = home.run_with(&["serve"], &[(&format!("CONVIVE__{key}"), value)], "").wrong_usage();
        assert!(said.err.contains(expected), "{said:?}");
    }
}

#[test]
fn a_store_that_cannot_be_used_ends_with_2_and_the_remedy() {
    let home = Home::new();
    let with = |url: &str| home.run_with(&["event", "list"], &[("CONVIVE__STORE__URL", url)], "").wrong_usage().err;
    home.write("notes.txt", "this is not a database, but it is long enough to look like a file with a page in it");
    for (url, expected) in [
        (
            "sqlite:missing/convive.db",
            expect![[r#"
                store.url: cannot use HOME/missing/convive.db as the store: there is no folder HOME/missing. To go on, make it, or name another
            "#]],
        ),
        (
            "sqlite:.",
            expect![[r#"
                store.url: cannot use HOME as the store: it is a folder. To go on, name a file in it, such as convive.db
            "#]],
        ),
        (
            "sqlite:notes.txt",
            expect![[r#"
                store.url: cannot use HOME/notes.txt as the store: it is not a store but some other file. To go on, name another file
            "#]],
        ),
    ] {
        expected.assert_eq(&with(url));
    }
}

#[test]
fn the_settings_file_of_the_folder_is_read_unless_another_is_named() {
    let home = Home::new();
    home.write("convive.toml", "[store]\nurl = \"sqlite:first.db\"\n");
    home.write("other.toml", "[store]\nurl = \"sqlite:second.db\"\n");
    home.run(&["event", "list"]).done();
    assert!(home.path("first.db").exists() && !home.path("second.db").exists());
    home.run(&["event", "list", "--config", "other.toml"]).done();
    assert!(home.path("second.db").exists());
}
