//! What a host sends arrives: at the hours that they were told, and after the event has begun too.

use chrono::TimeDelta;

use crate::world::{Setup, World};

/// The host and a guest who comes.
async fn world() -> World {
    World::with(Setup { event: &[("reminders.days", "365"), ("digest.cron", "0 8 1 1 *")], ..Setup::default() }).await
}

/// A host's own words are of use while the event is on, and after it.
#[tokio::test]
async fn words_of_a_host_after_the_event_has_begun() {
    let world = world().await;
    let (mia, anna) = (world.telegram("mia"), world.telegram("anna"));
    mia.comes_in("M9STHE Hart").await;
    anna.comes_in("K7QF2M Holloway").await;
    anna.says("only me").await.says("they answer themselves").await.says("none").await.says("yes").await.skips_all();
    world.clock.set("2026-11-28T22:30:00Z".parse().unwrap());
    mia.skips_all().says("/broadcast The last bus leaves at 23:00.").await;
    mia.presses("To those coming (1)").await.sees_in_passing("1 message is on the way");
    world.pass(TimeDelta::seconds(10)).await;
    anna.sees("The last bus leaves at 23:00.").sees_nothing_more();
    mia.skips_all().says("/tell").await.sees("Harbour Supper has begun: it is too late to tell of changes.");
    // The day after, at night: it waits until people are up.
    world.clock.set("2026-11-29T23:00:00Z".parse().unwrap());
    mia.skips_all().says("/reply Anna Holloway You left your hat.").await;
    mia.sees("It goes to Anna Holloway. It goes at Mon 30 Nov 2026, 09:00");
    world.live_until("2026-11-30T08:59:00Z").await;
    anna.sees_nothing_more();
    world.live_until("2026-11-30T09:01:00Z").await;
    anna.sees("for Anna: You left your hat.").sees_nothing_more();
    world.ignore_the_rest().await;
}

/// Whoever is in the middle of a conversation gets the answer at once, however late it is.
#[tokio::test]
async fn a_reply_at_night_to_whoever_just_wrote() {
    let world = world().await;
    let (mia, anna) = (world.telegram("mia"), world.telegram("anna"));
    mia.comes_in("M9STHE Hart").await;
    world.clock.set("2026-11-03T22:50:00Z".parse().unwrap());
    anna.comes_in("K7QF2M Holloway").await;
    mia.says("/reply Anna Holloway Of course!").await.sees("It goes to Anna Holloway.").sees_nothing_more();
    world.pass(TimeDelta::seconds(5)).await;
    anna.sees("for Anna: Of course!").sees_nothing_more();
    world.ignore_the_rest().await;
}
