//! Where a person can be written to.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// A chat app, or another way in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Channel {
    Telegram,
    Sms,
    /// The terminal chat; its addresses are delivered by that process alone.
    Console,
    /// The pages and the JSON API.
    Web,
    /// The command line.
    Cli,
}

impl Channel {
    /// The word in addresses, exports and logs.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Telegram => "telegram",
            Self::Sms => "sms",
            Self::Console => "console",
            Self::Web => "web",
            Self::Cli => "cli",
        }
    }

    /// The channel that [`Channel::as_str`] wrote.
    #[must_use]
    pub fn from_stored(text: &str) -> Option<Self> {
        [Self::Telegram, Self::Sms, Self::Console, Self::Web, Self::Cli]
            .into_iter()
            .find(|channel| channel.as_str() == text)
    }
}

impl fmt::Display for Channel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// How a message looks where it arrives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Style {
    /// Choices are buttons, text may be bold (Telegram).
    Buttons,
    /// Choices are numbered lines, text is plain and costs by the segment (SMS).
    Texts,
}

/// Channel and opaque id; where the same person may write to several of our own numbers, that too.
///
/// Written `telegram:7100000001`, `sms:+447700900999:+447700900123` (ours first), `console:sms:anna`.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Address {
    pub channel: Channel,
    /// Our side: our number or messaging service for SMS, the imitated channel for the console.
    pub own: Option<String>,
    pub id: String,
}

/// The text is not an address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not an address: expected channel:id or channel:own:id")]
pub struct NotAnAddress;

impl Address {
    /// The private chat with a Telegram user, or a group chat (negative).
    #[must_use]
    pub fn telegram(chat: i64) -> Self {
        Self { channel: Channel::Telegram, own: None, id: chat.to_string() }
    }

    /// The phone `theirs`, written to from our number (or messaging service) `ours`.
    #[must_use]
    pub fn sms(ours: &str, theirs: &str) -> Self {
        Self { channel: Channel::Sms, own: Some(ours.to_owned()), id: theirs.to_owned() }
    }

    /// Somebody at the terminal who is shown what `imitates` would show.
    #[must_use]
    pub fn console(imitates: Channel, id: &str) -> Self {
        Self { channel: Channel::Console, own: Some(imitates.as_str().to_owned()), id: id.to_owned() }
    }

    /// The channel as people see it: for the console the one it imitates.
    #[must_use]
    pub fn shown_channel(&self) -> Channel {
        match self.channel {
            Channel::Console => self.own.as_deref().and_then(Channel::from_stored).unwrap_or(Channel::Console),
            channel => channel,
        }
    }

    /// How messages look there.
    #[must_use]
    pub fn style(&self) -> Style {
        match self.channel {
            Channel::Sms => Style::Texts,
            Channel::Console if self.own.as_deref() == Some(Channel::Sms.as_str()) => Style::Texts,
            _ => Style::Buttons,
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.own {
            Some(own) => write!(f, "{}:{own}:{}", self.channel, self.id),
            None => write!(f, "{}:{}", self.channel, self.id),
        }
    }
}

/// Channel only: an address is personal data and must not reach a log by accident.
impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:…", self.channel)
    }
}

impl FromStr for Address {
    type Err = NotAnAddress;

    fn from_str(text: &str) -> Result<Self, NotAnAddress> {
        let (channel, rest) = text.split_once(':').ok_or(NotAnAddress)?;
        let channel = Channel::from_stored(channel).ok_or(NotAnAddress)?;
        let has_own = matches!(channel, Channel::Sms | Channel::Console);
        let (own, id) = match rest.split_once(':') {
            Some((own, id)) if has_own => (Some(own.to_owned()), id),
            _ if has_own => return Err(NotAnAddress),
            _ => (None, rest),
        };
        if id.is_empty() {
            return Err(NotAnAddress);
        }
        Ok(Self { channel, own, id: id.to_owned() })
    }
}

impl Serialize for Address {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Address {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}
