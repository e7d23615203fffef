//! The access that the scopes of a token allow.

use super::*;
use crate::test;

#[test]
fn scopes_allow_only_their_project_and_access() {
    let (auth, platform) = (both(), Fake::new());
    let claims =
        |scope: &str| ask(&auth, &platform, &issued(&auth, &format!(",\"scope\":\"{scope}\""))).unwrap();
    for (scope, project, reads, writes) in [
        ("manage_test:demo", "demo", true, true),
        ("view_test:demo", "demo", true, false),
        ("view_test:demo manage_test:b", "demo", true, false),
        (" openid  view_test:demo x", "demo", true, false),
        ("manage_test:demo", "Demo", false, false),
        ("manage_test:demo", "dem", false, false),
        ("manage_test:demo2", "demo", false, false),
        ("manage_test:*", "demo", false, false),
        ("manage_test:*", "*", false, false),
        ("manage_test", "demo", false, false),
        ("manage_test:", "", false, false),
        ("manage_test:a b", "a b", false, false),
        ("manage_test:demo:x", "demo", false, false),
        ("MANAGE_TEST:demo", "demo", false, false),
        ("manage_test:demo\\tview_test:demo", "demo", false, false),
        ("", "demo", false, false),
    ] {
        let claims = claims(scope);
        assert_eq!(authorize(&claims, Access::Read, project).is_ok(), reads, "{scope} {project}");
        assert_eq!(authorize(&claims, Access::Write, project).is_ok(), writes, "{scope} {project}");
    }
    let none = ask(&auth, &platform, &issued(&auth, "")).unwrap();
    assert_eq!(authorize(&none, Access::Read, "demo").unwrap_err().status(), 403);
}

#[test]
fn a_missing_scope_is_403_and_names_what_would_do() {
    let (auth, platform) = (both(), Fake::new());
    let claims = ask(&auth, &platform, &good(&auth)).unwrap();
    let write = authorize(&claims, Access::Write, "demo").unwrap_err();
    let message = "Insufficient scope. One of the following scopes is missing: manage_test.";
    assert_eq!(
        write.to_json(),
        format!(
            "{{\"statusCode\":403,\"message\":\"{message}\",\"errors\":[{{\"code\":\"insufficient_scope\",\
             \"message\":\"{message}\",\"scopes\":[\"manage_test\"]}}],\"error\":\"insufficient_scope\",\"error_description\":\"{message}\"}}"
        )
    );
    assert_eq!(
        write.challenge.as_deref(),
        Some("Bearer error=\"insufficient_scope\", scope=\"manage_test:demo\"")
    );
    let read = authorize(&claims, Access::Read, "other").unwrap_err();
    assert_eq!(
        read.message(),
        "Insufficient scope. One of the following scopes is missing: manage_test, view_test."
    );
    assert_eq!(
        read.challenge.as_deref(),
        Some("Bearer error=\"insufficient_scope\", scope=\"view_test:other\"")
    );
    let odd = authorize(&claims, Access::Read, "a\", x=\"\r\n").unwrap_err();
    assert_eq!(odd.challenge.as_deref(), Some("Bearer error=\"insufficient_scope\""));
}
