//! `convive demo`

use std::{
    io::IsTerminal,
    net::SocketAddr,
    os::unix::fs::DirBuilderExt,
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::Context as _;
use bots::console::ConsoleChannel;
use domain::address::Channel;
use tokio::{io::BufReader, sync::oneshot};

use super::{CliError, Global, Streams, admin_link, serve};
use crate::{
    chat::{Chat, ChatClock, ChatOptions},
    demo, metrics,
    program::{Program, Roles, Surroundings},
    settings::{DEFAULT_FILE, Settings, StoreUrl},
    wiring,
};

/// Others on this machine have no business in a temporary folder.
const OWNER_ONLY: u32 = 0o700;

/// Runs the whole program on the embedded store with a sample event, and starts a chat on a terminal.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Address and port to listen on; port 0 takes any free one
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:0")]
    pub listen: SocketAddr,
    /// Folder that keeps the data [default: a temporary one]
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// Print the address and the codes as JSON first
    #[arg(long)]
    pub json: bool,
}

/// Runs the demo until it is interrupted, or until its chat ends.
///
/// # Errors
/// When it cannot start.
pub async fn run(
    args: Args,
    global: &Global,
    env: Vec<(String, String)>,
    streams: &mut Streams<'_>,
) -> Result<(), CliError> {
    crate::telemetry::start("warn");
    let folder = Folder::open(args.dir.as_deref())?;
    let mut settings = settings(&folder, global, env)?;
    settings.store = StoreUrl::Sqlite(folder.path().join("convive.db"));
    settings.auth.key_dir = folder.path().join("keys");
    let console = ConsoleChannel::default();
    let around = Surroundings {
        demo: Some(console.clone()),
        ..Surroundings::real(wiring::open_store(&settings.store).await?, metrics::install()?)
    };
    let program = Program::build(&settings, Roles::ALL, around).await?;
    let sample = demo::prepare(&program.app).await?;
    let listener = serve::listen(args.listen).await?;
    let url = format!("http://{}", listener.local_addr()?);
    let host = admin_link::first_host(&program.app, &sample.event).await?;
    let link = program.app.make_host_link(host.id).await.map_err(anyhow::Error::from)?;
    demo::introduce(&sample, &url, &format!("{url}{link}"), args.json, streams.out)?;
    serve::announce(&listener, true, streams)?;

    let store = Arc::clone(&program.app.store);
    let (end, ended) = oneshot::channel::<()>();
    let until = async {
        tokio::select! {
            () = serve::interrupted() => {}
            _ = ended => {}
        }
    };
    let running = tokio::spawn(program.run(Roles::ALL, listener, until));
    if !args.json && std::io::stdin().is_terminal() {
        writeln!(
            streams.err,
            "\nYou are a guest in Telegram now. Send a code and a last name; Ctrl-D ends the demo.\n"
        )?;
        let options = ChatOptions { imitates: Channel::Telegram, id: "me".to_owned(), json: false };
        let chat = Chat::new(store, ChatClock::new(None), wiring::policy(&settings), options)?.beside_pages(console);
        tokio::select! {
            done = chat.run(BufReader::new(tokio::io::stdin()), streams.out, streams.err) => done?,
            () = serve::interrupted() => {}
        }
        // It may have been interrupted already.
        let _ = end.send(());
        return Ok(running.await.context("the program stopped")??);
    }
    if !args.json {
        let store = folder.path().join("convive.db");
        writeln!(
            streams.err,
            "\nStandard input is no terminal, so there is no chat here. From a terminal of its own it is:\n  \
             CONVIVE__STORE__URL=sqlite:{} convive chat\n",
            store.display()
        )?;
    }
    // Kept until the end: dropping it would end the program.
    let running = running.await.context("the program stopped")?;
    drop(end);
    Ok(running?)
}

/// Settings of a demo come from the environment, from `--config`, or from the demo's own folder: never from the file
/// of a real event that happens to be in this folder.
fn settings(folder: &Folder, global: &Global, env: Vec<(String, String)>) -> Result<Settings, CliError> {
    let own = folder.path().join(DEFAULT_FILE);
    let file = match &global.config {
        Some(file) => file.clone(),
        None => {
            if !own.exists() {
                std::fs::write(&own, "# Settings of this demo.\n").context("the demo's folder cannot be written to")?;
            }
            own
        }
    };
    Ok(Settings::load(Some(&file), env.into_iter())?)
}

/// Where the demo keeps its data; a temporary folder goes with the demo.
enum Folder {
    Given(PathBuf),
    Temporary(PathBuf),
}

impl Folder {
    fn open(given: Option<&Path>) -> anyhow::Result<Self> {
        if let Some(path) = given {
            std::fs::create_dir_all(path).with_context(|| format!("--dir: cannot make {}", path.display()))?;
            return Ok(Self::Given(path.to_owned()));
        }
        let mut bytes = [0; 8];
        app::Clock::random(&app::SystemClock, &mut bytes);
        let path = std::env::temp_dir().join(format!("convive-demo-{:016x}", u64::from_be_bytes(bytes)));
        std::fs::DirBuilder::new()
            .mode(OWNER_ONLY)
            .create(&path)
            .with_context(|| format!("cannot make {}: choose a folder with --dir", path.display()))?;
        Ok(Self::Temporary(path))
    }

    fn path(&self) -> &Path {
        match self {
            Self::Given(path) | Self::Temporary(path) => path,
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if let Self::Temporary(path) = self {
            // What cannot be removed is the system's to tidy up.
            let _ = std::fs::remove_dir_all(path);
        }
    }
}
