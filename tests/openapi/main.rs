//! The OpenAPI document: its references, and its examples. `tests/generated.rs` compares
//! the committed copy.
#![cfg(not(target_arch = "wasm32"))]
#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "helpers of tests, which may fail by panicking"
)]

mod examples;
mod tables;

use resource_edge::openapi;
use serde_json::Value;

/// Returns the document, read by an independent parser.
fn document() -> Value {
    serde_json::from_str(&openapi::document()).unwrap()
}
