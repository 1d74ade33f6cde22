//! Which fields each method has, and what may be in them: <https://core.telegram.org/bots/api>.

use serde_json::{Map, Value};

use super::chats::Button;

/// The most buttons that keyboards were ever seen to have, and the most in a row.
const MOST_BUTTONS: usize = 100;
const MOST_IN_A_ROW: usize = 8;

const UPDATE_KINDS: [&str; 14] = [
    "message",
    "edited_message",
    "channel_post",
    "edited_channel_post",
    "message_reaction",
    "message_reaction_count",
    "inline_query",
    "chosen_inline_result",
    "callback_query",
    "poll",
    "poll_answer",
    "my_chat_member",
    "chat_member",
    "chat_join_request",
];

/// What a field holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Integer,
    Flag,
    Text,
    Object,
    List,
    File,
}

type Field = (&'static str, Kind, bool);

const fn must(name: &'static str, kind: Kind) -> Field {
    (name, kind, true)
}

const fn may(name: &'static str, kind: Kind) -> Field {
    (name, kind, false)
}

/// The fields of a method (its name in lower case) and whether they must be there; `None` for a method that the fake
/// does not know.
pub fn of(method: &str) -> Option<&'static [Field]> {
    Some(match method {
        "getme" | "getwebhookinfo" => &[],
        "sendmessage" => {
            const {
                &[
                    must("chat_id", Kind::Integer),
                    must("text", Kind::Text),
                    may("parse_mode", Kind::Text),
                    may("link_preview_options", Kind::Object),
                    may("disable_notification", Kind::Flag),
                    may("protect_content", Kind::Flag),
                    may("reply_parameters", Kind::Object),
                    may("reply_markup", Kind::Object),
                ]
            }
        }
        "senddocument" => {
            const {
                &[
                    must("chat_id", Kind::Integer),
                    must("document", Kind::File),
                    may("caption", Kind::Text),
                    may("parse_mode", Kind::Text),
                    may("disable_content_type_detection", Kind::Flag),
                    may("disable_notification", Kind::Flag),
                    may("protect_content", Kind::Flag),
                    may("reply_parameters", Kind::Object),
                    may("reply_markup", Kind::Object),
                ]
            }
        }
        "editmessagereplymarkup" => {
            const { &[must("chat_id", Kind::Integer), must("message_id", Kind::Integer), may("reply_markup", Kind::Object)] }
        }
        "answercallbackquery" => {
            const {
                &[
                    must("callback_query_id", Kind::Text),
                    may("text", Kind::Text),
                    may("show_alert", Kind::Flag),
                    may("cache_time", Kind::Integer),
                ]
            }
        }
        "getupdates" => {
            const {
                &[
                    may("offset", Kind::Integer),
                    may("limit", Kind::Integer),
                    may("timeout", Kind::Integer),
                    may("allowed_updates", Kind::List),
                ]
            }
        }
        "setwebhook" => {
            const {
                &[
                    must("url", Kind::Text),
                    may("ip_address", Kind::Text),
                    may("max_connections", Kind::Integer),
                    may("allowed_updates", Kind::List),
                    may("drop_pending_updates", Kind::Flag),
                    may("secret_token", Kind::Text),
                ]
            }
        }
        "deletewebhook" => const { &[may("drop_pending_updates", Kind::Flag)] },
        "setmycommands" => {
            const { &[must("commands", Kind::List), may("scope", Kind::Object), may("language_code", Kind::Text)] }
        }
        _ => return None,
    })
}

/// Every field is known, and of its kind; none that must be there is missing.
pub fn check(fields: &[Field], given: &Map<String, Value>, has_file: bool) -> Result<(), String> {
    for (name, value) in given {
        let (_, kind, _) =
            fields.iter().find(|(known, _, _)| known == name).ok_or_else(|| format!("unknown field {name}"))?;
        let fits = match kind {
            Kind::Integer => value.is_i64(),
            Kind::Flag => value.is_boolean(),
            Kind::Text => value.is_string(),
            Kind::Object => value.is_object(),
            Kind::List => value.is_array(),
            Kind::File => false,
        };
        if !fits {
            return Err(format!("field {name} is of the wrong kind: {value}"));
        }
    }
    for (name, kind, required) in fields {
        let is_there = if *kind == Kind::File { has_file } else { given.contains_key(*name) };
        if *required && !is_there {
            return Err(format!("field {name} is missing"));
        }
    }
    if let Some(kinds) = given.get("allowed_updates").and_then(Value::as_array) {
        let known = |kind: &Value| kind.as_str().is_some_and(|kind| UPDATE_KINDS.contains(&kind));
        if let Some(odd) = kinds.iter().find(|kind| !known(kind)) {
            return Err(format!("unknown kind of update {odd}"));
        }
    }
    Ok(())
}

/// A part of a form as the value that JSON would hold.
pub fn from_form(method: &str, name: &str, text: String) -> Value {
    let kind = of(method).and_then(|fields| fields.iter().find(|(known, _, _)| *known == name));
    match kind {
        Some((_, Kind::Text, _)) | None => Value::String(text),
        Some(_) => serde_json::from_str(&text).unwrap_or(Value::String(text)),
    }
}

/// The rows of an inline keyboard.
pub fn inline_keyboard(markup: Option<&Value>) -> Result<Vec<Vec<Button>>, String> {
    let Some(markup) = markup else { return Ok(Vec::new()) };
    let fields = markup.as_object().ok_or("reply_markup is not an object")?;
    let rows = fields.get("inline_keyboard").and_then(Value::as_array).ok_or("not an inline keyboard")?;
    if fields.len() > 1 {
        return Err("unknown field in reply_markup".to_owned());
    }
    let mut keyboard = Vec::new();
    for row in rows {
        let row = row.as_array().ok_or("a row is not a list")?;
        if !(1..=MOST_IN_A_ROW).contains(&row.len()) {
            return Err(format!("a row of {} buttons", row.len()));
        }
        keyboard.push(row.iter().map(button).collect::<Result<Vec<_>, _>>()?);
    }
    if keyboard.iter().map(Vec::len).sum::<usize>() > MOST_BUTTONS {
        return Err("reply markup is too long".to_owned());
    }
    Ok(keyboard)
}

fn button(value: &Value) -> Result<Button, String> {
    let fields = value.as_object().ok_or("a button is not an object")?;
    let text = |name: &str| fields.get(name).and_then(Value::as_str).map(str::to_owned);
    match (text("text"), text("callback_data"), fields.len()) {
        (Some(label), Some(data), 2) => {
            if label.trim().is_empty() {
                return Err("a button without a label".to_owned());
            }
            if !(1..=64).contains(&data.len()) {
                return Err("BUTTON_DATA_INVALID".to_owned());
            }
            Ok(Button { label, data })
        }
        _ => Err(format!("a button of an unknown kind: {value}")),
    }
}
