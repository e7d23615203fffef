//! Members of a request's log line besides its result.

use super::*;

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";

#[test]
fn the_log_line_of_a_request_with_a_traceparent_has_its_trace() {
    let caller = Caller::new();
    let traceparent = format!("00-{TRACE}-00f067aa0ba902b7-01");
    for request in ["GET /p/resource", "GET /p/resource/a", "GET /nowhere", "GET /health"] {
        caller.ask(request, &[("traceparent", &traceparent)], b"");
        assert_eq!(caller.last_line()["traceId"], TRACE, "{request}");
        caller.ask(request, &[], b"");
        assert_eq!(caller.last_line()["traceId"], Value::Null, "{request}");
    }
    for malformed in [&traceparent.replace('4', "X"), "secret", &format!("{traceparent}-secret")] {
        assert_eq!(caller.ask("GET /p/resource", &[("traceparent", malformed)], b"").status, 200);
        assert_eq!(caller.last_line()["traceId"], Value::Null, "{malformed}");
    }
}

#[test]
fn the_log_line_has_the_correlation_id_of_the_response() {
    let caller = Caller::new();
    for (given, is_returned) in [("from-the-caller", true), ("with DEL\u{7f}", false)] {
        let got = caller.ask("GET /p/resource", &[("X-Correlation-ID", given)], b"");
        let returned = got.header("X-Correlation-ID").unwrap();
        assert_eq!(caller.last_line()["correlationId"], returned);
        assert_eq!(returned == given, is_returned, "{returned}");
    }
}

#[test]
fn the_log_line_of_a_read_has_its_kv_result() {
    let caller = Caller::with(&json!({"HOT_SECONDS": "0"}));
    let kv = |line_of_request: &str, headers: &[(&str, &str)]| {
        caller.ask(line_of_request, headers, b"");
        caller.last_line()["kv"].clone()
    };
    caller.create(&json!({"id": "a", "key": "k", "objectTypeProperty": {}}));
    caller.create(&json!({"id": "b", "key": "l", "objectTypeProperty": {}}));
    assert_eq!(kv("GET /p/resource/a", &[]), "hit");
    assert_eq!(kv("GET /p/resource/key=k", &[]), "hit");
    assert_eq!(kv("GET /p/resource/c", &[]), "miss");
    assert_eq!(kv("GET /p/resource/key=c", &[]), "miss");
    let newer = (caller.edge.clock.get() + 1).to_string();
    assert_eq!(kv("GET /p/resource/a", &[("Resource-Min-Revision", &newer)]), "stale");
    assert_eq!(kv("GET /p/resource/a", &[("Cache-Control", "no-cache")]), Value::Null);
    assert_eq!(kv("GET /p/resource", &[]), Value::Null);
    caller.ask("DELETE /p/resource/b", &[], b"");
    assert_eq!(kv("GET /p/resource/b", &[]), "deleted");
    assert_eq!(kv("GET /p/resource/key=l", &[]), "deleted");
    caller.edge.faults.objects.set(true);
    assert_eq!(kv("GET /p/resource/a", &[("Resource-Min-Revision", &newer)]), "stale");
    caller.edge.faults.objects.set(false);
    caller.edge.faults.kv_reads.set(true);
    assert_eq!(kv("GET /p/resource/a", &[]), "failed");
}

#[test]
fn the_log_line_of_a_query_tells_whether_it_has_read_an_index() {
    let caller = Caller::new();
    for (query, by_index) in [
        ("", true),
        ("?where=id=%22a%22", true),
        ("?where=custom=%22a%22", true),
        ("?where=version%3C9", false),
    ] {
        for method in ["GET", "HEAD"] {
            caller.ask(&format!("{method} /p/resource{query}"), &[], b"");
            assert_eq!(caller.last_line()["byIndex"], by_index, "{method} {query}");
        }
    }
}

#[test]
fn a_request_without_a_response_is_logged_with_its_operation() {
    let caller = Caller::new();
    for (line_of_request, operation) in [
        ("GET /p/resource/a", "getById"),
        ("GET /p/status", "status"),
        ("POST /oauth/token", "token"),
        ("GET /nowhere", "unknown"),
    ] {
        let sent = Sent::new(line_of_request, &[], "");
        let response = resource_edge::server::fault(&caller.service, &&caller.edge, &request(&sent));
        assert_eq!(response.status, 500);
        assert_eq!(caller.last_line()["operation"], operation, "{}", sent.target);
    }
}

#[test]
fn the_cause_of_an_error_of_the_object_is_in_the_log_and_not_in_the_response() {
    let caller = Caller::new();
    caller.create(&json!({"id": "a", "objectTypeProperty": {}}));
    // Indexes the resource.
    caller.ask("GET /p/resource", &[], b"");
    for (fault, request, status) in [
        ("disk I/O error: SELECT", "GET /p/resource", 500),
        ("disk I/O error: SELECT", "DELETE /p/resource/a", 500),
        ("Expression tree is too large: SELECT", "GET /p/resource?where=version=1", 400),
        ("database or disk is full: INSERT", "DELETE /p/resource/a", 507),
    ] {
        let disk = caller.edge.projects.borrow()["p"].database().clone();
        disk.fault.set(fault);
        disk.fails_after.set(Some(0));
        let response = caller.ask(request, &[], b"");
        disk.fails_after.set(None);
        assert_eq!(response.status, status, "{request}: {response:?}");
        assert!(!response.body.contains("SELECT") && !response.body.contains("INSERT"), "{response:?}");
        let line = caller.last_line();
        assert_eq!(
            (&line["status"], &line["level"], &line["cause"]),
            (&json!(status), &json!("error"), &json!(fault))
        );
    }
}

#[test]
fn the_log_line_of_a_failed_request_for_a_token_has_the_code_of_its_error() {
    let caller = Caller::new();
    let client = "grant_type=client_credentials&client_id=tests&client_secret=tests-secret&scope=view_test:p";
    for (form, status, code) in [
        (client.to_owned(), 200, Value::Null),
        (client.replace("secret=tests", "secret=x"), 401, json!("invalid_client")),
        (client.replace("client_credentials", "password"), 400, json!("unsupported_grant_type")),
        ("%zz".to_owned(), 400, json!("invalid_request")),
    ] {
        let got =
            send(&caller.service, &caller.edge, &Sent::new("POST /oauth/token", &[FORM], form.as_str()));
        let line = caller.last_line();
        assert_eq!((got.status, &line["code"]), (status, &code), "{form}");
    }
}

#[test]
fn the_log_line_has_each_cause_of_a_request_that_failed_in_several_places() {
    let caller = Caller::new();
    caller.create(&json!({"id": "a", "objectTypeProperty": {}}));
    caller.edge.faults.kv_reads.set(true);
    caller.edge.faults.objects.set(true);
    for request in ["GET /p/resource/a", "GET /health"] {
        assert_eq!(caller.ask(request, &[], b"").status, 503);
        let line = caller.last_line();
        assert_eq!(line["cause"], "KV is made to fail; the object is made to fail", "{request}");
    }
}
