//! What sentences say when a guest is asked how many come. Nothing here is a wrong guess: what could mean two things
//! is asked again.

use expect_test::{Expect, expect};

use super::world::{World, address, table};

/// A family of three is asked; the answer comes from Anna.
const FAMILY: &str = "
    all | All! | all 3 | yes | Yes please | yep | 👍 | everyone | all of us | we're all coming | the whole family
    3 | 3. | three | we are three | we're 3 | We will be 3! | 3 of us | 3 of 3 | There are 3 of us. | 3️⃣ | ٣ | count us in
    Anna, Ben and Cleo are coming | we'd love to come | can't wait, all three of us | yes, all of us. Anna
    Hi Anna here, we are 3 thanks | coming! | of course
    2 | two of us | both | 2 of 3 | two out of three | just 2 | only two of us | a couple of us | No, 2 of us
    Anna and Ben are coming | Yes, Anna and Ben are coming | I think we're 2 | I believe two
    2, Cleo can't make it | we're 2, Cleo can’t | Cleo can't make it | Cleo is sick and can't come | Cleo is ill
    Cleo's sick | not Cleo | everyone except Cleo | all but Cleo | everybody but Cleo | 2 without Cleo
    one of us can't make it | one of us can't make it: Cleo | all but one | everyone except 1 | Ben comes but not Cleo
    Anna yes, Ben yes, Cleo no | Anna: yes, Ben: yes, Cleo: no | Ben and I are coming, Cleo isn't | me and Ben
    2: Anna and Ben | just Ben and me | only me and Ben | yes but Cleo can't | Cleo is out, she can't come
    yes but I can't | only I can't come | everyone except me | all but me | nobody but Anna and Ben
    Ben, Cleo can't make it | Ben and Cleo are not coming | 1 | just one | only Anna
    only me | just me | me | Just myself | alone | I come alone | just me, 1 | me only please | nobody but me | yes, just me
    0 | zero | none | nobody | no one | none of us | no | nope | No thanks | sorry, we can't make it | we cannot come
    Unfortunately not | we can't | regrets | 👎 | not coming | Anna, Ben and Cleo can't come | nobody. Anna
    I can't come | Sorry I can't make it | I'm sick | No, I can't | I am not coming
    some | some of us | not all of us | not everyone | we can't all come | a few | most of us
    we don't know yet | not sure yet | maybe | dunno | not yet | probably 3 | maybe 2 | I think so but not sure
    Cleo doesn't know yet | Ben might come | Cleo can't come and Ben is not sure | Cleo maybe
    Ben can't come, Cleo is not sure, I don't know yet | Anna is coming and Ben can't | Ben can't come and I can
    Ben can't and Cleo is coming | Cleo is sick and Ben can't make it either
    4 | 5 | we are five | all 4 | 3 plus one more | 23 | 24 | 999999999 | 99999999999
";

/// What must not be understood: questions, times, prices, sums, contradictions, anything with an unknown word.
const RIDDLES: &str = "
    2 or 3 | 2-3 | 2 - 3 | 1/2 | -3 | 2.5 | 1,5 | 1,000 | ~3 | <3 | thanks <3 | 3? | all? | are you coming? | 5€ | 50% | #2
    18:30 | 7pm | at 7 | we'll be there at 3 | see you at 6 | 28 Nov | 2nd | 2+1 | 2 plus 1 | me plus 2 | me and 2
    I'm coming with 2 | 2 adults and 1 kid | 1 kid | not 3 | yes and no | yes no | yes, no | yes we can't | all, nobody
    we're not missing it | nobody can't come | nobody is sick | she can't come | they can't come | Cleo no, Cleo yes
    Hi there | hello | ok | thanks | great | I think so | hmm | what? | Ben | Cleo | Ben, Cleo | Anna and Ben
    I'm coming | Ben is coming, Ben can't come | no, Anna comes | no, 3 | I can't come but Ben can | Lisa can't make it
    not only Cleo | none of us but Ben is missing | everyone is sick except Ben | if Ben comes we are 3
    Ben comes if Cleo does | 3 minus 1 | 2 2 1 | can't come: 2 | not coming 3 | except | without | my wife can't come
    Ben not Cleo | Ben can't come and Cleo | Anna comes Ben not
    2 kids | Ben's kid can't come | one of Ben's companions | the Holloways are coming | Holloway can't come
    only | just | the | DROP TABLE guests; | {count} | <b>3</b> | null | NaN | 0x3 | 1e3 | ½ | ³²
    Two of us are definitely coming and the third one will probably join later if her shift is moved
";

fn check(world: impl Fn() -> World, who: &str, texts: &str, expected: &Expect) {
    let texts = texts.lines().flat_map(|line| line.split(" | ")).map(str::trim).filter(|text| !text.is_empty());
    let rows = texts.map(|text| {
        let mut world = world();
        let before = world.conversations[&address(who)].clone();
        world.play(&format!("{who}: {text}"));
        let after = &world.conversations[&address(who)];
        (
            text.to_owned(),
            if after.dialogue.misunderstood > 0 {
                assert_eq!(before.dialogue.draft, after.dialogue.draft, "{text}");
                "?".to_owned()
            } else {
                world.described(&address(who))
            },
        )
    });
    expected.assert_eq(&table(rows));
}

fn family() -> World {
    let mut world = World::new();
    world.play("anna: K7QF2M Holloway");
    world
}

#[test]
fn a_family_of_three() {
    check(
        family,
        "anna",
        FAMILY,
        &expect![[r#"
            all                                                -> 3: Anna in, Ben in, Cleo in; Dietary { guest: Anna }
            All!                                               -> 3: Anna in, Ben in, Cleo in; Dietary { guest: Anna }
            all 3                                              -> 3: Anna in, Ben in, Cleo in; Dietary { guest: Anna }
            yes                                                -> 3: Anna in, Ben in, Cleo in; Dietary { guest: Anna }
            Yes please                                         -> 3: Anna in, Ben in, Cleo in; Dietary { guest: Anna }
            yep                                                -> 3: Anna in, Ben in, Cleo in; Dietary { guest: Anna }
            👍                                                  -> 3: Anna in, Ben in, Cleo in; Dietary { guest: Anna }
            everyone                                           -> 3: Anna in, Ben in, Cleo in; Dietary { guest: Anna }
            all of us                                          -> 3: Anna in, Ben in, Cleo in; Dietary { guest: Anna }
            we're all coming                                   -> 3: Anna in, Ben in, Cleo in; Dietary { guest: Anna }
            the whole family                                   -> 3: Anna in, Ben in, Cleo in; Dietary { guest: Anna }
            3                                                  -> 3: Anna in, Ben in, Cleo in; Dietary { guest: Anna }
            3.                                                 -> 3: Anna in, Ben in, Cleo in; Dietary { guest: Anna }
            three                                              -> 3: Anna in, Ben in, Cleo in; Dietary { guest: Anna }
            we are three                                       -> 3: Anna in, Ben in, Cleo in; Dietary { guest: Anna }
            we're 3                                            -> 3: Anna in, Ben in, Cleo in; Dietary { guest: Anna }
            We will be 3!                                      -> 3: Anna in, Ben in, Cleo in; Dietary { guest: Anna }
            3 of us                                            -> 3: Anna in, Ben in, Cleo in; Dietary { guest: Anna }
            3 of 3                                             -> 3: Anna in, Ben in, Cleo in; Dietary { guest: Anna }
            There are 3 of us.                                 -> 3: Anna in, Ben in, Cleo in; Dietary { guest: Anna }
            3️⃣                                                -> 3: Anna in, Ben in, Cleo in; Dietary { guest: Anna }
            ٣                                                  -> 3: Anna in, Ben in, Cleo in; Dietary { guest: Anna }
            count us in                                        -> 3: Anna in, Ben in, Cleo in; Dietary { guest: Anna }
            Anna, Ben and Cleo are coming                      -> 3: Anna in, Ben in, Cleo in; Dietary { guest: Anna }
            we'd love to come                                  -> 3: Anna in, Ben in, Cleo in; Dietary { guest: Anna }
            can't wait, all three of us                        -> 3: Anna in, Ben in, Cleo in; Dietary { guest: Anna }
            yes, all of us. Anna                               -> 3: Anna in, Ben in, Cleo in; Dietary { guest: Anna }
            Hi Anna here, we are 3 thanks                      -> 3: Anna in, Ben in, Cleo in; Dietary { guest: Anna }
            coming!                                            -> 3: Anna in, Ben in, Cleo in; Dietary { guest: Anna }
            of course                                          -> 3: Anna in, Ben in, Cleo in; Dietary { guest: Anna }
            2                                                  -> 2: Anna ?, Ben ?, Cleo ?; WhoIsNotComing
            two of us                                          -> 2: Anna ?, Ben ?, Cleo ?; WhoIsNotComing
            both                                               -> 2: Anna ?, Ben ?, Cleo ?; WhoIsNotComing
            2 of 3                                             -> 2: Anna ?, Ben ?, Cleo ?; WhoIsNotComing
            two out of three                                   -> 2: Anna ?, Ben ?, Cleo ?; WhoIsNotComing
            just 2                                             -> 2: Anna ?, Ben ?, Cleo ?; WhoIsNotComing
            only two of us                                     -> 2: Anna ?, Ben ?, Cleo ?; WhoIsNotComing
            a couple of us                                     -> 2: Anna ?, Ben ?, Cleo ?; WhoIsNotComing
            No, 2 of us                                        -> 2: Anna ?, Ben ?, Cleo ?; WhoIsNotComing
            Anna and Ben are coming                            -> 2: Anna ?, Ben ?, Cleo ?; WhoIsNotComing
            Yes, Anna and Ben are coming                       -> 2: Anna ?, Ben ?, Cleo ?; WhoIsNotComing
            I think we're 2                                    -> 2: Anna ?, Ben ?, Cleo ?; WhoIsNotComing
            I believe two                                      -> 2: Anna ?, Ben ?, Cleo ?; WhoIsNotComing
            2, Cleo can't make it                              -> 2: Anna in, Ben in, Cleo out; Dietary { guest: Anna }
            we're 2, Cleo can’t                                -> 2: Anna in, Ben in, Cleo out; Dietary { guest: Anna }
            Cleo can't make it                                 -> 2: Anna in, Ben in, Cleo out; Dietary { guest: Anna }
            Cleo is sick and can't come                        -> 2: Anna in, Ben in, Cleo out; Dietary { guest: Anna }
            Cleo is ill                                        -> 2: Anna in, Ben in, Cleo out; Dietary { guest: Anna }
            Cleo's sick                                        -> 2: Anna in, Ben in, Cleo out; Dietary { guest: Anna }
            not Cleo                                           -> 2: Anna in, Ben in, Cleo out; Dietary { guest: Anna }
            everyone except Cleo                               -> 2: Anna in, Ben in, Cleo out; Dietary { guest: Anna }
            all but Cleo                                       -> 2: Anna in, Ben in, Cleo out; Dietary { guest: Anna }
            everybody but Cleo                                 -> 2: Anna in, Ben in, Cleo out; Dietary { guest: Anna }
            2 without Cleo                                     -> 2: Anna in, Ben in, Cleo out; Dietary { guest: Anna }
            one of us can't make it                            -> 2: Anna ?, Ben ?, Cleo ?; WhoIsNotComing
            one of us can't make it: Cleo                      -> 2: Anna in, Ben in, Cleo out; Dietary { guest: Anna }
            all but one                                        -> 2: Anna ?, Ben ?, Cleo ?; WhoIsNotComing
            everyone except 1                                  -> 2: Anna ?, Ben ?, Cleo ?; WhoIsNotComing
            Ben comes but not Cleo                             -> 2: Anna in, Ben in, Cleo out; Dietary { guest: Anna }
            Anna yes, Ben yes, Cleo no                         -> 2: Anna in, Ben in, Cleo out; Dietary { guest: Anna }
            Anna: yes, Ben: yes, Cleo: no                      -> 2: Anna in, Ben in, Cleo out; Dietary { guest: Anna }
            Ben and I are coming, Cleo isn't                   -> 2: Anna in, Ben in, Cleo out; Dietary { guest: Anna }
            me and Ben                                         -> 2: Anna in, Ben in, Cleo out; Dietary { guest: Anna }
            2: Anna and Ben                                    -> 2: Anna in, Ben in, Cleo out; Dietary { guest: Anna }
            just Ben and me                                    -> 2: Anna in, Ben in, Cleo out; Dietary { guest: Anna }
            only me and Ben                                    -> 2: Anna in, Ben in, Cleo out; Dietary { guest: Anna }
            yes but Cleo can't                                 -> 2: Anna in, Ben in, Cleo out; Dietary { guest: Anna }
            Cleo is out, she can't come                        -> 2: Anna in, Ben in, Cleo out; Dietary { guest: Anna }
            yes but I can't                                    -> 2: Anna out, Ben in, Cleo in; Dietary { guest: Ben }
            only I can't come                                  -> 2: Anna out, Ben in, Cleo in; Dietary { guest: Ben }
            everyone except me                                 -> 2: Anna out, Ben in, Cleo in; Dietary { guest: Ben }
            all but me                                         -> 2: Anna out, Ben in, Cleo in; Dietary { guest: Ben }
            nobody but Anna and Ben                            -> 2: Anna in, Ben in, Cleo out; Dietary { guest: Anna }
            Ben, Cleo can't make it                            -> 1: Anna in, Ben out, Cleo out; Dietary { guest: Anna }
            Ben and Cleo are not coming                        -> 1: Anna in, Ben out, Cleo out; Dietary { guest: Anna }
            1                                                  -> 1: Anna ?, Ben ?, Cleo ?; WhoIsNotComing
            just one                                           -> 1: Anna ?, Ben ?, Cleo ?; WhoIsNotComing
            only Anna                                          -> 1: Anna in, Ben out, Cleo out; Dietary { guest: Anna }
            only me                                            -> 1: Anna in, Ben ?, Cleo ?; Others
            just me                                            -> 1: Anna in, Ben ?, Cleo ?; Others
            me                                                 -> 1: Anna in, Ben ?, Cleo ?; Others
            Just myself                                        -> 1: Anna in, Ben ?, Cleo ?; Others
            alone                                              -> 1: Anna in, Ben ?, Cleo ?; Others
            I come alone                                       -> 1: Anna in, Ben ?, Cleo ?; Others
            just me, 1                                         -> 1: Anna in, Ben ?, Cleo ?; Others
            me only please                                     -> 1: Anna in, Ben ?, Cleo ?; Others
            nobody but me                                      -> 1: Anna in, Ben ?, Cleo ?; Others
            yes, just me                                       -> 1: Anna in, Ben ?, Cleo ?; Others
            0                                                  -> 0: Anna out, Ben out, Cleo out; NobodyOrNotMe
            zero                                               -> 0: Anna out, Ben out, Cleo out; NobodyOrNotMe
            none                                               -> 0: Anna out, Ben out, Cleo out; NobodyOrNotMe
            nobody                                             -> 0: Anna out, Ben out, Cleo out; NobodyOrNotMe
            no one                                             -> 0: Anna out, Ben out, Cleo out; NobodyOrNotMe
            none of us                                         -> 0: Anna out, Ben out, Cleo out; NobodyOrNotMe
            no                                                 -> 0: Anna out, Ben out, Cleo out; NobodyOrNotMe
            nope                                               -> 0: Anna out, Ben out, Cleo out; NobodyOrNotMe
            No thanks                                          -> 0: Anna out, Ben out, Cleo out; NobodyOrNotMe
            sorry, we can't make it                            -> 0: Anna out, Ben out, Cleo out; NobodyOrNotMe
            we cannot come                                     -> 0: Anna out, Ben out, Cleo out; NobodyOrNotMe
            Unfortunately not                                  -> 0: Anna out, Ben out, Cleo out; NobodyOrNotMe
            we can't                                           -> 0: Anna out, Ben out, Cleo out; NobodyOrNotMe
            regrets                                            -> 0: Anna out, Ben out, Cleo out; NobodyOrNotMe
            👎                                                  -> 0: Anna out, Ben out, Cleo out; NobodyOrNotMe
            not coming                                         -> 0: Anna out, Ben out, Cleo out; NobodyOrNotMe
            Anna, Ben and Cleo can't come                      -> 0: Anna out, Ben out, Cleo out; ReadBack
            nobody. Anna                                       -> 0: Anna out, Ben out, Cleo out; NobodyOrNotMe
            I can't come                                       -> 0: Anna out, Ben untouched, Cleo untouched; ReadBack
            Sorry I can't make it                              -> 0: Anna out, Ben untouched, Cleo untouched; ReadBack
            I'm sick                                           -> 0: Anna out, Ben untouched, Cleo untouched; ReadBack
            No, I can't                                        -> 0: Anna out, Ben untouched, Cleo untouched; ReadBack
            I am not coming                                    -> 0: Anna out, Ben untouched, Cleo untouched; ReadBack
            some                                               -> -: Anna ?, Ben ?, Cleo ?; HowManyExactly
            some of us                                         -> -: Anna ?, Ben ?, Cleo ?; HowManyExactly
            not all of us                                      -> -: Anna ?, Ben ?, Cleo ?; HowManyExactly
            not everyone                                       -> -: Anna ?, Ben ?, Cleo ?; HowManyExactly
            we can't all come                                  -> -: Anna ?, Ben ?, Cleo ?; HowManyExactly
            a few                                              -> -: Anna ?, Ben ?, Cleo ?; HowManyExactly
            most of us                                         -> -: Anna ?, Ben ?, Cleo ?; HowManyExactly
            we don't know yet                                  -> -: Anna ?, Ben ?, Cleo ?; HowMany
            not sure yet                                       -> -: Anna ?, Ben ?, Cleo ?; HowMany
            maybe                                              -> -: Anna ?, Ben ?, Cleo ?; HowMany
            dunno                                              -> -: Anna ?, Ben ?, Cleo ?; HowMany
            not yet                                            -> -: Anna ?, Ben ?, Cleo ?; HowMany
            probably 3                                         -> -: Anna ?, Ben ?, Cleo ?; HowMany
            maybe 2                                            -> -: Anna ?, Ben ?, Cleo ?; HowMany
            I think so but not sure                            -> -: Anna ?, Ben ?, Cleo ?; HowMany
            Cleo doesn't know yet                              -> 2: Anna in, Ben in, Cleo open; Dietary { guest: Anna }
            Ben might come                                     -> 2: Anna in, Ben open, Cleo in; Dietary { guest: Anna }
            Cleo can't come and Ben is not sure                -> 1: Anna in, Ben open, Cleo out; Dietary { guest: Anna }
            Cleo maybe                                         -> 2: Anna in, Ben in, Cleo open; Dietary { guest: Anna }
            Ben can't come, Cleo is not sure, I don't know yet -> 0: Anna open, Ben out, Cleo open; ReadBack
            Anna is coming and Ben can't                       -> 1: Anna in, Ben out, Cleo open; Dietary { guest: Anna }
            Ben can't come and I can                           -> 1: Anna in, Ben out, Cleo open; Dietary { guest: Anna }
            Ben can't and Cleo is coming                       -> 2: Anna in, Ben out, Cleo in; Dietary { guest: Anna }
            Cleo is sick and Ben can't make it either          -> ?
            4                                                  -> 4: Anna in, Ben in, Cleo in; ConfirmExtras
            5                                                  -> 5: Anna in, Ben in, Cleo in; ConfirmExtras
            we are five                                        -> 5: Anna in, Ben in, Cleo in; ConfirmExtras
            all 4                                              -> 4: Anna in, Ben in, Cleo in; ConfirmExtras
            3 plus one more                                    -> ?
            23                                                 -> 23: Anna in, Ben in, Cleo in; ConfirmExtras
            24                                                 -> ?
            999999999                                          -> ?
            99999999999                                        -> ?
        "#]],
    );
}

#[test]
fn what_is_not_understood() {
    check(
        family,
        "anna",
        RIDDLES,
        &expect![[r#"
            2 or 3                        -> ?
            2-3                           -> ?
            2 - 3                         -> ?
            1/2                           -> ?
            -3                            -> ?
            2.5                           -> ?
            1,5                           -> ?
            1,000                         -> ?
            ~3                            -> ?
            <3                            -> ?
            thanks <3                     -> ?
            3?                            -> ?
            all?                          -> ?
            are you coming?               -> ?
            5€                            -> ?
            50%                           -> ?
            #2                            -> ?
            18:30                         -> ?
            7pm                           -> ?
            at 7                          -> ?
            we'll be there at 3           -> ?
            see you at 6                  -> ?
            28 Nov                        -> ?
            2nd                           -> ?
            2+1                           -> ?
            2 plus 1                      -> ?
            me plus 2                     -> 3: Anna in, Ben in, Cleo in; Dietary { guest: Anna }
            me and 2                      -> ?
            I'm coming with 2             -> ?
            2 adults and 1 kid            -> ?
            1 kid                         -> ?
            not 3                         -> ?
            yes and no                    -> ?
            yes no                        -> ?
            yes, no                       -> ?
            yes we can't                  -> ?
            all, nobody                   -> ?
            we're not missing it          -> ?
            nobody can't come             -> ?
            nobody is sick                -> ?
            she can't come                -> ?
            they can't come               -> ?
            Cleo no, Cleo yes             -> ?
            Hi there                      -> -: Anna ?, Ben ?, Cleo ?; HowMany
            hello                         -> -: Anna ?, Ben ?, Cleo ?; HowMany
            ok                            -> ?
            thanks                        -> -: Anna ?, Ben ?, Cleo ?; HowMany
            great                         -> ?
            I think so                    -> 3: Anna in, Ben in, Cleo in; Dietary { guest: Anna }
            hmm                           -> ?
            what?                         -> ?
            Ben                           -> ?
            Cleo                          -> ?
            Ben, Cleo                     -> ?
            Anna and Ben                  -> ?
            I'm coming                    -> 1: Anna in, Ben ?, Cleo ?; Others
            Ben is coming, Ben can't come -> ?
            no, Anna comes                -> ?
            no, 3                         -> ?
            I can't come but Ben can      -> ?
            Lisa can't make it            -> ?
            not only Cleo                 -> ?
            none of us but Ben is missing -> ?
            everyone is sick except Ben   -> ?
            if Ben comes we are 3         -> ?
            Ben comes if Cleo does        -> ?
            3 minus 1                     -> ?
            2 2 1                         -> ?
            can't come: 2                 -> ?
            not coming 3                  -> ?
            except                        -> ?
            without                       -> ?
            my wife can't come            -> ?
            Ben not Cleo                  -> ?
            Ben can't come and Cleo       -> ?
            Anna comes Ben not            -> ?
            2 kids                        -> ?
            Ben's kid can't come          -> ?
            one of Ben's companions       -> ?
            the Holloways are coming      -> ?
            Holloway can't come           -> ?
            only                          -> ?
            just                          -> ?
            the                           -> ?
            DROP TABLE guests;            -> ?
            {count}                       -> ?
            <b>3</b>                      -> ?
            null                          -> ?
            NaN                           -> ?
            0x3                           -> ?
            1e3                           -> ?
            ½                             -> ?
            ³²                            -> ?
            Two of us are definitely coming and the third one will probably join later if her shift is moved -> ?
        "#]],
    );
}

#[test]
fn one_alone() {
    let maria = || {
        let mut world = World::new();
        world.play("maria: H4TR8W Santos");
        world
    };
    check(
        maria,
        "maria",
        "yes | Yes! | y | ok | coming | I'm coming | I'll be there | ill be there | I will come | count me in | 1 | just me | me
         Maria is coming | gladly | with pleasure | 👍 | sure thing | no | I can't come | sorry can't make it | 0 | none
         Unfortunately I have to decline | I'm ill | 2 | we are two | me plus one | maybe | I don't know yet | some
         Yes, I am coming | No, I cannot come | not sure | no problem | yes?",
        &expect![[r#"
            yes                             -> 1: Maria in; Dietary { guest: Maria }
            Yes!                            -> 1: Maria in; Dietary { guest: Maria }
            y                               -> 1: Maria in; Dietary { guest: Maria }
            ok                              -> 1: Maria in; Dietary { guest: Maria }
            coming                          -> 1: Maria in; Dietary { guest: Maria }
            I'm coming                      -> 1: Maria in; Dietary { guest: Maria }
            I'll be there                   -> 1: Maria in; Dietary { guest: Maria }
            ill be there                    -> 1: Maria in; Dietary { guest: Maria }
            I will come                     -> 1: Maria in; Dietary { guest: Maria }
            count me in                     -> 1: Maria in; Dietary { guest: Maria }
            1                               -> 1: Maria in; Dietary { guest: Maria }
            just me                         -> 1: Maria in; Dietary { guest: Maria }
            me                              -> 1: Maria in; Dietary { guest: Maria }
            Maria is coming                 -> 1: Maria in; Dietary { guest: Maria }
            gladly                          -> 1: Maria in; Dietary { guest: Maria }
            with pleasure                   -> 1: Maria in; Dietary { guest: Maria }
            👍                               -> 1: Maria in; Dietary { guest: Maria }
            sure thing                      -> 1: Maria in; Dietary { guest: Maria }
            no                              -> 0: Maria out; ReadBack
            I can't come                    -> 0: Maria out; ReadBack
            sorry can't make it             -> 0: Maria out; ReadBack
            0                               -> 0: Maria out; ReadBack
            none                            -> 0: Maria out; ReadBack
            Unfortunately I have to decline -> 0: Maria out; ReadBack
            I'm ill                         -> 0: Maria out; ReadBack
            2                               -> 2: Maria in; ConfirmExtras
            we are two                      -> 2: Maria in; ConfirmExtras
            me plus one                     -> 2: Maria in; ConfirmExtras
            maybe                           -> -: Maria ?; HowMany
            I don't know yet                -> -: Maria ?; HowMany
            some                            -> ?
            Yes, I am coming                -> 1: Maria in; Dietary { guest: Maria }
            No, I cannot come               -> 0: Maria out; ReadBack
            not sure                        -> -: Maria ?; HowMany
            no problem                      -> ?
            yes?                            -> ?
        "#]],
    );
}

#[test]
fn somebody_with_two_companions() {
    let bob = || {
        let mut world = World::new();
        world.play("bob: B8TAN7 Tanner");
        world
    };
    check(
        bob,
        "bob",
        "all | 3 | yes | we are coming | 2 | one companion can't come | one of my companions can't make it
         my companions can't come | both companions are sick | 2 of my companions can't come | just me | only me
         Bob's companion can't make it | one of Bob's companions is not sure | without companions | 2, without me
         I can't come | none | I'm coming | only Bob | my kid is sick | one kid can't come | my kids can't make it | 4
         everyone except one companion | all but my companions | me and one companion | Bob plus one can't come
         3 of my companions can't come | companions | Bob can't come, the kids can",
        &expect![[r#"
            all                                 -> 3: Bob in +2; Dietary { guest: Bob }
            3                                   -> 3: Bob in +2; Dietary { guest: Bob }
            yes                                 -> 3: Bob in +2; Dietary { guest: Bob }
            we are coming                       -> 3: Bob in +2; Dietary { guest: Bob }
            2                                   -> 2: Bob ?; WhoIsNotComing
            one companion can't come            -> 2: Bob in +1; Dietary { guest: Bob }
            one of my companions can't make it  -> 2: Bob in +1; Dietary { guest: Bob }
            my companions can't come            -> 1: Bob in; Dietary { guest: Bob }
            both companions are sick            -> 1: Bob in; Dietary { guest: Bob }
            2 of my companions can't come       -> 1: Bob in; Dietary { guest: Bob }
            just me                             -> 1: Bob in; Dietary { guest: Bob }
            only me                             -> 1: Bob in; Dietary { guest: Bob }
            Bob's companion can't make it       -> 2: Bob in +1; Dietary { guest: Bob }
            one of Bob's companions is not sure -> ?
            without companions                  -> 1: Bob in; Dietary { guest: Bob }
            2, without me                       -> 2: Bob out +2; Dietary { guest: Bob }
            I can't come                        -> 0: Bob out; NobodyOrNotMe
            none                                -> 0: Bob out; NobodyOrNotMe
            I'm coming                          -> ?
            only Bob                            -> ?
            my kid is sick                      -> 2: Bob in +1; Dietary { guest: Bob }
            one kid can't come                  -> 2: Bob in +1; Dietary { guest: Bob }
            my kids can't make it               -> 1: Bob in; Dietary { guest: Bob }
            4                                   -> 4: Bob in +2; ConfirmExtras
            everyone except one companion       -> 2: Bob in +1; Dietary { guest: Bob }
            all but my companions               -> 1: Bob in; Dietary { guest: Bob }
            me and one companion                -> 2: Bob in +1; Dietary { guest: Bob }
            Bob plus one can't come             -> 1: Bob out +1; Dietary { guest: Bob }
            3 of my companions can't come       -> ?
            companions                          -> ?
            Bob can't come, the kids can        -> 2: Bob out +2; Dietary { guest: Bob }
        "#]],
    );
}

#[test]
fn words_that_are_names() {
    let will = || {
        let mut world = World::new();
        world.add("Will", "Reed", "W4LLR8", Some("reed"), 1);
        world.add("May", "Reed", "M4YRE8", Some("reed"), 1);
        world.add("Ann-Marie", "Reed", "ANMR84", Some("reed"), 2);
        world.play("will: W4LLR8 Reed");
        world
    };
    check(
        will,
        "will",
        "we will come | we will not come | Will not come | sorry, Will can't come | WE WILL COME | May can't come
         we may come | Ann-Marie can't come | ann marie and one companion can't come | all but Ann-Marie's companion
         3, without Ann-Marie's plus one | 4 | only Ann-Marie",
        &expect![[r#"
            we will come                           -> 4: Will in, May in, Ann-Marie in +1; Dietary { guest: Will }
            we will not come                       -> 0: Will out, May out, Ann-Marie out; NobodyOrNotMe
            Will not come                          -> ?
            sorry, Will can't come                 -> 3: Will out, May in, Ann-Marie in +1; Dietary { guest: May }
            WE WILL COME                           -> 4: Will in, May in, Ann-Marie in +1; Dietary { guest: Will }
            May can't come                         -> ?
            we may come                            -> -: Will ?, May ?, Ann-Marie ?; HowMany
            Ann-Marie can't come                   -> 2: Will in, May in, Ann-Marie out; Dietary { guest: Will }
            ann marie and one companion can't come -> 2: Will in, May in, Ann-Marie out; Dietary { guest: Will }
            all but Ann-Marie's companion          -> 3: Will in, May in, Ann-Marie in; Dietary { guest: Will }
            3, without Ann-Marie's plus one        -> 3: Will in, May in, Ann-Marie in; Dietary { guest: Will }
            4                                      -> 4: Will in, May in, Ann-Marie in +1; Dietary { guest: Will }
            only Ann-Marie                         -> ?
        "#]],
    );
}
