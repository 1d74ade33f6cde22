//! What a host does in the chat, and what they are told.

use chrono::TimeDelta;
use fakes::telegram::Answer as Telegram;

use crate::{
    fixtures::PHONE,
    world::{Setup, World},
};

/// A message to all: counted, confirmed, sent, and reported with whom it did not reach.
#[tokio::test]
async fn a_message_to_all() {
    let world = World::with(Setup { event: &[("reminders.days", "365")], ..Setup::default() }).await;
    let (mia, anna, ben) = (world.telegram("mia"), world.telegram("anna"), world.telegram("ben"));
    let maria = world.phone(PHONE);
    mia.comes_in("M9STHE Hart").await;
    anna.comes_in("K7QF2M Holloway").await;
    ben.comes_in("B3NH4Z Holloway").await;
    maria.comes_in("H4TR8W Santos").await;
    mia.says("/broadcast The bus leaves at 17:00 <sharp> & we won't wait.").await;
    mia.sees("The bus leaves at 17:00 <sharp> & we won't wait. … To all: 3 messages, 1 of them by SMS (1 segment).");
    world.telegram.answer_next_to(ben.id(), "sendMessage", Telegram::Blocked);
    mia.presses("To all (3)").await;
    mia.sees("3 messages are on the way");
    world.pass(TimeDelta::minutes(1)).await;
    anna.sees("Harbour Supper, for Anna: The bus leaves at 17:00 <sharp> & we won't wait.").sees_nothing_more();
    maria.sees("Harbour Supper, for Maria: The bus leaves at 17:00 <sharp> & we won't wait.").sees_nothing_more();
    mia.sees("your message went to 2 of 3 addresses. It did not reach");
    mia.sees_nothing_more();
    world.finish_leaving("1 failed").await;
}

/// A guest leaves a message, the host answers; an answer told by phone is entered, and the guest hears of it.
#[tokio::test]
async fn a_host_answers_and_enters_answers() {
    let world = World::with(Setup { event: &[("reminders.days", "365")], ..Setup::default() }).await;
    let (mia, maria) = (world.telegram("mia"), world.phone(PHONE));
    mia.comes_in("M9STHE Hart").await;
    maria.comes_in("H4TR8W Santos").await;
    maria.texts("message").await.skips(1);
    maria.texts("Is there parking?").await.skips_all();
    world.pass(TimeDelta::seconds(5)).await;
    mia.sees("a message from Maria Santos: Is there parking?");
    mia.says("/reply H4TR8W Yes, behind the house.").await.sees("It goes to Maria Santos");
    world.pass(TimeDelta::seconds(5)).await;
    maria.sees("for Maria: Yes, behind the house.");
    mia.says("/mark H4TR8W coming").await.sees("To enter for Maria Santos … coming … So far … no answer yet");
    mia.presses("Yes, enter it").await.sees("Entered for Maria Santos").skips_all();
    world.pass(TimeDelta::seconds(5)).await;
    maria.sees("Mia answered for you (Harbour Supper): Coming: Maria.");
    assert_eq!(world.answers("H4TR8W").await, "Maria coming");
    // It is the host's doing, and the digest says so.
    mia.says("/digest").await.sees("Maria Santos: coming, entered by the host");
    // After the deadline too.
    world.clock.set("2026-11-22T12:00:00Z".parse().unwrap());
    mia.says("/mark H4TR8W no").await;
    mia.presses("Yes, enter it").await.skips_all();
    assert_eq!(world.answers("H4TR8W").await, "Maria declined");
    world.ignore_the_rest().await;
}

/// The first text to a phone, at the host's word; and word of a change to those who come.
#[tokio::test]
async fn an_invitation_and_a_change_of_place() {
    let guests = "code,first_name,last_name,phone,admin\nB8TAN7,Bob,Tanner,07700 900177,\nM9STHE,Mia,Hart,,yes\n";
    let world = World::with(Setup { event: &[("reminders.days", "365")], guests, ..Setup::default() }).await;
    let (mia, bob) = (world.telegram("mia"), world.phone("+447700900177"));
    mia.comes_in("M9STHE Hart").await;
    mia.says("/invite").await.sees("1 invitation goes out by SMS (1 segment)");
    mia.presses("Send it").await.skips_all();
    world.pass(TimeDelta::seconds(5)).await;
    bob.sees("Mia, 07700 900555 invites Bob to Harbour Supper, Sat 28 Nov 2026, 18:00 … reply with Bob's last name");
    bob.texts("Tanner").await.sees("Welcome, Bob!").skips_all();
    bob.texts("1").await.texts("none").await.texts("1").await.skips_all();
    world.set_event(&[("place", "The pier")]).await;
    world.pass(TimeDelta::seconds(5)).await;
    mia.sees("Harbour Supper has changed. Shall I tell those who are coming (1 invitation)?");
    mia.presses("Tell them").await.sees("1 message, 1 of them by SMS");
    mia.presses("Send it").await.skips_all();
    world.pass(TimeDelta::seconds(5)).await;
    bob.sees("Harbour Supper has changed, Bob. This is how it is now: … Where: The pier").sees_nothing_more();
    world.finish().await;
}

/// A host calls the event off, tells those who were coming, and takes it back.
#[tokio::test]
async fn an_event_that_is_called_off() {
    let world = World::with(Setup { event: &[("digest.cron", "0 8 1 1 *")], ..Setup::default() }).await;
    let (mia, anna) = (world.telegram("mia"), world.telegram("anna"));
    mia.comes_in("M9STHE Hart").await.skips_all();
    anna.comes_in("K7QF2M Holloway").await;
    anna.says("all").await.says("none for any of us").await;
    anna.says("yes").await.skips_all();
    let sequence = world.process.app.one_event(None).await.unwrap().version;
    world.set_event(&[("cancelled", "true")]).await;
    world.pass(TimeDelta::seconds(5)).await;
    mia.sees("Harbour Supper is off. Shall I tell those who were coming (3 invitations)?");
    mia.presses("Tell them").await.sees("1 message");
    mia.presses("Send it").await.skips_all();
    world.pass(TimeDelta::seconds(5)).await;
    anna.sees("Anna, Ben and Cleo: Harbour Supper has been cancelled. … harbour-supper.ics").sees_nothing_more();
    assert!(world.process.app.one_event(None).await.unwrap().version > sequence);
    anna.says("change").await.sees("Harbour Supper has been cancelled.").skips_all();
    mia.says("/remind").await.sees("Harbour Supper has been cancelled.").sees_nothing_more();
    world.live_until("2026-11-10T12:00:00Z").await;
    anna.sees_nothing_more();
    world.set_event(&[("cancelled", "false")]).await;
    world.pass(TimeDelta::seconds(5)).await;
    mia.sees("Harbour Supper has changed. Shall I tell those who are coming (3 invitations)?");
    anna.says("change").await.sees("How many of the 3 of you are coming?").sees_nothing_more();
    world.ignore_the_rest().await;
}

/// For whoever is no host these words mean nothing, and a host who is none any more is none at once.
#[tokio::test]
async fn only_hosts() {
    let world = World::new().await;
    let (mia, anna) = (world.telegram("mia"), world.telegram("anna"));
    anna.comes_in("K7QF2M Holloway").await;
    anna.says("/pending").await.sees("I did not understand that").skips_all();
    mia.comes_in("M9STHE Hart").await;
    mia.says("/pending").await.sees("Harbour Supper, still out: 7 invitations … Anna Holloway").skips_all();
    world.import("code,last_name,admin\nM9STHE,,-\nK7QF2M,,yes\n").await;
    mia.says("/pending").await.sees("I did not understand that").skips_all();
    anna.says("/pending").await.sees("Harbour Supper, still out: 7 invitations").skips_all();
    world.finish().await;
}

/// Hosts choose what they are told at once.
#[tokio::test]
async fn news_at_once_can_be_switched_off() {
    for (wanted, sees) in [("extras,messages", true), ("none", false)] {
        let event: &'static [(&str, &str)] =
            if sees { &[("digest.at_once", "extras,messages")] } else { &[("digest.at_once", "none")] };
        assert_eq!(event[0].1, wanted);
        let world = World::with(Setup { event, ..Setup::default() }).await;
        let (mia, maria) = (world.telegram("mia"), world.phone(PHONE));
        mia.comes_in("M9STHE Hart").await;
        maria.comes_in("H4TR8W Santos").await;
        maria.texts("message").await.texts("Parking?").await.skips_all();
        world.pass(TimeDelta::seconds(5)).await;
        if sees {
            mia.sees("Parking?");
        }
        mia.sees_nothing_more();
        world.ignore_the_rest().await;
    }
}

/// A message that takes its time: the host sees how far it is, and what became of it.
#[tokio::test]
async fn a_message_to_many_is_reported_on_while_it_goes() {
    let world = World::with(Setup { event: &[("reminders.days", "365")], ..Setup::default() }).await;
    let rows = (10..60).map(|number| format!("Guest{number},Choir,077009001{number}\n"));
    let file: String = std::iter::once("first_name,last_name,phone\n".to_owned()).chain(rows).collect();
    world.import(&file).await;
    let mia = world.telegram("mia");
    mia.comes_in("M9STHE Hart").await;
    mia.says("/broadcast The bus leaves at 17:00.").await.sees("To all: 50 messages, 50 of them by SMS");
    mia.presses("To all (50)").await.sees("50 messages are on the way; that takes about 50 s");
    world.pass(TimeDelta::seconds(29)).await;
    mia.sees_nothing_more();
    world.pass(TimeDelta::seconds(3)).await;
    mia.sees("Harbour Supper: 3… of 50 messages have gone out so far.").sees_nothing_more();
    world.pass(TimeDelta::minutes(15)).await;
    mia.sees("your message went to 50 of 50 addresses. It did not reach").sees_nothing_more();
    world.ignore_the_rest().await;
}

/// The host moves the deadline in the chat: answers close by the new one, and reminders go by it.
#[tokio::test]
async fn a_host_moves_the_deadline() {
    let world = World::with(Setup { event: &[("reminders.days", "12,3")], ..Setup::default() }).await;
    let (mia, anna) = (world.telegram("mia"), world.telegram("anna"));
    mia.comes_in("M9STHE Hart").await;
    anna.comes_in("K7QF2M Holloway").await;
    world.tick().await;
    mia.says("/deadline 12 Nov 18:00").await;
    mia.sees(
        "Answers would close Thu 12 Nov 2026, 18:00 … so far it is Fri 20 Nov 2026, end of day … is reminded on … 9 Nov … set it",
    );
    mia.presses("Yes, set it").await.sees("Answers now close Thu 12 Nov 2026, 18:00").skips_all();
    mia.says("/deadline").await.sees("Answers close in 10 days (Thu 12 Nov, 18:00").skips_all();
    // The reminder of twelve days before would have been due before it was changed: it is not made up for.
    world.live_until("2026-11-09T09:30:00Z").await;
    anna.sees_nothing_more();
    world.live_until("2026-11-09T10:30:00Z").await;
    anna.sees("12 Nov").sees_nothing_more();
    world.clock.set("2026-11-12T18:00:00Z".parse().unwrap());
    anna.says("all").await.sees("answers closed on Thu 12 Nov, 18:00");
    // Too late for that, and too late at all.
    mia.skips_all().says("/deadline 11 Nov").await.sees("That has passed: Wed 11 Nov");
    mia.says("/deadline 29 Nov").await.sees("Answers cannot close after the event starts (Sat 28 Nov 2026, 18:00");
    mia.says("/deadline whenever").await.sees("I cannot read when that is. … /deadline 12 June 18:00");
    world.ignore_the_rest().await;
}

/// Hosts hear that the event is full once, and again only after seats had become free.
#[tokio::test]
async fn an_event_that_becomes_full() {
    let event = &[("capacity", "3"), ("reminders.days", "1"), ("digest.cron", "0 8 1 1 *")];
    let world = World::with(Setup { event, ..Setup::default() }).await;
    let (mia, bob) = (world.telegram("mia"), world.telegram("bob"));
    mia.comes_in("M9STHE Hart").await;
    bob.comes_in("B8TAN7 Tanner").await;
    let answers = async |texts: &[&str]| {
        for text in texts {
            bob.says(text).await;
        }
        bob.sees_in_passing("Saved").skips_all();
        world.live(TimeDelta::minutes(1), TimeDelta::seconds(15)).await;
    };
    world.tick().await;
    answers(&["3", "none", "yes"]).await;
    mia.sees("Harbour Supper is full: 3 … coming, for 3 seats.").sees_nothing_more();
    answers(&["change", "3", "vegan", "yes"]).await;
    mia.sees_nothing_more();
    answers(&["decline", "yes"]).await;
    mia.sees_nothing_more();
    answers(&["change", "3", "none", "yes"]).await;
    mia.sees("Harbour Supper is full").sees_nothing_more();
    // More than there are seats is news of its own, once.
    world.set_event(&[("digest.at_once", "full")]).await;
    answers(&["change", "5", "yes", "none", "yes"]).await;
    mia.sees("Harbour Supper is full: 5 people are coming, for 3 seats: 2 more than seats.").sees_nothing_more();
    mia.says("/digest").await.sees("Overbooked: 2 more than seats.").skips_all();
    world.ignore_the_rest().await;
}

/// Guests abroad are not woken: where a phone tells the zone, that counts.
#[tokio::test]
async fn a_phone_abroad_has_hours_of_its_own() {
    let guests = "code,first_name,last_name,phone\nB8TAN7,Bob,Tanner,+46701234567\nH4TR8W,Maria,Santos,+12025550123\n";
    let event = &[("time_zone", "Asia/Tokyo"), ("reminders.days", "3"), ("reminders.at", "10:00")];
    let world = World::with(Setup { event, guests, ..Setup::default() }).await;
    let (bob, maria) = (world.phone("+46701234567"), world.phone("+12025550123"));
    world.tick().await;
    // Ten o'clock in Tokyo is two in the morning in Stockholm; of Washington nobody can tell.
    world.live_until("2026-11-17T01:30:00Z").await;
    maria.sees("Maria");
    bob.sees_nothing_more();
    world.live_until("2026-11-17T07:59:00Z").await;
    bob.sees_nothing_more();
    world.live_until("2026-11-17T08:01:00Z").await;
    bob.sees("Bob");
    world.ignore_the_rest().await;
}

/// A way into the host's desk, for the host who asks for it; it opens once.
#[tokio::test]
async fn a_link_into_the_hosts_desk() {
    let world = World::new().await;
    let (mia, anna) = (world.telegram("mia"), world.telegram("anna"));
    anna.comes_in("K7QF2M Holloway").await;
    anna.says("/admin").await.sees("I did not understand that").skips_all();
    mia.comes_in("M9STHE Hart").await;
    let link = async || {
        mia.says("/admin")
            .await
            .sees("for you alone. It opens once, within 10 minutes: https://rsvp.example.org/admin/link/");
        let shown = world.telegram.last(mia.id()).unwrap().text;
        shown.rsplit("/admin/link/").next().unwrap().trim().to_owned()
    };
    let (used, late) = (link().await, link().await);
    assert_ne!(used, late);
    let opens = async |link: &str| world.process.app.use_host_link(link).await.unwrap().map(|host| host.id);
    let host = world.guest("M9STHE").await.id;
    assert_eq!((opens(&used).await, opens(&used).await), (Some(host), None));
    world.advance(TimeDelta::minutes(10));
    assert_eq!(opens(&late).await, None);
    // Whoever is no host any more has no way in with a link from before.
    let kept = link().await;
    world.import("code,last_name,admin\nM9STHE,,-\nK7QF2M,,yes\n").await;
    assert_eq!(opens(&kept).await, None);
    mia.says("/admin").await.sees("I did not understand that").skips_all();
    world.finish().await;
}

/// What became of a message to many: a text that went instead of a refused one counts, and whoever was erased before
/// it went was not reached.
#[tokio::test]
async fn a_report_counts_what_arrived() {
    let world = World::with(Setup { event: &[("reminders.days", "365")], ..Setup::default() }).await;
    world.import("code,last_name,phone\nK7QF2M,,07700 900177\n").await;
    let (mia, anna, ben) = (world.telegram("mia"), world.telegram("anna"), world.telegram("ben"));
    mia.comes_in("M9STHE Hart").await;
    anna.comes_in("K7QF2M Holloway").await;
    ben.comes_in("B3NH4Z Holloway").await;
    mia.says("/broadcast The bus leaves at 17:00.").await.sees("To all: 2 messages");
    world.telegram.answer_next_to(anna.id(), "sendMessage", Telegram::Blocked);
    world.telegram.answer_next_to(ben.id(), "sendMessage", Telegram::TooMany(30));
    mia.presses("To all (2)").await.sees("2 messages are on the way").skips_all();
    world.process.app.erase_guest(world.guest("B3NH4Z").await.id).await.unwrap();
    world.pass(TimeDelta::minutes(2)).await;
    world.phone("+447700900177").sees("for Anna: The bus leaves at 17:00.");
    mia.sees("your message went to 1 of 2 addresses. It did not reach Maria Santos (H4TR8W), Maria Santos (P9DX3C) and Bob Tanner").sees_nothing_more();
    ben.sees_nothing_more();
    world.ignore_the_rest().await;
}

/// A host reminds, then again, and then the schedule would: everybody is asked once.
#[tokio::test]
async fn nobody_is_asked_twice_in_a_row() {
    let event = &[("reminders.days", "12"), ("reminders.at", "10:00")];
    let world = World::with(Setup { event, ..Setup::default() }).await;
    let (mia, anna) = (world.telegram("mia"), world.telegram("anna"));
    mia.comes_in("M9STHE Hart").await;
    anna.comes_in("K7QF2M Holloway").await;
    world.tick().await;
    world.live_until("2026-11-08T09:10:00Z").await;
    let remind = async || {
        mia.says("/remind Anna Holloway").await.sees("1 reminder goes out");
        mia.presses("Send it").await.sees("1 reminder is on its way").skips_all();
        world.pass(TimeDelta::seconds(5)).await;
        anna.sees("Anna, Ben and Cleo").skips_all().sees_nothing_more();
    };
    remind().await;
    mia.says("/remind Anna Holloway")
        .await
        .sees("3 guests were asked in the last 2 hours, or will be shortly")
        .skips_all();
    world.live_until("2026-11-08T11:09:00Z").await;
    mia.sees("no answer yet from Mia").skips_all();
    anna.sees_nothing_more();
    world.live_until("2026-11-08T11:11:00Z").await;
    anna.sees_nothing_more();
    remind().await;
    world.ignore_the_rest().await;
}

/// A reminder that nobody got is no reason not to send the next.
#[tokio::test]
async fn a_refused_reminder_is_no_reminder() {
    let world = World::with(Setup { event: &[("reminders.days", "365")], ..Setup::default() }).await;
    let (mia, anna) = (world.telegram("mia"), world.telegram("anna"));
    mia.comes_in("M9STHE Hart").await;
    anna.comes_in("K7QF2M Holloway").await;
    world.pass(TimeDelta::hours(1)).await;
    world.telegram.answer_next_to(anna.id(), "sendMessage", Telegram::Status(400));
    for arrives in [false, true] {
        mia.says("/remind Anna Holloway").await.sees("1 reminder goes out");
        mia.presses("Send it").await.sees("1 reminder is on its way").skips_all();
        world.pass(TimeDelta::seconds(5)).await;
        if arrives {
            anna.sees("Anna, Ben and Cleo").skips_all();
        }
        anna.sees_nothing_more();
        // The question of the first was open for a while.
        world.pass(TimeDelta::minutes(31)).await;
    }
    world.ignore_the_rest().await;
}
