//! Deadlines: what counts is the moment of the commit.

use chrono::{DateTime, Utc};
use domain::activity::Happening;

use crate::{
    fixtures::PHONE,
    world::{Setup, World},
};

const CHICAGO: &[(&str, &str)] = &[("time_zone", "America/Chicago")];

fn at(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

/// The question was asked a minute before the deadline, and the answer confirmed a second after it.
#[tokio::test]
async fn the_deadline_passes_while_a_question_is_open() {
    let world = World::with(Setup { now: "2026-11-20T23:59:00Z", ..Setup::default() }).await;
    let (anna, maria) = (world.telegram("anna"), world.phone(PHONE));
    anna.comes_in("K7QF2M Holloway").await;
    anna.presses("All 3").await.skips(1);
    anna.presses("None for any of us").await.sees("Is this right?");
    maria.comes_in("H4TR8W Santos").await;
    world.clock.set(at("2026-11-21T00:00:01Z"));
    anna.presses("Yes, save it").await.sees("Sorry, answers closed on Fri 20 Nov … Mia, 07700 900555");
    maria.texts("yes").await.sees("Sorry, answers closed on Fri 20 Nov … Mia, 07700 900555");
    // Nor does anything else get through.
    anna.says("no").await.skips_all();
    anna.says("decline").await.sees("Sorry, answers closed");
    anna.says("change").await.sees("Sorry, answers closed");
    maria.texts("0").await.skips_all();
    for code in ["K7QF2M", "H4TR8W"] {
        assert!(!world.answers(code).await.contains("coming") && !world.answers(code).await.contains("declined"));
    }
    let activity = world.store().activity(&world.event_id().await, DateTime::UNIX_EPOCH).await.unwrap();
    assert!(!activity.iter().any(|it| matches!(it.what, Happening::Answered { .. })));
    world.finish().await;
}

/// Whoever comes may tell the kitchen until the event begins.
#[tokio::test]
async fn dietary_needs_after_the_deadline() {
    let world = World::new().await;
    let anna = world.telegram("anna");
    anna.comes_in("K7QF2M Holloway").await;
    anna.says("all").await.skips(1);
    anna.says("none for any of us").await.skips(1);
    anna.says("yes").await.sees("Saved").skips(1);
    world.clock.set(at("2026-11-28T17:59:00Z"));
    anna.says("change").await.sees("answers closed on Fri 20 Nov").sees("For whom? [Anna] [Ben] [Cleo]");
    anna.presses("Ben").await.sees("for Ben?");
    anna.says("no *nuts_, <b>please</b>").await.sees("Noted, thank you. Dietary needs, Ben: no *nuts_, <b>please</b>");
    let after = "Anna coming, Ben coming \"no *nuts_, <b>please</b>\", Cleo coming";
    assert_eq!(world.answers("K7QF2M").await, after);
    anna.says("change").await.skips(2);
    anna.presses("Cleo").await.sees("for Cleo?");
    world.clock.set(at("2026-11-28T18:00:00Z"));
    anna.says("vegan").await.sees("has begun; nothing can be changed any more");
    assert_eq!(world.answers("K7QF2M").await, after);
    anna.says("change").await.skips(1);
    world.finish().await;
}

/// "By 20 November" is the whole day, where the party is; and everybody is shown the same.
#[tokio::test]
async fn the_whole_day_of_the_deadline_counts() {
    let world = World::with(Setup { event: CHICAGO, ..Setup::default() }).await;
    let event = world.process.app.one_event(None).await.unwrap();
    assert_eq!(event.rsvp_deadline, Some(at("2026-11-21T06:00:00Z")), "exclusive");
    let instants = [
        ("2026-11-21T05:30:00Z", "H4TR8W", true),
        ("2026-11-21T05:59:59Z", "P9DX3C", true),
        ("2026-11-21T06:00:00Z", "B8TAN7", false),
    ];
    for (number, (instant, code, is_in_time)) in instants.into_iter().enumerate() {
        world.clock.set(at("2026-11-20T20:00:00Z"));
        let phone = world.phone(&format!("+44770090030{number}"));
        let name = if code == "B8TAN7" { "Tanner" } else { "Santos" };
        phone.texts(&format!("{code} {name}")).await;
        phone.sees("Please answer by Fri 20 Nov, end of day, Chicago time.").skips(1);
        phone.texts("decline").await.skips(1);
        world.clock.set(at(instant));
        phone.texts("1").await.sees(if is_in_time {
            "Saved"
        } else {
            "answers closed on Fri 20 Nov, end of day, Chicago time"
        });
        let expected = if is_in_time { "declined" } else { "pending" };
        assert!(world.answers(code).await.ends_with(expected), "{instant}: {}", world.answers(code).await);
    }
    world.finish().await;
}

/// Without a deadline answers close when the event begins.
#[tokio::test]
async fn an_event_without_a_deadline() {
    let event = &[("rsvp_deadline", "")];
    let world = World::with(Setup { event, now: "2026-11-28T17:59:59Z", ..Setup::default() }).await;
    let (anna, maria) = (world.phone(PHONE), world.phone("+447700900124"));
    for (chat, credentials) in [(&anna, "H4TR8W Santos"), (&maria, "P9DX3C Santos")] {
        chat.comes_in(credentials).await;
        chat.texts("0").await.sees("Not coming: Maria.");
    }
    anna.texts("1").await.sees("Saved");
    world.clock.set(at("2026-11-28T18:00:00Z"));
    maria.texts("1").await.sees("has begun; nothing can be changed any more");
    assert_eq!(world.answers("H4TR8W").await, "Maria declined");
    assert_eq!(world.answers("P9DX3C").await, "Maria pending");
    world.finish().await;
}
