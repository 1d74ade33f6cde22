//! Buttons: old ones, forged ones, and the same one twice.

use chrono::TimeDelta;
use fakes::telegram::Answer;

use crate::{
    fixtures::PHONE,
    world::{Setup, World},
};

/// An old button never answers a newer question.
#[tokio::test]
async fn a_button_of_an_earlier_question() {
    let world = World::new().await;
    let anna = world.telegram("anna");
    anna.comes_in("K7QF2M Holloway").await;
    let how_many = anna.newest();
    anna.says("2").await.sees("Expected 3 but you said 2. Who is not coming?");
    let who = anna.newest();
    anna.presses_on(&how_many, "All 3").await.sees("That belonged to an earlier question … Who is not coming?");
    anna.presses_on(&who, "Cleo").await.sees("dietary needs");
    anna.presses("None for any of us").await.sees("2 people … Is this right?");
    let read_back = anna.newest();
    anna.presses_on(&who, "Ben").await.sees("earlier question … Cleo: not coming 2 people … Is this right?");
    anna.presses_on(&read_back, "Yes, save it").await.sees("Saved").skips(1);
    assert_eq!(world.answers("K7QF2M").await, "Anna coming, Ben coming, Cleo declined");

    // A minute later there is no question at all, and Saved once is saved once.
    world.advance(TimeDelta::minutes(1));
    let version = world.guest("K7QF2M").await.version;
    anna.presses_on(&read_back, "Yes, save it").await.sees("That belonged to an earlier question, which is closed");
    anna.presses_on(&how_many, "None of us").await.sees("earlier question, which is closed");
    anna.says("change").await.skips(1);
    anna.presses_on(&how_many, "None of us").await.sees("earlier question … ");
    assert_eq!(world.answers("K7QF2M").await, "Anna coming, Ben coming, Cleo declined");
    assert_eq!(world.guest("K7QF2M").await.version, version);
    world.finish().await;
}

/// What a button is worth depends on who presses it.
#[tokio::test]
async fn a_button_pressed_by_somebody_else() {
    let world = World::new().await;
    let (anna, stranger, maria) = (world.telegram("anna"), world.telegram("stranger"), world.telegram("bob"));
    anna.comes_in("K7QF2M Holloway").await;
    maria.comes_in("H4TR8W Santos").await;
    anna.presses("All 3").await.skips(1);
    anna.presses("None for any of us").await.skips(1);
    let read_back = anna.newest();
    let save = &read_back.buttons[0][0].data;

    for data in [save.as_str(), "", "x", "3.save", &"é".repeat(32), "1.n3", "1.p000000000000000000000000"] {
        if !data.is_empty() {
            let press = world.telegram.press_data(stranger.id(), anna.id(), read_back.id, data);
            world.hear(press).await;
            stranger.sees("Please send your code and your last name").sees_nothing_more();
        }
        world.hear(world.telegram.press_data(maria.id(), anna.id(), read_back.id, data)).await;
        maria.sees("earlier question").sees_nothing_more();
        world.advance(TimeDelta::minutes(1));
    }
    for code in ["K7QF2M", "H4TR8W"] {
        assert!(!world.answers(code).await.contains("coming"), "{}", world.answers(code).await);
    }
    // The owner's still works.
    anna.presses_on(&read_back, "Yes, save it").await.sees("Saved").skips(1);
    world.finish().await;
}

/// Two taps within milliseconds are two updates that arrive at the same time.
#[tokio::test]
async fn a_double_tap() {
    let world = World::new().await;
    let anna = world.telegram("anna");
    anna.comes_in("K7QF2M Holloway").await;
    for (label, next) in
        [("All 3", "dietary needs"), ("None for any of us", "Is this right?"), ("Yes, save it", "Saved")]
    {
        let message = anna.newest();
        let taps = [(), ()].map(|()| world.update_request(&world.telegram.press_on(anna.id(), message.id, label)));
        let (first, second) = tokio::join!(world.process.post(&taps[0]), world.process.post(&taps[1]));
        assert_eq!((first.status, second.status), (200, 200));
        world.pump().await;
        anna.sees(next);
    }
    anna.sees("harbour-supper.ics").sees_nothing_more();
    assert_eq!(world.answers("K7QF2M").await, "Anna coming, Ben coming, Cleo coming");
    assert_eq!(world.head_count().await, 3);
    let activity = world.store().activity(&world.event_id().await, chrono::DateTime::UNIX_EPOCH).await.unwrap();
    let answered = activity.iter().filter(|it| matches!(it.what, domain::activity::Happening::Answered { .. }));
    assert_eq!(answered.count(), 3, "each of them has answered once");
    world.finish().await;
}

/// Whether Telegram takes our word that a button was understood changes nothing.
#[tokio::test]
async fn presses_that_cannot_be_acknowledged() {
    let world = World::new().await;
    let anna = world.telegram("anna");
    anna.comes_in("K7QF2M Holloway").await;
    world.telegram.answer_next("answerCallbackQuery", Answer::QueryTooOld);
    world.telegram.answer_next("editMessageReplyMarkup", Answer::NotModified);
    anna.presses("All 3").await.sees("dietary needs");
    world.telegram.answer_next("answerCallbackQuery", Answer::Html502);
    world.telegram.answer_next("editMessageReplyMarkup", Answer::CutConnection);
    anna.presses("None for any of us").await.sees("Is this right?");
    world.telegram.answer_next("answerCallbackQuery", Answer::CutConnection);
    world.telegram.answer_next("editMessageReplyMarkup", Answer::Status(400));
    anna.presses("Yes, save it").await.sees("Saved").sees("harbour-supper.ics").sees_nothing_more();
    assert_eq!(world.answers("K7QF2M").await, "Anna coming, Ben coming, Cleo coming");
    world.finish().await;
}

/// A pressed keyboard disappears, so that nobody presses it a second time.
#[tokio::test]
async fn a_pressed_keyboard_disappears() {
    let world = World::new().await;
    let anna = world.telegram("anna");
    anna.comes_in("K7QF2M Holloway").await;
    let question = anna.newest();
    assert_eq!(question.buttons.len(), 4);
    anna.presses("All 3").await.skips(1);
    let messages = world.telegram.messages(anna.id());
    let pressed = messages.iter().find(|message| message.id == question.id).unwrap();
    assert!(pressed.buttons.is_empty());
    world.finish().await;
}

const LONG_NAMES: &str = "\
code,first_name,last_name,group,expected
KVLNKA22,Оксана,Коваленко-Шевченко,коваленко,4
KVLNKA23,Володимир-Олександр,Коваленко-Шевченко,коваленко,1
KVLNKA24,Анастасія,Коваленко-Шевченко,коваленко,1
KVLNKA25,Żółć-Świętosława,Коваленко-Шевченко,коваленко,1
KVLNKA26,محمد عبد الرحمن,Коваленко-Шевченко,коваленко,1
KVLNKA27,欧阳若琳,Коваленко-Шевченко,коваленко,1
";

/// Telegram counts the bytes of a button's data, and names can be long.
#[tokio::test]
async fn buttons_for_people_with_long_names() {
    let world = World::with(Setup { guests: LONG_NAMES, ..Setup::default() }).await;
    let oksana = world.telegram("anna");
    oksana.comes_in("KVLNKA22 Коваленко-Шевченко").await;
    oksana.says("8").await.sees("Who is not coming? … [Оксана] [One of Оксана's companions] [Володимир-Олександр]");
    for row in oksana.newest().buttons {
        for button in row {
            assert!(button.data.len() <= 64 && button.data.is_ascii(), "{}", button.data);
        }
    }
    oksana.presses("欧阳若琳").await.sees("for you and companions? … ".trim_start_matches("for you and "));
    world.phone(PHONE).comes_in("KVLNKA25 коваленко шевченко").await;
    oksana.skips_all();
    world.finish().await;
}
