//! Adding, changing and deleting a guest.

use app::HostError;
use askama::Template;
use axum::{
    extract::{Path, RawQuery, State},
    http::StatusCode,
};
use domain::{
    guest_file::{Column, LineError, ReadDefaults, Row, namesakes, read_cells},
    model::{Event, Guest, GuestId, Version},
};

use super::{
    Pages, carried,
    form::Fields,
    groups,
    guest::{find, sentence},
    guests::host_error,
    respond::{Frame, PageError, PageResult, Problem, page, refused, see_other},
    session::{Host, HostForm, SHOWN_AGAIN, Typed},
    settings::{normal, theirs},
    words,
};

/// A text field of the form.
#[derive(Debug, Clone)]
struct Field {
    name: &'static str,
    label: &'static str,
    hint: &'static str,
    value: String,
    /// What the form showed when it was opened: the form brings it back, and so tells what was touched.
    was: String,
    error: String,
    /// What another host saved meanwhile, where that differs.
    theirs: String,
}

#[derive(Template)]
#[template(path = "guest_form.html")]
struct GuestForm {
    frame: Frame,
    action: String,
    back: String,
    is_new: bool,
    version: Version,
    fields: Vec<Field>,
    groups: Vec<String>,
    group: String,
    new_group: String,
    group_error: String,
    was_group: String,
    is_admin: bool,
    was_admin: &'static str,
    admin_error: String,
    error: String,
    /// Who is there already and may be the same.
    alike: Vec<Alike>,
    /// Their ids: saving all the same is about them.
    sure: String,
}

/// Somebody who may be the one that is being added.
struct Alike {
    link: String,
    name: String,
    about: String,
}

const TEXT_FIELDS: [(Column, &str, &str); 6] = [
    (Column::FirstName, "First name", ""),
    (Column::LastName, "Last name", "As it stands on the invitation: guests log in with it."),
    (Column::Expected, "People", "How many this invitation stands for, companions included."),
    (Column::Phone, "Phone", "For text messages; with the country code, or as dialled at home."),
    (Column::Language, "Language", "Such as en or sv; blank for the event’s own."),
    (Column::Notes, "Notes", "Only hosts see them."),
];

/// Where a host says how phone numbers are read.
const SETTING: &str = "the country of phone numbers under Settings (for example GB)";

fn stored(column: Column, guest: &Guest) -> String {
    match column {
        Column::FirstName => guest.first_name.clone(),
        Column::LastName => guest.last_name.clone(),
        Column::Expected => guest.expected_guests.to_string(),
        Column::Phone => guest.phone.clone().unwrap_or_default(),
        Column::Language => guest.locale.clone().unwrap_or_default(),
        Column::Notes => guest.notes.clone().unwrap_or_default(),
        Column::Code | Column::Group | Column::Admin => String::new(),
    }
}

impl GuestForm {
    async fn new(pages: &Pages, host: &Host, guest: Option<&Guest>) -> Result<Self, PageError> {
        let field = |(column, label, hint): (Column, &'static str, &'static str)| {
            let value = guest.map_or_else(
                || if column == Column::Expected { "1".to_owned() } else { String::new() },
                |guest| stored(column, guest),
            );
            let (name, error, theirs) = (column.as_str(), String::new(), String::new());
            Field { name, label, hint, was: value.clone(), value, error, theirs }
        };
        let group = guest.map(group_of).unwrap_or_default();
        let is_admin = guest.is_some_and(|guest| guest.is_admin);
        let (title, action, back) = match guest {
            None => ("Add a guest".to_owned(), "/admin/guests/new".to_owned(), "/admin/guests".to_owned()),
            Some(guest) => {
                let own = format!("/admin/guests/{}", guest.id);
                (format!("Edit {}", guest.full_name()), format!("{own}/edit"), own)
            }
        };
        Ok(Self {
            frame: host.frame(&title, "guests"),
            action,
            back,
            is_new: guest.is_none(),
            version: guest.map_or(0, |guest| guest.version),
            fields: TEXT_FIELDS.into_iter().map(field).collect(),
            groups: groups::names_of(&pages.web.app.all_guests(&host.event.id).await?),
            was_group: group.clone(),
            group,
            new_group: String::new(),
            group_error: String::new(),
            is_admin,
            was_admin: yes_or_no(is_admin),
            admin_error: String::new(),
            error: String::new(),
            alike: Vec::new(),
            sure: String::new(),
        })
    }

    /// Names those who are there already.
    fn warn(&mut self, alike: &[&Guest], row: &Row) {
        self.sure = alike.iter().map(|guest| guest.id.to_string()).collect::<Vec<_>>().join(" ");
        for guest in alike {
            let has_same_phone = row.phone.set().is_some() && row.phone.set() == guest.phone.as_ref();
            let group = guest.group_id.as_ref().map(|group| format!(", {group}")).unwrap_or_default();
            let (field, label, what) = if has_same_phone {
                ("phone", "Phone", "the same phone")
            } else {
                ("last_name", "Last name", "the same name")
            };
            self.frame.problems.push(Problem::of(field, label, &format!("{} is there already", guest.full_name())));
            self.alike.push(Alike {
                link: format!("/admin/guests/{}", guest.id),
                name: guest.full_name(),
                about: format!("{what}{group}, {}", words::status(guest.status)),
            });
        }
    }

    /// Keeps what was typed.
    fn keep(&mut self, typed: &Fields) {
        for field in &mut self.fields {
            typed.text(field.name).clone_into(&mut field.value);
            typed.text(&format!("was-{}", field.name)).clone_into(&mut field.was);
        }
        typed.text("was-group").clone_into(&mut self.was_group);
        self.was_admin = yes_or_no(typed.text("was-admin") == "yes");
        typed.text("group").clone_into(&mut self.group);
        typed.text("new_group").clone_into(&mut self.new_group);
        self.is_admin = typed.has("admin");
    }

    /// The form once more, with what is wrong in it.
    fn refuse(mut self, typed: &Fields, errors: &[LineError]) -> PageResult {
        self.keep(typed);
        self.blame(errors);
        refused(StatusCode::UNPROCESSABLE_ENTITY, &self)
    }

    /// The form once more, after its session was lost.
    fn again(mut self, typed: &Fields, status: StatusCode) -> PageResult {
        self.keep(typed);
        self.frame.warning = SHOWN_AGAIN.to_owned();
        refused(status, &self)
    }

    /// Puts each message next to the field it is about.
    fn blame(&mut self, errors: &[LineError]) {
        for error in errors {
            // On the page, a setting has its field, not a name to type.
            let said = error.message.replace("the event's phone_region (for example phone_region=GB)", SETTING);
            let message = sentence(&said);
            match error.column {
                Some(Column::Group) => {
                    self.frame.problems.push(Problem::of("group", "Group", &message));
                    self.group_error = message;
                }
                Some(Column::Admin) => {
                    self.frame.problems.push(Problem::of("admin", "A host", &message));
                    self.admin_error = message;
                }
                column => match self
                    .fields
                    .iter_mut()
                    .find(|field| column.is_some_and(|column| column.as_str() == field.name))
                {
                    Some(field) => {
                        self.frame.problems.push(Problem::of(field.name, field.label, &message));
                        field.error = message;
                    }
                    None => self.error = message,
                },
            }
        }
    }

    /// Of a form that shows the guest as they are now: keeps what was touched, beside what another host saved.
    fn merge(&mut self, typed: &Fields) {
        self.error = "Somebody has changed this guest since you opened the form. What they saved stands beside what you typed; save again to overwrite it.".to_owned();
        for field in &mut self.fields {
            let touched = typed.touched(field.name, normal).filter(|touched| *touched != normal(&field.value));
            if let Some(touched) = touched {
                let is_theirs_new = !typed.showed(field.name, &field.value, normal);
                let stored = std::mem::replace(&mut field.value, touched);
                if !is_theirs_new {
                    continue;
                }
                field.theirs = theirs(&stored);
                let message = format!("saved meanwhile: {}", field.theirs);
                self.frame.problems.push(Problem::of(field.name, field.label, &message));
            }
        }
        typed.text("new_group").clone_into(&mut self.new_group);
        let touched = typed.touched("group", normal).filter(|touched| *touched != self.group);
        if touched.is_some() || !self.new_group.is_empty() {
            self.group_error = format!("Saved meanwhile: {}", theirs(&self.group));
            self.frame.problems.push(Problem::of("group", "Group", &self.group_error));
            self.group = touched.unwrap_or_default();
        }
        let ticked = typed.has("admin");
        let is_touched = !typed.has("was-admin") || typed.text("was-admin") != yes_or_no(ticked);
        if is_touched && ticked != self.is_admin {
            self.admin_error = format!("Saved meanwhile: {}", yes_or_no(self.is_admin));
            self.frame.problems.push(Problem::of("admin", "A host", &self.admin_error));
            self.is_admin = ticked;
        }
    }
}

fn group_of(guest: &Guest) -> String {
    guest.group_id.as_ref().map(ToString::to_string).unwrap_or_default()
}

fn yes_or_no(yes: bool) -> &'static str {
    if yes { "yes" } else { "no" }
}

/// The form as a row of a guest file: blank clears, as it does on the page.
fn row(typed: &Fields, known: &[String], event: &Event) -> Result<Row, Vec<LineError>> {
    let cell = |column: Column, text: &str| {
        let blank = if column == Column::LastName { "" } else { "-" };
        (column, if text.is_empty() { blank.to_owned() } else { text.to_owned() })
    };
    let mut cells: Vec<_> = TEXT_FIELDS.iter().map(|(column, ..)| cell(*column, typed.text(column.as_str()))).collect();
    let group = groups::chosen(typed, known);
    cells.push(cell(Column::Group, group.as_deref().unwrap_or_default()));
    cells.push((Column::Admin, yes_or_no(typed.has("admin")).to_owned()));
    let read = read_cells(&cells, &ReadDefaults { region: event.phone_region.as_deref() });
    let wrong = [
        group.err().map(|message| LineError { line: 0, column: Some(Column::Group), message }),
        last_name_is_missing(typed),
    ];
    let wrong: Vec<LineError> =
        wrong.into_iter().flatten().chain(read.as_ref().err().cloned().unwrap_or_default()).collect();
    if wrong.is_empty() { read } else { Err(wrong) }
}

fn last_name_is_missing(typed: &Fields) -> Option<LineError> {
    let error =
        || LineError { line: 0, column: Some(Column::LastName), message: "write it: guests log in with it".to_owned() };
    typed.text("last_name").is_empty().then(error)
}

/// The form for a new guest.
pub async fn new_page(State(pages): State<Pages>, host: Host) -> PageResult {
    page(&GuestForm::new(&pages, &host, None).await?)
}

/// Adds the guest; where somebody is there who may be the same, the host is asked first.
pub async fn create(State(pages): State<Pages>, form: Typed<Host>) -> PageResult {
    let Typed { by: host, fields, again } = form;
    let mut shown = GuestForm::new(&pages, &host, None).await?;
    if let Some(status) = again {
        return shown.again(&fields, status);
    }
    let row = match row(&fields, &shown.groups, &host.event) {
        Ok(row) => row,
        Err(errors) => return shown.refuse(&fields, &errors),
    };
    let everybody = pages.web.app.all_guests(&host.event.id).await?;
    let alike = namesakes(&row, &everybody);
    if !is_sure(&fields, &alike) {
        shown.keep(&fields);
        shown.warn(&alike, &row);
        return refused(StatusCode::CONFLICT, &shown);
    }
    match pages.web.app.add_guest(&host.event.id, row, &host.actor()).await {
        Ok((guest, _)) => Ok(see_other(&format!("/admin/guests/{}?done=added", guest.id))),
        Err(HostError::Rows(errors)) => shown.refuse(&fields, &errors),
        Err(error) => Err(host_error(error)),
    }
}

/// Whether the host has seen all of them and adds the guest all the same.
fn is_sure(fields: &Fields, alike: &[&Guest]) -> bool {
    let seen: Vec<GuestId> = fields.text("sure").split(' ').filter_map(|id| id.parse().ok()).collect();
    alike.iter().all(|guest| seen.contains(&guest.id))
}

/// The form for a guest who is there.
pub async fn edit_page(State(pages): State<Pages>, host: Host, Path(id): Path<String>) -> PageResult {
    let guest = find(&pages, &host, &id).await?;
    page(&GuestForm::new(&pages, &host, Some(&guest)).await?)
}

/// Saves the changes, unless somebody else has changed the guest meanwhile.
pub async fn save(State(pages): State<Pages>, Path(id): Path<String>, form: Typed<Host>) -> PageResult {
    let Typed { by: host, fields, again } = form;
    let guest = find(&pages, &host, &id).await?;
    let shown_version = fields.text("version").parse().unwrap_or_default();
    if guest.version != shown_version {
        return conflict(&pages, &host, &guest, &fields).await;
    }
    let shown = GuestForm::new(&pages, &host, Some(&guest)).await?;
    if let Some(status) = again {
        return shown.again(&fields, status);
    }
    let saved = match row(&fields, &shown.groups, &host.event) {
        Err(errors) => Err(HostError::Rows(errors)),
        Ok(row) => pages.web.app.edit_by_row(&host.event.id, guest.id, shown_version, &row, &host.actor()).await,
    };
    match saved {
        Ok(guest) => Ok(see_other(&format!("/admin/guests/{}?done=saved", guest.id))),
        Err(HostError::Rows(errors)) => shown.refuse(&fields, &errors),
        Err(HostError::ChangedMeanwhile) => conflict(&pages, &host, &find(&pages, &host, &id).await?, &fields).await,
        Err(error) => Err(host_error(error)),
    }
}

async fn conflict(pages: &Pages, host: &Host, now: &Guest, typed: &Fields) -> PageResult {
    let mut shown = GuestForm::new(pages, host, Some(now)).await?;
    shown.merge(typed);
    refused(StatusCode::CONFLICT, &shown)
}

#[derive(Template)]
#[template(path = "deleted.html")]
struct Deleted {
    frame: Frame,
    name: String,
    /// The record, so that it can be put back: only this session can read it.
    record: String,
}

/// Where a guest is put back.
const DELETED: &str = "/admin/guests/deleted";

/// Takes the guest off the list; the page that follows can put them back.
pub async fn delete(State(pages): State<Pages>, Path(id): Path<String>, form: HostForm) -> PageResult {
    let HostForm { host, fields } = form;
    let guest = find(&pages, &host, &id).await?;
    let version = fields.text("version").parse().unwrap_or_default();
    match pages.web.app.delete_guest(&host.event.id, guest.id, Some(version), &host.actor()).await {
        Err(HostError::ChangedMeanwhile) => {
            return Err(PageError::BadRequest(
                "Somebody has changed this guest since you opened the page. Go back and look again before you delete."
                    .to_owned(),
            ));
        }
        done => done.map_err(host_error)?,
    }
    // It had this version, so it was this.
    let record = serde_json::to_string(&guest).map_err(|_| PageError::Internal)?;
    let shown = off_the_list(&pages, &host, &guest, &record)?;
    Ok(carried::at_address(&pages, &host.csrf, DELETED, &Fields::of(&[("record", &record)]), shown))
}

fn off_the_list(pages: &Pages, host: &Host, guest: &Guest, record: &str) -> PageResult {
    let record = carried::seal(pages, &host.csrf, DELETED, record.as_bytes()).ok_or(PageError::Internal)?;
    page(&Deleted { frame: host.frame("Deleted", "guests"), name: guest.full_name(), record })
}

/// The same for whoever comes back to it; a guest who is on the list again is shown.
pub async fn deleted(State(pages): State<Pages>, host: Host, RawQuery(query): RawQuery) -> PageResult {
    let query = Fields::parse(query.unwrap_or_default().as_bytes());
    let record = carried::fields(&host.csrf, DELETED, &query).map(|fields| fields.text("record").to_owned());
    let found = record.and_then(|record| Some((guest_of(&host, record.as_bytes())?, record)));
    let Some((guest, record)) = found else { return Ok(see_other("/admin/guests")) };
    if pages.web.app.store.guest(guest.id).await?.is_some() {
        return Ok(see_other(&format!("/admin/guests/{}", guest.id)));
    }
    off_the_list(&pages, &host, &guest, &record)
}

/// The guest of a record, if they were of the host's event.
fn guest_of(host: &Host, record: &[u8]) -> Option<Guest> {
    let guest: Guest = serde_json::from_slice(record).ok()?;
    (guest.event_id == host.event.id).then_some(guest)
}

/// Puts a deleted guest back. Only what this session deleted can be: the record went through the browser.
pub async fn restore(State(pages): State<Pages>, form: HostForm) -> PageResult {
    let HostForm { host, fields } = form;
    let record = carried::open(&host.csrf, DELETED, fields.text("record"));
    let guest = record
        .and_then(|record| guest_of(&host, &record))
        .ok_or_else(|| PageError::BadRequest("This guest can no longer be put back; add them anew.".to_owned()))?;
    pages.web.app.restore_guest(&guest, &host.actor()).await.map_err(host_error)?;
    Ok(see_other("/admin/guests?done=restored"))
}
