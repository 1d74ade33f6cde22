//! The running program: store, use cases, channels, doors and pages put together.
//!
//! [`Program::build`] is shared by `serve`, `demo` and the story tests; only [`Program::run`] starts anything that
//! goes on by itself.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use anyhow::Context as _;
use app::{App, Clock};
use axum::{Router, serve::ListenerExt};
use bots::{
    Courier, Provider,
    console::ConsoleChannel,
    telegram::{Acknowledger, BotIdentity, Poller, Receiver, TelegramChannel, TelegramClient, setup},
};
use chrono::TimeDelta;
use domain::{
    message::Say,
    wording::{self, Language},
};
use reminders::{Housekeeping, Reminders};
use secrecy::{ExposeSecret, SecretString};
use store::Store;
use tokio::{net::TcpListener, sync::watch, task::JoinSet, time::MissedTickBehavior};
use tower_http::catch_panic::CatchPanicLayer;
use url::Url;
use web::{
    Web,
    operations::{ChannelState, Operations},
    pages::{BotLink, Pages, TryOut},
};
use webhooks::{
    Doors,
    sms::{TwilioDoor, TwilioDoorSettings},
    telegram::TelegramDoor,
};

use crate::{
    keys::{self, Keys},
    settings::{Settings, Telegram, TelegramMode, Twilio},
    try_out::{CopyTryOut, DemoTryOut},
    wiring,
};

/// How long a provider may take to answer one request.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(15);
/// Between two tries to tell Telegram about commands and webhook.
const SETUP_PAUSE: Duration = Duration::from_secs(60);
/// Between two recordings of who used the program: a guest who says ten things in a minute is recorded once.
const FLUSH_PAUSE: Duration = Duration::from_secs(60);
/// Between two looks at what has become due.
const CLOCK_PAUSE: Duration = Duration::from_secs(15);
const HOUSEKEEPING_PAUSE: Duration = Duration::from_secs(3600);
const WEBHOOK_CONNECTIONS: u8 = 40;

/// Which parts of the program this process runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Roles {
    pub bots: bool,
    pub webhooks: bool,
    pub reminders: bool,
    pub web: bool,
}

impl Roles {
    /// All parts.
    pub const ALL: Self = Self { bots: true, webhooks: true, reminders: true, web: true };
}

/// What comes from outside: so that tests set all of it.
pub struct Surroundings {
    pub store: Arc<dyn Store>,
    pub clock: Arc<dyn Clock>,
    /// The counters as text.
    pub metrics: Arc<dyn Fn() -> String + Send + Sync>,
    /// Of one request to a provider.
    pub request_timeout: Duration,
    /// In the demo nothing is real: anybody may try the bot on the event itself, in chats that arrive here.
    pub demo: Option<ConsoleChannel>,
}

impl Surroundings {
    /// The real ones, over this store.
    #[must_use]
    pub fn real(store: Arc<dyn Store>, metrics: Arc<dyn Fn() -> String + Send + Sync>) -> Self {
        Self { store, clock: Arc::new(app::SystemClock), metrics, request_timeout: REQUEST_TIMEOUT, demo: None }
    }
}

/// Everything put together, not yet running.
pub struct Program {
    pub app: App,
    pub courier: Arc<Courier>,
    /// Polls Telegram, in polling mode.
    pub poller: Option<Poller>,
    /// Acknowledges presses, where there is a bot.
    pub acknowledger: Option<Acknowledger>,
    pub router: Router,
    /// What happens because time passes.
    pub reminders: Reminders,
    housekeeping: Housekeeping,
    /// `None` where this process shows no pages.
    keys: Option<Keys>,
    telegram_setup: Option<TelegramSetup>,
    /// Tells every part that the program ends.
    stop: watch::Sender<bool>,
}

/// What Telegram is told once, as soon as it can be reached.
struct TelegramSetup {
    client: TelegramClient,
    webhook: Option<(Url, SecretString)>,
}

impl Program {
    /// Puts the parts together. Asks Telegram who the bot is, but starts without an answer too.
    ///
    /// # Errors
    /// When a part cannot be made with these settings.
    pub async fn build(settings: &Settings, roles: Roles, around: Surroundings) -> anyhow::Result<Self> {
        let app = App::new(around.store, around.clock, wiring::policy(settings))
            .reaching(wiring::outreach(settings))
            .with_pages_at(wiring::site(&settings.http).map(Into::into));
        let mut providers: Vec<Arc<dyn Provider>> = Vec::new();
        let mut doors = Doors { app: app.clone(), telegram: None, sms: None };
        let mut poller = None;
        let mut acknowledger = None;
        let mut telegram_setup = None;
        let mut bot_name = None;
        if let Some(telegram) = &settings.telegram {
            let client = wiring::telegram_client(telegram, around.request_timeout).context("telegram")?;
            let bot = identify(&client, telegram).await;
            bot_name = Some(bot.username.clone()).filter(|name| !name.is_empty());
            let presses = Acknowledger::start(client.clone());
            let mut webhook = None;
            match &telegram.mode {
                TelegramMode::Polling => {
                    let receiver = Receiver::new(app.clone(), bot, presses.clone());
                    poller = Some(Poller::new(client.clone(), receiver));
                }
                TelegramMode::Webhook { secret } => {
                    doors.telegram = Some(TelegramDoor::new(secret.clone(), bot, presses.clone())?);
                    webhook = settings.http.public_url.clone().map(|url| (url, secret.clone()));
                }
            }
            acknowledger = Some(presses);
            providers.push(Arc::new(TelegramChannel::new(client.clone())));
            telegram_setup = Some(TelegramSetup { client, webhook });
        }
        if let Some(twilio) = &settings.twilio {
            let channel = wiring::twilio_channel(twilio, &settings.http, around.request_timeout).context("twilio")?;
            providers.push(Arc::new(channel));
            doors.sms = twilio_door(twilio, settings)?;
        }
        let lease = TimeDelta::seconds(i64::from(settings.delivery.lease_seconds));
        let name = courier_name(app.clock.as_ref());
        let courier = Arc::new(Courier::new(app.clone(), providers, &name, lease));
        let keys = match roles.web {
            true => Some(Keys::open(&settings.auth, around.request_timeout).await.context("signing keys")?),
            false => None,
        };
        let stop = watch::Sender::new(false);
        let pages = keys.as_ref().map(|keys| {
            let web = web(keys, &app, settings);
            let pages = pages(&web, settings, bot_name, around.demo.clone(), stop.subscribe());
            (web, pages)
        });
        let router = router(roles, doors, pages, &app, &courier, around.metrics);
        let housekeeping = Housekeeping { retention_days: settings.privacy.retention_days };
        let reminders = Reminders::served(app.clone());
        Ok(Self { app, courier, poller, acknowledger, router, reminders, housekeeping, keys, telegram_setup, stop })
    }

    /// Runs until `shutdown`, then finishes what has begun.
    ///
    /// # Errors
    /// When the listener fails.
    pub async fn run(
        self,
        roles: Roles,
        listener: TcpListener,
        shutdown: impl Future<Output = ()> + Send + 'static,
    ) -> anyhow::Result<()> {
        let (stop, stopped) = (self.stop.clone(), self.stop.subscribe());
        let stopping = |mut stopped: watch::Receiver<bool>| async move {
            // An error means that the sender is gone, which is the end as well.
            let _ = stopped.wait_for(|stop| *stop).await;
        };
        let mut tasks = JoinSet::new();
        if roles.bots {
            let courier = Arc::clone(&self.courier);
            let until = stopping(stopped.clone());
            tasks.spawn(async move { courier.run(until).await });
            if let Some(poller) = self.poller {
                tasks.spawn(poller.run(stopping(stopped.clone())));
            }
            if let Some(setup) = self.telegram_setup {
                tasks.spawn(until_stopped(stopping(stopped.clone()), introduce(setup)));
            }
        }
        if roles.reminders {
            let tidying = keep_house(self.app.clone(), self.housekeeping);
            tasks.spawn(until_stopped(stopping(stopped.clone()), tidying));
            let watching = watch_the_clock(self.reminders, Arc::clone(&self.courier));
            tasks.spawn(until_stopped(stopping(stopped.clone()), watching));
        }
        if let Some(keys) = self.keys {
            tasks.spawn(until_stopped(stopping(stopped.clone()), renew_keys(keys)));
        }
        tasks.spawn(until_stopped(stopping(stopped.clone()), flush_accesses(self.app.clone())));
        tokio::spawn(async move {
            shutdown.await;
            stop.send_replace(true);
        });
        let listener = listener.tap_io(|stream| {
            // Small answers must not wait for more to come; a socket that refuses the option works all the same.
            let _ = stream.set_nodelay(true);
        });
        let service = self.router.into_make_service_with_connect_info::<SocketAddr>();
        axum::serve(listener, service)
            .with_graceful_shutdown(stopping(stopped))
            .await
            .context("the listener failed")?;
        tasks.join_all().await;
        self.app.accesses.flush(self.app.store.as_ref()).await;
        Ok(())
    }
}

async fn until_stopped(stopped: impl Future<Output = ()>, work: impl Future<Output = ()>) {
    tokio::select! {
        () = stopped => {}
        () = work => {}
    }
}

/// Who the bot is. Where Telegram cannot say, the id stands in the token, and only group chats miss the name.
async fn identify(client: &TelegramClient, telegram: &Telegram) -> BotIdentity {
    match setup::identify(client).await {
        Ok(bot) => bot,
        Err(error) => {
            tracing::warn!(%error, "Telegram does not say who the bot is; run `convive check` if this stays so");
            let id = telegram.token.expose_secret().split(':').next().and_then(|id| id.parse().ok());
            BotIdentity { id: id.unwrap_or_default(), username: String::new() }
        }
    }
}

/// Texts can only come in where Twilio can reach us: what it signs is the public address.
fn twilio_door(twilio: &Twilio, settings: &Settings) -> anyhow::Result<Option<TwilioDoor>> {
    let Some(public_url) = settings.http.public_url.clone() else { return Ok(None) };
    let door = TwilioDoor::new(TwilioDoorSettings {
        account_sid: twilio.account_sid.clone(),
        auth_token: twilio.auth_token.clone(),
        webhook_keys: twilio.webhook_keys.clone(),
        public_url,
        messaging_service_sid: twilio.messaging_service_sid.clone(),
        try_again_later: in_words("try-again-later", wording::language(wording::FALLBACK)),
    })?;
    Ok(Some(door))
}

fn in_words(id: &'static str, language: &Language) -> String {
    domain::show::plain(&wording::render(&Say::new(id), language, domain::address::Style::Texts))
}

/// Tells this courier from every other one, past ones included.
fn courier_name(clock: &dyn Clock) -> String {
    let mut bytes = [0; 8];
    clock.random(&mut bytes);
    format!("courier-{}", bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>())
}

/// What pages and JSON API share.
fn web(keys: &Keys, app: &App, settings: &Settings) -> Web {
    let trusted = settings.http.trusted_proxies.clone();
    Web::new(web::Parts {
        app: app.clone(),
        issuer: keys.issuer.clone(),
        verifier: keys.verifier.clone(),
        is_trusted_proxy: Arc::new(move |address| trusted.iter().any(|range| range.contains(address))),
        cors_origins: settings.http.cors_origins.clone().into(),
    })
}

/// The hosts' view, the guests' page and the simulator.
fn pages(
    web: &Web,
    settings: &Settings,
    bot_name: Option<String>,
    demo: Option<ConsoleChannel>,
    stopping: watch::Receiver<bool>,
) -> Pages {
    let bot_link: BotLink = Arc::new(move |code| {
        let payload = domain::code::link_payload(code);
        bot_name.as_deref().map(|bot_name| setup::deep_link(bot_name, &payload))
    });
    let is_demo = demo.is_some();
    let try_out: Arc<dyn TryOut> = match demo {
        Some(console) => Arc::new(DemoTryOut::new(web.app.clone(), console)),
        None => Arc::new(CopyTryOut::new(web.app.clone(), wiring::policy(settings))),
    };
    let public_url = settings.http.public_url.as_ref();
    Pages {
        web: web.clone(),
        lifetimes: keys::lifetimes(&settings.auth),
        is_https: public_url.is_some_and(|url| url.scheme() == "https"),
        public_url: public_url.map(|url| url.as_str().trim_end_matches('/').to_owned()),
        bot_link,
        try_out: Some(try_out),
        desk: Arc::default(),
        is_demo,
        stopping,
    }
}

fn router(
    roles: Roles,
    doors: Doors,
    pages: Option<(Web, Pages)>,
    app: &App,
    courier: &Arc<Courier>,
    metrics: Arc<dyn Fn() -> String + Send + Sync>,
) -> Router {
    let courier = Arc::clone(courier);
    let channels = move || {
        let state = |health: bots::courier::ChannelHealth| ChannelState {
            channel: health.channel.to_string(),
            stopped: health.stopped,
        };
        courier.health().into_iter().map(state).collect()
    };
    let operations = Operations { store: Arc::clone(&app.store), channels: Arc::new(channels), metrics };
    let mut router = web::operations::router(operations);
    if roles.webhooks {
        router = router.merge(webhooks::router(doors));
    }
    if let Some((web, pages)) = pages {
        router = router.merge(web::api::router(web)).merge(web::pages::router(pages));
    }
    router.layer(CatchPanicLayer::new())
}

/// Tells Telegram the commands of each language and, in webhook mode, where updates go; again until it hears.
async fn introduce(setup: TelegramSetup) {
    loop {
        match introduce_once(&setup).await {
            Ok(()) => return,
            Err(error) => tracing::warn!(%error, "Telegram was not told the commands; trying again in a minute"),
        }
        tokio::time::sleep(SETUP_PAUSE).await;
    }
}

async fn introduce_once(setup: &TelegramSetup) -> Result<(), bots::telegram::CallError> {
    if let Some((public_url, secret)) = &setup.webhook {
        setup::set_webhook(&setup.client, public_url, secret, WEBHOOK_CONNECTIONS).await?;
    }
    for language in wording::languages() {
        let fallback = language.tag == wording::FALLBACK;
        let tag = language.tag.split('-').next().filter(|_| !fallback);
        setup::set_commands(&setup.client, &commands(language), tag).await?;
    }
    Ok(())
}

/// Commands with their descriptions, for Telegram's menu. Their names are the same in every language.
fn commands(language: &Language) -> Vec<(String, String)> {
    const MENU: [(&str, &str); 10] = [
        ("status", "command-status"),
        ("details", "command-details"),
        ("change", "command-change"),
        ("decline", "command-decline"),
        ("switch", "command-switch"),
        ("message", "command-message"),
        ("mute", "command-mute"),
        ("language", "command-language"),
        ("logout", "command-logout"),
        ("help", "command-help"),
    ];
    MENU.into_iter().map(|(name, description)| (name.to_owned(), in_words(description, language))).collect()
}

async fn flush_accesses(app: App) {
    let mut ticks = tokio::time::interval(FLUSH_PAUSE);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        app.accesses.flush(app.store.as_ref()).await;
    }
}

async fn renew_keys(keys: Keys) {
    loop {
        tokio::time::sleep(keys::RENEWAL_PAUSE).await;
        keys.renew().await;
    }
}

/// Decides what has become due, again and again.
async fn watch_the_clock(reminders: Reminders, courier: Arc<Courier>) {
    let mut ticks = tokio::time::interval(CLOCK_PAUSE);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        let mut done = reminders.tick().await;
        for health in courier.health().into_iter().filter(|health| health.stopped.is_some()) {
            done = done.and(reminders.tell_of_stopped(health.channel).await);
        }
        if let Err(error) = done {
            tracing::warn!(%error, "what is due could not be decided; trying again soon");
        }
    }
}

async fn keep_house(app: App, housekeeping: Housekeeping) {
    let mut ticks = tokio::time::interval(HOUSEKEEPING_PAUSE);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        if let Err(error) = housekeeping.tidy(app.store.as_ref(), app.clock.now()).await {
            tracing::warn!(%error, "keeping house did not work; trying again in an hour");
        }
    }
}
