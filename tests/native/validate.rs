//! Bodies with their native results, which the tests of the npm package compare: valid ones, ones with one fault
//! or several, and texts that are not JSON.

use std::fmt::Write as _;

use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use resource_edge::contract::api::endpoint;
use resource_edge::contract::error::ErrorItem;
use resource_edge::contract::limits;
use resource_edge::shape::{ObjectId, Shape, content, model, types};
use resource_edge::util::{json, time};
use resource_edge::validate::{Rejection, Verdict, validate};
use serde_json::{Value, json};

use super::write_for_javascript;
use crate::support::random::Random;
use crate::support::schemas::values::{draw, members, wrong};
use crate::support::schemas::writes::Act;
use crate::support::schemas::{Design, properties};

#[path = "../../src/validate/tests/generate.rs"]
#[allow(dead_code, clippy::panic, reason = "the library's own tests use the records, and may panic")]
mod generate;

/// The number of bodies of each kind, for each of the three sorts.
const COUNT: usize = 500;
/// The number of declared resources, and of the bodies of each kind of one.
const DESIGNS: usize = 120;
const DECLARED: usize = 20;

#[test]
fn bodies_and_their_native_results_are_written_for_javascript() {
    let mut runner = TestRunner::deterministic();
    let mut out = String::new();
    let mut verdicts = [0; 2];
    let shape = Shape::built_in();
    for (kind, id) in ObjectId::BODIES.into_iter().enumerate() {
        let schema = shape.object(id);
        let valid = generate::body(schema);
        let broken = (valid.clone(), prop::collection::vec(change(), 1..5))
            .prop_map(|(body, changes)| broken(&body, &changes));
        let torn =
            (valid.clone(), any::<Index>(), select(b"{}[]\",:\\u0e-. n\x00\x1f\xff\xc3".to_vec()), 0_u8..4)
                .prop_map(|(body, at, byte, way)| torn(body.into_bytes(), at, byte, way));
        for _ in 0..COUNT {
            for body in [
                valid.new_tree(&mut runner).unwrap().current().into_bytes(),
                broken.new_tree(&mut runner).unwrap().current(),
                torn.new_tree(&mut runner).unwrap().current(),
            ] {
                let verdict = validate(schema, &body, &mut Verdict);
                verdicts[usize::from(verdict.is_ok())] += 1;
                writeln!(out, "{}", line(kind, &body, verdict)).unwrap();
            }
        }
    }
    let [invalid, valid] = verdicts;
    assert!(valid > 4 * COUNT && invalid > 5 * COUNT, "{verdicts:?}");
    write_for_javascript("bodies.jsonl", &out);
}

#[test]
fn bodies_of_declared_resources_and_their_native_results_are_written_for_javascript() {
    let (random, mut runner) = (Random::new(1), TestRunner::deterministic());
    let changes = prop::collection::vec(change(), 1..4);
    let mut out = String::new();
    let mut verdicts = [0; 2];
    for _ in 0..DESIGNS {
        let mut design = Design::draw(&random);
        for _ in 0..random.below(3) {
            design = design.changed(&random);
        }
        let schema = design.schema.clone().unwrap_or_default();
        let mut bodies = Vec::new();
        for (kind, id) in ObjectId::BODIES.into_iter().enumerate() {
            for _ in 0..DECLARED {
                let mut body = declared(id, &schema, &random).to_string().into_bytes();
                if random.chance(300) {
                    let changes = changes.new_tree(&mut runner).unwrap().current();
                    body = broken(core::str::from_utf8(&body).unwrap(), &changes);
                }
                let verdict = validate(design.shape.object(id), &body, &mut Verdict);
                verdicts[usize::from(verdict.is_ok())] += 1;
                bodies.push(line(kind, &body, verdict));
            }
        }
        writeln!(out, "{}", json!({"schema": *schema, "bodies": bodies})).unwrap();
    }
    assert!(verdicts.iter().all(|count| *count > 20 * DESIGNS), "{verdicts:?}");
    write_for_javascript("declared-bodies.jsonl", &out);
}

/// Returns a body of a declared resource with values that often keep its rules.
fn declared(id: ObjectId, schema: &Value, random: &Random) -> Value {
    let all: Vec<(&String, &Value)> = properties(schema).collect();
    if id == ObjectId::Update {
        let action = || {
            let (name, property) = *random.pick(&all);
            let value = if random.chance(700) { draw(property, random) } else { wrong(property, random) };
            match random.below(3) {
                0 => Act::Add(name.clone(), value.as_array().cloned().unwrap_or_default()).to_json(),
                _ => Act::Set(name.clone(), value).to_json(),
            }
        };
        return json!({"version": 1, "actions": (0..random.below(3)).map(|_| action()).collect::<Vec<_>>()});
    }
    if id == ObjectId::Batch {
        let write = || {
            let (operation, id) = *random.pick(&[
                ("createOrUpdate", ObjectId::Draft),
                ("overwrite", ObjectId::Overwrite),
                ("updateById", ObjectId::Update),
            ]);
            let id_beside = (id == ObjectId::Update).then_some("a");
            let mut write = json!({"operation": operation, "body": declared(id, schema, random)});
            if let Some(id) = id_beside {
                write["id"] = json!(id);
            }
            write
        };
        return json!({"writes": (0..=random.below(2)).map(|_| write()).collect::<Vec<_>>()});
    }
    let mut body = members(schema, 600, random);
    if random.chance(400) {
        let (name, property) = *random.pick(&all);
        body.insert(name.clone(), wrong(property, random));
    }
    if random.chance(500) || id == ObjectId::Overwrite {
        body.insert("version".to_owned(), json!(1));
    }
    Value::Object(body)
}

/// Returns a body with its result as a line of JSON.
fn line(kind: usize, body: &[u8], verdict: Result<(), Rejection>) -> Value {
    let (issues, more) = match verdict {
        Ok(()) => (Vec::new(), 0),
        Err(Rejection::Issues { issues, more }) => (issues, more),
        Err(rejection) => (vec![rejection.into_first()], 0),
    };
    // As texts: a number must not pass through another JSON reader.
    let issues: Vec<String> = issues.iter().map(json).collect();
    let text = core::str::from_utf8(body).ok();
    json!({"kind": kind, "text": text, "bytes": if text.is_none() { Some(body) } else { None }, "issues": issues, "more": more})
}

fn json(issue: &ErrorItem) -> String {
    let mut out = String::new();
    issue.write(&mut out);
    out
}

/// A change at a place of a body.
#[derive(Debug, Clone)]
enum Change {
    Replace(Value),
    Remove,
    Add(String, Value),
    Repeat(usize),
}

/// Marks a lone surrogate, which a `Value` cannot contain.
const HALF: &str = "HALF";

fn value() -> impl Strategy<Value = Value> {
    let values = json!([
        null, true, 0, -1, 1.5, 1e300, 2_147_483_648_i64, -9_007_199_254_740_992_i64, 9_007_199_254_740_991_i64,
        "", ".", "key=x", "searchApiPattern", "\0", "tab\there \"quoted\" \\ /", "\u{7f}", "grün 😀", HALF,
        "é".repeat(128), "é".repeat(129), "x".repeat(256), "x".repeat(257),
        "2024-02-29T23:59:59.999Z", "2023-02-29T00:00:00.000Z", "0000-01-01T00:00:00.000Z", "doSomeThing", "doNothing",
        [], [1, 2, 3], [0, -0.0, 1, 0], {}, {"a": [{"b": [[{}]]}]},
        [{"action": "doSomeThing", "someProperty": 1}, {"action": 1}, {"someProperty": "x"}],
    ]);
    select(values.as_array().cloned().unwrap_or_default())
}

fn change() -> impl Strategy<Value = (Index, Change)> {
    let names =
        "eleventhProperty 0 a/b~c __proto__ constructor ID grün 7654321 version objectTypeProperty action";
    let names: Vec<String> = names.split(' ').chain([""]).map(str::to_owned).collect();
    let name = prop_oneof![select(names), Just("9".repeat(120)), "[a-z]{1,9}"];
    let change = prop_oneof![
        4 => value().prop_map(Change::Replace),
        2 => Just(Change::Remove),
        3 => (name, value()).prop_map(|(name, value)| Change::Add(name, value)),
        1 => select(vec![1_usize, 2, 120, 600]).prop_map(Change::Repeat),
    ];
    (any::<Index>(), change)
}

/// Returns the changed body, printed as JavaScript would, except for the numbers.
fn broken(body: &str, changes: &[(Index, Change)]) -> Vec<u8> {
    let mut value: Value = serde_json::from_str(body).unwrap();
    for (at, change) in changes {
        let mut places = Vec::new();
        collect(&value, String::new(), &mut places);
        let pointer = at.get(&places).clone();
        apply(&mut value, &pointer, change);
    }
    value.to_string().replace(HALF, "\\ud800").into_bytes()
}

/// Collects the JSON Pointers of all values inside.
fn collect(value: &Value, at: String, out: &mut Vec<String>) {
    match value {
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, item)| collect(item, format!("{at}/{index}"), out));
        }
        Value::Object(members) => members.iter().for_each(|(name, member)| {
            collect(member, format!("{at}/{}", name.replace('~', "~0").replace('/', "~1")), out);
        }),
        _ => {}
    }
    out.push(at);
}

fn apply(value: &mut Value, pointer: &str, change: &Change) {
    let Some(place) = value.pointer_mut(pointer) else { return };
    match (change, place) {
        (Change::Replace(with), place) => *place = with.clone(),
        (Change::Add(name, with), Value::Object(members)) => {
            members.insert(name.clone(), with.clone());
        }
        (Change::Add(_, with), Value::Array(items)) => items.push(with.clone()),
        (Change::Repeat(times), Value::Array(items)) => {
            let first = items.first().cloned().unwrap_or(Value::Null);
            items.extend(std::iter::repeat_n(first, *times));
        }
        (Change::Remove, Value::Object(members)) => {
            let first = members.keys().next().cloned();
            first.map(|name| members.remove(&name));
        }
        (Change::Remove, Value::Array(items)) => {
            items.pop();
        }
        _ => {}
    }
}

/// Returns the text with one changed byte, or with a duplicate member.
fn torn(mut body: Vec<u8>, at: Index, byte: u8, way: u8) -> Vec<u8> {
    let at = at.index(body.len());
    match way {
        0 => body.insert(at, byte),
        1 => body[at] = byte,
        2 => body.truncate(at),
        _ => {
            let text = String::from_utf8(body).unwrap();
            let inside = text.trim().trim_start_matches('{').trim_end_matches('}').trim();
            body = format!(
                "{{{inside}{}\"custom\":1,\"\\u0063ustom\":null}}",
                if inside.is_empty() { "" } else { "," }
            )
            .into_bytes();
        }
    }
    body
}
