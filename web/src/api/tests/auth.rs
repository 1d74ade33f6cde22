//! Logging in, and what a token is good for.

use super::*;

#[tokio::test]
async fn code_and_last_name_give_a_token() {
    let world = World::new().await;
    for (code, last_name) in [("K7QF2M", "Holloway"), (" k7q-f2m ", "holloway"), ("K7QF2M", "  HOLLOWAY ")] {
        let token = world.log_in(code, last_name).await.is(200)["token"].as_str().unwrap().to_owned();
        let answer = world.send(world.request(Method::GET, "/api/rsvp", Some(&token), "")).await.is(200);
        assert_eq!(answer["guest"]["firstName"], "Anna");
    }
    assert!(world.web.app.guest_with_code(None, "K7QF2M").await.unwrap().last_login.is_none());
    world.app.accesses.flush(world.app.store.as_ref()).await;
    assert!(world.guest("K7QF2M").await.last_login.is_some());
}

#[tokio::test]
async fn two_people_of_one_name_have_two_codes() {
    let world = World::new().await;
    for code in ["H4TR8W", "P9DX3C"] {
        let token = world.log_in(code, "Santos").await.is(200)["token"].as_str().unwrap().to_owned();
        let answer = world.send(world.request(Method::GET, "/api/rsvp", Some(&token), "")).await.is(200);
        assert_eq!(answer["guest"]["_id"], json!(world.id(code).await));
    }
}

/// Right and wrong codes that get different answers let codes be listed.
#[tokio::test]
async fn a_wrong_code_and_a_wrong_name_get_the_same_answer() {
    let world = World::new().await;
    let mut answers = Vec::new();
    for (code, last_name) in
        [("AAAAAA", "Holloway"), ("K7QF2M", "Wrong"), ("AAAAAB", "Wrong"), ("", ""), ("K7QF2M", "")]
    {
        let answer = world.log_in(code, last_name).await;
        answer.fails(401, "wrong_credentials");
        answers.push(answer.text);
    }
    answers.dedup();
    assert_eq!(answers.len(), 1, "{answers:?}");
}

#[tokio::test]
async fn whoever_guesses_has_to_wait_and_nobody_else() {
    let world = World::new().await;
    for _ in 0..5 {
        world.log_in("AAAAAA", "Holloway").await.fails(401, "wrong_credentials");
    }
    // The right pair, too: otherwise the answer would tell what fits.
    let wait = world.log_in("K7QF2M", "Holloway").await;
    wait.fails(429, "too_many_attempts");
    assert_eq!(wait.header("retry-after"), "60");
    let elsewhere = |forwarded: &str, peer: &str| {
        let body = json!({ "token": "K7QF2M", "lastName": "Holloway" }).to_string();
        let mut request = world.request(Method::POST, "/api/auth/login", None, body);
        request.extensions_mut().insert(ConnectInfo(peer.parse::<SocketAddr>().unwrap()));
        request.headers_mut().insert("x-forwarded-for", forwarded.parse().unwrap());
        request
    };
    // A client cannot choose its address; a trusted proxy names another one.
    world.send(elsewhere("198.51.100.1", "203.0.113.9:1")).await.fails(429, "too_many_attempts");
    world.send(elsewhere("203.0.113.9", "127.0.0.1:1")).await.fails(429, "too_many_attempts");
    world.send(elsewhere("198.51.100.1", "127.0.0.1:1")).await.is(200);
    world.advance(TimeDelta::seconds(60));
    world.log_in("K7QF2M", "Holloway").await.is(200);
}

#[tokio::test]
async fn attempts_at_once_are_counted_one_by_one() {
    let world = World::new().await;
    let attempts = (0..20).map(|_| world.log_in("AAAAAA", "Holloway"));
    let mut statuses = Vec::new();
    for attempt in join_all(attempts).await {
        statuses.push(attempt.status);
    }
    statuses.sort_unstable();
    assert_eq!(statuses, [vec![401; 5], vec![429; 15]].concat());
}

/// Polls all of them in turn.
async fn join_all<F: Future>(futures: impl Iterator<Item = F>) -> Vec<F::Output> {
    let mut pending: Vec<_> = futures.map(|future| (Box::pin(future), None)).collect();
    std::future::poll_fn(|context| {
        let mut all_done = true;
        for (future, output) in &mut pending {
            if output.is_none() {
                match future.as_mut().poll(context) {
                    std::task::Poll::Ready(done) => *output = Some(done),
                    std::task::Poll::Pending => all_done = false,
                }
            }
        }
        if all_done { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
    })
    .await;
    pending.into_iter().filter_map(|(_, output)| output).collect()
}

/// Objects in place of strings matched any account, where they reached the query.
#[tokio::test]
async fn fields_of_a_login_are_strings() {
    let world = World::new().await;
    for (body, field) in [
        (json!({ "token": { "$ne": null }, "lastName": { "$gt": "" } }), "lastName"),
        (json!({ "token": { "$ne": null }, "lastName": "Holloway" }), "token"),
        (json!({ "token": ["K7QF2M"], "lastName": "Holloway" }), "token"),
        (json!({ "token": 7, "lastName": "Holloway" }), "token"),
        (json!({ "token": null, "lastName": "Holloway" }), "token"),
        (json!({ "token": "x".repeat(201), "lastName": "Holloway" }), "token"),
        (json!({ "token": "K7QF2M", "lastName": "x".repeat(201) }), "lastName"),
    ] {
        let answer = world.send(world.request(Method::POST, "/api/auth/login", None, body.to_string())).await;
        assert_eq!(answer.fails(422, "invalid")["field"], field);
    }
    let form = world.request(Method::POST, "/api/auth/login", None, "code[$ne]=1&last_name[$ne]=1");
    world.send(form).await.fails(400, "bad_json");
    let missing = world.send(world.request(Method::POST, "/api/auth/login", None, "{}")).await;
    missing.fails(422, "invalid");
    world.log_in("{\"$ne\":null}", "{\"$gt\":\"\"}").await.fails(401, "wrong_credentials");
}

#[tokio::test]
async fn a_token_is_good_until_it_expires() {
    let world = World::new().await;
    for (code, lifetime) in [("K7QF2M", TimeDelta::days(30)), ("M9STHE", TimeDelta::hours(12))] {
        let token = world.token(code).await;
        let status = async || world.send(world.request(Method::GET, "/api/rsvp", Some(&token), "")).await.status;
        assert_eq!(status().await, 200);
        world.advance(lifetime + TimeDelta::seconds(4));
        assert_eq!(status().await, 200);
        world.advance(TimeDelta::seconds(1));
        assert_eq!(status().await, 401);
    }
}

#[tokio::test]
async fn without_a_good_token_nothing_is_shown() {
    let world = World::new().await;
    let token = world.token("K7QF2M").await;
    for header in ["", "Bearer", "Bearer ", "Bearer x", "Basic dXNlcjpwYXNz", token.as_str(), "Token x", "Bearer a.b.c"]
    {
        let mut request = world.request(Method::GET, "/api/rsvp", None, "");
        request.headers_mut().insert("authorization", header.parse().unwrap());
        let answer = world.send(request).await;
        answer.fails(401, "unauthenticated");
        assert_eq!(answer.header("www-authenticate"), "Bearer");
    }
    world.send(world.request(Method::GET, "/api/rsvp", None, "")).await.fails(401, "unauthenticated");
    let mut request = world.request(Method::GET, "/api/rsvp", None, "");
    request.headers_mut().insert("authorization", format!("bearer  {token}").parse().unwrap());
    world.send(request).await.is(200);
}

#[tokio::test]
async fn a_deleted_guest_is_out_at_the_next_request() {
    let world = World::new().await;
    let (token, id) = (world.token("K7QF2M").await, world.id("K7QF2M").await);
    world.delete("M9STHE", &format!("/api/admin/guests/{id}")).await.is(200);
    world.send(world.request(Method::GET, "/api/rsvp", Some(&token), "")).await.fails(401, "unauthenticated");
}

#[tokio::test]
async fn a_demoted_host_is_out_at_the_next_request_and_a_new_one_is_in() {
    let world = World::new().await;
    let (mia, anna) = (world.token("M9STHE").await, world.token("K7QF2M").await);
    let settings =
        async |token: &str| world.send(world.request(Method::GET, "/api/admin/settings", Some(token), "")).await.status;
    assert_eq!((settings(&mia).await, settings(&anna).await), (200, 403));
    let id = world.id("K7QF2M").await;
    world.put("M9STHE", &format!("/api/admin/guests/{id}"), json!({ "isAdmin": true })).await.is(200);
    let id = world.id("M9STHE").await;
    world.put("K7QF2M", &format!("/api/admin/guests/{id}"), json!({ "isAdmin": false })).await.is(200);
    assert_eq!((settings(&mia).await, settings(&anna).await), (403, 200));
}

#[tokio::test]
async fn a_new_code_ends_the_old_one_and_what_was_opened_with_it() {
    let world = World::new().await;
    let (token, id) = (world.token("K7QF2M").await, world.id("K7QF2M").await);
    let answer = world.call("M9STHE", Method::POST, &format!("/api/admin/guests/{id}/token"), None).await;
    let code = answer.is(200)["guest"]["token"].as_str().unwrap().to_owned();
    assert_eq!(answer.header("etag"), format!("\"{}\"", world.guest(&code).await.version));
    world.log_in("K7QF2M", "Holloway").await.fails(401, "wrong_credentials");
    world.send(world.request(Method::GET, "/api/rsvp", Some(&token), "")).await.fails(401, "unauthenticated");
    world.log_in(&code, "Holloway").await.is(200);
}

#[tokio::test]
async fn logging_out_is_always_fine() {
    let world = World::new().await;
    let answer = world.send(world.request(Method::POST, "/api/auth/logout", None, "")).await;
    assert_eq!(answer.is(200), json!({ "message": "ok" }));
}

#[tokio::test]
async fn a_server_without_a_private_key_checks_tokens_and_signs_none() {
    let world = World::new().await;
    let published = serde_json::to_string(&world.web.verifier.jwks()).unwrap();
    let verifier = Verifier::new("convive", Jwks::read(&published).unwrap().keys());
    let elsewhere = router(Web::new(Parts { issuer: None, verifier, ..(*world.web).clone() }));
    let token = world.token("K7QF2M").await;
    let get = world.request(Method::GET, "/api/rsvp", Some(&token), "");
    assert_eq!(elsewhere.clone().oneshot(get).await.unwrap().status(), 200);
    let body = json!({ "token": "K7QF2M", "lastName": "Holloway" }).to_string();
    let login = world.request(Method::POST, "/api/auth/login", None, body);
    assert_eq!(elsewhere.oneshot(login).await.unwrap().status(), 503);
}
