//! One-time links: a host who can read a chat, or the command line, gets into the pages without typing a code.
//!
//! A link is `GUEST.EXPIRES.SECRET`. That it was made here is remembered under a key, and that it was used under
//! another; both keys are unique in the store, so a link opens once, whichever process is asked.

use chrono::{DateTime, TimeDelta, Utc};
use domain::model::{Guest, GuestId};
use sha2::{Digest, Sha256};
use store::{Commit, Committed, StoreError};

use crate::App;

/// How long a link is good for.
pub const LINK_MINUTES: i64 = 10;
const SECRET_BYTES: usize = 20;

/// Where the pages take a link.
pub const LINK_PATH: &str = "/admin/link/";

/// A link that was drawn; it opens once its key is stored.
#[derive(Clone, PartialEq, Eq)]
pub struct HostLink {
    /// What comes after the address of the site: `/admin/link/...`. Secret.
    pub path: String,
    /// To be stored with [`Commit::once`], by the commit that hands the link out.
    pub key: String,
}

struct Link {
    guest: GuestId,
    expires: DateTime<Utc>,
    /// Under which it is remembered: the store does not learn the secret.
    key: String,
}

impl Link {
    fn read(text: &str) -> Option<Self> {
        let mut parts = text.split('.');
        let (guest, expires, secret) = (parts.next()?, parts.next()?, parts.next()?);
        let is_whole = parts.next().is_none() && secret.len() == SECRET_BYTES * 2;
        let expires = DateTime::from_timestamp(expires.parse().ok()?, 0)?;
        Some(Self { guest: guest.parse().ok()?, expires, key: key_of(text) }).filter(|_| is_whole)
    }
}

fn used_key(link: &Link) -> String {
    format!("{}/used", link.key)
}

fn key_of(text: &str) -> String {
    format!("host-link/{}", hex::encode(Sha256::digest(text)))
}

impl App {
    /// Draws a link for this host.
    #[must_use]
    pub fn draw_host_link(&self, host: GuestId) -> HostLink {
        let mut secret = [0; SECRET_BYTES];
        self.clock.random(&mut secret);
        let expires = (self.clock.now() + TimeDelta::minutes(LINK_MINUTES)).timestamp();
        let text = format!("{host}.{expires}.{}", hex::encode(secret));
        HostLink { path: format!("{LINK_PATH}{text}"), key: key_of(&text) }
    }

    /// A new link for this host: what comes after the address of the site.
    ///
    /// # Errors
    /// When the store cannot commit.
    pub async fn make_host_link(&self, host: GuestId) -> Result<String, StoreError> {
        let link = self.draw_host_link(host);
        let made = Commit { at: self.clock.now(), once: vec![link.key], ..Commit::default() };
        self.store.commit(made).await?;
        Ok(link.path)
    }

    /// Whether a one-time link would still open the desk; this does not use it up.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn is_host_link_good(&self, text: &str) -> Result<bool, StoreError> {
        let now = self.clock.now();
        let Some(link) = Link::read(text).filter(|link| now < link.expires) else { return Ok(false) };
        let used = used_key(&link);
        let known = self.store.known_keys(&[link.key.clone(), used.clone()]).await?;
        Ok(known.contains(&link.key) && !known.contains(&used))
    }

    /// Uses a link up, named by what follows [`LINK_PATH`]. `None` where it was never made, is too old, was used before, or its guest is no host any more.
    ///
    /// # Errors
    /// When the store cannot commit.
    pub async fn use_host_link(&self, text: &str) -> Result<Option<Guest>, StoreError> {
        let now = self.clock.now();
        let Some(link) = Link::read(text).filter(|link| now < link.expires) else { return Ok(None) };
        if self.store.known_keys(std::slice::from_ref(&link.key)).await?.is_empty() {
            return Ok(None);
        }
        let used = Commit { at: now, once: vec![used_key(&link)], ..Commit::default() };
        if self.store.commit(used).await? != Committed::Done {
            return Ok(None);
        }
        let host = self.store.guest(link.guest).await?.filter(|guest| guest.is_admin);
        if let Some(host) = &host {
            self.accesses.note(host.id, now, true);
        }
        Ok(host)
    }
}
