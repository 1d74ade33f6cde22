//! Who may hand something over, and what becomes of what nobody understands.

use serde_json::json;

use crate::{
    chat::{Chat, group_message},
    fixtures::{OURS, PHONE, PUBLIC_URL, WEBHOOK_SECRET},
    process::Request,
    world::World,
};
use fakes::twilio::Webhook;

const SECRET: &str = "X-Telegram-Bot-Api-Secret-Token";
const SIGNATURE: &str = "X-Twilio-Signature";

fn with_header(mut request: Request, name: &str, value: Option<&str>) -> Request {
    request.headers.retain(|(other, _)| other != name);
    request.headers.extend(value.map(|value| (name.to_owned(), value.to_owned())));
    request
}

fn form(target: &str, signed_for: &str, fields: &[(&str, &str)]) -> Request {
    let mut request: Request = Webhook::form(signed_for, "", fields).into();
    target.clone_into(&mut request.path);
    request
}

const TEXT: [(&str, &str); 5] = [
    ("AccountSid", "AC00000000000000000000000000000001"),
    ("MessageSid", "SM00000000000000000000000000000001"),
    ("From", PHONE),
    ("To", OURS),
    ("Body", "K7QF2M Holloway"),
];

/// Without the secret nobody speaks as a guest; nothing is even looked up.
#[tokio::test]
async fn updates_without_the_secret() {
    let world = World::new().await;
    let request = world.update_request(&world.telegram.text(world.telegram("anna").id(), "K7QF2M Holloway"));
    let mut one_off = WEBHOOK_SECRET.to_owned();
    one_off.replace_range(..1, "S");
    let mut longer = WEBHOOK_SECRET.to_owned();
    longer.push('1');
    let looks = world.process.store.calls("load");
    for wrong in [None, Some(""), Some(one_off.as_str()), Some(longer.as_str()), Some(&WEBHOOK_SECRET[1..])] {
        let reply = world.process.post(&with_header(request.clone(), SECRET, wrong)).await;
        assert_eq!((reply.status, reply.body.as_str()), (401, ""), "{wrong:?}");
    }
    assert_eq!(world.process.store.calls("load"), looks);
    world.pump().await;
    world.telegram("anna").sees_nothing_more();
    world.finish().await;
}

/// Twilio signs the public address. Whatever else arrives with a request plays no part.
#[tokio::test]
async fn texts_without_a_right_signature() {
    let world = World::new().await;
    let path = "/webhooks/sms/twilio";
    let right = form(path, &format!("{PUBLIC_URL}{path}"), &TEXT);
    let looks = world.process.store.calls("load");
    let mut forgeries = vec![
        with_header(right.clone(), SIGNATURE, None),
        with_header(right.clone(), SIGNATURE, Some("")),
        with_header(right.clone(), SIGNATURE, Some("T0xZel01kNJJrH6p94PJmIjXPx0=")),
        with_header(right.clone(), SIGNATURE, Some("not base64!")),
    ];
    for other_address in ["http://rsvp.example.org", "http://127.0.0.1:8080", "https://evil.example"] {
        let forged = form(path, &format!("{other_address}{path}"), &TEXT);
        forgeries.push(forged.clone());
        // A proxy that nobody trusts, or nobody at all, says that it is called so.
        let host = other_address.split_once("://").unwrap().1;
        let forged = with_header(forged, "X-Forwarded-Host", Some(host));
        forgeries.push(with_header(forged, "X-Forwarded-Proto", Some("https")));
    }
    let mut other_text = right.clone();
    other_text.body = String::from_utf8(right.body.clone()).unwrap().replace("K7QF2M", "H4TR8W").into_bytes();
    forgeries.push(other_text);
    let mut one_more_field = right.clone();
    one_more_field.body.extend(b"&Body=all");
    forgeries.push(one_more_field);
    let mut elsewhere = right.clone();
    elsewhere.path.push_str("/status");
    forgeries.push(elsewhere);
    for (number, forgery) in forgeries.iter().enumerate() {
        let reply = world.process.post(forgery).await;
        assert_eq!((reply.status, reply.body.as_str()), (403, ""), "forgery {number}");
    }
    assert_eq!(world.process.store.calls("load"), looks);
    assert_eq!(world.process.store.calls("report_delivery"), 0);

    let right = with_header(right, "X-Forwarded-Host", Some("evil.example"));
    let reply = world.process.post(&right).await;
    assert_eq!((reply.status, reply.body.as_str()), (200, "<Response/>"));
    world.pump().await;
    world.phone(PHONE).sees("Welcome, Anna!").skips(1);
    world.finish().await;
}

/// A report about another account's text, or somebody's who does not know the token.
#[tokio::test]
async fn delivery_reports_are_checked_like_texts() {
    let world = World::new().await;
    let path = "/webhooks/sms/twilio/status";
    let fields = [("MessageSid", "SM1"), ("MessageStatus", "delivered"), ("AccountSid", TEXT[0].1)];
    let right = form(path, &format!("{PUBLIC_URL}{path}"), &fields);
    assert_eq!(world.process.post(&with_header(right.clone(), SIGNATURE, None)).await.status, 403);
    let others = [("MessageSid", "SM1"), ("MessageStatus", "delivered"), ("AccountSid", "AC2")];
    assert_eq!(world.process.post(&form(path, &format!("{PUBLIC_URL}{path}"), &others)).await.status, 403);
    assert_eq!(world.process.store.calls("report_delivery"), 0);
    assert_eq!(world.process.post(&right).await.status, 204);
    let unheard_of = [("MessageSid", "SM1"), ("MessageStatus", "teleported"), ("AccountSid", TEXT[0].1)];
    assert_eq!(world.process.post(&form(path, &format!("{PUBLIC_URL}{path}"), &unheard_of)).await.status, 204);
    world.finish().await;
}

#[tokio::test]
async fn bodies_that_are_too_large() {
    let world = World::new().await;
    let anna = world.telegram("anna");
    let mut update = world.update_request(&world.telegram.text(anna.id(), "hello"));
    update.body.resize(64 * 1024, b' ');
    let mut larger = update.clone();
    larger.body.push(b' ');
    for secret in [Some(WEBHOOK_SECRET), None] {
        assert_eq!(world.process.post(&with_header(larger.clone(), SECRET, secret)).await.status, 413);
    }
    assert_eq!(world.process.post(&update).await.status, 200, "as large as it may be");
    let mut text = world.text_request(PHONE, OURS, "hello");
    text.body.resize(64 * 1024 + 1, b'A');
    assert_eq!(world.process.post(&text).await.status, 413);
    text.path.push_str("/status");
    assert_eq!(world.process.post(&text).await.status, 413);
    world.pump().await;
    anna.sees("Hello!");
    world.finish().await;
}

/// What is not JSON is refused; what is JSON and means nothing to us is taken, or it would come again for a day.
#[tokio::test]
async fn updates_that_nobody_understands() {
    let world = World::new().await;
    let anna = world.telegram("anna").id();
    let mut request = world.update_request(&json!({}));
    for broken in ["", "{", "K7QF2M Holloway", "{\"update_id\": 1, \"message\": {\"text\": \"\u{7}\"}}", "\"\\ud800"] {
        request.body = broken.as_bytes().to_vec();
        assert_eq!(world.process.post(&request).await.status, 400, "{broken:?}");
    }
    request.body = b"{\"update_id\": 1, \"message\": \"\xff\"}".to_vec();
    assert_eq!(world.process.post(&request).await.status, 400, "not UTF-8");
    request.body = "[".repeat(30_000).into_bytes();
    assert_eq!(world.process.post(&request).await.status, 400, "too deep");

    let person = json!({"id": anna, "is_bot": false, "first_name": "Anna"});
    let bot = json!({"id": 1, "is_bot": true, "first_name": "Bot"});
    let private = json!({"id": anna, "type": "private"});
    let group = json!({"id": -5, "type": "group"});
    let unknown = [
        json!(null),
        json!([]),
        json!("hello"),
        json!({}),
        json!({"update_id": "one"}),
        json!({"update_id": 1}),
        json!({"update_id": 2, "inline_query": {"id": "1", "from": person, "query": "", "offset": ""}}),
        json!({"update_id": 3, "channel_post": {"message_id": 1, "date": 1, "chat": {"id": -1, "type": "channel"}}}),
        json!({"update_id": 4, "poll": {"id": "1", "question": "?"}}),
        json!({"update_id": 5, "message": {"text": "K7QF2M Holloway"}}),
        json!({"update_id": 6, "message": {"message_id": 1, "date": 1, "chat": private, "from": bot, "text": "hi"}}),
        json!({"update_id": 7, "message": {"message_id": 1, "date": 1, "chat": group, "from": person, "text": "hi"}}),
        json!({"update_id": 8, "message": {"message_id": 1, "date": 1, "chat": private, "pinned_message": {}}}),
        json!({"update_id": 9, "callback_query": {"id": "1", "from": person, "game_short_name": "chess"}}),
        json!({"update_id": 10, "my_chat_member": {"chat": group, "from": person, "date": 1,
            "old_chat_member": {"user": bot, "status": "member"}, "new_chat_member": {"user": bot, "status": "kicked"}}}),
        json!({"update_id": 11, "something_new": {"from": person}}),
    ];
    let commits = world.process.store.calls("commit");
    for update in unknown {
        assert_eq!(world.process.post(&world.update_request(&update)).await.status, 200, "{update}");
    }
    assert_eq!(world.process.store.calls("commit"), commits);
    world.finish().await;
}

/// Fields that are missing or cannot be: refused, though the signature is right.
#[tokio::test]
async fn texts_that_nobody_understands() {
    let world = World::new().await;
    let path = "/webhooks/sms/twilio";
    let signed = |fields: &[(&str, &str)]| form(path, &format!("{PUBLIC_URL}{path}"), fields);
    let commits = world.process.store.calls("commit");
    for missing in ["MessageSid", "From", "To"] {
        let rest: Vec<_> = TEXT.into_iter().filter(|(name, _)| *name != missing).collect();
        assert_eq!(world.process.post(&signed(&rest)).await.status, 400, "{missing}");
    }
    for (name, value) in [("From", "+44'; drop table"), ("To", "us"), ("MessageSid", "../SM1")] {
        let odd: Vec<_> = TEXT.into_iter().map(|field| if field.0 == name { (name, value) } else { field }).collect();
        assert_eq!(world.process.post(&signed(&odd)).await.status, 400, "{name}");
    }
    // A sender that cannot be written to, like a shop's name: nobody to answer.
    let shop: Vec<_> =
        TEXT.into_iter().map(|field| if field.0 == "From" { ("From", "Pizza 4U") } else { field }).collect();
    let reply = world.process.post(&signed(&shop)).await;
    assert_eq!((reply.status, reply.body.as_str()), (200, "<Response/>"));
    assert_eq!(world.process.store.calls("commit"), commits);
    world.finish().await;
}

/// Nothing changes by looking; and there is nothing to see at a door.
#[tokio::test]
async fn doors_take_only_posts() {
    let world = World::new().await;
    for door in ["/webhooks/telegram", "/webhooks/sms/twilio", "/webhooks/sms/twilio/status"] {
        assert_eq!(world.process.get(door).await.status, 405, "{door}");
    }
    let nothing = Request { path: "/webhooks/whatsapp".to_owned(), headers: Vec::new(), body: Vec::new() };
    assert_eq!(world.process.post(&nothing).await.status, 404);
    for page in ["/healthz", "/readyz", "/metrics"] {
        assert_eq!(world.process.get(page).await.status, 200, "{page}");
    }
    world.finish().await;
}

/// In a group everybody reads along: the bot reads no codes there, and only answers when it is spoken to.
#[tokio::test]
async fn a_group_chat() {
    let world = World::new().await;
    let anna = world.telegram("anna").id();
    let group = -4_000_002;
    for (text, answers) in [
        ("K7QF2M Holloway", 0),
        ("/start K7QF2M", 1),
        ("@convive_test_bot K7QF2M Holloway", 2),
        ("/help@convive_test_bot", 3),
        ("/start@another_bot", 3),
        ("good evening", 3),
    ] {
        world.hear(group_message(&world.telegram, group, anna, text)).await;
        let there = world.telegram.messages(group);
        assert_eq!(there.len(), answers, "{text}");
        assert!(there.iter().all(|message| message.text.contains("write to me in a private chat")));
    }
    assert!(world.store().links(&[world.guest("K7QF2M").await.id]).await.unwrap().is_empty());
    let anna: Chat<'_> = world.telegram("anna");
    anna.sees_nothing_more();
    world.finish().await;
}
