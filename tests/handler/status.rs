//! `GET /{projectKey}/status`: who may read it, and what it shows.

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
