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
    let by_path = "/p/resource/artificially-complex/path/uri-parameter-one=a/b";
    let urn = "/p/resource/description-with-urn-links";
    let set = json!({"version": 1, "actions": [{"action": "setSku", "sku": "B"}]});
    for (name, line, body, code, status) in [
        ("createOrUpdate", "POST /p/resource", json!({"key": "x", "sku": "B"}), "DuplicateField", 400),
        ("createOrUpdate", "POST /p/resource", json!({"key": "x", "version": 1}), "ResourceNotFound", 404),
        ("createOrUpdate", "POST /p/resource", json!({"version": 1}), "InvalidOperation", 400),
        (
            "overwrite",
            "PATCH /p/resource",
            json!({"key": "one", "version": 1, "sku": "B"}),
            "DuplicateField",
            400,
        ),
        ("overwrite", "PATCH /p/resource", json!({"key": "x", "version": 1}), "ResourceNotFound", 404),
        ("overwrite", "PATCH /p/resource", json!({"version": 1}), "InvalidOperation", 400),
        (
            "createOrOverwrite",
            "PUT /p/resource",
            json!({"key": "x", "version": 1, "sku": "B"}),
            "DuplicateField",
            400,
        ),
        ("createOrOverwrite", "PUT /p/resource", json!({"version": 1}), "InvalidOperation", 400),
        (
            "updateByPath",
            &format!("POST {by_path}"),
            json!({"key": "one", "sku": "B"}),
            "DuplicateField",
            400,
        ),
        ("updateByPath", &format!("POST {by_path}"), json!({"key": "x"}), "ResourceNotFound", 404),
        ("updateByPath", &format!("POST {by_path}"), json!({}), "InvalidOperation", 400),
        (
            "updateWithUrnLinks",
            &format!("POST {urn}"),
            json!({"key": "one", "sku": "B"}),
            "DuplicateField",
            400,
        ),
        ("updateWithUrnLinks", &format!("POST {urn}"), json!({"key": "x"}), "ResourceNotFound", 404),
        ("updateWithUrnLinks", &format!("POST {urn}"), json!({}), "InvalidOperation", 400),
        ("updateById", "POST /p/resource/one", set.clone(), "DuplicateField", 400),
        ("updateById", "POST /p/resource/x", set, "ResourceNotFound", 404),
    ] {
        let row = DECLARED.iter().find(|row| row.name == name).unwrap();
        let got = caller.write(line, &body);
        assert_eq!(
            (got.status, &got.json()["errors"][0]["code"]),
            (status, &json!(code)),
            "{line} {body} {got:?}"
        );
        assert!(row.errors().any(|listed| listed.wire() == code), "{name}: {code}");
        let about = described(&document, row, status);
        assert!(about.contains(code), "{name} {status}: {about}");
    }
}

#[test]
fn what_a_declared_resource_cannot_get_is_not_listed() {
    let document = public(&shop(), "GET /p/openapi.json", &[]).json();
    let row = |name: &str| DECLARED.iter().find(|row| row.name == name).unwrap();
    assert_eq!(described(&document, row("createOrOverwrite"), 404), "null");
    assert_eq!(described(&document, row("updateByPath"), 201), "null");
}
