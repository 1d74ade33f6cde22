//! `convive guests ...`

use std::{
    collections::HashMap,
    io::{BufWriter, Write},
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use app::{HostError, command_line};
use chrono::SecondsFormat;
use domain::{
    guest_file::{self, Column, LineError, ReadDefaults},
    model::{Event, Guest, GuestId},
};
use serde_json::{Value, json};

use super::{CliError, Session, Streams, import, output, session::Links, table};

/// The guest list.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    /// Import guests from a CSV file; a file with any bad line changes nothing
    Import {
        /// The file, or - for standard input
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// Only show what would change
        #[arg(long)]
        dry_run: bool,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Export the guest list as CSV, safe to open in a spreadsheet; a new file is readable by you alone
    Export {
        /// The file, or - for standard output [default: standard output]
        #[arg(value_name = "FILE")]
        file: Option<PathBuf>,
    },
    /// Add one guest, or change the one who has the given code
    ///
    /// By the same rules as a line of a guest file. `convive guests add --code K7QF2M --admin` makes that guest a host.
    /// Somebody whose name is on the list already needs --code: theirs, to change them, or a new one for another
    /// person of that name.
    Add(Add),
    /// List the guests and their answers
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// List the personal codes, with links into the bot where there is one
    Codes {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Remove a person's data everywhere
    Erase {
        /// The guest's code
        #[arg(value_name = "CODE")]
        code: String,
    },
}

/// One guest, by the same rules as a line of a guest file.
#[derive(Debug, clap::Args)]
pub struct Add {
    /// First name
    #[arg(long, value_name = "NAME", allow_hyphen_values = true, required_unless_present = "code")]
    first: Option<String>,
    /// Last name, as on the invitation
    #[arg(long, value_name = "NAME", allow_hyphen_values = true, required_unless_present = "code")]
    last: Option<String>,
    /// The code of the guest to change, or one of your own choice for a new guest [default: a new one]
    #[arg(long, value_name = "CODE")]
    code: Option<String>,
    /// The group that answers together
    #[arg(long, value_name = "GROUP")]
    group: Option<String>,
    /// How many people the guest stands for, themselves included [default: 1]
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    expected: Option<String>,
    /// Phone number
    #[arg(long, value_name = "NUMBER")]
    phone: Option<String>,
    /// Language, such as en
    #[arg(long, value_name = "TAG")]
    language: Option<String>,
    /// Make the guest a host
    #[arg(long)]
    admin: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) async fn run(command: Command, session: &Session, streams: &mut Streams<'_>) -> Result<(), CliError> {
    match command {
        Command::Import { file, dry_run, json } => import::run(&file, dry_run, json, session, streams).await,
        Command::Export { file } => export(file.as_deref(), session, streams).await,
        Command::Add(add) => self::add(add, session, streams).await,
        Command::List { json } => list(json, session, streams).await,
        Command::Codes { json } => codes(json, session, streams).await,
        Command::Erase { code } => erase(&code, session, streams).await,
    }
}

async fn all_guests(session: &Session) -> Result<(Event, Vec<Guest>), CliError> {
    let event = session.event().await?;
    let guests = session.app.all_guests(&event.id).await?;
    Ok((event, guests))
}

async fn export(file: Option<&Path>, session: &Session, streams: &mut Streams<'_>) -> Result<(), CliError> {
    let (event, guests) = all_guests(session).await?;
    let Some(path) = file.filter(|path| *path != Path::new("-")) else {
        return Ok(write_list(&guests, &event, BufWriter::new(&mut *streams.out))?);
    };
    output::write_file(path, |out| write_list(&guests, &event, out))
        .with_context(|| format!("{} cannot be written", path.display()))?;
    writeln!(streams.err, "exported {} guests to {}", guests.len(), path.display())?;
    Ok(())
}

fn write_list(guests: &[Guest], event: &Event, mut out: impl Write) -> std::io::Result<()> {
    let by_id = by_id(guests);
    out.write_all(guest_file::header().as_bytes())?;
    for guest in guests {
        out.write_all(guest_file::line(guest, event, answered_by(guest, &by_id)).as_bytes())?;
    }
    out.flush()
}

fn by_id(guests: &[Guest]) -> HashMap<GuestId, &Guest> {
    guests.iter().map(|guest| (guest.id, guest)).collect()
}

fn answered_by<'a>(guest: &Guest, by_id: &HashMap<GuestId, &'a Guest>) -> Option<&'a Guest> {
    guest.answered_by.as_ref().and_then(|by| by_id.get(&by.guest_id).copied())
}

async fn add(add: Add, session: &Session, streams: &mut Streams<'_>) -> Result<(), CliError> {
    let event = session.event().await?;
    let cells = [
        (Column::FirstName, add.first),
        (Column::LastName, add.last),
        (Column::Code, add.code),
        (Column::Group, add.group),
        (Column::Expected, add.expected),
        (Column::Phone, add.phone),
        (Column::Language, add.language),
        (Column::Admin, add.admin.then(|| "yes".to_owned())),
    ];
    let cells: Vec<_> = cells.into_iter().filter_map(|(column, cell)| Some((column, cell?))).collect();
    let defaults = ReadDefaults { region: event.phone_region.as_deref() };
    let usage = |errors: Vec<LineError>| CliError::Usage(errors.iter().map(flag_error).collect::<Vec<_>>().join("\n"));
    let row = guest_file::read_cells(&cells, &defaults).map_err(usage)?;
    let done = session.app.add_or_change_guest(&event.id, row, &command_line()).await;
    let (guest, plan) = done.map_err(|error| match error {
        HostError::Rows(errors) if errors.iter().all(|error| error.column.is_some()) => usage(errors),
        HostError::Rows(errors) => {
            let lines = errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
            anyhow::anyhow!("{lines}. Codes are given with --code").into()
        }
        error => error.into(),
    })?;
    for notice in &plan.notices {
        writeln!(streams.err, "{notice}")?;
    }
    for updated in &plan.updated {
        writeln!(streams.err, "{updated}")?;
    }
    if plan.unchanged > 0 {
        writeln!(streams.err, "nothing was changed: this guest is so already")?;
    }
    let links = session.links().await;
    if add.json {
        writeln!(streams.out, "{}", code_json(&guest, &links))?;
    } else {
        write_codes(&[&guest], &links, streams)?;
    }
    Ok(())
}

/// What is wrong with a cell, by the flag that gave it.
fn flag_error(error: &LineError) -> String {
    let flag = error.column.map(|column| match column {
        Column::FirstName => "--first: ".to_owned(),
        Column::LastName => "--last: ".to_owned(),
        column => format!("--{column}: "),
    });
    flag.unwrap_or_default() + &error.message
}

async fn list(as_json: bool, session: &Session, streams: &mut Streams<'_>) -> Result<(), CliError> {
    let (event, guests) = all_guests(session).await?;
    if as_json {
        let by_id = by_id(&guests);
        let list: Vec<_> = guests.iter().map(|guest| guest_json(guest, &event, answered_by(guest, &by_id))).collect();
        writeln!(streams.out, "{}", Value::from(list))?;
        return Ok(());
    }
    tell_if_empty(&guests, streams)?;
    let row = |guest: &Guest| {
        let coming = format!("{} of {}", guest.num_guests, guest.expected_guests);
        [
            guest.token.clone(),
            guest.full_name(),
            group(guest).unwrap_or_default().to_owned(),
            guest.status.as_str().to_owned(),
            coming,
            guest.dietary_to_cater().to_owned(),
        ]
    };
    let rows: Vec<_> = guests.iter().map(row).collect();
    Ok(table::write_titled(streams.out, ["CODE", "NAME", "GROUP", "ANSWER", "COMING", "DIETARY NEEDS"], &rows)?)
}

async fn codes(as_json: bool, session: &Session, streams: &mut Streams<'_>) -> Result<(), CliError> {
    let (_, guests) = all_guests(session).await?;
    let links = session.links().await;
    if as_json {
        let list: Vec<_> = guests.iter().map(|guest| code_json(guest, &links)).collect();
        writeln!(streams.out, "{}", Value::from(list))?;
    } else {
        tell_if_empty(&guests, streams)?;
        write_codes(&guests.iter().collect::<Vec<_>>(), &links, streams)?;
    }
    if let Some(complaint) = links.complaint() {
        writeln!(streams.err, "{complaint}")?;
    }
    Ok(())
}

async fn erase(code: &str, session: &Session, streams: &mut Streams<'_>) -> Result<(), CliError> {
    let guest = session.app.guest_with_code(session.event.as_ref(), code).await?;
    session.app.erase_guest(guest.id).await?;
    writeln!(streams.err, "erased: the guest, their logins, messages and history are gone")?;
    Ok(())
}

fn tell_if_empty(guests: &[Guest], streams: &mut Streams<'_>) -> std::io::Result<()> {
    if guests.is_empty() {
        writeln!(streams.err, "there are no guests yet; add some with: convive guests import FILE")?;
    }
    Ok(())
}

fn group(guest: &Guest) -> Option<&str> {
    guest.group_id.as_ref().map(|id| id.as_str())
}

/// Code, name, group and link, a line each.
pub(super) fn write_codes(guests: &[&Guest], links: &Links, streams: &mut Streams<'_>) -> std::io::Result<()> {
    let row = |guest: &&Guest| {
        let link = links.to(&guest.token).unwrap_or_default();
        [guest.token.clone(), guest.full_name(), group(guest).unwrap_or_default().to_owned(), link]
    };
    table::write(streams.out, &guests.iter().map(row).collect::<Vec<_>>())
}

pub(super) fn code_json(guest: &Guest, links: &Links) -> Value {
    json!({
        "code": guest.token, "firstName": guest.first_name, "lastName": guest.last_name, "group": group(guest),
        "link": links.to(&guest.token),
    })
}

fn guest_json(guest: &Guest, event: &Event, answered_by: Option<&Guest>) -> Value {
    let answered_at = guest.rsvp_date.map(|at| {
        let local = at.with_timezone(&event.time_zone);
        local.to_rfc3339_opts(SecondsFormat::Secs, false)
    });
    json!({
        "code": guest.token, "firstName": guest.first_name, "lastName": guest.last_name, "group": group(guest),
        "expected": guest.expected_guests, "phone": guest.phone, "language": guest.locale, "admin": guest.is_admin,
        "notes": guest.notes, "status": guest.status.as_str(), "guests": guest.num_guests, "dietary": guest.dietary_to_cater(),
        "extra": guest.extra_guests, "answeredAt": answered_at,
        "answeredBy": answered_by.map(Guest::full_name),
        "answeredThrough": guest.answered_by.as_ref().map(|by| by.channel.as_str()),
    })
}
