//! Writing a decision: first everything it rests on is checked, then everything is written.

use std::collections::{BTreeSet, HashSet};

use domain::model::GuestId;
use rusqlite::{Connection, OptionalExtension};

use super::{conversations, guests, house, lanes, outbox, values::millis};
use crate::{Commit, Committed, EventChange, GuestChange, Result};

pub(super) fn commit(connection: &Connection, commit: &Commit) -> Result<Committed> {
    match Checked::check(connection, commit)? {
        Ok(checked) => {
            checked.write(connection, commit)?;
            Ok(Committed::Done)
        }
        Err(refused) => Ok(refused),
    }
}

const KEY_EXISTS: &str = "SELECT 1 FROM inbox WHERE key = ?1";

/// Of these keys, those that were handled.
pub(super) fn known_keys(connection: &Connection, keys: &[String]) -> Result<Vec<String>> {
    let mut known = Vec::new();
    for key in keys {
        if exists(connection, KEY_EXISTS, key)? {
            known.push(key.clone());
        }
    }
    Ok(known)
}

/// What was found in place of the things that a commit changes.
struct Checked {
    /// One for each of [`Commit::conversations`].
    conversations: Vec<Option<conversations::Stored>>,
    /// For each of [`Commit::guests`], whether anything that an index holds differs.
    indexed: Vec<bool>,
}

type Refusable<T> = Result<std::result::Result<T, Committed>>;

impl Checked {
    fn check(connection: &Connection, commit: &Commit) -> Refusable<Self> {
        for key in commit.key.iter().chain(&commit.once) {
            if exists(connection, KEY_EXISTS, key)? {
                return Ok(Err(Committed::Duplicate));
            }
        }
        for progress in &commit.progress {
            if house::progress(connection, &progress.job)? != progress.from {
                return Ok(Err(Committed::Stale));
            }
        }
        let mut checked = Self { conversations: Vec::new(), indexed: Vec::new() };
        for conversation in &commit.conversations {
            let stored = conversations::Stored::at(connection, &conversation.address.to_string())?;
            if stored.as_ref().map_or(0, |stored| stored.version) != conversation.version {
                return Ok(Err(Committed::Stale));
            }
            checked.conversations.push(stored);
        }
        for rests in &commit.groups {
            if guests::group_version(connection, &rests.key)? != rests.version {
                return Ok(Err(Committed::Stale));
            }
        }
        for change in &commit.guests {
            let (id, version, guest) = match change {
                GuestChange::Insert(_) => {
                    checked.indexed.push(true);
                    continue;
                }
                GuestChange::Update(guest) => (guest.id, guest.version, Some(guest)),
                GuestChange::Delete { id, version } => (*id, *version, None),
            };
            match guests::Stored::of(connection, id)? {
                Some(stored) if stored.version == version => {
                    checked.indexed.push(guest.is_some_and(|guest| stored.differs_in_an_index(guest)));
                }
                _ => return Ok(Err(Committed::Stale)),
            }
        }
        if let Some(EventChange::Update(event)) = &commit.event
            && guests::event_version(connection, &event.id)? != Some(event.version)
        {
            return Ok(Err(Committed::Stale));
        }
        if something_is_taken(connection, commit, &checked.indexed)? {
            return Ok(Err(Committed::Taken));
        }
        Ok(Ok(checked))
    }

    fn write(&self, connection: &Connection, commit: &Commit) -> Result<()> {
        let at = millis(commit.at);
        for key in commit.key.iter().chain(&commit.once) {
            connection.prepare_cached("INSERT INTO inbox (key, at) VALUES (?1, ?2)")?.execute((key, at))?;
        }
        for progress in &commit.progress {
            house::get_on(connection, progress)?;
        }
        if commit.login_failed {
            count_failure(connection, at)?;
        }
        for (conversation, before) in commit.conversations.iter().zip(&self.conversations) {
            conversations::put(connection, conversation, before.as_ref())?;
            if conversation.opted_out && !before.as_ref().is_some_and(|before| before.opted_out) {
                outbox::drop_waiting(connection, &conversation.address.to_string(), at)?;
            }
        }
        for rests in commit.groups.iter().filter(|rests| rests.raise) {
            guests::raise_group(connection, &rests.key)?;
        }
        self.write_guests(connection, commit)?;
        match &commit.event {
            Some(EventChange::Insert(event)) => guests::put_event(connection, event, 1)?,
            Some(EventChange::Update(event)) => guests::put_event(connection, event, event.version + 1)?,
            None => {}
        }
        for activity in &commit.activity {
            house::record(connection, activity)?;
        }
        let mut lanes = BTreeSet::new();
        for entry in &commit.outbox {
            outbox::add(connection, entry, at)?;
            lanes.insert(&entry.address);
        }
        lanes.into_iter().try_for_each(|address| lanes::refresh(connection, &address.to_string()))
    }

    /// Deletions first: they make room for a code or an id that is used again.
    fn write_guests(&self, connection: &Connection, commit: &Commit) -> Result<()> {
        for change in &commit.guests {
            if let GuestChange::Delete { id, .. } = change {
                guests::delete(connection, *id)?;
            }
        }
        for (change, indexed) in commit.guests.iter().zip(&self.indexed) {
            match change {
                GuestChange::Insert(guest) => guests::insert(connection, guest)?,
                GuestChange::Update(guest) => guests::update(connection, guest, *indexed)?,
                GuestChange::Delete { .. } => {}
            }
        }
        Ok(())
    }
}

/// Whether a code, guest id, event id or outbox id that must be unique is taken, be it by another change of the
/// same commit.
fn something_is_taken(connection: &Connection, commit: &Commit, indexed: &[bool]) -> Result<bool> {
    if let Some(EventChange::Insert(event)) = &commit.event
        && guests::event_version(connection, &event.id)?.is_some()
    {
        return Ok(true);
    }
    let deleted: HashSet<GuestId> = commit
        .guests
        .iter()
        .filter_map(|change| if let GuestChange::Delete { id, .. } = change { Some(*id) } else { None })
        .collect();
    let (mut ids, mut tokens) = (HashSet::new(), HashSet::new());
    for (change, indexed) in commit.guests.iter().zip(indexed) {
        let (guest, is_new) = match change {
            GuestChange::Insert(guest) => (guest, true),
            GuestChange::Update(guest) if *indexed => (guest, false),
            GuestChange::Update(_) | GuestChange::Delete { .. } => continue,
        };
        let owner = guests::owner_of(connection, &guest.token)?;
        let is_free = owner.is_none_or(|owner| deleted.contains(&owner) || (owner == guest.id && !is_new));
        let is_new_id = !is_new || deleted.contains(&guest.id) || guests::Stored::of(connection, guest.id)?.is_none();
        if !is_free || !is_new_id || !tokens.insert(&guest.token) || !ids.insert(guest.id) {
            return Ok(true);
        }
    }
    let mut entries = HashSet::new();
    for entry in &commit.outbox {
        if !entries.insert(&entry.id) || exists(connection, "SELECT 1 FROM outbox WHERE id = ?1", &entry.id)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn exists(connection: &Connection, sql: &str, key: &str) -> Result<bool> {
    Ok(connection.prepare_cached(sql)?.query_row([key], |_| Ok(())).optional()?.is_some())
}

fn count_failure(connection: &Connection, at: i64) -> Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO failures (at, count) VALUES (?1, 1) ON CONFLICT (at) DO UPDATE SET count = count + 1",
        )?
        .execute([at])?;
    Ok(())
}
