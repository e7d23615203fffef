//! Own fields: bodies, actions, queries, searches, and what a service with another table does with the data.

use super::*;
use crate::support::edge::service_of;
use crate::support::json::encoded;
use crate::support::own_fields::{Table, kinds};

const TABLE: &str = "title text\nprice number\nstock integer\nvisible boolean\nsince datetime\ntags text[]\n\
                     sizes integer[]\nrates number[]\nflags boolean[]\ndays datetime[]\n";

const DAY: &str = "2026-01-31T00:00:00.000Z";

fn chair() -> Value {
    json!({
        "key": "chair", "objectTypeProperty": {}, "custom": "c", "title": "Green Chair", "price": 49.5, "stock": 3,
        "visible": true, "since": DAY, "tags": ["wood", "Green"], "sizes": [1, 2], "rates": [0.5, 0.25],
        "flags": [true, false], "days": [DAY],
    })
}

/// Returns a caller of a service with these own fields.
fn of(table: &str) -> Caller {
    Caller::of(&Table::of(table).shape())
}

fn keys(caller: &Caller, target: &str) -> Vec<String> {
    let got = caller.get(target);
    assert_eq!(got.status, 200, "{target} {got:?}");
    let results = got.json()["results"].as_array().unwrap().clone();
    results.iter().map(|one| one["key"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn values_of_own_fields_are_stored_returned_and_kept() {
    let caller = of(TABLE);
    let created = caller.create(&chair());
    for (name, value) in chair().as_object().unwrap() {
        if name != "objectTypeProperty" {
            assert_eq!(created[name], *value, "{name}");
        }
    }
    assert_eq!(caller.fresh("/p/resource/key=chair").json(), created);
    // A write without a field keeps it; an empty array replaces it.
    let body = json!({"key": "chair", "objectTypeProperty": {}, "price": null, "tags": [], "title": "Chair"});
    let got = caller.write("POST /p/resource", &body).json();
    assert_eq!((&got["title"], &got["price"], &got["tags"]), (&json!("Chair"), &json!(49.5), &json!([])));
    let path = "POST /p/resource/description-with-urn-links";
    assert!(caller.write(path, &json!({"key": "chair", "stock": 7})).status < 300);
    let got = caller.fresh("/p/resource/key=chair").json();
    assert_eq!((&got["stock"], &got["title"]), (&json!(7), &json!("Chair")));
    // Without values, arrays are empty and other fields absent.
    let plain = caller.create(&json!({"key": "plain", "objectTypeProperty": {}}));
    assert_eq!((plain.get("title"), &plain["days"]), (None, &json!([])));
}

#[test]
fn wrong_values_of_own_fields_are_issues_with_their_places() {
    let caller = of(TABLE);
    let body = json!({
        "objectTypeProperty": {}, "title": 1, "price": "x", "stock": 1.5, "visible": 0, "since": "2026",
        "tags": ["a", 1], "sizes": [1, 2.5], "titel": "x",
    });
    let got = caller.write("POST /p/resource", &body);
    assert_eq!(got.status, 400, "{got:?}");
    let errors = got.json()["errors"].as_array().unwrap().clone();
    let found: Vec<&str> = errors.iter().map(|error| error["path"].as_str().unwrap()).collect();
    let expected = ["/title", "/price", "/stock", "/visible", "/since", "/tags/1", "/sizes/1", "/titel"];
    assert_eq!(found, expected, "{errors:?}");
    assert_eq!(errors[7]["suggestion"], "title");
}

#[test]
fn an_action_sets_an_own_field_or_removes_its_value() {
    let caller = of(TABLE);
    let id = caller.create(&chair())["id"].as_str().unwrap().to_owned();
    let update = |version: u64, actions: Value| {
        caller.write(&format!("POST /p/resource/{id}"), &json!({"version": version, "actions": actions}))
    };
    let actions = json!([
        {"action": "setTitle", "title": "Blue"}, {"sizes": [5, 4], "action": "setSizes"},
        {"action": "changeSomeProperty", "someProperty": "x"}, {"action": "setVisible", "visible": false},
        {"action": "setTitle", "title": "Red"}, {"action": "setPrice"}, {"action": "setSince", "since": null},
        {"action": "setTags", "tags": []},
    ]);
    let got = update(1, actions).json();
    assert_eq!(
        (&got["title"], &got["sizes"], &got["visible"]),
        (&json!("Red"), &json!([5, 4]), &json!(false))
    );
    assert_eq!((got.get("price"), got.get("since"), &got["tags"]), (None, None, &json!([])));
    assert_eq!((&got["someProperty"], &got["stock"]), (&json!("x"), &json!(3)));
    assert_eq!(
        keys(&caller, &format!("/p/resource?where={}", encoded("title = \"Red\" and price is not defined"))),
        ["chair"]
    );
    for (action, path) in [
        (json!({"action": "setTitle", "title": 1}), "/actions/0/title"),
        (json!({"action": "setTitle", "price": 1}), "/actions/0/price"),
        (json!({"action": "setTitel"}), "/actions/0/action"),
    ] {
        let got = update(2, json!([action]));
        assert_eq!((got.status, &got.json()["errors"][0]["path"]), (400, &json!(path)), "{got:?}");
    }
}

/// Returns a caller with three resources: a chair, a table, and one without values.
fn shop() -> Caller {
    let caller = of(TABLE);
    caller.create(&chair());
    caller.create(
        &json!({"key": "table", "objectTypeProperty": {}, "title": "blue table", "price": 120, "stock": 0,
        "visible": false, "since": "2025-01-31T00:00:00.000Z", "tags": ["wood"], "sizes": [7]}),
    );
    caller.create(&json!({"key": "none", "objectTypeProperty": {}}));
    caller
}

#[test]
fn predicates_compare_own_fields() {
    let caller = shop();
    for (condition, expected) in [
        ("title = \"Green Chair\"", &["chair"][..]),
        ("title matches ignore case \"BLUE TABLE\"", &["table"]),
        ("title > \"a\"", &["table"]),
        ("price > 100", &["table"]),
        ("price in (49.5, 1)", &["chair"]),
        ("stock >= 0", &["chair", "table"]),
        ("visible = false", &["table"]),
        ("visible != true", &["table", "none"]),
        ("since > \"2025-06-01T00:00:00.000Z\"", &["chair"]),
        ("tags contains all (\"wood\", \"Green\")", &["chair"]),
        ("sizes = 7", &["table"]),
        ("rates < 0.3", &["chair"]),
        ("flags = true", &["chair"]),
        ("days is not empty", &["chair"]),
        ("title is not defined", &["none"]),
    ] {
        let target = format!("/p/resource?sort=createdAt&where={}", encoded(condition));
        assert_eq!(keys(&caller, &target), expected, "{condition}");
    }
}

#[test]
fn orders_and_searches_read_own_fields() {
    let caller = shop();
    for (sort, expected) in [
        ("price desc", ["table", "chair", "none"]),
        ("title asc", ["chair", "table", "none"]),
        ("since", ["table", "chair", "none"]),
    ] {
        assert_eq!(keys(&caller, &format!("/p/resource?sort={}", encoded(sort))), expected, "{sort}");
    }
    let got = caller.get(&format!("/p/resource?where={}", encoded("prise = 1")));
    assert!(got.status == 400 && got.body.contains("Did you mean 'price'?"), "{got:?}");
    let search = "/p/resource/searchApiPattern?";
    assert_eq!(keys(&caller, &format!("{search}text.en=chair")), ["chair"]);
    assert_eq!(keys(&caller, &format!("{search}filter={}", encoded("price:range(100 to 200)"))), ["table"]);
    let got = caller.get(&format!("{search}facet=tags&limit=1")).json();
    let terms = &got["facets"]["tags"]["terms"];
    assert_eq!((&terms[0]["term"], &terms[0]["count"]), (&json!("wood"), &json!(2)), "{got}");
}

#[test]
fn names_that_mean_something_elsewhere_are_names() {
    // Keywords of predicates, orders, and searches, parameters, and members of every JavaScript object.
    let names = "and or in is contains all any defined empty matches ignore case within circle true false null asc desc \
                 range missing exists as to counting products facets text where limit set value query constructor \
                 toString hasOwnProperty then";
    let long = "a".repeat(64);
    let names: Vec<&str> = names.split_whitespace().chain([long.as_str()]).collect();
    let caller = of(&names.iter().flat_map(|name| [*name, " text\n"]).collect::<String>());
    let mut body = json!({"key": "one", "objectTypeProperty": {}});
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
            assert_eq!(
                keys(&caller, &format!("/p/resource?where={}", encoded(&condition))),
                ["one"],
                "{condition}"
            );
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
fn the_tools_of_agents_have_own_fields_and_their_actions() {
    let caller = of(TABLE);
    let parsed = |lines: String| -> Vec<Value> {
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let schemas = parsed(resource_edge::openapi::own_types());
    let schema = |kind: &str| schemas[kinds().iter().position(|known| known == kind).unwrap()].clone();
    let table = Table::of(TABLE);
    let expected: Vec<(String, Value)> =
        table.fields().map(|(name, kind)| (name.to_owned(), schema(kind))).collect();
    let actions =
        ["setTitle", "setPrice", "setStock", "setVisible", "setSince", "setTags", "setSizes", "setRates"];
    let (mut tools, mut count) = (caller.tools(), 0);
    for tool in &mut tools {
        let body = "/inputSchema/properties/body";
        let item = format!("{body}/properties/actions/items");
        let is_update = tool.pointer(&item).is_some();
        let Some(object) = tool.pointer_mut(if is_update { &item } else { body }) else { continue };
        let members = object["properties"].as_object_mut().unwrap();
        // They are the last ones.
        let own = members.iter().skip(members.len() - expected.len());
        let own: Vec<(String, Value)> = own.map(|(name, schema)| (name.clone(), schema.clone())).collect();
        assert_eq!(own, expected, "{}", tool["name"]);
        members.retain(|name, _| own.iter().all(|(own, _)| own != name));
        if is_update {
            let names = members["action"]["enum"].as_array_mut().unwrap();
            assert!(actions.iter().all(|action| names.contains(&json!(action))), "{names:?}");
            names.truncate(names.len() - expected.len());
            count += 1;
        }
    }
    // The rest is as without own fields.
    assert_eq!((tools, count), (parsed(resource_edge::openapi::tools()), 1));
    let draft = &caller.tool("createOrUpdate", &json!({"body": chair()})).1;
    let actions = json!([{"action": "setTitle", "title": "Blue Chair"}, {"action": "setPrice"}]);
    let arguments = json!({"id": draft["id"], "body": {"version": 1, "actions": actions}});
    let (failed, updated) = caller.tool("updateById", &arguments);
    assert_eq!((failed, &updated["title"], updated.get("price")), (false, &json!("Blue Chair"), None));
}

#[test]
fn the_instructions_for_agents_name_the_own_fields_in_predicates_that_are_valid() {
    for kind in kinds().into_iter().chain([String::new()]) {
        let table = if kind.is_empty() { String::new() } else { format!("one {kind}\nother text\n") };
        let caller = of(&table);
        let instructions = caller.instructions();
        let (_, examples) = instructions.split_once("are like ").unwrap();
        let (examples, rest) = examples.split_once(" is defined.").unwrap();
        let examples = format!("{examples} is defined");
        let is_own = !kind.is_empty();
        assert_eq!(examples.starts_with("one "), is_own, "{instructions}");
        assert_eq!(rest.contains(&format!("one {kind}, other text.")), is_own);
        assert_eq!(rest.contains("such as setOne,"), is_own);
        let (failed, result) =
            caller.tool("query", &json!({"where": examples.split(", ").collect::<Vec<_>>()}));
        assert!(!failed, "{examples}: {result}");
    }
}

/// Returns a query of the resources that satisfy a condition, in the order of creation.
fn selecting(condition: &str) -> String {
    format!("/p/resource?sort=createdAt&where={}", encoded(condition))
}

#[test]
fn a_table_may_change_in_any_way_and_a_record_keeps_its_bytes_until_its_next_write() {
    let mut caller = of("title text\nprice number\ntags text[]\n");
    caller.create(&json!({"key": "plain", "objectTypeProperty": {}}));
    let body =
        json!({"key": "lamp", "title": "One", "price": 2, "tags": ["a", "b"], "objectTypeProperty": {}});
    let created = caller.create(&body);
    for table in [
        "",
        "price number\n",
        "tags text[]\nprice number\ntitle text\n",
        "title number\nprice text\ntags text\n",
        "title text[]\nprice number[]\ntags integer[]\n",
        "more boolean\ntitle text\nprice number\ntags text[]\n",
    ] {
        caller.deploy(&Table::of(table).shape());
        assert_eq!(caller.fresh("/p/resource/key=lamp").json(), created, "{table}");
        assert_eq!(keys(&caller, &selecting("version = 1")), ["plain", "lamp"], "{table}");
        assert_eq!(caller.fresh("/p/status").status, 200, "{table}");
        let lines = caller.fresh("/p/export").body;
        assert!(lines.contains("\"key\":\"lamp\""), "{table} {lines}");
    }
}

#[test]
fn queries_read_the_values_that_have_the_present_type_of_their_field() {
    let mut caller = of("title text\nprice number\nsizes integer[]\n");
    let body = json!({"key": "one", "title": "7", "price": 7, "sizes": [1, 2], "objectTypeProperty": {}});
    caller.create(&body);
    for (table, holding, others) in [
        ("sizes integer[]\nprice number\n", &["price = 7", "sizes = 2"][..], &["price is not defined"][..]),
        // The text is no number.
        ("title number\n", &["title is not defined"], &["title = 7", "title is defined"]),
        // An integer has the text of a number, and is one.
        ("price integer\nsizes number[]\n", &["price = 7", "sizes > 1.5"], &["price < 7", "sizes is empty"]),
        ("price text\n", &["price is not defined"], &["price = \"7\""]),
        ("title text\nprice number\nsizes integer[]\n", &["title = \"7\"", "sizes = 1"], &["price > 7"]),
    ] {
        caller.deploy(&Table::of(table).shape());
        for condition in holding {
            assert_eq!(keys(&caller, &selecting(condition)), ["one"], "{table} {condition}");
        }
        for condition in others {
            assert_eq!(keys(&caller, &selecting(condition)), [""; 0], "{table} {condition}");
        }
    }
    // The service without a field refuses its name.
    caller.deploy(&Table::of("sizes integer[]\n").shape());
    let got = caller.get(&selecting("title = \"7\""));
    assert!(got.status == 400 && got.body.contains("title"), "{got:?}");
}

#[test]
fn a_write_removes_the_values_of_fields_that_the_table_no_longer_has() {
    let mut caller = of("title text\nprice number\n");
    let first = caller.create(&json!({"key": "a", "title": "One", "price": 2, "objectTypeProperty": {}}));
    caller.deploy(&Table::of("price number\nsince datetime\n").shape());
    let refused =
        caller.write("POST /p/resource", &json!({"key": "a", "title": "x", "objectTypeProperty": {}}));
    assert_eq!(
        (refused.status, &refused.json()["errors"][0]["path"]),
        (400, &json!("/title")),
        "{refused:?}"
    );
    let id = first["id"].as_str().unwrap();
    let update = json!({"version": 1, "actions": [{"action": "setSince", "since": DAY}]});
    let got = caller.write(&format!("POST /p/resource/{id}"), &update).json();
    assert_eq!((got.get("title"), &got["price"], &got["since"]), (None, &json!(2), &json!(DAY)));
    // The field is empty if the table has it again.
    caller.deploy(&Table::of("title text\nprice number\n").shape());
    assert_eq!(keys(&caller, &selecting("title is not defined and price = 2")), ["a"]);
    let got = caller.write("POST /p/resource", &json!({"key": "a", "objectTypeProperty": {}})).json();
    assert_eq!((got.get("title"), &got["price"], got.get("since")), (None, &json!(2), None));
}

#[test]
fn two_projects_of_one_process_have_their_own_tables() {
    let [one, other] = ["title text\n", "price number\ntitle integer\n"].map(of);
    let body = |title: Value| json!({"key": "a", "title": title, "objectTypeProperty": {}});
    assert_eq!(one.create(&body(json!("x")))["title"], "x");
    assert_eq!(other.create(&body(json!(7)))["title"], 7);
    assert_eq!(one.write("POST /p/resource", &body(json!(7))).status, 400);
    assert_eq!(other.write("POST /p/resource", &body(json!("x"))).status, 400);
    assert_eq!(keys(&one, &selecting("title = \"x\"")), ["a"]);
    assert_eq!(keys(&other, &selecting("title > 6")), ["a"]);
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
            let body = json!({"key": key, "sizes": sizes, "objectTypeProperty": {}});
            let got = caller.write("POST /p/resource", &body);
            assert!([201, 503].contains(&got.status), "{got:?}");
        }
    };
    let single = Table::of("sizes integer\n").shape();
    for table in ["sizes integer[]\n", "sizes number[]\n"] {
        // Arrays that were stored before the field became a single value.
        let mut caller = of(table);
        create(&caller);
        caller.deploy(&single);
        assert_eq!((page(&caller, "sizes"), page(&caller, "sizes desc")), (3, 3), "{table}");
        // Arrays of a service that has the table before, while the object already has the new one.
        let mut caller = of(table);
        let before = caller.edge.shape();
        caller.deploy(&single);
        caller.service = service_of(&before, &json!({}));
        create(&caller);
        caller.service = service_of(&single, &json!({}));
        if keys(&caller, "/p/resource").len() == 4 {
            assert_eq!(
                (page(&caller, "sizes"), page(&caller, "sizes desc")),
                (3, 3),
                "{table} in a deployment"
            );
        }
    }
}
