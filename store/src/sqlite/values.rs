//! How times, ids and documents are kept in columns.

use std::fmt;

use chrono::{DateTime, Utc};
use domain::{
    address::{Address, Channel},
    model::GuestId,
};
use rusqlite::Row;
use serde::{Serialize, de::DeserializeOwned};

use super::error::damaged;
use crate::Result;

/// Milliseconds since 1970, as stored.
pub(super) fn millis(at: DateTime<Utc>) -> i64 {
    at.timestamp_millis()
}

/// Versions and question numbers count from 0 and never come near the limit.
pub(super) fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// A version or question number.
pub(super) fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

pub(super) fn json<T: Serialize>(value: &T) -> Result<String> {
    serde_json::to_string(value).map_err(|_| damaged("something that was to be stored"))
}

/// What a row is, for errors: nothing personal. Put into words only when there is an error.
#[derive(Clone, Copy)]
pub(super) enum What<'w> {
    /// One of many.
    A(&'static str),
    /// By its number in its table.
    Numbered(&'static str, i64),
    Guest(GuestId),
    Event(&'w str),
}

impl fmt::Display for What<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::A(kind) => f.write_str(kind),
            Self::Numbered(kind, number) => write!(f, "{kind} {number}"),
            Self::Guest(id) => write!(f, "guest {id}"),
            Self::Event(id) => write!(f, "event {id}"),
        }
    }
}

/// Values of one row, by place.
pub(super) struct Values<'r, 's, 'w> {
    pub row: &'r Row<'s>,
    pub what: What<'w>,
}

impl Values<'_, '_, '_> {
    pub(super) fn get<T: rusqlite::types::FromSql>(&self, place: usize) -> Result<T> {
        Ok(self.row.get(place)?)
    }

    fn text(&self, place: usize) -> Result<Option<&str>> {
        self.row.get_ref(place)?.as_str_or_null().map_err(|_| self.damaged(place))
    }

    /// The error for a value that makes no sense.
    pub(super) fn damaged(&self, place: usize) -> crate::StoreError {
        let column = self.row.as_ref().column_name(place).unwrap_or("?");
        damaged(&format!("the {column} of {}", self.what))
    }

    pub(super) fn number(&self, place: usize) -> Result<u64> {
        Ok(unsigned(self.get(place)?))
    }

    pub(super) fn time(&self, place: usize) -> Result<DateTime<Utc>> {
        self.optional_time(place)?.ok_or_else(|| self.damaged(place))
    }

    pub(super) fn optional_time(&self, place: usize) -> Result<Option<DateTime<Utc>>> {
        let millis: Option<i64> = self.get(place)?;
        millis.map(|millis| DateTime::from_timestamp_millis(millis).ok_or_else(|| self.damaged(place))).transpose()
    }

    pub(super) fn guest_id(&self, place: usize) -> Result<GuestId> {
        self.optional_guest_id(place)?.ok_or_else(|| self.damaged(place))
    }

    pub(super) fn optional_guest_id(&self, place: usize) -> Result<Option<GuestId>> {
        let bytes = self.row.get_ref(place)?.as_blob_or_null().map_err(|_| self.damaged(place))?;
        bytes.map(|bytes| bytes.try_into().map(GuestId).map_err(|_| self.damaged(place))).transpose()
    }

    /// Ids one after the other.
    pub(super) fn guest_ids(&self, place: usize) -> Result<Vec<GuestId>> {
        let bytes = self.row.get_ref(place)?.as_blob().map_err(|_| self.damaged(place))?;
        let (ids, rest) = bytes.as_chunks();
        if rest.is_empty() { Ok(ids.iter().copied().map(GuestId).collect()) } else { Err(self.damaged(place)) }
    }

    pub(super) fn address(&self, place: usize) -> Result<Address> {
        self.parsed(place, |text| text.parse().ok())
    }

    pub(super) fn channel(&self, place: usize) -> Result<Channel> {
        self.parsed(place, Channel::from_stored)
    }

    /// A text that `parse` must understand.
    pub(super) fn parsed<T>(&self, place: usize, parse: impl FnOnce(&str) -> Option<T>) -> Result<T> {
        self.text(place)?.and_then(parse).ok_or_else(|| self.damaged(place))
    }

    pub(super) fn json<T: DeserializeOwned>(&self, place: usize) -> Result<T> {
        self.optional_json(place)?.ok_or_else(|| self.damaged(place))
    }

    pub(super) fn optional_json<T: DeserializeOwned>(&self, place: usize) -> Result<Option<T>> {
        self.text(place)?.map(|text| serde_json::from_str(text).map_err(|_| self.damaged(place))).transpose()
    }
}

/// As stored in one column: ids one after the other.
pub(super) fn joined(ids: &[GuestId]) -> Vec<u8> {
    ids.iter().flat_map(|id| id.0).collect()
}
