//! A guest's answer, and the group's.

use super::*;

#[tokio::test]
async fn a_guest_sees_the_group_and_the_event() {
    let world = World::new().await;
    let answer = world.get("B8TAN7", "/api/rsvp").await;
    let body = answer.is(200);
    let (anna, ben, bob) = (world.id("K7QF2M").await, world.id("B3NH4Z").await, world.id("B8TAN7").await);
    assert_eq!(
        body["guest"],
        json!({
            "_id": bob, "firstName": "Bob", "lastName": "Tanner", "status": "pending", "numGuests": 0, "dietary": "",
            "rsvpDate": null, "expectedGuests": 3, "groupId": "P7",
            "own": { "numGuests": 0, "self": false, "companions": 0, "extra": 0 },
        })
    );
    let members: Vec<_> = body["groupMembers"].as_array().unwrap().iter().map(|member| member["_id"].clone()).collect();
    assert_eq!(members, [json!(anna), json!(ben), json!(bob)]);
    assert_eq!(
        body["groupMembers"][2],
        json!({
            "_id": bob, "firstName": "Bob", "lastName": "Tanner", "expectedGuests": 3, "status": "pending",
            "numGuests": 0, "dietary": "", "self": false, "companions": 0, "extra": 0,
        })
    );
    assert_eq!((&body["familySum"], &body["rsvpDeadline"]), (&json!(5), &json!("2026-11-20")));
    assert_eq!(
        body["event"],
        json!({
            "id": "harbour-supper", "name": "Harbour Supper", "startsAt": "2026-11-28T18:00:00Z",
            "timeZone": "Europe/London", "closesAt": "2026-11-21T00:00:00Z", "open": true, "place": "The Old Boathouse",
        })
    );
}

#[tokio::test]
async fn a_guest_alone_is_a_group_of_one() {
    let world = World::new().await;
    let body = world.get("P9DX3C", "/api/rsvp").await.is(200);
    assert_eq!((&body["familySum"], &body["guest"]["groupId"]), (&json!(2), &Value::Null));
    assert_eq!(body["groupMembers"].as_array().unwrap().len(), 1);
    let answer = world.put("P9DX3C", "/api/rsvp", json!({ "numGuests": 2, "dietary": "vegan" })).await.is(200);
    let expected = json!({ "numGuests": 2, "self": true, "companions": 1, "extra": 0 });
    assert_eq!((&answer["guest"]["own"], &answer["guest"]["dietary"]), (&expected, &json!("vegan")));
    assert_eq!(answer["guest"]["rsvpDate"], NOW);
}

#[tokio::test]
async fn the_head_count_of_the_group_fills_the_form() {
    let world = World::new().await;
    let answer = world.put("K7QF2M", "/api/rsvp", json!({ "numGuests": 5 })).await.is(200);
    assert_eq!((&answer["guest"]["numGuests"], &answer["guest"]["own"]["numGuests"]), (&json!(5), &json!(1)));
    assert_eq!(world.family().await, "Anna coming 1+0+0, Ben coming 1+0+0, Bob coming 1+2+0");
    let ben = world.get("B3NH4Z", "/api/rsvp").await.is(200);
    assert_eq!(ben["guest"]["numGuests"], 5);
}

#[tokio::test]
async fn a_number_that_does_not_say_who_comes_is_asked_about() {
    let world = World::new().await;
    for count in [1, 3, 6] {
        let details =
            world.put("K7QF2M", "/api/rsvp", json!({ "numGuests": count })).await.fails(409, "count_mismatch");
        assert_eq!(details, json!({ "expected": 5, "given": count }));
    }
    let fewer = json!({ "numGuests": 4, "groupStatus": "coming" });
    world.put("K7QF2M", "/api/rsvp", fewer).await.fails(409, "count_mismatch");
    world.put("K7QF2M", "/api/rsvp", json!({ "numGuests": 7, "groupStatus": "coming" })).await.is(200);
    assert_eq!(world.family().await, "Anna coming 1+0+2, Ben coming 1+0+0, Bob coming 1+2+0");
    world.put("K7QF2M", "/api/rsvp", json!({ "numGuests": 2, "groupStatus": "declined" })).await.is(200);
    assert_eq!(world.family().await, "Anna coming 1+0+1, Ben declined 0+0+0, Bob declined 0+0+0");
    world.put("B3NH4Z", "/api/rsvp", json!({ "numGuests": 0 })).await.is(200);
    assert_eq!(world.family().await, "Anna coming 1+0+1, Ben declined 0+0+0, Bob declined 0+0+0");
    world.put("B3NH4Z", "/api/rsvp", json!({ "numGuests": 0, "groupStatus": "declined" })).await.is(200);
    assert_eq!(world.family().await, "Anna declined 0+0+0, Ben declined 0+0+0, Bob declined 0+0+0");
    let details = world.put("H4TR8W", "/api/rsvp", json!({ "numGuests": 22 })).await.fails(422, "invalid");
    assert_eq!(details["field"], "numGuests");
}

#[tokio::test]
async fn members_are_named_and_what_changes_for_others_is_confirmed() {
    let world = World::new().await;
    let (anna, ben, bob) = (world.id("K7QF2M").await, world.id("B3NH4Z").await, world.id("B8TAN7").await);
    let own = json!({ "members": [{ "_id": ben, "status": "coming", "dietary": "no nuts" }] });
    world.put("B3NH4Z", "/api/rsvp", own).await.is(200);
    let change = |confirmed: bool| {
        json!({
            "members": [
                { "_id": anna, "status": "coming" }, { "_id": ben, "status": "declined" },
                { "_id": bob, "status": "coming", "self": false, "companions": 1 },
            ],
            "extra": 1, "confirmed": confirmed,
        })
    };
    let details = world.put("K7QF2M", "/api/rsvp", change(false)).await.fails(409, "confirm");
    assert_eq!(
        details,
        json!({ "changes": [
            {
                "_id": ben, "firstName": "Ben", "lastName": "Holloway",
                "from": { "status": "coming", "self": true, "companions": 0, "numGuests": 1 },
                "to": { "status": "declined", "self": false, "companions": 0, "numGuests": 0 },
            },
            { "extra": { "from": 0, "to": 1 } },
        ] })
    );
    assert_eq!(world.family().await, "Anna pending 0+0+0, Ben coming 1+0+0, Bob pending 0+0+0");
    world.put("K7QF2M", "/api/rsvp", change(true)).await.is(200);
    assert_eq!(world.family().await, "Anna coming 1+0+1, Ben declined 0+0+0, Bob coming 0+1+0");
    let open = json!({ "members": [{ "_id": anna, "status": "pending" }] });
    world.put("K7QF2M", "/api/rsvp", open).await.is(200);
    assert_eq!(world.family().await, "Anna pending 0+0+0, Ben declined 0+0+0, Bob coming 0+1+1");
}

#[tokio::test]
async fn what_contradicts_itself_is_told_by_its_field() {
    let world = World::new().await;
    let (anna, bob) = (world.id("K7QF2M").await, world.id("B8TAN7").await);
    for (body, field) in [
        (json!({ "members": [], "numGuests": 1 }), "members"),
        (
            json!({ "members": [{ "_id": bob, "status": "coming", "self": false, "companions": 0 }] }),
            "members[0].status",
        ),
        (json!({ "members": [{ "_id": anna, "status": "declined", "self": true }] }), "members[0].status"),
        (json!({ "members": [{ "_id": anna, "self": true }] }), "members[0].status"),
        (json!({ "members": [{ "_id": bob, "status": "coming", "companions": 3 }] }), "companions"),
        (json!({ "members": [{ "_id": anna, "status": "coming" }, { "_id": anna, "status": "coming" }] }), "members"),
        (json!({ "members": [{ "_id": anna, "status": "declined" }], "extra": 1, "confirmed": true }), "extra"),
        (json!({ "numGuests": 5, "dietary": "x".repeat(501) }), "dietary"),
    ] {
        let answer = world.put("K7QF2M", "/api/rsvp", body).await;
        assert_eq!(answer.fails(422, "invalid")["field"], field);
    }
}

/// A form's handler that only checked that somebody was logged in let any guest answer for any other.
#[tokio::test]
async fn nobody_answers_for_another_group() {
    let world = World::new().await;
    let maria = world.id("H4TR8W").await;
    for id in [maria.as_str(), "65f0c0ffee0000000000a002", "not-an-id", ""] {
        let body = json!({ "members": [{ "_id": id, "status": "declined" }], "confirmed": true });
        world.put("K7QF2M", "/api/rsvp", body).await.fails(403, "not_in_group");
    }
    assert_eq!(world.guest("H4TR8W").await.version, 1);
}

#[tokio::test]
async fn after_the_deadline_only_dietary_needs_change() {
    let world = World::new().await;
    world.put("K7QF2M", "/api/rsvp", json!({ "numGuests": 1, "groupStatus": "declined" })).await.is(200);
    world.set_now("2026-11-21T00:00:00Z");
    world.put("K7QF2M", "/api/rsvp", json!({ "numGuests": 5 })).await.fails(403, "closed");
    world.put("K7QF2M", "/api/rsvp", json!({ "numGuests": 0 })).await.fails(403, "closed");
    let body = world.put("K7QF2M", "/api/rsvp", json!({ "numGuests": 1, "dietary": "vegan" })).await.is(200);
    assert_eq!((&body["guest"]["dietary"], &body["guest"]["status"]), (&json!("vegan"), &json!("coming")));
    assert_eq!(world.get("K7QF2M", "/api/rsvp").await.is(200)["event"]["open"], false);
    world.set_now("2026-11-28T18:00:00Z");
    world.put("K7QF2M", "/api/rsvp", json!({ "numGuests": 1, "dietary": "meat" })).await.fails(403, "closed");
}

#[tokio::test]
async fn an_answer_rests_on_what_was_shown_where_the_client_says_so() {
    let world = World::new().await;
    let shown = world.get("K7QF2M", "/api/rsvp").await.header("etag").to_owned();
    let answer = async |tag: &str, count: u32| {
        let token = world.token("K7QF2M").await;
        let body = json!({ "numGuests": count, "groupStatus": "declined" }).to_string();
        let mut request = world.request(Method::PUT, "/api/rsvp", Some(&token), body);
        request.headers_mut().insert("if-match", tag.parse().unwrap());
        world.send(request).await
    };
    let saved = answer(&shown, 1).await;
    saved.is(200);
    assert_eq!(saved.header("etag"), world.get("K7QF2M", "/api/rsvp").await.header("etag"));
    for old in [shown.as_str(), "\"x\"", "W/\"1\"", "1", "\"99999999999999999999\""] {
        answer(old, 2).await.fails(412, "changed_meanwhile");
    }
    answer("*", 2).await.is(200);
}

#[tokio::test]
async fn an_answer_is_recorded_and_others_are_told() {
    use domain::{
        activity::Happening,
        address::{Address, Channel},
        conversation::Conversation,
        notice::Notice,
    };
    let world = World::new().await;
    let (anna, ben, mia) = (world.guest("K7QF2M").await, world.guest("B3NH4Z").await, world.guest("M9STHE").await);
    let (of_ben, of_mia) = (Address::telegram(7_100_000_002), Address::telegram(7_100_000_003));
    for (guest, address) in [(&ben, &of_ben), (&mia, &of_mia)] {
        let mut conversation = Conversation::new(address.clone());
        conversation.logins.push(guest.id);
        conversation.active = Some(guest.id);
        let commit =
            store::Commit { at: world.app.clock.now(), conversations: vec![conversation], ..Default::default() };
        world.app.store.commit(commit).await.unwrap();
    }
    world.put("K7QF2M", "/api/rsvp", json!({ "numGuests": 6, "groupStatus": "coming" })).await.is(200);
    let told = async |address: &Address| {
        let entries = world.app.store.entries_to(address).await.unwrap();
        entries.into_iter().filter_map(|entry| Some(entry.initiated?.notice)).collect::<Vec<_>>()
    };
    assert_eq!(told(&of_ben).await, [Notice::AnsweredFor { guests: vec![ben.id], by: anna.id }]);
    assert_eq!(told(&of_mia).await, [Notice::ExtraGuests { guest: anna.id, expected: 5, coming: 6 }]);
    let activity = world.app.store.activity(&anna.event_id, NOW.parse().unwrap()).await.unwrap();
    let answered: Vec<_> = activity.iter().filter(|entry| matches!(entry.what, Happening::Answered { .. })).collect();
    assert_eq!(answered.len(), 3);
    assert!(answered.iter().all(|entry| entry.by.guest_id == Some(anna.id) && entry.by.channel == Channel::Web));
    // The same again is no news.
    world.put("K7QF2M", "/api/rsvp", json!({ "numGuests": 6, "groupStatus": "coming" })).await.is(200);
    assert_eq!(world.app.store.activity(&anna.event_id, NOW.parse().unwrap()).await.unwrap().len(), activity.len());
}
