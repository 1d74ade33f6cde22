use std::{
    fs,
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
    time::Duration,
};

use reqwest::Client;
use serde_json::json;

use crate::home::Home;

const SECRET: &str = "a-secret-of-the-webhook";
/// What does not come in so long will not come: something is broken.
const PATIENCE: Duration = Duration::from_secs(20);

/// `convive serve` in a folder, until it is dropped: then it is killed without a warning.
pub struct Serving {
    child: Child,
    pub url: String,
    /// What it said before it was ready.
    said: String,
    http: Client,
}

impl Serving {
    pub fn start(home: &Home, env: &[(&str, &str)]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_convive"))
            .arg("serve")
            .current_dir(home.path(""))
            .env_clear()
            .envs(env.iter().copied())
            .env("CONVIVE__HTTP__LISTEN", "127.0.0.1:0")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
        let (mut said, mut url) = (String::new(), None);
        for line in lines.by_ref() {
            url = line.strip_prefix("listening on ").map(str::to_owned);
            if url.is_some() {
                break;
            }
            said.push_str(&line);
            said.push('\n');
        }
        // What it says later must not fill the pipe.
        std::thread::spawn(move || lines.count());
        Self { child, url: url.unwrap_or_else(|| panic!("it was never ready: {said}")), said, http: client() }
    }

    async fn get(&self, path: &str) -> (u16, String) {
        let response = self.http.get(format!("{}{path}", self.url)).send().await.unwrap();
        (response.status().as_u16(), response.text().await.unwrap())
    }

    /// Telegram, or somebody who pretends to be, hands over a text.
    async fn hear(&self, secret: &str, update: u32, text: &str) -> u16 {
        let person = json!({ "id": 7_100_000_001_u64, "is_bot": false, "first_name": "A", "type": "private" });
        let message =
            json!({ "message_id": update, "date": 1_790_000_000, "chat": person, "from": person, "text": text });
        let body = json!({ "update_id": update, "message": message }).to_string();
        let post = self.http.post(format!("{}/webhooks/telegram", self.url)).body(body);
        post.header("x-telegram-bot-api-secret-token", secret).send().await.unwrap().status().as_u16()
    }

    /// Waits until a counter shows this number.
    async fn counts(&self, counter: &str, number: u32) {
        self.shows(counter, |shown| shown == number).await;
    }

    /// Waits until a counter shows such a number.
    async fn shows(&self, counter: &str, holds: impl Fn(u32) -> bool) {
        let is_it = |line: &str| {
            let number = line.strip_prefix(counter).and_then(|rest| rest.trim().parse::<u32>().ok());
            number.is_some_and(&holds)
        };
        let wait = async { while !self.get("/metrics").await.1.lines().any(is_it) {} };
        if tokio::time::timeout(PATIENCE, wait).await.is_err() {
            panic!("no {counter} in:\n{}", self.get("/metrics").await.1);
        }
    }
}

/// Whoever uses the program over HTTP.
pub fn client() -> Client {
    // An error means that it is there already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    Client::builder().tls_certs_only(std::iter::empty()).no_proxy().build().unwrap()
}

impl Drop for Serving {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

/// Nobody listens where Telegram should be.
const TELEGRAM: [(&str, &str); 5] = [
    ("CONVIVE__TELEGRAM__TOKEN", "7000000001:AAtest"),
    ("CONVIVE__TELEGRAM__API_URL", "http://127.0.0.1:9"),
    ("CONVIVE__TELEGRAM__MODE", "webhook"),
    ("CONVIVE__TELEGRAM__WEBHOOK_SECRET", SECRET),
    ("CONVIVE__HTTP__PUBLIC_URL", "https://rsvp.example.org"),
];

#[tokio::test]
async fn what_happens_is_counted() {
    let home = Home::with_event();
    let serving = Serving::start(&home, &TELEGRAM);
    assert!(!serving.said.contains('\u{1b}'), "colours are for terminals: {}", serving.said);
    // Before anything happens there is something to watch.
    serving.counts(r#"convive_messages_taken_in_total{channel="telegram",outcome="done"}"#, 0).await;
    serving.counts(r#"convive_messages_taken_in_total{channel="sms",outcome="failed"}"#, 0).await;
    serving.counts("convive_store_damaged_total", 0).await;
    assert_eq!(serving.hear("guessed", 1, "hello").await, 401);
    assert_eq!(serving.hear(SECRET, 2, "hello").await, 200);
    assert_eq!(serving.hear(SECRET, 2, "hello").await, 200);
    serving.counts(r#"convive_messages_taken_in_total{channel="telegram",outcome="done"}"#, 1).await;
    serving.counts(r#"convive_messages_taken_in_total{channel="telegram",outcome="repeat"}"#, 1).await;
    serving.counts(r#"convive_telegram_updates_total{outcome="refused",kind=""}"#, 1).await;
    // It is tried again, and again.
    serving.shows(r#"convive_messages_total{channel="telegram",outcome="retry"}"#, |retries| retries > 0).await;
}

#[tokio::test]
async fn a_store_whose_file_is_gone_is_not_ready_and_takes_nothing_in() {
    let home = Home::with_event();
    let serving = Serving::start(&home, &TELEGRAM);
    assert_eq!(serving.get("/readyz").await.0, 200);
    fs::rename(home.path("convive.db"), home.path("away.db")).unwrap();
    let (status, body) = serving.get("/readyz").await;
    assert!(status == 503 && body.contains("no longer at"), "{status} {body}");
    assert_eq!(serving.hear(SECRET, 1, "hello").await, 503);
    serving.counts(r#"convive_messages_taken_in_total{channel="telegram",outcome="failed"}"#, 1).await;
    serving.counts(r#"convive_store_errors_total{kind="unavailable",during="readiness"}"#, 1).await;
    fs::rename(home.path("away.db"), home.path("convive.db")).unwrap();
    assert_eq!(serving.get("/readyz").await.0, 200);
    assert_eq!(serving.hear(SECRET, 1, "hello").await, 200);
}

#[test]
fn what_is_missing_is_told_and_it_starts_all_the_same() {
    let serving = Serving::start(&Home::new(), &[]);
    assert!(serving.said.contains("there is no channel yet") && serving.said.contains("telegram.token"));
    assert!(serving.said.contains("there is no event yet. Create one first, for example: convive event set"));
    drop(serving);
    let serving = Serving::start(&Home::with_event(), &TELEGRAM);
    assert!(!serving.said.contains("there is no "), "{}", serving.said);
}
