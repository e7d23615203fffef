//! The OpenAPI document: its references, and its examples. `tests/repository/structure/generated.rs` compares
//! the committed copy.

mod examples;
mod tables;

use resource_edge::openapi;
use resource_edge::shape::Shape;
use serde_json::Value;

/// Returns the document, read by an independent parser.
fn document() -> Value {
    serde_json::from_str(&openapi::document(&Shape::built_in())).unwrap()
}
