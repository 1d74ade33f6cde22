//! Where the bot can be tried from a page: the real intake and a real courier, on chats that only this process
//! delivers. In the demo they are chats of the demo's event; elsewhere of a copy that no real guest is in.

use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

use anyhow::Context as _;
use app::{App, Clock, SystemClock, command_line};
use async_trait::async_trait;
use bots::{Courier, Provider, console::ConsoleChannel, courier::DEFAULT_LEASE};
use domain::{
    conversation::Policy,
    event_settings,
    message::Inbound,
    model::{Event, EventId, Guest},
};
use store::{Commit, Committed, GroupRests, GuestChange};
use web::pages::{ON_PAGE, TryOut, TryOutError, TryOutMessage};

use crate::{settings::StoreUrl, wiring};

/// Guests copied by one commit.
const AT_ONCE: usize = 500;

/// Chats on one store.
struct Stage {
    app: App,
    courier: Courier,
    console: ConsoleChannel,
    /// Removed with the stage; none where the store is not ours.
    _folder: Option<Folder>,
}

impl Stage {
    fn new(app: App, console: ConsoleChannel, folder: Option<Folder>) -> Self {
        let providers: Vec<Arc<dyn Provider>> = vec![Arc::new(console.clone())];
        let courier = Courier::new(app.clone(), providers, &format!("try-out-{}", random()), DEFAULT_LEASE);
        Self { app, courier, console, _folder: folder }
    }

    async fn say(&self, said: Option<Inbound>) -> anyhow::Result<Vec<TryOutMessage>> {
        if let Some(inbound) = said {
            self.app.take_in(inbound).await?;
        }
        self.courier.pump().await;
        let message = |message: bots::console::ConsoleMessage| TryOutMessage { to: message.to, text: message.text };
        let arrived = self.console.take_for(|to| to.id.starts_with(ON_PAGE));
        Ok(arrived.into_iter().map(message).collect())
    }

    async fn guests(&self) -> anyhow::Result<Vec<Guest>> {
        let mut guests = Vec::new();
        for event in self.app.store.events().await? {
            guests.extend(self.app.all_guests(&event.id).await?);
        }
        Ok(guests)
    }
}

/// A folder that goes with whoever holds it.
struct Folder(PathBuf);

impl Folder {
    fn make() -> anyhow::Result<Self> {
        let path = std::env::temp_dir().join(format!("convive-try-out-{}", random()));
        std::fs::create_dir(&path).with_context(|| format!("cannot make {}", path.display()))?;
        Ok(Self(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed is the system's to tidy up.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn random() -> String {
    let mut bytes = [0; 8];
    SystemClock.random(&mut bytes);
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn logged(error: &anyhow::Error) -> TryOutError {
    tracing::warn!(error = format!("{error:#}"), "the try-out does not work");
    TryOutError
}

/// The demo itself is tried.
pub struct DemoTryOut(Stage);

impl DemoTryOut {
    /// Chats with the demo's guests.
    #[must_use]
    pub fn new(app: App, console: ConsoleChannel) -> Self {
        Self(Stage::new(app, console, None))
    }
}

#[async_trait]
impl TryOut for DemoTryOut {
    async fn say(&self, _: Option<&EventId>, said: Option<Inbound>) -> Result<Vec<TryOutMessage>, TryOutError> {
        self.0.say(said).await.map_err(|error| logged(&error))
    }

    async fn guests(&self, _: Option<&EventId>) -> Result<Vec<Guest>, TryOutError> {
        self.0.guests().await.map_err(|error| logged(&error))
    }

    async fn start_again(&self, _: &EventId) -> Result<(), TryOutError> {
        Ok(())
    }
}

/// Each event is tried on a copy of its own, made when it is first wanted.
pub struct CopyTryOut {
    app: App,
    policy: Policy,
    copies: Mutex<HashMap<EventId, Arc<Stage>>>,
}

impl CopyTryOut {
    /// Copies of the events of this store.
    #[must_use]
    pub fn new(app: App, policy: Policy) -> Self {
        Self { app, policy, copies: Mutex::default() }
    }

    async fn copy_of(&self, event: Option<&EventId>) -> anyhow::Result<Arc<Stage>> {
        let event = event.context("no event is named")?;
        let known = self.copies.lock().unwrap_or_else(PoisonError::into_inner).get(event).cloned();
        match known {
            Some(stage) => Ok(stage),
            None => self.make(event).await,
        }
    }

    async fn make(&self, event: &EventId) -> anyhow::Result<Arc<Stage>> {
        let folder = Folder::make()?;
        let store = wiring::open_store(&StoreUrl::Sqlite(folder.0.join("convive.db"))).await?;
        let app = App::new(store, Arc::clone(&self.app.clock), self.policy.clone());
        let original = self.app.store.event(event).await?.context("the event is gone")?;
        let pairs: Vec<(String, String)> =
            event_settings::show(&original).into_iter().filter(|(_, value)| !value.is_empty()).collect();
        let copied = app.set_event(Some(event), &pairs, &command_line()).await?.event().clone();
        copy_guests(&self.app, &app, &copied).await?;
        let stage = Arc::new(Stage::new(app, ConsoleChannel::default(), Some(folder)));
        self.copies.lock().unwrap_or_else(PoisonError::into_inner).insert(event.clone(), Arc::clone(&stage));
        Ok(stage)
    }
}

async fn copy_guests(from: &App, to: &App, event: &Event) -> anyhow::Result<()> {
    for guests in from.all_guests(&event.id).await?.chunks(AT_ONCE) {
        let mut keys: Vec<_> = guests.iter().map(Guest::group_key).collect();
        keys.sort();
        keys.dedup();
        let versions: HashMap<_, _> =
            to.store.groups(&keys).await?.into_iter().map(|group| (group.key, group.version)).collect();
        let rests = |key: domain::model::GroupKey| {
            let version = versions.get(&key).copied().unwrap_or_default();
            GroupRests { key, version, raise: true }
        };
        let commit = Commit {
            at: to.clock.now(),
            groups: keys.into_iter().map(rests).collect(),
            guests: guests.iter().cloned().map(GuestChange::Insert).collect(),
            ..Commit::default()
        };
        let committed = to.store.commit(commit).await?;
        anyhow::ensure!(committed == Committed::Done, "the copy could not be made: {committed:?}");
    }
    Ok(())
}

#[async_trait]
impl TryOut for CopyTryOut {
    async fn say(&self, event: Option<&EventId>, said: Option<Inbound>) -> Result<Vec<TryOutMessage>, TryOutError> {
        let said = async { self.copy_of(event).await?.say(said).await };
        said.await.map_err(|error| logged(&error))
    }

    async fn guests(&self, event: Option<&EventId>) -> Result<Vec<Guest>, TryOutError> {
        let guests = async { self.copy_of(event).await?.guests().await };
        guests.await.map_err(|error| logged(&error))
    }

    async fn start_again(&self, event: &EventId) -> Result<(), TryOutError> {
        self.copies.lock().unwrap_or_else(PoisonError::into_inner).remove(event);
        Ok(())
    }
}
