//! Schemas of resources: any text is read or refused. A refusal names a place in the text, and what was read is a shape
//! with the properties of the schema.

use resource_edge::shape::{ObjectId, Refused, Resources, Shape, System};
use resource_edge::validate;
use serde_json::{Value, json};

use super::input::{Input, lossy};
use crate::support::random::Random;
use crate::support::schemas::changes::changed;
use crate::support::schemas::{draw, properties};

/// Keywords, and others, with values of the right form and of a wrong one.
const MEMBERS: &str = r##"[["type","string"],["type",["number","null"]],["type",1],["type",["string","number"]],
    ["enum",["a","b"]],["enum",[]],["enum",[1,"a"]],["enum",[null]],["const",1],["const",{}],["minLength",1],
    ["minLength",-1],["maxLength",1.5],["pattern","^a$"],["pattern","["],["format","email"],["format","iri"],
    ["minimum",1],["minimum","a"],["maximum",0],["exclusiveMaximum",1e300],["multipleOf",0.01],["multipleOf",0],
    ["items",{"type":"string"}],["items",[]],["items",{"type":"array","items":{"type":"string"}}],["minItems",1],
    ["uniqueItems",true],["uniqueItems",1],["properties",{"a":{"type":"string"}}],["properties",[]],
    ["properties",{"a-b":{"type":"string"}}],["required",["a"]],["required","a"],["required",[1]],
    ["additionalProperties",false],["additionalProperties",true],["$defs",{"a":{"type":"string"}}],
    ["$ref","#/$defs/a"],["$ref","#"],["$ref",7],["anyOf",[{"type":"string"},{"type":"null"}]],["anyOf",[]],
    ["anyOf",[{"const":1},{"const":2}]],["oneOf",[]],["default","a"],["default",null],["x-unique",true],
    ["x-index",false],["x-search",false],["x-title",true],["x-unique",1],["title","A"],["description","a"],
    ["examples",[1]],["deprecated",true],["$comment","a"],["if",{}],["colour",1]]"##;

/// Runs the target. The input is text, or choices that change a random schema.
pub fn run(data: &[u8]) {
    let mut input = Input(data);
    if input.choice(3) == 0 {
        // Any text: what is no JSON has no places.
        let text = lossy(input.0);
        let _ = (Shape::of_schema(&text), Resources::read(&text));
        if let Ok(value) = serde_json::from_str::<Value>(&text) {
            check(&value);
        }
        return;
    }
    let random = Random::new(input.number());
    let mut schema = draw(&random);
    for _ in 0..random.below(3) {
        schema = changed(&schema, &random);
    }
    assert!(Shape::of_schema(&schema.to_string()).is_ok(), "{schema}");
    let members: Vec<(String, Value)> = serde_json::from_str(MEMBERS).expect("members");
    while !input.0.is_empty() {
        let (at, member) = (input.choice(256), input.choice(256));
        let mut places = Vec::new();
        collect(&schema, String::new(), &mut places);
        let (name, value) = &members[member % members.len()];
        if let Some(Value::Object(place)) = schema.pointer_mut(&places[at % places.len()]) {
            place.insert(name.clone(), value.clone());
        }
    }
    check(&schema);
}

/// Collects the places of all objects.
fn collect(value: &Value, at: String, places: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (name, inner) in members {
                collect(inner, format!("{at}/{}", name.replace('~', "~0").replace('/', "~1")), places);
            }
            places.push(at);
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, item)| collect(item, format!("{at}/{index}"), places));
        }
        _ => {}
    }
}

fn check(schema: &Value) {
    let read = Shape::of_schema(&schema.to_string());
    if let Err(Refused { at, message }) = &read {
        assert!(schema.pointer(at).is_some(), "{schema} is refused at {at}: {message}");
        is_sentence(message);
    }
    // As a deployment declares it, with the check of its defaults.
    let content = json!({ "resources": { "thing": schema } });
    match (validate::read_resources(&content.to_string()), read) {
        (Ok(resources), Ok(_)) => is_a_shape(schema, resources.shape("any")),
        (Err(Refused { at, message }), _) => {
            assert!(content.pointer(&at).is_some(), "{content} is refused at {at}: {message}");
            is_sentence(&message);
        }
        (Ok(_), Err(refused)) => panic!("{schema} is read, but also refused: {refused:?}"),
    }
}

fn is_sentence(message: &str) {
    assert!(
        message.ends_with('.') && message.starts_with(|char: char| char.is_ascii_uppercase()),
        "{message}"
    );
    assert!(message.len() < 1_000, "{message}");
}

fn is_a_shape(schema: &Value, shape: &Shape) {
    let names: Vec<&str> = shape.content().map(|field| field.name.as_ref()).collect();
    let expected: Vec<&String> = properties(schema).map(|(name, _)| name).collect();
    assert_eq!(names, expected);
    for field in shape.query_fields() {
        let Some(path) = field.path else { continue };
        let is_content = System::ALL.iter().all(|system| system.name() != path.outer());
        assert!(!is_content || shape.field_of(None, path.outer()).is_some(), "{path}");
        shape.marks_at(path.name());
    }
    for name in names {
        let inlined = shape.schema_of(name).expect("a schema");
        assert!(!inlined.contains("\"$ref\":\"#"), "{inlined}");
        // A default is stored as it is, so a body with it has the same value.
        if let Some(default) = shape.default_of(name) {
            let body = format!("{{{}:{default}}}", json!(name));
            let input = validate::resource_input(shape, ObjectId::Complex, body.as_bytes());
            let input = input.unwrap_or_else(|_| panic!("{body} is a default of {schema}"));
            assert_eq!(input.content.get(name), Some(default), "{schema}");
        }
    }
}
