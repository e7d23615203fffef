//! The service without a runtime: on native SQLite, and with an edge in memory.

mod client;
mod documents;
mod fuzz;
mod guide;
mod handler;
mod plain;
mod project;
pub mod reference;
mod schemas;
mod validate;

use std::path::Path;
use std::{env, fs, process};

/// Writes what tests in JavaScript read (`tests/package/validate/native.mjs`). They may read the file meanwhile, so it
/// is replaced as a whole.
fn write_for_javascript(name: &str, text: &str) {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let new = file.with_extension(process::id().to_string());
    fs::write(&new, text).unwrap();
    fs::rename(new, file).unwrap();
}
