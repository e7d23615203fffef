//! The fuzz targets, for libFuzzer. `tests/fuzz.rs` of the crate runs the same targets for a short time.

#[path = "../../tests/reference/mod.rs"]
pub mod reference;
#[path = "../../tests/support/mod.rs"]
pub mod support;
pub mod targets;
