//! The conditions of followers, and the bodies of the source: for the interface's resource those of
//! `tests/native/reference`, with every operator.

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use resource_edge::predicate::Typed;
use resource_edge::shape::{Record, Shape};
use serde_json::{Value, json};

use super::SHORT;
use super::deploy::{Deployments, FILLER};
use crate::native::reference::evaluate::{holds, lies_on_an_edge};
use crate::native::reference::random::predicates::node;
use crate::native::reference::random::records;
use crate::native::reference::random::spelling::write;
use crate::support::json::encoded;
use crate::world::simulation::random::Random;
use crate::world::simulation::workload::{Condition, meaning};

/// Which resources a follower has: the condition as parameters, and what it means.
pub(super) struct Filter {
    pub(super) parameters: String,
    condition: Typed,
}

impl Filter {
    /// Draws a condition with any operators, or one that many of the source's resources satisfy.
    pub(super) fn draw(deployments: &Deployments, random: &Random) -> Self {
        let shape = &deployments.design.shape;
        let is_declared = shape.is_declared();
        if random.chance(if is_declared { 300 } else { 700 }) {
            let node = sample(&node(shape, None, 2), random);
            let written = write(&node, random.next() as u32);
            let variables =
                written.variables.iter().map(|(name, value)| format!("&var.{name}={}", encoded(value)));
            let parameters = format!("where={}{}", encoded(&written.text), variables.collect::<String>());
            return Self { parameters, condition: node.meaning() };
        }
        let text = if is_declared {
            Condition::of_content(random, &deployments.design)
        } else {
            format!("{FILLER} = {}", json!("x".repeat(SHORT)))
        };
        let condition = meaning(&deployments.design, &text).expect("a predicate");
        Self { parameters: format!("where={}", encoded(&text)), condition }
    }

    /// Returns whether a record matches; `None` if it is on the edge of a circle.
    pub(super) fn matches(&self, record: &str) -> Option<bool> {
        let record = serde_json::from_str(record).expect("a record is JSON");
        (!lies_on_an_edge(&self.condition, &record)).then(|| holds(&self.condition, &record))
    }
}

/// Draws a body of the interface's resource for an ID.
pub(super) fn body(shape: &Shape, id: String, random: &Random) -> Value {
    let input = sample(&records::body(shape, Just(id).boxed(), Just(None).boxed()), random);
    let record = Record {
        id: input.id.unwrap_or_default(),
        version: 0,
        key: None,
        created_at: 0,
        created_by: input.created_by,
        revision: 0,
        last_modified_by: input.last_modified_by,
        content: input.content,
    };
    let mut body: Value = serde_json::from_str(&record.to_json(shape)).expect("a record is JSON");
    body.as_object_mut().expect("an object").remove("version");
    body
}

fn sample<S: Strategy>(strategy: &S, random: &Random) -> S::Value {
    let seed = [(); 4].map(|()| random.next().to_le_bytes()).concat();
    let config = Config { failure_persistence: None, ..Config::default() };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
    strategy.new_tree(&mut TestRunner::new_with_rng(config, rng)).expect("a value").current()
}
