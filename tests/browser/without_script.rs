//! The whole way of a host and of a guest in a browser whose owner has switched scripts off.

use crate::{DESK, Demo, PHONE, webdriver::Browser};

#[tokio::test(flavor = "multi_thread")]
async fn a_host_and_a_guest_need_no_script() {
    let demo = Demo::start();
    let host = Browser::start_without_scripts().await;
    host.look(DESK.0, DESK.1, false).await;
    host.open(&format!("{}/admin/guests", demo.url)).await;
    host.write("#code", HOST.0).await;
    host.write("#last_name", HOST.1).await;
    host.press("Log in").await;
    // Where they wanted to go.
    host.wait_for("With those who are ticked").await;
    assert!(is_without_script(&host).await);
    host.press("Add a guest").await;
    host.wait_for("As it stands on the invitation").await;
    host.write("#first_name", "Ada").await;
    host.write("#last_name", "Byron").await;
    host.replace("#expected", "2").await;
    host.press("Add the guest").await;
    host.wait_for("Ada Byron is on the list").await;
    let code = host.run("return document.querySelector('code.big').textContent").await;
    let code = code.as_str().unwrap().to_owned();
    // What was done is said once.
    host.reload().await;
    host.wait_for("Ada Byron").await;
    let said = host.run("return document.querySelectorAll('.notice').length").await;
    assert_eq!(said.as_u64(), Some(0));

    let guest = Browser::start_without_scripts().await;
    guest.look(PHONE.0, PHONE.1, false).await;
    guest.open(&format!("{}/?code={code}", demo.url)).await;
    guest.write("#last_name", "byron").await;
    guest.press("Log in").await;
    guest.wait_for("Are you coming?").await;
    guest.write("[id^=dietary-]", "no nuts").await;
    guest.press("All 2 are coming").await;
    guest.wait_for("Is this right?").await;
    guest.press("Yes, save it").await;
    guest.wait_for("Thank you").await;
    guest.wait_for("coming, 2 people").await;

    // The simulator: a code, then buttons, each a form of its own.
    guest.open(&format!("{}/try", demo.url)).await;
    guest.write("#text", &format!("{code} Byron")).await;
    guest.press("Send").await;
    guest.wait_for("Ada").await;
    guest.press("Text message").await;
    guest.wait_for("Send a code and a last name").await;
    guest.write("#text", &format!("{code} Byron")).await;
    guest.press("Send").await;
    guest.wait_for("Ada").await;

    host.open(&format!("{}/admin/dietary", demo.url)).await;
    host.wait_for("no nuts").await;
    let complaints = [host.complaints().await, guest.complaints().await].concat();
    assert_eq!(complaints, Vec::<String>::new());
}

/// The host of the demo: code and last name.
const HOST: (&str, &str) = ("MAS2QERA", "Lind");

/// Buttons that need script are hidden until there is some.
async fn is_without_script(browser: &Browser) -> bool {
    let shown =
        "return [...document.querySelectorAll('[data-copy], [data-print], [data-untick]')].every((it) => it.hidden)";
    browser.run(shown).await.as_bool() == Some(true)
}
