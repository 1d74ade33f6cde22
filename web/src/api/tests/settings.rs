//! The event's settings.

use super::*;

#[tokio::test]
async fn a_host_sets_the_deadline() {
    let world = World::new().await;
    let before = world.get("M9STHE", "/api/admin/settings").await;
    assert_eq!(
        before.is(200),
        json!({
            "rsvpDeadline": "2026-11-20", "eventName": "Harbour Supper", "eventDate": "2026-11-28",
            "eventId": "harbour-supper", "startsAt": "2026-11-28T18:00:00Z", "endsAt": "",
            "closesAt": "2026-11-21T00:00:00Z", "timeZone": "Europe/London", "capacity": null,
            "place": "The Old Boathouse", "address": "", "dressCode": "", "schedule": "", "hostContact": "",
            "defaultLocale": "en", "phoneRegion": "GB", "cancelled": false,
        })
    );
    let after = world.put("M9STHE", "/api/admin/settings", json!({ "rsvpDeadline": "2026-11-10" })).await;
    assert_eq!(after.is(200)["closesAt"], "2026-11-11T00:00:00Z");
    assert_eq!(world.get("K7QF2M", "/api/rsvp").await.is(200)["rsvpDeadline"], "2026-11-10");
    assert_eq!(after.header("etag"), world.get("M9STHE", "/api/admin/settings").await.header("etag"));
    assert_ne!(after.header("etag"), before.header("etag"));
    // Without a deadline answers close at the start.
    let cleared = world.put("M9STHE", "/api/admin/settings", json!({ "rsvpDeadline": "" })).await.is(200);
    assert_eq!((&cleared["rsvpDeadline"], &cleared["closesAt"]), (&json!(""), &json!("2026-11-28T18:00:00Z")));
}

#[tokio::test]
async fn a_host_calls_the_event_off_and_takes_it_back() {
    let world = World::new().await;
    for cancelled in [true, false] {
        let after = world.put("M9STHE", "/api/admin/settings", json!({ "cancelled": cancelled })).await.is(200);
        assert_eq!(after["cancelled"], json!(cancelled));
    }
    let answer = world.put("M9STHE", "/api/admin/settings", json!({ "cancelled": "perhaps" })).await;
    assert!((400..500).contains(&answer.status));
}

#[tokio::test]
async fn a_new_date_keeps_the_time_of_day() {
    let world = World::new().await;
    let body = json!({ "eventDate": "2027-06-19", "eventName": "Midsummer", "capacity": 40 });
    let after = world.put("M9STHE", "/api/admin/settings", body).await.is(200);
    assert_eq!((&after["startsAt"], &after["capacity"]), (&json!("2027-06-19T17:00:00Z"), &json!(40)));
    assert_eq!(after["eventName"], "Midsummer");
}

#[tokio::test]
async fn what_cannot_be_set_is_told_by_its_field() {
    let world = World::new().await;
    for (body, field) in [
        (json!({ "rsvpDeadline": "soon" }), "rsvpDeadline"),
        (json!({ "rsvpDeadline": "2026-12-24" }), "rsvpDeadline"),
        (json!({ "eventDate": "2026-11-31" }), "startsAt"),
        (json!({ "eventDate": "2026-11-29", "startsAt": "2026-11-29T18:00" }), "eventDate"),
        (json!({ "eventName": " " }), "eventName"),
        (json!({ "timeZone": "Mars/Olympus" }), "timeZone"),
        (json!({ "phoneRegion": "XX" }), "phoneRegion"),
        (json!({ "capacity": -1 }), "capacity"),
        (json!({ "capacity": "many" }), "capacity"),
        (json!({ "capacity": 1.5 }), "capacity"),
        (json!({ "startsAt": null }), "startsAt"),
        (json!({ "eventName": null }), "eventName"),
        (json!({ "timeZone": null }), "timeZone"),
        (json!({ "place": "Hut", "seats": 8 }), "seats"),
        (json!({ "place": { "$ne": null } }), "place"),
    ] {
        let answer = world.put("M9STHE", "/api/admin/settings", body).await;
        assert_eq!(answer.fails(422, "invalid")["field"], field);
    }
    assert_eq!(world.get("M9STHE", "/api/admin/settings").await.header("etag"), "\"1\"");
}

#[tokio::test]
async fn only_hosts_see_settings_and_only_their_own() {
    let world = World::new().await;
    world.get("K7QF2M", "/api/admin/settings").await.fails(403, "not_a_host");
    world.put("K7QF2M", "/api/admin/settings", json!({ "eventName": "Mine" })).await.fails(403, "not_a_host");
    world.put("X4OTHR", "/api/admin/settings", json!({ "eventName": "Theirs" })).await.is(200);
    assert_eq!(world.get("M9STHE", "/api/admin/settings").await.is(200)["eventName"], "Harbour Supper");
}

#[tokio::test]
async fn a_change_rests_on_what_was_shown_where_the_client_says_so() {
    let world = World::new().await;
    let token = world.token("M9STHE").await;
    let change = async |tag: &str| {
        let body = json!({ "place": tag }).to_string();
        let mut request = world.request(Method::PUT, "/api/admin/settings", Some(&token), body);
        request.headers_mut().insert("if-match", tag.parse().unwrap());
        world.send(request).await
    };
    change("\"1\"").await.is(200);
    change("\"1\"").await.fails(412, "changed_meanwhile");
}

#[tokio::test]
async fn null_and_an_empty_text_clear() {
    let world = World::new().await;
    for none in [json!(null), json!("")] {
        let set = json!({ "capacity": 8, "place": "The Hut", "rsvpDeadline": "2026-11-10" });
        assert_eq!(world.put("M9STHE", "/api/admin/settings", set).await.is(200)["capacity"], 8);
        let clear = json!({ "capacity": none, "place": none, "rsvpDeadline": none });
        let cleared = world.put("M9STHE", "/api/admin/settings", clear).await.is(200);
        assert_eq!(
            (&cleared["capacity"], &cleared["place"], &cleared["rsvpDeadline"]),
            (&json!(null), &json!(""), &json!(""))
        );
    }
}
