//! The rules of a declared resource: each with its issue.

use serde_json::{Value, json};

use super::rules::issues;
use crate::shape::{Content, ObjectId, Shape};
use crate::test;
use crate::validate::resource_input;

fn shape() -> Shape {
    let schema = json!({
        "type": "object",
        "required": ["title", "price"],
        "properties": {
            "title": { "type": "string", "minLength": 1, "maxLength": 8 },
            "price": { "type": "number", "minimum": 0, "exclusiveMaximum": 100, "multipleOf": 0.01 },
            "status": { "enum": ["draft", "active"] },
            "sku": { "type": "string", "pattern": "^[A-Z]{2}-[0-9]+$" },
            "tags": { "type": "array", "items": { "type": "string", "minLength": 2 }, "uniqueItems": true, "maxItems": 3 },
            "size": { "type": "object", "properties": { "width": { "type": "integer", "minimum": 1 }, "unit": { "type": "string" } } },
            "variants": { "type": "array", "minItems": 1, "items": { "type": "object", "required": ["color"],
                "properties": { "color": { "type": "string" }, "stock": { "type": "integer" } } }, "uniqueItems": true },
            "supplier": { "type": "string", "format": "email" },
            "level": { "type": "integer", "enum": [1, 2] },
        },
    });
    Shape::of_schema(&schema.to_string()).unwrap()
}

/// Returns the issues of a body with these members, beside those that are required.
fn found(members: &Value) -> Vec<Value> {
    let shape = shape();
    let mut body = json!({ "title": "Lamp", "price": 40 });
    body.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
    let object = std::sync::Arc::clone(shape.object(ObjectId::Draft));
    issues(&object, &body.to_string())
}

#[test]
#[allow(clippy::too_many_lines, reason = "a table of cases")]
fn each_rule_has_its_sentence_its_reason_and_its_bounds() {
    for (members, message, members_of_issue) in [
        (
            json!({ "title": "" }),
            "Malformed field 'title': expected 1 to 8 characters, found \"\".",
            json!({ "reason": "length", "minLength": 1, "maxLength": 8 }),
        ),
        (
            json!({ "price": -1 }),
            "Malformed field 'price': expected a number of at least 0 and below 100, found -1.",
            json!({ "reason": "range", "minimum": 0, "exclusiveMaximum": 100 }),
        ),
        (
            json!({ "price": 0.015 }),
            "Malformed field 'price': expected a multiple of 0.01, found 0.015.",
            json!({ "reason": "multipleOf", "multipleOf": 0.01 }),
        ),
        (
            json!({ "status": "activ" }),
            "Malformed field 'status': expected one of 'draft', 'active', found \"activ\".",
            json!({ "reason": "enum", "allowedValues": ["draft", "active"], "suggestion": "active" }),
        ),
        (
            json!({ "level": 3 }),
            "Malformed field 'level': expected one of '1', '2', found 3.",
            json!({ "reason": "enum", "allowedValues": ["1", "2"], "suggestion": "1" }),
        ),
        (
            json!({ "sku": "a" }),
            "Malformed field 'sku': expected a text that matches ^[A-Z]{2}-[0-9]+$, found \"a\".",
            json!({ "reason": "pattern", "pattern": "^[A-Z]{2}-[0-9]+$" }),
        ),
        (
            json!({ "supplier": "a" }),
            "Malformed field 'supplier': expected a text of the format email, found \"a\".",
            json!({ "reason": "format", "expected": ["email"] }),
        ),
        (
            json!({ "tags": ["aa", "bb", "cc", "dd"] }),
            "Malformed field 'tags': expected at most 3 items, found 4.",
            json!({ "reason": "count", "maxItems": 3 }),
        ),
        (
            json!({ "variants": [] }),
            "Malformed field 'variants': expected at least 1 item, found 0.",
            json!({ "reason": "count", "minItems": 1 }),
        ),
        (
            json!({ "tags": ["aa", "a"] }),
            "Malformed item of 'tags': expected at least 2 characters, found \"a\".",
            json!({ "reason": "length", "minLength": 2, "path": "/tags/1" }),
        ),
        (
            json!({ "tags": ["aa", "bb", "aa"] }),
            "Malformed item of 'tags': expected an item that does not occur earlier, found \"aa\" again.",
            json!({ "reason": "notUnique", "path": "/tags/2" }),
        ),
        (
            json!({ "size": { "width": 0 } }),
            "Malformed field 'width': expected an integer from 1 to 9007199254740991, found 0.",
            json!({ "reason": "range", "path": "/size/width" }),
        ),
        (
            json!({ "variants": [{ "stock": 1 }] }),
            "The field 'color' is required.",
            json!({ "reason": "required", "path": "/variants/0/color" }),
        ),
        (
            json!({ "custom": "a" }),
            "Unknown field 'custom'.",
            json!({ "reason": "unknownField", "path": "/custom" }),
        ),
    ] {
        let issues = found(&members);
        assert_eq!(issues.len(), 1, "{issues:?}");
        assert_eq!(issues[0]["message"], message);
        for (name, value) in members_of_issue.as_object().unwrap() {
            assert_eq!(&issues[0][name], value, "{name}: {:?}", issues[0]);
        }
    }
}

#[test]
fn equal_objects_are_equal_in_any_order_of_their_members() {
    let variants = json!([{ "color": "red", "stock": 1 }, { "stock": 1.0, "color": "red" }]);
    assert_eq!(found(&json!({ "variants": variants }))[0]["path"], "/variants/1");
    assert!(found(&json!({ "variants": [{ "color": "red", "stock": 1 }, { "color": "red" }] })).is_empty());
}

#[test]
fn a_body_is_full_unless_it_names_a_version() {
    let shape = shape();
    let read = |id, body: &str| resource_input(&shape, id, body.as_bytes());
    for (id, body, is_valid) in [
        (ObjectId::Draft, r#"{"title":"a"}"#, false),
        (ObjectId::Draft, r#"{"title":"a","version":1}"#, true),
        (ObjectId::Draft, r#"{"title":null,"version":1}"#, false),
        (ObjectId::Draft, r#"{"title":"a","version":null}"#, false),
        (ObjectId::Overwrite, r#"{"title":"a","version":1}"#, false),
        (ObjectId::Complex, r#"{"sku":null}"#, true),
        (ObjectId::Complex, r#"{"title":null}"#, false),
    ] {
        assert_eq!(read(id, body).is_ok(), is_valid, "{body}");
    }
    let content = |id, body: &str| read(id, body).unwrap().content;
    assert_eq!(content(ObjectId::Complex, r#"{"sku":null}"#).get("sku"), Some("null"));
    assert_eq!(content(ObjectId::Draft, r#"{"sku":null,"version":1}"#).get("sku"), Some("null"));
    assert_eq!(content(ObjectId::Draft, r#"{"title":"a","price":1,"sku":null}"#).get("sku"), None);
}

#[test]
fn values_are_canonical() {
    let shape = shape();
    let body =
        br#"{ "price": 1.50, "size": {"unit":"mm","width":1e1}, "title": "\u0061", "tags": [ "aa" ,"bb"] }"#;
    let content = resource_input(&shape, ObjectId::Draft, body).unwrap().content;
    let values: Vec<(&str, &str)> = content.iter().collect();
    let expected = [
        ("price", "1.5"),
        ("size", r#"{"width":10,"unit":"mm"}"#),
        ("title", "\"a\""),
        ("tags", r#"["aa","bb"]"#),
    ];
    assert_eq!(values, expected);
}

#[test]
fn items_with_choices_are_compared_whole() {
    let choice = json!({ "enum": ["a", "b"] });
    let items = json!({ "type": "object", "properties": { "of": choice, "count": { "type": "integer" } } });
    let schema = json!({
        "type": "object",
        "properties": {
            "letters": { "type": "array", "items": choice, "uniqueItems": true },
            "parts": { "type": "array", "items": items, "uniqueItems": true },
        },
    });
    let shape = Shape::of_schema(&schema.to_string()).unwrap();
    for (body, path) in [
        (json!({ "letters": ["a", "b"] }), None),
        (json!({ "letters": ["a", "b", "a"] }), Some("/letters/2")),
        (json!({ "parts": [{ "of": "a", "count": 1 }, { "of": "b", "count": 1 }] }), None),
        (json!({ "parts": [{ "of": "a" }, { "of": "a" }] }), Some("/parts/1")),
    ] {
        let found = issues(shape.object(ObjectId::Draft), &body.to_string());
        let paths: Vec<&str> = found.iter().filter_map(|issue| issue["path"].as_str()).collect();
        assert_eq!(paths, path.into_iter().collect::<Vec<_>>(), "{body}");
        let stored = resource_input(&shape, ObjectId::Draft, body.to_string().as_bytes());
        assert_eq!(stored.is_ok(), path.is_none(), "{body}");
    }
}

#[test]
fn a_creation_may_lack_a_required_field_with_a_default() {
    let schema = json!({
        "type": "object",
        "required": ["status"],
        "properties": { "status": { "type": "string", "default": "draft" }, "note": { "type": "string" } },
    });
    let shape = Shape::of_schema(&schema.to_string()).unwrap();
    for (id, body, is_valid) in [
        (ObjectId::Draft, json!({}), true),
        (ObjectId::Draft, json!({ "status": null }), false),
        (ObjectId::Draft, json!({ "status": null, "version": 1 }), false),
        (ObjectId::Draft, json!({ "note": "a", "version": 1 }), true),
        (ObjectId::Overwrite, json!({ "version": 1 }), false),
        (ObjectId::Complex, json!({ "status": null }), false),
    ] {
        assert_eq!(issues(shape.object(id), &body.to_string()).is_empty(), is_valid, "{body}");
        assert_eq!(resource_input(&shape, id, body.to_string().as_bytes()).is_ok(), is_valid, "{body}");
    }
    let body = resource_input(&shape, ObjectId::Draft, b"{}").unwrap();
    assert_eq!(Content::created_by(&shape, &body.content).get("status"), Some("\"draft\""));
}
