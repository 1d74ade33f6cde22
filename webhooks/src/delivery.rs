//! Twilio's later word on texts to people. Reports come in any order, more than once, and sometimes before the
//! courier has noted that the text was taken; the store sorts that out.

use std::sync::Arc;

use axum::{
    body::Body,
    extract::{OriginalUri, State},
    http::{HeaderMap, StatusCode},
    response::Response,
};
use chrono::{DateTime, Utc};
use store::{DeliveryReport, DeliveryStatus};

use crate::{
    body::status,
    sms::{Fields, Open, TwilioDoor, count},
};

/// "Attempt to send to unsubscribed recipient": the person opted out at Twilio.
const OPTED_OUT: &str = "21610";

pub(crate) async fn receive(
    State(open): State<Arc<Open>>,
    target: OriginalUri,
    headers: HeaderMap,
    body: Body,
) -> Result<StatusCode, Response> {
    let fields = open.door.authenticate(&target, &headers, body).await?;
    let report = match read_report(&open.door, &fields, open.app.clock.now()) {
        Ok(Some(report)) => report,
        Ok(None) => {
            count("ignored");
            return Ok(StatusCode::NO_CONTENT);
        }
        Err(field) => {
            count("refused");
            tracing::warn!(channel = "sms", field, "a status report has a field that is missing or cannot be read");
            return Err(status(StatusCode::BAD_REQUEST));
        }
    };
    open.app.store.report_delivery(report).await.map_err(|error| {
        tracing::error!(channel = "sms", %error, "a status report could not be kept");
        count("failed");
        status(StatusCode::SERVICE_UNAVAILABLE)
    })?;
    count("report");
    Ok(StatusCode::NO_CONTENT)
}

/// `None` for a word that means nothing to us (Twilio adds new ones without notice).
///
/// # Errors
/// The name of the field that is missing or is not what it should be.
fn read_report(door: &TwilioDoor, fields: &Fields, at: DateTime<Utc>) -> Result<Option<DeliveryReport>, &'static str> {
    let provider_id = fields.message_sid().ok_or("MessageSid")?.to_owned();
    let word = fields.get("MessageStatus").or_else(|| fields.get("SmsStatus")).ok_or("MessageStatus")?;
    let Some(status) = read_status(word) else { return Ok(None) };
    let error = fields.get("ErrorCode").filter(|code| !code.is_empty());
    let opted_out = match (error, fields.get("From"), fields.get("To")) {
        (Some(OPTED_OUT), Some(ours), Some(theirs)) => Some(door.address(fields, ours, theirs)),
        _ => None,
    };
    Ok(Some(DeliveryReport { provider_id, at, status, error: error.map(str::to_owned), opted_out }))
}

pub(crate) fn read_status(word: &str) -> Option<DeliveryStatus> {
    Some(match word {
        "accepted" | "scheduled" => DeliveryStatus::Accepted,
        "queued" => DeliveryStatus::Queued,
        "sending" => DeliveryStatus::Sending,
        "sent" | "partially_delivered" => DeliveryStatus::Sent,
        "delivered" => DeliveryStatus::Delivered,
        "undelivered" => DeliveryStatus::Undelivered,
        "failed" | "canceled" => DeliveryStatus::Failed,
        "read" => DeliveryStatus::Read,
        _ => return None,
    })
}
