//! The API as clients meet it: requests to the router, over a store in a folder of its own.

mod auth;
mod guests;
mod props;
mod published;
mod rsvp;
mod settings;

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex, OnceLock},
};

use app::{App, Clock, command_line};
use axum::{
    Router,
    body::Body,
    extract::ConnectInfo,
    http::{HeaderMap, Method, Request, header},
};
use chrono::{DateTime, TimeDelta, Utc};
use domain::{
    conversation::Policy,
    guest_file::{self, ReadDefaults},
    model::Guest,
};
use mongo_server::TestDatabase;
use secrecy::SecretString;
use serde_json::{Value, json};
use store::{Store, mongo::MongoStore, sqlite::SqliteStore};
use tempfile::TempDir;
use tower::ServiceExt;

use super::*;
use crate::{
    Parts,
    tokens::{Issuer, Lifetimes, SigningKey, Verifier},
};

const NOW: &str = "2026-11-02T10:00:00Z";
const GUESTS: &str = "\
code,first_name,last_name,group,expected,admin
K7QF2M,Anna,Holloway,P7,1,
B3NH4Z,Ben,Holloway,P7,1,
B8TAN7,Bob,Tanner,P7,3,
H4TR8W,Maria,Santos,,1,
P9DX3C,Maria,Santos,,2,
M9STHE,Mia,Hart,,1,yes
";

/// Made once for all tests: it takes a while.
fn pem() -> &'static SecretString {
    static PEM: OnceLock<SecretString> = OnceLock::new();
    PEM.get_or_init(|| SigningKey::make().unwrap())
}

/// Stands still until it is moved; draws the same numbers in every run.
struct TestClock(Mutex<(DateTime<Utc>, u64)>);

impl Clock for TestClock {
    fn now(&self) -> DateTime<Utc> {
        self.0.lock().unwrap().0
    }

    fn random(&self, bytes: &mut [u8]) {
        let mut inner = self.0.lock().unwrap();
        for byte in bytes {
            inner.1 = inner.1.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            *byte = inner.1.to_be_bytes()[0];
        }
    }
}

/// One event with its guests, another one with one, and the server.
pub(crate) struct World {
    pub app: App,
    pub web: Web,
    clock: Arc<TestClock>,
    router: Router,
    _folder: TempDir,
    _database: Option<TestDatabase>,
}

/// With this in the environment the tests run on MongoDB instead of the embedded store, as the stories do.
const ON_MONGODB: &str = "CONVIVE_STORIES_ON_MONGODB";

/// What the server answered.
#[derive(Debug)]
pub(crate) struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    pub text: String,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The body of an answer with this status.
    #[track_caller]
    pub fn is(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{self:?}");
        self.json()
    }

    /// That it is an error of this kind; its details.
    #[track_caller]
    pub fn fails(&self, status: u16, code: &str) -> Value {
        let body = self.is(status);
        assert_eq!(body["code"], code, "{self:?}");
        assert!(body["error"].as_str().is_some_and(|error| error.len() > 5), "{self:?}");
        body["details"].clone()
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map(|value| value.to_str().unwrap()).unwrap_or_default()
    }
}

impl World {
    pub async fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let database = std::env::var_os(ON_MONGODB).map(|_| mongo_server::database());
        let store: Arc<dyn Store> = match &database {
            Some(database) => Arc::new(MongoStore::connect(&database.url).await.unwrap()),
            None => Arc::new(SqliteStore::open(&folder.path().join("convive.db")).unwrap()),
        };
        let clock = Arc::new(TestClock(Mutex::new((NOW.parse().unwrap(), 1))));
        let policy = Policy { provider_keywords: true, calendar_domain: "rsvp.example.org".into() };
        let app = App::new(store, clock.clone(), policy);
        let lifetimes = Lifetimes { guest: TimeDelta::days(30), host: TimeDelta::hours(12) };
        let issuer = Issuer::new("convive", lifetimes, vec![SigningKey::read(pem(), DateTime::UNIX_EPOCH).unwrap()]);
        let verifier = Verifier::new("convive", issuer.public_keys());
        let web = Web::new(Parts {
            app: app.clone(),
            issuer: Some(issuer),
            verifier,
            is_trusted_proxy: Arc::new(|address| address.is_loopback()),
            cors_origins: Arc::new(["https://party.example.org".to_owned()]),
        });
        let world = Self { app, router: router(web.clone()), web, clock, _folder: folder, _database: database };
        world.invite("Harbour Supper", GUESTS).await;
        world.invite("Other Party", "code,last_name,admin\nX4OTHR,Other,yes\n").await;
        world
    }

    async fn invite(&self, name: &str, guests: &str) {
        let pairs = [
            ("name", name),
            ("starts_at", "2026-11-28T18:00"),
            ("time_zone", "Europe/London"),
            ("rsvp_deadline", "2026-11-20"),
            ("place", "The Old Boathouse"),
            ("phone_region", "GB"),
        ];
        let pairs: Vec<_> = pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        let id = name.to_lowercase().replace(' ', "-").as_str().into();
        let event = self.app.set_event(Some(&id), &pairs, &command_line()).await.unwrap().event().clone();
        let sheet = guest_file::read(guests.as_bytes(), &ReadDefaults { region: Some("GB") }).unwrap();
        self.app.import_guests(&event.id, &sheet, &command_line()).await.unwrap();
    }

    pub fn advance(&self, by: TimeDelta) {
        self.clock.0.lock().unwrap().0 += by;
    }

    pub fn set_now(&self, now: &str) {
        self.clock.0.lock().unwrap().0 = now.parse().unwrap();
    }

    pub async fn guest(&self, code: &str) -> Guest {
        self.app.guest_with_code(None, code).await.unwrap()
    }

    pub async fn id(&self, code: &str) -> String {
        self.guest(code).await.id.to_string()
    }

    /// A token for whoever has this code.
    pub async fn token(&self, code: &str) -> String {
        let guest = self.guest(code).await;
        self.web.issuer.as_ref().unwrap().issue(&guest, self.app.clock.now()).unwrap()
    }

    pub async fn send(&self, request: Request<Body>) -> Answer {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = axum::body::to_bytes(body, usize::MAX).await.unwrap();
        Answer {
            status: parts.status.as_u16(),
            headers: parts.headers,
            text: String::from_utf8(bytes.to_vec()).unwrap(),
        }
    }

    pub fn request(&self, method: Method, path: &str, token: Option<&str>, body: impl Into<Body>) -> Request<Body> {
        let mut request = Request::builder().method(method).uri(path).header(header::CONTENT_TYPE, "application/json");
        if let Some(token) = token {
            request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
        }
        let peer: SocketAddr = "203.0.113.9:4000".parse().unwrap();
        request.extension(ConnectInfo(peer)).body(body.into()).unwrap()
    }

    pub async fn log_in(&self, code: &str, last_name: &str) -> Answer {
        let body = json!({ "token": code, "lastName": last_name }).to_string();
        self.send(self.request(Method::POST, "/api/auth/login", None, body)).await
    }

    /// A request by whoever has this code.
    pub async fn call(&self, code: &str, method: Method, path: &str, body: Option<Value>) -> Answer {
        let token = self.token(code).await;
        let body = body.map(|body| body.to_string()).unwrap_or_default();
        self.send(self.request(method, path, Some(&token), body)).await
    }

    pub async fn get(&self, code: &str, path: &str) -> Answer {
        self.call(code, Method::GET, path, None).await
    }

    pub async fn put(&self, code: &str, path: &str, body: Value) -> Answer {
        self.call(code, Method::PUT, path, Some(body)).await
    }

    pub async fn post(&self, code: &str, path: &str, body: Value) -> Answer {
        self.call(code, Method::POST, path, Some(body)).await
    }

    pub async fn delete(&self, code: &str, path: &str) -> Answer {
        self.call(code, Method::DELETE, path, None).await
    }

    /// Each record of the group P7 as `Name status self+companions+extras`.
    pub async fn family(&self) -> String {
        let mut text = Vec::new();
        for code in ["K7QF2M", "B3NH4Z", "B8TAN7"] {
            let guest = self.guest(code).await;
            let numbers = (u8::from(guest.self_coming), guest.companions_coming, guest.extra_guests);
            text.push(format!(
                "{} {} {}+{}+{}",
                guest.first_name,
                guest.status.as_str(),
                numbers.0,
                numbers.1,
                numbers.2
            ));
        }
        text.join(", ")
    }
}

#[tokio::test]
async fn the_document_names_every_route_and_every_status_is_documented_there() {
    let world = World::new().await;
    let document = world.get("K7QF2M", "/api/openapi.json").await.is(200);
    let paths = document["paths"].as_object().unwrap();
    let mut routes: Vec<String> = paths
        .iter()
        .flat_map(|(path, methods)| methods.as_object().unwrap().keys().map(move |method| format!("{method} {path}")))
        .collect();
    routes.sort();
    expect_test::expect![[r#"
        delete /api/admin/guests/{id}
        delete /api/admin/guests/{id}/group
        get /api/admin/guests
        get /api/admin/guests/{id}
        get /api/admin/settings
        get /api/rsvp
        post /api/admin/guests
        post /api/admin/guests/{id}/token
        post /api/auth/login
        post /api/auth/logout
        put /api/admin/guests/{id}
        put /api/admin/guests/{id}/group
        put /api/admin/settings
        put /api/rsvp"#]]
    .assert_eq(&routes.join("\n"));
    assert_eq!(document["components"]["securitySchemes"]["bearer"]["scheme"], "bearer");
}

#[tokio::test]
async fn what_is_not_there_is_told_in_json() {
    let world = World::new().await;
    world.get("K7QF2M", "/api/nothing").await.fails(404, "no_such_route");
    world.delete("K7QF2M", "/api/rsvp").await.fails(405, "wrong_method");
    // A link cannot change anything.
    let id = world.id("K7QF2M").await;
    world.get("M9STHE", &format!("/api/admin/guests/{id}/delete")).await.fails(404, "no_such_route");
    world.get("M9STHE", &format!("/api/admin/guests/{id}/token")).await.fails(405, "wrong_method");
}

#[tokio::test]
async fn answers_are_not_kept_in_caches_but_public_keys_are() {
    let world = World::new().await;
    assert_eq!(world.get("K7QF2M", "/api/rsvp").await.header("cache-control"), "no-store");
    let keys = world.send(world.request(Method::GET, "/.well-known/jwks.json", None, "")).await;
    assert_eq!(keys.header("cache-control"), "public, max-age=60");
    let key = &keys.is(200)["keys"][0];
    assert_eq!((&key["kty"], &key["alg"], &key["use"]), (&json!("RSA"), &json!("RS256"), &json!("sig")));
}

#[tokio::test]
async fn pages_of_configured_origins_may_use_the_api() {
    let world = World::new().await;
    for (origin, allowed) in [("https://party.example.org", "https://party.example.org"), ("https://evil.example", "")]
    {
        let mut request = world.request(Method::OPTIONS, "/api/rsvp", None, "");
        let headers = request.headers_mut();
        headers.insert("origin", origin.parse().unwrap());
        headers.insert("access-control-request-method", "PUT".parse().unwrap());
        headers.insert("access-control-request-headers", "authorization,content-type".parse().unwrap());
        let answer = world.send(request).await;
        assert_eq!(answer.header("access-control-allow-origin"), allowed);
        let mut request = world.request(Method::POST, "/api/auth/logout", None, "");
        request.headers_mut().insert("origin", origin.parse().unwrap());
        assert_eq!(world.send(request).await.header("access-control-allow-origin"), allowed);
    }
}

#[tokio::test]
async fn bodies_are_json_of_a_sensible_size() {
    let world = World::new().await;
    let token = world.token("K7QF2M").await;
    let put = |body: String| world.send(world.request(Method::PUT, "/api/rsvp", Some(&token), body));
    for body in ["", "{", "numGuests=1", "{\"numGuests\":1} x", "\u{feff}{}", "{\"x\":["] {
        put(body.to_owned()).await.fails(400, "bad_json");
    }
    put(format!("{{\"dietary\":\"{}\"}}", "x".repeat(LIMIT))).await.fails(413, "too_large");
    for (body, field) in [
        ("{\"numGuests\":-1}", "numGuests"),
        ("{\"numGuests\":1e400}", "numGuests"),
        ("{\"numGuests\":99999999999999999999}", "numGuests"),
        ("{\"numGuests\":1.5}", "numGuests"),
        ("{\"numGuests\":\"3\"}", "numGuests"),
        ("{\"numGuests\":{\"$gt\":0}}", "numGuests"),
        ("{\"numGuests\":1,\"dietary\":{\"$ne\":null}}", "dietary"),
        ("{\"numGuests\":1,\"groupStatus\":\"maybe\"}", "groupStatus"),
        ("{\"members\":[{\"_id\":{\"$oid\":\"x\"}}]}", "members[0]._id"),
        ("{\"members\":[{\"_id\":\"x\",\"status\":\"perhaps\"}]}", "members[0].status"),
        ("{}", "numGuests"),
        ("[1]", ""),
        (&"[".repeat(500), ""),
        ("{\"members\":[[\"x\"]]}", "members[0]"),
        ("\"x\"", ""),
    ] {
        let details = put(body.to_owned()).await.fails(422, "invalid");
        assert_eq!(details["field"], field, "{body}");
    }
    assert_eq!(world.family().await, "Anna pending 0+0+0, Ben pending 0+0+0, Bob pending 0+0+0");
}
