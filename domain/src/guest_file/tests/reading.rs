use expect_test::{Expect, expect};

use super::*;

/// The rows of a file (only what is set), its notices, or all that is wrong with it.
fn shown(bytes: &[u8]) -> String {
    match read(bytes, &BRITISH) {
        Err(errors) => lines(&errors),
        Ok(sheet) if !sheet.errors.is_empty() => lines(&sheet.errors),
        Ok(Sheet { rows, notices, .. }) => {
            rows.iter().map(|row| row_line(row) + "\n").collect::<String>() + &lines(&notices)
        }
    }
}

fn row_line(row: &Row) -> String {
    fn told<T: std::fmt::Debug>(text: &mut String, name: &str, cell: &Cell<T>) {
        match cell {
            Cell::Keep => {}
            Cell::Clear => *text += &format!(" {name}:cleared"),
            Cell::Set(value) => *text += &format!(" {name}:{value:?}"),
        }
    }
    let mut text = format!("{}:", row.line);
    told(&mut text, "code", &row.code.clone().map_or(Cell::Keep, Cell::Set));
    told(&mut text, "first", &row.first_name);
    told(&mut text, "last", &row.last_name.clone().map_or(Cell::Keep, Cell::Set));
    told(&mut text, "group", &row.group);
    told(&mut text, "expected", &row.expected);
    told(&mut text, "phone", &row.phone);
    told(&mut text, "language", &row.language);
    told(&mut text, "admin", &row.admin);
    told(&mut text, "notes", &row.notes);
    text
}

fn check(bytes: impl AsRef<[u8]>, expected: Expect) {
    expected.assert_eq(&shown(bytes.as_ref()));
}

#[test]
fn a_byte_order_mark_is_no_part_of_the_first_header() {
    let file = b"\xef\xbb\xbf\"last_name\",\"code\"\r\n\"Holloway\",\"K7QF2M\"\r\n";
    check(
        file,
        expect![[r#"
        2: code:"K7QF2M" last:"Holloway"
    "#]],
    );
    assert_eq!(shown(file), shown(&file[3..]));
}

#[test]
fn the_header_line_tells_the_delimiter_whatever_the_cells_hold() {
    check(
        "code;last_name;note\nK7QF2M;Holloway;nuts, shellfish, dairy\nH4TR8W;Santos\n",
        expect![[r#"
            2: code:"K7QF2M" last:"Holloway" notes:"nuts, shellfish, dairy"
            3: code:"H4TR8W" last:"Santos"
        "#]],
    );
    check(
        "code\tlast_name\tnotes\nK7QF2M\tHolloway\ta, b; c\n",
        expect![[r#"
        2: code:"K7QF2M" last:"Holloway" notes:"a, b; c"
    "#]],
    );
    check(
        "last_name\nHolloway\n",
        expect![[r#"
        2: last:"Holloway"
    "#]],
    );
    check(
        "sep=;\r\ncode;last_name\r\nK7QF2M;Holloway\r\n",
        expect![[r#"
        3: code:"K7QF2M" last:"Holloway"
    "#]],
    );
    check(
        "status;guests;last_name,code\nx",
        expect![[r#"
        line 1: no column is called last_name, and every guest needs one. The first line must name the columns, for example: code,first_name,last_name,group,expected,phone
    "#]],
    );
}

#[test]
fn headers_in_any_order_case_and_spacing() {
    check(
        "Notes,LAST-NAME, First Name ,Expected,GROUP,Code\nhello,Holloway,Anna,2,p7,K7QF2M\n",
        expect![[r#"
            2: code:"K7QF2M" first:"Anna" last:"Holloway" group:"p7" expected:2 notes:"hello"
        "#]],
    );
    check(
        "lastname,Note,status,Answered At\nHolloway,hello,coming,2026-10-01\n",
        expect![[r#"
        2: last:"Holloway" notes:"hello"
    "#]],
    );
}

#[test]
fn headers_that_nobody_knows() {
    check(
        "last_name,email,mode\nHolloway,a@b.example,x\n",
        expect![[r#"
        line 1: unknown column "mode"; did you mean code? Correct or remove it
    "#]],
    );
    check(
        "last_name,code,mode,Phone 2,phone\nHolloway,K7QF2M,x,y,\n",
        expect![[r#"
        2: code:"K7QF2M" last:"Holloway"
        line 1: column "mode" is not used (known: code, first_name, last_name, group, expected, phone, language, admin, notes)
        line 1: column "Phone 2" is not used (known: code, first_name, last_name, group, expected, phone, language, admin, notes)
    "#]],
    );
    check(
        "last_name,phnoe,frist name\nHolloway,1,2\n",
        expect![[r#"
        line 1: unknown column "phnoe"; did you mean phone? Correct or remove it
        line 1: unknown column "frist name"; did you mean first_name? Correct or remove it
    "#]],
    );
    check(
        "last_name,Last Name\nHolloway,Holloway\n",
        expect![[r#"
        line 1: two columns are called last_name; keep one of them
    "#]],
    );
    check(
        "Anna,Holloway\nBen,Holloway\n",
        expect![[r#"
        line 1: no column is called last_name, and every guest needs one. The first line must name the columns, for example: code,first_name,last_name,group,expected,phone
    "#]],
    );
    check(
        "",
        expect![[r#"
        line 1: the file is empty. Its first line must name the columns, for example: code,first_name,last_name,group,expected,phone
    "#]],
    );
    check(
        "\r\n \r\n,,,\r\n",
        expect![[r#"
        line 1: the file is empty. Its first line must name the columns, for example: code,first_name,last_name,group,expected,phone
    "#]],
    );
    check(
        "last_name,,\nHolloway,,\n",
        expect![[r#"
        2: last:"Holloway"
    "#]],
    );
}

#[test]
fn line_breaks_inside_quotes_and_mixed_line_ends() {
    check(
        "code,last_name,note\n\"K7QF2M\",\"Holloway\",\"line one\r\nline two\"\n\"H4TR8W\",\"Santos\",\"ok\"\n",
        expect![[r#"
            2: code:"K7QF2M" last:"Holloway" notes:"line one\r\nline two"
            4: code:"H4TR8W" last:"Santos" notes:"ok"
        "#]],
    );
    check(
        "code,last_name\rK7QF2M,Holloway\r",
        expect![[r#"
        2: code:"K7QF2M" last:"Holloway"
    "#]],
    );
    check(
        "code,last_name\r\n\r\nK7QF2M,Holloway\n\n\rH4TR8W,Santos",
        expect![[r#"
        3: code:"K7QF2M" last:"Holloway"
        6: code:"H4TR8W" last:"Santos"
    "#]],
    );
}

#[test]
fn faults_are_told_by_the_physical_line() {
    check(
        "last_name,expected,note\nHolloway,2,\"one\r\ntwo\rthree\nfour\"\nSantos,many,\n\nLund,0,\n",
        expect![[r#"
            line 6: expected: "many" is not a number from 1 to 50; write how many people the guest stands for, themselves included
            line 8: expected: "0" is not a number from 1 to 50; write how many people the guest stands for, themselves included
        "#]],
    );
}

#[test]
fn every_bad_line_is_told_not_only_the_first() {
    check(
        "code,first_name,last_name,expected,phone,language,admin\n\
         K7QF2M,Anna,Holloway,51,12,klingon,perhaps\n\
         -,Ben,-,-1,+440 7700 900123,,no\n\
         ,Cleo,🎉,2.5,,,\n\
         ,Dora,Lund,2,,,,,extra\n",
        expect![[r#"
            line 2: expected: "51" is not a number from 1 to 50; write how many people the guest stands for, themselves included
            line 2: phone: "12": no phone number there looks like this: check its digits, and write it like +44 7700 900123
            line 2: language: "klingon" is not a language tag; write, for example, en or pt-BR (there is wording in en)
            line 2: admin: "perhaps" is neither yes nor no; write yes for a host, or leave it blank
            line 3: code: cannot be cleared; leave the cell blank, and the guest keeps theirs or gets a new one
            line 3: last_name: cannot be cleared: guests log in with it
            line 3: expected: "-1" is not a number from 1 to 50; write how many people the guest stands for, themselves included
            line 3: phone: "+440 7700 900123": a 0 after the country code: leave it out, like +44 7700 900123, or write it as (0)
            line 4: last_name: "🎉" holds no letter, so nobody could log in with it; write the surname
            line 4: expected: "2.5" is not a number from 1 to 50; write how many people the guest stands for, themselves included
            line 5: this line has 9 cells, but the first line names only 7 columns; put a cell in double quotes when it contains the delimiter
        "#]],
    );
}

#[test]
fn quotes_that_are_not_closed_or_closed_too_early() {
    check(
        "last_name,note\nHolloway,\"never closed\nSantos,ok\n",
        expect![[r#"
        line 2: the quote that opens on this line is never closed; close it, and double every quote inside a quoted cell
    "#]],
    );
    check(
        "last_name,note\nHolloway,\"said \"hello\" twice\"\nSantos,ok\n",
        expect![[r#"
        line 2: text follows a closing quote; double every quote inside a quoted cell
    "#]],
    );
    check(
        "last_name,note\nHolloway,6\" cake\nSantos, \"a \"\"b\"\"\" \n",
        expect![[r#"
        2: last:"Holloway" notes:"6\" cake"
        3: last:"Santos" notes:"a \"b\""
    "#]],
    );
    check(
        "\"last_name\nHolloway\n",
        expect![[r#"
        line 1: the quote that opens on this line is never closed; close it, and double every quote inside a quoted cell
    "#]],
    );
}

#[test]
fn blank_cells_keep_and_a_hyphen_clears() {
    check(
        "first_name,last_name,group,expected,phone,language,admin,notes\n,Holloway,,,,,,\n-,Holloway,-,-,-,-,-,-\n",
        expect![[r#"
            2: last:"Holloway"
            3: first:cleared last:"Holloway" group:cleared expected:cleared phone:cleared language:cleared admin:cleared notes:cleared
        "#]],
    );
}

#[test]
fn yes_and_no_as_spreadsheets_say_them() {
    for (cell, expected) in [
        ("yes", Cell::Set(true)),
        ("TRUE", Cell::Set(true)),
        ("1", Cell::Set(true)),
        ("x", Cell::Set(true)),
        ("X", Cell::Set(true)),
        ("no", Cell::Set(false)),
        ("False", Cell::Set(false)),
        ("0", Cell::Set(false)),
        (" ", Cell::Keep),
        ("-", Cell::Clear),
    ] {
        let sheet = read(format!("last_name,admin\nLund,{cell}\n").as_bytes(), &BRITISH).unwrap();
        assert_eq!(sheet.rows[0].admin, expected, "{cell}");
    }
}

#[test]
fn phones_are_stored_as_they_are_dialled_from_anywhere() {
    let file = "last_name,phone\na,07700 900123\nb,+44 (0)7700 900123\nc,0044 7700 900123\nd,+44 7700-900123\n\
                e,+225 07 00 00 01 23\nf,+39 06 5550 0100\ng,'+447700900123\n";
    check(
        file,
        expect![[r#"
            2: last:"a" phone:"+447700900123"
            3: last:"b" phone:"+447700900123"
            4: last:"c" phone:"+447700900123"
            5: last:"d" phone:"+447700900123"
            6: last:"e" phone:"+2250700000123"
            7: last:"f" phone:"+390655500100"
            8: last:"g" phone:"+447700900123"
        "#]],
    );
    let sheet = read(b"last_name,phone\nLund,07700 900123\nLund,+440 7700 900123\n", &ReadDefaults { region: None });
    expect![[r#"
        line 2: phone: "07700 900123": a phone number without a country code: write it like +44 7700 900123, or set the event's phone_region (for example phone_region=GB)
        line 3: phone: "+440 7700 900123": a 0 after the country code: leave it out, like +44 7700 900123, or write it as (0)
    "#]].assert_eq(&lines(&sheet.unwrap().errors));
}

#[test]
fn invisible_characters_are_cleaned_away_and_told() {
    let file = b"last_name,first_name\nHolloway\xc2\xa0,Anna\n Holloway\xe2\x80\x8b,  Ben  \nHolloway,Cleo\n";
    check(
        file,
        expect![[r#"
        2: first:"Anna" last:"Holloway"
        3: first:"Ben" last:"Holloway"
        4: first:"Cleo" last:"Holloway"
        line 2: last_name: stored as "Holloway", without invisible characters or stray spaces
        line 3: last_name: stored as "Holloway", without invisible characters or stray spaces
    "#]],
    );
}

#[test]
fn encodings_that_spreadsheets_save_in() {
    check(
        "last_name,note\nMüller,café\n",
        expect![[r#"
        2: last:"Müller" notes:"café"
    "#]],
    );
    check(
        b"last_name,note\nM\xfcller,caf\xe9 \x80 5\n",
        expect![[r#"
        2: last:"Müller" notes:"café € 5"
        the file is not UTF-8 and was read as Windows-1252, as older spreadsheets save it. If letters look wrong, save it again as "CSV UTF-8"
    "#]],
    );
    let wide = |mark: char, bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
        format!("{mark}last_name\tnote\r\nMüller\tcafé 🎉\r\n").encode_utf16().flat_map(bytes).collect()
    };
    check(
        wide('\u{feff}', u16::to_le_bytes),
        expect![[r#"
        2: last:"Müller" notes:"café 🎉"
    "#]],
    );
    check(
        wide('\u{feff}', u16::to_be_bytes),
        expect![[r#"
        2: last:"Müller" notes:"café 🎉"
    "#]],
    );
    check(
        &wide('\u{feff}', u16::to_le_bytes)[2..],
        expect![[r#"
        line 1: the file holds NUL characters: it is not text in UTF-8. Save it again as "CSV UTF-8"
    "#]],
    );
    check(
        b"\xff\xfel\x00a",
        expect![[r#"
        line 1: the file is damaged: it is not valid UTF-16. Save it again as "CSV UTF-8"
    "#]],
    );
    check(
        b"\xff\xfe\x00\xd8l\x00",
        expect![[r#"
        line 1: the file is damaged: it is not valid UTF-16. Save it again as "CSV UTF-8"
    "#]],
    );
    check(
        b"\xef\xbb\xbflast_name\nM\xfcller\n",
        expect![[r#"
        line 2: the file says that it is UTF-8, but this line is not. Save it again as "CSV UTF-8"
    "#]],
    );
    check(
        b"PK\x03\x04\x14\x00",
        expect![[r#"
        line 1: this is a spreadsheet file, not CSV. Save it again as "CSV UTF-8"
    "#]],
    );
}

#[test]
fn a_name_may_begin_with_an_apostrophe() {
    check(
        "last_name,note\n't Hooft,'\n''t Hooft,''\n'=Aho,'-\n'-Bo,'--\n",
        expect![[r#"
        2: last:"'t Hooft" notes:"'"
        3: last:"'t Hooft" notes:"'"
        4: last:"=Aho" notes:"-"
        5: last:"-Bo" notes:"--"
    "#]],
    );
}
