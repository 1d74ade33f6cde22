//! Slips of hosts, and small talk.

use expect_test::expect;

use super::host::check;

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
