//! Whatever is sent, the server neither fails nor keeps what a conversation could not have led to.

use domain::{
    answer::MOST_EXTRAS,
    guest_file::MOST_EXPECTED,
    model::{Guest, Status},
};
use proptest::{collection::vec, prelude::*};

use super::*;

/// JSON of any kind, with the words of the API more often than chance.
fn document() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (0..8_u32).prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "\\PC{0,12}".prop_map(Value::from),
        prop::sample::select(vec!["coming", "declined", "pending", "waitlisted", "P7", "sv", "2026-11-10", ""])
            .prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 5, |inner| {
        let field = prop::sample::select(vec![
            "numGuests",
            "dietary",
            "groupStatus",
            "members",
            "_id",
            "status",
            "self",
            "companions",
            "extra",
            "confirmed",
            "firstName",
            "lastName",
            "token",
            "isAdmin",
            "expectedGuests",
            "phone",
            "notes",
            "locale",
            "groupId",
            "rsvpDeadline",
            "eventName",
            "eventDate",
            "capacity",
            "timeZone",
            "$ne",
            "$where",
        ]);
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            vec((field, inner), 0..5).prop_map(|fields| {
                Value::Object(fields.into_iter().map(|(field, value)| (field.to_owned(), value)).collect())
            }),
        ]
    })
}

/// What makes sense, in any combination.
fn sensible() -> impl Strategy<Value = Value> {
    let status = prop::sample::select(vec!["coming", "declined", "pending"]);
    let member = (0..4_usize, status.clone(), prop::option::of(any::<bool>()), prop::option::of(0..4_u32));
    let member = member.prop_map(|(member, status, own, companions)| {
        let mut body = json!({ "_id": format!("#{member}"), "status": status });
        if let Some(own) = own {
            body["self"] = json!(own);
        }
        if let Some(companions) = companions {
            body["companions"] = json!(companions);
        }
        body
    });
    prop_oneof![
        (0..9_u32).prop_map(|count| json!({ "numGuests": count })),
        (0..30_u32, prop::sample::select(vec!["coming", "declined"]))
            .prop_map(|(count, others)| json!({ "numGuests": count, "groupStatus": others, "dietary": "nuts" })),
        (vec(member, 0..4), prop::option::of(0..25_u32), any::<bool>()).prop_map(
            |(members, extra, confirmed)| json!({ "members": members, "extra": extra, "confirmed": confirmed })
        ),
        (status, 0..6_u32).prop_map(|(status, count)| json!({ "status": status, "numGuests": count })),
        (1..6_u32).prop_map(|expected| json!({ "expectedGuests": expected })),
        status_alone(),
    ]
}

fn status_alone() -> impl Strategy<Value = Value> {
    prop::sample::select(vec!["coming", "declined", "pending"]).prop_map(|status| json!({ "status": status }))
}

#[derive(Debug, Clone)]
struct Call {
    code: &'static str,
    method: Method,
    path: &'static str,
    body: Value,
}

fn call() -> impl Strategy<Value = Call> {
    let route = prop::sample::select(vec![
        (Method::PUT, "/api/rsvp"),
        (Method::PUT, "/api/rsvp"),
        (Method::GET, "/api/rsvp"),
        (Method::POST, "/api/auth/login"),
        (Method::POST, "/api/admin/guests"),
        (Method::PUT, "/api/admin/guests/#"),
        (Method::PUT, "/api/admin/guests/#"),
        (Method::PUT, "/api/admin/guests/#/group"),
        (Method::DELETE, "/api/admin/guests/#/group"),
        (Method::PUT, "/api/admin/settings"),
        (Method::GET, "/api/admin/guests?q=a&status=coming"),
    ]);
    let code = prop::sample::select(vec!["K7QF2M", "B3NH4Z", "B8TAN7", "P9DX3C", "M9STHE", "M9STHE"]);
    let body = prop_oneof![document(), sensible(), sensible()];
    (code, route, body).prop_map(|(code, (method, path), body)| Call { code, method, path, body })
}

/// `#1` stands for the second guest of the group.
fn named(text: &str, ids: &[String]) -> String {
    let mut text = text.to_owned();
    for (place, id) in ids.iter().enumerate() {
        text = text.replace(&format!("#{place}"), id);
    }
    text.replace('#', &ids[2])
}

fn assert_sound(guest: &Guest) {
    let own = u32::from(guest.self_coming) + guest.companions_coming;
    assert_eq!(guest.num_guests, own + guest.extra_guests, "{guest:?}");
    assert!((1..=MOST_EXPECTED).contains(&guest.expected_guests), "{guest:?}");
    assert!(guest.companions_coming <= guest.companions(), "{guest:?}");
    assert!(guest.extra_guests <= MOST_EXTRAS + MOST_EXPECTED, "{guest:?}");
    let comes = matches!(guest.status, Status::Coming | Status::Waitlisted);
    assert_eq!(comes, own > 0, "nobody comes by extras alone, and whoever comes is coming: {guest:?}");
    assert_eq!(guest.answered_by.is_none() && guest.rsvp_date.is_none(), guest.status == Status::Pending, "{guest:?}");
    assert!(guest.dietary.chars().count() <= 500 && !guest.last_name.is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn no_document_makes_the_server_fail_or_keep_nonsense(calls in vec(call(), 1..12)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let world = World::new().await;
            let mut ids = Vec::new();
            for code in ["K7QF2M", "B3NH4Z", "B8TAN7", "H4TR8W"] {
                ids.push(world.id(code).await);
            }
            for call in &calls {
                let token = world.token(call.code).await;
                let body = named(&call.body.to_string(), &ids);
                let request = world.request(call.method.clone(), &named(call.path, &ids), Some(&token), body);
                let answer = world.send(request).await;
                assert!(answer.status < 500, "{call:?}: {answer:?}");
            }
            for guest in world.app.all_guests(&"harbour-supper".into()).await.unwrap() {
                assert_sound(&guest);
            }
        });
    }
}
