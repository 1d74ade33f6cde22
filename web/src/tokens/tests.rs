use std::{
    fs,
    os::unix::fs::PermissionsExt,
    sync::{Arc, OnceLock},
};

use base64::{
    Engine,
    engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig, STANDARD_NO_PAD},
};
use chrono::{DateTime, TimeDelta, Utc};
use domain::model::{EventId, Guest, GuestId};
use proptest::prelude::*;
use secrecy::SecretString;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::*;

/// Makes keys once for all tests: it takes a while.
fn pem(number: usize) -> &'static SecretString {
    static PEMS: OnceLock<Vec<SecretString>> = OnceLock::new();
    &PEMS.get_or_init(|| (0..2).map(|_| SigningKey::make().unwrap()).collect())[number]
}

fn key(number: usize, signs_from: DateTime<Utc>) -> SigningKey {
    SigningKey::read(pem(number), signs_from).unwrap()
}

const LIFETIMES: Lifetimes = Lifetimes { guest: TimeDelta::days(30), host: TimeDelta::hours(12) };

fn issuer(keys: Vec<SigningKey>) -> Issuer {
    Issuer::new("convive", LIFETIMES, keys)
}

fn now() -> DateTime<Utc> {
    "2026-11-19T08:00:00Z".parse().unwrap()
}

fn guest(first: &str, last: &str) -> Guest {
    let mut guest = Guest::new(GuestId([7; 12]), EventId::from("supper"), last.to_owned(), "K7QF2M".to_owned(), now());
    guest.first_name = first.to_owned();
    guest
}

/// The only key, its issuer and its verifier.
fn pair() -> (SigningKey, Issuer, Verifier) {
    let issuer = issuer(vec![key(0, DateTime::UNIX_EPOCH)]);
    let verifier = Verifier::new("convive", issuer.public_keys());
    (key(0, DateTime::UNIX_EPOCH), issuer, verifier)
}

/// A token with any header and claims, signed with a key of ours.
fn minted(key: &SigningKey, header: &Value, claims: &Value) -> String {
    let signed = format!("{}.{}", compact::encode(header.to_string()), compact::encode(claims.to_string()));
    let signature = key.sign(signed.as_bytes()).unwrap();
    format!("{signed}.{}", compact::encode(signature))
}

fn header(key: &SigningKey) -> Value {
    json!({ "alg": "RS256", "typ": "JWT", "kid": key.kid() })
}

fn claims() -> Value {
    let iat = now().timestamp();
    json!({ "sub": GuestId([7; 12]).to_string(), "iss": "convive", "aud": "convive", "iat": iat, "exp": iat + 3600 })
}

fn with(mut value: Value, name: &str, new: Value) -> Value {
    value[name] = new;
    value
}

fn without(mut value: Value, name: &str) -> Value {
    value.as_object_mut().unwrap().remove(name);
    value
}

#[test]
fn a_token_says_who_somebody_is_for_as_long_as_it_is_set() {
    let (_, issuer, verifier) = pair();
    let mut anna = guest("Anna", "Holloway");
    for (is_admin, lifetime) in [(false, LIFETIMES.guest), (true, LIFETIMES.host)] {
        anna.is_admin = is_admin;
        let claims = Arc::unwrap_or_clone(verifier.verify(&issuer.issue(&anna, now()).unwrap(), now()).unwrap());
        assert_eq!(
            (claims.sub, claims.first_name, claims.last_name),
            (anna.id.to_string(), "Anna".into(), "Holloway".into())
        );
        assert_eq!((claims.is_admin, claims.iss, claims.aud), (is_admin, "convive".to_owned(), "convive".to_owned()));
        assert_eq!((claims.iat, claims.exp), (now().timestamp(), (now() + lifetime).timestamp()));
    }
}

/// Verifiers that follow the token's own header were led to "none", or to take a public key for a shared secret.
#[test]
fn the_header_does_not_decide_how_a_token_is_checked() {
    let (key, _, verifier) = pair();
    assert!(verifier.verify(&minted(&key, &header(&key), &claims()), now()).is_ok());
    for alg in ["none", "nOnE", "HS256", "HS384", "RS384", "RS512", "PS256", "ES256", "rs256", ""] {
        let token = minted(&key, &with(header(&key), "alg", json!(alg)), &claims());
        assert_eq!(verifier.verify(&token, now()), Err(InvalidToken::Algorithm), "{alg}");
    }
    let unsigned = |alg: &str| {
        let header = with(header(&key), "alg", json!(alg)).to_string();
        format!("{}.{}.", compact::encode(header), compact::encode(claims().to_string()))
    };
    assert_eq!(verifier.verify(&unsigned("none"), now()), Err(InvalidToken::Algorithm));
    assert_eq!(verifier.verify(&unsigned("RS256"), now()), Err(InvalidToken::Signature));
    let critical = with(header(&key), "crit", json!(["b64"]));
    assert_eq!(verifier.verify(&minted(&key, &critical, &claims()), now()), Err(InvalidToken::Algorithm));
}

/// An unknown key id must not be looked for anywhere, and a missing one must not fall back to the first key.
#[test]
fn the_key_is_one_that_is_known() {
    let (key, _, verifier) = pair();
    for kid in ["../../../dev/null", "", "first.pem", "https://evil.example/jwks.json"] {
        let token = minted(&key, &with(header(&key), "kid", json!(kid)), &claims());
        assert_eq!(verifier.verify(&token, now()), Err(InvalidToken::UnknownKey), "{kid}");
    }
    let token = minted(&key, &without(header(&key), "kid"), &claims());
    assert_eq!(verifier.verify(&token, now()), Err(InvalidToken::UnknownKey));
    let other = self::key(1, DateTime::UNIX_EPOCH);
    let token = minted(&other, &header(&other), &claims());
    assert_eq!(verifier.verify(&token, now()), Err(InvalidToken::UnknownKey));
    let forged = minted(&other, &header(&key), &claims());
    assert_eq!(verifier.verify(&forged, now()), Err(InvalidToken::Signature));
}

#[test]
fn a_changed_token_is_refused() {
    let (key, _, verifier) = pair();
    let token = minted(&key, &header(&key), &claims());
    let (signed, signature) = token.rsplit_once('.').unwrap();
    let head = signed.split('.').next().unwrap();
    let raised = compact::encode(with(claims(), "isAdmin", json!(true)).to_string());
    assert_eq!(verifier.verify(&format!("{head}.{raised}.{signature}"), now()), Err(InvalidToken::Signature));
    for text in ["", ".", "..", "...", "a.b.c", "Bearer", head, signed, &format!("{token}.x"), &"a".repeat(100_000)] {
        assert_eq!(verifier.verify(text, now()), Err(InvalidToken::Malformed), "{text}");
    }
}

/// Tokens without an end were good for ever, and a hidden minute of leeway kept expired ones alive.
#[test]
fn a_token_ends_five_seconds_after_its_end() {
    let (key, _, verifier) = pair();
    let token = minted(&key, &header(&key), &claims());
    let end = now() + TimeDelta::hours(1);
    for (seconds, good) in [(-1, true), (4, true), (5, false), (30, false), (61, false)] {
        let checked = verifier.verify(&token, end + TimeDelta::seconds(seconds));
        assert_eq!(checked.is_ok(), good, "{seconds} s after its end");
        assert!(good || checked == Err(InvalidToken::Expired));
    }
    for bad in
        [without(claims(), "exp"), with(claims(), "exp", json!("1795136400")), with(claims(), "exp", json!(null))]
    {
        assert_eq!(verifier.verify(&minted(&key, &header(&key), &bad), now()), Err(InvalidToken::Claims));
    }
    let never = with(claims(), "exp", json!(i64::MAX));
    assert!(verifier.verify(&minted(&key, &header(&key), &never), now()).is_ok());
}

/// A slightly fast clock made fresh tokens look as if they came from the future.
#[test]
fn a_token_may_come_from_a_clock_that_is_a_little_fast() {
    let (key, _, verifier) = pair();
    for (ahead, expected) in [(3, true), (5, true), (6, false)] {
        let claims = with(claims(), "iat", json!(now().timestamp() + ahead));
        assert_eq!(verifier.verify(&minted(&key, &header(&key), &claims), now()).is_ok(), expected, "{ahead} s");
    }
}

#[test]
fn a_token_for_somebody_else_is_refused() {
    let (key, _, verifier) = pair();
    for name in ["iss", "aud"] {
        for bad in
            [with(claims(), name, json!("other")), with(claims(), name, json!(["convive"])), without(claims(), name)]
        {
            assert_eq!(verifier.verify(&minted(&key, &header(&key), &bad), now()), Err(InvalidToken::Claims), "{bad}");
        }
    }
}

#[test]
fn keys_change_without_logging_anyone_out() {
    let (_, before, verifier) = pair();
    let anna = guest("Anna", "Holloway");
    let old = before.issue(&anna, now()).unwrap();
    let in_use = now() + key_files::PUBLISHED_BEFORE;
    before.replace_keys(vec![key(0, DateTime::UNIX_EPOCH), key(1, in_use)]);
    // Until every process knows the new key, tokens are signed with the old one.
    let between = before.issue(&anna, in_use - TimeDelta::seconds(1)).unwrap();
    assert!(verifier.verify(&between, in_use).is_ok());
    verifier.replace_keys(before.public_keys());
    let new = before.issue(&anna, in_use).unwrap();
    let kid = |token: &str| compact::Parts::of(token).unwrap().header.kid;
    assert_eq!(kid(&old), kid(&between));
    assert_ne!(kid(&old), kid(&new));
    for token in [&old, &between, &new] {
        assert!(verifier.verify(token, in_use).is_ok());
    }
    // A key that is taken away ends what it signed, though that was found good a moment ago.
    let the_old_one = kid(&old);
    verifier
        .replace_keys(before.public_keys().into_iter().filter(|key| Some(&key.kid) != the_old_one.as_ref()).collect());
    assert_eq!(verifier.verify(&old, in_use), Err(InvalidToken::UnknownKey));
    assert!(verifier.verify(&new, in_use).is_ok());
}

#[test]
fn published_keys_check_what_private_ones_sign() {
    let (_, issuer, verifier) = pair();
    let published = serde_json::to_string(&verifier.jwks()).unwrap();
    assert!(!published.contains("\"d\""), "{published}");
    let elsewhere = Verifier::new("convive", Jwks::read(&published).unwrap().keys());
    assert!(elsewhere.verify(&issuer.issue(&guest("Anna", "Holloway"), now()).unwrap(), now()).is_ok());
    let others = r#"{"keys":[{"kty":"EC","kid":"a"},{"kty":"RSA","use":"enc","kid":"b","n":"AQAB","e":"AQAB"},
        {"kty":"RSA","kid":"c","n":"!","e":"AQAB"},{"kty":"oct","k":"c2VjcmV0","kid":"d","alg":"HS256"}]}"#;
    assert_eq!(Jwks::read(others).unwrap().keys(), []);
}

/// A key must name itself as other programs would name it.
#[test]
fn the_key_id_is_the_thumbprint() {
    // The example of RFC 7638, section 3.1.
    let n = "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3\
             oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdA\
             ZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur\
             -kEgU8awapJzKnqDKgw";
    let json = json!({ "keys": [{ "kty": "RSA", "kid": "2011-04-29", "n": n, "e": "AQAB" }] }).to_string();
    let keys = Jwks::read(&json).unwrap().keys();
    assert_eq!(keys[0].thumbprint(), "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs");
}

#[test]
fn a_new_code_ends_what_was_opened_with_the_old_one() {
    let (_, issuer, verifier) = pair();
    let mut anna = guest("Anna", "Holloway");
    let claims = verifier.verify(&issuer.issue(&anna, now()).unwrap(), now()).unwrap();
    assert!(claims.is_of_present_code(&anna));
    anna.token = "B3NH4Z".to_owned();
    assert!(!claims.is_of_present_code(&anna));
}

#[test]
fn secrets_do_not_show() {
    let (key, issuer, verifier) = pair();
    let token = issuer.issue(&guest("Anna", "Holloway"), now()).unwrap();
    let shown = format!("{key:?} {issuer:?} {:?}", verifier.verify(&token, now()).unwrap());
    assert!(!shown.contains("Holloway") && !shown.contains("BEGIN"), "{shown}");
}

/// What a browser does: `atob` knows the plain alphabet only, takes any padding, and gives a character for each byte.
fn as_a_browser_reads(token: &str) -> Value {
    let atob = GeneralPurpose::new(
        &base64::alphabet::STANDARD,
        GeneralPurposeConfig::new().with_decode_padding_mode(base64::engine::DecodePaddingMode::Indifferent),
    );
    let bytes = atob.decode(token.split('.').nth(1).unwrap()).unwrap();
    let text: String = bytes.into_iter().map(char::from).collect();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn a_browser_reads_names_with_atob_alone() {
    let (_, issuer, _) = pair();
    for (first, last) in [
        ("Jörg", "Groß"),
        ("Siobhán", "O’Hara"),
        ("何", "王"),
        ("~~~>>>???", "\u{7f}🎉"),
        ("\"\\", "</script>"),
        ("", "Ek"),
    ] {
        let claims = as_a_browser_reads(&issuer.issue(&guest(first, last), now()).unwrap());
        assert_eq!((&claims["firstName"], &claims["lastName"]), (&json!(first), &json!(last)));
    }
}

proptest! {
    #[test]
    fn no_name_makes_a_payload_that_atob_cannot_read(first in ".{0,12}", last in any::<String>()) {
        let claims = Claims::of(&guest(&first, &last), "convive", now(), LIFETIMES.guest);
        let payload = compact::encode(claims.to_json().unwrap());
        prop_assert!(!payload.contains(['-', '_']));
        let read: Claims = serde_json::from_slice(&STANDARD_NO_PAD.decode(payload).unwrap()).unwrap();
        prop_assert_eq!(read.last_name, last);
    }

    #[test]
    fn no_text_makes_a_verifier_fail(text in ".{0,200}") {
        let (_, _, verifier) = pair();
        prop_assert!(verifier.verify(&text, now()).is_err());
    }
}

// Keys as files.

#[test]
fn the_first_key_is_made_once_for_its_owner_alone() {
    let folder = TempDir::new().unwrap();
    let keys = folder.path().join("new/keys");
    assert!(key_files::read(&keys).unwrap().is_empty());
    let made = key_files::open(&keys).unwrap();
    let again = key_files::open(&keys).unwrap();
    assert_eq!(made[0].kid(), again[0].kid());
    assert_eq!((made.len(), again.len()), (1, 1));
    let mode = |path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(keys.clone()), mode(keys.join("first.pem"))), (0o700, 0o600));
    assert_eq!(fs::read_dir(&keys).unwrap().count(), 1, "nothing else is left there");
}

#[test]
fn a_rotated_key_waits_and_an_expired_one_goes() {
    let folder = TempDir::new().unwrap();
    let first = key_files::open(folder.path()).unwrap()[0].kid().to_owned();
    let second = key_files::rotate(folder.path(), LIFETIMES, now()).unwrap();
    assert_eq!((second.signs_from, second.removed.len()), (now() + key_files::PUBLISHED_BEFORE, 0));
    let kids = || key_files::read(folder.path()).unwrap().iter().map(|key| key.kid().to_owned()).collect::<Vec<_>>();
    assert_eq!(kids(), [first.clone(), second.kid.clone()]);
    let last_token_ends = second.signs_from + LIFETIMES.guest;
    let third = key_files::rotate(folder.path(), LIFETIMES, last_token_ends).unwrap();
    assert_eq!(third.removed.len(), 0);
    let fourth = key_files::rotate(folder.path(), LIFETIMES, last_token_ends + TimeDelta::seconds(1)).unwrap();
    assert_eq!(fourth.removed, [first]);
    assert_eq!(kids(), [second.kid, third.kid, fourth.kid]);
}

#[test]
fn a_key_that_others_can_read_or_that_is_none_is_refused_with_the_remedy() {
    let folder = TempDir::new().unwrap();
    key_files::open(folder.path()).unwrap();
    let path = folder.path().join("first.pem");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    let error = key_files::open(folder.path()).unwrap_err().to_string();
    assert!(error.contains("chmod 600"), "{error}");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    fs::write(&path, "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n").unwrap();
    let error = key_files::open(folder.path()).unwrap_err().to_string();
    assert!(error.contains("Move it away"), "{error}");
    fs::remove_file(&path).unwrap();
    fs::write(folder.path().join("README"), "not a key").unwrap();
    assert_eq!(key_files::open(folder.path()).unwrap().len(), 1, "other files are left alone");
}
