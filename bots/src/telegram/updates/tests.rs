use serde_json::{Value, json};

use super::*;

const ANNA: i64 = 7_100_000_001;
const GROUP: i64 = -4_200_001;

fn bot() -> BotIdentity {
    BotIdentity { id: 7_000_000_001, username: "convive_bot".to_owned() }
}

fn parse(update: &Value) -> Parsed {
    to_inbound(update.to_string().as_bytes(), DateTime::UNIX_EPOCH, &bot()).unwrap()
}

/// `who: what`, or why it was ignored.
fn shown(update: &Value) -> String {
    match parse(update) {
        Parsed::Ignored(reason) => format!("ignored: {reason}"),
        Parsed::Inbound { inbound, .. } => {
            let body = match inbound.body {
                Body::Text(text) => format!("text {text:?}"),
                Body::Choice(id) => format!("choice {id:?}"),
                Body::Start(payload) => format!("start {payload:?}"),
                Body::Contact { phone, own } => format!("contact {phone} own={own}"),
                Body::MovedTo(to) => format!("moved to {to}"),
                other => format!("{other:?}").to_lowercase(),
            };
            format!("{}: {body}", inbound.from)
        }
    }
}

fn update(kind: &str, content: Value) -> Value {
    json!({"update_id": 870_000_101, kind: content})
}

/// A message of Anna's in her private chat, with these fields besides.
fn private(fields: Value) -> Value {
    update("message", with(json!({"chat": {"id": ANNA, "type": "private", "first_name": "Anna"}}), fields))
}

/// The same in a group.
fn in_group(fields: Value) -> Value {
    update("message", with(json!({"chat": {"id": GROUP, "type": "group", "title": "Supper"}}), fields))
}

fn with(mut message: Value, fields: Value) -> Value {
    let from = json!({"id": ANNA, "is_bot": false, "first_name": "Anna", "language_code": "pt-br"});
    let common = json!({"message_id": 611, "date": 1_780_000_000, "from": from});
    for source in [common, fields] {
        for (key, value) in source.as_object().unwrap() {
            message[key] = value.clone();
        }
    }
    message
}

#[test]
fn a_text_arrives_with_its_key_its_sender_and_a_first_guess_at_the_language() {
    let Parsed::Inbound { inbound, press: None } = parse(&private(json!({"text": "K7QF2M Holloway"}))) else {
        panic!()
    };
    assert_eq!(inbound.key, "telegram:7000000001:870000101");
    assert_eq!(inbound.from, Address::telegram(ANNA));
    assert_eq!(inbound.body, Body::Text("K7QF2M Holloway".to_owned()));
    assert_eq!(inbound.received_at, DateTime::UNIX_EPOCH);
    assert_eq!(inbound.locale_hint.as_deref(), Some("pt-br"));
}

#[test]
fn what_people_send_in_a_private_chat() {
    let table = [
        (json!({"text": "/start"}), "start \"\""),
        (json!({"text": "/start vTFSxGE3"}), "start \"vTFSxGE3\""),
        (json!({"text": "/start@Convive_Bot vTFSxGE3"}), "start \"vTFSxGE3\""),
        (json!({"text": "/START vTFSxGE3"}), "start \"vTFSxGE3\""),
        (json!({"text": "/starting soon?"}), "text \"/starting soon?\""),
        (json!({"text": "/status"}), "text \"/status\""),
        (json!({"text": "/status@convive_bot"}), "text \"/status\""),
        (json!({"text": "/language@convive_bot sv"}), "text \"/language sv\""),
        (json!({"text": "/status@other_bot"}), "text \"/status@other_bot\""),
        (json!({"text": "we/they @convive_bot"}), "text \"we/they @convive_bot\""),
        (json!({"text": "K7QF2M\nHolloway"}), "text \"K7QF2M\\nHolloway\""),
        (json!({"text": "/"}), "text \"/\""),
        (json!({"text": "vegan", "forward_origin": {"type": "hidden_user"}}), "text \"vegan\""),
        (json!({"text": "2", "via_bot": {"id": 1, "is_bot": true}}), "text \"2\""),
        (json!({"sticker": {"file_id": "x"}}), "unreadable"),
        (json!({"voice": {"file_id": "x"}}), "unreadable"),
        (json!({"photo": [{"file_id": "x"}], "caption": "YES"}), "unreadable"),
        (json!({"location": {"latitude": 1.5, "longitude": 2.5}}), "unreadable"),
        (json!({"poll": {"id": "1"}}), "unreadable"),
        (json!({"something_new": {"id": "1"}}), "unreadable"),
        (json!({}), "unreadable"),
        (json!({"contact": {"phone_number": "447700900123", "user_id": ANNA}}), "contact +447700900123 own=true"),
        (json!({"contact": {"phone_number": "+447700900123", "user_id": ANNA}}), "contact +447700900123 own=true"),
        (json!({"contact": {"phone_number": "447700900124", "user_id": 5}}), "contact +447700900124 own=false"),
        (json!({"contact": {"phone_number": "447700900124"}}), "contact +447700900124 own=false"),
    ];
    for (fields, expected) in table {
        assert_eq!(shown(&private(fields.clone())), format!("telegram:7100000001: {expected}"), "{fields}");
    }
}

#[test]
fn nobody_is_asked_about_what_nobody_wrote() {
    for service in ["pinned_message", "message_auto_delete_timer_changed", "users_shared", "write_access_allowed"] {
        assert_eq!(shown(&private(json!({service: {}}))), "ignored: service");
    }
    assert_eq!(shown(&private(json!({"text": "hi", "from": {"id": 9, "is_bot": true}}))), "ignored: bot");
}

#[test]
fn in_a_group_only_what_is_said_to_the_bot_is_heard() {
    let heard = [
        json!({"text": "@convive_bot K7QF2M Holloway"}),
        json!({"text": "ask @Convive_Bot, please"}),
        json!({"text": "/start"}),
        json!({"text": "/help"}),
        json!({"text": "/status@convive_bot"}),
        json!({"text": "K7QF2M Holloway", "reply_to_message": {"from": {"id": 7_000_000_001_i64, "is_bot": true}}}),
        json!({"photo": [], "caption": "look @convive_bot"}),
    ];
    for fields in heard {
        assert_eq!(shown(&in_group(fields.clone())), "telegram:-4200001: ingroupchat", "{fields}");
    }
    let overheard = [
        json!({"text": "K7QF2M Holloway"}),
        json!({"text": "/status"}),
        json!({"text": "/start@other_bot"}),
        json!({"text": "@convive_bot2 hello"}),
        json!({"text": "hi", "reply_to_message": {"from": {"id": 5}}}),
        json!({"sticker": {}}),
        json!({"new_chat_members": [{"id": 7_000_000_001_i64, "is_bot": true}]}),
    ];
    for fields in overheard {
        assert_eq!(shown(&in_group(fields.clone())), "ignored: group", "{fields}");
    }
}

#[test]
fn a_press_is_its_pressers_wherever_the_button_was() {
    let press = update(
        "callback_query",
        json!({
            "id": "4000000000000000001", "from": {"id": 7_100_000_002_i64, "is_bot": false, "first_name": "S"},
            "message": {"message_id": 501, "date": 0, "chat": {"id": ANNA, "type": "private"}},
            "chat_instance": "1", "data": "7:yes",
        }),
    );
    let Parsed::Inbound { inbound, press } = parse(&press) else { panic!() };
    assert_eq!(inbound.from, Address::telegram(7_100_000_002));
    assert_eq!(inbound.body, Body::Choice("7:yes".to_owned()));
    assert_eq!(press, Some(Press { callback_id: "4000000000000000001".to_owned(), message: Some((ANNA, 501)) }));
}

#[test]
fn other_kinds_of_updates() {
    let member = |kind: &str, status: &str| {
        update(
            "my_chat_member",
            json!({
                "chat": {"id": ANNA, "type": kind}, "from": {"id": ANNA, "is_bot": false}, "date": 0,
                "old_chat_member": {"status": "member"}, "new_chat_member": {"status": status, "until_date": 0},
            }),
        )
    };
    let edited = |fields: Value| update("edited_message", private(fields)["message"].clone());
    let table = [
        (member("private", "kicked"), "telegram:7100000001: blocked"),
        (member("private", "member"), "telegram:7100000001: unblocked"),
        (member("group", "kicked"), "ignored: group"),
        (edited(json!({"text": "YES 3", "edit_date": 1})), "telegram:7100000001: edited"),
        (edited(json!({"photo": [], "caption": "YES 3"})), "telegram:7100000001: edited"),
        (edited(json!({"location": {"live_period": 60}})), "ignored: edit"),
        (
            in_group(json!({"migrate_to_chat_id": -1_001_234_567_890_i64})),
            "telegram:-4200001: moved to telegram:-1001234567890",
        ),
        (in_group(json!({"migrate_from_chat_id": -4_200_001})), "ignored: group"),
        (update("callback_query", json!({"id": "1", "from": {"id": 5}, "game_short_name": "g"})), "ignored: game"),
        (update("poll", json!({"id": "1"})), "ignored: kind"),
        (update("something_new", json!([])), "ignored: kind"),
    ];
    for (update, expected) in table {
        assert_eq!(shown(&update), expected, "{update}");
    }
}

/// Refusing them would make Telegram send them again and again for a day.
#[test]
fn any_json_is_confirmed_and_only_what_is_not_json_is_broken() {
    let odd = [
        "null",
        "[]",
        "{}",
        "7",
        "\"/start\"",
        r#"{"update_id":"1"}"#,
        r#"{"update_id":1,"message":7}"#,
        r#"{"update_id":1,"message":{"chat":{"id":1,"type":"private"},"text":5}}"#,
        r#"{"update_id":1,"message":{"text":"no chat"}}"#,
        r#"{"update_id":1,"message":{"chat":{"id":1e30,"type":"private"}}}"#,
        r#"{"update_id":1,"update_id":2}"#,
        r#"{"update_id":1,"message":{"chat":{"id":1,"type":"private"},"text":"\ud800"}}"#,
    ];
    for update in odd {
        let parsed = to_inbound(update.as_bytes(), DateTime::UNIX_EPOCH, &bot());
        assert!(matches!(parsed, Ok(Parsed::Ignored(_))), "{update}: {parsed:?}");
    }
    let not_text = b"{\"update_id\":1,\"message\":\"\xff\"}";
    let too_deep = "[".repeat(10_000);
    for broken in [&b""[..], b"{", b"{\"update_id\":1", b"hello", b"\xff\xfe", b"{}{}", not_text, too_deep.as_bytes()] {
        assert_eq!(to_inbound(broken, DateTime::UNIX_EPOCH, &bot()), Err(BrokenUpdate));
    }
}

#[test]
fn an_endless_text_is_cut_between_characters() {
    let text = |text: String| match parse(&private(json!({"text": text}))) {
        Parsed::Inbound { inbound: Inbound { body: Body::Text(text), .. }, .. } => text,
        other => panic!("{other:?}"),
    };
    assert_eq!(text("é".repeat(4096)), "é".repeat(4096));
    assert_eq!(text("é".repeat(60_000)), "é".repeat(4096));
}

#[test]
fn a_chat_kind_yet_unknown_is_not_private() {
    let odd = update("message", json!({"chat": {"id": 1, "type": "salon"}, "from": {"id": 1}, "text": "hi"}));
    assert_eq!(shown(&odd), "ignored: group");
    let channel = update("message", json!({"chat": {"id": -1, "type": "channel"}, "text": "@convive_bot"}));
    assert_eq!(shown(&channel), "ignored: group");
}
