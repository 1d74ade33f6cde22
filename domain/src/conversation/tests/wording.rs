//! Every sentence is there, is used, and has the form that its channel needs.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use super::world::{World, address};
use crate::{address::Style, message::Say, sms_text, wording};

/// Words that providers and carriers take for themselves.
const TAKEN: [&str; 8] = ["STOP", "CANCEL", "END", "QUIT", "YES", "START", "HELP", "INFO"];

/// Each message's id and text, as it stands in a file that holds messages only.
fn entries(source: &str) -> BTreeMap<String, String> {
    let mut entries: BTreeMap<String, String> = BTreeMap::new();
    let mut last = String::new();
    for line in source.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()) {
        match line.split_once(" = ").filter(|_| !line.starts_with(' ')) {
            Some((id, text)) => {
                assert!(entries.insert(id.to_owned(), text.to_owned()).is_none(), "{id} stands there twice");
                last = id.to_owned();
            }
            None => {
                let entry = entries.get_mut(&last).expect("a file begins with a message");
                entry.push('\n');
                entry.push_str(line);
            }
        }
    }
    entries
}

fn english() -> BTreeMap<String, String> {
    entries(include_str!("../../../locales/en.ftl"))
}

/// What stands between quotes in the sources of the whole program.
fn literals() -> BTreeSet<String> {
    fn read(folder: &Path, found: &mut BTreeSet<String>) {
        for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            let name = entry.file_name().unwrap().to_string_lossy().into_owned();
            if entry.is_dir() && !name.starts_with('.') && name != "target" && name != "tests" {
                read(&entry, found);
            } else if name.ends_with(".rs") && name != "tests.rs" {
                let source = fs::read_to_string(&entry).unwrap();
                found.extend(source.split('"').filter(|text| is_id(text)).map(str::to_owned));
            }
        }
    }
    let mut found = BTreeSet::new();
    read(&Path::new(env!("CARGO_MANIFEST_DIR")).join(".."), &mut found);
    found
}

fn is_id(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
}

#[test]
fn every_sentence_is_used() {
    let used = literals();
    let is_used = |id: &&String| used.contains(*id) || id.strip_suffix("-sms").is_some_and(|id| used.contains(id));
    let english = english();
    let unused: Vec<&String> = english.keys().filter(|id| !is_used(id)).collect();
    assert!(unused.is_empty(), "nobody says {unused:?}");
}

#[test]
fn every_sentence_that_is_said_is_there() {
    let english = english();
    let source = |path: &str| fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap();
    let mut missing = Vec::new();
    for path in ["src/conversation", "src/conversation/host", "src/digest", "../app/src", "../app/src/initiated"] {
        for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap() {
            let entry = entry.unwrap().path();
            if entry.extension().is_some_and(|extension| extension == "rs") {
                let text = source(entry.to_str().unwrap());
                let ids = text.split("Say::new(\"").skip(1).filter_map(|rest| rest.split('"').next());
                missing.extend(ids.filter(|id| !english.contains_key(*id)).map(str::to_owned));
            }
        }
    }
    assert!(missing.is_empty(), "{missing:?} are said, but have no words");
}

#[test]
fn every_language_is_free_of_errors_and_falls_back_to_the_same_arguments() {
    let english = english();
    for language in wording::languages() {
        let path = format!("{}/locales/{}.ftl", env!("CARGO_MANIFEST_DIR"), language.tag);
        let source = fs::read_to_string(path).unwrap();
        assert!(fluent_bundle::FluentResource::try_new(source.clone()).is_ok(), "{} has an error", language.tag);
        for (id, text) in entries(&source) {
            let wanted = english.get(&id).or_else(|| english.get(id.trim_end_matches("-sms")));
            let wanted = wanted.unwrap_or_else(|| panic!("{id} is not in English"));
            let unknown: Vec<&str> = arguments(&text).difference(&arguments(wanted)).copied().collect();
            let is_known = |argument: &&str| english.values().any(|text| arguments(text).contains(*argument));
            assert!(unknown.iter().all(is_known), "{id} wants {unknown:?}");
        }
    }
}

fn arguments(text: &str) -> BTreeSet<&str> {
    let names = text.split('$').skip(1);
    names.map(|rest| rest.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default()).collect()
}

/// Our own words in the form that texts have.
fn for_texts() -> impl Iterator<Item = (String, String)> {
    let english = english();
    let has_own_form = |id: &str| english.contains_key(&format!("{id}-sms"));
    let said =
        english.iter().filter(|(id, _)| !id.starts_with("words-") && !id.starts_with("command-") && !has_own_form(id));
    said.map(|(id, text)| (id.clone(), text.clone())).collect::<Vec<_>>().into_iter()
}

#[test]
fn no_text_asks_for_a_word_that_providers_take() {
    // START is the only way back, whoever answers it; and the first text to somebody says how to end it.
    let says_how_to_end = ["opted-out", "remind-by-code", "remind-with-codes", "invite-by-name", "invite-by-codes"];
    for (id, text) in for_texts().filter(|(id, _)| !says_how_to_end.contains(&id.as_str())) {
        let words = text.split(|c: char| !c.is_alphabetic());
        let taken: Vec<&str> = words.filter(|word| TAKEN.contains(word)).collect();
        assert!(taken.is_empty(), "{id} says {taken:?}");
        let quoted = text.split('"').skip(1).step_by(2);
        assert!(quoted.into_iter().all(|word| !TAKEN.contains(&word.to_uppercase().as_str())), "{id}");
    }
}

#[test]
fn our_own_words_are_gsm_7() {
    for (id, text) in for_texts() {
        let straight = sms_text::straighten(&text);
        assert_eq!(sms_text::segments(&straight).encoding, sms_text::Encoding::Gsm7, "{id}: {text}");
    }
}

/// What is asked by SMS fits into one segment with everyday names, asked again too.
#[test]
fn every_question_by_sms_is_one_segment() {
    let mut longest = BTreeMap::new();
    let family = || {
        let mut world = World::new();
        world.add("Dora", "Holloway", "D4RAH8", Some("holloway"), 1);
        world
    };
    let companions = || {
        let mut world = World::new();
        world.guest_mut("Ben").expected_guests = 2;
        world
    };
    let scripts = [
        "K7QF2M Holloway|hm|hm|all|hm|none|shellfish|none|none|yes|change|all|none|keep|none|none|hm|no",
        "K7QF2M Holloway|1|hm|hm|Ben|hm|hm|start again|1|not sure|hm|hm|back|Ben can't|hm",
        "K7QF2M Holloway|6|hm|yes|none for all|hm",
        "K7QF2M Holloway|none|hm|only me|hm|yes|change|hm|hm|all|2|some|hm",
        "K7QF2M Holloway|only me|hm|they answer themselves|none|yes",
        "H4TR8W Santos|hm|hm|yes|none|yes|P9DX3C Santos|switch|hm",
        "B8TAN7 Tanner|hm|2|hm|1|hm|none|change|all|change|none|hm",
        "K7QF2M|Holloway|message|never mind|wrong person|hm|no|Code H4TR8W|hm",
        "K7QF2M Holloway|all|none|vegan|none|none|no|all|keep|keep|none|none|yes",
    ];
    for world in [family, companions, World::new] {
        for script in scripts {
            let mut world = world();
            for line in script.split('|') {
                world.play(&format!("anna@sms: {line}"));
            }
            let others = "ben@sms: B3NH4Z Holloway|ben@sms: hm|ben@sms: hm|ben@sms: for everybody|ben@sms: all|ben@sms: hm|ben@sms: yes|ben@sms: keep|ben@sms: none for all";
            world.play(&others.replace('|', "\n"));
            for shown in ["anna@sms", "ben@sms"].iter().filter_map(|who| world.shown.get(&address(who))).flatten() {
                let units = sms_text::segments(&shown.text).units;
                longest.insert(units, shown.text.clone());
                assert_eq!(shown.segments, 1, "{units} units: {}", shown.text);
            }
        }
    }
    assert!(longest.len() > 30, "many questions were asked");
}

#[test]
fn names_are_shown_as_they_are() {
    for name in ["Zoë <3", "Max_Lund & *Söhne*", "{ $count }", "O’Hara"] {
        for (style, tag) in [(Style::Buttons, "Welcome, "), (Style::Texts, "Welcome, ")] {
            let say = Say::new("welcome").with("name", name);
            let shown = crate::show::plain(&wording::render(&say, wording::language("en"), style));
            assert_eq!(shown, format!("{tag}{name}!"));
        }
    }
}
