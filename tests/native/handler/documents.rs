//! `GET /{projectKey}/openapi.json`: the document of the project's resource, and the errors that it lists.

use std::rc::Rc;

use resource_edge::contract::api::endpoint::{DECLARED, Endpoint};
use resource_edge::contract::api::path;
use resource_edge::openapi;
use resource_edge::shape::Resources;

use super::*;

/// Returns a caller of a service with products in the projects `p` and `p2`, and suppliers in `s`.
fn shop() -> Caller {
    let of = |name: &str| json!({ "type": "string", "x-unique": name == "sku" });
    let object = |names: &[&str]| {
        let properties = names.iter().map(|name| ((*name).to_owned(), of(name)));
        json!({ "type": "object", "properties": properties.collect::<serde_json::Map<_, _>>() })
    };
    let content = json!({
        "resources": { "product": object(&["title", "sku"]), "supplier": object(&["name"]) },
        "projects": { "p*": "product", "s": "supplier" },
    });
    let mut caller = Caller::serving(&Rc::new(Resources::read(&content.to_string()).unwrap()));
    caller.token = caller.token_for("manage_test:p manage_test:p2");
    caller
}

/// Returns the response to a request without a token.
fn public(caller: &Caller, line: &str, headers: &[(&str, &str)]) -> Got {
    send(&caller.service, &caller.edge, &Sent::new(line, headers, ""))
}

#[test]
fn each_project_has_the_document_of_its_resource_without_a_token() {
    let caller = shop();
    for (project, name, fields) in
        [("p", "product", ["title", "sku"].as_slice()), ("s", "supplier", &["name"])]
    {
        let got = public(&caller, &format!("GET /{project}/openapi.json"), &[]);
        let document = got.json();
        assert_eq!((got.status, &document["x-resource"]["name"]), (200, &json!(name)), "{got:?}");
        let names = document["components"]["schemas"]["Resource"]["properties"].as_object().unwrap().keys();
        assert_eq!(names.skip(7).collect::<Vec<_>>(), fields, "{project}");
        assert_eq!(got.header("Cache-Control"), Some("public, max-age=300"));
        assert_eq!(got.header("Access-Control-Allow-Origin"), Some("*"));
    }
    let [plain, all] =
        ["/demo/openapi.json", "/openapi.json"].map(|path| public(&caller, &format!("GET {path}"), &[]));
    assert_eq!((plain.status, &plain.body, plain.header("ETag")), (200, &all.body, all.header("ETag")));
    assert_eq!(all.body, openapi::document(&resource_edge::shape::Shape::built_in()));
}

#[test]
fn a_caller_that_has_the_document_gets_304_and_head_has_no_body() {
    let caller = shop();
    for project in ["p", "s", "demo"] {
        let target = format!("/{project}/openapi.json");
        let first = public(&caller, &format!("GET {target}"), &[]);
        let etag = first.header("ETag").unwrap();
        for (line, condition, status) in [
            (format!("GET {target}"), etag.to_owned(), 304),
            (format!("GET {target}"), format!("\"x\", W/{etag}"), 304),
            (format!("GET {target}"), "\"x\"".to_owned(), 200),
            (format!("GET {target}"), "x".to_owned(), 400),
            (format!("HEAD {target}"), "\"x\"".to_owned(), 200),
            (format!("HEAD {target}"), etag.to_owned(), 304),
        ] {
            let got = public(&caller, &line, &[("If-None-Match", &condition)]);
            assert_eq!(got.status, status, "{line} {condition} {got:?}");
            assert_eq!(got.body.is_empty(), line.starts_with("HEAD") || status == 304, "{line} {condition}");
            assert!(status == 400 || got.header("ETag") == Some(etag), "{line} {condition}");
        }
    }
    let [product, supplier] =
        ["p", "s"].map(|project| public(&caller, &format!("GET /{project}/openapi.json"), &[]));
    assert_ne!(product.header("ETag"), supplier.header("ETag"));
}

#[test]
fn rules_open_calls_to_tokens_without_a_scope_and_reads_to_callers_without_a_token() {
    let security = |rules: Option<Value>, path: &str, method: &str| {
        let mut content = json!({ "resources": { "note": { "type": "object", "properties": {} } } });
        if let Some(rules) = rules {
            content["rules"] = json!({ "note": rules });
        }
        let caller = Caller::serving(&Rc::new(Resources::read(&content.to_string()).unwrap()));
        let document = public(&caller, "GET /p/openapi.json", &[]).json();
        document["paths"][format!("/{{projectKey}}/{path}")][method]["security"].as_array().unwrap().clone()
    };
    let (user, nobody) = (json!({ "bearer": [] }), json!({}));
    let limited = || Some(json!({ "read": "id is defined" }));
    let open = || Some(json!({ "anonymous": "id is defined" }));
    for (rules, path, method, expected) in [
        (None, "resource", "get", [false, false]),
        (limited(), "resource", "get", [true, false]),
        (open(), "resource", "get", [true, true]),
        (open(), "changes", "get", [true, true]),
        (open(), "resource", "post", [true, false]),
        (open(), "batch", "post", [true, false]),
        (open(), "export", "get", [false, false]),
    ] {
        let security = security(rules, path, method);
        assert_eq!(
            [&user, &nobody].map(|one| security.contains(one)),
            expected,
            "{method} {path}: {security:?}"
        );
    }
}

#[test]
fn a_wrong_project_key_or_method_is_refused() {
    let caller = shop();
    let got = public(&caller, "GET /a.b/openapi.json", &[]);
    assert_eq!((got.status, &got.json()["errors"][0]["parameter"]), (400, &json!("projectKey")));
    let got = public(&caller, "POST /p/openapi.json", &[]);
    assert_eq!((got.status, got.header("Allow")), (405, Some("GET, HEAD")));
    assert_eq!(public(&caller, "OPTIONS /p/openapi.json", &[]).header("Allow"), Some("GET, HEAD, OPTIONS"));
    // The paths of the interface are no documents.
    assert_eq!(public(&caller, "GET /p/resource/openapi.json", &[]).status, 401);
}

/// Returns what the document says about a status of an endpoint.
fn described(document: &Value, row: &Endpoint, status: u16) -> String {
    let operation = &document["paths"][&path::template(row.path)][row.method.name().to_lowercase()];
    let response = &operation["responses"][status.to_string()];
    match response["$ref"].as_str() {
        Some(target) => document.pointer(&target[1..]).unwrap()["description"].to_string(),
        None => response["description"].to_string(),
    }
}

#[test]
#[allow(clippy::too_many_lines, reason = "a table of cases")]
fn the_document_lists_the_errors_that_writes_of_a_declared_resource_get() {
    let caller = shop();
    for (key, sku) in [("one", "A"), ("two", "B")] {
        caller.create(&json!({"id": key, "key": key, "sku": sku}));
    }
    let document = public(&caller, "GET /p/openapi.json", &[]).json();
    let by_path = "POST /p/resource/artificially-complex/path/uri-parameter-one=a/b";
    let urn = "POST /p/resource/description-with-urn-links";
    let set = json!({"version": 1, "actions": [{"action": "setSku", "sku": "B"}]});
    let taken = || json!({"key": "one", "sku": "B"});
    let codes = [("DuplicateField", 400), ("ResourceNotFound", 404), ("InvalidOperation", 400)];
    // A body for each of the codes, or null.
    for (name, line, bodies) in [
        (
            "createOrUpdate",
            "POST /p/resource",
            [json!({"key": "x", "sku": "B"}), json!({"key": "x", "version": 1}), json!({"version": 1})],
        ),
        (
            "overwrite",
            "PATCH /p/resource",
            [
                json!({"key": "one", "version": 1, "sku": "B"}),
                json!({"key": "x", "version": 1}),
                json!({"version": 1}),
            ],
        ),
        (
            "createOrOverwrite",
            "PUT /p/resource",
            [json!({"key": "x", "version": 1, "sku": "B"}), Value::Null, json!({"version": 1})],
        ),
        ("updateByPath", by_path, [taken(), json!({"key": "x"}), json!({})]),
        ("updateWithUrnLinks", urn, [taken(), json!({"key": "x"}), json!({})]),
        ("updateById", "POST /p/resource/one", [set.clone(), Value::Null, Value::Null]),
        ("updateById", "POST /p/resource/x", [Value::Null, set, Value::Null]),
    ] {
        let row = DECLARED.iter().find(|row| row.name == name).unwrap();
        for (body, (code, status)) in bodies.iter().zip(codes).filter(|(body, _)| !body.is_null()) {
            let got = caller.write(line, body);
            assert_eq!(
                (got.status, &got.json()["errors"][0]["code"]),
                (status, &json!(code)),
                "{line} {got:?}"
            );
            assert!(row.errors().any(|listed| listed.wire() == code), "{name}: {code}");
            let about = described(&document, row, status);
            assert!(about.contains(code), "{name} {status}: {about}");
        }
    }
}

#[test]
fn what_a_declared_resource_cannot_get_is_not_listed() {
    let document = public(&shop(), "GET /p/openapi.json", &[]).json();
    let row = |name: &str| DECLARED.iter().find(|row| row.name == name).unwrap();
    assert_eq!(described(&document, row("createOrOverwrite"), 404), "null");
    assert_eq!(described(&document, row("updateByPath"), 201), "null");
}
