use std::{collections::BTreeSet, fmt::Write as _};

use chrono::{DateTime, NaiveDateTime, TimeDelta, Timelike, Utc};
use chrono_tz::Tz;
use expect_test::expect;
use proptest::prelude::*;

use super::*;
use crate::{
    address::{Address, Channel},
    model::{Event, GroupId, GuestId, Status},
    notice::Hours,
};

fn at(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

fn local(at: DateTime<Utc>, zone: Tz) -> String {
    at.with_timezone(&zone).format("%Y-%m-%d %H:%M%:z").to_string()
}

/// The times of a schedule from an instant on.
fn times(text: &str, zone: Tz, from: &str, count: usize) -> Vec<String> {
    let cron = Cron::read(text).unwrap();
    let mut now = at(from);
    let mut times = Vec::new();
    for _ in 0..count {
        now = cron.next_after(now, zone).unwrap();
        times.push(local(now, zone));
    }
    times
}

#[test]
fn a_schedule_over_both_clock_changes() {
    let mut table = String::new();
    for (text, zone, from, count) in [
        // Skipped: 02:00 to 03:00 in Berlin on 28 March, 01:00 to 02:00 in London.
        ("30 2 * * *", Tz::Europe__Berlin, "2027-03-27T00:00:00Z", 3),
        ("*/20 2 * * *", Tz::Europe__Berlin, "2027-03-27T12:00:00Z", 3),
        ("0 1 * * *", Tz::Europe__London, "2027-03-27T12:00:00Z", 2),
        // Repeated: 02:00 to 03:00 in Berlin on 31 October.
        ("30 2 * * *", Tz::Europe__Berlin, "2027-10-30T00:00:00Z", 3),
        ("0 * * * *", Tz::Europe__Berlin, "2027-10-30T23:30:00Z", 3),
        ("0 8 * * *", Tz::Asia__Shanghai, "2026-11-17T12:00:00Z", 2),
        // Lord Howe's clock changes by half an hour; Samoa left a day out.
        ("45 1 * * *", Tz::Australia__Lord_Howe, "2026-04-03T00:00:00Z", 3),
        ("0 12 * * *", Tz::Pacific__Apia, "2011-12-29T00:00:00Z", 3),
        ("0 8 * * 1-5", Tz::Europe__London, "2026-11-20T00:00:00Z", 3),
    ] {
        writeln!(table, "{text} in {zone}: {}", times(text, zone, from, count).join(", ")).unwrap();
    }
    expect![[r#"
        30 2 * * * in Europe/Berlin: 2027-03-27 02:30+01:00, 2027-03-28 03:00+02:00, 2027-03-29 02:30+02:00
        */20 2 * * * in Europe/Berlin: 2027-03-28 03:00+02:00, 2027-03-29 02:00+02:00, 2027-03-29 02:20+02:00
        0 1 * * * in Europe/London: 2027-03-28 02:00+01:00, 2027-03-29 01:00+01:00
        30 2 * * * in Europe/Berlin: 2027-10-30 02:30+02:00, 2027-10-31 02:30+02:00, 2027-11-01 02:30+01:00
        0 * * * * in Europe/Berlin: 2027-10-31 02:00+02:00, 2027-10-31 03:00+01:00, 2027-10-31 04:00+01:00
        0 8 * * * in Asia/Shanghai: 2026-11-18 08:00+08:00, 2026-11-19 08:00+08:00
        45 1 * * * in Australia/Lord_Howe: 2026-04-04 01:45+11:00, 2026-04-05 01:45+11:00, 2026-04-06 01:45+10:30
        0 12 * * * in Pacific/Apia: 2011-12-29 12:00-10:00, 2011-12-31 00:00+14:00, 2011-12-31 12:00+14:00
        0 8 * * 1-5 in Europe/London: 2026-11-20 08:00+00:00, 2026-11-23 08:00+00:00, 2026-11-24 08:00+00:00
    "#]]
    .assert_eq(&table);
}

#[test]
fn a_schedule_that_cannot_be_read_says_why() {
    for (text, why) in [
        ("0 8 * *", "has 4 fields"),
        ("0 25 * * *", "the hour \"25\" cannot be read"),
        ("0 8 * * 9", "the day of the week \"9\" cannot be read"),
        ("0 8 30 2 *", "never comes"),
        ("", "has 0 fields"),
    ] {
        let error = Cron::read(text).unwrap_err();
        assert!(error.contains(why), "{text}: {error}");
    }
}

const ZONES: [Tz; 8] = [
    Tz::Europe__London,
    Tz::Europe__Berlin,
    Tz::America__Chicago,
    Tz::America__St_Johns,
    Tz::Australia__Lord_Howe,
    Tz::Asia__Kathmandu,
    Tz::Africa__Cairo,
    Tz::UTC,
];

/// Every local minute of the days around, one after the other: those that fit, as instants, each once.
fn slow_times(minute: u32, hour: u32, from: DateTime<Utc>, zone: Tz) -> BTreeSet<DateTime<Utc>> {
    let start: NaiveDateTime = (from - TimeDelta::days(2)).naive_utc().with_second(0).unwrap();
    (0..6 * 24 * 60)
        .map(|minutes| start + TimeDelta::minutes(minutes))
        .filter(|local| local.minute() == minute && local.hour() == hour)
        .map(|local| crate::calendar::local_instant(local, zone))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_schedule_is_what_going_through_the_minutes_says(
        minute in 0_u32..60,
        hour in 0_u32..24,
        zone in prop::sample::select(&ZONES),
        day in 0_i64..365 * 12,
        second in 0_i64..86_400,
    ) {
        let from = at("2024-01-01T00:00:00Z") + TimeDelta::days(day) + TimeDelta::seconds(second);
        let cron = Cron::read(&format!("{minute} {hour} * * *")).unwrap();
        let slow = slow_times(minute, hour, from, zone);
        prop_assert_eq!(cron.next_after(from, zone), slow.range(from..).find(|time| **time > from).copied());
        prop_assert_eq!(cron.last_until(from, zone), slow.range(..=from).next_back().copied());
    }
}

fn event() -> Event {
    crate::conversation::tests::world::event("supper", "Harbour Supper")
}

#[test]
fn reminders_come_before_answers_close() {
    let show = |event: &Event| -> Vec<String> {
        let show = |it: &Reminder| {
            format!("{}: {} to {}", it.days, local(it.due, event.time_zone), local(it.until, event.time_zone))
        };
        reminders(event).iter().map(show).collect()
    };
    let mut supper = event();
    expect![[r#"
        [
            "14: 2026-11-06 10:00+00:00 to 2026-11-13 10:00+00:00",
            "7: 2026-11-13 10:00+00:00 to 2026-11-17 10:00+00:00",
            "3: 2026-11-17 10:00+00:00 to 2026-11-19 10:00+00:00",
            "1: 2026-11-19 10:00+00:00 to 2026-11-21 00:00+00:00",
        ]
    "#]]
    .assert_debug_eq(&show(&supper));
    // At an hour when the window is shut, they go on the same day while it is open.
    supper.reminders.at = chrono::NaiveTime::from_hms_opt(21, 0, 0).unwrap();
    supper.reminders.days = vec![1, 0];
    let late =
        ["1: 2026-11-19 19:00+00:00 to 2026-11-20 19:00+00:00", "0: 2026-11-20 19:00+00:00 to 2026-11-21 00:00+00:00"];
    assert_eq!(show(&supper), late);
    supper.reminders.at = chrono::NaiveTime::from_hms_opt(7, 30, 0).unwrap();
    let early =
        ["1: 2026-11-19 09:00+00:00 to 2026-11-20 09:00+00:00", "0: 2026-11-20 09:00+00:00 to 2026-11-21 00:00+00:00"];
    assert_eq!(show(&supper), early);
    supper.cancelled_at = Some(at("2026-11-01T00:00:00Z"));
    assert!(show(&supper).is_empty());
}

#[test]
fn of_missed_reminders_the_newest_goes_while_it_is_of_use() {
    let all = reminders(&event());
    let goes = |done: &str, now: &str| {
        let missed = missed(&all, at(done), at(now));
        (missed.goes.map(|reminder| reminder.days), missed.dropped)
    };
    assert_eq!(goes("2026-11-01T00:00:00Z", "2026-11-06T09:59:59Z"), (None, 0));
    assert_eq!(goes("2026-11-01T00:00:00Z", "2026-11-06T10:00:00Z"), (Some(14), 0));
    assert_eq!(goes("2026-11-06T10:00:00Z", "2026-11-13T09:59:59Z"), (None, 0), "done");
    assert_eq!(goes("2026-11-01T00:00:00Z", "2026-11-17T23:00:00Z"), (Some(3), 2), "three missed, one goes");
    assert_eq!(goes("2026-11-18T00:00:00Z", "2026-11-21T00:00:00Z"), (None, 1), "too late");
}

#[test]
fn the_day_before() {
    let mut supper = event();
    let shown = |event: &Event| day_before(event).map(|due| local(due, event.time_zone));
    assert_eq!(shown(&supper).as_deref(), Some("2026-11-27 10:00+00:00"));
    supper.time_zone = Tz::America__Chicago;
    assert_eq!(shown(&supper).as_deref(), Some("2026-11-27 10:00-06:00"));
    for (at, goes) in [(21, "2026-11-27 19:00-06:00"), (6, "2026-11-27 09:00-06:00")] {
        supper.reminders.at = chrono::NaiveTime::from_hms_opt(at, 0, 0).unwrap();
        assert_eq!(shown(&supper).as_deref(), Some(goes), "the day before, whatever the hour");
    }
    supper.reminders.day_before = false;
    assert_eq!(shown(&supper), None);
}

fn id(number: usize) -> GuestId {
    let mut id = [0; 12];
    id[11] = u8::try_from(number).unwrap();
    GuestId(id)
}

fn member(number: usize, group: Option<&str>) -> Member {
    Member {
        id: id(number),
        group: group.map(GroupId::from),
        status: Status::Pending,
        answered: None,
        last_login: None,
        phone: None,
    }
}

fn linked(guest: usize, chat: i64) -> (GuestId, Reach) {
    let reach =
        Reach { address: Address::telegram(chat), last_used: None, muted: false, opted_out: false, unreachable: false };
    (id(guest), reach)
}

fn outreach() -> Outreach {
    Outreach {
        channels: vec![Channel::Telegram, Channel::Sms],
        texts_from: Some("+447700900999".to_owned()),
        sms_fallback: true,
    }
}

/// `address: guests` of each message, and who is not reached.
fn shown(members: &[Member], links: Vec<(GuestId, Reach)>) -> String {
    shown_with(members, links, &[])
}

/// The same, where some phones may not be texted.
fn shown_with(members: &[Member], links: Vec<(GuestId, Reach)>, closed: &[(&str, WhyNot)]) -> String {
    let outreach = outreach();
    let mut book = to_address_book(links, &outreach);
    book.closed = closed.iter().filter_map(|(phone, why)| Some((outreach.phone(phone)?, *why))).collect();
    let plan = whom_to_write(members, &book, &outreach, |member| member.status == Status::Pending);
    let name = |guest: &GuestId| guest.0[11].to_string();
    let mut parts: Vec<String> = plan
        .messages
        .iter()
        .map(|it| format!("{}: {}", it.address.id, it.guests.iter().map(name).collect::<Vec<_>>().join("+")))
        .collect();
    parts.extend(plan.unreached.iter().map(|(guest, why)| format!("{} {why:?}", name(guest))));
    parts.join(", ")
}

#[test]
fn whom_a_reminder_goes_to() {
    let family = || [member(1, Some("P7")), member(2, Some("P7")), member(3, Some("P7"))];
    let answered = |mut members: [Member; 3], who: usize, by: usize, when: &str| {
        members[who - 1].status = Status::Coming;
        members[who - 1].answered = Some((at(when), id(by)));
        members
    };
    // Nobody was ever heard of.
    assert_eq!(shown(&family(), vec![]), "1 NoAddress, 2 NoAddress, 3 NoAddress");
    // Only the first is linked: one message about all.
    assert_eq!(shown(&family(), vec![linked(1, 71)]), "71: 1+2+3");
    // Everybody at their own address.
    assert_eq!(shown(&family(), vec![linked(1, 71), linked(2, 72), linked(3, 73)]), "71: 1, 72: 2, 73: 3");
    // The first two have answered: the last of them to answer is asked about the third.
    let both = answered(answered(family(), 1, 1, "2026-11-02T00:00:00Z"), 2, 2, "2026-11-01T00:00:00Z");
    assert_eq!(shown(&both, vec![linked(1, 71), linked(2, 72)]), "71: 3");
    let by_other = answered(answered(family(), 1, 2, "2026-11-02T00:00:00Z"), 2, 2, "2026-11-01T00:00:00Z");
    assert_eq!(shown(&by_other, vec![linked(1, 71), linked(2, 72)]), "72: 3");
    // Nobody has answered: whoever logged in last.
    let mut logged_in = family();
    logged_in[1].last_login = Some(at("2026-11-01T00:00:00Z"));
    assert_eq!(shown(&logged_in, vec![linked(1, 71), linked(2, 72)]), "71: 1, 72: 2+3");
    // A host entered the answers, and is in no group with them: whoever of the group is there is asked, or their phone.
    let mut entered = answered(answered(family(), 1, 9, "2026-11-02T00:00:00Z"), 2, 1, "2026-11-01T00:00:00Z").to_vec();
    entered.push(member(9, None));
    entered[3].status = Status::Coming;
    assert_eq!(shown(&entered, vec![linked(1, 71), linked(9, 79)]), "71: 3");
    assert_eq!(shown(&entered, vec![linked(9, 79)]), "3 NoAddress");
    entered[1].phone = Some("+447700900123".to_owned());
    assert_eq!(shown(&entered, vec![linked(9, 79)]), "+447700900123: 3");
    entered[2].phone = Some("+447700900124".to_owned());
    assert_eq!(shown(&entered, vec![linked(9, 79)]), "+447700900124: 3");
    // A couple with one phone, both logged in there: one message.
    assert_eq!(shown(&family()[..2], vec![linked(1, 71), linked(2, 71)]), "71: 1+2");
}

#[test]
fn whom_a_reminder_leaves_alone() {
    let one = || [member(1, None)];
    let with = |change: fn(&mut Reach)| {
        let mut link = linked(1, 71);
        change(&mut link.1);
        vec![link]
    };
    assert_eq!(shown(&one(), with(|it| it.muted = true)), "1 Muted");
    assert_eq!(shown(&one(), with(|it| it.opted_out = true)), "1 OptedOut");
    assert_eq!(shown(&one(), with(|it| it.unreachable = true)), "1 Blocked");
    let mut phone = one();
    phone[0].phone = Some("+447700900123".to_owned());
    assert_eq!(shown(&phone, vec![]), "+447700900123: 1");
    assert_eq!(shown(&phone, with(|it| it.unreachable = true)), "+447700900123: 1", "by SMS instead");
    assert_eq!(shown(&phone, with(|it| it.muted = true)), "1 Muted", "and not by SMS instead");
    let mut console = linked(1, 71);
    console.1.address = Address::console(Channel::Telegram, "anna");
    assert_eq!(shown(&one(), vec![console]), "1 NoAddress", "the terminal has its own");
    // Whoever has blocked us has somebody to speak for them.
    let mut blocked = linked(1, 71);
    blocked.1.unreachable = true;
    let couple = [member(1, Some("P7")), member(2, Some("P7"))];
    assert_eq!(shown(&couple, vec![blocked, linked(2, 72)]), "72: 1+2");
}

#[test]
fn a_phone_that_may_not_be_texted_is_not() {
    const PHONES: [&str; 2] = ["+447700900123", "+447700900124"];
    let mut couple = [member(1, Some("P7")), member(2, Some("P7"))];
    couple[0].phone = Some(PHONES[0].to_owned());
    for (why, of_one, of_couple) in [
        (WhyNot::OptedOut, "1 OptedOut", "+447700900124: 2, 1 OptedOut"),
        (WhyNot::Muted, "1 Muted", "+447700900124: 2, 1 Muted"),
        // Nobody is there: whoever can be asked about them is.
        (WhyNot::Blocked, "1 Blocked", "+447700900124: 1+2"),
    ] {
        let closed = [(PHONES[0], why)];
        assert_eq!(shown_with(&couple[..1], vec![], &closed), of_one);
        // Whoever is logged in speaks for both, as ever.
        assert_eq!(shown_with(&couple, vec![linked(2, 72)], &closed), "72: 1+2");
        // A companion without a phone is not asked about there either.
        let both = shown_with(&couple, vec![], &closed);
        assert_eq!(both, format!("1 {why:?}, 2 {why:?}"));
        let mut with_phones = couple.clone();
        with_phones[1].phone = Some(PHONES[1].to_owned());
        assert_eq!(shown_with(&with_phones, vec![], &closed), of_couple);
        let all = shown_with(&with_phones, vec![], &[(PHONES[0], why), (PHONES[1], WhyNot::OptedOut)]);
        assert_eq!(all, format!("1 {why:?}, 2 OptedOut"));
        // Nor instead of a chat that is blocked.
        let mut blocked = linked(1, 71);
        blocked.1.unreachable = true;
        assert_eq!(shown_with(&couple[..1], vec![blocked], &closed), of_one);
        // What only they need to know goes nowhere else.
        let book = AddressBook {
            closed: closed.iter().filter_map(|(phone, why)| Some((outreach().phone(phone)?, *why))).collect(),
            ..AddressBook::default()
        };
        let plan = whom_to_tell(&with_phones, &book, &outreach(), |member| member.id == id(1));
        assert_eq!((plan.messages, plan.unreached), (vec![], vec![(id(1), why)]));
    }
}

#[test]
fn whoever_could_only_be_written_to_after_the_deadline_is_told() {
    let mut supper = event();
    supper.rsvp_deadline = Some(at("2026-11-20T12:00:00Z"));
    let mut members = [member(1, None), member(2, None)];
    members[0].phone = Some("+81312345678".to_owned());
    members[1].phone = Some("+447700900123".to_owned());
    let plan = || whom_to_write(&members, &AddressBook::default(), &outreach(), |_| true);
    let late = |now: &str| without_those_too_late(plan(), &supper, &members, at(now)).unreached;
    // In Tokyo it is nine hours later.
    assert_eq!(late("2026-11-20T10:30:00Z"), vec![]);
    assert_eq!(late("2026-11-20T11:00:00Z"), [(id(1), WhyNot::TooLate)].to_vec());
    assert_eq!(late("2026-11-19T10:30:00Z"), vec![]);
    assert_eq!(late("2026-11-20T12:00:00Z"), vec![], "answers are closed");
}

#[derive(Debug, Clone)]
struct Facts {
    group: usize,
    status: usize,
    chat: Option<i64>,
    state: usize,
    has_phone: bool,
    answered: Option<i64>,
    by: usize,
}

fn facts() -> impl Strategy<Value = Facts> {
    (
        0_usize..4,
        0_usize..3,
        prop::option::of(0_i64..5),
        0_usize..6,
        any::<bool>(),
        prop::option::of(0_i64..9),
        0_usize..12,
    )
        .prop_map(|(group, status, chat, state, has_phone, answered, by)| Facts {
            group,
            status,
            chat,
            state,
            has_phone,
            answered,
            by,
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// Never twice, never to somebody who answered, never where it is not wanted; and nobody is forgotten.
    #[test]
    fn a_plan_writes_to_whom_it_should(all in prop::collection::vec(facts(), 1..12)) {
        let mut members = Vec::new();
        let mut links = Vec::new();
        for (number, facts) in all.iter().enumerate() {
            let group = (facts.group > 0).then(|| format!("g{}", facts.group));
            let mut member = member(number, group.as_deref());
            member.status = [Status::Pending, Status::Coming, Status::Declined][facts.status];
            member.phone = facts.has_phone.then(|| format!("+4477009001{number:02}"));
            if member.status != Status::Pending {
                let when = at("2026-11-01T00:00:00Z") + TimeDelta::hours(facts.answered.unwrap_or_default());
                member.answered = Some((when, id(facts.by)));
            }
            if let Some(chat) = facts.chat {
                let mut link = linked(number, chat);
                link.1.muted = facts.state == 1;
                link.1.opted_out = facts.state == 2;
                link.1.unreachable = facts.state == 3;
                links.push(link);
            }
            members.push(member);
        }
        let outreach = outreach();
        let mut book = to_address_book(links.clone(), &outreach);
        for (number, facts) in all.iter().enumerate().filter(|(_, facts)| facts.state > 3) {
            let why = if facts.state == 4 { WhyNot::OptedOut } else { WhyNot::Blocked };
            book.closed.extend(outreach.phone(&format!("+4477009001{number:02}")).map(|phone| (phone, why)));
        }
        let plan = whom_to_write(&members, &book, &outreach, |member| member.status == Status::Pending);
        let mut seen: Vec<GuestId> = plan.messages.iter().flat_map(|message| message.guests.clone()).collect();
        seen.extend(plan.unreached.iter().map(|(guest, _)| *guest));
        seen.sort_unstable();
        let mut pending: Vec<GuestId> =
            members.iter().filter(|it| it.status == Status::Pending).map(|it| it.id).collect();
        pending.sort_unstable();
        prop_assert_eq!(seen, pending, "each once, and nobody else");
        let addresses: BTreeSet<&Address> = plan.messages.iter().map(|message| &message.address).collect();
        prop_assert_eq!(addresses.len(), plan.messages.len(), "one message to an address");
        for message in &plan.messages {
            prop_assert!(!book.closed.contains_key(&message.address), "never where it is not wanted");
            for guest in &message.guests {
                let of = members.iter().find(|it| it.id == *guest).unwrap();
                let is_of_group = |other: &GuestId| {
                    let other = members.iter().find(|it| it.id == *other).unwrap();
                    other.id == of.id || of.group.is_some() && other.group == of.group
                };
                let by_link = links.iter().any(|(other, reach)| {
                    is_of_group(other) && reach.address == message.address
                        && !reach.muted && !reach.opted_out && !reach.unreachable
                });
                let by_phone = message.address.channel == Channel::Sms
                    && members.iter().any(|it| is_of_group(&it.id) && it.phone.as_ref() == Some(&message.address.id));
                prop_assert!(by_link || by_phone, "{:?}", message);
                let own = links.iter().find(|(other, _)| other == guest);
                if let Some((_, own)) = own {
                    prop_assert!(!own.muted && !own.opted_out);
                    let is_own = own.address == message.address;
                    prop_assert!(own.unreachable || is_own, "whoever has an address is asked there");
                }
            }
        }
    }

    /// Never outside the hours, never after the deadline, whatever the zone, the season and the settings.
    #[test]
    fn reminders_keep_to_the_hours(
        zone in prop::sample::select(&ZONES),
        day in 0_i64..365 * 6,
        minute in 0_i64..1440,
        hour in 0_u32..24,
        opens in 0_u32..22,
        length in 1_u32..10,
        days in prop::collection::vec(0_u32..40, 0..6),
    ) {
        let mut event = event();
        event.time_zone = zone;
        event.starts_at = at("2026-01-01T00:00:00Z") + TimeDelta::days(day) + TimeDelta::minutes(minute);
        event.rsvp_deadline = Some(event.starts_at - TimeDelta::days(3));
        event.reminders.days = days;
        event.reminders.at = chrono::NaiveTime::from_hms_opt(hour, 0, 0).unwrap();
        let time = |hour: u32| chrono::NaiveTime::from_hms_opt(hour.min(23), 30, 0).unwrap();
        event.reminders.window = crate::model::Window { opens: time(opens), closes: time((opens + length).min(23)) };
        prop_assume!(event.reminders.window.opens < event.reminders.window.closes);
        let all = reminders(&event);
        let hours: Hours = event.hours();
        let last_day = (event.closes_at() - TimeDelta::milliseconds(1)).with_timezone(&zone).date_naive();
        for reminder in &all {
            let before = last_day - reminder.due.with_timezone(&zone).date_naive();
            prop_assert_eq!(before.num_days(), i64::from(reminder.days), "on its day");
        }
        for pair in all.windows(2) {
            prop_assert!(pair[0].due < pair[1].due && pair[0].until == pair[1].due);
        }
        for reminder in &all {
            prop_assert!(reminder.due < event.closes_at() && reminder.until <= event.closes_at());
            prop_assert_eq!(hours.next_open(reminder.due), reminder.due);
        }
        // However far the clock jumps, one goes at most, and each is either done, sent or dropped.
        let (mut done, mut count) = (event.starts_at - TimeDelta::days(60), 0);
        let start = done;
        for step in 1..40 {
            let now = start + TimeDelta::hours(step * 37);
            let missed = missed(&all, done, now);
            if let Some(goes) = missed.goes {
                prop_assert!(done < goes.due && goes.due <= now && now < event.closes_at());
            }
            count += usize::from(missed.goes.is_some()) + missed.dropped;
            done = now;
        }
        prop_assert_eq!(count, all.iter().filter(|it| start < it.due && it.due <= done).count());
    }
}
