//! Every command in README and docs is run: here, or (marked `run:`) by `.ci/run`.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    fs,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// A fenced `sh` block, with what the comment before it says about it.
struct Block {
    place: String,
    mark: String,
    script: String,
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn pages() -> Vec<PathBuf> {
    let mut pages = vec![root().join("README.md")];
    let docs = fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    pages.extend(docs.filter(|path| path.extension().is_some_and(|ending| ending == "md")));
    pages
}

fn blocks() -> Vec<Block> {
    let mut blocks = Vec::new();
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        let mut mark = String::new();
        let mut lines = (1..).zip(text.lines());
        while let Some((number, line)) = lines.next() {
            let line = line.trim();
            if let Some(comment) = line.strip_prefix("<!-- ").and_then(|line| line.strip_suffix(" -->")) {
                mark = comment.to_owned();
            } else if line == "```sh" {
                let script: Vec<&str> =
                    lines.by_ref().map(|(_, line)| line.trim()).take_while(|line| *line != "```").collect();
                let place = format!("{}:{number}", page.display());
                blocks.push(Block { place, mark: std::mem::take(&mut mark), script: script.join("\n") });
            }
        }
    }
    blocks
}

/// A shell in a folder of its own, with `convive` on its path.
fn shell(script: &str, folder: &Path) -> Command {
    let program = Path::new(env!("CARGO_BIN_EXE_convive")).parent().unwrap().to_owned();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("sh");
    shell.args(["-ec", script]).current_dir(folder).env("PATH", path).stdin(Stdio::null());
    shell
}

#[test]
fn no_command_is_left_out() {
    let blocks = blocks();
    assert!(blocks.len() >= 5, "the README shows its commands in sh blocks");
    for Block { place, mark, .. } in blocks {
        let known = mark == "try" || mark == "serve" || mark == "mongodb" || mark.starts_with("run:");
        assert!(known, "{place}: say in a comment before the block how it is run");
    }
}

#[test]
fn what_can_be_tried_works_in_the_order_of_the_page() {
    let folder = tempfile::tempdir().unwrap();
    for Block { place, script, .. } in blocks().into_iter().filter(|block| block.mark == "try") {
        let done = shell(&script, folder.path()).output().unwrap();
        let said = String::from_utf8_lossy(&done.stderr);
        assert!(done.status.success(), "{place} failed: {said}");
    }
}

#[test]
fn what_is_for_mongodb_works_there() {
    for Block { place, script, .. } in blocks().into_iter().filter(|block| block.mark == "mongodb") {
        let folder = tempfile::tempdir().unwrap();
        let database = mongo_server::database();
        // What is to be moved.
        assert!(shell("convive event list", folder.path()).output().unwrap().status.success());
        let script = script.replace("mongodb://127.0.0.1:27017/convive?replicaSet=rs0", &database.url);
        let done = shell(&script, folder.path()).output().unwrap();
        let said = String::from_utf8_lossy(&done.stderr);
        assert!(done.status.success(), "{place} failed: {said}");
    }
}

#[test]
fn what_goes_on_by_itself_gets_ready() {
    for Block { place, script, .. } in blocks().into_iter().filter(|block| block.mark == "serve") {
        let folder = tempfile::tempdir().unwrap();
        // No account is asked: nothing listens there.
        let nowhere = "http://127.0.0.1:9";
        let mut serving = shell(&format!("{script}\n").replace("convive serve", "exec convive serve"), folder.path())
            .env("CONVIVE__TELEGRAM__API_URL", nowhere)
            .env("CONVIVE__HTTP__LISTEN", "127.0.0.1:0")
            .stderr(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let mut said = BufReader::new(serving.stderr.take().unwrap()).lines().map_while(Result::ok);
        let ready = said.any(|line| line.starts_with("listening on http://"));
        serving.kill().unwrap();
        serving.wait().unwrap();
        assert!(ready, "{place}: it was never ready");
    }
}

/// What the first lines promise is what somebody who tries it sees.
#[test]
fn the_conversation_at_the_top_is_a_real_one() {
    let page = fs::read_to_string(root().join("README.md")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let guests = root().join("config/demo-guests.csv");
    let make = format!(
        "convive event set name=Supper starts_at=2090-11-28 time_zone=Europe/London\nconvive guests import {}",
        guests.display()
    );
    assert!(shell(&make, folder.path()).status().unwrap().success());
    let spoken = |who: &str| -> Vec<String> {
        let mark = format!("> **{who}:** ");
        page.lines().filter_map(|line| line.strip_prefix(&mark)).map(str::to_owned).collect()
    };
    let typed = folder.path().join("typed.txt");
    fs::write(&typed, spoken("Anna").join("\n")).unwrap();
    let done = shell("convive chat < typed.txt", folder.path()).output().unwrap();
    let answers = String::from_utf8(done.stdout).unwrap();
    let promised = spoken("Convive");
    assert!(promised.len() >= 2);
    for phrase in promised.iter().flat_map(|line| line.split('…')).map(str::trim).filter(|phrase| !phrase.is_empty())
    {
        assert!(answers.contains(phrase), "{phrase:?} is not in:\n{answers}");
    }
}
