//! Reaching the deployment, and finding out whether it can be used.

use std::{collections::HashSet, time::Duration};

use mongodb::{
    Client, Database,
    bson::{Document, doc},
    event::{EventHandler, command::CommandEvent},
    options::{Acknowledgment, ClientOptions, ReadConcern, ReadPreference, SelectionCriteria, WriteConcern},
};

use super::{error::is_of_the_network, schema};
use crate::{Result, StoreError};

/// The database where the connection string names none.
const DATABASE: &str = "convive";
/// How long an operation waits for a server, unless the connection string says otherwise.
const SERVER_SELECTION: Duration = Duration::from_secs(5);
/// How often a server that does not answer is tried at the start.
const TRIES: u32 = 3;
/// More may be opened by the connection string.
const MOST_CONNECTIONS: u32 = 100;
/// How long a server is asked for its replica set when none of the one that is meant is found.
const PROBE: Duration = Duration::from_secs(2);
const CONNECT: Duration = Duration::from_secs(5);

/// Every acknowledged write is on the disks of most members.
pub(super) fn durable() -> WriteConcern {
    WriteConcern::builder().w(Acknowledgment::Majority).journal(true).build()
}

/// Opens the database, makes what is missing in it, and refuses what cannot work.
pub(super) async fn open(url: &str, watcher: Option<EventHandler<CommandEvent>>) -> Result<(Client, Database)> {
    let options = options(url, watcher).await?;
    let client = Client::with_options(options.clone()).map_err(|error| unusable_url(url, &error))?;
    let database = client.default_database().unwrap_or_else(|| client.database(DATABASE));
    let hello = say_hello(&database, &options).await?;
    can_transact(&hello)?;
    schema::prepare(&database).await?;
    Ok((client, database))
}

/// Opens a database of another program. Nothing is made in it.
pub(super) async fn open_to_read(url: &str) -> Result<Database> {
    let options = options(url, None).await?;
    let client = Client::with_options(options.clone()).map_err(|error| unusable_url(url, &error))?;
    let Some(database) = client.default_database() else {
        return Err(StoreError::Unusable(
            "the connection string names no database; write it as mongodb://HOST/DATABASE".to_owned(),
        ));
    };
    say_hello(&database, &options).await?;
    Ok(database)
}

async fn options(url: &str, watcher: Option<EventHandler<CommandEvent>>) -> Result<ClientOptions> {
    let mut options = ClientOptions::parse(url)
        .await
        .map_err(|error| if is_of_the_network(&error) { error.into() } else { unusable_url(url, &error) })?;
    options.app_name.get_or_insert_with(|| "convive".to_owned());
    options.server_selection_timeout.get_or_insert(SERVER_SELECTION);
    options.connect_timeout.get_or_insert(CONNECT);
    options.max_pool_size.get_or_insert(MOST_CONNECTIONS);
    options.write_concern = Some(durable());
    options.read_concern = Some(ReadConcern::majority());
    // A decision rests on what was written last, and only the primary knows that.
    options.selection_criteria = Some(SelectionCriteria::ReadPreference(ReadPreference::Primary));
    options.command_event_handler = watcher;
    Ok(options)
}

/// The driver's words, which may quote what is in the connection string: names of options show, nothing else of it. (A
/// slip in an address makes a password part of what looks like a host.)
fn unusable_url(url: &str, error: &mongodb::error::Error) -> StoreError {
    let why = without_values(url, &error.kind.to_string());
    StoreError::Unusable(format!(
        "store.url is not a connection string of MongoDB that can be used: {why}. It looks like \
         mongodb://HOST/convive?replicaSet=rs0 or mongodb+srv://USER:PASSWORD@HOST/convive; special characters in the user \
         name and the password are written as %40 for @, %3A for :, %2F for /, %25 for %, and the @ before HOST as itself"
    ))
}

/// The text without the words of the connection string, as they are written there and as they are meant.
fn without_values(url: &str, text: &str) -> String {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '%' | '+' | '~' | '!' | '*' | '$');
    let decoded = percent_encoding::percent_decode_str(url).decode_utf8_lossy().into_owned();
    let mut values: HashSet<&str> = HashSet::new();
    for written in [url, decoded.as_str()] {
        let rest = written.split_once("://").map_or(written, |(_, rest)| rest);
        let (place, options) = rest.split_once('?').unwrap_or((rest, ""));
        values.extend(place.split(|c| !is_word(c)));
        for option in options.split('&') {
            let (name, value) = option.split_once('=').unwrap_or((option, ""));
            // A name that the driver does not know may be a password whose ? and & were not written as %3F and %26.
            let is_name = name.chars().all(|c| c.is_ascii_alphabetic()) && !place.is_empty() && option.contains('=');
            values.extend(value.split(|c| !is_word(c)));
            values.extend(
                if is_name { None } else { Some(name) }.into_iter().flat_map(|name| name.split(|c| !is_word(c))),
            );
        }
    }
    values.remove("");
    let mut shown = String::with_capacity(text.len());
    let mut word = String::new();
    for c in text.chars().chain(std::iter::once(' ')) {
        if is_word(c) {
            word.push(c);
            continue;
        }
        let bare = word.trim_end_matches('.');
        let hides = values.iter().any(|value| *value == bare || value.len() > 3 && word.contains(value));
        shown.push_str(if hides { "..." } else { &word });
        word.clear();
        shown.push(c);
    }
    shown.trim_end().trim_end_matches('.').to_owned()
}

/// Waits a bounded time for a server that does not answer yet.
async fn say_hello(database: &Database, options: &ClientOptions) -> Result<Document> {
    let mut tries = 1;
    loop {
        match database.run_command(doc! { "hello": 1 }).await {
            Ok(hello) => return Ok(hello),
            Err(error) if is_of_the_network(&error) && tries < TRIES => {
                if let Some(error) = other_set(options).await {
                    return Err(error);
                }
                tracing::warn!(tries, "MongoDB does not answer yet");
                tries += 1;
            }
            Err(error) if is_of_the_network(&error) => {
                let why = match StoreError::from(error) {
                    StoreError::Unavailable(why) => why,
                    other => return Err(other),
                };
                return Err(StoreError::Unavailable(format!(
                    "{why}. See whether the server runs, whether this machine reaches it, and whether store.url names \
                     it and its replica set rightly"
                )));
            }
            Err(error) => return Err(error.into()),
        }
    }
}

/// The driver passes by servers of another replica set than the connection string names, and says no more than that it
/// found none. So one of them is asked directly; nothing where that is not the reason.
async fn other_set(options: &ClientOptions) -> Option<StoreError> {
    let named = options.repl_set_name.as_ref()?;
    for host in &options.hosts {
        let mut options = options.clone();
        options.hosts = vec![host.clone()];
        options.direct_connection = Some(true);
        options.repl_set_name = None;
        options.server_selection_timeout = Some(PROBE);
        let asked = Client::with_options(options).ok()?.database("admin").run_command(doc! { "hello": 1 }).await;
        let Ok(hello) = asked else { continue };
        return match hello.get_str("setName") {
            Ok(found) if found == named => None,
            Ok(found) => Some(StoreError::Unusable(format!(
                "store.url names the replica set {named}, and the server at {host} belongs to {found}. Write \
                 replicaSet={found} in store.url, if that is the server meant"
            ))),
            Err(_) => can_transact(&hello).err(),
        };
    }
    None
}

/// Transactions need a replica set (of one member at least) or a sharded cluster.
fn can_transact(hello: &Document) -> Result<()> {
    let is_router = hello.get_str("msg").is_ok_and(|message| message == "isdbgrid");
    if is_router || hello.contains_key("setName") {
        return Ok(());
    }
    Err(StoreError::Unusable(
        "store.url: this MongoDB server stands alone and has no transactions, which Convive needs. A replica set of one \
         member is enough. Stop the server, start it again with --replSet added, such as `mongod --replSet rs0 --dbpath \
         /var/lib/mongodb` (or replication.replSetName in its configuration), then run once: `mongosh --eval \
         'rs.initiate()'`. Its data stays. Then add ?replicaSet=rs0 to store.url"
            .to_owned(),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn secrets_of_a_connection_string_never_show() {
        for url in [
            "mongodb://anna:hunter2@/x",
            "mongodb://anna:hun@ter2@host:x/y",
            "mongodb://anna:hunter2@host:99999999/x",
            "mongodb://anna:hunter2%@host/x?replicaSet=",
            "mongodb+srv://anna:hunter2@host:1/x",
            "mongodb://anna:hunter2@host/x?authMechanism=hunter2",
            "mongo://anna:hunter2@host",
            "anna:hunter2@host",
            "mongodb://anna:hunter2%40db.example.net/convive?replicaSet=rs0",
            "mongodb://anna:hunter2/convive",
            "mongodb+srv://anna:hunter2%40db.example.net/convive",
            "mongodb://anna:hunter2:127.0.0.1:29101/a1",
            "mongodb://host/x?authMechanismProperties=hunter2",
            "mongodb://host/x?authMechanism=MONGODB-OIDC&authMechanismProperties=ENVIRONMENT:hunter2",
            "mongodb://anna:hun?ter2@host/x",
            "mongodb://anna:hun&ter2@host/x?ter2",
            "mongodb://anna:h%75nter2@host:port/x",
        ] {
            let error = options(url, None).await.unwrap_err();
            let shown = format!("{error} {error:?}");
            assert!(!shown.contains("hun") && !shown.contains("ter2") && !shown.contains("anna"), "{shown}");
            assert!(shown.contains("store.url"), "{shown}");
        }
    }

    #[tokio::test]
    async fn what_is_wrong_is_said_where_there_is_no_secret() {
        let error = options("mongodb://host:99999999/x", None).await.unwrap_err();
        assert!(error.to_string().contains("port"), "{error}");
        let error = options("mongodb://anna:secret@host/x?compresors=zlib", None).await.unwrap_err();
        assert!(error.to_string().contains("compresors"), "the option is named: {error}");
    }

    #[tokio::test]
    async fn writes_are_durable_whatever_the_connection_string_says() {
        let options = options("mongodb://host/?w=0&journal=false&readPreference=secondary", None).await.unwrap();
        assert_eq!(options.write_concern, Some(durable()));
        assert_eq!(options.server_selection_timeout, Some(SERVER_SELECTION));
        let chosen = self::options("mongodb://host/?serverSelectionTimeoutMS=200&appName=mine", None).await.unwrap();
        assert_eq!(chosen.server_selection_timeout, Some(Duration::from_millis(200)));
        assert_eq!(chosen.app_name.as_deref(), Some("mine"));
    }

    #[test]
    fn a_server_that_stands_alone_is_refused_with_the_two_commands() {
        let error = can_transact(&doc! { "isWritablePrimary": true }).unwrap_err().to_string();
        assert!(error.contains("mongod --replSet rs0") && error.contains("mongosh --eval 'rs.initiate()'"), "{error}");
        assert_eq!(can_transact(&doc! { "setName": "rs0" }), Ok(()));
        assert_eq!(can_transact(&doc! { "msg": "isdbgrid" }), Ok(()));
    }
}
