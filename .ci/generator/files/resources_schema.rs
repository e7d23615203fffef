//! The JSON Schema of `resources.json`, which code editors read: what the service accepts, as far as JSON Schema can
//! say it. It has the version that editors know best.

use resource_edge::contract::limits;
use resource_edge::shape::System;
use resource_edge::shape::rules::TextFormat;
use resource_edge::shape::schema::{KEYWORDS, KINDS, Keyword, KeywordForm, NOTES, SchemaType};
use resource_edge::shape::types::NOT;
use serde_json::{Map, Value, json};

const SINGLE: [SchemaType; 4] =
    [SchemaType::Text, SchemaType::Number, SchemaType::Integer, SchemaType::Boolean];

/// Returns the text of `resources.schema.json`.
pub(super) fn text() -> String {
    let resource_name = format!("^[A-Za-z0-9_-]{{1,{}}}$", limits::SHAPE_NAME_CHARS);
    let projects =
        "The names of resources, by the key of the project that has it, or by a pattern with one *.";
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
            "projects": {
                "description": projects,
                "type": "object",
                "propertyNames": { "pattern": "^[^*]*\\*?[^*]*$" },
                "additionalProperties": { "type": "string" },
            },
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
    let forms = KEYWORDS.iter().map(|keyword| (keyword.name, keyword.form)).chain(NOTES);
    for (name, form) in forms {
        let mut value = value_of(form);
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
        json!({ "if": untyped(has(&["properties"]), &chosen), "then": rules_of(&[SchemaType::Object]) }),
        json!({
            "if": untyped(has(&["items"]), &["enum", "const", "properties"]),
            "then": rules_of(&[SchemaType::Array]),
        }),
        json!({ "if": { "not": has(&["pattern"]) }, "then": { "properties": { "format": format() } } }),
    ];
    for (name, kind) in KINDS {
        rules.push(json!({
            "if": { "required": ["type"], "properties": { "type": { "enum": spellings(name) } } },
            "then": rules_of(&[kind]),
        }));
    }
    json!({ "type": "object", "properties": properties, "additionalProperties": false, "allOf": rules })
}

/// Returns the keywords that have no meaning for these types, and those that they need.
fn rules_of(kinds: &[SchemaType]) -> Value {
    let is_other = |keyword: &&Keyword| !kinds.iter().any(|kind| keyword.is_for(*kind));
    let others: Vec<&str> = KEYWORDS.iter().filter(is_other).map(|keyword| keyword.name).collect();
    let needed: &[&str] = if kinds == [SchemaType::Array] { &["items"] } else { &[] };
    json!({ "properties": without(&others), "required": needed })
}

/// Returns the keywords that may not be beside `$ref` or `anyOf`: the rules.
fn beside(keyword: &str) -> Value {
    let others = KEYWORDS.iter().map(|keyword| keyword.name).chain(["$ref", "anyOf"]);
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

/// Returns the schema of the value of a keyword.
fn value_of(form: KeywordForm) -> Value {
    let single = json!(["string", "number", "boolean"]);
    match form {
        KeywordForm::Any => json!({}),
        KeywordForm::Choice => json!({ "type": single }),
        KeywordForm::Choices => json!({
            "type": "array",
            "items": { "type": ["string", "number", "boolean", "null"] },
            "contains": { "type": single },
        }),
        KeywordForm::Count => json!({ "type": "integer", "minimum": 0 }),
        KeywordForm::Divisor => json!({ "type": "number", "exclusiveMinimum": 0 }),
        KeywordForm::False => json!({ "const": false }),
        KeywordForm::Flag => json!({ "type": "boolean" }),
        KeywordForm::Format | KeywordForm::Text => json!({ "type": "string" }),
        KeywordForm::List => json!({ "type": "array" }),
        KeywordForm::Names => json!({ "type": "array", "items": { "type": "string" } }),
        KeywordForm::Number => json!({ "type": "number" }),
        KeywordForm::Pattern => json!({ "type": "string", "format": "regex" }),
        KeywordForm::Properties | KeywordForm::Schema => json!({ "type": "object" }),
        KeywordForm::Type => {
            let names = KINDS.map(|(name, _)| name);
            let lists = KINDS.map(|(name, _)| json!({ "enum": spellings(name) }));
            json!({ "anyOf": [{ "enum": names }, { "anyOf": lists }] })
        }
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
    let others = KEYWORDS.iter().filter(|keyword| !keyword.is_for(SchemaType::Object));
    let mut properties = without(&others.map(|keyword| keyword.name).collect::<Vec<_>>());
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
    let marks = KEYWORDS.iter().map(|keyword| keyword.name).filter(|name| name.starts_with("x-"));
    let mut properties = without(&marks.chain(["default"]).collect::<Vec<_>>());
    let kinds = KINDS.iter().filter(|(_, kind)| *kind != SchemaType::Array).map(|(name, _)| *name);
    properties["type"] =
        json!({ "enum": kinds.flat_map(|name| [json!(name), json!([name])]).collect::<Vec<_>>() });
    properties["items"] = json!(false);
    properties["enum"] = json!({ "not": { "contains": { "const": null } } });
    json!({ "allOf": [definition("property")], "properties": properties })
}
