//! `convive guests import`

use std::{fs, io::Read, path::Path, time::Duration};

use anyhow::{Context as _, anyhow};
use app::{HostError, command_line};
use domain::guest_file::{self, LineError, Plan, ReadDefaults};
use serde_json::{Value, json};

use super::{
    CliError, Session, Streams,
    guests::{code_json, write_codes},
};

/// Far more than any guest list; a slip of the pen must not fill the memory.
const LARGEST_FILE: u64 = 64 * 1024 * 1024;
const PROGRESS_PAUSE: Duration = Duration::from_secs(1);

pub(super) async fn run(
    file: &Path,
    dry_run: bool,
    as_json: bool,
    session: &Session,
    streams: &mut Streams<'_>,
) -> Result<(), CliError> {
    let event = session.event().await?;
    let bytes = bytes(file).with_context(|| format!("{} cannot be read", file.display()))?;
    let defaults = ReadDefaults { region: event.phone_region.as_deref() };
    let sheet = guest_file::read(&bytes, &defaults).map_err(|errors| refused(file, &errors))?;
    let app = &session.app;
    let work = async {
        if dry_run {
            app.plan_import(&event.id, &sheet).await
        } else {
            app.import_guests(&event.id, &sheet, &command_line()).await
        }
    };
    let what = format!("importing {} guests", sheet.rows.len());
    let plan = with_progress(&what, work, streams).await?.map_err(|error| match error {
        HostError::Rows(errors) => refused(file, &errors),
        error => error.into(),
    })?;
    // Of a file that changes nothing there is nothing to note.
    for notice in sheet.notices.iter().chain(&plan.notices) {
        writeln!(streams.err, "{notice}")?;
    }
    report(&plan, dry_run, as_json, session, streams).await
}

fn bytes(file: &Path) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut source: Box<dyn Read> =
        if file == Path::new("-") { Box::new(std::io::stdin()) } else { Box::new(fs::File::open(file)?) };
    source.by_ref().take(LARGEST_FILE + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST_FILE {
        return Err(anyhow!("it is larger than {} MiB; is it a guest list?", LARGEST_FILE / 1024 / 1024));
    }
    Ok(bytes)
}

fn refused(file: &Path, errors: &[LineError]) -> CliError {
    let lines = errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    CliError::Failed(anyhow!("{}: nothing was imported\n{lines}", file.display()))
}

/// Says every second that work goes on.
async fn with_progress<T>(what: &str, work: impl Future<Output = T>, streams: &mut Streams<'_>) -> Result<T, CliError> {
    tokio::pin!(work);
    let mut seconds: u64 = 0;
    loop {
        tokio::select! {
            done = &mut work => return Ok(done),
            () = tokio::time::sleep(PROGRESS_PAUSE) => {
                seconds += PROGRESS_PAUSE.as_secs();
                writeln!(streams.err, "{what} ({seconds} s)")?;
            }
        }
    }
}

async fn report(
    plan: &Plan,
    dry_run: bool,
    as_json: bool,
    session: &Session,
    streams: &mut Streams<'_>,
) -> Result<(), CliError> {
    let (created, updated, unchanged) = (plan.created.len(), plan.updated.len(), plan.unchanged);
    if as_json {
        let links = session.links().await;
        let new = |created: &guest_file::Created| {
            let mut guest = code_json(&created.guest, &links);
            // Drawn for this look only: the real import draws another.
            if dry_run && !created.code_given {
                guest["code"] = Value::Null;
                guest["link"] = Value::Null;
            }
            guest
        };
        let guests: Vec<_> = plan.created.iter().map(new).collect();
        let json = json!({ "created": created, "updated": updated, "unchanged": unchanged, "guests": guests });
        writeln!(streams.out, "{json}")?;
        return Ok(());
    }
    writeln!(streams.out, "created {created}, updated {updated}, unchanged {unchanged}")?;
    if dry_run {
        for line in plan.preview() {
            writeln!(streams.out, "{line}")?;
        }
        writeln!(streams.err, "nothing was changed: this was a dry run")?;
        return Ok(());
    }
    for line in plan.updated.iter().map(ToString::to_string) {
        writeln!(streams.err, "{line}")?;
    }
    let links = if plan.created.is_empty() { super::session::Links::None } else { session.links().await };
    let guests: Vec<_> = plan.created.iter().map(|created| &created.guest).collect();
    write_codes(&guests, &links, streams)?;
    Ok(())
}
