use proptest::prelude::*;

use super::*;

fn read(text: &str) -> Vec<(String, String)> {
    readings(text).into_iter().map(|reading| (reading.code, reading.last_name)).collect()
}

fn first(text: &str) -> (String, String) {
    read(text).into_iter().next().unwrap_or_default()
}

#[test]
fn codes_and_names_typed_the_human_way() {
    for (text, code, last_name) in [
        ("K7QF2M Holloway", "K7QF2M", "Holloway"),
        ("k7qf2m holloway", "k7qf2m", "holloway"),
        ("K7QF-2M Holloway", "K7QF-2M", "Holloway"),
        ("k7qf-2m, HOLLOWAY", "k7qf-2m", "HOLLOWAY"),
        ("K7QF2M, HOLLOWAY", "K7QF2M", "HOLLOWAY"),
        ("K7QF2M,Holloway", "K7QF2M", "Holloway"),
        ("K7QF2M / Holloway", "K7QF2M", "Holloway"),
        ("K7QF2M\nHolloway", "K7QF2M", "Holloway"),
        ("K7QF2M\r\nvan der Berg\r\n", "K7QF2M", "van der Berg"),
        ("Code: K7QF2M Holloway", "K7QF2M", "Holloway"),
        ("code:K7QF2M Holloway", "K7QF2M", "Holloway"),
        ("CODE K7QF2M HOLLOWAY", "K7QF2M", "HOLLOWAY"),
        ("code K7QF2M, name Holloway", "K7QF2M", "Holloway"),
        ("Code: K7QF2M\nLast name: van der Berg", "K7QF2M", "van der Berg"),
        ("code=K7QF2M;surname=Holloway", "K7QF2M", "Holloway"),
        ("My code is K7QF2M and my last name is Holloway.", "K7QF2M", "Holloway"),
        ("first name Anna, last name Holloway, code K7QF2M", "K7QF2M", "Holloway"),
        ("Name: Holloway Code: K7QF2M", "K7QF2M", "Holloway"),
        ("Holloway, code K7QF2M", "K7QF2M", "Holloway"),
        ("K7QF2M my name is Holloway", "K7QF2M", "Holloway"),
        ("Code: smithfamily\nSmith", "smithfamily", "Smith"),
        ("Holloway K7QF2M", "K7QF2M", "Holloway"),
        ("van der Berg K7QF2M", "K7QF2M", "van der Berg"),
        ("K7QF2M van der Berg", "K7QF2M", "van der Berg"),
        ("K7QF2M Anna Holloway", "K7QF2M", "Anna Holloway"),
        ("K7QF 2M Holloway", "K7QF 2M", "Holloway"),
        ("K7 QF 2M Holloway", "K7 QF 2M", "Holloway"),
        ("Holloway K7QF 2M", "K7QF 2M", "Holloway"),
        ("KQFM PRST Holloway", "KQFM PRST", "Holloway"),
        ("K7QF 2M\nvan der Berg", "K7QF 2M", "van der Berg"),
        ("Code: K7QF 2M, Holloway", "K7QF 2M", "Holloway"),
        ("<K7QF2M> Holloway", "K7QF2M", "Holloway"),
        ("\"K7QF2M\" 'Holloway'", "K7QF2M", "Holloway"),
        ("(K7QF2M) [Holloway].", "K7QF2M", "Holloway"),
        ("“k7qf2m” – Holloway!", "k7qf2m", "Holloway"),
        ("K7QF2M Holloway 🎉", "K7QF2M", "Holloway"),
        ("K7QF2M Holloway⚓\u{fe0f}", "K7QF2M", "Holloway"),
        ("K7QF2M O’Shaughnessy", "K7QF2M", "O’Shaughnessy"),
        ("K7QF2M Nu\u{301}n\u{303}ez", "K7QF2M", "Nu\u{301}n\u{303}ez"),
        ("K7QF2M शर्मा", "K7QF2M", "शर्मा"),
        ("Ｋ７ＱＦ２Ｍ　Holloway", "Ｋ７ＱＦ２Ｍ", "Holloway"),
        ("K7QF\u{200b}2M\u{a0}Holloway", "K7QF\u{200b}2M", "Holloway"),
        ("vTFSxGE3 Doe", "vTFSxGE3", "Doe"),
        ("123456 Doe", "123456", "Doe"),
        ("Hi K7QF2M Holloway", "K7QF2M", "Holloway"),
        ("Hello, K7QF2M Holloway", "K7QF2M", "Holloway"),
        ("K7QF2M Code", "K7QF2M", "Code"),
    ] {
        assert_eq!(first(text), (code.to_owned(), last_name.to_owned()), "{text}: {:?}", read(text));
    }
}

#[test]
fn other_readings_come_later() {
    let has = |text: &str, code: &str, last_name: &str| {
        assert!(read(text).contains(&(code.to_owned(), last_name.to_owned())), "{text}: {:?}", read(text));
    };
    has("Anna K7QF2M Holloway", "K7QF2M", "Holloway");
    has("Anna K7QF2M Holloway", "K7QF2M", "Anna");
    // A chosen code that looks like any word.
    has("smithfamily Smith", "smithfamily", "Smith");
    has("Smith smithfamily", "smithfamily", "Smith");
    has("abcd Maria de la Cruz", "abcd", "Maria de la Cruz");
    has("kqfm prst holloway", "kqfm prst", "holloway");
    has("K7QF2M Berg 2", "K7QF2M", "Berg 2");
    has("Code: K7QF2M Holloway", "K7QF2M", "Holloway");
    // What else is said.
    for text in [
        "K7QF2M Holloway thanks",
        "K7QF2M Holloway thank you!",
        "Holloway K7QF2M, please",
        "K7QF2M Holloway, I'm coming",
        "K7QF2M Holloway. I'm coming, thanks",
        "K7QF2M Holloway\nwe are 2",
        "K7QF2M\nHolloway\nwe are 2",
        "k7qf2m, Holloway, thanks so much",
        "Hello K7QF2M Holloway, see you there, we are 3",
        "K7QF2M Holloway\nAnna can't come\nBen can",
    ] {
        let is_it = |(code, name): &(String, String)| code.eq_ignore_ascii_case("K7QF2M") && name == "Holloway";
        assert!(read(text).iter().any(is_it), "{text}: {:?}", read(text));
    }
    has("K7QF2M Anna Best", "K7QF2M", "Anna Best");
}

/// Nothing of a name is left out but kindness at its end.
#[test]
fn another_name_is_another_name() {
    for text in ["K7QF2M Holloway Smith", "K7QF2M Smith Holloway thanks", "K7QF2M Holloway-Smith, hi"] {
        assert!(read(text).iter().all(|(_, name)| name != "Holloway"), "{text}: {:?}", read(text));
    }
    // A word that does not look like a code is none for its being followed by more.
    for text in ["we are coming, see you there", "smith holloway, thanks", "hello there, who are you"] {
        assert!(shortened(&Words::of(text).fields()).is_empty(), "{text}");
    }
}

#[test]
fn no_fuzzy_correction() {
    assert_eq!(first("K7QFZM Holloway"), ("K7QFZM".to_owned(), "Holloway".to_owned()));
}

#[test]
fn texts_without_code_or_without_name_have_no_readings() {
    for text in [
        "",
        " ",
        "K7QF2M",
        "Code: K7QF2M",
        "K7QF2M 🎉",
        "K7QF2M, -",
        "Holloway",
        "name Holloway",
        "2",
        "yes",
        "no no",
        "stop no",
        "menu yes",
        "how do I get to the party",
        "K7QF2M one two three four five six seven eight nine ten eleven twelve",
        &format!("K7QF2M {}", "x".repeat(200)),
    ] {
        assert_eq!(read(text), [], "{text}");
    }
}

#[test]
fn a_code_alone() {
    for (text, expected) in [
        ("K7QF2M", Some("K7QF2M")),
        (" k7qf-2m. ", Some("k7qf-2m")),
        ("<K7QF2M>", Some("K7QF2M")),
        ("K7QF2M 🎉", Some("K7QF2M")),
        ("K7QF 2M", Some("K7QF 2M")),
        ("Code: K7QF2M", Some("K7QF2M")),
        ("code K7QF 2M", Some("K7QF 2M")),
        ("my code is smithfamily", Some("smithfamily")),
        ("Code: 1234", Some("1234")),
        ("1234", None),
        ("smithfamily", None),
        ("Holloway", None),
        ("Santos", None),
        ("YES", None),
        ("CHANGE", None),
        ("Code: stop", None),
        ("K7QF2M Holloway", None),
        ("Code: K7QF2M Holloway", None),
        ("20 11 2026", None),
        ("code", None),
        ("", None),
        ("🎉", None),
    ] {
        assert_eq!(lone_code(text).as_deref(), expected, "{text}");
    }
}

#[test]
fn who_says_code_means_to_log_in() {
    for (text, expected) in [
        ("Code: K7QF2M Holloway", true),
        ("code K7QF2M Holloway", true),
        ("  “CODE”:K7QF2M", true),
        ("code", false),
        ("code:", false),
        ("Codeine 5mg", false),
        ("my code is K7QF2M", false),
        ("K7QF2M code", false),
        ("", false),
    ] {
        assert_eq!(says_code(text), expected, "{text}");
    }
}

#[test]
fn texts_with_something_like_a_code() {
    for (text, expected) in [
        ("K7QF2M Holloway", true),
        ("Holloway k7qf-2m", true),
        ("is K7QF2M right?", true),
        ("KQFM PRST Holloway", true),
        ("Maria Santos", false),
        ("Eva Marks Holloway", false),
        ("Santos", false),
        ("hello there, who is this?", false),
        ("CHANGE", false),
        ("there will be 3 of us", false),
        ("🎉", false),
        (&format!("{} K7QF2M", "very ".repeat(100)), true),
    ] {
        assert_eq!(contains_code_like(text), expected, "{text}");
    }
}

#[test]
fn credentials_do_not_show_themselves() {
    assert_eq!(format!("{:?}", readings("K7QF2M Holloway")[0]), "Credentials { .. }");
}

proptest! {
    #[test]
    fn any_text_is_read_without_harm(text in "(\\PC|[ \n,:a-z0-9]){0,60}") {
        let readings = readings(&text);
        prop_assert!(readings.len() <= MOST_READINGS);
        for reading in readings {
            prop_assert!(code::could_be_a_code(&reading.code) && !name::is_blank(&reading.last_name));
        }
        let _ = (lone_code(&text), says_code(&text), contains_code_like(&text));
    }

    #[test]
    fn code_and_name_are_found_in_every_shape(
        code in "[A-HJKMNP-Z]{1,2}[2-9][2-9A-HJKMNP-Z]{3,5}",
        name in "[A-Z][a-z]{1,9}([ -][A-Z][a-z]{1,9})?",
        shape in prop::sample::select(vec!["{c} {n}", "{c}, {n}", "{n}\n{c}", "{n} {c}", "Code: {c} {n}", "code {c}, name {n}"]),
        lower: bool,
    ) {
        let text = shape.replace("{c}", &code).replace("{n}", &name);
        let text = if lower { text.to_lowercase() } else { text };
        prop_assert!(
            readings(&text).iter().any(|found| {
                code::key(&found.code) == code && name::same_last_name(&name, &found.last_name)
            }),
            "{:?}", read(&text)
        );
        prop_assert!(contains_code_like(&text));
    }
}
