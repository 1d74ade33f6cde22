//! What has changed between a question to a host and the answer.

use expect_test::expect;

use super::host::world;

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
