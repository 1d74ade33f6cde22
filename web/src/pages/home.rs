//! The guests' page: who is invited to what, and the answer, for those who use neither Telegram nor texts.

mod readback;

use app::RsvpError;
use askama::Template;
use axum::{
    extract::{RawQuery, State},
    http::StatusCode,
    response::Response,
};
use domain::{
    activity::AnswerFacts,
    address::Channel,
    answer::{Decision, MOST_DIETARY},
    calendar,
    model::{Event, Guest, Status},
    rsvp::{MemberRequest, Refusal, Request},
};
use readback::{preview, read_back};

use super::{
    Pages, carried,
    entry::{self, LoginPage},
    form::Fields,
    guest::sentence,
    lost::Kept,
    respond::{Ended, Frame, PageError, PageResult, Problem, download, page, refused, see_other},
    session::{Invited, SHOWN_AGAIN, Typed, Visitor, VisitorForm},
    words,
};

#[derive(Template)]
#[template(path = "home.html")]
struct Home {
    frame: Frame,
    event: Event,
    event_lines: Vec<String>,
    deadline: String,
    until: String,
    is_open: bool,
    dietary_is_open: bool,
    is_alone: bool,
    party_size: u32,
    members: Vec<Member>,
    extra: String,
    extra_error: String,
    version: u64,
    error: String,
}

/// Something wrong in a field of the form.
struct Wrong {
    /// The field's `id`.
    field: String,
    message: String,
}

/// One record of the group, as the form holds it.
struct Member {
    id: String,
    name: String,
    is_me: bool,
    answer: String,
    comes: &'static str,
    most_companions: u32,
    companions: String,
    companions_error: String,
    dietary: String,
    dietary_error: String,
    error: String,
}

impl Member {
    fn of(guest: &Guest, me: &Guest) -> Self {
        Self {
            id: guest.id.to_string(),
            name: guest.full_name(),
            is_me: guest.id == me.id,
            answer: words::answer(&AnswerFacts::from(guest)),
            comes: match guest.status {
                Status::Pending => "open",
                Status::Declined => "no",
                _ if guest.self_coming => "yes",
                _ => "companions",
            },
            most_companions: guest.companions(),
            companions: if guest.status == Status::Coming { guest.companions_coming } else { guest.companions() }
                .to_string(),
            companions_error: String::new(),
            dietary: guest.dietary.clone(),
            dietary_error: String::new(),
            error: String::new(),
        }
    }

    /// What a form does not hold (it asks for less once answers are closed) stays.
    fn keep(&mut self, fields: &Fields) {
        let typed = |field: &str| {
            let name = format!("{field}-{}", self.id);
            fields.has(&name).then(|| fields.text(&name).to_owned())
        };
        let (comes, companions, dietary) = (typed("comes"), typed("companions"), typed("dietary"));
        if let Some(comes) = comes {
            self.comes = ["yes", "no", "companions"].into_iter().find(|word| *word == comes).unwrap_or("open");
        }
        self.companions = companions.unwrap_or_else(|| std::mem::take(&mut self.companions));
        self.dietary = dietary.unwrap_or_else(|| std::mem::take(&mut self.dietary));
    }

    /// Adds to `wrong` what cannot be meant.
    fn request(&self, guest: &Guest, is_open: bool, wrong: &mut Vec<Wrong>) -> MemberRequest {
        let mut blame = |field: &str, message: String| {
            wrong.push(Wrong { field: format!("{field}-{}", self.id), message });
        };
        let mut companions = || match (self.companions.as_str(), self.companions.parse::<u32>()) {
            ("", _) => 0,
            (_, Ok(companions)) if companions <= self.most_companions => companions,
            (_, Ok(_)) => {
                blame("companions", too_many_companions(guest.short_name(), self.most_companions));
                0
            }
            (_, Err(_)) => {
                blame("companions", format!("{}: write the number of companions as a number, such as 1.", self.name));
                0
            }
        };
        let decision = match self.comes {
            "yes" => Decision::Who { self_coming: true, companions: companions() },
            "companions" => Decision::Who { self_coming: false, companions: companions() },
            "no" => Decision::NOBODY,
            _ => Decision::LeaveOpen,
        };
        if self.dietary.chars().count() > MOST_DIETARY {
            blame(
                "dietary",
                format!("{}: dietary needs are at most {MOST_DIETARY} characters; please shorten them.", self.name),
            );
        }
        // What stays as it is, is not said. What changes is, after the deadline as well: it is refused by the rules,
        // or the guest would believe that it is saved.
        let stays = match decision {
            Decision::LeaveOpen => guest.status == Status::Pending,
            _ => !is_open && decision == present(guest),
        };
        MemberRequest {
            guest: guest.id,
            decision: Some(decision).filter(|_| !stays),
            dietary: Some(self.dietary.clone()),
        }
    }
}

/// The answer that stands.
fn present(guest: &Guest) -> Decision {
    match guest.status {
        Status::Pending => Decision::LeaveOpen,
        Status::Declined => Decision::NOBODY,
        Status::Coming | Status::Waitlisted => {
            Decision::Who { self_coming: guest.self_coming, companions: guest.companions_coming }
        }
    }
}

impl Home {
    fn new(pages: &Pages, invited: &Invited) -> Self {
        let now = pages.web.app.clock.now();
        let event = &invited.event;
        let members: Vec<Member> =
            invited.group.members.iter().map(|guest| Member::of(guest, &invited.guest)).collect();
        let extras: u32 = invited.group.members.iter().map(|guest| guest.extra_guests).sum();
        Self {
            frame: Frame {
                event: event.name.clone(),
                who: invited.guest.short_name().to_owned(),
                ..Frame::outside(&event.name, &invited.csrf)
            },
            event_lines: words::event_lines(event),
            deadline: words::deadline(event.closes_at(), event.time_zone),
            until: words::until(event.closes_at(), now, event.time_zone),
            is_open: event.is_open(now),
            dietary_is_open: event.dietary_is_open(now),
            is_alone: members.len() == 1,
            party_size: invited.group.party_size(),
            members,
            extra: extras.to_string(),
            extra_error: String::new(),
            version: invited.group.version,
            error: String::new(),
            event: event.clone(),
        }
    }

    /// Keeps what was typed; the quick buttons answer for all.
    fn keep(&mut self, fields: &Fields) {
        if fields.has("extra") {
            fields.text("extra").clone_into(&mut self.extra);
        }
        for member in &mut self.members {
            member.keep(fields);
            match fields.text("quick") {
                "all" => (member.comes, member.companions) = ("yes", member.most_companions.to_string()),
                "none" => member.comes = "no",
                _ => {}
            }
        }
        if !fields.text("quick").is_empty() {
            self.extra = "0".to_owned();
        }
    }

    /// Says why nothing is saved: at the field it is about, if it is about one, and above what stands.
    fn refuse(&mut self, refusal: &Refusal, invited: &Invited) -> PageResult {
        let message = refusal_text(refusal, invited);
        let field = match refusal {
            Refusal::TooManyCompanions { guest, .. } => format!("companions-{guest}"),
            Refusal::TooMany { .. } | Refusal::ExtrasAlone if self.extra != "0" => "extra".to_owned(),
            Refusal::DietaryTooLong { .. } => self.longest_needs(),
            _ => String::new(),
        };
        let status = if *refusal == Refusal::Closed {
            // It may have closed after this page was begun.
            self.is_open = false;
            StatusCode::CONFLICT
        } else {
            StatusCode::UNPROCESSABLE_ENTITY
        };
        self.blame(Wrong { field, message });
        refused(status, self)
    }

    /// The field of the dietary needs that are too long, where some are.
    fn longest_needs(&self) -> String {
        let longest = self.members.iter().max_by_key(|member| member.dietary.chars().count());
        longest.map(|member| format!("dietary-{}", member.id)).unwrap_or_default()
    }

    /// Puts a message next to the field it is about, and names it at the top.
    fn blame(&mut self, Wrong { field, message }: Wrong) {
        let of_member = |member: &&mut Member| field.ends_with(&format!("-{}", member.id));
        let place = match self.members.iter_mut().find(of_member) {
            Some(member) if field.starts_with("companions-") => &mut member.companions_error,
            Some(member) => &mut member.dietary_error,
            None if field == "extra" => &mut self.extra_error,
            None => &mut self.error,
        };
        place.clone_from(&message);
        if !field.is_empty() {
            self.frame.problems.push(Problem { field, message });
        }
    }

    fn request(&self, invited: &Invited, confirmed: bool) -> Result<Request, Vec<Wrong>> {
        let mut wrong = Vec::new();
        let members = self.members.iter().zip(&invited.group.members);
        let members = members.map(|(typed, guest)| typed.request(guest, self.is_open, &mut wrong)).collect();
        let extra = if self.extra.is_empty() { Ok(0) } else { self.extra.parse::<u32>() };
        let Ok(extra) = extra else {
            let message = "People beyond those named here: write a whole number, such as 1.".to_owned();
            wrong.push(Wrong { field: "extra".to_owned(), message });
            return Err(wrong);
        };
        let before: u32 = invited.group.members.iter().map(|guest| guest.extra_guests).sum();
        match wrong.is_empty() {
            true => Ok(Request::Members { members, extra: (extra != before).then_some(extra), confirmed }),
            false => Err(wrong),
        }
    }

    /// Marks who is left to be answered for, if this form says nothing; whether it does not.
    fn blame_silence(&mut self, before: &[Guest], after: &[Guest]) -> bool {
        let pairs = || before.iter().zip(after);
        let says_who = pairs().any(|(before, after)| {
            let facts = |guest: &Guest| AnswerFacts { dietary: String::new(), ..AnswerFacts::from(guest) };
            facts(before) != facts(after)
        });
        let says_needs = pairs().any(|(before, after)| before.dietary != after.dietary);
        let is_pending = |guest: &Guest| guest.status == Status::Pending;
        if says_who || (says_needs && !(self.is_open && after.iter().all(is_pending))) {
            return false;
        }
        if !self.is_open {
            self.error = "There is nothing to save: no dietary needs have changed.".to_owned();
            return true;
        }
        for (member, guest) in self.members.iter_mut().zip(after).filter(|(_, guest)| is_pending(guest)) {
            member.error = format!("Say whether {} is coming.", guest.short_name());
            let field = format!("who-{}", member.id);
            self.frame.problems.push(Problem { field, message: member.error.clone() });
        }
        !self.frame.problems.is_empty()
    }
}

/// The guest's page or, for a stranger, the way in.
pub async fn show(State(pages): State<Pages>, visitor: Visitor, RawQuery(query): RawQuery) -> PageResult {
    let query = Fields::parse(query.unwrap_or_default().as_bytes());
    let party = match &visitor.guest {
        Some(guest) => pages.web.app.store.party(guest.id).await?,
        None => None,
    };
    let code = query.text("code");
    if let Some(guest) = visitor.guest.as_ref().filter(|guest| is_of_another(code, guest)) {
        // On a phone that is passed around, or where a host tries the link of a guest.
        let mut shown = stranger(&pages, &visitor, "");
        shown.intro = format!(
            "This link is for another invitation than {}’s, which is open here. Write the last name on it to change to it.",
            guest.full_name()
        );
        code.clone_into(&mut shown.code);
        return Ok(visitor.greet(page(&shown)?));
    }
    let (Some(guest), Some(party)) = (&visitor.guest, party) else {
        let mut shown = stranger(&pages, &visitor, query.text("next"));
        code.clone_into(&mut shown.code);
        shown.frame.warning = Ended::notice(query.text("ended"));
        return Ok(visitor.greet(page(&shown)?));
    };
    let csrf = visitor.session_csrf.clone();
    let invited = Invited { guest: guest.clone(), group: party.group, event: party.event, csrf };
    let mut shown = Home::new(&pages, &invited);
    shown.frame.is_guest_host = guest.is_admin;
    if query.text("done") == "saved" {
        let more = match (shown.is_open, shown.dietary_is_open) {
            (true, _) => " You can change your answer until the deadline.",
            (false, true) => " Dietary needs may still change until the event starts.",
            (false, false) => "",
        };
        shown.frame.notice = format!("Saved. Thank you!{more}");
    }
    page(&shown)
}

fn is_of_another(code: &str, guest: &Guest) -> bool {
    !code.is_empty() && domain::code::key(code) != domain::code::key(&guest.token)
}

/// The way in.
#[must_use]
pub fn stranger(pages: &Pages, visitor: &Visitor, next: &str) -> LoginPage {
    let help = if pages.is_demo { " In this demo, the codes are those printed in the terminal." } else { "" };
    LoginPage {
        frame: Frame {
            can_try: pages.is_demo && pages.try_out.is_some(),
            ..Frame::outside("Your invitation", &visitor.csrf)
        },
        heading: "You are invited".to_owned(),
        intro: format!("Log in with the code on your invitation and your last name.{help}"),
        action: "/",
        code: String::new(),
        last_name: String::new(),
        next: super::session::own_path(next, "/"),
        error: String::new(),
        code_error: "",
        last_name_error: "",
        kept: None,
    }
}

/// A guest logs in.
pub async fn log_in(State(pages): State<Pages>, form: VisitorForm) -> PageResult {
    let mut shown = stranger(&pages, &form.visitor, form.fields.text("next"));
    shown.kept = Kept::of_login(&form.fields);
    match entry::check(&pages, &form, &mut shown).await? {
        Ok(guest) => entry::admit_from(&pages, &guest, &shown),
        Err(not_in) => shown.refused(&not_in),
    }
}

/// Where the answer is read back.
const ANSWER: &str = "/answer";

const CHANGED_MEANWHILE: &str = "Somebody in your group has answered since you opened this page. Look at the present answers, then save again if yours still holds.";

/// Reads the answer back or, once confirmed, saves it.
pub async fn answer(State(pages): State<Pages>, form: Typed<Invited>) -> PageResult {
    let Typed { by: invited, fields, again } = form;
    if let Some(status) = again {
        let mut shown = Home::new(&pages, &invited);
        if is_stale(&fields, &invited) {
            shown.error = CHANGED_MEANWHILE.to_owned();
        }
        shown.keep(&fields);
        shown.frame.warning = SHOWN_AGAIN.to_owned();
        return refused(status, &shown);
    }
    let shown = consider(&pages, &invited, &fields, fields.text("do") == "save").await?;
    Ok(carried::at_address(&pages, &invited.csrf, ANSWER, &fields, shown))
}

/// What was read back, for whoever comes back to it. Whoever has saved it is shown the present answer.
pub async fn look(State(pages): State<Pages>, invited: Invited, RawQuery(query): RawQuery) -> PageResult {
    let query = Fields::parse(query.unwrap_or_default().as_bytes());
    match carried::fields(&invited.csrf, ANSWER, &query) {
        Some(fields) if !(is_stale(&fields, &invited) && answered_last(&invited)) => {
            consider(&pages, &invited, &fields, false).await
        }
        _ => Ok(see_other("/")),
    }
}

/// Whether the last answer of the group is this guest's own.
fn answered_last(invited: &Invited) -> bool {
    let answered =
        invited.group.members.iter().filter_map(|guest| Some((guest.rsvp_date?, guest.answered_by.as_ref()?)));
    answered.max_by_key(|(at, _)| *at).is_some_and(|(_, by)| by.guest_id == invited.guest.id)
}

async fn consider(pages: &Pages, invited: &Invited, fields: &Fields, is_confirmed: bool) -> PageResult {
    let mut shown = Home::new(pages, invited);
    shown.keep(fields);
    let request = shown.request(invited, is_confirmed);
    let decided = request.as_ref().ok().map(|request| preview(pages, invited, request));
    // That answers are closed comes first: all else would ask for something that cannot be saved.
    if let Some(Err(refusal @ Refusal::Closed)) = &decided {
        return shown.refuse(refusal, invited);
    }
    if is_stale(fields, invited) {
        shown.error = CHANGED_MEANWHILE.to_owned();
        return refused(StatusCode::CONFLICT, &shown);
    }
    if fields.text("do") == "change" {
        return page(&shown);
    }
    let (request, preview) = match (request, decided) {
        (Ok(request), Some(Ok(preview))) => (request, preview),
        (_, Some(Err(refusal))) => return shown.refuse(&refusal, invited),
        (Err(wrong), _) => {
            wrong.into_iter().for_each(|wrong| shown.blame(wrong));
            return refused(StatusCode::UNPROCESSABLE_ENTITY, &shown);
        }
        (Ok(_), None) => return Err(PageError::Internal),
    };
    if shown.blame_silence(&invited.group.members, &preview.applied.members) {
        return refused(StatusCode::UNPROCESSABLE_ENTITY, &shown);
    }
    if !is_confirmed {
        return read_back(shown, preview);
    }
    let version = fields.text("version").parse().unwrap_or_default();
    match pages.web.app.save_rsvp(invited.guest.id, &request, Some(version), Channel::Web).await {
        Ok(_) => Ok(see_other("/?done=saved")),
        Err(RsvpError::Refused(refusal)) => shown.refuse(&refusal, invited),
        Err(RsvpError::ChangedMeanwhile) => {
            shown.error = CHANGED_MEANWHILE.to_owned();
            refused(StatusCode::CONFLICT, &shown)
        }
        Err(RsvpError::NoSuchGuest) => Err(PageError::NotFound),
        Err(RsvpError::Contention) => Err(PageError::Unavailable),
        Err(RsvpError::Store(error)) => Err(error.into()),
    }
}

/// Whether the form was made of other answers, or for other people, than there are now.
fn is_stale(fields: &Fields, invited: &Invited) -> bool {
    let of_others = |name: &str| {
        let id = name.strip_prefix("comes-").or_else(|| name.strip_prefix("dietary-"));
        id.is_some_and(|id| invited.group.members.iter().all(|guest| guest.id.to_string() != id))
    };
    let version: Option<u64> = fields.text("version").parse().ok();
    version.is_some_and(|version| version != invited.group.version) || fields.names().any(of_others)
}

fn refusal_text(refusal: &Refusal, invited: &Invited) -> String {
    match refusal {
        Refusal::Closed => {
            let contact =
                invited.event.host_contact.as_ref().map(|contact| format!(" Ask {contact}.")).unwrap_or_default();
            format!("Answers are closed: what you chose was not saved. Below is what stands.{contact}")
        }
        Refusal::TooManyCompanions { guest, most } => {
            too_many_companions(invited.group.member(*guest).map_or("Each of you", Guest::short_name), *most)
        }
        Refusal::ExtrasAlone => "Somebody of you has to come along with the others.".to_owned(),
        refusal => sentence(&refusal.to_string()),
    }
}

fn too_many_companions(name: &str, most: u32) -> String {
    let companions = words::count(most.into(), "companion", "companions");
    format!("{name} brings at most {companions}. Put the others under “Somebody more?”.")
}

/// The event for the guest's calendar.
pub async fn calendar(State(pages): State<Pages>, invited: Invited) -> Response {
    let file =
        calendar::calendar_file(&invited.event, pages.web.app.clock.now(), &pages.web.app.policy.calendar_domain);
    download(&file.name.clone(), &file.media_type.clone(), file.content)
}
