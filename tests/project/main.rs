//! The collection on native SQLite: versions and time, faults, the outbox, and replays.
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

mod faults;
mod full;
mod growth;
mod machine;
mod outbox;
mod replay;
mod statements;
mod status;
#[path = "../support/mod.rs"]
mod support;
mod time;
mod words;
