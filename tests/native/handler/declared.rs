//! Resources that a deployment declares: bodies, responses, queries, tools of agents, and projects with different
//! shapes in one instance.

use std::rc::Rc;

use super::*;
use crate::support::json::encoded;
use resource_edge::project;
use resource_edge::shape::Resources;

const SYSTEM: [&str; 5] = ["id", "version", "key", "createdAt", "lastModifiedAt"];

/// Returns the resources of a shop: products in the project `p`, suppliers in those whose key begins with `suppliers`.
fn declared() -> Value {
    json!({
        "$schema": "node_modules/resource-edge/resources.schema.json",
        "resources": {
            "product": {
                "title": "Product",
                "type": "object",
                "required": ["title"],
                "properties": {
                    "title": { "type": "string", "minLength": 1, "maxLength": 20, "description": "Its name." },
                    "price": { "type": ["number", "null"], "minimum": 0, "examples": [49.5] },
                    "status": { "enum": ["draft", "active"] },
                    "tags": { "type": "array", "items": { "type": "string" }, "uniqueItems": true },
                    "size": { "$ref": "#/$defs/size" },
                },
                "$defs": {
                    "size": {
                        "type": "object",
                        "properties": { "width": { "type": "number" }, "unit": { "enum": ["cm", "in"] } },
                    },
                },
            },
            "supplier": {
                "type": "object",
                "required": ["email"],
                "properties": { "email": { "type": "string", "format": "email" }, "title": { "type": "integer" } },
            },
        },
        "projects": { "p": "product", "suppliers*": "supplier" },
    })
}

fn resources(content: &Value) -> Rc<Resources> {
    Rc::new(Resources::read(&content.to_string()).unwrap_or_else(|wrong| panic!("{wrong:?}")))
}

/// Returns a caller of the shop, whose token is for every project.
fn shop() -> Caller {
    let mut caller = Caller::serving(&resources(&declared()));
    caller.token = caller.token_for("manage_test:p manage_test:suppliers-1 manage_test:plain");
    caller
}

fn lamp() -> Value {
    json!({"key": "lamp", "title": "Desk lamp", "price": 40, "status": "active", "tags": ["red", "small"],
        "size": {"width": 2.5, "unit": "cm"}})
}

fn names(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

/// Returns the paths and reasons of the errors.
fn issues(got: &Got) -> Vec<(String, String)> {
    let error = got.json();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let errors = error["errors"].as_array().unwrap_or_else(|| panic!("{got:?}"));
    errors.iter().map(|error| (text(&error["path"]), text(&error["reason"]))).collect()
}

#[test]
fn a_declared_resource_has_the_fields_of_the_system_and_its_own() {
    let caller = shop();
    let created = caller.create(&lamp());
    let fields = ["title", "price", "status", "tags", "size"];
    assert_eq!(names(&created), SYSTEM.into_iter().chain(fields).collect::<Vec<_>>());
    for field in fields {
        assert_eq!(created[field], lamp()[field], "{field}");
    }
    assert_eq!(caller.fresh("/p/resource/key=lamp").json(), created);
    assert_eq!(caller.get("/p/resource/key=lamp").json(), created);
}

#[test]
fn a_body_is_read_by_the_rules_of_its_project() {
    let caller = shop();
    let body = json!({"title": "", "price": -1, "status": "x", "tags": ["a", "a"], "size": {"width": "1"},
        "objectTypeProperty": {}, "custom": "c"});
    let got = caller.write("POST /p/resource", &body);
    let paths: Vec<String> = issues(&got).into_iter().map(|(path, _)| path).collect();
    let expected =
        ["/title", "/price", "/status", "/tags/1", "/size/width", "/objectTypeProperty", "/custom"];
    assert_eq!((got.status, paths), (400, expected.map(str::to_owned).to_vec()), "{got:?}");
    let got = caller.write("POST /p/resource", &json!({"titel": "x"}));
    let errors = got.json()["errors"].clone();
    let error = |path: &str| errors.as_array().unwrap().iter().find(|error| error["path"] == path).cloned();
    assert_eq!(error("/titel").unwrap()["suggestion"], "title", "{got:?}");
    assert_eq!(error("/title").unwrap()["code"], "RequiredField", "{got:?}");
    // Nothing was written.
    assert_eq!(caller.get("/p/resource").json()["total"], 0);
}

#[test]
fn a_page_of_operation_1_has_no_arrays_of_the_interface() {
    let caller = shop();
    for (target, total) in [("/p/resource", 0), ("/p/resource?limit=0", 0), ("/p/resource?offset=1", 0)] {
        let page = caller.get(target).json();
        assert_eq!(names(&page), ["limit", "offset", "count", "total", "results"], "{target}");
        assert_eq!(page["total"], total);
    }
    caller.create(&lamp());
    for target in ["/p/resource", "/p/resource?limit=0", "/p/resource/sorted-query-parameters"] {
        let page = caller.get(target).json();
        assert_eq!(names(&page), ["limit", "offset", "count", "total", "results"], "{target}");
    }
    let page = caller.get("/p/resource?withTotal=false").json();
    assert_eq!(names(&page), ["limit", "offset", "count", "results"]);
}

#[test]
fn the_parameters_of_the_interface_are_unknown() {
    let caller = shop();
    for name in [
        "stringParameter=a",
        "floatParameter=1",
        "integerParameter=1",
        "withMarkdownDescription=1",
        "objectParameter=%7B%7D",
        "arrayOfString=a",
        "arrayOfStringWithDescription=a",
    ] {
        let target = format!("/p/resource?{name}");
        let got = caller.get(&target);
        let error = got.json()["errors"][0].clone();
        assert_eq!((got.status, &error["reason"]), (400, &json!("unknownParameter")), "{target} {got:?}");
        assert_eq!(error["parameter"], name.split_once('=').unwrap().0);
        let accepted = "this operation accepts where, sort, limit, offset, withTotal, expand, var.<name>";
        assert!(error["message"].as_str().unwrap().contains(accepted), "{error}");
        assert_eq!(caller.ask(&format!("HEAD {target}"), &[], b"").status, 400, "{target}");
        // The project beside it has the resource of the interface.
        assert_eq!(caller.get(&format!("/plain/resource?{name}")).status, 200, "{name}");
    }
}

#[test]
fn operations_9_and_13_return_the_resource() {
    let caller = shop();
    for path in [
        "/p/resource/description-with-urn-links",
        "/p/resource/artificially-complex/path/uri-parameter-one=a/b",
    ] {
        let line = format!("POST {path}");
        caller.create(&lamp());
        let headers = [("Idempotency-Key", path)];
        let got = caller.ask(&line, &headers, b"{\"key\":\"lamp\",\"price\":7}");
        assert_eq!(
            (got.status, &got.json()["price"], &got.json()["title"]),
            (200, &json!(7), &lamp()["title"])
        );
        assert_eq!(caller.fresh("/p/resource/key=lamp").body, got.body);
        // So does a replay, also after the next write. A receipt remains one.
        let prefer = [("Prefer", "respond-async")];
        let receipt = caller.ask(&line, &prefer, b"{\"key\":\"lamp\",\"price\":8}");
        assert_eq!((receipt.status, receipt.json().get("title")), (202, None), "{receipt:?}");
        let replayed = caller.ask(&line, &headers, b"{\"key\":\"lamp\",\"price\":7}");
        assert_eq!((replayed.header("Idempotency-Replayed"), &replayed.body), (Some("true"), &got.body));
        let id = got.json()["id"].as_str().unwrap().to_owned();
        assert_eq!(caller.ask(&format!("DELETE /p/resource/{id}"), &[], b"").status, 200);
    }
}

#[test]
fn queries_and_searches_name_the_fields_of_their_project() {
    let caller = shop();
    caller.create(&lamp());
    for (condition, total) in [
        ("title = \"Desk lamp\" and price > 39", 1),
        ("status in (\"draft\")", 0),
        ("tags contains any (\"red\")", 1),
        ("size.width > 2 and size.unit = \"cm\"", 1),
        ("size.width > 3", 0),
    ] {
        let got = caller.get(&format!("/p/resource?where={}", encoded(condition)));
        assert_eq!((got.status, &got.json()["total"]), (200, &json!(total)), "{condition} {got:?}");
    }
    for (query, text) in [
        ("where=custom%20%3D%20%22a%22", "custom"),
        ("where=arrayOfIntExample%20contains%20any%20(6)", "arrayOfIntExample"),
        ("sort=eigthProperty", "eigthProperty"),
        ("where=email%20is%20defined", "email"),
    ] {
        let got = caller.get(&format!("/p/resource?{query}"));
        assert!(got.status == 400 && got.body.contains(text), "{query} {got:?}");
        assert!(!got.body.contains("objectTypeProperty"), "{query} {got:?}");
    }
    let got = caller.get("/p/resource?where=prise%20%3E%201");
    assert!(got.body.contains("Did you mean 'price'?"), "{got:?}");
    let search = "/p/resource/searchApiPattern?";
    let got =
        caller.get(&format!("{search}text.en=desk&facet=tags&filter={}", encoded("price:range(0 to 50)")));
    assert_eq!(
        (&got.json()["total"], &got.json()["facets"]["tags"]["total"]),
        (&json!(1), &json!(2)),
        "{got:?}"
    );
    assert_eq!(caller.get(&format!("{search}facet=arrayOfIntExample")).status, 400);
}

#[test]
fn update_actions_are_those_of_the_shape() {
    let caller = shop();
    let id = caller.create(&lamp())["id"].as_str().unwrap().to_owned();
    let line = format!("POST /p/resource/{id}");
    let actions = json!([
        {"action": "setTitle", "title": "Lamp"}, {"action": "addTags", "tags": ["blue"]},
        {"action": "removeTags", "tags": ["red"]}, {"action": "setPrice"},
    ]);
    let got = caller.write(&line, &json!({"version": 1, "actions": actions})).json();
    assert_eq!((&got["title"], &got["tags"]), (&json!("Lamp"), &json!(["small", "blue"])), "{got}");
    assert!(got.get("price").is_none(), "{got}");
    for action in ["doSomeThing", "changeSomeProperty", "setEmail"] {
        let got = caller.write(&line, &json!({"version": 2, "actions": [{"action": action}]}));
        assert_eq!(issues(&got)[0].0, "/actions/0/action", "{got:?}");
        assert!(got.body.contains("setTitle"), "{got:?}");
    }
}

/// Returns a body of each project.
fn bodies() -> [(&'static str, Value); 3] {
    let supplier = json!({"key": "one", "email": "a@example.org", "title": 7});
    let plain = json!({"key": "one", "custom": "c", "objectTypeProperty": {"arrayOfIntExample": [6]}});
    [("p", lamp()), ("suppliers-1", supplier), ("plain", plain)]
}

/// Returns a caller of the shop whose projects have a resource each.
fn filled_shop() -> Caller {
    let caller = shop();
    for (project, body) in bodies() {
        let got = caller.write(&format!("POST /{project}/resource"), &body);
        assert_eq!(got.status, 201, "{project} {got:?}");
        let created = got.json();
        let is_known = |name: &&str| SYSTEM.contains(name) || body.get(name).is_some();
        let further: Vec<&str> = names(&created).into_iter().filter(|name| !is_known(name)).collect();
        assert_eq!(further, [""; 0], "{project}");
    }
    caller
}

#[test]
fn projects_with_different_shapes_in_one_instance_never_see_each_others_fields() {
    let caller = filled_shop();
    for (project, own) in bodies() {
        for (_, foreign) in bodies().iter().filter(|(other, _)| *other != project) {
            let got = caller.write(&format!("POST /{project}/resource"), foreign);
            let found = issues(&got);
            assert_eq!(got.status, 400, "{project} {got:?}");
            for name in names(foreign).into_iter().filter(|name| own.get(name).is_none()) {
                assert!(
                    found.iter().any(|(path, _)| *path == format!("/{name}")),
                    "{project} {name} {got:?}"
                );
            }
            assert!(!got.body.contains("suggestion"), "{project} {got:?}");
        }
    }
    // A field with one name has its type in each project.
    for (project, condition, status) in [
        ("p", "title = \"Desk lamp\"", 200),
        ("p", "title = 7", 400),
        ("suppliers-1", "title = 7", 200),
        ("suppliers-1", "title = \"Desk lamp\"", 400),
        ("suppliers-1", "price = 40", 400),
        ("plain", "title = 7", 400),
        ("plain", "arrayOfIntExample contains any (6)", 200),
        ("p", "arrayOfIntExample contains any (6)", 400),
    ] {
        let got = caller.get(&format!("/{project}/resource?where={}", encoded(condition)));
        assert_eq!(got.status, status, "{project} {condition} {got:?}");
        if status == 200 {
            assert_eq!(got.json()["total"], 1, "{project} {condition}");
        }
    }
}

#[test]
fn each_project_has_its_shape_again_after_a_restart() {
    let caller = filled_shop();
    caller.edge.restart();
    for (project, body) in bodies() {
        let key = body["key"].as_str().unwrap();
        let got = caller.fresh(&format!("/{project}/resource/key={key}"));
        assert_eq!(got.status, 200, "{got:?}");
        let projects = caller.edge.projects.borrow();
        let stored = project::key_in(projects[project].database()).unwrap();
        assert_eq!(stored.as_deref(), Some(project), "an alarm finds the shape by the stored key");
    }
}

#[test]
fn a_project_without_a_write_has_no_stored_key() {
    let caller = shop();
    assert_eq!(caller.get("/p/resource").status, 200);
    let projects = caller.edge.projects.borrow();
    assert_eq!(project::key_in(projects["p"].database()).unwrap(), None);
    assert_eq!(project::key_in(&crate::support::shared::Shared::new()).unwrap(), None);
}

#[test]
fn the_tools_of_agents_have_the_fields_of_their_project() {
    let caller = shop();
    schemas::check(&caller);
    let tools = caller.tools();
    let schema = |name: &str, pointer: &str| {
        let tool = tools.iter().find(|tool| tool["name"] == name).unwrap();
        tool["inputSchema"].pointer(pointer).cloned().unwrap_or_default()
    };
    let body = schema("createOrUpdate", "/properties/body");
    assert_eq!(names(&body["properties"]), ["key", "title", "price", "status", "tags", "size"]);
    assert_eq!(body["required"], json!(["title"]));
    let size = json!({ "type": "object", "properties":
        { "width": { "type": "number" }, "unit": { "type": "string", "enum": ["cm", "in"] } } });
    let set = schema("update", "/properties/set");
    assert_eq!((names(&set["properties"]), &set["required"]), (names(&body["properties"]), &Value::Null));
    for (name, written, changed) in [
        (
            "title",
            json!({ "type": "string", "description": "Its name. 1 to 20 characters." }),
            json!({ "type": "string" }),
        ),
        (
            "price",
            json!({ "type": "number", "minimum": 0, "description": "Such as `49.5`." }),
            json!({ "type": "number", "minimum": 0 }),
        ),
        (
            "status",
            json!({ "type": "string", "enum": ["draft", "active"] }),
            json!({ "type": "string", "enum": ["draft", "active"] }),
        ),
        (
            "tags",
            json!({ "type": "array", "items": { "type": "string" }, "description": "None twice." }),
            json!({ "type": "array", "items": { "type": "string" } }),
        ),
        ("size", size.clone(), size),
    ] {
        assert_eq!((&body["properties"][name], &set["properties"][name]), (&written, &changed), "{name}");
    }
    assert_eq!(schema("update", "/properties/clear/items/enum"), json!(["price", "status", "tags", "size"]));
}

#[test]
fn the_tools_of_agents_speak_of_the_resource_of_their_project() {
    let tools = shop().tools();
    let query = tools.iter().find(|tool| tool["name"] == "query").unwrap();
    let about = &query["inputSchema"]["properties"]["where"]["description"];
    let fields = "Fields: title string, price number, status draft|active, tags list of string, size.width number, \
                  size.unit cm|in, key string, ";
    assert!(about.as_str().unwrap().contains(fields), "{about}");
    for tool in &tools {
        // Each names the resource, and nothing of the interface's.
        assert!(tool["description"].as_str().unwrap().contains("`product` resource"), "{tool}");
        for sample in ["arrayOf", "custom", "objectType"] {
            assert!(!tool.to_string().contains(sample), "{tool}");
        }
    }
}

#[test]
fn the_operations_as_tools_have_the_fields_of_their_project() {
    let caller = Caller::with_resources(&json!({"AGENT_TOOLS": "operations"}), &resources(&declared()));
    let tools = caller.tools();
    assert_eq!(tools.len(), 13);
    let tool = tools.iter().find(|tool| tool["name"] == "updateById").unwrap();
    let action = &tool["inputSchema"]["properties"]["body"]["properties"]["actions"]["items"]["properties"];
    assert_eq!(names(action), ["action", "title", "price", "status", "tags", "size"]);
    let tags = ["setTitle", "setPrice", "setStatus", "setTags", "setSize", "addTags", "removeTags"];
    assert_eq!(action["action"]["enum"], json!(tags));
    let body = &tools.iter().find(|tool| tool["name"] == "overwrite").unwrap()["inputSchema"];
    assert_eq!(body["properties"]["body"]["required"], json!(["version", "title"]));
    for tool in ["query", "exists"] {
        let tool = tools.iter().find(|row| row["name"] == tool).unwrap();
        assert_eq!(names(&tool["inputSchema"]["properties"])[0], "where", "{tool}");
    }
    assert!(tools.iter().all(|tool| !tool.to_string().contains("arrays")), "{tools:?}");
}

#[test]
fn agents_read_and_write_the_fields_of_their_project() {
    let caller = shop();
    let (failed, created) = caller.tool("createOrUpdate", &json!({"body": lamp()}));
    assert_eq!((failed, &created["title"]), (false, &lamp()["title"]));
    let id = &created["id"];
    let update =
        json!({"id": id, "version": 1, "set": {"title": "Lamp", "tags": ["b"]}, "clear": ["price", "size"]});
    let (failed, updated) = caller.tool("update", &update);
    assert_eq!((failed, names(&updated)), (false, [&SYSTEM[..], &["title", "status", "tags"]].concat()));
    assert_eq!((&updated["title"], &updated["version"]), (&json!("Lamp"), &json!(2)));
    for (change, status, path) in [
        (json!({"version": 1, "set": {"title": "a"}}), 409, None),
        (json!({"version": 2, "set": {"title": ""}}), 400, Some("/title")),
        (json!({"version": 2, "clear": ["title"]}), 400, Some("/title")),
        (json!({"version": 2, "clear": "titel"}), 400, Some("/titel")),
        (json!({"version": 2, "set": {"price": 1}, "clear": ["price"]}), 400, Some("/price")),
        (json!({"version": 2, "set": {"id": "b"}}), 400, Some("/id")),
        (json!({"version": "two", "set": {"title": "a"}}), 400, Some("/version")),
        (json!({"version": 2, "set": {"\"": 1}, "clear": ["}"]}), 400, Some("/\"")),
    ] {
        let mut arguments = change.clone();
        arguments["id"] = id.clone();
        let (failed, error) = caller.tool("update", &arguments);
        let found = (failed, error["statusCode"].as_u64(), error["errors"][0]["path"].as_str());
        assert_eq!(found, (true, Some(status), path), "{change}: {error}");
    }
    let none = json!({"id": "none", "version": 1, "set": {"title": "a"}});
    assert_eq!(caller.tool("update", &none).1["statusCode"], 404);
    let update = json!({"version": 2, "actions": [{"action": "setPrice", "price": 3}]});
    assert_eq!(caller.tool("updateById", &json!({"id": id, "body": update})).1["price"], 3);
    let (failed, error) = caller.tool("createOrUpdate", &json!({"body": {"title": ""}}));
    assert_eq!((failed, &error["errors"][0]["path"]), (true, &json!("/title")));
    // The instructions have predicates that are valid.
    let instructions = caller.instructions();
    let (_, examples) = instructions.split_once("are like ").unwrap();
    let examples = examples.trim_end_matches('.');
    let expected = r#"title = "red", price > 49.5, tags contains any ("red"), key is defined"#;
    assert_eq!(examples, expected, "{instructions}");
    let (failed, result) = caller.tool("query", &json!({"where": examples.split(", ").collect::<Vec<_>>()}));
    assert!(!failed, "{examples}: {result}");
}
