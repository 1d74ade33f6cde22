//! The overview: the numbers, the answers over time, what needs attention.

use std::collections::BTreeMap;

use askama::Template;
use axum::extract::{RawQuery, State};
use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use domain::{
    activity::{Activity, Happening},
    model::{Event, Guest, GuestId, Status},
    notice::Hours,
};
use store::Statistics;

use super::{
    Pages,
    form::Fields,
    respond::{Frame, PageResult, page},
    session::Host,
    words,
};

/// How far back the news go.
const NEWS_DAYS: i64 = 14;
const MOST_NEWS: usize = 12;
const MOST_MESSAGES: usize = 5;
const MOST_EXTRAS: usize = 5;

#[derive(Template)]
#[template(path = "overview.html")]
struct Overview {
    frame: Frame,
    numbers: Statistics,
    event_lines: Vec<String>,
    deadline: String,
    until: String,
    seats: String,
    chart: Chart,
    attention: Vec<Attention>,
    news: Vec<News>,
}

/// Something that waits for the host.
struct Attention {
    text: String,
    link: String,
    link_text: &'static str,
}

/// Something that happened.
struct News {
    when: String,
    name: String,
    link: String,
    text: String,
}

/// Answers over time, drawn in a box of 600 by 160.
#[derive(Default)]
struct Chart {
    /// Corners of the line of answers; empty while nobody has answered.
    line: String,
    area: String,
    dots: Vec<(i64, i64)>,
    first: String,
    last: String,
    most: u32,
    /// The same in words.
    summary: String,
}

/// The overview.
pub async fn show(State(pages): State<Pages>, host: Host, RawQuery(query): RawQuery) -> PageResult {
    // Who has just logged in is not told to have never done so.
    pages.web.app.accesses.flush(pages.web.app.store.as_ref()).await;
    let now = pages.web.app.clock.now();
    let guests = pages.web.app.all_guests(&host.event.id).await?;
    let activity = pages.web.app.store.activity(&host.event.id, now - TimeDelta::days(NEWS_DAYS)).await?;
    let not_arrived = super::deliveries::not_arrived(&pages, &host, &guests).await?;
    let numbers = pages.web.app.store.statistics(&host.event.id).await?;
    let event = &host.event;
    let mut frame = host.frame("Overview", "overview");
    frame.live = true;
    frame.notice = notice(query.as_deref().unwrap_or_default(), event, now);
    let shown = Overview {
        frame,
        event_lines: words::event_lines(event),
        deadline: words::deadline(event.closes_at(), event.time_zone),
        until: words::until(event.closes_at(), now, event.time_zone),
        seats: seats(event, &numbers),
        chart: Chart::of(&guests, event, now.with_timezone(&event.time_zone).date_naive()),
        attention: attention(&numbers, &activity, &guests, not_arrived, event),
        news: news(&activity, &guests, event),
        numbers,
    };
    page(&shown)
}

/// How many seats are free, or how many more come than there are; empty where there is room for all.
#[must_use]
pub fn seats(event: &Event, numbers: &Statistics) -> String {
    let Some(seats) = event.capacity else { return String::new() };
    match u64::from(seats).checked_sub(numbers.head_count) {
        Some(free) => format!("{free} of {seats} seats free"),
        None => format!(
            "{} more than the {}",
            numbers.head_count - u64::from(seats),
            words::count(seats.into(), "seat", "seats")
        ),
    }
}

fn notice(query: &str, event: &Event, now: DateTime<Utc>) -> String {
    let done = Fields::parse(query.as_bytes());
    match done.text("done") {
        "settings" => "The event’s settings are saved.".to_owned(),
        "told" => {
            let count = done.text("count").parse().unwrap_or_default();
            let messages = words::count(count, "message is", "messages are");
            // Guests are not woken.
            let opens = Hours { window: event.reminders.window, zone: event.time_zone }.next_open(now);
            match now < opens && opens < event.starts_at {
                true => {
                    let when = words::moment(opens, event.time_zone);
                    format!("The event’s settings are saved, and {messages} ready: guests are written to from {when}.")
                }
                false => format!("The event’s settings are saved, and {messages} on the way."),
            }
        }
        _ => String::new(),
    }
}

fn attention(
    numbers: &Statistics,
    activity: &[Activity],
    guests: &[Guest],
    not_arrived: u64,
    event: &Event,
) -> Vec<Attention> {
    let mut list = Vec::new();
    let mut add = |text: String, link: String, link_text: &'static str| list.push(Attention { text, link, link_text });
    if guests.len() <= 1 {
        add("Nobody but you is on the guest list".to_owned(), "/admin/import".to_owned(), "Import it");
    }
    for (guest, text) in messages(activity, guests) {
        add(format!("{} wrote: “{text}”", guest.full_name()), format!("/admin/guests/{}", guest.id), "Read");
    }
    if not_arrived > 0 {
        let count = words::count(not_arrived, "message", "messages");
        add(format!("{count} may not have arrived"), "/admin/deliveries".to_owned(), "Look");
    }
    for guest in guests.iter().filter(|guest| guest.extra_guests > 0).take(MOST_EXTRAS) {
        let count = words::count(guest.extra_guests.into(), "person", "people");
        add(
            format!("{} brings {count} more than expected", guest.full_name()),
            format!("/admin/guests/{}", guest.id),
            "Look",
        );
    }
    if numbers.waitlisted > 0 {
        let count = words::count(numbers.waitlisted, "guest is", "guests are");
        add(format!("{count} on the waiting list"), "/admin/guests?filter=waitlisted".to_owned(), "Who");
    }
    if numbers.never_logged_in > 0 {
        let count = words::count(numbers.never_logged_in, "guest has", "guests have");
        add(format!("{count} never logged in"), "/admin/guests?filter=never".to_owned(), "Who");
    }
    if event.host_contact.is_none() {
        add(
            "Guests cannot see whom to ask: there is no contact yet".to_owned(),
            "/admin/settings".to_owned(),
            "Add one",
        );
    }
    list
}

fn messages<'a>(activity: &'a [Activity], guests: &'a [Guest]) -> impl Iterator<Item = (&'a Guest, &'a str)> {
    let text = |activity: &'a Activity| match &activity.what {
        Happening::LeftMessage { text } => Some((activity.guest_id?, text.as_str())),
        _ => None,
    };
    let find = move |id: GuestId| guests.iter().find(move |guest| guest.id == id);
    activity.iter().rev().filter_map(text).filter_map(move |(id, text)| Some((find(id)?, text))).take(MOST_MESSAGES)
}

fn news(activity: &[Activity], guests: &[Guest], event: &Event) -> Vec<News> {
    let names: BTreeMap<GuestId, &Guest> = guests.iter().map(|guest| (guest.id, guest)).collect();
    let told =
        |(_, activity): &(usize, &Activity)| !matches!(activity.what, Happening::LoggedIn | Happening::LoggedOut);
    let news = |(place, about): (usize, &Activity)| {
        let guest = about.guest_id.and_then(|id| names.get(&id));
        let before = activity[..place].iter().filter(|earlier| earlier.guest_id == about.guest_id);
        let nobody = if about.guest_id.is_some() { "Somebody who is off the list" } else { "The event" };
        News {
            when: words::moment(about.at, event.time_zone),
            name: guest.map_or_else(|| nobody.to_owned(), |guest| guest.full_name()),
            link: guest.map(|guest| format!("/admin/guests/{}", guest.id)).unwrap_or_default(),
            text: match (about.guest_id, &about.what) {
                (None, Happening::Created) => "was set up".to_owned(),
                _ => words::happening_after(before, about),
            },
        }
    };
    activity.iter().enumerate().rev().filter(told).take(MOST_NEWS).map(news).collect()
}

impl Chart {
    const WIDTH: i64 = 600;
    const HEIGHT: i64 = 160;

    /// Answers, by the day on which they were given, up to today.
    fn of(guests: &[Guest], event: &Event, today: NaiveDate) -> Self {
        let mut by_day: BTreeMap<NaiveDate, u32> = BTreeMap::new();
        for at in guests.iter().filter(|guest| guest.status != Status::Pending).filter_map(|guest| guest.rsvp_date) {
            *by_day.entry(at.with_timezone(&event.time_zone).date_naive()).or_default() += 1;
        }
        let Some((first, _)) = by_day.first_key_value().map(|(day, people)| (*day, *people)) else {
            return Self { summary: "Nobody has answered yet.".to_owned(), ..Self::default() };
        };
        // A line needs two ends, even where all answered today.
        let first = first.min(today - TimeDelta::days(1));
        let days = (today - first).num_days().max(1);
        let total: u32 = by_day.values().sum();
        let x = |day: NaiveDate| (day - first).num_days() * Self::WIDTH / days;
        let y = |people: u32| Self::HEIGHT - i64::from(people) * Self::HEIGHT / i64::from(total.max(1));
        let mut dots = vec![(0, Self::HEIGHT)];
        let mut people = 0;
        for (day, more) in &by_day {
            people += more;
            dots.push((x(*day), y(people)));
        }
        dots.push((x(today), y(people)));
        dots.dedup();
        let line = dots.iter().map(|(x, y)| format!("{x},{y}")).collect::<Vec<_>>().join(" ");
        let format = |day: NaiveDate| day.format("%-d %b").to_string();
        Self {
            area: format!("0,{} {line} {},{}", Self::HEIGHT, x(today), Self::HEIGHT),
            line,
            first: format(first),
            last: format(today),
            most: total,
            summary: format!(
                "From {} to {}: {}.",
                format(first),
                format(today),
                words::count(total.into(), "answer", "answers")
            ),
            dots,
        }
    }
}
