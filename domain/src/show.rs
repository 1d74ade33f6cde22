//! How a message looks in each style: buttons with a little HTML, or plain numbered texts.

use crate::{
    address::Style,
    message::{Attachment, Numbering, Outgoing},
    sms_text,
    wording::{self, Language},
};

/// Telegram's limit for a message, in UTF-16 units after its markup is taken off
/// (<https://core.telegram.org/bots/api#sendmessage>).
pub const TELEGRAM_UNITS: usize = 4096;
/// Twilio's limit for a message body, in characters (<https://www.twilio.com/docs/messaging/api/message-resource>).
pub const TEXT_CHARACTERS: usize = 1600;

/// A message in its channel's form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// HTML (`<b>`, `<i>` and three entities) for buttons, plain text for texts.
    pub text: String,
    /// Id and label. Texts list them in the text where they are numbered; they are given in both styles.
    pub choices: Vec<(String, String)>,
    pub attachment: Option<Attachment>,
    /// SMS segments; 0 for buttons.
    pub segments: u32,
}

/// Puts a message into words and form. More than one part where it is longer than the channel takes; choices and
/// file go with the last. At least one part.
#[must_use]
pub fn show(message: &Outgoing, language: &Language, style: Style) -> Vec<Shown> {
    let mut lines: Vec<String> = message.says.iter().map(|say| wording::render(say, language, style)).collect();
    let question = message.question.as_ref();
    let choices: Vec<(String, String)> = question
        .iter()
        .flat_map(|question| &question.choices)
        .map(|choice| (choice.id.clone(), plain(&wording::render(&choice.label, language, style))))
        .collect();
    let parts = match style {
        Style::Buttons => split_html(&lines.join("\n")),
        Style::Texts => {
            if question.is_some_and(|question| question.numbering == Numbering::Choices) {
                lines.extend(
                    (1..).zip(&choices).map(|(number, (_, label))| format!("{number} {}", wording::escape(label))),
                );
            }
            sms_text::split(&plain(&lines.join("\n")), TEXT_CHARACTERS)
        }
    };
    let mut shown: Vec<Shown> = parts
        .into_iter()
        .map(|text| Shown {
            segments: if style == Style::Texts { sms_text::segments(&text).count } else { 0 },
            text,
            choices: Vec::new(),
            attachment: None,
        })
        .collect();
    if let Some(last) = shown.last_mut() {
        last.choices = choices;
        last.attachment = message.attachment.clone().filter(|_| style == Style::Buttons);
    }
    shown
}

/// The text that a reader of the HTML subset sees.
#[must_use]
pub fn plain(html: &str) -> String {
    if !html.contains(['&', '<']) {
        return html.to_owned();
    }
    let mut text = html.to_owned();
    for tag in ["<b>", "</b>", "<i>", "</i>"] {
        text = text.replace(tag, "");
    }
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

fn units(html: &str) -> usize {
    plain(html).encode_utf16().count()
}

/// Between lines where possible. A single line that is too long loses its markup, so that no part holds half a tag.
fn split_html(html: &str) -> Vec<String> {
    if units(html) <= TELEGRAM_UNITS {
        return vec![html.to_owned()];
    }
    let mut parts: Vec<String> = Vec::new();
    let mut part = String::new();
    let mut used = 0;
    let mut flush = |part: &mut String, used: &mut usize| {
        if !part.is_empty() {
            parts.push(std::mem::take(part));
        }
        *used = 0;
    };
    for line in html.split('\n') {
        let length = units(line);
        if used > 0 && used + 1 + length > TELEGRAM_UNITS {
            flush(&mut part, &mut used);
        }
        if length > TELEGRAM_UNITS {
            // At most two units a character.
            for piece in sms_text::split(&plain(line), TELEGRAM_UNITS / 2) {
                part = wording::escape(&piece).into_owned();
                flush(&mut part, &mut used);
            }
            continue;
        }
        if used > 0 {
            part.push('\n');
            used += 1;
        }
        part.push_str(line);
        used += length;
    }
    flush(&mut part, &mut used);
    parts
}
