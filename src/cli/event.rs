//! `convive event ...`

use app::{EventSet, command_line};
use chrono::SecondsFormat;
use domain::{
    event_settings::{self, Key},
    model::{Event, EventId},
};
use serde_json::{Map, Value, json};

use super::{CliError, Session, Streams, table};

/// Settings of events.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    /// Change settings of the event, or create it when there is none
    #[command(after_help = keys())]
    Set {
        /// Settings; an empty value (KEY=) clears one
        #[arg(required = true, value_name = "KEY=VALUE")]
        settings: Vec<String>,
    },
    /// Show every setting of the event
    Show {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// List the events
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

fn keys() -> String {
    let mut text = String::from("Keys, each with an example:\n");
    for key in Key::ALL {
        text.push_str(&format!("  {key}={}\n", key.example()));
    }
    text.push_str(
        "\nneeded to create an event: name, starts_at, time_zone. A new event gets the id that --event names, or one \
         made from its name.\nTimes are YYYY-MM-DD or RFC 3339, local to the event when without offset. A deadline \
         that is a date means the end of that day; without one answers close at the start.",
    );
    text
}

pub(super) async fn run(command: Command, session: &Session, streams: &mut Streams<'_>) -> Result<(), CliError> {
    match command {
        Command::Set { settings } => set(&settings, session, streams).await,
        Command::Show { json } => show(&session.event().await?, json, streams),
        Command::List { json } => list(&session.app.store.events().await?, json, streams),
    }
}

async fn set(settings: &[String], session: &Session, streams: &mut Streams<'_>) -> Result<(), CliError> {
    let pairs = settings.iter().map(|text| pair(text)).collect::<Result<Vec<_>, _>>()?;
    let set = session.app.set_event(session.event.as_ref(), &pairs, &command_line()).await?;
    let what = match &set {
        EventSet::Created(_) => "created",
        EventSet::Updated(_) => "updated",
        EventSet::Unchanged(_) => "unchanged",
    };
    writeln!(streams.out, "{what} {}", set.event().id)?;
    for notice in event_settings::notices(set.event(), &pairs, session.app.clock.now()) {
        writeln!(streams.err, "{notice}")?;
    }
    Ok(())
}

fn pair(text: &str) -> Result<(String, String), CliError> {
    let (key, value) = text
        .split_once('=')
        .ok_or_else(|| CliError::Usage(format!("\"{text}\" is not KEY=VALUE; write it like capacity=120")))?;
    Ok((key.to_owned(), value.to_owned()))
}

fn show(event: &Event, as_json: bool, streams: &mut Streams<'_>) -> Result<(), CliError> {
    let settings = event_settings::show(event);
    if as_json {
        let id = ("id".to_owned(), Value::from(event.id.as_str()));
        let fields: Map<_, _> =
            std::iter::once(id).chain(settings.into_iter().map(|(key, value)| (key, Value::from(value)))).collect();
        writeln!(streams.out, "{}", Value::Object(fields))?;
        return Ok(());
    }
    for (key, value) in settings {
        let value = value.lines().map(table::plain).collect::<Vec<_>>().join("\n    ");
        writeln!(streams.out, "{key}={value}")?;
    }
    Ok(())
}

fn list(events: &[Event], as_json: bool, streams: &mut Streams<'_>) -> Result<(), CliError> {
    let starts =
        |event: &Event| event.starts_at.with_timezone(&event.time_zone).to_rfc3339_opts(SecondsFormat::Secs, false);
    if as_json {
        let events: Vec<_> = events
            .iter()
            .map(|event| {
                json!({
                    "id": event.id.as_str(), "name": event.name, "startsAt": starts(event),
                    "timeZone": event.time_zone.name(),
                })
            })
            .collect();
        writeln!(streams.out, "{}", Value::from(events))?;
        return Ok(());
    }
    if events.is_empty() {
        writeln!(streams.err, "there is no event yet")?;
    }
    let row = |event: &Event| {
        let EventId(id) = &event.id;
        [id.clone(), starts(event), event.time_zone.name().to_owned(), event.name.clone()]
    };
    let rows: Vec<_> = events.iter().map(row).collect();
    Ok(table::write_titled(streams.out, ["ID", "STARTS", "TIME ZONE", "NAME"], &rows)?)
}
