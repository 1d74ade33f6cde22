//! The pages in a real browser: a host and a guest on the demo, and every page on a phone and on a desk, in the light
//! and in the dark.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

mod coming_back;
mod webdriver;
mod without_script;

use std::{
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use serde_json::Value;
use webdriver::{Browser, Started, axe, until};

const PHONE: (u32, u32) = (390, 844);
const DESK: (u32, u32) = (1280, 900);

/// A demo of its own.
struct Demo {
    url: String,
    admin_link: String,
    program: Started,
}

impl Demo {
    fn start() -> Self {
        let mut program = Command::new(env!("CARGO_BIN_EXE_convive"))
            .args(["demo", "--json"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(program.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let ready = BufReader::new(program.stderr.take().unwrap()).lines().map_while(Result::ok);
        assert!(ready.into_iter().any(|line| line.starts_with("listening on")));
        let said: Value = serde_json::from_str(&line).unwrap();
        let text = |key: &str| said[key].as_str().unwrap().to_owned();
        Self { url: text("url"), admin_link: text("adminLink"), program: Started(program) }
    }

    /// Ends it as Ctrl-C does.
    async fn end(mut self) {
        let id = self.program.0.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
        until(|| self.program.0.try_wait().unwrap()).await;
    }

    async fn host(&self) -> Browser {
        let browser = Browser::start().await;
        browser.look(DESK.0, DESK.1, false).await;
        browser.open(&self.admin_link).await;
        browser.press("Open the desk").await;
        browser.wait_for("Needs you").await;
        browser
    }
}

fn file(name: &str, content: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::File::create(&path).unwrap().write_all(content.as_bytes()).unwrap();
    path
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_sets_up_an_event_and_sees_a_guest_answer() {
    let demo = Demo::start();
    let host = demo.host().await;
    host.open(&format!("{}/admin/settings", demo.url)).await;
    host.replace("#place", "The Old Lighthouse").await;
    host.press("Show what this changes").await;
    host.wait_for("If you save this").await;
    keep_picture(&host, "settings-effect").await;
    assert_eq!(faults(&host).await, Vec::<String>::new());
    host.press("Save").await;
    host.wait_for("settings are saved").await;
    host.wait_for("The Old Lighthouse").await;

    host.open(&format!("{}/admin/import", demo.url)).await;
    let list = file(
        "browser-guests.csv",
        "code,first_name,last_name,group\nPQR7ST5V,Ada,Byron,byron\nPQR7ST6W,Leo,Byron,byron\n",
    );
    host.write("#file", list.to_str().unwrap()).await;
    host.press("See what it changes").await;
    host.wait_for("2 new, 0 changed").await;
    assert_eq!(faults(&host).await, Vec::<String>::new());
    host.press("Import it").await;
    host.wait_for("2 guests added").await;
    assert_eq!(faults(&host).await, Vec::<String>::new());
    host.open(&format!("{}/admin", demo.url)).await;
    host.wait_for("Needs you").await;

    let guest = Browser::start().await;
    guest.look(PHONE.0, PHONE.1, false).await;
    guest.open(&format!("{}/try", demo.url)).await;
    guest.write("#text", "PQR7ST5V Byron").await;
    guest.press("Send").await;
    guest.wait_for("The Old Lighthouse").await;
    guest.press("All 2").await;
    guest.wait_for("dietary needs").await;
    assert_eq!(faults(&guest).await, Vec::<String>::new());
    keep_picture(&guest, "chat").await;

    // By text, in the other tab: numbers and words in place of buttons.
    guest.press("Text message").await;
    guest.wait_for("Send a code and a last name").await;
    guest.write("#text", "PQR7ST6W Byron").await;
    guest.press("Send").await;
    guest.wait_for("Byron").await;

    // Nobody loads the host's page again: it follows by itself.
    host.wait_for("Leo Byron").await;
    assert_eq!(host.complaints().await, Vec::<String>::new());
    // A page that is followed live does not keep the program from ending.
    demo.end().await;
}

/// What axe-core finds, a line each.
async fn violations(browser: &Browser) -> Vec<String> {
    let script = "const done = arguments[arguments.length - 1]; \
        axe.run(document, { resultTypes: ['violations'] }).then((found) => done(found.violations.map((violation) => \
        `${violation.id}: ${violation.nodes.map((node) => node.target.join(' ') + ' ' + node.failureSummary).join('; ')}`)));";
    browser.run(&axe()).await;
    let found = browser.run_until_called(script).await;
    found.as_array().unwrap().iter().map(|line| line.as_str().unwrap_or_default().to_owned()).collect()
}

/// What is wrong with the page that is shown.
async fn faults(browser: &Browser) -> Vec<String> {
    let mut found = violations(browser).await;
    found.extend(browser.complaints().await);
    let overflow = browser.run("return document.documentElement.scrollWidth - window.innerWidth").await;
    if overflow.as_i64().is_some_and(|pixels| pixels > 0) {
        found.push(format!("{overflow} pixels wider than the screen"));
    }
    found
}

/// For those who want to look at the pages themselves.
async fn keep_picture(browser: &Browser, name: &str) {
    if let Ok(folder) = std::env::var("CONVIVE_SCREENSHOTS") {
        std::fs::write(Path::new(&folder).join(format!("{name}.png")), browser.picture().await).unwrap();
    }
}

/// Fills the demo so that pages have something to show.
async fn some_answers(demo: &Demo) {
    let guest = Browser::start().await;
    guest.look(PHONE.0, PHONE.1, false).await;
    for (code, name, press) in [("DRF5UV8K", "Ek", "All 4 are coming"), ("FTP7YZ2H", "Santos", "I cannot come")] {
        guest.open(&format!("{}/", demo.url)).await;
        guest.write("#code", code).await;
        guest.write("#last_name", name).await;
        guest.press("Log in").await;
        guest.wait_for("coming?").await;
        if press.starts_with("All") {
            guest.write("[id^=dietary-]", "no nuts, one child is vegetarian").await;
        }
        guest.press(press).await;
        guest.wait_for("Is this right?").await;
        guest.press("Yes, save it").await;
        guest.wait_for("Thank you").await;
        guest.click(".top form button").await;
        guest.wait_for("You are invited").await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn on_paper_there_are_invitations_and_nothing_else() {
    let demo = Demo::start();
    let host = demo.host().await;
    host.on_paper().await;
    host.open(&format!("{}/admin/invitations", demo.url)).await;
    let shown = "return [...document.querySelectorAll('body > *, main > *, button, .button')] \
        .filter((it) => it.checkVisibility() && it.id !== 'main').map((it) => it.className)";
    assert_eq!(host.run(shown).await, serde_json::json!(["cards"]));
}

#[tokio::test(flavor = "multi_thread")]
async fn every_page_is_sound_on_a_phone_and_on_a_desk_by_day_and_by_night() {
    let demo = Demo::start();
    some_answers(&demo).await;
    let browser = demo.host().await;
    let guest = browser.run("return (async () => { const page = await (await fetch('/admin/guests?q=sofia')).text(); return page.match(/\\/admin\\/guests\\/[0-9a-f]{24}/)[0]; })()").await;
    let guest = guest.as_str().unwrap().to_owned();
    let edit = format!("{guest}/edit");
    let pages = [
        ("overview", "/admin"),
        ("guests", "/admin/guests"),
        ("guest", guest.as_str()),
        ("edit", &edit),
        ("new", "/admin/guests/new"),
        ("groups", "/admin/groups"),
        ("group", "/admin/groups?name=ek-berg"),
        ("dietary", "/admin/dietary"),
        ("import", "/admin/import"),
        ("settings", "/admin/settings"),
        ("deliveries", "/admin/deliveries"),
        ("invitations", "/admin/invitations"),
        ("simulator", "/try"),
        ("guest-page", "/"),
    ];
    let mut faults = Vec::new();
    let mut check = async |name: &str, path: &str, browser: &Browser| {
        for (size, (width, height)) in [("phone", PHONE), ("desk", DESK)] {
            for is_dark in [false, true] {
                browser.look(width, height, is_dark).await;
                browser.open(&format!("{}{path}", demo.url)).await;
                let found = crate::faults(browser).await;
                let scheme = if is_dark { "dark" } else { "light" };
                faults.extend(found.into_iter().map(|fault| format!("{name} {size} {scheme}: {fault}")));
                keep_picture(browser, &format!("{name}-{size}-{scheme}")).await;
            }
        }
    };
    for (name, path) in pages {
        check(name, path, &browser).await;
    }
    let stranger = Browser::start().await;
    for (name, path) in [("login", "/admin/login"), ("welcome", "/?code=K7QF2MXA")] {
        check(name, path, &stranger).await;
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
