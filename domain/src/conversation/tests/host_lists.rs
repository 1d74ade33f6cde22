//! What hosts are shown.

use expect_test::expect;

use super::host::{check, world};

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

/// More people than can be shown fit: whoever is named by code or in full is found among all of them.
#[test]
fn more_people_fit_than_can_be_shown() {
    let mut world = world();
    for number in 10..40 {
        world.add(&format!("Guest{number}"), "Choir", &format!("CHWR{number}"), None, 1);
    }
    let said = world.play("mia: /mark Choir coming");
    assert!(
        said.contains("Several people fit. Which one?\n    10 more fit: write more of the name, or the code."),
        "{said}"
    );
    assert_eq!(said.matches("[Guest").count(), 20, "{said}");
    let said = world.play("mia: Guest37 Choir");
    assert!(said.contains("To enter for Guest37 Choir:"), "{said}");
    let said = world.play("mia: yes");
    assert!(said.contains("Guest37"), "{said}");
    assert_eq!(world.guest("Guest37").status, crate::model::Status::Coming, "{said}");
    world.play("mia: /mark Choir no");
    let said = world.play("mia: CHWR38");
    assert!(said.contains("To enter for Guest38 Choir:"), "{said}");
}

/// A name that fits several of one group is no question: all of it is reminded.
#[test]
fn a_group_is_reminded_by_its_name() {
    let said = world().play("mia: /remind Holloway");
    assert!(said.contains("1 reminder goes out") && !said.contains("Which one?"), "{said}");
    // Others are asked about.
    let said = world().play("mia: /remind Santos");
    assert!(said.contains("Which one?"), "{said}");
    let said = world().play("mia: /find Holloway");
    assert!(said.contains("Which one?"), "{said}");
}
