//! The collection on SQLite itself: versions and time, faults, the outbox, replays.
#![cfg(not(target_arch = "wasm32"))]

mod faults;
mod outbox;
mod replay;
#[path = "../support/mod.rs"]
mod support;
mod time;
