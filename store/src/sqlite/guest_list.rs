//! The guest list as a host looks at it, and an event in numbers.

use domain::{
    model::{EventId, Guest},
    name,
};
use rusqlite::{Connection, params_from_iter, types::Value};

use super::{
    guests,
    values::{signed, unsigned},
};
use crate::{GuestList, GuestQuery, GuestSort, Result, Statistics};

/// Conditions with their values, as they are asked for.
struct Condition {
    sql: String,
    values: Vec<Value>,
}

impl Condition {
    /// `None` where the search can find nobody.
    fn of(query: &GuestQuery) -> Option<Self> {
        let mut condition =
            Self { sql: "event_id = ?".to_owned(), values: vec![Value::from(query.event.as_str().to_owned())] };
        if let Some(status) = query.status {
            condition.and("status = ?", Some(status.as_str().to_owned()));
        }
        if query.never_logged_in {
            condition.and("last_login IS NULL", None);
        }
        if query.with_dietary_needs {
            condition.and("dietary > ''", None);
        }
        if query.unreachable {
            condition.and(
                "id IN (SELECT guest FROM logins JOIN conversations USING (address)
                        GROUP BY guest HAVING min(unreachable) = 1)",
                None,
            );
        }
        for word in name::search_words(&query.search)? {
            condition.and("instr(name_key, ?)", Some(word));
        }
        Some(condition)
    }

    fn and(&mut self, sql: &str, value: Option<String>) {
        self.sql.push_str(" AND ");
        self.sql.push_str(sql);
        self.values.extend(value.map(Value::from));
    }
}

pub(super) fn find(connection: &Connection, query: &GuestQuery) -> Result<GuestList> {
    let Some(Condition { sql, mut values }) = Condition::of(query) else { return Ok(GuestList::default()) };
    let total: i64 = connection
        .prepare_cached(&format!("SELECT count(*) FROM guests INDEXED BY guests_as_listed WHERE {sql}"))?
        .query_row(params_from_iter(&values), |row| row.get(0))?;
    let by = match query.sort {
        GuestSort::Created => "",
        GuestSort::Name => "name_key",
        GuestSort::Status => "status",
        GuestSort::Answered => "rsvp_date",
        GuestSort::LastLogin => "last_login",
    };
    let way = if query.descending { "DESC" } else { "ASC" };
    let order: Vec<String> =
        [by, "created_at", "id"].iter().filter(|by| !by.is_empty()).map(|by| format!("{by} {way}")).collect();
    values.extend([Value::from(i64::from(query.limit)), Value::from(signed(query.skip))]);
    // The ids first, from an index that holds all that is asked for: neither filters nor sorting touch whole records.
    let sql = format!(
        "SELECT id FROM guests INDEXED BY guests_as_listed WHERE {sql} ORDER BY {} LIMIT ? OFFSET ?",
        order.join(", ")
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let ids =
        statement.query_map(params_from_iter(&values), |row| row.get(0))?.collect::<rusqlite::Result<Vec<_>>>()?;
    let found = ids.into_iter().map(|id| guests::by_id(connection, domain::model::GuestId(id)));
    let guests: Vec<Guest> = found.filter_map(Result::transpose).collect::<Result<_>>()?;
    Ok(GuestList { total: unsigned(total), guests })
}

pub(super) fn statistics(connection: &Connection, event: &EventId) -> Result<Statistics> {
    let mut statement = connection.prepare_cached(
        "SELECT count(*), total(expected_guests), total(status = 'coming'),
             total(iif(status = 'coming', num_guests, 0)), total(status = 'pending'), total(status = 'declined'),
             total(status = 'waitlisted'), total(status = 'coming' AND dietary > ''), total(last_login IS NULL)
         FROM guests WHERE event_id = ?1",
    )?;
    Ok(statement.query_row([event.as_str()], |row| {
        // Sums of nothing are fractions to SQLite.
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "sums of whole numbers from 0 on")]
        let sum = |place: usize| row.get::<_, f64>(place).map(|sum| sum as u64);
        Ok(Statistics {
            invited: row.get::<_, i64>(0).map(unsigned)?,
            expected: sum(1)?,
            coming: sum(2)?,
            head_count: sum(3)?,
            pending: sum(4)?,
            declined: sum(5)?,
            waitlisted: sum(6)?,
            with_allergies: sum(7)?,
            never_logged_in: sum(8)?,
        })
    })?)
}
