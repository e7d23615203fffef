//! Which tokens are accepted, and which are not.

mod attacks;
mod external;
pub(crate) mod fake;
mod scopes;

use std::pin::pin;
use std::rc::Rc;

use base64ct::{Base64UrlUnpadded, Encoding as _};
use hmac::{Hmac, KeyInit as _, Mac as _};
use proptest::prelude::*;
use sha2::Sha256;

use self::fake::*;
use super::authenticator::{Authenticator, authorize};
use super::jwt::TokenRefusal;
use crate::contract::api::endpoint::Access;
use crate::contract::limits;
use crate::server::platform::{Algorithm, Unreachable};
use crate::server::settings::ReadDefault;
use crate::test;
use crate::util::time::Millis;

fn good(auth: &Authenticator) -> String {
    issued_token(
        auth,
        ISSUED_HEADER,
        &issued_payload(SECONDS, SECONDS + 3600, r#","scope":"view_test:demo""#),
    )
}

#[test]
fn no_token_is_401_with_a_bare_challenge() {
    let (auth, platform) = (both(), Fake::new());
    for header in [None, Some(""), Some("Basic ZGVtbzpkZW1v"), Some("Bearertoken"), Some("Digest Bearer x")] {
        let error = authenticate(&auth, &platform, header).unwrap_err();
        assert_eq!(error.challenge.as_deref(), Some("Bearer"), "{header:?}");
        assert_eq!(
            error.to_json(),
            "{\"statusCode\":401,\"message\":\"invalid_token\",\"errors\":[{\"code\":\"invalid_token\",\
             \"message\":\"invalid_token\"}],\"error\":\"invalid_token\"}"
        );
    }
}

#[test]
fn an_issued_token_names_its_caller_whatever_the_schemes_case() {
    let (auth, platform) = (both(), Fake::new());
    let token = good(&auth);
    for header in [format!("Bearer {token}"), format!("bEARER   {token} ")] {
        let claims = authenticate(&auth, &platform, Some(&header)).unwrap();
        assert_eq!(claims.caller, r#"["resource-edge","demo","demo"]"#);
        assert!(
            !claims.has_expired(NOW + 3_600_000 + 59_999) && claims.has_expired(NOW + 3_600_000 + 60_000)
        );
    }
    assert_eq!(platform.fetches.get(), 0);
}

#[test]
fn nothing_configured_or_a_wrong_setting_is_503_for_every_call() {
    let cases: [(&[(&str, &str)], &str); 2] = [
        (
            &[],
            "The service is not configured: no token issuer is set; set TOKEN_SECRET and API_CLIENTS, or \
             TOKEN_ISSUER, TOKEN_AUDIENCE and TOKEN_JWKS_URL.",
        ),
        (
            &[("TOKEN_SECRET", SECRET), ("API_CLIENTS", "hunter2")],
            "The service is not configured: API_CLIENTS: expected a JSON array of at least one \
             {\"id\", \"secretHash\", \"scopes\"}, without duplicate members.",
        ),
    ];
    for (settings, message) in cases {
        let auth = authenticator(settings);
        let good = good(&both());
        for header in [None, Some(format!("Bearer {good}"))] {
            let error = authenticate(&auth, &Fake::new(), header.as_deref()).unwrap_err();
            assert_eq!((error.status(), error.message()), (503, message));
            assert_eq!((error.challenge, error.retry_after), (None, Some(60)));
        }
        assert_eq!((&auth.settings.cors, auth.settings.read_default), (&None, ReadDefault::Cached));
    }
}

#[test]
fn the_algorithm_is_the_keys_and_never_the_tokens() {
    let (auth, platform) = (both(), Fake::new());
    let payload = issued_payload(SECONDS, SECONDS + 60, "");
    for alg in ["none", "None", "HS512", "hs256", "RS256", ""] {
        let header = format!(r#"{{"typ":"at+jwt","alg":"{alg}"}}"#);
        refused(&auth, &platform, &issued_token(&auth, &header, &payload), TokenRefusal::Algorithm);
        let unsigned = format!("{}.{}.", part(&header), part(&payload));
        refused(&auth, &platform, &unsigned, TokenRefusal::Algorithm);
    }
    let unsigned = format!("{}.{}.", part(ISSUED_HEADER), part(&payload));
    refused(&auth, &platform, &unsigned, TokenRefusal::Signature);
    for alg in ["none", "HS256", "ES256", "PS256", "RS512"] {
        refused(&auth, &platform, &external_token(alg, "r1", EXTERNAL_PAYLOAD), TokenRefusal::Algorithm);
    }
    refused(&auth, &platform, &external_token("RS256", "e1", EXTERNAL_PAYLOAD), TokenRefusal::Algorithm);
    assert!(platform.asked.borrow().is_empty());
}

#[test]
fn a_public_key_is_no_secret_to_sign_with() {
    let (auth, platform) = (both(), Fake::new());
    for (payload, expected) in [
        (EXTERNAL_PAYLOAD.to_owned(), TokenRefusal::Algorithm),
        (issued_payload(SECONDS, SECONDS + 60, ""), TokenRefusal::Signature),
    ] {
        for secret in [rsa_key("r1"), modulus()] {
            let signed =
                format!(r"{}.{}", part(r#"{"typ":"at+jwt","alg":"HS256","kid":"r1"}"#), part(&payload));
            let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
            mac.update(signed.as_bytes());
            let tag = Base64UrlUnpadded::encode_string(&mac.finalize().into_bytes());
            refused(&auth, &platform, &format!("{signed}.{tag}"), expected);
        }
    }
}

#[test]
fn no_byte_of_a_token_can_be_changed() {
    let (auth, platform) = (both(), Fake::new());
    let token = good(&auth);
    for at in 0..token.len() {
        for with in ['A', 'B', '.', '=', '-', '\u{e9}'] {
            let mut changed: Vec<char> = token.chars().collect();
            if changed[at] != with {
                changed[at] = with;
                let changed: String = changed.into_iter().collect();
                refusal(&auth, &platform, &changed);
            }
        }
        refusal(&auth, &platform, token.get(..at).unwrap());
    }
    for more in ["A", "=", "==", ".", " A", ", Bearer x", ".."] {
        refusal(&auth, &platform, &format!("{token}{more}"));
    }
    assert!(ask(&auth, &platform, &token).is_ok());
}

#[test]
fn malformed_tokens_say_what_is_wrong() {
    let (auth, platform) = (both(), Fake::new());
    let payload = issued_payload(SECONDS, SECONDS + 60, "");
    for (header, expected) in [
        (r#"{"alg":"HS256"}"#, TokenRefusal::Type),
        (r#"{"alg":"HS256","typ":"JWT"}"#, TokenRefusal::Type),
        (r#"{"alg":"HS256","typ":["at+jwt"]}"#, TokenRefusal::Type),
        (r#"{"alg":"HS256","typ":"at+jwt","crit":["exp"],"exp":1}"#, TokenRefusal::Critical),
        (r#"{"alg":"HS256","typ":"at+jwt","crit":null}"#, TokenRefusal::Critical),
        (r#"{"alg":"none","alg":"HS256","typ":"at+jwt"}"#, TokenRefusal::Form),
        (r#"{"alg":"HS256","typ":"at+jwt","x":{"a":1,"a":1}}"#, TokenRefusal::Form),
        (r#"{"alg":"HS256","typ":"at+jwt"}{}"#, TokenRefusal::Form),
        (r#"["HS256"]"#, TokenRefusal::Form),
        ("", TokenRefusal::Form),
        ("null", TokenRefusal::Form),
        ("\u{feff}{\"alg\":\"HS256\",\"typ\":\"at+jwt\"}", TokenRefusal::Form),
        (r#"{"alg":["HS256"],"typ":"at+jwt"}"#, TokenRefusal::Algorithm),
        (r#"{"typ":"at+jwt"}"#, TokenRefusal::Algorithm),
    ] {
        refused(&auth, &platform, &issued_token(&auth, header, &payload), expected);
    }
    for typ in ["at+jwt", "AT+JWT", "application/at+jwt", "Application/AT+jwt"] {
        let header = format!(r#"{{"alg":"HS256","typ":"{typ}","cty":"x","kid":"any"}}"#);
        assert!(ask(&auth, &platform, &issued_token(&auth, &header, &payload)).is_ok(), "{typ}");
    }
    refused(&auth, &platform, "", TokenRefusal::Form);
    refused(&auth, &platform, &"a".repeat(limits::TOKEN_BYTES + 1), TokenRefusal::Length);
    let deep = "[".repeat(12_000);
    refused(&auth, &platform, &format!("{}.{}.AA", part(ISSUED_HEADER), part(&deep)), TokenRefusal::Form);
}

#[test]
#[allow(clippy::too_many_lines, reason = "a table of cases")]
fn every_claim_that_rfc_9068_requires_is_required() {
    let (auth, platform) = (both(), Fake::new());
    let full = [
        ("iss", "\"resource-edge\""),
        ("aud", "\"resource-edge\""),
        ("sub", "\"demo\""),
        ("client_id", "\"demo\""),
        ("jti", "\"j\""),
        ("iat", "1800000000"),
        ("exp", "1800000060.5"),
    ];
    let token = |change: &dyn Fn(&str) -> Option<String>| {
        let members: Vec<String> = full
            .iter()
            .map(|(name, value)| (name, change(name).unwrap_or_else(|| (*value).to_owned())))
            .filter(|(_, value)| !value.is_empty())
            .map(|(name, value)| format!("\"{name}\":{value}"))
            .collect();
        issued_token(&auth, ISSUED_HEADER, &format!("{{{}}}", members.join(",")))
    };
    assert!(ask(&auth, &platform, &token(&|_| None)).is_ok());
    for (absent, _) in full {
        for value in ["", "null", "{}", "true", "[1]"] {
            let token = token(&|name| (name == absent).then(|| value.to_owned()));
            refused(&auth, &platform, &token, TokenRefusal::Claims);
        }
    }
    for (claim, value, expected) in [
        ("iss", "\"Resource-edge\"", TokenRefusal::Issuer),
        ("aud", "\"other\"", TokenRefusal::Audience),
        ("aud", "[]", TokenRefusal::Audience),
        ("aud", "[\"resource-edge\",1]", TokenRefusal::Claims),
        ("sub", "\"\"", TokenRefusal::Claims),
        ("client_id", "\"a\\nb\"", TokenRefusal::Claims),
        ("exp", "1e300", TokenRefusal::Claims),
        ("exp", "-1", TokenRefusal::Claims),
        ("exp", "\"1800000060\"", TokenRefusal::Claims),
        ("exp", "1e400", TokenRefusal::Form),
    ] {
        let token = token(&|name| (name == claim).then(|| value.to_owned()));
        refused(&auth, &platform, &token, expected);
    }
    for odd in [r#","scope":["view_test:demo"]"#, r#","scope":null"#, r#","nbf":"soon""#, r#","nbf":null"#] {
        refused(&auth, &platform, &issued(&auth, odd), TokenRefusal::Claims);
    }
    let twice = issued(&auth, r#","sub":"admin""#);
    refused(&auth, &platform, &twice, TokenRefusal::Form);
}

#[test]
fn clocks_may_differ_by_a_minute_and_no_more() {
    let issued = |payload: &str| issued_token(&both(), ISSUED_HEADER, payload);
    let at = |now: Millis| {
        let platform = Fake::new();
        platform.now.set(now);
        // A fresh authenticator, because the first verification would be cached.
        (both(), platform)
    };
    let token = issued(&issued_payload(SECONDS, SECONDS + 100, ""));
    let later = issued(&issued_payload(SECONDS, SECONDS + 900, &format!(",\"nbf\":{}", SECONDS + 300)));
    let end = NOW + 100_000 + 60_000;
    for (now, token) in [(end - 1, &token), (NOW - 60_000, &token), (NOW + 240_000, &later)] {
        let (auth, platform) = at(now);
        assert!(ask(&auth, &platform, token).is_ok(), "{now}");
    }
    for (now, token, expected) in [
        (end, &token, TokenRefusal::Expired),
        (NOW - 60_001, &token, TokenRefusal::Early),
        (NOW + 239_999, &later, TokenRefusal::Early),
        (0, &token, TokenRefusal::Early),
        (Millis::MAX, &token, TokenRefusal::Expired),
    ] {
        let (auth, platform) = at(now);
        refused(&auth, &platform, token, expected);
    }
}

#[test]
fn a_cached_token_does_not_outlive_its_expiry() {
    let (auth, platform) = (both(), Fake::new());
    let token = issued_token(&auth, ISSUED_HEADER, &issued_payload(SECONDS, SECONDS + 100, ""));
    let first = ask(&auth, &platform, &token).unwrap();
    platform.pass(159_999);
    assert!(Rc::ptr_eq(&first, &ask(&auth, &platform, &token).unwrap()));
    platform.pass(1);
    refused(&auth, &platform, &token, TokenRefusal::Expired);
    assert_eq!(auth.tokens.borrow().len(), 0);
}

#[test]
fn the_cache_is_bounded_and_keeps_what_is_used() {
    let (auth, platform) = (both(), Fake::new());
    let token = |at: u64| {
        issued_token(&auth, ISSUED_HEADER, &issued_payload(SECONDS, SECONDS + 100, &format!(",\"n\":{at}")))
    };
    let used = ask(&auth, &platform, &token(0)).unwrap();
    for at in 1..3000 {
        ask(&auth, &platform, &token(at)).unwrap();
        assert!(auth.tokens.borrow().len() <= 1024);
        if at % 100 == 0 {
            assert!(Rc::ptr_eq(&used, &ask(&auth, &platform, &token(0)).unwrap()), "{at}");
        }
    }
}

#[test]
fn rejected_tokens_are_not_cached() {
    let (auth, platform) = (both(), Fake::new());
    refusal(&auth, &platform, "a.b.c");
    *platform.verdict.borrow_mut() = Ok(false);
    let token = external_token("RS256", "r1", EXTERNAL_PAYLOAD);
    refused(&auth, &platform, &token, TokenRefusal::Signature);
    *platform.verdict.borrow_mut() = Ok(true);
    assert!(ask(&auth, &platform, &token).is_ok());
}

#[test]
fn requests_that_run_at_once_do_not_disturb_each_other() {
    let (auth, platform) = (both(), Fake::new());
    let header = format!("Bearer {}", external_token("RS256", "r1", EXTERNAL_PAYLOAD));
    let ports = [platform.port(), platform.port()];
    let mut first = pin!(auth.authenticate(&ports[0], Some(&header)));
    let mut second = pin!(auth.authenticate(&ports[1], Some(&header)));
    let mut futures = [Some(first.as_mut()), Some(second.as_mut())];
    for _ in 0..9 {
        for (id, port) in futures.iter_mut().zip(&ports) {
            let Some(future) = id else { continue };
            if let Some(result) = platform.step(port, future.as_mut()) {
                assert!(result.is_ok());
                *id = None;
            }
        }
    }
    assert!(futures.iter().all(Option::is_none));
}

proptest! {
    #[test]
    fn no_random_text_is_ever_let_in(text in any::<String>(), shaped in "[Bb]earer [A-Za-z0-9_.=-]{0,80}") {
        let (auth, platform) = (both(), Fake::new());
        for header in [&text, &shaped, &format!("Bearer {text}")] {
            let error = authenticate(&auth, &platform, Some(header)).unwrap_err();
            prop_assert_eq!(error.status(), 401);
        }
    }

    #[test]
    fn no_random_header_or_payload_is_let_in_without_a_signature(
        header in any::<String>(),
        payload in any::<String>(),
        signature in proptest::collection::vec(any::<u8>(), 0..80),
    ) {
        let (auth, platform) = (both(), Fake::new());
        let signature = Base64UrlUnpadded::encode_string(&signature);
        let own = issued_payload(SECONDS, SECONDS + 60, "");
        for (header, payload) in [(header.as_str(), &own), (ISSUED_HEADER, &payload), (ISSUED_HEADER, &own)] {
            let token = format!("{}.{}.{signature}", part(header), part(payload));
            prop_assert_eq!(ask(&auth, &platform, &token).unwrap_err().status(), 401);
        }
        // Even with a valid signature, other texts are not accepted as tokens.
        let result = ask(&auth, &platform, &issued_token(&auth, &header, &payload));
        prop_assert!(result.is_err());
    }
}
