//! The command line.
//!
//! Data goes to standard output, messages to standard error. Exit codes: 0 done, 1 refused or failed, 2 wrong usage
//! or settings. Commands write to [`Streams`], so that tests can read what they say.

mod admin_link;
pub mod chat;
mod check;
pub mod demo;
mod error;
mod event;
mod guests;
mod import;
mod keys;
mod output;
mod reminders;
pub mod serve;
mod session;
mod store;
mod table;

use std::{ffi::OsString, io::Write, path::PathBuf, process::ExitCode};

use clap::{Parser, Subcommand, error::ErrorKind};

pub use error::CliError;
pub use session::Session;

/// Where a command writes.
pub struct Streams<'a> {
    /// Data.
    pub out: &'a mut (dyn Write + Send),
    /// Messages.
    pub err: &'a mut (dyn Write + Send),
}

/// Lets the guests of a party answer their invitation in the chat app they already have.
#[derive(Debug, Parser)]
#[command(name = "convive", version, after_long_help = AFTER_HELP)]
pub struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

/// What every command takes.
#[derive(Debug, clap::Args)]
pub struct Global {
    /// Settings file [default: ./convive.toml if there is one]
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// The event; needed only when there are several
    #[arg(long, global = true, value_name = "ID")]
    pub event: Option<String>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Try the whole program on a sample event; needs no account anywhere
    ///
    /// On a terminal it starts a chat. Where standard input is no terminal it reads nothing, and runs until it is
    /// interrupted.
    Demo(demo::Args),
    /// Run the program: bots, webhooks, reminders, web
    Serve(serve::Args),
    /// Talk to the bot on the terminal, as a guest would
    ///
    /// It shows what is due to anybody who talks on a terminal, so that one chat can show what a family is told; of two
    /// chats on one store at the same moment each may show what is for the other.
    Chat(chat::Args),
    /// The guest list: import, export, add, list, codes, erase
    #[command(subcommand)]
    Guests(guests::Command),
    /// The event: set, show, list
    #[command(subcommand)]
    Event(event::Command),
    /// The data: copy, adopt, backup
    #[command(subcommand)]
    Store(store::Command),
    /// The keys that tokens are signed with: rotate
    #[command(subcommand)]
    Keys(keys::Command),
    /// Reminders: preview
    #[command(subcommand)]
    Reminders(reminders::Command),
    /// Print a link that opens the hosts' view once
    AdminLink(admin_link::Args),
    /// Tell what works (settings, store, Telegram, SMS) and what to do about the rest
    Check,
}

const AFTER_HELP: &str = "\
The commands in full:
  convive demo [--listen ADDR] [--dir DIR] [--json]
  convive serve [--roles bots,webhooks,reminders,web]
  convive chat [--channel telegram|sms] [--as ID] [--json] [--now TIME]
  convive guests import FILE [--dry-run] [--json]
  convive guests export [FILE]
  convive guests add --first NAME --last NAME [--code CODE] [--group GROUP] [--expected N]
                     [--phone NUMBER] [--language TAG] [--admin] [--json]
  convive guests add --code CODE ...   (changes the guest who has this code)
  convive guests list [--json]
  convive guests codes [--json]
  convive guests erase CODE
  convive event set KEY=VALUE ...      (`convive event set --help` lists the keys)
  convive event show [--json]
  convive event list [--json]
  convive store copy FROM TO           (between SQLite and MongoDB; TO must be empty)
  convive store adopt URL [--dry-run]  (guests of the published web application)
  convive store backup FILE            (while the program runs)
  convive keys rotate
  convive reminders preview [--until TIME] [--json]
  convive admin-link [--as CODE]
  convive check

A first event:
  convive event set name=\"Harbour Supper\" starts_at=2027-06-19T18:00 time_zone=Europe/London
  convive guests import guests.csv

Guest files are CSV. Their first line names the columns, in any order:
  code, first_name, last_name, group, expected, phone, language, admin, notes
Only last_name is needed. A blank cell keeps what is stored, - clears it; guests who are not in
the file stay. A file with any bad line changes nothing.

Settings: a TOML file (config/convive.example.toml names them all), overridden by environment
variables such as CONVIVE__HTTP__LISTEN; a secret can be given as a file by adding _FILE, such as
CONVIVE__TELEGRAM__TOKEN_FILE.

Data goes to standard output, messages to standard error.
Exit codes: 0 done, 1 refused or failed, 2 wrong usage or settings.";

/// Carries out one command line. `env` is the environment; `args` begins with the program's name.
pub fn run(
    args: impl IntoIterator<Item = OsString>,
    env: impl Iterator<Item = (String, String)>,
    streams: &mut Streams<'_>,
) -> ExitCode {
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(error) => return explain(&error, streams),
    };
    let done = dispatch(cli, env.collect(), streams);
    let done = done.and_then(|code| Ok(streams.out.flush().map(|()| code)?));
    match done {
        Ok(code) => code,
        // Whoever read our output has enough of it (`convive guests list | head`).
        Err(error) if error.is_broken_pipe() => ExitCode::SUCCESS,
        Err(error) => {
            // Nowhere is left to say it if standard error fails.
            let _ = writeln!(streams.err, "{error}");
            ExitCode::from(error.exit_code())
        }
    }
}

/// Help and version are what was asked for; anything else is wrong usage.
fn explain(error: &clap::Error, streams: &mut Streams<'_>) -> ExitCode {
    let text = error.render();
    let is_answer = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
    let stream: &mut dyn Write = if is_answer { streams.out } else { streams.err };
    // Nowhere is left to say that this failed.
    let _ = write!(stream, "{text}").and_then(|()| stream.flush());
    if is_answer { ExitCode::SUCCESS } else { ExitCode::from(error::WRONG_USAGE) }
}

fn dispatch(cli: Cli, env: Vec<(String, String)>, streams: &mut Streams<'_>) -> Result<ExitCode, CliError> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let Cli { global, command } = cli;
    let done = runtime.block_on(async {
        match command {
            Command::Demo(args) => demo::run(args, &global, env, streams).await?,
            Command::Serve(args) => serve::run(args, Session::settings(&global, env)?, streams).await?,
            Command::Chat(args) => chat::run(args, Session::settings(&global, env)?, streams).await?,
            Command::Guests(command) => guests::run(command, &Session::open(&global, env).await?, streams).await?,
            Command::Event(command) => event::run(command, &Session::open(&global, env).await?, streams).await?,
            Command::Store(command) => return store::run(command, &global, env, streams).await,
            Command::Keys(command) => keys::run(command, &Session::settings(&global, env)?, streams)?,
            Command::Reminders(command) => {
                reminders::run(command, &Session::open(&global, env).await?, streams).await?;
            }
            Command::AdminLink(args) => admin_link::run(args, &Session::open(&global, env).await?, streams).await?,
            Command::Check => return check::run(&global, env, streams).await,
        }
        Ok(ExitCode::SUCCESS)
    });
    // A read of standard input cannot be called off: the end must not wait for another line.
    runtime.shutdown_background();
    done
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }
}
