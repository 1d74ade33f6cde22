use expect_test::expect;
use fakes::{telegram::FakeTelegram, twilio::FakeTwilio};
use serde_json::json;

use crate::home::Home;

#[test]
fn without_accounts_it_says_what_there_is_and_how_to_get_the_rest() {
    let home = Home::with_event();
    expect![[r#"
        ok      settings: read from the environment; there is no convive.toml here
        ok      store: sqlite:convive.db can be read and written; event harbour-supper: guests 0, hosts 0 (nobody sees the answers: add a host with convive guests add --first NAME --last NAME --admin)
        off     telegram: no bot: to have one, talk to @BotFather and set telegram.token
        off     sms: no texts: to send some, set twilio.account_sid, twilio.auth_token, twilio.from and http.public_url
    "#]].assert_eq(&home.run(&["check"]).done().out);
}

#[test]
fn the_advice_for_an_event_without_hosts_works() {
    let home = Home::with_event();
    home.run(&["guests", "add", "--first", "Mia", "--last", "Lind", "--code", "MIA-LIND"]).done();
    let advice = home.run(&["check"]).done().out;
    assert!(advice.contains(
        "hosts 0 (nobody sees the answers: make a guest a host with convive guests add --code CODE --admin)"
    ));
    home.run(&["guests", "add", "--code", "MIA-LIND", "--admin"]).done();
    assert!(home.run(&["check"]).done().out.contains("guests 1, hosts 1\n"));
}

/// The fakes answer while the program runs.
async fn run(home: Home, args: &'static [&'static str], env: Vec<(&'static str, String)>) -> (Home, crate::home::Said) {
    tokio::task::spawn_blocking(move || {
        let env: Vec<_> = env.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let said = home.run_with(args, &env, "");
        (home, said)
    })
    .await
    .unwrap()
}

#[tokio::test]
async fn accounts_that_work() {
    let telegram = FakeTelegram::start().await.unwrap();
    let twilio = FakeTwilio::start(|| "2026-10-01T12:00:00Z".parse().unwrap_or_default()).await.unwrap();
    let env = vec![
        ("CONVIVE__TELEGRAM__TOKEN", FakeTelegram::TOKEN.to_owned()),
        ("CONVIVE__TELEGRAM__API_URL", telegram.api_url()),
        ("CONVIVE__TWILIO__ACCOUNT_SID", FakeTwilio::ACCOUNT_SID.to_owned()),
        ("CONVIVE__TWILIO__AUTH_TOKEN", FakeTwilio::AUTH_TOKEN.to_owned()),
        ("CONVIVE__TWILIO__FROM", "+447700900999".to_owned()),
        ("CONVIVE__TWILIO__API_URL", twilio.api_url()),
        ("CONVIVE__HTTP__PUBLIC_URL", "https://rsvp.example.org/party/".to_owned()),
    ];
    let (home, said) = run(Home::with_event(), &["check"], env.clone()).await;
    expect![[r#"
        ok      settings: read from the environment; there is no convive.toml here
        ok      store: sqlite:convive.db can be read and written; event harbour-supper: guests 0, hosts 0 (nobody sees the answers: add a host with convive guests add --first NAME --last NAME --admin)
        ok      telegram: the bot is @convive_test_bot, mode polling
        ok      sms: the account answers; Twilio must call https://rsvp.example.org/party/webhooks/sms/twilio for texts
    "#]].assert_eq(&said.done().out);

    home.write("guests.csv", "code,last_name\nK7QF 2M,Holloway\n");
    let (home, _) = run(home, &["guests", "import", "guests.csv"], env.clone()).await;
    let (_, said) = run(home, &["guests", "codes", "--json"], env).await;
    assert_eq!(said.done().json()[0]["link"], json!("https://t.me/convive_test_bot?start=K7QF-2M"));
    telegram.finish();
    twilio.finish();
}

#[tokio::test]
async fn accounts_that_do_not_work_fail_the_check_and_no_secret_is_told() {
    let telegram = FakeTelegram::start().await.unwrap();
    let env = vec![
        ("CONVIVE__TELEGRAM__TOKEN", "7000000001:AAwrong-hunter2".to_owned()),
        ("CONVIVE__TELEGRAM__API_URL", telegram.api_url()),
        ("CONVIVE__TWILIO__ACCOUNT_SID", FakeTwilio::ACCOUNT_SID.to_owned()),
        ("CONVIVE__TWILIO__AUTH_TOKEN", "hunter2".to_owned()),
        ("CONVIVE__TWILIO__FROM", "+447700900999".to_owned()),
        // Nobody listens there.
        ("CONVIVE__TWILIO__API_URL", "http://127.0.0.1:9".to_owned()),
        ("CONVIVE__HTTP__PUBLIC_URL", "https://rsvp.example.org".to_owned()),
    ];
    let (home, said) = run(Home::with_event(), &["check"], env.clone()).await;
    assert_eq!(said.code, 1);
    assert!(!format!("{said:?}").contains("hunter2"));
    expect![[r#"
        ok      settings: read from the environment; there is no convive.toml here
        ok      store: sqlite:convive.db can be read and written; event harbour-supper: guests 0, hosts 0 (nobody sees the answers: add a host with convive guests add --first NAME --last NAME --admin)
        FAILED  telegram: Telegram answered 401 "Unauthorized". Compare telegram.token with what @BotFather gave, and see whether this machine reaches the address of telegram.api_url
        FAILED  sms: Twilio cannot be reached (twilio.api_url, the network)
    "#]].assert_eq(&said.out);

    // Codes are listed all the same.
    home.write("guests.csv", "code,last_name\nK7QF2M,Holloway\n");
    let (home, _) = run(home, &["guests", "import", "guests.csv"], env.clone()).await;
    let (_, said) = run(home, &["guests", "codes", "--json"], env).await;
    assert_eq!(said.json()[0]["link"], json!(null));
    assert!(said.err.contains("links are left out"), "{said:?}");
}
