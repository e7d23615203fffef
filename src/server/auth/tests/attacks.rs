//! Attacks on tokens besides those of `tests`: headers that try to bring or to choose a key, and scopes that look like
//! others. `src/guide/operate/security.md` lists every attack with its tests.

use base64ct::{Base64UrlUnpadded, Encoding as _};

use super::fake::*;
use crate::contract::api::endpoint::Access;
use crate::server::auth::authorize;
use crate::server::auth::jwt::TokenRefusal;
use crate::server::settings::scope::Scope;
use crate::test;

/// Creates a token of the external issuer whose header has these members besides its type.
fn with_header(members: &str) -> String {
    let header = format!(r#"{{"typ":"at+jwt",{members}}}"#);
    let signature = Base64UrlUnpadded::encode_string(&[7; 256]);
    format!("{}.{}.{signature}", part(&header), part(EXTERNAL_PAYLOAD))
}

#[test]
fn an_algorithm_that_only_looks_like_the_keys_is_rejected() {
    let (auth, platform) = (both(), Fake::new());
    let payload = issued_payload(SECONDS, SECONDS + 60, "");
    for alg in [
        "HS256 ",
        " HS256",
        "hS256",
        "HS256\\u0000",
        "HS256\\n",
        "H\\u0405256",
        "HS384",
        "HMAC-SHA256",
        "dir",
        "A256GCM",
        "RSA-OAEP",
        "EdDSA",
        "ES256K",
        "NONE",
        "nOnE",
    ] {
        let header = format!(r#"{{"typ":"at+jwt","alg":"{alg}"}}"#);
        refused(&auth, &platform, &issued_token(&auth, &header, &payload), TokenRefusal::Algorithm);
        let members = format!(r#""kid":"r1","alg":"{alg}""#);
        refused(&auth, &platform, &with_header(&members), TokenRefusal::Algorithm);
    }
    for alg in ["null", "256", "true", "{}", r#"["RS256"]"#, r#"{"RS256":1}"#] {
        let members = format!(r#""kid":"r1","alg":{alg}"#);
        refused(&auth, &platform, &with_header(&members), TokenRefusal::Algorithm);
    }
    refused(&auth, &platform, &with_header(r#""kid":"r1""#), TokenRefusal::Algorithm);
    assert!(platform.asked.borrow().is_empty(), "a signature was verified");
}

#[test]
fn members_of_the_header_that_bring_a_key_or_change_what_is_signed_have_no_effect() {
    let (auth, platform) = (both(), Fake::new());
    for member in [
        format!(r#""jwk":{}"#, rsa_key("r1")),
        r#""jku":"https://evil.example/jwks""#.to_owned(),
        r#""x5u":"https://evil.example/cert""#.to_owned(),
        r#""x5c":["MIIB"]"#.to_owned(),
        r#""x5t":"AAAA""#.to_owned(),
        r#""b64":false"#.to_owned(),
        r#""zip":"DEF""#.to_owned(),
        r#""enc":"A256GCM""#.to_owned(),
        r#""cty":"JWT""#.to_owned(),
        r#""iss":"resource-edge""#.to_owned(),
    ] {
        let token = with_header(&format!(r#""kid":"r1","alg":"RS256",{member}"#));
        assert!(ask(&auth, &platform, &token).is_ok(), "{member}");
        // The key is the issuer's, and what is verified is the token as it was sent.
        let asked = platform.asked.borrow_mut().pop().unwrap();
        assert_eq!(asked.key.jwk, format!(r#"{{"kty":"RSA","n":"{}","e":"AQAB"}}"#, modulus()), "{member}");
        assert_eq!(asked.data, token.rsplit_once('.').unwrap().0.as_bytes(), "{member}");
        let token = with_header(&format!(r#""kid":"mine","alg":"RS256",{member}"#));
        refused(&auth, &platform, &token, TokenRefusal::Key);
    }
    for crit in [r#"["b64"]"#, "[]", r#""b64""#, r#"["exp","b64"]"#] {
        let token = with_header(&format!(r#""kid":"r1","alg":"RS256","b64":false,"crit":{crit}"#));
        refused(&auth, &platform, &token, TokenRefusal::Critical);
    }
    // Encrypted (five parts), detached, and nested tokens.
    let token = with_header(r#""kid":"r1","alg":"RS256""#);
    for odd in [format!("{token}.AAAA.AAAA"), token.replace(&part(EXTERNAL_PAYLOAD), ""), part(&token)] {
        refused(&auth, &platform, &odd, TokenRefusal::Form);
    }
    assert!(platform.asked.borrow().is_empty(), "a signature was verified");
    assert_eq!(platform.fetches.get(), 1, "only the issuer's keys are fetched");
}

#[test]
fn a_kid_is_only_compared() {
    let (auth, platform) = (both(), Fake::new());
    let huge = "k".repeat(8000);
    for kid in [
        "../../../../dev/null",
        "/dev/null",
        "file:///etc/passwd",
        "https://evil.example/jwks",
        "' OR '1'='1",
        "r1'--",
        "r1; ls",
        "$(id)",
        "r1\\u0000",
        "r1 ",
        " r1",
        "R1",
        "",
        "*",
        "__proto__",
        "constructor",
        "0",
        "\\r\\nX: y",
        huge.as_str(),
    ] {
        let members = format!(r#""kid":"{kid}","alg":"RS256""#);
        refused(&auth, &platform, &with_header(&members), TokenRefusal::Key);
    }
    for kid in ["null", "0", "true", "[]", r#"["r1"]"#, "{}", r#"{"r1":1}"#] {
        let members = format!(r#""kid":{kid},"alg":"RS256""#);
        refused(&auth, &platform, &with_header(&members), TokenRefusal::Key);
    }
    refused(&auth, &platform, &with_header(r#""alg":"RS256""#), TokenRefusal::Key);
    assert!(platform.asked.borrow().is_empty(), "a signature was verified");
    assert_eq!(platform.fetches.get(), 1, "unknown kids are looked for once a minute");
}

#[test]
fn keys_that_an_issuer_publishes_for_something_else_or_too_weak_verify_nothing() {
    let coordinate = Base64UrlUnpadded::encode_string(&[5; 32]);
    let weak = Base64UrlUnpadded::encode_string(&[0xab; 128]);
    for (key, alg) in [
        (r#"{"kty":"oct","kid":"k","k":"c2VjcmV0"}"#.to_owned(), "HS256"),
        (format!(r#"{{"kty":"RSA","kid":"k","n":"{weak}","e":"AQAB"}}"#), "RS256"),
        (format!(r#"{{"kty":"RSA","kid":"k","n":"{}","e":"AQ"}}"#, modulus()), "RS256"),
        (format!(r#"{{"kty":"RSA","kid":"k","use":"enc","n":"{}","e":"AQAB"}}"#, modulus()), "RS256"),
        (format!(r#"{{"kty":"RSA","kid":"k","alg":"PS256","n":"{}","e":"AQAB"}}"#, modulus()), "RS256"),
        (format!(r#"{{"kty":"RSA","kid":"k","key_ops":["sign"],"n":"{}","e":"AQAB"}}"#, modulus()), "RS256"),
        (format!(r#"{{"kty":"EC","kid":"k","crv":"P-384","x":"{coordinate}","y":"{coordinate}"}}"#), "ES256"),
        (
            format!(r#"{{"kty":"EC","kid":"k","crv":"secp256k1","x":"{coordinate}","y":"{coordinate}"}}"#),
            "ES256",
        ),
        (r#"{"kty":"OKP","kid":"k","crv":"Ed25519","x":"AAAA"}"#.to_owned(), "EdDSA"),
        (format!(r#"{{"kty":"RSA","kid":["k"],"n":"{}","e":"AQAB"}}"#, modulus()), "RS256"),
    ] {
        let (auth, platform) = (both(), Fake::new());
        *platform.jwks.borrow_mut() = Ok(jwks(&[key.clone(), rsa_key("good")]));
        let token = with_header(&format!(r#""kid":"k","alg":"{alg}""#));
        refused(&auth, &platform, &token, TokenRefusal::Key);
        assert!(platform.asked.borrow().is_empty(), "{key}");
    }
}

#[test]
fn an_audience_is_compared_whole() {
    let auth = both();
    for (aud, good) in [
        (r#""api""#, true),
        (r#"["api"]"#, true),
        (r#"["x","api","y"]"#, true),
        (r#""api ""#, false),
        (r#""API""#, false),
        (r#""api,x""#, false),
        (r#""x api""#, false),
        (r#""https://api""#, false),
        (r#"["ap","i"]"#, false),
        (r#"[["api"]]"#, false),
        (r#"{"api":1}"#, false),
        (r#"["api",null]"#, false),
        (r#""*""#, false),
        (r#""""#, false),
        ("[]", false),
    ] {
        let payload = EXTERNAL_PAYLOAD.replace(r#"["other","api"]"#, aud);
        let result = ask(&auth, &Fake::new(), &external_token("RS256", "r1", &payload));
        assert_eq!(result.is_ok(), good, "{aud}");
    }
}

#[test]
#[allow(clippy::too_many_lines, reason = "a table of cases")]
fn scopes_that_look_like_another_open_nothing() {
    let (auth, platform) = (both(), Fake::new());
    let many = format!("{}manage_test:dem", "view_test:x ".repeat(700));
    for scope in [
        "manage_test:demo\\nview_test:demo",
        "manage_test:demo\\r\\n",
        "\\tmanage_test:demo",
        "manage_test:demo\\u00a0",
        "manage_test:demo\\u0000",
        "manage_test:demo,view_test:demo",
        "manage_test:demo;",
        "manage_test :demo",
        "manage_test: demo",
        "manage_test::demo",
        ":demo",
        "manage_test:demo/",
        "manage_test:/demo",
        "manage_test:demo%20",
        "manage_test:%64emo",
        "manage_test:dem%6f",
        "manage_test:demo.",
        "manage_test:.",
        "manage_test:../demo",
        "manage_test:x/../demo",
        "manage_test:demo*",
        "manage_test:d*",
        "manage_test:?",
        "manage_test:DEMO",
        "manage_test:\\u0434emo",
        "manage_test:demo\\u200b",
        "manage_test:\\ufeffdemo",
        "manage_test:de\\u00admo",
        "manage_tests:demo",
        "manage_tes:demo",
        "xmanage_test:demo",
        "view_test_demo",
        "View_test:demo",
        "*",
        "*:*",
        "*:demo",
        "manage_test:*",
        "view_test:*",
        "manage_test:demo1",
        "view_test:demo-",
        many.as_str(),
    ] {
        let token = issued(&auth, &format!(",\"scope\":\"{scope}\""));
        let claims = ask(&auth, &platform, &token).unwrap();
        for access in [Access::Read, Access::Write] {
            let error = authorize(&claims, access, "demo").unwrap_err();
            assert_eq!(error.status(), 403, "{scope}");
        }
    }
}

#[test]
fn a_client_gets_no_scope_that_only_looks_like_its_own() {
    // The token endpoint's own tests are in `oauth`; this is the comparison below it.
    let one = Scope::of_client("manage_test:demo").unwrap();
    let any = Scope::of_client("view_test:*").unwrap();
    for text in ["manage_test:dem", "manage_test:demo2", "manage_test:DEMO", "view_test:demo"] {
        assert!(!one.covers(&Scope::of_token(text).unwrap()), "{text}");
    }
    assert!(any.covers(&Scope::of_token("view_test:x").unwrap()));
    assert!(!any.covers(&Scope::of_token("manage_test:x").unwrap()));
    for text in
        ["view_test:*", "manage_test:*", "view_test:a*", "view_test:", "view_test", "view_test:a:b", ""]
    {
        assert!(Scope::of_token(text).is_none(), "{text}");
    }
}

#[test]
fn a_lone_surrogate_or_a_number_beyond_doubles_is_in_no_valid_token() {
    let (auth, platform) = (both(), Fake::new());
    for odd in [r#","x":"\ud800""#, r#","x":1e999"#, r#","scope":"\udc00""#, ",\"x\":\"\u{1}\"", ",\"x\":01"]
    {
        refused(&auth, &platform, &issued(&auth, odd), TokenRefusal::Form);
    }
}
