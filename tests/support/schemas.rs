//! Random resources that a deployment declares as JSON Schema (D38), and random changes of them (D41).

pub mod changes;
pub mod rules;
pub mod values;
pub mod writes;

use std::fmt;
use std::rc::Rc;

use resource_edge::shape::{Resources, Shape};
use resource_edge::validate::read_resources;
use serde_json::{Map, Value, json};

use super::random::Random;

/// The names of properties: few, so that a removed name returns with another type.
pub const NAMES: [&str; 8] = ["title", "price", "status", "tags", "size", "parts", "note", "code"];
/// The names of properties inside others. Some are also those of the resource itself.
const INNER: [&str; 5] = ["width", "unit", "note", "code", "tags"];
/// How many objects and arrays are inside a property.
const DEPTH: u64 = 3;

/// A resource: the schema by which it is declared, and the shape that the service reads from it.
#[derive(Clone, Default)]
pub struct Design {
    /// `None` for the resource of the interface.
    pub schema: Option<Rc<Value>>,
    pub shape: Rc<Shape>,
}

impl fmt::Debug for Design {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.schema {
            Some(schema) => write!(f, "{schema}"),
            None => f.write_str("the interface's resource"),
        }
    }
}

impl Design {
    pub fn of(schema: Value) -> Self {
        let shape = Shape::of_schema(&schema.to_string());
        let shape = Rc::new(shape.unwrap_or_else(|refused| panic!("{schema}: {refused:?}")));
        Self { schema: Some(Rc::new(schema)), shape }
    }

    /// Returns a random declared resource.
    pub fn draw(random: &Random) -> Self {
        Self::of(draw(random))
    }

    /// Returns the resource after a random change. That of the interface has none.
    #[must_use]
    pub fn changed(&self, random: &Random) -> Self {
        match &self.schema {
            Some(schema) => Self::of(changes::changed(schema, random)),
            None => self.clone(),
        }
    }

    /// Returns the properties of a declared resource.
    pub fn properties(&self) -> impl Iterator<Item = (&String, &Value)> {
        self.schema.iter().flat_map(|schema| properties(schema))
    }

    /// Returns the schema of a property at any depth. `path`: the names from the resource down, joined by dots.
    pub fn at(&self, path: &str) -> Option<&Value> {
        let mut schema: &Value = self.schema.as_ref()?;
        for name in path.split('.') {
            let object = if schema["items"].is_object() { &schema["items"] } else { schema };
            schema = object["properties"].get(name)?;
        }
        Some(schema)
    }
}

/// Returns resources of which every project has this one.
pub fn resources(design: &Design) -> Rc<Resources> {
    let Some(schema) = &design.schema else { return Rc::default() };
    let content = json!({ "resources": { "thing": **schema } }).to_string();
    Rc::new(read_resources(&content).unwrap_or_else(|refused| panic!("{content}: {refused:?}")))
}

/// Returns the properties of an object's schema.
pub fn properties(schema: &Value) -> impl Iterator<Item = (&String, &Value)> {
    schema["properties"].as_object().into_iter().flatten()
}

/// Returns the names that `required` lists.
pub fn listed(schema: &Value) -> impl Iterator<Item = &str> {
    schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str)
}

/// Returns the names of the properties that an object must have: where null is a value, it means the same as absence.
pub fn required(schema: &Value) -> impl Iterator<Item = &str> {
    let is_nullable = |property: &Value| property["type"].is_array() && property["enum"].is_null();
    listed(schema).filter(move |name| !is_nullable(&schema["properties"][name]))
}

/// Returns the type of the values of a schema.
pub fn kind(schema: &Value) -> &str {
    let named = schema["type"].as_str().or_else(|| schema["type"][0].as_str());
    named.unwrap_or_else(|| panic!("a type in {schema}"))
}

/// Returns a schema without these keywords, at any depth.
pub fn without(schema: &Value, keywords: &[&str]) -> Value {
    let members = schema.as_object().into_iter().flatten();
    let kept = members.filter(|(name, _)| !keywords.contains(&name.as_str()));
    let inner = |name: &String, value: &Value| match (name.as_str(), value) {
        ("properties", Value::Object(properties)) => {
            let all = properties.iter().map(|(name, inner)| (name.clone(), without(inner, keywords)));
            Value::Object(all.collect())
        }
        ("items", items) => without(items, keywords),
        _ => value.clone(),
    };
    Value::Object(kept.map(|(name, value)| (name.clone(), inner(name, value))).collect())
}

/// Returns the schema of a random resource.
pub fn draw(random: &Random) -> Value {
    let mut schema = object(random, DEPTH, &NAMES);
    let names: Vec<String> = properties(&schema).map(|(name, _)| name.clone()).collect();
    for name in names {
        if random.chance(200) {
            changes::set_default(&mut schema["properties"][&name], random);
        }
    }
    schema
}

fn object(random: &Random, depth: u64, names: &[&str]) -> Value {
    let mut members = Map::new();
    for name in names {
        if random.chance(500) {
            members.insert((*name).to_owned(), property(random, depth - 1));
        }
    }
    let first = *random.pick(names);
    if members.is_empty() {
        members.insert(first.to_owned(), property(random, depth - 1));
    }
    let required: Vec<&String> = members.keys().filter(|_| random.chance(250)).collect();
    let mut schema = json!({ "type": "object", "properties": members, "required": required });
    if required.is_empty() {
        schema.as_object_mut().expect("an object").shift_remove("required");
    }
    schema
}

/// Returns a random schema of a property that has so many levels inside.
pub fn property(random: &Random, depth: u64) -> Value {
    let mut schema = match random.below(if depth == 0 { 6 } else { 11 }) {
        0..5 => scalar(random),
        5 | 6 => list(random, scalar(random)),
        7 | 8 => object(random, depth, &INNER),
        _ => list(random, object(random, depth, &INNER)),
    };
    mark(&mut schema, random);
    schema
}

fn scalar(random: &Random) -> Value {
    let name = *random.pick(&["string", "string", "integer", "number", "boolean"]);
    let mut schema = json!({ "type": name });
    if random.chance(150) {
        schema["type"] = json!([name, "null"]);
    }
    rules::add(&mut schema, random);
    schema
}

fn list(random: &Random, mut items: Value) -> Value {
    // An item is never null.
    items["type"] = json!(kind(&items));
    let mut schema = json!({ "type": "array", "items": items });
    rules::add(&mut schema, random);
    schema
}

/// Adds what a schema says beside the values.
fn mark(schema: &mut Value, random: &Random) {
    let name = kind(schema).to_owned();
    if random.chance(150) && matches!(name.as_str(), "string" | "integer" | "number") {
        schema["x-unique"] = json!(true);
    }
    if random.chance(120) {
        schema["x-index"] = json!(false);
    }
    if random.chance(100) && name == "string" {
        schema["x-search"] = json!(false);
    }
}
