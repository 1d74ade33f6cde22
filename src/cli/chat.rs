//! `convive chat`

use std::{io::IsTerminal, net::TcpStream, time::Duration};

use clap::ValueEnum;
use domain::address::Channel;
use tokio::io::BufReader;

use super::{CliError, Streams};
use crate::{
    chat::{Chat, ChatClock, ChatOptions, parse_now},
    settings::{Http, Settings},
    wiring,
};

/// How long a program that serves the pages has to take a connection: it runs on this machine.
const ANSWERS_WITHIN: Duration = Duration::from_millis(200);

/// Talks to the bot on the terminal, through the same rules and on the same store as everybody else.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The channel to imitate
    #[arg(long, value_enum, default_value_t = Imitated::Telegram)]
    pub channel: Imitated,
    /// Who is talking: any word; each is a conversation of its own
    #[arg(long = "as", value_name = "ID", default_value = "me")]
    pub id: String,
    /// Read and write JSON, a line each
    #[arg(long)]
    pub json: bool,
    /// Let the clock stand still there: YYYY-MM-DD or RFC 3339
    #[arg(long, value_name = "TIME")]
    pub now: Option<String>,
}

/// A channel that the terminal can imitate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Imitated {
    Telegram,
    Sms,
}

/// What to type: an empty screen says nothing.
fn hint(channel: Imitated) -> String {
    let place = match channel {
        Imitated::Telegram => "in Telegram",
        Imitated::Sms => "who sends texts",
    };
    format!(
        "You are a guest {place} now. Send a code and a last name (`convive guests codes` lists them); Ctrl-D ends the \
         chat.\n"
    )
}

/// Chats until the input ends.
///
/// # Errors
/// When the store or the output fails.
pub async fn run(args: Args, settings: Settings, streams: &mut Streams<'_>) -> Result<(), CliError> {
    crate::telemetry::start("warn");
    let still_at = match &args.now {
        Some(now) => Some(parse_now(now).map_err(|error| CliError::Usage(format!("--now: {error}")))?),
        None => None,
    };
    let imitates = match args.channel {
        Imitated::Telegram => Channel::Telegram,
        Imitated::Sms => Channel::Sms,
    };
    let options = ChatOptions { imitates, id: args.id, json: args.json };
    let store = wiring::open_store(&settings.store).await?;
    if !options.json && std::io::stdin().is_terminal() {
        writeln!(streams.err, "{}", hint(args.channel))?;
    }
    let chat = Chat::new(store, ChatClock::new(still_at), wiring::policy(&settings), options)?;
    let chat = chat.with_pages_at(served_at(&settings.http));
    Ok(chat.run(BufReader::new(tokio::io::stdin()), streams.out, streams.err).await?)
}

/// Where the pages are, if they are anywhere: a chat alone serves none.
fn served_at(http: &Http) -> Option<String> {
    let is_served = http.public_url.is_some() || TcpStream::connect_timeout(&http.listen, ANSWERS_WITHIN).is_ok();
    wiring::site(http).filter(|_| is_served)
}
