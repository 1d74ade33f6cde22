//! The published client's exchanges, as it makes them: it keeps the token, decodes the claims with `atob`, fills its
//! form from GET /rsvp, asks its own questions, and sends what was answered.

use base64::{
    Engine,
    alphabet::STANDARD,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};

use super::*;

/// A browser with the client's page.
struct Client<'a> {
    world: &'a World,
    token: String,
}

impl<'a> Client<'a> {
    async fn log_in(world: &'a World, code: &str, last_name: &str) -> Self {
        let body = world.log_in(code, last_name).await.is(200);
        Self { world, token: body["token"].as_str().unwrap().to_owned() }
    }

    /// `JSON.parse(atob(token.split('.')[1]))`
    fn claims(&self) -> Value {
        let atob = GeneralPurpose::new(
            &STANDARD,
            GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
        );
        let bytes = atob.decode(self.token.split('.').nth(1).unwrap()).unwrap();
        serde_json::from_str(&bytes.into_iter().map(char::from).collect::<String>()).unwrap()
    }

    async fn send(&self, method: Method, path: &str, body: Option<Value>) -> Answer {
        let body = body.map(|body| body.to_string()).unwrap_or_default();
        self.world.send(self.world.request(method, &format!("/api{path}"), Some(&self.token), body)).await
    }

    async fn form(&self) -> (u64, String) {
        let body = self.send(Method::GET, "/rsvp", None).await.is(200);
        let guest = &body["guest"];
        (guest["numGuests"].as_u64().unwrap(), guest["dietary"].as_str().unwrap().to_owned())
    }
}

#[tokio::test]
async fn a_guest_answers_for_the_family() {
    let world = World::new().await;
    let anna = Client::log_in(&world, "K7QF2M", "Holloway").await;
    let claims = anna.claims();
    assert_eq!((&claims["firstName"], &claims["isAdmin"]), (&json!("Anna"), &json!(false)));
    assert!(claims["exp"].as_i64().unwrap() > world.app.clock.now().timestamp());
    let view = anna.send(Method::GET, "/rsvp", None).await.is(200);
    assert_eq!((anna.form().await, &view["familySum"]), ((0, String::new()), &json!(5)));
    // "Expected 5 but you said 6. Are you sure?"
    let answer = json!({ "numGuests": 6, "dietary": "one vegan", "groupStatus": "coming" });
    assert_eq!(anna.send(Method::PUT, "/rsvp", Some(answer)).await.is(200)["guest"]["numGuests"], 6);
    assert_eq!(anna.form().await, (6, "one vegan".to_owned()));
    // "Expected 5 but you said 1. Is it only you?"
    let answer = json!({ "numGuests": 1, "dietary": "one vegan", "groupStatus": "declined" });
    anna.send(Method::PUT, "/rsvp", Some(answer)).await.is(200);
    assert_eq!(world.family().await, "Anna coming 1+0+0, Ben declined 0+0+0, Bob declined 0+0+0");
    // The deadline passes; the form, as it is filled, still takes what Anna cannot eat.
    world.set_now("2026-11-21T08:00:00Z");
    let (count, _) = anna.form().await;
    let answer = json!({ "numGuests": count, "dietary": "no fish" });
    anna.send(Method::PUT, "/rsvp", Some(answer)).await.is(200);
    anna.send(Method::POST, "/auth/logout", None).await.is(200);
}

#[tokio::test]
async fn a_host_looks_after_the_list() {
    let world = World::new().await;
    let mia = Client::log_in(&world, "M9STHE", "Hart").await;
    assert_eq!(mia.claims()["isAdmin"], true);
    let list = mia.send(Method::GET, "/admin/guests", None).await.is(200);
    assert_eq!((list["guests"].as_array().unwrap().len(), &list["stats"]["totalInvited"]), (6, &json!(6)));
    let new = json!({ "firstName": "Sofia", "lastName": "Ek", "token": "", "isAdmin": false, "expectedGuests": 2 });
    let sofia = mia.send(Method::POST, "/admin/guests", Some(new)).await.is(201)["guest"]["_id"].clone();
    let sofia = format!("/admin/guests/{}", sofia.as_str().unwrap());
    for field in [
        json!({ "lastName": "Berg" }),
        json!({ "status": "coming" }),
        json!({ "numGuests": 1 }),
        json!({ "dietary": "nuts" }),
    ] {
        mia.send(Method::PUT, &sofia, Some(field)).await.is(200);
    }
    mia.send(Method::PUT, &format!("{sofia}/group"), Some(json!({ "groupId": "P7" }))).await.is(200);
    mia.send(Method::DELETE, &format!("{sofia}/group"), None).await.is(200);
    assert_eq!(mia.send(Method::DELETE, &sofia, None).await.is(200)["deleted"], true);
    let settings =
        mia.send(Method::PUT, "/admin/settings", Some(json!({ "rsvpDeadline": "2026-11-15" }))).await.is(200);
    assert_eq!(settings["rsvpDeadline"], "2026-11-15");
}
