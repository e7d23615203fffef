//! The tools for agents: messages of the Model Context Protocol.

mod batches;

use proptest::prelude::*;

use super::*;

const STATELESS: &str = "2026-07-28";

impl Caller {
    fn tell(&self, headers: &[(&str, &str)], body: &str) -> Got {
        self.ask("POST /p/mcp", headers, body.as_bytes())
    }

    /// Sends a request of the revision in which each names it. Returns the status and the message.
    fn rpc(&self, method: &str, mut params: Value) -> (u16, Value) {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": STATELESS,
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        let name = params["name"].as_str().unwrap_or_default().to_owned();
        let headers =
            [("MCP-Protocol-Version", STATELESS), ("Mcp-Method", method), ("Mcp-Name", name.as_str())];
        let body = json!({"jsonrpc": "2.0", "id": "x", "method": method, "params": params});
        let got = self.tell(&headers, &body.to_string());
        let message = got.json();
        assert_eq!((&message["jsonrpc"], &message["id"]), (&json!("2.0"), &json!("x")), "{got:?}");
        (got.status, message)
    }

    /// Calls a tool. Returns whether it failed, and its result, which it has twice.
    pub(super) fn tool(&self, name: &str, arguments: &Value) -> (bool, Value) {
        let (status, message) = self.rpc("tools/call", json!({"name": name, "arguments": arguments}));
        let result = &message["result"];
        let text = result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{message}"));
        assert_eq!(serde_json::from_str::<Value>(text).unwrap(), result["structuredContent"]);
        assert_eq!((status, &result["resultType"]), (200, &json!("complete")));
        (result["isError"].as_bool().unwrap(), result["structuredContent"].clone())
    }

    pub(super) fn instructions(&self) -> String {
        self.rpc("server/discover", json!({})).1["result"]["instructions"].as_str().unwrap().to_owned()
    }

    pub(super) fn tools(&self) -> Vec<Value> {
        self.rpc("tools/list", json!({})).1["result"]["tools"].as_array().unwrap().clone()
    }
}

/// Returns a caller whose tools are the operations.
fn operator() -> Caller {
    Caller::with(&json!({"AGENT_TOOLS": "operations"}))
}

#[test]
fn an_agent_gets_seven_tools_and_what_it_may_call_of_them() {
    let mut caller = Caller::new();
    let names = |tools: &[Value]| -> Vec<String> {
        tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
    };
    let all = caller.tools();
    assert_eq!(names(&all), ["query", "get", "search", "createOrUpdate", "update", "delete", "batch"]);
    caller.token = caller.token_for("view_test:p");
    let reads = caller.tools();
    assert_eq!(reads, all[..3]);
    assert_eq!(names(&reads), ["query", "get", "search"]);
    for tool in &all {
        let (name, reads) = (tool["name"].as_str().unwrap(), tool["annotations"]["readOnlyHint"] == true);
        let (_, result) = caller.tool(name, &json!({"id": "a", "version": 1, "set": {}, "body": {}}));
        assert_eq!(result["errors"][0]["code"] == "insufficient_scope", !reads, "{name}: {result}");
        // One or two sentences.
        let description = tool["description"].as_str().unwrap();
        assert!((1..=2).contains(&description.matches(['.', '?']).count()), "{description}");
    }
}

#[test]
fn the_tools_read_change_and_delete_a_resource() {
    let caller = Caller::new();
    let set = json!({"key": "k", "custom": "red", "objectTypeProperty": {"arrayOfIntExample": [6]}});
    let (_, created) = caller.tool("createOrUpdate", &json!({"body": set}));
    assert_eq!(caller.tool("get", &json!({"id": created["id"]})), (false, created.clone()));
    assert_eq!(caller.tool("get", &json!({"key": "k", "id": null})), (false, created.clone()));
    let id = created["id"].clone();
    let update = json!({"id": id, "version": 1, "set": {"custom": "blue"}});
    let (failed, updated) = caller.tool("update", &update);
    assert_eq!((failed, &updated["version"], &updated["custom"]), (false, &json!(2), &json!("blue")));
    assert_eq!(updated["objectTypeProperty"], created["objectTypeProperty"]);
    let (failed, error) = caller.tool("update", &update);
    assert_eq!(
        (failed, &error["statusCode"], &error["errors"][0]["currentVersion"]),
        (true, &json!(409), &json!(2))
    );
    let none = json!({"id": "none", "version": 1, "set": {"custom": "blue"}});
    assert_eq!(caller.tool("update", &none).1["statusCode"], 412);
    let (failed, deleted) = caller.tool("delete", &json!({"id": id, "version": 2}));
    assert_eq!((failed, deleted), (false, updated));
}

#[test]
fn the_tools_say_which_arguments_they_expect() {
    let caller = Caller::new();
    for (tool, arguments, argument, expected) in [
        ("get", json!({}), "id", "expected 'id' or 'key'"),
        ("get", json!({"id": "a", "key": "k"}), "key", "not both"),
        ("get", json!({"name": "a"}), "id", "expected 'id' or 'key'"),
        ("delete", json!({"id": "a"}), "version", "the version of the resource that you read"),
        ("delete", json!({"version": 1}), "id", "the ID of the resource"),
        ("update", json!({"id": "a", "set": {}}), "version", "the version of the resource that you read"),
        ("update", json!({"id": "a", "version": 1}), "set", "new values of fields"),
        ("update", json!({"id": "a", "version": 1, "set": "custom"}), "set", "new values of fields"),
        (
            "update",
            json!({"id": "a", "version": 1, "set": {}, "custom": "a"}),
            "custom",
            "accepts id, version, set",
        ),
        (
            "update",
            json!({"id": "a", "version": 1, "clear": ["custom"]}),
            "clear",
            "accepts id, version, set",
        ),
        ("createOrUpdate", json!({"custom": "a"}), "custom", "this tool accepts body, "),
        ("search", json!({"words": "a"}), "words", "this tool accepts text, "),
        (
            "search",
            json!({"text": {"english": "a"}}),
            "text",
            "words such as \"lamp\", or an object such as {\"en\"",
        ),
        ("query", json!({"wher": "a"}), "wher", "this tool accepts where, "),
        ("batch", json!({"writes": {"tool": "delete"}}), "writes", "expected a list of objects"),
        ("batch", json!({"writes": [], "atomic": true}), "atomic", "accepts writes, Idempotency-Key"),
    ] {
        let (failed, error) = caller.tool(tool, &arguments);
        let error = &error["errors"][0];
        assert!(failed && error["parameter"] == argument, "{tool} {arguments}: {error}");
        assert!(error["message"].as_str().unwrap().contains(expected), "{tool} {arguments}: {error}");
    }
    assert_eq!(caller.tool("query", &json!({"wher": "a"})).1["errors"][0]["suggestion"], "where");
}

#[test]
fn tools_do_what_operations_do() {
    let caller = Caller::new();
    let body = json!({"key": "a b/c", "custom": "red", "objectTypeProperty": {"arrayOfIntExample": [6, 7]}});
    let (failed, created) = caller.tool("createOrUpdate", &json!({"body": body}));
    assert!(!failed, "{created}");
    assert_eq!(created, caller.fresh("/p/resource/key=a%20b%2Fc").json());
    let id = &created["id"];
    assert_eq!(caller.tool("getById", &json!({"id": id, "expand": null})), (false, created.clone()));
    assert_eq!(caller.tool("getByKey", &json!({"key": "a b/c"})), (false, created.clone()));

    let arguments = json!({
        "where": ["custom = :c", "arrayOfIntExample contains any (7)"], "var": {"var.c": "red"}, "limit": 1,
        "objectParameter": {"arrayOfIntExample": [6]}, "withTotal": true, "floatParameter": null,
    });
    assert_eq!(caller.tool("query", &arguments).1["total"], 1);
    assert_eq!(caller.tool("query", &json!({"where": ["custom = :c"], "var.c": "blue"})).1["total"], 0);
    assert_eq!(caller.tool("exists", &json!({"integerParameter": 7})), (false, json!({"exists": true})));
    assert_eq!(caller.tool("exists", &json!({"integerParameter": 8})), (false, json!({"exists": false})));
    let arguments = json!({"text": {"text.en": "red"}, "facet": ["custom"]});
    assert_eq!(caller.tool("search", &arguments).1["facets"]["custom"]["total"], 1);
    // Null is absent, not a word.
    assert_eq!(caller.tool("search", &json!({"text": {"text.en": null}})).1["total"], 1);

    let update = json!({"version": 1, "actions": [{"action": "doSomeThing"}]});
    let arguments = json!({"id": id, "body": update});
    assert_eq!(caller.tool("updateById", &arguments).1["version"], 2);
    let (failed, error) = caller.tool("updateById", &arguments);
    assert!(failed);
    assert_eq!((&error["statusCode"], &error["errors"][0]["currentVersion"]), (&json!(409), &json!(2)));
    let path = json!({"uriParameterOne": "a/b", "uriParameterTwo": "c", "body": {"id": id, "custom": "new"}});
    assert!(!caller.tool("updateByPath", &path).0);
    assert_eq!(caller.tool("deleteById", &json!({"id": id, "version": 3})).1["custom"], "new");
    assert_eq!(caller.tool("getById", &json!({"id": id})).1["statusCode"], 404);
}

#[test]
fn each_operation_is_a_tool_that_a_token_for_its_access_lists_and_calls() {
    let mut caller = operator();
    let all = caller.tools();
    let mut names: Vec<&str> = all.iter().filter_map(|tool| tool["name"].as_str()).collect();
    assert_eq!((names.first(), names.last()), (Some(&"query"), Some(&"updateWithUrnLinks")));
    let mut expected: Vec<&str> = operations().map(|row| row.name).collect();
    names.sort_unstable();
    expected.sort_unstable();
    assert_eq!(names, expected);
    let mut descriptions: Vec<&str> = all.iter().filter_map(|tool| tool["description"].as_str()).collect();
    descriptions.sort_unstable();
    descriptions.dedup();
    // Clients send them to a model with each question.
    assert!(Value::from(all.clone()).to_string().len() < 21_000);
    assert_eq!(descriptions.len(), all.len(), "each has another description");
    caller.token = caller.token_for("view_test:p");
    let reads = |tool: &Value| tool["annotations"]["readOnlyHint"] == true;
    assert_eq!(caller.tools(), all.iter().filter(|tool| reads(tool)).cloned().collect::<Vec<_>>());
    for row in operations() {
        let tool = all.iter().find(|tool| tool["name"] == row.name).unwrap();
        let (failed, result) = caller.tool(row.name, &json!({"id": "a", "body": {}}));
        let is_forbidden = result["errors"][0]["code"] == "insufficient_scope";
        assert_eq!(is_forbidden, !reads(tool), "{}: {result}", row.name);
        assert_eq!(reads(tool), row.access() == Some(Access::Read));
        assert!(failed || reads(tool));
    }
}

#[test]
fn the_arguments_of_a_tool_are_those_of_its_operation_and_the_schema_has_what_has_an_effect() {
    let caller = operator();
    let example = json!({"id": "a", "objectTypeProperty": {}, "version": 1, "actions": []});
    for tool in caller.tools() {
        let name = tool["name"].as_str().unwrap();
        let schema = &tool["inputSchema"];
        let row = operations().find(|row| row.name == name).unwrap();
        let listed: Vec<&str> =
            schema["properties"].as_object().unwrap().keys().map(String::as_str).collect();
        let params = row.params().map(|param| param.id.family_name().unwrap_or_else(|| param.id.name()));
        let unlisted: Vec<&str> = params.filter(|name| !listed.contains(name)).collect();
        for argument in listed.iter().chain(&unlisted) {
            let (_, result) = caller.tool(name, &json!({*argument: "\u{0}"}));
            assert_ne!(result["errors"][0]["reason"], "unknownParameter", "{name}, {argument}: {result}");
        }
        let expected: &[&str] = match name {
            "query" | "querySorted" | "getByKey" => &["expand"],
            "getById" => &["optionalQueryParameter", "secondOptionalQueryParameter", "expand"],
            "search" => &["staged", "expand"],
            "exists" => &["sort", "limit", "offset", "withTotal", "expand"],
            "updateByPath" | "updateWithUrnLinks" => &["queryParameterOne", "queryParameterTwo"],
            _ => &[],
        };
        assert_eq!(unlisted, expected, "{name}");
        assert!(!listed.is_empty() && !listed.contains(&"projectKey"));
        let mut arguments = json!({"unknown": 1});
        for required in schema["required"].as_array().into_iter().flatten() {
            let required = required.as_str().unwrap();
            if required != "body" {
                let (_, result) = caller.tool(name, &arguments);
                assert_eq!(result["errors"][0]["parameter"], required, "{name}: {result}");
            }
            arguments[required] = if required == "body" { example.clone() } else { json!("a") };
        }
        let (failed, result) = caller.tool(name, &arguments);
        assert!(failed && result["errors"][0]["parameter"] == "unknown", "{name}: {result}");
    }
}

#[test]
fn arguments_are_checked_as_requests_are() {
    let caller = Caller::new();
    let code = |name: &str, arguments: &Value| {
        let (failed, error) = caller.tool(name, arguments);
        assert!(failed, "{error}");
        (error["statusCode"].as_u64().unwrap(), error["errors"][0]["code"].as_str().unwrap().to_owned())
    };
    for (name, arguments, status, expected) in [
        ("getById", json!({}), 400, "InvalidInput"),
        ("getById", json!({"id": ""}), 400, "InvalidInput"),
        ("getById", json!({"id": null}), 400, "InvalidInput"),
        // The path of another operation.
        ("getById", json!({"id": "searchApiPattern"}), 404, "ResourceNotFound"),
        ("deleteById", json!({"id": "searchApiPattern"}), 404, "ResourceNotFound"),
        ("query", json!({"limit": 1000}), 400, "InvalidInput"),
        ("query", json!({"limit": [1, 2]}), 400, "InvalidInput"),
        ("query", json!({"where": "="}), 400, "SyntaxError"),
        ("query", json!({"where": "x".repeat(70_000)}), 400, "InvalidInput"),
        ("createOrUpdate", json!({}), 400, "InvalidJsonInput"),
        ("createOrUpdate", json!({"body": "{}"}), 400, "InvalidField"),
        ("createOrUpdate", json!({"body": {"extra\n\"": 1, "objectTypeProperty": {}}}), 400, "InvalidField"),
        ("createOrUpdate", json!({"body": {"objectTypeProperty": {}}, "If-Match": "a"}), 400, "InvalidInput"),
    ] {
        assert_eq!(code(name, &arguments), (status, expected.to_owned()), "{name} {arguments}");
    }
    // Numbers keep their digits, which a conversion to a float and back could change.
    let body = r#"{"jsonrpc":"2.0","id":9007199254740993,"method":"tools/call","params":{"name":"createOrUpdate","arguments":
        {"body":{"objectTypeProperty":{"arrayOfFloatExample":[7.2057594037927933e16, 0.30000000000000004,1e0]}}}}}"#;
    let got = caller.tell(&[], body);
    assert!(got.body.contains(r#""id":9007199254740993,"#), "{got:?}");
    assert!(got.body.contains("[72057594037927940,0.30000000000000004,1]"), "{got:?}");
    // Bodies keep their values.
    let items = json!([9_007_199_254_740_991_i64, -1]);
    let body = json!({"custom": "\u{1F600}\\\"\u{1}", "objectTypeProperty": {"arrayOfIntExample": items}});
    let (_, created) = caller.tool("createOrUpdate", &json!({"body": body, "If-None-Match": "*"}));
    assert_eq!(created["custom"], body["custom"]);
    assert_eq!(created["objectTypeProperty"]["arrayOfIntExample"], items);
}

#[test]
fn a_request_that_names_its_revision_needs_no_handshake() {
    let caller = Caller::new();
    let (status, message) = caller.rpc("server/discover", json!({}));
    let result = &message["result"];
    assert_eq!((status, &result["supportedVersions"][0]), (200, &json!(STATELESS)));
    assert_eq!((&result["cacheScope"], &result["resultType"]), (&json!("private"), &json!("complete")));
    assert_eq!(result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "resource-edge");
    let (status, message) = caller.rpc("subscriptions/listen", json!({}));
    assert_eq!((status, &message["error"]["code"]), (404, &json!(-32601)));

    let meta = |revision: &str, more: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"query","_meta":{{
                "io.modelcontextprotocol/protocolVersion":"{revision}"{more}}}}}}}"#
        )
    };
    let able = r#","io.modelcontextprotocol/clientCapabilities":{}"#;
    let all = [("MCP-Protocol-Version", STATELESS), ("Mcp-Method", "tools/call"), ("Mcp-Name", "query")];
    let encoded = [all[0], all[1], ("Mcp-Name", "=?base64?cXVlcnk=?=")];
    assert_eq!(caller.tell(&all, &meta(STATELESS, able)).status, 200);
    assert_eq!(caller.tell(&encoded, &meta(STATELESS, able)).status, 200);
    let future = [("MCP-Protocol-Version", "2027-01-01")];
    let plain = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#.to_owned();
    for (headers, body, code) in [
        (&all[..2], meta(STATELESS, able), -32020),
        (&all[1..], meta(STATELESS, able), -32020),
        (&[all[0], ("Mcp-Method", "ping"), all[2]], meta(STATELESS, able), -32020),
        (&[all[0], all[1], ("Mcp-Name", "=?base64?!?=")], meta(STATELESS, able), -32020),
        (&future, meta(STATELESS, able), -32020),
        (&all, meta(STATELESS, ""), -32602),
        (&all, plain.clone(), -32602),
        (&future, meta("2027-01-01", able), -32022),
        (&future, plain, -32022),
    ] {
        let got = caller.tell(headers, &body);
        let error = got.json()["error"].clone();
        assert_eq!((got.status, &error["code"], &got.json()["id"]), (400, &json!(code), &json!(1)), "{body}");
        assert_eq!(error["data"]["requested"] == "2027-01-01", code == -32022);
        assert_eq!(error["data"]["supported"][0] == STATELESS, code == -32022);
    }
}

#[test]
fn a_page_of_a_foreign_origin_is_refused() {
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let caller = Caller::with(&json!({"CORS_ORIGINS": "https://a.test"}));
    for (origin, status) in [("https://a.test", 200), ("https://b.test", 403), ("null", 403)] {
        assert_eq!(caller.tell(&[("Origin", origin)], ping).status, status, "{origin}");
    }
    assert_eq!(caller.tell(&[], ping).status, 200);
    let got = caller.tell(&[("Origin", "https://b.test"), ("Authorization", "")], ping);
    assert_eq!((got.status, &got.json()["error"]["code"]), (403, &json!(-32600)));
    assert_eq!(Caller::new().tell(&[("Origin", "https://b.test")], ping).status, 200);
}

#[test]
fn a_tool_is_counted_logged_and_read_from_the_source_of_truth() {
    let caller = Caller::new();
    let (_, created) = caller.tool("createOrUpdate", &json!({"body": {"objectTypeProperty": {}}}));
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "getById", "arguments": {"id": created["id"]}}});
    let (effects, status) = caller.effects("POST /p/mcp", &[], &body.to_string());
    assert_eq!((effects, status), (vec!["body", "object"], 200));
    let line = caller.last_line();
    assert_eq!((&line["operation"], &line["tool"]), (&json!("mcp"), &json!("getById")));
    assert_eq!((&line["source"], &line["code"]), (&json!("object"), &Value::Null));
    caller.tool("getById", &json!({"id": "none"}));
    assert_eq!(caller.last_line()["code"], "ResourceNotFound");
    caller.edge.faults.objects.set(true);
    let (failed, error) = caller.tool("getById", &json!({"id": created["id"]}));
    assert_eq!((failed, &error["statusCode"]), (true, &json!(503)));
    let line = caller.last_line();
    assert_eq!((&line["level"], &line["code"]), (&json!("error"), &json!("ServiceUnavailable")));
    assert!(line["cause"].as_str().is_some_and(|cause| cause.contains("made to fail")));
}

/// Returns any small JSON value.
fn any_value() -> impl Strategy<Value = Value> {
    let text = prop_oneof![any::<String>().prop_map(Value::from), "[a-z]{1,3}".prop_map(Value::from)];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        text
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        let members =
            prop::collection::btree_map("[a-z]{1,4}|var[.]c|action|tool|id|set|version", inner.clone(), 0..4);
        let object = members.prop_map(|members| Value::Object(members.into_iter().collect()));
        prop_oneof![prop::collection::vec(inner, 0..4).prop_map(Value::Array), object]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn any_arguments_get_a_result_that_is_no_fault(
        at in any::<prop::sample::Index>(),
        arguments in prop::collection::btree_map(
            "where|var|limit|sort|id|key|body|text|filter|facet|version|If-Match|Idempotency-Key|writes|[a-z]{0,3}",
            any_value(),
            0..4,
        ),
    ) {
        let caller = Caller::new();
        let names: Vec<&str> = operations().map(|row| row.name).chain(["get", "update", "batch"]).collect();
        let (failed, result) = caller.tool(names[at.index(names.len())], &json!(arguments));
        let status = result["statusCode"].as_u64();
        prop_assert!(failed == status.is_some() && status.is_none_or(|status| status < 500), "{result}");
    }
}
