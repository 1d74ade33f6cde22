//! `convive reminders ...`

use std::{collections::HashMap, fmt};

use app::RoundKind;
use chrono::{DateTime, SecondsFormat, Utc};
use domain::{
    calendar::parse_when,
    model::{Event, Guest, GuestId},
    schedule::WhyNot,
};
use reminders::Planned;
use serde_json::{Value, json};

use super::{CliError, Session, Streams, table};
use crate::wiring;

/// What goes because time passes.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    /// Show what would be sent, when, to whom and on which channel, if nobody answered until then; sends nothing
    Preview {
        /// Until then: YYYY-MM-DD or RFC 3339 [default: the start of the event]
        #[arg(long, value_name = "TIME")]
        until: Option<String>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

pub(super) async fn run(command: Command, session: &Session, streams: &mut Streams<'_>) -> Result<(), CliError> {
    let Command::Preview { until, json } = command;
    let event = session.event().await?;
    let until = match until {
        Some(text) => parse_when(&text, event.time_zone, true)
            .map_err(|error| CliError::Usage(format!("--until: {}", error.of(&text))))?,
        None => event.starts_at,
    };
    let planned = planned(session, &event, until).await?;
    let guests = session.app.all_guests(&event.id).await.map_err(app::HostError::from)?;
    let names: HashMap<GuestId, &Guest> = guests.iter().map(|guest| (guest.id, guest)).collect();
    let totals = Totals::of(&planned);
    if json {
        let rows: Vec<Value> = planned.iter().map(|row| as_json(row, &event, &names)).collect();
        let Totals { messages, texts, segments } = totals;
        let all = json!({ "messages": rows, "total": messages, "texts": texts, "segments": segments });
        writeln!(streams.out, "{all}")?;
        return Ok(());
    }
    let rows: Vec<_> = planned.iter().map(|row| as_cells(row, &event, &names)).collect();
    table::write(streams.out, &rows)?;
    let Totals { messages, texts, segments } = totals;
    let (messages, segments) = (count(messages, "message"), count(segments, "segment"));
    writeln!(streams.out, "{messages}, {texts} of them texts with {segments}")?;
    Ok(())
}

/// Both plans: that of the running program and that of the terminal chat.
async fn planned(session: &Session, event: &Event, until: DateTime<Utc>) -> Result<Vec<Planned>, CliError> {
    let of = |outreach| reminders_of(session, event, until, outreach);
    let mut served = of(wiring::outreach(&session.settings)).await?;
    let mut console = of(wiring::console_outreach()).await?;
    console.retain(|row| row.place.is_ok());
    let is_at_console = |row: &Planned| {
        console
            .iter()
            .any(|other| (other.at, other.kind) == (row.at, row.kind) && other.guests.contains(&row.guests[0]))
    };
    served.retain(|row| row.place.is_ok() || !is_at_console(row));
    served.extend(console);
    served.sort_by_key(|row| row.at);
    Ok(served)
}

async fn reminders_of(
    session: &Session,
    event: &Event,
    until: DateTime<Utc>,
    outreach: domain::schedule::Outreach,
) -> Result<Vec<Planned>, CliError> {
    let app = session.app.clone().reaching(outreach);
    Ok(reminders::preview(&app, event, until).await.map_err(app::HostError::from)?)
}

struct Totals {
    messages: usize,
    texts: usize,
    segments: u32,
}

impl Totals {
    fn of(planned: &[Planned]) -> Self {
        let sent = planned.iter().filter(|row| row.place.is_ok());
        Self {
            messages: sent.clone().count(),
            texts: sent.clone().filter(|row| row.segments > 0).count(),
            segments: sent.map(|row| row.segments).sum(),
        }
    }
}

fn count<N: PartialEq + From<u8> + fmt::Display>(number: N, one: &str) -> String {
    let several = if number == N::from(1) { "" } else { "s" };
    format!("{number} {one}{several}")
}

fn shown_time(row: &Planned, event: &Event) -> String {
    row.at.with_timezone(&event.time_zone).to_rfc3339_opts(SecondsFormat::Secs, false)
}

fn shown_kind(kind: RoundKind) -> String {
    match kind {
        RoundKind::Reminder { days: 1 } => "reminder, 1 day before".to_owned(),
        RoundKind::Reminder { days } => format!("reminder, {days} days before"),
        RoundKind::DayBefore => "the day before".to_owned(),
    }
}

fn shown_why(why: WhyNot) -> &'static str {
    match why {
        WhyNot::NoAddress => "no address",
        WhyNot::Muted => "muted",
        WhyNot::OptedOut => "opted out",
        WhyNot::Blocked => "blocked",
        WhyNot::TooLate => "too late in their hours",
    }
}

fn shown_names(row: &Planned, names: &HashMap<GuestId, &Guest>) -> Vec<String> {
    row.guests.iter().filter_map(|guest| Some(names.get(guest)?.full_name())).collect()
}

fn as_cells(row: &Planned, event: &Event, names: &HashMap<GuestId, &Guest>) -> [String; 5] {
    let (channel, cost) = match row.place {
        Ok(channel) if row.segments > 0 => (channel.to_string(), count(row.segments, "segment")),
        Ok(channel) => (channel.to_string(), String::new()),
        Err(why) => ("nowhere".to_owned(), shown_why(why).to_owned()),
    };
    [shown_time(row, event), shown_kind(row.kind), channel, shown_names(row, names).join(", "), cost]
}

fn as_json(row: &Planned, event: &Event, names: &HashMap<GuestId, &Guest>) -> Value {
    let (kind, days) = match row.kind {
        RoundKind::Reminder { days } => ("reminder", Some(days)),
        RoundKind::DayBefore => ("dayBefore", None),
    };
    let mut value = json!({ "at": shown_time(row, event), "kind": kind, "guests": shown_names(row, names) });
    let fields = [
        ("daysBefore", days.map(Value::from)),
        ("channel", row.place.ok().map(|channel| Value::from(channel.as_str()))),
        ("whyNot", row.place.err().map(|why| Value::from(shown_why(why)))),
        ("segments", (row.segments > 0).then(|| Value::from(row.segments))),
    ];
    for (field, content) in fields {
        if let Some(content) = content {
            value[field] = content;
        }
    }
    value
}
