//! Parts made from settings: the only place that names a store.

use std::{path::absolute, sync::Arc, time::Duration};

use app::SERVED_CHANNELS;
use bots::{
    sms::{Sender, TwilioChannel, TwilioSettings},
    telegram::{TelegramClient, TelegramSettings},
};
use domain::{address::Channel, conversation::Policy, schedule::Outreach};
use secrecy::ExposeSecret;
use store::{Store, StoreError, archive::Archive, mongo::MongoStore, sqlite::SqliteStore};
use url::Url;

use crate::settings::{Http, Settings, StoreUrl, Telegram, Twilio};

/// Where event ids are unique while no public address is known.
const NO_DOMAIN: &str = "convive.local";

/// Opens the store that the settings name, and makes it when there is none. Waits some seconds for a server that does
/// not answer yet.
///
/// # Errors
/// [`StoreError::Unusable`] when the settings cannot work, with the remedy.
pub async fn open_store(url: &StoreUrl) -> Result<Arc<dyn Store>, StoreError> {
    match url {
        StoreUrl::Sqlite(path) => {
            let path = absolute(path).map_err(|error| StoreError::Unusable(format!("store.url: {error}")))?;
            let named = |error| match error {
                StoreError::Unusable(why) => StoreError::Unusable(format!("store.url: {why}")),
                other => other,
            };
            Ok(Arc::new(SqliteStore::open(&path).map_err(named)?))
        }
        StoreUrl::MongoDb(url) => Ok(Arc::new(MongoStore::connect(url.expose_secret()).await?)),
    }
}

/// The same store, to be read and written whole.
///
/// # Errors
/// As [`open_store`].
pub async fn open_archive(url: &StoreUrl) -> Result<Arc<dyn Archive>, StoreError> {
    Ok(match url {
        StoreUrl::Sqlite(path) => Arc::new(SqliteStore::open(path)?),
        StoreUrl::MongoDb(url) => Arc::new(MongoStore::connect(url.expose_secret()).await?),
    })
}

/// How this installation behaves.
#[must_use]
pub fn policy(settings: &Settings) -> Policy {
    let domain = settings.http.public_url.as_ref().and_then(Url::host_str).unwrap_or(NO_DOMAIN);
    Policy {
        provider_keywords: settings.twilio.as_ref().is_none_or(|twilio| twilio.provider_keywords),
        calendar_domain: domain.to_owned(),
    }
}

/// Where people find the pages, without a `/` at the end; nothing where the port is not known before it is taken.
#[must_use]
pub fn site(http: &Http) -> Option<String> {
    match &http.public_url {
        Some(url) => Some(url.as_str().trim_end_matches('/').to_owned()),
        None => (http.listen.port() != 0).then(|| format!("http://{}", http.listen)),
    }
}

/// Which ways the running program has to write to people.
#[must_use]
pub fn outreach(settings: &Settings) -> Outreach {
    let twilio = settings.twilio.as_ref();
    let texts_from = twilio.and_then(|twilio| twilio.messaging_service_sid.as_ref().or(twilio.from.as_ref()));
    Outreach {
        channels: SERVED_CHANNELS.to_vec(),
        texts_from: texts_from.cloned(),
        sms_fallback: settings.reminders.sms_fallback,
    }
}

/// The ways of the terminal chat: addresses of its own only.
#[must_use]
pub fn console_outreach() -> Outreach {
    Outreach { channels: vec![Channel::Console], texts_from: None, sms_fallback: false }
}

/// Speaks to the Bot API; nothing is sent yet.
///
/// # Errors
/// When token or address cannot be right.
pub fn telegram_client(telegram: &Telegram, request_timeout: Duration) -> anyhow::Result<TelegramClient> {
    let api_url = or_default(telegram.api_url.as_ref(), TelegramSettings::DEFAULT_API_URL)?;
    Ok(TelegramClient::new(&TelegramSettings { token: telegram.token.clone(), api_url, request_timeout })?)
}

/// Sends texts; nothing is sent yet.
///
/// # Errors
/// When a setting cannot be right.
pub fn twilio_channel(twilio: &Twilio, http: &Http, request_timeout: Duration) -> anyhow::Result<TwilioChannel> {
    let from = match (&twilio.messaging_service_sid, &twilio.from) {
        (Some(service), _) => Sender::Service(service.clone()),
        (None, Some(number)) => Sender::Number(number.clone()),
        (None, None) => anyhow::bail!("twilio.from: set your number, or twilio.messaging_service_sid"),
    };
    Ok(TwilioChannel::new(TwilioSettings {
        account_sid: twilio.account_sid.clone(),
        auth_token: twilio.auth_token.clone(),
        from,
        api_url: or_default(twilio.api_url.as_ref(), TwilioSettings::DEFAULT_API_URL)?,
        status_callback: http.public_url.as_ref().map(|url| below(url, webhooks::sms::STATUS_PATH)),
        request_timeout,
    })?)
}

fn or_default(url: Option<&Url>, default: &str) -> anyhow::Result<Url> {
    Ok(match url {
        Some(url) => url.clone(),
        None => Url::parse(default)?,
    })
}

/// A path below a base address, which may have a path of its own.
#[must_use]
pub fn below(base: &Url, path: &str) -> Url {
    let mut url = base.clone();
    url.set_path(&format!("{}{path}", base.path().trim_end_matches('/')));
    url
}
