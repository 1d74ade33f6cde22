//! Several people at the same time.

use chrono::TimeDelta;
use domain::{activity::Happening, model::Status};

use crate::{
    family::anna_texts_for_two,
    fixtures::{OURS, PHONE, choir, choir_code},
    flaky::FlakyStore,
    world::{Arrives, World},
};

/// Both have read their answer back and confirm at the same moment: both decisions were made before either is stored.
#[tokio::test]
async fn two_members_confirm_at_the_same_time() {
    let world = World::new().await;
    let (anna, ben) = (world.telegram("anna"), world.telegram("ben"));
    anna.comes_in("K7QF2M Holloway").await;
    ben.comes_in("B3NH4Z Holloway").await;
    anna.presses("All 3").await;
    anna.presses("None for any of us").await.skips(1).sees("3 people … Is this right?");
    ben.presses("None of us").await.skips(1);
    ben.presses("Nobody is coming").await.sees("Anna: not coming Ben: not coming Cleo: not coming … Is this right?");

    world.courier_rests();
    world.process.store.gather("commit", 2);
    let anna_confirms = world.update_request(&world.telegram.press(anna.id(), "Yes, save it"));
    let ben_confirms = world.update_request(&world.telegram.press(ben.id(), "Yes, save it"));
    let (first, second) = tokio::join!(world.process.post(&anna_confirms), world.process.post(&ben_confirms));
    assert_eq!((first.status, second.status), (200, 200));

    // Whoever came second has changed nothing.
    let (all, nobody) = ("Anna coming, Ben coming, Cleo coming", "Anna declined, Ben declined, Cleo declined");
    let answers = world.answers("K7QF2M").await;
    let anna_was_first = answers == all;
    assert!(anna_was_first || answers == nobody, "{answers}");
    world.courier_works().await;
    let (first, second) =
        if anna_was_first { ((&anna, "Anna"), (&ben, "Ben")) } else { ((&ben, "Ben"), (&anna, "Anna")) };
    let (shown, other_shown) =
        ("Anna: coming Ben: coming Cleo: coming", "Anna: not coming Ben: not coming Cleo: not coming");
    let (shown, other_shown) = if anna_was_first { (shown, other_shown) } else { (other_shown, shown) };
    // Only who comes gets a calendar file.
    first.0.sees("Saved").skips(usize::from(anna_was_first));
    second.0.sees(&format!("Something has changed in the meantime … {shown}"));
    // They are told who answered for them, and may still have it their way, but not without hearing so.
    world.pass(TimeDelta::seconds(2)).await;
    second.0.sees(&format!("{} answered for you", first.1));
    second.0.presses("Yes, change it").await.sees(&format!("{other_shown} … Is this right?"));
    second.0.presses("Yes, save it").await.sees("Saved").skips(usize::from(!anna_was_first));
    assert_eq!(world.answers("K7QF2M").await, if anna_was_first { nobody } else { all });
    world.pass(TimeDelta::seconds(2)).await;
    first.0.sees(&format!("{} answered for you", second.1));
    for (chat, _) in [first, second] {
        chat.says("status").await.sees(other_shown);
    }
    world.finish().await;
}

/// Each confirms only for themselves, at the same moment: no record is written twice, but the second one has read back
/// what was no longer so, and hears of it first.
#[tokio::test]
async fn two_members_confirm_for_themselves_at_the_same_time() {
    let world = World::new().await;
    let (anna, ben) = (world.telegram("anna"), world.phone(PHONE));
    anna.comes_in("K7QF2M Holloway").await;
    ben.comes_in("B3NH4Z Holloway").await;
    anna.presses("Only me").await.skips(1);
    anna.presses("They answer themselves").await.skips(1);
    anna.presses("None").await.sees("Ben: no answer yet … Is this right?");
    ben.texts("only me").await.skips(1);
    ben.texts("2").await.skips(1);
    ben.texts("none").await.sees("No answer yet: Anna and Cleo. … Is this right?");
    world.courier_rests();
    world.process.store.gather("commit", 2);
    let anna_confirms = world.update_request(&world.telegram.press(anna.id(), "Yes, save it"));
    let ben_confirms = world.text_request(PHONE, OURS, "1");
    let (first, second) = tokio::join!(world.process.post(&anna_confirms), world.process.post(&ben_confirms));
    assert_eq!((first.status, second.status), (200, 200));
    world.courier_works().await;
    match world.answers("K7QF2M").await.as_str() {
        "Anna coming, Ben pending, Cleo pending" => {
            anna.sees("Saved").skips(1);
            ben.sees("Something changed meanwhile … Coming: Anna. … Is this right?");
            ben.texts("1").await.sees("Saved");
        }
        "Anna pending, Ben coming, Cleo pending" => {
            ben.sees("Saved");
            anna.sees("Something has changed in the meantime … Ben: coming");
            anna.presses("Yes, save it").await.sees("Saved").skips(1);
        }
        other => panic!("{other}"),
    }
    assert_eq!(world.answers("K7QF2M").await, "Anna coming, Ben coming, Cleo pending", "neither answer is lost");
    world.finish().await;
}

/// A text and a press of one person travel different ways and may overlap.
#[tokio::test]
async fn a_press_and_a_text_of_one_person_at_the_same_time() {
    let world = World::new().await;
    let anna = world.telegram("anna");
    anna.comes_in("K7QF2M Holloway").await;
    let press = world.update_request(&world.telegram.press(anna.id(), "All 3"));
    let text = world.update_request(&world.telegram.text(anna.id(), "2"));
    let (first, second) = tokio::join!(world.process.post(&press), world.process.post(&text));
    assert_eq!((first.status, second.status), (200, 200));
    world.pump().await;
    // In whichever order they were taken: nothing is stored before it was read back and confirmed.
    assert_eq!(world.answers("K7QF2M").await, "Anna pending, Ben pending, Cleo pending");
    world.ignore_the_rest().await;
}

/// The same, through two programs on one store: both decide before either writes, and one of them decides anew.
#[tokio::test]
async fn two_programs_get_two_messages_of_one_person() {
    let world = World::new().await;
    let other = world.start_another().await;
    let anna = world.phone(PHONE);
    anna.comes_in("K7QF2M Holloway").await;
    let texts = ["details", "mine"].map(|text| world.text_request(PHONE, OURS, text));
    FlakyStore::gather_across(&[&world.process.store, &other.store], "commit");
    let (first, second) = tokio::join!(world.process.post(&texts[0]), other.post(&texts[1]));
    assert_eq!((first.status, second.status), (200, 200));
    world.pump().await;
    // Both are answered, in whichever order they were taken.
    anna.sees_in_passing("Where: The Old Boathouse").sees_in_passing("How it stands").skips(4).sees_nothing_more();
    world.finish().await;
}

/// A whole choir confirms at once: the first is heard, everybody else is told and asked again; nobody gets an error.
#[tokio::test]
async fn many_confirm_at_the_same_time() {
    let world = World::new().await;
    world.import(&choir(16, "Nr")).await;
    let phones: Vec<String> = (10..26).map(|number| format!("+4477009004{number}")).collect();
    world.courier_rests();
    for (number, phone) in phones.iter().enumerate() {
        for text in [&format!("{} Choir", choir_code(number)), "all of us", "none for any of us"] {
            world.phone(phone).texts(text).await;
        }
    }
    // Some may share a turn inside the program, so not all can be waited for.
    world.process.store.gather("commit", phones.len() / 2);
    let texts: Vec<_> = phones.iter().map(|phone| world.text_request(phone, OURS, "yes")).collect();
    let replies = world.process.post_at_once(&texts).await;
    assert!(replies.iter().all(|reply| (reply.status, reply.body.as_str()) == (200, "<Response/>")), "{replies:?}");
    let members = world.guests().await.into_iter().filter(|guest| guest.token.starts_with("CHWR"));
    assert!(members.clone().all(|guest| guest.status == Status::Coming && guest.num_guests == 1));
    let activity = world.store().activity(&world.event_id().await, chrono::DateTime::UNIX_EPOCH).await.unwrap();
    let answered = activity.iter().filter(|it| matches!(it.what, Happening::Answered { .. }));
    assert_eq!(answered.count(), 16, "each of them once");
    let mut saved = 0;
    for phone in &phones {
        let last = world.entries_to(&world.phone(phone).address()).await.into_iter().rfind(|entry| entry.is_reply);
        let text = last.unwrap().text.unwrap().text;
        saved += u32::from(text.starts_with("Saved"));
        assert!(text.starts_with("Saved") || text.starts_with("Something changed meanwhile"), "{text}");
    }
    assert_eq!(saved, 1);
    world.ignore_the_rest().await;
}

/// Every message of a story comes to two programs on one store at the same time.
#[tokio::test]
async fn two_programs_get_every_message() {
    let world = World::new().await;
    anna_texts_for_two(&world).await;
    let once = world.phone(PHONE).skips_all().transcript();
    world.finish().await;

    let world = World::new().await;
    world.start_a_second().await;
    world.messages_arrive(Arrives::TwiceAtOnce);
    anna_texts_for_two(&world).await;
    assert_eq!(world.phone(PHONE).skips_all().transcript(), once);
    assert_eq!(world.answers("K7QF2M").await, "Anna coming \"vegan, no nuts\", Ben coming, Cleo declined");
    world.finish().await;
}

/// Two processes on one store get the same message at the same time.
#[tokio::test]
async fn two_programs_get_the_same_message() {
    let world = World::new().await;
    let other = world.start_another().await;
    let anna = world.phone(PHONE);
    anna.comes_in("K7QF2M Holloway").await;
    let text = world.text_request(PHONE, OURS, "all");
    // Both look before either writes.
    FlakyStore::gather_across(&[&world.process.store, &other.store], "commit");
    let (first, second) = tokio::join!(world.process.post(&text), other.post(&text));
    assert_eq!((first.status, second.status), (200, 200));
    assert_eq!((first.body.as_str(), second.body.as_str()), ("<Response/>", "<Response/>"));
    tokio::join!(world.process.pump(), other.pump());
    anna.sees("dietary needs").sees_nothing_more();
    world.finish().await;
}
