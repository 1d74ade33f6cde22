//! The settings: a TOML file, overridden by environment variables `CONVIVE__SECTION__KEY`.
//!
//! Nothing is guessed: an unknown key, a value that cannot work and a half-made account are errors before anything
//! starts, each naming the key and what to do. Secrets never show in `Debug`.

mod address;
mod read;
mod source;
#[cfg(test)]
mod tests;

use std::{
    collections::BTreeMap,
    fmt,
    net::SocketAddr,
    path::{Path, PathBuf},
};

use secrecy::{ExposeSecret, SecretString};
use url::Url;

pub use address::IpRange;

/// The file that is read when none is named, if it is there.
pub const DEFAULT_FILE: &str = "convive.toml";

/// Everything that can be set.
#[derive(Debug, Clone)]
pub struct Settings {
    pub store: StoreUrl,
    pub http: Http,
    /// `None`: no bot.
    pub telegram: Option<Telegram>,
    /// `None`: no texts.
    pub twilio: Option<Twilio>,
    pub delivery: Delivery,
    pub auth: Auth,
    pub reminders: Reminders,
    pub privacy: Privacy,
}

/// `store.url`
#[derive(Debug, Clone)]
pub enum StoreUrl {
    /// `sqlite:PATH`, relative to where the program was started.
    Sqlite(PathBuf),
    /// The whole connection string: it may hold a password.
    MongoDb(SecretString),
}

impl StoreUrl {
    /// Where a store is, as it is written.
    ///
    /// # Errors
    /// How it is written.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        if text.starts_with("mongodb://") || text.starts_with("mongodb+srv://") {
            return Ok(Self::MongoDb(SecretString::from(text)));
        }
        let path = text.strip_prefix("sqlite:").map(|path| path.strip_prefix("//").unwrap_or(path));
        match path {
            Some(path) if !path.is_empty() && !path.starts_with(':') && !path.contains('?') => {
                Ok(Self::Sqlite(PathBuf::from(path)))
            }
            _ => Err("must be sqlite:PATH (such as sqlite:convive.db) or mongodb://HOST/DATABASE"),
        }
    }

    /// How it is shown, without anything secret. Only of a connection string that works.
    #[must_use]
    pub fn shown(&self) -> String {
        match self {
            Self::Sqlite(path) => format!("sqlite:{}", path.display()),
            Self::MongoDb(url) => {
                let url = url.expose_secret();
                let (scheme, rest) = url.split_once("://").unwrap_or(("mongodb", url));
                let place = rest.split('?').next().unwrap_or_default();
                let place = place.rsplit('@').next().unwrap_or_default();
                format!("{scheme}://{place}")
            }
        }
    }
}

/// `http.*`
#[derive(Debug, Clone)]
pub struct Http {
    pub listen: SocketAddr,
    /// Where providers and guests reach this program, without a `/` at the end.
    pub public_url: Option<Url>,
    /// Whose word on a client's address is believed.
    pub trusted_proxies: Vec<IpRange>,
    /// `scheme://host[:port]`, as browsers send them.
    pub cors_origins: Vec<String>,
}

/// `telegram.*`
#[derive(Debug, Clone)]
pub struct Telegram {
    pub token: SecretString,
    pub mode: TelegramMode,
    /// `None`: Telegram's own.
    pub api_url: Option<Url>,
}

/// How updates arrive.
#[derive(Debug, Clone)]
pub enum TelegramMode {
    Polling,
    Webhook { secret: SecretString },
}

/// `twilio.*`
#[derive(Debug, Clone)]
pub struct Twilio {
    pub account_sid: String,
    pub auth_token: SecretString,
    /// Our number. At least one of this and the service is set; where both are, texts leave through the service.
    pub from: Option<String>,
    pub messaging_service_sid: Option<String>,
    /// `None`: Twilio's own.
    pub api_url: Option<Url>,
    /// Twilio answers STOP, START and HELP itself.
    pub provider_keywords: bool,
    /// Keys for the newer signature setting, by id.
    pub webhook_keys: BTreeMap<String, SecretString>,
}

/// `delivery.*`
#[derive(Debug, Clone, Copy)]
pub struct Delivery {
    /// How long one courier has to send what it claimed before another may.
    pub lease_seconds: u32,
}

/// `auth.*`
#[derive(Debug, Clone)]
pub struct Auth {
    pub key_dir: PathBuf,
    /// The signing key itself, instead of those in `key_dir`.
    pub private_key: Option<SecretString>,
    /// Public keys of tokens that are signed elsewhere. Without `private_key` none are signed here.
    pub jwks: Option<JwksPlace>,
    /// Also the audience.
    pub issuer: String,
    pub guest_ttl_days: u32,
    pub host_ttl_hours: u32,
}

/// Where public keys are published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JwksPlace {
    File(PathBuf),
    Address(Url),
}

/// `reminders.*`
#[derive(Debug, Clone, Copy)]
pub struct Reminders {
    /// Guests whom the bot cannot reach are texted where a phone is known.
    pub sms_fallback: bool,
}

/// `privacy.*`
#[derive(Debug, Clone, Copy)]
pub struct Privacy {
    /// Days after the event when conversations and activity are deleted.
    pub retention_days: u32,
}

/// One setting that cannot be used, and the remedy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingsError {
    /// As it is written in the file: `telegram.token`. The file's name when it cannot be read at all.
    pub key: String,
    pub message: String,
}

impl SettingsError {
    fn new(key: impl Into<String>, message: impl Into<String>) -> Self {
        Self { key: key.into(), message: message.into() }
    }
}

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.key, self.message)
    }
}

/// All settings that cannot be used, a line each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingsErrors(pub Vec<SettingsError>);

impl fmt::Display for SettingsErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, error) in self.0.iter().enumerate() {
            let line_end = if place > 0 { "\n" } else { "" };
            write!(f, "{line_end}{error}")?;
        }
        Ok(())
    }
}

impl std::error::Error for SettingsErrors {}

impl Settings {
    /// Reads the file (`path`, which must exist, or [`DEFAULT_FILE`] if there is one) and the environment.
    ///
    /// # Errors
    /// Every setting that is unknown, cannot work, or is missing beside another.
    pub fn load(path: Option<&Path>, env: impl Iterator<Item = (String, String)>) -> Result<Self, SettingsErrors> {
        let mut errors = Vec::new();
        let given = source::collect(path, env, &mut errors);
        let settings = read::settings(given, &mut errors);
        match settings {
            Some(settings) if errors.is_empty() => Ok(settings),
            _ => Err(SettingsErrors(errors)),
        }
    }
}
