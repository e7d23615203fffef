//! The client against the table and the server: the files of the npm package that come from the table, and each
//! operation from the client's request to the server's call.
//!
//! `UPDATE=1 cargo test --no-default-features --test client` rewrites the committed files.
#![cfg(not(target_arch = "wasm32"))]
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test ends by a panic"
)]

mod package;
mod round_trip;
