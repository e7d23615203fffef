//! The handler on an edge in memory: stale copies and outages, random requests, and a model of the collection.
#![cfg(not(target_arch = "wasm32"))]
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test ends by a panic"
)]

mod attacks;
mod backup;
mod clear;
mod effects;
mod freshness;
mod health;
mod limits;
mod log;
#[allow(clippy::too_many_lines, reason = "the rules of all operations, in their order")]
mod model;
mod numbers;
mod positions;
mod refusals;
mod restore;
mod settings;
mod soup;
mod status;
#[path = "../support/mod.rs"]
mod support;
mod wire;
