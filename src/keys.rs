//! The keys that tokens are signed and checked with: where they come from, and how a running program keeps up with
//! new ones.

use std::{fs, path::PathBuf, time::Duration};

use anyhow::Context as _;
use chrono::{DateTime, TimeDelta};
use url::Url;
use web::tokens::{Issuer, Jwks, Lifetimes, PublicKey, SigningKey, Verifier, key_files};

use crate::settings::{Auth, JwksPlace};

/// Between two looks for new keys. A new key signs five minutes after it was made.
pub const RENEWAL_PAUSE: Duration = Duration::from_secs(30);

/// How long tokens are good for.
#[must_use]
pub fn lifetimes(auth: &Auth) -> Lifetimes {
    Lifetimes {
        guest: TimeDelta::days(i64::from(auth.guest_ttl_days)),
        host: TimeDelta::hours(i64::from(auth.host_ttl_hours)),
    }
}

/// Signs and checks tokens.
#[derive(Clone)]
pub struct Keys {
    /// `None` where only public keys are known.
    pub issuer: Option<Issuer>,
    pub verifier: Verifier,
    folder: Option<PathBuf>,
    published: Option<Published>,
}

/// Keys of others, as they publish them.
#[derive(Clone)]
struct Published {
    place: JwksPlace,
    client: Option<reqwest::Client>,
    request_timeout: Duration,
}

impl Keys {
    /// Opens the keys that the settings name. The first key is made where there is none.
    ///
    /// # Errors
    /// When a key cannot be used. Published keys that cannot be fetched are no error: they are looked for again.
    pub async fn open(auth: &Auth, request_timeout: Duration) -> anyhow::Result<Self> {
        let (signing, folder) = match (&auth.private_key, &auth.jwks) {
            (Some(pem), _) => {
                let key = SigningKey::read(pem, DateTime::UNIX_EPOCH).context("auth.private_key")?;
                (Some(vec![key]), None)
            }
            (None, Some(_)) => (None, None),
            (None, None) => (Some(key_files::open(&auth.key_dir)?), Some(auth.key_dir.clone())),
        };
        let published = match &auth.jwks {
            None => None,
            Some(place) => {
                let client = match place {
                    JwksPlace::Address(url) => Some(bots::http_client(url).context("auth.jwks")?),
                    JwksPlace::File(_) => None,
                };
                Some(Published { place: place.clone(), client, request_timeout })
            }
        };
        let issuer = signing.map(|keys| Issuer::new(&auth.issuer, lifetimes(auth), keys));
        let keys = Self { issuer, verifier: Verifier::new(&auth.issuer, Vec::new()), folder, published };
        keys.take(keys.published().await);
        Ok(keys)
    }

    /// Takes new keys, and leaves out those that are gone. What cannot be read stays as it was.
    pub async fn renew(&self) {
        if let (Some(folder), Some(issuer)) = (self.folder.clone(), &self.issuer) {
            match tokio::task::spawn_blocking(move || key_files::read(&folder)).await {
                Ok(Ok(keys)) if !keys.is_empty() => issuer.replace_keys(keys),
                Ok(Ok(_)) => {
                    tracing::error!("the signing keys are gone from auth.key_dir; going on with those that were there")
                }
                Ok(Err(error)) => tracing::error!(%error, "the signing keys cannot be read"),
                Err(error) => tracing::error!(%error, "the signing keys were not read"),
            }
        }
        self.take(self.published().await);
    }

    /// `None` where they cannot be had now.
    async fn published(&self) -> Option<Vec<PublicKey>> {
        let Some(published) = &self.published else { return Some(Vec::new()) };
        match published.fetch().await {
            Ok(jwks) => Some(jwks.keys()),
            Err(error) => {
                tracing::warn!(
                    error = format!("{error:#}"),
                    "auth.jwks: the published keys cannot be had; trying again"
                );
                None
            }
        }
    }

    fn take(&self, published: Option<Vec<PublicKey>>) {
        let Some(published) = published else { return };
        let own = self.issuer.as_ref().map(Issuer::public_keys).unwrap_or_default();
        self.verifier.replace_keys(own.into_iter().chain(published).collect());
    }
}

impl Published {
    async fn fetch(&self) -> anyhow::Result<Jwks> {
        let text = match &self.place {
            JwksPlace::File(path) => fs::read_to_string(path).with_context(|| path.display().to_string())?,
            JwksPlace::Address(url) => self.get(url).await?,
        };
        Jwks::read(&text).context("not a set of keys")
    }

    async fn get(&self, url: &Url) -> anyhow::Result<String> {
        let client = self.client.as_ref().context("no client")?;
        let request = client.get(url.clone()).timeout(self.request_timeout);
        Ok(request.send().await?.error_for_status()?.text().await?)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use chrono::Utc;
    use domain::model::{EventId, Guest, GuestId};
    use tempfile::TempDir;

    use super::*;

    const PATIENCE: Duration = Duration::from_secs(10);

    fn auth(folder: &Path) -> Auth {
        Auth {
            key_dir: folder.join("keys"),
            private_key: None,
            jwks: None,
            issuer: "convive".to_owned(),
            guest_ttl_days: 30,
            host_ttl_hours: 12,
        }
    }

    fn now() -> DateTime<Utc> {
        "2026-11-19T08:00:00Z".parse().unwrap()
    }

    fn token(keys: &Keys, at: DateTime<Utc>) -> String {
        let guest = Guest::new(GuestId([7; 12]), EventId::from("e"), "Ek".to_owned(), "K7QF2M".to_owned(), now());
        keys.issuer.as_ref().unwrap().issue(&guest, at).unwrap()
    }

    #[tokio::test]
    async fn a_running_program_takes_up_a_new_key_and_still_knows_the_old_one() {
        let folder = TempDir::new().unwrap();
        let auth = auth(folder.path());
        let keys = Keys::open(&auth, PATIENCE).await.unwrap();
        let old = token(&keys, now());
        let rotated = key_files::rotate(&auth.key_dir, lifetimes(&auth), now()).unwrap();
        keys.renew().await;
        let new = token(&keys, rotated.signs_from);
        assert_ne!(old.split('.').next(), new.split('.').next(), "they name different keys");
        for token in [&old, &new] {
            assert!(keys.verifier.verify(token, rotated.signs_from).is_ok());
        }
        // A folder that is gone for a moment logs nobody out.
        fs::rename(&auth.key_dir, folder.path().join("elsewhere")).unwrap();
        keys.renew().await;
        assert!(keys.verifier.verify(&old, now()).is_ok());
    }

    #[tokio::test]
    async fn published_keys_check_what_is_signed_elsewhere() {
        let folder = TempDir::new().unwrap();
        let signing = Keys::open(&auth(folder.path()), PATIENCE).await.unwrap();
        let token = token(&signing, now());
        let file = folder.path().join("jwks.json");
        let elsewhere = TempDir::new().unwrap();
        let auth = Auth { jwks: Some(JwksPlace::File(file.clone())), ..auth(elsewhere.path()) };
        // It starts before the keys are there, and takes them up when they are.
        let checking = Keys::open(&auth, PATIENCE).await.unwrap();
        assert!(checking.issuer.is_none() && !auth.key_dir.exists(), "no private key is made");
        assert!(checking.verifier.verify(&token, now()).is_err());
        fs::write(&file, serde_json::to_string(&signing.verifier.jwks()).unwrap()).unwrap();
        checking.renew().await;
        assert!(checking.verifier.verify(&token, now()).is_ok());
        fs::write(&file, "not a set of keys").unwrap();
        checking.renew().await;
        assert!(checking.verifier.verify(&token, now()).is_ok(), "what cannot be read changes nothing");
    }

    #[tokio::test]
    async fn a_key_of_the_settings_signs_and_must_be_one() {
        let folder = TempDir::new().unwrap();
        let made = SigningKey::make().unwrap();
        let auth = Auth { private_key: Some(made), ..auth(folder.path()) };
        let keys = Keys::open(&auth, PATIENCE).await.unwrap();
        assert!(keys.verifier.verify(&token(&keys, now()), now()).is_ok());
        let wrong = Auth { private_key: Some("hunter2".into()), ..auth };
        let error = format!("{:#}", Keys::open(&wrong, PATIENCE).await.map(|_| ()).unwrap_err());
        assert!(error.contains("auth.private_key") && !error.contains("hunter2"), "{error}");
    }
}
