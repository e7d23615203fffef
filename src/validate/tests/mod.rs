//! Tests of the validator as a whole: the grammar, the rules, and the typed results.

mod generate;
mod rules;
mod syntax;
mod typed;

// What `generate` reads through its parent, so that an integration test may include it too.
use crate::contract::{limits, model, schema, time};
