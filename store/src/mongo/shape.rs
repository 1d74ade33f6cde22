//! How our types stand in documents: dates as BSON dates, guest ids as ObjectIds, whole numbers as such.
//!
//! Everything goes through these two functions, so that one thing has one form whichever path wrote it. Our types
//! are described once, by serde; what BSON can say better than JSON (dates, ids) is put in place by the field's name.

use chrono::{DateTime, SecondsFormat, Utc};
use domain::model::GuestId;
use mongodb::bson::{Bson, DateTime as BsonDate, Document, oid::ObjectId};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};

use super::error::damaged;
use crate::Result;

/// Fields that hold points in time, wherever they stand.
const DATES: &[&str] = &[
    "startsAt",
    "endsAt",
    "rsvpDeadline",
    "cancelledAt",
    "createdAt",
    "rsvpDate",
    "lastLogin",
    "lastAccess",
    "lastUsed",
    "askedAt",
    "at",
    "lastFailure",
    "coolingUntil",
    "notAfter",
    "decidedAt",
];
/// Fields that hold guest ids, or lists of them, wherever they stand.
const GUEST_IDS: &[&str] = &["guestId", "guest", "guests", "by", "logins", "active"];
/// Numbers that only ever grow.
const LONG: &[&str] = &["version", "groupVersion", "asked"];

/// A value as it is stored.
pub(super) fn stored<T: Serialize>(value: &T) -> Result<Bson> {
    serde_json::to_value(value).map(|value| to_bson("", value)).map_err(|_| {
        crate::StoreError::Damaged("something that was to be stored cannot be put into a document".to_owned())
    })
}

/// A document as it is stored.
pub(super) fn document<T: Serialize>(value: &T) -> Result<Document> {
    match stored(value)? {
        Bson::Document(document) => Ok(document),
        _ => Err(crate::StoreError::Damaged("something that was to be stored is no document".to_owned())),
    }
}

fn to_bson(field: &str, value: Value) -> Bson {
    match value {
        Value::Null => Bson::Null,
        Value::Bool(value) => Bson::Boolean(value),
        Value::Number(number) => whole(field, &number),
        Value::String(text) => text_or_better(field, text),
        // The elements of a list are of the list's kind.
        Value::Array(list) => Bson::Array(list.into_iter().map(|value| to_bson(field, value)).collect()),
        Value::Object(fields) => {
            Bson::Document(fields.into_iter().map(|(name, value)| (name.clone(), to_bson(&name, value))).collect())
        }
    }
}

fn whole(field: &str, number: &serde_json::Number) -> Bson {
    match number.as_i64() {
        Some(number) if LONG.contains(&field) => Bson::Int64(number),
        Some(number) => i32::try_from(number).map_or(Bson::Int64(number), Bson::Int32),
        // None of our types has fractions.
        None => Bson::Double(number.as_f64().unwrap_or(f64::NAN)),
    }
}

fn text_or_better(field: &str, text: String) -> Bson {
    if DATES.contains(&field)
        && let Ok(at) = DateTime::parse_from_rfc3339(&text)
    {
        return date(at.to_utc());
    }
    if GUEST_IDS.contains(&field)
        && let Ok(id) = text.parse()
    {
        return guest_id(id);
    }
    Bson::String(text)
}

/// A point in time.
pub(super) fn date(at: DateTime<Utc>) -> Bson {
    Bson::DateTime(BsonDate::from_millis(at.timestamp_millis()))
}

/// A guest's id.
pub(super) fn guest_id(id: GuestId) -> Bson {
    Bson::ObjectId(ObjectId::from_bytes(id.0))
}

/// Guest ids.
pub(super) fn guest_ids<'a>(ids: impl IntoIterator<Item = &'a GuestId>) -> Vec<Bson> {
    ids.into_iter().map(|id| guest_id(*id)).collect()
}

/// A version or question number. They count from 0 and never come near the limit.
pub(super) fn number(number: u64) -> Bson {
    Bson::Int64(i64::try_from(number).unwrap_or(i64::MAX))
}

/// A stored thing read back. `collection` and `id` name it in errors; `id` must not be personal.
pub(super) fn read<T: DeserializeOwned>(collection: &str, id: &str, stored: Bson) -> Result<T> {
    serde_path_to_error::deserialize(from_bson(stored)).map_err(|error| {
        let mut path = error.path().to_string();
        let why = error.inner().to_string();
        // serde names a missing field only in words, with the path of what it is missing from.
        let missing = why.strip_prefix("missing field `").and_then(|rest| rest.split('`').next());
        if let Some(missing) = missing {
            path = if path == "." { missing.to_owned() } else { format!("{path}.{missing}") };
        }
        let what = if missing.is_some() { "is missing" } else { "is not of its kind" };
        damaged(collection, id, &path, what)
    })
}

fn from_bson(stored: Bson) -> Value {
    match stored {
        Bson::Boolean(value) => Value::Bool(value),
        Bson::Int32(number) => number.into(),
        Bson::Int64(number) => number.into(),
        // Other programs may write every number as a double.
        #[expect(clippy::cast_possible_truncation, reason = "a fraction or a huge number is left as it is")]
        Bson::Double(number) if number.fract() == 0.0 && number.abs() < 1e15 => (number as i64).into(),
        Bson::Double(number) => number.into(),
        Bson::String(text) => Value::String(text),
        Bson::DateTime(at) => {
            let at = DateTime::from_timestamp_millis(at.timestamp_millis()).unwrap_or_default();
            Value::String(at.to_rfc3339_opts(SecondsFormat::Millis, true))
        }
        Bson::ObjectId(id) => Value::String(id.to_hex()),
        Bson::Array(list) => list.into_iter().map(from_bson).collect(),
        Bson::Document(document) => {
            Value::Object(document.into_iter().map(|(name, value)| (name, from_bson(value))).collect::<Map<_, _>>())
        }
        // No field of ours holds anything else; as none, it is reported as a field that is not of its kind.
        _ => Value::Null,
    }
}

/// Fields of one document; what is wrong with one is an error that names it.
pub(super) struct Fields<'a> {
    pub collection: &'a str,
    pub id: &'a str,
    pub document: &'a Document,
}

impl Fields<'_> {
    fn wrong(&self, field: &str) -> crate::StoreError {
        let what = if self.document.contains_key(field) { "is not of its kind" } else { "is missing" };
        damaged(self.collection, self.id, field, what)
    }

    pub(super) fn optional<T>(&self, field: &str, take: impl FnOnce(&Bson) -> Option<T>) -> Result<Option<T>> {
        match self.document.get(field) {
            None | Some(Bson::Null) => Ok(None),
            Some(value) => take(value).map(Some).ok_or_else(|| self.wrong(field)),
        }
    }

    pub(super) fn needed<T>(&self, field: &str, take: impl FnOnce(&Bson) -> Option<T>) -> Result<T> {
        self.optional(field, take)?.ok_or_else(|| self.wrong(field))
    }

    pub(super) fn text(&self, field: &str) -> Result<String> {
        self.needed(field, as_text)
    }

    pub(super) fn date(&self, field: &str) -> Result<DateTime<Utc>> {
        self.needed(field, as_date)
    }

    pub(super) fn optional_date(&self, field: &str) -> Result<Option<DateTime<Utc>>> {
        self.optional(field, as_date)
    }

    /// A counter; 0 where it is missing.
    pub(super) fn count(&self, field: &str) -> Result<u32> {
        Ok(self.optional(field, |value| as_number(value).and_then(|number| u32::try_from(number).ok()))?.unwrap_or(0))
    }

    /// `false` where it is missing.
    pub(super) fn flag(&self, field: &str) -> Result<bool> {
        Ok(self.optional(field, Bson::as_bool)?.unwrap_or(false))
    }

    /// A field that serde describes.
    pub(super) fn part<T: DeserializeOwned>(&self, field: &str) -> Result<Option<T>> {
        match self.document.get(field) {
            None | Some(Bson::Null) => Ok(None),
            Some(value) => read(self.collection, self.id, value.clone()).map(Some).map_err(|_| self.wrong(field)),
        }
    }
}

pub(super) fn as_text(value: &Bson) -> Option<String> {
    value.as_str().map(str::to_owned)
}

pub(super) fn as_date(value: &Bson) -> Option<DateTime<Utc>> {
    value.as_datetime().and_then(|at| DateTime::from_timestamp_millis(at.timestamp_millis()))
}

pub(super) fn as_guest_id(value: &Bson) -> Option<GuestId> {
    value.as_object_id().map(|id| GuestId(id.bytes()))
}

/// A whole number that is not negative.
pub(super) fn as_number(value: &Bson) -> Option<u64> {
    match value {
        Bson::Int32(number) => u64::try_from(*number).ok(),
        Bson::Int64(number) => u64::try_from(*number).ok(),
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked to be whole and in range")]
        Bson::Double(number) if number.fract() == 0.0 && (0.0..1e15).contains(number) => Some(*number as u64),
        _ => None,
    }
}
