//! What happens because time passes: reminders, the day before, digests.

use std::collections::BTreeMap;

use chrono::{DateTime, TimeDelta, Timelike, Utc};
use domain::{activity::Happening, model::Status};
use fakes::{telegram::Answer as Telegram, twilio::Answer as Twilio};
use store::EntryStatus;

use crate::{
    fixtures::{OURS, PHONE},
    world::{Setup, World},
};

fn at(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

const QUARTER: TimeDelta = TimeDelta::minutes(15);

/// Of three, one comes, one does not, one has not answered: one message, naming only the third, answered on the spot.
#[tokio::test]
async fn a_reminder_names_only_who_has_not_answered() {
    let world = World::new().await;
    let (anna, maria) = (world.telegram("anna"), world.phone(PHONE));
    anna.comes_in("K7QF2M Holloway").await;
    anna.says("some of us").await;
    anna.says("1").await;
    anna.presses("Somebody does not know yet").await;
    anna.presses("Cleo").await;
    anna.presses("Ben").await;
    anna.says("none").await;
    anna.says("yes").await.skips_all();
    maria.comes_in("H4TR8W Santos").await;
    world.tick().await;
    world.clock.set(at("2026-11-06T09:59:59Z"));
    // The answer comes a second before the list is made.
    maria.texts("1").await.skips(1);
    maria.texts("none").await.skips(1);
    maria.texts("1").await.sees("Saved").skips_all();
    world.live(TimeDelta::hours(1), QUARTER).await;
    anna.sees("Harbour Supper: no answer yet from Cleo. Please answer by Fri 20 Nov … Is Cleo coming?");
    anna.sees_nothing_more();
    maria.sees_nothing_more();
    anna.presses("Cleo is coming").await.sees("for Cleo?");
    anna.says("vegan").await.sees("Is this right?");
    anna.presses("Yes, save it").await.skips_all();
    assert_eq!(world.answers("K7QF2M").await, "Anna coming, Ben declined, Cleo coming \"vegan\"");
    // Nobody is left to be reminded.
    world.live_until("2026-11-20T12:00:00Z").await;
    anna.sees_nothing_more();
    maria.sees_nothing_more();
    world.finish().await;
}

/// Whoever answers between the decision and the sending hears nothing.
#[tokio::test]
async fn an_answer_overtakes_its_reminder() {
    let world = World::new().await;
    let anna = world.phone(PHONE);
    anna.comes_in("H4TR8W Santos").await;
    world.tick().await;
    world.clock.set(at("2026-11-06T10:00:00Z"));
    world.tick().await;
    world.courier_rests();
    anna.texts("0").await;
    anna.texts("save it").await;
    world.courier_works().await;
    anna.sees("Not coming: Maria").sees("Saved").sees_nothing_more();
    world.live(TimeDelta::hours(2), QUARTER).await;
    anna.sees_nothing_more();
    world.finish_leaving("1 dropped").await;
}

/// A phone that was never heard of: the text leaves the last name to be given, and a phone alone never logs in.
#[tokio::test]
async fn a_guest_who_never_logged_in_is_texted() {
    let guests = "code,first_name,last_name,group,expected,phone\nB8TAN7,Bob,Tanner,,3,07700 900177\n\
                  L3ONEL,Leo,Nowhere,,1,\n";
    let world = World::with(Setup { guests, ..Setup::default() }).await;
    let bob = world.phone("+447700900177");
    world.tick().await;
    world.live_until("2026-11-06T10:15:00Z").await;
    bob.sees("no answer yet from Bob … reply with Bob's last name (code B8TAN7)");
    bob.texts("2").await.sees("To answer, please reply first with the last name on the invitation.");
    bob.texts("Yes we are coming!").await.sees("To answer, please reply first with the last name on the invitation.");
    bob.texts("Turner").await.sees("No invitation has that code and last name");
    bob.texts("tanner").await.sees("Welcome, Bob!").sees("how many are coming, you included?");
    bob.texts("2").await.skips_all();
    assert_eq!(world.answers("B8TAN7").await, "Bob pending");
    world.ignore_the_rest().await;
}

/// By SMS, two invitations at one phone are one text that asks for whom to answer first.
#[tokio::test]
async fn two_invitations_at_one_phone() {
    let world = World::new().await;
    let anna = world.phone(PHONE);
    anna.comes_in("K7QF2M Holloway").await;
    anna.texts("B8TAN7 Tanner").await.skips_all();
    world.tick().await;
    world.live_until("2026-11-06T10:15:00Z").await;
    anna.sees("no answer yet from Anna, Ben and Cleo … no answer yet from Bob … 1 Anna Holloway … 2 Bob Tanner");
    anna.texts("2").await.sees("You now speak for Bob Tanner … how many");
    anna.texts("0").await.skips_all();
    world.ignore_the_rest().await;
}

/// A question that was just asked is answered first.
#[tokio::test]
async fn a_reminder_waits_for_an_open_question() {
    let world = World::with(Setup { now: "2026-11-06T09:50:00Z", ..Setup::default() }).await;
    let anna = world.telegram("anna");
    world.tick().await;
    anna.comes_in("K7QF2M Holloway").await;
    world.live_until("2026-11-06T10:15:00Z").await;
    anna.sees_nothing_more();
    world.live_until("2026-11-06T10:45:00Z").await;
    anna.sees("no answer yet from Anna, Ben and Cleo");
    world.finish().await;
}

/// Two programs look at the clock at the same moment: forty texts, one for each.
#[tokio::test]
async fn two_programs_send_each_reminder_once() {
    let rows: String = (0..40).map(|number| format!("Guest{number},Choir,+4477009002{number:02}\n")).collect();
    let guests = format!("first_name,last_name,phone\n{rows}");
    let guests: &'static str = Box::leak(guests.into_boxed_str());
    let world = World::with(Setup { guests, now: "2026-11-17T09:50:00Z", ..Setup::default() }).await;
    world.start_a_second().await;
    world.tick().await;
    world.live(TimeDelta::minutes(45), QUARTER).await;
    let mut texts: BTreeMap<String, u32> = BTreeMap::new();
    for text in world.twilio.texts() {
        *texts.entry(text.to).or_default() += 1;
    }
    assert_eq!((texts.len(), texts.values().max()), (40, Some(&1)));
    world.ignore_the_rest().await;
}

/// Of three, one has blocked the bot: the others hear, and he is texted, once; then he is known to be gone.
#[tokio::test]
async fn somebody_who_has_blocked_the_bot_is_texted() {
    let guests = "code,first_name,last_name,phone,admin\nK7QF2M,Anna,Lee,,\nB3NH4Z,Ben,Lund,07700 900188,\n\
                  C7E9HW,Cleo,Hart,,yes\n";
    let world = World::with(Setup { guests, ..Setup::default() }).await;
    let (anna, ben, cleo) = (world.telegram("anna"), world.telegram("ben"), world.telegram("cleo"));
    anna.comes_in("K7QF2M Lee").await;
    ben.comes_in("B3NH4Z Lund").await;
    cleo.comes_in("C7E9HW Hart").await;
    world.tick().await;
    world.telegram.answer_next_to(ben.id(), "sendMessage", Telegram::Blocked);
    world.live_until("2026-11-06T10:30:00Z").await;
    anna.sees("no answer yet from Anna");
    cleo.sees("no answer yet from Cleo").skips_all();
    ben.sees_nothing_more();
    // The text has arrived instead: nothing is lost.
    cleo.says("/digest").await.sees("since Fri 6 Nov 2026, 08:00, London time: … Nothing new. … Coming: 0").skips_all();
    let phone = world.phone("+447700900188");
    phone.sees("no answer yet from Ben … reply with Ben's last name").sees_nothing_more();
    // The next one goes there at once.
    world.live_until("2026-11-13T10:30:00Z").await;
    phone.sees("no answer yet from Ben").sees_nothing_more();
    ben.sees_nothing_more();
    anna.skips_all();
    cleo.skips_all();
    world.finish_leaving("1 failed").await;
}

/// Too many requests, a fault of the server, an answer that never comes: all are reminded, each once.
#[tokio::test]
async fn one_failed_send_stops_nobody_else() {
    let guests = "code,first_name,last_name\nK7QF2M,Anna,Lee\nB3NH4Z,Ben,Lund\nC7E9HW,Cleo,Hart\nH4TR8W,Mia,Santos\n";
    let world = World::with(Setup { guests, ..Setup::default() }).await;
    let people = ["anna", "ben", "cleo", "mia"].map(|name| world.telegram(name));
    for (chat, login) in people.iter().zip(["K7QF2M Lee", "B3NH4Z Lund", "C7E9HW Hart", "H4TR8W Santos"]) {
        chat.comes_in(login).await;
    }
    world.tick().await;
    world.telegram.answer_next_to(people[1].id(), "sendMessage", Telegram::TooMany(7));
    world.telegram.answer_next_to(people[2].id(), "sendMessage", Telegram::Status(500));
    world.live_until("2026-11-06T10:15:00Z").await;
    for (chat, name) in people.iter().zip(["Anna", "Ben", "Cleo", "Mia"]) {
        chat.sees(&format!("no answer yet from {name}")).sees_nothing_more();
    }
    world.finish().await;
}

/// The programs were down for three days: a reminder that is still of use goes once, inside its window; digests that
/// were missed are one.
#[tokio::test]
async fn three_days_down() {
    let world = World::new().await;
    let (anna, mia) = (world.telegram("anna"), world.telegram("mia"));
    anna.comes_in("K7QF2M Holloway").await;
    mia.comes_in("M9STHE Hart").await;
    mia.says("decline").await;
    mia.says("yes").await.skips_all();
    world.live_until("2026-11-11T12:00:00Z").await;
    anna.skips_all();
    mia.skips_all();
    anna.says("decline").await.presses("Only I cannot come").await.says("yes").await.skips_all();
    // The reminder of the 13th at 10:00 was missed, and the digests of three mornings.
    world.clock.set(at("2026-11-14T22:30:00Z"));
    world.tick().await;
    world.pump().await;
    anna.sees_nothing_more();
    mia.sees("since Wed 11 Nov 2026, 08:00 … Anna Holloway: not coming").sees_nothing_more();
    world.live_until("2026-11-15T08:45:00Z").await;
    anna.sees_nothing_more();
    world.live_until("2026-11-15T09:15:00Z").await;
    anna.sees("no answer yet from Ben and Cleo").sees_nothing_more();
    world.live_until("2026-11-17T09:45:00Z").await;
    anna.sees_nothing_more();
    mia.skips_all();
    world.finish().await;
}

/// Nothing goes for an event that is off.
#[tokio::test]
async fn an_event_that_is_cancelled_reminds_nobody() {
    let world = World::new().await;
    let anna = world.telegram("anna");
    anna.comes_in("K7QF2M Holloway").await;
    world.tick().await;
    world.set_event(&[("cancelled", "true")]).await;
    world.live_until("2026-11-20T12:00:00Z").await;
    anna.sees_nothing_more();
    world.finish().await;
}

/// The day before, those who come hear when and where; it can be switched off.
#[tokio::test]
async fn the_day_before() {
    for is_wanted in [true, false] {
        let event: &'static [(&str, &str)] =
            if is_wanted { &[("digest.cron", "0 8 1 1 *")] } else { &[("reminders.day_before", "false")] };
        let world = World::with(Setup { event, ..Setup::default() }).await;
        let anna = world.telegram("anna");
        anna.comes_in("K7QF2M Holloway").await;
        anna.says("all").await;
        anna.says("none for any of us").await;
        anna.says("yes").await.skips_all();
        world.live_until("2026-11-27T12:00:00Z").await;
        if is_wanted {
            let facts = "Anna, Ben and Cleo, see you tomorrow at Harbour Supper! When: Sat 28 Nov 2026, 18:00";
            anna.sees(&format!("{facts} … The Old Boathouse … nautical"));
        }
        anna.sees_nothing_more();
        world.finish().await;
    }
}

/// At an hour when the window is shut it goes on the same day all the same; after an outage "tomorrow" is not said of
/// today.
#[tokio::test]
async fn the_day_before_is_that_day() {
    for (down, sees) in
        [(false, "see you tomorrow at Harbour Supper!"), (true, "Anna, Ben and Cleo, see you at Harbour Supper!")]
    {
        let event = &[("digest.cron", "0 8 1 1 *"), ("reminders.at", "20:30")];
        let world = World::with(Setup { event, ..Setup::default() }).await;
        let anna = world.telegram("anna");
        anna.comes_in("K7QF2M Holloway").await;
        anna.says("all").await;
        anna.says("none for any of us").await;
        anna.says("yes").await.skips_all();
        world.live_until("2026-11-27T18:45:00Z").await;
        anna.sees_nothing_more();
        if down {
            world.clock.set(at("2026-11-28T09:30:00Z"));
        }
        world.live_until(if down { "2026-11-28T10:00:00Z" } else { "2026-11-27T19:15:00Z" }).await;
        anna.sees(&format!("{sees} When: Sat 28 Nov 2026, 18:00")).sees_nothing_more();
        world.finish().await;
    }
}

/// News wait for a host who can be written to: nobody has come in yet, they want no messages, or have blocked the bot.
#[tokio::test]
async fn news_wait_until_a_host_can_be_told() {
    let world = World::with(Setup { event: &[("reminders.days", "365")], ..Setup::default() }).await;
    let (mia, anna) = (world.telegram("mia"), world.telegram("anna"));
    let answers = async |texts: &[&str]| {
        for text in texts {
            anna.says(text).await;
        }
        anna.sees_in_passing("Saved").skips_all();
    };
    world.tick().await;
    anna.comes_in("K7QF2M Holloway").await;
    answers(&["all", "none for any of us", "yes"]).await;
    world.live_until("2026-11-04T12:00:00Z").await;
    mia.comes_in("M9STHE Hart").await.skips_all();
    world.live_until("2026-11-05T07:45:00Z").await;
    mia.sees_nothing_more();
    world.live_until("2026-11-05T08:15:00Z").await;
    mia.sees("since Mon 2 Nov 2026, 10:00 … Anna Holloway: coming").sees_nothing_more();
    mia.says("mute").await.skips_all();
    answers(&["decline", "Nobody is coming", "yes"]).await;
    world.live_until("2026-11-07T12:00:00Z").await;
    mia.sees_nothing_more();
    mia.says("unmute").await.skips_all();
    world.live_until("2026-11-08T08:15:00Z").await;
    mia.sees("since Thu 5 Nov 2026, 08:00 … Anna Holloway: not coming").sees_nothing_more();
    answers(&["change", "all", "none for any of us", "yes"]).await;
    world.telegram.answer_next_to(mia.id(), "sendMessage", Telegram::Blocked);
    world.live_until("2026-11-10T12:00:00Z").await;
    mia.sees_nothing_more();
    mia.says("status").await.skips_all();
    world.live_until("2026-11-11T08:15:00Z").await;
    mia.sees("since Sun 8 Nov 2026, 08:00 … Anna Holloway: coming, says Anna (Telegram) (before: not coming)");
    mia.sees_nothing_more();
    world.live_until("2026-11-13T12:00:00Z").await;
    mia.sees_nothing_more();
    world.ignore_the_rest().await;
}

/// Each answer stands in one digest, under its day where the party is; a day without news has none.
#[tokio::test]
async fn digests_in_the_hosts_zone() {
    let event = &[("time_zone", "America/Chicago"), ("reminders.days", "365")];
    let world = World::with(Setup { event, now: "2026-11-17T12:00:00Z", ..Setup::default() }).await;
    let (mia, anna, maria) = (world.telegram("mia"), world.telegram("anna"), world.phone(PHONE));
    mia.comes_in("M9STHE Hart").await;
    world.live_until("2026-11-18T15:00:00Z").await;
    mia.sees_nothing_more();
    world.live_until("2026-11-19T05:45:00Z").await;
    anna.comes_in("K7QF2M Holloway").await;
    world.clock.set(at("2026-11-19T05:50:00Z"));
    anna.says("decline").await;
    anna.presses("Nobody is coming").await.says("yes").await.skips_all();
    world.clock.set(at("2026-11-19T06:10:00Z"));
    maria.comes_in("H4TR8W Santos").await;
    maria.texts("0").await.texts("1").await.skips_all();
    world.live_until("2026-11-19T14:15:00Z").await;
    mia.sees(
        "Harbour Supper, since Wed 18 Nov … Wed 18 Nov Anna Holloway: not coming … Thu 19 Nov Maria Santos: not coming",
    );
    mia.sees_nothing_more();
    // Triggered again, by another program too.
    world.start_a_second().await;
    world.tick().await;
    world.live_until("2026-11-20T15:00:00Z").await;
    mia.sees_nothing_more();
    world.finish().await;
}

/// A fortnight of sixty guests, with two programs of which one is killed and started again at random.
#[tokio::test]
async fn a_fortnight_of_sixty_guests() {
    let rows: String = (0..60)
        .map(|number| {
            let group = if number % 3 == 0 { String::new() } else { format!("g{}", number / 3) };
            format!("CHWR{number:02}X,Guest{number},Choir,{group},+4477009003{number:02}\n")
        })
        .collect();
    let guests =
        format!("code,first_name,last_name,group,phone\n{rows}M9STHE,Mia,Hart,,\n").replace("M9STHE,Mia,Hart,,\n", "");
    let guests: &'static str = Box::leak(guests.into_boxed_str());
    let world = World::with(Setup { guests, now: "2026-11-06T08:00:00Z", ..Setup::default() }).await;
    let mut second = Some(world.start_another().await);
    let mut random = Random(7);
    world.tick().await;
    while world.now() < at("2026-11-21T12:00:00Z") {
        match random.below(4) {
            0 => second.take().into_iter().for_each(crate::process::Process::crash),
            1 if second.is_none() => second = Some(world.start_another().await),
            _ => {}
        }
        world.clock.set(world.now() + TimeDelta::minutes(20 + random.below(60)));
        let other = async {
            if let Some(second) = &second {
                second.reminders.tick().await.unwrap();
                second.pump().await;
            }
        };
        let (ticked, ()) = tokio::join!(world.process.reminders.tick(), other);
        ticked.unwrap();
        world.pass(TimeDelta::minutes(5)).await;
        // Somebody answers now and then.
        let guest = random.below(60);
        if random.below(3) == 0 {
            let phone = world.phone(&format!("+4477009003{guest:02}"));
            phone.texts(&format!("CHWR{guest:02}X Choir")).await;
            phone.texts("none").await;
            phone.texts("1").await;
            phone.texts("1").await;
        }
        world.pass(TimeDelta::minutes(1)).await;
    }
    let answered = answered_at(&world).await;
    assert!(answered.len() > 20, "{} have answered", answered.len());
    let mut texts = world.twilio.texts();
    texts.retain(|text| !text.inbound && text.body.contains("no answer yet"));
    assert!(texts.len() > 60);
    let mut by_day: BTreeMap<(String, String), u32> = BTreeMap::new();
    for text in &texts {
        let local = text.created_at.with_timezone(&chrono_tz::Europe::London);
        assert!((9..20).contains(&local.hour()), "{local}");
        assert!(text.created_at < at("2026-11-21T00:00:00Z"));
        *by_day.entry((text.to.clone(), local.date_naive().to_string())).or_default() += 1;
        for guest in text.body.split("no answer yet from ").nth(1).unwrap().split('.').next().unwrap().split([',', ' '])
        {
            let Some(number) = guest.strip_prefix("Guest") else { continue };
            let when = answered.get(number).copied();
            assert!(
                when.is_none_or(|when| text.created_at < when),
                "Guest{number} answered at {when:?}: {}",
                text.created_at
            );
        }
    }
    assert_eq!(by_day.values().max(), Some(&1), "never twice");
    drop(second);
    world.ignore_the_rest().await;
}

/// When each guest first gave an answer that still stands, by number.
async fn answered_at(world: &World) -> BTreeMap<String, DateTime<Utc>> {
    let mut answered = BTreeMap::new();
    let guests = world.guests().await;
    for activity in world.store().activity(&world.event_id().await, DateTime::UNIX_EPOCH).await.unwrap() {
        let Happening::Answered { after, .. } = activity.what else { continue };
        let guest = guests.iter().find(|guest| Some(guest.id) == activity.guest_id).unwrap();
        if after.status != Status::Pending {
            let number = guest.first_name.trim_start_matches("Guest").to_owned();
            answered.entry(number).or_insert(activity.at);
        }
    }
    answered
}

struct Random(u64);

impl Random {
    fn below(&mut self, limit: i64) -> i64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        i64::try_from((self.0 >> 33) % u64::try_from(limit).unwrap()).unwrap()
    }
}

/// The provider is down while reminders are due: they go late, once, or not at all.
#[tokio::test]
async fn a_provider_is_down_when_reminders_are_due() {
    let guests = "code,first_name,last_name,phone\nB8TAN7,Bob,Tanner,07700 900177\nH4TR8W,Maria,Santos,07700 900178\n";
    let world = World::with(Setup { guests, ..Setup::default() }).await;
    let (bob, maria) = (world.phone("+447700900177"), world.phone("+447700900178"));
    world.tick().await;
    world.twilio.answer_to("+447700900177", (0..5).map(|_| Twilio::Page(503)));
    world.live_until("2026-11-06T12:00:00Z").await;
    bob.sees("no answer yet from Bob").sees_nothing_more();
    maria.sees("no answer yet from Maria").sees_nothing_more();
    assert!(world.entries(EntryStatus::Unknown).await.is_empty());
    assert_eq!(world.entries_to(&domain::address::Address::sms(OURS, "+447700900177")).await.len(), 1);
    world.finish().await;
}
