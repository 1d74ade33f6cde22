//! Twilio as far as Convive uses it: the Messages resource, and the webhooks that Twilio sends.

mod api;
mod webhook;

use std::{
    collections::{HashMap, HashSet, VecDeque},
    io,
    net::SocketAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use chrono::{DateTime, Utc};
use serde_json::Value;
use tokio::task::JoinHandle;

pub use self::webhook::Webhook;

/// What the time is. Messages are dated with it, and looking one up compares dates.
pub type Now = Arc<dyn Fn() -> DateTime<Utc> + Send + Sync>;

/// How one send is answered.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// 201.
    Accept,
    /// 400 with this error code.
    Refuse(u32),
    /// Any status and JSON.
    Status(u16, Value),
    /// Any status and a page that is not JSON, as a proxy gives it.
    Page(u16),
    /// 429, with a `Retry-After` header if there is a number of seconds.
    TooMany(Option<u64>),
    /// Never. The message does not exist.
    Hang,
    /// Never, but the message exists.
    HangAfterStoring,
    /// The connection breaks before the message exists.
    CutBeforeStoring,
    /// The message exists, and then the connection breaks.
    CutAfterStoring,
}

/// A text, as Twilio keeps it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    pub sid: String,
    pub inbound: bool,
    pub to: String,
    /// `None` for a text through a messaging service.
    pub from: Option<String>,
    pub messaging_service_sid: Option<String>,
    pub body: String,
    pub created_at: DateTime<Utc>,
    pub status: String,
    pub error: Option<u32>,
    pub status_callback: Option<String>,
}

/// A running fake. What it does not know is recorded and fails [`FakeTwilio::finish`].
pub struct FakeTwilio {
    shared: Arc<Shared>,
    address: SocketAddr,
    server: JoinHandle<()>,
}

struct Shared {
    now: Now,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    texts: Vec<Text>,
    /// Counts messages accepted, the forgotten ones included.
    accepted: u64,
    answers: VecDeque<Answer>,
    answers_to: HashMap<String, VecDeque<Answer>>,
    answers_to_lists: VecDeque<Answer>,
    opted_out: HashSet<String>,
    /// STOP and START words are for the program.
    keywords_are_left: bool,
    faults: Vec<String>,
    forgets: bool,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn next_sid(&mut self) -> String {
        self.accepted += 1;
        format!("SM{:032x}", self.accepted)
    }
}

impl FakeTwilio {
    /// The one account it knows.
    pub const ACCOUNT_SID: &'static str = "AC00000000000000000000000000000001";
    /// The account's password, which also signs webhooks.
    pub const AUTH_TOKEN: &'static str = "test-auth-token-0001";

    /// Starts on a free port.
    ///
    /// # Errors
    /// When there is none.
    pub async fn start(now: impl Fn() -> DateTime<Utc> + Send + Sync + 'static) -> io::Result<Self> {
        let shared = Arc::new(Shared { now: Arc::new(now), state: Mutex::default() });
        let (address, server) = crate::line::serve(api::router(Arc::clone(&shared))).await?;
        Ok(Self { shared, address, server })
    }

    /// For `twilio.api_url`.
    #[must_use]
    pub fn api_url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Takes any number of messages and keeps none, for benchmarks.
    pub fn forget_messages(&self) {
        self.shared.state().forgets = true;
    }

    /// Answers the next sends so, whomever they are to; those after them are accepted.
    pub fn answer(&self, answers: impl IntoIterator<Item = Answer>) {
        self.shared.state().answers.extend(answers);
    }

    /// Answers the next sends to one phone so.
    pub fn answer_to(&self, phone: &str, answers: impl IntoIterator<Item = Answer>) {
        self.shared.state().answers_to.entry(phone.to_owned()).or_default().extend(answers);
    }

    /// Answers the next questions which messages exist so ([`Answer::Accept`] for truthfully).
    pub fn answer_to_lists(&self, answers: impl IntoIterator<Item = Answer>) {
        self.shared.state().answers_to_lists.extend(answers);
    }

    /// Takes no STOP or START word for itself, as an account can be set up.
    pub fn leave_keywords_alone(&self) {
        self.shared.state().keywords_are_left = true;
    }

    /// How many sends were accepted.
    #[must_use]
    pub fn accepted(&self) -> u64 {
        self.shared.state().accepted
    }

    /// All texts, in the order in which they came to be.
    #[must_use]
    pub fn texts(&self) -> Vec<Text> {
        self.shared.state().texts.clone()
    }

    /// What a phone shows: `> ` before what its owner wrote.
    #[must_use]
    pub fn phone(&self, number: &str) -> Vec<String> {
        let state = self.shared.state();
        let shown = |text: &Text| match (text.inbound, text.from.as_deref()) {
            (false, _) if text.to == number => Some(text.body.clone()),
            (true, Some(from)) if from == number => Some(format!("> {}", text.body)),
            _ => None,
        };
        state.texts.iter().filter_map(shown).collect()
    }

    /// The newest text to a phone.
    #[must_use]
    pub fn last_to(&self, number: &str) -> Option<Text> {
        self.shared.state().texts.iter().rev().find(|text| !text.inbound && text.to == number).cloned()
    }

    /// Ends the fake.
    ///
    /// # Panics
    /// When there was a call that it does not know, or an answer was never asked for.
    pub fn finish(self) {
        let state = self.shared.state();
        assert!(state.faults.is_empty(), "Twilio was called wrongly: {:#?}", state.faults);
        assert!(state.answers.is_empty(), "sends that never came: {:?}", state.answers);
        let left: Vec<_> = state.answers_to.iter().filter(|(_, answers)| !answers.is_empty()).collect();
        assert!(left.is_empty(), "sends that never came: {left:?}");
        assert!(state.answers_to_lists.is_empty(), "questions that never came: {:?}", state.answers_to_lists);
    }
}

impl Drop for FakeTwilio {
    fn drop(&mut self) {
        self.server.abort();
    }
}
