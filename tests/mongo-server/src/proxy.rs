//! A wire between driver and server that breaks where a test wants it to.

use std::{
    net::SocketAddr,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use mongodb::bson::Document;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{
        TcpListener, TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
    task::JoinHandle,
};

const HEADER: usize = 16;
const DELAY: Duration = Duration::from_millis(20);

/// What happens to a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The connection ends before the server has it.
    Lost,
    /// The server gets it; the connection ends before its answer is back.
    Unanswered,
    /// The server gets it; from then on nothing comes back, and the driver sees the end of the stream.
    HalfClosed,
    /// It arrives a little later.
    Late,
}

impl Fault {
    pub const ALL: [Self; 4] = [Self::Lost, Self::Unanswered, Self::HalfClosed, Self::Late];
}

/// What is still to come, and how many messages went by.
#[derive(Debug, Default)]
struct Plan {
    next: Option<(usize, Fault)>,
    /// The wire is cut: connections end at their first message.
    is_cut: bool,
    seen: usize,
}

/// The wire.
#[derive(Debug)]
pub struct Proxy {
    address: SocketAddr,
    plan: Arc<Mutex<Plan>>,
    serving: JoinHandle<()>,
}

impl Proxy {
    /// A wire to the server at `host:port`.
    ///
    /// # Panics
    /// Without a free port.
    pub async fn to(host: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("its number");
        let plan = Arc::new(Mutex::new(Plan::default()));
        let (shared, host) = (Arc::clone(&plan), host.to_owned());
        let serving = tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let (plan, host) = (Arc::clone(&shared), host.clone());
                tokio::spawn(async move {
                    if let Ok(server) = TcpStream::connect(host).await {
                        relay(client, server, plan).await;
                    }
                });
            }
        });
        Self { address, plan, serving }
    }

    /// `host:port`
    #[must_use]
    pub fn host(&self) -> String {
        self.address.to_string()
    }

    fn plan(&self) -> std::sync::MutexGuard<'_, Plan> {
        self.plan.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// After `messages` more from the driver, the next meets the fault. (Greetings do not count.)
    pub fn break_after(&self, messages: usize, fault: Fault) {
        self.plan().next = Some((messages, fault));
    }

    /// Whether the fault that was planned has happened.
    #[must_use]
    pub fn has_broken(&self) -> bool {
        self.plan().next.is_none()
    }

    /// Nothing goes through any more, until it is mended.
    pub fn cut(&self, is_cut: bool) {
        self.plan().is_cut = is_cut;
    }

    /// How many messages the driver has sent. (Greetings do not count.)
    #[must_use]
    pub fn seen(&self) -> usize {
        self.plan().seen
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

impl Plan {
    /// What is to happen to a message.
    fn meet(&mut self, message: &[u8]) -> Option<Fault> {
        if self.is_cut {
            return Some(Fault::Lost);
        }
        if is_greeting(message) {
            return None;
        }
        self.seen += 1;
        let (after, fault) = self.next?;
        self.next = after.checked_sub(1).map(|after| (after, fault));
        (after == 0).then_some(fault)
    }
}

/// Monitors greet all the time; those messages belong to no operation.
fn is_greeting(message: &[u8]) -> bool {
    let command = message.get(HEADER + 5..).and_then(|body| Document::from_reader(body).ok());
    let name = command.as_ref().and_then(|command| command.keys().next());
    name.is_none_or(|name| name.eq_ignore_ascii_case("hello") || name.eq_ignore_ascii_case("ismaster"))
}

async fn relay(client: TcpStream, server: TcpStream, plan: Arc<Mutex<Plan>>) {
    let (from_client, to_client) = client.into_split();
    let (from_server, to_server) = server.into_split();
    let silent = Arc::new(AtomicBool::new(false));
    let half = Arc::new(AtomicBool::new(false));
    // When one of them ends, both connections do.
    tokio::select! {
        _ = requests(from_client, to_server, &plan, &silent, &half) => {}
        _ = answers(from_server, to_client, &silent, &half) => {}
    }
}

async fn requests(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    plan: &Mutex<Plan>,
    silent: &AtomicBool,
    half: &AtomicBool,
) -> Option<()> {
    loop {
        let message = read(&mut from).await?;
        let fault = plan.lock().unwrap_or_else(PoisonError::into_inner).meet(&message);
        match fault {
            None => {}
            Some(Fault::Lost) => return None,
            Some(Fault::Unanswered) => silent.store(true, Ordering::SeqCst),
            Some(Fault::HalfClosed) => half.store(true, Ordering::SeqCst),
            Some(Fault::Late) => tokio::time::sleep(DELAY).await,
        }
        to.write_all(&message).await.ok()?;
    }
}

async fn answers(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    silent: &AtomicBool,
    half: &AtomicBool,
) -> Option<()> {
    loop {
        let message = read(&mut from).await?;
        if silent.load(Ordering::SeqCst) {
            return None;
        }
        if half.load(Ordering::SeqCst) {
            to.shutdown().await.ok()?;
            std::future::pending::<()>().await;
        }
        to.write_all(&message).await.ok()?;
    }
}

async fn read(from: &mut OwnedReadHalf) -> Option<Vec<u8>> {
    let mut message = vec![0; HEADER];
    from.read_exact(&mut message).await.ok()?;
    let length = i32::from_le_bytes(message.get(..4)?.try_into().ok()?);
    message.resize(usize::try_from(length).ok()?, 0);
    from.read_exact(message.get_mut(HEADER..)?).await.ok()?;
    Some(message)
}
