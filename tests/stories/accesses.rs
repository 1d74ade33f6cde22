//! Who used the program when: recorded beside the messages, on either store.

use chrono::{DateTime, TimeDelta, Utc};

use crate::{
    fixtures::PHONE,
    process::Process,
    world::{Setup, World},
};

/// The same story on both stores.
async fn on_both(story: impl AsyncFn(World)) {
    for on_mongodb in [false, true] {
        story(World::with(Setup { on_mongodb, ..Setup::default() }).await).await;
    }
}

/// Last login and last use of the guest with this code.
async fn times(world: &World, code: &str) -> (Option<DateTime<Utc>>, Option<DateTime<Utc>>) {
    let guest = world.guest(code).await;
    (guest.last_login, guest.last_access)
}

async fn record(process: &Process) {
    process.app.accesses.flush(process.app.store.as_ref()).await;
}

#[tokio::test]
async fn a_use_is_recorded_later_with_the_time_when_it_was() {
    on_both(async |world| {
        let (anna, began) = (world.telegram("anna"), world.now());
        anna.comes_in("K7QF2M Holloway").await;
        assert_eq!(world.process.store.calls("record_accesses"), 0, "no message waits for it");
        assert_eq!(times(&world, "K7QF2M").await, (None, None));
        world.advance(TimeDelta::minutes(5));
        record(&world.process).await;
        assert_eq!(times(&world, "K7QF2M").await, (Some(began), Some(began)));
        let (again, version) = (world.now(), world.guest("K7QF2M").await.version);
        anna.says("details").await.skips_all();
        world.advance(TimeDelta::minutes(5));
        record(&world.process).await;
        assert_eq!(times(&world, "K7QF2M").await, (Some(began), Some(again)));
        assert_eq!(world.guest("K7QF2M").await.version, version, "no decision rests on it");
        world.ignore_the_rest().await;
    })
    .await;
}

#[tokio::test]
async fn many_uses_of_many_people_are_written_together() {
    on_both(async |world| {
        let (anna, ben, maria) = (world.telegram("anna"), world.telegram("ben"), world.phone(PHONE));
        for (chat, credentials) in [(&anna, "K7QF2M Holloway"), (&ben, "B3NH4Z Holloway"), (&maria, "H4TR8W Santos")] {
            chat.comes_in(credentials).await;
        }
        for _ in 0..3 {
            world.advance(TimeDelta::minutes(1));
            for chat in [&anna, &ben, &maria] {
                chat.says("details").await.skips_all();
            }
        }
        record(&world.process).await;
        assert_eq!(world.process.store.calls("record_accesses"), 1);
        for code in ["K7QF2M", "B3NH4Z", "H4TR8W"] {
            assert_eq!(times(&world, code).await.1, Some(world.now()), "of several the last counts");
        }
        record(&world.process).await;
        assert_eq!(world.process.store.calls("record_accesses"), 1, "there is nothing to write");
        world.ignore_the_rest().await;
    })
    .await;
}

/// Two programs write at different times: whoever is late with an older use changes nothing.
#[tokio::test]
async fn times_never_move_backwards() {
    on_both(async |world| {
        let other = world.start_another().await;
        let anna = world.telegram("anna");
        anna.comes_in("K7QF2M Holloway").await;
        let began = world.now();
        world.advance(TimeDelta::minutes(5));
        let guest = world.guest("K7QF2M").await.id;
        other.app.accesses.note(guest, world.now(), true);
        // Of one guest several uses may be noted in any order, too.
        other.app.accesses.note(guest, began, true);
        record(&other).await;
        record(&world.process).await;
        assert_eq!(times(&world, "K7QF2M").await, (Some(world.now()), Some(world.now())));
        world.ignore_the_rest().await;
    })
    .await;
}

/// It is best effort: what could not be written is gone, nobody is kept from anything, and the next use counts.
#[tokio::test]
async fn what_cannot_be_recorded_fails_no_message() {
    on_both(async |world| {
        let anna = world.telegram("anna");
        world.process.store.fail("record_accesses", u32::MAX);
        anna.comes_in("K7QF2M Holloway").await;
        record(&world.process).await;
        anna.presses("All 3").await.sees("dietary needs");
        record(&world.process).await;
        assert_eq!(world.process.store.calls("record_accesses"), 2);
        assert_eq!(times(&world, "K7QF2M").await, (None, None));
        world.process.store.mend();
        world.advance(TimeDelta::minutes(5));
        anna.says("details").await.skips_all();
        record(&world.process).await;
        assert_eq!(times(&world, "K7QF2M").await, (None, Some(world.now())));
        world.ignore_the_rest().await;
    })
    .await;
}

/// A whole town at once: in parts, so that no message waits behind all of them.
#[tokio::test]
async fn very_many_are_written_in_parts() {
    on_both(async |world| {
        for number in 0..250_u8 {
            let guest = domain::model::GuestId([number; 12]);
            world.process.app.accesses.note(guest, world.now(), false);
        }
        record(&world.process).await;
        assert_eq!(world.process.store.calls("record_accesses"), 3);
        world.finish().await;
    })
    .await;
}
