//! Choices as buttons under a message.

use store::RenderedChoice;
use teloxide_core::types::{InlineKeyboardButton, InlineKeyboardMarkup};

/// Bytes of a button's `callback_data`, as <https://core.telegram.org/bots/api#inlinekeyboardbutton> limits them.
const DATA_BYTES: usize = 64;
/// The limit of a keyboard is not published; bots have been refused above a hundred buttons. What is left out can
/// still be typed.
const MOST_BUTTONS: usize = 90;
/// So many are easiest to read below each other.
const ONE_A_ROW: usize = 8;
/// Labels of this many characters fit three to a row on a phone.
const SHORT_LABEL: usize = 12;
/// Longer labels would be cut by the app anyway, and a keyboard of them be refused as too long.
const LONGEST_LABEL: usize = 64;

/// A choice cannot be a button.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a choice's id has {0} bytes; a button carries 1 to {DATA_BYTES}")]
pub struct BadChoice(usize);

/// The keyboard for these choices; `None` when there are none.
///
/// # Errors
/// When an id cannot be carried by a button.
pub fn keyboard(choices: &[RenderedChoice]) -> Result<Option<InlineKeyboardMarkup>, BadChoice> {
    if let Some(bad) = choices.iter().find(|choice| !(1..=DATA_BYTES).contains(&choice.id.len())) {
        return Err(BadChoice(bad.id.len()));
    }
    if choices.is_empty() {
        return Ok(None);
    }
    let shown = &choices[..choices.len().min(MOST_BUTTONS)];
    let rows = shown.chunks(columns(shown)).map(|row| row.iter().map(button).collect::<Vec<_>>());
    Ok(Some(InlineKeyboardMarkup::new(rows)))
}

fn columns(choices: &[RenderedChoice]) -> usize {
    let short = choices.iter().all(|choice| choice.label.chars().count() <= SHORT_LABEL);
    match choices.len() {
        ..=ONE_A_ROW => 1,
        _ if short => 3,
        _ => 2,
    }
}

fn button(choice: &RenderedChoice) -> InlineKeyboardButton {
    InlineKeyboardButton::callback(label(&choice.label), choice.id.clone())
}

fn label(text: &str) -> String {
    match text.char_indices().nth(LONGEST_LABEL) {
        // Telegram refuses a button without a label, and the whole message with it.
        None if text.trim().is_empty() => "…".to_owned(),
        None => text.to_owned(),
        Some(_) => {
            let kept: String = text.chars().take(LONGEST_LABEL - 1).collect();
            format!("{}…", kept.trim_end())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choices(count: usize, label: &str) -> Vec<RenderedChoice> {
        (0..count).map(|n| RenderedChoice { id: format!("7:{n}"), label: label.to_owned() }).collect()
    }

    fn shape(count: usize, label: &str) -> Vec<usize> {
        let rows = keyboard(&choices(count, label)).unwrap().map(|it| it.inline_keyboard).unwrap_or_default();
        rows.iter().map(Vec::len).collect()
    }

    #[test]
    fn few_choices_are_below_each_other_and_many_side_by_side() {
        assert_eq!(shape(0, "Anna"), [0; 0]);
        assert_eq!(shape(8, "Anna"), [1; 8]);
        assert_eq!(shape(9, "Anna"), [3; 3]);
        assert_eq!(shape(10, "Oksana Kovalenko-Shevchenko"), [2; 5]);
        assert_eq!(shape(24, "Anna"), [3; 8]);
        assert_eq!(shape(200, "Anna").iter().sum::<usize>(), 90);
    }

    /// Telegram counts the bytes, and refuses the whole message with its keyboard.
    #[test]
    fn an_id_is_measured_in_bytes() {
        let with_id = |id: &str| keyboard(&[RenderedChoice { id: id.to_owned(), label: "Yes".to_owned() }]);
        assert!(with_id(&"x".repeat(64)).is_ok());
        assert_eq!(with_id("rsvp:yes:Оксана Коваленко-Шевченко:group-4"), Err(BadChoice(65)));
        assert_eq!(with_id(""), Err(BadChoice(0)));
    }

    #[test]
    fn a_label_is_never_empty_and_never_endless() {
        assert_eq!(label(""), "…");
        assert_eq!(label("Оксана Коваленко-Шевченко"), "Оксана Коваленко-Шевченко");
        assert_eq!(label(&"é".repeat(64)), "é".repeat(64));
        assert_eq!(label(&"é".repeat(65)), format!("{}…", "é".repeat(63)));
    }
}
