//! What a host can do in the chat.

use expect_test::{Expect, expect};

use super::world::World;

/// Mia is the host; the Holloways are half answered, Bob is known by his phone only.
fn world() -> World {
    let mut world = World::new();
    world.add("Mia", "Hart", "M9STHE", None, 1);
    world.guest_mut("Mia").is_admin = true;
    world.guest_mut("Bob").phone = Some("+447700900177".to_owned());
    world.play(
        "anna: K7QF2M Holloway
         anna: only me
         anna: they answer themselves
         anna: no nuts
         anna: yes
         mia: M9STHE Hart",
    );
    world
}

fn check(script: &str, expected: Expect) {
    expected.assert_eq(&world().play(script));
}

#[test]
fn lists() {
    check(
        "mia: /digest
         mia: /pending
         mia: /coming
         mia: /dietary
         mia: /deadline
         mia: /pending supper",
        expect![[r#"
            mia: /digest
                Harbour Supper:
                Nothing new.
                Coming: 1, not coming: 0, no answer yet: 8 of 9 expected.
                Answers close in 19 days (Fri 20 Nov, end of day, London time).
                Still out: Ben Holloway (never opened), Cleo Holloway (never opened), Maria Santos (H4TR8W) (never opened), Maria Santos (P9DX3C) (never opened), Bob Tanner (never opened) and Mia Hart.
                [Who is still out] [Who is coming] [Dietary needs]
            mia: /pending
                Harbour Supper, still out: 6 invitations
                Ben Holloway (never opened)
                Cleo Holloway (never opened)
                Maria Santos (H4TR8W) (never opened)
                Maria Santos (P9DX3C) (never opened)
                Bob Tanner (never opened), 3 expected
                Mia Hart
            mia: /coming
                Harbour Supper, coming: 1 invitation
                Anna Holloway: 1
            mia: /dietary
                Harbour Supper, dietary needs:
                Anna Holloway: no nuts
            mia: /deadline
                Answers close in 19 days (Fri 20 Nov, end of day, London time).
                To change it, write for example: /deadline 12 June 18:00. A day without a time is meant to its end.
            mia: /pending supper
                Harbour Supper, still out: 6 invitations
                Ben Holloway (never opened)
                Cleo Holloway (never opened)
                Maria Santos (H4TR8W) (never opened)
                Maria Santos (P9DX3C) (never opened)
                Bob Tanner (never opened), 3 expected
                Mia Hart
        "#]],
    );
}

#[test]
fn long_lists_are_paged_and_never_cut() {
    let mut world = world();
    for number in 0..90 {
        world.add(&format!("Guest{number}"), "Choir", &format!("CHWR{number}"), None, 1);
    }
    let mut all = String::new();
    for page in 1..=3 {
        all.push_str(&world.play(&format!("mia: /pending {page}")));
    }
    for number in 0..90 {
        assert_eq!(all.matches(&format!("Guest{number} Choir")).count(), 1, "{number}");
    }
    let first = world.play("mia: /pending");
    assert!(first.contains("Page 1 of 3. The next: /pending 2") && first.contains("[More]"));
    let second = world.play("mia: [More]");
    assert!(second.contains("Page 2 of 3"), "{second}");
    let texts = world.play("mia@sms: M9STHE Hart\nmia@sms: /pending 10");
    assert!(texts.contains("Page 10 of 10"), "{texts}");
}

#[test]
fn somebody_is_found() {
    check(
        "mia: /find hollo
         mia: 2
         mia: /find Bob Tanner
         mia: /find Zelda
         mia: /find",
        expect![[r#"
            mia: /find hollo
                Several people fit. Which one?
                [Anna Holloway (K7QF2M)] [Ben Holloway (B3NH4Z)] [Cleo Holloway (C7E9HW)] [Never mind]
            mia: 2
                Ben Holloway, code B3NH4Z
                Ben: no answer yet
                Together with Anna Holloway and Cleo Holloway.
                Never opened the invitation.
            mia: /find Bob Tanner
                Bob Tanner, code B8TAN7
                Bob and 2 companions: no answer yet
                Phone: +447700900177
                Never opened the invitation.
            mia: /find Zelda
                Nobody on the list is called Zelda.
            mia: /find
                Whom do you mean? Write the name behind the command.
        "#]],
    );
}

#[test]
fn an_answer_is_entered() {
    check(
        "mia: /mark Bob Tanner coming 2
         mia: [Yes, enter it]
         mia: /mark Maria no
         mia: 1
         mia: [Never mind]
         mia: /mark P9DX3C coming 3
         mia: yes
         mia: /mark Anna perhaps
         mia: /mark Anna coming 99",
        expect![[r#"
            mia: /mark Bob Tanner coming 2
                To enter for Bob Tanner:
                Bob: coming, with 1 of 2 companions
                So far:
                Bob and 2 companions: no answer yet
                [Yes, enter it] [Never mind]
            mia: [Yes, enter it]
                Entered for Bob Tanner.
                (AnsweredFor { guests: [Bob], by: Mia } -> Guests([Bob]))
            mia: /mark Maria no
                Several people fit. Which one?
                [Maria Santos (H4TR8W)] [Maria Santos (P9DX3C)] [Never mind]
            mia: 1
                To enter for Maria Santos:
                Maria: not coming
                So far:
                Maria: no answer yet
                [Yes, enter it] [Never mind]
            mia: [Never mind]
                All right.
            mia: /mark P9DX3C coming 3
                To enter for Maria Santos:
                Maria: coming
                And 2 more people than expected.
                So far:
                Maria: no answer yet
                [Yes, enter it] [Never mind]
            mia: yes
                Entered for Maria Santos.
                (AnsweredFor { guests: [Maria], by: Mia } -> Guests([Maria]))
            mia: /mark Anna perhaps
                Write it like this: /mark Bob Tanner coming 2 (that is Bob and one companion). Or: no, open. Whoever has a code of their own is marked by their own name.
            mia: /mark Anna coming 99
                Write it like this: /mark Bob Tanner coming 2 (that is Bob and one companion). Or: no, open. Whoever has a code of their own is marked by their own name.
        "#]],
    );
}

#[test]
fn reminders_are_previewed_and_sent() {
    check(
        "mia: /remind
         mia: [Never mind]
         mia: /remind Cleo
         mia: [Send it]
         mia: /remind Anna Holloway",
        expect![[r#"
            mia: /remind
                3 reminders go out (1 by SMS, 2 segments). Send?
                No message reaches Maria Santos (H4TR8W) and Maria Santos (P9DX3C).
                [Send it] [Never mind]
            mia: [Never mind]
                All right.
            mia: /remind Cleo
                1 reminder goes out (0 by SMS, 0 segments). Send?
                [Send it] [Never mind]
            mia: [Send it]
                1 reminder is on its way.
                (7100000414 <- Reminder { guests: [Ben, Cleo] })
            mia: /remind Anna Holloway
                2 guests were asked in the last 2 hours, or will be shortly: no second message goes to them.
        "#]],
    );
}

#[test]
fn the_first_text() {
    check(
        "mia: /invite
         mia: [Send it]",
        expect![[r#"
            mia: /invite
                1 invitation goes out by SMS (2 segments) to guests who were never here. Send?
                [Send it] [Never mind]
            mia: [Send it]
                1 invitation is on its way.
                (+447700900177 <- Invitation { guests: [Bob] })
        "#]],
    );
}

#[test]
fn messages_to_one_and_to_many() {
    check(
        "mia: /reply Anna Holloway: There is parking behind the house.
         mia: /reply Cleo hello
         mia: /broadcast The bus leaves at 17:00 <sharp>.
         mia: [To all (2)]
         mia: /broadcast
         +10h
         mia: /broadcast Good night
         mia: [Never mind]",
        expect![[r#"
            mia: /reply Anna Holloway: There is parking behind the house.
                It goes to Anna Holloway.
                (7100000414 <- FromHost { guests: [Anna], text: "There is parking behind the house." })
            mia: /reply Cleo hello
                No message reaches Cleo Holloway.
            mia: /broadcast The bus leaves at 17:00 <sharp>.
                Your message to guests:
                The bus leaves at 17:00 <sharp>.
                To those coming: 1 message, 0 of them by SMS (0 segments).
                To all: 2 messages, 1 of them by SMS (1 segment).
                [To those coming (1)] [To all (2)] [Never mind]
            mia: [To all (2)]
                2 messages are on the way; that takes about 1 s.
                I report when all is done.
                (7100000414 <- FromHost { guests: [Anna, Ben, Cleo], text: "The bus leaves at 17:00 <sharp>." })
                (+447700900177 <- FromHost { guests: [Bob], text: "The bus leaves at 17:00 <sharp>." })
                (7100000311 <- BroadcastReport { broadcast: "test:10/to/", messages: 2, unreached: [Maria, Maria] })
            mia: /broadcast
                Write it like this: /broadcast The bus leaves at 17:00.
            +10h
            mia: /broadcast Good night
                Your message to guests:
                Good night
                To those coming: 1 message, 0 of them by SMS (0 segments).
                To all: 2 messages, 1 of them by SMS (1 segment).
                They go at Mon 2 Nov 2026, 09:00, London time, when guests may be written to.
                [To those coming (1)] [To all (2)] [Never mind]
            mia: [Never mind]
                All right.
        "#]],
    );
}

#[test]
fn for_others_these_words_mean_nothing() {
    check(
        "anna: /pending
         anna: /broadcast hello
         stranger: /pending",
        expect![[r#"
            anna: /pending
                Sorry, I did not understand that: I know no such command.
                Send "menu" to see what I understand.
            anna: /broadcast hello
                Sorry, I did not understand that: I know no such command.
                Send "menu" to see what I understand.
                Or send "message" to write to the host.
            stranger: /pending
                Hello! I take the answers to your invitation. Please send your code and your last name in one message, like this: AB3DE7FG Miller. Type the last name as it stands on the invitation.
        "#]],
    );
    // Nor for a host who is none any more.
    let mut world = world();
    world.play("mia: /pending");
    world.guest_mut("Mia").is_admin = false;
    let chat = world.play("mia: /coming\nmia: /broadcast hello");
    assert!(!chat.contains("Anna"), "{chat}");
}

#[test]
fn a_hosts_own_answer_goes_on_after_a_question_about_others() {
    check(
        "mia: [Yes, I am coming]
         mia: /mark Bob Tanner coming 2
         mia: [Yes, enter it]
         mia: none
         mia: yes",
        expect![[r#"
            mia: [Yes, I am coming]
                Do you have any dietary needs or allergies? Write them, or pick "None".
                [None]
            mia: /mark Bob Tanner coming 2
                To enter for Bob Tanner:
                Bob: coming, with 1 of 2 companions
                So far:
                Bob and 2 companions: no answer yet
                [Yes, enter it] [Never mind]
            mia: [Yes, enter it]
                Entered for Bob Tanner.
                Your own invitation:
                Do you have any dietary needs or allergies? Write them, or pick "None".
                [None]
                (AnsweredFor { guests: [Bob], by: Mia } -> Guests([Bob]))
            mia: none
                Your answer:
                Mia: coming
                1 person is coming.
                Is this right?
                [Yes, save it] [Change something]
            mia: yes
                Saved. Thank you!
                You can change it until Fri 20 Nov, end of day, London time: send "change".
                For your calendar.
                <supper.ics>
        "#]],
    );
}

#[test]
fn the_deadline_is_read_back_and_set() {
    check(
        "mia: /deadline 22 november at 6pm
         mia: [Yes, set it]
         mia: /deadline
         mia: /deadline 2026-11-22
         mia: [Never mind]
         mia: /deadline supper 22.11. 18:00
         mia: /deadline 27 November",
        expect![[r#"
            mia: /deadline 22 november at 6pm
                Answers would close Sun 22 Nov 2026, 18:00, London time; so far it is Fri 20 Nov 2026, end of day, London time.
                6 invitations are still out.
                Who has not answered is reminded on Sun 8 Nov, Sun 15 Nov, Thu 19 Nov and Sat 21 Nov.
                [Yes, set it] [Never mind]
            mia: [Yes, set it]
                Answers now close Sun 22 Nov 2026, 18:00, London time.
            mia: /deadline
                Answers close in 21 days (Sun 22 Nov, 18:00, London time).
                To change it, write for example: /deadline 12 June 18:00. A day without a time is meant to its end.
            mia: /deadline 2026-11-22
                Answers would close Sun 22 Nov 2026, end of day, London time; so far it is Sun 22 Nov 2026, 18:00, London time.
                6 invitations are still out.
                Who has not answered is reminded on Sun 8 Nov, Sun 15 Nov, Thu 19 Nov and Sat 21 Nov.
                [Yes, set it] [Never mind]
            mia: [Never mind]
                All right.
            mia: /deadline supper 22.11. 18:00
                That is the deadline already: Sun 22 Nov 2026, 18:00, London time.
            mia: /deadline 27 November
                Answers would close Fri 27 Nov 2026, end of day, London time; so far it is Sun 22 Nov 2026, 18:00, London time.
                6 invitations are still out.
                Who has not answered is reminded on Fri 13 Nov, Fri 20 Nov, Tue 24 Nov and Thu 26 Nov.
                [Yes, set it] [Never mind]
        "#]],
    );
}

#[test]
fn a_deadline_that_cannot_be_is_refused() {
    check(
        "mia: /deadline 6/12
         mia: /deadline 31 October
         mia: /deadline 20 November
         mia: /deadline 29 November
         mia: /deadline 2 Nov 9:00",
        expect![[r#"
            mia: /deadline 6/12
                I cannot read when that is.
                To change it, write for example: /deadline 12 June 18:00. A day without a time is meant to its end.
            mia: /deadline 31 October
                That has passed: Sat 31 Oct 2026, end of day, London time.
            mia: /deadline 20 November
                That is the deadline already: Fri 20 Nov 2026, end of day, London time.
            mia: /deadline 29 November
                Answers cannot close after the event starts (Sat 28 Nov 2026, 18:00, London time).
            mia: /deadline 2 Nov 9:00
                Answers would close Mon 2 Nov 2026, 09:00, London time; so far it is Fri 20 Nov 2026, end of day, London time.
                6 invitations are still out.
                No reminder goes out until then; /remind reminds at once.
                [Yes, set it] [Never mind]
        "#]],
    );
}

#[test]
fn a_link_into_the_pages_is_for_hosts() {
    check(
        "mia: /admin\n anna: /admin",
        expect![[r#"
            mia: /admin
                Your way to the host's desk, for you alone. It opens once, within 10 minutes:
                https://rsvp.example.org/admin/link/1
            anna: /admin
                Sorry, I did not understand that: I know no such command.
                Send "menu" to see what I understand.
        "#]],
    );
}

#[test]
fn what_changed_since_it_was_read_back_is_read_back_again() {
    let mut world = world();
    world.add("Noa", "Reed", "N6RAHB", None, 1);
    world.guest_mut("Noa").is_admin = true;
    // The guest answers meanwhile; another host enters something else; the settings change.
    let chat = world.play(
        "mia: /mark Bob coming 3
         bob: B8TAN7 Tanner
         bob: none of us
         bob: everyone
         bob: yes
         mia: yes
         mia: [Never mind]
         mia: /mark Bob open
         noa: N6RAHB Reed
         noa: /mark Bob coming
         noa: yes
         mia: [Yes, enter it]
         mia: yes
         mia: /deadline 22 november at 6pm
         noa: /deadline 21 november at 6pm
         noa: yes
         mia: yes
         mia: status
         mia: yes",
    );
    expect![[r#"
        mia: /mark Bob coming 3
            To enter for Bob Tanner:
            Bob: coming, with 2 companions
            So far:
            Bob and 2 companions: no answer yet
            [Yes, enter it] [Never mind]
        bob: B8TAN7 Tanner
            Welcome, Bob!
            Harbour Supper
            When: Sat 28 Nov 2026, 18:00, London time
            Where: The Old Boathouse
            Dress code: nautical
            Please answer by Fri 20 Nov, end of day, London time.
            Bob and 2 companions: no answer yet
            3 people are expected.
            You and your 2 companions: how many are coming?
            [All 3] [Some of us] [Only me] [None of us]
            (LoggedInElsewhere { guest: Bob, channel: Telegram } -> EveryAddressOf(Bob))
        bob: none of us
            Is nobody coming, or is it only you who cannot?
            [Nobody is coming] [Only I cannot come]
        bob: everyone
            Your answer:
            Bob and 2 companions: not coming
            Nobody is coming.
            Is this right?
            [Yes, save it] [Change something]
        bob: yes
            Saved. Thank you!
            You can change it until Fri 20 Nov, end of day, London time: send "change".
        mia: yes
            Something has changed in the meantime, so nothing is done yet. This is how it stands:
            To enter for Bob Tanner:
            Bob: coming, with 2 companions
            So far:
            Bob and 2 companions: not coming
            [Yes, enter it] [Never mind]
        mia: [Never mind]
            All right.
        mia: /mark Bob open
            To enter for Bob Tanner:
            Bob and 2 companions: no answer yet
            So far:
            Bob and 2 companions: not coming
            [Yes, enter it] [Never mind]
        noa: N6RAHB Reed
            Welcome, Noa!
            Harbour Supper
            When: Sat 28 Nov 2026, 18:00, London time
            Where: The Old Boathouse
            Dress code: nautical
            Please answer by Fri 20 Nov, end of day, London time.
            Noa: no answer yet
            1 person is expected.
            Are you coming?
            [Yes, I am coming] [No, I cannot come]
            (LoggedInElsewhere { guest: Noa, channel: Telegram } -> EveryAddressOf(Noa))
        noa: /mark Bob coming
            To enter for Bob Tanner:
            Bob: coming, with 2 companions
            So far:
            Bob and 2 companions: not coming
            [Yes, enter it] [Never mind]
        noa: yes
            Entered for Bob Tanner.
            (AnsweredFor { guests: [Bob], by: Noa } -> Guests([Bob]))
        mia: [Yes, enter it]
            Something has changed in the meantime, so nothing is done yet. This is how it stands:
            To enter for Bob Tanner:
            Bob and 2 companions: no answer yet
            So far:
            Bob: coming, with 2 companions
            [Yes, enter it] [Never mind]
        mia: yes
            Entered for Bob Tanner.
            (AnsweredFor { guests: [Bob], by: Mia } -> Guests([Bob]))
        mia: /deadline 22 november at 6pm
            Answers would close Sun 22 Nov 2026, 18:00, London time; so far it is Fri 20 Nov 2026, end of day, London time.
            7 invitations are still out.
            Who has not answered is reminded on Sun 8 Nov, Sun 15 Nov, Thu 19 Nov and Sat 21 Nov.
            [Yes, set it] [Never mind]
        noa: /deadline 21 november at 6pm
            Answers would close Sat 21 Nov 2026, 18:00, London time; so far it is Fri 20 Nov 2026, end of day, London time.
            7 invitations are still out.
            Who has not answered is reminded on Sat 7 Nov, Sat 14 Nov, Wed 18 Nov and Fri 20 Nov.
            [Yes, set it] [Never mind]
        noa: yes
            Answers now close Sat 21 Nov 2026, 18:00, London time.
        mia: yes
            Something has changed in the meantime, so nothing is done yet. This is how it stands:
            Answers would close Sun 22 Nov 2026, 18:00, London time; so far it is Sat 21 Nov 2026, 18:00, London time.
            7 invitations are still out.
            Who has not answered is reminded on Sun 8 Nov, Sun 15 Nov, Thu 19 Nov and Sat 21 Nov.
            [Yes, set it] [Never mind]
        mia: status
            How it stands for Harbour Supper:
            Mia: no answer yet
            Answers would close Sun 22 Nov 2026, 18:00, London time; so far it is Sat 21 Nov 2026, 18:00, London time.
            7 invitations are still out.
            Who has not answered is reminded on Sun 8 Nov, Sun 15 Nov, Thu 19 Nov and Sat 21 Nov.
            [Yes, set it] [Never mind]
        mia: yes
            Answers now close Sun 22 Nov 2026, 18:00, London time.
    "#]]
    .assert_eq(&chat);
}

#[test]
fn a_changed_question_is_not_shown_as_it_was() {
    let mut world = world();
    world.play("mia: /mark Bob coming 3");
    world.raise("Bob");
    expect![[r#"
        mia: <sticker>
            I can only read typed text here. Please type your answer.
            Something has changed in the meantime, so nothing is done yet. This is how it stands:
            To enter for Bob Tanner:
            Bob: coming, with 2 companions
            So far:
            Bob and 2 companions: no answer yet
            [Yes, enter it] [Never mind]
        mia: [~Yes, enter it]
            That belonged to an earlier question. Here is the present one:
            To enter for Bob Tanner:
            Bob: coming, with 2 companions
            So far:
            Bob and 2 companions: no answer yet
            [Yes, enter it] [Never mind]
        mia: [Yes, enter it]
            Entered for Bob Tanner.
            (AnsweredFor { guests: [Bob], by: Mia } -> Guests([Bob]))
    "#]]
    .assert_eq(&world.play("mia: <sticker>\nmia: [~Yes, enter it]\nmia: [Yes, enter it]"));
}

#[test]
fn a_question_about_somebody_who_is_erased_is_gone_and_the_own_one_goes_on() {
    let mut world = world();
    world.play("mia: [Yes, I am coming]");
    for (name, command, answer) in [
        ("Bob", "/mark Bob coming 2", "yes"),
        ("Cleo", "/mark Cleo coming", "[Yes, enter it]"),
        ("Ben", "/mark Ben coming", "menu"),
    ] {
        world.play(&format!("mia: {command}"));
        world.erase(name);
        let chat = world.play(&format!("mia: {answer}"));
        assert!(chat.contains("no longer on the list: nothing was entered or sent"), "{chat}");
        assert!(chat.contains("Your own invitation:\n    Do you have any dietary needs"), "{chat}");
    }
    expect![[r#"
        mia: none
            Your answer:
            Mia: coming
            1 person is coming.
            Is this right?
            [Yes, save it] [Change something]
        mia: yes
            Saved. Thank you!
            You can change it until Fri 20 Nov, end of day, London time: send "change".
            For your calendar.
            <supper.ics>
    "#]]
    .assert_eq(&world.play("mia: none\nmia: yes"));
}

#[test]
fn what_mentions_somebody_who_is_erased_is_forgotten() {
    let mut world = world();
    world.play("mia: /broadcast Bob brings the cake");
    world.erase("Bob");
    expect![[r#"
        mia: [To all (2)]
            That was about a guest who is no longer on the list: nothing was entered or sent.
    "#]]
    .assert_eq(&world.play("mia: [To all (2)]"));
    // Others' questions stay.
    world.play("mia: /mark Maria no\nmia: 1");
    world.erase("Cleo");
    let chat = world.play("mia: yes");
    assert!(chat.contains("Entered for Maria Santos"), "{chat}");
}

#[test]
fn another_command_drops_the_question_before() {
    for command in [
        "/mark nobody coming 3",
        "/find Cleo",
        "/find",
        "/digest",
        "/broadcast",
        "/pending",
        "/reply Bob hi",
        "/mark Bob",
    ] {
        let mut world = world();
        world.play(&format!("mia: /mark Bob coming 3\nmia: {command}"));
        let chat = world.play("mia: yes");
        assert!(!chat.contains("Entered") && chat.contains("Your own invitation:"), "{command}: {chat}");
        let chat = world.play("mia: [Yes, enter it]");
        assert!(chat.contains("earlier question"), "{command}: {chat}");
        assert_eq!(world.guest("Bob").num_guests, 0, "{command}");
    }
    // Nor does a button of a list leave it armed.
    let mut world = world();
    for number in 0..90 {
        world.add(&format!("Guest{number}"), "Choir", &format!("CHWR{number}"), None, 1);
    }
    world.play("mia: /pending\nmia: /mark Bob coming 3\nmia: [More]");
    let chat = world.play("mia: yes");
    assert!(!chat.contains("Entered"), "{chat}");
}

#[test]
fn a_second_yes_does_not_begin_the_hosts_own_answer() {
    check(
        "mia: /mark Bob coming 2
         mia: yes
         mia: yes
         mia: yes
         mia: none
         mia: yes
         mia: yes",
        expect![[r#"
            mia: /mark Bob coming 2
                To enter for Bob Tanner:
                Bob: coming, with 1 of 2 companions
                So far:
                Bob and 2 companions: no answer yet
                [Yes, enter it] [Never mind]
            mia: yes
                Entered for Bob Tanner.
                (AnsweredFor { guests: [Bob], by: Mia } -> Guests([Bob]))
            mia: yes
                Your own invitation:
                Are you coming?
                [Yes, I am coming] [No, I cannot come]
            mia: yes
                Do you have any dietary needs or allergies? Write them, or pick "None".
                [None]
            mia: none
                Your answer:
                Mia: coming
                1 person is coming.
                Is this right?
                [Yes, save it] [Change something]
            mia: yes
                Saved. Thank you!
                You can change it until Fri 20 Nov, end of day, London time: send "change".
                For your calendar.
                <supper.ics>
            mia: yes
                How it stands for Harbour Supper:
                Mia: coming
                1 person is coming.
                To change it, send "change".
        "#]],
    );
}

#[test]
fn what_a_mark_does_not_enter_is_said() {
    check(
        "mia: /mark Anna coming 2
         mia: /mark Ben coming
         mia: yes
         mia: /mark Cleo no
         mia: yes
         mia: /mark Ben no
         mia: /mark",
        expect![[r#"
            mia: /mark Anna coming 2
                To enter for Anna Holloway:
                Anna: coming
                And 1 more person than expected.
                So far:
                Anna: coming
                This is for Anna alone. No answer yet: Ben Holloway and Cleo Holloway. To enter that too, write for example: /mark Ben Holloway coming
                [Yes, enter it] [Never mind]
            mia: /mark Ben coming
                To enter for Ben Holloway:
                Ben: coming
                So far:
                Ben: no answer yet
                This is for Ben alone. No answer yet: Cleo Holloway. To enter that too, write for example: /mark Cleo Holloway coming
                [Yes, enter it] [Never mind]
            mia: yes
                Entered for Ben Holloway.
                (AnsweredFor { guests: [Ben], by: Mia } -> Guests([Ben]))
            mia: /mark Cleo no
                To enter for Cleo Holloway:
                Cleo: not coming
                So far:
                Cleo: no answer yet
                This is for Cleo alone; what the others of the group have answered stays.
                [Yes, enter it] [Never mind]
            mia: yes
                Entered for Cleo Holloway.
                (AnsweredFor { guests: [Cleo], by: Mia } -> Guests([Cleo]))
            mia: /mark Ben no
                To enter for Ben Holloway:
                Ben: not coming
                So far:
                Ben: coming
                This is for Ben alone; what the others of the group have answered stays.
                [Yes, enter it] [Never mind]
            mia: /mark
                Write it like this: /mark Bob Tanner coming 2 (that is Bob and one companion). Or: no, open. Whoever has a code of their own is marked by their own name.
        "#]],
    );
}

#[test]
fn a_slash_word_is_no_answer() {
    check(
        "mia: [Yes, I am coming]
         mia: /pendng
         mia: none
         anna: message
         anna: /digest
         anna: never mind
         bob: B8TAN7 Tanner
         bob: /coming
         bob: K7QF2M
         bob: /mine",
        expect![[r#"
            mia: [Yes, I am coming]
                Do you have any dietary needs or allergies? Write them, or pick "None".
                [None]
            mia: /pendng
                Sorry, I did not understand that: I know no such command.
                Do you have any dietary needs or allergies? Write them, or pick "None".
                [None]
            mia: none
                Your answer:
                Mia: coming
                1 person is coming.
                Is this right?
                [Yes, save it] [Change something]
            anna: message
                What would you like to tell the host? Your next message goes to them as you write it.
                [Never mind]
            anna: /digest
                Sorry, I did not understand that: I know no such command.
                What would you like to tell the host? Your next message goes to them as you write it.
                [Never mind]
            anna: never mind
                All right.
            bob: B8TAN7 Tanner
                Welcome, Bob!
                Harbour Supper
                When: Sat 28 Nov 2026, 18:00, London time
                Where: The Old Boathouse
                Dress code: nautical
                Please answer by Fri 20 Nov, end of day, London time.
                Bob and 2 companions: no answer yet
                3 people are expected.
                You and your 2 companions: how many are coming?
                [All 3] [Some of us] [Only me] [None of us]
                (LoggedInElsewhere { guest: Bob, channel: Telegram } -> EveryAddressOf(Bob))
            bob: /coming
                Sorry, I did not understand that: I know no such command.
                How many are coming?
                [All 3] [Some of us] [Only me] [None of us]
            bob: K7QF2M
                Sorry, I did not understand that.
                How many are coming?
                [All 3] [Some of us] [Only me] [None of us] [Leave a message for the host]
            bob: /mine
                How it stands for Harbour Supper:
                Bob and 2 companions: no answer yet
                You and your 2 companions: how many are coming?
                [All 3] [Some of us] [Only me] [None of us]
        "#]],
    );
}

#[test]
fn slips_of_the_finger_are_told() {
    check(
        "mia: /mark Bob coming -1
         mia: /mark Bob -1
         mia: /mark
         mia: /reply
         mia: /pending 99
         mia: /pending soon
         mia: /mark Maria no
         mia: P9DX3C
         mia: never mind
         mia: /mark Maria no
         mia: Maria
         mia: (H4TR8W)
         mia: no",
        expect![[r#"
            mia: /mark Bob coming -1
                Write it like this: /mark Bob Tanner coming 2 (that is Bob and one companion). Or: no, open. Whoever has a code of their own is marked by their own name.
            mia: /mark Bob -1
                Write it like this: /mark Bob Tanner coming 2 (that is Bob and one companion). Or: no, open. Whoever has a code of their own is marked by their own name.
            mia: /mark
                Write it like this: /mark Bob Tanner coming 2 (that is Bob and one companion). Or: no, open. Whoever has a code of their own is marked by their own name.
            mia: /reply
                Write it like this: /reply Anna Holloway There is parking behind the house.
            mia: /pending 99
                There is no page 99; there is only one.
                Harbour Supper, still out: 6 invitations
                Ben Holloway (never opened)
                Cleo Holloway (never opened)
                Maria Santos (H4TR8W) (never opened)
                Maria Santos (P9DX3C) (never opened)
                Bob Tanner (never opened), 3 expected
                Mia Hart
            mia: /pending soon
                There is no page soon; there is only one.
                Harbour Supper, still out: 6 invitations
                Ben Holloway (never opened)
                Cleo Holloway (never opened)
                Maria Santos (H4TR8W) (never opened)
                Maria Santos (P9DX3C) (never opened)
                Bob Tanner (never opened), 3 expected
                Mia Hart
            mia: /mark Maria no
                Several people fit. Which one?
                [Maria Santos (H4TR8W)] [Maria Santos (P9DX3C)] [Never mind]
            mia: P9DX3C
                To enter for Maria Santos:
                Maria: not coming
                So far:
                Maria: no answer yet
                [Yes, enter it] [Never mind]
            mia: never mind
                All right.
            mia: /mark Maria no
                Several people fit. Which one?
                [Maria Santos (H4TR8W)] [Maria Santos (P9DX3C)] [Never mind]
            mia: Maria
                Sorry, I did not understand that.
                Several people fit. Which one?
                [Maria Santos (H4TR8W)] [Maria Santos (P9DX3C)] [Never mind]
            mia: (H4TR8W)
                To enter for Maria Santos:
                Maria: not coming
                So far:
                Maria: no answer yet
                [Yes, enter it] [Never mind]
            mia: no
                All right.
        "#]],
    );
}

#[test]
fn nobody_is_asked_twice_in_a_row() {
    check(
        "mia: /remind Cleo
         mia: [Send it]
         mia: /remind Cleo
         mia: /remind
         mia: [Send it]
         mia: /remind
         +119m
         mia: /remind Anna Holloway
         +1m
         mia: /remind Anna Holloway",
        expect![[r#"
            mia: /remind Cleo
                1 reminder goes out (0 by SMS, 0 segments). Send?
                [Send it] [Never mind]
            mia: [Send it]
                1 reminder is on its way.
                (7100000414 <- Reminder { guests: [Ben, Cleo] })
            mia: /remind Cleo
                2 guests were asked in the last 2 hours, or will be shortly: no second message goes to them.
            mia: /remind
                2 reminders go out (1 by SMS, 2 segments). Send?
                2 guests were asked in the last 2 hours, or will be shortly: no second message goes to them.
                No message reaches Maria Santos (H4TR8W) and Maria Santos (P9DX3C).
                [Send it] [Never mind]
            mia: [Send it]
                2 reminders are on their way.
                No message reaches Maria Santos (H4TR8W) and Maria Santos (P9DX3C).
                (7100000311 <- Reminder { guests: [Mia] })
                (+447700900177 <- Reminder { guests: [Bob] })
            mia: /remind
                4 guests were asked in the last 2 hours, or will be shortly: no second message goes to them.
            +119m
            mia: /remind Anna Holloway
                2 guests were asked in the last 2 hours, or will be shortly: no second message goes to them.
            +1m
            mia: /remind Anna Holloway
                1 reminder goes out (0 by SMS, 0 segments). Send?
                [Send it] [Never mind]
        "#]],
    );
}

#[test]
fn nobody_is_invited_twice_in_a_row() {
    check(
        "mia: /invite
         mia: /invite
         mia: [Send it]
         mia: /invite
         +2h
         mia: /invite",
        expect![[r#"
            mia: /invite
                1 invitation goes out by SMS (2 segments) to guests who were never here. Send?
                [Send it] [Never mind]
            mia: /invite
                1 invitation goes out by SMS (2 segments) to guests who were never here. Send?
                [Send it] [Never mind]
            mia: [Send it]
                1 invitation is on its way.
                (+447700900177 <- Invitation { guests: [Bob] })
            mia: /invite
                1 guest was asked in the last 2 hours, or will be shortly: no second message goes to them.
            +2h
            mia: /invite
                1 invitation goes out by SMS (2 segments) to guests who were never here. Send?
                [Send it] [Never mind]
        "#]],
    );
}

#[test]
fn a_host_is_told_what_hosts_can_say() {
    check(
        "mia: help
         mia: /help",
        expect![[r#"
             mia: help
                 You can send: status (your answer), details, change, decline, switch (another invitation), message (for the host), mute, language, logout. Not you? Send wrong person.
                 As a host, also: /digest (how it stands), /pending, /coming, /dietary, /find, /mark (enter an answer), /remind, /invite, /reply, /broadcast, /tell (of a change), /deadline and /admin (your desk).
                 Are you coming?
                 [Yes, I am coming] [No, I cannot come]
             mia: /help
                 You can send: status (your answer), details, change, decline, switch (another invitation), message (for the host), mute, language, logout. Not you? Send wrong person.
                 As a host, also: /digest (how it stands), /pending, /coming, /dietary, /find, /mark (enter an answer), /remind, /invite, /reply, /broadcast, /tell (of a change), /deadline and /admin (your desk).
                 Are you coming?
                 [Yes, I am coming] [No, I cannot come]
         "#]],
    );
}

#[test]
fn small_talk_is_no_guess_at_a_code() {
    check(
        "mia: never mind
         mia: never mind
         mia: good morning
         mia: never mind
         mia: thank you
         mia: see you soon
         mia: never mind
         mia: hello there
         mia: what now
         mia: never mind",
        expect![[r#"
            mia: never mind
                Are you coming?
                [Yes, I am coming] [No, I cannot come]
            mia: never mind
                Are you coming?
                [Yes, I am coming] [No, I cannot come]
            mia: good morning
                Are you coming?
                [Yes, I am coming] [No, I cannot come]
            mia: never mind
                Are you coming?
                [Yes, I am coming] [No, I cannot come]
            mia: thank you
                With pleasure!
                Are you coming?
                [Yes, I am coming] [No, I cannot come]
            mia: see you soon
                With pleasure!
                Are you coming?
                [Yes, I am coming] [No, I cannot come]
            mia: never mind
                Are you coming?
                [Yes, I am coming] [No, I cannot come]
            mia: hello there
                Are you coming?
                [Yes, I am coming] [No, I cannot come]
            mia: what now
                Sorry, I did not understand that.
                Are you coming?
                [Yes, I am coming] [No, I cannot come]
            mia: never mind
                Are you coming?
                [Yes, I am coming] [No, I cannot come]
        "#]],
    );
}
