//! Values to settings.

use std::{collections::BTreeMap, net::SocketAddr, ops::RangeInclusive, path::PathBuf, str::FromStr};

use secrecy::SecretString;
use toml::Value;
use url::Url;

use super::{
    Auth, Delivery, Http, JwksPlace, Privacy, Reminders, Settings, SettingsError, StoreUrl, Telegram, TelegramMode,
    Twilio,
    source::{AllGiven, WEBHOOK_KEYS},
};

const DEFAULT_LISTEN: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 8080);

/// The settings, as far as they can be read. `None` where a section cannot be made; errors then say why.
pub(super) fn settings(given: AllGiven, errors: &mut Vec<SettingsError>) -> Option<Settings> {
    let mut values = Values { given, errors };
    let store = values.store();
    let http = values.http();
    let telegram = values.telegram(http.public_url.as_ref());
    let twilio = values.twilio(http.public_url.as_ref());
    let delivery = Delivery { lease_seconds: values.number("delivery.lease_seconds", 1..=3_600, 30) };
    let auth = values.auth();
    let reminders = Reminders { sms_fallback: values.boolean("reminders.sms_fallback", true) };
    let privacy = Privacy { retention_days: values.number("privacy.retention_days", 1..=3_650, 90) };
    Some(Settings { store: store?, http, telegram: telegram?, twilio: twilio?, delivery, auth, reminders, privacy })
}

struct Values<'a> {
    given: AllGiven,
    errors: &'a mut Vec<SettingsError>,
}

impl Values<'_> {
    fn refuse(&mut self, key: &str, message: impl std::fmt::Display) {
        let origin = self.given.get(key).map(|given| format!(" (in {})", given.origin)).unwrap_or_default();
        self.errors.push(SettingsError::new(key, format!("{message}{origin}")));
    }

    fn is_given(&self, key: &str) -> bool {
        self.given.contains_key(key)
    }

    /// Whether anything of a section is given: `twilio.`
    fn any_of(&self, section: &str) -> bool {
        self.given.keys().any(|key| key.starts_with(section))
    }

    fn text(&mut self, key: &str) -> Option<String> {
        match self.given.get(key).map(|given| &given.value) {
            None => None,
            Some(Value::String(text)) if text.trim().is_empty() => {
                self.refuse(key, "is empty; give it a value, or remove it");
                None
            }
            Some(Value::String(text)) => Some(text.trim().to_owned()),
            Some(_) => {
                self.refuse(key, "must be text; put it in double quotes");
                None
            }
        }
    }

    fn secret(&mut self, key: &str) -> Option<SecretString> {
        self.text(key).map(SecretString::from)
    }

    fn number(&mut self, key: &str, range: RangeInclusive<u32>, usual: u32) -> u32 {
        let number = match self.given.get(key).map(|given| &given.value) {
            None => return usual,
            Some(Value::Integer(number)) => u32::try_from(*number).ok(),
            Some(Value::String(text)) => text.trim().parse().ok(),
            Some(_) => None,
        };
        number.filter(|number| range.contains(number)).unwrap_or_else(|| {
            self.refuse(key, format!("must be a whole number from {} to {}", range.start(), range.end()));
            usual
        })
    }

    fn boolean(&mut self, key: &str, usual: bool) -> bool {
        let boolean = match self.given.get(key).map(|given| &given.value) {
            None => return usual,
            Some(Value::Boolean(boolean)) => Some(*boolean),
            Some(Value::String(text)) => text.trim().parse().ok(),
            Some(_) => None,
        };
        boolean.unwrap_or_else(|| {
            self.refuse(key, "must be true or false");
            usual
        })
    }

    /// A list of texts; in one text they are separated by commas.
    fn list(&mut self, key: &str) -> Vec<String> {
        let split =
            |text: &str| text.split(',').map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect();
        match self.given.get(key).map(|given| &given.value) {
            None => Vec::new(),
            Some(Value::String(text)) => split(text),
            Some(Value::Array(values)) if values.iter().all(Value::is_str) => {
                values.iter().filter_map(Value::as_str).flat_map(split).collect()
            }
            Some(_) => {
                self.refuse(key, "must be a list of texts, for example [\"a\", \"b\"]");
                Vec::new()
            }
        }
    }

    fn parsed_list<T: FromStr>(&mut self, key: &str) -> Vec<T>
    where
        T::Err: std::fmt::Display,
    {
        let mut list = Vec::new();
        for text in self.list(key) {
            match text.parse() {
                Ok(value) => list.push(value),
                Err(error) => self.refuse(key, format!("\"{text}\" is {error}")),
            }
        }
        list
    }

    /// An address for HTTP with a host, without user, query or fragment.
    fn web_address(&mut self, key: &str) -> Option<Url> {
        let text = self.text(key)?;
        let fits = |url: &Url| {
            matches!(url.scheme(), "http" | "https")
                && url.host().is_some()
                && url.username().is_empty()
                && url.password().is_none()
                && url.query().is_none()
                && url.fragment().is_none()
        };
        match Url::parse(&text) {
            Ok(mut url) if fits(&url) => {
                let path = url.path().trim_end_matches('/').to_owned();
                url.set_path(&path);
                Some(url)
            }
            _ => {
                let message = "is not an address that a browser could open; write it like https://rsvp.example.org, \
                               without user, query or fragment";
                self.refuse(key, message);
                None
            }
        }
    }

    fn store(&mut self) -> Option<StoreUrl> {
        let key = "store.url";
        if !self.is_given(key) {
            return Some(StoreUrl::Sqlite(PathBuf::from("convive.db")));
        }
        let text = self.text(key)?;
        match StoreUrl::parse(&text) {
            Ok(url) => Some(url),
            Err(why) => {
                self.refuse(key, why);
                None
            }
        }
    }

    fn http(&mut self) -> Http {
        let mut listen = DEFAULT_LISTEN;
        if let Some(text) = self.text("http.listen") {
            let numeric = text.replace("localhost:", "127.0.0.1:");
            match numeric.parse() {
                Ok(address) => listen = address,
                Err(_) => {
                    let message = format!(
                        "\"{text}\" is not an address and port; write it like 127.0.0.1:8080, or 0.0.0.0:8080 to be \
                         reached from other machines"
                    );
                    self.refuse("http.listen", message);
                }
            }
        }
        Http {
            listen,
            public_url: self.web_address("http.public_url"),
            trusted_proxies: self.parsed_list("http.trusted_proxies"),
            cors_origins: self.origins(),
        }
    }

    fn origins(&mut self) -> Vec<String> {
        let key = "http.cors_origins";
        let mut origins = Vec::new();
        for text in self.list(key) {
            // What a browser sends as `Origin` has no path and no slash at its end.
            match Url::parse(&text) {
                Ok(url) if url.origin().is_tuple() && url.path() == "/" && url.query().is_none() => {
                    origins.push(url.origin().ascii_serialization());
                }
                _ => self.refuse(key, format!("\"{text}\" is not an origin; write it like https://party.example.org")),
            }
        }
        origins
    }

    /// Outer `None`: cannot be made.
    #[expect(clippy::option_option, reason = "not wanted and not possible are different things")]
    fn telegram(&mut self, public_url: Option<&Url>) -> Option<Option<Telegram>> {
        if !self.any_of("telegram.") {
            return Some(None);
        }
        let token =
            self.needed("telegram.token", "the token that @BotFather gave, as a secret file if you like", "telegram.");
        let secret = self.webhook_secret();
        let api_url = self.web_address("telegram.api_url");
        let mode = match self.text("telegram.mode").as_deref() {
            None | Some("polling") => Some(TelegramMode::Polling),
            Some("webhook") => {
                if !self.is_given("http.public_url") {
                    self.refuse(
                        "http.public_url",
                        "missing, and needed when telegram.mode is webhook: Telegram calls it",
                    );
                } else if api_url.is_none() && public_url.is_some_and(|url| url.scheme() != "https") {
                    self.refuse("http.public_url", "must begin with https:// for Telegram to call it");
                }
                if !self.is_given("telegram.webhook_secret") {
                    let message = "missing, and needed when telegram.mode is webhook: without it anybody could speak as \
                                   any guest. Set 1 to 256 letters, digits, \"_\" or \"-\" that nobody can guess";
                    self.refuse("telegram.webhook_secret", message);
                }
                secret.map(|secret| TelegramMode::Webhook { secret })
            }
            Some(other) => {
                self.refuse("telegram.mode", format!("\"{other}\" is neither polling nor webhook"));
                None
            }
        };
        Some(Some(Telegram { token: token?, mode: mode?, api_url }))
    }

    fn webhook_secret(&mut self) -> Option<SecretString> {
        let key = "telegram.webhook_secret";
        let text = self.text(key)?;
        // <https://core.telegram.org/bots/api#setwebhook>: secret_token.
        if (1..=256).contains(&text.len())
            && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'))
        {
            return Some(SecretString::from(text));
        }
        self.refuse(key, "must have 1 to 256 letters A to Z, digits, \"_\" or \"-\": Telegram carries no others");
        None
    }

    /// A secret without which its section means nothing.
    fn needed(&mut self, key: &str, what: &str, section: &str) -> Option<SecretString> {
        if self.is_given(key) {
            return self.secret(key);
        }
        let other = self.given.keys().find(|key| key.starts_with(section)).cloned().unwrap_or_default();
        let variable = format!("CONVIVE__{}", key.to_uppercase().replace('.', "__"));
        self.refuse(key, format!("missing although {other} is set; set {what} ({variable} or {variable}_FILE)"));
        None
    }

    /// Outer `None`: cannot be made.
    #[expect(clippy::option_option, reason = "not wanted and not possible are different things")]
    fn twilio(&mut self, public_url: Option<&Url>) -> Option<Option<Twilio>> {
        if !self.any_of("twilio.") {
            return Some(None);
        }
        let account_sid = self.account_sid();
        let auth_token = self.needed("twilio.auth_token", "the account's auth token", "twilio.");
        let from = self.own_number();
        let messaging_service_sid = self.sid("twilio.messaging_service_sid", "MG");
        if !self.is_given("twilio.from") && !self.is_given("twilio.messaging_service_sid") {
            let message = "missing; set your Twilio number in E.164 (such as +447700900999), or \
                           twilio.messaging_service_sid";
            self.refuse("twilio.from", message);
        }
        if public_url.is_none() && !self.is_given("http.public_url") {
            let message = "missing, and needed for texts: Twilio signs the address that it calls. Set it to where Twilio \
                           reaches this program, such as https://rsvp.example.org";
            self.refuse("http.public_url", message);
        }
        let twilio = Twilio {
            account_sid: account_sid.unwrap_or_default(),
            from,
            messaging_service_sid,
            api_url: self.web_address("twilio.api_url"),
            provider_keywords: self.boolean("twilio.provider_keywords", true),
            webhook_keys: self.webhook_keys(),
            auth_token: auth_token?,
        };
        Some(Some(twilio))
    }

    fn account_sid(&mut self) -> Option<String> {
        let key = "twilio.account_sid";
        if !self.is_given(key) {
            self.refuse(
                key,
                "missing although other twilio settings are given; set the account's SID (AC and 32 more)",
            );
        }
        self.sid(key, "AC")
    }

    fn sid(&mut self, key: &str, prefix: &str) -> Option<String> {
        let text = self.text(key)?;
        let is_sid = text.strip_prefix(prefix).is_some_and(|id| !id.is_empty())
            && text.bytes().all(|b| b.is_ascii_alphanumeric());
        if is_sid {
            return Some(text);
        }
        self.refuse(
            key,
            format!("is not such an id: it begins with {prefix}, followed by 32 digits and letters a to f"),
        );
        None
    }

    /// E.164, or a short code. A sender that is a word could not be answered.
    fn own_number(&mut self) -> Option<String> {
        let text = self.text("twilio.from")?;
        let digits = text.strip_prefix('+').unwrap_or(&text);
        let lengths = if text.starts_with('+') { 7..=15 } else { 3..=8 };
        if lengths.contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit()) {
            return Some(text);
        }
        let message = "is not a number that guests can answer; write it as +, country code and number without spaces \
                       (such as +447700900999), or as a short code";
        self.refuse("twilio.from", message);
        None
    }

    fn webhook_keys(&mut self) -> BTreeMap<String, SecretString> {
        let keys: Vec<_> = self.given.keys().filter(|key| key.starts_with(WEBHOOK_KEYS)).cloned().collect();
        let named = |key: String| {
            let secret = self.secret(&key)?;
            Some((key.trim_start_matches(WEBHOOK_KEYS).to_owned(), secret))
        };
        keys.into_iter().filter_map(named).collect()
    }

    fn jwks(&mut self) -> Option<JwksPlace> {
        let key = "auth.jwks";
        let text = self.text(key)?;
        if text.starts_with("http://") || text.starts_with("https://") {
            return self.web_address(key).map(JwksPlace::Address);
        }
        Some(JwksPlace::File(PathBuf::from(text)))
    }

    fn auth(&mut self) -> Auth {
        Auth {
            private_key: self.secret("auth.private_key"),
            jwks: self.jwks(),
            key_dir: PathBuf::from(self.text("auth.key_dir").unwrap_or_else(|| "convive-keys".to_owned())),
            issuer: self.text("auth.issuer").unwrap_or_else(|| "convive".to_owned()),
            guest_ttl_days: self.number("auth.guest_ttl_days", 1..=3_650, 30),
            host_ttl_hours: self.number("auth.host_ttl_hours", 1..=8_760, 12),
        }
    }
}
