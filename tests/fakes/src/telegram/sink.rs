//! A Bot API that takes everything and keeps nothing, for benchmarks: so cheap that what is measured is the caller.

use std::{io, net::SocketAddr, sync::Arc};

use serde_json::Value;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};

use super::{DATE, Shared, methods::me};

/// Far more than any call of ours has.
const LARGEST_CALL: usize = 64 * 1024;

/// Serves on a free port of this machine, until the returned task is aborted.
pub async fn serve(shared: Arc<Shared>) -> io::Result<(SocketAddr, JoinHandle<()>)> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
    let address = listener.local_addr()?;
    let server = tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let shared = Arc::clone(&shared);
            // A caller who hangs up, or says what is no call, is not served any more.
            tokio::spawn(async move { converse(stream, &shared).await.unwrap_or_default() });
        }
    });
    Ok((address, server))
}

async fn converse(mut stream: TcpStream, shared: &Shared) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut input = Vec::with_capacity(LARGEST_CALL);
    let mut output = Vec::new();
    loop {
        let (method, length) = loop {
            if let Some(call) = whole_call(&input) {
                break call;
            }
            if input.len() >= LARGEST_CALL || stream.read_buf(&mut input).await? == 0 {
                return Ok(());
            }
        };
        answer(shared, method, &mut output);
        input.drain(..length);
        stream.write_all(&output).await?;
    }
}

/// The method of the first call in what has arrived, and how long the call is; `None` until it is there whole.
fn whole_call(input: &[u8]) -> Option<(Method, usize)> {
    let head = input.windows(4).position(|four| four == b"\r\n\r\n")? + 4;
    let text = std::str::from_utf8(&input[..head]).ok()?;
    let mut lines = text.split("\r\n");
    let path = lines.next()?.split(' ').nth(1)?;
    let length = lines.find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
    });
    let whole = head + length.unwrap_or_default();
    (input.len() >= whole).then(|| (Method::of(path.rsplit('/').next().unwrap_or_default()), whole))
}

/// A method that is called often, or any other.
#[derive(Clone, Copy)]
enum Method {
    GetMe,
    /// Answered with a message.
    Message(&'static str),
    /// Answered with `true`.
    Other(&'static str),
}

impl Method {
    fn of(name: &str) -> Self {
        let is = |known: &&&str| name.eq_ignore_ascii_case(known);
        if name.eq_ignore_ascii_case("getme") {
            return Self::GetMe;
        }
        match ["sendmessage", "senddocument", "editmessagereplymarkup"].iter().find(is) {
            Some(known) => Self::Message(known),
            None if name.eq_ignore_ascii_case("answercallbackquery") => Self::Other("answercallbackquery"),
            None => Self::Other("other"),
        }
    }
}

fn answer(shared: &Shared, method: Method, output: &mut Vec<u8>) {
    let (name, result) = match method {
        Method::GetMe => ("getme", me()),
        Method::Message(name) => (name, Value::Null),
        Method::Other(name) => (name, Value::Bool(true)),
    };
    let id = {
        let mut state = shared.state();
        match state.calls.get_mut(name) {
            Some(calls) => *calls += 1,
            None => drop(state.calls.insert(name.to_owned(), 1)),
        }
        state.next_message()
    };
    let body = match result {
        Value::Null => {
            format!(r#"{{"ok":true,"result":{{"message_id":{id},"date":{DATE},"chat":{{"id":1,"type":"private"}}}}}}"#)
        }
        result => format!(r#"{{"ok":true,"result":{result}}}"#),
    };
    output.clear();
    output.extend_from_slice(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ");
    output.extend_from_slice(body.len().to_string().as_bytes());
    output.extend_from_slice(b"\r\n\r\n");
    output.extend_from_slice(body.as_bytes());
}
