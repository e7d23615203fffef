//! What a service does with the data of another shape (D41), and names that mean something elsewhere.

use super::*;
use crate::support::edge::service_of;
use crate::support::json::encoded;
use crate::support::schemas::Design;

const DAY: &str = "2026-01-31T00:00:00.000Z";

/// Returns a schema with these properties: each a name, and a type that may end with `[]`.
fn design(properties: &str) -> Design {
    let mut schema = json!({"type": "object", "properties": {}});
    for (name, kind) in properties.split(", ").filter_map(|property| property.split_once(' ')) {
        let single = json!({"type": kind.trim_end_matches("[]")});
        schema["properties"][name] =
            if kind.ends_with("[]") { json!({"type": "array", "items": single}) } else { single };
    }
    Design::of(schema)
}

fn of(properties: &str) -> Caller {
    Caller::of(&design(properties).shape)
}

fn keys(caller: &Caller, target: &str) -> Vec<String> {
    let got = caller.get(target);
    assert_eq!(got.status, 200, "{target} {got:?}");
    let results = got.json()["results"].as_array().unwrap().clone();
    results.iter().map(|one| one["key"].as_str().unwrap().to_owned()).collect()
}

/// Returns a query of the resources that satisfy a condition, in the order of creation.
fn selecting(condition: &str) -> String {
    format!("/p/resource?sort=createdAt&where={}", encoded(condition))
}

#[test]
fn names_that_mean_something_elsewhere_are_names() {
    // Keywords of predicates, orders, and searches, parameters, and members of every JavaScript object.
    let names = "and or in is contains all any defined empty matches ignore case within circle true false null asc desc \
                 range missing exists as to counting products facets text where limit set value query constructor \
                 toString hasOwnProperty then __proto__ custom objectTypeProperty";
    let long = "a".repeat(64);
    let names: Vec<&str> = names.split_whitespace().chain([long.as_str()]).collect();
    let caller = of(&names.iter().map(|name| format!("{name} string")).collect::<Vec<_>>().join(", "));
    let mut body = json!({"key": "one"});
    for name in &names {
        body[*name] = json!(format!("x {name}"));
    }
    let id = caller.create(&body)["id"].as_str().unwrap().to_owned();
    for (at, name) in names.iter().enumerate() {
        for condition in [
            format!("{name} = \"x {name}\""),
            format!("not ({name} != \"x {name}\") and {name} is defined and {name} in (\"x {name}\", \"y\")"),
            format!("{name} matches ignore case \"X {name}\" or {name} is not defined"),
        ] {
            assert_eq!(keys(&caller, &selecting(&condition)), ["one"], "{condition}");
        }
        for query in [
            format!("sort={}", encoded(name)),
            format!("sort={}", encoded(&format!("{name} desc"))),
            format!("filter={}", encoded(&format!("{name}:\"x {name}\""))),
            format!("filter={}", encoded(&format!("{name}:exists"))),
        ] {
            assert_eq!(keys(&caller, &format!("/p/resource/searchApiPattern?{query}")), ["one"], "{query}");
        }
        let facet = format!("/p/resource/searchApiPattern?facet={}", encoded(&format!("{name} as {name}")));
        let got = caller.get(&facet).json();
        assert_eq!(got["facets"][name]["terms"][0]["term"], format!("x {name}"), "{got}");
        let tag = format!("set{}{}", name[..1].to_uppercase(), &name[1..]);
        let update = json!({"version": at + 1, "actions": [{"action": tag, *name: "y"}]});
        let got = caller.write(&format!("POST /p/resource/{id}"), &update);
        assert_eq!((got.status, &got.json()[name]), (200, &json!("y")), "{got:?}");
    }
}

#[test]
fn the_instructions_for_agents_name_fields_in_predicates_that_are_valid() {
    for (kind, shown) in [
        ("string", "string"),
        ("integer", "integer"),
        ("number", "number"),
        ("boolean", "boolean"),
        ("string[]", "list of string"),
        ("number[]", "list of number"),
        ("boolean[]", "list of boolean"),
    ] {
        let caller = of(&format!("one {kind}, other string"));
        let instructions = caller.instructions();
        let (_, examples) = instructions.split_once("are like ").unwrap();
        let examples = examples.trim_end_matches('.');
        // The first of them compares a text.
        let text = if kind == "string" { "one" } else { "other" };
        assert!(examples.starts_with(&format!("{text} = ")), "{instructions}");
        let query = &caller.tools()[0];
        let about = query["inputSchema"]["properties"]["where"]["description"].as_str().unwrap();
        assert!(about.contains(&format!("one {shown}, other string, ")), "{about}");
        let (failed, result) =
            caller.tool("query", &json!({"where": examples.split(", ").collect::<Vec<_>>()}));
        assert!(!failed, "{examples}: {result}");
    }
}

#[test]
fn a_shape_may_change_in_any_way_and_a_record_keeps_its_bytes_until_its_next_write() {
    let mut caller = of("title string, price number, tags string[]");
    caller.create(&json!({"key": "plain"}));
    let created = caller.create(&json!({"key": "lamp", "title": "One", "price": 2, "tags": ["a", "b"]}));
    for properties in [
        "other string",
        "price number",
        "tags string[], price number, title string",
        "title number, price string, tags string",
        "title string[], price number[], tags integer[]",
        "more boolean, title string, price number, tags string[]",
    ] {
        let mut design = design(properties);
        for required in [false, true] {
            if required {
                let mut schema = (*design.schema.unwrap()).clone();
                schema["required"] = schema["properties"].as_object().unwrap().keys().cloned().collect();
                design = Design::of(schema);
            }
            caller.deploy(&design.shape);
            assert_eq!(caller.fresh("/p/resource/key=lamp").json(), created, "{properties}");
            assert_eq!(keys(&caller, &selecting("version = 1")), ["plain", "lamp"], "{properties}");
            assert_eq!(caller.fresh("/p/status").status, 200, "{properties}");
            let lines = caller.fresh("/p/export").body;
            assert!(lines.contains("\"key\":\"lamp\""), "{properties} {lines}");
        }
    }
}

#[test]
fn queries_read_the_values_that_have_the_present_type_of_their_field() {
    let mut caller = of("title string, price number, sizes integer[]");
    caller.create(&json!({"key": "one", "title": "7", "price": 7, "sizes": [1, 2]}));
    for (properties, holding, others) in [
        ("sizes integer[], price number", &["price = 7", "sizes = 2"][..], &["price is not defined"][..]),
        // The text is no number.
        ("title number", &["title is not defined"], &["title = 7", "title is defined"]),
        // An integer has the text of a number, and is one.
        ("price integer, sizes number[]", &["price = 7", "sizes > 1.5"], &["price < 7", "sizes is empty"]),
        ("price string", &["price is not defined"], &["price = \"7\""]),
        ("title string, price number, sizes integer[]", &["title = \"7\"", "sizes = 1"], &["price > 7"]),
    ] {
        caller.deploy(&design(properties).shape);
        for condition in holding {
            assert_eq!(keys(&caller, &selecting(condition)), ["one"], "{properties} {condition}");
        }
        for condition in others {
            assert_eq!(keys(&caller, &selecting(condition)), [""; 0], "{properties} {condition}");
        }
    }
    // The service without a field refuses its name.
    caller.deploy(&design("sizes integer[]").shape);
    let got = caller.get(&selecting("title = \"7\""));
    assert!(got.status == 400 && got.body.contains("title"), "{got:?}");
}

#[test]
fn a_write_removes_the_values_of_fields_that_the_shape_no_longer_has() {
    let mut caller = of("title string, price number");
    let first = caller.create(&json!({"key": "a", "title": "One", "price": 2}));
    caller.deploy(&design("price number, since string").shape);
    let refused = caller.write("POST /p/resource", &json!({"key": "a", "title": "x"}));
    assert_eq!(
        (refused.status, &refused.json()["errors"][0]["path"]),
        (400, &json!("/title")),
        "{refused:?}"
    );
    let id = first["id"].as_str().unwrap();
    let update = json!({"version": 1, "actions": [{"action": "setSince", "since": DAY}]});
    let got = caller.write(&format!("POST /p/resource/{id}"), &update).json();
    assert_eq!((got.get("title"), &got["price"], &got["since"]), (None, &json!(2), &json!(DAY)));
    // The field is empty if the shape has it again.
    caller.deploy(&design("title string, price number").shape);
    assert_eq!(keys(&caller, &selecting("title is not defined and price = 2")), ["a"]);
    let got = caller.write("POST /p/resource", &json!({"key": "a"})).json();
    assert_eq!((got.get("title"), &got["price"], got.get("since")), (None, &json!(2), None));
}

#[test]
fn no_page_has_a_resource_twice_whatever_types_its_values_had() {
    let page = |caller: &Caller, order: &str| {
        let target = format!("/p/resource?withTotal=false&limit=3&sort={}", encoded(order));
        let mut found = keys(caller, &target);
        found.sort();
        found.dedup();
        found.len()
    };
    let create = |caller: &Caller| {
        for (key, sizes) in [("a", [1, 2]), ("b", [3, 4]), ("c", [5, 6]), ("d", [7, 8])] {
            let got = caller.write("POST /p/resource", &json!({"key": key, "sizes": sizes}));
            assert!([201, 503].contains(&got.status), "{got:?}");
        }
    };
    let single = design("sizes integer").shape;
    for properties in ["sizes integer[]", "sizes number[]"] {
        // Arrays that were stored before the field became a single value.
        let mut caller = of(properties);
        create(&caller);
        caller.deploy(&single);
        assert_eq!((page(&caller, "sizes"), page(&caller, "sizes desc")), (3, 3), "{properties}");
        // Arrays of a service that has the shape before, while the object already has the new one.
        let mut caller = of(properties);
        let before = caller.edge.shape();
        caller.deploy(&single);
        caller.service = service_of(&before, &json!({}));
        create(&caller);
        caller.service = service_of(&single, &json!({}));
        if keys(&caller, "/p/resource").len() == 4 {
            assert_eq!(
                (page(&caller, "sizes"), page(&caller, "sizes desc")),
                (3, 3),
                "{properties} in a deployment"
            );
        }
    }
}
