//! The Bot API as far as Convive uses it, and the chats behind it.
//!
//! Strict: a method, a field or a value that the Bot API would not take is answered as the Bot API answers it, and
//! recorded, and fails [`FakeTelegram::finish`]. What may go wrong with a right call (nobody there, too many) is
//! answered and not recorded.

mod api;
mod chats;
mod fields;
mod html;
mod methods;
mod sink;

use std::{
    collections::{BTreeMap, HashSet, VecDeque},
    fmt::Write as _,
    io,
    net::SocketAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use serde_json::{Value, json};
use tokio::{
    sync::{Notify, watch},
    task::JoinHandle,
};

use self::chats::Chat;
pub use self::chats::{Button, Document, Message};

/// What waits in vain for so long will not come.
const PATIENCE: Duration = Duration::from_secs(20);
/// The date of everything: nobody looks at it.
const DATE: i64 = 1_780_000_000;

/// How one call is answered.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// As the Bot API would.
    Accept,
    /// 429 with so many seconds, in the body and in the header.
    TooMany(u64),
    /// 403.
    Blocked,
    /// 403.
    Deactivated,
    /// 403: the guest never pressed Start.
    CannotInitiate,
    /// 400.
    ChatNotFound,
    /// 400: the group is a supergroup with this id now.
    Moved(i64),
    /// 400.
    CantParseEntities,
    /// 400.
    NotModified,
    /// 400: a press was acknowledged too late.
    QueryTooOld,
    /// 409: two programs poll with one token.
    Conflict,
    /// 502 and a page that is not JSON.
    Html502,
    /// Any status; JSON as the Bot API words its own failures.
    Status(u16),
    /// Any status and any body.
    Raw(u16, String),
    /// Never, until the fake is dropped. Nothing is stored.
    Hang,
    /// Never, but the message is in the chat.
    HangAfterStoring,
    /// The connection breaks. Nothing is stored.
    CutConnection,
    /// The message is in the chat, and then the connection breaks.
    CutAfterStoring,
}

/// What `setWebhook` asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Webhook {
    pub url: String,
    pub secret_token: Option<String>,
    pub max_connections: Option<i64>,
    pub allowed_updates: Vec<String>,
}

/// A running fake.
pub struct FakeTelegram {
    shared: Arc<Shared>,
    address: SocketAddr,
    server: JoinHandle<()>,
    /// Hanging calls end when this goes.
    closing: watch::Sender<bool>,
}

struct Shared {
    /// Before `/bot<token>`; empty or `/some/path`.
    prefix: String,
    state: Mutex<State>,
    /// Told of every call and every queued update.
    happened: Notify,
    closed: watch::Receiver<bool>,
}

#[derive(Default)]
struct State {
    updates_made: i64,
    messages_made: i64,
    presses_made: u64,
    presses: HashSet<String>,
    chats: BTreeMap<i64, Chat>,
    queue: VecDeque<Value>,
    /// Counts the calls of `getUpdates`: a later one ends an earlier one.
    polls: u64,
    scripts: Vec<Script>,
    outage: Option<Answer>,
    /// Lower-case names.
    calls: BTreeMap<String, u64>,
    webhook: Option<Webhook>,
    /// By language code; empty for everybody.
    commands: BTreeMap<String, Vec<(String, String)>>,
    faults: Vec<String>,
}

#[derive(Debug)]
struct Script {
    method: String,
    chat: Option<i64>,
    answer: Answer,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_closed(&self) -> bool {
        *self.closed.borrow()
    }

    /// Waits until the fake is dropped.
    async fn until_closed(&self) {
        // An error means that the sender is gone, which is the same.
        let _ = self.closed.clone().wait_for(|closed| *closed).await;
    }
}

impl FakeTelegram {
    /// The one token it knows.
    pub const TOKEN: &'static str = "7000000001:AAFake-token_for_tests";
    pub const BOT_ID: i64 = 7_000_000_001;
    pub const BOT_USERNAME: &'static str = "convive_test_bot";

    /// Starts on a free port.
    ///
    /// # Errors
    /// When there is none.
    pub async fn start() -> io::Result<Self> {
        Self::start_with("", false).await
    }

    /// The same below a path, such as `/telegram`.
    ///
    /// # Errors
    /// When there is no free port.
    pub async fn start_below(path: &str) -> io::Result<Self> {
        Self::start_with(path, false).await
    }

    /// Accepts everything as fast as it can and only counts, for benchmarks. Knows `calls` alone.
    ///
    /// # Errors
    /// When there is no free port.
    pub async fn start_sink() -> io::Result<Self> {
        Self::start_with("", true).await
    }

    async fn start_with(prefix: &str, is_sink: bool) -> io::Result<Self> {
        let (closing, closed) = watch::channel(false);
        let shared =
            Arc::new(Shared { prefix: prefix.to_owned(), state: Mutex::default(), happened: Notify::new(), closed });
        let (address, server) = if is_sink {
            sink::serve(Arc::clone(&shared)).await?
        } else {
            crate::line::serve(api::router(Arc::clone(&shared))).await?
        };
        Ok(Self { shared, address, server, closing })
    }

    /// For `telegram.api_url`.
    #[must_use]
    pub fn api_url(&self) -> String {
        format!("http://{}{}", self.address, self.shared.prefix)
    }

    // What people do. All of these return the update, to be handed over (and perhaps handed over again) by the test.

    /// Somebody who has pressed Start before: the bot may write to them.
    pub fn meet(&self, user: i64) {
        self.shared.state().chats.entry(user).or_default();
    }

    /// A text in the private chat with the bot.
    pub fn text(&self, user: i64, text: &str) -> Value {
        self.shared.state().chats.entry(user).or_default().said(text);
        self.message(user, json!({"text": text}))
    }

    /// A message in the private chat with these fields (`{"sticker": {...}}`).
    pub fn message(&self, user: i64, fields: Value) -> Value {
        self.message_in(user, user, fields)
    }

    /// A message in any chat: a group's id is negative.
    pub fn message_in(&self, chat: i64, user: i64, fields: Value) -> Value {
        let kind = match chat {
            1.. => "private",
            -999_999_999_999..=0 => "group",
            _ => "supergroup",
        };
        let mut state = self.shared.state();
        state.chats.entry(chat).or_default();
        let id = state.next_message();
        let mut message =
            json!({"message_id": id, "date": DATE, "chat": {"id": chat, "type": kind}, "from": person(user)});
        merge(&mut message, fields);
        state.update("message", message)
    }

    /// The owner of a private chat presses the button with this label, on the newest message that shows it.
    ///
    /// # Panics
    /// When the chat shows no such button.
    pub fn press(&self, chat: i64, label: &str) -> Value {
        let found = self.shared.state().chats.get(&chat).and_then(|chat| chat.newest_with(label));
        match found {
            Some(message) => self.press_on(chat, message, label),
            None => panic!("no button {label:?} in this chat:\n{}", self.chat(chat)),
        }
    }

    /// The same on a certain message, whose keyboard may be gone by now.
    ///
    /// # Panics
    /// When that message never had such a button.
    pub fn press_on(&self, chat: i64, message: i64, label: &str) -> Value {
        let data = self.shared.state().chats.get(&chat).and_then(|chat| chat.data_of(message, label));
        let Some(data) = data else {
            panic!("message {message} never had a button {label:?}:\n{}", self.chat(chat));
        };
        self.shared.state().chats.entry(chat).or_default().pressed(label);
        self.press_data(chat, chat, message, &data)
    }

    /// Any data from anybody, as a client that does not play by the rules sends it.
    pub fn press_data(&self, user: i64, chat: i64, message: i64, data: &str) -> Value {
        let mut state = self.shared.state();
        state.chats.entry(user).or_default();
        state.presses_made += 1;
        let id = (4_000_000_000_000_000_000 + state.presses_made).to_string();
        state.presses.insert(id.clone());
        let message = json!({"message_id": message, "date": DATE, "chat": {"id": chat, "type": "private"}});
        let query = json!({"id": id, "from": person(user), "message": message, "chat_instance": "1", "data": data});
        state.update("callback_query", query)
    }

    /// Somebody blocks the bot, or unblocks it.
    pub fn block(&self, user: i64, blocks: bool) -> Value {
        let (old, new) = if blocks { ("member", "kicked") } else { ("kicked", "member") };
        let bot = json!({"id": Self::BOT_ID, "is_bot": true, "first_name": "Convive"});
        let change = json!({
            "chat": {"id": user, "type": "private", "first_name": "Guest"}, "from": person(user), "date": DATE,
            "old_chat_member": {"user": bot, "status": old}, "new_chat_member": {"user": bot, "status": new},
        });
        self.update("my_chat_member", change)
    }

    /// Any update.
    pub fn update(&self, kind: &str, content: Value) -> Value {
        self.shared.state().update(kind, content)
    }

    /// Leaves an update for `getUpdates`.
    pub fn queue(&self, update: Value) {
        self.shared.state().queue.push_back(update);
        self.shared.happened.notify_waiters();
    }

    // What goes wrong.

    /// Answers the next call of this method so, whichever chat it is about. Several form a queue.
    pub fn answer_next(&self, method: &str, answer: Answer) {
        self.script(method, None, answer);
    }

    /// Answers the next call of this method about this chat so.
    pub fn answer_next_to(&self, chat: i64, method: &str, answer: Answer) {
        self.script(method, Some(chat), answer);
    }

    fn script(&self, method: &str, chat: Option<i64>, answer: Answer) {
        let mut state = self.shared.state();
        if let Answer::Moved(new) = answer {
            state.chats.entry(new).or_default();
        }
        state.scripts.push(Script { method: method.to_lowercase(), chat, answer });
    }

    /// Answers every call so until [`FakeTelegram::mend`].
    pub fn fail_all(&self, answer: Answer) {
        self.shared.state().outage = Some(answer);
    }

    /// All is well again.
    pub fn mend(&self) {
        self.shared.state().outage = None;
    }

    // What is to be seen.

    /// What a chat shows: `> ` before what its people said, `< ` before what the bot said, buttons in brackets.
    #[must_use]
    pub fn chat(&self, chat: i64) -> String {
        self.shared.state().chats.get(&chat).map(Chat::transcript).unwrap_or_default()
    }

    /// The bot's messages in a chat, oldest first.
    #[must_use]
    pub fn messages(&self, chat: i64) -> Vec<Message> {
        self.shared.state().chats.get(&chat).map(Chat::messages).unwrap_or_default()
    }

    /// The bot's newest message in a chat.
    #[must_use]
    pub fn last(&self, chat: i64) -> Option<Message> {
        self.messages(chat).pop()
    }

    /// How often a method was called, whatever the answer.
    #[must_use]
    pub fn calls(&self, method: &str) -> u64 {
        self.shared.state().calls.get(&method.to_lowercase()).copied().unwrap_or_default()
    }

    /// What `setWebhook` asked for, unless it was deleted.
    #[must_use]
    pub fn webhook(&self) -> Option<Webhook> {
        self.shared.state().webhook.clone()
    }

    /// The commands set for a language; `""` for everybody.
    #[must_use]
    pub fn commands(&self, language: &str) -> Vec<(String, String)> {
        self.shared.state().commands.get(language).cloned().unwrap_or_default()
    }

    /// Updates that `getUpdates` has not been told to forget.
    #[must_use]
    pub fn unconfirmed(&self) -> usize {
        self.shared.state().queue.len()
    }

    /// Waits until a method has been called so often.
    ///
    /// # Panics
    /// When it does not come to that.
    pub async fn wait_for_calls(&self, method: &str, count: u64) {
        self.wait_until(|fake| fake.calls(method) >= count, &format!("{count} calls of {method}")).await;
    }

    /// Waits until the bot has written so many messages in a chat.
    ///
    /// # Panics
    /// When it does not come to that.
    pub async fn wait_for_messages(&self, chat: i64, count: usize) {
        self.wait_until(|fake| fake.messages(chat).len() >= count, &format!("{count} messages in chat {chat}")).await;
    }

    async fn wait_until(&self, holds: impl Fn(&Self) -> bool, what: &str) {
        let wait = async {
            loop {
                let happened = self.shared.happened.notified();
                let mut happened = std::pin::pin!(happened);
                // Listen first, so that nothing falls between looking and waiting.
                happened.as_mut().enable();
                if holds(self) {
                    return;
                }
                happened.await;
            }
        };
        if tokio::time::timeout(PATIENCE, wait).await.is_err() {
            panic!("waited in vain for {what}\n{}", self.everything());
        }
    }

    fn everything(&self) -> String {
        let state = self.shared.state();
        let mut text = format!("calls: {:?}\nfaults: {:#?}\n", state.calls, state.faults);
        for (id, chat) in &state.chats {
            let _ = writeln!(text, "--- chat {id}\n{}", chat.transcript());
        }
        text
    }

    /// Ends the fake.
    ///
    /// # Panics
    /// When there was a call that the Bot API would not take, or an answer was never asked for.
    pub fn finish(self) {
        let state = self.shared.state();
        assert!(state.faults.is_empty(), "Telegram was called wrongly: {:#?}", state.faults);
        assert!(state.scripts.is_empty(), "calls that never came: {:#?}", state.scripts);
    }
}

impl Drop for FakeTelegram {
    fn drop(&mut self) {
        self.closing.send_replace(true);
        self.server.abort();
    }
}

impl State {
    fn next_message(&mut self) -> i64 {
        self.messages_made += 1;
        500 + self.messages_made
    }

    fn update(&mut self, kind: &str, content: Value) -> Value {
        self.updates_made += 1;
        let mut update = json!({"update_id": 870_000_000 + self.updates_made});
        update[kind] = content;
        update
    }

    /// The scripted answer for a call, if there is one.
    fn take_script(&mut self, method: &str, chat: Option<i64>) -> Option<Answer> {
        let fits = |script: &Script| script.method == method && (script.chat.is_none() || script.chat == chat);
        let place = self.scripts.iter().position(fits)?;
        Some(self.scripts.remove(place).answer)
    }
}

fn person(id: i64) -> Value {
    json!({"id": id, "is_bot": false, "first_name": "Guest", "language_code": "en"})
}

fn merge(message: &mut Value, fields: Value) {
    if let (Value::Object(message), Value::Object(fields)) = (message, fields) {
        message.extend(fields);
    }
}
