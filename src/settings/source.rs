//! What was given, where: the file, then the environment over it.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use toml::{Table, Value};

use super::{DEFAULT_FILE, SettingsError};

const PREFIX: &str = "CONVIVE__";
const FILE_SUFFIX: &str = "_FILE";

/// Every key; `.*` stands for ids that the host chooses.
pub(super) const KEYS: [&str; 25] = [
    "store.url",
    "http.listen",
    "http.public_url",
    "http.trusted_proxies",
    "http.cors_origins",
    "telegram.token",
    "telegram.mode",
    "telegram.webhook_secret",
    "telegram.api_url",
    "twilio.account_sid",
    "twilio.auth_token",
    "twilio.from",
    "twilio.messaging_service_sid",
    "twilio.api_url",
    "twilio.provider_keywords",
    "twilio.webhook_keys.*",
    "delivery.lease_seconds",
    "auth.key_dir",
    "auth.private_key",
    "auth.jwks",
    "auth.issuer",
    "auth.guest_ttl_days",
    "auth.host_ttl_hours",
    "reminders.sms_fallback",
    "privacy.retention_days",
];

/// Those that may be given as a file. A connection string may hold a password.
const SECRETS: [&str; 6] = [
    "store.url",
    "telegram.token",
    "telegram.webhook_secret",
    "twilio.auth_token",
    "twilio.webhook_keys.*",
    "auth.private_key",
];

pub(super) const WEBHOOK_KEYS: &str = "twilio.webhook_keys.";

/// One value, and where it came from (for messages). No `Debug`: it may be a secret.
pub(super) struct Given {
    pub value: Value,
    pub origin: String,
}

pub(super) type AllGiven = BTreeMap<String, Given>;

/// Everything that was given, by key. Unknown keys are reported and left out.
pub(super) fn collect(
    path: Option<&Path>,
    env: impl Iterator<Item = (String, String)>,
    errors: &mut Vec<SettingsError>,
) -> AllGiven {
    let mut given = AllGiven::new();
    if let Some((path, text)) = file(path, errors) {
        match text.parse::<Table>() {
            Ok(table) => flatten("", table, &path.display().to_string(), &mut given, errors),
            // The parser's own text repeats the line, which may hold a secret.
            Err(error) => {
                let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
                let line = before.matches('\n').count() + 1;
                let message = format!("line {line} is not TOML: {}", error.message());
                errors.push(SettingsError::new(path.display().to_string(), message));
            }
        }
    }
    let mut from_env = AllGiven::new();
    for (name, value) in env.filter(|(name, _)| name.starts_with(PREFIX)) {
        if let Err(error) = variable(&name, value, &mut from_env) {
            errors.push(error);
        }
    }
    given.extend(from_env);
    given
}

fn file(path: Option<&Path>, errors: &mut Vec<SettingsError>) -> Option<(PathBuf, String)> {
    let named = path.is_some();
    let path = path.unwrap_or_else(|| Path::new(DEFAULT_FILE)).to_owned();
    match fs::read_to_string(&path) {
        Ok(text) => Some((path, text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound && !named => None,
        Err(error) => {
            let message = format!("the settings file cannot be read ({error}); check the path after --config");
            errors.push(SettingsError::new(path.display().to_string(), message));
            None
        }
    }
}

fn flatten(prefix: &str, table: Table, origin: &str, given: &mut AllGiven, errors: &mut Vec<SettingsError>) {
    for (name, value) in table {
        let key = format!("{prefix}{name}");
        match value {
            Value::Table(inner) => flatten(&format!("{key}."), inner, origin, given, errors),
            value if is_known(&key) => {
                given.insert(key, Given { value, origin: origin.to_owned() });
            }
            _ => errors.push(unknown(&key, origin)),
        }
    }
}

fn variable(name: &str, value: String, given: &mut AllGiven) -> Result<(), SettingsError> {
    let rest = name.strip_prefix(PREFIX).unwrap_or(name);
    let key = key_of_variable(rest);
    let (key, value) = match rest.strip_suffix(FILE_SUFFIX).map(key_of_variable) {
        Some(secret) if !is_known(&key) || key.starts_with(WEBHOOK_KEYS) => {
            if !is_secret(&secret) {
                return Err(if is_known(&secret) {
                    SettingsError::new(secret, format!("{name}: only secrets may be given as a file; drop _FILE"))
                } else {
                    unknown(&key, name)
                });
            }
            let text = fs::read_to_string(&value).map_err(|error| {
                SettingsError::new(secret.clone(), format!("the file that {name} names cannot be read ({error})"))
            })?;
            (secret, text.trim_end_matches(['\r', '\n']).to_owned())
        }
        _ if !is_known(&key) => return Err(unknown(&key, name)),
        _ => (key, value),
    };
    let before = given.insert(key.clone(), Given { value: Value::String(value), origin: name.to_owned() });
    match before {
        Some(before) => {
            Err(SettingsError::new(key, format!("both {} and {name} are set; remove one of them", before.origin)))
        }
        None => Ok(()),
    }
}

/// `TELEGRAM__WEBHOOK_SECRET` is `telegram.webhook_secret`; ids below `webhook_keys` keep their case.
fn key_of_variable(rest: &str) -> String {
    let parts: Vec<_> = rest.split("__").collect();
    let named =
        parts.iter().enumerate().map(|(place, part)| if place < 2 { part.to_lowercase() } else { (*part).to_owned() });
    named.collect::<Vec<_>>().join(".")
}

fn pattern(key: &str) -> &str {
    match key.strip_prefix(WEBHOOK_KEYS) {
        Some(id) if !id.is_empty() && !id.contains('.') => "twilio.webhook_keys.*",
        _ => key,
    }
}

fn is_known(key: &str) -> bool {
    KEYS.contains(&pattern(key))
}

fn is_secret(key: &str) -> bool {
    SECRETS.contains(&pattern(key))
}

fn unknown(key: &str, origin: &str) -> SettingsError {
    let is_section = KEYS.iter().any(|known| known.starts_with(&format!("{key}.")));
    let message = if is_section {
        format!("is a section, not a value (in {origin}); write [{key}] and its settings below it")
    } else {
        let nearest = KEYS.iter().min_by_key(|known| strsim::osa_distance(key, known)).copied().unwrap_or_default();
        format!("unknown setting (in {origin}); the nearest known one is {nearest}. Correct or remove it")
    };
    SettingsError::new(key, message)
}
