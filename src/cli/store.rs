//! `convive store ...`: moving and keeping data.

use std::{path::PathBuf, process::ExitCode};

use app::{Adopted, command_line};
use secrecy::{ExposeSecret, SecretString};
use store::{
    StoreError,
    archive::{self, CopyError, Progress},
    mongo::Published,
    sqlite::SqliteStore,
};

use super::{CliError, Global, Session, Streams};
use crate::{
    settings::{Settings, StoreUrl},
    wiring,
};

/// Records between two lines of progress.
const TELL_EVERY: u64 = 5_000;

/// Moving and keeping data.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    /// Copy everything to an empty store, and compare the two in the end; stop every Convive first
    Copy {
        /// Where it is now, such as sqlite:convive.db
        #[arg(value_name = "FROM")]
        from: SecretString,
        /// An empty store, such as mongodb://HOST/convive?replicaSet=rs0
        #[arg(value_name = "TO")]
        to: SecretString,
    },
    /// Bring the guests of the published web application over into an event that has none; the source is only read
    Adopt {
        /// Its MongoDB database, such as mongodb://HOST/DATABASE
        #[arg(value_name = "URL")]
        url: SecretString,
        /// Only tell what it would do
        #[arg(long)]
        dry_run: bool,
    },
    /// Copy the store of the settings into a new file, while it is in use
    Backup {
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
}

pub(super) async fn run(
    command: Command,
    global: &Global,
    env: Vec<(String, String)>,
    streams: &mut Streams<'_>,
) -> Result<ExitCode, CliError> {
    match command {
        Command::Copy { from, to } => copy(&from, &to, streams).await?,
        Command::Adopt { url, dry_run } => adopt(&url, dry_run, &Session::open(global, env).await?, streams).await?,
        Command::Backup { file } => back_up(&file, &Session::settings(global, env)?, streams)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn place(name: &str, text: &SecretString) -> Result<StoreUrl, CliError> {
    StoreUrl::parse(text.expose_secret()).map_err(|why| CliError::Usage(format!("{name}: {why}")))
}

async fn copy(from: &SecretString, to: &SecretString, streams: &mut Streams<'_>) -> Result<(), CliError> {
    let (from, to) = (place("FROM", from)?, place("TO", to)?);
    if let StoreUrl::Sqlite(path) = &from
        && !path.exists()
    {
        return Err(CliError::Usage(format!("FROM: there is no file {}", path.display())));
    }
    let (source, target) = (wiring::open_archive(&from).await?, wiring::open_archive(&to).await?);
    let mut told = Ok(());
    let mut tell = |progress: Progress| {
        let line = match progress {
            Progress::Copied { kind, done, of } if done == of || done.is_multiple_of(TELL_EVERY) => {
                format!("{}: {done} of {of}", kind.as_str())
            }
            Progress::Copied { .. } => return,
            Progress::Compared { kind, count } => format!("{}: {count} compared, alike", kind.as_str()),
        };
        // A reader who has gone does not end the copying.
        told = writeln!(streams.err, "{line}");
    };
    archive::copy(source.as_ref(), target.as_ref(), &mut tell).await?;
    told?;
    writeln!(streams.out, "copied to {}", to.shown())?;
    Ok(())
}

async fn adopt(
    url: &SecretString,
    dry_run: bool,
    session: &Session,
    streams: &mut Streams<'_>,
) -> Result<(), CliError> {
    let event = session.event().await?.id;
    let published = Published::read(url.expose_secret()).await.map_err(of_the_source)?;
    let deadline = published.rsvp_deadline.as_deref();
    let adopted = if dry_run {
        session.app.plan_adoption(&event, &published.guests, deadline).await?
    } else {
        session.app.adopt(&event, &published.guests, deadline, &command_line()).await?
    };
    tell_adopted(&published, &adopted, dry_run, streams)
}

/// The store's errors speak of `store.url`, which is not meant here.
fn of_the_source(error: StoreError) -> CliError {
    let told = |text: String| text.replace("store.url", "URL");
    match error {
        StoreError::Unusable(why) => CliError::Usage(told(why)),
        error => CliError::Failed(anyhow::anyhow!(told(error.to_string()))),
    }
}

fn tell_adopted(
    published: &Published,
    adopted: &Adopted,
    dry_run: bool,
    streams: &mut Streams<'_>,
) -> Result<(), CliError> {
    let would = if dry_run { "would adopt" } else { "adopted" };
    let coming: u32 = adopted.guests.iter().map(|guest| guest.num_guests).sum();
    let event = &adopted.event;
    writeln!(streams.out, "{would} {} guests into {}, {coming} people coming", adopted.guests.len(), event.id)?;
    match &published.rsvp_deadline {
        Some(date) => writeln!(streams.out, "deadline: the end of {date} in {}", event.time_zone.name())?,
        None => writeln!(streams.err, "no deadline is set there; that of the event stays")?,
    }
    let theirs = |text: &Option<String>| text.clone().unwrap_or_else(|| "nothing".to_owned());
    if published.event_name.is_some() || published.event_date.is_some() {
        let (name, date) = (theirs(&published.event_name), theirs(&published.event_date));
        writeln!(streams.err, "there the event is called {name}, on {date}; name and date of {} stay", event.id)?;
    }
    if dry_run {
        writeln!(streams.err, "nothing was changed")?;
    }
    Ok(())
}

fn back_up(file: &std::path::Path, settings: &Settings, streams: &mut Streams<'_>) -> Result<(), CliError> {
    let StoreUrl::Sqlite(path) = &settings.store else {
        return Err(CliError::Usage(
            "store backup copies an SQLite file. For MongoDB use its own tools: `mongodump --uri ... --archive=FILE`, \
             or the snapshots of your managed service; `convive store copy` makes an SQLite file of it while no Convive runs"
                .to_owned(),
        ));
    };
    if !path.exists() {
        return Err(CliError::Failed(anyhow::anyhow!("there is no file {} yet: nothing to back up", path.display())));
    }
    SqliteStore::back_up(path, file)?;
    writeln!(streams.out, "backed up to {}", file.display())?;
    Ok(())
}

impl From<CopyError> for CliError {
    fn from(error: CopyError) -> Self {
        match error {
            CopyError::Store(error) => error.into(),
            error => Self::Failed(error.into()),
        }
    }
}
