//! The token endpoint and introspection.

use base64ct::{Base64, Encoding as _};
use proptest::prelude::*;

use super::*;
use crate::contract::api::endpoint::{Access, ENDPOINTS, ServiceId, Target};
use crate::contract::api::media::FORM;
use crate::contract::limits::FORM_BYTES;
use crate::server::auth::authorize;
use crate::server::auth::tests::fake::*;
use crate::server::http::{Body, HeaderPairs};
use crate::test;

fn basic(credentials: &str) -> String {
    format!("Basic {}", Base64::encode_string(credentials.as_bytes()))
}

/// A request of a test.
#[derive(Clone)]
struct Ask {
    query: String,
    body: String,
    headers: Vec<(&'static str, String)>,
}

impl Ask {
    fn new(credentials: &str, body: &str) -> Self {
        let headers = vec![("Authorization", basic(credentials)), ("Content-Type", FORM.to_owned())];
        Self { query: String::new(), body: body.to_owned(), headers }
    }

    fn form(body: &str) -> Self {
        Self { headers: vec![("content-type", FORM.to_owned())], ..Self::new("", body) }
    }

    fn query(mut self, query: &str) -> Self {
        query.clone_into(&mut self.query);
        self
    }

    fn header(mut self, name: &'static str, value: &str) -> Self {
        self.headers.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
        self.headers.push((name, value.to_owned()));
        self
    }

    fn send(&self, auth: &Authenticator, platform: &Fake, path: &str) -> Response<()> {
        let url = format!("{path}?{}", self.query);
        platform.body.replace(Some(self.body.clone().into_bytes()));
        let headers = Box::new(HeaderPairs::new(&self.headers));
        let request = Request::new("POST".to_owned(), url, headers);
        let response = respond(auth, platform, &request);
        assert_eq!(response.header(ResponseHeader::CacheControl), Some("no-store"));
        assert_eq!(response.header(ResponseHeader::Pragma), Some("no-cache"));
        assert_eq!(response.header(ResponseHeader::ContentType), Some("application/json; charset=utf-8"));
        let challenge = response.header(ResponseHeader::WwwAuthenticate);
        assert_eq!(challenge, (response.status == 401).then_some("Basic realm=\"resource-edge\""));
        response
    }
}

/// Returns the response to a request whose body the platform has.
fn respond(auth: &Authenticator, platform: &Fake, request: &Request) -> Response<()> {
    let is_token = request.path() == "/oauth/token";
    let id = if is_token { ServiceId::Token } else { ServiceId::Introspect };
    let row = ENDPOINTS.iter().find(|row| row.target == Target::Service(id)).unwrap();
    let port = platform.port();
    let parameters = platform.run(&port, auth.parameters(&port, request, row.form()));
    let answer = if is_token { Authenticator::grant } else { Authenticator::inspect };
    render(parameters.and_then(|parameters| answer(auth, &platform, request, &parameters)))
}

fn json(response: &Response<()>) -> serde_json::Value {
    let Body::Text(text) = &response.body else { panic!("no body") };
    serde_json::from_str(text).unwrap()
}

fn ask(ask: &Ask) -> Response<()> {
    ask.send(&both(), &Fake::new(), "/oauth/token")
}

#[track_caller]
fn assert_error(response: &Response<()>, status: u16, error: &str) {
    let body = json(response);
    assert_eq!((response.status, body["error"].as_str()), (status, Some(error)), "{body}");
    assert_eq!(body["statusCode"], status);
    assert_eq!(body["errors"][0]["code"], error);
    assert_eq!(body["errors"][0]["message"], body["message"]);
    assert_eq!(body["error_description"], body["message"]);
    let description = body["error_description"].as_str().unwrap();
    assert!(description.chars().all(|char| matches!(char, ' '..='~') && !matches!(char, '"' | '\\')));
}

const GRANT: &str = "grant_type=client_credentials";

#[test]
fn a_client_gets_a_token_that_lets_it_in() {
    let (auth, platform) = (both(), Fake::new());
    let response = Ask::new("demo:s3cret", GRANT).send(&auth, &platform, "/oauth/token");
    let body = json(&response);
    assert_eq!(response.status, 200);
    let names: Vec<&String> = body.as_object().unwrap().keys().collect();
    assert_eq!(names, ["access_token", "token_type", "expires_in", "scope"]);
    assert_eq!((&body["token_type"], &body["expires_in"]), (&"Bearer".into(), &3600.into()));
    assert_eq!(body["scope"], "manage_test:demo view_test:demo");
    let bearer = format!("Bearer {}", body["access_token"].as_str().unwrap());
    let claims = authenticate(&auth, &platform, Some(&bearer)).unwrap();
    assert_eq!(claims.caller, r#"["resource-edge","demo","demo"]"#);
    assert!(!claims.has_expired(NOW + 3_600_000 + 59_999) && claims.has_expired(NOW + 3_600_000 + 60_000));
    assert!(authorize(&claims, Access::Write, "demo").is_ok());
    assert!(authorize(&claims, Access::Read, "other").is_err());
    // A token of another deployment's secret is of no use here.
    let other = authenticator(&[("TOKEN_SECRET", &SECRET.to_uppercase()), ("API_CLIENTS", &clients())]);
    assert_eq!(authenticate(&other, &platform, Some(&bearer)).unwrap_err().status(), 401);
}

#[test]
fn two_tokens_are_never_the_same() {
    let (auth, platform) = (both(), Fake::new());
    let token = || {
        json(&Ask::new("demo:s3cret", GRANT).send(&auth, &platform, "/oauth/token"))["access_token"].clone()
    };
    assert_ne!(token(), token());
}

#[test]
fn the_lifetime_is_the_setting() {
    let auth = authenticator(&[("TOKEN_SECRET", SECRET), ("API_CLIENTS", &clients()), ("TOKEN_TTL", "60")]);
    let response = Ask::new("demo:s3cret", GRANT).send(&auth, &Fake::new(), "/oauth/token");
    assert_eq!(json(&response)["expires_in"], 60);
}

#[test]
fn every_way_to_authenticate_works() {
    let scoped = format!("{GRANT}&scope=view_test%3Ax");
    for good in [
        Ask::new("demo:s3cret", GRANT),
        Ask::new("demo:s3cret", "").query(GRANT),
        Ask::new("demo:s3cret", "").query(GRANT).header("Content-Type", "application/json"),
        Ask::new("demo:s3cret", "scope=view_test:demo").query(GRANT),
        Ask::new("demo:s3cret", GRANT).query("scope=view_test:demo+manage_test%3Ademo"),
        Ask::new("demo:s3cret", &format!("{GRANT}&client_id=demo")),
        Ask::new("%64emo:s3cret", GRANT),
        Ask::new("any+one:wild+card%3A%2B%25", &scoped),
        Ask::new("any%20one:wild%20card%3a%2b%25", &scoped),
        Ask::form(&format!("{GRANT}&client_id=demo&client_secret=s3cret")),
        Ask::form(&format!("{scoped}&client_id=any+one&client_secret=wild+card:%2B%25")),
        Ask::new("demo:s3cret", &format!("{GRANT}&scope=&unknown=1&unknown=2")),
        Ask::new("demo:s3cret", GRANT)
            .header("Content-Type", "Application/X-WWW-form-urlencoded ; charset=UTF-8"),
        Ask::new("demo:s3cret", GRANT)
            .header("Authorization", &basic("demo:s3cret").replace("Basic ", "bAsIc  ")),
        Ask::new("demo:s3cret", &format!("{GRANT}&client_secret=")).query("client_secret=&client_id="),
    ] {
        let response = ask(&good);
        assert_eq!(response.status, 200, "{} {} {}", good.query, good.body, json(&response));
    }
}

#[test]
fn an_unknown_client_is_401() {
    for bad in [
        Ask::new("demo:S3cret", GRANT),
        Ask::new("demo:", GRANT),
        Ask::new("demo", GRANT),
        Ask::new("Demo:s3cret", GRANT),
        Ask::new("nobody:s3cret", GRANT),
        Ask::new(":", GRANT),
        Ask::new("any one:s3cret", GRANT),
        Ask::new("demo:wild+card%3A%2B%25", GRANT),
        Ask::new("demo:%zz", GRANT),
        Ask::new(&format!("demo:{}", hex_hash("s3cret")), GRANT),
        Ask::form(GRANT),
        Ask::form(&format!("{GRANT}&client_id=demo")),
        Ask::form(&format!("{GRANT}&client_id=demo&client_secret=no")),
        Ask::form(&format!("{GRANT}&client_id=nobody&client_secret=s3cret")),
        Ask::new("", GRANT).header("Authorization", "Basic"),
        Ask::new("", GRANT).header("Authorization", "Basic !"),
        Ask::new("", GRANT).header("Authorization", "Basic ZGVtbzpzM2NyZXQ"),
        Ask::new("", GRANT).header("Authorization", "Basic /zo="),
        Ask::new("", GRANT).header("Authorization", "Bearer ZGVtbzpzM2NyZXQ="),
    ] {
        assert_error(&ask(&bad), 401, "invalid_client");
    }
}

#[test]
fn malformed_requests_are_400() {
    let good = || Ask::new("demo:s3cret", GRANT);
    let body = |more: &str| Ask::new("demo:s3cret", &format!("{GRANT}{more}"));
    for bad in [
        Ask::new("demo:s3cret", ""),
        Ask::new("demo:s3cret", "grant_type="),
        Ask::new("demo:s3cret", "scope=view_test:demo"),
        body(&format!("&{GRANT}")),
        good().query(GRANT),
        body("&scope=view_test:demo&scope=view_test:demo"),
        body("&scope=view_test:demo").query("scope=view_test:demo"),
        body("&client_secret=s3cret"),
        body("&client_id=demo&client_secret=s3cret"),
        body("&client_id=other"),
        good().query("client_secret=s3cret"),
        good().query("client_id=demo"),
        Ask::form(GRANT).query("client_id=demo&client_secret=s3cret"),
        Ask::form(&format!("{GRANT}&client_secret=s3cret")),
        Ask::form(&format!("{GRANT}&client_id=demo&client_id=demo&client_secret=s3cret")),
        body("&scope=%zz"),
        body("&%ff=1"),
        body("&scope=%ff"),
        good().header("Content-Type", "application/json"),
        good().header("Content-Type", "text/plain"),
        good().header("Content-Type", "application/x-www-form-urlencodedx"),
        good().header("Content-Encoding", "gzip"),
        Ask { headers: vec![("Authorization", basic("demo:s3cret"))], ..good() },
    ] {
        assert_error(&ask(&bad), 400, "invalid_request");
    }
    for grant in ["password", "authorization_code", "Client_credentials", "client_credentials+"] {
        let response = ask(&Ask::new("demo:s3cret", &format!("grant_type={grant}")));
        assert_error(&response, 400, "unsupported_grant_type");
    }
}

#[test]
fn bodies_that_are_no_text_too_large_or_broken_off_are_rejected() {
    let pairs = [("Authorization", basic("demo:s3cret")), ("Content-Type", FORM.to_owned())];
    for (body, status) in [
        (Some(vec![b'a', 0xff]), 400),
        (Some(vec![b'a'; FORM_BYTES]), 200),
        (Some(vec![b'a'; FORM_BYTES + 1]), 413),
        (None, 400),
    ] {
        let url = format!("/oauth/token?{GRANT}");
        let request = Request::new("POST".to_owned(), url, Box::new(HeaderPairs::new(&pairs)));
        let platform = Fake::new();
        platform.body.replace(body);
        assert_eq!(respond(&both(), &platform, &request).status, status);
    }
}

#[test]
fn a_client_gets_the_scopes_that_it_has() {
    for (credentials, scope, granted) in [
        ("demo:s3cret", "view_test:demo", "view_test:demo"),
        ("demo:s3cret", "++view_test:demo++", "view_test:demo"),
        ("demo:s3cret", "view_test:demo+view_test:demo", "view_test:demo"),
        ("demo:s3cret", "view_test:demo+manage_test:demo", "view_test:demo manage_test:demo"),
        ("any+one:wild+card%3A%2B%25", "view_test:x+view_test:y", "view_test:x view_test:y"),
        ("any+one:wild+card%3A%2B%25", "manage_test:own", "manage_test:own"),
    ] {
        let response = ask(&Ask::new(credentials, &format!("{GRANT}&scope={scope}")));
        assert_eq!(json(&response)["scope"], granted, "{scope}");
    }
}

#[test]
fn scopes_that_are_malformed_or_not_the_clients_are_400() {
    let long = format!("view_test:{}", "a".repeat(129));
    let many = (0..1000).map(|at| format!("view_test:p{at}")).collect::<Vec<_>>().join("+");
    for (credentials, scope) in [
        ("demo:s3cret", "view_test:other"),
        ("demo:s3cret", "view_test:demo+view_test:other"),
        ("demo:s3cret", "view_test:*"),
        ("demo:s3cret", "view_test"),
        ("demo:s3cret", "+"),
        ("demo:s3cret", "VIEW_TEST:demo"),
        ("demo:s3cret", "openid"),
        ("demo:s3cret", "view_test:demo%09"),
        ("demo:s3cret", "view_test:demo%0amanage_test:demo"),
        ("demo:s3cret", "%22%5c%c3%a9"),
        ("any+one:wild+card%3A%2B%25", ""),
        ("any+one:wild+card%3A%2B%25", "view_test:*"),
        ("any+one:wild+card%3A%2B%25", "view_test:"),
        ("any+one:wild+card%3A%2B%25", "view_test:a.b"),
        ("any+one:wild+card%3A%2B%25", "manage_test:x"),
        ("any+one:wild+card%3A%2B%25", "view_test:own+view_test:a:b"),
        ("any+one:wild+card%3A%2B%25", &long),
        ("any+one:wild+card%3A%2B%25", &many),
    ] {
        assert_error(&ask(&Ask::new(credentials, &format!("{GRANT}&scope={scope}"))), 400, "invalid_scope");
    }
}

#[test]
fn manage_does_not_bring_view_along() {
    let clients = format!(r#"[{{"id":"m","secretHash":"{}","scopes":["manage_test:*"]}}]"#, hex_hash("s"));
    let auth = authenticator(&[("TOKEN_SECRET", SECRET), ("API_CLIENTS", &clients)]);
    let send = |scope: &str| {
        Ask::new("m:s", &format!("{GRANT}&scope={scope}")).send(&auth, &Fake::new(), "/oauth/token")
    };
    assert_error(&send("view_test:demo"), 400, "invalid_scope");
    assert_eq!(send("manage_test:demo").status, 200);
}

#[test]
fn a_token_with_the_longest_scope_is_accepted() {
    let id = "\\\"".repeat(128);
    let scopes: Vec<String> = (0..1000).map(|at| format!("\"view_test:p{at:04}\"")).collect();
    let clients = |count: usize| {
        let id = id.replace('\\', "\\\\").replace('"', "\\\"");
        format!(
            r#"[{{"id":"{id}","secretHash":"{}","scopes":[{}]}}]"#,
            hex_hash("s"),
            scopes[..count].join(",")
        )
    };
    let credentials = format!("{}:s", id.replace('\\', "%5C").replace('"', "%22"));
    let send = |count: usize| {
        let auth = authenticator(&[("TOKEN_SECRET", SECRET), ("API_CLIENTS", &clients(count))]);
        let platform = Fake::new();
        let response = Ask::new(&credentials, GRANT).send(&auth, &platform, "/oauth/token");
        (auth, platform, response)
    };
    // 512 × 16 characters, less the last space.
    let (auth, platform, response) = send(512);
    let bearer = format!("Bearer {}", json(&response)["access_token"].as_str().unwrap());
    assert!(authenticate(&auth, &platform, Some(&bearer)).is_ok());
    assert_error(&send(513).2, 400, "invalid_scope");
}

#[test]
fn introspection_reports_only_issued_tokens() {
    let (auth, platform) = (both(), Fake::new());
    let inspect =
        |token: &str| {
            let response = Ask::new("demo:s3cret", &format!("token_type_hint=access_token&token={token}"))
                .send(&auth, &platform, "/oauth/introspect");
            assert_eq!(response.status, 200);
            let Body::Text(text) = response.body else { panic!("no body") };
            text
        };
    let issued = json(&Ask::new("demo:s3cret", GRANT).send(&auth, &platform, "/oauth/token"));
    let token = issued["access_token"].as_str().unwrap();
    assert_eq!(
        inspect(token),
        "{\"active\":true,\"scope\":\"manage_test:demo view_test:demo\",\"client_id\":\"demo\",\
         \"token_type\":\"Bearer\",\"exp\":1800003600,\"iat\":1800000000,\"sub\":\"demo\",\
         \"aud\":\"resource-edge\",\"iss\":\"resource-edge\",\"jti\":\"AQEBAQEBAQEBAQEBAQEBAQ\"}"
    );
    let foreign = issued_token(
        &auth,
        ISSUED_HEADER,
        &issued_payload(NOW / 1000, NOW / 1000 + 60, "")
            .replace("\"iss\":\"resource-edge\"", "\"iss\":\"x\""),
    );
    let external = external_token("RS256", "r1", EXTERNAL_PAYLOAD);
    for other in ["x", "a.b.c", &external, &foreign, &format!("{token}A"), &"a".repeat(20_000)] {
        assert_eq!(inspect(other), "{\"active\":false}");
    }
    assert!(platform.asked.borrow().is_empty() && platform.fetches.get() == 0);
    platform.pass(3_660_000);
    assert_eq!(inspect(token), "{\"active\":false}");
}

#[test]
fn introspection_needs_a_client_and_a_token_in_the_form() {
    let (auth, platform) = (both(), Fake::new());
    let send = |ask: &Ask| ask.send(&auth, &platform, "/oauth/introspect");
    assert_error(&send(&Ask::form("token=x")), 401, "invalid_client");
    assert_error(&send(&Ask::new("demo:no", "token=x")), 401, "invalid_client");
    assert_error(&send(&Ask::new("demo:s3cret", "")), 400, "invalid_request");
    assert_error(&send(&Ask::new("demo:s3cret", "").query("token=x")), 400, "invalid_request");
    assert_error(&send(&Ask::new("demo:s3cret", "token=x&token=y")), 400, "invalid_request");
}

#[test]
fn both_are_503_if_no_built_in_issuer_is_configured() {
    let external = [("TOKEN_ISSUER", EXTERNAL), ("TOKEN_AUDIENCE", "api"), ("TOKEN_JWKS_URL", JWKS_URL)];
    let none: [(&str, &str); 0] = [];
    let wrong = [("TOKEN_SECRET", "short"), ("API_CLIENTS", "[]")];
    for settings in [external.as_slice(), &none, &wrong] {
        for path in ["/oauth/token", "/oauth/introspect"] {
            let ask = Ask::new("demo:s3cret", GRANT);
            let response = ask.send(&authenticator(settings), &Fake::new(), path);
            assert_eq!((response.status, response.header(ResponseHeader::RetryAfter)), (503, Some("60")));
            let body = json(&response);
            assert_eq!(body["errors"][0]["code"], "ServiceUnavailable");
            assert!(body["message"].as_str().unwrap().contains("TOKEN_SECRET"), "{body}");
        }
    }
}

proptest! {
    #[test]
    fn no_random_request_gets_a_token(
        header in any::<String>(),
        credentials in any::<String>(),
        body in any::<String>(),
        query in "[a-z_=&%+:]{0,40}",
    ) {
        let base = Ask::new(&credentials, &body).query(&query);
        let encoded = Ask::form(&format!("{GRANT}&client_id=demo&client_secret={body}"));
        for bad in [base.clone().header("Authorization", &header), base, encoded] {
            for path in ["/oauth/token", "/oauth/introspect"] {
                let response = bad.send(&both(), &Fake::new(), path);
                prop_assert!(matches!(response.status, 400 | 401), "{}", response.status);
            }
        }
    }
}
