//! When it goes what a host sends, and what comes too late.

use expect_test::{Expect, expect};

use super::world::World;

/// Mia is the host; Anna comes, and Bob is known by his phone only. It is Sunday 1 November, 10:00.
fn chat(script: &str) -> String {
    let mut world = World::new();
    world.add("Mia", "Hart", "M9STHE", None, 1);
    world.guest_mut("Mia").is_admin = true;
    world.guest_mut("Bob").phone = Some("+447700900177".to_owned());
    world.play(
        "anna: K7QF2M Holloway
         anna: only me
         anna: they answer themselves
         anna: none
         anna: yes
         mia: M9STHE Hart
         mia: yes
         mia: none
         mia: yes",
    );
    world.play(script)
}

fn check(script: &str, expected: Expect) {
    expected.assert_eq(&chat(script));
}

/// The chat has these lines, in this order.
fn has(script: &str, lines: &[&str]) {
    let chat = chat(script);
    let mut rest = chat.as_str();
    for line in lines {
        let Some((_, after)) = rest.split_once(line) else { panic!("no \"{line}\" there: {chat}") };
        rest = after;
    }
}

#[test]
fn at_night_a_host_hears_when_it_goes() {
    has(
        "+13h
         mia: /reply Anna Holloway Good night!
         mia: /remind Cleo
         mia: [Send it]
         mia: /invite
         mia: [Send it]
         mia: /tell
         mia: [Send it]
         mia: /broadcast Good night
         mia: [To those coming (1)]",
        &[
            "It goes to Anna Holloway.",
            "It goes at Mon 2 Nov 2026, 09:00, London time",
            "1 reminder goes out",
            "It goes at Mon 2 Nov",
            "1 message is ready.",
            "It goes at Mon 2 Nov",
            "1 invitation goes out",
            "It goes at Mon 2 Nov",
            "1 message is ready.",
            "It goes at Mon 2 Nov",
            "1 message is ready.",
            "They go at Mon 2 Nov",
            "1 message is ready.",
            "It goes at Mon 2 Nov",
            "I report when all is done.",
        ],
    );
}

#[test]
fn whoever_wrote_just_now_is_answered_at_any_hour() {
    has(
        "+13h
         anna: status
         +59m
         mia: /reply Anna Holloway Good night!
         +1m
         mia: /reply Anna Holloway Good night!",
        &[
            "It goes to Anna Holloway.",
            "(7100000414 <- FromHost",
            "It goes to Anna Holloway.",
            "It goes at Mon 2 Nov 2026, 09:00",
        ],
    );
}

#[test]
fn on_the_day_nothing_waits_until_it_is_too_late() {
    // The evening before, during the party at night, and the night after.
    has(
        "+26d
         +13h
         mia: /broadcast The bus leaves at 17:00.
         mia: [Never mind]
         +1d
         mia: /broadcast The last bus leaves at midnight.
         mia: [To those coming (1)]
         +1d
         mia: /broadcast Thank you!
         mia: [To those coming (1)]",
        &[
            "They go at Sat 28 Nov 2026, 09:00",
            "1 message is on the way",
            "1 message is ready.",
            "It goes at Mon 30 Nov 2026, 09:00",
        ],
    );
}

#[test]
fn after_the_event_has_begun_a_host_still_writes_but_nothing_changes() {
    has(
        "+27d
         mia: /tell
         +8h
         mia: [Send it]
         mia: /tell
         mia: /reply Anna Holloway We are in the garden.
         mia: /broadcast We are in the garden.
         mia: [To those coming (1)]
         mia: /remind",
        &[
            "Send?",
            "Harbour Supper has begun",
            "Harbour Supper has begun",
            "It goes to Anna Holloway.",
            "FromHost",
            "1 message is on the way",
            "FromHost",
        ],
    );
}

#[test]
fn reminders_that_could_only_go_once_answers_are_closed() {
    // The evening of the last day.
    check(
        "+19d
         +9h
         mia: /remind
         +1h
         mia: [Send it]
         +1h
         mia: /remind
         mia: /invite",
        expect![[r#"
            +19d
            +9h
            mia: /remind
                2 reminders go out (1 by SMS, 1 segment). Send?
                No message reaches Maria Santos (H4TR8W) and Maria Santos (P9DX3C).
                [Send it] [Never mind]
            +1h
            mia: [Send it]
                Guests may be written to again at Sat 21 Nov 2026, 09:00, London time, and answers close Fri 20 Nov, end of day, London time. So nothing can go in time.
            +1h
            mia: /remind
                Guests may be written to again at Sat 21 Nov 2026, 09:00, London time, and answers close Fri 20 Nov, end of day, London time. So nothing can go in time.
            mia: /invite
                Guests may be written to again at Sat 21 Nov 2026, 09:00, London time, and answers close Fri 20 Nov, end of day, London time. So nothing can go in time.
        "#]],
    );
}
