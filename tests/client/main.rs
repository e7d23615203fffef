//! The client against the server: each operation from the client's request to the server's call.
#![cfg(not(target_arch = "wasm32"))]
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test ends by a panic"
)]

mod round_trip;
#[path = "../support/mod.rs"]
mod support;
