use super::*;

const TOKEN: &str = "test-auth-token-0001";
const TARGET: &str = "/webhooks/sms/twilio";

fn verifier(public_url: &str, token: &str) -> Verifier {
    let keys = [("KEY1".to_owned(), "shared-key-0001".into())];
    Verifier::new(&public_url.parse().unwrap(), token.into(), keys.into()).unwrap()
}

fn form(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

fn headers(signature: &str) -> HeaderMap {
    HeaderMap::from_iter([(SIGNATURE.parse().unwrap(), signature.parse().unwrap())])
}

/// Twilio's published example of a call.
fn call() -> Vec<(String, String)> {
    form(&[
        ("CallSid", "CA1234567890ABCDE"),
        ("Caller", "+14158675309"),
        ("Digits", "1234"),
        ("From", "+14158675309"),
        ("To", "+18005551212"),
    ])
}

/// A text; its signatures were computed apart from this code, with the published algorithm.
fn text() -> Vec<(String, String)> {
    form(&[
        ("AccountSid", "AC00000000000000000000000000000001"),
        ("MessageSid", "SM00000000000000000000000000000001"),
        ("From", "+447700900123"),
        ("To", "+447700900999"),
        ("Body", "K7QF2M Holloway"),
    ])
}

#[test]
fn the_published_vectors_fit() {
    let duplicates =
        form(&[("Sid", "CA123"), ("SidAccount", "AC123"), ("Digits", "5678"), ("Digits", "1234"), ("Digits", "1234")]);
    for (base, form, signature) in [
        ("https://mycompany.com", call(), "RSOYDt4T1cUTdK1PDd93/VVr8B8="),
        // Signed with the port, called without; and the other way round.
        ("https://mycompany.com", call(), "kvajT1Ptam85bY51eRf/AJRuM3w="),
        ("https://mycompany.com:443", call(), "RSOYDt4T1cUTdK1PDd93/VVr8B8="),
        ("http://mycompany.com", call(), "0ZXoZLH/DfblKGATFgpif+LLRf4="),
        ("https://mycompany.com", duplicates, "IK+Dwps556ElfBT0I3Rgjkr1wJU="),
    ] {
        let target = Uri::from_static("/myapp.php?foo=1&bar=2");
        let checked = verifier(base, "12345").check(&target, &headers(signature), b"", &form);
        assert_eq!(checked, Ok(()), "{base} {signature}");
    }
}

#[test]
fn the_published_vector_of_a_json_body_fits_that_body_alone() {
    let target = Uri::from_static(
        "/myapp.php?foo=1&bar=2&bodySHA256=0a1ff7634d9ab3b95db5c9a2dfe9416e41502b283a80c7cf19632632f96e6620",
    );
    let check = |body: &[u8]| {
        // Whatever the body looks like as a form plays no part.
        let form = form_urlencoded::parse(body).into_owned().collect::<Vec<_>>();
        let signature = headers("a9nBmqA0ju/hNViExpshrM61xv4=");
        verifier("https://mycompany.com", "12345").check(&target, &signature, body, &form)
    };
    assert_eq!(check(br#"{"property": "value", "boolean": true}"#), Ok(()));
    assert_eq!(check(br#"{"property": "value", "boolean": false}"#), Err(Forged::OtherBody));
    assert_eq!(check(b""), Err(Forged::OtherBody));
}

#[test]
fn only_the_configured_address_counts() {
    for (public_url, signature, expected) in [
        ("https://rsvp.example.org", "as1dYGQ0RHbMjvtYAMrLqzQkPBg=", Ok(())),
        ("https://rsvp.example.org/", "as1dYGQ0RHbMjvtYAMrLqzQkPBg=", Ok(())),
        ("https://rsvp.example.org", "+84Z/+BI7I3dkAT6O3JskvFLu9k=", Ok(())), // signed with :443
        ("https://rsvp.example.org:8443", "rz2LYXXUvEWG22PjMEeZMqXRCP8=", Ok(())),
        ("https://rsvp.example.org:8443", "as1dYGQ0RHbMjvtYAMrLqzQkPBg=", Ok(())), // signed without
        ("https://rsvp.example.org/convive", "Q4uPlypXZrp3wRNZZKMtHe7tY6M=", Ok(())),
        ("https://rsvp.example.org", "qbyOEV/XCMSvzMVsGoejy2Djbjs=", Err(Forged::Wrong)), // http
        ("https://rsvp.example.org", "PtgutpqN/yGAH85ENsqk4Iusxm0=", Err(Forged::Wrong)), // 127.0.0.1:8080
        ("https://rsvp.example.org", "rz2LYXXUvEWG22PjMEeZMqXRCP8=", Err(Forged::Wrong)), // another port
        ("https://rsvp.example.org", "VQXz2FT6JmLeBpYnXVhnzFlBoGQ=", Err(Forged::Wrong)), // evil.example
    ] {
        let mut headers = headers(signature);
        for (name, value) in
            [("host", "evil.example"), ("x-forwarded-host", "evil.example"), ("x-forwarded-proto", "http")]
        {
            headers.insert(name, value.parse().unwrap());
        }
        let checked = verifier(public_url, TOKEN).check(&Uri::from_static(TARGET), &headers, b"", &text());
        assert_eq!(checked, expected, "{public_url} {signature}");
    }
}

#[test]
fn every_parameter_counts() {
    let check = |form: &[(String, String)]| {
        let signature = headers("as1dYGQ0RHbMjvtYAMrLqzQkPBg=");
        verifier("https://rsvp.example.org", TOKEN).check(&Uri::from_static(TARGET), &signature, b"", form)
    };
    let mut reordered = text();
    reordered.reverse();
    assert_eq!(check(&reordered), Ok(()));
    let mut repeated = text();
    repeated.extend(text());
    assert_eq!(check(&repeated), Ok(()), "a repeated pair is signed once");
    let mut more = text();
    more.push(("NumMedia".to_owned(), "0".to_owned()));
    assert_eq!(check(&more), Err(Forged::Wrong));
    let mut other = text();
    other[4].1.push(' ');
    assert_eq!(check(&other), Err(Forged::Wrong), "values are not trimmed");
    assert_eq!(check(&text()[1..]), Err(Forged::Wrong));
}

#[test]
fn a_missing_or_broken_signature_fits_nothing() {
    let check = |headers: &HeaderMap| {
        verifier("https://rsvp.example.org", TOKEN).check(&Uri::from_static(TARGET), headers, b"", &text())
    };
    assert_eq!(check(&HeaderMap::new()), Err(Forged::Missing));
    for broken in ["", "=", "AAAA", "as1dYGQ0RHbMjvtYAMrLqzQkPBg", "not base64!", "AS1dYGQ0RHbMjvtYAMrLqzQkPBg="] {
        assert_eq!(check(&headers(broken)), Err(Forged::Wrong), "{broken}");
    }
}

#[test]
fn the_newer_setting_names_its_key_and_algorithm() {
    let (classic, newer) = ("as1dYGQ0RHbMjvtYAMrLqzQkPBg=", "mpL+Lihsjq/B0aVUKaXWvMccpkxiAhDMZJyaq0jCZcs=");
    for (signature, settings, expected) in [
        (newer, "key=KEY1,algorithm=HMAC_SHA256", Ok(())),
        (newer, " algorithm=HMAC_SHA256, key=KEY1", Ok(())),
        (newer, "key=KEY2,algorithm=HMAC_SHA256", Err(Forged::UnknownKey)),
        (newer, "algorithm=HMAC_SHA256", Err(Forged::UnknownKey)),
        (newer, "key=KEY1,algorithm=HMAC_SHA1", Err(Forged::UnknownAlgorithm)),
        (newer, "key=KEY1", Err(Forged::UnknownAlgorithm)),
        (newer, "", Err(Forged::UnknownAlgorithm)),
        // The setting must not lead back to the token.
        (classic, "key=KEY1,algorithm=HMAC_SHA256", Err(Forged::Wrong)),
        (classic, "key=,algorithm=HMAC_SHA256", Err(Forged::UnknownKey)),
    ] {
        let mut headers = headers(signature);
        headers.insert(SIGNATURE_SETTINGS, settings.parse().unwrap());
        let verifier = verifier("https://rsvp.example.org", TOKEN);
        let checked = verifier.check(&Uri::from_static(TARGET), &headers, b"", &text());
        assert_eq!(checked, expected, "{settings}");
    }
    let without = verifier("https://rsvp.example.org", TOKEN);
    let checked = without.check(&Uri::from_static(TARGET), &headers(newer), b"", &text());
    assert_eq!(checked, Err(Forged::Wrong));
}

#[test]
fn a_digest_in_the_address_is_read_in_any_letter_case() {
    let body = br#"{"AccountSid":"AC1"}"#;
    let digest = hex::encode(Sha256::digest(body));
    assert!(same_digest(&digest, body) && same_digest(&digest.to_uppercase(), body));
    assert!(!same_digest(&digest[2..], body) && !same_digest("", body) && !same_digest("zz", body));
}

#[test]
fn nothing_is_checked_with_an_empty_secret() {
    let url = |text: &str| text.parse::<Url>().unwrap();
    let new = |public_url: &str, token: &str, key: &str| {
        let keys = [("KEY1".to_owned(), SecretString::from(key))];
        Verifier::new(&url(public_url), token.into(), keys.into()).err()
    };
    assert_eq!(new("https://rsvp.example.org", "t", "k"), None);
    assert_eq!(new("https://rsvp.example.org", "", "k"), Some(SettingsError::EmptyAuthToken));
    let empty_key = SettingsError::EmptyWebhookKey { id: "KEY1".to_owned() };
    assert_eq!(new("https://rsvp.example.org", "t", ""), Some(empty_key));
    assert_eq!(new("ftp://rsvp.example.org", "t", "k"), Some(SettingsError::PublicUrl));
    assert_eq!(new("data:text", "t", "k"), Some(SettingsError::PublicUrl));
}
