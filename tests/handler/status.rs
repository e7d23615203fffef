//! `GET /{projectKey}/status`: who may read it, and what it shows.

use resource_edge::server::platform::Limiter;

use super::*;

#[test]
fn a_project_or_resource_named_status_works_as_any_other() {
    let mut caller = Caller::new();
    for project in ["status", "oauth", "health", "export", "import"] {
        caller.token = caller.token_for(&format!("manage_test:{project}"));
        let body = json!({"id": project, "key": project, "objectTypeProperty": {}});
        assert_eq!(caller.write(&format!("POST /{project}/resource"), &body).status, 201);
        for path in ["resource/", "resource/key="] {
            assert_eq!(caller.get(&format!("/{project}/{path}{project}")).json()["id"], project, "{path}");
        }
        assert_eq!(caller.get(&format!("/{project}/export")).body.lines().count(), 2);
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
