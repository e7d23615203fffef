//! Tokens and credentials: the service accepts exactly the callers that a second reading of RFC 9068 and RFC 6749
//! accepts.

use std::cell::OnceCell;

use base64ct::{Base64, Base64UrlUnpadded, Encoding as _};
use hmac::{Hmac, KeyInit as _, Mac as _};
use resource_edge::contract::limits;
use resource_edge::server::effect::{Effect, EffectOutcome};
use resource_edge::util::percent;
use serde_json::{Value, json};
use sha2::Sha256;

use super::input::{Input, lossy};
use super::json::Json;
use crate::support::caller::Caller;
use crate::support::edge::{START, Sent};

/// The signing secret of the tests' service (`tests/support/settings.json`).
const SECRET: &[u8] = b"a secret that only the tests know, of more than 32 bytes";
const ISSUER: &str = "https://issuer.example";
const JWKS_URL: &str = "https://issuer.example/jwks";
const OWN_HEADER: &str = r#"{"typ":"at+jwt","alg":"HS256"}"#;
/// Pieces of tokens that are almost valid.
const HEADERS: [&str; 10] = [
    OWN_HEADER,
    r#"{"typ":"AT+JWT","alg":"HS256","kid":"a"}"#,
    r#"{"typ":"application/at+jwt","alg":"HS256"}"#,
    r#"{"alg":"none","typ":"at+jwt"}"#,
    r#"{"alg":"RS256","typ":"at+jwt","kid":"a"}"#,
    r#"{"alg":"ES256","typ":"at+jwt","kid":"b"}"#,
    r#"{"alg":"HS256","typ":"JWT"}"#,
    r#"{"alg":"HS256","typ":"at+jwt","crit":[]}"#,
    r#"{"alg":"RS256","alg":"HS256","typ":"at+jwt"}"#,
    r#"{"alg":["HS256"],"typ":"at+jwt"}"#,
];

thread_local! {
    static CALLER: OnceCell<Caller> = const { OnceCell::new() };
}

fn caller() -> Caller {
    let settings = json!({"TOKEN_ISSUER": ISSUER, "TOKEN_AUDIENCE": "api", "TOKEN_JWKS_URL": JWKS_URL});
    let caller = Caller::with(&settings);
    caller.edge.frozen.set(true);
    caller.edge.clock.set(START);
    caller
}

pub fn run(data: &[u8]) {
    let mut input = Input(data);
    CALLER.with(|cell| {
        let shared = cell.get_or_init(caller);
        match input.choice(7) {
            0 => bearer(shared, &changed(&shared.token, &mut input)),
            1 => {
                let (header, payload) = (part(&mut input, &HEADERS), payload(&mut input));
                bearer(shared, &signed(&header, &payload));
            }
            2 => bearer(shared, &lossy(input.0)),
            3 => outside(&mut input),
            4 => credentials(shared, &mut input),
            5 => introspection(shared, &changed(&shared.token, &mut input)),
            _ => {
                let (header, payload) = (part(&mut input, &HEADERS), payload(&mut input));
                introspection(shared, &signed(&header, &payload));
            }
        }
    });
}

/// Returns the text with characters changed, inserted, and removed.
fn changed(text: &str, input: &mut Input<'_>) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..input.choice(4) {
        let at = input.number() as usize % bytes.len();
        match input.choice(4) {
            0 => bytes[at] = input.byte() & 0x7f,
            1 => bytes.insert(at, input.byte() & 0x7f),
            2 => bytes.truncate(at.max(1)),
            _ => {
                bytes.remove(at);
                bytes.push(b'A');
            }
        }
    }
    lossy(&bytes)
}

fn part(input: &mut Input<'_>, known: &[&str]) -> String {
    let choice = input.choice(known.len() + 6);
    known.get(choice).map_or_else(|| input.text_line(), |text| (*text).to_owned())
}

/// Returns the payload of a token. Each claim is valid in most cases.
fn payload(input: &mut Input<'_>) -> String {
    if input.choice(4) == 0 {
        return input.text_line();
    }
    let now = (START / 1000) as i64;
    let times = [
        json!(now),
        json!(now + 60),
        json!(now - 60),
        json!(now + 61),
        json!(now + 3_600),
        json!(1e300),
        json!(-1),
        json!("1"),
    ];
    let mut claims = json!({"iss": "resource-edge", "aud": "resource-edge", "sub": "s", "client_id": "c", "jti": "j",
        "iat": now, "exp": now + 60, "scope": "manage_test:p"});
    for _ in 0..input.choice(4) {
        let name =
            input.pick(&["iss", "aud", "sub", "client_id", "jti", "iat", "exp", "scope", "nbf", "crit"]);
        let value = match input.choice(8) {
            0 => Value::Null,
            1 => json!([claims[name].clone(), "x"]),
            2 => json!([claims[name].clone(), 1]),
            3 => json!(input.text_line()),
            4 => json!("x".repeat(511 + input.choice(3))),
            5 => json!(input.pick(&[
                "",
                "view_test:p",
                "manage_test:*",
                "x manage_test:p",
                "manage_test:q",
                "view_test:p ",
                "Manage_test:p"
            ])),
            _ => times[input.choice(times.len())].clone(),
        };
        claims[name] = value;
    }
    claims.to_string()
}

fn encoded(header: &str, payload: &str) -> String {
    [
        Base64UrlUnpadded::encode_string(header.as_bytes()),
        Base64UrlUnpadded::encode_string(payload.as_bytes()),
    ]
    .join(".")
}

fn mac(signed: &str) -> Vec<u8> {
    let mut mac: Hmac<Sha256> = Hmac::new_from_slice(SECRET).expect("any key");
    mac.update(signed.as_bytes());
    mac.finalize().into_bytes().to_vec()
}

fn signed(header: &str, payload: &str) -> String {
    let signed = encoded(header, payload);
    let signature = Base64UrlUnpadded::encode_string(&mac(&signed));
    [signed, signature].join(".")
}

/// The permissions of a token in the project `p`, by a second reading; none if the token is not trustworthy.
#[derive(Debug, PartialEq)]
struct Allowed {
    read: bool,
    write: bool,
}

fn own(token: &str) -> Option<Allowed> {
    let (signed, signature) = token.rsplit_once('.')?;
    let signature = Base64UrlUnpadded::decode_vec(signature).ok()?;
    (signature == mac(signed)).then(|| claims(signed, "HS256", "resource-edge", "resource-edge"))?
}

fn claims(signed: &str, algorithm: &str, issuer: &str, audience: &str) -> Option<Allowed> {
    let (header, payload) = signed.split_once('.')?;
    let object = |part: &str| {
        let value = Json::parse(&Base64UrlUnpadded::decode_vec(part).ok()?)?;
        (matches!(value, Json::Object(_)) && !value.repeats()).then_some(value)
    };
    let (header, payload) = (object(header)?, object(payload)?);
    let text = |name: &str| payload.get(name).and_then(Json::text);
    let party = |name: &str| {
        text(name).is_some_and(|text| (1..=512).contains(&text.len()) && !text.chars().any(char::is_control))
    };
    let seconds = |name: &str| match payload.get(name) {
        Some(Json::Number(seconds)) if (0.0..=253_402_300_799.0).contains(seconds) => {
            Some((seconds * 1000.0) as u64)
        }
        _ => None,
    };
    let audiences: Vec<&str> = match payload.get("aud")? {
        Json::Array(items) => items.iter().map(Json::text).collect::<Option<_>>()?,
        one => vec![one.text()?],
    };
    let typ = header.get("typ")?.text()?.to_ascii_lowercase();
    let right = matches!(typ.as_str(), "at+jwt" | "application/at+jwt")
        && header.get("alg")?.text()? == algorithm
        && header.get("crit").is_none()
        && text("iss")? == issuer
        && audiences.contains(&audience)
        && party("sub")
        && party("client_id")
        && text("jti").is_some()
        && payload.get("scope").is_none_or(|scope| scope.text().is_some())
        && START < seconds("exp")?.saturating_add(60_000)
        && seconds("iat")? <= START + 60_000
        && payload.get("nbf").is_none_or(|_| seconds("nbf").is_some_and(|instant| instant <= START + 60_000));
    let scopes: Vec<&str> = text("scope").unwrap_or_default().split(' ').collect();
    let write = scopes.contains(&"manage_test:p");
    right.then_some(Allowed { read: write || scopes.contains(&"view_test:p"), write })
}

fn sent(method: &str, target: &str, headers: &[(&str, &str)], body: &[u8]) -> Sent {
    let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    Sent { method: method.to_owned(), target: target.to_owned(), headers, body: body.to_vec() }
}

/// Returns what the service allows with a token.
fn allowed(
    caller: &Caller,
    token: &str,
    mut perform: impl FnMut(&Effect) -> Option<EffectOutcome<String>>,
) -> Option<Allowed> {
    let authorization = format!("Bearer {token}");
    let mut may = |method: &str, target: &str| {
        let request = sent(method, target, &[("Authorization", &authorization)], b"");
        let got = caller.exchange(&request, &mut perform);
        match got.status {
            401 | 503 => None,
            403 => Some(false),
            // There is no resource with that ID.
            404 => Some(true),
            _ => panic!("{got:?}"),
        }
    };
    Some(Allowed { read: may("GET", "/p/resource/none")?, write: may("DELETE", "/p/resource/none")? })
}

fn bearer(caller: &Caller, token: &str) {
    // A header value has neither line ends nor trailing spaces.
    if token.len() <= limits::TOKEN_BYTES && token.bytes().all(|byte| byte > b' ') {
        assert_eq!(allowed(caller, token, |_| None), own(token), "{token}");
    }
}

/// Tokens of an external issuer, whose keys the input chooses. `Verify` gets only keys of the set.
fn outside(input: &mut Input<'_>) {
    let caller = caller();
    let set = match input.choice(3) {
        0 => input.text_line(),
        _ => keys(input),
    };
    let kid = input.pick(&["a", "b", "", "c"]);
    let algorithm = input.pick(&["RS256", "ES256", "HS256", "none"]);
    let valid = input.choice(2) == 0;
    let payload = payload(input).replace("\"resource-edge\"", "\"https://issuer.example\"");
    let payload = payload.replace("\"aud\":\"https://issuer.example\"", "\"aud\":\"api\"");
    let header = json!({"typ": "at+jwt", "alg": algorithm, "kid": kid}).to_string();
    let signed = encoded(&header, &payload);
    let signature = Base64UrlUnpadded::encode_string(&vec![7; if algorithm == "ES256" { 64 } else { 256 }]);
    let token = [signed.as_str(), &signature].join(".");
    let mut asked = false;
    let found = allowed(&caller, &token, |effect| match effect {
        Effect::FetchText { url } => {
            assert_eq!(url, JWKS_URL);
            Some(EffectOutcome::Text(set.clone()))
        }
        Effect::Verify { key, data, .. } => {
            asked = true;
            assert_eq!(data, signed.as_bytes());
            let key: Value = serde_json::from_str(&key.jwk).expect("a key is JSON");
            let set: Value = serde_json::from_str(&set).expect("a set that was read");
            let members = key.as_object().expect("a key has members");
            let listed = set["keys"].as_array().expect("a set has keys").iter().any(|listed| {
                listed["kid"] == kid && members.iter().all(|(name, value)| listed[name] == *value)
            });
            assert!(listed, "{key} is not in {set}");
            assert_eq!(members["kty"], if algorithm == "ES256" { "EC" } else { "RSA" });
            Some(EffectOutcome::Verified(valid))
        }
        _ => None,
    });
    let expected = (asked && valid).then(|| claims(&signed, algorithm, ISSUER, "api")).flatten();
    // Its payload may claim the built-in issuer, but is not signed with that issuer's key.
    assert_eq!(found, expected, "{token}");
    assert!(!asked || matches!(algorithm, "RS256" | "ES256"));
}

fn keys(input: &mut Input<'_>) -> String {
    let (modulus, coordinate) =
        (Base64UrlUnpadded::encode_string(&[0xab; 256]), Base64UrlUnpadded::encode_string(&[5; 32]));
    let mut keys = vec![
        json!({"kty": "RSA", "kid": "a", "n": modulus, "e": "AQAB"}),
        json!({"kty": "EC", "crv": "P-256", "kid": "b", "x": coordinate, "y": coordinate}),
    ];
    for _ in 0..input.choice(3) {
        let at = input.choice(2);
        let name = input.pick(&["kty", "kid", "n", "e", "x", "y", "crv", "use", "alg", "key_ops"]);
        keys[at][name] = match input.choice(4) {
            0 => json!(
                input.pick(&["RSA", "EC", "oct", "AQ", "sig", "enc", "RS256", "ES256", "verify", "b", "a"])
            ),
            1 => json!(["verify"]),
            2 => Value::Null,
            _ => json!(input.text_line()),
        };
    }
    json!({ "keys": keys }).to_string()
}

/// Checks client credentials in a header or a form: only an ID with its secret gets a token, and the token is valid.
#[allow(clippy::too_many_lines, reason = "the parts of a request, in their order")]
fn credentials(caller: &Caller, input: &mut Input<'_>) {
    const KNOWN: [(&str, &str); 3] =
        [("tests", "tests-secret"), ("one-project", "one-project-secret"), ("a:b c", "ä%")];
    let header = match input.choice(4) {
        0 => None,
        1 => Some(format!("Basic {}", Base64::encode_string(input.line()))),
        2 => Some(lossy(input.line())),
        _ => {
            let (id, secret) = input.pick(&KNOWN);
            let mut pair = String::new();
            percent::encode(&mut pair, id);
            pair.push(':');
            percent::encode(&mut pair, secret);
            Some(format!("Basic {}", Base64::encode_string(pair.as_bytes())))
        }
    };
    let query = lossy(input.line()).replace('#', "");
    let target = ["/oauth/token?", &query].concat();
    let form = ("Content-Type", "application/x-www-form-urlencoded");
    let mut headers = vec![form];
    headers.extend(header.as_deref().map(|header| ("Authorization", header)));
    let got = caller.exchange(&sent("POST", &target, &headers, input.0), |_| None);
    if got.status != 200 {
        assert!(matches!(got.status, 400 | 401), "{got:?}");
        return;
    }
    let token = got.json()["access_token"].as_str().expect("a token").to_owned();
    let payload =
        token.split('.').nth(1).and_then(|part| Base64UrlUnpadded::decode_vec(part).ok()).expect("a payload");
    let payload: Value = serde_json::from_slice(&payload).expect("a payload is JSON");
    // The secret of the client was in the request, in the header or in the form.
    let client = payload["client_id"].as_str().expect("a client");
    let secret = KNOWN
        .iter()
        .chain(&[("tests-two", "tests-two-secret")])
        .find(|(id, _)| *id == client)
        .expect("a known client")
        .1;
    let said = |text: &str| {
        text.split('&')
            .filter_map(|pair| pair.split_once('='))
            .any(|(_, value)| percent::decode_form(value).is_ok_and(|value| value == secret))
    };
    let basic = header.as_deref().and_then(|header| header.split(' ').next_back().map(str::to_owned));
    let basic =
        basic.and_then(|text| Base64::decode_vec(&text).ok()).and_then(|bytes| String::from_utf8(bytes).ok());
    let basic = basic.is_some_and(|pair| {
        pair.split(':').nth(1).is_some_and(|text| percent::decode_form(text).as_deref() == Ok(secret))
    });
    assert!(basic || said(&lossy(input.0)), "{got:?}");
    assert!(own(&token).is_some(), "{token}");
}

fn introspection(caller: &Caller, token: &str) {
    let mut form = "token=".to_owned();
    percent::encode(&mut form, token);
    let basic = format!("Basic {}", Base64::encode_string(b"tests:tests-secret"));
    let headers = [("Content-Type", "application/x-www-form-urlencoded"), ("Authorization", basic.as_str())];
    let got = caller.exchange(&sent("POST", "/oauth/introspect", &headers, form.as_bytes()), |_| None);
    if !token.is_empty() {
        assert_eq!(
            (got.status, got.json()["active"] == true),
            (200, own(token).is_some()),
            "{token} {got:?}"
        );
    }
}
