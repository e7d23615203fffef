//! `fields`: responses with some of the fields of a declared resource, from KV and from the object, and of agents.

use std::rc::Rc;

use super::*;
use crate::support::random::Random;
use resource_edge::shape::Resources;

fn shop() -> Caller {
    let size = json!({ "type": "object", "properties": {
        "width": { "type": "number" },
        "unit": { "type": "string" },
        "inner": { "type": "object", "properties": { "depth": { "type": "number" } } },
    } });
    let product = json!({ "type": "object", "required": ["title"], "properties": {
        "title": { "type": "string" },
        "price": { "type": "number" },
        "size": size,
        "parts": { "type": "array", "items": size },
        "tags": { "type": "array", "items": { "type": "string" } },
    } });
    let content = json!({ "resources": { "product": product }, "projects": { "p": "product" } });
    Caller::serving(&Rc::new(
        Resources::read(&content.to_string()).unwrap_or_else(|wrong| panic!("{wrong:?}")),
    ))
}

fn lamp() -> Value {
    json!({ "id": "a", "key": "lamp", "title": "\"L\", [ä}", "price": 4, "tags": ["x"],
        "size": { "width": 2.5, "unit": "cm", "inner": { "depth": 1 } },
        "parts": [{ "width": 1, "inner": { "depth": 2 } }, { "unit": "in" }, { "inner": {} }] })
}

fn content(got: &Got) -> Value {
    let mut body = got.json();
    assert_eq!(got.status, 200, "{got:?}");
    for name in ["id", "version", "key", "createdAt", "lastModifiedAt"] {
        assert!(body.as_object_mut().unwrap().remove(name).is_some(), "{name}: {got:?}");
    }
    body
}

#[test]
fn a_path_leads_into_objects_and_into_each_item_of_a_list() {
    let caller = shop();
    caller.create(&lamp());
    for (fields, expected) in [
        ("size.width", json!({ "size": { "width": 2.5 } })),
        ("size.inner.depth,size.unit", json!({ "size": { "unit": "cm", "inner": { "depth": 1 } } })),
        ("parts.inner.depth", json!({ "parts": [{ "inner": { "depth": 2 } }, {}, { "inner": {} }] })),
        ("parts.inner,parts", json!({ "parts": lamp()["parts"] })),
        ("tags,title", json!({ "title": lamp()["title"], "tags": ["x"] })),
        ("version", json!({})),
    ] {
        for path in ["a", "key=lamp"] {
            let target = format!("/p/resource/{path}?fields={fields}");
            assert_eq!(content(&caller.get(&target)), expected, "{fields}");
            assert_eq!(content(&caller.fresh(&target)), expected, "{fields}");
        }
    }
}

#[test]
fn an_unknown_field_names_those_of_the_resource() {
    let error = |fields: &str| {
        let got = shop().get(&format!("/p/resource/a?fields={fields}"));
        assert_eq!(got.status, 400, "{got:?}");
        got.json()["errors"][0].clone()
    };
    assert_eq!(error("titel")["suggestion"], "title");
    assert_eq!(error("size.x")["allowedValues"], json!(["width", "unit", "inner"]));
    assert_eq!(error("custom")["reason"], "unknownField");
    assert_eq!(error("title.x")["field"], "title.x");
}

#[test]
fn the_parts_of_a_page_are_those_of_each_resource_in_its_order() {
    let caller = shop();
    for at in 0..3 {
        caller.create(&json!({ "key": format!("k{at}"), "title": format!("t{at}"), "price": 9 - at }));
    }
    let page = caller.get("/p/resource?fields=title&sort=price&limit=2&where=price%3E0").json();
    let parts: Vec<_> =
        page["results"].as_array().unwrap().iter().map(|one| (&one["title"], &one["price"])).collect();
    let (second, first) = (json!("t1"), json!("t2"));
    assert_eq!((parts, &page["total"]), (vec![(&first, &Value::Null), (&second, &Value::Null)], &json!(3)));
}

#[test]
fn an_agent_reads_only_the_fields_that_it_names() {
    let caller = shop();
    caller.create(&lamp());
    let call = |tool: &str, arguments: Value| caller.tool(tool, &arguments).1;
    let part = json!({ "price": 4, "size": { "width": 2.5 } });
    for fields in [json!(["price", "size.width"]), json!("price,size.width")] {
        let got = call("get", json!({ "key": "lamp", "fields": fields }));
        assert_eq!(
            (&got["price"], &got["size"], &got["title"]),
            (&part["price"], &part["size"], &Value::Null)
        );
        for tool in ["query", "search"] {
            let page = call(tool, json!({ "fields": fields, "limit": 1 }));
            assert_eq!(page["results"][0], got, "{tool}");
        }
    }
}

#[test]
fn the_parts_of_a_resource_are_those_of_its_value_whatever_the_fields_are() {
    let caller = shop();
    caller.create(&lamp());
    let whole = content(&caller.get("/p/resource/a"));
    let random = Random::new(7);
    let all = [
        "title",
        "price",
        "tags",
        "size",
        "size.width",
        "size.inner",
        "size.inner.depth",
        "parts.unit",
        "parts.inner",
    ];
    for _ in 0..100 {
        let chosen: Vec<&str> = all.into_iter().filter(|_| random.chance(250)).collect();
        let target = format!("/p/resource/a?fields={}", [&["id"], &*chosen].concat().join(","));
        assert_eq!(content(&caller.get(&target)), selected(&whole, &chosen), "{chosen:?}");
    }
}

/// Returns the members that the paths name, by values.
fn selected(value: &Value, paths: &[&str]) -> Value {
    match value {
        Value::Array(items) => items.iter().map(|item| selected(item, paths)).collect(),
        Value::Object(members) => {
            let part = |(name, value): (&String, &Value)| {
                if paths.contains(&name.as_str()) {
                    return Some((name.clone(), value.clone()));
                }
                let inside =
                    paths.iter().filter_map(|path| path.strip_prefix(name.as_str())?.strip_prefix('.'));
                let inside: Vec<&str> = inside.collect();
                (!inside.is_empty()).then(|| (name.clone(), selected(value, &inside)))
            };
            Value::Object(members.iter().filter_map(part).collect())
        }
        other => other.clone(),
    }
}
