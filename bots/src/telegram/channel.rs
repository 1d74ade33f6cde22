//! Outbox entries as Telegram messages.

use async_trait::async_trait;
use domain::{
    address::{Address, Channel},
    message::Attachment,
    show::{self, TELEGRAM_UNITS},
};
use reqwest::multipart::{Form, Part};
use serde::Deserialize;
use store::Rendered;
use teloxide_core::{
    payloads::{SendMessage, SendMessageSetters},
    types::{ChatId, InlineKeyboardMarkup, LinkPreviewOptions, ParseMode},
};

use super::{
    answer::CallError,
    client::TelegramClient,
    keyboard::{self, BadChoice},
};
use crate::{Parcel, Provider, Repeats, SendOutcome};

/// The longest text that goes with a file, in UTF-16 units after its markup is taken off
/// (<https://core.telegram.org/bots/api#senddocument>).
pub const CAPTION_UNITS: usize = 1024;

/// Sends to Telegram chats.
///
/// A file goes with its text as caption, in one message, because two requests for one entry could half succeed. A text
/// longer than [`CAPTION_UNITS`] therefore cannot have a file: the file needs an outbox entry of its own.
#[derive(Debug, Clone)]
pub struct TelegramChannel {
    client: TelegramClient,
}

/// Of the sent message only its id is read: anything else in it that we did not understand would put a message in
/// doubt that has certainly been sent.
#[derive(Deserialize)]
struct SentMessage {
    message_id: i64,
}

/// The entry can never be a Telegram message.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
enum Unsendable {
    #[error("not a Telegram chat")]
    Address,
    #[error("there is nothing in it")]
    Empty,
    #[error("the text has {0} characters; a message takes {TELEGRAM_UNITS}")]
    TooLong(usize),
    #[error("the text has {0} characters; with a file it may have {CAPTION_UNITS}")]
    CaptionTooLong(usize),
    #[error("the file's type is not a media type")]
    MediaType,
    #[error(transparent)]
    Choice(#[from] BadChoice),
}

/// How the text is written.
#[derive(Clone, Copy)]
enum Markup {
    Html,
    Plain,
}

impl TelegramChannel {
    /// Sends as this bot.
    #[must_use]
    pub fn new(client: TelegramClient) -> Self {
        Self { client }
    }

    async fn try_send(&self, chat: i64, text: &Rendered, markup: Markup) -> Result<SentMessage, Failure> {
        let keyboard = keyboard::keyboard(&text.choices).map_err(Unsendable::from)?;
        if let Some(file) = &text.attachment {
            let form = document(chat, file, &text.text, markup, keyboard.as_ref())?;
            return Ok(self.client.upload("SendDocument", form).await?);
        }
        Ok(self.client.call(&message(chat, &text.text, markup, keyboard)?).await?)
    }
}

/// Why an attempt failed.
enum Failure {
    Unsendable(Unsendable),
    Call(CallError),
}

impl From<Unsendable> for Failure {
    fn from(error: Unsendable) -> Self {
        Self::Unsendable(error)
    }
}

impl From<CallError> for Failure {
    fn from(error: CallError) -> Self {
        Self::Call(error)
    }
}

#[async_trait]
impl Provider for TelegramChannel {
    fn channel(&self) -> Channel {
        Channel::Telegram
    }

    /// The Bot API has no idempotency key, and cannot be asked what it has sent.
    fn repeats(&self) -> Repeats {
        Repeats::Once
    }

    async fn send(&self, parcel: &Parcel<'_>) -> SendOutcome {
        let sent = match chat_id(parcel.address) {
            Err(error) => Err(error.into()),
            Ok(chat) => match self.try_send(chat, parcel.text, Markup::Html).await {
                Err(Failure::Call(error)) if error.is_about_markup() => {
                    tracing::error!(entry = parcel.id, "Telegram refused our markup; sending it as plain text");
                    self.try_send(chat, parcel.text, Markup::Plain).await
                }
                sent => sent,
            },
        };
        match sent {
            Ok(SentMessage { message_id }) => SendOutcome::Sent { provider_id: Some(message_id.to_string()) },
            Err(Failure::Call(error)) => error.into(),
            Err(Failure::Unsendable(error)) => SendOutcome::Failed { reason: error.to_string() },
        }
    }
}

fn chat_id(address: &Address) -> Result<i64, Unsendable> {
    match address.channel {
        Channel::Telegram => address.id.parse().map_err(|_| Unsendable::Address),
        _ => Err(Unsendable::Address),
    }
}

fn message(
    chat: i64,
    html: &str,
    markup: Markup,
    keyboard: Option<InlineKeyboardMarkup>,
) -> Result<SendMessage, Unsendable> {
    let units = units(html);
    if units == 0 {
        return Err(Unsendable::Empty);
    }
    if units > TELEGRAM_UNITS {
        return Err(Unsendable::TooLong(units));
    }
    let mut message = match markup {
        Markup::Html => SendMessage::new(ChatId(chat), html).parse_mode(ParseMode::Html),
        Markup::Plain => SendMessage::new(ChatId(chat), show::plain(html)),
    }
    .link_preview_options(no_preview());
    if let Some(keyboard) = keyboard {
        message = message.reply_markup(keyboard);
    }
    Ok(message)
}

/// A file, its text as caption. teloxide's own form needs the other version of the HTTP library.
fn document(
    chat: i64,
    file: &Attachment,
    html: &str,
    markup: Markup,
    keyboard: Option<&InlineKeyboardMarkup>,
) -> Result<Form, Unsendable> {
    let units = units(html);
    if units > CAPTION_UNITS {
        return Err(Unsendable::CaptionTooLong(units));
    }
    let part = Part::text(file.content.clone())
        .file_name(file.name.clone())
        .mime_str(&file.media_type)
        .map_err(|_| Unsendable::MediaType)?;
    let mut form = Form::new().text("chat_id", chat.to_string()).part("document", part);
    if units > 0 {
        form = match markup {
            Markup::Html => form.text("caption", html.to_owned()).text("parse_mode", "HTML"),
            Markup::Plain => form.text("caption", show::plain(html)),
        };
    }
    match keyboard.map(serde_json::to_string) {
        Some(Ok(keyboard)) => Ok(form.text("reply_markup", keyboard)),
        // A keyboard of strings is always JSON.
        Some(Err(_)) | None => Ok(form),
    }
}

fn no_preview() -> LinkPreviewOptions {
    LinkPreviewOptions {
        is_disabled: true,
        url: None,
        prefer_small_media: false,
        prefer_large_media: false,
        show_above_text: false,
    }
}

/// UTF-16 units of what is seen. White space alone is nothing to Telegram.
fn units(html: &str) -> usize {
    show::plain(html).trim().encode_utf16().count()
}

#[cfg(test)]
mod tests;
