//! The OpenAPI documents of random declared resources, with bodies and whether the validator accepts them. A test of
//! the npm package compares these with what the schemas of the documents accept.

use std::fmt::Write as _;

use resource_edge::openapi;
use resource_edge::shape::{ObjectId, Resources, Shape};
use resource_edge::validate::{Verdict, validate};
use serde_json::{Map, Value, json};

use super::write_for_javascript;
use crate::support::random::Random;
use crate::support::schemas::values::{draw, members, wrong};
use crate::support::schemas::writes::Act;
use crate::support::schemas::{Design, kind, properties};

const DESIGNS: usize = 150;
/// The number of bodies of each kind.
const BODIES: usize = 30;

/// Returns a random value of a property: often one that its schema accepts.
fn value(property: &Value, random: &Random) -> Value {
    match random.below(6) {
        0 => Value::Null,
        1 => wrong(property, random),
        _ => draw(property, random),
    }
}

/// Returns a random body with the fields of the content, and perhaps a version.
fn content(schema: &Value, random: &Random) -> Map<String, Value> {
    let mut body = members(schema, 600, random);
    let all: Vec<(&String, &Value)> = properties(schema).collect();
    let (name, property) = *random.pick(&all);
    match random.below(8) {
        0 => drop(body.insert("unknown".to_owned(), json!(1))),
        1 | 2 => drop(body.shift_remove(name)),
        3 | 4 => drop(body.insert(name.clone(), value(property, random))),
        _ => {}
    }
    if random.chance(500) {
        let version =
            random.pick(&[json!(1), json!(7), json!(7), Value::Null, json!("1"), json!(-1)]).clone();
        body.insert("version".to_owned(), version);
    }
    body
}

/// Returns the body of a random update.
fn update(schema: &Value, random: &Random) -> Value {
    let all: Vec<(&String, &Value)> = properties(schema).collect();
    let action = || {
        let (name, property) = *random.pick(&all);
        let items = || -> Vec<Value> {
            let item = if property["items"].is_object() { &property["items"] } else { property };
            (0..random.below(3))
                .map(|_| if random.chance(800) { draw(item, random) } else { wrong(item, random) })
                .collect()
        };
        let mut action = match random.below(4) {
            0 => Act::Add(name.clone(), items()).to_json(),
            1 => Act::Remove(name.clone(), items()).to_json(),
            _ => Act::Set(name.clone(), value(property, random)).to_json(),
        };
        if kind(property) != "array" && random.chance(100) {
            action[name] = json!([]);
        }
        match random.below(20) {
            0 => drop(action.as_object_mut().and_then(|action| action.shift_remove(name))),
            1 => action["unknown"] = json!(1),
            2 => action["action"] = json!("doSomeThing"),
            _ => {}
        }
        action
    };
    json!({ "version": 1, "actions": (0..random.below(3)).map(|_| action()).collect::<Vec<_>>() })
}

fn batch(schema: &Value, random: &Random) -> Value {
    let write = || match random.below(4) {
        0 => json!({ "operation": "updateById", "id": "a", "body": update(schema, random) }),
        1 => json!({ "operation": "deleteById", "id": "a", "version": 1 }),
        2 => json!({ "operation": "overwrite", "body": content(schema, random) }),
        _ => json!({ "operation": "createOrUpdate", "body": content(schema, random) }),
    };
    json!({ "writes": (0..random.below(3)).map(|_| write()).collect::<Vec<_>>() })
}

/// Returns bodies of a shape, each with its kind, and whether the validator accepts it.
fn bodies(shape: &Shape, schema: &Value, random: &Random, verdicts: &mut [usize; 2]) -> Vec<Value> {
    let mut all = Vec::new();
    for id in ObjectId::BODIES {
        for _ in 0..BODIES {
            let body = match id {
                ObjectId::Update => update(schema, random),
                ObjectId::Batch => batch(schema, random),
                _ => content(schema, random).into(),
            };
            let text = body.to_string();
            let is_valid = validate(shape.object(id), text.as_bytes(), &mut Verdict).is_ok();
            verdicts[usize::from(is_valid)] += 1;
            all.push(json!({ "kind": id.name(), "body": body, "valid": is_valid }));
        }
    }
    all
}

#[test]
fn documents_and_bodies_with_their_verdicts_are_written_for_javascript() {
    let random = Random::new(7);
    let mut out = String::new();
    let mut verdicts = [0; 2];
    for _ in 0..DESIGNS {
        let schema = Design::draw(&random).schema.unwrap_or_default();
        let resources = json!({ "resources": { "thing": *schema } });
        let resources = Resources::read(&resources.to_string()).unwrap();
        let document: Value = openapi::of_declared(resources.declaration("demo").unwrap()).parse().unwrap();
        let bodies = bodies(resources.shape("demo"), &schema, &random, &mut verdicts);
        writeln!(out, "{}", json!({ "document": document, "bodies": bodies })).unwrap();
    }
    assert!(verdicts.iter().all(|count| *count > DESIGNS * BODIES), "{verdicts:?}");
    write_for_javascript("documents.jsonl", &out);
}
