//! A guest answers through the JSON API while the others are in their chats.

use chrono::TimeDelta;
use serde_json::{Value, json};

use crate::{
    process::{Reply, Request},
    world::World,
};

fn json_request(path: &str, token: Option<&str>, body: &Value) -> Request {
    let mut headers = vec![("content-type".to_owned(), "application/json".to_owned())];
    headers.extend(token.map(|token| ("authorization".to_owned(), format!("Bearer {token}"))));
    Request { path: path.to_owned(), headers, body: body.to_string().into_bytes() }
}

async fn log_in(world: &World, code: &str, last_name: &str) -> Reply {
    let body = json!({ "token": code, "lastName": last_name });
    world.process.post(&json_request("/api/auth/login", None, &body)).await
}

async fn token(world: &World, code: &str, last_name: &str) -> String {
    let reply = log_in(world, code, last_name).await;
    let body: Value = serde_json::from_str(&reply.body).unwrap();
    body["token"].as_str().unwrap_or_else(|| panic!("{reply:?}")).to_owned()
}

#[tokio::test]
async fn an_answer_on_the_web_reaches_the_chats_of_the_others() {
    let world = World::new().await;
    let ben = world.telegram("ben");
    ben.comes_in("B3NH4Z Holloway").await;
    ben.presses("All 3").await.skips(1);
    let anna = token(&world, "K7QF2M", "Holloway").await;
    let answer = json!({ "numGuests": 1, "groupStatus": "declined" });
    assert_eq!(world.process.put(&json_request("/api/rsvp", Some(&anna), &answer)).await.status, 200);
    assert_eq!(world.answers("K7QF2M").await, "Anna coming, Ben declined, Cleo declined");
    world.pass(TimeDelta::seconds(2)).await;
    ben.sees("Anna answered for you");
    // What Ben had been asked rests on what was so before.
    ben.says("none").await.sees("Something has changed in the meantime … Anna: coming Ben: not coming");
    world.finish().await;
}

#[tokio::test]
async fn guesses_on_the_web_do_not_keep_anybody_out_of_their_chat() {
    let world = World::new().await;
    for _ in 0..5 {
        assert_eq!(log_in(&world, "AAAAAA", "Holloway").await.status, 401);
    }
    assert_eq!(log_in(&world, "K7QF2M", "Holloway").await.status, 429);
    world.telegram("anna").comes_in("K7QF2M Holloway").await;
    world.finish().await;
}

#[tokio::test]
async fn a_store_that_is_down_asks_to_come_again() {
    let world = World::new().await;
    let anna = token(&world, "K7QF2M", "Holloway").await;
    world.process.store.fail("commit", 1);
    let answer = json!({ "numGuests": 3 });
    let reply = world.process.put(&json_request("/api/rsvp", Some(&anna), &answer)).await;
    assert_eq!(reply.status, 503, "{reply:?}");
    assert_eq!(world.answers("K7QF2M").await, "Anna pending, Ben pending, Cleo pending");
    assert_eq!(world.process.put(&json_request("/api/rsvp", Some(&anna), &answer)).await.status, 200);
    world.finish().await;
}
