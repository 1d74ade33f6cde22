//! What guests write in everyday words, in the state in which they write it. Each row: the text, and what is asked
//! then ("?" where it was not understood and nothing changed).

use expect_test::{Expect, expect};

use super::world::{World, address, table};

/// Pat, Sam, Jo and Al: four people with a code each.
pub(super) fn four(script: &str) -> World {
    let mut world = World::new();
    world.add("Pat", "Hale", "P4THA7", Some("hale"), 1);
    world.add("Sam", "Hale", "S4MHA7", Some("hale"), 1);
    world.add("Jo", "Hale", "J4THA7", Some("hale"), 1);
    world.add("Al", "Hale", "A4THA7", Some("hale"), 1);
    world.play("pat: P4THA7 Hale");
    world.play(script);
    world
}

/// Sofia with two companions, and Nils.
fn sofia(script: &str) -> World {
    let mut world = World::new();
    world.add("Sofia", "Lind", "SF4LND", Some("lind"), 3);
    world.add("Nils", "Lind", "NL5LND", Some("lind"), 1);
    world.play("sofia: SF4LND Lind");
    world.play(script);
    world
}

/// Ann with two companions, Bob Reyes with one, Carl and Dora.
fn two_families(script: &str) -> World {
    let mut world = World::new();
    world.guests.retain(|guest| guest.first_name != "Bob");
    world.add("Ann", "Reyes", "ANN5RY", Some("reyes"), 3);
    world.add("Bob", "Reyes", "BXB6RY", Some("reyes"), 2);
    world.add("Carl", "Reyes", "CRL7RY", Some("reyes"), 1);
    world.add("Dora", "Reyes", "DRA8RY", Some("reyes"), 1);
    world.play("ann: ANN5RY Reyes");
    world.play(script);
    world
}

/// A couple.
fn zoe(script: &str) -> World {
    let mut world = World::new();
    world.add("Zoe", "Ward", "ZXE3WD", Some("ward"), 1);
    world.add("Kim", "Ward", "KXM4WD", Some("ward"), 1);
    world.play("zoe: ZXE3WD Ward");
    world.play(script);
    world
}

pub(super) fn maria(script: &str) -> World {
    let mut world = World::new();
    world.play("maria: H4TR8W Santos");
    world.play(script);
    world
}

pub(super) fn check(world: World, who: &str, texts: &str, expected: &Expect) {
    let texts = texts.lines().flat_map(|line| line.split(" | ")).map(str::trim).filter(|text| !text.is_empty());
    let before = world.conversations[&address(who)].clone();
    let rows = texts.map(|text| {
        let mut world = world.clone();
        world.play(&format!("{who}: {text}"));
        let after = &world.conversations[&address(who)];
        let noted = after.dialogue.draft.iter().flat_map(|draft| &draft.members);
        let noted: Vec<&str> = noted.filter_map(|member| member.dietary.as_deref()).collect();
        let noted = if noted.concat().is_empty() { String::new() } else { format!("; noted {noted:?}") };
        let outcome = if after.opted_out {
            "opted out".to_owned()
        } else if after.dialogue.misunderstood > 0 {
            assert_eq!(before.dialogue.draft, after.dialogue.draft, "{text}");
            "?".to_owned()
        } else if after.dialogue.open.is_some() && after.dialogue.asked == before.dialogue.asked {
            assert_eq!(before.dialogue.draft, after.dialogue.draft, "{text}");
            "the same again".to_owned()
        } else {
            world.described(&address(who)) + &noted
        };
        (text.to_owned(), outcome)
    });
    expected.assert_eq(&table(rows));
}

#[test]
fn nobody_or_only_you() {
    check(
        four("pat: none"),
        "pat",
        "we are all coming | all coming | everybody comes | I can | everyone can make it | we can come | I'm coming | all
         everyone | nobody | only me | just I can't | we can't | I can't come | thanks all | hi all | is everyone coming
         Sam is coming | we are 3 | no | yes | Sam and Jo are coming | 2 of us are coming",
        &expect![[r#"
            we are all coming     -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Pat }
            all coming            -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Pat }
            everybody comes       -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Pat }
            I can                 -> 1: Pat in, Sam ?, Jo ?, Al ?; Others
            everyone can make it  -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Pat }
            we can come           -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Pat }
            I'm coming            -> 1: Pat in, Sam ?, Jo ?, Al ?; Others
            all                   -> 0: Pat out, Sam out, Jo out, Al out; ReadBack
            everyone              -> 0: Pat out, Sam out, Jo out, Al out; ReadBack
            nobody                -> 0: Pat out, Sam out, Jo out, Al out; ReadBack
            only me               -> 0: Pat out, Sam untouched, Jo untouched, Al untouched; ReadBack
            just I can't          -> 0: Pat out, Sam untouched, Jo untouched, Al untouched; ReadBack
            we can't              -> 0: Pat out, Sam out, Jo out, Al out; ReadBack
            I can't come          -> 0: Pat out, Sam untouched, Jo untouched, Al untouched; ReadBack
            thanks all            -> the same again
            hi all                -> the same again
            is everyone coming    -> ?
            Sam is coming         -> 1: Pat ?, Sam ?, Jo ?, Al ?; WhoIsNotComing
            we are 3              -> 3: Pat ?, Sam ?, Jo ?, Al ?; WhoIsNotComing
            no                    -> 0: Pat out, Sam out, Jo out, Al out; ReadBack
            yes                   -> ?
            Sam and Jo are coming -> 2: Pat ?, Sam ?, Jo ?, Al ?; WhoIsNotComing
            2 of us are coming    -> 2: Pat ?, Sam ?, Jo ?, Al ?; WhoIsNotComing
        "#]],
    );
}

#[test]
fn little_english_says_no() {
    check(
        four(""),
        "pat",
        "no can do | no coming | no come | we no come | we no can come | no joining sorry | I no come | Sam no come
         no we can come | no all coming | no I can | no Sam is coming | no 4 | no 3 | no all | nope not coming
         no thank you all | no thanks everyone | sorry all | thanks all | hi all | hello everyone | hello everyone!
         thank you to everyone | love to all | love to you all | sorry to all | bye guys | hello there everybody | we'd love to all come | love to come, all of us
         Hi all, we are coming | hi all of us are coming | sorry all can't come | thanks, all | all thanks | all, thanks
         thank you all, we are 4 | dear all, no | hey everybody, all of us
         no just me | nope only me | No only me and Sam | no just Sam | No, only me and Sam | no, just me | no only 3
         not only me | no just the two of us",
        &expect![[r#"
            no can do                -> 0: Pat out, Sam out, Jo out, Al out; NobodyOrNotMe
            no coming                -> 0: Pat out, Sam out, Jo out, Al out; NobodyOrNotMe
            no come                  -> 0: Pat out, Sam out, Jo out, Al out; NobodyOrNotMe
            we no come               -> 0: Pat out, Sam out, Jo out, Al out; NobodyOrNotMe
            we no can come           -> 0: Pat out, Sam out, Jo out, Al out; NobodyOrNotMe
            no joining sorry         -> 0: Pat out, Sam out, Jo out, Al out; NobodyOrNotMe
            I no come                -> 0: Pat out, Sam untouched, Jo untouched, Al untouched; ReadBack
            Sam no come              -> 3: Pat in, Sam out, Jo in, Al in; Dietary { guest: Pat }
            no we can come           -> ?
            no all coming            -> ?
            no I can                 -> ?
            no Sam is coming         -> ?
            no 4                     -> ?
            no 3                     -> 3: Pat ?, Sam ?, Jo ?, Al ?; WhoIsNotComing
            no all                   -> ?
            nope not coming          -> 0: Pat out, Sam out, Jo out, Al out; NobodyOrNotMe
            no thank you all         -> 0: Pat out, Sam out, Jo out, Al out; NobodyOrNotMe
            no thanks everyone       -> 0: Pat out, Sam out, Jo out, Al out; NobodyOrNotMe
            sorry all                -> ?
            thanks all               -> the same again
            hi all                   -> the same again
            hello everyone           -> the same again
            hello everyone!          -> the same again
            thank you to everyone    -> the same again
            love to all              -> ?
            love to you all          -> ?
            sorry to all             -> ?
            bye guys                 -> the same again
            hello there everybody    -> the same again
            we'd love to all come    -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Pat }
            love to come, all of us  -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Pat }
            Hi all, we are coming    -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Pat }
            hi all of us are coming  -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Pat }
            sorry all can't come     -> 0: Pat out, Sam out, Jo out, Al out; NobodyOrNotMe
            thanks, all              -> the same again
            all thanks               -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Pat }
            all, thanks              -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Pat }
            thank you all, we are 4  -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Pat }
            dear all, no             -> 0: Pat out, Sam out, Jo out, Al out; NobodyOrNotMe
            hey everybody, all of us -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Pat }
            no just me               -> 1: Pat in, Sam ?, Jo ?, Al ?; Others
            nope only me             -> 1: Pat in, Sam ?, Jo ?, Al ?; Others
            No only me and Sam       -> 2: Pat in, Sam in, Jo out, Al out; Dietary { guest: Pat }
            no just Sam              -> 1: Pat out, Sam in, Jo out, Al out; Dietary { guest: Sam }
            No, only me and Sam      -> 2: Pat in, Sam in, Jo out, Al out; Dietary { guest: Pat }
            no, just me              -> 1: Pat in, Sam ?, Jo ?, Al ?; Others
            no only 3                -> 3: Pat ?, Sam ?, Jo ?, Al ?; WhoIsNotComing
            not only me              -> ?
            no just the two of us    -> 2: Pat ?, Sam ?, Jo ?, Al ?; WhoIsNotComing
        "#]],
    );
}

#[test]
fn people_who_are_not_mentioned() {
    check(
        four(""),
        "pat",
        "Pat yes, Sam no | Sam no, Jo yes, Al yes | Pat and Sam yes, Jo no | Sam can't come | maybe Sam | Sam maybe
         will check with Sam | need to check with Jo | Pat, Jo and Al yes, maybe Sam | we are 3, maybe Sam
         can we come | are you coming | is everyone coming | is Sam coming | will Sam come | may we come | we may come
         can come | will come | hi are you coming | so can we come | are we all coming | do we have to come
         without Sam | all of us but Sam | everyone is coming but Sam | all but Sam | all of us but Sam can't come
         all of us but not Sam | we are all coming but Sam and Jo are not",
        &expect![[r#"
            Pat yes, Sam no                          -> 1: Pat in, Sam out, Jo open, Al open; Dietary { guest: Pat }
            Sam no, Jo yes, Al yes                   -> 3: Pat in, Sam out, Jo in, Al in; Dietary { guest: Pat }
            Pat and Sam yes, Jo no                   -> 2: Pat in, Sam in, Jo out, Al open; Dietary { guest: Pat }
            Sam can't come                           -> 3: Pat in, Sam out, Jo in, Al in; Dietary { guest: Pat }
            maybe Sam                                -> the same again
            Sam maybe                                -> 3: Pat in, Sam open, Jo in, Al in; Dietary { guest: Pat }
            will check with Sam                      -> the same again
            need to check with Jo                    -> the same again
            Pat, Jo and Al yes, maybe Sam            -> 3: Pat in, Sam open, Jo in, Al in; Dietary { guest: Pat }
            we are 3, maybe Sam                      -> 3: Pat in, Sam open, Jo in, Al in; Dietary { guest: Pat }
            can we come                              -> ?
            are you coming                           -> ?
            is everyone coming                       -> ?
            is Sam coming                            -> ?
            will Sam come                            -> ?
            may we come                              -> ?
            we may come                              -> the same again
            can come                                 -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Pat }
            will come                                -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Pat }
            hi are you coming                        -> ?
            so can we come                           -> ?
            are we all coming                        -> ?
            do we have to come                       -> ?
            without Sam                              -> 3: Pat in, Sam out, Jo in, Al in; Dietary { guest: Pat }
            all of us but Sam                        -> 3: Pat in, Sam out, Jo in, Al in; Dietary { guest: Pat }
            everyone is coming but Sam               -> 3: Pat in, Sam out, Jo in, Al in; Dietary { guest: Pat }
            all but Sam                              -> 3: Pat in, Sam out, Jo in, Al in; Dietary { guest: Pat }
            all of us but Sam can't come             -> ?
            all of us but not Sam                    -> 3: Pat in, Sam out, Jo in, Al in; Dietary { guest: Pat }
            we are all coming but Sam and Jo are not -> 2: Pat in, Sam out, Jo out, Al in; Dietary { guest: Pat }
        "#]],
    );
}

#[test]
fn ways_to_say_yes_and_no() {
    check(
        four(""),
        "pat",
        "definitely not | of course not | absolutely not | not this time | I think so | ya | yesss | Noooo | nop
         3 ppl | 3 yes, 1 no | 3 yes, 2 no | yes, 4 | yes, 3 | yes no 3 | yes please | okay 👍 | 👌 | ✔️ | definitely not coming
         we are definitely not coming | Sam definitely not | yeees | sure not | cooool | yessir | yes we are all coming",
        &expect![[r#"
            definitely not               -> 0: Pat out, Sam out, Jo out, Al out; NobodyOrNotMe
            of course not                -> 0: Pat out, Sam out, Jo out, Al out; NobodyOrNotMe
            absolutely not               -> 0: Pat out, Sam out, Jo out, Al out; NobodyOrNotMe
            not this time                -> 0: Pat out, Sam out, Jo out, Al out; NobodyOrNotMe
            I think so                   -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Pat }
            ya                           -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Pat }
            yesss                        -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Pat }
            Noooo                        -> 0: Pat out, Sam out, Jo out, Al out; NobodyOrNotMe
            nop                          -> 0: Pat out, Sam out, Jo out, Al out; NobodyOrNotMe
            3 ppl                        -> 3: Pat ?, Sam ?, Jo ?, Al ?; WhoIsNotComing
            3 yes, 1 no                  -> 3: Pat ?, Sam ?, Jo ?, Al ?; WhoIsNotComing
            3 yes, 2 no                  -> ?
            yes, 4                       -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Pat }
            yes, 3                       -> 3: Pat ?, Sam ?, Jo ?, Al ?; WhoIsNotComing
            yes no 3                     -> ?
            yes please                   -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Pat }
            okay 👍                       -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Pat }
            👌                            -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Pat }
            ✔️                           -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Pat }
            definitely not coming        -> 0: Pat out, Sam out, Jo out, Al out; NobodyOrNotMe
            we are definitely not coming -> 0: Pat out, Sam out, Jo out, Al out; NobodyOrNotMe
            Sam definitely not           -> 3: Pat in, Sam out, Jo in, Al in; Dietary { guest: Pat }
            yeees                        -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Pat }
            sure not                     -> 0: Pat out, Sam out, Jo out, Al out; NobodyOrNotMe
            cooool                       -> the same again
            yessir                       -> ?
            yes we are all coming        -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Pat }
        "#]],
    );
}

#[test]
fn companions_in_everyday_words() {
    check(
        sofia(""),
        "sofia",
        "me and the kids | just the kids | without the kids | no kids | me, Nils and one kid | me + 2 | me + 1
         me and my husband | just my husband | the kids can't come | one kid can't come | me plus one | Nils and the kids
         Nils and me | only Nils | all the kids can't come | my son can't come | without my kids | all | the kids
         kids yes, Nils no | Sofia can't come | without Nils | everyone except the kids | me+2 kids | me, Nils and kids",
        &expect![[r#"
            me and the kids          -> 3: Sofia in +2, Nils out; Dietary { guest: Sofia }
            just the kids            -> 2: Sofia out +2, Nils out; Dietary { guest: Sofia }
            without the kids         -> 2: Sofia in, Nils in; Dietary { guest: Sofia }
            no kids                  -> 2: Sofia in, Nils in; Dietary { guest: Sofia }
            me, Nils and one kid     -> 3: Sofia in +1, Nils in; Dietary { guest: Sofia }
            me + 2                   -> 3: Sofia ?, Nils ?; WhoIsNotComing
            me + 1                   -> 2: Sofia ?, Nils ?; WhoIsNotComing
            me and my husband        -> 2: Sofia ?, Nils ?; WhoIsNotComing
            just my husband          -> ?
            the kids can't come      -> 2: Sofia in, Nils in; Dietary { guest: Sofia }
            one kid can't come       -> 3: Sofia in +1, Nils in; Dietary { guest: Sofia }
            me plus one              -> 2: Sofia ?, Nils ?; WhoIsNotComing
            Nils and the kids        -> ?
            Nils and me              -> ?
            only Nils                -> 1: Sofia out, Nils in; Dietary { guest: Nils }
            all the kids can't come  -> 2: Sofia in, Nils in; Dietary { guest: Sofia }
            my son can't come        -> 3: Sofia in +1, Nils in; Dietary { guest: Sofia }
            without my kids          -> 2: Sofia in, Nils in; Dietary { guest: Sofia }
            all                      -> 4: Sofia in +2, Nils in; Dietary { guest: Sofia }
            the kids                 -> ?
            kids yes, Nils no        -> 3: Sofia in +2, Nils out; Dietary { guest: Sofia }
            Sofia can't come         -> 1: Sofia out, Nils in; Dietary { guest: Nils }
            without Nils             -> 3: Sofia in +2, Nils out; Dietary { guest: Sofia }
            everyone except the kids -> 2: Sofia in, Nils in; Dietary { guest: Sofia }
            me+2 kids                -> 3: Sofia in +2, Nils out; Dietary { guest: Sofia }
            me, Nils and kids        -> 4: Sofia in +2, Nils in; Dietary { guest: Sofia }
        "#]],
    );
    check(
        two_families(""),
        "ann",
        "the kids can't come | without the kids | just my kids | Bob can't come | without Bob | everyone but Bob
         6 without Bob | 5, without Bob | Bob can't come but his kid can | Bob and Carl can't come | I can't come
         without Carl | Bob's kid can't come | Carl and Bob's kid can't come | everyone except me | me and my kids",
        &expect![[r#"
            the kids can't come            -> ?
            without the kids               -> ?
            just my kids                   -> 2: Ann out +2, Bob out, Carl out, Dora out; Dietary { guest: Ann }
            Bob can't come                 -> 5: Ann in +2, Bob out, Carl in, Dora in; Dietary { guest: Ann }
            without Bob                    -> 5: Ann in +2, Bob out, Carl in, Dora in; Dietary { guest: Ann }
            everyone but Bob               -> 5: Ann in +2, Bob out, Carl in, Dora in; Dietary { guest: Ann }
            6 without Bob                  -> 6: Ann in +2, Bob out +1, Carl in, Dora in; Dietary { guest: Ann }
            5, without Bob                 -> 5: Ann in +2, Bob out, Carl in, Dora in; Dietary { guest: Ann }
            Bob can't come but his kid can -> ?
            Bob and Carl can't come        -> 4: Ann in +2, Bob out, Carl out, Dora in; Dietary { guest: Ann }
            I can't come                   -> 0: Ann out, Bob untouched, Carl untouched, Dora untouched; ReadBack
            without Carl                   -> 6: Ann in +2, Bob in +1, Carl out, Dora in; Dietary { guest: Ann }
            Bob's kid can't come           -> 6: Ann in +2, Bob in, Carl in, Dora in; Dietary { guest: Ann }
            Carl and Bob's kid can't come  -> 5: Ann in +2, Bob in, Carl out, Dora in; Dietary { guest: Ann }
            everyone except me             -> 4: Ann out, Bob in +1, Carl in, Dora in; Dietary { guest: Bob }
            me and my kids                 -> 3: Ann in +2, Bob out, Carl out, Dora out; Dietary { guest: Ann }
        "#]],
    );
    check(
        zoe(""),
        "zoe",
        "me and my husband | just my wife | my wife can't come | both of us | me + 1 | me and kim | without my husband
         the kids can't come | my husband is coming | my husband and I | me + 2",
        &expect![[r#"
            me and my husband    -> 2: Zoe in, Kim in; Dietary { guest: Zoe }
            just my wife         -> 1: Zoe out, Kim in; Dietary { guest: Kim }
            my wife can't come   -> 1: Zoe in, Kim out; Dietary { guest: Zoe }
            both of us           -> 2: Zoe in, Kim in; Dietary { guest: Zoe }
            me + 1               -> 2: Zoe in, Kim in; Dietary { guest: Zoe }
            me and kim           -> 2: Zoe in, Kim in; Dietary { guest: Zoe }
            without my husband   -> 1: Zoe in, Kim out; Dietary { guest: Zoe }
            the kids can't come  -> ?
            my husband is coming -> 1: Zoe ?, Kim ?; WhoIsNotComing
            my husband and I     -> 2: Zoe in, Kim in; Dietary { guest: Zoe }
            me + 2               -> 3: Zoe in, Kim in; ConfirmExtras
        "#]],
    );
    check(
        maria(""),
        "maria",
        "me + 1 | me and my wife | my husband can't come | me plus 2",
        &expect![[r#"
        me + 1                -> 2: Maria in; ConfirmExtras
        me and my wife        -> 2: Maria in; ConfirmExtras
        my husband can't come -> ?
        me plus 2             -> 3: Maria in; ConfirmExtras
    "#]],
    );
}

#[test]
fn only_me_after_everybody_was_said_to_come() {
    let saved = "pat: all\npat: none for all\npat: yes";
    check(
        four(&format!("{saved}\npat: change")),
        "pat",
        "only me | ONLY ME | just me | I'm coming | [Only me] | only Sam | me",
        &expect![[r#"
            only me    -> 1: Pat in, Sam ?, Jo ?, Al ?; Others
            ONLY ME    -> 1: Pat in, Sam ?, Jo ?, Al ?; Others
            just me    -> 1: Pat in, Sam ?, Jo ?, Al ?; Others
            I'm coming -> 1: Pat in, Sam untouched, Jo untouched, Al untouched; Dietary { guest: Pat }
            [Only me]  -> 1: Pat in, Sam ?, Jo ?, Al ?; Others
            only Sam   -> 1: Pat out, Sam in, Jo out, Al out; Dietary { guest: Sam }
            me         -> 1: Pat in, Sam ?, Jo ?, Al ?; Others
        "#]],
    );
    check(
        four(saved),
        "pat",
        "only me | just me please | I'm coming | all of us | only me and Sam | Pat yes, Sam no | I can't come | cancel",
        &expect![[r#"
            only me         -> 1: Pat in, Sam ?, Jo ?, Al ?; Others
            just me please  -> 1: Pat in, Sam ?, Jo ?, Al ?; Others
            I'm coming      -> idle
            all of us       -> idle
            only me and Sam -> 2: Pat in, Sam in, Jo out, Al out; Dietary { guest: Pat }
            Pat yes, Sam no -> 3: Pat in, Sam out, Jo in, Al in; Dietary { guest: Pat }
            I can't come    -> 0: Pat out, Sam untouched, Jo untouched, Al untouched; ReadBack
            cancel          -> -: Pat ?, Sam ?, Jo ?, Al ?; HowMany
        "#]],
    );
}

#[test]
fn no_to_for_whom() {
    let mut world = four("pat: only me\npat: they answer themselves\npat: none\npat: yes");
    world.play("sam: S4MHA7 Hale");
    check(
        world,
        "sam",
        "no | nope | nobody | none | only me | everybody | no thanks | we are 3 | yes",
        &expect![[r#"
        no        -> ?
        nope      -> ?
        nobody    -> 0: Pat out, Sam out, Jo out, Al out; ChangeOthers
        none      -> 0: Pat out, Sam out, Jo out, Al out; ChangeOthers
        only me   -> -: Pat untouched, Sam ?, Jo untouched, Al untouched; HowMany
        everybody -> -: Pat ?, Sam ?, Jo ?, Al ?; HowMany
        no thanks -> ?
        we are 3  -> 3: Pat ?, Sam ?, Jo ?, Al ?; WhoIsNotComing
        yes       -> ?
    "#]],
    );
}

#[test]
fn several_are_named() {
    check(
        four(""),
        "pat",
        "me and Sam, not Jo | me but not Sam | me, no Sam | Sam, not Jo, not Al | me and Sam but Jo and Al can't
         Sam, Jo can't come | only Sam, not me | not Sam but Jo | I can come but Sam can't | I'm in, Sam is out
         Sam is coming with me | Sam alone | Sam only | yes for me, no for Sam | I cannot but Sam can | not all 4
         yes but | I'd like to come but | I'd love to but I can't | see you all there | no for all | all no | alll",
        &expect![[r#"
            me and Sam, not Jo             -> 2: Pat in, Sam in, Jo out, Al open; Dietary { guest: Pat }
            me but not Sam                 -> 1: Pat in, Sam out, Jo open, Al open; Dietary { guest: Pat }
            me, no Sam                     -> 1: Pat in, Sam out, Jo open, Al open; Dietary { guest: Pat }
            Sam, not Jo, not Al            -> 2: Pat in, Sam in, Jo out, Al out; Dietary { guest: Pat }
            me and Sam but Jo and Al can't -> 2: Pat in, Sam in, Jo out, Al out; Dietary { guest: Pat }
            Sam, Jo can't come             -> 2: Pat in, Sam out, Jo out, Al in; Dietary { guest: Pat }
            only Sam, not me               -> ?
            not Sam but Jo                 -> ?
            I can come but Sam can't       -> 1: Pat in, Sam out, Jo open, Al open; Dietary { guest: Pat }
            I'm in, Sam is out             -> 1: Pat in, Sam out, Jo open, Al open; Dietary { guest: Pat }
            Sam is coming with me          -> 2: Pat ?, Sam ?, Jo ?, Al ?; WhoIsNotComing
            Sam alone                      -> ?
            Sam only                       -> 1: Pat out, Sam in, Jo out, Al out; Dietary { guest: Sam }
            yes for me, no for Sam         -> 1: Pat in, Sam out, Jo open, Al open; Dietary { guest: Pat }
            I cannot but Sam can           -> ?
            not all 4                      -> ?
            yes but                        -> ?
            I'd like to come but           -> ?
            I'd love to but I can't        -> 0: Pat out, Sam untouched, Jo untouched, Al untouched; ReadBack
            see you all there              -> ?
            no for all                     -> ?
            all no                         -> ?
            alll                           -> 4: Pat in, Sam in, Jo in, Al in; Dietary { guest: Pat }
        "#]],
    );
    check(
        sofia(""),
        "sofia",
        "me and Nils but no kids | Nils and me, no kids | me but not the kids | me, but not Nils | 2 adults and 2 kids
         2 adults, 2 kids | Sofia can't come but the kids can | one kid comes and one kid can't | Nils yes, kids no
         Nils can't come and the kids | I come but no kids",
        &expect![[r#"
            me and Nils but no kids           -> 2: Sofia in, Nils in; Dietary { guest: Sofia }
            Nils and me, no kids              -> 2: Sofia in, Nils in; Dietary { guest: Sofia }
            me but not the kids               -> 1: Sofia in, Nils open; Dietary { guest: Sofia }
            me, but not Nils                  -> 3: Sofia in +2, Nils out; Dietary { guest: Sofia }
            2 adults and 2 kids               -> ?
            2 adults, 2 kids                  -> ?
            Sofia can't come but the kids can -> 2: Sofia out +2, Nils open; Dietary { guest: Sofia }
            one kid comes and one kid can't   -> ?
            Nils yes, kids no                 -> 2: Sofia in, Nils in; Dietary { guest: Sofia }
            Nils can't come and the kids      -> ?
            I come but no kids                -> 1: Sofia in, Nils open; Dietary { guest: Sofia }
        "#]],
    );
}
