//! The schemas of the tools against the rules of the providers of models. A provider refuses a request because of one
//! schema, so with a tool that it does not support, its models have no tools at all.

use super::*;
use std::rc::Rc;

use crate::support::random::Random;
use crate::support::schemas::Design;
use resource_edge::shape::{Resources, Shape};

/// What a rule is about.
enum Of {
    /// A tool.
    Tool(fn(&Value) -> bool),
    /// The schema of the arguments.
    Top(fn(&Value) -> bool),
    /// That schema, and each schema in it.
    Schema(fn(&Value) -> bool),
    /// The name of a member.
    Name(fn(&str) -> bool),
}

/// The rules, each with its source. "Reported" is the message of an error that users of tools published, with their
/// repository if only one has it.
///
/// - Gemini: `FunctionDeclaration` and `Schema` (ai.google.dev/api/caching, and content.proto of
///   google/ai/generativelanguage/v1beta in github.com/googleapis/googleapis), and the keywords of JSON Schema that the
///   API supports (`response_json_schema` of googleapis.github.io/python-genai).
/// - `OpenAI`: `FunctionObject` (github.com/openai/openai-openapi), and "Supported schemas" of
///   platform.openai.com/docs/guides/structured-outputs.
/// - Anthropic: the pages about tool use and about self-hosted sandboxes of platform.claude.com/docs.
const RULES: [(&str, Of); 17] = [
    // OpenAI: letters, digits, _ and -, at most 64. Anthropic: the same pattern. Gemini: begins with a letter or _.
    // Clients put the name of the server before the tool's.
    (
        "a name has at most 32 letters, digits, _ and -",
        Of::Tool(|tool| is_name(tool["name"].as_str(), 32, "_-")),
    ),
    // OpenAI, reported: "string too long. Expected a string with maximum length 1024" (modelcontextprotocol/servers).
    (
        "a description has at most 1,024 characters",
        Of::Tool(|tool| (1..=1024).contains(&length(&tool["description"]))),
    ),
    // OpenAI: at most 120,000 characters of names and values, 15,000 in the past.
    ("names and values have at most 15,000 characters", Of::Top(|top| names(top) <= 15_000)),
    // OpenAI: at most 5,000 properties, 100 in the past.
    ("there are at most 100 members", Of::Top(|top| each(top, &|schema| members(schema).len()) <= 100)),
    // OpenAI: at most 10 levels of nesting, 5 in the past.
    ("there are at most 5 levels", Of::Top(|top| depth(top) <= 5)),
    // OpenAI: at most 1,000 values of enums, 500 in the past.
    ("enums have at most 500 values", Of::Top(|top| each(top, &|it| texts(&it["enum"]).count()) <= 500)),
    // OpenAI and Anthropic: an object at the top. MCP too.
    ("the top is an object", Of::Top(|top| top["type"] == "object")),
    // Anthropic: "rejects top-level oneOf, anyOf, and allOf". OpenAI: "Root schema must not be anyOf".
    (
        "the top is no composition",
        Of::Top(|top| ["oneOf", "anyOf", "allOf", "not"].iter().all(|it| top[it].is_null())),
    ),
    // Gemini: `Schema` has no `$ref`. Anthropic: "rejects reference keywords such as $ref anywhere".
    ("there are no references", Of::Schema(|schema| schema["$ref"].is_null() && schema["$defs"].is_null())),
    // Gemini: the fields of `Schema` that are also keywords of `parametersJsonSchema`, so no `additionalProperties`,
    // `const`, `pattern`, `minLength`, `uniqueItems`, `propertyNames`, `oneOf`, `$schema`, `exclusiveMinimum`. Without
    // `format`, whose values differ, and `anyOf`, which clients convert in their own ways.
    ("all keywords are known", Of::Schema(|schema| keys(schema).all(|key| KEYWORDS.contains(&key)))),
    // Gemini: `type` is one of `Type`, no list: "Proto field is not repeating, cannot start list".
    (
        "the type is one text",
        Of::Schema(|schema| schema["type"].as_str().is_some_and(|ty| TYPES.contains(&ty))),
    ),
    // Gemini, reported: "items: missing field". OpenAI, reported: "array schema missing items".
    (
        "a list has one schema of its items",
        Of::Schema(|it| (it["type"] == "array") == it["items"].is_object()),
    ),
    // Gemini, reported: "properties: should be non-empty for OBJECT type", and "only allowed for OBJECT type".
    ("an object has members", Of::Schema(|it| (it["type"] == "object") != members(it).is_empty())),
    // Gemini, reported: it refuses a name in `required` that is not in `properties` (Kilo-Org/kilocode).
    (
        "what is required is a member",
        Of::Schema(|it| texts(&it["required"]).all(|name| members(it).contains(&name))),
    ),
    // Gemini: "enum: only allowed for STRING type", and "enum[0]: cannot be empty".
    (
        "an enum has texts",
        Of::Schema(|it| {
            let has_texts = || !texts(&it["enum"]).any(str::is_empty) && texts(&it["enum"]).count() > 0;
            it["enum"].is_null() || (it["type"] == "string" && has_texts())
        }),
    ),
    // Anthropic: "Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'".
    (
        "the name of a member has at most 64 letters, digits, _ . and -",
        Of::Name(|name| is_name(Some(name), 64, "_.-")),
    ),
    // Not of a provider: a model cannot look up the numbers of the specification.
    (
        "no text has a number of the specification",
        Of::Tool(|tool| ["(D", "(operation"].iter().all(|number| !tool.to_string().contains(number))),
    ),
];

const KEYWORDS: [&str; 9] =
    ["type", "description", "properties", "required", "items", "enum", "minimum", "maximum", "maxItems"];
const TYPES: [&str; 6] = ["string", "number", "integer", "boolean", "array", "object"];

fn is_name(name: Option<&str>, most: usize, more: &str) -> bool {
    let is_valid = |char: char| char.is_ascii_alphanumeric() || more.contains(char);
    name.is_some_and(|name| (1..=most).contains(&name.len()) && name.chars().all(is_valid))
}

fn length(text: &Value) -> usize {
    text.as_str().map_or(0, |text| text.chars().count())
}

fn texts(list: &Value) -> impl Iterator<Item = &str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str)
}

fn keys(object: &Value) -> impl Iterator<Item = &str> {
    object.as_object().into_iter().flatten().map(|(key, _)| key.as_str())
}

fn members(schema: &Value) -> Vec<&str> {
    keys(&schema["properties"]).collect()
}

/// Returns the schemas in a schema.
fn within(schema: &Value) -> impl Iterator<Item = &Value> {
    let members = schema["properties"].as_object().into_iter().flatten().map(|(_, member)| member);
    members.chain(Some(&schema["items"]).filter(|items| !items.is_null()))
}

/// Returns the sum over a schema and all schemas in it.
fn each(schema: &Value, count: &dyn Fn(&Value) -> usize) -> usize {
    count(schema) + within(schema).map(|inner| each(inner, count)).sum::<usize>()
}

fn names(top: &Value) -> usize {
    each(top, &|schema| members(schema).into_iter().chain(texts(&schema["enum"])).map(str::len).sum())
}

/// Returns how many objects are in one another.
fn depth(schema: &Value) -> usize {
    usize::from(schema["type"] == "object") + within(schema).map(depth).max().unwrap_or_default()
}

fn every(schema: &Value, holds: &dyn Fn(&Value) -> bool) -> bool {
    holds(schema) && within(schema).all(|inner| every(inner, holds))
}

/// Returns callers with each list of tools.
fn callers(shape: &Rc<Shape>) -> impl Iterator<Item = Caller> {
    let resources = Rc::new(Resources::from(Rc::clone(shape)));
    let of = move |tools| Caller::with_resources(&json!({"AGENT_TOOLS": tools}), &resources);
    ["common", "operations"].into_iter().map(of)
}

/// Checks the tools that a token lists against all rules.
pub(super) fn check(caller: &Caller) {
    let tools = caller.tools();
    // OpenAI: at most 128 functions.
    assert!((3..=128).contains(&tools.len()));
    for tool in tools {
        let top = &tool["inputSchema"];
        for (rule, of) in &RULES {
            let holds = match of {
                Of::Tool(holds) => holds(&tool),
                Of::Top(holds) => holds(top),
                Of::Schema(holds) => every(top, &|schema| holds(schema)),
                Of::Name(holds) => every(top, &|schema| members(schema).into_iter().all(holds)),
            };
            assert!(holds, "{rule}: {tool}");
        }
    }
}

#[test]
fn every_provider_of_models_supports_the_tools() {
    let longest = (10..50).map(|at| (format!("a{}{at}", "x".repeat(61)), json!({"type": "string"})));
    let longest = json!({"type": "object", "properties": Value::Object(longest.collect())});
    let random = Random::new(1);
    let drawn = (0..20).map(|_| Design::draw(&random));
    for Design { shape, .. } in [Design::default(), Design::of(longest)].into_iter().chain(drawn) {
        for mut caller in callers(&shape) {
            check(&caller);
            caller.token = caller.token_for("view_test:p");
            check(&caller);
        }
    }
}

#[test]
fn the_examples_in_the_descriptions_of_arguments_are_valid() {
    let random = Random::new(2);
    let drawn = (0..30).map(|_| Design::draw(&random));
    let mut seen = 0;
    for Design { shape, .. } in [Design::default()].into_iter().chain(drawn) {
        let caller = Caller::of(&shape);
        for (tool, argument) in
            [("query", "where"), ("query", "sort"), ("search", "filter"), ("search", "facet")]
        {
            let tools = caller.tools();
            let listed = tools.iter().find(|row| row["name"] == tool).unwrap();
            let about = listed["inputSchema"]["properties"][argument]["description"].as_str().unwrap();
            let (_, examples) = about.split_once("such as `").unwrap();
            let (examples, _) = examples.rsplit_once('`').unwrap();
            for example in examples.split("`, or several").next().unwrap().split("`, `") {
                let (failed, result) = caller.tool(tool, &json!({argument: [example]}));
                assert!(!failed, "{argument} {example}: {result}");
                seen += 1;
            }
        }
    }
    assert!(seen > 150, "{seen}");
}

#[test]
fn the_rules_find_the_schemas_that_providers_have_refused() {
    for wrong in [
        json!({"type": ["array", "null"], "items": {"type": "string"}}),
        json!({"type": "array"}),
        json!({"type": "object"}),
        json!({"type": "object", "additionalProperties": {"type": "string"}}),
        json!({"anyOf": [{"type": "string"}, {"type": "null"}]}),
        json!({"type": "string", "const": "a"}),
        json!({"type": "string", "enum": [""]}),
        json!({"type": "integer", "enum": [1]}),
        json!({"type": "integer", "exclusiveMinimum": 0}),
        json!({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["b"]}),
        json!({"$ref": "#/$defs/a"}),
        json!({}),
    ] {
        let holds = |(_, of): &(&str, Of)| if let Of::Schema(holds) = of { holds(&wrong) } else { true };
        assert!(!RULES.iter().all(holds), "{wrong}");
    }
}

/// Returns a value of a schema with null for each optional member.
fn with_nulls(schema: &Value) -> Value {
    let required: Vec<&str> = texts(&schema["required"]).collect();
    let object = schema["properties"].as_object().unwrap().iter().map(|(name, member)| {
        let value = match member["type"].as_str() {
            _ if !required.contains(&name.as_str()) => Value::Null,
            Some("object") => with_nulls(member),
            Some("array") => json!([]),
            Some("integer") => json!(1),
            _ => json!("a"),
        };
        (name.clone(), value)
    });
    Value::Object(object.collect())
}

#[test]
fn null_is_accepted_for_every_optional_member_of_a_tool() {
    let text = json!({"type": "string"});
    let properties = json!({"title": text, "tags": {"type": "array", "items": text}, "size": {"type": "object",
        "properties": {"unit": text}}});
    let declared = json!({"type": "object", "properties": properties, "required": ["title"]});
    for (design, body) in [
        (Design::default(), json!({"id": "a", "key": "a", "objectTypeProperty": {}})),
        (Design::of(declared), json!({"id": "a", "key": "a", "title": "A"})),
    ] {
        callers(&design.shape).for_each(|caller| accepts_nulls(&caller, &body));
    }
}

fn accepts_nulls(caller: &Caller, body: &Value) {
    for tool in caller.tools() {
        let name = tool["name"].as_str().unwrap();
        caller.write("POST /p/resource", body);
        let version = caller.fresh("/p/resource/a").json()["version"].clone();
        let schema = &tool["inputSchema"];
        let mut arguments = with_nulls(schema);
        // One of two arguments must be there.
        match name {
            "get" => arguments["id"] = json!("a"),
            "update" => arguments["set"] = with_nulls(&schema["properties"]["set"]),
            "batch" => {
                let mut write = with_nulls(&schema["properties"]["writes"]["items"]);
                (write["tool"], write["id"], write["version"]) =
                    (json!("delete"), json!("a"), version.clone());
                arguments["writes"] = json!([write]);
            }
            _ => {}
        }
        if ["update", "delete"].contains(&name) {
            arguments["version"] = version.clone();
        }
        if !schema["properties"]["body"].is_null() {
            let body = arguments["body"].as_object_mut().unwrap();
            if body.contains_key("id") {
                body.insert("id".to_owned(), json!("a"));
            }
            if body.get("version").is_some_and(Value::is_number) {
                body.insert("version".to_owned(), version);
            }
        }
        let (failed, result) = caller.tool(name, &arguments);
        assert!(!failed, "{name} {arguments}: {result}");
    }
}
