//! What hosts send.

use expect_test::expect;

use super::host::check;

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
                3 reminders go out (1 by SMS, 1 segment). Send?
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
                1 invitation goes out by SMS (1 segment) to guests who were never here. Send?
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
                2 reminders go out (1 by SMS, 1 segment). Send?
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
                1 invitation goes out by SMS (1 segment) to guests who were never here. Send?
                [Send it] [Never mind]
            mia: /invite
                1 invitation goes out by SMS (1 segment) to guests who were never here. Send?
                [Send it] [Never mind]
            mia: [Send it]
                1 invitation is on its way.
                (+447700900177 <- Invitation { guests: [Bob] })
            mia: /invite
                1 guest was asked in the last 2 hours, or will be shortly: no second message goes to them.
            +2h
            mia: /invite
                1 invitation goes out by SMS (1 segment) to guests who were never here. Send?
                [Send it] [Never mind]
        "#]],
    );
}

#[test]
fn a_reminder_costs_what_goes() {
    check(
        "bob@sms: B8TAN7 Tanner
         mia: /remind Bob
         mia: [Never mind]
         !bob@sms: remind Bob",
        expect![[r#"
            bob@sms: B8TAN7 Tanner
                Welcome, Bob!
                Harbour Supper
                When: Sat 28 Nov 2026, 18:00, London time
                Where: The Old Boathouse
                Dress code: nautical
                Please answer by Fri 20 Nov, end of day, London time.
                No answer yet: Bob +2.
                3 people are expected.
                Harbour Supper: how many are coming, you included? 3 are expected. Reply a number, ALL, ONLY ME or NONE.
                (LoggedInElsewhere { guest: Bob, channel: Sms } -> EveryAddressOf(Bob))
            mia: /remind Bob
                1 reminder goes out (1 by SMS, 1 segment). Send?
                [Send it] [Never mind]
            mia: [Never mind]
                All right.
            !bob@sms: remind Bob
                Harbour Supper: no answer yet from Bob (by Fri 20 Nov, end of day, London time).
                How many are coming? Reply a number, ALL, ONLY ME or NONE.
        "#]],
    );
}
