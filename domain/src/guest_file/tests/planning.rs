use expect_test::{Expect, expect};

use super::*;
use crate::{
    address::Channel,
    model::{AnsweredBy, Status},
};

/// What a file would change about the guests there are, or all that is wrong with it.
fn check(existing: &[Guest], file: &str, expected: Expect) {
    let text = match planned(file, existing) {
        Err(errors) => lines(&errors),
        Ok(plan) => {
            let counts = format!(
                "created {}, updated {}, unchanged {}\n",
                plan.created.len(),
                plan.updated.len(),
                plan.unchanged
            );
            counts + &lines(&plan.preview()) + &lines(&plan.notices)
        }
    };
    expected.assert_eq(&text);
}

fn holloways() -> Vec<Guest> {
    let mut anna = guest(1, "K7QF2M", "Anna", "Holloway", Some("P7"));
    anna.is_admin = true;
    anna.status = Status::Coming;
    (anna.self_coming, anna.num_guests) = (true, 1);
    anna.dietary = "nuts".into();
    anna.rsvp_date = Some(now());
    anna.answered_by = Some(AnsweredBy { guest_id: anna.id, channel: Channel::Telegram });
    let ben = guest(2, "B3NXXX", "Ben", "Holoway", Some("P7"));
    let mut cleo = guest(3, "CLE0YY", "Cleo", "Holloway", Some("P7"));
    cleo.phone = Some("+447700900123".into());
    vec![anna, ben, cleo]
}

fn two_marias() -> Vec<Guest> {
    vec![guest(8, "H4TR8W", "Maria", "Santos", Some("P8")), guest(9, "P9DX3C", "Maria", "Santos", Some("P9"))]
}

#[test]
fn new_guests_get_codes_and_the_group_as_it_is_written_first() {
    check(
        &[],
        "first_name,last_name,group,expected,phone,admin,notes\nAnna,Holloway,The Holloways,2,07700 900123,yes,\"a\nb\"\n\
         Ben,Holloway, the holloways ,,,,\n",
        expect![[r#"
            created 2, updated 0, unchanged 0
            line 2: new "Anna Holloway", group "The Holloways", expected 2, phone "+447700900123", admin yes, notes "a\nb"
            line 4: new "Ben Holloway", group "The Holloways"
        "#]],
    );
    let guests = imported(&[], b"first_name,last_name,group\nAnna,Holloway,P7\nBen,Holloway,p7\n");
    assert_eq!(guests[0].group_id, guests[1].group_id);
    assert_eq!(guests[0].token, "NEWCODE1");
}

#[test]
fn importing_the_list_again_with_a_correction_keeps_what_guests_have_done() {
    let before = holloways();
    let file = "code,first_name,last_name,group,phone\nK7QF2M,Anna,Holloway,P7,\nb3n-xxx,Ben,Holloway,p7,\n";
    check(
        &before,
        file,
        expect![[r#"
        created 0, updated 1, unchanged 1
        line 3: "Ben Holoway": last_name "Holoway" -> "Holloway"
    "#]],
    );
    let after = imported(&before, file.as_bytes());
    let corrected = Guest { last_name: "Holloway".into(), ..before[1].clone() };
    assert_eq!(after, [before[0].clone(), corrected, before[2].clone()]);
}

#[test]
fn the_same_file_twice_changes_nothing() {
    let file = "first_name,last_name,group,expected,phone,language,admin,notes\n\
                Anna,Holloway,P7,2,07700 900123,en,x,\" two\r\nlines \"\n,Müller,,,,,,\nMaria,Núñez,,,,,,\nMaria,Nunez,,,,,,\n";
    let once = imported(&[], file.as_bytes());
    assert_eq!(once.len(), 4, "who differ only by accents are two guests");
    check(
        &once,
        file,
        expect![[r#"
        created 0, updated 0, unchanged 4
    "#]],
    );
}

#[test]
fn a_row_without_a_code_is_the_guest_of_that_name_whatever_case_and_punctuation() {
    let before =
        vec![guest(1, "AAAA", "Siân", "O'Shaughnessy", None), guest(2, "BBBB", "Jo", "Fairweather-Lund", Some("P1"))];
    check(
        &before,
        "first_name,last_name,group,expected\nSIÂN,O’Shaughnessy,,2\njo,fairweather lund,p1,3\n",
        expect![[r#"
            created 0, updated 2, unchanged 0
            line 2: "Siân O'Shaughnessy": first_name "Siân" -> "SIÂN", last_name "O'Shaughnessy" -> "O’Shaughnessy", expected 1 -> 2
            line 3: "Jo Fairweather-Lund": first_name "Jo" -> "jo", last_name "Fairweather-Lund" -> "fairweather lund", expected 1 -> 3
        "#]],
    );
}

#[test]
fn a_name_that_differs_by_accents_asks_for_a_code() {
    let before = vec![guest(1, "AAAA", "Maria", "Núñez", None)];
    check(
        &before,
        "first_name,last_name\nMaria,Nunez\n",
        expect![[r#"
        line 2: "Maria Núñez" is there already, spelt otherwise; add their code if it is the same guest, or a new code if it is somebody else
    "#]],
    );
    check(
        &before,
        "first_name,last_name\nMaria,Nunez\nMaria,Nu\u{301}n\u{303}ez\n",
        expect![[r#"
        created 1, updated 0, unchanged 1
        line 2: new "Maria Nunez"
    "#]],
    );
    check(
        &before,
        "code,first_name,last_name\nBBBB,Maria,Nunez\n",
        expect![[r#"
        created 1, updated 0, unchanged 0
        line 2: new "Maria Nunez", code "BBBB"
        line 2: a new guest, though "Maria Núñez" is there already with the code "AAAA"; if both are the same person, erase the new one and write that code
    "#]],
    );
}

#[test]
fn names_that_could_be_several_guests_ask_for_a_code() {
    check(
        &two_marias(),
        "first_name,last_name\nMaria,Santos\n",
        expect![[r#"
        line 2: 2 guests are called "Maria Santos"; add the code of the one you mean
    "#]],
    );
    check(
        &two_marias(),
        "first_name,last_name,group,expected\nMaria,Santos,P8,2\nMaria,Santos,p9,3\n",
        expect![[r#"
        created 0, updated 2, unchanged 0
        line 2: "Maria Santos": expected 1 -> 2
        line 3: "Maria Santos": expected 1 -> 3
    "#]],
    );
    check(
        &two_marias(),
        "first_name,last_name,group\nMaria,Santos,P10\n",
        expect![[r#"
        line 2: "Maria Santos" is in group "P8"; add their code to move them, or a new code if this is somebody else
    "#]],
    );
    check(
        &two_marias(),
        "first_name,last_name,group\nMaria,Santos,-\n",
        expect![[r#"
        line 2: "Maria Santos" is in group "P8"; add their code to move them, or a new code if this is somebody else
    "#]],
    );
    check(
        &[guest(1, "AAAA", "Jo", "Lund", None)],
        "first_name,last_name,group\nJo,Lund,P1\n",
        expect![[r#"
        line 2: "Jo Lund" is in no group; add their code to move them, or a new code if this is somebody else
    "#]],
    );
}

#[test]
fn rows_alike_ask_for_codes() {
    check(
        &[],
        "first_name,last_name,group\nMaria,Santos,P8\nJo,Lund,\nmaria,SANTOS,p8\nMaria,Santos,P9\n",
        expect![[r#"
            line 2: this line is like line 4 (same name and group); give both lines their codes if they are two guests, or remove one
            line 4: this line is like line 2 (same name and group); give both lines their codes if they are two guests, or remove one
        "#]],
    );
    check(
        &[],
        "code,first_name,last_name\nH4TR8W,Maria,Santos\nP9DX3C,Maria,Santos\n",
        expect![[r#"
        created 2, updated 0, unchanged 0
        line 2: new "Maria Santos", code "H4TR8W"
        line 3: new "Maria Santos", code "P9DX3C"
    "#]],
    );
    check(
        &[],
        "code,first_name,last_name\nH4TR8W,Maria,Santos\n,Maria,Santos\n",
        expect![[r#"
        line 3: this line is like line 2 (same name and group); give both lines their codes if they are two guests, or remove one
    "#]],
    );
    check(
        &[],
        "code,last_name\nH4TR8W,Santos\nh4-tr8w,Lund\n",
        expect![[r#"
        line 3: this is the same guest as on line 2; keep one of them, or give the code of whom each line means
    "#]],
    );
    check(
        &two_marias(),
        "code,first_name,last_name\nH4TR8W,Maria,Santos\nH4TR8W,Maria,Lund\n",
        expect![[r#"
        line 3: this is the same guest as on line 2; keep one of them, or give the code of whom each line means
    "#]],
    );
    check(
        &two_marias(),
        "code,first_name,last_name,group\nH4TR8W,Mary,Santos,\n,Maria,Santos,P8\n",
        expect![[r#"
            line 3: this is the same guest as on line 2; keep one of them, or give the code of whom each line means
        "#]],
    );
}

#[test]
fn codes_of_the_hosts_own() {
    check(
        &[],
        "code,last_name\nsmith-family,Smith\nstop,Lund\nabc,Lund\n=1+1,Lund\nK7QF2M,\n",
        expect![[r#"
        line 3: code: no guest has "stop", and it cannot be a new code: this code is a word that guests say in the conversation; choose another, or leave the cell blank to get a new code
        line 4: code: no guest has "abc", and it cannot be a new code: a code needs 4 to 32 letters and digits
        line 5: code: no guest has "=1+1", and it cannot be a new code: a code may hold only the letters A to Z, digits, and between them '-', '_' or a space; leave the cell blank to get a new code
        line 6: last_name: is blank, and no guest has the code "K7QF2M"; correct the code, or write the last name of a new guest
    "#]],
    );
    check(
        &holloways(),
        "code,first_name,last_name\nNEWONE1,Anna,Holloway\n",
        expect![[r#"
        created 1, updated 0, unchanged 0
        line 2: new "Anna Holloway", code "NEWONE1"
        line 2: a new guest, though "Anna Holloway" is there already with the code "K7QF2M"; if both are the same person, erase the new one and write that code
    "#]],
    );
    let twins = vec![guest(1, "vTFSxGE3", "A", "Lund", None), guest(2, "VTFSXGE3", "B", "Lund", None)];
    check(
        &twins,
        "code,last_name,expected\nvtfsxge3,Lund,2\n",
        expect![[r#"
        line 2: code: "vtfsxge3" could be the code of several guests; write it exactly as it was given out
    "#]],
    );
    check(
        &twins,
        "code,last_name,expected\nVTFSXGE3,Lund,2\n",
        expect![[r#"
        created 0, updated 1, unchanged 0
        line 2: "B Lund": expected 1 -> 2
    "#]],
    );
}

#[test]
fn a_drawn_code_is_never_one_of_the_file() {
    let guests = imported(&[], b"code,last_name\n,Lund\nnew-code-1,Santos\n");
    assert_eq!([guests[0].token.as_str(), guests[1].token.as_str()], ["NEWCODE2", "new-code-1"]);
}

#[test]
fn blank_keeps_and_a_hyphen_clears() {
    let mut before = holloways();
    before[2].notes = Some("by the window".into());
    before[2].locale = Some("sv".into());
    check(
        &before,
        "code,last_name,phone,notes,language\nCLE0YY,,,,\n",
        expect![[r#"
        created 0, updated 0, unchanged 1
    "#]],
    );
    check(
        &before,
        "code,first_name,last_name,group,phone,notes,language\nCLE0YY,-,,-,-,-,-\n",
        expect![[r#"
        created 0, updated 1, unchanged 0
        line 2: "Cleo Holloway": first_name "Cleo" -> "", group "P7" -> none, phone "+447700900123" -> nothing, language "sv" -> nothing, notes "by the window" -> nothing
    "#]],
    );
}

#[test]
fn fewer_people_expected_than_come_makes_extras() {
    let mut bob = guest(1, "B0BXXX", "Bob", "Doe", None);
    (bob.expected_guests, bob.status) = (3, Status::Coming);
    (bob.self_coming, bob.companions_coming, bob.num_guests) = (true, 2, 3);
    check(
        &[bob.clone()],
        "code,last_name,expected\nB0BXXX,Doe,2\n",
        expect![[r#"
        created 0, updated 1, unchanged 0
        line 2: "Bob Doe": expected 3 -> 2 (1 of those coming are now beyond the number expected)
    "#]],
    );
    let after = imported(&[bob], b"code,last_name,expected\nB0BXXX,Doe,2\n");
    assert_eq!((after[0].num_guests, after[0].companions_coming, after[0].extra_guests), (3, 1, 1));
}

#[test]
fn everything_that_is_wrong_is_told_at_once() {
    check(
        &two_marias(),
        "code,first_name,last_name,group,expected\nH4TR8W,,,,many\n,Maria,Santos,,0\nH4TR8W,,,,\n,Maria,Santos,,2\n\
         stop,,Lund,,\n,Jo,Lund,,\n,Jo,Lund,,99\n",
        expect![[r#"
            line 2: expected: "many" is not a number from 1 to 50; write how many people the guest stands for, themselves included
            line 3: expected: "0" is not a number from 1 to 50; write how many people the guest stands for, themselves included
            line 4: this is the same guest as on line 2; keep one of them, or give the code of whom each line means
            line 5: this line is like line 3 (same name and group); give both lines their codes if they are two guests, or remove one
            line 6: code: no guest has "stop", and it cannot be a new code: this code is a word that guests say in the conversation; choose another, or leave the cell blank to get a new code
            line 7: this line is like line 8 (same name and group); give both lines their codes if they are two guests, or remove one
            line 8: expected: "99" is not a number from 1 to 50; write how many people the guest stands for, themselves included
        "#]],
    );
}

#[test]
fn the_last_host_stays_one() {
    let before = holloways();
    check(
        &before,
        "code,last_name,admin\nK7QF2M,,no\n",
        expect![[r#"
        line 2: admin: the last host cannot stop being one; write yes for another guest first
    "#]],
    );
    check(
        &before,
        "code,last_name,admin\nK7QF2M,,-\nB3NXXX,,yes\n",
        expect![[r#"
        created 0, updated 2, unchanged 0
        line 2: "Anna Holloway": admin yes -> no
        line 3: "Ben Holoway": admin no -> yes
    "#]],
    );
    check(
        &before,
        "code,last_name,admin\nB3NXXX,,no\n",
        expect![[r#"
        created 0, updated 0, unchanged 1
    "#]],
    );
}

/// Spreadsheets take such codes for numbers, and what comes back is another code.
#[test]
fn a_code_that_lost_its_zeros_is_no_new_code() {
    let before = vec![guest(1, "00012345", "Anna", "Holloway", None), guest(2, "12346", "Ben", "Holloway", None)];
    check(
        &before,
        "code,first_name,last_name\n12345,Anna,Holloway\n00012345,Anna,Holloway\n0012346,Ben,\n12346,Ben,\n",
        expect![[r#"
            line 2: code: "12345" and "00012345" differ only in zeros that they begin with, which spreadsheets drop; write the code as it was given out (format the column as text), or give another
            line 4: code: "0012346" and "12346" differ only in zeros that they begin with, which spreadsheets drop; write the code as it was given out (format the column as text), or give another
        "#]],
    );
    check(
        &[],
        "code,last_name\n07777,Lund\n77770,Berg\n7777,Ek\nA7777,Ny\n",
        expect![[r#"
            line 4: code: "7777" and "07777" differ only in zeros that they begin with, which spreadsheets drop; write the code as it was given out (format the column as text), or give another
        "#]],
    );
}

#[test]
fn whom_a_host_means_by_adding_a_guest() {
    let mut existing = two_marias();
    existing.push(guest(7, "K7QF2M", "Anna", "Holloway", Some("P7")));
    let meant = |cells: &[(Column, &str)]| {
        let cells: Vec<_> = cells.iter().map(|(column, text)| (*column, (*text).to_owned())).collect();
        let row = read_cells(&cells, &BRITISH).unwrap();
        match already_there(&row, &existing) {
            Ok(Some(guest)) => format!("changes {}", guest.token),
            Ok(None) => "new".to_owned(),
            Err(error) => error.to_string(),
        }
    };
    use Column::{Admin, Code, FirstName, Group, LastName};
    assert_eq!(meant(&[(FirstName, "Ed"), (LastName, "Ek")]), "new");
    assert_eq!(meant(&[(FirstName, "Anna"), (LastName, "Holloway"), (Code, "ANNA-2")]), "new");
    assert_eq!(meant(&[(Code, "k7qf-2m"), (Admin, "yes")]), "changes K7QF2M");
    assert_eq!(meant(&[(Code, "K7QF2M"), (FirstName, "anna"), (LastName, "Holloway")]), "changes K7QF2M");
    expect![[r#""Anna Holloway" is there already, with the code "K7QF2M"; give that code to change this guest, or a new code if this is somebody else"#]]
        .assert_eq(&meant(&[(FirstName, "Anna"), (LastName, "Holloway")]));
    expect![[
        r#""Anna Holloway" is in group "P7"; add their code to move them, or a new code if this is somebody else"#
    ]]
    .assert_eq(&meant(&[(FirstName, "Anna"), (LastName, "Holloway"), (Group, "P8")]));
    expect![[r#"the code "K7QF2M" is the one of "Anna Holloway"; give another code for a new guest, or leave the names out to change "Anna Holloway" (a guest file changes names, too)"#]]
        .assert_eq(&meant(&[(Code, "K7QF2M"), (FirstName, "Ben"), (LastName, "Holloway")]));
    expect!["last_name: is blank; write the guest's last name or code"].assert_eq(&meant(&[(LastName, "")]));
}
