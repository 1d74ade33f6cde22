use std::io::Write as _;

use expect_test::{Expect, expect};
use secrecy::ExposeSecret;
use tempfile::{NamedTempFile, TempDir};

use super::*;

const EXAMPLE: &str = include_str!("../../config/convive.example.toml");

fn load(toml: &str, env: &[(&str, &str)]) -> Result<Settings, SettingsErrors> {
    let mut file = NamedTempFile::new().unwrap();
    file.write_all(toml.as_bytes()).unwrap();
    let env = env.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    let path = file.path().to_owned();
    Settings::load(Some(&path), env).map_err(|errors| {
        // Temporary names differ from run to run.
        let name = path.display().to_string();
        let plain = |text: String| text.replace(&name, "FILE");
        SettingsErrors(
            errors.0.into_iter().map(|e| SettingsError { key: plain(e.key), message: plain(e.message) }).collect(),
        )
    })
}

/// What is wrong with these settings.
fn refused(toml: &str, env: &[(&str, &str)], expected: Expect) {
    expected.assert_eq(&load(toml, env).unwrap_err().to_string());
}

#[test]
fn without_any_setting_there_is_a_store_and_an_address() {
    let settings = load("", &[]).unwrap();
    assert!(matches!(&settings.store, StoreUrl::Sqlite(path) if path == Path::new("convive.db")));
    assert_eq!(settings.http.listen.to_string(), "127.0.0.1:8080");
    assert!(settings.telegram.is_none() && settings.twilio.is_none());
    assert!(settings.reminders.sms_fallback);
    assert_eq!((settings.delivery.lease_seconds, settings.privacy.retention_days), (30, 90));
    assert_eq!((settings.auth.guest_ttl_days, settings.auth.host_ttl_hours), (30, 12));
    assert_eq!(settings.auth.issuer, "convive");
}

#[test]
fn the_example_file_names_every_setting_and_loads_as_it_is_and_with_all_of_them() {
    assert!(load(EXAMPLE, &[]).unwrap().telegram.is_none());
    let is_setting = |line: &&str| line.starts_with('#') && line.contains(" = ") && !line.starts_with("# ");
    let all: String = EXAMPLE
        .lines()
        .map(|line| if is_setting(&line) { line.trim_start_matches('#') } else { line })
        .flat_map(|line| [line, "\n"])
        .collect();
    let settings = load(&all, &[]).unwrap();
    assert!(settings.telegram.is_some() && settings.twilio.is_some_and(|twilio| twilio.webhook_keys.len() == 1));
    let table: toml::Table = all.parse().unwrap();
    for key in source::KEYS {
        let (section, name) = key.split_once('.').unwrap();
        let section = table.get(section).unwrap_or_else(|| panic!("[{section}] is missing"));
        let name = name.trim_end_matches(".*");
        assert!(section.get(name).is_some(), "{key} is missing from the example");
    }
}

#[test]
fn the_environment_wins_over_the_file_and_secrets_may_be_files() {
    let secret = NamedTempFile::new().unwrap();
    std::fs::write(secret.path(), "123:from-file\n").unwrap();
    let settings = load(
        "[http]\nlisten = \"127.0.0.1:1\"\n[telegram]\ntoken = \"1:from-settings\"\n",
        &[
            ("CONVIVE__HTTP__LISTEN", "localhost:0"),
            ("CONVIVE__TELEGRAM__TOKEN_FILE", secret.path().to_str().unwrap()),
            ("CONVIVE__HTTP__TRUSTED_PROXIES", "127.0.0.1, 10.0.0.0/8"),
            ("CONVIVE__REMINDERS__SMS_FALLBACK", "false"),
            ("CONVIVE__DELIVERY__LEASE_SECONDS", "5"),
            ("CONVIVE__TWILIO__WEBHOOK_KEYS__KsAbC", "key"),
            ("CONVIVE__TWILIO__ACCOUNT_SID", "AC00000000000000000000000000000001"),
            ("CONVIVE__TWILIO__AUTH_TOKEN", "token"),
            ("CONVIVE__TWILIO__FROM", "+447700900999"),
            ("CONVIVE__HTTP__PUBLIC_URL", "https://rsvp.example.org/convive/"),
            ("CONVIVE_OTHER", "not ours"),
            ("PATH", "/bin"),
        ],
    )
    .unwrap();
    assert_eq!(settings.http.listen.to_string(), "127.0.0.1:0");
    assert_eq!(settings.telegram.unwrap().token.expose_secret(), "123:from-file");
    assert_eq!(settings.http.trusted_proxies.len(), 2);
    assert!(!settings.reminders.sms_fallback);
    assert_eq!(settings.delivery.lease_seconds, 5);
    assert_eq!(settings.http.public_url.unwrap().as_str(), "https://rsvp.example.org/convive");
    assert_eq!(settings.twilio.unwrap().webhook_keys.keys().collect::<Vec<_>>(), ["KsAbC"]);
}

#[test]
fn secrets_never_show() {
    let toml = "[store]\nurl = \"mongodb://convive:hunter2@db.example/convive\"\n\
                [http]\npublic_url = \"https://rsvp.example.org\"\n\
                [telegram]\ntoken = \"123:hunter2\"\nmode = \"webhook\"\nwebhook_secret = \"hunter2\"\n\
                [twilio]\naccount_sid = \"AC1\"\nauth_token = \"hunter2\"\nfrom = \"+447700900999\"\n\
                webhook_keys = { KS1 = \"hunter2\" }\n";
    let settings = load(toml, &[]).unwrap();
    assert!(!format!("{settings:?}").contains("hunter2"));
    // Nor in what is said of a file that cannot be read.
    let broken = load("[telegram]\ntoken = hunter2\n", &[]).unwrap_err();
    assert!(!format!("{broken} {broken:?}").contains("hunter2"), "{broken}");
    assert!(broken.to_string().contains("line 2"), "{broken}");
}

#[test]
fn unknown_settings_name_the_nearest_known_one() {
    refused(
        "[telegrm]\ntoken = \"1:a\"\n",
        &[],
        expect![
            "telegrm.token: unknown setting (in FILE); the nearest known one is telegram.token. Correct or remove it"
        ],
    );
    refused(
        "[http]\nlistn = \"127.0.0.1:1\"\nport = 80\n",
        &[],
        expect![[r#"
        http.listn: unknown setting (in FILE); the nearest known one is http.listen. Correct or remove it
        http.port: unknown setting (in FILE); the nearest known one is http.listen. Correct or remove it"#]],
    );
    refused(
        "telegram = true\n",
        &[],
        expect!["telegram: is a section, not a value (in FILE); write [telegram] and its settings below it"],
    );
    refused(
        "",
        &[("CONVIVE__TELEGRAM__TOKN", "1:a"), ("CONVIVE__LISTEN", "1")],
        expect![[r#"
        telegram.tokn: unknown setting (in CONVIVE__TELEGRAM__TOKN); the nearest known one is telegram.token. Correct or remove it
        listen: unknown setting (in CONVIVE__LISTEN); the nearest known one is http.listen. Correct or remove it"#]],
    );
    refused(
        "",
        &[("CONVIVE__HTTP__LISTEN_FILE", "/dev/null")],
        expect!["http.listen: CONVIVE__HTTP__LISTEN_FILE: only secrets may be given as a file; drop _FILE"],
    );
    refused(
        "",
        &[("CONVIVE__HTTP__LISTN_FILE", "/dev/null")],
        expect![
            "http.listn_file: unknown setting (in CONVIVE__HTTP__LISTN_FILE); the nearest known one is http.listen. Correct or remove it"
        ],
    );
}

#[test]
fn values_that_cannot_work() {
    refused(
        "[http]\nlisten = \"8080\"\npublic_url = \"rsvp.example.org\"\ntrusted_proxies = [\"proxy\"]\n\
         cors_origins = [\"https://a.example/page\"]\n",
        &[],
        expect![[r#"
            http.listen: "8080" is not an address and port; write it like 127.0.0.1:8080, or 0.0.0.0:8080 to be reached from other machines (in FILE)
            http.public_url: is not an address that a browser could open; write it like https://rsvp.example.org, without user, query or fragment (in FILE)
            http.trusted_proxies: "proxy" is not an address or a range such as 127.0.0.1, 10.0.0.0/8 or fd00::/8 (in FILE)
            http.cors_origins: "https://a.example/page" is not an origin; write it like https://party.example.org (in FILE)"#]],
    );
    refused(
        "[http]\npublic_url = \"https://user:pass@rsvp.example.org/?q#f\"\ncors_origins = \"*\"\nlisten = 8080\n",
        &[],
        expect![[r#"
            http.listen: must be text; put it in double quotes (in FILE)
            http.public_url: is not an address that a browser could open; write it like https://rsvp.example.org, without user, query or fragment (in FILE)
            http.cors_origins: "*" is not an origin; write it like https://party.example.org (in FILE)"#]],
    );
    refused(
        "[store]\nurl = \"postgres://db\"\n",
        &[],
        expect!["store.url: must be sqlite:PATH (such as sqlite:convive.db) or mongodb://HOST/DATABASE (in FILE)"],
    );
    refused(
        "[store]\nurl = \"sqlite::memory:\"\n",
        &[],
        expect!["store.url: must be sqlite:PATH (such as sqlite:convive.db) or mongodb://HOST/DATABASE (in FILE)"],
    );
    refused(
        "[delivery]\nlease_seconds = 0\n[auth]\nguest_ttl_days = \"soon\"\nissuer = \"\"\n[reminders]\n\
         sms_fallback = \"maybe\"\n[privacy]\nretention_days = -1\n",
        &[],
        expect![[r#"
            delivery.lease_seconds: must be a whole number from 1 to 3600 (in FILE)
            auth.issuer: is empty; give it a value, or remove it (in FILE)
            auth.guest_ttl_days: must be a whole number from 1 to 3650 (in FILE)
            reminders.sms_fallback: must be true or false (in FILE)
            privacy.retention_days: must be a whole number from 1 to 3650 (in FILE)"#]],
    );
}

#[test]
fn a_telegram_bot_needs_its_token_and_a_webhook_its_secret() {
    refused(
        "[telegram]\nmode = \"webhook\"\n",
        &[],
        expect![[r#"
        telegram.token: missing although telegram.mode is set; set the token that @BotFather gave, as a secret file if you like (CONVIVE__TELEGRAM__TOKEN or CONVIVE__TELEGRAM__TOKEN_FILE)
        http.public_url: missing, and needed when telegram.mode is webhook: Telegram calls it
        telegram.webhook_secret: missing, and needed when telegram.mode is webhook: without it anybody could speak as any guest. Set 1 to 256 letters, digits, "_" or "-" that nobody can guess"#]],
    );
    refused(
        "[telegram]\ntoken = \"\"\n",
        &[],
        expect!["telegram.token: is empty; give it a value, or remove it (in FILE)"],
    );
    refused(
        "",
        &[("CONVIVE__TELEGRAM__TOKEN", " ")],
        expect!["telegram.token: is empty; give it a value, or remove it (in CONVIVE__TELEGRAM__TOKEN)"],
    );
    refused(
        "[http]\npublic_url = \"https://a.example\"\n[telegram]\ntoken = \"1:a\"\nmode = \"webhook\"\nwebhook_secret = \"\"\n",
        &[],
        expect!["telegram.webhook_secret: is empty; give it a value, or remove it (in FILE)"],
    );
    refused(
        "[http]\npublic_url = \"http://a.example\"\n[telegram]\ntoken = \"1:a\"\nmode = \"webhook\"\nwebhook_secret = \"a b\"\n",
        &[],
        expect![[r#"
            telegram.webhook_secret: must have 1 to 256 letters A to Z, digits, "_" or "-": Telegram carries no others (in FILE)
            http.public_url: must begin with https:// for Telegram to call it (in FILE)"#]],
    );
    refused(
        "[telegram]\ntoken = \"1:a\"\nmode = \"push\"\napi_url = \"ftp://a\"\n",
        &[],
        expect![[r#"
        telegram.api_url: is not an address that a browser could open; write it like https://rsvp.example.org, without user, query or fragment (in FILE)
        telegram.mode: "push" is neither polling nor webhook (in FILE)"#]],
    );
    let own_server = "[http]\npublic_url = \"http://127.0.0.1:8080\"\n[telegram]\ntoken = \"1:a\"\nmode = \"webhook\"\n\
                      webhook_secret = \"s\"\napi_url = \"http://127.0.0.1:8081\"\n";
    assert!(load(own_server, &[]).is_ok());
}

#[test]
fn a_twilio_account_is_whole_or_not_there() {
    refused(
        "[twilio]\nauth_token = \"t\"\n",
        &[],
        expect![[r#"
        twilio.account_sid: missing although other twilio settings are given; set the account's SID (AC and 32 more)
        twilio.from: missing; set your Twilio number in E.164 (such as +447700900999), or twilio.messaging_service_sid
        http.public_url: missing, and needed for texts: Twilio signs the address that it calls. Set it to where Twilio reaches this program, such as https://rsvp.example.org"#]],
    );
    refused(
        "[twilio]\naccount_sid = \"AC1\"\n",
        &[],
        expect![[r#"
        twilio.auth_token: missing although twilio.account_sid is set; set the account's auth token (CONVIVE__TWILIO__AUTH_TOKEN or CONVIVE__TWILIO__AUTH_TOKEN_FILE)
        twilio.from: missing; set your Twilio number in E.164 (such as +447700900999), or twilio.messaging_service_sid
        http.public_url: missing, and needed for texts: Twilio signs the address that it calls. Set it to where Twilio reaches this program, such as https://rsvp.example.org"#]],
    );
    refused(
        "[twilio]\nprovider_keywords = false\n",
        &[],
        expect![[r#"
        twilio.account_sid: missing although other twilio settings are given; set the account's SID (AC and 32 more)
        twilio.auth_token: missing although twilio.provider_keywords is set; set the account's auth token (CONVIVE__TWILIO__AUTH_TOKEN or CONVIVE__TWILIO__AUTH_TOKEN_FILE)
        twilio.from: missing; set your Twilio number in E.164 (such as +447700900999), or twilio.messaging_service_sid
        http.public_url: missing, and needed for texts: Twilio signs the address that it calls. Set it to where Twilio reaches this program, such as https://rsvp.example.org"#]],
    );
    refused(
        "[http]\npublic_url = \"https://a.example\"\n[twilio]\naccount_sid = \"SK1\"\nauth_token = \"\"\n\
         from = \"07700 900999\"\nmessaging_service_sid = \"MG\"\nwebhook_keys = { KS1 = \"\" }\n",
        &[],
        expect![[r#"
            twilio.account_sid: is not such an id: it begins with AC, followed by 32 digits and letters a to f (in FILE)
            twilio.auth_token: is empty; give it a value, or remove it (in FILE)
            twilio.from: is not a number that guests can answer; write it as +, country code and number without spaces (such as +447700900999), or as a short code (in FILE)
            twilio.messaging_service_sid: is not such an id: it begins with MG, followed by 32 digits and letters a to f (in FILE)
            twilio.webhook_keys.KS1: is empty; give it a value, or remove it (in FILE)"#]],
    );
}

#[test]
fn files_that_are_not_there() {
    let folder = TempDir::new().unwrap();
    let missing = folder.path().join("convive.toml");
    let errors = Settings::load(Some(&missing), std::iter::empty()).unwrap_err();
    assert!(errors.to_string().contains("cannot be read"), "{errors}");
    refused(
        "",
        &[("CONVIVE__TELEGRAM__TOKEN_FILE", "/no/such/file")],
        expect![
            "telegram.token: the file that CONVIVE__TELEGRAM__TOKEN_FILE names cannot be read (No such file or directory (os error 2))"
        ],
    );
    refused(
        "",
        &[("CONVIVE__TELEGRAM__TOKEN", "1:a"), ("CONVIVE__TELEGRAM__TOKEN_FILE", "/dev/null")],
        expect![[r#"
            telegram.token: both CONVIVE__TELEGRAM__TOKEN and CONVIVE__TELEGRAM__TOKEN_FILE are set; remove one of them
            telegram.token: is empty; give it a value, or remove it (in CONVIVE__TELEGRAM__TOKEN_FILE)"#]],
    );
}
