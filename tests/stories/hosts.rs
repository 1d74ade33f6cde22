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
    mia.sees("3 messages are on the way … Are you coming?");
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
    mia.says("/invite").await.sees("1 invitation goes out by SMS (2 segments)");
    mia.presses("Send it").await.skips_all();
    world.pass(TimeDelta::seconds(5)).await;
    bob.sees("Mia, 07700 900555 invites Bob to Harbour Supper, Sat 28 Nov 2026, 18:00 … reply with Bob's last name");
    bob.texts("Tanner").await.sees("Welcome, Bob!").skips_all();
    bob.texts("1").await.texts("none").await.texts("1").await.skips_all();
    let place = [("place".to_owned(), "The pier".to_owned())];
    world.process.app.set_event(None, &place, &app::command_line()).await.unwrap();
    world.pass(TimeDelta::seconds(5)).await;
    mia.sees("Harbour Supper has changed. Shall I tell those who are coming (1 invitation)?");
    mia.presses("Tell them").await.sees("1 message, 1 of them by SMS");
    mia.presses("Send it").await.skips_all();
    world.pass(TimeDelta::seconds(5)).await;
    bob.sees("Harbour Supper has changed, Bob. This is how it is now: … Where: The pier").sees_nothing_more();
    world.finish().await;
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
