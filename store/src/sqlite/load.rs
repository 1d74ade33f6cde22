//! What the intake needs to know before a step.

use std::collections::{BTreeMap, BTreeSet};

use domain::{
    conversation::Conversation,
    lockout::FAILURES_A_MINUTE_EVERYWHERE,
    model::{Event, EventId, Group, GroupKey, Guest},
};
use rusqlite::Connection;

use super::{conversations, guests, values::millis};
use crate::{Candidate, LoadRequest, Loaded, Result, TypedCode};

pub(super) fn load(connection: &Connection, request: &LoadRequest) -> Result<Loaded> {
    let found = conversations::find(connection, &request.address.to_string())?;
    let question_attempted_at = match &found {
        Some(found) => found.question_attempted_at(connection)?,
        None => None,
    };
    let conversation = found.map_or_else(|| Conversation::new(request.address.clone()), |found| found.conversation);
    let logins = conversation
        .logins
        .iter()
        .filter_map(|guest| guests::by_id(connection, *guest).transpose())
        .collect::<Result<Vec<_>>>()?;
    let active = logins.iter().find(|guest| Some(guest.id) == conversation.active);
    let group = active.map(|guest| guests::group_of(connection, guest)).transpose()?;
    let other_groups = other_groups(connection, &logins, group.as_ref())?;
    let codes = request.codes_for(&conversation);
    let candidates = candidates(connection, &codes)?;
    let events = events(connection, &logins, group.iter().chain(candidates.iter().map(|candidate| &candidate.group)))?;
    let recent_failures = if codes.is_empty() { 0 } else { failures(connection, request)? };
    Ok(Loaded {
        conversation,
        logins,
        group,
        other_groups,
        candidates,
        events,
        question_attempted_at,
        recent_failures,
        links: None,
        hosts: None,
    })
}

fn other_groups(connection: &Connection, logins: &[Guest], active: Option<&Group>) -> Result<Vec<Group>> {
    let mut keys: BTreeSet<GroupKey> = logins.iter().map(Guest::group_key).collect();
    if let Some(active) = active {
        keys.remove(&active.key);
    }
    keys.iter().map(|key| guests::group(connection, key)).collect()
}

fn candidates(connection: &Connection, codes: &[TypedCode]) -> Result<Vec<Candidate>> {
    let mut candidates = Vec::new();
    for (code, typed) in codes.iter().enumerate() {
        if let Some(guest) = guests::by_code(connection, typed)? {
            let group = guests::group_of(connection, &guest)?;
            candidates.push(Candidate { code, guest: guest.id, group });
        }
    }
    Ok(candidates)
}

fn events<'a>(
    connection: &Connection,
    logins: &[Guest],
    groups: impl Iterator<Item = &'a Group>,
) -> Result<BTreeMap<EventId, Event>> {
    let mut events = BTreeMap::new();
    let of_groups = groups.filter_map(|group| group.members.first()).map(|guest| &guest.event_id);
    for id in logins.iter().map(|guest| &guest.event_id).chain(of_groups) {
        if !events.contains_key(id)
            && let Some(event) = guests::event(connection, id)?
        {
            events.insert(id.clone(), event);
        }
    }
    Ok(events)
}

fn failures(connection: &Connection, request: &LoadRequest) -> Result<u32> {
    // Each row counts one at least, so no more rows than the limit are needed.
    let mut statement = connection.prepare_cached("SELECT count FROM failures WHERE at >= ?1 LIMIT ?2")?;
    let counts = statement
        .query_map((millis(request.failures_since), FAILURES_A_MINUTE_EVERYWHERE), |row| row.get::<_, u32>(0))?
        .collect::<rusqlite::Result<Vec<_>>>()?;
    Ok(counts.iter().fold(0_u32, |sum, count| sum.saturating_add(*count)).min(FAILURES_A_MINUTE_EVERYWHERE))
}
