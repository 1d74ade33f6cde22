//! A port that refuses connections until it is opened, in front of a fake.

use std::net::SocketAddr;

use tokio::{
    io::copy_bidirectional,
    net::{TcpSocket, TcpStream},
    task::{JoinHandle, JoinSet},
};

/// Reserved for as long as this lives; whoever connects while it is closed is refused.
pub struct Gate {
    /// Bound and never listening: nobody else gets the port meanwhile.
    reserved: TcpSocket,
    open: Option<JoinHandle<()>>,
}

impl Gate {
    /// A closed gate.
    pub fn closed() -> Self {
        let reserved = TcpSocket::new_v4().unwrap();
        reserved.set_reuseport(true).unwrap();
        reserved.bind("127.0.0.1:0".parse().unwrap()).unwrap();
        Self { reserved, open: None }
    }

    pub fn address(&self) -> SocketAddr {
        self.reserved.local_addr().unwrap()
    }

    /// Lets everybody through to `target`, from now on.
    pub fn open(&mut self, target: SocketAddr) {
        let door = TcpSocket::new_v4().unwrap();
        door.set_reuseport(true).unwrap();
        door.bind(self.address()).unwrap();
        let listener = door.listen(64).unwrap();
        self.open = Some(tokio::spawn(async move {
            // Connections end with the gate.
            let mut connections = JoinSet::new();
            while let Ok((mut from, _)) = listener.accept().await {
                connections.spawn(async move {
                    let mut to = TcpStream::connect(target).await?;
                    copy_bidirectional(&mut from, &mut to).await
                });
            }
        }));
    }
}

impl Drop for Gate {
    fn drop(&mut self) {
        if let Some(open) = self.open.take() {
            open.abort();
        }
    }
}
