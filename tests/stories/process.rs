//! One running program: its doors on a real port, its courier moved by hand.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use app::App;
use bots::{
    Courier,
    telegram::{Acknowledger, Poller},
};
use convive::{
    program::{Program, Roles, Surroundings},
    settings::Settings,
    wiring,
};
use reminders::Reminders;
use reqwest::{Client, Method, RequestBuilder};
use tokio::{
    net::TcpListener,
    sync::Mutex,
    task::{JoinHandle, JoinSet},
};

use crate::{clock::TestClock, flaky::FlakyStore};

/// What does not come in so long will not come: something is broken.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// Waits for something that goes on beside the story.
pub async fn until(what: &str, holds: impl Fn() -> bool) {
    let wait = async {
        while !holds() {
            tokio::task::yield_now().await;
        }
    };
    assert!(tokio::time::timeout(PATIENCE, wait).await.is_ok(), "waited in vain until {what}");
}

/// A request to a door, as a provider makes it.
#[derive(Debug, Clone)]
pub struct Request {
    pub path: String,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

/// What a door answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    pub status: u16,
    pub content_type: String,
    pub body: String,
}

/// One program on a store. Dropping it is a crash: nothing that it had not done yet is done.
pub struct Process {
    pub app: App,
    pub store: FlakyStore,
    pub courier: Arc<Courier>,
    /// What happens because time passes.
    pub reminders: Reminders,
    acknowledger: Option<Acknowledger>,
    poller: Mutex<Option<Poller>>,
    url: String,
    http: Client,
    server: JoinHandle<()>,
}

impl Process {
    pub async fn start(settings: &Settings, clock: Arc<TestClock>, request_timeout: Duration) -> Self {
        let store = FlakyStore::over(wiring::open_store(&settings.store).await.unwrap());
        let around = Surroundings {
            store: Arc::new(store.clone()),
            clock,
            metrics: Arc::new(|| "# nothing is counted here\n".to_owned()),
            request_timeout,
            demo: None,
        };
        let program = Program::build(settings, Roles::ALL, around).await.unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let service = program.router.into_make_service_with_connect_info::<SocketAddr>();
        let server = tokio::spawn(async move {
            // Ends only when it is aborted.
            let _ = axum::serve(listener, service).await;
        });
        Self {
            app: program.app,
            store,
            courier: program.courier,
            reminders: program.reminders,
            acknowledger: program.acknowledger,
            poller: Mutex::new(program.poller),
            url,
            http: client(),
            server,
        }
    }

    /// Delivers what may be delivered now.
    pub async fn pump(&self) {
        if let Some(acknowledger) = &self.acknowledger {
            acknowledger.flush().await;
        }
        self.courier.pump().await;
    }

    /// Fetches updates once, in polling mode; how many were confirmed.
    pub async fn poll(&self) -> usize {
        self.try_poll().await.unwrap()
    }

    /// The same, where it may fail.
    pub async fn try_poll(&self) -> Result<usize, String> {
        let mut poller = self.poller.lock().await;
        let poller = poller.as_mut().expect("the program polls only in polling mode");
        poller.poll_once(Duration::ZERO).await.map_err(|error| error.to_string())
    }

    pub async fn post(&self, request: &Request) -> Reply {
        read(self.request(request)).await
    }

    pub async fn put(&self, request: &Request) -> Reply {
        read(self.with(Method::PUT, request)).await
    }

    /// All of these at the same time.
    pub async fn post_at_once(&self, requests: &[Request]) -> Vec<Reply> {
        let mut posts = JoinSet::new();
        for request in requests {
            posts.spawn(read(self.request(request)));
        }
        posts.join_all().await
    }

    fn request(&self, request: &Request) -> RequestBuilder {
        self.with(Method::POST, request)
    }

    fn with(&self, method: Method, request: &Request) -> RequestBuilder {
        let sent = self.http.request(method, format!("{}{}", self.url, request.path)).body(request.body.clone());
        request.headers.iter().fold(sent, |sent, (name, value)| sent.header(name, value))
    }

    pub async fn get(&self, path: &str) -> Reply {
        read(self.http.get(format!("{}{path}", self.url))).await
    }

    /// The same from a program that listens elsewhere.
    pub async fn get_from(&self, address: SocketAddr, path: &str) -> Reply {
        read(self.http.get(format!("http://{address}{path}"))).await
    }

    /// The machine stops. What is on its way inside is gone.
    pub fn crash(self) {
        drop(self);
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.server.abort();
    }
}

async fn read(request: RequestBuilder) -> Reply {
    let response = request.send().await.unwrap();
    let content_type = response.headers().get("content-type").map(|kind| kind.to_str().unwrap().to_owned());
    Reply {
        status: response.status().as_u16(),
        content_type: content_type.unwrap_or_default(),
        body: response.text().await.unwrap(),
    }
}

/// One connection for each request, so that none outlives the program it leads to.
fn client() -> Client {
    // An error means that it is there already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    Client::builder().pool_max_idle_per_host(0).tls_certs_only(std::iter::empty()).no_proxy().build().unwrap()
}
