//! Guest records, groups and events in their tables.

use domain::{
    code,
    model::{AnsweredBy, Event, EventId, Group, GroupId, GroupKey, Guest, GuestId, Status, Version},
    name,
};
use rusqlite::{Connection, OptionalExtension, Params, Row, named_params};

use super::values::{Values, What, json, millis, signed};
use crate::{Access, GuestParty, Page, Result, TypedCode};

/// In the order in which [`read`] takes them.
macro_rules! select_guests {
    ($condition:literal) => {
        concat!(
            "SELECT id, event_id, group_id, first_name, last_name, token, status, num_guests, dietary, expected_guests, ",
            "is_admin, rsvp_date, last_login, last_access, created_at, self_coming, companions, extras, phone, locale, ",
            "notes, answered_by, answered_channel, version FROM guests WHERE ",
            $condition
        )
    };
}

fn read(row: &Row<'_>) -> Result<Guest> {
    let unnamed = Values { row, what: What::A("a guest") };
    let id = unnamed.guest_id(0)?;
    let what = What::Guest(id);
    let values = Values { row, what };
    let answered_by = match values.optional_guest_id(21)? {
        Some(guest_id) => Some(AnsweredBy { guest_id, channel: values.channel(22)? }),
        None => None,
    };
    Ok(Guest {
        id,
        event_id: EventId(values.get(1)?),
        group_id: values.get::<Option<String>>(2)?.map(GroupId),
        first_name: values.get(3)?,
        last_name: values.get(4)?,
        token: values.get(5)?,
        status: values.parsed(6, Status::from_stored)?,
        num_guests: values.get(7)?,
        dietary: values.get(8)?,
        expected_guests: values.get(9)?,
        is_admin: values.get(10)?,
        rsvp_date: values.optional_time(11)?,
        last_login: values.optional_time(12)?,
        last_access: values.optional_time(13)?,
        created_at: values.time(14)?,
        self_coming: values.get(15)?,
        companions_coming: values.get(16)?,
        extra_guests: values.get(17)?,
        phone: values.get(18)?,
        locale: values.get(19)?,
        notes: values.get(20)?,
        answered_by,
        version: values.number(23)?,
    })
}

fn select(connection: &Connection, sql: &str, params: impl Params) -> Result<Vec<Guest>> {
    let mut statement = connection.prepare_cached(sql)?;
    statement.query_and_then(params, read)?.collect()
}

pub(super) fn by_id(connection: &Connection, id: GuestId) -> Result<Option<Guest>> {
    Ok(select(connection, select_guests!("id = ?1"), [id.0])?.pop())
}

/// Exactly, else by key if that names one guest.
pub(super) fn by_code(connection: &Connection, code: &TypedCode) -> Result<Option<Guest>> {
    let exact = select(connection, select_guests!("token = ?1"), [&code.exact])?.pop();
    if exact.is_some() || code.key.is_empty() {
        return Ok(exact);
    }
    let mut alike = select(connection, select_guests!("token_key = ?1 LIMIT 2"), [&code.key])?;
    Ok(if alike.len() == 1 { alike.pop() } else { None })
}

pub(super) fn hosts(connection: &Connection, event: &EventId) -> Result<Vec<Guest>> {
    let sql = select_guests!("event_id = ?1 AND is_admin = 1 ORDER BY created_at, id");
    select(connection, sql, [event.as_str()])
}

pub(super) fn page(connection: &Connection, event: &EventId, page: &Page<GuestId>) -> Result<Vec<Guest>> {
    let Some(after) = page.after else {
        let sql = select_guests!("event_id = ?1 ORDER BY created_at, id LIMIT ?2");
        return select(connection, sql, (event.as_str(), page.limit));
    };
    let created = connection
        .prepare_cached("SELECT created_at FROM guests WHERE id = ?1")?
        .query_row([after.0], |row| row.get(0))
        .optional()?;
    // A record deleted since is found again by the second in its id.
    let created = created
        .unwrap_or_else(|| i64::from(u32::from_be_bytes([after.0[0], after.0[1], after.0[2], after.0[3]])) * 1000);
    let sql = select_guests!("event_id = ?1 AND (created_at, id) > (?2, ?3) ORDER BY created_at, id LIMIT ?4");
    select(connection, sql, (event.as_str(), created, after.0, page.limit))
}

/// Shows every guest of an event to `look`. For rare use: there may be many.
pub(super) fn each(connection: &Connection, event: &EventId, mut look: impl FnMut(Guest) -> Result<()>) -> Result<()> {
    let mut statement = connection.prepare_cached(select_guests!("event_id = ?1"))?;
    let mut guests = statement.query_and_then([event.as_str()], read)?;
    guests.try_for_each(|guest| look(guest?))
}

pub(super) fn group(connection: &Connection, key: &GroupKey) -> Result<Group> {
    let version = group_version(connection, key)?;
    let members = select(connection, select_guests!("group_key = ?1 ORDER BY created_at, id"), [key.as_str()])?;
    Ok(Group { key: key.clone(), version, members })
}

/// The group of a guest who was read in the same transaction.
pub(super) fn group_of(connection: &Connection, guest: &Guest) -> Result<Group> {
    let key = guest.group_key();
    if guest.group_id.is_some() {
        return group(connection, &key);
    }
    // Nobody else can be in it.
    Ok(Group { version: group_version(connection, &key)?, key, members: vec![guest.clone()] })
}

/// A guest with group and event.
pub(super) fn party(connection: &Connection, id: GuestId) -> Result<Option<GuestParty>> {
    let Some(guest) = by_id(connection, id)? else { return Ok(None) };
    let Some(event) = event(connection, &guest.event_id)? else { return Ok(None) };
    Ok(Some(GuestParty { guest: id, group: group_of(connection, &guest)?, event }))
}

/// 0 for a group that nothing was ever decided about.
pub(super) fn group_version(connection: &Connection, key: &GroupKey) -> Result<Version> {
    let version = connection
        .prepare_cached("SELECT version FROM groups WHERE key = ?1")?
        .query_row([key.as_str()], |row| row.get(0))
        .optional()?;
    Ok(version.map_or(0, super::values::unsigned))
}

pub(super) fn raise_group(connection: &Connection, key: &GroupKey) -> Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO groups (key, version) VALUES (?1, 1) ON CONFLICT (key) DO UPDATE SET version = version + 1",
        )?
        .execute([key.as_str()])?;
    Ok(())
}

pub(super) fn insert(connection: &Connection, guest: &Guest) -> Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO guests (id, event_id, group_id, group_key, first_name, last_name, token, token_key, name_key, status,
                 num_guests, dietary, expected_guests, is_admin, rsvp_date, last_login, last_access, created_at,
                 self_coming, companions, extras, phone, locale, notes, answered_by, answered_channel, version)
             VALUES (:id, :event_id, :group_id, :group_key, :first_name, :last_name, :token, :token_key, :name_key,
                 :status,
                 :num_guests, :dietary, :expected_guests, :is_admin, :rsvp_date, :last_login, :last_access, :created_at,
                 :self_coming, :companions, :extras, :phone, :locale, :notes, :answered_by, :answered_channel, 1)",
        )?
        .execute(named_params! {
            ":id": guest.id.0,
            ":event_id": guest.event_id.as_str(),
            ":group_id": guest.group_id.as_ref().map(GroupId::as_str),
            ":group_key": guest.group_key().as_str(),
            ":first_name": guest.first_name,
            ":last_name": guest.last_name,
            ":token": guest.token,
            ":token_key": code::key(&guest.token),
            ":name_key": name_key(guest),
            ":status": guest.status.as_str(),
            ":num_guests": guest.num_guests,
            ":dietary": guest.dietary,
            ":expected_guests": guest.expected_guests,
            ":is_admin": guest.is_admin,
            ":rsvp_date": guest.rsvp_date.map(millis),
            ":last_login": guest.last_login.map(millis),
            ":last_access": guest.last_access.map(millis),
            ":created_at": millis(guest.created_at),
            ":self_coming": guest.self_coming,
            ":companions": guest.companions_coming,
            ":extras": guest.extra_guests,
            ":phone": guest.phone,
            ":locale": guest.locale,
            ":notes": guest.notes,
            ":answered_by": guest.answered_by.as_ref().map(|by| by.guest_id.0),
            ":answered_channel": guest.answered_by.as_ref().map(|by| by.channel.as_str()),
        })?;
    Ok(())
}

fn name_key(guest: &Guest) -> String {
    name::search_key(&guest.first_name, &guest.last_name, &guest.token)
}

/// All but the time of the last login and access. Raises the version.
///
/// `indexed` tells whether anything that an index holds may differ; an answer changes nothing of the kind, and then
/// one page is written instead of one for each index.
pub(super) fn update(connection: &Connection, guest: &Guest, indexed: bool) -> Result<()> {
    if indexed {
        connection
            .prepare_cached(
                "UPDATE guests SET event_id = ?2, group_id = ?3, group_key = ?4, token = ?5, token_key = ?6, is_admin = ?7,
                     created_at = ?8, name_key = ?9
                 WHERE id = ?1",
            )?
            .execute((
                guest.id.0,
                guest.event_id.as_str(),
                guest.group_id.as_ref().map(GroupId::as_str),
                guest.group_key().as_str(),
                &guest.token,
                code::key(&guest.token),
                guest.is_admin,
                millis(guest.created_at),
                name_key(guest),
            ))?;
    }
    connection
        .prepare_cached(
            "UPDATE guests SET first_name = :first_name, last_name = :last_name, status = :status,
                 num_guests = :num_guests, dietary = :dietary, expected_guests = :expected_guests, rsvp_date = :rsvp_date,
                 self_coming = :self_coming, companions = :companions, extras = :extras, phone = :phone,
                 locale = :locale, notes = :notes, answered_by = :answered_by, answered_channel = :answered_channel,
                 version = version + 1
             WHERE id = :id",
        )?
        .execute(named_params! {
            ":id": guest.id.0,
            ":first_name": guest.first_name,
            ":last_name": guest.last_name,
            ":status": guest.status.as_str(),
            ":num_guests": guest.num_guests,
            ":dietary": guest.dietary,
            ":expected_guests": guest.expected_guests,
            ":rsvp_date": guest.rsvp_date.map(millis),
            ":self_coming": guest.self_coming,
            ":companions": guest.companions_coming,
            ":extras": guest.extra_guests,
            ":phone": guest.phone,
            ":locale": guest.locale,
            ":notes": guest.notes,
            ":answered_by": guest.answered_by.as_ref().map(|by| by.guest_id.0),
            ":answered_channel": guest.answered_by.as_ref().map(|by| by.channel.as_str()),
        })?;
    Ok(())
}

/// The record and its logins.
pub(super) fn delete(connection: &Connection, id: GuestId) -> Result<()> {
    connection.prepare_cached("DELETE FROM guests WHERE id = ?1")?.execute([id.0])?;
    connection.prepare_cached("DELETE FROM logins WHERE guest = ?1")?.execute([id.0])?;
    Ok(())
}

/// Never moves a time backwards.
pub(super) fn record_access(connection: &Connection, access: &Access) -> Result<()> {
    connection
        .prepare_cached(
            "UPDATE guests SET last_access = max(ifnull(last_access, ?2), ?2),
                 last_login = CASE WHEN ?3 THEN max(ifnull(last_login, ?2), ?2) ELSE last_login END
             WHERE id = ?1 AND (ifnull(last_access < ?2, 1) OR ?3 AND ifnull(last_login < ?2, 1))",
        )?
        .execute((access.guest.0, millis(access.at), access.login))?;
    Ok(())
}

fn read_event(row: &Row<'_>) -> Result<Event> {
    let unnamed = Values { row, what: What::A("an event") };
    let id: String = unnamed.get(0)?;
    let what = What::Event(&id);
    let values = Values { row, what };
    let mut event: Event = values.json(2)?;
    event.version = values.number(1)?;
    Ok(event)
}

pub(super) fn event(connection: &Connection, id: &EventId) -> Result<Option<Event>> {
    let mut statement = connection.prepare_cached("SELECT id, version, body FROM events WHERE id = ?1")?;
    let mut events = statement.query_and_then([id.as_str()], read_event)?;
    events.next().transpose()
}

pub(super) fn events(connection: &Connection) -> Result<Vec<Event>> {
    let mut statement = connection.prepare_cached("SELECT id, version, body FROM events ORDER BY id")?;
    statement.query_and_then([], read_event)?.collect()
}

pub(super) fn event_version(connection: &Connection, id: &EventId) -> Result<Option<Version>> {
    let version = connection
        .prepare_cached("SELECT version FROM events WHERE id = ?1")?
        .query_row([id.as_str()], |row| row.get(0))
        .optional()?;
    Ok(version.map(super::values::unsigned))
}

/// Stores the event with this version, in place of the one before.
pub(super) fn put_event(connection: &Connection, event: &Event, version: Version) -> Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO events (id, version, body) VALUES (?1, ?2, ?3)
             ON CONFLICT (id) DO UPDATE SET version = excluded.version, body = excluded.body",
        )?
        .execute((event.id.as_str(), signed(version), json(event)?))?;
    Ok(())
}

/// What a change of a record must be compared with.
pub(super) struct Stored {
    pub version: Version,
    token: String,
    group_key: String,
    group_id: Option<String>,
    is_admin: bool,
    created_at: i64,
    name_key: String,
}

impl Stored {
    pub(super) fn of(connection: &Connection, id: GuestId) -> Result<Option<Self>> {
        let mut statement = connection.prepare_cached(
            "SELECT version, token, group_key, group_id, is_admin, created_at, name_key FROM guests WHERE id = ?1",
        )?;
        let stored = statement.query_row([id.0], |row| {
            Ok(Self {
                version: super::values::unsigned(row.get(0)?),
                token: row.get(1)?,
                group_key: row.get(2)?,
                group_id: row.get(3)?,
                is_admin: row.get(4)?,
                created_at: row.get(5)?,
                name_key: row.get(6)?,
            })
        });
        Ok(stored.optional()?)
    }

    /// Whether anything that an index holds differs. (The group's key names the event.)
    pub(super) fn differs_in_an_index(&self, guest: &Guest) -> bool {
        self.token != guest.token
            || self.group_key != guest.group_key().as_str()
            || self.group_id.as_deref() != guest.group_id.as_ref().map(GroupId::as_str)
            || self.is_admin != guest.is_admin
            || self.created_at != millis(guest.created_at)
            || self.name_key != name_key(guest)
    }
}

/// The guest who has this code.
pub(super) fn owner_of(connection: &Connection, token: &str) -> Result<Option<GuestId>> {
    let mut statement = connection.prepare_cached("SELECT id FROM guests WHERE token = ?1")?;
    let mut owners = statement.query_and_then([token], |row| Values { row, what: What::A("a guest") }.guest_id(0))?;
    owners.next().transpose()
}
