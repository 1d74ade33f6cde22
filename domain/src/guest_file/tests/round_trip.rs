use expect_test::expect;
use proptest::prelude::*;

use super::*;
use crate::{
    address::Channel,
    model::{AnsweredBy, Status},
    name,
};

#[test]
fn an_export() {
    let mut anna = guest(1, "K7QF2M", "Anna", "Holloway", Some("P7"));
    (anna.expected_guests, anna.status, anna.is_admin) = (2, Status::Coming, true);
    (anna.self_coming, anna.companions_coming, anna.extra_guests, anna.num_guests) = (true, 1, 1, 3);
    anna.dietary = "=nuts, \"fish\"".into();
    anna.phone = Some("+447700900123".into());
    anna.locale = Some("en".into());
    anna.notes = Some("=HYPERLINK(\"http://x.example\",\"menu\")".into());
    anna.rsvp_date = Some("2026-11-21T05:30:00Z".parse().unwrap());
    anna.answered_by =
        Some(AnsweredBy { guest_id: GuestId([9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2]), channel: Channel::Sms });
    let mut ben = guest(2, "B3NXXX", "Ben", "-Bo", None);
    ben.notes = Some("\t=1".into());
    let mut gone = guest(3, "G0NEXX", "", "'=Aho", None);
    gone.status = Status::Declined;
    gone.notes = Some("-".into());
    gone.answered_by = Some(AnsweredBy { guest_id: GuestId([7; 12]), channel: Channel::Cli });
    let file = String::from_utf8(write(&[anna, ben, gone], &event())).unwrap();
    assert!(file.starts_with("\u{feff}code,") && file.ends_with("\r\n"));
    expect![[r#"
        code,first_name,last_name,group,expected,phone,language,admin,notes,status,guests,dietary,extra,answered_at,answered_by
        K7QF2M,Anna,Holloway,P7,2,'+447700900123,en,yes,"'=HYPERLINK(""http://x.example"",""menu"")",coming,3,"'=nuts, ""fish""",1,2026-11-20T23:30:00-06:00,Ben -Bo (sms)
        B3NXXX,Ben,'-Bo,,1,,,,"'	=1",pending,0,,0,,
        G0NEXX,,''=Aho,,1,,,,'-,declined,0,,0,,(cli)
    "#]].assert_eq(&file.replace('\u{feff}', "").replace("\r\n", "\n"));
}

/// Text full of what breaks such files.
fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("=".to_owned()),
        Just("+".to_owned()),
        Just("-".to_owned()),
        Just("@".to_owned()),
        Just("'".to_owned()),
        Just("\"".to_owned()),
        Just(",".to_owned()),
        Just(";".to_owned()),
        Just("\t".to_owned()),
        Just("\r".to_owned()),
        Just("\n".to_owned()),
        Just(" ".to_owned()),
        Just("\u{a0}".to_owned()),
        Just("\u{200b}".to_owned()),
        Just("\u{feff}".to_owned()),
        Just("e\u{301}".to_owned()),
        "[a-zé🎉]{1,3}",
        any::<char>().prop_map(String::from),
    ];
    proptest::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat().replace('\0', ""))
}

fn hostile_guest(number: u8) -> impl Strategy<Value = Guest> {
    let texts = (hostile(), hostile(), proptest::option::of(hostile()), hostile(), proptest::option::of(hostile()));
    (texts, 1_u32..=50, any::<bool>(), any::<bool>()).prop_map(
        move |((first, last, group, dietary, notes), expected, is_admin, has_phone)| {
            let last = if name::fold(&last).is_empty() { format!("{last}Lund") } else { last };
            let mut guest = guest(number, &format!("CODE{number}"), &first, &last, None);
            guest.group_id = group.filter(|group| !name::clean(group).is_empty()).map(crate::model::GroupId);
            guest.dietary = dietary;
            guest.notes = notes.filter(|notes| !name::clean(notes).is_empty());
            guest.expected_guests = expected;
            guest.is_admin = is_admin;
            guest.phone = has_phone.then(|| "+447700900123".to_owned());
            guest
        },
    )
}

/// As the text would be stored if it came from a file.
fn cleaned(guest: &Guest) -> Guest {
    let mut guest = guest.clone();
    guest.first_name = name::clean(&guest.first_name);
    guest.last_name = name::clean(&guest.last_name);
    guest.group_id = guest.group_id.map(|group| crate::model::GroupId(name::clean(group.as_str())));
    guest
}

proptest! {
    #[test]
    fn importing_an_export_changes_nothing(guests in (hostile_guest(1), hostile_guest(2), hostile_guest(3))) {
        let guests = [guests.0, guests.1, guests.2];
        let file = write(&guests, &event());
        let sheet = read(&file, &BRITISH).map_err(|errors| TestCaseError::fail(lines(&errors)))?;
        let plan = plan(&sheet, &guests, &mut maker(), &event().id, now())
            .map_err(|errors| TestCaseError::fail(lines(&errors)))?;
        prop_assert_eq!(plan.preview(), Vec::<String>::new());
        prop_assert_eq!(plan.unchanged, 3);
        prop_assert_eq!(write(&imported(&guests, &file), &event()), file);
    }

    #[test]
    fn an_export_makes_the_same_list_elsewhere(guest in hostile_guest(1)) {
        let guest = cleaned(&guest);
        let file = write(std::slice::from_ref(&guest), &event());
        let there = imported(&[], &file);
        prop_assert_eq!(&there[0].notes, &guest.notes);
        prop_assert_eq!(&there[0].first_name, &guest.first_name);
        prop_assert_eq!(&there[0].phone, &guest.phone);
        let again = Guest { dietary: guest.dietary.clone(), ..there[0].clone() };
        prop_assert_eq!(String::from_utf8(write(&[again], &event())), String::from_utf8(file));
    }

    #[test]
    fn another_program_reads_the_same_cells_and_none_is_a_formula(guest in hostile_guest(1)) {
        let file = write(std::slice::from_ref(&guest), &event());
        let mut reader = csv::ReaderBuilder::new().from_reader(file.strip_prefix(b"\xef\xbb\xbf".as_slice()).unwrap());
        let records: Vec<_> = reader.records().collect::<Result<_, _>>().unwrap();
        prop_assert_eq!(records.len(), 1);
        for cell in &records[0] {
            prop_assert!(!cell.starts_with(['=', '+', '-', '@', '\t', '\r']), "{cell:?}");
        }
        let unguarded = |cell: &str| cell.strip_prefix('\'').unwrap_or(cell).to_owned();
        prop_assert_eq!(unguarded(&records[0][2]), guest.last_name);
        prop_assert_eq!(unguarded(&records[0][8]), guest.notes.unwrap_or_default());
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes: Vec<u8>, text in hostile()) {
        let _ = read(&bytes, &BRITISH);
        let _ = read(format!("last_name,group,notes\n{text}\n{text},{text},{text}").as_bytes(), &BRITISH);
    }
}
