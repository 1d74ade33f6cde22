//! `convive keys ...`

use app::{Clock, SystemClock};
use chrono::SecondsFormat;
use web::tokens::key_files;

use super::{CliError, Streams};
use crate::{keys, settings::Settings};

/// The keys that tokens are signed with.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    /// Make a new signing key; tokens signed with the old one stay valid until they expire
    Rotate,
}

pub(super) fn run(command: Command, settings: &Settings, streams: &mut Streams<'_>) -> Result<(), CliError> {
    match command {
        Command::Rotate => rotate(settings, streams),
    }
}

fn rotate(settings: &Settings, streams: &mut Streams<'_>) -> Result<(), CliError> {
    let auth = &settings.auth;
    if auth.private_key.is_some() {
        return Err(CliError::Failed(anyhow::anyhow!(
            "auth.private_key is set, so the key is yours to change: publish the old one's public part with auth.jwks \
             until its tokens have expired, then set the new one"
        )));
    }
    if auth.jwks.is_some() {
        return Err(CliError::Failed(anyhow::anyhow!(
            "auth.jwks is set and auth.private_key is not, so tokens are signed elsewhere: rotate the keys there"
        )));
    }
    let rotated =
        key_files::rotate(&auth.key_dir, keys::lifetimes(auth), SystemClock.now()).map_err(anyhow::Error::from)?;
    writeln!(streams.out, "{}", rotated.kid)?;
    let from = rotated.signs_from.to_rfc3339_opts(SecondsFormat::Secs, true);
    writeln!(
        streams.err,
        "the new key signs from {from} on; a running program takes it up by itself, and nobody is logged out"
    )?;
    for kid in rotated.removed {
        writeln!(streams.err, "removed {kid}: every token signed with it has expired")?;
    }
    Ok(())
}
