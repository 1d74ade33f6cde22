use super::*;
use crate::{
    address::Channel,
    event_settings,
    model::{Event, GroupKey},
};

/// The group of Anna, Ben and Bob with two children; answers close on the 20th at midnight, the event is on the 28th.
struct World {
    event: Event,
    group: Group,
    now: DateTime<Utc>,
}

const OPEN: &str = "2026-11-02T10:00:00Z";
const CLOSED: &str = "2026-11-21T00:00:00Z";
const STARTED: &str = "2026-11-28T18:00:00Z";

fn id(number: u8) -> GuestId {
    GuestId([number; 12])
}

fn world(sizes: &[u32]) -> World {
    let pairs = [
        ("name", "Harbour Supper"),
        ("starts_at", "2026-11-28T18:00"),
        ("time_zone", "Europe/London"),
        ("rsvp_deadline", "2026-11-20"),
    ];
    let pairs: Vec<_> = pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    let event = event_settings::apply(None, &pairs, None, DateTime::UNIX_EPOCH).unwrap();
    let guest = |(number, expected): (u8, &u32)| {
        let mut guest = Guest::new(id(number), event.id.clone(), "Doe".into(), "K7QF2M".into(), DateTime::UNIX_EPOCH);
        guest.expected_guests = *expected;
        guest
    };
    let members = (1..).zip(sizes).map(guest).collect();
    World {
        group: Group { key: GroupKey("e/g/doe".to_owned()), version: 3, members },
        event,
        now: OPEN.parse().unwrap(),
    }
}

impl World {
    fn at(mut self, now: &str) -> Self {
        self.now = now.parse().unwrap();
        self
    }

    /// What the first member asks for.
    fn decide(&self, request: &Request) -> Result<(Answer, Applied), Refusal> {
        let party = Party { me: &self.group.members[0], group: &self.group, event: &self.event };
        decide(&party, request, &AnsweredBy { guest_id: id(1), channel: Channel::Web }, self.now)
    }

    /// Each record as `self companions extras` (`-` for declined, `?` for open), then the head count.
    #[track_caller]
    fn shows(&self, request: &Request, expected: &str) {
        let shown = match self.decide(request) {
            Ok((_, applied)) => shown(&applied.members),
            Err(refusal) => refusal.to_string(),
        };
        assert_eq!(shown, expected);
    }

    fn saved(mut self, request: &Request) -> Self {
        self.group.members = self.decide(request).unwrap().1.members;
        self
    }
}

fn shown(members: &[Guest]) -> String {
    let record = |guest: &Guest| match guest.status {
        Status::Pending => "?".to_owned(),
        Status::Declined => "-".to_owned(),
        _ => format!("{}+{}+{}", u8::from(guest.self_coming), guest.companions_coming, guest.extra_guests),
    };
    let records: Vec<String> = members.iter().map(record).collect();
    let coming: u32 = members.iter().map(|guest| guest.num_guests).sum();
    format!("{} = {coming}", records.join(" "))
}

fn count(count: u32) -> Request {
    Request::Count { count, dietary: None, others: None }
}

fn for_group(count: u32, others: Others) -> Request {
    Request::Count { count, dietary: None, others: Some(others) }
}

fn with_dietary(count: u32, text: &str) -> Request {
    Request::Count { count, dietary: Some(text.to_owned()), others: None }
}

fn who(self_coming: bool, companions: u32) -> Option<Decision> {
    Some(Decision::Who { self_coming, companions })
}

fn members(decided: &[(u8, Option<Decision>)], extra: Option<u32>, confirmed: bool) -> Request {
    let member = |(number, decision): &(u8, Option<Decision>)| MemberRequest {
        guest: id(*number),
        decision: *decision,
        dietary: None,
    };
    Request::Members { members: decided.iter().map(member).collect(), extra, confirmed }
}

#[test]
fn a_guest_alone_says_a_number() {
    let bob = world(&[3]);
    bob.shows(&count(3), "1+2+0 = 3");
    bob.shows(&count(1), "1+0+0 = 1");
    bob.shows(&count(0), "- = 0");
    bob.shows(&count(5), "1+2+2 = 5");
    bob.shows(&count(24), "at most 23 people can be announced here; talk to the host about more");
    bob.shows(&count(u32::MAX), "at most 23 people can be announced here; talk to the host about more");
}

#[test]
fn a_group_says_a_number_that_says_who() {
    let group = world(&[1, 1, 3]);
    group.shows(&count(5), "1+0+0 1+0+0 1+2+0 = 5");
    group.shows(&count(0), "- ? ? = 0");
    for other in [1, 2, 4, 6] {
        group.shows(&count(other), &format!("expected 5 but you said {other}; say who is coming"));
    }
    group.shows(&for_group(7, Others::Coming), "1+0+2 1+0+0 1+2+0 = 7");
    group.shows(&for_group(5, Others::Coming), "1+0+0 1+0+0 1+2+0 = 5");
    group.shows(&for_group(4, Others::Coming), "expected 5 but you said 4; say who is coming");
    group.shows(&for_group(0, Others::Coming), "expected 5 but you said 0; say who is coming");
    group.shows(&for_group(26, Others::Coming), "at most 25 people can be announced here; talk to the host about more");
    group.shows(&for_group(1, Others::Declined), "1+0+0 - - = 1");
    group.shows(&for_group(2, Others::Declined), "1+0+1 - - = 2");
    group.shows(&for_group(0, Others::Declined), "- - - = 0");
}

#[test]
fn members_are_named_and_the_others_stay() {
    let group = world(&[1, 1, 3]).saved(&members(&[(2, who(true, 0))], None, false));
    group.shows(&members(&[(3, who(false, 2))], None, false), "? 1+0+0 0+2+0 = 3");
    group.shows(&members(&[], None, false), "? 1+0+0 ? = 1");
    group.shows(&members(&[(1, who(true, 0)), (3, Some(Decision::LeaveOpen))], None, false), "1+0+0 1+0+0 ? = 2");
    group.shows(&members(&[(3, who(true, 3))], None, false), &format!("guest {} brings at most 2 companions", id(3)));
    group.shows(&members(&[(9, who(true, 0))], None, false), &format!("guest {} is not in your group", id(9)));
    let twice = members(&[(1, who(true, 0)), (1, Some(Decision::NOBODY))], None, false);
    group.shows(&twice, &format!("guest {} is named twice", id(1)));
}

#[test]
fn what_a_conversation_would_ask_about_has_to_be_confirmed() {
    let mut group = world(&[1, 1]).saved(&members(&[(2, who(true, 0))], None, false));
    // Ben said so himself.
    group.group.members[1].answered_by = Some(AnsweredBy { guest_id: id(2), channel: Channel::Telegram });
    let change = |confirmed| members(&[(1, who(true, 0)), (2, Some(Decision::NOBODY))], Some(2), confirmed);
    let Err(Refusal::Confirm(changes)) = group.decide(&change(false)) else { panic!("it must be confirmed") };
    assert!(matches!(&changes[..], [Change::AnswerOf { before, after }, Change::Extras { before: 0, after: 2 }]
        if before.id == id(2) && after.status == Status::Declined));
    group.shows(&change(true), "1+0+2 - = 3");
    // The same again changes nothing for him, and extras that are there already are no news.
    let group = group.saved(&change(true));
    group.shows(&change(false), "1+0+2 - = 3");
    group.shows(&members(&[], Some(1), false), "1+0+1 - = 2");
    assert!(matches!(group.decide(&members(&[], Some(3), false)), Err(Refusal::Confirm(_))));
}

#[test]
fn nobody_comes_by_extras_alone() {
    let group = world(&[1, 1]);
    group.shows(&members(&[(1, Some(Decision::NOBODY))], Some(2), true), "nobody comes by extras alone");
    group.shows(&members(&[], Some(21), true), "at most 22 people can be announced here; talk to the host about more");
    let group = group.saved(&members(&[(1, who(true, 0)), (2, who(true, 0))], Some(2), true));
    group.shows(&count(0), "- 1+0+2 = 3");
}

#[test]
fn dietary_needs_are_kept_per_record() {
    let group = world(&[1, 1]).saved(&with_dietary(2, "  vegan\nno nuts "));
    let dietary = |world: &World| world.group.members.iter().map(|guest| guest.dietary.clone()).collect::<Vec<_>>();
    assert_eq!(dietary(&group), ["vegan\nno nuts", ""]);
    let group = group.saved(&count(2));
    assert_eq!(dietary(&group), ["vegan\nno nuts", ""], "what is not said stays");
    let request = Request::Members {
        members: vec![MemberRequest { guest: id(2), decision: None, dietary: Some("fish".to_owned()) }],
        extra: None,
        confirmed: false,
    };
    assert_eq!(dietary(&group.saved(&request)), ["vegan\nno nuts", "fish"]);
    world(&[1]).shows(&with_dietary(1, &"x".repeat(501)), "dietary needs are 501 characters long; shorten them to 500");
}

/// The deadline is checked when an answer is saved, not when the form was shown.
#[test]
fn after_the_deadline_only_dietary_needs_change() {
    let closed = world(&[1, 1, 3]).saved(&for_group(1, Others::Declined)).at(CLOSED);
    for request in
        [count(5), count(0), for_group(5, Others::Coming), members(&[(2, who(true, 0))], None, true), count(4)]
    {
        closed.shows(&request, "answers are closed");
    }
    // The form is filled with the present head count, which is not the party size.
    assert_eq!(closed.decide(&with_dietary(1, "vegan")).unwrap().1.members[0].dietary, "vegan");
    closed.shows(&for_group(1, Others::Declined), "1+0+0 - - = 1");
    closed.shows(&with_dietary(2, "vegan"), "answers are closed");
    let pending = world(&[1, 1]).at(CLOSED);
    assert_eq!(pending.decide(&with_dietary(0, "vegan")).unwrap().1.members[0].status, Status::Pending);
    closed.at(STARTED).shows(&with_dietary(1, "vegan"), "answers are closed");
}

#[test]
fn the_last_moment_is_still_good() {
    world(&[1]).at("2026-11-20T23:59:59.999Z").shows(&count(1), "1+0+0 = 1");
    world(&[1]).at(CLOSED).shows(&count(1), "answers are closed");
}

#[test]
fn answers_to_a_cancelled_event_are_closed() {
    let mut cancelled = world(&[1]);
    cancelled.event.cancelled_at = Some(cancelled.now);
    cancelled.shows(&count(1), "answers are closed");
}
