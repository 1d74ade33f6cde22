use fakes::telegram::{Answer, FakeTelegram};
use serde_json::json;
use teloxide_core::{payloads::SendMessage, payloads::SendMessageSetters, types::InlineKeyboardButton};

use super::*;
use crate::telegram::{TelegramSettings, updates};

const ANNA: i64 = 7_100_000_001;

struct Scene {
    fake: FakeTelegram,
    client: TelegramClient,
    acknowledger: Acknowledger,
}

impl Scene {
    async fn new() -> Self {
        let fake = FakeTelegram::start().await.unwrap();
        let settings = TelegramSettings {
            token: FakeTelegram::TOKEN.into(),
            api_url: fake.api_url().parse().unwrap(),
            request_timeout: TelegramSettings::DEFAULT_REQUEST_TIMEOUT,
        };
        let client = TelegramClient::new(&settings).unwrap();
        fake.meet(ANNA);
        Self { acknowledger: Acknowledger::start(client.clone()), fake, client }
    }

    async fn ask(&self) {
        let button = InlineKeyboardButton::callback("Yes", "7:yes");
        let message = SendMessage::new(ChatId(ANNA), "Coming?").reply_markup(InlineKeyboardMarkup::new([[button]]));
        self.client.call::<_, IgnoredAny>(&message).await.unwrap();
    }

    fn press(&self) -> Press {
        let update = self.fake.press(ANNA, "Yes");
        let bot = crate::telegram::BotIdentity { id: FakeTelegram::BOT_ID, username: String::new() };
        match updates::to_inbound(update.to_string().as_bytes(), chrono::DateTime::UNIX_EPOCH, &bot) {
            Ok(updates::Parsed::Inbound { press: Some(press), .. }) => press,
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn a_pressed_button_stops_spinning_and_its_keyboard_goes() {
    let scene = Scene::new().await;
    scene.ask().await;
    scene.acknowledger.press(scene.press());
    scene.acknowledger.flush().await;
    assert_eq!(scene.fake.chat(ANNA), "< Coming?\n> [Yes]\n");
    assert_eq!(scene.fake.calls("answerCallbackQuery"), 1);
    scene.fake.finish();
}

/// Too late, twice, gone, down: the guest has their reply, and the next press is acknowledged as ever.
#[tokio::test]
async fn nothing_that_goes_wrong_with_it_matters() {
    let scene = Scene::new().await;
    let troubles = [Answer::QueryTooOld, Answer::NotModified, Answer::Html502, Answer::CutConnection];
    for trouble in troubles {
        scene.ask().await;
        let press = scene.press();
        for method in ["answerCallbackQuery", "editMessageReplyMarkup"] {
            scene.fake.answer_next(method, trouble.clone());
        }
        scene.acknowledger.press(press.clone());
        scene.acknowledger.press(press);
        scene.acknowledger.flush().await;
        assert_eq!(scene.fake.last(ANNA).unwrap().buttons, Vec::<Vec<_>>::new(), "{trouble:?}");
    }
    scene.fake.finish();
}

#[tokio::test]
async fn telegrams_wish_to_be_left_alone_is_obeyed() {
    let scene = Scene::new().await;
    scene.ask().await;
    scene.fake.answer_next("answerCallbackQuery", Answer::TooMany(3600));
    scene.acknowledger.press(scene.press());
    scene.acknowledger.flush().await;
    scene.acknowledger.press(Press { callback_id: "1".to_owned(), message: None });
    scene.acknowledger.flush().await;
    assert_eq!(scene.fake.calls("answerCallbackQuery"), 1);
    scene.fake.finish();
}

#[tokio::test]
async fn a_press_on_a_message_that_telegram_does_not_name_is_only_answered() {
    let scene = Scene::new().await;
    let update = scene.fake.press_data(ANNA, ANNA, 501, "7:yes");
    let id = update["callback_query"]["id"].as_str().unwrap().to_owned();
    scene.acknowledger.press(Press { callback_id: id, message: None });
    scene.acknowledger.flush().await;
    assert_eq!(scene.fake.calls("answerCallbackQuery"), 1);
    assert_eq!(scene.fake.calls("editMessageReplyMarkup"), 0);
    assert_eq!(update["callback_query"]["data"], json!("7:yes"));
    scene.fake.finish();
}
