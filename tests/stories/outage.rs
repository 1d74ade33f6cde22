//! Providers that are down, slow, or ask to wait; and then they are back.

use std::time::Duration;

use chrono::TimeDelta;
use fakes::{telegram::Answer as Telegram, twilio::Answer as Twilio};
use store::EntryStatus;

use crate::{
    fixtures::PHONE,
    world::{Setup, World},
};

/// Short, since it is waited for; long enough for everything that does not hang.
const IMPATIENT: Duration = Duration::from_secs(3);

/// Nothing arrives while a guest goes on writing. Afterwards everything does that says something, in its order; the
/// questions that others have followed do not.
#[tokio::test]
async fn telegram_is_down_and_back() {
    let world = World::new().await;
    let anna = world.telegram("anna");
    world.telegram.fail_all(Telegram::Html502);
    anna.says("K7QF2M Holloway").await;
    world.pass(TimeDelta::minutes(1)).await;
    anna.says("all").await;
    anna.says("none for any of us").await;
    anna.says("yes").await;
    world.pass(TimeDelta::minutes(10)).await;
    anna.sees_nothing_more();
    world.telegram.mend();
    world.pass(TimeDelta::minutes(1)).await;
    anna.sees("Welcome, Anna!").sees("Is this right?").sees("Saved. Thank you!").sees("harbour-supper.ics");
    assert_eq!(world.answers("K7QF2M").await, "Anna coming, Ben coming, Cleo coming");
    world.finish_leaving("2 dropped").await;
}

#[tokio::test]
async fn twilio_is_down_and_back() {
    let world = World::new().await;
    let anna = world.phone(PHONE);
    world.twilio.answer([Twilio::Page(502), Twilio::Page(503), Twilio::Page(500)]);
    anna.texts("K7QF2M Holloway").await;
    anna.texts("all").await;
    anna.sees_nothing_more();
    // The number was not meant for a question that nobody had seen; the word was.
    world.pass(TimeDelta::seconds(20)).await;
    anna.sees("Welcome, Anna!").sees("dietary needs");
    world.finish_leaving("1 dropped").await;
}

/// Both providers cannot even be connected to when the program starts.
#[tokio::test]
async fn providers_refuse_connections_at_first() {
    let setup = Setup { telegram_is_unreachable: true, twilio_is_unreachable: true, ..Setup::default() };
    let mut world = World::with(setup).await;
    world.telegram("anna").says("K7QF2M Holloway").await.sees_nothing_more();
    world.phone(PHONE).texts("B3NH4Z Holloway").await.sees_nothing_more();
    assert_eq!(world.left_over().await, "4 pending");
    world.telegram_appears();
    world.pass(TimeDelta::seconds(5)).await;
    world.telegram("anna").sees("Welcome, Anna!").sees("How many");
    world.phone(PHONE).sees_nothing_more();
    world.twilio_appears();
    world.pass(TimeDelta::minutes(1)).await;
    world.phone(PHONE).sees("Welcome, Ben!").sees("how many");
    world.finish().await;
}

/// Telegram has a message and does not say so: it is sent once more, and may be there twice, but never a third time.
#[tokio::test]
async fn telegram_hangs_once() {
    let world = World::with(Setup { request_timeout: IMPATIENT, ..Setup::default() }).await;
    let anna = world.telegram("anna");
    anna.says("hello").await.skips(1);
    world.telegram.answer_next("sendMessage", Telegram::HangAfterStoring);
    anna.says("K7QF2M Holloway").await.sees("Welcome").sees_nothing_more();
    world.pass(TimeDelta::seconds(5)).await;
    anna.sees("Welcome").sees("How many").sees_nothing_more();
    world.finish().await;
}

/// Twice without a word: nobody knows, the host can see it, and what comes after it goes its way.
#[tokio::test]
async fn telegram_hangs_twice() {
    let world = World::with(Setup { request_timeout: IMPATIENT, ..Setup::default() }).await;
    let anna = world.telegram("anna");
    anna.says("hello").await.skips(1);
    world.telegram.answer_next("sendMessage", Telegram::Hang);
    world.telegram.answer_next("sendMessage", Telegram::CutConnection);
    anna.says("K7QF2M Holloway").await;
    world.pass(TimeDelta::seconds(5)).await;
    anna.sees("How many").sees_nothing_more();
    let unknown = world.entries(EntryStatus::Unknown).await;
    assert_eq!(unknown.len(), 1);
    assert_eq!((&unknown[0].address, unknown[0].attempts), (&anna.address(), 2));
    assert!(unknown[0].text.as_ref().unwrap().text.contains("Welcome"));
    assert!(unknown[0].reason.is_some());
    anna.presses("All 3").await.sees("dietary needs");
    world.finish_leaving("1 unknown").await;
}

/// Twilio can be asked what it has.
#[tokio::test]
async fn twilio_does_not_say_whether_it_has_a_text() {
    let world = World::with(Setup { request_timeout: IMPATIENT, ..Setup::default() }).await;
    let anna = world.phone(PHONE);
    // It has the first one and not the second; and at first it cannot be asked either.
    world.twilio.answer([Twilio::HangAfterStoring]);
    world.twilio.answer_to_lists([Twilio::Page(502), Twilio::Accept]);
    anna.texts("K7QF2M Holloway").await.sees("Welcome").sees_nothing_more();
    world.pass(TimeDelta::seconds(10)).await;
    anna.sees_nothing_more();
    world.pass(TimeDelta::minutes(1)).await;
    anna.sees("how many").sees_nothing_more();

    world.twilio.answer([Twilio::CutBeforeStoring]);
    anna.texts("all").await.sees_nothing_more();
    world.pass(TimeDelta::seconds(10)).await;
    anna.sees("dietary needs").sees_nothing_more();

    // The same words twice in a row are two texts: the one that exists already is not taken for the other.
    anna.texts("details").await.sees("Harbour Supper").sees("dietary needs");
    world.twilio.answer([Twilio::CutBeforeStoring]);
    anna.texts("details").await.sees_nothing_more();
    world.pass(TimeDelta::seconds(10)).await;
    anna.sees("Harbour Supper").sees("dietary needs");
    world.finish().await;
}

/// One chat has to wait; the others do not, and everything arrives exactly once.
#[tokio::test]
async fn one_chat_is_asked_to_wait() {
    let world = World::new().await;
    let (anna, ben) = (world.telegram("anna"), world.telegram("ben"));
    world.telegram.meet(anna.id());
    world.telegram.answer_next_to(anna.id(), "sendMessage", Telegram::TooMany(7));
    anna.says("K7QF2M Holloway").await.sees_nothing_more();
    ben.comes_in("B3NH4Z Holloway").await;
    ben.says("status").await.skips(2);
    world.pass(TimeDelta::milliseconds(6900)).await;
    anna.says("details").await.sees_nothing_more();
    assert_eq!(world.telegram.calls("sendMessage"), 5, "nobody asks again before it is time");
    world.pass(TimeDelta::milliseconds(100)).await;
    anna.sees("Welcome").sees("How many").sees("Where: The Old Boathouse").sees("How many");
    world.finish().await;
}

/// A second chat that has to wait is a sign that we are too fast: what Convive starts waits, replies do not.
#[tokio::test]
async fn two_chats_are_asked_to_wait() {
    let world = World::new().await;
    let (anna, ben, cleo) = (world.telegram("anna"), world.telegram("ben"), world.telegram("cleo"));
    anna.comes_in("K7QF2M Holloway").await;
    ben.comes_in("B3NH4Z Holloway").await;
    cleo.comes_in("C7E9HW Holloway").await;
    anna.presses("All 3").await.skips(1);
    anna.presses("None for any of us").await.skips(1);
    for chat in [&ben, &cleo] {
        world.telegram.answer_next_to(chat.id(), "sendMessage", Telegram::TooMany(7));
    }
    anna.presses("Yes, save it").await.sees("Saved").skips(1);
    let before = world.telegram.calls("sendMessage");
    let (stranger, mia) = (world.telegram("stranger"), world.telegram("mia"));
    // Others are answered; what is for the host waits, and so does whatever is for the chats themselves.
    mia.comes_in("M9STHE Hart").await;
    stranger.says("hello").await.sees("Hello!");
    anna.says("message").await.skips(1);
    anna.says("Can we bring the dog?").await.skips(1);
    ben.says("mine").await.sees_nothing_more();
    world.pass(TimeDelta::milliseconds(6900)).await;
    for chat in [&ben, &cleo, &mia] {
        chat.sees_nothing_more();
    }
    assert_eq!(world.telegram.calls("sendMessage"), before + 5, "nobody is tried before it is time");
    world.pass(TimeDelta::seconds(4)).await;
    ben.sees("How it stands").sees("How many").sees("Anna answered for you").sees_nothing_more();
    cleo.sees("Anna answered for you").sees_nothing_more();
    mia.sees("Can we bring the dog?").sees_nothing_more();
    world.finish().await;
}

#[tokio::test]
async fn twilio_asks_to_wait() {
    let world = World::new().await;
    let anna = world.phone(PHONE);
    world.twilio.answer_to(PHONE, [Twilio::TooMany(Some(7)), Twilio::Refuse(21611)]);
    anna.texts("K7QF2M Holloway").await;
    world.phone("+447700900124").comes_in("B3NH4Z Holloway").await;
    world.pass(TimeDelta::seconds(66)).await;
    anna.sees_nothing_more();
    world.pass(TimeDelta::seconds(2)).await;
    anna.sees("Welcome").sees("how many");
    world.finish().await;
}

/// The token is refused: everything waits, the page for the keeper says why, and nothing is lost.
#[tokio::test]
async fn the_account_is_refused_for_a_while() {
    let world = World::new().await;
    let anna = world.telegram("anna");
    world.telegram.fail_all(Telegram::Status(401));
    anna.says("K7QF2M Holloway").await.sees_nothing_more();
    let ready = world.process.get("/readyz").await;
    assert_eq!(ready.status, 200, "messages can be taken in");
    assert!(ready.body.contains("telegram.token"), "{}", ready.body);
    world.pass(TimeDelta::minutes(5)).await;
    world.advance(TimeDelta::days(2));
    world.pump().await;
    world.telegram.mend();
    world.pass(TimeDelta::minutes(1)).await;
    anna.sees("Welcome").sees("How many");
    assert!(!world.process.get("/readyz").await.body.contains("telegram.token"));
    world.finish().await;
}

/// A chat that moved is followed, with everything that waits for it.
#[tokio::test]
async fn a_group_chat_moves() {
    let world = World::new().await;
    let (group, supergroup) = (-4_000_001, -1_000_000_000_001);
    let asks = crate::chat::group_message(&world.telegram, group, world.telegram("anna").id(), "/start");
    world.telegram.answer_next_to(group, "sendMessage", Telegram::Moved(supergroup));
    world.hear(asks).await;
    world.pass(TimeDelta::seconds(2)).await;
    assert_eq!(world.telegram.messages(group), []);
    let there = world.telegram.messages(supergroup);
    assert_eq!(there.len(), 1);
    assert!(there[0].text.contains("private chat"), "{}", there[0].text);
    world.finish().await;
}
