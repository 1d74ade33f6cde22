//! `convive check`: what works, and what to do about the rest.

use std::{path::Path, process::ExitCode, sync::Arc};

use app::{App, SystemClock};
use bots::telegram::setup;
use store::Store;

use super::{CliError, Global, Session, Streams, session::PROVIDER_TIMEOUT};
use crate::{
    settings::{DEFAULT_FILE, Http, Settings, Telegram, TelegramMode, Twilio},
    wiring,
};

/// What was found about one part.
enum Found {
    Works(String),
    /// Not asked for; how to ask for it.
    Off(String),
    /// Does not work; what to do.
    Broken(String),
}

pub(super) async fn run(
    global: &Global,
    env: Vec<(String, String)>,
    streams: &mut Streams<'_>,
) -> Result<ExitCode, CliError> {
    let settings = Session::settings(global, env)?;
    let file = global.config.as_deref().unwrap_or(Path::new(DEFAULT_FILE));
    let source = if file.exists() {
        format!("read from {} and the environment", file.display())
    } else {
        format!("read from the environment; there is no {DEFAULT_FILE} here")
    };
    let parts = [
        ("settings", Found::Works(source)),
        ("store", store(&settings).await),
        ("telegram", telegram(settings.telegram.as_ref()).await),
        ("sms", sms(settings.twilio.as_ref(), &settings.http).await),
    ];
    let mut all_work = true;
    for (part, found) in parts {
        let (word, text) = match found {
            Found::Works(text) => ("ok", text),
            Found::Off(text) => ("off", text),
            Found::Broken(text) => {
                all_work = false;
                ("FAILED", text)
            }
        };
        writeln!(streams.out, "{word:<7} {part}: {text}")?;
    }
    Ok(if all_work { ExitCode::SUCCESS } else { ExitCode::from(super::error::FAILED) })
}

async fn store(settings: &Settings) -> Found {
    let found = async {
        let store = wiring::open_store(&settings.store).await?;
        store.ready().await?;
        let app = App::new(Arc::clone(&store), Arc::new(SystemClock), wiring::policy(settings));
        guests(&app, store.as_ref()).await
    };
    match found.await {
        Ok(what) => Found::Works(format!("{} can be read and written; {what}", settings.store.shown())),
        Err(error) => Found::Broken(error.to_string()),
    }
}

async fn guests(app: &App, store: &dyn Store) -> Result<String, store::StoreError> {
    let events = store.events().await?;
    if events.is_empty() {
        return Ok("there is no event yet: create one with convive event set".to_owned());
    }
    let mut parts = Vec::new();
    for event in events {
        let guests = app.all_guests(&event.id).await?;
        let hosts = guests.iter().filter(|guest| guest.is_admin).count();
        let hint = match (hosts, guests.len()) {
            (0, 0) => " (nobody sees the answers: add a host with convive guests add --first NAME --last NAME --admin)",
            (0, _) => " (nobody sees the answers: make a guest a host with convive guests add --code CODE --admin)",
            _ => "",
        };
        parts.push(format!("event {}: guests {}, hosts {hosts}{hint}", event.id, guests.len()));
    }
    Ok(parts.join("; "))
}

async fn telegram(telegram: Option<&Telegram>) -> Found {
    let Some(telegram) = telegram else {
        return Found::Off("no bot: to have one, talk to @BotFather and set telegram.token".to_owned());
    };
    let client = match wiring::telegram_client(telegram, PROVIDER_TIMEOUT) {
        Ok(client) => client,
        Err(error) => return Found::Broken(format!("{error:#}")),
    };
    let mode = match telegram.mode {
        TelegramMode::Polling => "polling",
        TelegramMode::Webhook { .. } => "webhook",
    };
    match setup::identify(&client).await {
        Ok(bot) => Found::Works(format!("the bot is @{}, mode {mode}", bot.username)),
        Err(error) => Found::Broken(format!(
            "{error}. Compare telegram.token with what @BotFather gave, and see whether this machine reaches the \
             address of telegram.api_url"
        )),
    }
}

async fn sms(twilio: Option<&Twilio>, http: &Http) -> Found {
    let Some(twilio) = twilio else {
        let hint = "no texts: to send some, set twilio.account_sid, twilio.auth_token, twilio.from and http.public_url";
        return Found::Off(hint.to_owned());
    };
    let channel = match wiring::twilio_channel(twilio, http, PROVIDER_TIMEOUT) {
        Ok(channel) => channel,
        Err(error) => return Found::Broken(format!("{error:#}")),
    };
    match channel.check_account().await {
        Ok(()) => {
            let door = http.public_url.as_ref().map(|url| wiring::below(url, webhooks::sms::PATH).to_string());
            Found::Works(format!("the account answers; Twilio must call {} for texts", door.unwrap_or_default()))
        }
        Err(error) => Found::Broken(error),
    }
}
