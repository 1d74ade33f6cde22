//! Removing a person everywhere.
//!
//! Rare, and thorough rather than fast: it looks at everything that may hold their name.

use std::collections::HashSet;

use domain::{
    activity::{AnswerFacts, Happening},
    address::Address,
    conversation::Conversation,
    model::{Guest, GuestId},
};
use rusqlite::Connection;

use super::{
    conversations, guests, house, lanes,
    values::{Values, What, json},
};
use crate::{Initiated, Rendered, Result, mention::Person};

/// `false` when there is no such guest.
pub(super) fn erase(connection: &Connection, id: GuestId) -> Result<bool> {
    let Some(guest) = guests::by_id(connection, id)? else { return Ok(false) };
    let group = guests::group(connection, &guest.group_key())?;
    let members: Vec<GuestId> = group.members.iter().map(|member| member.id).collect();
    let near: HashSet<Address> =
        conversations::links(connection, &members)?.into_iter().map(|link| link.address).collect();
    let person = Person::new(&guest);

    let gone = erase_from_conversations(connection, &guest, &person, &near)?;
    house::delete_entries_to(connection, &gone)?;
    delete_entries_about(connection, &person, &near)?;
    erase_from_activity(connection, &guest, &person, &members)?;
    erase_from_guests(connection, &guest, &person)?;
    guests::delete(connection, id)?;
    guests::raise_group(connection, &guest.group_key())?;
    Ok(true)
}

/// Ends the logins and deletes the conversations that served nobody else; returns their addresses. A dialogue that
/// mentions the person forgets them.
fn erase_from_conversations(
    connection: &Connection,
    guest: &Guest,
    person: &Person,
    near: &HashSet<Address>,
) -> Result<HashSet<Address>> {
    let mut concerned = Vec::new();
    conversations::each(connection, |conversation| {
        let was_logged_in = conversation.logins.contains(&guest.id);
        let mentions = person.is_in(&json(&conversation.dialogue)?, near.contains(&conversation.address));
        if was_logged_in || mentions {
            concerned.push((conversation, was_logged_in, mentions));
        }
        Ok(())
    })?;
    let mut gone = HashSet::new();
    for (conversation, was_logged_in, mentions) in concerned {
        if was_logged_in && serves_nobody_but(connection, &conversation, guest.id)? {
            conversations::delete(connection, &conversation)?;
            gone.insert(conversation.address);
        } else {
            let is_near = near.contains(&conversation.address);
            conversations::change(connection, &conversation.address, |conversation| {
                conversation.end_login(guest.id);
                if mentions {
                    conversation.dialogue.forget(guest.id, |text| person.is_in(text, is_near));
                }
            })?;
        }
    }
    Ok(gone)
}

fn serves_nobody_but(connection: &Connection, conversation: &Conversation, id: GuestId) -> Result<bool> {
    for login in conversation.logins.iter().filter(|login| **login != id) {
        if guests::by_id(connection, *login)?.is_some() {
            return Ok(false);
        }
    }
    Ok(true)
}

fn delete_entries_about(connection: &Connection, person: &Person, near: &HashSet<Address>) -> Result<()> {
    let mut about = Vec::new();
    let mut lanes = HashSet::new();
    let mut statement = connection.prepare_cached("SELECT seq, address, text, initiated FROM outbox")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let seq: i64 = row.get(0)?;
        let what = What::Numbered("outbox entry", seq);
        let values = Values { row, what };
        let address = values.address(1)?;
        let is_near = near.contains(&address);
        let text = values.optional_json::<Rendered>(2)?.is_some_and(|text| is_in_message(person, &text, is_near));
        let initiated = match values.optional_json::<Initiated>(3)? {
            Some(initiated) => person.is_in(&json(&initiated.notice)?, is_near),
            None => false,
        };
        if text || initiated {
            about.push(seq);
            lanes.insert(address);
        }
    }
    house::delete_entries(connection, &about)?;
    lanes.iter().try_for_each(|address| lanes::refresh(connection, &address.to_string()))
}

fn is_in_message(person: &Person, message: &Rendered, is_near: bool) -> bool {
    person.is_in(&message.text, is_near)
        || message.choices.iter().any(|choice| person.is_in(&choice.label, is_near))
        || message.attachment.as_ref().is_some_and(|file| person.is_in(&file.content, is_near))
}

/// Deletes what the person did and what was done to their record, and their name from what others wrote.
fn erase_from_activity(connection: &Connection, guest: &Guest, person: &Person, members: &[GuestId]) -> Result<()> {
    connection
        .prepare_cached("DELETE FROM activity WHERE event_id = ?2 AND (guest_id = ?1 OR by_guest = ?1)")?
        .execute((guest.id.0, guest.event_id.as_str()))?;
    let mut statement = connection.prepare_cached("SELECT seq, body FROM activity WHERE event_id = ?1")?;
    let mut changed = Vec::new();
    for entry in statement.query_and_then([guest.event_id.as_str()], house::read_activity)? {
        let (seq, mut activity) = entry?;
        let before = activity.clone();
        let is_near = activity.guest_id.is_some_and(|about| members.contains(&about));
        let clean = |facts: &mut AnswerFacts| facts.dietary = person.taken_out_of(&facts.dietary, is_near);
        match &mut activity.what {
            Happening::Answered { before, after } => {
                clean(before);
                clean(after);
            }
            Happening::LeftMessage { text } => *text = person.taken_out_of(text, is_near),
            _ => {}
        }
        if activity != before {
            changed.push((seq, json(&activity)?));
        }
    }
    for (seq, body) in changed {
        connection.prepare_cached("UPDATE activity SET body = ?2 WHERE seq = ?1")?.execute((seq, body))?;
    }
    Ok(())
}

/// Takes the person's name out of what the other records of the event say in words, and out of who answered for them.
fn erase_from_guests(connection: &Connection, guest: &Guest, person: &Person) -> Result<()> {
    let mut changed = Vec::new();
    guests::each(connection, &guest.event_id, |mut other| {
        let before = other.clone();
        let is_near = other.group_key() == guest.group_key();
        other.dietary = person.taken_out_of(&other.dietary, is_near);
        other.notes = other.notes.map(|notes| person.taken_out_of(&notes, is_near));
        other.answered_by = other.answered_by.filter(|by| by.guest_id != guest.id);
        if other.id != guest.id && other != before {
            changed.push((other, is_near));
        }
        Ok(())
    })?;
    for (other, is_near) in changed {
        guests::update(connection, &other, false)?;
        if !is_near {
            guests::raise_group(connection, &other.group_key())?;
        }
    }
    Ok(())
}
