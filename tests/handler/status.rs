//! `GET /{projectKey}/status`: who may read it, and what it shows.

use resource_edge::server::platform::Limiter;
use serde_json::json;

use crate::support::caller::Caller;
use crate::support::edge::service;

#[test]
fn only_a_caller_with_write_access_reads_the_status_of_a_project() {
    let mut caller = Caller::new();
    caller.create(&json!({"id": "a", "objectTypeProperty": {}}));
    let got = caller.get("/p/status");
    assert_eq!((got.status, got.header("Content-Type")), (200, Some("application/json; charset=utf-8")));
    assert_eq!((&got.json()["resources"], &got.json()["backlog"]), (&json!(1), &json!(0)));
    assert_eq!(caller.ask("HEAD /p/status", &[], b"").body, "");
    assert_eq!(caller.get("/other/status").status, 403);
    assert_eq!(caller.get("/a.b/status").status, 400);
    for method in ["POST", "PUT", "PATCH", "DELETE"] {
        let got = caller.ask(&format!("{method} /p/status"), &[], b"");
        assert_eq!((got.status, got.header("Allow")), (405, Some("GET, HEAD")), "{method}");
    }
    let preflight = caller.ask("OPTIONS /p/status", &[], b"");
    assert_eq!((preflight.status, preflight.header("Allow")), (204, Some("GET, HEAD, OPTIONS")));
    caller.token = caller.token_for("view_test:p");
    let got = caller.get("/p/status");
    assert_eq!(got.status, 403);
    assert!(got.header("WWW-Authenticate").unwrap().contains("scope=\"manage_test:p\""), "{got:?}");
    caller.token = "not.a.token".to_owned();
    assert_eq!(caller.get("/p/status").status, 401);
}

#[test]
fn a_project_or_resource_named_status_works_as_any_other() {
    let mut caller = Caller::new();
    for project in ["status", "oauth", "health"] {
        caller.token = caller.token_for(&format!("manage_test:{project}"));
        let body = json!({"id": "status", "key": "status", "objectTypeProperty": {}});
        assert_eq!(caller.write(&format!("POST /{project}/resource"), &body).status, 201);
        for path in ["resource/status", "resource/key=status"] {
            assert_eq!(caller.get(&format!("/{project}/{path}")).json()["id"], "status", "{path}");
        }
        assert_eq!(caller.get(&format!("/{project}/status")).json()["resources"], 1);
    }
}

#[test]
fn a_status_request_is_counted_and_is_503_if_the_object_is_unavailable() {
    let caller = Caller::new();
    let limited = service(&json!({})).limited_by(Limiter::ALL.to_vec());
    let caller = Caller { service: limited, ..caller };
    caller.edge.limit.set(1);
    assert_eq!([caller.get("/p/status").status, caller.get("/p/status").status], [200, 429]);
    let caller = Caller::new();
    caller.edge.faults.objects.set(true);
    assert_eq!(caller.get("/p/status").status, 503);
}
