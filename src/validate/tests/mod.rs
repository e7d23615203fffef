//! Tests of the validator as a whole: the grammar, the rules, and the typed results.

mod generate;
mod issues;
mod rules;
mod syntax;
mod typed;

// `generate` imports these through its parent, so that an integration test can include it too.
use crate::contract::api::endpoint;
use crate::contract::limits;
use crate::contract::resource::{content, model, schema};
use crate::util::time;
