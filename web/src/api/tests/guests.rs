//! The guest list, for hosts.

use super::*;

const LIST: &str = "/api/admin/guests";

async fn path(world: &World, code: &str) -> String {
    format!("{LIST}/{}", world.id(code).await)
}

/// The first names (or last, where there is none) of a listing, and how many there are in all.
fn names(answer: &Answer) -> (Vec<String>, u64) {
    let body = answer.is(200);
    let name = |guest: &Value| guest["firstName"].as_str().filter(|name| !name.is_empty()).unwrap_or("?").to_owned();
    (body["guests"].as_array().unwrap().iter().map(name).collect(), body["total"].as_u64().unwrap())
}

#[tokio::test]
async fn only_hosts_look_after_guests() {
    let world = World::new().await;
    let guest = path(&world, "B3NH4Z").await;
    let calls = [
        (Method::GET, LIST.to_owned()),
        (Method::POST, LIST.to_owned()),
        (Method::GET, guest.clone()),
        (Method::PUT, guest.clone()),
        (Method::DELETE, guest.clone()),
        (Method::PUT, format!("{guest}/group")),
        (Method::DELETE, format!("{guest}/group")),
        (Method::POST, format!("{guest}/token")),
        (Method::GET, "/api/admin/settings".to_owned()),
        (Method::PUT, "/api/admin/settings".to_owned()),
    ];
    for (method, path) in calls {
        world.send(world.request(method.clone(), &path, None, "{}")).await.fails(401, "unauthenticated");
        // A token says who somebody is; whether they are a host is looked up.
        world.call("K7QF2M", method, &path, Some(json!({}))).await.fails(403, "not_a_host");
    }
    assert_eq!(world.guest("B3NH4Z").await.version, 1);
}

#[tokio::test]
async fn hosts_see_the_guests_of_their_own_event_only() {
    let world = World::new().await;
    let guest = path(&world, "B3NH4Z").await;
    let calls = [
        (Method::GET, guest.clone()),
        (Method::PUT, guest.clone()),
        (Method::DELETE, guest.clone()),
        (Method::PUT, format!("{guest}/group")),
        (Method::DELETE, format!("{guest}/group")),
        (Method::POST, format!("{guest}/token")),
    ];
    for (method, path) in calls {
        world.call("X4OTHR", method, &path, Some(json!({ "groupId": "mine" }))).await.fails(404, "no_such_guest");
    }
    assert_eq!(world.guest("B3NH4Z").await.version, 1);
    let (names, total) = names(&world.get("X4OTHR", LIST).await);
    assert_eq!((names.len(), total), (1, 1));
}

/// Ids compared as text were not found, or made a server fail.
#[tokio::test]
async fn ids_are_hexadecimal_in_either_case() {
    let world = World::new().await;
    let id = world.id("K7QF2M").await;
    for (id, status) in [
        (id.as_str(), 200),
        (id.to_uppercase().as_str(), 200),
        ("65f0c0ffee0000000000a002", 404),
        ("not-an-id", 404),
        ("%00", 404),
        ("%ff", 404),
        ("65f0c0ffee0000000000a0020", 404),
    ] {
        assert_eq!(world.get("M9STHE", &format!("{LIST}/{id}")).await.status, status, "{id}");
    }
}

#[tokio::test]
async fn a_host_sees_everything_of_a_guest() {
    let world = World::new().await;
    let answer = world.get("M9STHE", &path(&world, "B8TAN7").await).await;
    assert_eq!(
        answer.is(200)["guest"],
        json!({
            "_id": world.id("B8TAN7").await, "eventId": "harbour-supper", "firstName": "Bob", "lastName": "Tanner",
            "token": "B8TAN7", "status": "pending", "numGuests": 0, "dietary": "", "expectedGuests": 3,
            "isAdmin": false, "groupId": "P7", "rsvpDate": null, "lastLogin": null, "lastAccess": null,
            "createdAt": NOW, "self": false, "companions": 0, "extra": 0, "version": 1,
        })
    );
    assert_eq!(answer.header("etag"), "\"1\"");
}

#[tokio::test]
async fn all_guests_come_with_settings_and_statistics() {
    let world = World::new().await;
    world
        .put("K7QF2M", "/api/rsvp", json!({ "numGuests": 6, "groupStatus": "coming", "dietary": "vegan" }))
        .await
        .is(200);
    world.put("H4TR8W", "/api/rsvp", json!({ "numGuests": 0 })).await.is(200);
    let answer = world.get("M9STHE", LIST).await;
    let body = answer.is(200);
    assert_eq!(names(&answer).0, ["Anna", "Ben", "Bob", "Maria", "Maria", "Mia"]);
    assert_eq!((&body["total"], &body["settings"]["rsvpDeadline"]), (&json!(6), &json!("2026-11-20")));
    assert_eq!(
        body["stats"],
        json!({ "totalInvited": 6, "totalComing": 3, "totalGuests": 6, "totalExpected": 9, "withAllergies": 1 })
    );
    assert_eq!(answer.header("content-type"), "application/json");
}

#[tokio::test]
async fn guests_are_filtered_searched_sorted_and_paged() {
    let world = World::new().await;
    world.put("K7QF2M", "/api/rsvp", json!({ "numGuests": 5 })).await.is(200);
    for (query, expected, total) in [
        ("status=coming&sort=name", "Anna Ben Bob", 3),
        ("status=pending&sort=name", "Mia Maria Maria", 3),
        ("status=declined", "", 0),
        ("q=holloway", "Anna Ben", 2),
        ("q=anna%20hollo", "Anna", 1),
        ("q=Holloway%20(Ben)", "Ben", 1),
        ("q=b8tan7", "Bob", 1),
        ("sort=-name&perPage=2", "Bob Maria", 6),
        ("sort=name&perPage=2&page=2", "Ben Maria", 6),
        ("sort=name&perPage=4&page=2", "Maria Bob", 6),
        ("page=7", "", 6),
        ("status=coming&q=hollo&sort=-name", "Ben Anna", 2),
        ("status=&q=&sort=&page=1", "Anna Ben Bob Maria Maria Mia", 6),
    ] {
        let (names, found) = names(&world.get("M9STHE", &format!("{LIST}?{query}")).await);
        assert_eq!((names.join(" ").as_str(), found), (expected, total), "{query}");
    }
}

/// Search text that acted as a pattern listed everybody, or made the server fail.
#[tokio::test]
async fn search_text_is_meant_literally() {
    let world = World::new().await;
    for (query, expected) in [
        ("(", 0),
        (".*", 0),
        ("Holloway%20(Ben)", 1),
        ("(a%2B)%2B%24", 0),
        ("%25", 0),
        ("_", 0),
        ("%5C", 0),
        ("%00", 0),
        ("%7B%22%24ne%22:null%7D", 0),
    ] {
        let (_, total) = names(&world.get("M9STHE", &format!("{LIST}?q={query}")).await);
        assert_eq!(total, expected, "{query}");
    }
}

#[tokio::test]
async fn a_listing_that_makes_no_sense_is_told_by_its_parameter() {
    let world = World::new().await;
    for (query, field) in [
        ("status=maybe", "status"),
        ("sort=shoe", "sort"),
        ("page=0", "page"),
        ("page=-1", "page"),
        ("page=x", "page"),
        ("page=99999999999999999999", "page"),
        ("perPage=0", "perPage"),
        ("perPage=100000", "perPage"),
    ] {
        let answer = world.get("M9STHE", &format!("{LIST}?{query}")).await;
        assert_eq!(answer.fails(422, "invalid")["field"], field, "{query}");
    }
    let long = format!("{LIST}?q={}", "x".repeat(300));
    assert_eq!(world.get("M9STHE", &long).await.fails(422, "invalid")["field"], "q");
}

#[tokio::test]
async fn a_host_adds_a_guest() {
    let world = World::new().await;
    let body = json!({ "firstName": "Zoë", "lastName": " O’Hara ", "expectedGuests": 2 });
    let answer = world.post("M9STHE", LIST, body).await;
    let guest = &answer.is(201)["guest"];
    assert_eq!(
        (&guest["lastName"], &guest["expectedGuests"], &guest["status"]),
        (&json!("O’Hara"), &json!(2), &json!("pending"))
    );
    let code = guest["token"].as_str().unwrap();
    assert_eq!(code.len(), 8);
    world.log_in(code, "O'Hara").await.is(200);
    let own = json!({ "firstName": "Kim", "lastName": "Ek", "token": "PARTY-27", "isAdmin": true });
    assert_eq!(world.post("M9STHE", LIST, own.clone()).await.is(201)["guest"]["token"], "PARTY-27");
    world.post("M9STHE", LIST, own).await.fails(409, "code_taken");
    world.get("PARTY-27", LIST).await.is(200);
    // The client's form sends an empty code for "draw one".
    world.post("M9STHE", LIST, json!({ "firstName": "A", "lastName": "B", "token": "" })).await.is(201);
}

#[tokio::test]
async fn a_guest_who_cannot_be_is_told_by_the_field() {
    let world = World::new().await;
    for (body, field) in [
        (json!({ "lastName": "" }), "lastName"),
        (json!({ "lastName": "?!" }), "lastName"),
        (json!({ "lastName": "x".repeat(101) }), "lastName"),
        (json!({ "lastName": "Ek", "firstName": "x".repeat(101) }), "firstName"),
        (json!({ "lastName": "Ek", "expectedGuests": 0 }), "expectedGuests"),
        (json!({ "lastName": "Ek", "expectedGuests": 51 }), "expectedGuests"),
        (json!({ "lastName": "Ek", "expectedGuests": -1 }), "expectedGuests"),
        (json!({ "lastName": "Ek", "token": "stop" }), "token"),
        (json!({ "lastName": "Ek", "isAdmin": "yes" }), "isAdmin"),
        (json!({ "lastName": { "$ne": 1 } }), "lastName"),
    ] {
        let answer = world.post("M9STHE", LIST, body.clone()).await;
        assert_eq!(answer.fails(422, "invalid")["field"], field, "{body}");
    }
    assert_eq!(names(&world.get("M9STHE", LIST).await).1, 6);
}

#[tokio::test]
async fn a_host_changes_one_field_at_a_time() {
    let world = World::new().await;
    let bob = path(&world, "B8TAN7").await;
    let change = async |body: Value| world.put("M9STHE", &bob, body).await.is(200)["guest"].clone();
    let numbers = |guest: &Value| (guest["status"].clone(), guest["numGuests"].clone(), guest["extra"].clone());
    for (body, status, count, extra) in [
        (json!({ "status": "coming" }), "coming", 3, 0),
        (json!({ "numGuests": 2 }), "coming", 2, 0),
        (json!({ "status": "coming" }), "coming", 2, 0),
        (json!({ "numGuests": 5 }), "coming", 5, 2),
        (json!({ "expectedGuests": 5 }), "coming", 5, 0),
        (json!({ "numGuests": 0 }), "declined", 0, 0),
        (json!({ "status": "pending" }), "pending", 0, 0),
    ] {
        let guest = change(body.clone()).await;
        assert_eq!(numbers(&guest), (json!(status), json!(count), json!(extra)), "{body}");
    }
    for (body, field, value) in [
        (json!({ "firstName": "Robert" }), "firstName", json!("Robert")),
        (json!({ "firstName": "" }), "firstName", json!("")),
        (json!({ "lastName": "Tänner" }), "lastName", json!("Tänner")),
        (json!({ "dietary": " no nuts " }), "dietary", json!("no nuts")),
        (json!({ "phone": "07700 900123" }), "phone", json!("+447700900123")),
        (json!({ "phone": null }), "phone", Value::Null),
        (json!({ "notes": "- brings cake" }), "notes", json!("- brings cake")),
        (json!({ "notes": "" }), "notes", Value::Null),
        (json!({ "locale": "sv" }), "locale", json!("sv")),
        (json!({ "isAdmin": true }), "isAdmin", json!(true)),
        (json!({}), "isAdmin", json!(true)),
    ] {
        assert_eq!(change(body.clone()).await[field], value, "{body}");
    }
}

#[tokio::test]
async fn a_change_that_cannot_be_is_told_by_the_field() {
    let world = World::new().await;
    let bob = path(&world, "B8TAN7").await;
    for (body, field) in [
        (json!({ "status": "maybe" }), "status"),
        (json!({ "status": "waitlisted" }), "status"),
        (json!({ "status": "declined", "numGuests": 1 }), "numGuests"),
        (json!({ "status": "coming", "numGuests": 0 }), "numGuests"),
        (json!({ "numGuests": 24 }), "numGuests"),
        (json!({ "numGuests": 4_294_967_295_u32 }), "numGuests"),
        (json!({ "numGuests": -1 }), "numGuests"),
        (json!({ "lastName": "" }), "lastName"),
        (json!({ "lastName": null, "phone": "x" }), "phone"),
        (json!({ "phone": "none" }), "phone"),
        (json!({ "phone": 7 }), "phone"),
        (json!({ "locale": "not a tag" }), "locale"),
        (json!({ "notes": "x".repeat(2001) }), "notes"),
        (json!({ "dietary": "x".repeat(501) }), "dietary"),
        (json!({ "expectedGuests": 0 }), "expectedGuests"),
    ] {
        let answer = world.put("M9STHE", &bob, body.clone()).await;
        assert_eq!(answer.fails(422, "invalid")["field"], field, "{body}");
    }
    assert_eq!(world.guest("B8TAN7").await.version, 1);
}

#[tokio::test]
async fn a_hosts_change_is_recorded_and_no_deadline_binds_it() {
    use domain::activity::Happening;
    let world = World::new().await;
    world.set_now("2026-11-27T10:00:00Z");
    let ben = path(&world, "B3NH4Z").await;
    let guest = world.put("M9STHE", &ben, json!({ "status": "declined", "notes": "on the phone" })).await.is(200);
    let mia = world.guest("M9STHE").await;
    assert_eq!(guest["guest"]["answeredBy"], json!({ "guestId": mia.id, "channel": "web" }));
    let since = "2026-11-27T00:00:00Z".parse().unwrap();
    let activity = world.app.store.activity(&mia.event_id, since).await.unwrap();
    assert!(activity.iter().all(|entry| entry.by.as_host && entry.by.guest_id == Some(mia.id)));
    assert!(matches!(&activity[..], [first, second]
        if matches!(first.what, Happening::Answered { .. }) && matches!(&second.what, Happening::Edited { fields } if fields == &["notes"])));
}

#[tokio::test]
async fn a_change_rests_on_what_was_shown_where_the_client_says_so() {
    let world = World::new().await;
    let (token, bob) = (world.token("M9STHE").await, path(&world, "B8TAN7").await);
    let call = async |method: Method, path: &str, tag: &str, body: Value| {
        let mut request = world.request(method, path, Some(&token), body.to_string());
        request.headers_mut().insert("if-match", tag.parse().unwrap());
        world.send(request).await
    };
    let changed = call(Method::PUT, &bob, "\"1\"", json!({ "notes": "x" })).await;
    changed.is(200);
    assert_eq!(changed.header("etag"), "\"2\"");
    let group = format!("{bob}/group");
    for (method, path) in [(Method::PUT, &bob), (Method::DELETE, &bob), (Method::PUT, &group), (Method::DELETE, &group)]
    {
        let body = json!({ "notes": "y", "groupId": "P8" });
        call(method, path, "\"1\"", body).await.fails(412, "changed_meanwhile");
    }
    call(Method::DELETE, &bob, "\"2\"", json!({})).await.is(200);
}

#[tokio::test]
async fn the_last_host_stays_one() {
    let world = World::new().await;
    let mia = path(&world, "M9STHE").await;
    world.put("M9STHE", &mia, json!({ "isAdmin": false })).await.fails(409, "last_host");
    world.delete("M9STHE", &mia).await.fails(409, "last_host");
    let anna = path(&world, "K7QF2M").await;
    world.put("M9STHE", &anna, json!({ "isAdmin": true })).await.is(200);
    // Two hosts demote each other at once.
    let (one, other) = tokio::join!(
        world.put("M9STHE", &anna, json!({ "isAdmin": false })),
        world.put("K7QF2M", &mia, json!({ "isAdmin": false })),
    );
    let mut statuses = [one.status, other.status];
    statuses.sort_unstable();
    assert!(statuses == [200, 409] || statuses == [200, 403], "{statuses:?}");
    assert_eq!(world.app.store.hosts(&"harbour-supper".into()).await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_deleted_guest_is_gone() {
    let world = World::new().await;
    let ben = path(&world, "B3NH4Z").await;
    let before = world.get("K7QF2M", "/api/rsvp").await.header("etag").to_owned();
    assert_eq!(world.delete("M9STHE", &ben).await.is(200), json!({ "deleted": true }));
    for answer in [world.get("M9STHE", &ben).await, world.delete("M9STHE", &ben).await] {
        answer.fails(404, "no_such_guest");
    }
    world.log_in("B3NH4Z", "Holloway").await.fails(401, "wrong_credentials");
    let after = world.get("K7QF2M", "/api/rsvp").await;
    assert_eq!(after.is(200)["familySum"], 4);
    assert_ne!(after.header("etag"), before, "whoever is answering for the group hears of it");
}

#[tokio::test]
async fn guests_join_and_leave_groups() {
    let world = World::new().await;
    let maria = path(&world, "H4TR8W").await;
    let group = format!("{maria}/group");
    let joined = world.put("M9STHE", &group, json!({ "groupId": " P7 " })).await.is(200);
    assert_eq!(joined["guests"].as_array().unwrap().len(), 4);
    assert_eq!(world.get("K7QF2M", "/api/rsvp").await.is(200)["familySum"], 6);
    // Again is fine.
    world.put("M9STHE", &group, json!({ "groupId": "P7" })).await.is(200);
    let left = world.delete("M9STHE", &group).await.is(200);
    assert_eq!((&left["guest"]["groupId"], left["remainingGroup"].as_array().unwrap().len()), (&Value::Null, 3));
    let left = world.delete("M9STHE", &group).await.is(200);
    assert_eq!(left["remainingGroup"], json!([]));
    for bad in [
        json!({ "groupId": "" }),
        json!({ "groupId": null }),
        json!({ "groupId": "x".repeat(101) }),
        json!({ "groupId": {} }),
    ] {
        assert_eq!(world.put("M9STHE", &group, bad).await.fails(422, "invalid")["field"], "groupId");
    }
}
