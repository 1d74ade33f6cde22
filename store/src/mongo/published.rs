//! The data of the published web application, which is only read.

use chrono::{DateTime, NaiveDate, NaiveDateTime, Utc};
use domain::adopt::PublishedGuest;
use futures_util::TryStreamExt;
use mongodb::bson::{Bson, Document, doc};

use super::{
    connect, schema,
    shape::{as_date, as_guest_id, as_number, as_text},
};
use crate::{Result, StoreError};

const SETTINGS: &str = "app-settings";

/// What there is to bring over.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Published {
    pub guests: Vec<PublishedGuest>,
    /// `YYYY-MM-DD`
    pub rsvp_deadline: Option<String>,
    pub event_name: Option<String>,
    pub event_date: Option<String>,
}

impl Published {
    /// Reads the database that the connection string names. Nothing is written there.
    ///
    /// # Errors
    /// As [`super::MongoStore::connect`] where it cannot be read; [`StoreError::Damaged`] where a field is of another
    /// kind than that application writes.
    pub async fn read(url: &str) -> Result<Self> {
        let database = connect::open_to_read(url).await?;
        if schema::is_ours(&database).await? {
            return Err(StoreError::Unusable(
                "store.url names a database of Convive itself; the published application has one of its own".to_owned(),
            ));
        }
        let settings = database.collection::<Document>("settings").find_one(doc! { "_id": SETTINGS }).await?;
        let empty = Document::new();
        let settings = Read { collection: "settings", document: settings.as_ref().unwrap_or(&empty), id: SETTINGS };
        let setting = |name: &str| -> Result<Option<String>> {
            Ok(settings.optional(name, as_text)?.filter(|text| !text.trim().is_empty()))
        };
        let found: Vec<Document> = database.collection::<Document>("guests").find(doc! {}).await?.try_collect().await?;
        Ok(Self {
            guests: found.iter().map(guest).collect::<Result<_>>()?,
            rsvp_deadline: deadline(setting("rsvpDeadline")?)?,
            event_name: setting("eventName")?,
            event_date: setting("eventDate")?,
        })
    }
}

/// A day: a time of the day would not be what that application means by it.
fn deadline(text: Option<String>) -> Result<Option<String>> {
    match text {
        Some(text) if text.trim().parse::<NaiveDate>().is_err() => Err(StoreError::Damaged(format!(
            "in the collection settings, document {SETTINGS}: rsvpDeadline is {text:?} and not a day such as 2027-06-05. \
             Correct it there"
        ))),
        text => Ok(text.map(|text| text.trim().to_owned())),
    }
}

fn guest(document: &Document) -> Result<PublishedGuest> {
    let id = document.get("_id").map(shown).unwrap_or_default();
    let fields = Read { collection: "guests", document, id: &id };
    Ok(PublishedGuest {
        first_name: fields.text("firstName")?,
        last_name: fields.text("lastName")?,
        token: fields.text("token")?,
        status: fields.optional("status", as_text)?.unwrap_or_else(|| "pending".to_owned()),
        num_guests: fields.number("numGuests")?,
        dietary: fields.text("dietary")?,
        expected_guests: fields.number("expectedGuests")?,
        is_admin: fields.optional("isAdmin", Bson::as_bool)?.unwrap_or(false),
        group_id: fields.optional("groupId", as_text)?,
        rsvp_date: fields.optional("rsvpDate", time)?,
        last_login: fields.optional("lastLogin", time)?,
        last_access: fields.optional("lastAccess", time)?,
        created_at: fields.optional("createdAt", time)?,
        id: id.clone(),
    })
}

fn shown(id: &Bson) -> String {
    as_text(id).or_else(|| as_guest_id(id).map(|id| id.to_string())).unwrap_or_else(|| id.to_string())
}

/// Fields of a guest; what is absent, null or an empty text is not there.
struct Read<'a> {
    collection: &'static str,
    document: &'a Document,
    id: &'a str,
}

impl Read<'_> {
    fn optional<T>(&self, field: &str, take: impl FnOnce(&Bson) -> Option<T>) -> Result<Option<T>> {
        match self.document.get(field) {
            None | Some(Bson::Null) => Ok(None),
            Some(Bson::String(text)) if text.is_empty() => Ok(None),
            Some(value) => take(value).map(Some).ok_or_else(|| {
                StoreError::Damaged(format!(
                    "in the collection {}, document {}: the field {field} is not of its kind. Correct it there",
                    self.collection, self.id
                ))
            }),
        }
    }

    fn text(&self, field: &str) -> Result<String> {
        Ok(self.optional(field, as_text)?.unwrap_or_default())
    }

    fn number(&self, field: &str) -> Result<u32> {
        let number = |value: &Bson| as_number(value).and_then(|number| u32::try_from(number).ok());
        Ok(self.optional(field, number)?.unwrap_or(0))
    }
}

/// A BSON date, or a text as that application writes it: ISO, with or without offset (then UTC), or a date alone.
fn time(value: &Bson) -> Option<DateTime<Utc>> {
    let Some(text) = value.as_str() else { return as_date(value) };
    let with_offset = DateTime::parse_from_rfc3339(text).map(|at| at.to_utc());
    let without = || text.parse::<NaiveDateTime>().map(|at| at.and_utc());
    let date = || text.parse::<NaiveDate>().ok()?.and_hms_opt(0, 0, 0).map(|at| at.and_utc());
    with_offset.or_else(|_| without()).ok().or_else(date)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_in_every_form_there_is() {
        let noon = DateTime::from_timestamp(1_700_000_000, 0).unwrap();
        for text in
            ["2023-11-14T22:13:20Z", "2023-11-14T22:13:20.000Z", "2023-11-14T23:13:20+01:00", "2023-11-14T22:13:20"]
        {
            assert_eq!(time(&text.into()), Some(noon), "{text}");
        }
        assert_eq!(time(&mongodb::bson::DateTime::from_millis(1_700_000_000_000).into()), Some(noon));
        assert_eq!(time(&"2023-11-14".into()).map(|at| at.to_rfc3339()), Some("2023-11-14T00:00:00+00:00".to_owned()));
        assert_eq!(time(&"soon".into()), None);
        assert_eq!(time(&7.into()), None);
    }
}
