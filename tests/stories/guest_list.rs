//! The host's guest list, beside what guests have done meanwhile.

use app::command_line;
use chrono::TimeDelta;
use domain::guest_file::{self, ReadDefaults};

use crate::{
    fixtures::PHONE,
    world::{Setup, World},
};

async fn export(world: &World) -> Vec<u8> {
    let event = world.process.app.one_event(None).await.unwrap();
    guest_file::write(&world.guests().await, &event)
}

/// The first file again, with one name corrected: what guests have done stays done.
#[tokio::test]
async fn importing_again_keeps_what_guests_have_done() {
    let file = "code,first_name,last_name,group,phone\n\
                K7QF2M,Anna,Holloway,P7,\nB3NH4Z,Ben,Holloway,P7,\nC7E9HW,Cleo,Holoway,P7,+447700900125\n";
    let world = World::with(Setup { guests: file, ..Setup::default() }).await;
    let (anna, ben, cleo) = (world.telegram("anna"), world.phone("+447700900124"), world.phone("+447700900125"));
    anna.comes_in("K7QF2M Holloway").await;
    anna.says("all").await.skips(1);
    anna.says("vegan").await.skips(1);
    anna.says("none for any of us").await.skips(1);
    anna.says("yes").await.skips_all();
    ben.comes_in_after_answering("B3NH4Z Holloway").await;
    ben.texts("STOP").await;

    let corrected =
        "last_name;first_name;code;phone\nHolloway;Anna;K7QF2M;\nHolloway;Ben;B3NH4Z;\nHolloway;Cleo;C7E9HW;\n";
    let plan = world.import(corrected).await;
    assert_eq!((plan.created.len(), plan.updated.len(), plan.unchanged), (0, 1, 2));
    assert_eq!(world.answers("K7QF2M").await, "Anna coming \"vegan\", Ben coming, Cleo coming");
    assert_eq!(world.guest("C7E9HW").await.last_name, "Holloway");
    assert_eq!(world.guest("C7E9HW").await.phone.as_deref(), Some("+447700900125"));
    assert_eq!(world.guests().await.len(), 3);
    // Ben is still left alone, Anna still logged in.
    ben.texts("mine").await.sees_nothing_more();
    anna.says("status").await.sees("Anna: coming Ben: coming Cleo: coming");
    cleo.sees_nothing_more();
    // One more guest, and nobody is lost for not being in the file.
    let plan = world.import("code,last_name\nH4TR8W,Santos\n").await;
    assert_eq!((plan.created.len(), plan.updated.len()), (1, 0));
    assert_eq!(world.guests().await.len(), 4);
    world.finish().await;
}

/// What guests write stands in the export as they wrote it, opens safely, and comes back the same.
#[tokio::test]
async fn an_export_survives_the_round_trip() {
    let file = "code,first_name,last_name,group,phone,notes\n\
                K7QF2M,Anna,-Bo,P7,+447700900123,\"=HYPERLINK(\"\"http://x.example\"\",\"\"menu\"\")\"\n\
                B3NH4Z,Ben,'=Aho,P7,,\"line one\r\nline two\"\n";
    let world = World::with(Setup { guests: file, ..Setup::default() }).await;
    let anna = world.telegram("anna");
    anna.says("K7QF2M Bo").await.sees("Welcome, Anna!").skips(1);
    anna.says("all").await.skips(1);
    anna.says("=SUM(A1:A9)").await.sees("for Ben?");
    anna.says("\t=cmd, \"nuts\"").await.sees("Is this right?");
    anna.presses("Yes, save it").await.skips_all();

    let first = export(&world).await;
    let text = String::from_utf8(first.clone()).unwrap();
    for line in text.lines().skip(1) {
        assert!(
            !line.contains(",=") && !line.contains(",+") && !line.contains(",-") && !line.contains(",\"="),
            "{line}"
        );
    }
    let event = world.process.app.one_event(None).await.unwrap();
    let sheet = guest_file::read(&first, &ReadDefaults { region: Some("GB") }).unwrap();
    let plan = world.process.app.import_guests(&event.id, &sheet, &command_line()).await.unwrap();
    assert_eq!((plan.created.len(), plan.updated.len(), plan.unchanged), (0, 0, 2));
    assert_eq!(export(&world).await, first);
    let guests = world.guests().await;
    assert_eq!(guests[0].dietary, "=SUM(A1:A9)");
    assert_eq!(guests[1].dietary, "=cmd, \"nuts\"");
    world.finish().await;
}

/// However a host writes a number, it is the number that the guest writes from; but it is never who they are.
#[tokio::test]
async fn a_phone_number_is_no_identity() {
    let file = "code,last_name,phone\nK7QF2M,Holloway,07700 900123\nH4TR8W,Santos,+44 (0)7700 900123\n\
                P9DX3C,Santos,0044 7700 900123\nB8TAN7,Tanner,+44 7700-900123\n\
                M9STHE,Hart,+225 07 00 00 01 23\nM9STHF,Hart,+39 06 5550 0100\n";
    let world = World::with(Setup { guests: file, ..Setup::default() }).await;
    let phones: Vec<_> = world.guests().await.into_iter().map(|guest| guest.phone.unwrap()).collect();
    assert_eq!(phones, [PHONE, PHONE, PHONE, PHONE, "+2250700000123", "+390655500100"]);
    let phone = world.phone(PHONE);
    phone.texts("hello").await.sees("text your code and last name together");
    world.finish().await;
}

/// The host changes things while a guest is being asked: the guest hears of it before anything is overwritten.
#[tokio::test]
async fn the_host_changes_the_list_under_an_open_question() {
    let world = World::new().await;
    let anna = world.telegram("anna");
    anna.comes_in("K7QF2M Holloway").await;
    anna.presses("All 3").await.skips(1);
    // Ben brings somebody.
    world.import("code,last_name,expected\nB3NH4Z,Holloway,2\n").await;
    anna.presses("None for any of us").await.sees("Something has changed … How many of the 4 of you are coming?");
    anna.presses("All 4").await.skips(1);
    anna.presses("None for any of us").await.sees("4 people … Is this right?");
    // Cleo is invited by herself.
    world.import("code,last_name,group\nC7E9HW,Holloway,-\n").await;
    anna.presses("Yes, save it").await.sees("Something has changed … How many of the 3 of you are coming?");
    assert_eq!(world.answers("K7QF2M").await, "Anna pending, Ben pending");
    assert_eq!(world.answers("C7E9HW").await, "Cleo pending");
    world.finish().await;
}

/// A new code ends every login made with the old one, and those people are told.
#[tokio::test]
async fn a_new_code() {
    let world = World::new().await;
    let (anna, other) = (world.telegram("anna"), world.phone(PHONE));
    anna.comes_in("K7QF2M Holloway").await;
    other.comes_in("K7QF2M Holloway").await;
    world.pass(TimeDelta::seconds(2)).await;
    anna.sees("was just opened from another phone too");
    world.process.app.change_code(world.guest("K7QF2M").await.id, Some("NEWCDE23"), &command_line()).await.unwrap();
    world.pass(TimeDelta::seconds(5)).await;
    anna.sees("has a new code, so you are logged out here");
    other.sees("has a new code, so you are logged out here");
    anna.presses("All 3").await.sees("Please send your code and your last name");
    other.texts("K7QF2M Holloway").await.sees("No invitation has that code");
    other.comes_in("NEWCDE23 Holloway").await;
    world.finish().await;
}

/// A guest who is erased in mid-conversation, and one of a group of which somebody else is just confirming an answer.
#[tokio::test]
async fn guests_are_erased() {
    let world = World::new().await;
    let anna = world.telegram("anna");
    anna.comes_in("K7QF2M Holloway").await;
    anna.presses("All 3").await.skips(1);
    anna.presses("None for any of us").await.skips(1);
    world.process.app.erase_guest(world.guest("C7E9HW").await.id).await.unwrap();
    anna.presses("Yes, save it").await.sees("Something has changed … How many of the 2 of you are coming?");
    assert_eq!(world.answers("K7QF2M").await, "Anna pending, Ben pending", "that was another answer");
    anna.says("status").await.sees("Anna: no answer yet Ben: no answer yet").skips_all();

    let maria = world.phone(PHONE);
    maria.comes_in("H4TR8W Santos").await;
    world.process.app.erase_guest(world.guest("H4TR8W").await.id).await.unwrap();
    maria.texts("1").await.skips_all();
    maria.texts("H4TR8W Santos").await.sees("No invitation has that code");
    assert!(world.guests().await.iter().all(|guest| guest.token != "H4TR8W"));
    world.finish().await;
}
