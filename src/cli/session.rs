//! What most commands begin with: settings, store, use cases.

use std::{sync::Arc, time::Duration};

use app::{App, SystemClock};
use bots::telegram::setup;
use domain::{
    code,
    model::{Event, EventId},
};

use super::{CliError, Global};
use crate::{settings::Settings, wiring};

/// A host waits for no provider longer than this.
pub(super) const PROVIDER_TIMEOUT: Duration = Duration::from_secs(10);

/// An open store, and the event that is meant.
pub struct Session {
    pub app: App,
    pub settings: Settings,
    pub event: Option<EventId>,
}

impl Session {
    /// Reads the settings.
    ///
    /// # Errors
    /// Every setting that cannot be used.
    pub fn settings(global: &Global, env: Vec<(String, String)>) -> Result<Settings, CliError> {
        Ok(Settings::load(global.config.as_deref(), env.into_iter())?)
    }

    /// Reads the settings and opens the store.
    ///
    /// # Errors
    /// When a setting or the store cannot be used.
    pub async fn open(global: &Global, env: Vec<(String, String)>) -> Result<Self, CliError> {
        let settings = Self::settings(global, env)?;
        let store = wiring::open_store(&settings.store).await?;
        let app = App::new(store, Arc::new(SystemClock), wiring::policy(&settings));
        Ok(Self { app, settings, event: global.event.as_deref().map(|id| EventId::from(id.trim())) })
    }

    /// The event that is meant.
    ///
    /// # Errors
    /// When there is none, or several and none is named.
    pub async fn event(&self) -> Result<Event, CliError> {
        Ok(self.app.one_event(self.event.as_ref()).await?)
    }

    /// How deep links into the bot are made, where there is one and it can be asked.
    pub async fn links(&self) -> Links {
        let Some(telegram) = &self.settings.telegram else { return Links::None };
        let client = match wiring::telegram_client(telegram, PROVIDER_TIMEOUT) {
            Ok(client) => client,
            Err(error) => return Links::Unknown(format!("{error:#}")),
        };
        match setup::identify(&client).await {
            Ok(bot) => Links::Bot(bot.username),
            Err(error) => Links::Unknown(error.to_string()),
        }
    }
}

/// Deep links into the bot.
pub enum Links {
    /// There is no bot.
    None,
    /// The bot's user name.
    Bot(String),
    /// There is a bot, but it cannot be asked for its name.
    Unknown(String),
}

impl Links {
    /// The link that opens the bot with this code.
    pub fn to(&self, code: &str) -> Option<String> {
        match self {
            Self::Bot(username) => Some(setup::deep_link(username, &code::link_payload(code))),
            Self::None | Self::Unknown(_) => None,
        }
    }

    /// What to tell the host about links that are missing.
    pub fn complaint(&self) -> Option<String> {
        match self {
            Self::Unknown(why) => Some(format!("links are left out: Telegram does not say who the bot is ({why})")),
            Self::None | Self::Bot(_) => None,
        }
    }
}
