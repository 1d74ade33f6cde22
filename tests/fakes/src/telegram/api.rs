//! The HTTP side: which call it is, and how it is answered.

use std::{sync::Arc, time::Duration};

use axum::{
    Json, Router,
    body::to_bytes,
    extract::{ConnectInfo, FromRequest, Multipart, Request, State},
    http::{Method, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde_json::{Map, Value, json};

use super::{
    Answer, FakeTelegram, Shared,
    chats::Document,
    fields,
    methods::{Call, NOT_MODIFIED, Refusal},
};
use crate::line::Line;

/// Far more than any call of ours has.
const LARGEST_CALL: usize = 4 * 1024 * 1024;

pub fn router(shared: Arc<Shared>) -> Router {
    Router::new().fallback(answer).with_state(shared)
}

async fn answer(State(shared): State<Arc<Shared>>, ConnectInfo(line): ConnectInfo<Line>, request: Request) -> Response {
    if shared.is_closed() {
        line.cut();
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    }
    let response = match read(&shared, request).await {
        Ok(call) => respond(&shared, &line, &call).await,
        Err(refusal) => refuse(&shared, &refusal),
    };
    shared.happened.notify_waiters();
    response
}

/// The call, if the Bot API would take it.
async fn read(shared: &Shared, request: Request) -> Result<Call, Refusal> {
    let path = request.uri().path().to_owned();
    let fault = |code, what: String| Refusal::fault(code, format!("{what} ({path})"));
    let Some((token, method)) = route(&shared.prefix, &path) else {
        return Err(fault(404, "Not Found".to_owned()));
    };
    let method = method.to_lowercase();
    *shared.state().calls.entry(method.clone()).or_default() += 1;
    // Also for those who wait for a call that will hang.
    shared.happened.notify_waiters();
    if token != FakeTelegram::TOKEN {
        return Err(Refusal { code: 401, description: "Unauthorized".to_owned(), fault: false });
    }
    let known = fields::of(&method).ok_or_else(|| fault(404, "Not Found: method not found".to_owned()))?;
    if request.method() != Method::POST {
        return Err(fault(400, format!("Bad Request: {}, not POST", request.method())));
    }
    let bad = |what: String| fault(400, format!("Bad Request: {what}"));
    let (fields, file) = parameters(&method, request).await.map_err(bad)?;
    fields::check(known, &fields, file.is_some()).map_err(bad)?;
    Ok(Call { method, fields, file })
}

/// `{prefix}/bot{token}/{method}`.
fn route<'a>(prefix: &str, path: &'a str) -> Option<(&'a str, &'a str)> {
    let (token, method) = path.strip_prefix(prefix)?.strip_prefix("/bot")?.split_once('/')?;
    (!method.is_empty() && !method.contains('/')).then_some((token, method))
}

async fn parameters(method: &str, request: Request) -> Result<(Map<String, Value>, Option<Document>), String> {
    let kind = request.headers().get(header::CONTENT_TYPE).and_then(|it| it.to_str().ok()).unwrap_or_default();
    if kind.starts_with("multipart/form-data") {
        return form(method, request).await;
    }
    let is_json = kind.starts_with("application/json");
    let body = to_bytes(request.into_body(), LARGEST_CALL).await.map_err(|error| error.to_string())?;
    match serde_json::from_slice(&body) {
        _ if body.is_empty() => Ok((Map::new(), None)),
        Ok(Value::Object(fields)) if is_json => Ok((fields, None)),
        // A call without parameters.
        Ok(Value::Null) if is_json => Ok((Map::new(), None)),
        _ => Err("neither a JSON object nor a form".to_owned()),
    }
}

async fn form(method: &str, request: Request) -> Result<(Map<String, Value>, Option<Document>), String> {
    let mut form = Multipart::from_request(request, &()).await.map_err(|error| error.to_string())?;
    let (mut fields, mut file) = (Map::new(), None);
    while let Some(part) = form.next_field().await.map_err(|error| error.to_string())? {
        let name = part.name().unwrap_or_default().to_owned();
        let (file_name, kind) = (part.file_name().map(str::to_owned), part.content_type().map(str::to_owned));
        let text = part.text().await.map_err(|error| error.to_string())?;
        match file_name {
            Some(file_name) if name == "document" && file.is_none() => {
                file = Some(Document { name: file_name, media_type: kind.unwrap_or_default(), content: text });
            }
            Some(_) => return Err(format!("unexpected file {name}")),
            None => {
                let value = fields::from_form(method, &name, text);
                if fields.insert(name.clone(), value).is_some() {
                    return Err(format!("field {name} twice"));
                }
            }
        }
    }
    Ok((fields, file))
}

/// The scripted answer, or what the call leads to.
async fn respond(shared: &Shared, line: &Line, call: &Call) -> Response {
    let scripted = {
        let mut state = shared.state();
        state.take_script(&call.method, call.chat()).or_else(|| state.outage.clone())
    };
    match scripted {
        None | Some(Answer::Accept) => succeed(shared, line, call).await,
        Some(Answer::Hang) => hang(shared, line).await,
        Some(Answer::HangAfterStoring) => {
            let _ = perform(shared, call);
            shared.happened.notify_waiters();
            hang(shared, line).await
        }
        Some(Answer::CutConnection) => cut(line),
        Some(Answer::CutAfterStoring) => {
            let _ = perform(shared, call);
            cut(line)
        }
        Some(Answer::Raw(status, body)) => (status_code(status), body).into_response(),
        Some(Answer::Html502) => {
            let page = "<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>";
            (StatusCode::BAD_GATEWAY, [(header::CONTENT_TYPE, "text/html")], page).into_response()
        }
        Some(other) => refusal_of(&other),
    }
}

async fn succeed(shared: &Shared, line: &Line, call: &Call) -> Response {
    let performed = match call.method.as_str() {
        "getupdates" => poll(shared, line, call).await,
        _ => perform(shared, call),
    };
    match performed {
        Ok(result) => Json(json!({"ok": true, "result": result})).into_response(),
        Err(refusal) => refuse(shared, &refusal),
    }
}

fn perform(shared: &Shared, call: &Call) -> Result<Value, Refusal> {
    shared.state().perform(call)
}

/// Confirms what is below the offset, and waits for what is not.
async fn poll(shared: &Shared, line: &Line, call: &Call) -> Result<Value, Refusal> {
    let number = |name: &str| call.fields.get(name).and_then(Value::as_i64);
    let (limit, timeout) = (number("limit").unwrap_or(100), number("timeout").unwrap_or(0));
    let (Ok(limit @ 1..=100), Ok(timeout @ 0..=50)) = (usize::try_from(limit), u64::try_from(timeout)) else {
        return Err(Refusal::fault(400, "Bad Request: limit or timeout out of range"));
    };
    let turn = {
        let mut state = shared.state();
        if state.webhook.is_some() {
            return Err(Refusal { code: 409, description: WEBHOOK_IS_ACTIVE.to_owned(), fault: false });
        }
        if let Some(offset) = number("offset") {
            state.queue.retain(|update| update["update_id"].as_i64() >= Some(offset));
        }
        state.polls += 1;
        state.polls
    };
    shared.happened.notify_waiters();
    let deadline = tokio::time::Instant::now() + Duration::from_secs(timeout);
    loop {
        let mut happened = std::pin::pin!(shared.happened.notified());
        happened.as_mut().enable();
        {
            let state = shared.state();
            if state.polls != turn {
                return Err(Refusal { code: 409, description: OTHER_POLLER.to_owned(), fault: false });
            }
            let updates: Vec<Value> = state.queue.iter().take(limit).cloned().collect();
            if !updates.is_empty() || tokio::time::Instant::now() >= deadline {
                return Ok(Value::Array(updates));
            }
        }
        tokio::select! {
            () = &mut happened => {}
            () = tokio::time::sleep_until(deadline) => {}
            () = shared.until_closed() => {
                line.cut();
                return Ok(Value::Array(Vec::new()));
            }
        }
    }
}

const WEBHOOK_IS_ACTIVE: &str = "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to \
                                 delete the webhook first";
const OTHER_POLLER: &str = "Conflict: terminated by other getUpdates request; make sure that only one bot instance is \
                            running";

async fn hang(shared: &Shared, line: &Line) -> Response {
    shared.until_closed().await;
    cut(line)
}

fn cut(line: &Line) -> Response {
    line.cut();
    StatusCode::OK.into_response()
}

fn refuse(shared: &Shared, refusal: &Refusal) -> Response {
    if refusal.fault {
        shared.state().faults.push(refusal.description.clone());
    }
    error(refusal.code, &refusal.description, Value::Null)
}

fn refusal_of(answer: &Answer) -> Response {
    match answer {
        Answer::TooMany(seconds) => {
            let words = format!("Too Many Requests: retry after {seconds}");
            let body = error(429, &words, json!({"retry_after": seconds}));
            ([(header::RETRY_AFTER, seconds.to_string())], body).into_response()
        }
        Answer::Moved(to) => {
            error(400, "Bad Request: group chat was upgraded to a supergroup chat", json!({"migrate_to_chat_id": to}))
        }
        Answer::Blocked => error(403, "Forbidden: bot was blocked by the user", Value::Null),
        Answer::Deactivated => error(403, "Forbidden: user is deactivated", Value::Null),
        Answer::CannotInitiate => error(403, "Forbidden: bot can't initiate conversation with a user", Value::Null),
        Answer::ChatNotFound => error(400, "Bad Request: chat not found", Value::Null),
        Answer::CantParseEntities => {
            error(400, "Bad Request: can't parse entities: unsupported start tag \"3\" at byte offset 10", Value::Null)
        }
        Answer::NotModified => error(400, NOT_MODIFIED, Value::Null),
        Answer::QueryTooOld => {
            error(400, "Bad Request: query is too old and response timeout expired or query ID is invalid", Value::Null)
        }
        Answer::Conflict => error(409, OTHER_POLLER, Value::Null),
        Answer::Status(status) => {
            let words = status_code(*status).canonical_reason().unwrap_or("Error");
            error(*status, words, Value::Null)
        }
        _ => error(500, "Internal Server Error: restart", Value::Null),
    }
}

fn error(code: u16, description: &str, parameters: Value) -> Response {
    let mut body = json!({"ok": false, "error_code": code, "description": description});
    if !parameters.is_null() {
        body["parameters"] = parameters;
    }
    (status_code(code), Json(body)).into_response()
}

fn status_code(code: u16) -> StatusCode {
    StatusCode::from_u16(code).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}
