//! Several writes of an agent by one call.

use super::*;
use crate::support::schemas::Design;

/// Returns a caller whose resource is declared.
fn declared() -> Caller {
    let text = json!({"type": "string", "maxLength": 9});
    let size = json!({"type": "object", "properties": {"width": {"type": "number"}}});
    let properties = json!({"title": text, "note": text, "size": size});
    let schema = json!({"type": "object", "required": ["title"], "properties": properties});
    Caller::of(&Design::of(schema).shape)
}

fn batch(caller: &Caller, writes: &Value) -> (bool, Value) {
    caller.tool("batch", &json!({ "writes": writes }))
}

#[test]
fn a_batch_does_what_its_tools_do() {
    let [together, alone] = [declared(), declared()];
    let writes = [
        (
            "createOrUpdate",
            json!({"body": {"id": "a", "key": "k", "title": "A", "note": "n", "size": {"width": 1e0}}}),
        ),
        ("createOrUpdate", json!({"body": {"id": "b", "title": "B"}})),
        (
            "update",
            json!({"id": "a", "version": 1, "set": {"title": "\"😀\"", "size": null}, "clear": ["note"]}),
        ),
        ("update", json!({"id": "a", "version": 2, "set": null, "clear": "size"})),
        ("delete", json!({"id": "b", "version": 1, "body": null})),
    ];
    for (name, arguments) in &writes {
        let (failed, result) = alone.tool(name, arguments);
        assert!(!failed, "{name}: {result}");
    }
    // The fields are a text, as the schema says, or an object.
    let of = |(at, (name, arguments)): (usize, &(&str, Value))| {
        let mut write = arguments.clone();
        write["tool"] = json!(name);
        for fields in ["body", "set"] {
            if write[fields].is_object() && at != 1 {
                write[fields] = json!(format!(" {} ", write[fields]));
            }
        }
        write
    };
    let (failed, result) = batch(&together, &writes.iter().enumerate().map(of).collect());
    assert!(!failed, "{result}");
    let results = result["results"].as_array().unwrap();
    let found: Vec<_> = results.iter().map(|it| (&it["status"], &it["resource"]["version"])).collect();
    let expected = [(201, 1), (201, 1), (200, 2), (200, 3), (200, 1)].map(|(a, b)| (json!(a), json!(b)));
    assert_eq!(found, expected.iter().map(|(status, version)| (status, version)).collect::<Vec<_>>());
    for caller in [&together, &alone] {
        let page = caller.fresh("/p/resource").json();
        let record = &page["results"][0];
        assert_eq!((&page["total"], &record["title"]), (&json!(1), &json!("\"😀\"")), "{page}");
        assert_eq!((&record["note"], &record["size"]), (&Value::Null, &Value::Null), "{page}");
    }
}

#[test]
fn a_batch_of_the_interface_creates_and_deletes() {
    let caller = Caller::new();
    let write = json!({"tool": "createOrUpdate", "body": r#"{"id": "a", "objectTypeProperty":
        {"arrayOfFloatExample": [7.2057594037927933e16, 0.30000000000000004]}}"#});
    let (failed, result) = batch(&caller, &json!([write]));
    assert_eq!((failed, &result["results"][0]["resource"]["version"]), (false, &json!(1)), "{result}");
    let floats = "[72057594037927940,0.30000000000000004]";
    assert!(caller.fresh("/p/resource/a").body.contains(floats), "{result}");
    // Its update has a precondition, and a batch has none.
    let update = json!({"tool": "update", "id": "a", "version": 1, "set": "{\"custom\": \"b\"}"});
    let (failed, error) = batch(&caller, &json!([update]));
    assert!(
        failed && error["message"].as_str().unwrap().contains("one of createOrUpdate, delete."),
        "{error}"
    );
    let (failed, result) = batch(&caller, &json!([{"tool": "delete", "id": "a", "version": 1}]));
    assert_eq!((failed, &result["results"][0]["resource"]["id"]), (false, &json!("a")));
}

/// Writes, and what the error of a batch says whose second one they are.
const WRONG: [(&str, &str); 18] = [
    (r#"{"tool": "delete", "id": "a", "version": 7}"#, r#""currentVersion":1,"index":1"#),
    (r#"{"tool": "update", "id": "x", "version": 1, "set": {"note": "n"}}"#, r#""index":1"#),
    (
        r#"{"tool": "createOrUpdate", "body": {"id": "b", "key": "k", "title": "C"}}"#,
        r#""path":"/writes/1/key""#,
    ),
    // The tools have the same paths: those of the fields.
    (r#"{"tool": "createOrUpdate", "body": "{\"title\": 1}"}"#, r#""path":"/writes/1/title""#),
    (
        r#"{"tool": "createOrUpdate", "body": {"title": "C", "size": {"width": ""}}}"#,
        r#""path":"/writes/1/size/width""#,
    ),
    (r#"{"tool": "update", "id": "a", "version": 1, "set": {"titel": "C"}}"#, r#""path":"/writes/1/titel""#),
    (r#"{"tool": "update", "id": "a", "version": 1, "clear": ["title"]}"#, r#""path":"/writes/1/title""#),
    (r#"{"tool": "delete", "id": "a", "version": "1"}"#, r#""path":"/writes/1/version""#),
    (r#"{"tool": "createOrUpdate"}"#, r#""path":"/writes/1/body""#),
    // What a tool does not accept.
    (r#"{"tool": "delete", "id": "a"}"#, r#""parameter":"version","reason":"required","index":1"#),
    (r#"{"tool": "update", "id": "a", "version": 1}"#, r#""parameter":"set","reason":"required","index":1"#),
    (
        r#"{"tool": "update", "id": "a", "version": 1, "set": "{\"note\": 1"}"#,
        r#""parameter":"set","reason":"type","index":1"#,
    ),
    (
        r#"{"tool": "createOrUpdate", "body": "{\"title\": \"C\"}, \"x\": {}"}"#,
        r#""parameter":"body","reason":"type","index":1"#,
    ),
    (
        r#"{"tool": "createOrUpdate", "body": "{\"title\": \"C\", \"title\": \"D\"}"}"#,
        r#""parameter":"body","reason":"type","index":1"#,
    ),
    (
        r#"{"tool": "createOrUpdate", "body": {"title": "C"}, "If-None-Match": "*"}"#,
        r#""allowedValues":["tool","body"],"index":1"#,
    ),
    (
        r#"{"tool": "delete", "id": "a", "version": 1, "operation": "overwrite"}"#,
        r#""allowedValues":["tool","id","version"],"index":1"#,
    ),
    (r#"{"tool": "query"}"#, r#""parameter":"tool","reason":"enum","index":1"#),
    (r#""delete""#, r#""parameter":"writes","reason":"type","index":1"#),
];

#[test]
fn a_batch_with_a_wrong_write_changes_nothing_and_says_which_one_is_wrong() {
    let caller = declared();
    caller.create(&json!({"id": "a", "key": "k", "title": "A"}));
    let before = caller.get("/p/export").body;
    let right = json!({"tool": "createOrUpdate", "body": "{\"title\": \"B\"}"});
    for (wrong, expected) in WRONG {
        let wrong: Value = serde_json::from_str(wrong).unwrap();
        let (failed, error) = batch(&caller, &json!([right, wrong]));
        assert!(failed && error["errors"][0].to_string().contains(expected), "{wrong}: {error}");
        assert_eq!(caller.get("/p/export").body, before, "{wrong}");
    }
    let many: Value = (0..101).map(|_| right.clone()).collect();
    for writes in [json!([]), many] {
        assert_eq!(batch(&caller, &writes).1["errors"][0]["path"], "/writes");
    }
}

#[test]
fn a_repeat_of_a_batch_is_not_performed_again() {
    let caller = declared();
    let call = |title: &str| {
        let write = json!({"tool": "createOrUpdate", "body": json!({ "title": title }).to_string()});
        caller.tool("batch", &json!({"writes": [write], "Idempotency-Key": "k"}))
    };
    let first = call("A");
    assert!(!first.0);
    assert_eq!(call("A"), first);
    assert_eq!(call("B").1["statusCode"], 422);
    assert_eq!(caller.fresh("/p/resource").json()["total"], 1);
}
