//! The terminal chat: the same intake and the same courier, with a console address and the terminal's own clock.

use std::{
    io::Write,
    sync::{Arc, Mutex, PoisonError},
};

use anyhow::{Context as _, bail};
use app::{App, Clock, SystemClock};
use bots::{
    Courier, Provider,
    console::{ConsoleChannel, ConsoleMessage},
};
use chrono::{DateTime, TimeDelta, Utc};
use domain::{
    address::{Address, Channel, Style},
    conversation::Policy,
    message::{Body, Inbound},
    show,
};
use reminders::Reminders;
use serde_json::{Value, json};
use store::Store;
use tokio::io::{AsyncBufRead, AsyncBufReadExt};

use crate::wiring;

/// A clock that stands still at a given time, or goes on from where it was moved to. Never goes back.
#[derive(Debug)]
pub struct ChatClock {
    now: Mutex<ClockState>,
}

#[derive(Debug)]
struct ClockState {
    /// Stands still there; `None` while it follows the machine's.
    still_at: Option<DateTime<Utc>>,
    /// How far it was moved ahead of the machine's.
    ahead: TimeDelta,
}

/// The clock cannot go back.
#[derive(Debug, thiserror::Error)]
#[error("the clock only moves forward: it is {0} already")]
pub struct ClockWouldGoBack(DateTime<Utc>);

impl ChatClock {
    /// Stands still at `still_at`, or follows the machine's clock.
    #[must_use]
    pub fn new(still_at: Option<DateTime<Utc>>) -> Self {
        Self { now: Mutex::new(ClockState { still_at, ahead: TimeDelta::zero() }) }
    }

    /// Moves the clock forward.
    ///
    /// # Errors
    /// When `to` has passed already.
    pub fn move_to(&self, to: DateTime<Utc>) -> Result<(), ClockWouldGoBack> {
        let now = self.now();
        if to < now {
            return Err(ClockWouldGoBack(now));
        }
        let mut state = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut state.still_at {
            Some(still_at) => *still_at = to,
            None => state.ahead = to - SystemClock.now(),
        }
        Ok(())
    }
}

impl Clock for ChatClock {
    fn now(&self) -> DateTime<Utc> {
        let state = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        state.still_at.unwrap_or_else(|| SystemClock.now() + state.ahead)
    }

    fn random(&self, bytes: &mut [u8]) {
        SystemClock.random(bytes);
    }
}

/// Who chats, and how it is shown.
#[derive(Debug, Clone)]
pub struct ChatOptions {
    /// The channel that the terminal imitates.
    pub imitates: Channel,
    pub id: String,
    pub json: bool,
}

/// A chat on a store.
pub struct Chat {
    app: App,
    reminders: Reminders,
    clock: Arc<ChatClock>,
    courier: Courier,
    console: ConsoleChannel,
    address: Address,
    json: bool,
    /// Makes the keys of this run's messages unlike any others.
    run: String,
    lines: u64,
}

impl Chat {
    /// A chat of one person.
    ///
    /// # Errors
    /// When the channel cannot be imitated or the id is empty.
    pub fn new(store: Arc<dyn Store>, clock: ChatClock, policy: Policy, options: ChatOptions) -> anyhow::Result<Self> {
        if options.id.trim().is_empty() {
            bail!("--as: give the person an id, for example --as anna");
        }
        let clock = Arc::new(clock);
        let app = App::new(store, Arc::clone(&clock) as Arc<dyn Clock>, policy).reaching(wiring::console_outreach());
        let console = ConsoleChannel::default();
        let providers: Vec<Arc<dyn Provider>> = vec![Arc::new(console.clone())];
        let mut bytes = [0; 8];
        clock.random(&mut bytes);
        let run = format!("console:{:016x}", u64::from_be_bytes(bytes));
        let lease = bots::courier::DEFAULT_LEASE;
        let courier = Courier::new(app.clone(), providers, &run, lease);
        let address = Address::console(options.imitates, options.id.trim());
        let reminders = Reminders::console(app.clone());
        Ok(Self { reminders, app, clock, courier, console, address, json: options.json, run, lines: 0 })
    }

    /// The same with pages there, at an address without a `/` at the end.
    #[must_use]
    pub fn with_pages_at(mut self, site: Option<String>) -> Self {
        let site = site.map(Into::into);
        self.reminders = Reminders::console(self.app.clone().with_pages_at(site.clone()));
        self.app = self.app.with_pages_at(site);
        self
    }

    /// The same beside a page that shows other chats of the same store.
    #[must_use]
    pub fn beside_pages(mut self, console: ConsoleChannel) -> Self {
        let providers: Vec<Arc<dyn Provider>> = vec![Arc::new(console.clone())];
        self.courier = Courier::new(self.app.clone(), providers, &self.run, bots::courier::DEFAULT_LEASE);
        self.console = console;
        self
    }

    /// Reads lines until the input ends; writes what is then due after each, and to `errors` what was no input.
    ///
    /// # Errors
    /// When the store or the output fails.
    pub async fn run(
        mut self,
        mut input: impl AsyncBufRead + Unpin,
        output: &mut (dyn Write + Send),
        errors: &mut (dyn Write + Send),
    ) -> anyhow::Result<()> {
        // What was due before this clock began to run is not due now.
        self.reminders.tick().await?;
        let mut line = Vec::new();
        loop {
            line.clear();
            if input.read_until(b'\n', &mut line).await.context("standard input")? == 0 {
                break;
            }
            let text = String::from_utf8_lossy(&line);
            self.take_line(text.trim_end_matches(['\n', '\r']), output, errors).await?;
        }
        self.app.accesses.flush(self.app.store.as_ref()).await;
        Ok(())
    }

    async fn take_line(
        &mut self,
        line: &str,
        output: &mut (dyn Write + Send),
        errors: &mut (dyn Write + Send),
    ) -> anyhow::Result<()> {
        match self.read_line(line) {
            Ok(Some(body)) => {
                self.lines += 1;
                let inbound = Inbound {
                    key: format!("{}/{}", self.run, self.lines),
                    from: self.address.clone(),
                    body,
                    received_at: self.clock.now(),
                    locale_hint: None,
                };
                self.app.take_in(inbound).await?;
            }
            Ok(None) => {}
            Err(error) => writeln!(errors, "{error:#}")?,
        }
        self.reminders.tick().await?;
        self.courier.pump().await;
        for message in self.console.take_for(|to| !to.id.starts_with(web::pages::ON_PAGE)) {
            self.write(&message, output)?;
        }
        if self.json {
            writeln!(output, "{}", json!({ "end": true }))?;
        }
        output.flush().context("standard output")
    }

    /// What a line says: a message, or nothing but a movement of the clock.
    fn read_line(&self, line: &str) -> anyhow::Result<Option<Body>> {
        if !self.json {
            return Ok((!line.trim().is_empty()).then(|| self.typed(line)));
        }
        let Ok(Value::Object(fields)) = serde_json::from_str::<Value>(line) else {
            return Ok(Some(self.typed(line)));
        };
        let field = fields.iter().next().filter(|_| fields.len() == 1);
        match field.map(|(name, value)| (name.as_str(), value.as_str())) {
            Some(("text", Some(text))) => Ok(Some(self.typed(text))),
            Some(("choice", Some(choice))) => Ok(Some(Body::Choice(choice.to_owned()))),
            Some(("now", Some(now))) => {
                self.clock.move_to(parse_now(now)?)?;
                Ok(None)
            }
            _ => bail!(r#"not an input line: write text, {{"text": "…"}}, {{"choice": "…"}} or {{"now": "…"}}"#),
        }
    }

    /// In Telegram, Start and deep links arrive as `/start` with a payload.
    fn typed(&self, text: &str) -> Body {
        let start = text.trim().strip_prefix("/start").filter(|_| self.address.style() == Style::Buttons);
        match start {
            Some(payload) if payload.is_empty() || payload.starts_with(char::is_whitespace) => {
                Body::Start(payload.trim().to_owned())
            }
            _ => Body::Text(text.to_owned()),
        }
    }

    fn write(&self, message: &ConsoleMessage, output: &mut (dyn Write + Send)) -> anyhow::Result<()> {
        let text = match message.to.style() {
            Style::Buttons => show::plain(&message.text.text),
            Style::Texts => message.text.text.clone(),
        };
        if self.json {
            let attachments: Vec<Value> = message
                .text
                .attachment
                .iter()
                .map(|file| json!({ "name": file.name, "type": file.media_type }))
                .collect();
            let line = json!({
                "to": message.to.to_string(),
                "text": text,
                "choices": message.text.choices,
                "attachments": attachments,
            });
            return writeln!(output, "{line}").context("standard output");
        }
        let to = if message.to == self.address { String::new() } else { format!(" (to {})", message.to) };
        for (place, line) in text.lines().enumerate() {
            let mark = if place == 0 { format!("<{to} ") } else { "  ".to_owned() };
            writeln!(output, "{mark}{line}")?;
        }
        if message.to.style() == Style::Buttons && !message.text.choices.is_empty() {
            let buttons: Vec<String> =
                message.text.choices.iter().map(|choice| format!("[{}]", choice.label)).collect();
            writeln!(output, "  {}", buttons.join(" "))?;
        }
        if let Some(file) = &message.text.attachment {
            writeln!(output, "  <{}>", file.name)?;
        }
        Ok(())
    }
}

/// A time as the terminal takes it: RFC 3339, or without an offset in UTC.
///
/// # Errors
/// When the text is neither.
pub fn parse_now(text: &str) -> anyhow::Result<DateTime<Utc>> {
    domain::calendar::parse_when(text, chrono_tz::UTC, false).map_err(|error| anyhow::anyhow!("{error}"))
}
