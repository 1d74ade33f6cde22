//! Every kind of message in every state: something is always answered (where silence is not the rule), the state left
//! behind is sound, and nothing panics.

use std::{collections::BTreeMap, fmt::Write as _};

use chrono::TimeDelta;
use expect_test::expect;

use super::{
    sound,
    world::{World, address, at},
};
use crate::{
    address::{Address, Style},
    answer,
    conversation::{Step, state::Ask},
    message::Body,
    model::{GroupId, Status},
    show, sms_text, wording,
};

type Setting = (&'static str, fn() -> World);

/// Each state, as it is reached by Anna in Telegram (the same is then done by SMS).
const STATES: [Setting; 34] = [
    ("stranger", World::new),
    ("last name", || World::after("anna: /start K7QF2M")),
    ("cooling", || World::after(&"anna: AAAAAA Holloway\n".repeat(5))),
    ("how many", || World::after("anna: K7QF2M Holloway")),
    ("are you coming", || World::after("anna: H4TR8W Santos")),
    ("for whom", || {
        World::after("ben: B3NH4Z Holloway\nben: only me\nben: open\nben: none\nben: yes\nanna: K7QF2M Holloway")
    }),
    ("how many exactly", || World::after("anna: K7QF2M Holloway\nanna: some")),
    ("who is not", || World::after("anna: K7QF2M Holloway\nanna: 1")),
    ("who else is not", || World::after("anna: K7QF2M Holloway\nanna: 1\nanna: Ben")),
    ("companions", || World::after("anna: B8TAN7 Tanner\nanna: 2")),
    ("who does not know", || World::after("anna: K7QF2M Holloway\nanna: 1\nanna: not sure")),
    ("extras", || World::after("anna: K7QF2M Holloway\nanna: 5")),
    ("nobody or not me", || World::after("anna: K7QF2M Holloway\nanna: none")),
    ("others", || World::after("anna: K7QF2M Holloway\nanna: only me")),
    ("change others", || {
        World::after(
            "ben: B3NH4Z Holloway\nben: decline\nben: only me\nben: yes\nanna: K7QF2M Holloway\nanna: for everybody\nanna: all",
        )
    }),
    ("dietary", || World::after("anna: K7QF2M Holloway\nanna: all")),
    ("read back", || World::after("anna: K7QF2M Holloway\nanna: all\nanna: none for all")),
    ("saved", || World::after("anna: K7QF2M Holloway\nanna: all\nanna: none for all\nanna: yes")),
    ("pending, idle", || {
        let mut world = World::after("anna: K7QF2M Holloway\nanna: all\nanna: none for all\nanna: yes");
        let anna = world.guest_mut("Anna");
        anna.status = Status::Pending;
        answer::count(anna);
        world.raise("Anna");
        world
    }),
    ("switch", || World::after("anna: H4TR8W Santos\nanna: K7QF2M Holloway\nanna: 2\nanna: switch")),
    ("message", || World::after("anna: K7QF2M Holloway\nanna: message")),
    ("wrong person", || World::after("anna: K7QF2M Holloway\nanna: 2\nanna: wrong person")),
    ("another code", || World::after("anna: K7QF2M Holloway\nanna: 2\nanna: Code H4TR8W")),
    ("not understood", || World::after("anna: K7QF2M Holloway\nanna: hm\nanna: hm")),
    ("blocked, muted", || World::after("anna: K7QF2M Holloway\nanna: mute\nanna: <block>")),
    ("opted out", || {
        let mut world = World::after("anna: K7QF2M Holloway\nanna: all");
        world.conversations.get_mut(&address("anna")).unwrap().opted_out = true;
        world
    }),
    ("closed, dietary of", || {
        let mut world = World::after("anna: K7QF2M Holloway\nanna: all\nanna: none for all\nanna: yes");
        world.now = at("2026-11-22T10:00:00Z");
        world.play("anna: change");
        world
    }),
    ("closed, dietary", || {
        let mut world = World::after("anna: H4TR8W Santos\nanna: yes\nanna: none\nanna: yes");
        world.now = at("2026-11-22T10:00:00Z");
        world.play("anna: change");
        world
    }),
    ("closed meanwhile", || {
        let mut world = World::after("anna: K7QF2M Holloway\nanna: all\nanna: none for all");
        world.now = at("2026-11-21T00:00:00Z");
        world
    }),
    ("started", || {
        let mut world = World::after("anna: K7QF2M Holloway\nanna: all\nanna: none for all\nanna: yes");
        world.now = at("2026-11-28T18:00:00Z");
        world
    }),
    ("cancelled", || {
        let mut world = World::after("anna: K7QF2M Holloway\nanna: 2");
        world.events.get_mut(&"supper".into()).unwrap().cancelled_at = Some(world.now);
        world
    }),
    ("group changed", || {
        let mut world = World::after("anna: K7QF2M Holloway\nanna: 2");
        world.guest_mut("Ben").group_id = Some(GroupId::from("other"));
        world.raise("Anna");
        world
    }),
    ("deleted", || {
        let mut world = World::after("anna: K7QF2M Holloway\nanna: all");
        world.guests.retain(|guest| guest.first_name != "Anna");
        world
    }),
    ("one of two deleted", || {
        let mut world = World::after("anna: H4TR8W Santos\nanna: K7QF2M Holloway\nanna: all");
        world.guests.retain(|guest| guest.first_name != "Anna");
        world
    }),
];

/// The same state at another address.
fn moved(mut world: World, to: &Address) -> World {
    let from = address("anna");
    if let Some(mut conversation) = world.conversations.remove(&from) {
        conversation.address = to.clone();
        world.conversations.insert(to.clone(), conversation);
    }
    world.attempted.insert(to.clone(), world.now);
    world
}

fn texts() -> Vec<(&'static str, String)> {
    let words = [
        "1",
        "2",
        "0",
        "5",
        "99",
        "yes",
        "no",
        "ok",
        "all",
        "none",
        "some",
        "only me",
        "everybody",
        "me",
        "maybe",
        "later",
        "Cleo",
        "Ben can't come",
        "Anna",
        "Nobody Here",
        "not coming",
        "never mind",
        "back",
        "start again",
        "keep",
        "thanks",
        "hi",
        "status",
        "mine",
        "details",
        "menu",
        "help",
        "change",
        "decline",
        "switch",
        "language",
        "logout",
        "mute",
        "unmute",
        "message",
        "wrong person",
        "not me",
        "STOP",
        "stop please",
        "START",
        "INFO",
        "YES",
        "CANCEL",
        "K7QF2M Holloway",
        "K7QF2M Wrong",
        "ZZZZ99 Holloway",
        "Code H4TR8W Santos",
        "Code ZZZZ99 Santos",
        "H4TR8W",
        "smith Holloway",
        "Holloway",
        "vegan, no nuts",
        "what do you mean?",
        "👍",
        "🎉🎉",
        "-",
        "…",
        "'; DROP TABLE guests;--",
        "<b>&amp;",
        "\u{202e}cba",
        "{ $name }",
    ];
    let long =
        [("(empty)", String::new()), ("(blank)", " \n\t\u{200b} ".to_owned()), ("(10,000)", "word ".repeat(2000))];
    words.iter().map(|word| (*word, (*word).to_owned())).chain(long).collect()
}

fn bodies(world: &World, address: &Address) -> Vec<(String, Body)> {
    let mut bodies: Vec<(String, Body)> =
        texts().into_iter().map(|(name, text)| (name.to_owned(), Body::Text(text))).collect();
    let asked = world.conversations.get(address).map_or(0, |conversation| conversation.dialogue.asked);
    let shown = world.shown.get(&self::address("anna")).into_iter().flatten();
    let choices =
        shown.flat_map(|shown| &shown.choices).map(|(id, label)| (format!("[{label}]"), Body::Choice(id.clone())));
    bodies.extend(choices);
    for forged in [format!("{asked}.save"), format!("{asked}.p{}", "f".repeat(24)), "0.x".to_owned(), String::new()] {
        bodies.push((format!("[#{forged}]"), Body::Choice(forged)));
    }
    for (name, body) in [
        ("/start", Body::Start(String::new())),
        ("/start code", Body::Start("B3NH4Z".to_owned())),
        ("/start own code", Body::Start("k7qf2m".to_owned())),
        ("/start long", Body::Start("é".repeat(1000))),
        ("<edit>", Body::Edited),
        ("<contact>", Body::Contact { phone: "+447700900123".to_owned(), own: true }),
        ("<bad contact>", Body::Contact { phone: "12".to_owned(), own: true }),
        ("<other contact>", Body::Contact { phone: "+447700900123".to_owned(), own: false }),
        ("<sticker>", Body::Unreadable),
        ("<group>", Body::InGroupChat),
        ("<block>", Body::Blocked),
        ("<unblock>", Body::Unblocked),
        ("<moved>", Body::MovedTo(Address::telegram(-1))),
    ] {
        bodies.push((name.to_owned(), body));
    }
    bodies
}

/// Where the rule is to say nothing.
fn may_be_silent(world: &World, address: &Address, body: &Body, step: &Step) -> bool {
    let keyword =
        |text: &str| ["stop", "start", "help", "info", "cancel"].contains(&text.trim().to_lowercase().as_str());
    let was_out = world.conversations.get(address).is_some_and(|conversation| conversation.opted_out);
    let is_text_channel = address.style() == Style::Texts;
    match body {
        Body::Blocked | Body::Unblocked | Body::MovedTo(_) => true,
        Body::Text(text) if is_text_channel && keyword(text) => true,
        _ if is_text_channel && (was_out || step.conversation.opted_out) => true,
        // The second tap on a button is the first one.
        Body::Choice(id) => {
            world.conversations[address].dialogue.last_choice.as_ref().is_some_and(|last| last.id == *id)
        }
        _ => false,
    }
}

/// What a step did: `A` changed an answer, `L` changed who is logged in, `Q` asked something new, `q` asked the same
/// again, `?` because it did not understand, `x` closed the question, `t` told something, `.` said nothing.
fn letter(world: &World, address: &Address, step: &Step) -> char {
    let before = world.conversations.get(address).map(|conversation| &conversation.dialogue);
    let after = &step.conversation.dialogue;
    let answered = step.groups.iter().any(|rests| rests.raise);
    let has_new_login = step.conversation.logins != world.conversation(address).logins;
    match () {
        () if answered => 'A',
        () if has_new_login => 'L',
        () if step.says.is_empty() => '.',
        () if after.open.is_none() && before.is_some_and(|before| before.open.is_some()) => 'x',
        () if after.asked != before.map_or(0, |before| before.asked) => 'Q',
        () if after.misunderstood > before.map_or(0, |before| before.misunderstood) => '?',
        () if after.open.is_some() => 'q',
        () => 't',
    }
}

#[test]
fn everything_said_in_every_state() {
    let mut table = String::new();
    for style in ["anna", "anna@sms"] {
        let to = address(style);
        writeln!(table, "{style}:").unwrap();
        for (name, setting) in STATES {
            let world = moved(setting(), &to);
            let mut row = String::new();
            for (said, body) in bodies(&world, &to) {
                // Texts, then buttons, then the rest.
                if said == "/start" || matches!(body, Body::Choice(_)) && !row.contains(' ') {
                    row.push(' ');
                }
                let mut world = world.clone();
                world.now += TimeDelta::seconds(1);
                let inbound = world.inbound(to.clone(), body);
                let context = world.context(&inbound);
                let step = super::super::step(&context, &inbound, world.now);
                sound::check(&world, &context, &inbound, &step);
                assert!(
                    !step.says.is_empty() || may_be_silent(&world, &to, &inbound.body, &step),
                    "{name}: nothing is answered to {said}"
                );
                row.push(letter(&world, &to, &step));
                world.keep(&step);
            }
            writeln!(table, "{name:>20} {row}").unwrap();
        }
    }
    expect![[r#"
        anna:
                    stranger ttttttttttttttttttttttttttttttttttttttttttttttttLttLtQttttttttttttttt tttt tQQQtttttt...
                   last name qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqLqqLqQqLqqqqqqqqqqqqq qqqq qQQQqqqqqq...
                     cooling ttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttt tttt tttttttttt...
                    how many QQQQ?QQ?QQQQQQqq?Q?QQqqQ?qqqqqqqQQqqLqqQQQqqqqQQQ??Lq?????Q?????????? QQQQqqqq QQQQqqqqqq...
              are you coming QQQQ?QQQQQ?QQQqq???QQqqQ?qqqqqqqQQqqLqqQQQqqqqQQL??Qq?????Q?????????? QQqqqq QQQQqqqqqq...
                    for whom ????????QQQQQQqq?Q?QQqqQ?qqqqqqqQQqqLqqQQQqqqq?QQ??Lq???????????????? QQqqqq QQQQqqqqqq...
            how many exactly QQQQ?QQ?QQQQQQqq?Q?QQqqQ?qqqqqqqQQqqLqqQQQqqqqQQQ??Lq?????Q?????????? qqqqQQqqqq QQQQqqqqqq...
                  who is not QQ?Q???????Q?QQQQQQ??qqQ?qqqqqqqQQqqLqqQQQqqqq?QQ??Lq???????????????? qqqqQQQQQqqqq QQQQqqqqqq...
             who else is not QQ?????????Q?QQQQQQ??qqQ?qqqqqqqQQqqLqqQQQqqqq?QQ??Lq???????????????? qqqqqqqqqQQQQqqqq QQQQqqqqqq...
                  companions QQ?????????Q?Q???????qqQ?qqqqqqqQQqqLqqQQQqqqq?QL??Lq???????????????? qqqqQQQqqqq QQQQqqqqqq...
           who does not know QQ?????????Q?Q??QQQ??qQQ?qqqqqqqQQqqLqqQQQqqqq?QQ??Lq???????????????? qqqqqqqqqQQQQqqqq QQQQqqqqqq...
                      extras QQQQ?QQQQQQQQQqq?Q?QQqqQ?qqqqqqqQQqqLqqQQQqqqqQQQ??Lq?????Q?????????? qqqqQQqqqq QQQQqqqqqq...
            nobody or not me ??????Q?QQQQQQ???Q?QQqqQ?qqqqqqqQQqqLqqQQQqqqq?QQ??Lq???????????????? qqqqQQqqqq QQQQqqqqqq...
                      others ??????Q??Q????QQ???QQqqQ?qqqqqqqQQqqLqqQQ?qqqq?QQ??Lq???????????????? qqqqQQqqqq QQQQqqqqqq...
               change others ?????QQQ?????????????qqQQqqqqqqqQQqqLqqQQ?qqqqQQQ??Lq?????Q?????????? qqqqqqQQqqqq QQQQqqqqqq...
                     dietary ?????qQqqQqqqqqqQQQQQqqQqqqqqqqqQQqqLqqQQQqqQQqQQQQLqQQQQQq?Q?QQQQ??q qqqqQQqqqq QQQQqqqqqq...
                   read back ?????AQA??QQ?Q???Q??QqqQ?qqqqqqqQQqqLqqQQQqqqqAQQ??Lq?????A?????????? qqqqqqAQAqqq QQQQqqqqqq...
                       saved tttttttttQtQtQtt?Q?QQttQ?tttttttQQttLttQQQtttttQt??Lt?????t?????????? tttttttttttt tQtQtttttt...
               pending, idle QQQQQQQtQQQQQQQQ?Q?QQttQ?tttttttQQttLttQQQttttQQQ??Lt?????Q?????????? tttttttttttt QQQQtttttt...
                      switch QQ????Q???????????Q??QQQ?qqqqqqqQQQqLqqQQQqqqq?QQ??QqQ?Q????????????? qqqqqqqqqqqQQqqqq QQQQqqqqqq...
                     message QQQQQQQQQQQQQQQQQQQQQQQQQQQqqqqqQQqqLqqQQQqQQQQQQQQLqQQQQQQ???QQQQ??q qqqqQqqqq QQQQqqqqqq...
                wrong person ?????LQL?????????????qqQ?qqqqqqqQQqqLqqQQQqqqqLQQ??Lq?????L?????????? qqqqqqqqqLQqqqq QQQQqqqqqq...
                another code qqqqqqQqqqqqqqqqqqqqqQQQqqqqqqqqQQqqLqqQQQqqqqqQQqqLqQqqqqqqqqqqqqqqq qqqqqqqqqQqqqq QQQQqqqqqq...
              not understood QQQQ?QQ?QQQQQQqq?Q?QQqqQ?qqqqqqqQQqqLqqQQQqqqqQQQ??Lq?????Q?????????? QQQQQQQQQQQQQqqqq QQQQqqqqqq...
              blocked, muted QQQQ?QQ?QQQQQQqq?Q?QQqqQ?qqqqqqqQQqqLqqQQQqqqqQQQ??Lq?????Q?????????? QQQQQQQQqqqq QQQQqqqqqq...
                   opted out ?????qQqqQqqqqqqQQQQQqqQqqqqqqqqQQqqLqqQQQqqQQqQQQQLqQQQQQq?Q?QQQQ??q qqqqQQqqqq QQQQqqqqqq...
          closed, dietary of QQ?????????Q?Q??QQQ??qqQ?qqqqqqqQxqqLqqQQQqqqq?Qx??Lq???????????????? qqqqqqqqQQQqqqq xQxQqqqqqq...
             closed, dietary ?????qxqqxqqqqqqAAAxqqqQqqqqqqqqQxqqLqqQQxqqAAqQLAAxqAAAAAq?x?AAAA??q qqqqqxqqqq xQQQqqqqqq...
            closed meanwhile xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxLxxQQxxxxxxxxxxLxxxxxxxxxxxxxxxxx xxxxxxxxxxxx xQxQxxxxxq...
                     started tttttttttttttttt?t?ttttt?tttttttttttLttQQQttttttt??Lt?????t?????????? tttttttttttt tQtQtttttt...
                   cancelled xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxLxxQQxxxxxxxxxxLxxxxxxxxxxxxxxxxx xxxxxxxxxxxxx xQxQxxxxxq...
               group changed QQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQLQQQQQQQQQQQQQQLQQQQQQQQQQQQQQQQQ QQQQQQQQQQQQQ QQQQQQQQQq...
                     deleted LLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLL LLLLLLLLLL LLLLLLLLLL.LL
          one of two deleted LLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLL LLLLLLLLLLLL LLLLLLLLLL.LL
        anna@sms:
                    stranger ttttttttttttttttttttttttttttttt.tttttttttt.t..t.LttLtQttttttttttttttt tttt tQQQtttttt...
                   last name qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq.qqqqqqqqqq.q..q.LqqLqQqLqqqqqqqqqqqqq qqqq qQQQqqqqqq...
                     cooling ttttttttttttttttttttttttttttttt.tttttttttt.t..t.ttttttttttttttttttttt tttt tttttttttt...
                    how many QQQQ?QQ?QQQQQQqq?Q?QQqqQ?qqqqqq.QQqqLqqQQQ.q..Q.Q??Lq?????Q?????????? QQQQqqqq QQQQqqqqqq...
              are you coming QQQQ?QQQQQ?QQQqq???QQqqQ?qqqqqq.QQqqLqqQQQ.q..Q.L??Qq?????Q?????????? QQqqqq QQQQqqqqqq...
                    for whom QQ??????QQQQQQqq?Q?QQqqQ?qqqqqq.QQqqLqqQQQ.q..?.Q??Lq???????????????? QQqqqq QQQQqqqqqq...
            how many exactly QQQQ?QQ?QQQQQQqq?Q?QQqqQ?qqqqqq.QQqqLqqQQQ.q..Q.Q??Lq?????Q?????????? qqqqQQqqqq QQQQqqqqqq...
                  who is not QQ?Q???????Q?QQQQQQ??qqQ?qqqqqq.QQqqLqqQQQ.q..?.Q??Lq???????????????? qqqqQQQQQqqqq QQQQqqqqqq...
             who else is not QQ?????????Q?QQQQQQ??qqQ?qqqqqq.QQqqLqqQQQ.q..?.Q??Lq???????????????? qqqqqqqqqQQQQqqqq QQQQqqqqqq...
                  companions QQ?????????Q?Q???????qqQ?qqqqqq.QQqqLqqQQQ.q..?.L??Lq???????????????? qqqqQQQqqqq QQQQqqqqqq...
           who does not know QQ?????????Q?Q??QQQ??qQQ?qqqqqq.QQqqLqqQQQ.q..?.Q??Lq???????????????? qqqqqqqqqQQQQqqqq QQQQqqqqqq...
                      extras QQ???QQQQQQQQQqq?Q?QQqqQ?qqqqqq.QQqqLqqQQQ.q..Q.Q??Lq?????Q?????????? qqqqQQqqqq QQQQqqqqqq...
            nobody or not me QQ????Q?QQQQQQ???Q?QQqqQ?qqqqqq.QQqqLqqQQQ.q..?.Q??Lq???????????????? qqqqQQqqqq QQQQqqqqqq...
                      others QQ????Q??Q????QQ???QQqqQ?qqqqqq.QQqqLqqQQ?.q..?.Q??Lq???????????????? qqqqQQqqqq QQQQqqqqqq...
               change others QQ???QQQ?????????????qqQQqqqqqq.QQqqLqqQQ?.q..Q.Q??Lq?????Q?????????? qqqqqqQQqqqq QQQQqqqqqq...
                     dietary QQ???qQqqQqqqqqqQQQQQqqQqqqqqqq.QQqqLqqQQQ.q..q.QQQLqQQQQQq?Q?QQQQ??q qqqqQQqqqq QQQQqqqqqq...
                   read back AQ???AQA??QQ?Q???Q??QqqQ?qqqqqq.QQqqLqqQQQ.q..A.Q??Lq?????A?????????? qqqqqqAQAqqq QQQQqqqqqq...
                       saved tttttttttQtQtQtt?Q?QQttQ?tttttt.QQttLttQQQ.t..t.t??Lt?????t?????????? tttttttttttt tQtQtttttt...
               pending, idle QQQQQQQtQQQQQQQQ?Q?QQttQ?tttttt.QQttLttQQQ.t..Q.Q??Lt?????Q?????????? tttttttttttt QQQQtttttt...
                      switch QQ????Q???????????Q??QQQ?qqqqqq.QQQqLqqQQQ.q..?.Q??QqQ?Q????????????? qqqqqqqqqqqQQqqqq QQQQqqqqqq...
                     message Q????QQQQQQQQQQQQQQQQQQQQQQqqqq.QQqqLqqQQQ.q..Q.QQQLqQQQQQQ???QQQQ??q qqqqQqqqq QQQQqqqqqq...
                wrong person LQ???LQL?????????????qqQ?qqqqqq.QQqqLqqQQQ.q..L.Q??Lq?????L?????????? qqqqqqqqqLQqqqq QQQQqqqqqq...
                another code qqqqqqQqqqqqqqqqqqqqqQQQqqqqqqq.QQqqLqqQQQ.q..q.QqqLqQqqqqqqqqqqqqqqq qqqqqqqqqQqqqq QQQQqqqqqq...
              not understood QQQQ?QQ?QQQQQQqq?Q?QQqqQ?qqqqqq.QQqqLqqQQQ.q..Q.Q??Lq?????Q?????????? QQQQQQQQQQQQQqqqq QQQQqqqqqq...
              blocked, muted QQQQ?QQ?QQQQQQqq?Q?QQqqQ?qqqqqq.QQqqLqqQQQ.q..Q.Q??Lq?????Q?????????? QQQQQQQQqqqq QQQQqqqqqq...
                   opted out .....q.................q......................q...................... .......... .............
          closed, dietary of QQ?????????Q?Q??QQQ??qqQ?qqqqqq.QxqqLqqQQQ.q..?.x??Lq???????????????? qqqqqqqqQQQqqqq xQxQqqqqqq...
             closed, dietary x????qxqqxqqqqqqAAAxqqqQqqqqqqq.QxqqLqqQQx.q..q.LAAxqAAAAAq?x?AAAA??q qqqqqxqqqq xQQQqqqqqq...
            closed meanwhile xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx.xxxxLxxQQx.q..x.xxxLxxxxxxxxxxxxxxxxx xxxxxxxxxxxx xQxQxxxxxq...
                     started tttttttttttttttt?t?ttttt?tttttt.ttttLttQQQ.t..t.t??Lt?????t?????????? tttttttttttt tQtQtttttt...
                   cancelled xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx.xxxxLxxQQx.q..x.xxxLxxxxxxxxxxxxxxxxx xxxxxxxxxxxxx xQxQxxxxxq...
               group changed QQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQ.QQQQLQQQQQ.q..Q.QQQLQQQQQQQQQQQQQQQQQ QQQQQQQQQQQQQ QQQQQQQQQq...
                     deleted LLLLLLLLLLLLLLLLLLLLLLLLLLLLLLL.LLLLLLLLLL.q..L.LLLLLLLLLLLLLLLLLLLLL LLLLLLLLLL LLLLLLLLLL.LL
          one of two deleted LLLLLLLLLLLLLLLLLLLLLLLLLLLLLLL.LLLLLLLLLL.q..L.LLLLLLLLLLLLLLLLLLLLL LLLLLLLLLLLL LLLLLLLLLL.LL
    "#]].assert_eq(&table);
}

/// Names are short here: so every prompt must fit one text.
#[test]
fn every_prompt_costs_one_text() {
    let to = address("anna@sms");
    let mut longer = BTreeMap::new();
    for (name, setting) in STATES {
        let world = moved(setting(), &to);
        let by_text = |(_, body): &(String, Body)| matches!(body, Body::Text(_) | Body::Unreadable);
        for (said, body) in bodies(&world, &to).into_iter().filter(by_text) {
            let mut world = world.clone();
            world.now += TimeDelta::seconds(1);
            let inbound = world.inbound(to.clone(), body);
            let step = super::super::step(&world.context(&inbound), &inbound, world.now);
            let language = wording::language(&step.locale);
            for message in step.says.iter().filter(|message| message.question.is_some()) {
                for shown in show::show(message, language, Style::Texts) {
                    let characters = shown.text.chars().count();
                    if sms_text::segments(&shown.text).count > 1 {
                        longer.entry(shown.text).or_insert((characters, name, said.clone()));
                    }
                }
            }
        }
    }
    assert!(longer.is_empty(), "{longer:#?}");
}

/// The states above are those that there are.
#[test]
fn every_question_is_in_the_table() {
    let mut names: Vec<String> = STATES
        .iter()
        .filter_map(|(_, setting)| setting().conversations.get(&address("anna"))?.dialogue.open.clone())
        .map(|ask| serde_json::to_value(ask).unwrap()["ask"].as_str().unwrap().to_owned())
        .collect();
    names.sort();
    names.dedup();
    let language = serde_json::to_value(Ask::Language).unwrap()["ask"].as_str().unwrap().to_owned();
    assert!(!names.contains(&language), "with a second language, put its question into the table");
    expect!["changeOthers confirmExtras dietary dietaryOf forWhom howMany howManyExactly lastName messageForHost nobodyOrNotMe others readBack switch whoDoesNotKnow whoIsNotComing wrongPerson"].assert_eq(&names.join(" "));
}
