//! The OpenAPI document: its committed copy, its completeness with respect to the tables, and its examples.
//!
//! `UPDATE=1 cargo test --no-default-features --test openapi` rewrites the committed file.
#![cfg(not(target_arch = "wasm32"))]
#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "helpers of tests, which may fail by panicking"
)]

mod examples;
mod pretty;
mod tables;

use std::path::Path;
use std::{env, fs};

use resource_edge::openapi;
use serde_json::Value;

/// Returns the document, read by an independent parser.
fn document() -> Value {
    serde_json::from_str(&openapi::document()).unwrap()
}

#[test]
fn the_committed_document_is_the_served_one_with_white_space() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/openapi/openapi.json");
    let text = pretty::pretty(&openapi::document());
    if env::var_os("UPDATE").is_some() {
        fs::write(&path, &text).unwrap();
    }
    assert_eq!(fs::read_to_string(&path).unwrap_or_default(), text, "{}: set UPDATE=1", path.display());
}
