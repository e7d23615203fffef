//! Rate limits: which requests count, when, and what happens above the limit (D28).

use resource_edge::server::platform::Limiter;

use super::*;

const CREDENTIALS: &str = "grant_type=client_credentials&client_id=tests&client_secret=tests-secret";

/// Creates a caller of a service with both limiters. Each allows `limit` requests per key.
fn limited(limit: u32) -> Caller {
    let caller = Caller::new();
    let service = service(&json!({})).limited_by(Limiter::ALL.to_vec());
    caller.edge.limit.set(limit);
    Caller { service, ..caller }
}

fn ask_for_token(caller: &Caller, form: &str, headers: &[(&str, &str)]) -> Got {
    let headers = [&[FORM], headers].concat();
    send(&caller.service, &caller.edge, &Sent::new("POST /oauth/token", &headers, form))
}

fn keys(caller: &Caller) -> Vec<(&'static str, String)> {
    caller.edge.counts.borrow().keys().cloned().collect()
}

#[test]
fn a_caller_who_exceeds_the_limit_gets_429_with_retry_after_until_the_limiter_allows_the_caller() {
    let caller = limited(2);
    assert_eq!(caller.get("/p/resource").status, 200);
    assert_eq!(caller.get("/p/resource/none").status, 404);
    let key = r#"p ["resource-edge","tests","tests"]"#;
    assert_eq!(keys(&caller), [("REQUEST_LIMIT", key.to_owned())], "issuer, client, subject, and project");
    for line in ["GET /p/resource", "GET /p/status", "HEAD /p/resource", "DELETE /p/resource/none"] {
        let got = caller.ask(line, &[("Origin", "https://shop.example")], b"");
        assert_eq!((got.status, got.header("Retry-After")), (429, Some("60")), "{line}");
        assert_eq!(got.header("Access-Control-Allow-Origin"), Some("*"));
    }
    let message = "Too many requests. Try again later.";
    assert_eq!(
        caller.get("/p/resource").json(),
        json!({"statusCode": 429, "message": message, "errors": [{"code": "TooManyRequests", "message": message}]})
    );
    assert_eq!(caller.edge.object_calls.get(), 2, "a refused request reached the object");
    caller.edge.counts.borrow_mut().clear();
    assert_eq!(caller.get("/p/resource").status, 200);
}

#[test]
fn only_callers_with_access_to_the_project_are_counted_and_before_their_parameters_are_read() {
    let mut caller = limited(0);
    assert_eq!(caller.get("/other/resource").status, 403);
    assert_eq!(caller.get("/p/nowhere").status, 404);
    assert_eq!(caller.ask("PUT /p/resource/a", &[], b"").status, 405);
    for open in ["GET /health", "GET /openapi.json", "OPTIONS /p/resource"] {
        assert!(caller.ask(open, &[], b"").status < 300, "{open}");
    }
    assert_eq!(caller.get("/p/resource?nope=1").status, 429);
    assert_eq!(caller.ask("POST /p/resource", &[], b"{").status, 429);
    assert_eq!(caller.edge.counts.borrow().values().sum::<u32>(), 2);
    caller.token = "not.a.token".to_owned();
    assert_eq!(caller.get("/p/resource").status, 401);
    assert_eq!(keys(&caller).len(), 1);
}

#[test]
fn the_token_endpoints_count_by_client_and_address_before_they_compare_the_secret() {
    let caller = limited(2);
    let from = |address: &'static str| [("CF-Connecting-IP", address)];
    let scope = "&scope=view_test:p";
    let wrong = "grant_type=client_credentials&client_id=tests&client_secret=guess";
    assert_eq!(ask_for_token(&caller, wrong, &from("192.0.2.1")).status, 401);
    assert_eq!(ask_for_token(&caller, wrong, &from("192.0.2.1")).status, 401);
    // Even with the right secret, so that the responses to right and wrong guesses are equal.
    let got = ask_for_token(&caller, &format!("{CREDENTIALS}{scope}"), &from("192.0.2.1"));
    assert_eq!((got.status, got.header("Retry-After")), (429, Some("60")), "{got:?}");
    assert_eq!(got.header("Cache-Control"), Some("no-store"));
    assert_eq!(got.json()["errors"][0]["code"], "TooManyRequests");
    // The limit affects neither the same client at another address, nor another client at this address.
    assert_eq!(ask_for_token(&caller, &format!("{CREDENTIALS}{scope}"), &from("192.0.2.2")).status, 200);
    let two = CREDENTIALS.replace("tests", "tests-two");
    assert_eq!(ask_for_token(&caller, &format!("{two}{scope}"), &from("192.0.2.1")).status, 200);
    let expected = ["192.0.2.1 tests", "192.0.2.1 tests-two", "192.0.2.2 tests"];
    assert_eq!(keys(&caller), expected.map(|key| ("TOKEN_LIMIT", key.to_owned())));
}

#[test]
fn the_counted_client_is_the_one_whose_secret_is_compared() {
    let caller = limited(0);
    // Only `tests:guess` in Basic counts: without credentials, or with two, no secret is compared.
    let basic = ("Authorization", "Basic dGVzdHM6Z3Vlc3M=");
    assert_eq!(ask_for_token(&caller, "grant_type=client_credentials", &[basic]).status, 429);
    assert_eq!(keys(&caller), [("TOKEN_LIMIT", " tests".to_owned())]);
    assert_eq!(ask_for_token(&caller, "client_id=else", &[basic]).status, 400);
    assert_eq!(ask_for_token(&caller, CREDENTIALS, &[basic]).status, 400);
    assert_eq!(ask_for_token(&caller, "grant_type=client_credentials", &[]).status, 401);
    // A method or a path that compares no secret does not count.
    for (line, status) in [("GET /oauth/token", 405), ("GET /health", 200), ("OPTIONS /oauth/token", 204)] {
        let got = send(&caller.service, &caller.edge, &Sent::new(line, &[basic], ""));
        assert_eq!(got.status, status, "{line}");
    }
    assert_eq!(caller.edge.counts.borrow().values().sum::<u32>(), 1);
}

#[test]
fn a_limiter_that_fails_allows_every_request_and_is_logged() {
    let caller = limited(0);
    caller.edge.faults.limiters.set(true);
    assert_eq!(caller.get("/p/resource").status, 200);
    let line = caller.edge.log.borrow().last().cloned().unwrap_or_default();
    assert!(line.contains(r#""level":"error""#), "{line}");
    assert!(line.contains(r#""cause":"REQUEST_LIMIT: the limiter is made to fail""#), "{line}");
    assert_eq!(ask_for_token(&caller, &format!("{CREDENTIALS}&scope=view_test:p"), &[]).status, 200);
}

#[test]
fn retry_after_is_the_configured_period() {
    let caller = limited(0);
    let service = service(&json!({"LIMIT_PERIOD": "10"})).limited_by(vec![Limiter::Requests]);
    let caller = Caller { service, ..caller };
    assert_eq!(caller.get("/p/resource").header("Retry-After"), Some("10"));
    // The other limiter is not bound.
    assert_eq!(ask_for_token(&caller, &format!("{CREDENTIALS}&scope=view_test:p"), &[]).status, 200);
}
