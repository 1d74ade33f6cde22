//! The Messages resource and the account, checked strictly.

use std::sync::Arc;

use axum::{
    Router,
    body::Bytes,
    extract::{ConnectInfo, OriginalUri, Request, State},
    http::{HeaderMap, Method, StatusCode, Uri, header},
    middleware::{self, Next},
    response::{IntoResponse, Response},
    routing::get,
};
use base64::{Engine, prelude::BASE64_STANDARD};
use chrono::NaiveDate;
use serde_json::{Value, json};

use super::{Answer, FakeTwilio, Shared, Text};
use crate::line::Line;

const LONGEST_TEXT: usize = 1600;
const SEND_FIELDS: [&str; 5] = ["To", "From", "MessagingServiceSid", "Body", "StatusCallback"];
const LIST_FIELDS: [&str; 7] = ["To", "From", "PageSize", "Page", "DateSent", "DateSent>", "DateSent<"];

pub(super) fn router(shared: Arc<Shared>) -> Router {
    let account = format!("/2010-04-01/Accounts/{}", FakeTwilio::ACCOUNT_SID);
    Router::new()
        .route(&format!("{account}.json"), get(fetch_account))
        .route(&format!("{account}/Messages.json"), get(list).post(send))
        .fallback(unknown)
        .method_not_allowed_fallback(unknown)
        .layer(middleware::from_fn_with_state(Arc::clone(&shared), check_credentials))
        .with_state(shared)
}

async fn unknown(State(shared): State<Arc<Shared>>, method: Method, uri: Uri) -> Response {
    fault(&shared, format!("unknown call {method} {}", uri.path()));
    refuse(404, 20404)
}

async fn check_credentials(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let expected = BASE64_STANDARD.encode(format!("{}:{}", FakeTwilio::ACCOUNT_SID, FakeTwilio::AUTH_TOKEN));
    let given = request.headers().get(header::AUTHORIZATION).and_then(|given| given.to_str().ok());
    if given.and_then(|given| given.strip_prefix("Basic ")) == Some(&expected) {
        return next.run(request).await;
    }
    if given.is_none() {
        fault(&shared, format!("no credentials for {}", request.uri().path()));
    }
    refuse(401, 20003)
}

async fn fetch_account() -> Response {
    (StatusCode::OK, axum::Json(json!({ "sid": FakeTwilio::ACCOUNT_SID, "status": "active" }))).into_response()
}

async fn send(
    State(shared): State<Arc<Shared>>,
    ConnectInfo(line): ConnectInfo<Line>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let form = match kind.starts_with("application/x-www-form-urlencoded") {
        true => read_fields(&body, &SEND_FIELDS),
        false => Err(format!("a send with the content type {kind:?}")),
    };
    let request = match form.and_then(|form| SendRequest::read(&form)) {
        Ok(request) => request,
        Err(what) => {
            fault(&shared, what);
            return refuse(400, 20001);
        }
    };
    let answer = next_answer(&shared, &request);
    match answer {
        Answer::Accept => created(&store(&shared, request)),
        Answer::CutBeforeStoring => {
            line.cut();
            StatusCode::OK.into_response()
        }
        Answer::CutAfterStoring => {
            store(&shared, request);
            line.cut();
            StatusCode::OK.into_response()
        }
        Answer::HangAfterStoring => {
            store(&shared, request);
            std::future::pending().await
        }
        refused => plain(refused).await,
    }
}

/// The answers that do not touch the message.
async fn plain(answer: Answer) -> Response {
    match answer {
        Answer::Refuse(code) => refuse(400, code),
        Answer::Status(status, body) => (status_code(status), axum::Json(body)).into_response(),
        Answer::Page(status) => {
            let page = "<html><body>something in between failed</body></html>";
            (status_code(status), [(header::CONTENT_TYPE, "text/html")], page).into_response()
        }
        Answer::TooMany(seconds) => {
            let mut response = refuse(429, 20429);
            if let Some(seconds) = seconds {
                response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
            }
            response
        }
        Answer::Hang
        | Answer::HangAfterStoring
        | Answer::Accept
        | Answer::CutBeforeStoring
        | Answer::CutAfterStoring => std::future::pending().await,
    }
}

struct SendRequest {
    to: String,
    from: Option<String>,
    messaging_service_sid: Option<String>,
    body: String,
    status_callback: Option<String>,
}

impl SendRequest {
    fn read(form: &[(String, String)]) -> Result<Self, String> {
        let field = |name| value(form, name);
        let to = field("To").ok_or("a send without To")?;
        if !is_e164(&to) {
            return Err("a send with a To that is not E.164".to_owned());
        }
        let (from, messaging_service_sid) = (field("From"), field("MessagingServiceSid"));
        match (&from, &messaging_service_sid) {
            (Some(from), None) if is_e164(from) => {}
            (None, Some(service)) if service.starts_with("MG") => {}
            _ => return Err("a send must have either a From (E.164) or a MessagingServiceSid".to_owned()),
        }
        let body = field("Body").ok_or("a send without Body")?;
        if !(1..=LONGEST_TEXT).contains(&body.chars().count()) {
            return Err(format!("a Body of {} characters", body.chars().count()));
        }
        Ok(Self { to, from, messaging_service_sid, body, status_callback: field("StatusCallback") })
    }
}

/// What was scripted for this send, what its numbers mean (Twilio's magic numbers), or success.
fn next_answer(shared: &Shared, request: &SendRequest) -> Answer {
    let mut state = shared.state();
    if let Some(answer) = state.answers_to.get_mut(&request.to).and_then(|answers| answers.pop_front()) {
        return answer;
    }
    if let Some(answer) = state.answers.pop_front() {
        return answer;
    }
    let code = match (request.from.as_deref(), request.to.as_str()) {
        (Some("+15005550001"), _) => 21212,
        (Some("+15005550007"), _) => 21606,
        (Some("+15005550008"), _) => 21611,
        (_, "+15005550001") => 21211,
        (_, "+15005550002") => 21612,
        (_, "+15005550003") => 21408,
        (_, "+15005550004") => 21610,
        (_, "+15005550009") => 21614,
        (_, to) if state.opted_out.contains(to) => 21610,
        _ => return Answer::Accept,
    };
    Answer::Refuse(code)
}

fn store(shared: &Shared, request: SendRequest) -> Text {
    let created_at = (shared.now)();
    let mut state = shared.state();
    let text = Text {
        sid: state.next_sid(),
        inbound: false,
        to: request.to,
        status: if request.from.is_some() { "queued" } else { "accepted" }.to_owned(),
        from: request.from,
        messaging_service_sid: request.messaging_service_sid,
        body: request.body,
        created_at,
        error: None,
        status_callback: request.status_callback,
    };
    if !state.forgets {
        state.texts.push(text.clone());
    }
    text
}

async fn list(State(shared): State<Arc<Shared>>, OriginalUri(uri): OriginalUri) -> Response {
    let query = match read_fields(uri.query().unwrap_or_default().as_bytes(), &LIST_FIELDS) {
        Ok(query) => query,
        Err(what) => {
            fault(&shared, what);
            return refuse(400, 20001);
        }
    };
    let scripted = shared.state().answers_to_lists.pop_front();
    match scripted {
        None | Some(Answer::Accept) => {}
        Some(answer) => return plain(answer).await,
    }
    let number = |name| value(&query, name).and_then(|number| number.parse::<usize>().ok());
    let (size, page) = (number("PageSize").unwrap_or(50), number("Page").unwrap_or(0));
    let state = shared.state();
    let fitting: Vec<&Text> = state.texts.iter().rev().filter(|text| fits(text, &query)).collect();
    let shown: Vec<Value> = fitting.iter().skip(page * size).take(size).map(|text| shown(text)).collect();
    let next = (fitting.len() > (page + 1) * size).then(|| {
        let mut next = form_urlencoded::Serializer::new(String::new());
        next.extend_pairs(query.iter().filter(|(name, _)| name != "Page"));
        next.append_pair("Page", &(page + 1).to_string());
        format!("{}?{}", uri.path(), next.finish())
    });
    axum::Json(json!({ "messages": shown, "page": page, "page_size": size, "next_page_uri": next })).into_response()
}

fn fits(text: &Text, query: &[(String, String)]) -> bool {
    query.iter().all(|(name, wanted)| match name.as_str() {
        "To" => text.to == *wanted,
        "From" => text.from.as_ref() == Some(wanted),
        // A text that still queues has no such date.
        "DateSent" | "DateSent>" | "DateSent<" => match (sent_on(text), wanted.parse::<NaiveDate>()) {
            (Some(sent), Ok(wanted)) => match name.as_str() {
                "DateSent>" => sent >= wanted,
                "DateSent<" => sent <= wanted,
                _ => sent == wanted,
            },
            _ => false,
        },
        _ => true,
    })
}

fn sent_on(text: &Text) -> Option<NaiveDate> {
    (!matches!(text.status.as_str(), "queued" | "accepted")).then(|| text.created_at.date_naive())
}

fn created(text: &Text) -> Response {
    (StatusCode::CREATED, axum::Json(shown(text))).into_response()
}

fn shown(text: &Text) -> Value {
    json!({
        "sid": text.sid,
        "account_sid": FakeTwilio::ACCOUNT_SID,
        "api_version": "2010-04-01",
        "body": text.body,
        "to": text.to,
        "from": text.from,
        "messaging_service_sid": text.messaging_service_sid,
        "direction": if text.inbound { "inbound" } else { "outbound-api" },
        "status": text.status,
        "date_created": text.created_at.to_rfc2822(),
        "date_sent": sent_on(text).map(|_| text.created_at.to_rfc2822()),
        "error_code": text.error,
        "num_segments": "1",
    })
}

fn read_fields(body: &[u8], known: &[&str]) -> Result<Vec<(String, String)>, String> {
    let fields: Vec<(String, String)> = form_urlencoded::parse(body).into_owned().collect();
    for (index, (name, _)) in fields.iter().enumerate() {
        if !known.contains(&name.as_str()) {
            return Err(format!("unknown field {name:?}"));
        }
        if fields[..index].iter().any(|(other, _)| other == name) {
            return Err(format!("repeated field {name:?}"));
        }
    }
    Ok(fields)
}

fn value(fields: &[(String, String)], name: &str) -> Option<String> {
    fields.iter().find(|(field, _)| field == name).map(|(_, value)| value.clone())
}

fn is_e164(number: &str) -> bool {
    number.strip_prefix('+').is_some_and(|digits| {
        (5..=15).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit()) && !digits.starts_with('0')
    })
}

fn fault(shared: &Shared, what: String) {
    shared.state().faults.push(what);
}

fn refuse(status: u16, code: u32) -> Response {
    let body = json!({
        "code": code,
        "message": "No.",
        "more_info": format!("https://www.twilio.com/docs/errors/{code}"),
        "status": status,
    });
    (status_code(status), axum::Json(body)).into_response()
}

fn status_code(status: u16) -> StatusCode {
    StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}
