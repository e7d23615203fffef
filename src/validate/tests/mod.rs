//! Tests of the validator as a whole: the grammar, the rules, and the typed results.

mod declared;
mod generate;
mod issues;
mod rules;
mod syntax;
mod typed;

use std::sync::LazyLock;

use crate::shape::ObjectId;
use crate::shape::types::Object;

static SHAPE: LazyLock<Shape> = LazyLock::new(Shape::built_in);

/// Returns an object of the interface.
fn object(id: ObjectId) -> &'static Object {
    SHAPE.object(id)
}

// `generate` imports these through its parent, so that an integration test can include it too.
use crate::contract::api::endpoint;
use crate::contract::limits;
use crate::shape::Shape;
use crate::shape::{content, model, types};
use crate::util::{json, time};
