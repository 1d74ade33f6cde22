//! What each method does to the chats.

use serde_json::{Map, Value, json};

use super::{
    DATE, FakeTelegram, State, Webhook,
    chats::{Document, Message},
    fields, html,
};

/// A call, its fields checked for kind.
pub struct Call {
    /// In lower case.
    pub method: String,
    pub fields: Map<String, Value>,
    pub file: Option<Document>,
}

/// A call is refused.
pub struct Refusal {
    pub code: u16,
    pub description: String,
    /// The caller is at fault, and not the circumstances.
    pub fault: bool,
}

impl Refusal {
    /// The Bot API would not take this from anybody.
    pub fn fault(code: u16, description: impl Into<String>) -> Self {
        Self { code, description: description.into(), fault: true }
    }

    /// It happens.
    fn circumstance(code: u16, description: &str) -> Self {
        Self { code, description: description.to_owned(), fault: false }
    }
}

fn bad(description: impl std::fmt::Display) -> Refusal {
    Refusal::fault(400, format!("Bad Request: {description}"))
}

impl Call {
    pub fn chat(&self) -> Option<i64> {
        self.integer("chat_id")
    }

    fn integer(&self, name: &str) -> Option<i64> {
        self.fields.get(name).and_then(Value::as_i64)
    }

    fn text(&self, name: &str) -> Option<&str> {
        self.fields.get(name).and_then(Value::as_str)
    }

    fn names(&self, name: &str) -> Vec<String> {
        let list = self.fields.get(name).and_then(Value::as_array);
        list.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
    }

    /// What is seen of a text or a caption.
    fn seen(&self, name: &str, most: usize) -> Result<String, Refusal> {
        let source = self.text(name).unwrap_or_default();
        let seen = match self.text("parse_mode") {
            None => source.to_owned(),
            Some("HTML") => html::plain(source).map_err(|it| bad(format!("can't parse entities: {it}")))?,
            Some(_) => return Err(bad("unsupported parse_mode")),
        };
        let seen = seen.trim().to_owned();
        if seen.encode_utf16().count() > most {
            return Err(bad(if name == "text" { "message is too long" } else { "message caption is too long" }));
        }
        Ok(seen)
    }
}

impl State {
    /// What a call leads to, when nothing goes wrong on the way. (`getUpdates` may wait, and is elsewhere.)
    pub fn perform(&mut self, call: &Call) -> Result<Value, Refusal> {
        match call.method.as_str() {
            "getme" => Ok(me()),
            "sendmessage" => self.send_message(call),
            "senddocument" => self.send_document(call),
            "editmessagereplymarkup" => self.edit_markup(call),
            "answercallbackquery" => self.answer_press(call),
            "setwebhook" => self.set_webhook(call),
            "deletewebhook" => {
                self.webhook = None;
                if call.fields.get("drop_pending_updates") == Some(&Value::Bool(true)) {
                    self.queue.clear();
                }
                Ok(Value::Bool(true))
            }
            "getwebhookinfo" => Ok(json!({
                "url": self.webhook.as_ref().map(|it| it.url.as_str()).unwrap_or_default(),
                "has_custom_certificate": false, "pending_update_count": self.queue.len(),
            })),
            "setmycommands" => self.set_commands(call),
            _ => Err(Refusal::fault(404, "Not Found: method not found")),
        }
    }

    fn send_message(&mut self, call: &Call) -> Result<Value, Refusal> {
        let text = call.seen("text", 4096)?;
        if text.is_empty() {
            return Err(bad("message text is empty"));
        }
        let source = call.text("text").unwrap_or_default().to_owned();
        self.deliver(call, Message { text, source, ..Message::default() })
    }

    fn send_document(&mut self, call: &Call) -> Result<Value, Refusal> {
        let text = call.seen("caption", 1024)?;
        let source = call.text("caption").unwrap_or_default().to_owned();
        if call.file.as_ref().is_none_or(|file| file.content.is_empty() || file.name.is_empty()) {
            return Err(bad("file must be non-empty"));
        }
        self.deliver(call, Message { text, source, document: call.file.clone(), ..Message::default() })
    }

    fn deliver(&mut self, call: &Call, mut message: Message) -> Result<Value, Refusal> {
        message.buttons = fields::inline_keyboard(call.fields.get("reply_markup")).map_err(bad)?;
        let chat_id = call.chat().unwrap_or_default();
        message.id = self.next_message();
        let id = message.id;
        let chat =
            self.chats.get_mut(&chat_id).ok_or_else(|| Refusal::circumstance(400, "Bad Request: chat not found"))?;
        let text = message.text.clone();
        chat.shows(message);
        let kind = if chat_id > 0 { "private" } else { "group" };
        let bot = json!({"id": FakeTelegram::BOT_ID, "is_bot": true, "first_name": "Convive"});
        Ok(json!({
            "message_id": id, "date": DATE, "chat": {"id": chat_id, "type": kind}, "from": bot, "text": text,
        }))
    }

    fn edit_markup(&mut self, call: &Call) -> Result<Value, Refusal> {
        let buttons = fields::inline_keyboard(call.fields.get("reply_markup")).map_err(bad)?;
        let id = call.integer("message_id").unwrap_or_default();
        let chat = call.chat().unwrap_or_default();
        let Some(message) = self.chats.get_mut(&chat).and_then(|chat| chat.find(id)) else {
            return Err(Refusal::circumstance(400, "Bad Request: message to edit not found"));
        };
        if message.buttons == buttons {
            return Err(Refusal::circumstance(400, NOT_MODIFIED));
        }
        message.buttons = buttons;
        Ok(json!({"message_id": id, "date": DATE, "chat": {"id": chat, "type": "private"}, "text": message.text}))
    }

    fn answer_press(&mut self, call: &Call) -> Result<Value, Refusal> {
        if call.text("text").unwrap_or_default().chars().count() > 200 {
            return Err(bad("MESSAGE_TOO_LONG"));
        }
        if self.presses.contains(call.text("callback_query_id").unwrap_or_default()) {
            Ok(Value::Bool(true))
        } else {
            Err(bad("query is too old and response timeout expired or query ID is invalid"))
        }
    }

    fn set_webhook(&mut self, call: &Call) -> Result<Value, Refusal> {
        let url = call.text("url").unwrap_or_default();
        let host = url.strip_prefix("https://").and_then(|rest| rest.split('/').next());
        let port = host.and_then(|host| host.rsplit_once(':')).map(|(_, port)| port);
        if host.is_none_or(str::is_empty) {
            let words = "Bad Request: bad webhook: An HTTPS URL must be provided for webhook";
            return Err(Refusal::circumstance(400, words));
        }
        if port.is_some_and(|port| !["443", "80", "88", "8443"].contains(&port)) {
            let words = "Bad Request: bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443";
            return Err(Refusal::circumstance(400, words));
        }
        let secret = call.text("secret_token");
        let plain = |secret: &str| secret.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'));
        if secret.is_some_and(|secret| !plain(secret) || !(1..=256).contains(&secret.len())) {
            return Err(bad("secret token contains unallowed characters"));
        }
        let max_connections = call.integer("max_connections");
        if max_connections.is_some_and(|most| !(1..=100).contains(&most)) {
            return Err(bad("max_connections must be 1 to 100"));
        }
        self.webhook = Some(Webhook {
            url: url.to_owned(),
            secret_token: secret.map(str::to_owned),
            max_connections,
            allowed_updates: call.names("allowed_updates"),
        });
        Ok(Value::Bool(true))
    }

    fn set_commands(&mut self, call: &Call) -> Result<Value, Refusal> {
        let mut commands = Vec::new();
        for command in call.fields.get("commands").and_then(Value::as_array).into_iter().flatten() {
            let text = |name: &str| command.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
            let (name, description) = (text("command"), text("description"));
            let letters = name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_');
            if !letters || !(1..=32).contains(&name.len()) {
                return Err(bad("BOT_COMMAND_INVALID"));
            }
            if !(1..=256).contains(&description.chars().count()) {
                return Err(bad("BOT_COMMAND_DESCRIPTION_INVALID"));
            }
            commands.push((name, description));
        }
        let language = call.text("language_code").unwrap_or_default();
        if commands.len() > 100 || !matches!(language.len(), 0 | 2) {
            return Err(bad("too many commands, or not a two-letter language"));
        }
        self.commands.insert(language.to_owned(), commands);
        Ok(Value::Bool(true))
    }
}

pub const NOT_MODIFIED: &str = "Bad Request: message is not modified: specified new message content and reply markup \
                                are exactly the same as a current content and reply markup of the message";

/// What `getMe` says.
pub fn me() -> Value {
    json!({
        "id": FakeTelegram::BOT_ID, "is_bot": true, "first_name": "Convive", "username": FakeTelegram::BOT_USERNAME,
        "can_join_groups": true, "can_read_all_group_messages": false, "supports_inline_queries": false,
        "can_connect_to_business": false, "has_main_web_app": false,
    })
}
