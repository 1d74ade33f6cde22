//! The program as it runs in earnest: it fetches, delivers and tells Telegram about itself without being moved.

use std::net::SocketAddr;

use convive::program::{Program, Roles};
use tokio::{net::TcpListener, sync::oneshot, task::JoinHandle};

use crate::{
    fixtures::{PUBLIC_URL, WEBHOOK_SECRET},
    world::{Setup, World},
};

/// Where it listens, how to end it, and its end.
struct Running {
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    ended: JoinHandle<anyhow::Result<()>>,
}

impl Running {
    async fn start(program: Program) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel();
        let until = async move {
            stopped.await.unwrap();
        };
        Self { address, stop, ended: tokio::spawn(program.run(Roles::ALL, listener, until)) }
    }

    async fn stop(self) {
        self.stop.send(()).unwrap();
        self.ended.await.unwrap().unwrap();
    }
}

#[tokio::test]
async fn a_bot_that_polls() {
    let settings = &[("CONVIVE__TELEGRAM__MODE", "polling")];
    let world = World::with(Setup { settings, ..Setup::default() }).await;
    let anna = world.telegram("anna");
    let running = Running::start(world.build().await).await;
    world.telegram.queue(world.telegram.text(anna.id(), "K7QF2M Holloway"));
    world.telegram.wait_for_messages(anna.id(), 2).await;
    anna.sees("Welcome").sees("How many");
    world.telegram.queue(world.telegram.press(anna.id(), "All 3"));
    world.telegram.wait_for_messages(anna.id(), 3).await;
    world.telegram.wait_for_calls("editMessageReplyMarkup", 1).await;
    anna.sees("dietary needs");
    world.telegram.wait_for_calls("setMyCommands", 1).await;
    assert!(world.telegram.commands("").iter().any(|(command, _)| command == "status"));
    running.stop().await;
    world.finish().await;
}

#[tokio::test]
async fn a_bot_that_is_called() {
    let world = World::new().await;
    let anna = world.telegram("anna");
    let running = Running::start(world.build().await).await;
    world.telegram.wait_for_calls("setMyCommands", 1).await;
    let webhook = world.telegram.webhook().unwrap();
    assert_eq!(webhook.url, format!("{PUBLIC_URL}/webhooks/telegram"));
    assert_eq!(webhook.secret_token.as_deref(), Some(WEBHOOK_SECRET));
    assert_eq!(webhook.allowed_updates, ["message", "edited_message", "callback_query", "my_chat_member"]);
    // What another program on the same store takes in is delivered, too.
    world.courier_rests();
    anna.says("K7QF2M Holloway").await;
    world.telegram.wait_for_messages(anna.id(), 2).await;
    anna.sees("Welcome").sees("How many");
    assert_eq!(world.process.get_from(running.address, "/readyz").await.status, 200);
    running.stop().await;
    world.finish().await;
}
