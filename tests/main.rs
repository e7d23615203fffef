//! All native tests of the service, in one program, so that it is linked once. A filter selects a folder or
//! a file: `cargo test --no-default-features --test service simulation::`.
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

mod cases;
mod native;
mod support;
mod world;
