//! Deterministic simulation.
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

mod client;
mod disk;
mod edge;
mod faults;
mod known;
mod kv;
mod mutant;
mod object;
mod oracle;
mod random;
mod rest;
mod run;
mod session;
#[path = "../support/mod.rs"]
mod support;
mod tests;
mod workload;
mod world;
