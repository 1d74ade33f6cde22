//! Who is written to about whom, and where.

use std::collections::{BTreeMap, HashMap};

use chrono::{DateTime, Utc};

use crate::{
    address::{Address, Channel},
    model::{Event, GroupId, Guest, GuestId, Status},
};

/// What the plan needs to know of a guest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    pub id: GuestId,
    pub group: Option<GroupId>,
    pub status: Status,
    /// Who gave the present answer, and when.
    pub answered: Option<(DateTime<Utc>, GuestId)>,
    pub last_login: Option<DateTime<Utc>>,
    pub phone: Option<String>,
}

impl From<&Guest> for Member {
    fn from(guest: &Guest) -> Self {
        let by = guest.answered_by.as_ref().map_or(guest.id, |by| by.guest_id);
        Self {
            id: guest.id,
            group: guest.group_id.clone(),
            status: guest.status,
            answered: guest.rsvp_date.map(|at| (at, by)),
            last_login: guest.last_login,
            phone: guest.phone.clone(),
        }
    }
}

/// An address at which a guest is logged in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reach {
    pub address: Address,
    pub last_used: Option<DateTime<Utc>>,
    pub muted: bool,
    pub opted_out: bool,
    pub unreachable: bool,
}

impl Reach {
    /// Whether anything may be written there; `heeds_mute` where it is something that `mute` stops.
    #[must_use]
    pub fn is_open(&self, heeds_mute: bool) -> bool {
        !(self.opted_out || self.unreachable || heeds_mute && self.muted)
    }

    /// Why nothing that `mute` stops may be written there, if so.
    #[must_use]
    pub fn why_not(&self) -> Option<WhyNot> {
        match self {
            Self { opted_out: true, .. } => Some(WhyNot::OptedOut),
            Self { muted: true, .. } => Some(WhyNot::Muted),
            Self { unreachable: true, .. } => Some(WhyNot::Blocked),
            _ => None,
        }
    }
}

/// Puts the address that was used last first: there somebody is written to, if it is open.
pub fn last_used_first(reaches: &mut [Reach]) {
    reaches.sort_by(|one, other| (other.last_used, &other.address).cmp(&(one.last_used, &one.address)));
}

/// Which ways there are to write to people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outreach {
    /// Only addresses of these channels.
    pub channels: Vec<Channel>,
    /// Our number (or messaging service) that phones are written to from; without it nobody is whom we do not know by
    /// an address yet.
    pub texts_from: Option<String>,
    /// Whoever blocked the bot is texted where a phone is known.
    pub sms_fallback: bool,
}

impl Outreach {
    /// Where this phone is written to, if we can.
    #[must_use]
    pub fn phone(&self, phone: &str) -> Option<Address> {
        let ours = self.texts_from.as_deref().filter(|_| self.channels.contains(&Channel::Sms))?;
        Some(Address::sms(ours, phone))
    }
}

/// One message: about these guests (in the order of the list), to one address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    pub address: Address,
    pub guests: Vec<GuestId>,
}

/// Why nobody is written to about a guest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WhyNot {
    /// Neither they nor anybody in their group was ever heard of, and no phone is known.
    NoAddress,
    Muted,
    OptedOut,
    /// Blocked the bot, or the provider says that nobody is there.
    Blocked,
    /// When it may go in their hours of the day, it is of no use any more.
    TooLate,
}

/// What is to be sent, by address, and whom it does not reach.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plan {
    pub messages: Vec<Message>,
    pub unreached: Vec<(GuestId, WhyNot)>,
}

/// Where guests can be written to, and where not.
#[derive(Debug, Clone, Default)]
pub struct AddressBook {
    /// Where each guest is logged in; first where that was last used.
    pub logins: HashMap<GuestId, Vec<Reach>>,
    /// Of the phones of guests who are not logged in there, those that may not be texted.
    pub closed: HashMap<Address, WhyNot>,
}

impl AddressBook {
    /// The phone, if it may be texted.
    fn open_phone(&self, phone: Address) -> Result<Address, WhyNot> {
        match self.closed.get(&phone) {
            Some(why) => Err(*why),
            None => Ok(phone),
        }
    }
}

/// The addresses of a channel that the plan may use.
#[must_use]
pub fn to_address_book(links: impl IntoIterator<Item = (GuestId, Reach)>, outreach: &Outreach) -> AddressBook {
    let mut book = AddressBook::default();
    for (guest, reach) in links {
        if outreach.channels.contains(&reach.address.channel) {
            book.logins.entry(guest).or_default().push(reach);
        }
    }
    for reaches in book.logins.values_mut() {
        last_used_first(reaches);
    }
    book
}

/// Whom to write to about every guest who is wanted: at their own address; else at that of the member of their group who
/// answered last; else of the one who logged in last; else by a text to a phone. All that goes to one address is one message.
#[must_use]
pub fn whom_to_write(
    members: &[Member],
    book: &AddressBook,
    outreach: &Outreach,
    wanted: impl Fn(&Member) -> bool,
) -> Plan {
    let groups = Groups::of(members);
    collect(members.iter().filter(|member| wanted(member)).map(|member| {
        let spokesman = |why| groups.spokesman(member, members, book, outreach).map_err(|phone| phone.unwrap_or(why));
        let place = match own(member, book, outreach) {
            Ok(Some(address)) => Ok(address),
            Ok(None) => spokesman(WhyNot::NoAddress),
            Err(WhyNot::Blocked) => spokesman(WhyNot::Blocked),
            Err(why) => Err(why),
        };
        (member.id, place)
    }))
}

/// Where to tell each guest who is wanted something that only they need to know: their own address, or their phone.
#[must_use]
pub fn whom_to_tell(
    members: &[Member],
    book: &AddressBook,
    outreach: &Outreach,
    wanted: impl Fn(&Member) -> bool,
) -> Plan {
    collect(members.iter().filter(|member| wanted(member)).map(|member| {
        let place = own(member, book, outreach);
        let phone = || {
            let phone = member.phone.as_deref().and_then(|phone| outreach.phone(phone));
            book.open_phone(phone.ok_or(WhyNot::NoAddress)?)
        };
        (member.id, place.and_then(|place| place.map_or_else(phone, Ok)))
    }))
}

/// The plan at a time before answers close, without the messages that could only go afterwards in the hours of those
/// whom they are for.
#[must_use]
pub fn without_those_too_late(mut plan: Plan, event: &Event, members: &[Member], now: DateTime<Utc>) -> Plan {
    if !event.is_open(now) {
        return plan;
    }
    let phones: HashMap<GuestId, &str> =
        members.iter().filter_map(|member| Some((member.id, member.phone.as_deref()?))).collect();
    let is_in_time = |message: &Message| {
        let phones = message.guests.iter().filter_map(|guest| phones.get(guest).copied());
        event.hours_at(&message.address, phones).next_open(now) < event.closes_at()
    };
    let (in_time, late) = plan.messages.into_iter().partition(is_in_time);
    plan.messages = in_time;
    let late: Vec<Message> = late;
    plan.unreached.extend(late.into_iter().flat_map(|message| message.guests).map(|guest| (guest, WhyNot::TooLate)));
    plan
}

fn collect(places: impl Iterator<Item = (GuestId, Result<Address, WhyNot>)>) -> Plan {
    let mut by_address: BTreeMap<Address, Vec<GuestId>> = BTreeMap::new();
    let mut unreached = Vec::new();
    for (guest, place) in places {
        match place {
            Ok(address) => by_address.entry(address).or_default().push(guest),
            Err(why) => unreached.push((guest, why)),
        }
    }
    let messages = by_address.into_iter().map(|(address, guests)| Message { address, guests }).collect();
    Plan { messages, unreached }
}

/// The guest's own address; `None` where they never had one.
///
/// # Errors
/// Whoever muted us or opted out is left alone, wherever else they could be found.
fn own(member: &Member, book: &AddressBook, outreach: &Outreach) -> Result<Option<Address>, WhyNot> {
    let Some(reaches) = book.logins.get(&member.id).filter(|reaches| !reaches.is_empty()) else { return Ok(None) };
    if let Some(reach) = reaches.iter().find(|reach| reach.is_open(true)) {
        return Ok(Some(reach.address.clone()));
    }
    let any = |which: fn(&Reach) -> bool| reaches.iter().any(which);
    if any(|reach| reach.muted) {
        return Err(WhyNot::Muted);
    }
    if any(|reach| reach.opted_out) {
        return Err(WhyNot::OptedOut);
    }
    let phone = member.phone.as_deref().filter(|_| outreach.sms_fallback).and_then(|phone| outreach.phone(phone));
    match phone.filter(|phone| reaches.iter().all(|reach| reach.address != *phone)) {
        Some(phone) => book.open_phone(phone).map(Some),
        None => Err(WhyNot::Blocked),
    }
}

/// The members of each group, by place.
struct Groups<'a>(HashMap<&'a GroupId, Vec<usize>>);

impl<'a> Groups<'a> {
    fn of(members: &'a [Member]) -> Self {
        let mut groups: HashMap<&GroupId, Vec<usize>> = HashMap::new();
        for (place, member) in members.iter().enumerate() {
            if let Some(group) = &member.group {
                groups.entry(group).or_default().push(place);
            }
        }
        Self(groups)
    }

    /// Where to ask about somebody who has no address: whoever in the group speaks for them.
    ///
    /// # Errors
    /// Why no phone is texted, where there is one.
    fn spokesman<'b>(
        &self,
        about: &'b Member,
        members: &'b [Member],
        book: &AddressBook,
        outreach: &Outreach,
    ) -> Result<Address, Option<WhyNot>> {
        let group: Vec<&Member> = match about.group.as_ref().and_then(|group| self.0.get(group)) {
            Some(places) => places.iter().map(|place| &members[*place]).collect(),
            None => vec![about],
        };
        let open = |guest: GuestId| book.logins.get(&guest)?.iter().find(|reach| reach.is_open(true));
        // A host who entered an answer, or whoever has left the group, does not speak for it.
        let is_of_group = |guest: GuestId| group.iter().any(|member| member.id == guest);
        let answered = group.iter().filter_map(|member| {
            let (at, by) = member.answered.filter(|(_, by)| is_of_group(*by))?;
            Some((at, by, open(by)?))
        });
        let last_answered = answered.max_by_key(|(at, by, _)| (*at, *by)).map(|(_, _, reach)| reach);
        let last_logged_in = || {
            let logged_in = group.iter().filter_map(|member| Some((member, open(member.id)?)));
            let last = logged_in.max_by_key(|(member, reach)| (member.last_login.max(reach.last_used), member.id));
            last.map(|(_, reach)| reach)
        };
        if let Some(reach) = last_answered.or_else(last_logged_in) {
            return Ok(reach.address.clone());
        }
        // Whoever has an address that may not be used is not looked for by phone.
        let is_known = |member: &Member| book.logins.contains_key(&member.id);
        let phone = |member: &'b Member| member.phone.as_deref().filter(|_| !is_known(member));
        let open = |member: &&'b Member| Some(book.open_phone(outreach.phone(phone(member)?)?));
        let own = open(&about);
        // Their own phone first; whoever wants no texts there is left alone.
        let mut phones = match own {
            Some(Ok(phone)) => return Ok(phone),
            Some(Err(why)) if why != WhyNot::Blocked => return Err(Some(why)),
            own => own.into_iter().chain(group.iter().filter_map(open)).peekable(),
        };
        let why = phones.peek().and_then(|first| first.as_ref().err()).copied();
        phones.find_map(Result::ok).ok_or(why)
    }
}
