//! People who cannot be reached, or do not want to be.

use chrono::TimeDelta;
use domain::{activity::Happening, address::Address};
use fakes::{telegram::Answer as Telegram, twilio::Answer as Twilio};
use store::{DeliveryStatus, EntryStatus};

use crate::{
    fixtures::{OURS, PHONE},
    world::{Setup, World},
};

const OUR_KEYWORDS: Setup = Setup {
    now: "2026-11-02T10:00:00Z",
    guests: "code,first_name,last_name\nK7QF2M,Anna,Holloway\n",
    event: &[],
    settings: &[("CONVIVE__TWILIO__PROVIDER_KEYWORDS", "false")],
    telegram_is_unreachable: false,
    twilio_is_unreachable: false,
    request_timeout: std::time::Duration::from_secs(10),
    on_mongodb: false,
};

async fn is_unreachable(world: &World, address: &Address) -> bool {
    world.store().conversation(address).await.unwrap().unwrap().unreachable
}

async fn is_opted_out(world: &World, address: &Address) -> bool {
    world.store().conversation(address).await.unwrap().unwrap().opted_out
}

/// Anna answers for all.
async fn anna_says_that_all_come(world: &World) {
    let anna = world.telegram("anna");
    anna.says("all").await;
    anna.says("none for any of us").await;
    anna.says("yes").await;
    world.pass(TimeDelta::seconds(3)).await;
    anna.skips_all();
}

/// And changes her mind.
async fn anna_says_that_nobody_comes(world: &World) {
    let anna = world.telegram("anna");
    anna.says("decline").await;
    anna.presses("Nobody is coming").await;
    anna.says("yes").await;
    world.pass(TimeDelta::seconds(3)).await;
    anna.skips_all();
}

/// One of three has blocked the bot: the others hear all the same, and nobody tries again until they write.
#[tokio::test]
async fn somebody_has_blocked_the_bot() {
    for refusal in [Telegram::Blocked, Telegram::Deactivated, Telegram::ChatNotFound] {
        let world = World::new().await;
        let (anna, ben, cleo) = (world.telegram("anna"), world.telegram("ben"), world.telegram("cleo"));
        anna.comes_in("K7QF2M Holloway").await;
        ben.comes_in("B3NH4Z Holloway").await;
        cleo.comes_in("C7E9HW Holloway").await;
        world.telegram.answer_next_to(ben.id(), "sendMessage", refusal);
        anna_says_that_all_come(&world).await;
        cleo.sees("Anna answered for you");
        ben.sees_nothing_more();
        assert!(is_unreachable(&world, &ben.address()).await);
        assert_eq!(world.entries(EntryStatus::Failed).await.len(), 1);

        // Not tried again.
        anna_says_that_nobody_comes(&world).await;
        world.pass(TimeDelta::hours(1)).await;
        cleo.sees("Anna answered for you");
        ben.sees_nothing_more();
        assert_eq!(world.entries_to(&ben.address()).await.iter().filter(|entry| !entry.is_reply).count(), 1);

        // Until he writes.
        ben.says("status").await.sees("How it stands").skips_all();
        assert!(!is_unreachable(&world, &ben.address()).await);
        anna.says("change").await;
        anna_says_that_all_come(&world).await;
        world.pass(TimeDelta::hours(1)).await;
        ben.sees("Anna answered for you");
        cleo.sees("Anna answered for you");
        assert_eq!(world.entries(EntryStatus::Failed).await.len(), 1);
        world.ignore_the_rest().await;
    }
}

/// Telegram says so itself when somebody blocks or unblocks the bot.
#[tokio::test]
async fn blocking_and_unblocking_is_told() {
    let world = World::new().await;
    let (anna, ben) = (world.telegram("anna"), world.telegram("ben"));
    ben.comes_in("B3NH4Z Holloway").await;
    world.hear(world.telegram.block(ben.id(), true)).await;
    assert!(is_unreachable(&world, &ben.address()).await);
    anna.comes_in("K7QF2M Holloway").await;
    anna_says_that_all_come(&world).await;
    ben.sees_nothing_more();
    assert_eq!(world.telegram.calls("sendMessage"), 7, "nobody writes to him");
    world.hear(world.telegram.block(ben.id(), false)).await;
    assert!(!is_unreachable(&world, &ben.address()).await);
    anna_says_that_nobody_comes(&world).await;
    ben.sees("Anna answered for you (Harbour Supper): … Ben: not coming");
    world.finish().await;
}

/// Twilio answers STOP and START; we only take note, and nothing more is sent.
#[tokio::test]
async fn stop_and_start_at_the_provider() {
    let world = World::new().await;
    for (number, word) in ["STOP", " stop ", "CANCEL", "REVOKE", "Unsubscribe"].into_iter().enumerate() {
        let anna = world.phone(&format!("+44770090030{number}"));
        anna.comes_in("K7QF2M Holloway").await;
        anna.texts(word).await.sees_nothing_more();
        assert!(is_opted_out(&world, &anna.address()).await, "{word}");
        anna.texts("all").await.sees_nothing_more();
        anna.texts("HELP").await.sees_nothing_more();
        assert_eq!(world.answers("K7QF2M").await, "Anna pending, Ben pending, Cleo pending", "{word}");
        anna.texts("START").await.sees_nothing_more();
        assert!(!is_opted_out(&world, &anna.address()).await);
        anna.texts("mine").await.sees("No answer yet").skips_all();
    }
    world.ignore_the_rest().await;
}

/// Opting out is between a phone and one number of ours.
#[tokio::test]
async fn stop_at_one_of_our_numbers() {
    let world = World::new().await;
    world.twilio.leave_keywords_alone();
    let anna = world.phone(PHONE);
    let elsewhere = "+447700900998";
    anna.comes_in("K7QF2M Holloway").await;
    world.hand_over(world.text_request(PHONE, elsewhere, "K7QF2M Holloway"), "<Response/>").await;
    anna.sees_in_passing("was just opened from another phone too").sees_in_passing("Welcome").skips(3);
    world.hand_over(world.text_request(PHONE, elsewhere, "STOP"), "<Response/>").await;
    assert!(is_opted_out(&world, &Address::sms(elsewhere, PHONE)).await);
    assert!(!is_opted_out(&world, &anna.address()).await);
    let replies: Vec<_> = world.twilio.texts().into_iter().filter(|text| !text.inbound).collect();
    let from = |number: &str| replies.iter().filter(|text| text.from.as_deref() == Some(number)).count();
    assert_eq!((from(OURS), from(elsewhere)), (3, 2), "a reply leaves from the number written to");
    world.hand_over(world.text_request(PHONE, elsewhere, "all"), "<Response/>").await;
    anna.texts("all").await.sees("dietary needs");
    world.ignore_the_rest().await;
}

/// What only means it is ours to honour, and is confirmed once; "no" is an answer.
#[tokio::test]
async fn stop_in_other_words() {
    let world = World::new().await;
    let anna = world.phone(PHONE);
    anna.comes_in("K7QF2M Holloway").await;
    anna.texts("NO").await.sees("Is nobody coming, or is it only you who cannot?");
    assert!(!is_opted_out(&world, &anna.address()).await);
    anna.texts("stop please.").await.sees("You will get no more texts from us. Text START").sees_nothing_more();
    anna.texts("stop please.").await.sees_nothing_more();
    anna.texts("1").await.sees_nothing_more();
    assert!(is_opted_out(&world, &anna.address()).await);
    assert_eq!(world.answers("K7QF2M").await, "Anna pending, Ben pending, Cleo pending");
    // YES is an answer too, and opts in first.
    anna.texts("yes").await;
    assert!(!is_opted_out(&world, &anna.address()).await);
    anna.skips_all();
    let activity = world.store().activity(&world.event_id().await, chrono::DateTime::UNIX_EPOCH).await.unwrap();
    let opts = |what: Happening| activity.iter().filter(|it| it.what == what).count();
    assert_eq!((opts(Happening::OptedOut), opts(Happening::OptedIn)), (1, 1));
    world.finish().await;
}

#[tokio::test]
async fn stop_start_and_help_are_ours() {
    let world = World::with(OUR_KEYWORDS).await;
    world.twilio.leave_keywords_alone();
    let anna = world.phone(PHONE);
    anna.comes_in("K7QF2M Holloway").await;
    anna.texts("HELP").await.sees("Text MINE").skips_all();
    anna.texts("STOP").await.sees("You will get no more texts from us").sees_nothing_more();
    anna.texts("STOP").await.sees_nothing_more();
    anna.texts("mine").await.sees_nothing_more();
    anna.texts("START").await.sees("Our texts are on again. … are you coming?");
    anna.texts("1").await.sees("dietary needs");
    world.finish().await;
}

/// The provider knows of an opt-out that we never heard of.
#[tokio::test]
async fn twilio_refuses_to_write_to_somebody() {
    let world = World::new().await;
    let anna = world.phone(PHONE);
    anna.texts("hello").await.skips(1);
    world.twilio.answer_to(PHONE, [Twilio::Refuse(21610)]);
    anna.texts("K7QF2M Holloway").await.sees_nothing_more();
    assert!(is_opted_out(&world, &anna.address()).await);
    world.pass(TimeDelta::hours(1)).await;
    anna.texts("all").await.sees_nothing_more();
    anna.texts("START").await;
    anna.texts("mine").await.sees("No answer yet").skips_all();
    world.finish_leaving("1 failed, 1 dropped").await;
}

/// The same, but Twilio took the text and says so only later.
#[tokio::test]
async fn twilio_reports_an_opt_out_later() {
    let world = World::new().await;
    let (anna, ben) = (world.phone(PHONE), world.telegram("ben"));
    anna.comes_in("K7QF2M Holloway").await;
    let sid = world.twilio.last_to(PHONE).unwrap().sid;
    for _ in 0..2 {
        world.hand_over(world.twilio.status_callback(&sid, "undelivered", Some(21610)).into(), "").await;
    }
    assert!(is_opted_out(&world, &anna.address()).await);
    let entry = world.entries_to(&anna.address()).await.pop().unwrap();
    assert_eq!((entry.delivery, entry.reason.as_deref()), (Some(DeliveryStatus::Undelivered), Some("21610")));
    // Ben answers for all: she is not written to.
    ben.comes_in("B3NH4Z Holloway").await;
    ben.says("all").await;
    ben.says("none for any of us").await;
    ben.says("yes").await;
    ben.skips_all();
    world.pass(TimeDelta::hours(1)).await;
    anna.sees_nothing_more();
    world.finish_leaving("1 failed").await;
}

/// Twilio took a text, and says later that it did not arrive: it has failed, and the host hears of it.
#[tokio::test]
async fn a_text_that_did_not_arrive() {
    let world = World::new().await;
    let (mia, maria) = (world.telegram("mia"), world.phone(PHONE));
    mia.comes_in("M9STHE Hart").await;
    maria.comes_in("H4TR8W Santos").await;
    mia.says("/digest").await.skips_all();
    let sid = world.twilio.last_to(PHONE).unwrap().sid;
    world.advance(TimeDelta::hours(2));
    world.hand_over(world.twilio.status_callback(&sid, "undelivered", Some(30005)).into(), "").await;
    let failed = world.entries(EntryStatus::Failed).await;
    assert_eq!((failed.len(), failed[0].reason.as_deref()), (1, Some("30005")));
    mia.says("/digest").await.sees("1 message could not be delivered.");
    world.finish_leaving("1 failed").await;
}

/// A number that takes no texts: failed, and not tried again.
#[tokio::test]
async fn a_landline() {
    let world = World::new().await;
    let anna = world.phone(PHONE);
    world.twilio.answer_to(PHONE, [Twilio::Refuse(21614)]);
    anna.texts("K7QF2M Holloway").await;
    world.pass(TimeDelta::minutes(5)).await;
    let failed = world.entries(EntryStatus::Failed).await;
    assert_eq!((failed.len(), failed[0].attempts), (1, 1));
    assert!(failed[0].reason.as_deref().unwrap().contains("21614"));
    anna.skips_all();
    world.finish_leaving("1 failed").await;
}

/// Reports come late, twice and in any order; the last word of a text stays its last word.
#[tokio::test]
async fn delivery_reports_in_any_order() {
    let orders: [(&[&str], DeliveryStatus); 5] = [
        (&["queued", "sent", "delivered"], DeliveryStatus::Delivered),
        (&["delivered", "sent", "queued", "sending"], DeliveryStatus::Delivered),
        (&["sent", "sending"], DeliveryStatus::Sent),
        (&["undelivered", "delivered"], DeliveryStatus::Undelivered),
        (&["delivered", "undelivered", "failed"], DeliveryStatus::Delivered),
    ];
    let world = World::new().await;
    for (number, (order, last)) in orders.into_iter().enumerate() {
        let phone = format!("+44770090020{number}");
        world.phone(&phone).texts("hello").await.skips(1);
        let sid = world.twilio.last_to(&phone).unwrap().sid;
        for status in order {
            world.hand_over(world.twilio.status_callback(&sid, status, None).into(), "").await;
        }
        let entry = world.entries_to(&Address::sms(OURS, &phone)).await.remove(0);
        let status = if last == DeliveryStatus::Undelivered { EntryStatus::Failed } else { EntryStatus::Sent };
        assert_eq!((entry.delivery, entry.status), (Some(last), status), "{order:?}");
    }
    world.finish_leaving("1 failed").await;
}

/// Twilio may report before we have taken note that it took the text.
#[tokio::test]
async fn a_delivery_report_that_is_early() {
    let world = World::new().await;
    let anna = world.phone(PHONE);
    world.courier_rests();
    anna.texts("hello").await;
    world.process.store.fail("settle", 2);
    world.pump().await;
    anna.sees("Hello!");
    let sid = world.twilio.last_to(PHONE).unwrap().sid;
    world.hand_over(world.twilio.status_callback(&sid, "delivered", None).into(), "").await;
    world.process.store.mend();
    world.courier_works().await;
    let entry = world.entries_to(&anna.address()).await.remove(0);
    assert_eq!((entry.delivery, entry.status), (Some(DeliveryStatus::Delivered), EntryStatus::Sent));
    world.finish().await;
}

/// At night nobody is woken for an answer; muted people are not told at all. A login is told at any hour.
#[tokio::test]
async fn notices_wait_for_the_morning() {
    let world = World::with(Setup { now: "2026-11-02T22:30:00Z", ..Setup::default() }).await;
    let (anna, ben, cleo) = (world.telegram("anna"), world.telegram("ben"), world.telegram("cleo"));
    anna.comes_in("K7QF2M Holloway").await;
    ben.comes_in("B3NH4Z Holloway").await;
    cleo.comes_in("C7E9HW Holloway").await;
    cleo.says("mute").await.skips_all();
    anna_says_that_all_come(&world).await;
    ben.sees_nothing_more();
    world.phone(PHONE).comes_in_after_answering("B3NH4Z Holloway").await;
    world.pass(TimeDelta::seconds(1)).await;
    ben.sees("was just opened from another phone too");
    world.pass(TimeDelta::hours(10)).await;
    ben.sees_nothing_more();
    world.pass(TimeDelta::minutes(30)).await;
    ben.sees("Anna answered for you");
    world.phone(PHONE).sees_nothing_more();
    cleo.sees_nothing_more();
    world.finish().await;
}

/// A phone that was never logged in wants no texts, another is out of service: no plan counts on them, and the host is
/// told whom to call and why.
#[tokio::test]
async fn phones_that_may_not_be_texted_are_told_to_the_host() {
    let guests = "code,first_name,last_name,phone,admin\nB8TAN7,Bob,Tanner,07700 900177,\n\
                  D4VJHN,Dave,Jones,07700 900178,\nE5MMAA,Emma,Stone,07700 900179,\nM9STHE,Mia,Hart,,yes\n";
    let world = World::with(Setup { guests, ..Setup::default() }).await;
    let (mia, bob, dave) = (world.telegram("mia"), world.phone("+447700900177"), world.phone("+447700900178"));
    let emma = world.phone("+447700900179");
    mia.comes_in("M9STHE Hart").await;
    world.twilio.answer_to("+447700900178", [Twilio::Refuse(21614)]);
    mia.says("/invite").await.sees("3 invitations go out by SMS");
    mia.presses("Send it").await.skips_all();
    world.pass(TimeDelta::seconds(5)).await;
    bob.sees("invites Bob");
    emma.sees("invites Emma");
    bob.texts("STOP").await;
    mia.says("/pending").await.sees("Bob Tanner (opted out) … Dave Jones (blocked) … Emma Stone");
    mia.says("/digest").await;
    mia.sees("To call, since no message reaches them: Bob Tanner (opted out) and Dave Jones (blocked).");
    mia.skips_all();
    world.pass(TimeDelta::hours(3)).await;
    mia.skips_all();
    mia.says("/remind").await.sees("2 reminders go out (1 by SMS … No message reaches Bob Tanner and Dave Jones.");
    mia.presses("Never mind").await.skips_all();
    mia.says("/invite").await.sees("1 invitation goes out by SMS … No message reaches Bob Tanner and Dave Jones.");
    mia.presses("Never mind").await.skips_all();
    // The schedule keeps to the same plan.
    world.live_until("2026-11-06T10:15:00Z").await;
    emma.sees("no answer yet from Emma");
    bob.sees_nothing_more();
    dave.sees_nothing_more();
    mia.skips_all();
    world.ignore_the_rest().await;
}
