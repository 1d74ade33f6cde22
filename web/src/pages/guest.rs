//! One guest: answers, group, addresses, everything that happened, messages.

use std::collections::BTreeMap;

use app::RsvpError;
use askama::Template;
use axum::{
    extract::{Path, RawQuery, State},
    http::StatusCode,
};
use chrono::DateTime;
use domain::{
    activity::Activity,
    address::Address,
    answer::{Decision, MOST_DIETARY},
    model::{Event, Group, Guest, GuestId, Status},
    notice::Notice,
    rsvp::{MemberRequest, Refusal, Request},
    show,
};
use store::{Entry, Link};

use super::{
    Pages, deliveries,
    form::Fields,
    guests::{self, host_error},
    respond::{Frame, PageError, PageResult, Problem, page, refused, see_other},
    session::{Host, HostForm, SHOWN_AGAIN, Typed},
    words,
};

/// Messages that are shown, newest first.
const MOST_MESSAGES: usize = 50;

#[derive(Template)]
#[template(path = "guest.html")]
struct GuestPage {
    frame: Frame,
    guest: Guest,
    status_word: &'static str,
    who_comes: String,
    answered: String,
    invitation: String,
    group_version: u64,
    others: Vec<Other>,
    addresses: Vec<AddressRow>,
    news: Vec<Happened>,
    messages: Vec<MessageRow>,
    /// What the answer form holds.
    answer: AnswerForm,
    answer_error: String,
    /// Of the fields, by their names.
    answer_errors: BTreeMap<&'static str, String>,
    is_answer_shown: bool,
    is_open: bool,
}

/// Something wrong in the form of the answer: the field, and what to do.
type Wrong = (&'static str, String);

/// Somebody else of the group.
struct Other {
    id: String,
    name: String,
    status: &'static str,
    status_word: &'static str,
}

struct AddressRow {
    channel: &'static str,
    last_used: String,
    state: &'static str,
}

struct Happened {
    when: String,
    who: String,
    text: String,
}

struct MessageRow {
    when: String,
    channel: &'static str,
    text: String,
    state: String,
}

/// The answer of one record as a form holds it.
#[derive(Default)]
struct AnswerForm {
    comes: &'static str,
    companions: String,
    extra: String,
    dietary: String,
}

impl AnswerForm {
    fn of(guest: &Guest) -> Self {
        Self {
            comes: match guest.status {
                Status::Pending => "open",
                Status::Declined => "no",
                _ if guest.self_coming => "yes",
                _ => "companions",
            },
            // Whoever comes after all comes with everybody, unless the host says otherwise.
            companions: match guest.status {
                Status::Coming => guest.companions_coming,
                _ => guest.companions(),
            }
            .to_string(),
            extra: guest.extra_guests.to_string(),
            dietary: guest.dietary.clone(),
        }
    }

    fn typed(fields: &Fields) -> Self {
        let comes = ["open", "no", "yes", "companions"].into_iter().find(|word| *word == fields.text("comes"));
        Self {
            comes: comes.unwrap_or("open"),
            companions: fields.text("companions").to_owned(),
            extra: fields.text("extra").to_owned(),
            dietary: fields.text("dietary").to_owned(),
        }
    }

    fn request(&self, guest: &Guest) -> Result<Request, Vec<Wrong>> {
        let mut wrong = Vec::new();
        let mut number = |text: &str, field: &'static str, what: &str| match text {
            "" => 0,
            text => text.parse().unwrap_or_else(|_| {
                wrong.push((field, format!("{what}: write a whole number, such as 1.")));
                0
            }),
        };
        let companions: u32 = number(&self.companions, "companions", "Companions");
        let extra: u32 = number(&self.extra, "extra", "Extra people");
        if companions == 0 && wrong.is_empty() && self.comes == "companions" {
            wrong.push(("companions", "Say how many companions come.".to_owned()));
        }
        let comes = matches!(self.comes, "yes" | "companions");
        if extra > 0 && !comes {
            wrong.push(("extra", "Extra people can only come with somebody of this guest.".to_owned()));
        }
        if self.dietary.chars().count() > MOST_DIETARY {
            wrong.push(("dietary", format!("Dietary needs are at most {MOST_DIETARY} characters; shorten them.")));
        }
        if !wrong.is_empty() {
            return Err(wrong);
        }
        let decision = match self.comes {
            "yes" => Decision::Who { self_coming: true, companions },
            "companions" => Decision::Who { self_coming: false, companions },
            "no" => Decision::NOBODY,
            _ => Decision::LeaveOpen,
        };
        let member = MemberRequest { guest: guest.id, decision: Some(decision), dietary: Some(self.dietary.clone()) };
        // Extras are counted for the group; without a change those of others stay.
        let extra = (extra != guest.extra_guests).then_some(extra);
        Ok(Request::Members { members: vec![member], extra, confirmed: true })
    }
}

/// One guest.
pub async fn show(
    State(pages): State<Pages>,
    host: Host,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
) -> PageResult {
    let guest = find(&pages, &host, &id).await?;
    let done = Fields::parse(query.unwrap_or_default().as_bytes());
    let notice = match done.text("done") {
        "added" => format!("{} is on the list. The code is {}.", guest.full_name(), guest.token),
        "saved" => "Saved.".to_owned(),
        "answer" => "The answer is saved; the others of the group are told where they can be reached.".to_owned(),
        "codes" => format!("The new code is {}. Logins with the old one have ended.", guest.token),
        "none" => "Nothing was changed.".to_owned(),
        _ => String::new(),
    };
    let answer = AnswerForm::of(&guest);
    let mut shown = GuestPage::load(&pages, &host, guest, answer).await?;
    shown.frame.notice = match done.text("done") {
        "answer" if shown.others.is_empty() => "The answer is saved.".to_owned(),
        _ => notice,
    };
    page(&shown)
}

/// The guest whose id is in the address, if they are of the host's event.
///
/// # Errors
/// [`PageError::NotFound`].
pub async fn find(pages: &Pages, host: &Host, id: &str) -> Result<Guest, PageError> {
    let id: GuestId = id.parse().map_err(|_| PageError::NotFound)?;
    pages.web.app.guest_of(&host.event.id, id).await.map_err(host_error)
}

impl GuestPage {
    async fn load(pages: &Pages, host: &Host, guest: Guest, answer: AnswerForm) -> Result<Self, PageError> {
        let party = pages.web.app.store.party(guest.id).await?.ok_or(PageError::NotFound)?;
        let links = pages.web.app.store.links(&[guest.id]).await?;
        let mut entries = Vec::new();
        for link in &links {
            let sharers = sharers(pages, &link.address, guest.id).await?;
            let sent = pages.web.app.store.entries_to(&link.address).await?;
            let own = sent.into_iter().filter(|entry| concerns(entry, host, &party.group));
            entries.extend(own.map(|entry| (entry, sharers.clone())));
        }
        entries.sort_by_key(|(entry, _)| std::cmp::Reverse(entry.created_at));
        let activity = pages.web.app.store.activity(&host.event.id, DateTime::UNIX_EPOCH).await?;
        let names = pages.web.app.all_guests(&host.event.id).await?;
        let event = &host.event;
        Ok(Self {
            frame: host.frame(&guest.full_name(), "guests"),
            status_word: words::status(guest.status),
            who_comes: words::who_comes(&guest),
            answered: answered(&guest, &names, event),
            invitation: super::invitations::text(pages, &host.base, event, &guest),
            group_version: party.group.version,
            others: others(&party.group, &guest),
            addresses: links.iter().map(|link| address_row(link, event)).collect(),
            news: happened(&activity, &guest, &names, event),
            messages: entries
                .iter()
                .take(MOST_MESSAGES)
                .map(|(entry, sharers)| message_row(entry, sharers, host))
                .collect(),
            answer,
            answer_error: String::new(),
            answer_errors: BTreeMap::new(),
            is_answer_shown: false,
            is_open: event.is_open(pages.web.app.clock.now()),
            guest,
        })
    }
}

fn answered(guest: &Guest, names: &[Guest], event: &Event) -> String {
    let (Some(at), Some(by)) = (guest.rsvp_date, &guest.answered_by) else { return String::new() };
    let who = names.iter().find(|other| other.id == by.guest_id).map_or("somebody", Guest::short_name);
    format!("{}, by {who} ({})", words::moment(at, event.time_zone), words::channel(by.channel))
}

fn others(group: &Group, guest: &Guest) -> Vec<Other> {
    let others = group.members.iter().filter(|member| member.id != guest.id);
    let other = |member: &Guest| Other {
        id: member.id.to_string(),
        name: member.full_name(),
        status: member.status.as_str(),
        status_word: words::status(member.status),
    };
    others.map(other).collect()
}

fn address_row(link: &Link, event: &Event) -> AddressRow {
    AddressRow {
        channel: words::channel(link.address.shown_channel()),
        last_used: link.last_used.map_or_else(|| "not yet".to_owned(), |at| words::moment(at, event.time_zone)),
        state: match link {
            Link { opted_out: true, .. } => "wants no messages",
            Link { unreachable: true, .. } => "cannot be reached",
            Link { muted: true, .. } => "no reminders",
            _ => "",
        },
    }
}

fn happened(activity: &[Activity], guest: &Guest, names: &[Guest], event: &Event) -> Vec<Happened> {
    let own: Vec<&Activity> = activity.iter().filter(|activity| activity.guest_id == Some(guest.id)).collect();
    let happened = |(place, activity): (usize, &&Activity)| {
        let who = match activity.by.guest_id {
            Some(id) => names.iter().find(|other| other.id == id).map_or("somebody", Guest::short_name),
            None => "host",
        };
        let role = if activity.by.as_host && activity.by.guest_id.is_some() { ", as host" } else { "" };
        Happened {
            when: words::moment(activity.at, event.time_zone),
            who: format!("{who}{role}, {}", words::channel(activity.by.channel)),
            text: words::happening_after(own[..place].iter().copied(), activity),
        }
    };
    own.iter().enumerate().rev().map(happened).collect()
}

/// Whether a message may be about the guests of this group: one that we began says whom it is about.
fn concerns(entry: &Entry, host: &Host, group: &Group) -> bool {
    let Some(initiated) = &entry.initiated else { return true };
    let about = match &initiated.notice {
        Notice::AnsweredFor { guests, .. } => guests.as_slice(),
        notice => notice.to_guests().unwrap_or_default(),
    };
    initiated.event == host.event.id && (about.is_empty() || about.iter().any(|guest| group.member(*guest).is_some()))
}

/// The others who are logged in at this address.
async fn sharers(pages: &Pages, address: &Address, guest: GuestId) -> Result<Vec<Guest>, PageError> {
    let store = &pages.web.app.store;
    let logins = store.conversation(address).await?.map(|conversation| conversation.logins).unwrap_or_default();
    let mut sharers = Vec::new();
    for id in logins.into_iter().filter(|id| *id != guest) {
        sharers.extend(store.guest(id).await?);
    }
    Ok(sharers)
}

/// "shared with Ben Holloway"; of guests of other events, only that there are some.
fn shared(sharers: &[Guest], host: &Host) -> String {
    let (own, others): (Vec<&Guest>, Vec<&Guest>) = sharers.iter().partition(|guest| guest.event_id == host.event.id);
    let mut names: Vec<String> = own.into_iter().map(Guest::full_name).collect();
    if !others.is_empty() {
        names.push(words::count(others.len() as u64, "guest of another event", "guests of another event"));
    }
    if names.is_empty() { String::new() } else { format!(", to this address (shared with {})", names.join(", ")) }
}

fn message_row(entry: &Entry, sharers: &[Guest], host: &Host) -> MessageRow {
    MessageRow {
        when: words::moment(entry.created_at, host.event.time_zone),
        channel: words::channel(entry.address.shown_channel()),
        text: entry.text.as_ref().map_or_else(|| "(not written yet)".to_owned(), |text| show::plain(&text.text)),
        state: format!("{}{}", deliveries::state(entry), shared(sharers, host)),
    }
}

/// The host writes down an answer.
pub async fn answer(State(pages): State<Pages>, Path(id): Path<String>, form: Typed<Host>) -> PageResult {
    let Typed { by: host, fields, again } = form;
    let guest = find(&pages, &host, &id).await?;
    let typed = AnswerForm::typed(&fields);
    if let Some(status) = again {
        let mut shown = GuestPage::load(&pages, &host, guest, typed).await?;
        shown.frame.warning = SHOWN_AGAIN.to_owned();
        shown.is_answer_shown = true;
        return refused(status, &shown);
    }
    let outcome = match typed.request(&guest) {
        Err(wrong) => Err(wrong),
        Ok(request) => {
            let shown = fields.text("version").parse().unwrap_or_default();
            match pages.web.app.record_answer(guest.id, &request, shown, &host.actor()).await {
                Ok(()) => Ok(()),
                Err(RsvpError::Store(error)) => return Err(error.into()),
                Err(RsvpError::NoSuchGuest) => return Err(PageError::NotFound),
                Err(RsvpError::Contention) => return Err(PageError::Unavailable),
                Err(RsvpError::ChangedMeanwhile) => Err(vec![(ANSWER, "Somebody of this group has answered since you opened this page. The present answers are shown; yours is still in the form below. Save again if it still holds.".to_owned())]),
                Err(RsvpError::Refused(refusal)) => Err(vec![(field_of(&refusal), refusal_text(&refusal, &guest))]),
            }
        }
    };
    let Err(wrong) = outcome else {
        return Ok(see_other(&format!("/admin/guests/{}?done=answer", guest.id)));
    };
    let mut shown = GuestPage::load(&pages, &host, guest, typed).await?;
    shown.is_answer_shown = true;
    for (field, message) in wrong {
        shown.frame.problems.push(Problem { field: field.to_owned(), message: message.clone() });
        if field == ANSWER {
            shown.answer_error = message;
        } else {
            shown.answer_errors.insert(field, message);
        }
    }
    refused(StatusCode::CONFLICT, &shown)
}

/// The form of the answer as a whole.
const ANSWER: &str = "answer";

/// The field that a refusal is about.
fn field_of(refusal: &Refusal) -> &'static str {
    match refusal {
        Refusal::TooManyCompanions { .. } => "companions",
        Refusal::TooMany { .. } | Refusal::ExtrasAlone => "extra",
        Refusal::DietaryTooLong { .. } => "dietary",
        _ => ANSWER,
    }
}

/// Why an answer is not written down, for a host: the rules speak to guests and to programs.
fn refusal_text(refusal: &Refusal, guest: &Guest) -> String {
    match refusal {
        Refusal::TooManyCompanions { most, .. } => format!(
            "{} brings at most {}. Put the others under “Extra people of the group”.",
            guest.full_name(),
            words::count((*most).into(), "companion", "companions")
        ),
        Refusal::TooMany { most } => {
            format!("At most {most} people can come with this invitation; raise “People” first.")
        }
        refusal => sentence(&refusal.to_string()),
    }
}

/// A message of the rules as a sentence on a page.
#[must_use]
pub fn sentence(message: &str) -> String {
    let mut letters = message.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", letters.as_str())
}

/// Asks whether a new code is meant.
pub async fn new_code(State(pages): State<Pages>, Path(id): Path<String>, form: HostForm) -> PageResult {
    let id = find(&pages, &form.host, &id).await?.id.to_string();
    let back = format!("/admin/guests/{id}");
    let fields = Fields::of(&[("do", "codes"), ("guest", &id), ("here", &back)]);
    guests::ask(&pages, &form.host, &fields).await
}
