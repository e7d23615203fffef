//! Tokens of the external issuer.

use super::*;
use crate::test;

#[test]
fn an_external_token_is_verified_with_the_key_of_its_name() {
    let (auth, platform) = (both(), Fake::new());
    for (alg, kid, algorithm, jwk) in [
        ("RS256", "r1", Algorithm::Rs256, format!(r#"{{"kty":"RSA","n":"{}","e":"AQAB"}}"#, modulus())),
        (
            "ES256",
            "e1",
            Algorithm::Es256,
            r#"{"kty":"EC","crv":"P-256","x":"#.to_owned()
                + &format!("\"{0}\",\"y\":\"{0}\"}}", Base64UrlUnpadded::encode_string(&[5; 32])),
        ),
    ] {
        let token = external_token(alg, kid, EXTERNAL_PAYLOAD);
        let claims = ask(&auth, &platform, &token).unwrap();
        assert_eq!(claims.caller, r#"["https://issuer.example","app","user"]"#);
        let asked = platform.asked.borrow_mut().pop().unwrap();
        assert_eq!((asked.key.algorithm, asked.key.jwk), (algorithm, jwk));
        assert_eq!(asked.data, token.rsplit_once('.').unwrap().0.as_bytes());
        assert_eq!(asked.signature, vec![7; if alg == "ES256" { 64 } else { 256 }]);
        // The result is cached: the platform does not verify again.
        ask(&auth, &platform, &token).unwrap();
        assert!(platform.asked.borrow().is_empty());
    }
    assert_eq!(platform.fetches.get(), 1);
}

#[test]
fn an_external_token_must_be_for_this_service_and_of_a_trusted_issuer() {
    let (auth, platform) = (both(), Fake::new());
    for (from, to, expected) in [
        ("[\"other\",\"api\"]", "\"resource-edge\"", TokenRefusal::Audience),
        ("https://issuer.example", "https://issuer.example/", TokenRefusal::Issuer),
        ("1800003600", "1799999940", TokenRefusal::Expired),
        ("\"jti\":\"j\",", "", TokenRefusal::Claims),
    ] {
        let payload = EXTERNAL_PAYLOAD.replace(from, to);
        assert_ne!(payload, EXTERNAL_PAYLOAD);
        refused(&auth, &platform, &external_token("RS256", "r1", &payload), expected);
    }
    // Without an external issuer its tokens are not accepted, and likewise for the built-in issuer.
    let built_in_only = authenticator(&[("TOKEN_SECRET", SECRET), ("API_CLIENTS", &clients())]);
    refused(
        &built_in_only,
        &platform,
        &external_token("RS256", "r1", EXTERNAL_PAYLOAD),
        TokenRefusal::Issuer,
    );
    let external_only =
        authenticator(&[("TOKEN_ISSUER", EXTERNAL), ("TOKEN_AUDIENCE", "api"), ("TOKEN_JWKS_URL", JWKS_URL)]);
    refused(&external_only, &platform, &good(&auth), TokenRefusal::Issuer);
    assert!(ask(&external_only, &platform, &external_token("RS256", "r1", EXTERNAL_PAYLOAD)).is_ok());
}

#[test]
fn an_es256_signature_has_64_bytes() {
    let (auth, platform) = (both(), Fake::new());
    let token = external_token("ES256", "e1", EXTERNAL_PAYLOAD);
    let signed = token.rsplit_once('.').unwrap().0;
    for length in [0, 63, 65, 70, 72] {
        let signature = Base64UrlUnpadded::encode_string(&vec![7; length]);
        refused(&auth, &platform, &format!("{signed}.{signature}"), TokenRefusal::Signature);
    }
    assert!(platform.asked.borrow().is_empty());
}

#[test]
fn a_signature_that_cannot_be_verified_is_503_and_logged() {
    let (auth, platform) = (both(), Fake::new());
    *platform.verdict.borrow_mut() = Err(Unreachable("DataError\nx".to_owned()));
    let error = ask(&auth, &platform, &external_token("RS256", "r1", EXTERNAL_PAYLOAD)).unwrap_err();
    assert_eq!((error.status(), error.challenge), (503, None));
    assert_eq!(
        platform.lines.borrow().as_slice(),
        [r#"{"level":"error","message":"a signature could not be verified","cause":"DataError\nx"}"#]
    );
}
