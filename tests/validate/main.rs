//! The parts of the npm package that come from the schema: JavaScript that accepts valid objects, and TypeScript types,
//! both committed and compared here; and the bodies with which its tests compare all ways of validation.
//!
//! `UPDATE=1 cargo test --no-default-features --test validate` rewrites the committed files.
#![cfg(not(target_arch = "wasm32"))]
#![allow(
    clippy::format_collect,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a failure to print or to index is the test's failure"
)]

mod accept;
mod bodies;
mod fields;
mod json_schema;
mod limits;
mod types;

use std::path::Path;
use std::{env, fs};

fn assert_committed(path: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    if env::var_os("UPDATE").is_some() {
        fs::write(&path, text).unwrap();
    }
    assert_eq!(fs::read_to_string(&path).unwrap_or_default(), text, "{}: set UPDATE=1", path.display());
}

#[test]
fn the_javascript_that_accepts_objects_is_the_schemas() {
    assert_committed("pkg/accept.js", &accept::javascript());
}

#[test]
fn the_types_of_bodies_are_the_schemas() {
    assert_committed("pkg/bodies.d.ts", &types::typescript());
}

#[test]
fn the_fields_of_predicates_have_the_operators_that_the_language_takes() {
    assert_committed("pkg/predicate-fields.d.ts", &fields::typescript());
}

#[test]
fn the_json_schemas_of_the_package_are_the_openapi_documents() {
    assert_committed("pkg/json-schemas.js", &json_schema::javascript());
}

#[test]
fn the_limits_of_the_package_are_the_contracts() {
    let (there, known) = limits::names();
    assert_eq!(known, there, "each constant of src/contract/limits.rs is exported or internal");
    assert_committed("pkg/limits.js", &limits::javascript());
    assert_committed("pkg/limits.d.ts", &limits::typescript());
}

#[test]
fn the_types_of_errors_are_the_contracts() {
    assert_committed("pkg/issues.d.ts", &types::errors());
}
