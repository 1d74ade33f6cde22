use std::{
    fs,
    os::unix::fs::{FileTypeExt, PermissionsExt, symlink},
    process::Command,
};

use expect_test::expect;
use serde_json::json;

use crate::home::Home;

const LIST: &str = "code,first_name,last_name,group,expected,phone,admin,notes\r\n\
                    K7QF2M,Anna,Holloway,P7,2,07700 900123,yes,\"=1+1, of course\"\r\n\
                    B3NH4Z,Ben,Holloway,p7,1,,,\r\n\
                    H4TR8W,Maria,Santos,,1,,,\r\n";

fn home_with_guests() -> Home {
    let home = Home::with_event();
    home.write("guests.csv", LIST);
    home.run(&["guests", "import", "guests.csv"]).done();
    home
}

#[test]
fn without_an_event_nothing_is_imported_and_the_remedy_is_told() {
    let home = Home::new();
    home.write("guests.csv", LIST);
    let said = home.run(&["guests", "import", "guests.csv"]).refused();
    expect![[r#"
        there is no event yet. Create one first, for example: convive event set name="Harbour Supper" starts_at=2027-06-19T18:00 time_zone=Europe/London
    "#]].assert_eq(&said.err);
}

#[test]
fn an_import_prints_what_it_did_then_the_new_codes() {
    let home = Home::with_event();
    home.write("guests.csv", LIST);
    let said = home.run(&["guests", "import", "guests.csv", "--dry-run"]).done();
    expect![[r#"
        created 3, updated 0, unchanged 0
        line 2: new "Anna Holloway", code "K7QF2M", group "P7", expected 2, phone "+447700900123", admin yes, notes "=1+1, of course"
        line 3: new "Ben Holloway", code "B3NH4Z", group "P7"
        line 4: new "Maria Santos", code "H4TR8W"
    "#]].assert_eq(&said.out);
    assert_eq!(home.run(&["guests", "list", "--json"]).done().out, "[]\n");
    let said = home.run(&["guests", "import", "guests.csv"]).done();
    expect![[r#"
        created 3, updated 0, unchanged 0
        K7QF2M  Anna Holloway  P7
        B3NH4Z  Ben Holloway   P7
        H4TR8W  Maria Santos
    "#]]
    .assert_eq(&said.out);
    assert_eq!(said.err, "");
    assert_eq!(home.run(&["guests", "import", "guests.csv"]).done().out, "created 0, updated 0, unchanged 3\n");

    home.write("more.csv", "first_name;last_name;group\nCleo;Holloway;P7\n");
    let said = home.run(&["guests", "import", "more.csv"]).done();
    let (counts, codes) = said.out.split_once('\n').unwrap();
    assert_eq!(counts, "created 1, updated 0, unchanged 0");
    let (code, rest) = codes.split_once(' ').unwrap();
    assert_eq!((code.len(), rest.trim()), (8, "Cleo Holloway  P7"));

    home.write("corrected.csv", "code,last_name\nB3NH4Z,Holloway-Lund\n");
    let said = home.run(&["guests", "import", "corrected.csv"]).done();
    assert_eq!(said.out, "created 0, updated 1, unchanged 0\n");
    assert_eq!(said.err, "line 2: \"Ben Holloway\": last_name \"Holloway\" -> \"Holloway-Lund\"\n");
}

#[test]
fn an_import_as_json() {
    let home = Home::with_event();
    home.write("guests.csv", "code,first_name,last_name,group\nK7QF2M,Anna,Holloway,P7\n,Maria,Santos,\n");
    let look = home.run(&["guests", "import", "guests.csv", "--dry-run", "--json"]).done().json();
    assert_eq!(look["created"], 2);
    assert_eq!((&look["guests"][0]["code"], &look["guests"][1]["code"]), (&json!("K7QF2M"), &json!(null)));
    let done = home.run(&["guests", "import", "guests.csv", "--json"]).done().json();
    assert_eq!((&done["created"], &done["updated"], &done["unchanged"]), (&json!(2), &json!(0), &json!(0)));
    let anna = json!({ "code": "K7QF2M", "firstName": "Anna", "lastName": "Holloway", "group": "P7", "link": null });
    assert_eq!(done["guests"][0], anna);
    let codes = home.run(&["guests", "codes", "--json"]).done().json();
    assert_eq!(codes, done["guests"]);
}

#[test]
fn a_file_with_bad_lines_imports_nothing_and_every_bad_line_is_told() {
    let home = home_with_guests();
    home.write(
        "bad.csv",
        "code,last_name,expected,phone\nK7QF2M,Lund,3,\nH4TR8W,Santos,many,\n,Lund,51,12 34\n,,,\nstop,Berg,,\n,Ek,\n",
    );
    let said = home.run(&["guests", "import", "bad.csv"]).refused();
    expect![[r#"
        bad.csv: nothing was imported
        line 3: expected: "many" is not a number from 1 to 50; write how many people the guest stands for, themselves included
        line 4: expected: "51" is not a number from 1 to 50; write how many people the guest stands for, themselves included
        line 4: phone: "12 34": no phone number there looks like this: check its digits, and write it like +44 7700 900123
        line 6: code: no guest has "stop", and it cannot be a new code: this code is a word that guests say in the conversation; choose another, or leave the cell blank to get a new code
    "#]].assert_eq(&said.err);
    home.write("bad.csv", "code,last_name\nK7QF2M,Lund\nstop,Berg\nK7QF2M,Ek\n");
    let said = home.run(&["guests", "import", "bad.csv"]).refused();
    expect![[r#"
        bad.csv: nothing was imported
        line 3: code: no guest has "stop", and it cannot be a new code: this code is a word that guests say in the conversation; choose another, or leave the cell blank to get a new code
        line 4: this is the same guest as on line 2; keep one of them, or give the code of whom each line means
    "#]]
    .assert_eq(&said.err);
    assert!(home.run(&["guests", "list"]).done().out.contains("\nK7QF2M  Anna Holloway"));
    let said = home.run(&["guests", "import", "missing.csv"]).refused();
    expect![[r#"
        missing.csv cannot be read: No such file or directory (os error 2)
    "#]]
    .assert_eq(&said.err);
}

#[test]
fn an_import_may_come_from_standard_input() {
    let home = Home::with_event();
    let said = home.run_with(&["guests", "import", "-"], &[], LIST).done();
    assert!(said.out.starts_with("created 3, updated 0, unchanged 0\n"));
}

#[test]
fn an_export_survives_a_round_trip_unchanged_here_and_elsewhere() {
    let home = home_with_guests();
    let said = home.run(&["guests", "export", "out.csv"]).done();
    assert_eq!((said.out.as_str(), said.err.as_str()), ("", "exported 3 guests to out.csv\n"));
    let exported = home.read("out.csv");
    expect![[r#"
        BOMcode,first_name,last_name,group,expected,phone,language,admin,notes,status,guests,dietary,extra,answered_at,answered_by
        K7QF2M,Anna,Holloway,P7,2,'+447700900123,,yes,"'=1+1, of course",pending,0,,0,,
        B3NH4Z,Ben,Holloway,P7,1,,,,,pending,0,,0,,
        H4TR8W,Maria,Santos,,1,,,,,pending,0,,0,,
    "#]].assert_eq(&exported.replace('\u{feff}', "BOM").replace("\r\n", "\n"));
    assert_eq!(home.run(&["guests", "import", "out.csv"]).done().out, "created 0, updated 0, unchanged 3\n");
    home.run(&["guests", "export", "again.csv"]).done();
    assert_eq!(home.read("again.csv"), exported);
    assert_eq!(home.run(&["guests", "export"]).done().out, exported);

    let elsewhere = Home::with_event();
    elsewhere.write("out.csv", &exported);
    elsewhere.run(&["guests", "import", "out.csv"]).done();
    assert_eq!(elsewhere.run(&["guests", "export"]).done().out, exported);
}

#[test]
fn an_export_that_fails_leaves_the_list_that_was_there() {
    let home = home_with_guests();
    let said = home.run(&["guests", "export", "missing/out.csv"]).refused();
    expect![[r#"
        missing/out.csv cannot be written: No such file or directory (os error 2)
    "#]]
    .assert_eq(&said.err);
}

#[test]
fn lists_for_people_and_for_programs() {
    let home = home_with_guests();
    expect![[r#"
        CODE    NAME           GROUP  ANSWER   COMING  DIETARY NEEDS
        K7QF2M  Anna Holloway  P7     pending  0 of 2
        B3NH4Z  Ben Holloway   P7     pending  0 of 1
        H4TR8W  Maria Santos          pending  0 of 1
    "#]]
    .assert_eq(&home.run(&["guests", "list"]).done().out);
    expect![[r#"
        K7QF2M  Anna Holloway  P7
        B3NH4Z  Ben Holloway   P7
        H4TR8W  Maria Santos
    "#]]
    .assert_eq(&home.run(&["guests", "codes"]).done().out);
    let list = home.run(&["guests", "list", "--json"]).done().json();
    let anna = json!({
        "code": "K7QF2M", "firstName": "Anna", "lastName": "Holloway", "group": "P7", "expected": 2,
        "phone": "+447700900123", "language": null, "admin": true, "notes": "=1+1, of course", "status": "pending",
        "guests": 0, "dietary": "", "extra": 0, "answeredAt": null, "answeredBy": null, "answeredThrough": null,
    });
    assert_eq!(list[0], anna);
    assert_eq!(list.as_array().unwrap().len(), 3);
}

#[test]
fn one_guest_is_added_by_the_same_rules() {
    let home = home_with_guests();
    let dora = ["guests", "add", "--first", "Dora", "--last", "-Bo", "--group", "p7", "--code", "D5RA6BQ2", "--json"];
    let said = home.run(&[&dora[..], &["--expected", "3", "--phone", "07700 900124", "--admin"]].concat()).done();
    let expected = json!({ "code": "D5RA6BQ2", "firstName": "Dora", "lastName": "-Bo", "group": "P7", "link": null });
    assert_eq!(said.json(), expected);
    let list = home.run(&["guests", "list", "--json"]).done().json();
    assert_eq!((&list[3]["expected"], &list[3]["phone"]), (&json!(3), &json!("+447700900124")));

    let said = home.run(&["guests", "add", "--first", "Ed", "--last", "🎉", "--expected", "0", "--code", "stop"]);
    expect![[r#"
        --last: "🎉" holds no letter, so nobody could log in with it; write the surname
        --expected: "0" is not a number from 1 to 50; write how many people the guest stands for, themselves included
    "#]]
    .assert_eq(&said.wrong_usage().err);
}

#[test]
fn nobody_is_added_twice_by_a_slip_and_either_wish_has_a_way() {
    let home = home_with_guests();
    let add = |args: &[&str]| home.run(&[&["guests", "add"][..], args].concat());
    let maria = ["--first", "Maria", "--last", "Santos"];
    expect![[r#"
        "Maria Santos" is there already, with the code "H4TR8W"; give that code to change this guest, or a new code if this is somebody else. Codes are given with --code
    "#]].assert_eq(&add(&maria).refused().err);
    // The same person: one step makes her a host.
    let said = add(&["--code", "H4TR8W", "--admin"]).done();
    assert_eq!(
        (said.out.as_str(), said.err.as_str()),
        ("H4TR8W  Maria Santos\n", "\"Maria Santos\": admin no -> yes\n")
    );
    let said = add(&[&maria[..], &["--code", "h4tr-8w", "--admin"]].concat()).done();
    assert_eq!(said.err, "nothing was changed: this guest is so already\n");
    // Another person.
    let said = add(&[&maria[..], &["--code", "MARIA-2"]].concat()).done();
    expect![[r#"
        a new guest, though "Maria Santos" is there already with the code "H4TR8W"; if both are the same person, erase the new one and write that code
    "#]].assert_eq(&said.err);
    expect![[r#"
        the code "H4TR8W" is the one of "Maria Santos"; give another code for a new guest, or leave the names out to change "Maria Santos" (a guest file changes names, too). Codes are given with --code
    "#]].assert_eq(&add(&["--first", "Ed", "--last", "Ek", "--code", "H4TR8W"]).refused().err);
    assert_eq!(home.run(&["guests", "list", "--json"]).done().json().as_array().unwrap().len(), 4);
}

#[test]
fn an_error_speaks_of_what_was_typed() {
    let home = home_with_guests();
    let said = home.run(&["guests", "add", "--first", "Ed", "--last", ""]).wrong_usage();
    assert_eq!(said.err, "--last: is blank; write the guest's last name or code\n");
    let said = home.run(&["guests", "add", "--code", "NOBODY-1", "--admin"]).wrong_usage();
    expect![[r#"
        --last: is blank, and no guest has the code "NOBODY-1"; correct the code, or write the last name of a new guest
    "#]]
    .assert_eq(&said.err);
    // Nothing is noted of a file that changes nothing.
    home.write("bad.csv", "last_name,shoe size,expected\n\u{a0}Lund,44,none\n");
    let said = home.run(&["guests", "import", "bad.csv"]).refused();
    assert!(!said.err.contains("stored as") && !said.err.contains("shoe size"), "{said:?}");
}

/// The list is personal: a file of it goes where the host says, and no further.
#[test]
fn an_export_goes_where_it_is_sent() {
    let home = home_with_guests();
    let export = |to: &str| home.run(&["guests", "export", to]);
    let mode = |name: &str| fs::metadata(home.path(name)).unwrap().permissions().mode() & 0o777;
    let exported = home.run(&["guests", "export"]).done().out;
    assert_eq!(mode("convive.db"), 0o600);

    export("new.csv").done();
    assert_eq!((home.read("new.csv"), mode("new.csv")), (exported.clone(), 0o600));

    home.write("old.csv", "an older and much longer list".repeat(1_000));
    fs::set_permissions(home.path("old.csv"), fs::Permissions::from_mode(0o640)).unwrap();
    export("old.csv").done();
    assert_eq!((home.read("old.csv"), mode("old.csv")), (exported.clone(), 0o640));

    home.write("target.csv", "");
    symlink("target.csv", home.path("link.csv")).unwrap();
    symlink("later.csv", home.path("dangling.csv")).unwrap();
    for (link, target) in [("link.csv", "target.csv"), ("dangling.csv", "later.csv")] {
        export(link).done();
        assert!(fs::symlink_metadata(home.path(link)).unwrap().is_symlink(), "{link}");
        assert_eq!(home.read(target), exported, "{link}");
    }

    let said = export("-").done();
    assert_eq!((said.out, home.path("-").exists()), (exported.clone(), false));
    assert!(export("/dev/stdout").done().out.contains("K7QF2M"));
    assert!(export("/dev/full").refused().err.starts_with("/dev/full cannot be written: No space left"));
    assert!(fs::metadata("/dev/full").unwrap().file_type().is_char_device());

    let pipe = home.path("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || fs::read_to_string(pipe).unwrap()
    });
    export("pipe").done();
    assert_eq!(reader.join().unwrap(), exported);
    assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
    let left = fs::read_dir(home.path(""))
        .unwrap()
        .filter(|file| file.as_ref().unwrap().file_name().to_string_lossy().ends_with(".part"));
    assert_eq!(left.count(), 0);
}

/// Needs are kept for when they come after all; but nobody must cook for who does not.
#[test]
fn who_does_not_come_needs_no_food() {
    let home = home_with_guests();
    let talk = "H4TR8W Santos\n1\nvegan\n1\n";
    home.run_with(&["chat", "--channel", "sms", "--now", "2026-11-01"], &[], talk).done();
    let shown = || home.run(&["guests", "list"]).done().out + &home.run(&["guests", "export"]).done().out;
    assert_eq!(shown().matches("vegan").count(), 2, "{}", shown());
    home.run_with(&["chat", "--channel", "sms", "--now", "2026-11-02"], &[], "decline\n1\n").done();
    let shown = shown();
    assert!(shown.contains("declined") && !shown.contains("vegan"), "{shown}");
}

#[test]
fn a_person_is_erased_by_code_but_the_last_host_stays() {
    let home = home_with_guests();
    home.run(&["guests", "erase", "h4tr 8w"]).done();
    let said = home.run(&["guests", "erase", "H4TR8W"]).refused();
    expect![[r#"
        no guest has this code
    "#]]
    .assert_eq(&said.err);
    let said = home.run(&["guests", "erase", "K7QF2M"]).refused();
    expect![[r#"
        the last host of an event cannot be removed; make another guest a host first
    "#]]
    .assert_eq(&said.err);
    assert_eq!(home.run(&["guests", "list", "--json"]).done().json().as_array().unwrap().len(), 2);
}
