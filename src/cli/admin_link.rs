//! `convive admin-link`

use app::{App, LINK_MINUTES};
use domain::model::{Event, Guest};

use super::{CliError, Session, Streams};
use crate::wiring;

/// Prints a link that opens the hosts' view once.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The code of the host [default: the first host of the event]
    #[arg(long = "as", value_name = "CODE")]
    pub code: Option<String>,
}

pub(super) async fn run(args: Args, session: &Session, streams: &mut Streams<'_>) -> Result<(), CliError> {
    let host = match &args.code {
        Some(code) => session.app.guest_with_code(session.event.as_ref(), code).await?,
        None => first_host(&session.app, &session.event().await?).await?,
    };
    if !host.is_admin {
        return Err(anyhow::anyhow!(
            "{} is no host; make them one (admin \"yes\" in the guest file), or name another with --as",
            host.full_name()
        )
        .into());
    }
    let http = &session.settings.http;
    let site = wiring::site(http).unwrap_or_else(|| format!("http://{}", http.listen));
    let link = session.app.make_host_link(host.id).await.map_err(anyhow::Error::from)?;
    writeln!(streams.out, "{site}{link}")?;
    writeln!(streams.err, "opens the view of {} once, within {LINK_MINUTES} minutes", host.full_name())?;
    Ok(())
}

/// The host who came first, where nobody is named.
///
/// # Errors
/// When there is none, with the remedy.
pub(super) async fn first_host(app: &App, event: &Event) -> anyhow::Result<Guest> {
    let hosts = app.store.hosts(&event.id).await?;
    hosts.into_iter().min_by_key(|host| host.id).ok_or_else(|| {
        anyhow::anyhow!(
            "\"{}\" has no host yet: convive guests add --first NAME --last NAME --admin, or admin \"yes\" in the \
             guest file",
            event.id
        )
    })
}
