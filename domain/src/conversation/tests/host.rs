//! A world with a host, for transcripts of what hosts can do in the chat.

use expect_test::Expect;

use super::world::World;

/// Mia is the host; the Holloways are half answered, Bob is known by his phone only.
pub fn world() -> World {
    let mut world = World::new();
    world.add("Mia", "Hart", "M9STHE", None, 1);
    world.guest_mut("Mia").is_admin = true;
    world.guest_mut("Bob").phone = Some("+447700900177".to_owned());
    world.play(
        "anna: K7QF2M Holloway
         anna: only me
         anna: they answer themselves
         anna: no nuts
         anna: yes
         mia: M9STHE Hart",
    );
    world
}

pub fn check(script: &str, expected: Expect) {
    expected.assert_eq(&world().play(script));
}
