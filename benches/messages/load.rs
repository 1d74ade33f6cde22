//! The people who write: so many connections that stay open, each saying the next thing of a random chat as soon as
//! the one before is answered. As at Telegram, a chat has at most one message on its way.
//!
//! Written by hand over TCP and on one thread, so that it takes little of the machine that it measures.

use std::{
    cell::{Cell, RefCell},
    io::Write as _,
    net::SocketAddr,
    rc::Rc,
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::{Context as _, bail, ensure};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    task::{JoinSet, LocalSet},
};

use crate::{
    guests::Random,
    population::Chat,
    report::Progress,
    script::{Said, Script, with_name},
    server,
};

/// Connections, all busy all the time.
pub const CONNECTIONS: usize = 64;
const FIRST_UPDATE: u64 = 870_000_000;

/// What came of a load.
#[derive(Debug, Clone)]
pub struct Outcome {
    pub messages: u64,
    /// Until the last one was answered.
    pub elapsed: Duration,
    /// Messages of the bot that answer them.
    pub replies: u64,
    pub median_latency: Duration,
    /// Of a hundred messages, one took longer.
    pub p99_latency: Duration,
}

impl Outcome {
    pub fn rate(&self) -> f64 {
        self.messages as f64 / self.elapsed.as_secs_f64()
    }
}

/// The people in the chats of one store.
pub struct People(Rc<Talk>);

struct Talk {
    script: Arc<Script>,
    chats: RefCell<Vec<Chat>>,
    busy: Vec<Cell<bool>>,
    random: RefCell<Random>,
    updates: Cell<u64>,
    /// Messages still to be said.
    left: Cell<u64>,
    replies: Cell<u64>,
    latencies: RefCell<Vec<Duration>>,
    progress: RefCell<Progress>,
}

impl People {
    pub fn new(script: &Arc<Script>, chats: Vec<Chat>) -> Self {
        Self(Rc::new(Talk {
            script: Arc::clone(script),
            busy: chats.iter().map(|_| Cell::new(false)).collect(),
            chats: RefCell::new(chats),
            random: RefCell::new(Random::new(0xBE11)),
            updates: Cell::new(0),
            left: Cell::new(0),
            replies: Cell::new(0),
            latencies: RefCell::default(),
            progress: RefCell::new(Progress::start("", 0)),
        }))
    }

    /// Says so many things and waits for the answers. Each answer must be 200.
    pub fn speak(&mut self, what: &str, to: SocketAddr, messages: u64) -> anyhow::Result<Outcome> {
        let talk = &self.0;
        talk.left.set(messages);
        talk.replies.set(0);
        talk.latencies.borrow_mut().clear();
        talk.progress.replace(Progress::start(what, messages));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let began = Instant::now();
        LocalSet::new().block_on(&runtime, async {
            let mut connections = JoinSet::new();
            for _ in 0..CONNECTIONS {
                connections.spawn_local(Rc::clone(talk).speak(to));
            }
            while let Some(ended) = connections.join_next().await {
                ended.context("a connection was abandoned")??;
            }
            anyhow::Ok(())
        })?;
        let elapsed = began.elapsed();
        let mut latencies = talk.latencies.take();
        latencies.sort_unstable();
        let of_a_hundred = |place: usize| latencies.get(latencies.len() * place / 100).copied().unwrap_or_default();
        Ok(Outcome {
            messages,
            elapsed,
            replies: talk.replies.get(),
            median_latency: of_a_hundred(50),
            p99_latency: of_a_hundred(99),
        })
    }
}

impl Talk {
    /// One connection.
    async fn speak(self: Rc<Self>, to: SocketAddr) -> anyhow::Result<()> {
        let mut stream = TcpStream::connect(to).await?;
        stream.set_nodelay(true)?;
        let mut request = Vec::with_capacity(2048);
        let mut body = Vec::with_capacity(2048);
        while let Some(chat) = self.next_chat() {
            self.write_request(chat, &mut request, &mut body)?;
            let began = Instant::now();
            stream.write_all(&request).await?;
            read_ok(&mut stream).await?;
            self.latencies.borrow_mut().push(began.elapsed());
            self.busy[chat].set(false);
        }
        Ok(())
    }

    /// A random chat that waits for no answer; it is busy from now on.
    fn next_chat(&self) -> Option<usize> {
        let left = self.left.get().checked_sub(1)?;
        self.left.set(left);
        let done = self.latencies.borrow().len() as u64;
        if done.is_multiple_of(256) {
            self.progress.borrow_mut().at(done);
        }
        let mut random = self.random.borrow_mut();
        loop {
            let chat = random.below(self.busy.len());
            if !self.busy[chat].replace(true) {
                return Some(chat);
            }
        }
    }

    /// The update with what is said next in a chat, and the request that carries it.
    fn write_request(&self, chat: usize, request: &mut Vec<u8>, body: &mut Vec<u8>) -> anyhow::Result<()> {
        let mut chats = self.chats.borrow_mut();
        let chat = &mut chats[chat];
        let round = self.script.round(chat.shape);
        let line = round[chat.said % round.len()];
        let number = self.updates.get();
        self.updates.set(number + 1);
        body.clear();
        write_update(body, FIRST_UPDATE + number, chat, line.said)?;
        request.clear();
        write!(
            request,
            "POST /webhooks/telegram HTTP/1.1\r\nHost: rsvp.example.org\r\nContent-Type: application/json\r\n\
             X-Telegram-Bot-Api-Secret-Token: {}\r\nAccept-Encoding: gzip, deflate\r\nContent-Length: {}\r\n\r\n",
            server::SECRET,
            body.len()
        )?;
        request.extend_from_slice(body);
        chat.said += 1;
        chat.asked += line.asks;
        self.replies.set(self.replies.get() + line.replies);
        Ok(())
    }
}

/// With the fields that Telegram sends.
fn write_update(body: &mut Vec<u8>, update: u64, chat: &Chat, said: Said) -> std::io::Result<()> {
    let user = chat.user;
    let from = r#""is_bot":false,"first_name":"Guest","last_name":"Example","language_code":"en""#;
    let place = r#""first_name":"Guest","last_name":"Example","type":"private""#;
    match said {
        Said::Text(text) => {
            let text = with_name(text, &chat.second);
            write!(
                body,
                r#"{{"update_id":{update},"message":{{"message_id":{update},"from":{{"id":{user},{from}}},"chat":{{"id":{user},{place}}},"date":1780000000,"text":"{text}"}}}}"#
            )
        }
        Said::Press(token) => {
            let asked = chat.asked;
            write!(
                body,
                r#"{{"update_id":{update},"callback_query":{{"id":"{update}{user}","from":{{"id":{user},{from}}},"message":{{"message_id":1234,"from":{{"id":7000000001,"is_bot":true,"first_name":"Convive","username":"convive_test_bot"}},"chat":{{"id":{user},{place}}},"date":1780000000,"text":"How many of the 4 of you are coming?","reply_markup":{{"inline_keyboard":[[{{"text":"All 4","callback_data":"{asked}.all"}}],[{{"text":"None of us","callback_data":"{asked}.none"}}]]}}}},"chat_instance":"{user}","data":"{asked}.{token}"}}}}"#
            )
        }
    }
}

/// Reads an answer that has no body.
async fn read_ok(stream: &mut TcpStream) -> anyhow::Result<()> {
    let mut buffer = [0; 1024];
    let mut filled = 0;
    loop {
        let read = stream.read(&mut buffer[filled..]).await?;
        ensure!(read > 0, "the server closed a connection");
        filled += read;
        let answer = &buffer[..filled];
        if answer.ends_with(b"\r\n\r\n") {
            let head = std::str::from_utf8(answer)?;
            ensure!(head.starts_with("HTTP/1.1 200 "), "a message was answered with {:?}", head.lines().next());
            ensure!(head.to_ascii_lowercase().contains("content-length: 0"), "an answer has a body");
            return Ok(());
        }
        if filled == buffer.len() {
            bail!("an answer is too long");
        }
    }
}
