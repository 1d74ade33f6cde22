//! A MongoDB server for tests, over the wire.
//!
//! `CONVIVE_TEST_MONGODB_URI` if it is set; else `mongod` from PATH, as a replica set of one member; else the stand-in
//! of [`start`], installed with pip. One server serves all test programs that run one after the other or beside each
//! other; it ends a minute after the last. Each test has a database of its own, which goes with it.
#![expect(clippy::expect_used, clippy::panic, reason = "a test cannot go on without its server")]

pub mod proxy;
pub mod puppet;
mod start;

use std::{
    collections::hash_map::RandomState,
    env,
    hash::{BuildHasher, Hasher},
    sync::{
        LazyLock,
        atomic::{AtomicU32, Ordering},
    },
};

use mongodb::{Client, bson::doc};

/// Names a server of one's own.
pub const URI_VARIABLE: &str = "CONVIVE_TEST_MONGODB_URI";

static SERVER: LazyLock<Server> = LazyLock::new(|| {
    let given = env::var(URI_VARIABLE).ok().filter(|uri| !uri.is_empty());
    let server = match given {
        Some(uri) => Server { uri, kind: Kind::Given },
        None => start::shared(),
    };
    start::say(&format!("MongoDB for tests: {}", server.kind.words()));
    server
});
static COUNT: AtomicU32 = AtomicU32::new(0);

/// Which server it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The one that the variable names.
    Given,
    /// `mongod` from PATH.
    Mongod,
    /// The stand-in from PyPI.
    StandIn,
}

impl Kind {
    fn words(self) -> &'static str {
        match self {
            Self::Given => "the server that CONVIVE_TEST_MONGODB_URI names",
            Self::Mongod => "mongod from PATH, a replica set of one member",
            Self::StandIn => "secantusdb from PyPI (no mongod on PATH)",
        }
    }
}

/// A running server.
#[derive(Debug, Clone)]
pub struct Server {
    /// Without a database.
    uri: String,
    pub kind: Kind,
}

/// The server of this run; starts it where there is none.
///
/// # Panics
/// When there is no way to have one; says how to get one.
#[must_use]
pub fn server() -> &'static Server {
    &SERVER
}

impl Server {
    /// `host:port` of the server, or of the first of several.
    #[must_use]
    pub fn host(&self) -> &str {
        let rest = self.uri.split("://").nth(1).unwrap_or_default();
        let rest = rest.rsplit('@').next().unwrap_or_default();
        rest.split(['/', '?', ',']).next().unwrap_or_default()
    }

    /// The connection string for a database.
    #[must_use]
    pub fn url(&self, database: &str) -> String {
        with_database(&self.uri, database)
    }
}

impl Server {
    /// The connection string for a database, by way of another `host:port`.
    #[must_use]
    pub fn url_by(&self, host: &str, database: &str) -> String {
        let url = self.url(database).replacen(self.host(), host, 1);
        // Only that way: a member's own address would go past it.
        let direct = "directConnection=true";
        if url.contains(direct) { url } else { format!("{url}{}{direct}", if url.contains('?') { '&' } else { '?' }) }
    }
}

fn with_database(uri: &str, database: &str) -> String {
    let (scheme, rest) = uri.split_once("://").unwrap_or(("mongodb", uri));
    let (hosts, options) =
        rest.split_once('?').map_or((rest, String::new()), |(hosts, options)| (hosts, format!("?{options}")));
    let hosts = hosts.split('/').next().unwrap_or_default();
    format!("{scheme}://{hosts}/{database}{options}")
}

/// A database that nobody else has; dropped in the end.
#[derive(Debug)]
pub struct TestDatabase {
    pub url: String,
    pub name: String,
}

/// An empty database.
#[must_use]
pub fn database() -> TestDatabase {
    let random = RandomState::new().build_hasher().finish();
    let name = format!("convive_test_{random:016x}_{}", COUNT.fetch_add(1, Ordering::Relaxed));
    TestDatabase { url: server().url(&name), name }
}

impl TestDatabase {
    /// A driver's own look into the database.
    ///
    /// # Panics
    /// When the server is gone.
    pub async fn look(&self) -> mongodb::Database {
        Client::with_uri_str(&self.url).await.expect("a server for tests").database(&self.name)
    }
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        let (url, name) = (self.url.clone(), self.name.clone());
        // The test's own runtime may be ending.
        let dropping = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().ok()?;
            runtime.block_on(async {
                let client = Client::with_uri_str(url).await.ok()?;
                client.database(&name).run_command(doc! { "dropDatabase": 1 }).await.ok()
            })
        });
        // Best effort: what is left over does not disturb the next test.
        let _ = dropping.join();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_is_put_into_a_connection_string() {
        for (uri, expected) in [
            ("mongodb://h:1", "mongodb://h:1/x"),
            ("mongodb://h:1/", "mongodb://h:1/x"),
            ("mongodb://a:b@h:1,i:2/old?replicaSet=rs0", "mongodb://a:b@h:1,i:2/x?replicaSet=rs0"),
            ("mongodb+srv://h?w=1", "mongodb+srv://h/x?w=1"),
        ] {
            assert_eq!(with_database(uri, "x"), expected);
        }
    }

    #[tokio::test]
    async fn the_server_has_transactions() {
        let database = database();
        let hello = database.look().await.run_command(doc! { "hello": 1 }).await.expect("an answer");
        assert!(hello.contains_key("setName") || hello.get_str("msg").is_ok_and(|msg| msg == "isdbgrid"));
    }
}
