//! The bodies of errors in the specification, section 10, are the service's.

use crate::native::guide::language::Example;
use crate::native::guide::{page, section};
use crate::support::json::like;

#[test]
fn the_documented_errors_have_the_members_of_the_services_errors() {
    let language = page("use/language.md");
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

    let page = page("use/specification.md");
    let block = section(&page, "## 10. Exact shapes").split("```json\n").nth(1).unwrap();
    let forms: Vec<&str> = block.split("```").next().unwrap().lines().collect();
    assert_eq!(forms.len(), found.len());
    for (body, form) in found.iter().zip(forms) {
        assert!(like(&form.replace('…', "*"), body), "{body}\nis not\n{form}");
    }
}
