//! A server that says what a test wants: for what a real one cannot be made to say.

use std::{net::SocketAddr, sync::Arc};

use mongodb::bson::{Document, doc};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};

const OP_MSG: i32 = 2013;
const HEADER: usize = 16;

/// Its answer to a command, by the command's name; `None`: what a healthy member of a replica set says to a greeting.
type Answers = dyn Fn(&str) -> Option<Document> + Send + Sync;

/// A server with fixed answers; gone when it is dropped.
#[derive(Debug)]
pub struct Puppet {
    address: SocketAddr,
    serving: JoinHandle<()>,
}

impl Puppet {
    /// Starts it.
    ///
    /// # Panics
    /// Without a free port.
    pub async fn start(answers: impl Fn(&str) -> Option<Document> + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("its number");
        let answers: Arc<Answers> = Arc::new(answers);
        let serving = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let answers = Arc::clone(&answers);
                // A connection ends when the driver closes it.
                tokio::spawn(async move { serve(stream, address, answers.as_ref()).await });
            }
        });
        Self { address, serving }
    }

    /// `host:port`
    #[must_use]
    pub fn host(&self) -> String {
        self.address.to_string()
    }
}

impl Drop for Puppet {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

/// What a member that takes writes says to a greeting.
#[must_use]
pub fn greeting() -> Document {
    doc! {
        "helloOk": true, "ismaster": true, "isWritablePrimary": true, "maxBsonObjectSize": 16_777_216,
        "maxMessageSizeBytes": 48_000_000, "maxWriteBatchSize": 100_000, "logicalSessionTimeoutMinutes": 30,
        "minWireVersion": 0, "maxWireVersion": 21, "ok": 1.0,
    }
}

async fn serve(mut stream: TcpStream, address: SocketAddr, answers: &Answers) -> Option<()> {
    loop {
        let mut header = [0; HEADER];
        stream.read_exact(&mut header).await.ok()?;
        let number = |at: usize| Some(i32::from_le_bytes(header.get(at..at + 4)?.try_into().ok()?));
        let (length, request, kind) = (usize::try_from(number(0)?).ok()?, number(4)?, number(12)?);
        assert_eq!(kind, OP_MSG, "the driver speaks another protocol");
        let mut body = vec![0; length.checked_sub(HEADER)?];
        stream.read_exact(&mut body).await.ok()?;
        // Flags, the kind of the section, the command.
        let command = Document::from_reader(body.get(5..)?).ok()?;
        let name = command.keys().next()?.clone();
        let answer = answers(&name).unwrap_or_else(|| {
            let mut greeting = greeting();
            greeting.extend(doc! { "setName": "rs0", "me": address.to_string(), "hosts": [address.to_string()] });
            greeting
        });
        stream.write_all(&message(request, &answer)?).await.ok()?;
    }
}

fn message(request: i32, answer: &Document) -> Option<Vec<u8>> {
    let document = answer.to_vec().ok()?;
    let length = i32::try_from(HEADER + 5 + document.len()).ok()?;
    let mut message = Vec::new();
    for number in [length, 0, request, OP_MSG, 0] {
        message.extend(number.to_le_bytes());
    }
    message.push(0);
    message.extend(document);
    Some(message)
}
