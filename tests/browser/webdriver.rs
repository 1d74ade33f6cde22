//! As much of the WebDriver protocol (<https://www.w3.org/TR/webdriver2/>) as the tests need. The clients on
//! crates.io either switch on features of `serde_json` for the whole workspace, or bring half of an older one.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::PathBuf,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

/// The key under which an element's id comes, by the protocol.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";
const PATIENCE: Duration = Duration::from_secs(120);

/// A program that ends with the test.
pub struct Started(pub Child);

impl Drop for Started {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Waits until there is something.
pub async fn until<T>(mut look: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(begun.elapsed() < PATIENCE, "it does not come");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// A browser under control.
pub struct Browser {
    session: String,
    client: reqwest::Client,
    _driver: Started,
}

impl Browser {
    pub async fn start() -> Self {
        Self::start_with(json!({})).await
    }

    /// One whose owner has switched scripts off.
    pub async fn start_without_scripts() -> Self {
        // Of the content settings, 2 is "block".
        Self::start_with(json!({ "profile.managed_default_content_settings.javascript": 2 })).await
    }

    async fn start_with(prefs: Value) -> Self {
        let mut driver = Command::new("chromedriver")
            .args(["--port=0", "--log-level=SEVERE"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver is missing; `scripts/test` installs it");
        let output = BufReader::new(driver.stdout.take().unwrap());
        let port = output.lines().map_while(Result::ok).find_map(|line| {
            let rest = line.split("successfully on port ").nth(1)?;
            Some(rest.trim_end_matches('.').to_owned())
        });
        let driver = Started(driver);
        let base = format!("http://127.0.0.1:{}/session", port.unwrap());
        let client = bots::http_client(&base.parse().unwrap()).unwrap();
        let options = json!({
            "args": ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--hide-scrollbars",
                "--no-proxy-server", "--lang=en-GB"],
            "prefs": prefs,
        });
        let capabilities = json!({ "capabilities": { "alwaysMatch": {
            "browserName": "chrome",
            "goog:chromeOptions": options,
            "goog:loggingPrefs": { "browser": "ALL" },
        } } });
        let answer: Value = client.post(&base).json(&capabilities).send().await.unwrap().json().await.unwrap();
        let id = answer["value"]["sessionId"].as_str().unwrap_or_else(|| panic!("{answer}"));
        Self { session: format!("{base}/{id}"), client, _driver: driver }
    }

    async fn post(&self, path: &str, body: Value) -> Result<Value, Value> {
        let answer = self.client.post(format!("{}/{path}", self.session)).json(&body).send().await.unwrap();
        let is_done = answer.status().is_success();
        let value = answer.json::<Value>().await.unwrap()["value"].take();
        if is_done { Ok(value) } else { Err(value) }
    }

    async fn must(&self, path: &str, body: Value) -> Value {
        self.post(path, body).await.unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    pub async fn open(&self, url: &str) {
        self.must("url", json!({ "url": url })).await;
    }

    pub async fn back(&self) {
        self.must("back", json!({})).await;
    }

    pub async fn reload(&self) {
        self.must("refresh", json!({})).await;
    }

    /// As if the session had ended long ago: the browser has dropped its cookie.
    pub async fn lose_session(&self) {
        let url = format!("{}/cookie/convive", self.session);
        assert!(self.client.delete(url).send().await.unwrap().status().is_success());
    }

    /// A page of this width, in the light or in the dark.
    pub async fn look(&self, width: u32, height: u32, is_dark: bool) {
        let scheme = if is_dark { "dark" } else { "light" };
        let media = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme },
            { "name": "prefers-reduced-motion", "value": "reduce" }] });
        self.devtools("Emulation.setEmulatedMedia", media).await;
        let screen = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.devtools("Emulation.setDeviceMetricsOverride", screen).await;
    }

    /// A page as it is printed.
    pub async fn on_paper(&self) {
        self.devtools("Emulation.setEmulatedMedia", json!({ "media": "print" })).await;
    }

    async fn devtools(&self, command: &str, params: Value) -> Value {
        self.must("goog/cdp/execute", json!({ "cmd": command, "params": params })).await
    }

    pub async fn run(&self, script: &str) -> Value {
        self.must("execute/sync", json!({ "script": script, "args": [] })).await
    }

    /// Runs a script that calls its last argument with the result.
    pub async fn run_until_called(&self, script: &str) -> Value {
        self.must("execute/async", json!({ "script": script, "args": [] })).await
    }

    /// The whole page as a PNG.
    pub async fn picture(&self) -> Vec<u8> {
        let taken = self.devtools("Page.captureScreenshot", json!({ "format": "png" })).await;
        STANDARD.decode(taken["data"].as_str().unwrap()).unwrap()
    }

    /// What the browser complained of since it was asked last: errors, and what the policy blocked.
    pub async fn complaints(&self) -> Vec<String> {
        let log = self.must("se/log", json!({ "type": "browser" })).await;
        let entries = log.as_array().unwrap().iter();
        let bad = entries.filter(|entry| entry["level"] != "INFO" && entry["level"] != "DEBUG");
        bad.map(|entry| entry["message"].as_str().unwrap_or_default().to_owned()).collect()
    }

    /// Waits until the page shows this text.
    pub async fn wait_for(&self, text: &str) {
        let begun = Instant::now();
        loop {
            let shown = self.run("return document.body.innerText").await;
            let shown = shown.as_str().unwrap_or_default();
            if shown.contains(text) {
                return;
            }
            assert!(begun.elapsed() < PATIENCE, "{text:?} does not appear in: {shown}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    async fn element(&self, css: &str) -> String {
        let found = self.post("element", json!({ "using": "css selector", "value": css })).await;
        match found {
            Ok(found) => found[ELEMENT].as_str().unwrap().to_owned(),
            Err(error) => panic!("{css}: {error}"),
        }
    }

    pub async fn click(&self, css: &str) {
        let element = self.element(css).await;
        self.must(&format!("element/{element}/click"), json!({})).await;
    }

    /// Clicks what holds exactly this text.
    pub async fn press(&self, label: &str) {
        let xpath = format!("(//button[normalize-space()=\"{label}\"]|//a[normalize-space()=\"{label}\"])[last()]");
        let found = self.must("element", json!({ "using": "xpath", "value": xpath })).await;
        let element = found[ELEMENT].as_str().unwrap().to_owned();
        self.must(&format!("element/{element}/click"), json!({})).await;
    }

    pub async fn write(&self, css: &str, text: &str) {
        let element = self.element(css).await;
        self.must(&format!("element/{element}/value"), json!({ "text": text })).await;
    }

    pub async fn replace(&self, css: &str, text: &str) {
        let element = self.element(css).await;
        self.must(&format!("element/{element}/clear"), json!({})).await;
        self.must(&format!("element/{element}/value"), json!({ "text": text })).await;
    }
}

/// Ends the browser, which would outlive its driver; also where a test fails.
impl Drop for Browser {
    fn drop(&mut self) {
        let url: reqwest::Url = self.session.parse().unwrap();
        let request = format!("DELETE {} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", url.path());
        let end = || -> std::io::Result<()> {
            let mut driver = TcpStream::connect(("127.0.0.1", url.port().unwrap_or_default()))?;
            driver.set_read_timeout(Some(PATIENCE))?;
            driver.write_all(request.as_bytes())?;
            // It answers when the browser is gone, and keeps the connection.
            driver.read(&mut [0; 512]).map(drop)
        };
        // Where the driver is gone already, so is what could be asked.
        let _ = end();
    }
}

/// axe-core, which `scripts/test` puts beside what is built.
pub fn axe() -> String {
    let built = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).parent().unwrap().to_owned();
    let path = built.join("test-browser/package/axe.min.js");
    std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}; `scripts/test` installs axe-core there", path.display()))
}
