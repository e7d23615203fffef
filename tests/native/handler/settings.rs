//! Settings as applied by the whole service.

use resource_edge::server::Service;

use super::*;
use crate::support::caller::{token_in, token_request};

fn lines(service: &Service<String>, edge: &Edge) -> Vec<Value> {
    service.report(&edge);
    edge.log.take().iter().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_wrong_setting_is_a_line_in_the_log_and_a_503_that_name_it_without_its_value() {
    let edge = Edge::new();
    for log in [json!("loud-and-secret"), json!("off")] {
        let wrong = service(&json!({"LOG": log, "TOKEN_TTL": "hunter2"}));
        let lines = lines(&wrong, &edge);
        assert_eq!(lines.len(), 1, "{lines:?}");
        assert_eq!(
            (&lines[0]["level"], &lines[0]["message"]),
            (&json!("error"), &json!("every call is rejected"))
        );
        let cause = lines[0]["cause"].as_str().unwrap();
        assert!(cause.contains("TOKEN_TTL: expected whole seconds from 60 to 86400"), "{cause}");
        assert!(!cause.contains("hunter2") && !cause.contains("loud"), "{cause}");
        assert_eq!(cause.contains("LOG: "), log != "off", "{cause}");
        let got = send(&wrong, &edge, &Sent::new("GET /p/resource", &[], ""));
        assert_eq!((got.status, got.json()["message"].as_str().unwrap()), (503, cause));
        let health = send(&wrong, &edge, &Sent::new("GET /health", &[], ""));
        assert_eq!((health.status, edge.object_calls.get()), (503, 0), "it checks nothing: {health:?}");
        edge.log.take();
    }
}

#[test]
fn valid_settings_log_nothing_and_settings_without_a_token_issuer_log_a_line() {
    let edge = Edge::new();
    assert_eq!(lines(&service(&json!({})), &edge), Vec::<Value>::new());
    let nobody = service(&json!({"TOKEN_SECRET": null, "API_CLIENTS": null}));
    let lines = lines(&nobody, &edge);
    assert!(lines[0]["cause"].as_str().unwrap().contains("no token issuer is set"), "{lines:?}");
}

fn token(service: &Service<String>, edge: &Edge) -> String {
    token_in(&send(service, edge, &token_request("tests", "view_test:p")))
}

/// Returns the status of a read with the token, and whether introspection reports the token as active.
fn accepts(service: &Service<String>, edge: &Edge, token: &str) -> (u16, Value) {
    let bearer = format!("Bearer {token}");
    let read = send(service, edge, &Sent::new("GET /p/resource", &[("Authorization", &bearer)], ""));
    let form = format!("client_id=tests&client_secret=tests-secret&token={token}");
    let introspection = send(service, edge, &Sent::new("POST /oauth/introspect", &[FORM], form));
    (read.status, introspection.json()["active"].clone())
}

#[test]
fn during_a_rotation_tokens_of_both_secrets_are_accepted_and_only_the_new_secret_signs() {
    let edge = Edge::new();
    let (old, new) = ("the old secret has 32 bytes or so", "the new secret has 32 bytes or so");
    let before = service(&json!({"TOKEN_SECRET": old}));
    let overlap = service(&json!({"TOKEN_SECRET": new, "TOKEN_SECRET_PREVIOUS": old}));
    let after = service(&json!({"TOKEN_SECRET": new}));
    let (first, second) = (token(&before, &edge), token(&overlap, &edge));
    let (active, refused) = ((200, json!(true)), (401, json!(false)));
    assert_eq!(accepts(&overlap, &edge, &first), active);
    assert_eq!(accepts(&overlap, &edge, &second), active);
    assert_eq!(accepts(&after, &edge, &second), active, "the overlap signs with the new secret");
    assert_eq!(accepts(&before, &edge, &second), refused);
    assert_eq!(accepts(&after, &edge, &first), refused, "without the old secret its tokens end");
    let other =
        service(&json!({"TOKEN_SECRET": "a third secret has 32 bytes or so", "TOKEN_SECRET_PREVIOUS": new}));
    assert_eq!(accepts(&other, &edge, &first), refused, "only one secret before is accepted");
    // Both may be equal in the first step of a rotation.
    assert_eq!(
        accepts(&service(&json!({"TOKEN_SECRET": old, "TOKEN_SECRET_PREVIOUS": old})), &edge, &first),
        active
    );
}

#[test]
fn a_token_of_the_previous_secret_expires_as_any_other() {
    let edge = Edge::new();
    let (old, new) = ("the old secret has 32 bytes or so", "the new secret has 32 bytes or so");
    let first = token(&service(&json!({"TOKEN_SECRET": old, "TOKEN_TTL": "60"})), &edge);
    let overlap = service(&json!({"TOKEN_SECRET": new, "TOKEN_SECRET_PREVIOUS": old}));
    assert_eq!(accepts(&overlap, &edge, &first).0, 200);
    edge.clock.set(edge.clock.get() + 121_000);
    assert_eq!(accepts(&overlap, &edge, &first), (401, json!(false)));
}
