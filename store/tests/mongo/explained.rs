//! No query or update of the store may read a whole collection: at the end of each test the server is asked how it
//! carries out what the test made the store ask, once for each kind of question.

use std::{
    collections::HashSet,
    sync::{Arc, LazyLock, Mutex, PoisonError},
};

use futures_util::TryStreamExt;
use mongo_server::{Kind, TestDatabase};
use mongodb::{
    Client, Database, IndexModel,
    bson::{Bson, Document, doc},
    event::{EventHandler, command::CommandEvent},
};

/// Those that grow with the party.
const WATCHED: [&str; 3] = ["guests", "outbox", "conversations"];

/// Kinds that were explained already, by whichever test came first.
static KNOWN: LazyLock<Mutex<HashSet<String>>> = LazyLock::new(Mutex::default);

/// A database whose queries are explained before it goes.
pub struct Explained {
    pub database: TestDatabase,
    seen: Arc<Mutex<Vec<Document>>>,
}

impl Explained {
    pub fn new(database: TestDatabase) -> Self {
        Self { database, seen: Arc::default() }
    }

    pub fn watcher(&self) -> EventHandler<CommandEvent> {
        let seen = Arc::clone(&self.seen);
        EventHandler::callback(move |event| {
            if let CommandEvent::Started(started) = event {
                seen.lock().unwrap_or_else(PoisonError::into_inner).extend(questions(&started.command));
            }
        })
    }
}

impl Drop for Explained {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        let mut new = std::mem::take(&mut *self.seen.lock().unwrap_or_else(PoisonError::into_inner));
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        new.retain(|question| known.insert(kind(question)));
        drop(known);
        if new.is_empty() {
            return;
        }
        let (url, name) = (self.database.url.clone(), self.database.name.clone());
        // The test's own runtime may be ending.
        let explained = std::thread::spawn(move || explain(&url, &name, new)).join().unwrap();
        assert_eq!(explained, Vec::<String>::new(), "whole collections are read");
    }
}

/// What is asked, as commands that can be explained.
fn questions(command: &Document) -> Vec<Document> {
    let Some((name, collection)) = command.iter().next() else { return Vec::new() };
    let collection = collection.as_str().unwrap_or_default();
    let mut questions = Vec::new();
    let mut find = |collection: &str, filter: Document| {
        if WATCHED.contains(&collection) {
            questions.push(doc! { "find": collection, "filter": filter });
        }
    };
    let document = |field: &str| command.get_document(field).cloned().unwrap_or_default();
    let list = |field: &str| command.get_array(field).cloned().unwrap_or_default();
    match name.as_str() {
        "find" if WATCHED.contains(&collection) => {
            questions.push(doc! { "find": collection, "filter": document("filter"), "sort": document("sort") });
        }
        "findAndModify" => find(collection, document("query")),
        // Servers differ in how they explain these; the filter is what counts.
        "update" | "delete" => {
            let statements = list(if name == "update" { "updates" } else { "deletes" });
            for statement in statements.iter().filter_map(Bson::as_document) {
                find(collection, statement.get_document("q").cloned().unwrap_or_default());
            }
        }
        "aggregate" => {
            let stages: Vec<Document> = list("pipeline").iter().filter_map(Bson::as_document).cloned().collect();
            for stage in &stages {
                if let Ok(lookup) = stage.get_document("$lookup") {
                    find(lookup.get_str("from").unwrap_or_default(), joined(lookup));
                }
            }
            // What is joined has been asked about by itself.
            let own: Vec<Document> = stages.into_iter().take_while(|stage| !stage.contains_key("$lookup")).collect();
            if WATCHED.contains(&collection) {
                questions.push(doc! { "aggregate": collection, "pipeline": own, "cursor": {} });
            }
        }
        _ => {}
    }
    questions
}

/// What a join asks for each document.
fn joined(lookup: &Document) -> Document {
    if let Ok(field) = lookup.get_str("foreignField") {
        return doc! { field: { "$in": ["some", "values"] } };
    }
    let stages = lookup.get_array("pipeline").cloned().unwrap_or_default();
    let first = stages.first().and_then(Bson::as_document).and_then(|stage| stage.get_document("$match").ok());
    let mut filter = first.cloned().unwrap_or_default();
    // Fields that are compared with a variable.
    if let Some(Bson::Document(expression)) = filter.remove("$expr") {
        for equal in expression.get_array("$and").into_iter().flatten().filter_map(Bson::as_document) {
            let field = equal.get_array("$eq").unwrap().first().and_then(Bson::as_str).unwrap();
            filter.insert(field.trim_start_matches('$'), "value");
        }
    }
    filter
}

/// A question without its values.
fn kind(question: &Document) -> String {
    fn shape(value: &Bson) -> String {
        match value {
            Bson::Document(document) => {
                let parts: Vec<String> =
                    document.iter().map(|(name, value)| format!("{name}:{}", shape(value))).collect();
                format!("{{{}}}", parts.join(","))
            }
            Bson::Array(list) => {
                let kinds: HashSet<String> = list.iter().map(shape).collect();
                let mut kinds: Vec<String> = kinds.into_iter().collect();
                kinds.sort();
                format!("[{}]", kinds.join(","))
            }
            _ => String::new(),
        }
    }
    let collection = question.values().next().and_then(Bson::as_str).unwrap_or_default();
    format!("{collection} {}", shape(&Bson::Document(question.clone())))
}

/// The planner of the stand-in takes an index only where the filter has no other field, and none that holds only
/// some documents. So it is asked for the field by which an index serves the question; where there is none,
/// for all of it. `None`: an index of the latter kind serves it.
async fn simpler(database: &Database, question: &Document) -> Option<Document> {
    let collection = question.values().next().and_then(Bson::as_str).unwrap().to_owned();
    let filter = match question.get_array("pipeline") {
        Ok(stages) => {
            let first = stages.first().and_then(Bson::as_document);
            first.and_then(|stage| stage.get_document("$match").ok()).cloned().unwrap_or_default()
        }
        Err(_) => question.get_document("filter").unwrap().clone(),
    };
    let indexes: Vec<IndexModel> =
        database.collection::<Document>(&collection).list_indexes().await.unwrap().try_collect().await.unwrap();
    let mut served = indexes.iter().filter_map(|index| {
        let field = index.keys.keys().next()?;
        let only = index.options.as_ref().and_then(|options| options.partial_filter_expression.as_ref());
        let is_asked_for = filter.contains_key(field) && only.is_none_or(|only| is_implied(only, &filter));
        is_asked_for.then(|| (field.clone(), only.is_some()))
    });
    match served.next() {
        Some((_, true)) => None,
        Some((field, false)) => {
            let (name, value) = (field.as_str(), filter_value(&filter, &field));
            Some(doc! { "find": collection, "filter": { name: value } })
        }
        None => Some(doc! { "find": collection, "filter": filter }),
    }
}

/// A value as simple as the stand-in wants it.
fn filter_value(filter: &Document, field: &str) -> Bson {
    match filter.get(field) {
        Some(Bson::Document(_)) | None => Bson::String("value".to_owned()),
        Some(value) => value.clone(),
    }
}

/// Whether documents that meet the filter are all in an index of only these.
fn is_implied(only: &Document, filter: &Document) -> bool {
    only.iter().all(|(field, wanted)| match wanted {
        Bson::Document(_) => filter.get(field).is_some_and(|value| *value != Bson::Null),
        value => filter.get(field) == Some(value),
    })
}

/// Those of the questions for which a whole collection is read.
fn explain(url: &str, database: &str, questions: Vec<Document>) -> Vec<String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let database = Client::with_uri_str(url).await.unwrap().database(database);
        let mut reading_all = Vec::new();
        for question in questions {
            let question = match mongo_server::server().kind {
                Kind::StandIn => match simpler(&database, &question).await {
                    Some(simpler) => simpler,
                    None => continue,
                },
                Kind::Given | Kind::Mongod => question,
            };
            let command = doc! { "explain": question.clone(), "verbosity": "queryPlanner" };
            let plan = database.run_command(command).await.unwrap();
            let text = plan.to_string();
            assert!(text.contains("winningPlan"), "nothing is explained: {text}");
            if text.contains("COLLSCAN") {
                reading_all.push(question.to_string());
            }
        }
        reading_all
    })
}

#[test]
fn kinds_of_questions_are_told_apart_by_fields_not_by_values() {
    let ask = |filter: Document| kind(&doc! { "find": "guests", "filter": filter });
    assert_eq!(ask(doc! { "a": 1 }), ask(doc! { "a": "x" }));
    assert_ne!(ask(doc! { "a": 1 }), ask(doc! { "a": { "$gt": 1 } }));
    assert_ne!(ask(doc! { "a": 1 }), ask(doc! { "b": 1 }));
}

#[tokio::test]
async fn a_collection_that_is_read_whole_is_found_out() {
    let database = mongo_server::database();
    database.look().await.collection::<Document>("guests").insert_one(doc! { "shoeSize": 43 }).await.unwrap();
    let question = questions(&doc! { "update": "guests", "updates": [{ "q": { "shoeSize": 43 }, "u": {} }] });
    let (url, name) = (database.url.clone(), database.name.clone());
    let found = std::thread::spawn(move || explain(&url, &name, question)).join().unwrap();
    assert_eq!(found.len(), 1);
}
