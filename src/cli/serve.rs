//! `convive serve`

use std::io::{ErrorKind, IsTerminal};

use clap::ValueEnum;
use tokio::{
    net::TcpListener,
    signal::unix::{SignalKind, signal},
};

use super::{CliError, Streams, error::FIRST_EVENT};
use crate::{
    metrics,
    program::{Program, Roles, Surroundings},
    settings::Settings,
    wiring,
};

/// Runs the program until it is interrupted.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Which parts this process runs [default: all]
    #[arg(long, value_name = "ROLES", value_delimiter = ',')]
    pub roles: Vec<Role>,
}

/// A part of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Role {
    /// Polls Telegram and delivers messages
    Bots,
    /// Takes in what Telegram and Twilio send
    Webhooks,
    /// Reminders, digests and keeping house
    Reminders,
    /// Pages and the JSON API
    Web,
}

/// Runs the program until it is interrupted.
///
/// # Errors
/// When it cannot start.
pub async fn run(args: Args, settings: Settings, streams: &mut Streams<'_>) -> Result<(), CliError> {
    crate::telemetry::start("info");
    let roles = roles(&args.roles);
    let around = Surroundings::real(wiring::open_store(&settings.store).await?, metrics::install()?);
    let program = Program::build(&settings, roles, around).await.map_err(CliError::of_settings)?;
    tell_what_is_missing(&settings, &program, streams).await?;
    let listener = listen(settings.http.listen).await?;
    announce(&listener, std::io::stdout().is_terminal(), streams)?;
    program.run(roles, listener, interrupted()).await?;
    Ok(())
}

/// A program that nobody can write to runs all the same; whoever started it should know.
async fn tell_what_is_missing(
    settings: &Settings,
    program: &Program,
    streams: &mut Streams<'_>,
) -> Result<(), CliError> {
    if settings.telegram.is_none() && settings.twilio.is_none() {
        writeln!(
            streams.err,
            "there is no channel yet, so guests can answer on the web alone: set telegram.token, or the twilio settings; \
             convive check says more, and convive chat works without"
        )?;
    }
    // A store that does not answer is told of by others.
    if program.app.store.events().await.is_ok_and(|events| events.is_empty()) {
        writeln!(streams.err, "there is no event yet. {FIRST_EVENT}")?;
    }
    Ok(())
}

fn roles(named: &[Role]) -> Roles {
    let runs = |role| named.is_empty() || named.contains(&role);
    Roles {
        bots: runs(Role::Bots),
        webhooks: runs(Role::Webhooks),
        reminders: runs(Role::Reminders),
        web: runs(Role::Web),
    }
}

pub(super) async fn listen(address: std::net::SocketAddr) -> Result<TcpListener, CliError> {
    TcpListener::bind(address).await.map_err(|error| {
        let remedy = match error.kind() {
            ErrorKind::AddrInUse => "another program is using it; end that one, or choose another port",
            ErrorKind::AddrNotAvailable => "this machine has no such address; 127.0.0.1 and 0.0.0.0 always work",
            ErrorKind::PermissionDenied => "ports below 1024 are for the system; choose a higher one",
            _ => "choose another",
        };
        CliError::Usage(format!("http.listen: cannot listen on {address} ({error}): {remedy}"))
    })
}

/// Says that the program is ready. Scripts wait for this line in whichever stream they read.
pub(super) fn announce(
    listener: &TcpListener,
    quiet_output: bool,
    streams: &mut Streams<'_>,
) -> anyhow::Result<String> {
    let url = format!("http://{}", listener.local_addr()?);
    writeln!(streams.err, "listening on {url}")?;
    streams.err.flush()?;
    if !quiet_output {
        writeln!(streams.out, "listening on {url}")?;
        streams.out.flush()?;
    }
    Ok(url)
}

/// Ends at Ctrl-C or when the system asks the program to stop.
pub(super) async fn interrupted() {
    let Ok(mut terminate) = signal(SignalKind::terminate()) else {
        // Ctrl-C alone then.
        let _ = tokio::signal::ctrl_c().await;
        return;
    };
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        _ = terminate.recv() => {}
    }
    tracing::info!("stopping: what has begun is finished first");
}
