//! The JSON Schema of `resources.json`, which code editors read: what the service accepts, as far as JSON Schema can
//! say it. It has the version that editors know best.

use resource_edge::contract::limits;
use resource_edge::shape::rules::TextFormat;
use resource_edge::shape::schema::{KEYWORDS, NOTES};
use resource_edge::shape::types::{JsonType, NOT};
use resource_edge::shape::{FIXED, RuleName, System};
use serde_json::{Map, Value, json};

const SINGLE: [JsonType; 4] = [JsonType::String, JsonType::Number, JsonType::Integer, JsonType::Boolean];

/// Returns the text of `resources.schema.json`.
pub(super) fn text() -> String {
    let resource_name = format!("^[A-Za-z0-9_-]{{1,{}}}$", limits::SHAPE_NAME_CHARS);
    let schema = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "The resources of a service of resource-edge",
        "type": "object",
        "required": ["resources"],
        "properties": {
            "$schema": { "type": "string" },
            "resources": {
                "description": "The JSON Schema of each resource, by its name.",
                "type": "object",
                "minProperties": 1,
                "propertyNames": { "pattern": resource_name },
                "additionalProperties": definition("resource"),
            },
            "rules": {
                "description": "Who may do what: the rules of each resource, by its name.",
                "type": "object",
                "additionalProperties": rules(),
            },
            "projects": projects(),
        },
        "additionalProperties": false,
        "if": { "required": ["resources"], "properties": { "resources": { "minProperties": 2 } } },
        "then": { "required": ["projects"] },
        "definitions": {
            "schema": any_schema(),
            "resource": resource(),
            "property": property(),
            "inner": { "allOf": [definition("property")], "properties": without(&["default", "x-title"]) },
            "item": item(),
        },
    });
    serde_json::to_string_pretty(&schema).unwrap() + "\n"
}

/// Returns the schema of the rows that say which projects have which resource.
fn projects() -> Value {
    json!({
        "description": "The names of resources, by the key of the project that has it, or by a pattern with one *.",
        "type": "object",
        "propertyNames": { "pattern": "^[^*]*\\*?[^*]*$" },
        "additionalProperties": { "type": "string" },
    })
}

/// Returns the schema of the rules of a resource.
fn rules() -> Value {
    let predicate =
        |rule: &RuleName| (rule.wire().to_owned(), json!({ "description": rule.about(), "type": "string" }));
    let mut properties: Map<_, _> = RuleName::ALL.iter().map(predicate).collect();
    let fixed = "The fields that a user cannot change after the creation.";
    let names = json!({ "description": fixed, "type": "array", "items": { "type": "string" } });
    properties.insert(FIXED.to_owned(), names);
    json!({ "type": "object", "properties": properties, "additionalProperties": false })
}

fn definition(name: &str) -> Value {
    json!({ "$ref": format!("#/definitions/{name}") })
}

/// Returns the rule that an object has none of the members.
fn without(names: &[&str]) -> Value {
    names.iter().map(|name| ((*name).to_owned(), json!(false))).collect::<Map<_, _>>().into()
}

/// Returns the rule that an object has one of the members.
fn has(names: &[&str]) -> Value {
    json!({ "anyOf": names.iter().map(|name| json!({ "required": [name] })).collect::<Vec<_>>() })
}

/// Returns what holds for a schema at each place.
fn any_schema() -> Value {
    let mut properties = Map::new();
    for name in names().chain(NOTES) {
        let mut value = value_of(name);
        if let Some(about) = about(name) {
            value["description"] = about.into();
        }
        properties.insert(name.to_owned(), value);
    }
    properties.insert("$ref".to_owned(), json!({ "type": "string", "pattern": "^#/\\$defs/" }));
    properties.insert("anyOf".to_owned(), any_of());

    let chosen = ["enum", "const"];
    let untyped = |has_it: Value, others: &[&str]| {
        let others: Vec<&str> = ["type"].into_iter().chain(others.iter().copied()).collect();
        json!({ "allOf": [has_it, { "not": has(&others) }] })
    };
    let mut rules = vec![
        has(&["type", "enum", "const", "properties", "items", "$ref", "anyOf"]),
        json!({ "if": has(&["$ref"]), "then": { "properties": beside("$ref") } }),
        json!({ "if": has(&["anyOf"]), "then": { "properties": beside("anyOf") } }),
        json!({ "if": untyped(has(&chosen), &[]), "then": rules_of(&SINGLE) }),
        json!({ "if": untyped(has(&["enum"]), &[]), "then": { "properties": { "enum": of_one_type() } } }),
        json!({ "if": untyped(has(&["properties"]), &chosen), "then": rules_of(&[JsonType::Object]) }),
        json!({
            "if": untyped(has(&["items"]), &["enum", "const", "properties"]),
            "then": rules_of(&[JsonType::Array]),
        }),
        json!({ "if": { "not": has(&["pattern"]) }, "then": { "properties": { "format": format() } } }),
    ];
    for kind in JsonType::ALL {
        rules.push(json!({
            "if": { "required": ["type"], "properties": { "type": { "enum": spellings(kind.name()) } } },
            "then": rules_of(&[*kind]),
        }));
    }
    json!({ "type": "object", "properties": properties, "additionalProperties": false, "allOf": rules })
}

/// Returns the keywords that have no meaning for these types, and those that they need.
fn rules_of(kinds: &[JsonType]) -> Value {
    let others = KEYWORDS.iter().filter(|(_, of)| !kinds.iter().any(|kind| of.contains(kind)));
    let others: Vec<&str> = others.map(|(name, _)| *name).collect();
    let needed: &[&str] = if kinds == [JsonType::Array] { &["items"] } else { &[] };
    json!({ "properties": without(&others), "required": needed })
}

/// Returns the keywords that may not be beside `$ref` or `anyOf`: the rules.
fn beside(keyword: &str) -> Value {
    let others = names().chain(["$ref", "anyOf"]);
    let is_rule = |name: &&str| *name != keyword && *name != "default" && !name.starts_with("x-");
    without(&others.filter(is_rule).collect::<Vec<_>>())
}

/// Returns the values of `type` that name a type.
fn spellings(name: &str) -> Value {
    json!([name, [name], [name, "null"], ["null", name]])
}

fn format() -> Value {
    json!({ "enum": TextFormat::ALL.iter().map(|format| format.name()).collect::<Vec<_>>() })
}

fn of_one_type() -> Value {
    let lists = ["string", "number", "boolean"].map(|name| json!({ "items": { "type": [name, "null"] } }));
    json!({ "anyOf": lists })
}

/// Returns the names of the keywords, without annotations.
fn names() -> impl Iterator<Item = &'static str> {
    KEYWORDS.iter().map(|(name, _)| *name)
}

/// Returns the schema of the value of a keyword.
fn value_of(keyword: &str) -> Value {
    let single = json!(["string", "number", "boolean"]);
    match keyword {
        "type" => {
            let names: Vec<&str> = JsonType::ALL.iter().map(|kind| kind.name()).collect();
            let lists: Vec<Value> = names.iter().map(|name| json!({ "enum": spellings(name) })).collect();
            json!({ "anyOf": [{ "enum": names }, { "anyOf": lists }] })
        }
        "const" => json!({ "type": single }),
        "enum" => json!({
            "type": "array",
            "items": { "type": ["string", "number", "boolean", "null"] },
            "contains": { "type": single },
        }),
        "minLength" | "maxLength" | "minItems" | "maxItems" => json!({ "type": "integer", "minimum": 0 }),
        "multipleOf" => json!({ "type": "number", "exclusiveMinimum": 0 }),
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => json!({ "type": "number" }),
        "additionalProperties" => json!({ "const": false }),
        "uniqueItems" | "deprecated" => json!({ "type": "boolean" }),
        name if name.starts_with("x-") => json!({ "type": "boolean" }),
        "format" | "title" | "description" | "$comment" | "$schema" | "$id" => json!({ "type": "string" }),
        "pattern" => json!({ "type": "string", "format": "regex" }),
        "examples" => json!({ "type": "array" }),
        "required" => json!({ "type": "array", "items": { "type": "string" } }),
        "properties" | "$defs" | "items" => json!({ "type": "object" }),
        "default" => json!({}),
        _ => panic!("there is no schema of the keyword {keyword}"),
    }
}

/// Returns what editors show for a keyword that only this service has, or that it reads in its own way.
fn about(name: &str) -> Option<&'static str> {
    match name {
        "default" => Some("What a creation without the property stores."),
        "additionalProperties" => Some("Other properties are never allowed."),
        "x-unique" => Some("No two resources of a project have the same value."),
        "x-index" => Some(
            "False: the index lacks the value. Writes are cheaper, and conditions on it read the records.",
        ),
        "x-search" => Some("False: the text search does not find the words."),
        "x-title" => Some("This text names a resource for people. Default: the first text."),
        name => {
            assert!(!name.starts_with("x-"), "{name} has no description");
            None
        }
    }
}

/// Returns the schema of `anyOf`: a schema and null, or possible values.
fn any_of() -> Value {
    let nothing = json!({ "anyOf": [
        { "required": ["type"], "properties": { "type": { "const": "null" } } },
        { "required": ["const"], "properties": { "const": { "const": null } } },
    ] });
    let choice = json!({ "allOf": [definition("schema"), has(&["enum", "const", "anyOf"])] });
    json!({
        "type": "array",
        "minItems": 1,
        "anyOf": [
            { "items": { "anyOf": [choice, nothing] }, "contains": { "not": nothing } },
            { "items": [definition("schema"), nothing], "maxItems": 2 },
            { "items": [nothing, definition("schema")], "minItems": 2, "maxItems": 2 },
        ],
    })
}

/// Returns the schema of a resource.
fn resource() -> Value {
    let names: Vec<&str> = System::ALL.iter().map(|system| system.name()).collect();
    // In any case.
    let not: String = NOT.chars().map(|c| format!("[{c}{}]", c.to_ascii_uppercase())).collect();
    let reserved = json!({ "anyOf": [{ "enum": names }, { "pattern": format!("^{not}$") }] });
    let others = KEYWORDS.iter().filter(|(_, kinds)| !kinds.contains(&JsonType::Object));
    let mut properties = without(&others.map(|(name, _)| *name).collect::<Vec<_>>());
    for name in ["$ref", "anyOf", "default", "x-index"] {
        properties[name] = json!(false);
    }
    properties["type"] = json!({ "enum": ["object", ["object"]] });
    properties["properties"] = json!({
        "propertyNames": { "pattern": name_pattern(), "not": reserved },
        "additionalProperties": definition("property"),
    });
    properties["$defs"] = json!({ "additionalProperties": definition("property") });
    json!({ "allOf": [definition("schema")], "properties": properties })
}

fn name_pattern() -> String {
    format!("^[A-Za-z_][A-Za-z0-9_]{{0,{}}}$", limits::SHAPE_NAME_CHARS - 1)
}

/// Returns the schema of a property, at any place.
fn property() -> Value {
    json!({
        "allOf": [definition("schema")],
        "properties": {
            "$defs": false,
            "properties": {
                "propertyNames": { "pattern": name_pattern() },
                "additionalProperties": definition("inner"),
            },
            "items": definition("item"),
        },
    })
}

/// Returns the schema of the items of an array, which are neither arrays nor null.
fn item() -> Value {
    let marks = names().filter(|name| name.starts_with("x-"));
    let mut properties = without(&marks.chain(["default"]).collect::<Vec<_>>());
    let kinds = JsonType::ALL.iter().filter(|kind| **kind != JsonType::Array).map(|kind| kind.name());
    properties["type"] =
        json!({ "enum": kinds.flat_map(|name| [json!(name), json!([name])]).collect::<Vec<_>>() });
    properties["items"] = json!(false);
    properties["enum"] = json!({ "not": { "contains": { "const": null } } });
    json!({ "allOf": [definition("property")], "properties": properties })
}
