//! Coming back: with "Back", after a lost session, and to what was ticked.

use serde_json::Value;

use crate::{DESK, Demo, faults, file, webdriver::Browser};

/// The heading of the page, or what the browser says in place of a page.
async fn heading(browser: &Browser) -> String {
    let heading = browser.run("return (document.querySelector('h1, h2') || document.body).innerText").await;
    heading.as_str().unwrap_or_default().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn back_never_asks_to_send_a_form_again() {
    let demo = Demo::start();
    let host = demo.host().await;
    host.open(&format!("{}/admin/import", demo.url)).await;
    let list = file("browser-back.csv", "last_name,first_name\nByron,Ada\n");
    host.write("#file", list.to_str().unwrap()).await;
    host.press("See what it changes").await;
    host.wait_for("1 new, 0 changed").await;
    host.press("Import it").await;
    host.wait_for("1 guest added").await;
    host.press("To the list").await;
    host.wait_for("Ada Byron").await;
    host.back().await;
    host.wait_for("1 guest added").await;
    host.back().await;
    host.wait_for("1 new, 0 changed").await;
    // What was shown is no longer so: it is shown anew, and nobody is added twice.
    host.press("Import it").await;
    host.wait_for("0 new, 0 changed, 1 as before").await;

    host.open(&format!("{}/admin/settings", demo.url)).await;
    host.replace("#place", "The Old Lighthouse").await;
    host.press("Show what this changes").await;
    host.wait_for("If you save this").await;
    host.open(&format!("{}/admin/guests", demo.url)).await;
    host.click(".guest .tick input").await;
    host.press("New codes").await;
    host.wait_for("Make a new code for Mia Lind?").await;
    assert_eq!(faults(&host).await, Vec::<String>::new());
    host.reload().await;
    host.wait_for("Make a new code for Mia Lind?").await;
    host.back().await;
    host.wait_for("With those who are ticked").await;
    host.back().await;
    host.wait_for("If you save this").await;
    assert_eq!(host.complaints().await, Vec::<String>::new());

    // A guest's read-back.
    let guest = Browser::start().await;
    guest.open(&format!("{}/", demo.url)).await;
    guest.write("#code", "DRF5UV8K").await;
    guest.write("#last_name", "Ek").await;
    guest.press("Log in").await;
    guest.wait_for("Who is coming?").await;
    guest.press("All 4 are coming").await;
    guest.wait_for("Is this right?").await;
    assert_eq!(faults(&guest).await, Vec::<String>::new());
    guest.reload().await;
    guest.wait_for("Is this right?").await;
    guest.open(&format!("{}/try", demo.url)).await;
    guest.back().await;
    guest.wait_for("Is this right?").await;
    guest.press("Yes, save it").await;
    guest.wait_for("Thank you").await;
    guest.back().await;
    guest.wait_for("Who is coming?").await;
    assert_eq!(heading(&guest).await, "Midsummer Masquerade");
    assert_eq!(guest.complaints().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_typed_comes_back_after_the_login() {
    let demo = Demo::start();
    let host = demo.host().await;
    host.open(&format!("{}/admin/guests/new", demo.url)).await;
    host.write("#last_name", "Byron").await;
    host.write("#notes", "first line\nsecond \"line\"").await;
    host.lose_session().await;
    host.press("Add the guest").await;
    host.wait_for("what you typed is kept on this page").await;
    host.write("#code", "MAS2QERA").await;
    host.write("#last_name", "Lind").await;
    host.press("Log in").await;
    host.wait_for("nothing is saved yet").await;
    assert_eq!(faults_without_refusals(&host).await, Vec::<String>::new());
    let typed =
        host.run("return [document.querySelector('#last_name').value, document.querySelector('#notes').value]").await;
    assert_eq!(typed, Value::from(["Byron", "first line\nsecond \"line\""].map(Value::from).to_vec()));
    host.press("Add the guest").await;
    host.wait_for("Byron is on the list").await;

    // Once more: they are there already, and may be somebody else.
    host.open(&format!("{}/admin/guests/new", demo.url)).await;
    host.write("#last_name", "BYRON").await;
    host.press("Add the guest").await;
    host.wait_for("There is already:").await;
    let focused = host.run("return document.activeElement.id").await;
    assert_eq!(focused.as_str(), Some("problems"));
    assert_eq!(faults_without_refusals(&host).await, Vec::<String>::new());
    host.press("Add all the same").await;
    host.wait_for("BYRON is on the list").await;
    host.click(".danger button").await;
    host.wait_for("BYRON is off the list").await;
    assert_eq!(faults(&host).await, Vec::<String>::new());
    host.press("Undo").await;
    host.wait_for("The guest is back on the list").await;
}

/// Without what a browser says of every answer that is an error.
async fn faults_without_refusals(browser: &Browser) -> Vec<String> {
    faults(browser).await.into_iter().filter(|fault| !fault.contains("status of 4")).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn ticks_survive_a_search() {
    let demo = Demo::start();
    let host = demo.host().await;
    host.look(DESK.0, DESK.1, false).await;
    host.open(&format!("{}/admin/guests", demo.url)).await;
    host.click(".guest .tick input").await;
    host.wait_for("1 ticked.").await;
    let first = host.run("return document.querySelector('.guest .who a').textContent").await;
    host.write("#q", "santos").await;
    host.wait_for("1 ticked, 1 of them not shown here.").await;
    // In one go: the list may be on its way once more.
    host.run("document.querySelector('.guest .tick input').click()").await;
    host.wait_for("2 ticked, 1 of them not shown here.").await;
    host.press("Put into a group").await;
    host.wait_for(first.as_str().unwrap()).await;
    host.wait_for("Santos").await;
    host.back().await;
    host.wait_for("With those who are ticked").await;
}
