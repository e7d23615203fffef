//! Tests: when keys are fetched, and which are accepted.

use super::super::Authenticator;
use super::*;
use crate::server::auth::tests::fake::*;
use crate::test;

const SECOND: Millis = 1000;
const MINUTE: Millis = 60 * SECOND;

/// Returns the status for a token of the key; `salt` prevents a cached result.
fn status(auth: &Authenticator, platform: &Fake, kid: &str, salt: u32) -> u16 {
    let payload = EXTERNAL_PAYLOAD
        .replace("\"jti\":\"j\"", &format!("\"jti\":\"{salt}\""))
        .replace("1800003600", "1900000000");
    let header = format!("Bearer {}", external_token("RS256", kid, &payload));
    match authenticate(auth, platform, Some(&header)) {
        Ok(_) => 200,
        Err(error) => {
            assert_eq!(error.challenge.is_some(), error.status() == 401);
            assert_eq!(error.retry_after.is_some(), error.status() == 503);
            error.status()
        }
    }
}

#[test]
fn keys_are_fetched_once_in_ten_minutes() {
    let (auth, platform) = (both(), Fake::new());
    assert_eq!(status(&auth, &platform, "r1", 0), 200);
    platform.pass(10 * MINUTE - 1);
    assert_eq!(status(&auth, &platform, "r1", 1), 200);
    assert_eq!(platform.fetches.get(), 1);
    platform.pass(1);
    assert_eq!(status(&auth, &platform, "r1", 2), 200);
    assert_eq!(platform.fetches.get(), 2);
}

#[test]
fn an_unknown_kid_is_looked_for_once_a_minute() {
    let (auth, platform) = (both(), Fake::new());
    for salt in 0..50 {
        assert_eq!(status(&auth, &platform, "new", salt), 401);
    }
    assert_eq!(platform.fetches.get(), 1);
    *platform.jwks.borrow_mut() = Ok(jwks(&[rsa_key("r1"), rsa_key("new")]));
    platform.pass(MINUTE - 1);
    assert_eq!(status(&auth, &platform, "new", 50), 401);
    platform.pass(1);
    assert_eq!(status(&auth, &platform, "new", 51), 200);
    assert_eq!(platform.fetches.get(), 2);
}

#[test]
fn a_withdrawn_key_ends_tokens_that_were_verified_by_it() {
    let (auth, platform) = (both(), Fake::new());
    assert_eq!(status(&auth, &platform, "r1", 0), 200);
    *platform.jwks.borrow_mut() = Ok(jwks(&[rsa_key("r2")]));
    platform.pass(10 * MINUTE - 1);
    assert_eq!(status(&auth, &platform, "r1", 0), 200);
    platform.pass(1);
    assert_eq!(status(&auth, &platform, "r1", 0), 401);
}

#[test]
fn unavailable_keys_are_503_and_fetched_again_soon() {
    let (auth, platform) = (both(), Fake::new());
    platform.cut_off();
    for salt in 0..10 {
        assert_eq!(status(&auth, &platform, "r1", salt), 503);
    }
    assert_eq!(platform.fetches.get(), 1);
    assert_eq!(
        platform.lines.borrow().as_slice(),
        [
            r#"{"level":"error","message":"the keys at TOKEN_JWKS_URL are unavailable","cause":"https://issuer.example/jwks: cut off"}"#
        ]
    );
    *platform.jwks.borrow_mut() = Ok(jwks(&[rsa_key("r1")]));
    platform.pass(5 * SECOND);
    assert_eq!(status(&auth, &platform, "r1", 10), 200);
    // Tokens of the built-in issuer do not wait for the external issuer.
    platform.cut_off();
    platform.pass(3600 * SECOND);
    let own = issued_token(&auth, ISSUED_HEADER, &issued_payload(NOW / 1000, NOW / 1000 + 7200, ""));
    assert!(authenticate(&auth, &platform, Some(&format!("Bearer {own}"))).is_ok());
}

#[test]
fn stale_keys_are_used_for_a_day_while_the_issuer_is_unavailable() {
    let (auth, platform) = (both(), Fake::new());
    assert_eq!(status(&auth, &platform, "r1", 0), 200);
    platform.cut_off();
    platform.pass(10 * MINUTE);
    for salt in 1..20 {
        assert_eq!(status(&auth, &platform, "r1", salt), 200);
        // An unknown name may be that of a new key.
        assert_eq!(status(&auth, &platform, "new", salt), 503);
    }
    assert_eq!(platform.fetches.get(), 2);
    platform.pass(24 * 60 * MINUTE - 10 * MINUTE - 1);
    assert_eq!(status(&auth, &platform, "r1", 20), 200);
    platform.pass(1);
    assert_eq!(status(&auth, &platform, "r1", 0), 503);
    platform.pass(5 * SECOND);
    *platform.jwks.borrow_mut() = Ok(jwks(&[rsa_key("r1")]));
    assert_eq!(status(&auth, &platform, "r1", 21), 200);
}

#[test]
fn a_clock_that_was_set_back_does_not_stop_fetches() {
    let (auth, platform) = (both(), Fake::new());
    assert_eq!(status(&auth, &platform, "new", 0), 401);
    *platform.jwks.borrow_mut() = Ok(jwks(&[rsa_key("new")]));
    platform.now.set(NOW - MINUTE);
    assert_eq!(status(&auth, &platform, "new", 1), 200);
}

#[test]
fn a_response_that_is_no_set_of_keys_counts_as_unavailable() {
    let long = format!("{{\"keys\":[]{}}}", " ".repeat(SET_BYTES));
    for text in ["", "<html>", "[]", "{}", r#"{"keys":{}}"#, r#"{"keys":[],"keys":[]}"#, &long] {
        let (auth, platform) = (both(), Fake::new());
        *platform.jwks.borrow_mut() = Ok(text.to_owned());
        assert_eq!(status(&auth, &platform, "r1", 0), 503, "{text:.40}");
    }
    let (auth, platform) = (both(), Fake::new());
    *platform.jwks.borrow_mut() = Ok(r#"{"keys":[]}"#.to_owned());
    assert_eq!(status(&auth, &platform, "r1", 0), 401);
}

#[test]
#[allow(clippy::too_many_lines, reason = "a table of cases")]
fn keys_that_are_not_for_verifying_are_ignored() {
    let taken = |key: String| parse(&jwks(&[key])).unwrap().len() == 1;
    let (rsa, ec) = (rsa_key("k"), ec_key("k"));
    assert!(taken(rsa.clone()) && taken(ec.clone()));
    for (key, from, to) in [
        (&rsa, r#""use":"sig","#, ""),
        (&rsa, r#""alg":"RS256","#, ""),
        (&ec, r#""key_ops":["verify"]"#, r#""key_ops":["sign","verify"],"alg":"ES256""#),
    ] {
        let changed = key.replace(from, to);
        assert_ne!(&changed, key);
        assert!(taken(changed), "{to}");
    }
    let short = Base64UrlUnpadded::encode_string(&[0xab; 255]);
    let padded = Base64UrlUnpadded::encode_string(&[[0; 1].as_slice(), &[0xab; 255]].concat());
    let (long, modulus) = (Base64UrlUnpadded::encode_string(&[0xab; 1025]), modulus());
    for (key, from, to) in [
        (&rsa, "\"sig\"", "\"enc\""),
        (&rsa, "\"sig\"", "null"),
        (&rsa, "\"RS256\"", "\"RS512\""),
        (&rsa, "\"RS256\"", "\"HS256\""),
        (&rsa, r#""kid":"k","#, ""),
        (&rsa, r#""kid":"k""#, r#""kid":1"#),
        (&rsa, "\"RSA\"", "\"oct\""),
        (&rsa, "\"RSA\"", "\"EC\""),
        (&rsa, "\"AQAB\"", "\"AQ\""),
        (&rsa, "\"AQAB\"", "\"\""),
        (&rsa, "\"AQAB\"", "\"AQAC\""),
        (&rsa, "\"AQAB\"", "\"AQAB=\""),
        (&rsa, modulus.as_str(), short.as_str()),
        (&rsa, modulus.as_str(), padded.as_str()),
        (&rsa, modulus.as_str(), long.as_str()),
        (&rsa, modulus.as_str(), "%"),
        (&ec, "P-256", "P-384"),
        (&ec, "\"EC\"", "\"OKP\""),
        (&ec, "\"verify\"", "\"sign\""),
        (&ec, "[\"verify\"]", "\"verify\""),
        (&ec, "\"x\":\"BQUF", "\"x\":\""),
    ] {
        let changed = key.replace(from, to);
        assert_ne!(&changed, key);
        assert!(!taken(changed), "{to}");
    }
    // Malformed members next to a valid key do not hide it.
    assert_eq!(parse(&jwks(&["1".to_owned(), "{}".to_owned(), rsa])).unwrap().len(), 1);
}

#[test]
fn a_kid_may_name_a_key_of_each_kind() {
    let (auth, platform) = (both(), Fake::new());
    *platform.jwks.borrow_mut() = Ok(jwks(&[ec_key("k"), rsa_key("k")]));
    assert_eq!(status(&auth, &platform, "k", 0), 200);
    assert_eq!(platform.asked.borrow()[0].key.algorithm, Algorithm::Rs256);
}

#[test]
fn unknown_kids_wait_while_the_set_is_being_fetched() {
    let (auth, platform) = (both(), Fake::new());
    assert_eq!(status(&auth, &platform, "r1", 0), 200);
    platform.pass(MINUTE);
    let header = format!("Bearer {}", external_token("RS256", "new", EXTERNAL_PAYLOAD));
    {
        // Begun, and dropped in the middle of its fetch.
        let port = platform.port();
        let dropped = std::pin::pin!(auth.authenticate(&port, Some(&header)));
        assert!(platform.step(&port, dropped).is_none());
    }
    assert_eq!(status(&auth, &platform, "new", 0), 503);
    assert_eq!(status(&auth, &platform, "r1", 1), 200);
    assert_eq!(platform.fetches.get(), 2);
    platform.pass(MINUTE);
    assert_eq!(status(&auth, &platform, "new", 0), 401);
    assert_eq!(platform.fetches.get(), 3);
}
