//! Random deployments and writes.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::Stage;
use crate::test;

/// What happens to a project.
#[derive(Debug, Clone)]
enum Step {
    /// Another table: of some of the fields, in some order, each with one of its types.
    Deploy(Vec<(usize, usize)>),
    Write {
        id: usize,
        values: Vec<(usize, usize)>,
    },
    Delete(usize),
}

const NAMES: [&str; 3] = ["one", "two", "three"];
const KINDS: [&str; 6] = ["text", "text[]", "integer", "number", "datetime", "number[]"];

fn value(kind: &str, at: usize) -> Value {
    let texts = ["red", "Blue", "2026-01-31T00:00:00.000Z"];
    match kind {
        "text" => json!(texts[at % 3]),
        "text[]" => texts.iter().take(at % 4).copied().collect(),
        "integer" => json!(at),
        "number[]" => (0..at).map(|at| json!(at)).collect(),
        // As JSON has it: a whole number without a fraction.
        "number" if at.is_multiple_of(2) => json!(at / 2),
        "number" => json!(at as f64 / 2.0),
        _ => json!(texts[2]),
    }
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let pairs = prop::collection::vec((0..NAMES.len(), 0..KINDS.len()), 0..4);
    let step = prop_oneof![
        2 => pairs.clone().prop_map(Step::Deploy),
        4 => (0..4_usize, pairs).prop_map(|(id, values)| Step::Write { id, values }),
        1 => (0..4_usize).prop_map(Step::Delete),
    ];
    prop::collection::vec(step, 1..24)
}

/// A project, the fields of its deployment, and the values that its records have.
struct Play {
    stage: Stage,
    table: Vec<(&'static str, &'static str)>,
    model: BTreeMap<String, BTreeMap<&'static str, Value>>,
}

impl Play {
    fn step(mut self, step: &Step) -> Self {
        match step {
            Step::Deploy(fields) => return self.deploy(fields),
            Step::Write { id, values } => self.write(&format!("r{id}"), values),
            Step::Delete(id) => {
                let id = format!("r{id}");
                if self.model.remove(&id).is_some() {
                    self.stage.delete(&id);
                }
            }
        }
        self
    }

    fn deploy(self, fields: &[(usize, usize)]) -> Self {
        let mut table: Vec<(&str, &str)> = Vec::new();
        for (name, kind) in fields {
            if table.iter().all(|(other, _)| *other != NAMES[*name]) {
                table.push((NAMES[*name], KINDS[*kind]));
            }
        }
        let text: String = table.iter().flat_map(|(name, kind)| [*name, " ", *kind, "\n"]).collect();
        Self { stage: self.stage.deploy(&text).0, table, ..self }
    }

    fn write(&mut self, id: &str, values: &[(usize, usize)]) {
        let Self { stage, table, model } = self;
        let mut members = Map::new();
        let record = model.entry(id.to_owned()).or_default();
        record.retain(|name, _| table.iter().any(|(known, _)| known == name));
        for (name, at) in values {
            let Some((name, kind)) = table.iter().find(|(known, _)| *known == NAMES[*name]) else { continue };
            let value = value(kind, *at);
            members.insert((*name).to_owned(), value.clone());
            record.insert(name, value);
        }
        record.retain(|_, value| *value != json!([]));
        stage.post(id, &Value::Object(members));
    }

    /// Checks the index, and that the records have their values.
    fn check(&self) {
        self.stage.check();
        let bodies = self.stage.bodies();
        assert_eq!(bodies.len(), self.model.len());
        for (id, body) in bodies {
            let own = NAMES.iter().filter_map(|name| Some((*name, body.get(*name)?.clone())));
            let own: BTreeMap<&str, Value> = own.filter(|(_, value)| *value != json!([])).collect();
            assert_eq!(Some(&own), self.model.get(&id), "{id}");
        }
    }

    /// Checks that queries find the records that have a value.
    fn ask(&mut self) {
        for (name, kind) in &self.table {
            let all: BTreeSet<String> = self.model.keys().cloned().collect();
            for direction in ["asc", "desc"] {
                let sorted = self.stage.sorted(&format!("{name} {direction}"));
                assert_eq!(sorted.len(), all.len(), "{name} {direction}");
                assert_eq!(sorted.into_iter().collect::<BTreeSet<_>>(), all);
            }
            let kind = kind.trim_end_matches("[]");
            for at in 0..3 {
                let wanted = value(kind, at);
                let has = |value: &Value| match value {
                    Value::Array(items) => items.contains(&wanted),
                    value => *value == wanted,
                };
                let found: BTreeSet<String> =
                    self.stage.find(&format!("{name} = {wanted}")).into_iter().collect();
                let has = |record: &BTreeMap<&str, Value>| record.get(name).is_some_and(has);
                let expected = self.model.iter().filter(|(_, record)| has(record)).map(|(id, _)| id.clone());
                assert_eq!(found, expected.collect(), "{name} {kind} = {wanted}");
            }
        }
    }
}

proptest! {
    #[test]
    fn the_index_follows_any_deployments_and_writes(steps in steps()) {
        let mut play = Play { stage: Stage::new(""), table: Vec::new(), model: BTreeMap::new() };
        for step in steps {
            play = play.step(&step);
            play.check();
        }
        play.ask();
    }
}
