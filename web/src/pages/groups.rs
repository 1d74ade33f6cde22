//! Groups: who answers together; how they are merged and split.

use std::collections::BTreeMap;

use app::Bulk;
use askama::Template;
use axum::{
    extract::{RawQuery, State},
    http::StatusCode,
};
use domain::{
    guest_file::{self, Cell, Column, LineError, ReadDefaults},
    model::{GroupId, Guest, GuestId, Status},
    name,
};

use super::{
    Pages,
    form::Fields,
    guests::{self, host_error, notice},
    respond::{Frame, PageError, PageResult, Problem, page, refused},
    session::{Host, SHOWN_AGAIN, Typed, own_path},
    words,
};

/// Names that the page of a choice shows; the rest is counted.
const MOST_NAMES: usize = 12;

#[derive(Template)]
#[template(path = "groups.html")]
struct Groups {
    frame: Frame,
    groups: Vec<GroupRow>,
    alone: usize,
}

struct GroupRow {
    name: String,
    link: String,
    guests: String,
    answered: String,
}

#[derive(Template)]
#[template(path = "group.html")]
struct GroupPage {
    frame: Frame,
    name: String,
    here: String,
    people: u32,
    members: Vec<Member>,
}

struct Member {
    id: String,
    name: String,
    status: &'static str,
    status_word: &'static str,
    expected: u32,
}

#[derive(Template)]
#[template(path = "move.html")]
struct MovePage {
    frame: Frame,
    ids: Vec<String>,
    /// Who is moved.
    names: String,
    groups: Vec<String>,
    /// The one that is chosen.
    group: String,
    new_group: String,
    here: String,
    group_error: String,
    new_group_error: String,
}

impl MovePage {
    async fn new(pages: &Pages, host: &Host, ids: &[GuestId], here: &str) -> Result<Self, PageError> {
        let everybody = pages.web.app.all_guests(&host.event.id).await?;
        let wanted: Vec<&Guest> = everybody.iter().filter(|guest| ids.contains(&guest.id)).collect();
        Ok(Self {
            frame: host.frame("Put into a group", "guests"),
            ids: ids.iter().map(ToString::to_string).collect(),
            names: listed(&wanted),
            groups: names_of(&everybody),
            group: String::new(),
            new_group: String::new(),
            here: here.to_owned(),
            group_error: String::new(),
            new_group_error: String::new(),
        })
    }

    fn keep(&mut self, typed: &Fields) {
        typed.text("group").clone_into(&mut self.group);
        typed.text("new_group").clone_into(&mut self.new_group);
    }

    /// Puts the message next to the field it is about.
    fn blame(&mut self, message: String) {
        let (field, label) = if self.new_group.is_empty() { ("group", "Group") } else { ("new_group", "New group") };
        self.frame.problems.push(Problem::of(field, label, &message));
        if self.new_group.is_empty() { self.group_error = message } else { self.new_group_error = message }
    }
}

/// The page of a group.
#[must_use]
pub fn link(name: &str) -> String {
    let query = form_urlencoded::Serializer::new(String::new()).append_pair("name", name).finish();
    format!("/admin/groups?{query}")
}

/// All groups or, with a name, that one.
pub async fn show(State(pages): State<Pages>, host: Host, RawQuery(query): RawQuery) -> PageResult {
    let query = Fields::parse(query.unwrap_or_default().as_bytes());
    let everybody = pages.web.app.all_guests(&host.event.id).await?;
    let mut groups: BTreeMap<Counted, (&GroupId, Vec<&Guest>)> = BTreeMap::new();
    for guest in &everybody {
        if let Some(group) = &guest.group_id {
            groups.entry(counted(group.as_str())).or_insert_with(|| (group, Vec::new())).1.push(guest);
        }
    }
    if query.has("name") {
        let (name, members) = groups.remove(&counted(query.text("name"))).ok_or(PageError::NotFound)?;
        return one(&host, name, &members, notice(&query));
    }
    let row = |(name, members): (&GroupId, Vec<&Guest>)| GroupRow {
        name: name.to_string(),
        link: link(name.as_str()),
        guests: words::count(members.len() as u64, "guest", "guests"),
        answered: match members.iter().filter(|guest| guest.status == Status::Pending).count() {
            0 => "all answered".to_owned(),
            open => format!("{open} open"),
        },
    };
    let alone = everybody.iter().filter(|guest| guest.group_id.is_none()).count();
    page(&Groups { frame: host.frame("Groups", "guests"), groups: groups.into_values().map(row).collect(), alone })
}

fn one(host: &Host, name: &GroupId, members: &[&Guest], notice: String) -> PageResult {
    let member = |guest: &&Guest| Member {
        id: guest.id.to_string(),
        name: guest.full_name(),
        status: guest.status.as_str(),
        status_word: words::status(guest.status),
        expected: guest.expected_guests,
    };
    let mut frame = host.frame(&format!("Group {name}"), "guests");
    frame.notice = notice;
    page(&GroupPage {
        frame,
        name: name.to_string(),
        here: link(name.as_str()),
        people: members.iter().map(|guest| guest.expected_guests).sum(),
        members: members.iter().map(member).collect(),
    })
}

/// Asks which group those who were ticked are put into.
///
/// # Errors
/// When the list cannot be read.
pub async fn choose(pages: &Pages, host: &Host, ids: &[GuestId], here: &str) -> PageResult {
    page(&MovePage::new(pages, host, ids, here).await?)
}

/// Names in a row; after the first ones the rest is counted.
#[must_use]
pub fn listed(guests: &[&Guest]) -> String {
    let mut names: Vec<String> = guests.iter().take(MOST_NAMES).map(|guest| guest.full_name()).collect();
    if guests.len() > MOST_NAMES {
        names.push(format!("{} more", guests.len() - MOST_NAMES));
    }
    names.join(", ")
}

/// The groups' names, each once, in order.
#[must_use]
pub fn names_of(guests: &[Guest]) -> Vec<String> {
    let mut names: Vec<String> =
        guests.iter().filter_map(|guest| guest.group_id.as_ref()).map(|id| id.0.clone()).collect();
    names.sort_by_cached_key(|name| counted(name));
    names.dedup();
    names
}

/// A name as people put names in order: table 2 comes before table 10. The name itself comes last, so that two names
/// are never the same.
type Counted = (Vec<(String, u64)>, String);

fn counted(name: &str) -> Counted {
    let mut parts: Vec<(String, u64)> = Vec::new();
    let mut rest = name;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len());
        let (word, after) = rest.split_at(digits);
        let end = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
        let (number, after) = after.split_at(end);
        let number = if number.is_empty() { 0 } else { number.parse().unwrap_or(u64::MAX) };
        parts.push((word.to_lowercase(), number));
        rest = after;
    }
    (parts, name.to_owned())
}

/// The group that a form names: one from the list, or a new one whose name is not taken; empty for none.
///
/// # Errors
/// What to do where the new name is that of a group that exists.
pub fn chosen<'a>(fields: &'a Fields, known: &[String]) -> Result<&'a str, String> {
    let new = fields.text("new_group");
    if new.is_empty() {
        return Ok(fields.text("group"));
    }
    match known.iter().find(|known| name::fold(known) == name::fold(new)) {
        Some(known) => Err(format!(
            "there is a group \u{201c}{known}\u{201d} already: choose it from the list, or give another name"
        )),
        None => Ok(new),
    }
}

/// A group of this name, by the rules of guest files.
fn new_group(name: &str) -> Result<GroupId, String> {
    let row = guest_file::read_values(&[(Column::Group, Some(name))], &ReadDefaults::default());
    let refused = |errors: Vec<LineError>| errors.into_iter().next().map(|error| error.message).unwrap_or_default();
    match row.map_err(|errors| format!("the name {}", refused(errors)))?.group {
        Cell::Set(name) => Ok(GroupId(name)),
        Cell::Keep | Cell::Clear => Err("write the name of a group".to_owned()),
    }
}

/// Puts those who were ticked into the group.
pub async fn put(State(pages): State<Pages>, form: Typed<Host>) -> PageResult {
    let Typed { by: host, fields, again } = form;
    let ids: Vec<GuestId> = fields.all("guest").filter_map(|id| id.parse().ok()).collect();
    let here = own_path(fields.text("here"), "/admin/guests");
    let mut shown = MovePage::new(&pages, &host, &ids, &here).await?;
    shown.keep(&fields);
    if let Some(status) = again {
        shown.frame.warning = SHOWN_AGAIN.to_owned();
        return refused(status, &shown);
    }
    let known = &shown.groups;
    let group = match chosen(&fields, known) {
        Ok("") => Err("Choose a group from the list, or write the name of a new one.".to_owned()),
        Ok(group) if known.iter().any(|known| known == group) => Ok(GroupId(group.to_owned())),
        Ok(group) => new_group(group).map_err(|message| super::guest::sentence(&message)),
        Err(message) => Err(super::guest::sentence(&message)),
    };
    let group = match group {
        Ok(group) => group,
        Err(message) => {
            shown.blame(message);
            return refused(StatusCode::UNPROCESSABLE_ENTITY, &shown);
        }
    };
    let shown = link(group.as_str());
    let bulk = Bulk::MoveTo(Some(group));
    let count = pages.web.app.change_many(&host.event.id, &ids, &bulk, &host.actor()).await.map_err(host_error)?;
    // The group that they left may be no more.
    let back = if here.starts_with("/admin/groups") { shown } else { here };
    Ok(guests::done(&back, "group", count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_the_order_in_which_people_count() {
        let mut names = ["table 10", "Table 2", "table", "aunts", "table 2b", "Zoë 1", "table 2"];
        names.sort_by_cached_key(|name| counted(name));
        assert_eq!(names, ["aunts", "table", "Table 2", "table 2", "table 2b", "table 10", "Zoë 1"]);
    }
}
