use std::time::Duration;

use chrono::{DateTime, TimeDelta};
use fakes::telegram::{Answer, FakeTelegram};
use store::RenderedChoice;

use super::*;
use crate::telegram::TelegramSettings;

const ANNA: i64 = 7_100_000_001;

fn settings(api_url: &str, request_timeout: Duration) -> TelegramSettings {
    TelegramSettings { token: FakeTelegram::TOKEN.into(), api_url: api_url.parse().unwrap(), request_timeout }
}

fn channel(api_url: &str) -> TelegramChannel {
    TelegramChannel::new(TelegramClient::new(&settings(api_url, Duration::from_secs(30))).unwrap())
}

async fn fake() -> FakeTelegram {
    let fake = FakeTelegram::start().await.unwrap();
    fake.meet(ANNA);
    fake
}

fn text(html: &str) -> Rendered {
    Rendered { text: html.to_owned(), ..Rendered::default() }
}

fn asking(html: &str, choices: &[(&str, &str)]) -> Rendered {
    let choices =
        choices.iter().map(|(id, label)| RenderedChoice { id: (*id).to_owned(), label: (*label).to_owned() }).collect();
    Rendered { choices, ..text(html) }
}

fn calendar_file(html: &str) -> Rendered {
    let attachment = Attachment {
        name: "summer-party.ics".to_owned(),
        media_type: "text/calendar; charset=utf-8".to_owned(),
        content: "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n".to_owned(),
    };
    Rendered { attachment: Some(attachment), ..text(html) }
}

async fn send_to(channel: &TelegramChannel, address: Address, text: &Rendered) -> SendOutcome {
    let parcel = Parcel { id: "e1", address: &address, text, first_attempt_at: DateTime::UNIX_EPOCH };
    channel.send(&parcel).await
}

async fn send(fake: &FakeTelegram, text: &Rendered) -> SendOutcome {
    send_to(&channel(&fake.api_url()), Address::telegram(ANNA), text).await
}

/// The outcome's name.
fn name(outcome: &SendOutcome) -> String {
    format!("{outcome:?}").split([' ', '{']).next().unwrap().to_owned()
}

#[tokio::test]
async fn a_question_is_a_message_with_buttons() {
    let fake = fake().await;
    let question = asking("Expected <b>3</b>. How many are coming?", &[("7:all", "All 3"), ("7:some", "Some")]);
    let outcome = send(&fake, &question).await;
    assert_eq!(fake.chat(ANNA), "< Expected 3. How many are coming?\n  [All 3]\n  [Some]\n");
    let sent = fake.last(ANNA).unwrap();
    assert_eq!(sent.buttons[1][0].data, "7:some");
    assert_eq!(outcome, SendOutcome::Sent { provider_id: Some(sent.id.to_string()) });
    fake.finish();
}

/// An odd underscore or a "<" in a name must neither vanish nor make Telegram refuse the message.
#[tokio::test]
async fn names_are_seen_exactly_as_they_are() {
    let fake = fake().await;
    send(&fake, &asking("Max_Lund, Tom &amp; Ana &lt;3, *vegan_", &[("1:0", "Tom & Ana <3")])).await;
    assert_eq!(fake.chat(ANNA), "< Max_Lund, Tom & Ana <3, *vegan_\n  [Tom & Ana <3]\n");
    fake.finish();
}

#[tokio::test]
async fn refused_markup_is_sent_once_more_as_plain_text() {
    let fake = fake().await;
    fake.answer_next("sendMessage", Answer::CantParseEntities);
    let outcome = send(&fake, &asking("<b>Tom &amp; Ana &lt;3</b>", &[("1:0", "Yes")])).await;
    assert_eq!(name(&outcome), "Sent");
    assert_eq!(fake.chat(ANNA), "< Tom & Ana <3\n  [Yes]\n");
    assert_eq!(fake.last(ANNA).unwrap().source, "Tom & Ana <3");

    fake.answer_next("sendMessage", Answer::CantParseEntities);
    fake.answer_next("sendMessage", Answer::CantParseEntities);
    assert_eq!(name(&send(&fake, &text("Hello")).await), "Failed", "once, not for ever");
    assert_eq!(fake.calls("sendMessage"), 4);
    fake.finish();
}

#[tokio::test]
async fn a_calendar_file_is_a_document_with_its_text_as_caption() {
    let fake = fake().await;
    let outcome = send(&fake, &calendar_file("<b>Saved.</b> See you!")).await;
    assert_eq!(fake.chat(ANNA), "< Saved. See you!\n  (summer-party.ics, text/calendar; charset=utf-8)\n");
    let sent = fake.last(ANNA).unwrap();
    assert_eq!(sent.document.unwrap().content, "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n");
    assert_eq!(outcome, SendOutcome::Sent { provider_id: Some(sent.id.to_string()) });

    let with_buttons = Rendered { choices: asking("", &[("9:0", "Change")]).choices, ..calendar_file("") };
    assert_eq!(name(&send(&fake, &with_buttons).await), "Sent");
    assert_eq!(fake.last(ANNA).unwrap().buttons[0][0].label, "Change");

    fake.answer_next("sendDocument", Answer::CantParseEntities);
    assert_eq!(name(&send(&fake, &calendar_file("<i>Saved.</i>")).await), "Sent");
    fake.finish();
}

#[tokio::test]
async fn what_can_never_be_sent_is_not_tried() {
    let fake = fake().await;
    let long = "é".repeat(4097);
    let with_file = calendar_file(&"x".repeat(1025));
    let wrong_type = |media_type: &str| {
        let file = calendar_file("");
        Rendered {
            attachment: file.attachment.map(|it| Attachment { media_type: media_type.to_owned(), ..it }),
            ..file
        }
    };
    let never = [
        text(""),
        text(" \n"),
        text("<b></b>"),
        text(&long),
        // One "party popper" is two UTF-16 units.
        text(&"🎉".repeat(2049)),
        with_file,
        wrong_type("calendar"),
        asking("How many?", &[("", "All")]),
        asking("How many?", &[(&"x".repeat(65), "All")]),
    ];
    for rendered in never {
        assert_eq!(name(&send(&fake, &rendered).await), "Failed", "{:?}", rendered.text);
    }
    for address in ["sms:+447700900999:+447700900123", "console:telegram:anna", "telegram:anna"] {
        let outcome = send_to(&channel(&fake.api_url()), address.parse().unwrap(), &text("Hello")).await;
        assert_eq!(name(&outcome), "Failed", "{address}");
    }
    assert_eq!(fake.calls("sendMessage") + fake.calls("sendDocument"), 0);

    for longest in [&"é".repeat(4096), &"🎉".repeat(2048), &"&lt;".repeat(4096)] {
        assert_eq!(name(&send(&fake, &text(longest)).await), "Sent");
    }
    fake.finish();
}

#[tokio::test]
async fn each_answer_is_told_for_what_it_is() {
    let fake = fake().await;
    let table = [
        (Answer::Blocked, "Unreachable"),
        (Answer::Deactivated, "Unreachable"),
        (Answer::CannotInitiate, "Unreachable"),
        (Answer::ChatNotFound, "Unreachable"),
        (Answer::Html502, "NotSent"),
        (Answer::Status(500), "NotSent"),
        (Answer::Status(401), "AccountRefused"),
        (Answer::Status(404), "AccountRefused"),
        (Answer::Status(400), "Failed"),
        (Answer::CutConnection, "InDoubt"),
        (Answer::CutAfterStoring, "InDoubt"),
        (Answer::Raw(200, "<html>log in to the wifi</html>".to_owned()), "InDoubt"),
        (Answer::Raw(200, "x".repeat(2 * 1024 * 1024)), "InDoubt"),
        (Answer::Raw(502, "x".repeat(2 * 1024 * 1024)), "NotSent"),
        (Answer::Raw(302, String::new()), "AccountRefused"),
    ];
    for (answer, expected) in table {
        fake.answer_next_to(ANNA, "sendMessage", answer.clone());
        let outcome = send(&fake, &text("Hello")).await;
        assert_eq!(name(&outcome), expected, "{:.60}", format!("{answer:?}"));
        assert!(!format!("{outcome:?}").contains("AAFake"), "{outcome:?}");
    }
    fake.answer_next("sendMessage", Answer::TooMany(7));
    assert_eq!(send(&fake, &text("Hello")).await, SendOutcome::TooMany { retry_after: TimeDelta::seconds(7) });
    fake.answer_next("sendMessage", Answer::Moved(-1_001_234_567_890));
    assert_eq!(send(&fake, &text("Hello")).await, SendOutcome::Moved { to: Address::telegram(-1_001_234_567_890) });
    assert_eq!(fake.messages(ANNA).len(), 1, "only what was cut off after it was stored");
    fake.finish();
}

#[tokio::test]
async fn no_answer_is_doubt_and_no_connection_is_none() {
    let fake = fake().await;
    let impatient = settings(&fake.api_url(), Duration::from_millis(50));
    let impatient = TelegramChannel::new(TelegramClient::new(&impatient).unwrap());
    fake.answer_next("sendMessage", Answer::Hang);
    assert_eq!(name(&send_to(&impatient, Address::telegram(ANNA), &text("Hello")).await), "InDoubt");

    let url = fake.api_url();
    fake.finish();
    assert_eq!(name(&send_to(&channel(&url), Address::telegram(ANNA), &text("Hello")).await), "NotSent");
}

#[tokio::test]
async fn a_hanging_call_ends_with_the_fake() {
    let fake = fake().await;
    fake.answer_next("sendMessage", Answer::Hang);
    let channel = channel(&fake.api_url());
    let sending = tokio::spawn(async move { send_to(&channel, Address::telegram(ANNA), &text("Hello")).await });
    fake.wait_for_calls("sendMessage", 1).await;
    drop(fake);
    assert_eq!(name(&sending.await.unwrap()), "InDoubt");
}

#[tokio::test]
async fn a_stranger_cannot_be_written_to() {
    let fake = FakeTelegram::start().await.unwrap();
    assert_eq!(name(&send(&fake, &text("Hello")).await), "Unreachable");
    fake.finish();
}

#[tokio::test]
async fn the_bot_api_may_be_below_a_path_with_or_without_a_slash_at_its_end() {
    let fake = FakeTelegram::start_below("/some/path").await.unwrap();
    fake.meet(ANNA);
    for url in [fake.api_url(), format!("{}/", fake.api_url())] {
        assert_eq!(name(&send_to(&channel(&url), Address::telegram(ANNA), &text("Hello")).await), "Sent");
    }
    fake.finish();
}

#[test]
fn settings_that_cannot_work_are_refused_before_anything_is_sent() {
    let refusal = |token: &str, url: &str| {
        let settings = TelegramSettings { token: token.into(), ..settings(url, Duration::from_secs(1)) };
        TelegramClient::new(&settings).map(|client| client.bot_id()).map_err(|error| error.to_string())
    };
    assert_eq!(refusal(" 7000000001:AAFake-token_x\n", "http://127.0.0.1:1/"), Ok(7_000_000_001));
    for token in ["", "7000000001", ":AAFake", "7000000001:", "7000000001:AA/../x", "bot7000000001:AAFake"] {
        assert!(refusal(token, "http://127.0.0.1:1").is_err_and(|it| it.contains("telegram.token")), "{token}");
    }
    for url in ["ftp://127.0.0.1/", "data:text/plain,hello", "http://127.0.0.1/?a=b", "http://127.0.0.1/#a"] {
        assert!(refusal("1:AA", url).is_err_and(|it| it.contains("telegram.api_url")), "{url}");
    }
}

#[test]
fn the_token_is_not_to_be_seen() {
    let channel = channel("http://127.0.0.1:1");
    assert!(!format!("{channel:?}").contains("AAFake"));
}
