//! Telegram's updates as inbounds.
//!
//! The few fields that matter are read by structs of our own, in 2 µs an update. teloxide's `Update` takes 6 µs for a
//! text and 14 µs for a press, and one field in a shape that it does not know (it lags behind the Bot API) fails or
//! hides the whole message. What cannot be understood here is ignored and counted, never refused: Telegram would send
//! a refused update again and again for a day.

use std::{borrow::Cow, collections::BTreeMap};

use chrono::{DateTime, Utc};
use domain::{
    address::Address,
    message::{Body, Inbound},
};
use serde::{Deserialize, de::IgnoredAny};

use super::setup::BotIdentity;

/// A text has at most so many characters (<https://core.telegram.org/bots/api#message>); a longer one comes from a
/// client that does not play by the rules.
const LONGEST_TEXT: usize = 4096;
/// Language tags are a few letters.
const LONGEST_LANGUAGE: usize = 35;

/// Messages that nobody wrote. Whatever else has no text is something that a person sent: new kinds of media appear
/// more often than new kinds of service messages.
const SERVICE: [&str; 35] = [
    "new_chat_members",
    "left_chat_member",
    "new_chat_title",
    "new_chat_photo",
    "delete_chat_photo",
    "group_chat_created",
    "supergroup_chat_created",
    "channel_chat_created",
    "message_auto_delete_timer_changed",
    "migrate_from_chat_id",
    "pinned_message",
    "successful_payment",
    "refunded_payment",
    "users_shared",
    "chat_shared",
    "gift",
    "unique_gift",
    "connected_website",
    "write_access_allowed",
    "passport_data",
    "proximity_alert_triggered",
    "boost_added",
    "chat_background_set",
    "direct_message_price_changed",
    "paid_message_price_changed",
    "forum_topic_created",
    "forum_topic_edited",
    "forum_topic_closed",
    "forum_topic_reopened",
    "giveaway_created",
    "giveaway_completed",
    "video_chat_scheduled",
    "video_chat_started",
    "video_chat_ended",
    "video_chat_participants_invited",
];

/// The bytes are not JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not JSON")]
pub struct BrokenUpdate;

/// An update, understood.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "nearly all are inbounds, and none is kept")]
pub enum Parsed {
    /// Something that a person said or did.
    Inbound {
        inbound: Inbound,
        /// What to acknowledge once the inbound is committed.
        press: Option<Press>,
    },
    /// Nothing for us; the reason, for counting.
    Ignored(&'static str),
}

/// A pressed button.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Press {
    pub callback_id: String,
    /// Chat and number of the message with the button; absent where Telegram does not say.
    pub message: Option<(i64, i32)>,
}

#[derive(Deserialize)]
struct Update {
    update_id: i64,
    message: Option<Message>,
    edited_message: Option<Message>,
    callback_query: Option<CallbackQuery>,
    my_chat_member: Option<ChatMemberUpdated>,
}

#[derive(Deserialize)]
struct Message {
    from: Option<User>,
    chat: Chat,
    text: Option<String>,
    caption: Option<String>,
    contact: Option<Contact>,
    reply_to_message: Option<RepliedTo>,
    migrate_to_chat_id: Option<i64>,
}

#[derive(Deserialize)]
struct User {
    id: i64,
    #[serde(default)]
    is_bot: bool,
    language_code: Option<String>,
}

#[derive(Deserialize)]
struct Chat {
    id: i64,
    #[serde(rename = "type")]
    kind: ChatKind,
}

#[derive(Deserialize, PartialEq, Eq, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum ChatKind {
    Private,
    Group,
    Supergroup,
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct Contact {
    phone_number: String,
    user_id: Option<i64>,
}

#[derive(Deserialize)]
struct RepliedTo {
    from: Option<User>,
}

#[derive(Deserialize)]
struct CallbackQuery {
    id: String,
    from: User,
    message: Option<PressedMessage>,
    data: Option<String>,
}

/// May be inaccessible to us; its numbers are there all the same.
#[derive(Deserialize)]
struct PressedMessage {
    message_id: i32,
    chat: ChatId,
}

#[derive(Deserialize)]
struct ChatId {
    id: i64,
}

#[derive(Deserialize)]
struct ChatMemberUpdated {
    chat: Chat,
    from: User,
    new_chat_member: ChatMember,
}

#[derive(Deserialize)]
struct ChatMember {
    status: String,
}

/// What an update says, received `now` by `bot`.
///
/// # Errors
/// When it is not JSON. Any JSON at all is `Ok`.
pub fn to_inbound(update: &[u8], now: DateTime<Utc>, bot: &BotIdentity) -> Result<Parsed, BrokenUpdate> {
    let Ok(parsed) = serde_json::from_slice::<Update>(update) else {
        // What is skipped is not looked at closely, so bytes that are no text have to be ruled out first.
        let is_json = str::from_utf8(update).is_ok_and(|text| serde_json::from_str::<IgnoredAny>(text).is_ok());
        return if is_json { Ok(Parsed::Ignored("shape")) } else { Err(BrokenUpdate) };
    };
    let received = Received { key: format!("telegram:{}:{}", bot.id, parsed.update_id), now };
    Ok(if let Some(message) = parsed.message {
        received.message(message, bot, update)
    } else if let Some(query) = parsed.callback_query {
        received.press(query)
    } else if let Some(message) = parsed.edited_message {
        received.edit(message)
    } else if let Some(change) = parsed.my_chat_member {
        received.membership(change)
    } else {
        Parsed::Ignored("kind")
    })
}

/// The number of an update, if that much can be read.
#[must_use]
pub fn update_id(update: &[u8]) -> Option<i64> {
    #[derive(Deserialize)]
    struct Numbered {
        update_id: i64,
    }
    serde_json::from_slice::<Numbered>(update).ok().map(|it| it.update_id)
}

/// What all inbounds of an update have in common.
struct Received {
    key: String,
    now: DateTime<Utc>,
}

impl Received {
    fn inbound(self, from: i64, body: Body, locale_hint: Option<String>) -> Parsed {
        let from = Address::telegram(from);
        let inbound = Inbound { key: self.key, from, body, received_at: self.now, locale_hint };
        Parsed::Inbound { inbound, press: None }
    }

    fn message(self, message: Message, bot: &BotIdentity, update: &[u8]) -> Parsed {
        if let Some(chat) = message.migrate_to_chat_id {
            return self.inbound(message.chat.id, Body::MovedTo(Address::telegram(chat)), None);
        }
        if message.from.as_ref().is_some_and(|from| from.is_bot) {
            return Parsed::Ignored("bot");
        }
        match message.chat.kind {
            ChatKind::Private => self.private(message, bot, update),
            ChatKind::Group | ChatKind::Supergroup if speaks_to(&message, bot) => {
                self.inbound(message.chat.id, Body::InGroupChat, None)
            }
            _ => Parsed::Ignored("group"),
        }
    }

    fn private(self, message: Message, bot: &BotIdentity, update: &[u8]) -> Parsed {
        let sender = message.from.as_ref().map_or(message.chat.id, |from| from.id);
        let locale = message.from.and_then(language);
        let body = if let Some(text) = message.text {
            typed(&text, bot)
        } else if let Some(contact) = message.contact {
            shared(contact, sender)
        } else if is_service(update) {
            return Parsed::Ignored("service");
        } else {
            Body::Unreadable
        };
        self.inbound(sender, body, locale)
    }

    /// Whose press it is, is who pressed: a button may have been forwarded, or made up.
    fn press(self, query: CallbackQuery) -> Parsed {
        if query.from.is_bot {
            return Parsed::Ignored("bot");
        }
        let Some(data) = query.data else { return Parsed::Ignored("game") };
        let press = Press {
            callback_id: query.id,
            message: query.message.map(|message| (message.chat.id, message.message_id)),
        };
        match self.inbound(query.from.id, Body::Choice(data), language(query.from)) {
            Parsed::Inbound { inbound, .. } => Parsed::Inbound { inbound, press: Some(press) },
            ignored => ignored,
        }
    }

    fn edit(self, message: Message) -> Parsed {
        match message {
            Message { chat: Chat { kind: ChatKind::Private, id }, from, text, caption, .. } => {
                if from.as_ref().is_some_and(|from| from.is_bot) {
                    return Parsed::Ignored("bot");
                }
                // A live location is edited every few seconds by nobody.
                if text.is_none() && caption.is_none() {
                    return Parsed::Ignored("edit");
                }
                let sender = from.as_ref().map_or(id, |from| from.id);
                self.inbound(sender, Body::Edited, from.and_then(language))
            }
            _ => Parsed::Ignored("group"),
        }
    }

    /// In a private chat this comes only when the person blocks or unblocks the bot.
    fn membership(self, change: ChatMemberUpdated) -> Parsed {
        if change.chat.kind != ChatKind::Private {
            return Parsed::Ignored("group");
        }
        let body = match change.new_chat_member.status.as_str() {
            "kicked" => Body::Blocked,
            "member" => Body::Unblocked,
            _ => return Parsed::Ignored("membership"),
        };
        self.inbound(change.from.id, body, language(change.from))
    }
}

/// Typed text: a deep link's `/start`, a command with our name taken off, or just text.
fn typed(text: &str, bot: &BotIdentity) -> Body {
    let text = match text.char_indices().nth(LONGEST_TEXT) {
        Some((end, _)) => &text[..end],
        None => text,
    };
    match command(text) {
        Some((name, to, rest)) if to.is_none_or(|to| is_us(to, bot)) => {
            if name.eq_ignore_ascii_case("start") {
                return Body::Start(rest.trim().to_owned());
            }
            Body::Text(format!("/{name}{rest}"))
        }
        _ => Body::Text(text.to_owned()),
    }
}

/// `/name@to rest` in its parts; `rest` begins with the white space that ended the name.
fn command(text: &str) -> Option<(&str, Option<&str>, &str)> {
    let text = text.strip_prefix('/')?;
    let (head, rest) = text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()));
    match head.split_once('@') {
        Some((name, to)) => Some((name, Some(to), rest)),
        None => Some((head, None, rest)),
    }
}

fn is_us(name: &str, bot: &BotIdentity) -> bool {
    name.eq_ignore_ascii_case(&bot.username)
}

/// Whether something said in a group is meant for us. Everything else there is none of our business.
fn speaks_to(message: &Message, bot: &BotIdentity) -> bool {
    let replies = message.reply_to_message.as_ref().and_then(|to| to.from.as_ref()).is_some_and(|to| to.id == bot.id);
    let text = message.text.as_deref().or(message.caption.as_deref()).unwrap_or_default();
    let addressed = match command(text) {
        Some((_, Some(to), _)) => is_us(to, bot),
        Some((name, None, _)) => ["start", "help"].iter().any(|ours| name.eq_ignore_ascii_case(ours)),
        None => false,
    };
    replies || addressed || mentions(text, bot)
}

/// `@name`, where the name does not go on.
fn mentions(text: &str, bot: &BotIdentity) -> bool {
    !bot.username.is_empty()
        && text.split('@').skip(1).any(|after| {
            let end = after.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(after.len());
            is_us(&after[..end], bot)
        })
}

/// A person can send anybody's card; only a card with the sender's own id is their own.
fn shared(contact: Contact, sender: i64) -> Body {
    let number = contact.phone_number;
    let phone = if number.starts_with('+') { number } else { format!("+{number}") };
    Body::Contact { phone, own: contact.user_id == Some(sender) }
}

fn language(user: User) -> Option<String> {
    user.language_code.filter(|tag| (1..=LONGEST_LANGUAGE).contains(&tag.len()))
}

/// Looked at only when there is nothing to read in a message.
fn is_service(update: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Keys<'a> {
        #[serde(borrow)]
        message: BTreeMap<Cow<'a, str>, IgnoredAny>,
    }
    serde_json::from_slice::<Keys<'_>>(update)
        .is_ok_and(|keys| keys.message.keys().any(|key| SERVICE.contains(&key.as_ref())))
}

#[cfg(test)]
mod tests;
