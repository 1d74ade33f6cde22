//! The deadline, moved in the chat.

use expect_test::expect;

use super::host::check;

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
