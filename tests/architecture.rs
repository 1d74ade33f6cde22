//! Holds the tree to the layout in `docs/architecture.md`: who may name whom, and what must not be in `domain`.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// What each crate may name of ours; the root package names all.
const MAY_NAME: [(&str, &[&str]); 7] = [
    ("domain", &[]),
    ("store", &["domain"]),
    ("app", &["domain", "store"]),
    ("bots", &["domain", "store", "app"]),
    ("webhooks", &["domain", "store", "app", "bots"]),
    ("reminders", &["domain", "store", "app"]),
    ("web", &["domain", "store", "app"]),
];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn manifest(folder: &str) -> toml::Table {
    fs::read_to_string(root().join(folder).join("Cargo.toml")).unwrap().parse().unwrap()
}

fn dependencies(folder: &str) -> BTreeSet<String> {
    let manifest = manifest(folder);
    manifest.get("dependencies").and_then(|it| it.as_table()).unwrap().keys().cloned().collect()
}

fn sources(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            found.push((path, text));
        }
    }
    found
}

#[test]
fn a_crate_names_only_the_crates_below_it() {
    let ours: BTreeSet<&str> = MAY_NAME.iter().map(|(name, _)| *name).collect();
    for (name, allowed) in MAY_NAME {
        let named: BTreeSet<String> =
            dependencies(name).into_iter().filter(|dependency| ours.contains(dependency.as_str())).collect();
        let allowed: BTreeSet<String> = allowed.iter().map(|name| (*name).to_owned()).collect();
        assert!(named.is_subset(&allowed), "{name} names {named:?}, may name {allowed:?}");
    }
}

#[test]
fn every_crate_is_in_the_list_or_only_for_tests() {
    let workspace = manifest(".");
    let members = workspace["workspace"]["members"].as_array().unwrap();
    let members: BTreeSet<&str> = members.iter().map(|member| member.as_str().unwrap()).collect();
    let listed: BTreeSet<&str> =
        MAY_NAME.iter().map(|(name, _)| *name).chain(["tests/fakes", "tests/mongo-server"]).collect();
    assert_eq!(members, listed);
}

#[test]
fn only_the_root_names_a_store() {
    for (name, _) in MAY_NAME.iter().filter(|(name, _)| *name != "store") {
        for (path, text) in sources(&root().join(name).join("src")) {
            let is_test = path.file_name().is_some_and(|name| name == "tests.rs")
                || path.components().any(|part| part.as_os_str() == "tests");
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            let names = code.contains("SqliteStore") || code.contains("MongoStore");
            assert!(is_test || !names, "{} names a store: that is the root package's to choose", path.display());
        }
    }
}

#[test]
fn the_rules_do_nothing_but_decide() {
    let forbidden = ["tokio", "reqwest", "axum", "rusqlite", "mongodb", "rand", "getrandom", "tracing", "async-trait"];
    let named = dependencies("domain");
    for name in forbidden {
        assert!(!named.contains(name), "domain names {name}");
    }
    for (path, text) in sources(&root().join("domain/src")) {
        for word in ["async fn", "std::fs", "std::net", "std::env", "SystemTime", "Utc::now", "Local::now"] {
            assert!(!text.contains(word), "{} holds {word}", path.display());
        }
    }
}

#[test]
fn every_dependency_says_why_it_is_there() {
    let text = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let section = text.split("[workspace.dependencies]").nth(1).unwrap().split("\n[").next().unwrap();
    let ours: BTreeMap<&str, ()> =
        MAY_NAME.iter().map(|(name, _)| (*name, ())).chain([("fakes", ()), ("mongo-server", ())]).collect();
    for line in section.lines().filter(|line| line.contains('=') && !line.starts_with('#')) {
        let name = line.split('=').next().unwrap().trim();
        let says_why = line.rsplit_once(" # ").is_some_and(|(_, why)| why.len() > 5);
        assert!(ours.contains_key(name) || says_why, "{name}: say why it is there");
    }
}
