//! What the people in a chat see.

use std::fmt::Write as _;

/// A message of the bot.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Message {
    pub id: i64,
    /// As it is seen: without markup.
    pub text: String,
    /// As it was sent.
    pub source: String,
    /// Rows.
    pub buttons: Vec<Vec<Button>>,
    pub document: Option<Document>,
}

/// A button under a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Button {
    pub label: String,
    pub data: String,
}

/// A file in a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    pub name: String,
    pub media_type: String,
    pub content: String,
}

#[derive(Default)]
pub(super) struct Chat {
    lines: Vec<Line>,
}

enum Line {
    Said(String),
    Pressed(String),
    Bot {
        message: Message,
        /// Its keyboard as it was first shown.
        buttons: Vec<Button>,
    },
}

impl Chat {
    pub fn said(&mut self, text: &str) {
        self.lines.push(Line::Said(text.to_owned()));
    }

    pub fn pressed(&mut self, label: &str) {
        self.lines.push(Line::Pressed(label.to_owned()));
    }

    pub fn shows(&mut self, message: Message) {
        let buttons = message.buttons.iter().flatten().cloned().collect();
        self.lines.push(Line::Bot { message, buttons });
    }

    pub fn messages(&self) -> Vec<Message> {
        self.bot().map(|(message, _)| message.clone()).collect()
    }

    fn bot(&self) -> impl DoubleEndedIterator<Item = (&Message, &[Button])> {
        self.lines.iter().filter_map(|line| match line {
            Line::Bot { message, buttons } => Some((message, buttons.as_slice())),
            _ => None,
        })
    }

    pub fn newest_with(&self, label: &str) -> Option<i64> {
        let shows = |message: &Message| message.buttons.iter().flatten().any(|button| button.label == label);
        self.bot().rev().find(|(message, _)| shows(message)).map(|(message, _)| message.id)
    }

    pub fn data_of(&self, id: i64, label: &str) -> Option<String> {
        let (_, buttons) = self.bot().find(|(message, _)| message.id == id)?;
        buttons.iter().find(|button| button.label == label).map(|button| button.data.clone())
    }

    pub fn find(&mut self, id: i64) -> Option<&mut Message> {
        self.lines.iter_mut().find_map(|line| match line {
            Line::Bot { message, .. } if message.id == id => Some(message),
            _ => None,
        })
    }

    pub fn transcript(&self) -> String {
        let mut shown = String::new();
        for line in &self.lines {
            match line {
                Line::Said(text) => put(&mut shown, "> ", text),
                Line::Pressed(label) => put(&mut shown, "> ", &format!("[{label}]")),
                Line::Bot { message, .. } => put(&mut shown, "< ", &seen(message)),
            }
        }
        shown
    }
}

fn seen(message: &Message) -> String {
    let mut lines = Vec::new();
    if !message.text.is_empty() {
        lines.push(message.text.clone());
    }
    if let Some(file) = &message.document {
        lines.push(format!("({}, {})", file.name, file.media_type));
    }
    for row in &message.buttons {
        let labels: Vec<String> = row.iter().map(|button| format!("[{}]", button.label)).collect();
        lines.push(labels.join(" "));
    }
    lines.join("\n")
}

/// The first line behind `mark`, the others indented as far.
fn put(shown: &mut String, mark: &str, text: &str) {
    for (index, line) in text.lines().enumerate() {
        let lead = if index == 0 { mark } else { "  " };
        let _ = writeln!(shown, "{}", format!("{lead}{line}").trim_end());
    }
}
