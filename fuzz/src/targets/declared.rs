//! Bodies of random declared resources: the validator accepts exactly what a second reading of the rules accepts, and
//! what it accepts becomes a record that is read back byte for byte.

use resource_edge::contract::limits;
use resource_edge::shape::{Content, ObjectId, Record, System};
use resource_edge::validate::{self, Verdict};
use serde_json::{Map, Number, Value};

use super::input::Input;
use super::json::{Json, grammar};
use crate::native::reference::collection::text;
use crate::support::random::Random;
use crate::support::schemas::values::{canonical, members, wrong};
use crate::support::schemas::writes::{Lacking, Members, accepts};
use crate::support::schemas::{Design, properties};

const BODIES: [(ObjectId, Lacking); 2] =
    [(ObjectId::Draft, Lacking::Created), (ObjectId::Complex, Lacking::Kept)];

/// Runs the target. The input is a seed of a resource, and a body or the seed of one.
pub fn run(data: &[u8]) {
    let mut input = Input(data);
    let (id, lacking) = input.pick(&BODIES);
    let is_text = input.choice(2) == 0;
    // Few seeds, so that an engine finds bodies that fit.
    let random = Random::new(u64::from(input.byte()));
    let mut design = Design::draw(&random);
    for _ in 0..input.choice(3) {
        design = design.changed(&random);
    }
    let schema = design.schema.clone().unwrap_or_default();
    if is_text {
        return check(&design, &schema, id, lacking, input.0);
    }
    let random = Random::new(input.number());
    let mut body = members(&schema, 600, &random);
    for _ in 0..random.below(3) {
        let all: Vec<(&String, &Value)> = properties(&schema).collect();
        let (name, property) = *random.pick(&all);
        let value = if random.chance(300) { Value::Null } else { wrong(property, &random) };
        body.insert(name.clone(), value);
    }
    check(&design, &schema, id, lacking, Value::Object(body).to_string().as_bytes());
}

fn check(design: &Design, schema: &Value, id: ObjectId, lacking: Lacking, body: &[u8]) {
    let verdict = validate::validate(design.shape.object(id), body, &mut Verdict);
    let read = validate::resource_input(&design.shape, id, body);
    assert_eq!(verdict.is_ok(), read.is_ok());
    if let Some(body) = content(body)
        // The second reading knows only the texts of a format that random values have.
        && !schema.to_string().contains("\"format\"")
    {
        let expected = accepts(schema, &body, lacking);
        assert_eq!(verdict.is_ok(), expected, "{body:?} by {schema}: {verdict:?}");
    }
    let Ok(input) = read else { return };
    let record = Record {
        id: "id".to_owned(),
        version: 1,
        key: None,
        created_at: 0,
        created_by: None,
        revision: 1,
        last_modified_by: None,
        content: Content::of_body(&design.shape, &input.content),
    };
    let written = record.to_json(&design.shape);
    assert_eq!(Record::read(&design.shape, &written), Some(record), "{written}");
    // Without what the server sets, the record is a body that changes nothing.
    let mut again: Map<String, Value> = serde_json::from_str(&written).expect("a record is JSON");
    again.retain(|name, _| System::ALL.iter().all(|system| system.name() != name));
    if let Some(body) = content(body) {
        let expected = text(&canonical(schema, &Value::Object(body)));
        assert_eq!(text(&Value::Object(again.clone())), expected, "{written}");
    }
    let again = Value::Object(again).to_string();
    let object = design.shape.object(ObjectId::Complex);
    assert!(validate::validate(object, again.as_bytes(), &mut Verdict).is_ok(), "{again}");
}

/// Returns the members of a body that has only content, if both readers of JSON read the same. Integers have one form.
fn content(body: &[u8]) -> Option<Members> {
    grammar(body).filter(|depth| *depth <= limits::BODY_DEPTH)?;
    let json = Json::parse(body).filter(|json| !json.repeats())?;
    let Value::Object(members) = value(&json)? else { return None };
    let is_system = |name: &String| System::ALL.iter().any(|system| system.name() == name);
    (!members.keys().any(is_system)).then_some(members)
}

fn value(json: &Json) -> Option<Value> {
    Some(match json {
        Json::Null => Value::Null,
        Json::Boolean(truth) => Value::Bool(*truth),
        Json::Number(number) if number.fract() == 0.0 && number.abs() < 9e15 => Value::from(*number as i64),
        Json::Number(number) => Value::Number(Number::from_f64(*number)?),
        Json::Text(text) => Value::from(text.clone()),
        Json::Array(items) => Value::Array(items.iter().map(value).collect::<Option<_>>()?),
        Json::Object(members) => {
            let members = members.iter().map(|(name, inner)| Some((name.clone(), value(inner)?)));
            Value::Object(members.collect::<Option<_>>()?)
        }
    })
}
