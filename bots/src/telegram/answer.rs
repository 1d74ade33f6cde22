//! What an answer of the Bot API means.
//!
//! The Bot API says what went wrong in a number and in words. The words are matched by prefix: their endings have
//! changed over the years, and typed clients that match them whole miss some (a bot that "can't initiate
//! conversation", a query "ID" that is invalid).

use chrono::TimeDelta;
use domain::address::Address;
use serde::{Deserialize, de::DeserializeOwned};

use crate::SendOutcome;

/// How long to wait after a 429 that does not say how long.
const UNSAID_WAIT: u64 = 5;
/// Nobody is made to wait longer than a day by one answer.
const LONGEST_WAIT: u64 = 24 * 60 * 60;
/// Descriptions are kept with the message for the host; they are short, unless something else answered.
const LONGEST_DESCRIPTION: usize = 200;

const UNPARSABLE: &str = "can't parse entities";

/// A call that had no result.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CallError {
    /// The Bot API refused it.
    #[error("Telegram answered {code} {description:?}")]
    Refused {
        /// Its `error_code`; the HTTP status when the answer was not the Bot API's (a proxy's page).
        code: u16,
        /// Its `description`; empty when the answer was not the Bot API's.
        description: String,
        /// Seconds; only with 429.
        retry_after: Option<u64>,
        /// The chat's new id.
        migrate_to_chat_id: Option<i64>,
    },
    /// Certainly not done.
    #[error("not sent: {0}")]
    NotSent(String),
    /// Nobody knows whether it was done.
    #[error("in doubt: {0}")]
    InDoubt(String),
}

/// `{"ok": true, "result": ...}` or `{"ok": false, "error_code": ..., "description": ..., "parameters": ...}`.
#[derive(Deserialize)]
struct Envelope<T> {
    #[serde(default)]
    ok: bool,
    result: Option<T>,
    error_code: Option<u16>,
    description: Option<String>,
    parameters: Option<Parameters>,
}

#[derive(Default, Deserialize)]
struct Parameters {
    retry_after: Option<u64>,
    migrate_to_chat_id: Option<i64>,
}

/// Reads an answer: its status, the seconds of its `Retry-After` header, and what of its body could be read.
///
/// # Errors
/// Whatever is not a result. A success that cannot be read is in doubt, since it was a success.
pub fn read<T: DeserializeOwned>(status: u16, retry_after: Option<u64>, body: &[u8]) -> Result<T, CallError> {
    let success = (200..300).contains(&status);
    match serde_json::from_slice::<Envelope<T>>(body) {
        Ok(Envelope { ok: true, result: Some(result), .. }) => Ok(result),
        Ok(envelope) if envelope.error_code.is_some() || !success => {
            let parameters = envelope.parameters.unwrap_or_default();
            Err(CallError::Refused {
                code: envelope.error_code.unwrap_or(status),
                description: one_line(envelope.description.as_deref().unwrap_or_default()),
                retry_after: parameters.retry_after.or(retry_after),
                migrate_to_chat_id: parameters.migrate_to_chat_id,
            })
        }
        _ if success => Err(CallError::InDoubt("the answer was a success that cannot be read".to_owned())),
        _ => {
            Err(CallError::Refused { code: status, description: String::new(), retry_after, migrate_to_chat_id: None })
        }
    }
}

fn one_line(description: &str) -> String {
    // What follows quotes the message, which must not reach a log.
    let end = description.find(UNPARSABLE).map_or(description.len(), |at| at + UNPARSABLE.len());
    description[..end].chars().map(|c| if c.is_control() { ' ' } else { c }).take(LONGEST_DESCRIPTION).collect()
}

impl CallError {
    /// Our formatting is at fault: the same words go through as plain text.
    #[must_use]
    pub fn is_about_markup(&self) -> bool {
        self.is_bad_request(UNPARSABLE)
    }

    /// An edit that changes nothing: what it was for is the case already.
    #[must_use]
    pub fn is_not_modified(&self) -> bool {
        self.is_bad_request("message is not modified")
    }

    /// Whoever is written to is gone or was never there. A 403 says so in many words, some 400s do too.
    fn is_nobody_there(&self) -> bool {
        match self {
            // Without words it is not Telegram that forbids, and says nothing about the person.
            Self::Refused { code: 403, description, .. } => !description.is_empty(),
            _ => {
                ["chat not found", "private chat not found", "user not found"].iter().any(|it| self.is_bad_request(it))
            }
        }
    }

    /// The token is refused, or this is not the Bot API's address: nothing will go until the host changes something.
    #[must_use]
    pub fn is_about_account(&self) -> bool {
        matches!(self, Self::Refused { code: 401 | 404 | 300..=399, .. })
    }

    /// How long a 429 asks to wait.
    #[must_use]
    pub fn wait(&self) -> Option<TimeDelta> {
        match self {
            Self::Refused { code: 429, retry_after, .. } => {
                let seconds = retry_after.unwrap_or(UNSAID_WAIT).min(LONGEST_WAIT);
                i64::try_from(seconds).ok().map(TimeDelta::seconds)
            }
            _ => None,
        }
    }

    /// Not Telegram's word on this message: a server in trouble, or something in between that answers in its place.
    fn is_passing(&self) -> bool {
        match self {
            Self::Refused { code, description, .. } => *code >= 500 || *code == 409 || description.is_empty(),
            _ => false,
        }
    }

    fn is_bad_request(&self, words: &str) -> bool {
        match self {
            Self::Refused { code: 400, description, .. } => {
                description.strip_prefix("Bad Request: ").is_some_and(|rest| rest.starts_with(words))
            }
            _ => false,
        }
    }
}

/// What a failed attempt to send a message means for the courier.
impl From<CallError> for SendOutcome {
    fn from(error: CallError) -> Self {
        let reason = error.to_string();
        match error {
            CallError::NotSent(_) => Self::NotSent { reason },
            CallError::InDoubt(_) => Self::InDoubt { reason },
            CallError::Refused { migrate_to_chat_id: Some(chat), .. } => Self::Moved { to: Address::telegram(chat) },
            error if error.is_about_account() => {
                Self::AccountRefused { reason: format!("{reason}: check telegram.token and telegram.api_url") }
            }
            error => match error.wait() {
                Some(retry_after) => Self::TooMany { retry_after },
                None if error.is_passing() => Self::NotSent { reason },
                None if error.is_not_modified() => Self::Sent { provider_id: None },
                None if error.is_nobody_there() => Self::Unreachable { reason },
                None => Self::Failed { reason },
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(status: u16, header: Option<u64>, body: &str) -> SendOutcome {
        match read::<serde_json::Value>(status, header, body.as_bytes()) {
            Ok(_) => SendOutcome::Sent { provider_id: None },
            Err(error) => error.into(),
        }
    }

    fn kind_of_refusal(code: u16, description: &str) -> String {
        let body = serde_json::json!({"ok": false, "error_code": code, "description": description});
        let shown = format!("{:?}", outcome(code, None, &body.to_string()));
        shown.split(' ').next().unwrap().to_owned()
    }

    #[test]
    fn each_refusal_leads_where_it_should() {
        let not_modified = "Bad Request: message is not modified: specified new message content and reply markup are \
                            exactly the same as a current content and reply markup of the message";
        let table = [
            (403, "Forbidden: bot was blocked by the user", "Unreachable"),
            (403, "Forbidden: user is deactivated", "Unreachable"),
            (403, "Forbidden: bot can't initiate conversation with a user", "Unreachable"),
            (403, "Forbidden: bot was kicked from the group chat", "Unreachable"),
            (403, "Forbidden: bot was kicked from the supergroup chat", "Unreachable"),
            (403, "Forbidden: bot is not a member of the supergroup chat", "Unreachable"),
            (403, "Forbidden: the group chat was deleted", "Unreachable"),
            (400, "Bad Request: chat not found", "Unreachable"),
            (400, "Bad Request: private chat not found", "Unreachable"),
            (400, not_modified, "Sent"),
            (400, "Bad Request: message is too long", "Failed"),
            (400, "Bad Request: message text is empty", "Failed"),
            (400, "Bad Request: BUTTON_DATA_INVALID", "Failed"),
            (400, "Bad Request: reply markup is too long", "Failed"),
            (413, "Request Entity Too Large", "Failed"),
            (401, "Unauthorized", "AccountRefused"),
            (401, "Unauthorized: invalid token specified", "AccountRefused"),
            (404, "Not Found", "AccountRefused"),
            (500, "Internal Server Error: restart", "NotSent"),
            (409, "Conflict: terminated by other getUpdates request", "NotSent"),
            (429, "Too Many Requests: retry after 7", "TooMany"),
        ];
        for (code, description, expected) in table {
            assert_eq!(kind_of_refusal(code, description), expected, "{code} {description}");
        }
    }

    #[test]
    fn a_429_says_how_long_in_its_body_or_its_header() {
        let seconds = |header, body: &str| match outcome(429, header, body) {
            SendOutcome::TooMany { retry_after } => retry_after.num_seconds(),
            other => panic!("{other:?}"),
        };
        assert_eq!(seconds(Some(3), r#"{"ok":false,"error_code":429,"parameters":{"retry_after":7}}"#), 7);
        assert_eq!(seconds(Some(3), r#"{"ok":false,"error_code":429,"description":"Too Many Requests"}"#), 3);
        assert_eq!(seconds(Some(3), "<html>slow down</html>"), 3);
        assert_eq!(seconds(None, ""), 5);
        let for_ever = r#"{"ok":false,"error_code":429,"parameters":{"retry_after":18446744073709551615}}"#;
        assert_eq!(seconds(None, for_ever), 86_400);
    }

    #[test]
    fn a_group_that_became_a_supergroup_says_where_it_is_now() {
        let body = r#"{"ok":false,"error_code":400,
            "description":"Bad Request: group chat was upgraded to a supergroup chat",
            "parameters":{"migrate_to_chat_id":-1001234567890}}"#;
        assert_eq!(outcome(400, None, body), SendOutcome::Moved { to: Address::telegram(-1_001_234_567_890) });
    }

    /// Whoever sits between us and Telegram may answer with anything.
    #[test]
    fn answers_that_are_not_the_bot_apis_never_blame_the_guest() {
        for body in ["", "<html><h1>502 Bad Gateway</h1></html>", "null", "[]", "{}", r#"{"ok":"perhaps"}"#, "\0"] {
            for status in [400, 403, 408, 500, 502, 503, 504] {
                assert!(matches!(outcome(status, None, body), SendOutcome::NotSent { .. }), "{status} {body:?}");
            }
            for status in [301, 401, 404] {
                assert!(matches!(outcome(status, None, body), SendOutcome::AccountRefused { .. }), "{status} {body:?}");
            }
            assert!(matches!(outcome(200, None, body), SendOutcome::InDoubt { .. }), "{body:?}");
        }
    }

    #[test]
    fn a_description_never_quotes_the_message() {
        let words = "Bad Request: can't parse entities: Unsupported start tag \"anna\" at byte offset 7";
        let body = serde_json::json!({"ok": false, "error_code": 400, "description": words});
        let error = read::<bool>(400, None, body.to_string().as_bytes()).unwrap_err();
        assert!(error.is_about_markup() && !error.to_string().contains("anna"), "{error}");
    }

    #[test]
    fn a_description_stays_one_short_line() {
        let body = serde_json::json!({"ok": false, "error_code": 400, "description": "a\nb".repeat(1000)});
        match read::<bool>(400, None, body.to_string().as_bytes()) {
            Err(CallError::Refused { description, .. }) => {
                assert_eq!(description.chars().count(), LONGEST_DESCRIPTION);
                assert!(!description.contains('\n'));
            }
            other => panic!("{other:?}"),
        }
    }
}
