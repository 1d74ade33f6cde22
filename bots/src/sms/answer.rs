//! What Twilio's answer to a send means.

use chrono::TimeDelta;
use serde::Deserialize;

use crate::{SendOutcome, http::Answer};

/// How long to wait after a 429 that does not say how long, in seconds.
const UNSAID_WAIT: u64 = 5;
/// How long to wait when a queue at Twilio is full, in seconds: it empties by a segment a second or so.
const FULL_QUEUE_WAIT: u64 = 60;
/// Nobody is made to wait longer than a day by one answer.
const LONGEST_WAIT: u64 = 24 * 60 * 60;

#[derive(Deserialize)]
struct Created {
    sid: String,
}

/// Twilio's message text is left alone: it repeats phone numbers.
#[derive(Deserialize)]
struct Refused {
    code: u32,
}

/// Reads the answer to a send.
pub(super) fn read(answer: &Answer) -> SendOutcome {
    let Answer { status, retry_after, body } = answer;
    if (200..300).contains(status) {
        return created(body.as_deref());
    }
    let code =
        body.as_deref().and_then(|body| serde_json::from_slice::<Refused>(body).ok()).map(|refused| refused.code);
    refused(*status, code, *retry_after)
}

/// Reads the answer to a question about the account.
pub(super) fn read_account(answer: &Answer) -> Result<(), String> {
    #[derive(Deserialize)]
    struct Account {
        status: String,
    }
    match answer.status {
        200 => match answer.body.as_deref().and_then(|body| serde_json::from_slice::<Account>(body).ok()) {
            Some(Account { status }) if status == "active" => Ok(()),
            Some(_) => Err("the Twilio account is not active: see the Twilio console".to_owned()),
            None => Err("what answers is not Twilio (twilio.api_url)".to_owned()),
        },
        401 => Err("Twilio refuses the token (twilio.account_sid and twilio.auth_token)".to_owned()),
        // A test account, which may send but not be asked.
        403 => Ok(()),
        404 => Err("Twilio does not know the account (twilio.account_sid)".to_owned()),
        status => Err(format!("Twilio answered {status}; try again later")),
    }
}

fn created(body: Option<&[u8]>) -> SendOutcome {
    match body.and_then(|body| serde_json::from_slice::<Created>(body).ok()) {
        Some(Created { sid }) => SendOutcome::Sent { provider_id: Some(sid) },
        // It was taken, but its id broke off on the way; asking finds both.
        None => SendOutcome::InDoubt { reason: "Twilio's answer cannot be read".to_owned() },
    }
}

fn refused(status: u16, code: Option<u32>, retry_after: Option<u64>) -> SendOutcome {
    let reason = |what: &str| match code {
        Some(code) => format!("Twilio answered {status} (error {code}): {what}"),
        None => format!("Twilio answered {status}: {what}"),
    };
    let too_many = |unsaid: u64| {
        let seconds = retry_after.unwrap_or(unsaid).clamp(1, LONGEST_WAIT);
        SendOutcome::TooMany { retry_after: TimeDelta::seconds(i64::try_from(seconds).unwrap_or(i64::MAX)) }
    };
    match (code.unwrap_or_default(), status) {
        (21610, _) => SendOutcome::OptedOut { reason: reason("the person opted out") },
        (21211 | 21217 | 21612 | 21614 | 21635 | 30005 | 30006, _) => {
            SendOutcome::Unreachable { reason: reason("texts do not arrive at this number") }
        }
        // Queues of a number and of the account, and the limits of unregistered senders.
        (21611 | 30001 | 30022, _) => too_many(FULL_QUEUE_WAIT),
        (20429 | 63017 | 63018, _) | (_, 429) => too_many(UNSAID_WAIT),
        (21408, _) => SendOutcome::Failed { reason: reason("the account may not send to this country") },
        (21608, _) => SendOutcome::Failed { reason: reason("a trial account sends only to numbers verified with it") },
        (30004 | 30007, _) => SendOutcome::Failed { reason: reason("the network blocked the text") },
        // The sender is not ours, cannot send texts, is not registered, or the service does not exist or is empty.
        (21212 | 21606 | 21659 | 21660 | 21701 | 21703 | 30032 | 30034, _) => SendOutcome::AccountRefused {
            reason: reason("we may not send from there (twilio.from or twilio.messaging_service_sid)"),
        },
        (21609, _) => SendOutcome::AccountRefused {
            reason: reason("the address for status reports is refused (http.public_url)"),
        },
        (_, 401 | 403 | 404) => SendOutcome::AccountRefused {
            reason: reason("the account is refused (twilio.account_sid and twilio.auth_token)"),
        },
        // The part of Twilio that answers gave up on the part that sends.
        (_, 504) => SendOutcome::InDoubt { reason: reason("no word from within") },
        (_, 500..) => SendOutcome::NotSent { reason: reason("Twilio has a fault") },
        (_, 408) => SendOutcome::NotSent { reason: reason("the request did not arrive whole") },
        _ => SendOutcome::Failed { reason: reason("the text is refused") },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(status: u16, body: &str) -> String {
        let answer = Answer { status, retry_after: None, body: Some(body.as_bytes().to_vec()) };
        match read(&answer) {
            SendOutcome::Sent { provider_id } => format!("sent {}", provider_id.unwrap()),
            SendOutcome::TooMany { retry_after } => format!("wait {}", retry_after.num_seconds()),
            SendOutcome::NotSent { .. } => "not sent".to_owned(),
            SendOutcome::InDoubt { .. } => "in doubt".to_owned(),
            SendOutcome::Failed { .. } => "failed".to_owned(),
            SendOutcome::Unreachable { .. } => "unreachable".to_owned(),
            SendOutcome::OptedOut { .. } => "opted out".to_owned(),
            SendOutcome::AccountRefused { .. } => "account".to_owned(),
            SendOutcome::Moved { .. } => "moved".to_owned(),
        }
    }

    #[test]
    fn every_answer_means_one_thing() {
        for (status, body, expected) in [
            (201, r#"{"sid":"SM1","status":"queued"}"#, "sent SM1"),
            (200, r#"{"sid":"SM1"}"#, "sent SM1"),
            (201, r#"{"sid":"SM"#, "in doubt"),
            (400, r#"{"code":21610,"message":"...","status":400}"#, "opted out"),
            (400, r#"{"code":21211}"#, "unreachable"),
            (400, r#"{"code":21612}"#, "unreachable"),
            (400, r#"{"code":21614}"#, "unreachable"),
            (400, r#"{"code":21635}"#, "unreachable"),
            (400, r#"{"code":30005}"#, "unreachable"),
            (400, r#"{"code":30006}"#, "unreachable"),
            (400, r#"{"code":21611}"#, "wait 60"),
            (429, r#"{"code":30001}"#, "wait 60"),
            (429, r#"{"code":20429}"#, "wait 5"),
            (429, "<html>slow down</html>", "wait 5"),
            (400, r#"{"code":21408}"#, "failed"),
            (400, r#"{"code":30007}"#, "failed"),
            (400, r#"{"code":21617}"#, "failed"),
            (400, "nonsense", "failed"),
            (413, "", "failed"),
            (400, r#"{"code":21212}"#, "account"),
            (400, r#"{"code":21606}"#, "account"),
            (400, r#"{"code":30034}"#, "account"),
            (401, r#"{"code":20003}"#, "account"),
            (403, r#"{"code":20008}"#, "account"),
            (404, r#"{"code":20404}"#, "account"),
            (500, r#"{"code":20500}"#, "not sent"),
            (502, "<html>bad gateway</html>", "not sent"),
            (503, "", "not sent"),
            (504, "", "in doubt"),
            (301, "", "failed"),
        ] {
            assert_eq!(outcome(status, body), expected, "{status} {body}");
        }
    }

    #[test]
    fn an_answer_says_how_long_to_wait_within_reason() {
        for (retry_after, seconds) in [(Some(7), 7), (Some(0), 1), (Some(u64::MAX), 86_400), (None, 5)] {
            let answer = Answer { status: 429, retry_after, body: None };
            assert_eq!(read(&answer), SendOutcome::TooMany { retry_after: TimeDelta::seconds(seconds) });
        }
    }

    #[test]
    fn reasons_repeat_nothing_that_twilio_wrote() {
        let body = br#"{"code":21211,"message":"The 'To' number +447700900123 is not a valid phone number."}"#;
        let answer = Answer { status: 400, retry_after: None, body: Some(body.to_vec()) };
        assert_eq!(
            read(&answer),
            SendOutcome::Unreachable {
                reason: "Twilio answered 400 (error 21211): texts do not arrive at this number".to_owned()
            }
        );
    }
}
