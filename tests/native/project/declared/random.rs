//! Random shapes, bodies, and conditions: before and after changes of the shape, each query finds what the reference
//! finds, and the index is what a rebuild writes.

use proptest::prelude::*;
use resource_edge::project::store::database::Database;
use resource_edge::shape::{DataType, FieldPath, FieldType, QueryField};
use serde_json::Map;

use super::reference::{holds, values};
use super::*;
use crate::support::random::Random;

const NAMES: [&str; 4] = ["a", "b", "c", "d"];
const TEXTS: [&str; 6] = ["red", "Red", "BLUE", "stra\u{df}e", "", "2026-01-31T00:00:00.000Z"];
const TIMES: [&str; 2] = ["2026-01-31T00:00:00.000Z", "1999-12-31T23:59:59.999Z"];

/// Returns the schema of a random value.
fn random_value(random: &Random, depth: u64) -> Value {
    let scalar = || match random.below(5) {
        0 => json!({"type": "integer"}),
        1 => json!({"type": "number"}),
        2 => json!({"type": "boolean"}),
        3 => json!({"type": "string", "format": "date-time"}),
        _ => json!({"type": "string"}),
    };
    match random.below(if depth == 0 { 3 } else { 6 }) {
        0 | 1 => scalar(),
        2 => json!({"type": "array", "items": scalar()}),
        3 => random_object(random, depth - 1),
        _ => json!({"type": "array", "items": random_object(random, depth - 1)}),
    }
}

fn random_object(random: &Random, depth: u64) -> Value {
    let mut properties = Map::new();
    for name in NAMES {
        if random.chance(600) {
            properties.insert(name.to_owned(), random_value(random, depth));
        }
    }
    json!({"type": "object", "properties": properties})
}

fn random_schema(random: &Random) -> Value {
    let mut schema = random_object(random, 3);
    let properties = schema["properties"].as_object_mut().unwrap();
    properties.entry("a").or_insert(json!({"type": "string"}));
    for property in properties.values_mut() {
        if random.chance(200) {
            property["x-index"] = json!(false);
        }
    }
    schema
}

/// Returns a random value of a schema.
fn random_json(random: &Random, schema: &Value) -> Value {
    match schema["type"].as_str().unwrap() {
        "integer" => json!(random.below(4)),
        "number" => {
            let number = random.below(6) as f64 / 2.0;
            if number.fract() == 0.0 { json!(number as i64) } else { json!(number) }
        }
        "boolean" => json!(random.chance(500)),
        "string" if schema.get("format").is_some() => json!(random.pick(&TIMES)),
        "string" if random.chance(30) => json!("x".repeat(520 + random.below(3) as usize)),
        "string" => json!(random.pick(&TEXTS)),
        "array" => {
            // More items than an index entry lists, at times.
            let count = if random.chance(30) { 40 } else { random.below(4) };
            (0..count).map(|_| random_json(random, &schema["items"])).collect()
        }
        _ => {
            let mut object = Map::new();
            for (name, inner) in schema["properties"].as_object().unwrap() {
                if random.chance(700) {
                    object.insert(name.clone(), random_json(random, inner));
                }
            }
            Value::Object(object)
        }
    }
}

/// Returns a random condition on what is inside a field, or on the resource.
fn random_condition(random: &Random, shape: &Shape, within: Option<&QueryField>, depth: u64) -> String {
    let names = shape.names_within(within);
    if names.is_empty() {
        return String::new();
    }
    match random.below(if depth == 0 { 1 } else { 4 }) {
        0 | 1 => random_test(random, shape, within, depth),
        2 => {
            let word = if random.chance(500) { "and" } else { "or" };
            let parts: Vec<String> = (0..2)
                .map(|_| random_condition(random, shape, within, depth - 1))
                .filter(|part| !part.is_empty())
                .collect();
            if parts.is_empty() { String::new() } else { format!("({})", parts.join(&format!(" {word} "))) }
        }
        _ => match random_condition(random, shape, within, depth - 1) {
            inner if inner.is_empty() => inner,
            inner => format!("not ({inner})"),
        },
    }
}

fn random_test(random: &Random, shape: &Shape, within: Option<&QueryField>, depth: u64) -> String {
    let names = shape.names_within(within);
    let mut name = random.pick(&names).clone();
    let Some(mut field) = shape.field_of(within, &name) else { return String::new() };
    // Further down the path.
    while matches!(field.field_type, FieldType::Object(_)) && random.chance(500) {
        let inner = shape.names_within(Some(&field));
        if inner.is_empty() {
            break;
        }
        let next = random.pick(&inner).clone();
        field = shape.field_of(Some(&field), &next).unwrap();
        name = format!("{name}.{next}");
    }
    let Some(data_type) = field.field_type.data() else {
        let inner = random_condition(random, shape, Some(&field), depth.saturating_sub(1));
        return match random.below(4) {
            0 => format!("{name} is {}defined", if random.chance(500) { "not " } else { "" }),
            1 if field.array => format!("{name} is {}empty", if random.chance(500) { "not " } else { "" }),
            _ if inner.is_empty() => format!("{name} is defined"),
            _ => format!("{name}({inner})"),
        };
    };
    scalar_test(random, &name, &field, data_type)
}

/// Returns a random test of a field with values of this type.
fn scalar_test(random: &Random, name: &str, field: &QueryField, data_type: DataType) -> String {
    let value = || match data_type {
        DataType::Text if random.chance(50) => format!("\"{}\"", "x".repeat(521)),
        DataType::Text => format!("\"{}\"", random.pick(&TEXTS)),
        DataType::Number => format!("{}", random.below(6) as f64 / 2.0),
        DataType::Boolean => random.chance(500).to_string(),
        DataType::DateTime => format!("\"{}\"", random.pick(&TIMES)),
    };
    let list = || {
        let count = if random.chance(100) { 10 } else { 1 + random.below(3) };
        (0..count).map(|_| value()).collect::<Vec<_>>().join(", ")
    };
    match random.below(8) {
        0 => format!("{name} is {}defined", if random.chance(500) { "not " } else { "" }),
        1 if field.array => format!("{name} is {}empty", if random.chance(500) { "not " } else { "" }),
        2 if field.array => {
            format!("{name} contains {} ({})", if random.chance(500) { "all" } else { "any" }, list())
        }
        3 if data_type == DataType::Text => format!("{name} matches ignore case {}", value()),
        4 => format!("{name} {}in ({})", if random.chance(500) { "not " } else { "" }, list()),
        5 | 6 if data_type != DataType::Boolean => {
            format!("{name} {} {}", random.pick(&["<", "<=", ">", ">="]), value())
        }
        _ => format!("{name} {} {}", random.pick(&["=", "!="]), value()),
    }
}

/// Returns the stored resources by creation, as JSON.
fn bodies(declared: &Declared) -> Vec<Value> {
    let sql = "SELECT body FROM resource ORDER BY seq";
    let bodies = Database::rows(declared.project.database(), sql, &[], |row| row.text(0)).unwrap();
    bodies.iter().map(|body| serde_json::from_str(body).unwrap()).collect()
}

fn ask(declared: &mut Declared, random: &Random) -> Result<(), TestCaseError> {
    let stored = bodies(declared);
    for _ in 0..6 {
        let shape = Rc::clone(&declared.shape);
        let text = random_condition(random, &shape, None, 3);
        if text.is_empty() {
            continue;
        }
        let condition = declared.condition(&text);
        let expected: Vec<&str> = stored
            .iter()
            .filter(|body| holds(&condition, body, 0))
            .map(|body| body["id"].as_str().unwrap())
            .collect();
        prop_assert_eq!(declared.ids(&text, &[]), expected, "{}", text);
    }
    Ok(())
}

fn sort(declared: &mut Declared, random: &Random) -> Result<(), TestCaseError> {
    let stored = bodies(declared);
    let paths: Vec<FieldPath> = declared
        .shape
        .query_fields()
        .into_iter()
        .filter(|field| field.field_type.data().is_some())
        .filter_map(|field| field.path)
        .collect();
    for _ in 0..2 {
        let path = random.pick(&paths);
        let descending = random.chance(500);
        let mut expected: Vec<(Option<predicate::Value>, &str)> = stored
            .iter()
            .map(|body| {
                let values = values(body, path);
                let edge = if descending { values.last() } else { values.first() };
                (edge.cloned(), body["id"].as_str().unwrap())
            })
            .collect();
        // Resources without a value are last, and ties are in the order of creation.
        expected.sort_by(|(one, _), (other, _)| match (one, other) {
            (Some(one), Some(other)) => {
                let order = super::reference::compare(one, other);
                if descending { order.reverse() } else { order }
            }
            (one, other) => one.is_none().cmp(&other.is_none()),
        });
        let expected: Vec<&str> = expected.into_iter().map(|(_, id)| id).collect();
        let key = format!("{path} {}", if descending { "desc" } else { "asc" });
        prop_assert_eq!(declared.ids("", &[&key]), expected, "{}", key);
    }
    Ok(())
}

/// Gives some fields other types, and adds others.
fn redeploy(declared: &mut Declared, schema: &mut Value, random: &Random) {
    let other = random_schema(random);
    for (name, property) in other["properties"].as_object().unwrap() {
        if random.chance(400) {
            schema["properties"][name] = property.clone();
        }
    }
    declared.deploy(schema);
}

fn put(declared: &mut Declared, schema: &Value, random: &Random) -> Result<(), TestCaseError> {
    let mut body = random_json(random, schema);
    body["id"] = json!(format!("r{}", random.below(6)));
    let perform = random.pick(&[Declared::post, Declared::patch]);
    let reply = perform(declared, &body);
    prop_assert_eq!(status(&reply), 0, "{}", body);
    Ok(())
}

fn play(seed: u64) -> Result<(), TestCaseError> {
    let random = Random::new(seed);
    let mut schema = random_schema(&random);
    let mut declared = Declared::new(&schema);
    for step in 0..14 {
        match random.below(10) {
            0 if step > 4 => redeploy(&mut declared, &mut schema, &random),
            1 => declared.crash(),
            2 => {
                ask(&mut declared, &random)?;
                sort(&mut declared, &random)?;
            }
            _ => put(&mut declared, &schema, &random)?,
        }
    }
    ask(&mut declared, &random)?;
    sort(&mut declared, &random)?;
    // What remains in the index is nothing.
    for body in bodies(&declared) {
        let id = body["id"].as_str().unwrap().to_owned();
        let reply = declared.call(write(Change::DeleteById { id, version: None }).call);
        prop_assert_eq!(status(&reply), 0);
    }
    for table in ["term", "vocabulary"] {
        let count = format!("SELECT count(*) FROM {table}");
        prop_assert_eq!(declared.project.database().number(&count), 0, "{}", table);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn queries_find_what_the_reference_finds_whatever_the_shape_was(seed in any::<u64>()) {
        play(seed)?;
    }
}
