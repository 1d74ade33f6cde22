//! What people write and send, and how it looks on both channels.

use chrono::TimeDelta;
use domain::address::Address;
use fakes::telegram::Answer;
use serde_json::json;
use store::{DeliveryStatus, EntryStatus};

use crate::{
    fixtures::{OURS, PHONE, PUBLIC_URL, WEBHOOK_SECRET, choir, choir_code},
    logs::Logs,
    process::Request,
    world::{Setup, World},
};

const ODD_NAMES: &str = "\
code,first_name,last_name,group,expected
K7QF2M,Max_Lund,Holloway,p,1
B3NH4Z,Tom & Ana <3,O'Shaughnessy,p,1
C7E9HW,\"[x](http://y) `z`\",Holloway,p,1
";

/// Nothing is read as markup, nothing is shown as an entity, nothing is dropped.
#[tokio::test]
async fn special_characters_are_shown_as_they_are() {
    let event = &[("name", "Supper & <b>Dance</b>"), ("place", "*Boat_house* \"A\" {1}")];
    let world = World::with(Setup { guests: ODD_NAMES, event, ..Setup::default() }).await;
    let (max, tom) = (world.telegram("anna"), world.phone(PHONE));
    max.says("K7QF2M Holloway").await.sees("Welcome, Max_Lund! Supper & <b>Dance</b>");
    max.sees("How many of the 3 of you are coming?");
    max.presses("All 3").await.skips(1);
    max.says("*vegan_ & <no> \"eggs\" &amp; {milk}").await.sees("for Tom & Ana <3?");
    max.presses("None").await.sees("for [x](http://y) `z`?");
    max.presses("None").await.sees(
        "Max_Lund: coming Tom & Ana <3: coming [x](http://y) `z`: coming \
         Dietary needs, Max_Lund: *vegan_ & <no> \"eggs\" &amp; {milk} 3 people",
    );
    max.presses("Yes, save it").await.sees("Saved").sees(".ics");
    tom.texts("B3NH4Z O’Shaughnessy").await.sees(
        "Welcome, Tom & Ana <3! Supper & <b>Dance</b> When: Sat 28 Nov 2026, 18:00, London time \
         Where: *Boat_house* \"A\" {1} … Coming: Max_Lund, Tom & Ana <3 and [x](http://y) `z`.",
    );
    tom.texts("mine").await.sees("Dietary, Max_Lund: *vegan_ & <no> \"eggs\" &amp; {milk}.");
    assert_eq!(world.guest("K7QF2M").await.dietary, "*vegan_ & <no> \"eggs\" &amp; {milk}");
    world.pass(TimeDelta::seconds(5)).await;
    world.finish().await;
}

/// Should Telegram ever refuse our markup, the words go without it rather than not at all.
#[tokio::test]
async fn refused_markup_goes_as_plain_text() {
    let world = World::new().await;
    let anna = world.telegram("anna");
    world.telegram.answer_next("sendMessage", Answer::CantParseEntities);
    anna.says("K7QF2M Holloway").await.sees("Welcome, Anna! Harbour Supper When:").sees("How many");
    let welcome = &world.telegram.messages(anna.id())[0];
    assert_eq!(welcome.source, welcome.text, "without markup");
    world.finish().await;
}

/// Stickers, voice notes and photos are not answers, whatever is written under them.
#[tokio::test]
async fn messages_without_text() {
    let world = World::new().await;
    let anna = world.telegram("anna");
    anna.comes_in("K7QF2M Holloway").await;
    let sticker =
        json!({"sticker": {"file_id": "x", "file_unique_id": "y", "type": "regular", "width": 1, "height": 1}});
    let voice = json!({"voice": {"file_id": "x", "file_unique_id": "y", "duration": 3}});
    let photo = json!({"photo": [{"file_id": "x", "file_unique_id": "y", "width": 1, "height": 1}], "caption": "YES"});
    for message in
        [sticker, voice, photo, json!({"something_new": {}}), json!({"location": {"latitude": 1, "longitude": 1}})]
    {
        anna.sends(message)
            .await
            .sees("I can only read typed text here. … How many of the 3 of you")
            .sees_nothing_more();
    }
    assert_eq!(world.answers("K7QF2M").await, "Anna pending, Ben pending, Cleo pending");
    // The question is still the same one.
    anna.presses("All 3").await.sees("dietary needs");
    anna.sends(json!({"sticker": {}})).await.sees("I can only read typed text here. … dietary needs");
    world.finish().await;
}

/// An edit is not read; who edits hears so, and sees what is stored.
#[tokio::test]
async fn an_edited_message() {
    let world = World::new().await;
    let anna = world.telegram("anna");
    anna.edits_to("K7QF2M Holloway").await.sees("I do not read edits").sees_nothing_more();
    anna.comes_in("K7QF2M Holloway").await;
    anna.says("2").await.sees("Who is not coming?");
    anna.edits_to("3").await.sees("I do not read edits … Who is not coming?");
    anna.presses("Cleo").await.skips(1);
    anna.presses("None for any of us").await.skips(1);
    anna.presses("Yes, save it").await.skips(2);
    anna.edits_to("3")
        .await
        .sees("I do not read edits … Anna: coming Ben: coming Cleo: not coming")
        .sees_nothing_more();
    assert_eq!(world.answers("K7QF2M").await, "Anna coming, Ben coming, Cleo declined");
    assert_eq!(world.head_count().await, 2);
    world.finish().await;
}

/// A card may be anybody's: only the sender's own number is taken.
#[tokio::test]
async fn a_shared_contact() {
    let world = World::new().await;
    let anna = world.telegram("anna");
    anna.comes_in("K7QF2M Holloway").await;
    let card = |number: &str, of: i64| json!({"contact": {"phone_number": number, "first_name": "A", "user_id": of}});
    anna.sends(card("447700900555", world.telegram("ben").id())).await.sees("somebody else's card");
    anna.sends(json!({"contact": {"phone_number": "447700900555", "first_name": "A"}}))
        .await
        .sees("somebody else's card");
    assert_eq!(world.guest("K7QF2M").await.phone, None);
    anna.sends(card("447700900123", anna.id())).await.sees("I have noted your phone number … How many");
    assert_eq!(world.guest("K7QF2M").await.phone.as_deref(), Some(PHONE));
    world.finish().await;
}

/// A group so large that a message would be too long: it comes in parts, and the buttons with the last.
#[tokio::test]
async fn long_messages_come_in_parts() {
    let world = World::new().await;
    world.import(&choir(60, "Friedrich-Wilhelm von und zu den Hohen Bergen der Dritte Nr")).await;
    let singer = world.telegram("stranger");
    singer.says(&format!("{} Choir", choir_code(0))).await;
    let messages = world.telegram.messages(singer.id());
    assert!(messages.len() > 2, "{}", messages.len());
    assert!(messages.iter().all(|message| message.text.encode_utf16().count() <= 4096));
    let all: String = messages.iter().map(|message| message.text.as_str()).collect();
    for number in 0..60 {
        assert_eq!(all.matches(&format!("Nr {number}:")).count(), 1, "{number}");
    }
    singer.skips_all();
    singer.says("58").await.sees("Who is not coming?");
    let labels =
        singer.newest().buttons.iter().flatten().map(|button| button.label.chars().count()).collect::<Vec<_>>();
    assert!(labels.len() > 60 && labels.iter().all(|length| *length <= 64), "{labels:?}");

    let phone = world.phone(PHONE);
    phone.texts(&format!("{} Choir", choir_code(6))).await;
    let texts = phone.messages();
    assert!(texts.len() > 2, "{}", texts.len());
    assert!(texts.iter().all(|text| text.chars().count() <= 1600));
    phone.skips_all();
    world.pass(TimeDelta::minutes(1)).await;
    world.finish().await;
}

/// What a text costs is kept with it. Ordinary ones fit one; a guest's name is never changed to make it so.
#[tokio::test]
async fn texts_and_what_they_cost() {
    let world = World::new().await;
    let file = "code,first_name,last_name,group\nZREPYW23,Zoë,Rosa,z\nZREPYW24,Rosa,Rosa,z\n";
    world.import(file).await;
    let anna = world.phone(PHONE);
    for text in ["hello", "K7QF2M Holloway", "2", "3", "1", "1", "1", "menu"] {
        anna.texts(text).await;
    }
    anna.skips_all();
    for entry in world.entries_to(&anna.address()).await {
        let text = entry.text.unwrap();
        let units = text.text.chars().count();
        let expected = if units <= 160 { 1 } else { u32::try_from(units.div_ceil(153)).unwrap() };
        assert_eq!(text.segments, expected, "{}", text.text);
        if entry.question.is_some() {
            assert_eq!(text.segments, 1, "a question fits one text: {}", text.text);
        }
    }
    // ë is not among the letters that a text has room for: it costs more, and is sent all the same.
    let zoe = world.phone("+447700900777");
    zoe.texts("ZREPYW23 Rosa").await.sees("Welcome, Zoë!").sees("how many");
    let welcome = world.entries_to(&zoe.address()).await.remove(0).text.unwrap();
    let units = u32::try_from(welcome.text.encode_utf16().count()).unwrap();
    assert_eq!(welcome.segments, units.div_ceil(67), "{}", welcome.text);
    world.finish().await;
}

/// A picture by text has no words in it.
#[tokio::test]
async fn a_picture_by_text() {
    let world = World::new().await;
    let anna = world.phone(PHONE);
    anna.comes_in("K7QF2M Holloway").await;
    let media = [("NumMedia", "1"), ("MediaUrl0", "https://api.twilio.com/x"), ("MediaContentType0", "image/jpeg")];
    let picture = world.twilio.inbound_with(PUBLIC_URL, PHONE, OURS, "", &media);
    world.hand_over(picture.into(), "<Response/>").await;
    anna.sees("I can only read text. … how many of the 3 of you are coming?");
    // With words under it, the words count.
    let picture = world.twilio.inbound_with(PUBLIC_URL, PHONE, OURS, "all of us \u{1f389}", &media);
    world.hand_over(picture.into(), "<Response/>").await;
    anna.sees("dietary needs");
    world.finish().await;
}

/// A number is an answer only if its sender can have seen the question.
#[tokio::test]
async fn a_number_that_crosses_the_question() {
    let world = World::new().await;
    let anna = world.phone(PHONE);
    world.courier_rests();
    anna.texts("K7QF2M Holloway").await;
    anna.texts("3").await;
    world.courier_works().await;
    anna.sees("Welcome").skips(1).sees("crossed … how many of the 3 of you are coming?");
    anna.texts("3").await.sees("dietary needs");
    // Words say what they mean.
    world.courier_rests();
    anna.texts("none for any of us").await;
    anna.texts("yes").await;
    world.courier_works().await;
    anna.sees("Is this right?").sees("Saved");
    world.finish().await;
}

const BELOW_A_PATH: &[(&str, &str)] = &[
    ("CONVIVE__HTTP__PUBLIC_URL", "https://rsvp.example.org/party"),
    ("CONVIVE__TWILIO__MESSAGING_SERVICE_SID", "MG00000000000000000000000000000001"),
];

/// Several numbers behind one service, and the program below a path: Twilio signs what it calls, not what we see.
#[tokio::test]
async fn a_messaging_service_and_a_proxy() {
    let world = World::with(Setup { settings: BELOW_A_PATH, ..Setup::default() }).await;
    let service = BELOW_A_PATH[1].1;
    let public = BELOW_A_PATH[0].1;
    for (number, text) in [(OURS, "K7QF2M Holloway"), ("+447700900998", "all")] {
        let field = [("MessagingServiceSid", service)];
        world.hand_over(world.twilio.inbound_with(public, PHONE, number, text, &field).into(), "<Response/>").await;
    }
    world.phone(PHONE).sees("Welcome").sees("how many").sees("dietary needs");
    let sent = world.twilio.last_to(PHONE).unwrap();
    assert_eq!((sent.from.as_deref(), sent.messaging_service_sid.as_deref()), (None, Some(service)));
    assert_eq!(sent.status_callback.as_deref(), Some("https://rsvp.example.org/party/webhooks/sms/twilio/status"));
    let mut report: Request = world.twilio.status_callback(&sent.sid, "delivered", None).into();
    report.path = report.path.replace("/party", "");
    world.hand_over(report, "").await;
    let entry = world.entries_to(&Address::sms(service, PHONE)).await.pop().unwrap();
    assert_eq!(entry.delivery, Some(DeliveryStatus::Delivered));
    world.finish().await;
}

/// Letters that look better on paper cost three times as much by text; our own are plain.
#[tokio::test]
async fn our_own_words_are_cheap() {
    let world = World::new().await;
    let anna = world.phone(PHONE);
    for text in [
        "hello",
        "K7QF2M Wrong",
        "K7QF2M Holloway",
        "what",
        "what?",
        "details",
        "menu",
        "5",
        "1",
        "none",
        "2",
        "1",
        "1",
        "1",
        "status",
        "message",
        "hi",
        "mute",
        "unmute",
        "wrong person",
        "2",
        "language",
        "switch",
        "stop it",
        "logout",
    ] {
        anna.texts(text).await;
        world.advance(TimeDelta::minutes(1));
    }
    anna.skips_all();
    for entry in world.entries_to(&anna.address()).await {
        let text = entry.text.unwrap();
        assert!(text.text.is_ascii(), "{}", text.text);
    }
    world.ignore_the_rest().await;
}

/// Whoever keeps the machine learns nothing about people from the log, however much goes wrong.
#[tokio::test]
async fn the_log_tells_nothing_about_people() {
    let (logs, _listening) = Logs::listen();
    let world = World::new().await;
    let (anna, ben) = (world.telegram("anna"), world.phone(PHONE));
    anna.comes_in("K7QF2M Holloway").await;
    ben.comes_in("B3NH4Z Holloway").await;
    world.telegram.answer_next("sendMessage", Answer::CantParseEntities);
    anna.says("vegetarians only").await.skips(1);
    world.twilio.answer([fakes::twilio::Answer::Page(500), fakes::twilio::Answer::Refuse(21211)]);
    ben.texts("vegetarians only").await;
    world.pass(TimeDelta::seconds(5)).await;
    world.process.store.go_down();
    assert_eq!(anna.tries_to_say("my name is Holloway").await.status, 503);
    ben.tries_to_say("my name is Holloway").await;
    world.process.store.mend();
    let mut broken = world.update_request(&json!({}));
    broken.body = b"{\"text\": \"K7QF2M Holloway\"".to_vec();
    assert_eq!(world.process.post(&broken).await.status, 400);
    let mut unsigned = world.text_request(PHONE, OURS, "K7QF2M Holloway");
    unsigned.headers.retain(|(name, _)| name != "X-Twilio-Signature");
    assert_eq!(world.process.post(&unsigned).await.status, 403);
    anna.says("all").await;
    anna.says("vegetarians only").await;
    world.telegram.answer_next("sendMessage", Answer::Blocked);
    anna.says("none").await;
    world.pass(TimeDelta::minutes(1)).await;
    anna.skips_all();
    ben.skips_all();

    let text = logs.text();
    assert!(text.contains("refused") && text.contains("switched off"), "the log was heard:\n{text}");
    let ours: String = text
        .lines()
        .filter(|line| !line.contains(" hyper") && !line.contains(" reqwest"))
        .collect::<Vec<_>>()
        .join("\n");
    for personal in [
        "Holloway",
        "Anna",
        "Ben",
        "K7QF2M",
        "B3NH4Z",
        "900123",
        "vegetarians",
        "my name",
        fakes::telegram::FakeTelegram::TOKEN,
        fakes::twilio::FakeTwilio::AUTH_TOKEN,
        WEBHOOK_SECRET,
    ] {
        assert!(!ours.contains(personal), "{personal} in the log:\n{ours}");
    }
    assert!(!world.entries(EntryStatus::Failed).await.is_empty());
    world.ignore_the_rest().await;
}
