//! Codes and names as people type them.

use chrono::TimeDelta;

use crate::{
    fixtures::PHONE,
    world::{Setup, World},
};

const PEOPLE: &str = "\
code,first_name,last_name
QSHAUG22,Orla,O'Shaughnessy
QFAWLW23,Rosa,Fairweather-Holloway
QNUNEZ24,Luz,Núñez
QMUWWR25,Jan,Müller
QGRSSS26,Uta,Groß
QYNCEE27,Ece,İnce
QHWWAY28,Anna,Holloway
QBERGG29,Eva,van der Berg
K7QF2M,Ben,Holloway
";

#[tokio::test]
async fn last_names_in_every_spelling() {
    let table = [
        (
            "QSHAUG22",
            "O'Shaughnessy O’Shaughnessy OShaughnessy o_shaughnessy O`Shaughnessy O_Shaughnessy",
            "Shaughness Oshea",
        ),
        (
            "QFAWLW23",
            "fairweather_holloway FAIRWEATHERHOLLOWAY Fairweather–Holloway Fairweather-Holloway",
            "Holloway Fairweather Fairwether-Holloway",
        ),
        ("QNUNEZ24", "Núñez Nu\u{301}n\u{303}ez Nunez NUÑEZ", "Nuñes Nunezz"),
        ("QMUWWR25", "Müller Muller Mueller MÜLLER Mu\u{308}ller", "Miller Moeller"),
        ("QGRSSS26", "Groß GROSS GROẞ gross", "Gros Grosz"),
        ("QYNCEE27", "İnce ince INCE ınce", "Unce Inc"),
        (
            "QHWWAY28",
            "Holloway Holloway_🎉 Holloway⚓\u{fe0f} Hollo\u{ad}way Holloway\u{a0} \u{200b}Holloway",
            "🎉 Hollow Holloways",
        ),
        ("QBERGG29", "van_der_Berg Van_Der_Berg vanderberg", "der"),
    ];
    let world = World::with(Setup { guests: PEOPLE, ..Setup::default() }).await;
    let stored = world.guests().await;
    let mut number = 100;
    for (code, right, wrong) in table {
        let stored = &stored.iter().find(|guest| guest.token == code).unwrap().last_name;
        for (typed, fits) in right.split(' ').map(|name| (name, true)).chain(wrong.split(' ').map(|name| (name, false)))
        {
            number += 1;
            let phone = world.phone(&format!("+447700901{number}"));
            let text = format!("{code} {}", typed.replace('_', " "));
            phone.texts(&text).await;
            let answer = phone.messages().remove(0);
            assert_eq!(answer.starts_with("Welcome"), fits, "{text} for {stored}: {answer}");
        }
    }
    // What is shown is the stored spelling.
    let luz = world.telegram("anna");
    luz.says("QNUNEZ24 nunez").await.skips_all();
    luz.says("logout").await.sees("Luz Núñez");
    world.ignore_the_rest().await;
}

#[tokio::test]
async fn codes_in_every_shape() {
    let world = World::with(Setup { guests: PEOPLE, ..Setup::default() }).await;
    let shapes = [
        ("k7qf2m holloway", true),
        ("K7QF-2M Holloway", true),
        ("K7QF2M, HOLLOWAY", true),
        ("K7QF2M\nHolloway", true),
        ("k7qf-2m, HOLLOWAY", true),
        ("Code: K7QF2M Holloway", true),
        ("Holloway K7QF2M", true),
        ("  K7QF2M   Holloway. ", true),
        ("K7QFZM Holloway", false),
        ("K7QF2M", false),
        ("Holloway", false),
        ("Ben Holloway", false),
    ];
    for (number, (text, fits)) in shapes.into_iter().enumerate() {
        let phone = world.phone(&format!("+4477009025{number:02}"));
        phone.texts(text).await;
        assert_eq!(phone.messages()[0].starts_with("Welcome"), fits, "{text}: {}", phone.messages()[0]);
    }
    world.ignore_the_rest().await;
}

/// Each code leads to its own record; a name alone leads nowhere, and does not tell how many bear it.
#[tokio::test]
async fn two_people_with_the_same_name() {
    let world = World::new().await;
    let (first, second) = (world.phone("+447700900201"), world.telegram("bob"));
    first.comes_in("H4TR8W Santos").await;
    second.comes_in("P9DX3C Santos").await;
    first.texts("1").await.skips(1);
    first.texts("vegan").await.skips(1);
    first.texts("1").await.sees("Saved");
    second.says("no").await.sees("Maria: not coming");
    second.presses("Yes, save it").await.sees("Saved");
    assert_eq!(world.answers("H4TR8W").await, "Maria coming \"vegan\"");
    assert_eq!(world.answers("P9DX3C").await, "Maria declined");
    for text in ["Santos", "Maria Santos"] {
        let stranger = world.telegram("stranger");
        stranger.says(text).await.sees("Please send your code and your last name in one message");
    }
    world.finish().await;
}

/// Guessing: the same words whatever was wrong, then a pause; nobody else is held up.
#[tokio::test]
async fn guessing_codes() {
    let world = World::new().await;
    let stranger = world.telegram("stranger");
    let wrong = "I cannot find an invitation with that code and last name … all parts of it.";
    for guess in ["AAAAAA Holloway", "K7QF2M Wrong", "AAAAAB Wrong", "H4TR8W Holloway"] {
        stranger.says(guess).await.sees(wrong);
    }
    for number in 0..46 {
        stranger.says(&format!("AAAA{}{} Holloway", char::from(b'A' + number / 8), number % 8 + 2)).await;
        stranger.sees("please wait a minute");
    }
    // Not even the right pair, and it does not tell that it was right.
    stranger.says("K7QF2M Holloway").await.sees("please wait a minute");
    world.telegram("anna").comes_in("K7QF2M Holloway").await;
    world.advance(TimeDelta::seconds(61));
    stranger.says("K7QF2M Holloway").await.sees("Welcome, Anna!").skips(1);
    world.pass(TimeDelta::seconds(2)).await;
    world.telegram("anna").sees("Anna Holloway's invitation (Harbour Supper) was just opened from another");
    world.finish().await;
}

/// Guesses from many phones slow down whoever is not known yet, and nobody else.
#[tokio::test]
async fn guessing_from_many_phones() {
    let world = World::new().await;
    let anna = world.phone(PHONE);
    anna.comes_in("K7QF2M Holloway").await;
    world.courier_rests();
    for number in 0..100 {
        world.phone(&format!("+4477009050{number:02}")).texts("AAAAAA Holloway").await;
    }
    world.courier_works().await;
    let newcomer = world.telegram("bob");
    newcomer.says("B8TAN7 Tanner").await.sees("try again in a minute");
    anna.texts("all").await.sees("dietary needs");
    anna.texts("B8TAN7 Tanner").await.sees("Welcome, Bob!").skips(1);
    world.advance(TimeDelta::seconds(61));
    newcomer.says("B8TAN7 Tanner").await.sees("Welcome, Bob!").skips(1);
    world.ignore_the_rest().await;
}
