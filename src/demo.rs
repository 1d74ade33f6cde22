//! `convive demo`: the whole program on a sample event, with no account anywhere.

use std::io::Write;

use anyhow::{Context as _, bail};
use app::{App, command_line};
use chrono::{DateTime, TimeDelta, Utc};
use domain::{
    guest_file,
    model::{Event, Guest},
};
use serde_json::json;

const EVENT: &str = include_str!("../config/demo-event.toml");
const GUESTS: &[u8] = include_bytes!("../config/demo-guests.csv");
const DAYS_TO_EVENT: i64 = 60;
const DAYS_TO_DEADLINE: i64 = 40;

/// The sample event and its guests, made where the store has no event yet.
pub struct Sample {
    pub event: Event,
    pub guests: Vec<Guest>,
}

/// Makes the sample, or finds the one made before.
///
/// # Errors
/// When the store cannot be used, or holds several events.
pub async fn prepare(app: &App) -> anyhow::Result<Sample> {
    let event = match app.store.events().await?.as_slice() {
        [] => make(app).await?,
        [event] => event.clone(),
        _ => bail!("this folder holds several events: choose another folder with --dir"),
    };
    let guests = app.all_guests(&event.id).await?;
    Ok(Sample { event, guests })
}

async fn make(app: &App) -> anyhow::Result<Event> {
    let sample: toml::Table = EVENT.parse().context("config/demo-event.toml")?;
    let mut pairs: Vec<(String, String)> =
        sample.into_iter().filter_map(|(key, value)| Some((key, value.as_str()?.to_owned()))).collect();
    let now = app.clock.now();
    pairs.push(("starts_at".to_owned(), format!("{}T15:00", day(now, DAYS_TO_EVENT))));
    pairs.push(("rsvp_deadline".to_owned(), day(now, DAYS_TO_DEADLINE)));
    let event = app.set_event(None, &pairs, &command_line()).await?.event().clone();
    let defaults = guest_file::ReadDefaults { region: event.phone_region.as_deref() };
    let file = guest_file::read(GUESTS, &defaults).map_err(|errors| anyhow::anyhow!("{errors:?}"))?;
    app.import_guests(&event.id, &file, &command_line()).await?;
    Ok(event)
}

fn day(now: DateTime<Utc>, days: i64) -> String {
    (now + TimeDelta::days(days)).format("%Y-%m-%d").to_string()
}

/// Prints what there is to try.
///
/// # Errors
/// When the output fails.
pub fn introduce(
    sample: &Sample,
    url: &str,
    host_link: &str,
    as_json: bool,
    output: &mut dyn Write,
) -> anyhow::Result<()> {
    if as_json {
        let guests: Vec<_> = sample
            .guests
            .iter()
            .map(|guest| json!({ "code": guest.token, "lastName": guest.last_name, "group": guest.group_id }))
            .collect();
        writeln!(
            output,
            "{}",
            json!({ "url": url, "event": sample.event.id, "adminLink": host_link, "guests": guests })
        )?;
        return output.flush().context("standard output");
    }
    writeln!(output, "{}, a sample event with {} guests.", sample.event.name, sample.guests.len())?;
    writeln!(output, "\nOpen in a browser:")?;
    writeln!(output, "  {host_link}  (the host's desk; opens once, within ten minutes)")?;
    writeln!(output, "  {url}/admin  (the same, by the host's code)")?;
    writeln!(output, "  {url}/  (the guests' page)")?;
    writeln!(output, "  {url}/try  (a phone to try the bot on)")?;
    writeln!(output, "\nCodes and last names to try:")?;
    for guest in &sample.guests {
        writeln!(output, "  {} {:16} {}", guest.token, guest.last_name, describe(guest, &sample.guests))?;
    }
    writeln!(output)?;
    output.flush().context("standard output")
}

/// Who answers with this code, and for whom.
fn describe(guest: &Guest, guests: &[Guest]) -> String {
    let others: Vec<&str> = guests
        .iter()
        .filter(|other| other.id != guest.id && guest.group_id.is_some() && other.group_id == guest.group_id)
        .map(Guest::short_name)
        .collect();
    let mut text = guest.first_name.clone();
    if guest.companions() > 0 {
        text.push_str(&format!(" and {} without a code", guest.companions()));
    }
    if !others.is_empty() {
        text.push_str(&format!(", with {}", others.join(" and ")));
    }
    if guest.is_admin {
        text.push_str(" (host)");
    }
    text
}
