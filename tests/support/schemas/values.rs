//! Random values: those that keep the rules of a schema, and those that break one.

use serde_json::{Map, Value, json};

use super::super::random::Random;
use super::rules::fits;
use super::{kind, properties, property, required};

/// Texts, among them one of each pattern and format.
pub const TEXTS: [&str; 16] = [
    "red",
    "Red",
    "BLUE",
    "stra\u{df}e",
    "",
    "AB-7",
    "XY-12",
    "a b",
    "lamp",
    "a@example.org",
    "2026-01-31",
    INSTANTS[0].0,
    INSTANTS[0].1,
    INSTANTS[1].0,
    INSTANTS[1].1,
    "192.0.2.1",
];
/// Two instants, each in two spellings.
pub const INSTANTS: [(&str, &str); 2] = [
    ("2026-01-31T00:00:00.000Z", "2026-01-31T01:30:00+01:30"),
    ("1999-12-31T23:59:59.999Z", "1999-12-31t23:59:59.9994z"),
];
const INTEGERS: [i64; 6] = [-1, 0, 1, 2, 3, 7];
const NUMBERS: [f64; 4] = [0.5, -0.5, 1.5, 2.5];
/// So long that an index entry has only its hash.
const LONG: usize = 520;

/// Returns the scalars of a schema's type that keep its rules.
pub fn choices(schema: &Value) -> Vec<Value> {
    let integers = || INTEGERS.iter().map(|number| json!(number));
    let all: Vec<Value> = match kind(schema) {
        "string" => TEXTS.iter().map(|text| json!(text)).collect(),
        "integer" => integers().collect(),
        "number" => integers().chain(NUMBERS.iter().map(|number| json!(number))).collect(),
        "boolean" => vec![json!(false), json!(true)],
        other => panic!("no scalar: {other}"),
    };
    all.into_iter().filter(|value| fits(schema, value)).collect()
}

/// Returns a random value that keeps the rules of a schema.
pub fn draw(schema: &Value, random: &Random) -> Value {
    match kind(schema) {
        "array" => items(schema, random),
        "object" => Value::Object(members(schema, 600, random)),
        name => {
            let long = json!("x".repeat(LONG + random.below(3) as usize));
            if name == "string" && random.chance(20) && fits(schema, &long) {
                return long;
            }
            random.pick(&choices(schema)).clone()
        }
    }
}

/// Returns members of an object: those that are required, and `permille` of a thousand others.
pub fn members(schema: &Value, permille: u64, random: &Random) -> Map<String, Value> {
    let is_required = |name: &str| required(schema).any(|other| other == name);
    let some = properties(schema).filter(|(name, _)| is_required(name) || random.chance(permille));
    some.map(|(name, inner)| (name.clone(), draw(inner, random))).collect()
}

fn items(schema: &Value, random: &Random) -> Value {
    // More items than an index entry lists, at times.
    let count = if random.chance(20) { 40 } else { random.below(4) };
    let mut items: Vec<Value> = Vec::new();
    let is_unique = schema["uniqueItems"] == true;
    for _ in 0..count.max(schema["minItems"].as_u64().unwrap_or_default()) {
        let item = draw(&schema["items"], random);
        if !is_unique || !items.contains(&item) {
            items.push(item);
        }
    }
    items.truncate(schema["maxItems"].as_u64().map_or(usize::MAX, |most| most as usize));
    items.into()
}

/// Returns a random value that breaks a rule of a schema, or is of another type.
pub fn wrong(schema: &Value, random: &Random) -> Value {
    for _ in 0..8 {
        let value = match random.below(3) {
            0 => draw(&property(random, 2), random),
            1 => random
                .pick(&[json!(1.5), json!(-3), json!("Wrong one"), json!([]), json!({}), json!([1, 1])])
                .clone(),
            _ => spoiled(schema, random),
        };
        if !fits(schema, &value) {
            return value;
        }
    }
    if kind(schema) == "string" { json!(1) } else { json!("x") }
}

/// Returns a value that keeps the rules but for a part of it, or all.
fn spoiled(schema: &Value, random: &Random) -> Value {
    let mut value = draw(schema, random);
    match &mut value {
        Value::Array(items) if random.chance(700) => items.push(wrong(&schema["items"], random)),
        // Some item occurs twice, or there are too many.
        Value::Array(items) => items.extend(items.clone()),
        Value::Object(members) => {
            let all: Vec<(&String, &Value)> = properties(schema).collect();
            let (name, inner) = *random.pick(&all);
            match random.below(4) {
                0 => drop(members.insert("unknown".to_owned(), json!(1))),
                1 => drop(members.shift_remove(name)),
                _ => drop(members.insert(name.clone(), wrong(inner, random))),
            }
        }
        // Of the type, but perhaps against a rule.
        _ => value = random.pick(&choices(&json!({ "type": kind(schema) }))).clone(),
    }
    value
}

/// Returns a value without the members that are null, which means absent.
pub fn without_nulls(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(without_nulls).collect(),
        Value::Object(members) => {
            let given = members.iter().filter(|(_, value)| !value.is_null());
            Value::Object(given.map(|(name, value)| (name.clone(), without_nulls(value))).collect())
        }
        other => other.clone(),
    }
}

/// Returns a value as a record has it: members in the order of the schema, without those that are null.
pub fn canonical(schema: &Value, value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(|item| canonical(&schema["items"], item)).collect(),
        Value::Object(members) => {
            let of = |name: &String| members.get(name).filter(|value| !value.is_null());
            let given = properties(schema).filter_map(|(name, inner)| Some((name, inner, of(name)?)));
            Value::Object(given.map(|(name, inner, value)| (name.clone(), canonical(inner, value))).collect())
        }
        other => other.clone(),
    }
}
