//! Random bodies of random declared resources: the validator accepts what the second reading of the rules accepts
//! (`support::schemas`), and stores it in canonical form.

use std::collections::BTreeMap;

use resource_edge::shape::{ObjectId, Record, ResourceInput, Shape};
use resource_edge::validate;
use serde_json::{Value, json};

use crate::support::random::Random;
use crate::support::schemas::rules::KEYWORDS;
use crate::support::schemas::values::{canonical, members, wrong};
use crate::support::schemas::writes::{Lacking, Members, accepts};
use crate::support::schemas::{Design, kind, properties, required, without};

/// Returns a random body: one that a schema accepts, or one with a wrong value.
fn body(schema: &Value, random: &Random) -> Members {
    let mut body = members(schema, 600, random);
    let all: Vec<(&String, &Value)> = properties(schema).collect();
    if random.chance(500) {
        let (name, property) = *random.pick(&all);
        match random.below(6) {
            0 => drop(body.insert("unknown".to_owned(), json!(1))),
            1 => drop(body.insert(name.clone(), Value::Null)),
            2 => drop(body.shift_remove(name)),
            _ => drop(body.insert(name.clone(), wrong(property, random))),
        }
    }
    body
}

/// Returns what the validator reads of a body, if it accepts it.
fn read(shape: &Shape, id: ObjectId, body: &Members) -> Option<ResourceInput> {
    let mut body = body.clone();
    if id == ObjectId::Overwrite {
        body.insert("version".to_owned(), json!(1));
    }
    validate::resource_input(shape, id, Value::Object(body).to_string().as_bytes()).ok()
}

const BODIES: [(ObjectId, Lacking); 3] = [
    (ObjectId::Draft, Lacking::Created),
    (ObjectId::Overwrite, Lacking::Replaced),
    (ObjectId::Complex, Lacking::Kept),
];

#[test]
fn the_validator_accepts_what_the_rules_accept_and_stores_it_in_canonical_form() {
    let random = Random::new(1);
    let mut verdicts = [0; 2];
    for _ in 0..400 {
        let mut design = Design::draw(&random);
        for _ in 0..random.below(4) {
            design = design.changed(&random);
        }
        let schema = design.schema.clone().unwrap_or_default();
        for _ in 0..40 {
            let body = body(&schema, &random);
            for (id, lacking) in BODIES {
                let input = read(&design.shape, id, &body);
                let expected = accepts(&schema, &body, lacking);
                assert_eq!(input.is_some(), expected, "{id:?} {body:?} by {schema}");
                verdicts[usize::from(expected)] += 1;
                if let Some(input) = input.filter(|_| lacking != Lacking::Kept) {
                    is_canonical(&design, &schema, &body, &input);
                }
            }
        }
    }
    assert!(verdicts.iter().all(|count| *count > 10_000), "{verdicts:?}");
}

/// Checks the record of an accepted body, and that it is read back as it is.
fn is_canonical(design: &Design, schema: &Value, body: &Members, input: &ResourceInput) {
    let record = Record {
        id: "a".to_owned(),
        version: 1,
        key: None,
        created_at: 0,
        created_by: None,
        revision: 1,
        last_modified_by: None,
        content: resource_edge::shape::Content::of_body(&design.shape, &input.content),
    };
    let text = record.to_json(&design.shape);
    let (_, content) =
        text.split_once(",\"lastModifiedAt\":\"1970-01-01T00:00:00.001Z\"").expect("its system fields");
    let expected = canonical(schema, &Value::Object(body.clone())).to_string();
    let content = format!("{{{}", content.trim_start_matches(','));
    assert_eq!(content, expected, "{body:?} by {schema}");
    assert_eq!(Record::read(&design.shape, &text), Some(record), "{text}");
}

#[test]
fn a_validator_that_ignores_any_rule_differs() {
    let random = Random::new(2);
    let mut missed: BTreeMap<&str, usize> =
        KEYWORDS.into_iter().chain(["required"]).map(|it| (it, 3)).collect();
    for _ in 0..3_000 {
        let schema = Design::draw(&random).schema.unwrap_or_default();
        let text = schema.to_string();
        for (keyword, left) in missed.iter_mut().filter(|(it, _)| text.contains(&format!("\"{it}\""))) {
            // A default may need the rule that is left out.
            let broken = Design::of(without(&schema, &["default", keyword]));
            let differs = |_| {
                let body = body(&schema, &random);
                let accepts = accepts(&schema, &body, Lacking::Replaced);
                read(&broken.shape, ObjectId::Overwrite, &body).is_some() != accepts
            };
            *left -= usize::from((0..30).any(differs));
        }
        missed.retain(|_, left| *left > 0);
        if missed.is_empty() {
            return;
        }
    }
    panic!("not noticed: {missed:?}");
}

#[test]
fn random_schemas_have_everything_that_a_schema_may_have() {
    let random = Random::new(3);
    let schemas: Vec<Value> =
        (0..300).map(|_| Design::draw(&random).schema.map_or(Value::Null, |it| (*it).clone())).collect();
    let all = Value::from(schemas.clone()).to_string();
    let others = ["default", "x-unique", "x-index", "x-search", "required", "null"];
    for keyword in KEYWORDS.into_iter().chain(others) {
        assert!(all.matches(&format!("\"{keyword}\"")).count() > 20, "{keyword}");
    }
    let lists = |schema: &Value| properties(schema).filter(|(_, it)| it["items"]["type"] == "object").count();
    let nested = |schema: &Value| properties(schema).filter(|(_, it)| kind(it) == "object").count();
    assert!(schemas.iter().map(lists).sum::<usize>() > 50 && schemas.iter().map(nested).sum::<usize>() > 50);
    assert!(schemas.iter().filter(|schema| required(schema).next().is_none()).count() > 20);
}
