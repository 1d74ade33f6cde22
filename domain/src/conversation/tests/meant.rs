//! Texts that mean something else than the open question asks for: no needs at all, another answer, STOP, a wrong
//! person, a button. Each row as in `everyday`.

use expect_test::expect;

use super::everyday::{check, four, maria};

#[test]
fn dietary_needs_of_nobody() {
    check(
        four("pat: all"),
        "pat",
        "none for us | none from us | nope. see you there! | No. Can't wait! | none. looking forward to it | all good
         we're fine | no dietary requirements | I don't have any | we don't have any allergies | No allergies, thank you
         no, all fine | I have none | nobody has any | no | None for Pat | none for Sam | we eat everything | no food allergies
         I'm not allergic to anything | no special diet | nothing special, thanks | not that we know of | noooo
         nobody is allergic to anything | none of us have allergies | no requirements for any of us | all fine thanks
         no nuts | no fish please | I don't eat meat | none but nuts | no, I have allergies | no I have allergies
         we have allergies | not all of us have allergies | no sugar | I don't eat anything with nuts | no food | no. vegan
         nobody has no allergies | none except gluten | we all have allergies | not sure | ok | yes | good | allergies
         not everyone has allergies | none for all of us | we don't all have allergies | no sesame | no problem | without gluten
         no special food | no allergies but no nuts | no allergies, Sam is vegan | I have no restrictions whatsoever | we have none
         I don't | allergies: none | dietary needs - none | I have none but Sam has | no needs as far as I know | zero
         no meat allergies | nothing with nuts | no food restrictions except pork | nothing | not allergic | no no | don't know
         no dairy for Sam | don't have dairy | I don't have nuts | all vegan | none?",
        &expect![[r#"
            none for us                       -> 4: Pat in, Sam in, Jo in, Al in; ReadBack
            none from us                      -> 4: Pat in, Sam in, Jo in, Al in; ReadBack
            nope. see you there!              -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }
            No. Can't wait!                   -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }
            none. looking forward to it       -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }
            all good                          -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }
            we're fine                        -> 4: Pat in, Sam in, Jo in, Al in; ReadBack
            no dietary requirements           -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }
            I don't have any                  -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }
            we don't have any allergies       -> 4: Pat in, Sam in, Jo in, Al in; ReadBack
            No allergies, thank you           -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }
            no, all fine                      -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }
            I have none                       -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }
            nobody has any                    -> 4: Pat in, Sam in, Jo in, Al in; ReadBack
            no                                -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }
            None for Pat                      -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }
            none for Sam                      -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }; noted ["none for Sam"]
            we eat everything                 -> 4: Pat in, Sam in, Jo in, Al in; ReadBack
            no food allergies                 -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }
            I'm not allergic to anything      -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }
            no special diet                   -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }
            nothing special, thanks           -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }
            not that we know of               -> 4: Pat in, Sam in, Jo in, Al in; ReadBack
            noooo                             -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }
            nobody is allergic to anything    -> 4: Pat in, Sam in, Jo in, Al in; ReadBack
            none of us have allergies         -> 4: Pat in, Sam in, Jo in, Al in; ReadBack
            no requirements for any of us     -> 4: Pat in, Sam in, Jo in, Al in; ReadBack
            all fine thanks                   -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }
            no nuts                           -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }; noted ["no nuts"]
            no fish please                    -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }; noted ["no fish please"]
            I don't eat meat                  -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }; noted ["I don't eat meat"]
            none but nuts                     -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }; noted ["none but nuts"]
            no, I have allergies              -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }; noted ["no, I have allergies"]
            no I have allergies               -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }; noted ["no I have allergies"]
            we have allergies                 -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }; noted ["we have allergies"]
            not all of us have allergies      -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }; noted ["not all of us have allergies"]
            no sugar                          -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }; noted ["no sugar"]
            I don't eat anything with nuts    -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }; noted ["I don't eat anything with nuts"]
            no food                           -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }; noted ["no food"]
            no. vegan                         -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }; noted ["no. vegan"]
            nobody has no allergies           -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }; noted ["nobody has no allergies"]
            none except gluten                -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }; noted ["none except gluten"]
            we all have allergies             -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }; noted ["we all have allergies"]
            not sure                          -> the same again
            ok                                -> the same again
            yes                               -> the same again
            good                              -> the same again
            allergies                         -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }; noted ["allergies"]
            not everyone has allergies        -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }; noted ["not everyone has allergies"]
            none for all of us                -> 4: Pat in, Sam in, Jo in, Al in; ReadBack
            we don't all have allergies       -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }; noted ["we don't all have allergies"]
            no sesame                         -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }; noted ["no sesame"]
            no problem                        -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }; noted ["no problem"]
            without gluten                    -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }; noted ["without gluten"]
            no special food                   -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }; noted ["no special food"]
            no allergies but no nuts          -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }; noted ["no allergies but no nuts"]
            no allergies, Sam is vegan        -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }; noted ["no allergies, Sam is vegan"]
            I have no restrictions whatsoever -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }; noted ["I have no restrictions whatsoever"]
            we have none                      -> 4: Pat in, Sam in, Jo in, Al in; ReadBack
            I don't                           -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }
            allergies: none                   -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }
            dietary needs - none              -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }; noted ["dietary needs - none"]
            I have none but Sam has           -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }; noted ["I have none but Sam has"]
            no needs as far as I know         -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }
            zero                              -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }
            no meat allergies                 -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }; noted ["no meat allergies"]
            nothing with nuts                 -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }; noted ["nothing with nuts"]
            no food restrictions except pork  -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }; noted ["no food restrictions except pork"]
            nothing                           -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }
            not allergic                      -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }
            no no                             -> the same again
            don't know                        -> the same again
            no dairy for Sam                  -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }; noted ["no dairy for Sam"]
            don't have dairy                  -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }; noted ["don't have dairy"]
            I don't have nuts                 -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }; noted ["I don't have nuts"]
            all vegan                         -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }; noted ["all vegan"]
            none?                             -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }
        "#]],
    );
}

#[test]
fn another_mind_at_the_dietary_question() {
    check(
        four("pat: all"),
        "pat",
        "actually I can't come | I'm not coming | Sam can't come after all | actually only 3 of us are coming | start again
         cancel | start over | change | we're all coming | I'm coming | nobody is coming | Sam isn't coming, he is sick
         Sam can't have nuts | 2 vegetarians | Sam is vegan | no nuts for Sam | Jo can't eat fish | only 3 of us eat meat
         I can't | vegan, and Sam can't come | only Sam | Sam | I have the wrong number | wrong number mate | stop texting me
         please stop texting me | I will not eat meat | I might not come | sorry I have to cancel | no can do | will come hungry | I come without nuts
         Sam is coming | 🥜 | 🎉 | 🐟🥜",
        &expect![[r#"
            actually I can't come            -> 0: Pat out, Sam untouched, Jo untouched, Al untouched; ReadBack
            I'm not coming                   -> 0: Pat out, Sam untouched, Jo untouched, Al untouched; ReadBack
            Sam can't come after all         -> 3: Pat in, Sam out, Jo in, Al in; Dietary { guest: Pat }
            actually only 3 of us are coming -> 3: Pat ?, Sam ?, Jo ?, Al ?; WhoIsNotComing
            start again                      -> -: Pat ?, Sam ?, Jo ?, Al ?; HowMany
            cancel                           -> -: Pat ?, Sam ?, Jo ?, Al ?; HowMany
            start over                       -> -: Pat ?, Sam ?, Jo ?, Al ?; HowMany
            change                           -> -: Pat ?, Sam ?, Jo ?, Al ?; HowMany
            we're all coming                 -> the same again
            I'm coming                       -> the same again
            nobody is coming                 -> 0: Pat out, Sam out, Jo out, Al out; NobodyOrNotMe
            Sam isn't coming, he is sick     -> 3: Pat in, Sam out, Jo in, Al in; Dietary { guest: Pat }
            Sam can't have nuts              -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }; noted ["Sam can't have nuts"]
            2 vegetarians                    -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }; noted ["2 vegetarians"]
            Sam is vegan                     -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }; noted ["Sam is vegan"]
            no nuts for Sam                  -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }; noted ["no nuts for Sam"]
            Jo can't eat fish                -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }; noted ["Jo can't eat fish"]
            only 3 of us eat meat            -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }; noted ["only 3 of us eat meat"]
            I can't                          -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }; noted ["I can't"]
            vegan, and Sam can't come        -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }; noted ["vegan, and Sam can't come"]
            only Sam                         -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }; noted ["only Sam"]
            Sam                              -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }; noted ["Sam"]
            I have the wrong number          -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }; noted ["I have the wrong number"]
            wrong number mate                -> 4: Pat in, Sam in, Jo in, Al in; WrongPerson
            stop texting me                  -> the same again
            please stop texting me           -> the same again
            I will not eat meat              -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }; noted ["I will not eat meat"]
            I might not come                 -> the same again
            sorry I have to cancel           -> 0: Pat out, Sam out, Jo out, Al out; NobodyOrNotMe
            no can do                        -> the same again
            will come hungry                 -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }; noted ["will come hungry"]
            I come without nuts              -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }; noted ["I come without nuts"]
            Sam is coming                    -> the same again
            🥜                                -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }; noted ["🥜"]
            🎉                                -> ?
            🐟🥜                               -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }; noted ["🐟🥜"]
        "#]],
    );
}

#[test]
fn another_mind_at_the_read_back() {
    check(
        four("pat: all\npat: none for all"),
        "pat",
        "Sam can't come | we are 3 | no, we're 3 | actually 3 | no we're 3 | start again | cancel | yes please save
         Yes we're all coming | yes, 4 | yes, 3 | 4 | we're 4 | yes but Sam can't | okay 👍 | 👌 | ✔️ | no | definitely not
         actually I can't come | only me | Sam maybe | maybe | not sure | none | nobody | yes? | is that right | are you sure | did you save | we can't | none for us | save it please | save it, thanks | all | we are 5",
        &expect![[r#"
            Sam can't come        -> 3: Pat in, Sam out, Jo in, Al in; Dietary { guest: Pat }
            we are 3              -> 3: Pat ?, Sam ?, Jo ?, Al ?; WhoIsNotComing
            no, we're 3           -> 3: Pat ?, Sam ?, Jo ?, Al ?; WhoIsNotComing
            actually 3            -> 3: Pat ?, Sam ?, Jo ?, Al ?; WhoIsNotComing
            no we're 3            -> 3: Pat ?, Sam ?, Jo ?, Al ?; WhoIsNotComing
            start again           -> -: Pat ?, Sam ?, Jo ?, Al ?; HowMany
            cancel                -> -: Pat ?, Sam ?, Jo ?, Al ?; HowMany
            yes please save       -> idle
            Yes we're all coming  -> idle
            yes, 4                -> idle
            yes, 3                -> 3: Pat ?, Sam ?, Jo ?, Al ?; WhoIsNotComing
            4                     -> ?
            we're 4               -> the same again
            yes but Sam can't     -> 3: Pat in, Sam out, Jo in, Al in; Dietary { guest: Pat }
            okay 👍                -> idle
            👌                     -> idle
            ✔️                    -> idle
            no                    -> -: Pat ?, Sam ?, Jo ?, Al ?; HowMany
            definitely not        -> -: Pat ?, Sam ?, Jo ?, Al ?; HowMany
            actually I can't come -> 0: Pat out, Sam untouched, Jo untouched, Al untouched; ReadBack
            only me               -> 1: Pat in, Sam ?, Jo ?, Al ?; Others
            Sam maybe             -> 3: Pat in, Sam open, Jo in, Al in; Dietary { guest: Pat }
            maybe                 -> ?
            not sure              -> ?
            none                  -> ?
            nobody                -> ?
            yes?                  -> ?
            is that right         -> ?
            are you sure          -> ?
            did you save          -> ?
            we can't              -> 0: Pat out, Sam out, Jo out, Al out; NobodyOrNotMe
            none for us           -> ?
            save it please        -> idle
            save it, thanks       -> idle
            all                   -> ?
            we are 5              -> 5: Pat in, Sam in, Jo in, Al in; ConfirmExtras
        "#]],
    );
}

#[test]
fn somebody_else_reads_it() {
    let texts = "I think you have the wrong person | this is not Pat | You have the wrong number | I'm not Pat
         wrong number mate | this is the wrong number | sorry, wrong person | you've got the wrong number I'm afraid
         I am not Pat Hale | Sorry, this isn't Pat. | not Pat | I'm not Sam | wrong | who is this | my name is not Pat
         I'm not Pat, wrong number | wrong number of people";
    check(
        four(""),
        "pat",
        texts,
        &expect![[r#"
            I think you have the wrong person      -> -: Pat ?, Sam ?, Jo ?, Al ?; WrongPerson
            this is not Pat                        -> -: Pat ?, Sam ?, Jo ?, Al ?; WrongPerson
            You have the wrong number              -> -: Pat ?, Sam ?, Jo ?, Al ?; WrongPerson
            I'm not Pat                            -> -: Pat ?, Sam ?, Jo ?, Al ?; WrongPerson
            wrong number mate                      -> -: Pat ?, Sam ?, Jo ?, Al ?; WrongPerson
            this is the wrong number               -> -: Pat ?, Sam ?, Jo ?, Al ?; WrongPerson
            sorry, wrong person                    -> -: Pat ?, Sam ?, Jo ?, Al ?; WrongPerson
            you've got the wrong number I'm afraid -> -: Pat ?, Sam ?, Jo ?, Al ?; WrongPerson
            I am not Pat Hale                      -> -: Pat ?, Sam ?, Jo ?, Al ?; WrongPerson
            Sorry, this isn't Pat.                 -> -: Pat ?, Sam ?, Jo ?, Al ?; WrongPerson
            not Pat                                -> 3: Pat out, Sam in, Jo in, Al in; Dietary { guest: Sam }
            I'm not Sam                            -> ?
            wrong                                  -> 0: Pat out, Sam out, Jo out, Al out; NobodyOrNotMe
            who is this                            -> ?
            my name is not Pat                     -> -: Pat ?, Sam ?, Jo ?, Al ?; WrongPerson
            I'm not Pat, wrong number              -> -: Pat ?, Sam ?, Jo ?, Al ?; WrongPerson
            wrong number of people                 -> ?
        "#]],
    );
    check(
        four("pat: all"),
        "pat",
        texts,
        &expect![[r#"
            I think you have the wrong person      -> 4: Pat in, Sam in, Jo in, Al in; WrongPerson
            this is not Pat                        -> 4: Pat in, Sam in, Jo in, Al in; WrongPerson
            You have the wrong number              -> 4: Pat in, Sam in, Jo in, Al in; WrongPerson
            I'm not Pat                            -> 4: Pat in, Sam in, Jo in, Al in; WrongPerson
            wrong number mate                      -> 4: Pat in, Sam in, Jo in, Al in; WrongPerson
            this is the wrong number               -> 4: Pat in, Sam in, Jo in, Al in; WrongPerson
            sorry, wrong person                    -> 4: Pat in, Sam in, Jo in, Al in; WrongPerson
            you've got the wrong number I'm afraid -> 4: Pat in, Sam in, Jo in, Al in; WrongPerson
            I am not Pat Hale                      -> 4: Pat in, Sam in, Jo in, Al in; WrongPerson
            Sorry, this isn't Pat.                 -> 4: Pat in, Sam in, Jo in, Al in; WrongPerson
            not Pat                                -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }; noted ["not Pat"]
            I'm not Sam                            -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }; noted ["I'm not Sam"]
            wrong                                  -> the same again
            who is this                            -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }; noted ["who is this"]
            my name is not Pat                     -> 4: Pat in, Sam in, Jo in, Al in; WrongPerson
            I'm not Pat, wrong number              -> 4: Pat in, Sam in, Jo in, Al in; WrongPerson
            wrong number of people                 -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }; noted ["wrong number of people"]
        "#]],
    );
}

#[test]
fn texts_that_mean_stop() {
    let texts = "please stop texting me | stop texting me please | no more texts please | please remove me
         please unsubscribe me | stop now | stop all | stop pls | pls stop | I want to opt out | I would like to opt out please
         can you stop texting me | don't text me again | do not text me | remove me from your list | unsubscribe please
         stop sending me messages | please cancel | stop there are 3 of us | we stop eating nuts | non-stop | cancel that
         stop thanks | please please stop | STOP NOW!!";
    let by_sms = |script: &str| {
        let mut world = four("");
        world.play("pat@sms: P4THA7 Hale");
        world.play(script);
        world
    };
    check(
        by_sms(""),
        "pat@sms",
        texts,
        &expect![[r#"
            please stop texting me         -> opted out
            stop texting me please         -> opted out
            no more texts please           -> opted out
            please remove me               -> opted out
            please unsubscribe me          -> opted out
            stop now                       -> opted out
            stop all                       -> opted out
            stop pls                       -> opted out
            pls stop                       -> opted out
            I want to opt out              -> opted out
            I would like to opt out please -> opted out
            can you stop texting me        -> opted out
            don't text me again            -> opted out
            do not text me                 -> opted out
            remove me from your list       -> opted out
            unsubscribe please             -> opted out
            stop sending me messages       -> opted out
            please cancel                  -> -: Pat ?, Sam ?, Jo ?, Al ?; HowMany
            stop there are 3 of us         -> ?
            we stop eating nuts            -> ?
            non-stop                       -> ?
            cancel that                    -> -: Pat ?, Sam ?, Jo ?, Al ?; HowMany
            stop thanks                    -> opted out
            please please stop             -> opted out
            STOP NOW!!                     -> opted out
        "#]],
    );
    check(
        by_sms("pat@sms: 4"),
        "pat@sms",
        texts,
        &expect![[r#"
            please stop texting me         -> opted out
            stop texting me please         -> opted out
            no more texts please           -> opted out
            please remove me               -> opted out
            please unsubscribe me          -> opted out
            stop now                       -> opted out
            stop all                       -> opted out
            stop pls                       -> opted out
            pls stop                       -> opted out
            I want to opt out              -> opted out
            I would like to opt out please -> opted out
            can you stop texting me        -> opted out
            don't text me again            -> opted out
            do not text me                 -> opted out
            remove me from your list       -> opted out
            unsubscribe please             -> opted out
            stop sending me messages       -> opted out
            please cancel                  -> -: Pat ?, Sam ?, Jo ?, Al ?; HowMany
            stop there are 3 of us         -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }; noted ["stop there are 3 of us"]
            we stop eating nuts            -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }; noted ["we stop eating nuts"]
            non-stop                       -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Sam }; noted ["non-stop"]
            cancel that                    -> -: Pat ?, Sam ?, Jo ?, Al ?; HowMany
            stop thanks                    -> opted out
            please please stop             -> opted out
            STOP NOW!!                     -> opted out
        "#]],
    );
}

#[test]
fn what_a_button_says_is_that_button() {
    let mut world = four("pat: all\npat: none for all\npat: yes");
    world.play("sam: S4MHA7 Hale\nsam: none\nsam: nobody");
    check(
        world,
        "sam",
        "change it | leave it | Yes, change it | No, leave it | change it please | yes | no | definitely not | change | ok | keep it | don't change it",
        &expect![[r#"
            change it        -> 0: Pat out, Sam out, Jo out, Al out; ReadBack
            leave it         -> 0: Pat untouched, Sam out, Jo untouched, Al untouched; ReadBack
            Yes, change it   -> 0: Pat out, Sam out, Jo out, Al out; ReadBack
            No, leave it     -> 0: Pat untouched, Sam out, Jo untouched, Al untouched; ReadBack
            change it please -> 0: Pat out, Sam out, Jo out, Al out; ReadBack
            yes              -> 0: Pat out, Sam out, Jo out, Al out; ReadBack
            no               -> 0: Pat untouched, Sam out, Jo untouched, Al untouched; ReadBack
            definitely not   -> 0: Pat untouched, Sam out, Jo untouched, Al untouched; ReadBack
            change           -> -: Pat ?, Sam ?, Jo ?, Al ?; HowMany
            ok               -> 0: Pat out, Sam out, Jo out, Al out; ReadBack
            keep it          -> 0: Pat untouched, Sam out, Jo untouched, Al untouched; ReadBack
            don't change it  -> 0: Pat untouched, Sam out, Jo untouched, Al untouched; ReadBack
        "#]],
    );
    check(
        four(""),
        "pat",
        "All 4 | some of us | only me | none of us",
        &expect![[r#"
        All 4      -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Pat }
        some of us -> -: Pat ?, Sam ?, Jo ?, Al ?; HowManyExactly
        only me    -> 1: Pat in, Sam ?, Jo ?, Al ?; Others
        none of us -> 0: Pat out, Sam out, Jo out, Al out; NobodyOrNotMe
    "#]],
    );
    check(
        maria(""),
        "maria",
        "I am coming | I cannot come",
        &expect![[r#"
        I am coming   -> 1: Maria in; Dietary { guest: Maria }
        I cannot come -> 0: Maria out; ReadBack
    "#]],
    );
}

#[test]
fn who_is_not_coming() {
    check(
        four("pat: 3"),
        "pat",
        "Sam please | 2 please | 2 | we are 4 | sorry, we are 2 | we are all coming | Jo? | is it Sam | maybe Sam | hi all
         nobody | all | cancel | one of us can't come",
        &expect![[r#"
            Sam please           -> 3: Pat in, Sam out, Jo in, Al in; Dietary { guest: Pat }
            2 please             -> 3: Pat in, Sam out, Jo in, Al in; Dietary { guest: Pat }
            2                    -> 3: Pat in, Sam out, Jo in, Al in; Dietary { guest: Pat }
            we are 4             -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Pat }
            sorry, we are 2      -> 2: Pat ?, Sam ?, Jo ?, Al ?; WhoIsNotComing
            we are all coming    -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Pat }
            Jo?                  -> ?
            is it Sam            -> ?
            maybe Sam            -> 3: Pat in, Sam open, Jo in, Al in; Dietary { guest: Pat }
            hi all               -> the same again
            nobody               -> ?
            all                  -> ?
            cancel               -> -: Pat ?, Sam ?, Jo ?, Al ?; HowMany
            one of us can't come -> 3: Pat ?, Sam ?, Jo ?, Al ?; WhoIsNotComing
        "#]],
    );
}

#[test]
fn more_than_expected() {
    check(
        four("pat: 5"),
        "pat",
        "I'm sure | yes, we are 5 | no, 4 | no we are 4 | sorry, 3, Sam can't come | are you sure | definitely not | start again",
        &expect![[r#"
            I'm sure                 -> 5: Pat in, Sam in, Jo in, Al in; Dietary { guest: Pat }
            yes, we are 5            -> 5: Pat in, Sam in, Jo in, Al in; Dietary { guest: Pat }
            no, 4                    -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Pat }
            no we are 4              -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Pat }
            sorry, 3, Sam can't come -> 3: Pat in, Sam out, Jo in, Al in; Dietary { guest: Pat }
            are you sure             -> ?
            definitely not           -> -: Pat ?, Sam ?, Jo ?, Al ?; HowMany
            start again              -> -: Pat ?, Sam ?, Jo ?, Al ?; HowMany
        "#]],
    );
}

#[test]
fn nothing_is_asked() {
    check(
        four("pat: all\npat: none for all\npat: yes"),
        "pat",
        "Sam is coming | Sam and Jo are coming | hello everyone | thanks all | no can do | we no come | we have to cancel
         is everyone coming | maybe Sam | Sam can't come | I'm not Pat | stop texting me | no thank you all | yes | no",
        &expect![[r#"
            Sam is coming         -> idle
            Sam and Jo are coming -> idle
            hello everyone        -> idle
            thanks all            -> idle
            no can do             -> 0: Pat out, Sam out, Jo out, Al out; NobodyOrNotMe
            we no come            -> 0: Pat out, Sam out, Jo out, Al out; NobodyOrNotMe
            we have to cancel     -> 0: Pat out, Sam out, Jo out, Al out; NobodyOrNotMe
            is everyone coming    -> ?
            maybe Sam             -> idle
            Sam can't come        -> 3: Pat in, Sam out, Jo in, Al in; Dietary { guest: Pat }
            I'm not Pat           -> WrongPerson
            stop texting me       -> idle
            no thank you all      -> idle
            yes                   -> idle
            no                    -> idle
        "#]],
    );
}
