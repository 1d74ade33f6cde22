use std::{fs, os::unix::fs::PermissionsExt};

use crate::home::Home;

fn files(home: &Home) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(home.path("convive-keys"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn rotating_makes_a_new_key_beside_the_old_one() {
    let home = Home::new();
    let said = home.run(&["keys", "rotate"]).done();
    assert_eq!(said.out.trim().len(), 43, "the new key's id: {said:?}");
    assert!(said.err.contains("nobody is logged out"), "{said:?}");
    assert_eq!(files(&home).len(), 2, "the first key is made too, so that there is one to sign with until then");
    home.run(&["keys", "rotate"]).done();
    assert_eq!(files(&home).len(), 3);
    for name in files(&home) {
        let mode = fs::metadata(home.path("convive-keys").join(name)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}

#[test]
fn keys_that_are_kept_elsewhere_are_rotated_there() {
    let home = Home::new();
    let said = home.run_with(&["keys", "rotate"], &[("CONVIVE__AUTH__PRIVATE_KEY", "a key")], "").refused();
    assert!(said.err.contains("auth.private_key"), "{said:?}");
    let said =
        home.run_with(&["keys", "rotate"], &[("CONVIVE__AUTH__JWKS", "https://a.example/jwks.json")], "").refused();
    assert!(said.err.contains("auth.jwks"), "{said:?}");
}

#[test]
fn a_folder_that_cannot_be_used_says_so() {
    let home = Home::new();
    home.write("convive-keys", "a file");
    let said = home.run(&["keys", "rotate"]).refused();
    assert!(said.err.contains("auth.key_dir"), "{said:?}");
}
