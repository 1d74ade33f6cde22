//! Whether a text in doubt exists at Twilio, which has no idempotency keys.

use chrono::{DateTime, TimeDelta, Utc};
use serde::Deserialize;

use super::{TwilioChannel, is_service};
use crate::{Parcel, http};

/// How far Twilio's clock may be behind ours. Generous, because a text that another entry accounts for is ruled out
/// by its id anyway, while one that is overlooked would be sent twice.
const CLOCKS_DIFFER: TimeDelta = TimeDelta::seconds(30);
const PAGE_SIZE: &str = "100";
/// A guest is not sent that many texts in the minutes that matter.
const PAGES: usize = 5;
/// A hundred texts of 1600 characters and what Twilio says of each.
const LARGEST_PAGE: usize = 4 * 1024 * 1024;

#[derive(Deserialize)]
struct Page {
    messages: Vec<Listed>,
    next_page_uri: Option<String>,
}

#[derive(Deserialize)]
struct Listed {
    sid: String,
    body: Option<String>,
    to: Option<String>,
    from: Option<String>,
    messaging_service_sid: Option<String>,
    direction: String,
    /// RFC 2822.
    date_created: Option<String>,
}

impl Listed {
    /// Without a readable date it could be of any time.
    fn created_at(&self) -> DateTime<Utc> {
        let date = self.date_created.as_deref().and_then(|date| DateTime::parse_from_rfc2822(date).ok());
        date.map_or(DateTime::<Utc>::MAX_UTC, |date| date.to_utc())
    }

    fn could_be(&self, parcel: &Parcel<'_>, own: &str, earliest: DateTime<Utc>) -> bool {
        let ours = if is_service(own) { &self.messaging_service_sid } else { &self.from };
        self.direction.starts_with("outbound")
            && self.to.as_deref() == Some(parcel.address.id.as_str())
            && ours.as_deref().is_none_or(|ours| ours == own)
            && self.body.as_deref().is_some_and(|body| body.trim() == parcel.text.text.trim())
            && self.created_at() >= earliest
    }
}

/// The ids of the texts that could be this one, oldest first.
///
/// Dates are compared here, by when a text was created: asking Twilio for texts sent since a day would leave out
/// those that still queue there.
pub(super) async fn candidates(channel: &TwilioChannel, parcel: &Parcel<'_>) -> Result<Vec<String>, String> {
    let own = channel.own_side(parcel.address);
    let earliest = parcel.first_attempt_at - CLOCKS_DIFFER;
    let mut query = vec![("To", parcel.address.id.as_str()), ("PageSize", PAGE_SIZE)];
    if !is_service(own) {
        query.push(("From", own));
    }
    let first = channel.http.get(format!("{}{}", channel.api_url, channel.messages_path())).query(&query);
    let mut page = fetch(channel, first).await?;
    let mut found = Vec::new();
    for _ in 0..PAGES {
        let older = page.messages.iter().all(|message| message.created_at() < earliest);
        found.extend(page.messages.into_iter().filter(|message| message.could_be(parcel, own, earliest)));
        match page.next_page_uri {
            // Newest come first.
            Some(next) if !older && next.starts_with('/') => {
                page = fetch(channel, channel.http.get(format!("{}{next}", channel.api_url))).await?;
            }
            _ => {
                found.reverse();
                found.sort_by_key(Listed::created_at);
                return Ok(found.into_iter().map(|message| message.sid).collect());
            }
        }
    }
    Err("Twilio lists too many texts to this number".to_owned())
}

async fn fetch(channel: &TwilioChannel, request: reqwest::RequestBuilder) -> Result<Page, String> {
    let answer = http::exchange(channel.signed_in(request), channel.request_timeout, LARGEST_PAGE).await;
    let answer = answer.map_err(|_| "Twilio cannot be asked".to_owned())?;
    if answer.status != 200 {
        return Err(format!("Twilio answered {} when asked", answer.status));
    }
    let body = answer.body.unwrap_or_default();
    serde_json::from_slice(&body).map_err(|_| "Twilio's list cannot be read".to_owned())
}
