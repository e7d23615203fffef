//! The bodies of errors in the specification, section 10, are the service's.

use crate::language::Example;
use crate::{page, section};

/// Returns whether the text has the form, in which `…` is any text.
fn has_form(text: &str, form: &str) -> bool {
    let mut parts = form.split('…');
    let Some(mut rest) = parts.next().and_then(|first| text.strip_prefix(first)) else { return false };
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.is_empty()
}

#[test]
fn the_shapes_of_errors_are_the_services() {
    assert!(has_form("abcd", "a…d") && has_form("a", "a"));
    assert!(!has_form("ab", "a") && !has_form("abc", "a…b"));
    let language = page("language.md");
    let send = |example: &Example, method: &str, target: &str, body: &str| {
        example.send(method, target, "application/json", body).body
    };
    let update = r#"{"version":2,"actions":[{"action":"doSomeThing"}]}"#;
    let example = Example::new(&language);
    let mut found = vec![
        send(&example, "GET", "/demo/resource/none", ""),
        send(&example, "POST", "/demo/resource/a", update),
        send(&example, "POST", "/demo/resource", "{"),
        send(&example, "GET", "/demo/resource?limit=501", ""),
    ];
    let example = example.with_scope("view_test");
    found.insert(0, send(&example, "POST", "/demo/resource", "{}"));
    found.insert(0, send(&example.with_token("wrong"), "GET", "/demo/resource", ""));

    let page = page("specification.md");
    let block = section(&page, "## 10. Exact shapes").split("```json\n").nth(1).unwrap();
    let forms: Vec<&str> = block.split("```").next().unwrap().lines().collect();
    assert_eq!(forms.len(), found.len());
    for (body, form) in found.iter().zip(forms) {
        assert!(has_form(body, form), "{body}\nis not\n{form}");
    }
}
