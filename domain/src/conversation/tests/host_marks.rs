//! Answers that hosts enter.

use expect_test::expect;

use super::host::check;

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
