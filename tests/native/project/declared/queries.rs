//! Queries, searches, and facets of nested fields.

use super::*;
use resource_edge::contract::limits;

fn nested() -> Value {
    let text = json!({"type": "string"});
    let number = json!({"type": "number"});
    let part = json!({"type": "object", "properties": {"name": text, "price": number}});
    let dims = json!({"type": "object", "properties": {"width": number, "unit": text}});
    let variant = json!({"type": "object", "properties": {
        "color": text, "stock": {"type": "integer"}, "tags": {"type": "array", "items": text},
        "dims": dims, "parts": {"type": "array", "items": part}, "since": {"type": "string", "format": "date-time"},
    }});
    schema(
        &json!({
            "size": {"type": "object", "properties": {"width": number, "box": dims}},
            "variants": {"type": "array", "items": variant},
            "spec": {"type": "object", "properties": {"parts": {"type": "array", "items": part}}},
            "hidden": {"type": "string", "x-index": false, "x-search": false},
            "levels": {"type": "array", "items": {"type": "integer"}, "x-index": false},
        }),
        &[],
    )
}

fn stage() -> Declared {
    let mut declared = Declared::new(&nested());
    let many: Vec<Value> = (0..60).map(|at| json!({"color": format!("C{at}"), "stock": at})).collect();
    let levels: Vec<usize> = (0..50).collect();
    for body in [
        json!({
            "id": "a", "size": {"width": 4, "box": {"width": 1, "unit": "cm"}},
            "variants": [
                {"color": "Red", "stock": 0, "tags": ["x", "y"], "dims": {"width": 2}},
                {"color": "blue", "stock": 5, "tags": [], "parts": [{"name": "Leg", "price": 1.5}, {"price": 3}]},
            ],
            "hidden": "Straße", "levels": [1, 2],
        }),
        json!({
            "id": "b", "size": {"box": {}},
            "variants": [{"color": "red", "stock": 3, "dims": {"width": 7, "unit": "CM"}, "parts": []}, {}],
            "spec": {"parts": [{"name": "Leg", "price": 9}]}, "hidden": "x", "levels": [],
        }),
        json!({"id": "c", "variants": many, "levels": levels}),
        json!({"id": "d", "variants": []}),
    ] {
        declared.create(&body);
    }
    declared
}

#[test]
#[allow(clippy::too_many_lines, reason = "a table of cases")]
fn conditions_reach_values_at_any_depth() {
    let mut declared = stage();
    for waiting in [true, false] {
        for (text, expected) in [
            ("size.width > 3", &["a"][..]),
            ("size(width > 3 and box.unit = \"cm\")", &["a"]),
            ("size.box(unit is not defined) and size.box is defined", &["b"]),
            ("size.box.width = 1", &["a"]),
            ("variants.color = \"red\"", &["b"]),
            ("variants.color matches ignore case \"RED\"", &["a", "b"]),
            ("variants(color = \"red\" and stock > 0)", &["b"]),
            ("variants(color matches ignore case \"RED\" and stock = 0)", &["a"]),
            ("variants(color = \"C59\" and stock = 59)", &["c"]),
            ("variants(color = \"C58\" and stock = 59)", &[]),
            ("variants(color in (\"C1\", \"blue\") and stock in (1, 5))", &["a", "c"]),
            ("variants.dims.width > 5", &["b"]),
            ("variants.dims(width > 5 and unit matches ignore case \"cm\")", &["b"]),
            ("variants(dims(width = 2) and color = \"Red\")", &["a"]),
            ("variants(dims.width = 2 and color = \"blue\")", &[]),
            ("variants(dims is not defined)", &["a", "b", "c"]),
            ("variants(tags contains all (\"x\", \"y\"))", &["a"]),
            ("variants.tags contains any (\"y\", \"z\")", &["a"]),
            ("variants(tags is empty and tags is defined)", &["a"]),
            ("variants.tags is empty", &["b", "c", "d"]),
            ("variants.tags is defined", &["a"]),
            ("variants.parts is defined", &["a", "b"]),
            ("variants.parts is empty", &["b", "c", "d"]),
            ("variants.parts(name = \"Leg\" and price < 2)", &["a"]),
            ("variants.parts(name = \"Leg\" and price > 2)", &[]),
            ("variants(color = \"blue\" and parts(price = 3 and name is not defined))", &["a"]),
            ("variants(color = \"Red\" and parts.price = 3)", &[]),
            ("variants(parts.price = 3 and parts.name = \"Leg\")", &["a"]),
            ("spec.parts(price > 8)", &["b"]),
            ("spec(parts(name = \"Leg\") and parts.price = 9)", &["b"]),
            ("variants(color is not defined and stock is not defined)", &["b"]),
            ("not (variants(stock > 0))", &["d"]),
            ("variants is empty", &["d"]),
            ("variants is defined", &["a", "b", "c", "d"]),
            ("spec.parts is not defined", &["a", "c", "d"]),
            ("hidden = \"x\"", &["b"]),
            ("hidden matches ignore case \"STRASSE\"", &["a"]),
            ("hidden in (\"x\", \"Straße\") and hidden != \"x\"", &["a"]),
            ("levels = 30", &["c"]),
            ("levels contains all (1, 2)", &["a", "c"]),
            ("levels contains all (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10)", &["c"]),
            ("levels > 40 or levels is empty", &["b", "c", "d"]),
            ("levels is defined", &["a", "b", "c"]),
        ] {
            assert_eq!(declared.ids(text, &[]), expected, "{text} {waiting}");
        }
        declared.crash();
        declared.merge(&json!({"id": "d"}));
    }
}

#[test]
fn sorts_and_facets_read_nested_and_unindexed_values() {
    let mut declared = stage();
    assert_eq!(declared.ids("", &["size.width"]), ["a", "b", "c", "d"]);
    assert_eq!(declared.ids("", &["variants.stock desc"]), ["c", "a", "b", "d"]);
    assert_eq!(declared.ids("", &["variants.parts.price desc"]), ["a", "b", "c", "d"]);
    assert_eq!(declared.ids("", &["hidden desc"]), ["b", "a", "c", "d"]);
    assert_eq!(declared.ids("", &["levels desc", "id"]), ["c", "a", "b", "d"]);
    let page = declared
        .search("facet=hidden&facet=levels&facet=variants.dims.width&facet=levels:range(0 to 2) as r");
    let facets = &page["facets"];
    assert_eq!(
        (&facets["hidden"]["total"], &facets["hidden"]["missing"]),
        (&json!(2), &json!(2)),
        "{facets}"
    );
    assert_eq!(facets["levels"]["total"], 52, "{facets}");
    assert_eq!(facets["levels"]["missing"], 2, "{facets}");
    assert_eq!(facets["levels"]["terms"][0], json!({"term": "1.0", "count": 2}), "{facets}");
    assert_eq!(facets["variants.dims.width"]["total"], 2, "{facets}");
    assert_eq!(facets["r"]["ranges"][0]["count"], 2, "{facets}");
    for (filter, expected) in [
        ("variants.color:\"red\"", &["b"][..]),
        ("variants.dims.width:range(1 to 3)", &["a"]),
        ("levels:range(45 to *)", &["c"]),
        ("hidden:\"x\",\"y\"", &["b"]),
        ("variants.tags:exists", &["a"]),
    ] {
        assert_eq!(declared.found(&format!("filter={filter}")), expected, "{filter}");
    }
}

#[test]
fn searches_find_the_words_of_nested_texts() {
    let mut declared = stage();
    let found = |declared: &mut Declared, word: &str| {
        let mut ids = declared.found(&format!("text.en={word}"));
        ids.sort();
        ids
    };
    assert_eq!(found(&mut declared, "red"), ["a", "b"]);
    assert_eq!(found(&mut declared, "leg"), ["a", "b"]);
    assert_eq!(found(&mut declared, "c59"), ["c"]);
    assert_eq!(found(&mut declared, "strasse"), [""; 0]);
    declared.merge(&json!({"id": "a", "variants": []}));
    assert_eq!(found(&mut declared, "red"), ["b"]);
    let mut open = nested();
    open["properties"]["hidden"] = json!({"type": "string"});
    declared.deploy(&open);
    assert_eq!(found(&mut declared, "strasse"), ["a"]);
}

#[test]
fn an_unindexed_field_has_no_rows_until_it_is_indexed() {
    let mut declared = stage();
    let rows = "SELECT count(*) FROM term JOIN field ON number = path WHERE name IN ('hidden', 'levels')";
    assert_eq!(declared.ids("hidden = \"x\"", &[]), ["b"]);
    assert_eq!(declared.project.database().number(rows), 0);
    let mut open = nested();
    open["properties"]["hidden"] = json!({"type": "string"});
    declared.deploy(&open);
    assert_eq!(declared.project.database().number(rows), 2);
    assert_eq!(declared.ids("hidden = \"x\"", &[]), ["b"]);
    declared.deploy(&nested());
    assert_eq!(declared.project.database().number(rows), 0);
    assert_eq!(declared.ids("hidden = \"x\"", &[]), ["b"]);
}

#[test]
fn the_marks_of_inner_fields_are_in_force() {
    let item = json!({"type": "object", "properties": {
        "code": {"type": "integer", "x-unique": true}, "note": {"type": "string", "x-search": false, "x-index": false},
    }});
    let mut declared = Declared::new(&json!({
        "type": "object",
        "properties": {"list": {"type": "array", "items": item}, "one": {"$ref": "#/$defs/one"}},
        "$defs": {"one": item},
    }));
    let body = json!({"id": "a", "list": [{"code": 1, "note": "Red"}, {"code": 1}], "one": {"code": 1, "note": "Blue"}});
    declared.create(&body);
    declared.create(&json!({"id": "b", "list": [{"code": 2, "note": "red"}]}));
    for (body, path) in [
        (json!({"id": "c", "list": [{"code": 3}, {"code": 2}]}), "/list/code"),
        (json!({"id": "c", "one": {"code": 1}}), "/one/code"),
    ] {
        let reply = declared.post(&body);
        assert_eq!((status(&reply), member(&reply, Member::Path)), (400, path.to_owned()));
    }
    assert_eq!(declared.found("text.en=red"), [""; 0]);
    assert_eq!(
        declared.ids("list.note matches ignore case \"RED\" and list.note is defined", &[]),
        ["a", "b"]
    );
    assert_eq!(declared.ids("list(note = \"Red\") and one.note in (\"Blue\", \"x\")", &[]), ["a"]);
    let rows = "SELECT count(*) FROM term JOIN field ON number = path & 16383 WHERE name LIKE '%note'";
    assert_eq!(declared.project.database().number(rows), 0);
}

#[test]
fn an_object_that_becomes_a_list_and_back_is_found() {
    let text = json!({"type": "string"});
    let size = json!({"type": "object", "properties": {"unit": text, "width": {"type": "number"}}});
    let single = schema(&json!({"size": size}), &[]);
    let list = schema(&json!({"size": {"type": "array", "items": size}}), &[]);
    let mut declared = Declared::new(&single);
    declared.create(&json!({"id": "a", "size": {"unit": "cm", "width": 1}}));
    declared.deploy(&list);
    declared.create(&json!({"id": "b", "size": [{"unit": "cm", "width": 1}, {"unit": "in", "width": 2}]}));
    assert_eq!(declared.ids("size(unit = \"cm\" and width = 1)", &[]), ["a", "b"]);
    assert_eq!(declared.ids("size(unit = \"cm\" and width = 2)", &[]), [""; 0]);
    declared.deploy(&single);
    assert_eq!(declared.ids("size(unit = \"cm\" and width = 1)", &[]), ["a", "b"]);
    assert_eq!(declared.ids("size.unit = \"in\"", &[]), ["b"]);
}

#[test]
fn a_condition_on_items_that_are_a_single_object_now_is_503_until_the_edges_know() {
    let size = json!({"type": "object", "properties": {"unit": {"type": "string"}}});
    let list = json!({"type": "array", "items": size});
    let of = |inner: &Value| {
        let outer = json!({"type": "object", "properties": {"size": inner}});
        schema(&json!({"size": inner, "outer": outer, "outers": {"type": "array", "items": outer}}), &[])
    };
    let mut declared = Declared::new(&of(&list));
    let sizes = json!([{"unit": "cm"}, {}]);
    declared
        .create(&json!({"id": "a", "size": sizes, "outer": {"size": sizes}, "outers": [{"size": sizes}]}));
    declared.deploy(&of(&size));
    for (edges, expected) in [(&list, 503), (&size, 0)] {
        declared.shape = shape(&of(edges));
        for text in [
            "size(unit is not defined)",
            "outer(size(unit = \"cm\"))",
            "not outers(size(unit is not defined))",
        ] {
            let query = declared.query(text, &[]);
            assert_eq!(status(&declared.call(Call::Read(Read::Query(query)))), expected, "{text}");
        }
        // These examine no item.
        for text in ["size is defined", "outer.size is defined", "outers(size is defined)"] {
            assert_eq!(declared.ids(text, &[]), ["a"], "{text}");
        }
    }
}

#[test]
fn resources_of_the_interface_are_indexed_again_when_a_resource_is_declared() {
    let database = Shared::new();
    let interface = Rc::new(Shape::built_in());
    let project = Project::new(database.clone(), Rc::clone(&interface));
    let arrays = json!({"arrayOfIntExample": [2]});
    let body =
        json!({"id": "a", "objectTypeProperty": arrays, "custom": "c", "createdBy": {"firstName": "F"}});
    let input = validate::resource_input(&interface, ObjectId::Draft, body.to_string().as_bytes());
    let input = input.unwrap_or_else(|_| panic!("a body"));
    let reply = project.perform(&write(Change::CreateOrUpdate(input)), &at(1_000)).unwrap();
    assert_eq!(status(&reply), 0);
    let text = json!({"type": "string"});
    let declared = schema(&json!({"custom": text, "tags": {"type": "array", "items": text}}), &[]);
    let shape = shape(&declared);
    let project = Project::new(database, Rc::clone(&shape));
    project.set_epoch(Some(""));
    project.make_ready().unwrap();
    let mut stage = Declared { project, shape, now: 2_000, parts: None };
    while !stage.project.renew(1).unwrap() {}
    assert_eq!(
        stage.ids("custom = \"c\" and tags is not defined and createdBy.firstName = \"F\"", &[]),
        ["a"]
    );
    assert_eq!(content(&stage.merge(&json!({"id": "a", "tags": []}))), json!({"custom": "c", "tags": []}));
}

#[test]
fn a_resource_whose_lists_are_too_large_for_a_row_is_refused() {
    let mut declared = Declared::new(&nested());
    let variants: Vec<Value> =
        (0..4_500).map(|at| json!({"color": format!("{at}{}", "É".repeat(100))})).collect();
    let reply = declared.post(&json!({"id": "a", "variants": variants}));
    assert_eq!(status(&reply), 413);
    let reply = declared.post(&json!({"id": "a", "variants": &variants[..3_000]}));
    assert_eq!(status(&reply), 0);
    assert_eq!(declared.ids("variants(color matches ignore case \"x\" or stock is defined)", &[]), [""; 0]);
}

#[test]
fn the_longest_and_deepest_conditions_run_or_are_refused() {
    let mut declared = stage();
    let max = limits::PREDICATE_BYTES;
    let chain = |part: &dyn Fn(usize) -> String, word: &str| {
        let mut text = part(0);
        for at in 1.. {
            let next = format!(" {word} {}", part(at));
            if text.len() + next.len() > max - 60 {
                break;
            }
            text.push_str(&next);
        }
        text
    };
    let mut deep = "stock > 1".to_owned();
    for at in 0..limits::PREDICATE_DEPTH * 2 / 3 {
        deep = format!(
            "{} (color = \"C{at}\" {} {deep})",
            if at % 3 == 0 { "not" } else { "" },
            ["and", "or"][at % 2]
        );
    }
    let wide = chain(&|at| format!("(stock > {at} and color != \"{at}\")"), "or");
    let mixed = chain(&|at| format!("dims.width > {at} and tags contains all (\"{at}\", \"x\")"), "or");
    let nested = chain(&|at| format!("parts(price > {at} and name matches ignore case \"{at}\")"), "or");
    for (text, must_run) in [
        (chain(&|at| format!("stock = {at}"), "or"), true),
        (chain(&|at| format!("stock > {at}"), "and"), true),
        (wide, false),
        (mixed, false),
        (nested, false),
        (deep, true),
    ] {
        for text in [format!("variants({text})"), format!("not (variants({text})) or size.width = 4")] {
            let condition = declared.condition(&text);
            let query = Query { condition, sort: Vec::new(), limit: 20, offset: 0, with_total: true };
            let reply = declared.call(Call::Read(Read::Query(query)));
            let found = status(&reply);
            assert!(found == 0 || (found == 400 && !must_run), "{found} {text:.200} {reply:?}");
        }
    }
}

#[test]
#[allow(clippy::too_many_lines, reason = "a table of cases")]
fn date_times_compare_as_instants() {
    let time = json!({"type": "string", "format": "date-time"});
    let item = json!({"type": "object", "properties": {"at": time}});
    let mut declared = Declared::new(&schema(
        &json!({
            "at": {"type": "string", "format": "date-time", "x-unique": true},
            "times": {"type": "array", "items": time},
            "list": {"type": "array", "items": item},
        }),
        &[],
    ));
    for (id, at) in [
        ("a", "2026-01-31T01:30:00+01:30"),
        ("b", "2026-01-30T23:59:59.9999Z"),
        ("c", "2026-01-31t00:00:00.001z"),
        ("d", "0000-01-01T00:00:00Z"),
    ] {
        declared.create(
            &json!({"id": id, "at": at, "times": [at, "2030-01-01T00:00:00-12:00"], "list": [{"at": at}]}),
        );
    }
    for (text, expected) in [
        ("at = \"2026-01-31T00:00:00.000Z\"", &["a"][..]),
        ("at = \"2026-01-30T14:00:00.0004-10:00\"", &["a"]),
        ("at > \"2026-01-31T00:00:00Z\"", &["c"]),
        ("at < \"2026-01-31T00:00:00Z\" and at != \"0000-01-01T00:00:00Z\"", &["b"]),
        ("at in (\"2026-01-31T00:00:00.001Z\", \"0000-01-01T01:00:00+01:00\")", &["c", "d"]),
        ("times contains all (\"2030-01-01T12:00:00Z\", \"2026-01-31T00:00:00Z\")", &["a"]),
        ("list(at >= \"2026-01-31T00:00:00Z\")", &["a", "c"]),
        ("createdAt > \"1970-01-01T00:00:01.002Z\"", &["c", "d"]),
    ] {
        assert_eq!(declared.ids(text, &[]), expected, "{text}");
    }
    assert_eq!(declared.ids("", &["at"]), ["d", "b", "a", "c"]);
    assert_eq!(declared.ids("", &["at desc"]), ["c", "a", "b", "d"]);
    let filter = "filter=at:range(\"2026-01-31T00:00:00%2B00:00\" to *)";
    assert_eq!(declared.found(filter), ["a", "c"]);
    let facets = &declared.search("facet=at&facet=times")["facets"];
    assert_eq!(facets["at"]["terms"][1]["term"], "2026-01-30T23:59:59.999Z", "{facets}");
    assert_eq!(
        facets["times"]["terms"][0],
        json!({"term": "2030-01-01T12:00:00.000Z", "count": 4}),
        "{facets}"
    );
    assert_eq!(declared.found("text.en=2026-01-31t00:00:00.001z"), [""; 0]);
    // One instant is one value, however it is written.
    let reply = declared.post(&json!({"id": "e", "at": "2026-01-31T00:00:00Z"}));
    assert_eq!(
        (status(&reply), member(&reply, Member::DuplicateValue)),
        (400, "2026-01-31T00:00:00.000Z".to_owned())
    );
    let read = |text: &str| predicate::read(&declared.shape, [text], &Variables::default()).is_ok();
    assert!(read("at = \"2016-12-31T23:59:60Z\"") && !read("at = \"2026-01-31\""));
    assert!(!read("createdAt = \"2026-01-31T00:00:00Z\""), "the contract has one form (D6)");
    assert!(!read("at matches ignore case \"2026-01-31T00:00:00Z\""));
}
