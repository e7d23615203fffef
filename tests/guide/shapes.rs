//! The bodies of errors in the specification, section 10, are the service's.

use crate::guide::language::Example;
use crate::guide::{page, section};

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
fn the_documented_errors_have_the_members_of_the_services_errors() {
    assert!(has_form("abcd", "a…d") && has_form("a", "a"));
    assert!(!has_form("ab", "a") && !has_form("abc", "a…b"));
    let language = page("language.md");
    let update = r#"{"version":2,"actions":[{"action":"doSomeThing"}]}"#;
    let Example(mut caller) = Example::new(&language);
    let mut found: Vec<String> = [
        ("GET /demo/resource/none", ""),
        ("POST /demo/resource/a", update),
        ("POST /demo/resource", "{"),
        ("GET /demo/resource?limit=501", ""),
    ]
    .into_iter()
    .map(|(line, body)| caller.ask(line, &[], body.as_bytes()).body)
    .collect();
    caller.token = caller.token_for("view_test:demo");
    found.insert(0, caller.ask("POST /demo/resource", &[], b"{}").body);
    "wrong".clone_into(&mut caller.token);
    found.insert(0, caller.get("/demo/resource").body);

    let page = page("specification.md");
    let block = section(&page, "## 10. Exact shapes").split("```json\n").nth(1).unwrap();
    let forms: Vec<&str> = block.split("```").next().unwrap().lines().collect();
    assert_eq!(forms.len(), found.len());
    for (body, form) in found.iter().zip(forms) {
        assert!(has_form(body, form), "{body}\nis not\n{form}");
    }
}
